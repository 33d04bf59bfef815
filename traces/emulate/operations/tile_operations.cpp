#include "traces/emulate/operations/tile_operations.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/diagnostics.h"
#include "traces/emulate/operations/bulk_operations.h"
#include "traces/emulate/operations/mbarrier.h"
#include "traces/emulate/operations/memory_operations.h"
#include "traces/emulate/prepare/addresses.h"

namespace gpumodel::emulate {

namespace {

u32 word_of(const Warp& warp, const MicroOp& op, std::size_t source) {
    return from(warp, op, source).at[0];
}

[[noreturn]] void refuse(const Warp& warp, const MicroOp& op, const std::string& why) {
    const auto& program = *warp.block->program;
    throw InputError(InputErrorKind::invalid_input,
                     {{"", 0, 0, fmt::format("{:#06x}", program.address_of(op.instruction)),
                       fmt::format("{} {}", program.texts[static_cast<std::size_t>(op.instruction)], why)}});
}

std::size_t dimensions_of(const MicroOp& op) {
    return op.option & ~tile_multicast;
}

struct Tile {
    const TensorMap* map = nullptr;
    i64 base = 0;    // of the tensor
    u32 shared = 0;  // with what is reserved in front of the block's part
    std::array<i64, most_tile_dimensions> at{};

    // Global address of row `r` of the box; empty outside of the tensor.
    [[nodiscard]] std::optional<i64> row(i64 r) const {
        i64 address = base;
        for (std::size_t d = 1; d < map->dimensions; ++d) {
            const i64 place = at[d] + r % map->box[d];
            r /= map->box[d];
            if (place < 0 || place >= map->extent[d]) {
                return std::nullopt;
            }
            address += place * map->stride[d];
        }
        return address;
    }
    // Byte `byte` of row `r`, whose element has to lie inside; empty outside of the tensor.
    [[nodiscard]] std::optional<i64> global(i64 r, i64 byte) const {
        const i64 x = at[0] + byte / map->element_bytes;
        const auto start = row(r);
        return start && x >= 0 && x < map->extent[0]
                   ? std::optional(*start + x * map->element_bytes + byte % map->element_bytes)
                   : std::nullopt;
    }
    // The same in shared memory.
    [[nodiscard]] u32 place(i64 r, i64 byte) const {
        const auto address = shared + static_cast<u32>(r * map->row_bytes() + byte);
        const u32 chunks = map->swizzle == 0 ? 0 : static_cast<u32>(map->swizzle) / 16 - 1;
        return address ^ (address >> 3 & chunks << 4);
    }
};

Tile tile_of(const Warp& warp, const MicroOp& op) {
    const auto& program = *warp.block->program;
    const auto address = static_cast<i64>(join(word_of(warp, op, 0), word_of(warp, op, 1)));
    for (const auto& array : program.array_of_allocation) {
        if (!array.tensor_map || array.map_address != address) {
            continue;
        }
        Tile tile{array.tensor_map.get(), array.address, offset_in_block(warp, word_of(warp, op, 2)), {}};
        if (tile.map->dimensions != dimensions_of(op)) {
            refuse(warp, op,
                   fmt::format("copies from a tensor of {} dimensions, but {} has {}", dimensions_of(op),
                               array.name, tile.map->dimensions));
        }
        if (tile.map->swizzle != 0 && tile.map->row_bytes() != tile.map->swizzle) {
            refuse(warp, op,
                   fmt::format("copies rows of {} bytes with a swizzle of {}: narrower ones are not emulated",
                               tile.map->row_bytes(), tile.map->swizzle));
        }
        for (std::size_t d = 0; d < tile.map->dimensions; ++d) {
            tile.at[d] = as_signed(word_of(warp, op, 4 + d));
        }
        return tile;
    }
    refuse(warp, op,
           fmt::format("takes {:#x} for a tensor map, which is none of --args: NAME=tmap(PTR, TYPE, DIMS, "
                       "STRIDES, BOX, SWIZZLE)",
                       address));
}

u32 reserved_bytes(const Warp& warp) {
    return static_cast<u32>(warp.block->program->shared_reserved);
}

// The blocks that the tile goes to: a bit per rank in source 9, or the warp's own.
std::vector<BlockState*> receivers(const Warp& warp, const MicroOp& op) {
    if ((op.option & tile_multicast) == 0) {
        return {warp.block};
    }
    const auto& cluster = warp.block->cluster;
    const u32 ranks = word_of(warp, op, multicast_ranks) >> 16;  // a mask of 3 is 0x30000 in listings
    std::vector<BlockState*> blocks;
    for (std::size_t rank = 0; rank < lane_count; ++rank) {
        if ((ranks & lane_bit[rank]) == 0) {
            continue;
        }
        if (rank >= std::max<std::size_t>(1, cluster.size())) {
            refuse(warp, op,
                   fmt::format("copies to block {} of a cluster of {}", rank,
                               std::max<std::size_t>(1, cluster.size())));
        }
        blocks.push_back(cluster.empty() ? warp.block : cluster[rank]);
    }
    return blocks;
}

constexpr i64 piece_bytes = bulk_unit_bytes * lane_count;

// From one piece to the next in device memory; empty where they do not follow one another evenly.
std::optional<i64> distance_of_pieces(const TensorMap& map) {
    const i64 row = map.row_bytes();
    if (map.tile_bytes() <= piece_bytes || map.rows() == 1) {
        return piece_bytes;
    }
    for (std::size_t d = 2; d < map.dimensions; ++d) {
        if (map.box[d] > 1 && map.stride[d] != map.box[d - 1] * map.stride[d - 1]) {
            return std::nullopt;
        }
    }
    if (row == map.stride[1]) {
        return piece_bytes;
    }
    return piece_bytes % row == 0 ? std::optional(piece_bytes / row * map.stride[1]) : std::nullopt;
}

}  // namespace

void report_tile(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& access = access_of(warp, op);
    SpanLanes lanes;
    if (mask != 0) {
        const auto tile = tile_of(warp, op);
        const auto apart = distance_of_pieces(*tile.map);
        if (!apart) {
            refuse(warp, op,
                   fmt::format("copies {} rows of {} bytes, whose pieces of {} bytes do not lie evenly: not "
                               "modelled",
                               tile.map->rows(), tile.map->row_bytes(), piece_bytes));
        }
        remember_copy(warp, access, {tile.map->tile_bytes(), *apart});
        lanes.end = i64{tile.shared} - reserved_bytes(warp) + tile.map->tile_bytes();
        for (i64 i = 0; i < std::min<i64>(lane_count, tile.map->tile_bytes() / bulk_unit_bytes); ++i) {
            const i64 byte = i * bulk_unit_bytes, row = byte / tile.map->row_bytes();
            const auto at = static_cast<std::size_t>(i);
            if (const auto global = tile.global(row, byte % tile.map->row_bytes())) {
                lanes.active |= lane_bit[at];
                lanes.global[at] = *global;
                lanes.shared[at] = i64{tile.place(row, byte % tile.map->row_bytes())} - i64{tile.shared};
            }
        }
    }
    report_lanes(warp, access, lanes);
}

void tile_to_shared(Warp& warp, const MicroOp& op, u32 mask) {
    if (mask == 0) {
        return;
    }
    const auto tile = tile_of(warp, op);
    const int bytes = tile.map->element_bytes;
    const bool address_known = !warp.taint || warp.taint->sources == 0;
    for (auto* block : receivers(warp, op)) {
        for (i64 r = 0; r < tile.map->rows(); ++r) {
            for (i64 at = 0; at < tile.map->row_bytes(); at += bytes) {
                const auto place = tile.place(r, at) - reserved_bytes(warp);
                MemoryWord word{0, true};
                if (warp.taint) {
                    const auto global = tile.global(r, at);
                    word = global ? warp.block->device->load(*global, bytes) : word;
                    block->shared.set_taint(place, bytes, !word.known || !address_known);
                }
                block->shared.store(place, word.value, bytes);
            }
        }
    }
}

void tile_to_global(Warp& warp, const MicroOp& op, u32 mask) {
    if (mask == 0 || !warp.taint) {
        return;
    }
    const auto tile = tile_of(warp, op);
    const int bytes = tile.map->element_bytes;
    for (i64 r = 0; r < tile.map->rows(); ++r) {
        for (i64 at = 0; at < tile.map->row_bytes(); at += bytes) {
            const auto place = tile.place(r, at) - reserved_bytes(warp);
            if (const auto global = tile.global(r, at)) {
                warp.block->device->store(*global, warp.block->shared.load(place, bytes), bytes,
                                          !warp.block->shared.is_tainted(place, bytes));
            }
        }
    }
}

void tile_arrives(Warp& warp, const MicroOp& op, u32 mask) {
    if (mask == 0) {
        return;
    }
    const auto place = offset_in_block(warp, word_of(warp, op, 3) - reserved_bytes(warp));
    for (auto* block : receivers(warp, op)) {
        bytes_come(*block, block == warp.block, place, tile_of(warp, op).map->tile_bytes());
    }
}

}  // namespace gpumodel::emulate
