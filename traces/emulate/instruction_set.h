// What is done with each instruction of a listing, whether a launch would reach it or not.
#pragma once

#include <string>
#include <vector>

#include "traces/sass/sass_module.h"

namespace gpumodel {

enum class InstructionSupport : unsigned char {
    executed,  // its results are computed where paths or addresses need them
    priced,    // decoded and timed; where a path or an address needs its result, the launch is refused
    refused,   // not decoded: the launch is refused unless unknown instructions are allowed
};

struct InstructionForm {
    std::string opcode, mnemonic;  // "LDG", "LDG.E.64"
    InstructionSupport support = InstructionSupport::executed;
    std::string reason;  // of priced and refused, without the mnemonic: "is not emulated"
};

// One per instruction, in order.
[[nodiscard]] std::vector<InstructionForm> instruction_forms(const SassFunction& function);

// What of each function's instruction forms is executed, and why the others are not: a table in Markdown,
// rows by opcode. docs/instruction_set.md is this of the listings in validate/instructions/forms, in which a
// function is named after its compiler.
[[nodiscard]] std::string instruction_set_document(const std::vector<const SassFunction*>& functions);

}  // namespace gpumodel
