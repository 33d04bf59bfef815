// The command-line contract of the design: columns, formats, exit codes, determinism.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/csv_lines.h"
#include "tests/support/run_command.h"
#include "tests/support/temporary_folder.h"

namespace {

const std::string contract_columns =
    "arch,kernel,params,M,N,K,model,status,reason,time_us,gflops,cycles,threads_per_block,registers_per_"
    "thread,"
    "shared_bytes_per_block,blocks_per_sm,occupancy_limiter,theoretical_occupancy,achieved_occupancy,waves,"
    "bottleneck,"
    "error_band_pct,program_source,";

nlohmann::json first_prediction(const std::string& options) {
    const auto result = run_gpumodel("predict --format json " + options);
    REQUIRE(result.exit_code == 0);
    return nlohmann::json::parse(result.out).at("predictions").at(0);
}

}  // namespace

TEST_CASE("predict prints the contract's csv columns first", "[cli]") {
    const auto result = run_gpumodel("predict --arch sm_35 --kernel warptile --format csv");
    REQUIRE(result.exit_code == 0);
    const auto lines = lines_of(result.out);
    REQUIRE(lines.size() == 2);
    CHECK(lines[0].rfind(contract_columns, 0) == 0);
    CHECK(lines[0].find("smsp__inst_executed.sum") != std::string::npos);
    CHECK(lines[1].rfind("k40,warptile,BM=128;BN=128;BK=16;", 0) == 0);
}

TEST_CASE("predict's first screen answers the questions", "[cli]") {
    const auto result = run_gpumodel("predict --arch sm_35 --kernel warptile");
    REQUIRE(result.exit_code == 0);
    CHECK(result.err.empty());
    for (const auto* needed :
         {"sm_35 means its default product k40", "M=4096 N=4096 K=4096", "Time", "GFLOP/s",
          "% of the FP32 peak", "Bottleneck", "limited by", "Estimated inputs", "Error band"}) {
        INFO(needed);
        CHECK(result.out.find(needed) != std::string::npos);
    }
}

TEST_CASE("json carries the schema version, metadata and the same numbers as csv", "[cli]") {
    const auto json = nlohmann::json::parse(
        run_gpumodel("predict --arch v100_sxm2 --kernel smem -m 512 --format json").out);
    CHECK(json.at("schema_version") == 1);
    CHECK(json.at("metadata").at("version").is_string());
    CHECK(json.at("metadata").at("spec_hash").get<std::string>().size() >= 8);
    CHECK(json.at("metadata").at("command_line") ==
          "gpumodel predict --arch v100_sxm2 --kernel smem -m 512 --format json");
    const auto& p = json.at("predictions").at(0);
    const auto csv =
        lines_of(run_gpumodel("predict --arch v100_sxm2 --kernel smem -m 512 --format csv").out).at(1);
    std::vector<std::string> fields;
    std::string field;
    for (std::istringstream in(csv); std::getline(in, field, ',');) {
        fields.push_back(field);
    }
    CHECK(std::stod(fields.at(9)) == Approx(p.at("time_us").get<double>()).epsilon(1e-5));
    CHECK(std::stod(fields.at(11)) == Approx(p.at("cycles").get<double>()).epsilon(1e-5));
    CHECK(p.at("error_band_pct").is_null());
}

TEST_CASE("the output does not depend on the number of threads", "[cli]") {
    const auto one = run_gpumodel("predict --arch v100_sxm2 --jobs jobs/mixed.csv --format csv --threads 1");
    const auto four = run_gpumodel("predict --arch v100_sxm2 --jobs jobs/mixed.csv --format csv --threads 4");
    CHECK(one.exit_code == 0);
    CHECK(one.out == four.out);
    CHECK(lines_of(one.out).size() == 9);
}

TEST_CASE("job files may come from standard input and from Windows", "[cli]") {
    const auto piped =
        run_shell("cat jobs/windows.csv | {gpumodel} predict --arch k40 --jobs - --format csv");
    const auto file = run_gpumodel("predict --arch k40 --jobs jobs/windows.csv --format csv");
    CHECK(piped.exit_code == 0);
    CHECK(piped.out == file.out);
    CHECK(lines_of(file.out).at(1).find("warptile,BM=64;BN=64") != std::string::npos);
    CHECK(lines_of(file.out).at(1).find(",ok,") != std::string::npos);
}

TEST_CASE("an infeasible kernel exits with 3 and names the rule", "[cli]") {
    const auto result = run_gpumodel("predict --arch k40 --kernel warptile -m 100");
    CHECK(result.exit_code == 3);
    CHECK(result.out.find("infeasible") != std::string::npos);
    CHECK(result.out.find("100") != std::string::npos);
}

TEST_CASE("--set and -p change what they name", "[cli]") {
    const auto time_of = [](const std::string& more) {
        return first_prediction("--arch v100_sxm2 --kernel stride_copy " + more).at("time_us").get<double>();
    };
    const double base = time_of("");
    CHECK(time_of("--set 'dram.bandwidth=450 GB/s'") > 1.5 * base);
    CHECK(time_of("-p STRIDE=8") > 1.5 * base);
}

TEST_CASE("--l2 cold makes DRAM give the inputs, which a warm L2 holds", "[cli]") {
    // A, B and C of 512 x 512 are 3 MiB: they fit the 50 MiB of L2 and stay there from launch to launch
    constexpr double matrix_bytes = 512.0 * 512 * 4;
    for (const std::string model : {"analytic", "simulate"}) {
        const auto with = [&model](const std::string& l2) {
            return first_prediction("--arch h200_sxm --kernel smem -m 512 -n 512 -k 512 --model " + model +
                                    l2);
        };
        const auto dram_read = [](const nlohmann::json& prediction) {
            return prediction.at("counters").at("dram__bytes_read.sum").get<double>();
        };
        const auto unsaid = with("");
        const auto warm = with(" --l2 warm");
        const auto cold = with(" --l2 cold");
        INFO(model);
        CHECK(unsaid == warm);
        CHECK(dram_read(warm) == 0);
        CHECK(dram_read(cold) == Approx(3 * matrix_bytes));
        CHECK(cold.at("time_us").get<double>() > warm.at("time_us").get<double>());
    }
}

TEST_CASE("--out writes the file and leaves standard output empty", "[cli]") {
    const TemporaryFolder folder;
    const auto file = folder.file("out.csv");
    const auto result = run_gpumodel("predict --arch k40 --kernel smem --format csv --out " + file);
    CHECK(result.exit_code == 0);
    CHECK(result.out.empty());
    CHECK(lines_of(read_temporary(file)).size() == 2);
}

TEST_CASE("specs are found from any directory", "[cli]") {
    CHECK(run_gpumodel("predict --arch k40 --kernel smem --format csv", "/").exit_code == 0);
}
