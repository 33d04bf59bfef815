// The sentences say what the numbers say.
#include "model/compare/sentences.h"

#include <catch2/catch.hpp>

using namespace gpumodel;

namespace {

// 100 us from first to last block, by percentages.
LaunchRecord launch(double time_us, std::vector<Quantity> stalls) {
    LaunchRecord r;
    r.model = "simulate";
    r.time_us = time_us;
    r.launch_us = 0;
    r.cycles = time_us;
    r.stall_warp_cycles = std::move(stalls);
    r.bottleneck = "FMA pipe";
    return r;
}

std::vector<std::string> sentences(const LaunchRecord& a, const LaunchRecord& b,
                                   const LaunchComparison* analytic = nullptr) {
    return comparison_sentences(a, b, compare_launches(a, b), analytic);
}

}  // namespace

TEST_CASE("the parts that make the difference are named with their share", "[unit]") {
    auto a = launch(400, {{"selected", 100}, {"short_scoreboard", 200}, {"long_scoreboard", 100}});
    auto b = launch(250, {{"selected", 100}, {"short_scoreboard", 80}, {"long_scoreboard", 70}});
    const std::string loads = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum";
    const std::string stores = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum";
    a.counters = {{loads, 900}, {stores, 100}, {"lts__t_sectors_srcunit_tex_op_read.sum", 10}};
    b.counters = {{loads, 400}, {stores, 200}, {"lts__t_sectors_srcunit_tex_op_read.sum", 20}};
    const auto said = sentences(a, b);
    REQUIRE(said.size() == 2);
    CHECK(said[0] == "b takes 37.5 % less time than a: 250 us against 400 us, 1.6 times as fast.");
    // 120 and 30 of 150 us; wavefronts 1000 -> 600. L2 reads went up: no evidence for less waiting.
    CHECK(
        said[1] ==
        "Of the difference, 80 % is short_scoreboard (shared memory, shuffle or special function: 200 us -> "
        "80 us; shared-memory wavefronts -40 %), 20 % is long_scoreboard (global or local load: 100 us -> "
        "70 us).");
}

TEST_CASE("what goes the other way is said", "[unit]") {
    const auto said = sentences(launch(100, {{"selected", 50}, {"barrier", 50}}),
                                launch(140, {{"selected", 110}, {"barrier", 30}}));
    CHECK(said[0] == "b takes 40.0 % more time than a: 140 us against 100 us.");
    CHECK(said[1].find("150 % is selected") != std::string::npos);
    CHECK(said[1].find("50 % goes the other way: barrier") != std::string::npos);
}

TEST_CASE("shares of what cancels are not given", "[unit]") {
    const auto said = sentences(launch(100, {{"selected", 20}, {"barrier", 80}}),
                                launch(101, {{"selected", 81}, {"barrier", 20}}));
    CHECK(said[1].rfind("Larger shifts than that cancel each other: selected", 0) == 0);
    CHECK(said[1].find('%') == std::string::npos);
}

TEST_CASE("equal times need no reasons", "[unit]") {
    const auto a = launch(100, {{"selected", 20}, {"barrier", 80}});
    const auto said = sentences(a, a);
    REQUIRE(said.size() == 1);
    CHECK(said[0] == "a and b take the same time: 100 us against 100 us.");
}

TEST_CASE("doubts: the error band, and a model that sees it otherwise", "[unit]") {
    auto a = launch(100, {{"selected", 1}});
    auto b = launch(110, {{"selected", 1}});
    b.bottleneck = "DRAM";
    a.error_band_pct = 8;
    b.error_band_pct = 12;
    const auto faster = compare_launches(launch(100, {}), launch(95, {}));
    auto said = sentences(a, b, &faster);
    REQUIRE(said.size() == 5);
    CHECK(said[2] == "The bottleneck goes from FMA pipe to DRAM.");
    CHECK(said[3] == "The difference is smaller than the error band of +-12 %.");
    CHECK(said[4] == "The analytic model sees it the other way round (-5.0 %).");
    const auto alike = compare_launches(launch(100, {}), launch(112, {}));
    b.error_band_pct.reset();  // never measured: nothing to say about bands
    said = sentences(a, b, &alike);
    CHECK(said.size() == 3);
}
