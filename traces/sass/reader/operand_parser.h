// Text of one operand -> SassOperand.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "traces/sass/sass_module.h"

namespace gpumodel {

struct OperandFault {
    std::size_t offset = 0;  // into the text
    std::string message;
};

// `text` is one operand without its comma. Register numbers out of range, broken brackets and broken numbers
// are faults; well-formed text that is none of the known kinds becomes OperandKind::other. Immediates
// stay integers: which ones are branch targets, the opcode decides.
[[nodiscard]] std::variant<SassOperand, OperandFault> parse_operand(std::string_view text);

// "P3", "!UP0", "PT"; empty if it is none.
[[nodiscard]] std::optional<SassGuard> parse_guard(std::string_view text);

}  // namespace gpumodel
