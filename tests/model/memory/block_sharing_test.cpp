// What blocks of one SM share in L1, against cases counted by hand.
#include "model/memory/block_sharing.h"

#include <catch2/catch.hpp>

using namespace gpumodel;

TEST_CASE("blocks of an SM share data as often as blocks drawn at random", "[memory][unit]") {
    const Dim3 grid{2, 2, 1};
    const auto waves = deal_blocks(4, 3, 2);  // two SMs hold one block, one holds two
    // pairs of 4 blocks: 6; of one column: 2
    CHECK(blocks_that_share(grid, {128, 0, 0}, waves) == Approx(2.0 / 6));
    CHECK(blocks_that_share(grid, {0, 0, 0}, waves) == Approx(1));
    CHECK(blocks_that_share(grid, {128, 256, 0}, waves) == Approx(0));
    // three of four on one SM, of two columns: two distinct ones always
    CHECK(blocks_that_share(grid, {128, 0, 0}, deal_blocks(4, 1, 4)) == Approx(4 - 2));
}

TEST_CASE("blocks share nothing that are alone on their SM or out of step", "[memory][unit]") {
    CHECK(blocks_that_share({2, 2, 1}, {0, 0, 0}, deal_blocks(4, 4, 2)) == 0);
    CHECK(blocks_that_share({2, 4, 1}, {0, 0, 0}, deal_blocks(8, 3, 2)) == 0);  // 8 blocks, room for 6
}
