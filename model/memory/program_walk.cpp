#include "model/memory/program_walk.h"

namespace gpumodel {
namespace {

void walk(const std::vector<Node>& nodes, const LoopContext& context, const BlockBody& of,
          FlatProgram& flat) {
    for (const auto& node : nodes) {
        if (const auto* interval = std::get_if<Interval>(&node)) {
            flat.intervals.push_back({interval, context, of.box, of.executed});
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
        walk(loop.body, inner, of, flat);
    }
}

}  // namespace

std::vector<BlockBody> block_bodies(const KernelProgram& program) {
    if (program.variants.empty()) {
        return {{&program.body, {{0, 0, 0}, program.grid}, {0, 0, 0}}};
    }
    std::vector<BlockBody> bodies;
    bodies.reserve(program.variants.size());
    for (const auto& variant : program.variants) {
        const auto& [x, y, z] = variant.blocks.begin;
        const auto& ahead = variant.executed;
        bodies.push_back({&variant.body, variant.blocks, {x + ahead.x, y + ahead.y, z + ahead.z}});
    }
    return bodies;
}

FlatProgram flatten(const KernelProgram& program) {
    FlatProgram flat;
    for (const auto& body : block_bodies(program)) {
        walk(*body.nodes, {}, body, flat);
    }
    return flat;
}

}  // namespace gpumodel
