// Pieces that the sections of the text report share.
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <string>

#include "tools/views/prediction/shared_rows.h"

namespace gpumodel {

using TextOut = std::back_insert_iterator<std::string>;

inline void text_row(TextOut out, const std::string& label, const std::string& value) {
    fmt::format_to(out, "  {:<32}  {}\n", label, value);
}

inline void text_section(TextOut out, const std::string& title) {
    fmt::format_to(out, "\n{}\n", title);
}

// "M=1 N=2 K=3  BM=128;BN=64" and an empty line.
inline void text_launch(TextOut out, const Prediction& p) {
    const auto size = size_text(p.m, p.n, p.k);
    fmt::format_to(out, "{}{}{}\n\n", size, size.empty() ? "" : "  ",
                   p.params.empty() ? "(no parameters)" : p.params);
}

void text_memory(TextOut out, const Prediction& p);
void text_extrapolation(TextOut out, const SimulationReport& run);
void text_stalls(TextOut out, const SimulationReport& run);
void text_hot_instructions(TextOut out, const SimulationReport& run);

}  // namespace gpumodel
