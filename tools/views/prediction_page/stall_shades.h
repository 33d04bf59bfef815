// The same colour for a stall reason wherever the page shows it.
#pragma once

#include "model/sim/stall_reason.h"

namespace gpumodel::cli::page {

struct Shade {
    int colour = 1;      // 1 to 8, a category of the style sheet
    bool faint = false;  // its second shade
};

[[nodiscard]] Shade shade_of(StallReason reason);

}  // namespace gpumodel::cli::page
