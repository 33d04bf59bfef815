// The book of memory costs against numbers worked out by hand from its headers' formulas.
#include <catch2/catch.hpp>

#include "arch_specs/loader.h"
#include "model/launch/barrier_costs.h"
#include "model/memory/banks/bank_conflicts.h"
#include "model/memory/costs/behind_l1.h"
#include "model/memory/costs/l1_costs.h"
#include "model/memory/costs/shared_memory_costs.h"

using namespace gpumodel;

namespace {

// 32 four-byte banks at 64 B/clk: two cycles a wavefront.
ArchSpec half_rate_banks() {
    ArchSpec arch;
    auto& shared = arch.sm.shared_memory;
    shared.banks = 32;
    shared.bank_widths_bytes = {4};
    shared.bandwidth_bytes_per_cycle = 64;
    shared.min_cycles_per_request = 3;
    shared.extra_cycles_per_request = 0.5;
    shared.sub_partition_interval_cycles = 1;
    shared.latency_32_cycles = 20;
    shared.latency_64_cycles = 22;
    shared.latency_128_cycles = 30;
    shared.conflict_latency_cycles = 1;
    shared.conflict_latency_per_word_cycles = 0.75;
    return arch;
}

Waves dealt(std::int64_t blocks, std::int64_t busiest) {
    Waves waves;
    waves.blocks = blocks;
    waves.busiest_sm_blocks = busiest;
    return waves;
}

ArchSpec split_l2() {
    ArchSpec arch;
    arch.clock.sm_hz = 1e9;
    arch.l2.size_bytes = 4 << 20;
    arch.l2.associativity = 16;
    arch.l2.latency_cycles = 200;
    arch.l2.far_latency_cycles = 260;
    arch.l2.latency_spread_cycles = 40;
    arch.l2.read_bytes_per_cycle = 1000;
    arch.l2.read_bytes_per_cycle_per_sm = 64;
    arch.l2.write_bytes_per_cycle = 500;
    arch.dram.bandwidth_bytes_per_second = 800e9;
    arch.dram.read_efficiency = 0.9;
    arch.dram.copy_efficiency = 0.8;
    arch.dram.latency_cycles = 600;
    return arch;
}

}  // namespace

TEST_CASE("a shared-memory request takes its wavefronts, at least the floor, and the charge", "[unit]") {
    const auto costs = shared_memory_costs(half_rate_banks());
    CHECK(costs.request_cycles(1, 1) == Approx(3.5));      // 2 cycles of wavefront, floor 3
    CHECK(costs.request_cycles(1, 4) == Approx(8.5));      // 4 * 2
    CHECK(costs.request_cycles(4, 4) == Approx(8.5));      // not slower for its width
    CHECK(costs.request_cycles(1, 10, 10) == Approx(35));  // ten requests of one wavefront: 10 * (3 + 0.5)
    CHECK(costs.spacing_cycles == Approx(2));              // the wavefront, longer than the interval of 1
}

TEST_CASE("the widest of the bank modes sets how many bytes a wavefront is", "[unit]") {
    auto arch = half_rate_banks();
    arch.sm.shared_memory.bank_widths_bytes = {4, 8};
    arch.sm.shared_memory.bandwidth_bytes_per_cycle = 256;
    CHECK(shared_memory_costs(arch).wavefront_cycles == Approx(1));
}

TEST_CASE("each wavefront beyond the fewest adds its latency, at least the spacing", "[unit]") {
    const auto costs = shared_memory_costs(half_rate_banks());
    CHECK(costs.load_latency(1, 1) == Approx(20));
    CHECK(costs.load_latency(1, 4) == Approx(20 + 3 * 2));      // 1 + 0.75 is less than the spacing of 2
    CHECK(costs.load_latency(2, 3) == Approx(22 + 2 * 2.5));    // 1 + 2 * 0.75
    CHECK(costs.load_latency(4, 2) == Approx(30));              // 128 bits need two
    CHECK(costs.load_latency(4, 5) == Approx(30 + 3 * 4));      // 1 + 4 * 0.75
    CHECK(costs.load_latency(1, 1.5) == Approx(20 + 0.5 * 2));  // a mean over requests
}

TEST_CASE("a barrier opens its latency after the last of its warps' arrivals", "[unit]") {
    Sm sm;
    sm.barrier.latency_cycles = 10;
    sm.barrier.threads_per_cycle = 16;
    CHECK(barrier_costs(sm).release_cycles(1) == Approx(10));
    CHECK(barrier_costs(sm).release_cycles(8) == Approx(10 + 7 * 2));
}

TEST_CASE("the L1's data stage has 32 four-byte banks where shared memory has wider ones", "[unit]") {
    auto shared = half_rate_banks().sm.shared_memory;
    shared.rule = SharedMemoryRule::cc5_x;
    shared.banks = 16;
    CHECK(data_stage_geometry(shared).banks == 16);
    shared.rule = SharedMemoryRule::cc3_x;
    shared.default_bank_width_bytes = 8;
    CHECK(data_stage_geometry(shared).banks == 32);
    CHECK(data_stage_geometry(shared).bank_width_bytes == 4);
}

TEST_CASE("a global load takes the slowest of its stages", "[unit]") {
    ArchSpec arch;
    arch.l2.size_bytes = 1;
    arch.l1.min_cycles_per_request = 2;
    arch.l1.extra_cycles_per_request = 0.25;
    arch.l1.tag_lines_per_cycle = 4;
    arch.l1.bandwidth_bytes_per_cycle = 64;
    arch.l1.caches_global_loads = true;
    const auto cost = [&](L1Work work) { return l1_costs(arch).load_cycles(work); };
    CHECK(cost({}) == Approx(2.25));              // floor
    CHECK(cost({.lines = 32}) == Approx(8.25));   // 32 tags at 4 a cycle
    CHECK(cost({.bytes = 512}) == Approx(8.25));  // 512 bytes at 64
    CHECK(cost({.wavefronts = 16, .bytes = 512}) == Approx(16.25));
    CHECK(cost({.transactions = 99}) == Approx(2.25));  // a cache behind takes them side by side
    CHECK(cost({.requests = 10, .lines = 32}) == Approx(22.5));
    arch.l1.caches_global_loads = false;
    CHECK(cost({.wavefronts = 16}) == Approx(2.25));  // no data stage
    arch.l2.size_bytes = 0;
    CHECK(cost({.transactions = 16}) == Approx(16.25));
    CHECK(l1_costs(arch).store_cycles({.sectors = 32}) == Approx(8));
    CHECK(l1_costs(arch).store_cycles({.requests = 3, .sectors = 2}) == Approx(3));
}

TEST_CASE("an SM's share of what lies behind L1", "[unit]") {
    const auto arch = split_l2();
    Traffic traffic;
    traffic.l2_read_bytes = 100;
    traffic.l2_served_bytes = 50;  // every second read merges
    traffic.dram_read_bytes = 75;
    traffic.dram_write_bytes = 25;
    const auto share = behind_l1(arch, arch.clock.sm_hz, dealt(40, 2), traffic);  // 20 SMs' worth
    CHECK(share.read_bytes_per_cycle == Approx(64));               // the port; 1000 / (20 * 0.5) = 100
    CHECK(share.write_bytes_per_cycle == Approx(25));              // 500 / 20
    CHECK(share.dram_bytes_per_cycle == Approx(0.85 * 800 / 20));  // half-way between 0.9 and 0.8
    CHECK(share.l2_latency == Approx(260));
    CHECK(share.l2_latency_spread == Approx(40));
    CHECK(share.write_back_bytes == Approx((4 << 20) / 16.0 / 20));
    CHECK(share.port_bytes_per_cycle == Approx(64));
    CHECK(share.load_latency(0) == Approx(280));    // the farthest slice of the far partition
    CHECK(share.load_latency(0.5) == Approx(450));  // half-way to DRAM's 600 + 20
    CHECK(share.load_latency(1) == Approx(620));
    const auto wide = behind_l1(arch, arch.clock.sm_hz, dealt(100, 1), traffic);
    CHECK(wide.read_bytes_per_cycle == Approx(20));  // 1000 / (100 * 0.5)
}

TEST_CASE("one SM's own write port limits a small launch", "[unit]") {
    auto arch = split_l2();
    arch.l2.write_bytes_per_cycle_per_sm = 32;
    CHECK(behind_l1(arch, arch.clock.sm_hz, dealt(1, 1), {}).write_bytes_per_cycle == Approx(32));
    CHECK(behind_l1(arch, arch.clock.sm_hz, dealt(50, 1), {}).write_bytes_per_cycle == Approx(10));
}

TEST_CASE("L2 and DRAM keep their clocks where the SM's is lower", "[unit]") {
    const auto arch = split_l2();
    const auto fast = behind_l1(arch, arch.clock.sm_hz, dealt(100, 1), {});
    const auto slow = behind_l1(arch, arch.clock.sm_hz / 2, dealt(100, 1), {});
    CHECK(slow.read_bytes_per_cycle == Approx(2 * fast.read_bytes_per_cycle));
    CHECK(slow.write_bytes_per_cycle == Approx(2 * fast.write_bytes_per_cycle));
    CHECK(slow.dram_bytes_per_cycle == Approx(2 * fast.dram_bytes_per_cycle));
}

TEST_CASE("without an L2 everything is DRAM", "[unit]") {
    auto arch = split_l2();
    arch.l2.size_bytes = 0;
    const auto share = behind_l1(arch, arch.clock.sm_hz, dealt(10, 1), {});
    CHECK(share.dram_bytes_per_cycle == Approx(72));  // 0.9 * 800 / 10
    CHECK(share.read_bytes_per_cycle == Approx(72));
    CHECK(share.write_bytes_per_cycle == Approx(72));
    CHECK(share.l2_latency == Approx(600));
}

TEST_CASE("a read waits for DRAM the longer the busier it is, and while it writes", "[unit]") {
    auto arch = split_l2();
    Traffic traffic;
    CHECK(behind_l1(arch, arch.clock.sm_hz, dealt(40, 2), traffic).dram_wait(0.5, 0.5, 0) ==
          0);  // nothing known
    arch.dram.queue_latency_cycles = 100;
    arch.dram.turnaround_latency_cycles = 1000;
    auto waves = dealt(40, 2);
    waves.sm_count = 20;
    waves.blocks_per_sm = 2;
    const auto share = behind_l1(arch, arch.clock.sm_hz, waves, traffic);
    waves.blocks = 60;  // 40 run at once
    CHECK(behind_l1(arch, arch.clock.sm_hz, waves, traffic).dram_wait(0.9375, 0, 0.5) ==
          Approx(800 * 2 / 3.0 * 0.9375));
    CHECK(share.dram_wait(0, 0, 0) == 0);
    CHECK(share.dram_wait(0.9375, 0, 0.5) == Approx(100 * 0.9375 / 0.125));      // (1/16)^0.75 = 1/8
    CHECK(share.dram_wait(2, 0, 0.5) == Approx(share.dram_wait(0.98, 0, 0.5)));  // finite, whatever is asked
    for (const double writing : {0.05, 0.25, 0.6}) {
        constexpr int reads = 10000;
        double sum = 0;
        int met = 0;
        for (int i = 0; i < reads; ++i) {
            const double waited = share.dram_wait(0, writing, (i + 0.5) / reads);
            sum += waited;
            met += waited > 0 ? 1 : 0;
        }
        CHECK(sum / reads == Approx(1000 * writing).epsilon(0.02));
        CHECK((met < reads) == (1000 * writing < 100));  // few wait long, then all
    }
}

TEST_CASE("DRAM's efficiency falls with the part that is written, but not where nothing is read", "[unit]") {
    const auto arch = split_l2();
    Traffic traffic;
    CHECK(dram_efficiency(arch.dram, traffic) == Approx(0.9));
    traffic.dram_read_bytes = traffic.dram_write_bytes = 10;
    CHECK(dram_efficiency(arch.dram, traffic) == Approx(0.8));
    traffic.dram_read_bytes = 10.0 / 3;  // 3 of 4 written: turned most often
    CHECK(dram_efficiency(arch.dram, traffic) == Approx(0.9 - 2 * 0.1 * 0.75));
    traffic.dram_read_bytes = 0;  // never turned
    CHECK(dram_efficiency(arch.dram, traffic) == Approx(0.9));
}

// Zhang et al., PPoPP 2017, figure 4 (K20m, 706 MHz): conflict-free loads of one SM reach so many bytes per
// second; a request of 32 lanes moves 128 and 256 bytes in one wavefront.
TEST_CASE("shared loads of a K20m by width", "[memory][costs]") {
    const auto costs = shared_memory_costs(load_arch("k20m"));
    const auto rate = [&costs](int words, int wavefronts) {
        constexpr double clock = 706e6;
        return 128 * words / costs.request_cycles(words, wavefronts) * clock / 1e9;
    };
    CHECK(rate(1, 1) == Approx(89.5).epsilon(0.01));
    CHECK(rate(2, 1) == Approx(137.3).epsilon(0.01));
}

// validate/data/h200_sxm_texture.csv: cycles per instruction and SM, all data in L1.
TEST_CASE("texture instructions take the cycles that the H200's unit takes") {
    const auto costs = l1_costs(load_arch("h200_sxm"));
    using U = TextureUnit;
    const auto cycles = [&](U unit, int bytes, double lines, double wavefronts = 1,
                            TextureFilter filter = {}) {
        return costs.texture_cycles(unit, bytes, filter, {.lines = lines, .wavefronts = wavefronts});
    };
    CHECK(cycles(U::fetch, 4, 1) == Approx(4.008).epsilon(0.02));
    CHECK(cycles(U::fetch, 8, 2, 2) == Approx(4.011).epsilon(0.02));
    CHECK(cycles(U::fetch, 16, 4, 4) == Approx(8.035).epsilon(0.02));
    CHECK(cycles(U::fetch, 4, 32) == Approx(16.01).epsilon(0.02));      // every 33rd float
    CHECK(cycles(U::fetch, 4, 32, 32) == Approx(32.01).epsilon(0.02));  // every 32nd
    CHECK(cycles(U::sample, 4, 2) == Approx(8.006).epsilon(0.02));
    CHECK(cycles(U::sample, 8, 4) == Approx(8.007).epsilon(0.02));
    CHECK(cycles(U::sample, 16, 8) == Approx(16.01).epsilon(0.02));
    // h200_sxm_volumes.csv
    CHECK(cycles(U::sample, 16, 8, 1, {.passes = 4, .planes = 1}) == Approx(31.9).epsilon(0.02));
    CHECK(cycles(U::sample, 4, 2, 1, {.passes = 2, .planes = 2}) == Approx(15.96).epsilon(0.02));
    CHECK(cycles(U::sample, 4, 32, 1, {.passes = 2, .planes = 2}) == Approx(31.9).epsilon(0.02));
    CHECK(cycles(U::sample, 16, 8, 1, {.passes = 16, .planes = 2}) == Approx(127.6).epsilon(0.02));
    CHECK(cycles(U::surface, 4, 2) == Approx(4.129).epsilon(0.04));
    CHECK(cycles(U::surface, 16, 8) == Approx(16.59).epsilon(0.04));
    CHECK(costs.latency + costs.texture_delay(U::fetch, false) == Approx(88.17).epsilon(0.01));
    // a chain of samples pays for a conversion to float besides
    CHECK(costs.latency + costs.texture_delay(U::sample, false) == Approx(109.6).epsilon(0.03));
    CHECK(costs.texture_delay(U::none, false) == 0);
}
