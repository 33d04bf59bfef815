#include "tools/tune/tune_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/sweep/options/axis_text.h"

namespace gpumodel::cli::tuning {
namespace {

constexpr std::int64_t default_refine = 64;
constexpr std::int64_t most_refined = 100'000;
constexpr std::int64_t default_top = 8;
constexpr std::int64_t most_combinations = 100'000'000;  // of one kernel at one shape: some minutes

const std::vector<std::string> models{"simulate", "analytic", "both"};                // as RankedBy
const std::vector<std::string> formats{"text", "json", "csv", "header", "markdown"};  // as TuneFormat
const std::vector<std::string> splits{"calibration", "test", "all"};

std::vector<const Family*> families_of(const TuneOptions& options, OptionFaults& faults) {
    const auto known = family_names();
    std::vector<const Family*> list;
    for (const auto& name : options.kernels) {
        const auto* family = find_family(name);
        if (family == nullptr) {
            faults.add("--kernel", fmt::format("'{}' is no kernel family; see 'gpumodel kernels list'{}",
                                               name, nearest_hint(name, known)));
        } else if (std::find(list.begin(), list.end(), family) != list.end()) {
            faults.add("--kernel", fmt::format("'{}' is given twice", name));
        } else {
            list.push_back(family);
        }
    }
    if (options.kernels.empty() && options.measurements.empty()) {
        faults.add("--kernel", "is required, unless --measurements says which");
    }
    return list;
}

// The default axes with those that were given in their place, or behind them.
Grid grid_of(const Family& family, const std::vector<ParamAxis>& given, OptionFaults& faults) {
    Grid grid;
    grid.kernel = family.name;
    grid.params = default_axes(family);
    check_param_axes(family, given, "-p", faults);
    grid.implied = implied_axes(family, given);
    for (const auto& axis : own_axes(family, given)) {
        const auto found = std::find_if(grid.params.begin(), grid.params.end(),
                                        [&](const ParamAxis& a) { return a.key == axis.key; });
        if (found == grid.params.end()) {
            grid.params.push_back(axis);
        } else {
            *found = axis;
        }
    }
    if (grid.points_per_shape() > most_combinations) {
        faults.add("-p", fmt::format("{} has {} combinations, at most {} are tried: restrict some axes",
                                     family.name, grid.points_per_shape(), most_combinations));
    }
    return grid;
}

std::vector<ProblemShape> shapes_of(const TuneOptions& options, const std::vector<const Family*>& list,
                                    OptionFaults& faults) {
    const bool by_dimension = !(options.m.empty() && options.n.empty() && options.k.empty());
    if (!options.sizes.empty()) {
        if (by_dimension) {
            faults.add("--sizes", "excludes -m, -n and -k");
        }
        return shape_list(options.sizes, "--sizes", faults);
    }
    if (list.empty() || (!options.measurements.empty() && !by_dimension)) {
        return {};
    }
    const auto& first = list.front()->default_shape;
    const bool all_given = !(options.m.empty() || options.n.empty() || options.k.empty());
    const bool alike = std::all_of(list.begin(), list.end(), [&](const Family* f) {
        return f->default_shape.m == first.m && f->default_shape.n == first.n &&
               f->default_shape.k == first.k;
    });
    if (!all_given && !alike) {
        faults.add("--sizes", "is required: the kernels' default sizes differ");
    }
    const NumberRange range{1, largest_dimension};
    return {{faults.number_or(options.m, "-m", first.m, range),
             faults.number_or(options.n, "-n", first.n, range),
             faults.number_or(options.k, "-k", first.k, range)}};
}

void check_measured(const TuneOptions& options, TuneFormat format, RankedBy ranked_by, OptionFaults& faults) {
    const bool measured = !options.measurements.empty();
    if (!measured && !options.split.empty()) {
        faults.add("--split", "is for --measurements");
    }
    if (!measured && !options.write_spread.empty()) {
        faults.add("--write-spread", "is for --measurements");
    }
    if (measured && !options.params.empty()) {
        faults.add("-p", "does not apply to --measurements: what was measured is ranked");
    }
    if (measured && format == TuneFormat::header) {
        faults.add("--format", "--measurements has no header form, allowed text, json, csv");
    }
    if (measured && options.cold) {
        faults.add("--l2", "measured launches are back to back: warm");
    }
    if (!options.write_spread.empty() && ranked_by != RankedBy::both) {
        faults.add("--write-spread", "needs both models");
    }
}

// All combinations by generated code and the best by a compiler's, or all by that. `many` programs are
// compiled for nobody who did not ask for it: what is kept is left.
void choose_code(const TuneOptions& options, TuneRequest& request) {
    if (!options.measurements.empty()) {
        return;
    }
    std::int64_t points = 0;
    for (const auto& grid : request.grids) {
        points += grid.points_per_shape();
    }
    auto& settings = request.settings;
    const auto many = std::max(points, static_cast<std::int64_t>(most_compiled) + 1);
    const bool generated = std::all_of(request.grids.begin(), request.grids.end(),
                                       [](const Grid& grid) { return find_family(grid.kernel)->generated; });
    settings.code_of_all = provider_of_search(options.code, static_cast<std::size_t>(many), generated);
    if (!settings.code_of_all && !options.code.generated) {
        settings.code_of_best = provider_of(options.code, most_compiled);
        settings.code_kept = provider_of(options.code, static_cast<std::size_t>(many));
    }
}

}  // namespace

TuneRequest checked_request(const TuneOptions& options) {
    OptionFaults faults;
    TuneRequest request;
    const auto list = families_of(options, faults);
    const auto given = param_axes(options.params, "-p", faults);
    for (const auto* family : list) {
        request.grids.push_back(grid_of(*family, given, faults));
    }
    request.shapes = shapes_of(options, list, faults);
    auto& settings = request.settings;
    settings.ranked_by = static_cast<RankedBy>(
        faults.one_of(options.model.empty() ? "both" : options.model, models, "--model"));
    request.format = static_cast<TuneFormat>(
        faults.one_of(options.format.empty() ? "text" : options.format, formats, "--format"));
    settings.refine = static_cast<std::size_t>(
        faults.number_or(options.refine, "--refine", default_refine, {1, most_refined}));
    settings.top =
        static_cast<std::size_t>(faults.number_or(options.top, "--top", default_top, {1, most_refined}));
    settings.l2 = options.cold ? L2State::cold : L2State::warm;
    settings.threads = options.threads;
    const auto split = faults.one_of(options.split.empty() ? "all" : options.split, splits, "--split");
    if (splits[split] != "all") {
        request.split = splits[split] == "test" ? Split::test : Split::calibration;
    }
    check_measured(options, request.format, settings.ranked_by, faults);
    request.arch = faults.load_arch(options.arch);
    faults.throw_if_any();
    choose_code(options, request);
    return request;
}

void add_tune_options(Command& command, TuneOptions& options) {
    add_arch_options(command, options.arch);
    add_clock_option(command, options.arch);
    command.add_option("--kernel", options.kernels, "kernel family; several compete").comma_separated();
    command.add_option("--sizes", options.sizes,
                       "problem shapes: 4096 or 1024,2048x512x4096 (MxNxK) or 1024:4096:1024");
    command.add_option("-m", options.m, "rows of C (default 4096)");
    command.add_option("-n", options.n, "columns of C (default 4096)");
    command.add_option("-k", options.k, "inner dimension (default 4096)");
    command
        .add_option("-p", options.params,
                    "restrict or pin a parameter: BM=64,128 or BK=8:32:8; others take their usual values")
        .one_each();
    add_code_options(command, options.code);
    command.add_option("--refine", options.refine,
                       "simulate so many, the best by the analytic model, at each shape (default 64)");
    command.add_option("--top", options.top, "print so many (default 8)");
    command
        .add_option(
            "--model", options.model,
            "rank by simulate, analytic or both (default): the simulator alone where code is compiled or "
            "shipped, else the geometric mean of both models' times")
        .shown_as("both|simulate|analytic");
    command
        .add_option(
            "--l2", [&options](const std::string& state) { options.cold = state == "cold"; },
            "L2 before the launch: warm (back-to-back launches, default) or cold (profiler)")
        .one_of({"warm", "cold"});
    command.add_option("--measurements", options.measurements,
                       "judge the choice: rank the configurations that this csv has times of");
    command.add_option("--split", options.split, "of --measurements: calibration, test or all (default)");
    command.add_option("--write-spread", options.write_spread,
                       "of --measurements: update this csv with the rank spread of the calibration half");
    command.add_option("--threads", options.threads, "worker threads (default all cores)").range(0, 1024);
    command
        .add_option("--format", options.format,
                    "text, json, csv (every refined configuration), header or markdown")
        .shown_as("text|json|csv|header|markdown");
    command.add_option("--out", options.out, "write the result to FILE instead of standard output");
}

}  // namespace gpumodel::cli::tuning
