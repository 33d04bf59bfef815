// Matrix products by a warp's tensor-core instructions: C = A*B, row-major; A is MxK, B is KxN of 16-bit
// elements, C of f32 or f16 as the sums are (TYPE and ACC of mma.cuh). Block tile BM x BN, one warp per WM x
// WN of it; grid (N/BN, M/BM); M, N, K are multiples of BM, BN, BK (mma_direct: 16).
//   mma_direct    fragments straight from global memory (sm_75 and later, as all but the last)
//   mma_shared    tiles of depth BK in shared memory, rows PAD elements longer
//   mma_swizzled  the same, 16-byte pieces of a row in an order that changes from row to row
//   mma_async     mma_swizzled with STAGES tiles that asynchronous copies fill ahead (sm_80 and later)
#pragma once

#include "mma.cuh"

namespace gpumodel::kernels {

template <int BM, int BN, int BK, int WM, int WN>
struct MmaTile {
    static constexpr int warps_across = BN / WN;
    static constexpr int THREADS = 32 * (BM / WM) * warps_across;
    // 16-byte pieces per row, and rows that the block loads at once.
    static constexpr int a_pieces = BK / 8, b_pieces = BN / 8;
    static constexpr int a_step = THREADS / a_pieces, b_step = THREADS / b_pieces;
    static_assert(WM % 16 == 0 && WN % 16 == 0 && BK % 16 == 0, "whole products");
    static_assert(BM % WM == 0 && BN % WN == 0, "warp tiles cover the tile");
    static_assert(THREADS % a_pieces == 0 && THREADS % b_pieces == 0, "whole rows at a time");
    static_assert(BM % a_step == 0 && BK % b_step == 0, "whole loads per thread");
};

// Where a piece of a row lies in a tile, in elements; rows of `width` and PAD more.
template <int width, int PAD>
struct Padded {
    static constexpr int pitch = width + PAD;
    __device__ static unsigned at(unsigned row, unsigned piece) { return row * pitch + piece * 8; }
};

// Eight rows of one column of pieces fall on different groups of banks: rows that share a line of 128 bytes
// lie side by side anyway, the others are told apart by their pieces' order.
template <int width>
struct Swizzled {
    static constexpr int pitch = width;
    static constexpr int pieces = width / 8 < 8 ? width / 8 : 8;  // of a line's eight, those of one row
    static_assert(8 % pieces == 0 && width / 8 % pieces == 0, "an order of whole lines");
    __device__ static unsigned at(unsigned row, unsigned piece) {
        return row * pitch + (piece ^ row / (8 / pieces) % pieces) * 8;
    }
};

// Products of a tile of shared memory.
template <class T, class LayoutA, class LayoutB, int BK, int WM, int WN, int TYPE, int ACC>
__device__ __forceinline__ void multiply_tile(Sums<ACC> (&sums)[WM / 16][WN / 8], const Element* as,
                                              const Element* bs) {
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const unsigned row = warp / T::warps_across * WM + lane % 16;
    const unsigned piece = warp % T::warps_across * (WN / 8) + lane / 16;
#pragma unroll
    for (int k = 0; k < BK; k += 16) {
        unsigned a[WM / 16][4], b[WN / 16][4];
        for (int i = 0; i < WM / 16; ++i) {
            load_matrices<false>(a[i], shared_address(as + LayoutA::at(row + 16 * i, k / 8 + lane / 16)));
        }
        for (int j = 0; j < WN / 16; ++j) {
            load_matrices<true>(b[j], shared_address(bs + LayoutB::at(k + lane % 16, piece + 2 * j)));
        }
        for (int i = 0; i < WM / 16; ++i) {
            for (int j = 0; j < WN / 8; ++j) {
                multiply<TYPE>(sums[i][j], a[i], b[j / 2][j % 2 * 2], b[j / 2][j % 2 * 2 + 1]);
            }
        }
    }
}

// One tile after the other through one buffer: loads, barrier, products, barrier.
template <class T, class LayoutA, class LayoutB, int BM, int BN, int BK, int WM, int WN, int TYPE, int ACC>
__device__ __forceinline__ void product_by_tiles(unsigned N, unsigned K, const Element* A, const Element* B,
                                                 void* C) {
    __shared__ __align__(128) Element as[BM * LayoutA::pitch];
    __shared__ __align__(128) Element bs[BK * LayoutB::pitch];
    const unsigned a_row = threadIdx.x / T::a_pieces, a_piece = threadIdx.x % T::a_pieces;
    const unsigned b_row = threadIdx.x / T::b_pieces, b_piece = threadIdx.x % T::b_pieces;
    A += (blockIdx.y * BM + a_row) * K + a_piece * 8;
    B += b_row * N + blockIdx.x * BN + b_piece * 8;
    Sums<ACC> sums[WM / 16][WN / 8];
    for (unsigned tile = 0; tile < K; tile += BK) {
        for (unsigned row = 0; row < BM; row += T::a_step) {
            *reinterpret_cast<uint4*>(as + LayoutA::at(a_row + row, a_piece)) =
                *reinterpret_cast<const uint4*>(A + row * K);
        }
        for (unsigned row = 0; row < BK; row += T::b_step) {
            *reinterpret_cast<uint4*>(bs + LayoutB::at(b_row + row, b_piece)) =
                *reinterpret_cast<const uint4*>(B + row * N);
        }
        A += BK;
        B += BK * N;
        __syncthreads();
        multiply_tile<T, LayoutA, LayoutB, BK, WM, WN, TYPE, ACC>(sums, as, bs);
        __syncthreads();
    }
    const unsigned warp = threadIdx.x / 32;
    store_results<WM, WN, ACC>(C, N, blockIdx.y * BM + warp / T::warps_across * WM,
                               blockIdx.x * BN + warp % T::warps_across * WN, sums);
}

template <int BM, int BN, int WM, int WN, int TYPE, int ACC>
__global__ void __launch_bounds__(32 * (BM / WM) * (BN / WN))
    mma_direct(int M, int N, int K, const void* A, const void* B, void* C) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 750
    const unsigned n = N, k = K;
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const unsigned row = blockIdx.y * BM + warp / (BN / WN) * WM;
    const unsigned column = blockIdx.x * BN + warp % (BN / WN) * WN;
    const Element* from_a = static_cast<const Element*>(A) + (row + lane / 4) * k + lane % 4 * 2;
    const Element* from_b = static_cast<const Element*>(B) + lane % 4 * 2 * n + column + lane / 4;
    Sums<ACC> sums[WM / 16][WN / 8];
    for (unsigned step = 0; step < k; step += 16) {
        unsigned a[WM / 16][4], b[WN / 8][2];
        for (int i = 0; i < WM / 16; ++i) {
            for (int part = 0; part < 4; ++part) {  // rows 0 and 8, then the same eight columns on
                a[i][part] =
                    *reinterpret_cast<const unsigned*>(from_a + (16 * i + part % 2 * 8) * k + part / 2 * 8);
            }
        }
        for (int j = 0; j < WN / 8; ++j) {
            for (int part = 0; part < 2; ++part) {  // two rows side by side make one word
                const Element* at = from_b + part * 8 * n + 8 * j;
                b[j][part] = at[0] | unsigned(at[n]) << 16;
            }
        }
        from_a += 16;
        from_b += 16 * n;
        for (int i = 0; i < WM / 16; ++i) {
            for (int j = 0; j < WN / 8; ++j) {
                multiply<TYPE>(sums[i][j], a[i], b[j][0], b[j][1]);
            }
        }
    }
    store_results<WM, WN, ACC>(C, n, row, column, sums);
#endif
}

template <int BM, int BN, int BK, int WM, int WN, int PAD, int TYPE, int ACC>
__global__ void __launch_bounds__(32 * (BM / WM) * (BN / WN))
    mma_shared(int M, int N, int K, const void* A, const void* B, void* C) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 750
    using T = MmaTile<BM, BN, BK, WM, WN>;
    static_assert(PAD % 8 == 0, "rows begin at whole pieces");
    product_by_tiles<T, Padded<BK, PAD>, Padded<BN, PAD>, BM, BN, BK, WM, WN, TYPE, ACC>(
        N, K, static_cast<const Element*>(A), static_cast<const Element*>(B), C);
#endif
}

template <int BM, int BN, int BK, int WM, int WN, int TYPE, int ACC>
__global__ void __launch_bounds__(32 * (BM / WM) * (BN / WN))
    mma_swizzled(int M, int N, int K, const void* A, const void* B, void* C) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 750
    using T = MmaTile<BM, BN, BK, WM, WN>;
    product_by_tiles<T, Swizzled<BK>, Swizzled<BN>, BM, BN, BK, WM, WN, TYPE, ACC>(
        N, K, static_cast<const Element*>(A), static_cast<const Element*>(B), C);
#endif
}

__device__ __forceinline__ void copy_async(const Element* to, const Element* from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from) : "memory");
#endif
}

// STAGES - 1 tiles are under way while one is multiplied. Shared memory is the launch's, STAGES*(BM + BN)*BK
// elements.
template <int BM, int BN, int BK, int WM, int WN, int STAGES, int TYPE, int ACC>
__global__ void __launch_bounds__(32 * (BM / WM) * (BN / WN))
    mma_async(int M, int N, int K, const void* A, const void* B, void* C) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    using T = MmaTile<BM, BN, BK, WM, WN>;
    using LayoutA = Swizzled<BK>;
    using LayoutB = Swizzled<BN>;
    constexpr unsigned stage_elements = (BM + BN) * BK;
    extern __shared__ __align__(128) Element stages[];
    const unsigned n = N, k = K;
    const unsigned a_row = threadIdx.x / T::a_pieces, a_piece = threadIdx.x % T::a_pieces;
    const unsigned b_row = threadIdx.x / T::b_pieces, b_piece = threadIdx.x % T::b_pieces;
    const Element* from_a = static_cast<const Element*>(A) + (blockIdx.y * BM + a_row) * k + a_piece * 8;
    const Element* from_b = static_cast<const Element*>(B) + b_row * n + blockIdx.x * BN + b_piece * 8;
    unsigned asked = 0;  // of k
    const auto fill = [&](unsigned stage) {
        if (asked < k) {
            Element* as = stages + stage * stage_elements;
            for (unsigned row = 0; row < BM; row += T::a_step) {
                copy_async(as + LayoutA::at(a_row + row, a_piece), from_a + row * k);
            }
            for (unsigned row = 0; row < BK; row += T::b_step) {
                copy_async(as + BM * BK + LayoutB::at(b_row + row, b_piece), from_b + row * n);
            }
            from_a += BK;
            from_b += BK * n;
            asked += BK;
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
    };
    for (unsigned stage = 0; stage < STAGES - 1; ++stage) {
        fill(stage);
    }
    Sums<ACC> sums[WM / 16][WN / 8];
    unsigned stage = 0, next = STAGES - 1;
    for (unsigned tile = 0; tile < k; tile += BK) {
        asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
        __syncthreads();
        fill(next);
        const Element* as = stages + stage * stage_elements;
        multiply_tile<T, LayoutA, LayoutB, BK, WM, WN, TYPE, ACC>(sums, as, as + BM * BK);
        next = stage;
        stage = stage + 1 == STAGES ? 0 : stage + 1;
    }
    const unsigned warp = threadIdx.x / 32;
    store_results<WM, WN, ACC>(C, n, blockIdx.y * BM + warp / T::warps_across * WM,
                               blockIdx.x * BN + warp % T::warps_across * WN, sums);
#endif
}

}  // namespace gpumodel::kernels
