// Matrix products by a warp's tensor-core instructions: C = A*B; A is MxK and C MxN, both row-major, B KxN:
// row-major of 16-bit elements, column-major of tf32 and int8 (a column's k side by side, as most products of
// theirs have it: "TN"). C is of what the sums are (TYPE and ACC of mma.cuh). Block tile BM x BN, one warp
// per WM x WN of it; grid (N/BN, M/BM); M, N, K are multiples of BM, BN, BK (mma_direct: 32 bytes).
// f16 from sm_70 on, which multiplies in quad pairs (mma_quad.cuh), the other types from where mma.cuh says.
//   mma_direct    fragments straight from global memory
//   mma_shared    tiles of depth BK in shared memory, rows PAD elements longer
//   mma_swizzled  the same, 16-byte pieces of a row in an order that changes from row to row
#pragma once

#include "mma.cuh"
#include "mma_quad.cuh"

namespace gpumodel::kernels {

// Rows of a tile lie along k, those of a row-major B along n.
template <int BM, int BN, int BK, int WM, int WN, int TYPE>
struct MmaTile {
    using E = Elements<TYPE>;
    using Element = typename E::Type;
    static constexpr int warps_across = BN / WN;
    static constexpr int THREADS = 32 * (BM / WM) * warps_across;
    static constexpr int b_width = E::b_by_columns ? BK : BN, b_rows = E::b_by_columns ? BN : BK;
    // 16-byte pieces per row, and rows that the block loads at once.
    static constexpr int a_pieces = BK / E::piece, b_pieces = b_width / E::piece;
    static constexpr int a_step = THREADS / a_pieces, b_step = THREADS / b_pieces;
    static_assert(WM % 16 == 0 && WN % 16 == 0 && BK % E::step == 0, "whole products");
    static_assert(BM % WM == 0 && BN % WN == 0, "warp tiles cover the tile");
    static_assert(THREADS % a_pieces == 0 && THREADS % b_pieces == 0, "whole rows at a time");
    static_assert(BM % a_step == 0 && b_rows % b_step == 0, "whole loads per thread");
};

// Where a piece of a row lies in a tile, in elements; rows of `width` and PAD more.
template <int TYPE, int width, int PAD>
struct Padded {
    static constexpr int pitch = width + PAD;
    __device__ static unsigned at(unsigned row, unsigned piece) {
        return row * pitch + piece * Elements<TYPE>::piece;
    }
};

// Eight rows of one column of pieces fall on different groups of banks: rows that share a line of 128 bytes
// lie side by side anyway, the others are told apart by their pieces' order.
template <int TYPE, int width>
struct Swizzled {
    static constexpr int pitch = width;
    static constexpr int of_row = width / Elements<TYPE>::piece;
    static constexpr int pieces = of_row < 8 ? of_row : 8;  // of a line's eight, those of one row
    static_assert(8 % pieces == 0 && of_row % pieces == 0, "an order of whole lines");
    __device__ static unsigned at(unsigned row, unsigned piece) {
        return row * pitch + (piece ^ row / (8 / pieces) % pieces) * Elements<TYPE>::piece;
    }
};

// What a warp multiplies at a step of k.
template <int WM, int WN>
struct Fragments {
    unsigned a[WM / 16][4], b[WN / 16][4];
};

// Where a lane's first matrices of a warp tile begin: a row of A, a column of B or a piece of B's rows.
template <class T, int WM, int WN>
struct LanePlace {
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned row = warp / T::warps_across * WM + lane % 16;
    unsigned across = T::E::b_by_columns ? warp % T::warps_across * WN + lane / 16 * 8 + lane % 8
                                         : warp % T::warps_across * (WN / T::E::piece) + lane / 16;
};

// Out of a tile of shared memory; `k` of the tile. Four matrices of B are two times eight columns: of either,
// the first half of the step and the second.
template <class T, class LayoutA, class LayoutB, int WM, int WN>
__device__ __forceinline__ void load_fragments(Fragments<WM, WN>& f, const LanePlace<T, WM, WN>& at,
                                               const typename T::Element* as, const typename T::Element* bs,
                                               int k) {
    for (int i = 0; i < WM / 16; ++i) {
        load_matrices<false>(
            f.a[i], shared_address(as + LayoutA::at(at.row + 16 * i, k / T::E::piece + at.lane / 16)));
    }
    for (int j = 0; j < WN / 16; ++j) {
        if constexpr (T::E::b_by_columns) {
            load_matrices<false>(f.b[j], shared_address(bs + LayoutB::at(at.across + 16 * j,
                                                                         k / T::E::piece + at.lane / 8 % 2)));
        } else {
            load_matrices<true>(f.b[j],
                                shared_address(bs + LayoutB::at(k + at.lane % 16, at.across + 2 * j)));
        }
    }
}

template <int TYPE, int WM, int WN, int ACC>
__device__ __forceinline__ void multiply_fragments(Sums<ACC> (&sums)[WM / 16][WN / 8],
                                                   const Fragments<WM, WN>& f) {
    for (int i = 0; i < WM / 16; ++i) {
        for (int j = 0; j < WN / 8; ++j) {
            multiply<TYPE>(sums[i][j], f.a[i], f.b[j / 2][j % 2 * 2], f.b[j / 2][j % 2 * 2 + 1]);
        }
    }
}

// Products of a tile of shared memory.
template <class T, class LayoutA, class LayoutB, int BK, int WM, int WN, int TYPE, int ACC>
__device__ __forceinline__ void multiply_tile(Sums<ACC> (&sums)[WM / 16][WN / 8],
                                              const typename T::Element* as, const typename T::Element* bs) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 750
    if constexpr (TYPE == 0) {
        multiply_tile_in_quads<T, LayoutA, LayoutB, BK, WM, WN>(sums, as, bs);
    }
#else
    const LanePlace<T, WM, WN> at{};
#pragma unroll
    for (int k = 0; k < BK; k += T::E::step) {
        Fragments<WM, WN> f;
        load_fragments<T, LayoutA, LayoutB>(f, at, as, bs, k);
        multiply_fragments<TYPE>(sums, f);
    }
#endif
}

// The results of a warp, whose corner is at (row, column) of C.
template <int WM, int WN, int ACC>
__device__ __forceinline__ void store_warp_tile(void* c, unsigned n, unsigned row, unsigned column,
                                                const Sums<ACC> (&sums)[WM / 16][WN / 8]) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 750
    store_quads<WM, WN, ACC>(c, n, row, column, sums);
#else
    store_results<WM, WN, ACC>(c, n, row, column, sums);
#endif
}

// One tile after the other through one buffer: loads, barrier, products, barrier.
template <class T, class LayoutA, class LayoutB, int BM, int BN, int BK, int WM, int WN, int TYPE, int ACC>
__device__ __forceinline__ void product_by_tiles(unsigned N, unsigned K, const typename T::Element* A,
                                                 const typename T::Element* B, void* C) {
    __shared__ __align__(128) typename T::Element as[BM * LayoutA::pitch];
    __shared__ __align__(128) typename T::Element bs[T::b_rows * LayoutB::pitch];
    const unsigned a_row = threadIdx.x / T::a_pieces, a_piece = threadIdx.x % T::a_pieces;
    const unsigned b_row = threadIdx.x / T::b_pieces, b_piece = threadIdx.x % T::b_pieces;
    const unsigned b_pitch = T::E::b_by_columns ? K : N;
    A += (blockIdx.y * BM + a_row) * K + a_piece * T::E::piece;
    B += T::E::b_by_columns ? (blockIdx.x * BN + b_row) * K + b_piece * T::E::piece
                            : b_row * N + blockIdx.x * BN + b_piece * T::E::piece;
    Sums<ACC> sums[WM / 16][WN / 8];
    for (unsigned tile = 0; tile < K; tile += BK) {
        for (unsigned row = 0; row < BM; row += T::a_step) {
            *reinterpret_cast<uint4*>(as + LayoutA::at(a_row + row, a_piece)) =
                *reinterpret_cast<const uint4*>(A + row * K);
        }
        for (unsigned row = 0; row < T::b_rows; row += T::b_step) {
            *reinterpret_cast<uint4*>(bs + LayoutB::at(b_row + row, b_piece)) =
                *reinterpret_cast<const uint4*>(B + row * b_pitch);
        }
        A += BK;
        B += T::E::b_by_columns ? BK : BK * N;
        __syncthreads();
        multiply_tile<T, LayoutA, LayoutB, BK, WM, WN, TYPE, ACC>(sums, as, bs);
        __syncthreads();
    }
    const unsigned warp = threadIdx.x / 32;
    store_warp_tile<WM, WN, ACC>(C, N, blockIdx.y * BM + warp / T::warps_across * WM,
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
    using E = Elements<TYPE>;
    using Element = typename E::Type;
    const Element* from_a = static_cast<const Element*>(A) + (row + lane / 4) * k + lane % 4 * E::word;
    const Element* from_b = static_cast<const Element*>(B);
    if constexpr (E::b_by_columns) {
        from_b = from_b + (column + lane / 4) * k + lane % 4 * E::word;
    } else {
        from_b = from_b + lane % 4 * E::word * n + column + lane / 4;
    }
    Sums<ACC> sums[WM / 16][WN / 8];
    for (unsigned step = 0; step < k; step += E::step) {
        unsigned a[WM / 16][4], b[WN / 8][2];
        for (int i = 0; i < WM / 16; ++i) {
            for (int part = 0; part < 4; ++part) {  // rows 0 and 8, then the same 16 bytes on
                a[i][part] = *reinterpret_cast<const unsigned*>(from_a + (16 * i + part % 2 * 8) * k +
                                                                part / 2 * E::piece);
            }
        }
        for (int j = 0; j < WN / 8; ++j) {
            for (int part = 0; part < 2; ++part) {
                if constexpr (E::b_by_columns) {
                    b[j][part] = *reinterpret_cast<const unsigned*>(from_b + 8 * j * k + part * E::piece);
                } else {  // two rows side by side make one word
                    const Element* at = from_b + part * 8 * n + 8 * j;
                    b[j][part] = at[0] | unsigned(at[n]) << 16;
                }
            }
        }
        from_a += E::step;
        from_b += E::b_by_columns ? E::step : 16 * n;
        for (int i = 0; i < WM / 16; ++i) {
            for (int j = 0; j < WN / 8; ++j) {
                multiply<TYPE>(sums[i][j], a[i], b[j][0], b[j][1]);
            }
        }
    }
    store_warp_tile<WM, WN, ACC>(C, n, row, column, sums);
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
    if constexpr (TYPE == 0) {
        direct_product_in_quads<BM, BN, WM, WN, ACC>(N, K, A, B, C);
    }
#endif
}

template <int BM, int BN, int BK, int WM, int WN, int PAD, int TYPE, int ACC>
__global__ void __launch_bounds__(32 * (BM / WM) * (BN / WN))
    mma_shared(int M, int N, int K, const void* A, const void* B, void* C) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
    using T = MmaTile<BM, BN, BK, WM, WN, TYPE>;
    using Element = typename T::Element;
    static_assert(PAD % T::E::piece == 0, "rows begin at whole pieces");
    product_by_tiles<T, Padded<TYPE, BK, PAD>, Padded<TYPE, T::b_width, PAD>, BM, BN, BK, WM, WN, TYPE, ACC>(
        N, K, static_cast<const Element*>(A), static_cast<const Element*>(B), C);
#endif
}

template <int BM, int BN, int BK, int WM, int WN, int TYPE, int ACC>
__global__ void __launch_bounds__(32 * (BM / WM) * (BN / WN))
    mma_swizzled(int M, int N, int K, const void* A, const void* B, void* C) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
    using T = MmaTile<BM, BN, BK, WM, WN, TYPE>;
    using Element = typename T::Element;
    product_by_tiles<T, Swizzled<TYPE, BK>, Swizzled<TYPE, T::b_width>, BM, BN, BK, WM, WN, TYPE, ACC>(
        N, K, static_cast<const Element*>(A), static_cast<const Element*>(B), C);
#endif
}

}  // namespace gpumodel::kernels
