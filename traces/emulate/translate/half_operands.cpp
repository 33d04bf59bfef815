#include "traces/emulate/translate/half_operands.h"

namespace gpumodel::emulate {

namespace {

u32 half_source_of(Translator& t, const SassOperand& operand) {
    const bool low = operand.text == "H0_H0", high = operand.text == "H1_H1", single = operand.text == "F32";
    if (!low && !high && !single && !operand.text.empty()) {
        t.unsupported("with such an operand is not emulated");
    }
    return (low ? both_low_bit : 0) | (high ? both_high_bit : 0) | (single ? single_bit : 0) |
           (operand.negated ? negative_bit : 0) | (operand.absolute ? absolute_bit : 0);
}

// Two immediates, that of the upper half first.
u32 immediate_pair(Translator& t, std::size_t i) {
    const auto half = [&](std::size_t k) {
        const auto& operand = t.value_operand(k);
        if (operand.kind != OperandKind::number) {
            t.unsupported("with such an operand is not emulated");
        }
        return rounded_half(operand.number, half_format_of(is_bfloat(t)), Rounding::nearest);
    };
    return half(i) << 16 | half(i + 1);
}

}  // namespace

void read_half_sources(Translator& t, MicroOp& op, std::size_t count) {
    std::size_t at = 0;
    for (std::size_t slot = 0; slot < count; ++slot, ++at) {
        const auto& operand = t.value_operand(at);
        if (operand.kind == OperandKind::number) {
            op.from[slot] = t.constant(immediate_pair(t, at++));
            continue;
        }
        op.immediate |= i64{half_source_of(t, operand)} << (half_source_bits * slot);
        op.from[slot] = t.raw_value(at);
    }
}

}  // namespace gpumodel::emulate
