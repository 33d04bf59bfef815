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
                walk(loop->body);
                walk(loop->body);
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
        if (is_copy_wait(i) && (i.copies_first == 0 || trips_ahead_ == 0)) {
            wait_for_copies();
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
            visits_.back().trips_ahead = i.bulk_bytes > 0 ? trips_ahead_ : 0;
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

    // A batch of copies counts as a prefetch until its own trip turns out to wait for it.
    void start_copies() {
        if (copies_of_visit_ == visits_.size()) {
            return;
        }
        earlier_copies_ = copies_of_visit_ != 0;
        copies_of_visit_ = visits_.size();
        visits_.back().prefetched_global_loads += 1;
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
    int trips_ahead_;  // waits for bulk copies: those of so many trips before; 0 = not known, or of the same
    std::vector<DependencyShape> visits_;  // one per execution of a segment
    std::vector<Segment*> segment_of_visit_;
    std::vector<Load> loads_;
    std::size_t copies_of_visit_ = 0;  // number of the visit that last started copies; 0 = none in flight
    bool earlier_copies_ = false;
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

// How many trips of their loop bulk copies have until they are waited for.
int copy_trips_ahead(const std::vector<Node>& nodes) {
    int trips = 0;
    for (const auto& node : nodes) {
        if (const auto* loop = std::get_if<Loop>(&node)) {
            trips = std::max(trips, copy_trips_ahead(loop->body));
            continue;
        }
        for (const auto& segment : std::get<Interval>(node).segments) {
            for (const auto& in : segment.code) {
                trips = std::max(trips, in.copies_step > 0 ? in.copies_ahead / in.copies_step : 0);
            }
        }
    }
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
