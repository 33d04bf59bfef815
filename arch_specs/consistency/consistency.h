// Rules that tie several keys of a spec together: what no range of a single value can catch. Each rule
// runs only where all its keys are present and sound.
#pragma once

#include <vector>

#include "arch_specs/document/spec_resolution.h"
#include "base/diagnostics.h"

namespace gpumodel {

// Appends one fault per broken rule, placed at the key among the rule's that was given nearest (override,
// file, parent). `spec` is build_spec(resolved), derived.
//
// Rules that compare a product with what its maker prints or its parts deliver (peaks, DRAM pins, L2 ports,
// banks, SMs of its GPCs) are skipped once one of their keys is overridden: `--set clock.sm=...` asks what
// if, and the figure it is compared with stays. Overrides that contradict each other are faults all the same:
// shared memory's bandwidth and banks, the L2's bandwidth and its port per SM, boost and base clock,
// bandwidth and pins of DRAM, SMs and GPCs.
void check_consistency(const ResolvedSpec& resolved, const ArchSpec& spec, std::vector<Diagnostic>& faults);

// Largest relative differences that rounding in datasheets explains; more is a unit slip.
inline constexpr double peak_tolerance = 0.03;      // declared against derived peaks
inline constexpr double pin_rate_tolerance = 0.02;  // bus width * data rate against bandwidth

}  // namespace gpumodel
