// The code of a simulated launch, an instruction a line, with what the simulator saw of each: for the page's
// view of the code.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arch_specs/arch_spec.h"
#include "model/prediction.h"
#include "traces/kernel_program.h"

namespace gpumodel::cli::page {

// Per executed instruction, mean of the launch, beside the least that its bytes take.
struct AccessCostOf {
    double now = 0, ideal = 0;
};

struct CodeLine {
    std::string place;      // "0x0130"; "k tile +3" in generated code
    std::string text;       // "@!P0 LDG.E R4, [R2.64]"
    std::string source;     // "k.cu:12", "" = not noted
    std::string_view pipe;  // "" = never executed
    double executions = 0;  // warp instructions of the busiest SM, whole launch
    std::array<double, stall_reason_count> stall_cycles{};
    double warp_cycles = 0;               // their sum
    std::optional<AccessCostOf> passes;   // of shared memory
    std::optional<AccessCostOf> sectors;  // of global and local memory
    std::optional<double> l2_bytes;       // of the launch
};

// In the order of the code. Listed code (KernelProgram::text) has a line for each of its instructions, also
// for those that nobody executed; generated code for each that was. What stands in several parts of the grid
// or copies of a loop's body is added up by address (generated code: by segment and place), so that the
// lines' cycles sum to the run's. A barrier that the code does not show has a line of its own. Empty without
// `prediction.simulation`.
[[nodiscard]] std::vector<CodeLine> code_lines(const KernelProgram& program, const ArchSpec& arch,
                                               const Prediction& prediction);

}  // namespace gpumodel::cli::page
