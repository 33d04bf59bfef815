#include "tools/launch/program_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "base/diagnostics.h"
#include "base/note.h"
#include "model/launch/occupancy.h"
#include "tools/launch/trace_files.h"
#include "traces/sass/reader/listing_arch.h"

namespace gpumodel::cli {
namespace {

PredictionJob job_of(const ProgramOptions& options, OptionFaults& faults) {
    const auto size = [&](const std::string& text, const char* option) {
        return text.empty() ? std::nullopt : faults.whole_number(text, option, {1, largest_dimension});
    };
    PredictionJob job{
        options.kernel, {}, size(options.m, "-m"), size(options.n, "-n"), size(options.k, "-k")};
    faults.collect([&] { job.params = parse_params(options.params, "-p"); });
    faults.collect([&] { check_job(job); });
    return job;
}

// Code of Kepler, of Maxwell and Pascal, and of Volta and later differs in its instructions. Empty before
// Kepler, whose code is not read.
std::optional<SassIsa> instructions_of(const std::string& generation) {
    return generation.starts_with("sm_3") ? SassIsa::kepler : isa_of(generation);
}

// Code of one generation on another's hardware is a what-if, not what would run there; between instruction
// sets that have nothing in common not even that.
void note_other_code(const std::string& code_arch, const ArchSpec& arch, KernelProgram& program) {
    const auto theirs = instructions_of(arch.generation);
    if (!code_arch.empty() && theirs && instructions_of(code_arch) != theirs) {
        throw InputError(InputErrorKind::invalid_input,
                         {{"", 0, 0, "--arch",
                           fmt::format("the code is for {}, whose instructions {} does not have; make the "
                                       "listing with -arch={}",
                                       code_arch, arch.generation, arch.generation)}});
    }
    if (!code_arch.empty() && code_arch != arch.generation) {
        program.notes.push_back(
            noted(NoteId::other_code,
                  fmt::format("the code is for {}: {} would run what its own compiler makes of the source",
                              code_arch, arch.generation)));
    }
}

LaunchProgram listed_program(const ProgramOptions& options, const ArchSpec& arch, OptionFaults& faults) {
    auto listed = program_of(options.sass, arch.generation, options.code.cuda, faults);
    faults.throw_if_any();
    note_other_code(listed->arch, arch, listed->program);
    return {std::move(listed->program), {}};
}

LaunchProgram traced_program(const ProgramOptions& options, const ArchSpec& arch, OptionFaults& faults) {
    faults.throw_if_any();
    auto trace = load_trace({options.trace, {}, false});
    note_other_code(trace.arch, arch, trace.program);
    return {std::move(trace.program), {}};
}

// A listing shows the registers that are used; a launch may hold more of them.
void note_least_registers(const ArchSpec& arch, KernelProgram& program) {
    const auto& used = program.resources;
    if (!used.registers_source.starts_with("listing, ")) {
        return;
    }
    const auto with = [&](int registers) {
        OccupancyRequest request;
        request.threads_per_block = used.threads;
        request.registers_per_thread = registers;
        request.shared_bytes_per_block = used.static_shared_bytes + used.dynamic_shared_bytes;
        return compute_occupancy(arch, request);
    };
    const auto now = with(used.registers_per_thread);
    constexpr int most_registers = 255;
    int more = used.registers_per_thread + 1;
    while (more < most_registers &&
           with(more).registers_allocated_per_warp == now.registers_allocated_per_warp) {
        ++more;
    }
    const auto then = with(more).blocks_per_sm;
    program.estimates.push_back(fmt::format(
        "registers: {} is the least possible, the highest that the listing uses (-elf, --resources-from and "
        "--registers say how many); with {} {}",
        used.registers_per_thread, more,
        then == now.blocks_per_sm
            ? "the occupancy is the same"
            : fmt::format("{} instead of {} blocks run per SM", then, now.blocks_per_sm)));
}

}  // namespace

void add_family_options(Command& command, ProgramOptions& options) {
    command.add_option("--kernel", options.kernel, "kernel family; see 'gpumodel kernels list'");
    command.add_option("-m", options.m, "rows of C (default 4096)");
    command.add_option("-n", options.n, "columns of C (default 4096)");
    command.add_option("-k", options.k, "inner dimension (default 4096)");
    command.add_option("-p", options.params, "kernel parameter KEY=VALUE, repeatable").one_each();
    add_code_options(command, options.code);
}

void add_program_options(Command& command, ProgramOptions& options) {
    add_family_options(command, options);
    command.add_option("--registers", options.registers, "registers per thread instead of the estimate")
        .range(1, 512);
    command.add_option("--resources-from", options.resources_from,
                       "registers and shared memory from a 'ptxas -v' or 'cuobjdump -res-usage' log");
    add_sass_launch_options(command, options.sass);
    command.add_option("--trace", options.trace, "a trace: FILE.gpt, or FILE.traceg[.xz] of Accel-Sim");
}

void add_simulation_options(Command& command, SimulationOptions& options) {
    command.add_flag("--exact", options.exact,
                     "simulate every trip and block of the SM instead of extrapolating (slow)");
    command.add_option("--max-cycles", options.max_cycles, "give up a simulation after so many cycles");
    command
        .add_option(
            "--l2", [&options](const std::string& state) { options.cold = state == "cold"; },
            "L2 before the launch: warm (back-to-back launches, default) or cold (profiler)")
        .one_of({"warm", "cold"});
}

SimOptions checked_simulation(const SimulationOptions& options, OptionFaults& faults) {
    SimOptions settings;
    settings.exact = options.exact;
    settings.l2 = options.cold ? L2State::cold : L2State::warm;
    settings.max_cycles = faults.number_or(options.max_cycles, "--max-cycles", 0,
                                           {1, std::numeric_limits<std::int64_t>::max()});
    return settings;
}

ModelChoice model_choice(const std::string& name, ModelChoice fallback, OptionFaults& faults) {
    const std::vector<std::string> names{"analytic", "simulate", "both"};
    constexpr std::array choices{ModelChoice::analytic, ModelChoice::simulate, ModelChoice::both};
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end() && !name.empty()) {
        faults.add("--model", fmt::format("'{}' is no model, allowed {}{}", name, fmt::join(names, ", "),
                                          nearest_hint(name, names)));
    }
    return found == names.end() ? fallback : choices.at(static_cast<std::size_t>(found - names.begin()));
}

void check_simulates(ModelChoice models, const SimulationOptions& options, OptionFaults& faults) {
    if (models == ModelChoice::analytic && options.exact) {
        faults.add("--exact", "is for the simulator, not for --model analytic");
    }
    if (models == ModelChoice::analytic && !options.max_cycles.empty()) {
        faults.add("--max-cycles", "is for the simulator, not for --model analytic");
    }
}

void check_program_options(const ProgramOptions& options, const std::string& alternatives, int other_sources,
                           OptionFaults& faults) {
    if (options.sources() + other_sources != 1) {
        faults.add("--kernel", "give one of " + alternatives);
    }
    if (options.sass.given() && options.sized()) {
        faults.add(options.sass.cu.empty() ? "--sass" : "--cu",
                   "sizes are arguments of the kernel (--args), not -m, -n, -k or -p");
    }
    if (!options.trace.empty() && options.sized()) {
        faults.add("--trace", "the trace says the sizes; -m, -n, -k and -p do not apply");
    }
    if (!options.sass.given() && options.sass.any_besides_file()) {
        faults.add("--sass",
                   "or --cu is required with --entry, --grid, --block, --args, --dynamic-shared and "
                   "--allow-unknown");
    }
    if (options.sass.cu.empty() && !options.sass.nvcc_flags.empty()) {
        faults.add("--nvcc-flags", "is for --cu FILE");
    }
    if (options.registers && !options.resources_from.empty()) {
        faults.add("--registers", "excludes --resources-from");
    }
}

LaunchResources resources_of(const ProgramOptions& options, std::size_t programs) {
    LaunchResources resources;
    resources.provider = provider_of(options.code, programs);
    resources.registers = options.registers;
    resources.file = options.resources_from;
    if (!options.resources_from.empty()) {
        resources.log = read_resource_log(options.resources_from);
    }
    return resources;
}

LaunchProgram load_program(const ProgramOptions& options, const ArchSpec& arch, OptionFaults& faults) {
    LaunchProgram launch;
    if (options.sass.given()) {
        launch = listed_program(options, arch, faults);
    } else if (!options.trace.empty()) {
        launch = traced_program(options, arch, faults);
    } else {
        const auto job = job_of(options, faults);
        faults.throw_if_any();
        return lower_job(job, arch, resources_of(options));
    }
    apply_resources(resources_of(options), arch, *launch.program);
    note_least_registers(arch, *launch.program);
    return launch;
}

}  // namespace gpumodel::cli
