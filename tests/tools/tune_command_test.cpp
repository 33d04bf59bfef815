// gpumodel tune: the choice against brute force, its odds, and the header that it writes. All by generated
// code, which is the same on every machine (compiled code: compile_test.cpp).
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/run_command.h"
#include "tests/support/temporary_folder.h"

using Json = nlohmann::json;

namespace {

// 32 points, of which the rules leave a part.
const std::string small_grid =
    "-p BM=64,128 -p BN=64,128 -p BK=8,16 -p WM=32 -p WN=32,64 -p WNITER=2 -p TM=4 -p TN=4 -p "
    "THREADS=128,256 ";
const std::string small_shape = "-m 512 -n 256 -k 128 ";

std::vector<std::vector<std::string>> csv_rows(const std::string& text) {
    std::vector<std::vector<std::string>> rows;
    std::string line, field;
    for (std::istringstream in(text); std::getline(in, line);) {
        rows.emplace_back();
        for (std::istringstream fields(line); std::getline(fields, field, ',');) {
            rows.back().push_back(field);
        }
    }
    return rows;
}

std::size_t column(const std::vector<std::string>& header, const std::string& name) {
    const auto found = std::find(header.begin(), header.end(), name);
    REQUIRE(found != header.end());
    return static_cast<std::size_t>(found - header.begin());
}

// Every point of small_grid as a job file.
std::string all_jobs() {
    std::string jobs = "kernel,params,M,N,K\n";
    for (const int bm : {64, 128}) {
        for (const int bn : {64, 128}) {
            for (const int bk : {8, 16}) {
                for (const int wn : {32, 64}) {
                    for (const int threads : {128, 256}) {
                        std::ostringstream row;
                        row << "warptile,BM=" << bm << ";BN=" << bn << ";BK=" << bk << ";WM=32;WN=" << wn
                            << ";WNITER=2;TM=4;TN=4;THREADS=" << threads << ",512,256,128\n";
                        jobs += row.str();
                    }
                }
            }
        }
    }
    return jobs;
}

// Time by configuration, of what can run; one model.
std::map<std::string, double> brute_force(const std::string& model) {
    const auto result = run_shell(
        "printf '" + all_jobs() +
        "' | {gpumodel} predict --arch v100_sxm2 --generated --jobs - --format csv --model " + model);
    REQUIRE(result.exit_code == 0);
    const auto rows = csv_rows(result.out);
    const auto params = column(rows[0], "params"), status = column(rows[0], "status"),
               time = column(rows[0], "time_us");
    std::map<std::string, double> times;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        if (rows[i][status] == "ok") {
            times[rows[i][params]] = std::stod(rows[i][time]);
        }
    }
    return times;
}

}  // namespace

TEST_CASE("a derived parameter restricts the tiles that compete", "[tune]") {
    const auto run = run_gpumodel(
        "tune --generated --arch v100_sxm2 --kernel vectorized -p BN=64,128 -p BK=8 -p TN=4,8 -p THREADS=128 "
        "--model analytic --format csv " +
        std::string("-m 512 -n 512 -k 128"));
    REQUIRE(run.exit_code == 0);
    const auto rows = csv_rows(run.out);
    REQUIRE(rows.size() > 1);
    const auto threads = column(rows[0], "threads_per_block");
    for (std::size_t i = 1; i < rows.size(); ++i) {
        CHECK(rows[i].at(threads) == "128");
    }
}

TEST_CASE("tune agrees with brute force over predict", "[tune]") {
    const auto simulated = brute_force("simulate"), analytic = brute_force("analytic");
    REQUIRE(simulated.size() >= 4);
    const auto result =
        run_gpumodel("tune --generated --arch v100_sxm2 --kernel warptile --model simulate --format csv " +
                     small_grid + small_shape);
    REQUIRE(result.exit_code == 0);
    const auto rows = csv_rows(result.out);
    REQUIRE(rows.size() == simulated.size() + 1);
    const auto params = column(rows[0], "params"), time = column(rows[0], "time_us"),
               loss = column(rows[0], "loss_pct"), rank = column(rows[0], "rank"),
               analytic_time = column(rows[0], "analytic_time_us");
    const auto best = std::min_element(simulated.begin(), simulated.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    // within 0.1 % the analytic order decides
    CHECK(std::stod(rows[1][time]) <= 1.001 * best->second);
    double before = 0;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const auto& row = rows[i];
        INFO(row[params]);
        CHECK(std::stod(row[time]) == Approx(simulated.at(row[params])).epsilon(1e-6));
        CHECK(std::stod(row[analytic_time]) == Approx(analytic.at(row[params])).epsilon(1e-6));
        CHECK(row[rank] == std::to_string(i));
        CHECK(
            std::stod(row[loss]) ==
            Approx(std::max(0.0, 100 * (std::stod(row[time]) / std::stod(rows[1][time]) - 1))).margin(1e-4));
        CHECK(std::stod(row[time]) >= 0.999 * before);
        before = std::stod(row[time]);
    }
}

TEST_CASE("by default the geometric mean of both models ranks", "[tune]") {
    const auto simulated = brute_force("simulate"), analytic = brute_force("analytic");
    double best = 1e300;
    for (const auto& [params, time] : simulated) {
        best = std::min(best, std::sqrt(time * analytic.at(params)));
    }
    const auto result = run_gpumodel("tune --generated --arch v100_sxm2 --kernel warptile --format json " +
                                     small_grid + small_shape);
    const auto json = Json::parse(result.out);
    CHECK(json.at("schema_version") == 1);
    CHECK(json.at("ranked_by") == "both");
    const auto& shape = json.at("shapes").at(0);
    CHECK(shape.at("winner").at("rank_time_us").get<double>() <= 1.001 * best * (1 + 1e-6));
    CHECK(shape.at("combinations") == 32);
    CHECK(shape.at("valid") == simulated.size());
    std::int64_t rejected = 0;
    for (const auto& rule : shape.at("rejected")) {
        rejected += rule.at("combinations").get<std::int64_t>();
    }
    CHECK(rejected + static_cast<std::int64_t>(simulated.size()) == 32);
    CHECK(shape.at("confidence").is_null());  // nothing is measured of warptile on sm_70
    CHECK_FALSE(shape.at("against_runner_up").at("words").get<std::string>().empty());
}

TEST_CASE("where errors are measured, the odds are a distribution", "[tune]") {
    const auto result =
        run_gpumodel("tune --generated --arch h200_sxm --kernel warptile --refine 6 --top 6 --format json " +
                     small_grid + "-m 512 -n 512 -k 512");
    REQUIRE(result.exit_code == 0);
    const auto shape = Json::parse(result.out).at("shapes").at(0);
    const auto& confidence = shape.at("confidence");
    CHECK(confidence.at("expected_loss_pct").get<double>() > 0);
    double sum = 0, before = 1;
    for (const auto& c : shape.at("top")) {
        const auto p = c.at("best_probability").get<double>();
        CHECK(p <= before + 0.02);  // one spread for all: the order of the predicted times, but for ties
        sum += before = p;
    }
    CHECK(sum == Approx(1).epsilon(1e-4));
    double loss = 1e9;
    for (const auto& l : confidence.at("expected_loss_pct_after_measuring")) {
        CHECK(l.get<double>() <= loss);
        loss = l.get<double>();
    }
    CHECK(loss == Approx(0).margin(1e-9));  // all are measured
}

TEST_CASE("a list of shapes becomes a header that compilers take", "[tune]") {
    const TemporaryFolder folder;
    const auto header = folder.file("tuned.h");
    const auto result = run_gpumodel(
        "tune --generated --arch v100_sxm2 --kernel warptile --model analytic --format header --out " +
        header + " --sizes 256,1024x256x512,4096 " + small_grid);
    REQUIRE(result.exit_code == 0);
    CHECK(result.out.empty());
    // 1100x300x400 is nearest to 1024x256x512, 900^3 by ratios to 256^3 (43) rather than 4096^3 (94) and to
    // 1024x256x512 (1.14 * 3.5 * 1.76 = 7) rather than both
    std::ofstream(folder.file("use.c")) << R"(#include "tuned.h"
#include "tuned.h"
static int is(long long m, long long n, long long k, long long em, long long en, long long ek) {
    const struct gpumodel_tuned *t = gpumodel_tuned_for(m, n, k);
    return t->m == em && t->n == en && t->k == ek && t->BM > 0 && t->THREADS > 0 && t->kernel[0] == 'w';
}
int main(void) {
    return is(4096, 4096, 4096, 4096, 4096, 4096) && is(1, 1, 1, 256, 256, 256) &&
                   is(1100, 300, 400, 1024, 256, 512) && is(900, 900, 900, 1024, 256, 512) &&
                   is(1000000, 1000000, 1000000, 4096, 4096, 4096)
               ? 0
               : 1;
}
)";
    for (const auto* compiler : {"cc -std=c11 -x c", "c++ -std=c++17 -x c++"}) {
        const auto program = folder.file("use");
        const auto built = run_shell(std::string(compiler) + " -Wall -Wextra -Wpedantic -Werror -o " +
                                     program + " " + folder.file("use.c") + " && " + program);
        INFO(compiler << "\n" << built.err);
        CHECK(built.exit_code == 0);
    }
}

TEST_CASE("the header's rows are the winners", "[tune]") {
    const auto arguments =
        "tune --generated --arch v100_sxm2 --kernel warptile --model analytic --sizes 256,512 " + small_grid;
    const auto winners = Json::parse(run_gpumodel(arguments + "--format json").out).at("shapes");
    const auto header = run_gpumodel(arguments + "--format header").out;
    REQUIRE(winners.size() == 2);
    for (const auto& shape : winners) {
        std::ostringstream row;
        row << "{" << shape.at("M") << ", " << shape.at("N") << ", " << shape.at("K") << ", \"warptile\"";
        for (const auto* name : {"BM", "BN", "BK", "WM", "WN", "WNITER", "TM", "TN", "THREADS", "UNROLL"}) {
            row << ", " << shape.at("winner").at("params").at(name);
        }
        INFO(row.str());
        CHECK(header.find(row.str() + "}") != std::string::npos);
    }
}

TEST_CASE("families compete, at any thread count alike", "[tune]") {
    const auto arguments =
        "tune --generated --arch v100_sxm2 --kernel smem --kernel blocktile1d --refine 4 --format csv -m 256 "
        "-n 256 -k "
        "256 ";
    const auto one = run_gpumodel(std::string(arguments) + "--threads 1");
    const auto three = run_gpumodel(std::string(arguments) + "--threads 3");
    CHECK(one.exit_code == 0);
    CHECK(one.out == three.out);
    CHECK(one.out.find("blocktile1d") != std::string::npos);
}

TEST_CASE("a grid without a valid point ends with the rules counted", "[tune]") {
    const auto result = run_gpumodel(
        "tune --generated --arch v100_sxm2 --kernel warptile -p BM=96,80 -p BN=64 -p WM=64 -m 960 -n 960 -k "
        "960");
    CHECK(result.exit_code == 3);
    CHECK(result.out.empty());
    CHECK(result.err.find("no valid configuration of warptile at 960x960x960") != std::string::npos);
    CHECK(result.err.find("BM must be a multiple of WM") != std::string::npos);
}

TEST_CASE("what would spill is not recommended", "[tune][slow]") {
    const auto result = run_gpumodel(
        "tune --generated --arch v100_sxm2 --kernel warptile -p BM=256 -p BN=256 -p WM=128 -p WN=128 -p "
        "THREADS=128 -p "
        "BK=16 "
        "-p WNITER=4 -p TM=8 -p TN=8");
    CHECK(result.exit_code == 3);
    CHECK(result.err.find("spills are not modelled") != std::string::npos);
}

TEST_CASE("all faults of the command line at once", "[tune]") {
    const auto result = run_gpumodel(
        "tune --generated --arch v100_sxn2 --kernel warptil --kernel smem --kernel smem -p BZ=3 -p BK=0:x "
        "--refine 0 "
        "--top two "
        "--model best --format html --sizes 10x -m 4 --split half");
    CHECK(result.exit_code == 2);
    for (const auto* fault : {"v100_sxm2", "warptile", "given twice", "BZ", "BK", "--refine", "--top",
                              "--model", "--format", "--sizes", "--split"}) {
        INFO(fault << "\n" << result.err);
        CHECK(result.err.find(fault) != std::string::npos);
    }
    CHECK(run_gpumodel("tune --generated --arch v100_sxm2").exit_code == 2);
}

TEST_CASE("measured times judge the choice", "[tune]") {
    const TemporaryFolder folder;
    const auto file = folder.file("times.csv");
    // the second is predicted to be the slower one, and measured to be the faster one by a quarter
    std::ofstream(file)
        << "family,params,M,N,K,time_us_median\n"
           "warptile,BM=64;BN=64;BK=16;WM=32;WN=32;WNITER=2;TM=4;TN=4;THREADS=128,512,512,512,100\n"
           "warptile,BM=256;BN=256;BK=16;WM=64;WN=128;WNITER=2;TM=8;TN=8;THREADS=256,512,512,512,80\n";
    const auto arguments = "tune --generated --arch h200_sxm --model analytic --measurements " + file;
    const auto result = run_gpumodel(arguments + " --format json");
    REQUIRE(result.exit_code == 0);
    const auto judged = Json::parse(result.out).at("judged").at(0);
    CHECK(judged.at("configurations") == 2);
    CHECK(judged.at("top1_regret_pct").get<double>() == Approx(25));
    CHECK(judged.at("top8_regret_pct").get<double>() == Approx(0).margin(1e-9));
    CHECK(judged.at("kendall_tau").get<double>() == Approx(-1));
    CHECK(run_gpumodel(arguments + " --kernel smem").exit_code == 3);
    CHECK(run_gpumodel(arguments + " -p BM=64").exit_code == 2);
}
