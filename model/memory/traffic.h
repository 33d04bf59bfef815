// Bytes that move between the levels of the memory system, derived from the access functions and the
// order in which blocks run. No hit rate is assumed anywhere.
//
// SM <-> L2. Loads that L1 caches move what a block touches for the first time: the distinct sectors of
// an iteration, and of neighbouring ones as long as the lines live from one iteration to the next fit into
// L1 for all resident blocks. Loads that bypass L1, and stores, move every sector of every instruction.
//
// L2 <-> DRAM. Resident blocks form a wave: consecutive blocks in row-major order. Blocks of a wave that
// share data (same block row, column or plane, as the access function's block strides tell) fetch it once.
// Between waves LRU decides: data touched again after `distance` bytes survives if they fit, where the L2 has
// two halves into one of them, each byte with the room that it takes there (l2_halves.h). Beyond the capacity
// the surviving part falls linearly to nothing at twice the capacity (`estimated`: the hashed, not quite LRU
// L2s have no published replacement rule). The launch starts with what the previous launch of the same kernel
// left (warm) or with nothing (cold).
//
// The accesses of an unrolled loop may be sites of their own, and several loops may pass over the same data:
// bytes behind L2 count once, whatever instructions, trips and blocks touch them (distinct_bytes.h). In front
// of it, sites of a segment and array that move alike are taken together, and share the distinct bytes in
// proportion. Atomics are carried out in the L2: every sector goes there and comes back (`estimated`).
//
// Blocks that differ (variants) count with the part of the grid that they are; a wave is taken to hold all
// kinds alike.
//
// Reads of neighbouring SMs merge on their way to L2 as read_merging.h says.
//
// Ignored: sharing in L1 between blocks of an SM, drift between blocks of a wave, DRAM page effects,
// partial-sector writes.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arch_specs/arch_spec.h"
#include "model/launch/waves.h"
#include "model/memory/footprint.h"
#include "model/memory/site_statistics.h"

namespace gpumodel {

enum class L2State : unsigned char { warm, cold };

struct AnalysedSite {
    const Segment* segment = nullptr;
    const AccessSite* site = nullptr;
    std::size_t interval = 0;  // index into FlatProgram::intervals
    LoopContext loops;
    BlockBox box;            // the blocks that run it
    Dim3 executed{0, 0, 0};  // program_walk.h
    double blocks = 0;       // their number
    SiteStrides strides;
    SiteStatistics statistics;
    SiteFootprint footprint;        // global sites only
    double l2_bytes_per_block = 0;  // global sites only; there and back for atomics
};

// The slice of L2 that has most to do for a few lines (hot_slice.h).
struct HotSlice {
    struct Line {
        std::string array;
        std::int64_t line = 0;  // from the array's start
        friend auto operator<=>(const Line&, const Line&) = default;
    };
    std::vector<Line> lines;
    double waits = 1;         // how much longer its atomics take because they wait for one another
    double cycles = 0;        // of its atomics, reads and stores, of all SMs, with that
    double store_cycles = 0;  // of each store there (costs/hot_line_costs.h)
};

// An array that the launch's atomics change and that it reads (stale_copies.h).
struct StaleCopies {
    std::string array;
    double more = 0;  // accesses of L2 per read, beyond one
};

// One that lies in few slices (crowded_slices.h).
struct CrowdedArray {
    std::string array;
    double times = 1;  // as long as all slices would take for it
};

struct Traffic {
    // Totals of the launch.
    double l1_load_sectors = 0;  // requested by loads that look into L1
    double l1_load_sector_hits = 0;
    double l1_shared_sectors = 0;  // that loads find of other blocks of their SM (the simulator's)
    double l1_bypass_sectors = 0;  // of loads and copies that pass it by; copies in bulk are not seen there
    double l2_read_bytes = 0;      // that arrive at SMs
    double l2_served_bytes = 0;    // of those, what L2 serves: reads that merge on the way once
    double l2_write_bytes = 0;
    double l2_joined_write_bytes = 0;  // part of them that joins another store on the way (the simulator's)
    double dram_read_bytes = 0;
    double dram_write_bytes = 0;
    // Of whole lines, as long as those and dram_read_for_writes take (the simulator's).
    double dram_write_cost_bytes = 0;
    double dram_write_cost_of_reads = 0;  // part of it: what makes room for what is read
    double dram_read_cost_bytes = 0;      // as dram_write_cost_bytes, of what is read but not for writes
    double dram_read_for_writes = 0;      // part of dram_read_bytes: sectors that stores left incomplete
    double unique_bytes = 0;              // distinct bytes of global memory that the launch touches
    // Of the bytes a wave touches first, the part that must come from DRAM: what a tile load waits for.
    double dram_wait_fraction = 0;
    double far_read_bytes = 0;     // between the halves of L2, for reads; 0 with one half
    double far_wait_fraction = 0;  // as dram_wait_fraction, of what only the other half has
    // Where one has more to do for a few lines than its even part of the launch's atomics.
    std::optional<HotSlice> hot_slice;
    std::vector<StaleCopies> stale_copies;  // where L2 has two halves that do one thing at a time
    std::vector<CrowdedArray> crowded;      // where slices do one thing at a time
};

// Every site of the program with its statistics, in program order.
[[nodiscard]] std::vector<AnalysedSite> analyse_sites(const FlatProgram& flat, const ArchSpec& arch);

// Fills l2_bytes_per_block of the sites. `l1_bytes`: L1 capacity left beside shared memory.
[[nodiscard]] Traffic analyse_traffic(const KernelProgram& program, std::vector<AnalysedSite>& sites,
                                      const Waves& waves, const ArchSpec& arch, std::int64_t l1_bytes,
                                      L2State state);

// Part of `distance` bytes touched since that no longer fits: 0 up to the capacity, 1 from twice it on.
[[nodiscard]] double l2_miss_fraction(double distance_bytes, double capacity_bytes);

}  // namespace gpumodel
