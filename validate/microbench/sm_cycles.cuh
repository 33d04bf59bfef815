// How long an SM's warps take together, by its own clock: for kernels whose warps leave when they began and ended.
#pragma once

#include "standalone.cuh"

namespace {

// Of a warp.
struct Mark {
    unsigned sm;
    long long begin, end;
};

// Cycles from an SM's first begin to its last end, of the median SM that had a warp; the median of five launches behind a
// first one. `launch` starts the kernel, whose `warps` warps leave `marks`.
template <class Launch>
double median_sm_cycles(const Mark* marks, int warps, int sms, Launch launch) {
    std::vector<long long> launches;
    for (int r = 0; r < 6; ++r) {
        launch();
        check(cudaDeviceSynchronize());
        std::vector<Mark> got(warps);
        check(cudaMemcpy(got.data(), marks, got.size() * sizeof(Mark), cudaMemcpyDeviceToHost));
        std::vector<long long> begin(sms, -1), end(sms, 0), of_sm;
        for (const auto& m : got) {
            begin[m.sm] = begin[m.sm] < 0 ? m.begin : std::min(begin[m.sm], m.begin);
            end[m.sm] = std::max(end[m.sm], m.end);
        }
        for (int s = 0; s < sms; ++s) {
            if (begin[s] >= 0) of_sm.push_back(end[s] - begin[s]);
        }
        std::sort(of_sm.begin(), of_sm.end());
        if (r > 0) launches.push_back(of_sm[of_sm.size() / 2]);
    }
    std::sort(launches.begin(), launches.end());
    return static_cast<double>(launches[launches.size() / 2]);
}

}  // namespace
