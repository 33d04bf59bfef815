// Which arrivals at barriers in shared memory a wait needs: those of the phase that it waits for, numbered by
// warp in the order in which each makes its own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

namespace gpumodel::emulate {

// By warp: the number, from 1 on, of its last arrival in a phase.
using PhaseArrivals = std::map<int, std::int64_t>;

struct Phase {
    PhaseArrivals arrivals;
    std::int64_t waited = 0;  // waits for copies that the warp that arrived last had passed
};

// Who has to have arrived at one wait, and how often: the warps of a phase by the number of their arrivals,
// which are one or two (those that use what copies bring, and the one that asks for them).
struct NeededArrivals {
    static constexpr int most_warps = 32;  // others' numbers are not known
    struct Group {
        std::int64_t number = 0;
        std::uint32_t warps = 0;  // none: no such group
    };
    Group low, high;
    bool known = true;

    explicit NeededArrivals(const PhaseArrivals& phase) {
        for (const auto& [warp, number] : phase) {
            known = known && warp < most_warps;
            add(known ? std::uint32_t{1} << static_cast<unsigned>(warp) : 0, number);
        }
        if (high.warps != 0 && high.number < low.number) {
            std::swap(low, high);
        }
    }

private:
    void add(std::uint32_t warp, std::int64_t number) {
        if (low.warps == 0 || low.number == number) {
            low = {number, low.warps | warp};
        } else {
            known = known && (high.warps == 0 || high.number == number);
            high = {number, high.warps | warp};
        }
    }
};

// Of one wait instruction. Known where, from some wait on, each needs the same warps' arrivals of numbers
// that go up evenly, in all warps and blocks. The first waits may need none, or others' (what was arrived at
// before the loop): they are taken as if they needed none. Which these are is found by who comes first so
// far: nobody has seen a later wait.
struct ArrivalWait {
    static constexpr int most_warps = NeededArrivals::most_warps;
    static constexpr std::int64_t most_first = 16;  // waits that may be unlike the others: stages of a ring
    std::int64_t from = -1;  // the first wait like all that follow; -1: none needed any
    std::int64_t first = 0, step = 0;
    std::int64_t others_first = 0;  // of the second group
    std::int64_t waited = 0;        // Phase, of the first that it needs
    std::uint32_t warps = 0, others = 0;
    std::int64_t last = -1;  // wait that anybody has come to
    bool even = true, step_known = false;

    void note(std::int64_t wait, const Phase& needed) {
        const bool may_begin = wait > last && wait <= most_first;
        last = std::max(last, wait);
        if (from >= 0 && wait < from) {
            return;
        }
        if (needed.arrivals.empty()) {
            even = even && (from < 0 || may_begin);
            from = -1;
            return;
        }
        const NeededArrivals now(needed.arrivals);
        if (from >= 0 && wait == from + 1 && !step_known) {
            step = now.low.number - first;
            step_known = true;
        }
        if (from >= 0 && fits(wait, now)) {
            return;
        }
        even = even && now.known && may_begin;
        from = wait;
        first = now.low.number;
        others_first = now.high.number;
        warps = now.low.warps;
        others = now.high.warps;
        waited = needed.waited;
        step = 0;
        step_known = false;
    }

private:
    [[nodiscard]] bool fits(std::int64_t wait, const NeededArrivals& now) const {
        const auto more = (wait - from) * step;
        return now.known && now.low.warps == warps && now.high.warps == others &&
               now.low.number == first + more && (others == 0 || now.high.number == others_first + more);
    }
};

// Of one block.
class ArrivalOrder {
public:
    // A new barrier lies at this shared address.
    void begin(std::uint32_t barrier) { barriers_.erase(barrier); }
    // The warp makes its next arrival, at these barriers.
    void next(int warp) { ++made_[warp]; }
    void arrive(int warp, std::uint32_t barrier) {
        barriers_[barrier].now.arrivals[warp] = made_[warp];
        barriers_[barrier].now.waited = waited_[warp];
    }
    // The warp has waited for copies.
    void waited(int warp) { ++waited_[warp]; }
    void complete(std::uint32_t barrier) {
        auto& at = barriers_[barrier];
        at.before = at.now;
        at.now = {};
    }
    // The phase that was completed last; empty before the first.
    [[nodiscard]] const Phase& completed(std::uint32_t barrier) { return barriers_[barrier].before; }

private:
    struct Barrier {
        Phase now, before;
    };
    std::map<std::uint32_t, Barrier> barriers_;  // by shared address
    std::map<int, std::int64_t> made_, waited_;  // by warp
};

}  // namespace gpumodel::emulate
