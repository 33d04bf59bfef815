// A tensor map (cuTensorMapEncodeTiled) as a kernel's argument: which array in device memory tensor copies
// (UTMALDG, UTMASTG) take tiles of, and how these lie in shared memory.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gpumodel {

struct TensorMap {
    static constexpr std::size_t most_dimensions = 5;
    std::size_t dimensions = 0;
    int element_bytes = 0;
    std::array<std::int64_t, most_dimensions> extent{}, stride{}, box{};  // innermost first; strides in bytes
    int swizzle = 0;  // bytes of a row within which 16-byte chunks change places; 0 = none

    [[nodiscard]] std::int64_t row_bytes() const { return box[0] * element_bytes; }  // of a tile
    [[nodiscard]] std::int64_t rows() const {
        std::int64_t product = 1;
        for (std::size_t d = 1; d < dimensions; ++d) {
            product *= box[d];
        }
        return product;
    }
    [[nodiscard]] std::int64_t tile_bytes() const { return row_bytes() * rows(); }
    // From the first element to behind the last one.
    [[nodiscard]] std::int64_t bytes() const;
};

struct TensorMapText {
    std::string_view pointer;  // "ptr:8MiB=random:1", or the name of an earlier argument
    TensorMap map;
    std::string fault;  // empty: none
};

// What stands between the parentheses of tmap(PTR, TYPE, DIMS, STRIDES, BOX, SWIZZLE), as the driver's
// function takes it: "ptr,bf16,4096x1024,8192,64x128,128". Sizes innermost first; strides in bytes, of all
// dimensions but the innermost ("-" where there is one only); swizzle none, 32, 64 or 128. The driver's rules
// are checked.
[[nodiscard]] TensorMapText read_tensor_map(std::string_view text);

}  // namespace gpumodel
