// Horizontal bars, one row each, and one bar cut into parts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/views/chart/svg.h"

namespace gpumodel::chart {

// In units. 12-unit text stays legible where a phone shows them, or a column of the page.
inline constexpr double chart_width = 420;
inline constexpr double narrow_chart_width = 350;

struct Bar {
    std::string label;
    double value = 0;        // negative ones point left
    std::string value_text;  // printed at the row's end
    std::string tip;
    int colour = 1;  // 1 ... 8
    bool bold = false;
};

struct BarChart {
    std::string title;
    std::vector<Bar> bars;
    // A vertical line, e.g. the predicted time among lower bounds, with its words above the bars.
    std::optional<double> reference;
    std::string reference_label;
    double width = chart_width;
    double whole = 0;  // what the scale holds at least: 1 for shares, so that a full track is all of it
};

// All bars on one linear scale that holds 0, all values, the reference and `whole`.
[[nodiscard]] std::string bar_chart(const BarChart& chart, Embedding embedding = Embedding::page);

struct Part {
    std::string label;
    double share = 0;  // >= 0; parts are drawn in proportion to the sum
    std::string value_text;
    int colour = 1;
    bool faint = false;  // a second shade, for more than eight parts
};

// One bar with a legend below; parts of no share are left out.
[[nodiscard]] std::string stacked_bar(const std::string& title, const std::vector<Part>& parts,
                                      Embedding embedding = Embedding::page);

}  // namespace gpumodel::chart
