#include "model/memory/read_merging.h"

#include <algorithm>
#include <cstdlib>
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

// Runs of consecutive blocks: `run` of them, fewer at the end of a round. Of the rounds every `step`th
// counts.
struct Runs {
    std::int64_t blocks = 0, per_round = 0, run = 0, step = 0;

    // Of a round of `all` blocks, by any count of a run.
    template <typename Count>
    [[nodiscard]] std::int64_t sum(std::int64_t all, const Count& of_run) const {
        return all / run * of_run(run) + (all % run > 0 ? of_run(all % run) : 0);
    }
    // Of all rounds that count.
    template <typename Count>
    [[nodiscard]] std::int64_t sum(const Count& of_run) const {
        const auto whole = blocks / per_round, rest = blocks % per_round;
        return (whole + step - 1) / step * sum(per_round, of_run) +
               (rest > 0 && whole % step == 0 ? sum(rest, of_run) : 0);
    }
    // How many of the blocks width, 2 * width, ... are in a run that counts, and not its first.
    [[nodiscard]] std::int64_t multiples_within(std::int64_t width) const {
        std::int64_t count = 0;
        for (auto block = width; block < blocks;) {
            const auto round = block / per_round;
            if (round % step > 0) {
                block = ((round / step + 1) * step * per_round + width - 1) / width * width;
            } else {
                count += block % per_round % run > 0 ? 1 : 0;
                block += width;
            }
        }
        return count;
    }
};

// Of all runs, of all blocks of the grid, where data hang on one dimension that a run goes through in order:
// columns, in rows that follow each other, or rows of a grid with one plane, whose next one begins at every
// grid.x-th block; or where no two blocks read the same.
std::optional<Reads> reads_in_order(const Dim3& grid, const BlockBox& box, const BlockStrides& strides,
                                    const Runs& runs) {
    const bool whole = box == BlockBox{{0, 0, 0}, grid};
    const auto all = runs.sum([](std::int64_t length) { return length; });
    if (whole && strides.x != 0 && strides.y == 0 && strides.z == 0) {
        return Reads{all, runs.sum([&grid](std::int64_t length) { return std::min(length, grid.x); })};
    }
    if (whole && strides.y != 0 && strides.x == 0 && grid.z == 1) {
        return Reads{all,
                     runs.sum([](std::int64_t) { return std::int64_t{1}; }) + runs.multiples_within(grid.x)};
    }
    // each block its own: a row of them ends before the next one begins, or a column
    const auto x = std::abs(strides.x), y = std::abs(strides.y);
    if (whole && grid.z == 1 && x > 0 && y > 0 && (y / x >= grid.x || x / y >= grid.y)) {
        return Reads{all, all};
    }
    return std::nullopt;
}

// The same of any.
Reads reads_counted(const Dim3& grid, const BlockBox& box, const BlockStrides& strides, const Runs& runs) {
    Reads sum;
    for (std::int64_t begin = 0; begin < runs.blocks; begin += runs.step * runs.per_round) {
        const auto end = std::min(runs.blocks, begin + runs.per_round);
        for (auto b = begin; b < end; b += runs.run) {
            const auto part = reads_of(grid, box, strides, b, std::min(end, b + runs.run));
            sum.all += part.all;
            sum.distinct += part.distinct;
        }
    }
    return sum;
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
    if (program.cluster_blocks > 1) {
        return 0;
    }
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
    const Runs runs{blocks, arch.sm_count, run, step};
    const auto in_order = reads_in_order(grid, box, strides, runs);
    const auto sum = in_order ? *in_order : reads_counted(grid, box, strides, runs);
    if (sum.all == 0) {
        return 1;
    }
    return 1 - merging.fraction * in_step *
                   (1 - static_cast<double>(sum.distinct) / static_cast<double>(sum.all));
}

}  // namespace gpumodel
