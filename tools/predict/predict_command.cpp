// gpumodel predict: one launch (options) or many (--jobs).
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "base/printable.h"
#include "model/explain/bottleneck.h"
#include "model/sim/sim_progress.h"
#include "tools/cli/command.h"
#include "tools/cli/interrupt.h"
#include "tools/cli/notes.h"
#include "tools/cli/option_values.h"
#include "tools/cli/progress.h"
#include "tools/launch/prediction_job.h"
#include "tools/launch/program_options.h"
#include "tools/predict/bank_pictures.h"
#include "tools/predict/predict_choice.h"
#include "tools/predict/predict_jobs.h"
#include "tools/predict/predict_recording.h"
#include "tools/results/csv_shape.h"
#include "tools/views/explain/explain_views.h"
#include "tools/views/prediction/prediction_json.h"
#include "tools/views/prediction/prediction_notes.h"
#include "tools/views/result_json.h"

namespace gpumodel::cli {
namespace {

struct PredictOptionsCli {
    ArchOptions arch;
    OutputOptions output;
    ProgramOptions program;
    std::string jobs;
    std::string recording;
    std::optional<int> recorded_launch;  // this one alone

    // Rows from a file, not one launch by options.
    [[nodiscard]] bool many() const { return !jobs.empty() || (!recording.empty() && !recorded_launch); }
    std::string model;  // "" = both for one launch as text or json, else simulate
    SimulationOptions simulation;
    bool brief = false;
    bool explain = false;
    std::vector<std::string> sections;
    std::string metrics;
    int threads = 0;
};

// --section and --metrics: of one launch, and for the formats that have them.
void check_choice(const PredictOptionsCli& options, OptionFaults& faults) {
    (void)section_titles(options.sections, faults);
    (void)metric_names(options.metrics, faults);
    const bool text = options.output.format == Format::text && !options.many();
    if (!options.sections.empty() && (!text || options.brief || !options.metrics.empty())) {
        faults.add("--section", "is for one launch as text, without --brief and --metrics");
    }
    if (!options.metrics.empty() && (options.many() || options.output.format == Format::json)) {
        faults.add("--metrics", "is for one launch as text or csv; json has all metrics");
    }
}

void check_csv_shape(const PredictOptionsCli& options, OptionFaults& faults) {
    const bool rows = options.output.format == Format::csv && (options.recording.empty() || !options.many());
    for (const auto& [given, name] : {std::pair(options.output.long_rows, "--long"),
                                      std::pair(options.output.param_columns, "--param-columns")}) {
        if (given && !rows) {
            faults.add(name, "is for --format csv, of a launch or of --jobs");
        }
    }
}

// Options that exclude each other, all reported together with the values of those that do not need the spec.
PredictSettings checked_settings(const PredictOptionsCli& options) {
    OptionFaults faults;
    check_program_options(
        options.program,
        "--kernel NAME, --sass FILE, --cu FILE, --trace FILE, --jobs FILE and --recording DIR",
        (options.jobs.empty() ? 0 : 1) + (options.recording.empty() ? 0 : 1), faults);
    if (!options.jobs.empty() && options.program.sized()) {
        faults.add("--jobs", "sizes and -p come from the job file, not from options");
    }
    PredictSettings settings;
    if (!options.recording.empty() && options.many() && options.model == "both") {
        faults.add("--model", "one model at a time with --recording, but for --launch N");
    }
    if (options.recorded_launch && options.recording.empty()) {
        faults.add("--launch", "is one of --recording DIR");
    }
    const bool many = options.many() || options.output.format == Format::csv;
    settings.models = model_choice(options.model, many ? ModelChoice::simulate : ModelChoice::both, faults);
    settings.simulate = checked_simulation(options.simulation, faults);
    // many rows, and what is compared with them, name the busiest unit
    settings.names_bottleneck = !options.many() && options.output.format != Format::csv;
    check_simulates(settings.models, options.simulation, faults);
    if (options.explain && (options.many() || settings.models == ModelChoice::analytic ||
                            options.output.format == Format::csv)) {
        faults.add("--explain", "is for one simulated launch as text or json");
    }
    check_choice(options, faults);
    check_csv_shape(options, faults);
    faults.throw_if_any();
    // nobody knows how many rows a job file has until it is read
    settings.resources = resources_of(options.program, options.many() ? most_compiled + 1 : 1);
    return settings;
}

std::string csv_report(const std::vector<Prediction>& predictions) {
    std::string text = csv_header();
    for (const auto& p : predictions) {
        text += csv_row(p);
    }
    return text;
}

std::string json_report(const std::vector<Prediction>& predictions, const std::vector<ExplainRow>& rows,
                        const ArchSpec& arch) {
    auto document = predictions_json(predictions, report_metadata(arch));
    if (!rows.empty()) {
        document["explain"] = explain_json(rows);
    }
    return json_text(document);
}

std::string text_output(const PredictOptionsCli& options, const LaunchProgram& launch,
                        const std::vector<Prediction>& predictions, const std::vector<ExplainRow>& rows,
                        const ArchSpec& arch) {
    OptionFaults none;
    if (!options.metrics.empty()) {
        return metrics_text(predictions, metric_names(options.metrics, none)) + explain_text(rows);
    }
    auto text = text_report(predictions, arch, !options.brief);
    if (!options.sections.empty()) {
        const auto titles = section_titles(options.sections, none);
        const bool drawn =
            launch.program && std::find(titles.begin(), titles.end(), bank_pictures_title) != titles.end();
        text = only_sections(text + (drawn ? bank_pictures(*launch.program, arch) : ""), titles);
    }
    return text + explain_text(rows);
}

std::string csv_output(const PredictOptionsCli& options, const std::vector<Prediction>& predictions) {
    OptionFaults none;
    return options.metrics.empty() ? csv_report(predictions)
                                   : metrics_csv(predictions, metric_names(options.metrics, none));
}

// Runs of the simulator that the answer takes, at most.
int runs_of(const PredictOptionsCli& options, const PredictSettings& settings, const LaunchProgram& launch,
            const ArchSpec& arch) {
    if (!launch.program || settings.models == ModelChoice::analytic) {
        return 0;
    }
    return 1 + (settings.names_bottleneck ? most_unit_gain_runs() : 0) +
           (options.explain ? explain_runs(*launch.program, arch) : 0);
}

struct Answer {
    std::vector<Prediction> predictions;
    std::vector<ExplainRow> rows;  // of --explain
};

Answer answer(const PredictOptionsCli& options, PredictSettings settings, const LaunchProgram& launch,
              const ArchSpec& arch) {
    SimProgress progress;
    progress.expect(runs_of(options, settings, launch, arch));
    settings.simulate.progress = &progress;
    const Waiting waiting(
        options.simulation.exact ? "simulating every trip and block (--exact)" : "simulating", &progress);
    Answer answer{predict_launch(launch, arch, settings), {}};
    const auto& first = answer.predictions.front();
    if (options.explain && is_predicted(first.status)) {
        answer.rows = explain(*launch.program, at_clock_of(first, arch), settings.simulate, base_of(first));
    }
    return answer;
}

int predict_one(const PredictOptionsCli& options, const PredictSettings& settings) {
    const InterruptGuard interrupts(OnInterrupt::exit);
    OptionFaults faults;
    auto arch = faults.load_arch(options.arch);
    if (options.recorded_launch) {
        faults.throw_if_any();  // load_program does so when it has found its own, too
    }
    const auto launch =
        options.recorded_launch
            ? recorded_launch({options.recording, options.program.code.cuda}, *options.recorded_launch, arch)
            : load_program(options.program, arch, faults);
    const auto given = answer(options, settings, launch, arch);
    const auto& predictions = given.predictions;
    for (const auto& p : predictions) {
        count_notes(notes_of(p));
    }
    write_result(options.output, {[&] { return text_output(options, launch, predictions, given.rows, arch); },
                                  [&] { return json_report(predictions, given.rows, arch); },
                                  [&] { return csv_output(options, predictions); }});
    // A simulation that reached its limit is not what was asked for, though the other model has an answer.
    const auto has = [&](auto test) { return std::any_of(predictions.begin(), predictions.end(), test); };
    const bool given_up = settings.simulate.max_cycles > 0 &&
                          has([](const Prediction& p) { return p.status == Status::error; });
    const bool predicted = has([](const Prediction& p) { return is_predicted(p.status); });
    return predicted && !given_up ? exit_ok : exit_invalid_input;
}

int predict_many(const PredictOptionsCli& options, const PredictSettings& settings) {
    const auto arch = load(options.arch);
    auto output = options.output;
    if (output.markdown) {
        output.format = Format::csv;  // in the shape of a table
    }
    return run_jobs_file(options.jobs, arch, settings, output, options.threads, report_metadata(arch));
}

void add_model_options(Command& command, const std::shared_ptr<PredictOptionsCli>& options) {
    command
        .add_option("--model", options->model,
                    "simulate, analytic or both (default: both; csv and --jobs: simulate)")
        .shown_as("simulate|analytic|both");
    add_simulation_options(command, options->simulation);
    command.add_flag("--explain", options->explain,
                     "simulate again with each limiter lifted, and print what it costs");
}

}  // namespace

void add_predict_command(Command& app) {
    auto options = std::make_shared<PredictOptionsCli>();
    auto command = app.add_subcommand("predict", "predict runtime, occupancy, coalescing and bank conflicts");
    add_arch_options(command, options->arch);
    add_clock_option(command, options->arch);
    add_program_options(command, options->program);
    command.add_option("--jobs", options->jobs,
                       "csv file with columns kernel,params,M,N,K; '-' = standard input");
    command.add_option("--recording", options->recording,
                       "folder written by gpumodel-record: every launch beside its measured time");
    command.add_option("--launch", options->recorded_launch,
                       "of --recording: this launch alone, its number as shown, as a whole report");
    add_model_options(command, options);
    command
        .add_option("--threads", options->threads,
                    "worker threads for --jobs and --recording (0 = all cores)")
        .range(0, 1024);
    command.add_flag("--brief", options->brief, "text: the first screen only");
    command.add_option("--section", options->sections,
                       "text: this section alone, as its title begins (occupancy, warp); repeatable");
    command.add_option(
        "--metrics", options->metrics,
        "text, csv: these alone, names or patterns as 'gpumodel metrics' has them, separated by "
        "commas: time_us,l1tex__*");
    add_output_options(command, options->output);
    add_csv_shape_options(command, options->output);
    command.footer(
        "Examples:\n"
        "  gpumodel predict --arch sm_35 --kernel warptile\n"
        "  gpumodel predict --arch v100_sxm2 --kernel warptile -m 4096 -n 2048 -k 8192 -p BM=128 -p BK=16\n"
        "  gpumodel predict --arch h200_sxm --kernel warptile --section occupancy --section 'warp stalls'\n"
        "  gpumodel predict --arch h200_sxm --kernel warptile --metrics 'time_us,*occupancy'\n"
        "  gpumodel predict --arch h200_sxm --jobs jobs.csv --format csv\n"
        "  gpumodel predict --arch h200_sxm --kernel warptile --format csv --long --param-columns\n"
        "  gpumodel predict --arch h200_sxm --kernel warptile --format markdown --out prediction.md\n"
        "  gpumodel predict --arch sm_70 --sass k.sass --entry NAME --grid 32,32 --block 128 "
        "--args 4096,0.5f,ptr:64MiB,ptr\n"
        "  gpumodel predict --arch h200_sxm --recording recording\n"
        "  gpumodel predict --arch h200_sxm --recording recording --launch 3 --explain");
    command.run([options] {
        const auto settings = checked_settings(*options);
        if (!options->recording.empty() && options->many()) {
            return predict_recording({options->recording, options->program.code.cuda, options->threads},
                                     load(options->arch), settings, options->output);
        }
        return options->jobs.empty() ? predict_one(*options, settings) : predict_many(*options, settings);
    });
}

}  // namespace gpumodel::cli
