// What stands behind the sub-partitions' nearest instruction caches: the SM's instruction cache (L1) and the
// next level (L2), which it shares with constants.
//
// Both hold the lines that were brought last, by sets. So a loop that is longer than L1 by a part of it finds
// nothing of its overfull sets there: on the H200 30 KiB run as fast as 2 KiB, 34, 36 and 40 KiB take 1.5,
// 1.9 and 2.4 cycles per instruction, up to 128 KiB no more, 144 KiB and more 5.9
// (validate/microbench/code_fetch).
//
// Contract
// - need(line, start): a sub-partition asks for a line at `start`; returns when it is there. Who asks for a
//   line that is under way waits for it: sub-partitions that run the same code share what is fetched.
// - From L2 a sub-partition's stream takes l2_fetch cycles per instruction, all of the SM together l2_port;
//   from behind it memory_fetch, one line after the other.
// - Code that fits a level is there from the start, as after the launch before.
// Ignored: the constants that take L2's room; how GPCs share what is behind it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gpumodel::sim {

// Lines that were brought last: first in, first out, whoever uses them meanwhile. (Warps that follow within
// 25 KiB behind another find its lines; with the lines used last in their stead they would not.)
class CodeCache {
public:
    CodeCache(std::int64_t lines, int ways);

    struct Line {
        std::int64_t number = -1;
        std::int64_t order = 0;  // of coming
        double ready = 0;
    };
    // Null if it is not there.
    [[nodiscard]] const Line* find(std::int64_t line);
    // Instead of the oldest of its set.
    void put(std::int64_t line, double ready);

private:
    [[nodiscard]] Line* set_of(std::int64_t line);

    std::int64_t sets_;
    std::size_t ways_;
    std::vector<Line> lines_;
    std::int64_t brought_ = 0;
};

// Per line of code.
struct SupplyCosts {
    std::int64_t code_lines = 0;
    std::int64_t l1_lines = 0, l2_lines = 0;
    int l1_ways = 1, l2_ways = 1;
    double l2_cycles = 0;      // of one stream
    double l2_port = 0;        // of all
    double memory_cycles = 0;  // of one stream, and of all
};

class CodeSupply {
public:
    explicit CodeSupply(const SupplyCosts& costs);

    [[nodiscard]] double need(std::int64_t line, double start);
    // L1 has it by `at`.
    [[nodiscard]] bool holds(std::int64_t line, double at);

private:
    SupplyCosts costs_;
    bool in_l1_, in_l2_;  // all of it
    CodeCache l1_, l2_;
    double l2_free_ = 0, memory_free_ = 0;
};

}  // namespace gpumodel::sim
