// Which of a scheduler's ready warps issues. Warps are numbered by their place at the scheduler, at most 64.
//
//   loose_round_robin         the next ready one after the last that issued
//   greedy_then_oldest        the last that issued if ready, else one of the block that has been resident
//                             longest, among its warps the one in the highest warp slot. What the H200 does
//                             (microbenchmarks: loops of one block with 2 to 4 warps per scheduler keep the
//                             reuse entries of one warp, the higher slots end first; of several blocks that
//                             run the same loop the first to start ends first, block_order)
//   greedy_then_youngest      ... of the block that has been resident shortest. Huerta et al. 2025 find
//                             greedy, then youngest, which within a block is the same
//   greedy_then_highest_slot  ... the one in the highest warp slot, whatever its block
//   two_way_chain             node i alternates between warp i and the rest behind it; whoever is not
//                             ready is passed over.
//                             Always-ready warps get 1/2, 1/4, 1/8, 1/8 of the slots
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "model/sim/core/machine.h"

namespace gpumodel::sim {

class SchedulerState {
public:
    explicit SchedulerState(SchedulerPolicy policy) : policy_(policy) {}

    // `ready` is not 0. Does not change the state: a warp that then cannot issue is taken out and pick()
    // called again.
    [[nodiscard]] int pick(std::uint64_t ready) const {
        switch (policy_) {
            case SchedulerPolicy::two_way_chain: {
                const auto preferred = ready & prefer_self_;
                return preferred != 0 ? std::countr_zero(preferred) : 63 - std::countl_zero(ready);
            }
            case SchedulerPolicy::greedy_then_highest_slot:
                return is_ready(ready, last_) ? last_ : 63 - std::countl_zero(ready);
            case SchedulerPolicy::loose_round_robin:
                return last_ < 0 ? std::countr_zero(ready)
                                 : (std::countr_zero(std::rotr(ready, last_ + 1)) + last_ + 1) % 64;
            case SchedulerPolicy::greedy_then_oldest:
            case SchedulerPolicy::greedy_then_youngest:
                break;
        }
        return greedy(ready);
    }
    void issued(int warp) {
        const auto bit = std::uint64_t{1} << static_cast<unsigned>(warp);
        prefer_self_ = (prefer_self_ | (bit - 1)) & ~bit;
        last_ = warp;
    }
    // The warp was picked and stays so until it has issued, for the greedy policies.
    void holds(int warp) { last_ = warp; }
    // A new warp took the place; `age` grows with every block that starts.
    void started(int warp, std::int64_t age) {
        age_[static_cast<std::size_t>(warp)] = age;
        if (last_ == warp) {
            last_ = -1;
        }
    }

    // Of the block whose warp is in this place: the smaller, the longer resident.
    [[nodiscard]] std::int64_t age(int warp) const { return age_[static_cast<std::size_t>(warp)]; }

private:
    [[nodiscard]] static bool is_ready(std::uint64_t ready, int warp) {
        return warp >= 0 && ((ready >> static_cast<unsigned>(warp)) & 1U) != 0;
    }
    [[nodiscard]] int greedy(std::uint64_t ready) const {
        if (is_ready(ready, last_)) {
            return last_;
        }
        const bool oldest = policy_ == SchedulerPolicy::greedy_then_oldest;
        int best = std::countr_zero(ready);
        for (auto rest = ready & (ready - 1); rest != 0; rest &= rest - 1) {
            const int warp = std::countr_zero(rest);
            const auto a = age_[static_cast<std::size_t>(warp)];
            const auto b = age_[static_cast<std::size_t>(best)];
            if (oldest ? a <= b : a >= b) {
                best = warp;
            }
        }
        return best;
    }

    SchedulerPolicy policy_;
    std::uint64_t prefer_self_ = ~std::uint64_t{0};
    int last_ = -1;
    std::array<std::int64_t, max_warps_per_scheduler> age_{};
};

}  // namespace gpumodel::sim
