// Which compare-and-swaps are tried again, with what they were told is there, until they hold: sums and lists
// that are kept by a loop around them. Blocks are executed alone, and their swaps hold at once; together
// those of one word hold one at a time, and the others lose a turn each time
// (model/memory/swap_contention.h).
//
// Found by telling each lane once, at each instruction, that another was faster: a swap that comes back to
// the word with that value is one. One that looks elsewhere (a table's next place) or waits for a certain
// value (a lock) is not.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace gpumodel::emulate {

class SwapProbe {
public:
    struct Lane {
        int warp = 0, lane = 0, instruction = 0;
        auto operator<=>(const Lane&) const = default;
    };
    // A swap comes, for `expected`, at a word that holds `held`. Returns what to tell it instead of trying
    // it; nothing from its second time on.
    std::optional<std::uint64_t> tell(const Lane& lane, std::int64_t address, std::uint64_t expected,
                                      std::uint64_t held);
    // Instructions.
    [[nodiscard]] const std::set<int>& retried() const { return retried_; }

private:
    struct Told {
        std::int64_t address = 0;
        std::uint64_t value = 0;
    };
    std::map<Lane, Told> told_;
    std::set<int> retried_;
};

}  // namespace gpumodel::emulate
