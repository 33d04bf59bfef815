// What caches keep and memory moves: lines of 128 bytes in four sectors, on every generation.
#pragma once

namespace gpumodel::sim {

inline constexpr int line_bytes = 128;
inline constexpr int sector_bytes = 32;

// What DRAM serves together: neighbours arrive as one. `estimated`: a page of 2 KiB (our H200 memory loops
// come out alike for 512 bytes, 4.2 %, and 8 KiB, 4.4 %).
inline constexpr int lines_per_row = 16;

}  // namespace gpumodel::sim
