// gpumodel validate: predictions laid beside what was measured.
#include <algorithm>
#include <memory>

#include "tools/cli/command.h"
#include "tools/cli/interrupt.h"
#include "tools/validate/validate_options.h"

namespace gpumodel::cli {

MeasurementChoice choice_of(const ValidateOptions& options) {
    MeasurementChoice choice;
    const bool whole = options.split == "all" || (options.split.empty() && !options.published.empty());
    if (!whole) {
        choice.split = options.split == "calibration" ? Split::calibration : Split::test;
    }
    choice.pinned = options.pinned;
    choice.sizes = options.sizes;
    choice.kernel_filter = options.kernel_filter;
    choice.sample = options.sample;
    return choice;
}

std::vector<ModelKind> models_of(const ValidateOptions& options) {
    std::vector<ModelKind> kinds;
    const auto named = [&options](const std::string& name) {
        return std::find(options.models.begin(), options.models.end(), name) != options.models.end();
    };
    for (std::size_t m = 0; m < model_count; ++m) {
        const auto kind = static_cast<ModelKind>(m);
        const bool possible = !on_compiled_code(kind) || !options.listings.empty();
        if (named(std::string(to_string(kind))) || (named("all") && possible)) {
            kinds.push_back(kind);
        }
    }
    return kinds;
}

RegisterSource registers_of(const ValidateOptions& options) {
    return options.measured_registers ? RegisterSource::measured : RegisterSource::predicted;
}

namespace {

// What names a launch is a profile's; elsewhere the file names the launches.
void check_launch_options(const ValidateOptions& options) {
    const auto& program = options.program;
    const bool any = program.sources() > 0 || program.sized() || program.sass.any_besides_file() ||
                     !program.sass.nvcc_flags.empty() || !program.resources_from.empty() ||
                     program.registers || program.code.any();
    if (options.ncu.empty() && any) {
        throw InputError(InputErrorKind::usage,
                         {{"", 0, 0, "--kernel",
                           "and other options that name a launch are for --ncu; rows of --measurements and "
                           "--counters are chosen by --kernel-filter, and --gate runs its own"}});
    }
}

int run(const ValidateOptions& options) {
    const InterruptGuard guard(OnInterrupt::exit);
    check_launch_options(options);
    if (!options.published.empty()) {
        return validate_published(options);
    }
    const bool sass =
        std::find(options.models.begin(), options.models.end(), "simulate-sass") != options.models.end();
    if (sass && options.listings.empty()) {
        throw InputError(InputErrorKind::usage,
                         {{"", 0, 0, "--listings", "is required with --model simulate-sass"}});
    }
    if (!options.gate.empty()) {
        return validate_gate(options);
    }
    if (options.arch.arch.empty()) {
        throw InputError(InputErrorKind::usage, {{"", 0, 0, "--arch", "is required"}});
    }
    if (!options.power.empty()) {
        return validate_power(options);
    }
    return !options.measurements.empty() ? validate_times(options)
           : !options.counters.empty()   ? validate_counters(options)
                                         : validate_profile(options);
}

void add_sources(Command& command, ValidateOptions& options) {
    auto measured = command.add_alternatives("measured", "what to compare with; one of");
    measured.add_option("--measurements", options.measurements,
                        "times: csv with family,params,M,N,K,time_us_median, or of a listing's entries with "
                        "kernel,grid,block,shared_bytes,args,time_us");
    measured.add_option("--counters", options.counters,
                        "Nsight Compute counters: csv made by validate/measure/ncu_to_csv.py");
    measured.add_option("--ncu", options.ncu,
                        "any profile by 'ncu --csv', with --sass and --args or --kernel: what it is of");
    measured.add_option("--power", options.power,
                        "power and times of launches that follow each other for seconds: csv as "
                        "validate/data/h200_sxm_kernel_power.csv");
    measured.add_option(
        "--published", options.published,
        "what others published: csv as validate/data/published.csv, which names the products");
    measured.add_option("--gate", options.gate,
                        "limits: csv as validate/data/gate.csv; exit code 4 beyond one");
}

void add_choices(Command& command, ValidateOptions& options) {
    command
        .add_option("--model", options.models,
                    "analytic, simulate (generated code), simulate-sass (the measured code, --listings), all")
        .comma_separated()
        .one_of({"analytic", "simulate", "simulate-sass", "analytic-sass", "all"});
    command.add_option("--listings", options.listings,
                       "the measured kernels' code, by 'cuobjdump -sass', plain or .gz");
    command
        .add_option(
            "--split", options.split,
            "which half, fixed by a hash of family and parameters (default test; all with --published)")
        .one_of({"calibration", "test", "all"});
    command.add_option("--sizes", options.sizes, "only M = N of these").comma_separated();
    command.add_option("--kernel-filter", options.kernel_filter,
                       "only rows with this part in 'family params kernel'");
    command.add_option("--sample", options.sample, "only so many rows, chosen by a hash of the row");
    command
        .add_option("--cache-control", options.cache_control,
                    "what 'ncu --cache-control' was for --counters: none leaves L2 warm for scheduler rates "
                    "and stall reasons (default all)")
        .one_of({"all", "none"});
    command.add_flag("--measured-registers", options.measured_registers,
                     "take registers per thread from the measurements instead of the estimate");
    command.add_flag("--pinned", options.pinned, "also the kernels whose k loop is pinned by a pragma");
    command.add_option("--threads", options.threads, "run on so many cores (default all)").range(1, 1024);
}

void add_results(Command& command, ValidateOptions& options) {
    command.add_flag("--rows", options.rows, "csv of every launch instead of the summary");
    command.add_option("--table", options.table, "which table --format csv writes")
        .one_of({"groups", "sweeps", "ladders", "slopes", "worst"});
    command.add_option("--bands", options.bands, "error bands to check (default: those that predict prints)");
    command.add_option("--write-bands", options.write_bands,
                       "update this csv with error bands from the calibration half of this run");
    add_output_options(command, options.output);
}

}  // namespace

void add_validate_command(Command& app) {
    auto options = std::make_shared<ValidateOptions>();
    auto command = app.add_subcommand("validate", "compare predictions with measured launches");
    add_arch_options(command, options->arch, false);
    add_sources(command, *options);
    add_choices(command, *options);
    add_program_options(command, options->program);
    add_results(command, *options);
    command.footer(
        "Examples:\n"
        "  gpumodel validate --arch h200_sxm --measurements validate/data/h200_sxm_times.csv --split test\n"
        "  gpumodel validate --arch h200_sxm --measurements validate/data/h200_sxm_times.csv --model all "
        "--listings validate/listings/sm_90.sass.xz --sample 200\n"
        "  gpumodel validate --arch h200_sxm --counters validate/data/h200_sxm_counters.csv --split test\n"
        "  gpumodel validate --arch h200_sxm --ncu profile.csv --sass k.sass --args 4096,0.5f,ptr,ptr\n"
        "  gpumodel validate --arch h200_sxm --power validate/data/h200_sxm_kernel_power.csv --model "
        "simulate\n"
        "  gpumodel validate --published validate/data/published.csv\n"
        "  gpumodel validate --gate validate/data/gate.csv");
    command.run([options] { return run(*options); });
}

}  // namespace gpumodel::cli
