// A table of colours: one value for each pair of two parameters.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/views/chart/svg.h"

namespace gpumodel::chart {

// Viridis by Nathaniel Smith and Stefan van der Walt (matplotlib 1.5, CC0), linear between eleven of its
// colours: 0 = dark violet, 1 = yellow; lightness grows evenly, also for the colour-blind and in grey.
[[nodiscard]] std::string viridis(double part);  // "#440154"
// Black or white, whichever is easier to read on it.
[[nodiscard]] std::string ink_on_viridis(double part);

struct HeatCell {
    std::optional<double> shade;  // 0 ... 1; empty: nothing there
    std::string label;
    std::string tip;
    bool marked = false;
};

struct HeatMap {
    std::string title;
    std::string x_name, y_name;
    std::vector<std::string> columns, rows;
    std::vector<HeatCell> cells;        // row by row; columns x rows of them
    std::string low_words, high_words;  // what shade 0 and 1 mean
};

// Labels are left out where cells are too narrow for them; the tips hold them always.
[[nodiscard]] std::string heat_map(const HeatMap& map, Embedding embedding = Embedding::page);

}  // namespace gpumodel::chart
