// gpumodel simulate: one launch in the simulator's own terms.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <memory>

#include "model/analytic/predict.h"
#include "model/sim/events/listener_list.h"
#include "model/sim/events/trace_events.h"
#include "model/sim/predict_simulated.h"
#include "tools/cli/interrupt.h"
#include "tools/cli/manners.h"
#include "tools/cli/notes.h"
#include "tools/cli/progress.h"
#include "tools/launch/prediction_job.h"
#include "tools/launch/program_options.h"
#include "tools/simulate/timeline_window.h"
#include "tools/views/simulate/simulate_views.h"

namespace gpumodel::cli {
namespace {

struct SimulateOptions {
    ArchOptions arch;
    OutputOptions output;
    ProgramOptions program;
    SimulationOptions simulation;
    // read as text, checked together
    std::string instructions;
    std::string timeline_from, timeline_cycles, timeline_warps, timeline_events;
    std::string timeline_out;
    bool timeline = false;
    bool explain = false;
};

struct SimulateSettings {
    SimOptions simulate;
    TimelineWindow window;
    std::size_t instructions = 0;
    std::int64_t trace_events = 0;
};

SimulateSettings checked_settings(const SimulateOptions& options) {
    constexpr std::int64_t most_cycles = std::numeric_limits<std::int64_t>::max() / 8;
    OptionFaults faults;
    check_program_options(options.program, "--kernel NAME, --sass FILE, --cu FILE and --trace FILE", 0,
                          faults);
    SimulateSettings settings;
    settings.simulate = checked_simulation(options.simulation, faults);
    settings.instructions =
        static_cast<std::size_t>(faults.number_or(options.instructions, "--instructions", 16, {0, 1 << 20}));
    settings.window.from = faults.number_or(options.timeline_from, "--timeline-from", 0, {0, most_cycles});
    settings.window.cycles = faults.number_or(options.timeline_cycles, "--timeline-cycles", 100, {1, 10000});
    settings.window.warps =
        static_cast<int>(faults.number_or(options.timeline_warps, "--timeline-warps", 16, {1, 4096}));
    settings.trace_events =
        faults.number_or(options.timeline_events, "--timeline-events", 1000000, {1, 1000000000});
    const bool window =
        !options.timeline_from.empty() || !options.timeline_cycles.empty() || !options.timeline_warps.empty();
    if (window && !options.timeline) {
        faults.add("--timeline", "is required with --timeline-from, --timeline-cycles and --timeline-warps");
    }
    if (!options.timeline_events.empty() && options.timeline_out.empty()) {
        faults.add("--timeline-out", "is required with --timeline-events");
    }
    faults.throw_if_any();
    return settings;
}

std::ofstream open_trace(const std::string& path) {
    std::ofstream file;
    if (!path.empty()) {
        file.open(path, std::ios::binary);
        if (!file) {
            throw InputError(InputErrorKind::usage, {{"--timeline-out", 0, 0, path, "cannot be written"}});
        }
    }
    return file;
}

void finish_trace(const std::string& path, std::ofstream& file, TraceEventWriter& writer) {
    writer.finish();
    if (!file) {
        throw InputError(InputErrorKind::usage,
                         {{"--timeline-out", 0, 0, path, "could not be written to the end"}});
    }
    if (writer.truncated()) {
        note(NoteId::events_cut,
             fmt::format("{} holds the first {} events (--timeline-events)", path, writer.events()));
    }
}

// The first cycle shown: as asked for, else in the steady part, which a run of its own finds.
std::int64_t window_start(const SimulateOptions& options, const SimulateSettings& settings,
                          const KernelProgram& program, const ArchSpec& arch) {
    return options.timeline && options.timeline_from.empty()
               ? steady_start(program, arch, settings.simulate, settings.window.cycles)
               : settings.window.from;
}

SimResult run_listened(const SimulateOptions& options, const SimulateSettings& settings,
                       const KernelProgram& program, const ArchSpec& arch, Simulation& s) {
    ListenerList listeners;
    auto window = settings.window;
    window.from = window_start(options, settings, program, arch);
    TimelineRecorder recorder(window);
    auto file = open_trace(options.timeline_out);
    std::optional<TraceEventWriter> writer;
    if (options.timeline) {
        listeners.add(recorder);
    }
    if (!options.timeline_out.empty()) {
        listeners.add(writer.emplace(file, program, settings.trace_events));
    }
    auto simulate_options = settings.simulate;
    simulate_options.listener = listeners.empty() ? nullptr : &listeners;
    auto run = [&] {
        const Waiting waiting("simulating");
        return simulate(program, arch, simulate_options);
    }();
    if (writer) {
        finish_trace(options.timeline_out, file, *writer);
    }
    if (options.timeline) {
        s.timeline = timeline_view(recorder, program, run);
    }
    return run;
}

Simulation simulate_program(const SimulateOptions& options, const SimulateSettings& settings,
                            const KernelProgram& program, const ArchSpec& arch) {
    Simulation s;
    s.cold = options.simulation.cold;
    s.instructions = settings.instructions;
    const auto launch = describe_launch(program, arch, settings.simulate.l2);
    if (is_predicted(launch.common.status)) {
        s.run = run_listened(options, settings, program, launch.arch, s);
    }
    s.prediction = predict_simulated(launch, s.run);
    if (is_predicted(s.prediction.status)) {
        s.use = sm_use(s.run, arch);
        s.sites = stalls_by_site(s.run);
        if (options.explain) {
            s.explained =
                explain(program, launch.arch, settings.simulate, {s.run.cycles, s.run.time_seconds});
        }
    }
    return s;
}

int simulate_one(const SimulateOptions& options, const SimulateSettings& settings) {
    const InterruptGuard interrupts(OnInterrupt::exit);
    OptionFaults faults;
    const auto arch = faults.load_arch(options.arch);
    const auto launch = load_program(options.program, arch, faults);
    Simulation s;
    if (launch.program) {
        s = simulate_program(options, settings, *launch.program, arch);
    } else {
        s.prediction = launch.infeasible;
    }
    count_notes(read_notes(s.prediction.gaps));
    write_result(options.output,
                 {[&] { return simulation_text(s, arch); }, [&] { return simulation_json(s, arch); },
                  [&] { return simulation_csv(s, arch); }});
    if (!is_predicted(s.prediction.status)) {
        err() << "gpumodel: " << to_string(s.prediction.status) << ": "
              << s.prediction.reason.substr(0, s.prediction.reason.find("; ")) << '\n';
    }
    return is_predicted(s.prediction.status) ? exit_ok : exit_invalid_input;
}

void add_timeline_options(Command& command, SimulateOptions& options) {
    command.add_flag("--timeline", options.timeline, "a picture: one row per warp, one column per cycle");
    command.add_option("--timeline-from", options.timeline_from,
                       "first cycle shown (default: in the steady part, half-way through a block)");
    command.add_option("--timeline-cycles", options.timeline_cycles, "cycles shown (default 100)");
    command.add_option("--timeline-warps", options.timeline_warps, "warps shown (default 16)");
    command.add_option("--timeline-out", options.timeline_out,
                       "trace events as json for Perfetto or chrome://tracing; 1 us there = 1 cycle");
    command.add_option("--timeline-events", options.timeline_events,
                       "most events in that file (default 1000000)");
}

}  // namespace

void add_simulate_command(Command& app) {
    auto options = std::make_shared<SimulateOptions>();
    auto command =
        app.add_subcommand("simulate", "simulate one launch cycle by cycle and say what warps wait for");
    add_arch_options(command, options->arch);
    add_clock_option(command, options->arch);
    add_program_options(command, options->program);
    add_simulation_options(command, options->simulation);
    command.add_option("--instructions", options->instructions, "rows of the tables in text (default 16)");
    command.add_flag("--explain", options->explain, "run again with each limiter lifted: what it costs");
    add_timeline_options(command, *options);
    add_output_options(command, options->output);
    command.footer(
        "Examples:\n"
        "  gpumodel simulate --arch h200_sxm --kernel warptile --timeline\n"
        "  gpumodel simulate --arch v100_sxm2 --kernel blocktile2d -m 512 -n 512 -k 512 --exact "
        "--timeline-out t.json\n"
        "  gpumodel simulate --arch sm_70 --sass k.sass --entry NAME --grid 32,32 --block 128 "
        "--args 4096,0.5f,ptr:64MiB,ptr --explain");
    command.run([options] { return simulate_one(*options, checked_settings(*options)); });
}

}  // namespace gpumodel::cli
