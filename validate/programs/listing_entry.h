// What stands behind an entry of validate/listings: which family and parameters, and how it is launched.
#pragma once

#include <optional>
#include <string>

#include "traces/emulate/sass_block_source.h"
#include "traces/kernel/family.h"

namespace gpumodel {

struct ListingEntry {
    std::string family;
    ParamValues params;  // the template arguments; keys as the family's parameters
};

// Out of a mangled name of validate/kernels ("_ZN8gpumodel7kernels8warptileILi128E..."); empty for any other
// name, and for a count of arguments that does not fit the family.
[[nodiscard]] std::optional<ListingEntry> listing_entry(const std::string& mangled);

// True for the third of the tiles that rules are not tuned on: FNV-1a of "family;KEY=VALUE;..." in
// alphabetical order without UNROLL, mod 3 = 0.
[[nodiscard]] bool held_back(const std::string& family, const ParamValues& params);

// Arguments of validate/kernels for a problem: sizes, alpha, beta, and one allocation per matrix.
[[nodiscard]] SassLaunch listing_launch(const ListingEntry& entry, const KernelProgram& program);

}  // namespace gpumodel
