// Rows of csv as text (RFC 4180).
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/number_text.h"

namespace gpumodel {

// Quoted when it holds a comma, a quote or a line break.
[[nodiscard]] std::string csv_field(std::string_view text);

// Text as csv_field gives it, whole numbers in full, others as number() prints them, true as 1 and false as
// 0; empty for an empty optional.
[[nodiscard]] inline std::string csv_cell(std::string_view text) {
    return csv_field(text);
}
template <class Number>
requires std::integral<Number> || std::floating_point<Number>
[[nodiscard]] std::string csv_cell(Number value) {
    if constexpr (std::integral<Number>) {
        return std::to_string(value);
    } else {
        return number(value);
    }
}
template <class Value>
[[nodiscard]] std::string csv_cell(const std::optional<Value>& value) {
    return value ? csv_cell(*value) : std::string();
}

// "a,b,c"
template <class First, class... Others>
[[nodiscard]] std::string csv_cells(const First& first, const Others&... others) {
    std::string text = csv_cell(first);
    ((text += ',' + csv_cell(others)), ...);
    return text;
}

// The same with a line feed behind.
template <class... Cells>
[[nodiscard]] std::string csv_record(const Cells&... cells) {
    return csv_cells(cells...) + '\n';
}
[[nodiscard]] std::string csv_record(const std::vector<std::string>& cells);
[[nodiscard]] std::string csv_table(const std::vector<std::vector<std::string>>& records);

}  // namespace gpumodel
