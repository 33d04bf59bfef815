#include "tools/cli/parallel_runs.h"

#include <fmt/format.h>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>

#include <mutex>

#include "tools/cli/progress_line.h"

namespace gpumodel::cli {
namespace {

namespace tbb = oneapi::tbb;

class Progress {
public:
    explicit Progress(std::size_t all) : all_(all) {}
    ~Progress() { line_.clear(); }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void one_done() {
        const std::lock_guard lock(mutex_);
        ++done_;
        if (line_.due()) {
            const auto done = static_cast<double>(done_);
            line_.draw(fmt::format("{} of {} predictions, about {:.0f} s left", done_, all_,
                                   line_.seconds() * (static_cast<double>(all_) - done) / done));
        }
    }

private:
    std::size_t all_;
    std::size_t done_ = 0;
    ProgressLine line_;
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
