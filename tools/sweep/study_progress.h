// How far a sweep is, on standard error: only on a terminal to which the rows themselves do not go, and only
// after a second.
#pragma once

#include <chrono>
#include <cstdint>

#include "tools/command.h"

namespace gpumodel::cli {

class StudyProgress {
public:
    StudyProgress(const OutputOptions& output, std::int64_t points);
    void done(std::int64_t points);  // so many more
    void clear();

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point begin_ = Clock::now();
    Clock::time_point last_ = begin_;
    std::int64_t points_;
    std::int64_t done_ = 0;
    bool shown_;
    bool drawn_ = false;
};

}  // namespace gpumodel::cli
