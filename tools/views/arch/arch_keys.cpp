#include "tools/views/arch/arch_keys.h"

#include <fmt/format.h>

#include "arch_specs/document/spec_completion.h"
#include "arch_specs/schema/schema.h"
#include "base/csv_text.h"
#include "base/text_table.h"
#include "tools/views/prediction/report.h"
#include "tools/views/result_json.h"

namespace gpumodel::cli {

namespace {

using Json = nlohmann::ordered_json;

std::string kind_text(const Field& field) {
    switch (field.kind) {
        case FieldKind::flag:
            return "flag";
        case FieldKind::word:
            return field.words.empty() ? "text" : "word";
        case FieldKind::compute_capability:
            return "MAJOR.MINOR";
        case FieldKind::number:
        case FieldKind::list: {
            const auto unit = base_unit(field.dimension);
            return fmt::format("{}{}", unit.empty() ? "number" : unit,
                               field.kind == FieldKind::list ? " list" : "");
        }
    }
    return "";
}

std::string need_text(const Field& field) {
    if (can_be_filled_in(field.key)) {
        return "in a product; filled in where missing";
    }
    switch (field.need) {
        case Need::always:
            return "always";
        case Need::product:
            return "in a product";
        case Need::optional:
            return "optional";
        case Need::with_l1:
            return "with an L1";
        case Need::with_read_only:
            return "with a read-only cache";
        case Need::with_l2:
            return "in a product with an L2";
        case Need::with_banks:
            return "with a known bank map";
        case Need::with_merging:
            return "with l2.read_merging.sms";
    }
    return "";
}

bool is_below(const std::string& key, const std::string& prefix) {
    return prefix.empty() || key == prefix || key.starts_with(prefix + ".");
}

Json key_json(const std::vector<std::string>& header, const std::vector<std::string>& row) {
    Json json;
    for (std::size_t i = 1; i < header.size(); ++i) {
        json[header[i]] = row[i];
    }
    return json;
}

Json quantity_json(const Field& field) {
    const bool bare = field.dimension == Dimension::count || field.dimension == Dimension::ratio;
    return bare ? Json{{"type", {"number", "string"}}} : Json{{"type", "string"}};
}

Json value_json(const Field& field) {
    switch (field.kind) {
        case FieldKind::flag:
            return {{"type", "boolean"}};
        case FieldKind::word: {
            Json json{{"type", "string"}};
            for (const auto word : field.words) {
                json["enum"].push_back(word);
            }
            return json;
        }
        case FieldKind::compute_capability:
            return {{"type", {"number", "string"}}};
        case FieldKind::number:
            return quantity_json(field);
        case FieldKind::list:
            return {{"type", "array"}, {"items", quantity_json(field)}};
    }
    return {};
}

// A value, or {value: ..., source: ...}; null removes an inherited one that may be absent.
Json field_json(const Field& field) {
    const auto value = value_json(field);
    Json with_source{{"type", "object"}, {"required", {"value"}}, {"additionalProperties", false}};
    with_source["properties"] = {{"value", value}, {"source", {{"type", "string"}}}};
    Json json;
    json["description"] =
        fmt::format("{}; {}; needed: {}", field.meaning, allowed_values(field), need_text(field));
    json["anyOf"] = {value, with_source};
    if (field.need == Need::optional) {
        json["anyOf"].push_back({{"type", "null"}});
    }
    return json;
}

Json section_json(const std::string& path) {
    Json json{{"type", "object"}, {"additionalProperties", false}};
    json["properties"]["source"] = {{"type", "string"},
                                    {"description", "of every value below that names none of its own"}};
    for (const auto& name : schema_sections().find(path)->second) {
        const auto key = path.empty() ? name : path + "." + name;
        if (const auto* field = find_field(key)) {
            json["properties"][name] = field_json(*field);
        } else if (schema_sections().contains(key)) {
            json["properties"][name] = section_json(key);
        }
    }
    return json;
}

}  // namespace

std::string arch_keys(const std::string& prefix, const ArchSpec& example, Format format) {
    const std::vector<std::string> header{
        "key", "kind", "allowed", "needed", "meaning", "on " + example.name, "source of that"};
    std::vector<std::vector<std::string>> rows{header};
    for (const auto& field : schema()) {
        if (!is_below(field.key, prefix)) {
            continue;
        }
        const auto known = example.provenance.find(field.key);
        const bool given = known != example.provenance.end();
        rows.push_back({field.key, kind_text(field), allowed_values(field), need_text(field), field.meaning,
                        given ? print_value(field, field.get(example)) : "-",
                        given ? known->second.source : "-"});
    }
    if (rows.size() == 1) {
        throw InputError(InputErrorKind::usage, {{"", 0, 0, prefix, unknown_key_fault(prefix)}});
    }
    if (format == Format::json) {
        auto json = json_head(example);
        for (std::size_t i = 1; i < rows.size(); ++i) {
            json["keys"][rows[i][0]] = key_json(header, rows[i]);
        }
        return json_text(json);
    }
    return format == Format::csv ? csv_table(rows) : aligned(rows);
}

std::string arch_json_schema() {
    auto json = section_json("");
    json["$schema"] = "https://json-schema.org/draft/2020-12/schema";
    json["title"] = "gpumodel architecture file";
    auto& properties = json["properties"];
    properties["schema_version"] = {{"const", 1}};
    properties["name"] = {{"type", "string"}, {"description", "the file's name without .yaml"}};
    properties["inherits"] = {{"type", "string"}, {"description", "a product's or a generation's name"}};
    properties["default_product"] = {{"type", "string"}, {"description", "makes the file a generation"}};
    properties["aliases"] = {{"type", "array"},
                             {"items", {{"type", "string"}, {"maxLength", 64}}},
                             {"description", "other names that mean this product"}};
    json["required"] = {"schema_version", "name"};
    return json_text(json);
}

}  // namespace gpumodel::cli
