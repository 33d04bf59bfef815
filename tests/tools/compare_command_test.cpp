// gpumodel compare: files and launches give the same answer, thresholds reach the exit code, bad files are
// refused with what to do.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/run_command.h"
#include "tests/support/temporary_folder.h"

namespace compare_command_test {

namespace {

using Json = nlohmann::json;

const TemporaryFolder folder;

// Runs a script in a folder of its own, with files a.json ... where it wrote some before.
CommandResult in_folder(const std::string& script) {
    return run_shell("cd " + folder.path().string() + "; " + script);
}

void write(const std::string& name, const std::string& content) {
    std::ofstream(folder.file(name)) << content;
}

Json compared(const std::string& arguments, int exit_code = 0) {
    const auto result = in_folder("{gpumodel} compare " + arguments + " --format json");
    INFO(arguments << result.err);
    REQUIRE(result.exit_code == exit_code);
    return Json::parse(result.out);
}

std::string launch_json(double time_us, int size, const std::string& more = "") {
    std::ostringstream text;
    text << R"({"arch":"k40","kernel":"warptile","params":"BM=64","M":)" << size << R"(,"N":)" << size
         << R"(,"K":)" << size << R"(,"model":"simulate","status":"ok","reason":"","time_us":)" << time_us
         << more << '}';
    return text.str();
}

std::string document(const std::string& launches, int schema = 1) {
    return R"({"schema_version":)" + std::to_string(schema) + R"(,"predictions":[)" + launches + "]}";
}

}  // namespace

TEST_CASE("two files and two launches give the same comparison", "[cli][compare]") {
    const std::string size = " -m 1024 -n 1024 -k 1024";
    REQUIRE(in_folder("{gpumodel} predict --arch k40 --kernel vectorized --format json --out a.json" + size +
                      " && {gpumodel} predict --arch v100_sxm2 --kernel warptile --format json --out b.json" +
                      size)
                .exit_code == 0);
    const auto files = compared("a.json b.json");
    const auto launches =
        compared("--arch k40 --kernel vectorized --vs-arch v100_sxm2 --vs-kernel warptile" + size);
    CHECK(files.at("comparisons") == launches.at("comparisons"));
    CHECK(files.at("comparisons").size() == 1);  // the predicted time; the other model beside it
    CHECK(files.at("comparisons")[0].at("analytic_change_pct").is_number());
    CHECK(compared("a.json b.json --model both").at("comparisons").size() == 2);
    CHECK(compared("a.json b.json --model analytic").at("comparisons")[0].at("model") == "analytic");
}

TEST_CASE("one pipe is one bound, whatever each side calls it", "[cli][compare]") {
    // naive leaves shared memory alone: its bound alone is called L1 data pipe
    const auto json = compared(
        "--arch v100_sxm2 --kernel naive -m 256 -n 256 -k 256 --vs-kernel smem --model analytic --generated");
    int pipes = 0;
    for (const auto& bound : json.at("comparisons")[0].at("bounds")) {
        CHECK(bound.at("name") != "L1 data pipe");
        if (bound.at("name") == "shared memory") {
            ++pipes;
            CHECK(bound.at("a_us").is_number());
            CHECK(bound.at("b_us").is_number());
        }
    }
    CHECK(pipes == 1);
}

TEST_CASE("the parts of a real comparison sum to the difference, both models", "[cli][compare]") {
    const auto json =
        compared("--arch v100_sxm2 --kernel warptile -m 512 -n 512 -k 512 --vs-kernel smem --model both");
    REQUIRE(json.at("comparisons").size() == 2);
    for (const auto& c : json.at("comparisons")) {
        double a = 0, b = 0, difference = 0;
        for (const auto& part : c.at("parts")) {
            a += part.at("a_us").get<double>();
            b += part.at("b_us").get<double>();
            difference += part.at("difference_us").get<double>();
        }
        CHECK(a == Approx(c.at("time_a_us").get<double>()).epsilon(1e-12));
        CHECK(b == Approx(c.at("time_b_us").get<double>()).epsilon(1e-12));
        CHECK(difference == Approx(b - a).epsilon(1e-9));
        CHECK(c.at("parts").size() >= 3);
    }
}

TEST_CASE("simulate's json and predict's json compare as equal", "[cli][compare]") {
    const std::string launch = " --arch k40 --kernel smem -m 256 -n 256 -k 256 --format json --out ";
    REQUIRE(in_folder("{gpumodel} simulate" + launch + "s.json && {gpumodel} predict" + launch + "p.json")
                .exit_code == 0);
    const auto json = compared("s.json p.json --threshold 0");
    REQUIRE(json.at("comparisons").size() == 1);
    const auto& c = json.at("comparisons")[0];
    CHECK(c.at("change_pct").get<double>() == 0);
    REQUIRE_FALSE(c.at("parts").empty());
    for (const auto& part : c.at("parts")) {
        INFO(part.dump());
        CHECK(std::abs(part.at("difference_us").get<double>()) < 1e-9);
    }
    CHECK(json.at("only_b").size() == 1);  // the analytic model, which simulate does not have
}

TEST_CASE("csv of many launches: rows in any order, geometric mean, worst", "[cli][compare]") {
    write("jobs.csv",
          "kernel,params,M,N,K\nwarptile,,512,512,512\nnaive,,256,256,256\nwarptile,,100,100,100\n");
    write("reversed.csv",
          "kernel,params,M,N,K\nsmem,,256,256,256\nwarptile,,100,100,100\nnaive,,256,256,256\nwarptile,,512,"
          "512,512\n");
    REQUIRE(
        in_folder("{gpumodel} predict --arch k40 --jobs jobs.csv --format csv --model analytic --out a.csv; "
                  "{gpumodel} predict --arch v100_sxm2 --jobs reversed.csv --format csv --model analytic "
                  "--out b.csv")
            .exit_code == 0);
    const auto json = compared("a.csv b.csv");
    const auto& list = json.at("comparisons");
    REQUIRE(list.size() == 3);
    CHECK(list[0].at("b").at("kernel") == "warptile");
    CHECK(list[1].at("b").at("kernel") == "naive");
    CHECK(list[2].at("b").at("status") == "infeasible");
    CHECK(list[2].at("change_pct").is_null());
    const double product = (1 + list[0].at("change_pct").get<double>() / 100) *
                           (1 + list[1].at("change_pct").get<double>() / 100);
    const auto& summary = json.at("summary");
    CHECK(summary.at("geometric_mean_change_pct").get<double>() ==
          Approx(100 * (std::sqrt(product) - 1)).epsilon(1e-9));
    CHECK(summary.at("without_time") == 1);
    CHECK(json.at("only_b").size() == 1);
    CHECK(json.at("only_b")[0].at("kernel") == "smem");
    const auto text = in_folder("{gpumodel} compare a.csv b.csv");
    CHECK(text.exit_code == 0);
    CHECK(text.out.find("geometric mean") != std::string::npos);
    CHECK(text.out.find("only in b: smem on v100_sxm2, M=256") != std::string::npos);
    const auto csv = in_folder("{gpumodel} compare a.csv b.csv --format csv");
    CHECK(std::count(csv.out.begin(), csv.out.end(), '\n') == 1 + 3 + 1);
}

TEST_CASE("json and csv of the same predictions compare as equal", "[cli][compare]") {
    REQUIRE(in_folder("for f in json csv; do {gpumodel} predict --arch k40 --kernel smem --model analytic "
                      "--format $f --out r.$f; done")
                .exit_code == 0);
    const auto json = compared("r.json r.csv");
    CHECK(std::abs(json.at("comparisons")[0].at("change_pct").get<double>()) < 1e-4);  // csv has 7 digits
}

TEST_CASE("a threshold that is exceeded exits with 4", "[cli][compare]") {
    write("a.json", document(launch_json(100, 512) + ',' + launch_json(100, 1024)));
    write("b.json", document(launch_json(102, 512) + ',' + launch_json(50, 1024)));
    const auto exit_code = [](const std::string& more) {
        return in_folder("{gpumodel} compare " + more).exit_code;
    };
    CHECK(exit_code("a.json b.json") == 0);
    CHECK(exit_code("a.json b.json --threshold 2.1") == 0);
    CHECK(exit_code("a.json b.json --threshold 1.9") == 4);
    CHECK(exit_code("a.json b.json --threshold-geomean 0") == 0);  // sqrt(1.02 x 0.5) < 1
    CHECK(exit_code("b.json a.json --threshold-geomean 40.1") == 0);
    CHECK(exit_code("b.json a.json --threshold-geomean 40") == 4);  // 1 / sqrt(0.51) = 1.4003
    write("same.json", document(launch_json(100, 512) + ',' + launch_json(100, 1024)));
    CHECK(exit_code("a.json same.json --threshold 0 --threshold-geomean 0") == 0);
    const auto text = in_folder("{gpumodel} compare a.json b.json --threshold 1.9");
    CHECK(text.out.find("threshold of 1.9 % exceeded by 1 of 2 launches") != std::string::npos);
}

TEST_CASE("a launch that has lost its time exceeds every threshold", "[cli][compare]") {
    const std::string lost = R"({"arch":"k40","kernel":"warptile","params":"","M":512,"N":512,"K":512,)"
                             R"("model":"simulate","status":"infeasible","reason":"too large"})";
    write("a.json", document(launch_json(100, 512)));
    write("b.json", document(lost));
    const auto with = in_folder("{gpumodel} compare a.json b.json --threshold 1000");
    CHECK(with.exit_code == 4);
    CHECK(with.out.find("b has no time: infeasible: too large") != std::string::npos);
    CHECK(in_folder("{gpumodel} compare a.json b.json").exit_code == 3);
    CHECK(in_folder("{gpumodel} compare b.json a.json --threshold 0").exit_code == 3);
}

TEST_CASE("side b inherits what it does not override", "[cli][compare]") {
    const auto json = compared(
        "--arch k40 --kernel warptile -m 512 -n 512 -k 256 -p BK=8 -p UNROLL=1 --set "
        "sm.shared_memory.banks=32 "
        "--model analytic --vs-p BK=16 --vs-k 512 --vs-arch v100_sxm2");
    const auto& a = json.at("comparisons")[0].at("a");
    const auto& b = json.at("comparisons")[0].at("b");
    CHECK(a.at("params").get<std::string>().rfind("BM=128;BN=128;BK=8;", 0) == 0);
    CHECK(b.at("params").get<std::string>().rfind("BM=128;BN=128;BK=16;", 0) == 0);
    for (const auto* side : {&a, &b}) {
        CHECK(side->at("params").get<std::string>().find(";UNROLL=1") != std::string::npos);
    }
    CHECK(a.at("K") == 256);
    CHECK(b.at("K") == 512);
    CHECK(b.at("M") == 512);
    CHECK(b.at("arch") == "v100_sxm2");
    const auto other = compared("--arch k40 --kernel blocktile1d -p BK=8 --vs-kernel naive --model analytic");
    CHECK(other.at("notes")[0] == "b: naive has no parameter BK; -p BK=8 is left out");
    const auto cold =
        compared("--arch h200_sxm --kernel smem -m 512 -n 512 -k 512 --vs-l2 cold --model analytic");
    CHECK(cold.at("comparisons")[0].at("change_pct").get<double>() > 0);
}

TEST_CASE("a spec value of one side moves the bound that it is in", "[cli][compare]") {
    const auto json =
        compared("--arch v100_sxm2 --kernel naive --vs-set 'dram.bandwidth=450 GB/s' --model analytic");
    bool seen = false;
    for (const auto& bound : json.at("comparisons")[0].at("bounds")) {
        const double ratio = bound.at("ratio").get<double>();
        const bool dram = bound.at("name") == "DRAM";
        INFO(bound.dump());
        CHECK(ratio == Approx(dram ? 2 : 1).epsilon(0.02));  // 900 GB/s halved
        seen = seen || dram;
    }
    CHECK(seen);
}

TEST_CASE("results that cannot be compared are refused with what to do", "[cli][compare][bad]") {
    write("good.json", document(launch_json(100, 512)));
    write("new.json", document(launch_json(100, 512), 2));
    write("broken.json", "{\"schema_version\": 1,\n  \"predictions\": [}");
    write("alien.json", "{\"schema_version\": 1, \"archs\": []}");
    write("none.json", document(""));
    write("types.json", R"({"schema_version":1,"predictions":[{"kernel":7,"status":"fine"},)" +
                            launch_json(-1, 512) + "]}");
    write("table.csv", "arch,kernel\nk40,naive\n");
    write("empty.csv", "");
    const std::vector<std::pair<std::string, std::string>> cases{
        {"new.json",
         "new.json: schema_version: 2 is not 1, the one this version reads; write the file again with this "
         "version, or compare with the version that wrote it\n"},
        {"broken.json", "broken.json:2:19: not valid json\n"},
        {"alien.json", "alien.json: predictions: is missing: not a result of predict or simulate\n"},
        {"none.json", "none.json: no predictions in this file\n"},
        {"types.json",
         "types.json: predictions[0].kernel: expected a string\n"
         "types.json: predictions[0].status: 'fine' is none of ok, partial, infeasible, error\n"
         "types.json: predictions[1].time_us: a launch with status ok needs a time above 0\n"},
        {"empty.csv", "empty.csv: file is empty\n"},
        {"absent.json", "absent.json: cannot read this file\n"},
        {".", ".: cannot read this file\n"},
    };
    for (const auto& [file, error] : cases) {
        const auto result = in_folder("{gpumodel} compare " + file + " good.json");
        INFO(file);
        CHECK(result.exit_code == 2);
        CHECK(result.err == error);
        CHECK(result.out.empty());
    }
    const auto both = in_folder("{gpumodel} compare absent.json table.csv");
    CHECK(both.exit_code == 2);
    CHECK(both.err.rfind("absent.json: cannot read this file\ntable.csv:1:1: params: column is missing", 0) ==
          0);
}

TEST_CASE("bad rows of a csv are reported with their places", "[cli][compare][bad]") {
    const std::string header = "arch,kernel,params,M,N,K,model,status,reason,time_us\n";
    write("rows.csv",
          header + "k40,naive,,1,1,x,simulate,ok,,5\nk40,naive,,1,1,1,simulate,ok,,-2\nk40,naive\n");
    write("good.csv", header + "k40,naive,,1,1,1,simulate,ok,,5\n");
    const auto result = in_folder("{gpumodel} compare rows.csv good.csv");
    CHECK(result.exit_code == 2);
    CHECK(result.err ==
          "rows.csv:2:16: K: 'x' is not a whole number\n"
          "rows.csv:3:31: time_us: '-2' is not a number of at least 0\n"
          "rows.csv:4:1: 2 fields, the header has 10\n");
}

TEST_CASE("options of compare that do not go together", "[cli][compare][bad]") {
    write("good.json", document(launch_json(100, 512)));
    write("same.json", document(launch_json(100, 512)));
    const std::vector<std::pair<std::string, std::string>> cases{
        {"good.json", "A B: give two files, or none and --arch, --kernel and what is different about b\n"},
        {"good.json same.json --arch k40 --model bth --threshold -1",
         "A B: exclude options that name a launch; the files say what they predict\n"
         "--model: 'bth' is no model, allowed analytic, simulate, both; nearest: both\n"
         "--threshold: '-1' is not a percentage; allowed 0 and above, without a sign\n"},
        {"--arch k40 --kernel warptile",
         "--vs-arch: say what is different about b: --vs-arch, --vs-kernel, --vs-p, --vs-set ...\n"},
        {"--arch k40 --kernel warptile --vs-kernel warptil",
         "--kernel: warptil: unknown kernel family; see 'gpumodel kernels list'; nearest: warptile\n"},
        {"--arch k40 --kernel warptile --vs-arch k41", "k41: unknown architecture; nearest: k40\n"},
        {"- -", "A B: standard input can be read once only\n"},
        {"good.json same.json --model analytic", "same.json: no launch of model analytic is in both files\n"},
    };
    for (const auto& [arguments, error] : cases) {
        const auto result = in_folder("{gpumodel} compare " + arguments);
        INFO(arguments);
        CHECK(result.exit_code == 2);
        CHECK(result.err == error);
        CHECK(result.out.empty());
    }
}

TEST_CASE("standard input is a side", "[cli][compare]") {
    const auto result = in_folder(
        "{gpumodel} predict --arch k40 --kernel smem --model analytic --format json | tee one.json | "
        "cat > two.json; {gpumodel} compare one.json - --brief < two.json");
    CHECK(result.exit_code == 0);
    CHECK(result.out.find("a and b take the same time") != std::string::npos);
}

}  // namespace compare_command_test
