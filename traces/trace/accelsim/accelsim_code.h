// Instructions of an Accel-Sim trace as StaticCode: opcodes through the table of traces/sass, registers as
// listed.
#pragma once

#include "traces/sass/sass_module.h"
#include "traces/trace/accelsim/accelsim_line.h"
#include "traces/warp_events.h"

namespace gpumodel {

struct AccelSimCode {
    StaticCode code;        // by PC, then first appearance
    std::vector<int> rank;  // of instruction i of the table in `code`
    std::vector<std::string> notes;
};

// Space of an instruction's addresses; none for an unknown opcode or no memory instruction.
[[nodiscard]] SassSpace accelsim_space(const AccelSimStatic& item, SassIsa isa);

// Unknown opcodes are faults, each once, unless allowed.
[[nodiscard]] AccelSimCode accelsim_code(const std::vector<AccelSimStatic>& instructions, SassIsa isa,
                                         bool allow_unknown, const std::string& file,
                                         std::vector<Diagnostic>& faults);

}  // namespace gpumodel
