// Operand reads of FFMAs against the ports of the register file.
//
// Rules, from our H200 microbenchmarks (they reproduce 23 of 24 FFMA sequences within 1 % for one warp):
// 1. Each bank delivers `reads_per_bank_per_cycle` registers (32 lanes) per cycle. RZ, immediates, constants
//    and uniform registers cost nothing; a register named twice in one instruction is read once.
// 2. Reuse cache, one entry per (operand slot, bank): a register read in a slot whose reuse flag is set stays
//    there, and the next instruction that names it in the same slot needs no port. Any access of that slot
//    and bank whose own flag is clear drops the entry (a hit with a clear flag still hits).
// 3. Reads queue per bank in issue order. An instruction issues at cycle t only if its reads in slots A and B
//    finish by t+2 and that in slot C by t+3.
// Kepler has no reuse cache; its four banks with about two reads per cycle come from the measured rates of
// Zhang et al. (PPoPP 2017). The second FFMA of a pair may issue in the cycle of the first.
//
// Left out: what other instructions read and what loads write back.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "arch_specs/arch_spec.h"
#include "traces/instruction.h"

namespace gpumodel {

// The three source slots of one FFMA; a slot without a register that costs a port is -1.
struct PortReads {
    std::array<int, 3> registers{-1, -1, -1};
    std::array<bool, 3> reuse{};
    bool paired = false;  // Kepler: goes together with the next FFMA
};

// What every FFMA of `code` reads, in its order.
[[nodiscard]] std::vector<PortReads> port_reads(std::span<const Instruction> code);

// Sources of an FFMA by their operand slots (sources without a slot count in their order); empty for any
// other instruction.
[[nodiscard]] std::optional<PortReads> port_reads(const Instruction& instruction);

struct PortStatistics {
    int ffmas = 0;
    double cycles_per_ffma = 0;       // steady state of the sequence repeated, one warp
    std::array<int, 4> reuse_hits{};  // FFMAs with 0, 1, 2, 3 sources from the reuse cache
    std::array<int, 4> same_bank{};   // FFMAs by the most reads on one bank, after reuse: 0 ... 3
};

// Bank of a register; empty if the spec does not know the map.
[[nodiscard]] std::optional<int> bank_of(int reg, const RegisterFile& file);

// A sequence of FFMAs that repeats; empty if there are none or the spec does not know its banks.
[[nodiscard]] std::optional<PortStatistics> port_statistics(std::span<const PortReads> sequence,
                                                            const RegisterFile& file);

// The FFMAs of `code`, taken as a sequence that repeats, one by one: what their operands cost, whoever is
// paired. Empty as above.
[[nodiscard]] std::optional<PortStatistics> port_statistics(std::span<const Instruction> code,
                                                            const RegisterFile& file);

}  // namespace gpumodel
