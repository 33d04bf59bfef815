// Measured launches: what validate/measure prints on a GPU and validate/data keeps.
//
// The calibration/test split is fixed by a hash of family and parameters (not of the shape), so that
// all sizes of one configuration fall on the same side and nothing chosen on the calibration half has
// seen the configurations of the test half.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "traces/kernel/family.h"
#include "traces/kernel_program.h"

namespace gpumodel {

enum class Split : unsigned char { calibration, test };

// Errors are kept apart by size: below 512 the launch itself is a large part of the time.
enum class SizeClass : unsigned char { any, small, large };
[[nodiscard]] std::string_view to_string(SizeClass size);  // "any", "256-511", ">=512"

// The family of launches that are no family: any kernel, given as an entry of a listing.
inline constexpr std::string_view sass_family = "sass";

struct MeasuredEntry {
    Dim3 grid, block;
    std::int64_t dynamic_shared_bytes = 0;
    std::string arguments;  // as --args takes them
};

struct Measurement {
    std::string family;
    ParamValues params;  // with UNROLL; 0 = left to the compiler
    std::int64_t m = 0, n = 0, k = 0;
    double time_us = 0;              // median
    std::optional<int> registers;    // per thread, as compiled; published rows do not say
    std::optional<int> local_bytes;  // per thread; > 0: accumulators or spills in local memory
    Split split = Split::calibration;
    std::string label;   // the row's column `kernel` or `id`, "" without one
    std::string ladder;  // rows of one author on one GPU: "siboehm-a6000" of id "siboehm-a6000-k1-4096"
    std::optional<MeasuredEntry> entry;  // family "sass": the launch of the listing's entry `label`
};

// FNV-1a over "family;KEY=VALUE;..." without UNROLL; odd second byte = test.
[[nodiscard]] Split split_of(const std::string& family, const ParamValues& params);

// large: M, N, K >= 512, where K counts only for families whose depth is not fixed (the guides' K = 32, the
// copies' K = 1); small: at least 256. Empty below, where nothing is measured; `any` for family "sass".
[[nodiscard]] std::optional<SizeClass> size_class(const std::string& family, const ProblemShape& shape);

// "KEY=VALUE;KEY=VALUE", keys in alphabetical order.
[[nodiscard]] std::string params_text(const ParamValues& params);

// Reads a csv with at least the columns family, params, M, N, K, time_us_median; registers, local_bytes,
// kernel and id are read where present. Without a column `family`: entries of a listing, with the columns
// kernel, grid, block, shared_bytes, args, time_us, split by a hash of the kernel's name. Throws InputError
// (invalid_input) with all faults.
[[nodiscard]] std::vector<Measurement> read_measurements(const std::string& path);

struct MeasurementChoice {
    std::optional<Split> split;                                 // empty: both halves
    bool pinned = false;                                        // also loops unrolled by a pragma
    std::vector<std::int64_t> sizes;                            // M = N only these; empty: all
    std::string kernel_filter;                                  // part of "family params label"
    std::size_t sample = 0;                                     // this many, by a hash of the row; 0 = all
    std::function<bool(const Measurement&)> include = nullptr;  // what else to ask for
};
// In the file's order. An instance that was measured several times at one shape comes once, with the mean
// time.
[[nodiscard]] std::vector<Measurement> choose(const std::vector<Measurement>& measurements,
                                              const MeasurementChoice& choice);

}  // namespace gpumodel
