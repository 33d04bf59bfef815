// Memory instructions as the sink sees them.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/diagnostics.h"
#include "base/note.h"
#include "traces/emulate/operations/memory_operations.h"
#include "traces/emulate/prepare/addresses.h"

namespace gpumodel::emulate {

namespace {

void note(Warp& warp, const Access& access, std::string_view what) {
    ++(*warp.block->notes)[noted(
        NoteId::out_of_bounds,
        fmt::format(
            "{:#06x}: {}",
            warp.block->program->code.instructions[static_cast<std::size_t>(access.instruction)].address,
            what))];
}

AccessEvent& begin_event(Warp& warp, const Access& access, MemorySpace space, u32 mask) {
    auto& event = warp.block->event;
    event.instruction = access.instruction;
    event.space = space;
    event.array = -1;
    event.active = mask;
    return event;
}

// 32-bit offsets of the active lanes.
void set_offsets(std::array<std::int64_t, lane_count>& to, const Lanes& offsets, u32 mask) {
    if (mask == ~u32{0}) {
        std::copy(offsets.at.begin(), offsets.at.end(), to.begin());
        return;
    }
    for (std::size_t i = 0; i < lane_count; ++i) {
        to[i] = (mask & lane_bit[i]) != 0 ? offsets.at[i] : 0;
    }
}

void remember_extent(Warp& warp, const Access& access, const Lanes& offsets, u32 mask) {
    auto& extent = *warp.block->shared_extent;
    u32 all = 0;  // not less than the greatest
    for (const u32 offset : offsets.at) {
        all |= offset;
    }
    if (static_cast<i64>(all) + access.bytes <= extent) {
        return;
    }
    u32 most = 0;
    for (std::size_t i = 0; i < lane_count; ++i) {
        const u32 offset = (mask & lane_bit[i]) != 0 ? offsets.at[i] : 0;
        most = std::max(most, offset);
    }
    if (mask != 0 && static_cast<i64>(most) + access.bytes > extent) {
        extent = static_cast<i64>(most) + access.bytes;
    }
}

// The allocation that a byte address lies nearest to, counted from 1.
i64 allocation_near(i64 address) {
    return (address + (i64{1} << (allocation_shift - 1))) >> allocation_shift;
}

bool out_of_bounds(const LongLanes& offsets, i64 last, u32 mask) {
    u64 beyond = 0;
    for (std::size_t i = 0; i < lane_count; ++i) {
        const u64 active = (mask & lane_bit[i]) != 0 ? ~u64{0} : 0;
        beyond |= (static_cast<u64>(offsets[i]) | static_cast<u64>(last - offsets[i])) & active;
    }
    return beyond >> 63 != 0;
}

// Absolute addresses -> offsets from the allocation's start, 0 in lanes that are off. Empty masks and
// addresses of different or no allocations leave `array` at -1.
void resolve(Warp& warp, const Access& access, AccessEvent& event) {
    const u32 mask = event.active;
    const auto first = static_cast<std::size_t>(mask == 0 ? 0 : std::countr_zero(mask));
    const i64 number = allocation_near(event.address[first]);
    const i64 base = number << allocation_shift;
    u64 differs = 0;
    for (std::size_t i = 0; i < lane_count; ++i) {
        const u64 active = (mask & lane_bit[i]) != 0 ? ~u64{0} : 0;
        const auto offset =
            (static_cast<u64>(event.address[i]) - static_cast<u64>(base)) & active;  // any registers
        differs |= offset + (u64{1} << (allocation_shift - 1));
        event.address[i] = static_cast<i64>(offset);
    }
    if (mask == 0) {
        return;
    }
    const auto& arrays = warp.block->program->array_of_allocation;
    const bool known = number >= 1 && number <= static_cast<i64>(arrays.size()) &&
                       arrays[static_cast<std::size_t>(number - 1)].index >= 0;
    if (differs >> allocation_shift != 0 || !known) {
        for (std::size_t i = 0; i < lane_count; ++i) {
            event.address[i] += (mask & lane_bit[i]) != 0 ? base : 0;
        }
        note(warp, access, "accesses addresses of no allocation, or of several at once");
        return;
    }
    const auto& array = arrays[static_cast<std::size_t>(number - 1)];
    event.array = array.index;
    if (array.bytes > 0 && out_of_bounds(event.address, array.bytes - access.bytes, mask)) {
        note(warp, access, fmt::format("accesses {} beyond its {} bytes", array.name, array.bytes));
    }
}

}  // namespace

void report_global(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& access = access_of(warp, op);
    auto& event = begin_event(warp, access, MemorySpace::global, mask);
    global_addresses(warp, op, event.address);
    resolve(warp, access, event);
    warp.block->sink->access(warp.index, event);
}

u32 first_of_banks(const Lanes& address, u32 mask) {
    u32 banks = 0, first = 0;
    for (u32 left = mask; left != 0; left &= left - 1) {
        const auto i = static_cast<std::size_t>(std::countr_zero(left));
        const u32 bank = u32{1} << (address.at[i] / 4 % 32);
        first |= (banks & bank) == 0 ? lane_bit[i] : 0;
        banks |= bank;
    }
    return first;
}

void report_shared(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& access = access_of(warp, op);
    const auto offsets = shared_addresses(warp, op);
    mask &= access.one_per_bank ? first_of_banks(offsets, mask) : access.lanes;
    auto& event = begin_event(warp, access, MemorySpace::shared, mask);
    set_offsets(event.address, offsets, mask);
    remember_extent(warp, access, offsets, mask);
    warp.block->sink->access(warp.index, event);
}

void report_local(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& access = access_of(warp, op);
    auto& event = begin_event(warp, access, MemorySpace::local, mask);
    set_offsets(event.address, local_addresses(warp, op), mask);
    warp.block->sink->access(warp.index, event);
}

namespace {

// A generic address that cluster code makes (mapa) has the block's rank above the offset.
bool is_of_another_block(const Warp& warp, i64 address) {
    const auto bits = static_cast<u64>(address);
    return warp.block->program->in_clusters && high_word(bits) == shared_window_high &&
           low_word(bits) >> cluster_rank_shift != warp.block->rank;
}

}  // namespace

// The first active lane decides: code that mixes spaces in one access is not known to exist.
void report_generic(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& access = access_of(warp, op);
    auto& event = begin_event(warp, access, MemorySpace::global, mask);
    global_addresses(warp, op, event.address);
    const auto first = event.address[static_cast<std::size_t>(mask == 0 ? 0 : std::countr_zero(mask))];
    const bool shared = shared_window_offset(first) >= 0;
    if (shared && mask != 0 && is_of_another_block(warp, first)) {
        const auto& program = *warp.block->program;
        throw InputError(
            InputErrorKind::invalid_input,
            {{"", 0, 0, fmt::format("{:#06x}", program.address_of(op.instruction)),
              fmt::format("{} accesses the shared memory of another block of its cluster, which is not "
                          "emulated",
                          program.texts[static_cast<std::size_t>(op.instruction)])}});
    }
    if (!shared && local_window_offset(first) < 0) {
        resolve(warp, access, event);
    } else {
        event.space = shared ? MemorySpace::shared : MemorySpace::local;
        const i64 base = shared ? first - shared_window_offset(first) + warp.block->program->shared_reserved
                                : local_window;
        for (std::size_t i = 0; i < lane_count; ++i) {
            event.address[i] = (mask & lane_bit[i]) != 0 ? event.address[i] - base : 0;
        }
    }
    warp.block->sink->access(warp.index, event);
}

void report_copy(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& access = access_of(warp, op);
    auto& event = begin_event(warp, access, MemorySpace::global, mask);
    global_addresses(warp, op, event.address);
    resolve(warp, access, event);
    const auto offsets = shared_addresses(warp, op, 4, access.shared_offset, access.shared_scale);
    set_offsets(event.shared_address, offsets, mask);
    remember_extent(warp, access, offsets, mask);
    warp.block->sink->access(warp.index, event);
    event.shared_address.fill(0);
}

// In shared memory relative to where the copy begins: which of a ring's stages it is costs nothing, and
// without it the loop around a ring repeats itself every time.
void report_lanes(Warp& warp, const Access& access, const SpanLanes& lanes) {
    auto& event = begin_event(warp, access, MemorySpace::global, lanes.active);
    event.address = lanes.global;
    event.shared_address = lanes.shared;
    resolve(warp, access, event);
    auto& extent = *warp.block->shared_extent;
    extent = std::max(extent, lanes.end);
    warp.block->sink->access(warp.index, event);
    event.shared_address.fill(0);
}

void report_span(Warp& warp, const Access& access, const Span& span, u32 mask) {
    SpanLanes lanes;
    lanes.active = mask;
    lanes.end = mask != 0 ? span.shared + span.bytes : 0;
    for (std::size_t i = 0; i < lane_count; ++i) {
        const auto at = static_cast<i64>(i) * access.bytes;
        lanes.global[i] = (mask & lane_bit[i]) != 0 ? span.global + at : 0;
        lanes.shared[i] = (mask & lane_bit[i]) != 0 ? at : 0;
    }
    for (const auto& array : warp.block->program->array_of_allocation) {
        const auto begin = span.global - array.address;
        if (mask != 0 && array.index >= 0 && array.bytes > 0 && begin >= 0 && begin < array.bytes &&
            begin + span.bytes > array.bytes) {
            note(warp, access, fmt::format("accesses {} beyond its {} bytes", array.name, array.bytes));
        }
    }
    report_lanes(warp, access, lanes);
}

}  // namespace gpumodel::emulate
