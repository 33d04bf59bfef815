// The hierarchical roofline (Williams et al. 2009; one point per level as Yang et al. 2020): which roof of
// the GPU a predicted launch comes nearest to.
//
// Ceilings, from the spec alone:
//   FP32 with FMA       2 * sm.ops.ffma.throughput * sm_count * clock.sm
//   FP32 without FMA    sm.ops.fadd.throughput * sm_count * clock.sm
//   tensor, by operands and sums (where a kernel has matrix products)
//                       model/launch/compute_peak.h
//   issue               warp instructions: sm.schedulers / sm.issue_interval * sm_count * clock.sm, times
//                       sm.dispatch_units_per_scheduler where instructions dual-issue; for a kernel FLOP/s:
//                       that * its FLOP per warp instruction (the instruction roofline of Ding and Williams
//                       2019, in the FLOP roofline's units)
//   shared memory, L1   sm.shared_memory.bandwidth, l1.bandwidth; each * sm_count * clock.sm
//   L2                  l2.read_bandwidth * clock.sm (what reads reach)
//   DRAM                dram.bandwidth (pins)
//   a memory roof at intensity I (FLOP/B): I * bandwidth; it meets FP32 at the ridge point, peak / bandwidth
// Bytes that a launch moves, from its predicted counters:
//   shared memory       wavefronts of loads and stores * banks * widest bank:
//                       conflicts move bytes too,
//                       so that a busy pipe touches its roof
//   L1                  sectors of global loads and stores * l1.sector
//   L2                  sectors read and written by the SMs * 32 B
//   DRAM                bytes read and written
//
// The lowest roof above a launch is the one that would take longest alone (work / rate); it reaches the part
// that this is of the predicted time. Also for launches without FLOPs, which have no point.
// A kernel with matrix products is placed under the tensor pipes by the cycles that they are busy, not under
// FP32. Ignored: FP64 and FP16 ceilings, those of integer matrix products; integer work except in the issue
// ceiling; launch overhead is part of the predicted time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arch_specs/arch_spec.h"
#include "model/prediction.h"

namespace gpumodel {

enum class RoofLevel : unsigned char { shared, l1, l2, dram };
[[nodiscard]] std::string_view to_string(RoofLevel level);

struct Roof {
    std::string name;
    double rate = 0;  // FLOP/s, warp instructions/s or B/s
    std::string formula;
};

struct BandwidthRoof {
    RoofLevel level = RoofLevel::dram;
    Roof roof;
    double ridge = 0;              // FLOP/B, with FMA
    double ridge_without_fma = 0;  // 0 = that ceiling is not known
};

struct MissingRoof {
    std::string name;
    std::string reason;
};

struct RooflinePoint {
    RoofLevel level = RoofLevel::dram;
    double bytes = 0;             // > 0
    double intensity = 0;         // FLOP/B; 0 without FLOPs
    double bytes_per_second = 0;  // over the predicted time
    double reached = 0;           // of the level's bandwidth
};

struct RooflineKernel {
    Prediction prediction;  // status ok
    double flops_per_second = 0;
    bool uses_fma = false;
    double warp_instructions = 0;
    double issue_reached = 0;   // of the issue ceiling
    double fp32_reached = 0;    // of the FP32 ceiling: with FMA where the kernel uses it
    double tensor_reached = 0;  // busy part of the tensor pipes' time; 0 = no matrix products
    // FLOP/s at the issue ceiling, with the kernel's FLOP per instruction; empty without FLOPs.
    std::optional<double> issue_flops_per_second;
    std::vector<RooflinePoint> points;  // levels that the launch moves bytes at, in the order of the roofs
    std::string lowest_roof;
    double reached = 0;  // of it, 0 to 1
};

struct Roofline {
    std::string arch;  // "v100_sxm2"
    std::string marketing_name;
    std::string generation;
    Roof fp32;
    std::optional<Roof> fp32_without_fma;
    Roof issue;
    std::vector<Roof> tensor;               // empty if no kernel has matrix products
    std::vector<BandwidthRoof> bandwidths;  // nearest to the SM first
    std::vector<MissingRoof> missing;       // what the spec does not have
    std::vector<RooflineKernel> kernels;
    std::vector<Prediction> left_out;  // of those asked for: status not ok
};

// Predictions of either model for `arch`.
[[nodiscard]] Roofline make_roofline(const ArchSpec& arch, const std::vector<Prediction>& predictions);

// FLOP/s that the roofs allow at an intensity of one level.
[[nodiscard]] double attainable(const Roofline& roofline, const BandwidthRoof& roof, double intensity);

// Part of the predicted time that the tensor pipes are busy: their bound over the cycles. 0 without matrix
// products.
[[nodiscard]] double tensor_busy(const Prediction& p);

}  // namespace gpumodel
