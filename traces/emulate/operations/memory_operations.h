// Handlers of memory instructions. Sources of each: 0, 1 the base address, 2, 3 the uniform part, 4, 5 the
// shared address of LDGSTS or the data of stores and atomics. `immediate` names the Access.
#pragma once

#include "traces/emulate/run/machine.h"
#include "traces/emulate/translate/translator.h"

namespace gpumodel::emulate {

// Report one access to the sink.
void report_global(Warp& warp, const MicroOp& op, std::uint32_t mask);
void report_shared(Warp& warp, const MicroOp& op, std::uint32_t mask);
// The first lane of each bank of shared memory that the lanes of `mask` name.
[[nodiscard]] std::uint32_t first_of_banks(const Lanes& address, std::uint32_t mask);
void report_local(Warp& warp, const MicroOp& op, std::uint32_t mask);
void report_generic(Warp& warp, const MicroOp& op, std::uint32_t mask);
void report_copy(Warp& warp, const MicroOp& op, std::uint32_t mask);
// A run of bytes, global and in shared memory, as lanes of 16 bytes: the first 512 of them.
struct Span {
    std::int64_t global = 0, shared = 0, bytes = 0;
};
void report_span(Warp& warp, const Access& access, const Span& span, std::uint32_t active);
// The same with each lane's addresses, absolute and in the block's part of shared memory; `end`: of the whole
// copy's part of that.
struct SpanLanes {
    std::uint32_t active = 0;
    std::array<std::int64_t, lane_count> global{}, shared{};
    std::int64_t end = 0;
};
void report_lanes(Warp& warp, const Access& access, const SpanLanes& lanes);

// Move one word of data (`option` is its number) where a value is needed. Device memory is that of
// BlockState::device; without one it reads as zero and keeps nothing.
void load_shared(Warp& warp, const MicroOp& op, std::uint32_t mask);
void load_local(Warp& warp, const MicroOp& op, std::uint32_t mask);
void load_generic(Warp& warp, const MicroOp& op, std::uint32_t mask);
void load_global(Warp& warp, const MicroOp& op, std::uint32_t mask);
void store_shared(Warp& warp, const MicroOp& op, std::uint32_t mask);
void store_local(Warp& warp, const MicroOp& op, std::uint32_t mask);
void store_generic(Warp& warp, const MicroOp& op, std::uint32_t mask);
void store_global(Warp& warp, const MicroOp& op, std::uint32_t mask);
// LDGSTS. Shared address in sources 4 and 5.
void copy_shared(Warp& warp, const MicroOp& op, std::uint32_t mask);

// Lanes one after the other. Sources 4 (and 5 for 64 bits): the operand; 6 (and 7): the new value of a
// compare-and-swap. `option` is an AtomicOperation with flags.
enum class AtomicOperation : unsigned char {
    add,
    minimum,
    maximum,
    increment,
    decrement,
    bit_and,
    bit_or,
    bit_xor,
    exchange,
    compare_and_swap,
    compare_and_test,  // CAST: returns whether it stored
    add_float,
    add_double,
    not_emulated,  // what was there becomes unknown
};
inline constexpr std::uint32_t atomic_signed = 0x100;
void atomic_shared(Warp& warp, const MicroOp& op, std::uint32_t mask);
void atomic_generic(Warp& warp, const MicroOp& op, std::uint32_t mask);
void atomic_global(Warp& warp, const MicroOp& op, std::uint32_t mask);
// An atomic of device memory that returns what was there before it adds, or counts up or down.
[[nodiscard]] bool is_counter(const MicroOp& op);

// Whether a generic address lies in the SassSpace in `option`; does not access it.
void query_space(Warp& warp, const MicroOp& op, std::uint32_t mask);

// Kepler's shared atomics: a load that locks its word, a store that unlocks it. Of several lanes that ask for
// one word, the lowest gets it.
void load_and_lock(Warp& warp, const MicroOp& op, std::uint32_t mask);
void store_and_unlock(Warp& warp, const MicroOp& op, std::uint32_t mask);

// Barriers in shared memory (PTX mbarrier), in the layouts that compiled code initialises them with:
// sm_80: lower word = 2^30 - count, upper word = phase in bit 31, pending arrivals as a negative 31-bit
// count. sm_90: mbarrier.h; an arrival may announce the bytes in source 6, be none at all but for those, or
// count as often as source 7 says.
inline constexpr std::uint32_t mbarrier_hopper = 1, mbarrier_announces = 2, mbarrier_counts = 8,
                               mbarrier_no_arrival = 4,
                               mbarrier_later = 16;  // when the warp's copies have come; in `option`
void mbarrier_arrive(Warp& warp, const MicroOp& op, std::uint32_t mask);
void mbarrier_exchange(Warp& warp, const MicroOp& op, std::uint32_t mask);
// Lanes whose source 4 carries another phase than the barrier.
void mbarrier_check(Warp& warp, const MicroOp& op, std::uint32_t mask);

}  // namespace gpumodel::emulate
