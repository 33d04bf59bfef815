// Little's law: concurrency = latency x throughput, in the forms the vendor's guides work out by hand.
#pragma once

namespace gpumodel {

// Warps per scheduler that hide a load when each warp has `instructions_per_load` independent
// instructions of `issue_cycles` between loads: the fewest whole warps whose arithmetic exceeds the
// latency, floor(latency / (instructions * issue)) + 1. The Fermi slides' 26 warps (400 cycles, 2 a
// instruction, 8 instructions) and the GT200 slides' 13 (400, 4, 8).
[[nodiscard]] int warps_to_hide_load(double latency_cycles, double issue_cycles,
                                     double instructions_per_load);

// Warps per scheduler that keep a pipe busy across the dependent-issue latency when each warp has
// `ilp` independent instructions: ceil(latency / (ilp * issue)). G80: 24 cycles at 4 an issue = 6;
// Volta: 4 cycles at ILP 4 = 1 a scheduler, 4 an SM.
[[nodiscard]] int warps_to_hide_dependency(double latency_cycles, double issue_cycles, double ilp);

// Bytes that must be in flight on the whole GPU to reach a bandwidth: latency * bandwidth.
[[nodiscard]] double bytes_in_flight(double latency_seconds, double bytes_per_second);

// Thread operations in flight per SM: latency * lanes per cycle (Volkov 2010: 18 cycles * 32 = 576).
[[nodiscard]] double operations_in_flight(double latency_cycles, double lanes_per_cycle);

}  // namespace gpumodel
