#include "tools/sweep/options/axis_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/units.h"
#include "traces/kernel/family.h"

namespace gpumodel::cli {
namespace {

constexpr NumberRange any_value{-(std::int64_t{1} << 40), std::int64_t{1} << 40};

struct Range {
    std::int64_t first = 0, last = 0, step = 1;
};

std::optional<Range> parse_range(const std::string& text, const std::string& option, OptionFaults& faults) {
    const auto parts = split_values(text, ':');
    if (parts.size() > 3) {
        faults.add(option, fmt::format("{} is no range; expected FIRST:LAST:STEP", cite(text)));
        return std::nullopt;
    }
    Range range;
    std::int64_t* const members[] = {&range.first, &range.last, &range.step};
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto value = parts[i].empty() ? std::nullopt : faults.whole_number(parts[i], option, any_value);
        if (!value) {
            if (parts[i].empty()) {
                faults.add(option, fmt::format("{} lacks a value", cite(text)));
            }
            return std::nullopt;
        }
        *members[i] = *value;
    }
    range.last = parts.size() == 1 ? range.first : range.last;
    if (range.step < 1) {
        faults.add(option, fmt::format("{}: the step must be at least 1", cite(text)));
    } else if (range.first > range.last) {
        faults.add(option, fmt::format("{}: no value lies in this range", cite(text)));
    } else {
        return range;
    }
    return std::nullopt;
}

template <class Value>
bool too_many(const std::vector<Value>& values, const std::string& option, OptionFaults& faults) {
    if (values.size() <= most_axis_values) {
        return false;
    }
    faults.add(option, fmt::format("more than {} values", most_axis_values));
    return true;
}

// The first value that stands twice; the end if there is none.
template <class Value, class Key>
const Value* duplicate(const std::vector<Value>& values, const Key& key) {
    std::set<decltype(key(values.front()))> seen;
    for (const auto& value : values) {
        if (!seen.insert(key(value)).second) {
            return &value;
        }
    }
    return nullptr;
}

bool append_range(const Range& range, const std::string& option, std::vector<std::int64_t>& values,
                  OptionFaults& faults) {
    for (auto value = range.first; value <= range.last; value += range.step) {
        values.push_back(value);
        if (too_many(values, option, faults)) {
            return false;
        }
    }
    return true;
}

std::optional<ProblemShape> parse_shape(const std::string& text, const std::string& option,
                                        OptionFaults& faults) {
    const auto parts = split_values(text, 'x');
    if (parts.size() != 3) {
        faults.add(option, fmt::format("{} is no shape; expected SIZE or MxNxK", cite(text)));
        return std::nullopt;
    }
    const auto m = faults.whole_number(parts[0], option, {1, largest_dimension});
    const auto n = faults.whole_number(parts[1], option, {1, largest_dimension});
    const auto k = faults.whole_number(parts[2], option, {1, largest_dimension});
    return m && n && k ? std::optional(ProblemShape{*m, *n, *k}) : std::nullopt;
}

bool append_cubes(const std::string& text, const std::string& option, std::vector<ProblemShape>& shapes,
                  OptionFaults& faults) {
    const auto range = parse_range(text, option, faults);
    if (!range) {
        return false;
    }
    std::vector<std::int64_t> sides;
    if (!append_range(*range, option, sides, faults)) {
        return false;
    }
    for (const auto side : {sides.front(), sides.back()}) {
        if (side < 1 || side > largest_dimension) {
            faults.add(option, fmt::format("{} is out of range; allowed 1 to {}", side, largest_dimension));
            return false;
        }
    }
    for (const auto side : sides) {
        shapes.push_back({side, side, side});
    }
    return !too_many(shapes, option, faults);
}

// The numbers that words stand for: UNROLL=auto, TYPE=f16.
std::string without_words(const std::string& key, const std::string& values) {
    auto parts = split_values(values, ',');
    for (auto& part : parts) {
        if (const auto value = param_value(key, part)) {
            part = std::to_string(*value);
        }
    }
    return fmt::format("{}", fmt::join(parts, ","));
}

}  // namespace

std::vector<std::string> split_values(const std::string& text, char separator) {
    std::vector<std::string> parts(1);
    int depth = 0;
    for (const char c : text) {
        depth += c == '[' ? 1 : c == ']' ? -1 : 0;
        if (c == separator && depth <= 0) {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    return parts;
}

void each_axis_item(const std::vector<std::string>& items, const std::string& option, OptionFaults& faults,
                    const TakeAxis& take) {
    std::set<std::string> keys;
    for (const auto& item : items) {
        faults.collect([&] {
            for (const auto& [key, values] : split_pairs({item}, option)) {
                const auto place = fmt::format("{}: {}", option, key);
                if (!keys.insert(key).second) {
                    faults.add(place, "given twice");
                } else {
                    take(key, values, place);
                }
            }
        });
    }
}

std::vector<std::int64_t> axis_values(const std::string& text, const std::string& option,
                                      OptionFaults& faults) {
    std::vector<std::int64_t> values;
    bool sound = true;
    for (const auto& part : split_values(text, ',')) {
        const auto range = parse_range(part, option, faults);
        sound = range && sound;
        if (range && !append_range(*range, option, values, faults)) {
            return {};
        }
    }
    if (const auto* twice = duplicate(values, [](std::int64_t v) { return v; })) {
        faults.add(option, fmt::format("{} stands twice", *twice));
        return {};
    }
    return sound ? values : std::vector<std::int64_t>{};
}

std::vector<ProblemShape> shape_list(const std::string& text, const std::string& option,
                                     OptionFaults& faults) {
    std::vector<ProblemShape> shapes;
    bool sound = true;
    for (const auto& part : split_values(text, ',')) {
        if (part.find('x') == std::string::npos) {
            sound = append_cubes(part, option, shapes, faults) && sound;
        } else if (const auto shape = parse_shape(part, option, faults)) {
            shapes.push_back(*shape);
        } else {
            sound = false;
        }
    }
    const auto dimensions = [](const ProblemShape& s) { return std::array{s.m, s.n, s.k}; };
    if (const auto* twice = duplicate(shapes, dimensions)) {
        faults.add(option, fmt::format("{}x{}x{} stands twice", twice->m, twice->n, twice->k));
        return {};
    }
    return sound ? shapes : std::vector<ProblemShape>{};
}

std::vector<ParamAxis> param_axes(const std::vector<std::string>& items, const std::string& option,
                                  OptionFaults& faults) {
    std::vector<ParamAxis> axes;
    each_axis_item(items, option, faults,
                   [&](const std::string& key, const std::string& values, const std::string& place) {
                       axes.push_back({key, axis_values(without_words(key, values), place, faults)});
                   });
    return axes;
}

void check_param_axes(const Family& family, const std::vector<ParamAxis>& axes, const std::string& option,
                      OptionFaults& faults) {
    for (const auto& axis : axes) {
        if (find_derived(family, axis.key) != nullptr) {
            continue;  // each point of the grid is held against it
        }
        for (const auto value : axis.values) {
            try {
                (void)resolve_params(family, {{axis.key, value}});
            } catch (const InputError& error) {  // one fault per axis: a range may hold a million values
                faults.add(fmt::format("{}: {}", option, axis.key), error.diagnostics().front().message);
                break;
            }
        }
    }
}

}  // namespace gpumodel::cli
