// What an option or positional takes, as far as its definition or its name says.
#pragma once

#include <string>
#include <vector>

#include "tools/help/complete.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace gpumodel::cli {

// Earlier options of the line that later ones depend on; the last given counts, "" = not given.
struct GivenOptions {
    std::string arch, kernel;
    std::string vs_arch, vs_kernel;
};

// The whole list, unfiltered except that spec keys and parameters are only looked up for what `typed` needs.
// Enumerations: option_text("a|b|c") or CLI::IsMember. By name: --arch, --kernel, -p, --set and their --vs-
// forms. Files: what the description calls so.
[[nodiscard]] Completion values_of(const CLI::App& command, const CLI::Option& option,
                                   const GivenOptions& given, const std::string& typed);

// Of a number, a string without a list: nothing to complete.
[[nodiscard]] std::vector<std::string> enumerated(const CLI::Option& option);

// The command's own and those of its option groups, which CLI11 keeps as subcommands without a name.
[[nodiscard]] std::vector<const CLI::Option*> all_options(const CLI::App& command);

[[nodiscard]] bool takes_value(const CLI::Option& option);

}  // namespace gpumodel::cli
