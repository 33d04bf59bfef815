#include "tools/sweep/study_progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <iostream>

#include "tools/sweep/tally.h"

namespace gpumodel::cli {
namespace {

std::string duration_text(double seconds) {
    constexpr double minute = 60;
    constexpr double hour = 60 * minute;
    return seconds < 2 * minute ? fmt::format("{:.0f} s", seconds)
           : seconds < 2 * hour ? fmt::format("{:.0f} min", seconds / minute)
                                : fmt::format("{:.1f} h", seconds / hour);
}

}  // namespace

StudyProgress::StudyProgress(const OutputOptions& output, std::int64_t points)
    : points_(points),
      shown_(isatty(STDERR_FILENO) != 0 && (isatty(STDOUT_FILENO) == 0 || !output.out.empty())) {}

void StudyProgress::done(std::int64_t points) {
    done_ += points;
    const auto now = Clock::now();
    if (!shown_ || done_ == 0 || now - begin_ < std::chrono::seconds(1) ||
        now - last_ < std::chrono::milliseconds(200)) {
        return;
    }
    last_ = now;
    const double seconds = std::chrono::duration<double>(now - begin_).count();
    const auto part = static_cast<double>(done_) / static_cast<double>(points_);
    std::cerr << fmt::format("\r\033[K{} of {} points, {:.0f} %, about {} left", grouped(done_),
                             grouped(points_), 100 * part, duration_text(seconds * (1 - part) / part))
              << std::flush;
    drawn_ = true;
}

void StudyProgress::clear() {
    if (drawn_) {
        std::cerr << "\r\033[K" << std::flush;
        drawn_ = false;
    }
}

}  // namespace gpumodel::cli
