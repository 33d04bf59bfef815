#include "model/memory/l2_halves.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "model/memory/read_merging.h"

namespace gpumodel {
namespace {

constexpr std::int64_t usual_run = 16;  // SMs of a GPC, where the spec says nothing

}  // namespace

L2Halves::L2Halves(const ArchSpec& arch, std::int64_t blocks)
    : count_(arch.l2.halves.value_or(1)),
      sms_(std::max(1, arch.sm_count)),
      run_(arch.l2.sms_per_half_run.value_or(usual_run)) {
    const auto sms_per_tpc = arch.l2.read_merging.sms_per_tpc;
    if (blocks * sms_per_tpc <= sms_) {
        run_ = std::max<std::int64_t>(1, run_ / sms_per_tpc);
    }
}

double room_of_read_byte(const L2Halves& halves, const Dim3& grid, std::int64_t blocks,
                         const SharedCoordinates& by) {
    if (halves.count() == 1) {
        return 1;
    }
    const BlockStrides strides{by.x ? 1 : 0, by.y ? grid.x : 0, by.z ? grid.x * grid.y : 0};
    std::vector<std::pair<std::int64_t, int>> reads;  // data and half
    for (std::int64_t b = 0; b < std::min(blocks, grid.count()); ++b) {
        reads.emplace_back(strides.offset(linear_block(grid, b)), halves.of_block(b));
    }
    std::sort(reads.begin(), reads.end());
    const auto in_halves = std::unique(reads.begin(), reads.end()) - reads.begin();
    std::int64_t distinct = 0;
    for (std::ptrdiff_t i = 0; i < in_halves; ++i) {
        const auto at = static_cast<std::size_t>(i);
        distinct += i == 0 || reads[at].first != reads[at - 1].first;
    }
    // of what a half does not read itself, the part at home there passes through
    const double own =
        distinct > 0 ? static_cast<double>(in_halves) / (halves.count() * static_cast<double>(distinct)) : 1;
    return own + (1 - own) / halves.count();
}

}  // namespace gpumodel
