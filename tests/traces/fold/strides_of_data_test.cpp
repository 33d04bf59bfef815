// Blocks that one of them stands for, where data decide what blocks do.
#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "traces/fold/grid/data_strides.h"

namespace data_strides_test {

using namespace gpumodel;

namespace {

// Of one warp: instruction and first lane's address of each access.
FoldedBlock block_of(const std::vector<std::pair<int, std::int64_t>>& accesses, int pattern = 0) {
    FoldedWarp warp;
    for (const auto& [instruction, base] : accesses) {
        PathAccess access;
        access.instruction = instruction;
        warp.accesses.push_back(access);
        warp.base.push_back(base);
        warp.pattern.push_back(pattern);
    }
    FoldedBlock block;
    block.warps.push_back(warp);
    return block;
}

GridBox box_of(std::int64_t begin, std::int64_t blocks, std::int64_t base, std::int64_t stride) {
    GridBox box;
    box.blocks = {{begin, 0, 0}, {begin + blocks, 1, 1}};
    box.first = std::make_shared<FoldedBlock>(block_of({{1, base - stride * (blocks / 2)}}));
    box.strides = {{{stride, 0, 0}}};
    box.by_data = {true, false, false};
    box.executed = {blocks / 2, 0, 0};
    return box;
}

// Where the instruction goes in the box's block `b`.
std::int64_t address(const GridBox& box, std::int64_t b) {
    return box.first->warps[0].base[0] + b * box.strides[0][0][0];
}

}  // namespace

TEST_CASE("a row's accesses move with the rows, whatever their number", "[fold]") {
    const auto block = block_of({{1, 1000}, {2, 4096}, {2, 4224}, {3, 64}});
    const auto next = block_of({{1, 1004}, {2, 8192}, {3, 64}});
    WarpStrides strides{std::vector<BlockStride>(4)};
    match_accesses(block, next, 0, Moving::all, strides);
    CHECK(strides[0][0][0] == 4);
    CHECK(strides[0][1][0] == 4096);
    CHECK(strides[0][2][0] == 8192 - 4224);  // the row has no second turn: its last stands for it
    CHECK(strides[0][3][0] == 0);
    match_accesses(block, block_of({{1, 1050}}, 1), 0, Moving::all, strides);  // other lanes: whole sectors
    CHECK(strides[0][0][0] == 32);
    // where no data decide, orders of tiles stand still, but not what stores beside addresses that differ
    WarpStrides still{std::vector<BlockStride>(4)};
    match_accesses(block, next, 0, Moving::where_lanes_differ, still);
    CHECK(still[0][1][0] == 0);
    auto remapped = block_of({{1, 1050}, {2, 8192}}, 1);
    remapped.warps[0].pattern[1] = 0;
    match_accesses(block, remapped, 0, Moving::where_lanes_differ, still);
    CHECK(still[0][0][0] == 32);
    CHECK(still[0][1][0] == 4096);
}

// By each access's own distance two reads of a block that lie side by side would be 20 blocks on as far apart
// as twenty times the difference of their distances.
TEST_CASE("reads that lie otherwise in the next block move on together", "[fold]") {
    // rows of a banded matrix: each read somewhere near the row, rows 768 bytes further in the next block
    const auto block = block_of({{1, 10000}, {1, 9000}, {1, 11000}, {1, 10400}, {1, 9700}}, 0);
    const auto next = block_of({{1, 10000 + 768 + 900},
                                {1, 9000 + 768 - 500},
                                {1, 11000 + 768},
                                {1, 10400 + 768 - 800},
                                {1, 9700 + 768 + 100}},
                               1);
    WarpStrides strides{std::vector<BlockStride>(5)};
    match_accesses(block, next, 0, Moving::all, strides);
    for (const auto& stride : strides[0]) {
        CHECK(stride[0] == 768);
    }
}

TEST_CASE("reads that jump about do so in the blocks that one stands for", "[fold]") {
    const auto block = block_of({{1, 0}, {1, 1 << 20}, {1, 2 << 20}}, 0);
    const auto next = block_of({{1, 5 << 20}, {1, 7 << 20}, {1, 0}}, 1);
    WarpStrides strides{std::vector<BlockStride>(3)};
    match_accesses(block, next, 0, Moving::all, strides);
    CHECK(strides[0][0][0] == 5 << 20);
    CHECK(strides[0][1][0] == 6 << 20);
    CHECK(strides[0][2][0] == -(2 << 20));
}

TEST_CASE("what walks through an array with the blocks keeps its stride", "[fold]") {
    std::vector<GridBox> boxes;
    for (std::int64_t i = 0; i < 16; ++i) {
        boxes.push_back(box_of(64 * i, 64, 1024 * (64 * i + 32), 1024 + 512 * (i % 3)));
    }
    keep_inside(boxes);
    for (std::int64_t i = 0; i < 16; ++i) {
        CHECK(boxes[static_cast<std::size_t>(i)].strides[0][0][0] == 1024 + 512 * (i % 3));
    }
}

TEST_CASE("what walks through the rows of a plane keeps its stride along both sides", "[fold]") {
    constexpr std::int64_t columns = 64, rows = 256, wide = 256, tall = 16 * 64 * 256;
    std::vector<GridBox> boxes;
    for (std::int64_t y = 0; y < rows; y += 32) {
        auto box = box_of(0, columns, y * tall + columns / 2 * wide, wide);
        box.blocks = {{0, y, 0}, {columns, y + 32, 1}};
        box.strides = {{{wide, tall, 0}}};
        box.by_data = {true, true, false};
        boxes.push_back(box);
    }
    keep_inside(boxes);
    for (const auto& box : boxes) {
        CHECK(box.strides[0][0] == BlockStride{wide, tall, 0});
    }
}

TEST_CASE("what jumps at random stays in its array, and no two blocks read the same line", "[fold]") {
    constexpr std::int64_t array = std::int64_t{64} << 20;
    std::vector<GridBox> boxes;
    for (std::int64_t i = 0; i < 16; ++i) {
        const std::int64_t base = i * 7919 * 4096 % array;
        boxes.push_back(box_of(64 * i, 64, base, (i + 5) * 104729 * 128 % array - base));
    }
    keep_inside(boxes);
    for (std::int64_t i = 0; i < 16; ++i) {
        const auto& box = boxes[static_cast<std::size_t>(i)];
        CHECK(address(box, 32) == i * 7919 * 4096 % array);  // the block that was executed
        CHECK(box.strides[0][0][0] == 128);
    }
}

TEST_CASE("a table that all blocks read stays where it is", "[fold]") {
    std::vector<GridBox> boxes;
    for (std::int64_t i = 0; i < 16; ++i) {
        boxes.push_back(box_of(64 * i, 64, i * 12 % 1024, (i % 5 - 2) * 160));
    }
    keep_inside(boxes);
    for (const auto& box : boxes) {
        CHECK(box.strides[0][0][0] == 0);
    }
}

}  // namespace data_strides_test
