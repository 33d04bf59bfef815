// What the families with 16-byte loads share: A stored transposed, B as it comes, vectors in the epilogue.
#pragma once

#include "traces/kernel/families/rules.h"
#include "traces/kernel/tiling/tile_schedule.h"

namespace gpumodel {

// BK, BN and TN are multiples of 4.
void check_vectors(RuleCheck& rules, const TiledGemm& g, int tn);

// 16-byte loads of both tiles by `loading_threads` threads; 16-byte epilogue.
void set_vector_loads(TiledGemm& g, int loading_threads);

// As k-major with pitch BM, then Bs with pitch BN; `g.buffers` of each.
void set_vector_layouts(TiledGemm& g);

struct SubTiles {
    int rows = 1, cols = 1;
};
// Sub-tiles of side*TM x side*TN around the k loop: loops, or, where they share fragments, part of the
// thread's fragment.
void set_sub_tiles(TiledGemm& g, SubTiles count, int side, const CodeChoice& choice);

struct WarpTileParams {
    int bm = 0, bn = 0, bk = 0, wm = 0, wn = 0, wniter = 0, tm = 0, tn = 0, threads = 0;
    [[nodiscard]] int wmiter() const { return wm * wn / (32 * tm * tn * wniter); }
};

// The lane layout of warptile: warps tile the block, WMITER x WNITER sub-tiles each.
[[nodiscard]] ThreadTile warp_thread_tile(const WarpTileParams& p);

}  // namespace gpumodel
