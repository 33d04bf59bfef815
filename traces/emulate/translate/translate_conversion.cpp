// Conversions between integers and floating-point numbers.
#include <cmath>
#include <limits>
#include <optional>

#include "traces/emulate/operations/half.h"
#include "traces/emulate/operations/lane_operations.h"
#include "traces/emulate/translate/condition_code.h"
#include "traces/emulate/translate/translator.h"

namespace gpumodel::emulate {

namespace {

struct Type {
    bool real = false;
    bool is_signed = true;
    u32 bits = 32;
    bool bfloat = false;
};

std::optional<Type> type_named(std::string_view name) {
    if (name == "BF16") {
        return Type{true, true, 16, true};
    }
    if (name.size() < 2 || (name[0] != 'F' && name[0] != 'S' && name[0] != 'U')) {
        return std::nullopt;
    }
    const auto digits = name.substr(1);
    for (const u32 bits : {8U, 16U, 32U, 64U}) {
        if (digits == std::to_string(bits)) {
            return Type{name[0] == 'F', name[0] != 'U', bits};
        }
    }
    return std::nullopt;
}

// What a conversion reads and writes, packed into MicroOp::option.
struct Conversion {
    Type to, from;
    Rounding rounding = Rounding::nearest;
    bool absolute = false, negated = false, saturate = false;
    u32 selected = 0;      // first bit of the source in its register: R3.B1, R3.H1
    bool flushes = false;  // .FTZ
};

Rounding rounding_of(const Translator& t) {
    if (t.has("TRUNC") || t.has("RZ")) {
        return Rounding::zero;
    }
    if (t.has("FLOOR") || t.has("RM")) {
        return Rounding::down;
    }
    if (t.has("CEIL") || t.has("RP")) {
        return Rounding::up;
    }
    return Rounding::nearest;
}

constexpr u32 type_bits = 10, type_mask = (1U << type_bits) - 1;
constexpr u32 pack_type(Type type) {
    return (type.real ? 1U : 0) | (type.is_signed ? 2U : 0) | (type.bfloat ? 4U : 0) | type.bits << 3;
}
constexpr Type unpack_type(u32 bits) {
    return {(bits & 1U) != 0, (bits & 2U) != 0, bits >> 3, (bits & 4U) != 0};
}

// `selected` is a whole number of bytes.
u32 pack(const Conversion& c) {
    return pack_type(c.to) | pack_type(c.from) << type_bits | static_cast<u32>(c.rounding) << 20 |
           (c.absolute ? 1U << 22 : 0) | (c.negated ? 1U << 23 : 0) | (c.saturate ? 1U << 24 : 0) |
           (c.flushes ? 1U << 25 : 0) | c.selected / 8 << 26;
}
Conversion unpack(u32 option) {
    return {unpack_type(option & type_mask),
            unpack_type(option >> type_bits & type_mask),
            static_cast<Rounding>(option >> 20 & 3U),
            (option >> 22 & 1U) != 0,
            (option >> 23 & 1U) != 0,
            (option >> 24 & 1U) != 0,
            (option >> 26) * 8,
            (option >> 25 & 1U) != 0};
}

// The result of each reading of one lane is exact in long double (64 bits of mantissa on x86), or nearly so
// where a long double is a double.
long double read_source(const Conversion& c, u32 low, u32 high) {
    long double value = 0;
    if (c.from.real) {
        value = c.from.bits == 64   ? static_cast<long double>(as_double(low, high))
                : c.from.bits == 16 ? from_half_or_bfloat(low >> c.selected & 0xffffU, c.from.bfloat)
                                    : as_float(low);
        if (c.flushes && c.from.bits == 32 && std::fpclassify(as_float(low)) == FP_SUBNORMAL) {
            value = std::copysign(0.0L, value);
        }
    } else if (c.from.bits == 64) {
        const u64 bits = join(low, high);
        value = c.from.is_signed ? static_cast<long double>(static_cast<i64>(bits))
                                 : static_cast<long double>(bits);
    } else {
        const u32 unused = 32 - c.from.bits;
        const u32 field = low >> c.selected << unused;
        value = c.from.is_signed ? static_cast<long double>(as_signed(field) >> unused)
                                 : static_cast<long double>(field >> unused);
    }
    value = c.absolute ? std::fabs(value) : value;
    return c.negated ? -value : value;
}

long double rounded(long double value, Rounding rounding) {
    switch (rounding) {
        case Rounding::down:
            return std::floor(value);
        case Rounding::up:
            return std::ceil(value);
        case Rounding::zero:
            return std::trunc(value);
        case Rounding::nearest:
            break;
    }
    return std::nearbyint(value);
}

// Out of range goes to the nearest end; a NaN is 0, or the lowest 64-bit pattern.
u64 write_integer(const Conversion& c, long double value) {
    if (std::isnan(value)) {
        return c.to.bits == 64 ? u64{1} << 63 : 0;
    }
    const auto range = std::ldexp(1.0L, static_cast<int>(c.to.bits) - (c.to.is_signed ? 1 : 0));
    const auto lowest = c.to.is_signed ? -range : 0.0L;
    if (value >= range) {
        return c.to.is_signed ? (u64{1} << (c.to.bits - 1)) - 1
                              : std::numeric_limits<u64>::max() >> (64 - c.to.bits);
    }
    if (value <= lowest) {
        return c.to.is_signed ? u64{0} - (u64{1} << (c.to.bits - 1)) : 0;
    }
    return value < 0 ? static_cast<u64>(static_cast<i64>(value)) : static_cast<u64>(value);
}

template <class Real>
Real nearest_by_mode(long double value, Rounding rounding) {
    auto result = static_cast<Real>(value);
    constexpr Real infinity = std::numeric_limits<Real>::infinity();
    const bool above = static_cast<long double>(result) > value;
    const bool below = static_cast<long double>(result) < value;
    const bool lower = rounding == Rounding::down || (rounding == Rounding::zero && value > 0);
    const bool higher = rounding == Rounding::up || (rounding == Rounding::zero && value < 0);
    if (above && lower) {
        result = std::nextafter(result, -infinity);
    } else if (below && higher) {
        result = std::nextafter(result, infinity);
    }
    return result;
}

// .SAT: between 0 and 1, a NaN is 0. That -0 becomes +0 is estimated: the PTX ISA does not say.
long double saturated_real(long double value) {
    return value > 0 ? std::fmin(value, 1.0L) : 0.0L;
}

u64 write_real(const Conversion& c, long double value) {
    value = c.saturate ? saturated_real(value) : value;
    if (c.to.bits != 32) {
        return c.to.bits == 64 ? double_bits(nearest_by_mode<double>(value, c.rounding))
                               : rounded_half(value, half_format_of(c.to.bfloat), c.rounding);
    }
    const auto result = nearest_by_mode<float>(value, c.rounding);
    const bool zero = c.flushes && std::fpclassify(result) == FP_SUBNORMAL;
    return float_bits(zero ? std::copysign(0.0F, result) : result);
}

void convert(Warp& warp, const MicroOp& op, u32 mask) {
    const auto c = unpack(op.option);
    const bool whole = op.immediate != 0;  // a real is rounded to an integral value
    Lanes low, high;
    for (std::size_t i = 0; i < lane_count; ++i) {
        if ((mask & lane_bit[i]) == 0) {
            continue;
        }
        auto value = read_source(c, from(warp, op, 0).at[i], from(warp, op, 1).at[i]);
        if (c.from.real && (!c.to.real || whole)) {
            value = rounded(value, c.rounding);
        }
        const u64 bits = c.to.real ? write_real(c, value) : write_integer(c, value);
        low.at[i] = low_word(bits);
        high.at[i] = high_word(bits);
    }
    assign(to(warp, op, 0), low, mask);
    assign(to(warp, op, 1), high, mask);
}

// A narrower integer takes the low bits unless .SAT asks for the nearest value.
void convert_integer(Warp& warp, const MicroOp& op, u32 mask) {
    const auto c = unpack(op.option);
    Lanes result;
    for (std::size_t i = 0; i < lane_count; ++i) {
        const auto value = read_source(c, from(warp, op, 0).at[i], 0);
        const u32 unused = 32 - std::min(c.to.bits, 32U);
        u32 bits = low_word(static_cast<u64>(static_cast<i64>(value)));
        if (c.saturate) {
            bits = low_word(write_integer(c, value));
        }
        result.at[i] =
            c.to.is_signed ? static_cast<u32>(as_signed(bits << unused) >> unused) : bits << unused >> unused;
    }
    assign(to(warp, op), result, mask);
}

u32 selected_bit(const std::string& text) {
    if (text.size() == 2 && text[0] == 'B') {
        return 8U * static_cast<u32>(text[1] - '0');
    }
    return text == "H1" || text == "H1_H1" ? 16 : 0;
}

// Listings name the result's type before the source's; what is left out is F32, and S32 for integers. Volta
// leaves out F32 on either side, so that the kinds and not the order decide.
Conversion conversion_of(Translator& t, bool from_real, bool to_real) {
    Conversion c;
    c.from.real = from_real;
    c.to.real = to_real;
    std::vector<Type> named;
    for (const auto& modifier : t.in().modifiers) {
        if (const auto type = type_named(modifier)) {
            named.push_back(*type);
        }
    }
    if (from_real != to_real) {
        for (const auto& type : named) {
            (type.real == to_real ? c.to : c.from) = type;
        }
    } else if (!named.empty()) {
        c.to = named.front();
        c.from = named.back();
    }
    const auto& source = t.value_operand(0);
    c.absolute = source.absolute;
    c.negated = source.negated;
    c.saturate = t.has("SAT");
    c.selected = selected_bit(source.text);
    c.rounding = rounding_of(t);
    c.flushes = t.has("FTZ");
    return c;
}

// Where the result's lower word goes.
std::uint16_t add_conversion(Translator& t, const Conversion& c, bool whole) {
    const bool integers = !c.from.real && !c.to.real;
    auto op = t.make(integers ? &convert_integer : &convert);
    op.option = pack(c);
    op.immediate = whole ? 1 : 0;
    if (t.value_operand(0).kind == OperandKind::number) {
        op.from[0] = t.value(0, c.from.bits == 64 ? Reading::fp64 : Reading::fp32, 0);
        op.from[1] = c.from.bits == 64 ? t.value(0, Reading::fp64, 1) : zero_slot;
    } else {
        op.from[0] = t.raw_value(0, 0);
        op.from[1] = c.from.bits == 64 ? t.raw_value(0, 1) : static_cast<std::uint16_t>(zero_slot);
    }
    op.to[0] = t.result_sets_flags() && t.result() == discard_slot ? t.temporary() : t.result(0);
    op.to[1] = c.to.bits == 64 ? t.result(1) : static_cast<std::uint16_t>(discard_slot);
    t.add(op);
    return op.to[0];
}

void translate_f2i(Translator& t) {
    add_conversion(t, conversion_of(t, true, false), false);
}
void translate_i2f(Translator& t) {
    add_conversion(t, conversion_of(t, false, true), false);
}
// Before Volta with .CC: how code finds a sign (set_result_flags).
void translate_i2i(Translator& t) {
    const auto conversion = conversion_of(t, false, false);
    if (t.result_sets_flags()) {
        const auto slot = add_conversion(t, conversion, false);
        set_result_flags(t, slot);
        clear_carries(t);
        return;
    }
    add_conversion(t, conversion, false);
}
void translate_f2f(Translator& t) {
    const bool whole = t.in().opcode.ends_with("FRND") || t.has("TRUNC") || t.has("FLOOR") || t.has("CEIL") ||
                       t.has("ROUND");
    add_conversion(t, conversion_of(t, true, true), whole);
}

}  // namespace

const std::vector<OpcodeEntry>& conversion_opcodes() {
    static const std::vector<OpcodeEntry> entries{
        {"F2I", translate_f2i},  {"I2F", translate_i2f},   {"I2FP", translate_i2f}, {"UF2I", translate_f2i},
        {"UI2F", translate_i2f}, {"UI2FP", translate_i2f}, {"UF2F", translate_f2f}, {"UFRND", translate_f2f},
        {"I2I", translate_i2i},  {"F2F", translate_f2f},   {"FRND", translate_f2f},
    };
    return entries;
}

}  // namespace gpumodel::emulate
