#include "model/memory/footprint.h"

#include <algorithm>
#include <cstdlib>
#include <span>
#include <utility>
#include <vector>

namespace gpumodel {
namespace {

class SpanList {
public:
    void add(std::int64_t address, int bytes) {
        if (address >= last_.begin && address <= last_.end) {
            last_.end = std::max(last_.end, address + bytes);
        } else {
            close();
            last_ = {address, address + bytes};
        }
    }
    [[nodiscard]] Spans take() {
        close();
        return std::move(spans_);
    }

private:
    void close() {
        if (last_.begin < last_.end) {
            spans_.push_back(last_);
        }
    }

    Spans spans_;
    Span last_{0, -1};
};

// How many accesses of a thread follow each other in memory before the next row (scalar copies of a row of
// results).
int run_of_thread(const BlockAccesses& block) {
    const auto& first = block.at(0, 0);
    int run = 1;
    while (first.is_active(0) && run < block.per_warp &&
           block.at(0, run).address[0] - first.address[0] == run * first.bytes_per_lane) {
        ++run;
    }
    return block.per_warp % run == 0 ? run : 1;
}

// Spans of one iteration. Visited in the order in which addresses follow each other, along a thread's run and
// then over the lanes, so that spans are joined as they come and the sort stays short.
Spans spans_of(const BlockAccesses& block) {
    SpanList list;
    const int run = run_of_thread(block);
    // runs do not go from warp to warp: per_warp is a multiple
    for (auto first = block.list.begin(); first != block.list.end(); first += run) {
        for (int lane = 0; lane < 32; ++lane) {
            for (const auto& access : std::span(first, static_cast<std::size_t>(run))) {
                if (access.is_active(lane)) {
                    for (int i = 0; i < access.pieces(); ++i) {
                        list.add(access.address[static_cast<std::size_t>(lane)] +
                                     std::int64_t{i} * WarpAccess::local_words_apart,
                                 access.bytes_per_lane / access.pieces());
                    }
                }
            }
        }
    }
    auto spans = list.take();
    sort_and_merge(spans);
    return spans;
}

}  // namespace

FirstTrip first_trip(const BlockAccesses& first_block, int granule_bytes) {
    auto spans = spans_of(first_block);
    const double bytes = granules(spans, granule_bytes) * granule_bytes;
    const double lines = granules(spans, 128);
    return {SharedSpans(std::move(spans)), bytes, lines};
}

SiteFootprint site_footprint(const BlockAccesses& first_block, const LoopContext& loops,
                             const SiteStrides& strides, int granule_bytes) {
    return site_footprint(first_trip(first_block, granule_bytes), loops, strides, granule_bytes);
}

SiteFootprint site_footprint(const FirstTrip& first, const LoopContext& loops, const SiteStrides& strides,
                             int granule_bytes) {
    SiteFootprint result;
    Spans spans = *first.spans;
    result.bytes_per_trip = first.bytes;
    result.lines_per_trip = first.lines;
    result.first_trip = first.spans;

    result.bytes_per_inner_trip = result.bytes_per_trip;
    if (loops.depth > 0) {
        const auto inner = static_cast<std::size_t>(loops.depth - 1);
        Spans walked = spans;
        const double factor = repeat(walked, strides.loop[inner], loops.trips[inner], granule_bytes);
        result.bytes_per_inner_trip = factor * granules(walked, granule_bytes) * granule_bytes /
                                      static_cast<double>(loops.trips[inner]);
    }

    std::vector<std::pair<std::int64_t, std::int64_t>> by_stride;
    for (std::size_t d = 0; d < static_cast<std::size_t>(loops.depth); ++d) {
        by_stride.emplace_back(std::abs(strides.loop[d]), loops.trips[d]);
    }
    std::sort(by_stride.begin(), by_stride.end());
    double factor = 1;
    for (const auto& [stride, trips] : by_stride) {
        factor *= repeat(spans, stride, trips, granule_bytes);
    }
    result.bytes_per_block = factor * granules(spans, granule_bytes) * granule_bytes;
    return result;
}

}  // namespace gpumodel
