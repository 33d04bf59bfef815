#include "model/memory/costs/behind_l1.h"

#include <algorithm>
#include <cmath>

#include "model/memory/costs/atomic_costs.h"

namespace gpumodel {

double dram_efficiency(const Dram& dram, const Traffic& traffic) {
    const double total = traffic.dram_read_bytes + traffic.dram_write_bytes;
    const double written = total > 0 ? traffic.dram_write_bytes / total : 0;
    const double turns = std::min(written, 4 * (1 - written));
    return dram.read_efficiency + 2 * (dram.copy_efficiency - dram.read_efficiency) * turns;
}

double BehindL1::dram_wait(double busy, double writing, double chance) const {
    constexpr double fullest = 0.98;  // from there on the bandwidth says how long it takes
    // What a read waits on average that meets DRAM writing: as likely any time up to twice that. Reads and
    // copies of h200_sxm_memory.csv and h200_sxm_phases.csv are 2.8 and 4.3, 2.7 and 4.0, 2.6 and 3.6 % off
    // with 100, 150, 350; but matrix products, whose tiles wait for the slowest of many lines, say that few
    // wait long: mma_swizzled of h200_sxm_mma_times.csv, calibration half, 5.3, 6.2, 8.0 % off with 100, 200,
    // 350.
    constexpr double turn = 100;
    const double part = std::min(busy, fullest);
    const double queue = dram_disorder * dram_queue_latency * part / std::pow(1 - part, 0.75);
    const double mean = dram_disorder * dram_turnaround_latency * writing;
    const double met = std::max(mean, turn), often = mean / met;
    return queue + (chance < often ? 2 * met * chance / often : 0);
}

double BehindL1::load_latency(double dram_part, double far_part) const {
    return l2_latency + l2_latency_spread / 2 + far_part * far_latency +
           dram_part * std::max(0.0, dram_latency + far_latency / 2 - l2_latency);
}

double BehindL1::tile_latency(double lines, double dram_part, double far_part) const {
    const auto any = [lines](double part) { return 1 - std::pow(1 - std::clamp(part, 0.0, 1.0), lines); };
    return load_latency(any(dram_part), any(far_part)) + any(dram_part) * dram_latency_spread / 2;
}

BehindL1 behind_l1(const ArchSpec& arch, double sm_hz, const Waves& waves, const Traffic& traffic) {
    const double sms = waves.shares();
    BehindL1 behind;
    behind.dram_bytes_per_cycle =
        arch.dram.bandwidth_bytes_per_second * dram_efficiency(arch.dram, traffic) / sm_hz / sms;
    behind.dram_latency = arch.dram.latency_cycles;
    behind.dram_latency_spread = arch.dram.latency_spread_cycles.value_or(0);
    behind.dram_queue_latency = arch.dram.queue_latency_cycles.value_or(0);
    behind.dram_turnaround_latency = arch.dram.turnaround_latency_cycles.value_or(0);
    // By h200_sxm_memory.csv: reads and copies whose blocks come one after another reach DRAM's rate where
    // loops of resident blocks wait for it.
    constexpr double least_disorder = 0.6;
    const double resident = static_cast<double>(waves.sm_count) * static_cast<double>(waves.blocks_per_sm);
    behind.dram_disorder =
        waves.blocks > 0 ? std::clamp(resident / static_cast<double>(waves.blocks), least_disorder, 1.0) : 1;
    if (arch.l2.size_bytes == 0) {
        behind.read_bytes_per_cycle = behind.write_bytes_per_cycle = behind.dram_bytes_per_cycle;
        behind.l2_latency = arch.dram.latency_cycles;
        return behind;
    }
    const double l2_cycles = arch.clock.sm_hz / sm_hz;  // of clock.sm, in a cycle of the launch
    const double unmerged = traffic.l2_read_bytes > 0 ? traffic.l2_served_bytes / traffic.l2_read_bytes : 1.0;
    behind.port_bytes_per_cycle = arch.l2.read_bytes_per_cycle_per_sm;
    behind.read_bytes_per_cycle =
        std::min(behind.port_bytes_per_cycle, l2_cycles * arch.l2.read_bytes_per_cycle / (sms * unmerged));
    behind.least_bytes = static_cast<double>(arch.l2.access_bytes.value_or(0));
    behind.write_bytes_per_cycle =
        std::min(arch.l2.write_bytes_per_cycle_per_sm.value_or(arch.l2.write_bytes_per_cycle),
                 l2_cycles * arch.l2.write_bytes_per_cycle / sms);
    if (arch.l2.access_bytes) {
        constexpr double lines = 1e9;  // any number of them
        // Copies whose reads DRAM serves while their stores stay in L2 take longer than either. The 80 times
        // of validate/data/h200_sxm_restored.csv are 3.6, 4.2, 4.4, 5.1 % off on average with 1.6, 2, 2.2,
        // any number; the 845 of h200_sxm_memory.csv, of which wide reads leave no room for fewer than 1.95,
        // are 5.0, 4.5, 4.5, 4.5 %.
        constexpr double fills_per_store = 2;
        behind.slice_read_bytes_per_cycle = l2_cycles * arch.l2.read_bytes_per_cycle / (sms * unmerged);
        behind.slice_write_bytes_per_cycle = l2_cycles * arch.l2.write_bytes_per_cycle / sms;
        behind.slice_fill_bytes_per_cycle = fills_per_store * behind.slice_write_bytes_per_cycle;
        behind.atomic_slices = l2_cycles * AtomicCosts::slices_at_work(lines) / sms;
    }
    constexpr int usual_ways = 16;  // estimated, where the spec has none
    behind.write_back_bytes =
        static_cast<double>(arch.l2.size_bytes) / arch.l2.associativity.value_or(usual_ways) / sms;
    behind.l2_latency = arch.l2.latency_cycles;
    const double far = arch.l2.far_latency_cycles.value_or(arch.l2.latency_cycles);
    if (arch.l2.halves.value_or(1) == 1) {
        behind.l2_latency = far;
    } else {
        behind.far_latency = far - arch.l2.latency_cycles;
        behind.far_bytes_per_cycle = l2_cycles * arch.l2.far_read_bytes_per_cycle.value_or(0) / sms;
    }
    behind.l2_latency_spread = arch.l2.latency_spread_cycles.value_or(0);
    return behind;
}

}  // namespace gpumodel
