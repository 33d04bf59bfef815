// Tensor maps of matrices, as tensor copies (TMA) take them.
#pragma once

#include <cuda.h>

#include "validate/measure/instance.cuh"

namespace gpumodel::measure {

// A row-major matrix of 16-bit elements in boxes of `box_rows` rows and 64 columns, swizzled by 128 bytes.
// Made once for the same matrix and box. Ends the program on an error of the driver.
[[nodiscard]] const CUtensorMap& tensor_map(const void* matrix, Element element, int rows, int columns,
                                            int box_rows);

}  // namespace gpumodel::measure
