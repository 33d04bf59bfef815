#include "tools/views/chart/steps.h"

#include <fmt/format.h>

#include <algorithm>

namespace gpumodel::chart {
namespace {

constexpr double height = 190;
constexpr double left = 44;
constexpr double right_margin = 12;
constexpr double top = 24;
constexpr double bottom = height - 40;

double right_of(const Svg& svg) {
    return svg.width() - right_margin;
}

void draw_axis_names(Svg& svg, const std::string& x_name, const std::string& y_name) {
    svg.text({(left + right_of(svg)) / 2, height - 6}, x_name, "dim", Anchor::middle);
    svg.text({2, 12}, y_name, "dim");
}

std::vector<Point> corners(const StepChart& chart, const Scale& x, const Scale& y) {
    std::vector<Point> points;
    double from = chart.start;
    for (const auto& step : chart.steps) {
        points.push_back({x.at(from), y.at(step.value)});
        points.push_back({x.at(step.up_to), y.at(step.value)});
        from = step.up_to;
    }
    return points;
}

void draw_mark(Svg& svg, const StepChart& chart, const Scale& x, const Scale& y) {
    const Point at{x.at(chart.mark->x), y.at(chart.mark->y)};
    const bool room_right = at.x + 10 + text_width(chart.mark_label) < right_of(svg);
    svg.line({at.x, at.y}, {at.x, bottom}, "markline dash");
    svg.circle(at, 5.5, "mark", chart.mark_label);
    const double label_y = at.y - 9 > top ? at.y - 9 : at.y + 18;
    svg.text({at.x + (room_right ? 6 : -6), label_y}, chart.mark_label, "marktext bold",
             room_right ? Anchor::start : Anchor::end);
}

}  // namespace

std::string step_chart(const StepChart& chart, Embedding embedding) {
    const double end = chart.steps.empty() ? chart.start + 1 : chart.steps.back().up_to;
    Svg svg(chart.width, height, chart.title, chart.mark_label);
    const double right = right_of(svg);
    const Scale x{chart.start, end, left, right};
    const Scale y{0, chart.y_end > 0 ? chart.y_end : 1, bottom, top};
    draw_y_axis(svg, y, left, right, 5);
    draw_x_axis(svg, x, top, bottom, 7);
    draw_axis_names(svg, chart.x_name, chart.y_name);
    const auto line = corners(chart, x, y);
    if (!line.empty()) {
        auto outline = line;
        outline.push_back({line.back().x, bottom});
        outline.push_back({line.front().x, bottom});
        svg.area(outline, "c1 wash");
        svg.path(line, "s1");
    }
    if (chart.mark) {
        draw_mark(svg, chart, x, y);
    }
    return svg.str(embedding);
}

std::string histogram(const Histogram& chart, Embedding embedding) {
    double most = 0;
    for (const auto& bin : chart.bins) {
        most = std::max(most, bin.count);
    }
    const double low = chart.bins.empty() ? 1 : chart.bins.front().from;
    const double high = chart.bins.empty() ? 2 : chart.bins.back().to;
    Svg svg(chart_width, height, chart.title);
    const double right = right_of(svg);
    const Scale x{low, high, left, right, chart.scale};
    const Scale y{0, nice_end(std::max(most, 5.0), 5), bottom, top};
    draw_y_axis(svg, y, left, right, 5);
    draw_x_axis(svg, x, top, bottom, 7);
    draw_axis_names(svg, chart.x_name, chart.y_name);
    for (const auto& bin : chart.bins) {
        const double from = x.at(bin.from);
        svg.rect({from, y.at(bin.count)}, x.at(bin.to) - from - 0.5, bottom - y.at(bin.count), "c1",
                 fmt::format("{:.4g} to {:.4g}: {:.0f}", bin.from, bin.to, bin.count));
    }
    return svg.str(embedding);
}

}  // namespace gpumodel::chart
