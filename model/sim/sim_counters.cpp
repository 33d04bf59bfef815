#include "model/sim/sim_counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace gpumodel {
namespace {

constexpr double lanes_per_warp = 32;

std::optional<double> value_of(const std::vector<Counter>& counters, const std::string& name) {
    const auto found =
        std::find_if(counters.begin(), counters.end(), [&name](const Counter& c) { return c.name == name; });
    return found == counters.end() ? std::nullopt : std::optional(found->value);
}

void replace(std::vector<Counter>& counters, const std::string& name, double value) {
    const auto found =
        std::find_if(counters.begin(), counters.end(), [&name](const Counter& c) { return c.name == name; });
    if (found != counters.end()) {
        found->value = value;
    }
}

double stalled(const SimResult& run, StallReason reason) {
    return run.counters.stall_cycles[static_cast<std::size_t>(reason)];
}

// The analytic rate with the loads' hits exchanged for those of the run.
std::optional<double> l1_hit_rate(const SimResult& run, const Prediction& prediction) {
    const auto rate = value_of(prediction.counters, "l1tex__t_sector_hit_rate.pct");
    const auto stores = value_of(prediction.counters, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum");
    const auto& t = prediction.traffic;
    if (!rate || !stores || run.counters.l1_load_sectors <= 0) {
        return std::nullopt;
    }
    const double looked_up = t.l1_load_sectors + *stores;
    const double store_hits = *rate / 100 * looked_up - t.l1_load_sector_hits;
    const double load_hits =
        t.l1_load_sectors * run.counters.l1_load_sector_hits / run.counters.l1_load_sectors;
    return 100 * std::clamp((load_hits + store_hits) / looked_up, 0.0, 1.0);
}

std::optional<double> l2_hit_rate(const ArchSpec& arch, const Traffic& traffic) {
    const double looked_up = traffic.l2_served_bytes + traffic.l2_write_bytes;
    if (arch.l2.size_bytes == 0 || looked_up <= 0) {
        return std::nullopt;
    }
    return 100 * std::clamp(1 - traffic.dram_read_bytes / looked_up, 0.0, 1.0);
}

std::optional<double> pipe_utilisation(const SimResult& run, const ArchSpec& arch, Pipe pipe) {
    double instructions = 0;
    for (std::size_t c = 0; c < op_class_count; ++c) {
        const auto& op = arch.sm.ops[c];
        instructions += op && op->pipe == pipe ? run.counters.issued_by_class[c] : 0;
    }
    const auto& lanes = arch.sm.pipe_lanes[static_cast<std::size_t>(pipe)];
    if (!lanes || *lanes <= 0) {
        return std::nullopt;
    }
    return 100 * instructions * lanes_per_warp / (*lanes * run.cycles);
}

}  // namespace

std::string stall_counter_name(StallReason reason) {
    return fmt::format("smsp__average_warps_issue_stalled_{}_per_issue_active.ratio", to_string(reason));
}

std::vector<Counter> simulated_counters(const SimResult& run, const ArchSpec& arch,
                                        const Prediction& prediction) {
    auto counters = prediction.counters;
    replace(counters, "gpu__time_duration.sum", run.cycles / arch.clock.sm_hz * 1e9);
    replace(counters, "sm__warps_active.avg.pct_of_peak_sustained_active", 100 * run.achieved_occupancy);
    if (const auto rate = l1_hit_rate(run, prediction)) {
        replace(counters, "l1tex__t_sector_hit_rate.pct", *rate);
    }
    const auto& t = run.traffic;
    replace(counters, "lts__t_sectors_srcunit_tex_op_read.sum", t.l2_served_bytes / 32);
    replace(counters, "lts__t_sectors_srcunit_tex_op_write.sum", t.l2_write_bytes / 32);
    replace(counters, "dram__bytes_read.sum", t.dram_read_bytes);
    replace(counters, "dram__bytes_write.sum", t.dram_write_bytes);
    const auto add = [&counters](const std::string& name, std::optional<double> value) {
        if (value) {
            counters.push_back({name, *value});
        }
    };
    const double issued = stalled(run, StallReason::selected);
    const double slots = run.cycles * arch.sm.schedulers;
    if (issued <= 0 || slots <= 0) {
        return counters;
    }
    add("smsp__issue_active.avg.pct_of_peak_sustained_active", 100 * issued / slots);
    add("smsp__inst_executed.avg.per_cycle_active", run.counters.instructions / slots);
    add("smsp__warps_active.avg.per_cycle_active", run.counters.warp_cycles / slots);
    add("smsp__warps_eligible.avg.per_cycle_active",
        (issued + stalled(run, StallReason::not_selected)) / slots);
    add("sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active",
        pipe_utilisation(run, arch, Pipe::fma));
    add("sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active",
        pipe_utilisation(run, arch, Pipe::alu));
    add("lts__t_sector_hit_rate.pct", l2_hit_rate(arch, prediction.traffic));
    for (std::size_t r = 0; r < stall_reason_count; ++r) {
        const auto reason = static_cast<StallReason>(r);
        add(stall_counter_name(reason), stalled(run, reason) / issued);
    }
    return counters;
}

}  // namespace gpumodel
