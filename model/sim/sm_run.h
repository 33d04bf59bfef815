// One SM, cycle by cycle, over a queue of blocks.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "model/sim/access_table.h"
#include "model/sim/data_pipe.h"
#include "model/sim/fast_forward.h"
#include "model/sim/l1_tags.h"
#include "model/sim/memory_costs.h"
#include "model/sim/memory_share.h"
#include "model/sim/operand_ports.h"
#include "model/sim/scheduler_policy.h"
#include "model/sim/simulate.h"

namespace gpumodel::sim {

struct SmSetup {
    const ArchSpec& arch;
    Machine machine;
    MemoryCosts costs;
    MemoryRates rates;
    std::int64_t l1_bytes = 0;
    std::int64_t record_issues = 0;
    std::int64_t max_cycles = 0;
};

struct RunPlan {
    std::vector<std::vector<std::vector<std::int64_t>>> trips;  // [body][stream][loop]
    std::vector<Dim3> blocks;                                   // in order of start
    std::vector<Cycle> earliest_start;                          // by the GPU's dispatch rate
    int resident = 1;
};

struct RunOutcome {
    SimStatus status = SimStatus::ok;
    std::string reason;
    double end = 0;
    SimCounters counters;
    std::vector<StallCycles> stalls;  // by code line
    std::vector<IssueEvent> issues;
    std::vector<BlockEnd> block_ends;  // in order
};

class SmRun {
public:
    SmRun(const SmSetup& setup, const DecodedProgram& decoded, const Dim3& grid, AccessTable& table,
          const RunPlan& plan);
    [[nodiscard]] RunOutcome run();

private:
    struct Score {
        Cycle read = 0;   // a later instruction may read the register
        Cycle write = 0;  // and overwrite it
    };
    struct Copies {
        std::int32_t under_way = 0;
        Cycle done = 0;
    };
    struct Warp {
        const WarpStream* stream = nullptr;
        const std::int64_t* trips = nullptr;
        const WarpPattern* patterns = nullptr;
        const WarpPattern* shared_patterns = nullptr;
        const AccessStrides* strides = nullptr;
        const AccessStrides* shared_strides = nullptr;
        Score* scores = nullptr;
        StallReason* score_reasons = nullptr;
        std::array<std::int64_t, max_loop_depth> counters{};
        std::int64_t block_dx = 0, block_dy = 0, block_dz = 0;  // from the patterns' origin
        std::int32_t pc = 0;
        std::int32_t block_slot = 0;
        std::int32_t in_block = 0;
        std::int32_t scheduler = 0;
        std::int32_t place = 0;       // at the scheduler
        Copies newest, older;         // batches of asynchronous copies
        std::int64_t copy_batch = 0;  // number of the newest
        bool batch_is_new = false;    // it started after the last wait
        Cycle not_before = 0;
        Cycle accounted = 0;  // every cycle before has its reason
        std::int64_t generation = 0;
        StallReason reason = StallReason::wait;  // from `accounted` until ready
        bool waits_for_registers = false;
        bool live = false;
    };
    struct Scheduler {
        std::array<Cycle, max_warps_per_scheduler> ready_at{};
        std::array<std::int32_t, max_warps_per_scheduler> warp{};
        int places = 0;
        Cycle wake = never;
        std::uint64_t waits_for_queue = 0;
        SchedulerState state;
        OperandPorts ports;
        std::array<Cycle, pipe_count> slow_free{};
    };
    struct BlockSlot {
        std::size_t block = 0;  // index into plan.blocks
        int live_warps = 0;
        int arrived = 0;
        bool running = false;
    };

    // sm_blocks.cpp
    void place_warps();
    void start_block(int slot, Cycle start);
    void finish_warp(Warp& warp, Cycle now);
    void arrive(Warp& warp, Cycle now);
    void release_if_complete(int slot, Cycle now);
    void stop_without_progress(Cycle now, const std::string& why);

    // sm_run.cpp
    void step(int scheduler, Cycle now);
    [[nodiscard]] bool try_issue(Warp& warp, Cycle now);
    [[nodiscard]] int free_unit(const DecodedOp& op, int scheduler, Cycle now, Cycle& retry) const;
    bool refuse(Warp& warp, Cycle now, Cycle retry, StallReason reason);
    void issue(Warp& warp, const DecodedOp& op, int unit, Cycle now);
    void occupy(const Warp& warp, const DecodedOp& op, int unit, Cycle now);
    void go_on(Warp& warp, const DecodedOp& op, bool taken, Cycle now);
    void set_results(Warp& warp, const DecodedOp& op, Cycle now);
    [[nodiscard]] bool advance(Warp& warp, const DecodedOp& op);
    void prepare(Warp& warp, Cycle not_before, StallReason reason);
    [[nodiscard]] Cycle registers_ready(const Warp& warp, const DecodedOp& op, StallReason& reason) const;
    void charge(Warp& warp, Cycle until, StallReason reason);
    void wake(Warp& warp, Cycle at);
    void record(const Warp& warp, const DecodedOp& op, Cycle now);

    // sm_memory.cpp
    void send(Warp& warp, const DecodedOp& op, Cycle now);
    void hold_sources(Warp& warp, const DecodedOp& op, Cycle now);
    [[nodiscard]] bool set_slots(const Warp& warp, const DecodedOp& op, PipeRequest& request);
    void count_shared(const AccessCost& cost);
    [[nodiscard]] std::int64_t address_of(const Warp& warp, const AccessStrides& strides,
                                          const WarpPattern& pattern) const;
    void complete(const DataPipe::Served& served);
    void store(const PipeRequest& request, double now);
    [[nodiscard]] double global_arrival(const PipeRequest& request, double now);
    [[nodiscard]] double cached_arrival(L1Tags& tags, const AccessCost& cost, std::int64_t first_line,
                                        double now);
    void deliver(const PipeRequest& request, double arrival);
    void start_batch(Warp& warp);
    void wake_if_ready(Warp& warp);
    void wake_queue_waiters(int scheduler, Cycle at);

    const SmSetup& setup_;
    const DecodedProgram& decoded_;
    const Dim3 grid_;
    AccessTable& table_;
    const RunPlan& plan_;
    int warps_per_block_ = 1;
    std::vector<Warp> warps_;
    std::vector<Score> scores_;
    std::vector<StallReason> score_reasons_;
    int scores_per_warp_ = 0;
    std::vector<Scheduler> schedulers_;
    std::array<std::array<Cycle, max_schedulers + max_shared_units>, pipe_count> unit_free_{};
    std::vector<BlockSlot> slots_;
    std::size_t next_block_ = 0;
    std::int64_t generation_ = 0;
    DataPipe pipe_;
    MemoryShare memory_;
    L1Tags l1_, read_only_;
    RunOutcome out_;
};

}  // namespace gpumodel::sim
