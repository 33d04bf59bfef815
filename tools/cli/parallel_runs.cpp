#include "tools/cli/parallel_runs.h"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>

#include "tools/cli/progress.h"

namespace gpumodel::cli {
namespace {

namespace tbb = oneapi::tbb;

}  // namespace

ForEach parallel_runs(int threads) {
    return [threads](std::size_t count, const std::function<void(std::size_t)>& work) {
        tbb::task_arena arena(threads > 0 ? threads : tbb::task_arena::automatic);
        Progress progress("predictions", static_cast<std::int64_t>(count));
        // one at a time: runs differ in length by orders of magnitude
        arena.execute([&] {
            tbb::parallel_for(
                tbb::blocked_range<std::size_t>(0, count, 1),
                [&](const tbb::blocked_range<std::size_t>& range) {
                    for (auto i = range.begin(); i < range.end(); ++i) {
                        work(i);
                        progress.add(1);
                    }
                },
                tbb::simple_partitioner());
        });
    };
}

}  // namespace gpumodel::cli
