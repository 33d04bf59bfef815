// gpumodel roofline: where launches stand under the roofs of a GPU.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "tools/cli/interrupt.h"
#include "tools/cli/parallel_runs.h"
#include "tools/launch/program_options.h"
#include "tools/predict/predict_jobs.h"
#include "tools/views/roofline/roofline_svg.h"
#include "tools/views/roofline/roofline_views.h"

namespace gpumodel::cli {
namespace {

enum class RooflineFormat : unsigned char { text, json, csv, svg, markdown };

struct RooflineOptions {
    ArchOptions arch;
    std::string format, out, model;  // read as text, checked together
    std::vector<std::string> kernels;
    ProgramOptions program;  // of each kernel
    SimulationOptions simulation;
    std::string jobs;
    int threads = 0;
};

struct RooflineSettings {
    PredictSettings predict;
    RooflineFormat format = RooflineFormat::text;
};

void check_sources(const RooflineOptions& options, OptionFaults& faults) {
    auto one = options.program;
    one.kernel = options.kernels.empty() ? "" : options.kernels.front();
    check_program_options(one,
                          "--kernel NAME (repeatable), --sass FILE, --cu FILE, --trace FILE and --jobs FILE",
                          options.jobs.empty() ? 0 : 1, faults);
    if (!options.jobs.empty() && options.program.sized()) {
        faults.add("--jobs", "sizes and -p come from the job file, not from options");
    }
    if (options.kernels.size() > 1 && !options.program.params.empty()) {
        faults.add("-p", "is for one kernel; several with parameters of their own: --jobs");
    }
}

RooflineSettings checked_settings(const RooflineOptions& options) {
    OptionFaults faults;
    check_sources(options, faults);
    RooflineSettings settings;
    settings.predict.simulate = checked_simulation(options.simulation, faults);
    const std::vector<std::string> formats{"text", "json", "csv", "svg", "markdown"};
    const bool picture = options.format.empty() && options.out.ends_with(".svg");
    settings.format = picture ? RooflineFormat::svg
                      : options.format.empty()
                          ? RooflineFormat::text
                          : static_cast<RooflineFormat>(faults.one_of(options.format, formats, "--format"));
    const auto model =
        options.model.empty() ? 0 : faults.one_of(options.model, {"simulate", "analytic"}, "--model");
    settings.predict.models = model == 0 ? ModelChoice::simulate : ModelChoice::analytic;
    faults.throw_if_any();
    settings.predict.resources = resources_of(options.program, options.jobs.empty() ? 1 : most_compiled + 1);
    return settings;
}

std::vector<LaunchProgram> load_programs(const RooflineOptions& options, const ArchSpec& arch,
                                         OptionFaults& faults) {
    std::vector<LaunchProgram> programs;
    auto one = options.program;
    for (const auto& kernel : options.kernels) {
        one.kernel = kernel;
        faults.collect([&] { programs.push_back(load_program(one, arch, faults)); });
    }
    if (options.kernels.empty()) {
        programs.push_back(load_program(one, arch, faults));
    }
    faults.throw_if_any();
    return programs;
}

std::vector<Prediction> predict_jobs(const RooflineOptions& options, const ArchSpec& arch,
                                     const RooflineSettings& settings) {
    CsvSource source(options.jobs);
    auto& reader = source.reader();
    const auto at =
        require_columns(reader.file(), reader.header(), {"kernel", "params", "M", "N", "K"}, false);
    const JobColumns columns{at[0], at[1], at[2], at[3], at[4]};
    std::vector<CsvRow> rows;
    while (auto row = reader.next()) {
        rows.push_back(std::move(*row));
    }
    std::vector<Prediction> predictions(rows.size());
    parallel_runs(options.threads)(rows.size(), [&](std::size_t i) {
        predictions[i] = predict_row(rows[i], columns, arch, settings.predict).front();
    });
    return predictions;
}

std::vector<Prediction> predictions_of(const RooflineOptions& options, const ArchSpec& arch,
                                       const RooflineSettings& settings, OptionFaults& faults) {
    if (!options.jobs.empty()) {
        return predict_jobs(options, arch, settings);
    }
    const auto programs = load_programs(options, arch, faults);
    std::vector<Prediction> predictions(programs.size());
    parallel_runs(options.threads)(programs.size(), [&](std::size_t i) {
        predictions[i] = predict_launch(programs[i], arch, settings.predict).front();
    });
    return predictions;
}

std::string formatted(const Roofline& roofline, const ArchSpec& arch, RooflineFormat format) {
    switch (format) {
        case RooflineFormat::json:
            return roofline_json(roofline, arch);
        case RooflineFormat::csv:
            return roofline_csv(roofline);
        case RooflineFormat::svg:
            return roofline_svg(roofline, chart::Embedding::standalone);
        case RooflineFormat::text:
        case RooflineFormat::markdown:
            break;
    }
    return roofline_text(roofline);
}

int draw(const RooflineOptions& options, const RooflineSettings& settings) {
    const InterruptGuard interrupts(OnInterrupt::exit);
    OptionFaults faults;
    const auto arch = faults.load_arch(options.arch);
    const auto predictions = predictions_of(options, arch, settings, faults);
    const auto roofline = make_roofline(arch, predictions);
    OutputOptions output{Format::text, options.out};
    output.report = settings.format == RooflineFormat::text || settings.format == RooflineFormat::markdown;
    output.markdown = settings.format == RooflineFormat::markdown;
    write_output(output, formatted(roofline, arch, settings.format), [&] { return roofline_text(roofline); });
    const bool failed = roofline.kernels.empty() && !roofline.left_out.empty();
    return failed && options.jobs.empty() ? exit_invalid_input : exit_ok;
}

// As add_program_options, with any number of kernels.
void add_launch_options(Command& command, RooflineOptions& options) {
    command.add_option("--kernel", options.kernels, "kernel family, repeatable; see 'gpumodel kernels list'")
        .one_each();
    command.add_option("-m", options.program.m, "rows of C (default 4096), of every kernel");
    command.add_option("-n", options.program.n, "columns of C (default 4096)");
    command.add_option("-k", options.program.k, "inner dimension (default 4096)");
    command
        .add_option("-p", options.program.params, "kernel parameter KEY=VALUE of a single kernel, repeatable")
        .one_each();
    command.add_option("--jobs", options.jobs,
                       "csv file with columns kernel,params,M,N,K; '-' = standard input");
    add_code_options(command, options.program.code);
    add_sass_launch_options(command, options.program.sass);
    command.add_option("--trace", options.program.trace,
                       "a trace: FILE.gpt, or FILE.traceg[.xz] of Accel-Sim");
}

}  // namespace

void add_roofline_command(Command& app) {
    auto options = std::make_shared<RooflineOptions>();
    auto command = app.add_subcommand(
        "roofline", "kernels under the roofs of a GPU: FP32, issue, shared memory, L1, L2, DRAM");
    add_arch_options(command, options->arch);
    add_launch_options(command, *options);
    add_simulation_options(command, options->simulation);
    command.add_option("--model", options->model, "simulate (default) or analytic");
    command.add_option("--threads", options->threads, "worker threads (0 = all cores)").range(0, 1024);
    command
        .add_option("--format", options->format,
                    "text, json, csv, svg or markdown (default: text; svg for --out X.svg)")
        .shown_as("text|json|csv|svg|markdown");
    command.add_option("--out", options->out, "write the result to FILE instead of standard output");
    command.footer(
        "Examples:\n"
        "  gpumodel roofline --arch v100_sxm2 --kernel naive --kernel smem --kernel warptile\n"
        "  gpumodel roofline --arch h200_sxm --kernel warptile -m 2048 -n 2048 -k 2048 --out roofline.svg\n"
        "  gpumodel roofline --arch k40 --jobs jobs.csv --model analytic --format csv");
    command.run([options] { return draw(*options, checked_settings(*options)); });
}

}  // namespace gpumodel::cli
