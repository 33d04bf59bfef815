// Decoded SASS -> what a timing model sees of it.
#pragma once

#include "traces/sass/sass_module.h"
#include "traces/warp_events.h"

namespace gpumodel {

// Registers, control and access of one instruction; `mnemonic`, `site` and `word` are the caller's. Unknown
// opcodes keep the registers that are printed, all as sources, and class mov.
//
// Sources: address registers first, then data, in operand order; ALU operands have the slots A, B, C by
// position, also where the operand in between is no register. IMAD.HI's and IMAD.WIDE's third source and
// 64-bit addresses are pairs. Instructions on barriers in shared memory (ARRIVES, SYNCS, ATOMS.ARRIVE) are no
// accesses: access_bytes = 0.
[[nodiscard]] Instruction instruction_from_sass(const SassInstruction& instruction, SassIsa isa);

[[nodiscard]] StaticCode static_code(const SassFunction& function);

}  // namespace gpumodel
