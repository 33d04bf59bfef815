#include "traces/sass/analysis/listing_analysis.h"

namespace gpumodel {

SassAnalysis analyse(const SassFunction& function, const RegisterFile& file) {
    const auto flow = control_flow(function);
    auto counts = count_instructions(function, flow);
    SassAnalysis result;
    result.registers = registers_used(function);
    result.total = std::move(counts.total);
    result.outside_loops = std::move(counts.outside_loops);
    for (std::size_t i = 0; i < flow.loops.size(); ++i) {
        const auto& loop = flow.loops[i];
        result.loops.push_back({loop_span(function, flow, loop), loop.parent, loop.depth,
                                std::move(counts.loops[i]),
                                port_statistics(function, flow, static_cast<int>(i), file)});
    }
    result.unknown = unknown_opcodes(function);
    result.irreducible_edges = flow.irreducible_edges;
    result.indirect_branches = flow.indirect_branches;
    return result;
}

}  // namespace gpumodel
