#include "arch_specs/document/spec_resolution.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <set>

#include "arch_specs/derive.h"
#include "arch_specs/document/spec_completion.h"
#include "arch_specs/document/spec_search.h"
#include "base/hash.h"

namespace gpumodel {

namespace {

std::string identity_of(const std::string& path) {
    std::error_code error;
    const auto canonical = std::filesystem::weakly_canonical(path, error);
    return error ? path : canonical.string();
}

std::vector<std::string> spec_names(const std::vector<std::string>& directories) {
    std::vector<std::string> names;
    for (const auto& file : all_spec_files(directories)) {
        names.push_back(std::filesystem::path(file).stem().string());
    }
    return names;
}

// Follows `inherits:` from `path` upwards.
void read_chain(ResolvedSpec& resolved, const std::string& path, const std::vector<std::string>& search_path,
                std::vector<Diagnostic>& faults) {
    std::vector<std::string> visited;
    std::string next = path;
    while (true) {
        visited.push_back(identity_of(next));
        const auto faults_before = faults.size();
        resolved.chain.push_back(read_spec_document(next, faults));
        const auto& document = resolved.chain.back();
        resolved.complete =
            resolved.complete && (!document.entries.empty() || faults.size() == faults_before);
        const auto& parent = document.inherits;
        if (parent.text.empty()) {
            return;
        }
        const auto directories = directories_around(document.file, search_path);
        const auto found = find_spec_file(parent.text, directories);
        if (!found) {
            resolved.complete = false;
            faults.push_back({document.file, parent.line, parent.column, "inherits",
                              fmt::format("no spec named {}{}", cite(parent.text),
                                          nearest_hint(parent.text, spec_names(directories)))});
            return;
        }
        if (std::find(visited.begin(), visited.end(), identity_of(*found)) != visited.end()) {
            resolved.complete = false;
            faults.push_back({document.file, parent.line, parent.column, "inherits",
                              fmt::format("{} inherits this file: a cycle", cite(parent.text))});
            return;
        }
        next = *found;
    }
}

// What is wrong with a key of an override that no field has.
std::string unsettable_key_fault(const std::string& key) {
    if (std::find(file_keys.begin(), file_keys.end(), key) != file_keys.end()) {
        return "this describes the spec file itself; only the file can say it";
    }
    return schema_sections().contains(key) ? "this is a section; give the key of a value"
                                           : unknown_key_fault(key);
}

void apply_overrides(ResolvedSpec& resolved, const std::vector<Override>& overrides,
                     std::vector<Diagnostic>& faults) {
    for (const auto& item : overrides) {
        const auto fail = [&](const std::string& message) {
            faults.push_back({item.file, item.line, item.column, item.key, message});
        };
        const auto* field = find_field(item.key);
        if (field == nullptr) {
            fail(unsettable_key_fault(item.key));
            continue;
        }
        const bool absent = item.value == "~" && field->need == Need::optional;
        auto parsed = absent ? ParsedValue{} : parse_scalar(*field, item.value);
        if (!parsed.fault.empty()) {
            fail(parsed.fault);
            continue;
        }
        const Provenance origin{item.value, "override", false, item.file, item.line, item.column};
        resolved.values[field->key] = {field, std::move(parsed.value), origin, -1};
    }
}

double number_at(const ResolvedSpec& resolved, const std::string& key) {
    const auto found = resolved.values.find(key);
    const auto* number = found == resolved.values.end() ? nullptr : std::get_if<double>(&found->second.value);
    return number == nullptr ? 0 : *number;
}

bool is_needed(const ResolvedSpec& resolved, const Field& field) {
    const bool product = !resolved.is_generation();
    const auto given = [&](const std::string& key, const FieldValue& value) {
        const auto found = resolved.values.find(key);
        return found != resolved.values.end() && found->second.value == value;
    };
    switch (field.need) {
        case Need::always:
            return true;
        case Need::product:
            return product;
        case Need::optional:
            return false;
        case Need::with_l1:
            return number_at(resolved, "l1.unified") > 0;
        case Need::with_read_only:
            return number_at(resolved, "read_only.size") > 0;
        case Need::with_l2:
            return product && number_at(resolved, "l2.size") > 0;
        case Need::with_banks:
            return resolved.values.contains("sm.register_file.bank_map") &&
                   !given("sm.register_file.bank_map", std::string("unknown"));
        case Need::with_merging:
            return resolved.values.contains("l2.read_merging.sms");
    }
    return false;
}

// ffma, without which there is no peak, and the rest of every class that has a part.
std::set<std::string> needed_op_keys(const ResolvedSpec& resolved) {
    std::set<std::string> keys;
    for (std::size_t i = 0; i < op_class_count; ++i) {
        const auto prefix = fmt::format("sm.ops.{}.", op_class_names[i]);
        const auto present = resolved.values.lower_bound(prefix);
        const bool given = present != resolved.values.end() && present->first.starts_with(prefix) &&
                           !std::holds_alternative<std::monostate>(present->second.value);
        if (!given && static_cast<OpClass>(i) != OpClass::ffma) {
            continue;
        }
        keys.insert({prefix + "pipe", prefix + "throughput"});
        if (!has_derived_latency(static_cast<OpClass>(i))) {
            keys.insert(prefix + "latency");
        }
    }
    return keys;
}

}  // namespace

std::string ResolvedSpec::generation() const {
    for (const auto& document : chain) {
        if (!document.default_product.text.empty()) {
            return document.name;
        }
    }
    return "";
}

ResolvedSpec resolve_spec(const std::string& path, const std::vector<Override>& overrides,
                          const std::vector<std::string>& search_path, std::vector<Diagnostic>& faults) {
    ResolvedSpec resolved;
    read_chain(resolved, path, search_path, faults);
    for (std::size_t depth = 0; depth < resolved.chain.size(); ++depth) {
        for (const auto& entry : resolved.chain[depth].entries) {
            resolved.values.try_emplace(
                entry.field->key,
                ResolvedValue{entry.field, entry.value, entry.provenance, static_cast<int>(depth)});
        }
    }
    drop_declared_of_parents(resolved);
    fill_unmeasured(resolved, search_path);
    apply_overrides(resolved, overrides, faults);
    return resolved;
}

void check_required(const ResolvedSpec& resolved, std::vector<Diagnostic>& faults) {
    if (!resolved.complete) {
        return;  // what is missing is the parent, not each of its keys
    }
    std::set<std::string> faulty;
    for (const auto& document : resolved.chain) {
        faulty.insert(document.faulty_keys.begin(), document.faulty_keys.end());
    }
    const auto op_keys = needed_op_keys(resolved);
    for (const auto& field : schema()) {
        const bool needed = is_needed(resolved, field) || op_keys.contains(field.key);
        const auto found = resolved.values.find(field.key);
        const bool given =
            found != resolved.values.end() && !std::holds_alternative<std::monostate>(found->second.value);
        if (needed && !given && !faulty.contains(field.key)) {
            faults.push_back({resolved.chain.front().file, 0, 0, field.key,
                              fmt::format("missing: {}; allowed: {}", field.meaning, allowed_values(field))});
        }
    }
}

ArchSpec build_spec(const ResolvedSpec& resolved) {
    ArchSpec spec;
    for (const auto& [key, entry] : resolved.values) {
        entry.field->set(spec, entry.value);
        spec.provenance.emplace(key, entry.provenance);
    }
    spec.name = resolved.chain.front().name;
    spec.file = resolved.chain.front().file;
    spec.generation = resolved.generation();
    if (spec.generation.empty()) {
        spec.generation = fmt::format("sm_{}", spec.cc.number());
    }
    spec.content_hash = content_hash(resolved);
    return spec;
}

std::string content_hash(const ResolvedSpec& resolved) {
    auto hash = fnv_offset_basis<std::uint64_t>;
    for (const auto& [key, entry] : resolved.values) {
        hash = fnv1a(key + "=" + print_value(*entry.field, entry.value) + "\n", hash);
    }
    return fmt::format("{:016x}", hash);
}

}  // namespace gpumodel
