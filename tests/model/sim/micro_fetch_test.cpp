// Instruction fetch of loops that do not fit the nearest cache (H200 microbenchmarks).
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "tests/support/micro.h"

using namespace gpumodel;
using namespace gpumodel::micro;

namespace {

// Cycles per instruction of each sub-partition: independent FFMAs that one warp could issue every cycle.
double cycles_per_loop_instruction(const ArchSpec& spec, int body, int warps_per_scheduler) {
    std::vector<Instruction> code;
    for (int i = 0; i < body - 1; ++i) {
        const int accumulator = 33 + 2 * (i % 8);
        code.push_back(with_stall(ffma(accumulator, 0, 0, accumulator), 1));
    }
    code.push_back(with_stall(branch(), 1));
    const auto trips = [&](std::int64_t n) { return cycles(looped(code, n, 4 * warps_per_scheduler), spec); };
    return (trips(12) - trips(4)) / (8.0 * body * warps_per_scheduler);
}

}  // namespace

TEST_CASE("H200: loops beyond the nearest instruction cache slow down as measured", "[sim][micro]") {
    // one warp per sub-partition; the taken branch of these loops is 29 cycles, whether they fit or not
    // (issue_loops: len32 to len288), while compiled ones take 10 to 13 (sm_90.yaml): the fetch is what is
    // judged
    const auto spec = shipped_arch("sm_90", {"sm.branch_latency=30 cycles"});
    CHECK(cycles_per_loop_instruction(spec, 256, 1) == Approx(1 + 29 / 256.0).epsilon(0.02));
    CHECK(cycles_per_loop_instruction(spec, 512, 1) == Approx(1 + 29 / 512.0).epsilon(0.02));
    CHECK(cycles_per_loop_instruction(spec, 1024, 1) == Approx(1 + 29 / 1024.0).epsilon(0.02));
    // the cache of the SM holds 32 KiB, four lines in each of its places
    CHECK(cycles_per_loop_instruction(spec, 1920, 1) == Approx(1.01).epsilon(0.02));
    CHECK(cycles_per_loop_instruction(spec, 2176, 1) == Approx(1.53).epsilon(0.05));
    CHECK(cycles_per_loop_instruction(spec, 2304, 1) == Approx(1.87).epsilon(0.05));
    for (const int body : {2560, 4096, 8192}) {
        CHECK(cycles_per_loop_instruction(spec, body, 1) == Approx(2.43).epsilon(0.02));
    }
    CHECK(cycles_per_loop_instruction(spec, 16384, 1) == Approx(5.85).epsilon(0.02));
    // warps of a sub-partition share the fetch
    CHECK(cycles_per_loop_instruction(spec, 256, 2) == Approx(1).epsilon(0.03));
    CHECK(cycles_per_loop_instruction(spec, 1024, 2) == Approx(1).epsilon(0.03));
    CHECK(cycles_per_loop_instruction(spec, 2048, 2) == Approx(1.02).epsilon(0.04));
    CHECK(cycles_per_loop_instruction(spec, 4096, 2) == Approx(1.08).epsilon(0.15));
    CHECK(cycles_per_loop_instruction(spec, 16384, 2) == Approx(3.02).epsilon(0.04));
    CHECK(cycles_per_loop_instruction(spec, 16384, 4) == Approx(1.52).epsilon(0.05));
}

TEST_CASE("the first instruction after a restart is ready at its cost, not a cycle before", "[sim][micro]") {
    // straight code longer than the nearest cache: every line after the first follows on the stream
    std::vector<Instruction> code(300, with_stall(ffma(33, 0, 0, 35), 1));
    for (const int restart : {12, 13, 40}) {
        const auto spec =
            shipped_arch("sm_90", {"sm.instruction_cache.restart=" + std::to_string(restart) + " cycles"});
        CHECK(issued_at(straight(code), spec, 0) == restart);
        CHECK(issued_at(straight(code), spec, 8) == restart + 8);
    }
    // two cycles per instruction: the second line comes 16 cycles after the first
    const auto slow = shipped_arch(
        "sm_90", {"sm.instruction_cache.l1_fetch=2 cycles", "sm.instruction_cache.restart=12 cycles"});
    CHECK(issued_at(straight(code), slow, 7) == 12 + 7);
    CHECK(issued_at(straight(code), slow, 8) == 12 + 16);
    const auto result = run(straight(code), slow);
    // 38 lines of 8, each 8 cycles late, and the start
    CHECK(result.counters.stall_cycles[static_cast<std::size_t>(StallReason::no_instruction)] == 12 + 37 * 8);
}

TEST_CASE("where the costs are unknown, or all code fits, nothing is charged", "[sim][micro]") {
    const std::vector<Instruction> fits(256, with_stall(ffma(33, 0, 0, 35), 1));
    CHECK(issued_at(straight(fits), shipped_arch("sm_90"), 0) == 0);
    const std::vector<Instruction> large(4096, with_stall(ffma(33, 0, 0, 35), 2));
    for (const auto* name : {"sm_35", "sm_70"}) {
        const auto result = run(straight(large), shipped_arch(name));
        CHECK(result.counters.stall_cycles[static_cast<std::size_t>(StallReason::no_instruction)] == 0);
        CHECK(std::any_of(result.gaps.begin(), result.gaps.end(), [](const std::string& gap) {
            return gap.find("instruction fetch") != std::string::npos;
        }));
    }
}
