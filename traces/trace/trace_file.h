// The native trace file (.gpt): one KernelProgram, with its access functions made into tables. FORMAT.md
// describes the bytes.
//
// What is kept: launch, resources, arrays, notes, mnemonics, all variants with nodes, segments, instructions
// and sites. What is left out: the functions that only the host executor uses (ProductStep::acc, acc_base,
// AccessSite::fragment_index, KernelProgram::result_acc).
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

#include "traces/kernel_program.h"

namespace gpumodel {

inline constexpr std::uint32_t trace_file_version = 2;

struct TraceFile {
    std::string arch;    // generation of the code, "sm_70"; "" = not known
    std::string source;  // what it was made from: "kernel warptile", "k.sass entry NAME", "kernelslist.g"
    KernelProgram program;
};

// Throws InputError (invalid input) for a site whose address is not affine in the block coordinates and loop
// counters, or whose lane predicate is no product of coordinate ranges. `name` stands in its diagnostics.
void write_trace(std::ostream& out, const TraceFile& trace, const std::string& name);

// Throws InputError (invalid input) that names the byte offset, or the document and field; holds the file and
// one document at a time beside the program. The addresses of the result are those of the written program
// wherever a site is executed. Files of other versions are refused.
[[nodiscard]] TraceFile read_trace(std::istream& in, const std::string& name);

// As above; writes `path`.part and renames it. A file that cannot be opened or written is a usage error.
void write_trace_file(const std::string& path, const TraceFile& trace);
[[nodiscard]] TraceFile read_trace_file(const std::string& path);

// Fuzzing entry in the form that libFuzzer expects: reads the bytes as a trace file and evaluates some
// addresses. Anything but InputError escapes.
int fuzz_trace_file(const std::uint8_t* data, std::size_t size);

}  // namespace gpumodel
