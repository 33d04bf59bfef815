// Measured launches: what validate/measure prints on a GPU and validate/data keeps.
//
// The calibration/test split is fixed by a hash of family and parameters (not of the shape), so that
// all sizes of one configuration fall on the same side and nothing chosen on the calibration half has
// seen the configurations of the test half.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "traces/kernel/family.h"

namespace gpumodel {

enum class Split : unsigned char { calibration, test };

struct Measurement {
    std::string family;
    ParamValues params;  // with UNROLL; 0 = left to the compiler
    std::int64_t m = 0, n = 0, k = 0;
    double time_us = 0;              // median
    std::optional<int> registers;    // per thread, as compiled; published rows do not say
    std::optional<int> local_bytes;  // per thread; > 0: accumulators or spills in local memory
    Split split = Split::calibration;
};

// FNV-1a over "family;KEY=VALUE;..." without UNROLL; odd second byte = test.
[[nodiscard]] Split split_of(const std::string& family, const ParamValues& params);

// Reads a csv with at least the columns family, params, M, N, K, time_us_median; registers and
// local_bytes are read where present. Throws InputError (invalid_input) with all faults.
[[nodiscard]] std::vector<Measurement> read_measurements(const std::string& path);

}  // namespace gpumodel
