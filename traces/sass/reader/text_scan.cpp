#include "traces/sass/reader/text_scan.h"

#include <algorithm>
#include <charconv>

namespace gpumodel {

std::string_view trim(std::string_view text) {
    constexpr std::string_view blanks = " \t\r";
    const auto begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) {
        return {};
    }
    return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    std::size_t begin = 0;
    while (begin <= text.size()) {
        const auto end = std::min(text.find(separator, begin), text.size());
        parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

std::optional<std::uint64_t> parse_integer(std::string_view digits, int base) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
    if (error != std::errc{} || end != digits.data() + digits.size()) {
        return std::nullopt;
    }
    return number;
}

std::optional<std::uint64_t> parse_integer_literal(std::string_view text) {
    constexpr std::uint64_t largest = (std::uint64_t{1} << 63) - 1;  // fits std::int64_t, negated too
    if (!text.starts_with("0x")) {
        return std::nullopt;
    }
    const auto number = parse_integer(text.substr(2), 16);
    return number && *number <= largest ? number : std::nullopt;
}

std::string excerpt(std::string_view text) {
    constexpr std::size_t longest = 40;
    std::string shown(text.substr(0, longest));
    std::replace_if(
        shown.begin(), shown.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    return shown;
}

}  // namespace gpumodel
