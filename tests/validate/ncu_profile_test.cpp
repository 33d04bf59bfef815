// Profiles as Nsight Compute prints them: both layouts, its units, its ways to write a kernel's name.
#include "validate/counters/ncu_profile.h"

#include <catch2/catch.hpp>
#include <sstream>

#include "base/diagnostics.h"

namespace gpumodel {
namespace {

std::vector<ProfiledLaunch> parse(const std::string& text) {
    std::istringstream in(text);
    return parse_ncu_profile(in, "profile.csv");
}

// --page raw, units scaled, thousands separators, the profiler's messages around it
constexpr const char* wide =
    "==PROF== Connected to process 4242 (/home/user/a.out)\n"
    "hello from the program\n"
    "==PROF== Disconnected from process 4242\n"
    "\"ID\",\"Process ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"dram__bytes_read.sum\","
    "\"gpu__time_duration.sum\",\"smsp__inst_executed.sum\",\"sm__warps_active.avg.pct_of_peak_sustained_"
    "active\"\n"
    "\"\",\"\",\"\",\"\",\"\",\"Mbyte\",\"us\",\"inst\",\"%\"\n"
    "\"0\",\"4242\",\"void copy<(int)4>(float *, const float *)\",\"(256, 1, 1)\",\"(1024, 2, "
    "1)\",\"8.5\",\"12.25\","
    "\"1,234,567\",\"91.50\"\n"
    "\"1\",\"4242\",\"other(int)\",\"(32, 1, 1)\",\"(1, 1, 1)\",\"0\",\"2.0\",\"n/a\",\"5\"\n";

// one row per launch and metric
constexpr const char* tall =
    "\"ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"Section Name\",\"Metric Name\",\"Metric "
    "Unit\",\"Metric Value\"\n"
    "\"0\",\"copy\",\"(256, 1, 1)\",\"(1024, 2, 1)\",\"Command line profiler "
    "metrics\",\"dram__bytes_read.sum\",\"byte\",\"8500000\"\n"
    "\"0\",\"copy\",\"(256, 1, 1)\",\"(1024, 2, 1)\",\"Command line profiler "
    "metrics\",\"gpu__time_duration.sum\",\"usecond\",\"12.25\"\n"
    "\"0\",\"copy\",\"(256, 1, 1)\",\"(1024, 2, 1)\",\"GPU Speed Of Light "
    "Throughput\",\"Duration\",\"usecond\",\"12.25\"\n"
    "\"1\",\"copy\",\"(256, 1, 1)\",\"(8, 1, 1)\",\"Command line profiler "
    "metrics\",\"dram__bytes_read.sum\",\"Kbyte\",\"2\"\n";

SassModule module_of(const std::vector<std::string>& names) {
    SassModule module;
    for (const auto& name : names) {
        SassFunction function;
        function.name = name;
        module.functions.push_back(function);
    }
    return module;
}

}  // namespace

TEST_CASE("one row per launch: units below the header, messages around it", "[unit][ncu]") {
    const auto launches = parse(wide);
    REQUIRE(launches.size() == 2);
    const auto& l = launches[0];
    CHECK(l.id == "0");
    CHECK(l.grid == Dim3{1024, 2, 1});
    CHECK(l.block == Dim3{256, 1, 1});
    CHECK(l.counters.at("dram__bytes_read.sum") == Approx(8.5e6));
    CHECK(l.counters.at("gpu__time_duration.sum") == Approx(12250));
    CHECK(l.counters.at("smsp__inst_executed.sum") == Approx(1234567));
    CHECK(l.counters.at("sm__warps_active.avg.pct_of_peak_sustained_active") == Approx(91.5));
    CHECK_FALSE(launches[1].counters.contains("smsp__inst_executed.sum"));
}

TEST_CASE("one row per launch and metric", "[unit][ncu]") {
    const auto launches = parse(tall);
    REQUIRE(launches.size() == 2);
    CHECK(launches[0].counters.size() == 2);
    CHECK(launches[0].counters.at("dram__bytes_read.sum") == Approx(8.5e6));
    CHECK(launches[0].counters.at("gpu__time_duration.sum") == Approx(12250));
    CHECK(launches[1].counters.at("dram__bytes_read.sum") == Approx(2000));
    CHECK(launches[1].grid == Dim3{8, 1, 1});
}

TEST_CASE("what is no profile is refused with its place", "[unit][ncu]") {
    CHECK_THROWS_AS(parse(""), InputError);
    CHECK_THROWS_AS(parse("family,params\nnaive,\n"), InputError);
    CHECK_THROWS_AS(parse("\"ID\",\"Kernel Name\",\"smsp__inst_executed.sum\"\n"), InputError);
    try {
        parse(
            "==PROF== x\n\"ID\",\"Kernel Name\",\"Grid Size\",\"dram__bytes_read.sum\"\n"
            "\"\",\"\",\"\",\"Qbyte\"\n\"0\",\"k\",\"(0, 1, 1)\",\"1\"\n");
        FAIL("no exception");
    } catch (const InputError& error) {
        REQUIRE(error.diagnostics().size() == 2);
        CHECK(error.diagnostics()[0].line == 4);
        CHECK(error.diagnostics()[0].key == "Grid Size");
        CHECK(error.diagnostics()[1].key == "dram__bytes_read.sum");
    }
}

TEST_CASE("a kernel is found however the profiler writes its name", "[unit][ncu]") {
    const auto module = module_of({"_ZN8gpumodel7kernels5naiveILi0EEEviiifPKfS3_fPf", "_Z4copyILi4EEvPfPKf",
                                   "_Z4copyILi8EEvPfPKf", "_Z5otheri"});
    const auto index = [&module](const std::string& kernel) {
        const auto* found = find_profiled(module, kernel);
        return found == nullptr ? -1 : static_cast<int>(found - module.functions.data());
    };
    CHECK(index("_Z4copyILi8EEvPfPKf") == 2);
    CHECK(index("void copy<(int)4>(float *, const float *)") == 1);
    CHECK(index("void copy<8>(float*, float const*)") == 2);
    CHECK(index("void gpumodel::kernels::naive<(int)0>(int, int, int, float, const float *, const float *, "
                "float, float *)") == 0);
    CHECK(index("naive") == 0);
    CHECK(index("other") == 3);
    CHECK(index("copy") == -1);  // two of this name
    CHECK(index("nothing") == -1);
}

TEST_CASE("counters that both sides have, conflicts relative to their wavefronts", "[unit][ncu]") {
    ProfiledLaunch launch;
    launch.counters = {{"smsp__inst_executed.sum", 200},
                       {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", 0},
                       {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 50}};
    Prediction prediction;
    prediction.counters = {{"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", 5},
                           {"smsp__inst_executed.sum", 210},
                           {"dram__bytes_read.sum", 1}};
    const auto rows = compare_profile(launch, prediction);
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].error == Approx(0.1));
    CHECK(rows[1].error == Approx(0.05));
}

}  // namespace gpumodel
