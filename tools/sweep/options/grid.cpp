#include "tools/sweep/options/grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <span>
#include <string_view>

namespace gpumodel::cli {
namespace {

std::int64_t saturated_product(std::int64_t a, std::int64_t b) {
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    return a != 0 && b > most / a ? most : a * b;
}

template <class Axis>
std::int64_t combinations(const std::vector<Axis>& axes) {
    std::int64_t count = 1;
    for (const auto& axis : axes) {
        count = saturated_product(count, static_cast<std::int64_t>(axis.values.size()));
    }
    return count;
}

// visit(axis, position) for every axis, the last axis being the fastest digit of `index`.
template <class Axis, class Visit>
void each_digit(const std::vector<Axis>& axes, std::int64_t index, const Visit& visit) {
    for (auto i = axes.size(); i-- > 0;) {
        const auto base = static_cast<std::int64_t>(axes[i].values.size());
        visit(i, static_cast<std::size_t>(index % base));
        index /= base;
    }
}

struct TunedParam {
    std::string_view name;
    std::int64_t lowest, highest;  // powers of two between these
    std::int64_t step = 0;         // or, if not 0, so far apart
    [[nodiscard]] std::int64_t after(std::int64_t value) const { return step > 0 ? value + step : 2 * value; }
};

// What published tuners of these kernels try (the ladder's own autotuning script: BM, BN 64 to 256, BK 8 to
// 64, TM and TN 4 to 32), with the smaller blocks that small problems need.
constexpr std::array tuned_params{TunedParam{"BM", 32, 256},      TunedParam{"BN", 32, 256},
                                  TunedParam{"BK", 8, 32},        TunedParam{"WM", 16, 128},
                                  TunedParam{"WN", 16, 128},      TunedParam{"WNITER", 1, 8},
                                  TunedParam{"TM", 2, 16},        TunedParam{"TN", 2, 16},
                                  TunedParam{"THREADS", 64, 512}, TunedParam{"BS", 8, 32}};

// Of the tensor-core families: depths and padding are of elements half as wide, or a quarter.
constexpr std::array tensor_params{TunedParam{"BM", 32, 256},  TunedParam{"BN", 32, 256},
                                   TunedParam{"BK", 16, 128},  TunedParam{"WM", 16, 128},
                                   TunedParam{"WN", 16, 128},  TunedParam{"STAGES", 2, 5, 1},
                                   TunedParam{"PAD", 0, 16, 8}};

std::vector<std::int64_t> tuned_values(const TunedParam& tuned, const ParamSpec& spec) {
    std::vector<std::int64_t> values;
    for (auto value = tuned.lowest; value <= tuned.highest; value = tuned.after(value)) {
        if (value >= spec.min && value <= spec.max) {
            values.push_back(value);
        }
    }
    if (std::find(values.begin(), values.end(), spec.default_value) == values.end()) {
        values.push_back(spec.default_value);
        std::sort(values.begin(), values.end());
    }
    return values;
}

}  // namespace

std::int64_t Grid::arch_points() const {
    return combinations(arch);
}

std::int64_t Grid::points_per_shape() const {
    return combinations(params);
}

std::int64_t Grid::points_per_arch() const {
    return saturated_product(static_cast<std::int64_t>(shapes.size()), points_per_shape());
}

std::int64_t Grid::size() const {
    return saturated_product(arch_points(), points_per_arch());
}

std::vector<Override> Grid::overrides(std::int64_t arch_point) const {
    std::vector<Override> list(arch.size());
    each_digit(arch, arch_point, [&](std::size_t axis, std::size_t position) {
        list[axis] = {arch[axis].key, arch[axis].values[position]};
    });
    return list;
}

ParamValues Grid::asked_words() const {
    ParamValues words;
    for (const auto& axis : params) {
        if (axis.values.size() == 1 && !param_words(axis.key).empty()) {
            words[axis.key] = axis.values.front();
        }
    }
    return words;
}

PredictionJob Grid::job(std::int64_t point) const {
    const auto& shape = shapes[static_cast<std::size_t>(point / points_per_shape())];
    PredictionJob job{kernel, {}, shape.m, shape.n, shape.k};
    each_digit(params, point % points_per_shape(), [&](std::size_t axis, std::size_t position) {
        job.params[params[axis].key] = params[axis].values[position];
    });
    return job;
}

std::string Grid::refusal(const ParamValues& resolved) const {
    for (const auto& axis : implied) {
        const auto* derived = find_derived(*find_family(kernel), axis.key);
        const auto value = derived->value(resolved);
        if (value && std::find(axis.values.begin(), axis.values.end(), *value) == axis.values.end()) {
            return axis.values.size() == 1
                       ? fmt::format("{} = {} must equal {} = {}", axis.key, axis.values.front(),
                                     derived->formula, *value)
                       : fmt::format("{} of {} must equal {} = {}", axis.key, fmt::join(axis.values, ", "),
                                     derived->formula, *value);
        }
    }
    return {};
}

std::vector<ParamAxis> own_axes(const Family& family, const std::vector<ParamAxis>& given) {
    std::vector<ParamAxis> axes;
    std::copy_if(given.begin(), given.end(), std::back_inserter(axes), [&family](const ParamAxis& axis) {
        return std::any_of(family.params.begin(), family.params.end(),
                           [&axis](const ParamSpec& spec) { return spec.name == axis.key; });
    });
    return axes;
}

std::vector<ParamAxis> implied_axes(const Family& family, const std::vector<ParamAxis>& given) {
    std::vector<ParamAxis> axes;
    std::copy_if(given.begin(), given.end(), std::back_inserter(axes),
                 [&family](const ParamAxis& axis) { return find_derived(family, axis.key) != nullptr; });
    return axes;
}

std::vector<ParamAxis> default_axes(const Family& family) {
    std::vector<ParamAxis> axes;
    for (const auto& spec : family.params) {
        const auto list = family.generated ? std::span<const TunedParam>(tuned_params) : tensor_params;
        const auto tuned =
            std::find_if(list.begin(), list.end(), [&](const TunedParam& t) { return t.name == spec.name; });
        if (!spec.fixed && tuned != list.end()) {
            axes.push_back({spec.name, tuned_values(*tuned, spec)});
        }
    }
    return axes;
}

}  // namespace gpumodel::cli
