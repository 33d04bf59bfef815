// Contents of shared and local memory.
#include <algorithm>
#include <bit>
#include <cstring>

#include "traces/emulate/operations/memory_operations.h"
#include "traces/emulate/prepare/addresses.h"

namespace gpumodel::emulate {

namespace {

constexpr std::size_t most_shared_bytes = 256 * 1024;

u32 extended(u64 value, const Access& access) {
    if (access.bytes >= 4 || !access.sign_extended) {
        return low_word(value);
    }
    const u32 unused = 32 - 8 * static_cast<u32>(access.bytes);
    return static_cast<u32>(as_signed(low_word(value) << unused) >> unused);
}

u32 load_local_word(const Warp& warp, u32 address, std::size_t lane, const Access& access) {
    const auto& memory = warp.block->local[static_cast<std::size_t>(warp.index)];
    const auto found = memory.find(address / 4);
    const u32 word = found == memory.end() ? 0 : found->second.at[lane];
    const u32 bits = word >> 8 * (address & 3U);
    return access.bytes >= 4 ? bits : extended(bits & ((1U << 8 * access.bytes) - 1), access);
}

void store_local_word(Warp& warp, u32 address, std::size_t lane, u32 value, int bytes) {
    auto& memory = warp.block->local[static_cast<std::size_t>(warp.index)];
    auto& word = memory.try_emplace(address / 4).first->second.at[lane];
    const u32 field = (bytes >= 4 ? all_lanes : (1U << 8 * bytes) - 1) << 8 * (address & 3U);
    const u32 before = word;
    word = (word & ~field) | (value << 8 * (address & 3U) & field);
    warp.block->other_changes += word != before ? 1U : 0U;
}

template <class Each>
void for_active(u32 mask, Each each) {
    for (; mask != 0; mask &= mask - 1) {
        each(static_cast<std::size_t>(std::countr_zero(mask)));
    }
}

i64 offset_in(i64 address, i64 window) {
    return address >= window && address < window + window_bytes ? address - window : -1;
}

// Where a generic address points: shared, local, or (neither) global.
struct Place {
    i64 shared = -1, local = -1;
};

Place place_of(const Warp& warp, i64 address) {
    Place place;
    place.local = offset_in(address, local_window);
    const auto shared = offset_in(address, shared_window);
    place.shared = shared < 0 ? -1 : shared - warp.block->program->shared_reserved;
    return place;
}

}  // namespace

u64 SharedMemory::load(u32 address, int bytes) const {
    u64 value = 0;
    if (address < bytes_.size()) {
        const auto count = std::min(static_cast<std::size_t>(bytes), bytes_.size() - address);
        std::memcpy(&value, bytes_.data() + address, count);
    }
    return value;
}

void SharedMemory::store(u32 address, u64 value, int bytes) {
    const auto end = static_cast<std::size_t>(address) + static_cast<std::size_t>(bytes);
    if (end > most_shared_bytes) {
        return;
    }
    if (end > bytes_.size()) {
        bytes_.resize(std::max(end, 2 * bytes_.size()));
    }
    const auto count = static_cast<std::size_t>(bytes);
    changes_ += std::memcmp(bytes_.data() + address, &value, count) != 0 ? 1U : 0U;
    std::memcpy(bytes_.data() + address, &value, count);
}

void load_zero(Warp& warp, const MicroOp& op, u32 mask) {
    assign(to(warp, op), Lanes{}, mask);
}

void load_shared(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& access = access_of(warp, op);
    const auto address = shared_addresses(warp, op);
    Lanes result{};
    for_active(mask, [&](std::size_t i) {
        const auto word = warp.block->shared.load(address.at[i] + 4 * op.option, std::min(access.bytes, 4));
        result.at[i] = extended(word, access);
    });
    assign(to(warp, op), result, mask);
}

void load_local(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& access = access_of(warp, op);
    const auto address = local_addresses(warp, op);
    Lanes result{};
    for_active(mask, [&](std::size_t i) {
        result.at[i] = load_local_word(warp, address.at[i] + 4 * op.option, i, access);
    });
    assign(to(warp, op), result, mask);
}

void load_generic(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& access = access_of(warp, op);
    LongLanes address;
    global_addresses(warp, op, address);
    Lanes result{};
    for_active(mask, [&](std::size_t i) {
        const auto place = place_of(warp, address[i]);
        if (place.shared >= 0) {
            const auto word = warp.block->shared.load(static_cast<u32>(place.shared) + 4 * op.option,
                                                      std::min(access.bytes, 4));
            result.at[i] = extended(word, access);
        } else if (place.local >= 0) {
            result.at[i] = load_local_word(warp, static_cast<u32>(place.local) + 4 * op.option, i, access);
        }
    });
    assign(to(warp, op), result, mask);
}

void store_shared(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& access = access_of(warp, op);
    const auto address = shared_addresses(warp, op);
    for_active(mask, [&](std::size_t i) {
        warp.block->shared.store(address.at[i] + 4 * op.option, from(warp, op, 4).at[i],
                                 std::min(access.bytes, 4));
    });
}

void store_local(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& access = access_of(warp, op);
    const auto address = local_addresses(warp, op);
    for_active(mask, [&](std::size_t i) {
        store_local_word(warp, address.at[i] + 4 * op.option, i, from(warp, op, 4).at[i], access.bytes);
    });
}

void store_generic(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& access = access_of(warp, op);
    LongLanes address;
    global_addresses(warp, op, address);
    for_active(mask, [&](std::size_t i) {
        const auto place = place_of(warp, address[i]);
        const u32 value = from(warp, op, 4).at[i];
        if (place.shared >= 0) {
            warp.block->shared.store(static_cast<u32>(place.shared) + 4 * op.option, value,
                                     std::min(access.bytes, 4));
        } else if (place.local >= 0) {
            store_local_word(warp, static_cast<u32>(place.local) + 4 * op.option, i, value, access.bytes);
        }
    });
}

void copy_shared(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& access = access_of(warp, op);
    const auto address = shared_addresses(warp, op, 4, access.shared_offset, access.shared_scale);
    for_active(mask, [&](std::size_t i) {
        for (int at = 0; at < access.bytes; at += 4) {
            warp.block->shared.store(address.at[i] + static_cast<u32>(at), 0, std::min(access.bytes, 4));
        }
    });
}

void query_space(Warp& warp, const MicroOp& op, u32 mask) {
    LongLanes address;
    global_addresses(warp, op, address);
    u32 inside = 0;
    for_active(mask, [&](std::size_t i) {
        const bool shared = offset_in(address[i], shared_window) >= 0;
        const bool local = offset_in(address[i], local_window) >= 0;
        const auto space = static_cast<SassSpace>(op.option);
        const bool holds = space == SassSpace::shared  ? shared
                           : space == SassSpace::local ? local
                                                       : !shared && !local;
        inside |= holds ? lane_bit[i] : 0;
    });
    warp.set_predicate(op.predicate_to[0], inside, mask);
}

void load_and_lock(Warp& warp, const MicroOp& op, u32 mask) {
    const auto address = shared_addresses(warp, op);
    Lanes result{};
    u32 owned = 0;
    for_active(mask, [&](std::size_t i) {
        result.at[i] = low_word(warp.block->shared.load(address.at[i], 4));
        owned |= warp.block->locked.insert(address.at[i]).second ? lane_bit[i] : 0;
    });
    warp.block->other_changes += owned != 0 ? 1U : 0U;
    assign(to(warp, op), result, mask);
    warp.set_predicate(op.predicate_to[0], owned, mask);
}

void store_and_unlock(Warp& warp, const MicroOp& op, u32 mask) {
    const auto address = shared_addresses(warp, op);
    for_active(mask, [&](std::size_t i) {
        warp.block->shared.store(address.at[i], from(warp, op, 4).at[i], 4);
        warp.block->other_changes += warp.block->locked.erase(address.at[i]);
    });
    warp.set_predicate(op.predicate_to[0], all_lanes, mask);
}

}  // namespace gpumodel::emulate
