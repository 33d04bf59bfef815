#include "model/analytic/latency.h"

#include <algorithm>
#include <cmath>

#include "base/memo.h"
#include "model/memory/costs/group_product_costs.h"

namespace gpumodel {
namespace {

double count(const Segment& segment, OpClass op) {
    return segment.ops[static_cast<std::size_t>(op)];
}

// Latency of the segment's slowest shared load, with its mean number of wavefronts.
double shared_load_latency(const std::vector<const AnalysedSite*>& sites, const SharedMemoryCosts& costs) {
    double worst = 0;
    for (const auto* s : sites) {
        const bool returns = s->site->kind == AccessKind::load || s->site->kind == AccessKind::atomic;
        if (s->site->space == MemorySpace::shared && returns && s->statistics.accesses > 0) {
            const double wavefronts = s->statistics.wavefronts / s->statistics.accesses;
            worst = std::max(
                worst,
                costs.load_latency(s->site->matrix_rows ? 1 : s->site->bytes_per_lane() / 4, wavefronts));
        }
    }
    return worst;
}

struct GlobalLoads {
    double latency = 0;  // mean over the segment's loads
    // Of the block and trip.
    double l2_bytes = 0;
    double missing_lines = 0;
    double filled_bytes = 0;  // of l2_bytes, what L1 keeps
    double engine_cycles = 0;
    double copied_bytes = 0;  // of l2_bytes, by the copy engine
};

GlobalLoads global_loads(const std::vector<const AnalysedSite*>& sites, const ArchSpec& arch,
                         const MemoryRules& rules) {
    GlobalLoads loads;
    double accesses = 0;
    for (const auto* s : sites) {
        if (s->site->space == MemorySpace::shared || s->site->kind == AccessKind::store ||
            s->statistics.sectors <= 0) {
            continue;
        }
        const double l2_bytes = s->l2_bytes_per_block / s->statistics.trips;
        const auto path = global_path(*s->site, arch);
        const double missing =
            path == GlobalPath::l1_bypassed ? 1.0 : std::min(1.0, l2_bytes / (32 * s->statistics.sectors));
        const double hit = path == GlobalPath::read_only ? rules.l1.read_only_latency : rules.l1.latency;
        const bool engine = s->site->copies != CopyUnit::none;
        const double delay = rules.l1.texture_delay(s->site->texture, path == GlobalPath::read_only);
        loads.latency += s->statistics.accesses * (missing * rules.miss_latency + (1 - missing) * hit +
                                                   delay - (engine ? rules.copies.latency_saved : 0));
        loads.l2_bytes += l2_bytes;
        if (engine) {
            loads.engine_cycles += rules.copies.cycles(l2_bytes, s->site->copies);
            loads.copied_bytes += l2_bytes;
        } else {
            loads.missing_lines += missing * s->statistics.lines;
        }
        loads.filled_bytes += path == GlobalPath::l1_bypassed ? 0 : l2_bytes;
        accesses += s->statistics.accesses;
    }
    loads.latency = accesses > 0 ? loads.latency / accesses : 0;
    return loads;
}

// Between the arrival of the first and the last line of the block's loads.
double transfer_cycles(const GlobalLoads& loads, const MemoryRules& rules) {
    const double port = rules.behind.port_bytes_per_cycle;
    return std::max({port > 0 ? loads.l2_bytes / port : 0, loads.missing_lines * rules.l1.miss_line_cycles,
                     loads.engine_cycles}) +
           loads.filled_bytes * rules.l1.fill_cycles_per_byte;
}

// Until a trip's bulk copies have come, which are waited for together.
CopyTrip copy_trip(const GlobalLoads& loads, double transfer, double trips, const MemoryRules& rules) {
    constexpr double line_bytes = 128;
    if (loads.copied_bytes <= 0) {
        return {};
    }
    return {rules.behind.tile_latency(loads.copied_bytes / line_bytes, rules.dram_part, rules.far_part) -
                rules.copies.latency_saved,
            transfer, trips};
}

// Cycles that one warp's own accesses hold its sub-partition's way to the data pipe.
double own_wavefront_cycles(const std::vector<const AnalysedSite*>& sites, double warps,
                            const SharedMemoryCosts& costs) {
    double cycles = 0;
    for (const auto* s : sites) {
        if (s->site->copies != CopyUnit::none) {
            continue;  // past the data pipe
        }
        const bool shared = s->site->space == MemorySpace::shared;
        cycles += s->statistics.wavefronts * (shared ? costs.spacing_cycles : costs.interval_cycles);
    }
    return cycles / warps;
}

// Remembered by the code, which a sweep asks for at every size of the problem.
bool has_group_products(const InstructionList& code) {
    constexpr std::size_t most_segments = 100000;
    static Memo<bool> memo(most_segments);
    const auto key = bytes_of(code.identity());
    if (const auto known = memo.find(key)) {
        return *known;
    }
    const bool has = std::any_of(code.begin(), code.end(), [](const Instruction& in) {
        return in.group.columns > 0 || in.group.groups_left >= 0;
    });
    memo.add(key, has, 1);
    return has;
}

// Waits for the newest products of a warp group: nothing runs beside their drain and the gaps between them.
double product_wait_cycles(const Segment& segment, const ArchSpec& arch) {
    if (!has_group_products(segment.code)) {
        return 0;
    }
    const auto costs = group_product_costs(arch);
    double cycles = 0, last = costs.drain;
    for (const auto& in : segment.code) {
        if (in.group.columns > 0) {
            last = costs.latency(in.group) - costs.cycles(in.group);
        }
        cycles += in.group.groups_left == 0 ? last : 0;
        cycles += in.group.columns > 0 && in.group.a_in_registers ? costs.register_gap : 0;
    }
    return cycles;
}

}  // namespace

double overlap(double customers, double own, double alone, double p) {
    const double scale = std::max(customers * own, alone);
    if (scale <= 0) {
        return 0;
    }
    return scale * std::pow(std::pow(customers * own / scale, p) + std::pow(alone / scale, p) -
                                std::pow(std::min(own, alone) / scale, p),
                            1 / p);
}

SegmentChain segment_chain(const Segment& segment, const std::vector<const AnalysedSite*>& sites,
                           const Demand& demand, const ArchSpec& arch, const MemoryRules& rules) {
    const double warps = warps_of(segment);
    const double per_warp = arch.sm.sub_partitions / warps;
    double own = 0;
    for (std::size_t r = 0; r < resource_count; ++r) {
        own = resource_rows[r].of_sub_partition ? std::max(own, demand[r] * per_warp) : own;
    }
    if (const auto& ffma = arch.op(OpClass::ffma)) {
        own = std::max(own, count(segment, OpClass::ffma) * ffma->latency_cycles /
                                std::max(1.0, segment.dependency.ilp));
    }
    SegmentChain chain;
    chain.cycles = std::max(own, own_wavefront_cycles(sites, warps, rules.shared));
    chain.cycles += product_wait_cycles(segment, arch);
    chain.cycles += segment.dependency.serial_shared_loads * shared_load_latency(sites, rules.shared);
    const double round_trips =
        segment.dependency.serial_global_loads + segment.dependency.prefetched_global_loads;
    if (round_trips > 0) {
        const auto loads = global_loads(sites, arch, rules);
        const double transfer = transfer_cycles(loads, rules);
        const double exposed = segment.dependency.serial_global_loads / round_trips;
        chain.cycles += segment.dependency.serial_global_loads * loads.latency + exposed * transfer;
        const double trips = std::max(1.0, segment.dependency.trips_ahead);
        chain.prefetched =
            segment.dependency.prefetched_global_loads * loads.latency / trips + (1 - exposed) * transfer;
        chain.copies = copy_trip(loads, transfer, trips, rules);
    }
    return chain;
}

double round_cycles(const BlockTime& block, int n) {
    const double p = block.copies_ahead ? copies_ahead_exponent : overlap_exponent;
    return n <= 0 ? 0 : overlap(n, largest(block.demand), block.alone_cycles, p);
}

}  // namespace gpumodel
