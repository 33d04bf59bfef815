// What the matrices of timed kernels hold.
#pragma once

#include <cstddef>

#include "validate/measure/instance.cuh"

namespace gpumodel::measure {

// `words` of 32 bits with elements of this type, different in every word.
void fill(float* data, std::size_t words, unsigned seed, Element element);

}  // namespace gpumodel::measure
