// --clock: at which SM clock launches run.
// - burst: a launch or two after a rest, as benchmarks time it: clock.sm, or what matrix products leave of it
// - boost: clock.boost (clock.sm where the spec has none), whatever the launch does
// - sustained: launches follow each other for seconds: the clock at which the board draws power.limit at most
// - 1410 MHz: locked to that, no launch runs faster
// Burst is the default and changes nothing.
#pragma once

#include <string>
#include <vector>

#include "arch_specs/loader.h"

namespace gpumodel::cli {

// The spec for that choice; `overrides` are those that it was loaded with under the name `arch`. Throws
// InputError (usage) for a choice that is none, a clock above clock.sm, sustained where the spec does not
// know its board's power, and boost beside an override of clock.sm.
[[nodiscard]] ArchSpec at_chosen_clock(const std::string& choice, ArchSpec spec, const std::string& arch,
                                       std::vector<Override> overrides);

}  // namespace gpumodel::cli
