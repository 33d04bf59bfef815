// The lane -> bank picture of `gpumodel memory -v`, as text.
#pragma once

#include <string>

#include "tools/views/memory/memory_views.h"

namespace gpumodel::cli {

// Per phase one column per bank and one line per distinct word of the fullest bank. A cell names the
// lowest lane that names the word, with + when others share it; banks without a lane hold a dot.
[[nodiscard]] std::string bank_picture_text(const MemoryResult& result);

}  // namespace gpumodel::cli
