#include "traces/emulate/data/grid_history.h"

#include <algorithm>

namespace gpumodel::emulate {

void GridHistory::keep(const std::set<std::int64_t>& allocations, const std::set<std::int64_t>& without) {
    allocations_ = allocations;
    without_ = without;
}

void GridHistory::add(std::int64_t address, Unit unit) {
    constexpr int word_bytes = 4;
    for (int half = 0; half < unit_bytes / word_bytes && !without_.empty(); ++half) {
        if (without_.contains(address + half * word_bytes)) {
            unit.written &= static_cast<std::uint8_t>(half == 0 ? 0xf0U : 0x0fU);
        }
    }
    if (unit.written == 0) {
        return;
    }
    const auto [found, first] = units_.try_emplace(address / unit_bytes);
    auto& left = found->second;
    if (!first) {
        const auto& last = left.last;
        for (int i = 0; i < unit_bytes; ++i) {
            if ((unit.written >> i & 1U) == 0) {
                const auto byte = std::uint64_t{0xff} << (8 * i);
                unit.value = (unit.value & ~byte) | (last.value & byte);
                unit.known = static_cast<std::uint8_t>((unit.known & ~(1U << i)) | (last.known & (1U << i)));
            }
        }
        unit.written |= last.written;
        left.earlier.push_back(last);
    }
    left.last = unit;
    ++size_;
}

const GridHistory::Unit* GridHistory::before(std::int64_t block, std::int64_t address) const {
    const auto found = units_.find(address / unit_bytes);
    if (found == units_.end()) {
        return nullptr;
    }
    const auto& [last, earlier] = found->second;
    if (last.block < block) {
        return &last;
    }
    const auto behind =
        std::lower_bound(earlier.begin(), earlier.end(), block,
                         [](const Unit& unit, std::int64_t number) { return unit.block < number; });
    return behind == earlier.begin() ? nullptr : &*std::prev(behind);
}

}  // namespace gpumodel::emulate
