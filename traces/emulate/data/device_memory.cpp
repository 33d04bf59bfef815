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

DeviceMemory::Page* DeviceMemory::page_at(std::int64_t address) const {
    const auto number = address >> page_shift;
    if (number != last_.number) {
        const auto found = pages_.find(number);
        last_ = {number, found != pages_.end() ? found->second.get() : nullptr};
    }
    return last_.page;
}

DeviceMemory::Page& DeviceMemory::page_for(std::int64_t address) {
    if (page_at(address) == nullptr) {
        last_.page = pages_.emplace(last_.number, std::make_unique<Page>()).first->second.get();
    }
    return *last_.page;
}

bool DeviceMemory::is_grid_barrier(std::int64_t address) const {
    return address >> allocation_shift == grid_barrier_;
}

void DeviceMemory::note_read(std::int64_t address) {
    if (notes_) {
        note(address, noted_read_);
    }
    if (accessor_ >= 0 && !has_read_of_others_) {
        note_reader(address);
    }
}

void DeviceMemory::note(std::int64_t address, Noted& noted) {
    const auto number = address >> allocation_shift;
    if (number != noted.last) {
        noted.last = number;
        noted.all.insert(number);
    }
}

void DeviceMemory::note_reader(std::int64_t address) {
    const auto* page = page_at(address);
    if (page != nullptr && !page->storers.empty()) {
        const auto storer = page->storers[static_cast<std::size_t>(address) % page_bytes / word_bytes];
        has_read_of_others_ = storer >= 0 && storer != accessor_;
    }
}

void DeviceMemory::note_storer(Page& page, std::int64_t address) const {
    page.storers.resize(page_bytes / word_bytes, -1);
    page.storers[static_cast<std::size_t>(address) % page_bytes / word_bytes] = accessor_;
}

std::set<std::int64_t> DeviceMemory::read_and_stored() const {
    std::set<std::int64_t> both;
    std::set_intersection(noted_read_.all.begin(), noted_read_.all.end(), noted_stored_.all.begin(),
                          noted_stored_.all.end(), std::inserter(both, both.end()));
    return both;
}

MemoryWord DeviceMemory::load_byte(std::int64_t address) const {
    const auto* page = page_at(address);
    const auto at = static_cast<std::size_t>(address) % page_bytes;
    if (page == nullptr || !page->written.test(at)) {
        return given(address, 1);
    }
    return {page->bytes[at], page->known.test(at)};
}

MemoryWord DeviceMemory::load(std::int64_t address, int bytes) const {
    const auto last = address + bytes - 1;
    if (address >> page_shift == last >> page_shift) {
        const auto* page = page_at(address);
        if (page == nullptr) {
            return given(address, bytes);
        }
        if (const auto word = load_at_once(*page, address, bytes)) {
            return *word;
        }
    } else if (!pages_.contains(address >> page_shift) && !pages_.contains(last >> page_shift)) {
        return given(address, bytes);
    }
    MemoryWord word;
    for (int i = 0; i < bytes; ++i) {
        const auto byte = load_byte(address + i);
        word.value |= byte.value << (8 * i);
        word.known = word.known && byte.known;
    }
    return word;
}

// Bytes of one page that are all stored, or all not.
std::optional<MemoryWord> DeviceMemory::load_at_once(const Page& page, std::int64_t address,
                                                     int bytes) const {
    const auto at = static_cast<std::size_t>(address) % page_bytes;
    MemoryWord word;
    int stored = 0;
    for (int i = 0; i < bytes; ++i) {
        const auto byte = at + static_cast<std::size_t>(i);
        stored += page.written.test(byte) ? 1 : 0;
        word.value |= std::uint64_t{page.bytes[byte]} << (8 * i);
        word.known = word.known && page.known.test(byte);
    }
    if (stored > 0) {
        return stored == bytes ? std::optional(word) : std::nullopt;
    }
    word = given(address, bytes);
    return word.known ? std::optional(word) : std::nullopt;
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
        note(address, noted_stored_);
    }
    bool changed = false;
    Page* of_byte = nullptr;
    for (int i = 0; i < bytes; ++i) {
        if (of_byte == nullptr || (address + i) % static_cast<std::int64_t>(page_bytes) == 0) {
            of_byte = &page_for(address + i);
        }
        auto& page = *of_byte;
        if (accessor_ >= 0 && !has_read_of_others_) {
            note_storer(page, address + i);
        }
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
        page_for(address + i).settled.set(static_cast<std::size_t>(address + i) % page_bytes, settled);
    }
}

void DeviceMemory::forget_unsettled() {
    for (auto& [number, page] : pages_) {
        const auto allocation = number >> (allocation_shift - page_shift);
        const bool given = allocation >= 1 && allocation <= static_cast<std::int64_t>(given_.size()) &&
                           given_[static_cast<std::size_t>(allocation - 1)] != nullptr;
        page->written = given ? std::bitset<page_bytes>() : page->settled;
        page->known.reset();
    }
}

}  // namespace gpumodel::emulate
