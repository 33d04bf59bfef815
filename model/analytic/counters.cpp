#include "model/analytic/counters.h"

#include <algorithm>
#include <set>

namespace gpumodel {
namespace {

// Sums over sites of one space and kind.
struct AccessTotals {
    double instructions = 0, sectors = 0, wavefronts = 0, conflicts = 0;
};

// Local memory has counters of its own, which are not predicted.
AccessTotals totals(const std::vector<AnalysedSite>& sites, MemorySpace space, AccessKind kind) {
    AccessTotals sum;
    for (const auto& s : sites) {
        if (s.site->space != space || s.site->kind != kind || is_private(*s.site)) {
            continue;
        }
        const double times = s.blocks * s.statistics.trips;
        sum.instructions += times * s.statistics.accesses;
        sum.sectors += times * s.statistics.sectors;
        sum.wavefronts += times * s.statistics.wavefronts;
        sum.conflicts += times * s.statistics.conflicts;
    }
    return sum;
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

// A store looks into L1 like a load: it hits in what the block has read, and in sectors that the block
// has stored to before (measured: copies that write every sector once have no hits).
struct StoreLookups {
    double sectors = 0, hits = 0;
};
StoreLookups store_lookups(const std::vector<AnalysedSite>& sites, int sector_bytes) {
    StoreLookups sum;
    const auto read = arrays_read(sites);
    for (const auto& s : sites) {
        if (s.site->space != MemorySpace::global || s.site->kind != AccessKind::store) {
            continue;
        }
        const double sectors = s.blocks * s.statistics.trips * s.statistics.sectors;
        const double first =
            read.contains(s.site->array) ? 0 : s.blocks * s.footprint.bytes_per_block / sector_bytes;
        sum.sectors += sectors;
        sum.hits += std::max(0.0, sectors - first);
    }
    return sum;
}

// Occupancy over the cycles in which an SM is active: SMs that get no block do not count.
double occupancy_while_active(const Prediction& p) {
    const auto busy = std::min<double>(p.waves.sm_count, static_cast<double>(p.waves.blocks));
    return std::min(p.achieved_occupancy * p.waves.sm_count / busy, p.occupancy.occupancy);
}

double count(const Segment& segment, OpClass op) {
    return segment.ops[static_cast<std::size_t>(op)];
}

// Thread instructions of a class, in warps without idle lanes.
double full_warps(const Segment& segment, OpClass op) {
    const double lanes = segment.lane_ops[static_cast<std::size_t>(op)];
    return lanes > 0 ? lanes : count(segment, op);
}

// Executed warp instructions. Memory instructions that a predicate turns off count with the others
// (measured).
struct InstructionTotals {
    double all = 0, ffma = 0, shared_barriers = 0;
    double global_loads = 0, global_stores = 0, shared_loads = 0, shared_stores = 0;
};

double private_loads(const Segment& segment) {
    double loads = 0;
    for (const auto& site : segment.sites) {
        loads += is_private(site) && site.kind == AccessKind::load ? site.accesses() : 0;
    }
    return loads;
}

// Instruction level: by the instructions themselves.
void add_accesses(const Segment& segment, double times, InstructionTotals& sum) {
    for (const auto& instruction : segment.code) {
        if (instruction.site < 0 || instruction.access_kind == AccessKind::atomic ||
            instruction.access_kind == AccessKind::async_copy) {
            continue;
        }
        const auto& site = segment.sites[static_cast<std::size_t>(instruction.site)];
        const bool load = site.kind == AccessKind::load;
        if (site.space == MemorySpace::shared) {
            (load ? sum.shared_loads : sum.shared_stores) += times;
        } else if (!is_private(site)) {
            (load ? sum.global_loads : sum.global_stores) += times;
        }
    }
}

// Tile level: by the sites; only loads have an instruction where the predicate turns all lanes off, stores
// are jumped over.
void add_accesses(const AnalysedSite& s, InstructionTotals& sum) {
    const double times = s.blocks * s.statistics.trips * s.statistics.accesses;
    const bool store = s.site->kind == AccessKind::store;
    if (s.site->space == MemorySpace::shared) {
        sum.shared_loads += s.site->kind == AccessKind::load ? times : 0;
        sum.shared_stores += store ? times : 0;
    } else if (!is_private(*s.site)) {
        sum.global_stores += store ? times : 0;
    }
}

InstructionTotals instructions(const FlatProgram& flat, const std::vector<AnalysedSite>& sites) {
    InstructionTotals sum;
    for (const auto& interval : flat.intervals) {
        const auto blocks = static_cast<double>(interval.box.count());
        for (const auto& segment : interval.interval->segments) {
            const double times = blocks * interval.loops.total_trips * warps_of(segment);
            for (const double n : segment.ops) {
                sum.all += n * times;
            }
            sum.all += segment.shared_barrier_operations * times;
            sum.shared_barriers += segment.shared_barrier_operations * times;
            sum.ffma += full_warps(segment, OpClass::ffma) * times;
            if (segment.code.empty()) {
                sum.global_loads += (count(segment, OpClass::global_load) - private_loads(segment)) * times;
            } else {
                add_accesses(segment, times, sum);
            }
        }
    }
    for (const auto& s : sites) {
        if (s.segment->code.empty()) {
            add_accesses(s, sum);
        }
    }
    return sum;
}

}  // namespace

const std::vector<std::string>& counter_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> list{
            "smsp__inst_executed.sum", "smsp__inst_executed_op_global_ld.sum",
            "smsp__inst_executed_op_global_st.sum", "smsp__inst_executed_op_shared_ld.sum",
            "smsp__inst_executed_op_shared_st.sum", "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
            "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
            "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
            "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
            "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
            "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
            "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
            "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
            "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", "l1tex__t_sector_hit_rate.pct",
            "lts__t_sectors_srcunit_tex_op_read.sum", "lts__t_sectors_srcunit_tex_op_write.sum",
            "dram__bytes_read.sum", "dram__bytes_write.sum", "launch__waves_per_multiprocessor",
            "sm__warps_active.avg.pct_of_peak_sustained_active", "gpu__time_duration.sum",
            // of a simulated run (model/sim/sim_counters.h)
            "smsp__issue_active.avg.pct_of_peak_sustained_active", "smsp__inst_executed.avg.per_cycle_active",
            "smsp__warps_active.avg.per_cycle_active", "smsp__warps_eligible.avg.per_cycle_active",
            "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active",
            "sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active", "lts__t_sector_hit_rate.pct"};
        for (const auto reason : stall_reason_names) {
            list.push_back("smsp__average_warps_issue_stalled_" + std::string(reason) +
                           "_per_issue_active.ratio");
        }
        return list;
    }();
    return names;
}

std::vector<Counter> predicted_counters(const KernelProgram& /*program*/, const FlatProgram& flat,
                                        const std::vector<AnalysedSite>& sites, const ArchSpec& arch,
                                        const Prediction& prediction) {
    const auto executed = instructions(flat, sites);
    const auto global_loads = totals(sites, MemorySpace::global, AccessKind::load);
    const auto global_stores = totals(sites, MemorySpace::global, AccessKind::store);
    const auto shared_loads = totals(sites, MemorySpace::shared, AccessKind::load);
    const auto shared_stores = totals(sites, MemorySpace::shared, AccessKind::store);
    // asynchronous copies are requests of the L1 like loads, but not load instructions; operations on
    // barriers in shared memory are shared loads without wavefronts (both measured)
    const auto copies = totals(sites, MemorySpace::global, AccessKind::async_copy);
    const auto& t = prediction.traffic;
    const auto& names = counter_names();
    std::vector<Counter> list{{names[0], executed.all},
                              {names[1], executed.global_loads},
                              {names[2], executed.global_stores},
                              {names[3], executed.shared_loads + executed.shared_barriers},
                              {names[4], executed.shared_stores},
                              {names[5], executed.ffma * 32},
                              {names[6], global_loads.instructions + copies.instructions},
                              {names[7], global_stores.instructions},
                              {names[8], global_loads.sectors + copies.sectors},
                              {names[9], global_stores.sectors},
                              {names[10], shared_loads.wavefronts},
                              {names[11], shared_stores.wavefronts},
                              {names[12], shared_loads.conflicts},
                              {names[13], shared_stores.conflicts}};
    const auto stores = store_lookups(sites, arch.l1.sector_bytes);
    const double looked_up = t.l1_load_sectors + stores.sectors;
    if (arch.l1.caches_global_loads && looked_up > 0) {
        list.push_back({names[14], 100 * (t.l1_load_sector_hits + stores.hits) / looked_up});
    }
    if (arch.l2.size_bytes > 0) {
        list.push_back({names[15], t.l2_served_bytes / 32});
        list.push_back({names[16], t.l2_write_bytes / 32});
    }
    list.push_back({names[17], t.dram_read_bytes});
    list.push_back({names[18], t.dram_write_bytes});
    list.push_back({names[19], prediction.waves.waves});
    list.push_back({names[20], 100 * occupancy_while_active(prediction)});
    list.push_back({names[21], prediction.cycles / arch.clock.sm_hz * 1e9});  // ns, without launch overhead
    return list;
}

}  // namespace gpumodel
