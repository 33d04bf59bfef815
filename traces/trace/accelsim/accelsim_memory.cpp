#include "traces/trace/accelsim/accelsim_memory.h"

#include <fmt/format.h>

#include <utility>

namespace gpumodel {

namespace {

// CUDA places the generic windows of shared and local memory at 16 MiB steps (observed in NVBit traces).
constexpr std::int64_t window_bytes = std::int64_t{1} << 24;
constexpr int page_bits = 16;
constexpr std::int64_t joined_pages = 32;                 // 2 MiB: the driver's allocation granularity
constexpr std::size_t most_pages = std::size_t{1} << 22;  // 256 GiB of touched memory

bool within(std::int64_t address, std::int64_t base) {
    return base != 0 && address >= base && address < base + window_bytes;
}

}  // namespace

AccelSimMemory::AccelSimMemory(const AccelSimHeader& header, std::vector<AccelSimAllocation> allocations)
    : shared_base_(header.shared_base), local_base_(header.local_base), arrays_(std::move(allocations)) {}

MemorySpace AccelSimMemory::space_of(SassSpace space, std::int64_t address) const {
    if (space != SassSpace::generic) {
        return memory_space(space);
    }
    if (shared_base_ == 0 || local_base_ == 0 || within(address, shared_base_)) {
        return MemorySpace::shared;
    }
    return within(address, local_base_) ? MemorySpace::local : MemorySpace::global;
}

int AccelSimMemory::array_at(std::int64_t address) const {
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
        if (address >= arrays_[i].address && address - arrays_[i].address < arrays_[i].bytes) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

void AccelSimMemory::touch(const AccelSimLine& line, SassSpace space) {
    for (std::size_t lane = 0; lane < 32; ++lane) {
        const auto address = line.address[lane];
        if (address == 0 || address >> page_bits == last_page_ ||
            space_of(space, address) != MemorySpace::global) {
            continue;
        }
        if (array_at(address) < 0 && pages_.size() < most_pages) {
            last_page_ = address >> page_bits;
            pages_.insert(last_page_);
        }
    }
}

std::vector<ArrayUse> AccelSimMemory::arrays() {
    std::vector<ArrayUse> list;
    for (const auto& allocation : arrays_) {
        list.push_back({fmt::format("array{}", list.size()), allocation.bytes, false, false});
    }
    const auto regions = arrays_.size();
    std::int64_t last = -joined_pages - 1;
    for (const auto page : pages_) {
        if (page - last > joined_pages) {
            arrays_.push_back({page << page_bits, 0});
        }
        arrays_.back().bytes = (page + 1 - (arrays_.back().address >> page_bits)) << page_bits;
        last = page;
    }
    pages_.clear();
    for (auto i = regions; i < arrays_.size(); ++i) {
        list.push_back({fmt::format("region{}", i - regions), arrays_[i].bytes, false, false});
    }
    return list;
}

void AccelSimMemory::resolve(const AccelSimLine& line, SassSpace space, AccessEvent& event) const {
    event.active = line.mask;
    event.array = -1;
    event.space = space_of(space, 0);
    std::int64_t base = 0;
    bool first = true;
    for (std::size_t lane = 0; lane < 32; ++lane) {
        const auto address = line.address[lane];
        event.address[lane] = 0;
        if ((line.mask >> lane & 1) == 0) {
            continue;
        }
        if (std::exchange(first, false) || (event.array < 0 && event.space == MemorySpace::global)) {
            event.space = space_of(space, address);
            event.array = event.space == MemorySpace::global ? array_at(address) : -1;
            base = event.array >= 0 ? arrays_[static_cast<std::size_t>(event.array)].address : 0;
        }
        if (event.space == MemorySpace::global && address == 0) {
            event.active &= ~(1U << lane);
            continue;
        }
        const auto window = event.space == MemorySpace::shared ? shared_base_ : local_base_;
        const bool windowed = event.space != MemorySpace::global && within(address, window);
        event.address[lane] = address - (windowed ? window : base);
    }
}

}  // namespace gpumodel
