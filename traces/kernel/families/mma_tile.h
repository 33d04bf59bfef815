// A tile of the families mma_*: its types and rules, and the launch that follows.
#pragma once

#include "traces/kernel/family.h"

namespace gpumodel {

// What a kernel has beside its parameters.
struct MmaKind {
    bool direct = false;    // no shared memory
    bool swizzled = false;  // pieces of a row in changing order
    bool dynamic = false;   // shared memory is the launch's
    bool doubled = false;   // two sets of fragments
};

// Defaults that hang on TYPE: as many bytes of BK and PAD as of 16-bit elements, the type's own sums.
void imply_mma_params(const ParamValues& given, ParamValues& resolved);

[[nodiscard]] FamilyResult lower_mma(const ParamValues& params, const ProblemShape& shape,
                                     const Target& target, const MmaKind& kind);

}  // namespace gpumodel
