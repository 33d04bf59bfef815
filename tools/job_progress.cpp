#include "tools/job_progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <iostream>

namespace gpumodel::cli {

JobProgress::JobProgress(const std::string& path, const OutputOptions& output)
    : shown_(isatty(STDERR_FILENO) != 0 && (isatty(STDOUT_FILENO) == 0 || !output.out.empty())) {
    std::error_code fault;
    const auto size = std::filesystem::file_size(path, fault);
    file_bytes_ = fault ? 0 : static_cast<double>(size);
}

void JobProgress::row(std::int64_t bytes_read) {
    ++rows_;
    const auto now = Clock::now();
    if (!shown_ || now - begin_ < std::chrono::seconds(1) || now - last_ < std::chrono::milliseconds(200)) {
        return;
    }
    last_ = now;
    clear();
    const double seconds = std::chrono::duration<double>(now - begin_).count();
    std::cerr << fmt::format("{} rows in {:.0f} s", rows_, seconds);
    if (file_bytes_ > 0 && bytes_read > 0) {
        const double part = static_cast<double>(bytes_read) / file_bytes_;
        std::cerr << fmt::format(", {:.0f} %, about {:.0f} s left", 100 * part, seconds * (1 - part) / part);
    }
    std::cerr << std::flush;
    drawn_ = true;
}

void JobProgress::clear() {
    if (drawn_) {
        std::cerr << "\r\033[K" << std::flush;
        drawn_ = false;
    }
}

}  // namespace gpumodel::cli
