// Listings of the kernels in listings/kernels.cu.
#pragma once

#include <string>
#include <vector>

#include "traces/sass/sass_module.h"

inline const std::vector<std::string> kernel_listing_archs{
    "sm_35", "sm_50", "sm_61", "sm_70", "sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"};

const gpumodel::SassFunction& kernel_listing(const std::string& arch, const std::string& kernel);
