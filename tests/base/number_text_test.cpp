// Numbers for programs and for people. Expected texts by hand.
#include "base/number_text.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>

#include "base/csv_table.h"
#include "base/csv_text.h"
#include "base/demangle.h"

using namespace gpumodel;

TEST_CASE("numbers for programs: plain decimals of seven digits, nothing for what is no number", "[unit]") {
    CHECK(number(0) == "0");
    CHECK(number(-3) == "-3");
    CHECK(number(123456789012.0) == "123456789012");
    CHECK(number(0.5) == "0.5");
    CHECK(number(1.0 / 3) == "0.3333333");
    CHECK(number(1234.56789) == "1234.568");
    CHECK(number(1e-3) == "0.001");
    CHECK(number(2.0 / 300) == "0.00666666667");
    CHECK(number(std::numeric_limits<double>::quiet_NaN()).empty());
    CHECK(number(std::numeric_limits<double>::infinity()).empty());
}

TEST_CASE("numbers for programs read back to the digits of their contract and have no exponent",
          "[property]") {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> exponent(-3, 14);
    for (int i = 0; i < 2000; ++i) {
        const double value = (i % 2 == 0 ? 1 : -1) * std::pow(10.0, exponent(random));
        const auto text = number(value);
        INFO(text);
        REQUIRE(text.find_first_not_of("-.0123456789") == std::string::npos);
        const double last_digit = std::abs(value) >= 1 ? 1e-6 * std::abs(value) : 1e-7;
        REQUIRE(std::abs(std::stod(text) - value) <= 0.51 * last_digit);
    }
}

TEST_CASE("numbers for people carry an SI prefix and four digits", "[unit]") {
    CHECK(human_time(1.25) == "1.25 s");
    CHECK(human_time(0.0575) == "57.5 ms");
    CHECK(human_time(1e-3) == "1 ms");
    CHECK(human_time(9.593e-6) == "9.593 us");
    CHECK(human_time(5e-9) == "0.005 us");
    CHECK(human_si(999, "Hz") == "999 Hz");
    CHECK(human_si(1000, "Hz") == "1 kHz");
    CHECK(human_si(-4.671e9, "B/s") == "-4.671 GB/s");
    CHECK(human_si(2e18, "FLOP") == "2000 PFLOP");  // no prefix beyond
    CHECK(human_bytes(98304) == "98.3 kB");
}

TEST_CASE("csv fields are quoted where RFC 4180 asks for it, and the reader gives them back", "[unit][csv]") {
    CHECK(csv_field("plain") == "plain");
    CHECK(csv_field("a b;c") == "a b;c");
    CHECK(csv_field("a,b") == "\"a,b\"");
    CHECK(csv_field("say \"x\"") == "\"say \"\"x\"\"\"");
    for (const std::string text : {"a,\"b\"\r\nc", "\n", "\"", ",", ""}) {
        std::istringstream in("x,y\n" + csv_field(text) + ",end\n");
        CHECK(parse_csv(in, "t").rows.at(0).at(0).text == text);
    }
}

TEST_CASE("mangled names are readable, others stay", "[unit]") {
    CHECK(readable_entry("_Z5saxpyifPKfPf") == "saxpy(int, float, float const*, float*)");
    CHECK(readable_entry("saxpy") == "saxpy");
    CHECK(readable_entry("_Znot a name") == "_Znot a name");
    CHECK(readable_entry("").empty());
}
