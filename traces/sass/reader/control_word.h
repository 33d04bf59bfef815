// Control information out of the encodings.
#pragma once

#include <cstdint>
#include <optional>

#include "traces/sass/sass_module.h"

namespace gpumodel {

// Volta and later: 21 bits of the 128-bit instruction; `high` holds bits 64 to 127. Stall 105-108, yield 109,
// write barrier 110-112 and read barrier 113-115 (7 = none), wait mask 116-121, reuse 122-125.
// Source: Jia et al., "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking" (2018), table 2.1;
// CuAssembler.
[[nodiscard]] SassControl volta_control(std::uint64_t high);

inline constexpr int kepler_group_size = 7;

// Kepler (sm_35): a 64-bit word in front of each group of 7 instructions. Bits 58-63 hold 2, bits 0-1 hold
// 0; the code of instruction i (0 ... 6) is in bits 2+8i to 9+8i.
[[nodiscard]] bool is_kepler_control_word(std::uint64_t word);
[[nodiscard]] SassControl kepler_control(std::uint64_t word, int position);

// One 8-bit code: 0x04 and 0x05 issue together with the next instruction; 0x20+n issues alone and the next
// follows after n+1 cycles; 0x00 waits 16; bit 7 waits for the read-only path.
// Source: Zhang et al., "Understanding the GPU microarchitecture to achieve bare-metal performance tuning"
// (PPoPP 2017); n+1 from compiled listings, where it makes every producer-to-consumer distance at least the
// published 9 cycles.
[[nodiscard]] SassControl kepler_code_meaning(unsigned code);

}  // namespace gpumodel
