// The options that turn a listing, a compiled file or CUDA source into a launch: --sass FILE or --cu FILE,
// --entry NAME --grid X,Y,Z --block X,Y,Z --args ...
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/cli/option_values.h"
#include "traces/emulate/sass_block_source.h"
#include "traces/kernel_program.h"
#include "traces/sass/sass_module.h"

namespace gpumodel::cli {

struct SassLaunchOptions {
    std::string file, cu, nvcc_flags, entry, grid, block, args, dynamic_shared, max_instructions;
    std::vector<std::string> variables;
    std::vector<std::string> dumps;
    bool allow_unknown = false;
    [[nodiscard]] bool given() const { return !file.empty() || !cu.empty(); }
    [[nodiscard]] bool any_besides_file() const {
        return !entry.empty() || !grid.empty() || !block.empty() || !args.empty() ||
               !dynamic_shared.empty() || !max_instructions.empty() || allow_unknown || !dumps.empty() ||
               !variables.empty();
    }
};

void add_sass_launch_options(Command& command, SassLaunchOptions& options);

// The entry of that name, or the only one with that part in its name; without a name the only entry there is.
// Throws InputError (usage) with the candidates.
[[nodiscard]] const SassFunction& choose_entry(const SassModule& module, const std::string& name);

struct ListedProgram {
    KernelProgram program;
    std::string arch;  // of the listing: "sm_70"
};

// Executes the launch. `generation`: as read_code; `cuda`: folder of a toolkit or "". Usage faults of the
// options join `faults`, the result is empty then; faults of the code itself are thrown (invalid input).
[[nodiscard]] std::optional<ListedProgram> program_of(const SassLaunchOptions& options,
                                                      const std::string& generation, const std::string& cuda,
                                                      OptionFaults& faults);

}  // namespace gpumodel::cli
