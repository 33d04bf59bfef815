// What a slice of L2 is at work for where many SMs want the same few lines, beside atomics (atomic_costs.h).
//
//   read    past L1: each line of a request, whatever sectors of it. 32,768 warps, four requests each, less
//           6 us for the launch: 0.58 cycles for 1 to 32 words of one line, 0.59 for both lines of a slice,
//           0.67 for 14 of 16 lines in four slices. Each half of L2 has a copy and serves its own SMs; the
//           busiest slice takes 0.85 requests in each of its cycles (H200 counters)
//   store   of a line in a request; part of them joins another on its way to L2, the fewer the more the SM
//           reads between: 32,768 warps that wait for 0, 1, 2, 4, 8 loads each, store a line, and set one
//           flag, take 18, 28, 35, 40, 45 us, and 10, 9, 10, 12, 16 without the flag
//
// Measured on an H200 (validate/data/h200_sxm_hot_lines.csv, _counters.csv; an H100 takes the same), SM
// cycles of 1.98 GHz; `estimated` for other generations.
//
// Ignored: that stores of several lines of a slice take 1.7 ns each; reads of a line that join on their way.
#pragma once

#include <cmath>

namespace gpumodel {

struct HotLineCosts {
    double read = 0.68, store = 2.5;
    // Of stores that come right behind another; and of those that joined, when one line more is read between.
    double joining = 0.7, joining_still = 0.6;
    // Where so many lines are read for each.
    [[nodiscard]] double store_behind(double reads) const {
        return store * (1 - joining * std::pow(joining_still, reads));
    }
};

}  // namespace gpumodel
