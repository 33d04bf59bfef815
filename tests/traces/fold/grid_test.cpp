// Warps into thread ranges, blocks into variants; what is refused.
#include <algorithm>
#include <catch2/catch.hpp>

#include "base/diagnostics.h"
#include "tests/traces/fold/expand.h"
#include "tests/traces/fold/grid_kernel.h"
#include "tests/traces/fold/scripted_source.h"
#include "traces/fold/fold_program.h"

namespace grid_test {

using namespace gpumodel;

namespace {

constexpr auto global = MemorySpace::global;
constexpr auto shared = MemorySpace::shared;

// Of grids that would be cheap enough to be run whole.
FoldOptions few_blocks() {
    FoldOptions options;
    options.whole_grid_work = 0;
    return options;
}

}  // namespace

TEST_CASE("one variant where all blocks are alike", "[unit][fold]") {
    GridKernel k;
    auto source = k.source(
        4, [](const Dim3&) { return 10; }, all_lanes,
        [](const Dim3& b) { return 65536 * (b.x + 100 * b.y + 3000 * b.z); });
    const auto launch = launch_of({60, 50, 3}, 128, 1);
    const auto program = fold_program(source, launch);
    CHECK(program.variants.empty());
    CHECK(source.blocks_run < 25);
    CHECK(difference_in_all_blocks(program, source, launch) == "");
    REQUIRE(program.notes.size() == 1);
    CHECK(program.notes[0].find("of 9000 blocks were executed") != std::string::npos);
}

TEST_CASE("edges of the problem become variants of their own", "[unit][fold]") {
    GridKernel k;
    const auto launch = launch_of({37, 23, 1}, 64, 1);
    auto source = k.source(
        2, [](const Dim3& b) { return b.y == 22 ? 3 : 10; },
        [](const Dim3& b) { return b.x == 36 ? 0x000fffffU : 0xffffffffU; },
        [](const Dim3& b) { return 4096 * b.x + 262144 * b.y; });
    const auto program = fold_program(source, launch, few_blocks());
    CHECK(program.variants.size() == 4);
    CHECK(covered(program) == 37 * 23);
    const int runs = source.blocks_run;
    CHECK(runs < 60);
    CHECK(difference_in_all_blocks(program, source, launch) == "");
    // the representative is the interior
    CHECK(difference(program, source, launch, {3, 3, 0}) == "");
}

TEST_CASE("boundaries inside the grid are found by bisection", "[unit][fold]") {
    GridKernel k;
    const auto launch = launch_of({2000, 1, 1}, 32, 1);
    for (const std::int64_t boundary : {1, 2, 777, 1998, 1999}) {
        // a grid-stride loop: the first blocks have a trip more
        auto source = k.source(
            1, [=](const Dim3& b) { return b.x < boundary ? 8 : 7; }, all_lanes,
            [](const Dim3& b) { return 128 * b.x; });
        const auto program = fold_program(source, launch);
        INFO("boundary " << boundary);
        REQUIRE(program.variants.size() == 2);
        CHECK(program.variants[0].blocks.end.x == boundary);
        CHECK(difference_in_all_blocks(program, source, launch) == "");
    }
}

TEST_CASE("a first block that clamps its addresses is split off", "[unit][fold]") {
    GridKernel k;
    const auto launch = launch_of({500, 1, 1}, 32, 1);
    auto source = k.source(
        1, [](const Dim3&) { return 5; }, all_lanes,
        [](const Dim3& b) { return std::max<std::int64_t>(0, 128 * (b.x - 2)) + 64; });
    const auto program = fold_program(source, launch);
    CHECK(covered(program) == 500);
    CHECK(difference_in_all_blocks(program, source, launch) == "");
}

TEST_CASE("warps that differ meet at the same barriers", "[unit][fold]") {
    CodeWriter c;
    c.alu(2);
    const int work = c.load(global, 4);
    c.store(shared, 4);
    const int meet = c.alu();
    c.barrier();
    const int inner = c.load(shared, 4);
    const int inner_end = c.branch() + 1;
    c.barrier();
    const int end = c.branch() + 1;
    const int exit = c.branch() + 1;
    ScriptedSource source(c.code, 8, [&](const Dim3&, int warp, WarpScript& s) {
        s.run(0, work);
        for (std::int64_t t = 0; t < 9; ++t) {
            const auto address = [&](int, int lane) { return 4 * lane + 128 * warp + 2048 * t; };
            if (warp < 6) {
                s.run(work, meet, address);  // producers; the others go straight to the barrier
            }
            s.run(meet, inner);
            for (std::int64_t u = 0; u < (warp < 6 ? 4 : 3); ++u) {
                s.run(inner, inner_end, [&](int, int lane) { return 4 * lane + 128 * u; });
            }
            s.run(inner_end, end);
        }
        s.run(end, exit);
    });
    const auto launch = launch_of({1, 1, 1}, 250, 1);  // the last warp has idle lanes in every access
    ScriptedSource cut(c.code, 8, [&](const Dim3& block, int warp, WarpScript& s) {
        s.set_active(warp == 7 ? 0x03ffffffU : 0xffffffffU);
        s.run(0, work);
        (void)block;
        for (std::int64_t t = 0; t < 9; ++t) {
            if (warp < 6) {
                s.run(work, meet, [&](int, int lane) { return 4 * lane + 128 * warp + 2048 * t; });
            }
            s.run(meet, inner);
            for (std::int64_t u = 0; u < 3; ++u) {
                s.run(inner, inner_end, [&](int, int lane) { return 4 * lane + 128 * u; });
            }
            s.run(inner_end, end);
        }
        s.run(end, exit);
    });
    const auto program = fold_program(cut, launch);
    CHECK(difference_in_all_blocks(program, cut, launch) == "");
    CHECK(program.notes.empty());
    // the loop around the barriers is one for all warps
    int outer_loops = 0;
    for (const auto& node : program.body) {
        outer_loops += std::holds_alternative<Loop>(node) ? 1 : 0;
    }
    CHECK(outer_loops == 1);
    const auto whole = launch_of({1, 1, 1}, 256, 1);
    const auto split = fold_program(source, whole);
    CHECK(difference_in_all_blocks(split, source, whole) == "");
    CHECK(split.notes.empty());
}

TEST_CASE("loops of different trips around the same barriers are brought together", "[unit][fold]") {
    // the first warp's last round is peeled (as a compiler does for one half of a split kernel), the second
    // warp's is not
    CodeWriter c;
    const int head = c.load(global, 4);
    c.barrier();
    c.load(shared, 4);
    const int guarded = c.alu(2);
    const int end = c.branch() + 1;
    const int exit = c.branch() + 1;
    const std::int64_t rounds = 17;
    ScriptedSource source(c.code, 4, [&](const Dim3&, int warp, WarpScript& s) {
        for (std::int64_t t = 0; t < rounds; ++t) {
            const auto address = [&](int, int lane) { return 4 * lane + 128 * warp + 2048 * t; };
            const bool peeled = warp < 2 && t == rounds - 1;
            s.run(head, peeled ? guarded : end, address);
            if (peeled) {
                s.run(end - 1, end);
            }
        }
        s.run(end, exit);
    });
    const auto launch = launch_of({2, 1, 1}, 128, 1);
    const auto program = fold_program(source, launch);
    CHECK(program.notes.empty());
    CHECK(difference_in_all_blocks(program, source, launch) == "");
    const auto* loop = std::get_if<Loop>(&program.body.front());
    REQUIRE(loop != nullptr);
    CHECK(loop->trips == rounds - 1);
    const auto& meeting = std::get<Interval>(loop->body.front());
    CHECK(meeting.barrier_after);
    CHECK(meeting.segments.size() == 2);
}

TEST_CASE("loops that differ inside of a common loop are brought together", "[unit][fold]") {
    // a sum in shared memory, its levels in a loop: each warp folds other levels, as its lanes drop out
    CodeWriter c;
    const int start = c.store(shared, 4);
    c.barrier();
    const int level = c.load(shared, 4);
    const int store = c.store(shared, 4);
    c.barrier();
    const int level_end = c.branch() + 1;
    c.barrier();
    const int end = c.branch() + 1;
    const int exit = c.branch() + 1;
    const std::int64_t rounds = 20;
    ScriptedSource source(c.code, 8, [&](const Dim3&, int warp, WarpScript& s) {
        for (std::int64_t t = 0; t < rounds; ++t) {
            s.guard = {};
            s.run(start, level, [&](int, int lane) { return 4 * lane + 128 * warp + 2048 * t; });
            for (int half = 128; half > 0; half /= 2) {
                const auto lanes = std::clamp(half - 32 * warp, 0, 32);
                const auto mask = lanes == 32 ? ~0U : (1U << static_cast<unsigned>(lanes)) - 1;
                s.guard = [=](int i) { return i == level || i == store ? mask : ~0U; };
                s.run(level, level_end,
                      [&](int, int lane) { return 4 * (lane + half) + 128 * warp + 2048 * t; });
            }
            s.guard = {};
            s.run(level_end, end);
        }
        s.run(end, exit);
    });
    const auto launch = launch_of({1, 1, 1}, 256, 1);
    const auto program = fold_program(source, launch);
    CHECK(program.notes.empty());
    CHECK(difference_in_all_blocks(program, source, launch) == "");
    const auto* loop = std::get_if<Loop>(&program.body.front());
    REQUIRE(loop != nullptr);
    CHECK(loop->trips == rounds);
}

TEST_CASE("warps that leave a loop of barriers early leave the others to it", "[unit][fold]") {
    CodeWriter c;
    const int head = c.load(global, 4);
    c.barrier();
    const int end = c.branch() + 1;
    const int exit = c.branch() + 1;
    ScriptedSource source(c.code, 4, [&](const Dim3&, int warp, WarpScript& s) {
        for (std::int64_t t = 0; t < 5 + 3 * warp; ++t) {
            s.run(head, end, [&](int, int lane) { return 4 * lane + 128 * warp + 2048 * t; });
        }
        s.run(end, exit);
    });
    const auto launch = launch_of({1, 1, 1}, 128, 1);
    const auto program = fold_program(source, launch);
    CHECK(program.notes.empty());
    CHECK(difference_in_all_blocks(program, source, launch) == "");
}

TEST_CASE("a launch without blocks or threads is refused, with all faults", "[unit][fold]") {
    GridKernel k;
    auto source = k.source(
        1, [](const Dim3&) { return 5; }, all_lanes, [](const Dim3&) { return 0; });
    auto launch = launch_of({0, 1, 1}, 2048, 1);
    try {
        (void)fold_program(source, launch);
        FAIL("accepted");
    } catch (const InputError& e) {
        CHECK(e.diagnostics().size() == 2);
    }
}

TEST_CASE("what repeats without any regularity is refused, not kept", "[unit][fold]") {
    CodeWriter c;
    c.load(global, 4);
    const int end = c.branch() + 1;
    ScriptedSource source(c.code, 1, [&](const Dim3&, int, WarpScript& s) {
        for (std::int64_t t = 0; t < 200000; ++t) {
            s.run(0, end, [&](int, int lane) { return 4 * (lane + t * t % 1009); });
        }
    });
    CHECK_THROWS_AS(fold_program(source, launch_of({1, 1, 1}, 32, 1)), InputError);
}

TEST_CASE("the same launch gives the same program", "[unit][fold]") {
    GridKernel k;
    const auto make = [&] {
        return k.source(
            3, [](const Dim3& b) { return b.x == 9 ? 2 : 12; }, all_lanes,
            [](const Dim3& b) { return 4096 * b.x; });
    };
    const auto launch = launch_of({10, 9, 1}, 96, 1);
    auto first = make();
    auto second = make();
    const auto a = fold_program(first, launch);
    const auto b = fold_program(second, launch);
    CHECK(first.blocks_run == second.blocks_run);
    REQUIRE(a.variants.size() == b.variants.size());
    CHECK(a.notes == b.notes);
    CHECK(expand(a, {9, 8, 0}) == expand(b, {9, 8, 0}));
}

}  // namespace grid_test
