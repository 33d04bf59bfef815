// The whole simulator: stall accounting, extrapolation against exact runs, determinism, refusals.
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>

#include "base/diagnostics.h"
#include "tests/support/micro.h"

using namespace gpumodel;
using namespace gpumodel::micro;

namespace {

// A tiled kernel in small: load a tile, store it to shared memory, barrier, products from shared memory,
// barrier.
KernelProgram tiled(std::int64_t trips, int warps, std::int64_t blocks) {
    Interval fill;
    fill.barrier_after = true;
    Segment tile;
    tile.name = "tile";
    tile.thread_end = 32 * warps;
    tile.code = {load(MemorySpace::global, 8, 0, 4, 0), store(MemorySpace::shared, 8, 1, 4, 1), barrier()};
    tile.sites = {site(MemorySpace::global, AccessKind::load, 4,
                       [](const Coord& at) {
                           return at.thread * 16 + at.loop[0] * 16384 + at.block_x * std::int64_t{1 << 22};
                       }),
                  site(MemorySpace::shared, AccessKind::store, 4,
                       [](const Coord& at) { return std::int64_t{at.thread} * 16; })};
    fill.segments = {tile};
    Interval products;
    products.barrier_after = true;
    Segment product;
    product.name = "products";
    product.thread_end = 32 * warps;
    product.sites = {site(MemorySpace::shared, AccessKind::load, 4,
                          [](const Coord& at) { return std::int64_t{at.thread % 8} * 16; })};
    for (int k = 0; k < 8; ++k) {
        product.code.push_back(load(MemorySpace::shared, 16 + 8 * (k % 2), 2, 4));
        for (int i = 0; i < 16; ++i) {
            product.code.push_back(ffma(32 + i, 16 + 8 * (k % 2) + i % 4, 20, 32 + i));
        }
    }
    product.code.push_back(barrier());
    products.segments = {product};
    Interval close;
    Segment back = product;
    back.name = "branch";
    back.sites.clear();
    back.code = {arithmetic(OpClass::iadd, 3, {3}), branch()};
    close.segments = {back};
    Loop loop;
    loop.name = "k tiles";
    loop.trips = trips;
    loop.body = {fill, products, close};
    auto program = straight({}, warps);
    program.body = {loop};
    program.grid.x = blocks;
    program.resources.registers_per_thread = 128;
    program.arrays = {{"in", std::int64_t{1} << 24, true, false}};
    return program;
}

double sum(const std::array<double, stall_reason_count>& cycles) {
    return std::accumulate(cycles.begin(), cycles.end(), 0.0);
}

}  // namespace

TEST_CASE("every warp-cycle has exactly one reason: the sum is warps x cycles", "[sim]") {
    for (const auto* name : {"k40", "v100_sxm2", "h200_sxm", "rtx_a6000", "c2050", "gtx_980", "gtx_280"}) {
        INFO(name);
        const auto spec = arch(name);
        constexpr int warps = 8;
        auto program = tiled(20, warps, 1);
        program.resources.registers_per_thread = 32;
        const auto result = run(program, spec);
        // one block: its warps are resident until their own last instruction
        std::array<std::int64_t, warps> end{};
        double issued = 0;
        for (const auto& event : result.issues) {
            end[static_cast<std::size_t>(event.warp.warp)] = event.cycle + 1;
            issued += 1;
        }
        CHECK(sum(result.counters.stall_cycles) == std::accumulate(end.begin(), end.end(), 0.0));
        CHECK(result.counters.stall_cycles[0] == issued);  // selected, no dual issue here
        double by_instruction = 0;
        for (const auto& line : result.instructions) {
            by_instruction += sum(line.cycles);
        }
        CHECK(by_instruction == sum(result.counters.stall_cycles));
        CHECK(result.counters.warp_cycles == by_instruction);
    }
}

TEST_CASE("two runs give the same figures", "[sim]") {
    const auto spec = arch("h200_sxm");
    const auto program = tiled(50, 8, 400);
    const auto a = simulate(program, spec);
    const auto b = simulate(program, spec);
    CHECK(a.cycles == b.cycles);
    CHECK(a.counters.stall_cycles == b.counters.stall_cycles);
}

TEST_CASE("the reasons name what a program waits for", "[sim]") {
    const auto spec = arch("h200_sxm");
    const auto share = [](const SimResult& r, StallReason reason) {
        return r.counters.stall_cycles[static_cast<std::size_t>(reason)] / r.counters.warp_cycles;
    };
    const auto chain = run(looped({ffma(8, 0, 0, 8), branch()}, 100), spec);
    // a profiler calls 3 cycles of a taken branch so, its stall count `wait`, the others no_instruction
    const double branches = share(chain, StallReason::branch_resolving);
    CHECK(branches > 0.05);
    CHECK(branches < 0.35);
    CHECK(branches + share(chain, StallReason::wait) + share(chain, StallReason::no_instruction) > 0.6);
    std::vector<Instruction> dependent(100, ffma(9, 0, 0, 9));
    CHECK(share(run(straight(dependent), spec), StallReason::wait) > 0.7);
    std::vector<Instruction> adds;
    for (int i = 0; i < 100; ++i) {
        adds.push_back(arithmetic(OpClass::iadd, 8 + i % 8, {}));
    }
    CHECK(share(run(straight(adds, 4), spec), StallReason::math_pipe_throttle) > 0.4);
    std::vector<Instruction> conflicts;
    for (int i = 0; i < 100; ++i) {
        conflicts.push_back(ffma(65 + 2 * (i % 8), 2, 4, 32 + 2 * (i % 8)));
    }
    CHECK(share(run(straight(conflicts), spec), StallReason::dispatch_stall) > 0.6);
}

TEST_CASE("programs that the simulator cannot run are refused with all reasons", "[sim]") {
    const auto spec = arch("v100_sxm2");
    auto program = straight({arithmetic(OpClass::uniform, 8, {})});
    auto& interval = std::get<Interval>(program.body.front());
    Segment counted;
    counted.name = "counted";
    counted.thread_end = 32;
    counted.ops[0] = 4;
    interval.segments.push_back(counted);
    try {
        static_cast<void>(simulate(program, spec));
        FAIL("not refused");
    } catch (const InputError& error) {
        CHECK(error.kind() == InputErrorKind::invalid_input);
        CHECK(error.diagnostics().size() == 2);
    }
}

TEST_CASE("a program without instructions and an SM beyond the simulator's arrays are refused", "[sim]") {
    CHECK_THROWS_AS(simulate(straight({}), arch("v100_sxm2")), InputError);
    const auto wide = arch("v100_sxm2", {"sm.schedulers=16"});
    CHECK_THROWS_AS(simulate(straight({branch()}), wide), InputError);
}

TEST_CASE("a block that does not fit is infeasible, with the reason", "[sim]") {
    auto program = straight({branch()});
    program.resources.static_shared_bytes = std::int64_t{1} << 20;
    const auto result = simulate(program, arch("v100_sxm2"));
    CHECK(result.status == SimStatus::infeasible);
    CHECK_FALSE(result.reason.empty());
}

TEST_CASE("a cycle limit ends a run with where the warps stand", "[sim]") {
    SimOptions options;
    options.max_cycles = 500;
    options.exact = true;
    const auto result = simulate(looped({ffma(8, 0, 0, 8), branch()}, 1000), arch("v100_sxm2"), options);
    CHECK(result.status == SimStatus::no_progress);
    CHECK(result.reason.find("warp 0: micro instruction") != std::string::npos);
}

TEST_CASE("a warp that waits for data that never come, and a block that waits for it, end the run", "[sim]") {
    auto spec = arch("v100_sxm2");
    spec.l2.latency_cycles = 4e18;  // beyond what the simulator counts
    // warp 0 reads what it loads and only then comes to the barrier where warp 1 stands
    auto program = straight({load(MemorySpace::global, 8, 0, 1), ffma(9, 8, 8, 9), barrier()}, 2,
                            {site(MemorySpace::global, AccessKind::load, 1,
                                  [](const Coord& at) { return std::int64_t{at.thread} * 4; })});
    auto& interval = std::get<Interval>(program.body.front());
    interval.segments.front().thread_end = 32;
    interval.barrier_after = true;
    Interval after;
    after.segments = {interval.segments.front()};
    after.segments.front().thread_end = 64;
    after.segments.front().code = {ffma(9, 0, 0, 9)};
    program.body.emplace_back(after);
    program.arrays = {{"in", std::int64_t{1} << 20, true, false}};
    for (const bool exact : {false, true}) {
        SimOptions options;
        options.exact = exact;
        const auto result = simulate(program, spec, options);
        CHECK(result.status == SimStatus::no_progress);
        CHECK(result.reason.find("no warp can issue again") != std::string::npos);
        CHECK(result.reason.find("warp 0: micro instruction 1, long_scoreboard") != std::string::npos);
        CHECK(result.reason.find("warp 1:") != std::string::npos);
        CHECK(result.reason.find("barrier") != std::string::npos);
    }
}

TEST_CASE("warps whose segments end elsewhere still arrive at the block's barrier", "[sim]") {
    // warps 0-1 produce, 2-3 only wait
    auto program = straight({ffma(8, 0, 0, 8), barrier()}, 4);
    auto& interval = std::get<Interval>(program.body.front());
    interval.segments.front().thread_end = 64;
    Interval after;
    Segment rest = interval.segments.front();
    rest.name = "after";
    rest.thread_end = 128;
    rest.code = {ffma(9, 0, 0, 9)};
    after.segments = {rest};
    program.body.emplace_back(after);
    const auto result = run(program, arch("h200_sxm"));
    CHECK(result.issues.size() == 4 + 2 + 4);  // two FFMAs and barriers, two added barriers, four FFMAs
}

TEST_CASE("more bandwidth, shorter latency, fewer conflicts are never slower", "[sim][property]") {
    // of several lengths together: single rounds of a few tiles fall into another step, and are up to 4 %
    // slower then
    const auto all = [](const std::vector<std::string>& overrides) {
        double cycles = 0;
        for (const int trips : {36, 38, 40, 42, 44, 46}) {
            cycles += simulate(tiled(trips, 8, 132 * 4), arch("h200_sxm", overrides)).cycles;
        }
        return cycles;
    };
    const auto base = all({});
    for (const auto* better : {"l2.read_bandwidth=8800 B/clk", "sm.barrier.latency=1 cycles",
                               "sm.shared_memory.latency_128=12 cycles", "l2.latency=240 cycles",
                               "sm.register_file.reads_per_bank=2 reads/clk"}) {
        INFO(better);
        CHECK(all({better}) <= base * 1.02);
    }
}
