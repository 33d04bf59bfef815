#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text_table.h"
#include "tools/views/compare/compare_views.h"
#include "tools/views/prediction/report.h"
#include "tools/views/prediction/shared_rows.h"

namespace gpumodel::cli {
namespace {

std::string size_text(const LaunchRecord& r) {
    return gpumodel::size_text(r.m, r.n, r.k);
}

// "x", or "x -> y" where the sides differ.
std::string change_text(const std::string& a, const std::string& b) {
    return a == b ? a : fmt::format("{} -> {}", a.empty() ? "-" : a, b.empty() ? "-" : b);
}

std::string side_line(const char* name, const LaunchRecord& r) {
    return fmt::format("{}  {}\n", name, launch_label(r));
}

std::string pair_head(const ComparedPair& pair) {
    return side_line("a", *pair.a) + side_line("b", *pair.b) + '\n';
}

std::string no_time(const ComparedPair& pair) {
    std::string text;
    for (const auto& [name, side] : {std::pair{"a", pair.a}, {"b", pair.b}}) {
        if (!is_predicted(side->status)) {
            text += fmt::format("{} has no time: {}: {}\n", name, to_string(side->status), side->reason);
        }
    }
    return text;
}

std::string notes_text(const std::vector<std::string>& notes) {
    std::string text;
    for (const auto& note : notes) {
        text += fmt::format("note: {}\n", note);
    }
    return text;
}

std::string threshold_text(const CompareView& view) {
    std::string text;
    if (view.threshold_pct) {
        const auto slower = std::count_if(view.pairs.begin(), view.pairs.end(),
                                          [](const ComparedPair& p) { return p.exceeds; });
        text += slower > 0 ? fmt::format("threshold of {} % exceeded by {} of {} launches\n",
                                         number(*view.threshold_pct), slower, view.pairs.size())
                           : fmt::format("threshold of {} % kept\n", number(*view.threshold_pct));
    }
    if (view.threshold_geomean_pct) {
        text += fmt::format("threshold of {} % for the geometric mean {}\n",
                            number(*view.threshold_geomean_pct), view.geomean_exceeds ? "exceeded" : "kept");
    }
    return text;
}

std::string one_pair(const CompareView& view, const ComparedPair& pair, bool sections) {
    auto text = pair_head(pair);
    for (const auto& sentence : pair.sentences) {
        text += sentence + '\n';
    }
    text += no_time(pair);
    if (!pair.terms.comparable() && pair.analytic && pair.analytic->comparable()) {
        text += fmt::format("The analytic model has both times: b takes {:+.1f} %.\n",
                            pair.analytic->change_pct());
    }
    text += notes_text(view.notes) + threshold_text(view);
    return sections ? text + compare_sections(pair) : text;
}

std::vector<std::string> table_row(const ComparedPair& pair) {
    const auto& a = *pair.a;
    const auto& b = *pair.b;
    const auto time = [](const std::optional<double>& us, const LaunchRecord& r) {
        return us ? human_time(*us * 1e-6) : std::string(to_string(r.status));
    };
    return {change_text(a.arch, b.arch),
            change_text(a.kernel, b.kernel),
            change_text(size_text(a), size_text(b)),
            change_text(a.params, b.params),
            change_text(a.variant, b.variant),
            a.model,
            fmt::format("{:>9}", time(pair.terms.time_us.a, a)),
            fmt::format("{:>9}", time(pair.terms.time_us.b, b)),
            pair.terms.comparable() ? fmt::format("{:>+8.1f} %", pair.terms.change_pct()) : "         -",
            pair.exceeds ? "over the threshold" : ""};
}

// Without the columns in which no row has anything.
std::vector<std::vector<std::string>> without_empty_columns(std::vector<std::vector<std::string>> rows) {
    for (auto column = rows.front().size(); column-- > 0;) {
        const bool empty = std::all_of(rows.begin() + 1, rows.end(),
                                       [column](const auto& row) { return row[column].empty(); });
        for (auto& row : empty ? rows : std::vector<std::vector<std::string>>{}) {
            row.erase(row.begin() + static_cast<std::ptrdiff_t>(column));
        }
    }
    return rows;
}

std::string summary_text(const CompareView& view) {
    const auto& s = view.summary;
    if (s.launches == 0) {
        return "no launch has a time on both sides\n";
    }
    auto text = fmt::format("geometric mean {:+.1f} % over {} launches\n", s.geometric_mean_pct, s.launches);
    text += fmt::format("worst {:+.1f} %: {}\n", s.worst_pct, launch_label(*view.pairs[s.worst].b));
    text += fmt::format("best {:+.1f} %: {}\n", s.best_pct, launch_label(*view.pairs[s.best].b));
    if (s.without_time > 0) {
        text += fmt::format("{} launches have no time on one side or both:\n", s.without_time);
        for (const auto& pair : view.pairs) {
            text += no_time(pair);
        }
    }
    return text;
}

std::string unmatched_text(const char* side, const std::vector<const LaunchRecord*>& launches) {
    std::string text;
    for (const auto* launch : launches) {
        text += fmt::format("only in {}: {} ({})\n", side, launch_label(*launch), launch->model);
    }
    return text;
}

std::string many_pairs(const CompareView& view) {
    std::vector<std::vector<std::string>> rows{{"arch", "kernel", "size", "parameters", "variant", "model",
                                                "        a", "        b", "b against a", ""}};
    for (const auto& pair : view.pairs) {
        rows.push_back(table_row(pair));
    }
    return fmt::format("a  {}\nb  {}\n\n", view.a.file, view.b.file) + aligned(without_empty_columns(rows)) +
           '\n' + summary_text(view);
}

}  // namespace

std::string launch_label(const LaunchRecord& launch) {
    auto label = fmt::format("{} on {}", launch.kernel, launch.arch);
    for (const auto& part : {size_text(launch), launch.params, launch.variant}) {
        label += part.empty() ? "" : ", " + part;
    }
    return label;
}

std::string compare_text(const CompareView& view, bool sections) {
    if (view.pairs.size() == 1) {
        return one_pair(view, view.pairs.front(), sections) + unmatched_text("a", view.only_a) +
               unmatched_text("b", view.only_b);
    }
    return many_pairs(view) + unmatched_text("a", view.only_a) + unmatched_text("b", view.only_b) +
           notes_text(view.notes) + threshold_text(view);
}

}  // namespace gpumodel::cli
