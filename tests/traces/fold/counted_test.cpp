// Blocks that count through rows and columns by remainders of their index.
#include <catch2/catch.hpp>

#include "tests/traces/fold/expand.h"
#include "tests/traces/fold/grid_kernel.h"
#include "traces/fold/fold_program.h"

using namespace gpumodel;

namespace {

Dim3 block_at(const Dim3& grid, std::int64_t index) {
    return {index % grid.x, index / grid.x % grid.y, index / (grid.x * grid.y)};
}

// Blocks whose accesses are not what the source executes in the block of the same index.
int wrong_blocks(const KernelProgram& program, ScriptedSource& source, const LaunchContext& launch) {
    int wrong = 0;
    for (std::int64_t i = 0; i < launch.grid.count(); ++i) {
        wrong +=
            expand(program, block_at(program.grid, i)) != execute(source, launch, block_at(launch.grid, i));
    }
    return wrong;
}

FoldOptions few_blocks() {
    FoldOptions options;
    options.whole_grid_work = 0;
    return options;
}

std::int64_t place(std::int64_t row, std::int64_t column) {
    return 65536 * row + 4096 * column;
}

}  // namespace

TEST_CASE("tiles in groups of rows are a grid of three sides", "[unit][fold]") {
    GridKernel k;
    constexpr std::int64_t height = 8, columns = 20, groups = 5;  // Triton's and CUTLASS's orders for L2
    auto source = k.source(
        2, [](const Dim3&) { return 10; }, all_lanes,
        [](const Dim3& b) {
            const auto group = b.x / (height * columns), in_group = b.x % (height * columns);
            return place(group * height + in_group % height, in_group / height);
        });
    const auto launch = launch_of({height * columns * groups, 1, 1}, 64, 1);
    const auto program = fold_program(source, launch, few_blocks());
    CHECK(program.variants.empty());
    CHECK(program.grid == Dim3{height, columns, groups});
    CHECK(program.launch_grid() == launch.grid);
    CHECK(source.blocks_run < launch.grid.count());
    CHECK(wrong_blocks(program, source, launch) == 0);
    REQUIRE(program.notes.size() == 1);
    CHECK(program.notes[0].find("8 x 20 x 5") != std::string::npos);
}

TEST_CASE("a grid of two sides folds over the ends of its rows", "[unit][fold]") {
    GridKernel k;
    constexpr std::int64_t log = 2, columns = 100;
    auto source = k.source(
        1, [](const Dim3&) { return 3; }, all_lanes,
        [](const Dim3& b) { return place((b.y << log) + (b.x & ((1 << log) - 1)), b.x >> log); });
    const auto launch = launch_of({columns << log, 7, 1}, 32, 1);
    const auto program = fold_program(source, launch, few_blocks());
    CHECK(program.grid == Dim3{1 << log, columns, 7});
    CHECK(wrong_blocks(program, source, launch) == 0);
}

TEST_CASE("data that come round every few blocks do not go on for ever", "[unit][fold]") {
    GridKernel k;
    auto source = k.source(
        1, [](const Dim3&) { return 3; }, all_lanes, [](const Dim3& b) { return 1048576 * (b.x % 4); });
    const auto launch = launch_of({264, 1, 1}, 32, 1);
    const auto program = fold_program(source, launch, few_blocks());
    CHECK(program.grid == Dim3{4, 66, 1});
    CHECK(wrong_blocks(program, source, launch) == 0);
}

TEST_CASE("an edge inside a grid that is counted through is a variant of its own", "[unit][fold]") {
    GridKernel k;
    auto source = k.source(
        1, [](const Dim3& b) { return b.x / 288 == 3 ? 2 : 5; }, all_lanes,
        [](const Dim3& b) { return place(b.x % 6, b.x / 6); });
    const auto launch = launch_of({1152, 1, 1}, 32, 1);
    const auto program = fold_program(source, launch, few_blocks());
    CHECK(wrong_blocks(program, source, launch) == 0);
    CHECK(program.variants.size() == 2);
}

TEST_CASE("sides that do not divide the grid are not taken", "[unit][fold]") {
    GridKernel k;
    auto source = k.source(
        1, [](const Dim3&) { return 3; }, all_lanes, [](const Dim3& b) { return 1048576 * (b.x % 7); });
    const auto launch = launch_of({100003, 1, 1}, 32, 1);
    const auto program = fold_program(source, launch, few_blocks());
    CHECK(program.grid == launch.grid);
    REQUIRE(!program.notes.empty());
    CHECK(program.notes[0].find("irregularly") != std::string::npos);
}
