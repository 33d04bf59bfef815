#include "tools/views/roofline/roofline_svg.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/views/prediction/report.h"
#include "tools/views/roofline/label_heights.h"
#include "tools/views/roofline/roofline_plot.h"
#include "tools/views/roofline/roofline_views.h"

namespace gpumodel::cli {
namespace {

using chart::Svg;

constexpr double page_width = 1000;
constexpr double height = 620;
constexpr double line_gap = 16;                    // between lines of text
constexpr double label_height = 2 * line_gap + 4;  // two lines
constexpr auto most_labels = static_cast<std::size_t>((plot_bottom - plot_top) / label_height);

// Kernels from top to bottom of the plot, each with the height of its label.
std::vector<std::pair<const RooflineKernel*, double>> label_places(const RooflinePlot& plot) {
    auto kernels = plot.kernels;
    std::stable_sort(kernels.begin(), kernels.end(),
                     [](const auto* a, const auto* b) { return a->flops_per_second > b->flops_per_second; });
    kernels.resize(std::min(kernels.size(), most_labels));
    std::vector<double> wanted;
    wanted.reserve(kernels.size());
    for (const auto* kernel : kernels) {
        wanted.push_back(plot.y.at(kernel->flops_per_second));
    }
    const auto heights = label_heights(wanted, label_height, plot_top, plot_bottom);
    std::vector<std::pair<const RooflineKernel*, double>> places;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        places.emplace_back(kernels[i], heights[i]);
    }
    return places;
}

std::string kernel_tip(const RooflineKernel& k) {
    const auto& p = k.prediction;
    return fmt::format("{} {}: {}, {}; nearest roof {}, {:.1f} % reached", kernel_label(k), p.params,
                       human_time(p.time_seconds), human_si(k.flops_per_second, "FLOP/s"), k.lowest_roof,
                       100 * k.reached);
}

void draw_issue_mark(const RooflinePlot& plot, const RooflineKernel& k, double x, Svg& svg) {
    if (!k.issue_flops_per_second || *k.issue_flops_per_second > plot.y.high) {
        return;
    }
    const double y = plot.y.at(*k.issue_flops_per_second);
    constexpr double half = 9;
    svg.line({x, plot.y.at(k.flops_per_second)}, {x, y}, "axis dash");
    svg.line({x - half, y}, {x + half, y}, "axis open",
             fmt::format("{}: issue ceiling {}, {:.1f} % reached", kernel_label(k),
                         human_si(*k.issue_flops_per_second, "FLOP/s"), 100 * k.issue_reached));
}

void draw_kernel(const RooflinePlot& plot, const RooflineKernel& k, double label_y, Svg& svg) {
    const double y = plot.y.at(k.flops_per_second);
    double first = plot_right;
    double last = plot_left;
    for (const auto& point : k.points) {
        first = std::min(first, plot.x.at(point.intensity));
        last = std::max(last, plot.x.at(point.intensity));
    }
    svg.line({last, y}, {plot_right, y}, "grid");
    svg.line({first, y}, {last, y}, "joined", kernel_tip(k));
    svg.line({plot_right, y}, {plot_right + 14, label_y - 4}, "axis");
    draw_issue_mark(plot, k, first, svg);
    for (const auto& point : k.points) {
        svg.circle({plot.x.at(point.intensity), y}, 5, fmt::format("c{}", colour_of(point.level)),
                   fmt::format("{}\n{}: {:.4g} FLOP/B, {} moved at {}, {:.1f} % of the roof", kernel_tip(k),
                               to_string(point.level), point.intensity, human_bytes(point.bytes),
                               human_si(point.bytes_per_second, "B/s"), 100 * point.reached));
    }
    svg.text({plot_right + 18, label_y}, chart::shortened(kernel_label(k), 36), "bold");
    svg.text({plot_right + 18, label_y + line_gap - 2},
             fmt::format("{}, {:.0f} % of {}", human_si(k.flops_per_second, "FLOP/s"), 100 * k.reached,
                         k.lowest_roof),
             "dim");
}

void draw_legend(const RooflinePlot& plot, Svg& svg) {
    double x = plot_left;
    const double y = height - 26;
    for (const auto& b : plot.roofline.bandwidths) {
        svg.circle({x + 5, y - 4}, 5, fmt::format("c{}", colour_of(b.level)));
        svg.text({x + 15, y}, b.roof.name, "dim");
        x += 30 + chart::text_width(b.roof.name);
    }
    svg.line({x, y - 4}, {x + 16, y - 4}, "axis open");
    svg.text({x + 22, y}, "issue ceiling of the kernel", "dim");
}

// What the picture cannot hold, in one line.
std::string remarks(const RooflinePlot& plot) {
    std::string text;
    const auto add = [&](const std::string& what) { text += (text.empty() ? "" : "; ") + what; };
    for (const auto& kernel : plot.roofline.kernels) {
        if (kernel.prediction.flops <= 0) {
            add(kernel_label(kernel) + ": no FLOP");
        }
    }
    if (plot.kernels.size() > most_labels) {
        add(fmt::format("the fastest {} of {} kernels", most_labels, plot.kernels.size()));
    }
    for (const auto& p : plot.roofline.left_out) {
        add(fmt::format("{}: {}", p.kernel, to_string(p.status)));
    }
    for (const auto& missing : plot.roofline.missing) {
        add(fmt::format("no roof for {}: {}", missing.name, missing.reason));
    }
    return text;
}

}  // namespace

std::string roofline_svg(const Roofline& r, chart::Embedding embedding) {
    const auto title = fmt::format("Roofline of {} ({}, {})", r.marketing_name, r.arch, r.generation);
    Svg svg(page_width, height, title);
    const auto plot = make_plot(r);
    svg.text({plot_left, 26}, title, "bold");
    draw_roofs(plot, svg);
    for (const auto& [kernel, y] : label_places(plot)) {
        draw_kernel(plot, *kernel, y, svg);
    }
    draw_legend(plot, svg);
    svg.text({plot_left, height - 8}, chart::shortened(remarks(plot), 150), "dim small");
    return svg.str(embedding);
}

}  // namespace gpumodel::cli
