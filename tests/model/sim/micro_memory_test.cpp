// Global memory: latencies of the levels, L1 reuse, bandwidth, stores, blocks.
#include <catch2/catch.hpp>

#include "base/csv_table.h"
#include "tests/support/micro.h"

using namespace gpumodel;
using namespace gpumodel::micro;

namespace {

constexpr auto global = MemorySpace::global;

// 32 lanes on consecutive words; each trip `trip_stride` bytes and each block `block_stride` further on.
AccessSite stream_site(AccessKind kind, int words, std::int64_t trip_stride, std::int64_t block_stride = 0) {
    return site(global, kind, words, [=](const Coord& at) {
        return at.thread * 4 * words + at.loop[0] * trip_stride + at.block_x * block_stride;
    });
}

// One lane's pointer chase: each load's address register is the result of the load before. Unrolled, as a
// taken branch takes longer than a load from L1.
KernelProgram chase(std::int64_t loads, std::int64_t stride) {
    auto one = stream_site(AccessKind::load, 1, stride);
    one.active = [](const Coord& at) { return at.thread == 0; };
    return looped({load(global, 8, 8, 1)}, loads, 1, {one});
}

// Slope of the chase over trips, without the loop's branch.
double chase_latency(const ArchSpec& spec, std::int64_t stride) {
    return (cycles(chase(64, stride), spec) - cycles(chase(32, stride), spec)) / 32;
}

}  // namespace

TEST_CASE("pointer chases see the latency of the level that holds the data", "[sim][micro]") {
    SECTION("H200: L1 hit 32, L2 hit 287 near, DRAM 670") {
        // what tile loads see is switched to the chase's
        const auto spec = arch("h200_sxm", {"l2.latency=287 cycles"});
        CHECK(chase_latency(spec, 0) == Approx(32).epsilon(0.02));
        CHECK(chase_latency(spec, 128) == Approx(287).epsilon(0.02));
    }
    SECTION("V100: 30 and 215") {
        const auto spec = arch("v100_sxm2");
        CHECK(chase_latency(spec, 0) == Approx(30).epsilon(0.02));
        CHECK(chase_latency(spec, 128) == Approx(215).epsilon(0.02));
    }
    SECTION("Kepler: plain loads pass L1 by, 188 each") {
        const auto spec = arch("k40");
        CHECK(chase_latency(spec, 0) == Approx(188).epsilon(0.02));
        CHECK(chase_latency(spec, 128) == Approx(188).epsilon(0.02));
    }
}

TEST_CASE("with nothing in L2 a load waits for DRAM", "[sim][micro]") {
    const auto spec = arch("h200_sxm");
    const auto program =
        straight({load(global, 8, 0, 1), ffma(20, 8, 8, 21)}, 1, {stream_site(AccessKind::load, 1, 0)});
    SimOptions cold;
    cold.l2 = L2State::cold;
    IssueRecorder recorder;
    cold.listener = &recorder;
    REQUIRE(simulate(program, spec, cold).status == SimStatus::ok);
    REQUIRE(recorder.issues.size() == 2);
    // one line, at home in the SM's half or in the other: 586 and 761 (validate/data/h200_sxm_l2.csv), less
    // and more by the slice
    const auto waited = static_cast<double>(recorder.issues[1].cycle - recorder.issues[0].cycle);
    const double away = spec.dram.latency_spread_cycles.value_or(0) / 2;  // by the address
    CHECK(waited > 0.96 * (586 - away));
    CHECK(waited < 1.04 * (761 + away));
}

TEST_CASE("a load of a sector under way waits for it and sends no request of its own", "[sim][micro]") {
    const auto spec = arch("h200_sxm", {"l2.latency=287 cycles", "l2.latency_spread=0 cycles"});
    const auto program = straight({load(global, 8, 0, 1), load(global, 9, 0, 1), ffma(20, 8, 9, 21)}, 1,
                                  {stream_site(AccessKind::load, 1, 0)});
    const auto result = run(program, spec);
    CHECK(result.counters.l2_read_bytes == 128);
    CHECK(result.counters.l1_load_sectors == 8);
    CHECK(result.counters.l1_load_sector_hits == 4);
    CHECK(static_cast<double>(issued_at(program, spec, 2)) == Approx(287).epsilon(0.02));
}

TEST_CASE("L1 hits: cycles per load instruction of the whole SM", "[sim][micro]") {
    struct Row {
        const char* arch;
        int words;
        double cycles;
    };
    // wavefronts, and the measured charge per instruction: 0.3 on Hopper, 0.7 on Volta, 0.3 beyond 2 on GA102
    for (const auto& row :
         {Row{"sm_90", 1, 1.3}, Row{"sm_90", 4, 4.3}, Row{"sm_70", 1, 1.7}, Row{"sm_86", 1, 2.3}}) {
        INFO(row.arch << " words " << row.words);
        std::vector<Instruction> body;
        for (int i = 0; i < 16; ++i) {
            body.push_back(load(global, 16 + 4 * i, 0, row.words));
        }
        auto same_line = site(global, AccessKind::load, row.words,
                              [words = row.words](const Coord& at) { return at.thread % 32 * 4 * words; });
        CHECK(cycles_per_instruction(body, 16, arch(row.arch), {same_line}) / 16 ==
              Approx(row.cycles).epsilon(0.02));
    }
}

TEST_CASE("L1 hits with conflicts: strides of 8, 16 and 128 bytes take 2, 4 and 32 wavefronts",
          "[sim][micro]") {
    const auto spec = arch("sm_90", {"l1.extra_cycles_per_request=0 cycles"});
    for (const auto& [stride, wavefronts] : {std::pair{8, 2}, std::pair{16, 4}, std::pair{128, 32}}) {
        std::vector<Instruction> body;
        for (int i = 0; i < 16; ++i) {
            body.push_back(load(global, 16 + i, 0, 1));
        }
        auto strided = site(global, AccessKind::load, 1,
                            [s = stride](const Coord& at) { return std::int64_t{at.thread % 32} * s; });
        CHECK(cycles_per_instruction(body, 16, spec, {strided}) / 16 == Approx(wavefronts).epsilon(0.02));
    }
}

TEST_CASE("streaming reads of all SMs from L2 reach the measured bandwidth", "[sim][micro]") {
    struct Row {
        const char* arch;
        double bytes_per_cycle_per_sm;
    };
    // H200: 8.804 TB/s at 1.98 GHz until the last SM has ended; the sum of the SMs' own rates is 4901 B/clk
    constexpr double h200_bytes_per_cycle = 8.804e12 / 1.98e9;
    for (const auto& row :
         {Row{"h200_sxm", h200_bytes_per_cycle / 132}, Row{"v100_sxm2", 1760.0 / 80}, Row{"k40", 30}}) {
        // all SMs read the same data, as if each had its own
        const std::vector<std::string> no_merging{"l2.read_merging.fraction=0"};
        const auto spec =
            arch(row.arch, row.arch == std::string("h200_sxm") ? no_merging : std::vector<std::string>{});
        std::vector<Instruction> code;
        for (int i = 0; i < 8; ++i) {
            code.push_back(load(global, 16 + i, 0, 1, i));
        }
        code.push_back(branch());
        std::vector<AccessSite> sites;
        constexpr std::int64_t trip = 8 * 1024 * 4;
        for (int i = 0; i < 8; ++i) {
            sites.push_back(site(global, AccessKind::load, 1, [i](const Coord& at) {
                return at.thread * 4 + at.loop[0] * trip + i * 4096 + at.block_x * 0;
            }));
        }
        const auto program = [&](std::int64_t trips) {
            return with_grid(looped(code, trips, 32, sites), spec.sm_count);
        };
        const double slope = cycles(program(32), spec) - cycles(program(16), spec);
        INFO(row.arch);
        CHECK(16.0 * trip / slope == Approx(row.bytes_per_cycle_per_sm).epsilon(0.02));
    }
}

TEST_CASE("a streaming copy far beyond L2 runs at the DRAM's copy bandwidth", "[sim][micro]") {
    for (const auto* name : {"h200_sxm", "v100_sxm2", "k40"}) {
        // the K40's write port is just as fast as the copy; the formula is DRAM's alone
        const auto spec = arch(name, {"l2.write_bandwidth=4000 B/clk"});
        const std::int64_t block_bytes = 32 * 1024 * 4;
        const std::int64_t blocks = spec.sm_count * 64;
        std::vector<Instruction> code;
        for (int i = 0; i < 4; ++i) {
            code.push_back(load(global, 16 + i, 0, 1, i));
        }
        for (int i = 0; i < 4; ++i) {
            code.push_back(store(global, 16 + i, 0, 1, 4 + i));
        }
        code.push_back(branch());
        std::vector<AccessSite> sites;
        for (int i = 0; i < 8; ++i) {
            sites.push_back(
                site(global, i < 4 ? AccessKind::load : AccessKind::store, 1, [=](const Coord& at) {
                    return at.thread * 4 + (i % 4 + 4 * at.loop[0]) * 4096 + at.block_x * block_bytes;
                }));
        }
        auto program = with_grid(looped(code, 8, 32, sites), blocks);
        program.arrays = {{"in", blocks * block_bytes, true, false},
                          {"out", blocks * block_bytes, false, true}};
        SimOptions cold;
        cold.l2 = L2State::cold;
        const auto result = simulate(program, spec, cold);
        const double seconds = result.cycles / spec.clock.sm_hz;
        const double expected = spec.dram.bandwidth_bytes_per_second * spec.dram.copy_efficiency;
        INFO(name);
        // ramp-up of the first and last round
        CHECK(2.0 * static_cast<double>(blocks * block_bytes) / seconds == Approx(expected).epsilon(0.04));
    }
}

TEST_CASE("stores do not hold the warp up until the buffer is full", "[sim][micro]") {
    const auto spec = arch("h200_sxm");
    std::vector<Instruction> code;
    std::vector<AccessSite> sites;  // lines of their own, as stores to the same ones join
    for (int i = 0; i < 64; ++i) {
        code.push_back(with_stall(store(global, 4 * (i % 8), 60, 4, i), 1));
        sites.push_back(
            site(global, AccessKind::store, 4, [i](const Coord& at) { return at.thread * 16 + i * 512; }));
    }
    std::vector<Instruction> short_code;
    for (int i = 0; i < 8; ++i) {  // address and data in different banks
        short_code.push_back(with_stall(store(global, 2 * i + 1, 60, 1), 1));
    }
    const auto few = run(straight(short_code, 1, {stream_site(AccessKind::store, 1, 0)}), spec);
    CHECK(few.issues.back().cycle == 7);
    // 64 stores of 512 B: beyond the buffer at one SM's 32 B/clk less what is queued
    const auto buffer = static_cast<double>(spec.l1.store_buffer_bytes.value());
    const auto many = run(straight(code, 1, sites), spec);
    CHECK(many.cycles == Approx(64 * 512 / 32.0).epsilon(0.03));
    CHECK(static_cast<double>(many.issues.back().cycle) ==
          Approx((64 - spec.sm.memory_queue_depth.value()) * 512 / 32.0 - buffer / 32.0).epsilon(0.06));
}

// validate/microbench/scattered: 32 warps of one SM, lanes of a warp in so many lines.
TEST_CASE("stores that mean a part of their sectors take one more for each line", "[sim][micro]") {
    const auto spec = arch("h200_sxm");
    int rows = 0;
    for (const auto& row : read_csv(GPUMODEL_SOURCE_DIR "/validate/data/h200_sxm_scattered.csv").rows) {
        const auto number = [&row](std::size_t i) { return std::stoi(row[i].text); };
        const int lines = number(2), step = number(4);
        if (number(0) != 1 || number(1) != 32 || number(3) != 1 || step != 17) {
            continue;
        }
        const auto program = [&](std::int64_t trips) {
            const auto where = [=](const Coord& at) {
                const std::int64_t lane = at.thread % 32, line = lane * lines / 32 + at.loop[0] * step;
                return at.thread / 32 * (std::int64_t{1} << 20) + line * 128 + lane * 4;
            };
            return looped({store(global, 16, 0, 1), branch()}, trips, 32,
                          {site(global, AccessKind::store, 1, where)});
        };
        const double each = (cycles(program(128), spec) - cycles(program(64), spec)) / 64 / 32;
        CAPTURE(lines);
        CHECK(each == Approx(std::stod(row[7].text)).epsilon(0.06));
        ++rows;
    }
    CHECK(rows == 6);
}

TEST_CASE("one SM writes 32 B/clk on the H200, all together 2360", "[sim][micro]") {
    const auto spec = arch("h200_sxm");
    const auto rate = [&spec](std::int64_t blocks) {
        const auto program = [&](std::int64_t trips) {
            return with_grid(looped({store(global, 16, 0, 4), branch()}, trips, 8,
                                    {stream_site(AccessKind::store, 4, 4096)}),
                             blocks);
        };
        return 64 * 4096 / (cycles(program(128), spec) - cycles(program(64), spec));
    };
    CHECK(rate(1) == Approx(32).epsilon(0.02));
    CHECK(rate(132) == Approx(2360.0 / 132).epsilon(0.02));
}

TEST_CASE("blocks: a freed slot takes the next one after the turnover", "[sim][micro]") {
    for (const auto* name : {"h200_sxm", "v100_sxm2", "k40"}) {
        const auto spec = arch(name, {"launch.sm_drift=0"});
        std::vector<Instruction> code;
        for (int i = 0; i < 100; ++i) {
            code.push_back(ffma(8, 0, 0, 8));
        }
        // registers for one block per SM
        auto program = straight(code, 32);
        program.resources.registers_per_thread = 64;
        const double one = cycles(with_grid(program, spec.sm_count), spec);
        const double three = cycles(with_grid(program, 3 * spec.sm_count), spec);
        INFO(name);
        // the later blocks find the scheduler and ports as the one before left them
        CHECK(three == Approx(3 * one + 2 * spec.launch.block_turnover_cycles).margin(2));
    }
}

TEST_CASE("empty blocks go out at the dispatch rate", "[sim][micro]") {
    const auto spec = arch("h200_sxm", {"launch.sm_drift=0"});
    const auto program = with_grid(straight({branch()}, 1), 65536);
    CHECK(cycles(program, spec) == Approx(65536 * 1.2).epsilon(0.02));  // 43 us measured, 40 at 1.98 GHz
}

TEST_CASE("a wait covers every batch of asynchronous copies but one that started after the wait before",
          "[sim][micro]") {
    const auto spec = arch("h200_sxm", {"l2.latency_spread=0 cycles", "l2.latency=287 cycles"});
    const auto copies = [](int segment_number, bool waits) {
        Interval interval;
        interval.barrier_after = waits;
        Segment segment;
        segment.name = "copies " + std::to_string(segment_number);
        segment.thread_end = 32;
        segment.shared_barrier_operations = waits ? 2 : 0;
        auto copy = load(global, 8, 0, 4);
        copy.op = OpClass::async_copy;
        copy.access_kind = AccessKind::async_copy;
        copy.result_count = 0;
        segment.code = {copy};
        auto from = stream_site(AccessKind::async_copy, 4, 0);
        // batches on lines of their own
        from.address = [segment_number](const Coord& at, int) {
            return at.thread * 16 + segment_number * 4096;
        };
        auto to = site(MemorySpace::shared, AccessKind::async_copy, 4,
                       [](const Coord& at) { return std::int64_t{at.thread} * 16; });
        segment.sites = {from, to};
        interval.segments = {segment};
        return interval;
    };
    Interval end;
    Segment last;
    last.name = "end";
    last.thread_end = 32;
    last.code = {branch()};
    end.segments = {last};
    const auto end_of = [&](const std::vector<Node>& nodes) {
        auto program = straight({}, 1);
        program.body = nodes;
        program.body.emplace_back(end);
        return run(program, spec).issues.back().cycle;
    };
    // one batch, the first wait after it: started since the (missing) wait before, so nothing is waited for
    const auto unwaited = end_of({copies(0, true)});
    CHECK(unwaited < 60);
    // a second batch: the wait covers the first one
    const auto first = end_of({copies(0, false), copies(1, true)});
    // 8 wavefronts, one every other cycle, then L2 and the barrier
    constexpr double expected = 2 * 8 + 287 + 19;
    CHECK(static_cast<double>(first) == Approx(expected).epsilon(0.03));
    // a wait without a batch of its own covers all
    Interval wait = copies(0, true);
    wait.segments.front().code = {};
    wait.segments.front().sites.clear();
    const auto all = end_of({copies(0, true), wait});
    CHECK(static_cast<double>(all) == Approx(expected).epsilon(0.03));
}

// validate/data/h200_sxm_tensor_micro.csv, cpasync_rate: 16 warps of one SM, 16 bytes per lane, from L2: 79.3
// cycles between a warp's copies with eight to a group, 82.2 with four.
TEST_CASE("copies past L1 pass the data pipe once", "[sim][micro]") {
    const auto spec = arch("h200_sxm");
    std::vector<Instruction> code;
    std::vector<AccessSite> sites;
    for (int i = 0; i < 8; ++i) {
        auto copy = load(global, 8, 0, 4, 2 * i);
        copy.op = OpClass::async_copy;
        copy.access_kind = AccessKind::async_copy;
        copy.result_count = 0;
        code.push_back(copy);
        sites.push_back(site(global, AccessKind::async_copy, 4,
                             [i](const Coord& at) { return std::int64_t{at.thread} * 16 + i * 8192; }));
        sites.back().past_l1 = true;
        sites.back().stage_id = i;
        sites.push_back(site(MemorySpace::shared, AccessKind::async_copy, 4,
                             [](const Coord& at) { return std::int64_t{at.thread} * 16; }));
        sites.back().stage_id = i;
    }
    CHECK(cycles_per_instruction(code, 16, spec, sites) == Approx(79.3).epsilon(0.05));
    for (auto& from : sites) {
        from.past_l1 = false;
    }
    CHECK(cycles_per_instruction(code, 16, spec, sites) > 100);  // through L1 they cost more: 100.2 measured
}
