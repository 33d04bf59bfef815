// What the blocks of a launch leave in device memory for one another, by the order of their start: hash
// tables that fill up, marks on vertices that others have visited, sums of those before.
//
// Blocks are executed in any order, each for itself. Where they read what others store, all are executed once
// in order, each on what those before it left, and what each stored is kept; from then on a block finds what
// it found then. On the GPU blocks run side by side, and find a part of what those beside them store.
#pragma once

#include <cstdint>
#include <set>
#include <unordered_map>
#include <vector>

namespace gpumodel::emulate {

class GridHistory {
public:
    static constexpr int unit_bytes = 8;
    // Eight bytes as a block leaves them: which of them were stored to, by it or before, and are known.
    struct Unit {
        std::int64_t block = 0;
        std::uint64_t value = 0;
        std::uint8_t written = 0, known = 0;
    };

    // Allocations, by number, whose stores are kept; words of four bytes that are not: counters
    // (shared_counters.h).
    void keep(const std::set<std::int64_t>& allocations, const std::set<std::int64_t>& without);
    [[nodiscard]] bool is_kept(std::int64_t allocation) const { return allocations_.contains(allocation); }
    // Blocks come in order; `unit.written` are the bytes that this one stored.
    void add(std::int64_t address, Unit unit);
    // What blocks before `block` left there; nullptr: nothing.
    [[nodiscard]] const Unit* before(std::int64_t block, std::int64_t address) const;
    [[nodiscard]] std::int64_t size() const { return size_; }

private:
    std::set<std::int64_t> allocations_, without_;
    struct Left {
        Unit last;                  // what nearly all want, while blocks are executed in order
        std::vector<Unit> earlier;  // in order
    };
    std::unordered_map<std::int64_t, Left> units_;  // by address / unit_bytes
    std::int64_t size_ = 0;
};

}  // namespace gpumodel::emulate
