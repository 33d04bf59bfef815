#include "tools/views/prediction/prediction_json.h"

#include "model/sim/stalls.h"
#include "tools/views/prediction/prediction_notes.h"
#include "tools/views/prediction/simulation_json.h"

namespace gpumodel {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json optional_value(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

Json identity(const Prediction& p) {
    Json j;
    j["arch"] = p.arch;
    j["kernel"] = p.kernel;
    j["params"] = p.params;
    j["M"] = dimension_json(p.m);
    j["N"] = dimension_json(p.n);
    j["K"] = dimension_json(p.k);
    j["model"] = p.model;
    j["status"] = std::string(to_string(p.status));
    j["reason"] = p.reason;
    j["program_source"] = p.program_source ? Json(to_string(*p.program_source)) : Json(nullptr);
    j["program_detail"] = p.program_detail;
    return j;
}

Json occupancy_json(const Occupancy& o) {
    Json limiters = Json::array();
    for (const auto l : o.limiters) {
        limiters.push_back(std::string(to_string(l)));
    }
    return {{"blocks_per_sm", o.blocks_per_sm},
            {"warps_per_block", o.warps_per_block},
            {"active_warps", o.active_warps},
            {"limiters", limiters},
            {"limit_warps_blocks", o.limit_warps},
            {"limit_registers_blocks", optional_value(o.limit_registers)},
            {"limit_shared_memory_blocks", optional_value(o.limit_shared_memory)},
            {"limit_blocks_blocks", o.limit_blocks},
            {"registers_allocated_per_block", o.registers_allocated_per_block},
            {"shared_asked_bytes", o.shared_asked_bytes},
            {"shared_allocated_bytes", o.shared_allocated_bytes},
            {"carveout_bytes", o.carveout_bytes},
            {"registers_fewer_for_next_block", optional_value(o.registers_fewer_for_next_block)},
            {"shared_bytes_fewer_for_next_block", optional_value(o.shared_bytes_fewer_for_next_block)},
            {"threads_fewer_for_next_block", optional_value(o.threads_fewer_for_next_block)}};
}

Json unit_gains_json(const Prediction& p) {
    Json list = Json::array();
    for (const auto& gain : *p.unit_gains) {
        list.push_back({{"name", gain.name}, {"saved_pct", gain.saved_pct}});
    }
    return list;
}

Json bounds_json(const Prediction& p) {
    Json list = Json::array();
    for (const auto& b : p.bounds) {
        list.push_back({{"name", b.name}, {"cycles", b.cycles}, {"formula", b.formula}});
    }
    return list;
}

Json sites_json(const Prediction& p) {
    Json list = Json::array();
    for (const auto& s : p.sites) {
        const bool global = s.space != MemorySpace::shared;  // local memory is cached like global
        Json j{{"name", s.name},
               {"segment", s.segment},
               {"space", to_string(s.space)},
               {"kind", to_string(s.kind)},
               {"bits_per_lane", s.bits},
               {"instructions", s.instructions}};
        if (global) {
            j["sectors"] = s.sectors;
            j["ideal_sectors"] = s.ideal_sectors;
            j["l2_bytes"] = s.l2_bytes;
        } else {
            j["wavefronts"] = s.wavefronts;
            j["ideal_wavefronts"] = s.ideal_wavefronts;
            j["conflict_degree"] = s.degree;
        }
        list.push_back(std::move(j));
    }
    return list;
}

Json hot_instructions_json(const SimulationReport& run) {
    constexpr std::size_t most = 64;  // unrolled loops have thousands
    Json list = Json::array();
    for (const auto& line : run.instructions_by_stall) {
        if (list.size() == most) {
            break;
        }
        auto item = instruction_json(line);
        item["share_pct"] = 100 * item["warp_cycles"].get<double>() / run.warp_cycles;
        item["main_reason"] = to_string(main_stall(line).reason);
        item["stall_warp_cycles"] = stall_cycles_json(line.stall_cycles);
        list.push_back(std::move(item));
    }
    return list;
}

void add_simulation(const Prediction& p, Json& j) {
    const auto& run = *p.simulation;
    if (p.model_disagreement_pct) {
        j["model_disagreement_pct"] = *p.model_disagreement_pct;
    }
    j["issue_active_pct"] = 100 * run.issue_active;
    j["extrapolation"] = extrapolation_json(run);
    j["stalls"] = ranked_stalls_json(run);
    j["hot_instructions"] = hot_instructions_json(run);
}

// Rounds and waits of a block are the analytic model's; the simulator has none apart from the run.
Json time_terms_json(const Prediction& p) {
    if (p.simulation) {
        return {{"launch_overhead_us", p.terms.launch_seconds * 1e6}};
    }
    return {{"steady_cycles", p.terms.steady_cycles},
            {"tail_cycles", p.terms.tail_cycles},
            {"quantisation_cycles", p.terms.quantisation_cycles},
            {"launch_overhead_us", p.terms.launch_seconds * 1e6},
            {"block_alone_cycles", p.terms.block_alone_cycles},
            {"block_latency_cycles", p.terms.block_latency_cycles},
            {"block_demand_cycles", p.terms.block_demand_cycles}};
}

void add_results(const Prediction& p, Json& j) {
    j["time_us"] = p.time_seconds * 1e6;
    j["gflops"] = p.flops > 0 ? Json(p.flops_per_second() / 1e9) : Json(nullptr);
    const bool has_peak = p.flops > 0 && p.peak_flops > 0;
    j["peak_pct"] = has_peak ? Json(100 * p.fraction_of_peak()) : Json(nullptr);
    j["peak_unit"] = has_peak ? Json(p.peak_unit) : Json(nullptr);
    j["peak_gflops"] = has_peak ? Json(p.peak_flops / 1e9) : Json(nullptr);
    j["effective_bandwidth_gbytes_per_s"] = p.effective_bytes / p.time_seconds / 1e9;
    j["cycles"] = p.cycles;
    j["theoretical_occupancy"] = p.occupancy.occupancy;
    j["achieved_occupancy"] = p.achieved_occupancy;
    j["waves"] = p.waves.waves;
    j["bottleneck"] = p.bottlenecks;
    j["bottleneck_words"] = p.bottleneck_words;
    if (p.unit_gains) {
        j["unit_gains"] = unit_gains_json(p);
    }
    j["error_band_pct"] = optional_value(p.error_band_pct);
    j["sm_clock_mhz"] = p.sm_hz / 1e6;
    j["average_power_w"] = optional_value(p.average_watts);
    j["energy_mj"] = p.energy_joules ? Json(*p.energy_joules * 1e3) : Json(nullptr);
    j["power_band_pct"] = optional_value(p.power_band_pct);
    if (p.simulation) {
        add_simulation(p, j);
    }
    j["time_terms"] = time_terms_json(p);
    j["bounds"] = bounds_json(p);
    j["sites"] = sites_json(p);
    Json counters;
    for (const auto& c : p.counters) {
        counters[std::string(c.name)] = c.value;
    }
    j["counters"] = counters;
    j["estimates"] = p.estimates;
    j["gaps"] = texts_of(read_notes(p.gaps));
    j["notes"] = notes_json(notes_of(p));
    j["unknown_data"] = unknown_data_json(p);
}

}  // namespace

Json unknown_data_json(const Prediction& p) {
    auto list = Json::array();
    for (const auto& mark : p.unknown_data) {
        list.push_back(
            {{"what", to_string(mark.what)}, {"address", mark.address}, {"instruction", mark.instruction}});
    }
    return list;
}

Json prediction_json(const Prediction& p) {
    Json j = identity(p);
    if (p.resources.threads > 0) {
        j["threads_per_block"] = p.resources.threads;
        j["registers_per_thread"] = p.resources.registers_per_thread;
        j["registers_source"] = p.resources.registers_source;
        j["shared_bytes_per_block"] = p.resources.static_shared_bytes + p.resources.dynamic_shared_bytes;
        j["grid"] = {p.grid.x, p.grid.y, p.grid.z};
        j["occupancy"] = occupancy_json(p.occupancy);
    }
    if (is_predicted(p.status)) {
        add_results(p, j);
    }
    return j;
}

Json metadata_json(const ReportMetadata& metadata) {
    Json json{{"tool", "gpumodel"}, {"version", metadata.tool_version}};
    const auto add = [&](const char* key, const std::string& value) {
        if (!value.empty()) {
            json[key] = value;
        }
    };
    add("git_revision", metadata.revision);
    add("compiler", metadata.compiler);
    add("build_type", metadata.build_type);
    add("spec_file", metadata.spec_file);
    add("spec_hash", metadata.spec_hash);
    json["command_line"] = metadata.command_line;
    if (!metadata.settings.empty()) {
        json["settings"] = metadata.settings;
    }
    add("host", metadata.host);
    add("utc_time", metadata.utc_time);
    return json;
}

Json predictions_head(const ReportMetadata& metadata) {
    return {{"schema_version", schema_version}, {"metadata", metadata_json(metadata)}};
}

Json predictions_json(const std::vector<Prediction>& models, const ReportMetadata& metadata) {
    auto document = predictions_head(metadata);
    document["predictions"] = Json::array();
    for (const auto& p : models) {
        document["predictions"].push_back(prediction_json(p));
    }
    if (!models.empty() && models.front().model_disagreement_pct) {
        document["model_disagreement_pct"] = *models.front().model_disagreement_pct;
    }
    return document;
}

}  // namespace gpumodel
