// Machines, operations and streams put together by hand, for tests of one part of the simulator.
#pragma once

#include <utility>
#include <vector>

#include "model/sim/core/stream.h"

namespace gpumodel::sim::hand_made {

// One scheduler, every pipe with one unit that takes an instruction per cycle, no limits.
inline Machine machine(int schedulers = 1) {
    Machine made;
    made.schedulers = schedulers;
    return made;
}

// Reads register `source` and writes `result`; -1 = none.
inline DecodedOp arithmetic(int result, int source, int latency = 4) {
    DecodedOp op;
    op.op = OpClass::ffma;
    op.latency = latency;
    op.code = 0;
    if (result >= 0) {
        op.results[op.result_count++] = static_cast<std::uint16_t>(result);
    }
    if (source >= 0) {
        op.sources[op.source_count++] = static_cast<std::uint16_t>(source);
    }
    return op;
}

inline DecodedOp memory(OpKind kind, int result, int source) {
    auto op = arithmetic(result, source);
    op.op = kind == OpKind::shared_load ? OpClass::shared_load : OpClass::global_load;
    op.kind = kind;
    return op;
}

inline DecodedOp barrier() {
    auto op = arithmetic(-1, -1);
    op.op = OpClass::barrier;
    op.kind = OpKind::barrier;
    return op;
}

// All ops as one loop of so many trips.
inline WarpStream looped(std::vector<DecodedOp> ops, std::int64_t trips) {
    WarpStream stream;
    stream.ops = std::move(ops);
    stream.ops.back().closes_loop = true;
    stream.ops.back().loop = 0;
    stream.loops = {{0, static_cast<std::int32_t>(stream.ops.size()) - 1, -1, 0, 0, trips}};
    stream.scoreboard_size = 16;
    return stream;
}

inline WarpStream straight(std::vector<DecodedOp> ops) {
    WarpStream stream;
    stream.ops = std::move(ops);
    stream.scoreboard_size = 16;
    return stream;
}

// Blocks of `warps` warps that all run the stream; op n is code line n.
inline DecodedProgram program(WarpStream stream, int warps = 1) {
    DecodedProgram made;
    for (std::size_t i = 0; i < stream.ops.size(); ++i) {
        stream.ops[i].code = static_cast<std::int32_t>(i);
    }
    made.code.resize(stream.ops.size());
    made.bodies.push_back({{std::move(stream)}, std::vector<int>(static_cast<std::size_t>(warps), 0)});
    return made;
}

}  // namespace gpumodel::sim::hand_made
