// The condition code of Kepler to Pascal: what the last instruction with .CC left of its result.
#pragma once

#include "traces/emulate/translate/translator.h"

namespace gpumodel::emulate {

// Whether the opcode's translation sets the condition code where its result carries .CC. Of all others the
// result is not emulated then.
[[nodiscard]] bool sets_condition_code(std::string_view opcode);

// Zero and sign of the value in the slot; carries are the sum's business.
void set_result_flags(Translator& t, std::uint16_t slot);
// Of a result that is no sum.
void clear_carries(Translator& t);

// The predicate is set in lanes whose value is not zero, or with `inverted` in the others.
void test_for_zero(Translator& t, std::uint16_t slot, std::uint8_t predicate, bool inverted);

}  // namespace gpumodel::emulate
