#include "traces/dependency_shape.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace gpumodel {
namespace {

constexpr std::size_t registers_of_a_kind = 256;
constexpr std::size_t kinds = 6;

struct Load {
    bool shared = false;
    bool waited = false;
    std::size_t visit = 0;
    int issued = 0;  // instructions before it
};

// Where a loop's trip ends groups of asynchronous copies and waits for them, in instructions of one warp.
class CopyGroups {
public:
    CopyGroups(const Loop& loop, int thread) : thread_(thread) { add(loop.body); }

    // Trips of the loop that a group has until it is waited for; 0 if none is.
    [[nodiscard]] double ahead() const {
        if (ends_.empty() || waits_.empty()) {
            return 0;
        }
        const double period = length_ / static_cast<double>(ends_.size());
        const double groups_per_wait = static_cast<double>(ends_.size()) / static_cast<double>(waits_.size());
        double least = waits_.front().left / groups_per_wait + 1;
        for (const auto& wait : waits_) {
            const auto next = std::upper_bound(ends_.begin(), ends_.end(), wait.at);
            const double since =
                next == ends_.begin() ? wait.at + length_ - ends_.back() : wait.at - *(next - 1);
            least = std::min(least, wait.left / groups_per_wait + std::min(1.0, since / period));
        }
        return least;
    }

private:
    struct Wait {
        double at = 0;
        int left = 0;
    };

    void add(const std::vector<Node>& nodes) {
        for (const auto& node : nodes) {
            if (const auto* loop = std::get_if<Loop>(&node)) {
                const double from = length_;
                add(loop->body);
                length_ =
                    from + (length_ - from) * static_cast<double>(std::max<std::int64_t>(0, loop->trips));
                continue;
            }
            for (const auto& segment : std::get<Interval>(node).segments) {
                if (segment.thread_begin <= thread_ && thread_ < segment.thread_end) {
                    add(segment);
                }
            }
        }
    }
    void add(const Segment& segment) {
        for (const auto& i : segment.code) {
            length_ += 1;
            if (i.ends_copy_group) {
                ends_.push_back(length_);
            }
            if (i.copy_groups_left >= 0) {
                waits_.push_back({length_, i.copy_groups_left});
            }
        }
    }

    int thread_;
    double length_ = 0;
    std::vector<double> ends_;
    std::vector<Wait> waits_;
};

// One warp's way through a body.
class DependencyWalk {
public:
    DependencyWalk(int thread, const std::vector<std::string>& mnemonics, int trips_ahead)
        : thread_(thread), mnemonics_(mnemonics), trips_ahead_(trips_ahead) {
        pending_.fill(-1);
    }

    void walk(std::vector<Node>& nodes) {
        for (auto& node : nodes) {
            if (auto* loop = std::get_if<Loop>(&node)) {
                const double outer = groups_ahead_;
                groups_ahead_ = std::max(outer, CopyGroups(*loop, thread_).ahead());
                walk(loop->body);
                walk(loop->body);
                groups_ahead_ = outer;
                continue;
            }
            for (auto& segment : std::get<Interval>(node).segments) {
                if (segment.thread_begin <= thread_ && thread_ < segment.thread_end) {
                    walk_segment(segment);
                }
            }
        }
    }

    // Of the segments that are not in `known` yet. The last visit is the steady state; what it prefetches may
    // be used only by a trip that was not walked.
    void store_shapes(std::set<const Segment*>& known) {
        std::set<const Segment*> mine;
        for (std::size_t v = 0; v < visits_.size(); ++v) {
            auto& segment = *segment_of_visit_[v];
            if (known.contains(&segment)) {
                continue;
            }
            const bool first = mine.insert(&segment).second;
            const double prefetched = first ? 0 : segment.dependency.prefetched_global_loads;
            const double ahead = first ? 0 : segment.dependency.trips_ahead;
            segment.dependency = visits_[v];
            segment.dependency.prefetched_global_loads =
                std::max(prefetched, segment.dependency.prefetched_global_loads);
            segment.dependency.trips_ahead = std::max(ahead, segment.dependency.trips_ahead);
        }
        known.merge(mine);
    }

private:
    void walk_segment(Segment& segment) {
        visits_.emplace_back();
        segment_of_visit_.push_back(&segment);
        chain_.fill(0);
        longest_chain_ = 0;
        arithmetic_ = 0;
        for (const auto& instruction : segment.code) {
            step(instruction);
        }
        visits_.back().ilp = longest_chain_ > 0 ? static_cast<double>(arithmetic_) / longest_chain_ : 1;
    }

    void step(const Instruction& i) {
        ++position_;
        int chain = 0;
        for_each_register(i.guard, [&](std::size_t r) { wait_for(r); });
        for (int s = 0; s < i.source_count; ++s) {
            for_each_register(i.sources[static_cast<std::size_t>(s)], [&](std::size_t r) {
                wait_for(r);
                chain = std::max(chain, chain_[r]);
            });
        }
        if (is_copy_wait(i) && ahead_of(i) < least_ahead) {
            if (i.copy_groups_left >= 0) {
                wait_for_groups(static_cast<std::size_t>(i.copy_groups_left));
            } else {
                wait_for_copies();
            }
        }
        if (i.ends_copy_group) {
            group_visits_.push_back(copies_of_visit_ == visits_.size() ? copies_of_visit_ : 0);
        }
        const bool arithmetic = group_of(i.op) == OpGroup::fp32;
        chain = arithmetic ? chain + 1 : 0;
        arithmetic_ += arithmetic ? 1 : 0;
        longest_chain_ = std::max(longest_chain_, chain);
        const int load = start_load(i);
        for (int r = 0; r < i.result_count; ++r) {
            for_each_register(i.results[static_cast<std::size_t>(r)], [&](std::size_t index) {
                pending_[index] = load;
                chain_[index] = chain;
            });
        }
    }

    template <class Use>
    static void for_each_register(const RegisterUse& use, Use visit) {
        if (use.kind == RegisterKind::none || use.index < 0) {
            return;
        }
        const auto first = static_cast<std::size_t>(use.kind) * registers_of_a_kind;
        for (int w = 0; w < use.width; ++w) {
            const auto index = static_cast<std::size_t>(use.index + w);
            if (index < registers_of_a_kind) {
                visit(first + index);
            }
        }
    }

    // Index of the load that this instruction starts, -1 if it is none.
    int start_load(const Instruction& i) {
        const bool returns = i.access_kind == AccessKind::load || i.access_kind == AccessKind::atomic;
        if (i.access_bytes != 0 && i.access_kind == AccessKind::async_copy) {
            start_copies();
            const double ahead = i.bulk_bytes > 0 ? trips_ahead_ : groups_ahead_;
            visits_.back().trips_ahead = ahead < least_ahead ? 0 : ahead;
        }
        if (i.access_bytes == 0 || !returns || i.result_count == 0) {
            return -1;
        }
        loads_.push_back({i.space == MemorySpace::shared, false, visits_.size() - 1, position_});
        return static_cast<int>(loads_.size() - 1);
    }

    void wait_for(std::size_t reg) {
        if (pending_[reg] < 0) {
            return;
        }
        const auto& load = loads_[static_cast<std::size_t>(pending_[reg])];
        pending_[reg] = -1;
        if (!load.waited) {
            count(load);
        }
    }

    void count(const Load load) {
        auto& origin = visits_[load.visit];
        const bool here = load.visit + 1 == visits_.size();
        if (load.shared) {
            origin.serial_shared_loads += here && position_ - load.issued <= hidden_shared ? 1 : 0;
        } else {
            (here ? origin.serial_global_loads : origin.prefetched_global_loads) += 1;
        }
        for (auto other = loads_.rbegin(); other != loads_.rend(); ++other) {
            if (other->shared == load.shared && other->waited) {
                break;  // all before it are waited for, too
            }
            other->waited = other->waited || other->shared == load.shared;
        }
    }

    [[nodiscard]] bool is_copy_wait(const Instruction& i) const {
        const std::string_view name =
            i.mnemonic < mnemonics_.size() ? std::string_view(mnemonics_[i.mnemonic]) : std::string_view();
        return name.starts_with("DEPBAR") || name.find("PHASECHK") != std::string_view::npos;
    }

    // Trips that what the instruction waits for has been under way; 0 = not known.
    [[nodiscard]] double ahead_of(const Instruction& i) const {
        return i.copies_first > 0 ? trips_ahead_ : i.copy_groups_left >= 0 ? groups_ahead_ : 0;
    }

    // A batch of copies counts as a prefetch until its own trip turns out to wait for it.
    void start_copies() {
        if (copies_of_visit_ == visits_.size()) {
            return;
        }
        earlier_copies_ = copies_of_visit_ != 0;
        copies_of_visit_ = visits_.size();
        visits_.back().prefetched_global_loads += 1;
    }

    // All but the newest `left` groups, outside of loops that say how far ahead they are.
    void wait_for_groups(std::size_t left) {
        if (group_visits_.size() <= left) {
            return;
        }
        const auto visit = group_visits_[group_visits_.size() - 1 - left];
        if (visit == 0) {
            return;
        }
        auto& origin = visits_[visit - 1];
        if (visit < visits_.size()) {
            origin.trips_ahead = std::max(origin.trips_ahead, static_cast<double>(visits_.size() - visit));
        } else if (origin.prefetched_global_loads > 0) {
            origin.prefetched_global_loads -= 1;
            origin.serial_global_loads += 1;
        }
    }

    // Those of earlier trips first.
    void wait_for_copies() {
        const bool started_here = copies_of_visit_ == visits_.size();
        if (started_here && earlier_copies_) {
            earlier_copies_ = false;
            return;
        }
        if (started_here) {
            visits_.back().prefetched_global_loads -= 1;
            visits_.back().serial_global_loads += 1;
        }
        copies_of_visit_ = 0;
    }

    int thread_;
    const std::vector<std::string>& mnemonics_;
    static constexpr double least_ahead = 0.5;  // of a trip: below, a wait is as good as serial
    double groups_ahead_ = 0;                   // CopyGroups::ahead() of the loop around
    int trips_ahead_;  // waits for bulk copies: those of so many trips before; 0 = not known, or of the same
    std::vector<DependencyShape> visits_;  // one per execution of a segment
    std::vector<Segment*> segment_of_visit_;
    std::vector<Load> loads_;
    std::size_t copies_of_visit_ = 0;  // number of the visit that last started copies; 0 = none in flight
    bool earlier_copies_ = false;
    std::vector<std::size_t> group_visits_;  // by group that has ended: number of the visit of its copies
    std::array<int, kinds * registers_of_a_kind> pending_{};
    std::array<int, kinds * registers_of_a_kind> chain_{};
    int position_ = 0;
    int longest_chain_ = 0;
    int arithmetic_ = 0;
};

// First threads of all segments: warps between two of them run the same ones.
void add_first_threads(const std::vector<Node>& nodes, std::set<int>& threads) {
    for (const auto& node : nodes) {
        if (const auto* loop = std::get_if<Loop>(&node)) {
            add_first_threads(loop->body, threads);
            continue;
        }
        for (const auto& segment : std::get<Interval>(node).segments) {
            threads.insert(segment.thread_begin);
        }
    }
}

// How many trips of their loop bulk copies have until they are waited for: as many as the copies that had
// been issued beyond those needed. Where another warp issues them, as many as its waits in which it needs no
// arrival of those that use them, less what these have waited for by then.
int copy_trips_ahead(const Instruction& in) {
    if (in.arrivals_warps != 0) {
        const int step = std::max<int>(1, in.arrivals_step);
        return in.arrivals_from - (in.arrivals_lag + step - 1) / step;
    }
    return in.copies_step > 0 ? in.copies_ahead / in.copies_step : 0;
}

int copy_trips_ahead(const std::vector<Node>& nodes) {
    int trips = 0;
    each_segment(nodes, [&](const Segment& segment) {
        for (const auto& in : segment.code) {
            trips = std::max(trips, copy_trips_ahead(in));
        }
    });
    return trips;
}

}  // namespace

void find_dependencies(std::vector<Node>& body, const MnemonicTable& mnemonics) {
    std::set<int> threads;
    add_first_threads(body, threads);
    std::set<const Segment*> known;
    const int ahead = copy_trips_ahead(body);
    for (const int thread : threads) {
        DependencyWalk walk(thread, mnemonics.names(), ahead);
        walk.walk(body);
        walk.store_shapes(known);
    }
}

}  // namespace gpumodel
