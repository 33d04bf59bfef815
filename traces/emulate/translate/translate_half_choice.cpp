// Minima, maxima and comparisons of pairs of half-precision and bfloat16 numbers, by the PTX ISA's min, max,
// set and setp. Both formats are ordered as their bits are, so that no number is made of them.
#include "traces/emulate/translate/comparison_modifiers.h"
#include "traces/emulate/translate/half_operands.h"

namespace gpumodel::emulate {

namespace {

// MicroOp::option, above what comparisons.h has there.
constexpr u32 bfloats_bit = 1U << 24, flushed_bit = 1U << 25, nan_first_bit = 1U << 26;
constexpr u32 xor_sign_bit = 1U << 27, third_bit = 1U << 28, ones_bit = 1U << 29;

const HalfFormat& format_of(const MicroOp& op) {
    return half_format_of((op.option & bfloats_bit) != 0);
}

// Ascending with the number; -0 comes before +0.
u32 order_of(u32 bits) {
    return (bits & half_sign) != 0 ? ~bits & 0xffffU : bits | half_sign;
}

u32 choose_half(u32 a, u32 b, bool smaller, u32 option, const HalfFormat& format) {
    const bool no_a = is_half_nan(a, format), no_b = is_half_nan(b, format);
    if ((no_a && no_b) || ((no_a || no_b) && (option & nan_first_bit) != 0)) {
        return half_nan;
    }
    if (no_a || no_b) {
        return no_a ? b : a;
    }
    return (order_of(a) < order_of(b)) == smaller ? a : b;
}

// The choice among magnitudes, with the product's sign.
u32 choose_magnitude(u32 a, u32 b, bool smaller, u32 option, const HalfFormat& format) {
    const u32 chosen = choose_half(a & ~half_sign, b & ~half_sign, smaller, option, format);
    return is_half_nan(chosen, format) ? chosen : chosen | ((a ^ b) & half_sign);
}

// The predicate chooses the smaller.
void choose_halves(Warp& warp, const MicroOp& op, u32 mask) {
    const u32 minimum = warp.predicate(op.predicate_from[0]);
    const auto& format = format_of(op);
    const bool by_magnitude = (op.option & xor_sign_bit) != 0;
    Lanes result;
    for (std::size_t i = 0; i < lane_count; ++i) {
        const bool smaller = bit_of(minimum, i) != 0;
        const auto part = [&](int which) {
            const auto source = [&](std::size_t k) {
                const u32 word = from(warp, op, k).at[i], how = half_source(op, k);
                const u32 bits = by_magnitude ? plain_half(word, which, how) : signed_half(word, which, how);
                return (op.option & flushed_bit) != 0 ? flushed_half(bits, format) : bits;
            };
            const auto choose = by_magnitude ? &choose_magnitude : &choose_half;
            const u32 chosen = choose(source(0), source(1), smaller, op.option, format);
            return (op.option & third_bit) != 0 ? choose(chosen, source(2), smaller, op.option, format)
                                                : chosen;
        };
        result.at[i] = part(1) << 16 | part(0);
    }
    assign(to(warp, op), result, mask);
}

u32 half_options(const Translator& t) {
    return (is_bfloat(t) ? bfloats_bit : 0) | (t.has("FTZ") ? flushed_bit : 0) |
           (t.has("NAN") ? nan_first_bit : 0) | (t.has("XORSIGN") ? xor_sign_bit : 0);
}

void refuse_flushed_bfloats(Translator& t) {
    if (is_bfloat(t) && t.has("FTZ")) {
        t.unsupported("in this form is not emulated");
    }
}

template <std::size_t COUNT>
void translate_choice(Translator& t) {
    auto op = t.make(&choose_halves);
    op.option = half_options(t) | (COUNT == 3 ? third_bit : 0);
    read_half_sources(t, op, COUNT);
    op.predicate_from[0] = t.predicate(0);
    op.to[0] = t.result();
    t.add(op);
    if (t.has("XORSIGN")) {
        require_magnitudes(t, COUNT);
    }
    refuse_flushed_bfloats(t);
}

bool halves_compare(const Warp& warp, const MicroOp& op, std::size_t lane, int part) {
    const auto& format = format_of(op);
    const auto source = [&](std::size_t k) {
        const u32 bits = signed_half(from(warp, op, k).at[lane], part, half_source(op, k));
        const bool zero = (bits & ~half_sign) == 0 ||
                          ((op.option & flushed_bit) != 0 && flushed_half(bits, format) != bits);
        return zero ? 0 : bits;
    };
    const u32 a = source(0), b = source(1);
    return real_comparison(static_cast<Compare>(op.option & 0xffU), (op.option & unordered_bit) != 0,
                           is_half_nan(a, format) || is_half_nan(b, format), order_of(a) < order_of(b),
                           a == b);
}

// Lanes in which one half's comparison, joined with the predicate, holds.
u32 halves_hold(const Warp& warp, const MicroOp& op, int part) {
    u32 lanes = 0;
    for (std::size_t i = 0; i < lane_count; ++i) {
        lanes |= halves_compare(warp, op, i, part) ? lane_bit[i] : 0;
    }
    return joined(lanes, warp.predicate(op.predicate_from[0]), join_of(op));
}

// The first result is of the lower halves, the second of the upper ones.
void compare_halves(Warp& warp, const MicroOp& op, u32 mask) {
    const u32 lower = halves_hold(warp, op, 0), upper = halves_hold(warp, op, 1);
    warp.set_predicate(op.predicate_to[0], lower, mask);
    warp.set_predicate(op.predicate_to[1], upper, mask);
}

// All ones in each half whose comparison holds, or the number 1 (.BF).
void set_halves(Warp& warp, const MicroOp& op, u32 mask) {
    const u32 lower = halves_hold(warp, op, 0), upper = halves_hold(warp, op, 1);
    const u32 yes = (op.option & ones_bit) != 0 ? format_of(op).one : 0xffffU;
    Lanes result;
    for (std::size_t i = 0; i < lane_count; ++i) {
        result.at[i] = yes * bit_of(upper, i) << 16 | yes * bit_of(lower, i);
    }
    assign(to(warp, op), result, mask);
}

MicroOp half_comparison(Translator& t, Handler run) {
    auto op = t.make(run);
    op.option = comparison_of(t).option() | half_options(t);
    read_half_sources(t, op, 2);
    op.predicate_from[0] = t.predicate(0);
    refuse_flushed_bfloats(t);
    return op;
}

void translate_hsetp2(Translator& t) {
    auto op = half_comparison(t, &compare_halves);
    op.predicate_to = {t.predicate_result(0), t.predicate_result(1)};
    t.add(op);
}

void translate_hset2(Translator& t) {
    auto op = half_comparison(t, &set_halves);
    op.option |= t.has("BF") ? ones_bit : 0;
    op.to[0] = t.result();
    t.add(op);
}

}  // namespace

const std::vector<OpcodeEntry>& half_choice_opcodes() {
    static const std::vector<OpcodeEntry> entries{{"HMNMX2", translate_choice<2>},
                                                  {"VHMNMX", translate_choice<3>},
                                                  {"HSETP2", translate_hsetp2},
                                                  {"HSET2", translate_hset2}};
    return entries;
}

}  // namespace gpumodel::emulate
