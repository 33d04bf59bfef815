// What hangs on the result of one instruction.
#pragma once

#include <optional>
#include <string>

#include "traces/emulate/prepare/program.h"

namespace gpumodel::emulate {

struct Dependent {
    enum class Kind : unsigned char { branch, guard, address, barrier };
    Kind kind = Kind::branch;
    int instruction = 0;
};

// The first instruction, in the order in which code is reached from `instruction`, whose path, guard or
// address depends on what `instruction` writes: through registers and predicates until they are overwritten,
// through shared and local memory as a whole, not through device memory. Empty if there is none. Follows
// operands only, no opcode is special. `program` holds all its operations (before the slice).
[[nodiscard]] std::optional<Dependent> first_dependent(const Program& program, int instruction);

// "the branch at 0x0120 (BRA)".
[[nodiscard]] std::string words_of(const Dependent& dependent, const SassFunction& function);

}  // namespace gpumodel::emulate
