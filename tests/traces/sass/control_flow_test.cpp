// Blocks and loops of small programs whose flow is plain to see.
#include <catch2/catch.hpp>

#include "traces/sass/analysis/instruction_counts.h"
#include "traces/sass/reader/sass_reader.h"

using namespace gpumodel;

namespace {

// One instruction per line, 16 bytes each from address 0.
SassFunction program(const std::vector<std::string>& lines, const std::string& arch = "sm_80") {
    std::string text = "code for " + arch + "\nFunction : f\n";
    for (std::size_t i = 0; i < lines.size(); ++i) {
        text +=
            "/*" + std::string(i < 16 ? "00" : "0") + "0123456789abcdef"[i % 16] + "0*/ " + lines[i] + " ;\n";
    }
    return read_sass(text, "t").functions.at(0);
}

}  // namespace

TEST_CASE("flow: straight line", "[sass][flow]") {
    const auto flow = control_flow(program({"MOV R1, R2", "EXIT"}));
    CHECK(flow.blocks.size() == 1);
    CHECK(flow.loops.empty());
}

TEST_CASE("flow: nested loops", "[sass][flow]") {
    const auto function = program({"MOV R0, RZ",                 // 00
                                   "LDG.E R1, [R2.64]",          // 10 outer
                                   "FFMA R4, R1, R1, R4",        // 20 inner
                                   "FFMA R5, R1, R1, R5",        // 30
                                   "@P0 BRA 0x20",               // 40
                                   "IADD3 R0, R0, 0x1, RZ",      // 50
                                   "@P1 BRA 0x10",               // 60
                                   "EXIT", "BRA 0x80", "NOP"});  // 70, padding
    const auto flow = control_flow(function);
    REQUIRE(flow.loops.size() == 2);
    CHECK(flow.loops[0].parent == -1);
    CHECK(flow.loops[1].parent == 0);
    CHECK(flow.loops[1].depth == 2);
    CHECK(flow.irreducible_edges == 0);
    CHECK(loop_span(function, flow, flow.loops[0]).first_address == 0x10);
    CHECK(loop_span(function, flow, flow.loops[0]).last_address == 0x60);
    CHECK(loop_span(function, flow, flow.loops[1]).last_address == 0x40);
    const auto counts = count_instructions(function, flow);
    CHECK(counts.total.total == 8);  // without the padding behind EXIT
    CHECK(counts.loops[0].own.total == 3);
    CHECK(counts.loops[0].whole.of(OpClass::ffma) == 2);
    CHECK(counts.loops[1].own.total == 3);
    CHECK(counts.outside_loops.total == 2);
    CHECK_FALSE(counts.total.stall_cycles.has_value());  // no encodings
}

TEST_CASE("flow: two back edges to one header are one loop", "[sass][flow]") {
    const auto flow =
        control_flow(program({"MOV R0, RZ", "@P0 BRA 0x30", "@P1 BRA 0x10", "@P2 BRA 0x10", "EXIT"}));
    REQUIRE(flow.loops.size() == 1);
    CHECK(flow.loops[0].back_sources.size() == 2);
}

TEST_CASE("flow: a guarded CALL.REL.NOINC skips the back branch", "[sass][flow]") {
    const auto flow = control_flow(
        program({"MOV R0, RZ", "IADD3 R0, R0, 0x1, RZ", "@!P0 CALL.REL.NOINC 0x40", "BRA 0x10", "EXIT"}));
    REQUIRE(flow.loops.size() == 1);
    CHECK(flow.blocks.back().reachable);
}

TEST_CASE("flow: two entries into a cycle are no natural loop", "[sass][flow]") {
    const auto flow =
        control_flow(program({"@P0 BRA 0x20", "MOV R1, R2", "MOV R1, R3", "@P1 BRA 0x10", "EXIT"}));
    CHECK(flow.loops.empty());
    CHECK(flow.irreducible_edges == 1);
}

TEST_CASE("flow: convergence barriers lead to their target", "[sass][flow]") {
    // The guarded branch jumps over; BSYNC joins at 0x50.
    const auto volta =
        program({"BSSY B0, 0x50", "@P0 BRA 0x30", "MOV R1, R2", "MOV R3, R4", "BSYNC B0", "EXIT"});
    const auto flow = control_flow(volta);
    const auto& last = flow.blocks.back();
    CHECK(volta.instructions[last.begin].opcode == "EXIT");
    CHECK(last.predecessors.size() == 1);
    // Kepler: @P0 NOP.S leaves for the target, the others go on.
    const auto kepler = program({"NOP", "SSY 0x40", "@P0 NOP.S", "MOV.S R1, R2", "EXIT"}, "sm_35");
    const auto kepler_flow = control_flow(kepler);
    CHECK(kepler_flow.blocks.back().reachable);
    CHECK(kepler_flow.blocks.back().predecessors.size() == 2);
    // Maxwell: SYNC leaves for it.
    const auto maxwell = program({"SSY 0x40", "@P0 SYNC", "MOV R1, R2", "SYNC", "EXIT"}, "sm_52");
    const auto maxwell_flow = control_flow(maxwell);
    CHECK(maxwell_flow.blocks.back().reachable);
    CHECK(maxwell_flow.blocks.back().predecessors.size() == 2);
}

TEST_CASE("flow: indirect branches are counted, not followed", "[sass][flow]") {
    const auto flow = control_flow(program({"BRX R2 -0x10", "MOV R1, R2", "EXIT"}));
    CHECK(flow.indirect_branches == 1);
    CHECK_FALSE(flow.blocks.back().reachable);
}

TEST_CASE("flow: a long chain of loops does not exhaust the stack", "[sass][flow]") {
    std::string text = "code for sm_80\nFunction : f\n";
    constexpr int loops = 20000;
    for (int i = 0; i <= loops; ++i) {
        char line[64];
        const int at = 16 * i;
        std::snprintf(line, sizeof line, i < loops ? "/*%x*/ @P0 BRA 0x%x ;\n" : "/*%x*/ EXIT ;\n", at, at);
        text += line;
    }
    CHECK(control_flow(read_sass(text, "t").functions.at(0)).loops.size() == loops);
}
