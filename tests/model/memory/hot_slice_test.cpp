// Flags, words and tables that many want, against what an H200 took (validate/data/h200_sxm_hot_lines.csv:
// 32,768 warps, the launch's 6 us taken off, 1980 MHz) and against the H200's counters.
#include "model/memory/hot_slice.h"

#include <catch2/catch.hpp>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/memory/atomic_bound.h"
#include "model/memory/costs/hot_line_costs.h"
#include "model/memory/crowded_slices.h"

using namespace gpumodel;

namespace {

// One access of 8 warps of so many blocks.
struct Access {
    Segment segment;
    AnalysedSite site;
    Access(AccessKind kind, std::string array, std::int64_t blocks,
           std::function<std::int64_t(const Coord&, int)> address) {
        AccessSite access;
        access.name = "access";
        access.kind = kind;
        access.space = MemorySpace::global;
        access.past_l1 = true;
        access.array = std::move(array);
        access.address = std::move(address);
        segment.thread_end = 8 * 32;
        segment.sites.push_back(std::move(access));
        site.segment = &segment;
        site.site = &segment.sites.front();
        site.box = {{0, 0, 0}, {blocks, 1, 1}};
        site.blocks = static_cast<double>(blocks);
        site.statistics.trips = 1;
        site.statistics.lines = 8;
    }
    Access(const Access&) = delete;
    Access& operator=(const Access&) = delete;
};

std::int64_t first_word(const Coord&, int) {
    return 0;
}

}  // namespace

TEST_CASE("a flag that every warp sets: the more it reads before, the fewer stores join", "[unit]") {
    for (const auto& [reads, measured] : {std::pair{0, 0.72}, {1, 1.3}, {2, 1.76}, {4, 2.07}, {8, 2.37}}) {
        INFO(reads << " lines read");
        Access flag(AccessKind::store, "flag", 4096, first_word);
        Access table(AccessKind::load, "table", 4096,
                     [](const Coord& at, int) { return 4096 + 4 * std::int64_t{at.thread}; });
        table.site.strides.block_x = 1024;
        table.site.statistics.trips = reads;
        CHECK(atomic_bound_cycles({flag.site, table.site}) / 32768 == Approx(measured).epsilon(0.15));
    }
}

TEST_CASE("a word, a line and two lines of a slice that every warp reads past L1", "[unit]") {
    for (const auto& [bytes, measured] : {std::pair{4, 0.58}, {128, 0.58}, {256, 1.17}}) {
        INFO(bytes << " bytes");
        Access words(AccessKind::load, "words", 4096, [bytes = bytes](const Coord& at, int) {
            return bytes / 32 * std::int64_t{at.thread % 32};
        });
        CHECK(atomic_bound_cycles({words.site}) / 32768 == Approx(measured).epsilon(0.2));
        words.segment.sites.front().past_l1 = false;  // L1 has it
        CHECK(atomic_bound_cycles({words.site}) == 0);
    }
}

TEST_CASE("stores of each block to a place of its own keep no slice busier than others", "[unit]") {
    // one stands for most, and those at the grid's edges have places beside its own
    std::vector<std::unique_ptr<Access>> blocks;
    std::vector<AnalysedSite> sites;
    for (int block = 0; block < 27; ++block) {
        blocks.push_back(std::make_unique<Access>(
            AccessKind::store, "out", block == 13 ? 4096 : 4,
            [block](const Coord& at, int) { return std::int64_t{at.thread + block * 256}; }));
        blocks.back()->site.executed = {block, 0, 0};
        blocks.back()->site.strides.block_x = 256;
        sites.push_back(blocks.back()->site);
    }
    CHECK_FALSE(find_hot_slice(sites, false));
    sites = {sites.front()};
    CHECK_FALSE(find_hot_slice(sites, false));
    CHECK_FALSE(find_hot_slice(sites, true));
}

TEST_CASE("where blocks take places by a counter, only a word that all store to is a hot one", "[unit]") {
    Access counter(AccessKind::atomic, "count", 4096, first_word);
    counter.segment.sites.front().name = "ATOMG.E.ADD.STRONG.GPU";
    counter.site.statistics.slice_cycles = 1.51;
    // executed apart, all blocks find the counter as the launch does
    Access places(AccessKind::store, "out", 4096,
                  [](const Coord& at, int) { return 4 * std::int64_t{at.thread % 32}; });
    Access flag(AccessKind::store, "flag", 4096, first_word);
    const auto bound = [](const std::vector<AnalysedSite>& sites) {
        return atomic_bound_cycles(sites, true);
    };
    const double stores = bound({places.site});
    CHECK(stores / 32768 == Approx(0.72).epsilon(0.15));  // the H200, as above
    CHECK(bound({counter.site, places.site}) < 0.5 * stores);
    CHECK(bound({counter.site, flag.site}) == Approx(bound({flag.site})));
    counter.segment.sites.front().name = "REDG.E.ADD.STRONG.GPU";  // tells nobody a place
    CHECK(bound({counter.site, places.site}) == Approx(stores));
}

TEST_CASE("small arrays beside each other have one slice where their addresses are known", "[unit]") {
    Access sum(AccessKind::atomic, "sum", 4096, first_word),
        count(AccessKind::atomic, "count", 4096, first_word);
    for (auto* access : {&sum, &count}) {
        access->site.statistics.slice_cycles = 8 * 46.4;
        access->site.footprint.first_trip = Spans{{0, 4}};
    }
    const std::vector<AnalysedSite> sites{sum.site, count.site};
    std::vector<ArrayUse> arrays{{"sum", 384, true, true}, {"count", 384, true, true}};
    const double apart = atomic_bound_cycles(sites, false, 0, arrays);
    arrays[0].address = 0x7f6b45f40000;
    arrays[1].address = 0x7f6b45f40200;  // 512 bytes: lines 0 and 4 of eight
    CHECK(atomic_bound_cycles(sites, false, 0, arrays) == Approx(2 * apart).epsilon(0.02));
    REQUIRE(find_hot_slice(sites, false, arrays));
    CHECK(find_hot_slice(sites, false, arrays)->lines.size() == 2);
    // sums of floats wait for those on their own word alone
    for (auto* access : {&sum, &count}) {
        access->segment.sites.front().name = "RED.E.ADD.F32";
    }
    const double chain = atomic_bound_cycles({sum.site}, false, 0, arrays);
    CHECK(chain > 1.5 * 8 * 4096 * 46.4);
    CHECK(atomic_bound_cycles(sites, false, 0, arrays) == Approx(chain));
    for (auto* access : {&sum, &count}) {
        access->segment.sites.front().name = "access";
    }
    arrays[1].address = 0x7f6b45f40100;  // lines 0 and 2
    CHECK(atomic_bound_cycles(sites, false, 0, arrays) == Approx(apart));
}

TEST_CASE("a table of few lines that all blocks read keeps few slices at work", "[unit]") {
    // lts__t_requests.sum / .max of an H200, of 85 where there are many lines
    for (const auto& [lines, slices] :
         {std::pair{16, 8.0}, {64, 15.9}, {128, 31.8}, {256, 42.7}, {1024, 73.0}}) {
        INFO(lines << " lines");
        std::vector<std::unique_ptr<Access>> blocks;
        std::vector<AnalysedSite> sites;
        for (int block = 0; block < 32; ++block) {
            blocks.push_back(std::make_unique<Access>(
                AccessKind::load, "table", 100, [lines = lines, block](const Coord& at, int) {
                    return 128 * (std::int64_t{at.thread * 97 + block * 31} % lines);
                }));
            blocks.back()->site.executed = {block, 0, 0};
            sites.push_back(blocks.back()->site);
        }
        const auto found = find_crowded_arrays(sites);
        REQUIRE(found.size() == 1);
        CHECK(crowding(found, "table") == Approx(85 / slices).epsilon(0.06));
        CHECK(crowding(found, "other") == 1);
        sites.resize(8);
        CHECK(find_crowded_arrays(sites).empty());  // too few to say
    }
}

TEST_CASE("lines that each block has for itself are no table", "[unit]") {
    std::vector<std::unique_ptr<Access>> blocks;
    std::vector<AnalysedSite> sites;
    for (int block = 0; block < 32; ++block) {
        blocks.push_back(std::make_unique<Access>(AccessKind::load, "in", 100, [block](const Coord& at, int) {
            return 4 * std::int64_t{at.thread + block * 256};
        }));
        blocks.back()->site.executed = {block, 0, 0};
        sites.push_back(blocks.back()->site);
    }
    CHECK(find_crowded_arrays(sites).empty());
}

TEST_CASE("executed blocks that all begin at the same lines of a table do not make it a small one",
          "[unit]") {
    // block b reads line b modulo 4096; every 4096th one was executed and stands for those behind it
    std::vector<std::unique_ptr<Access>> blocks;
    std::vector<AnalysedSite> sites;
    for (std::int64_t box = 0; box < 32; ++box) {
        blocks.push_back(std::make_unique<Access>(
            AccessKind::load, "table", 4096,
            [box](const Coord& at, int) { return 128 * (at.block_x - box * 4096) + at.thread % 32 * 4; }));
        auto& site = blocks.back()->site;
        site.box = {{box * 4096, 0, 0}, {(box + 1) * 4096, 1, 1}};
        site.executed = {box * 4096, 0, 0};
        site.strides.block_x = 128;
        sites.push_back(site);
    }
    CHECK(find_crowded_arrays(sites).empty());
    for (auto& site : sites) {
        site.strides.block_x = 0;  // those behind it read the same line
    }
    CHECK(find_crowded_arrays(sites).size() == 1);
}
