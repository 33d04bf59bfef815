// The L2 as SMs of one or two halves see it (model/memory/l2_halves.h): one cache for each half. Each half
// has the lines at home there that anyone reads or writes, and room for the others' that its SMs read or
// write (on the H200 copies from one array to another stay in L2 up to 36 to 40 MiB of both, as reads do).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/memory/l2_halves.h"
#include "model/sim/l2/l2_cache.h"

namespace gpumodel::sim {

using BlocksOfHalf = std::array<std::int32_t, most_l2_halves>;

// Sectors of one line that blocks of each half read at once. Sectors that `blocks` wait for count for each.
struct LineRead {
    int fetched = 0;    // from DRAM, once for all
    int crossed = 0;    // from one half to the other
    double waited = 0;  // for DRAM
    double far = 0;     // for the other half, which had them
};

class SplitL2 {
public:
    // `capacity_bytes`, `ways`, `one_in` as of L2Cache, the capacity of all halves together. With two halves
    // one_in is at most 32: a line of every page.
    SplitL2(int halves, std::int64_t capacity_bytes, int ways, int one_in, const DramAccess& dram = {});

    [[nodiscard]] bool samples(std::int64_t line) const { return halves_.front().samples(line); }
    // `cost` and `lines_of_row`: of L2Cache::fetch().
    LineRead read(std::int64_t line, std::uint32_t words, const BlocksOfHalf& blocks, double& cost,
                  int lines_of_row = 1);
    void write(std::int64_t line, std::uint32_t words, const BlocksOfHalf& blocks, int lines_of_row = 1);

    void next_step();
    [[nodiscard]] L2Counts counts() const;
    void reset_counts();

private:
    [[nodiscard]] static std::int64_t number_in(std::size_t half, std::int64_t line);

    std::vector<L2Cache> halves_;
};

}  // namespace gpumodel::sim
