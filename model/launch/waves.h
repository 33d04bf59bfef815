// How a grid is dealt to the SMs: breadth first, one block per SM until every SM has one, then again
// until each holds blocks_per_sm; afterwards a freed slot takes the next block (H200
// microbenchmarks). The busiest SM, which ends the launch, runs ceil(blocks / SMs) blocks.
#pragma once

#include <cstdint>

namespace gpumodel {

struct Waves {
    std::int64_t blocks = 0;
    int sm_count = 0;                    // that blocks are dealt to
    int blocks_per_sm = 0;               // resident at once
    double waves = 0;                    // blocks / (sm_count * blocks_per_sm): Nsight's waves per SM
    std::int64_t busiest_sm_blocks = 0;  // ceil(blocks / sm_count)
    std::int64_t full_rounds = 0;        // of blocks_per_sm blocks on the busiest SM
    int tail_blocks = 0;                 // blocks of its last, partial round; 0 = none
    std::int64_t active_sms = 0;         // SMs that get any block
    int sms_left_over = 0;               // beyond sm_count, where clusters find no room (cluster_room.h)
    std::int64_t clusters_at_once = 0;   // 0 = no clusters, or no limit known

    // Of one SM, if all SMs of the GPU got equally many.
    [[nodiscard]] double even_blocks() const {
        return static_cast<double>(blocks) / (sm_count + sms_left_over);
    }

    // How many times the busiest SM's blocks the launch has: whose even share of a rate it gets.
    [[nodiscard]] double shares() const {
        return static_cast<double>(blocks) / static_cast<double>(busiest_sm_blocks);
    }
};

// blocks >= 1, sm_count >= 1, blocks_per_sm >= 1.
[[nodiscard]] Waves deal_blocks(std::int64_t blocks, int sm_count, int blocks_per_sm);

}  // namespace gpumodel
