#include "traces/fold/paths/path_writer.h"

#include <utility>

namespace gpumodel {
namespace {

// `access` without the loops that are none any more; returns how far its address moves.
std::int64_t leave_loops(PathAccess& access, const std::vector<OuterLoop>& outer) {
    const auto old = access;
    std::int64_t moved = 0;
    auto depth = static_cast<std::size_t>(old.depth) - outer.size();
    for (std::size_t level = outer.size(); level-- > 0;) {  // innermost first, as the strides are
        const auto stride = old.stride[static_cast<std::size_t>(old.depth) - 1 - level];
        moved += outer[level].first * stride;
        if (outer[level].is_loop) {
            access.stride[depth++] = stride;
        }
    }
    for (auto i = depth; i < access.stride.size(); ++i) {
        access.stride[i] = 0;
    }
    access.depth = static_cast<std::uint8_t>(depth);
    return moved;
}

}  // namespace

PathWriter::PathWriter(const GridBox& box, const WarpRange& range) : range_(range), warps_(range.warps) {
    for (std::size_t i = 0; i < range.warps; ++i) {
        warps_[i].from = &box.first->warps[range.first_warp + i];
        warps_[i].from_strides = &box.strides[range.first_warp + i];
    }
}

void PathWriter::copy(const PathNode& node, const std::vector<OuterLoop>& outer) {
    const auto& tokens = warps_.front().from->tokens;
    for (auto t = node.token_begin; t < node.token_end; ++t) {
        tokens_.push_back(tokens[t]);
    }
    for (auto& warp : warps_) {
        for (auto a = node.access_begin; a < node.access_end; ++a) {
            auto access = warp.from->accesses[a];
            warp.written.base.push_back(warp.from->base[a] + leave_loops(access, outer));
            warp.written.accesses.push_back(access);
            warp.written.pattern.push_back(warp.from->pattern[a]);
            warp.strides.push_back((*warp.from_strides)[a]);
        }
    }
}

void PathWriter::begin_loop(std::int64_t trips) {
    tokens_.push_back({PathToken::Kind::loop_begin, 0, 0, 0, trips});
}

void PathWriter::end_loop() {
    tokens_.push_back({PathToken::Kind::loop_end, 0, 0, 0, 0});
}

void PathWriter::finish(FoldedBlock& block, GridBox& box) {
    for (std::size_t i = 0; i < warps_.size(); ++i) {
        warps_[i].written.tokens = tokens_;
        block.warps[range_.first_warp + i] = std::move(warps_[i].written);
        box.strides[range_.first_warp + i] = std::move(warps_[i].strides);
    }
}

}  // namespace gpumodel
