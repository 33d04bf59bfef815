// How far a sweep is, on standard error: only on a terminal to which the rows themselves do not go, and only
// after a second.
#pragma once

#include <cstdint>

#include "tools/cli/progress_line.h"

namespace gpumodel::cli {

class StudyProgress {
public:
    StudyProgress(const OutputOptions& output, std::int64_t points) : line_(output), points_(points) {}
    void done(std::int64_t points);  // so many more
    void clear() { line_.clear(); }

private:
    ProgressLine line_;
    std::int64_t points_;
    std::int64_t done_ = 0;
};

}  // namespace gpumodel::cli
