// How a sweep's rows spread: over times, bottlenecks and reasons of rejection.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tools/views/chart/bars.h"
#include "tools/views/chart/steps.h"
#include "tools/views/sweep_page/sweep_sections.h"

namespace gpumodel::cli::page {
namespace {

using Align = HtmlTable::Align;
using Counts = std::map<std::string, std::int64_t>;

// Most first; beyond `most` rows one for the rest.
std::string count_chart(const char* title, const Counts& counts, std::int64_t rest, int colour) {
    constexpr std::size_t most = 12;
    std::vector<std::pair<std::string, std::int64_t>> rows(counts.begin(), counts.end());
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    chart::BarChart bars;
    bars.title = title;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i < most) {
            bars.bars.push_back({rows[i].first, static_cast<double>(rows[i].second),
                                 fmt::format("{}", rows[i].second), "", colour});
        } else {
            rest += rows[i].second;
        }
    }
    if (rest > 0) {
        bars.bars.push_back({"others", static_cast<double>(rest), fmt::format("{}", rest), "", 8});
    }
    return bar_chart(bars);
}

}  // namespace

Section times_section(const Sweep& sweep) {
    const auto& f = sweep.figures;
    if (f.histogram.empty() || !(f.histogram_high_us > f.histogram_low_us)) {
        return {};
    }
    chart::Histogram chart;
    chart.title = "Distribution of predicted times";
    chart.x_name = "microseconds";
    chart.y_name = "configurations";
    chart.scale = f.histogram_logarithmic ? chart::ScaleKind::logarithmic : chart::ScaleKind::linear;
    const auto edge = [&](std::size_t i) {
        const double part = static_cast<double>(i) / static_cast<double>(f.histogram.size());
        return f.histogram_logarithmic
                   ? f.histogram_low_us * std::pow(f.histogram_high_us / f.histogram_low_us, part)
                   : f.histogram_low_us + part * (f.histogram_high_us - f.histogram_low_us);
    };
    for (std::size_t i = 0; i < f.histogram.size(); ++i) {
        chart.bins.push_back({edge(i), edge(i + 1), static_cast<double>(f.histogram[i])});
    }
    return {"times", "Distribution of times", histogram(chart)};
}

Section bottlenecks_section(const Sweep& sweep) {
    if (sweep.figures.bottlenecks.empty()) {
        return {};
    }
    return {"bottlenecks", "Configurations by bottleneck",
            count_chart("Number of configurations by bottleneck", sweep.figures.bottlenecks, 0, 1)};
}

Section rejected_section(const Sweep& sweep) {
    const auto& s = sweep.survey;
    if (s.rejections.empty()) {
        return {};
    }
    HtmlTable table({{"rows", Align::number}, {"reason"}});
    std::vector<std::pair<std::string, std::int64_t>> rows(s.rejections.begin(), s.rejections.end());
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    constexpr std::size_t most = 12;
    std::int64_t rest = s.other_rejections;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i < most) {
            table.row({fmt::format("{}", rows[i].second),
                       escaped(rows[i].first.empty() ? "no reason given" : rows[i].first)});
        } else {
            rest += rows[i].second;
        }
    }
    if (rest > 0) {
        table.row({fmt::format("{}", rest), "other reasons"});
    }
    return {"rejected", "Rejected configurations", table.str()};
}

}  // namespace gpumodel::cli::page
