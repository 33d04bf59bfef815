// What the parts of `gpumodel arch` print.
#pragma once

#include <string>
#include <vector>

#include "tools/cli/command.h"

namespace gpumodel::cli {

[[nodiscard]] std::string arch_list(Format format);

// resolved = false: what the file of that name says; true: the product after inheritance, with derived
// values and the place each value came from.
[[nodiscard]] std::string arch_show(const std::string& name, bool resolved, Format format);

// The keys in which two products differ.
[[nodiscard]] std::string arch_diff(const std::string& a, const std::string& b, Format format);

struct CheckOutcome {
    std::string report;  // for stdout, "" if there are faults
    std::vector<Diagnostic> faults;
    InputErrorKind kind = InputErrorKind::invalid_input;  // of the faults: usage = there is no such spec
};

// Faults, or the derived peaks beside the declared ones, the initiation intervals and the number of
// estimates. A generation's peaks are those of its default product.
[[nodiscard]] CheckOutcome arch_check(const std::string& name);

}  // namespace gpumodel::cli
