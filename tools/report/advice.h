// Rules as a profiler's: what limits the launch, in two numbers laid side by side, what would change it, and
// what that gains by the simulator, which runs the launch again with the limiter lifted (model/explain).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/explain/explain.h"
#include "model/prediction.h"

namespace gpumodel::cli::page {

struct Advice {
    std::string title;                   // "Bank conflicts"
    std::string_view limiter;            // as explain() names it: "bank conflicts"
    std::string found;                   // the two numbers
    std::string change;                  // what to do about it
    const ExplainRow* lifted = nullptr;  // null: not simulated
};

// The rules that a simulated launch meets, in the order of the table; none without `simulation`.
[[nodiscard]] std::vector<Advice> advice_for(const Prediction& prediction, const ArchSpec& arch);

// Their limiters, for explain().
[[nodiscard]] std::vector<std::string_view> limiters_of(const std::vector<Advice>& advice);

// Sets `lifted` to the row of the limiter, which `rows` must outlive, and puts the largest saving first.
void add_gains(const std::vector<ExplainRow>& rows, std::vector<Advice>& advice);

// Of the whole table, whether a launch meets them or not.
[[nodiscard]] std::vector<std::string_view> all_limiters_of_rules();

}  // namespace gpumodel::cli::page
