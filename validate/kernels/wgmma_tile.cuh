// Matrix products by warp groups on Hopper (sm_90a): C = A*B, row-major; A is MxK, B is KxN of 16-bit
// elements, C of f32. Boxes of A and B come by tensor copies (TMA) into a ring of STAGES tiles of shared
// memory, whose rows of 128 bytes are swizzled as the products read them. Block tile BM x BN, depth BK. The
// tensor maps have boxes of 64 columns: of A 64 x BM, of B 64 x BK elements. Shared memory is the launch's,
// STAGES*(2*(BM + BN)*BK + 16) bytes. M, N, K are multiples of BM, BN, BK.
//   wgmma_tma               one warp group, whose first thread asks for the copies; grid (N/BN, M/BM)
//   wgmma_warp_specialized  a warp group that asks for copies, and CONSUMERS that multiply BM/CONSUMERS rows
//   each;
//                           tiles in an order that goes down RASTER of them before across; one tile per
//                           block, or with PERSISTENT as many as the grid leaves it
#pragma once

#include "wgmma.cuh"

namespace gpumodel::kernels {

template <int BM, int BN, int BK, int STAGES, int CONSUMERS>
struct GroupTile {
    static constexpr int box = 64;  // columns: 128 bytes
    static constexpr int group = 128;
    static constexpr unsigned row_bytes = 128;
    static constexpr unsigned a_bytes = BM * BK * 2, b_bytes = BK * BN * 2, stage_bytes = a_bytes + b_bytes;
    static constexpr int rows = BM / CONSUMERS, products = rows / 64;  // of a consumer
    static_assert(BM % (64 * CONSUMERS) == 0 && BM <= 256, "whole products; a box has at most 256 rows");
    static_assert(BN % box == 0 && BN <= 256, "whole boxes; a product has at most 256 columns");
    static_assert(BK % box == 0, "whole boxes");
    static_assert(rows * BN / group <= 192, "registers for sums");
};

#if defined(GPUMODEL_WGMMA)

// Where one is in the ring of stages; the parity changes with each round.
template <int STAGES>
struct Ring {
    int stage = 0;
    unsigned parity = 0;
    __device__ __forceinline__ void next() {
        if (++stage == STAGES) {
            stage = 0;
            parity ^= 1;
        }
    }
};

// Boxes of one tile of A at (row, k) and of B at (k, column).
template <class T, int BM, int BN, int BK>
__device__ __forceinline__ void copy_tile(unsigned to, const TensorMap& map_a, const TensorMap& map_b,
                                          int row, int column, int k, unsigned barrier) {
    barrier_expect(barrier, T::stage_bytes);
#pragma unroll
    for (int i = 0; i < BK / T::box; ++i) {
        copy_box(to + i * BM * T::row_bytes, map_a, k + i * T::box, row, barrier);
    }
#pragma unroll
    for (int j = 0; j < BN / T::box; ++j) {
        copy_box(to + T::a_bytes + j * BK * T::row_bytes, map_b, column + j * T::box, k, barrier);
    }
}

// One group of products: a tile's, for this consumer's rows from `first_row` of the tile on.
template <class T, int BM, int BN, int BK, int TYPE>
__device__ __forceinline__ void multiply_stage(float (&sums)[T::products][BN / 2], unsigned tile,
                                               int first_row, bool first) {
    constexpr int steps = 16;
    const unsigned from_a = tile + first_row * T::row_bytes, from_b = tile + T::a_bytes;
    products_begin();
#pragma unroll
    for (int k = 0; k < BK / steps; ++k) {
        // A: 32 bytes of a row, then the next box; B: 16 rows.
        const unsigned a = from_a + k / 4 * BM * T::row_bytes + k % 4 * 32;
        const auto b = descriptor(from_b + k * steps * T::row_bytes, BK * T::row_bytes);
#pragma unroll
        for (int i = 0; i < T::products; ++i) {
            multiply_group<TYPE>(sums[i], descriptor(a + i * 64 * T::row_bytes, 16), b, !first || k > 0);
        }
    }
    products_end_group();
}

// The sums count as written here: nothing that reads them may come before the wait.
template <int products, int columns>
__device__ __forceinline__ void hold(float (&sums)[products][columns]) {
    for (int i = 0; i < products; ++i) {
        for (int j = 0; j < columns; ++j) {
            asm volatile("" : "+f"(sums[i][j])::"memory");
        }
    }
}

// Sums of a warp group whose corner is (row, column) of C: warp w has rows 16*w to 16*w + 15 of every 64.
template <int products, int columns>
__device__ __forceinline__ void store_group(float* C, unsigned n, unsigned row, unsigned column,
                                            const float (&sums)[products][columns]) {
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;
#pragma unroll
    for (int i = 0; i < products; ++i) {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            float* to = C + static_cast<size_t>(row + 64 * i + 16 * warp + 8 * half + lane / 4) * n + column +
                        lane % 4 * 2;
#pragma unroll
            for (int j = 0; j < columns / 4; ++j) {
                *reinterpret_cast<float2*>(to + 8 * j) =
                    make_float2(sums[i][4 * j + 2 * half], sums[i][4 * j + 2 * half + 1]);
            }
        }
    }
}

#endif

// STAGES tiles are under way or multiplied: a tile's copies are asked for as soon as the products before the
// last group are done with its place.
template <int BM, int BN, int BK, int STAGES, int TYPE>
__global__ void __launch_bounds__(128) wgmma_tma(int M, int N, int K, const __grid_constant__ TensorMap A,
                                                 const __grid_constant__ TensorMap B, float* C) {
#if defined(GPUMODEL_WGMMA)
    using T = GroupTile<BM, BN, BK, STAGES, 1>;
    extern __shared__ __align__(1024) unsigned char ring_space[];
    const unsigned base = shared_address(ring_space), full = base + STAGES * T::stage_bytes;
    const int row = blockIdx.y * BM, column = blockIdx.x * BN, tiles = K / BK;
    const bool asks = warp_number() == 0;
    const auto ask = [&](int tile, int stage) {
        copy_tile<T, BM, BN, BK>(base + stage * T::stage_bytes, A, B, row, column, tile * BK,
                                 full + 8 * stage);
    };
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < STAGES; ++stage) {
            barrier_init(full + 8 * stage, 1);
        }
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();
    if (asks && elected()) {
        for (int stage = 0; stage < STAGES && stage < tiles; ++stage) {
            ask(stage, stage);
        }
    }
    float sums[T::products][BN / 2];
    Ring<STAGES> ring;
    int before = STAGES - 1;  // the stage of the tile before
    for (int tile = 0; tile < tiles; ++tile) {
        barrier_wait(full + 8 * ring.stage, ring.parity);
        multiply_stage<T, BM, BN, BK, TYPE>(sums, base + ring.stage * T::stage_bytes, 0, tile == 0);
        products_wait<1>();
        __syncthreads();  // all four warps: the place of the tile before is free
        if (asks && tile > 0 && tile - 1 + STAGES < tiles && elected()) {
            ask(tile - 1 + STAGES, before);
        }
        before = ring.stage;
        ring.next();
    }
    products_wait<0>();
    hold(sums);
    store_group(C, N, row, column, sums);
#endif
}

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

template <int BM, int BN, int BK, int STAGES, int CONSUMERS, int PERSISTENT, int RASTER, int TYPE>
__global__ void __launch_bounds__(128 * (1 + CONSUMERS), 1)
    wgmma_warp_specialized(int M, int N, int K, const __grid_constant__ TensorMap A,
                           const __grid_constant__ TensorMap B, float* C) {
#if defined(GPUMODEL_WGMMA)
    using T = GroupTile<BM, BN, BK, STAGES, CONSUMERS>;
    using Place = TilePlace<BM, BN, RASTER>;
    extern __shared__ __align__(1024) unsigned char ring_space[];
    const unsigned base = shared_address(ring_space), full = base + STAGES * T::stage_bytes;
    const unsigned empty = full + 8 * STAGES;
    const int warp = warp_number();
    const int depth = K / BK, tiles = PERSISTENT ? (M / BM) * (N / BN) : static_cast<int>(gridDim.x);
    if (threadIdx.x == 0) {
        for (int stage = 0; stage < STAGES; ++stage) {
            barrier_init(full + 8 * stage, 1);
            barrier_init(empty + 8 * stage, 4 * CONSUMERS);  // a lane of each warp that multiplies
        }
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();
    Ring<STAGES> ring;
    if (warp < 4) {
        share_registers<CONSUMERS, true>();
        if (warp == 0) {
            for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
                const Place place(tile, M, N);
#pragma unroll 1
                for (int step = 0; step < depth; ++step) {
                    barrier_wait(empty + 8 * ring.stage, ring.parity ^ 1);  // free to begin with
                    if (elected()) {
                        copy_tile<T, BM, BN, BK>(base + ring.stage * T::stage_bytes, A, B, place.row,
                                                 place.column, step * BK, full + 8 * ring.stage);
                    }
                    ring.next();
                }
            }
        }
    } else {
        share_registers<CONSUMERS, false>();
        const int first_row = (warp / 4 - 1) * T::rows;
        const bool says = threadIdx.x % 32 == 0;
        float sums[T::products][BN / 2];
        for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
            const Place place(tile, M, N);
            int before = 0;  // the stage of the step before
            for (int step = 0; step < depth; ++step) {
                barrier_wait(full + 8 * ring.stage, ring.parity);
                multiply_stage<T, BM, BN, BK, TYPE>(sums, base + ring.stage * T::stage_bytes, first_row,
                                                    step == 0);
                products_wait<1>();
                if (says && step > 0) {
                    barrier_arrive(empty + 8 * before);
                }
                before = ring.stage;
                ring.next();
            }
            products_wait<0>();
            if (says) {
                barrier_arrive(empty + 8 * before);
            }
            hold(sums);
            store_group(C, N, place.row + first_row, place.column, sums);
        }
    }
#endif
}

}  // namespace gpumodel::kernels
