// Lines that an SM has stored to and not yet sent on: a store to sectors that are among them joins what is
// there, and takes nothing of the way to L2. Structures that threads store word by word leave so as whole
// sectors, where the warps that are at it at a time have no more lines under way than the SM keeps
// (validate/microbench/structs, h200_sxm_structs.csv: structures of 8, 12 and 16 bytes in full, of 24 bytes
// by how many warps store, of 32 bytes not at all).
//
// A warp's stores join its own: those of a transpose's warps, which meet in sectors as well, do not (H200, 80
// % too fast otherwise).
//
// Ignored: that lines leave by themselves when the SM has nothing else to send.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <deque>

namespace gpumodel {

// `estimated`, by 8 warps: 16 bytes a thread join, which are 128 sectors at a time, 32 bytes do not, 256.
inline constexpr int most_joining_sectors = 160;

class StoreJoining {
public:
    // Of the sectors that a warp stores, a bit each, those that join none; from then on they are there.
    [[nodiscard]] unsigned add(std::int64_t line, unsigned sectors, int warp) {
        const auto known = std::find_if(kept_.begin(), kept_.end(), [&](const Line& kept) {
            return kept.line == line && kept.warp == warp;
        });
        if (known != kept_.end()) {
            const unsigned added = sectors & ~known->sectors;
            known->sectors |= sectors;
            sectors_ += std::popcount(added);
            return added;
        }
        kept_.push_back({line, sectors, warp});
        sectors_ += std::popcount(sectors);
        for (; sectors_ > most_joining_sectors; kept_.pop_front()) {
            sectors_ -= std::popcount(kept_.front().sectors);
        }
        return sectors;
    }

private:
    struct Line {
        std::int64_t line = -1;
        unsigned sectors = 0;
        int warp = 0;
    };
    std::deque<Line> kept_;  // the oldest first
    int sectors_ = 0;
};

}  // namespace gpumodel
