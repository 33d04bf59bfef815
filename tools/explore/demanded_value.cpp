#include "tools/explore/demanded_value.h"

#include <charconv>

namespace gpumodel::cli {
namespace {

constexpr std::string_view demand_words = " must equal ";
constexpr std::string_view equals_sign = " = ";

std::optional<std::int64_t> whole_value(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    return fault == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

}  // namespace

std::optional<std::pair<std::string, std::int64_t>> demanded_value(const std::string& reason) {
    const auto at = reason.find(demand_words);
    if (at == std::string::npos) {
        return std::nullopt;
    }
    const std::string_view left = std::string_view(reason).substr(0, at);
    const std::string_view right = std::string_view(reason).substr(at + demand_words.size());
    const auto left_equals = left.find(equals_sign);
    const auto right_equals = right.rfind(equals_sign);
    if (left_equals == std::string_view::npos || right_equals == std::string_view::npos) {
        return std::nullopt;
    }
    const auto value = whole_value(right.substr(right_equals + equals_sign.size()));
    if (!value) {
        return std::nullopt;
    }
    return std::pair(std::string(left.substr(0, left_equals)), *value);
}

}  // namespace gpumodel::cli
