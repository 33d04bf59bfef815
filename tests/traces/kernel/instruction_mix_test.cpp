// Overhead counts: whole, shared out completely, and closed by a branch. Totals against compiled code are in
// tests/validate/codegen_fidelity_test.cpp.
#include "traces/kernel/compiler/instruction_mix.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <sstream>

#include "base/diagnostics.h"
#include "traces/kernel/compiler/unroll.h"

using namespace gpumodel;

namespace {

// Shapes with tiles; the others: direct, guide, copy, transpose.
constexpr std::array shapes{CodeShape::one_result, CodeShape::column,    CodeShape::scalar_rows,
                            CodeShape::one_vector, CodeShape::sub_tiles, CodeShape::warp_tile,
                            CodeShape::prefetch,   CodeShape::split,     CodeShape::async,
                            CodeShape::library};
static_assert(shapes.size() + 4 == code_shape_count);
constexpr auto generations = enumerators<CodeGeneration>;

std::vector<KernelCode> sample_codes() {
    std::vector<KernelCode> codes;
    for (const CodeShape shape : shapes) {
        for (const CodeGeneration generation : generations) {
            for (const int accumulators : {1, 16, 64, 128, 1024}) {
                for (const int loads : {1, 4, 40}) {
                    for (const int steps : {1, 4, 16}) {
                        for (const int pinned : {0, steps}) {
                            codes.push_back({.generation = generation,
                                             .shape = shape,
                                             .threads = 128,
                                             .accumulators = accumulators,
                                             .row_words = accumulators >= 8 ? 8 : 1,
                                             .column_words = accumulators >= 8 ? accumulators / 8 : 1,
                                             .loads = loads,
                                             .depth = 16,
                                             .unrolled_steps = steps,
                                             .pinned_steps = pinned,
                                             .rolled = steps < 16});
                        }
                    }
                }
            }
        }
    }
    return codes;
}

void check_whole(const OpCounts& ops) {
    for (const double count : ops) {
        REQUIRE(count >= 0);
        REQUIRE(count == std::round(count));
    }
}

double sum(const OpCounts& ops) {
    return std::accumulate(ops.begin(), ops.end(), 0.0);
}

}  // namespace

TEST_CASE("overhead is whole instructions, with a branch where a loop closes", "[unit][families]") {
    for (const KernelCode& code : sample_codes()) {
        const OpCounts tile = tile_overhead(code);
        const OpCounts body = step_body_overhead(code);
        for (const OpCounts& ops : {tile, body, prologue_overhead(code), epilogue_overhead(code)}) {
            check_whole(ops);
            CHECK(sum(ops) < 1e4);
        }
        CHECK(count_of(tile, OpClass::branch) >= 1);
        CHECK(count_of(epilogue_overhead(code), OpClass::branch) >= 1);  // EXIT
        const bool has_body = code.rolled && code.shape != CodeShape::library;
        CHECK((count_of(body, OpClass::branch) >= 1) == has_body);
        CHECK((sum(body) > 0) == has_body);
    }
}

TEST_CASE("a branch can be split off", "[unit][families]") {
    OpCounts ops{};
    count_of(ops, OpClass::branch) = 3;
    count_of(ops, OpClass::iadd) = 5;
    const SplitBranch split = split_branch(ops);
    CHECK(sum(split.branch) == 1);
    CHECK(count_of(split.branch, OpClass::branch) == 1);
    CHECK(count_of(split.rest, OpClass::branch) == 2);
    CHECK(count_of(split.rest, OpClass::iadd) == 5);
    CHECK(sum(split_branch({}).branch) == 0);
}

TEST_CASE("every shape has rules, and shares that add up", "[unit][families]") {
    const auto has_rows = [](const auto& table, CodeRegion region, CodeShape shape,
                             CodeGeneration generation) {
        return !rows_of(table, region, shape, generation).empty();
    };
    for (const CodeShape shape : shapes) {
        for (const CodeGeneration generation : generations) {
            const bool runs = shape != CodeShape::async || generation >= CodeGeneration::ampere;
            const bool fitted = shape != CodeShape::library && runs;
            for (const CodeRegion region :
                 {CodeRegion::tile, CodeRegion::step_body, CodeRegion::prologue, CodeRegion::epilogue}) {
                INFO(to_string(shape));
                CHECK(has_rows(compiler_tables().rules, region, shape, generation) == fitted);
                const auto& shares = rows_of(compiler_tables().shares, region, shape, generation);
                REQUIRE(shares.size() == (fitted ? 1U : 0U));
                for (const OverheadShares& row : shares) {
                    const auto& thousand = row.per_thousand;
                    CHECK(std::abs(std::accumulate(thousand.begin(), thousand.end(), 0.0) - 1000) <= 6);
                }
            }
        }
    }
    for (const CodeShape shape :
         {CodeShape::direct, CodeShape::guide, CodeShape::transpose, CodeShape::library}) {
        for (const CodeGeneration generation : generations) {
            CHECK(has_rows(compiler_tables().counts, CodeRegion::prologue, shape, generation));
        }
    }
}

TEST_CASE("faults of a table are named with line and column", "[unit][families]") {
    CompilerTables tables;
    std::istringstream rules(
        "region,shape,body,when,generation,constant,x,y,instances\n"
        "tile,warptile,rolled,loads<=4;lods>2,volta,1,x,0,0\n"
        "tile,warp_tile,rolled,,any,2,1,0,0\n");
    try {
        add_overhead_rules(tables, rules, "rules.csv");
        FAIL("accepted");
    } catch (const InputError& error) {
        std::vector<std::string> texts;
        for (const Diagnostic& fault : error.diagnostics()) {
            texts.push_back(to_string(fault));
        }
        CHECK(texts == std::vector<std::string>{"rules.csv:2:6: warptile: is unknown; nearest: warp_tile",
                                                "rules.csv:2:22: lods: is unknown; nearest: loads",
                                                "rules.csv:2:46: x: is not a number"});
    }
    std::istringstream narrow("shape,cc\nwarp_tile,70\n");
    CHECK_THROWS_AS(add_register_weights(tables, narrow, "registers.csv"), InputError);
}

TEST_CASE("counted rows add up where their traits are there", "[unit][families]") {
    const auto shared = counted_overhead(CodeGeneration::volta, CodeShape::guide, CodeRegion::prologue,
                                         {CodeTrait::a_shared, CodeTrait::b_shared});
    const auto plain = counted_overhead(CodeGeneration::volta, CodeShape::guide, CodeRegion::prologue);
    CHECK(count_of(shared, OpClass::iadd) == count_of(plain, OpClass::iadd) + 5);  // 3 and 2 addresses
    CHECK(count_of(shared, OpClass::special_register) == 4);
}

// Bodies in the listings of validate/listings, counted by another program (FFMAs between a backward branch
// and its target over the results of a thread).
TEST_CASE("bodies of the k loop as compiled", "[oracle][families]") {
    const auto steps = [](CodeGeneration generation, UnrollQuestion question) {
        return unrolled_steps(generation, question);
    };
    for (const CodeGeneration g : generations) {
        // next tile prefetched
        CHECK(steps(g, {.products = 16, .bk = 32, .shape = CodeShape::prefetch}) == 8);
        CHECK(steps(g, {.products = 32, .bk = 8, .shape = CodeShape::prefetch}) == 4);
        CHECK(steps(g, {.products = 32, .bk = 16, .shape = CodeShape::prefetch}) == 5);
        CHECK(steps(g, {.products = 64, .bk = 16, .shape = CodeShape::prefetch}) == 1);
        CHECK(steps(g, {.products = 128, .bk = 8, .shape = CodeShape::async}) == 1);
    }
    CHECK(steps(CodeGeneration::hopper, {.products = 16, .bk = 16}) == 16);
    CHECK(steps(CodeGeneration::hopper, {.products = 16, .bk = 32}) == 8);
    CHECK(steps(CodeGeneration::hopper, {.products = 32, .bk = 16}) == 5);
    CHECK(steps(CodeGeneration::hopper, {.products = 32, .bk = 32}) == 4);
    CHECK(steps(CodeGeneration::hopper, {.products = 64, .bk = 8}) == 1);
    CHECK(steps(CodeGeneration::hopper, {.products = 64, .bk = 4, .shape = CodeShape::one_vector}) == 4);
    CHECK(steps(CodeGeneration::hopper, {.products = 32, .bk = 8, .shape = CodeShape::one_vector}) == 4);
    CHECK(steps(CodeGeneration::hopper, {.products = 32, .bk = 4, .shape = CodeShape::scalar_rows}) == 4);
    CHECK(steps(CodeGeneration::hopper, {.products = 16, .bk = 16, .shape = CodeShape::scalar_rows}) == 8);
    CHECK(steps(CodeGeneration::hopper, {.products = 16, .bk = 8, .shape = CodeShape::column}) == 8);
    CHECK(steps(CodeGeneration::hopper, {.products = 32, .bk = 4, .shape = CodeShape::column}) == 1);
    CHECK(steps(CodeGeneration::volta, {.products = 128, .bk = 32, .shape = CodeShape::scalar_rows}) == 1);
    CHECK(steps(CodeGeneration::volta, {.products = 128, .bk = 16}) == 16);
    CHECK(steps(CodeGeneration::volta, {.products = 128, .bk = 8}) == 8);
}
