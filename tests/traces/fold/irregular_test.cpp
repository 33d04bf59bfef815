// Grids whose blocks have nothing in common.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/traces/fold/expand.h"
#include "tests/traces/fold/grid_kernel.h"
#include "traces/fold/fold_program.h"

using namespace gpumodel;

TEST_CASE("irregular grids stay exact as long as they can be run", "[unit][fold]") {
    GridKernel k;
    // every block has a trip count, lanes and addresses of its own, the last one does nothing but leave
    for (const std::int64_t blocks : {40, 700}) {
        auto source = k.source(
            1, [=](const Dim3& b) { return 1 + b.x * 7 % 13; },
            [=](const Dim3& b) { return b.x == blocks - 1 ? 1U : 0xffffffffU >> (b.x * 5 % 31); },
            [](const Dim3& b) { return 128 * (b.x * b.x % 61); });
        const auto launch = launch_of({blocks, 1, 1}, 32, 1);
        const auto program = fold_program(source, launch);
        CHECK(program.notes.empty());
        CHECK(covered(program) == blocks);
        CHECK(difference_in_all_blocks(program, source, launch) == "");
    }
}

TEST_CASE("where addresses are irregular, paths and lanes stay exact", "[unit][fold]") {
    GridKernel k;
    const std::int64_t blocks = 100000;
    auto source = k.source(
        1, [](const Dim3&) { return 1; },
        [=](const Dim3& b) { return b.x == blocks - 1 ? 0x1fU : 0xffffffffU; },
        [](const Dim3& b) { return 128 * (b.x * b.x % 61); });
    const auto launch = launch_of({blocks, 1, 1}, 32, 1);
    const auto program = fold_program(source, launch);
    // several blocks stand for those of the one path, for the words that they name
    CHECK(program.variants.size() > 8);
    CHECK(program.variants.size() < 80);
    CHECK(covered(program) == blocks);
    for (const auto& variant : program.variants) {
        const bool last = variant.blocks.end.x == blocks;
        CHECK((!last || variant.blocks.count() == 1));
        CHECK(expand(program, variant.blocks.begin)[0][1].active ==
              std::vector<std::uint32_t>{last ? 0x1fU : 0xffffffffU});
    }
    REQUIRE(program.notes.size() == 1);
    CHECK(program.notes[0].find("irregularly") != std::string::npos);
    CHECK(source.blocks_run < 2000);
}

TEST_CASE("where paths are irregular, blocks over all of the grid stand for the others", "[unit][fold]") {
    GridKernel k;
    const std::int64_t blocks = 100000;
    // the mean over the grid of 1, 2 ... 64 trips is 32.5; the middle block alone has 33 or more
    auto source = k.source(
        1, [=](const Dim3& b) { return 1 + (b.x * 64 / blocks + b.x % 3) % 64; }, all_lanes,
        [](const Dim3& b) { return 128 * (b.x * b.x % 61); });
    const auto program = fold_program(source, launch_of({blocks, 1, 1}, 32, 1));
    CHECK(program.variants.size() > 16);
    CHECK(covered(program) == blocks);
    REQUIRE(program.notes.size() == 1);
    CHECK(program.notes[0].find("spread evenly") != std::string::npos);
    double instructions = 0;
    for (const auto& variant : program.variants) {
        instructions += static_cast<double>(variant.blocks.count()) *
                        static_cast<double>(expand(program, variant.blocks.begin)[0].size());
    }
    // one before the loop, two a trip, two behind it
    CHECK(instructions / blocks == Approx(3 + 2 * 32.5).epsilon(0.05));
}

TEST_CASE("where data decide, the last of the longest blocks is one of its own", "[unit][fold]") {
    GridKernel k;
    const std::int64_t blocks = 5000;
    auto source = k.source(
        1, [](const Dim3& b) { return b.x == 3030 || b.x == 1010 ? 900 : 4 + b.x * 7 % 5; }, all_lanes,
        [](const Dim3& b) { return 128 * (b.x * b.x % 61); });
    FoldOptions options;
    options.data_decides = true;
    options.whole_grid_work = 6'000'000;  // all can be executed, and not all be kept
    options.max_weight = options.max_strata_weight = 3000;
    const auto program = fold_program(source, launch_of({blocks, 1, 1}, 32, 1), options);
    CHECK(program.variants.size() < 100);
    CHECK(covered(program) == blocks);
    const auto longest = std::find_if(program.variants.begin(), program.variants.end(), [](const auto& v) {
        return v.blocks.contains({3030, 0, 0});
    });
    REQUIRE(longest != program.variants.end());
    CHECK(longest->blocks.count() == 1);
    CHECK(expand(program, {3030, 0, 0})[0].size() > 1800);
    CHECK(expand(program, {3031, 0, 0})[0].size() < 100);
}

TEST_CASE("blocks that stand for others do what they do on average, and differ as much", "[unit][fold]") {
    GridKernel k;
    const std::int64_t blocks = 5000;
    // a sixth of the blocks are long, in no order, and none is of middle length
    const auto trips = [](const Dim3& b) { return 10 + (b.x * b.x % 61 < 10 ? 300 : 10 * (b.x * 31 % 5)); };
    auto source = k.source(1, trips, all_lanes, [](const Dim3& b) { return 128 * (b.x * b.x % 61); });
    FoldOptions options;
    options.data_decides = true;
    options.whole_grid_work = 6'000'000;
    options.max_weight = options.max_strata_weight = 3000;
    const auto program = fold_program(source, launch_of({blocks, 1, 1}, 32, 1), options);
    double instructions = 0, squares = 0, exact = 0, exact_squares = 0;
    for (const auto& variant : program.variants) {
        const auto count = static_cast<double>(variant.blocks.count());
        const auto length = static_cast<double>(expand(program, variant.blocks.begin)[0].size());
        instructions += count * length;
        squares += count * length * length;
    }
    for (std::int64_t b = 0; b < blocks; ++b) {
        const double length = 3 + 2 * static_cast<double>(trips({b, 0, 0}));
        exact += length;
        exact_squares += length * length;
    }
    CHECK(instructions == Approx(exact).epsilon(0.05));
    // and they differ from one another as much: neighbours' mean in each place of theirs would be alike
    const auto spread = [](double sum, double sum_of_squares) {
        return std::sqrt(sum_of_squares / blocks - sum * sum / blocks / blocks);
    };
    CHECK(spread(instructions, squares) == Approx(spread(exact, exact_squares)).epsilon(0.2));
    CHECK(program.some_stand_for_all);
}

TEST_CASE("blocks looked at until the effort is spent lie in all of the grid", "[unit][fold]") {
    GridKernel k;
    const Dim3 grid{128, 48, 1};
    // light at the left edge, heavy in the rows above, next to nothing in those below
    const auto trips = [](const Dim3& b) { return b.x == 0 ? 5 : b.y < 16 ? 900 + b.x * 7 % 90 : 20; };
    auto source = k.source(1, trips, all_lanes, [](const Dim3& b) { return 128 * (b.x * b.x % 61); });
    FoldOptions options;
    options.data_decides = true;
    options.whole_grid_work = 1'500'000;  // not all can be executed
    options.max_weight = 600'000;
    const auto program = fold_program(source, launch_of(grid, 32, 1), options);
    double instructions = 0, exact = 0;
    for (const auto& variant : program.variants) {
        instructions += static_cast<double>(variant.blocks.count()) *
                        static_cast<double>(expand(program, variant.blocks.begin)[0].size());
    }
    for (std::int64_t y = 0; y < grid.y; ++y) {
        for (std::int64_t x = 0; x < grid.x; ++x) {
            exact += 3 + 2 * static_cast<double>(trips({x, y, 0}));
        }
    }
    CHECK(instructions == Approx(exact).epsilon(0.25));
}

TEST_CASE("thread instructions count active lanes", "[unit][fold]") {
    CodeWriter c;
    c.ffma(0, 1, 2);
    c.branch();
    const int rest = c.ffma(0, 1, 2);
    c.branch();
    ScriptedSource source(c.code, 2, [&](const Dim3&, int, WarpScript& s) {
        s.run(0, rest);
        s.set_active(0xffU);
        s.run(rest, c.size());
    });
    const auto program = fold_program(source, launch_of({3, 1, 1}, 64, 0));
    double lanes = 0;
    for (const auto& segment : std::get<Interval>(program.body.front()).segments) {
        lanes += segment.lane_ops[static_cast<std::size_t>(OpClass::ffma)];
    }
    CHECK(lanes == 1.25);
    CHECK(program.flops == 3 * 2 * 2 * (32 + 8));
}
