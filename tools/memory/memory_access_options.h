// gpumodel memory: from the options to one warp access, with every fault of a pattern reported at once.
#pragma once

#include <string>

#include "model/memory/warp_access.h"
#include "tools/cli/option_values.h"

namespace gpumodel::cli {

// As typed; "" = not given.
struct AccessOptions {
    std::string stride, offset, width, addresses, active, pitch;
    bool column = false;
};

// A pattern by formula (stride and offset, or a tile's column) or by a list of up to 32 addresses: typed,
// @FILE, or "-" for standard input; lanes without an address are inactive. Widths 1, 2, 4, 8, 16; every
// address of an active lane must be a non-negative multiple of the width.
[[nodiscard]] WarpAccess read_access(const AccessOptions& options, OptionFaults& faults);

// "stride 2 words from byte 0", for output
[[nodiscard]] std::string describe_access(const AccessOptions& options);

}  // namespace gpumodel::cli
