#include "traces/sass/reader/undisassembled.h"

#include <fmt/format.h>

#include <optional>

#include "traces/sass/reader/control_word.h"

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
    constexpr std::uint64_t form = 0xf00;
    if ((opcode & form) == (viadd_immediate & form)) {
        return immediate_operand(field(low, 32, 32));
    }
    return (opcode & form) == (viadd_uniform & form)
               ? register_operand(OperandKind::uniform_reg, field(low, 32, 6))
               : register_operand(OperandKind::reg, field(low, 32, 8));
}

constexpr std::uint64_t vimnmx_register = 0x248;
constexpr std::uint64_t vimnmx_immediate = 0x848;
constexpr std::uint64_t vimnmx_uniform = 0xc48;

// Signed types set bit 72; the predicate that asks for the minimum stands in bits 87-89, its negation in 90;
// the two predicate fields in front of it are PT.
struct Vimnmx {
    bool is_signed = false;
    std::uint64_t predicate = 0;
    bool negated = false;
};

std::optional<Vimnmx> decode_vimnmx(std::uint64_t opcode, std::uint64_t high) {
    if (opcode != vimnmx_register && opcode != vimnmx_immediate && opcode != vimnmx_uniform) {
        return std::nullopt;
    }
    constexpr std::uint64_t variable = 0x7800100;  // type, predicate, negation
    constexpr std::uint64_t others_true = 0x07e0000;
    constexpr std::uint64_t uniform_mark = std::uint64_t{1} << (91 - 64);
    const auto fixed = field(high, 0, 105 - 64) & ~variable;
    if (fixed != (opcode == vimnmx_uniform ? others_true | uniform_mark : others_true)) {
        return std::nullopt;
    }
    return Vimnmx{field(high, 72 - 64, 1) != 0, field(high, 87 - 64, 3), field(high, 90 - 64, 1) != 0};
}

}  // namespace

SassInstruction decode_undisassembled(const std::array<std::uint64_t, 2>& encoding) {
    SassInstruction instruction;
    const auto low = encoding[0];
    const auto opcode = field(low, 0, 12);
    instruction.encoding = encoding;
    instruction.guard.predicate = static_cast<int>(field(low, 12, 3));
    instruction.guard.negated = field(low, 15, 1) != 0;
    const auto vimnmx = decode_vimnmx(opcode, encoding[1]);
    if (!vimnmx && !plain_viadd(opcode, encoding[1])) {
        instruction.opcode = fmt::format("OPCODE_{:#05x}", opcode);
        return instruction;
    }
    instruction.opcode = vimnmx ? "VIMNMX" : "VIADD";
    const auto reuse = volta_control(encoding[1]).reuse;
    instruction.operands = {register_operand(OperandKind::reg, field(low, 16, 8)),
                            register_operand(OperandKind::reg, field(low, 24, 8)),
                            second_source(opcode, low)};
    if (vimnmx) {
        if (!vimnmx->is_signed) {
            instruction.modifiers.push_back("U32");
        }
        instruction.operands.push_back(register_operand(OperandKind::predicate, vimnmx->predicate));
        instruction.operands.back().inverted = vimnmx->negated;
    }
    instruction.operands[1].reuse = (reuse & 1U) != 0;
    instruction.operands[2].reuse = (reuse & 2U) != 0;
    return instruction;
}

}  // namespace gpumodel
