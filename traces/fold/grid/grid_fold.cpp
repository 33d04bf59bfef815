#include "traces/fold/grid/grid_fold.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/note.h"
#include "traces/fold/grid/box_fit.h"
#include "traces/fold/grid/data_strides.h"
#include "traces/fold/grid/longest_block.h"

namespace gpumodel {
namespace {

// More boxes than three along each axis, from a few blocks only, are a sign that blocks differ irregularly.
constexpr std::size_t regular_boxes = 27;
constexpr std::int64_t most_strata = 256;
constexpr std::int64_t blocks_per_stratum = 4;  // its own and those next to it, for the strides
// Of the same path, about so many stand for all. `estimated`: 16 leave an SM's L1 little of its other blocks,
// 256 take three times as long for a hash grid and come 6 % nearer.
constexpr std::int64_t spread_blocks = 64;
// From there on blocks that stand for others differ as all do, and not as those next to one another on
// average. `estimated`: a quarter of a large GPU's SMs, which else would have four kinds of loads.
constexpr std::int64_t many_alike = 32;
// Of warps that a large GPU has at once: the blocks of more go to SMs that have room, which end together.
constexpr std::int64_t at_once = 9000;
constexpr std::int64_t longest_over_others = 17;  // in sixteenths: from there on it is simulated for itself

// A block of the box, the same in every run, at no even distance from those of other boxes: words that code
// reckons from the block's number, modulo a power of two say, would be the same ones.
Point anywhere(const Box& box) {
    constexpr std::uint64_t golden = 0x9e3779b97f4a7c15U;
    const auto mixed =
        (static_cast<std::uint64_t>(box.begin[0] + 31 * box.begin[1] + 961 * box.begin[2]) + 1) * golden;
    return point_of(box, static_cast<std::int64_t>((mixed >> 33U) % static_cast<std::uint64_t>(box.count())));
}

// From exact to coarse; the first that succeeds.
class GridFolder {
public:
    GridFolder(BlockRuns& runs, const Dim3& grid, int warps, const FoldOptions& options,
               LongestBlock& longest)
        : runs_(runs),
          warps_(warps),
          launched_(grid),
          grid_{{0, 0, 0}, {grid.x, grid.y, grid.z}},
          options_(options),
          longest_(longest) {}

    void run(GridFold& result) {
        result.grid = launched_;
        if (options_.data_decides) {
            run_by_data(result);
            return;
        }
        runs_.limit_accesses(options_.access_budget);
        const auto first = runs_.at(centre(grid_));
        const auto affordable = options_.whole_grid_work - runs_.work();
        const auto whole_work =
            first->work > affordable / grid_.count() ? INT64_MAX : first->work * grid_.count();
        const bool whole = whole_work <= affordable;
        const bool cheap = whole && whole_work <= options_.whole_grid_work / 8;
        const bool exact = (!cheap && (sampled(result, Likeness::addresses, whole) || counted(result))) ||
                           (whole && all_blocks(result, Likeness::addresses)) || (cheap && counted(result));
        if (!exact) {
            irregular(result, whole, options_.whole_grid_work / first->work);
        }
        lend_strides(result.boxes, grid_);
    }

private:
    void irregular(GridFold& result, bool whole, std::int64_t affordable_blocks) {
        if (!(whole && all_blocks(result, Likeness::paths)) && !sampled(result, Likeness::paths, false)) {
            result.irregular = true;
            strata_and_longest(result, affordable_blocks, "blocks differ irregularly");
        } else {
            spread(result);
        }
        keep_inside(result.boxes);
    }

    // Blocks of one path that name words of their own, in no order: some of them stand for all, not one, or
    // what they name often could not be told from what one of them does.
    void spread(GridFold& result) {
        std::vector<GridBox> boxes;
        for (const auto& box : result.boxes) {
            const auto& [begin, end] = box.blocks;
            const Box whole{{begin.x, begin.y, begin.z}, {end.x, end.y, end.z}};
            const auto wanted = spread_blocks * whole.count() / grid_.count();
            if (wanted < 2) {
                boxes.push_back(box);
                continue;
            }
            for (const auto& part : parts_in_order(whole, wanted)) {
                boxes.push_back(representative(runs_, part, anywhere(part), options_.data_decides));
            }
        }
        std::swap(result.boxes, boxes);
        if (weight_of(result) > options_.max_weight) {
            std::swap(result.boxes, boxes);
        }
        note_paths(result);
    }

    void strata_and_longest(GridFold& result, std::int64_t affordable_blocks, std::string_view why) {
        const auto& longest = longest_.get();  // before anything is folded by the jumps that it meets
        auto wanted = std::min(affordable_blocks / blocks_per_stratum, most_strata);
        do {
            result.boxes.clear();
            result.notes.clear();
            strata(result, std::max<std::int64_t>(1, wanted), why);
            wanted /= 2;
        } while (weight_of(result) > options_.max_strata_weight && wanted >= 1);
        add_longest(longest, result.boxes);
    }

    void run_by_data(GridFold& result) {
        std::int64_t work = 0, samples = 0;
        for (const auto& p : check_points(grid_)) {
            work += runs_.at(p)->work;
            ++samples;
        }
        const auto blocks = std::max<std::int64_t>(1, options_.whole_grid_work * samples / work);
        if (grid_.count() <= blocks && all_blocks(result, Likeness::addresses)) {
            // as they are
        } else if (grid_.count() <= blocks && all_blocks(result, Likeness::paths)) {
            spread(result);
        } else {
            strata_and_longest(result, blocks, "data decide what blocks do");
        }
        keep_inside(result.boxes);
        lend_strides(result.boxes, grid_);
    }

    // Where it is much longer than those that stand for the others.
    void add_longest(const BlockLength& longest, std::vector<GridBox>& boxes) {
        std::int64_t known = 0;
        for (const auto& box : boxes) {
            known = std::max(known, longest_.length_of(*box.first));
        }
        if (16 * longest.length < longest_over_others * known) {
            return;
        }
        const auto holds = [&longest](const GridBox& box) {
            const auto& [x, y, z] = longest.at;
            return box.blocks.contains({x, y, z});
        };
        const auto found = std::find_if(boxes.begin(), boxes.end(), holds);
        const auto& [begin, end] = found->blocks;
        const Box whole{{begin.x, begin.y, begin.z}, {end.x, end.y, end.z}};
        boxes.erase(found);
        add_parts(set_apart(whole, longest.at), false, boxes);
    }

    void add_parts(const std::vector<Box>& parts, bool differ, std::vector<GridBox>& boxes) {
        const auto points = longest_.one_of_each(parts, differ);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            boxes.push_back(representative(runs_, parts[i], points[i], options_.data_decides));
        }
    }

    static std::int64_t weight_of(const GridFold& result) {
        std::int64_t weight = 0;
        for (const auto& box : result.boxes) {
            weight += box.first->weight;
        }
        return weight;
    }

    bool sampled(GridFold& result, Likeness likeness, bool whole_is_affordable) {
        const auto most = std::min(options_.max_variants,
                                   whole_is_affordable ? regular_boxes : options_.max_sampled_variants);
        auto boxes =
            partition(runs_, grid_, likeness, {false, most, options_.max_weight, options_.data_decides});
        if (!boxes) {
            return false;
        }
        result.boxes = std::move(*boxes);
        if (likeness == Likeness::addresses && runs_.executed() < grid_.count()) {
            result.notes.push_back(
                noted(NoteId::blocks_sampled,
                      fmt::format("{} of {} blocks were executed; the others are taken to follow them",
                                  runs_.executed(), grid_.count())));
        }
        return true;
    }

    bool all_blocks(GridFold& result, Likeness likeness) {
        runs_.lift_limit();
        auto boxes = partition(runs_, grid_, likeness,
                               {true, options_.max_variants, options_.max_weight, options_.data_decides});
        if (!boxes) {
            return false;
        }
        result.boxes = std::move(*boxes);
        return true;
    }

    // Regular in a grid of other sides.
    bool counted(GridFold& result) {
        const auto seen = counted_grid(runs_, launched_);
        if (!seen) {
            return false;
        }
        runs_.see_as(launched_, *seen);
        const Box box{{0, 0, 0}, {seen->x, seen->y, seen->z}};
        auto boxes = partition(runs_, box, Likeness::addresses, {false, regular_boxes, options_.max_weight});
        if (!boxes) {
            runs_.see_as(launched_, launched_);
            return false;
        }
        grid_ = box;
        result.grid = *seen;
        result.boxes = std::move(*boxes);
        result.notes.push_back(
            noted(NoteId::blocks_sampled,
                  fmt::format(
                      "blocks count through the grid by remainders of their index: taken as {} x {} x {} of "
                      "them in the same order; {} of {} were executed, the others are taken to follow them",
                      seen->x, seen->y, seen->z, runs_.executed(), grid_.count())));
        return true;
    }

    void note_paths(GridFold& result) const {
        result.notes.push_back(
            noted(NoteId::blocks_sampled,
                  fmt::format(
                      "addresses differ irregularly between blocks: those of {} blocks stand for all {} with "
                      "the same path and lanes ({} executed)",
                      result.boxes.size(), grid_.count(), runs_.executed())));
    }

    // Parts of the grid of about the same size, each with one of its blocks for all; the last blocks along an
    // axis, which a problem's edge cuts, are parts of their own.
    void strata(GridFold& result, std::int64_t wanted, std::string_view why) {
        runs_.lift_limit();
        const auto parts = even_parts(grid_, wanted);
        result.some_stand_for_all = grid_.count() >= many_alike * static_cast<std::int64_t>(parts.size()) &&
                                    grid_.count() * warps_ <= at_once;
        add_parts(parts, result.some_stand_for_all, result.boxes);
        result.notes.push_back(
            noted(NoteId::blocks_sampled,
                  fmt::format("{}: {} blocks, spread evenly over the grid, stand for all {} ({} executed)",
                              why, parts.size(), grid_.count(), runs_.executed())));
    }

    BlockRuns& runs_;
    int warps_;  // of a block
    Dim3 launched_;
    Box grid_;
    const FoldOptions& options_;
    LongestBlock& longest_;
};

}  // namespace

GridFold fold_grid(BlockSource& source, const Dim3& grid, int warps, const FoldOptions& options) {
    CutPoints cuts(source.code());
    JumpFinder jumps(cuts, warps);
    source.run_block({grid.x / 2, grid.y / 2, grid.z / 2}, jumps);
    LongestBlock longest(source, grid, warps, options.whole_grid_work, cuts);
    std::int64_t work = 0;
    while (true) {  // ends: the cuts grow with every round, and are at most as many as instructions
        try {
            GridFold result;
            BlockRuns runs(source, warps, cuts, result.patterns, work);
            GridFolder(runs, grid, warps, options, longest).run(result);
            return result;
        } catch (const CutsChanged&) {
        }
    }
}

}  // namespace gpumodel
