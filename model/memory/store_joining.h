// Lines that an SM has stored to and not yet sent on: a store to sectors that are among them joins what is
// there, and takes nothing of the way to L2. Structures that threads store word by word leave so as whole
// sectors, where the SM does not store to more lines from one word of a structure to the next than it keeps.
//
// Lines take places, those of a store whose lanes name sectors of their own 2.5 times as many as others. A
// warp's store joins its own where the SM's stores have taken no more than 56 lines' places since, and other
// warps' within 15 (validate/microbench/structs, h200_sxm_joined_stores.csv, counted by the profiler:
// structures of 16 bytes join in full up to 8 warps and mostly with 16, of 24 bytes with 8 and not with 16,
// of 32 bytes with 2 and not with 4, whether stored by 4, 8 or 16 bytes; two warps' strips of 16 bytes join,
// of 8 bytes a third of the time, of 4 bytes never; 133 of these 152 launches to within 0.15 of all sectors).
//
// Ignored: that lines leave by themselves when the SM has nothing else to send.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>

namespace gpumodel {

struct JoiningPlaces {
    // Taken since, up to which stores join: as many as so many lines' whose lanes share sectors.
    static constexpr int own = 2 * 56, others = 2 * 15;

    // Of a line of one store.
    [[nodiscard]] static constexpr int of_line(bool lone_lanes) { return lone_lanes ? 5 : 2; }
    // Nearly all of a store's lanes name sectors of their own (`estimated`: between structures of 24 bytes,
    // whose 32 lanes name 24, and words at random among 256 lines, 30). `bytes`: what its lanes name.
    [[nodiscard]] static constexpr bool are_lone(double sectors, double bytes, int bytes_per_lane) {
        return 8 * sectors * bytes_per_lane >= 7 * bytes;
    }
};

class StoreJoining {
public:
    // Of the sectors that a warp stores to a line, a bit each, those that join none; from then on they are
    // there. `places`: what the line takes.
    [[nodiscard]] unsigned add(std::int64_t line, unsigned sectors, int warp, int places) {
        taken_ += places;
        while (!kept_.empty() && taken_ - kept_.front().at > JoiningPlaces::own) {
            kept_.pop_front();
        }
        const auto known = std::find_if(kept_.rbegin(), kept_.rend(),
                                        [line](const Line& kept) { return kept.line == line; });
        if (known == kept_.rend()) {
            kept_.push_back({line, sectors, warp, taken_});
            return sectors;
        }
        const auto reach = known->warp == warp ? JoiningPlaces::own : JoiningPlaces::others;
        const unsigned there = taken_ - known->at <= reach ? known->sectors : 0;
        kept_.erase(std::next(known).base());
        kept_.push_back({line, there | sectors, warp, taken_});
        return sectors & ~there;
    }

private:
    struct Line {
        std::int64_t line = -1;
        unsigned sectors = 0;
        int warp = 0;         // that stored to it last
        std::int64_t at = 0;  // places that had been taken by then
    };
    std::deque<Line> kept_;  // the one stored to longest ago first
    std::int64_t taken_ = 0;
};

}  // namespace gpumodel
