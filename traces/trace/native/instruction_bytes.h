// One instruction to and from bytes (FORMAT.md, CODE).
#pragma once

#include "traces/instruction.h"
#include "traces/trace/native/byte_stream.h"

namespace gpumodel {

void write_instruction(ByteWriter& out, const Instruction& instruction);

// Throws ByteFault. `mnemonics` is the number of names in the table.
[[nodiscard]] Instruction read_instruction(ByteReader& in, std::size_t mnemonics);

}  // namespace gpumodel
