#include "base/json_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace gpumodel {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t indent = 2;

// Lines after the first are indented by `depth` levels more.
std::string dumped(const Json& value, std::size_t depth) {
    std::string shifted;
    for (const char c : value.dump(indent, ' ', false, Json::error_handler_t::replace)) {
        shifted += c;
        if (c == '\n') {
            shifted.append(indent * depth, ' ');
        }
    }
    return shifted;
}

}  // namespace

std::string json_text(const Json& document) {
    return dumped(document, 0) + '\n';
}

std::string json_list_opening(const Json& head, const std::string& list) {
    std::string text = "{\n";
    for (const auto& [key, value] : head.items()) {
        text += fmt::format("  {}: {},\n", dumped(key, 0), dumped(value, 1));
    }
    return text + fmt::format("  {}: [", dumped(list, 0));
}

std::string json_list_item(const Json& item) {
    return "\n    " + dumped(item, 2);
}

std::string json_list_closing(bool any_items, const Json& tail) {
    std::string text = any_items ? "\n  ]" : "]";
    for (const auto& [key, value] : tail.items()) {
        text += fmt::format(",\n  {}: {}", dumped(key, 0), dumped(value, 1));
    }
    return text + "\n}\n";
}

}  // namespace gpumodel
