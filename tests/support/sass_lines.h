// A listing of one function, `f` of sm_90, from its instructions as cuobjdump prints them.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "traces/sass/reader/sass_reader.h"

namespace gpumodel::test {

// Instruction i stands at address 16 * i; without encodings.
inline SassModule module_of(const std::vector<std::string>& lines) {
    std::string text = "\tcode for sm_90\n\t\tFunction : f\n";
    for (std::size_t i = 0; i < lines.size(); ++i) {
        text += fmt::format("        /*{:04x}*/ {} ;\n", 16 * i, lines[i]);
    }
    return read_sass(text + "\t\t....\n", "test");
}

}  // namespace gpumodel::test
