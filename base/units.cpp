#include "base/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <tuple>
#include <vector>

#include "base/parse.h"

namespace gpumodel {

namespace {

// value in base units = number * 10^decimal_exponent * 2^binary_exponent
struct Unit {
    std::string_view name;
    Dimension dimension;
    int decimal_exponent;
    int binary_exponent;
};

// Per dimension in the order in which faults list them.
constexpr std::array units{
    Unit{"%", Dimension::ratio, -2, 0},
    Unit{"Hz", Dimension::frequency, 0, 0},
    Unit{"kHz", Dimension::frequency, 3, 0},
    Unit{"MHz", Dimension::frequency, 6, 0},
    Unit{"GHz", Dimension::frequency, 9, 0},
    Unit{"B", Dimension::bytes, 0, 0},
    Unit{"KiB", Dimension::bytes, 0, 10},
    Unit{"MiB", Dimension::bytes, 0, 20},
    Unit{"GiB", Dimension::bytes, 0, 30},
    Unit{"kB", Dimension::bytes, 3, 0},
    Unit{"MB", Dimension::bytes, 6, 0},
    Unit{"GB", Dimension::bytes, 9, 0},
    Unit{"cycles", Dimension::cycles, 0, 0},
    Unit{"cycle", Dimension::cycles, 0, 0},
    Unit{"s", Dimension::seconds, 0, 0},
    Unit{"ms", Dimension::seconds, -3, 0},
    Unit{"us", Dimension::seconds, -6, 0},
    Unit{"ns", Dimension::seconds, -9, 0},
    Unit{"B/s", Dimension::bytes_per_second, 0, 0},
    Unit{"MB/s", Dimension::bytes_per_second, 6, 0},
    Unit{"GB/s", Dimension::bytes_per_second, 9, 0},
    Unit{"TB/s", Dimension::bytes_per_second, 12, 0},
    Unit{"MiB/s", Dimension::bytes_per_second, 0, 20},
    Unit{"GiB/s", Dimension::bytes_per_second, 0, 30},
    Unit{"TiB/s", Dimension::bytes_per_second, 0, 40},
    Unit{"B/clk", Dimension::bytes_per_cycle, 0, 0},
    Unit{"FLOP/s", Dimension::flops, 0, 0},
    Unit{"MFLOP/s", Dimension::flops, 6, 0},
    Unit{"GFLOP/s", Dimension::flops, 9, 0},
    Unit{"TFLOP/s", Dimension::flops, 12, 0},
    Unit{"bit", Dimension::bits, 0, 0},
    Unit{"b/s", Dimension::bits_per_second, 0, 0},
    Unit{"Mb/s", Dimension::bits_per_second, 6, 0},
    Unit{"Gb/s", Dimension::bits_per_second, 9, 0},
    Unit{"lanes/clk", Dimension::lanes_per_cycle, 0, 0},
    Unit{"threads/clk", Dimension::threads_per_cycle, 0, 0},
    Unit{"blocks/clk", Dimension::blocks_per_cycle, 0, 0},
    Unit{"reads/clk", Dimension::reads_per_cycle, 0, 0},
    Unit{"lines/clk", Dimension::lines_per_cycle, 0, 0},
    Unit{"W", Dimension::watts, 0, 0},
    Unit{"pJ", Dimension::joules, -12, 0},
    Unit{"nJ", Dimension::joules, -9, 0},
    Unit{"uJ", Dimension::joules, -6, 0},
    Unit{"J", Dimension::joules, 0, 0},
};

bool bare_number_allowed(Dimension dimension) {
    return dimension == Dimension::count || dimension == Dimension::ratio;
}

// A decimal number split at its exponent, so that a unit's power of ten can be added to it.
struct Decimal {
    std::string mantissa;
    long exponent = 0;
    std::string_view rest;  // the unit
    bool found = false;
};

Decimal split_decimal(std::string_view text) {
    std::size_t at = 0;
    std::size_t digits = 0;
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) {
        ++at;
    }
    for (; at < text.size() && (is_digit(text[at]) || text[at] == '.'); ++at) {
        digits += is_digit(text[at]) ? 1U : 0U;
    }
    Decimal decimal;
    decimal.found = digits > 0;
    decimal.mantissa = text.substr(text.starts_with('+') ? 1 : 0, at - (text.starts_with('+') ? 1 : 0));
    if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
        const char* begin = text.data() + at + 1;
        const char* end = text.data() + text.size();
        begin += begin != end && *begin == '+' ? 1 : 0;
        const auto [stop, error] = std::from_chars(begin, end, decimal.exponent);
        if (stop != begin) {
            // An exponent that no long holds is out of any range; the sign decides nothing here.
            decimal.exponent = error == std::errc{} ? decimal.exponent : 100000;
            at = static_cast<std::size_t>(stop - text.data());
        }
    }
    decimal.rest = trim(text.substr(at));
    return decimal;
}

std::optional<double> scaled(const Decimal& decimal, const Unit& unit) {
    const auto text = fmt::format("{}e{}", decimal.mantissa, decimal.exponent + unit.decimal_exponent);
    const auto number = parse_number<double>(text);
    if (!number) {
        return std::nullopt;
    }
    const double value = std::ldexp(*number, unit.binary_exponent);
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::vector<std::string> unit_names(Dimension dimension) {
    std::vector<std::string> names;
    for (const auto& unit : units) {
        if (unit.dimension == dimension) {
            names.emplace_back(unit.name);
        }
    }
    return names;
}

// Units are a few letters long, so everything is near everything; only a slip of case is worth a hint.
std::string other_case_hint(std::string_view unit, Dimension dimension) {
    const auto same_letter = [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
    };
    for (const auto& name : unit_names(dimension)) {
        if (std::equal(name.begin(), name.end(), unit.begin(), unit.end(), same_letter)) {
            return "; nearest: " + name;
        }
    }
    return "";
}

std::string unit_fault(std::string_view text, std::string_view unit, Dimension dimension) {
    if (dimension == Dimension::count) {
        return fmt::format("{} has unit {}; a count takes none", cite(text), cite(unit));
    }
    if (unit.empty()) {
        return fmt::format("{} has no unit; allowed: {}", cite(text), allowed_units(dimension));
    }
    return fmt::format("{} has unit {}; allowed: {}{}", cite(text), cite(unit), allowed_units(dimension),
                       other_case_hint(unit, dimension));
}

// Digits of the number in front, without leading and trailing zeros: "1.25 MiB" has 3, "1280 KiB" too.
std::size_t significant_digits(std::string_view text) {
    std::string digits;
    for (const char c : text.substr(0, text.find_first_of("e "))) {
        if (is_digit(c) && (c != '0' || !digits.empty())) {
            digits += c;
        }
    }
    return digits.find_last_not_of('0') + 1;
}

}  // namespace

ParsedQuantity parse_quantity(std::string_view text, Dimension dimension) {
    const auto decimal = split_decimal(trim(text));
    if (!decimal.found) {
        const auto unit = allowed_units(dimension);
        return {std::nullopt, fmt::format("{} is not a number{}", cite(text),
                                          unit == "none" ? "" : " with a unit; allowed: " + unit)};
    }
    static constexpr Unit bare{"", Dimension::count, 0, 0};
    const Unit* unit = decimal.rest.empty() && bare_number_allowed(dimension) ? &bare : nullptr;
    for (const auto& candidate : units) {
        if (candidate.dimension == dimension && candidate.name == decimal.rest) {
            unit = &candidate;
        }
    }
    if (unit == nullptr) {
        return {std::nullopt, unit_fault(text, decimal.rest, dimension)};
    }
    const auto value = scaled(decimal, *unit);
    if (!value) {
        return {std::nullopt, fmt::format("{} is not a number that can be represented", cite(text))};
    }
    return {value, ""};
}

std::string print_quantity(double value, Dimension dimension) {
    if (bare_number_allowed(dimension)) {
        return fmt::format("{}", value);
    }
    std::string best;
    std::tuple<bool, std::size_t, bool> best_cost;
    for (const auto& unit : units) {
        if (unit.dimension != dimension || unit.name == "cycle") {
            continue;
        }
        const double number =
            std::ldexp(unit.decimal_exponent < 0 ? value * std::pow(10.0, -unit.decimal_exponent)
                                                 : value / std::pow(10.0, unit.decimal_exponent),
                       -unit.binary_exponent);
        const auto text = fmt::format("{} {}", number, unit.name);
        const bool small = number == 0 ? !best.empty() : std::abs(number) < 1;  // zero: the base unit
        const std::tuple cost{small, significant_digits(text), std::abs(number) >= 1000};
        if (parse_quantity(text, dimension).value == value && (best.empty() || cost <= best_cost)) {
            best = text;
            best_cost = cost;
        }
    }
    return best;
}

std::string allowed_units(Dimension dimension) {
    std::string text;
    for (const auto& name : unit_names(dimension)) {
        if (name != "cycle") {
            text.append(text.empty() ? "" : ", ").append(name);
        }
    }
    return text.empty() ? "none" : text;
}

std::string base_unit(Dimension dimension) {
    const auto names = unit_names(dimension);
    return names.empty() || bare_number_allowed(dimension) ? "" : names.front();
}

std::string cite(std::string_view text) {
    constexpr std::size_t longest = 40;
    return text.size() <= longest ? fmt::format("'{}'", text)
                                  : fmt::format("'{}...'", text.substr(0, longest));
}

}  // namespace gpumodel
