// Which compiled instances rules are tuned on.
#pragma once

#include "traces/provide/kernel_entry.h"

namespace gpumodel {

// True for the third of the tiles that rules are not tuned on: FNV-1a of "family;KEY=VALUE;..." in
// alphabetical order without UNROLL, mod 3 = 0.
[[nodiscard]] bool held_back(const std::string& family, const ParamValues& params);

}  // namespace gpumodel
