// What `report` and `metrics` refuse: each with its place, nothing on standard output, exit code 2.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/support/run_command.h"

namespace {

struct Bad {
    std::string arguments;
    std::string error;  // within standard error
};

void check_refused(const std::string& command, const std::vector<Bad>& cases) {
    for (const auto& bad : cases) {
        const auto result = run_gpumodel(command + " " + bad.arguments);
        INFO(command << ' ' << bad.arguments << ": " << result.err);
        CHECK(result.exit_code == 2);
        CHECK(result.out.empty());
        CHECK(result.err.find(bad.error) != std::string::npos);
        CHECK(result.err.find("internal error") == std::string::npos);
    }
}

}  // namespace

TEST_CASE("report refuses launches that there are not", "[cli][report][bad]") {
    check_refused(
        "report",
        {{"--arch k41 --kernel smem", "k41: unknown architecture; nearest: k40"},
         {"--arch k40 --kernel smme", "--kernel: smme: unknown kernel family"},
         {"--arch k40 --kernel smem -m 0", "-m: 0 is out of range; allowed 1 to 1048576"},
         {"--arch k40 --kernel smem -p BSS=8", "-p: BSS: smem has no such parameter; nearest: BS"},
         {"--arch k40 --kernel smem --out x.pdf", "x.pdf: --out: .pdf is not written by gpumodel"},
         {"--arch k40 --kernel smem --l2 hot", "--l2: 'hot' is none of warm, cold"},
         {"--arch k40 --kernel smem --max-cycles 0", "--max-cycles: 0 is out of range"},
         {"--arch k40 --kernel smem --format csv", "unknown argument '--format'"},
         {"--arch k40 --kernel smem --threads 2", "unknown argument '--threads'"},
         {"--arch k40 --kernel smem extra", "unknown argument 'extra'"},
         {"--arch k40 --kernel smem --sass sass/saxpy_loop.sass", "--kernel: give one of --kernel NAME, "},
         {"--arch k40 --sass absent.sass --grid 1,1,1 --block 32,1,1", "absent.sass: cannot read this file"},
         {"--arch k40 --sass sass/saxpy_loop.sass --grid 0 --block 32", "--grid: 0 is out of range"},
         {"--arch k40 --trace /dev/null", "/dev/null: the ending says no trace format"},
         {"--arch k40 --kernel smem --set nonsense=1", "--set: nonsense: unknown key"},
         {"--sweep /dev/null", "/dev/null: --sweep: file is empty"},
         {"--sweep jobs/blank.csv", "jobs/blank.csv:1:1: no header line"}});
}

TEST_CASE("metrics refuses names that there are not", "[cli][metrics][bad]") {
    check_refused("metrics", {{"", "a subcommand is required: "},
                              {"lst", "unknown argument 'lst'; nearest: list"},
                              {"show", "name is required"},
                              {"show ''", "name: the value is empty"},
                              {"show nothing_like_it", "name: nothing_like_it: no such metric"},
                              {"show '['", "name: [: no such metric"},
                              {"show waves waves2", "unknown argument 'waves2'"},
                              {"show waves --model both", "unknown argument '--model'"},
                              {"list extra", "unknown argument 'extra'"},
                              {"list --format svg", "--format: 'svg' is none of text, json, csv, markdown"},
                              {"list --out x.png", "x.png: --out: .png is not written by gpumodel"}});
}
