#include "tools/parallel_runs.h"

#include <fmt/format.h>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>
#include <unistd.h>

#include <chrono>
#include <iostream>
#include <mutex>

namespace gpumodel::cli {
namespace {

namespace tbb = oneapi::tbb;

class Progress {
public:
    explicit Progress(std::size_t all) : all_(all) {}
    ~Progress() {
        if (drawn_) {
            std::cerr << "\r\033[K" << std::flush;
        }
    }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void one_done() {
        const std::lock_guard lock(mutex_);
        ++done_;
        const auto now = Clock::now();
        if (!terminal_ || now - begin_ < std::chrono::seconds(1) ||
            now - last_ < std::chrono::milliseconds(200)) {
            return;
        }
        last_ = now;
        drawn_ = true;
        const double seconds = std::chrono::duration<double>(now - begin_).count();
        const auto done = static_cast<double>(done_);
        std::cerr << fmt::format("\r\033[K{} of {} predictions, about {:.0f} s left", done_, all_,
                                 seconds * (static_cast<double>(all_) - done) / done)
                  << std::flush;
    }

private:
    using Clock = std::chrono::steady_clock;
    std::size_t all_;
    std::size_t done_ = 0;
    bool terminal_ = isatty(STDERR_FILENO) != 0;
    bool drawn_ = false;
    Clock::time_point begin_ = Clock::now();
    Clock::time_point last_ = begin_;
    std::mutex mutex_;
};

}  // namespace

ForEach parallel_runs(int threads) {
    return [threads](std::size_t count, const std::function<void(std::size_t)>& work) {
        tbb::task_arena arena(threads > 0 ? threads : tbb::task_arena::automatic);
        Progress progress(count);
        // one at a time: runs differ in length by orders of magnitude
        arena.execute([&] {
            tbb::parallel_for(
                tbb::blocked_range<std::size_t>(0, count, 1),
                [&](const tbb::blocked_range<std::size_t>& range) {
                    for (auto i = range.begin(); i < range.end(); ++i) {
                        work(i);
                        progress.one_done();
                    }
                },
                tbb::simple_partitioner());
        });
    };
}

}  // namespace gpumodel::cli
