// Many independent pieces of work on all cores, read and written one at a time in their order.
#pragma once

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

#include <cstddef>
#include <optional>

#include "base/process.h"

namespace gpumodel::cli {

// `read() -> optional<In>` until nothing comes, `run(In) -> Out` on several threads at once, `write(Out)` in
// the order of reading. `threads` 0 = all cores. At most four pieces per worker are in memory. What one of
// them throws ends the whole and is thrown here.
template <class In, class Out, class Read, class Run, class Write>
void run_in_order(int threads, const Read& read, const Run& run, const Write& write) {
    namespace tbb = oneapi::tbb;
    constexpr std::size_t pieces_per_worker = 4;
    const int workers = threads > 0 ? threads : tbb::info::default_concurrency();
    const auto count = static_cast<std::size_t>(workers);
    const auto next = [&](tbb::flow_control& flow) {
        stop_if_asked();
        auto piece = read();
        if (!piece) {
            flow.stop();
            return In{};
        }
        return std::move(*piece);
    };
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, count);
    tbb::task_arena arena(workers);
    arena.execute([&] {
        tbb::parallel_pipeline(pieces_per_worker * count,
                               tbb::make_filter<void, In>(tbb::filter_mode::serial_in_order, next) &
                                   tbb::make_filter<In, Out>(tbb::filter_mode::parallel, run) &
                                   tbb::make_filter<Out, void>(tbb::filter_mode::serial_in_order, write));
    });
}

}  // namespace gpumodel::cli
