#include "base/enum_table.h"

#include <array>
#include <catch2/catch.hpp>
#include <vector>

using namespace gpumodel;

namespace {

enum class Colour : unsigned char { red, green, blue };
enum class Nothing : unsigned char {};
struct Paint {
    Colour colour;
    int price;
};

template <typename E, typename... Words>
concept complete = requires(Words... words) {
    enum_words<E>(words...);
};

}  // namespace

TEST_CASE("the values of an enumeration are counted", "[unit]") {
    CHECK(enumerator_count<Colour> == 3);
    CHECK(enumerator_count<Nothing> == 0);
    CHECK(enumerators<Colour> == std::array{Colour::red, Colour::green, Colour::blue});
    enum class Local : unsigned char { one };
    CHECK(enumerator_count<Local> == 1);
}

TEST_CASE("a table has an entry per value or does not compile", "[unit]") {
    using Word = const char*;
    CHECK(complete<Colour, Word, Word, Word>);
    CHECK_FALSE(complete<Colour, Word, Word>);
    CHECK_FALSE(complete<Colour, Word, Word, Word, Word>);
    CHECK(enum_words<Colour>("r", "g", "b")[2] == "b");
    CHECK(enum_table<Colour, int>(7, 8, 9)[0] == 7);
}

TEST_CASE("rows that say whose they are stand in order and are all there", "[unit]") {
    using Rows = std::vector<Paint>;
    const auto in_order = [](const Rows& rows) { return rows_in_order(rows, &Paint::colour); };
    CHECK(in_order({{Colour::red, 1}, {Colour::green, 2}, {Colour::blue, 3}}));
    CHECK_FALSE(in_order({{Colour::red, 1}, {Colour::green, 2}}));
    CHECK_FALSE(in_order({{Colour::red, 1}, {Colour::blue, 3}, {Colour::green, 2}}));
    CHECK_FALSE(in_order({{Colour::red, 1}, {Colour::green, 2}, {Colour::blue, 3}, {Colour::blue, 3}}));
}
