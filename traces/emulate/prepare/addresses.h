// Addresses of one memory instruction in all lanes.
#pragma once

#include <array>

#include "traces/emulate/operations/lane_operations.h"
#include "traces/emulate/prepare/program.h"
#include "traces/emulate/run/block_state.h"

namespace gpumodel::emulate {

inline const Access& access_of(const Warp& warp, const MicroOp& op) {
    return warp.block->program->accesses[static_cast<std::size_t>(op.immediate)];
}

// 32-bit addresses of shared memory, as offsets from the block's own part of it.
inline Lanes shared_addresses(const Warp& warp, const MicroOp& op, std::size_t base, i64 offset, u32 scale) {
    const auto& low = from(warp, op, base);
    const auto& uniform = from(warp, op, base == 0 ? 2 : base + 1);
    const u32 constant = low_word(static_cast<u64>(offset - warp.block->program->shared_reserved));
    Lanes result;
    if (scale == 1) {  // nearly always; products of 32 bits are slow in SSE2
        for (std::size_t i = 0; i < lane_count; ++i) {
            result.at[i] = low.at[i] + uniform.at[i] + constant;
        }
        return result;
    }
    for (std::size_t i = 0; i < lane_count; ++i) {
        result.at[i] = low.at[i] * scale + uniform.at[i] + constant;
    }
    return result;
}

inline Lanes shared_addresses(const Warp& warp, const MicroOp& op) {
    const auto& access = access_of(warp, op);
    return shared_addresses(warp, op, 0, access.offset, access.scale);
}

inline Lanes local_addresses(const Warp& warp, const MicroOp& op) {
    const auto& access = access_of(warp, op);
    const auto& low = from(warp, op, 0);
    const auto& uniform = from(warp, op, 2);
    const u32 constant = low_word(static_cast<u64>(access.offset));
    Lanes result;
    for (std::size_t i = 0; i < lane_count; ++i) {
        result.at[i] = low.at[i] * access.scale + uniform.at[i] + constant;
    }
    return result;
}

// Where in its window a generic address lies, -1 if not there. Shared: behind the reserved bytes, if any.
inline i64 local_window_offset(i64 address) {
    return address >= local_window && address < local_window + window_bytes ? address - local_window : -1;
}
inline i64 shared_window_offset(i64 address) {
    if (address >= shared_window && address < shared_window + window_bytes) {
        return address - shared_window;
    }
    const u32 low = low_word(static_cast<u64>(address));
    if (high_word(static_cast<u64>(address)) != shared_window_high) {
        return -1;
    }
    return low >= shared_window ? low - shared_window : i64{low};  // with SR_SWINLO in it
}

using LongLanes = std::array<std::int64_t, lane_count>;

inline void global_addresses(const Warp& warp, const MicroOp& op, LongLanes& result) {
    const auto& low = from(warp, op, 0);
    const auto& high = from(warp, op, 1);
    // the uniform part is one number
    const auto uniform = join(from(warp, op, 2).at[0], from(warp, op, 3).at[0]);
    const auto constant = static_cast<u64>(access_of(warp, op).offset) + uniform;
    for (std::size_t i = 0; i < lane_count; ++i) {
        result[i] = static_cast<i64>(join(low.at[i], high.at[i]) + constant);
    }
}

}  // namespace gpumodel::emulate
