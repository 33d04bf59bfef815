// Which registers the generated code uses for what: numbers within the launch's registers per thread where
// accumulators and fragments fit. What would lie beyond the last register wraps around (vector_registers).
#pragma once

#include <map>
#include <vector>

#include "traces/codegen/code_style.h"
#include "traces/kernel_program.h"

namespace gpumodel {

struct RegisterPlan {
    // Fixed uses. R1 is the stack pointer.
    static constexpr int thread_index = 0;
    static constexpr int pointers = 2;  // a 64-bit pointer
    static constexpr int shared_base = 4;
    static constexpr int counter = 5;
    static constexpr int first_temporary = 6;  // results of address arithmetic, in turn
    static constexpr int temporaries = 8;
    static constexpr int first_free = 16;
    static constexpr int last = 254;

    std::vector<int> accumulators;     // by accumulator index
    bool consecutive_results = false;  // they are loaded from and stored to local memory in vectors
    int scratch = first_free;          // fragments, tiles on their way, results: a multiple of four registers
    int scratch_words = 0;
    // Words loaded in one segment and stored in another, by stage.
    std::map<int, int> staged;

    [[nodiscard]] int accumulator(int index) const {
        return accumulators[static_cast<std::size_t>(index) % accumulators.size()];
    }
};

// Of acc(i,j); loops that are left do not select accumulators.
[[nodiscard]] int accumulator_index(const ProductStep& product, int i, int j);

// `nodes`: loops as the code has them (unroll_loops.h).
[[nodiscard]] RegisterPlan plan_registers(const KernelProgram& program, const std::vector<Node>& nodes,
                                          const CodeStyle& style);

}  // namespace gpumodel
