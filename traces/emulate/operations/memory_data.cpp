// Contents of shared and local memory.
#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

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

// One table of a warp's local memory: lanes mostly have one address, and a word is looked up once for those
// in a row.
template <class Table>
class WordsInARow {
public:
    using Word = typename Table::mapped_type;
    explicit WordsInARow(Table* table) : table_(table) {}

    // nullptr: never written
    Word* find(u32 address) {
        if (address / 4 != at_ || state_ == State::none) {
            const auto found = table_->find(address / 4);
            remember(address, found == table_->end() ? nullptr : &found->second);
        }
        return word_;
    }
    Word& make(u32 address) {
        if (address / 4 != at_ || word_ == nullptr) {
            remember(address, &table_->try_emplace(address / 4).first->second);
        }
        return *word_;
    }

private:
    enum class State : unsigned char { none, looked_up };
    void remember(u32 address, Word* word) {
        word_ = word;
        at_ = address / 4;
        state_ = State::looked_up;
    }

    Table* table_;
    Word* word_ = nullptr;
    u32 at_ = 0;
    State state_ = State::none;
};

struct LocalWords {
    explicit LocalWords(Warp& warp)
        : values(&warp.block->local[static_cast<std::size_t>(warp.index)]),
          taint(warp.taint ? &warp.block->local_taint[static_cast<std::size_t>(warp.index)] : nullptr) {}
    WordsInARow<LocalMemory> values;
    WordsInARow<LocalTaint> taint;  // asked for where warp.taint says so
};

u32 load_local_word(Warp& warp, LocalWords& local, u32 address, std::size_t lane, const Access& access) {
    if (warp.taint) {
        const auto* tainted = local.taint.find(address);
        warp.taint->loaded |= tainted == nullptr ? 0 : *tainted & lane_bit[lane];
    }
    const auto* words = local.values.find(address);
    const u32 word = words == nullptr ? 0 : words->at[lane];
    const u32 bits = word >> 8 * (address & 3U);
    return access.bytes >= 4 ? bits : extended(bits & ((1U << 8 * access.bytes) - 1), access);
}

void taint_local(Warp& warp, LocalWords& local, u32 address, std::size_t lane) {
    if ((warp.taint->sources & lane_bit[lane]) != 0) {
        local.taint.make(address) |= lane_bit[lane];
    } else if (auto* const tainted = local.taint.find(address); tainted != nullptr) {
        *tainted &= ~lane_bit[lane];
    }
}

void store_local_word(Warp& warp, LocalWords& local, u32 address, std::size_t lane, u32 value, int bytes) {
    if (warp.taint) {
        taint_local(warp, local, address, lane);
    }
    auto& word = local.values.make(address).at[lane];
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

// The address of all lanes of the mask where they have one and access whole words, as nearly all do: a frame
// of local memory lies alike in every thread.
std::optional<u32> common_word(const Lanes& address, u32 mask, const MicroOp& op, int bytes) {
    const u32 first = address.at[static_cast<std::size_t>(std::countr_zero(mask | 1U << 31))];
    bool same = mask != 0 && bytes >= 4 && first % 4 == 0;
    for_active(mask, [&](std::size_t i) { same = same && address.at[i] == first; });
    return same ? std::optional(first + 4 * op.option) : std::nullopt;
}

void load_common_word(Warp& warp, LocalWords& local, u32 address, u32 mask, Lanes& result) {
    if (warp.taint) {
        const auto* tainted = local.taint.find(address);
        warp.taint->loaded |= tainted == nullptr ? 0 : *tainted & mask;
    }
    if (const auto* words = local.values.find(address); words != nullptr) {
        result = *words;
    }
}

void store_common_word(Warp& warp, LocalWords& local, u32 address, u32 mask, const Lanes& value) {
    if (warp.taint) {
        const u32 sources = warp.taint->sources & mask;
        auto* tainted = sources != 0 ? &local.taint.make(address) : local.taint.find(address);
        if (tainted != nullptr) {
            *tainted = (*tainted & ~mask) | sources;
        }
    }
    auto& words = local.values.make(address);
    u64 changes = 0;
    for_active(mask, [&](std::size_t i) {
        changes += words.at[i] != value.at[i] ? 1U : 0U;
        words.at[i] = value.at[i];
    });
    warp.block->other_changes += changes;
}

// One word of shared memory, and whether the lane's is tainted.
u32 load_shared_word(Warp& warp, u32 address, std::size_t lane, const Access& access) {
    const int bytes = std::min(access.bytes, 4);
    if (warp.taint && warp.block->shared.is_tainted(address, bytes)) {
        warp.taint->loaded |= lane_bit[lane];
    }
    return extended(warp.block->shared.load(address, bytes), access);
}

void store_shared_word(Warp& warp, u32 address, std::size_t lane, u32 value, int bytes) {
    warp.block->shared.store(address, value, bytes);
    if (warp.taint) {
        warp.block->shared.set_taint(address, bytes, (warp.taint->sources & lane_bit[lane]) != 0);
    }
}

u32 load_device_word(Warp& warp, i64 address, std::size_t lane, const Access& access) {
    if (!warp.taint) {
        return 0;
    }
    warp.block->device->note_read(address);
    warp.paused = warp.paused || warp.block->paced;
    const auto word = warp.block->read(warp.thread_number(lane), address, std::min(access.bytes, 4));
    warp.taint->loaded |= word.known ? 0 : lane_bit[lane];
    return extended(word.value, access);
}

void store_device_word(Warp& warp, i64 address, std::size_t lane, u32 value, int bytes) {
    if (warp.taint) {
        warp.block->device->store(address, value, bytes, (warp.taint->sources & lane_bit[lane]) == 0);
    }
}

// Where a generic address points: shared, local, or (neither) global.
struct DataPlace {
    i64 shared = -1, local = -1;
};

DataPlace place_of(const Warp& warp, i64 address) {
    DataPlace place;
    place.local = local_window_offset(address);
    const auto shared = shared_window_offset(address);
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

bool SharedMemory::is_tainted(u32 address, int bytes) const {
    const auto begin = std::min(static_cast<std::size_t>(address), tainted_.size());
    const auto end = std::min(begin + static_cast<std::size_t>(bytes), tainted_.size());
    return std::find(tainted_.begin() + static_cast<std::ptrdiff_t>(begin),
                     tainted_.begin() + static_cast<std::ptrdiff_t>(end),
                     true) != tainted_.begin() + static_cast<std::ptrdiff_t>(end);
}

void SharedMemory::set_taint(u32 address, int bytes, bool tainted) {
    const auto end = static_cast<std::size_t>(address) + static_cast<std::size_t>(bytes);
    if (end > tainted_.size()) {
        if (!tainted || end > most_shared_bytes) {
            return;
        }
        tainted_.resize(std::max(end, 2 * tainted_.size()));
    }
    std::fill_n(tainted_.begin() + static_cast<std::ptrdiff_t>(address), bytes, tainted);
}

void load_global(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& access = access_of(warp, op);
    LongLanes address;
    global_addresses(warp, op, address);
    Lanes result{};
    for_active(mask, [&](std::size_t i) {
        result.at[i] = load_device_word(warp, address[i] + 4 * i64{op.option}, i, access);
    });
    assign(to(warp, op), result, mask);
}

void store_global(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& access = access_of(warp, op);
    LongLanes address;
    global_addresses(warp, op, address);
    for_active(mask, [&](std::size_t i) {
        store_device_word(warp, address[i] + 4 * i64{op.option}, i, from(warp, op, 4).at[i],
                          std::min(access.bytes, 4));
    });
}

void load_shared(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& access = access_of(warp, op);
    const auto address = shared_addresses(warp, op);
    Lanes result{};
    for_active(mask, [&](std::size_t i) {
        result.at[i] = load_shared_word(warp, address.at[i] + 4 * op.option, i, access);
    });
    assign(to(warp, op), result, mask);
}

void load_local(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& access = access_of(warp, op);
    const auto address = local_addresses(warp, op);
    LocalWords local(warp);
    Lanes result{};
    if (const auto common = common_word(address, mask, op, access.bytes)) {
        load_common_word(warp, local, *common, mask, result);
        assign(to(warp, op), result, mask);
        return;
    }
    for_active(mask, [&](std::size_t i) {
        result.at[i] = load_local_word(warp, local, address.at[i] + 4 * op.option, i, access);
    });
    assign(to(warp, op), result, mask);
}

void load_generic(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& access = access_of(warp, op);
    LongLanes address;
    global_addresses(warp, op, address);
    LocalWords local(warp);
    Lanes result{};
    for_active(mask, [&](std::size_t i) {
        const auto place = place_of(warp, address[i]);
        if (place.shared >= 0) {
            result.at[i] = load_shared_word(warp, static_cast<u32>(place.shared) + 4 * op.option, i, access);
        } else if (place.local >= 0) {
            result.at[i] =
                load_local_word(warp, local, static_cast<u32>(place.local) + 4 * op.option, i, access);
        } else {
            result.at[i] = load_device_word(warp, address[i] + 4 * i64{op.option}, i, access);
        }
    });
    assign(to(warp, op), result, mask);
}

void store_shared(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& access = access_of(warp, op);
    const auto address = shared_addresses(warp, op);
    for_active(mask, [&](std::size_t i) {
        store_shared_word(warp, address.at[i] + 4 * op.option, i, from(warp, op, 4).at[i],
                          std::min(access.bytes, 4));
    });
}

void store_local(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& access = access_of(warp, op);
    const auto address = local_addresses(warp, op);
    LocalWords local(warp);
    if (const auto common = common_word(address, mask, op, access.bytes)) {
        store_common_word(warp, local, *common, mask, from(warp, op, 4));
        return;
    }
    for_active(mask, [&](std::size_t i) {
        store_local_word(warp, local, address.at[i] + 4 * op.option, i, from(warp, op, 4).at[i],
                         access.bytes);
    });
}

void store_generic(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& access = access_of(warp, op);
    LongLanes address;
    global_addresses(warp, op, address);
    LocalWords local(warp);
    for_active(mask, [&](std::size_t i) {
        const auto place = place_of(warp, address[i]);
        const u32 value = from(warp, op, 4).at[i];
        if (place.shared >= 0) {
            store_shared_word(warp, static_cast<u32>(place.shared) + 4 * op.option, i, value,
                              std::min(access.bytes, 4));
        } else if (place.local >= 0) {
            store_local_word(warp, local, static_cast<u32>(place.local) + 4 * op.option, i, value,
                             access.bytes);
        } else {
            store_device_word(warp, address[i] + 4 * i64{op.option}, i, value, std::min(access.bytes, 4));
        }
    });
}

void copy_shared(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& access = access_of(warp, op);
    const auto address = shared_addresses(warp, op, 4, access.shared_offset, access.shared_scale);
    LongLanes source;
    global_addresses(warp, op, source);
    for_active(mask, [&](std::size_t i) {
        for (int at = 0; at < access.bytes; at += 4) {
            const int bytes = std::min(access.bytes, 4);
            MemoryWord word;
            if (warp.taint) {
                word = warp.block->device->load(source[i] + at, bytes);
                word.known = word.known && (warp.taint->sources & lane_bit[i]) == 0;
                warp.block->shared.set_taint(address.at[i] + static_cast<u32>(at), bytes, !word.known);
            }
            warp.block->shared.store(address.at[i] + static_cast<u32>(at), word.value, bytes);
        }
    });
}

void query_space(Warp& warp, const MicroOp& op, u32 mask) {
    LongLanes address;
    global_addresses(warp, op, address);
    u32 inside = 0;
    for_active(mask, [&](std::size_t i) {
        const bool shared = shared_window_offset(address[i]) >= 0;
        const bool local = local_window_offset(address[i]) >= 0;
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
        result.at[i] = load_shared_word(warp, address.at[i], i, access_of(warp, op));
        owned |= warp.block->locked.insert(address.at[i]).second ? lane_bit[i] : 0;
    });
    warp.block->other_changes += owned != 0 ? 1U : 0U;
    assign(to(warp, op), result, mask);
    warp.set_predicate(op.predicate_to[0], owned, mask);
}

void store_and_unlock(Warp& warp, const MicroOp& op, u32 mask) {
    const auto address = shared_addresses(warp, op);
    for_active(mask, [&](std::size_t i) {
        store_shared_word(warp, address.at[i], i, from(warp, op, 4).at[i], 4);
        warp.block->other_changes += warp.block->locked.erase(address.at[i]);
    });
    warp.set_predicate(op.predicate_to[0], all_lanes, mask);
}

}  // namespace gpumodel::emulate
