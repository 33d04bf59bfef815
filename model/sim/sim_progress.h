// How far simulations are, for who shows it (SimOptions::progress): parts of runs, by the instructions that
// they have behind them, those of several runs at once added up. From any thread.
#pragma once

#include <algorithm>
#include <atomic>

namespace gpumodel {

class SimProgress {
public:
    // So many runs more are going to be made than was expected, or fewer.
    void expect(int runs) { expected_ += runs; }
    // A part of a run is done.
    void add(double part) { done_.fetch_add(part); }
    // 0 to 1 of all.
    [[nodiscard]] double part() const {
        const double runs = expected_;
        return runs > 0 ? std::min(1.0, done_ / runs) : 0;
    }

private:
    std::atomic<int> expected_{0};
    std::atomic<double> done_{0};
};

}  // namespace gpumodel
