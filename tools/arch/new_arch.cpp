#include "tools/arch/new_arch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <sstream>

#include "arch_specs/document/spec_completion.h"
#include "arch_specs/document/spec_document.h"
#include "arch_specs/document/spec_search.h"
#include "arch_specs/loader.h"
#include "arch_specs/schema/schema.h"
#include "base/parse.h"
#include "tools/cli/command.h"
#include "tools/toolkit/subprocess.h"

namespace gpumodel::cli {

namespace {

struct Value {
    std::string text;
    std::string source;  // "" = the file's
};
using Values = std::map<std::string, Value>;

// "GDDR7 28 Gbps 256 bit 16 GB", in any order; a bandwidth ("896 GB/s") in place of rate and width.
class MemoryReader {
public:
    MemoryReader(Values& values, std::vector<Diagnostic>& faults) : values_(values), faults_(faults) {}

    void read(const std::string& text) {
        std::string spaced = text;
        std::replace(spaced.begin(), spaced.end(), '-', ' ');
        std::istringstream words(spaced);
        for (std::string word; words >> word;) {
            const bool number = word.front() >= '0' && word.front() <= '9';
            std::string unit;
            if (number && word.find_first_not_of("0123456789.") == std::string::npos && words >> unit) {
                word += " " + unit;
            }
            if (!(number ? take_quantity(word) : is_kind(word))) {
                faults_.push_back({"", 0, 0, "--memory",
                                   cite(word) +
                                       " is none of a kind (GDDR7), a rate per pin (28 Gbps), a width "
                                       "(256 bit), a size (16 GB), a bandwidth (896 GB/s)"});
            }
        }
        finish();
    }

private:
    static bool is_kind(const std::string& word) {
        return word.starts_with("GDDR") || word.starts_with("HBM") || word.starts_with("LPDDR") ||
               word.starts_with("DDR");
    }

    bool take_quantity(std::string word) {
        if (const auto at = word.find("bps"); at != std::string::npos) {
            word.replace(at, 3, "b/s");
        }
        const std::pair<const char*, Dimension> keys[] = {{"dram.bus_width", Dimension::bits},
                                                          {"dram.data_rate", Dimension::bits_per_second},
                                                          {"dram.bandwidth", Dimension::bytes_per_second},
                                                          {"dram.capacity", Dimension::bytes}};
        for (const auto& [key, dimension] : keys) {
            if (const auto parsed = parse_quantity(word, dimension); parsed.value) {
                values_[key] = {print_quantity(*parsed.value, dimension), ""};
                numbers_[key] = *parsed.value;
                return true;
            }
        }
        return false;
    }

    void finish() {
        const bool pins = numbers_.contains("dram.bus_width") && numbers_.contains("dram.data_rate");
        if (pins && !numbers_.contains("dram.bandwidth")) {
            values_["dram.bandwidth"] = {
                print_quantity(numbers_["dram.bus_width"] * numbers_["dram.data_rate"] / 8,
                               Dimension::bytes_per_second),
                "bus width * data rate"};
        } else if (numbers_.contains("dram.bandwidth") && !pins) {
            values_.try_emplace("dram.bus_width", Value{"~", ""});
            values_.try_emplace("dram.data_rate", Value{"~", ""});
        } else if (!pins) {
            faults_.push_back(
                {"", 0, 0, "--memory", "give the rate per pin and the width, or the bandwidth"});
        }
    }

    Values& values_;
    std::vector<Diagnostic>& faults_;
    std::map<std::string, double> numbers_;
};

bool is_file_name(const std::string& name) {
    return !name.empty() && name.size() <= 64 &&
           name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") ==
               std::string::npos;
}

Values given_values(const NewArch& arch, std::vector<Diagnostic>& faults) {
    Values values;
    const auto take = [&](const char* key, const std::string& text) {
        if (!text.empty()) {
            values[key] = {text, ""};
        }
    };
    take("sm_count", arch.sm_count);
    take("l2.size", arch.l2);
    take("clock.base", arch.base_clock);
    take("clock.boost", arch.boost_clock);
    take("clock.sm", arch.boost_clock);
    if (!arch.memory.empty()) {
        MemoryReader(values, faults).read(arch.memory);
    }
    for (const auto& [key, value] : split_pairs(arch.sets, "--set")) {
        values[key] = {value, ""};
    }
    for (const auto& [key, value, source] : arch.measured) {
        values[key] = {value, source};
    }
    return values;
}

// What holds for the parent but not for `values`.
void amend(Values& values, const ArchSpec& parent, const ArchSpec& changed, bool from_generation) {
    if (from_generation) {
        return;  // the loader fills in what is missing
    }
    if (values.contains("clock.boost") && !values.contains("clock.base") && parent.clock.base_hz) {
        values["clock.base"] = {"~", ""};
    }
    if (changed.sm_count != parent.sm_count && !values.contains("gpc.sms") && !parent.gpc.sms.empty()) {
        values["gpc.sms"] = {"~", ""};  // how other SMs lie in GPCs is not known
    }
    const double scale = static_cast<double>(changed.sm_count) / parent.sm_count;
    for (const auto* key : {"l2.read_bandwidth", "l2.write_bandwidth"}) {
        const auto* field = find_field(key);
        const auto value = field->get(parent);
        const auto* number = std::get_if<double>(&value);
        if (changed.sm_count != parent.sm_count && !values.contains(key) && number != nullptr) {
            const auto scaled = std::round(*number * scale);
            values[key] = {print_value(*field, scaled),
                           fmt::format("estimated: as on {}, per SM", parent.name)};
        }
    }
}

// Figures that grow with a chip, but by no rule: taken over from the parent whatever the SMs.
constexpr std::array not_scaled{"dram.bandwidth", "l2.size", "l2.far_read_bandwidth",
                                "launch.blocks_per_cycle"};

std::string yaml_quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        result += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    }
    return result + "\"";
}

// Values as nested maps, in the schema's order.
void write_section(std::string& text, const std::string& path, int depth, const Values& values) {
    const std::string indent(static_cast<std::size_t>(2 * depth), ' ');
    for (const auto& name : schema_sections().find(path)->second) {
        const auto key = path.empty() ? name : path + "." + name;
        if (const auto found = values.find(key); found != values.end()) {
            const auto& value = found->second;
            text += value.source.empty() ? fmt::format("{}{}: {}\n", indent, name, value.text)
                                         : fmt::format("{}{}: {{value: {}, source: {}}}\n", indent, name,
                                                       value.text, yaml_quoted(value.source));
        } else if (const auto below = values.lower_bound(key + ".");
                   below != values.end() && below->first.starts_with(key + ".")) {
            text += fmt::format("{}{}:\n", indent, name);
            write_section(text, key, depth + 1, values);
        }
    }
}

// Canonical texts, which are safe to write: "~" stays.
Values checked(const Values& values, const NewArch& arch, std::vector<Diagnostic>& faults) {
    Values result;
    for (const auto& [key, value] : values) {
        const auto* field = find_field(key);
        if (field == nullptr) {
            faults.push_back({"", 0, 0, "--set", key + ": " + unknown_key_fault(key)});
            continue;
        }
        const bool removed = value.text == "~" && field->need == Need::optional;
        const auto parsed = removed ? ParsedValue{} : parse_scalar(*field, value.text);
        if (!parsed.fault.empty()) {
            faults.push_back({"", 0, 0, key, parsed.fault});
            continue;
        }
        auto text = removed ? "~" : print_value(*field, parsed.value);
        result[key] = {field->kind == FieldKind::word && field->words.empty() ? yaml_quoted(text) : text,
                       value.source};
    }
    result["marketing_name"] = {yaml_quoted(arch.marketing_name.empty() ? arch.name : arch.marketing_name),
                                ""};
    return result;
}

std::vector<Override> overrides_of(const Values& values) {
    std::vector<Override> overrides;
    for (const auto& [key, value] : values) {
        if (key != "marketing_name") {
            overrides.push_back({key, value.text});
        }
    }
    return overrides;
}

}  // namespace

std::string new_arch_yaml(const NewArch& arch) {
    std::vector<Diagnostic> faults;
    if (!is_file_name(arch.name)) {
        faults.push_back({"", 0, 0, "--name", "expected a name of up to 64 letters, digits, '_' or '-'"});
    }
    if (arch.marketing_name.find_first_of("\n\r\t") != std::string::npos) {
        faults.push_back({"", 0, 0, "--marketing-name", "expected one line"});
    }
    auto values = checked(given_values(arch, faults), arch, faults);
    std::string parent_file;
    try {
        parent_file = arch_file(arch.from);
    } catch (const InputError& error) {
        faults.insert(faults.end(), error.diagnostics().begin(), error.diagnostics().end());
    }
    if (!faults.empty()) {
        throw InputError(InputErrorKind::usage, std::move(faults));
    }
    const auto parent = load_arch(arch.from);
    const auto parent_name = std::filesystem::path(parent_file).stem().string();
    const bool from_generation = parent_name == parent.generation;
    amend(values, parent, load_arch(arch.from, overrides_of(values)), from_generation);
    if (from_generation && !values.contains("sm_count")) {
        throw InputError(
            InputErrorKind::usage,
            {{"", 0, 0, "--sm-count", fmt::format("{} is a generation: say how many SMs", parent_name)}});
    }
    auto text = fmt::format("# Made by {}\nschema_version: {}\nname: {}\ninherits: {}\nsource: {}\n",
                            "gpumodel arch new", spec_schema_version, arch.name, parent_name,
                            yaml_quoted(arch.source));
    write_section(text, "", 0, values);
    return text;
}

ArchSpec load_new_arch(const NewArch& arch, const std::string& out) {
    const auto text = new_arch_yaml(arch);
    const WorkFolder folder;
    const auto path = folder.file(arch.name + ".yaml");
    write_file(path, text);
    try {
        return load_arch(path, {}, directories_around(out, default_spec_path()));
    } catch (const InputError& error) {
        auto faults = error.diagnostics();
        for (auto& fault : faults) {
            if (fault.file == path) {  // nobody's file
                fault = {"", 0, 0, fault.key, fault.message};
            }
        }
        throw InputError(InputErrorKind::usage, std::move(faults));
    }
}

std::string unscaled_note(const NewArch& arch) {
    std::vector<Diagnostic> faults;
    const auto values = given_values(arch, faults);
    const auto parent = load_arch(arch.from);
    const auto given = values.find("sm_count");
    const int sms = given == values.end() ? parent.sm_count
                                          : parse_number<int>(given->second.text).value_or(parent.sm_count);
    const bool from_generation = std::filesystem::path(arch_file(arch.from)).stem() == parent.generation;
    if (!faults.empty() || sms == parent.sm_count || from_generation) {
        return "";  // of a generation's product the loader says what it fills in
    }
    std::vector<std::string> kept;
    for (const auto* key : not_scaled) {
        const auto* field = find_field(key);
        if (!values.contains(key) && std::holds_alternative<double>(field->get(parent))) {
            kept.push_back(fmt::format("{} {}", key, print_value(*field, field->get(parent))));
        }
    }
    return kept.empty() ? ""
                        : fmt::format("as on {} with its {} SMs, not scaled to {}: {}\n", parent.name,
                                      parent.sm_count, sms, fmt::join(kept, ", "));
}

std::string new_arch_summary(const std::string& path) {
    const auto spec = load_arch(path.find('/') == std::string::npos ? "./" + path : path);
    auto text =
        fmt::format("{}: {} SMs at {}, {} FP32, {} at {}\n", path, spec.sm_count,
                    print_quantity(spec.clock.sm_hz, Dimension::frequency),
                    fmt::format("{:.1f} TFLOP/s", spec.peak_fp32_flops / 1e12),
                    print_quantity(static_cast<double>(spec.dram.capacity_bytes), Dimension::bytes),
                    print_quantity(spec.dram.bandwidth_bytes_per_second, Dimension::bytes_per_second));
    std::vector<std::string> filled;
    for (const auto& key : filled_keys(spec)) {
        if (spec.provenance.at(key).estimated) {
            filled.push_back(key);
        }
    }
    if (!filled.empty()) {
        text += fmt::format("estimated, as nothing was given: {}\n", fmt::join(filled, ", "));
    }
    text += fmt::format("try: gpumodel predict --arch {} --kernel warptile\n", spec.file);
    return text;
}

}  // namespace gpumodel::cli
