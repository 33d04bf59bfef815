// Small helpers to take a listing's text apart.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpumodel {

[[nodiscard]] std::string_view trim(std::string_view text);
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);

// All of `digits` in the base; empty for anything else, also for more than 64 bits.
[[nodiscard]] std::optional<std::uint64_t> parse_integer(std::string_view digits, int base);

// "0x1f", magnitude below 2^63.
[[nodiscard]] std::optional<std::uint64_t> parse_integer_literal(std::string_view text);

// For messages: at most 40 characters, bytes outside printable ASCII as '?'.
[[nodiscard]] std::string excerpt(std::string_view text);

}  // namespace gpumodel
