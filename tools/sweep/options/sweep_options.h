// The options of gpumodel sweep, and the plan that they make.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/launch/program_options.h"
#include "tools/sweep/pieces/piece.h"

namespace gpumodel::cli {

inline constexpr std::int64_t most_points = 1'000'000'000;

struct SweepOptions {
    ArchOptions arch;
    OutputOptions output{Format::csv, ""};
    SimulationOptions simulation;
    CodeOptions code;
    std::vector<std::string> kernels;  // each a list
    std::vector<std::string> params;
    std::vector<std::string> set_sweeps;
    std::string sizes, axes, model, top, shard, threads, registers;
    bool resume = false;
    bool keep_invalid = false;
};

void add_sweep_options(Command& command, SweepOptions& options);

// Throws InputError (usage) with every fault of the options; faults of the spec's file as its loader does.
[[nodiscard]] SweepPlan sweep_plan(const SweepOptions& options, ArchSpec& base);

}  // namespace gpumodel::cli
