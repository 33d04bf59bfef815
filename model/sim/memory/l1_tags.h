// Lines of one SM's L1 (or read-only cache) with their sectors and the cycle at which a line's last requested
// sector arrives: a later load of a sector that is under way waits for it and sends no request (hit under
// miss). Fully associative, first in first out (on Hopper LRU and FIFO predict alike, H200 microbenchmarks).
// Stores pass by.
#pragma once

#include <cstdint>
#include <vector>

namespace gpumodel::sim {

class L1Tags {
public:
    explicit L1Tags(std::int64_t capacity_bytes);

    struct Line {
        std::int64_t number = -1;
        std::uint32_t sectors = 0;
        double arrival = 0;  // of the latest sector
    };
    // nullptr if the line is not there.
    [[nodiscard]] Line* find(std::int64_t line);
    // A line without sectors in the place of the oldest one; nullptr where there is no cache.
    Line* insert(std::int64_t line);

private:
    [[nodiscard]] std::size_t slot_of(std::int64_t line) const;
    void erase(std::int64_t line);

    std::vector<Line> lines_;  // ring in order of insertion
    std::size_t next_ = 0;
    std::vector<std::int32_t> table_;  // open addressing, linear probing; -1 = empty
};

}  // namespace gpumodel::sim
