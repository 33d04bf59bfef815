// Locks that lanes of one warp want: whoever has one waits for the others where they are to meet, and they
// wait for the lock. On the H200 such launches end: threads that yield are not waited for
// (validate/recorder/mixed/mixed_j.cu, leaderboard_bucket_locks).
#include <fmt/format.h>

#include <bit>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/sass_lines.h"
#include "traces/emulate/sass_block_source.h"

using namespace gpumodel;

namespace {

struct Operations final : WarpSink {
    void straight(int /*warp*/, int begin, int end, std::uint32_t active) override {
        executed += end - begin;
        counted += begin <= critical && critical < end ? std::popcount(active) : 0;
    }
    void access(int /*warp*/, const AccessEvent& /*event*/) override {}
    static constexpr int critical = 12;
    std::int64_t executed = 0, counted = 0;
};

// Each thread takes the lock of its number modulo `locks`, adds one to the word behind it and gives it back.
SassModule locked_sum(int locks, bool sleeps) {
    const std::vector<std::string> lines{"LDC.64 R2, c[0x0][0x210]",
                                         "S2R R0, SR_TID.X",
                                         fmt::format("LOP3.LUT R0, R0, {:#x}, RZ, 0xc0, !PT", locks - 1),
                                         "IMAD.WIDE R6, R0, 0x8, R2",
                                         "MOV R9, 0x1",
                                         "BSSY B0, 0xc0",
                                         "YIELD",
                                         "ATOMG.E.CAS.STRONG.GPU PT, R5, [R6], RZ, R9",
                                         "ISETP.NE.AND P0, PT, R5, RZ, PT",
                                         sleeps ? "@P0 NANOSLEEP 0xc8" : "NOP",
                                         "@P0 BRA 0x60",
                                         "BSYNC B0",
                                         "LDG.E.STRONG.SYS R4, [R6+0x4]",
                                         "IADD3 R4, R4, 0x1, RZ",
                                         "STG.E.STRONG.SYS [R6+0x4], R4",
                                         "ATOMG.E.EXCH.STRONG.GPU PT, RZ, [R6], RZ",
                                         "EXIT"};
    return test::module_of(lines);
}

Operations run(int locks, bool sleeps) {
    SassLaunch launch;
    launch.grid = {1, 1, 1};
    launch.block = {64, 1, 1};
    launch.arguments = parse_arguments("ptr:4KiB=zeros");
    const auto module = locked_sum(locks, sleeps);
    Operations sink;
    make_sass_source(module.functions.front(), launch)->run_block({0, 0, 0}, sink);
    return sink;
}

}  // namespace

TEST_CASE("lanes of a warp take turns at a lock", "[emulate]") {
    for (const bool sleeps : {false, true}) {
        for (const int locks : {1, 8, 64}) {
            INFO(locks << " locks, " << sleeps);
            const auto sink = run(locks, sleeps);
            CHECK(sink.counted == 64);  // every thread was behind the lock once
            // each hand-over takes a few tries of those that wait, not thousands
            CHECK(sink.executed < 64 * 17 + 64 * 64 * 40);
        }
    }
    CHECK(run(1, false).executed > run(8, false).executed);
    CHECK(run(8, false).executed > run(64, false).executed);
}
