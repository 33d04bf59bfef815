#include "model/sim/launch_key.h"

#include <fmt/format.h>

#include "base/hash.h"
#include "model/sim/core/instruction_cache.h"

namespace gpumodel::sim {
namespace {

// Structured bindings name every member: a new one has to be added here too.
void add(ValueHash& hash, const DecodedOp& decoded) {
    const auto& [kind, op, pipe, slow_interval, issue_delay, pairs, tracks_results, tracks_sources,
                 closes_loop, jumps, resolves, starts_batch, bulk, no_data, continues, guarded, copies,
                 waits_for_copies, ends_batch, batches_left, group, copies_first, copies_step, arrivals_from,
                 arrivals_first, arrivals_step, others_first, arrivals_warps, others_warps, arrives, address,
                 constant_addresses, product_ticks, words, texture, filter, bytes, source_count, result_count,
                 read_count, holds_ports, latency, loop, access, code, sources, results, reads,
                 result_banks] = decoded;
    hash.add(kind, op, pipe, slow_interval, issue_delay, pairs, tracks_results, tracks_sources, closes_loop,
             jumps, resolves, starts_batch, bulk, no_data, continues, guarded, copies, waits_for_copies,
             ends_batch, batches_left, copies_first, copies_step, arrivals_from, arrivals_first,
             arrivals_step, others_first, arrivals_warps, others_warps, arrives, address, constant_addresses,
             product_ticks, words, texture, filter.passes, filter.planes, bytes, source_count, result_count,
             read_count, holds_ports, latency, loop, access, code);
    const auto& [columns, a_in_registers, ends_group, groups_left] = group;
    hash.add(columns, a_in_registers, ends_group, groups_left);
    for (std::size_t i = 0; i < source_count; ++i) {
        hash.add(sources[i]);
    }
    for (std::size_t i = 0; i < result_count; ++i) {
        hash.add(results[i]);
    }
    for (std::size_t i = 0; i < read_count; ++i) {
        const auto& [bank, slot, reg, reuse] = reads[i];
        hash.add(bank, slot, reg, reuse);
    }
    for (const auto bank : result_banks) {
        hash.add(bank);
    }
}

void add(ValueHash& hash, const AccessStrides& strides) {
    for (const auto stride : strides.loop) {
        hash.add(stride);
    }
    hash.add(strides.block_x, strides.block_y, strides.block_z, strides.slot);
}

void add(ValueHash& hash, const WarpStream& stream) {
    hash.add(stream.scoreboard_size, stream.ops.size(), stream.loops.size(), stream.accesses.size());
    for (const auto& op : stream.ops) {
        add(hash, op);
    }
    for (const auto& [first_op, last_op, outer, depth, node, trips, jumps] : stream.loops) {
        hash.add(first_op, last_op, outer, depth, node, trips, jumps);
    }
    for (const auto& access : stream.accesses) {
        hash.add(access.site->kind, access.site->space, is_private(*access.site));
    }
}

void add(ValueHash& hash, const std::vector<std::vector<WarpPattern>>& of_warps) {
    for (const auto& of_warp : of_warps) {
        hash.add(of_warp.size());
        for (const auto& [pattern, address] : of_warp) {
            hash.add(pattern, address);
        }
    }
}

// A block of every class that the table tells apart: the box's corners.
void add_patterns(ValueHash& hash, AccessTable& table, const BlockBox& box) {
    for (unsigned corner = 0; corner < 8; ++corner) {
        const auto& patterns = table.patterns({(corner & 1U) != 0 ? box.end.x - 1 : box.begin.x,
                                               (corner & 2U) != 0 ? box.end.y - 1 : box.begin.y,
                                               (corner & 4U) != 0 ? box.end.z - 1 : box.begin.z});
        hash.add(patterns.origin.x, patterns.origin.y, patterns.origin.z);
        add(hash, patterns.of_warp);
        add(hash, patterns.shared_of_warp);
    }
}

void add(ValueHash& hash, const Traffic& traffic) {
    const auto& [l1_sectors, l1_hits, l1_shared, l1_past, l2_read, l2_served, l2_write, l2_joined, dram_read,
                 dram_write, write_cost, write_cost_of_reads, read_cost, read_for_writes, unique, dram_wait,
                 far_read, far_wait, hot, stale, crowded] = traffic;
    hash.add(l1_sectors, l1_hits, l1_shared, l1_past, l2_read, l2_served, l2_write, l2_joined, dram_read,
             dram_write, write_cost, write_cost_of_reads, read_cost, read_for_writes, unique, dram_wait,
             far_read, far_wait);
    hash.add(hot.has_value());
    if (hot) {
        hash.add(hot->lines.size(), hot->waits, hot->cycles, hot->store_cycles);
        for (const auto& [array, line] : hot->lines) {
            hash.add(std::hash<std::string>{}(array), line);
        }
    }
    hash.add(stale.size());
    for (const auto& [array, more] : stale) {
        hash.add(std::hash<std::string>{}(array), more);
    }
    hash.add(crowded.size());
    for (const auto& [array, times] : crowded) {
        hash.add(std::hash<std::string>{}(array), times);
    }
}

void add_bodies(ValueHash& hash, const DecodedProgram& decoded, const AccessTable& table) {
    for (std::size_t b = 0; b < decoded.bodies.size(); ++b) {
        const auto& body = decoded.bodies[b];
        for (const int stream : body.stream_of_warp) {
            hash.add(stream);
        }
        for (std::size_t s = 0; s < body.streams.size(); ++s) {
            add(hash, body.streams[s]);
            for (const auto& strides : table.strides(static_cast<int>(b), static_cast<int>(s))) {
                add(hash, strides);
            }
            for (const auto& strides : table.shared_strides(static_cast<int>(b), static_cast<int>(s))) {
                add(hash, strides);
            }
        }
    }
}

}  // namespace

std::string launch_key(const KernelProgram& program, const DecodedProgram& decoded, AccessTable& table,
                       const Waves& waves, const Traffic& traffic, std::int64_t l1_bytes, double sm_hz) {
    ValueHash hash;
    hash.add(decoded.bodies.size(), decoded.code.size(), program.grid.x, program.grid.y, program.grid.z,
             waves.blocks_per_sm, l1_bytes, sm_hz);
    const auto layout = code_layout(decoded);
    hash.add(layout.instructions);
    for (const auto line : layout.line_of_code) {
        hash.add(line);
    }
    add(hash, traffic);
    add_bodies(hash, decoded, table);
    if (program.variants.empty()) {
        add_patterns(hash, table, {{0, 0, 0}, program.grid});
    }
    for (const auto& variant : program.variants) {
        const auto& [begin, end] = variant.blocks;
        hash.add(begin.x, begin.y, begin.z, end.x, end.y, end.z);
        add_patterns(hash, table, variant.blocks);
    }
    table.add_patterns_to(hash);
    return fmt::format("{:016x}", hash.value());
}

}  // namespace gpumodel::sim
