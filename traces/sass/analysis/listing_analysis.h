// Everything static about one function in one struct, for reports.
#pragma once

#include <vector>

#include "traces/sass/analysis/instruction_counts.h"
#include "traces/sass/analysis/register_ports.h"
#include "traces/sass/opcodes/opcode_table.h"

namespace gpumodel {

struct LoopAnalysis {
    LoopSpan span;
    int parent = -1;
    int depth = 1;
    LoopCounts counts;
    std::optional<PortStatistics> ports;  // FFMAs outside inner loops
};

struct SassAnalysis {
    int registers = 0;  // highest used plus one
    InstructionCounts total;
    InstructionCounts outside_loops;
    std::vector<LoopAnalysis> loops;  // by address of the header
    std::vector<UnknownOpcode> unknown;
    int irreducible_edges = 0;
    int indirect_branches = 0;
};

[[nodiscard]] SassAnalysis analyse(const SassFunction& function, const RegisterFile& file);

}  // namespace gpumodel
