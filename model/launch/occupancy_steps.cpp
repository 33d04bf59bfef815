#include "model/launch/occupancy_steps.h"

#include <algorithm>

#include "model/launch/resource_limits.h"

namespace gpumodel {

namespace {

// The largest value in [low, high] for which `gains` holds, given that it holds below any value for
// which it holds; empty if it does not even hold at `low`.
template <typename Predicate>
std::optional<int> largest_gaining(int low, int high, Predicate gains) {
    if (high < low || !gains(low)) {
        return std::nullopt;
    }
    while (low < high) {
        const int middle = low + (high - low + 1) / 2;
        if (gains(middle)) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

}  // namespace

std::optional<int> registers_fewer(const ArchSpec& arch, const OccupancyRequest& request, int blocks) {
    auto trial = request;
    const auto gains = [&](int registers) {
        trial.registers_per_thread = registers;
        return resident_blocks(arch, trial) > blocks;
    };
    const int above_cap = arch.sm.register_file.max_per_thread + 1;
    const auto best = largest_gaining(1, std::min(request.registers_per_thread, above_cap) - 1, gains);
    return best ? std::optional(request.registers_per_thread - *best) : std::nullopt;
}

std::optional<std::int64_t> shared_bytes_fewer(const ArchSpec& arch, const OccupancyRequest& request,
                                               int blocks) {
    const auto& shared = arch.sm.shared_memory;
    const auto unit = std::max<std::int64_t>(shared.allocation_unit_bytes, 1);
    auto trial = request;
    std::optional<std::int64_t> best;
    // blocks + 1 allocations must fit one of the carve-outs and one the per-block limit, so the sought size
    // is the largest that does.
    const auto consider = [&](std::int64_t allocated) {
        const auto size = allocated / unit * unit - shared.reserved_per_block_bytes;
        if (size < 0 || size >= request.shared_bytes_per_block || (best && size <= *best)) {
            return;
        }
        trial.shared_bytes_per_block = size;
        if (resident_blocks(arch, trial) > blocks) {
            best = size;
        }
    };
    for (const auto option : shared.carveouts_bytes) {
        consider(option / (blocks + 1));
    }
    consider(shared_limit(arch, request).allowed_bytes);
    return best ? std::optional(request.shared_bytes_per_block - *best) : std::nullopt;
}

std::optional<int> threads_fewer(const ArchSpec& arch, const OccupancyRequest& request, int blocks) {
    const auto& sm = arch.sm;
    auto trial = request;
    const auto threads_of = [&](int warps) {
        return std::min(warps * sm.warp_size, sm.max_threads_per_block);
    };
    const auto gains = [&](int warps) {
        trial.threads_per_block = threads_of(warps);
        return resident_blocks(arch, trial) > blocks;
    };
    const int last = std::min(warps_of_block(sm, request.threads_per_block) - 1,
                              warps_of_block(sm, sm.max_threads_per_block));
    const auto best = largest_gaining(1, last, gains);
    return best ? std::optional(request.threads_per_block - threads_of(*best)) : std::nullopt;
}

}  // namespace gpumodel
