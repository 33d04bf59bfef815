#include "model/sim/memory/memory_servers.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "model/memory/costs/hot_line_costs.h"
#include "model/memory/l2_halves.h"
#include "model/sim/line.h"

namespace gpumodel::sim {
namespace {

// How far an SM may be ahead of its share of DRAM: others that ask for less just then leave it theirs.
// `estimated`: 1 to 8 KiB are alike on our H200 memory loops (4.2 to 4.3 %) and on other people's streams.
constexpr double burst_bytes = 2048;

// Neighbouring lines differ by a fifth of what rows do: a warp's 512 bytes come 60 to 90 cycles after a line
// alone (h200_sxm_phases.csv: walk, walk_words).
constexpr double spread_in_row = 0.2;
constexpr std::int64_t lines_of_slice = 2;  // neighbours that wait for DRAM together (hot_slice.h)
// So that what a line draws differs from its slice and its row.
constexpr std::int64_t turns_apart = std::int64_t{1} << 52, lines_apart = std::int64_t{1} << 53;

constexpr double l2_slices = 96;  // of the H200 (lts__cycles_elapsed.sum / .max); `estimated` elsewhere

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
    MemoryRates rates;
    rates.behind = behind_l1(arch, sm_hz, waves, traffic);
    rates.sms = waves.shares();
    rates.store_buffer_bytes = static_cast<double>(arch.l1.store_buffer_bytes.value_or(0));
    if (arch.l2.size_bytes > 0) {
        const double all = traffic.dram_write_cost_bytes;
        // measured on an H200; elsewhere the stores pay for all
        const bool reads_pay =
            arch.dram.turnaround_latency_cycles.has_value() && traffic.dram_read_cost_bytes > 0;
        const double of_reads = reads_pay ? traffic.dram_write_cost_of_reads : 0;
        rates.dram_per_written_byte = ratio(all - of_reads, traffic.l2_write_bytes);
        rates.dram_per_fetched_byte = ratio(of_reads, traffic.dram_read_cost_bytes);
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
    const double sliced = std::max(bytes, behind.least_bytes) * (1 + dram.accesses_more);
    if (is_hot(line)) {
        hot_slice_at(now, of_all_sms(HotLineCosts{}.read));
    }
    return bring(now, line, bytes, slices_at(now, sliced / behind.slice_read_bytes_per_cycle, dram.crowding),
                 dram);
}

// `sliced`: when the slices turn to it.
double MemoryServers::bring(double now, std::int64_t line, double bytes, double sliced,
                            const DramShare& dram) {
    const auto& behind = rates_.behind;
    read_bytes += bytes;
    const double sending = std::max(bytes, behind.least_bytes) / behind.read_bytes_per_cycle;
    read_free_ = std::max(now, read_free_) + sending;
    read_busy_ += sending;
    const double distance = behind.l2_latency_spread * (slice_distance(line) - 0.5);
    double arrival = std::max(sliced, read_free_ - sector_bytes / behind.read_bytes_per_cycle) +
                     behind.l2_latency + distance;
    if (is_hot(line) || (rates_.hot && slice_distance(line) * l2_slices < 1)) {
        arrival = std::max(arrival, hot_free_ + behind.l2_latency + distance);
    }
    fetch(now, bytes, dram);
    const double crossed = cross(now, bytes * dram.far_bytes_per_byte);
    owed_ += dram.waits;
    if (owed_ >= 1 - 1e-9) {
        owed_ -= 1;
        const int far = home_half(line);  // seen from SMs of half 0; from the others as often
        const double chance = slice_distance(line / lines_of_slice + turns_apart);
        const double sent = std::max(now + behind.dram_wait(load_.busy(), load_.writing(), chance),
                                     dram_free_ - (sector_bytes + burst_bytes) / behind.dram_bytes_per_cycle);
        const double row =
            behind.dram_latency_spread * (slice_distance(line / lines_per_row) - 0.5 +
                                          spread_in_row * (slice_distance(line + lines_apart) - 0.5));
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

// When the slices are done with it, less its own time; without them, when it comes. The hot one has its even
// part.
double MemoryServers::slices_at(double now, double cycles, double crowding) {
    if (rates_.behind.atomic_slices <= 0) {
        return now;
    }
    hot_slice_at(now, cycles);
    const double start = std::max(now, slices_free_);
    slices_free_ = start + crowding * cycles;
    slices_busy_ += crowding * cycles;
    return start;
}

void MemoryServers::hot_slice_at(double now, double cycles) {
    if (rates_.hot) {
        hot_free_ = std::max(now, hot_free_) + cycles;
    }
}

// Operations on a word that wait for one another; the slice does others meanwhile.
void MemoryServers::hot_change_at(double now, double cycles) {
    hot_slice_at(now, cycles);
    if (rates_.hot && cycles > 0) {
        chain_free_ = std::max(now, chain_free_) + cycles * rates_.hot->waits;
    }
}

// Of what the hot slice does for this SM, as if all SMs had the same as this one, which may have more of it
// than others: no more than the launch's.
double MemoryServers::of_all_sms(double hot_cycles) {
    if (!rates_.hot) {
        return 0;
    }
    const double cycles =
        std::min(hot_cycles * rates_.sms, rates_.hot->cycles / rates_.hot->waits - hot_busy_);
    hot_busy_ += cycles;
    return cycles;
}

void MemoryServers::use_dram(double now, double cycles, bool write) {
    dram_free_ = std::max(now, dram_free_) + cycles;
    dram_busy_ += cycles;
    load_.add(now, cycles, write);
}

void MemoryServers::fetch(double now, double bytes, const DramShare& dram) {
    if (dram.bytes_per_byte > 0) {
        const double cycles = bytes * dram.bytes_per_byte / rates_.behind.dram_bytes_per_cycle;
        use_dram(now, cycles, false);
        if (rates_.dram_per_fetched_byte > 0) {
            use_dram(now, cycles * rates_.dram_per_fetched_byte, true);
        }
        if (rates_.behind.slice_fill_bytes_per_cycle > 0) {
            slices_at(now, bytes * dram.bytes_per_byte / rates_.behind.slice_fill_bytes_per_cycle,
                      dram.crowding);
        }
    }
}

// What L2 owes DRAM for written bytes; stores wait once that is too much.
void MemoryServers::owe_dram(double now, double bytes) {
    if (rates_.dram_per_written_byte > 0) {
        const auto& behind = rates_.behind;
        use_dram(now, write_back_cycles(bytes), true);
        write_free_ =
            std::max(write_free_, dram_free_ - behind.write_back_bytes / behind.dram_bytes_per_cycle);
    }
}

void MemoryServers::write(double now, const Store& store) {
    const auto& behind = rates_.behind;
    const double bytes = store.part * store.bytes;
    written_bytes += bytes;
    const double taken = store.part * std::max(store.bytes, store.taken_bytes);
    const double sending = taken / behind.write_bytes_per_cycle;
    write_free_ = std::max(now, write_free_) + sending;
    write_busy_ += sending;
    if (behind.atomic_slices > 0) {
        const double worked = store.slice_bytes > 0 ? store.part * store.slice_bytes : taken;
        slices_at(now,
                  store.slice_cycles > 0 ? store.slice_cycles / behind.atomic_slices
                                         : worked / behind.slice_write_bytes_per_cycle,
                  store.crowding);
        const double stored = rates_.hot ? store.part * store.hot_lines * rates_.hot->store_cycles : 0;
        hot_change_at(now, of_all_sms(store.hot_cycles + stored));
    }
    owe_dram(now, bytes);
}

double MemoryServers::atomic(double now, std::int64_t line, double bytes, const AtomicCosts::OfLine& costs,
                             const DramShare& dram) {
    const auto& behind = rates_.behind;
    written_bytes += bytes;
    const double sending =
        costs.sent_bytes(static_cast<std::int64_t>(behind.least_bytes)) / behind.write_bytes_per_cycle;
    write_free_ = std::max(now, write_free_) + sending;
    write_busy_ += sending;
    owe_dram(now, bytes);
    const double sliced =
        slices_at(now, behind.atomic_slices > 0 ? costs.cycles / behind.atomic_slices : 0, dram.crowding);
    hot_change_at(now, is_hot(line) ? of_all_sms(costs.cycles) : 0);
    const double chained = is_hot(line) ? chain_free_ : 0;
    const double returning =
        behind.atomic_slices > 0 ? AtomicCosts{}.returned * costs.passes / behind.atomic_slices : 0;
    returned_free_ = std::max(now, returned_free_) + returning;
    return bring(now, line, bytes,
                 std::max({sliced, chained, write_free_ - sending, returned_free_ - returning}), dram);
}

double MemoryServers::accepts_store_at() const {
    return rates_.store_buffer_bytes > 0 ? std::max(write_free_, slices_free_) -
                                               rates_.store_buffer_bytes / rates_.behind.write_bytes_per_cycle
                                         : 0;
}

}  // namespace gpumodel::sim
