// What the columns of predictions mean, in words: for `gpumodel metrics`.
#pragma once

#include <string>
#include <vector>

namespace gpumodel::cli {

struct Metric {
    std::string name;     // the csv column
    std::string unit;     // "" = a plain number or text
    std::string models;   // "analytic, simulate", "simulate"
    std::string meaning;  // a sentence
};

// In the order of the csv columns, all of them: the contract's and the predicted counters.
[[nodiscard]] std::vector<Metric> metrics();

}  // namespace gpumodel::cli
