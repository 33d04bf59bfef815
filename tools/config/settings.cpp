#include "tools/config/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "arch_specs/document/yaml_tree.h"
#include "base/files/file_text.h"
#include "base/parse.h"
#include "base/printable.h"
#include "base/process.h"

namespace gpumodel::cli {
namespace {

using Kind = YamlNode::Kind;

constexpr std::int64_t most_threads = 1024;
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 20U;

std::optional<std::string> variable(const std::string& name) {
    const char* value = environment_variable(name);
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::string default_file() {
    for (const auto& [name, below] : {std::pair("XDG_CONFIG_HOME", "/gpumodel/config.yaml"),
                                      std::pair("HOME", "/.config/gpumodel/config.yaml")}) {
        if (const auto folder = variable(name); folder && !folder->empty()) {
            return *folder + below;
        }
    }
    return "";
}

// What is wrong with the value, "" = nothing.
std::string fault_of(const SettingKind& kind, const std::string& value) {
    if (value.empty()) {
        return "the value is empty";
    }
    if (kind.allowed == std::vector<std::string>{"number"}) {
        const auto number = parse_number<std::int64_t>(value);
        return number && *number >= 0 && *number <= most_threads
                   ? ""
                   : fmt::format("'{}' is no whole number from 0 to {}", safe_to_print(value), most_threads);
    }
    if (!kind.allowed.empty() &&
        std::find(kind.allowed.begin(), kind.allowed.end(), value) == kind.allowed.end()) {
        return fmt::format("'{}' is none of {}{}", safe_to_print(value), fmt::join(kind.allowed, ", "),
                           nearest_hint(value, kind.allowed));
    }
    return "";
}

class FileReader {
public:
    FileReader(Settings& settings, std::vector<Diagnostic>& faults) : settings_(settings), faults_(faults) {}

    void read(const YamlNode& root) {
        if (root.kind == Kind::null || root.kind == Kind::rejected) {
            return;
        }
        if (root.kind != Kind::map) {
            fault(root, "", "expected keys and values, e.g. 'arch: h200_sxm'");
            return;
        }
        for (const auto& [key, value] : root.members) {
            if (key.text == "set") {
                read_products(value);
            } else {
                read_setting(key, value);
            }
        }
    }

private:
    void fault(const YamlNode& at, const std::string& key, const std::string& message) {
        faults_.push_back({settings_.file, at.line, at.column, key, message});
    }

    void read_setting(const YamlNode& key, const YamlNode& value) {
        std::vector<std::string> names{"set"};
        for (auto& winner : settings_.winners) {
            names.push_back(winner.kind->key);
            if (winner.kind->key != key.text) {
                continue;
            }
            const auto problem =
                value.kind != Kind::scalar ? "expected one value" : fault_of(*winner.kind, value.text);
            if (!problem.empty()) {
                fault(value, key.text, problem);
                return;
            }
            winner = {winner.kind,
                      value.text,
                      SettingLevel::file,
                      fmt::format("{}:{}", settings_.file, value.line),
                      {settings_.file, value.line, value.column, key.text, ""}};
            return;
        }
        fault(key, key.text,
              "unknown key, allowed " + fmt::format("{}", fmt::join(names, ", ")) +
                  nearest_hint(key.text, names));
    }

    void read_products(const YamlNode& products) {
        if (products.kind != Kind::map) {
            fault(products, "set", "expected products, each with spec keys and values");
            return;
        }
        for (const auto& [product, keys] : products.members) {
            if (keys.kind != Kind::map) {
                fault(keys, "set." + product.text, "expected spec keys and values ('gpumodel arch keys')");
                continue;
            }
            for (const auto& [key, value] : keys.members) {
                if (value.kind != Kind::scalar || value.text.empty()) {
                    fault(value, fmt::format("set.{}.{}", product.text, key.text), "expected one value");
                    continue;
                }
                settings_.overrides[product.text].push_back(
                    {key.text, value.text, settings_.file, key.line, key.column});
            }
        }
    }

    Settings& settings_;
    std::vector<Diagnostic>& faults_;
};

bool says_nothing(const std::string& text) {
    const auto lines = split(text, '\n');
    return std::all_of(lines.begin(), lines.end(), [](std::string_view line) {
        return trim(line).empty() || trim(line).starts_with('#');
    });
}

void read_file(Settings& settings, std::vector<Diagnostic>& faults) {
    const auto named = variable("GPUMODEL_CONFIG");
    settings.file = named ? *named : default_file();
    std::error_code missing;
    if (settings.file.empty() || (!named && !std::filesystem::exists(settings.file, missing))) {
        return;
    }
    const auto read = read_text(settings.file, most_bytes);
    if (!read.fault.empty()) {
        faults.push_back({settings.file, 0, 0, named ? "GPUMODEL_CONFIG" : "", read.fault});
        return;
    }
    settings.file_read = true;
    if (says_nothing(read.text)) {
        return;
    }
    if (const auto root = parse_yaml(read.text, settings.file, faults)) {
        FileReader(settings, faults).read(*root);
    }
}

void read_environment(Settings& settings, std::vector<Diagnostic>& faults) {
    for (auto& winner : settings.winners) {
        const auto& kind = *winner.kind;
        const auto value = kind.variable.empty() ? std::nullopt : variable(kind.variable);
        if (!value || value->empty()) {  // as if it were not set
            continue;
        }
        const auto problem = fault_of(kind, *value);
        if (!problem.empty()) {
            faults.push_back({"", 0, 0, kind.variable, problem});
            continue;
        }
        winner = {
            &kind, *value, SettingLevel::environment, "$" + kind.variable, {"", 0, 0, kind.variable, ""}};
    }
}

Settings built_in_settings() {
    Settings all;
    for (const auto& kind : setting_kinds()) {
        all.winners.push_back({&kind, kind.built_in, SettingLevel::built_in, "built in", {}});
    }
    return all;
}

}  // namespace

const std::vector<SettingKind>& setting_kinds() {
    static const std::vector<SettingKind> kinds{
        {"arch", "GPUMODEL_ARCH", "", {}, "the architecture, where a command needs one"},
        {"format", "GPUMODEL_FORMAT", "text", {"text", "json", "csv", "markdown"}, "of results"},
        {"l2", "GPUMODEL_L2", "warm", {"warm", "cold"}, "the L2 before the launch"},
        {"threads", "GPUMODEL_THREADS", "0", {"number"}, "worker threads, 0 = all cores"},
        {"compile", "GPUMODEL_COMPILE", "auto", {"auto", "always", "never"}, "families' kernels by nvcc"},
        {"color", "GPUMODEL_COLOR", "auto", {"auto", "always", "never"}, "on terminals"},
        {"quiet", "GPUMODEL_QUIET", "no", {"no", "yes"}, "no notes, no progress"},
        {"stamp", "GPUMODEL_STAMP", "no", {"no", "yes"}, "json with host and time"},
        {"arch_path", "GPUMODEL_ARCH_PATH", "", {}, "folders with specs, a:b"},
        {"cache_dir", "GPUMODEL_CACHE_DIR", "", {}, "where compiled programs are kept"},
    };
    return kinds;
}

const Setting& Settings::of(const std::string& key) const {
    return *std::find_if(winners.begin(), winners.end(),
                         [&](const Setting& setting) { return setting.kind->key == key; });
}

Settings read_settings() {
    auto all = built_in_settings();
    std::vector<Diagnostic> faults;
    read_file(all, faults);
    read_environment(all, faults);
    if (!faults.empty()) {
        throw InputError(InputErrorKind::usage, std::move(faults));
    }
    return all;
}

void check_products(const Settings& settings) {
    std::vector<Diagnostic> faults;
    if (const auto& arch = settings.of("arch"); arch.level != SettingLevel::built_in) {
        try {
            (void)arch_file(arch.value);
        } catch (const InputError& error) {
            faults.push_back(arch.place);
            faults.back().message =
                fmt::format("{}: {}", safe_to_print(arch.value), error.diagnostics().front().message);
        }
    }
    for (const auto& [product, overrides] : settings.overrides) {
        const auto& at = overrides.front();
        const auto fail = [&, key = "set." + product](const std::string& what) {
            faults.push_back({at.file, at.line, at.column, key, what});
        };
        try {
            const auto spec = load_arch(product);
            if (spec.name != product) {
                fail(fmt::format("means {}; write that name", spec.name));
            }
        } catch (const InputError& error) {
            fail(error.diagnostics().front().message);
        }
    }
    if (!faults.empty()) {
        throw InputError(InputErrorKind::usage, std::move(faults));
    }
}

Settings& settings() {
    static Settings all = built_in_settings();
    return all;
}

}  // namespace gpumodel::cli
