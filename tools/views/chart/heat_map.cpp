#include "tools/views/chart/heat_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tools/views/chart/bars.h"

namespace gpumodel::chart {
namespace {

using Colour = std::array<int, 3>;

// viridis at 0, 0.1 ... 1
constexpr std::array<Colour, 11> anchors{{{68, 1, 84},
                                          {72, 36, 117},
                                          {65, 68, 135},
                                          {53, 95, 141},
                                          {42, 120, 142},
                                          {33, 145, 140},
                                          {34, 168, 132},
                                          {68, 191, 112},
                                          {122, 209, 81},
                                          {189, 223, 38},
                                          {253, 231, 37}}};

constexpr double least_cell = 18;
constexpr double widest_cell = 90;
constexpr double label_size = 12;
constexpr double label_gap = 8;
constexpr double cell_height = 30;
constexpr double legend_height = 40;
constexpr double legend_length = 128;

struct Frame {
    double left = 0, top = 0;
    double cell_width = 0, cell_height = 0;
    double width = 0, height = 0;
    bool upright = false;  // column labels
};

double longest(const std::vector<std::string>& texts) {
    double width = 0;
    for (const auto& text : texts) {
        width = std::max(width, text_width(text, label_size));
    }
    return width;
}

Frame frame_of(const HeatMap& map) {
    Frame frame;
    const auto columns = static_cast<double>(std::max<std::size_t>(map.columns.size(), 1));
    const auto rows = static_cast<double>(map.rows.size());
    frame.left = std::max(longest(map.rows), text_width(map.y_name, label_size)) + label_gap;
    frame.cell_width = std::max(least_cell, std::min(widest_cell, (chart_width - frame.left) / columns));
    frame.upright = longest(map.columns) + 4 > frame.cell_width;
    frame.top = label_size + 2 * label_gap + (frame.upright ? longest(map.columns) : label_size) + label_gap;
    frame.cell_height = rows > 20 ? least_cell : cell_height;
    frame.width =
        std::max({chart_width, frame.left + columns * frame.cell_width,
                  frame.left + legend_length + text_width(map.low_words + map.high_words) + 3 * label_gap});
    frame.height = frame.top + rows * frame.cell_height + legend_height;
    return frame;
}

void draw_names(Svg& svg, const HeatMap& map, const Frame& frame) {
    svg.text({frame.left - label_gap, frame.top - label_gap}, map.y_name, "dim", Anchor::end);
    svg.text({frame.left, label_size}, map.x_name, "dim");
    for (std::size_t i = 0; i < map.columns.size(); ++i) {
        const double x = frame.left + (static_cast<double>(i) + 0.5) * frame.cell_width;
        if (frame.upright) {
            svg.rotated_text({x + 4, frame.top - label_gap}, 90, map.columns[i], "small");
        } else {
            svg.text({x, frame.top - label_gap}, map.columns[i], "", Anchor::middle);
        }
    }
    for (std::size_t i = 0; i < map.rows.size(); ++i) {
        const double y = frame.top + (static_cast<double>(i) + 0.5) * frame.cell_height + 4;
        svg.text({frame.left - label_gap, y}, map.rows[i], "", Anchor::end);
    }
}

void draw_cell(Svg& svg, const HeatCell& cell, const Frame& frame, Point corner) {
    if (!cell.shade) {
        svg.rect(corner, frame.cell_width - 1, frame.cell_height - 1, "track", cell.tip);
        return;
    }
    svg.rect(corner, frame.cell_width - 1, frame.cell_height - 1, "", cell.tip, viridis(*cell.shade));
    if (text_width(cell.label, label_size) <= frame.cell_width - 4) {
        svg.text({corner.x + frame.cell_width / 2, corner.y + frame.cell_height / 2 + 4}, cell.label, "",
                 Anchor::middle, ink_on_viridis(*cell.shade));
    }
    if (cell.marked) {
        svg.rect({corner.x + 1, corner.y + 1}, frame.cell_width - 3, frame.cell_height - 3, "frame",
                 cell.tip);
    }
}

void draw_legend(Svg& svg, const HeatMap& map, const Frame& frame) {
    constexpr int steps = 32;
    constexpr double length = legend_length;
    const double top = frame.height - 14;
    const double from = frame.left + text_width(map.low_words, label_size) + label_gap;
    for (int i = 0; i < steps; ++i) {
        svg.rect({from + i * length / steps, top}, length / steps + 0.5, 10, "", "",
                 viridis((i + 0.5) / steps));
    }
    svg.text({from - label_gap, top + 9}, map.low_words, "dim", Anchor::end);
    svg.text({from + length + label_gap, top + 9}, map.high_words, "dim");
}

}  // namespace

std::string viridis(double part) {
    const double at = 10 * std::clamp(std::isfinite(part) ? part : 0.0, 0.0, 1.0);
    const auto below = std::min<std::size_t>(static_cast<std::size_t>(at), anchors.size() - 2);
    const double weight = at - static_cast<double>(below);
    Colour colour{};
    for (std::size_t i = 0; i < colour.size(); ++i) {
        colour.at(i) = static_cast<int>(
            std::lround((1 - weight) * anchors.at(below).at(i) + weight * anchors.at(below + 1).at(i)));
    }
    return fmt::format("#{:02x}{:02x}{:02x}", colour[0], colour[1], colour[2]);
}

std::string ink_on_viridis(double part) {
    return part < 0.55 ? "#ffffff" : "#000000";
}

std::string heat_map(const HeatMap& map, Embedding embedding) {
    const auto frame = frame_of(map);
    Svg svg(frame.width, frame.height, map.title);
    draw_names(svg, map, frame);
    for (std::size_t i = 0; i < map.cells.size(); ++i) {
        const auto column = i % map.columns.size();
        const auto row = i / map.columns.size();
        draw_cell(svg, map.cells[i], frame,
                  {frame.left + static_cast<double>(column) * frame.cell_width,
                   frame.top + static_cast<double>(row) * frame.cell_height});
    }
    draw_legend(svg, map, frame);
    return svg.str(embedding);
}

}  // namespace gpumodel::chart
