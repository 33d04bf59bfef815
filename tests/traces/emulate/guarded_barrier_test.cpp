// Barriers under a guard: one that no lane passes is an instruction like others.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "traces/emulate/prepare/program_from_sass.h"
#include "traces/sass/reader/sass_reader.h"

namespace guarded_barrier_test {

using namespace gpumodel;

namespace {

std::int64_t barriers(const std::vector<Node>& nodes) {
    std::int64_t count = 0;
    for (const auto& node : nodes) {
        if (const auto* loop = std::get_if<Loop>(&node)) {
            count += loop->trips * barriers(loop->body);
        } else {
            count += std::get<Interval>(node).barrier_after ? 1 : 0;
        }
    }
    return count;
}

std::int64_t barriers_of(const std::vector<std::string>& lines) {
    std::string text = "\tcode for sm_90\n\t\tFunction : f\n";
    for (std::size_t i = 0; i < lines.size(); ++i) {
        text += fmt::format("        /*{:04x}*/ {} ;\n", 16 * i, lines[i]);
    }
    SassLaunch launch;
    launch.block = {64, 1, 1};
    const auto module = read_sass(text + "\t\t....\n", "test");
    return barriers(program_from_sass(module.functions.front(), launch).body);
}

}  // namespace

TEST_CASE("a barrier that no lane passes is none", "[emulate]") {
    // twelve trips, of which each fourth ends in the barrier
    const auto loop = [](const std::string& guard) {
        return std::vector<std::string>{"MOV R0, RZ",
                                        "LOP3.LUT R1, R0, 0x3, RZ, 0xc0, !PT",
                                        "ISETP.NE.AND P0, PT, R1, 0x3, PT",
                                        "IADD3 R0, R0, 0x1, RZ",
                                        guard + "BAR.SYNC.DEFER_BLOCKING 0x0",
                                        "ISETP.GE.AND P1, PT, R0, 0xc, PT",
                                        "@!P1 BRA 0x10",
                                        "EXIT"};
    };
    CHECK(barriers_of(loop("")) == 12);
    CHECK(barriers_of(loop("@!P0 ")) == 3);
    CHECK(barriers_of(loop("@P0 ")) == 9);
    CHECK(barriers_of({"ISETP.NE.AND P0, PT, RZ, RZ, PT", "@P0 BAR.SYNC 0x0", "BAR.SYNC 0x0", "EXIT"}) == 1);
}

TEST_CASE("a barrier that some lanes of a warp pass is one", "[emulate]") {
    CHECK(barriers_of(
              {"S2R R0, SR_TID.X", "ISETP.LT.AND P0, PT, R0, 0x30, PT", "@P0 BAR.SYNC 0x0", "EXIT"}) == 1);
}

}  // namespace guarded_barrier_test
