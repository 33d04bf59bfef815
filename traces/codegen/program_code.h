// The code of a generated program without its launch. The same tiles at another size of the problem differ in
// trip counts, grid and addresses, which the code does not name: a sweep over sizes generates it once.
#pragma once

#include <string>
#include <vector>

#include "traces/kernel/family.h"
#include "traces/kernel_program.h"

namespace gpumodel {

struct SegmentCode {
    InstructionList code;
    OpCounts ops{};
    DependencyShape dependency;
};

// Of a program's segments, bodies and nodes in order.
struct ProgramCode {
    MnemonicTable mnemonics;
    std::vector<SegmentCode> segments;
    [[nodiscard]] std::size_t instructions() const;
};

[[nodiscard]] ProgramCode code_of(const KernelProgram& generated);

// What a family's code depends on: kernel, parameters, target, registers, and the tiles without trip counts
// beyond what unrolling leaves of a loop (nothing, one copy or more, and the rest).
[[nodiscard]] std::string code_key(const KernelProgram& tiles, const Target& target);

}  // namespace gpumodel
