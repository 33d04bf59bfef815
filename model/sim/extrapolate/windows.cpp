#include "model/sim/extrapolate/windows.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <type_traits>
#include <utility>

#include "model/sim/extrapolate/policy.h"

namespace gpumodel::sim {

double Snapshot::work() const {
    return counters.instructions + policy::work_of_pipe_cycle * counters.data_pipe_cycles;
}

bool add_window(std::vector<WindowEnd>& ends, WindowEnd end) {
    ends.push_back(std::move(end));
    if (ends.size() <= policy::most_windows + 1) {
        return false;
    }
    // the newest end stays: it says where the warps are
    const std::size_t first = ends.size() % 2 == 0 ? 1 : 0;
    const std::size_t kept = (ends.size() - first + 1) / 2;
    for (std::size_t i = 0; i < kept; ++i) {
        if (const std::size_t from = first + 2 * i; from != i) {
            ends[i] = std::move(ends[from]);
        }
    }
    ends.resize(kept);
    return true;
}

double cpi_of(const WindowEnd& from, const WindowEnd& to) {
    return (to.at - from.at) / (to.counters.instructions - from.counters.instructions);
}

std::vector<double> cpis_of(const std::vector<WindowEnd>& ends) {
    std::vector<double> cpis;
    for (std::size_t i = 1; i < ends.size(); ++i) {
        cpis.push_back(cpi_of(ends[i - 1], ends[i]));
    }
    return cpis;
}

void add_scaled(SimCounters& sum, const SimCounters& later, const SimCounters& earlier, double scale) {
    static_assert(std::is_trivially_copyable_v<SimCounters> && alignof(SimCounters) == alignof(double));
    using Flat = std::array<double, sizeof(SimCounters) / sizeof(double)>;  // nothing but doubles
    auto total = std::bit_cast<Flat>(sum);
    const auto to = std::bit_cast<Flat>(later);
    const auto from = std::bit_cast<Flat>(earlier);
    for (std::size_t i = 0; i < total.size(); ++i) {
        total[i] += scale * (to[i] - from[i]);
    }
    sum = std::bit_cast<SimCounters>(total);
}

void add_scaled(std::vector<StallCycles>& sum, const std::vector<StallCycles>& later,
                const std::vector<StallCycles>& earlier, double scale) {
    sum.resize(std::max(sum.size(), later.size()));
    for (std::size_t line = 0; line < later.size(); ++line) {
        for (std::size_t r = 0; r < stall_reason_count; ++r) {
            const auto before = earlier.empty() ? 0 : earlier[line][r];
            sum[line][r] += std::llround(scale * static_cast<double>(later[line][r] - before));
        }
    }
}

Cycle LeftOut::add(double more_cycles, double instructions, double error, const WindowEnd& from,
                   const WindowEnd& to) {
    const double part = instructions / (to.counters.instructions - from.counters.instructions);
    const double late =
        part * (to.counters.write_back_cycles - from.counters.write_back_cycles) - more_cycles;
    if (late > 0) {
        const double put_off = std::min(late, may_be_owed);
        may_be_owed -= put_off;
        more_cycles += late - put_off;
    }
    const auto whole_cycles = static_cast<Cycle>(std::llround(more_cycles));
    cycles += whole_cycles;
    const double scale = more_cycles / (to.at - from.at);
    error_cycles += error * more_cycles + scale * (to.error_cycles - from.error_cycles);
    add_scaled(counters, to.counters, from.counters, part);
    add_scaled(stalls, to.stalls, from.stalls, scale);
    return whole_cycles;
}

}  // namespace gpumodel::sim
