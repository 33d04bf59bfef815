#include "model/sensitivity/spec_variation.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "arch_specs/consistency/consistency.h"
#include "arch_specs/derive.h"

namespace gpumodel {
namespace {

std::string range_fault(const Field& field, double value) {
    if (value >= field.min && value <= field.max && (!field.whole || value == std::round(value))) {
        return "";
    }
    return fmt::format("{} is out of range, allowed {}", print_value(field, value), allowed_values(field));
}

std::string joined(const std::vector<Diagnostic>& faults) {
    std::string text;
    for (const auto& fault : faults) {
        text += (text.empty() ? "" : "; ") + fault.message;
    }
    return text;
}

// To six digits, so that the value reads well and can be typed.
double short_number(double value) {
    return std::stod(fmt::format("{:.6g}", value));
}

double power_of_two_beside(double value, Direction direction) {
    const auto whole = static_cast<std::uint64_t>(value);
    const auto floor = std::bit_floor(whole);
    if (direction == Direction::up) {
        return static_cast<double>(2 * floor);
    }
    return static_cast<double>(floor == whole ? floor / 2 : floor);
}

}  // namespace

VariableSpec::VariableSpec(ArchSpec arch, const std::vector<Override>& overrides) : arch_(std::move(arch)) {
    std::vector<Diagnostic> faults;
    resolved_ = resolve_spec(arch_.file, overrides, default_spec_path(), faults);
    if (!faults.empty()) {
        throw InputError(InputErrorKind::invalid_input, std::move(faults));
    }
    resolved_.chain.clear();
}

std::optional<double> VariableSpec::value(const Field& field) const {
    const auto held = field.get(arch_);
    const auto* number = std::get_if<double>(&held);
    // fields without a value read as 0 where the type cannot say that it is absent
    return number != nullptr && resolved_.values.contains(field.key) ? std::optional(*number) : std::nullopt;
}

SpecVariant VariableSpec::with(const std::vector<SpecChange>& changes) const {
    SpecVariant variant;
    ResolvedSpec resolved = resolved_;
    ArchSpec arch = arch_;
    for (const auto& [field, value] : changes) {
        const auto fault = range_fault(*field, value);
        if (!fault.empty()) {
            variant.reason += (variant.reason.empty() ? "" : "; ") + fault;
            continue;
        }
        field->set(arch, value);
        auto& entry = resolved.values[field->key];
        entry.field = field;
        entry.value = value;
        entry.depth = -1;
    }
    if (!variant.reason.empty()) {
        return variant;
    }
    derive(arch);
    std::vector<Diagnostic> faults;
    check_consistency(resolved, arch, faults);
    variant.reason = joined(faults);
    if (faults.empty()) {
        variant.arch = std::move(arch);
    }
    return variant;
}

std::vector<double> neighbour_values(const Field& field, double value, double step, Direction direction) {
    const bool up = direction == Direction::up;
    const double end = up ? field.max : field.min;
    if (value == 0 || (up ? value >= end : value <= end)) {
        return {};
    }
    double target = short_number(value * (up ? 1 + step : 1 - step));
    if (field.whole) {
        target = up ? std::max(std::round(target), value + 1) : std::min(std::round(target), value - 1);
    }
    std::vector<double> values{up ? std::min(target, end) : std::max(target, end)};
    if (field.whole) {
        values.push_back(power_of_two_beside(value, direction));
    }
    std::erase_if(values, [&](double v) { return v <= 0 || (up ? v > end : v < end); });
    return values;
}

SpecNeighbour spec_neighbour(const VariableSpec& spec, const Field& field, double step, Direction direction) {
    SpecNeighbour neighbour;
    const auto base = spec.value(field);
    const auto values = base ? neighbour_values(field, *base, step, direction) : std::vector<double>{};
    if (values.empty()) {
        neighbour.reason = !base        ? "not in the spec"
                           : *base == 0 ? "is 0: no relative step"
                                        : fmt::format("allowed {}", allowed_values(field));
        return neighbour;
    }
    for (const double value : values) {
        auto variant = spec.with({{&field, value}});
        if (variant.arch) {
            return {value, std::move(variant.arch), ""};
        }
        if (neighbour.reason.empty()) {
            neighbour.reason = variant.reason;
        }
    }
    return neighbour;
}

std::optional<double> stated_uncertainty(const Field& field, double value, const std::string& source) {
    const auto at = source.find("+- ");
    if (at == std::string::npos || value == 0) {
        return std::nullopt;
    }
    const auto begin = at + 3;
    const auto text = source.substr(begin, source.find_first_of(":;,)", begin) - begin);
    if (text.ends_with('%')) {
        return parse_quantity(text, Dimension::ratio).value;
    }
    const auto quantity = parse_quantity(text, field.dimension).value;
    return quantity ? std::optional(std::abs(*quantity / value)) : std::nullopt;
}

}  // namespace gpumodel
