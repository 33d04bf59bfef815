// Global memory and barriers in both models: the L1's request stage, the way to L2, releases.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "model/analytic/predict.h"
#include "tests/model/agreement/both_models.h"

using namespace gpumodel;
using namespace gpumodel::agreement;

namespace {

constexpr auto global = MemorySpace::global;

// Lane l at l * stride bytes; every trip and warp the same, so that all but the first are hits where L1 holds
// global data.
Pattern hits(int words, std::int64_t stride) {
    return {fmt::format("{} x 4 B, {} bytes apart", words, stride), global, AccessKind::load, words,
            [stride](int lane) { return lane * stride; }};
}

// Every SM reads or writes `words` per lane of data of its own, one trip behind the other.
KernelProgram streaming(AccessKind kind, int words, std::int64_t trips, const ArchSpec& arch) {
    constexpr int accesses = 8, warps = 32;
    const std::int64_t each = std::int64_t{32} * warps * 4 * words;
    std::vector<Instruction> code;
    std::vector<AccessSite> sites;
    for (int i = 0; i < accesses; ++i) {
        const int registers = 16 + words * i;
        code.push_back(kind == AccessKind::load ? micro::load(global, registers, 0, words, i)
                                                : micro::store(global, registers, 0, words, i));
        sites.push_back(micro::site(global, kind, words, [=](const Coord& at) {
            return ((at.block_x * 64 + at.loop[0]) * accesses + i) * each +
                   std::int64_t{at.thread} * 4 * words;
        }));
    }
    code.push_back(micro::branch());
    auto program = micro::with_grid(micro::looped(code, trips, warps, sites), arch.sm_count);
    for (auto& array : program.arrays) {
        array.bytes = 64 * accesses * each * arch.sm_count;
    }
    return program;
}

KernelProgram barriers(std::int64_t count, int warps) {
    auto program = micro::straight({micro::barrier()}, warps);
    program.body.assign(static_cast<std::size_t>(count), Node(program.body.front()));
    return program;
}

}  // namespace

TEST_CASE("both models charge a load that hits L1 the same by width and lines", "[agreement]") {
    for (const auto* name : {"sm_60", "sm_70", "sm_75", "sm_80", "sm_86", "sm_90"}) {
        const auto arch = micro::arch(name);
        for (const int words : {1, 2, 4}) {
            for (const std::int64_t stride : {4, 8, 16, 32, 128}) {
                if (stride < 4 * words) {
                    continue;
                }
                const auto pattern = hits(words, stride);
                const auto cost = data_stage_cycles(pattern, arch);
                INFO(name << " " << pattern.name);
                CHECK(cost.analytic == Approx(cost.simulated).epsilon(1e-9));
            }
        }
    }
}

TEST_CASE("both models see an L1 hit return alike", "[agreement]") {
    for (const auto* name : {"sm_60", "sm_70", "sm_86", "sm_90"}) {
        const auto arch = micro::arch(name);
        const auto trip = waiting_trip_cycles(hits(1, 4), arch);
        const auto shared = waiting_trip_cycles({"shared", MemorySpace::shared, AccessKind::load, 1,
                                                 [](int lane) { return std::int64_t{4} * lane; }},
                                                arch);
        // less the loop around the load, which a shared load of known latency has as well; the simulator adds
        // what the request stage takes beyond a cycle, and its cycles are whole
        INFO(name);
        CHECK(trip.analytic - shared.analytic == Approx(trip.simulated - shared.simulated).margin(2.01));
    }
}

TEST_CASE("data of its own from L2 and to L2: both models give an SM the same bandwidth", "[agreement]") {
    for (const auto* name : {"k40", "v100_sxm2", "rtx_a6000", "h200_sxm"}) {
        auto arch = micro::arch(name);
        arch.l2.size_bytes = std::int64_t{1} << 32;  // all of it stays
        for (const auto kind : {AccessKind::load, AccessKind::store}) {
            const auto cycles =
                cycles_per_trip([&](std::int64_t trips) { return streaming(kind, 1, trips, arch); }, arch);
            INFO(name << (kind == AccessKind::load ? " load" : " store"));
            CHECK(cycles.analytic == Approx(cycles.simulated).epsilon(0.05));
        }
    }
}

TEST_CASE("both models release a barrier after the same cycles", "[agreement]") {
    for (const auto* name : {"sm_35", "sm_70", "sm_86", "sm_90"}) {
        const auto arch = micro::arch(name);
        for (const int warps : {1, 4, 16, 32}) {
            const auto analytic = predict_analytic(barriers(1, warps), arch).terms.block_barrier_cycles;
            // from the last arrival to the release, and the arrivals of the others before it
            const double simulated =
                (micro::cycles(barriers(24, warps), arch) - micro::cycles(barriers(8, warps), arch)) / 16;
            INFO(name << ", " << warps << " warps");
            CHECK(analytic == Approx(simulated).margin(4));  // the simulator's also issues the barrier itself
        }
    }
}
