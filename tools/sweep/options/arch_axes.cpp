#include "tools/sweep/options/arch_axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>

#include "arch_specs/schema/schema.h"
#include "tools/sweep/options/axis_text.h"

namespace gpumodel::cli {
namespace {

// NaN for anything but a decimal number; what follows it goes to `rest`, or is a fault without one.
double decimal(const std::string& text, std::string* rest) {
    double value = 0;
    const auto* const end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value);
    if (result.ec != std::errc() || (rest == nullptr && result.ptr != end)) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    if (rest != nullptr) {
        rest->assign(result.ptr, end);
    }
    return value;
}

// "60:120:20", "60:62" (steps of 1) or "700:900:100 GB/s"; not a range: the text itself.
std::vector<std::string> spec_values(const std::string& text, const std::string& place,
                                     OptionFaults& faults) {
    const auto parts = split_values(text, ':');
    if (parts.size() == 1) {
        return {text};
    }
    std::string unit;
    const double first = decimal(parts[0], nullptr);
    const double last = decimal(parts[1], parts.size() == 2 ? &unit : nullptr);
    const double step = parts.size() == 2 ? 1 : decimal(parts[2], &unit);
    const double steps = (last - first) / step;
    constexpr auto most = static_cast<double>(most_axis_values);
    if (parts.size() > 3 || !(step > 0 && first <= last && steps < most)) {
        faults.add(place,
                   fmt::format("{} is no range; expected FIRST:LAST:STEP, rising, with its unit behind "
                               "and at most {} values",
                               cite(text), most_axis_values));
        return {};
    }
    std::vector<std::string> values;
    constexpr double rounding = 1e-9;  // 0.8:1.0:0.1 ends with 1.0
    for (int i = 0; i <= static_cast<int>(steps + rounding); ++i) {
        values.push_back(fmt::format("{:.12g}{}", first + i * step, unit));
    }
    return values;
}

// "700,900 GB/s" is "700 GB/s,900 GB/s".
std::vector<std::string> with_last_unit(std::vector<std::string> values) {
    std::string unit;
    if (!std::isnan(decimal(values.back(), &unit)) && unit.find(':') == std::string::npos) {
        for (auto& value : values) {
            value += std::isnan(decimal(value, nullptr)) ? "" : unit;
        }
    }
    return values;
}

// The first fault of one key's values; "" if they are sound.
std::string fault_of_values(const Field& field, const std::vector<std::string>& values) {
    std::set<std::string> seen;
    for (const auto& text : values) {
        const bool absent = text == "~" && field.need == Need::optional;
        const auto parsed = absent ? ParsedValue{} : parse_scalar(field, text);
        if (!parsed.fault.empty()) {
            return parsed.fault;
        }
        if (!seen.insert(absent ? text : print_value(field, parsed.value)).second) {
            return fmt::format("{} stands twice", cite(text));
        }
    }
    return "";
}

std::string unsettable(const std::string& key) {
    if (std::find(file_keys.begin(), file_keys.end(), key) != file_keys.end()) {
        return "this describes the spec file itself; only the file can say it";
    }
    return schema_sections().contains(key) ? "this is a section; give the key of a value"
                                           : unknown_key_fault(key);
}

// The top level of a spec has no name; people call it the device.
const Field* field_of(const std::string& key) {
    constexpr std::string_view top_level = "device.";
    const auto* field = find_field(key);
    return field == nullptr && key.starts_with(top_level) ? find_field(key.substr(top_level.size())) : field;
}

}  // namespace

std::vector<ArchAxis> arch_axes(const std::vector<std::string>& items, const std::string& option,
                                OptionFaults& faults) {
    std::vector<ArchAxis> axes;
    each_axis_item(items, option, faults,
                   [&](const std::string& typed, const std::string& text, const std::string& place) {
                       const auto* field = field_of(typed);
                       if (field == nullptr) {
                           faults.add(place, unsettable(typed));
                           return;
                       }
                       ArchAxis axis{field->key, {}};
                       for (const auto& part : with_last_unit(split_values(text, ','))) {
                           const auto values = spec_values(part, place, faults);
                           axis.values.insert(axis.values.end(), values.begin(), values.end());
                       }
                       const bool twice = std::any_of(axes.begin(), axes.end(),
                                                      [&](const ArchAxis& a) { return a.key == axis.key; });
                       const auto fault = twice ? "given twice" : fault_of_values(*field, axis.values);
                       if (!fault.empty()) {
                           faults.add(place, fault);
                       } else if (axis.values.size() <= most_axis_values) {
                           axes.push_back(std::move(axis));
                       } else {
                           faults.add(place, fmt::format("more than {} values", most_axis_values));
                       }
                   });
    return axes;
}

}  // namespace gpumodel::cli
