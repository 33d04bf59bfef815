// Shared memory, barriers: expected cycles from H200 microbenchmarks (sm_90) and the publications in the
// specs.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/micro.h"

using namespace gpumodel;
using namespace gpumodel::micro;

namespace {

constexpr auto shared = MemorySpace::shared;

AccessSite shared_site(AccessKind kind, int words, std::int64_t lane_stride_bytes) {
    return site(shared, kind, words,
                [lane_stride_bytes](const Coord& at) { return at.thread % 32 * lane_stride_bytes; });
}

// Issue of the load's first user less issue of the load, alone on the SM.
std::int64_t latency(const ArchSpec& spec, int words, std::int64_t lane_stride_bytes) {
    const auto program = straight({load(shared, 8, 0, words), ffma(20, 8, 8, 21)}, 1,
                                  {shared_site(AccessKind::load, words, lane_stride_bytes)});
    return issued_at(program, spec, 1) - issued_at(program, spec, 0);
}

// Cycles per access and SM in the steady state: `warps` warps send the same access over and over.
double cycles_per_access(const ArchSpec& spec, AccessKind kind, int words, std::int64_t lane_stride_bytes,
                         int warps) {
    std::vector<Instruction> body;
    for (int i = 0; i < 32; ++i) {  // results of their own, so that none waits for the one before
        body.push_back(kind == AccessKind::load ? load(shared, 16 + 4 * i, 0, words)
                                                : store(shared, 16 + 4 * i, 0, words));
    }
    return cycles_per_instruction(body, warps, spec, {shared_site(kind, words, lane_stride_bytes)}) / warps;
}

}  // namespace

TEST_CASE("H200: load-to-use latency of shared loads by width and wavefronts", "[sim][micro]") {
    const auto spec = arch("sm_90");
    CHECK(latency(spec, 1, 4) == 22);
    CHECK(latency(spec, 2, 0) == 22);   // pairs of lanes share: one wavefront
    CHECK(latency(spec, 4, 0) == 25);   // two wavefronts, the fewest
    CHECK(latency(spec, 1, 16) == 29);  // 4-way conflict
    CHECK(latency(spec, 2, 16) == 30);  // two half-warps, 2-way
    CHECK(latency(spec, 4, 16) == 32);  // four quarter-warps
}

TEST_CASE("Volta and Kepler: latency of one-wavefront shared loads", "[sim][micro]") {
    CHECK(latency(arch("sm_70"), 1, 4) == 22);
    CHECK(latency(arch("sm_35"), 1, 4) == 26);
}

TEST_CASE("each further wavefront of a conflict adds its latency", "[sim][micro]") {
    // sm_70: 2 cycles and a third of one per word; sm_35: 2 cycles
    for (const int ways : {2, 4, 8}) {
        CHECK(static_cast<double>(latency(arch("sm_70"), 1, 4 * ways)) ==
              Approx(22 + 7.0 / 3 * (ways - 1)).margin(0.99));
    }
    // Kepler, 4-byte words: lanes at a stride of 256 bytes fall into one bank, each in a row of its own
    CHECK(latency(arch("sm_35"), 1, 256) == 26 + 2 * 31);
}

TEST_CASE("H200: one warp sends a wavefront every other cycle, four saturate the pipe", "[sim][micro]") {
    const auto spec = arch("sm_90");
    CHECK(cycles_per_access(spec, AccessKind::load, 1, 0, 1) == Approx(2).epsilon(0.03));  // 2.05 measured
    CHECK(cycles_per_access(spec, AccessKind::load, 1, 0, 2) == Approx(1).epsilon(0.03));
    CHECK(cycles_per_access(spec, AccessKind::load, 1, 0, 4) == Approx(1).epsilon(0.03));  // 1.02 measured
    CHECK(cycles_per_access(spec, AccessKind::store, 1, 4, 1) == Approx(2).epsilon(0.03));
    CHECK(cycles_per_access(spec, AccessKind::store, 1, 4, 4) == Approx(1).epsilon(0.03));
    CHECK(cycles_per_access(spec, AccessKind::store, 4, 16, 4) == Approx(4).epsilon(0.03));
    CHECK(cycles_per_access(spec, AccessKind::load, 4, 0, 4) == Approx(2).epsilon(0.03));
}

TEST_CASE("n-way conflicts cost n wavefronts by width", "[sim][micro]") {
    struct Row {
        int words;
        std::int64_t stride;
        double wavefronts;
    };
    for (const auto* name : {"sm_70", "sm_90"}) {
        const auto spec = arch(name);
        for (const auto& row : {Row{1, 4, 1}, Row{1, 8, 2}, Row{1, 16, 4}, Row{1, 128, 32}, Row{2, 8, 2},
                                Row{2, 16, 4}, Row{4, 16, 4}, Row{4, 32, 8}}) {
            INFO(name << " words " << row.words << " stride " << row.stride);
            CHECK(cycles_per_access(spec, AccessKind::load, row.words, row.stride, 4) ==
                  Approx(row.wavefronts).epsilon(0.02));
        }
    }
}

// Zhang et al., PPoPP 2017, figure 4; the last row adds the bank rule's 16 rows.
TEST_CASE("Kepler: 1.01 cycles per 32-bit shared request, 1.32 per 64-bit one", "[sim][micro]") {
    const auto spec = arch("sm_35");
    CHECK(cycles_per_access(spec, AccessKind::load, 1, 4, 4) == Approx(1.01).epsilon(0.01));
    CHECK(cycles_per_access(spec, AccessKind::load, 2, 8, 4) == Approx(1.32).epsilon(0.02));
    CHECK(cycles_per_access(spec, AccessKind::load, 1, 128, 4) == Approx(16.01).epsilon(0.01));
}

TEST_CASE("GA102: every shared request takes at least two cycles", "[sim][micro]") {
    CHECK(cycles_per_access(arch("sm_86"), AccessKind::load, 1, 4, 4) == Approx(2).epsilon(0.02));
}

TEST_CASE("loads write back through the register ports of their bank where the spec says so",
          "[sim][micro]") {
    // 8 FFMAs with one read per bank and a 128-bit load: 8 + 2 cycles of each bank
    const auto body = [] {
        std::vector<Instruction> code;
        for (int i = 0; i < 16; ++i) {
            code.push_back(with_stall(ffma(33 + 2 * i, 0, 0, 33 + 2 * i), 1));
        }
        code.push_back(with_stall(load(shared, 80, 2, 4), 1));
        return code;
    }();
    const std::vector<AccessSite> sites{shared_site(AccessKind::load, 4, 0)};
    const double with =
        17 *
        cycles_per_instruction(body, 8, arch("sm_90", {"sm.register_file.load_write_back=true"}), sites) / 2;
    const double without = 17 * cycles_per_instruction(body, 8, arch("sm_90"), sites) / 2;
    CHECK(without == Approx(17).epsilon(0.02));  // issue slots: the address read finds the bank free
    CHECK(with == Approx(16 + 1 + 2).epsilon(0.02));
}

TEST_CASE("registers of memory instructions may be overwritten after their release", "[sim][micro]") {
    const auto spec = arch("sm_90");
    const auto distance = [&spec](const Instruction& memory, AccessKind kind, int words) {
        const auto program =
            straight({memory, arithmetic(OpClass::mov, 0, {})}, 1, {shared_site(kind, words, 4 * words)});
        return issued_at(program, spec, 1);
    };
    CHECK(distance(load(shared, 8, 0, 1), AccessKind::load, 1) == 8);
    CHECK(distance(store(shared, 8, 0, 1), AccessKind::store, 1) == 11);
    CHECK(distance(store(shared, 8, 0, 4), AccessKind::store, 4) == 17);
}

TEST_CASE("a barrier counts one warp after the other and releases its latency after the last",
          "[sim][micro]") {
    for (const auto* name : {"sm_35", "sm_70", "sm_90"}) {
        const auto spec = arch(name);
        for (const int warps : {1, 4, 8, 32}) {
            Interval before;
            before.barrier_after = true;
            Segment arrive;
            arrive.name = "arrive";
            arrive.thread_end = 32 * warps;
            arrive.code = {with_stall(arithmetic(OpClass::mov, 8, {}), 1), with_stall(barrier(), 1)};
            before.segments.push_back(arrive);
            Interval after;
            Segment go = arrive;
            go.name = "go";
            go.code = {with_stall(arithmetic(OpClass::mov, 9, {}), 1)};
            after.segments.push_back(go);
            auto program = straight({}, warps);
            program.body = {before, after};
            const auto result = run(program, spec);
            const double step = 32 / spec.sm.barrier.threads_per_cycle;
            double counted = -step;
            std::int64_t first_go = std::int64_t{1} << 40;
            for (const auto& event : result.issues) {
                if (event.code.segment->name == "arrive") {
                    if (event.code.index == 1) {
                        counted = std::max(counted + step, static_cast<double>(event.cycle));
                    }
                } else {
                    first_go = std::min(first_go, event.cycle);
                }
            }
            INFO(name << " warps " << warps);
            CHECK(static_cast<double>(first_go) == std::ceil(counted) + spec.sm.barrier.latency_cycles);
        }
    }
}

TEST_CASE("H200: 12 cycles and two per warp from barrier to barrier", "[sim][micro]") {
    const auto spec = arch("sm_90");
    const auto barriers = [&spec](int count, int warps) {
        auto program = straight({barrier()}, warps);
        program.body.assign(static_cast<std::size_t>(count), Node(program.body.front()));
        return cycles(program, spec);
    };
    for (const int warps : {1, 2, 4, 8, 16, 32}) {
        INFO(warps << " warps");
        CHECK((barriers(24, warps) - barriers(8, warps)) / 16 == Approx(12 + 2 * warps).margin(0.01));
    }
}

TEST_CASE("a full memory queue throttles: the request beyond its depth waits for the first to leave",
          "[sim][micro]") {
    const auto spec = arch("sm_90");
    std::vector<Instruction> code;
    const int depth = spec.sm.memory_queue_depth.value();
    for (int i = 0; i < depth + 2; ++i) {
        code.push_back(with_stall(load(shared, 8 + i, 0, 1), 1));
    }
    // 32-way conflict: the first leaves 1 + 31 * 2 cycles after its issue, at cycle 63
    const auto program = straight(code, 1, {shared_site(AccessKind::load, 1, 128)});
    CHECK(issued_at(program, spec, depth - 1) == depth - 1);
    CHECK(issued_at(program, spec, depth) == 64);
    const auto result = run(program, spec);
    CHECK(result.counters.stall_cycles[static_cast<std::size_t>(StallReason::mio_throttle)] > 50);
}
