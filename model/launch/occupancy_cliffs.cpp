#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/launch/occupancy.h"
#include "model/launch/occupancy_reason.h"
#include "model/launch/resource_limits.h"

namespace gpumodel {

namespace {

// Where one axis is sampled: at the largest value of every allocation step, so that no cliff is missed.
std::vector<std::int64_t> samples(const ArchSpec& arch, const OccupancyRequest& request, OccupancyAxis axis) {
    const auto& sm = arch.sm;
    std::vector<std::int64_t> values;
    if (axis == OccupancyAxis::registers) {
        for (int registers = 1; registers <= sm.register_file.max_per_thread; ++registers) {
            values.push_back(registers);
        }
    } else if (axis == OccupancyAxis::threads) {
        for (int threads = sm.warp_size; threads <= sm.max_threads_per_block; threads += sm.warp_size) {
            values.push_back(threads);
        }
    } else {
        const auto& shared = sm.shared_memory;
        const auto unit = std::max<std::int64_t>(shared.allocation_unit_bytes, 1);
        const auto allowed = shared_limit(arch, request).allowed_bytes;
        for (std::int64_t allocated = 0; allocated <= allowed; allocated += unit) {
            if (allocated >= shared.reserved_per_block_bytes) {
                values.push_back(allocated - shared.reserved_per_block_bytes);
            }
        }
    }
    return values;
}

void set_axis(OccupancyRequest& request, OccupancyAxis axis, std::int64_t value) {
    if (axis == OccupancyAxis::registers) {
        request.registers_per_thread = static_cast<int>(value);
    } else if (axis == OccupancyAxis::threads) {
        request.threads_per_block = static_cast<int>(value);
    } else {
        request.shared_bytes_per_block = value;
    }
}

}  // namespace

std::vector<OccupancyStep> occupancy_cliffs(const ArchSpec& arch, const OccupancyRequest& request,
                                            OccupancyAxis axis) {
    std::vector<OccupancyStep> steps;
    auto trial = request;
    for (const auto value : samples(arch, request, axis)) {
        set_axis(trial, axis, value);
        if (!check_request(trial).empty()) {
            return {};
        }
        OccupancyStep step;
        step.up_to = value;
        step.blocks_per_sm = resident_blocks(arch, trial);
        step.active_warps = step.blocks_per_sm * warps_of_block(arch.sm, trial.threads_per_block);
        step.occupancy = static_cast<double>(step.active_warps) / arch.sm.max_warps;
        if (!steps.empty() && steps.back().blocks_per_sm == step.blocks_per_sm &&
            steps.back().active_warps == step.active_warps) {
            steps.back() = step;
        } else {
            steps.push_back(step);
        }
    }
    return steps;
}

}  // namespace gpumodel
