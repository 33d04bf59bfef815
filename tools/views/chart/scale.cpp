#include "tools/views/chart/scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace gpumodel::chart {
namespace {

constexpr std::array steps{1.0, 2.0, 5.0, 10.0};

// The finest spacing of 1, 2 or 5 times a power of ten that puts at most `most` ticks on a span.
double tick_spacing(double span, int most) {
    const double least = span / std::max(most, 2);
    const double decade = std::pow(10.0, std::floor(std::log10(least)));
    for (const double step : steps) {
        const double spacing = step * decade;
        if (std::floor(span / spacing * (1 + 1e-9)) + 1 <= most) {
            return spacing;
        }
    }
    return 20 * decade;
}

bool within(double value, double low, double high) {
    constexpr double rounding = 1e-9;
    return value >= low * (1 - rounding) && value <= high * (1 + rounding);
}

std::vector<double> decades(double low, double high, const std::vector<double>& factors, int every) {
    std::vector<double> values;
    const int first = static_cast<int>(std::floor(std::log10(low)));
    const int last = static_cast<int>(std::ceil(std::log10(high)));
    for (int exponent = first; exponent <= last; ++exponent) {
        if (exponent % every != 0) {
            continue;
        }
        for (const double factor : factors) {
            const double value = factor * std::pow(10.0, exponent);
            if (within(value, low, high)) {
                values.push_back(value);
            }
        }
    }
    return values;
}

}  // namespace

double Scale::at(double value) const {
    const double inside = std::clamp(value, low, high);
    const double part = kind == ScaleKind::linear ? (inside - low) / (high - low)
                                                  : std::log(inside / low) / std::log(high / low);
    return std::isfinite(part) ? from + part * (to - from) : from;
}

std::vector<double> linear_ticks(double low, double high, int most) {
    std::vector<double> values;
    if (!(high > low)) {
        return {low};
    }
    const double spacing = tick_spacing(high - low, most);
    const double first = std::ceil(low / spacing - 1e-9);
    for (double i = first; i * spacing <= high + 1e-9 * spacing; ++i) {
        values.push_back(i * spacing);
    }
    return values;
}

std::vector<double> log_ticks(double low, double high, int most) {
    const auto limit = static_cast<std::size_t>(std::max(most, 2));
    auto values = decades(low, high, {1, 2, 5}, 1);
    for (int every = 1; values.size() > limit; ++every) {
        values = decades(low, high, {1}, every);
    }
    return values;
}

std::vector<double> ticks(const Scale& scale, int most) {
    return scale.kind == ScaleKind::linear ? linear_ticks(scale.low, scale.high, most)
                                           : log_ticks(scale.low, scale.high, most);
}

double nice_end(double value, int most) {
    if (!(value > 0) || !std::isfinite(value)) {
        return 1;
    }
    const double spacing = tick_spacing(value, most);
    return spacing * std::ceil(value / spacing - 1e-9);
}

std::string tick_label(double value) {
    static constexpr std::array<const char*, 6> prefixes{"", "k", "M", "G", "T", "P"};
    std::size_t prefix = 0;
    while (std::abs(value) >= 999.5 && prefix + 1 < prefixes.size()) {
        value /= 1000;
        ++prefix;
    }
    return fmt::format("{:.3g}{}", std::abs(value) < 1e-12 ? 0.0 : value, prefixes.at(prefix));
}

void draw_x_axis(Svg& svg, const Scale& scale, double top, double bottom, int most) {
    constexpr double label_drop = 15;
    for (const double value : ticks(scale, most)) {
        const double x = scale.at(value);
        svg.line({x, top}, {x, bottom}, "grid");
        svg.text({x, bottom + label_drop}, tick_label(value), "dim", Anchor::middle);
    }
    svg.line({scale.from, bottom}, {scale.to, bottom}, "axis");
}

void draw_y_axis(Svg& svg, const Scale& scale, double left, double right, int most) {
    constexpr double gap = 6;
    constexpr double half_height = 4;
    for (const double value : ticks(scale, most)) {
        const double y = scale.at(value);
        svg.line({left, y}, {right, y}, "grid");
        svg.text({left - gap, y + half_height}, tick_label(value), "dim", Anchor::end);
    }
    svg.line({left, scale.from}, {left, scale.to}, "axis");
}

}  // namespace gpumodel::chart
