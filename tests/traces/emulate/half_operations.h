// The operations of validate/instructions/half_values as instructions, and what the PTX manual says they
// give.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/traces/emulate/lane_pairs.h"

struct HalfOperation {
    std::string name;
    std::vector<Triple> triples;
    std::vector<std::string> lines;  // sm_90
    std::function<std::uint32_t(const Triple&)> expected;
};

std::vector<HalfOperation> half_choices();
std::vector<HalfOperation> float_choices();
std::vector<HalfOperation> half_comparisons();
std::vector<HalfOperation> half_sums();
std::vector<HalfOperation> half_conversions();
