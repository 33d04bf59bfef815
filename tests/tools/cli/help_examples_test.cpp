// Every subcommand's --help ends with examples, and these use options that it has.
#include <catch2/catch.hpp>
#include <sstream>

#include "tests/support/csv_lines.h"
#include "tests/support/run_command.h"

namespace {

std::string help_of(const std::string& path) {
    const auto result = run_gpumodel(path + " --help");
    REQUIRE(result.exit_code == 0);
    return result.out;
}

// The names under "Subcommands:".
std::vector<std::string> subcommands_in(const std::string& help) {
    std::vector<std::string> names;
    const auto at = help.find("\nSubcommands:\n");
    for (const auto& line : lines_of(at == std::string::npos ? "" : help.substr(at + 1))) {
        if (line.size() > 2 && line.starts_with("  ") && line[2] != ' ') {
            names.push_back(line.substr(2, line.find(' ', 2) - 2));
        }
    }
    return names;
}

void collect_leaves(const std::string& path, std::vector<std::string>& leaves) {
    const auto below = subcommands_in(help_of(path));
    if (below.empty()) {
        leaves.push_back(path);
    }
    for (const auto& name : below) {
        collect_leaves(path.empty() ? name : path + ' ' + name, leaves);
    }
}

// "--arch", "-m"; what stands in quotes is no option.
std::vector<std::string> options_in(const std::string& example) {
    std::vector<std::string> options;
    std::string word;
    for (std::istringstream in(example); in >> word;) {
        const bool numeric = word.size() > 1 && std::isdigit(static_cast<unsigned char>(word[1])) != 0;
        if (word == "|" || word == ">") {
            break;  // another program's
        }
        if (word.size() > 1 && word.front() == '-' && !numeric) {
            options.push_back(word.substr(0, word.find('=')));
        }
    }
    return options;
}

bool has_option(const std::string& help, const std::string& option) {
    for (const char* before : {"  ", ","}) {
        for (const char* after : {" ", ",", "\n"}) {
            if (help.find(before + option + after) != std::string::npos) {
                return true;
            }
        }
    }
    return false;
}

}  // namespace

TEST_CASE("every subcommand has examples that use its options", "[cli][help]") {
    std::vector<std::string> leaves;
    collect_leaves("", leaves);
    CHECK(leaves.size() > 30);
    for (const auto& leaf : leaves) {
        const auto help = help_of(leaf);
        const auto begin = help.find("Examples:\n");
        INFO(leaf);
        REQUIRE(begin != std::string::npos);
        const auto options = help.substr(0, begin);
        int own = 0;
        for (const auto& line : lines_of(help.substr(begin))) {
            const auto at = line.find("gpumodel " + leaf);
            if (at == std::string::npos) {
                continue;
            }
            ++own;
            for (const auto& option : options_in(line.substr(at))) {
                INFO(line);
                CHECK(has_option(options, option));
            }
        }
        CHECK(own >= 2);
    }
}
