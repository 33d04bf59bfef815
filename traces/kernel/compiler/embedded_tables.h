// The csv files of this folder as text, built in (embedded_tables.cpp.in).
#pragma once

#include <string_view>

namespace gpumodel {

struct EmbeddedTable {
    std::string_view name;  // as in the tree
    std::string_view text;
};
extern const EmbeddedTable embedded_overhead, embedded_overhead_shares, embedded_overhead_counts,
    embedded_registers;

}  // namespace gpumodel
