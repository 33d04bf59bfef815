#include "model/memory/l2_halves.h"

#include <algorithm>
#include <bit>
#include <cstdint>
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
    const auto last = linear_block(grid, std::min(blocks, grid.count()) - 1);
    const std::int64_t columns = by.x ? (last.y > 0 || last.z > 0 ? grid.x : last.x + 1) : 1;
    const std::int64_t rows = by.y ? (last.z > 0 ? grid.y : last.y + 1) : 1;
    const std::int64_t planes = by.z ? last.z + 1 : 1;
    const BlockStrides strides{by.x ? 1 : 0, by.y ? columns : 0, by.z ? columns * rows : 0};
    std::vector<std::uint32_t> readers(
        static_cast<std::size_t>(columns * rows * planes));  // halves of each datum
    Dim3 block{0, 0, 0};
    for (std::int64_t b = 0; b < std::min(blocks, grid.count());) {
        const auto half = 1U << static_cast<unsigned>(halves.of_block(b));
        for (const auto end = std::min({halves.end_of_run(b), blocks, grid.count()}); b < end; ++b) {
            readers[static_cast<std::size_t>(strides.offset(block))] |= half;
            if (++block.x == grid.x) {
                block.x = 0;
                block.z += ++block.y == grid.y ? 1 : 0;
                block.y = block.y == grid.y ? 0 : block.y;
            }
        }
    }
    std::int64_t in_halves = 0, distinct = 0;
    for (const auto of_datum : readers) {
        in_halves += std::popcount(of_datum);
        distinct += of_datum != 0 ? 1 : 0;
    }
    // of what a half does not read itself, the part at home there passes through
    const double own =
        distinct > 0 ? static_cast<double>(in_halves) / (halves.count() * static_cast<double>(distinct)) : 1;
    return own + (1 - own) / halves.count();
}

}  // namespace gpumodel
