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

TraceFile from_sass(const TraceGenOptions& options, const ArchSpec& arch, OptionFaults& faults) {
    const auto& sass = options.program.sass;
    auto listed = program_of(sass, arch.generation, options.program.code.cuda, faults);
    faults.throw_if_any();
    const auto source = (sass.cu.empty() ? sass.file : sass.cu) + " entry " + listed->program.kernel;
    return {listed->arch, source, std::move(listed->program)};
}

}  // namespace

TraceFile generate_trace(const TraceGenOptions& options) {
    OptionFaults faults;
    const auto arch = faults.load_arch(options.arch);
    check_program_options(options.program, "--kernel NAME, --sass FILE and --cu FILE", 0, faults);
    faults.collect([&] { static_cast<void>(format_of(options.out)); });
    faults.throw_if_any();
    return options.program.sass.given() ? from_sass(options, arch, faults)
                                        : from_family(options, arch, faults);
}

}  // namespace gpumodel::cli
