// Arithmetic on pairs of half-precision and bfloat16 numbers, rounded once: HADD2, HMUL2, HFMA2.
#include <algorithm>
#include <array>
#include <cmath>

#include "traces/emulate/translate/half_operands.h"

namespace gpumodel::emulate {

namespace {

enum class HalfSum : u32 { add, multiply, fuse };

// MicroOp::option: the operation, what goes in and comes out, what is done to the result.
constexpr u32 half_sum_mask = 3, float_result_bit = 1U << 2, bfloat_format_bit = 1U << 3;
// What becomes a normal number where it is rounded to so many bits, whatever its exponent.
constexpr double smallest_normal_half = 0x1p-14 * (1 - 0x1p-12);
constexpr u32 flush_halves_bit = 1U << 4, saturate_half_bit = 1U << 5, relu_half_bit = 1U << 6;

double source_number(const MicroOp& op, std::size_t k, u32 word, int part) {
    const u32 source = half_source(op, k);
    if ((source & single_bit) != 0) {
        const float value = (source & absolute_bit) != 0 ? std::fabs(as_float(word)) : as_float(word);
        return (source & negative_bit) != 0 ? -value : value;
    }
    const bool bfloat = (op.option & bfloat_format_bit) != 0;
    const u32 bits = signed_half(word, part, source);
    const bool flushes = (op.option & flush_halves_bit) != 0;
    return from_half_or_bfloat(flushes ? flushed_half(bits, half_format_of(bfloat)) : bits, bfloat);
}

// Products of halves are exact in a double.
double half_result(HalfSum sum, double a, double b, double c) {
    return sum == HalfSum::add ? odd_sum(a, b) : sum == HalfSum::multiply ? a * b : odd_sum(a * b, c);
}

// .RELU: what is negative is 0, a NaN is canonical. .SAT: between 0 and 1, a NaN is 0. That -0 becomes +0 is
// estimated: the PTX ISA does not say.
u32 clamped_half(u32 bits, u32 option) {
    const auto& format = half_format_of((option & bfloat_format_bit) != 0);
    if ((option & (relu_half_bit | saturate_half_bit)) == 0) {
        return bits;
    }
    const bool saturates = (option & saturate_half_bit) != 0;
    if (is_half_nan(bits, format)) {
        return saturates ? 0 : half_nan;
    }
    if ((bits & half_sign) != 0) {
        return 0;
    }
    return saturates ? std::min(bits, format.one) : bits;
}

u32 finished_half(double value, u32 option) {
    const bool bfloat = (option & bfloat_format_bit) != 0;
    const float odd = odd_float(value);
    const u32 bits = bfloat ? to_bfloat(odd) : to_half(odd);
    // what would be subnormal if exponents had no end (H200: validate/instructions/half_values)
    const bool flushes = (option & flush_halves_bit) != 0 && std::fabs(value) < smallest_normal_half;
    return clamped_half(flushes ? bits & half_sign : bits, option);
}

// HADD2.F32: a half becomes a float.
u32 finished_single(double value, u32 option) {
    const auto single = static_cast<float>(value);
    if ((option & saturate_half_bit) == 0) {
        return float_bits(single);
    }
    return float_bits(single > 0 ? std::fmin(single, 1.0F) : 0.0F);
}

void operate_on_halves(Warp& warp, const MicroOp& op, u32 mask) {
    const auto sum = static_cast<HalfSum>(op.option & half_sum_mask);
    Lanes result;
    for (std::size_t i = 0; i < lane_count; ++i) {
        const auto part = [&](int which) {
            std::array<double, 3> x{};
            for (std::size_t k = 0; k < x.size(); ++k) {
                x[k] = source_number(op, k, from(warp, op, k).at[i], which);
            }
            return half_result(sum, x[0], x[1], x[2]);
        };
        const auto packed = [&](int which) { return finished_half(part(which), op.option); };
        result.at[i] = (op.option & float_result_bit) != 0 ? finished_single(part(0), op.option)
                                                           : packed(1) << 16 | packed(0);
    }
    assign(to(warp, op), result, mask);
}

bool reads_single(const MicroOp& op) {
    return ((half_source(op, 0) | half_source(op, 1) | half_source(op, 2)) & single_bit) != 0;
}

template <HalfSum SUM>
void translate_halves(Translator& t) {
    auto op = t.make(&operate_on_halves);
    const bool bfloat = is_bfloat(t), flushes = t.has("FTZ"), saturates = t.has("SAT");
    op.option = static_cast<u32>(SUM) | (t.has("F32") ? float_result_bit : 0) |
                (bfloat ? bfloat_format_bit : 0) | (flushes ? flush_halves_bit : 0) |
                (saturates ? saturate_half_bit : 0) | (t.has("RELU") ? relu_half_bit : 0);
    read_half_sources(t, op, SUM == HalfSum::fuse ? 3 : 2);
    op.to[0] = t.result();
    t.add(op);
    // no compiler emits these, and the PTX ISA has none of them
    if ((bfloat && (flushes || saturates)) || (flushes && (t.has("F32") || reads_single(op)))) {
        t.unsupported("in this form is not emulated");
    }
}

}  // namespace

const std::vector<OpcodeEntry>& half_opcodes() {
    static const std::vector<OpcodeEntry> entries{{"HADD2", translate_halves<HalfSum::add>},
                                                  {"HMUL2", translate_halves<HalfSum::multiply>},
                                                  {"HFMA2", translate_halves<HalfSum::fuse>}};
    return entries;
}

}  // namespace gpumodel::emulate
