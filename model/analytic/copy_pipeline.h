// Bulk copies that run ahead of the products of their data, through a ring of places in shared memory.
//
// A trip's copies come `latency + transfer` after they have been asked for, and so many trips' are under way
// at once. They are asked for when a place is free, which those who multiply say behind the products of a
// later one: `held` until these have found room in the queue of products. One trip follows another after
//   period = max(transfer, (held + latency + transfer) / trips ahead)
// Where some warps copy and others multiply, these take the trips' data as they come and then do what is
// left, as storing results; the copies go on meanwhile until the ring is full:
//   section = first trip's latency + transfer + max(trips with a wait, copies - what goes on meanwhile) +
//   rest
// each part as long as its warps' chain, or as what all of them ask of a resource: they keep step.
#pragma once

#include <algorithm>
#include <vector>

namespace gpumodel {

// Copies of one trip of a loop, cycles.
struct CopyTrip {
    double latency = 0;   // of the last of them
    double transfer = 0;  // between the first and the last
    double ahead = 1;     // trips that they are asked for before they are waited for
};

// Copies of a loop or a section, of which several may be of one trip, as in an unrolled loop.
struct Copies {
    double times = 0, transfer = 0;  // of all of them
    double latency = 0, ahead = 1;   // at most

    void add(const CopyTrip& trip, double trips) {
        times += trips;
        transfer += trip.transfer * trips;
        latency = std::max(latency, trip.latency);
        ahead = std::max(ahead, trip.ahead);
    }
    [[nodiscard]] double mean_transfer() const { return times > 0 ? transfer / times : 0; }
    // Of one of them, where each is waited for by itself.
    [[nodiscard]] double period(double held) const {
        return std::max(mean_transfer(), (held + latency + mean_transfer()) / ahead);
    }
    // Of all of them, where they are asked for in one trip and waited for in a later one.
    [[nodiscard]] double trip(double held) const {
        return times > 0 ? std::max(transfer, (held + latency + mean_transfer()) / ahead) : 0;
    }
};

// What warps do in a section between two barriers of the block: so many times so long.
struct SectionPart {
    double times = 0, cycles = 0;
    bool waits = false;  // for copies
    double held = 0;     // by the queue of products
};

// Cycles of warps that do these parts in order. 0 where none waits for copies.
[[nodiscard]] double pipeline_cycles(const std::vector<SectionPart>& parts, const Copies& copies);

}  // namespace gpumodel
