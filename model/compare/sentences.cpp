#include "model/compare/sentences.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "base/number_text.h"
#include "model/sim/stalls.h"

namespace gpumodel {
namespace {

constexpr double same_time_pct = 0.05;  // what the text's one decimal shows as 0.0 or 0.1
constexpr double notable_share = 0.15;  // of the difference
constexpr double notable_change = 0.02;
constexpr double cancelling = 3;  // times the difference, the parts' moves without sign

// What the hardware does more or less of when warps wait for a reason.
struct Evidence {
    std::string_view stall;
    std::string_view text;
    std::vector<std::string_view> counters;  // summed
};

const std::vector<Evidence>& evidence() {
    static const std::vector<std::string_view> shared{"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                                                      "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"};
    static const std::vector<Evidence> table{
        {"selected", "warp instructions", {"smsp__inst_executed.sum"}},
        {"not_selected", "warp instructions", {"smsp__inst_executed.sum"}},
        {"short_scoreboard", "shared-memory wavefronts", shared},
        {"mio_throttle", "shared-memory wavefronts", shared},
        {"long_scoreboard", "sectors read from L2", {"lts__t_sectors_srcunit_tex_op_read.sum"}},
        {"math_pipe_throttle", "FFMA", {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"}},
    };
    return table;
}

// The sum over the counters; empty where one is missing on a side or a's is 0.
std::optional<double> counter_ratio(const std::vector<TermPair>& counters,
                                    std::span<const std::string_view> names) {
    double a = 0, b = 0;
    for (const auto name : names) {
        const auto found = std::find_if(counters.begin(), counters.end(),
                                        [name](const TermPair& t) { return t.name == name; });
        if (found == counters.end() || !found->a || !found->b) {
            return std::nullopt;
        }
        a += *found->a;
        b += *found->b;
    }
    return a > 0 ? std::optional(b / a) : std::nullopt;
}

std::string ratio_text(double ratio) {
    return ratio < 2 && ratio > 0.5 ? fmt::format("{:+.0f} %", 100 * (ratio - 1))
                                    : fmt::format("x{:.3g}", ratio);
}

std::string evidence_text(const TermPair& part, const std::vector<TermPair>& counters) {
    const auto& table = evidence();
    const auto found =
        std::find_if(table.begin(), table.end(), [&part](const Evidence& e) { return e.stall == part.name; });
    if (found == table.end()) {
        return "";
    }
    const auto ratio = counter_ratio(counters, found->counters);
    if (!ratio || std::abs(*ratio - 1) < notable_change || (*ratio > 1) != (*part.difference() > 0)) {
        return "";
    }
    return fmt::format("; {} {}", found->text, ratio_text(*ratio));
}

std::string part_text(const TermPair& part, const LaunchComparison& c) {
    const auto times = fmt::format("{} -> {}", human_time(*part.a * 1e-6), human_time(*part.b * 1e-6));
    const auto reason = std::find(stall_reason_names.begin(), stall_reason_names.end(), part.name);
    if (!c.stall_parts || reason == stall_reason_names.end()) {
        return fmt::format("{} ({})", part.name, times);
    }
    const auto index = static_cast<std::size_t>(reason - stall_reason_names.begin());
    return fmt::format("{} ({}: {}{})", part.name, stall_words(static_cast<StallReason>(index)), times,
                       evidence_text(part, c.counters));
}

std::string headline(const LaunchComparison& c) {
    const double a = *c.time_us.a, b = *c.time_us.b;
    const auto times = fmt::format("{} against {}", human_time(b * 1e-6), human_time(a * 1e-6));
    const double change = c.change_pct();
    if (std::abs(change) < same_time_pct) {
        return fmt::format("a and b take the same time: {}.", times);
    }
    if (change < 0) {
        return fmt::format("b takes {:.1f} % less time than a: {}, {:.3g} times as fast.", -change, times,
                           a / b);
    }
    return change < 100 ? fmt::format("b takes {:.1f} % more time than a: {}.", change, times)
                        : fmt::format("b takes {:.3g} times the time of a: {}.", b / a, times);
}

// Shares of a small difference between large shifts say nothing.
bool parts_cancel(const LaunchComparison& c) {
    double moved = 0;
    for (const auto& part : c.parts) {
        moved += std::abs(*part.difference());
    }
    return moved > cancelling * std::abs(*c.time_us.difference());
}

std::string cancelling_sentence(const LaunchComparison& c) {
    constexpr std::size_t most = 3;
    std::vector<std::string> largest;
    for (std::size_t i = 0; i < std::min(most, c.parts.size()); ++i) {
        largest.push_back(part_text(c.parts[i], c));
    }
    return fmt::format("Larger shifts than that cancel each other: {}.", fmt::join(largest, ", "));
}

std::string shares_sentence(const LaunchComparison& c) {
    constexpr std::size_t most = 3;
    const double whole = *c.time_us.difference();
    std::vector<std::string> with, against;
    for (const auto& part : c.parts) {
        const double share = *part.difference() / whole;
        if (share >= notable_share && with.size() < most) {
            with.push_back(fmt::format("{:.0f} % is {}", 100 * share, part_text(part, c)));
        } else if (share <= -notable_share && against.empty()) {
            against.push_back(
                fmt::format("{:.0f} % goes the other way: {}", -100 * share, part_text(part, c)));
        }
    }
    if (with.empty()) {
        return fmt::format("No part of the time makes up {:.0f} % of the difference.", 100 * notable_share);
    }
    with.insert(with.end(), against.begin(), against.end());
    return fmt::format("Of the difference, {}.", fmt::join(with, ", "));
}

std::string parts_sentence(const LaunchComparison& c) {
    if (c.parts.empty() || std::abs(c.change_pct()) < same_time_pct) {
        return "";
    }
    return parts_cancel(c) ? cancelling_sentence(c) : shares_sentence(c);
}

std::string change_sentence(const LaunchRecord& a, const LaunchRecord& b, const LaunchComparison& c) {
    std::vector<std::string> changes;
    if (a.bottleneck != b.bottleneck && !a.bottleneck.empty() && !b.bottleneck.empty()) {
        changes.push_back(fmt::format("the bottleneck goes from {} to {}", a.bottleneck, b.bottleneck));
    }
    for (const auto& r : c.resources) {
        if (r.name == "theoretical_occupancy" && r.a && r.b && *r.a != *r.b) {
            changes.push_back(
                fmt::format("theoretical occupancy from {:.1f} to {:.1f} %", 100 * *r.a, 100 * *r.b));
        }
    }
    auto sentence = fmt::format("{}", fmt::join(changes, ", "));
    if (!sentence.empty()) {
        sentence.front() = sentence.front() == 't' ? 'T' : sentence.front();
        sentence += '.';
    }
    return sentence;
}

std::string band_sentence(const LaunchRecord& a, const LaunchRecord& b, const LaunchComparison& c) {
    if (!a.error_band_pct || !b.error_band_pct) {
        return "";
    }
    const double band = std::max(*a.error_band_pct, *b.error_band_pct);
    return std::abs(c.change_pct()) < band
               ? fmt::format("The difference is smaller than the error band of +-{:.0f} %.", band)
               : "";
}

std::string analytic_sentence(const LaunchComparison& c, const LaunchComparison* analytic) {
    if (analytic == nullptr || !analytic->comparable() || std::abs(c.change_pct()) < same_time_pct) {
        return "";
    }
    const double seen = std::log(*analytic->time_us.ratio()) / std::log(*c.time_us.ratio());
    if (seen >= 1.0 / 3 && seen <= 3) {
        return "";
    }
    return fmt::format("The analytic model sees {} ({:+.1f} %).",
                       seen < 0   ? "it the other way round"
                       : seen < 1 ? "a much smaller difference"
                                  : "a much larger difference",
                       analytic->change_pct());
}

}  // namespace

std::vector<std::string> comparison_sentences(const LaunchRecord& a, const LaunchRecord& b,
                                              const LaunchComparison& comparison,
                                              const LaunchComparison* analytic) {
    std::vector<std::string> sentences{headline(comparison), parts_sentence(comparison),
                                       change_sentence(a, b, comparison), band_sentence(a, b, comparison),
                                       analytic_sentence(comparison, analytic)};
    std::erase(sentences, "");
    return sentences;
}

}  // namespace gpumodel
