// Which modifiers of an opcode its translation understands. One that is not listed makes the result unknown
// instead of silently wrong.
#pragma once

#include <string>

#include "traces/sass/sass_module.h"

namespace gpumodel::emulate {

// The first modifier that the opcode's row does not name; "" if it names all, or if the opcode has no row
// (control, and opcodes whose translation looks at every modifier itself).
[[nodiscard]] std::string unknown_modifier(const SassInstruction& instruction);

}  // namespace gpumodel::emulate
