// What the readers of Accel-Sim's text accept.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gpumodel {

inline constexpr std::size_t most_faults = 100;  // named in one file
inline constexpr std::int64_t max_address = std::int64_t{1}
                                            << 52;  // beyond any device's; keeps sums in range

}  // namespace gpumodel
