// Measured launches: what validate/measure prints on a GPU and validate/data keeps.
//
// The calibration/test split is fixed by a hash of family and parameters (not of the shape), so that
// all sizes of one configuration fall on the same side and nothing chosen on the calibration half has
// seen the configurations of the test half.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "traces/kernel/family.h"

namespace gpumodel {

enum class Split : unsigned char { calibration, test };

struct Measurement {
    std::string family;
    ParamValues params;  // with UNROLL; 0 = left to the compiler
    std::int64_t m = 0, n = 0, k = 0;
    int registers = 0;   // per thread, as compiled
    double time_us = 0;  // median
    double time_us_min = 0;
    double time_us_max = 0;
    int local_bytes = 0;  // per thread; > 0: accumulators or spills in local memory
    Split split = Split::calibration;
};

// FNV-1a over "family;KEY=VALUE;..." without UNROLL; odd second byte = test.
[[nodiscard]] Split split_of(const std::string& family, const ParamValues& params);

// Reads a csv with at least the columns family, params, M, N, K, registers, local_bytes,
// time_us_median, time_us_min, time_us_max. Throws InputError (invalid_input) with all faults.
[[nodiscard]] std::vector<Measurement> read_measurements(const std::string& path);

}  // namespace gpumodel
