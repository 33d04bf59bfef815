#include "model/sim/events/run_account.h"

#include <numeric>

namespace gpumodel::sim {

double RunAccount::accounted_warp_cycles() const {
    double cycles = 0;
    for (const auto& line : stalls_) {
        cycles += static_cast<double>(std::accumulate(line.begin(), line.end(), Cycle{0}));
    }
    return cycles;
}

}  // namespace gpumodel::sim
