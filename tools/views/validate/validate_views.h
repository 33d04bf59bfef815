// Views of what `gpumodel validate` found.
#pragma once

#include <string>
#include <vector>

#include "arch_specs/arch_spec.h"
#include "validate/accuracy/accuracy_report.h"
#include "validate/accuracy/gate.h"

namespace gpumodel::cli {

struct TimesView {
    const AccuracyReport& report;
    const Comparison& comparison;
    bool bands = false;  // some launch has a band
    bool several_models = false;
};

[[nodiscard]] std::string times_text(const TimesView& view);
// `table`: groups, sweeps, ladders, slopes, worst.
[[nodiscard]] std::string times_csv(const TimesView& view, const std::string& table);
[[nodiscard]] std::string times_json(const TimesView& view, const ArchSpec& arch);
// csv of every launch, line by line
[[nodiscard]] std::string times_rows_header();
[[nodiscard]] std::string times_row(const ComparedLaunch& launch);

// A line per limit: kept or not.
[[nodiscard]] std::string gate_text(const std::vector<GateResult>& results);

}  // namespace gpumodel::cli
