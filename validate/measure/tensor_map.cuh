// Tensor maps of matrices, as tensor copies (TMA) take them.
#pragma once

#include <cuda.h>

#include "validate/measure/instance.cuh"

namespace gpumodel::measure {

// A row-major matrix in boxes of `box_rows` rows and 128 bytes, swizzled by as many. Made once for the same
// matrix and box. Ends the program on an error of the driver.
[[nodiscard]] const CUtensorMap& tensor_map(const void* matrix, Element element, int rows, int columns,
                                            int box_rows);

}  // namespace gpumodel::measure
