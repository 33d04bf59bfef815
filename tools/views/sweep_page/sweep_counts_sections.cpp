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

// The `most` largest counts; what is left of them goes to `rest`.
std::vector<std::pair<std::string, std::int64_t>> largest(const Counts& counts, std::int64_t& rest) {
    constexpr std::size_t most = 12;
    std::vector<std::pair<std::string, std::int64_t>> rows(counts.begin(), counts.end());
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    for (; rows.size() > most; rows.pop_back()) {
        rest += rows.back().second;
    }
    return rows;
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
    std::int64_t rest = 0;
    chart::BarChart bars;
    bars.title = "Number of configurations by bottleneck";
    for (const auto& [name, count] : largest(sweep.figures.bottlenecks, rest)) {
        bars.bars.push_back({name, static_cast<double>(count), fmt::format("{}", count), "", 1});
    }
    if (rest > 0) {
        bars.bars.push_back({"others", static_cast<double>(rest), fmt::format("{}", rest), "", 8});
    }
    return {"bottlenecks", "Configurations by bottleneck", bar_chart(bars)};
}

Section rejected_section(const Sweep& sweep) {
    const auto& s = sweep.survey;
    if (s.rejections.empty()) {
        return {};
    }
    HtmlTable table({{"rows", Align::number}, {"reason"}});
    std::int64_t rest = s.other_rejections;
    for (const auto& [reason, count] : largest(s.rejections, rest)) {
        table.row({fmt::format("{}", count), escaped(reason.empty() ? "no reason given" : reason)});
    }
    if (rest > 0) {
        table.row({fmt::format("{}", rest), "other reasons"});
    }
    return {"rejected", "Rejected configurations", table.str()};
}

}  // namespace gpumodel::cli::page
