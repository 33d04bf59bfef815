// Registers per thread, estimated from a kernel's code and calibrated against ptxas
// (tests/traces/kernel/ptxas_registers.csv).
#pragma once

#include <array>
#include <optional>

#include "traces/kernel/compiler/compiler_tables.h"
#include "traces/kernel/compiler/kernel_code.h"
#include "traces/kernel/family.h"

namespace gpumodel {

// Estimated registers per thread, at most the target's maximum; nearest generation with data (sm_35, 70, 75,
// 80, 86, 90) for the others. What is imitated: ptxas of CUDA 11.8 (13.0 for sm_90) for the kernels of
// validate/kernels. A weighted sum per shape and generation (register_features, registers.csv) gives what the
// code would like to have; ptxas prefers the counts with which one more block fits (occupancy_step), so a
// wish a little above or below such a count becomes that count (docs/compiled_code.md). `library` is no
// compiled code of ours and has no data: accumulators, two sets of fragments, staged words and 18 for
// addresses and counters, all estimated (122 for a 128x128 tile of 256 threads). Ignored: spills (a thread
// that needs more than 255 gets 255),
// __launch_bounds__ other than scalar_rows'.
[[nodiscard]] int estimate_registers(const KernelCode& code, const Target& target);

// The quantities whose weighted sum is the wish, in the order of register_feature_names; u = k steps per
// body:
//   one
//   accumulators             accumulators / 16
//   several_steps            u > 1
//   whole_tile               u = all k steps of a tile (the loop is gone)
//   whole_tile_accumulators  if so: accumulators / 64
//   fragments                if u > 1: fragment words / 16, at most 3; those of A four times where u % 4 = 0
//                            and A's tile is kept by rows: one load brings four steps of a row
//   staged                   staged words / 16, at most 3: more are loaded in turns
//   steps                    u / 8, at most 1
//   pinned                   u > 1 by a pragma
// Shapes with one result per thread use `one` and, for products, several_steps and in the places of
// whole_tile, whole_tile_accumulators and steps: u >= 32, u >= 4, u >= 8; in that of
// fragments u / 8, at most 1, where an operand comes straight from global memory and u > 1; the
// others are zero.
using RegisterFeatures = std::array<double, register_feature_count>;
[[nodiscard]] RegisterFeatures register_features(const KernelCode& code);

// The most registers with which `blocks` of so many threads are resident: 65536 shared by them, rounded down
// to the allocation step of 8, at most 255. ptxas aims at these counts.
[[nodiscard]] int occupancy_step(int blocks, int threads);
// The step that ptxas makes of a wish: the highest with step - fill <= wish <= step + squeeze, if any. Steps
// below 32 registers do not count: all warps are resident then.
[[nodiscard]] std::optional<int> snapped_registers(double wish, int threads, int squeeze, int fill);

// The estimate by these weights, before the target's maximum; and with it.
[[nodiscard]] double weighted_registers(const RegisterWeights& weights, const KernelCode& code);
[[nodiscard]] int estimate_registers(const RegisterWeights& weights, const KernelCode& code,
                                     const Target& target);

}  // namespace gpumodel
