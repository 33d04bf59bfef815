#include "model/memory/block_sharing.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace gpumodel {
namespace {

// Distinct data of `drawn` of `blocks` blocks, of which counts[i] read the same.
double distinct_of(const std::vector<double>& counts, double blocks, std::int64_t drawn) {
    double sum = 0;
    for (const double alike : counts) {
        double none = 1;  // that none of these is drawn
        for (std::int64_t i = 0; i < drawn; ++i) {
            const auto gone = static_cast<double>(i);
            none *= std::max(0.0, blocks - alike - gone) / (blocks - gone);
        }
        sum += 1 - none;
    }
    return sum;
}

}  // namespace

double blocks_that_share(const Dim3& grid, const BlockStrides& strides, const Waves& waves) {
    const auto blocks = grid.count();
    const auto at_once = static_cast<std::int64_t>(waves.sm_count) * waves.blocks_per_sm;
    if (blocks > at_once || blocks <= waves.sm_count) {
        return 0;
    }
    std::map<std::int64_t, double> by_data;
    for (std::int64_t b = 0; b < blocks; ++b) {
        by_data[strides.offset(linear_block(grid, b))] += 1;
    }
    std::vector<double> counts;
    for (const auto& [data, count] : by_data) {
        counts.push_back(count);
    }
    const auto fewest = blocks / waves.sm_count, with_more = blocks % waves.sm_count;
    double sharing = 0;
    for (const auto& [sms, held] : {std::pair{waves.sm_count - with_more, fewest}, {with_more, fewest + 1}}) {
        if (sms == 0) {
            continue;  // nor are there so many blocks
        }
        const auto all = static_cast<double>(held);
        sharing += static_cast<double>(sms) * (all - distinct_of(counts, static_cast<double>(blocks), held));
    }
    return sharing;
}

}  // namespace gpumodel
