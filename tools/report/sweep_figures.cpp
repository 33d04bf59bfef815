#include "tools/report/sweep_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gpumodel::cli::page {
namespace {

constexpr std::size_t bins = 30;
constexpr std::int64_t most_other_times = 10'000;

class Collector {
public:
    Collector(const SweepSurvey& survey, const HeatAxes& axes)
        : survey_(survey), rows_(survey.models.at(survey.model())) {
        if (const auto* x = survey.find(axes.x)) {
            figures_.x = group_values(*x);
        }
        if (const auto* y = survey.find(axes.y)) {
            figures_.y = group_values(*y);
        }
        figures_.cells.resize(figures_.x.labels.size() * std::max<std::size_t>(figures_.y.labels.size(), 1));
        constexpr double wide = 8;  // beyond it, equal bins would leave most rows in the first
        figures_.histogram.resize(bins);
        figures_.histogram_logarithmic = rows_.slowest_us > wide * rows_.fastest_us;
        figures_.histogram_low_us = rows_.fastest_us;
        figures_.histogram_high_us = rows_.slowest_us;
    }

    void add(const LaunchRecord& row) {
        add_to_cell(row);
        add_to_best(row);
        ++figures_.histogram[bin_of(row.time_us)];
        ++figures_.bottlenecks[row.bottleneck.empty() ? "unknown" : row.bottleneck];
        add_band(row);
    }

    SweepFigures result() { return std::move(figures_); }

private:
    static std::size_t index(const LaunchRecord& row, const AxisGroups& groups) {
        for (const auto& [name, value] : axes_of(row)) {
            if (name == groups.name) {
                const auto found = groups.group_of.find(value);
                return found == groups.group_of.end() ? groups.labels.size() : found->second;
            }
        }
        return groups.labels.size();
    }

    void add_to_cell(const LaunchRecord& row) {
        if (figures_.cells.empty()) {
            return;
        }
        const auto column = index(row, figures_.x);
        const auto line = figures_.y.labels.empty() ? 0 : index(row, figures_.y);
        if (column >= figures_.x.labels.size() ||
            line >= std::max<std::size_t>(figures_.y.labels.size(), 1)) {
            return;  // a family without this parameter
        }
        auto& cell = figures_.cells[line * figures_.x.labels.size() + column];
        if (!cell || rank_of(row, survey_) < rank_of(*cell, survey_)) {
            cell = row;
        }
    }

    void add_to_best(const LaunchRecord& row) {
        auto& best = figures_.best;
        const double rank = rank_of(row, survey_);
        if (best.size() == top_rows && rank >= rank_of(best.back(), survey_)) {
            return;
        }
        const auto place = std::upper_bound(
            best.begin(), best.end(), rank,
            [&](double value, const LaunchRecord& other) { return value < rank_of(other, survey_); });
        best.insert(place, row);
        best.resize(std::min(best.size(), top_rows));
    }

    [[nodiscard]] std::size_t bin_of(double time) const {
        const double low = figures_.histogram_low_us;
        const double high = figures_.histogram_high_us;
        const double part = figures_.histogram_logarithmic ? std::log(time / low) / std::log(high / low)
                                                           : (time - low) / (high - low);
        return std::isfinite(part) ? std::min(static_cast<std::size_t>(part * bins), bins - 1) : 0;
    }

    void add_band(const LaunchRecord& row) {
        if (!row.error_band_pct) {
            ++figures_.without_band;
            return;
        }
        const double band = *row.error_band_pct;
        figures_.least_band_pct = std::min(band, figures_.least_band_pct.value_or(band));
        figures_.largest_band_pct = std::max(band, figures_.largest_band_pct.value_or(band));
        const bool by_gflops = survey_.ranked_by_gflops();
        const double slower = by_gflops ? rows_.most_gflops / *row.gflops : row.time_us / rows_.fastest_us;
        figures_.within_band += slower <= 1 + band / 100 ? 1 : 0;
    }

    const SweepSurvey& survey_;
    const ModelRows& rows_;
    SweepFigures figures_;
};

// Of the models that do not speak, the times of the first one.
std::string other_model(const SweepSurvey& survey) {
    for (const auto& [name, rows] : survey.models) {
        if (name != survey.model() && rows.rows <= most_other_times) {
            return name;
        }
    }
    return "";
}

}  // namespace

AxisGroups group_values(const SweepAxis& axis, std::size_t most) {
    AxisGroups groups;
    groups.name = axis.name;
    const auto share = (axis.values.size() + most - 1) / most;
    std::size_t in_group = 0;
    std::string first;
    for (const auto& value : axis.values) {
        if (in_group == 0) {
            first = value;
            groups.labels.push_back(value);
        } else {
            groups.labels.back() = fmt::format("{} \u2013 {}", first, value);
        }
        groups.group_of[value] = groups.labels.size() - 1;
        in_group = (in_group + 1) % share;
    }
    return groups;
}

double rank_of(const LaunchRecord& row, const SweepSurvey& survey) {
    return survey.ranked_by_gflops() ? -row.gflops.value_or(0) : row.time_us;
}

SweepFigures sweep_figures(const std::string& path, const SweepSurvey& survey, const HeatAxes& axes) {
    const auto model = survey.model();
    const auto other = other_model(survey);
    if (model.empty()) {
        return {};
    }
    Collector collector(survey, axes);
    std::map<std::string, double> other_times;
    each_row(path, [&](const LaunchRecord& row) {
        if (is_predicted(row.status) && row.model == model) {
            collector.add(row);
        } else if (is_predicted(row.status) && row.model == other) {
            other_times.emplace(identity_of(row), row.time_us);
        }
    });
    auto figures = collector.result();
    for (const auto& row : figures.best) {
        const auto found = other_times.find(identity_of(row));
        if (found != other_times.end()) {
            figures.other_times_us.insert(*found);
        }
    }
    return figures;
}

Sweep read_sweep(const std::string& path, const std::string& x, const std::string& y) {
    Sweep sweep{path, survey_sweep(path), {}};
    sweep.figures = sweep_figures(path, sweep.survey, heat_axes(sweep.survey, x, y));
    return sweep;
}

}  // namespace gpumodel::cli::page
