// Atomic operations and barriers in shared memory.
#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <optional>
#include <vector>

#include "traces/emulate/operations/mbarrier.h"
#include "traces/emulate/operations/memory_operations.h"
#include "traces/emulate/prepare/addresses.h"

namespace gpumodel::emulate {

namespace {

template <class Word, class Signed>
Word combined(AtomicOperation operation, Word old, Word value, Word swap, bool is_signed) {
    const bool less = is_signed ? static_cast<Signed>(value) < static_cast<Signed>(old) : value < old;
    switch (operation) {
        case AtomicOperation::add:
            return old + value;
        case AtomicOperation::minimum:
            return less ? value : old;
        case AtomicOperation::maximum:
            return less ? old : value;
        case AtomicOperation::increment:
            return old >= value ? 0 : old + 1;
        case AtomicOperation::decrement:
            return old == 0 || old > value ? value : old - 1;
        case AtomicOperation::bit_and:
            return old & value;
        case AtomicOperation::bit_or:
            return old | value;
        case AtomicOperation::bit_xor:
            return old ^ value;
        case AtomicOperation::exchange:
            return value;
        case AtomicOperation::compare_and_swap:
        case AtomicOperation::compare_and_test:
            return old == value ? swap : old;
        case AtomicOperation::add_float:
            return float_bits(as_float(low_word(old)) + as_float(low_word(value)));
        case AtomicOperation::add_double:
            return static_cast<Word>(
                double_bits(std::bit_cast<double>(u64{old}) + std::bit_cast<double>(u64{value})));
        case AtomicOperation::not_emulated:
            break;
    }
    return old;
}

struct Operands {
    u64 value = 0, swap = 0;
};

// A word of shared or of device memory.
struct AtomicPlace {
    bool shared = false;
    i64 address = 0;
};

MemoryWord load_place(const Warp& warp, const AtomicPlace& place, int bytes) {
    const auto& block = *warp.block;
    if (!place.shared) {
        return block.device == nullptr ? MemoryWord{} : block.device->load(place.address, bytes);
    }
    const auto address = static_cast<u32>(place.address);
    return {block.shared.load(address, bytes), !warp.taint || !block.shared.is_tainted(address, bytes)};
}

void store_place(Warp& warp, const AtomicPlace& place, const MemoryWord& word, int bytes, bool swapped) {
    auto& block = *warp.block;
    if (!place.shared) {
        if (block.device != nullptr && swapped) {
            block.device->swap(place.address, word.value, bytes, word.known);
        } else if (block.device != nullptr) {
            block.device->store(place.address, word.value, bytes, word.known);
        }
        return;
    }
    const auto address = static_cast<u32>(place.address);
    block.shared.store(address, word.value, bytes);
    if (warp.taint) {
        block.shared.set_taint(address, bytes, !word.known);
    }
}

// Returns what the instruction returns: the old value, or for CAST whether it stored; known if all that it
// hangs on is.
MemoryWord apply(Warp& warp, std::size_t lane, const AtomicPlace& place, const Access& access, u32 option,
                 const Operands& operands, bool known) {
    const auto operation = static_cast<AtomicOperation>(option & 0xffU);
    const bool is_signed = (option & atomic_signed) != 0;
    const auto before = !place.shared && warp.block->device != nullptr
                            ? warp.block->read(warp.thread_number(lane), place.address, access.bytes)
                            : load_place(warp, place, access.bytes);
    const u64 old = before.value;
    const u64 fresh = access.bytes == 8
                          ? combined<u64, i64>(operation, old, operands.value, operands.swap, is_signed)
                          : combined<u32, i32>(operation, low_word(old), low_word(operands.value),
                                               low_word(operands.swap), is_signed);
    const bool exchanges = operation == AtomicOperation::exchange;
    const bool compares =
        operation == AtomicOperation::compare_and_swap || operation == AtomicOperation::compare_and_test;
    const u64 compared = access.bytes == 8 ? operands.value : low_word(operands.value);
    if (compares && !place.shared && warp.block->device != nullptr) {
        warp.block->device->count_try((warp.lost_swaps & lane_bit[lane]) != 0);
        warp.lost_swaps =
            old == compared ? warp.lost_swaps & ~lane_bit[lane] : warp.lost_swaps | lane_bit[lane];
    }
    store_place(warp, place,
                {fresh, known && (before.known || exchanges) && operation != AtomicOperation::not_emulated},
                access.bytes, compares && old == compared);
    if (operation == AtomicOperation::compare_and_test) {
        return {old == operands.value ? u64{1} : u64{0}, before.known};
    }
    return before;
}

Operands operands_of(const Warp& warp, const MicroOp& op, const Access& access, std::size_t lane) {
    const auto word = [&](std::size_t k) { return from(warp, op, k).at[lane]; };
    return access.bytes == 8 ? Operands{join(word(4), word(5)), join(word(6), word(7))}
                             : Operands{word(4), word(6)};
}

// Where the instruction takes numbers from counters that other blocks share (shared_counters.h).
bool takes_numbers(const Warp& warp, const MicroOp& op) {
    const auto& block = *warp.block;
    return block.counters != nullptr && block.device != nullptr && is_counter(op) &&
           block.counters->is_shared(op.instruction);
}

// Moves a counter on as if instructions like this one, with these operands on the word, ran so often.
void count_on(Warp& warp, const AtomicPlace& place, const Access& access, const MicroOp& op, i64 times,
              const std::vector<u64>& operands) {
    if (times == 0) {
        return;
    }
    const auto word = load_place(warp, place, access.bytes);
    u64 value = word.value;
    const u64 limit = low_word(operands.front()), period = limit + 1;
    const u64 steps = static_cast<u64>(times) * operands.size() % period;
    switch (static_cast<AtomicOperation>(op.option & 0xffU)) {
        case AtomicOperation::add:
            value += static_cast<u64>(times) * std::accumulate(operands.begin(), operands.end(), u64{0});
            break;
        case AtomicOperation::increment:
            value = (std::min(value, limit) + steps) % period;
            break;
        default:  // down, from 0 to the limit
            value = (std::min(value, limit) + period - steps) % period;
            break;
    }
    store_place(warp, place, {access.bytes == 8 ? value : low_word(value), word.known}, access.bytes, false);
}

// What an instruction that takes numbers takes of each word, by address.
using Taken = std::map<i64, std::vector<u64>>;

// The numbers of so many other blocks.
void count_others(Warp& warp, const MicroOp& op, const Taken& taken, i64 blocks) {
    for (const auto& [address, operands] : taken) {
        count_on(warp, {false, address}, access_of(warp, op), op, blocks, operands);
    }
}

// What a swap in device memory is told instead of being tried (swap_probe.h).
std::optional<u64> told_instead(const Warp& warp, const MicroOp& op, std::size_t lane,
                                const AtomicPlace& place, const Operands& operands) {
    auto* probe = warp.block->swaps;
    if (probe == nullptr || place.shared ||
        static_cast<AtomicOperation>(op.option & 0xffU) != AtomicOperation::compare_and_swap) {
        return std::nullopt;
    }
    const auto& access = access_of(warp, op);
    const u64 expected = access.bytes == 8 ? operands.value : low_word(operands.value);
    return probe->tell({warp.index, static_cast<int>(lane), op.instruction}, place.address, expected,
                       load_place(warp, place, access.bytes).value);
}

// Returns the lanes whose result is not 0.
template <class PlaceOf>
u32 run_lanes(Warp& warp, const MicroOp& op, u32 mask, PlaceOf place_of) {
    const auto& access = access_of(warp, op);
    Lanes low{}, high{};
    u32 returned = 0;
    for (u32 left = mask; left != 0; left &= left - 1) {
        const auto i = static_cast<std::size_t>(std::countr_zero(left));
        const bool known = !warp.taint || (warp.taint->sources & lane_bit[i]) == 0;
        const auto operands = operands_of(warp, op, access, i);
        const auto place = place_of(i);
        if (warp.block->device != nullptr && op.to[0] != discard_slot && !place.shared) {
            warp.block->device->note_read(place.address);
            warp.paused = warp.paused || warp.block->ends_turn(place.address);
        }
        const auto told = told_instead(warp, op, i, place, operands);
        const auto old =
            told ? MemoryWord{*told, true} : apply(warp, i, place, access, op.option, operands, known);
        low.at[i] = low_word(old.value);
        high.at[i] = high_word(old.value);
        returned |= old.value != 0 ? lane_bit[i] : 0;
        if (warp.taint && !old.known) {
            warp.taint->loaded |= lane_bit[i];
        }
    }
    assign(to(warp, op, 0), low, mask);
    assign(to(warp, op, 1), high, mask);
    return returned;
}

template <class PlaceOf>
u32 run_atomic(Warp& warp, const MicroOp& op, u32 mask, PlaceOf place_of) {
    if (mask == 0 || !takes_numbers(warp, op)) {
        return run_lanes(warp, op, mask, place_of);
    }
    auto& block = *warp.block;
    Taken taken;
    for (u32 left = mask; left != 0; left &= left - 1) {
        const auto i = static_cast<std::size_t>(std::countr_zero(left));
        if (const auto place = place_of(i); !place.shared && !block.device->is_grid_barrier(place.address)) {
            taken[place.address].push_back(operands_of(warp, op, access_of(warp, op), i).value);
            block.counted[op.instruction].insert(place.address);
        }
    }
    count_others(warp, op, taken, block.place);
    const u32 returned = run_lanes(warp, op, mask, place_of);
    count_others(warp, op, taken, block.counters->blocks() - 1 - block.place);
    warp.paused = true;  // the next number is another warp's
    return returned;
}

// sm_80: one arrival; the phase flips when the last expected one is there.
u64 arrived(u64 barrier) {
    constexpr u64 phase_bit = u64{1} << 63;
    constexpr int first_pending = 32;
    const u64 next = barrier + (u64{1} << first_pending);
    const u64 pending = next << 1 >> (first_pending + 1);  // without the phase
    if (pending != 0) {
        return next;
    }
    const u64 lower = next & ((u64{1} << first_pending) - 1);
    const u64 reload = (next & 0x3fffffffU) << 32 | u64{1} << 62;
    return (next & phase_bit) | (reload & ~phase_bit) | lower;
}

// The result is what was there before.
template <class Next>
void exchange_barriers(Warp& warp, const MicroOp& op, u32 mask, Next next) {
    const auto& access = access_of(warp, op);
    const auto address = ranked_addresses(warp, op, 0, access.offset, access.scale);
    Lanes low{}, high{};
    for (u32 left = mask; left != 0; left &= left - 1) {
        const auto i = static_cast<std::size_t>(std::countr_zero(left));
        auto& block = block_of_address(warp, address.at[i]);
        const u32 place = offset_in_block(warp, address.at[i]);
        const u64 old = block.shared.load(place, 8);
        const u64 fresh = next(i, old);
        block.shared.store(place, fresh, 8);
        if (mbarrier_phase(old) != mbarrier_phase(fresh)) {
            block.arrivals.complete(place);
        }
        low.at[i] = low_word(old);
        high.at[i] = high_word(old);
    }
    assign(to(warp, op, 0), low, mask);
    assign(to(warp, op, 1), high, mask);
}

}  // namespace

bool is_counter(const MicroOp& op) {
    const auto operation = static_cast<AtomicOperation>(op.option & 0xffU);
    return (op.run == &atomic_global || op.run == &atomic_generic) && op.to[0] != discard_slot &&
           (operation == AtomicOperation::add || operation == AtomicOperation::increment ||
            operation == AtomicOperation::decrement);
}

void atomic_shared(Warp& warp, const MicroOp& op, u32 mask) {
    const auto address = shared_addresses(warp, op);
    const bool spins = access_of(warp, op).one_per_bank;
    const u32 served = spins ? first_of_banks(address, mask) : mask;
    if (served != mask) {
        assign(to(warp, op, 0), Lanes{}, mask & ~served);
    }
    const auto stored = run_atomic(warp, op, served, [&](std::size_t i) {
        return AtomicPlace{true, static_cast<i64>(address.at[i])};
    });
    warp.lost_swap = spins && (served & ~stored) != 0;
    warp.set_predicate(op.predicate_to[0], stored, mask);  // of CAST
}

void atomic_generic(Warp& warp, const MicroOp& op, u32 mask) {
    LongLanes address;
    global_addresses(warp, op, address);
    // ATOM P0, R0, ... does what is in device memory and says where it did; code does the rest itself.
    if (op.predicate_to[0] != discard_predicate) {
        u32 outside = 0;
        for (std::size_t i = 0; i < lane_count; ++i) {
            const bool window = shared_window_offset(address[i]) >= 0 || local_window_offset(address[i]) >= 0;
            outside |= window ? 0 : lane_bit[i];
        }
        warp.set_predicate(op.predicate_to[0], outside, mask);
        mask &= outside;
    }
    run_atomic(warp, op, mask, [&](std::size_t i) {
        const i64 offset = shared_window_offset(address[i]);
        return offset >= 0 ? AtomicPlace{true, offset - warp.block->program->shared_reserved}
                           : AtomicPlace{false, address[i]};
    });
}

void atomic_global(Warp& warp, const MicroOp& op, u32 mask) {
    LongLanes address;
    global_addresses(warp, op, address);
    run_atomic(warp, op, mask, [&](std::size_t i) { return AtomicPlace{false, address[i]}; });
}

namespace {

// The warp's instruction is one arrival, whatever the lanes that make it.
void number_arrival(Warp& warp, const MicroOp& op, u32 mask) {
    auto& order = warp.block->arrivals;
    if ((op.option & mbarrier_no_arrival) != 0 || mask == 0) {
        return;
    }
    const bool known = (op.option & mbarrier_later) == 0;
    if (known) {
        order.next(warp.index);
        warp.block->arriving->insert(op.instruction);
    }
    const auto& access = access_of(warp, op);
    const auto address = ranked_addresses(warp, op, 0, access.offset, access.scale);
    for (u32 left = mask; left != 0; left &= left - 1) {
        const auto at = address.at[static_cast<std::size_t>(std::countr_zero(left))];
        if (&block_of_address(warp, at) == warp.block) {
            order.arrive(known ? warp.index : ArrivalWait::most_warps, offset_in_block(warp, at));
        }
    }
}

}  // namespace

void mbarrier_arrive(Warp& warp, const MicroOp& op, u32 mask) {
    number_arrival(warp, op, mask);
    exchange_barriers(warp, op, mask, [&](std::size_t lane, u64 old) {
        if ((op.option & mbarrier_hopper) == 0) {
            return arrived(old);
        }
        const i64 bytes = (op.option & mbarrier_announces) != 0 ? i64{from(warp, op, 6).at[lane]} : 0;
        const u32 arrivals = (op.option & mbarrier_no_arrival) != 0 ? 0
                             : (op.option & mbarrier_counts) != 0   ? from(warp, op, 7).at[lane]
                                                                    : 1;
        return mbarrier_after(old, arrivals, bytes);
    });
}

void mbarrier_exchange(Warp& warp, const MicroOp& op, u32 mask) {
    exchange_barriers(warp, op, mask, [&](std::size_t lane, u64) {
        return join(from(warp, op, 4).at[lane], from(warp, op, 5).at[lane]);
    });
    const auto address = shared_addresses(warp, op);
    for (u32 left = mask; left != 0; left &= left - 1) {
        warp.block->arrivals.begin(address.at[static_cast<std::size_t>(std::countr_zero(left))]);
    }
}

void mbarrier_check(Warp& warp, const MicroOp& op, u32 mask) {
    const auto address = shared_addresses(warp, op);
    u32 passed = 0;
    for (u32 left = mask; left != 0; left &= left - 1) {
        const auto i = static_cast<std::size_t>(std::countr_zero(left));
        const u64 barrier = warp.block->shared.load(address.at[i], 8);
        const bool differs = barrier >> 63 != from(warp, op, 4).at[i] >> 31;
        passed |= differs ? lane_bit[i] : 0;
    }
    warp.set_predicate(op.predicate_to[0], passed, mask);
    if (passed != 0 && passed == mask) {
        auto& order = warp.block->copy_order;
        const auto place = address.at[static_cast<std::size_t>(std::countr_zero(passed))];
        const auto found = order.last_to.find(place);
        const auto wait = order.waits[{warp.index, op.instruction}]++;
        auto& waits = (*order.by_instruction)[op.instruction];
        waits.note(wait, found == order.last_to.end() ? 0 : found->second, order.issued);
        waits.alone = waits.alone && mbarrier_expects_one(warp.block->shared.load(place, 8));
        if (found != order.last_to.end()) {
            warp.block->arrivals.waited(warp.index);
        }
        waits.arrivals.note(wait, warp.block->arrivals.completed(place));
    }
}

}  // namespace gpumodel::emulate
