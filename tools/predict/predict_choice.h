// What of a prediction `predict` prints: chosen sections of the text, or chosen metrics alone.
#pragma once

#include <string>
#include <vector>

#include "model/prediction.h"
#include "tools/cli/option_values.h"

namespace gpumodel::cli {

// --section: titles of the report's sections without what stands behind a colon; case does not matter, the
// beginning is enough. Names that none begins with, or several do, are faults.
[[nodiscard]] std::vector<std::string> section_titles(const std::vector<std::string>& names,
                                                      OptionFaults& faults);
// The report's two lines that say what is predicted, and the sections with these titles that it has.
[[nodiscard]] std::string only_sections(const std::string& report, const std::vector<std::string>& titles);

// --metrics: names of csv columns (`gpumodel metrics`), separated by commas, with * for any letters. In the
// columns' order, each once; what matches none is a fault.
[[nodiscard]] std::vector<std::string> metric_names(const std::string& patterns, OptionFaults& faults);
// One line for each metric and model: name, value, unit.
[[nodiscard]] std::string metrics_text(const std::vector<Prediction>& predictions,
                                       const std::vector<std::string>& names);
// What names the launch (arch to status), then the metrics.
[[nodiscard]] std::string metrics_csv(const std::vector<Prediction>& predictions,
                                      const std::vector<std::string>& names);

}  // namespace gpumodel::cli
