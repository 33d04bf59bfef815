#include "model/memory/coalescing/coalescing_distinct.h"

#include <algorithm>
#include <array>
#include <bit>

#include "model/memory/coalescing/coalescing_lanes.h"

namespace gpumodel {

namespace {

// Calls visit(piece) for each lane of the set, lowest first.
template <typename Visit>
void for_each_piece(const WarpAccess& access, std::uint32_t lanes, unsigned shift, Visit visit) {
    for_each_lane(
        lanes, [&](std::size_t lane) { visit(static_cast<std::uint64_t>(access.address[lane]) >> shift); });
}

constexpr std::uint64_t window_bits = 256;

int count_in_window(const WarpAccess& access, std::uint32_t lanes, unsigned shift, std::uint64_t first) {
    std::array<std::uint64_t, window_bits / 64> window{};
    for_each_piece(access, lanes, shift, [&](std::uint64_t piece) {
        const auto offset = piece - first;
        window[offset / 64] |= std::uint64_t{1} << (offset % 64);
    });
    int count = 0;
    for (const auto word : window) {
        count += std::popcount(word);
    }
    return count;
}

// Open addressing; 128 slots for at most 32 keys keep probe chains short.
int count_by_hash(const WarpAccess& access, std::uint32_t lanes, unsigned shift) {
    constexpr unsigned slot_bits = 7;
    constexpr std::uint64_t golden =
        0x9E3779B97F4A7C15U;  // 2^64 / golden ratio: Fibonacci hashing (Knuth, TAOCP 6.4)
    std::array<std::uint64_t, 1U << slot_bits> slots{};
    int count = 0;
    for_each_piece(access, lanes, shift, [&](std::uint64_t piece) {
        const auto key = piece + 1;  // 0 marks a free slot
        auto slot = static_cast<std::size_t>((key * golden) >> (64 - slot_bits));
        while (slots[slot] != 0 && slots[slot] != key) {
            slot = (slot + 1) % slots.size();
        }
        count += slots[slot] == 0 ? 1 : 0;
        slots[slot] = key;
    });
    return count;
}

struct Scan {
    bool ascending = true;
    int changes = 0;  // distinct pieces if ascending
    std::uint64_t lowest = ~std::uint64_t{0};
    std::uint64_t highest = 0;
};

Scan scan(const WarpAccess& access, std::uint32_t lanes, unsigned shift) {
    Scan result;
    std::uint64_t previous = 0;
    for_each_piece(access, lanes, shift, [&](std::uint64_t piece) {
        result.changes += result.changes == 0 || piece != previous ? 1 : 0;
        result.ascending = result.ascending && piece >= previous;
        result.lowest = std::min(result.lowest, piece);
        result.highest = std::max(result.highest, piece);
        previous = piece;
    });
    return result;
}

int count_unordered(const WarpAccess& access, std::uint32_t lanes, unsigned shift, std::uint64_t lowest,
                    std::uint64_t highest) {
    return highest - lowest < window_bits ? count_in_window(access, lanes, shift, lowest)
                                          : count_by_hash(access, lanes, shift);
}

}  // namespace

int count_distinct(const WarpAccess& access, std::uint32_t lanes, unsigned shift) {
    const auto found = scan(access, lanes, shift);
    return found.ascending ? found.changes
                           : count_unordered(access, lanes, shift, found.lowest, found.highest);
}

DistinctPieces count_pieces(const WarpAccess& access, std::uint32_t lanes, unsigned word_shift) {
    DistinctPieces pieces;
    bool ascending = true;
    std::uint64_t previous = 0;
    std::uint64_t lowest = ~std::uint64_t{0};
    std::uint64_t highest = 0;
    for_each_piece(access, lanes, 0, [&](std::uint64_t address) {
        const bool first = pieces.words == 0;
        pieces.words += first || (address >> word_shift) != (previous >> word_shift) ? 1 : 0;
        pieces.sectors += first || (address >> sector_shift) != (previous >> sector_shift) ? 1 : 0;
        pieces.lines += first || (address >> line_shift) != (previous >> line_shift) ? 1 : 0;
        ascending = ascending && address >= previous;
        lowest = std::min(lowest, address);
        highest = std::max(highest, address);
        previous = address;
    });
    if (!ascending) {
        const auto count = [&](unsigned shift) {
            return count_unordered(access, lanes, shift, lowest >> shift, highest >> shift);
        };
        pieces = {count(word_shift), count(sector_shift), count(line_shift)};
    }
    return pieces;
}

}  // namespace gpumodel
