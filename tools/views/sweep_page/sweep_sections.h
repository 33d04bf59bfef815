// The sections of a sweep's page; those without content are left out of it.
#pragma once

#include <string>

#include "tools/report/sweep_figures.h"
#include "tools/views/html/html.h"

namespace gpumodel::cli::page {

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
[[nodiscard]] std::string metric(const LaunchRecord& row, const SweepSurvey& survey);
// What sets a row apart from the others; all of it where nothing was varied.
[[nodiscard]] std::string configuration(const LaunchRecord& row, const SweepSurvey& survey);

}  // namespace gpumodel::cli::page
