// A launch at the clock that the spec gives it; describe_launch() finds out which spec that is.
#pragma once

#include "model/analytic/describe_launch.h"

namespace gpumodel {

[[nodiscard]] DescribedLaunch describe_at(const KernelProgram& program, const ArchSpec& arch, L2State l2,
                                          Detail detail);

}  // namespace gpumodel
