// Static instruction counts of a function and of its loops.
#pragma once

#include <array>
#include <map>
#include <vector>

#include "traces/sass/analysis/control_flow.h"

namespace gpumodel {

// One kind of memory access, as counted: LDS.128 is {shared, load, 16}.
struct AccessWidth {
    SassSpace space = SassSpace::none;
    SassDirection direction = SassDirection::none;
    int bytes = 0;  // per lane
    friend auto operator<=>(const AccessWidth&, const AccessWidth&) = default;
};

// Padding is not counted: NOPs, and code that no path from the entry reaches.
struct InstructionCounts {
    int total = 0;
    int unknown = 0;
    std::array<int, op_class_count> by_class{};
    std::map<AccessWidth, int> accesses;
    // Cycles that one warp alone needs to issue them by its stall counts: the sum of max(1, stall), on Kepler
    // of the codes' waits with 0 for the first of a pair. Empty if control information is missing.
    std::optional<int> stall_cycles = 0;
    int dual_issue = 0;  // Kepler: instructions that go together with the next

    [[nodiscard]] int of(OpClass op) const { return by_class[static_cast<std::size_t>(op)]; }
    [[nodiscard]] int of(SassSpace space, SassDirection direction, int bytes) const;
    void add(const SassInstruction& instruction);
    void add(const InstructionCounts& other);
};

struct LoopCounts {
    InstructionCounts own;    // without inner loops: once per iteration
    InstructionCounts whole;  // with inner loops, each of them counted once
};

struct FunctionCounts {
    InstructionCounts total;
    InstructionCounts outside_loops;
    std::vector<LoopCounts> loops;  // as ControlFlow::loops
};

[[nodiscard]] FunctionCounts count_instructions(const SassFunction& function, const ControlFlow& flow);

// The first and last instruction of a loop by address (its header may stand in between).
struct LoopSpan {
    std::uint64_t first_address = 0;
    std::uint64_t last_address = 0;
};
[[nodiscard]] LoopSpan loop_span(const SassFunction& function, const ControlFlow& flow, const SassLoop& loop);

// Highest register used, plus one: what the launch needs at least. 0 if none is.
[[nodiscard]] int registers_used(const SassFunction& function);

}  // namespace gpumodel
