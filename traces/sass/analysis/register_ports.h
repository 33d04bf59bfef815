// Operand reads of a listing's FFMAs against the ports of the register file; the rules stand in
// traces/port_cycles.h.
#pragma once

#include "traces/port_cycles.h"
#include "traces/sass/analysis/control_flow.h"

namespace gpumodel {

// Sources of an FFMA; empty for any other instruction.
[[nodiscard]] std::optional<PortReads> port_reads(const SassInstruction& instruction);

// The FFMAs of a loop without its inner loops, in address order.
[[nodiscard]] std::optional<PortStatistics> port_statistics(const SassFunction& function,
                                                            const ControlFlow& flow, int loop,
                                                            const RegisterFile& file);

}  // namespace gpumodel
