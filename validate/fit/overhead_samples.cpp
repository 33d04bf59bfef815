#include "validate/fit/overhead_samples.h"

#include <algorithm>
#include <numeric>

#include "traces/kernel/compiler/instruction_mix.h"
#include "validate/accuracy/measurements.h"
#include "validate/fit/register_samples.h"
#include "validate/programs/executed_counts.h"
#include "validate/programs/listing_entry.h"

namespace gpumodel {

namespace {

// How often a warp executes the parts of a kernel.
struct Executions {
    double tiles = 1;
    double bodies = 1;  // of the k loop, in all tiles and sub-tiles
    bool rolled = false;
};

Executions executions_of(const KernelCode& code, int tiles) {
    const double bodies = code.rolled ? code.depth / code.unrolled_steps : 1;
    return {.tiles = static_cast<double>(tiles),
            .bodies = tiles * bodies * code.outer_tiles,
            .rolled = code.rolled};
}

// First and last instruction of the loops, and the last that belongs to a tile: the last one of a double
// buffer stands behind the loop.
struct LoopRange {
    std::size_t begin = 0, end = 0;
};

LoopRange loop_range(const EmulatedBlock& block, double warps) {
    LoopRange range{block.classes.size(), 0};
    for (std::size_t i = 0; i < block.classes.size(); ++i) {
        constexpr double once = 1.01;
        if (block.per_instruction[i] > once * warps) {
            range.begin = std::min(range.begin, i);
            range.end = i + 1;
        }
        const bool of_tile = block.classes[i] == OpClass::shared_load || block.classes[i] == OpClass::barrier;
        if (block.per_instruction[i] > 0 && of_tile && range.begin < i) {
            range.end = i + 1;
        }
    }
    return range;
}

CodeRegion region_of(std::size_t i, double per_warp, const LoopRange& loops, const Executions& executed) {
    if (i < loops.begin) {
        return CodeRegion::prologue;
    }
    if (i >= loops.end) {
        return CodeRegion::epilogue;
    }
    // Whatever runs more often than tiles do is part of a k loop. How often, the plan cannot say: every
    // sub-tile may have a loop of its own, and one may be unrolled further than another.
    constexpr double more_than_once = 1.25;
    return executed.rolled && per_warp > more_than_once * executed.tiles ? CodeRegion::step_body
                                                                         : CodeRegion::tile;
}

double times_executed(CodeRegion region, const Executions& executed) {
    switch (region) {
        case CodeRegion::tile:
            return executed.tiles;
        case CodeRegion::step_body:
            return executed.bodies;
        case CodeRegion::step:
        case CodeRegion::prologue:
        case CodeRegion::epilogue:
            break;
    }
    return 1;
}

OverheadSample sample_of(const EmulatedBlock& block, const KernelCode& code, int tiles) {
    constexpr double warp_size = 32;
    const double warps = code.threads / warp_size;
    const Executions executed = executions_of(code, tiles);
    const LoopRange loops = loop_range(block, warps);
    OverheadSample sample{.instance = {},
                          .held_back = false,
                          .code = code,
                          .counts = {},
                          .tiles = executed.tiles,
                          .instructions = block.counts.instructions / warps};
    for (std::size_t i = 0; i < block.classes.size(); ++i) {
        const auto found = std::find(overhead_classes.begin(), overhead_classes.end(), block.classes[i]);
        if (found == overhead_classes.end() || block.per_instruction[i] <= 0) {
            continue;
        }
        const double per_warp = block.per_instruction[i] / warps;
        const CodeRegion region = region_of(i, per_warp, loops, executed);
        sample.counts[static_cast<std::size_t>(region)]
                     [static_cast<std::size_t>(found - overhead_classes.begin())] +=
            per_warp / times_executed(region, executed);
    }
    return sample;
}

// Operations on barriers in shared memory stand among the branches; the families count them apart: three per
// tile, those of the first before the loop.
void take_out_barrier_operations(OverheadSample& sample, int tiles) {
    if (sample.code.shape != CodeShape::async) {
        return;
    }
    constexpr double operations = 3;
    const auto branches = overhead_classes.size() - 1;
    static_assert(overhead_classes.back() == OpClass::branch);
    auto& before = sample.counts[static_cast<std::size_t>(CodeRegion::prologue)][branches];
    auto& inside = sample.counts[static_cast<std::size_t>(CodeRegion::tile)][branches];
    before = std::max(0.0, before - operations);
    inside = std::max(0.0, inside - operations * (tiles - 1) / tiles);
}

// Shared memory up to the two 8-byte barriers that asynchronous copies put behind the tiles.
std::int64_t tile_bytes(const KernelProgram& program, CodeShape shape) {
    constexpr std::int64_t two_barriers = 16;
    return program.resources.static_shared_bytes - (shape == CodeShape::async ? two_barriers : 0);
}

// The halves of a split block run each part of the code for some tiles only, so that a part's executions do
// not say where it belongs.
bool can_be_cut(CodeShape shape) {
    return shape != CodeShape::split && shape != CodeShape::direct && shape != CodeShape::guide &&
           shape != CodeShape::copy && shape != CodeShape::transpose;
}

}  // namespace

double OverheadSample::total(CodeRegion region) const {
    const ClassCounts& classes = counts[static_cast<std::size_t>(region)];
    return std::accumulate(classes.begin(), classes.end(), 0.0);
}

std::vector<OverheadSample> overhead_samples(const SassModule& module, const Target& target, int tiles) {
    std::vector<OverheadSample> samples;
    for (const SassFunction& function : module.functions) {
        const auto entry = listing_entry(function.name);
        const Family* family = entry ? find_family(entry->family) : nullptr;
        if (family == nullptr || target.cc.number() < family->min_compute_capability) {
            continue;
        }
        ProblemShape shape = smallest_problem(*family, entry->params);
        shape.k *= tiles;
        const auto made = lower_tiles(*family, entry->params, shape, target);
        if (!made.program || !can_be_cut(made.code.shape)) {
            continue;
        }
        const EmulatedBlock block = count_block(function, listing_launch(*entry, *made.program), {0, 0, 0},
                                                tile_bytes(*made.program, made.code.shape));
        samples.push_back(sample_of(block, made.code, tiles));
        samples.back().instance = family->name + ";" + params_text(entry->params);
        samples.back().held_back = held_back(family->name, entry->params);
        take_out_barrier_operations(samples.back(), tiles);
    }
    return samples;
}

}  // namespace gpumodel
