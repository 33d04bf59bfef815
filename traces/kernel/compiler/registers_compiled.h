// The counts behind compiled_registers (registers.h), sorted by key.
#pragma once

#include <array>
#include <span>
#include <string_view>

namespace gpumodel {

inline constexpr std::array compiled_generations{35, 70, 75, 80, 86, 90};

struct CompiledKernel {
    std::string_view key;  // "warptile;BK=16;BM=128;...;UNROLL=0"; the copies' parameters do not matter
    std::array<int, compiled_generations.size()> registers;  // by generation; 0 = does not exist there
};

[[nodiscard]] std::span<const CompiledKernel> compiled_block_tiles();  // and the simple kernels
[[nodiscard]] std::span<const CompiledKernel> compiled_warp_tiles();
[[nodiscard]] std::span<const CompiledKernel> compiled_double_buffers();

}  // namespace gpumodel
