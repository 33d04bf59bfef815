// Puts the pieces of tiled_gemm.h in order: loops over K tiles, barriers, double buffers, epilogue.
#pragma once

#include <optional>
#include <string>

#include "traces/kernel/tiling/tiled_gemm.h"

namespace gpumodel {

struct CodeChoice {
    CodeGeneration generation = CodeGeneration::volta;
    CodeShape shape = CodeShape::warp_tile;
    int pinned_unroll = 0;  // the UNROLL parameter
};

// Fills in the code-generation fields of `g`: unrolling, fragment widths, exposed latencies.
void plan_code(TiledGemm& g, const CodeChoice& choice);

// Words of shared memory that both tiles take, all buffers.
[[nodiscard]] std::int64_t shared_words(const TiledGemm& g);

// The program of a planned gemm: everything but name, parameters and registers. The order of its parts
// follows from the shape:
//   one buffer         load, barrier, products, barrier
//   prefetch, library  next tile's loads, products, stores to the other buffer, barrier
//   split              the block's halves take turns with two buffers, a round is two tiles
//   async              next tile's asynchronous copies, arrive/wait, products, barrier
// Throws std::logic_error for a shape without tiles.
[[nodiscard]] KernelProgram schedule_tiles(const TiledGemm& planned, CodeShape shape);

}  // namespace gpumodel
