#include "traces/sass/reader/source_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "base/parse.h"

namespace gpumodel {
namespace {

constexpr std::string_view section_of_code = ".section\t.text.";
constexpr std::string_view file_mark = "//## File \"";
constexpr std::string_view line_mark = "\", line ";

std::string_view trimmed_begin(std::string_view text) {
    const auto at = text.find_first_not_of(" \t");
    return at == std::string_view::npos ? std::string_view() : text.substr(at);
}

SassFunction* function_named(std::string_view name, SassModule& module) {
    const auto found = std::find_if(module.functions.begin(), module.functions.end(),
                                    [&](const SassFunction& f) { return f.name == name; });
    return found == module.functions.end() ? nullptr : &*found;
}

// "k.cu:12" of what stands behind the mark; empty if it is no place.
std::optional<std::string> place_in(std::string_view text) {
    const auto end = text.find(line_mark);
    if (end == std::string_view::npos) {
        return std::nullopt;
    }
    auto file = text.substr(0, end);
    file.remove_prefix(file.find_last_of('/') + 1);  // npos + 1 = 0
    auto digits = text.substr(end + line_mark.size());
    digits = digits.substr(0, digits.find_first_not_of("0123456789"));
    const auto line = parse_number<int>(digits);
    return line ? std::optional(fmt::format("{}:{}", file, *line)) : std::nullopt;
}

// Of "/*00a0*/   MOV ...".
std::optional<std::uint64_t> address_in(std::string_view text) {
    if (!text.starts_with("/*")) {
        return std::nullopt;
    }
    const auto end = text.find("*/");
    std::uint64_t value = 0;
    for (const char c : text.substr(2, end == std::string_view::npos ? 0 : end - 2)) {
        const auto digit = std::string_view("0123456789abcdef").find(c);
        if (digit == std::string_view::npos || value >> 56U != 0) {
            return std::nullopt;
        }
        value = value * 16 + digit;
    }
    return end == std::string_view::npos || end == 2 ? std::nullopt : std::optional(value);
}

}  // namespace

void add_source_lines(std::string_view disassembly, SassModule& module) {
    SassFunction* function = nullptr;
    std::string place, noted;
    for (const auto whole : split(disassembly, '\n')) {
        const auto line = trimmed_begin(whole);
        if (line.starts_with(section_of_code)) {
            const auto name = line.substr(section_of_code.size());
            function = function_named(name.substr(0, name.find(',')), module);
            place.clear();
            noted.clear();
        } else if (line.starts_with(file_mark)) {
            // -gi: an inlined line is followed by the places that it was inlined at, of which the last is
            // taken
            place = place_in(line.substr(file_mark.size())).value_or(place);
        } else if (const auto address = address_in(line); address && function != nullptr && place != noted) {
            function->source_lines[*address] = place;
            noted = place;
        }
    }
}

}  // namespace gpumodel
