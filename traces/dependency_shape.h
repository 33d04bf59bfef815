// What a warp waits for, from the order and the registers of its instructions.
//
// A use of a register that a load still has to fill waits; with it all loads of the same space that are in
// flight by then count as one round trip. A wait in the segment and trip of the load is serial; one in a
// later segment or trip is a prefetch of the segment that issued the load. A shared load used only after
// `hidden_shared` further instructions is not waited for. Asynchronous copies of a trip are one round trip:
// serial if the trip waits for them (DEPBAR, or SYNCS.PHASECHK; those of earlier trips come first), else a
// prefetch. Where waits say how many groups they leave under way (DEPBAR.LE SB0, N), or how many bulk copies,
// those have been under way for so many trips (`trips_ahead`); with less than half of one they are serial.
// ILP = FP32 arithmetic instructions / the longest chain of them, of one trip.
//
// Loop bodies are walked twice: the second trip finds the loads of the first.
#pragma once

#include <vector>

#include "traces/kernel_program.h"

namespace gpumodel {

// Instructions that cover a shared load's latency of 23 to 33 cycles (our H200 microbenchmarks, published
// ones of Volta) when each issues in a cycle or two; `estimated`.
inline constexpr int hidden_shared = 24;

// Fills `dependency` of all segments of a body with code. Of a segment that warps reach on different ways,
// the first warp's.
void find_dependencies(std::vector<Node>& body, const MnemonicTable& mnemonics);

}  // namespace gpumodel
