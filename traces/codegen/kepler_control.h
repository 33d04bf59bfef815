// Control codes of Kepler: how long the scheduler waits after each instruction, and which pairs go together.
//
// Consistent within a segment: fixed latencies are covered by the waits (9 cycles, 13 for predicates), loads
// are not, as on hardware, which tracks their destination registers: consumers must wait for them. The last
// instruction's wait covers what is still on its way at the segment's end.
// From docs/compiled_code.md, sm_35 (nvcc 11.8): groups of seven, pairs never across two groups; an
// FFMA goes together with the shared load behind it and, in the first place of a group and the fifth of every
// other one, with the next FFMA unless four or more registers of one bank would be read (compiled bodies: 15
// % of the FFMAs with another, 7 to 43 % by kernel, which is not modelled); address arithmetic in every other
// place with an independent instruction of another class.
//
// Hand-scheduled code pairs all that the lanes take, six FFMAs in four cycles (two schedulers share every
// third group of lanes): in a group of seven, one alone, two pairs, and one with the load behind it. Zhang et
// al. (PPoPP 2017, sections 3.3 and 4.2) found this 1-2-2-1 the best of the six such patterns. That vendor
// code pairs so is an inference: above two thirds of the peak there is no other way.
#pragma once

#include <vector>

#include "traces/instruction.h"

namespace gpumodel {

void set_kepler_control(std::vector<Instruction>& code, bool hand_scheduled = false);

}  // namespace gpumodel
