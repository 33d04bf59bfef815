#include "tests/traces/emulate/half_operations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tests/traces/emulate/half_operation_kinds.h"

namespace half_operations {

namespace {

u32 flushed(u32 bits) {
    return ref::flushed(bits, ref::half);
}

// One of two, or with the result one of three.
void add_choice(Operations& list, const Kind& kind, const std::string& name, const std::string& line,
                const ref::Choice& choice, bool flushes, int sources) {
    const auto* format = kind.format;
    const auto in = [flushes](u32 a) { return flushes ? flushed(a) : a; };
    list.push_back(of_halves(kind.letter + name, kind, {line}, [=](u32 a, u32 b, u32 c) {
        const u32 first = ref::chosen(in(a), in(b), *format, choice);
        return sources == 2 ? first : ref::chosen(first, c, *format, choice);
    }));
}

std::string choosing(const std::string& opcode, const std::string& operands, bool smaller) {
    return fmt::format("{} R4, {}, {}", opcode, operands, smaller ? "PT" : "!PT");
}

void add_choices(Operations& list, const Kind& kind) {
    const auto add = [&](const std::string& name, const std::string& modifiers, ref::Choice choice) {
        const bool flushes = modifiers.find("FTZ") != std::string::npos;
        const auto* operands = choice.magnitudes ? "|R1|, |R2|" : "R1, R2";
        add_choice(list, kind, name, choosing("HMNMX2" + kind.suffix + modifiers, operands, choice.smaller),
                   choice, flushes, 2);
    };
    const auto add_third = [&](const std::string& name, const std::string& modifiers, ref::Choice choice) {
        add_choice(list, kind, name,
                   choosing("VHMNMX" + kind.suffix + modifiers, "R1, R2, R3", choice.smaller), choice, false,
                   3);
    };
    add("min2", "", {true});
    add("max2", "", {false});
    add("min2_nan", ".NAN", {true, true});
    add("max2_nan", ".NAN", {false, true});
    add("min2_xorsign", ".XORSIGN", {true, false, true});
    add("max2_nan_xorsign", ".NAN.XORSIGN", {false, true, true});
    add_third("min3", "", {true});
    add_third("max3", "", {false});
    add_third("max3_nan", ".NAN", {false, true});
    if (kind.letter == "h") {
        add("min2_ftz", ".FTZ", {true});
        add("max2_ftz", ".FTZ", {false});
        add("max2_xorsign", ".XORSIGN", {false, false, true});
        add("min2_ftz_xorsign", ".FTZ.XORSIGN", {true, false, true});
        add_third("min3_nan", ".NAN", {true, true});
    }
}

const std::vector<std::string> comparisons{"eq",  "ne",  "lt",  "le",  "gt",  "ge",
                                           "equ", "neu", "ltu", "leu", "gtu", "geu"};

std::string upper_case(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    return text;
}

void add_comparison(Operations& list, const Kind& kind, const std::string& name) {
    const auto comparison = upper_case(name);
    const auto* format = kind.format;
    const auto holds = [=](u32 a, u32 b) { return ref::compares(comparison.c_str(), a, b, *format); };
    const auto set = [&](const char* how) {
        return fmt::format("HSET2{}{}.{}.AND R4, R1, R2, PT", kind.suffix, how, comparison);
    };
    list.push_back(of_halves(kind.letter + name + "2", kind, {set(".BF")},
                             [=](u32 a, u32 b, u32) { return holds(a, b) ? format->one : 0; }));
    list.push_back(of_halves(kind.letter + name + "2_mask", kind, {set("")},
                             [=](u32 a, u32 b, u32) { return holds(a, b) ? 0xffffU : 0; }));
    const auto line = fmt::format("HSETP2{}.{}.AND P0, PT, R1.H0_H0, R2.H0_H0, PT", kind.suffix, comparison);
    list.push_back({kind.letter + name,
                    triples_of(*kind.patterns),
                    {line, "SEL R4, RZ, 0x1, !P0"},
                    [=](const Triple& t) -> u32 { return holds(t[0] & 0xffffU, t[1] & 0xffffU) ? 1 : 0; }});
}

// Two predicates, joined with whether the third word is odd.
void add_predicates(Operations& list, const Kind& kind, const std::string& comparison,
                    const std::string& join, bool flushes = false) {
    const auto* format = kind.format;
    const auto name = kind.letter + "setp_" + comparison + (flushes ? "_ftz_" : "_") + join;
    const auto line = fmt::format("HSETP2{}.{}{}.{} P0, P1, R1, R2, P2", kind.suffix, upper_case(comparison),
                                  flushes ? ".FTZ" : "", upper_case(join));
    const auto holds = [=](u32 a, u32 b, bool third) {
        const auto in = [&](u32 bits) { return flushes ? flushed(bits) : bits; };
        const bool result = ref::compares(upper_case(comparison).c_str(), in(a), in(b), *format);
        return join == "and" ? result && third : join == "or" ? result || third : result != third;
    };
    list.push_back({name,
                    triples_of(*kind.patterns),
                    {"LOP3.LUT R7, R3, 0x1, RZ, 0xc0, !PT", "ISETP.NE.AND P2, PT, R7, RZ, PT", line,
                     "SEL R4, RZ, 0x1, !P0", "SEL R6, RZ, 0x2, !P1", "LOP3.LUT R4, R4, R6, RZ, 0xfc, !PT"},
                    [=](const Triple& t) -> u32 {
                        const bool third = t[2] % 2 == 1;
                        return (holds(t[0] & 0xffffU, t[1] & 0xffffU, third) ? 1U : 0) |
                               (holds(t[0] >> 16, t[1] >> 16, third) ? 2U : 0);
                    }});
}

}  // namespace

}  // namespace half_operations

using namespace half_operations;

std::vector<HalfOperation> half_choices() {
    Operations list;
    for (const auto& kind : kinds()) {
        add_choices(list, kind);
    }
    list.push_back(
        of_halves("hmax3_abs", halves(), {"VHMNMX R4, |R1|, |R2|, |R3|, !PT"}, [](u32 a, u32 b, u32 c) {
            const u32 first = ref::chosen(a & ~sign, b & ~sign, ref::half, {false});
            return ref::chosen(first, c & ~sign, ref::half, {false});
        }));
    list.push_back(
        of_halves("hmin3_neg", halves(), {"VHMNMX R4, -R1, R2, -|R3|, PT"}, [](u32 a, u32 b, u32 c) {
            return ref::chosen(ref::chosen(a ^ sign, b, ref::half, {true}), c | sign, ref::half, {true});
        }));
    return list;
}

std::vector<HalfOperation> half_comparisons() {
    Operations list;
    for (const auto& kind : kinds()) {
        for (const auto& comparison : comparisons) {
            add_comparison(list, kind, comparison);
        }
        const auto* format = kind.format;
        list.push_back(of_halves(kind.letter + "isnan2", kind,
                                 {fmt::format("HSET2{}.BF.NAN.AND R4, R1, R1, PT", kind.suffix)},
                                 [=](u32 a, u32, u32) { return ref::is_nan(a, *format) ? format->one : 0; }));
    }
    list.push_back(
        of_halves("hset_lt_ftz", halves(), {"HSET2.BF.LT.FTZ.AND R4, R1, R2, PT"}, [](u32 a, u32 b, u32) {
            return ref::compares("LT", flushed(a), flushed(b), ref::half) ? ref::half.one : 0;
        }));
    add_predicates(list, kinds()[0], "lt", "and");
    add_predicates(list, kinds()[0], "geu", "or");
    add_predicates(list, kinds()[0], "nan", "xor");
    add_predicates(list, kinds()[0], "eq", "and", true);
    add_predicates(list, kinds()[1], "lt", "and");
    add_predicates(list, kinds()[1], "neu", "xor");
    return list;
}

std::vector<HalfOperation> half_sums() {
    Operations list;
    const auto add = [&](const Kind& kind, const std::string& name, const std::string& line,
                         const OfHalves& f) {
        list.push_back(of_halves(kind.letter + name, kind, {line}, f));
    };
    for (const auto& kind : kinds()) {
        const auto* format = kind.format;
        const auto fused = [=](u32 a, u32 b, u32 c) { return ref::fused(a, b, c, *format); };
        const auto fma = "HFMA2.MMA" + kind.suffix;
        add(kind, "add2", fma + " R4, R1, 1, 1, R2",
            [=](u32 a, u32 b, u32) { return ref::sum(a, b, *format); });
        add(kind, "mul2", fma + " R4, R1, R2, -RZ",
            [=](u32 a, u32 b, u32) { return ref::product(a, b, *format); });
        add(kind, "fma2", fma + " R4, R1, R2, R3", fused);
        add(kind, "fma2_relu", fma + ".RELU R4, R1, R2, R3",
            [=](u32 a, u32 b, u32 c) { return ref::rectified(fused(a, b, c), *format); });
    }
    const auto& h = halves();
    const auto saturated = [](u32 bits) { return ref::saturated(bits, ref::half); };
    // subnormal if exponents had no end, as an H200 takes it
    const auto flushed_sum = [](u32 a, u32 b, u32 c) {
        const u32 x = flushed(a), y = flushed(b), z = flushed(c);
        const u32 bits = ref::fused(x, y, z, ref::half);
        if (ref::is_nan(x, ref::half) || ref::is_nan(y, ref::half) || ref::is_nan(z, ref::half)) {
            return bits;
        }
        const auto exact =
            ref::value_of(x, ref::half) * ref::value_of(y, ref::half) + ref::value_of(z, ref::half);
        return std::fabs(exact) < 0x1p-14L * (1 - 0x1p-12L) ? bits & 0x8000U : bits;
    };
    add(h, "add2_sat", "HADD2.SAT R4, R1, R2",
        [=](u32 a, u32 b, u32) { return saturated(ref::sum(a, b, ref::half)); });
    add(h, "mul2_sat", "HMUL2.SAT R4, R1, R2",
        [=](u32 a, u32 b, u32) { return saturated(ref::product(a, b, ref::half)); });
    add(h, "fma2_sat", "HFMA2.SAT R4, R1, R2, R3",
        [=](u32 a, u32 b, u32 c) { return saturated(ref::fused(a, b, c, ref::half)); });
    add(h, "add2_ftz", "HADD2.FTZ R4, R1, R2",
        [=](u32 a, u32 b, u32) { return flushed_sum(a, ref::half.one, b); });
    add(h, "mul2_ftz", "HMUL2.FTZ R4, R1, R2", [=](u32 a, u32 b, u32) { return flushed_sum(a, b, 0x8000U); });
    add(h, "fma2_ftz", "HFMA2.FTZ R4, R1, R2, R3", flushed_sum);
    add(h, "fma2_ftz_sat", "HFMA2.FTZ.SAT R4, R1, R2, R3",
        [=](u32 a, u32 b, u32 c) { return saturated(flushed_sum(a, b, c)); });
    add(h, "fma2_ftz_relu", "HFMA2.FTZ.RELU R4, R1, R2, R3",
        [=](u32 a, u32 b, u32 c) { return ref::rectified(flushed_sum(a, b, c), ref::half); });
    return list;
}
