// Text taken apart: lists and numbers.
#include "base/parse.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <random>

using namespace gpumodel;

TEST_CASE("split gives one part more than there are separators", "[unit]") {
    using Parts = std::vector<std::string_view>;
    CHECK(split("a;b;c", ';') == Parts{"a", "b", "c"});
    CHECK(split("a", ';') == Parts{"a"});
    CHECK(split("", ';') == Parts{""});
    CHECK(split(";", ';') == Parts{"", ""});
    CHECK(split("a;;b;", ';') == Parts{"a", "", "b", ""});
}

TEST_CASE("trim takes blanks off both ends", "[unit]") {
    CHECK(trim(" \t a b\r") == "a b");
    CHECK(trim("a") == "a");
    CHECK(trim(" \t ").empty());
    CHECK(trim("").empty());
}

TEST_CASE("split parts joined again are the text", "[property]") {
    std::mt19937 random(7);
    for (int i = 0; i < 200; ++i) {
        std::string text;
        for (auto left = random() % 12; left > 0; --left) {
            text += "ab,"[random() % 3];
        }
        std::string joined;
        for (const auto part : split(text, ',')) {
            CHECK(part.find(',') == std::string_view::npos);
            joined.append(part) += ',';
        }
        CHECK(joined == text + ',');
    }
}

TEST_CASE("a number is the whole text, decimal unless another base is asked for", "[unit]") {
    CHECK(parse_number<int>("42") == 42);
    CHECK(parse_number<int>("-42") == -42);
    CHECK(parse_number<int>("ff", 16) == 255);
    CHECK(parse_number<std::int64_t>("9223372036854775807") == INT64_MAX);
    CHECK(parse_number<double>("1.5e3") == 1500.0);
    for (const auto* text : {"", " 1", "1 ", "+1", "0x10", "1;", "x", "--1", "1.5"}) {
        INFO(text);
        CHECK_FALSE(parse_number<int>(text));
    }
    CHECK_FALSE(parse_number<std::int64_t>("9223372036854775808"));
    CHECK_FALSE(parse_number<std::uint32_t>("-1"));
    for (const auto* text : {"", "nan", "inf", "-inf", "1e999", "1,5", "0x1p3", " 1.0"}) {
        INFO(text);
        CHECK_FALSE(parse_number<double>(text));
    }
}
