// json and csv of one simulated launch.
#include <fmt/format.h>

#include "tools/views/explain/explain_views.h"
#include "tools/views/prediction/prediction_json.h"
#include "tools/views/prediction/prediction_notes.h"
#include "tools/views/prediction/report.h"
#include "tools/views/prediction/shared_rows.h"
#include "tools/views/prediction/simulation_json.h"
#include "tools/views/result_json.h"
#include "tools/views/simulate/simulate_views.h"

namespace gpumodel::cli {
namespace {

using Json = nlohmann::ordered_json;
using Cycles = std::array<double, stall_reason_count>;

Json launch_json(const Simulation& s) {
    const auto& p = s.prediction;
    Json j = {{"kernel", p.kernel},
              {"params", p.params},
              {"M", dimension_json(p.m)},
              {"N", dimension_json(p.n)},
              {"K", dimension_json(p.k)},
              {"l2", s.cold ? "cold" : "warm"},
              {"status", to_string(p.status)},
              {"reason", p.reason}};
    return j;
}

Json stalls_json(const Simulation& s) {
    Json j;
    j["warp_cycles"] = s.run.counters.warp_cycles;
    j["resident_warp_cycles_simulated"] = s.run.resident_warp_cycles;
    j["accounted_warp_cycles_simulated"] = s.run.accounted_warp_cycles;
    j["reasons"] = ranked_stalls_json(*s.prediction.simulation);
    return j;
}

Json instructions_json(const Simulation& s) {
    Json list = Json::array();
    for (const auto& line : s.prediction.simulation->instructions_by_stall) {
        auto item = instruction_json(line);
        item["stall_warp_cycles"] = stall_cycles_json(line.stall_cycles);
        list.push_back(std::move(item));
    }
    return list;
}

Json sites_json(const Simulation& s) {
    Json list = Json::array();
    for (const auto& site : s.sites) {
        list.push_back({{"segment", site.segment},
                        {"site", site.site},
                        {"instructions", site.instructions},
                        {"warp_cycles", site.warp_cycles},
                        {"stall_warp_cycles", stall_cycles_json(site.cycles)}});
    }
    return list;
}

Json use_json(const Simulation& s) {
    Json pipes = Json::object();
    for (const auto& pipe : s.use.pipes) {
        pipes[std::string(to_string(pipe.pipe))] = {{"instructions", pipe.instructions},
                                                    {"utilisation_pct", 100 * pipe.utilisation}};
    }
    Json j;
    j["pipes"] = pipes;
    j["data_pipe_pct"] = 100 * s.use.data_pipe;
    j["shared_wavefronts"] = s.run.counters.shared_wavefronts;
    j["shared_conflicts"] = s.run.counters.shared_conflicts;
    j["l1_hit_rate_pct"] = s.use.l1_hit_rate ? Json(100 * *s.use.l1_hit_rate) : Json(nullptr);
    j["l2_read_bytes_per_cycle"] = s.use.l2_read_bytes_per_cycle;
    j["l2_write_bytes_per_cycle"] = s.use.l2_write_bytes_per_cycle;
    return j;
}

Json timeline_json(const TimelineView& timeline) {
    Json rows = Json::array();
    for (const auto& row : timeline.rows) {
        rows.push_back({{"scheduler", row.scheduler},
                        {"block_slot", row.slot},
                        {"warp", row.warp},
                        {"cells", row.cells}});
    }
    Json legend = Json::object();
    for (const auto& entry : timeline_legend()) {
        legend[std::string(1, entry.letter)] = entry.meaning;
    }
    return {{"from_cycle", timeline.window.from},
            {"cycles", timeline.window.cycles},
            {"resident_warps", timeline.warps},
            {"legend", legend},
            {"rows", rows}};
}

void add_results(const Simulation& s, Json& j) {
    const auto& run = s.run;
    j["time_us"] = run.time_seconds * 1e6;
    j["cycles"] = run.cycles;
    j["launch_overhead_us"] = s.prediction.terms.launch_seconds * 1e6;
    j["blocks_per_sm"] = run.waves.blocks_per_sm;
    j["sm_blocks"] = run.waves.busiest_sm_blocks;
    j["theoretical_occupancy"] = s.prediction.occupancy.occupancy;
    j["achieved_occupancy"] = run.achieved_occupancy;
    j["issue_active_pct"] = 100 * run.issue_active;
    j["extrapolation"] = extrapolation_json(*s.prediction.simulation);
    j["stalls"] = stalls_json(s);
    j["sm"] = use_json(s);
    Json counters = Json::object();
    for (const auto& counter : s.prediction.counters) {
        counters[std::string(counter.name)] = counter.value;
    }
    j["counters"] = counters;
    j["sites"] = sites_json(s);
    j["instructions"] = instructions_json(s);
    if (!s.explained.empty()) {
        j["explain"] = explain_json(s.explained);
    }
}

class CsvRows {
public:
    CsvRows(const Prediction& p, const ArchSpec& arch)
        : launch_(csv_cells(arch.name, p.kernel, p.params, dimension_text(p.m), dimension_text(p.n),
                            dimension_text(p.k)) +
                  ',') {}
    void add(const std::string& section, const std::string& item, std::string_view metric, double value,
             const char* unit) {
        text_ += launch_ + csv_record(section, item, metric, value, unit);
    }
    void add_reasons(const std::string& section, const std::string& item, const Cycles& cycles) {
        for (std::size_t r = 0; r < stall_reason_count; ++r) {
            if (cycles[r] > 0) {
                add(section, item, stall_reason_names[r], cycles[r], "warp_cycles");
            }
        }
    }
    [[nodiscard]] const std::string& text() const { return text_; }

private:
    std::string launch_;
    std::string text_ = "arch,kernel,params,M,N,K,section,item,metric,value,unit\n";
};

void add_launch_rows(const Simulation& s, CsvRows& rows) {
    const auto& run = s.run;
    rows.add("launch", "", "time", run.time_seconds * 1e6, "us");
    rows.add("launch", "", "cycles", run.cycles, "cycles");
    rows.add("launch", "", "achieved_occupancy", 100 * run.achieved_occupancy, "pct");
    rows.add("launch", "", "issue_active", 100 * run.issue_active, "pct");
    rows.add("launch", "", "warp_cycles", run.counters.warp_cycles, "warp_cycles");
    rows.add_reasons("stalls", "", run.counters.stall_cycles);
    for (const auto& pipe : s.use.pipes) {
        rows.add("pipe", std::string(to_string(pipe.pipe)), "utilisation", 100 * pipe.utilisation, "pct");
    }
    rows.add("pipe", "data pipe", "utilisation", 100 * s.use.data_pipe, "pct");
    if (s.use.l1_hit_rate) {
        rows.add("cache", "L1", "hit_rate", 100 * *s.use.l1_hit_rate, "pct");
    }
    rows.add("cache", "L2", "read", s.use.l2_read_bytes_per_cycle, "bytes_per_cycle");
    rows.add("cache", "L2", "write", s.use.l2_write_bytes_per_cycle, "bytes_per_cycle");
}

}  // namespace

std::string simulation_json(const Simulation& s, const ArchSpec& arch) {
    auto j = json_head(arch);
    j.update(launch_json(s));
    if (is_predicted(s.prediction.status)) {
        add_results(s, j);
    }
    if (s.timeline) {
        j["timeline"] = timeline_json(*s.timeline);
    }
    const auto notes = read_notes(s.prediction.gaps);
    j["gaps"] = texts_of(notes);
    j["notes"] = notes_json(notes);
    j["unknown_data"] = unknown_data_json(s.prediction);
    return json_text(j);
}

std::string simulation_csv(const Simulation& s, const ArchSpec& arch) {
    CsvRows rows(s.prediction, arch);
    if (!is_predicted(s.prediction.status)) {
        return rows.text();
    }
    add_launch_rows(s, rows);
    for (const auto& counter : s.prediction.counters) {
        rows.add("counter", "", std::string(counter.name), counter.value, "");
    }
    for (const auto& site : s.sites) {
        const auto item = site.segment + "/" + (site.site.empty() ? "(other)" : site.site);
        rows.add("site", item, "instructions", site.instructions, "instructions");
        rows.add_reasons("site", item, site.cycles);
    }
    for (const auto& line : s.prediction.simulation->instructions_by_stall) {
        const auto item = place_of(line) + ' ' + line.mnemonic;
        rows.add("instruction", item, "issues", line.issues, "instructions");
        rows.add_reasons("instruction", item, line.stall_cycles);
    }
    for (const auto& row : s.explained) {
        if (row.status == ExplainStatus::ok) {
            rows.add("explain", row.name, "saved", row.saved_pct, "pct");
        }
    }
    return rows.text();
}

}  // namespace gpumodel::cli
