// What caches keep and memory moves: lines of 128 bytes in four sectors, on every generation.
#pragma once

namespace gpumodel::sim {

inline constexpr int line_bytes = 128;
inline constexpr int sector_bytes = 32;

}  // namespace gpumodel::sim
