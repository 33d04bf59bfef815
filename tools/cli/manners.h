// How a run talks beside its results: colour, notes, details. Set once a run by run_command, before the
// subcommand runs.
#pragma once

#include <string>
#include <vector>

#include "tools/cli/command_line.h"

namespace gpumodel::cli {

enum class Color : unsigned char { automatic, always, never };

struct Manners {
    Color color = Color::automatic;
    bool quiet = false;               // no notes, no progress; faults are still told
    int verbose = 0;                  // how often -v was given
    std::vector<std::string> werror;  // ids as given, "true" for all warnings (tools/cli/notes.h)
    bool stamp = false;  // json says the host and the time, so that no two runs give the same bytes
};
[[nodiscard]] Manners& manners();

// --color, --quiet, -v, --werror, --stamp, --reproducible for every subcommand that runs; where one of them
// is the subcommand's own already, its own stays.
void add_manners(Command& program);

// Whether escape sequences may go to this file descriptor: as --color says; of itself only to a terminal that
// is not dumb, and not where NO_COLOR is set (https://no-color.org).
[[nodiscard]] bool is_colored(int descriptor);

// A person reads standard error as it is written, and wants to.
[[nodiscard]] bool shows_progress();

// "gpumodel: TEXT" on standard error: not with --quiet; only with -v. What a result leaves out is a note
// (tools/cli/notes.h).
void tell(const std::string& text);
void detail(const std::string& text);

// Bold titles and marked rows, warnings in yellow; taking the escape sequences out gives the text again.
[[nodiscard]] std::string emphasized(const std::string& report);
[[nodiscard]] std::string bold(const std::string& text);

}  // namespace gpumodel::cli
