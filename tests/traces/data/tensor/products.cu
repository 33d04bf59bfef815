// Kernels whose tensor instructions the tests execute (../tensor_test.cpp): one warp, one product.
//
// wmma_*: fragments are loaded and stored by the compiler, whose layout the test does not know.
// mma_*: fragments word by word, as the PTX ISA draws them: A and B hold 32-bit words, row r of A (column c
// of B) is words_per_row words along k.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

template <class T, class Stored, class Acc, int M, int N, int K, class LayoutB, class... Saturated>
__device__ void wmma_product(const Stored* a, const Stored* b, const Acc* c, Acc* d, int lda, int ldb,
                             Saturated... saturated) {
    wmma::fragment<wmma::matrix_a, M, N, K, T, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, M, N, K, T, LayoutB> fb;
    wmma::fragment<wmma::accumulator, M, N, K, Acc> fc;
    wmma::load_matrix_sync(fa, a, lda);
    wmma::load_matrix_sync(fb, b, ldb);
    wmma::load_matrix_sync(fc, c, N, wmma::mem_row_major);
    wmma::mma_sync(fc, fa, fb, fc, saturated...);
    wmma::store_matrix_sync(d, fc, N, wmma::mem_row_major);
}

#define WMMA(name, T, Stored, Acc, M, N, K, LayoutB, ...)                                                    \
    extern "C" __global__ void name(const Stored* a, const Stored* b, const Acc* c, Acc* d) {                \
        wmma_product<T, Stored, Acc, M, N, K, wmma::LayoutB>(a, b, c, d, K, LDB(LayoutB, N, K) __VA_ARGS__); \
    }
#define LDB(LayoutB, N, K) LDB_##LayoutB(N, K)
#define LDB_row_major(N, K) N
#define LDB_col_major(N, K) K

WMMA(wmma_f16_f32, __half, __half, float, 16, 16, 16, col_major)
WMMA(wmma_f16_f32_row, __half, __half, float, 16, 16, 16, row_major)
WMMA(wmma_f16_f16, __half, __half, __half, 16, 16, 16, col_major)
WMMA(wmma_f16_f32_wide, __half, __half, float, 8, 32, 16, row_major)
#if __CUDA_ARCH__ >= 750
WMMA(wmma_s8, signed char, signed char, int, 16, 16, 16, col_major)
WMMA(wmma_u8_sat, unsigned char, unsigned char, int, 16, 16, 16, col_major, , true)
WMMA(wmma_s4, wmma::experimental::precision::s4, int, int, 8, 8, 32, col_major)
WMMA(wmma_u4, wmma::experimental::precision::u4, int, int, 8, 8, 32, col_major)
extern "C" __global__ void wmma_b1(const unsigned* a, const unsigned* b, const int* c, int* d) {
    wmma::fragment<wmma::matrix_a, 8, 8, 128, wmma::experimental::precision::b1, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 8, 8, 128, wmma::experimental::precision::b1, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 8, 8, 128, int> fc;
    wmma::load_matrix_sync(fa, a, 128);
    wmma::load_matrix_sync(fb, b, 128);
    wmma::load_matrix_sync(fc, c, 8, wmma::mem_row_major);
    wmma::bmma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(d, fc, 8, wmma::mem_row_major);
}
#endif
#if __CUDA_ARCH__ >= 800
WMMA(wmma_bf16, __nv_bfloat16, __nv_bfloat16, float, 16, 16, 16, col_major)
WMMA(wmma_tf32, wmma::precision::tf32, float, float, 16, 16, 8, col_major)
WMMA(wmma_f64, double, double, double, 8, 8, 4, col_major)
#endif

// Registers of A, B and the accumulator of one lane; rows: 16 or 8; acc_words: words per row of C and D.
template <int NA, int NB, int NC>
struct Fragments {
    unsigned a[NA], b[NB], c[NC], d[NC];
};

template <int NA, int NB, int NC, int rows>
__device__ void load(Fragments<NA, NB, NC>& f, const unsigned* a, const unsigned* b, const unsigned* c) {
    constexpr int words = 4 * NB;
    constexpr int halves = rows / 8;
    constexpr int per_half = NC / halves;
    const int lane = threadIdx.x, group = lane / 4, member = lane % 4;
    for (int r = 0; r < NA; ++r) {
        f.a[r] = a[(group + 8 * (r % halves)) * words + member + 4 * (r / halves)];
    }
    for (int r = 0; r < NB; ++r) {
        f.b[r] = b[group * words + member + 4 * r];
    }
    for (int r = 0; r < NC; ++r) {
        f.c[r] = c[(group + 8 * (r / per_half)) * 4 * per_half + member * per_half + r % per_half];
    }
}

template <int NA, int NB, int NC, int rows>
__device__ void store(const Fragments<NA, NB, NC>& f, unsigned* d) {
    constexpr int per_half = NC / (rows / 8);
    const int lane = threadIdx.x, group = lane / 4, member = lane % 4;
    for (int r = 0; r < NC; ++r) {
        d[(group + 8 * (r / per_half)) * 4 * per_half + member * per_half + r % per_half] = f.d[r];
    }
}

#define MMA_KERNEL(name, NA, NB, NC, rows, statement)                                                       \
    extern "C" __global__ void name(const unsigned* a, const unsigned* b, const unsigned* c, unsigned* d) { \
        Fragments<NA, NB, NC> f;                                                                            \
        load<NA, NB, NC, rows>(f, a, b, c);                                                                 \
        statement;                                                                                          \
        store<NA, NB, NC, rows>(f, d);                                                                      \
    }
#define R(x) "r"(f.x)
#define MMA_2_1_2(name, text)                                                         \
    MMA_KERNEL(name, 2, 1, 2, 16,                                                     \
               asm volatile("mma.sync.aligned." text " {%0,%1},{%2,%3},{%4},{%5,%6};" \
                            : "=r"(f.d[0]), "=r"(f.d[1])                              \
                            : R(a[0]), R(a[1]), R(b[0]), R(c[0]), R(c[1])))
#define MMA_2_1_4(name, text)                                                                      \
    MMA_KERNEL(name, 2, 1, 4, 16,                                                                  \
               asm volatile("mma.sync.aligned." text " {%0,%1,%2,%3},{%4,%5},{%6},{%7,%8,%9,%10};" \
                            : "=r"(f.d[0]), "=r"(f.d[1]), "=r"(f.d[2]), "=r"(f.d[3])               \
                            : R(a[0]), R(a[1]), R(b[0]), R(c[0]), R(c[1]), R(c[2]), R(c[3])))
#define MMA_4_2_2(name, text)                                                                  \
    MMA_KERNEL(name, 4, 2, 2, 16,                                                              \
               asm volatile("mma.sync.aligned." text " {%0,%1},{%2,%3,%4,%5},{%6,%7},{%8,%9};" \
                            : "=r"(f.d[0]), "=r"(f.d[1])                                       \
                            : R(a[0]), R(a[1]), R(a[2]), R(a[3]), R(b[0]), R(b[1]), R(c[0]), R(c[1])))
#define MMA_4_2_4(name, text)                                                                           \
    MMA_KERNEL(                                                                                         \
        name, 4, 2, 4, 16,                                                                              \
        asm volatile("mma.sync.aligned." text " {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%10,%11,%12,%13};" \
                     : "=r"(f.d[0]), "=r"(f.d[1]), "=r"(f.d[2]), "=r"(f.d[3])                           \
                     : R(a[0]), R(a[1]), R(a[2]), R(a[3]), R(b[0]), R(b[1]), R(c[0]), R(c[1]), R(c[2]), \
                       R(c[3])))
#define MMA_1_1_2(name, text)                                                      \
    MMA_KERNEL(name, 1, 1, 2, 8,                                                   \
               asm volatile("mma.sync.aligned." text " {%0,%1},{%2},{%3},{%4,%5};" \
                            : "=r"(f.d[0]), "=r"(f.d[1])                           \
                            : R(a[0]), R(b[0]), R(c[0]), R(c[1])))

#if __CUDA_ARCH__ >= 750
MMA_2_1_2(mma_1688_f16, "m16n8k8.row.col.f16.f16.f16.f16")
MMA_2_1_4(mma_1688_f32, "m16n8k8.row.col.f32.f16.f16.f32")
MMA_1_1_2(mma_8816_s8, "m8n8k16.row.col.s32.s8.s8.s32")
MMA_1_1_2(mma_8816_u8_s8_sat, "m8n8k16.row.col.satfinite.s32.u8.s8.s32")
MMA_1_1_2(mma_8832_s4, "m8n8k32.row.col.s32.s4.s4.s32")
MMA_1_1_2(mma_88128_xor, "m8n8k128.row.col.s32.b1.b1.s32.xor.popc")
#endif
#if __CUDA_ARCH__ >= 800
MMA_4_2_2(mma_16816_f16, "m16n8k16.row.col.f16.f16.f16.f16")
MMA_4_2_4(mma_16816_f32, "m16n8k16.row.col.f32.f16.f16.f32")
MMA_4_2_4(mma_16816_bf16, "m16n8k16.row.col.f32.bf16.bf16.f32")
MMA_2_1_4(mma_1688_bf16, "m16n8k8.row.col.f32.bf16.bf16.f32")
MMA_4_2_4(mma_1688_tf32, "m16n8k8.row.col.f32.tf32.tf32.f32")
MMA_2_1_4(mma_1684_tf32, "m16n8k4.row.col.f32.tf32.tf32.f32")
MMA_2_1_4(mma_16816_s8, "m16n8k16.row.col.s32.s8.s8.s32")
MMA_4_2_4(mma_16832_s8, "m16n8k32.row.col.s32.s8.s8.s32")
MMA_4_2_4(mma_16832_u8_sat, "m16n8k32.row.col.satfinite.s32.u8.u8.s32")
MMA_4_2_4(mma_16832_s8_u8, "m16n8k32.row.col.s32.s8.u8.s32")
MMA_2_1_4(mma_16832_s4, "m16n8k32.row.col.s32.s4.s4.s32")
MMA_4_2_4(mma_16864_s4, "m16n8k64.row.col.s32.s4.s4.s32")
MMA_4_2_4(mma_16864_u4_s4, "m16n8k64.row.col.s32.u4.s4.s32")
MMA_2_1_4(mma_168128_xor, "m16n8k128.row.col.s32.b1.b1.s32.xor.popc")
MMA_4_2_4(mma_168256_xor, "m16n8k256.row.col.s32.b1.b1.s32.xor.popc")
MMA_4_2_4(mma_168256_and, "m16n8k256.row.col.s32.b1.b1.s32.and.popc")
#endif
#if __CUDA_ARCH__ >= 900
// A: 16 rows of 16 doubles, B: 8 columns of 16, C and D: 16 rows of 8.
extern "C" __global__ void mma_16816_f64(const double* a, const double* b, const double* c, double* d) {
    const int group = threadIdx.x / 4, member = threadIdx.x % 4;
    double fa[8], fb[4], fc[4], fd[4];
    for (int r = 0; r < 8; ++r) {
        fa[r] = a[(group + 8 * (r % 2)) * 16 + member + 4 * (r / 2)];
    }
    for (int r = 0; r < 4; ++r) {
        fb[r] = b[group * 16 + member + 4 * r];
        fc[r] = c[(group + 8 * (r / 2)) * 8 + 2 * member + r % 2];
    }
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 "
        "{%0,%1,%2,%3},{%4,%5,%6,%7,%8,%9,%10,%11},{%12,%13,%14,%15},{%16,%17,%18,%19};"
        : "=d"(fd[0]), "=d"(fd[1]), "=d"(fd[2]), "=d"(fd[3])
        : "d"(fa[0]), "d"(fa[1]), "d"(fa[2]), "d"(fa[3]), "d"(fa[4]), "d"(fa[5]), "d"(fa[6]), "d"(fa[7]),
          "d"(fb[0]), "d"(fb[1]), "d"(fb[2]), "d"(fb[3]), "d"(fc[0]), "d"(fc[1]), "d"(fc[2]), "d"(fc[3]));
    for (int r = 0; r < 4; ++r) {
        d[(group + 8 * (r / 2)) * 8 + 2 * member + r % 2] = fd[r];
    }
}
#endif

// Moves: what the warp's registers hold afterwards, register r of lane l at out[32 r + l].
#if __CUDA_ARCH__ >= 750
__shared__ __align__(16) unsigned tile[1024];

// Row i of matrix m starts at word `at[8 m + i]`, a multiple of 4.
__device__ unsigned row_address(const int* at) {
    return static_cast<unsigned>(__cvta_generic_to_shared(tile)) + 4 * at[threadIdx.x];
}
__device__ void fill(const unsigned* in) {
    for (int i = threadIdx.x; i < 1024; i += 32) {
        tile[i] = in[i];
    }
    __syncthreads();
}
#define LDMATRIX(name, text, count, ...)                                                     \
    extern "C" __global__ void name(const unsigned* in, const int* at, unsigned* out) {      \
        fill(in);                                                                            \
        unsigned r[4];                                                                       \
        asm volatile("ldmatrix.sync.aligned.m8n8." text:__VA_ARGS__ : "r"(row_address(at))); \
        for (int i = 0; i < count; ++i) {                                                    \
            out[32 * i + threadIdx.x] = r[i];                                                \
        }                                                                                    \
    }
LDMATRIX(ldmatrix_x1, "x1.shared.b16 {%0},[%1];", 1, "=r"(r[0]))
LDMATRIX(ldmatrix_x2, "x2.shared.b16 {%0,%1},[%2];", 2, "=r"(r[0]), "=r"(r[1]))
LDMATRIX(ldmatrix_x4, "x4.shared.b16 {%0,%1,%2,%3},[%4];", 4, "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]))
LDMATRIX(ldmatrix_x1_trans, "x1.trans.shared.b16 {%0},[%1];", 1, "=r"(r[0]))
LDMATRIX(ldmatrix_x4_trans, "x4.trans.shared.b16 {%0,%1,%2,%3},[%4];", 4, "=r"(r[0]), "=r"(r[1]), "=r"(r[2]),
         "=r"(r[3]))

extern "C" __global__ void movmatrix(const unsigned* in, unsigned* out) {
    unsigned r;
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0,%1;" : "=r"(r) : "r"(in[threadIdx.x]));
    out[threadIdx.x] = r;
}
#endif
#if __CUDA_ARCH__ >= 900
#define STMATRIX(name, text, ...)                                                                            \
    extern "C" __global__ void name(const unsigned* in, const int* at, unsigned* out) {                      \
        for (int i = threadIdx.x; i < 1024; i += 32) {                                                       \
            tile[i] = 0;                                                                                     \
        }                                                                                                    \
        __syncthreads();                                                                                     \
        unsigned r[4] = {in[threadIdx.x], in[32 + threadIdx.x], in[64 + threadIdx.x], in[96 + threadIdx.x]}; \
        asm volatile("stmatrix.sync.aligned.m8n8." text ::"r"(row_address(at)), __VA_ARGS__ : "memory");     \
        __syncthreads();                                                                                     \
        for (int i = threadIdx.x; i < 1024; i += 32) {                                                       \
            out[i] = tile[i];                                                                                \
        }                                                                                                    \
    }
STMATRIX(stmatrix_x1, "x1.shared.b16 [%0],{%1};", "r"(r[0]))
STMATRIX(stmatrix_x4, "x4.shared.b16 [%0],{%1,%2,%3,%4};", "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]))
STMATRIX(stmatrix_x2_trans, "x2.trans.shared.b16 [%0],{%1,%2};", "r"(r[0]), "r"(r[1]))
#endif
