#include "tools/cli/parallel_runs.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task.h>
#include <oneapi/tbb/task_arena.h>

#include <atomic>

#include "base/process.h"
#include "tools/cli/progress.h"

namespace gpumodel::cli {
namespace {

namespace tbb = oneapi::tbb;

}  // namespace

ForEach parallel_runs(int threads) {
    return [threads](std::size_t count, const std::function<void(std::size_t)>& work) {
        const int workers = threads > 0 ? threads : tbb::info::default_concurrency();
        // without it more workers than cores make TBB complain on standard error
        const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                        static_cast<std::size_t>(workers));
        tbb::task_arena arena(workers);
        Progress progress("predictions", static_cast<std::int64_t>(count));
        // One at a time, as runs differ in length by orders of magnitude, and the first ones first, so that
        // who writes them in order need not wait.
        std::atomic<std::size_t> next = 0;
        const auto work_on = [&](std::size_t /*worker*/) {
            for (auto i = next++; i < count && !tbb::is_current_task_group_canceling(); i = next++) {
                stop_if_asked();
                work(i);
                progress.add(1);
            }
        };
        arena.execute([&] {
            tbb::parallel_for(std::size_t{0}, static_cast<std::size_t>(workers), work_on,
                              tbb::simple_partitioner());
        });
    };
}

}  // namespace gpumodel::cli
