// Leaves of a path tree -> Segments: the code in order, one site per executed memory instruction, operation
// counts, and what the leaf adds to the launch's totals.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "traces/fold/grid/grid_fold.h"
#include "traces/fold/paths/path_tree.h"

namespace gpumodel {

// Consecutive warps of one block that run the same path at addresses with the same strides.
struct WarpRange {
    std::size_t first_warp = 0, warps = 0;
    int thread_begin = 0, thread_end = 0;
};

struct ByteRange {
    std::int64_t lowest = INT64_MAX, highest = INT64_MIN;
    double accessed = 0;  // lanes times bytes, of the launch
    void add(std::int64_t from, std::int64_t to, double bytes);
    // The smaller of the range and the bytes accessed.
    [[nodiscard]] double distinct() const;
};

// Sums over all boxes of the grid.
struct LaunchTotals {
    double flops = 0;
    std::map<std::uint32_t, SkippedInstruction> skipped;  // by address
    std::vector<ByteRange> read, written;                 // per array
};

class SegmentBuilder {
public:
    SegmentBuilder(const StaticCode& code, const LaunchContext& launch, const LanePatterns& patterns,
                   LaunchTotals& totals)
        : code_(code), launch_(launch), patterns_(patterns), totals_(totals) {}

    // `trips`: of the loops around the leaf, outermost first.
    [[nodiscard]] Segment build(const GridBox& box, const WarpRange& range, const PathNode& leaf,
                                const std::vector<std::int64_t>& trips);

private:
    using Table = std::shared_ptr<const std::vector<std::int64_t>>;
    [[nodiscard]] AccessSite make_site(const GridBox& box, const WarpRange& range, std::size_t access) const;
    [[nodiscard]] Table table_of(const GridBox& box, const WarpRange& range, std::size_t access);
    void set_addresses(AccessSite& site, const GridBox& box, const WarpRange& range, std::size_t access);
    void count_bytes(const AccessSite& site, const GridBox& box, const WarpRange& range, std::size_t access,
                     const std::vector<std::int64_t>& trips);

    const StaticCode& code_;
    const LaunchContext& launch_;
    const LanePatterns& patterns_;
    LaunchTotals& totals_;
    // by (lane pattern, distance to the first warp's address) of every warp
    std::map<std::vector<std::int64_t>, Table> tables_;
    int copies_ = 0;
};

}  // namespace gpumodel
