#include "tools/views/roofline/roofline_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "tools/views/prediction/report.h"

namespace gpumodel::cli {
namespace {

using chart::Anchor;
using chart::Point;
using chart::ScaleKind;
using chart::Svg;

constexpr double along_step = 16;
constexpr double same_roof = 1.12;  // roofs nearer than this share one label

// The nearest 1, 2 or 5 times a power of ten that is not above the value, and that is not below it.
double step_below(double value) {
    const double decade = std::pow(10, std::floor(std::log10(value)));
    return value >= 5 * decade ? 5 * decade : value >= 2 * decade ? 2 * decade : decade;
}

double step_above(double value) {
    return 10 / step_below(10 / value);
}

// The highest ceiling, at which the diagonals end.
double top_rate(const Roofline& r) {
    double rate = r.fp32.rate;
    for (const auto& roof : r.tensor) {
        rate = std::max(rate, roof.rate);
    }
    return rate;
}

void draw_axes(const RooflinePlot& plot, Svg& svg) {
    chart::draw_x_axis(svg, plot.x, plot_top, plot_bottom, 10);
    chart::draw_y_axis(svg, plot.y, plot_left, plot_right, 8);
    svg.text({(plot_left + plot_right) / 2, plot_bottom + 36}, "FLOP per byte moved at the level", "dim",
             Anchor::middle);
    svg.rotated_text({18, (plot_top + plot_bottom) / 2}, 90, "FLOP/s", "dim", Anchor::middle);
}

std::string tip_of(const Roof& roof, const char* unit) {
    return fmt::format("{}: {} = {}", roof.name, human_si(roof.rate, unit), roof.formula);
}

void draw_ceiling(const RooflinePlot& plot, const Roof& roof, double from_intensity, const char* classes,
                  Svg& svg) {
    const double y = plot.y.at(roof.rate);
    svg.line({plot.x.at(std::max(from_intensity, plot.x.low)), y}, {plot_right, y}, classes,
             tip_of(roof, "FLOP/s"));
}

// Whether a point, or the line that joins a kernel's, meets text that ends at `right` on the ceiling.
bool any_kernel_near(const RooflinePlot& plot, double right, double y, double length) {
    constexpr double near = 8;
    return std::any_of(plot.kernels.begin(), plot.kernels.end(), [&](const RooflineKernel* kernel) {
        const double at = plot.y.at(kernel->flops_per_second);
        if (at > y + near || at < y - 18 - near) {
            return false;
        }
        double first = plot_right;
        double last = plot_left;
        for (const auto& point : kernel->points) {
            first = std::min(first, plot.x.at(point.intensity));
            last = std::max(last, plot.x.at(point.intensity));
        }
        return first < right + near && last > right - length - near;
    });
}

// Above the ceiling at its right end, below it where a kernel is in the way.
void label_ceiling(const RooflinePlot& plot, double rate, const std::string& text, Svg& svg) {
    const double y = plot.y.at(rate);
    const double right = plot_right - 4;
    const bool below = any_kernel_near(plot, right, y, chart::text_width(text));
    svg.text({right, below ? y + 16 : y - 6}, text, "halo", Anchor::end);
}

// Ceilings of (nearly) the same height share one label.
void label_ceilings(const RooflinePlot& plot, Svg& svg) {
    const auto& r = plot.roofline;
    std::vector<const Roof*> roofs{&r.fp32};
    for (const auto& roof : r.tensor) {
        roofs.push_back(&roof);
    }
    if (r.fp32_without_fma) {
        roofs.push_back(&*r.fp32_without_fma);
    }
    std::stable_sort(roofs.begin(), roofs.end(),
                     [](const auto* a, const auto* b) { return a->rate > b->rate; });
    for (std::size_t i = 0; i < roofs.size();) {
        std::string text;
        const double rate = roofs[i]->rate;
        for (; i < roofs.size() && rate <= same_roof * roofs[i]->rate; ++i) {
            text += (text.empty() ? "" : "; ") + roofs[i]->name;
        }
        label_ceiling(plot, rate, text + "  " + human_si(rate, "FLOP/s"), svg);
    }
}

// Where the diagonal enters the plot.
double entry(const RooflinePlot& plot, double bytes_per_second) {
    return std::max(plot.x.low, plot.y.low / bytes_per_second);
}

void draw_diagonal(const RooflinePlot& plot, const BandwidthRoof& b, bool dashed, Svg& svg) {
    const double from = entry(plot, b.roof.rate);
    svg.line({plot.x.at(from), plot.y.at(from * b.roof.rate)},
             {plot.x.at(top_rate(plot.roofline) / b.roof.rate), plot.y.at(top_rate(plot.roofline))},
             fmt::format("s{} open{}", colour_of(b.level), dashed ? " dash" : ""),
             tip_of(b.roof, "B/s") + fmt::format("; ridge at {:.3g} FLOP/B", b.ridge));
}

// A place for text along a diagonal: `along` its way from where it enters the plot, beside it by `off`.
struct Slant {
    Point from;
    double cosine = 1, sine = 0;
    [[nodiscard]] Point at(double along, double off) const {
        return {from.x + along * cosine - off * sine, from.y - along * sine - off * cosine};
    }
    // Whether a point of the plot comes near text of `length` there.
    [[nodiscard]] bool meets(Point p, double along, double off, double length) const {
        constexpr double near = 12;
        const double u = (p.x - from.x) * cosine - (p.y - from.y) * sine;
        const double v = -(p.x - from.x) * sine - (p.y - from.y) * cosine;
        return u > along - near && u < along + length + near && std::abs(v - off) < near;
    }
};

bool any_point_near(const RooflinePlot& plot, const Slant& slant, double along, double off, double length) {
    for (const auto* kernel : plot.kernels) {
        for (const auto& point : kernel->points) {
            const Point at{plot.x.at(point.intensity), plot.y.at(kernel->flops_per_second)};
            if (slant.meets(at, along, off, length)) {
                return true;
            }
        }
    }
    return false;
}

// Above the line, or below it where the next roof is too near; as far to the left as points let it.
void label_diagonal(const RooflinePlot& plot, const std::string& text, double rate, bool below, Svg& svg) {
    const double slope = (plot.y.at(plot.y.low) - plot.y.at(plot.y.low * 10)) /
                         (plot.x.at(plot.x.low * 10) - plot.x.at(plot.x.low));
    const double angle = std::atan(slope);
    const double from = entry(plot, rate);
    const Slant slant{{plot.x.at(from), plot.y.at(from * rate)}, std::cos(angle), std::sin(angle)};
    const double off = below ? -15 : 6;
    const double length = chart::text_width(text);
    const double room = (plot.y.at(from * rate) - plot_top) / slant.sine - length;
    double along = 14;
    while (any_point_near(plot, slant, along, off, length)) {
        along += along_step;
        if (along > room) {
            along = 14;
            break;
        }
    }
    svg.rotated_text(slant.at(along, off), angle * 180 / std::numbers::pi, text, "halo");
}

// Roofs of (nearly) the same bandwidth get one label; the later of them is dashed, so that both are seen.
void draw_diagonals(const RooflinePlot& plot, Svg& svg) {
    std::vector<const BandwidthRoof*> roofs;
    for (const auto& b : plot.roofline.bandwidths) {
        roofs.push_back(&b);
    }
    std::stable_sort(roofs.begin(), roofs.end(),
                     [](const auto* a, const auto* b) { return a->roof.rate > b->roof.rate; });
    constexpr double least_apart = 26;
    double before = -least_apart;
    for (std::size_t i = 0; i < roofs.size();) {
        std::size_t end = i;
        std::string text;
        while (end < roofs.size() && roofs[i]->roof.rate <= same_roof * roofs[end]->roof.rate) {
            draw_diagonal(plot, *roofs[end], end > i, svg);
            text += (text.empty() ? "" : ", ") + roofs[end]->roof.name;
            text += "  " + human_si(roofs[end]->roof.rate, "B/s");
            ++end;
        }
        // how far below the last one at the same intensity
        const double height_at_one = plot.y.to + (plot.y.from - plot.y.to) *
                                                     std::log10(plot.y.high / roofs[i]->roof.rate) /
                                                     std::log10(plot.y.high / plot.y.low);
        label_diagonal(plot, text, roofs[i]->roof.rate, i > 0 && height_at_one - before < least_apart, svg);
        before = height_at_one;
        i = end;
    }
}

}  // namespace

const char* colour_of(RoofLevel level) {
    constexpr std::array<const char*, 4> classes{"1", "3", "2", "4"};
    return classes.at(static_cast<std::size_t>(level));
}

RooflinePlot make_plot(const Roofline& r) {
    RooflinePlot plot{r, {}, {}, {}};
    double x_low = 1;
    double x_high = 1;
    const double top = top_rate(r);
    double y_low = r.fp32.rate / 30;
    for (const auto& b : r.bandwidths) {
        x_low = std::min(x_low, b.ridge / 12);  // room for the labels of the diagonals
        x_high = std::max(x_high, top / b.roof.rate * 3);
    }
    for (const auto& kernel : r.kernels) {
        if (kernel.prediction.flops <= 0) {
            continue;
        }
        plot.kernels.push_back(&kernel);
        y_low = std::min(y_low, kernel.flops_per_second / 2);
        for (const auto& point : kernel.points) {
            x_low = std::min(x_low, point.intensity / 1.5);
            x_high = std::max(x_high, point.intensity * 1.5);
        }
    }
    plot.x = {step_below(x_low), step_above(x_high), plot_left, plot_right, ScaleKind::logarithmic};
    plot.y = {step_below(y_low), top * 2, plot_bottom, plot_top, ScaleKind::logarithmic};
    return plot;
}

void draw_roofs(const RooflinePlot& plot, Svg& svg) {
    const auto& r = plot.roofline;
    draw_axes(plot, svg);
    const auto from = [&](const Roof& roof) {
        return r.bandwidths.empty() ? plot.x.low : roof.rate / r.bandwidths.front().roof.rate;
    };
    draw_ceiling(plot, r.fp32, from(r.fp32), "frame", svg);
    for (const auto& roof : r.tensor) {
        draw_ceiling(plot, roof, from(roof), "frame", svg);
    }
    if (r.fp32_without_fma) {
        draw_ceiling(plot, *r.fp32_without_fma, plot.x.low, "axis dash", svg);
    }
    draw_diagonals(plot, svg);
    label_ceilings(plot, svg);
}

}  // namespace gpumodel::cli
