// What this program was built from and by.
#pragma once

#include <string>

namespace gpumodel::cli {

struct BuildInfo {
    std::string
        revision;  // of git, "-dirty" behind it where files were changed; "" = built outside a repository
    std::string compiler;  // "GNU 12.2.0"
    std::string type;      // "Release"
};
[[nodiscard]] BuildInfo build_info();

}  // namespace gpumodel::cli
