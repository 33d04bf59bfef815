// The page of gpumodel explore: controls, and what they show, over figures that were all predicted before.
#pragma once

#include <string>

#include "tools/views/explore_page/explored_data.h"

namespace gpumodel::cli::page {

// The whole document; loads nothing. It needs scripts, and says so without them.
[[nodiscard]] std::string explore_page(const ExplorePlan& plan, const ExploredData& data);

// page/*.css and page/*.js, joined.
[[nodiscard]] std::string explore_style();
[[nodiscard]] std::string explore_script();

}  // namespace gpumodel::cli::page
