// Puts the pieces of tiled_gemm.h in order: loops over K tiles, barriers, double buffers, epilogue.
#pragma once

#include <optional>
#include <string>

#include "traces/kernel/tiling/tiled_gemm.h"

namespace gpumodel {

enum class Schedule : unsigned char {
    single_buffer,      // load, barrier, products, barrier
    register_prefetch,  // next tile's loads, products, stores to the other buffer, barrier
    split,              // the block's halves take turns with two buffers, a round is two tiles
    async_copies,       // next tile's asynchronous copies, arrive/wait, products, barrier
};

struct CodeChoice {
    CodeGeneration generation = CodeGeneration::volta;
    CodeShape shape = CodeShape::warp_tile;  // that of a single buffer; `schedule` says the rest
    Schedule schedule = Schedule::single_buffer;
    int pinned_unroll = 0;  // the UNROLL parameter
};

// Fills in the code-generation fields of `g`: unrolling, fragment widths, exposed latencies.
void plan_code(TiledGemm& g, const CodeChoice& choice);

// Words of shared memory that both tiles take, all buffers.
[[nodiscard]] std::int64_t shared_words(const TiledGemm& g);

// The program of a planned gemm: everything but name, parameters and registers.
[[nodiscard]] KernelProgram schedule_tiles(const TiledGemm& planned, Schedule schedule);

}  // namespace gpumodel
