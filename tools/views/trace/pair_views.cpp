#include "tools/views/trace/pair_views.h"

#include <fmt/format.h>

#include <functional>
#include <set>

#include "base/csv_text.h"
#include "base/text_table.h"
#include "validate/accuracy/error_statistics.h"

namespace gpumodel::cli {

namespace {

using Columns = std::vector<std::string>;
using Include = std::function<bool(const SimulatedPair&)>;

const Columns header{"arch",
                     "family",
                     "tiles",
                     "instances",
                     "schedule_mean_pct",
                     "schedule_bias_pct",
                     "schedule_p90_pct",
                     "mean_pct",
                     "bias_pct",
                     "p90_pct",
                     "kendall_tau",
                     "top1_regret_pct"};

// Nothing without instances. The order of tiles and the regret of the choice mean something within a family.
void add_row(std::vector<Columns>& rows, const SimulatedPairs& pairs, Columns cells, const Include& include) {
    std::vector<double> schedule, all;
    std::vector<TimePair> times;
    for (const SimulatedPair& pair : pairs.rows) {
        if (include(pair)) {
            schedule.push_back(pair.schedule_error());
            all.push_back(pair.error());
            times.push_back({pair.estimated_us, pair.compiled_us});
        }
    }
    if (all.empty()) {
        return;
    }
    cells.push_back(std::to_string(all.size()));
    for (const auto& errors : {schedule, all}) {
        const auto s = error_statistics("", errors);
        cells.push_back(fmt::format("{:.1f}", s.mape_pct));
        cells.push_back(fmt::format("{:+.1f}", s.bias_pct));
        cells.push_back(fmt::format("{:.1f}", s.p90_pct));
    }
    const auto tau = cells[1].empty() ? std::nullopt : kendall_tau(times);
    constexpr double percent = 100;
    cells.push_back(tau ? fmt::format("{:.2f}", *tau) : "");
    cells.push_back(tau ? fmt::format("{:.1f}", percent * regret(times, 1)) : "");
    rows.push_back(std::move(cells));
}

std::vector<Columns> tabulate(const SimulatedPairs& pairs, const std::vector<std::string>& archs) {
    std::vector<Columns> rows{header};
    for (const std::string& arch : archs) {
        std::set<std::string> families;
        for (const SimulatedPair& pair : pairs.rows) {
            families.insert(pair.family);
        }
        for (const std::string& family : families) {
            add_row(rows, pairs, {arch, family, "all"},
                    [&](const SimulatedPair& p) { return p.arch == arch && p.family == family; });
        }
        for (const bool held : {false, true}) {
            add_row(rows, pairs, {arch, "", held ? "held back" : "tuned on"},
                    [&](const SimulatedPair& p) { return p.arch == arch && p.held_back == held; });
        }
        add_row(rows, pairs, {arch, "", "all"}, [&](const SimulatedPair& p) { return p.arch == arch; });
    }
    return rows;
}

}  // namespace

std::string pairs_text(const SimulatedPairs& pairs, const std::vector<std::string>& archs) {
    auto rows = tabulate(pairs, archs);
    rows.front() = {"arch", "family", "tiles", "n",   "schedule", "bias",
                    "p90",  "time",   "bias",  "p90", "tau",      "regret"};
    std::string text = "simulated time of generated over compiled code, %\n" + aligned(rows);
    text +=
        "schedule: with ptxas' registers; time: with the estimated ones; mean of |ratio - 1|; tau, regret: "
        "the order "
        "of a family's tiles\nby generated code against that by compiled code, and what the tile chosen by "
        "it "
        "costs\n";
    for (const std::string& reason : pairs.skipped) {
        text += fmt::format("left out: {}\n", reason);
    }
    return text;
}

std::string pairs_csv(const SimulatedPairs& pairs, const std::vector<std::string>& archs) {
    std::string text;
    for (const Columns& row : tabulate(pairs, archs)) {
        text += fmt::format("{}\n", fmt::join(row, ","));
    }
    return text;
}

std::string pair_rows_csv(const SimulatedPairs& pairs) {
    std::string text =
        "arch,family,params,held_back,registers,our_registers,compiled_us,generated_us,estimated_us,"
        "schedule_error_pct,error_pct\n";
    for (const SimulatedPair& p : pairs.rows) {
        constexpr double percent = 100;
        text +=
            fmt::format("{},{},{},{},{},{},{:.3f},{:.3f},{:.3f},{:.2f},{:.2f}\n", p.arch, p.family,
                        csv_field(p.params), p.held_back, p.registers, p.our_registers, p.compiled_us,
                        p.generated_us, p.estimated_us, percent * p.schedule_error(), percent * p.error());
    }
    return text;
}

}  // namespace gpumodel::cli
