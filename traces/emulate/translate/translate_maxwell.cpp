// Maxwell's and Pascal's own arithmetic: products of halves, sums of three with a shift, the condition code.
#include <algorithm>

#include "traces/emulate/operations/integer_operations.h"
#include "traces/emulate/operations/lane_operations.h"

namespace gpumodel::emulate {

namespace {

constexpr u32 half_mask = 0xffffU;
constexpr u32 half_bits = 16;

// MicroOp::option of XMAD
constexpr u32 first_signed = 1, second_signed = 2;
constexpr u32 first_upper = 4, second_upper = 8;
constexpr u32 shifts_product = 16;  // .PSL
constexpr u32 merges = 32;          // .MRG
constexpr u32 addend_shift = 6;
enum class Addend : unsigned char { whole, lower, upper, with_b, signs };  // .CLO, .CHI, .CBCC, .CSFU

u32 half_of(u32 word, bool upper, bool is_signed) {
    const u32 half = upper ? word >> half_bits : word & half_mask;
    return is_signed ? static_cast<u32>(as_signed(half << half_bits) >> half_bits) : half;
}

// What the two middle products of signed words lack above bit 31, where they were added without their signs:
// 2^16 for each that is negative (.CSFU stands on the product of the upper halves).
u32 missing_signs(u32 a, u32 b) {
    const auto negative = [](u32 x, u32 y) { return as_signed(x) < 0 && (y & half_mask) != 0 ? 1U : 0U; };
    return (negative(a, b) + negative(b, a)) << half_bits;
}

u32 addend_of(u32 a, u32 b, u32 c, Addend addend) {
    switch (addend) {
        case Addend::lower:
            return c & half_mask;
        case Addend::upper:
            return c >> half_bits;
        case Addend::with_b:
            return c + (b << half_bits);
        case Addend::signs:
            return c - missing_signs(a, b);
        case Addend::whole:
            break;
    }
    return c;
}

u32 product_of_halves(u32 a, u32 b, u32 option) {
    const u32 product = half_of(a, (option & first_upper) != 0, (option & first_signed) != 0) *
                        half_of(b, (option & second_upper) != 0, (option & second_signed) != 0);
    return (option & shifts_product) != 0 ? product << half_bits : product;
}

// The two summands, for the adder behind them.
void multiply_halves(Warp& warp, const MicroOp& op, u32 mask) {
    const auto addend = static_cast<Addend>(op.option >> addend_shift);
    Lanes product, added;
    for (std::size_t i = 0; i < lane_count; ++i) {
        const u32 a = from(warp, op, 0).at[i], b = from(warp, op, 1).at[i];
        product.at[i] = product_of_halves(a, b, op.option);
        added.at[i] = addend_of(a, b, from(warp, op, 2).at[i], addend);
    }
    assign(to(warp, op, 0), product, mask);
    assign(to(warp, op, 1), added, mask);
}

u32 merge(u32 sum, u32 b) {
    return (sum & half_mask) | b << half_bits;
}

Addend addend_named(const Translator& t) {
    Addend addend = Addend::whole;
    const std::pair<std::string_view, Addend> names[] = {
        {"CLO", Addend::lower}, {"CHI", Addend::upper}, {"CBCC", Addend::with_b}, {"CSFU", Addend::signs}};
    for (const auto& [name, value] : names) {
        addend = t.has(name) ? value : addend;
    }
    return addend;
}

// XMAD.U16.S16: the types of the first and the second source, unsigned if none is named.
u32 half_types(const Translator& t) {
    std::vector<bool> is_signed;
    for (const auto& modifier : t.in().modifiers) {
        if (modifier == "S16" || modifier == "U16") {
            is_signed.push_back(modifier == "S16");
        }
    }
    return is_signed.size() == 2 ? (is_signed[0] ? first_signed : 0) | (is_signed[1] ? second_signed : 0) : 0;
}

bool takes_upper_half(Translator& t, std::size_t source) {
    const auto& text = t.value_operand(source).text;
    if (!text.empty() && text != "H1" && text != "H0") {
        t.unsupported("has an operand that is not emulated: ." + text);
    }
    return text == "H1";
}

// XMAD: 16 by 16 bits and a word. .MRG replaces the sum's upper half by the second source's lower one.
void translate_xmad(Translator& t) {
    for (std::size_t i = 0; i < 3; ++i) {
        const auto& operand = t.value_operand(i);
        if (operand.negated || operand.inverted || operand.absolute || (i == 2 && !operand.text.empty())) {
            t.unsupported("with such a source is not emulated");
        }
    }
    auto op = t.make(&multiply_halves);
    op.option = half_types(t) | (takes_upper_half(t, 0) ? first_upper : 0) |
                (takes_upper_half(t, 1) ? second_upper : 0) | (t.has("PSL") ? shifts_product : 0) |
                static_cast<u32>(addend_named(t)) << addend_shift;
    for (std::size_t i = 0; i < 3; ++i) {
        op.from[i] = t.raw_value(i);
    }
    op.guard = {};
    op.to = {t.temporary(), t.temporary()};
    t.add(op);
    Sum sum;
    sum.add(op.to[0], false, false);
    sum.add(op.to[1], false, false);
    if (!t.has("MRG")) {
        emit_sum(t, sum);
        return;
    }
    if (t.result_sets_flags() || t.has("X")) {
        t.unsupported("is not emulated");
    }
    auto add = t.make(&map2<[](u32 a, u32 b) { return a + b; }>);
    add.from[0] = op.to[0];
    add.from[1] = op.to[1];
    add.guard = {};
    add.to[0] = t.temporary();
    t.add(add);
    auto join_halves = t.make(&map2<merge>);
    join_halves.from[0] = add.to[0];
    join_halves.from[1] = op.from[1];
    join_halves.to[0] = t.result();
    t.add(join_halves);
}

// The sum of the first two has 33 bits before it is shifted.
u32 add_shifted_right(u32 a, u32 b, u32 c) {
    return static_cast<u32>((u64{a} + b) >> half_bits) + c;
}
u32 add_shifted_left(u32 a, u32 b, u32 c) {
    return ((a + b) << half_bits) + c;
}

u32 lower_half(u32 a) {
    return a & half_mask;
}
u32 upper_half(u32 a) {
    return a >> half_bits;
}

// R3, R3.H0 or R3.H1, which are taken without sign.
std::uint16_t half_value(Translator& t, std::size_t i) {
    const auto& text = t.value_operand(i).text;
    if (text.empty()) {
        return t.raw_value(i);
    }
    if (text != "H0" && text != "H1") {
        t.unsupported("has an operand that is not emulated: ." + text);
    }
    auto op = t.make(text == "H1" ? &map1<upper_half> : &map1<lower_half>);
    op.guard = {};
    op.from[0] = t.raw_value(i);
    op.to[0] = t.temporary();
    t.add(op);
    return op.to[0];
}

void translate_shifted_sum(Translator& t) {
    auto op = t.make(t.has("RS") ? &map3<add_shifted_right> : &map3<add_shifted_left>);
    for (std::size_t i = 0; i < 3; ++i) {
        const auto& operand = t.value_operand(i);
        if (operand.negated || operand.inverted || t.has("X") || t.result_sets_flags()) {
            t.unsupported("with such a source is not emulated");
        }
        op.from[i] = half_value(t, i);
    }
    op.to[0] = t.result();
    t.add(op);
}

// CSETP.SFT P0, PT, CC, PT: the sign of the last result with .CC.
void translate_csetp(Translator& t) {
    if (!t.has("SFT") || !t.has("AND") || t.in().modifiers.size() != 2) {
        t.unsupported("is not emulated");
        return;
    }
    auto op = t.make([](Warp& warp, const MicroOp& self, u32 mask) {
        const u32 sign = warp.predicate(self.predicate_from[0]);
        const u32 other = warp.predicate(self.predicate_from[1]);
        warp.set_predicate(self.predicate_to[0], sign & other, mask);
        warp.set_predicate(self.predicate_to[1], ~sign & other, mask);
    });
    op.predicate_from[0] = {sign_flag, false};
    op.predicate_from[1] = t.predicate(0);
    op.predicate_to = {t.predicate_result(0), t.predicate_result(1)};
    t.add(op);
}

}  // namespace

void translate_sum_of_three(Translator& t) {
    if (t.has("RS") || t.has("LS")) {
        translate_shifted_sum(t);
        return;
    }
    Sum sum;
    for (std::size_t i = 0; i < std::min<std::size_t>(t.value_count(), 3); ++i) {
        const auto& operand = t.value_operand(i);
        sum.add(half_value(t, i), operand.negated, operand.inverted);
    }
    emit_sum(t, sum);
}

const std::vector<OpcodeEntry>& maxwell_opcodes() {
    static const std::vector<OpcodeEntry> entries{
        {"XMAD", translate_xmad},
        {"CSETP", translate_csetp},
    };
    return entries;
}

}  // namespace gpumodel::emulate
