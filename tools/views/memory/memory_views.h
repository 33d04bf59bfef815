// gpumodel memory: its results as text, json and csv.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arch_specs/arch_spec.h"
#include "model/memory/banks/bank_conflicts.h"
#include "model/memory/coalescing/coalescing.h"
#include "model/memory/warp_access.h"

namespace gpumodel::cli {

struct MemoryResult {
    WarpAccess access;
    std::string pattern;  // in words
    AccessDirection direction = AccessDirection::load;
    GlobalPath path = GlobalPath::l1_cached;
    BankGeometry geometry;
    std::optional<Coalescing> global;  // with its list of transactions
    std::optional<BankConflicts> shared;
    std::vector<BankWord> picture;
};

// `verbose`: the transactions, and which lane names which bank.
[[nodiscard]] std::string memory_text(const ArchSpec& arch, const MemoryResult& result, bool verbose);
[[nodiscard]] std::string memory_json(const ArchSpec& arch, const MemoryResult& result, bool verbose);
[[nodiscard]] std::string memory_csv(const ArchSpec& arch, const MemoryResult& result);

}  // namespace gpumodel::cli
