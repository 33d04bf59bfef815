#include "tools/trace/trace_gen.h"

#include "tools/launch/trace_files.h"

namespace gpumodel::cli {

namespace {

TraceFile from_family(const TraceGenOptions& options, const ArchSpec& arch, OptionFaults& faults) {
    auto launch = load_program(options.program, arch, faults);
    if (!launch.program) {
        throw InputError(InputErrorKind::invalid_input,
                         {{"", 0, 0, "--kernel", "infeasible: " + launch.infeasible.reason}});
    }
    return {arch.generation, "kernel " + options.program.kernel, *std::move(launch.program)};
}

TraceFile from_sass(const SassLaunchOptions& sass, OptionFaults& faults) {
    auto listed = program_of(sass, faults);
    faults.throw_if_any();
    const auto source = sass.file + " entry " + listed->program.kernel;
    return {listed->arch, source, std::move(listed->program)};
}

}  // namespace

TraceFile generate_trace(const TraceGenOptions& options) {
    OptionFaults faults;
    const auto arch = faults.load_arch(options.arch);
    check_program_options(options.program, "--kernel NAME and --sass FILE", 0, faults);
    faults.collect([&] { static_cast<void>(format_of(options.out)); });
    faults.throw_if_any();
    const auto& sass = options.program.sass;
    return sass.file.empty() ? from_family(options, arch, faults) : from_sass(sass, faults);
}

}  // namespace gpumodel::cli
