// Copies parts of the path that a range of warps has in common, trips of its loops apart from one another.
#pragma once

#include <cstdint>
#include <vector>

#include "traces/fold/grid/grid_fold.h"
#include "traces/fold/paths/path_tree.h"
#include "traces/fold/segment_builder.h"

namespace gpumodel {

// A loop around what is copied, of which trips from `first` on are meant: a loop again, or one trip by
// itself.
struct OuterLoop {
    bool is_loop = true;
    std::int64_t first = 0;
};

class PathWriter {
public:
    PathWriter(const GridBox& box, const WarpRange& range);

    // The node with all that is in it, inside of `outer` (outermost first: all loops of the old path around
    // it).
    void copy(const PathNode& node, const std::vector<OuterLoop>& outer);
    void begin_loop(std::int64_t trips);
    void end_loop();

    [[nodiscard]] std::size_t size() const { return tokens_.size(); }
    // Into the box's block: the range's warps get the path that was written.
    void finish(FoldedBlock& block, GridBox& box);

private:
    struct Warp {
        const FoldedWarp* from = nullptr;
        const std::vector<BlockStride>* from_strides = nullptr;
        FoldedWarp written;
        std::vector<BlockStride> strides;
    };
    WarpRange range_;
    std::vector<PathToken> tokens_;  // of all of them
    std::vector<Warp> warps_;
};

}  // namespace gpumodel
