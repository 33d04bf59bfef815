#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text_table.h"
#include "tools/views/prediction/report.h"
#include "tools/views/sensitivity/sensitivity_views.h"

namespace gpumodel::cli {
namespace {

using Cells = std::vector<std::vector<std::string>>;

constexpr double least_shown = 0.005;  // half a hundredth of a percent per percent

std::string value_text(const SensitivityRow& row, double value) {
    if (row.field != nullptr) {
        return print_value(*row.field, value);
    }
    return value == 0 ? "auto" : fmt::format("{:.0f}", value);  // UNROLL alone can be 0
}

std::string time_text(const std::optional<double>& seconds) {
    return seconds ? human_time(*seconds) : "-";
}

std::string side_text(const SensitivityRow& row, const VariedSide& side, bool simulated) {
    return side.value && side.time.seconds(simulated)
               ? fmt::format("{} at {}", human_time(*side.time.seconds(simulated)),
                             value_text(row, *side.value))
               : "-";
}

std::string note(const SensitivityRow& row, bool simulated) {
    const bool low = row.low.time.seconds(simulated).has_value();
    const bool high = row.high.time.seconds(simulated).has_value();
    if (low && high) {
        return row.elasticity.cliff ? fmt::format("cliff: {:+.2f} below, {:+.2f} above",
                                                  *row.elasticity.below, *row.elasticity.above)
                                    : "";
    }
    return fmt::format("no {} value: {}", low ? "higher" : "lower",
                       first_part(low ? row.high.reason : row.low.reason));
}

std::string heading(const SensitivityReport& report, const ArchSpec& arch) {
    const auto& p = report.launch;
    const auto& base = report.study.base;
    auto text = fmt::format("sensitivity of {} on {} [{}]\n", readable_entry(p.kernel), arch.marketing_name,
                            arch.generation);
    text += p.m > 0 ? fmt::format("M={} N={} K={}  {}\n", p.m, p.n, p.k, p.params) : p.params + "\n";
    text += fmt::format("\n  {:<22}  {}   (model: {})\n", "Time",
                        time_text(report.study.predicted.seconds(report.simulated)),
                        report.simulated ? "simulate" : "analytic");
    if (report.simulated) {
        text += fmt::format(
            "  {:<22}  {}   what the differences below start from: near a whole block more or less\n"
            "  {:<22}  {:{}}   on some SM every change would be a jump\n",
            "... with all SMs alike", time_text(base.simulated_seconds), "", "",
            time_text(base.simulated_seconds).size());
        text += fmt::format("  {:<22}  {}\n", "Analytic model", time_text(base.analytic_seconds));
    }
    if (report.studied) {
        text +=
            fmt::format("  {:<22}  {:.4g} % up and down, else the nearest legal value; one key at a time\n",
                        "Step", 100 * report.step);
    }
    return text;
}

std::vector<std::string> hardware_row(const SensitivityRow& row, bool simulated) {
    const double e = *row.elasticity.value;
    return {"  " + row.name,
            value_text(row, row.value),
            e < 0 ? "more" : "less",
            fmt::format("{:>7.3f}", std::abs(e)),
            simulated ? fmt::format("{:>6.3f}", row.elasticity.resolution) : "",
            simulated && row.analytic ? fmt::format("{:>8.3f}", e < 0 ? -*row.analytic : *row.analytic) : "",
            side_text(row, row.low, simulated),
            side_text(row, row.high, simulated),
            note(row, simulated)};
}

enum class Share : unsigned char { shown, unresolved, nothing, fixed };

Share share_of(const SensitivityRow& row) {
    if (!row.varied()) {
        return Share::fixed;
    }
    if (std::abs(*row.elasticity.value) < least_shown) {
        return Share::nothing;
    }
    return row.resolved() ? Share::shown : Share::unresolved;
}

std::vector<const SensitivityRow*> only(std::vector<const SensitivityRow*> rows, Share share) {
    std::erase_if(rows, [&](const SensitivityRow* row) { return share_of(*row) != share; });
    return rows;
}

std::string names_of(const std::vector<const SensitivityRow*>& rows, std::size_t most) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(rows.size(), most); ++i) {
        names.push_back(rows[i]->name);
    }
    return fmt::format("{}{}", fmt::join(names, ", "), rows.size() > most ? " ..." : "");
}

// The keys that have no row of their own.
std::string other_keys(const std::vector<const SensitivityRow*>& ranked) {
    constexpr std::size_t most_names = 6;
    std::string text;
    const auto unresolved = only(ranked, Share::unresolved);
    if (!unresolved.empty()) {
        text += fmt::format(
            "  {} keys change it by less than extrapolation resolves (+-; a larger --step, --exact or "
            "--model\n"
            "  analytic tell more): {}\n",
            unresolved.size(), names_of(unresolved, most_names));
    }
    const auto nothing = only(ranked, Share::nothing);
    if (!nothing.empty()) {
        text += fmt::format("  {} keys change nothing (below {} %): {}\n", nothing.size(), least_shown,
                            names_of(nothing, most_names));
    }
    for (const auto* row : only(ranked, Share::fixed)) {
        text += fmt::format("  not varied: {}: {}\n", row->name,
                            first_part(row->high.reason.empty() ? row->low.reason : row->high.reason));
    }
    return text;
}

std::string hardware_table(const SensitivityReport& report) {
    auto text = std::string(
        "\nWhat hardware change would help this kernel most: of 1 % in the better direction, % of the time "
        "saved\n");
    const bool sim = report.simulated;
    const auto ranked = by_elasticity(report.study.keys);
    const auto shown = only(ranked, Share::shown);
    Cells cells{{"  key", "value", "better", "saves %", sim ? "+-" : "", sim ? "analytic" : "", "below",
                 "above", ""}};
    for (std::size_t i = 0; i < std::min(shown.size(), report.top); ++i) {
        cells.push_back(hardware_row(*shown[i], sim));
    }
    text += shown.empty() ? "  no key varied changes the time\n" : aligned(cells);
    if (shown.size() > report.top) {
        text += fmt::format("  {} further keys matter less (--top, or csv and json for all)\n",
                            shown.size() - report.top);
    }
    return text + other_keys(ranked);
}

std::string source_text(const SensitivityRow& row) {
    constexpr std::size_t longest = 60;
    return row.source.size() > longest ? row.source.substr(0, longest - 3) + "..." : row.source;
}

std::string uncertain_table(const SensitivityReport& report) {
    auto text = std::string("\nWhich estimated input the answer hangs on: 1 % of it changes the time by\n");
    const auto all = uncertain_inputs(report.study.keys);
    const auto rows = only(all, Share::shown);
    Cells cells{{"  key", "value", "%", "in doubt", "source"}};
    for (std::size_t i = 0; i < std::min(rows.size(), report.top); ++i) {
        const auto& row = *rows[i];
        cells.push_back({"  " + row.name, value_text(row, row.value),
                         fmt::format("{:>+7.3f}", *row.elasticity.value),
                         row.stake() ? fmt::format("+- {:.2g} % of the time", 100 * *row.stake()) : "unknown",
                         source_text(row)});
    }
    text += rows.empty() ? "" : aligned(cells);
    text += fmt::format(
        "  {}{} estimated keys change less than {}\n", rows.empty() ? "all " : "", all.size() - rows.size(),
        report.simulated ? "that, or than extrapolation resolves" : fmt::format("{} %", least_shown));
    for (const auto& estimate : report.launch.estimates) {
        if (find_field(estimate) == nullptr) {
            text += fmt::format("  not a key, but estimated too: {}\n", estimate);
        }
    }
    return text;
}

std::string parameter_table(const SensitivityReport& report) {
    if (report.study.parameters.empty()) {
        return "";
    }
    auto text = std::string("\nThe kernel's parameters: the time at the nearest legal values\n");
    Cells cells{{"  parameter", "value", "below", "above", ""}};
    for (const auto& row : report.study.parameters) {
        const bool low = row.low.time.seconds(report.simulated).has_value();
        const bool high = row.high.time.seconds(report.simulated).has_value();
        const auto why = !low && !high ? row.high.value ? row.high.reason : row.low.reason : "";
        cells.push_back({"  " + row.name, value_text(row, row.value),
                         side_text(row, row.low, report.simulated),
                         side_text(row, row.high, report.simulated), first_part(why)});
    }
    return text + aligned(cells);
}

std::string what_if_table(const SensitivityReport& report) {
    if (report.what_ifs.empty()) {
        return "";
    }
    const bool sim = report.simulated;
    const auto& study = report.study;
    const auto change = [](const std::optional<double>& before, const std::optional<double>& after) {
        return before && after ? fmt::format("{:>+8.1f}", 100 * (*after / *before - 1)) : std::string("-");
    };
    Cells cells{{"  what if", "time", "change %", sim ? "all SMs alike %" : "", sim ? "analytic %" : "", ""}};
    cells.push_back({"  as it is", time_text(study.predicted.seconds(sim)), "", "", "", ""});
    for (const auto& what_if : report.what_ifs) {
        const auto after = what_if.time.seconds(sim);
        cells.push_back(
            {"  " + changes_text(what_if), time_text(after), change(study.predicted.seconds(sim), after),
             sim ? change(study.base.simulated_seconds, what_if.equal_sms.simulated_seconds) : "",
             sim ? change(study.base.analytic_seconds, what_if.time.analytic_seconds) : "", what_if.reason});
    }
    return "\n" + aligned(cells);
}

}  // namespace

std::string changes_text(const WhatIf& what_if) {
    std::vector<std::string> parts;
    for (const auto& [field, value] : what_if.changes) {
        parts.push_back(fmt::format("{} = {}", field->key, print_value(*field, value)));
    }
    return fmt::format("{}", fmt::join(parts, ", "));
}

std::string sensitivity_text(const SensitivityReport& report, const ArchSpec& arch) {
    auto text = heading(report, arch) + what_if_table(report);
    if (report.studied) {
        text += hardware_table(report) + uncertain_table(report) + parameter_table(report);
    }
    return text;
}

}  // namespace gpumodel::cli
