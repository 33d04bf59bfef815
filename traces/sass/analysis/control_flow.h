// Basic blocks and natural loops of one function.
//
// Edges: a branch to its target, and to the next instruction if it is guarded (or has a predicate operand);
// EXIT and RET only to the next instruction if guarded. CALL goes both to its target and to the next
// instruction: CUDA 11.8 ends loops on sm_8x with a predicated CALL.REL.NOINC that skips the back branch.
// BSYNC (Volta), SYNC (Maxwell) and the .S mark (Kepler) continue at the target of the nearest BSSY/SSY in
// front of them that lies ahead. BRX, JMX and, before Volta, BRK and CONT end a path: their targets are not
// followed, and `indirect_branches` counts them.
//
// A loop is the natural loop of a back edge u -> v, v dominating u; back edges to one header make one loop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "traces/sass/sass_module.h"

namespace gpumodel {

struct BasicBlock {
    std::size_t begin = 0;  // instruction indices, end exclusive
    std::size_t end = 0;
    std::vector<std::size_t> successors;
    std::vector<std::size_t> predecessors;
    bool reachable = false;
};

struct SassLoop {
    std::size_t header = 0;
    std::vector<std::size_t> blocks;        // ascending, inner loops included
    std::vector<std::size_t> back_sources;  // blocks that branch back to the header
    int parent = -1;                        // index of the loop around it
    int depth = 1;
};

struct ControlFlow {
    std::vector<BasicBlock> blocks;  // by address; the first is the entry
    std::vector<SassLoop> loops;     // by address of the header
    std::vector<int> loop_of_block;  // innermost, -1 = none
    int irreducible_edges = 0;       // retreating edges that close no natural loop
    int indirect_branches = 0;
};

[[nodiscard]] ControlFlow control_flow(const SassFunction& function);

}  // namespace gpumodel
