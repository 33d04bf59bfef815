#include "traces/kernel/compiler/instruction_mix.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gpumodel {

namespace {

constexpr int warp = 32;

int feature_of(const TileCode& code, CodeFeature feature) {
    switch (feature) {
        case CodeFeature::accumulators:
            return code.accumulators;
        case CodeFeature::loads:
            return code.loads;
        case CodeFeature::warps:
            return code.threads / warp;
        case CodeFeature::steps:
            return code.unrolled_steps;
        case CodeFeature::pinned_steps:
            return code.pinned_steps;
        case CodeFeature::row_words:
            return code.row_words;
        case CodeFeature::column_words:
            return code.column_words;
        case CodeFeature::depth:
            return code.depth;
        case CodeFeature::outer_tiles:
            return code.outer_tiles;
    }
    return 0;
}

BodyKind body_of(const TileCode& code) {
    if (code.rolled) {
        return BodyKind::rolled;
    }
    return code.pinned_steps > 0 ? BodyKind::pinned : BodyKind::unrolled;
}

bool fits(const OverheadRule& rule, const TileCode& code) {
    return rule.body == body_of(code) &&
           std::all_of(
               rule.conditions.begin(), rule.conditions.end(), [&](const OverheadCondition& condition) {
                   return (feature_of(code, condition.feature) <= condition.limit) == condition.at_most;
               });
}

// Whole instructions by the first rule that fits; a shape without a rule for its kind of body (a pinned body
// in a family that was only listed unrolled) takes its first rule.
int total(const TileCode& code, CodeRegion region, double x, double y) {
    const auto& rules = rows_of(compiler_tables().rules, region, code.shape, code.generation);
    if (rules.empty()) {
        return 0;
    }
    const auto fitting = std::find_if(rules.begin(), rules.end(),
                                      [&code](const OverheadRule& rule) { return fits(rule, code); });
    const auto& w = (fitting == rules.end() ? rules.front() : *fitting).weights;
    return static_cast<int>(std::lround(std::max(0.0, w[0] + w[1] * x + w[2] * y)));
}

// Shares out `count` whole instructions: each class the whole part of its share, the rest to the largest
// remainders. At least one branch, if there is anything.
OpCounts share_out(int count, CodeRegion region, const TileCode& code) {
    OpCounts ops{};
    if (count <= 0) {
        return ops;
    }
    const auto& shares = rows_of(compiler_tables().shares, region, code.shape, code.generation);
    int left = count - 1;
    count_of(ops, OpClass::branch) = 1;
    ClassCounts wanted{};
    for (std::size_t i = 0; i < wanted.size() && !shares.empty(); ++i) {
        constexpr double thousand = 1000;
        wanted[i] = count * shares.front().per_thousand[i] / thousand - count_of(ops, overhead_classes[i]);
        const int whole = std::clamp(static_cast<int>(wanted[i]), 0, left);
        count_of(ops, overhead_classes[i]) += whole;
        wanted[i] -= whole;
        left -= whole;
    }
    for (; left > 0; --left) {
        const auto largest = std::max_element(wanted.begin(), wanted.end());
        count_of(ops, overhead_classes[static_cast<std::size_t>(largest - wanted.begin())]) += 1;
        *largest -= 1;
    }
    return ops;
}

bool is_counted(CodeShape shape) {
    return shape == CodeShape::library;
}

OpCounts counted(const TileCode& code, CodeRegion region) {
    return counted_overhead(code.generation, code.shape, region, {}, code.accumulators);
}

}  // namespace

void add(OpCounts& to, const OpCounts& ops, double times) {
    for (std::size_t i = 0; i < op_class_count; ++i) {
        to[i] += times * ops[i];
    }
}

OpCounts tile_overhead(const TileCode& code) {
    if (is_counted(code.shape)) {
        return counted(code, CodeRegion::tile);
    }
    const int count = total(code, CodeRegion::tile, code.loads, code.rolled ? 0 : code.depth);
    return share_out(std::max(count, 1), CodeRegion::tile, code);
}

OpCounts step_body_overhead(const TileCode& code) {
    if (!code.rolled || is_counted(code.shape)) {
        return {};
    }
    constexpr int fewest = 3;  // counter, compare, branch
    const int count = total(code, CodeRegion::step_body, 0, 0);
    return share_out(std::max(count, fewest), CodeRegion::step_body, code);
}

OpCounts prologue_overhead(const TileCode& code) {
    if (is_counted(code.shape)) {
        return counted(code, CodeRegion::prologue);
    }
    const int count = total(code, CodeRegion::prologue, code.accumulators, code.loads);
    return share_out(count, CodeRegion::prologue, code);
}

OpCounts epilogue_overhead(const TileCode& code) {
    if (is_counted(code.shape)) {
        return counted(code, CodeRegion::epilogue);
    }
    constexpr double words = 4;
    const int count = total(code, CodeRegion::epilogue, code.row_words, code.accumulators / words);
    return share_out(std::max(count, 1), CodeRegion::epilogue, code);
}

OpCounts counted_overhead(CodeGeneration generation, CodeShape shape, CodeRegion region,
                          const CodeTraits& traits, int accumulators) {
    OpCounts ops{};
    for (const OverheadCount& row : rows_of(compiler_tables().counts, region, shape, generation)) {
        if (!traits.contains(row.when)) {
            continue;
        }
        for (std::size_t i = 0; i < overhead_classes.size(); ++i) {
            count_of(ops, overhead_classes[i]) +=
                std::floor(row.counts[i] * (row.per_accumulator ? accumulators : 1));
        }
    }
    return ops;
}

SplitBranch split_branch(const OpCounts& ops) {
    SplitBranch split{ops, {}};
    const double taken = std::min(1.0, count_of(ops, OpClass::branch));
    count_of(split.rest, OpClass::branch) -= taken;
    count_of(split.branch, OpClass::branch) = taken;
    return split;
}

}  // namespace gpumodel
