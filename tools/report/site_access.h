// The worst warp access of each shared-memory site, for the pictures of the memory section.
#pragma once

#include <string>
#include <vector>

#include "arch_specs/arch_spec.h"
#include "model/memory/banks/bank_conflicts.h"
#include "traces/kernel_program.h"

namespace gpumodel::cli::page {

struct SharedAccess {
    std::vector<std::string> sites;  // all that look the same
    AccessDirection direction = AccessDirection::load;
    int bits = 32;  // per lane
    BankConflicts conflicts;
    std::vector<BankWord> words;
};

// Of the first block of each part of the grid, first iteration of every loop. In program order; sites whose
// lanes meet the same banks are one, and so are those of one width without conflicts (the first one's words
// stand).
[[nodiscard]] std::vector<SharedAccess> shared_accesses(const KernelProgram& program, const ArchSpec& arch);

}  // namespace gpumodel::cli::page
