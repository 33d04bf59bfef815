// app_a.cu - a test application of 28 assorted GPU kernels, launched one after the other.
// Build: nvcc -std=c++17 -O3 -arch=sm_90 -o app_a app_a.cu
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CK(call)                                                                      \
    do {                                                                              \
        cudaError_t err_ = (call);                                                    \
        if (err_ != cudaSuccess) {                                                    \
            std::fprintf(stderr, "%s:%d: %s failed: %s\n", __FILE__, __LINE__, #call, \
                         cudaGetErrorString(err_));                                   \
            std::exit(1);                                                             \
        }                                                                             \
    } while (0)

#define LAUNCHES 4

// Launches a kernel LAUNCHES times with the same arguments and waits for it.
#define LAUNCH(kernel, grid, block, smem, ...)                \
    do {                                                      \
        for (int rep_ = 0; rep_ < LAUNCHES; ++rep_) {         \
            kernel<<<(grid), (block), (smem)>>>(__VA_ARGS__); \
            CK(cudaGetLastError());                           \
        }                                                     \
        CK(cudaDeviceSynchronize());                          \
    } while (0)

// ---------------------------------------------------------------------------
// Device helpers
// ---------------------------------------------------------------------------

__device__ __forceinline__ float warp_sum(float v) {
    for (int off = 16; off > 0; off >>= 1)
        v += __shfl_down_sync(0xffffffffu, v, off);
    return v;
}

__device__ __forceinline__ float warp_max(float v) {
    for (int off = 16; off > 0; off >>= 1)
        v = fmaxf(v, __shfl_down_sync(0xffffffffu, v, off));
    return v;
}

// Sum over a block of up to 1024 threads; every thread gets the result.
__device__ float block_sum(float v, float* scratch) {
    int lane = threadIdx.x & 31;
    int warp = threadIdx.x >> 5;
    int nwarps = (blockDim.x + 31) >> 5;
    v = warp_sum(v);
    __syncthreads();
    if (lane == 0)
        scratch[warp] = v;
    __syncthreads();
    if (warp == 0) {
        float s = lane < nwarps ? scratch[lane] : 0.0f;
        s = warp_sum(s);
        if (lane == 0)
            scratch[0] = s;
    }
    __syncthreads();
    return scratch[0];
}

__device__ float block_max(float v, float* scratch) {
    int lane = threadIdx.x & 31;
    int warp = threadIdx.x >> 5;
    int nwarps = (blockDim.x + 31) >> 5;
    v = warp_max(v);
    __syncthreads();
    if (lane == 0)
        scratch[warp] = v;
    __syncthreads();
    if (warp == 0) {
        float s = lane < nwarps ? scratch[lane] : -INFINITY;
        s = warp_max(s);
        if (lane == 0)
            scratch[0] = s;
    }
    __syncthreads();
    return scratch[0];
}

// ---------------------------------------------------------------------------
// (1) Black-Scholes option pricing
// ---------------------------------------------------------------------------

__device__ __forceinline__ float cnd(float d) {
    const float A1 = 0.31938153f;
    const float A2 = -0.356563782f;
    const float A3 = 1.781477937f;
    const float A4 = -1.821255978f;
    const float A5 = 1.330274429f;
    const float RSQRT2PI = 0.39894228040143267793994605993438f;

    float K = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    float c = RSQRT2PI * expf(-0.5f * d * d) * (K * (A1 + K * (A2 + K * (A3 + K * (A4 + K * A5)))));
    if (d > 0)
        c = 1.0f - c;
    return c;
}

extern "C" __global__ void black_scholes(const float* __restrict__ stock, const float* __restrict__ strike,
                                         const float* __restrict__ years, float* __restrict__ call,
                                         float* __restrict__ put, float rate, float vol, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;

    float S = stock[i];
    float X = strike[i];
    float T = years[i];

    float sqrtT = sqrtf(T);
    float d1 = (logf(S / X) + (rate + 0.5f * vol * vol) * T) / (vol * sqrtT);
    float d2 = d1 - vol * sqrtT;
    float cnd1 = cnd(d1);
    float cnd2 = cnd(d2);
    float expRT = expf(-rate * T);

    call[i] = S * cnd1 - X * expRT * cnd2;
    put[i] = X * expRT * (1.0f - cnd2) - S * (1.0f - cnd1);
}

// ---------------------------------------------------------------------------
// (2) N-body forces with shared-memory tiles
// ---------------------------------------------------------------------------

extern "C" __global__ void nbody_forces(const float4* __restrict__ pos, float4* __restrict__ acc, float eps2,
                                        int n) {
    extern __shared__ float4 tile_pos[];

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = i < n ? pos[i] : make_float4(0.f, 0.f, 0.f, 0.f);
    float ax = 0.f, ay = 0.f, az = 0.f;

    for (int base = 0; base < n; base += blockDim.x) {
        int j = base + threadIdx.x;
        tile_pos[threadIdx.x] = j < n ? pos[j] : make_float4(0.f, 0.f, 0.f, 0.f);
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < blockDim.x; ++k) {
            float4 p = tile_pos[k];
            float dx = p.x - me.x;
            float dy = p.y - me.y;
            float dz = p.z - me.z;
            float r2 = dx * dx + dy * dy + dz * dz + eps2;
            float inv = rsqrtf(r2);
            float s = p.w * inv * inv * inv;
            ax += dx * s;
            ay += dy * s;
            az += dz * s;
        }
        __syncthreads();
    }
    if (i < n)
        acc[i] = make_float4(ax, ay, az, 0.f);
}

// ---------------------------------------------------------------------------
// (3) 2-D convolution 5x5, constant filter, shared tile with halo
// ---------------------------------------------------------------------------

#define CONV_TILE 16
#define CONV_R 2
#define CONV_W (CONV_TILE + 2 * CONV_R)

__constant__ float c_filter[5 * 5];

extern "C" __global__ void conv2d_5x5(const float* __restrict__ in, float* __restrict__ out, int width,
                                      int height) {
    __shared__ float tile[CONV_W][CONV_W];

    int x0 = blockIdx.x * CONV_TILE - CONV_R;
    int y0 = blockIdx.y * CONV_TILE - CONV_R;
    int tid = threadIdx.y * CONV_TILE + threadIdx.x;

    for (int k = tid; k < CONV_W * CONV_W; k += CONV_TILE * CONV_TILE) {
        int ly = k / CONV_W;
        int lx = k % CONV_W;
        int gx = x0 + lx;
        int gy = y0 + ly;
        float v = 0.0f;
        if (gx >= 0 && gx < width && gy >= 0 && gy < height)
            v = in[gy * width + gx];
        tile[ly][lx] = v;
    }
    __syncthreads();

    int x = blockIdx.x * CONV_TILE + threadIdx.x;
    int y = blockIdx.y * CONV_TILE + threadIdx.y;
    if (x < width && y < height) {
        float sum = 0.0f;
#pragma unroll
        for (int fy = 0; fy < 5; ++fy)
#pragma unroll
            for (int fx = 0; fx < 5; ++fx)
                sum += c_filter[fy * 5 + fx] * tile[threadIdx.y + fy][threadIdx.x + fx];
        out[y * width + x] = sum;
    }
}

// ---------------------------------------------------------------------------
// (4), (5) Separable Gaussian blur
// ---------------------------------------------------------------------------

#define GAUSS_R 8
#define GROW_BX 64
#define GROW_BY 4
#define GCOL_BX 32
#define GCOL_BY 8
#define GCOL_TILE 32

__constant__ float c_gauss[2 * GAUSS_R + 1];

extern "C" __global__ void gaussian_rows(const float* __restrict__ in, float* __restrict__ out, int width,
                                         int height) {
    __shared__ float line[GROW_BY][GROW_BX + 2 * GAUSS_R];

    int x = blockIdx.x * GROW_BX + threadIdx.x;
    int y = blockIdx.y * GROW_BY + threadIdx.y;
    int yc = min(y, height - 1);

    for (int k = threadIdx.x; k < GROW_BX + 2 * GAUSS_R; k += GROW_BX) {
        int gx = (int)(blockIdx.x * GROW_BX) + k - GAUSS_R;
        gx = min(max(gx, 0), width - 1);
        line[threadIdx.y][k] = in[yc * width + gx];
    }
    __syncthreads();

    if (x >= width || y >= height)
        return;

    float sum = 0.0f;
#pragma unroll
    for (int k = -GAUSS_R; k <= GAUSS_R; ++k)
        sum += c_gauss[k + GAUSS_R] * line[threadIdx.y][threadIdx.x + GAUSS_R + k];
    out[y * width + x] = sum;
}

extern "C" __global__ void gaussian_cols(const float* __restrict__ in, float* __restrict__ out, int width,
                                         int height) {
    __shared__ float tile[GCOL_TILE + 2 * GAUSS_R][GCOL_BX];

    int x = blockIdx.x * GCOL_BX + threadIdx.x;
    int ybase = blockIdx.y * GCOL_TILE;
    int xc = min(x, width - 1);

    for (int k = threadIdx.y; k < GCOL_TILE + 2 * GAUSS_R; k += GCOL_BY) {
        int gy = ybase + k - GAUSS_R;
        gy = min(max(gy, 0), height - 1);
        tile[k][threadIdx.x] = in[gy * width + xc];
    }
    __syncthreads();

    if (x >= width)
        return;

    for (int r = threadIdx.y; r < GCOL_TILE; r += GCOL_BY) {
        int y = ybase + r;
        if (y >= height)
            break;
        float sum = 0.0f;
#pragma unroll
        for (int k = -GAUSS_R; k <= GAUSS_R; ++k)
            sum += c_gauss[k + GAUSS_R] * tile[r + GAUSS_R + k][threadIdx.x];
        out[y * width + x] = sum;
    }
}

// ---------------------------------------------------------------------------
// (6) Bitonic sort of 1024 keys per block (512 threads)
// ---------------------------------------------------------------------------

extern "C" __global__ void bitonic_sort_block(const unsigned int* __restrict__ in,
                                              unsigned int* __restrict__ out) {
    extern __shared__ unsigned int keys[];

    const int n = 2 * blockDim.x;
    const int base = blockIdx.x * n;
    const int t = threadIdx.x;

    keys[t] = in[base + t];
    keys[t + blockDim.x] = in[base + t + blockDim.x];

    for (int size = 2; size <= n; size <<= 1) {
        bool descending = (t & (size / 2)) != 0;
        for (int stride = size / 2; stride > 0; stride >>= 1) {
            __syncthreads();
            int pos = 2 * t - (t & (stride - 1));
            unsigned int a = keys[pos];
            unsigned int b = keys[pos + stride];
            if ((a > b) != descending) {
                keys[pos] = b;
                keys[pos + stride] = a;
            }
        }
    }
    __syncthreads();

    out[base + t] = keys[t];
    out[base + t + blockDim.x] = keys[t + blockDim.x];
}

// ---------------------------------------------------------------------------
// (7) Block-wide exclusive scan (Blelloch), 2 elements a thread
// ---------------------------------------------------------------------------

#define BANK_OFFSET(i) ((i) >> 5)

extern "C" __global__ void scan_block_exclusive(const int* __restrict__ in, int* __restrict__ out,
                                                int* __restrict__ block_sums, int n) {
    extern __shared__ int scan_tmp[];

    const int m = 2 * blockDim.x;
    const int base = blockIdx.x * m;
    const int t = threadIdx.x;
    int ai = t;
    int bi = t + blockDim.x;

    scan_tmp[ai + BANK_OFFSET(ai)] = base + ai < n ? in[base + ai] : 0;
    scan_tmp[bi + BANK_OFFSET(bi)] = base + bi < n ? in[base + bi] : 0;

    int offset = 1;
    for (int d = m >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) {
            int l = offset * (2 * t + 1) - 1;
            int r = offset * (2 * t + 2) - 1;
            l += BANK_OFFSET(l);
            r += BANK_OFFSET(r);
            scan_tmp[r] += scan_tmp[l];
        }
        offset <<= 1;
    }

    if (t == 0) {
        int last = m - 1 + BANK_OFFSET(m - 1);
        block_sums[blockIdx.x] = scan_tmp[last];
        scan_tmp[last] = 0;
    }

    for (int d = 1; d < m; d <<= 1) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int l = offset * (2 * t + 1) - 1;
            int r = offset * (2 * t + 2) - 1;
            l += BANK_OFFSET(l);
            r += BANK_OFFSET(r);
            int tmp = scan_tmp[l];
            scan_tmp[l] = scan_tmp[r];
            scan_tmp[r] += tmp;
        }
    }
    __syncthreads();

    if (base + ai < n)
        out[base + ai] = scan_tmp[ai + BANK_OFFSET(ai)];
    if (base + bi < n)
        out[base + bi] = scan_tmp[bi + BANK_OFFSET(bi)];
}

// ---------------------------------------------------------------------------
// (8) Warp-shuffle reduction; the block meets only every fourth step.
//     256 threads (8 warps); iters must be a multiple of 4. The partial sums are
//     double buffered, so one barrier for each group of four steps is enough.
// ---------------------------------------------------------------------------

extern "C" __global__ void reduce_warp_shuffle(const float* __restrict__ in, float* __restrict__ out,
                                               int iters, int n) {
    __shared__ float partial[2][32];

    int lane = threadIdx.x & 31;
    int warp = threadIdx.x >> 5;
    float total = 0.0f;

    for (int i = 0; i < iters; ++i) {
        int idx = (blockIdx.x * iters + i) * blockDim.x + threadIdx.x;
        float v = idx < n ? in[idx] : 0.0f;
        v = warp_sum(v);
        int buf = (i >> 2) & 1;
        if (lane == 0)
            partial[buf][(i & 3) * 8 + warp] = v;
        if (i % 4 == 3)
            __syncthreads();
        if (i % 4 == 3 && warp == 0)
            total += partial[buf][lane];
    }

    if (warp == 0) {
        total = warp_sum(total);
        if (lane == 0)
            out[blockIdx.x] = total;
    }
}

// ---------------------------------------------------------------------------
// (9) 256-bin histogram with shared atomics
// ---------------------------------------------------------------------------

extern "C" __global__ void histogram256(const unsigned int* __restrict__ data,
                                        unsigned int* __restrict__ hist, int nwords) {
    __shared__ unsigned int bins[256];

    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        bins[i] = 0;
    __syncthreads();

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < nwords; i += gridDim.x * blockDim.x) {
        unsigned int w = data[i];
        atomicAdd(&bins[w & 0xff], 1u);
        atomicAdd(&bins[(w >> 8) & 0xff], 1u);
        atomicAdd(&bins[(w >> 16) & 0xff], 1u);
        atomicAdd(&bins[w >> 24], 1u);
    }
    __syncthreads();

    for (int i = threadIdx.x; i < 256; i += blockDim.x) {
        unsigned int c = bins[i];
        if (c)
            atomicAdd(&hist[i], c);
    }
}

// ---------------------------------------------------------------------------
// (10) CSR sparse matrix-vector product, one warp a row
// ---------------------------------------------------------------------------

extern "C" __global__ void spmv_csr_warp(const int* __restrict__ rowptr, const int* __restrict__ colidx,
                                         const float* __restrict__ vals, const float* __restrict__ x,
                                         float* __restrict__ y, int rows) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    int lane = threadIdx.x & 31;
    if (row >= rows)
        return;

    int begin = rowptr[row];
    int end = rowptr[row + 1];
    float sum = 0.0f;
    for (int k = begin + lane; k < end; k += 32)
        sum += vals[k] * x[colidx[k]];
    sum = warp_sum(sum);
    if (lane == 0)
        y[row] = sum;
}

// ---------------------------------------------------------------------------
// (11) One level of breadth-first search: expand the frontier
// ---------------------------------------------------------------------------

extern "C" __global__ void bfs_expand(const int* __restrict__ rowptr, const int* __restrict__ adj,
                                      const int* __restrict__ frontier, int frontier_size,
                                      const int* __restrict__ dist, int* next_mask, int* next_count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= frontier_size)
        return;

    int v = frontier[i];
    int begin = rowptr[v];
    int end = rowptr[v + 1];
    int found = 0;
    for (int e = begin; e < end; ++e) {
        int u = adj[e];
        if (dist[u] < 0) {
            if (atomicExch(&next_mask[u], 1) == 0)
                ++found;
        }
    }
    if (found)
        atomicAdd(next_count, found);
}

// ---------------------------------------------------------------------------
// (12) Floyd-Warshall, blocked: phase 3 (the independent tiles) of one round
// ---------------------------------------------------------------------------

#define FW_TILE 16

extern "C" __global__ void fw_phase3(int* dist, int n, int round) {
    int bx = blockIdx.x;
    int by = blockIdx.y;
    if (bx == round || by == round)
        return;  // done by phases 1 and 2

    __shared__ int rowt[FW_TILE][FW_TILE];
    __shared__ int colt[FW_TILE][FW_TILE];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int i = by * FW_TILE + ty;
    int j = bx * FW_TILE + tx;
    int pivot = round * FW_TILE;

    colt[ty][tx] = dist[i * n + pivot + tx];
    rowt[ty][tx] = dist[(pivot + ty) * n + j];
    __syncthreads();

    int best = dist[i * n + j];
#pragma unroll
    for (int k = 0; k < FW_TILE; ++k) {
        int through = colt[ty][k] + rowt[k][tx];
        if (through < best)
            best = through;
    }
    dist[i * n + j] = best;
}

// ---------------------------------------------------------------------------
// (13) Needleman-Wunsch: anti-diagonals of a 32x32 tile, four pairs a block
// ---------------------------------------------------------------------------

#define NW_LEN 32
#define NW_PAIRS 4

extern "C" __global__ void nw_tile(const unsigned char* __restrict__ seq_a,
                                   const unsigned char* __restrict__ seq_b, int* __restrict__ scores,
                                   int match, int mismatch, int gap, int pairs) {
    __shared__ int sc[NW_PAIRS][NW_LEN + 1][NW_LEN + 1];
    __shared__ unsigned char sa[NW_PAIRS][NW_LEN];
    __shared__ unsigned char sb[NW_PAIRS][NW_LEN];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int pair = blockIdx.x * NW_PAIRS + ty;
    bool valid = pair < pairs;

    sa[ty][tx] = valid ? seq_a[pair * NW_LEN + tx] : 0;
    sb[ty][tx] = valid ? seq_b[pair * NW_LEN + tx] : 0;
    sc[ty][0][tx + 1] = -(tx + 1) * gap;
    sc[ty][tx + 1][0] = -(tx + 1) * gap;
    if (tx == 0)
        sc[ty][0][0] = 0;
    __syncthreads();

    for (int d = 0; d < 2 * NW_LEN - 1; ++d) {
        int j = d - tx;
        if (j >= 0 && j < NW_LEN) {
            int s = sa[ty][tx] == sb[ty][j] ? match : mismatch;
            int diag = sc[ty][tx][j] + s;
            int up = sc[ty][tx][j + 1] - gap;
            int left = sc[ty][tx + 1][j] - gap;
            sc[ty][tx + 1][j + 1] = max(diag, max(up, left));
        }
        __syncthreads();
    }

    if (valid) {
        for (int r = 0; r < NW_LEN; ++r)
            scores[(pair * NW_LEN + r) * NW_LEN + tx] = sc[ty][r + 1][tx + 1];
    }
}

// ---------------------------------------------------------------------------
// (14) k-means assignment: 16 dimensions, centroids in shared memory
// ---------------------------------------------------------------------------

#define KM_DIM 16

extern "C" __global__ void kmeans_assign(const float* __restrict__ points,
                                         const float* __restrict__ centroids, int* __restrict__ labels,
                                         float* __restrict__ dists, int n, int k) {
    extern __shared__ float cent[];
    for (int i = threadIdx.x; i < k * KM_DIM; i += blockDim.x)
        cent[i] = centroids[i];
    __syncthreads();

    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= n)
        return;

    float x[KM_DIM];
    for (int d = 0; d < KM_DIM; ++d)
        x[d] = points[p * KM_DIM + d];

    float best = 3.4e38f;
    int label = 0;
    for (int c = 0; c < k; ++c) {
        float d2 = 0.0f;
        for (int d = 0; d < KM_DIM; ++d) {
            float diff = x[d] - cent[c * KM_DIM + d];
            d2 += diff * diff;
        }
        if (d2 < best) {
            best = d2;
            label = c;
        }
    }
    labels[p] = label;
    dists[p] = best;
}

// ---------------------------------------------------------------------------
// (15) Softmax over rows of 1024 (256 threads a row)
// ---------------------------------------------------------------------------

extern "C" __global__ void softmax_rows(const float* __restrict__ in, float* __restrict__ out, int cols) {
    __shared__ float scratch[32];

    const float* x = in + (size_t)blockIdx.x * cols;
    float* y = out + (size_t)blockIdx.x * cols;

    float m = -INFINITY;
    for (int i = threadIdx.x; i < cols; i += blockDim.x)
        m = fmaxf(m, x[i]);
    m = block_max(m, scratch);

    float s = 0.0f;
    for (int i = threadIdx.x; i < cols; i += blockDim.x)
        s += expf(x[i] - m);
    s = block_sum(s, scratch);

    float inv = 1.0f / s;
    for (int i = threadIdx.x; i < cols; i += blockDim.x)
        y[i] = expf(x[i] - m) * inv;
}

// ---------------------------------------------------------------------------
// (16) Layer norm over rows of 768 (256 threads, three values each)
// ---------------------------------------------------------------------------

#define LN_COLS 768
#define LN_THREADS 256
#define LN_PER (LN_COLS / LN_THREADS)

extern "C" __global__ void layernorm_rows(const float* __restrict__ in, const float* __restrict__ gamma,
                                          const float* __restrict__ beta, float* __restrict__ out,
                                          float eps) {
    __shared__ float scratch[32];

    const float* x = in + (size_t)blockIdx.x * LN_COLS;
    float* y = out + (size_t)blockIdx.x * LN_COLS;

    float v[LN_PER];
    float s = 0.0f;
#pragma unroll
    for (int i = 0; i < LN_PER; ++i) {
        v[i] = x[threadIdx.x + i * LN_THREADS];
        s += v[i];
    }
    float mean = block_sum(s, scratch) / LN_COLS;

    float q = 0.0f;
#pragma unroll
    for (int i = 0; i < LN_PER; ++i) {
        float d = v[i] - mean;
        q += d * d;
    }
    float var = block_sum(q, scratch) / LN_COLS;
    float rstd = rsqrtf(var + eps);

#pragma unroll
    for (int i = 0; i < LN_PER; ++i) {
        int c = threadIdx.x + i * LN_THREADS;
        y[c] = (v[i] - mean) * rstd * gamma[c] + beta[c];
    }
}

// ---------------------------------------------------------------------------
// (17) GELU (tanh form), float4 at a time
// ---------------------------------------------------------------------------

__device__ __forceinline__ float gelu(float x) {
    return 0.5f * x * (1.0f + tanhf(0.7978845608f * (x + 0.044715f * x * x * x)));
}

extern "C" __global__ void gelu_vec4(const float4* __restrict__ in, float4* __restrict__ out, int n4) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n4) {
        float4 v = in[i];
        v.x = gelu(v.x);
        v.y = gelu(v.y);
        v.z = gelu(v.z);
        v.w = gelu(v.w);
        out[i] = v;
    }
}

// ---------------------------------------------------------------------------
// (18) Embedding gather: four tokens a block, float4 lanes
// ---------------------------------------------------------------------------

extern "C" __global__ void embedding_gather(const float4* __restrict__ table, const int* __restrict__ tokens,
                                            float4* __restrict__ out, int ntokens, int dim4, float scale) {
    int t = blockIdx.x * blockDim.y + threadIdx.y;
    if (t >= ntokens)
        return;

    size_t row = (size_t)tokens[t] * dim4;
    for (int d = threadIdx.x; d < dim4; d += blockDim.x) {
        float4 v = table[row + d];
        v.x *= scale;
        v.y *= scale;
        v.z *= scale;
        v.w *= scale;
        out[(size_t)t * dim4 + d] = v;
    }
}

// ---------------------------------------------------------------------------
// (19) Matrix transpose with a padded tile
// ---------------------------------------------------------------------------

#define TR_DIM 32
#define TR_ROWS 8

extern "C" __global__ void transpose_tile(const float* __restrict__ in, float* __restrict__ out, int width,
                                          int height) {
    __shared__ float tile[TR_DIM][TR_DIM + 1];

    int x = blockIdx.x * TR_DIM + threadIdx.x;
    int y = blockIdx.y * TR_DIM + threadIdx.y;
    for (int j = 0; j < TR_DIM; j += TR_ROWS)
        if (x < width && y + j < height)
            tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];

    __syncthreads();

    x = blockIdx.y * TR_DIM + threadIdx.x;
    y = blockIdx.x * TR_DIM + threadIdx.y;
    for (int j = 0; j < TR_DIM; j += TR_ROWS)
        if (x < height && y + j < width)
            out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

// ---------------------------------------------------------------------------
// (20) GEMV, row major, one warp a row
// ---------------------------------------------------------------------------

extern "C" __global__ void gemv_row_warp(const float* __restrict__ A, const float* __restrict__ x,
                                         float* __restrict__ y, int rows, int cols) {
    int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    if (row >= rows)
        return;

    const float* a = A + (size_t)row * cols;
    float sum = 0.0f;
    for (int c = lane; c < cols; c += 32)
        sum += a[c] * x[c];
    sum = warp_sum(sum);
    if (lane == 0)
        y[row] = sum;
}

// ---------------------------------------------------------------------------
// (21) GEMV, column major; each block does a chunk of columns, then atomicAdd
// ---------------------------------------------------------------------------

#define GEMV_CHUNK 64

extern "C" __global__ void gemv_colmajor_atomic(const float* __restrict__ A, const float* __restrict__ x,
                                                float* y, int rows, int cols) {
    __shared__ float xs[GEMV_CHUNK];

    int c0 = blockIdx.y * GEMV_CHUNK;
    if (threadIdx.x < GEMV_CHUNK)
        xs[threadIdx.x] = c0 + threadIdx.x < cols ? x[c0 + threadIdx.x] : 0.0f;
    __syncthreads();

    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;

    int cend = min(GEMV_CHUNK, cols - c0);
    float sum = 0.0f;
    for (int c = 0; c < cend; ++c)
        sum += A[(size_t)(c0 + c) * rows + row] * xs[c];
    atomicAdd(&y[row], sum);
}

// ---------------------------------------------------------------------------
// (22) Batched 16x16 matrix products, one block of 256 threads each
// ---------------------------------------------------------------------------

extern "C" __global__ void batched_mm16(const float* __restrict__ A, const float* __restrict__ B,
                                        float* __restrict__ C, float alpha) {
    __shared__ float a[16][16];
    __shared__ float b[16][17];

    size_t base = (size_t)blockIdx.x * 256;
    int tx = threadIdx.x;
    int ty = threadIdx.y;

    a[ty][tx] = A[base + ty * 16 + tx];
    b[ty][tx] = B[base + ty * 16 + tx];
    __syncthreads();

    float sum = 0.0f;
    for (int k = 0; k < 16; ++k)
        sum += a[ty][k] * b[k][tx];
    C[base + ty * 16 + tx] = alpha * sum;
}

// ---------------------------------------------------------------------------
// (23) Mandelbrot
// ---------------------------------------------------------------------------

extern "C" __global__ void mandelbrot(int* __restrict__ image, int width, int height, float xmin, float ymin,
                                      float dx, float dy, int max_iter) {
    int px = blockIdx.x * blockDim.x + threadIdx.x;
    int py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= width || py >= height)
        return;

    float cx = xmin + px * dx;
    float cy = ymin + py * dy;
    float zx = 0.0f, zy = 0.0f;
    int it = 0;
    while (it < max_iter && zx * zx + zy * zy < 4.0f) {
        float t = zx * zx - zy * zy + cx;
        zy = 2.0f * zx * zy + cy;
        zx = t;
        ++it;
    }
    image[py * width + px] = it;
}

// ---------------------------------------------------------------------------
// (24) Monte-Carlo pi with xorshift32
// ---------------------------------------------------------------------------

__device__ __forceinline__ unsigned int xorshift32(unsigned int& s) {
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    return s;
}

extern "C" __global__ void mc_pi(unsigned long long* hits, unsigned int seed, int samples) {
    __shared__ unsigned int warp_hits[32];

    unsigned int tid = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int state = seed ^ (tid * 2654435761u + 1u);
    if (state == 0)
        state = 1;
    for (int i = 0; i < 4; ++i)
        xorshift32(state);

    unsigned int count = 0;
    for (int i = 0; i < samples; ++i) {
        float x = (xorshift32(state) >> 8) * (1.0f / 16777216.0f);
        float y = (xorshift32(state) >> 8) * (1.0f / 16777216.0f);
        if (x * x + y * y <= 1.0f)
            ++count;
    }

    for (int off = 16; off > 0; off >>= 1)
        count += __shfl_xor_sync(0xffffffffu, count, off);
    if ((threadIdx.x & 31) == 0)
        warp_hits[threadIdx.x >> 5] = count;
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned long long total = 0;
        for (int w = 0; w < blockDim.x / 32; ++w)
            total += warp_hits[w];
        atomicAdd(hits, total);
    }
}

// ---------------------------------------------------------------------------
// (25) Jacobi, 2-D 5-point, shared memory
// ---------------------------------------------------------------------------

#define JB_X 32
#define JB_Y 8

extern "C" __global__ void jacobi2d_shared(const float* __restrict__ u, const float* __restrict__ f,
                                           float* __restrict__ unew, int nx, int ny, float h2) {
    __shared__ float s[JB_Y + 2][JB_X + 2];

    int x = blockIdx.x * JB_X + threadIdx.x;
    int y = blockIdx.y * JB_Y + threadIdx.y;
    int lx = threadIdx.x + 1;
    int ly = threadIdx.y + 1;
    bool inside = x < nx && y < ny;

    if (inside) {
        s[ly][lx] = u[y * nx + x];
        if (threadIdx.x == 0 && x > 0)
            s[ly][0] = u[y * nx + x - 1];
        if (threadIdx.x == JB_X - 1 && x + 1 < nx)
            s[ly][JB_X + 1] = u[y * nx + x + 1];
        if (threadIdx.y == 0 && y > 0)
            s[0][lx] = u[(y - 1) * nx + x];
        if (threadIdx.y == JB_Y - 1 && y + 1 < ny)
            s[JB_Y + 1][lx] = u[(y + 1) * nx + x];
    }
    __syncthreads();

    if (!inside)
        return;
    if (x == 0 || y == 0 || x == nx - 1 || y == ny - 1) {
        unew[y * nx + x] = s[ly][lx];
    } else {
        unew[y * nx + x] =
            0.25f * (s[ly][lx - 1] + s[ly][lx + 1] + s[ly - 1][lx] + s[ly + 1][lx] - h2 * f[y * nx + x]);
    }
}

// ---------------------------------------------------------------------------
// (26) 3-D 7-point stencil, marching in z with registers
// ---------------------------------------------------------------------------

extern "C" __global__ void stencil3d_7pt(const float* __restrict__ in, float* __restrict__ out, int nx,
                                         int ny, int nz, float c0, float c1) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1)
        return;

    int plane = nx * ny;
    int idx = y * nx + x;

    float behind = in[idx];
    float current = in[idx + plane];
    idx += plane;

    for (int z = 1; z < nz - 1; ++z) {
        float front = in[idx + plane];
        float sum = in[idx - 1] + in[idx + 1] + in[idx - nx] + in[idx + nx] + behind + front;
        out[idx] = c0 * current + c1 * sum;
        behind = current;
        current = front;
        idx += plane;
    }
}

// ---------------------------------------------------------------------------
// (27) DGEMM with 32x32 shared tiles, 32x8 threads, four results each
// ---------------------------------------------------------------------------

#define DG_TILE 32
#define DG_ROWS 8

extern "C" __global__ void dgemm_tile32(const double* __restrict__ A, const double* __restrict__ B,
                                        double* __restrict__ C, int n, double alpha, double beta) {
    __shared__ double as[DG_TILE][DG_TILE];
    __shared__ double bs[DG_TILE][DG_TILE];

    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int col = blockIdx.x * DG_TILE + tx;
    int row = blockIdx.y * DG_TILE + ty;

    double acc[DG_TILE / DG_ROWS] = {0.0, 0.0, 0.0, 0.0};

    for (int t = 0; t < n; t += DG_TILE) {
        for (int j = 0; j < DG_TILE; j += DG_ROWS) {
            as[ty + j][tx] = (row + j < n && t + tx < n) ? A[(row + j) * n + t + tx] : 0.0;
            bs[ty + j][tx] = (t + ty + j < n && col < n) ? B[(t + ty + j) * n + col] : 0.0;
        }
        __syncthreads();

        for (int k = 0; k < DG_TILE; ++k) {
            double b = bs[k][tx];
#pragma unroll
            for (int j = 0; j < DG_TILE / DG_ROWS; ++j)
                acc[j] += as[ty + j * DG_ROWS][k] * b;
        }
        __syncthreads();
    }

#pragma unroll
    for (int j = 0; j < DG_TILE / DG_ROWS; ++j) {
        int r = row + j * DG_ROWS;
        if (r < n && col < n)
            C[r * n + col] = alpha * acc[j] + beta * C[r * n + col];
    }
}

// ---------------------------------------------------------------------------
// (28) Radix-2 FFT of 1024 points a block (512 threads)
// ---------------------------------------------------------------------------

#define FFT_N 1024
#define FFT_LOG2 10

extern "C" __global__ void fft1024_radix2(const float2* __restrict__ in, float2* __restrict__ out) {
    __shared__ float2 s[FFT_N];

    const float2* x = in + (size_t)blockIdx.x * FFT_N;
    float2* y = out + (size_t)blockIdx.x * FFT_N;
    int t = threadIdx.x;

    for (int i = t; i < FFT_N; i += blockDim.x)
        s[__brev(i) >> (32 - FFT_LOG2)] = x[i];
    __syncthreads();

    for (int half = 1; half < FFT_N; half <<= 1) {
        int k = t & (half - 1);
        int i0 = 2 * (t - k) + k;
        int i1 = i0 + half;

        float sn, cs;
        sincosf(-3.14159265358979f * k / half, &sn, &cs);

        float2 a = s[i0];
        float2 b = s[i1];
        float2 wb = make_float2(b.x * cs - b.y * sn, b.x * sn + b.y * cs);
        s[i0] = make_float2(a.x + wb.x, a.y + wb.y);
        s[i1] = make_float2(a.x - wb.x, a.y - wb.y);
        __syncthreads();
    }

    for (int i = t; i < FFT_N; i += blockDim.x)
        y[i] = s[i];
}

// ---------------------------------------------------------------------------
// Host side
// ---------------------------------------------------------------------------

struct Lcg {
    uint32_t s;
    explicit Lcg(uint32_t seed) : s(seed) {}
    uint32_t next() {
        s = s * 1664525u + 1013904223u;
        return s >> 8;  // 24 bits
    }
    int below(int n) { return (int)(((uint64_t)next() * (uint64_t)n) >> 24); }
    float uniform(float lo, float hi) { return lo + (hi - lo) * (float)next() * (1.0f / 16777216.0f); }
};

template <class T>
T* device_alloc(size_t n) {
    T* p = nullptr;
    CK(cudaMalloc(&p, n * sizeof(T)));
    CK(cudaMemset(p, 0, n * sizeof(T)));
    return p;
}

template <class T>
T* upload(const std::vector<T>& v) {
    T* p = nullptr;
    CK(cudaMalloc(&p, v.size() * sizeof(T)));
    CK(cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice));
    return p;
}

static std::vector<float> random_floats(size_t n, uint32_t seed, float lo, float hi) {
    Lcg r(seed);
    std::vector<float> v(n);
    for (auto& x : v)
        x = r.uniform(lo, hi);
    return v;
}

static float* upload_random(size_t n, uint32_t seed, float lo, float hi) {
    return upload(random_floats(n, seed, lo, hi));
}

// Prints the sum of the first values of a result, as a quick sanity check.
template <class T>
void report(const char* name, const T* dev, size_t n) {
    size_t m = n < 65536 ? n : 65536;
    std::vector<T> h(m);
    CK(cudaMemcpy(h.data(), dev, m * sizeof(T), cudaMemcpyDeviceToHost));
    double sum = 0.0;
    for (size_t i = 0; i < m; ++i)
        sum += (double)h[i];
    std::printf("%-22s %.9g\n", name, sum);
}

template <class... P>
void release(P*... ptrs) {
    void* all[] = {(void*)ptrs...};
    for (void* p : all)
        CK(cudaFree(p));
}

static unsigned div_up(int a, int b) {
    return (unsigned)((a + b - 1) / b);
}

static void run_black_scholes() {
    const int n = 4000000;
    float* s = upload_random(n, 101, 5.f, 30.f);
    float* k = upload_random(n, 102, 1.f, 100.f);
    float* t = upload_random(n, 103, 0.25f, 10.f);
    float* c = device_alloc<float>(n);
    float* p = device_alloc<float>(n);
    LAUNCH(black_scholes, div_up(n, 256), 256, 0, s, k, t, c, p, 0.02f, 0.30f, n);
    report("black_scholes", c, n);
    release(s, k, t, c, p);
}

static void run_nbody() {
    const int n = 16384, block = 128;
    Lcg r(201);
    std::vector<float4> h(n);
    for (auto& q : h) {
        q.x = r.uniform(-1.f, 1.f);
        q.y = r.uniform(-1.f, 1.f);
        q.z = r.uniform(-1.f, 1.f);
        q.w = r.uniform(0.1f, 1.f);
    }
    float4* pos = upload(h);
    float4* acc = device_alloc<float4>(n);
    LAUNCH(nbody_forces, div_up(n, block), block, block * sizeof(float4), pos, acc, 1e-3f, n);
    report("nbody_forces", (const float*)acc, (size_t)n * 4);
    release(pos, acc);
}

static void run_conv2d() {
    const int w = 2560, h = 1900;
    std::vector<float> filt = random_floats(25, 301, 0.f, 0.08f);
    CK(cudaMemcpyToSymbol(c_filter, filt.data(), 25 * sizeof(float)));
    float* in = upload_random((size_t)w * h, 302, 0.f, 1.f);
    float* out = device_alloc<float>((size_t)w * h);
    dim3 block(CONV_TILE, CONV_TILE);
    dim3 grid(div_up(w, CONV_TILE), div_up(h, CONV_TILE));
    LAUNCH(conv2d_5x5, grid, block, 0, in, out, w, h);
    report("conv2d_5x5", out, (size_t)w * h);
    release(in, out);
}

static void run_gaussian() {
    const int w = 3840, h = 2160;
    std::vector<float> g(2 * GAUSS_R + 1);
    float total = 0.f;
    for (int i = -GAUSS_R; i <= GAUSS_R; ++i) {
        g[i + GAUSS_R] = std::exp(-(float)(i * i) / (2.f * 3.f * 3.f));
        total += g[i + GAUSS_R];
    }
    for (auto& x : g)
        x /= total;
    CK(cudaMemcpyToSymbol(c_gauss, g.data(), g.size() * sizeof(float)));

    float* in = upload_random((size_t)w * h, 401, 0.f, 255.f);
    float* mid = device_alloc<float>((size_t)w * h);
    float* out = device_alloc<float>((size_t)w * h);

    dim3 rblock(GROW_BX, GROW_BY);
    dim3 rgrid(div_up(w, GROW_BX), div_up(h, GROW_BY));
    LAUNCH(gaussian_rows, rgrid, rblock, 0, in, mid, w, h);
    report("gaussian_rows", mid, (size_t)w * h);

    dim3 cblock(GCOL_BX, GCOL_BY);
    dim3 cgrid(div_up(w, GCOL_BX), div_up(h, GCOL_TILE));
    LAUNCH(gaussian_cols, cgrid, cblock, 0, mid, out, w, h);
    report("gaussian_cols", out, (size_t)w * h);
    release(in, mid, out);
}

static void run_bitonic() {
    const int blocks = 4096, keys_per_block = 1024;
    const size_t n = (size_t)blocks * keys_per_block;
    Lcg r(601);
    std::vector<unsigned int> h(n);
    for (auto& x : h)
        x = (r.next() << 8) ^ r.next();
    unsigned int* in = upload(h);
    unsigned int* out = device_alloc<unsigned int>(n);
    LAUNCH(bitonic_sort_block, blocks, keys_per_block / 2, keys_per_block * sizeof(unsigned int), in, out);
    std::vector<unsigned int> first(keys_per_block);
    CK(cudaMemcpy(first.data(), out, keys_per_block * sizeof(unsigned int), cudaMemcpyDeviceToHost));
    for (int i = 1; i < keys_per_block; ++i) {
        if (first[i - 1] > first[i]) {
            std::printf("bitonic_sort_block: not sorted at %d\n", i);
            break;
        }
    }
    report("bitonic_sort_block", out, n);
    release(in, out);
}

static void run_scan() {
    const int n = 5000000, per_block = 1024;
    const int blocks = (int)div_up(n, per_block);
    Lcg r(701);
    std::vector<int> h(n);
    for (auto& x : h)
        x = r.below(10);
    int* in = upload(h);
    int* out = device_alloc<int>(n);
    int* sums = device_alloc<int>(blocks);
    size_t smem = (per_block + BANK_OFFSET(per_block)) * sizeof(int);
    LAUNCH(scan_block_exclusive, blocks, per_block / 2, smem, in, out, sums, n);
    report("scan_block_exclusive", out, n);
    release(in, out, sums);
}

static void run_reduce() {
    const int n = 15000000, block = 256, iters = 32;
    const int blocks = (int)div_up(n, block * iters);
    float* in = upload_random(n, 801, 0.f, 1.f);
    float* out = device_alloc<float>(blocks);
    LAUNCH(reduce_warp_shuffle, blocks, block, 0, in, out, iters, n);
    report("reduce_warp_shuffle", out, blocks);
    release(in, out);
}

static void run_histogram() {
    const int nwords = 8000000;
    Lcg r(901);
    std::vector<unsigned int> h(nwords);
    for (auto& x : h)
        x = (r.next() << 8) ^ r.next();
    unsigned int* data = upload(h);
    unsigned int* hist = device_alloc<unsigned int>(256);
    LAUNCH(histogram256, 1056, 256, 0, data, hist, nwords);
    report("histogram256", hist, 256);
    release(data, hist);
}

static void run_spmv() {
    const int rows = 150000, cols = 150000;
    Lcg r(1001);
    std::vector<int> rowptr(rows + 1);
    std::vector<int> colidx;
    colidx.reserve((size_t)rows * 40);
    rowptr[0] = 0;
    for (int i = 0; i < rows; ++i) {
        int nnz = 8 + r.below(64);
        for (int k = 0; k < nnz; ++k)
            colidx.push_back(r.below(cols));
        rowptr[i + 1] = (int)colidx.size();
    }
    int* d_rowptr = upload(rowptr);
    int* d_col = upload(colidx);
    float* d_val = upload_random(colidx.size(), 1002, -1.f, 1.f);
    float* x = upload_random(cols, 1003, -1.f, 1.f);
    float* y = device_alloc<float>(rows);
    LAUNCH(spmv_csr_warp, div_up(rows, 128 / 32), 128, 0, d_rowptr, d_col, d_val, x, y, rows);
    report("spmv_csr_warp", y, rows);
    release(d_rowptr, d_col, d_val, x, y);
}

static void run_bfs() {
    const int nodes = 1 << 20;
    Lcg r(1101);
    std::vector<int> rowptr(nodes + 1);
    std::vector<int> adj;
    adj.reserve((size_t)nodes * 9);
    rowptr[0] = 0;
    for (int i = 0; i < nodes; ++i) {
        int deg = 4 + r.below(9);
        for (int k = 0; k < deg; ++k)
            adj.push_back(r.below(nodes));
        rowptr[i + 1] = (int)adj.size();
    }

    // Walk the first levels on the host, until the frontier is large.
    std::vector<int> dist(nodes, -1);
    std::vector<int> frontier{0};
    dist[0] = 0;
    for (int level = 0; level < 20 && frontier.size() < 150000; ++level) {
        std::vector<int> next;
        for (int v : frontier) {
            for (int e = rowptr[v]; e < rowptr[v + 1]; ++e) {
                int u = adj[e];
                if (dist[u] < 0) {
                    dist[u] = level + 1;
                    next.push_back(u);
                }
            }
        }
        if (next.empty())
            break;
        frontier.swap(next);
    }

    int fsize = (int)frontier.size();
    int* d_rowptr = upload(rowptr);
    int* d_adj = upload(adj);
    int* d_frontier = upload(frontier);
    int* d_dist = upload(dist);
    int* d_mask = device_alloc<int>(nodes);
    int* d_count = device_alloc<int>(1);
    LAUNCH(bfs_expand, div_up(fsize, 256), 256, 0, d_rowptr, d_adj, d_frontier, fsize, d_dist, d_mask,
           d_count);
    report("bfs_expand", d_count, 1);
    release(d_rowptr, d_adj, d_frontier, d_dist, d_mask, d_count);
}

static void run_floyd_warshall() {
    const int n = 3072;
    Lcg r(1201);
    std::vector<int> h((size_t)n * n);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            h[(size_t)i * n + j] = i == j ? 0 : 1 + r.below(1000);
    int* dist = upload(h);
    dim3 block(FW_TILE, FW_TILE);
    dim3 grid(n / FW_TILE, n / FW_TILE);
    LAUNCH(fw_phase3, grid, block, 0, dist, n, 5);
    report("fw_phase3", dist, (size_t)n * n);
    release(dist);
}

static void run_needleman_wunsch() {
    const int pairs = 12000;
    Lcg r(1301);
    std::vector<unsigned char> a((size_t)pairs * NW_LEN), b((size_t)pairs * NW_LEN);
    for (size_t i = 0; i < a.size(); ++i) {
        a[i] = (unsigned char)r.below(4);
        b[i] = r.below(10) < 7 ? a[i] : (unsigned char)r.below(4);
    }
    unsigned char* da = upload(a);
    unsigned char* db = upload(b);
    int* scores = device_alloc<int>((size_t)pairs * NW_LEN * NW_LEN);
    dim3 block(NW_LEN, NW_PAIRS);
    LAUNCH(nw_tile, div_up(pairs, NW_PAIRS), block, 0, da, db, scores, 2, -1, 2, pairs);
    report("nw_tile", scores, (size_t)pairs * NW_LEN * NW_LEN);
    release(da, db, scores);
}

static void run_kmeans() {
    const int n = 600000, k = 32;
    float* pts = upload_random((size_t)n * KM_DIM, 1401, -1.f, 1.f);
    float* cent = upload_random((size_t)k * KM_DIM, 1402, -1.f, 1.f);
    int* labels = device_alloc<int>(n);
    float* dists = device_alloc<float>(n);
    LAUNCH(kmeans_assign, div_up(n, 128), 128, k * KM_DIM * sizeof(float), pts, cent, labels, dists, n, k);
    report("kmeans_assign", dists, n);
    release(pts, cent, labels, dists);
}

static void run_softmax() {
    const int rows = 8192, cols = 1024;
    float* in = upload_random((size_t)rows * cols, 1501, -5.f, 5.f);
    float* out = device_alloc<float>((size_t)rows * cols);
    LAUNCH(softmax_rows, rows, 256, 0, in, out, cols);
    report("softmax_rows", out, (size_t)rows * cols);
    release(in, out);
}

static void run_layernorm() {
    const int rows = 16384;
    float* in = upload_random((size_t)rows * LN_COLS, 1601, -2.f, 3.f);
    float* gamma = upload_random(LN_COLS, 1602, 0.5f, 1.5f);
    float* beta = upload_random(LN_COLS, 1603, -0.5f, 0.5f);
    float* out = device_alloc<float>((size_t)rows * LN_COLS);
    LAUNCH(layernorm_rows, rows, LN_THREADS, 0, in, gamma, beta, out, 1e-5f);
    report("layernorm_rows", out, (size_t)rows * LN_COLS);
    release(in, gamma, beta, out);
}

static void run_gelu() {
    const int n4 = 2500000;
    float* in = upload_random((size_t)n4 * 4, 1701, -4.f, 4.f);
    float* out = device_alloc<float>((size_t)n4 * 4);
    LAUNCH(gelu_vec4, div_up(n4, 256), 256, 0, (const float4*)in, (float4*)out, n4);
    report("gelu_vec4", out, (size_t)n4 * 4);
    release(in, out);
}

static void run_embedding() {
    const int vocab = 32000, dim = 256, ntokens = 40000;
    Lcg r(1801);
    std::vector<int> tok(ntokens);
    for (auto& t : tok)
        t = r.below(vocab);
    float* table = upload_random((size_t)vocab * dim, 1802, -1.f, 1.f);
    int* tokens = upload(tok);
    float* out = device_alloc<float>((size_t)ntokens * dim);
    dim3 block(64, 4);
    LAUNCH(embedding_gather, div_up(ntokens, 4), block, 0, (const float4*)table, tokens, (float4*)out,
           ntokens, dim / 4, 16.0f);
    report("embedding_gather", out, (size_t)ntokens * dim);
    release(table, tokens, out);
}

static void run_transpose() {
    const int w = 4000, h = 3000;
    float* in = upload_random((size_t)w * h, 1901, -1.f, 1.f);
    float* out = device_alloc<float>((size_t)w * h);
    dim3 block(TR_DIM, TR_ROWS);
    dim3 grid(div_up(w, TR_DIM), div_up(h, TR_DIM));
    LAUNCH(transpose_tile, grid, block, 0, in, out, w, h);
    report("transpose_tile", out, (size_t)w * h);
    release(in, out);
}

static void run_gemv_row() {
    const int rows = 4096, cols = 4096;
    float* A = upload_random((size_t)rows * cols, 2001, -1.f, 1.f);
    float* x = upload_random(cols, 2002, -1.f, 1.f);
    float* y = device_alloc<float>(rows);
    LAUNCH(gemv_row_warp, div_up(rows, 256 / 32), 256, 0, A, x, y, rows, cols);
    report("gemv_row_warp", y, rows);
    release(A, x, y);
}

static void run_gemv_col() {
    const int rows = 5000, cols = 3000;
    float* A = upload_random((size_t)rows * cols, 2101, -1.f, 1.f);
    float* x = upload_random(cols, 2102, -1.f, 1.f);
    float* y = device_alloc<float>(rows);
    dim3 grid(div_up(rows, 128), div_up(cols, GEMV_CHUNK));
    LAUNCH(gemv_colmajor_atomic, grid, 128, 0, A, x, y, rows, cols);
    report("gemv_colmajor_atomic", y, rows);
    release(A, x, y);
}

static void run_batched_mm() {
    const int batch = 20000;
    float* A = upload_random((size_t)batch * 256, 2201, -1.f, 1.f);
    float* B = upload_random((size_t)batch * 256, 2202, -1.f, 1.f);
    float* C = device_alloc<float>((size_t)batch * 256);
    LAUNCH(batched_mm16, batch, dim3(16, 16), 0, A, B, C, 0.5f);
    report("batched_mm16", C, (size_t)batch * 256);
    release(A, B, C);
}

static void run_mandelbrot() {
    const int w = 1920, h = 1080;
    int* img = device_alloc<int>((size_t)w * h);
    dim3 block(16, 16);
    dim3 grid(div_up(w, 16), div_up(h, 16));
    LAUNCH(mandelbrot, grid, block, 0, img, w, h, -2.2f, -1.2f, 3.2f / w, 2.4f / h, 256);
    report("mandelbrot", img + (size_t)w * (h / 2), (size_t)w * 8);
    release(img);
}

static void run_mc_pi() {
    const int blocks = 528, block = 256, samples = 512;
    unsigned long long* hits = device_alloc<unsigned long long>(1);
    LAUNCH(mc_pi, blocks, block, 0, hits, 12345u, samples);
    unsigned long long h = 0;
    CK(cudaMemcpy(&h, hits, sizeof(h), cudaMemcpyDeviceToHost));
    std::printf("%-22s %.9g\n", "mc_pi", 4.0 * (double)h / ((double)LAUNCHES * blocks * block * samples));
    release(hits);
}

static void run_jacobi() {
    const int nx = 3000, ny = 2500;
    float* u = upload_random((size_t)nx * ny, 2501, 0.f, 1.f);
    float* f = upload_random((size_t)nx * ny, 2502, -1.f, 1.f);
    float* unew = device_alloc<float>((size_t)nx * ny);
    dim3 block(JB_X, JB_Y);
    dim3 grid(div_up(nx, JB_X), div_up(ny, JB_Y));
    LAUNCH(jacobi2d_shared, grid, block, 0, u, f, unew, nx, ny, 0.01f);
    report("jacobi2d_shared", unew, (size_t)nx * ny);
    release(u, f, unew);
}

static void run_stencil3d() {
    const int nx = 320, ny = 320, nz = 128;
    const size_t n = (size_t)nx * ny * nz;
    float* in = upload_random(n, 2601, 0.f, 1.f);
    float* out = device_alloc<float>(n);
    dim3 block(32, 8);
    dim3 grid(div_up(nx, 32), div_up(ny, 8));
    LAUNCH(stencil3d_7pt, grid, block, 0, in, out, nx, ny, nz, 0.4f, 0.1f);
    report("stencil3d_7pt", out + (size_t)nx * ny, (size_t)nx * ny);
    release(in, out);
}

static void run_dgemm() {
    const int n = 1000;
    Lcg r(2701);
    std::vector<double> a((size_t)n * n), b((size_t)n * n);
    for (auto& x : a)
        x = r.uniform(-1.f, 1.f);
    for (auto& x : b)
        x = r.uniform(-1.f, 1.f);
    double* A = upload(a);
    double* B = upload(b);
    double* C = device_alloc<double>((size_t)n * n);
    dim3 block(DG_TILE, DG_ROWS);
    dim3 grid(div_up(n, DG_TILE), div_up(n, DG_TILE));
    LAUNCH(dgemm_tile32, grid, block, 0, A, B, C, n, 1.0, 0.5);
    report("dgemm_tile32", C, (size_t)n * n);
    release(A, B, C);
}

static void run_fft() {
    const int batch = 4096;
    float* in = upload_random((size_t)batch * FFT_N * 2, 2801, -1.f, 1.f);
    float* out = device_alloc<float>((size_t)batch * FFT_N * 2);
    LAUNCH(fft1024_radix2, batch, FFT_N / 2, 0, (const float2*)in, (float2*)out);
    report("fft1024_radix2", out, (size_t)batch * FFT_N * 2);
    release(in, out);
}

int main() {
    CK(cudaSetDevice(0));
    run_black_scholes();
    run_nbody();
    run_conv2d();
    run_gaussian();  // rows and columns
    run_bitonic();
    run_scan();
    run_reduce();
    run_histogram();
    run_spmv();
    run_bfs();
    run_floyd_warshall();
    run_needleman_wunsch();
    run_kmeans();
    run_softmax();
    run_layernorm();
    run_gelu();
    run_embedding();
    run_transpose();
    run_gemv_row();
    run_gemv_col();
    run_batched_mm();
    run_mandelbrot();
    run_mc_pi();
    run_jacobi();
    run_stencil3d();
    run_dgemm();
    run_fft();
    CK(cudaDeviceSynchronize());
    std::printf("done\n");
    return 0;
}
