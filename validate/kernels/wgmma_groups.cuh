// wgmma_warp_specialized (see wgmma_tile.cuh): a warp group that asks for copies, and CONSUMERS that multiply
// BM/CONSUMERS rows each; tiles in an order that goes down RASTER of them before across; one tile per block,
// or with PERSISTENT as many as the grid leaves it. With CLUSTER so many blocks that follow one another have
// tiles one below the other, so that B's is the same: each asks for its part of it and sends that to all of
// them. RASTER and M/BM are multiples of CLUSTER then, the grid too.
#pragma once

#include "wgmma_tile.cuh"

namespace gpumodel::kernels {

// Registers of the warp group that copies and of those that multiply, two of them: 128 * (24 + 2 * 240) are
// at most a block's 65536. One consumer has 255 anyway.
template <int CONSUMERS, bool producer>
__device__ __forceinline__ void share_registers() {
#if defined(GPUMODEL_WGMMA)
    if constexpr (CONSUMERS == 2 && producer) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
    } else if constexpr (CONSUMERS == 2) {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
    }
#endif
}

// The corner of tile `tile` in C: RASTER tiles down, then the next column of tiles; fewer at the bottom.
template <int BM, int BN, int RASTER>
struct TilePlace {
    int row, column;
    __device__ __forceinline__ TilePlace(int tile, int M, int N) {
        const int down = M / BM, across = N / BN, per_group = RASTER * across;
        const int first = tile / per_group * RASTER, place = tile % per_group;
        const int height = min(RASTER, down - first);
        row = (first + place % height) * BM;
        column = place / height * BN;
    }
};

#if defined(GPUMODEL_WGMMA)

// Both barriers of each stage: `full` waits for the copies' bytes, `empty` for the warps that multiply.
template <class T>
__device__ __forceinline__ void init_barriers(unsigned full, unsigned empty) {
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < T::stages; ++stage) {
            barrier_init(full + 8 * stage, 1);
            barrier_init(empty + 8 * stage, 4 * T::consumers * T::cluster);  // a lane of each warp
        }
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    if constexpr (T::cluster > 1) {
        cluster_meet();
    } else {
        __syncthreads();
    }
}

// The place of a stage is free again: of each warp that multiplies a lane says so, or one to each block of
// the cluster, since all of them send there.
template <class T>
__device__ __forceinline__ void say_free(unsigned empty) {
    if constexpr (T::cluster > 1) {
        barrier_arrive_at(empty, threadIdx.x % 32);
    } else {
        barrier_arrive(empty);
    }
}

// Tiles of C, every gridDim.x-th of which is the block's, and the steps of each.
struct TileWalk {
    int tiles, depth;
};

// One warp: a lane of it asks for the copies of all steps, as soon as their places are free.
template <class T, class Place>
__device__ __forceinline__ void copy_steps(unsigned base, unsigned full, unsigned empty, const TileWalk& walk,
                                           const TensorMap& A, const TensorMap& B, int M, int N) {
    Ring<T::stages> ring;
    for (int tile = blockIdx.x; tile < walk.tiles; tile += gridDim.x) {
        const Place place(tile, M, N);
#pragma unroll 1
        for (int step = 0; step < walk.depth; ++step) {
            barrier_wait(empty + 8 * ring.stage, ring.parity ^ 1);  // free to begin with
            if (elected()) {
                copy_tile<T>(base + ring.stage * T::stage_bytes, A, B, place.row, place.column, step * T::bk,
                             full + 8 * ring.stage);
            }
            ring.next();
        }
    }
}

// One of the warp groups that multiply, whose rows of a tile begin at `first_row`.
template <class T, class Place>
__device__ __forceinline__ void multiply_steps(unsigned base, unsigned full, unsigned empty,
                                               const TileWalk& walk, int first_row, int M, int N,
                                               typename T::Sum* C) {
    const bool says = threadIdx.x % 32 < T::cluster;
    typename T::Sum sums[T::products][T::bn / 2];
    Ring<T::stages> ring;
    for (int tile = blockIdx.x; tile < walk.tiles; tile += gridDim.x) {
        const Place place(tile, M, N);
        int before = 0;  // the stage of the step before
        for (int step = 0; step < walk.depth; ++step) {
            barrier_wait(full + 8 * ring.stage, ring.parity);
            multiply_stage<T>(sums, base + ring.stage * T::stage_bytes, first_row, step == 0);
            products_wait<1>();
            if (says && step > 0) {
                say_free<T>(empty + 8 * before);
            }
            before = ring.stage;
            ring.next();
        }
        products_wait<0>();
        if (says) {
            say_free<T>(empty + 8 * before);
        }
        hold(sums);
        store_group(C, N, place.row + first_row, place.column, sums);
    }
}

template <class T, class Place, bool persistent>
__device__ __forceinline__ void specialized_groups(int M, int N, int K, const TensorMap& A,
                                                   const TensorMap& B, float* C) {
    extern __shared__ __align__(1024) unsigned char ring_space[];
    const unsigned base = shared_address(ring_space), full = base + T::stages * T::stage_bytes;
    const unsigned empty = full + 8 * T::stages;
    const int warp = warp_number();
    const TileWalk walk{persistent ? (M / T::bm) * (N / T::bn) : static_cast<int>(gridDim.x), K / T::bk};
    init_barriers<T>(full, empty);
    if (warp < 4) {
        share_registers<T::consumers, true>();
        if (warp == 0) {
            copy_steps<T, Place>(base, full, empty, walk, A, B, M, N);
        }
    } else {
        share_registers<T::consumers, false>();
        multiply_steps<T, Place>(base, full, empty, walk, (warp / 4 - 1) * T::rows, M, N,
                                 reinterpret_cast<typename T::Sum*>(C));
    }
    if constexpr (T::cluster > 1) {
        cluster_meet();  // others may still arrive at this block's barriers
    }
}

#endif

template <int BM, int BN, int BK, int STAGES, int CONSUMERS, int PERSISTENT, int RASTER, int TYPE>
__global__ void __launch_bounds__(128 * (1 + CONSUMERS), 1)
    wgmma_warp_specialized(int M, int N, int K, const __grid_constant__ TensorMap A,
                           const __grid_constant__ TensorMap B, float* C) {
#if defined(GPUMODEL_WGMMA)
    using T = GroupTile<BM, BN, BK, STAGES, CONSUMERS, TYPE>;
    specialized_groups<T, TilePlace<BM, BN, RASTER>, PERSISTENT == 1>(M, N, K, A, B, C);
#endif
}

// A template of its own, so that the names of blocks without a cluster stay what they were.
template <int BM, int BN, int BK, int STAGES, int CONSUMERS, int PERSISTENT, int RASTER, int TYPE,
          int CLUSTER>
__global__ void __cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(128 * (1 + CONSUMERS), 1)
    wgmma_warp_specialized(int M, int N, int K, const __grid_constant__ TensorMap A,
                           const __grid_constant__ TensorMap B, float* C) {
#if defined(GPUMODEL_WGMMA)
    static_assert(CLUSTER > 1 && RASTER % CLUSTER == 0, "a cluster's tiles lie one below the other");
    using T = GroupTile<BM, BN, BK, STAGES, CONSUMERS, TYPE, CLUSTER>;
    specialized_groups<T, TilePlace<BM, BN, RASTER>, PERSISTENT == 1>(M, N, K, A, B, C);
#endif
}

}  // namespace gpumodel::kernels
