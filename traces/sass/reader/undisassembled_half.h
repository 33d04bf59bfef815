// VHMNMX, the minimum or maximum of three pairs of halves, out of its encoding (undisassembled.h).
#pragma once

#include <array>
#include <cstdint>

#include "traces/sass/sass_module.h"

namespace gpumodel {

// Opcode, modifiers and operands; false where it is another opcode or has bits that are not understood.
[[nodiscard]] bool decode_half_choice(const std::array<std::uint64_t, 2>& encoding,
                                      SassInstruction& instruction);

}  // namespace gpumodel
