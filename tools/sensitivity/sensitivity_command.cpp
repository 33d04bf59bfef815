// gpumodel sensitivity: elasticities of the time to spec keys and kernel parameters; what-ifs by --scale.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <memory>

#include "model/analytic/predict.h"
#include "tools/cli/interrupt.h"
#include "tools/cli/parallel_runs.h"
#include "tools/cli/streams.h"
#include "tools/launch/program_options.h"
#include "tools/sensitivity/key_selection.h"
#include "tools/views/sensitivity/sensitivity_views.h"

namespace gpumodel::cli {
namespace {

struct SensitivityOptions {
    ArchOptions arch;
    OutputOptions output;
    ProgramOptions program;
    SimulationOptions simulation;
    std::vector<std::string> keys;
    std::vector<std::string> scales;
    // read as text, checked together
    std::string step, top, model;
    int threads = 0;
};

struct SensitivitySettings {
    StudyOptions study;
    std::size_t top = 0;
};

double step_of(const std::string& text, OptionFaults& faults) {
    constexpr double least = 0.1;
    constexpr double most = 50;
    constexpr double usual = 10;
    if (text.empty()) {
        return usual / 100;
    }
    const auto bare = text.ends_with('%') ? text.substr(0, text.size() - 1) : text;
    const auto percent = parse_quantity(bare, Dimension::count).value;
    if (!percent || *percent < least || *percent > most) {
        faults.add("--step", fmt::format("'{}' is no step, allowed {} to {} percent", text, least, most));
        return usual / 100;
    }
    return *percent / 100;
}

bool simulates(const std::string& model, OptionFaults& faults) {
    const std::vector<std::string> names{"simulate", "analytic"};
    if (!model.empty() && model != names[0] && model != names[1]) {
        faults.add("--model", fmt::format("'{}' is no model, allowed simulate, analytic{}", model,
                                          nearest_hint(model, names)));
    }
    return model != "analytic";
}

SensitivitySettings checked_settings(const SensitivityOptions& options) {
    OptionFaults faults;
    check_program_options(options.program, "--kernel NAME, --sass FILE, --cu FILE and --trace FILE", 0,
                          faults);
    SensitivitySettings settings;
    settings.study.step = step_of(options.step, faults);
    settings.study.simulate = simulates(options.model, faults);
    settings.study.simulation = checked_simulation(options.simulation, faults);
    settings.top = static_cast<std::size_t>(faults.number_or(options.top, "--top", 15, {1, 10000}));
    if (!settings.study.simulate && (options.simulation.exact || !options.simulation.max_cycles.empty())) {
        faults.add("--model", "analytic excludes --exact and --max-cycles");
    }
    faults.throw_if_any();
    settings.study.for_each = parallel_runs(options.threads);
    return settings;
}

FamilyLaunch family_of(const ProgramOptions& options, const KernelProgram& program) {
    FamilyLaunch launch;
    launch.family = find_family(options.kernel);
    launch.params = resolve_params(*launch.family, parse_params(options.params, "-p"));
    launch.shape = {program.m, program.n, program.k};
    return launch;
}

StudiedLaunch studied_launch(const SensitivityOptions& options, const LaunchProgram& launch,
                             const ArchSpec& arch) {
    StudiedLaunch studied;
    studied.program = *launch.program;
    if (!options.program.kernel.empty()) {
        studied.family = family_of(options.program, studied.program);
        studied.set_resources = [resources = resources_of(options.program), &arch](KernelProgram& program) {
            apply_resources(resources, arch, program);
        };
        // two neighbours of each parameter
        studied.provider = provider_of(options.program.code, 1 + 2 * studied.family->family->params.size());
    }
    return studied;
}

int refuse(const std::string& reason) {
    err() << "gpumodel: no time to study: " << reason << '\n';
    return exit_invalid_input;
}

void write_report(const SensitivityReport& report, const ArchSpec& arch, const OutputOptions& output) {
    write_result(output, {[&] { return sensitivity_text(report, arch); },
                          [&] { return sensitivity_json(report, arch); },
                          [&] { return sensitivity_csv(report, arch); }});
}

// A machine that cannot be is a fault of the command line; single ones of several changes only say so.
void check_what_ifs(const std::vector<WhatIf>& what_ifs, OptionFaults& faults) {
    if (!what_ifs.empty() && !what_ifs.back().time.analytic_seconds) {
        faults.add({"--scale", 0, 0, changes_text(what_ifs.back())}, what_ifs.back().reason);
    }
    faults.throw_if_any();
}

// `asked`: empty = all that can matter, unless what-ifs are asked for.
SensitivityReport make_report(const StudiedLaunch& launch, const VariableSpec& spec,
                              const std::vector<const Field*>& asked, bool any_what_ifs,
                              const SensitivitySettings& settings) {
    const auto& how = settings.study;
    SensitivityReport report;
    report.simulated = how.simulate;
    report.step = how.step;
    report.top = settings.top;
    report.studied = !any_what_ifs || !asked.empty();
    report.launch = predict_analytic(launch.program, spec.arch(), {how.simulation.l2});
    if (report.studied) {
        report.study =
            study_sensitivity(launch, spec, asked.empty() ? default_keys(launch, spec) : asked, how);
    } else {
        report.study.predicted = predicted_time(launch, spec, how);
        report.study.base = base_time(launch, spec, how);
    }
    return report;
}

int study(const SensitivityOptions& options, const SensitivitySettings& settings) {
    const InterruptGuard interrupts(OnInterrupt::exit);
    OptionFaults faults;
    const auto arch = faults.load_arch(options.arch);
    const auto launch = load_program(options.program, arch, faults);
    if (!launch.program) {
        return refuse(launch.infeasible.reason);
    }
    const VariableSpec spec(arch, overrides_of(options.arch, arch.name));
    const auto asked =
        options.keys.empty() ? std::vector<const Field*>{} : selected_keys(options.keys, spec, faults);
    const auto changes = scaled_keys(options.scales, spec, faults);
    faults.throw_if_any();
    const auto studied = studied_launch(options, launch, arch);
    auto report = make_report(studied, spec, asked, !changes.empty(), settings);
    if (!report.study.base.seconds(report.simulated)) {
        return refuse(report.study.base.reason);
    }
    report.what_ifs = what_if(studied, spec, changes, settings.study);
    check_what_ifs(report.what_ifs, faults);
    write_report(report, arch, options.output);
    return exit_ok;
}

}  // namespace

void add_sensitivity_command(Command& app) {
    auto options = std::make_shared<SensitivityOptions>();
    auto command = app.add_subcommand(
        "sensitivity",
        "which hardware change would help a kernel most, and which estimate its time hangs on");
    add_arch_options(command, options->arch);
    add_program_options(command, options->program);
    add_simulation_options(command, options->simulation);
    command
        .add_option("--keys", options->keys,
                    "spec keys to vary, patterns with * and ?, comma-separated (default: all numbers that "
                    "the launch can depend on)")
        .one_each();
    command
        .add_option("--scale", options->scales,
                    "what if: KEY=FACTOR, repeatable, all together; the time before and after")
        .one_each();
    command.add_option("--step", options->step, "percent up and down (default 10)");
    command.add_option("--model", options->model, "simulate (default) or analytic (at once)");
    command.add_option("--top", options->top, "rows of each table in text (default 15)");
    command.add_option("--threads", options->threads, "worker threads (0 = all cores)").range(0, 1024);
    add_output_options(command, options->output);
    command.footer(
        "Examples:\n"
        "  gpumodel sensitivity --arch h200_sxm --kernel warptile --model analytic\n"
        "  gpumodel sensitivity --arch v100_sxm2 --kernel smem -m 1024 -n 1024 -k 1024 --keys 'l1.*,l2.*'\n"
        "  gpumodel sensitivity --arch v100_sxm2 --kernel warptile --scale sm.shared_memory.bandwidth=2");
    command.run([options] { return study(*options, checked_settings(*options)); });
}

}  // namespace gpumodel::cli
