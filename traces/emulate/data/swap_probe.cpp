#include "traces/emulate/data/swap_probe.h"

namespace gpumodel::emulate {

std::optional<std::uint64_t> SwapProbe::tell(const Lane& lane, std::int64_t address, std::uint64_t expected,
                                             std::uint64_t held) {
    const auto found = told_.find(lane);
    if (found == told_.end()) {
        if (expected != held) {
            return std::nullopt;  // fails by itself
        }
        const auto other = held ^ 1U;
        told_.emplace(lane, Told{address, other});
        return other;
    }
    if (found->second.address == address && found->second.value == expected) {
        retried_.insert(lane.instruction);
    }
    return std::nullopt;
}

}  // namespace gpumodel::emulate
