// Text taken apart: lists and numbers.
#pragma once

#include <charconv>
#include <cmath>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpumodel {

[[nodiscard]] constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// Without blanks, tabs and carriage returns around it.
[[nodiscard]] std::string_view trim(std::string_view text);

// The parts between separators, one more than there are separators. They point into `text`.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);

// All of `text` as a number: a decimal one for floating point, whole numbers in the base. Empty for anything
// else (blanks, a plus, "0x"), for what the type cannot hold, and for infinities and NaN.
template <class Number>
[[nodiscard]] std::optional<Number> parse_number(std::string_view text, int base = 10) {
    Number value{};
    const auto* const end = text.data() + text.size();
    std::from_chars_result result{};
    if constexpr (std::floating_point<Number>) {
        result = std::from_chars(text.data(), end, value);
        if (!std::isfinite(value)) {
            return std::nullopt;
        }
    } else {
        result = std::from_chars(text.data(), end, value, base);
    }
    return result.ec == std::errc() && result.ptr == end ? std::optional(value) : std::nullopt;
}

}  // namespace gpumodel
