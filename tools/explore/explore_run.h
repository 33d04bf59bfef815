// Predicts every launch of a page to explore, on all cores.
#pragma once

#include "tools/views/explore_page/explored_data.h"

namespace gpumodel::cli {

// The same data at any number of threads. Progress on standard error, if that is a terminal.
void explore_all(const ExplorePlan& plan, page::ExploredData& data);

}  // namespace gpumodel::cli
