#include "traces/emulate/data/device_memory.h"

#include <algorithm>
#include <iterator>

#include "traces/emulate/prepare/constant_bank.h"

namespace gpumodel::emulate {

// Of several bytes all must be inside of what was given, else none is known.
MemoryWord DeviceMemory::given(std::int64_t address, int bytes) const {
    const auto number = address >> allocation_shift;
    const auto offset = address - (number << allocation_shift);
    if (number < 1 || number > static_cast<std::int64_t>(given_.size())) {
        return {0, false};
    }
    const auto& data = given_[static_cast<std::size_t>(number - 1)];
    if (data == nullptr || offset > data->bytes() - bytes) {
        return {0, false};
    }
    return {data->read(offset, bytes), true};
}

bool DeviceMemory::is_grid_barrier(std::int64_t address) const {
    return address >> allocation_shift == grid_barrier_;
}

MemoryWord DeviceMemory::beneath(std::int64_t address) const {
    if (history_ != nullptr && history_->is_kept(address >> allocation_shift)) {
        const auto* unit = history_->before(block_, address);
        const auto at = static_cast<unsigned>(address % GridHistory::unit_bytes);
        if (unit != nullptr && (unit->written >> at & 1U) != 0) {
            return {unit->value >> (8 * at) & 0xffU, (unit->known >> at & 1U) != 0};
        }
    }
    return given(address, 1);
}

void DeviceMemory::hand_over(GridHistory& history) const {
    constexpr auto step = static_cast<std::size_t>(GridHistory::unit_bytes);
    for (const auto& [number, page] : pages_) {
        if (!history.is_kept(number >> (allocation_shift - page_shift))) {
            continue;
        }
        for (std::size_t at = 0; at < page_bytes; at += step) {
            GridHistory::Unit unit;
            unit.block = block_;
            for (std::size_t i = 0; i < step; ++i) {
                unit.value |= std::uint64_t{page.bytes[at + i]} << (8 * i);
                unit.written |= static_cast<std::uint8_t>(page.written.test(at + i) ? 1U << i : 0U);
                unit.known |= static_cast<std::uint8_t>(page.known.test(at + i) ? 1U << i : 0U);
            }
            history.add((number << page_shift) + static_cast<std::int64_t>(at), unit);
        }
    }
}

void DeviceMemory::note_read(std::int64_t address) {
    if (notes_) {
        noted_read_.insert(address >> allocation_shift);
    }
}

std::set<std::int64_t> DeviceMemory::read_and_stored() const {
    std::set<std::int64_t> both;
    std::set_intersection(noted_read_.begin(), noted_read_.end(), noted_stored_.begin(), noted_stored_.end(),
                          std::inserter(both, both.end()));
    return both;
}

MemoryWord DeviceMemory::load_byte(std::int64_t address) const {
    const auto found = pages_.find(address >> page_shift);
    const auto at = static_cast<std::size_t>(address) % page_bytes;
    if (found == pages_.end() || !found->second.written.test(at)) {
        return beneath(address);
    }
    return {found->second.bytes[at], found->second.known.test(at)};
}

MemoryWord DeviceMemory::load(std::int64_t address, int bytes) const {
    const auto last = address + bytes - 1;
    const bool seen = history_ != nullptr && history_->is_kept(address >> allocation_shift);
    if (!seen && !pages_.contains(address >> page_shift) && !pages_.contains(last >> page_shift)) {
        return given(address, bytes);
    }
    if (address / GridHistory::unit_bytes == last / GridHistory::unit_bytes) {
        if (const auto word = load_at_once(address, bytes, seen)) {
            return *word;
        }
    }
    MemoryWord word;
    for (int i = 0; i < bytes; ++i) {
        const auto byte = load_byte(address + i);
        word.value |= byte.value << (8 * i);
        word.known = word.known && byte.known;
    }
    return word;
}

// Bytes of one unit that are all from one place: this block's stores, those before it, what was given.
std::optional<MemoryWord> DeviceMemory::load_at_once(std::int64_t address, int bytes, bool seen) const {
    const auto found = pages_.find(address >> page_shift);
    const auto at = static_cast<std::size_t>(address) % page_bytes;
    MemoryWord word;
    int stored = 0;
    for (int i = 0; i < bytes && found != pages_.end(); ++i) {
        const auto& page = found->second;
        const auto byte = at + static_cast<std::size_t>(i);
        stored += page.written.test(byte) ? 1 : 0;
        word.value |= std::uint64_t{page.bytes[byte]} << (8 * i);
        word.known = word.known && page.known.test(byte);
    }
    if (stored > 0) {
        return stored == bytes ? std::optional(word) : std::nullopt;
    }
    const auto* unit = seen ? history_->before(block_, address) : nullptr;
    const auto in_unit = static_cast<unsigned>(address % GridHistory::unit_bytes);
    const auto all = (1U << static_cast<unsigned>(bytes)) - 1;
    const auto written = unit != nullptr ? unit->written >> in_unit & all : 0;
    if (written == all) {
        const auto mask =
            bytes == GridHistory::unit_bytes ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * bytes)) - 1;
        return MemoryWord{unit->value >> (8 * in_unit) & mask, (unit->known >> in_unit & all) == all};
    }
    const auto first = written == 0 ? given(address, bytes) : MemoryWord{0, false};
    return first.known ? std::optional(first) : std::nullopt;
}

std::int64_t DeviceMemory::read(std::int64_t address, std::span<std::uint8_t> bytes) const {
    constexpr std::size_t step = 8;
    std::int64_t unknown = 0;
    for (std::size_t i = 0; i < bytes.size();) {
        const auto at = address + static_cast<std::int64_t>(i);
        const auto count = std::min(step, bytes.size() - i);
        const auto word = load(at, static_cast<int>(count));
        // where a part of them is not known, byte by byte
        const auto part = word.known ? count : 1;
        const auto single = word.known ? word : load(at, 1);
        for (std::size_t k = 0; k < part; ++k) {
            bytes[i + k] = static_cast<std::uint8_t>(single.value >> (8 * k));
        }
        unknown += single.known ? 0 : 1;
        i += part;
    }
    return unknown;
}

void DeviceMemory::store(std::int64_t address, std::uint64_t value, int bytes, bool known) {
    if (is_grid_barrier(address)) {
        const auto highest = std::uint64_t{1} << (8 * bytes - 1);
        value = load(address, bytes).value ^ highest;
        known = true;
    }
    if (notes_) {
        noted_stored_.insert(address >> allocation_shift);
    }
    bool changed = false;
    Page* of_byte = nullptr;
    for (int i = 0; i < bytes; ++i) {
        if (of_byte == nullptr || (address + i) % static_cast<std::int64_t>(page_bytes) == 0) {
            of_byte = &pages_[(address + i) >> page_shift];
        }
        auto& page = *of_byte;
        const auto at = static_cast<std::size_t>(address + i) % page_bytes;
        const auto byte = static_cast<std::uint8_t>(value >> (8 * i));
        changed = changed || !page.written.test(at) || page.bytes[at] != byte;
        page.settled.reset(at);
        page.bytes[at] = byte;
        page.written.set(at);
        page.known.set(at, known);
    }
    changes_ += changed ? 1U : 0U;
}

void DeviceMemory::swap(std::int64_t address, std::uint64_t value, int bytes, bool known) {
    const bool settled = load(address, bytes).value == value;
    store(address, value, bytes, known);
    for (int i = 0; i < bytes; ++i) {
        pages_[(address + i) >> page_shift].settled.set(static_cast<std::size_t>(address + i) % page_bytes,
                                                        settled);
    }
}

void DeviceMemory::forget_unsettled() {
    for (auto& [number, page] : pages_) {
        const auto allocation = number >> (allocation_shift - page_shift);
        const bool given = allocation >= 1 && allocation <= static_cast<std::int64_t>(given_.size()) &&
                           given_[static_cast<std::size_t>(allocation - 1)] != nullptr;
        page.written = given ? std::bitset<page_bytes>() : page.settled;
        page.known.reset();
    }
}

}  // namespace gpumodel::emulate
