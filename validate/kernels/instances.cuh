// The instances that are compiled and checked: every family at its defaults, further tiles with 16 to 128
// results per thread and 64 to 256 threads (drawn at random from all valid ones, and the tiles of
// compare_literature.py), and some with a pinned unroll factor. Arguments are the template arguments of the
// kernel, UNROLL last.
#pragma once

#include "instances/block_tile.cuh"
#include "instances/double_buffer.cuh"
#include "instances/mma.cuh"
#include "instances/mma_double.cuh"
#include "instances/mma_types.cuh"
#include "instances/mma_volta.cuh"
#include "instances/simple.cuh"
#include "instances/vector_tile.cuh"
#include "instances/warp_tile.cuh"
