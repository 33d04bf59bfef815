#include "traces/trace/native/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gpumodel {

FieldReader::FieldReader(const nlohmann::json& object, const char* key, const FieldReader* outer,
                         std::ptrdiff_t index)
    : object_(object), key_(key), outer_(outer), index_(index) {
    if (!object.is_object()) {
        fail("", "is no object");
    }
}

void FieldReader::fail(std::string_view key, std::string message) const {
    std::string path(key);
    for (const auto* at = this; at != nullptr; at = at->outer_) {
        const auto name =
            at->index_ < 0 ? std::string(at->key_) : fmt::format("{}[{}]", at->key_, at->index_);
        path = path.empty() ? name : name + "." + path;
    }
    throw FieldFault{std::move(path), std::move(message)};
}

const nlohmann::json* FieldReader::find(const char* key) {
    const auto found = object_.find(key);
    if (found == object_.end()) {
        return nullptr;
    }
    ++read_;
    return &*found;
}

void FieldReader::expect_all_read() const {
    if (read_ != object_.size()) {
        fail("", fmt::format("{} fields that this program does not know", object_.size() - read_));
    }
}

void FieldReader::text(const char* key, std::string& value) {
    if (const auto* found = find(key)) {
        if (!found->is_string()) {
            fail(key, "is no text");
        }
        value = found->get_ref<const std::string&>();
    }
}

void FieldReader::flag(const char* key, bool& value) {
    const auto* found = find(key);
    if (found != nullptr && !found->is_boolean()) {
        fail(key, "is neither true nor false");
    }
    value = found != nullptr && found->get<bool>();
}

std::int64_t FieldReader::element(const char* key, const nlohmann::json& value, std::int64_t low,
                                  std::int64_t high) const {
    const bool fits =
        value.is_number_unsigned() ? value.get<std::uint64_t>() <= INT64_MAX : value.is_number_integer();
    if (!fits || value.get<std::int64_t>() < low || value.get<std::int64_t>() > high) {
        fail(key, fmt::format("is {}, allowed {} to {}", value.is_number() ? value.dump() : "no number", low,
                              high));
    }
    return value.get<std::int64_t>();
}

std::int64_t FieldReader::number(const char* key, std::int64_t low, std::int64_t high, std::int64_t absent) {
    if (const auto* found = find(key)) {
        return element(key, *found, low, high);
    }
    if (absent < low || absent > high) {
        fail(key, "is missing");
    }
    return absent;
}

double FieldReader::count(const char* key, const nlohmann::json& value) const {
    if (!value.is_number() || !std::isfinite(value.get<double>()) || value.get<double>() < 0) {
        fail(key, "is no count: finite, 0 or more");
    }
    return value.get<double>();
}

void FieldReader::real(const char* key, double& value) {
    const auto* found = find(key);
    value = found == nullptr ? 0 : count(key, *found);
}

std::size_t FieldReader::place(const char* key, std::span<const std::string_view> words) {
    const auto* found = find(key);
    if (found == nullptr) {
        fail(key, "is missing");
    }
    const auto* word = found->is_string() ? &found->get_ref<const std::string&>() : nullptr;
    const auto at = word == nullptr ? words.end() : std::find(words.begin(), words.end(), *word);
    if (at == words.end()) {
        fail(key, word == nullptr ? "is no word" : fmt::format("'{}' is not known here", *word));
    }
    return static_cast<std::size_t>(at - words.begin());
}

void FieldReader::counts(const char* key, std::span<double> values, std::span<const std::string_view> names) {
    const auto* found = find(key);
    if (found == nullptr) {
        return;
    }
    if (!found->is_object()) {
        fail(key, "is no object");
    }
    for (const auto& [name, value] : found->items()) {
        const auto at = std::find(names.begin(), names.end(), name);
        if (at == names.end()) {
            fail(key, fmt::format("'{}' is not known here", name));
        }
        values[static_cast<std::size_t>(at - names.begin())] = count(key, value);
    }
}

std::span<const nlohmann::json> FieldReader::items(const char* key) {
    const auto* found = find(key);
    if (found == nullptr) {
        return {};
    }
    if (!found->is_array()) {
        fail(key, "is no list");
    }
    return found->get_ref<const nlohmann::json::array_t&>();
}

void FieldReader::texts(const char* key, std::vector<std::string>& values) {
    for (const auto& item : items(key)) {
        if (!item.is_string()) {
            fail(key, "holds something that is no text");
        }
        values.push_back(item.get<std::string>());
    }
}

}  // namespace gpumodel
