#include "model/launch/waves.h"

#include <algorithm>

namespace gpumodel {

Waves deal_blocks(std::int64_t blocks, int sm_count, int blocks_per_sm) {
    Waves w;
    w.blocks = blocks;
    w.sm_count = sm_count;
    w.blocks_per_sm = blocks_per_sm;
    w.waves = static_cast<double>(blocks) / (static_cast<double>(sm_count) * blocks_per_sm);
    w.busiest_sm_blocks = (blocks + sm_count - 1) / sm_count;
    w.full_rounds = w.busiest_sm_blocks / blocks_per_sm;
    w.tail_blocks = static_cast<int>(w.busiest_sm_blocks % blocks_per_sm);
    w.active_sms = std::min<std::int64_t>(blocks, sm_count);
    return w;
}

}  // namespace gpumodel
