#include "traces/fold/grid/box_fit.h"

#include <algorithm>
#include <utility>

#include "traces/fold/grid/data_strides.h"

namespace gpumodel {
namespace {

struct Split {
    std::size_t axis = 0;
    std::int64_t at = 0;  // first coordinate of the upper part
};

struct Fit {
    Point origin{};
    BlockPtr first;
    WarpStrides strides;
};

bool same_code(const FoldedBlock& a, const FoldedBlock& b) {
    return std::equal(
        a.warps.begin(), a.warps.end(), b.warps.begin(),
        [](const FoldedWarp& x, const FoldedWarp& y) { return x.same_code(y) && x.pattern == y.pattern; });
}

bool same_warp_path(const FoldedWarp& a, const FoldedWarp& b) {
    return a.tokens == b.tokens && std::equal(a.accesses.begin(), a.accesses.end(), b.accesses.begin(),
                                              b.accesses.end(), [](const PathAccess& x, const PathAccess& y) {
                                                  return x.instruction == y.instruction &&
                                                         x.active == y.active && x.array == y.array &&
                                                         x.space == y.space && x.depth == y.depth;
                                              });
}

bool same_paths(const FoldedBlock& a, const FoldedBlock& b) {
    return std::equal(a.warps.begin(), a.warps.end(), b.warps.begin(), same_warp_path);
}

Fit unmoved(const Point& origin, const BlockPtr& block) {
    Fit fit{origin, block, {}};
    for (const auto& warp : block->warps) {
        fit.strides.emplace_back(warp.base.size(), BlockStride{});
    }
    return fit;
}

// The strides to the next block along the axis; false if it runs other code.
bool measure_strides(BlockRuns& runs, Fit& fit, std::size_t axis) {
    auto p = fit.origin;
    ++p[axis];
    const auto next = runs.at(p);
    if (!same_code(*fit.first, *next)) {
        return false;
    }
    for (std::size_t w = 0; w < fit.strides.size(); ++w) {
        for (std::size_t i = 0; i < fit.strides[w].size(); ++i) {
            fit.strides[w][i][axis] = next->warps[w].base[i] - fit.first->warps[w].base[i];
        }
    }
    return true;
}

bool follows_strides(const Fit& fit, const Point& p, const FoldedBlock& block) {
    if (!same_code(*fit.first, block)) {
        return false;
    }
    for (std::size_t w = 0; w < fit.strides.size(); ++w) {
        for (std::size_t i = 0; i < fit.strides[w].size(); ++i) {
            auto expected = fit.first->warps[w].base[i];
            for (std::size_t axis = 0; axis < 3; ++axis) {
                expected += fit.strides[w][i][axis] * (p[axis] - fit.origin[axis]);
            }
            if (expected != block.warps[w].base[i]) {
                return false;
            }
        }
    }
    return true;
}

class Partitioner {
public:
    Partitioner(BlockRuns& runs, Likeness likeness, bool every_block)
        : runs_(runs), likeness_(likeness), every_block_(every_block) {}

    // Empty if the box fits.
    std::optional<Split> fit_box(const Box& box, Fit& fit) {
        fit = unmoved(box.begin, runs_.at(box.begin));
        for (std::size_t axis = 0; axis < 3 && likeness_ == Likeness::addresses; ++axis) {
            if (box.extent(axis) > 1 && !measure_strides(runs_, fit, axis)) {
                return Split{axis, box.begin[axis] + 1};
            }
        }
        for (const auto& sample : check_points(box)) {
            if (const auto split = locate(fit, box, sample)) {
                return split;
            }
        }
        for (std::int64_t i = 0; every_block_ && i < box.count(); ++i) {
            if (const auto split = locate(fit, box, point_of(box, i))) {
                return split;
            }
        }
        return std::nullopt;
    }

private:
    bool fits(const Fit& fit, const Point& p) {
        const auto& block = *runs_.at(p);
        return likeness_ == Likeness::paths ? same_paths(*fit.first, block) : follows_strides(fit, p, block);
    }

    // Where, on the way from the box's first block to one that may not fit, blocks stop fitting.
    std::optional<Split> locate(const Fit& fit, const Box& box, const Point& target) {
        if (fits(fit, target)) {
            return std::nullopt;
        }
        auto reached = fit.origin;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            auto next = reached;
            next[axis] = target[axis];
            if (next != reached && !fits(fit, next)) {
                return Split{axis, first_misfit(fit, reached, axis, target[axis], box)};
            }
            reached = next;
        }
        return std::nullopt;  // not reached: the last step is the target
    }

    std::int64_t first_misfit(const Fit& fit, Point p, std::size_t axis, std::int64_t misfit,
                              const Box& box) {
        auto good = p[axis];
        auto bad = misfit;
        bool at_end = bad == box.end[axis] - 1;  // mostly just the last block differs
        while (bad - good > 1) {
            p[axis] = at_end ? bad - 1 : good + (bad - good) / 2;
            at_end = false;
            (fits(fit, p) ? good : bad) = p[axis];
        }
        return bad;
    }

    BlockRuns& runs_;
    Likeness likeness_;
    bool every_block_;
};

// The first block along the axis that does not follow the fit, if the one behind the first does; `extent` if
// all those looked at do: 1, 2, 4, ... and by bisection between them.
std::int64_t first_break(BlockRuns& runs, const Fit& fit, std::size_t axis, std::int64_t extent) {
    const auto follows = [&](std::int64_t at) {
        auto p = fit.origin;
        p[axis] = at;
        return follows_strides(fit, p, *runs.at(p));
    };
    std::int64_t good = 1, bad = 2;
    while (bad < extent && follows(bad)) {
        good = bad;
        bad *= 2;
    }
    bad = std::min(bad, extent);
    while (bad - good > 1) {
        const auto middle = good + (bad - good) / 2;
        (follows(middle) ? good : bad) = middle;
    }
    return bad;
}

std::optional<Dim3> count_through(BlockRuns& runs, const Dim3& grid) {
    const auto blocks = grid.count();
    Dim3 seen{blocks, 1, 1};
    runs.see_as(grid, seen);
    Fit fit = unmoved({0, 0, 0}, runs.at({0, 0, 0}));
    if (blocks < 4 || !measure_strides(runs, fit, 0)) {
        return std::nullopt;
    }
    seen.x = first_break(runs, fit, 0, blocks);
    if (seen.x == blocks || blocks % seen.x != 0) {
        return std::nullopt;
    }
    seen.y = blocks / seen.x;
    runs.see_as(grid, seen);
    if (seen.y > 1 && !measure_strides(runs, fit, 1)) {
        return std::nullopt;
    }
    const auto rows = seen.y;
    seen.y = rows > 2 ? first_break(runs, fit, 1, rows) : rows;
    seen.y = rows % seen.y == 0 ? seen.y : rows;  // an edge of the problem is no side
    seen.z = rows / seen.y;
    constexpr std::int64_t most = 65535;  // of a launch's y and z, which programs are kept with
    return seen.y <= most && seen.z <= most ? std::optional(seen) : std::nullopt;
}

std::optional<std::vector<GridBox>> boxes_of(BlockRuns& runs, const Box& grid, Likeness likeness,
                                             const PartitionLimits& limits) {
    Partitioner partitioner(runs, likeness, limits.every_block);
    std::vector<GridBox> boxes;
    std::vector<Box> open{grid};
    std::int64_t weight = 0;
    while (!open.empty()) {
        const Box box = open.back();
        open.pop_back();
        Fit fit;
        if (const auto split = partitioner.fit_box(box, fit)) {
            open.push_back(box);
            open.back().begin[split->axis] = split->at;
            open.push_back(box);
            open.back().end[split->axis] = split->at;
            continue;
        }
        weight += fit.first->weight;
        if (boxes.size() >= limits.boxes || weight > limits.weight) {
            return std::nullopt;
        }
        boxes.push_back(likeness == Likeness::paths
                            ? representative(runs, box, centre(box), limits.data_decides)
                            : GridBox{box.blocks(), fit.first, std::move(fit.strides)});
    }
    return boxes;
}

}  // namespace

std::optional<std::vector<GridBox>> partition(BlockRuns& runs, const Box& grid, Likeness likeness,
                                              const PartitionLimits& limits) {
    try {
        return boxes_of(runs, grid, likeness, limits);
    } catch (const BudgetSpent&) {
        return std::nullopt;
    }
}

std::optional<Dim3> counted_grid(BlockRuns& runs, const Dim3& grid) {
    std::optional<Dim3> seen;
    try {
        seen = count_through(runs, grid);
    } catch (const BudgetSpent&) {
    }
    runs.see_as(grid, grid);
    return seen;
}

GridBox representative(BlockRuns& runs, const Box& box, const Point& at, bool data_decides) {
    Fit fit = unmoved(at, runs.at(at));
    std::array<bool, 3> by_data{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        try {
            if (at[axis] + 1 < box.end[axis] && !measure_strides(runs, fit, axis)) {
                auto next = at;
                ++next[axis];
                match_accesses(*fit.first, *runs.at(next), axis,
                               data_decides ? Moving::all : Moving::where_lanes_differ, fit.strides);
                by_data[axis] = true;
            }
        } catch (const BudgetSpent&) {
            break;
        }
    }
    // addresses count from the box's first block
    auto first = std::make_shared<FoldedBlock>(*fit.first);
    for (std::size_t w = 0; w < fit.strides.size(); ++w) {
        for (std::size_t i = 0; i < fit.strides[w].size(); ++i) {
            for (std::size_t axis = 0; axis < 3; ++axis) {
                first->warps[w].base[i] -= fit.strides[w][i][axis] * (at[axis] - box.begin[axis]);
            }
        }
    }
    return {box.blocks(),
            std::move(first),
            std::move(fit.strides),
            by_data,
            {at[0] - box.begin[0], at[1] - box.begin[1], at[2] - box.begin[2]}};
}

}  // namespace gpumodel
