// QSPC: which space a generic address points to.
#include <catch2/catch.hpp>

#include "tests/traces/emulate/opcode_runner.h"

TEST_CASE("the space of a generic address") {
    const std::vector<std::string> address{"MOV R2, c[0x0][0x18]", "MOV R3, c[0x0][0x1c]"};
    for (const auto& [query, expected] : {std::pair{"QSPC.E.S P0, RZ, [R2]", 1U},
                                          {"QSPC.E.D P0, RZ, [R2]", 1U},  // a part of the cluster's
                                          {"QSPC.E.L P0, RZ, [R2]", 0U},
                                          {"QSPC.E.G P0, RZ, [R2]", 0U}}) {
        auto lines = address;
        lines.insert(lines.end(), {query, "SEL R4, RZ, 0x1, !P0"});
        CHECK(run_lines("sm_80", lines)[3] == expected);
    }
}
