// A json document as its readers see it: fields by name, with every fault and its place collected.
#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "model/compare/launch_record.h"

namespace gpumodel::cli {

// An object of the document, or what stands in its place: absent and null fields are empty, fields of a wrong
// type are faults.
class Fields {
public:
    using Json = nlohmann::ordered_json;  // terms keep the order of the file

    Fields(const Json& json, std::string place, const std::string& file, std::vector<Diagnostic>& faults)
        : json_(json), place_(std::move(place)), file_(file), faults_(faults) {
        if (!json.is_object()) {
            fault("", "expected an object");
        }
    }

    [[nodiscard]] const Json* find(const std::string& key) const {
        if (!json_.is_object()) {
            return nullptr;
        }
        const auto found = json_.find(key);
        return found == json_.end() || found->is_null() ? nullptr : &*found;
    }
    [[nodiscard]] std::optional<double> number(const std::string& key) const {
        const auto* value = find(key);
        if (value != nullptr && !value->is_number()) {
            fault(key, "expected a number");
            return std::nullopt;
        }
        return value == nullptr ? std::nullopt : std::optional(value->get<double>());
    }
    [[nodiscard]] std::string text(const std::string& key) const {
        const auto* value = find(key);
        if (value != nullptr && !value->is_string()) {
            fault(key, "expected a string");
            return "";
        }
        return value == nullptr ? "" : value->get<std::string>();
    }
    // "A+B" of a list of strings; `none` for an empty one.
    [[nodiscard]] std::string joined(const std::string& key, const std::string& none) const {
        std::string result;
        for (const auto* item : items(key)) {
            if (!item->is_string()) {
                fault(key, "expected strings");
                continue;
            }
            result += (result.empty() ? "" : "+") + item->get<std::string>();
        }
        return find(key) != nullptr && result.empty() ? none : result;
    }
    [[nodiscard]] std::vector<const Json*> items(const std::string& key) const {
        std::vector<const Json*> list;
        const auto* value = find(key);
        if (value != nullptr && !value->is_array()) {
            fault(key, "expected a list");
        } else if (value != nullptr) {
            for (const auto& item : *value) {
                list.push_back(&item);
            }
        }
        return list;
    }
    [[nodiscard]] Fields object(const std::string& key) const {
        static const Json none = Json::object();
        const auto* value = find(key);
        return {value == nullptr ? none : *value, path(key), file_, faults_};
    }
    [[nodiscard]] std::vector<Fields> objects(const std::string& key) const {
        std::vector<Fields> list;
        for (const auto* item : items(key)) {
            list.emplace_back(*item, fmt::format("{}[{}]", path(key), list.size()), file_, faults_);
        }
        return list;
    }
    // Every entry of this object, all of which must be numbers.
    [[nodiscard]] std::vector<Quantity> quantities() const {
        std::vector<Quantity> list;
        if (json_.is_object()) {
            for (const auto& entry : json_.items()) {
                if (const auto value = number(entry.key())) {
                    list.push_back({entry.key(), *value});
                }
            }
        }
        return list;
    }
    void fault(const std::string& key, const std::string& what) const {
        faults_.push_back({file_, 0, 0, key.empty() ? place_ : path(key), what});
    }

private:
    [[nodiscard]] std::string path(const std::string& key) const {
        return place_.empty() ? key : place_ + '.' + key;
    }

    const Json& json_;
    std::string place_;
    const std::string& file_;
    std::vector<Diagnostic>& faults_;
};

}  // namespace gpumodel::cli
