#include "traces/sass/undisassembled.h"

#include <fmt/format.h>

#include "traces/sass/control_word.h"

namespace gpumodel {

namespace {

// Layout of the 128-bit encodings (Jia et al. 2018): opcode 0-11, guard 12-14 with its negation 15,
// destination 16-23, first source 24-31, second source 32-63 (an immediate, or a register in its low bits).
std::uint64_t field(std::uint64_t word, int first, int bits) {
    return (word >> first) & ((std::uint64_t{1} << bits) - 1);
}

SassOperand register_operand(OperandKind kind, std::uint64_t index) {
    SassOperand operand;
    operand.kind = kind;
    operand.index = static_cast<int>(index);
    return operand;
}

SassOperand immediate_operand(std::uint64_t bits) {
    SassOperand operand;
    operand.kind = OperandKind::integer;
    operand.value = static_cast<std::int64_t>(bits);
    return operand;
}

constexpr std::uint64_t viadd_register = 0x236;
constexpr std::uint64_t viadd_immediate = 0x836;
constexpr std::uint64_t viadd_uniform = 0xc36;

// Bits 64-104 are modifiers; the uniform form sets bit 91, as all forms with a uniform register do.
bool plain_viadd(std::uint64_t opcode, std::uint64_t high) {
    constexpr std::uint64_t uniform_mark = std::uint64_t{1} << (91 - 64);
    const auto modifiers = field(high, 0, 105 - 64);
    return opcode == viadd_uniform
               ? modifiers == uniform_mark
               : modifiers == 0 && (opcode == viadd_register || opcode == viadd_immediate);
}

SassOperand second_source(std::uint64_t opcode, std::uint64_t low) {
    if (opcode == viadd_immediate) {
        return immediate_operand(field(low, 32, 32));
    }
    return opcode == viadd_uniform ? register_operand(OperandKind::uniform_reg, field(low, 32, 6))
                                   : register_operand(OperandKind::reg, field(low, 32, 8));
}

}  // namespace

SassInstruction decode_undisassembled(const std::array<std::uint64_t, 2>& encoding) {
    SassInstruction instruction;
    const auto low = encoding[0];
    const auto opcode = field(low, 0, 12);
    instruction.encoding = encoding;
    instruction.guard.predicate = static_cast<int>(field(low, 12, 3));
    instruction.guard.negated = field(low, 15, 1) != 0;
    if (!plain_viadd(opcode, encoding[1])) {
        instruction.opcode = fmt::format("OPCODE_{:#05x}", opcode);
        return instruction;
    }
    instruction.opcode = "VIADD";
    const auto reuse = volta_control(encoding[1]).reuse;
    instruction.operands = {register_operand(OperandKind::reg, field(low, 16, 8)),
                            register_operand(OperandKind::reg, field(low, 24, 8)),
                            second_source(opcode, low)};
    instruction.operands[1].reuse = (reuse & 1U) != 0;
    instruction.operands[2].reuse = (reuse & 2U) != 0;
    return instruction;
}

}  // namespace gpumodel
