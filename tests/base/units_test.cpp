// Quantities: prefixes, refusals, and the round trip print -> parse.
#include "base/units.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

using namespace gpumodel;

namespace {

double parsed(const char* text, Dimension dimension) {
    const auto result = parse_quantity(text, dimension);
    INFO(text << ": " << result.fault);
    REQUIRE(result.value.has_value());
    return *result.value;
}

std::string fault(const char* text, Dimension dimension) {
    const auto result = parse_quantity(text, dimension);
    CHECK_FALSE(result.value.has_value());
    return result.fault;
}

}  // namespace

TEST_CASE("decimal and binary prefixes", "[unit]") {
    CHECK(parsed("1530 MHz", Dimension::frequency) == 1530000000.0);
    CHECK(parsed("1.53 GHz", Dimension::frequency) == 1530000000.0);
    CHECK(parsed("96 KiB", Dimension::bytes) == 98304.0);
    CHECK(parsed("1.25 MiB", Dimension::bytes) == 1310720.0);
    CHECK(parsed("12 GiB", Dimension::bytes) == 12884901888.0);
    CHECK(parsed("96 kB", Dimension::bytes) == 96000.0);
    CHECK(parsed("141 GB", Dimension::bytes) == 141000000000.0);
    CHECK(parsed("900 GB/s", Dimension::bytes_per_second) == 900e9);
    CHECK(parsed("750 GiB/s", Dimension::bytes_per_second) == 805306368000.0);
    CHECK(parsed("15.7 TFLOP/s", Dimension::flops) == 15.7e12);
    CHECK(parsed("2 us", Dimension::seconds) == 2e-6);
    CHECK(parsed("370 ns", Dimension::seconds) == 370e-9);
    CHECK(parsed("6.008 Gb/s", Dimension::bits_per_second) == 6008000000.0);
    CHECK(parsed("4096 bit", Dimension::bits) == 4096.0);
    CHECK(parsed("128 B/clk", Dimension::bytes_per_cycle) == 128.0);
    CHECK(parsed("19 cycles", Dimension::cycles) == 19.0);
    CHECK(parsed("1 cycle", Dimension::cycles) == 1.0);
    CHECK(parsed("87 %", Dimension::ratio) == 0.87);
}

TEST_CASE("ways to write a number", "[unit]") {
    CHECK(parsed("  1530   MHz ", Dimension::frequency) == 1.53e9);
    CHECK(parsed("1530MHz", Dimension::frequency) == 1.53e9);
    CHECK(parsed("1.53e3 MHz", Dimension::frequency) == 1.53e9);
    CHECK(parsed("+1.5E+3 MHz", Dimension::frequency) == 1.5e9);
    CHECK(parsed("64", Dimension::count) == 64.0);
    CHECK(parsed("0.15", Dimension::ratio) == 0.15);
    CHECK(parsed("-3 cycles", Dimension::cycles) == -3.0);  // ranges are the schema's business
}

TEST_CASE("what is no quantity", "[unit]") {
    CHECK(fault("900 GB", Dimension::bytes_per_second) ==
          "'900 GB' has unit 'GB'; allowed: B/s, MB/s, GB/s, TB/s, MiB/s, GiB/s, TiB/s");
    CHECK(fault("900 gb/s", Dimension::bytes_per_second) ==
          "'900 gb/s' has unit 'gb/s'; allowed: B/s, MB/s, GB/s, TB/s, MiB/s, GiB/s, TiB/s; nearest: GB/s");
    CHECK(fault("1530", Dimension::frequency) == "'1530' has no unit; allowed: Hz, kHz, MHz, GHz");
    CHECK(fault("64 B", Dimension::count) == "'64 B' has unit 'B'; a count takes none");
    CHECK(fault("1e400", Dimension::count) == "'1e400' is not a number that can be represented");
    CHECK(fault("1e999999999999999999999999", Dimension::count) ==
          "'1e999999999999999999999999' is not a number that can be represented");
    for (const char* text :
         {"", " ", "fast", "nan", "inf", "-inf", ".", "-", "e5", "0x10", "1.2.3", "1_000", "1,5"}) {
        INFO(text);
        CHECK_FALSE(parse_quantity(text, Dimension::count).value.has_value());
        CHECK_FALSE(parse_quantity(text, Dimension::bytes).value.has_value());
    }
}

TEST_CASE("printing picks the unit with the fewest digits", "[unit]") {
    CHECK(print_quantity(49152, Dimension::bytes) == "48 KiB");
    CHECK(print_quantity(1310720, Dimension::bytes) == "1.25 MiB");
    CHECK(print_quantity(64, Dimension::bytes) == "64 B");
    CHECK(print_quantity(0, Dimension::bytes) == "0 B");
    CHECK(print_quantity(141e9, Dimension::bytes) == "141 GB");
    CHECK(print_quantity(1.53e9, Dimension::frequency) == "1.53 GHz");
    CHECK(print_quantity(5e-6, Dimension::seconds) == "5 us");
    CHECK(print_quantity(19, Dimension::cycles) == "19 cycles");
    CHECK(print_quantity(0.7, Dimension::cycles) == "0.7 cycles");
    CHECK(print_quantity(65536, Dimension::count) == "65536");
}

TEST_CASE("what is printed parses to the same value", "[property]") {
    std::mt19937_64 random(20240611);
    std::uniform_real_distribution<double> exponent(-9, 15);
    std::uniform_real_distribution<double> mantissa(1, 10);
    for (int i = 0; i < 2000; ++i) {
        double value = mantissa(random) * std::pow(10.0, exponent(random));
        value = i % 2 == 0 ? value : std::round(value);  // half of them integers, zero among them
        for (const auto dimension :
             {Dimension::count, Dimension::ratio, Dimension::frequency, Dimension::bytes, Dimension::cycles,
              Dimension::seconds, Dimension::bytes_per_second, Dimension::flops, Dimension::bits_per_second,
              Dimension::lanes_per_cycle}) {
            const auto text = print_quantity(value, dimension);
            INFO(text);
            REQUIRE(parse_quantity(text, dimension).value == value);
        }
    }
}
