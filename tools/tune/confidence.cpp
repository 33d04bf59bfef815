#include "tools/tune/confidence.h"

#include <algorithm>
#include <cmath>

namespace gpumodel::cli::tuning {
namespace {

constexpr double half_width_90 = 1.645;  // of a standard normal
constexpr double loss_worth_measuring = 0.01;

std::optional<std::vector<Contender>> contenders_of(const std::vector<RankedTime>& ranked,
                                                    const ProblemShape& shape, const ArchSpec& arch,
                                                    RankedBy ranked_by, const RankSpreads& spreads) {
    const bool one_family = std::all_of(
        ranked.begin(), ranked.end(), [&](const RankedTime& r) { return r.family == ranked.front().family; });
    std::vector<Contender> contenders;
    for (const auto& r : ranked) {
        const auto spread =
            rank_spread(spreads, arch.generation, std::string(to_string(ranked_by)), r.family, shape);
        if (!spread) {
            return std::nullopt;
        }
        contenders.push_back({std::log(r.seconds), (one_family ? spread->sigma_pct : spread->rms_pct) / 100});
    }
    return contenders;
}

}  // namespace

std::optional<Confidence> confidence_of(const std::vector<RankedTime>& ranked, const ProblemShape& shape,
                                        const ArchSpec& arch, RankedBy ranked_by, std::size_t top,
                                        const RankSpreads& spreads) {
    const auto contenders = contenders_of(ranked, shape, arch, ranked_by, spreads);
    if (!contenders || contenders->empty()) {
        return std::nullopt;
    }
    const auto& winner = contenders->front();
    Confidence confidence;
    confidence.sigma_pct = 100 * winner.sigma;
    confidence.odds = choice_odds(*contenders, top);
    confidence.not_told_apart = static_cast<std::size_t>(
        std::count_if(contenders->begin() + 1, contenders->end(), [&](const Contender& c) {
            return c.log_time - winner.log_time <= half_width_90 * std::hypot(c.sigma, winner.sigma);
        }));
    const auto& losses = confidence.odds.loss_of_first;
    const auto enough =
        std::find_if(losses.begin(), losses.end(), [](double loss) { return loss <= loss_worth_measuring; });
    if (enough != losses.end()) {
        confidence.measure_first = static_cast<std::size_t>(enough - losses.begin()) + 1;
    }
    return confidence;
}

}  // namespace gpumodel::cli::tuning
