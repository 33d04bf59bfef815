// Rows of csv as text: what is written, the csv reader reads back.
#include "base/csv_text.h"

#include <catch2/catch.hpp>
#include <limits>
#include <sstream>

#include "base/csv_table.h"
#include "base/text_table.h"

using namespace gpumodel;

TEST_CASE("cells are written by their type", "[unit]") {
    CHECK(csv_record("a,b", std::string("say \"x\""), 7, -3L, true, false) ==
          "\"a,b\",\"say \"\"x\"\"\",7,-3,1,0\n");
    CHECK(csv_record(0.5, 12.0, 1e6, std::numeric_limits<double>::quiet_NaN()) == "0.5,12,1000000,\n");
    CHECK(csv_record(std::optional<double>(), std::optional(2.25), std::optional<int>()) == ",2.25,\n");
    CHECK(csv_cells("", "x") == ",x");
    CHECK(csv_record(std::vector<std::string>{"a", "", "b,c"}) == "a,,\"b,c\"\n");
}

TEST_CASE("written records read back as they were", "[property]") {
    const std::vector<std::string> cells{"plain", "a,b", "\"", "two\nlines", "", "\"quoted\", too", "end"};
    std::istringstream in(csv_record("1", "2", "3", "4", "5", "6", "7") + csv_record(cells));
    const auto table = parse_csv(in, "memory");
    REQUIRE(table.rows.size() == 1);
    REQUIRE(table.rows[0].size() == cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
        CHECK(table.rows[0][i].text == cells[i]);
    }
}

TEST_CASE("columns of text stand below each other", "[unit]") {
    CHECK(aligned({{"a", "bb", "c"}, {"long", "", "x"}, {"one"}}) ==
          "a     bb  c\n"
          "long      x\n"
          "one\n");
    CHECK(aligned({}).empty());
}
