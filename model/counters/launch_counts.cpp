#include "model/counters/launch_counts.h"

#include <algorithm>
#include <set>
#include <string>

#include "base/memo.h"

namespace gpumodel {
namespace {

AccessTotals totals(const std::vector<AnalysedSite>& sites, MemorySpace space, AccessKind kind) {
    constexpr double lanes = 32;
    AccessTotals sum;
    for (const auto& s : sites) {
        if (s.site->space != space || s.site->kind != kind || is_private(*s.site)) {
            continue;
        }
        const double times = s.blocks * s.statistics.trips;
        sum.requests += times * s.statistics.accesses;
        sum.sectors += times * s.statistics.sectors;
        sum.wavefronts += times * s.statistics.wavefronts;
        sum.conflicts += times * s.statistics.conflicts;
        sum.lane_bytes += times * s.statistics.accesses * lanes * s.site->bytes_per_lane();
    }
    return sum;
}

bool is_global_store(const AccessSite& site) {
    return site.space == MemorySpace::global && site.kind == AccessKind::store;
}

std::set<std::string> arrays_read(const std::vector<AnalysedSite>& sites) {
    std::set<std::string> arrays;
    for (const auto& s : sites) {
        if (s.site->space == MemorySpace::global && s.site->kind != AccessKind::store &&
            s.site->kind != AccessKind::atomic) {
            arrays.insert(s.site->array);
        }
    }
    return arrays;
}

void add_store_lookups(const std::vector<AnalysedSite>& sites, int sector_bytes, LaunchCounts& counts) {
    const auto read = arrays_read(sites);
    for (const auto& s : sites) {
        if (!is_global_store(*s.site)) {
            continue;
        }
        const double sectors = s.blocks * s.statistics.trips * s.statistics.sectors;
        const double first =
            read.contains(s.site->array) ? 0 : s.blocks * s.footprint.bytes_per_block / sector_bytes;
        counts.store_lookups += sectors;
        counts.store_hits += std::max(0.0, sectors - first);
    }
}

// Thread instructions of a class, in warps without idle lanes.
double full_warps(const Segment& segment, std::size_t op) {
    return segment.lane_ops[op] > 0 ? segment.lane_ops[op] : segment.ops[op];
}

struct Accesses {
    double global_loads = 0, global_stores = 0, shared_loads = 0, shared_stores = 0;
};

Accesses count_accesses(const InstructionList& code) {
    Accesses all;
    for (const auto& instruction : code) {
        if (instruction.site < 0 || instruction.space == MemorySpace::local ||
            instruction.access_kind == AccessKind::atomic ||
            instruction.access_kind == AccessKind::async_copy) {
            continue;
        }
        const bool load = instruction.access_kind == AccessKind::load;
        if (instruction.space == MemorySpace::shared) {
            ++(load ? all.shared_loads : all.shared_stores);
        } else {
            ++(load ? all.global_loads : all.global_stores);
        }
    }
    return all;
}

// Remembered by the code, which a sweep asks for at every size of the problem.
void add_accesses(const Segment& segment, double times, LaunchCounts& counts) {
    constexpr std::size_t most_segments = 100000;
    static Memo<Accesses> memo(most_segments);
    const auto key = bytes_of(segment.code.identity());
    const auto known = memo.find(key);
    const auto all = known ? *known : count_accesses(segment.code);
    if (!known) {
        memo.add(key, all, 1);
    }
    counts.global_loads += all.global_loads * times;
    counts.global_stores += all.global_stores * times;
    counts.shared_loads += all.shared_loads * times;
    counts.shared_stores += all.shared_stores * times;
}

}  // namespace

LaunchCounts count_launch(const FlatProgram& flat, const std::vector<AnalysedSite>& sites,
                          const ArchSpec& arch) {
    LaunchCounts counts;
    for (const auto& interval : flat.intervals) {
        const auto blocks = static_cast<double>(interval.box.count());
        for (const auto& segment : interval.interval->segments) {
            const double times = blocks * interval.loops.total_trips * warps_of(segment);
            for (const double n : segment.ops) {
                counts.instructions += n * times;
            }
            counts.instructions += segment.shared_barrier_operations * times;
            counts.shared_barriers += segment.shared_barrier_operations * times;
            for (std::size_t c = 0; c < op_class_count; ++c) {
                counts.thread_instructions[c] += arch.sm.warp_size * full_warps(segment, c) * times;
            }
            add_accesses(segment, times, counts);
        }
    }
    counts.global_load = totals(sites, MemorySpace::global, AccessKind::load);
    counts.global_store = totals(sites, MemorySpace::global, AccessKind::store);
    counts.shared_load = totals(sites, MemorySpace::shared, AccessKind::load);
    counts.shared_store = totals(sites, MemorySpace::shared, AccessKind::store);
    counts.copies = totals(sites, MemorySpace::global, AccessKind::async_copy);
    add_store_lookups(sites, arch.l1.sector_bytes, counts);
    return counts;
}

}  // namespace gpumodel
