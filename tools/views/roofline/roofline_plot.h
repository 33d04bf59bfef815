// The plane of the roofline picture with its roofs.
#pragma once

#include <vector>

#include "model/roofline/roofline.h"
#include "tools/views/chart/scale.h"

namespace gpumodel::cli {

// Where the plane lies in the drawing; labels of the kernels stand to its right.
inline constexpr double plot_left = 70;
inline constexpr double plot_right = 730;
inline constexpr double plot_top = 50;
inline constexpr double plot_bottom = 530;

struct RooflinePlot {
    const Roofline& roofline;
    std::vector<const RooflineKernel*> kernels;  // those with FLOPs
    chart::Scale x, y;
};

// Axes that hold every point, ridge and ceiling.
[[nodiscard]] RooflinePlot make_plot(const Roofline& roofline);

// Grid, ceilings and diagonals with their names.
void draw_roofs(const RooflinePlot& plot, chart::Svg& svg);

// Class suffix of the level's colour ("1": c1, s1).
[[nodiscard]] const char* colour_of(RoofLevel level);

}  // namespace gpumodel::cli
