// L2 and DRAM behind one SM, on round numbers: the header's equations.
#include "model/sim/memory/memory_servers.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "model/sim/extrapolate/windows.h"

namespace memory_servers_test {

using namespace gpumodel::sim;

namespace {

// 32 B/clk from L2 after 200 cycles and to it, 16 B/clk from DRAM after 500.
MemoryRates round_numbers() {
    MemoryRates rates;
    rates.behind.read_bytes_per_cycle = rates.behind.write_bytes_per_cycle = 32;
    rates.behind.dram_bytes_per_cycle = 16;
    rates.behind.l2_latency = 200;
    rates.behind.dram_latency = 500;
    return rates;
}

const DramShare in_l2{};
const DramShare in_dram{1, 1};

}  // namespace

TEST_CASE("reads from L2 follow each other at its rate", "[sim][memory]") {
    MemoryServers servers(round_numbers());
    CHECK(servers.read(0, 0, 32, in_l2) == 200);
    CHECK(servers.read(0, 1, 128, in_l2) ==
          1 + 3 + 200);                               // behind the first, its last sector three cycles on
    CHECK(servers.read(1000, 2, 32, in_l2) == 1200);  // the port has been idle since
    CHECK(servers.read_bytes == 192);
}

TEST_CASE("a line's slice lies nearer or farther by half the spread, and always the same", "[sim][memory]") {
    auto rates = round_numbers();
    rates.behind.l2_latency_spread = 40;
    MemoryServers servers(rates);
    double nearest = 1e9, farthest = 0, sum = 0;
    constexpr int lines = 2000;
    for (int line = 0; line < lines; ++line) {
        const double now = 1000.0 * line;
        const double latency = servers.read(now, line, 32, in_l2) - now;
        nearest = std::min(nearest, latency);
        farthest = std::max(farthest, latency);
        sum += latency;
    }
    CHECK(nearest >= 180);
    CHECK(nearest < 182);
    CHECK(farthest <= 220);
    CHECK(farthest > 218);
    CHECK(sum / lines == Approx(200).margin(1));
    const double once = servers.read(1e7, 7, 32, in_l2) - 1e7;
    const double again = servers.read(2e7, 7, 32, in_l2) - 2e7;
    CHECK(again == Approx(once));
}

TEST_CASE("slices do one thing at a time", "[sim][memory]") {
    auto rates = round_numbers();
    rates.behind.slice_read_bytes_per_cycle = 32;
    rates.behind.slice_write_bytes_per_cycle = 16;
    rates.behind.atomic_slices = 0.5;
    MemoryServers servers(rates);
    CHECK(servers.read(0, 0, 64, in_l2) == 201);          // slices busy until 2
    servers.write(0, {.bytes = 32});                      // until 4
    servers.write(0, {.bytes = 128, .slice_bytes = 96});  // until 10
    servers.write(0, {.bytes = 32, .slice_cycles = 3});   // until 16
    const AtomicCosts::OfLine one{.cycles = 2, .sectors = 1, .passes = 1, .most_passes = 1};
    CHECK(servers.atomic(0, 1, 32, one, in_l2) == 16 + 200);  // until 20
    CHECK(servers.read(0, 2, 32, in_l2) == 20 + 200);
    CHECK(servers.busy_cycles() == 21);
    MemoryServers beside(round_numbers());  // where nobody knows
    beside.write(0, {.bytes = 1024});
    CHECK(beside.read(0, 0, 32, in_l2) == 200);
    CHECK(std::isfinite(beside.atomic(0, 1, 32, one, in_l2)));
}

TEST_CASE("what atomics bring back takes the way back alone", "[sim][memory]") {
    auto rates = round_numbers();
    rates.behind.slice_read_bytes_per_cycle = 32;
    rates.behind.slice_write_bytes_per_cycle = 16;
    rates.behind.atomic_slices = 0.5;
    const AtomicCosts::OfLine lanes{.cycles = 1, .sectors = 1, .passes = 8, .most_passes = 8};
    const double returned = 8 * AtomicCosts{}.returned / rates.behind.atomic_slices;
    MemoryServers servers(rates);
    CHECK(servers.atomic(0, 1, 32, lanes, in_l2) == 200);
    CHECK(servers.atomic(0, 1, 32, lanes, in_l2) == Approx(returned + 200));
    CHECK(servers.read(0, 2, 32, in_l2) < 220);  // reads do not wait for it
}

TEST_CASE("a hot slice: whoever needs it waits for all SMs' atomics there", "[sim][memory]") {
    auto rates = round_numbers();
    rates.behind.slice_read_bytes_per_cycle = 32;
    rates.behind.slice_write_bytes_per_cycle = 16;
    rates.behind.atomic_slices = 0.5;
    rates.sms = 100;
    rates.hot = HotSlice{.lines = {{"sum", 16}}, .waits = 2, .cycles = 1000, .store_cycles = 2.5};
    rates.hot_lines = {1016};
    const AtomicCosts::OfLine one{.cycles = 2, .sectors = 1, .passes = 1, .most_passes = 1};
    MemoryServers servers(rates);
    CHECK(servers.is_hot(1016));
    CHECK_FALSE(servers.is_hot(1018));
    CHECK_FALSE(servers.is_hot(16));
    const double alone = servers.atomic(0, 1018, 32, one, in_l2);
    CHECK(alone < 220);
    // 2 cycles, twice as long as they wait for one another, of each of 100 SMs
    CHECK(servers.atomic(0, 1016, 32, one, in_l2) == Approx(400 + 200));
    CHECK(servers.atomic(0, 1018, 32, one, in_l2) < 240);  // elsewhere
    // the slice does others meanwhile: its own 2 cycles of each SM, and its even part of the two elsewhere
    CHECK(servers.read(0, 1016, 32, in_l2) < 200 + 200 + 100);
    servers.write(0, {.bytes = 32, .slice_cycles = 2, .hot_cycles = 2});
    CHECK(servers.drained() >= 800);
    servers.write(0, {.bytes = 32, .slice_cycles = 2, .hot_cycles = 2});  // the launch has no more than 1000
    CHECK(servers.drained() < 1100);
}

TEST_CASE("stores wait for DRAM in the long run, also where they are steady before", "[sim][memory]") {
    LeftOut left_out;
    left_out.may_be_owed = 100;
    WindowEnd from, to;
    to.at = 1000;
    to.counters.instructions = 10;
    to.counters.write_back_cycles = 2000;
    CHECK(left_out.add(10000, 100, 0, from, to) == 20000 - 100);
    CHECK(left_out.add(10000, 100, 0, from, to) == 20000);  // it is owed already
    to.counters.write_back_cycles = 500;
    CHECK(left_out.add(10000, 100, 0, from, to) == 10000);
}

TEST_CASE("reads that wait for DRAM queue there too", "[sim][memory]") {
    MemoryServers servers(round_numbers());
    constexpr int burst = 64;  // sectors that may run ahead of the SM's share: 2 KiB
    for (int sector = 0; sector <= burst; ++sector) {
        CHECK(servers.read(0, sector, 32, in_dram) == 500);
    }
    CHECK(servers.read(0, burst + 1, 32, in_dram) == 502);  // two cycles of DRAM for each sector
    CHECK(servers.read(0, burst + 2, 32, in_dram) == 504);
    CHECK(servers.read(1000, 3, 32, in_dram) == 1500);
}

TEST_CASE("of an access that waits now and then, as many reads wait as its part says", "[sim][memory]") {
    MemoryServers servers(round_numbers());
    int waited = 0;
    constexpr int reads = 100;
    for (int i = 0; i < reads; ++i) {
        const double now = 1000.0 * i;
        waited += servers.read(now, i, 32, {0.25, 0.25}) - now > 400 ? 1 : 0;
    }
    CHECK(waited == reads / 4);
}

TEST_CASE("stores are taken until the buffer is full", "[sim][memory]") {
    auto rates = round_numbers();
    rates.store_buffer_bytes = 64;
    MemoryServers servers(rates);
    servers.write(0, {.bytes = 64});
    CHECK(servers.accepts_store_at() == 0);
    servers.write(0, {.bytes = 128});
    CHECK(servers.drained() == 6);           // 192 bytes at 32 B/clk
    CHECK(servers.accepts_store_at() == 4);  // all but the last 64
    CHECK(servers.written_bytes == 192);
}

TEST_CASE("stores wait for DRAM once L2 owes it more than it may", "[sim][memory]") {
    auto rates = round_numbers();
    rates.dram_per_written_byte = 1;
    rates.behind.write_back_bytes = 320;
    MemoryServers servers(rates);
    servers.write(0, {.bytes = 320});
    CHECK(servers.drained() == 10);  // DRAM needs 20 cycles, but all may be owed
    servers.write(0, {.bytes = 3200});
    CHECK(servers.drained() == 220 - 20);  // 3520 bytes take DRAM 220 cycles, of which it owes 20
}

}  // namespace memory_servers_test
