// One SM, cycle by cycle, over a queue of blocks.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "model/sim/core/data_pipe.h"
#include "model/sim/core/instruction_cache.h"
#include "model/sim/core/operand_ports.h"
#include "model/sim/core/scheduler_policy.h"
#include "model/sim/memory/access_table.h"
#include "model/sim/memory/l1_tags.h"
#include "model/sim/memory/memory_costs.h"
#include "model/sim/memory/memory_share.h"
#include "model/sim/run/fast_forward.h"
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
    SimListener* listener = nullptr;
    Relax relax;
    DramShares dram_shares = {};
};

struct RunPlan {
    bool fast_forward = false;
    std::vector<std::vector<std::vector<std::int64_t>>> trips;  // [body][stream][loop]
    std::vector<Dim3> blocks;                                   // in order of start
    std::vector<Cycle> earliest_start;                          // by the GPU's dispatch rate
    int resident = 1;
    std::size_t share = 0;           // blocks of an SM when they are dealt evenly
    std::int64_t launch_blocks = 0;  // of all SMs
};

struct RunOutcome {
    SimStatus status = SimStatus::ok;
    std::string reason;
    double end = 0;
    SimCounters counters;
    std::vector<StallCycles> stalls;  // by code line
    std::vector<IssueEvent> issues;
    double accounted_warp_cycles = 0;   // sum of `stalls` before what was left out
    double resident_warp_cycles = 0;    // from each warp's start to its end, of what was simulated
    double simulated_instructions = 0;  // the counters have what was left out as well
    std::int64_t blocks = 0;            // that the SM took
    std::int64_t simulated_blocks = 0;
    double trips_left_out = 0;  // per warp and loop of those that were simulated
    double error_cycles = 0;    // of `end`, by what was left out
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
        const StreamProfile* profile = nullptr;  // with fast-forward
        const std::int64_t* trips = nullptr;
        const WarpPattern* patterns = nullptr;
        const WarpPattern* shared_patterns = nullptr;
        const AccessStrides* strides = nullptr;
        const DramShare* dram = nullptr;
        const AccessStrides* shared_strides = nullptr;
        Score* scores = nullptr;
        StallReason* score_reasons = nullptr;
        std::array<std::int64_t, max_loop_depth> counters{};
        std::int64_t block_dx = 0, block_dy = 0, block_dz = 0;  // from the patterns' origin
        std::int32_t pc = 0;
        std::int32_t fetch_line = -1;
        std::int32_t block_slot = 0;
        std::int32_t in_block = 0;
        std::int32_t scheduler = 0;
        std::int32_t place = 0;       // at the scheduler
        Copies newest, older;         // batches of asynchronous copies
        std::int64_t copy_batch = 0;  // number of the newest
        bool batch_is_new = false;    // it started after the last wait
        Cycle not_before = 0;
        Cycle started = 0;
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
        std::uint64_t waits_for_queue = 0;  // places whose warps need room in the memory queue
        Cycle queue_opens = 0;              // to them, after it was full
        SchedulerState state;
        OperandPorts ports;
        std::array<Cycle, pipe_count> slow_free{};
        std::array<Cycle, max_warps_per_scheduler> in_queue_since{};  // of waits_for_queue

        void wait_for_queue(int place, Cycle now);
        // Room goes to the one that has waited longest (H200 microbenchmarks: warps whose loads saturate the
        // shared memory end together, whatever their slots).
        [[nodiscard]] std::uint64_t first_for_queue() const;
    };
    struct BlockSlot {
        std::size_t block = 0;  // index into plan.blocks
        int live_warps = 0;
        int arrived = 0;
        double last_arrival = 0;  // counted, at the barrier that is open
        bool running = false;
    };

    // sm_blocks.cpp
    void place_warps();
    void start_block(int slot, Cycle start);
    [[nodiscard]] bool queue_has_block(Cycle now) const;
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
    [[nodiscard]] Cycle fetch(Warp& warp, Cycle not_before);
    [[nodiscard]] Cycle registers_ready(const Warp& warp, const DecodedOp& op, StallReason& reason) const;
    void charge(Warp& warp, Cycle until, StallReason reason);
    void wake(Warp& warp, Cycle at);

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
    [[nodiscard]] double read_line(double now, std::int64_t line, double bytes, const DramShare& dram);
    [[nodiscard]] double cached_arrival(L1Tags& tags, const AccessCost& cost, std::int64_t first_line,
                                        const DramShare& dram, double now);
    Cycle deliver(const PipeRequest& request, double arrival);
    void start_batch(Warp& warp);
    void wake_if_ready(Warp& warp);
    void wake_queue_waiters(int scheduler, Cycle at);

    // sm_events.cpp: what the listener and record_issues get
    [[nodiscard]] WarpName name_of(const Warp& warp) const;
    [[nodiscard]] std::int64_t block_index(std::size_t planned) const;
    [[nodiscard]] CodePlace place_of(const DecodedOp& op) const;
    void tell_issue(const Warp& warp, const DecodedOp& op, Cycle now);
    void tell_span(const Warp& warp, Cycle until, StallReason reason) const;
    void tell_wavefronts();
    void tell_request(const DataPipe::Served& served, Cycle ready);

    // sm_skip.cpp: fast-forward
    struct Skip {
        bool on = false;
        std::vector<std::vector<StreamProfile>> profiles;  // [body][stream]
        std::int64_t countdown = 0;                        // trips of all warps until the window ends
        std::int64_t window_scale = 1;
        bool window_is_over = false;
        std::vector<WindowEnd> windows, rounds;
        std::deque<KnownPace> known;         // places stay
        const KnownPace* resumes = nullptr;  // what the newest window agreed with
        Steady steady;                       // and its result
        double windows_seen = 0;             // on which that rests
        std::int64_t stay = 0;               // counts the times that the resident loops changed
        bool warp_has_ended = false;
        std::size_t block_ends = 0;
        std::vector<std::vector<std::int64_t>> trips;  // [warp][loop], where shortened
        // left out so far
        Cycle cycles = 0;
        SimCounters counters;
        std::vector<StallCycles> stalls;
        double error_cycles = 0;
        double warp_trips = 0;
        std::int64_t blocks = 0;
    };
    void start_fast_forward();
    void on_trip(const Warp& warp, std::int32_t loop);
    void end_window(Cycle now);
    void end_block(Cycle end);
    void judge_trips();
    void resume_skipping();
    [[nodiscard]] std::vector<LoopCrowd> crowds() const;
    [[nodiscard]] KnownPace& known_pace(std::vector<LoopCrowd> crowds);
    void skip_trips(const Steady& steady, const KnownPace& known, const std::vector<double>& rate);
    void skip_blocks(const Steady& steady);
    void leave_out(double cycles, double instructions, double error, const WindowEnd& from,
                   const WindowEnd& to);
    void add_left_out();
    [[nodiscard]] double work() const;
    [[nodiscard]] SimCounters counters_so_far() const;
    [[nodiscard]] std::vector<WarpProgress> progress() const;
    [[nodiscard]] std::vector<double> trips_per_window(std::size_t windows) const;
    [[nodiscard]] double windows_to_skip(const std::vector<double>& rate) const;
    [[nodiscard]] double instructions_of_block(std::size_t planned) const;

    const SmSetup& setup_;
    const DecodedProgram& decoded_;
    const Dim3 grid_;
    AccessTable& table_;
    SimListener* const listener_;
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
    double request_port_free_ = 0;
    // The SM counts one warp's arrival at a barrier after the other.
    double arrivals_free_ = 0;
    std::vector<double> taken_at_;         // when each block was taken from the queue
    std::vector<InstructionFetch> fetch_;  // by scheduler; empty = not modelled
    CodeLayout layout_;
    RunOutcome out_;
    Skip skip_;
    bool issues_are_watched_ = false;
    std::vector<DataPipe::Sent> sent_;
};

}  // namespace gpumodel::sim
