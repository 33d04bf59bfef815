// What a csv file of an earlier, ended run already holds of a sweep.
#pragma once

#include <cstdint>

#include "tools/sweep/pieces/piece.h"

namespace gpumodel::cli {

struct Resumed {
    std::int64_t next = 0;        // first point still to be predicted
    std::int64_t keep_bytes = 0;  // of the file: the header and every complete point; the rest was cut
    Tally tally;                  // of the points before `next`
    [[nodiscard]] bool continues() const { return keep_bytes > 0; }
};

// Reads plan.output.out against the plan: each row must be that of a point of the sweep (family, parameters,
// shape, model and swept keys), in order, with only rejected points in between; the first and last rows are
// predicted again and must agree to the byte, as nothing in a row tells of --set, --registers, --l2 or
// another version. A missing file, or one that ends within the header, is a new start. Throws InputError
// (usage) that says which row differs and what was expected there. Changes nothing.
[[nodiscard]] Resumed read_resumed(const SweepPlan& plan);

}  // namespace gpumodel::cli
