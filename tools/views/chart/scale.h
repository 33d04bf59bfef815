// Axes of charts: from values to coordinates, and where the ticks stand.
#pragma once

#include <string>
#include <vector>

#include "tools/views/chart/svg.h"

namespace gpumodel::chart {

enum class ScaleKind : unsigned char { linear, logarithmic };

// Values low ... high on coordinates from ... to (from > to for an axis that points up). Values outside are
// placed at the ends. Logarithmic: low > 0.
struct Scale {
    double low = 0, high = 1;
    double from = 0, to = 1;
    ScaleKind kind = ScaleKind::linear;
    [[nodiscard]] double at(double value) const;
};

// Multiples of 1, 2 or 5 times a power of ten within [low, high], at most `most`; the finest such spacing.
[[nodiscard]] std::vector<double> linear_ticks(double low, double high, int most = 6);
// 1, 2 and 5 times each power of ten where they fit, else powers of ten, else every n-th of them.
[[nodiscard]] std::vector<double> log_ticks(double low, double high, int most = 8);
[[nodiscard]] std::vector<double> ticks(const Scale& scale, int most = 6);
// The smallest tick spacing's multiple that is at least `value`: where a linear axis from 0 may end.
[[nodiscard]] double nice_end(double value, int most = 6);

// "0.05", "200", "1.5k", "20M": up to three digits and an SI prefix.
[[nodiscard]] std::string tick_label(double value);

// Grid lines with their labels below the plot (x) or to its left (y).
void draw_x_axis(Svg& svg, const Scale& scale, double top, double bottom, int most = 6);
void draw_y_axis(Svg& svg, const Scale& scale, double left, double right, int most = 6);

}  // namespace gpumodel::chart
