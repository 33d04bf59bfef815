#include "tools/help/option_values_of.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "arch_specs/loader.h"
#include "tools/sweep/options/axis_text.h"
#include "tools/views/arch/arch_rows.h"
#include "traces/kernel/family.h"

namespace gpumodel::cli {
namespace {

// Products, generations, and specs of one's own as files.
Completion archs() {
    Completion c;
    c.files = true;
    for (const auto& arch : list_archs()) {
        c.candidates.push_back({arch.name, arch.generation.empty()
                                               ? "generation, default product " + arch.default_product
                                               : arch.marketing_name});
    }
    return c;
}

Completion kernels() {
    Completion c;
    for (const auto& family : families()) {
        c.candidates.push_back({family.name, family.summary});
    }
    return c;
}

void add_params(const Family& family, Completion& c) {
    for (const auto& spec : family.params) {
        const auto value = spec.name + '=';
        const bool known = std::any_of(c.candidates.begin(), c.candidates.end(),
                                       [&value](const Candidate& other) { return other.value == value; });
        if (!known && !spec.fixed) {
            c.candidates.push_back(
                {value, fmt::format("{}, default {}", spec.meaning, param_text(spec, spec.default_value))});
        }
    }
}

// Of the kernel named on the line, else of all families; after "KEY=" its default.
Completion params(const std::string& kernel, const std::string& typed) {
    Completion c;
    const auto* chosen = find_family(kernel);
    const auto equals = typed.find('=');
    if (equals == std::string::npos) {
        c.nospace = true;
        for (const auto& family : families()) {
            if (chosen == nullptr || &family == chosen) {
                add_params(family, c);
            }
        }
        return c;
    }
    const auto key = typed.substr(0, equals);
    for (const auto& spec : chosen == nullptr ? std::vector<ParamSpec>{} : chosen->params) {
        if (spec.name == key) {
            c.candidates.push_back({key + '=' + param_text(spec, spec.default_value), "default"});
        }
    }
    return c;
}

// Of the architecture named on the line, else of the default one of sm_70; after "KEY=" its value.
Completion spec_keys(const std::string& arch, const std::string& typed) {
    Completion c;
    const auto equals = typed.find('=');
    c.nospace = equals == std::string::npos;
    const auto spec = load_arch(arch.empty() ? "sm_70" : arch);
    for (const auto& row : resolved_rows(spec)) {
        if (row.source == "derived") {
            continue;
        }
        if (c.nospace) {
            c.candidates.push_back({row.key + '=', row.value});
        } else if (row.key == typed.substr(0, equals) && row.value.find(' ') == std::string::npos) {
            c.candidates.push_back({row.key + '=' + row.value, "value of " + spec.name});
        }
    }
    return c;
}

bool names_file(const OptionDefinition& option) {
    auto text = option.name + ' ' + option.value + ' ' + option.description;
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const std::vector<std::string> words{"file", "csv", "listing", "trace", " log", "json", "yaml", "folder"};
    return std::any_of(words.begin(), words.end(),
                       [&text](const std::string& word) { return text.find(word) != std::string::npos; });
}

// Positionals have no dashes: `arch show NAME`, `kernels show NAME`.
std::string name_of(const CommandDefinition& command, const OptionDefinition& option) {
    if (!option.positional || command.path.size() < 2) {
        return option.name;
    }
    const auto& group = command.path[1];
    return group == "arch" ? "--arch" : group == "kernels" ? "--kernel" : option.name;
}

Completion by_name(const std::string& name, const GivenOptions& given, const std::string& typed) {
    const bool vs = name.rfind("--vs-", 0) == 0;
    const auto& arch = vs && !given.vs_arch.empty() ? given.vs_arch : given.arch;
    const auto& kernel = vs && !given.vs_kernel.empty() ? given.vs_kernel : given.kernel;
    if (name == "--arch" || name == "--vs-arch") {
        return archs();
    }
    if (name == "--kernel" || name == "--vs-kernel") {
        return kernels();
    }
    if (name == "-p" || name == "--vs-p") {
        return params(kernel, typed);
    }
    if (name == "--set" || name == "--vs-set" || name == "--set-sweep") {
        return spec_keys(arch, typed);
    }
    return {};
}

}  // namespace

Completion values_of(const CommandDefinition& command, const OptionDefinition& option,
                     const GivenOptions& given, const std::string& typed) {
    Completion c;
    for (const auto& value : option.values) {
        c.candidates.push_back({value, ""});
    }
    if (!c.candidates.empty()) {
        return c;
    }
    c = by_name(name_of(command, option), given, typed);
    c.files = c.files || (c.candidates.empty() && names_file(option));
    return c;
}

}  // namespace gpumodel::cli
