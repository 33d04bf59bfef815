// Operands of instructions on pairs of halves: registers with or without .H0_H0 and .H1_H1, constants, pairs
// of immediates.
#pragma once

#include "traces/emulate/operations/half_sources.h"
#include "traces/emulate/translate/translator.h"

namespace gpumodel::emulate {

[[nodiscard]] inline bool is_bfloat(const Translator& t) {
    return t.has("BF16_V2") || t.has("BF16");
}

// Slots and half_sources.h's bits of the first `count` sources.
void read_half_sources(Translator& t, MicroOp& op, std::size_t count);

}  // namespace gpumodel::emulate
