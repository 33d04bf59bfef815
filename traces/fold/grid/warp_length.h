// How long a warp alone takes about, to compare warps and blocks: its instructions, and where it waits for
// what it has loaded, as it does at the first use of what a load from device memory brings.
#pragma once

#include <cstdint>
#include <vector>

#include "traces/warp_events.h"

namespace gpumodel {

// `estimated`: a trip to L2 is about 300 cycles (h200_sxm: 262 and what queues), an instruction of a warp
// alone about 6.
inline constexpr std::int64_t instructions_of_a_wait = 50;

// Of straight pieces of code, by their first instruction and the one behind their last.
class WarpLength {
public:
    // Waits are counted as if the code were run through once, in the order of its addresses.
    explicit WarpLength(const StaticCode& code);
    [[nodiscard]] std::int64_t of(int begin, int end) const {
        const auto waits =
            waits_before_[static_cast<std::size_t>(end)] - waits_before_[static_cast<std::size_t>(begin)];
        return end - begin + instructions_of_a_wait * waits;
    }

private:
    std::vector<std::int32_t> waits_before_;  // one more than there are instructions
};

}  // namespace gpumodel
