#include "traces/emulate/operations/bulk_operations.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics.h"
#include "traces/emulate/operations/mbarrier.h"
#include "traces/emulate/operations/memory_operations.h"
#include "traces/emulate/prepare/addresses.h"

namespace gpumodel::emulate {

namespace {

// Uniform registers are the same in all lanes.
u32 uniform_word(const Warp& warp, const MicroOp& op, std::size_t source) {
    return from(warp, op, source).at[0];
}

i64 global_start(const Warp& warp, const MicroOp& op) {
    return static_cast<i64>(join(uniform_word(warp, op, 0), uniform_word(warp, op, 1)));
}

u32 shared_start(const Warp& warp, const MicroOp& op, std::size_t source) {
    return offset_in_block(
        warp, uniform_word(warp, op, source) - static_cast<u32>(warp.block->program->shared_reserved));
}

i64 bulk_bytes_of(const Warp& warp, const MicroOp& op) {
    return bulk_unit_bytes * i64{uniform_word(warp, op, 6)};
}

}  // namespace

void remember_copy(Warp& warp, const Access& access, const CountedCopy& copy) {
    auto& known = (*warp.block->copies)[access.instruction];
    if (known.bytes != 0 && known != copy) {
        const auto& program = *warp.block->program;
        const auto& text = program.texts[static_cast<std::size_t>(access.instruction)];
        throw InputError(
            InputErrorKind::invalid_input,
            {{"", 0, 0, fmt::format("{:#06x}", program.address_of(access.instruction)),
              known.bytes != copy.bytes
                  ? fmt::format("{} copies {} and {} bytes, which one instruction is not counted with", text,
                                known.bytes, copy.bytes)
                  : fmt::format("{} copies from tensors with different strides, which one instruction is not "
                                "counted with",
                                text)}});
    }
    known = copy;
}

void report_bulk(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& access = access_of(warp, op);
    const i64 bytes = mask == 0 ? 0 : bulk_bytes_of(warp, op);
    if (bytes > 0) {
        remember_copy(warp, access, {bytes, bulk_unit_bytes * lane_count});
    }
    const auto lanes = std::min<i64>(lane_count, bytes / bulk_unit_bytes);
    const u32 active = lanes == lane_count ? all_lanes : (u32{1} << lanes) - 1;
    report_span(warp, access, {global_start(warp, op), i64{shared_start(warp, op, 2)}, bytes}, active);
}

void bulk_to_shared(Warp& warp, const MicroOp& op, u32 mask) {
    if (mask == 0) {
        return;
    }
    const auto to = shared_start(warp, op, 2);
    const auto source = global_start(warp, op);
    const bool address_known = !warp.taint || warp.taint->sources == 0;
    for (i64 at = 0; at < bulk_bytes_of(warp, op); at += 4) {
        const auto place = to + static_cast<u32>(at);
        MemoryWord word;
        if (warp.taint) {
            word = warp.block->device->load(source + at, 4);
            warp.block->shared.set_taint(place, 4, !word.known || !address_known);
        }
        warp.block->shared.store(place, low_word(word.value), 4);
    }
}

void bulk_to_global(Warp& warp, const MicroOp& op, u32 mask) {
    if (mask == 0 || !warp.taint) {
        return;
    }
    const auto source = shared_start(warp, op, 2);
    const auto to = global_start(warp, op);
    auto& device = *warp.block->device;
    for (i64 at = 0; at < bulk_bytes_of(warp, op); at += 4) {
        const auto place = source + static_cast<u32>(at);
        MemoryWord word{warp.block->shared.load(place, 4),
                        !warp.block->shared.is_tainted(place, 4) && op.option != bulk_not_emulated};
        if (op.option == bulk_adds) {
            const auto before = device.load(to + at, 4);
            word = {low_word(word.value) + low_word(before.value), word.known && before.known};
        }
        device.store(to + at, low_word(word.value), 4, word.known);
    }
}

void bytes_come(BlockState& block, bool own, u32 place, i64 bytes) {
    if (own) {
        block.copy_order.last_to[place] = ++block.copy_order.issued;
    }
    const auto before = block.shared.load(place, 8);
    const auto after = mbarrier_after(before, 0, -bytes);
    block.shared.store(place, after, 8);
    if (mbarrier_phase(before) != mbarrier_phase(after)) {
        block.arrivals.complete(place);
    }
}

void bulk_arrives(Warp& warp, const MicroOp& op, u32 mask) {
    if (mask == 0) {
        return;
    }
    const auto place = shared_start(warp, op, 3);
    bytes_come(*warp.block, true, place, bulk_bytes_of(warp, op));
}

}  // namespace gpumodel::emulate
