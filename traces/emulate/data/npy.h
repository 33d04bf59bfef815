// The header of NumPy's .npy files (NEP 1, versions 1.0 to 3.0): where the data begins, and that it is what a
// kernel can read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpumodel {

struct NpyHeader {
    std::size_t data_begin = 0;
    std::string dtype;  // "<f4"
    std::vector<std::int64_t> shape;
    std::string fault;  // empty: a C-ordered array of numbers, little endian, of which all bytes are there
};

// `file`: all bytes of it.
[[nodiscard]] NpyHeader read_npy_header(std::string_view file);

}  // namespace gpumodel
