// Comparisons and predicate logic.
#include <cmath>

#include "traces/emulate/operations/lane_operations.h"
#include "traces/emulate/translate/comparison_modifiers.h"

namespace gpumodel::emulate {

namespace {

MicroOp integer_comparison(Translator& t, std::size_t a, std::size_t b) {
    const auto comparison = comparison_of(t);
    const bool is_unsigned = t.has("U32");
    MicroOp op = t.make(t.has("EX")                      ? &compare_upper_words
                        : t.before_volta() && t.has("X") ? &compare_with_flags
                                                         : integer_handler(comparison.compare, is_unsigned));
    op.option = comparison.option() | (is_unsigned ? unsigned_bit : 0);
    op.from[0] = t.value(a);
    op.from[1] = t.value(b);
    op.predicate_from[0] = t.predicate(0);
    if (t.has("EX")) {
        op.predicate_from[1] = t.predicate(1);
    } else if (t.before_volta() && t.has("X")) {
        op.predicate_from[1] = {carry_flag, false};
        op.predicate_from[2] = {zero_flag, false};
    }
    return op;
}

MicroOp float_comparison(Translator& t, std::size_t a, std::size_t b) {
    auto op = t.make(&compare_floats);
    op.option = comparison_of(t).option() | (t.has("FTZ") ? flush_bit : 0);
    op.from[0] = t.value(a, Reading::fp32);
    op.from[1] = t.value(b, Reading::fp32);
    op.predicate_from[0] = t.predicate(0);
    return op;
}

void add_with_results(Translator& t, MicroOp op) {
    op.predicate_to = {t.predicate_result(0), t.predicate_result(1)};
    t.add(op);
}

// ISETP.GE.S64
MicroOp pair_comparison(Translator& t) {
    auto op = t.make(&compare_pairs);
    op.option = comparison_of(t).option() | (t.has("U64") ? unsigned_bit : 0);
    for (std::size_t i = 0; i < 2; ++i) {
        const auto& operand = t.value_operand(i);
        if (operand.negated || operand.inverted || operand.absolute) {
            t.unsupported("with such a source is not emulated");
        }
        op.from[2 * i] = t.raw_value(i, 0);
        op.from[2 * i + 1] = t.raw_value(i, 1);
    }
    op.predicate_from[0] = t.predicate(0);
    return op;
}

void translate_isetp(Translator& t) {
    if (t.has("S64") || t.has("U64")) {
        add_with_results(t, pair_comparison(t));
        return;
    }
    add_with_results(t, integer_comparison(t, 0, 1));
}

void translate_fsetp(Translator& t) {
    add_with_results(t, float_comparison(t, 0, 1));
}

MicroOp double_comparison(Translator& t) {
    auto op = t.make(&compare_doubles);
    op.option = comparison_of(t).option();
    for (std::size_t i = 0; i < 2; ++i) {
        op.from[2 * i] = t.value(i, Reading::fp64, 0);
        op.from[2 * i + 1] = t.value(i, Reading::fp64, 1);
    }
    op.predicate_from[0] = t.predicate(0);
    return op;
}

// Whether the first of two numbers is the smaller or the greater one, or the other none; whether both are
// none: as compilers use them for fmin() and fmax().
template <bool GREATER>
void choose_double(Warp& warp, const MicroOp& op, u32 mask) {
    u32 first = 0, neither = 0;
    for (std::size_t i = 0; i < lane_count; ++i) {
        const double a = as_double(from(warp, op, 0).at[i], from(warp, op, 1).at[i]);
        const double b = as_double(from(warp, op, 2).at[i], from(warp, op, 3).at[i]);
        const bool chosen = !std::isnan(a) && (std::isnan(b) || (GREATER ? a > b : a < b));
        first |= chosen ? lane_bit[i] : 0;
        neither |= std::isnan(a) && std::isnan(b) ? lane_bit[i] : 0;
    }
    const u32 third = warp.predicate(op.predicate_from[0]);
    warp.set_predicate(op.predicate_to[0], first & third, mask);
    warp.set_predicate(op.predicate_to[1], neither & third, mask);
}

void translate_dsetp(Translator& t) {
    if (!t.has("MIN") && !t.has("MAX")) {
        add_with_results(t, double_comparison(t));
        return;
    }
    auto op = t.make(t.has("MIN") ? &choose_double<false> : &choose_double<true>);
    for (std::size_t i = 0; i < 2; ++i) {
        op.from[2 * i] = t.value(i, Reading::fp64, 0);
        op.from[2 * i + 1] = t.value(i, Reading::fp64, 1);
    }
    op.predicate_from[0] = t.predicate(0);
    add_with_results(t, op);
}

void select_by_predicate(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& a = from(warp, op, 0);
    const auto& b = from(warp, op, 1);
    const u32 first = warp.predicate(op.predicate_from[0]);
    Lanes result;
    for (std::size_t i = 0; i < lane_count; ++i) {
        result.at[i] = (first & lane_bit[i]) != 0 ? a.at[i] : b.at[i];
    }
    assign(to(warp, op), result, mask);
}

void add_select(Translator& t, std::uint16_t a, std::uint16_t b, PredicateUse first, int part = 0) {
    auto op = t.make(&select_by_predicate);
    op.from[0] = a;
    op.from[1] = b;
    op.predicate_from[0] = first;
    op.to[0] = t.result(part);
    t.add(op);
}

// ISET, FSET and DSET before Volta: all ones, or 1.0 with .BF.
void set_register(Translator& t, MicroOp op) {
    op.guard = {};
    op.predicate_to[0] = scratch_predicate;
    t.add(op);
    add_select(t, t.constant(t.has("BF") ? float_bits(1.0F) : all_lanes), zero_slot,
               {scratch_predicate, false});
    if (t.result_sets_flags()) {
        auto flags = t.make([](Warp& warp, const MicroOp& self, u32 mask) {
            warp.set_predicate(self.predicate_to[0], ~warp.predicate(self.predicate_from[0]), mask);
        });
        flags.predicate_from[0] = {scratch_predicate, false};
        flags.predicate_to[0] = zero_flag;
        t.add(flags);
    }
}

void translate_iset(Translator& t) {
    set_register(t, integer_comparison(t, 0, 1));
}
void translate_fset(Translator& t) {
    set_register(t, float_comparison(t, 0, 1));
}

void translate_dset(Translator& t) {
    set_register(t, double_comparison(t));
}

// Before Volta: the first or the second source as the third compares with zero.
void select_by_third(Translator& t, MicroOp op) {
    op.guard = {};
    op.predicate_to[0] = scratch_predicate;
    t.add(op);
    add_select(t, t.value(0), t.value(1), {scratch_predicate, false});
}

void translate_icmp(Translator& t) {
    select_by_third(t, integer_comparison(t, 2, 3));
}
void translate_fcmp(Translator& t) {
    select_by_third(t, float_comparison(t, 2, 3));
}

void translate_sel(Translator& t) {
    const auto reading = t.in().opcode.ends_with("FSEL") ? Reading::fp32 : Reading::integer;
    for (int part = 0; part < (t.has("64") ? 2 : 1); ++part) {
        add_select(t, t.value(0, reading, part), t.value(1, reading, part), t.predicate(0), part);
    }
}

// (a first b) second c on predicates; the second result takes the opposite of the first join.
void combine_predicates(Warp& warp, const MicroOp& op, u32 mask) {
    const auto first = static_cast<Join>(op.option & 3U);
    const u32 inner =
        joined(warp.predicate(op.predicate_from[0]), warp.predicate(op.predicate_from[1]), first);
    const u32 c = warp.predicate(op.predicate_from[2]);
    warp.set_predicate(op.predicate_to[0], joined(inner, c, join_of(op)), mask);
    warp.set_predicate(op.predicate_to[1], joined(~inner, c, join_of(op)), mask);
}

// MicroOp::option of combine_predicates.
u32 joins_of(const Translator& t) {
    std::array<Join, 2> joins{Join::with_and, Join::with_and};
    std::size_t found = 0;
    for (const auto& modifier : t.in().modifiers) {
        if (const auto join = join_named(modifier); join && found < joins.size()) {
            joins[found++] = *join;
        }
    }
    return static_cast<u32>(joins[0]) | static_cast<u32>(joins[1]) << join_shift;
}

void translate_psetp(Translator& t) {
    auto op = t.make(&combine_predicates);
    op.option = joins_of(t);
    op.predicate_from = {t.predicate(0), t.predicate(1), t.predicate(2)};
    add_with_results(t, op);
}

// PSET: the first result of PSETP in a register.
void translate_pset(Translator& t) {
    auto op = t.make(&combine_predicates);
    op.option = joins_of(t);
    op.predicate_from = {t.predicate(0), t.predicate(1), t.predicate(2)};
    set_register(t, op);
}

u32 lookup_predicates(u32 a, u32 b, u32 c, u32 lut) {
    u32 result = 0;
    for (u32 k = 0; k < 8; ++k) {
        if ((lut >> k & 1U) != 0) {
            result |= ((k & 4U) != 0 ? a : ~a) & ((k & 2U) != 0 ? b : ~b) & ((k & 1U) != 0 ? c : ~c);
        }
    }
    return result;
}

void lookup_three(Warp& warp, const MicroOp& op, u32 mask) {
    const u32 a = warp.predicate(op.predicate_from[0]);
    const u32 b = warp.predicate(op.predicate_from[1]);
    const u32 c = warp.predicate(op.predicate_from[2]);
    warp.set_predicate(op.predicate_to[0], lookup_predicates(a, b, c, op.option & 0xffU), mask);
    warp.set_predicate(op.predicate_to[1], lookup_predicates(a, b, c, op.option >> 8 & 0xffU), mask);
}

void translate_plop3(Translator& t) {
    auto op = t.make(&lookup_three);
    op.option = static_cast<u32>(t.value_operand(0).value & 0xff) |
                static_cast<u32>(t.value_operand(1).value & 0xff) << 8;
    op.predicate_from = {t.predicate(0), t.predicate(1), t.predicate(2)};
    add_with_results(t, op);
}

}  // namespace

const std::vector<OpcodeEntry>& predicate_opcodes() {
    static const std::vector<OpcodeEntry> entries{
        {"ISETP", translate_isetp},  {"UISETP", translate_isetp}, {"FSETP", translate_fsetp},
        {"DSETP", translate_dsetp},  {"ISET", translate_iset},    {"FSET", translate_fset},
        {"ICMP", translate_icmp},    {"FCMP", translate_fcmp},    {"SEL", translate_sel},
        {"USEL", translate_sel},     {"FSEL", translate_sel},     {"PSETP", translate_psetp},
        {"PSET", translate_pset},    {"PLOP3", translate_plop3},  {"UPLOP3", translate_plop3},
        {"DSET", translate_dset},    {"UPSETP", translate_psetp}, {"UFSEL", translate_sel},
        {"UFSETP", translate_fsetp},
    };
    return entries;
}

}  // namespace gpumodel::emulate
