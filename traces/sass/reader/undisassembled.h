// Instructions that the disassembler did not know: it prints their encoding and no text. CUDA 11.8's, for
// one, lists sm_90 code of later compilers this way.
#pragma once

#include <array>
#include <cstdint>

#include "traces/sass/sass_module.h"

namespace gpumodel {

// Guard, opcode and operands out of a 128-bit encoding; address and line are the caller's. VIADD, VIADDMNMX,
// VIMNMX and VIMNMX3 are decoded, on words and on pairs of halves, with register, immediate and uniform
// sources, and VHMNMX on pairs of halves with register and immediate ones. Anything else, also these with
// other modifier bits, is named by its 12 opcode bits, "OPCODE_0x236", and so is unknown to the opcode table.
[[nodiscard]] SassInstruction decode_undisassembled(const std::array<std::uint64_t, 2>& encoding);

}  // namespace gpumodel
