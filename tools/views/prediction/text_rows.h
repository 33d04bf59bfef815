// Pieces that the sections of the text report share.
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <string>

#include "model/prediction.h"

namespace gpumodel {

using TextOut = std::back_insert_iterator<std::string>;

inline void text_row(TextOut out, const std::string& label, const std::string& value) {
    fmt::format_to(out, "  {:<34}{}\n", label, value);
}

inline void text_section(TextOut out, const std::string& title) {
    fmt::format_to(out, "\n{}\n", title);
}

void text_memory(TextOut out, const Prediction& p);
void text_extrapolation(TextOut out, const SimulationReport& run);
void text_stalls(TextOut out, const SimulationReport& run);
void text_hot_instructions(TextOut out, const SimulationReport& run);

}  // namespace gpumodel
