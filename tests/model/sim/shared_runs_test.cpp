// What launches share, and that sharing changes nothing.
#include "model/sim/shared_runs.h"

#include <catch2/catch.hpp>

#include "tests/support/family_programs.h"
#include "tests/support/micro.h"

using namespace gpumodel;

namespace {

constexpr ProblemShape shape{1024, 1024, 4096};

KernelProgram tile(const ArchSpec& arch, std::int64_t unroll, std::int64_t wniter = 1) {
    return test::family_program("warptile", arch, shape,
                                {{"BM", 64},
                                 {"BN", 64},
                                 {"BK", 8},
                                 {"WM", 32},
                                 {"WN", 32},
                                 {"WNITER", wniter},
                                 {"TM", 4},
                                 {"TN", 4},
                                 {"THREADS", 128},
                                 {"UNROLL", unroll}});
}

bool same(const SimResult& a, const SimResult& b) {
    if (a.instructions.size() != b.instructions.size()) {
        return false;
    }
    for (std::size_t i = 0; i < a.instructions.size(); ++i) {
        if (a.instructions[i].cycles != b.instructions[i].cycles ||
            a.instructions[i].issues != b.instructions[i].issues ||
            a.instructions[i].segment->name != b.instructions[i].segment->name) {
            return false;
        }
    }
    return a.cycles == b.cycles && a.counters.stall_cycles == b.counters.stall_cycles &&
           a.counters.l2_read_bytes == b.counters.l2_read_bytes &&
           a.traffic.dram_read_bytes == b.traffic.dram_read_bytes &&
           a.traffic.dram_wait_fraction == b.traffic.dram_wait_fraction &&
           a.traffic.far_read_bytes == b.traffic.far_read_bytes && a.time_seconds == b.time_seconds;
}

}  // namespace

TEST_CASE("shared runs: a run that shares is the run alone", "[sim][unit]") {
    const auto arch = micro::shipped_arch("h200_sxm");
    SharedRuns shared;
    SimOptions sharing;
    sharing.shared = &shared;
    // the third takes the first's replay, the fourth its whole run
    for (const auto unroll : {8, 1, 4, 8}) {
        const auto program = tile(arch, unroll);
        CHECK(same(run_launch(program, arch, sharing).result, run_launch(program, arch, {}).result));
    }
}

TEST_CASE("shared runs: equal code has one key, whatever its parameters are called", "[sim][unit]") {
    const auto arch = micro::shipped_arch("h200_sxm");
    auto renamed = tile(arch, 4);
    renamed.params = "other";
    SharedRuns shared;
    SimOptions sharing;
    sharing.shared = &shared;
    const auto first = run_launch(tile(arch, 4), arch, sharing).result;
    // a limit that no run of the launch keeps: only the shared one, which is over, can have a result
    const RunLimit none{first.time_seconds / 100};
    CHECK_FALSE(run_launch(renamed, arch, sharing, {}, none).stopped);
    for (const auto& other : {tile(arch, 1), tile(arch, 4, 2)}) {
        REQUIRE(run_launch(other, arch, {}, {}, none).stopped);
        CHECK(run_launch(other, arch, sharing, {}, none).stopped);
    }
    CHECK(run_launch(renamed, arch, {}, {}, none).stopped);
}

TEST_CASE("shared runs: what was stopped is no answer to a longer limit", "[sim][unit]") {
    const auto arch = micro::shipped_arch("h200_sxm");
    const auto program = tile(arch, 4);
    SharedRuns shared;
    SimOptions sharing;
    sharing.shared = &shared;
    const auto alone = run_launch(program, arch, {}).result;
    CHECK(run_launch(program, arch, sharing, {}, {alone.time_seconds / 2}).stopped);
    const auto longer = run_launch(program, arch, sharing, {}, {alone.time_seconds * 2});
    REQUIRE_FALSE(longer.stopped);
    CHECK(same(longer.result, alone));
}

TEST_CASE("a glance stops early and comes near the time", "[sim][unit]") {
    const auto arch = micro::shipped_arch("h200_sxm");
    const auto program = test::family_program("warptile", arch, {2048, 2048, 2048});
    const auto run = run_launch(program, arch, {}).result;
    RunLimit limit;
    limit.glance = true;
    const auto glance = run_launch(program, arch, {}, {}, limit);
    REQUIRE(glance.stopped);
    CHECK(glance.least_seconds <= run.time_seconds);
    CHECK(glance.expected_seconds == Approx(run.time_seconds).epsilon(0.1));
}
