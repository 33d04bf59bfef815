// Distinct bytes that one block touches at one global site, by interval arithmetic on the access
// function: start from the intervals of the first iteration, then, smallest stride first, let a loop either
// grow the intervals (stride no longer than the intervals: a walk) or multiply them (a jump).
//
// Exact when strides either tile contiguously or keep intervals apart, which holds for every built-in
// family (tests/model/memory/traffic_test.cpp compares with brute force). Overlapping jumps, as
// a stencil has them, would be counted twice.
#pragma once

#include <cstdint>

#include "model/memory/program_walk.h"
#include "model/memory/site_statistics.h"
#include "model/memory/spans.h"

namespace gpumodel {

struct SiteFootprint {
    double bytes_per_trip = 0;        // distinct granules of one iteration, times the granule
    double bytes_per_inner_trip = 0;  // the same amortised over the innermost loop: granules shared by
                                      // neighbouring trips are counted once
    double lines_per_trip = 0;        // distinct 128 B lines of one iteration
    double bytes_per_block = 0;       // distinct granules of the whole block
    SharedSpans first_trip;           // of the site alone, first block and iteration
};

// What one iteration of the first block touches.
struct FirstTrip {
    SharedSpans spans;
    double bytes = 0, lines = 0;  // as SiteFootprint's of a trip
};
[[nodiscard]] FirstTrip first_trip(const BlockAccesses& first_block, int granule_bytes);

// `granule_bytes`: 32 (sectors) or the line size where whole lines are fetched.
[[nodiscard]] SiteFootprint site_footprint(const FirstTrip& first, const LoopContext& loops,
                                           const SiteStrides& strides, int granule_bytes);
[[nodiscard]] SiteFootprint site_footprint(const BlockAccesses& first_block, const LoopContext& loops,
                                           const SiteStrides& strides, int granule_bytes);

}  // namespace gpumodel
