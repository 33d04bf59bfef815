#include "tools/views/explain/explain_views.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "model/explain/limiters.h"
#include "tools/views/prediction/report.h"

namespace gpumodel::cli {
namespace {

// The rows that the first screen's bottleneck is one of, and what it calls them.
std::string unit_words(const std::vector<ExplainRow>& rows) {
    std::vector<std::string> units;
    for (const auto& row : rows) {
        const auto& list = limiters();
        const auto found =
            std::find_if(list.begin(), list.end(), [&](const Limiter& l) { return l.name == row.name; });
        if (found != list.end() && found->unit != nullptr && row.status == ExplainStatus::ok) {
            units.push_back(found->name == std::string_view(found->unit)
                                ? row.name
                                : fmt::format("{} ({})", found->unit, row.name));
        }
    }
    return fmt::format("{}", fmt::join(units, ", "));
}

}  // namespace

std::string explain_text(const std::vector<ExplainRow>& rows) {
    if (rows.empty()) {
        return "";
    }
    std::string text = "\nWhat each limiter costs: the simulation run again without it\n";
    text += fmt::format("  {:<30}  {:>12} {:>11} {:>9} {:>7}   {}\n", "without", "time", "saved", "% saved",
                        "+- %", "what is assumed");
    for (const auto& row : rows) {
        if (row.status != ExplainStatus::ok) {
            text += fmt::format("  {:<30}  {:>12} {:>11} {:>9} {:>7}   {}: {}\n", row.name, "-", "-", "-",
                                "-", to_string(row.status), row.reason);
            continue;
        }
        const bool gains = row.saved_seconds >= 0;
        text += fmt::format("  {:<30}  {:>12} {:>11} {:>9.1f} {:>7.1f}   {}\n", row.name,
                            human_time(row.time_seconds),
                            (gains ? "" : "-") + human_time(gains ? row.saved_seconds : -row.saved_seconds),
                            row.saved_pct, row.error_bound_pct, row.relaxed);
    }
    return text +
           "  Savings do not add up: behind one limiter often waits the next. A small or negative saving\n"
           "  is how warps happen to interleave. +- %: how far extrapolation may be off (--exact: none).\n"
           "  The bottleneck is the one of these that saves most: " +
           unit_words(rows) + ".\n  The others are parts of them, or of the launch's shape.\n";
}

nlohmann::ordered_json explain_json(const std::vector<ExplainRow>& rows) {
    using Json = nlohmann::ordered_json;
    Json list = Json::array();
    for (const auto& row : rows) {
        const bool ok = row.status == ExplainStatus::ok;
        const auto value = [ok](double number) { return ok ? Json(number) : Json(nullptr); };
        list.push_back({{"limiter", row.name},
                        {"assumes", row.relaxed},
                        {"status", to_string(row.status)},
                        {"reason", row.reason},
                        {"time_us", value(row.time_seconds * 1e6)},
                        {"cycles", value(row.cycles)},
                        {"saved_us", value(row.saved_seconds * 1e6)},
                        {"saved_pct", value(row.saved_pct)},
                        {"extrapolation_error_bound_pct", value(row.error_bound_pct)}});
    }
    return list;
}

}  // namespace gpumodel::cli
