// Lines of an Accel-Sim trace, one by one.
#include <catch2/catch.hpp>

#include "base/diagnostics.h"
#include "traces/trace/accelsim/accelsim_reader.h"

namespace accelsim_lines_test {

using namespace gpumodel;

namespace {

const std::string folder = std::string(GPUMODEL_SOURCE_DIR) + "/tests/fuzz/corpus/accelsim/";

struct Run {
    int warp = 0, begin = 0, end = 0;
    std::uint32_t active = 0;
    friend bool operator==(const Run&, const Run&) = default;
};

class Recorder : public WarpSink {
public:
    void straight(int warp, int begin, int end, std::uint32_t active) override {
        runs.push_back({warp, begin, end, active});
    }
    void access(int /*warp*/, const AccessEvent& event) override { events.push_back(event); }
    std::vector<Run> runs;
    std::vector<AccessEvent> events;
};

// A trace of one warp with these instruction lines.
std::string text_of(const std::vector<std::string>& lines) {
    std::string text =
        "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n-nregs = 8\n"
        "-binary version = 70\n-shmem base_addr = 0x00007f3f00000000\n"
        "-local mem base_addr = 0x00007f3f80000000\n#traces format\n"
        "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = " +
        std::to_string(lines.size()) + "\n";
    for (const auto& line : lines) {
        text += line + "\n";
    }
    return text + "#END_TB\n";
}

AccessEvent event_of(const std::string& line) {
    const auto trace = open_accelsim_text(text_of({line}), "t", {{0x7f4100000000, 4096}});
    Recorder recorder;
    trace->run_block({0, 0, 0}, recorder);
    REQUIRE(recorder.events.size() == 1);
    return recorder.events[0];
}

std::string fault_of(const std::vector<std::string>& lines) {
    try {
        static_cast<void>(open_accelsim_text(text_of(lines), "t"));
    } catch (const InputError& error) {
        return to_string(error.diagnostics().at(0));
    }
    return "";
}

}  // namespace

TEST_CASE("Accel-Sim lines: address modes", "[accelsim]") {
    const auto list = event_of("0000 00000005 1 R4 LDG.E.SYS 1 R2 4 0 0x7f4100000010 0x7f4100000100 7 ");
    CHECK(list.active == 5);
    CHECK(list.array == 0);
    CHECK(list.address[0] == 0x10);
    CHECK(list.address[2] == 0x100);
    const auto stride = event_of("0000 00000070 0 STS 2 R2 R4 4 1 0x40 -8 0 ");
    CHECK(stride.space == MemorySpace::shared);
    CHECK(stride.address[4] == 0x40);
    CHECK(stride.address[6] == 0x30);
    // differences are to the previous active lane; one fewer than lanes, then the immediate
    const auto steps = event_of("0000 80000101 1 R4 LDG.E.SYS 1 R2 4 2 0x7f4100000000 256 -16 3 ");
    CHECK(steps.address[0] == 0);
    CHECK(steps.address[8] == 256);
    CHECK(steps.address[31] == 240);
    const auto single = event_of("0000 00000002 1 R4 LDG.E.SYS 1 R2 4 2 0x7f4100000008 0 ");
    CHECK(single.address[1] == 8);
    CHECK(event_of("0000 00000000 1 R4 LDG.E.SYS 1 R2 4 1 0x0 0 0 ").active == 0);
    CHECK(event_of("0000 00000002 1 R4 LDG.E.SYS 1 R2 4 2 0x7f4100000008").address[1] == 8);  // no immediate
}

TEST_CASE("Accel-Sim lines: spaces", "[accelsim]") {
    // generic accesses by window, a global address of 0 is none
    CHECK(event_of("0000 00000001 1 R4 LD.E.SYS 1 R2 4 2 0x7f3f00000020 0 ").space == MemorySpace::shared);
    CHECK(event_of("0000 00000001 1 R4 LD.E.SYS 1 R2 4 2 0x7f3f00000020 0 ").address[0] == 0x20);
    CHECK(event_of("0000 00000001 1 R4 LD.E.SYS 1 R2 4 2 0x7f3f80000020 0 ").space == MemorySpace::local);
    CHECK(event_of("0000 00000001 1 R4 LD.E.SYS 1 R2 4 2 0x7f4100000020 0 ").space == MemorySpace::global);
    CHECK(event_of("0000 00000003 1 R4 LDG.E.SYS 1 R2 4 0 0x0 0x7f4100000004 0 ").active == 2);
}

TEST_CASE("Accel-Sim lines: registers", "[accelsim]") {
    const auto trace =
        open_accelsim_text(text_of({"0000 ffffffff 1 R8 IMAD.WIDE 3 R1 R255 R4 0 0 ",
                                    "0010 ffffffff 1 R12 LDG.E.128.SYS 1 R8 16 1 0x7f4100000000 16 0 ",
                                    "0020 ffffffff 0 STS.64 2 R3 R12 8 1 0x0 8 0 "}),
                           "t");
    const auto& code = trace->code().instructions;
    REQUIRE(code.size() == 3);
    CHECK(code[0].op == OpClass::imad_wide);
    CHECK(code[0].results[0].width == 2);
    REQUIRE(code[0].source_count == 2);  // RZ costs nothing
    CHECK(code[0].sources[1].index == 4);
    CHECK(code[0].sources[1].slot == 2);
    CHECK(code[0].sources[1].width == 2);
    CHECK(code[1].results[0].width == 4);
    CHECK(code[1].sources[0].width == 2);  // a 64-bit address
    CHECK(code[1].access_bytes == 16);
    CHECK(code[2].result_count == 0);
    CHECK(code[2].sources[0].width == 1);
    CHECK(code[2].sources[1].width == 2);
    CHECK(code[2].address == 0x20);
}

TEST_CASE("Accel-Sim lines: guards and divergence", "[accelsim]") {
    const auto trace =
        open_accelsim_text(text_of({"0000 ffffffff 1 R1 MOV 0 0 0 ", "0010 00000000 0 BRA 0 0 64 ",
                                    "0020 0000000f 0 STS 2 R2 R4 4 1 0x0 4 0 ",
                                    "0030 0000ffff 1 R1 MOV 0 0 0 ", "0000 ffffffff 1 R1 MOV 0 0 0 "}),
                           "t");
    Recorder recorder;
    trace->run_block({0, 0, 0}, recorder);
    // an empty mask and a store of some lanes are guarded; the move of half the warp is divergent
    const std::vector<Run> expected{{0, 0, 3, ~0U}, {0, 3, 4, 0xffff}, {0, 0, 1, ~0U}};
    CHECK(recorder.runs == expected);
}

TEST_CASE("Accel-Sim lines: older layouts", "[accelsim]") {
    const auto modes = open_accelsim(folder + "modes.traceg");
    for (const auto* name : {"lines.traceg", "old.traceg"}) {
        INFO(name);
        const auto trace = open_accelsim(folder + name);
        CHECK(trace->totals().warp_instructions == modes->totals().warp_instructions);
        CHECK(trace->totals().thread_instructions == modes->totals().thread_instructions);
    }
}

TEST_CASE("Accel-Sim lines: faults name line and column", "[accelsim]") {
    CHECK(fault_of({"0000 fffffff 1 R1 MOV 0 0 0 "}) ==
          "t:14:6: instruction: the lane mask has not 8 digits");
    CHECK(fault_of({"0000 ffffffff 2 R1 R2 MOV 0 0 0 "}) ==
          "t:14:15: instruction: number of results is 2, allowed 0 to 1");
    CHECK(fault_of({"0000 ffffffff 1 R256 MOV 0 0 0 "}).rfind("t:14:17: instruction: register is 256", 0) ==
          0);
    CHECK(fault_of({"0000 00000005 1 R4 LDG.E.SYS 1 R2 4 1 0x10 4 0 "}).find("not one run") !=
          std::string::npos);
    CHECK(fault_of({"0000 ffffffff 1 R1 FROB 0 0 0 "}) ==
          "t:14: opcode: unknown opcode FROB; --allow-unknown takes it for a move");
    CHECK(fault_of({"0000 ffffffff 1 R1 MOV 0 0 0 x"}).find("text after the immediate") != std::string::npos);
}

}  // namespace accelsim_lines_test
