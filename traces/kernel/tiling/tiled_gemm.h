// One description for all tiled products C = alpha*A*B + beta*C, and the pieces that every family is put
// together from: loads of a tile, stores to shared memory, fragments, products, epilogue. A family file
// fills in TiledGemm; tile_schedule.h puts the pieces in order.
// A is MxK, B is KxN, C is MxN, row-major, 4-byte words.
#pragma once

#include <memory>
#include <vector>

#include "traces/kernel/compiler/instruction_mix.h"
#include "traces/kernel/family.h"
#include "traces/kernel/tiling/tile_geometry.h"
#include "traces/kernel_program.h"

namespace gpumodel {

struct TiledGemm;
using GemmPtr = std::shared_ptr<const TiledGemm>;

struct TiledGemm {
    ProblemShape shape;
    int bm = 0, bn = 0, bk = 0;
    int threads = 0;
    bool row_is_x = false;  // blockIdx.x counts tiles down, not across
    bool padded = false;    // edge tiles reach over the matrices: loads give 0 there, results are dropped
    TileLoad a_load, b_load;
    SharedLayout a_shared, b_shared;
    ThreadTile tile;
    int outer_rows = 1, outer_cols = 1;  // sub-tile loops around the k loop
    int outer_m = 0, outer_n = 0;        // distance of their sub-tiles
    bool merged_sub_tiles = false;  // they were unrolled into the fragments: sub_rows, sub_cols of `tile`
    // Accumulators in local memory: read once per tile and written this often; 0 = they are in registers.
    int local_stores = 0;
    int spilled_words = 0;  // results that go to local memory and back in every body of the k loop
    int result_vector = 1;  // words per access to C
    int buffers = 1;
    // Code generation, filled in by plan_code.
    int unroll = 1;                  // k steps per body
    int steps = 1;                   // k steps per trip of the k loop node
    bool a_along_k = false;          // a vector of A holds `steps` steps of one row
    int a_vector = 1, b_vector = 1;  // words per fragment access; the widest where b_row_shift
    int a_store_vector = 1, b_store_vector = 1;
    int peeled_a_vector = 1, peeled_b_vector = 1;  // of steps that unroll leaves over
    bool predicated_prefetch = false;  // the prefetch of a tile beyond the last is executed, turned off
    bool b_row_shift = false;          // rows of Bs start at every alignment: widths differ from step to step
    int redundant_a_words = 0;         // words of A read once more per tile, for nothing
    double serial_tile_loads = 1;      // exposed global round trips per tile
    int load_window = 0;               // global loads of a tile that are out before the first is stored
    bool loads_first = false;          // of bodies of the k loop (SegmentOrder)
    // Words of fragments out before the first product of a body of the k loop (its segments' load_window);
    // 0 = as bodies of that shape mostly do.
    int fragment_words = 0;
    bool fragments_late = false;   // what does not fit them is loaded when it is needed
    double serial_fragments = 1;   // exposed shared round trips per body of the k loop
    bool steps_addresses = false;  // of a copy (LoopCopies) whose addresses go on by a constant
    // The copies of the k loop, where they are not all like this one (compiler/unroll.h); else empty.
    std::vector<GemmPtr> copies;
    KernelCode code;

    [[nodiscard]] int r() const { return tile.r(); }
    [[nodiscard]] int s() const { return tile.s(); }
    [[nodiscard]] int accumulators() const { return r() * s() * outer_rows * outer_cols; }
    [[nodiscard]] std::int64_t tiles() const { return (shape.k + bk - 1) / bk; }
};

// Which tile of K, k step and sub-tile an access belongs to, as loop counters.
struct StepPlace {
    LoopRef tile;
    LoopRef k;  // first k of the trip, within the tile
    LoopRef sub_row, sub_col;
};

struct ThreadRange {
    int begin = 0, end = 0;
};

// Adds the sites' access counts to segment.ops. An asynchronous copy counts once, at its global side.
void count_accesses(Segment& segment);

// Global -> registers, registers -> shared, and both at once. `tile` says which tile of K, and by its
// remainder mod g.buffers which buffer; the loads' own first_thread decides who takes part.
void add_tile_loads(Segment& segment, const GemmPtr& g, LoopRef tile, AccessKind kind = AccessKind::load);
void add_tile_stores(Segment& segment, const GemmPtr& g, LoopRef tile, AccessKind kind = AccessKind::store);

// Fragments and products of one trip of the k loop.
[[nodiscard]] Segment product_segment(const GemmPtr& g, const StepPlace& place, ThreadRange range);

// Words of a thread in local memory. A warp's holds vector v of its lanes side by side (CUDA programming
// guide: consecutive words are accessed by consecutive threads).
[[nodiscard]] AccessSite local_memory_site(AccessKind kind, int words, int vector);

// Words of A's first k step that the compiler reads for nothing.
[[nodiscard]] Segment redundant_segment(const GemmPtr& g);

// C = alpha*acc + beta*C.
[[nodiscard]] Segment epilogue_segment(const GemmPtr& g);

// acc index of word w of the epilogue's sites.
[[nodiscard]] std::function<int(const Coord&, int)> result_accumulator(const GemmPtr& g);

}  // namespace gpumodel
