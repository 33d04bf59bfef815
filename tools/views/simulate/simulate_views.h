// Views of one simulated launch, as the simulate command prints it. All three show the same struct.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arch_specs/arch_spec.h"
#include "model/explain/explain.h"
#include "model/explain/site_stalls.h"
#include "model/prediction.h"
#include "model/sim/core/utilisation.h"
#include "model/sim/events/timeline.h"
#include "model/sim/simulate.h"

namespace gpumodel::cli {

struct TimelineView {
    TimelineWindow window;
    std::vector<TimelineRow> rows;
    std::int64_t last_cycle = 0;  // of the simulated part
    int warps = 0;                // resident on the SM
};

struct Simulation {
    Prediction prediction;  // status, launch, counters; `simulation` has the instructions by warp cycles
    SimResult run;
    SmUse use;                      // when ok
    std::vector<SiteStalls> sites;  // when ok
    std::optional<TimelineView> timeline;
    std::vector<ExplainRow> explained;  // with --explain
    bool cold = false;
    std::size_t instructions = 16;  // rows of the tables in text
};

[[nodiscard]] std::string simulation_text(const Simulation& simulation, const ArchSpec& arch);
[[nodiscard]] std::string simulation_json(const Simulation& simulation, const ArchSpec& arch);
// Long and tidy: kernel,params,M,N,K,section,item,metric,value,unit
[[nodiscard]] std::string simulation_csv(const Simulation& simulation, const ArchSpec& arch);

[[nodiscard]] std::string timeline_text(const TimelineView& timeline);

}  // namespace gpumodel::cli
