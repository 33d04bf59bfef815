#include "traces/sass/reader/text_scan.h"

#include <algorithm>

namespace gpumodel {

std::optional<std::uint64_t> parse_integer_literal(std::string_view text) {
    constexpr std::uint64_t largest = (std::uint64_t{1} << 63) - 1;  // fits std::int64_t, negated too
    if (!text.starts_with("0x")) {
        return std::nullopt;
    }
    const auto number = parse_number<std::uint64_t>(text.substr(2), 16);
    return number && *number <= largest ? number : std::nullopt;
}

std::string excerpt(std::string_view text) {
    constexpr std::size_t longest = 40;
    std::string shown(text.substr(0, longest));
    std::replace_if(
        shown.begin(), shown.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    return shown;
}

std::vector<std::string_view> words_of(std::string_view text) {
    std::vector<std::string_view> words;
    while (!text.empty()) {
        const auto end = std::min(text.find_first_of(" \t"), text.size());
        if (end > 0) {
            words.push_back(text.substr(0, end));
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return words;
}

}  // namespace gpumodel
