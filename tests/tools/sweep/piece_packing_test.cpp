// What ranks of a sweep send to each other arrives as it was.
#include "tools/sweep/pieces/piece_packing.h"

#include <catch2/catch.hpp>
#include <limits>

using namespace gpumodel::cli;

TEST_CASE("a piece unpacked is the piece that was packed", "[unit][sweep]") {
    PieceResult sent;
    sent.points = {3, std::int64_t{1} << 40};
    sent.tally.points = 7;
    sent.tally.valid = 5;
    sent.tally.failed = 1;
    sent.tally.rules = {{"BM must be a multiple of TM", 2}, {"", 1}};
    sent.rows.push_back({4, 0, 1, 0.1, false, "a,\"b\"\nline\xff two\n"});
    sent.rows.push_back({std::numeric_limits<std::int64_t>::max(), 2, 3,
                         std::numeric_limits<double>::denorm_min(), true, std::string("\0x", 2)});
    const auto got = unpacked(packed(sent));
    CHECK(got.points.begin == sent.points.begin);
    CHECK(got.points.end == sent.points.end);
    CHECK(got.tally.points == 7);
    CHECK(got.tally.valid == 5);
    CHECK(got.tally.failed == 1);
    CHECK(got.tally.rules == sent.tally.rules);
    REQUIRE(got.rows.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
        CHECK(got.rows[i].point == sent.rows[i].point);
        CHECK(got.rows[i].arch == sent.rows[i].arch);
        CHECK(got.rows[i].shape == sent.rows[i].shape);
        CHECK(got.rows[i].seconds == sent.rows[i].seconds);
        CHECK(got.rows[i].rejected == sent.rows[i].rejected);
        CHECK(got.rows[i].text == sent.rows[i].text);
    }
    CHECK(unpacked(packed({})).rows.empty());
    const auto bytes = packed(sent);
    CHECK_THROWS(unpacked(bytes.substr(0, bytes.size() / 2)));
}
