// gpumodel predict: one launch (options) or many (--jobs).
#include <fmt/format.h>

#include <memory>

#include "arch_specs/printable.h"
#include "model/report/report.h"
#include "tools/command.h"
#include "tools/option_values.h"
#include "tools/predict_jobs.h"
#include "tools/prediction_job.h"
#include "tools/sass_launch_options.h"
#include "tools/trace_files.h"

namespace gpumodel::cli {
namespace {

struct PredictOptionsCli {
    ArchOptions arch;
    OutputOptions output;
    std::string kernel;
    std::string m, n, k;  // checked by job_of, all at once
    std::vector<std::string> params;
    std::string jobs;
    SassLaunchOptions sass;
    std::string trace;
    std::string model = "analytic";
    std::string resources_from;
    std::optional<int> registers;
    bool cold = false;
    bool brief = false;
    int threads = 0;
};

JobSettings settings_of(const PredictOptionsCli& options) {
    JobSettings settings;
    settings.predict.l2 = options.cold ? L2State::cold : L2State::warm;
    settings.registers = options.registers;
    settings.resource_file = options.resources_from;
    if (!options.resources_from.empty()) {
        settings.resource_log = read_resource_log(options.resources_from);
    }
    return settings;
}

ReportMetadata metadata_of(const ArchSpec& arch, const std::string& command_line) {
    return {GPUMODEL_VERSION, valid_utf8(arch.file), arch.content_hash, valid_utf8(command_line)};
}

void require_known_model(const std::string& model) {
    if (model != "analytic") {
        throw InputError(InputErrorKind::usage, {{"--model", 0, 0, model,
                                                  "this version has the analytic model only (the simulator "
                                                  "is not part of it); allowed: analytic"}});
    }
}

// Options that exclude each other, all reported together.
void check_options(const PredictOptionsCli& options) {
    std::vector<Diagnostic> faults;
    const int sources = (options.kernel.empty() ? 0 : 1) + (options.jobs.empty() ? 0 : 1) +
                        (options.sass.file.empty() ? 0 : 1) + (options.trace.empty() ? 0 : 1);
    if (sources != 1) {
        faults.push_back(
            {"", 0, 0, "--kernel", "give one of --kernel NAME, --sass FILE, --trace FILE and --jobs FILE"});
    }
    const bool sized =
        !(options.m.empty() && options.n.empty() && options.k.empty() && options.params.empty());
    if (!options.jobs.empty() && sized) {
        faults.push_back({"", 0, 0, "--jobs", "sizes and -p come from the job file, not from options"});
    }
    if (!options.sass.file.empty() && sized) {
        faults.push_back(
            {"", 0, 0, "--sass", "sizes are arguments of the kernel (--args), not -m, -n, -k or -p"});
    }
    if (!options.trace.empty() && sized) {
        faults.push_back({"", 0, 0, "--trace", "the trace says the sizes; -m, -n, -k and -p do not apply"});
    }
    if (options.sass.file.empty() && options.sass.any_besides_file()) {
        faults.push_back({"", 0, 0, "--sass",
                          "is required with --entry, --grid, --block, --args, "
                          "--dynamic-shared and --allow-unknown"});
    }
    if (options.registers && !options.resources_from.empty()) {
        faults.push_back({"", 0, 0, "--registers", "excludes --resources-from"});
    }
    if (!faults.empty()) {
        throw InputError(InputErrorKind::usage, std::move(faults));
    }
}

PredictionJob job_of(const PredictOptionsCli& options, OptionFaults& faults) {
    const auto size = [&](const std::string& text, const char* option) {
        return text.empty() ? std::nullopt : faults.whole_number(text, option, {1, largest_dimension});
    };
    PredictionJob job{
        options.kernel, {}, size(options.m, "-m"), size(options.n, "-n"), size(options.k, "-k")};
    faults.collect([&] { job.params = parse_params(options.params, "-p"); });
    faults.collect([&] { check_job(job); });
    return job;
}

Prediction predict_family(const PredictOptionsCli& options, const ArchSpec& arch, OptionFaults& faults) {
    const auto job = job_of(options, faults);
    faults.throw_if_any();
    return run_job(job, arch, settings_of(options));
}

// Code of one generation on another's hardware is a what-if, not what would run there.
void note_other_code(const std::string& code_arch, const ArchSpec& arch, KernelProgram& program) {
    if (!code_arch.empty() && code_arch != arch.generation) {
        program.notes.push_back(
            fmt::format("the code is for {}: {} would run what its own compiler makes of the source",
                        code_arch, arch.generation));
    }
}

Prediction predict_sass(const PredictOptionsCli& options, const ArchSpec& arch, OptionFaults& faults) {
    auto listed = program_of(options.sass, faults);
    faults.throw_if_any();
    note_other_code(listed->arch, arch, listed->program);
    return run_program(std::move(listed->program), arch, settings_of(options));
}

Prediction predict_trace(const PredictOptionsCli& options, const ArchSpec& arch, OptionFaults& faults) {
    faults.throw_if_any();
    auto trace = load_trace({options.trace, {}, false});
    note_other_code(trace.arch, arch, trace.program);
    return run_program(std::move(trace.program), arch, settings_of(options));
}

int predict_one(const PredictOptionsCli& options, const std::string& command_line) {
    OptionFaults faults;
    const auto arch = faults.load_arch(options.arch);
    const auto prediction = !options.sass.file.empty() ? predict_sass(options, arch, faults)
                            : !options.trace.empty()   ? predict_trace(options, arch, faults)
                                                       : predict_family(options, arch, faults);
    switch (options.output.format) {
        case Format::csv:
            write_output(options.output, csv_header() + csv_row(prediction));
            break;
        case Format::json:
            write_output(options.output, json_report({prediction}, metadata_of(arch, command_line)));
            break;
        case Format::text:
            write_output(options.output, text_report(prediction, arch, !options.brief));
            break;
    }
    return prediction.status == Status::ok ? exit_ok : exit_invalid_input;
}

int predict_many(const PredictOptionsCli& options, const std::string& command_line) {
    const auto arch = load(options.arch);
    const auto settings = settings_of(options);
    return run_jobs_file(options.jobs, arch, settings, options.output, options.threads,
                         metadata_of(arch, command_line));
}

void add_kernel_options(CLI::App& command, PredictOptionsCli& options) {
    command.add_option("--kernel", options.kernel, "kernel family; see 'gpumodel kernels list'");
    command.add_option("-m", options.m, "rows of C (default 4096)");
    command.add_option("-n", options.n, "columns of C (default 4096)");
    command.add_option("-k", options.k, "inner dimension (default 4096)");
    command.add_option("-p", options.params, "kernel parameter KEY=VALUE, repeatable")
        ->allow_extra_args(false);
    command.add_option("--registers", options.registers, "registers per thread instead of the estimate")
        ->check(CLI::Range(1, 512));
    command.add_option("--resources-from", options.resources_from,
                       "registers and shared memory from a 'ptxas -v' or 'cuobjdump -res-usage' log");
}

}  // namespace

void add_predict_command(CLI::App& app, Action& action) {
    auto options = std::make_shared<PredictOptionsCli>();
    auto* command =
        app.add_subcommand("predict", "predict runtime, occupancy, coalescing and bank conflicts");
    add_arch_options(*command, options->arch);
    add_kernel_options(*command, *options);
    add_sass_launch_options(*command, options->sass);
    command->add_option("--trace", options->trace, "a trace: FILE.gpt, or FILE.traceg[.xz] of Accel-Sim");
    command->add_option("--jobs", options->jobs,
                        "csv file with columns kernel,params,M,N,K; '-' = standard input");
    command->add_option("--model", options->model, "analytic (default)");
    command
        ->add_option_function<std::string>(
            "--l2", [options](const std::string& state) { options->cold = state == "cold"; },
            "L2 before the launch: warm (back-to-back launches, default) or cold (profiler)")
        ->check(CLI::IsMember({"warm", "cold"}));
    command->add_option("--threads", options->threads, "worker threads for --jobs (0 = all cores)")
        ->check(CLI::Range(0, 1024));
    command->add_flag("--brief", options->brief, "text: the first screen only");
    add_output_options(*command, options->output);
    command->footer(
        "Examples:\n"
        "  gpumodel predict --arch sm_35 --kernel warptile\n"
        "  gpumodel predict --arch v100_sxm2 --kernel warptile -m 4096 -n 2048 -k 8192 -p BM=128 -p BK=16\n"
        "  gpumodel predict --arch h200_sxm --jobs jobs.csv --format csv\n"
        "  gpumodel predict --arch sm_70 --sass k.sass --entry NAME --grid 32,32 --block 128 "
        "--args 4096,0.5f,ptr:64MiB,ptr");
    command->callback([options, &app, &action] {
        const std::string command_line =
            app.get_name() + " " + fmt::format("{}", fmt::join(raw_arguments(), " "));
        action = [options, command_line] {
            require_known_model(options->model);
            check_options(*options);
            return options->jobs.empty() ? predict_one(*options, command_line)
                                         : predict_many(*options, command_line);
        };
    });
}

}  // namespace gpumodel::cli
