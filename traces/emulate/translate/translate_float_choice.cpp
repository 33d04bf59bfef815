// Minima and maxima of floating-point numbers: FMNMX, FMNMX3, DMNMX.
#include <cmath>

#include "traces/emulate/operations/lane_operations.h"
#include "traces/emulate/translate/translator.h"

namespace gpumodel::emulate {

namespace {

// MicroOp::option
constexpr u32 flush_bit = 1, nan_wins_bit = 2;
constexpr u32 magnitudes_bit = 4;  // .XORSIGN: of |a| and |b|, with the product's sign

// The smaller of equal zeros is -0 (PTX ISA, min and max).
float smaller_or_larger(float a, float b, bool smaller) {
    if (a == b) {
        return std::signbit(a) == smaller ? a : b;
    }
    if (std::isnan(a) || std::isnan(b)) {
        return std::isnan(a) ? b : a;  // std::fmin would keep a signalling NaN
    }
    return (a < b) == smaller ? a : b;
}

// The predicate chooses the smaller; a NaN loses against a number but with .NAN.
void minimum_float(Warp& warp, const MicroOp& op, u32 mask) {
    const u32 minimum = warp.predicate(op.predicate_from[0]);
    const bool flushes = (op.option & flush_bit) != 0;
    constexpr u32 canonical_nan = 0x7fffffff, float_sign = 0x80000000;
    Lanes result;
    for (std::size_t i = 0; i < lane_count; ++i) {
        const auto source = [&](std::size_t k) {
            const float value = as_float(from(warp, op, k).at[i]);
            return flushes && std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0F, value) : value;
        };
        float a = source(0), b = source(1);
        const u32 sign = (float_bits(a) ^ float_bits(b)) & float_sign;
        const bool magnitudes = (op.option & magnitudes_bit) != 0;
        a = magnitudes ? std::fabs(a) : a;
        b = magnitudes ? std::fabs(b) : b;
        const bool nan =
            (op.option & nan_wins_bit) != 0 ? std::isnan(a) || std::isnan(b) : std::isnan(a) && std::isnan(b);
        const u32 chosen = float_bits(smaller_or_larger(a, b, bit_of(minimum, i) != 0));
        result.at[i] = nan ? canonical_nan : magnitudes ? chosen | sign : chosen;
    }
    assign(to(warp, op), result, mask);
}

void minimum_double(Warp& warp, const MicroOp& op, u32 mask) {
    const u32 minimum = warp.predicate(op.predicate_from[0]);
    Lanes low, high;
    for (std::size_t i = 0; i < lane_count; ++i) {
        const double a = as_double(from(warp, op, 0).at[i], from(warp, op, 1).at[i]);
        const double b = as_double(from(warp, op, 2).at[i], from(warp, op, 3).at[i]);
        const u64 bits = double_bits(bit_of(minimum, i) != 0 ? std::fmin(a, b) : std::fmax(a, b));
        low.at[i] = low_word(bits);
        high.at[i] = high_word(bits);
    }
    assign(to(warp, op, 0), low, mask);
    assign(to(warp, op, 1), high, mask);
}

void translate_fmnmx(Translator& t) {
    const bool magnitudes = t.has("XORSIGN");
    auto op = magnitudes ? t.make(&minimum_float) : t.simple(&minimum_float, 2, Reading::fp32);
    if (magnitudes) {
        op.from[0] = t.raw_value(0);
        op.from[1] = t.raw_value(1);
        op.to[0] = t.result();
        require_magnitudes(t, 2);
    }
    op.option = (t.has("FTZ") ? flush_bit : 0) | (t.has("NAN") ? nan_wins_bit : 0) |
                (magnitudes ? magnitudes_bit : 0);
    op.predicate_from[0] = t.predicate(0);
    t.add(op);
}

// The first two, then what comes of them and the third.
void translate_fmnmx3(Translator& t) {
    const u32 option = (t.has("FTZ") ? flush_bit : 0) | (t.has("NAN") ? nan_wins_bit : 0);
    auto first = t.simple(&minimum_float, 2, Reading::fp32);
    const auto third = t.value(2, Reading::fp32);
    first.guard = {};
    first.option = option;
    first.predicate_from[0] = t.predicate(0);
    first.to[0] = t.temporary();
    t.add(first);
    auto second = t.make(&minimum_float);
    second.from[0] = first.to[0];
    second.from[1] = third;
    second.option = option;
    second.predicate_from[0] = t.predicate(0);
    second.to[0] = t.result();
    t.add(second);
}

void translate_dmnmx(Translator& t) {
    auto op = t.make(&minimum_double);
    for (std::size_t i = 0; i < 2; ++i) {
        op.from[2 * i] = t.value(i, Reading::fp64, 0);
        op.from[2 * i + 1] = t.value(i, Reading::fp64, 1);
    }
    op.to = {t.result(0), t.result(1)};
    op.predicate_from[0] = t.predicate(0);
    t.add(op);
}

}  // namespace

const std::vector<OpcodeEntry>& float_choice_opcodes() {
    static const std::vector<OpcodeEntry> entries{{"FMNMX", translate_fmnmx},
                                                  {"UFMNMX", translate_fmnmx},
                                                  {"FMNMX3", translate_fmnmx3},
                                                  {"DMNMX", translate_dmnmx}};
    return entries;
}

}  // namespace gpumodel::emulate
