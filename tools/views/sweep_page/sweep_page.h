// The page of a sweep.
#pragma once

#include <string>

#include "tools/report/sweep_figures.h"

namespace gpumodel::cli::page {

[[nodiscard]] std::string sweep_page(const Sweep& sweep);

}  // namespace gpumodel::cli::page
