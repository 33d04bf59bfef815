#include "model/sim/core/utilisation.h"

#include <algorithm>

namespace gpumodel {

SmUse sm_use(const SimResult& run, const ArchSpec& arch) {
    std::array<double, pipe_count> issued{}, fastest{};
    double tensor_cycles = 0;  // each class stays in the tensor pipe for an interval of its own
    for (std::size_t c = 0; c < op_class_count; ++c) {
        if (const auto& op = arch.sm.ops[c]) {
            const auto pipe = static_cast<std::size_t>(op->pipe);
            issued[pipe] += run.counters.issued_by_class[c];
            tensor_cycles += op->pipe == Pipe::tensor && op_classes[c].op != OpClass::group_mma
                                 ? run.counters.issued_by_class[c] * op->initiation_interval_cycles
                                 : 0;
            fastest[pipe] = std::max(fastest[pipe], op->lanes_per_cycle);
        }
    }
    tensor_cycles += run.counters.product_cycles;
    SmUse use;
    for (std::size_t p = 0; p < pipe_count; ++p) {
        const double lanes = arch.sm.pipe_lanes[p] ? *arch.sm.pipe_lanes[p] : fastest[p];
        if (issued[p] > 0 && lanes > 0) {
            const auto pipe = static_cast<Pipe>(p);
            const double busy = pipe == Pipe::tensor ? tensor_cycles / arch.sm.sub_partitions
                                                     : issued[p] * arch.sm.warp_size / lanes;
            use.pipes.push_back({pipe, issued[p], busy / run.cycles});
        }
    }
    const auto& c = run.counters;
    use.data_pipe = c.data_pipe_cycles / run.cycles;
    if (c.l1_load_sectors > 0) {
        use.l1_hit_rate = c.l1_load_sector_hits / c.l1_load_sectors;
    }
    use.l2_read_bytes_per_cycle = c.l2_read_bytes / run.cycles;
    use.l2_write_bytes_per_cycle = c.l2_write_bytes / run.cycles;
    return use;
}

}  // namespace gpumodel
