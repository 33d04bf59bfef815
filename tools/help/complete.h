// What may come next on gpumodel's command line: the completions of all shells, from the subcommands' own
// definitions.
#pragma once

#include <string>
#include <vector>

#include "tools/cli/command_definition.h"

namespace gpumodel::cli {

struct Candidate {
    std::string value;
    std::string meaning;  // one line, may be empty
};

struct Completion {
    std::vector<Candidate> candidates;
    bool files = false;    // names of files may stand here too
    bool nospace = false;  // the word goes on behind a candidate ("BM=")
};

// `words`: the arguments after the program's name up to the cursor; the last one is being typed and may be
// empty. Candidates begin with it. Never throws for unfinished or wrong command lines: there is nothing to
// offer then.
[[nodiscard]] Completion complete(const CommandDefinition& program, const std::vector<std::string>& words);

// "none", "files", "nospace" or "files nospace", then "value<TAB>meaning" per candidate.
[[nodiscard]] std::string completion_lines(const Completion& completion);

}  // namespace gpumodel::cli
