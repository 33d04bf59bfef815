// One warp-wide memory access: 32 byte addresses, the width per lane and the active lanes.
#pragma once

#include <array>
#include <cstdint>

namespace gpumodel {

struct WarpAccess {
    std::array<std::int64_t, 32> address{};  // byte address of each lane
    std::uint32_t active = 0xffffffffU;      // bit l = lane l takes part
    int bytes_per_lane = 4;                  // 1, 2, 4, 8 or 16; addresses are aligned to it
    bool matrix_rows = false;                // rows of 8x8 matrices, eight lanes each (LDSM, STSM)

    [[nodiscard]] bool is_active(int lane) const {
        return ((active >> static_cast<unsigned>(lane)) & 1U) != 0;
    }
    friend bool operator==(const WarpAccess&, const WarpAccess&) = default;
};

}  // namespace gpumodel
