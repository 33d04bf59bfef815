#include "tools/cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/number_text.h"
#include "tools/cli/manners.h"
#include "tools/cli/streams.h"

namespace gpumodel::cli {
namespace {

constexpr const char* erase_line = "\r\033[K";

std::string duration_text(double seconds) {
    constexpr double minute = 60;
    constexpr double hour = 60 * minute;
    return seconds < 2 * minute ? fmt::format("{:.0f} s", seconds)
           : seconds < 2 * hour ? fmt::format("{:.0f} min", seconds / minute)
                                : fmt::format("{:.1f} h", seconds / hour);
}

// A part that has taken so long; nothing where nobody knows it.
std::string part_text(double part, double seconds) {
    return part > 0 ? fmt::format(", {:.0f} %, about {} left", 100 * part,
                                  duration_text(seconds * (1 - part) / part))
                    : "";
}

}  // namespace

Progress::Progress(std::string what, std::int64_t all)
    : what_(std::move(what)), all_(all), shown_(shows_progress()) {}

Progress::Progress(std::string what, std::int64_t all, const OutputOptions& output)
    : Progress(std::move(what), all) {
    shown_ = shown_ && (!out_is_terminal() || !output.out.empty());
}

void Progress::add(std::int64_t count, double part) {
    const std::lock_guard lock(mutex_);
    done_ += count;
    const auto now = Clock::now();
    if (!shown_ || now - begin_ < std::chrono::seconds(1) || now - last_ < std::chrono::milliseconds(200)) {
        return;
    }
    last_ = now;
    const double seconds = std::chrono::duration<double>(now - begin_).count();
    auto text = grouped(done_);
    if (all_ > 0) {
        part = static_cast<double>(done_) / static_cast<double>(all_);
        text += fmt::format(" of {} {}", grouped(all_), what_);
    } else {
        text += fmt::format(" {} in {}", what_, duration_text(seconds));
    }
    text += part_text(part, seconds);
    err() << erase_line << text << std::flush;
    drawn_ = true;
}

void Progress::clear() {
    if (drawn_) {
        err() << erase_line << std::flush;
        drawn_ = false;
    }
}

Waiting::Waiting(std::string what, const SimProgress* progress)
    : what_(std::move(what)), progress_(progress) {
    if (shows_progress()) {
        thread_ = std::jthread([this](const std::stop_token& end) { show(end); });
    }
}

void Waiting::show(const std::stop_token& end) {
    const auto begin = std::chrono::steady_clock::now();
    std::unique_lock lock(mutex_);
    bool drawn = false;
    while (!woken_.wait_for(lock, end, std::chrono::milliseconds(drawn ? 500 : 1000),
                            [&end] { return end.stop_requested(); })) {
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        const double part = progress_ != nullptr ? progress_->part() : 0;
        err() << fmt::format("{}{}, {}{}", erase_line, what_, duration_text(seconds),
                             part_text(part, seconds))
              << std::flush;
        drawn = true;
    }
    if (drawn) {
        err() << erase_line << std::flush;
    }
}

}  // namespace gpumodel::cli
