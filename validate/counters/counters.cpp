#include "validate/counters/counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "model/counters/counters.h"
#include "validate/accuracy/csv_row.h"

namespace gpumodel {
namespace {

constexpr double close_error = 0.005;
constexpr double half_printed_digit = 0.005;  // the profiler prints two decimals

bool is_predicted(const std::string& name) {
    const auto& names = counter_names();
    return std::find(names.begin(), names.end(), name) != names.end();
}

// Rates of the schedulers and stall reasons.
bool is_of_later_run(const std::string& name) {
    return name.find(".ratio") != std::string::npos || name.find("per_cycle_active") != std::string::npos ||
           name.starts_with("smsp__issue_active") || name.starts_with("sm__inst_executed_pipe") ||
           name.starts_with("sm__pipe");
}

std::optional<double> find_counter(const std::vector<Counter>& counters, const std::string& name) {
    const auto found =
        std::find_if(counters.begin(), counters.end(), [&](const Counter& c) { return c.name == name; });
    return found == counters.end() ? std::nullopt : std::optional(found->value);
}

// What the first run of a profile and the later ones are predicted to count.
struct PredictedRuns {
    std::vector<Counter> first, later;
    [[nodiscard]] std::optional<double> find(const std::string& name) const {
        return find_counter(is_of_later_run(name) ? later : first, name);
    }
};

void compare_launch(const CounterTable& table, const CountedLaunch& launch, const PredictedRuns& predicted,
                    CounterComparison& result) {
    const auto value_of = [&](const std::string& name) -> std::optional<double> {
        const auto at = std::find(table.names.begin(), table.names.end(), name);
        if (at != table.names.end()) {
            return launch.values[static_cast<std::size_t>(at - table.names.begin())];
        }
        const auto stall = std::find_if(launch.stalls.begin(), launch.stalls.end(),
                                        [&](const auto& s) { return stall_counter_name(s.reason) == name; });
        return stall == launch.stalls.end() ? std::nullopt : std::optional(stall->cycles_per_issue);
    };
    for (std::size_t i = 0; i < table.names.size(); ++i) {
        const auto found = predicted.find(table.names[i]);
        if (!found) {
            continue;
        }
        const double measured = launch.values[i];
        result.values.push_back({&launch, i, measured, *found,
                                 counter_error(measured, *found, counter_scale(table.names[i], value_of))});
    }
    const auto verdict = judge_stalls(
        launch.stalls, stall_profile([&](const std::string& name) { return predicted.find(name); }));
    if (verdict) {
        result.stalls.add(*verdict);
    }
}

struct Columns {
    std::vector<std::size_t> launch;    // family, params, M, N, K
    std::vector<std::size_t> counters;  // of CounterTable::names
    std::vector<std::size_t> stalls;    // that are not among them
    std::optional<std::size_t> registers;
};

CountedLaunch read_launch(const CsvTable& csv, std::size_t row, const Columns& at, CsvRowReader& read) {
    CountedLaunch launch;
    auto& m = launch.launch;
    m.family = csv.rows[row][at.launch[0]].text;
    m.params = read.params(row, at.launch[1]);
    m.m = read.number<std::int64_t>(row, at.launch[2]);
    m.n = read.number<std::int64_t>(row, at.launch[3]);
    m.k = read.number<std::int64_t>(row, at.launch[4]);
    m.split = split_of(m.family, m.params);
    if (at.registers) {
        m.registers = read.number<int>(row, *at.registers);
    }
    for (const auto column : at.counters) {
        launch.values.push_back(read.number<double>(row, column));
    }
    launch.stalls = stall_profile([&](const std::string& name) -> std::optional<double> {
        const auto is_it = [&](std::size_t column) { return csv.header[column] == name; };
        if (const auto c = std::find_if(at.counters.begin(), at.counters.end(), is_it);
            c != at.counters.end()) {
            return launch.values[static_cast<std::size_t>(c - at.counters.begin())];
        }
        const auto s = std::find_if(at.stalls.begin(), at.stalls.end(), is_it);
        return s == at.stalls.end() ? std::nullopt : std::optional(read.number<double>(row, *s));
    });
    return launch;
}

}  // namespace

CounterTable read_counters(const std::string& path) {
    const auto csv = read_csv(path);
    Columns at;
    at.launch = require_columns(csv, {"family", "params", "M", "N", "K"}, true);
    at.registers = find_column(csv, "launch__registers_per_thread");
    CounterTable table;
    for (std::size_t i = 0; i < csv.header.size(); ++i) {
        if (is_predicted(csv.header[i])) {
            at.counters.push_back(i);
            table.names.push_back(csv.header[i]);
        } else if (csv.header[i].find("issue_stalled") != std::string::npos) {
            at.stalls.push_back(i);
        }
    }
    std::vector<Diagnostic> faults;
    CsvRowReader read(csv, faults);
    if (table.names.empty()) {
        faults.push_back({csv.file, 1, 1, "", "no column is a counter that is predicted"});
    }
    for (std::size_t i = 0; i < csv.rows.size(); ++i) {
        if (csv.row_faults[i].empty()) {
            table.launches.push_back(read_launch(csv, i, at, read));
        } else {
            read.fault(csv.rows[i].front(), "", csv.row_faults[i]);
        }
    }
    if (!faults.empty()) {
        throw InputError(InputErrorKind::invalid_input, std::move(faults));
    }
    return table;
}

double counter_scale(const std::string& name,
                     const std::function<std::optional<double>(const std::string&)>& measured) {
    constexpr std::string_view conflicts = "data_bank_conflicts_pipe_lsu_mem";
    constexpr std::string_view wavefronts = "data_pipe_lsu_wavefronts_mem";
    const double own = measured(name).value_or(0);
    if (name.find("issue_stalled") != std::string::npos) {
        double sum = 0;
        for (const auto& stall : stall_profile(measured)) {
            sum += stall.cycles_per_issue;
        }
        return std::max(own, sum);
    }
    auto scale = name;
    if (const auto at = scale.find(conflicts); at != std::string::npos) {
        scale.replace(at, conflicts.size(), wavefronts);
    }
    return measured(scale).value_or(own);
}

double counter_error(double measured, double predicted, double scale) {
    if (std::abs(measured - predicted) <= half_printed_digit) {
        return 0;
    }
    return scale > 0 ? (predicted - measured) / scale : 1;
}

CounterComparison compare_counters(const CounterTable& table, const ArchSpec& arch, LaunchSettings settings,
                                   CacheControl caches, const ForEach& for_each) {
    settings.l2 = L2State::cold;
    auto later = settings;
    later.l2 = L2State::warm;
    const bool warms =
        caches == CacheControl::none && std::any_of(table.names.begin(), table.names.end(), is_of_later_run);
    struct Outcome {
        bool predicted = false;
        PredictedRuns runs;
        std::string reason;
    };
    std::vector<Outcome> outcomes(table.launches.size());
    run_each(for_each, outcomes.size(), [&](std::size_t i) {
        auto tried = predict_or_say_why(table.launches[i].launch, arch, settings);
        if (!tried.prediction) {
            outcomes[i].reason = std::move(tried.reason);
            return;
        }
        auto& runs = outcomes[i].runs;
        runs.first = std::move(tried.prediction->counters);
        runs.later =
            warms ? predict_launch(table.launches[i].launch, arch, later).prediction->counters : runs.first;
        outcomes[i].predicted = true;
    });
    CounterComparison result;
    std::set<std::string> reasons;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        if (outcomes[i].predicted) {
            compare_launch(table, table.launches[i], outcomes[i].runs, result);
        } else if (reasons.insert(outcomes[i].reason).second) {
            result.skipped.push_back(outcomes[i].reason);
        }
    }
    return result;
}

std::vector<CounterStatistics> counter_statistics(const CounterTable& table,
                                                  const CounterComparison& comparison,
                                                  const std::function<bool(const CountedLaunch&)>& include) {
    std::vector<CounterStatistics> list(table.names.size());
    for (const auto& value : comparison.values) {
        if (!include(*value.measured)) {
            continue;
        }
        auto& s = list[value.name];
        const double magnitude = std::abs(value.error);
        s.launches += 1;
        s.exact += value.exact() ? 1U : 0U;
        s.close += magnitude <= close_error ? 1U : 0U;
        s.mean_pct += 100 * magnitude;
        if (100 * magnitude > std::abs(s.worst_pct)) {
            s.worst_pct = 100 * value.error;
            s.worst = value.measured->launch.family + " " + params_text(value.measured->launch.params);
        }
    }
    std::vector<CounterStatistics> present;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (list[i].launches > 0) {
            list[i].name = table.names[i];
            list[i].mean_pct /= static_cast<double>(list[i].launches);
            present.push_back(std::move(list[i]));
        }
    }
    return present;
}

}  // namespace gpumodel
