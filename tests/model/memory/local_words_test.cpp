// Wide accesses to local memory: a lane's words lie a warp's width apart (CUDA programming guide, device
// memory accesses), so that lanes whose offsets differ share fewer sectors than as many bytes elsewhere.
#include <catch2/catch.hpp>
#include <set>

#include "model/memory/banks/bank_conflicts.h"
#include "model/memory/coalescing/coalescing.h"

using namespace gpumodel;

namespace {

// Lanes of the mask, each at a 16-byte entry of its own stack.
WarpAccess at_depths(std::uint32_t active, int deeper_every) {
    WarpAccess access;
    access.active = active;
    access.bytes_per_lane = 16;
    access.local = true;
    for (int lane = 0; lane < 32; ++lane) {
        const int entry = lane / deeper_every, word = entry * 4;
        access.address[static_cast<std::size_t>(lane)] = word * 128 + lane * 4;
    }
    return access;
}

// Each byte by itself.
std::size_t sectors_by_bytes(const WarpAccess& access) {
    std::set<std::int64_t> sectors;
    for (int lane = 0; lane < 32; ++lane) {
        for (int byte = 0; access.is_active(lane) && byte < 16; ++byte) {
            const auto first = access.address[static_cast<std::size_t>(lane)];
            sectors.insert((first + byte / 4 * 128 + byte % 4) / 32);
        }
    }
    return sectors.size();
}

}  // namespace

TEST_CASE("sectors of wide local accesses are those of their words", "[unit][memory]") {
    for (const std::uint32_t active : {0xffffffffU, 0x1U, 0x11U, 0x80000001U, 0x0f0f1234U}) {
        for (const int deeper_every : {32, 8, 5, 1}) {
            const auto access = at_depths(active, deeper_every);
            INFO(active << " " << deeper_every);
            const auto seen = analyse_coalescing(access, CoalescingRule::cc6_x, GlobalPath::l1_cached);
            CHECK(static_cast<std::size_t>(seen.sectors) == sectors_by_bytes(access));
            CHECK(seen.requests == 1);
        }
    }
    // one lane alone: four sectors where 16 bytes elsewhere are one
    CHECK(analyse_coalescing(at_depths(1, 32), CoalescingRule::cc6_x, GlobalPath::l1_cached).sectors == 4);
    CHECK(analyse_coalescing(at_depths(~0U, 32), CoalescingRule::cc6_x, GlobalPath::l1_cached).sectors == 16);
}
