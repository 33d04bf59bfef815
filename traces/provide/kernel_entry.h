// What stands behind an entry of validate/kernels: which family and parameters, and how it is launched.
#pragma once

#include <optional>
#include <string>
#include <vector>

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

// Of the family's kernel, in order, as C++ has them: "128", "0", "float". `params` by resolve_params.
[[nodiscard]] std::vector<std::string> template_arguments(const Family& family, const ParamValues& params);

// "warptile<128,128,16,...>": the same for all launches of one compiled instance.
[[nodiscard]] std::string instance_key(const Family& family, const ParamValues& params);

// Arguments of validate/kernels for a problem: sizes, alpha, beta, and one allocation per matrix.
[[nodiscard]] SassLaunch listing_launch(const ListingEntry& entry, const KernelProgram& program);

}  // namespace gpumodel
