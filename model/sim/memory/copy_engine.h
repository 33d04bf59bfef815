// The copy engine of one SM (sm_90): bulk copies (UBLKCP, UBLKRED; tiles of tensors are its work, too) go
// through it in the order of their issue, past the memory queues and the data pipe.
//
//   a copy issued at t begins at  start = max(t, begin of the one before + copy_interval)
//   each of its pieces is asked of L2 at  max(start, the piece before + its bytes / bytes_per_cycle)
//   and arrives `latency` later than a load's data would
//
// From cp.async.bulk of L2 hits by one SM of an H200 (H200 microbenchmark "bulk_copy": one copy at a time
// takes 406 cycles for 256 bytes, 455 for 4 KiB, 744 for 32 KiB with announcing and waiting; eight at a time
// 92 cycles each). Ignored: what its writes take of shared memory's cycles.
#pragma once

#include <algorithm>

namespace gpumodel::sim {

class CopyEngine {
public:
    static constexpr double bytes_per_cycle = 96;  // 16 and 32 KiB alone: 16384 bytes in 171 cycles
    static constexpr double copy_interval = 48;    // 59 cycles for each further copy, with its instructions
    static constexpr double latency = 60;          // of the 406 cycles what instructions and L2 leave

    // When the engine takes a copy that issues at `now`.
    [[nodiscard]] double begin(double now) {
        next_copy_ = std::max(now, next_copy_);
        const double start = next_copy_;
        next_copy_ += copy_interval;
        free_ = std::max(free_, start);
        return start;
    }
    // When it asks for the next `bytes` of the copy that it has begun last.
    [[nodiscard]] double piece(double bytes) {
        const double asked = free_;
        free_ += bytes / bytes_per_cycle;
        return asked;
    }

private:
    double next_copy_ = 0, free_ = 0;
};

}  // namespace gpumodel::sim
