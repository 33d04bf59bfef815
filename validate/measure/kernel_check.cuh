// Results of the kernels on the GPU against a double-precision reference on the host.
#pragma once

#include "validate/measure/instance.cuh"

namespace gpumodel::measure {

// The largest error in units of its rounding bound (exact kernels: 0 or infinite; NaN is kept); two launches
// per product, of shapes that are not square. Ends the program on a CUDA error.
[[nodiscard]] double worst_error(const Instance& instance);

// naive and coalesced check bounds: a product of which no size is a multiple of the tile.
[[nodiscard]] double worst_error_odd_shape(const Instance& instance);

}  // namespace gpumodel::measure
