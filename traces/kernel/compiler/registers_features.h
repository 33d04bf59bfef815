// The quantities whose weighted sum is the estimate of registers.h; shared by the estimate and by the
// program that fits the weights (validate/fit).
#pragma once

#include <array>
#include <cstddef>

#include "traces/kernel/compiler/compiler_tables.h"
#include "traces/kernel/compiler/registers.h"

namespace gpumodel {

// In order; u = k steps per loop body, as pinned or as the compiler chooses (unroll.h):
//   0  one
//   1  accumulators / 16
//   2  u > 1
//   3  u = all k steps of a tile (the loop is gone)
//   4  if so: accumulators / 64
//   5  if u > 1: fragment words / 16; those of A four times where A's tile is kept by rows and u % 4 = 0,
//      because one load then brings four steps of a row; at most 3
//   6  staged words / 16, at most 3: more are loaded in turns
//   7  u / 8, at most 1
//   8  u > 1 by a pragma
// Shapes with one result per thread use 0 and, for products, 2 and in the places of 3, 4, 7: u >= 32, u >=
// 4, u >= 8; the others are zero.
using RegisterFeatures = std::array<double, register_feature_count>;

[[nodiscard]] RegisterFeatures register_features(const RegisterDemand& demand, const Target& target);

// True if the accumulators cannot stay in registers: sub-tile loops around a k loop of few products stay
// loops, so accumulators are indexed at run time and lie in local memory.
[[nodiscard]] bool accumulators_in_local_memory(const RegisterDemand& demand, const Target& target);

// Counts that ptxas likes best: 512 registers per lane and sub-partition (65536 / 4 / 32) shared by 2 to 16
// warps, rounded down to the allocation step of 8, at most 255.
inline constexpr std::array preferred_registers{255, 168, 128, 96, 80, 72, 64, 56, 48, 40, 32};

// The estimate by these weights, before the target's maximum.
[[nodiscard]] double weighted_registers(const RegisterWeights& weights, const RegisterDemand& demand,
                                        const Target& target);

}  // namespace gpumodel
