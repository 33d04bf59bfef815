// Who shares a half of the L2, and what that makes of its room.
#include "model/memory/l2_halves.h"

#include <catch2/catch.hpp>

using namespace gpumodel;

namespace {

ArchSpec halved(int halves) {
    ArchSpec arch;
    arch.sm_count = 64;
    arch.l2.halves = halves;
    arch.l2.sms_per_half_run = 16;
    return arch;
}

constexpr Dim3 grid{8, 8, 1};

}  // namespace

TEST_CASE("consecutive blocks go to one half, then to the other, and again in the next wave", "[l2_halves]") {
    const L2Halves halves(halved(2), 4096);
    CHECK(halves.of_block(0) == 0);
    CHECK(halves.of_block(15) == 0);
    CHECK(halves.of_block(16) == 1);
    CHECK(halves.of_block(32) == 0);
    CHECK(halves.of_block(64) == 0);
    CHECK(halves.of_block(64 + 16) == 1);
    CHECK(L2Halves(halved(1), 4096).of_block(16) == 0);
}

TEST_CASE("a half holds what its SMs read and what passes through it", "[l2_halves]") {
    const L2Halves halves(halved(2), 4096);
    // all blocks read the same: whole in both
    CHECK(room_of_read_byte(halves, grid, 64, {false, false, false}) == 1);
    // columns: every half's blocks meet all of them
    CHECK(room_of_read_byte(halves, grid, 64, {true, false, false}) == 1);
    // rows of eight blocks: each lies in one half, and half of it is at home in the other
    CHECK(room_of_read_byte(halves, grid, 64, {false, true, false}) == 0.75);
    CHECK(room_of_read_byte(halves, grid, 64, {true, true, false}) == 0.75);
    CHECK(room_of_read_byte(L2Halves(halved(1), 4096), grid, 64, {true, true, false}) == 1);
}
