#include "traces/kernel/compiler/instruction_mix.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace gpumodel {

namespace {

constexpr int warp = 32;

int feature_of(const KernelCode& code, CodeFeature feature) {
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

BodyKind body_of(const KernelCode& code) {
    if (code.rolled) {
        return BodyKind::rolled;
    }
    return code.pinned_steps > 0 ? BodyKind::pinned : BodyKind::unrolled;
}

bool fits(const OverheadRule& rule, const KernelCode& code) {
    return rule.body == body_of(code) &&
           std::all_of(
               rule.conditions.begin(), rule.conditions.end(), [&](const OverheadCondition& condition) {
                   return (feature_of(code, condition.feature) <= condition.limit) == condition.at_most;
               });
}

// Whole instructions by the row that decides.
int total(const KernelCode& code, CodeRegion region) {
    const auto& rules = rows_of(compiler_tables().rules, region, code.shape, code.generation);
    if (rules.empty()) {
        return 0;
    }
    const auto& weights = rules[deciding_rule(rules, code)].weights;
    const auto inputs = overhead_inputs(region, code);
    const double count = std::inner_product(weights.begin(), weights.end(), inputs.begin(), 0.0);
    return static_cast<int>(std::lround(std::max(0.0, count)));
}

// Shares out `count` whole instructions: each class the whole part of its share, the rest to the largest
// remainders. At least one branch, if there is anything.
OpCounts share_out(int count, CodeRegion region, const KernelCode& code) {
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

OpCounts counted(const KernelCode& code, CodeRegion region) {
    return counted_overhead(code.generation, code.shape, region, {}, code.accumulators);
}

}  // namespace

void add(OpCounts& to, const OpCounts& ops, double times) {
    for (std::size_t i = 0; i < op_class_count; ++i) {
        to[i] += times * ops[i];
    }
}

std::size_t deciding_rule(const std::vector<OverheadRule>& rules, const KernelCode& code) {
    const auto found = std::find_if(rules.begin(), rules.end(),
                                    [&code](const OverheadRule& rule) { return fits(rule, code); });
    return found == rules.end() ? 0 : static_cast<std::size_t>(found - rules.begin());
}

std::array<double, 3> overhead_inputs(CodeRegion region, const KernelCode& code) {
    constexpr double words = 4;
    switch (region) {
        case CodeRegion::tile:
            return {1, static_cast<double>(code.loads), static_cast<double>(code.rolled ? 0 : code.depth)};
        case CodeRegion::prologue:
            return {1, static_cast<double>(code.accumulators), static_cast<double>(code.loads)};
        case CodeRegion::epilogue:
            return {1, static_cast<double>(code.row_words), code.accumulators / words};
        case CodeRegion::step:
        case CodeRegion::step_body:
            break;
    }
    return {1, 0, 0};
}

OpCounts tile_overhead(const KernelCode& code) {
    if (is_counted(code.shape)) {
        return counted(code, CodeRegion::tile);
    }
    return share_out(std::max(total(code, CodeRegion::tile), 1), CodeRegion::tile, code);
}

OpCounts step_body_overhead(const KernelCode& code) {
    if (!code.rolled || is_counted(code.shape)) {
        return {};
    }
    constexpr int fewest = 3;  // counter, compare, branch
    return share_out(std::max(total(code, CodeRegion::step_body), fewest), CodeRegion::step_body, code);
}

OpCounts prologue_overhead(const KernelCode& code) {
    if (is_counted(code.shape)) {
        return counted(code, CodeRegion::prologue);
    }
    return share_out(total(code, CodeRegion::prologue), CodeRegion::prologue, code);
}

OpCounts epilogue_overhead(const KernelCode& code) {
    if (is_counted(code.shape)) {
        return counted(code, CodeRegion::epilogue);
    }
    return share_out(std::max(total(code, CodeRegion::epilogue), 1), CodeRegion::epilogue, code);
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
