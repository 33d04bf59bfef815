// Arithmetic on pairs of half-precision and bfloat16 numbers: HADD2, HMUL2, HFMA2. Products and sums are
// computed in single precision and rounded once more; that shows only where FMA's exact result lies next to
// the middle of two halves.
#include <algorithm>
#include <array>
#include <cmath>

#include "traces/emulate/operations/half.h"
#include "traces/emulate/operations/lane_operations.h"
#include "traces/emulate/translate/translator.h"

namespace gpumodel::emulate {

namespace {

enum class Sum : u32 { add, multiply, fuse };

// MicroOp::option: the operation, what goes in and comes out, then four bits for each source.
constexpr u32 sum_mask = 3, single_result_bit = 1U << 2, bfloat_bit = 1U << 3;
constexpr u32 source_shift = 8, source_bits = 4;
constexpr u32 both_low_bit = 1, both_high_bit = 2, negative_bit = 4, absolute_bit = 8;

float half_of(u32 word, int part, u32 source, bool bfloat) {
    const bool upper = (source & both_high_bit) != 0 || (part == 1 && (source & both_low_bit) == 0);
    const u32 bits = upper ? word >> 16 : word & 0xffffU;
    const float value = bfloat ? as_float(bits << 16) : from_half(bits);
    const float magnitude = (source & absolute_bit) != 0 ? std::fabs(value) : value;
    return (source & negative_bit) != 0 ? -magnitude : magnitude;
}

float result_of(Sum sum, float a, float b, float c) {
    return sum == Sum::add ? a + b : sum == Sum::multiply ? a * b : std::fma(a, b, c);
}

void operate_on_halves(Warp& warp, const MicroOp& op, u32 mask) {
    const auto sum = static_cast<Sum>(op.option & sum_mask);
    const bool bfloat = (op.option & bfloat_bit) != 0;
    Lanes result;
    for (std::size_t i = 0; i < lane_count; ++i) {
        const auto part = [&](int which) {
            std::array<float, 3> x{};
            for (std::size_t k = 0; k < x.size(); ++k) {
                const u32 source = op.option >> (source_shift + source_bits * k) & 0xfU;
                x[k] = half_of(from(warp, op, k).at[i], which, source, bfloat);
            }
            return result_of(sum, x[0], x[1], x[2]);
        };
        const auto packed = [&](int which) { return bfloat ? to_bfloat(part(which)) : to_half(part(which)); };
        result.at[i] =
            (op.option & single_result_bit) != 0 ? float_bits(part(0)) : packed(1) << 16 | packed(0);
    }
    assign(to(warp, op), result, mask);
}

u32 source_of(Translator& t, const SassOperand& operand) {
    const bool low = operand.text == "H0_H0", high = operand.text == "H1_H1";
    if (!low && !high && !operand.text.empty()) {
        t.unsupported("with such an operand is not emulated");
    }
    return (low ? both_low_bit : 0) | (high ? both_high_bit : 0) | (operand.negated ? negative_bit : 0) |
           (operand.absolute ? absolute_bit : 0);
}

// Registers, constants, and pairs of immediates with the upper half first; compilers use the latter to load
// constants.
template <Sum SUM>
void translate_halves(Translator& t) {
    auto op = t.make(&operate_on_halves);
    const bool bfloat = t.has("BF16_V2") || t.has("BF16");
    op.option = static_cast<u32>(SUM) | (t.has("F32") ? single_result_bit : 0) | (bfloat ? bfloat_bit : 0);
    std::size_t slot = 0;
    for (std::size_t i = 0; i < t.value_count() && slot < 3; ++i, ++slot) {
        const auto& operand = t.value_operand(i);
        if (operand.kind == OperandKind::number && i + 1 < t.value_count()) {
            const auto half = [&](std::size_t k) {
                const auto value = static_cast<float>(t.value_operand(k).number);
                return bfloat ? to_bfloat(value) : to_half(value);
            };
            op.from[slot] = t.constant(half(i) << 16 | half(i + 1));
            ++i;
            continue;
        }
        op.option |= source_of(t, operand) << (source_shift + source_bits * slot);
        op.from[slot] = t.raw_value(i);
    }
    for (const auto* modifier : {"RELU", "SAT"}) {
        if (t.has(modifier)) {
            t.unsupported("is not emulated");
        }
    }
    op.to[0] = t.result();
    t.add(op);
}

}  // namespace

const std::vector<OpcodeEntry>& half_opcodes() {
    static const std::vector<OpcodeEntry> entries{{"HADD2", translate_halves<Sum::add>},
                                                  {"HMUL2", translate_halves<Sum::multiply>},
                                                  {"HFMA2", translate_halves<Sum::fuse>}};
    return entries;
}

}  // namespace gpumodel::emulate
