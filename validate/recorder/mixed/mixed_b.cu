// app_b.cu - 28 assorted GPU kernels, each launched four times in a row.
#include <cooperative_groups.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

namespace cg = cooperative_groups;

#define CHECK(call)                                                                                       \
    do {                                                                                                  \
        cudaError_t err_ = (call);                                                                        \
        if (err_ != cudaSuccess) {                                                                        \
            std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(err_)); \
            std::exit(1);                                                                                 \
        }                                                                                                 \
    } while (0)

#define LAUNCH4(kernel, grid, block, shmem, ...)               \
    do {                                                       \
        for (int rep_ = 0; rep_ < 4; ++rep_) {                 \
            kernel<<<(grid), (block), (shmem)>>>(__VA_ARGS__); \
            CHECK(cudaGetLastError());                         \
            CHECK(cudaDeviceSynchronize());                    \
        }                                                      \
        std::printf("%-28s", #kernel);                         \
    } while (0)

// ---------------------------------------------------------------------------
// (1) SAXPY, grid-stride loop
extern "C" __global__ void saxpy_grid_stride(int n, float a, const float* __restrict__ x,
                                             float* __restrict__ y) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = a * x[i] + y[i];
}

// ---------------------------------------------------------------------------
// (2) strided gather through a permutation
extern "C" __global__ void gather_permuted(const float* __restrict__ in, const int* __restrict__ perm,
                                           float* __restrict__ out, int n, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[(size_t)perm[i] * stride];
}

// ---------------------------------------------------------------------------
// (3) inclusive scan of one segment per block, warp shuffles + carry
extern "C" __global__ void scan_inclusive_shfl(const int* __restrict__ in, int* __restrict__ out, int segLen,
                                               int n) {
    __shared__ int warpSums[32];
    const int lane = threadIdx.x & 31;
    const int wid = threadIdx.x >> 5;
    const int nWarps = blockDim.x >> 5;
    const int begin = blockIdx.x * segLen;
    const int end = min(begin + segLen, n);
    int carry = 0;

    for (int base = begin; base < end; base += blockDim.x) {
        const int idx = base + threadIdx.x;
        int v = (idx < end) ? in[idx] : 0;
#pragma unroll
        for (int d = 1; d < 32; d <<= 1) {
            int t = __shfl_up_sync(0xffffffffu, v, d);
            if (lane >= d)
                v += t;
        }
        if (lane == 31)
            warpSums[wid] = v;
        __syncthreads();
        if (wid == 0) {
            int s = (lane < nWarps) ? warpSums[lane] : 0;
#pragma unroll
            for (int d = 1; d < 32; d <<= 1) {
                int t = __shfl_up_sync(0xffffffffu, s, d);
                if (lane >= d)
                    s += t;
            }
            if (lane < nWarps)
                warpSums[lane] = s;
        }
        __syncthreads();
        int offset = carry;
        if (wid > 0)
            offset += warpSums[wid - 1];
        if (idx < end)
            out[idx] = v + offset;
        carry += warpSums[nWarps - 1];
        __syncthreads();
    }
}

// ---------------------------------------------------------------------------
// (4) flash-attention-like forward, FP32, head dim 64, one query row per thread
#define FA_D 64
#define FA_BR 64
#define FA_BC 16
extern "C" __global__ void __launch_bounds__(FA_BR)
    flash_attn_fwd_f32(const float* __restrict__ Q, const float* __restrict__ K, const float* __restrict__ V,
                       float* __restrict__ O, int seqLen, float scale) {
    __shared__ float4 Ks[FA_BC][FA_D / 4];
    __shared__ float4 Vs[FA_BC][FA_D / 4];

    const int head = blockIdx.y;
    const int row = blockIdx.x * FA_BR + threadIdx.x;
    const size_t headOff = (size_t)head * seqLen * FA_D;
    const float4* K4 = reinterpret_cast<const float4*>(K + headOff);
    const float4* V4 = reinterpret_cast<const float4*>(V + headOff);

    float q[FA_D];
    float acc[FA_D];
    const int qrow = min(row, seqLen - 1);
    const float4* q4 = reinterpret_cast<const float4*>(Q + headOff + (size_t)qrow * FA_D);
#pragma unroll
    for (int d = 0; d < FA_D / 4; ++d) {
        float4 t = q4[d];
        q[4 * d + 0] = t.x * scale;
        q[4 * d + 1] = t.y * scale;
        q[4 * d + 2] = t.z * scale;
        q[4 * d + 3] = t.w * scale;
    }
#pragma unroll
    for (int d = 0; d < FA_D; ++d)
        acc[d] = 0.0f;
    float m = -INFINITY;
    float l = 0.0f;

    for (int kv = 0; kv < seqLen; kv += FA_BC) {
        for (int i = threadIdx.x; i < FA_BC * FA_D / 4; i += FA_BR) {
            const int r = i / (FA_D / 4), c = i % (FA_D / 4);
            float4 kk = make_float4(0.f, 0.f, 0.f, 0.f), vv = kk;
            if (kv + r < seqLen) {
                kk = K4[(size_t)(kv + r) * (FA_D / 4) + c];
                vv = V4[(size_t)(kv + r) * (FA_D / 4) + c];
            }
            Ks[r][c] = kk;
            Vs[r][c] = vv;
        }
        __syncthreads();

        float s[FA_BC];
        float mNew = m;
#pragma unroll
        for (int j = 0; j < FA_BC; ++j) {
            float dot = 0.0f;
#pragma unroll
            for (int d = 0; d < FA_D / 4; ++d) {
                float4 k4 = Ks[j][d];
                dot += q[4 * d + 0] * k4.x;
                dot += q[4 * d + 1] * k4.y;
                dot += q[4 * d + 2] * k4.z;
                dot += q[4 * d + 3] * k4.w;
            }
            s[j] = (kv + j < seqLen) ? dot : -INFINITY;
            mNew = fmaxf(mNew, s[j]);
        }
        const float corr = __expf(m - mNew);
        l *= corr;
#pragma unroll
        for (int d = 0; d < FA_D; ++d)
            acc[d] *= corr;
#pragma unroll
        for (int j = 0; j < FA_BC; ++j) {
            const float p = __expf(s[j] - mNew);
            l += p;
#pragma unroll
            for (int d = 0; d < FA_D / 4; ++d) {
                float4 v4 = Vs[j][d];
                acc[4 * d + 0] += p * v4.x;
                acc[4 * d + 1] += p * v4.y;
                acc[4 * d + 2] += p * v4.z;
                acc[4 * d + 3] += p * v4.w;
            }
        }
        m = mNew;
        __syncthreads();
    }

    if (row < seqLen) {
        const float inv = 1.0f / l;
        float4* o4 = reinterpret_cast<float4*>(O + headOff + (size_t)row * FA_D);
#pragma unroll
        for (int d = 0; d < FA_D / 4; ++d)
            o4[d] = make_float4(acc[4 * d] * inv, acc[4 * d + 1] * inv, acc[4 * d + 2] * inv,
                                acc[4 * d + 3] * inv);
    }
}

// ---------------------------------------------------------------------------
// (5) depthwise 3x3 convolution, NHWC, pad 1
extern "C" __global__ void depthwise_conv3x3_nhwc(const float* __restrict__ in,
                                                  const float* __restrict__ weight, float* __restrict__ out,
                                                  int H, int W, int C) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    const int x = blockIdx.y * blockDim.y + threadIdx.y;
    const int y = blockIdx.z % H;
    const int n = blockIdx.z / H;
    if (c >= C || x >= W)
        return;

    float sum = 0.0f;
    for (int ky = 0; ky < 3; ++ky) {
        const int iy = y + ky - 1;
        if (iy < 0 || iy >= H)
            continue;
        for (int kx = 0; kx < 3; ++kx) {
            const int ix = x + kx - 1;
            if (ix < 0 || ix >= W)
                continue;
            sum += in[(((size_t)n * H + iy) * W + ix) * C + c] * weight[(ky * 3 + kx) * C + c];
        }
    }
    out[(((size_t)n * H + y) * W + x) * C + c] = sum;
}

// ---------------------------------------------------------------------------
// (6) 2x2 max pooling, stride 2, NCHW planes
extern "C" __global__ void maxpool_2x2(const float* __restrict__ in, float* __restrict__ out, int H, int W) {
    const int OH = H / 2, OW = W / 2;
    const int ox = blockIdx.x * blockDim.x + threadIdx.x;
    const int oy = blockIdx.y * blockDim.y + threadIdx.y;
    const int plane = blockIdx.z;
    if (ox >= OW || oy >= OH)
        return;
    const float* p = in + (size_t)plane * H * W + (size_t)(2 * oy) * W + 2 * ox;
    float m = fmaxf(fmaxf(p[0], p[1]), fmaxf(p[W], p[W + 1]));
    out[(size_t)plane * OH * OW + (size_t)oy * OW + ox] = m;
}

// ---------------------------------------------------------------------------
// (7) batch-norm inference, NCHW
extern "C" __global__ void batchnorm_inference(const float* __restrict__ x, float* __restrict__ y,
                                               const float* __restrict__ mean, const float* __restrict__ var,
                                               const float* __restrict__ gamma,
                                               const float* __restrict__ beta, int C, int HW) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int c = blockIdx.y % C;
    if (i >= HW)
        return;
    const size_t idx = (size_t)blockIdx.y * HW + i;
    const float inv = rsqrtf(var[c] + 1e-5f);
    y[idx] = gamma[c] * (x[idx] - mean[c]) * inv + beta[c];
}

// ---------------------------------------------------------------------------
// (8) softmax cross-entropy loss, one block per row
__device__ __forceinline__ float warpReduceMax(float v) {
    for (int d = 16; d > 0; d >>= 1)
        v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, d));
    return v;
}
__device__ __forceinline__ float warpReduceSum(float v) {
    for (int d = 16; d > 0; d >>= 1)
        v += __shfl_xor_sync(0xffffffffu, v, d);
    return v;
}

extern "C" __global__ void cross_entropy_rows(const float* __restrict__ logits,
                                              const int* __restrict__ labels, float* __restrict__ loss,
                                              int numClasses) {
    __shared__ float red[32];
    const int row = blockIdx.x;
    const int lane = threadIdx.x & 31, wid = threadIdx.x >> 5;
    const int nWarps = blockDim.x >> 5;
    const float* x = logits + (size_t)row * numClasses;

    float m = -INFINITY;
    for (int i = threadIdx.x; i < numClasses; i += blockDim.x)
        m = fmaxf(m, x[i]);
    m = warpReduceMax(m);
    if (lane == 0)
        red[wid] = m;
    __syncthreads();
    m = warpReduceMax(lane < nWarps ? red[lane] : -INFINITY);
    __syncthreads();

    float s = 0.0f;
    for (int i = threadIdx.x; i < numClasses; i += blockDim.x)
        s += expf(x[i] - m);
    s = warpReduceSum(s);
    if (lane == 0)
        red[wid] = s;
    __syncthreads();
    if (wid == 0) {
        s = warpReduceSum(lane < nWarps ? red[lane] : 0.0f);
        if (lane == 0)
            loss[row] = logf(s) + m - x[labels[row]];
    }
}

// ---------------------------------------------------------------------------
// (9) top-1 argmax, one warp per row
extern "C" __global__ void argmax_rows(const float* __restrict__ x, int* __restrict__ outIdx,
                                       float* __restrict__ outVal, int rows, int cols) {
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    const int lane = threadIdx.x & 31;
    if (row >= rows)
        return;
    const float* p = x + (size_t)row * cols;
    float best = -INFINITY;
    int bestIdx = cols;
    for (int c = lane; c < cols; c += 32) {
        float v = p[c];
        if (v > best) {
            best = v;
            bestIdx = c;
        }
    }
    for (int d = 16; d > 0; d >>= 1) {
        float ov = __shfl_down_sync(0xffffffffu, best, d);
        int oi = __shfl_down_sync(0xffffffffu, bestIdx, d);
        if (ov > best || (ov == best && oi < bestIdx)) {
            best = ov;
            bestIdx = oi;
        }
    }
    if (lane == 0) {
        outIdx[row] = bestIdx;
        outVal[row] = best;
    }
}

// ---------------------------------------------------------------------------
// (10) int8 GEMM: C[M][N] = A[M][K] * B[N][K]^T, 64x64 tile, 16x16 threads, 4x4 each
#define IG_TILE 64
#define IG_K 8  // packed ints of K per step (32 bytes)
extern "C" __global__ void __launch_bounds__(256)
    igemm_dp4a_64x64(const int* __restrict__ A, const int* __restrict__ B, int* __restrict__ C, int M, int N,
                     int K4) {
    __shared__ int As[IG_K][IG_TILE + 1];
    __shared__ int Bs[IG_K][IG_TILE + 1];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int tid = ty * 16 + tx;
    const int row0 = blockIdx.y * IG_TILE;
    const int col0 = blockIdx.x * IG_TILE;

    int acc[4][4];
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
            acc[i][j] = 0;

    for (int k0 = 0; k0 < K4; k0 += IG_K) {
#pragma unroll
        for (int t = tid; t < IG_TILE * IG_K; t += 256) {
            const int r = t / IG_K, k = t % IG_K;
            const bool kin = (k0 + k) < K4;
            As[k][r] = (kin && row0 + r < M) ? A[(size_t)(row0 + r) * K4 + k0 + k] : 0;
            Bs[k][r] = (kin && col0 + r < N) ? B[(size_t)(col0 + r) * K4 + k0 + k] : 0;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < IG_K; ++k) {
            int a[4], b[4];
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                a[i] = As[k][ty + 16 * i];
                b[i] = Bs[k][tx + 16 * i];
            }
#pragma unroll
            for (int i = 0; i < 4; ++i)
#pragma unroll
                for (int j = 0; j < 4; ++j)
                    acc[i][j] = __dp4a(a[i], b[j], acc[i][j]);
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const int r = row0 + ty + 16 * i;
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const int c = col0 + tx + 16 * j;
            if (r < M && c < N)
                C[(size_t)r * N + c] = acc[i][j];
        }
    }
}

// ---------------------------------------------------------------------------
// (11) half2 axpy
extern "C" __global__ void haxpy_half2(int n2, float a, const __half2* __restrict__ x,
                                       const __half2* __restrict__ y, __half2* __restrict__ out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n2)
        out[i] = __hfma2(__float2half2_rn(a), x[i], y[i]);
}

// ---------------------------------------------------------------------------
// (12) naive wmma GEMM, one warp per 16x16 tile of C
extern "C" __global__ void wmma_gemm_naive(const __half* __restrict__ A, const __half* __restrict__ B,
                                           float* __restrict__ C, int M, int N, int K) {
    using namespace nvcuda;
    const int warpM = blockIdx.y * blockDim.y + threadIdx.y;
    const int warpN = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (warpM * 16 >= M || warpN * 16 >= N)
        return;

    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
    wmma::fill_fragment(acc, 0.0f);
    for (int k = 0; k < K; k += 16) {
        wmma::load_matrix_sync(a, A + (size_t)warpM * 16 * K + k, K);
        wmma::load_matrix_sync(b, B + (size_t)k * N + warpN * 16, N);
        wmma::mma_sync(acc, a, b, acc);
    }
    wmma::store_matrix_sync(C + (size_t)warpM * 16 * N + warpN * 16, acc, N, wmma::mem_row_major);
}

// ---------------------------------------------------------------------------
// (13) LU without pivoting of 32x32 matrices, one warp each, lane = column
extern "C" __global__ void lu32_warp_shfl(const float* __restrict__ A, float* __restrict__ LU, int batch) {
    const int mat = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    const int lane = threadIdx.x & 31;
    if (mat >= batch)
        return;
    const float* src = A + (size_t)mat * 1024;
    float* dst = LU + (size_t)mat * 1024;

    float a[32];
#pragma unroll
    for (int i = 0; i < 32; ++i)
        a[i] = src[i * 32 + lane];
#pragma unroll
    for (int k = 0; k < 31; ++k) {
        const float invPivot = 1.0f / __shfl_sync(0xffffffffu, a[k], k);
#pragma unroll
        for (int i = k + 1; i < 32; ++i) {
            const float lik = __shfl_sync(0xffffffffu, a[i], k) * invPivot;
            if (lane > k)
                a[i] -= lik * a[k];
            if (lane == k)
                a[i] = lik;
        }
    }
#pragma unroll
    for (int i = 0; i < 32; ++i)
        dst[i * 32 + lane] = a[i];
}

// ---------------------------------------------------------------------------
// (14) Thomas algorithm, one thread per system, element i of system s at [i*nSys+s]
extern "C" __global__ void thomas_tridiag(const float* __restrict__ a, const float* __restrict__ b,
                                          const float* __restrict__ c, const float* __restrict__ d,
                                          float* __restrict__ cp, float* __restrict__ x, int n, int nSys) {
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= nSys)
        return;
    float cPrev = c[s] / b[s];
    float dPrev = d[s] / b[s];
    cp[s] = cPrev;
    x[s] = dPrev;
    for (int i = 1; i < n; ++i) {
        const int idx = i * nSys + s;
        const float ai = a[idx];
        const float w = 1.0f / (b[idx] - ai * cPrev);
        cPrev = c[idx] * w;
        dPrev = (d[idx] - ai * dPrev) * w;
        cp[idx] = cPrev;
        x[idx] = dPrev;
    }
    float xn = dPrev;
    for (int i = n - 2; i >= 0; --i) {
        const int idx = i * nSys + s;
        xn = x[idx] - cp[idx] * xn;
        x[idx] = xn;
    }
}

// ---------------------------------------------------------------------------
// (15) Smith-Waterman score, linear gaps, one alignment per thread
#define SW_MAX 64
#define SW_GAP 2
extern "C" __global__ void smith_waterman_score(const unsigned char* __restrict__ queries,
                                                const unsigned char* __restrict__ refs,
                                                int* __restrict__ scores, int n, int qLen, int rLen,
                                                int match, int mismatch) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    const unsigned char* q = queries + (size_t)t * qLen;
    const unsigned char* r = refs + (size_t)t * rLen;

    short H[SW_MAX + 1];
    for (int j = 0; j <= rLen; ++j)
        H[j] = 0;
    int best = 0;
    for (int i = 0; i < qLen; ++i) {
        const unsigned char qc = q[i];
        int diag = 0;
        int left = 0;
        for (int j = 1; j <= rLen; ++j) {
            const int up = H[j];
            int h = diag + (qc == r[j - 1] ? match : mismatch);
            h = max(h, up - SW_GAP);
            h = max(h, left - SW_GAP);
            h = max(h, 0);
            diag = up;
            left = h;
            H[j] = (short)h;
            best = max(best, h);
        }
    }
    scores[t] = best;
}

// ---------------------------------------------------------------------------
// (16) SHA-256 of 64-byte messages, one message per thread
__constant__ uint32_t c_sha256K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

__device__ __forceinline__ uint32_t rotr32(uint32_t x, int n) {
    return (x >> n) | (x << (32 - n));
}

__device__ __forceinline__ uint32_t bswap32(uint32_t x) {
    return __byte_perm(x, 0, 0x0123);
}

__device__ __forceinline__ void sha256Compress(uint32_t h[8], uint32_t w[16]) {
    uint32_t a = h[0], b = h[1], c = h[2], d = h[3], e = h[4], f = h[5], g = h[6], hh = h[7];
#pragma unroll
    for (int i = 0; i < 64; ++i) {
        if (i >= 16) {
            const uint32_t w15 = w[(i + 1) & 15], w2 = w[(i + 14) & 15];
            const uint32_t s0 = rotr32(w15, 7) ^ rotr32(w15, 18) ^ (w15 >> 3);
            const uint32_t s1 = rotr32(w2, 17) ^ rotr32(w2, 19) ^ (w2 >> 10);
            w[i & 15] += s0 + w[(i + 9) & 15] + s1;
        }
        const uint32_t S1 = rotr32(e, 6) ^ rotr32(e, 11) ^ rotr32(e, 25);
        const uint32_t ch = (e & f) ^ (~e & g);
        const uint32_t t1 = hh + S1 + ch + c_sha256K[i] + w[i & 15];
        const uint32_t S0 = rotr32(a, 2) ^ rotr32(a, 13) ^ rotr32(a, 22);
        const uint32_t maj = (a & b) ^ (a & c) ^ (b & c);
        const uint32_t t2 = S0 + maj;
        hh = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + t2;
    }
    h[0] += a;
    h[1] += b;
    h[2] += c;
    h[3] += d;
    h[4] += e;
    h[5] += f;
    h[6] += g;
    h[7] += hh;
}

extern "C" __global__ void sha256_64byte(const uint4* __restrict__ msgs, uint4* __restrict__ digests, int n) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= n)
        return;
    uint32_t h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                     0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    uint32_t w[16];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const uint4 v = msgs[(size_t)t * 4 + i];
        w[4 * i + 0] = bswap32(v.x);
        w[4 * i + 1] = bswap32(v.y);
        w[4 * i + 2] = bswap32(v.z);
        w[4 * i + 3] = bswap32(v.w);
    }
    sha256Compress(h, w);
    // padding block: 0x80, zeros, bit length 512
    w[0] = 0x80000000u;
#pragma unroll
    for (int i = 1; i < 15; ++i)
        w[i] = 0;
    w[15] = 512;
    sha256Compress(h, w);
    digests[(size_t)t * 2 + 0] = make_uint4(bswap32(h[0]), bswap32(h[1]), bswap32(h[2]), bswap32(h[3]));
    digests[(size_t)t * 2 + 1] = make_uint4(bswap32(h[4]), bswap32(h[5]), bswap32(h[6]), bswap32(h[7]));
}

// ---------------------------------------------------------------------------
// (17) AES-128 ECB encryption with T-tables in shared memory, one 16-byte block per thread
extern "C" __global__ void aes128_ttable(const uint4* __restrict__ in, uint4* __restrict__ out,
                                         const uint32_t* __restrict__ tables,
                                         const uint32_t* __restrict__ roundKeys, int n) {
    __shared__ uint32_t T0[256], T1[256], T2[256], T3[256];
    __shared__ uint32_t rk[44];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) {
        T0[i] = tables[i];
        T1[i] = tables[256 + i];
        T2[i] = tables[512 + i];
        T3[i] = tables[768 + i];
    }
    for (int i = threadIdx.x; i < 44; i += blockDim.x)
        rk[i] = roundKeys[i];
    __syncthreads();

    for (int t = blockIdx.x * blockDim.x + threadIdx.x; t < n; t += gridDim.x * blockDim.x) {
        const uint4 p = in[t];
        uint32_t s0 = bswap32(p.x) ^ rk[0];
        uint32_t s1 = bswap32(p.y) ^ rk[1];
        uint32_t s2 = bswap32(p.z) ^ rk[2];
        uint32_t s3 = bswap32(p.w) ^ rk[3];
        for (int r = 1; r < 10; ++r) {
            const uint32_t t0 =
                T0[s0 >> 24] ^ T1[(s1 >> 16) & 255] ^ T2[(s2 >> 8) & 255] ^ T3[s3 & 255] ^ rk[4 * r];
            const uint32_t t1 =
                T0[s1 >> 24] ^ T1[(s2 >> 16) & 255] ^ T2[(s3 >> 8) & 255] ^ T3[s0 & 255] ^ rk[4 * r + 1];
            const uint32_t t2 =
                T0[s2 >> 24] ^ T1[(s3 >> 16) & 255] ^ T2[(s0 >> 8) & 255] ^ T3[s1 & 255] ^ rk[4 * r + 2];
            const uint32_t t3 =
                T0[s3 >> 24] ^ T1[(s0 >> 16) & 255] ^ T2[(s1 >> 8) & 255] ^ T3[s2 & 255] ^ rk[4 * r + 3];
            s0 = t0;
            s1 = t1;
            s2 = t2;
            s3 = t3;
        }
        // last round: plain S-box bytes picked out of the tables
#define AES_LAST(a, b, c, d, k)                                               \
    (((T2[(a) >> 24] & 0xff000000u) | (T3[((b) >> 16) & 255] & 0x00ff0000u) | \
      (T0[((c) >> 8) & 255] & 0x0000ff00u) | (T1[(d)&255] & 0x000000ffu)) ^   \
     rk[40 + (k)])
        uint4 o;
        o.x = bswap32(AES_LAST(s0, s1, s2, s3, 0));
        o.y = bswap32(AES_LAST(s1, s2, s3, s0, 1));
        o.z = bswap32(AES_LAST(s2, s3, s0, s1, 2));
        o.w = bswap32(AES_LAST(s3, s0, s1, s2, 3));
        out[t] = o;
#undef AES_LAST
    }
}

// ---------------------------------------------------------------------------
// (18) ray-sphere intersection, 64 spheres in constant memory
#define NUM_SPHERES 64
__constant__ float4 c_spheres[NUM_SPHERES];  // xyz centre, w radius

extern "C" __global__ void ray_spheres(uchar4* __restrict__ image, int width, int height, float fovScale) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float dx = (2.0f * (x + 0.5f) / width - 1.0f) * fovScale * width / height;
    float dy = (1.0f - 2.0f * (y + 0.5f) / height) * fovScale;
    float dz = -1.0f;
    const float inv = rsqrtf(dx * dx + dy * dy + dz * dz);
    dx *= inv;
    dy *= inv;
    dz *= inv;

    float tBest = 1e30f;
    int hit = -1;
    for (int i = 0; i < NUM_SPHERES; ++i) {
        const float4 s = c_spheres[i];
        // ray origin is (0,0,0)
        const float b = dx * s.x + dy * s.y + dz * s.z;
        const float c = s.x * s.x + s.y * s.y + s.z * s.z - s.w * s.w;
        const float disc = b * b - c;
        if (disc > 0.0f) {
            const float t = b - sqrtf(disc);
            if (t > 1e-3f && t < tBest) {
                tBest = t;
                hit = i;
            }
        }
    }
    uchar4 pix = make_uchar4(20, 30, 60, 255);
    if (hit >= 0) {
        const float4 s = c_spheres[hit];
        const float nx = (dx * tBest - s.x) / s.w;
        const float ny = (dy * tBest - s.y) / s.w;
        const float nz = (dz * tBest - s.z) / s.w;
        const float diff = fmaxf(0.0f, 0.577f * nx + 0.577f * ny + 0.577f * nz);
        const float shade = fminf(1.0f, 0.15f + 0.85f * diff);
        pix = make_uchar4((unsigned char)(255.0f * shade), (unsigned char)(3.9f * hit * shade),
                          (unsigned char)(128.0f * shade), 255);
    }
    image[(size_t)y * width + x] = pix;
}

// ---------------------------------------------------------------------------
// (19) bilinear resize of uchar4 pixels
extern "C" __global__ void resize_bilinear_uchar4(const uchar4* __restrict__ src, uchar4* __restrict__ dst,
                                                  int sw, int sh, int dw, int dh) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= dw || y >= dh)
        return;
    float fx = (x + 0.5f) * ((float)sw / dw) - 0.5f;
    float fy = (y + 0.5f) * ((float)sh / dh) - 0.5f;
    fx = fminf(fmaxf(fx, 0.0f), sw - 1.0f);
    fy = fminf(fmaxf(fy, 0.0f), sh - 1.0f);
    const int x0 = (int)fx, y0 = (int)fy;
    const int x1 = min(x0 + 1, sw - 1), y1 = min(y0 + 1, sh - 1);
    const float ax = fx - x0, ay = fy - y0;
    const uchar4 p00 = src[(size_t)y0 * sw + x0], p01 = src[(size_t)y0 * sw + x1];
    const uchar4 p10 = src[(size_t)y1 * sw + x0], p11 = src[(size_t)y1 * sw + x1];
    const float w00 = (1 - ax) * (1 - ay), w01 = ax * (1 - ay), w10 = (1 - ax) * ay, w11 = ax * ay;
    uchar4 o;
    o.x = (unsigned char)(w00 * p00.x + w01 * p01.x + w10 * p10.x + w11 * p11.x + 0.5f);
    o.y = (unsigned char)(w00 * p00.y + w01 * p01.y + w10 * p10.y + w11 * p11.y + 0.5f);
    o.z = (unsigned char)(w00 * p00.z + w01 * p01.z + w10 * p10.z + w11 * p11.z + 0.5f);
    o.w = (unsigned char)(w00 * p00.w + w01 * p01.w + w10 * p10.w + w11 * p11.w + 0.5f);
    dst[(size_t)y * dw + x] = o;
}

// ---------------------------------------------------------------------------
// (20) packed RGB bytes to planar YUV (BT.601, full range)
__device__ __forceinline__ unsigned char clampByte(float v) {
    return (unsigned char)fminf(fmaxf(v + 0.5f, 0.0f), 255.0f);
}

extern "C" __global__ void rgb_to_yuv(const unsigned char* __restrict__ rgb, unsigned char* __restrict__ Y,
                                      unsigned char* __restrict__ U, unsigned char* __restrict__ V,
                                      int numPixels) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= numPixels)
        return;
    const float r = rgb[3 * i + 0];
    const float g = rgb[3 * i + 1];
    const float b = rgb[3 * i + 2];
    Y[i] = clampByte(0.299f * r + 0.587f * g + 0.114f * b);
    U[i] = clampByte(-0.168736f * r - 0.331264f * g + 0.5f * b + 128.0f);
    V[i] = clampByte(0.5f * r - 0.418688f * g - 0.081312f * b + 128.0f);
}

// ---------------------------------------------------------------------------
// (21) 3x3 Sobel magnitude
extern "C" __global__ void sobel3x3_ldg(const unsigned char* __restrict__ in, unsigned char* __restrict__ out,
                                        int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int mag = 0;
    if (x > 0 && y > 0 && x < width - 1 && y < height - 1) {
        const unsigned char* p = in + (size_t)y * width + x;
        const int a = __ldg(p - width - 1), b = __ldg(p - width), c = __ldg(p - width + 1);
        const int d = __ldg(p - 1), f = __ldg(p + 1);
        const int g = __ldg(p + width - 1), h = __ldg(p + width), i = __ldg(p + width + 1);
        const int gx = (c + 2 * f + i) - (a + 2 * d + g);
        const int gy = (g + 2 * h + i) - (a + 2 * b + c);
        mag = min(255, (int)sqrtf((float)(gx * gx + gy * gy)));
    }
    out[(size_t)y * width + x] = (unsigned char)mag;
}

// ---------------------------------------------------------------------------
// (22) integral image, row pass: one block per row, Hillis-Steele in shared memory
extern "C" __global__ void integral_rows(const unsigned char* __restrict__ in, unsigned int* __restrict__ out,
                                         int width) {
    extern __shared__ unsigned int scanBuf[];  // 2 * blockDim.x
    const int row = blockIdx.x;
    const int tid = threadIdx.x;
    const int n = blockDim.x;
    unsigned int carry = 0;
    for (int base = 0; base < width; base += n) {
        const int x = base + tid;
        int cur = 0;
        scanBuf[tid] = (x < width) ? in[(size_t)row * width + x] : 0u;
        __syncthreads();
        for (int d = 1; d < n; d <<= 1) {
            unsigned int v = scanBuf[cur * n + tid];
            if (tid >= d)
                v += scanBuf[cur * n + tid - d];
            cur ^= 1;
            scanBuf[cur * n + tid] = v;
            __syncthreads();
        }
        if (x < width)
            out[(size_t)row * width + x] = carry + scanBuf[cur * n + tid];
        carry += scanBuf[cur * n + n - 1];
        __syncthreads();
    }
}

// ---------------------------------------------------------------------------
// (23) 1-D heat equation, several explicit steps per block in shared memory
extern "C" __global__ void heat1d_multistep(const float* __restrict__ u, float* __restrict__ uNew, int n,
                                            float alpha, int steps) {
    extern __shared__ float cells[];  // 2 * blockDim.x
    const int tid = threadIdx.x;
    const int bd = blockDim.x;
    const int inner = bd - 2 * steps;
    const int gi = blockIdx.x * inner + tid - steps;
    const int clamped = min(max(gi, 0), n - 1);
    float* cur = cells;
    float* nxt = cells + bd;
    cur[tid] = u[clamped];
    __syncthreads();
    const bool boundary = (gi <= 0) || (gi >= n - 1);
    for (int s = 0; s < steps; ++s) {
        float v = cur[tid];
        if (tid > 0 && tid < bd - 1 && !boundary)
            v += alpha * (cur[tid - 1] - 2.0f * v + cur[tid + 1]);
        nxt[tid] = v;
        __syncthreads();
        float* tmp = cur;
        cur = nxt;
        nxt = tmp;
    }
    if (tid >= steps && tid < bd - steps && gi < n)
        uNew[gi] = cur[tid];
}

// ---------------------------------------------------------------------------
// (24) particle-in-cell charge deposit, cloud-in-cell weights, periodic grid
extern "C" __global__ void pic_deposit(const float* __restrict__ px, const float* __restrict__ py,
                                       const float* __restrict__ charge, float* __restrict__ rho,
                                       int numParticles, int nx, int ny) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= numParticles)
        return;
    const float x = px[i], y = py[i], q = charge[i];
    const float xf = floorf(x), yf = floorf(y);
    const float fx = x - xf, fy = y - yf;
    const int ix = min(max((int)xf, 0), nx - 1), iy = min(max((int)yf, 0), ny - 1);
    const int ix1 = (ix + 1 == nx) ? 0 : ix + 1;
    const int iy1 = (iy + 1 == ny) ? 0 : iy + 1;
    atomicAdd(&rho[iy * nx + ix], q * (1.0f - fx) * (1.0f - fy));
    atomicAdd(&rho[iy * nx + ix1], q * fx * (1.0f - fy));
    atomicAdd(&rho[iy1 * nx + ix], q * (1.0f - fx) * fy);
    atomicAdd(&rho[iy1 * nx + ix1], q * fx * fy);
}

// ---------------------------------------------------------------------------
// (25) hash-table insert, open addressing with linear probing
#define HT_EMPTY 0xffffffffu
extern "C" __global__ void hash_insert(unsigned int* __restrict__ tableKeys,
                                       unsigned int* __restrict__ tableVals, unsigned int mask,
                                       const unsigned int* __restrict__ keys,
                                       const unsigned int* __restrict__ vals, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const unsigned int key = keys[i];
    unsigned int h = key;
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    h ^= h >> 16;
    unsigned int slot = h & mask;
    for (unsigned int probe = 0; probe <= mask; ++probe) {
        const unsigned int prev = atomicCAS(&tableKeys[slot], HT_EMPTY, key);
        if (prev == HT_EMPTY || prev == key) {
            tableVals[slot] = vals[i];
            return;
        }
        slot = (slot + 1) & mask;
    }
}

// ---------------------------------------------------------------------------
// (26) Conway's life, 32 cells per word, torus
extern "C" __global__ void life_bitpacked(const unsigned int* __restrict__ in, unsigned int* __restrict__ out,
                                          int wordsPerRow, int rows) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= wordsPerRow || y >= rows)
        return;
    const int xl = (x == 0) ? wordsPerRow - 1 : x - 1;
    const int xr = (x == wordsPerRow - 1) ? 0 : x + 1;
    const int yu = (y == 0) ? rows - 1 : y - 1;
    const int yd = (y == rows - 1) ? 0 : y + 1;
    const unsigned int* up = in + (size_t)yu * wordsPerRow;
    const unsigned int* mid = in + (size_t)y * wordsPerRow;
    const unsigned int* dn = in + (size_t)yd * wordsPerRow;

    const unsigned int u = up[x], c = mid[x], d = dn[x];
    const unsigned int uw = (u << 1) | (up[xl] >> 31), ue = (u >> 1) | (up[xr] << 31);
    const unsigned int cw = (c << 1) | (mid[xl] >> 31), ce = (c >> 1) | (mid[xr] << 31);
    const unsigned int dw = (d << 1) | (dn[xl] >> 31), de = (d >> 1) | (dn[xr] << 31);

    // bit-sliced neighbour count
    const unsigned int s0 = uw ^ u ^ ue, c0 = (uw & u) | (ue & (uw ^ u));
    const unsigned int s1 = dw ^ d ^ de, c1 = (dw & d) | (de & (dw ^ d));
    const unsigned int s2 = cw ^ ce, c2 = cw & ce;
    const unsigned int ones = s0 ^ s1 ^ s2, c3 = (s0 & s1) | (s2 & (s0 ^ s1));
    const unsigned int t = c0 ^ c1 ^ c2, four0 = (c0 & c1) | (c2 & (c0 ^ c1));
    const unsigned int twos = t ^ c3, four1 = t & c3;
    out[(size_t)y * wordsPerRow + x] = ~(four0 | four1) & twos & (ones | c);
}

// ---------------------------------------------------------------------------
// (27) degree-31 polynomial, Horner, double precision
__constant__ double c_poly[32];

extern "C" __global__ void horner31_double(const double* __restrict__ x, double* __restrict__ y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const double v = x[i];
    double r = c_poly[31];
#pragma unroll
    for (int k = 30; k >= 0; --k)
        r = r * v + c_poly[k];
    y[i] = r;
}

// ---------------------------------------------------------------------------
// (28) CSR segment sums, one 8-thread tile per segment
extern "C" __global__ void segment_reduce_tile8(const float* __restrict__ vals,
                                                const int* __restrict__ offsets, float* __restrict__ sums,
                                                int numSegments) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
    const int seg = (blockIdx.x * blockDim.x + threadIdx.x) / 8;
    if (seg >= numSegments)
        return;
    const int begin = offsets[seg], end = offsets[seg + 1];
    float s = 0.0f;
    for (int i = begin + (int)tile.thread_rank(); i < end; i += 8)
        s += vals[i];
    for (int d = 4; d > 0; d >>= 1)
        s += tile.shfl_down(s, d);
    if (tile.thread_rank() == 0)
        sums[seg] = s;
}

// ===========================================================================
// host side

struct Lcg {
    uint64_t s;
    explicit Lcg(uint64_t seed) : s(seed * 2862933555777941757ull + 3037000493ull) {}
    uint32_t next() {
        s = s * 6364136223846793005ull + 1442695040888963407ull;
        return (uint32_t)(s >> 32);
    }
    float uniform(float lo, float hi) { return lo + (hi - lo) * ((next() >> 8) * (1.0f / 16777216.0f)); }
};

static std::vector<float> randomFloats(size_t n, float lo, float hi, uint64_t seed) {
    Lcg rng(seed);
    std::vector<float> v(n);
    for (auto& e : v)
        e = rng.uniform(lo, hi);
    return v;
}

static std::vector<uint32_t> randomWords(size_t n, uint64_t seed) {
    Lcg rng(seed);
    std::vector<uint32_t> v(n);
    for (auto& e : v)
        e = rng.next();
    return v;
}

static std::vector<unsigned char> randomBytes(size_t n, uint64_t seed) {
    Lcg rng(seed);
    std::vector<unsigned char> v(n);
    for (auto& e : v)
        e = (unsigned char)(rng.next() >> 24);
    return v;
}

template <class T>
static T* devAlloc(size_t n) {
    T* p = nullptr;
    CHECK(cudaMalloc((void**)&p, n * sizeof(T)));
    CHECK(cudaMemset(p, 0, n * sizeof(T)));
    return p;
}

template <class T>
static T* upload(const std::vector<T>& h) {
    T* p = nullptr;
    CHECK(cudaMalloc((void**)&p, h.size() * sizeof(T)));
    CHECK(cudaMemcpy(p, h.data(), h.size() * sizeof(T), cudaMemcpyHostToDevice));
    return p;
}

template <class T>
static void freeAll(T* p) {
    CHECK(cudaFree((void*)p));
}
template <class T, class... R>
static void freeAll(T* p, R*... rest) {
    CHECK(cudaFree((void*)p));
    freeAll(rest...);
}

// FNV-1a of the first bytes of a result, printed after the kernel name
static void report(const void* dev, size_t bytes) {
    if (bytes > 65536)
        bytes = 65536;
    std::vector<unsigned char> h(bytes);
    CHECK(cudaMemcpy(h.data(), dev, bytes, cudaMemcpyDeviceToHost));
    uint32_t f = 2166136261u;
    for (unsigned char b : h)
        f = (f ^ b) * 16777619u;
    std::printf(" %08x\n", f);
}

static unsigned int ceilDiv(size_t a, size_t b) {
    return (unsigned int)((a + b - 1) / b);
}

static void runSaxpy() {
    const int n = 1 << 24;
    float* x = upload(randomFloats(n, -1, 1, 1));
    float* y = upload(randomFloats(n, -1, 1, 2));
    LAUNCH4(saxpy_grid_stride, 1056, 256, 0, n, 0.75f, x, y);
    report(y, n * sizeof(float));
    freeAll(x, y);
}

static void runGather() {
    const int n = 1 << 22, stride = 4;
    std::vector<int> perm(n);
    for (int i = 0; i < n; ++i)
        perm[i] = i;
    Lcg rng(3);
    for (int i = n - 1; i > 0; --i)
        std::swap(perm[i], perm[rng.next() % (uint32_t)(i + 1)]);
    float* in = upload(randomFloats((size_t)n * stride, -1, 1, 4));
    int* p = upload(perm);
    float* out = devAlloc<float>(n);
    LAUNCH4(gather_permuted, ceilDiv(n, 256), 256, 0, in, p, out, n, stride);
    report(out, n * sizeof(float));
    freeAll(in, p, out);
}

static void runScan() {
    const int n = 1 << 23, segLen = 8192;
    std::vector<int> h(n);
    Lcg rng(5);
    for (auto& e : h)
        e = (int)(rng.next() % 100u);
    int* in = upload(h);
    int* out = devAlloc<int>(n);
    LAUNCH4(scan_inclusive_shfl, ceilDiv(n, segLen), 256, 0, in, out, segLen, n);
    report(out, n * sizeof(int));
    freeAll(in, out);
}

static void runFlash() {
    const int heads = 64, seq = 512;
    const size_t n = (size_t)heads * seq * FA_D;
    float* q = upload(randomFloats(n, -1, 1, 6));
    float* k = upload(randomFloats(n, -1, 1, 7));
    float* v = upload(randomFloats(n, -1, 1, 8));
    float* o = devAlloc<float>(n);
    LAUNCH4(flash_attn_fwd_f32, dim3(ceilDiv(seq, FA_BR), heads), FA_BR, 0, q, k, v, o, seq, 0.125f);
    report(o, n * sizeof(float));
    freeAll(q, k, v, o);
}

static void runDepthwise() {
    const int N = 8, H = 112, W = 112, C = 128;
    const size_t n = (size_t)N * H * W * C;
    float* in = upload(randomFloats(n, -1, 1, 9));
    float* w = upload(randomFloats(9 * C, -1, 1, 10));
    float* out = devAlloc<float>(n);
    LAUNCH4(depthwise_conv3x3_nhwc, dim3(ceilDiv(C, 64), ceilDiv(W, 4), N * H), dim3(64, 4), 0, in, w, out, H,
            W, C);
    report(out, n * sizeof(float));
    freeAll(in, w, out);
}

static void runMaxpool() {
    const int planes = 256, H = 256, W = 256;
    const size_t n = (size_t)planes * H * W;
    float* in = upload(randomFloats(n, -1, 1, 11));
    float* out = devAlloc<float>(n / 4);
    LAUNCH4(maxpool_2x2, dim3(ceilDiv(W / 2, 32), ceilDiv(H / 2, 8), planes), dim3(32, 8), 0, in, out, H, W);
    report(out, n / 4 * sizeof(float));
    freeAll(in, out);
}

static void runBatchnorm() {
    const int N = 64, C = 64, HW = 56 * 56;
    const size_t n = (size_t)N * C * HW;
    float* x = upload(randomFloats(n, -2, 2, 12));
    float* mean = upload(randomFloats(C, -0.5f, 0.5f, 13));
    float* var = upload(randomFloats(C, 0.5f, 2, 14));
    float* gamma = upload(randomFloats(C, 0.5f, 1.5f, 15));
    float* beta = upload(randomFloats(C, -1, 1, 16));
    float* y = devAlloc<float>(n);
    LAUNCH4(batchnorm_inference, dim3(ceilDiv(HW, 256), N * C), 256, 0, x, y, mean, var, gamma, beta, C, HW);
    report(y, n * sizeof(float));
    freeAll(x, mean, var, gamma, beta, y);
}

static void runCrossEntropy() {
    const int rows = 8192, classes = 1000;
    float* logits = upload(randomFloats((size_t)rows * classes, -5, 5, 17));
    std::vector<int> h(rows);
    Lcg rng(18);
    for (auto& e : h)
        e = (int)(rng.next() % (uint32_t)classes);
    int* labels = upload(h);
    float* loss = devAlloc<float>(rows);
    LAUNCH4(cross_entropy_rows, rows, 128, 0, logits, labels, loss, classes);
    report(loss, rows * sizeof(float));
    freeAll(logits, labels, loss);
}

static void runArgmax() {
    const int rows = 8192, cols = 2048;
    float* x = upload(randomFloats((size_t)rows * cols, -1, 1, 19));
    int* idx = devAlloc<int>(rows);
    float* val = devAlloc<float>(rows);
    LAUNCH4(argmax_rows, ceilDiv((size_t)rows * 32, 256), 256, 0, x, idx, val, rows, cols);
    report(idx, rows * sizeof(int));
    freeAll(x, idx, val);
}

static void runIgemm() {
    const int M = 2048, N = 2048, K4 = 1024 / 4;
    std::vector<uint32_t> ha = randomWords((size_t)M * K4, 20), hb = randomWords((size_t)N * K4, 21);
    int* a = devAlloc<int>(ha.size());
    int* b = devAlloc<int>(hb.size());
    CHECK(cudaMemcpy(a, ha.data(), ha.size() * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(b, hb.data(), hb.size() * 4, cudaMemcpyHostToDevice));
    int* c = devAlloc<int>((size_t)M * N);
    LAUNCH4(igemm_dp4a_64x64, dim3(ceilDiv(N, IG_TILE), ceilDiv(M, IG_TILE)), dim3(16, 16), 0, a, b, c, M, N,
            K4);
    report(c, (size_t)M * N * sizeof(int));
    freeAll(a, b, c);
}

static std::vector<__half> randomHalves(size_t n, float lo, float hi, uint64_t seed) {
    Lcg rng(seed);
    std::vector<__half> v(n);
    for (auto& e : v)
        e = __float2half(rng.uniform(lo, hi));
    return v;
}

static void runHaxpy() {
    const int n2 = 1 << 23;  // 16M halves
    __half* x = upload(randomHalves((size_t)n2 * 2, -1, 1, 22));
    __half* y = upload(randomHalves((size_t)n2 * 2, -1, 1, 23));
    __half2* out = devAlloc<__half2>(n2);
    LAUNCH4(haxpy_half2, ceilDiv(n2, 256), 256, 0, n2, 0.5f, (const __half2*)x, (const __half2*)y, out);
    report(out, n2 * sizeof(__half2));
    freeAll(x, y, out);
}

static void runWmma() {
    const int M = 2048, N = 2048, K = 1024;
    __half* a = upload(randomHalves((size_t)M * K, -1, 1, 24));
    __half* b = upload(randomHalves((size_t)K * N, -1, 1, 25));
    float* c = devAlloc<float>((size_t)M * N);
    // 4 x 4 warps per block
    LAUNCH4(wmma_gemm_naive, dim3(ceilDiv(N, 64), ceilDiv(M, 64)), dim3(128, 4), 0, a, b, c, M, N, K);
    report(c, (size_t)M * N * sizeof(float));
    freeAll(a, b, c);
}

static void runLu() {
    const int batch = 16384;
    std::vector<float> h = randomFloats((size_t)batch * 1024, -1, 1, 26);
    for (int m = 0; m < batch; ++m)
        for (int i = 0; i < 32; ++i)
            h[(size_t)m * 1024 + i * 33] += 33.0f;
    float* a = upload(h);
    float* lu = devAlloc<float>((size_t)batch * 1024);
    LAUNCH4(lu32_warp_shfl, ceilDiv((size_t)batch * 32, 128), 128, 0, a, lu, batch);
    report(lu, (size_t)batch * 1024 * sizeof(float));
    freeAll(a, lu);
}

static void runThomas() {
    const int n = 128, nSys = 65536;
    const size_t tot = (size_t)n * nSys;
    float* a = upload(randomFloats(tot, -1, 1, 27));
    float* b = upload(randomFloats(tot, 3, 4, 28));
    float* c = upload(randomFloats(tot, -1, 1, 29));
    float* d = upload(randomFloats(tot, -1, 1, 30));
    float* cp = devAlloc<float>(tot);
    float* x = devAlloc<float>(tot);
    LAUNCH4(thomas_tridiag, ceilDiv(nSys, 128), 128, 0, a, b, c, d, cp, x, n, nSys);
    report(x, tot * sizeof(float));
    freeAll(a, b, c, d, cp, x);
}

static void runSmithWaterman() {
    const int n = 32768, len = SW_MAX;
    std::vector<unsigned char> q = randomBytes((size_t)n * len, 31), r = randomBytes((size_t)n * len, 32);
    for (auto& e : q)
        e = "ACGT"[e & 3];
    for (auto& e : r)
        e = "ACGT"[e & 3];
    unsigned char* dq = upload(q);
    unsigned char* dr = upload(r);
    int* scores = devAlloc<int>(n);
    LAUNCH4(smith_waterman_score, ceilDiv(n, 128), 128, 0, dq, dr, scores, n, len, len, 3, -2);
    report(scores, n * sizeof(int));
    freeAll(dq, dr, scores);
}

static void runSha() {
    const int n = 1 << 19;
    uint32_t* msgs = upload(randomWords((size_t)n * 16, 33));
    uint32_t* dig = devAlloc<uint32_t>((size_t)n * 8);
    LAUNCH4(sha256_64byte, ceilDiv(n, 256), 256, 0, (const uint4*)msgs, (uint4*)dig, n);
    report(dig, (size_t)n * 32);
    freeAll(msgs, dig);
}

static unsigned char gfMul(unsigned char a, unsigned char b) {
    unsigned char r = 0;
    while (b) {
        if (b & 1)
            r ^= a;
        a = (unsigned char)((a << 1) ^ ((a & 0x80) ? 0x1b : 0));
        b >>= 1;
    }
    return r;
}

static void buildAes(std::vector<uint32_t>& tables, std::vector<uint32_t>& rk, const unsigned char key[16]) {
    unsigned char sbox[256];
    for (int i = 0; i < 256; ++i) {
        unsigned char inv = 0;
        for (int j = 1; j < 256 && i != 0; ++j)
            if (gfMul((unsigned char)i, (unsigned char)j) == 1) {
                inv = (unsigned char)j;
                break;
            }
        unsigned char s = 0x63;
        for (int r = 0; r < 5; ++r)
            s ^= (unsigned char)((inv << r) | (inv >> (8 - r)));
        sbox[i] = s;
    }
    tables.resize(1024);
    for (int i = 0; i < 256; ++i) {
        const uint32_t s = sbox[i];
        const uint32_t s2 = gfMul((unsigned char)s, 2), s3 = gfMul((unsigned char)s, 3);
        const uint32_t t = (s2 << 24) | (s << 16) | (s << 8) | s3;
        tables[i] = t;
        tables[256 + i] = (t >> 8) | (t << 24);
        tables[512 + i] = (t >> 16) | (t << 16);
        tables[768 + i] = (t >> 24) | (t << 8);
    }
    rk.resize(44);
    for (int i = 0; i < 4; ++i)
        rk[i] = ((uint32_t)key[4 * i] << 24) | ((uint32_t)key[4 * i + 1] << 16) |
                ((uint32_t)key[4 * i + 2] << 8) | key[4 * i + 3];
    unsigned char rcon = 1;
    for (int i = 4; i < 44; ++i) {
        uint32_t t = rk[i - 1];
        if (i % 4 == 0) {
            t = (t << 8) | (t >> 24);
            t = ((uint32_t)sbox[t >> 24] << 24) | ((uint32_t)sbox[(t >> 16) & 255] << 16) |
                ((uint32_t)sbox[(t >> 8) & 255] << 8) | sbox[t & 255];
            t ^= (uint32_t)rcon << 24;
            rcon = gfMul(rcon, 2);
        }
        rk[i] = rk[i - 4] ^ t;
    }
}

static void runAes() {
    const int n = 1 << 20;
    const unsigned char key[16] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                                   0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
    std::vector<uint32_t> tables, rk;
    buildAes(tables, rk, key);
    uint32_t* in = upload(randomWords((size_t)n * 4, 34));
    uint32_t* out = devAlloc<uint32_t>((size_t)n * 4);
    uint32_t* dt = upload(tables);
    uint32_t* dk = upload(rk);
    LAUNCH4(aes128_ttable, 1024, 256, 0, (const uint4*)in, (uint4*)out, dt, dk, n);
    report(out, (size_t)n * 16);
    freeAll(in, out, dt, dk);
}

static void runSpheres() {
    const int w = 1920, h = 1080;
    std::vector<float4> s(NUM_SPHERES);
    Lcg rng(35);
    for (auto& e : s) {
        e.x = rng.uniform(-6, 6);
        e.y = rng.uniform(-4, 4);
        e.z = rng.uniform(-16, -6);
        e.w = rng.uniform(0.3f, 1.2f);
    }
    CHECK(cudaMemcpyToSymbol(c_spheres, s.data(), sizeof(float4) * NUM_SPHERES));
    uchar4* img = devAlloc<uchar4>((size_t)w * h);
    LAUNCH4(ray_spheres, dim3(ceilDiv(w, 16), ceilDiv(h, 16)), dim3(16, 16), 0, img, w, h, 0.6f);
    report(img + (size_t)(h / 2) * w, (size_t)w * 4);
    freeAll(img);
}

static void runResize() {
    const int sw = 2048, sh = 2048, dw = 3072, dh = 3072;
    uint32_t* src = upload(randomWords((size_t)sw * sh, 36));
    uchar4* dst = devAlloc<uchar4>((size_t)dw * dh);
    LAUNCH4(resize_bilinear_uchar4, dim3(ceilDiv(dw, 32), ceilDiv(dh, 8)), dim3(32, 8), 0, (const uchar4*)src,
            dst, sw, sh, dw, dh);
    report(dst, (size_t)dw * dh * 4);
    freeAll(src, dst);
}

static void runYuv() {
    const int n = 4096 * 4096;
    unsigned char* rgb = upload(randomBytes((size_t)n * 3, 37));
    unsigned char* y = devAlloc<unsigned char>(n);
    unsigned char* u = devAlloc<unsigned char>(n);
    unsigned char* v = devAlloc<unsigned char>(n);
    LAUNCH4(rgb_to_yuv, ceilDiv(n, 256), 256, 0, rgb, y, u, v, n);
    report(y, n);
    freeAll(rgb, y, u, v);
}

static void runSobel() {
    const int w = 4096, h = 4096;
    unsigned char* in = upload(randomBytes((size_t)w * h, 38));
    unsigned char* out = devAlloc<unsigned char>((size_t)w * h);
    LAUNCH4(sobel3x3_ldg, dim3(ceilDiv(w, 32), ceilDiv(h, 16)), dim3(32, 16), 0, in, out, w, h);
    report(out, (size_t)w * h);
    freeAll(in, out);
}

static void runIntegral() {
    const int w = 4096, h = 4096, block = 512;
    unsigned char* in = upload(randomBytes((size_t)w * h, 39));
    unsigned int* out = devAlloc<unsigned int>((size_t)w * h);
    LAUNCH4(integral_rows, h, block, 2 * block * sizeof(unsigned int), in, out, w);
    report(out, (size_t)w * h * 4);
    freeAll(in, out);
}

static void runHeat() {
    const int n = 1 << 23, steps = 16, block = 256;
    float* u = upload(randomFloats(n, 0, 100, 40));
    float* un = devAlloc<float>(n);
    LAUNCH4(heat1d_multistep, ceilDiv(n, block - 2 * steps), block, 2 * block * sizeof(float), u, un, n,
            0.25f, steps);
    report(un, n * sizeof(float));
    freeAll(u, un);
}

static void runPic() {
    const int np = 1 << 20, nx = 512, ny = 512;
    float* px = upload(randomFloats(np, 0, (float)nx, 41));
    float* py = upload(randomFloats(np, 0, (float)ny, 42));
    float* q = upload(randomFloats(np, 0.5f, 1.5f, 43));
    float* rho = devAlloc<float>((size_t)nx * ny);
    LAUNCH4(pic_deposit, ceilDiv(np, 256), 256, 0, px, py, q, rho, np, nx, ny);
    report(rho, (size_t)nx * ny * sizeof(float));  // order of the atomics may vary the last bits
    freeAll(px, py, q, rho);
}

static void runHash() {
    const unsigned int capacity = 1u << 22;
    const int n = 1 << 21;
    std::vector<unsigned int> keys(n), vals = randomWords(n, 44);
    for (int i = 0; i < n; ++i)
        keys[i] = (unsigned int)i * 2654435761u;  // distinct: odd multiplier
    for (auto& k : keys)
        if (k == HT_EMPTY)
            k = keys[0];
    unsigned int* dk = upload(keys);
    unsigned int* dv = upload(vals);
    unsigned int* tk = devAlloc<unsigned int>(capacity);
    unsigned int* tv = devAlloc<unsigned int>(capacity);
    CHECK(cudaMemset(tk, 0xff, capacity * sizeof(unsigned int)));
    LAUNCH4(hash_insert, ceilDiv(n, 256), 256, 0, tk, tv, capacity - 1, dk, dv, n);
    std::vector<unsigned int> table(capacity);
    CHECK(cudaMemcpy(table.data(), tk, capacity * sizeof(unsigned int), cudaMemcpyDeviceToHost));
    unsigned int used = 0;
    for (unsigned int k : table)
        used += (k != HT_EMPTY);
    std::printf(" %u keys\n", used);
    freeAll(dk, dv, tk, tv);
}

static void runLife() {
    const int words = 512, rows = 16384;
    uint32_t* in = upload(randomWords((size_t)words * rows, 45));
    uint32_t* out = devAlloc<uint32_t>((size_t)words * rows);
    LAUNCH4(life_bitpacked, dim3(ceilDiv(words, 32), ceilDiv(rows, 8)), dim3(32, 8), 0, in, out, words, rows);
    report(out, (size_t)words * rows * 4);
    freeAll(in, out);
}

static void runHorner() {
    const int n = 1 << 23;
    Lcg rng(46);
    std::vector<double> h(n);
    for (auto& e : h)
        e = rng.uniform(-1, 1);
    double coef[32];
    for (auto& e : coef)
        e = rng.uniform(-1, 1);
    CHECK(cudaMemcpyToSymbol(c_poly, coef, sizeof(coef)));
    double* x = upload(h);
    double* y = devAlloc<double>(n);
    LAUNCH4(horner31_double, ceilDiv(n, 256), 256, 0, x, y, n);
    report(y, n * sizeof(double));
    freeAll(x, y);
}

static void runSegments() {
    const int nseg = 1 << 18;
    std::vector<int> off(nseg + 1);
    Lcg rng(47);
    off[0] = 0;
    for (int i = 0; i < nseg; ++i)
        off[i + 1] = off[i] + (int)(rng.next() % 96u);  // under 64 MiB
    if (off[nseg] > (1 << 24)) {
        std::fprintf(stderr, "segments too long\n");
        std::exit(1);
    }
    float* vals = upload(randomFloats((size_t)off[nseg], -1, 1, 48));
    int* doff = upload(off);
    float* sums = devAlloc<float>(nseg);
    LAUNCH4(segment_reduce_tile8, ceilDiv((size_t)nseg * 8, 256), 256, 0, vals, doff, sums, nseg);
    report(sums, nseg * sizeof(float));
    freeAll(vals, doff, sums);
}

int main() {
    CHECK(cudaSetDevice(0));
    runSaxpy();
    runGather();
    runScan();
    runFlash();
    runDepthwise();
    runMaxpool();
    runBatchnorm();
    runCrossEntropy();
    runArgmax();
    runIgemm();
    runHaxpy();
    runWmma();
    runLu();
    runThomas();
    runSmithWaterman();
    runSha();
    runAes();
    runSpheres();
    runResize();
    runYuv();
    runSobel();
    runIntegral();
    runHeat();
    runPic();
    runHash();
    runLife();
    runHorner();
    runSegments();
    CHECK(cudaDeviceSynchronize());
    std::printf("done\n");
    return 0;
}
