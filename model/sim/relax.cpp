#include "model/sim/relax.h"

#include <algorithm>

#include "model/sim/core/stream.h"
#include "model/sim/memory/access_table.h"
#include "model/sim/memory/memory_costs.h"

namespace gpumodel::sim {
namespace {

constexpr double unlimited = 1e9;  // times what any GPU moves per cycle

void relax_data_pipe(ArchSpec& arch) {
    auto& shared = arch.sm.shared_memory;
    shared.bandwidth_bytes_per_cycle *= unlimited;
    shared.min_cycles_per_request = shared.extra_cycles_per_request = 0;
    shared.sub_partition_interval_cycles = 0;
    shared.conflict_latency_cycles = 0;
    shared.conflict_latency_per_word_cycles.reset();
    arch.l1.min_cycles_per_request = arch.l1.extra_cycles_per_request = 0;
    arch.l1.tag_lines_per_cycle = 0;
    arch.texture.sample_lanes_per_cycle.reset();
    arch.texture.fetch_lanes_per_cycle.reset();
    arch.texture.lines_per_cycle.reset();
}

void relax_shared_latency(SharedMemory& shared) {
    shared.latency_32_cycles = std::min(shared.latency_32_cycles, 1.0);
    shared.latency_64_cycles = std::min(shared.latency_64_cycles, 1.0);
    shared.latency_128_cycles = std::min(shared.latency_128_cycles, 1.0);
    shared.conflict_latency_cycles = 0;
    shared.conflict_latency_per_word_cycles.reset();
}

void relax_memory_latency(ArchSpec& arch) {
    const double hit = arch.l1.latency_cycles;
    arch.l2.latency_cycles = std::min(arch.l2.latency_cycles, hit);
    if (arch.l2.far_latency_cycles) {
        arch.l2.far_latency_cycles = std::min(*arch.l2.far_latency_cycles, hit);
    }
    arch.l2.latency_spread_cycles.reset();
    arch.dram.latency_cycles = std::min(arch.dram.latency_cycles, hit);
}

void relax_dram_bandwidth(ArchSpec& arch) {
    arch.dram.bandwidth_bytes_per_second *= unlimited;
    arch.dram.read_efficiency = arch.dram.copy_efficiency = 1;
    arch.dram.queue_latency_cycles.reset();
    arch.dram.turnaround_latency_cycles.reset();
}

void relax_behind_l1(const Relax& relax, ArchSpec& arch) {
    if (relax.l2_bandwidth) {
        arch.l2.read_bytes_per_cycle *= unlimited;
        arch.l2.read_bytes_per_cycle_per_sm *= unlimited;
        arch.l2.far_read_bytes_per_cycle.reset();
        arch.l2.write_bytes_per_cycle *= unlimited;
        arch.l2.write_bytes_per_cycle_per_sm.reset();
        arch.l1.store_buffer_bytes.reset();
        arch.l1.miss_lines_per_cycle.reset();
    }
    if (relax.dram_bandwidth || relax.dram) {
        relax_dram_bandwidth(arch);
    }
    if (relax.dram && arch.l2.size_bytes > 0) {
        const double far = arch.l2.far_latency_cycles.value_or(arch.l2.latency_cycles);
        // of two halves both are asked, and `far` counts from the mean (model/memory/costs/behind_l1.h)
        const double l2 = arch.l2.halves.value_or(1) == 1 ? far : (arch.l2.latency_cycles + far) / 2;
        arch.dram.latency_cycles = std::min(arch.dram.latency_cycles, l2);
    }
    if (relax.memory_latency) {
        relax_memory_latency(arch);
    }
}

}  // namespace

ArchSpec relaxed_spec(ArchSpec arch, const Relax& relax) {
    if (relax.data_pipe) {
        relax_data_pipe(arch);
    }
    if (relax.shared_latency) {
        relax_shared_latency(arch.sm.shared_memory);
    }
    if (relax.memory_queue) {
        arch.sm.memory_queue_depth.reset();
    }
    if (relax.register_ports) {
        arch.sm.register_file.operand_slack_cycles.reset();
        arch.sm.register_file.load_write_back.reset();
    }
    if (relax.issue_slots) {
        arch.sm.issue_interval_cycles = 0;
    }
    if (relax.branch_latency) {
        arch.sm.branch_latency_cycles = 0;
        arch.sm.branch_run_ahead.reset();
        arch.sm.branch_latency_least_cycles.reset();
    }
    if (relax.instruction_fetch) {
        arch.sm.instruction_cache = {};
    }
    relax_behind_l1(relax, arch);
    if (relax.block_launch) {
        arch.launch.blocks_per_cycle = 0;
        arch.launch.block_turnover_cycles = 0;
    }
    if (relax.uneven_sms) {
        arch.launch.sm_drift = 0;
    }
    if (relax.launch_overhead) {
        arch.launch.overhead_seconds = 0;
    }
    return arch;
}

void relax_machine(const Relax& relax, Machine& machine) {
    if (!relax.math_pipes) {
        return;
    }
    for (auto& pipe : machine.pipes) {
        pipe.interval = 0;
    }
    for (auto& timing : machine.classes) {
        timing.slow_interval = 0;
    }
}

void relax_costs(const Relax& relax, MemoryCosts& costs) {
    if (relax.data_pipe) {
        costs.l1.data_stage = false;
    }
}

std::vector<LineSectors> ideal_lines(std::int64_t bytes, std::int32_t sectors) {
    constexpr std::int64_t per_line = line_bytes / sector_bytes;
    std::vector<LineSectors> lines;
    auto left = (bytes + sector_bytes - 1) / sector_bytes;
    if (left >= sectors) {
        return lines;
    }
    for (std::int32_t line = 0; left > 0; ++line, left -= per_line) {
        lines.push_back({line, (1U << static_cast<unsigned>(std::min(left, per_line))) - 1});
    }
    return lines;
}

void relax_program(const Relax& relax, DecodedProgram& decoded) {
    if (!relax.barriers && !relax.arithmetic_latency) {
        return;
    }
    for (auto& body : decoded.bodies) {
        for (auto& stream : body.streams) {
            for (auto& op : stream.ops) {
                if (relax.barriers && op.kind == OpKind::barrier) {
                    op.kind = OpKind::arithmetic;
                }
                if (relax.arithmetic_latency) {
                    op.issue_delay = std::min<std::uint8_t>(op.issue_delay, 1);
                    op.latency = op.kind == OpKind::arithmetic ? std::min(op.latency, 1) : op.latency;
                }
            }
        }
    }
}

}  // namespace gpumodel::sim
