// Shared memory in both models: what an access pattern costs by its width and conflicts.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <random>

#include "tests/model/agreement/both_models.h"
#include "tests/support/patterns.h"

using namespace gpumodel;
using namespace gpumodel::agreement;

namespace {

const std::vector<std::string> generations{"sm_35", "sm_52", "sm_61", "sm_70",
                                           "sm_75", "sm_80", "sm_86", "sm_90"};

// Lane l at l * stride bytes: stride 4 * words is conflict-free, twice that a two-way conflict.
Pattern strided(int words, int degree, AccessKind kind = AccessKind::load) {
    return {fmt::format("{} x 4 B, {}-way", words, degree), MemorySpace::shared, kind, words,
            [step = std::int64_t{4} * words * degree](int lane) { return lane * step; }};
}

// A random access of whole words.
Pattern random_pattern(std::mt19937& random) {
    auto access = test::random_access(random);
    while (access.bytes_per_lane < 4 || access.active == 0) {
        access = test::random_access(random);
    }
    return {test::describe(access), MemorySpace::shared, AccessKind::load, access.bytes_per_lane / 4,
            [access](int lane) {
                return access.is_active(lane) ? access.address[static_cast<std::size_t>(lane)] : -1;
            }};
}

// What a conflict adds to a load's latency, in both models; the simulator's cycles are whole.
void check_conflicts(void (*check)(double analytic, double simulated)) {
    for (const auto& name : generations) {
        const auto arch = micro::arch(name);
        for (const int words : {1, 2, 4}) {
            const auto free = waiting_trip_cycles(strided(words, 1), arch);
            for (const int degree : {2, 4, 8}) {
                const auto conflict = waiting_trip_cycles(strided(words, degree), arch);
                INFO(name << " " << words << " words, " << degree << "-way");
                check(conflict.analytic - free.analytic, conflict.simulated - free.simulated);
            }
        }
    }
}

}  // namespace

TEST_CASE("both models charge a shared access the same by width and conflicts", "[agreement]") {
    for (const auto& name : generations) {
        const auto arch = micro::arch(name);
        for (const auto kind : {AccessKind::load, AccessKind::store}) {
            for (const int words : {1, 2, 4}) {
                for (const int degree : {1, 2, 4, 8}) {
                    const auto pattern = strided(words, degree, kind);
                    const auto cost = data_stage_cycles(pattern, arch);
                    INFO(name << " " << pattern.name << (kind == AccessKind::load ? " load" : " store"));
                    CHECK(cost.analytic == Approx(cost.simulated).epsilon(1e-9));
                    CHECK(cost.simulated >=
                          words * degree * 128 / arch.sm.shared_memory.bandwidth_bytes_per_cycle / 2);
                }
            }
        }
    }
}

TEST_CASE("both models charge any shared access the same", "[agreement][property]") {
    std::mt19937 random(12);
    for (const auto* name : {"sm_35", "sm_70", "sm_86", "sm_90"}) {
        const auto arch = micro::arch(name);
        for (int i = 0; i < 40; ++i) {
            const auto pattern = random_pattern(random);
            const auto cost = data_stage_cycles(pattern, arch);
            INFO(name << " " << pattern.name);
            CHECK(cost.analytic == Approx(cost.simulated).epsilon(1e-9));
        }
    }
}

TEST_CASE("a conflict lengthens a shared load in the analytic model at least as in the simulator",
          "[agreement]") {
    check_conflicts([](double analytic, double simulated) { CHECK(analytic > simulated - 1.01); });
}

// A known gap, held from both sides: the passes of a warp's own accesses are in the load's latency, and the
// analytic model counts them again as the chain's own wavefronts and in the overlap of both (model/analytic/
// latency.h): 26 cycles for an 8-way conflict on sm_70, where the simulator has 17. Where no pattern shows it
// any more, this becomes a test of equality.
TEST_CASE("what the analytic model adds too much for a conflict is at most twice its passes",
          "[agreement][gap]") {
    int apart = 0;
    for (const auto& name : generations) {
        const auto arch = micro::arch(name);
        for (const int words : {1, 2, 4}) {
            const auto free = waiting_trip_cycles(strided(words, 1), arch);
            for (const int degree : {2, 4, 8}) {
                const auto conflict = waiting_trip_cycles(strided(words, degree), arch);
                const double passes = data_stage_cycles(strided(words, degree), arch).simulated;
                const double analytic = conflict.analytic - free.analytic;
                const double simulated = conflict.simulated - free.simulated;
                INFO(name << " " << words << " words, " << degree << "-way: " << passes
                          << " cycles of passes");
                CHECK(analytic <= simulated + 2 * passes + 1.01);
                apart += analytic > simulated + 1.01 ? 1 : 0;
            }
        }
    }
    CHECK(apart > 0);
}
