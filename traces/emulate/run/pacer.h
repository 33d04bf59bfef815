// At which time a warp goes on, where all blocks of a launch are executed side by side: in SM cycles.
//
//   instructions   `instruction` each: those of a path, with what they wait for one another
//   device memory  half a trip to L2, what stands before each line at its SM and at its slice and its own
//                  time there, half a trip back; the accesses of a code block begin together up to the first
//                  instruction that reads what one of them loads, those behind it when that is there, and the
//                  warp goes on with the last that returns something. A slice's work is a queue that empties
//                  as time goes by: atomics on one word and lines that many want come one after the other so,
//                  and who comes back first asks first
//   halves         each half of L2 has slices of its own and a copy of what its SMs read, which what changes
//                  the line takes away; atomics are done at home, and those of the other half's SMs pass a
//                  slice of theirs besides, as stores do
//   L1             loads that may find a sector there (128 KiB of each SM, a line at one place) do so unless
//                  another line or an atomic of the SM took it away; what it holds is never older than L2's
//   a fence of the GPU   from when all accesses of the SM that were made before it are done
//
// Whose values a warp finds hangs on this order: who wins a compare-and-swap and how often others try again,
// how far a scan looks back, which vertex is visited by whom.
//
// What a launch loads and stores besides waits in the same queues: a scan's look-back behind the tiles of
// other blocks.
//
// Ignored: bandwidth elsewhere; DRAM; shared memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "traces/warp_events.h"

namespace gpumodel::emulate {

// H200; `estimated` for other generations. Trips of loads and of atomics on one word: h200_sxm_l2.csv
// (l2_half_latency, l2_atomic_latency); of atomics on others, of stores, fences, requests of an SM:
// h200_sxm_trips.csv. Slices: by their counters (h200_sxm_hot_lines_counters.csv: 0.85 reads or 0.77 atomics
// in each cycle of L2, of which an SM's has 0.86); reads of many lines by h200_sxm_handoffs.csv,
// gather_count; one word as model/memory/costs/atomic_costs.h.
struct Pace {
    std::size_t sms = 132;
    double instruction = 6;                  // `estimated`
    double block_start = 500, barrier = 30;  // `estimated`
    // far: of the other half's; copy: one's own half has one, since the line was last changed
    double load_trip = 292, far_load_trip = 471, copy_trip = 300, l1_hit = 35;
    // again: of a line that is among the last that its slice changed
    double atomic_trip = 233, far_atomic_trip = 505, far_again_trip = 381, far_store_trip = 381;
    double fence = 260;
    // of a warp's trips, and of what its compare-and-swaps wait, evenly around their mean: as often as they
    // try by h100_sxm_push_counters.csv, where 2.3, 7.4, 21 times, 2.5, 7.1, 21 so
    double spread = 0.55;
    // At a slice: a line's read, of the same as before, of each sector (14.2 cycles for 512 bytes of each SM:
    // h200_sxm_l2.csv, l1_requests).
    double read = 0.85, same_line = 1.36, read_sector = 0.73;
    // Sectors of stores and atomics that an SM holds until its slices take them (store_buffer of sm_90.yaml).
    int posted_sectors = 320;
    // Floating-point additions on one sector wait for one another (model/memory/costs/atomic_costs.h).
    double same_word_float = 3.47;
    // A store; an atomic on a sector, one without result, one more on the same word, one of several words.
    double store = 1.36, atomic = 1.51, reduction = 1.25, same_word = 1.45, compare_more = 1.2;
    // Of a store's sectors: 128 bytes of each SM in 7.2 cycles, of which half pass two slices
    // (h200_sxm_block_ends.csv, store128).
    double stored_sector = 1.12;
    // Bytes a cycle: what all SMs read and store at most (the same two measurements), what one reads
    // (read_bandwidth_per_sm of sm_90.yaml, 256 threads).
    double l2_read_bytes = 4750, l2_stored_bytes = 2350, sm_read_bytes = 72;
    // At an SM; a sector's store by write_bandwidth_per_sm.
    double sm_read = 1.85, sm_store = 2.4, sm_stored_sector = 1, sm_atomic = 1.2;
};

// What several share, by when each asks for it, whoever asks first: warps are not executed wholly in order of
// time. Who asks more than half a million cycles behind the latest waits for nobody.
class SharedRate {
public:
    // Takes `cost` cycles of it; how long until they can be had.
    double wait(double arrives, double cost);

private:
    static constexpr double width = 64;
    static constexpr std::size_t kept = 8192;
    struct Place {
        double taken = 0;
        std::size_t full = 0;  // places from here on that are, at least
    };
    std::vector<Place> places_;  // from first_ on
    std::size_t first_ = 0;
};

class Pacer final : public WarpSink {
public:
    Pacer(const StaticCode& code, const Pace& pace);

    [[nodiscard]] const Pace& pace() const { return pace_; }
    // `warp`: a number that no other has that runs beside it.
    void begin_turn(double now, std::size_t sm, std::size_t warp) {
        began_ = now_ = now;
        queued_ = 0;
        polls_ = false;
        warp_ = warp;
        sm_ = sm % l1_.size();
    }
    // When the warp goes on.
    [[nodiscard]] double end_turn() {
        serve();
        return now_;
    }
    // Of this turn's time, what its accesses waited at slices.
    [[nodiscard]] double queued() const { return queued_; }
    // It read past L1 what it had read before by the same instruction, and nothing so between.
    [[nodiscard]] bool polls() const { return polls_; }
    // Warp instructions.
    [[nodiscard]] std::int64_t executed() const { return executed_; }

    void straight(int warp, int begin, int end, std::uint32_t active) override;
    void access(int warp, const AccessEvent& event) override;

private:
    static constexpr std::size_t slices_of_half = 48, l1_lines = 1024;

    enum class Use : unsigned char {
        other,
        load,
        load_past_l1,
        store,
        change,
        add_floats,
        change_and_return,
        add_floats_and_return,
        compare
    };
    // Of a line that a warp names.
    struct Request {
        Use use = Use::load;
        std::int64_t line = 0;
        unsigned sectors = 0;     // bits
        bool far = false;         // its home is in the other half
        bool fetches = false;     // and its own half has no copy
        int lanes = 0;            // atomics: on the busiest word of each sector, in all
        int most_lanes = 0;       // of the sector that has most
        std::int64_t sector = 0;  // that one
        bool several = false;     // atomics: words of a sector
    };
    struct Named {
        int trip = 0;  // trips of its code block that it begins behind
        Use use = Use::load;
        std::int64_t address = 0;
        bool operator<(const Named& other) const {
            return std::tie(trip, use, address) < std::tie(other.trip, other.use, other.address);
        }
    };
    // Work that waits at a slice.
    struct Queue {
        double at = 0, work = 0;
        std::int64_t line = -1;  // the last that was read
        // The last that atomics changed.
        std::array<std::int64_t, 8> changed{-1, -1, -1, -1, -1, -1, -1, -1};
        std::size_t changes = 0;
        [[nodiscard]] bool has_changed(std::int64_t number) const {
            return std::find(changed.begin(), changed.end(), number) != changed.end();
        }
    };
    struct CachedLine {
        std::int64_t line = -1;
        unsigned sectors = 0;
    };
    [[nodiscard]] static Use use_of(const StaticCode& code, const Instruction& instruction);
    // Of the instructions [begin, end), the trips before them.
    void find_trips(std::size_t begin, std::size_t end);
    // What was named since the last time, and the fence behind it.
    void serve();
    // Up to the first named of another trip; returns where that is.
    std::size_t serve_trip(std::size_t at);
    void wait_for_accesses();
    [[nodiscard]] Request next_request(std::size_t& at) const;
    // Whether a load finds a copy, which is there from then on; what changes a line takes it away.
    void look_for_copy(Request& request);
    [[nodiscard]] static std::size_t slice_of(std::int64_t line);  // of its half
    [[nodiscard]] std::size_t home_of(const Request& request) const;
    // There and back.
    [[nodiscard]] double trip(const Request& request) const;
    // True if L1 has all that a load asks for; it has then in any case.
    bool is_in_l1(const Request& request);
    // What it waits for its slices, its own work there besides the least included.
    double queued(const Request& request, double arrives);
    double read(const Request& request, double arrives);
    double stored(const Request& request, double arrives);
    double changed(const Request& request, double arrives);
    double added(const Request& request, double arrives);
    // The warp waits until its SM has room for what brings nothing back; which has it then until a slice
    // has done it.
    void wait_for_room();
    void post(const Request& request, double leaves);
    [[nodiscard]] static bool brings_back(Use use);
    static double queue_at(Queue& queue, double arrives, double cost);

    Pace pace_;
    const StaticCode& code_;
    std::vector<Use> uses_;     // by instruction
    std::vector<bool> fences_;  // by instruction
    std::vector<int> widths_;   // bytes of a lane
    std::vector<int> trips_;    // see find_trips(); -1 = not yet known
    bool has_fences_ = false, fenced_ = false;
    double began_ = 0, now_ = 0, queued_ = 0;  // the turn; began_: no later turn begins before
    bool polls_ = false;
    std::size_t sm_ = 0, warp_ = 0;
    std::unordered_map<std::size_t, std::pair<int, std::int64_t>>
        last_read_;  // by warp: instruction, address
    std::int64_t executed_ = 0, served_ = 0;
    std::vector<Named> named_;
    std::array<Queue, 2 * slices_of_half> queues_{};
    struct Additions {
        std::int64_t sector = -1;
        Queue queue;
    };
    static constexpr std::size_t added_to = 16384;
    std::vector<Additions> additions_;  // by sector, the last that were added to
    SharedRate l2_;
    struct OnTheWay {
        double from = 0, to = 0;
    };
    // What returns nothing leaves an SM in the order in which it was named.
    struct Posted {
        double leaves = 0;
        int sectors = 0;
    };
    struct Sm {
        Queue queue;
        SharedRate rate;
        std::deque<Posted> posted;
        int posted_sectors = 0;
        std::vector<OnTheWay> accesses;  // that a fence may still have to wait for
    };
    std::vector<Sm> of_sm_;
    std::vector<std::array<CachedLine, l1_lines>> l1_;
    // Lines that were changed since the half that is not their home had a copy: what the launch only reads
    // lies in both halves.
    std::unordered_set<std::int64_t> stale_;
};

}  // namespace gpumodel::emulate
