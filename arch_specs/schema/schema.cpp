#include "arch_specs/schema/schema.h"

#include <algorithm>

#include "arch_specs/schema/schema_rows.h"
#include "base/diagnostics.h"

namespace gpumodel {

namespace {

using Sections = std::map<std::string, std::vector<std::string>, std::less<>>;

std::vector<Field> build_schema() {
    std::vector<Field> rows;
    schema_rows::add_chip_rows(rows);
    schema_rows::add_sm_rows(rows);
    schema_rows::add_op_rows(rows);
    schema_rows::add_memory_rows(rows);
    return rows;
}

Sections build_sections() {
    Sections sections;
    for (const auto& field : schema()) {
        std::string section;
        for (std::size_t at = 0; at <= field.key.size();) {
            const auto dot = std::min(field.key.find('.', at), field.key.size());
            const auto name = field.key.substr(at, dot - at);
            auto& names = sections[section];
            if (std::find(names.begin(), names.end(), name) == names.end()) {
                names.push_back(name);
            }
            section += (section.empty() ? "" : ".") + name;
            at = dot + 1;
        }
    }
    for (const auto name : file_keys) {
        sections[""].emplace_back(name);
    }
    return sections;
}

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const auto& name : names) {
        text.append(text.empty() ? "" : ", ").append(name);
    }
    return text;
}

}  // namespace

const std::vector<Field>& schema() {
    static const std::vector<Field> rows = build_schema();
    return rows;
}

const Field* find_field(std::string_view key) {
    static const auto index = [] {
        std::map<std::string, const Field*, std::less<>> by_key;
        for (const auto& field : schema()) {
            by_key.emplace(field.key, &field);
        }
        return by_key;
    }();
    const auto found = index.find(key);
    return found == index.end() ? nullptr : found->second;
}

const Sections& schema_sections() {
    static const Sections sections = build_sections();
    return sections;
}

std::string unknown_key_fault(std::string_view key) {
    const auto dot = key.rfind('.');
    const auto parent = dot == std::string_view::npos ? std::string_view{} : key.substr(0, dot);
    const auto name = dot == std::string_view::npos ? key : key.substr(dot + 1);
    const auto section = schema_sections().find(parent);
    if (section != schema_sections().end()) {
        const auto near = nearest_name(name, section->second);
        if (!near.empty()) {
            return "unknown key; nearest: " + (parent.empty() ? near : std::string(parent) + "." + near);
        }
        return "unknown key; valid here: " + joined(section->second);
    }
    std::vector<std::string> keys;
    for (const auto& field : schema()) {
        keys.push_back(field.key);
    }
    return "unknown key" + nearest_hint(key, keys);
}

}  // namespace gpumodel
