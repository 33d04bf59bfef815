// The modifiers of comparisons: which one, and what its result is joined with.
#pragma once

#include <optional>

#include "traces/emulate/operations/comparisons.h"
#include "traces/emulate/translate/translator.h"

namespace gpumodel::emulate {

struct Comparison {
    Compare compare = Compare::never;
    bool unordered = false;
    Join join = Join::with_and;
    [[nodiscard]] u32 option() const {
        return static_cast<u32>(compare) | static_cast<u32>(join) << join_shift |
               (unordered ? unordered_bit : 0);
    }
};

[[nodiscard]] std::optional<Join> join_named(std::string_view name);
// Refuses the instruction where it names none.
[[nodiscard]] Comparison comparison_of(Translator& t);

}  // namespace gpumodel::emulate
