// Elasticity of the time t to a value x: e = d ln t / d ln x. 1 % more of x changes the time by e %; t
// proportional to 1/x gives -1 at any step, exactly.
//   both neighbours:  ln(t_high / t_low) / ln(x_high / x_low)
//   one of them:      ln(t_side / t_base) / ln(x_side / x_base)
#pragma once

#include <optional>

namespace gpumodel {

struct Observation {
    double value = 0;  // > 0
    double seconds = 0;
    double error_pct = 0;  // how far extrapolation may have the time off; 0 = nothing was extrapolated
};

// One-sided elasticities that disagree in sign or by more than `cliff_ratio` make a cliff: the time does not
// follow the value smoothly (a block more or less per SM, one bound instead of another). Where neither side
// exceeds `cliff_floor`, or what extrapolation leaves open, they are both taken for nothing.
inline constexpr double cliff_ratio = 3;
inline constexpr double cliff_floor = 0.02;

struct Elasticity {
    std::optional<double> value;         // empty: neither neighbour is known
    std::optional<double> below, above;  // one-sided
    double resolution = 0;               // of `value`, by the times' extrapolation errors
    bool cliff = false;
};

// Neighbours on either side of `base`: low->value < base.value < high->value.
[[nodiscard]] Elasticity elasticity_of(const Observation& base, const std::optional<Observation>& low,
                                       const std::optional<Observation>& high);

}  // namespace gpumodel
