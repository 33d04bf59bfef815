#include "traces/fold/paths/align_barriers.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace gpumodel {
namespace {

using Kind = PathToken::Kind;
constexpr int most_splits = 64;

// Copies parts of a warp's path one after the other.
class PathSplicer {
public:
    PathSplicer(const FoldedWarp& from, const std::vector<BlockStride>& from_strides)
        : from_(from), from_strides_(from_strides) {}

    void copy(std::size_t token_begin, std::size_t token_end, std::size_t access_begin,
              std::size_t access_end) {
        for (auto t = token_begin; t < token_end; ++t) {
            warp.tokens.push_back(from_.tokens[t]);
        }
        for (auto a = access_begin; a < access_end; ++a) {
            warp.accesses.push_back(from_.accesses[a]);
            warp.base.push_back(from_.base[a]);
            warp.pattern.push_back(from_.pattern[a]);
            strides.push_back(from_strides_[a]);
        }
    }

    // `trips` trips of an outermost loop, from iteration `first` on.
    void copy_trips(const PathNode& loop, std::int64_t first, std::int64_t trips) {
        const bool unrolled = trips == 1;
        if (!unrolled) {
            warp.tokens.push_back({Kind::loop_begin, 0, 0, 0, trips});
        }
        const auto begin = warp.accesses.size();
        copy(loop.token_begin + 1, loop.token_end - 1, loop.access_begin, loop.access_end);
        for (auto a = begin; a < warp.accesses.size(); ++a) {
            auto& access = warp.accesses[a];
            auto& stride = access.stride[access.depth - 1U];
            warp.base[a] += first * stride;
            if (unrolled) {
                stride = 0;
                --access.depth;
            }
        }
        if (!unrolled) {
            warp.tokens.push_back({Kind::loop_end, 0, 0, 0, 0});
        }
    }

    FoldedWarp warp;
    std::vector<BlockStride> strides;

private:
    const FoldedWarp& from_;
    const std::vector<BlockStride>& from_strides_;
};

void split_loop(GridBox& box, RangePath& path, const PathNode& loop, std::int64_t at,
                const StaticCode& code) {
    auto block = std::make_shared<FoldedBlock>(*box.first);
    for (auto w = path.range.first_warp; w < path.range.first_warp + path.range.warps; ++w) {
        const auto& old = box.first->warps[w];
        PathSplicer splicer(old, box.strides[w]);
        splicer.copy(0, loop.token_begin, 0, loop.access_begin);
        splicer.copy_trips(loop, 0, at);
        splicer.copy_trips(loop, at, loop.trips - at);
        splicer.copy(loop.token_end, old.tokens.size(), loop.access_end, old.accesses.size());
        block->warps[w] = std::move(splicer.warp);
        box.strides[w] = std::move(splicer.strides);
    }
    box.first = std::move(block);
    path.nodes = path_tree(box.first->warps[path.range.first_warp], code);
}

const PathNode* barrier_node(const RangePath& path, std::size_t index) {
    for (const auto& node : path.nodes) {
        if (node.has_barrier && index-- == 0) {
            return &node;
        }
    }
    return nullptr;
}

// The iteration at which loops at this place have to be split; 0 = none or none that helps.
std::int64_t split_at(const std::vector<const PathNode*>& nodes) {
    std::int64_t fewest = nodes.front()->trips;
    std::int64_t most = 1;
    for (const auto* node : nodes) {
        if (node->is_loop && nodes.front()->is_loop && !same_barriers(node->body, nodes.front()->body)) {
            return 0;
        }
        fewest = std::min(fewest, node->trips);
        most = std::max(most, node->trips);
    }
    return fewest < most ? fewest : 0;
}

}  // namespace

void align_barriers(GridBox& box, std::vector<RangePath>& ranges, const StaticCode& code) {
    int splits = 0;
    for (std::size_t place = 0; ranges.size() > 1 && splits < most_splits; ++place) {
        std::vector<const PathNode*> nodes;
        for (const auto& path : ranges) {
            if (const auto* node = barrier_node(path, place)) {
                nodes.push_back(node);
            }
        }
        if (nodes.size() < 2) {
            return;
        }
        const auto at = split_at(nodes);
        for (auto& path : ranges) {
            const auto* node = barrier_node(path, place);
            if (at > 0 && node != nullptr && node->trips > at) {
                const PathNode loop = *node;
                split_loop(box, path, loop, at, code);
                ++splits;
            }
        }
    }
}

}  // namespace gpumodel
