#include "validate/counters/stall_sets.h"

#include <catch2/catch.hpp>
#include <map>

#include "model/counters/counters.h"

namespace gpumodel {
namespace {

const StallProfile measured{
    {"selected", 1}, {"wait", 4}, {"barrier", 3}, {"drain", 2}, {"not_selected", 1.9}};

}  // namespace

TEST_CASE("three largest stall reasons: the same set in any order, each within a quarter",
          "[unit][counters]") {
    const auto same = judge_stalls(
        measured, {{"selected", 9}, {"wait", 3}, {"barrier", 3.75}, {"drain", 2.5}, {"not_selected", 1}});
    REQUIRE(same);
    CHECK(same->same_set);
    CHECK(same->each_within);
    const auto far = judge_stalls(measured, {{"wait", 2.9}, {"barrier", 3}, {"drain", 2}});
    REQUIRE(far);
    CHECK(far->same_set);
    CHECK_FALSE(far->each_within);
}

TEST_CASE("a reason that is never predicted counts as predicted 0", "[unit][counters]") {
    const auto verdict = judge_stalls(measured, {{"wait", 4}, {"barrier", 3}, {"not_selected", 1.9}});
    REQUIRE(verdict);
    CHECK_FALSE(verdict->same_set);
    CHECK_FALSE(verdict->each_within);
}

TEST_CASE("without three measured reasons, or predicted ones, there is no verdict", "[unit][counters]") {
    CHECK_FALSE(judge_stalls({{"selected", 1}, {"wait", 2}, {"barrier", 0}}, measured));
    CHECK_FALSE(judge_stalls(measured, {{"selected", 1}}));
}

TEST_CASE("a profile's stalls are found under the profiler's names", "[unit][counters]") {
    const std::map<std::string, double> counters{{stall_counter_name("lg_throttle"), 2},
                                                 {stall_counter_name("imc_miss"), 0.5}};
    const auto profile = stall_profile([&](const std::string& name) -> std::optional<double> {
        const auto found = counters.find(name);
        return found == counters.end() ? std::nullopt : std::optional(found->second);
    });
    REQUIRE(profile.size() == 2);
    CHECK(profile[0].reason == "lg_throttle");
    CHECK(profile[1].reason == "imc_miss");
    CHECK(profile[1].cycles_per_issue == 0.5);
}

}  // namespace gpumodel
