// The fastest times of a search so far, and with them how fast a further one has to be.
#pragma once

#include <cstddef>
#include <limits>
#include <queue>

namespace gpumodel::cli {

// Searches never give up what may be among so many of the fastest: their order is worth showing.
inline constexpr std::size_t fewest_kept = 64;

class BestTimes {
public:
    explicit BestTimes(std::size_t keep) : keep_(keep) {}

    void add(double seconds) {
        slowest_first_.push(seconds);
        if (slowest_first_.size() > keep_) {
            slowest_first_.pop();
        }
    }
    // What is slower is not among them; infinite while there is room.
    [[nodiscard]] double limit() const {
        return slowest_first_.size() < keep_ ? std::numeric_limits<double>::infinity() : slowest_first_.top();
    }

private:
    std::size_t keep_;
    std::priority_queue<double> slowest_first_;
};

}  // namespace gpumodel::cli
