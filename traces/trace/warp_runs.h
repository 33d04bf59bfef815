// Single issued instructions of one warp after the other -> straight runs and their accesses (WarpSink).
//
// A trace's mask is the active lanes AND the guard. An empty mask, and that of a memory instruction within
// the lanes active before, is taken for a guard: the run goes on.
#pragma once

#include <vector>

#include "traces/warp_events.h"

namespace gpumodel {

class WarpRuns {
public:
    // `threads` of the block.
    WarpRuns(WarpSink& sink, std::int64_t threads) : sink_(sink), threads_(threads) {}

    void begin(int warp);
    void issue(int instruction, std::uint32_t mask) { go_on(instruction, mask, false); }
    void access(const AccessEvent& event, std::uint32_t mask);
    void flush();

private:
    void go_on(int instruction, std::uint32_t mask, bool memory);

    WarpSink& sink_;
    std::int64_t threads_;
    int warp_ = 0;
    int begin_ = 0, end_ = 0;  // empty: no run
    std::uint32_t active_ = 0;
    std::vector<AccessEvent> accesses_;
};

}  // namespace gpumodel
