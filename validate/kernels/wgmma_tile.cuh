// Matrix products by warp groups on Hopper (sm_90a): C = A*B. A is MxK and row-major; B is KxN, row-major of
// 16-bit elements, column-major of others; C holds the sums, row-major. Boxes of A and B come by tensor
// copies (TMA) into a ring of STAGES tiles of shared memory, whose rows of 128 bytes are swizzled as the
// products read them. Block tile BM x BN, depth BK. The tensor maps' boxes are 128 bytes wide and have BM
// rows of A and BK/CLUSTER rows of B (column-major: BN/CLUSTER). Shared memory is the launch's,
// STAGES*((bytes of an element)*(BM + BN)*BK + 16) bytes. M, N, K are multiples of BM, BN, BK.
//   wgmma_tma               one warp group, whose first thread asks for the copies; grid (N/BN, M/BM)
//   wgmma_warp_specialized  several, in wgmma_groups.cuh
#pragma once

#include "wgmma_cluster.cuh"

namespace gpumodel::kernels {

template <int TYPE>
struct GroupSum {
    using Type = float;
};
template <>
struct GroupSum<3> {
    using Type = int;
};

template <int BM, int BN, int BK, int STAGES, int CONSUMERS, int TYPE, int CLUSTER = 1>
struct GroupTile {
    using E = Elements<TYPE>;
    using Sum = typename GroupSum<TYPE>::Type;
    static constexpr int bm = BM, bn = BN, bk = BK, stages = STAGES, consumers = CONSUMERS, type = TYPE;
    static constexpr int cluster = CLUSTER;
    static constexpr int group = 128;
    static constexpr unsigned row_bytes = 128;
    static constexpr int box = row_bytes / E::bytes;  // columns
    static constexpr int b_rows = E::b_by_columns ? BN : BK, b_boxes = (E::b_by_columns ? BK : BN) / box;
    static constexpr int b_share = b_rows / CLUSTER;  // rows of each box that a block asks for
    static constexpr unsigned a_bytes = BM * BK * E::bytes, b_bytes = BK * BN * E::bytes;
    static constexpr unsigned stage_bytes = a_bytes + b_bytes;
    static constexpr int rows = BM / CONSUMERS, products = rows / 64;  // of a consumer
    static_assert(BM % (64 * CONSUMERS) == 0 && BM <= 256, "whole products; a box has at most 256 rows");
    static_assert(BN % 64 == 0 && BN <= 256, "whole boxes; a product has at most 256 columns");
    static_assert(BK % box == 0, "whole boxes");
    static_assert(b_share % 8 == 0 && b_share <= 256, "whole swizzles; a box has at most 256 rows");
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

// Boxes of one tile of A at (row, k).
template <class T>
__device__ __forceinline__ void copy_a(unsigned to, const TensorMap& map, int row, int k, unsigned barrier) {
#pragma unroll
    for (int i = 0; i < T::bk / T::box; ++i) {
        copy_box(to + i * T::bm * T::row_bytes, map, k + i * T::box, row, barrier);
    }
}

// The place of B's box `j` in B, (column, row) as it lies in memory, of a tile at (k, column).
template <class T>
__device__ __forceinline__ int2 box_of_b(int j, int column, int k) {
    return T::E::b_by_columns ? make_int2(k + j * T::box, column) : make_int2(column + j * T::box, k);
}

// Boxes of one tile of A at (row, k) and of B at (k, column). Blocks of a cluster have the same tile of B:
// each asks for its own rows of every box and sends them to all.
template <class T>
__device__ __forceinline__ void copy_tile(unsigned to, const TensorMap& map_a, const TensorMap& map_b,
                                          int row, int column, int k, unsigned barrier) {
    barrier_expect(barrier, T::stage_bytes);
    copy_a<T>(to, map_a, row, k, barrier);
    const int first = T::cluster > 1 ? static_cast<int>(cluster_rank()) * T::b_share : 0;
#pragma unroll
    for (int j = 0; j < T::b_boxes; ++j) {
        const int2 from = box_of_b<T>(j, column, k);
        const unsigned there = to + T::a_bytes + (j * T::b_rows + first) * T::row_bytes;
        if constexpr (T::cluster > 1) {
            copy_box_to_all<T::cluster>(there, map_b, from.x, from.y + first, barrier);
        } else {
            copy_box(there, map_b, from.x, from.y, barrier);
        }
    }
}

// What a product reads of B's tile for its step `k`: 32 bytes of a column, then the next box, or rows.
template <class T>
__device__ __forceinline__ unsigned long long step_of_b(unsigned from, int k) {
    if constexpr (T::E::b_by_columns) {
        return descriptor(from + k / 4 * T::bn * T::row_bytes + k % 4 * 32, 16);
    } else {
        return descriptor(from + k * T::E::step * T::row_bytes, T::bk * T::row_bytes);
    }
}

// One group of products: a tile's, for this consumer's rows from `first_row` of the tile on.
template <class T>
__device__ __forceinline__ void multiply_stage(typename T::Sum (&sums)[T::products][T::bn / 2], unsigned tile,
                                               int first_row, bool first) {
    const unsigned from_a = tile + first_row * T::row_bytes, from_b = tile + T::a_bytes;
    products_begin();
#pragma unroll
    for (int k = 0; k < T::bk / T::E::step; ++k) {
        // A: 32 bytes of a row, then the next box.
        const unsigned a = from_a + k / 4 * T::bm * T::row_bytes + k % 4 * 32;
        const auto b = step_of_b<T>(from_b, k);
#pragma unroll
        for (int i = 0; i < T::products; ++i) {
            multiply_group<T::type>(sums[i], descriptor(a + i * 64 * T::row_bytes, 16), b, !first || k > 0);
        }
    }
    products_end_group();
}

__device__ __forceinline__ void hold(float& sum) {
    asm volatile("" : "+f"(sum)::"memory");
}
__device__ __forceinline__ void hold(int& sum) {
    asm volatile("" : "+r"(sum)::"memory");
}
// The sums count as written here: nothing that reads them may come before the wait.
template <class Sum, int products, int columns>
__device__ __forceinline__ void hold(Sum (&sums)[products][columns]) {
    for (int i = 0; i < products; ++i) {
        for (int j = 0; j < columns; ++j) {
            hold(sums[i][j]);
        }
    }
}

__device__ __forceinline__ float2 side_by_side(float left, float right) {
    return make_float2(left, right);
}
__device__ __forceinline__ int2 side_by_side(int left, int right) {
    return make_int2(left, right);
}

// Sums of a warp group whose corner is (row, column) of C: warp w has rows 16*w to 16*w + 15 of every 64.
template <class Sum, int products, int columns>
__device__ __forceinline__ void store_group(Sum* C, unsigned n, unsigned row, unsigned column,
                                            const Sum (&sums)[products][columns]) {
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;
#pragma unroll
    for (int i = 0; i < products; ++i) {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            Sum* to = C + static_cast<size_t>(row + 64 * i + 16 * warp + 8 * half + lane / 4) * n + column +
                      lane % 4 * 2;
#pragma unroll
            for (int j = 0; j < columns / 4; ++j) {
                const auto pair = side_by_side(sums[i][4 * j + 2 * half], sums[i][4 * j + 2 * half + 1]);
                *reinterpret_cast<decltype(side_by_side(Sum(), Sum()))*>(to + 8 * j) = pair;
            }
        }
    }
}

#endif

// C holds words, floats or integers. STAGES tiles are under way or multiplied: a tile's copies are asked for
// as soon as the products before the last group are done with its place.
template <int BM, int BN, int BK, int STAGES, int TYPE>
__global__ void __launch_bounds__(128) wgmma_tma(int M, int N, int K, const __grid_constant__ TensorMap A,
                                                 const __grid_constant__ TensorMap B, float* C) {
#if defined(GPUMODEL_WGMMA)
    using T = GroupTile<BM, BN, BK, STAGES, 1, TYPE>;
    extern __shared__ __align__(1024) unsigned char ring_space[];
    const unsigned base = shared_address(ring_space), full = base + STAGES * T::stage_bytes;
    const int row = blockIdx.y * BM, column = blockIdx.x * BN, tiles = K / BK;
    const bool asks = warp_number() == 0;
    const auto ask = [&](int tile, int stage) {
        copy_tile<T>(base + stage * T::stage_bytes, A, B, row, column, tile * BK, full + 8 * stage);
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
    typename T::Sum sums[T::products][BN / 2];
    Ring<STAGES> ring;
    int before = STAGES - 1;  // the stage of the tile before
    for (int tile = 0; tile < tiles; ++tile) {
        barrier_wait(full + 8 * ring.stage, ring.parity);
        multiply_stage<T>(sums, base + ring.stage * T::stage_bytes, 0, tile == 0);
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
    store_group(reinterpret_cast<typename T::Sum*>(C), N, row, column, sums);
#endif
}

}  // namespace gpumodel::kernels
