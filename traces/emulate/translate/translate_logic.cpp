// Bitwise logic and shifts.
#include <array>
#include <bit>

#include "traces/emulate/operations/lane_operations.h"
#include "traces/emulate/translate/condition_code.h"
#include "traces/emulate/translate/translator.h"

namespace gpumodel::emulate {

namespace {

// Bit k of the table is the result for (a, b, c) = the bits of k, a first.
template <u32 lut>
constexpr u32 lookup(u32 a, u32 b, u32 c) {
    constexpr auto row = [](u32 k) { return (lut >> k & 1U) != 0 ? all_lanes : 0U; };
    const auto choose = [](u32 x, u32 yes, u32 no) { return (x & yes) | (~x & no); };
    return choose(a, choose(b, choose(c, row(7), row(6)), choose(c, row(5), row(4))),
                  choose(b, choose(c, row(3), row(2)), choose(c, row(1), row(0))));
}

void lookup_any(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& a = from(warp, op, 0);
    const auto& b = from(warp, op, 1);
    const auto& c = from(warp, op, 2);
    std::array<u32, 8> row{};
    for (std::size_t k = 0; k < row.size(); ++k) {
        row[k] = (op.option >> k & 1U) != 0 ? all_lanes : 0;
    }
    Lanes result;
    for (std::size_t i = 0; i < lane_count; ++i) {
        const u32 x = a.at[i], y = b.at[i], z = c.at[i];
        const u32 high = (y & ((z & row[7]) | (~z & row[6]))) | (~y & ((z & row[5]) | (~z & row[4])));
        const u32 low = (y & ((z & row[3]) | (~z & row[2]))) | (~y & ((z & row[1]) | (~z & row[0])));
        result.at[i] = (x & high) | (~x & low);
    }
    assign(to(warp, op), result, mask);
}

// The tables that compilers use most have code of their own.
Handler lookup_handler(u32 lut) {
    switch (lut) {
        case 0xc0:
            return &map3<lookup<0xc0>>;
        case 0xfc:
            return &map3<lookup<0xfc>>;
        case 0x3c:
            return &map3<lookup<0x3c>>;
        case 0xf8:
            return &map3<lookup<0xf8>>;
        case 0x30:
            return &map3<lookup<0x30>>;
        case 0xe2:
            return &map3<lookup<0xe2>>;
        case 0xfe:
            return &map3<lookup<0xfe>>;
        default:
            return &lookup_any;
    }
}

void nonzero(Warp& warp, const MicroOp& op, u32 mask) {
    const u32 set = lanes_where<[](u32 a, u32 b) { return a != b; }>(from(warp, op, 0), from(warp, op, 1));
    warp.set_predicate(op.predicate_to[0], set | warp.predicate(op.predicate_from[0]), mask);
}

void translate_lop3(Translator& t) {
    const auto lut = static_cast<u32>(t.value_operand(3).value & 0xff);
    auto op = t.simple(lookup_handler(lut), 3);
    op.option = lut;
    const bool tested = t.predicate_result(0) != discard_predicate;
    if (tested && op.to[0] == discard_slot) {
        op.to[0] = t.temporary();
    }
    t.add(op);
    if (tested) {
        auto test = t.make(&nonzero);
        test.from[0] = op.to[0];
        test.predicate_from[0] = t.predicate(0, false);
        test.predicate_to[0] = t.predicate_result(0);
        t.add(test);
    }
}

void translate_lop(Translator& t) {
    const Handler run = t.has("AND")   ? &map2<[](u32 a, u32 b) { return a & b; }>
                        : t.has("OR")  ? &map2<[](u32 a, u32 b) { return a | b; }>
                        : t.has("XOR") ? &map2<[](u32 a, u32 b) { return a ^ b; }>
                                       : &map2<[](u32, u32 b) { return b; }>;
    auto op = t.simple(run, 2);
    const auto predicate = t.predicate_result(0);
    const bool tested = predicate != discard_predicate;
    if ((tested || t.result_sets_flags()) && op.to[0] == discard_slot) {
        op.to[0] = t.temporary();
    }
    t.add(op);
    if (t.result_sets_flags()) {
        set_result_flags(t, op.to[0]);
        clear_carries(t);
    }
    if (tested && t.has("NZ") == t.has("Z")) {
        t.unsupported("with such a predicate result is not emulated");
    }
    if (tested) {
        test_for_zero(t, op.to[0], predicate, t.has("Z"));
    }
}

// MicroOp::option of the shifts
constexpr u32 shift_right = 1;
constexpr u32 shift_signed = 2;
constexpr u32 shift_wraps = 4;
constexpr u32 shift_wide = 8;    // counts up to 63
constexpr u32 shift_upper = 16;  // the upper word is the result

u32 shifted(u32 low, u32 count, u32 high, u32 option) {
    const u32 most = (option & shift_wide) != 0 ? 64 : 32;
    const u32 by = (option & shift_wraps) != 0 ? count & (most - 1) : std::min(count, most);
    const u64 value = join(low, high);
    u64 result = 0;
    if ((option & shift_right) == 0) {
        result = by < 64 ? value << by : 0;
    } else if ((option & shift_signed) != 0) {
        result = static_cast<u64>(static_cast<i64>(value) >> std::min(by, 63U));
    } else {
        result = by < 64 ? value >> by : 0;
    }
    return (option & shift_upper) != 0 ? high_word(result) : low_word(result);
}

void funnel_shift(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& a = from(warp, op, 0);
    const auto& b = from(warp, op, 1);
    const auto& c = from(warp, op, 2);
    Lanes result;
    for (std::size_t i = 0; i < lane_count; ++i) {
        result.at[i] = shifted(a.at[i], b.at[i], c.at[i], op.option);
    }
    assign(to(warp, op), result, mask);
}

// By a count below 32 that is the same in all lanes.
template <auto F>
void constant_shift(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& a = from(warp, op, 0);
    const auto count = static_cast<u32>(op.immediate);
    Lanes result;
    for (std::size_t i = 0; i < lane_count; ++i) {
        result.at[i] = F(a.at[i], count);
    }
    assign(to(warp, op), result, mask);
}

constexpr u32 left(u32 a, u32 count) {
    return a << count;
}
constexpr u32 right(u32 a, u32 count) {
    return a >> count;
}
constexpr u32 right_signed(u32 a, u32 count) {
    return static_cast<u32>(as_signed(a) >> count);
}

// A 32-bit shift by a constant, of the low word to the left or of the high word to the right.
bool translate_constant_shift(Translator& t, u32 option) {
    const auto& count = t.value_operand(1);
    const bool is_right = (option & shift_right) != 0;
    const bool upper = (option & shift_upper) != 0;
    if (count.kind != OperandKind::integer || count.value < 0 || count.value >= 32 || upper != is_right) {
        return false;
    }
    auto op = t.make(!is_right                      ? &constant_shift<left>
                     : (option & shift_signed) != 0 ? &constant_shift<right_signed>
                                                    : &constant_shift<right>);
    op.from[0] = t.value(is_right ? 2 : 0);
    op.immediate = count.value;
    op.to[0] = t.result();
    t.add(op);
    return true;
}

// SHF: the low word, the count, the high word. Volta and later choose the result's word with .HI,
// those before take the upper one of left and the lower one of right shifts.
void translate_shf(Translator& t) {
    u32 option = 0;
    option |= t.has("R") ? shift_right : 0;
    option |= t.has("S32") || t.has("S64") ? shift_signed : 0;
    option |= t.has("W") ? shift_wraps : 0;
    option |= t.has("U64") || t.has("S64") ? shift_wide : 0;
    const bool upper = t.before_volta() ? !t.has("R") : t.has("HI");
    option |= upper ? shift_upper : 0;
    if (translate_constant_shift(t, option)) {
        return;
    }
    auto op = t.simple(&funnel_shift, 3);
    op.option = option;
    t.add(op);
}

// SHL and SHR: one word by a count.
void translate_shift(Translator& t) {
    const bool is_right = t.in().opcode == "SHR";
    u32 option = t.has("W") ? shift_wraps : 0;
    option |= is_right ? shift_right | shift_upper : 0;
    option |= is_right && !t.has("U32") ? shift_signed : 0;
    auto op = t.make(&funnel_shift);
    op.option = option;
    op.from[is_right ? 2 : 0] = t.value(0);
    op.from[1] = t.value(1);
    op.to[0] = t.result();
    t.add(op);
}

}  // namespace

const std::vector<OpcodeEntry>& logic_opcodes() {
    static const std::vector<OpcodeEntry> entries{
        {"LOP3", translate_lop3}, {"ULOP3", translate_lop3}, {"LOP", translate_lop},
        {"ULOP", translate_lop},  {"LOP32I", translate_lop}, {"SHF", translate_shf},
        {"USHF", translate_shf},  {"SHL", translate_shift},  {"SHR", translate_shift},
    };
    return entries;
}

}  // namespace gpumodel::emulate
