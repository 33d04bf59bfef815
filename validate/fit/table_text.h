// The compiler's tables as csv, as add_overhead_rules and the others read them.
#pragma once

#include <string>

#include "traces/kernel/compiler/compiler_tables.h"

namespace gpumodel {

[[nodiscard]] std::string overhead_csv(const CompilerTables& tables);
[[nodiscard]] std::string overhead_shares_csv(const CompilerTables& tables);
[[nodiscard]] std::string registers_csv(const CompilerTables& tables);

}  // namespace gpumodel
