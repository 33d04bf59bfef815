// Sums: IADD3, LEA and their relatives.
#include <algorithm>

#include "traces/emulate/operations/integer_operations.h"
#include "traces/emulate/operations/lane_operations.h"
#include "traces/emulate/translate/condition_code.h"
#include "traces/emulate/translate/translator.h"

namespace gpumodel::emulate {

namespace {

// MicroOp::option of the sums: which sources are inverted.
constexpr u32 invert_bits = 7;

u32 inversion(const MicroOp& op, u32 source) {
    return (op.option >> source & 1U) != 0 ? all_lanes : 0;
}

// a + b + c with a negated source as ~x + 1; the ones are in op.immediate.
void add_plain(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& a = from(warp, op, 0);
    const auto& b = from(warp, op, 1);
    const auto& c = from(warp, op, 2);
    const u32 ia = inversion(op, 0), ib = inversion(op, 1), ic = inversion(op, 2);
    const u32 ones = low_word(static_cast<u64>(op.immediate));
    Lanes result;
    for (std::size_t i = 0; i < lane_count; ++i) {
        result.at[i] = (a.at[i] ^ ia) + (b.at[i] ^ ib) + (c.at[i] ^ ic) + ones;
    }
    assign(to(warp, op), result, mask);
}

// The same with carries: in from two predicates, out to one or two (the sum of three can carry twice).
void add_carry(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& a = from(warp, op, 0);
    const auto& b = from(warp, op, 1);
    const auto& c = from(warp, op, 2);
    const u32 ia = inversion(op, 0), ib = inversion(op, 1), ic = inversion(op, 2);
    const u32 carry0 = warp.predicate(op.predicate_from[0]);
    const u32 carry1 = warp.predicate(op.predicate_from[1]);
    const u32 ones = low_word(static_cast<u64>(op.immediate));  // at most 3
    Lanes result;
    u32 once = 0, twice = 0;
    for (std::size_t i = 0; i < lane_count; ++i) {  // in words, which compilers turn into vector code
        const u32 y = b.at[i] ^ ib, z = c.at[i] ^ ic, in = ones + bit_of(carry0, i) + bit_of(carry1, i);
        const u32 two = (a.at[i] ^ ia) + y, three = two + z, sum = three + in;
        const u32 carries =
            carry_of(a.at[i] ^ ia, y, two) + carry_of(two, z, three) + carry_of(three, in, sum);
        result.at[i] = sum;
        once |= lane_bit[i] & (u32{0} - ((carries | carries >> 1U) & 1U));
        twice |= lane_bit[i] & (u32{0} - (carries >> 1U));
    }
    assign(to(warp, op), result, mask);
    warp.set_predicate(op.predicate_to[0], once, mask);
    warp.set_predicate(op.predicate_to[1], twice, mask);
}

u32 shift_left(u32 a, u32 count) {
    return count < 32 ? a << count : 0;
}

// high word of (c:a) << count, count < 32
u32 high_of_shift(u32 a, u32 count, u32 c) {
    return high_word(join(a, c) << (count & 31U));
}
u32 high_of_extended_shift(u32 a, u32 count) {
    return high_word(static_cast<u64>(sign_extend(a)) << (count & 31U));
}

template <bool is_signed>
void minimum_or_maximum(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& a = from(warp, op, 0);
    const auto& b = from(warp, op, 1);
    const u32 minimum = warp.predicate(op.predicate_from[0]);
    Lanes result;
    for (std::size_t i = 0; i < lane_count; ++i) {
        const u32 x = a.at[i], y = b.at[i];
        const bool less = is_signed ? as_signed(x) < as_signed(y) : x < y;
        result.at[i] = less == (bit_of(minimum, i) != 0) ? x : y;
    }
    assign(to(warp, op), result, mask);
}

// MicroOp::option of VIADDMNMX and VIMNMX3
constexpr u32 choice_signed = 1;
constexpr u32 choice_relu = 2;    // not below zero
constexpr u32 choice_halves = 4;  // each half for itself
constexpr u32 choice_sums = 8;    // the smaller or larger of a + b and c; else of a, b and c

u32 choose(u32 x, u32 y, bool smaller, bool is_signed) {
    const bool less = is_signed ? as_signed(x) < as_signed(y) : x < y;
    return less == smaller ? x : y;
}

// Of words, or of halves in the upper half of a word, where sums wrap and comparisons hold as well.
u32 choose_of_three(u32 a, u32 b, u32 c, u32 option, bool smaller) {
    const bool is_signed = (option & choice_signed) != 0;
    const u32 first = (option & choice_sums) != 0 ? a + b : choose(a, b, smaller, is_signed);
    const u32 chosen = choose(first, c, smaller, is_signed);
    return (option & choice_relu) != 0 && as_signed(chosen) < 0 ? 0 : chosen;
}

void choose_by_predicate(Warp& warp, const MicroOp& op, u32 mask) {
    const u32 minimum = warp.predicate(op.predicate_from[0]);
    constexpr u32 upper_half = 0xffff0000U;
    Lanes result;
    for (std::size_t i = 0; i < lane_count; ++i) {
        const u32 a = from(warp, op, 0).at[i], b = from(warp, op, 1).at[i], c = from(warp, op, 2).at[i];
        const bool smaller = bit_of(minimum, i) != 0;
        result.at[i] = choose_of_three(a, b, c, op.option, smaller);
        if ((op.option & choice_halves) != 0) {
            const u32 high =
                choose_of_three(a & upper_half, b & upper_half, c & upper_half, op.option, smaller);
            const u32 low = choose_of_three(a << 16, b << 16, c << 16, op.option, smaller);
            result.at[i] = (high & upper_half) | low >> 16;
        }
    }
    assign(to(warp, op), result, mask);
}

u32 add_halves(u32 a, u32 b) {
    return ((a & 0xffff0000U) + (b & 0xffff0000U)) | ((a + b) & 0xffffU);
}

u32 absolute(u32 a) {
    return as_signed(a) < 0 ? 0U - a : a;
}
template <bool a_signed, bool b_signed>
u32 absolute_difference(u32 a, u32 b, u32 c) {
    const i64 x = a_signed ? sign_extend(a) : i64{a}, y = b_signed ? sign_extend(b) : i64{b};
    return low_word(static_cast<u64>(x < y ? y - x : x - y)) + c;
}

u32 extend_sign(u32 a, u32 bits) {
    if (bits == 0) {
        return 0;
    }
    const u32 unused = bits < 32 ? 32 - bits : 0;
    return static_cast<u32>(as_signed(a << unused) >> unused);
}
u32 extend_zero(u32 a, u32 bits) {
    return bits < 32 ? a & ((1U << bits) - 1) : a;
}
u32 bit_mask(u32 position, u32 width) {
    const u32 ones = width < 32 ? (1U << width) - 1 : all_lanes;
    return position < 32 ? ones << position : 0;
}
u32 wrapped_bit_mask(u32 position, u32 width) {
    return bit_mask(position & 31U, width & 31U);
}

// Three pairs, with carries as add_carry has them: bit k of `option` inverts the k-th, the ones that make it
// a negation are in op.immediate.
void add_pairs(Warp& warp, const MicroOp& op, u32 mask) {
    const u32 carry0 = warp.predicate(op.predicate_from[0]);
    const u32 carry1 = warp.predicate(op.predicate_from[1]);
    Lanes low, high;
    u32 once = 0, twice = 0;
    for (std::size_t i = 0; i < lane_count; ++i) {
        u64 sum = static_cast<u64>(op.immediate) + bit_of(carry0, i) + bit_of(carry1, i);
        u32 carries = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            const u64 value = join(from(warp, op, 2 * k).at[i], from(warp, op, 2 * k + 1).at[i]);
            const u64 added = (op.option >> k & 1U) != 0 ? ~value : value;
            sum += added;
            carries += sum < added ? 1 : 0;
        }
        low.at[i] = low_word(sum);
        high.at[i] = high_word(sum);
        once |= carries >= 1 ? lane_bit[i] : 0;
        twice |= carries >= 2 ? lane_bit[i] : 0;
    }
    assign(to(warp, op, 0), low, mask);
    assign(to(warp, op, 1), high, mask);
    warp.set_predicate(op.predicate_to[0], once, mask);
    warp.set_predicate(op.predicate_to[1], twice, mask);
}

// IADD.64, UIADD3.64: immediates are sign-extended. With .X a sign means an inversion (emit_sum).
void translate_add_pairs(Translator& t) {
    auto op = t.make(&add_pairs);
    const bool extended = t.has("X");
    for (std::size_t k = 0; k < std::min<std::size_t>(t.value_count(), 3); ++k) {
        const auto& operand = t.value_operand(k);
        op.from[2 * k] = t.raw_value(k, 0);
        op.from[2 * k + 1] = t.raw_value(k, 1);
        op.option |= operand.negated || operand.inverted ? u32{1} << k : 0;
        op.immediate += operand.negated && !extended ? 1 : 0;
    }
    op.predicate_from[0] = extended ? t.predicate(0, false) : PredicateUse{true_predicate, true};
    op.predicate_from[1] = extended ? t.predicate(1, false) : PredicateUse{true_predicate, true};
    op.predicate_to = {t.predicate_result(0), t.predicate_result(1)};
    op.to = {t.result(0), t.result(1)};
    t.add(op);
}

// IMNMX.S64 PT, PT, R6, R4, R2, !PT, !PT: the larger for !PT.
void choose_pairs(Warp& warp, const MicroOp& op, u32 mask) {
    const u32 minimum = warp.predicate(op.predicate_from[0]);
    Lanes low, high;
    for (std::size_t i = 0; i < lane_count; ++i) {
        const u64 a = join(from(warp, op, 0).at[i], from(warp, op, 1).at[i]);
        const u64 b = join(from(warp, op, 2).at[i], from(warp, op, 3).at[i]);
        const bool less = op.option != 0 ? a < b : static_cast<i64>(a) < static_cast<i64>(b);
        const u64 chosen = less == (bit_of(minimum, i) != 0) ? a : b;
        low.at[i] = low_word(chosen);
        high.at[i] = high_word(chosen);
    }
    assign(to(warp, op, 0), low, mask);
    assign(to(warp, op, 1), high, mask);
}

void translate_minimum_of_pairs(Translator& t) {
    auto op = t.make(&choose_pairs);
    for (std::size_t k = 0; k < 2; ++k) {
        const auto& operand = t.value_operand(k);
        if (operand.negated || operand.inverted) {
            t.unsupported("with such a source is not emulated");
        }
        op.from[2 * k] = t.raw_value(k, 0);
        op.from[2 * k + 1] = t.raw_value(k, 1);
    }
    op.option = t.has("U64") ? 1 : 0;
    op.predicate_from[0] = t.predicate(0);
    op.to = {t.result(0), t.result(1)};
    t.add(op);
}

// IADD3, IADD, IADD32I, ISUB, VIADD, UIADD3: the first two or three values.
void translate_add(Translator& t) {
    if (t.has("64")) {
        translate_add_pairs(t);
        return;
    }
    if (t.before_volta() && t.in().opcode == "IADD3") {
        translate_sum_of_three(t);
        return;
    }
    Sum sum;
    for (std::size_t i = 0; i < std::min<std::size_t>(t.value_count(), 3); ++i) {
        const auto& operand = t.value_operand(i);
        bool negated = operand.negated;
        if (t.in().opcode == "ISUB" && i == 1) {
            negated = !negated;
        }
        sum.add(t.raw_value(i), negated, operand.inverted);
    }
    if (t.has("PO")) {
        ++sum.ones;
    }
    emit_sum(t, sum);
}

// LEA, ULEA: a << shift + b; .HI takes the upper word of the 64-bit shift of c:a.
void translate_lea(Translator& t) {
    const bool high = t.has("HI");
    const bool extended = t.has("SX32");
    const auto& a = t.value_operand(0);
    auto shift =
        t.make(high ? (extended ? &map2<high_of_extended_shift> : &map3<high_of_shift>) : &map2<shift_left>);
    const std::size_t shift_at = high && !extended ? 3 : 2;
    shift.from[0] = t.raw_value(0);
    shift.from[1] = t.is_value(shift_at) ? t.value(shift_at) : zero_slot;
    if (high && !extended) {
        shift.from[2] = t.raw_value(2);
    }
    if (a.inverted || (a.negated && high && !extended)) {
        t.unsupported("with such a first source is not emulated");
    }
    bool negate_shifted = a.negated;
    if (a.negated && high) {
        shift.from[0] = t.value(0);
        negate_shifted = false;
    }
    shift.guard = {};
    shift.to[0] = t.temporary();
    t.add(shift);
    Sum sum;
    sum.add(shift.to[0], negate_shifted, false);
    sum.add(t.raw_value(1), t.value_operand(1).negated, t.value_operand(1).inverted);
    emit_sum(t, sum);
}

// Before Volta: a << shift + b
void translate_iscadd(Translator& t) {
    auto shift = t.make(&map2<shift_left>);
    shift.from[0] = t.raw_value(0);
    shift.from[1] = t.value(2);
    shift.guard = {};
    shift.to[0] = t.temporary();
    t.add(shift);
    Sum sum;
    sum.add(shift.to[0], t.value_operand(0).negated, false);
    sum.add(t.raw_value(1), t.value_operand(1).negated, t.value_operand(1).inverted);
    emit_sum(t, sum);
}

// IMNMX.XHI R5.CC, ... and IMNMX.U32.XLO R4, ... of the words of two pairs, the upper ones first: the
// condition code between them says which upper word is the smaller, or that they are equal.
template <bool is_signed>
void compare_upper(Warp& warp, const MicroOp& op, u32 mask) {
    const auto less = [](u32 x, u32 y) { return is_signed ? as_signed(x) < as_signed(y) : x < y; };
    const auto equal = [](u32 x, u32 y) { return x == y; };
    warp.set_predicate(op.predicate_to[0], lanes_where<less>(from(warp, op, 0), from(warp, op, 1)), mask);
    warp.set_predicate(op.predicate_to[1], lanes_where<equal>(from(warp, op, 0), from(warp, op, 1)), mask);
}

void choose_lower(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& a = from(warp, op, 0);
    const auto& b = from(warp, op, 1);
    const u32 minimum = warp.predicate(op.predicate_from[0]);
    const u32 less = warp.predicate(op.predicate_from[1]);
    const u32 equal = warp.predicate(op.predicate_from[2]);
    Lanes result;
    for (std::size_t i = 0; i < lane_count; ++i) {
        const bool first = bit_of(equal, i) != 0 ? a.at[i] < b.at[i] : bit_of(less, i) != 0;
        result.at[i] = first == (bit_of(minimum, i) != 0) ? a.at[i] : b.at[i];
    }
    assign(to(warp, op), result, mask);
}

void translate_minimum_of_words(Translator& t) {
    if (t.has("XLO")) {
        auto op = t.simple(&choose_lower, 2);
        op.predicate_from = {t.predicate(0), PredicateUse{carry_flag, false}, PredicateUse{zero_flag, false}};
        t.add(op);
        return;
    }
    const bool is_unsigned = t.has("U32");
    auto compare = t.make(is_unsigned ? &compare_upper<false> : &compare_upper<true>);
    compare.from[0] = t.value(0);
    compare.from[1] = t.value(1);
    compare.predicate_to = {carry_flag, zero_flag};
    t.add(compare);
    auto op = t.make(is_unsigned ? &minimum_or_maximum<false> : &minimum_or_maximum<true>);
    op.from = compare.from;
    op.predicate_from[0] = t.predicate(0);
    op.to[0] = t.result();
    t.add(op);
}

void translate_minimum(Translator& t) {
    const bool upper = t.has("XHI"), lower = t.has("XLO");
    if (!t.before_volta() && (upper || lower)) {
        t.unsupported(std::string("has the modifier .") + (upper ? "XHI" : "XLO") +
                      ", which is not emulated");
        return;
    }
    if (upper || lower) {
        translate_minimum_of_words(t);
        return;
    }
    if (t.result_sets_flags()) {
        t.unsupported("sets the condition code, which is not emulated");
    }
    if (t.has("S64") || t.has("U64")) {
        translate_minimum_of_pairs(t);
        return;
    }
    auto op = t.simple(t.has("U32") ? &minimum_or_maximum<false> : &minimum_or_maximum<true>, 2);
    op.predicate_from[0] = t.predicate(0);
    t.add(op);
}

// VIADDMNMX, VIMNMX3, and VIMNMX on halves or with .RELU, which is one of the latter with its second source
// twice.
void translate_choice(Translator& t) {
    const bool halves = t.has("S16x2") || t.has("U16x2");
    const bool two = t.in().opcode.ends_with("VIMNMX");
    if (halves && (t.value_operand(1).negated || t.value_operand(2).negated)) {
        t.unsupported("with a negated source is not emulated");
        return;
    }
    if (t.predicate_result(0) != discard_predicate || t.predicate_result(1) != discard_predicate) {
        t.unsupported("with predicate results is not emulated");
        return;
    }
    auto op = t.simple(&choose_by_predicate, two ? 2 : 3);
    if (two) {
        op.from[2] = op.from[1];
    }
    op.option = (t.has("U32") || t.has("U16x2") ? 0 : choice_signed) | (t.has("RELU") ? choice_relu : 0) |
                (halves ? choice_halves : 0) | (t.in().opcode == "VIADDMNMX" ? choice_sums : 0);
    op.predicate_from[0] = t.predicate(0);
    t.add(op);
}

void translate_viadd(Translator& t) {
    if (!t.has("16x2")) {
        translate_add(t);
    } else if (t.value_operand(0).negated || t.value_operand(1).negated) {
        t.unsupported("with a negated source is not emulated");
    } else {
        t.add(t.simple(&map2<add_halves>, 2));
    }
}

void translate_abs(Translator& t) {
    t.add(t.simple(&map1<absolute>, 1));
}

void translate_difference(Translator& t) {
    // VABSDIFF.S32.U32 names the first and the second source's type, one alone stands for both. Where nothing
    // saturates, the result's type (.SD) does not matter, and the third source is added with .ACC or is RZ.
    std::vector<bool> is_signed;
    for (const auto& modifier : t.in().modifiers) {
        if (modifier == "U32" || modifier == "S32") {
            is_signed.push_back(modifier == "S32");
        }
    }
    const bool first = is_signed.empty() || is_signed.front();
    const bool second = is_signed.empty() || is_signed.back();
    t.add(t.simple(
        first ? (second ? &map3<absolute_difference<true, true>> : &map3<absolute_difference<true, false>>)
              : (second ? &map3<absolute_difference<false, true>> : &map3<absolute_difference<false, false>>),
        3));
}

u32 wrapped_extend_sign(u32 a, u32 bits) {
    return extend_sign(a, bits & 31U);
}
u32 wrapped_extend_zero(u32 a, u32 bits) {
    return extend_zero(a, bits & 31U);
}

void translate_sgxt(Translator& t) {
    if (t.has("W")) {
        t.add(t.simple(t.has("U32") ? &map2<wrapped_extend_zero> : &map2<wrapped_extend_sign>, 2));
        return;
    }
    t.add(t.simple(t.has("U32") ? &map2<extend_zero> : &map2<extend_sign>, 2));
}

void translate_bmsk(Translator& t) {
    t.add(t.simple(t.has("W") ? &map2<wrapped_bit_mask> : &map2<bit_mask>, 2));
}

constexpr u32 larger(u32 a, u32 b) {
    return as_signed(a) > as_signed(b) ? a : b;
}
constexpr u32 smaller(u32 a, u32 b) {
    return as_signed(a) < as_signed(b) ? a : b;
}

// Kepler's VMNMX: the smaller, with .MX the larger, of two signed words; that with the third by .MIN or .MAX.
// PTX ISA, vmin and vmax.
void translate_vmnmx(Translator& t) {
    const auto& modifiers = t.in().modifiers;
    const bool plain = std::all_of(modifiers.begin(), modifiers.end(), [](const std::string& name) {
        return name == "MX" || name == "MAX" || name == "MIN";
    });
    if (!plain || t.has("MAX") == t.has("MIN")) {
        t.unsupported("is not emulated");
        return;
    }
    auto first = t.simple(t.has("MX") ? &map2<larger> : &map2<smaller>, 2);
    const auto third = t.value(2);
    first.guard = {};
    first.to[0] = t.temporary();
    t.add(first);
    auto second = t.make(t.has("MAX") ? &map2<larger> : &map2<smaller>);
    second.from[0] = first.to[0];
    second.from[1] = third;
    second.to[0] = t.result();
    t.add(second);
}

}  // namespace

void Sum::add(std::uint16_t slot, bool negated, bool inverted) {
    slots[count] = slot;
    if (negated || inverted) {
        inversions |= 1U << count;
        ones += negated ? 1 : 0;
    }
    ++count;
}

// The sum with the condition code in (.X) and out. LEA.HI P0, R5, ... of a 64-bit address' upper word says
// whether it points into device memory, that is to no window of the first 2^32 bytes (constant_bank.h).
void set_condition_code(Translator& t, MicroOp op, bool flags) {
    const auto outside_windows = t.predicate_result(0);
    const bool tests = outside_windows != discard_predicate;
    if (tests && (t.in().opcode != "LEA" || !t.has("HI"))) {
        t.unsupported("with a predicate result is not emulated");
    }
    if (t.has("X")) {
        op.predicate_from = {PredicateUse{carry_flag, false}, PredicateUse{second_carry_flag, false}, {}};
    }
    if ((flags || tests) && op.to[0] == discard_slot) {
        op.to[0] = t.temporary();
    }
    if (flags) {
        op.predicate_to = {carry_flag, second_carry_flag};
    }
    t.add(op);
    if (flags) {
        set_result_flags(t, op.to[0]);
    }
    if (tests) {
        test_for_zero(t, op.to[0], outside_windows, false);
    }
}

// With .X a sign means an inversion: the ones come with the carry.
void emit_sum(Translator& t, const Sum& sum) {
    const bool extended = t.has("X");
    const bool flags = t.before_volta() && t.result_sets_flags();
    const bool carries = extended || flags || t.predicate_result(0) != discard_predicate ||
                         t.predicate_result(1) != discard_predicate;
    auto op = t.make(carries ? &add_carry : &add_plain);
    std::copy(sum.slots.begin(), sum.slots.end(), op.from.begin());
    op.option = sum.inversions & invert_bits;
    op.immediate = extended && t.before_volta() ? 0 : sum.ones;
    op.to[0] = t.result();
    op.predicate_from[0] = op.predicate_from[1] = {true_predicate, true};
    if (t.before_volta()) {
        set_condition_code(t, op, flags);
        return;
    }
    op.predicate_to = {t.predicate_result(0), t.predicate_result(1)};
    if (extended) {
        op.predicate_from[0] = t.predicate(0, false);
        op.predicate_from[1] = t.predicate(1, false);
    }
    t.add(op);
}

const std::vector<OpcodeEntry>& integer_opcodes() {
    static const std::vector<OpcodeEntry> entries{
        {"VMNMX", translate_vmnmx},     {"IADD3", translate_add},        {"UIADD3", translate_add},
        {"IADD", translate_add},        {"IADD32I", translate_add},      {"ISUB", translate_add},
        {"VIADD", translate_viadd},     {"LEA", translate_lea},          {"ULEA", translate_lea},
        {"ISCADD", translate_iscadd},   {"IMNMX", translate_minimum},    {"VIMNMX", translate_choice},
        {"UIMNMX", translate_minimum},  {"IABS", translate_abs},         {"VABSDIFF", translate_difference},
        {"ISAD", translate_difference}, {"VIADDMNMX", translate_choice}, {"VIMNMX3", translate_choice},
        {"SGXT", translate_sgxt},       {"USGXT", translate_sgxt},       {"BMSK", translate_bmsk},
        {"UBMSK", translate_bmsk},      {"ISCADD32I", translate_iscadd}, {"UVIMNMX", translate_choice},
    };
    return entries;
}

}  // namespace gpumodel::emulate
