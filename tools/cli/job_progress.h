// How far a job file is read, on standard error: only on a terminal to which the rows themselves do not go,
// and only after a second.
#pragma once

#include <cstdint>
#include <string>

#include "tools/cli/progress_line.h"

namespace gpumodel::cli {

class JobProgress {
public:
    JobProgress(const std::string& path, const OutputOptions& output);
    void row(std::int64_t bytes_read);  // one more is done; so much of the file has been read for it
    void clear() { line_.clear(); }
    [[nodiscard]] std::int64_t rows() const { return rows_; }

private:
    ProgressLine line_;
    std::int64_t rows_ = 0;
    double file_bytes_ = 0;  // 0 = not known
};

}  // namespace gpumodel::cli
