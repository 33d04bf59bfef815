// The products of mma_tile.cuh out of a ring of tiles that asynchronous copies fill ahead (sm_80 and later),
// swizzled as mma_swizzled's. Shared memory is the launch's, STAGES*(BM + BN)*BK elements.
//   mma_async   a step's fragments are loaded, then multiplied
//   mma_double  they are loaded before those of the step before are multiplied: two sets of registers take
//   turns
#pragma once

#include "mma_tile.cuh"

namespace gpumodel::kernels {

__device__ __forceinline__ void copy_async(const void* to, const void* from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from) : "memory");
#endif
}

// Until at most `pending` groups of this thread's copies are under way.
template <int pending>
__device__ __forceinline__ void wait_for_copies() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
#endif
}

template <int BM, int BN, int BK, int WM, int WN, int TYPE>
struct TileRing {
    using T = MmaTile<BM, BN, BK, WM, WN, TYPE>;
    using Element = typename T::Element;
    using LayoutA = Swizzled<TYPE, BK>;
    using LayoutB = Swizzled<TYPE, T::b_width>;

    unsigned n, k;
    unsigned a_row = threadIdx.x / T::a_pieces, a_piece = threadIdx.x % T::a_pieces;
    unsigned b_row = threadIdx.x / T::b_pieces, b_piece = threadIdx.x % T::b_pieces;
    unsigned b_pitch = T::E::b_by_columns ? k : n;
    Element* stages;
    const Element *from_a, *from_b;
    unsigned asked = 0;  // of k

    __device__ __forceinline__ TileRing(void* shared, unsigned n_, unsigned k_, const void* a, const void* b)
        : n(n_), k(k_), stages(static_cast<Element*>(shared)) {
        from_a = static_cast<const Element*>(a) + (blockIdx.y * BM + a_row) * k + a_piece * T::E::piece;
        from_b = static_cast<const Element*>(b);
        if constexpr (T::E::b_by_columns) {
            from_b = from_b + (blockIdx.x * BN + b_row) * k + b_piece * T::E::piece;
        } else {
            from_b = from_b + b_row * n + blockIdx.x * BN + b_piece * T::E::piece;
        }
    }

    // A stage's tile of A; B's is behind it.
    __device__ __forceinline__ Element* tile(unsigned stage) const {
        return stages + stage * unsigned((BM + BN) * BK);
    }

    // Asks for the next tile, if there is one; a group of copies either way.
    __device__ __forceinline__ void fill(unsigned stage) {
        if (asked < k) {
            Element* as = tile(stage);
            for (unsigned row = 0; row < BM; row += T::a_step) {
                copy_async(as + LayoutA::at(a_row + row, a_piece), from_a + row * k);
            }
            for (unsigned row = 0; row < T::b_rows; row += T::b_step) {
                copy_async(as + BM * BK + LayoutB::at(b_row + row, b_piece), from_b + row * b_pitch);
            }
            from_a += BK;
            from_b += T::E::b_by_columns ? BK : BK * n;
            asked += BK;
        }
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
        asm volatile("cp.async.commit_group;" ::: "memory");
#endif
    }
};

// The block's tile of C.
template <int BM, int BN, int WM, int WN, int ACC>
__device__ __forceinline__ void store_tile(void* c, unsigned n, const Sums<ACC> (&sums)[WM / 16][WN / 8]) {
    const unsigned warp = threadIdx.x / 32;
    store_results<WM, WN, ACC>(c, n, blockIdx.y * BM + warp / (BN / WN) * WM,
                               blockIdx.x * BN + warp % (BN / WN) * WN, sums);
}

// STAGES - 1 tiles are under way while one is multiplied.
template <int BM, int BN, int BK, int WM, int WN, int STAGES, int TYPE, int ACC>
__global__ void __launch_bounds__(32 * (BM / WM) * (BN / WN))
    mma_async(int M, int N, int K, const void* A, const void* B, void* C) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    using Ring = TileRing<BM, BN, BK, WM, WN, TYPE>;
    extern __shared__ __align__(128) unsigned char launched_shared[];
    const unsigned n = N, k = K;
    Ring ring(launched_shared, n, k, A, B);
    for (unsigned stage = 0; stage < STAGES - 1; ++stage) {
        ring.fill(stage);
    }
    Sums<ACC> sums[WM / 16][WN / 8];
    unsigned stage = 0, next = STAGES - 1;
    for (unsigned tile = 0; tile < k; tile += BK) {
        wait_for_copies<STAGES - 2>();
        __syncthreads();
        ring.fill(next);
        const auto* as = ring.tile(stage);
        multiply_tile<typename Ring::T, typename Ring::LayoutA, typename Ring::LayoutB, BK, WM, WN, TYPE,
                      ACC>(sums, as, as + BM * BK);
        next = stage;
        stage = stage + 1 == STAGES ? 0 : stage + 1;
    }
    store_tile<BM, BN, WM, WN, ACC>(C, n, sums);
#endif
}

// Behind a tile's last load all warps meet, and its stage is filled anew: STAGES tiles are there or under
// way.
template <int BM, int BN, int BK, int WM, int WN, int STAGES, int TYPE, int ACC>
__global__ void __launch_bounds__(32 * (BM / WM) * (BN / WN))
    mma_double(int M, int N, int K, const void* A, const void* B, void* C) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    using Ring = TileRing<BM, BN, BK, WM, WN, TYPE>;
    using T = typename Ring::T;
    constexpr int steps = BK / T::E::step;
    static_assert(steps % 2 == 0, "a tile begins with the first set of registers");
    extern __shared__ __align__(128) unsigned char launched_shared[];
    const unsigned n = N, k = K;
    Ring ring(launched_shared, n, k, A, B);
    for (unsigned stage = 0; stage < STAGES; ++stage) {
        ring.fill(stage);
    }
    const LanePlace<T, WM, WN> at{};
    Fragments<WM, WN> f[2];
    const auto load = [&](unsigned stage, int step) {
        const auto* as = ring.tile(stage);
        load_fragments<T, typename Ring::LayoutA, typename Ring::LayoutB>(f[step % 2], at, as, as + BM * BK,
                                                                          step * T::E::step);
    };
    wait_for_copies<STAGES - 1>();
    __syncthreads();
    load(0, 0);
    Sums<ACC> sums[WM / 16][WN / 8];
    unsigned stage = 0;
    for (unsigned tile = 0; tile < k; tile += BK) {
        const unsigned next = stage + 1 == STAGES ? 0 : stage + 1;
#pragma unroll
        for (int step = 0; step < steps; ++step) {
            if (step + 1 < steps) {
                load(stage, step + 1);
            } else if (tile + BK < k) {
                wait_for_copies<STAGES - 2>();
                __syncthreads();
                ring.fill(stage);
                load(next, 0);
            }
            multiply_fragments<TYPE>(sums, f[step % 2]);
        }
        stage = next;
    }
    store_tile<BM, BN, WM, WN, ACC>(C, n, sums);
#endif
}

}  // namespace gpumodel::kernels
