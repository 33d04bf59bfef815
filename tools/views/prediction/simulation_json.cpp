#include "tools/views/prediction/simulation_json.h"

#include <numeric>

#include "model/sim/stalls.h"

namespace gpumodel {

using Json = nlohmann::ordered_json;

Json dimension_json(std::int64_t value) {
    return value > 0 ? Json(value) : Json(nullptr);
}

Json stall_cycles_json(const std::array<double, stall_reason_count>& cycles) {
    Json reasons = Json::object();
    for (std::size_t r = 0; r < stall_reason_count; ++r) {
        if (cycles[r] > 0) {
            reasons[std::string(stall_reason_names[r])] = cycles[r];
        }
    }
    return reasons;
}

Json ranked_stalls_json(const SimulationReport& run) {
    Json list = Json::array();
    for (const auto& s : ranked_stalls(run)) {
        list.push_back({{"reason", to_string(s.reason)},
                        {"warp_cycles", s.warp_cycles},
                        {"share_pct", s.share_pct},
                        {"cycles_per_issue", s.cycles_per_issue}});
    }
    return list;
}

Json instruction_json(const InstructionReport& line) {
    return {{"segment", line.segment},
            {"index", line.index >= 0 ? Json(line.index) : Json(nullptr)},
            {"address", line.address > 0 ? Json(line.address) : Json(nullptr)},
            {"source", line.source.empty() ? Json(nullptr) : Json(line.source)},
            {"mnemonic", line.mnemonic},
            {"site", line.site},
            {"issues", line.issues},
            {"warp_cycles", std::accumulate(line.stall_cycles.begin(), line.stall_cycles.end(), 0.0)}};
}

Json extrapolation_json(const SimulationReport& run) {
    return {{"extrapolated", run.extrapolated()},
            {"loop_trips", run.trips},
            {"loop_trips_simulated", run.simulated_trips},
            {"sm_blocks", run.blocks},
            {"sm_blocks_simulated", run.simulated_blocks},
            {"instructions_simulated", run.simulated_instructions}};
}

}  // namespace gpumodel
