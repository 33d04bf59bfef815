// F2FP: FP32 numbers become halves or bfloat16 numbers.
//   F2FP.BF16.F32.PACK_AB R0, R1, R2     the upper half from R1, the lower one from R2 (PTX
//   cvt.rn.bf16x2.f32)
//   F2FP.RELU.F16.F32.MERGE_C R0, R1, RZ the lower half from R1 (PTX cvt.rn.relu.f16.f32), the upper one 0
// CUDA 11.8 for sm_80 leaves out F32, and F16 too. 8-bit numbers, TF32 and what goes on top of a third
// operand other than RZ are refused.
#include "traces/emulate/operations/half.h"
#include "traces/emulate/operations/lane_operations.h"
#include "traces/emulate/translate/translator.h"

namespace gpumodel::emulate {

namespace {

// MicroOp::option
constexpr u32 to_bfloat_bit = 1, cut_bit = 2, positive_bit = 4, finite_bit = 8;

// .RELU: what is negative is 0, -0 too (estimated: the PTX ISA does not say). .SATFINITE: no infinity, but
// the largest number.
u32 packed_half(float value, u32 option) {
    const auto& format = half_format_of((option & to_bfloat_bit) != 0);
    const u32 bits =
        rounded_half(value, format, (option & cut_bit) != 0 ? Rounding::zero : Rounding::nearest);
    if ((option & positive_bit) != 0 && bits != half_nan && (bits & half_sign) != 0) {
        return 0;
    }
    const bool infinite = (bits & ~half_sign) == format.infinity;
    return infinite && (option & finite_bit) != 0 ? bits - 1 : bits;
}

void pack_halves(Warp& warp, const MicroOp& op, u32 mask) {
    Lanes result;
    for (std::size_t i = 0; i < lane_count; ++i) {
        const auto half = [&](std::size_t k) {
            return packed_half(as_float(from(warp, op, k).at[i]), op.option);
        };
        result.at[i] = half(0) << 16 | half(1);
    }
    assign(to(warp, op), result, mask);
}

bool is_zero_register(const SassOperand& operand) {
    return operand.kind == OperandKind::reg && operand.index == sass_rz;
}

void translate_pack(Translator& t) {
    const bool onto_zero = t.has("MERGE_C") && is_zero_register(t.value_operand(1));
    if ((!t.has("PACK_AB") && !onto_zero) || t.value_count() != 2) {
        t.unsupported("is not emulated");
        return;
    }
    auto op = t.make(&pack_halves);
    op.option = (t.has("BF16") ? to_bfloat_bit : 0) | (t.has("RZ") ? cut_bit : 0) |
                (t.has("RELU") ? positive_bit : 0) | (t.has("SATFINITE") ? finite_bit : 0);
    op.from[0] = onto_zero ? static_cast<std::uint16_t>(zero_slot) : t.value(0, Reading::fp32, 0);
    op.from[1] = t.value(onto_zero ? 0 : 1, Reading::fp32, 0);
    op.to[0] = t.result();
    t.add(op);
}

}  // namespace

const std::vector<OpcodeEntry>& packing_opcodes() {
    static const std::vector<OpcodeEntry> entries{{"F2FP", translate_pack}};
    return entries;
}

}  // namespace gpumodel::emulate
