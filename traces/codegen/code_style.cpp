#include "traces/codegen/code_style.h"

namespace gpumodel {

CodeStyle code_style(const Target& target) {
    const int cc = target.cc.number();
    CodeStyle style;
    style.generation = code_generation(target);
    style.reuse_flags = cc >= 50;
    style.stall_counts = cc >= 70;
    // CUDA programming guide, arithmetic throughput: 128 FP32 results per clock and SM in 5.x, 6.1, 6.2, 8.6
    // and later, 64 in 6.0, 7.x and 8.0.
    style.full_rate_fp32 = cc >= 86 || (cc >= 50 && cc < 70 && cc != 60);
    style.flag_period = cc >= 70 && !style.full_rate_fp32 ? 6 : 0;
    // Study of compiled listings: four quads, five on sm_90; four to five where steps are unrolled.
    const bool hopper = style.generation >= CodeGeneration::hopper;
    style.rolled_fragment_words = hopper ? 20 : 16;
    // There (CUDA 13.0, 60 warp tiles) loads stand 16 to 24 FFMAs ahead of their use.
    style.unrolled_fragment_words = hopper ? 16 : 20;
    // Listings of all families that unroll, registers permitting: 24 to 36 products (mostly 28 to 33), a
    // shared load's latency. Earlier generations do so, too (16 and more on sm_70 and sm_80), but with it the
    // analytic model is further from the published A6000 rows.
    style.products_ahead = hopper ? 30 : 0;
    return style;
}

}  // namespace gpumodel
