// Walking the lanes of a mask, lowest first; a full warp, the common case, goes without bit scans.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace gpumodel {

// Calls visit(lane) with lane a std::size_t of 0 ... 31.
template <typename Visit>
void for_each_lane(std::uint32_t lanes, Visit visit) {
    if (lanes == ~std::uint32_t{0}) {
        for (std::size_t lane = 0; lane < 32; ++lane) {
            visit(lane);
        }
        return;
    }
    for (; lanes != 0; lanes &= lanes - 1) {
        visit(static_cast<std::size_t>(std::countr_zero(lanes)));
    }
}

}  // namespace gpumodel
