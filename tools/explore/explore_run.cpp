#include "tools/explore/explore_run.h"

#include <algorithm>

#include "tools/cli/in_order.h"
#include "tools/cli/progress.h"

namespace gpumodel::cli {
namespace {

constexpr std::int64_t launches_at_once =
    64;  // refused ones cost microseconds, predicted ones up to a millisecond

struct LaunchRange {
    std::int64_t begin = 0, end = 0;
};

using ExploredPiece = std::vector<std::pair<ExplorePlace, ExploredLaunch>>;

ExploredPiece explored_piece(const ExplorePlan& plan, const LaunchRange& range) {
    ExploredPiece piece;
    for (auto launch = range.begin; launch < range.end; ++launch) {
        const auto place = explore_place(plan, launch);
        piece.emplace_back(place, explored_launch(plan, place));
    }
    return piece;
}

}  // namespace

void explore_all(const ExplorePlan& plan, page::ExploredData& data) {
    const auto all = plan.launches();
    Progress progress("launches", all);
    std::int64_t next = 0;
    const auto read = [&]() -> std::optional<LaunchRange> {
        if (next >= all) {
            return std::nullopt;
        }
        const LaunchRange range{next, std::min(all, next + launches_at_once)};
        next = range.end;
        return range;
    };
    run_in_order<LaunchRange, ExploredPiece>(
        plan.threads, read, [&](const LaunchRange& range) { return explored_piece(plan, range); },
        [&](const ExploredPiece& piece) {
            for (const auto& [place, launch] : piece) {
                data.add(place, launch);
            }
            progress.add(static_cast<std::int64_t>(piece.size()));
        });
    progress.clear();
}

}  // namespace gpumodel::cli
