// What became of a sweep's points, and how they are dealt to shards.
#include "tools/sweep/tally.h"

#include <catch2/catch.hpp>

#include "tools/sweep/pieces/shard_cell.h"

using namespace gpumodel::cli;

TEST_CASE("a rule is a reason without one combination's values", "[unit][sweep]") {
    CHECK(rule_of("BM = 96 must be a multiple of WM = 64") == "BM must be a multiple of WM");
    CHECK(rule_of("320 registers per thread asked, 255 allowed") ==
          "N registers per thread asked, 255 allowed");
    CHECK(rule_of("") == "");
}

TEST_CASE("tallies add up, and the most frequent rule comes first", "[unit][sweep]") {
    Tally a;
    a.points = a.valid = 3;
    a.reject("BM = 1 must be even");
    Tally b;
    b.reject("K = 5 must be a multiple of BK = 8");
    b.reject("K = 7 must be a multiple of BK = 16");
    a.add(b);
    CHECK(a.points == 6);
    CHECK(a.valid == 3);
    CHECK(a.rejected() == 3);
    CHECK(tally_text(a) ==
          "6 points, 3 valid, 3 rejected:\n"
          "            2  K must be a multiple of BK\n"
          "            1  BM must be even\n");
}

TEST_CASE("shards cover all points once, and differ by one point at most", "[property][sweep]") {
    for (const std::int64_t points : {1, 7, 100, 101}) {
        for (std::int64_t count = 1; count <= std::min<std::int64_t>(points, 12); ++count) {
            std::int64_t next = 0;
            for (std::int64_t index = 1; index <= count; ++index) {
                const auto range = shard_range({index, count}, points);
                CHECK(range.begin == next);
                const auto size = range.end - range.begin;
                CHECK((size == points / count || size == points / count + 1));
                next = range.end;
            }
            CHECK(next == points);
        }
    }
}

TEST_CASE("a shard's cell reads back, and nothing else is one", "[unit][sweep]") {
    const ShardCell cell{{2, 4}, 1001, 1007, 4000, "9f3c2a11d0e4b5aa", true, true};
    const auto text = to_string(cell);
    CHECK(text == "2/4:1001-1007/4000:9f3c2a11d0e4b5aa:rejected:more");
    const auto read = parse_shard_cell(text);
    REQUIRE(read);
    CHECK(to_string(*read) == text);
    for (const auto* bad :
         {"", "2/4", "5/4:0-1/9:x", "0/4:0-1/9:x", "2/4:3-2/9:x", "2/4:0-9/9:x", "2/4:0-1:x"}) {
        INFO(bad);
        CHECK_FALSE(parse_shard_cell(bad));
    }
    CHECK(parse_shard("2/4"));
    for (const auto* bad : {"", "2", "/4", "2/", "5/4", "0/4", "2/4x", "-1/4", "2/4/4"}) {
        INFO(bad);
        CHECK_FALSE(parse_shard(bad));
    }
}
