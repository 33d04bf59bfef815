// The entry of a microbenchmark's listing.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>

#include "traces/sass/reader/sass_reader.h"

namespace gpumodel {

// By a part of its mangled name: the length in front tells apart names that contain each other.
inline const SassFunction& listed_function(const SassModule& module, const std::string& part) {
    const auto found =
        std::find_if(module.functions.begin(), module.functions.end(),
                     [&](const SassFunction& f) { return f.name.find(part) != std::string::npos; });
    if (found == module.functions.end()) {
        throw std::runtime_error("no entry " + part);
    }
    return *found;
}

}  // namespace gpumodel
