#include "tools/cli/manners.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "base/process.h"
#include "tools/cli/streams.h"

namespace gpumodel::cli {
namespace {

constexpr const char* bold_on = "\033[1m";
constexpr const char* yellow_on = "\033[33m";
constexpr const char* all_off = "\033[0m";

std::string variable(const char* name) {
    const char* value = environment_variable(name);
    return value == nullptr ? "" : value;
}

// Rows that say what the numbers above them are not.
constexpr std::array<std::string_view, 7> warnings{
    "  Partial ", "  Models disagree ", "  Hangs on data ",  "  infeasible: ",
    "  error: ",  "  left out ",        "  Not in its file "};

bool is_warning(const std::string& line) {
    return std::any_of(warnings.begin(), warnings.end(),
                       [&](std::string_view start) { return line.starts_with(start); });
}

bool is_title(const std::string& line, bool after_gap) {
    return after_gap && !line.empty() && line.front() != ' ';
}

std::string wrapped(const char* on, const std::string& text) {
    return text.empty() ? text : on + text + all_off;
}

void add_manners_of(Command& command) {
    auto& kept = manners();
    if (!command.has_option("--color")) {
        command
            .add_option(
                "--color",
                [&kept](const std::string& word) {
                    kept.color = word == "always"  ? Color::always
                                 : word == "never" ? Color::never
                                                   : Color::automatic;
                },
                "auto (default: on a terminal, unless NO_COLOR is set or TERM is dumb), always or never")
            .one_of({"auto", "always", "never"});
    }
    command.add_flag("--quiet", kept.quiet, "faults alone on standard error: no notes, no progress");
    if (!command.has_option("-v")) {
        command.add_count("-v,--verbose", kept.verbose, "say on standard error what was read and from where");
    }
    command.add_flag("--werror", kept.werror,
                     "warnings are faults: exit code 3 behind the result; --werror=ID,ID: these notes alone");
    if (command.has_option("--format")) {
        command.add_flag("--stamp", kept.stamp,
                         "json: with the host and the time, so that no two runs give the same bytes");
        command.add_flag(
            "--reproducible", [&kept] { kept.stamp = false; },
            "json: without them (default), whatever the configuration says");
    }
}

}  // namespace

Manners& manners() {
    static Manners kept;
    return kept;
}

void add_manners(Command& program) {
    program.for_each_leaf([](Command& command) { add_manners_of(command); });
}

bool is_colored(int descriptor) {
    switch (manners().color) {
        case Color::always:
            return true;
        case Color::never:
            return false;
        case Color::automatic:
            break;
    }
    const auto terminal = variable("TERM");
    return (descriptor == STDERR_FILENO ? err_is_terminal() : out_is_terminal()) && !terminal.empty() &&
           terminal != "dumb" && variable("NO_COLOR").empty();
}

bool shows_progress() {
    return err_is_terminal() && !manners().quiet;
}

void tell(const std::string& text) {
    if (!manners().quiet) {
        err() << "gpumodel: " + text + '\n';
    }
}

void detail(const std::string& text) {
    if (manners().verbose > 0) {
        err() << "gpumodel: " + text + '\n';
    }
}

std::string bold(const std::string& text) {
    return wrapped(bold_on, text);
}

std::string emphasized(const std::string& report) {
    std::istringstream lines(report);
    std::string styled;
    bool after_gap = true;
    for (std::string line; std::getline(lines, line); after_gap = line.empty()) {
        const bool marked = is_title(line, after_gap) || line.starts_with("* ") ||
                            line.starts_with("  Time  ") || line.starts_with("  Bottleneck  ");
        styled += is_warning(line) ? wrapped(yellow_on, line) : marked ? bold(line) : line;
        styled += lines.eof() ? "" : "\n";
    }
    return styled;
}

}  // namespace gpumodel::cli
