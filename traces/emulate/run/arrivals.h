// Which arrivals at barriers in shared memory a wait needs: those of the phase that it waits for, numbered by
// warp in the order in which each makes its own.
#pragma once

#include <cstdint>
#include <map>
#include <set>

namespace gpumodel::emulate {

// By warp: the number, from 1 on, of its last arrival in a phase.
using PhaseArrivals = std::map<int, std::int64_t>;

struct Phase {
    PhaseArrivals arrivals;
    std::int64_t waited = 0;  // waits for copies that the warp that arrived last had passed
};

// Of one wait instruction. Known where no wait needs an arrival up to some number of them, and from then on
// each needs the same warps' arrivals of one number that goes up evenly, in all warps and blocks.
struct ArrivalWait {
    static constexpr int most_warps = 32;  // others' numbers are not known
    std::int64_t from = -1;                // waits before the first that needs any; -1: none did
    std::int64_t first = 0, step = 0;
    std::int64_t without = 0;  // waits known to need none
    std::int64_t waited = 0;   // Phase, of the first that it needs
    std::uint32_t warps = 0;
    bool even = true, step_known = false;

    void note(std::int64_t wait, const Phase& needed) {
        const auto& phase = needed.arrivals;
        if (phase.empty()) {
            without = wait < without ? without : wait + 1;
            even = even && (from < 0 || wait < from);
            return;
        }
        const auto number = phase.begin()->second;
        std::uint32_t who = 0;
        for (const auto& [warp, arrival] : phase) {
            even = even && warp < most_warps && arrival == number;
            who |= warp < most_warps ? std::uint32_t{1} << static_cast<unsigned>(warp) : 0;
        }
        if (from < 0) {
            from = wait;
            first = number;
            warps = who;
            waited = needed.waited;
        } else if (wait == from + 1 && !step_known) {
            step = number - first;
            step_known = true;
        }
        even =
            even && wait >= from && wait >= without && who == warps && number == first + (wait - from) * step;
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
