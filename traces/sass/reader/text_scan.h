// Small helpers to take a listing's text apart.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/parse.h"

namespace gpumodel {

// "0x1f", magnitude below 2^63.
[[nodiscard]] std::optional<std::uint64_t> parse_integer_literal(std::string_view text);

// For messages: at most 40 characters, bytes outside printable ASCII as '?'.
[[nodiscard]] std::string excerpt(std::string_view text);

// What blanks and tabs separate.
[[nodiscard]] std::vector<std::string_view> words_of(std::string_view text);

}  // namespace gpumodel
