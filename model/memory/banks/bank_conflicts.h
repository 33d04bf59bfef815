// Shared-memory wavefronts and bank conflicts of one warp access, by the rule of the generation
// (CUDA programming guides; H200 address-pattern microbenchmarks; Kepler tuning guide).
//   wavefronts = sum over phases of max over banks of distinct words (rows on cc 3.x) in the bank
//   conflicts  = wavefronts - phases    (Nsight Compute's data_bank_conflicts)
// The same rule counts the data-stage cycles of an L1 hit (H200 microbenchmarks).
//
// Phases (lane groups that are served one after the other; bank_phases.h). Groups without an active lane
// are left out, except for loads of cc5_x, whose return path takes a pass for each:
//   cc1_x  half-warps; 8- and 16-byte accesses are 2 and 4 separate 4-byte ones. Loads: a step serves one
//          broadcast word (the lowest remaining lane's: which one the guide leaves open) and one address
//          per other bank. Stores: no broadcast; lanes that write the same location count once.
//   cc2_x  the warp, half-warps for 8 bytes, quarter-warps for 16 bytes, where the guide adds one pass.
//   cc3_x  the warp, half-warps for 16 bytes. What collides is a row of 8 bytes x banks, in both modes:
//          4-byte words i and i + banks of an aligned window of 2 x banks words share it.
//   cc5_x  the warp, half-warps for 8 bytes, quarter-warps for 16 bytes; loads in which every lane's
//          address equals that of lane xor 1 (or, for every lane, lane xor 2) take half as many phases.
//          A lane whose partner is inactive does not prevent that, and a load takes
//          max(its phases, sum over phases with an active lane); a store the sum alone. Both from an H100
//          (cc 9.0): the rule gives the timed wavefronts of all of 1500 random patterns, most with idle
//          lanes, as loads and as stores. Taken over for the older generations of this rule.
// LDSM and STSM: one phase per matrix, the eight lanes that name its rows (H200 microbenchmarks: 1, 2 and 4
// cycles of the data pipe for 1, 2 and 4 matrices without conflicts).
// Ignored: collisions with other traffic of the pipe, atomics.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "arch_specs/arch_spec.h"
#include "model/memory/warp_access.h"

namespace gpumodel {

enum class AccessDirection : unsigned char { load, store };

// Preconditions of the analyses: banks and bank_width_bytes are powers of two, 4 <= banks <= 1024.
struct BankGeometry {
    int banks = 32;
    int bank_width_bytes = 4;  // 8 in cc 3.x's 8-byte mode
    SharedMemoryRule rule = SharedMemoryRule::cc5_x;
};
// The spec's banks in their default mode; throws InputError (invalid_input) for a count outside those.
[[nodiscard]] BankGeometry bank_geometry(const SharedMemory& shared_memory);
// Of the L1's data stage: the same, but 32 banks of 4 bytes on cc 3.x.
[[nodiscard]] BankGeometry data_stage_geometry(const SharedMemory& shared_memory);

struct BankConflicts {
    int phases = 0;      // lane groups that the instruction is split into
    int wavefronts = 0;  // passes over the banks
    int conflicts = 0;   // wavefronts - phases
    int degree = 0;      // worst number of passes of any phase ("n-way")
    // What a perfect layout needs: distinct bytes / bytes of one pass over all banks, rounded up. A pass
    // of cc 3.x carries 8 bytes per bank in both modes.
    double ideal_wavefronts = 0;
};

// Pure and allocation-free; zeros when no lane is active. Precondition: non-negative addresses, aligned
// to bytes_per_lane.
[[nodiscard]] BankConflicts analyse_bank_conflicts(const WarpAccess& access, const BankGeometry& geometry,
                                                   AccessDirection direction);

// For `gpumodel memory -v`: per phase, per bank, the distinct words with the lanes that name them,
// ordered by phase, bank, word. `word` counts in bank widths from address 0; on cc 3.x it is the row.
struct BankWord {
    int phase = 0;
    int bank = 0;
    std::int64_t word = 0;
    std::uint32_t lanes = 0;
};
[[nodiscard]] std::vector<BankWord> bank_picture(const WarpAccess& access, const BankGeometry& geometry,
                                                 AccessDirection direction);

}  // namespace gpumodel
