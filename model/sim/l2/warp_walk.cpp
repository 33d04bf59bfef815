#include "model/sim/l2/warp_walk.h"

#include <algorithm>
#include <cmath>

namespace gpumodel::sim {
namespace {

bool is_global(const WarpStream& stream, const DecodedOp& op) {
    return op.access >= 0 &&
           stream.accesses[static_cast<std::size_t>(op.access)].site->space != MemorySpace::shared;
}

}  // namespace

WalkPlan::WalkPlan(const WarpStream& stream, double trips_kept) {
    for (const auto& loop : stream.loops) {
        const auto kept = std::llround(trips_kept * static_cast<double>(loop.trips));
        loops_.push_back({0, loop.outer, static_cast<std::size_t>(loop.depth),
                          loop.depth == 0 ? std::max<std::int64_t>(1, kept) : loop.trips});
    }
    add_stops(stream);
}

void WalkPlan::add_stops(const WarpStream& stream) {
    std::vector<std::size_t> stop_of_op;
    std::vector<const StreamLoop*> top(stream.ops.size(), nullptr);  // that the operation lies in
    for (const auto& loop : stream.loops) {
        if (loop.depth == 0) {
            std::fill(top.begin() + loop.first_op, top.begin() + loop.last_op + 1, &loop);
        }
    }
    std::int32_t before = -1;
    for (std::size_t i = 0; i < stream.ops.size(); ++i) {
        stop_of_op.push_back(stops_.size());
        const auto& op = stream.ops[i];
        const bool in_loop = top[i] != nullptr;
        before = in_loop ? top[i]->node : before;
        if (is_global(stream, op) || op.closes_loop) {
            stops_.push_back({is_global(stream, op) ? op.access : -1, op.closes_loop ? op.loop : -1,
                              2 * (before + 1) + (in_loop ? 0 : 1), in_loop});
        }
    }
    for (std::size_t l = 0; l < loops_.size(); ++l) {
        loops_[l].first_stop = stop_of_op[static_cast<std::size_t>(stream.loops[l].first_op)];
    }
}

double WalkPlan::accesses() const {
    std::vector<double> times(stops_.size(), 1);
    for (std::size_t end = 0; end < stops_.size(); ++end) {
        for (auto l = stops_[end].loop; l >= 0; l = loops_[static_cast<std::size_t>(l)].outer) {
            const auto& loop = loops_[static_cast<std::size_t>(l)];
            for (auto i = loop.first_stop; i <= end; ++i) {
                times[i] *= static_cast<double>(loop.trips);
            }
        }
    }
    double total = 0;
    for (std::size_t i = 0; i < stops_.size(); ++i) {
        total += stops_[i].access >= 0 ? times[i] : 0;
    }
    return total;
}

void WarpWalk::next() {
    if (standing_) {
        leave();
    }
    while (!done() && plan_->stops_[at_].access < 0) {
        leave();
    }
    standing_ = !done();
}

void WarpWalk::leave() {
    standing_ = false;
    for (auto l = plan_->stops_[at_].loop; l >= 0;) {
        const auto& loop = plan_->loops_[static_cast<std::size_t>(l)];
        if (++counters_[loop.depth] < loop.trips) {
            at_ = loop.first_stop;
            return;
        }
        counters_[loop.depth] = 0;
        l = loop.outer;
    }
    ++at_;
}

}  // namespace gpumodel::sim
