// What the subcommands have put on the command line, as plain data: for the manual page and completion.
#pragma once

#include <string>
#include <vector>

namespace gpumodel::cli {

struct OptionDefinition {
    std::string name;                // "--arch", "-p"; of a positional without dashes
    std::vector<std::string> names;  // all of them, short ones first; none of a positional
    std::string description;
    std::string value;                // what stands for it in the help: "A B", "TEXT", "INT"
    std::vector<std::string> values;  // that it may have; empty = no list
    std::string lowest, highest;      // of a number with a range
    bool positional = false;
    bool required = false;
    bool hidden = false;
    bool takes_value = false;    // not a flag
    bool list = false;           // may be given again
    bool takes_several = false;  // of a list: several values may follow one use
};

struct CommandDefinition {
    std::vector<std::string> path;  // "gpumodel", "arch", "show"
    std::string description;
    std::string footer;
    bool hidden = false;
    std::vector<OptionDefinition> options;  // those of alternatives last
    std::vector<CommandDefinition> subcommands;

    [[nodiscard]] const std::string& name() const { return path.back(); }
};

}  // namespace gpumodel::cli
