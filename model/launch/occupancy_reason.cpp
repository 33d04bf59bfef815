#include "model/launch/occupancy_reason.h"

#include <fmt/format.h>

#include <vector>

namespace gpumodel {

namespace {

using Reasons = std::vector<std::string>;

void explain_threads(const Sm& sm, int threads, Reasons& reasons) {
    if (threads > sm.max_threads_per_block) {
        reasons.push_back(
            fmt::format("{} threads per block asked, {} allowed", threads, sm.max_threads_per_block));
    } else if (warp_limit(sm, threads) == 0) {
        reasons.push_back(fmt::format("{} warps per block asked, {} per SM available",
                                      warps_of_block(sm, threads), sm.max_warps));
    }
}

void explain_registers(const Sm& sm, const OccupancyRequest& request, Reasons& reasons) {
    const auto& file = sm.register_file;
    const auto limit = register_limit(sm, request.threads_per_block, request.registers_per_thread);
    if (limit.blocks.value_or(1) > 0) {
        return;
    }
    if (request.registers_per_thread > file.max_per_thread) {
        reasons.push_back(fmt::format("{} registers per thread asked, {} allowed",
                                      request.registers_per_thread, file.max_per_thread));
    } else if (limit.assumed_per_block > file.max_per_block) {
        reasons.push_back(fmt::format("{} registers per block asked ({} per thread, rounded), {} allowed",
                                      limit.assumed_per_block, request.registers_per_thread,
                                      file.max_per_block));
    } else {
        reasons.push_back(
            fmt::format("{} registers per block asked, {} per SM in {} sub-partitions available",
                        limit.allocated_per_block, file.size, sm.sub_partitions));
    }
}

void explain_shared(const ArchSpec& arch, const OccupancyRequest& request, Reasons& reasons) {
    const auto limit = shared_limit(arch, request);
    if (limit.blocks.value_or(1) > 0) {
        return;
    }
    const auto& shared = arch.sm.shared_memory;
    const bool above_block = limit.allocated_bytes > limit.allowed_bytes;
    auto reason =
        fmt::format("{} bytes of shared memory per block asked, {} {}", request.shared_bytes_per_block,
                    above_block ? limit.allowed_bytes - shared.reserved_per_block_bytes
                                : limit.carveout_bytes - shared.reserved_per_block_bytes,
                    above_block ? "allowed" : "per SM available");
    if (above_block && !request.allow_optin_shared && shared.max_per_block_optin_bytes) {
        reason += fmt::format(" ({} with opt-in)", *shared.max_per_block_optin_bytes);
    }
    reasons.push_back(std::move(reason));
}

void explain_slots(const Sm& sm, int barriers, Reasons& reasons) {
    if (sm.max_blocks == 0) {
        reasons.emplace_back("the SM has no block slots");
    }
    if (barrier_limit(sm, barriers).value_or(1) == 0) {
        reasons.push_back(
            fmt::format("{} barriers per block asked, {} per SM available", barriers, sm.max_barriers));
    }
}

}  // namespace

std::string check_request(const OccupancyRequest& request) {
    Reasons faults;
    if (request.threads_per_block < 1) {
        faults.push_back(
            fmt::format("{} threads per block asked, at least 1 needed", request.threads_per_block));
    }
    if (request.registers_per_thread < 0) {
        faults.push_back(
            fmt::format("{} registers per thread asked, at least 0 needed", request.registers_per_thread));
    }
    if (request.shared_bytes_per_block < 0) {
        faults.push_back(fmt::format("{} bytes of shared memory per block asked, at least 0 needed",
                                     request.shared_bytes_per_block));
    }
    if (request.barriers_per_block < 0) {
        faults.push_back(
            fmt::format("{} barriers per block asked, at least 0 needed", request.barriers_per_block));
    }
    if (const auto percent = request.carveout_percent.value_or(0); percent < 0 || percent > 100) {
        faults.push_back(fmt::format("carve-out hint of {} % asked, 0 to 100 % allowed", percent));
    }
    return fmt::format("{}", fmt::join(faults, "; "));
}

std::string infeasible_reason(const ArchSpec& arch, const OccupancyRequest& request) {
    Reasons reasons;
    explain_threads(arch.sm, request.threads_per_block, reasons);
    explain_registers(arch.sm, request, reasons);
    explain_shared(arch, request, reasons);
    explain_slots(arch.sm, request.barriers_per_block, reasons);
    return fmt::format("{}", fmt::join(reasons, "; "));
}

}  // namespace gpumodel
