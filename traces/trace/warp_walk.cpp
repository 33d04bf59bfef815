#include "traces/trace/warp_walk.h"

#include <algorithm>

namespace gpumodel {

namespace {

bool contains(const BlockBox& box, const Dim3& id) {
    return id.x >= box.begin.x && id.x < box.end.x && id.y >= box.begin.y && id.y < box.end.y &&
           id.z >= box.begin.z && id.z < box.end.z;
}

class Walker {
public:
    Walker(const Dim3& block, int warp, const std::function<bool(const IssuedInstruction&)>& visit)
        : warp_(warp), visit_(visit) {
        issued_.at.block_x = block.x;
        issued_.at.block_y = block.y;
        issued_.at.block_z = block.z;
    }

    bool nodes(const std::vector<Node>& list, std::size_t depth) {
        return std::all_of(list.begin(), list.end(), [&](const Node& node) {
            const auto* loop = std::get_if<Loop>(&node);
            return loop ? trips(*loop, depth) : interval(std::get<Interval>(node));
        });
    }

private:
    bool trips(const Loop& loop, std::size_t depth) {
        bool more = true;
        for (std::int64_t trip = 0; more && trip < loop.trips; ++trip) {
            issued_.at.loop.at(depth) = trip;
            more = nodes(loop.body, depth + 1);
        }
        issued_.at.loop.at(depth) = 0;
        return more;
    }

    bool interval(const Interval& item) {
        for (const auto& segment : item.segments) {
            issued_.lanes = lanes_of(segment, warp_);
            issued_.segment = &segment;
            for (issued_.index = 0; issued_.lanes != 0 && issued_.index < segment.code.size();
                 ++issued_.index) {
                if (!visit_(issued_)) {
                    return false;
                }
            }
        }
        return true;
    }

    int warp_;
    const std::function<bool(const IssuedInstruction&)>& visit_;
    IssuedInstruction issued_;
};

}  // namespace

const std::vector<Node>& body_of(const KernelProgram& program, const Dim3& block) {
    for (const auto& variant : program.variants) {
        if (contains(variant.blocks, block)) {
            return variant.body;
        }
    }
    return program.body;
}

std::uint32_t lanes_of(const Segment& segment, int warp) {
    const int begin = std::max(segment.thread_begin - warp * warp_lanes, 0);
    const int end = std::min(segment.thread_end - warp * warp_lanes, warp_lanes);
    if (begin >= end) {
        return 0;
    }
    const auto below = [](int lane) { return lane == warp_lanes ? ~0U : (1U << lane) - 1; };
    return below(end) & ~below(begin);
}

double count_instructions(const std::vector<Node>& nodes, int warp) {
    double count = 0;
    for (const auto& node : nodes) {
        if (const auto* loop = std::get_if<Loop>(&node)) {
            count += static_cast<double>(loop->trips) * count_instructions(loop->body, warp);
            continue;
        }
        for (const auto& segment : std::get<Interval>(node).segments) {
            count += lanes_of(segment, warp) != 0 ? static_cast<double>(segment.code.size()) : 0;
        }
    }
    return count;
}

bool walk_warp(const std::vector<Node>& nodes, const Dim3& block, int warp,
               const std::function<bool(const IssuedInstruction&)>& visit) {
    return Walker(block, warp, visit).nodes(nodes, 0);
}

std::uint32_t active_lanes(const IssuedInstruction& issued, int warp, std::array<std::int64_t, 32>& address,
                           int offset) {
    const auto& instruction = issued.segment->code[issued.index];
    if (instruction.site < 0 || instruction.access_bytes == 0) {
        return issued.lanes;
    }
    const auto& site = issued.segment->sites.at(static_cast<std::size_t>(instruction.site) +
                                                static_cast<std::size_t>(offset));
    std::uint32_t active = 0;
    Coord at = issued.at;
    for (int lane = 0; lane < warp_lanes; ++lane) {
        at.thread = warp * warp_lanes + lane;
        const bool runs = (issued.lanes >> lane & 1) != 0 && site.is_active(at, instruction.word);
        active |= runs ? 1U << lane : 0;
        address.at(static_cast<std::size_t>(lane)) = runs ? site.address(at, instruction.word) : 0;
    }
    return active;
}

}  // namespace gpumodel
