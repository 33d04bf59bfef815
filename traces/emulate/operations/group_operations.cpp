#include "traces/emulate/operations/group_operations.h"

#include <fmt/format.h>

#include "base/diagnostics.h"
#include "traces/emulate/operations/matrix_numbers.h"
#include "traces/emulate/prepare/program.h"
#include "traces/emulate/run/block_state.h"

namespace gpumodel::emulate {

namespace {

constexpr u32 chunk_bytes = 16, eight = 8;
constexpr u32 group_warps = 4, warp_rows = 16;

struct Descriptor {
    u32 start = 0, leading = 0, stride = 0;  // bytes
    u32 width = 1;                           // 16-byte chunks side by side
};

[[noreturn]] void refuse(const Warp& warp, const MicroOp& op, const std::string& why) {
    const auto& program = *warp.block->program;
    throw InputError(InputErrorKind::invalid_input,
                     {{"", 0, 0, fmt::format("{:#06x}", program.address_of(op.instruction)),
                       fmt::format("{} {}", program.texts[static_cast<std::size_t>(op.instruction)], why)}});
}

Descriptor descriptor_of(const Warp& warp, const MicroOp& op, std::size_t source) {
    const u64 bits = join(from(warp, op, source).at[0], from(warp, op, source + 1).at[0]);
    constexpr u64 field = 0x3fff;
    if ((bits >> 49 & 7U) != 0) {
        refuse(warp, op, "has a matrix descriptor with a base offset, which is not emulated");
    }
    constexpr std::array<u32, 4> widths{1, 8, 4, 2};
    return {low_word((bits & field) << 4), low_word((bits >> 16 & field) << 4),
            low_word((bits >> 32 & field) << 4), widths[bits >> 62]};
}

// Of row `i` (of A; column of B) and the byte along K.
u32 offset_along_k(const Descriptor& d, u32 i, u32 byte) {
    const u32 chunk = byte / chunk_bytes * (d.width == 1 ? d.leading : chunk_bytes);
    return i / eight * d.stride + i % eight * chunk_bytes * d.width + chunk + byte % chunk_bytes;
}

// Elements of 16 bits that lie side by side along M or N.
u32 offset_across_k(const Descriptor& d, u32 i, u32 k) {
    const u32 chunk = i / eight, within = i % eight * 2;
    const u32 outer = chunk / d.width * (d.width == 1 ? d.stride : d.leading);
    const u32 inner = chunk % d.width * chunk_bytes;
    return outer + inner + k % eight * chunk_bytes * d.width +
           k / eight * (d.width == 1 ? d.leading : d.stride) + within;
}

u32 swizzled(const Descriptor& d, u32 address) {
    return address ^ (address >> 3 & (d.width - 1) << 4);
}

// Eight rows of A, or columns of B, from shared memory.
Block load_block(Warp& warp, const Descriptor& d, u32 first, TensorElement element, bool transposed) {
    constexpr u32 k_bytes = 32;
    const auto bytes = static_cast<u32>(bits_of(element)) / 8;
    auto& shared = warp.block->shared;
    const auto reserved = static_cast<u32>(warp.block->program->shared_reserved);
    Block block;
    block.k = k_bytes / bytes;
    for (u32 i = 0; i < eight; ++i) {
        for (u32 k = 0; k < block.k; ++k) {
            const u32 offset =
                transposed ? offset_across_k(d, first + i, k) : offset_along_k(d, first + i, k * bytes);
            const u32 place = swizzled(d, d.start + offset) - reserved;
            block.rows[i][k] = value_of(low_word(shared.load(place, static_cast<int>(bytes))), element);
            if (warp.taint && shared.is_tainted(place, static_cast<int>(bytes))) {
                warp.taint->loaded = all_lanes;
            }
        }
    }
    return block;
}

}  // namespace

void multiply_group(Warp& warp, const MicroOp& op, u32 mask) {
    const auto a = static_cast<TensorElement>(op.option & 0xffU);
    const auto b = static_cast<TensorElement>(op.option >> 8 & 0xffU);
    const auto sum = static_cast<TensorSum>(op.option >> 16 & 0xffU);
    const auto part = GroupPart::from(op.immediate);
    const u32 first_row =
        static_cast<u32>(warp.index) % group_warps * warp_rows + static_cast<u32>(part.half) * eight;
    const Block rows = part.a_in_registers
                           ? unpack_block(warp, op, 0, 2, a)
                           : load_block(warp, descriptor_of(warp, op, 0), first_row, a, part.a_transposed);
    const Block columns =
        load_block(warp, descriptor_of(warp, op, 2), static_cast<u32>(part.column), b, part.b_transposed);
    const u32 counts = warp.predicate(op.predicate_from[0]);
    Lanes first{}, second{};
    for (std::size_t lane = 0; lane < lane_count; ++lane) {
        std::array<double, 2> sums{};
        for (std::size_t j = 0; j < 2; ++j) {
            const auto& column = columns.rows[2 * (lane % lanes_per_row) + j];
            const double product = dot(rows.rows[lane / lanes_per_row], column, rows.k, 0);
            const double old = (counts & lane_bit[lane]) != 0 ? old_sum(warp, op, sum, lane, j) : 0;
            sums[j] = old + (part.negative ? -product : product);
        }
        set_sums(first, second, sum, lane, sums);
    }
    assign(to(warp, op, 0), first, mask);
    if (sum != TensorSum::f16) {
        assign(to(warp, op, 1), second, mask);
    }
}

}  // namespace gpumodel::emulate
