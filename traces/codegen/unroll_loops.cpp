#include "traces/codegen/unroll_loops.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "traces/codegen/transfers/site_copies.h"

namespace gpumodel {

namespace {

void append_nodes(std::vector<Node>& to, const std::vector<Node>& nodes, const LoopBinding& at, int depth);

void round_counts(Segment& segment) {
    for (double& count : segment.ops) {
        count = std::floor(count + 0.5);
    }
}

Interval copied_interval(const Interval& interval, const CopyRange& range) {
    Interval copy{.segments = {},
                  .barrier_after = interval.barrier_after,
                  .warp_barrier_after = interval.warp_barrier_after};
    for (const Segment& segment : interval.segments) {
        copy.segments.push_back(copied_segment(segment, range));
        round_counts(copy.segments.back());
    }
    return copy;
}

bool is_single_interval(const std::vector<Node>& body) {
    if (body.size() != 1) {
        return false;
    }
    const auto* interval = std::get_if<Interval>(&body.front());
    return interval != nullptr && !interval->barrier_after && !interval->warp_barrier_after;
}

// Copies [0, copies) of a loop's body; `first` is the counter of the first one.
void append_copies(std::vector<Node>& to, const Loop& loop, const LoopBinding& at, LoopRef first, int copies,
                   int depth) {
    if (is_single_interval(loop.body)) {
        to.emplace_back(copied_interval(std::get<Interval>(loop.body.front()), {at.with(first), copies}));
        return;
    }
    for (int copy = 0; copy < copies; ++copy) {
        LoopRef counter = first;
        counter.offset += copy;
        append_nodes(to, loop.body, at.with(counter), depth);
    }
}

void append_loop(std::vector<Node>& to, const Loop& loop, const LoopBinding& at, int depth) {
    const std::int64_t unroll =
        std::clamp<std::int64_t>(loop.unroll, 1, std::max<std::int64_t>(loop.trips, 1));
    const auto copies = static_cast<int>(unroll);
    const std::int64_t trips = loop.trips / unroll;
    if (trips == 1) {
        append_copies(to, loop, at, {-1, 1, 0}, copies, depth);
    } else if (trips > 0) {
        Loop rolled{.name = loop.name, .trips = trips, .unroll = 1, .body = {}};
        append_copies(rolled.body, loop, at, {depth, unroll, 0}, copies, depth + 1);
        to.emplace_back(std::move(rolled));
    }
    if (const auto rest = static_cast<int>(loop.trips % unroll); rest > 0) {
        append_copies(to, loop, at, {-1, 1, trips * unroll}, rest, depth);
    }
}

void append_nodes(std::vector<Node>& to, const std::vector<Node>& nodes, const LoopBinding& at, int depth) {
    for (const Node& node : nodes) {
        if (const auto* loop = std::get_if<Loop>(&node)) {
            append_loop(to, *loop, at, depth);
        } else {
            to.emplace_back(copied_interval(std::get<Interval>(node), {at, 1}));
        }
    }
}

}  // namespace

std::vector<Node> unroll_loops(const std::vector<Node>& body) {
    std::vector<Node> nodes;
    append_nodes(nodes, body, LoopBinding{}, 0);
    return nodes;
}

}  // namespace gpumodel
