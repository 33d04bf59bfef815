// gpumodel arch list, show, diff.
#include <fmt/format.h>

#include <map>

#include "base/csv_text.h"
#include "base/text_table.h"
#include "tools/views/arch/arch_rows.h"
#include "tools/views/arch/arch_views.h"
#include "tools/views/prediction/report.h"
#include "tools/views/result_json.h"

namespace gpumodel::cli {

namespace {

using Json = nlohmann::ordered_json;
using Cells = std::vector<std::vector<std::string>>;

Json json_value(const FieldValue& value) {
    return std::visit(
        [](const auto& held) -> Json {
            using Held = std::decay_t<decltype(held)>;
            if constexpr (std::is_same_v<Held, std::monostate>) {
                return nullptr;
            } else if constexpr (std::is_same_v<Held, double>) {
                // Counts and bytes print as integers: 49152, not 49152.0.
                const auto whole = static_cast<std::int64_t>(held);
                return static_cast<double>(whole) == held ? Json(whole) : Json(held);
            } else {
                return held;
            }
        },
        value);
}

Json json_row(const ArchRow& row) {
    return {
        {"value", json_value(row.number)}, {"unit", row.unit},  {"text", row.value}, {"source", row.source},
        {"estimated", row.estimated},      {"place", row.place}};
}

std::string rows_text(const std::vector<ArchRow>& rows) {
    Cells cells{{"key", "value", "source", "given in"}};
    for (const auto& row : rows) {
        cells.push_back({row.key, row.value, row.source, row.place});
    }
    return aligned(cells);
}

std::string rows_csv(const std::vector<ArchRow>& rows) {
    Cells cells{{"key", "value", "source", "estimated", "place"}};
    for (const auto& row : rows) {
        cells.push_back({row.key, row.value, row.source, row.estimated ? "1" : "0", row.place});
    }
    return csv_table(cells);
}

std::string rows_json(const ArchSpec& head_of, const std::vector<ArchRow>& rows) {
    auto json = json_head(head_of);
    for (const auto& row : rows) {
        json["values"][row.key] = json_row(row);
    }
    return json_text(json);
}

std::string formatted(const std::vector<ArchRow>& rows, const std::string& title, const ArchSpec& head_of,
                      Format format) {
    return format == Format::json  ? rows_json(head_of, rows)
           : format == Format::csv ? rows_csv(rows)
                                   : title + "\n\n" + rows_text(rows);
}

struct Difference {
    std::string key, a, b;
};

std::vector<Difference> differences(const ArchSpec& a, const ArchSpec& b) {
    std::map<std::string, std::string> values_of_b;
    for (const auto& row : resolved_rows(b)) {
        values_of_b.emplace(row.key, row.value);
    }
    std::vector<Difference> found;
    for (const auto& row : resolved_rows(a)) {
        const auto other = values_of_b.extract(row.key);
        const std::string value = other.empty() ? "-" : other.mapped();
        if (value != row.value) {
            found.push_back({row.key, row.value, value});
        }
    }
    for (const auto& [key, value] : values_of_b) {  // what only b has
        if (value != "-") {
            found.push_back({key, "-", value});
        }
    }
    return found;
}

}  // namespace

std::string arch_list(const std::vector<ArchListing>& listings, Format format) {
    if (format == Format::json) {
        Json json;
        json["schema_version"] = schema_version;
        for (const auto& item : listings) {
            json["archs"].push_back({{"name", item.name},
                                     {"marketing_name", item.marketing_name},
                                     {"generation", item.generation},
                                     {"default_product", item.default_product},
                                     {"file", item.file}});
        }
        return json_text(json);
    }
    Cells cells{{"name", "product", "generation", "default_product", "file"}};
    for (const auto& item : listings) {
        cells.push_back({item.name, item.marketing_name, item.generation, item.default_product, item.file});
    }
    if (format == Format::text) {
        return aligned(cells);
    }
    return csv_table(cells);
}

std::string arch_show(const SpecDocument& document, Format format) {
    auto title = document.name;
    if (!document.inherits.text.empty()) {
        title += ", inherits " + document.inherits.text;
    }
    if (!document.default_product.text.empty()) {
        title += ", a generation; --arch " + document.name + " means " + document.default_product.text;
    }
    ArchSpec head;
    head.name = document.name;
    head.file = document.file;
    return formatted(file_rows(document), title + "\n" + document.file, head, format);
}

std::string arch_show(const ArchSpec& spec, Format format) {
    auto title = fmt::format("{} ({}, {})", spec.marketing_name, spec.name, spec.generation);
    if (spec.requested_name == spec.generation) {
        title += fmt::format(", the default product of {}", spec.generation);
    }
    title += fmt::format("\n{}, content hash {}\n{} values, {} of them estimated", spec.file,
                         spec.content_hash, spec.provenance.size(), estimated_values(spec));
    return formatted(resolved_rows(spec), title, spec, format);
}

std::string arch_diff(const ArchSpec& a, const ArchSpec& b, Format format) {
    const auto found = differences(a, b);
    if (format == Format::json) {
        auto json = json_head(a);
        json["other"] = b.name;
        json["differences"] = Json::object();
        for (const auto& item : found) {
            json["differences"][item.key] = {{"a", item.a}, {"b", item.b}};
        }
        return json_text(json);
    }
    Cells cells{{"key", a.name, b.name}};
    for (const auto& item : found) {
        cells.push_back({item.key, item.a, item.b});
    }
    if (format == Format::text) {
        return found.empty() ? fmt::format("{} and {}: no differences\n", a.name, b.name) : aligned(cells);
    }
    return csv_table(cells);
}

}  // namespace gpumodel::cli
