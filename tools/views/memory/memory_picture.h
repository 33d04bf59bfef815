// The lane -> bank picture of `gpumodel memory -v` and `predict --section bank`, as text.
#pragma once

#include <string>
#include <vector>

#include "model/memory/banks/bank_conflicts.h"

namespace gpumodel::cli {

// Per phase one column per bank and one line per distinct word of the fullest bank. A cell names the
// lowest lane that names the word, with + when others share it; banks without a lane hold a dot.
// `words` as bank_picture() gives them, `banks` of the GPU.
[[nodiscard]] std::string bank_picture_text(const std::vector<BankWord>& words, int banks);

}  // namespace gpumodel::cli
