#include "tools/views/chart/bars.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tools/views/chart/scale.h"

namespace gpumodel::chart {
namespace {

constexpr double row_height = 22;
constexpr double bar_height = 13;
constexpr double baseline = 15;  // of a row's text
constexpr double gap = 8;
constexpr std::size_t longest_label = 26;
constexpr double font_size = 12;
constexpr double bold_font_size = 13;  // plain text as wide as bold of 12

struct Columns {
    double label = 0;   // right end of the labels
    double values = 0;  // left end of the value texts
};

Columns columns_of(const BarChart& chart) {
    double label = 0;
    double value = 0;
    for (const auto& bar : chart.bars) {
        const double size = bar.bold ? bold_font_size : font_size;
        label = std::max(label, text_width(shortened(bar.label, longest_label), size));
        value = std::max(value, text_width(bar.value_text, size));
    }
    return {label, chart.width - value};
}

Scale scale_of(const BarChart& chart, const Columns& columns) {
    double low = 0;
    double high = std::max(chart.whole, chart.reference.value_or(0));
    for (const auto& bar : chart.bars) {
        low = std::min(low, bar.value);
        high = std::max(high, bar.value);
    }
    return {low, high > low ? high : low + 1, columns.label + gap, columns.values - gap};
}

void draw_bar(Svg& svg, const Bar& bar, const Scale& scale, const Columns& columns, double top) {
    const double zero = scale.at(0);
    const double end = scale.at(bar.value);
    const double bar_top = top + (row_height - bar_height) / 2;
    const auto tip = bar.tip.empty() ? fmt::format("{}: {}", bar.label, bar.value_text) : bar.tip;
    const char* weight = bar.bold ? "bold" : "";
    svg.text({columns.label, top + baseline}, shortened(bar.label, longest_label), weight, Anchor::end);
    svg.rect({scale.from, bar_top}, scale.to - scale.from, bar_height, "track", tip);
    svg.rect({std::min(zero, end), bar_top}, std::abs(end - zero), bar_height, fmt::format("c{}", bar.colour),
             tip);
    svg.text({svg.width(), top + baseline}, bar.value_text, weight, Anchor::end);
}

std::string figures(const BarChart& chart) {
    std::string text;
    for (const auto& bar : chart.bars) {
        text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", bar.label, bar.value_text);
    }
    return text;
}

}  // namespace

std::string bar_chart(const BarChart& chart, Embedding embedding) {
    const double head = chart.reference ? row_height : 2;
    const auto columns = columns_of(chart);
    const auto scale = scale_of(chart, columns);
    const double bottom = head + row_height * static_cast<double>(chart.bars.size());
    Svg svg(chart.width, bottom + 4, chart.title, figures(chart));
    double top = head;
    for (const auto& bar : chart.bars) {
        draw_bar(svg, bar, scale, columns, top);
        top += row_height;
    }
    if (scale.low < 0) {
        svg.line({scale.at(0), head}, {scale.at(0), bottom}, "axis");
    }
    if (chart.reference) {
        const double x = scale.at(*chart.reference);
        svg.line({x, head - 4}, {x, bottom}, "axis dash", chart.reference_label);
        svg.text({x, baseline - 3}, chart.reference_label, "dim", Anchor::end);
    }
    return svg.str(embedding);
}

namespace {

std::string classes_of(const Part& part) {
    return fmt::format("c{}{}", part.colour, part.faint ? " faint" : "");
}

std::vector<Part> shown_parts(const std::vector<Part>& parts) {
    std::vector<Part> shown;
    std::copy_if(parts.begin(), parts.end(), std::back_inserter(shown),
                 [](const Part& part) { return part.share > 0; });
    return shown;
}

}  // namespace

std::string stacked_bar(const std::string& title, const std::vector<Part>& parts, Embedding embedding) {
    constexpr double height = 34;
    constexpr double legend_top = height + 14;
    constexpr double swatch = 11;
    constexpr std::size_t legend_columns = 2;
    const auto shown = shown_parts(parts);
    double sum = 0;
    std::string description;
    for (const auto& part : shown) {
        sum += part.share;
        description += fmt::format("{}{}: {}", description.empty() ? "" : "; ", part.label, part.value_text);
    }
    const auto lines = (shown.size() + legend_columns - 1) / legend_columns;
    const double column_width = chart_width / legend_columns;
    Svg svg(chart_width, legend_top + row_height * static_cast<double>(lines), title, description);
    double x = 0;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const auto& part = shown[i];
        const double width = chart_width * part.share / sum;
        const auto classes = classes_of(part);
        svg.rect({x, 0}, width > 3 ? width - 1 : width, height, classes,
                 fmt::format("{}: {}", part.label, part.value_text));
        x += width;
        const auto column = i / lines;
        const double left = column_width * static_cast<double>(column);
        const double top = legend_top + row_height * static_cast<double>(i % lines);
        svg.rect({left, top}, swatch, swatch, classes);
        svg.text({left + swatch + gap, top + swatch - 1}, part.label);
        svg.text({left + column_width - 2 * gap, top + swatch - 1}, part.value_text, "dim", Anchor::end);
    }
    return svg.str(embedding);
}

}  // namespace gpumodel::chart
