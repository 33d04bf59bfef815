// The memory path of one SM: from the memory queue through the data pipe into shared memory, L1 and the SM's
// share of L2 and DRAM, and back.
//
// Contract
// - Time is an argument. send() puts an instruction into its scheduler's queue; advance(limit) sends
//   wavefronts in order of time until an instruction has sent its last one, and says when its result is
//   there. Results come in the order of their last wavefronts, whatever their latencies.
// - Whose queue has how much room is the core's business.
// - Loads look into L1 (or the read-only cache) line by line; missing sectors are asked for through one port,
//   and take the data stage again when they arrive. A global load whose address nobody knows counts as an L1
//   hit. Stores pass L1 by and wait in front of the pipe while the store buffer is full.
// - Atomics that bring no old value back go the way of stores; where one says whether its address is one of
//   global memory, that comes as soon as a hit in L1 would (`estimated`; H200: 128 in a row take 7.4 us with
//   the launch, of f16x2, bf16x2 and f64; h200_sxm_atomics.csv, generic_add_* of the calibration half).
//
// - Stores to sectors of lines that the SM has just stored to join what is there (store_joining.h).
//
// Ignored: how atomics of all SMs queue at one slice of the L2 (atomic_bound.h), what stores do to L1.
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <utility>
#include <vector>

#include "model/memory/store_joining.h"
#include "model/sim/memory/access_table.h"
#include "model/sim/memory/copy_engine.h"
#include "model/sim/memory/data_pipe.h"
#include "model/sim/memory/l1_tags.h"
#include "model/sim/memory/memory_costs.h"
#include "model/sim/memory/memory_servers.h"
#include "model/sim/simulate.h"

namespace gpumodel::sim {

struct MemorySetup {
    MemoryCosts costs;
    MemoryRates rates;
    DramShares dram_shares;
    std::int64_t l1_bytes = 0;         // 0 = loads pass it by
    std::int64_t read_only_bytes = 0;  // 0 = none
    bool fetches_whole_lines = false;  // a miss brings all sectors of its line
    bool joins_stores = false;         // measured on Hopper; elsewhere each store is by itself
};
// `l1_bytes`: what the launch's carve-out leaves.
[[nodiscard]] MemorySetup memory_setup(const ArchSpec& arch, const MemoryRates& rates, std::int64_t l1_bytes);

class MemoryPath {
public:
    // All references have to outlive the path.
    MemoryPath(const MemorySetup& setup, int schedulers, const DecodedProgram& decoded, AccessTable& table,
               int resident_blocks);

    // The warps of a slot run this block from now on.
    void start_block(int slot, const Dim3& block, int body);
    // `op` and its counters as the warp issues it at `now`. False if no lane takes part: nothing is sent.
    bool send(const DecodedOp& op, const Requester& from, const LoopCounters& counters, Cycle now);

    struct Done {
        DataPipe::Served served;
        Cycle ready = 0;  // of the result; 0 without one
    };
    // Works up to `limit`; false if no instruction has sent its last wavefront by then.
    [[nodiscard]] bool advance(Cycle limit, Done& done);

    // Of a block, all of whose warps have arrived. Those of many small blocks, where they follow one another
    // faster than the pipe is taken for, share it: barriers alone do not wait for it.
    void barrier_released(Cycle now) {
        const double cycles = std::min(setup_.costs.barrier_cycles, static_cast<double>(now - last_release_));
        last_release_ = now;
        if (cycles > 0) {
            pipe_.fill(static_cast<double>(now), cycles);
        }
    }

    // All stores have reached L2.
    [[nodiscard]] double drained() const { return servers_.drained(); }
    // Of the data pipe, or of what is busiest behind L1.
    [[nodiscard]] double busy_cycles() const { return std::max(pipe_.busy_cycles, servers_.busy_cycles()); }
    // The counters of shared memory, L1 and L2; the others stay as they are.
    void add_to(SimCounters& counters) const;
    void log_to(std::vector<DataPipe::Sent>* log) { pipe_.log_to(log); }

private:
    // The accesses of one warp's stream in its block.
    struct WarpAccesses {
        const WarpPattern* patterns = nullptr;
        const WarpPattern* shared_patterns = nullptr;
        const AccessStrides* strides = nullptr;
        const AccessStrides* shared_strides = nullptr;
        const DramShare* dram = nullptr;
        Dim3 from_origin;  // of the patterns
        std::int64_t slot = 0;
        // Lines of its last stores, the first one and the pattern, in turn; four are a row of a matrix
        // product's fragments, by halves (`estimated`).
        std::array<std::pair<std::int64_t, std::int32_t>, 4> stored{};
        std::size_t stores = 0;
    };
    [[nodiscard]] bool set_slots(const LoopCounters& counters, PipeRequest& request);
    void copy_in_bulk(const PipeRequest& request, double now);
    void count_shared(const AccessCost& cost);
    [[nodiscard]] double arrival(const DataPipe::Served& served);
    void store(const PipeRequest& request, double now);
    [[nodiscard]] bool stores_again(const PipeRequest& request);
    // Of its sectors, those that join none that the SM has just stored.
    [[nodiscard]] double new_sectors(const PipeRequest& request, const AccessCost& cost);
    [[nodiscard]] double hot_cycles(const PipeRequest& request, const AccessCost& cost) const;
    [[nodiscard]] double hot_lines(const PipeRequest& request, const AccessCost& cost) const;
    [[nodiscard]] double global_arrival(const PipeRequest& request, double now);
    // When the SM's request port takes a request; it is taken for `cycles`.
    double ask(double now, double cycles);
    [[nodiscard]] double read_line(double now, std::int64_t line, double bytes, const DramShare& dram,
                                   double cycles);
    [[nodiscard]] double uncached_arrival(const PipeRequest& request, const AccessCost& cost, double now);
    [[nodiscard]] double cached_arrival(L1Tags& tags, const PipeRequest& request, const AccessCost& cost,
                                        double now);

    const MemorySetup& setup_;
    const DecodedProgram& decoded_;
    AccessTable& table_;
    std::vector<WarpAccesses> warps_;  // of the SM
    DataPipe pipe_;
    MemoryServers servers_;
    L1Tags l1_, read_only_;
    StoreJoining joining_;
    Cycle last_release_ = 0;
    double request_port_free_ = 0;
    CopyEngine engine_;
    std::deque<Done> copied_;  // pieces of bulk copies that the engine has asked for, in order
    SimCounters counts_;       // of shared memory and L1
};

}  // namespace gpumodel::sim
