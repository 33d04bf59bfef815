#include "tools/sweep/options/sweep_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/number_text.h"
#include "tools/results/csv_shape.h"
#include "tools/sweep/options/arch_axes.h"
#include "tools/sweep/options/axis_text.h"
#include "tools/sweep/options/family_grids.h"
#include "tools/sweep/pieces/shard_cell.h"
#include "tools/sweep/tally.h"

namespace gpumodel::cli {
namespace {

void choose_shapes(const SweepOptions& options, std::vector<FamilyGrid>& families, OptionFaults& faults) {
    const auto shapes =
        options.sizes.empty() ? std::vector<ProblemShape>{} : shape_list(options.sizes, "--sizes", faults);
    std::set<std::int64_t> default_depths;
    for (auto& family : families) {
        const auto& own = family.family->default_shape;
        family.grid.shapes = shapes.empty() ? std::vector{own} : shapes;
        default_depths.insert(own.k);
    }
    if (options.sizes.empty() && default_depths.size() > 1) {
        faults.add("--sizes", "is required: these families' default sizes differ");
    }
}

// --set of a swept key would be overridden silently.
void check_overlap(const SweepOptions& options, const std::vector<ArchAxis>& axes, OptionFaults& faults) {
    for (const auto& axis : axes) {
        const bool set = std::any_of(options.arch.sets.begin(), options.arch.sets.end(),
                                     [&](const std::string& s) { return s.rfind(axis.key + "=", 0) == 0; });
        if (set) {
            faults.add("--set-sweep: " + axis.key, "given with --set too");
        }
    }
}

void choose_output(const SweepOptions& options, SweepPlan& plan, OptionFaults& faults) {
    constexpr std::int64_t default_top = 10;
    constexpr std::int64_t most_top = 1'000'000;
    plan.output = options.output;
    plan.top = faults.number_or(options.top, "--top", options.output.format == Format::text ? default_top : 0,
                                {1, most_top});
    plan.threads = static_cast<int>(faults.number_or(options.threads, "--threads", 0, {0, 1024}));
    plan.resume = options.resume;
    plan.keep_invalid = options.keep_invalid;
    const bool all_csv = options.output.format == Format::csv && options.top.empty();
    if (options.resume && (options.output.out.empty() || !all_csv)) {
        faults.add("--resume", "needs --out FILE, and csv without --top");
    }
    for (const auto& [given, name] : {std::pair(options.output.long_rows, "--long"),
                                      std::pair(options.output.param_columns, "--param-columns")}) {
        if (given && (options.output.format != Format::csv || options.resume || !options.shard.empty())) {
            faults.add(name, "is for --format csv, without --resume and --shard");
        }
    }
    if (options.output.markdown) {
        plan.output.format = Format::csv;  // in the shape of a table
    }
    if (options.keep_invalid && plan.top > 0) {
        faults.add("--keep-invalid", "is for all rows, not for --top or text");
    }
    if (options.shard.empty()) {
        return;
    }
    plan.shard = parse_shard(options.shard);
    if (!plan.shard) {
        faults.add("--shard",
                   fmt::format("'{}' is no shard; expected i/n, with i from 1 to n", options.shard));
    } else if (!all_csv) {
        faults.add("--shard", "is for csv without --top: rank the merged rows");
    }
}

void check_size(const SweepPlan& plan, OptionFaults& faults) {
    const auto points = plan.study.size();
    if (points > most_points) {
        faults.add("-p", fmt::format("{} points; a sweep has at most {}",
                                     points == std::numeric_limits<std::int64_t>::max()
                                         ? "more than " + grouped(points)
                                         : grouped(points),
                                     grouped(most_points)));
    } else if (plan.shard && plan.shard->count > points) {
        faults.add("--shard", fmt::format("{} shards of {} points: some would be empty", plan.shard->count,
                                          grouped(points)));
    }
}

void choose_grids(const SweepOptions& options, Study& study, OptionFaults& faults) {
    const auto families = chosen_families(options.kernels, faults);
    const auto given = param_axes(options.params, "-p", faults);
    const bool all = options.axes == "auto";
    if (!all && !options.axes.empty()) {
        faults.add("--axes", fmt::format("'{}' is not allowed; allowed auto", options.axes));
    }
    check_known_axes(families, given, faults);
    for (const auto* family : families) {
        study.families.push_back(
            family_grid(*family, given, all ? default_axes(*family) : std::vector<ParamAxis>{}, faults));
    }
    choose_shapes(options, study.families, faults);
    study.arch_axes = arch_axes(options.set_sweeps, "--set-sweep", faults);
    check_overlap(options, study.arch_axes, faults);
}

}  // namespace

void add_sweep_options(Command& command, SweepOptions& options) {
    add_arch_options(command, options.arch);
    add_clock_option(command, options.arch);
    command
        .add_option("--kernel", options.kernels,
                    "kernel family or a list of them; see 'gpumodel kernels list'")
        .required()
        .one_each();
    command.add_option("-p", options.params, "values of a kernel parameter: KEY=VALUES, repeatable")
        .one_each();
    command.add_option("--axes", options.axes,
                       "auto: the values that a tuner would try of each parameter without -p");
    command.add_option("--sizes", options.sizes,
                       "problem sizes: 1024 (M = N = K), 4096x2048x512 (MxNxK), lists, ranges");
    command
        .add_option("--set-sweep", options.set_sweeps,
                    "values of a spec key: KEY=VALUES, e.g. sm.shared_memory.banks=16,32,64")
        .one_each();
    command.add_option("--model", options.model, "analytic (default), simulate or both");
    add_simulation_options(command, options.simulation);
    add_code_options(command, options.code);
    command.add_option("--registers", options.registers, "registers per thread instead of the estimate");
    command.add_option("--top", options.top, "only the K fastest of each size and spec (text: 10)");
    command.add_option("--shard", options.shard, "i/n: part i of n of the points, for 'gpumodel merge'");
    command.add_flag("--resume", options.resume,
                     "keep the rows that --out FILE holds, and go on behind them");
    command.add_flag("--keep-invalid", options.keep_invalid,
                     "invalid combinations are rows too, with status infeasible and the rule");
    command.add_option("--threads", options.threads, "worker threads (0 = all cores)");
    add_output_options(command, options.output);
    add_csv_shape_options(command, options.output);
}

SweepPlan sweep_plan(const SweepOptions& options, ArchSpec& base) {
    OptionFaults faults;
    SweepPlan plan;
    auto& study = plan.study;
    study.arch = options.arch;
    choose_grids(options, study, faults);
    study.settings.detail = Detail::figures;
    study.settings.simulate = checked_simulation(options.simulation, faults);
    study.settings.models = model_choice(options.model, ModelChoice::analytic, faults);
    check_simulates(study.settings.models, options.simulation, faults);
    if (!options.registers.empty()) {
        study.settings.resources.registers =
            static_cast<int>(faults.number_or(options.registers, "--registers", 1, {1, 512}));
    }
    choose_output(options, plan, faults);
    base = faults.load_arch(options.arch);
    if (!faults.any()) {
        check_size(plan, faults);
    }
    faults.throw_if_any();
    const bool generated = std::all_of(study.families.begin(), study.families.end(),
                                       [](const auto& family) { return family.family->generated; });
    study.settings.resources.provider =
        provider_of_search(options.code, static_cast<std::size_t>(study.points_per_arch()), generated);
    study.arch_name = base.name;
    plan.identity = study_identity(study, base, plan.keep_invalid);
    return plan;
}

}  // namespace gpumodel::cli
