// The shells' side of completion: scripts that ask `gpumodel __complete WORD...` at completion time, so that
// they stay right for every version of the program and for specs of one's own.
#pragma once

#include <string_view>

namespace gpumodel::cli {

extern const std::string_view bash_completion, zsh_completion, fish_completion;

}  // namespace gpumodel::cli
