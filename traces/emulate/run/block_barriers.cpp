// BAR: barriers of the whole block, or of a number of its threads.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

#include "base/diagnostics.h"
#include "traces/emulate/operations/lane_operations.h"
#include "traces/emulate/run/block_runner.h"

namespace gpumodel::emulate {

namespace {

constexpr std::uint8_t reduce_and = 1;
constexpr std::uint8_t reduce_or = 2;

bool waits_at(const Path& path, u32 number) {
    return path.wait == Wait::block_barrier && path.wait_for == number;
}

}  // namespace

bool BlockRunner::end_with_barrier(Warp& warp, const CodeBlock& block, u32 taken) {
    const auto& last = block.last;
    const auto first = static_cast<std::size_t>(std::countr_zero(taken));
    const u32 given = warp.slots[last.slot].at[first];
    const u32 number = given == cluster_barrier_number ? given : given & 0xfU;
    auto& barrier = barriers_[number];
    barrier.used = true;
    barrier.expected = last.has_count ? warp.slots[last.count_slot].at[first] : 0;
    // lanes that have ended, or never were, count with those of their warp
    const bool whole_warp = taken == warp.alive;
    barrier.arrived += whole_warp ? lane_count : std::popcount(taken);
    if (last.reduces) {
        const u32 votes = warp.predicate(last.vote) & taken;
        barrier.tainted =
            barrier.tainted || (warp.taint && (warp.taint->predicates[last.vote.index] & taken) != 0);
        barrier.count += static_cast<u32>(std::popcount(votes));
        barrier.all = barrier.all && votes == taken;
        barrier.any = barrier.any || votes != 0;
        barrier.reduction = last.reduction;
    }
    if (last.arrives_only) {
        return true;
    }
    return end_with_wait(warp, taken, Wait::block_barrier, number);
}

bool BlockRunner::barrier_is_complete(u32 number) const {
    const auto& barrier = barriers_[number];
    if (barrier.expected > 0) {
        return barrier.arrived >= barrier.expected;
    }
    return std::all_of(warps_.begin(), warps_.end(), [&](const Warp& warp) {
        return std::all_of(warp.paths.begin(), warp.paths.end(),
                           [&](const Path& path) { return waits_at(path, number); });
    });
}

void BlockRunner::set_barrier_results(u32 number) {
    const auto& barrier = barriers_[number];
    const bool holds =
        barrier.reduction == reduce_and ? barrier.all : barrier.reduction == reduce_or && barrier.any;
    for (auto& warp : warps_) {
        for (const auto& path : warp.paths) {
            if (waits_at(path, number)) {
                fill(warp.slots[barrier_count_slot], barrier.count);
                warp.predicates[barrier_predicate] = holds ? all_lanes : 0;
                if (warp.taint) {
                    warp.taint->slots[barrier_count_slot] = barrier.tainted ? all_lanes : 0;
                    warp.taint->predicates[barrier_predicate] = barrier.tainted ? all_lanes : 0;
                }
            }
        }
    }
}

bool BlockRunner::release_block_barrier(u32 number, bool complete) {
    if (!barriers_[number].used || !complete) {
        return false;
    }
    set_barrier_results(number);
    bool released = false;
    for (auto& warp : warps_) {
        for (auto& path : warp.paths) {
            if (waits_at(path, number)) {
                path.wait = Wait::none;
                released = true;
            }
        }
    }
    barriers_[number] = {};
    return released;
}

bool BlockRunner::release_block_barriers() {
    bool released = false;
    for (u32 number = 0; number < barrier_numbers; ++number) {
        const bool of_others_too = number == cluster_barrier_number && !state_.cluster.empty();
        released = release_block_barrier(number, !of_others_too && barrier_is_complete(number)) || released;
    }
    if (released || !program_.has_stack) {
        return released;
    }
    // Kepler counts warps: one that waits has arrived, whatever its other lanes do. Asked only when nothing
    // else goes on.
    const bool stuck = std::all_of(warps_.begin(), warps_.end(), [](const Warp& warp) {
        return std::all_of(warp.paths.begin(), warp.paths.end(),
                           [](const Path& path) { return path.wait != Wait::none; });
    });
    for (u32 number = 0; stuck && number < barrier_numbers; ++number) {
        const bool all = std::all_of(warps_.begin(), warps_.end(), [&](const Warp& warp) {
            return warp.paths.empty() ||
                   std::any_of(warp.paths.begin(), warp.paths.end(),
                               [&](const Path& path) { return waits_at(path, number); });
        });
        released = release_block_barrier(number, all) || released;
    }
    return released;
}

bool BlockRunner::is_at_cluster_barrier() const {
    return barrier_is_complete(cluster_barrier_number);
}

bool BlockRunner::release_cluster_barrier(const std::vector<std::unique_ptr<BlockRunner>>& cluster) {
    const bool all =
        cluster.size() > 1 && std::all_of(cluster.begin(), cluster.end(),
                                          [](const auto& runner) { return runner->is_at_cluster_barrier(); });
    bool released = false;
    for (const auto& runner : cluster) {
        released = runner->release_block_barrier(cluster_barrier_number, all) || released;
    }
    return released;
}

// A line for each place at which lanes wait.
void BlockRunner::fail_deadlock() const {
    struct Waiting {
        int lanes = 0, first_warp = 0;
    };
    std::map<std::uint64_t, Waiting> places;
    for (const auto& warp : warps_) {
        for (const auto& path : warp.paths) {
            const int at = path.block > 0 ? code_block(path.block - 1).end - 1 : 0;
            const auto place = places.try_emplace(program_.address_of(at), Waiting{0, warp.index}).first;
            place->second.lanes += std::popcount(path.mask);
        }
    }
    std::vector<Diagnostic> faults;
    for (const auto& [address, waiting] : places) {
        faults.push_back(
            {"", 0, 0, fmt::format("{:#06x}", address),
             fmt::format("deadlock: {} lane{} wait{} here for ever, the first in warp {}, as values in "
                         "device memory read as zero (block {},{},{})",
                         waiting.lanes, waiting.lanes == 1 ? "" : "s", waiting.lanes == 1 ? "s" : "",
                         waiting.first_warp, state_.index.x, state_.index.y, state_.index.z)});
    }
    throw InputError(InputErrorKind::invalid_input, std::move(faults));
}

}  // namespace gpumodel::emulate
