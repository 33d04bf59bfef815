// Calls of code that is not in the listing, and loops that never end.
#include <catch2/catch.hpp>

#include "tests/traces/emulate/opcode_runner.h"
#include "tests/traces/emulate/recording_sink.h"
#include "traces/emulate/sass_block_source.h"

using namespace gpumodel;

namespace {

struct Run {
    std::int64_t instructions = 0;
    std::vector<std::string> notes;
};

Run run(const SassFunction& function, bool allow_unknown, std::int64_t threads = 32) {
    SassLaunch launch;
    launch.block = {threads, 1, 1};
    launch.allow_unknown = allow_unknown;
    launch.arguments = parse_arguments("ptr");
    const auto source = make_sass_source(function, launch);
    RecordingSink sink(source->code());
    source->run_block({0, 0, 0}, sink);
    return {sink.warp_instructions[0], source->notes()};
}

}  // namespace

TEST_CASE("a call that leaves the entry is named, or stepped over") {
    const std::vector<std::pair<std::string, std::vector<std::string>>> listings{
        {"sm_70", {"MOV R4, 0x1", "CALL.ABS.NOINC 0x0", "EXIT"}},
        {"sm_86", {"MOV R4, 0x1", "CALL.REL.NOINC 0x0", "EXIT"}},
        {"sm_80", {"MOV R4, 0x1", "CALL.ABS.NOINC R2", "EXIT"}},
        {"sm_35", {"MOV R4, R5", "JCAL 0x0", "EXIT"}},
        {"sm_35", {"MOV R4, R5", "CAL 0x4000", "EXIT"}}};
    for (const auto& [arch, lines] : listings) {
        INFO(arch << " " << lines[1]);
        const auto function = assemble(arch, lines);
        CHECK_THROWS_WITH(run(function, false),
                          Catch::Contains(arch == "sm_35" ? "0x0008: " : "0x0010: ") &&
                              Catch::Contains(lines[1].substr(0, lines[1].find(' ')) + " calls ") &&
                              Catch::Contains("--allow-unknown"));
        const auto stepped = run(function, true);
        CHECK(stepped.instructions == 3);
        REQUIRE(stepped.notes.size() == 1);
        CHECK_THAT(stepped.notes[0], Catch::Contains("stepped over"));
    }
    // never reached: no fault
    CHECK_NOTHROW(run(assemble("sm_70", {"EXIT", "CALL.ABS.NOINC 0x0", "EXIT"}), false));
}

TEST_CASE("calls inside the function return behind themselves") {
    // JCAL takes an address as CAL does a distance
    for (const char* call : {"JCAL 0x18", "CAL 0x18"}) {
        const auto function = assemble("sm_35", {call, "NOP", "EXIT", "NOP", "RET"});
        CHECK(run(function, false).instructions == 5);
    }
}

TEST_CASE("a loop in which nothing changes is refused at once") {
    // waits for a value in device memory
    const auto spin = assemble("sm_80", {"MOV R2, RZ", "MOV R3, 0x100", "LDG.E R0, [R2.64]",
                                         "ISETP.NE.AND P0, PT, R0, 0x5, PT", "@P0 BRA 0x20", "EXIT"});
    CHECK_THROWS_WITH(run(spin, false, 256), Catch::Contains("0x0020: is in an endless loop") &&
                                                 Catch::Contains("device memory reads as zero"));
    // one lane never comes to where the others wait
    const auto diverged =
        assemble("sm_80", {"S2R R0, SR_TID.X", "ISETP.NE.AND P0, PT, R0, RZ, PT", "BSSY B0, 0x50",
                           "@P0 BRA 0x50", "BRA 0x40", "BSYNC B0", "EXIT"});
    CHECK_THROWS_WITH(run(diverged, false), Catch::Contains("endless loop"));
    // warp 1 stores what warp 0 waits for in a loop without a YIELD
    const auto handshake = assemble(
        "sm_80", {"S2R R0, SR_TID.X", "ISETP.GE.AND P0, PT, R0, 0x20, PT", "@P0 STS [0x10], R0", "@P0 EXIT",
                  "LDS R1, [0x10]", "ISETP.EQ.AND P1, PT, R1, RZ, PT", "@P1 BRA 0x40", "EXIT"});
    CHECK_NOTHROW(run(handshake, false, 64));
    // a long loop that counts is no endless one
    const auto counts = assemble("sm_80", {"MOV R0, RZ", "IADD3 R0, R0, 0x1, RZ",
                                           "ISETP.NE.AND P0, PT, R0, 0x4e20, PT", "@P0 BRA 0x10", "EXIT"});
    CHECK(run(counts, false).instructions == 1 + 3 * 20000 + 1);
}
