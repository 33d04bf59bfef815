// gpumodel.1, from the subcommands' own definitions.
#pragma once

#include <string>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace gpumodel::cli {

// roff with the man macros. Same bytes for the same program: no date, no path of this machine.
[[nodiscard]] std::string man_page(const CLI::App& app);

}  // namespace gpumodel::cli
