// Reads what `cuobjdump -sass` (or `nvdisasm -hex`) prints.
//
// A function begins at `Function : NAME` and ends at a line of dots, at the next function or at the end. In
// between stand instructions
//     /*0010*/  @!P0 IADD3 R0, P1, R2.reuse, c[0x0][0x160], RZ ;  /* 0x0000580002007a10 */
// on sm_70 and later followed by a line with the second half of the encoding; before sm_70 a line with a
// control word stands before each group of seven (sm_35) or three (sm_50 and later), and the second of a pair
// ends at a brace instead of a semicolon, its encoding on a line of its own. Encodings may be absent
// throughout: control is then unknown. Where only an encoding stands, the disassembler did not know the
// instruction (undisassembled.h).
// Architectures: sm_35, sm_37, sm_50 and later (older ones are refused). With `cuobjdump -sass -elf` (or the
// output of -elf in the same file) functions get the module's constants (constant_dump.h); all else that -elf
// prints is passed over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "traces/sass/sass_module.h"

namespace gpumodel {

// `file` names the listing in diagnostics. Throws InputError (invalid input) with all faults, the first
// hundred at most. Never throws for unknown opcodes, see opcode_table.h.
[[nodiscard]] SassModule read_sass(std::string_view text, const std::string& file);

// The file may be packed (base/files/byte_stream.h). Throws InputError (usage) if it cannot be read.
[[nodiscard]] SassModule read_sass_file(const std::string& path);

// Fuzzing entry in the form that libFuzzer expects of LLVMFuzzerTestOneInput: reads the bytes as a listing
// and analyses what was read. Returns 0; anything but InputError escapes.
int fuzz_sass(const std::uint8_t* data, std::size_t size);

}  // namespace gpumodel
