#include "model/memory/banks/bank_phases.h"

#include <algorithm>

namespace gpumodel {

namespace {

// Every active lane's address equals that of lane xor `distance`, where that lane is active too.
bool paired(const WarpAccess& access, unsigned distance) {
    for (unsigned lane = 0; lane < 32; ++lane) {
        const auto partner = lane ^ distance;
        const auto both = (1U << lane) | (1U << partner);
        if ((access.active & both) == both && access.address[lane] != access.address[partner]) {
            return false;
        }
    }
    return true;
}

int lanes_per_phase(const WarpAccess& access, SharedMemoryRule rule, AccessDirection direction) {
    const int width = access.bytes_per_lane;
    if (access.matrix_rows) {
        return 8;
    }
    switch (rule) {
        case SharedMemoryRule::cc1_x:
            return 16;
        case SharedMemoryRule::cc3_x:
            return width == 16 ? 16 : 32;
        case SharedMemoryRule::cc2_x:
            return std::min(32, 128 / width);
        case SharedMemoryRule::cc5_x: {
            const bool merged =
                width >= 8 && direction == AccessDirection::load && (paired(access, 1) || paired(access, 2));
            return std::min(32, 128 / width * (merged ? 2 : 1));
        }
    }
    return 32;
}

}  // namespace

BankPhases bank_phases(const WarpAccess& access, SharedMemoryRule rule, AccessDirection direction) {
    BankPhases phases;
    const int group = lanes_per_phase(access, rule, direction);
    const auto group_mask = group == 32 ? ~0U : (1U << static_cast<unsigned>(group)) - 1U;
    // cc 1.x compiles wide accesses into 4-byte ones (programming guide 4.2, F.3.3.4).
    const int bytes =
        rule == SharedMemoryRule::cc1_x ? std::min(access.bytes_per_lane, 4) : access.bytes_per_lane;
    for (int offset = 0; offset < access.bytes_per_lane; offset += bytes) {
        for (int first = 0; first < 32; first += group) {
            const auto lanes = access.active & (group_mask << static_cast<unsigned>(first));
            if (lanes != 0) {
                phases.phase[static_cast<std::size_t>(phases.count++)] = {lanes, offset, bytes};
            }
        }
    }
    const bool full_return =
        rule == SharedMemoryRule::cc5_x && direction == AccessDirection::load && !access.matrix_rows;
    phases.least_passes = full_return && phases.count > 0 ? 32 / group : phases.count;
    return phases;
}

}  // namespace gpumodel
