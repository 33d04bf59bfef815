// How far a job file is read, on standard error: only on a terminal to which the rows themselves do not go,
// and only after a second.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "tools/command.h"

namespace gpumodel::cli {

class JobProgress {
public:
    JobProgress(const std::string& path, const OutputOptions& output);
    void row(std::int64_t bytes_read);  // one more is done; so much of the file has been read for it
    void clear();
    [[nodiscard]] std::int64_t rows() const { return rows_; }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point begin_ = Clock::now();
    Clock::time_point last_ = begin_;
    std::int64_t rows_ = 0;
    double file_bytes_ = 0;  // 0 = not known
    bool shown_ = false;
    bool drawn_ = false;
};

}  // namespace gpumodel::cli
