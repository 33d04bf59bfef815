// How a subcommand puts itself and its options on the command line. CLI11 stands behind it; only
// run_command.cpp and command_line.cpp include it, as that costs a file five seconds of the compiler.
//
// A value lives where the caller keeps it, at least until the command has run; what the command line does not
// give stays as it was.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tools/cli/command_definition.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace gpumodel::cli {

// The chosen subcommand's work, run after parsing; returns the exit code. InputError may escape:
// main prints its diagnostics and exits with its kind.
using Action = std::function<int()>;

class Option {
public:
    explicit Option(CLI::Option& option) : option_(&option) {}
    Option& required(bool is = true);
    Option& one_of(const std::vector<std::string>& values);  // checked, shown and completed
    Option& shown_as(const std::string& text);  // in the help; "a|b|c" is completed too, but not checked
    Option& range(std::int64_t lowest, std::int64_t highest);
    Option& one_each();         // of a list: each use of the option takes one value
    Option& comma_separated();  // of a list: values in one word
    Option& at_most(int count);

private:
    CLI::Option* option_;
};

class Command {
public:
    Command(CLI::App& app, Action& chosen) : app_(&app), chosen_(&chosen) {}

    [[nodiscard]] Command add_subcommand(const std::string& name, const std::string& description);
    void require_subcommand();
    // Options of which exactly one must be given.
    [[nodiscard]] Command add_alternatives(const std::string& name, const std::string& description);

    // "--long", "-s", "-s,--long"; without dashes a positional.
    Option add_option(const std::string& name, std::string& value, const std::string& description);
    Option add_option(const std::string& name, std::vector<std::string>& values,
                      const std::string& description);
    Option add_option(const std::string& name, int& value, const std::string& description);
    Option add_option(const std::string& name, std::int64_t& value, const std::string& description);
    Option add_option(const std::string& name, std::size_t& value, const std::string& description);
    Option add_option(const std::string& name, std::optional<int>& value, const std::string& description);
    Option add_option(const std::string& name, std::vector<std::int64_t>& values,
                      const std::string& description);
    Option add_option(const std::string& name, const std::function<void(const std::string&)>& take,
                      const std::string& description);
    void add_flag(const std::string& name, bool& value, const std::string& description);
    // Adds one to it each time the flag is given: -v -v, -vv.
    void add_count(const std::string& name, int& value, const std::string& description);
    // A flag that gives `value` another state than true.
    void add_flag(const std::string& name, const std::function<void()>& take, const std::string& description);

    // A flag that may bring a value, --flag=VALUE; "true" without.
    void add_flag(const std::string& name, std::vector<std::string>& values, const std::string& description);

    [[nodiscard]] bool has_option(const std::string& name) const;
    // Each subcommand that has none below it and is not hidden, depth first.
    void for_each_leaf(const std::function<void(Command&)>& take);

    void footer(const std::string& text);  // below the options
    void hide();                           // from help and completion, and take whatever words follow
    void run(const Action& work);          // when this subcommand is the chosen one

    // With all that has been added to it so far.
    [[nodiscard]] CommandDefinition definition() const;

private:
    CLI::App* app_;
    Action* chosen_;
};

}  // namespace gpumodel::cli
