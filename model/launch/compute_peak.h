// Peaks of the units that compute, and which of them a launch's share of the peak is of.
//   FP32, FP64     2 * sm.ops.ffma / dfma.throughput * sm_count * clock.sm
//   FP16           4 * sm.ops.hfma.throughput * sm_count * clock.sm (pairs)
//   tensor         FLOP of a warp instruction * sm.ops.<class>.throughput / 32 * sm_count * clock, of the
//                  fastest shape with these operands and sums; clock.tensor where the spec has it and it is
//                  lower, but for FP64
// Products of warp groups take the same time in every type (GroupProduct), so that their FLOP go by the code;
// those of integers count as 8-bit ones.
// A multiply-add of 8-bit integers in a matrix product counts as two FLOP, too; products of fewer bits are
// timed by the same classes and go as 8-bit ones of the same time.
#pragma once

#include <string>
#include <vector>

#include "arch_specs/arch_spec.h"
#include "traces/kernel_program.h"

namespace gpumodel {

struct ComputePeak {
    std::string unit;             // "FP32", "tensor FP16, FP32 sums"
    double flops_per_second = 0;  // 0: the spec has no throughput for it
    std::string formula;          // by the spec's keys
};

// Of the tensor pipes by operands and sums: those that the spec has.
[[nodiscard]] std::vector<ComputePeak> tensor_peaks(const ArchSpec& arch);

// FLOP of its warp groups' products, as many as FP16 ones of the same time would have; of the launch.
[[nodiscard]] double group_flops_as_fp16(const KernelProgram& program);

// Of the unit that executes most of the program's floating-point operations and integer products, a
// multiply-add being two; of FP32 where it executes none.
[[nodiscard]] ComputePeak busiest_peak(const KernelProgram& program, const ArchSpec& arch);

}  // namespace gpumodel
