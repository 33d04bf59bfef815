// The rows of tests/traces/kernel/ptxas_registers.csv: what ptxas gave our own kernels, two thirds of the
// tiles to fit on and a third to judge on.
#pragma once

#include <string>
#include <vector>

#include "traces/kernel/family.h"

namespace gpumodel {

struct RegisterSample {
    std::string arch;    // "sm_70"
    std::string family;  // "warptile"
    ParamValues params;  // all of the family's parameters
    KernelCode code;     // what the family's lowering decides for them
    Target target;
    bool held_back = false;  // listing_entry.h
    int registers = 0;       // as ptxas reports
    int stack_bytes = 0;
};

// Rows without a counterpart among the families (transposes with a pinned loop) are left out. Throws
// InputError as read_csv does, and for rows that are no instance of a family.
[[nodiscard]] std::vector<RegisterSample> read_register_samples(const std::string& path);

// Blocks per SM that the registers alone allow: 64 warps, 4 sub-partitions of 16384 registers, 256 registers
// per allocation step and warp (CUDA occupancy rules for cc 3.5 and later, without K80's larger file).
[[nodiscard]] int blocks_by_registers(int registers, int threads);

// The smallest problem that the family takes: one block, one tile deep.
[[nodiscard]] ProblemShape smallest_problem(const Family& family, const ParamValues& params);

}  // namespace gpumodel
