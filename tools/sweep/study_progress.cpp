#include "tools/sweep/study_progress.h"

#include <fmt/format.h>

#include "base/number_text.h"

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

void StudyProgress::done(std::int64_t points) {
    done_ += points;
    if (done_ == 0 || !line_.due()) {
        return;
    }
    const auto part = static_cast<double>(done_) / static_cast<double>(points_);
    line_.draw(fmt::format("{} of {} points, {:.0f} %, about {} left", grouped(done_), grouped(points_),
                           100 * part, duration_text(line_.seconds() * (1 - part) / part)));
}

}  // namespace gpumodel::cli
