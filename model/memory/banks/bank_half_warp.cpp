#include "model/memory/banks/bank_half_warp.h"

#include <algorithm>
#include <array>

#include "model/memory/coalescing/coalescing_lanes.h"

namespace gpumodel {

namespace {

struct HalfWarp {
    std::array<std::int64_t, 16> address{};
    int count = 0;
};

HalfWarp gather(const WarpAccess& access, const BankPhase& phase) {
    HalfWarp half;
    for_each_lane(phase.lanes, [&](std::size_t lane) {
        half.address[static_cast<std::size_t>(half.count++)] = access.address[lane] + phase.byte_offset;
    });
    return half;
}

// Serves one step and keeps the rest, in lane order. `broadcast`: the first lane's word is broadcast.
HalfWarp after_step(const HalfWarp& half, const BankGeometry& geometry, bool broadcast) {
    const auto word_of = [&](std::int64_t address) { return address / geometry.bank_width_bytes; };
    std::array<std::int64_t, 16> taken{};  // address served per busy bank
    int busy = 0;
    HalfWarp rest;
    for (int i = 0; i < half.count; ++i) {
        const auto address = half.address[static_cast<std::size_t>(i)];
        const auto bank = word_of(address) % geometry.banks;
        const auto* end = taken.begin() + busy;
        const auto* holder =
            std::find_if(static_cast<const std::int64_t*>(taken.begin()), end,
                         [&](std::int64_t other) { return word_of(other) % geometry.banks == bank; });
        if (holder == end) {
            taken[static_cast<std::size_t>(busy++)] = address;
            continue;
        }
        const bool shares =
            broadcast ? holder == taken.begin() && word_of(*holder) == word_of(address) : *holder == address;
        if (!shares) {
            rest.address[static_cast<std::size_t>(rest.count++)] = address;
        }
    }
    return rest;
}

}  // namespace

int half_warp_steps(const WarpAccess& access, const BankPhase& phase, const BankGeometry& geometry,
                    AccessDirection direction) {
    int steps = 0;
    for (auto half = gather(access, phase); half.count > 0; ++steps) {
        half = after_step(half, geometry, direction == AccessDirection::load);
    }
    return steps;
}

}  // namespace gpumodel
