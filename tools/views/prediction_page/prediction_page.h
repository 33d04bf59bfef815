// The page of one launch.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arch_specs/arch_spec.h"
#include "model/explain/explain.h"
#include "model/memory/traffic.h"
#include "model/prediction.h"
#include "tools/report/advice.h"
#include "tools/report/code_lines.h"
#include "tools/report/site_access.h"
#include "tools/views/html/html.h"
#include "tools/views/simulate/simulate_views.h"

namespace gpumodel::cli::page {

struct PredictionReport {
    const ArchSpec* arch = nullptr;
    std::vector<Prediction> models;             // as predict_launch gives them
    std::vector<SharedAccess> shared_accesses;  // of the program that the first model with a time looked at
    L2State l2 = L2State::warm;
    std::vector<ExplainRow> what_ifs;  // may be empty
    std::vector<CodeLine> code;        // of the simulated launch; may be empty
    std::optional<TimelineView> timeline;
    std::vector<Advice> advice;  // the largest gain first

    // The one whose time is the predicted one: the first with a time, else the first.
    [[nodiscard]] const Prediction& main() const;
    // The analytic model's where it has a time; it alone knows rounds and tail.
    [[nodiscard]] const Prediction* analytic() const;
};

[[nodiscard]] std::string prediction_page(const PredictionReport& report);

// Its parts, one file each; a section without content is left out of the page.
[[nodiscard]] Section summary_section(const PredictionReport& report);
[[nodiscard]] Section advice_section(const PredictionReport& report);
[[nodiscard]] Section bounds_section(const PredictionReport& report);
[[nodiscard]] Section time_section(const PredictionReport& report);
[[nodiscard]] Section roofline_section(const PredictionReport& report);
[[nodiscard]] Section what_if_section(const PredictionReport& report);
[[nodiscard]] Section occupancy_section(const PredictionReport& report);
[[nodiscard]] Section stalls_section(const PredictionReport& report);
[[nodiscard]] Section timeline_section(const PredictionReport& report);
[[nodiscard]] Section instructions_section(const PredictionReport& report);
[[nodiscard]] Section code_section(const PredictionReport& report);
[[nodiscard]] Section mix_section(const PredictionReport& report);
[[nodiscard]] Section memory_section(const PredictionReport& report);
[[nodiscard]] Section counters_section(const PredictionReport& report);
[[nodiscard]] Section estimates_section(const PredictionReport& report);
[[nodiscard]] Section accuracy_section(const PredictionReport& report);

}  // namespace gpumodel::cli::page
