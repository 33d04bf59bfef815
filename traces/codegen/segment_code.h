// The parts that segments are made of.
#pragma once

#include "traces/codegen/emitter.h"

namespace gpumodel {

// Fragment loads and products of a body, in the order of a compiled one: arithmetic first, as many loads as
// registers allow, then products, with further loads whenever a fragment has been used up.
void emit_products(Emitter& emit, const Segment& segment, const RegisterPlan& plan, const CodeStyle& style);

// Everything that moves data: tiles to shared memory, copies, results, accumulators in local memory. A
// rolling window of loads; after load k's stores goes load k + window.
void emit_transfers(Emitter& emit, const Segment& segment, const RegisterPlan& plan,
                    const KernelProgram& program);

// Asynchronous copies in word order.
void emit_async_copies(Emitter& emit, const Segment& segment);

// Reuse flags of the FFMAs: set where the next access of the same slot and bank names the same register
// (docs/compiled_code.md: 99 % of the flags on sm_86 and sm_90), and neither a group of flag_period ends
// in between nor a wait for a load.
void set_reuse_flags(std::vector<Instruction>& code, const CodeStyle& style);

}  // namespace gpumodel
