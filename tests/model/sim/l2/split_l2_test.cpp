// Two halves of an L2 against closed forms, and against the DRAM reads that a profiler counts on an H200.
#include "model/sim/l2/split_l2.h"

#include <catch2/catch.hpp>
#include <cstdint>

#include "model/sim/l2/sector_count.h"

namespace split_l2_test {

using namespace gpumodel;
using namespace gpumodel::sim;

namespace {

double unused = 0;  // the time of DRAM

constexpr std::uint32_t whole_line = 0xffffffff;
constexpr std::int64_t line_bytes = 128;
constexpr int sectors = 4;
constexpr BlocksOfHalf first{66, 0}, second{0, 66}, both{66, 66};

std::int64_t line_of(int home) {
    std::int64_t line = 0;
    while (home_half(line) != home) {
        ++line;
    }
    return line;
}

// Mebibytes that pass through the cache and what DRAM and the way between the halves bring, over the same.
struct Walk {
    double fetched = 0, crossed = 0;
};

// Part of the data that DRAM brings in one of the passes after the first. `split`: the halves' SMs read a
// half each.
Walk warm_pass(double mib, const BlocksOfHalf& readers, bool split) {
    constexpr int one_in = 16;  // sampled, as launches are
    SplitL2 l2(2, std::int64_t{60} << 20, 16, one_in);
    const auto lines = static_cast<std::int64_t>(mib * (1 << 20)) / line_bytes;
    Walk warm;
    double read = 0;
    for (int pass = 0; pass < 3; ++pass) {
        for (std::int64_t i = 0; i < lines; ++i) {
            // a line of one half's data, then one of the other's
            const auto line = split ? i / 2 + i % 2 * lines : i;
            if (!l2.samples(line)) {
                continue;
            }
            const auto one = l2.read(line, whole_line, split ? i % 2 == 0 ? first : second : readers, unused);
            if (pass > 0) {
                warm.fetched += one.fetched;
                warm.crossed += one.crossed;
                read += sectors;
            }
        }
    }
    return {warm.fetched / read, warm.crossed / read};
}

}  // namespace

TEST_CASE("homes are dealt evenly, in pages", "[l2]") {
    int of_one = 0, changes = 0;
    constexpr int lines = 1 << 20;
    for (int line = 1; line < lines; ++line) {
        of_one += home_half(line);
        changes += home_half(line) != home_half(line - 1);
        CHECK_FALSE((line % 32 != 0 && home_half(line) != home_half(line - 1)));
    }
    CHECK(of_one == Approx(lines / 2).epsilon(0.02));
    CHECK(changes ==
          Approx(1.5 * lines / 64).epsilon(0.02));  // one within each two pages, half of one between
}

TEST_CASE("the half that reads keeps a copy, and the home what passes through", "[l2]") {
    SplitL2 l2(2, 1 << 20, 16, 1);
    const auto line = line_of(0);
    const auto cold = l2.read(line, whole_line, second, unused);
    CHECK(cold.fetched == sectors);
    CHECK(cold.crossed == sectors);
    CHECK(cold.waited == sectors * 66);
    CHECK(cold.far == 0);
    const auto at_home = l2.read(line, whole_line, first, unused);
    CHECK(at_home.fetched + at_home.crossed == 0);
    const auto again = l2.read(line, whole_line, second, unused);
    CHECK(again.fetched + again.crossed == 0);
    CHECK(l2.counts().fetched_sectors == sectors);
}

TEST_CASE("what the home has crosses once, and its readers wait for that alone", "[l2]") {
    SplitL2 l2(2, 1 << 20, 16, 1);
    const auto line = line_of(1);
    CHECK(l2.read(line, whole_line, second, unused).crossed == 0);
    const auto far = l2.read(line, whole_line, first, unused);
    CHECK(far.fetched == 0);
    CHECK(far.crossed == sectors);
    CHECK(far.far == sectors * 66);
    CHECK(far.waited == 0);
}

TEST_CASE("readers of both halves wait for one fetch", "[l2]") {
    SplitL2 l2(2, 1 << 20, 16, 1);
    const auto read = l2.read(line_of(0), whole_line, both, unused);
    CHECK(read.fetched == sectors);
    CHECK(read.crossed == sectors);
    CHECK(read.waited == sectors * 132);
    CHECK(read.far == 0);
}

TEST_CASE("a write drops the copy and stays at home", "[l2]") {
    SplitL2 l2(2, 1 << 20, 16, 1);
    const auto line = line_of(0);
    CHECK(l2.read(line, whole_line, both, unused).fetched == sectors);
    l2.write(line, 0xff, first);  // one sector
    CHECK(l2.read(line, whole_line, first, unused).fetched == 0);
    const auto far = l2.read(line, whole_line, second, unused);
    CHECK(far.fetched == 0);
    CHECK(far.crossed == 1);
}

// Cyclic walks, validate/data/h200_sxm_l2_counters.csv: four passes of which the first is cold, so 0.25 of
// the bytes are those of the cold pass, and the warm ones' part is (measured - 0.25) / 0.75. Sizes away from
// the bends.
TEST_CASE("what stays of shared and of private data is what the H200 keeps", "[l2]") {
    const auto measured = [](double part) { return Approx((part - 0.25) / 0.75).margin(0.02); };
    CHECK(warm_pass(20, both, false).fetched == measured(0.250));
    CHECK(warm_pass(26, both, false).fetched == measured(0.252));
    CHECK(warm_pass(36, both, false).fetched == measured(1.001));
    CHECK(warm_pass(36, both, false).crossed == measured(1.003));
    CHECK(warm_pass(26, first, false).fetched == measured(0.251));
    CHECK(warm_pass(40, first, false).fetched ==
          measured(0.626));  // lines at home there miss, the other home holds
    CHECK(warm_pass(52, first, false).fetched == measured(0.626));
    CHECK(warm_pass(36, first, true).fetched == measured(0.251));
    CHECK(warm_pass(48, first, true).fetched == measured(0.999));
    CHECK(warm_pass(48, first, true).crossed == Approx((0.502 - 0.128) / 0.75).margin(0.02));
}

TEST_CASE("one half is the cache itself", "[l2]") {
    SplitL2 split(1, 1 << 20, 16, 1);
    sim::L2Cache cache(1 << 20, 16, 1);
    for (std::int64_t line = 0; line < 3 << 13; ++line) {
        const auto at = line * 7 % 10007;
        CHECK(split.read(at, whole_line, {3, 0}, unused).fetched ==
              sim::sector_count(cache.fetch(at, whole_line, 1, unused)));
        if (line % 3 == 0) {
            split.write(at + 5, 0xf, {3, 0});
            cache.write(at + 5, 0xf);
        }
    }
    CHECK(split.counts().fetched_sectors == cache.counts().fetched_sectors);
    CHECK(split.counts().written_back_sectors == cache.counts().written_back_sectors);
}

}  // namespace split_l2_test
