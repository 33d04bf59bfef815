// json as printed: two blanks a level; bytes that are no UTF-8 (file names, csv cells) come out as U+FFFD.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace gpumodel {

[[nodiscard]] std::string json_text(const nlohmann::ordered_json& document);

// A document with one long list, written as the items come: opening, items with commas between, closing are
// together the bytes that json_text gives for the whole. `head` and `tail` are objects: the fields before and
// after the list.
[[nodiscard]] std::string json_list_opening(const nlohmann::ordered_json& head, const std::string& list);
[[nodiscard]] std::string json_list_item(const nlohmann::ordered_json& item);
[[nodiscard]] std::string json_list_closing(bool any_items, const nlohmann::ordered_json& tail);

}  // namespace gpumodel
