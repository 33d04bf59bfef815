// The sections of a sweep's page; those without content are left out of it.
#pragma once

#include <string>

#include "tools/report/html/html.h"
#include "tools/report/sweep/sweep_figures.h"

namespace gpumodel::cli::page {

struct Sweep {
    SweepSurvey survey;
    SweepFigures figures;
};

[[nodiscard]] Section sweep_summary(const Sweep& sweep);
[[nodiscard]] Section heat_section(const Sweep& sweep);
[[nodiscard]] Section best_section(const Sweep& sweep);
[[nodiscard]] Section times_section(const Sweep& sweep);
[[nodiscard]] Section bottlenecks_section(const Sweep& sweep);
[[nodiscard]] Section rejected_section(const Sweep& sweep);
[[nodiscard]] Section sweep_accuracy(const Sweep& sweep);

// Four digits, never an exponent.
[[nodiscard]] std::string four_digits(double value);
// What a row is ranked by: GFLOP/s or microseconds.
[[nodiscard]] std::string metric(const ResultRow& row, const SweepSurvey& survey);
// What sets a row apart from the others; all of it where nothing was varied.
[[nodiscard]] std::string configuration(const ResultRow& row, const SweepSurvey& survey);

}  // namespace gpumodel::cli::page
