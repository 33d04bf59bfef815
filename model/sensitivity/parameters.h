// The kernel's side of a study: neighbouring legal values of each parameter of a family.
#pragma once

#include "model/sensitivity/sensitivity.h"

namespace gpumodel {

// Values to try beside `value`, nearest first, within the parameter's range: halves or doubles of powers of
// two, else one less or more, three at most. None of fixed parameters, nor of 0 (left to the compiler).
[[nodiscard]] std::vector<std::int64_t> neighbour_parameters(const ParamSpec& spec, std::int64_t value,
                                                             Direction direction);

// One row of the study: the base's time and elasticity are filled in by study_sensitivity.
[[nodiscard]] SensitivityRow vary_parameter(const StudiedLaunch& launch, const ParamSpec& parameter,
                                            const ArchSpec& arch, const StudyOptions& options);

inline constexpr int register_step = 8;  // warps get registers in units of 256 since cc 3.x
[[nodiscard]] SensitivityRow vary_registers(const StudiedLaunch& launch, const ArchSpec& arch,
                                            const StudyOptions& options);

}  // namespace gpumodel
