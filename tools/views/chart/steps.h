// Values that hold over ranges: cliffs, and counts of a histogram.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/views/chart/bars.h"
#include "tools/views/chart/scale.h"

namespace gpumodel::chart {

struct Step {
    double up_to = 0;  // holds from the step before on, this value included
    double value = 0;
};

struct StepChart {
    std::string title;
    std::string x_name, y_name;
    double start = 0;  // where the first step begins
    std::vector<Step> steps;
    double y_end = 0;           // top of the y axis
    std::optional<Point> mark;  // the present configuration
    std::string mark_label;
    double width = chart_width;
};

[[nodiscard]] std::string step_chart(const StepChart& chart, Embedding embedding = Embedding::page);

struct Bin {
    double from = 0, to = 0;
    double count = 0;
};

struct Histogram {
    std::string title;
    std::string x_name, y_name;
    ScaleKind scale = ScaleKind::linear;
    std::vector<Bin> bins;  // ascending, adjoining
};

[[nodiscard]] std::string histogram(const Histogram& chart, Embedding embedding = Embedding::page);

}  // namespace gpumodel::chart
