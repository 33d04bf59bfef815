// Those of half_operations.h that read or make floats and integers.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "tests/traces/emulate/half_operation_kinds.h"

namespace half_operations {

namespace {

struct RoundingName {
    std::string name, suffix, whole;
    Mode mode;
};
const std::vector<RoundingName> roundings{{"_rn", "", "", Mode::nearest},
                                          {"_rm", ".RM", ".FLOOR", Mode::down},
                                          {"_rp", ".RP", ".CEIL", Mode::up},
                                          {"_rz", ".RZ", ".TRUNC", Mode::zero}};

float single(u32 word) {
    return std::bit_cast<float>(word);
}

long double whole_number(long double value, Mode mode) {
    return mode == Mode::down   ? std::floor(value)
           : mode == Mode::up   ? std::ceil(value)
           : mode == Mode::zero ? std::trunc(value)
                                : std::nearbyint(value);
}

u32 nearest_integer(long double whole) {
    return whole >= 2147483648.0L    ? 0x7fffffffU
           : whole <= -2147483648.0L ? 0x80000000U
                                     : static_cast<u32>(static_cast<std::int32_t>(whole));
}

void add_roundings(Operations& list, const Kind& kind) {
    const auto* format = kind.format;
    for (const auto& rounding : roundings) {
        const auto mode = rounding.mode;
        list.push_back(of_floats("float_" + kind.name + rounding.name,
                                 {"F2F." + kind.type + ".F32" + rounding.suffix + " R4, R1"},
                                 [=](const Triple& t) { return ref::rounded(single(t[0]), *format, mode); }));
        list.push_back(
            of_floats("int_" + kind.name + rounding.name,
                      {"SHF.R.S32.HI R4, RZ, 0xd, R1", "I2F." + kind.type + rounding.suffix + " R4, R4"},
                      [=](const Triple& t) {
                          return ref::rounded(static_cast<std::int32_t>(t[0]) >> 13, *format, mode);
                      }));
        const auto lower = [](const Triple& t) { return t[0] & 0xffffU; };
        list.push_back({kind.name + "_int" + rounding.name,
                        triples_of(*kind.patterns),
                        {"F2I." + kind.type + rounding.whole + ".NTZ R4, R1"},
                        [=](const Triple& t) -> u32 {
                            return ref::is_nan(lower(t), *format)
                                       ? 0
                                       : nearest_integer(
                                             whole_number(ref::value_of(lower(t), *format), mode));
                        }});
        list.push_back({kind.name + "_whole" + rounding.name,
                        triples_of(*kind.patterns),
                        {"FRND." + kind.type + rounding.whole + " R4, R1"},
                        [=](const Triple& t) {
                            return ref::is_nan(lower(t), *format)
                                       ? ref::nan
                                       : ref::rounded(whole_number(ref::value_of(lower(t), *format), mode),
                                                      *format);
                        }});
    }
}

enum class After { nothing, relu, finite };

void add_packing(Operations& list, const Kind& kind, const std::string& name, const std::string& prefix,
                 Mode mode, After after) {
    const auto* format = kind.format;
    const auto line =
        fmt::format("F2FP.{}{}.F32.PACK_AB{} R4, R1, R2", prefix, kind.type, mode == Mode::zero ? ".RZ" : "");
    const auto half = [=](u32 word) {
        const u32 bits = ref::rounded(single(word), *format, mode);
        const bool infinite = (bits & 0x7fffU) == format->infinity;
        return after == After::relu                 ? ref::rectified(bits, *format)
               : after == After::finite && infinite ? bits - 1
                                                    : bits;
    };
    list.push_back(of_floats("pair_" + kind.name + name, {line},
                             [=](const Triple& t) { return half(t[0]) << 16 | half(t[1]); }));
}

// F of the lower half of a float's conversion.
void add_merging(Operations& list, const Kind& kind, const std::string& line, Mode mode) {
    const auto* format = kind.format;
    list.push_back(of_floats("float_" + kind.name + "_relu", {line}, [=](const Triple& t) {
        return ref::rectified(ref::rounded(single(t[0]), *format, mode), *format);
    }));
}

void add_float_choice(Operations& list, const std::string& name, const std::string& modifiers, bool smaller,
                      bool nan_wins, bool flushes) {
    const auto line = fmt::format("FMNMX{}.XORSIGN R4, |R1|, |R2|, {}", modifiers, smaller ? "PT" : "!PT");
    list.push_back(of_floats(name, {line}, [=](const Triple& t) -> u32 {
        const auto magnitude = [&](u32 a) {
            a &= 0x7fffffffU;
            return flushes && a < 0x800000U ? 0 : a;
        };
        const u32 a = magnitude(t[0]), b = magnitude(t[1]);
        const bool no_a = a > 0x7f800000U, no_b = b > 0x7f800000U;
        if ((no_a && no_b) || (nan_wins && (no_a || no_b))) {
            return 0x7fffffffU;
        }
        const u32 chosen = no_a ? b : no_b ? a : smaller ? std::min(a, b) : std::max(a, b);
        return chosen | ((t[0] ^ t[1]) & 0x80000000U);
    }));
}

}  // namespace

}  // namespace half_operations

using namespace half_operations;

std::vector<HalfOperation> float_choices() {
    Operations list;
    add_float_choice(list, "fmin_xorsign", "", true, false, false);
    add_float_choice(list, "fmax_xorsign", "", false, false, false);
    add_float_choice(list, "fmax_nan_xorsign", ".NAN", false, true, false);
    add_float_choice(list, "fmin_ftz_xorsign", ".FTZ", true, false, true);
    return list;
}

std::vector<HalfOperation> half_conversions() {
    Operations list;
    for (const auto& kind : kinds()) {
        add_roundings(list, kind);
        add_packing(list, kind, "", "", Mode::nearest, After::nothing);
        add_packing(list, kind, "_rz", "", Mode::zero, After::nothing);
        add_packing(list, kind, "_relu", "RELU.", Mode::nearest, After::relu);
    }
    add_packing(list, kinds()[0], "_satfinite", "SATFINITE.", Mode::nearest, After::finite);
    add_packing(list, kinds()[1], "_satfinite", "SATFINITE.", Mode::zero, After::finite);
    add_merging(list, kinds()[0], "F2FP.RELU.F16.F32.MERGE_C R4, R1, RZ", Mode::nearest);
    add_merging(list, kinds()[1], "F2FP.RELU.BF16.F32.MERGE_C.RZ R4, R1, RZ", Mode::zero);
    list.push_back(of_floats("float_half_sat", {"F2F.F16.F32.SAT R4, R1"}, [](const Triple& t) {
        return ref::saturated(ref::rounded(single(t[0]), ref::half), ref::half);
    }));
    return list;
}
