// The worked examples of the vendor's guides and slides on global memory.
#include <catch2/catch.hpp>
#include <vector>

#include "model/memory/coalescing/coalescing.h"
#include "tests/support/patterns.h"

using namespace gpumodel;
using namespace gpumodel::test;

namespace {

Coalescing by(const WarpAccess& access, CoalescingRule rule, GlobalPath path = GlobalPath::l1_cached) {
    return analyse_coalescing(access, rule, path);
}

WarpAccess scattered() {
    WarpAccess access;
    for (std::size_t lane = 0; lane < 32; ++lane) {
        access.address[lane] = static_cast<std::int64_t>((lane * 37 + 11) % 32) * 4096;
    }
    return access;
}

// Both accesses of a half-warp's worth of the "copy with offset" kernel move this much more than aligned.
double offset_penalty(CoalescingRule rule) {
    return static_cast<double>(by(strided(1, 4), rule).bytes_moved) /
           static_cast<double>(by(strided(1), rule).bytes_moved);
}

}  // namespace

TEST_CASE("Fermi slides: caching and non-caching loads", "[unit][coalescing]") {
    std::mt19937 random(5);
    struct Case {
        const char* name;
        WarpAccess access;
        int lines;
        double cached_utilisation;
        int segments;
        double uncached_utilisation;
    };
    const std::vector<Case> cases{
        {"aligned", strided(1), 1, 1.0, 4, 1.0},
        {"permuted", permuted(strided(1), 32, random), 1, 1.0, 4, 1.0},
        {"misaligned", strided(1, 4), 2, 0.5, 5, 0.8},
        {"misaligned by a segment", strided(1, 32), 2, 0.5, 4, 1.0},
        {"same word", strided(0), 1, 0.03125, 1, 0.125},
        {"scattered", scattered(), 32, 128.0 / (32 * 128), 32, 128.0 / (32 * 32)},
    };
    for (const auto& c : cases) {
        INFO(c.name);
        const auto cached = by(c.access, CoalescingRule::cc2_x);
        CHECK(cached.transactions == c.lines);
        CHECK(cached.bytes_moved == 128 * c.lines);
        CHECK(cached.efficiency() == c.cached_utilisation);
        const auto uncached = by(c.access, CoalescingRule::cc2_x, GlobalPath::l1_bypassed);
        CHECK(uncached.transactions == c.segments);
        CHECK(uncached.bytes_moved == 32 * c.segments);
        CHECK(uncached.efficiency() == c.uncached_utilisation);
    }
}

TEST_CASE("Kepler guide: global loads go by L2 sectors, read-only loads too", "[unit][coalescing]") {
    for (const auto path : {GlobalPath::l1_bypassed, GlobalPath::read_only}) {
        CHECK(by(strided(1), CoalescingRule::cc3_x, path).transactions == 4);
        CHECK(by(strided(1, 4), CoalescingRule::cc3_x, path).transactions == 5);
        CHECK(by(strided(1), CoalescingRule::cc5_x, path).transactions == 4);
    }
    // GK110B with -dlcm=ca behaves as Fermi.
    CHECK(by(strided(1, 4), CoalescingRule::cc3_x).bytes_moved == 256);
}

TEST_CASE("best practices guide: offsets on a V100", "[unit][coalescing]") {
    for (int offset = 0; offset <= 32; ++offset) {
        INFO("offset " << offset);
        CHECK(by(strided(1, 4 * offset), CoalescingRule::cc6_x).sectors == (offset % 8 == 0 ? 4 : 5));
    }
    auto few = strided(1);
    few.active = 0x80808080U;  // one lane of each segment: the full segments are fetched anyway
    CHECK(by(few, CoalescingRule::cc6_x).transactions == 4);
    std::mt19937 random(3);
    CHECK(by(permuted(strided(1), 32, random), CoalescingRule::cc6_x).transactions == 4);
}

TEST_CASE("best practices guide: strides on a V100", "[unit][coalescing]") {
    const auto two = by(strided(2), CoalescingRule::cc6_x);
    CHECK(two.sectors == 8);
    CHECK(two.efficiency() == 0.5);
    CHECK(by(strided(8), CoalescingRule::cc6_x).sectors == 32);
    CHECK(by(strided(100), CoalescingRule::cc6_x).sectors == 32);
}

TEST_CASE("wide words: requests of the older rules, sectors of the newer", "[unit][coalescing]") {
    const auto fermi64 = by(strided(1, 0, 8), CoalescingRule::cc2_x);
    CHECK(fermi64.requests == 2);
    CHECK(fermi64.transactions == 2);
    const auto fermi128 = by(strided(1, 0, 16), CoalescingRule::cc2_x);
    CHECK(fermi128.requests == 4);
    CHECK(fermi128.transactions == 4);
    CHECK(by(strided(0, 0, 16), CoalescingRule::cc2_x).transactions == 4);  // one line, asked for four times
    const auto volta128 = by(strided(1, 0, 16), CoalescingRule::cc6_x);
    CHECK(volta128.requests == 1);
    CHECK(volta128.sectors == 16);
    CHECK(volta128.lines == 4);
    CHECK(by(strided(0, 0, 16), CoalescingRule::cc6_x).sectors == 1);
}

TEST_CASE("G80 and GT200 slides: copy with offset", "[unit][coalescing]") {
    // Published: FX 5600 (cc 1.0) drops by a factor of 8, GTX 280 (cc 1.3) by 1.7.
    CHECK(offset_penalty(CoalescingRule::cc1_0) == Approx(8).epsilon(0.05));
    CHECK(offset_penalty(CoalescingRule::cc1_2) == Approx(1.7).epsilon(0.05));
}

TEST_CASE("cc 1.0: coalesced or one transaction per lane", "[unit][coalescing]") {
    const auto rule = CoalescingRule::cc1_0;
    CHECK(by(strided(1), rule).transactions == 2);  // one 64 B per half-warp
    CHECK(by(strided(1), rule).bytes_moved == 128);
    CHECK(by(strided(1, 0, 8), rule).transactions == 2);     // one 128 B
    CHECK(by(strided(1, 0, 16), rule).transactions == 4);    // two 128 B
    CHECK(by(strided(1, 128, 16), rule).transactions == 4);  // which need only 128 B alignment
    CHECK(by(strided(1, 64, 8), rule).transactions == 32);   // misaligned for its 128 B window
    CHECK(by(strided(1, 0, 2), rule).transactions == 32);    // 2-byte words never coalesce
    CHECK(by(strided(2), rule).transactions == 32);
    auto idle = strided(1);
    idle.active = 0xfffefffbU;
    CHECK(by(idle, rule).transactions == 2);
    auto swapped = strided(1);
    std::swap(swapped.address[4], swapped.address[5]);
    CHECK(by(swapped, rule).transactions == 16 + 1);
    // OpenCL slides: naive transpose, one row per lane, 16 transactions per half-warp
    CHECK(by(strided(2048), rule).transactions == 32);
    CHECK(by(strided(2048), CoalescingRule::cc1_2).transactions == 32);
}

TEST_CASE("cc 1.2: segments of a half-warp shrink to what is touched", "[unit][coalescing]") {
    const auto half = [](std::int64_t offset, int width) {
        auto access = strided(1, offset, width);
        access.active = 0xffffU;
        return analyse_coalescing_verbose(access, CoalescingRule::cc1_2, GlobalPath::l1_cached).list;
    };
    using List = std::vector<Transaction>;
    CHECK(half(0, 4) == List{{0, 64}});
    CHECK(half(64, 4) == List{{64, 64}});
    CHECK(half(4, 4) == List{{0, 128}});              // within one 128 B segment: one transaction
    CHECK(half(72, 4) == List{{64, 64}, {128, 32}});  // split over two segments: 64 B and 32 B
    CHECK(half(96, 4) == List{{96, 32}, {128, 32}});
    CHECK(half(0, 1) == List{{0, 32}});
    CHECK(half(24, 1) == List{{0, 32}, {32, 32}});
    CHECK(half(0, 2) == List{{0, 32}});
    CHECK(half(16, 2) == List{{0, 64}});
    CHECK(half(0, 8) == List{{0, 128}});
    CHECK(half(0, 16) == List{{0, 128}, {128, 128}});
}
