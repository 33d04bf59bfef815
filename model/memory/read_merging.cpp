#include "model/memory/read_merging.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "model/memory/costs/group_product_costs.h"
#include "model/memory/program_walk.h"

namespace gpumodel {
namespace {

constexpr std::int64_t most_rounds = 256;

struct Reads {
    std::int64_t all = 0, distinct = 0;
};

// Of the blocks [begin, end) that lie in the box.
Reads reads_of(const Dim3& grid, const BlockBox& box, const BlockStrides& strides, std::int64_t begin,
               std::int64_t end) {
    std::vector<std::int64_t> data;
    for (auto b = begin; b < end; ++b) {
        const auto block = linear_block(grid, b);
        if (box.contains(block)) {
            data.push_back(strides.offset(block));
        }
    }
    const auto all = static_cast<std::int64_t>(data.size());
    std::sort(data.begin(), data.end());
    return {all, std::unique(data.begin(), data.end()) - data.begin()};
}

// The same of all blocks of the grid, where data hang on one dimension that such a run goes through in order:
// columns, in rows that follow each other, or rows of a grid with one plane.
std::optional<Reads> reads_in_order(const Dim3& grid, const BlockBox& box, const BlockStrides& strides,
                                    std::int64_t begin, std::int64_t end) {
    const bool whole = box == BlockBox{{0, 0, 0}, grid};
    const auto all = end - begin;
    if (whole && strides.x != 0 && strides.y == 0 && strides.z == 0) {
        return Reads{all, std::min(all, grid.x)};
    }
    if (whole && strides.y != 0 && strides.x == 0 && grid.z == 1) {
        return Reads{all, (end - 1) / grid.x - begin / grid.x + 1};
    }
    return std::nullopt;
}

// A warp's products, one execution of the segment.
double tensor_cycles(const Segment& segment, const ArchSpec& arch) {
    double cycles = 0;
    for (std::size_t i = 0; i < op_class_count; ++i) {
        const auto& timing = arch.sm.ops[i];
        if (timing && timing->pipe == Pipe::tensor && op_classes[i].op != OpClass::group_mma) {
            cycles += segment.ops[i] * timing->initiation_interval_cycles;
        }
    }
    return cycles + group_product_cycles(segment, arch);
}

}  // namespace

double blocks_in_step(const KernelProgram& program, const Waves& waves, const ArchSpec& arch) {
    const auto& drift = arch.l2.read_merging.drift_cycles;
    if (!drift || waves.blocks <= waves.sm_count) {
        return 1;
    }
    double issued = 0, multiplied = 0;  // warp instructions and tensor cycles of all blocks
    for (const auto& item : flatten(program).intervals) {
        const double times = static_cast<double>(item.box.count()) * item.loops.total_trips;
        for (const auto& segment : item.interval->segments) {
            const double warps = times * warps_of(segment);
            issued += warps * std::accumulate(segment.ops.begin(), segment.ops.end(), 0.0);
            multiplied += warps * tensor_cycles(segment, arch);
        }
    }
    const double busy = std::max(issued / arch.sm.schedulers, multiplied / arch.sm.sub_partitions) /
                        static_cast<double>(waves.blocks);
    const auto resident = std::min<std::int64_t>(waves.blocks_per_sm, waves.busiest_sm_blocks);
    return 1 / (1 + busy * static_cast<double>(resident) / *drift);
}

double unmerged_reads(const Dim3& grid, const BlockBox& box, const BlockStrides& strides, double in_step,
                      const ArchSpec& arch) {
    const auto& merging = arch.l2.read_merging;
    if (!merging.sms) {
        return 1;
    }
    const auto blocks = grid.count();
    const bool one_per_tpc = blocks * merging.sms_per_tpc <= arch.sm_count;
    const std::int64_t run = std::max(1, one_per_tpc ? *merging.sms / merging.sms_per_tpc : *merging.sms);
    const auto rounds = (blocks + arch.sm_count - 1) / arch.sm_count;
    const auto step = (rounds + most_rounds - 1) / most_rounds;
    Reads sum;
    for (std::int64_t round = 0; round < rounds; round += step) {
        const auto end = std::min(blocks, (round + 1) * arch.sm_count);
        for (auto b = round * arch.sm_count; b < end; b += run) {
            const auto run_end = std::min(end, b + run);
            const auto in_order = reads_in_order(grid, box, strides, b, run_end);
            const auto part = in_order ? *in_order : reads_of(grid, box, strides, b, run_end);
            sum.all += part.all;
            sum.distinct += part.distinct;
        }
    }
    if (sum.all == 0) {
        return 1;
    }
    return 1 - merging.fraction * in_step *
                   (1 - static_cast<double>(sum.distinct) / static_cast<double>(sum.all));
}

}  // namespace gpumodel
