// What cannot be executed is said, with its address.
#include <catch2/catch.hpp>

#include "base/diagnostics.h"
#include "tests/support/listing_files.h"
#include "tests/traces/emulate/opcode_runner.h"
#include "tests/traces/emulate/recording_sink.h"
#include "traces/emulate/prepare/program.h"
#include "traces/emulate/sass_block_source.h"

using namespace gpumodel;

namespace {

SassLaunch launch_of(const std::string& arguments, std::int64_t threads = 64) {
    SassLaunch launch;
    launch.block = {threads, 1, 1};
    launch.arguments = parse_arguments(arguments);
    return launch;
}

RecordingSink run(const SassFunction& function, const SassLaunch& launch) {
    const auto source = make_sass_source(function, launch);
    RecordingSink sink(source->code());
    source->run_block({0, 0, 0}, sink);
    return sink;
}

}  // namespace

TEST_CASE("unknown opcodes are refused with address and count, or stepped over") {
    const auto function = assemble("sm_80", {"QMMA.16832.F32 R4, R8, R2, R4", "QMMA.16832.F32 R4, R8, R2, R4",
                                             "FROBNICATE R0, R4, R2, 0x0, 2D", "EXIT"});
    CHECK_THROWS_WITH(
        make_sass_source(function, launch_of("")),
        Catch::Contains(
            "0x0000: QMMA is a matrix (tensor) instruction of a form that is not modelled, 2 times") &&
            Catch::Contains("0x0020: unknown opcode FROBNICATE, 1 time"));
    auto launch = launch_of("");
    launch.allow_unknown = true;
    CHECK(run(function, launch).warp_instructions == std::map<int, std::int64_t>{{0, 4}, {1, 4}});
}

TEST_CASE("a skipped instruction's result is known to be unknown") {
    const auto refused = [](const std::vector<std::string>& lines) {
        auto launch = launch_of("");
        launch.allow_unknown = true;
        std::string message = "ran";
        try {
            run(assemble("sm_80", lines), launch);
        } catch (const InputError& error) {
            message = error.what();
        }
        return message;
    };
    const std::string skipped = "FROBNICATE R4, R8, R2, R4";
    // a trip count, through arithmetic and another register
    CHECK_THAT(refused({skipped, "MOV R0, RZ", "IADD3 R5, R4, 0x1, RZ", "IADD3 R0, R0, 0x1, RZ",
                        "ISETP.LT.AND P0, PT, R0, R5, PT", "@P0 BRA 0x30", "EXIT"}),
               Catch::Contains("0x0000: FROBNICATE is not known, and the branch at 0x0050 (BRA) depends"));
    // an address, through shared memory
    CHECK_THAT(refused({skipped, "STS [0x10], R4", "LDS R6, [0x10]", "LDS R7, [R6]", "EXIT"}),
               Catch::Contains("FROBNICATE is not known, and the address at 0x0030 (LDS) depends"));
    // a predicate that it writes
    CHECK_THAT(refused({"FROBNICATE P1, R4, R8", "@P1 STS [0x10], R4", "EXIT"}),
               Catch::Contains("the guard at 0x0010 (STS) depends"));
    // what a function outside returns
    CHECK_THAT(refused({"CALL.ABS.NOINC 0x0", "LDS R7, [R4]", "EXIT"}),
               Catch::Contains("CALL.ABS.NOINC calls code outside") &&
                   Catch::Contains("the address at 0x0010 (LDS) depends"));
    // data that steers nothing, results that are overwritten, code that is not reached
    CHECK(refused({skipped, "STS [0x10], R4", "EXIT"}) == "ran");
    CHECK(refused({skipped, "MOV R4, 0x20", "LDS R7, [R4]", "EXIT"}) == "ran");
    CHECK(refused({"EXIT", skipped, "LDS R7, [R4]", "EXIT"}) == "ran");
    // under a guard the old value may stay, and the new one too
    CHECK_THAT(
        refused({skipped, "ISETP.EQ.AND P0, PT, RZ, RZ, PT", "@P0 MOV R4, 0x20", "LDS R7, [R4]", "EXIT"}),
        Catch::Contains("the address at 0x0030"));
}

TEST_CASE("an opcode that is not emulated stops the run only where it matters") {
    const std::string arch = "sm_80";
    CHECK_NOTHROW(run(assemble(arch, {"VABSDIFF4.U8 R4, R1, R2, RZ", "EXIT"}), launch_of("")));
    const auto needed = assemble(arch, {"VABSDIFF4.U8 R4, R1, R2, RZ", "STS [R4], R5", "EXIT"});
    CHECK_THROWS_WITH(run(needed, launch_of("")), Catch::Contains("0x0000") && Catch::Contains("VABSDIFF4"));
    const auto skipped = assemble(arch, {"EXIT", "VABSDIFF4.U8 R4, R1, R2, RZ", "STS [R4], R5", "EXIT"});
    CHECK_NOTHROW(run(skipped, launch_of("")));
}

TEST_CASE("endless loops and deadlocks end") {
    const std::string arch = "sm_70";
    auto launch = launch_of("", 32);
    launch.most_instructions_per_warp = 10000;
    CHECK_THROWS_WITH(run(assemble(arch, {"NOP", "NOP", "BRA 0x10"}), launch),
                      Catch::Contains("0x0010: is in an endless loop"));
    // warp 1 waits for a barrier of 128 threads that has 64
    const auto waits = assemble(arch, {"BAR.SYNC 0x1, 0x80", "EXIT"});
    CHECK_THROWS_WITH(run(waits, launch_of("")), Catch::Contains("0x0000: deadlock"));
    // a barrier counts only threads that still run
    const auto leaves = assemble(
        arch, {"S2R R0, SR_TID.X", "ISETP.GE.AND P0, PT, R0, 0x20, PT", "@P0 EXIT", "BAR.SYNC 0x0", "EXIT"});
    CHECK(run(leaves, launch_of("")).warp_instructions == std::map<int, std::int64_t>{{0, 5}, {1, 3}});
    // waiting in a loop for a store that nobody makes
    const auto polls = assemble(
        "sm_80", {"LDS R0, [0x10]", "ISETP.EQ.AND P0, PT, R0, RZ, PT", "YIELD", "@P0 BRA 0x0", "EXIT"});
    CHECK_THROWS_WITH(run(polls, launch_of("")), Catch::Contains("deadlock"));
    CHECK_THROWS_WITH(run(assemble(arch, {"NOP"}), launch_of("")), Catch::Contains("runs over the end"));
}

TEST_CASE("arguments that do not fit the code are refused, all reads at once") {
    const auto function = assemble(
        "sm_70", {"MOV R0, c[0x0][0x160]", "MOV R1, c[0x0][0x16c]", "FMUL R2, R0, c[0x0][0x170]", "EXIT"});
    CHECK_NOTHROW(make_sass_source(function, launch_of("0L,1,2,3")));
    // of a pointer both words are read
    CHECK_THROWS_WITH(make_sass_source(function, launch_of("ptr,1,2,3")), Catch::Contains("lower 4 bytes"));
    CHECK_THROWS_WITH(make_sass_source(function, launch_of("ptr")),
                      Catch::Contains("byte 12") && Catch::Contains("byte 16"));
    CHECK_THROWS_WITH(make_sass_source(function, launch_of("ptr,1,2,3", 1025)), Catch::Contains("1025"));
    CHECK_THROWS_WITH(make_sass_source(assemble("sm_130", {"EXIT"}), launch_of("")),
                      Catch::Contains("cannot emulate sm_130"));
}

TEST_CASE("accesses outside of an allocation are noted") {
    const auto function =
        assemble("sm_80", {"S2R R0, SR_TID.X", "MOV R2, 0x4", "IMAD.WIDE R2, R0, R2, c[0x0][0x160]",
                           "STG.E [R2.64], RZ", "STG.E [R2.64+-0x4], RZ", "EXIT"});
    for (const auto& [size, faults] : {std::pair{"256", 1U}, {"255", 2U}}) {
        const auto source = make_sass_source(function, launch_of(std::string("a=ptr:") + size + "B"));
        RecordingSink sink(source->code());
        source->run_block({0, 0, 0}, sink);
        CHECK(source->notes().size() == faults);
        CHECK(source->notes().back().find("accesses a beyond its") != std::string::npos);
    }
}

// By the end of the mangled name.
std::string arguments_of(const std::string& name) {
    return name.ends_with("iiifPKfS3_fPf") ? "64,64,64,1.0f,ptr,ptr,0.5f,ptr"
           : name.ends_with("PKfS3_Pfi")   ? "ptr,ptr,ptr,64"
           : name.ends_with("PfPKfii")     ? "ptr,ptr,64,64"
                                           : "ptr,ptr,64";
}

TEST_CASE("in a matrix product no arithmetic on data runs") {
    for (const auto& arch : listing_archs) {
        for (const auto& function : listing(arch).functions) {
            SassLaunch launch = launch_of(arguments_of(function.name), 128);
            const auto program = emulate::build_program(function, launch);
            for (const auto& op : program.ops) {
                const auto& in = function.instructions[static_cast<std::size_t>(op.instruction)];
                INFO(arch << " " << function.name << " " << in.address);
                CHECK_FALSE((in.opcode == "FFMA" || in.opcode == "FMUL" || in.opcode == "FADD"));
            }
        }
    }
}
