// Votes of tiles of a warp, as CUDA 13 compiles __ballot_sync with a mask that differs between lanes: BRA.DIV
// sends all of them to WARPSYNC.COLLECTIVE, which serves the lanes of one mask after the other (seen in
// validate/recorder/mixed/mixed_l.cu, bucket_hash_probe_tile8).
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tests/support/sass_lines.h"
#include "traces/emulate/sass_block_source.h"

using namespace gpumodel;

namespace {

// Each lane stores the ballot of its tile, of lanes whose number times seven has bit 2 set; tiles are the
// lanes whose numbers are alike in the bits of `same`.
SassModule tile_ballot(int same, std::uint32_t tile) {
    return test::module_of({"LDC.64 R2, c[0x0][0x210]",
                            "S2R R6, SR_TID.X",
                            fmt::format("LOP3.LUT R0, R6, {:#x}, RZ, 0xc0, !PT", same),
                            fmt::format("MOV R4, {:#x}", tile),
                            "SHF.L.U32 R0, R4, R0, RZ",
                            "IMAD R5, R6, 0x7, RZ",
                            "LOP3.LUT R5, R5, 0x4, RZ, 0xc0, !PT",
                            "ISETP.NE.AND P0, PT, R5, RZ, PT",
                            "IMAD.WIDE R2, R6, 0x4, R2",
                            "REDUX.OR UR6, R0",
                            "R2UR P1, URZ, R0",
                            "@!P1 BRA.DIV UR6, 0xf0",
                            "VOTE.ANY R8, PT, P0",
                            "STG.E [R2], R8",
                            "EXIT",
                            "BSSY B2, 0x140",
                            "WARPSYNC.COLLECTIVE R0, 0x130",
                            "VOTE.ANY R8, PT, P0",
                            "ENDCOLLECTIVE",
                            "BSYNC B2",
                            "BRA 0xd0"});
}

std::vector<std::uint32_t> ballots(const SassModule& module) {
    SassLaunch launch;
    launch.grid = {1, 1, 1};
    launch.block = {32, 1, 1};
    launch.arguments = parse_arguments("ptr:128B=zeros");
    const auto arrays = execute_grid(module.functions.front(), launch, nullptr);
    std::vector<std::uint32_t> words(32);
    std::memcpy(words.data(), arrays.front().bytes.data(), sizeof(words[0]) * words.size());
    return words;
}

std::uint32_t expected(unsigned lane, unsigned same) {
    std::uint32_t votes = 0;
    for (unsigned other = 0; other < 32; ++other) {
        if ((other & same) == (lane & same) && (other * 7 & 4) != 0) {
            votes |= std::uint32_t{1} << other;
        }
    }
    return votes;
}

}  // namespace

TEST_CASE("lanes of a tile vote among themselves", "[emulate]") {
    for (const auto& [same, tile] : std::vector<std::pair<unsigned, std::uint32_t>>{
             {0x10, 0xffff}, {0x18, 0xff}, {0x1c, 0xf}, {0x1e, 0x3}, {0, 0xffffffff}}) {
        const auto found = ballots(tile_ballot(static_cast<int>(same), tile));
        for (unsigned lane = 0; lane < 32; ++lane) {
            INFO(same << " lane " << lane);
            CHECK(found[lane] == expected(lane, same));
        }
    }
}
