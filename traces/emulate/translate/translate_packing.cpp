// F2FP: two FP32 numbers become a pair of halves.
//   F2FP.BF16.F32.PACK_AB R0, R1, R2     the upper half from R1, the lower one from R2 (PTX
//   cvt.rn.bf16x2.f32)
// CUDA 11.8 for sm_80 leaves out F32, and F16 too. 8-bit numbers, TF32 and what goes on top of a third
// operand are refused.
#include "traces/emulate/operations/half.h"
#include "traces/emulate/operations/lane_operations.h"
#include "traces/emulate/translate/translator.h"

namespace gpumodel::emulate {

namespace {

template <bool bfloat, bool cut, bool relu>
u32 packed(u32 a, u32 b) {
    const auto half = [](u32 bits) -> u32 {
        const float value = as_float(bits);
        if (relu && value <= 0) {
            return 0;
        }
        return !bfloat ? to_half(value) : cut && value == value ? bits >> 16 : to_bfloat(value);
    };
    return half(a) << 16 | half(b);
}

template <bool bfloat, bool cut>
Handler handler_of(bool relu) {
    return relu ? &map2<packed<bfloat, cut, true>> : &map2<packed<bfloat, cut, false>>;
}

void translate_pack(Translator& t) {
    const bool bfloat = t.has("BF16"), cut = t.has("RZ");
    if (!t.has("PACK_AB") || t.value_count() != 2) {
        t.unsupported("is not emulated");
        return;
    }
    if (cut && !bfloat) {
        t.unsupported("to half precision with this rounding is not emulated");
        return;
    }
    auto op = t.make(!bfloat ? handler_of<false, false>(t.has("RELU"))
                     : cut   ? handler_of<true, true>(t.has("RELU"))
                             : handler_of<true, false>(t.has("RELU")));
    op.from[0] = t.value(0, Reading::fp32, 0);
    op.from[1] = t.value(1, Reading::fp32, 0);
    op.to[0] = t.result();
    t.add(op);
}

}  // namespace

const std::vector<OpcodeEntry>& packing_opcodes() {
    static const std::vector<OpcodeEntry> entries{{"F2FP", translate_pack}};
    return entries;
}

}  // namespace gpumodel::emulate
