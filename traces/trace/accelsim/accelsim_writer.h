// An instruction-level program as an Accel-Sim trace: kernelslist.g and kernel-1.traceg.xz, version 5.
//
// Blocks stand in launch order, warps in order; each warp ends with EXITs that cover its lanes (one is added
// where the program has none). Arrays get device addresses from 0x7f4100000000 on; shared addresses are
// offsets. PCs are the code's own where they tell all instructions apart, else new ones: 16 bytes per
// instruction, on Kepler 8 with a control word before every seven.
//
// Left out, since the format has no place for it: predicates, uniform registers, control bits, all but the
// first register of a pair or quad. Guards of instructions other than loads and stores are taken as true, but
// an EXIT is taken only where its lanes have nothing left to run. TEXDEPBAR (Kepler) is dropped: Accel-Sim
// has no such opcode and stops.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "traces/trace/trace_file.h"

namespace gpumodel {

struct AccelSimWritten {
    std::vector<std::string> files;
    std::int64_t warp_instructions = 0;  // lines written
    std::vector<std::string> notes;
};

// `path`: `.traceg` or `.traceg.xz` for the kernel alone; any other ending in `.g` for a list, with
// kernel-1.traceg.xz beside it. Throws InputError: usage for what cannot be written, invalid input for a
// program without instructions, of unknown architecture, or of more than 10^10 instructions.
AccelSimWritten write_accelsim(const TraceFile& trace, const std::string& path);

}  // namespace gpumodel
