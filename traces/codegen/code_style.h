// What differs between the generations of generated code.
#pragma once

#include "traces/kernel/compiler/unroll.h"
#include "traces/kernel/family.h"

namespace gpumodel {

inline constexpr int quad = 4;  // registers of a 128-bit access

struct CodeStyle {
    CodeGeneration generation = CodeGeneration::volta;
    bool reuse_flags = true;   // Maxwell and later
    bool stall_counts = true;  // Volta and later (stall_counts.h); not known of Maxwell and Pascal
    // One FFMA per cycle and sub-partition: register allocation then minds the banks of every product, else
    // only of those that would read three registers of one bank (docs/compiled_code.md).
    bool full_rate_fp32 = false;
    // Reuse flags reach over no more than so many FFMAs: groups of six on sm_70 and sm_80
    // (docs/compiled_code.md); 0 = no limit.
    int flag_period = 0;
    // Registers that fragments from shared memory may take up before the first product: in bodies of one step
    // and in longer ones.
    int rolled_fragment_words = 16;
    int unrolled_fragment_words = 20;
    // Products that loads stand ahead of their use in bodies of several steps, at least; 0 = as budgets say.
    int products_ahead = 0;

    int registers = 0;  // per thread, of the program at hand
    // Listings of sm_90 tell tiles of 128 results with up to 182 registers from those with 185 and more.
    [[nodiscard]] bool registers_to_spare() const { return registers >= 184; }

    [[nodiscard]] bool kepler() const { return generation == CodeGeneration::kepler; }
};

[[nodiscard]] CodeStyle code_style(const Target& target);

}  // namespace gpumodel
