// Values that hang on device memory that nobody gave: which lanes of which registers, and what of the path
// such values decided.
//
// An operation's results are tainted in the lanes in which a source or its guard is; loads, also by what they
// read (device_memory.h; shared and local memory keep the taint of what was stored). Results that pass
// between lanes are tainted in all lanes if a source is in one. What a tainted branch merely leads past stays
// untainted: the branch itself is marked.
//
// Compilers keep a division's or a root's rare cases (denormal numbers, infinities) in a subroutine that a
// branch leads around. Where that branch is tainted it is taken, as for ordinary numbers, and noted, not
// marked.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "traces/emulate/run/machine.h"
#include "traces/kernel_program.h"

namespace gpumodel::emulate {

struct Terminator;

// By instruction: how often a warp came by.
using DataMarks = std::map<std::pair<int, UnknownData::What>, std::int64_t>;

class TaintTracker {
public:
    explicit TaintTracker(DataMarks& marks) : marks_(marks) {}

    // In place of op.run(warp, op, mask); `path`: the lanes that come by, `mask`: those of them whose guard
    // holds.
    void run(Warp& warp, const MicroOp& op, std::uint32_t path, std::uint32_t mask);
    // Lanes of the path in which the end of the code block hangs on tainted values.
    [[nodiscard]] static std::uint32_t at_end(const Warp& warp, const Terminator& last, std::uint32_t path);
    void mark(int instruction, UnknownData::What what) { ++marks_[{instruction, what}]; }

private:
    static void write(Warp& warp, const MicroOp& op, std::uint32_t mask, std::uint32_t result,
                      std::uint32_t guard);

    DataMarks& marks_;
};

}  // namespace gpumodel::emulate
