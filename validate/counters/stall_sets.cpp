#include "validate/counters/stall_sets.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "model/counters/counters.h"

namespace gpumodel {
namespace {

constexpr std::size_t reasons_judged = 3;
constexpr double close_reason = 0.25;

// Nsight Compute's for sm_70 and later that are not predicted.
constexpr std::array<std::string_view, 6> never_predicted{"drain", "imc_miss", "membar",
                                                          "misc",  "sleeping", "tex_throttle"};

double cycles_of(const StallProfile& profile, const std::string& reason) {
    const auto found =
        std::find_if(profile.begin(), profile.end(), [&](const auto& s) { return s.reason == reason; });
    return found == profile.end() ? 0 : found->cycles_per_issue;
}

// By name within one rank, so that ties are the same ones everywhere.
StallProfile most_of(StallProfile profile) {
    std::erase_if(profile, [](const auto& s) {
        return s.reason == to_string(StallReason::selected) || s.cycles_per_issue <= 0;
    });
    std::sort(profile.begin(), profile.end(), [](const auto& a, const auto& b) {
        return a.cycles_per_issue != b.cycles_per_issue ? a.cycles_per_issue > b.cycles_per_issue
                                                        : a.reason < b.reason;
    });
    profile.resize(std::min(profile.size(), reasons_judged));
    return profile;
}

}  // namespace

StallProfile stall_profile(const std::function<std::optional<double>(const std::string&)>& counter) {
    StallProfile profile;
    const auto add = [&](std::string_view reason) {
        if (const auto value = counter(stall_counter_name(reason))) {
            profile.push_back({std::string(reason), *value});
        }
    };
    std::for_each(stall_reason_names.begin(), stall_reason_names.end(), add);
    std::for_each(never_predicted.begin(), never_predicted.end(), add);
    return profile;
}

std::optional<StallVerdict> judge_stalls(const StallProfile& measured, const StallProfile& predicted) {
    const auto expected = most_of(measured), found = most_of(predicted);
    if (expected.size() < reasons_judged || found.empty()) {
        return std::nullopt;
    }
    const auto all_of_expected = [&](const auto& holds) {
        return std::all_of(expected.begin(), expected.end(), holds);
    };
    return StallVerdict{all_of_expected([&](const auto& s) { return cycles_of(found, s.reason) > 0; }),
                        all_of_expected([&](const auto& s) {
                            const double error = cycles_of(predicted, s.reason) / s.cycles_per_issue - 1;
                            return std::abs(error) <= close_reason;
                        })};
}

void StallSets::add(const StallVerdict& verdict) {
    launches += 1;
    same_set += verdict.same_set ? 1U : 0U;
    each_within += verdict.each_within ? 1U : 0U;
    both += verdict.same_set && verdict.each_within ? 1U : 0U;
}

}  // namespace gpumodel
