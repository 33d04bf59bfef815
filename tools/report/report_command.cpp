// gpumodel report: one HTML file about a launch, or about a sweep.
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "tools/cli/interrupt.h"
#include "tools/cli/streams.h"
#include "tools/launch/program_options.h"
#include "tools/simulate/timeline_window.h"
#include "tools/views/prediction_page/prediction_page.h"
#include "tools/views/sweep_page/sweep_page.h"

namespace gpumodel::cli {
namespace {

using page::PredictionReport;

struct ReportOptions {
    ArchOptions arch;
    ProgramOptions program;
    SimulationOptions simulation;
    std::string sweep;             // csv
    std::string sweep_x, sweep_y;  // of the heat map
    std::string model = "both";
    bool explain = false;
    OutputOptions output;

    [[nodiscard]] bool of_sweep() const { return !sweep.empty(); }
};

void check_sweep_options(const ReportOptions& options, OptionFaults& faults) {
    const bool one_launch = options.program.sources() > 0 || options.program.sized();
    if (options.of_sweep() && one_launch) {
        faults.add("--sweep", "excludes --kernel, --sass, --trace, sizes and -p: its rows say them");
    }
    if (options.of_sweep() && (!options.arch.arch.empty() || !options.arch.sets.empty())) {
        faults.add("--sweep", "excludes --arch and --set: its rows were predicted with theirs");
    }
    if (options.of_sweep() && (options.explain || options.simulation.exact || options.simulation.cold ||
                               !options.simulation.max_cycles.empty())) {
        faults.add("--sweep", "excludes --explain, --exact, --max-cycles and --l2: nothing is simulated");
    }
    if (!options.of_sweep() && (!options.sweep_x.empty() || !options.sweep_y.empty())) {
        faults.add("--x", "and --y are for --sweep");
    }
}

PredictSettings checked_settings(const ReportOptions& options, OptionFaults& faults) {
    PredictSettings settings;
    settings.simulate = checked_simulation(options.simulation, faults);
    settings.models = model_choice(options.model, ModelChoice::both, faults);
    settings.names_bottleneck = true;
    if (settings.models == ModelChoice::analytic &&
        (options.simulation.exact || !options.simulation.max_cycles.empty())) {
        faults.add("--model", "analytic excludes --exact and --max-cycles, which are for the simulator");
    }
    if (settings.models == ModelChoice::analytic && options.explain) {
        faults.add("--explain", "simulates; it needs --model simulate or both");
    }
    return settings;
}

// What further runs tell: the timeline, and what limiters cost, all of them or those that a rule names. The
// rows have to outlive the report.
std::vector<ExplainRow> add_runs(const ReportOptions& options, const PredictSettings& settings,
                                 const KernelProgram& program, PredictionReport& report) {
    const auto& p = report.main();
    report.timeline = steady_timeline(program, *report.arch, settings.simulate);
    report.advice = page::advice_for(p, *report.arch);
    std::vector<ExplainRow> rows;
    if (options.explain || !report.advice.empty()) {
        const auto only = options.explain ? std::vector<std::string_view>{} : limiters_of(report.advice);
        rows = explain(program, at_clock_of(p, *report.arch), settings.simulate, base_of(p), only);
    }
    page::add_gains(rows, report.advice);
    if (options.explain) {
        report.what_ifs = rows;
    }
    return rows;
}

int report_launch(const ReportOptions& options, OptionFaults& faults) {
    check_program_options(options.program,
                          "--kernel NAME, --sass FILE, --cu FILE, --trace FILE and --sweep FILE", 0, faults);
    auto settings = checked_settings(options, faults);
    if (options.arch.arch.empty()) {
        faults.add("--arch", "is required but with --sweep");
    }
    faults.throw_if_any();
    const InterruptGuard interrupts(OnInterrupt::exit);
    settings.resources = resources_of(options.program);
    const auto arch = faults.load_arch(options.arch);
    const auto launch = load_program(options.program, arch, faults);
    PredictionReport report;
    report.arch = &arch;
    report.l2 = settings.simulate.l2;
    report.models = predict_launch(launch, arch, settings);
    if (is_predicted(report.main().status)) {
        report.shared_accesses = page::shared_accesses(*launch.program, arch);
        report.code = page::code_lines(*launch.program, arch, report.main());
    }
    std::vector<ExplainRow> lifted;
    if (report.main().simulation) {
        lifted = add_runs(options, settings, *launch.program, report);
    }
    write_output(options.output, page::prediction_page(report));
    return is_predicted(report.main().status) ? exit_ok : exit_invalid_input;
}

int run(const ReportOptions& options) {
    OptionFaults faults;
    check_sweep_options(options, faults);
    refuse_page_on_terminal(options.output, "--out", faults);
    if (!options.of_sweep()) {
        return report_launch(options, faults);
    }
    faults.throw_if_any();
    const InterruptGuard interrupts(OnInterrupt::exit);
    return write_output(options.output,
                        page::sweep_page(page::read_sweep(options.sweep, options.sweep_x, options.sweep_y)));
}

void add_sweep_options(Command& command, ReportOptions& options) {
    command.add_option("--sweep", options.sweep,
                       "csv of 'gpumodel sweep' or 'predict --jobs' instead of a launch");
    command.add_option("--x", options.sweep_x,
                       "with --sweep: parameter across the heat map (BM, M, kernel ...)");
    command.add_option("--y", options.sweep_y, "with --sweep: parameter down the heat map");
}

}  // namespace

void add_report_command(Command& app) {
    auto options = std::make_shared<ReportOptions>();
    auto command =
        app.add_subcommand("report", "one HTML file about a launch or a sweep, to read in a browser");
    add_arch_options(command, options->arch, false);
    add_clock_option(command, options->arch);
    add_program_options(command, options->program);
    add_simulation_options(command, options->simulation);
    command.add_option("--model", options->model, "simulate, analytic or both (default)")
        .one_of({"simulate", "analytic", "both"});
    command.add_flag("--explain", options->explain, "add what each limiter costs (takes seconds)");
    add_sweep_options(command, *options);
    command.add_option("--out", options->output.out, "the HTML file to write; a pipe needs none");
    command.footer(
        "Examples:\n"
        "  gpumodel report --arch h200_sxm --kernel warptile --out warptile.html\n"
        "  gpumodel report --arch k40 --kernel aat_coalesced -m 1024 -n 1024 -k 32 --explain --out aat.html\n"
        "  gpumodel report --sweep sweep.csv --x BM --y BN --out sweep.html");
    command.run([options] { return run(*options); });
}

}  // namespace gpumodel::cli
