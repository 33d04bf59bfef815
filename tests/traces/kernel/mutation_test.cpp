// The executor notices a wrong access function: each test spoils one site of a right program.
#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>

#include "tests/support/program_checks.h"

using namespace gpumodel;
using gpumodel::test::program_of;
using gpumodel::test::wrongs_of;

namespace {

using Change = std::function<void(AccessSite&)>;

void visit_intervals(std::vector<Node>& nodes, const std::function<void(Interval&)>& visit) {
    for (Node& node : nodes) {
        if (auto* interval = std::get_if<Interval>(&node)) {
            visit(*interval);
        } else {
            visit_intervals(std::get<Loop>(node).body, visit);
        }
    }
}

// How many sites of the name were changed.
int change_sites(KernelProgram& program, const std::string& name, const Change& change) {
    int changed = 0;
    visit_intervals(program.body, [&](Interval& interval) {
        for (Segment& segment : interval.segments) {
            for (AccessSite& site : segment.sites) {
                if (site.name == name) {
                    change(site);
                    ++changed;
                }
            }
        }
    });
    return changed;
}

// Replaces the address by a function of the right one and the place.
using Spoil = std::function<std::int64_t(std::int64_t right, const Coord& at, int word)>;

Change spoiled(const Spoil& spoil) {
    return [spoil](AccessSite& site) {
        site.address = [spoil, right = site.address](const Coord& at, int word) {
            return spoil(right(at, word), at, word);
        };
    };
}

void check_caught(const std::string& family, const ProblemShape& shape, const std::string& site,
                  const Change& change, int cc = 70) {
    KernelProgram program = program_of(family, {}, shape, cc);
    const ParamValues params = resolve_params(*find_family(family), {});
    INFO(family << ", " << site);
    REQUIRE(wrongs_of(program, params).empty());
    REQUIRE(change_sites(program, site, change) > 0);
    CHECK_FALSE(wrongs_of(program, params).empty());
}

// Barriers, counted from the last, that no access needs. The last round of the split schedule stores
// nothing any more, so that its last two only keep the halves' counts equal; the asynchronous copies' last
// wait stands for their completion, which the executor takes to be immediate, and their first barrier, which
// all five are counted from, makes known the copies' barriers. The prefetch executes its barrier after the
// last tile, too.
bool orders_nothing(const std::string& family, int from_last) {
    if (family == "doublebuffer") {
        return from_last == 1;
    }
    constexpr int first_of_async = 5;
    return family.rfind("doublebuffer_", 0) == 0 &&
           (from_last <= 2 || (family == "doublebuffer_async" && from_last == first_of_async));
}

const Spoil one_word_off = [](std::int64_t right, const Coord&, int) { return right + 4; };
const Spoil four_words_off = [](std::int64_t right, const Coord&, int) { return right + 16; };
const Spoil ignores_thread_zero_bit = [](std::int64_t right, const Coord& at, int) {
    return at.thread % 2 == 1 ? right - 4 : right;
};
const Spoil stuck_at_first_tile = [](std::int64_t right, const Coord& at, int) {
    return at.loop[0] > 0 ? right - 64 : right;
};

}  // namespace

TEST_CASE("an address off by a word is caught at every site", "[unit][families][slow]") {
    for (const std::string family :
         {"smem", "blocktile1d", "blocktile2d", "vectorized", "bank_linearize", "bank_extracol", "autotuned",
          "warptile", "doublebuffer", "doublebuffer_async"}) {
        const ProblemShape shape{128, 128, 32};
        for (const char* site : {"A tile load", "B tile load", "A tile store", "B tile store", "A fragment",
                                 "B fragment", "C load", "C store"}) {
            check_caught(family, shape, site, spoiled(one_word_off), 80);
            check_caught(family, shape, site, spoiled(four_words_off), 80);
        }
    }
    for (const char* site : {"A word", "B word", "C load", "C store"}) {
        check_caught("naive", {40, 40, 12}, site, spoiled(one_word_off));
        check_caught("coalesced", {40, 40, 12}, site, spoiled(one_word_off));
    }
}

TEST_CASE("a wrong thread or loop term is caught", "[unit][families]") {
    for (const char* site : {"A word", "B word", "C load", "C store"}) {
        check_caught("coalesced", {64, 64, 8}, site, spoiled(ignores_thread_zero_bit));
    }
    check_caught("warptile", {128, 128, 48}, "A tile load", spoiled(stuck_at_first_tile));
    check_caught("doublebuffer", {128, 128, 64}, "A tile load", spoiled(stuck_at_first_tile));
}

TEST_CASE("a swapped row and column is caught", "[unit][families]") {
    const auto swap_in_tile = [](std::int64_t right, const Coord&, int) {
        const std::int64_t word = right / 4 % 1024;  // of a 32 x 32 tile
        return (right / 4 - word + word % 32 * 32 + word / 32) * 4;
    };
    check_caught("smem", {64, 64, 64}, "A tile store", spoiled(swap_in_tile));
    check_caught("ab_shared", {64, 64, 32}, "B tile store", spoiled(swap_in_tile));
    check_caught("aat_coalesced", {64, 64, 32}, "second A tile store", spoiled(swap_in_tile));
    check_caught("transpose_shared", {64, 96, 1}, "tile store", spoiled(swap_in_tile));
}

TEST_CASE("a wrong pitch is caught", "[unit][families]") {
    const auto wrong_pitch = [](std::int64_t right, const Coord&, int) {
        return right / 4 / 64 * 65 * 4 + right % 256;
    };
    check_caught("coalesced", {64, 64, 64}, "A word", spoiled(wrong_pitch));
    check_caught("blocktile1d", {64, 64, 64}, "C store", spoiled(wrong_pitch));
}

TEST_CASE("a missing barrier is caught as a race", "[unit][families]") {
    for (const std::string family : {"smem", "warptile", "doublebuffer", "doublebuffer_split",
                                     "doublebuffer_async", "transpose_padded"}) {
        const ProblemShape shape{128, 256, 96};
        const KernelProgram right = program_of(family, {}, shape, 80);
        int barriers = 0;
        KernelProgram copy = right;
        visit_intervals(copy.body, [&](Interval& interval) { barriers += interval.barrier_after ? 1 : 0; });
        REQUIRE(barriers > 0);
        for (int removed = 0; removed < barriers; ++removed) {
            KernelProgram program = right;
            int index = 0;
            visit_intervals(program.body, [&](Interval& interval) {
                if (interval.barrier_after && index++ == removed) {
                    interval.barrier_after = false;
                }
            });
            INFO(family << ", barrier " << removed << " of " << barriers);
            CHECK(wrongs_of(program, resolve_params(*find_family(family), {})).empty() ==
                  orders_nothing(family, barriers - removed));
        }
    }
}

TEST_CASE("a warp barrier orders one warp only", "[unit][families]") {
    KernelProgram program = program_of("ab_coalesced", {}, {32, 32, 32});
    const ParamValues params = resolve_params(*find_family("ab_coalesced"), {});
    REQUIRE(wrongs_of(program, params).empty());
    SECTION("without it the warp races with itself") {
        visit_intervals(program.body, [](Interval& interval) { interval.warp_barrier_after = false; });
        CHECK_FALSE(wrongs_of(program, params).empty());
    }
    SECTION("it does not order reads of other warps' words") {
        const auto other_warp = [](std::int64_t right, const Coord&, int) { return (right + 128) % 4096; };
        REQUIRE(change_sites(program, "A fragment", spoiled(other_warp)) == 1);
        CHECK_FALSE(wrongs_of(program, params).empty());
    }
}

TEST_CASE("misaligned and scattered vectors are faults", "[unit][families]") {
    const ProblemShape shape{128, 128, 16};
    KernelProgram program = program_of("warptile", {}, shape);
    const ParamValues params = resolve_params(*find_family("warptile"), {});
    change_sites(program, "A fragment", [](AccessSite& site) {
        site.address = [right = site.address](const Coord& at, int word) { return right(at, word / 4 * 4); };
    });
    const auto wrongs = wrongs_of(program, params);
    REQUIRE_FALSE(wrongs.empty());
    CHECK(wrongs.front() == "A fragment, block (0, 0), thread 0: address -4 is not aligned to 16 bytes");
}

TEST_CASE("results outside the matrix are faults", "[unit][families]") {
    KernelProgram program = program_of("naive", {}, {32, 33, 4});
    change_sites(program, "C store", [](AccessSite& site) { site.active = nullptr; });
    const auto wrongs = wrongs_of(program, resolve_params(*find_family("naive"), {}));
    const auto any = [&wrongs](const std::string& text) {
        return std::any_of(wrongs.begin(), wrongs.end(), [&text](const std::string& wrong) {
            return wrong.find(text) != std::string::npos;
        });
    };
    CHECK(any("C store, block (0, 1), thread 32: C[33] is written again"));
    CHECK(any("is outside C (1056 words)"));
}
