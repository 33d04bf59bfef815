#include "tools/trace/trace_gen.h"

#include "tools/launch/prediction_job.h"
#include "tools/launch/trace_files.h"
#include "traces/codegen/make_program.h"

namespace gpumodel::cli {

namespace {

// Faults of several options come together.
void check_sources(const TraceGenOptions& options, OptionFaults& faults) {
    if (options.kernel.empty() == options.sass.file.empty()) {
        faults.add("--kernel", "give one of --kernel NAME and --sass FILE");
    }
    const bool sized =
        !(options.m.empty() && options.n.empty() && options.k.empty() && options.params.empty());
    if (!options.sass.file.empty() && sized) {
        faults.add("--sass", "sizes are arguments of the kernel (--args), not -m, -n, -k or -p");
    }
    if (options.sass.file.empty() && options.sass.any_besides_file()) {
        faults.add("--sass",
                   "is required with --entry, --grid, --block, --args, --dynamic-shared and "
                   "--allow-unknown");
    }
    faults.collect([&] { static_cast<void>(format_of(options.out)); });
}

TraceFile from_family(const TraceGenOptions& options, const ArchSpec& arch, OptionFaults& faults) {
    PredictionJob job;
    job.kernel = options.kernel;
    faults.collect([&] { job.params = parse_params(options.params, "-p"); });
    faults.collect([&] { check_job(job); });
    const auto* family = find_family(options.kernel);
    ProblemShape shape = family != nullptr ? family->default_shape : ProblemShape{};
    shape.m = faults.number_or(options.m, "-m", shape.m, {1, largest_dimension});
    shape.n = faults.number_or(options.n, "-n", shape.n, {1, largest_dimension});
    shape.k = faults.number_or(options.k, "-k", shape.k, {1, largest_dimension});
    faults.throw_if_any();
    auto made = make_program(*family, resolve_params(*family, job.params), shape, target_of(arch));
    if (!made.program) {
        throw InputError(InputErrorKind::invalid_input,
                         {{"", 0, 0, "--kernel", "infeasible: " + made.infeasible_reason}});
    }
    return {arch.generation, "kernel " + family->name, *std::move(made.program)};
}

TraceFile from_sass(const TraceGenOptions& options, OptionFaults& faults) {
    auto listed = program_of(options.sass, faults);
    faults.throw_if_any();
    const auto source = options.sass.file + " entry " + listed->program.kernel;
    return {listed->arch, source, std::move(listed->program)};
}

}  // namespace

TraceFile generate_trace(const TraceGenOptions& options) {
    OptionFaults faults;
    const auto arch = faults.load_arch(options.arch);
    check_sources(options, faults);
    faults.throw_if_any();
    return options.sass.file.empty() ? from_family(options, arch, faults) : from_sass(options, faults);
}

}  // namespace gpumodel::cli
