// Loops around compare-and-swap: the time that is predicted is that of launches in a row, so what such a loop
// has done with changing a word is done before the launch. Judged by launches in a row, executed one after
// the other.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/sass_lines.h"
#include "traces/emulate/sass_block_source.h"

using namespace gpumodel;

namespace {

struct Operations final : WarpSink {
    void straight(int /*warp*/, int begin, int end, std::uint32_t /*active*/) override {
        executed += end - begin;
    }
    void access(int /*warp*/, const AccessEvent& /*event*/) override { ++requests; }
    std::int64_t requests = 0, executed = 0;
    bool operator==(const Operations& other) const {
        return requests == other.requests && executed == other.executed;
    }
};

// All lanes change one word four times each, with `change` in between.
SassModule loop(const std::string& change) {
    const std::vector<std::string> lines{"LDC.64 R2, c[0x0][0x210]",
                                         "MOV R7, 0x3f000000",
                                         "MOV R0, 0x0",
                                         "LDG.E.STRONG.SYS R4, [R2.64]",
                                         "IADD3 R0, R0, 0x1, RZ",
                                         "BSSY B0, 0xd0",
                                         "ISETP.GE.AND P1, PT, R0, 0x4, PT",
                                         change,
                                         "ATOMG.E.CAS.STRONG.GPU PT, R5, [R2], R4, R5",
                                         "ISETP.NE.AND P0, PT, R4, R5, PT",
                                         "MOV R4, R5",
                                         "@P0 BRA 0x70",
                                         "BSYNC B0",
                                         "@!P1 BRA 0x30",
                                         "EXIT"};
    return test::module_of(lines);
}

SassLaunch launch_with(const std::string& memory, bool keeps_results) {
    SassLaunch launch;
    launch.grid = {4, 1, 1};
    launch.block = {40, 1, 1};
    launch.arguments = parse_arguments(memory);
    launch.keeps_results = keeps_results;
    return launch;
}

// Of the block in the launch of this number, where nothing is reset in between.
Operations in_a_row(const SassFunction& function, int launches) {
    const auto source = make_sass_source(function, launch_with("ptr:4KiB", true));
    Operations last;
    for (int i = 0; i < launches; ++i) {
        last = {};
        source->run_block({0, 0, 0}, last);
    }
    return last;
}

Operations predicted(const SassFunction& function, const std::string& memory = "ptr:4KiB") {
    const auto source = make_sass_source(function, launch_with(memory, false));
    Operations other, first, again;
    source->run_block({2, 0, 0}, other);
    source->run_block({0, 0, 0}, again);
    make_sass_source(function, launch_with(memory, false))->run_block({0, 0, 0}, first);
    CHECK(first == again);  // whatever ran before
    return again;
}

}  // namespace

TEST_CASE("a loop that settles runs as in the launches behind the first") {
    const auto module = loop("FFMA R5, R4, R7, 1");  // to 2, and stays there
    const auto& function = module.functions.front();
    const auto later = in_a_row(function, 3);
    CHECK(in_a_row(function, 1).requests > 2 * later.requests);
    CHECK(later.requests == 2 * 4 * 2);  // two warps, four times a load and a swap, none tried again
    CHECK(predicted(function) == later);
}

TEST_CASE("a loop that changes its word each time tries again in every launch") {
    const auto module = loop("IADD3 R5, R4, 0x1, RZ");
    const auto& function = module.functions.front();
    CHECK(in_a_row(function, 3) == in_a_row(function, 1));
    CHECK(predicted(function) == in_a_row(function, 1));
}

TEST_CASE("what is given stands as it was given, also where a loop would settle") {
    const auto module = loop("FFMA R5, R4, R7, 1");
    const auto& function = module.functions.front();
    CHECK(predicted(function, "ptr:4KiB=zeros").requests > in_a_row(function, 3).requests);
}

TEST_CASE("blocks run side by side lose swaps to each other where the data are given") {
    // 4 blocks of 4 lanes change one word 4 times each, one lane at a time: the last to hold has lost to all
    // others
    const auto module = loop("IADD3 R5, R4, 0x1, RZ");
    const auto requests = [&](std::int64_t blocks) {
        auto launch = launch_with("ptr:4KiB=zeros", false);
        launch.grid = {blocks, 1, 1};
        launch.block = {4, 1, 1};
        const auto source = make_sass_source(module.functions.front(), launch);
        std::int64_t most = 0;
        for (std::int64_t x = 0; x < blocks; ++x) {
            Operations block;
            source->run_block({x, 0, 0}, block);
            most = std::max(most, block.requests);
        }
        return most;
    };
    CHECK(requests(1) == 4 * (1 + 4));  // a load, and a try for each of its lanes
    CHECK(requests(4) > 2 * requests(1));
    CHECK(requests(4) <= 4 * (1 + 16));  // a warp tries no more often than lanes hold
}

namespace {

// Whether the swap is found to be one that comes again with what was there.
bool is_retried(const SassModule& module, const std::string& memory) {
    auto launch = launch_with(memory, false);
    launch.grid = {1, 1, 1};
    const auto source = make_sass_source(module.functions.front(), launch);
    Operations nothing;
    source->run_block({0, 0, 0}, nothing);
    bool any = false;
    for (const auto& instruction : source->code().instructions) {
        any = any || instruction.retried;
    }
    return any;
}

}  // namespace

TEST_CASE("a swap that is tried again with what was there is told from other swaps") {
    for (const auto* memory : {"ptr:4KiB=zeros", "ptr:4KiB=random:-1..-1:i32"}) {
        CAPTURE(memory);
        CHECK(is_retried(loop("IADD3 R5, R4, 0x1, RZ"), memory));
    }
    // until the word is found free, as a lock is
    CHECK_FALSE(is_retried(
        test::module_of({"LDC.64 R2, c[0x0][0x210]", "MOV R4, 0x0", "MOV R5, 0x1",
                         "ATOMG.E.CAS.STRONG.GPU PT, R6, [R2], R4, R5", "ISETP.NE.AND P0, PT, R6, RZ, PT",
                         "@P0 BRA 0x30", "STG.E [R2], RZ", "EXIT"}),
        "ptr:4KiB=zeros"));
    // to the next place of a table
    CHECK_FALSE(is_retried(
        test::module_of({"LDC.64 R2, c[0x0][0x210]", "MOV R4, 0x0", "S2R R5, SR_TID.X",
                         "IADD3 R5, R5, 0x1, RZ", "ATOMG.E.CAS.STRONG.GPU PT, R6, [R2], R4, R5",
                         "ISETP.NE.AND P0, PT, R6, RZ, PT", "IADD3 R2, R2, 0x4, RZ", "@P0 BRA 0x40", "EXIT"}),
        "ptr:4KiB=zeros"));
}
