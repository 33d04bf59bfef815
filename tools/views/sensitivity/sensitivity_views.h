// Views of a sensitivity study: text, csv (tidy: one row per key, parameter or what-if) and json.
#pragma once

#include <string>
#include <vector>

#include "arch_specs/arch_spec.h"
#include "model/prediction.h"
#include "model/sensitivity/sensitivity.h"

namespace gpumodel::cli {

struct SensitivityReport {
    Prediction launch;  // of the analytic model, for what was asked: kernel, parameters, estimates
    bool simulated = false;
    double step = 0;       // relative
    std::size_t top = 0;   // rows of each table in text
    bool studied = false;  // false: what-ifs only
    SensitivityStudy study;
    std::vector<WhatIf> what_ifs;
};

[[nodiscard]] std::string sensitivity_text(const SensitivityReport& report, const ArchSpec& arch);
[[nodiscard]] std::string sensitivity_csv(const SensitivityReport& report, const ArchSpec& arch);
[[nodiscard]] std::string sensitivity_json(const SensitivityReport& report, const ArchSpec& arch);

// "sm_count = 160", "clock.sm = 2 GHz, sm_count = 160"
[[nodiscard]] std::string changes_text(const WhatIf& what_if);

}  // namespace gpumodel::cli
