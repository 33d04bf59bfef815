// C = A B, A of M x K and B of K x N halves in rows, C of M x N floats: three steps of the tensor-core
// ladder.
//   wmma_naive   a warp per 16x16 piece of C, fragments straight from global memory (sm_70 and later)
//   mma_shared   tiles in shared memory, rows padded by 16 bytes, ldmatrix and mma.sync (sm_75 and later)
//   mma_async    the same tile, swizzled, filled by cp.async in three stages (sm_80 and later)
// M, N multiples of 128 (wmma_naive: 32), K of 32. Blocks: wmma_naive 128 threads for 32 x 32, the others 256
// for 128 x 128. Made to be read; nothing is tuned.
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

extern "C" __global__ void __launch_bounds__(128)
    wmma_naive(int m, int n, int k, const __half* a, const __half* b, float* c) {
    const int warp = threadIdx.x / 32;
    const int row = blockIdx.y * 32 + warp / 2 * 16, column = blockIdx.x * 32 + warp % 2 * 16;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int at = 0; at < k; at += 16) {
        wmma::load_matrix_sync(fa, a + row * k + at, k);
        wmma::load_matrix_sync(fb, b + at * n + column, n);
        wmma::mma_sync(sum, fa, fb, sum);
    }
    wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}

#if __CUDA_ARCH__ >= 750
constexpr int BM = 128, BN = 128, BK = 32;
constexpr int WM = 64, WN = 32;  // of a warp: two by four of them

__device__ unsigned shared_address(const void* p) {
    return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

__device__ void load_rows(unsigned (&r)[4], unsigned address) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3},[%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(address));
}
__device__ void load_columns(unsigned (&r)[4], unsigned address) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3},[%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(address));
}

// 16x8 += 16x16 by 16x8
__device__ void multiply(float (&c)[4], const unsigned (&a)[4], const unsigned* b) {
#if __CUDA_ARCH__ >= 800
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else
    for (int half = 0; half < 2; ++half) {
        asm volatile(
            "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5},{%6},{%0,%1,%2,%3};"
            : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
            : "r"(a[2 * half]), "r"(a[2 * half + 1]), "r"(b[half]));
    }
#endif
}

// Where 16-byte piece `piece` of row `row` of a tile lies, in halves.
struct Padded {
    static constexpr int a_row = BK + 8, b_row = BN + 8;
    static __device__ int a(int row, int piece) { return row * a_row + piece * 8; }
    static __device__ int b(int row, int piece) { return row * b_row + piece * 8; }
};
struct Swizzled {
    static constexpr int a_row = BK, b_row = BN;
    static __device__ int a(int row, int piece) { return row * a_row + (piece ^ (row / 2 % 4)) * 8; }
    static __device__ int b(int row, int piece) { return row * b_row + (piece ^ (row % 8)) * 8; }
};

struct Sums {
    float c[WM / 16][WN / 8][4] = {};
};

template <class Layout>
__device__ void multiply_tile(Sums& sums, const __half* as, const __half* bs) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int row = warp / 4 * WM + lane % 16, column = warp % 4 * WN / 8 + lane / 16;
    for (int k = 0; k < BK; k += 16) {
        unsigned a[WM / 16][4], b[WN / 16][4];
        for (int i = 0; i < WM / 16; ++i) {
            load_rows(a[i], shared_address(as + Layout::a(row + 16 * i, k / 8 + lane / 16)));
        }
        for (int j = 0; j < WN / 16; ++j) {
            load_columns(b[j], shared_address(bs + Layout::b(k + lane % 16, column + 2 * j)));
        }
        for (int i = 0; i < WM / 16; ++i) {
            for (int j = 0; j < WN / 8; ++j) {
                multiply(sums.c[i][j], a[i], &b[j / 2][j % 2 * 2]);
            }
        }
    }
}

__device__ void store(const Sums& sums, float* c, int n) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int row = blockIdx.y * BM + warp / 4 * WM + lane / 4;
    const int column = blockIdx.x * BN + warp % 4 * WN + lane % 4 * 2;
    for (int i = 0; i < WM / 16; ++i) {
        for (int j = 0; j < WN / 8; ++j) {
            float* at = c + (row + 16 * i) * n + column + 8 * j;
            *reinterpret_cast<float2*>(at) = make_float2(sums.c[i][j][0], sums.c[i][j][1]);
            *reinterpret_cast<float2*>(at + 8 * n) = make_float2(sums.c[i][j][2], sums.c[i][j][3]);
        }
    }
}

extern "C" __global__ void __launch_bounds__(256)
    mma_shared(int m, int n, int k, const __half* a, const __half* b, float* c) {
    __shared__ __align__(16) __half as[BM * Padded::a_row], bs[BK * Padded::b_row];
    const int t = threadIdx.x;
    const __half* from_a = a + (blockIdx.y * BM + t / 4) * k + t % 4 * 8;
    const __half* from_b = b + t / 16 * n + blockIdx.x * BN + t % 16 * 8;
    Sums sums;
    for (int at = 0; at < k; at += BK) {
        for (int i = 0; i < 2; ++i) {
            *reinterpret_cast<uint4*>(as + Padded::a(t / 4 + 64 * i, t % 4)) =
                *reinterpret_cast<const uint4*>(from_a + 64 * i * k + at);
            *reinterpret_cast<uint4*>(bs + Padded::b(t / 16 + 16 * i, t % 16)) =
                *reinterpret_cast<const uint4*>(from_b + (at + 16 * i) * n);
        }
        __syncthreads();
        multiply_tile<Padded>(sums, as, bs);
        __syncthreads();
    }
    store(sums, c, n);
}
#endif

#if __CUDA_ARCH__ >= 800
__device__ void copy(const __half* to, const __half* from) {
    asm volatile("cp.async.cg.shared.global [%0],[%1],16;" ::"r"(shared_address(to)), "l"(from));
}

extern "C" __global__ void __launch_bounds__(256)
    mma_async(int m, int n, int k, const __half* a, const __half* b, float* c) {
    constexpr int stages = 3;
    __shared__ __align__(128) __half as[stages][BM * BK], bs[stages][BK * BN];
    const int t = threadIdx.x;
    const __half* from_a = a + (blockIdx.y * BM + t / 4) * k + t % 4 * 8;
    const __half* from_b = b + t / 16 * n + blockIdx.x * BN + t % 16 * 8;
    const auto fill = [&](int stage, int at) {
        if (at < k) {
            for (int i = 0; i < 2; ++i) {
                copy(as[stage] + Swizzled::a(t / 4 + 64 * i, t % 4), from_a + 64 * i * k + at);
                copy(bs[stage] + Swizzled::b(t / 16 + 16 * i, t % 16), from_b + (at + 16 * i) * n);
            }
        }
        asm volatile("cp.async.commit_group;");
    };
    for (int stage = 0; stage < stages - 1; ++stage) {
        fill(stage, stage * BK);
    }
    Sums sums;
    int stage = 0;
    for (int at = 0; at < k; at += BK) {
        asm volatile("cp.async.wait_group %0;" ::"n"(stages - 2));
        __syncthreads();
        fill((stage + stages - 1) % stages, at + (stages - 1) * BK);
        multiply_tile<Swizzled>(sums, as[stage], bs[stage]);
        stage = (stage + 1) % stages;
    }
    store(sums, c, n);
}
#endif
