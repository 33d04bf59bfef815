#include "arch_specs/document/spec_completion.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "arch_specs/document/spec_search.h"

namespace gpumodel {

namespace {

constexpr int deepest = 1 << 20;  // below every file of the chain

const ResolvedValue* value_at(const ResolvedSpec& resolved, const std::string& key) {
    const auto found = resolved.values.find(key);
    const bool given =
        found != resolved.values.end() && !std::holds_alternative<std::monostate>(found->second.value);
    return given ? &found->second : nullptr;
}

std::optional<double> known_number(const ResolvedSpec& resolved, const std::string& key) {
    const auto* value = value_at(resolved, key);
    const auto* number = value == nullptr ? nullptr : std::get_if<double>(&value->value);
    return number == nullptr ? std::nullopt : std::optional(*number);
}

void fill(ResolvedSpec& resolved, const std::string& key, const FieldValue& value, const std::string& source,
          bool estimated) {
    const auto* field = find_field(key);
    const bool faulty = std::any_of(resolved.chain.begin(), resolved.chain.end(), [&](const auto& document) {
        const auto& keys = document.faulty_keys;
        return std::find(keys.begin(), keys.end(), key) != keys.end();
    });
    if (value_at(resolved, key) == nullptr && !faulty) {
        resolved.values[key] = {
            field, value, {print_value(*field, value), source, estimated, filled_file, 0, 0}, deepest};
    }
}

// What follows from the file's own figures.
void fill_from_itself(ResolvedSpec& resolved) {
    fill(resolved, "marketing_name", resolved.chain.front().name, "the file's name", false);
    for (const auto* key : {"clock.boost", "clock.base"}) {
        if (const auto* clock = value_at(resolved, key)) {
            fill(resolved, "clock.sm", clock->value, fmt::format("estimated: {}", key), true);
        }
    }
    const auto bits = known_number(resolved, "dram.bus_width");
    const auto rate = known_number(resolved, "dram.data_rate");
    if (bits && rate) {
        fill(resolved, "dram.bandwidth", *bits * *rate / 8, "bus width * data rate", false);
    }
}

struct UnmeasuredKey {
    const char* key;
    bool per_sm;
};

constexpr std::array unmeasured_keys{
    UnmeasuredKey{"l2.size", true},
    UnmeasuredKey{"l2.read_bandwidth", true},
    UnmeasuredKey{"l2.write_bandwidth", true},
    UnmeasuredKey{"dram.capacity", false},
    UnmeasuredKey{"dram.latency", false},
    UnmeasuredKey{"dram.read_efficiency", false},
    UnmeasuredKey{"dram.copy_efficiency", false},
    UnmeasuredKey{"dram.ecc", false},
};

void fill_from_reference(ResolvedSpec& resolved, const ResolvedSpec& reference) {
    const auto& name = reference.chain.front().name;
    const auto sms = known_number(resolved, "sm_count");
    const auto reference_sms = known_number(reference, "sm_count");
    for (const auto& [key, per_sm] : unmeasured_keys) {
        const auto* there = value_at(reference, key);
        if (there == nullptr || (per_sm && (!sms || !reference_sms))) {
            continue;
        }
        auto value = there->value;
        if (per_sm) {
            auto& number = std::get<double>(value);
            number = std::round(number * *sms / *reference_sms);
        }
        fill(resolved, key, value, fmt::format("estimated: as on {}{}", name, per_sm ? ", per SM" : ""),
             true);
    }
}

const SpecDocument* generation_of(const ResolvedSpec& resolved) {
    const auto found = std::find_if(resolved.chain.begin(), resolved.chain.end(), [](const auto& document) {
        return !document.default_product.text.empty();
    });
    return found == resolved.chain.end() ? nullptr : &*found;
}

bool replaced_nearer(const ResolvedSpec& resolved, int depth, const std::vector<std::string>& inputs) {
    return std::any_of(inputs.begin(), inputs.end(), [&](const std::string& key) {
        const auto* input = value_at(resolved, key);
        return input != nullptr && input->depth < depth;
    });
}

}  // namespace

void fill_unmeasured(ResolvedSpec& resolved, const std::vector<std::string>& search_path) {
    const auto* generation = generation_of(resolved);
    const bool is_default =
        generation != nullptr && generation->default_product.text == resolved.chain.front().name;
    if (!resolved.complete || resolved.is_generation() || is_default) {
        return;
    }
    fill_from_itself(resolved);
    if (generation == nullptr) {
        return;
    }
    const auto file =
        find_spec_file(generation->default_product.text, directories_around(generation->file, search_path));
    if (file) {
        std::vector<Diagnostic> ignored;  // of another file: loading that one reports them
        fill_from_reference(resolved, resolve_spec(*file, {}, search_path, ignored));
    }
}

void drop_declared_of_parents(ResolvedSpec& resolved) {
    const std::vector<std::string> peak{"sm_count", "clock.sm", "clock.base", "clock.boost"};
    auto fp32 = peak;
    fp32.emplace_back("sm.ops.ffma.throughput");
    auto shared = peak;
    shared.emplace_back("sm.shared_memory.bandwidth");
    const std::vector<std::pair<std::string, std::vector<std::string>>> figures{
        {"declared.fp32", fp32},
        {"declared.shared_bandwidth", shared},
        {"declared.dram_bandwidth", {"dram.bandwidth", "dram.bus_width", "dram.data_rate"}}};
    for (const auto& [key, inputs] : figures) {
        const auto* declared = value_at(resolved, key);
        if (declared != nullptr && replaced_nearer(resolved, declared->depth, inputs)) {
            resolved.values.erase(key);
        }
    }
}

bool can_be_filled_in(std::string_view key) {
    return key == "marketing_name" || key == "clock.sm" || key == "dram.bandwidth" ||
           std::any_of(unmeasured_keys.begin(), unmeasured_keys.end(),
                       [key](const UnmeasuredKey& known) { return known.key == key; });
}

std::vector<std::string> filled_keys(const ArchSpec& spec) {
    std::vector<std::string> keys;
    for (const auto& [key, provenance] : spec.provenance) {
        if (provenance.file == filled_file) {
            keys.push_back(key);
        }
    }
    return keys;
}

}  // namespace gpumodel
