// Sums with carries, which products end in too.
#pragma once

#include <array>
#include <cstdint>

#include "traces/emulate/translate/translator.h"

namespace gpumodel::emulate {

// Up to three summands; a negated one is ~x + 1 as the adder computes it, so that the carry is right for 0.
struct Sum {
    std::array<std::uint16_t, 3> slots{zero_slot, zero_slot, zero_slot};
    std::size_t count = 0;
    std::uint32_t inversions = 0;
    int ones = 0;
    void add(std::uint16_t slot, bool negated, bool inverted);
};

// The sum as the instruction's result, with its carries in and out.
void emit_sum(Translator& t, const Sum& sum);

// IADD3 before Volta: of words or of their halves, also shifted between the two additions.
void translate_sum_of_three(Translator& t);

}  // namespace gpumodel::emulate
