// What the explore command takes and refuses, and what it makes of the families' own rules and values.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/support/run_command.h"
#include "tools/explore/demanded_value.h"
#include "tools/explore/explore_options.h"

TEST_CASE("explore refuses bad input, all faults at once", "[cli][explore][bad]") {
    struct Bad {
        std::string arguments;
        std::string error;
    };
    const std::vector<Bad> cases{
        {"--arch h2000", "h2000: unknown architecture"},
        {"--arch k40,k40", "--arch: k40: given twice"},
        {"--arch k40,sm_35", "--arch: sm_35: given twice"},  // its default product
        {"--arch k40,", "--arch: a name is empty"},
        {"--kernel wraptile", "--kernel: wraptile: unknown kernel family"},
        {"--kernel smem,smem", "--kernel: smem: given twice"},
        {"-p BX=64", "-p: BX: warptile has no such parameter; nearest: B"},
        {"-p BM=64,64", "-p: BM: 64 stands twice"},
        {"-p BM=64:32", "-p: BM: '64:32': no value lies in this range"},
        {"-p BM=64,big", "-p: BM: 'big' is not a whole number"},
        {"-p BM=0", "-p: BM: "},
        {"-p BM", "-p: BM"},
        {"-p BM=64 -p BM=128", "-p: BM: given twice"},
        {"-m 0", "-m: 0 is out of range; allowed 1 to"},
        {"-m 4096x4096", "-m: '4096x4096' is not a whole number"},
        {"-n 64:4096:0", "-n: '64:4096:0': the step must be at least 1"},
        {"-k 64,,128", "-k: '' lacks a value"},
        {"-k 2000000", "-k: 2000000 is out of range"},
        {"--clock 5%", "--clock: 5 is out of range; allowed 10 to 200"},
        {"--clock fast", "--clock: 'fast'"},
        {"--clock 1200", "--clock: '1200' has no unit"},  // of what?
        {"--clock 100%,100%", "--clock: '100%' stands twice"},
        {"--arch k40 --clock '100%,745 MHz'", "--clock: '745 MHz' is the clock of another item on k40"},
        {"--clock '80%,'", "--clock: a value is empty"},
        {"--clock '900 THz'", "--clock: '900 THz' has unit 'THz'"},
        {"--arch k40 --clock '20 GHz'", "--clock: '20 GHz' is out of range; allowed: 1 MHz to 10 GHz"},
        {"--set clock.sm=900MHz", "--set: clock.sm: is varied: give --clock instead"},
        {"--set nonsense=1", "nonsense"},
        {"--threads -1", "--threads: -1 is out of range"},
        {"-m 64:65536:64 -n 64:65536:64", "a page holds at most 1,000,000 points"},
        {"-m 1:1000000 -n 1:1000000 -k 1:1000000", "a page holds at most 1,000,000 points"},
        {"--out /nonexistent/x.html --arch k40 -m 64 -n 64 -k 64 -p BM=64 --clock 100%",
         "/nonexistent/x.html: --out: cannot write this file"},
        {"--out page.png", "page.png: --out: .png is not written by gpumodel"},
        {"--arch k40 extra", "unknown argument 'extra'"},
    };
    for (const auto& bad : cases) {
        INFO(bad.arguments);
        const auto result = run_gpumodel("explore " + bad.arguments);
        CHECK(result.exit_code == 2);
        CHECK(result.out.empty());
        INFO(result.err);
        CHECK(result.err.find(bad.error) != std::string::npos);
    }
    const auto all = run_gpumodel("explore --arch nowhere --kernel wraptile -m 0 --clock fast --threads x");
    CHECK(all.exit_code == 2);
    for (const char* option : {"nowhere", "--kernel: wraptile", "-m: 0", "--clock: 'fast'", "--threads: "}) {
        INFO(option << " in " << all.err);
        CHECK(all.err.find(option) != std::string::npos);
    }
}

TEST_CASE("a rule that demands one value of a parameter says which", "[unit][explore]") {
    using gpumodel::cli::demanded_value;
    const auto demanded = demanded_value("THREADS = 128 must equal 32*(BN/WN)*(BM/WM) = 256");
    REQUIRE(demanded);
    CHECK(demanded->first == "THREADS");
    CHECK(demanded->second == 256);
    for (const char* other :
         {"", "BM = 96 must be a multiple of WM = 64", "THREADS must equal 3", "A = 1 must equal B",
          "A = 1 must equal B = x", "A = 1 must equal B = 99999999999999999999"}) {
        INFO(other);
        CHECK_FALSE(demanded_value(other));
    }
}

TEST_CASE("axes keep the values nearest to the default", "[unit][explore]") {
    const auto& family = *gpumodel::find_family("warptile");
    const auto axes = gpumodel::cli::nearest_axes(
        family, {{"BM", {16, 32, 64, 128, 256, 512}}, {"BK", {8, 16, 32}}}, 9);  // defaults 128 and 16
    CHECK(axes[0].values == std::vector<std::int64_t>{64, 128, 256});
    CHECK(axes[1].values == std::vector<std::int64_t>{8, 16, 32});
}
