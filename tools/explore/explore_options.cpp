#include "tools/explore/explore_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/number_text.h"
#include "tools/explore/explore_gpus.h"
#include "tools/sweep/options/axis_text.h"
#include "tools/sweep/options/family_grids.h"

namespace gpumodel::cli {
namespace {

constexpr std::array<std::int64_t, 2> default_sides{1024, 4096};
constexpr std::int64_t default_tiles = 2000;  // combinations; a fifth of warptile's keep all rules

// -m, -n or -k; nothing where it is not given.
std::vector<std::int64_t> side_values(const std::string& text, const std::string& option,
                                      OptionFaults& faults) {
    auto values = text.empty() ? std::vector<std::int64_t>{} : axis_values(text, option, faults);
    for (const auto value : values) {
        if (value < 1 || value > largest_dimension) {
            faults.add(option, fmt::format("{} is out of range; allowed 1 to {}", value, largest_dimension));
            return {};
        }
    }
    return values;
}

struct Sides {
    std::vector<std::int64_t> m, n, k;
};

void choose_sides(const Sides& given, ExploreKernel& kernel) {
    const auto& own = kernel.family.family->default_shape;
    const bool any_depth = own.k == own.m;  // not the guides' fixed one
    const std::vector<std::int64_t> usual(default_sides.begin(), default_sides.end());
    kernel.m = given.m.empty() ? usual : given.m;
    kernel.n = given.n.empty() ? usual : given.n;
    kernel.k = !given.k.empty() ? given.k : any_depth ? usual : std::vector{own.k};
    for (const auto m : kernel.m) {
        for (const auto n : kernel.n) {
            for (const auto k : kernel.k) {
                kernel.family.grid.shapes.push_back({m, n, k});
                if (kernel.family.grid.shapes.size() > most_explored) {
                    return;  // too many; check_size says so
                }
            }
        }
    }
}

std::vector<std::string> following_params(const Family& family, const std::vector<ParamAxis>& axes) {
    std::vector<std::string> names;
    for (const auto& spec : family.params) {
        const bool axis =
            std::any_of(axes.begin(), axes.end(), [&spec](const ParamAxis& a) { return a.key == spec.name; });
        if (!axis && !spec.fixed) {
            names.push_back(spec.name);
        }
    }
    return names;
}

// A parameter that the rules may settle is no axis by itself: each combination of the others has one value.
std::vector<ParamAxis> free_axes(const Family& family) {
    auto axes = default_axes(family);
    std::erase_if(axes, [](const ParamAxis& axis) { return axis.key == "THREADS"; });
    return nearest_axes(family, std::move(axes), default_tiles);
}

ExploreKernel make_kernel(const Family& family, const std::vector<ParamAxis>& given, const Sides& sides,
                          OptionFaults& faults) {
    ExploreKernel kernel;
    kernel.family = family_grid(family, given, free_axes(family), faults);
    kernel.following = following_params(family, kernel.family.grid.params);
    choose_sides(sides, kernel);
    CodeOptions code;  // one source for all points: a cache that fills must not change the page
    if (family.generated) {
        kernel.code_option = "--generated";
    } else {
        code.compile = "never";
        kernel.resources.provider = provider_of(code, 1);
        kernel.code_option = "--compile never";
    }
    return kernel;
}

void check_size(const ExplorePlan& plan, OptionFaults& faults) {
    const auto clocks = static_cast<std::int64_t>(plan.clock_names.size());
    const auto launches = plan.launches();
    if (launches > most_explored / std::max<std::int64_t>(clocks, 1)) {
        faults.add("-p",
                   fmt::format("{} launches at {} clocks (GPUs x shapes x parameter values); a page holds "
                               "at most {} points",
                               launches == std::numeric_limits<std::int64_t>::max()
                                   ? "more than " + grouped(launches)
                                   : grouped(launches),
                               clocks, grouped(most_explored)));
    }
}

// Of two values of a parameter, in powers of two; 0 counts as 1.
double octaves_between(std::int64_t a, std::int64_t b) {
    const auto exponent = [](std::int64_t value) {
        return std::log2(static_cast<double>(std::max<std::int64_t>(value, 1)));
    };
    return std::abs(exponent(a) - exponent(b));
}

}  // namespace

std::vector<ParamAxis> nearest_axes(const Family& family, std::vector<ParamAxis> axes, std::int64_t most) {
    const auto defaults = resolve_params(family, {});
    while (Grid{"", {}, {}, axes, {}}.points_per_shape() > most) {
        auto longest = axes.begin();
        for (auto axis = axes.begin(); axis != axes.end(); ++axis) {
            if (axis->values.size() >= longest->values.size()) {
                longest = axis;  // the last of them: the block's own tile keeps most
            }
        }
        const auto centre = defaults.at(longest->key);
        auto farthest = longest->values.begin();
        for (auto value = farthest; value != longest->values.end(); ++value) {
            if (octaves_between(*value, centre) >= octaves_between(*farthest, centre)) {
                farthest = value;
            }
        }
        longest->values.erase(farthest);
    }
    return axes;
}

std::int64_t ExplorePlan::launches() const {
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    const auto count = static_cast<std::int64_t>(gpus.size());
    std::int64_t sum = 0;
    for (const auto& kernel : kernels) {
        const auto points = kernel.family.grid.points_per_arch();
        if (count > 0 && points > (most - sum) / count) {
            return most;
        }
        sum += points * count;
    }
    return sum;
}

ExplorePlace explore_place(const ExplorePlan& plan, std::int64_t launch) {
    ExplorePlace place;
    const auto gpus = static_cast<std::int64_t>(plan.gpus.size());
    for (const auto& kernel : plan.kernels) {
        const auto points = kernel.family.grid.points_per_arch();
        if (launch < points * gpus) {
            place.gpu = static_cast<std::size_t>(launch / points);
            place.point = launch % points;
            return place;
        }
        launch -= points * gpus;
        ++place.kernel;
    }
    return place;
}

void add_explore_options(Command& command, ExploreOptions& options) {
    command
        .add_option("--arch", options.archs,
                    fmt::format("GPUs: a product or a list of them (default {})", default_archs))
        .one_each();
    command.add_option("--set", options.sets, "spec override KEY=VALUE for all of them, repeatable")
        .one_each();
    command
        .add_option("--kernel", options.kernels,
                    "kernel family or a list of them (default warptile); see 'gpumodel kernels list'")
        .one_each();
    command
        .add_option(
            "-p", options.params,
            "values of a kernel parameter: KEY=VALUES, repeatable (default: the tuner's values nearest "
            "to the default tile)")
        .one_each();
    command.add_option("-m", options.m, "rows of C: a list or a range (default 1024,4096)");
    command.add_option("-n", options.n, "columns of C: a list or a range (default 1024,4096)");
    command.add_option("-k", options.k, "inner dimension: a list or a range (default 1024,4096)");
    command.add_option(
        "--clock", options.clocks,
        fmt::format("SM clocks: shares of the spec's clock (80%), frequencies (1200 MHz), or a "
                    "list of them (default {})",
                    default_clocks));
    command.add_option("--threads", options.threads, "worker threads (0 = all cores)");
    command.add_option("--out", options.output.out, "the HTML file to write; a pipe needs none");
}

ExplorePlan explore_plan(const ExploreOptions& options) {
    OptionFaults faults;
    ExplorePlan plan;
    const auto families = chosen_families(
        options.kernels.empty() ? std::vector<std::string>{"warptile"} : options.kernels, faults);
    const auto given = param_axes(options.params, "-p", faults);
    check_known_axes(families, given, faults);
    const Sides sizes{side_values(options.m, "-m", faults), side_values(options.n, "-n", faults),
                      side_values(options.k, "-k", faults)};
    for (const auto* family : families) {
        plan.kernels.push_back(make_kernel(*family, given, sizes, faults));
    }
    choose_gpus(options.archs, options.sets, options.clocks, plan, faults);
    constexpr std::int64_t most_threads = 1024;
    plan.threads = static_cast<int>(faults.number_or(options.threads, "--threads", 0, {0, most_threads}));
    if (!faults.any()) {
        check_size(plan, faults);
    }
    faults.throw_if_any();
    return plan;
}

}  // namespace gpumodel::cli
