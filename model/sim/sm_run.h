// One SM, cycle by cycle, over its blocks: puts the parts together and holds nothing of its own.
//
//   core/         warps, schedulers, scoreboards, pipes, instruction fetch: who issues when
//   memory/       what memory instructions cost behind the issue, and when their results come
//   blocks/       which block runs where, barriers, the next block
//   extrapolate/  what need not be simulated (not in exact runs)
//   events/       where the cycles went, for the result and for who listens
//
// The parts do not know each other. What one has to tell another goes through here.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "model/sim/blocks/block_dealer.h"
#include "model/sim/core/issue_core.h"
#include "model/sim/extrapolate/least_time.h"
#include "model/sim/extrapolate/rounds.h"
#include "model/sim/extrapolate/trips.h"
#include "model/sim/memory/memory_path.h"
#include "model/sim/sim_progress.h"

namespace gpumodel::sim {

struct SmSetup {
    const ArchSpec& arch;
    Machine machine;
    MemorySetup memory;
    BlockPlan blocks;
    bool exact = false;
    std::int64_t max_cycles = 0;                                   // 0 = no limit
    double most_cycles = std::numeric_limits<double>::infinity();  // no longer run is asked for; not if exact
    bool glance = false;                                           // nor more than least_time.h needs
    SimListener* listener = nullptr;
    SimProgress* progress = nullptr;
};

class SmRun final : private CoreNeighbours, private DealerNeighbours {
public:
    SmRun(const SmSetup& setup, const DecodedProgram& decoded, AccessTable& table);
    // Fills in what the run shows: status and reason, or cycles, counters, instructions (all code lines,
    // cycles only) and how much of it was simulated. False, and nothing filled in, once it is sure that the
    // run takes longer than most_cycles, or a glance is over.
    [[nodiscard]] bool run(SimResult& result);
    // nullptr where nothing limits the run.
    [[nodiscard]] const LeastTime* least_time() const {
        return extrapolation_ && extrapolation_->least_time ? &*extrapolation_->least_time : nullptr;
    }

private:
    struct Extrapolation {
        Extrapolation(const DecodedProgram& decoded, const SmSetup& setup, int slots);

        StreamProfiles profiles;
        LeftOut left_out;
        TripExtrapolator trips;
        RoundExtrapolator rounds;
        std::optional<LeastTime> least_time;  // where there is a limit, or for a glance
    };

    bool send(const Warp& warp, const DecodedOp& op, Cycle now) override;
    void arrived(int slot, Cycle now) override { dealer_.arrive(slot, now); }
    void warp_exited(int slot, Cycle now) override;
    void warp_ended(int slot, Cycle now) override;
    void trip_started(const Warp& warp, std::int32_t loop) override;
    void start_block(int slot, const BlockStart& start, const PlannedBlock& block) override;
    void release(int slot, Cycle complete, Cycle at) override {
        memory_.barrier_released(complete);
        core_.release(slot, at);
    }
    BlockSkip block_ended(Cycle end, std::span<const PlannedBlock> waiting) override;
    [[nodiscard]] double idle(Cycle now) const override;

    void complete(const MemoryPath::Done& done);
    void tell(const MemoryPath::Done& done);
    [[nodiscard]] WarpName name_of(const Requester& from) const;
    // False if the run takes too long.
    [[nodiscard]] bool skip_trips(Cycle now);
    void tell_progress();
    [[nodiscard]] SimCounters counters() const;
    [[nodiscard]] Snapshot snapshot(Cycle now) const;
    void stopped(const std::string& why, SimResult& result) const;
    void fill_in(SimResult& result) const;
    void add_left_out(const LeftOut& left_out, std::vector<StallCycles>& stalls, SimResult& result) const;

    const SmSetup& setup_;
    const DecodedProgram& decoded_;
    RunAccount account_;
    IssueCore core_;
    MemoryPath memory_;
    BlockDealer dealer_;
    std::unique_ptr<Extrapolation> extrapolation_;  // null = exact
    std::vector<DataPipe::Sent> sent_;              // wavefronts not yet told
    double all_instructions_ = 0;                   // of the blocks, where progress is to be told
    double told_ = 0;                               // part of the run
    std::uint32_t passes_ = 0;
};

}  // namespace gpumodel::sim
