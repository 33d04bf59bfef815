// What microbenchmarks cannot isolate: a handful of declared keys, fitted to measured kernel times.
//
// Only launches of the calibration half are looked at; those of the test half are dropped on reading and
// neither fitted nor scored. Relative errors count: sigma = 1 % of the time (estimated: repeatability of a
// median), which the robust spread of the errors then widens.
#pragma once

#include <string>
#include <vector>

#include "validate/accuracy/accuracy.h"
#include "validate/calibrate/calibrate.h"

namespace gpumodel {

inline constexpr std::size_t most_residual_keys = 5;

struct ResidualOptions {
    ModelKind model = ModelKind::analytic;
    std::size_t sample = 0;  // launches, by a hash of the row; 0 = all
    ForEach for_each;
};

struct ResidualFit {
    std::vector<CalibratedKey> keys;  // in the order asked for
    std::size_t launches = 0;
    double mape_before_pct = 0, mape_after_pct = 0;  // calibration half
    ArchSpec arch;                                   // with the keys that are written
};

// `fixed`: keys that the microbenchmarks have determined. Throws InputError (usage) for more than
// most_residual_keys keys, unknown ones, those without a number in `base` and those in `fixed`, and
// (invalid_input) where no launch of the calibration half can be predicted.
[[nodiscard]] ResidualFit fit_residuals(const std::vector<Measurement>& measurements, const ArchSpec& base,
                                        const std::vector<std::string>& keys,
                                        const std::vector<std::string>& fixed,
                                        const ResidualOptions& options = {});

}  // namespace gpumodel
