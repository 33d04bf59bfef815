// Which line of the source an instruction comes from: what `nvdisasm -g -c` prints of a cubin that was
// compiled with -lineinfo, beside the listing of its code.
//   //## File "/home/me/k.cu", line 12            in front of the instructions that it holds for
//   //## File "a.h", line 3 inlined at "k.cu", line 12    (-gi; the next mark has the line that it was
//   inlined at)
#pragma once

#include <string_view>

#include "traces/sass/sass_module.h"

namespace gpumodel {

// Notes the lines in the functions of those names ("k.cu:12", without folders); functions and addresses that
// the module does not have are passed over, and text that is something else.
void add_source_lines(std::string_view disassembly, SassModule& module);

}  // namespace gpumodel
