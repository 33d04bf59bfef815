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

// Maxwell and Pascal: a 64-bit word in front of each group of 3 instructions holds 21 bits for each, the
// first lowest, bit 63 clear. Stall 0-3 (0: goes together with the next instruction), yield 4, write barrier
// 5-7 and read barrier 8-10 (7 = none), wait mask 11-16, reuse 17-20. Source: Gray, "maxas: control codes"
// (2014); Jia et al. (2018), section 2.1; the disassembler's braces around pairs of CUDA 11.8 listings, whose
// first has stall 0 throughout.
[[nodiscard]] bool is_maxwell_control_word(std::uint64_t word);
[[nodiscard]] SassControl maxwell_control(std::uint64_t word, int position);

inline constexpr int kepler_group_size = 7;

// Kepler (sm_35): a 64-bit word in front of each group of 7 instructions. Bits 58-63 hold 2, bits 0-1 hold
// 0; the code of instruction i (0 ... 6) is in bits 2+8i to 9+8i.
[[nodiscard]] bool is_kepler_control_word(std::uint64_t word);
[[nodiscard]] SassControl kepler_control(std::uint64_t word, int position);

// One 8-bit code: 0x04 issues together with the next instruction, whose code says when the warp goes on; any
// other issues alone and the next instruction follows after
//   0x00                    16 cycles
//   0x01 ... 0x1f           1 (0x05 is what the second of a pair carries in hand-scheduled code)
//   0x80 ... 0xdf           2n+1, n the low 4 bits; 32 for n > 10
//   0x20 ... 0x7f, 0xe0 ... n+1, n the low 5 bits; 32 for n > 20
// Bit 7 also waits for the read-only path. Not modelled: 0x05 ... 0x07 behind one another (6 cycles), 0x04
// behind 0x04 (32).
// Source: Zhang et al., "Understanding the GPU microarchitecture to achieve bare-metal performance tuning"
// (PPoPP 2017), figure 2 (a): FFMAs of 16 warps per SM with each of the 256 codes; cycles = 16*32 lanes over
// the throughput read off the curve (127.5 for up to 4 cycles, 101 for 0x24, 31.9 for 0x2f, 24 for 0x34, 16
// for 0x35 to 0x3f; 101, 72.5, 56 for 0x82, 0x83, 0x84). Compiled listings (CUDA 11.8) agree: every distance
// from a producer to its consumer comes to at least the published 9 cycles.
[[nodiscard]] SassControl kepler_code_meaning(unsigned code);

}  // namespace gpumodel
