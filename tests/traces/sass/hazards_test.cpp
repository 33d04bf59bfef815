// The compiler's control information must cover fixed latencies; a wrong bit field or cycle count breaks
// this.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "tests/support/listing_files.h"
#include "traces/sass/analysis/control_flow.h"

using namespace gpumodel;

namespace {

// Shortest distances, in cycles by the control information, from an FFMA to the next FFMA of the same block
// that reads its result; by distance, how often.
std::map<int, int> ffma_distances(const SassModule& module) {
    std::map<int, int> distances;
    for (const auto& function : module.functions) {
        for (const auto& block : control_flow(function).blocks) {
            std::map<int, int> written_at;  // register -> issue cycle of the FFMA that wrote it
            int now = 0;
            for (auto i = block.begin; block.reachable && i < block.end; ++i) {
                const auto& instruction = function.instructions[i];
                const bool ffma = instruction.opcode == "FFMA";
                for (std::size_t o = 1; ffma && o < instruction.operands.size(); ++o) {
                    const auto producer = written_at.find(instruction.operands[o].index);
                    if (instruction.operands[o].kind == OperandKind::reg && producer != written_at.end()) {
                        ++distances[now - producer->second];
                    }
                }
                const int results = instruction.effect ? instruction.effect->results : 0;
                for (int r = 0; r < results; ++r) {
                    const auto& result = instruction.operands[static_cast<std::size_t>(r)];
                    for (int w = 0; result.kind == OperandKind::reg && w < result.width; ++w) {
                        written_at.erase(result.index + w);
                    }
                    if (ffma && result.index != sass_rz) {
                        written_at[result.index] = now;
                    }
                }
                now += instruction.control.dual_issue ? 0 : std::max(1, instruction.control.stall);
            }
        }
    }
    return distances;
}

}  // namespace

// FFMA latency 4 cycles on Volta and later, 6 on Maxwell and Pascal, 9 on Kepler (Jia et al. 2018, table 4.1;
// Zhang et al. 2017).
TEST_CASE("hazards: FFMA results are never used before they are there", "[sass][listings]") {
    for (const auto& arch : listing_archs) {
        const auto distances = ffma_distances(listing(arch));
        INFO(arch);
        REQUIRE(!distances.empty());
        const bool maxwell = arch == "sm_50" || arch == "sm_61";
        const int latency = arch == "sm_35" ? 9 : maxwell ? 6 : 4;
        CHECK(distances.begin()->first == latency);  // and the compiler does use the shortest one
    }
}

TEST_CASE("hazards: dual-issue marks never stand last in a group of seven", "[sass][listings]") {
    int pairs = 0;
    int ffma_marks = 0;
    int ffmas = 0;
    for (const auto& function : listing("sm_35").functions) {
        for (const auto& instruction : function.instructions) {
            const auto position = instruction.address % 64 / 8;
            pairs += instruction.control.dual_issue ? 1 : 0;
            ffmas += instruction.opcode == "FFMA" ? 1 : 0;
            ffma_marks += instruction.opcode == "FFMA" && instruction.control.dual_issue ? 1 : 0;
            if (instruction.control.dual_issue) {
                CHECK(position != 7);
            }
        }
    }
    CHECK(pairs > 1000);
    // Compiled GEMMs carry the mark on 6 to 42 % of their FFMAs.
    CHECK(ffma_marks > 6 * ffmas / 100);
    CHECK(ffma_marks < 42 * ffmas / 100);
}
