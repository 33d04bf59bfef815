#include "model/memory/program_walk.h"

namespace gpumodel {
namespace {

void walk(const std::vector<Node>& nodes, const LoopContext& context, FlatProgram& flat) {
    for (const auto& node : nodes) {
        if (const auto* interval = std::get_if<Interval>(&node)) {
            flat.intervals.push_back({interval, context});
            continue;
        }
        const auto& loop = std::get<Loop>(node);
        if (loop.trips <= 0) {
            continue;
        }
        LoopContext inner = context;
        inner.trips.at(static_cast<std::size_t>(context.depth)) = loop.trips;
        inner.depth = context.depth + 1;
        inner.total_trips = context.total_trips * static_cast<double>(loop.trips);
        walk(loop.body, inner, flat);
    }
}

}  // namespace

FlatProgram flatten(const KernelProgram& program) {
    FlatProgram flat;
    walk(program.body, {}, flat);
    return flat;
}

}  // namespace gpumodel
