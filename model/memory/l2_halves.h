// An L2 of two halves (GA100, GH100): each SM reads through the half that it is attached to, each line has
// its home in the half whose DRAM it lies in.
//
//   reads    what an SM reads of a line at home in the other half is kept in both: in the home when it
//            passes through (an SM there finds it later without DRAM) and as a copy in the reader's half
//   writes   and atomics are done at home; copies of what they change are dropped
//   room     of one half for data that both halves' SMs read: all of it. What one half's SMs alone read
//            takes the room of all of it there and of the part at home in the other half once more
//   homes    pages of 4 KiB, of each two neighbours one in each half, as if by chance
//   SMs      consecutive blocks start on SMs of one half, `sms_per_half_run` of them, then on the other's
// (H200: validate/data/h200_sxm_l2.csv, residence, latency and half of every SM.) An L2 of one piece is the
// case of one half, home of everything.
//
// Ignored: which clusters lie in which half (it differs from one chip to the next), SMs that take a freed
// slot out of turn.
#pragma once

#include <algorithm>
#include <cstdint>

#include "arch_specs/arch_spec.h"
#include "traces/kernel_program.h"

namespace gpumodel {

inline constexpr int most_l2_halves = 2;

inline constexpr unsigned lines_of_home_bits = 5;  // 4 KiB

// 0 or 1. `line`: number of a 128-byte line.
[[nodiscard]] inline int home_half(std::int64_t line) {
    const auto page = static_cast<std::uint64_t>(line) >> lines_of_home_bits;
    auto x = (page >> 1U) * 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 32U)) * 0xbf58476d1ce4e5b9ULL;  // splitmix64
    return static_cast<int>((x >> 63U) ^ (page & 1U));
}

// The line's number among those with the same home. One of the other home has the same number.
[[nodiscard]] constexpr std::int64_t number_at_home(std::int64_t line) {
    constexpr std::int64_t in_page = (1 << lines_of_home_bits) - 1;
    return (line >> (lines_of_home_bits + 1) << lines_of_home_bits) | (line & in_page);
}

class L2Halves {
public:
    // Of a launch of so many blocks: fewer than the GPU has TPCs start on one SM of each.
    L2Halves(const ArchSpec& arch, std::int64_t blocks);
    [[nodiscard]] int count() const { return count_; }
    // Half of the SM that the block with this linear index runs on.
    [[nodiscard]] int of_block(std::int64_t index) const {
        return count_ == 1 ? 0 : static_cast<int>(index % sms_ / run_ % count_);
    }
    // The first block behind this one that may be in another half.
    [[nodiscard]] std::int64_t end_of_run(std::int64_t index) const {
        const auto sm = index % sms_;
        return index - sm + std::min((sm / run_ + 1) * run_, sms_);
    }

private:
    int count_;
    std::int64_t sms_, run_;
};

// Part of one half's room that a byte of data takes which blocks [0, blocks) of the grid read, mean over
// halves: 1 if SMs of both halves read all of it. Blocks read the same data where the coordinates that count
// coincide.
struct SharedCoordinates {
    bool x = false, y = false, z = false;
};
[[nodiscard]] double room_of_read_byte(const L2Halves& halves, const Dim3& grid, std::int64_t blocks,
                                       const SharedCoordinates& by);

}  // namespace gpumodel
