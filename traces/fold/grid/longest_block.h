// How long blocks are where data decide that and only some stand for all: the block that the launch waits
// for, and which of some neighbours stands for them.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "traces/fold/folded_block.h"
#include "traces/fold/grid/grid_points.h"
#include "traces/fold/grid/warp_length.h"
#include "traces/warp_events.h"

namespace gpumodel {

struct BlockLength {
    Point at{};
    std::int64_t length = 0;  // of its longest warp (warp_length.h)
};

// Found when somebody asks, once.
class LongestBlock {
public:
    // `work`: half of what may be spent on it (folded_block.h): one that is missed is the end of a launch.
    LongestBlock(BlockSource& source, const Dim3& grid, int warps, std::int64_t work, CutPoints& cuts)
        : source_(source), grid_(grid), warps_(warps), work_(work), cuts_(cuts), lengths_(source.code()) {}

    // The first time executes all blocks, or so many, from all of the grid, as `work` allows by what the
    // first ones took. Throws what the source throws, and CutsChanged after it if blocks jumped where no jump
    // was known.
    [[nodiscard]] const BlockLength& get();
    // A block of each part, of those that get() has executed and that have a neighbour behind them along each
    // axis; the middle one where too few are known. Together they execute what all blocks do on average.
    // `differ`: some are short, some long, as all are; else each is as near to its part's mean as one is.
    [[nodiscard]] std::vector<Point> one_of_each(const std::vector<Box>& parts, bool differ) const;
    // Length of the block's longest warp.
    [[nodiscard]] std::int64_t length_of(const FoldedBlock& block) const;

private:
    struct Seen {
        std::int64_t instructions = 0, place = 0;  // of all warps; in its box
        bool is_last = false;                      // along an axis
        friend auto operator<=>(const Seen&, const Seen&) = default;
    };

    [[nodiscard]] std::vector<Seen> seen_of(const Box& box) const;
    // The one with this share of the box's below it, or, without, nearest to their mean. `owed`: instructions
    // that the blocks chosen before have too few of for what they stand for.
    [[nodiscard]] Point one_of(const Box& box, std::optional<double> share, double& owed) const;
    void look_at(const Point& at);
    [[nodiscard]] BlockLength last_of_the_longest() const;
    [[nodiscard]] std::int64_t number_of(const Point& at) const;

    BlockSource& source_;
    Dim3 grid_;
    int warps_;
    std::int64_t work_;
    CutPoints& cuts_;
    std::optional<BlockLength> longest_;
    WarpLength lengths_;
    std::vector<BlockLength> seen_;                                // of those looked at
    std::unordered_map<std::int64_t, std::int64_t> instructions_;  // of all warps, by block
    std::int64_t spent_ = 0;
    bool cuts_changed_ = false;
};

// The box that holds `at`, as boxes around that block and the block alone. `at` is the last of them.
[[nodiscard]] std::vector<Box> set_apart(const Box& box, const Point& at);

}  // namespace gpumodel
