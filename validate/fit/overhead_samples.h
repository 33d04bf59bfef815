// What compiled kernels execute around their memory accesses and products, by region of the code: emulated
// listings, cut where instructions are executed once, once per tile, or once per body of the k loop.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "traces/kernel/compiler/compiler_tables.h"
#include "traces/kernel/compiler/kernel_code.h"
#include "traces/kernel/family.h"
#include "traces/sass/sass_module.h"

namespace gpumodel {

// Warp instructions per warp (and tile, or body of the k loop), by overhead class. Accesses, products, FMULs
// and block-wide barriers are not in them.
struct OverheadSample {
    std::string instance;  // "warptile;BM=128;..."
    bool held_back = false;
    KernelCode code;
    std::array<ClassCounts, code_region_count> counts{};
    double tiles = 0;         // of the emulated block
    double instructions = 0;  // of its warps, of all classes
    [[nodiscard]] double total(CodeRegion region) const;
};

// Every entry of a tiled family but the split one, one block of `tiles` tiles each. Throws InputError as the
// emulator does.
[[nodiscard]] std::vector<OverheadSample> overhead_samples(const SassModule& module, const Target& target,
                                                           int tiles = 16);

}  // namespace gpumodel
