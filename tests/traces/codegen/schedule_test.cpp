// Where a product body loads its fragments, against compiled bodies (validate/listings).
#include <fmt/core.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <map>

#include "arch_specs/loader.h"
#include "tests/traces/codegen/compiled_body.h"
#include "traces/codegen/kepler_control.h"

using namespace gpumodel;
using namespace gpumodel::test;

namespace {

// A shared load (its registers) or a product (what it reads).
struct Step {
    bool load = false;
    std::vector<int> registers;
};

std::vector<Step> compiled_steps(const SassFunction& function) {
    const ControlFlow flow = control_flow(function);
    const int loop = product_loop(function, flow);
    std::vector<Step> steps;
    for (std::size_t b = 0; b < flow.blocks.size(); ++b) {
        for (std::size_t i = flow.blocks[b].begin; flow.loop_of_block[b] == loop && i < flow.blocks[b].end;
             ++i) {
            const SassInstruction& instruction = function.instructions[i];
            Step step{instruction.is(OpClass::shared_load), {}};
            for (int w = 0; step.load && w < instruction.effect->bytes / 4; ++w) {
                step.registers.push_back(instruction.operands[0].index + w);
            }
            for (std::size_t k = 1; instruction.is(OpClass::ffma) && k < instruction.operands.size(); ++k) {
                step.registers.push_back(instruction.operands[k].index);
            }
            if (!step.registers.empty()) {
                steps.push_back(std::move(step));
            }
        }
    }
    return steps;
}

std::vector<Step> generated_steps(const Segment& segment) {
    std::vector<Step> steps;
    for (const Instruction& i : segment.code) {
        if (i.op == OpClass::shared_load) {
            steps.push_back({true, {}});
            for (int w = 0; w < i.results[0].width; ++w) {
                steps.back().registers.push_back(i.results[0].index + w);
            }
        } else if (i.op == OpClass::ffma) {
            steps.push_back({false, {i.sources[0].index, i.sources[1].index, i.sources[2].index}});
        }
    }
    return steps;
}

struct Shape {
    int front_words = 0;  // loaded before the first product
    double distance = 0;  // products between a load and its first use, mean
};

Shape shape_of(const std::vector<Step>& steps) {
    Shape shape;
    std::map<int, int> waiting;  // register -> load number
    std::map<int, int> issued;   // load number -> products before it, until it is used
    int products = 0;
    int loads = 0;
    double sum = 0;
    for (const Step& step : steps) {
        if (step.load) {
            shape.front_words += products == 0 ? static_cast<int>(step.registers.size()) : 0;
            issued[++loads] = products;
            for (const int reg : step.registers) {
                waiting[reg] = loads;
            }
            continue;
        }
        for (const int reg : step.registers) {
            if (const auto use = issued.find(waiting[reg]); use != issued.end()) {
                sum += products - use->second;
                issued.erase(use);
            }
        }
        ++products;
    }
    shape.distance = sum / std::max(1, loads);
    return shape;
}

struct Comparison {
    int count = 0;
    double front_difference = 0;  // mean, words
    double compiled_distance = 0, generated_distance = 0;
};

Comparison compare(const std::string& arch, bool print) {
    const ArchSpec spec = load_arch(arch);
    Comparison sum;
    for (const ListedKernel& kernel : listed_kernels(arch, spec)) {
        const Shape compiled = shape_of(compiled_steps(*kernel.function));
        const Shape made = shape_of(generated_steps(product_segment(kernel.program)));
        if (print) {
            fmt::print("{} {:80} front {:2} {:2} words, distance {:5.1f} {:5.1f}\n", arch, kernel.text,
                       compiled.front_words, made.front_words, compiled.distance, made.distance);
        }
        ++sum.count;
        sum.front_difference += std::abs(compiled.front_words - made.front_words);
        sum.compiled_distance += compiled.distance;
        sum.generated_distance += made.distance;
    }
    return {sum.count, sum.front_difference / sum.count, sum.compiled_distance / sum.count,
            sum.generated_distance / sum.count};
}

// Kepler: products, and how many of them go together with the next instruction.
struct Pairs {
    int products = 0, with_product = 0, with_load = 0;
};

template <class Op>
void count_pair(Pairs& pairs, bool marked, const Op& next_is) {
    ++pairs.products;
    pairs.with_product += marked && next_is(OpClass::ffma) ? 1 : 0;
    pairs.with_load += marked && next_is(OpClass::shared_load) ? 1 : 0;
}

Pairs compiled_pairs(const SassFunction& function) {
    const ControlFlow flow = control_flow(function);
    const int loop = product_loop(function, flow);
    Pairs pairs;
    for (std::size_t b = 0; b < flow.blocks.size(); ++b) {
        for (std::size_t i = flow.blocks[b].begin;
             flow.loop_of_block[b] == loop && i + 1 < flow.blocks[b].end; ++i) {
            const SassInstruction& instruction = function.instructions[i];
            if (instruction.is(OpClass::ffma)) {
                count_pair(pairs, instruction.control.dual_issue,
                           [&](OpClass op) { return function.instructions[i + 1].is(op); });
            }
        }
    }
    return pairs;
}

Pairs generated_pairs(const Segment& segment) {
    Pairs pairs;
    for (std::size_t i = 0; i + 1 < segment.code.size(); ++i) {
        if (segment.code[i].op == OpClass::ffma) {
            count_pair(pairs, segment.code[i].control.dual_issue,
                       [&](OpClass op) { return segment.code[i + 1].op == op; });
        }
    }
    return pairs;
}

}  // namespace

TEST_CASE("codegen: Kepler's pairs are as frequent as in compiled code", "[codegen]") {
    Pairs compiled;
    Pairs made;
    const auto add = [](Pairs& to, const Pairs& pairs) {
        to.products += pairs.products;
        to.with_product += pairs.with_product;
        to.with_load += pairs.with_load;
    };
    for (const ListedKernel& kernel : listed_kernels("sm_35", load_arch("sm_35"))) {
        add(compiled, compiled_pairs(*kernel.function));
        add(made, generated_pairs(product_segment(kernel.program)));
    }
    CHECK(made.products == Approx(compiled.products).epsilon(0.01));
    INFO(compiled.with_product << " with a product, " << compiled.with_load << " with a load; generated "
                               << made.with_product << ", " << made.with_load);
    // 20 % was reached for the first kernels; whole tiles in a row pair too often (28 %).
    CHECK(made.with_product == Approx(compiled.with_product).epsilon(0.3));
    CHECK(made.with_load == Approx(compiled.with_load).epsilon(0.3));
}

TEST_CASE("codegen schedule: table", "[.table]") {
    for (const auto& arch : listing_archs) {
        const Comparison c = compare(arch, true);
        fmt::print("{} mean: front {:.1f} words apart, distance {:.1f} compiled, {:.1f} generated\n", arch,
                   c.front_difference, c.compiled_distance, c.generated_distance);
    }
}

TEST_CASE("codegen schedule: fragments are loaded as far ahead as in compiled code", "[codegen]") {
    for (const auto& arch : listing_archs) {
        INFO(arch);
        const Comparison c = compare(arch, false);
        CHECK(c.count >= 27);
        CHECK(c.front_difference < 4);
        CHECK(c.generated_distance > 0.7 * c.compiled_distance);
        CHECK(c.generated_distance < 1.33 * c.compiled_distance);
    }
}

TEST_CASE("codegen: pairs of hand-scheduled Kepler code", "[codegen][kepler]") {
    std::vector<Instruction> code(14);
    for (std::size_t i = 0; i < code.size(); ++i) {
        auto& ffma = code[i];
        ffma.op = OpClass::ffma;
        const auto reg = [](std::size_t r) { return static_cast<std::int16_t>(r); };
        ffma.results[ffma.result_count++] = {.kind = RegisterKind::vector, .index = reg(i)};
        for (const std::size_t source : {i, 64 + i % 8, 73 + i % 4}) {
            ffma.sources.at(ffma.source_count++) = {.kind = RegisterKind::vector, .index = reg(source)};
        }
    }
    code[6].op = OpClass::shared_load;
    code[6].source_count = 1;
    const auto pairs = [&code](bool hand_scheduled) {
        auto copy = code;
        set_kepler_control(copy, hand_scheduled);
        std::vector<std::size_t> first;
        for (std::size_t i = 0; i < copy.size(); ++i) {
            if (copy[i].control.dual_issue) {
                first.push_back(i);
            }
        }
        return first;
    };
    CHECK(pairs(false) == std::vector<std::size_t>{0, 4, 7});
    // 1-2-2-1: one alone, two pairs, one with the load; no pair across groups of seven.
    CHECK(pairs(true) == std::vector<std::size_t>{1, 3, 5, 8, 10});
}
