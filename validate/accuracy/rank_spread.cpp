#include "validate/accuracy/rank_spread.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "validate/accuracy/csv_row.h"

namespace gpumodel {
namespace {

constexpr std::size_t fewest_degrees = 8;
const std::vector<std::string> columns{"generation", "model",   "family",  "size",
                                       "sigma_pct",  "rms_pct", "degrees", "launches"};

constexpr double competitive = 1.5;
constexpr double normal_deviation = 1.4826;  // of the median absolute deviation

using ShapeKey = std::tuple<std::int64_t, std::int64_t, std::int64_t>;
using ShapeLaunches = std::map<ShapeKey, std::vector<const RankedLaunch*>>;

// `values` is not empty.
double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const auto half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// ln(measured / predicted) of those that could win.
std::vector<double> competitive_errors(const std::vector<const RankedLaunch*>& launches) {
    double fastest = launches.front()->predicted_us;
    for (const auto* l : launches) {
        fastest = std::min(fastest, l->predicted_us);
    }
    std::vector<double> errors;
    for (const auto* l : launches) {
        if (l->predicted_us <= competitive * fastest) {
            errors.push_back(std::log(l->measured->time_us / l->predicted_us));
        }
    }
    return errors;
}

// Empty: too few.
std::optional<RankSpread> spread_of(const ShapeLaunches& shapes) {
    RankSpread spread;
    std::vector<double> within, all;
    for (const auto& [shape, launches] : shapes) {
        const auto errors = competitive_errors(launches);
        const double shared = median(errors);
        for (const double e : errors) {
            within.push_back(std::abs(e - shared));
            all.push_back(std::abs(e));
        }
        spread.degrees += errors.size() - 1;
    }
    spread.launches = all.size();
    if (spread.degrees < fewest_degrees) {
        return std::nullopt;
    }
    const double lost = std::sqrt(static_cast<double>(spread.launches) / static_cast<double>(spread.degrees));
    spread.sigma_pct = 100 * normal_deviation * median(within) * lost;
    spread.rms_pct = 100 * normal_deviation * median(all);
    return spread;
}

std::optional<SizeClass> size_named(const std::string& name) {
    for (const auto size : {SizeClass::any, SizeClass::small, SizeClass::large}) {
        if (to_string(size) == name) {
            return size;
        }
    }
    return std::nullopt;
}

}  // namespace

RankSpreads make_rank_spreads(const std::vector<RankedLaunch>& launches, const std::string& generation) {
    std::map<BandKey, ShapeLaunches> groups;
    for (const auto& l : launches) {
        const auto& m = *l.measured;
        const auto size = size_class(m.family, {m.m, m.n, m.k});
        if (m.split == Split::calibration && size) {
            groups[{generation, l.model, m.family, *size}][{m.m, m.n, m.k}].push_back(&l);
        }
    }
    RankSpreads spreads;
    for (const auto& [key, shapes] : groups) {
        if (const auto spread = spread_of(shapes)) {
            spreads.emplace(key, *spread);
        }
    }
    return spreads;
}

RankSpreads read_rank_spreads(const std::string& path) {
    RankSpreads spreads;
    for_each_row(path, columns, [&](CsvRowReader& read, std::size_t i, const auto& row, const auto& at) {
        const auto size = size_named(row[at[3]].text);
        if (!size) {
            read.fault(row.front(), "size", "unknown, one of any, 256-511, >=512");
            return;
        }
        const RankSpread spread{read.number<double>(i, at[4]), read.number<double>(i, at[5]),
                                read.number<std::size_t>(i, at[6]), read.number<std::size_t>(i, at[7])};
        if (!(spread.sigma_pct > 0) || !(spread.rms_pct > 0)) {
            read.fault(row[at[4]], "sigma_pct, rms_pct", "must be above 0");
        }
        if (!spreads.emplace(BandKey{row[at[0]].text, row[at[1]].text, row[at[2]].text, *size}, spread)
                 .second) {
            read.fault(row.front(), "family", "given twice for this generation, model and size");
        }
    });
    return spreads;
}

std::string rank_spreads_csv(const RankSpreads& spreads) {
    std::string text = fmt::format("{}\n", fmt::join(columns, ","));
    for (const auto& [key, s] : spreads) {
        text += fmt::format("{},{},{},{},{:.1f},{:.1f},{},{}\n", key.generation, key.model, key.family,
                            to_string(key.size), s.sigma_pct, s.rms_pct, s.degrees, s.launches);
    }
    return text;
}

RankSpreads load_rank_spreads(const std::vector<std::string>& search_path) {
    return load_first(search_path, "rank_spread.csv", read_rank_spreads);
}

std::optional<RankSpread> rank_spread(const RankSpreads& spreads, const std::string& generation,
                                      const std::string& model, const std::string& family,
                                      const ProblemShape& shape) {
    const auto size = size_class(family, shape);
    if (!size) {
        return std::nullopt;
    }
    const auto found = spreads.find({generation, model, family, *size});
    return found == spreads.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace gpumodel
