#include "tools/sensitivity/key_selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/parse.h"

namespace gpumodel::cli {
namespace {

std::vector<std::string> patterns_of(const std::vector<std::string>& lists) {
    std::vector<std::string> patterns;
    for (const auto& list : lists) {
        for (const auto pattern : split(list, ',')) {
            patterns.emplace_back(pattern);
        }
    }
    return patterns;
}

ValuePlace place(const std::string& option, const std::string& key) {
    return {option, 0, 0, key};
}

// Why a key by this name cannot be varied; "" if it can.
std::string key_fault(const std::string& key, const VariableSpec& spec) {
    const auto* field = find_field(key);
    if (field == nullptr) {
        return schema_sections().contains(key) ? "this is a section; '" + key + ".*' means its keys"
                                               : unknown_key_fault(key);
    }
    if (field->kind != FieldKind::number) {
        return "is no number";
    }
    return spec.value(*field) ? "" : fmt::format("{} does not have it", spec.arch().name);
}

std::optional<double> factor_of(const std::string& text) {
    const auto parsed = parse_quantity(text, Dimension::ratio);
    return parsed.value && *parsed.value > 0 ? parsed.value : std::nullopt;
}

}  // namespace

bool matches_glob(std::string_view pattern, std::string_view text) {
    // after a mismatch, back to the last '*' and one character further
    std::size_t p = 0;
    std::size_t t = 0;
    auto star = std::string_view::npos;
    std::size_t after_star = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            after_star = t;
        } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++after_star;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

std::vector<const Field*> selected_keys(const std::vector<std::string>& lists, const VariableSpec& spec,
                                        OptionFaults& faults) {
    std::vector<bool> chosen(schema().size());
    for (const auto& pattern : patterns_of(lists)) {
        const bool glob = pattern.find_first_of("*?") != std::string::npos;
        const auto fault = glob ? "" : key_fault(pattern, spec);
        if (!fault.empty()) {
            faults.add(place("--keys", pattern), fault);
            continue;
        }
        bool any = false;
        for (std::size_t i = 0; i < chosen.size(); ++i) {
            const auto& field = schema()[i];
            const bool matches = matches_glob(pattern, field.key) && key_fault(field.key, spec).empty();
            chosen[i] = chosen[i] || matches;
            any = any || matches;
        }
        if (!any) {
            faults.add(place("--keys", pattern), fmt::format("matches no number of {}", spec.arch().name));
        }
    }
    std::vector<const Field*> keys;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        if (chosen[i]) {
            keys.push_back(&schema()[i]);
        }
    }
    return keys;
}

std::vector<SpecChange> scaled_keys(const std::vector<std::string>& pairs, const VariableSpec& spec,
                                    OptionFaults& faults) {
    std::vector<SpecChange> changes;
    faults.collect([&] {
        for (const auto& [key, text] : split_pairs(pairs, "--scale")) {
            const auto at = place("--scale", key);
            const auto fault = key_fault(key, spec);
            const auto factor = factor_of(text);
            const auto* field = find_field(key);
            if (!fault.empty()) {
                faults.add(at, fault);
            } else if (!factor) {
                faults.add(at, fmt::format("'{}' is no factor; expected a number above 0", text));
            } else if (std::any_of(changes.begin(), changes.end(),
                                   [&](const SpecChange& c) { return c.field == field; })) {
                faults.add(at, "given twice");
            } else {
                changes.push_back({field, *spec.value(*field) * *factor});
            }
        }
    });
    return changes;
}

}  // namespace gpumodel::cli
