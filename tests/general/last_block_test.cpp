// A launch of several waves in which one block, of the second, takes six times as long as all others: it ends
// with that block, whatever its SM's other blocks have to do. Judged by the block alone.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "arch_specs/loader.h"
#include "model/sim/simulate.h"
#include "tests/support/sass_lines.h"
#include "traces/emulate/prepare/program_from_sass.h"

namespace last_block_test {

using namespace gpumodel;

// Block b counts down from 100, from 600 where word b + base of the first argument is 5000.
SassModule countdown() {
    const std::vector<std::string> lines{"LDC.64 R2, c[0x0][0x210]",
                                         "S2R R0, SR_CTAID.X",
                                         "IADD3 R0, R0, c[0x0][0x218], RZ",
                                         "IMAD.WIDE R6, R0, 0x4, R2",
                                         "LDG.E R4, [R6]",
                                         "ISETP.NE.AND P1, PT, R4, 0x1388, PT",
                                         "MOV R5, 0x258",
                                         "@P1 MOV R5, 0x64",
                                         "IADD3 R5, R5, -0x1, RZ",
                                         "ISETP.NE.AND P0, PT, R5, RZ, PT",
                                         "@P0 BRA 0x80",
                                         "EXIT"};
    return test::module_of(lines);
}

double cycles(std::int64_t blocks, int base) {
    static const auto module = countdown();
    SassLaunch launch;
    launch.grid = {blocks, 1, 1};
    launch.block = {32, 1, 1};
    launch.arguments = parse_arguments(fmt::format("ptr:128KiB=iota,{}", base));
    return simulate(program_from_sass(module.functions.front(), launch), load_arch("h200_sxm"), {}).cycles;
}

TEST_CASE("a launch of several waves ends with a block that takes long", "[general]") {
    const double alone = cycles(1, 5000);
    const double others = cycles(6000, 10000);  // 4224 of them at once
    CHECK(others < alone);
    const double all = cycles(6000, 0);
    CHECK(all > alone);
    CHECK(all < alone + others);
}

// Block b counts down from 120; where word b + base of the first argument is 5000, it follows 60 loads
// instead, of which each waits for the one before: fewer instructions, more time.
double cycles_with_a_chain(std::int64_t blocks, int base) {
    static const auto module = test::module_of(
        {"LDC.64 R2, c[0x0][0x210]", "S2R R0, SR_CTAID.X", "IADD3 R0, R0, c[0x0][0x218], RZ",
         "IMAD.WIDE R6, R0, 0x4, R2", "LDG.E R4, [R6]", "ISETP.NE.AND P1, PT, R4, 0x1388, PT", "@P1 BRA 0xe0",
         "MOV R5, 0x3c", "LDG.E.STRONG.GPU R4, [R6]", "IMAD.WIDE R6, R4, 0x4, R2", "IADD3 R5, R5, -0x1, RZ",
         "ISETP.NE.AND P0, PT, R5, RZ, PT", "@P0 BRA 0x80", "EXIT", "MOV R5, 0x78", "IADD3 R5, R5, -0x1, RZ",
         "ISETP.NE.AND P0, PT, R5, RZ, PT", "@P0 BRA 0xf0", "EXIT"});
    SassLaunch launch;
    launch.grid = {blocks, 1, 1};
    launch.block = {32, 1, 1};
    launch.arguments = parse_arguments(fmt::format("ptr:128KiB=iota,{}", base));
    return simulate(program_from_sass(module.functions.front(), launch), load_arch("h200_sxm"), {}).cycles;
}

TEST_CASE("a launch ends with the block that waits longest, whatever others execute", "[general]") {
    const double alone = cycles_with_a_chain(1, 5000);
    const double others = cycles_with_a_chain(4000, 10000);
    CHECK(others < alone / 2);
    const double all = cycles_with_a_chain(4000, 4000);  // all at once
    CHECK(all > 0.95 * alone);
    CHECK(all < alone + others);
}

}  // namespace last_block_test
