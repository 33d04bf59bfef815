// The accesses of a block at a shared-memory site whose words lie at fixed distances: those of word 0, and
// how far the other words lie from them. What statistics need of an unrolled loop's fragment loads, which are
// many.
#pragma once

#include <cstdint>
#include <vector>

#include "model/memory/site_statistics.h"

namespace gpumodel {

[[nodiscard]] inline bool has_patterns(const AccessSite& site) {
    return site.space == MemorySpace::shared && site.words_fixed && !site.word_active;
}

struct AccessPatterns {
    BlockAccesses first;               // one access per warp
    std::vector<std::int64_t> shifts;  // of each access of a thread, from the first
};
[[nodiscard]] AccessPatterns gather_patterns(const Segment& segment, const AccessSite& site,
                                             const Dim3& block);

}  // namespace gpumodel
