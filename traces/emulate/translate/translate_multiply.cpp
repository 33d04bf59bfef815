// Products: IMAD, IMUL and their relatives.
#include "traces/emulate/operations/integer_operations.h"
#include "traces/emulate/operations/lane_operations.h"

namespace gpumodel::emulate {

namespace {

constexpr u32 multiply_add(u32 a, u32 b, u32 c) {
    return a * b + c;
}
constexpr u32 low_product(u32 a, u32 b) {
    return a * b;
}

// MicroOp::option of the wide products
constexpr u32 signed_a = 1;
constexpr u32 signed_b = 2;
constexpr u32 negate_product = 4;

u64 product(u32 a, u32 b, u32 option) {
    const auto wide_a = (option & signed_a) != 0 ? static_cast<u64>(sign_extend(a)) : u64{a};
    const auto wide_b = (option & signed_b) != 0 ? static_cast<u64>(sign_extend(b)) : u64{b};
    const u64 result = wide_a * wide_b;
    return (option & negate_product) != 0 ? u64{0} - result : result;
}

u32 all_if(const MicroOp& op, u32 option) {
    return (op.option & option) != 0 ? ~u32{0} : 0;
}

// a * b + d:c
template <bool is_signed>
void wide_plain(Warp& warp, const MicroOp& op, u32 mask) {
    map4_wide<[](u32 a, u32 b, u32 c, u32 d) {
        return product(a, b, is_signed ? signed_a | signed_b : 0) + join(c, d);
    }>(warp, op, mask);
}

void wide_general(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& a = from(warp, op, 0);
    const auto& b = from(warp, op, 1);
    const auto& c = from(warp, op, 2);
    const auto& d = from(warp, op, 3);
    const u32 carry_in = warp.predicate(op.predicate_from[0]);
    const u32 sa = all_if(op, signed_a), sb = all_if(op, signed_b), negated = all_if(op, negate_product);
    Lanes low, high;
    u32 carry = 0;
    for (std::size_t i = 0; i < lane_count; ++i) {  // in words, which compilers turn into vector code
        const u32 x = a.at[i], y = b.at[i];
        const u64 p = u64{x} * y;
        // signed: a word's sign bit stands for -2^32 times the other word
        const u32 signs = (sa & (u32{0} - (x >> 31U)) & y) + (sb & (u32{0} - (y >> 31U)) & x);
        const u32 first = (low_word(p) ^ negated) + (negated & 1U);
        const u32 second =
            ((high_word(p) - signs) ^ negated) + carry_of(low_word(p) ^ negated, negated & 1U, first);
        const u32 sum = first + c.at[i], in = bit_of(carry_in, i), whole = sum + in;
        const u32 carries = carry_of(first, c.at[i], sum) + carry_of(sum, in, whole);  // one at most
        const u32 upper = second + d.at[i], top = upper + carries;
        low.at[i] = whole;
        high.at[i] = top;
        const u32 out = carry_of(second, d.at[i], upper) | carry_of(upper, carries, top);
        carry |= lane_bit[i] & (u32{0} - out);
    }
    assign(to(warp, op, 0), low, mask);
    assign(to(warp, op, 1), high, mask);
    warp.set_predicate(op.predicate_to[0], carry, mask);
}

void negate_pair(Warp& warp, const MicroOp& op, u32 mask) {
    map4_wide<[](u32 a, u32 b, u32, u32) { return u64{0} - join(a, b); }>(warp, op, mask);
}

// The third source, a register pair, as two slots.
void wide_addend(Translator& t, MicroOp& op) {
    const auto& c = t.value_operand(2);
    op.from[2] = t.raw_value(2, 0);
    op.from[3] = t.raw_value(2, 1);
    if (c.inverted || (c.negated && t.has("X"))) {
        for (const std::size_t part : {2U, 3U}) {
            auto invert = t.make(&map1<[](u32 x) { return ~x; }>);
            invert.guard = {};
            invert.from[0] = op.from[part];
            invert.to[0] = op.from[part] = t.temporary();
            t.add(invert);
        }
    } else if (c.negated) {
        auto negate = t.make(&negate_pair);
        negate.guard = {};
        negate.from[0] = op.from[2];
        negate.from[1] = op.from[3];
        negate.to = {t.temporary(), t.temporary()};
        op.from[2] = negate.to[0];
        op.from[3] = negate.to[1];
        t.add(negate);
    }
}

// IMAD.WIDE: all 64 bits of a * b + c; IMAD.HI: the upper ones, and c is a pair as well.
void translate_wide(Translator& t) {
    const bool is_signed = !t.has("U32");
    const bool negated = t.value_operand(0).negated != t.value_operand(1).negated;
    const bool carries = t.has("X") || t.predicate_result(0) != discard_predicate;
    auto op = t.make(carries || negated ? &wide_general : is_signed ? &wide_plain<true> : &wide_plain<false>);
    op.option = (is_signed ? signed_a | signed_b : 0) | (negated ? negate_product : 0);
    op.from[0] = t.raw_value(0);
    op.from[1] = t.raw_value(1);
    wide_addend(t, op);
    op.predicate_from[0] = t.has("X") ? t.predicate(0, false) : PredicateUse{true_predicate, true};
    op.predicate_to[0] = t.predicate_result(0);
    if (t.has("HI")) {
        op.to = {discard_slot, t.result()};
    } else {
        op.to = {t.result(0), t.result(1)};
    }
    t.add(op);
}

void translate_imad(Translator& t) {
    if (t.has("WIDE") || t.has("HI")) {
        translate_wide(t);
        return;
    }
    const bool carries = t.has("X") || t.predicate_result(0) != discard_predicate;
    if (!carries) {
        t.add(t.simple(&map3<multiply_add>, 3));
        return;
    }
    auto op = t.simple(&map2<low_product>, 2);
    op.guard = {};
    op.to[0] = t.temporary();
    t.add(op);
    Sum sum;
    sum.add(op.to[0], false, false);
    sum.add(t.raw_value(2), t.value_operand(2).negated, t.value_operand(2).inverted);
    emit_sum(t, sum);
}

// Types before Volta: IMAD.U32.S32 names the first and the second source's, one alone stands for both.
u32 early_signs(const Translator& t) {
    std::vector<bool> is_signed;
    for (const auto& modifier : t.in().modifiers) {
        if (modifier == "U32" || modifier == "S32") {
            is_signed.push_back(modifier == "S32");
        }
    }
    const bool first = is_signed.empty() || is_signed.front();
    const bool second = is_signed.empty() || is_signed.back();
    return (first ? signed_a : 0) | (second ? signed_b : 0);
}

// Before Volta: one word of the product, plus a word.
void translate_early_multiply(Translator& t) {
    const bool negated = t.value_operand(0).negated != t.value_operand(1).negated;
    const bool high = t.has("HI");
    auto op = t.make(high ? &wide_general : &map2<low_product>);
    op.guard = {};
    op.from[0] = t.raw_value(0);
    op.from[1] = t.raw_value(1);
    op.predicate_from[0] = {true_predicate, true};
    op.option = early_signs(t) | (negated && high ? negate_product : 0);
    op.to[high ? 1 : 0] = t.temporary();
    t.add(op);
    Sum sum;
    sum.add(op.to[high ? 1 : 0], negated && !high, false);
    if (t.is_value(2)) {
        sum.add(t.raw_value(2), t.value_operand(2).negated, t.value_operand(2).inverted);
    }
    emit_sum(t, sum);
}

// MicroOp::option of the dot products, beside the signs
constexpr u32 two_products = 8;  // .2A: halves of a with two bytes of b
constexpr u32 upper_bytes = 16;  // .HI: the upper two

i64 part_of(u32 word, u32 first_bit, u32 bits, bool is_signed) {
    const u32 field = word >> first_bit << (32 - bits);
    return is_signed ? i64{as_signed(field) >> (32 - bits)} : i64{field >> (32 - bits)};
}

// PTX ISA, dp4a and dp2a.
void dot_product(Warp& warp, const MicroOp& op, u32 mask) {
    const bool two = (op.option & two_products) != 0;
    const u32 first = (op.option & upper_bytes) != 0 ? 16 : 0;
    Lanes result;
    for (std::size_t i = 0; i < lane_count; ++i) {
        const u32 a = from(warp, op, 0).at[i], b = from(warp, op, 1).at[i];
        i64 sum = sign_extend(from(warp, op, 2).at[i]);
        for (u32 k = 0; k < (two ? 2U : 4U); ++k) {
            sum += part_of(a, (two ? 16 : 8) * k, two ? 16 : 8, (op.option & signed_a) != 0) *
                   part_of(b, first + 8 * k, 8, (op.option & signed_b) != 0);
        }
        result.at[i] = low_word(static_cast<u64>(sum));
    }
    assign(to(warp, op), result, mask);
}

// IDP.4A.U8.S8: the types of the first and of the second source.
void translate_dot_product(Translator& t) {
    std::vector<bool> is_signed;
    for (const auto& modifier : t.in().modifiers) {
        if (modifier == "S8" || modifier == "S16" || modifier == "U8" || modifier == "U16") {
            is_signed.push_back(modifier[0] == 'S');
        }
    }
    if (is_signed.size() != 2) {
        t.unsupported("with such types is not emulated");
        return;
    }
    auto op = t.simple(&dot_product, 3);
    op.option = (is_signed[0] ? signed_a : 0) | (is_signed[1] ? signed_b : 0) |
                (t.has("2A") ? two_products : 0) | (t.has("HI") ? upper_bytes : 0);
    t.add(op);
}

void translate_multiply(Translator& t) {
    (t.before_volta() ? translate_early_multiply : translate_imad)(t);
}

}  // namespace

const std::vector<OpcodeEntry>& multiply_opcodes() {
    static const std::vector<OpcodeEntry> entries{
        {"IMAD", translate_multiply},          {"UIMAD", translate_multiply},
        {"IMUL", translate_early_multiply},    {"IMUL32I", translate_early_multiply},
        {"IMAD32I", translate_early_multiply}, {"IDP", translate_dot_product},
        {"IDP4A", translate_dot_product},
    };
    return entries;
}

}  // namespace gpumodel::emulate
