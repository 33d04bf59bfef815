// Malformed job files and option combinations, each with its exact message and exit code.
// (Malformed specs: tests/arch_specs/bad; resource logs: tests/traces.)
#include <catch2/catch.hpp>

#include "tests/support/csv_lines.h"
#include "tests/support/run_command.h"

namespace {

struct BadInput {
    std::string arguments;
    int exit_code;
    std::string error;
};

const std::string usage_hint_predict = "Run 'gpumodel predict --help' for usage.\n";

}  // namespace

TEST_CASE("malformed job files", "[cli][bad]") {
    const std::vector<BadInput> cases{
        {"predict --arch k40 --jobs jobs/empty.csv", 2, "jobs/empty.csv: --jobs: file is empty\n"},
        {"predict --arch k40 --jobs jobs/absent.csv", 2, "jobs/absent.csv: --jobs: cannot read this file\n"},
        {"predict --arch k40 --jobs jobs/blank.csv", 2, "jobs/blank.csv:1:1: no header line\n"},
        {"predict --arch k40 --jobs jobs/no_k.csv", 2,
         "jobs/no_k.csv:1:1: K: column is missing; expected kernel,params,M,N,K\n"},
        {"predict --arch k40 --jobs jobs/extra_column.csv", 2,
         "jobs/extra_column.csv:1:1: sise: unknown column\n"},
        {"predict --arch k40 --jobs jobs/misspelt_column.csv", 2,
         "jobs/misspelt_column.csv:1:1: kernel: column is missing; expected kernel,params,M,N,K\n"
         "jobs/misspelt_column.csv:1:1: kernl: unknown column; nearest: kernel\n"},
        {"predict --arch k40 --jobs jobs/twice.csv", 2, "jobs/twice.csv:1:21: M: column appears twice\n"},
        {"occupancy --arch k40 --jobs jobs/occupancy_faults.csv", 2,
         "jobs/occupancy_faults.csv:2:1: 2 fields, the header has 3\n"
         "jobs/occupancy_faults.csv:3:5: registers: 'many' is not a whole number\n"
         "jobs/occupancy_faults.csv:4:1: quoted field is not closed\n"},
    };
    for (const auto& bad : cases) {
        INFO(bad.arguments);
        const auto result = run_gpumodel(bad.arguments);
        CHECK(result.exit_code == bad.exit_code);
        CHECK(result.err == bad.error);
        CHECK(result.out.empty());
    }
}

TEST_CASE("malformed option combinations", "[cli][bad]") {
    const std::vector<BadInput> cases{
        {"predict --arch k40", 2,
         "--kernel: give one of --kernel NAME, --sass FILE, --cu FILE, --trace FILE, --jobs FILE and "
         "--recording DIR\n"},
        {"predict --arch k40 --kernel warptile --jobs jobs/mixed.csv", 2,
         "--kernel: give one of --kernel NAME, --sass FILE, --cu FILE, --trace FILE, --jobs FILE and "
         "--recording DIR\n"},
        {"predict --arch k40 --jobs jobs/mixed.csv -m 64", 2,
         "--jobs: sizes and -p come from the job file, not from options\n"},
        {"predict --arch k40 --kernel warptile -m 64 --jobs jobs/mixed.csv --registers 3 --resources-from x",
         2,
         "--kernel: give one of --kernel NAME, --sass FILE, --cu FILE, --trace FILE, --jobs FILE and "
         "--recording DIR\n"
         "--registers: excludes --resources-from\n"
         "--jobs: sizes and -p come from the job file, not from options\n"},
        {"predict --arch k40 --kernel warptil", 2,
         "--kernel: warptil: unknown kernel family; see 'gpumodel kernels list'; nearest: warptile\n"},
        {"predict --arch k40 --kernel warptile -p BM", 2, "-p: BM: expected KEY=VALUE\n"},
        {"predict --arch k40 --kernel warptile -p BM=12.5 -p BN=x", 2,
         "-p: BM: '12.5' is not a whole number\n-p: BN: 'x' is not a whole number\n"},
        {"predict --arch k40 --kernel warptile -p BM=64 -p BM=128", 2, "-p: BM: given twice\n"},
        {"predict --arch k40 --kernel vectorized -p BM=64 -p THREADS=256", 2,
         "-p: THREADS: is 256; only 128 is valid, which is BM*BN/(TM*TN)\n"},
        {"predict --arch k40 --kernel warptile -m 0 -k 9999999", 2,
         "-m: 0 is out of range; allowed 1 to 1048576\n-k: 9999999 is out of range; allowed 1 to 1048576\n"},
        {"predict --arch k40 --kernel warptile --model simulat", 2,
         "--model: 'simulat' is no model, allowed analytic, simulate, both; nearest: simulate\n"},
        {"predict --arch k40 --kernel warptile --model analytic --exact --max-cycles 0", 2,
         "--max-cycles: 0 is out of range; allowed 1 to 9223372036854775807\n"
         "--exact: is for the simulator, not for --model analytic\n"
         "--max-cycles: is for the simulator, not for --model analytic\n"},
        {"predict --arch k40 --kernel warptile --set sm_count=14 --set sm_count=13", 2,
         "--set: sm_count: given twice\n"},
        {"predict --arch k40 --kernel warptile --set sm_count", 2, "--set: sm_count: expected KEY=VALUE\n"},
        {"predict --arch k40 --kernel warptile --out /nonexistent/x", 2,
         "/nonexistent/x: --out: cannot write this file\n"},
        {"predict --arch k40 --kernel warptile --kernl x", 2,
         "gpumodel: unknown argument '--kernl'; nearest: --kernel\n" + usage_hint_predict},
        {"predict --kernel warptile", 2, "gpumodel: --arch is required\n" + usage_hint_predict},
        {"predct --arch k40", 2,
         "gpumodel: unknown subcommand 'predct'; nearest: predict\nRun 'gpumodel --help' for usage.\n"},
    };
    for (const auto& bad : cases) {
        INFO(bad.arguments);
        const auto result = run_gpumodel(bad.arguments);
        CHECK(result.exit_code == bad.exit_code);
        CHECK(result.err == bad.error);
        CHECK(result.out.empty());
    }
}

TEST_CASE("a bad row is a row, and the others still run", "[cli][bad]") {
    const auto result =
        run_gpumodel("predict --arch k40 --jobs jobs/mixed.csv --format csv --model analytic");
    CHECK(result.exit_code == 0);
    CHECK(result.err.empty());
    std::vector<std::string> lines;
    std::string line;
    for (std::istringstream in(result.out); std::getline(in, line);) {
        lines.push_back(line);
    }
    REQUIRE(lines.size() == 9);
    const auto starts = [&](std::size_t row, const std::string& text) {
        INFO(lines[row]);
        CHECK(lines[row].rfind(text, 0) == 0);
    };
    CHECK(lines[1].find(",analytic,ok,,") != std::string::npos);
    starts(2,
           "k40,warptil,,4096,4096,4096,analytic,error,warptil: unknown kernel family; see 'gpumodel kernels "
           "list'; nearest: warptile,,");
    CHECK(lines[3].find(",error,") != std::string::npos);
    CHECK(lines[3].find("BMM") != std::string::npos);
    CHECK(lines[4].find("error,BM: '12x' is not a whole number,") != std::string::npos);
    CHECK(lines[5].find(",infeasible,") != std::string::npos);
    CHECK(lines[6].find("error,\"M: 0 is out of range, allowed 1 to 1048576\",") != std::string::npos);
    CHECK(lines[7].find("error,M: 'ten' is not a whole number,") != std::string::npos);
    CHECK(lines[8].find(",4096,4096,4096,analytic,ok,,") != std::string::npos);
}

TEST_CASE("derived parameters in a job's row", "[cli][bad]") {
    const auto path = write_temporary("derived_jobs.csv",
                                      "kernel,params,M,N,K\n"
                                      "vectorized,BM=128;THREADS=256,1024,1024,1024\n"
                                      "vectorized,THREADS=128,1024,1024,1024\n"
                                      "vectorized,,1024,1024,1024\n");
    const auto result = run_gpumodel("predict --arch k40 --format csv --model analytic --jobs " + path);
    CHECK(result.exit_code == 0);
    const auto lines = lines_of(result.out);
    REQUIRE(lines.size() == 4);
    CHECK(lines[1] == lines[3]);
    CHECK(lines[2].find("error,\"THREADS: is 128; only 256 is valid, which is BM*BN/(TM*TN)\",") !=
          std::string::npos);
}

TEST_CASE("ragged rows are error rows in their place", "[cli][bad]") {
    const auto ragged =
        run_gpumodel("predict --arch k40 --jobs jobs/ragged.csv --format csv --model analytic");
    CHECK(ragged.exit_code == 0);
    CHECK(ragged.out.find("k40,naive,,1,1,,analytic,error,\"4 fields, the header has 5\",") !=
          std::string::npos);
    CHECK(ragged.out.find("k40,naive,UNROLL=auto,1,1,1,analytic,ok,,") != std::string::npos);
    CHECK(ragged.out.find("k40,naive,,1,1,1,analytic,error,\"6 fields, the header has 5\",") !=
          std::string::npos);
    const auto open =
        run_gpumodel("predict --arch k40 --jobs jobs/open_quote.csv --format csv --model analytic");
    CHECK(open.exit_code == 0);
    CHECK(open.out.find(",analytic,error,quoted field is not closed,") != std::string::npos);
}
