// Products of sm_70: HMMA.884, where eight lanes (a quad pair: 4q to 4q + 3 and 16 more) multiply 8 x 8
// results and 4 steps of k, four pairs side by side. A pair's rows and columns lie so in 16 x 16 results that
// neighbouring lanes load from neighbouring rows: row r of pair q is row r % 4 + 4 * (q % 2) + 8 * (r / 4),
// its column c column c % 4 + 4 * (q / 2) + 8 * (c / 4). The sums of columns 0 to 7 are then those of one
// Sums, as on later generations. f16 alone.
#pragma once

#include "mma.cuh"

namespace gpumodel::kernels {

// 16 x 16 results: `left` of columns 0 to 7. This lane's four k of a row of A, four columns of a row of B.
__device__ __forceinline__ void multiply_quads(Sums<0>& left, Sums<0>& right, uint2 a, uint2 b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700 && __CUDA_ARCH__ < 750
    float(&c)[4] = left.c;
    float(&d)[4] = right.c;
    asm("mma.sync.aligned.m8n8k4.row.row.f32.f16.f16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, "
        "%11}, {%0, %1, %2, %3, %4, %5, %6, %7};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]), "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a.x), "r"(a.y), "r"(b.x), "r"(b.y));
#endif
}

__device__ __forceinline__ void multiply_quads(Sums<1>& left, Sums<1>& right, uint2 a, uint2 b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700 && __CUDA_ARCH__ < 750
    asm("mma.sync.aligned.m8n8k4.row.row.f16.f16.f16.f16 {%0, %1, %2, %3}, {%4, %5}, {%6, %7}, {%0, %1, %2, "
        "%3};"
        : "+r"(left.c[0]), "+r"(left.c[1]), "+r"(right.c[0]), "+r"(right.c[1])
        : "r"(a.x), "r"(a.y), "r"(b.x), "r"(b.y));
#endif
}

// Where in 16 x 16 results a lane's elements lie.
struct QuadPlace {
    unsigned lane = threadIdx.x % 32, pair = lane / 4 % 4;
    unsigned row = lane % 4 + 4 * (pair % 2) + 8 * (lane / 16);  // of A
    unsigned k = lane % 4;                                       // of B's row
    unsigned column = 4 * (pair / 2);                            // of B, in its 8
    unsigned columns_right = lane / 16;                          // eights of columns further right
};

// Eight steps of k: this lane's part of 16 bytes of a row of A, and of two rows of B.
template <int WM, int WN, int ACC>
__device__ __forceinline__ void multiply_eight(Sums<ACC> (&sums)[WM / 16][WN / 8], const uint4 (&a)[WM / 16],
                                               const uint2 (&b)[WN / 16][2]) {
    for (int i = 0; i < WM / 16; ++i) {
        for (int j = 0; j < WN / 16; ++j) {
            multiply_quads(sums[i][2 * j], sums[i][2 * j + 1], make_uint2(a[i].x, a[i].y), b[j][0]);
            multiply_quads(sums[i][2 * j], sums[i][2 * j + 1], make_uint2(a[i].z, a[i].w), b[j][1]);
        }
    }
}

// As store_results. Of 16 x 8 results a lane holds two pairs of neighbours: in f32 of two rows, in f16 of
// one.
template <int WM, int WN, int ACC>
__device__ __forceinline__ void store_quads(void* c, unsigned n, unsigned row, unsigned column,
                                            const Sums<ACC> (&sums)[WM / 16][WN / 8]) {
    const QuadPlace at{};
    for (int i = 0; i < WM / 16; ++i) {
        for (int j = 0; j < WN / 8; ++j) {
            for (int half = 0; half < 2; ++half) {
                const unsigned down = ACC == 1 ? at.row : at.row - at.lane % 4 + at.lane % 2 + 2 * half;
                const unsigned right = at.column + (ACC == 1 ? 2 * half : at.lane & 2);
                store_pair(c, size_t(row + 16 * i + down) * n + column + 8 * j + right, sums[i][j], half);
            }
        }
    }
}

// Products of a tile of shared memory.
template <class T, class LayoutA, class LayoutB, int BK, int WM, int WN, int ACC>
__device__ __forceinline__ void multiply_tile_in_quads(Sums<ACC> (&sums)[WM / 16][WN / 8],
                                                       const typename T::Element* as,
                                                       const typename T::Element* bs) {
    const QuadPlace at{};
    const unsigned warp = threadIdx.x / 32;
    const unsigned row = warp / T::warps_across * WM + at.row;
    const unsigned piece = warp % T::warps_across * (WN / 8) + at.columns_right;
#pragma unroll
    for (int k = 0; k < BK; k += 8) {
        uint4 a[WM / 16];
        uint2 b[WN / 16][2];
        for (int i = 0; i < WM / 16; ++i) {
            a[i] = *reinterpret_cast<const uint4*>(as + LayoutA::at(row + 16 * i, k / 8));
        }
        for (int j = 0; j < WN / 16; ++j) {
            for (int part = 0; part < 2; ++part) {
                b[j][part] = *reinterpret_cast<const uint2*>(
                    bs + LayoutB::at(k + 4 * part + at.k, piece + 2 * j) + at.column);
            }
        }
        multiply_eight<WM, WN>(sums, a, b);
    }
}

// mma_direct: fragments straight from global memory.
template <int BM, int BN, int WM, int WN, int ACC>
__device__ __forceinline__ void direct_product_in_quads(unsigned n, unsigned depth, const void* A,
                                                        const void* B, void* C) {
    const QuadPlace at{};
    const unsigned warp = threadIdx.x / 32;
    const unsigned row = blockIdx.y * BM + warp / (BN / WN) * WM;
    const unsigned column = blockIdx.x * BN + warp % (BN / WN) * WN;
    const auto* from_a = static_cast<const unsigned short*>(A) + (row + at.row) * depth;
    const auto* from_b =
        static_cast<const unsigned short*>(B) + (at.k * n + column + 8 * at.columns_right + at.column);
    Sums<ACC> sums[WM / 16][WN / 8];
    for (unsigned k = 0; k < depth; k += 8) {
        uint4 a[WM / 16];
        uint2 b[WN / 16][2];
        for (int i = 0; i < WM / 16; ++i) {
            a[i] = *reinterpret_cast<const uint4*>(from_a + 16 * i * depth);
        }
        for (int j = 0; j < WN / 16; ++j) {
            for (int part = 0; part < 2; ++part) {
                b[j][part] = *reinterpret_cast<const uint2*>(from_b + 4 * part * n + 16 * j);
            }
        }
        from_a += 8;
        from_b += 8 * n;
        multiply_eight<WM, WN>(sums, a, b);
    }
    store_quads<WM, WN, ACC>(C, n, row, column, sums);
}

}  // namespace gpumodel::kernels
