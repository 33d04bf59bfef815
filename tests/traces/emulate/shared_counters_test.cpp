// Counters that blocks share: executed alone, block by block, they must come to what they come to together.
// Judged by counting: each number below the end is taken once, over all blocks.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "tests/support/sass_lines.h"
#include "traces/emulate/sass_block_source.h"

using namespace gpumodel;

namespace {

// The words of the second argument that are stored to.
struct Stores final : WarpSink {
    explicit Stores(const StaticCode& code) : code_(&code) {}
    void straight(int /*warp*/, int begin, int end, std::uint32_t /*active*/) override {
        executed += end - begin;
    }
    void access(int warp, const AccessEvent& event) override {
        const auto& at = code_->instructions[static_cast<std::size_t>(event.instruction)];
        if (at.access_kind != AccessKind::store) {
            return;
        }
        for (std::size_t lane = 0; lane < event.address.size(); ++lane) {
            if ((event.active >> lane & 1U) != 0) {
                words.push_back(event.address[lane] / 4);
                by_warp.resize(std::max<std::size_t>(by_warp.size(), static_cast<std::size_t>(warp) + 1));
                ++by_warp[static_cast<std::size_t>(warp)];
            }
        }
    }
    std::vector<std::int64_t> words, by_warp;
    std::int64_t executed = 0;

private:
    const StaticCode* code_;
};

constexpr int blocks = 6;

SassLaunch launch_of(int threads) {
    SassLaunch launch;
    launch.grid = {3, 2, 1};
    launch.block = {threads, 1, 1};
    launch.arguments = parse_arguments("ptr:4KiB=zeros,ptr:64KiB");
    return launch;
}

// Of all blocks, the last first: each runs on what was given.
std::vector<Stores> run_all(const SassFunction& function, int threads) {
    const auto source = make_sass_source(function, launch_of(threads));
    std::vector<Stores> all(blocks, Stores(source->code()));
    for (int i = blocks - 1; i >= 0; --i) {
        source->run_block({i % 3, i / 3, 0}, all[static_cast<std::size_t>(i)]);
    }
    return all;
}

std::vector<std::int64_t> sorted_words(const std::vector<Stores>& all) {
    std::vector<std::int64_t> words;
    for (const auto& block : all) {
        words.insert(words.end(), block.words.begin(), block.words.end());
    }
    std::sort(words.begin(), words.end());
    return words;
}

std::vector<std::int64_t> first_numbers(std::int64_t count) {
    std::vector<std::int64_t> list(static_cast<std::size_t>(count));
    std::iota(list.begin(), list.end(), 0);
    return list;
}

// Takes numbers with `take` into R4 until they reach the end, and stores to the word of each.
SassModule queue(const std::string& take, int end) {
    return test::module_of({"LDC.64 R2, c[0x0][0x210]", "LDC.64 R6, c[0x0][0x218]", "MOV R9, 0x1",
                            "MOV R12, 0xffffff", take, fmt::format("ISETP.GE.AND P0, PT, R4, {:#x}, PT", end),
                            "@P0 EXIT", "IMAD.WIDE R10, R4, 0x4, R6", "STG.E [R10], R4", "BRA 0x40"});
}

}  // namespace

TEST_CASE("work from a common counter is done once, over all blocks and warps", "[emulate]") {
    constexpr int end = 3000, threads = 96;
    for (const auto* take :
         {"ATOMG.E.ADD.STRONG.GPU PT, R4, [R2], R9", "ATOMG.E.INC.STRONG.GPU PT, R4, [R2], R12"}) {
        CAPTURE(take);
        const auto module = queue(take, end);
        const auto all = run_all(module.functions.front(), threads);
        CHECK(sorted_words(all) == first_numbers(end));
        for (const auto& block : all) {
            REQUIRE(block.by_warp.size() == 3);
            for (const auto count : block.by_warp) {
                CHECK(std::abs(count - end / blocks / 3) <= 64);  // two turns: none is starved
            }
        }
    }
}

TEST_CASE("places that all blocks take in a buffer are taken once", "[emulate]") {
    const auto module = test::module_of({"LDC.64 R2, c[0x0][0x210]", "LDC.64 R6, c[0x0][0x218]",
                                         "MOV R9, 0x1", "ATOMG.E.ADD.STRONG.GPU PT, R4, [R2], R9",
                                         "IMAD.WIDE R10, R4, 0x4, R6", "STG.E [R10], R4", "EXIT"});
    CHECK(sorted_words(run_all(module.functions.front(), 80)) == first_numbers(80 * blocks));
}

TEST_CASE("one block comes last", "[emulate]") {
    // that which finds blocks - 1 in the counter stores
    const auto module =
        test::module_of({"LDC.64 R2, c[0x0][0x210]", "LDC.64 R6, c[0x0][0x218]", "MOV R9, 0x5",
                         "ATOMG.E.INC.STRONG.GPU PT, R4, [R2], R9", "ISETP.NE.AND P0, PT, R4, 0x5, PT",
                         "@P0 EXIT", "STG.E [R6], R4", "EXIT"});
    const auto all = run_all(module.functions.front(), 1);
    for (int i = 0; i < blocks; ++i) {
        CHECK(all[static_cast<std::size_t>(i)].words.size() == (i == blocks - 1 ? 1U : 0U));
    }
}

TEST_CASE("a block's own counter is its own", "[emulate]") {
    const auto module = test::module_of(
        {"LDC.64 R2, c[0x0][0x210]", "LDC.64 R6, c[0x0][0x218]", "MOV R9, 0x1", "S2R R0, SR_CTAID.X",
         "S2R R1, SR_CTAID.Y", "IMAD R0, R1, 0x3, R0", "IMAD.WIDE R2, R0, 0x80, R2",
         "ATOMG.E.ADD.STRONG.GPU PT, R4, [R2], R9", "IMAD.WIDE R10, R4, 0x4, R6", "STG.E [R10], R4", "EXIT"});
    for (const auto& block : run_all(module.functions.front(), 64)) {
        auto words = block.words;
        std::sort(words.begin(), words.end());
        CHECK(words == first_numbers(64));
    }
}

TEST_CASE("where all results are asked for, blocks find what those before them left", "[emulate]") {
    const auto module = queue("ATOMG.E.ADD.STRONG.GPU PT, R4, [R2], R9", 1000);
    const auto arrays = execute_grid(module.functions.front(), launch_of(32));
    // the first takes all, and those of its last lanes that go on take more
    CHECK(arrays[0].bytes[1] * 256 + arrays[0].bytes[0] == 1024 + 8 + 32 * (blocks - 1));
}

namespace {

// What each block executed, where all run in order on what those before them left.
std::vector<std::int64_t> in_order(const SassFunction& function, const SassLaunch& launch) {
    auto kept = launch;
    kept.keeps_results = true;
    const auto source = make_sass_source(function, kept);
    std::vector<std::int64_t> executed;
    for (int i = 0; i < blocks; ++i) {
        Stores stores(source->code());
        source->run_block({i % 3, i / 3, 0}, stores);
        executed.push_back(stores.executed);
    }
    return executed;
}

}  // namespace

TEST_CASE("blocks that read what others store find what those beside them have stored", "[emulate]") {
    // every thread puts its number into the first free place of a table
    const auto table =
        test::module_of({"LDC.64 R2, c[0x0][0x210]", "S2R R5, SR_TID.X", "MOV R4, 0x0",
                         "IADD3 R5, R5, 0x1, RZ", "ATOMG.E.CAS.STRONG.GPU PT, R6, [R2], R4, R5",
                         "ISETP.NE.AND P0, PT, R6, RZ, PT", "IADD3 R2, R2, 0x4, RZ", "@P0 BRA 0x40", "EXIT"});
    const auto all = run_all(table.functions.front(), 8);
    // four instructions and four for each place that the warp looks at: eight at least, one for each lane,
    // and whoever gets the last place has looked at all
    std::int64_t most = 0;
    for (std::size_t i = 0; i < blocks; ++i) {
        INFO("block " << i);
        CHECK(all[i].executed >= 4 + 4 * 8);
        CHECK((all[i].executed - 4) % 4 == 0);
        most = std::max(most, all[i].executed);
    }
    CHECK(most >= 4 + 4 * 8 * blocks);  // more where its lanes went apart
}

TEST_CASE("a block that waits for the one before it does not wait in vain", "[emulate]") {
    // block i > 0 waits for word i - 1, then all store word i
    const auto chain = test::module_of(
        {"LDC.64 R2, c[0x0][0x210]", "S2R R0, SR_CTAID.X", "S2R R1, SR_CTAID.Y", "IMAD R0, R1, 0x3, R0",
         "ISETP.EQ.AND P1, PT, R0, RZ, PT", "MOV R9, 0x1", "IMAD.WIDE R6, R0, 0x4, R2", "@P1 BRA 0xb0",
         "LDG.E.STRONG.GPU R4, [R6+-0x4]", "ISETP.EQ.AND P0, PT, R4, RZ, PT", "@P0 BRA 0x80",
         "STG.E.STRONG.GPU [R6], R9", "EXIT"});
    const auto launch = launch_of(1);
    // beside the others it looks once more in each of their turns, at most
    const auto without_waiting = in_order(chain.functions.front(), launch)[3];
    const auto executed = run_all(chain.functions.front(), 1)[3].executed;
    constexpr std::int64_t a_look = 3;  // instructions
    CHECK(executed >= without_waiting);
    CHECK(executed <= without_waiting + 2 * a_look * blocks);
    const auto source = make_sass_source(chain.functions.front(), launch);
    Stores stores(source->code());
    source->run_block({1, 1, 0}, stores);
    const auto notes = source->notes();
    CHECK(std::any_of(notes.begin(), notes.end(), [](const std::string& note) {
        return note.find("waits-for-blocks") != std::string::npos;
    }));
}
