#include "model/launch/occupancy.h"

#include <algorithm>
#include <string_view>

#include "model/launch/occupancy_reason.h"
#include "model/launch/occupancy_steps.h"
#include "model/launch/resource_limits.h"

namespace gpumodel {

namespace {

void fill_limits(Occupancy& result, const ArchSpec& arch, const OccupancyRequest& request) {
    const auto& sm = arch.sm;
    result.warps_per_block = warps_of_block(sm, request.threads_per_block);
    result.limit_warps = warp_limit(sm, request.threads_per_block);
    result.limit_blocks = sm.max_blocks;
    result.limit_barriers = barrier_limit(sm, request.barriers_per_block);

    const auto registers = register_limit(sm, request.threads_per_block, request.registers_per_thread);
    result.limit_registers = registers.blocks;
    result.registers_allocated_per_warp = static_cast<int>(registers.allocated_per_unit);
    result.registers_allocated_per_block = registers.allocated_per_block;

    const auto shared = shared_limit(arch, request);
    result.limit_shared_memory = shared.blocks;
    result.shared_allocated_bytes = shared.allocated_bytes;
    result.carveout_bytes = shared.carveout_bytes;
}

void pick_limiters(Occupancy& result) {
    int blocks = std::min(result.limit_warps, result.limit_blocks);
    for (const auto& limit : {result.limit_registers, result.limit_shared_memory, result.limit_barriers}) {
        blocks = std::min(blocks, limit.value_or(blocks));
    }
    const auto add_if_equal = [&](std::optional<int> limit, OccupancyLimiter limiter) {
        if (limit == blocks) {
            result.limiters.push_back(limiter);
        }
    };
    add_if_equal(result.limit_warps, OccupancyLimiter::warps);
    add_if_equal(result.limit_registers, OccupancyLimiter::registers);
    add_if_equal(result.limit_shared_memory, OccupancyLimiter::shared_memory);
    add_if_equal(result.limit_blocks, OccupancyLimiter::blocks);
    add_if_equal(result.limit_barriers, OccupancyLimiter::barriers);
    result.blocks_per_sm = blocks;
}

}  // namespace

std::string_view to_string(OccupancyLimiter limiter) {
    switch (limiter) {
        case OccupancyLimiter::warps:
            return "warps";
        case OccupancyLimiter::registers:
            return "registers";
        case OccupancyLimiter::shared_memory:
            return "shared_memory";
        case OccupancyLimiter::blocks:
            return "blocks";
        case OccupancyLimiter::barriers:
            return "barriers";
        case OccupancyLimiter::launch_fails:
            return "launch_fails";
    }
    return "";
}

Occupancy compute_occupancy(const ArchSpec& arch, const OccupancyRequest& request) {
    Occupancy result;
    result.registers_asked_per_thread = request.registers_per_thread;
    result.shared_asked_bytes = request.shared_bytes_per_block;
    result.infeasible_reason = check_request(request);
    if (!result.infeasible_reason.empty()) {
        result.limiters.push_back(OccupancyLimiter::launch_fails);
        return result;
    }
    fill_limits(result, arch, request);
    pick_limiters(result);
    result.active_warps = result.blocks_per_sm * result.warps_per_block;
    result.occupancy = static_cast<double>(result.active_warps) / arch.sm.max_warps;
    if (result.blocks_per_sm == 0) {
        result.infeasible_reason = infeasible_reason(arch, request);
    }
    result.registers_fewer_for_next_block = registers_fewer(arch, request, result.blocks_per_sm);
    result.shared_bytes_fewer_for_next_block = shared_bytes_fewer(arch, request, result.blocks_per_sm);
    result.threads_fewer_for_next_block = threads_fewer(arch, request, result.blocks_per_sm);
    return result;
}

}  // namespace gpumodel
