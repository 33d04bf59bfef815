#include "model/launch/resource_limits.h"

#include <algorithm>

namespace gpumodel {

namespace {

constexpr std::int64_t round_up(std::int64_t value, std::int64_t unit) {
    return unit <= 1 ? value : (value + unit - 1) / unit * unit;
}

// cc 2.x quirk (cuda_occupancy.h of CUDA 7.0): some register counts are allocated in twice the unit.
std::int64_t allocation_unit(const RegisterFile& file, int registers_per_thread) {
    const auto& doubled = file.double_unit_counts;
    const bool twice = std::find(doubled.begin(), doubled.end(), registers_per_thread) != doubled.end();
    return std::int64_t{file.allocation_unit} * (twice ? 2 : 1);
}

std::int64_t blocks_by_registers(const Sm& sm, const RegisterLimit& limit, int warps) {
    const auto& file = sm.register_file;
    if (file.allocation == RegisterAllocation::block) {
        return file.size / limit.allocated_per_block;
    }
    const std::int64_t partitions = std::max(sm.sub_partitions, 1);
    return file.size / partitions / limit.allocated_per_unit * partitions / warps;
}

std::int64_t preferred_carveout(const SharedMemory& shared, std::optional<int> percent) {
    const auto& options = shared.carveouts_bytes;
    const auto largest = options.back();
    if (!percent) {
        return largest;
    }
    const auto wanted = largest * *percent / 100;
    const auto option = std::lower_bound(options.begin(), options.end(), wanted);
    return option == options.end() ? largest : *option;
}

// A block that needs more than the preferred carve-out gets the smallest option that holds one block
// where shared memory and L1 are one array (cc >= 7.0), and the largest one before.
std::int64_t carveout_for(const ArchSpec& arch, std::optional<int> percent, std::int64_t allocated) {
    const auto& options = arch.sm.shared_memory.carveouts_bytes;
    const auto preferred = preferred_carveout(arch.sm.shared_memory, percent);
    if (preferred >= allocated) {
        return preferred;
    }
    const auto option = std::lower_bound(options.begin(), options.end(), allocated);
    return arch.cc.major < 7 || option == options.end() ? options.back() : *option;
}

}  // namespace

int warps_of_block(const Sm& sm, int threads_per_block) {
    return static_cast<int>((std::int64_t{threads_per_block} + sm.warp_size - 1) / sm.warp_size);
}

int warp_limit(const Sm& sm, int threads_per_block) {
    return threads_per_block > sm.max_threads_per_block
               ? 0
               : sm.max_warps / warps_of_block(sm, threads_per_block);
}

RegisterLimit register_limit(const Sm& sm, int threads_per_block, int registers_per_thread) {
    const auto& file = sm.register_file;
    const auto warps = warps_of_block(sm, threads_per_block);
    const auto unit = allocation_unit(file, registers_per_thread);
    const auto rounded_warps = round_up(warps, file.warp_granularity);
    const auto per_warp = std::int64_t{registers_per_thread} * sm.warp_size;

    RegisterLimit limit;
    if (file.allocation == RegisterAllocation::block) {
        limit.allocated_per_block = round_up(per_warp * rounded_warps, unit);
        limit.allocated_per_unit = limit.allocated_per_block;
        limit.assumed_per_block = limit.allocated_per_block;
    } else {
        limit.allocated_per_unit = round_up(per_warp, unit);
        limit.allocated_per_block = limit.allocated_per_unit * warps;
        limit.assumed_per_block = limit.allocated_per_unit * rounded_warps;
    }
    if (registers_per_thread > file.max_per_thread || limit.assumed_per_block > file.max_per_block) {
        limit.blocks = 0;
    } else if (registers_per_thread > 0) {
        limit.blocks = static_cast<int>(blocks_by_registers(sm, limit, warps));
    }
    return limit;
}

SharedLimit shared_limit(const ArchSpec& arch, const OccupancyRequest& request) {
    const auto& shared = arch.sm.shared_memory;
    const auto per_block = request.allow_optin_shared
                               ? shared.max_per_block_optin_bytes.value_or(shared.max_per_block_bytes)
                               : shared.max_per_block_bytes;
    SharedLimit limit;
    limit.allocated_bytes = round_up(request.shared_bytes_per_block + shared.reserved_per_block_bytes,
                                     shared.allocation_unit_bytes);
    limit.allowed_bytes = per_block + shared.reserved_per_block_bytes;
    limit.carveout_bytes = carveout_for(arch, request.carveout_percent, limit.allocated_bytes);
    if (limit.allocated_bytes > limit.allowed_bytes) {
        limit.blocks = 0;
    } else if (limit.allocated_bytes > 0) {
        limit.blocks = static_cast<int>(limit.carveout_bytes / limit.allocated_bytes);
    }
    return limit;
}

std::optional<int> barrier_limit(const Sm& sm, int barriers_per_block) {
    if (sm.max_barriers == 0 || barriers_per_block == 0 ||
        sm.max_barriers / barriers_per_block >= sm.max_blocks) {
        return std::nullopt;
    }
    return sm.max_barriers / barriers_per_block;
}

int resident_blocks(const ArchSpec& arch, const OccupancyRequest& request) {
    int blocks = std::min(arch.sm.max_blocks, warp_limit(arch.sm, request.threads_per_block));
    const auto registers = register_limit(arch.sm, request.threads_per_block, request.registers_per_thread);
    blocks = std::min(blocks, registers.blocks.value_or(blocks));
    blocks = std::min(blocks, shared_limit(arch, request).blocks.value_or(blocks));
    return std::min(blocks, barrier_limit(arch.sm, request.barriers_per_block).value_or(blocks));
}

}  // namespace gpumodel
