// Accel-Sim traces (kernelslist.g, kernel-N.traceg, .traceg.xz; versions 3 to 5 of its tracer, and older ones
// with block and warp on each line) as a source of executed blocks.
//
// What the format leaves out, and what is made of it:
// - predicates, uniform registers, constants and control bits: Instruction::control is unknown, operand slots
//   are those of the listed sources;
// - guards: the mask is active AND guard. An instruction with an empty mask, and a memory instruction whose
//   mask lies within its predecessor's, count as guarded; anything else as divergence;
// - the shared half of LDGSTS: lane i is taken to write at i times its bytes, without conflicts;
// - allocations other than the list's MemcpyHtoD: touched 64 KiB pages less than 2 MiB apart make a region.
// A global address of 0 is no access, as in Accel-Sim. Shared and local addresses are offsets; those within
// the windows that the header names are taken relative to them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "traces/fold/fold_program.h"
#include "traces/trace/trace_file.h"
#include "traces/warp_events.h"

namespace gpumodel {

struct AccelSimOptions {
    bool allow_unknown = false;  // opcodes that are not in the table are taken for moves
};

// MemcpyHtoD of the list: a device allocation.
struct AccelSimAllocation {
    std::int64_t address = 0;
    std::int64_t bytes = 0;
};

struct AccelSimList {
    std::vector<std::string> kernels;  // paths of the trace files, in launch order
    // Those before kernel i are the first `allocations_before[i]`.
    std::vector<AccelSimAllocation> allocations;
    std::vector<std::size_t> allocations_before;
};

// Executed instructions, as listed.
struct AccelSimTotals {
    std::int64_t warp_instructions = 0;
    std::int64_t thread_instructions = 0;  // lanes in the masks
    std::int64_t text_bytes = 0;
};

class AccelSimTrace : public BlockSource {
public:
    [[nodiscard]] virtual const LaunchContext& launch() const = 0;
    [[nodiscard]] virtual const std::string& arch() const = 0;  // "sm_70"
    [[nodiscard]] virtual const AccelSimTotals& totals() const = 0;
    [[nodiscard]] virtual const std::vector<std::string>& notes() const = 0;
};

// Each throws InputError: usage for a file that cannot be read, else invalid input with `path:line:col` of
// the first hundred faults.
[[nodiscard]] AccelSimList read_accelsim_list(const std::string& path);
// Reads the whole file once and keeps the blocks' text compressed (some percent of it).
[[nodiscard]] std::unique_ptr<AccelSimTrace> open_accelsim(
    const std::string& path, const std::vector<AccelSimAllocation>& allocations = {},
    const AccelSimOptions& options = {});
[[nodiscard]] std::unique_ptr<AccelSimTrace> open_accelsim_text(
    const std::string& text, const std::string& name, const std::vector<AccelSimAllocation>& allocations = {},
    const AccelSimOptions& options = {});

// A list or a trace file, folded. `kernel`: which of the list, from 1; a list with several needs one.
[[nodiscard]] TraceFile program_from_accelsim(const std::string& path, std::optional<int> kernel,
                                              const AccelSimOptions& options = {},
                                              const FoldOptions& fold = {});

// Fuzzing entry in the form that libFuzzer expects: the bytes as a .traceg, its blocks run, and as a list.
int fuzz_accelsim(const std::uint8_t* data, std::size_t size);

}  // namespace gpumodel
