// How one shared-memory instruction is split into phases, by rule, width and direction
// (bank_conflicts.h states the rules).
#pragma once

#include <array>
#include <cstdint>

#include "model/memory/banks/bank_conflicts.h"
#include "model/memory/warp_access.h"

namespace gpumodel {

// Each lane of `lanes` names the `bytes` bytes from its address + byte_offset on.
struct BankPhase {
    std::uint32_t lanes = 0;  // active ones, at least one
    int byte_offset = 0;
    int bytes = 0;
};

struct BankPhases {
    std::array<BankPhase, 8> phase{};  // cc 1.x: four words by two half-warps
    int count = 0;
    // What the instruction takes at least, in passes: `count`, or for loads of cc5_x the phases of a full
    // warp, since the idle lanes' registers pass the return path too. 0 when no lane is active.
    int least_passes = 0;
};

[[nodiscard]] BankPhases bank_phases(const WarpAccess& access, SharedMemoryRule rule,
                                     AccessDirection direction);

}  // namespace gpumodel
