#include "model/sim/extrapolate/left_out.h"

#include <cmath>

namespace gpumodel::sim {

Cycle LeftOut::add(double more_cycles, double instructions, double error, const WindowEnd& from,
                   const WindowEnd& to) {
    const auto whole_cycles = static_cast<Cycle>(std::llround(more_cycles));
    cycles += whole_cycles;
    const double scale = more_cycles / (to.at - from.at);
    error_cycles += error * more_cycles + scale * (to.error_cycles - from.error_cycles);
    add_scaled(counters, to.counters, from.counters,
               instructions / (to.counters.instructions - from.counters.instructions));
    stalls.resize(to.stalls.size());
    for (std::size_t line = 0; line < stalls.size(); ++line) {
        for (std::size_t r = 0; r < stall_reason_count; ++r) {
            const auto before = from.stalls.empty() ? 0 : from.stalls[line][r];
            stalls[line][r] += std::llround(scale * static_cast<double>(to.stalls[line][r] - before));
        }
    }
    return whole_cycles;
}

}  // namespace gpumodel::sim
