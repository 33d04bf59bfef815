#include "base/number_text.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

namespace gpumodel {
namespace {

// As {:.Nf} of fmt, which takes its slow way with so many digits.
std::string fixed(double value, int decimals) {
    std::array<char, 400> text{};  // 309 digits before the point
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, decimals).ptr;
    return {text.data(), end};
}

}  // namespace

std::string number(double value) {
    if (!std::isfinite(value)) {
        return "";
    }
    if (value == std::floor(value) && std::abs(value) < 1e15) {
        return fixed(value, 0);
    }
    const double magnitude = std::abs(value);
    const int before = magnitude >= 1 ? static_cast<int>(std::floor(std::log10(magnitude))) + 1 : 0;
    auto text = fixed(value, std::max(0, 7 - before) + (magnitude < 0.01 ? 4 : 0));
    if (text.find('.') != std::string::npos) {
        text.erase(text.find_last_not_of('0') + 1);
        if (text.back() == '.') {
            text.pop_back();
        }
    }
    return text;
}

std::string human_si(double value, const std::string& unit) {
    static constexpr std::array<const char*, 6> prefixes{"", "k", "M", "G", "T", "P"};
    std::size_t i = 0;
    while (std::abs(value) >= 1000 && i + 1 < prefixes.size()) {
        value /= 1000;
        ++i;
    }
    return fmt::format("{:.4g} {}{}", value, prefixes[i], unit);
}

std::string human_bytes(double bytes) {
    return human_si(bytes, "B");
}

std::string human_time(double seconds) {
    if (seconds >= 1) {
        return fmt::format("{:.4g} s", seconds);
    }
    if (seconds >= 1e-3) {
        return fmt::format("{:.4g} ms", seconds * 1e3);
    }
    return fmt::format("{:.4g} us", seconds * 1e6);
}

std::string grouped(std::int64_t value) {
    auto text = std::to_string(value);
    for (auto at = static_cast<std::int64_t>(text.size()) - 3; at > 0; at -= 3) {
        text.insert(static_cast<std::size_t>(at), ",");
    }
    return text;
}

}  // namespace gpumodel
