#include "model/counters/counters.h"

#include <fmt/format.h>

#include <algorithm>

namespace gpumodel {
namespace {

using In = const CounterInput&;
using Value = std::optional<double>;

double stalled(In in, StallReason reason) {
    return in.run->counters.stall_cycles[static_cast<std::size_t>(reason)];
}
double issued(In in) {
    return stalled(in, StallReason::selected);
}
double threads(In in, OpClass op) {
    return in.counts.thread_instructions[static_cast<std::size_t>(op)];
}
// Cycles in which a scheduler has a warp: warps are dealt to schedulers in turn, and a profiler does not
// count those that get none (two of four in blocks of 64 threads, one on an SM).
double slots(In in) {
    const auto& p = in.prediction;
    const auto warps = std::min<std::int64_t>(p.occupancy.blocks_per_sm, p.waves.busiest_sm_blocks) *
                       p.occupancy.warps_per_block;
    const auto with_warps =
        warps > 0 ? std::min<std::int64_t>(warps, in.arch.sm.schedulers) : in.arch.sm.schedulers;
    return in.run->cycles * static_cast<double>(with_warps);
}

// Occupancy over the cycles in which an SM is active: SMs that get no block do not count.
double occupancy_while_active(const Prediction& p) {
    const auto busy = std::min<double>(p.waves.sm_count, static_cast<double>(p.waves.blocks));
    return std::min(p.achieved_occupancy * p.waves.sm_count / busy, p.occupancy.occupancy);
}

double average_load_hits(In in) {
    return in.prediction.traffic.l1_load_sector_hits;
}
double load_hits_of_run(In in) {
    const auto& c = in.run->counters;
    const auto& t = in.prediction.traffic;
    return c.l1_load_sectors > 0
               ? t.l1_load_sectors * c.l1_load_sector_hits / c.l1_load_sectors + t.l1_shared_sectors
               : average_load_hits(in);
}
Value l1_hit_rate(In in, double load_hits) {
    const auto& t = in.prediction.traffic;
    const double looked_up = t.l1_load_sectors + t.l1_bypass_sectors + in.counts.store_lookups;
    if (!in.arch.l1.caches_global_loads || looked_up <= 0) {
        return std::nullopt;
    }
    return 100 * std::clamp((load_hits + in.counts.store_hits) / looked_up, 0.0, 1.0);
}

Value l2_sectors(In in, double bytes) {
    return in.arch.l2.size_bytes > 0 ? Value(bytes / 32) : std::nullopt;
}
Value l2_hit_rate(In in) {
    const auto& t = in.prediction.traffic;
    const double looked_up = t.l2_served_bytes + t.l2_write_bytes;
    if (in.arch.l2.size_bytes == 0 || looked_up <= 0) {
        return std::nullopt;
    }
    return 100 * std::clamp(1 - t.dram_read_bytes / looked_up, 0.0, 1.0);
}

Value pipe_utilisation(In in, Pipe pipe) {
    double instructions = 0;
    for (std::size_t c = 0; c < op_class_count; ++c) {
        const auto& op = in.arch.sm.ops[c];
        instructions += op && op->pipe == pipe ? in.run->counters.issued_by_class[c] : 0;
    }
    const auto& lanes = in.arch.sm.pipe_lanes[static_cast<std::size_t>(pipe)];
    if (!lanes || *lanes <= 0) {
        return std::nullopt;
    }
    return 100 * instructions * in.arch.sm.warp_size / (*lanes * in.run->cycles);
}

double tensor_instructions(In in) {
    double instructions = 0;
    for (std::size_t c = 0; c < op_class_count; ++c) {
        instructions += op_classes[c].group == OpGroup::tensor ? in.run->counters.issued_by_class[c] : 0;
    }
    return instructions;
}
// Cycles in which the tensor pipes work on an instruction: each class stays for its interval.
double tensor_cycles(In in) {
    double cycles = in.run->counters.product_cycles;
    for (std::size_t c = 0; c < op_class_count; ++c) {
        const auto& op = in.arch.sm.ops[c];
        const bool tensor = op && op->pipe == Pipe::tensor && op_classes[c].op != OpClass::group_mma;
        cycles += tensor ? in.run->counters.issued_by_class[c] * op->initiation_interval_cycles : 0;
    }
    return cycles;
}

// The same formula in both models.
CounterRow both(std::string name, std::string unit, const CounterFormula& formula) {
    return {std::move(name), std::move(unit), formula, formula};
}

CounterRow of_run(std::string name, std::string unit, CounterFormula formula) {
    return {std::move(name), std::move(unit), {}, [formula = std::move(formula)](In in) {
                return issued(in) > 0 && slots(in) > 0 ? formula(in) : std::nullopt;
            }};
}

std::vector<CounterRow> make_table() {
    std::vector<CounterRow> rows{
        both("smsp__inst_executed.sum", "inst", [](In in) { return in.counts.instructions; }),
        both("smsp__inst_executed_op_global_ld.sum", "inst", [](In in) { return in.counts.global_loads; }),
        both("smsp__inst_executed_op_global_st.sum", "inst", [](In in) { return in.counts.global_stores; }),
        // operations on barriers in shared memory are shared loads without wavefronts (measured)
        both("smsp__inst_executed_op_shared_ld.sum", "inst",
             [](In in) { return in.counts.shared_loads + in.counts.shared_barriers; }),
        both("smsp__inst_executed_op_shared_st.sum", "inst", [](In in) { return in.counts.shared_stores; }),
        both("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", "inst",
             [](In in) { return threads(in, OpClass::ffma); }),
        // asynchronous copies are requests of the L1 like loads, but not load instructions (measured)
        both("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "",
             [](In in) { return in.counts.global_load.requests + in.counts.copies.requests; }),
        both("l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "",
             [](In in) { return in.counts.global_store.requests; }),
        both("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "sector",
             [](In in) { return in.counts.global_load.sectors + in.counts.copies.sectors; }),
        both("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "sector",
             [](In in) { return in.counts.global_store.sectors; }),
        both("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", "",
             [](In in) { return in.counts.shared_load.wavefronts; }),
        both("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", "",
             [](In in) { return in.counts.shared_store.wavefronts; }),
        both("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", "",
             [](In in) { return in.counts.shared_load.conflicts; }),
        both("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", "",
             [](In in) { return in.counts.shared_store.conflicts; }),
        {"l1tex__t_sector_hit_rate.pct", "%", [](In in) { return l1_hit_rate(in, average_load_hits(in)); },
         [](In in) { return l1_hit_rate(in, load_hits_of_run(in)); }},
        both("lts__t_sectors_srcunit_tex_op_read.sum", "sector",
             [](In in) { return l2_sectors(in, in.prediction.traffic.l2_served_bytes); }),
        both("lts__t_sectors_srcunit_tex_op_write.sum", "sector",
             [](In in) {
                 const auto& t = in.prediction.traffic;
                 return l2_sectors(in, t.l2_write_bytes - t.l2_joined_write_bytes);
             }),
        both("dram__bytes_read.sum", "byte", [](In in) { return in.prediction.traffic.dram_read_bytes; }),
        both("dram__bytes_write.sum", "byte", [](In in) { return in.prediction.traffic.dram_write_bytes; }),
        both("launch__waves_per_multiprocessor", "", [](In in) { return in.prediction.waves.waves; }),
        {"sm__warps_active.avg.pct_of_peak_sustained_active", "%",
         [](In in) { return 100 * occupancy_while_active(in.prediction); },
         [](In in) { return 100 * in.run->achieved_occupancy; }},
        // without launch overhead
        both("gpu__time_duration.sum", "nsecond",
             [](In in) { return in.prediction.cycles / in.prediction.sm_hz * 1e9; }),
        of_run("smsp__issue_active.avg.pct_of_peak_sustained_active", "%",
               [](In in) { return 100 * issued(in) / slots(in); }),
        of_run("smsp__inst_executed.avg.per_cycle_active", "inst/cycle",
               [](In in) { return in.run->counters.instructions / slots(in); }),
        of_run("smsp__warps_active.avg.per_cycle_active", "warp",
               [](In in) { return in.run->counters.warp_cycles / slots(in); }),
        of_run("smsp__warps_eligible.avg.per_cycle_active", "warp",
               [](In in) { return (issued(in) + stalled(in, StallReason::not_selected)) / slots(in); }),
        of_run("sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active", "%",
               [](In in) { return pipe_utilisation(in, Pipe::fma); }),
        of_run("sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active", "%",
               [](In in) { return pipe_utilisation(in, Pipe::alu); }),
        of_run("sm__inst_executed_pipe_tensor.avg", "inst", tensor_instructions),
        of_run("sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active", "%",
               [](In in) { return 100 * tensor_cycles(in) / (in.arch.sm.sub_partitions * in.run->cycles); }),
        of_run("lts__t_sector_hit_rate.pct", "%", l2_hit_rate)};
    for (std::size_t r = 0; r < stall_reason_count; ++r) {
        const auto reason = static_cast<StallReason>(r);
        rows.push_back(of_run(stall_counter_name(reason), "warp",
                              [reason](In in) { return stalled(in, reason) / issued(in); }));
    }
    return rows;
}

}  // namespace

std::string stall_counter_name(std::string_view reason) {
    return fmt::format("smsp__average_warps_issue_stalled_{}_per_issue_active.ratio", reason);
}
std::string stall_counter_name(StallReason reason) {
    return stall_counter_name(to_string(reason));
}

const std::vector<CounterRow>& counter_table() {
    static const auto table = make_table();
    return table;
}

const std::vector<std::string>& counter_names() {
    static const auto names = [] {
        std::vector<std::string> list;
        for (const auto& row : counter_table()) {
            list.push_back(row.name);
        }
        return list;
    }();
    return names;
}

std::vector<Counter> predicted_counters(const CounterInput& input) {
    std::vector<Counter> list;
    for (const auto& row : counter_table()) {
        const auto& formula = input.run != nullptr ? row.simulated : row.analytic;
        if (const auto value = formula ? formula(input) : std::nullopt) {
            list.push_back({row.name, *value});
        }
    }
    return list;
}

}  // namespace gpumodel
