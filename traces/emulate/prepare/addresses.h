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

// In a cluster the upper byte of a shared address is the rank of the block whose memory it is.
inline constexpr unsigned cluster_rank_shift = 24;
inline constexpr u32 cluster_offset_mask = (u32{1} << cluster_rank_shift) - 1;

// The offset in its block's own part of shared memory of an address less what is reserved in front of it.
inline u32 offset_in_block(const Warp& warp, u32 address) {
    return warp.block->program->in_clusters ? address & cluster_offset_mask : address;
}
// The block whose shared memory an address, less what is reserved, lies in.
inline BlockState& block_of_address(Warp& warp, u32 address) {
    auto& cluster = warp.block->cluster;
    const auto rank = static_cast<std::size_t>(address >> cluster_rank_shift);
    return rank < cluster.size() ? *cluster[rank] : *warp.block;
}

// 32-bit addresses of shared memory less what is reserved there: offsets from the block's own part of it, in
// clusters with the rank.
inline Lanes ranked_addresses(const Warp& warp, const MicroOp& op, std::size_t base, i64 offset, u32 scale) {
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

// Offsets from the block's own part of shared memory.
inline Lanes shared_addresses(const Warp& warp, const MicroOp& op, std::size_t base, i64 offset, u32 scale) {
    auto result = ranked_addresses(warp, op, base, offset, scale);
    if (warp.block->program->in_clusters) {
        for (auto& address : result.at) {
            address &= cluster_offset_mask;
        }
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
    return i64{low & cluster_offset_mask};  // without SR_SWINLO, or the rank of a block of the cluster
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
