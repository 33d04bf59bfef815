// Launches of the committed listings: the kernels of validate/kernels at a problem size.
#pragma once

#include <optional>
#include <string>

#include "traces/emulate/sass_block_source.h"
#include "traces/kernel/family.h"

struct ListingLaunch {
    std::string family;
    std::string params;  // as in h200_sxm_counters.csv: "BM=64;...;UNROLL=0"
    gpumodel::ProblemShape shape;
    gpumodel::SassLaunch launch;
    gpumodel::KernelProgram tile_level;  // what the family says, for the same launch
};

// Empty for kernels that are no family of this GPU, and for a shape that the family does not take.
std::optional<ListingLaunch> listing_launch(const std::string& mangled, const gpumodel::ArchSpec& arch,
                                            std::int64_t size);
