// Keys of a spec as numbers.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "arch_specs/derive.h"
#include "validate/calibrate/calibrate.h"
#include "validate/calibrate/forward_model.h"

namespace gpumodel {
namespace {

constexpr double negligible_change = 0.005;  // estimated: as the least standard deviation of a row

// Largest throughput of a class: all lanes of its pipe.
double pipe_limit(const Field& field, const ArchSpec& arch) {
    for (std::size_t op = 0; op < op_class_count; ++op) {
        const auto& timing = arch.sm.ops[op];
        if (timing && field.key == "sm.ops." + std::string(op_class_names[op]) + ".throughput") {
            const auto& lanes = arch.sm.pipe_lanes[static_cast<std::size_t>(timing->pipe)];
            return lanes ? *lanes : field.max;
        }
    }
    return field.max;
}

double bank_limit(const ArchSpec& arch) {
    const auto& shared = arch.sm.shared_memory;
    const auto& widths = shared.bank_widths_bytes;
    return shared.banks * (widths.empty() ? 4 : *std::max_element(widths.begin(), widths.end()));
}

}  // namespace

KeyRange allowed_range(const Field& field, const ArchSpec& arch) {
    KeyRange range{field.min, std::min(field.max, pipe_limit(field, arch))};
    if (field.key == "sm.shared_memory.bandwidth") {
        range.upper = std::min(range.upper, bank_limit(arch));
    }
    return range;
}

void set_values(ArchSpec& arch, std::span<const Field* const> fields, std::span<const double> values) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
        fields[i]->set(arch, values[i]);
    }
    derive(arch);
}

double value_of(const Field& field, const ArchSpec& arch) {
    const auto value = field.get(arch);
    const auto* number = std::get_if<double>(&value);
    return number == nullptr ? 0 : *number;
}

double rounded(double value, double standard_error, const Field& field, const KeyRange& range) {
    double result = value;
    if (field.whole) {
        result = std::round(value);
    } else if (standard_error > 0) {
        const double decimals = std::floor(std::log10(standard_error)) - 1;
        // powers of ten above 1 are exact, so that decimal values come out as their nearest double
        const double scale = std::pow(10.0, std::abs(decimals));
        result = decimals < 0 ? std::round(value * scale) / scale : std::round(value / scale) * scale;
    }
    return std::clamp(result, range.lower, range.upper);
}

KeyStatus compared_with_base(const CalibratedKey& key) {
    const double apart = std::abs(key.value - key.base);
    return apart <= std::max(2 * key.standard_error, negligible_change * std::abs(key.base))
               ? KeyStatus::confirmed
               : KeyStatus::changed;
}

void check_key_names(const std::vector<std::string>& keys, const ArchSpec& base) {
    std::vector<Diagnostic> faults;
    for (const auto& key : keys) {
        const auto* field = find_field(key);
        if (field == nullptr) {
            faults.push_back({"", 0, 0, "--keys", key + ": " + unknown_key_fault(key)});
        } else if (benchmarks_of(key).empty()) {
            faults.push_back({"", 0, 0, "--keys", key + ": no benchmark determines it"});
        } else if (!std::holds_alternative<double>(field->get(base))) {
            faults.push_back({"", 0, 0, "--keys", fmt::format("{}: {} has no such value", key, base.name)});
        }
    }
    if (!faults.empty()) {
        throw InputError(InputErrorKind::usage, std::move(faults));
    }
}

}  // namespace gpumodel
