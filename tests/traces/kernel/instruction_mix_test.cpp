// Overhead counts: whole, shared out completely, and closed by a branch. Totals against compiled code are in
// tests/validate/codegen_fidelity_test.cpp.
#include "traces/kernel/compiler/instruction_mix.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>

using namespace gpumodel;

namespace {

constexpr std::array shapes{CodeShape::one_word,  CodeShape::scalar_rows, CodeShape::one_vector,
                            CodeShape::sub_tiles, CodeShape::warp_tile,   CodeShape::prefetch,
                            CodeShape::split,     CodeShape::async,       CodeShape::library};
constexpr std::array generations{CodeGeneration::kepler, CodeGeneration::volta, CodeGeneration::ampere,
                                 CodeGeneration::hopper};

std::vector<TileCode> sample_codes() {
    std::vector<TileCode> codes;
    for (const CodeShape shape : shapes) {
        for (const CodeGeneration generation : generations) {
            for (const int accumulators : {1, 16, 64, 128, 1024}) {
                for (const int loads : {1, 4, 40}) {
                    for (const int steps : {1, 4, 16}) {
                        for (const int pinned : {0, steps}) {
                            codes.push_back({.generation = generation,
                                             .shape = shape,
                                             .loads = loads,
                                             .accumulators = accumulators,
                                             .row_words = accumulators >= 8 ? 8 : 1,
                                             .column_words = accumulators >= 8 ? accumulators / 8 : 1,
                                             .threads = 128,
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
    for (const TileCode& code : sample_codes()) {
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

TEST_CASE("every shape has shares that add up", "[unit][families]") {
    for (const OverheadShares& shares : overhead_shares()) {
        const int all = std::accumulate(shares.per_thousand.begin(), shares.per_thousand.end(), 0);
        CHECK(std::abs(all - 1000) <= 6);  // rounded one by one
    }
    for (const CodeShape shape : shapes) {
        const bool fitted = shape != CodeShape::library;
        for (const auto rules :
             {tile_overhead_rules(), prologue_overhead_rules(), epilogue_overhead_rules()}) {
            CHECK(std::any_of(rules.begin(), rules.end(),
                              [shape](const OverheadRule& rule) { return rule.shape == shape; }) == fitted);
        }
    }
}

// Bodies in compiled listings of our own kernels (CUDA 11.8; 13.0 for sm_90).
TEST_CASE("bodies of the k loop as compiled", "[oracle][families]") {
    const auto steps = [](CodeGeneration generation, UnrollQuestion question) {
        return unrolled_steps(generation, question);
    };
    for (const CodeGeneration g : generations) {
        // next tile prefetched: 8x8 words four steps, 16x4 words one
        CHECK(steps(g, {.products = 64, .bk = 16, .branchy_tile = true, .square = true}) == 4);
        CHECK(steps(g, {.products = 64, .bk = 16, .branchy_tile = true, .square = false}) == 1);
        CHECK(steps(g, {.products = 32, .bk = 16, .branchy_tile = true, .square = false}) == 8);
        CHECK(steps(g, {.products = 16, .bk = 32, .branchy_tile = true}) == 16);
        CHECK(steps(g, {.products = 128, .bk = 16, .branchy_tile = true, .square = false}) == 1);
    }
    CHECK(steps(CodeGeneration::hopper, {.products = 32, .bk = 32, .square = false}) == 8);
    CHECK(steps(CodeGeneration::hopper, {.products = 16, .bk = 32}) == 16);
    CHECK(steps(CodeGeneration::hopper, {.products = 32, .bk = 16, .scalar_rows = true}) == 5);
    CHECK(steps(CodeGeneration::hopper, {.products = 32, .bk = 32, .scalar_rows = true}) == 4);
    CHECK(steps(CodeGeneration::hopper, {.products = 128, .bk = 4, .scalar_rows = true}) == 1);
    CHECK(steps(CodeGeneration::volta, {.products = 128, .bk = 16, .scalar_rows = true}) == 16);
    CHECK(steps(CodeGeneration::volta, {.products = 128, .bk = 16}) == 1);
    CHECK(steps(CodeGeneration::volta, {.products = 128, .bk = 8}) == 8);
}
