// Which blocks the SM runs that a launch waits for, where blocks differ in what they execute.
//
// The first blocks go to the SMs in turn until all are full; then the next one goes to the SM where one ends.
// Of blocks of an SM each has the same part of its issue slots, and none goes faster than its longest warp
// alone would:
//   rate = min(schedulers / blocks there, instructions / (longest warp x cycles that one takes alone))
// So an SM that holds long blocks goes on taking others as its short ones end, and ends late: SMs' sums
// differ by more than a block (mandelbrot of 8,160 blocks: the busiest of an H200's SMs executes 1.15 times
// the mean, where going by the sums alone gives 1.01). Ignored: memory, barriers and all else that makes
// instructions of blocks unlike in time.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace gpumodel::sim {

// Of an instruction (warp_length.h). `estimated`
inline constexpr double cycles_of_a_warp_alone = 6;

struct BlockWork {
    double instructions = 0;  // of all warps
    double longest_warp = 0;  // as warp_length.h
};

struct DealtLaunch {
    std::int64_t blocks = 0;
    int sms = 1;
    int resident = 1;  // blocks of an SM at a time
    int schedulers = 1;
    std::function<BlockWork(std::int64_t)> work;  // of a block, by its number
};

// In order of start.
[[nodiscard]] std::vector<std::int64_t> blocks_of_last_sm(const DealtLaunch& launch);

}  // namespace gpumodel::sim
