#include "traces/kernel/families/simple_overhead.h"

namespace gpumodel {

namespace {

using C = OpClass;

struct ClassCount {
    OpClass op = OpClass::mov;
    double count = 0;
};

OpCounts counts(std::initializer_list<ClassCount> list) {
    OpCounts ops{};
    for (const ClassCount& entry : list) {
        count_of(ops, entry.op) += entry.count;
    }
    return ops;
}

bool kepler(CodeGeneration generation) {
    return generation == CodeGeneration::kepler;
}
bool hopper(CodeGeneration generation) {
    return generation == CodeGeneration::hopper;
}

// sm_35 makes a 64-bit address of three instructions, later targets of one IMAD.WIDE.
OpClass wide_multiply(CodeGeneration generation) {
    return kepler(generation) ? C::imad : C::imad_wide;
}

}  // namespace

OpCounts direct_prologue(CodeGeneration generation) {
    switch (generation) {
        case CodeGeneration::kepler:
            return counts({{C::special_register, 4},
                           {C::imad, 6},
                           {C::iadd, 3},
                           {C::logic, 1},
                           {C::mov, 8},
                           {C::compare, 5},
                           {C::branch, 3}});
        case CodeGeneration::volta:
        case CodeGeneration::ampere:
            return counts({{C::special_register, 4},
                           {C::imad, 7},
                           {C::iadd, 5},
                           {C::logic, 1},
                           {C::mov, 4},
                           {C::compare, 5},
                           {C::branch, 4}});
        case CodeGeneration::hopper:
            break;
    }
    return counts({{C::special_register, 9},
                   {C::imad, 4},
                   {C::iadd, 6},
                   {C::logic, 1},
                   {C::mov, 2},
                   {C::hfma, 1},
                   {C::compare, 5},
                   {C::uniform, 3},
                   {C::branch, 3}});
}

OpCounts direct_step(CodeGeneration generation) {
    return kepler(generation) ? counts({{C::imad, 3}, {C::iadd, 3}})
                              : counts({{C::imad_wide, 2}, {C::iadd, 2}});
}

OpCounts direct_body(CodeGeneration generation) {
    if (kepler(generation)) {
        return counts({{C::iadd, 2}, {C::mov, 1}, {C::compare, 1}, {C::branch, 1}});
    }
    return hopper(generation) ? counts({{C::imad, 1}, {C::uniform, 1}, {C::compare, 1}, {C::branch, 1}})
                              : counts({{C::imad, 2}, {C::iadd, 1}, {C::compare, 1}, {C::branch, 1}});
}

OpCounts direct_epilogue(CodeGeneration generation) {
    OpCounts ops = counts({{C::imad, 1}, {wide_multiply(generation), 1}, {C::mov, 1}, {C::branch, 2}});
    add(ops, kepler(generation)   ? counts({{C::iadd, 1}})
             : hopper(generation) ? counts({{C::uniform, 2}})
                                  : OpCounts{});
    return ops;
}

OpCounts guide_prologue(CodeGeneration generation, const GuideCode& code) {
    const double uniform = generation == CodeGeneration::ampere || hopper(generation) ? 1 : 0;
    OpCounts ops = counts({{C::special_register, hopper(generation) ? 7.0 : 4.0},
                           {wide_multiply(generation), kepler(generation) ? 4.0 : 3.0},
                           {C::imad, kepler(generation) ? 3.0 : 2.0},
                           {C::shift, 2},
                           {C::mov, 3 - uniform - (hopper(generation) ? 2 : 0)},
                           {C::uniform, uniform + (hopper(generation) ? 1 : 0)}});
    if (code.a_shared) {
        add(ops, counts({{C::iadd, 3}}));
        add(ops, hopper(generation) ? counts({{C::special_register, 2}, {C::uniform, 3}, {C::iadd, 2}})
                                    : OpCounts{});
    }
    if (code.second_shared) {
        add(ops, counts({{C::iadd, 2}}));
        add(ops, hopper(generation) ? counts({{C::uniform, 1}, {C::iadd, 1}}) : OpCounts{});
    }
    if (code.transposed && !hopper(generation)) {
        add(ops, counts({{C::iadd, 2}, {C::shift, 2}}));
    }
    if (code.rolled) {
        const bool global = !code.a_shared || !code.second_shared;
        add(ops, counts({{C::mov, 3}, {C::iadd, global ? 4.0 : 0.0}}));
    }
    return ops;
}

OpCounts guide_step(CodeGeneration generation, const GuideCode& code) {
    if (!code.second_is_b_row) {
        return {};
    }
    // An address per word of B, from the run-time pitch N.
    return kepler(generation) ? counts({{C::imad, 1}, {C::iadd, 2}})
                              : counts({{C::imad_wide, 1}, {C::iadd, 1}});
}

OpCounts guide_body(CodeGeneration generation, const GuideCode& code) {
    if (!code.rolled) {
        return {};
    }
    OpCounts ops = counts({{C::iadd, 3}, {C::compare, 1}, {C::branch, 1}});
    if (code.second_is_b_row) {
        add(ops, counts({{C::iadd, kepler(generation) ? 1.0 : 2.0}}));
    } else if (!code.a_shared) {
        constexpr int small_body = 4;  // both pointers are made anew
        add(ops, counts({{C::iadd, code.unrolled_steps <= small_body ? 6.0 : 4.0}}));
    }
    return ops;
}

OpCounts guide_epilogue(const GuideCode& code) {
    return code.rolled ? counts({{C::imad, 2}, {C::branch, 1}}) : counts({{C::branch, 1}});
}

OpCounts copy_overhead(CodeGeneration generation) {
    switch (generation) {
        case CodeGeneration::kepler:
            return counts(
                {{C::special_register, 2}, {C::imad, 4}, {C::iadd, 2}, {C::mov, 2}, {C::branch, 1}});
        case CodeGeneration::volta:
            return counts(
                {{C::special_register, 2}, {C::imad, 2}, {C::imad_wide, 2}, {C::mov, 2}, {C::branch, 2}});
        case CodeGeneration::ampere:
            return counts({{C::special_register, 2},
                           {C::imad, 2},
                           {C::imad_wide, 2},
                           {C::mov, 2},
                           {C::uniform, 1},
                           {C::branch, 1}});
        case CodeGeneration::hopper:
            break;
    }
    return counts(
        {{C::special_register, 6}, {C::imad, 2}, {C::imad_wide, 2}, {C::uniform, 2}, {C::branch, 1}});
}

// The direct form is not tuned: the tiled one less its shared addresses, on sm_90 with the block's shared
// base (S2UR, UMOV, ULEA) gone as well.
OpCounts transpose_load_overhead(CodeGeneration generation, bool tiled) {
    OpCounts ops = counts({{C::special_register, hopper(generation) ? (tiled ? 9.0 : 8.0) : 4.0},
                           {wide_multiply(generation), kepler(generation) ? 12.0 : 4.0},
                           {C::imad, kepler(generation) ? 0.0 : 3.0},
                           {C::iadd, tiled ? 6.0 : 3.0},
                           {C::mov, hopper(generation) ? 0.0 : 2.0}});
    add(ops, hopper(generation) ? counts({{C::uniform, tiled ? 3.0 : 1.0}}) : OpCounts{});
    return ops;
}

OpCounts transpose_store_overhead(CodeGeneration generation, bool tiled) {
    OpCounts ops = counts({{wide_multiply(generation), kepler(generation) ? 10.0 : 4.0},
                           {C::imad, kepler(generation) ? 0.0 : 2.0},
                           {C::iadd, tiled ? 4.0 : 3.0},
                           {C::branch, 1}});
    if (tiled) {
        add(ops, hopper(generation) ? counts({{C::iadd, 2}}) : counts({{C::mov, 2}}));
        add(ops, generation == CodeGeneration::volta ? counts({{C::shift, 2}, {C::branch, 2}}) : OpCounts{});
    }
    return ops;
}

}  // namespace gpumodel
