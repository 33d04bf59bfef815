// Where diverged lanes wait for each other: convergence barriers, Kepler's stack, WARPSYNC.
#include <algorithm>
#include <bit>

#include "base/hash.h"
#include "traces/emulate/operations/lane_operations.h"
#include "traces/emulate/run/block_runner.h"

namespace gpumodel::emulate {

bool BlockRunner::end_with_meeting(Warp& warp, const CodeBlock& block, u32 taken) {
    if (program_.has_stack) {
        return end_with_unwinding(warp, taken, Meeting::Kind::sync, true);
    }
    const auto first = static_cast<std::size_t>(std::countr_zero(taken));
    const u32 meeting = warp.meeting_of[static_cast<std::size_t>(block.last.barrier)].at[first];
    if (meeting == 0 || meeting > warp.meetings.size()) {
        return true;  // none was opened
    }
    auto& place = warp.meetings[meeting - 1];
    if (taken == warp.paths[warp.current].mask && (place.expected & warp.alive & ~taken) == 0) {
        warp.paths[warp.current].block = place.target;
        warp.close_meeting(static_cast<int>(meeting) - 1);
        return true;
    }
    return end_with_wait(warp, taken, Wait::meeting, meeting - 1);
}

bool BlockRunner::end_with_unwinding(Warp& warp, u32 taken, Meeting::Kind kind, bool top_only) {
    auto stack = warp.paths[warp.current].stack;
    while (!stack.empty()) {
        const int meeting = stack.back();
        stack.pop_back();
        auto& place = warp.meetings[static_cast<std::size_t>(meeting)];
        if (top_only || place.kind == kind) {
            const bool goes_on = end_with_wait(warp, taken, Wait::meeting, static_cast<u32>(meeting));
            warp.paths[goes_on ? warp.paths.size() - 1 : warp.current].stack = std::move(stack);
            return goes_on;
        }
        place.expected &= ~taken;
    }
    fail(warp, code_block(warp.paths[warp.current].block - 1).end - 1,
         "leaves a region that no SSY, PBK, PCNT or CAL has opened");
}

bool BlockRunner::end_with_call(Warp& warp, const CodeBlock& block) {
    const u32 taken = warp.paths[warp.current].mask & warp.predicate(block.last.guard);
    const int back = warp.paths[warp.current].block;
    auto& callee = warp.paths[split(warp, taken, block.target)];
    callee.stack.push_back(warp.open_meeting(Meeting::Kind::call, taken, back));
    return true;
}

bool BlockRunner::release_meetings(Warp& warp) {
    bool released = false;
    for (std::size_t i = 0; i < warp.paths.size(); ++i) {
        if (warp.paths[i].wait == Wait::meeting && release_meeting(warp, warp.paths[i].wait_for)) {
            released = true;
            i = 0;
        }
    }
    return released;
}

// When all expected lanes that still run are there, they become one path.
bool BlockRunner::release_meeting(Warp& warp, u32 meeting) {
    const auto waits_here = [&](const Path& path) {
        return path.wait == Wait::meeting && path.wait_for == meeting;
    };
    u32 arrived = 0;
    for (const auto& path : warp.paths) {
        arrived |= waits_here(path) ? path.mask : 0;
    }
    const auto& place = warp.meetings[meeting];
    if ((place.expected & warp.alive & ~arrived) != 0) {
        return false;
    }
    const auto first = std::find_if(warp.paths.begin(), warp.paths.end(), waits_here);
    first->mask = arrived;
    first->wait = Wait::none;
    first->block = place.target;
    warp.paths.erase(std::remove_if(std::next(first), warp.paths.end(), waits_here), warp.paths.end());
    warp.close_meeting(static_cast<int>(meeting));
    return true;
}

namespace {

// Of all that decides how the current path goes on, of the registers those of these lanes.
std::uint64_t state_of(const Warp& warp, u32 lanes) {
    ValueHash hash;
    hash.add(warp.paths[warp.current].block, lanes);
    for (std::size_t slot = 0; slot < first_constant_slot; ++slot) {
        for (u32 left = lanes; left != 0; left &= left - 1) {
            hash.add(warp.slots[slot].at[static_cast<std::size_t>(std::countr_zero(left))]);
        }
    }
    for (const u32 predicate : warp.predicates) {
        hash.add(predicate);
    }
    return hash.value();
}

}  // namespace

// A path that gives way (YIELD, NANOSLEEP) and is where it was when it last did waits for somebody else: if
// its own lanes wait for it where they are to meet, they may hold what it waits for, as a lock. They go on
// without it, and it meets with nobody but its own lanes. The H200 lets them go on the first time already
// (validate/microbench/give_way), but finds together again those that part so in a loop, which is not known
// here: they would go through all that follows one by one.
void BlockRunner::give_way(Warp& warp) {
    const bool waited_for = std::any_of(warp.paths.begin(), warp.paths.end(), [&](const Path& other) {
        return other.wait == Wait::meeting &&
               (warp.meetings[other.wait_for].expected & warp.paths[warp.current].mask) != 0;
    });
    if (!waited_for || program_.has_stack) {
        return;
    }
    auto& path = warp.paths[warp.current];
    const u32 lanes = path.mask;
    const auto was_here = [&](u32 those) {
        const auto state = state_of(warp, those);
        const bool known =
            std::find(path.given_way.begin(), path.given_way.end(), state) != path.given_way.end();
        path.given_way[path.times_given_way++ % path.given_way.size()] = state;
        return known;
    };
    if (!was_here(lanes)) {
        return;
    }
    part_from_those_that_wait(warp);
    release_meetings(warp);
    const auto is_own = [&](const Path& other) { return (other.mask & lanes) != 0; };
    warp.current = static_cast<std::size_t>(std::find_if(warp.paths.begin(), warp.paths.end(), is_own) -
                                            warp.paths.begin());
}

// The current path's lanes are expected nowhere any more where others wait, but meet there by themselves.
void BlockRunner::part_from_those_that_wait(Warp& warp) {
    for (const auto& other : warp.paths) {
        if (other.wait != Wait::meeting) {
            continue;
        }
        const u32 meeting = other.wait_for;
        const u32 late = warp.meetings[meeting].expected & warp.paths[warp.current].mask;
        if (late == 0) {
            continue;
        }
        const int own = warp.open_meeting(warp.meetings[meeting].kind, late, warp.meetings[meeting].target);
        warp.meetings[meeting].expected &= ~late;
        for (auto& of_lanes : warp.meeting_of) {
            for (std::size_t lane = 0; lane < lane_count; ++lane) {
                if ((late & lane_bit[lane]) != 0 && of_lanes.at[lane] == meeting + 1) {
                    of_lanes.at[lane] = static_cast<u32>(own) + 1;
                }
            }
        }
    }
}

// WARPSYNC: the lanes of the mask go on together where they wait at one instruction, else side by side.
bool BlockRunner::release_warp_sync(Warp& warp) {
    u32 arrived = 0;
    for (const auto& path : warp.paths) {
        arrived |= path.wait == Wait::warp_sync ? path.mask : 0;
    }
    bool released = false;
    for (std::size_t i = 0; i < warp.paths.size(); ++i) {
        const auto at = warp.paths[i];
        if (at.wait != Wait::warp_sync || (at.wait_for & warp.alive & ~arrived) != 0) {
            continue;
        }
        released = true;
        warp.paths[i].wait = Wait::none;
        for (std::size_t j = warp.paths.size(); j-- > i + 1;) {
            const auto& other = warp.paths[j];
            if (other.wait == Wait::warp_sync && other.block == at.block && other.wait_for == at.wait_for) {
                warp.paths[i].mask |= other.mask;
                remove_path(warp, j);
            }
        }
    }
    return released;
}

}  // namespace gpumodel::emulate
