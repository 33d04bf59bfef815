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
    return rule.shape == code.shape && rule.body == body_of(code) &&
           std::all_of(rule.conditions.begin(), rule.conditions.end(), [&](const OverheadCondition& c) {
               return (feature_of(code, c.feature) <= c.limit) == c.at_most;
           });
}

// Whole instructions by the first rule that fits; a shape without a rule for its kind of body (a pinned body
// in a family that was only listed unrolled) takes its first rule.
int total(std::span<const OverheadRule> rules, const TileCode& code, double x, double y) {
    const OverheadRule* chosen = nullptr;
    for (const OverheadRule& rule : rules) {
        if (fits(rule, code)) {
            chosen = &rule;
            break;
        }
        if (chosen == nullptr && rule.shape == code.shape) {
            chosen = &rule;
        }
    }
    if (chosen == nullptr) {
        return 0;
    }
    const auto& w = chosen->weights[static_cast<std::size_t>(code.generation)];
    return static_cast<int>(std::lround(std::max(0.0, w[0] + w[1] * x + w[2] * y)));
}

// Shares out `count` whole instructions: each class the whole part of its share, the rest to the largest
// remainders. At least one branch, if there is anything.
OpCounts share_out(int count, CodeRegion region, const TileCode& code) {
    OpCounts ops{};
    const auto shares = overhead_shares();
    const auto found = std::find_if(shares.begin(), shares.end(), [&](const OverheadShares& s) {
        return s.shape == code.shape && s.region == region && s.generation == code.generation;
    });
    if (count <= 0) {
        return ops;
    }
    int left = count - 1;
    count_of(ops, OpClass::branch) = 1;
    std::array<double, overhead_classes.size()> wanted{};
    for (std::size_t i = 0; i < wanted.size() && found != shares.end(); ++i) {
        constexpr double thousand = 1000;
        wanted[i] = count * found->per_thousand[i] / thousand - count_of(ops, overhead_classes[i]);
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

// Pointer steps and the flip of the buffer, estimated.
OpCounts library_tile() {
    OpCounts ops{};
    count_of(ops, OpClass::iadd) = 5;
    count_of(ops, OpClass::logic) = 2;
    count_of(ops, OpClass::compare) = 1;
    count_of(ops, OpClass::branch) = 1;
    return ops;
}

// Zeroing and index arithmetic as in our own kernels, estimated.
OpCounts library_prologue(const TileCode& code) {
    OpCounts ops{};
    count_of(ops, OpClass::mov) =
        code.generation == CodeGeneration::kepler ? code.accumulators : code.accumulators / 2;
    count_of(ops, OpClass::special_register) = 3;
    count_of(ops, OpClass::imad) = 6;
    count_of(ops, OpClass::iadd) = 16;
    return ops;
}

// An address in every row, estimated.
OpCounts library_epilogue(const TileCode& code) {
    OpCounts ops{};
    count_of(ops, OpClass::iadd) = 2 * code.accumulators + 10;
    count_of(ops, OpClass::imad) = code.accumulators + 10;
    count_of(ops, OpClass::branch) = 1;
    return ops;
}

}  // namespace

void add(OpCounts& to, const OpCounts& ops, double times) {
    for (std::size_t i = 0; i < op_class_count; ++i) {
        to[i] += times * ops[i];
    }
}

OpCounts tile_overhead(const TileCode& code) {
    if (code.shape == CodeShape::library) {
        return library_tile();
    }
    const int count = total(tile_overhead_rules(), code, code.loads, code.rolled ? 0 : code.depth);
    return share_out(std::max(count, 1), CodeRegion::tile, code);
}

OpCounts step_body_overhead(const TileCode& code) {
    if (!code.rolled || code.shape == CodeShape::library) {
        return {};
    }
    constexpr int fewest = 3;  // counter, compare, branch
    const int count = total(step_body_overhead_rules(), code, 0, 0);
    return share_out(std::max(count, fewest), CodeRegion::step_body, code);
}

OpCounts prologue_overhead(const TileCode& code) {
    if (code.shape == CodeShape::library) {
        return library_prologue(code);
    }
    const int count = total(prologue_overhead_rules(), code, code.accumulators, code.loads);
    return share_out(count, CodeRegion::prologue, code);
}

OpCounts epilogue_overhead(const TileCode& code) {
    if (code.shape == CodeShape::library) {
        return library_epilogue(code);
    }
    constexpr double words = 4;
    const int count = total(epilogue_overhead_rules(), code, code.row_words, code.accumulators / words);
    return share_out(std::max(count, 1), CodeRegion::epilogue, code);
}

SplitBranch split_branch(const OpCounts& ops) {
    SplitBranch split{ops, {}};
    const double taken = std::min(1.0, count_of(ops, OpClass::branch));
    count_of(split.rest, OpClass::branch) -= taken;
    count_of(split.branch, OpClass::branch) = taken;
    return split;
}

}  // namespace gpumodel
