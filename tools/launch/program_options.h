// The options that name one launch's program: a family (--kernel with sizes and -p), a listing (--sass with
// its launch) or a trace (--trace), and the registers that its blocks take. predict and simulate share them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/cli/option_values.h"
#include "tools/launch/code_options.h"
#include "tools/launch/prediction_job.h"
#include "tools/launch/sass_launch_options.h"

namespace gpumodel::cli {

struct ProgramOptions {
    std::string kernel;
    std::string m, n, k;  // checked by load_program, all at once
    std::vector<std::string> params;
    SassLaunchOptions sass;
    std::string trace;
    std::string resources_from;
    std::optional<int> registers;
    CodeOptions code;

    // Anything that sizes a family.
    [[nodiscard]] bool sized() const { return !(m.empty() && n.empty() && k.empty() && params.empty()); }
    [[nodiscard]] int sources() const {
        return (kernel.empty() ? 0 : 1) + (sass.file.empty() ? 0 : 1) + (sass.cu.empty() ? 0 : 1) +
               (trace.empty() ? 0 : 1);
    }
};

void add_program_options(Command& command, ProgramOptions& options);
void add_family_options(Command& command, ProgramOptions& options);  // --kernel, -m, -n, -k and -p alone

// How a launch is simulated: --exact, --max-cycles, --l2.
struct SimulationOptions {
    bool exact = false;
    bool cold = false;
    std::string max_cycles;  // checked by checked_simulation
};
void add_simulation_options(Command& command, SimulationOptions& options);
[[nodiscard]] SimOptions checked_simulation(const SimulationOptions& options, OptionFaults& faults);

// "" = `fallback`; a name that is no model joins the faults.
[[nodiscard]] ModelChoice model_choice(const std::string& name, ModelChoice fallback, OptionFaults& faults);
// --exact and --max-cycles do not go with --model analytic.
void check_simulates(ModelChoice models, const SimulationOptions& options, OptionFaults& faults);

// Options that exclude or require each other; `alternatives` names the sources in the message, and
// `other_sources` counts those of the subcommand's own that were given (--jobs).
void check_program_options(const ProgramOptions& options, const std::string& alternatives, int other_sources,
                           OptionFaults& faults);

// --registers and --resources-from, and where code comes from for a command that asks for so many programs.
// Throws InputError for a log that cannot be read.
[[nodiscard]] LaunchResources resources_of(const ProgramOptions& options, std::size_t programs = 1);

// Usage faults join `faults`, which is then thrown; faults of a listing or trace are thrown as their readers
// do.
[[nodiscard]] LaunchProgram load_program(const ProgramOptions& options, const ArchSpec& arch,
                                         OptionFaults& faults);

}  // namespace gpumodel::cli
