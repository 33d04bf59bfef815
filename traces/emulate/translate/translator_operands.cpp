// Operands -> slots: registers, constants, immediates, and the signs before them.
#include <fmt/format.h>

#include <bit>

#include "traces/emulate/operations/lane_operations.h"
#include "traces/emulate/translate/translator.h"

namespace gpumodel::emulate {

namespace {

constexpr u32 negate_integer(u32 x) {
    return 0U - x;
}
constexpr u32 invert(u32 x) {
    return ~x;
}
constexpr u32 absolute_integer(u32 x) {
    return as_signed(x) < 0 ? 0U - x : x;
}
constexpr u32 sign_bit = 0x80000000U;
constexpr u32 negate_float(u32 x) {
    return x ^ sign_bit;
}
constexpr u32 absolute_float(u32 x) {
    return x & ~sign_bit;
}

}  // namespace

std::uint16_t Translator::plain_slot(const SassOperand& operand, Reading reading, int part) {
    switch (operand.kind) {
        case OperandKind::reg:
        case OperandKind::uniform_reg:
            return register_slot(operand, part);
        case OperandKind::constant:
            return bank_slot(operand, part);
        case OperandKind::integer:
        case OperandKind::target:
        case OperandKind::number:
            return immediate_slot(operand, reading, part);
        case OperandKind::predicate:
        case OperandKind::uniform_predicate:
        case OperandKind::barrier_reg:
        case OperandKind::special_reg:
        case OperandKind::memory:
        case OperandKind::other:
            break;
    }
    unsupported("has an operand that is not emulated: " + operand.text);
    return zero_slot;
}

// Not a part of a register such as R3.H1.
std::uint16_t Translator::whole_slot(const SassOperand& operand, Reading reading, int part) {
    if (!operand.text.empty() && operand.kind != OperandKind::other) {
        unsupported("has an operand that is not emulated: ." + operand.text);
    }
    return plain_slot(operand, reading, part);
}

std::string missing_constant(const SassFunction& function, const std::string& what, int bank) {
    return fmt::format(
        "reads {}, {}", what,
        function.constants.has(bank)
            ? "which is not among the module's constants or an address that the loader fills in"
            : "a constant of the module; make the listing with cuobjdump -sass -elf to have it");
}

std::uint16_t Translator::module_slot(const SassOperand& operand, std::int64_t offset) {
    const auto what = fmt::format("c[{:#x}][{:#x}]", operand.bank, offset);
    if (operand.uniform != sass_no_register) {
        return unknown_constant("reads a constant bank that a register names");
    }
    const auto word = function_.constants.word(operand.bank, offset);
    if (!word) {
        return unknown_constant(missing_constant(function_, what, operand.bank));
    }
    if (operand.bank != variables_bank || function_.constants.is_given(operand.bank, offset)) {
        return constant(*word);
    }
    const auto slot = new_constant(*word);
    (function_.constants.is_open(operand.bank, offset) ? open_ : variables_).insert(slot);
    return slot;
}

std::uint16_t Translator::bank_slot(const SassOperand& operand, int part) {
    const auto offset = operand.value + 4 * part;
    if (operand.bank != 0 || operand.uniform != sass_no_register) {
        return module_slot(operand, offset);
    }
    const auto word = bank_.word(offset);
    if (!word) {
        return unknown_constant(fmt::format("reads c[0x0][{:#x}], which is not known", offset));
    }
    return constant(*word);
}

std::uint16_t Translator::immediate_slot(const SassOperand& operand, Reading reading, int part) {
    if (operand.kind == OperandKind::number) {
        if (reading == Reading::fp64) {
            const auto bits = std::bit_cast<u64>(operand.number);
            return constant(part == 0 ? 0 : high_word(bits));  // the encoding holds the upper half only
        }
        return constant(part == 0 ? float_bits(static_cast<float>(operand.number)) : 0);
    }
    // an immediate of a double is its upper half, one of a 64-bit integer is sign-extended
    const auto bits = static_cast<u64>(operand.value);
    if (reading == Reading::fp64) {
        return constant(part == 0 ? 0 : low_word(bits));
    }
    // unless it is written with more bits (UMOV.64)
    const bool longer = operand.value > i64{all_lanes} || operand.value < -i64{all_lanes};
    const u32 upper = longer ? high_word(bits) : (low_word(bits) & sign_bit) != 0 ? all_lanes : 0;
    return constant(part == 0 ? low_word(bits) : upper);
}

std::uint16_t Translator::with_signs(const SassOperand& operand, std::uint16_t slot, Reading reading,
                                     int part) {
    const auto apply = [&](Handler run) {
        auto op = make(run);
        op.guard = {};
        op.from[0] = slot;
        op.to[0] = temporary();
        add(op);
        slot = op.to[0];
    };
    // the sign of a double is in its upper half
    if (reading == Reading::fp64 && part == 0) {
        return slot;
    }
    if (operand.absolute) {
        apply(reading == Reading::integer ? &map1<absolute_integer> : &map1<absolute_float>);
    }
    if (operand.inverted) {
        apply(&map1<invert>);
    }
    if (operand.negated) {
        apply(reading == Reading::integer ? &map1<negate_integer> : &map1<negate_float>);
    }
    return slot;
}

void require_magnitudes(Translator& t, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const auto& operand = t.value_operand(i);
        const bool immediate = operand.kind == OperandKind::number || operand.kind == OperandKind::integer;
        if (operand.negated || (!operand.absolute && !immediate)) {
            t.unsupported("with such signs is not emulated");
        }
    }
}

}  // namespace gpumodel::emulate
