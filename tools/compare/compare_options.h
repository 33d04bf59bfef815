// What `gpumodel compare` was asked for: two files, or one launch and what is different about the other.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/launch/program_options.h"

namespace gpumodel::cli {

// --vs-...: what side b does not share with side a. Empty = as a.
struct OtherSide {
    ArchOptions arch;
    ProgramOptions program;
    std::string l2;
    [[nodiscard]] bool any() const;
};

struct CompareOptions {
    std::vector<std::string> files;
    ArchOptions arch;
    ProgramOptions program;
    SimulationOptions simulation;
    OtherSide vs;
    std::string model;                         // "" = the predicted time, the other model beside it
    std::string threshold, threshold_geomean;  // read as text, checked together
    std::string table = "launches";            // csv
    bool brief = false;
    bool html = false;  // a page instead of text; also by the ending of --out
    OutputOptions output;

    [[nodiscard]] bool page() const;
    [[nodiscard]] bool names_launch() const;  // any option of a launch
};

void add_compare_options(Command& command, CompareOptions& options);

// Side b: a's options with those of `vs` in place of theirs. Parameters are inherited as far as b's family
// has them; the ones left out are named in `notes`.
struct SideOptions {
    ArchOptions arch;
    ProgramOptions program;
    SimulationOptions simulation;
};
[[nodiscard]] SideOptions side_a(const CompareOptions& options);
[[nodiscard]] SideOptions side_b(const CompareOptions& options, std::vector<std::string>& notes);

}  // namespace gpumodel::cli
