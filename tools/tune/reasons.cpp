#include "tools/tune/reasons.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "model/analytic/demand.h"
#include "model/sim/stalls.h"

namespace gpumodel::cli::tuning {
namespace {

constexpr double least_saved_pct = 1;
constexpr double least_busy = 0.3;

// Bounds that are a resource's work; the others are times of a block or of the launch.
bool is_resource(const std::string& bound) {
    constexpr std::array<std::string_view, 4> times{"latency", "barriers", "block dispatch", "launch"};
    return std::find(times.begin(), times.end(), bound) == times.end();
}

// What an even deal would give the busiest SM, over what it gets.
double even_share(const Waves& w) {
    return w.even_blocks() / static_cast<double>(w.busiest_sm_blocks);
}

double bound_cycles(const Prediction& p, const std::string& name) {
    const auto found = std::find_if(p.bounds.begin(), p.bounds.end(),
                                    [&](const Bound& b) { return same_bound(b.name, name); });
    return found == p.bounds.end() ? 0 : found->cycles * even_share(p.waves);
}

Difference work_difference(const std::string& name, const Prediction& faster, const Prediction& other) {
    const double of_faster = bound_cycles(faster, name), of_other = bound_cycles(other, name);
    const double change = 100 * (of_faster / of_other - 1);
    return {DifferenceKind::work,
            name,
            100 * of_faster / faster.cycles,
            100 * of_other / other.cycles,
            100 * (of_other - of_faster) / other.cycles,
            fmt::format("{:.0f} % {} {} work", std::abs(change), change < 0 ? "less" : "more", name)};
}

void add_work(const Prediction& faster, const Prediction& other, std::vector<Difference>& list) {
    for (const auto& bound : other.bounds) {
        const double busiest = std::max(bound_cycles(faster, bound.name) / faster.cycles,
                                        bound_cycles(other, bound.name) / other.cycles);
        if (is_resource(bound.name) && bound.cycles > 0 && busiest >= least_busy) {
            list.push_back(work_difference(bound.name, faster, other));
        }
    }
}

void add_deal(const Prediction& faster, const Prediction& other, std::vector<Difference>& list) {
    const double of_faster = 1 / even_share(faster.waves), of_other = 1 / even_share(other.waves);
    list.push_back(
        {DifferenceKind::deal, "busiest SM", of_faster, of_other, 100 * (1 - of_faster / of_other),
         fmt::format("the busiest SM gets {:.2f} times an even share of the blocks instead of {:.2f} "
                     "({:.3g} waves instead of {:.3g})",
                     of_faster, of_other, faster.waves.waves, other.waves.waves)});
}

void add_occupancy(const Prediction& faster, const Prediction& other, std::vector<Difference>& list) {
    const int of_faster = faster.occupancy.active_warps, of_other = other.occupancy.active_warps;
    if (of_faster != of_other) {
        list.push_back({DifferenceKind::occupancy, "warps per SM", static_cast<double>(of_faster),
                        static_cast<double>(of_other), 0,
                        fmt::format("{} warps per SM instead of {}", of_faster, of_other)});
    }
}

double wait_pct(const Prediction& p, std::size_t reason) {
    return 100 * p.simulation->stall_cycles[reason] / p.simulation->warp_cycles;
}

void add_waits(const Prediction& faster, const Prediction& other, std::vector<Difference>& list) {
    if (!faster.simulation || !other.simulation || faster.simulation->warp_cycles <= 0 ||
        other.simulation->warp_cycles <= 0) {
        return;
    }
    const double scale = faster.cycles / other.cycles;
    for (std::size_t r = 0; r < stall_reason_count; ++r) {
        const double of_faster = scale * wait_pct(faster, r), of_other = wait_pct(other, r);
        list.push_back({DifferenceKind::wait, std::string(stall_reason_names[r]), of_faster, of_other,
                        of_other - of_faster,
                        fmt::format("{:.1f} % of the time {} in {} ({})", std::abs(of_other - of_faster),
                                    of_other > of_faster ? "less" : "more", stall_reason_names[r],
                                    stall_words(static_cast<StallReason>(r)))});
    }
}

// Of one kind the words of the first `most`, in the order of the list.
void take(const std::vector<Difference>& list, DifferenceKind kind, bool saved, std::size_t most,
          std::vector<std::string>& words) {
    for (const auto& d : list) {
        if (d.kind == kind && (d.saved_pct >= 0) == saved && most > 0) {
            words.push_back(d.words);
            --most;
        }
    }
}

}  // namespace

std::vector<Difference> differences(const Prediction& faster, const Prediction& other) {
    std::vector<Difference> list;
    add_work(faster, other, list);
    add_deal(faster, other, list);
    add_waits(faster, other, list);
    std::erase_if(list, [](const Difference& d) { return std::abs(d.saved_pct) < least_saved_pct; });
    add_occupancy(faster, other, list);
    std::stable_sort(list.begin(), list.end(),
                     [](const Difference& a, const Difference& b) { return a.saved_pct > b.saved_pct; });
    return list;
}

std::string difference_words(const std::vector<Difference>& list) {
    std::vector<std::string> words;
    take(list, DifferenceKind::work, true, 2, words);
    take(list, DifferenceKind::deal, true, 1, words);
    take(list, DifferenceKind::occupancy, true, 1, words);
    take(list, DifferenceKind::wait, true, 2, words);
    std::vector<std::string> against;
    const std::vector<Difference> worst_first(list.rbegin(), list.rend());
    take(worst_first, DifferenceKind::work, false, 1, against);
    take(worst_first, DifferenceKind::deal, false, 1, against);
    if (words.empty() && against.empty()) {
        return "no bound, deal of blocks or wait differs by 1 % of the time";
    }
    auto text = fmt::format("{}", fmt::join(words, "; "));
    if (!against.empty()) {
        text += fmt::format("{}{}", words.empty() ? "although " : "; although ", fmt::join(against, " and "));
    }
    return text;
}

}  // namespace gpumodel::cli::tuning
