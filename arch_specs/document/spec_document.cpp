#include "arch_specs/document/spec_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "arch_specs/document/yaml_tree.h"
#include "base/memo.h"
#include "base/units.h"

namespace gpumodel {

namespace {

using Kind = YamlNode::Kind;

const YamlNode* member(const YamlNode& map, std::string_view name) {
    for (const auto& [key, value] : map.members) {
        if (key.text == name) {
            return &value;
        }
    }
    return nullptr;
}

class DocumentReader {
public:
    DocumentReader(SpecDocument& document, std::vector<Diagnostic>& faults)
        : document_(document), faults_(faults) {}

    void read(const YamlNode& root) {
        if (root.kind == Kind::rejected) {
            return;
        }
        if (root.kind == Kind::null) {
            faults_.push_back({document_.file, 0, 0, "", "the file is empty"});
            return;
        }
        if (root.kind != Kind::map) {
            fault(root, "", "expected keys and values, e.g. 'schema_version: 1'");
            return;
        }
        read_file_keys(root);
        read_section(root, "", "");
    }

private:
    void fault(const YamlNode& at, const std::string& key, const std::string& message) {
        faults_.push_back({document_.file, at.line, at.column, key, message});
    }

    [[nodiscard]] Provenance provenance(const YamlNode& at, std::string text, std::string source) const {
        const bool estimated = is_estimate(source);
        return {std::move(text), std::move(source), estimated, document_.file, at.line, at.column};
    }

    void read_file_keys(const YamlNode& root) {
        const auto* version = member(root, "schema_version");
        if (version == nullptr || version->text != std::to_string(spec_schema_version)) {
            fault(version == nullptr ? root : *version, "schema_version",
                  version == nullptr
                      ? fmt::format("missing; this release reads version {}", spec_schema_version)
                      : fmt::format("{} is not supported; this release reads version {}", cite(version->text),
                                    spec_schema_version));
        }
        document_.name = file_key(root, "name").text;
        const auto stem = std::filesystem::path(document_.file).stem().string();
        if (member(root, "name") == nullptr) {
            fault(root, "name", fmt::format("missing; expected {}, the file's name", cite(stem)));
        } else if (document_.name != stem && !document_.name.empty()) {
            fault(*member(root, "name"), "name",
                  fmt::format("{} differs from the file's name {}, by which --arch and inherits: find it",
                              cite(document_.name), cite(stem)));
        }
        document_.inherits = file_key(root, "inherits");
        document_.default_product = file_key(root, "default_product");
        read_aliases(root);
    }

    void read_aliases(const YamlNode& root) {
        const auto* list = member(root, "aliases");
        if (list == nullptr) {
            return;
        }
        if (list->kind != Kind::sequence) {
            fault(*list, "aliases", "expected a list of names, e.g. [K40c, K40m]");
            return;
        }
        for (const auto& item : list->items) {
            if (item.kind == Kind::scalar && !item.text.empty() && item.text.size() <= 64) {
                document_.aliases.push_back(item.text);
            } else {
                fault(item, "aliases", "expected a name of up to 64 characters");
            }
        }
    }

    // A name: becomes part of a path, so it must not contain one.
    Provenance file_key(const YamlNode& root, const std::string& key) {
        const auto* value = member(root, key);
        if (value == nullptr) {
            return {};
        }
        const bool is_name = value->kind == Kind::scalar && !value->text.empty() &&
                             value->text.size() <= 64 &&
                             value->text.find_first_not_of(
                                 "abcdefghijklmnopqrstuvwxyz"
                                 "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == std::string::npos;
        if (!is_name) {
            fault(*value, key, "expected a name of up to 64 letters, digits, '_' or '-'");
            return {};
        }
        return provenance(*value, value->text, "");
    }

    static bool is_file_key(std::string_view key) {
        return std::find(file_keys.begin(), file_keys.end(), key) != file_keys.end();
    }

    std::string source_of(const YamlNode& map, const std::string& path, const std::string& inherited) {
        const auto* source = member(map, "source");
        if (source == nullptr) {
            return inherited;
        }
        if (source->kind != Kind::scalar || source->text.empty()) {
            fault(*source, path + (path.empty() ? "" : ".") + "source", "expected a text");
            return inherited;
        }
        return source->text;
    }

    void read_section(const YamlNode& map, const std::string& path, const std::string& inherited_source) {
        const auto source = source_of(map, path, inherited_source);
        for (const auto& [key, value] : map.members) {
            if (key.text == "source" || (path.empty() && is_file_key(key.text))) {
                continue;
            }
            const auto key_path = path.empty() ? key.text : path + "." + key.text;
            if (value.kind == Kind::rejected) {
                document_.faulty_keys.push_back(key_path);
                continue;
            }
            if (const auto* field = find_field(key_path)) {
                read_field(*field, value, source);
            } else if (schema_sections().contains(key_path)) {
                read_subsection(value, key_path, source);
            } else {
                fault(key, key_path.size() > 80 ? key_path.substr(0, 80) + "..." : key_path,
                      unknown_key_fault(key_path));
            }
        }
    }

    void read_subsection(const YamlNode& value, const std::string& path, const std::string& source) {
        if (value.kind == Kind::map) {
            read_section(value, path, source);
            return;
        }
        fault(value, path,
              fmt::format("expected a section with the keys {}",
                          fmt::join(schema_sections().find(path)->second, ", ")));
    }

    void read_field(const Field& field, const YamlNode& node, const std::string& section_source) {
        if (node.kind != Kind::map) {
            read_value(field, node, section_source);
            return;
        }
        for (const auto& [key, value] : node.members) {
            if (key.text != "value" && key.text != "source") {
                fault(key, field.key + "." + key.text, "unknown key; valid here: value, source");
            }
        }
        const auto source = source_of(node, field.key, section_source);
        if (const auto* value = member(node, "value"); value != nullptr && value->kind != Kind::map) {
            read_value(field, *value, source);
        } else {
            reject(field, node, "expected a value or {value: ..., source: ...}");
        }
    }

    void reject(const Field& field, const YamlNode& at, const std::string& message) {
        fault(at, field.key, message);
        document_.faulty_keys.push_back(field.key);
    }

    void read_value(const Field& field, const YamlNode& node, const std::string& source) {
        if (node.kind == Kind::null) {
            if (field.need != Need::optional) {
                reject(field, node, fmt::format("a value is required; allowed: {}", allowed_values(field)));
                return;
            }
            document_.entries.push_back({&field, FieldValue{}, provenance(node, "~", source)});
            return;
        }
        if (node.kind == Kind::sequence && field.kind != FieldKind::list) {
            reject(field, node, "expected one value, not a list");
            return;
        }
        auto [parsed, text] = node.kind == Kind::sequence
                                  ? parse_items(field, node)
                                  : std::pair(parse_scalar(field, node.text), node.text);
        if (!parsed.fault.empty()) {
            reject(field, node, parsed.fault);
            return;
        }
        document_.entries.push_back(
            {&field, std::move(parsed.value), provenance(node, std::move(text), source)});
    }

    static std::pair<ParsedValue, std::string> parse_items(const Field& field, const YamlNode& node) {
        std::vector<std::string> texts;
        for (const auto& item : node.items) {
            if (item.kind != Kind::scalar) {
                return {{{}, "a list may hold only values"}, ""};
            }
            texts.push_back(item.text);
        }
        return {parse_list(field, texts), fmt::format("[{}]", fmt::join(texts, ", "))};
    }

    SpecDocument& document_;
    std::vector<Diagnostic>& faults_;
};

}  // namespace

bool is_estimate(std::string_view source) {
    return source.starts_with("estimated");
}

SpecDocument read_spec_document(const std::string& path, std::vector<Diagnostic>& faults) {
    SpecDocument document;
    document.file = path;
    const auto text = read_text_file(path, faults);
    if (!text) {
        return document;
    }
    // a process that loads many GPUs meets the same generations again
    constexpr std::size_t most_bytes = std::size_t{16} << 20U;
    static Memo<SpecDocument> sound_documents(most_bytes);
    const auto key = path + '\n' + *text;
    if (const auto known = sound_documents.find(key)) {
        return *known;
    }
    const auto faults_before = faults.size();
    if (const auto root = parse_yaml(*text, path, faults)) {
        DocumentReader(document, faults).read(*root);
    }
    if (faults.size() == faults_before) {
        sound_documents.add(key, document, key.size());
    }
    return document;
}

}  // namespace gpumodel
