// One resident warp: what it runs, how far it has come, and when it can go on.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "model/sim/core/scoreboard.h"
#include "model/sim/events/events.h"

namespace gpumodel::sim {

struct BlockStart {
    Cycle at = 0;
    std::int64_t block = 0;  // linear index
    std::int64_t order = 0;  // among the SM's blocks, skipped ones counted
    int body = 0;
};

struct Warp {
    WarpName name;
    std::int32_t number = 0;  // of the SM's warps
    std::int32_t place = 0;   // at its scheduler
    std::int64_t order = -1;  // of its block, in the order of start
    bool live = false;
    bool draining = false;     // it has exited, its stores have not left
    std::int32_t leaving = 0;  // memory instructions without results in front of the data pipe

    const WarpStream* stream = nullptr;
    std::int32_t body = 0, stream_of_body = 0;
    std::int32_t pc = 0;
    LoopCounters counters{};
    std::int64_t trips_cut = 0;  // of the top-level loop that it is in, left out by extrapolation
    std::int32_t fetch_line = -1;

    // When its last instructions issued, the latest at `issued`.
    static constexpr std::size_t remembered = 8;
    std::array<Cycle, remembered> issued_at{};
    std::size_t issued = 0;
    void note_issue(Cycle now) { issued_at[++issued % remembered] = now; }
    [[nodiscard]] Cycle issued_before(std::size_t instructions) const {
        return issued_at[(issued + remembered - instructions) % remembered];
    }

    std::int64_t arrivals = 0;  // that it has made at barriers in shared memory
    // Waits so far that count the block's bulk copies or arrivals, by the instruction's address.
    std::vector<std::pair<std::uint32_t, std::int64_t>> copy_waits;
    std::int64_t& waits_at(std::uint32_t address) {
        for (auto& [at, count] : copy_waits) {
            if (at == address) {
                return count;
            }
        }
        return copy_waits.emplace_back(address, 0).second;
    }

    Scoreboard scoreboard;
    Cycle paired_at = -1;                    // when the first of its last pair went
    Cycle not_before = 0;                    // by stall counts, branches, barriers and fetch
    StallReason reason = StallReason::wait;  // from `accounted` until ready
    bool waits_for_registers = false;        // of which nobody knows yet when they are ready
    Cycle started = 0;
    Cycle accounted = 0;  // every cycle before has its reason

    [[nodiscard]] const DecodedOp& op() const { return stream->ops[static_cast<std::size_t>(pc)]; }
    [[nodiscard]] bool at_end() const { return pc >= static_cast<std::int32_t>(stream->ops.size()); }
};

}  // namespace gpumodel::sim
