// The median time of launches as gpumodel-record takes it: between two events in a stream that is held until all
// are in it.
#pragma once

#include <atomic>
#include <thread>

#include "standalone.cuh"

namespace {

void wait_for(void* open) {
    while (!static_cast<std::atomic<bool>*>(open)->load()) std::this_thread::yield();
}

// Of all `launches` but the first two. `before` puts into the stream what comes before the first event. The first launch is
// not held: code is loaded with it, and it waits for that; nor is any where not `held` (a profiler cannot hold the stream).
template <class Before, class Launch>
double held_median_us(cudaStream_t stream, bool held, int launches, Before before, Launch launch) {
    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin));
    check(cudaEventCreate(&end));
    std::vector<float> times;
    for (int r = 0; r < launches; ++r) {
        std::atomic<bool> open = !held || r == 0;
        check(cudaLaunchHostFunc(stream, wait_for, &open));
        before();
        check(cudaEventRecord(begin, stream));
        launch();
        check(cudaEventRecord(end, stream));
        open = true;
        check(cudaStreamSynchronize(stream));
        float ms = 0;
        check(cudaEventElapsedTime(&ms, begin, end));
        if (r > 1) times.push_back(1000 * ms);
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

}  // namespace
