#include "model/sim/memory/memory_servers.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "model/memory/l2_halves.h"
#include "model/sim/line.h"

namespace gpumodel::sim {
namespace {

// How far an SM may be ahead of its share of DRAM: others that ask for less just then leave it theirs.
// `estimated`: 1 to 8 KiB are alike on our H200 memory loops (4.2 to 4.3 %) and on other people's streams.
constexpr double burst_bytes = 2048;

double ratio(double a, double b) {
    return b > 0 ? a / b : 0;
}

// 0 ... 1, spread evenly over lines: stands for the hash that picks the slice.
double slice_distance(std::int64_t line) {
    auto x = static_cast<std::uint64_t>(line);
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;  // splitmix64's finaliser
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
    constexpr double two_to_53 = 9007199254740992.0;
    return static_cast<double>((x ^ (x >> 31U)) >> 11U) / two_to_53;
}

}  // namespace

MemoryRates memory_rates(const ArchSpec& arch, double sm_hz, const Waves& waves, const Traffic& traffic) {
    MemoryRates rates{behind_l1(arch, sm_hz, waves, traffic)};
    rates.store_buffer_bytes = static_cast<double>(arch.l1.store_buffer_bytes.value_or(0));
    if (arch.l2.size_bytes > 0) {
        rates.dram_per_written_byte = ratio(traffic.dram_write_cost_bytes, traffic.l2_write_bytes);
    }
    return rates;
}

void DramLoad::add(double now, double cycles, bool write) {
    constexpr double memory_cycles = 4000;  // a few round trips; 2000 and 8000 predict alike
    const double since = std::max(0.0, now - at_);
    at_ = std::max(at_, now);
    const double kept = std::exp(-since / memory_cycles);
    busy_ = busy_ * kept + cycles / memory_cycles;
    writing_ = writing_ * kept + (write ? cycles / memory_cycles : 0);
}

double MemoryServers::read(double now, std::int64_t line, double bytes, const DramShare& dram) {
    const auto& behind = rates_.behind;
    read_bytes += bytes;
    const double sending = std::max(bytes, behind.least_bytes) / behind.read_bytes_per_cycle;
    read_free_ = std::max(now, read_free_) + sending;
    read_busy_ += sending;
    const double distance = behind.l2_latency_spread * (slice_distance(line) - 0.5);
    double arrival = read_free_ - sector_bytes / behind.read_bytes_per_cycle + behind.l2_latency + distance;
    if (dram.bytes_per_byte > 0) {
        const double cycles = bytes * dram.bytes_per_byte / behind.dram_bytes_per_cycle;
        dram_free_ = std::max(now, dram_free_) + cycles;
        dram_busy_ += cycles;
        load_.add(now, cycles, false);
    }
    const double crossed = cross(now, bytes * dram.far_bytes_per_byte);
    owed_ += dram.waits;
    if (owed_ >= 1 - 1e-9) {
        owed_ -= 1;
        const int far = home_half(line);  // seen from SMs of half 0; from the others as often
        const double sent = std::max(now + behind.dram_wait(load_.busy(), load_.writing()),
                                     dram_free_ - (sector_bytes + burst_bytes) / behind.dram_bytes_per_cycle);
        const double row = behind.dram_latency_spread * (slice_distance(line / lines_per_row) - 0.5);
        arrival = std::max(arrival, (far != 0 ? std::max(sent, crossed) : sent) + behind.dram_latency + row +
                                        (far - 0.5) * behind.far_latency + distance);
    }
    far_owed_ += dram.far_waits;
    if (far_owed_ >= 1 - 1e-9) {
        far_owed_ -= 1;
        arrival = std::max(arrival, crossed + behind.l2_latency + behind.far_latency + distance);
    }
    return arrival;
}

// When the first sector of `bytes` has passed between the halves, less the way's latency.
double MemoryServers::cross(double now, double bytes) {
    const double rate = rates_.behind.far_bytes_per_cycle;
    if (bytes <= 0 || rate <= 0) {
        return now;
    }
    far_free_ = std::max(now, far_free_) + bytes / rate;
    return std::max(now, far_free_ - sector_bytes / rate);
}

void MemoryServers::write(double now, double bytes, double taken_bytes) {
    written_bytes += bytes;
    const double sending = std::max(bytes, taken_bytes) / rates_.behind.write_bytes_per_cycle;
    write_free_ = std::max(now, write_free_) + sending;
    write_busy_ += sending;
    if (rates_.dram_per_written_byte > 0) {
        const double cycles = bytes * rates_.dram_per_written_byte / rates_.behind.dram_bytes_per_cycle;
        dram_free_ = std::max(now, dram_free_) + cycles;
        dram_busy_ += cycles;
        load_.add(now, cycles, true);
        write_free_ = std::max(
            write_free_, dram_free_ - rates_.behind.write_back_bytes / rates_.behind.dram_bytes_per_cycle);
    }
}

double MemoryServers::accepts_store_at() const {
    return rates_.store_buffer_bytes > 0
               ? write_free_ - rates_.store_buffer_bytes / rates_.behind.write_bytes_per_cycle
               : 0;
}

}  // namespace gpumodel::sim
