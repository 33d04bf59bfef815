// The roofline as a picture: FLOP/s against FLOP/B, both logarithmic. One diagonal per memory level, level
// lines for FP32; one row of points per kernel, a point for each level in its colour, a dashed mark where the
// kernel's issue ceiling is. Kernels without FLOPs have no place in it and are named below.
#pragma once

#include <string>

#include "model/roofline/roofline.h"
#include "tools/views/chart/svg.h"

namespace gpumodel::cli {

[[nodiscard]] std::string roofline_svg(const Roofline& roofline,
                                       chart::Embedding embedding = chart::Embedding::page);

}  // namespace gpumodel::cli
