// gpumodel trace as a user runs it.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/run_command.h"

namespace {

// A folder of its own for what the command writes.
struct Folder {
    std::string path;
    Folder() {
        path = run_shell("mktemp -d").out;
        path.pop_back();
    }
    ~Folder() { run_shell("rm -r " + path); }
    [[nodiscard]] std::string file(const std::string& name) const { return path + "/" + name; }
};

nlohmann::json info(const std::string& file) {
    const auto result = run_gpumodel("trace info " + file + " --format json");
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    return nlohmann::json::parse(result.out);
}

const std::string loop_trace = "../fuzz/corpus/accelsim/loop.traceg";

}  // namespace

TEST_CASE("trace: info of an Accel-Sim trace", "[cli][trace]") {
    const auto json = info(loop_trace);
    // the file: a move, 6 trips of (2 trips of load, FFMA, branch; barrier, branch), an exit
    CHECK(json["arch"] == "sm_70");
    CHECK(json["kernel"] == "modes");
    CHECK(json["warp_instructions"] == 1 + 6 * (2 * 3 + 2) + 1);
    CHECK(json["warp_instructions_by_class"]["ffma"] == 12);
    CHECK(json["warp_instructions_by_class"]["global_load"] == 12);
    CHECK(json["warp_instructions_by_class"]["barrier"] == 6);
    CHECK(json["loop_depth"] == 2);
    const auto csv = run_gpumodel("trace info " + loop_trace + " --format csv");
    CHECK(csv.out.find("\nffma,12\n") != std::string::npos);
}

TEST_CASE("trace: dump shows what a warp executes", "[cli][trace]") {
    const auto text = run_gpumodel("trace dump " + loop_trace + " --limit 5");
    REQUIRE(text.exit_code == 0);
    CHECK(text.out.find("block 0,0,0 warp 0: 50 instructions\n0000  ffffffff  MOV R1\n") == 0);
    CHECK(text.out.find("LDG.E.SYS R4 <- R2:3") != std::string::npos);
    CHECK(text.out.find("0x0 stride 4\n") != std::string::npos);
    CHECK(text.out.find("0x1000 stride 4\n") != std::string::npos);
    CHECK(text.out.substr(text.out.size() - 4) == "...\n");
    const auto json = nlohmann::json::parse(run_gpumodel("trace dump " + loop_trace + " --format json").out);
    CHECK(json["instructions"].size() == 50);
    CHECK(json["instructions"][1]["addresses"][31] == 31 * 4);
}

TEST_CASE("trace: convert there and back", "[cli][trace]") {
    const Folder folder;
    const auto native = folder.file("a.gpt");
    const auto list = folder.file("kernelslist.g");
    REQUIRE(run_gpumodel("trace convert " + loop_trace + " " + native).exit_code == 0);
    const auto out = run_gpumodel("trace convert " + native + " " + list);
    REQUIRE(out.exit_code == 0);
    CHECK(out.out.find("50 warp instructions\n") != std::string::npos);
    const auto last = folder.file("b.gpt");
    REQUIRE(run_gpumodel("trace convert " + list + " " + last).exit_code == 0);
    CHECK(info(native)["warp_instructions_by_class"] == info(last)["warp_instructions_by_class"]);
    // same input, same bytes; nothing half-written is left
    REQUIRE(run_gpumodel("trace convert " + loop_trace + " " + folder.file("c.gpt")).exit_code == 0);
    CHECK(run_shell("cmp " + native + " " + folder.file("c.gpt")).exit_code == 0);
    CHECK(run_shell("ls " + folder.path + " | grep part").out.empty());
}

TEST_CASE("trace: gen of a family", "[cli][trace]") {
    const Folder folder;
    const auto file = folder.file("k.gpt");
    const auto made = run_gpumodel("trace gen --arch sm_70 --kernel smem -m 256 -n 256 -k 256 --out " + file);
    INFO(made.err);
    REQUIRE(made.exit_code == 0);
    const auto json = info(file);
    CHECK(json["warp_instructions_by_class"]["ffma"] >= 256.0 * 256 * 256 / 32);
    CHECK(json["warp_instructions_by_class"]["ffma"] <= 1.01 * 256 * 256 * 256 / 32 + 256.0 * 256 / 32);
    CHECK(json["static_instructions"] > 0);
}

TEST_CASE("trace: gen of real SASS, out to Accel-Sim and back", "[cli][trace][slow]") {
    // smsp__inst_executed.sum of an H200, validate/general/h200_sxm.csv
    constexpr double executed = 682592;
    const std::string launch =
        "--entry stencil5 --grid 32,64,1 --block 32,8,1 --args ptr:4MiB,ptr:4MiB,1000,507";
    const Folder folder;
    const auto listing = folder.file("sm_90.sass");
    run_shell("gunzip -c ../../validate/general/sm_90.sass.gz > " + listing);
    const auto made = run_gpumodel("trace gen --arch h200_sxm --sass " + listing + " " + launch + " --out " +
                                   folder.file("s.gpt"));
    INFO(made.err);
    REQUIRE(made.exit_code == 0);
    CHECK(info(folder.file("s.gpt"))["warp_instructions"] == executed);
    const auto out = run_gpumodel("trace convert s.gpt kernelslist.g", folder.path);
    REQUIRE(out.exit_code == 0);
    CHECK(out.err.find("written as binary version 86") != std::string::npos);
    REQUIRE(run_gpumodel("trace convert kernelslist.g t.gpt", folder.path).exit_code == 0);
    CHECK(info(folder.file("t.gpt"))["warp_instructions_by_class"] ==
          info(folder.file("s.gpt"))["warp_instructions_by_class"]);
}

TEST_CASE("trace: bad input", "[cli][trace]") {
    CHECK(run_gpumodel("trace info none.gpt").exit_code == 2);
    CHECK(run_gpumodel("trace info ../tools").exit_code == 2);
    const auto ending = run_gpumodel("trace info sass/saxpy_loop.sass");
    CHECK(ending.exit_code == 2);
    CHECK(ending.err ==
          "sass/saxpy_loop.sass: the ending says no trace format, allowed .gpt, .g, .traceg, .traceg.xz\n");
    const Folder folder;
    const auto cut = folder.file("cut.gpt");
    run_shell("head -c 100 ../fuzz/corpus/trace_file/loop.gpt > " + cut);
    const auto damaged = run_gpumodel("trace info " + cut);
    CHECK(damaged.exit_code == 3);
    CHECK(damaged.err == cut + ": byte 100: the file ends in the middle\n");
    const auto bad = folder.file("bad.traceg");
    run_shell(
        "sed 's/STS.64/STX.64/; s/0x7f4100000080/zz/; s/^insts = 2/insts = 3/' "
        "../fuzz/corpus/accelsim/modes.traceg > " +
        bad);
    const auto faults = run_gpumodel("trace info " + bad);
    CHECK(faults.exit_code == 3);
    CHECK(faults.err == bad +
                            ":27:39: instruction: expected an address 0x..., 'zz' does not begin with 0x\n" +
                            bad + ":36: insts: 1 instruction lines are missing\n" + bad +
                            ":25: opcode: unknown opcode STX; --allow-unknown takes it for a move\n");
    CHECK(run_gpumodel("trace dump " + loop_trace + " --block 1,0 --warp 9").exit_code == 2);
    CHECK(run_gpumodel("trace dump " + loop_trace + " --format csv").exit_code == 2);
    CHECK(run_gpumodel("trace gen --arch sm_70 --kernel smemm --out x.gpt").exit_code == 2);
    CHECK(run_gpumodel("trace gen --arch sm_70 --out x.gpt").exit_code == 2);
    CHECK(run_gpumodel("trace convert " + loop_trace + " /nonexistent/x.gpt").exit_code == 2);
    CHECK(run_gpumodel("trace").exit_code == 2);
}
