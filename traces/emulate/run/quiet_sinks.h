// Sinks of blocks that run for what becomes of memory.
#pragma once

#include <cstdint>

#include "traces/warp_events.h"

namespace gpumodel::emulate {

struct NoSink final : WarpSink {
    void straight(int, int, int, std::uint32_t) override {}
    void access(int, const AccessEvent&) override {}
};

// Warp instructions.
struct CountingSink final : WarpSink {
    void straight(int, int begin, int end, std::uint32_t) override { executed += end - begin; }
    void access(int, const AccessEvent&) override {}
    std::int64_t executed = 0;
};

}  // namespace gpumodel::emulate
