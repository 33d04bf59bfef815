// Values of options: what is taken, and how all faults come together.
#include "tools/cli/option_values.h"

#include <catch2/catch.hpp>

using namespace gpumodel;
using namespace gpumodel::cli;

namespace {

std::vector<std::string> faults_of(OptionFaults& faults) {
    std::vector<std::string> lines;
    try {
        faults.throw_if_any();
    } catch (const InputError& error) {
        CHECK(error.kind() == InputErrorKind::usage);
        for (const auto& fault : error.diagnostics()) {
            lines.push_back(to_string(fault));
        }
    }
    return lines;
}

}  // namespace

TEST_CASE("whole numbers are decimal or hexadecimal and within their range", "[unit]") {
    OptionFaults faults;
    CHECK(faults.whole_number("12", "-m") == 12);
    CHECK(faults.whole_number("0x1F", "-m") == 31);
    CHECK(faults.whole_number("-3", "-m", {-5, 5}) == -3);
    CHECK(faults.number_or("", "-m", 7) == 7);
    CHECK_FALSE(faults.any());
    for (const auto* text : {"", "x", "1e3", "1.5", "--1", "0x", " 1", "1 "}) {
        INFO(text);
        CHECK_FALSE(faults.whole_number(text, "-m"));
    }
    CHECK_FALSE(faults.whole_number("6", "-n", {-5, 5}));
    CHECK_FALSE(faults.whole_number("99999999999999999999", "-n", {-5, 5}));
    const auto lines = faults_of(faults);
    REQUIRE(lines.size() == 10);
    CHECK(lines[1] == "-m: 'x' is not a whole number");
    CHECK(lines[8] == "-n: 6 is out of range; allowed -5 to 5");
    CHECK(lines[9] == "-n: 99999999999999999999 is out of range; allowed -5 to 5");
}

TEST_CASE("dimensions that are left out are the lowest", "[unit]") {
    using Dimensions = std::array<std::int64_t, 3>;
    OptionFaults faults;
    CHECK(faults.dimensions("4", "--grid", 1, {9, 9, 9}) == Dimensions{4, 1, 1});
    CHECK(faults.dimensions("4,5", "--block", 0, {9, 9, 9}) == Dimensions{4, 5, 0});
    CHECK(faults.dimensions("4,5,6", "--grid", 1, {9, 9, 9}) == Dimensions{4, 5, 6});
    CHECK_FALSE(faults.any());
    CHECK_FALSE(faults.dimensions("1,2,3,4", "--grid", 1, {9, 9, 9}));
    CHECK_FALSE(faults.dimensions("1,,3", "--grid", 1, {9, 9, 9}));
    CHECK_FALSE(faults.dimensions("1,10", "--grid", 1, {99, 9, 9}));
    CHECK(faults_of(faults) == std::vector<std::string>{"--grid: '1,2,3,4' has more than three dimensions",
                                                        "--grid: '' is not a whole number",
                                                        "--grid: 10 is out of range; allowed 1 to 9"});
}

TEST_CASE("one of several names, the nearest named for a slip", "[unit]") {
    OptionFaults faults;
    const std::vector<std::string> names{"text", "json", "csv"};
    CHECK(faults.one_of("csv", names, "--format") == 2);
    CHECK_FALSE(faults.any());
    CHECK(faults.one_of("jsn", names, "--format") == 0);
    CHECK(faults_of(faults) ==
          std::vector<std::string>{"--format: 'jsn' is none of text, json, csv; nearest: json"});
}

TEST_CASE("usage faults of work join the list, others pass through", "[unit]") {
    OptionFaults faults;
    faults.add("-m", "first");
    faults.collect([] { throw InputError(InputErrorKind::usage, {{"", 0, 0, "-n", "second"}}); });
    CHECK_THROWS_AS(faults.collect([] {
        throw InputError(InputErrorKind::invalid_input, {{"a.yaml", 1, 1, "", "bad"}});
    }),
                    InputError);
    CHECK(faults_of(faults) == std::vector<std::string>{"-m: first", "-n: second"});
}
