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

void compare_launch(const CounterTable& table, const CountedLaunch& launch,
                    const std::vector<Counter>& predicted, std::vector<ComparedCounter>& values) {
    const auto value_of = [&](const std::string& name) -> std::optional<double> {
        const auto at = std::find(table.names.begin(), table.names.end(), name);
        return at == table.names.end()
                   ? std::nullopt
                   : std::optional(launch.values[static_cast<std::size_t>(at - table.names.begin())]);
    };
    for (std::size_t i = 0; i < table.names.size(); ++i) {
        const auto found = std::find_if(predicted.begin(), predicted.end(),
                                        [&](const Counter& c) { return c.name == table.names[i]; });
        if (found == predicted.end()) {
            continue;
        }
        const double measured = launch.values[i];
        values.push_back({&launch, i, measured, found->value,
                          counter_error(measured, found->value, counter_scale(table.names[i], value_of))});
    }
}

struct Columns {
    std::vector<std::size_t> launch;    // family, params, M, N, K
    std::vector<std::size_t> counters;  // of CounterTable::names
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
    return launch;
}

}  // namespace

CounterTable read_counters(const std::string& path) {
    const auto csv = read_csv(path);
    Columns at{require_columns(csv, {"family", "params", "M", "N", "K"}, true), {}, {}};
    at.registers = find_column(csv, "launch__registers_per_thread");
    CounterTable table;
    for (std::size_t i = 0; i < csv.header.size(); ++i) {
        if (is_predicted(csv.header[i])) {
            at.counters.push_back(i);
            table.names.push_back(csv.header[i]);
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
        for (std::size_t r = 0; r < stall_reason_count; ++r) {
            sum += measured(stall_counter_name(static_cast<StallReason>(r))).value_or(0);
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
                                   const ForEach& for_each) {
    settings.l2 = L2State::cold;
    struct Outcome {
        bool predicted = false;
        std::vector<Counter> counters;
        std::string reason;
    };
    std::vector<Outcome> outcomes(table.launches.size());
    run_each(for_each, outcomes.size(), [&](std::size_t i) {
        auto tried = predict_or_say_why(table.launches[i].launch, arch, settings);
        outcomes[i] = tried.prediction ? Outcome{true, std::move(tried.prediction->counters), {}}
                                       : Outcome{false, {}, std::move(tried.reason)};
    });
    CounterComparison result;
    std::set<std::string> reasons;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        if (outcomes[i].predicted) {
            compare_launch(table, table.launches[i], outcomes[i].counters, result.values);
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
