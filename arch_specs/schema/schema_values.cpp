// Texts to values and back, by the schema's rules.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "arch_specs/schema/schema.h"
#include "base/diagnostics.h"
#include "base/parse.h"

namespace gpumodel {

namespace {

ParsedValue parse_number(const Field& field, std::string_view text) {
    const auto parsed = parse_quantity(text, field.dimension);
    if (!parsed.value) {
        return {{}, parsed.fault};
    }
    const double value = *parsed.value;
    if (value < field.min || value > field.max) {
        return {{}, fmt::format("{} is out of range; allowed: {}", cite(text), allowed_values(field))};
    }
    if (field.whole && value != std::floor(value)) {
        return {{},
                fmt::format("{} is not a whole number{}", cite(text),
                            field.dimension == Dimension::bytes ? " of bytes" : "")};
    }
    return {value, ""};
}

ParsedValue parse_flag(std::string_view text) {
    if (text == "true" || text == "false") {
        return {text == "true", ""};
    }
    return {{}, fmt::format("{} is not a flag; allowed: true, false", cite(text))};
}

ParsedValue parse_word(const Field& field, std::string_view text) {
    if (field.words.empty()) {
        constexpr std::size_t longest = 200;
        if (text.empty() || text.size() > longest) {
            return {{}, fmt::format("expected a text of 1 to {} characters", longest)};
        }
        return {std::string(text), ""};
    }
    if (std::find(field.words.begin(), field.words.end(), text) != field.words.end()) {
        return {std::string(text), ""};
    }
    const std::vector<std::string> words(field.words.begin(), field.words.end());
    return {{},
            fmt::format("{} is not valid; allowed: {}{}", cite(text), allowed_values(field),
                        nearest_hint(text, words))};
}

ParsedValue parse_compute_capability(std::string_view text) {
    const bool fits =
        (text.size() == 3 && is_digit(text[0]) && text[1] == '.' && is_digit(text[2])) ||
        (text.size() == 4 && is_digit(text[0]) && is_digit(text[1]) && text[2] == '.' && is_digit(text[3]));
    if (fits && text != "0.0") {
        return {std::string(text), ""};
    }
    return {{}, fmt::format("{} is not a compute capability; expected MAJOR.MINOR, e.g. 7.0", cite(text))};
}

std::vector<std::string> split_list(std::string_view text) {
    if (text.starts_with('[') && text.ends_with(']')) {
        text = text.substr(1, text.size() - 2);
    }
    std::vector<std::string> items;
    if (text.find_first_not_of(' ') == std::string_view::npos) {
        return items;
    }
    for (std::size_t at = 0; at <= text.size();) {
        const auto comma = std::min(text.find(',', at), text.size());
        items.emplace_back(text.substr(at, comma - at));
        at = comma + 1;
    }
    return items;
}

}  // namespace

ParsedValue parse_list(const Field& field, const std::vector<std::string>& texts) {
    constexpr std::size_t longest = 64;
    if (texts.size() > longest) {
        return {{}, fmt::format("list of {} items; at most {} are allowed", texts.size(), longest)};
    }
    std::vector<double> values;
    for (const auto& text : texts) {
        const auto item = parse_number(field, text);
        if (!item.fault.empty()) {
            return {{}, item.fault};
        }
        values.push_back(std::get<double>(item.value));
    }
    if (!field.repeats &&
        std::adjacent_find(values.begin(), values.end(), std::greater_equal<>{}) != values.end()) {
        return {{}, "the list must ascend without repetition"};
    }
    return {std::move(values), ""};
}

ParsedValue parse_scalar(const Field& field, std::string_view text) {
    switch (field.kind) {
        case FieldKind::flag:
            return parse_flag(text);
        case FieldKind::number:
            return parse_number(field, text);
        case FieldKind::word:
            return parse_word(field, text);
        case FieldKind::list:
            return parse_list(field, split_list(text));
        case FieldKind::compute_capability:
            return parse_compute_capability(text);
    }
    return {};
}

std::string print_value(const Field& field, const FieldValue& value) {
    if (const auto* flag = std::get_if<bool>(&value)) {
        return *flag ? "true" : "false";
    }
    if (const auto* number = std::get_if<double>(&value)) {
        return print_quantity(*number, field.dimension);
    }
    if (const auto* word = std::get_if<std::string>(&value)) {
        return *word;
    }
    if (const auto* list = std::get_if<std::vector<double>>(&value)) {
        std::string text;
        for (const double item : *list) {
            text.append(text.empty() ? "" : ", ").append(print_quantity(item, field.dimension));
        }
        return "[" + text + "]";
    }
    return "";
}

std::string allowed_values(const Field& field) {
    if (field.kind == FieldKind::flag) {
        return "true, false";
    }
    if (!field.words.empty()) {
        return fmt::format("{}", fmt::join(field.words, ", "));
    }
    if (field.kind == FieldKind::number || field.kind == FieldKind::list) {
        return print_quantity(field.min, field.dimension) + " to " +
               print_quantity(field.max, field.dimension);
    }
    return "text";
}

}  // namespace gpumodel
