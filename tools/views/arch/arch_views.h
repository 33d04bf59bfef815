// What the parts of `gpumodel arch` print.
#pragma once

#include <string>
#include <vector>

#include "arch_specs/document/spec_document.h"
#include "arch_specs/loader.h"
#include "tools/cli/command.h"

namespace gpumodel::cli {

[[nodiscard]] std::string arch_list(const std::vector<ArchListing>& listings, Format format);

// What one file says.
[[nodiscard]] std::string arch_show(const SpecDocument& document, Format format);
// The product after inheritance, with derived values and the place each value came from.
[[nodiscard]] std::string arch_show(const ArchSpec& spec, Format format);

// The keys in which two products differ.
[[nodiscard]] std::string arch_diff(const ArchSpec& a, const ArchSpec& b, Format format);

// Of a sound file: the number of estimates, the derived peaks beside the declared ones, the initiation
// intervals. A generation's figures are those of its default product, which `spec` then is.
[[nodiscard]] std::string arch_check(const std::string& file, const ArchSpec& spec);

}  // namespace gpumodel::cli
