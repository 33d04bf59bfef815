// Columns of text.
#include "base/text_table.h"

#include <catch2/catch.hpp>

using gpumodel::aligned;

TEST_CASE("columns are as wide as their widest cell, two spaces apart", "[unit]") {
    CHECK(aligned({{"a", "bb", "c"}, {"long", "b", "c"}}) ==
          "a     bb  c\n"
          "long  b   c\n");
}

TEST_CASE("rows may be shorter than others, and no line ends in spaces", "[unit]") {
    CHECK(aligned({{"a"}, {"bb", "x"}, {}, {"", "y"}}) == "a\nbb  x\n\n    y\n");
    CHECK(aligned({{"a", ""}, {"b", " "}}) == "a\nb\n");
    CHECK(aligned({}).empty());
}
