// Collection of the small device kernels our group maintains for colleagues in
// plasma physics, climate, materials, genomics, medical imaging and language
// models, with one self-checking test per kernel.
//
// Build: nvcc -std=c++17 -O3 -arch=sm_90 -o mixed_aj mixed_aj.cu

#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

namespace cg = cooperative_groups;

// ---------------------------------------------------------------------------
// Host helpers
// ---------------------------------------------------------------------------

#define CUDA_CHECK(call)                                                        \
    do {                                                                        \
        cudaError_t err_ = (call);                                              \
        if (err_ != cudaSuccess) {                                              \
            std::fprintf(stderr, "%s:%d: CUDA error %d\n", __FILE__, __LINE__,  \
                         static_cast<int>(err_));                               \
            std::exit(2);                                                       \
        }                                                                       \
    } while (0)

static void wait_for_kernel()
{
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
}

template <typename T>
class DeviceArray {
public:
    explicit DeviceArray(size_t n) : n_(n)
    {
        CUDA_CHECK(cudaMalloc(reinterpret_cast<void**>(&p_), std::max<size_t>(n, 1) * sizeof(T)));
    }
    explicit DeviceArray(const std::vector<T>& h) : DeviceArray(h.size())
    {
        if (n_) CUDA_CHECK(cudaMemcpy(p_, h.data(), n_ * sizeof(T), cudaMemcpyHostToDevice));
    }
    ~DeviceArray() { cudaFree(p_); }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;

    T* get() const { return p_; }
    size_t size() const { return n_; }
    void fill_bytes(int value) { CUDA_CHECK(cudaMemset(p_, value, n_ * sizeof(T))); }
    std::vector<T> host() const
    {
        std::vector<T> h(n_);
        if (n_) CUDA_CHECK(cudaMemcpy(h.data(), p_, n_ * sizeof(T), cudaMemcpyDeviceToHost));
        return h;
    }

private:
    T* p_ = nullptr;
    size_t n_ = 0;
};

// xorshift64* with a splitmix-style seed scrambler.
class Random {
public:
    explicit Random(uint64_t seed)
    {
        uint64_t z = seed + 0x9E3779B97F4A7C15ull;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
        s_ = (z ^ (z >> 31)) | 1ull;
    }
    uint64_t bits()
    {
        s_ ^= s_ >> 12;
        s_ ^= s_ << 25;
        s_ ^= s_ >> 27;
        return s_ * 0x2545F4914F6CDD1Dull;
    }
    uint32_t u32() { return static_cast<uint32_t>(bits() >> 32); }
    int below(int n) { return static_cast<int>((static_cast<uint64_t>(u32()) * static_cast<uint64_t>(n)) >> 32); }
    double uniform() { return static_cast<double>(bits() >> 11) * (1.0 / 9007199254740992.0); }
    float uniform(float lo, float hi) { return lo + (hi - lo) * static_cast<float>(uniform()); }
    double normal()
    {
        if (have_spare_) {
            have_spare_ = false;
            return spare_;
        }
        const double r = std::sqrt(-2.0 * std::log(1.0 - uniform()));
        const double a = 6.283185307179586 * uniform();
        spare_ = r * std::sin(a);
        have_spare_ = true;
        return r * std::cos(a);
    }
    // Index in [0, n) whose density falls off as a power law towards n.
    int skewed(int n, double exponent)
    {
        return std::min(n - 1, static_cast<int>(n * std::pow(uniform(), exponent)));
    }

private:
    uint64_t s_;
    double spare_ = 0.0;
    bool have_spare_ = false;
};

static int g_failures = 0;

static void report(const char* name, bool ok)
{
    std::printf("%s %s\n", name, ok ? "ok" : "WRONG");
    std::fflush(stdout);
    if (!ok) ++g_failures;
}

static inline bool near(double got, double want, double atol, double rtol)
{
    return std::fabs(got - want) <= atol + rtol * std::fabs(want);
}

template <typename A, typename B>
static bool all_near(const std::vector<A>& got, const std::vector<B>& want, double atol, double rtol)
{
    if (got.size() != want.size()) return false;
    for (size_t i = 0; i < got.size(); ++i)
        if (!near(static_cast<double>(got[i]), static_cast<double>(want[i]), atol, rtol)) return false;
    return true;
}

static inline int ceil_div(int a, int b) { return (a + b - 1) / b; }

// Device-side helpers shared by several kernels.
template <typename T>
__device__ __forceinline__ T warp_sum(T v)
{
    for (int offset = 16; offset > 0; offset >>= 1) v += __shfl_xor_sync(0xffffffffu, v, offset);
    return v;
}

__device__ __forceinline__ float warp_max(float v)
{
    for (int offset = 16; offset > 0; offset >>= 1) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, offset));
    return v;
}

// ---------------------------------------------------------------------------
// 1. embed_gather: token + position embedding lookup of a small language model
// ---------------------------------------------------------------------------

__global__ void embed_gather(const __half* __restrict__ tok_emb, const __half* __restrict__ pos_emb,
                             const int* __restrict__ ids, const short* __restrict__ positions,
                             __half* __restrict__ out, int n_tokens, int dim, float scale)
{
    const int token = blockIdx.x * blockDim.y + threadIdx.y;
    if (token >= n_tokens) return;

    const int vecs = dim / 8;  // eight halves per 16-byte vector
    const int id = ids[token];
    const int pos = positions[token];
    uint4* dst = reinterpret_cast<uint4*>(out) + static_cast<size_t>(token) * vecs;

    if (id < 0) {  // padding token
        for (int v = threadIdx.x; v < vecs; v += blockDim.x) dst[v] = make_uint4(0u, 0u, 0u, 0u);
        return;
    }

    const uint4* tok_row = reinterpret_cast<const uint4*>(tok_emb) + static_cast<size_t>(id) * vecs;
    const uint4* pos_row = reinterpret_cast<const uint4*>(pos_emb) + static_cast<size_t>(pos) * vecs;
    for (int v = threadIdx.x; v < vecs; v += blockDim.x) {
        const uint4 a = __ldg(tok_row + v);
        const uint4 b = __ldg(pos_row + v);
        uint4 r;
        const __half2* ah = reinterpret_cast<const __half2*>(&a);
        const __half2* bh = reinterpret_cast<const __half2*>(&b);
        __half2* rh = reinterpret_cast<__half2*>(&r);
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const float2 x = __half22float2(ah[k]);
            const float2 y = __half22float2(bh[k]);
            rh[k] = __floats2half2_rn(fmaf(x.x, scale, y.x), fmaf(x.y, scale, y.y));
        }
        dst[v] = r;
    }
}

static bool run_embed_gather(int n_tokens, int vocab, int max_pos, int dim, uint64_t seed)
{
    Random rng(seed);
    std::vector<__half> tok(static_cast<size_t>(vocab) * dim), pos(static_cast<size_t>(max_pos) * dim);
    for (auto& v : tok) v = __float2half(rng.uniform(-0.06f, 0.06f));
    for (auto& v : pos) v = __float2half(rng.uniform(-0.5f, 0.5f));

    // Packed sequences of varying length, padded to a multiple of eight tokens.
    std::vector<int> ids(n_tokens);
    std::vector<short> where(n_tokens);
    int t = 0;
    while (t < n_tokens) {
        const int len = 20 + rng.below(max_pos - 20);
        const int padded = (len + 7) / 8 * 8;
        for (int i = 0; i < padded && t < n_tokens; ++i, ++t) {
            ids[t] = i < len ? rng.skewed(vocab, 3.0) : -1;
            where[t] = static_cast<short>(std::min(i, max_pos - 1));
        }
    }
    const float scale = std::sqrt(static_cast<float>(dim));

    DeviceArray<__half> d_tok(tok), d_pos(pos), d_out(static_cast<size_t>(n_tokens) * dim);
    DeviceArray<int> d_ids(ids);
    DeviceArray<short> d_where(where);
    const dim3 block(dim / 8, 2);
    embed_gather<<<ceil_div(n_tokens, 2), block>>>(d_tok.get(), d_pos.get(), d_ids.get(), d_where.get(),
                                                   d_out.get(), n_tokens, dim, scale);
    wait_for_kernel();

    const std::vector<__half> got = d_out.host();
    for (int k = 0; k < n_tokens; ++k) {
        for (int c = 0; c < dim; ++c) {
            float want = 0.0f;
            if (ids[k] >= 0)
                want = __half2float(tok[static_cast<size_t>(ids[k]) * dim + c]) * scale +
                       __half2float(pos[static_cast<size_t>(where[k]) * dim + c]);
            if (!near(__half2float(got[static_cast<size_t>(k) * dim + c]), want, 1e-3, 1e-3)) return false;
        }
    }
    return true;
}

static void test_embed_gather()
{
    bool ok = run_embed_gather(75, 500, 64, 256, 101);
    ok = run_embed_gather(6100, 8000, 1024, 768, 102) && ok;
    report("embed_gather", ok);
}

// ---------------------------------------------------------------------------
// 2. spmv_residual: r = b - A x for an unstructured finite-element matrix (CSR)
// ---------------------------------------------------------------------------

constexpr int kSpmvLanes = 8;

__global__ void __launch_bounds__(256) spmv_residual(const int* __restrict__ row_ptr, const int* __restrict__ col,
                                                     const double* __restrict__ val, const double* __restrict__ x,
                                                     const double* __restrict__ b, double* __restrict__ r, int n_rows)
{
    const int gid = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = gid / kSpmvLanes;
    const int lane = threadIdx.x % kSpmvLanes;

    double sum = 0.0;
    if (row < n_rows) {
        const int end = row_ptr[row + 1];
        for (int k = row_ptr[row] + lane; k < end; k += kSpmvLanes) sum = fma(val[k], __ldg(x + col[k]), sum);
    }
#pragma unroll
    for (int offset = kSpmvLanes / 2; offset > 0; offset >>= 1)
        sum += __shfl_down_sync(0xffffffffu, sum, offset, kSpmvLanes);
    if (row < n_rows && lane == 0) r[row] = b[row] - sum;
}

static bool run_spmv_residual(int n, int half_band, uint64_t seed)
{
    Random rng(seed);
    std::vector<int> row_ptr(n + 1, 0), col;
    std::vector<double> val;
    for (int i = 0; i < n; ++i) {
        const int off_diag = 6 + rng.skewed(30, 2.2);
        std::vector<int> cols(1, i);
        for (int k = 0; k < off_diag; ++k) {
            int c = rng.below(20) == 0 ? rng.below(n) : i + rng.below(2 * half_band + 1) - half_band;
            c = std::min(n - 1, std::max(0, c));
            cols.push_back(c);
        }
        std::sort(cols.begin(), cols.end());
        cols.erase(std::unique(cols.begin(), cols.end()), cols.end());
        for (int c : cols) {
            col.push_back(c);
            val.push_back(c == i ? off_diag + 1.0 : -rng.uniform());
        }
        row_ptr[i + 1] = static_cast<int>(col.size());
    }
    std::vector<double> x(n), b(n);
    for (int i = 0; i < n; ++i) {
        x[i] = std::sin(0.001 * i) + 0.1 * rng.uniform();
        b[i] = rng.normal();
    }

    DeviceArray<int> d_ptr(row_ptr), d_col(col);
    DeviceArray<double> d_val(val), d_x(x), d_b(b), d_r(n);
    const int block = 256;
    spmv_residual<<<ceil_div(n, block / kSpmvLanes), block>>>(d_ptr.get(), d_col.get(), d_val.get(), d_x.get(),
                                                              d_b.get(), d_r.get(), n);
    wait_for_kernel();

    std::vector<double> want(n);
    for (int i = 0; i < n; ++i) {
        double s = 0.0;
        for (int k = row_ptr[i]; k < row_ptr[i + 1]; ++k) s += val[k] * x[col[k]];
        want[i] = b[i] - s;
    }
    return all_near(d_r.host(), want, 1e-11, 1e-11);
}

static void test_spmv_residual()
{
    bool ok = run_spmv_residual(1237, 40, 201);
    ok = run_spmv_residual(92500, 1500, 202) && ok;
    report("spmv_residual", ok);
}

// ---------------------------------------------------------------------------
// 3. knn_smooth_spmm: diffusion of single-cell profiles over a kNN graph,
//    Y = W X with W sparse (CSR) and 64 principal components per cell
// ---------------------------------------------------------------------------

constexpr int kPcs = 64;

__global__ void knn_smooth_spmm(const int* __restrict__ row_ptr, const int* __restrict__ col,
                                const float* __restrict__ weight, const float2* __restrict__ x,
                                float2* __restrict__ y, int n_cells)
{
    const int lane = threadIdx.x & 31;
    const int row = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5);
    if (row >= n_cells) return;

    const int begin = row_ptr[row];
    const int end = row_ptr[row + 1];
    float2 acc = make_float2(0.0f, 0.0f);
    for (int base = begin; base < end; base += 32) {
        const int k = base + lane;
        const int my_col = k < end ? col[k] : 0;
        const float my_weight = k < end ? weight[k] : 0.0f;
        const int count = min(32, end - base);
        for (int t = 0; t < count; ++t) {
            const int c = __shfl_sync(0xffffffffu, my_col, t);
            const float w = __shfl_sync(0xffffffffu, my_weight, t);
            const float2 v = __ldg(x + c * (kPcs / 2) + lane);
            acc.x = fmaf(w, v.x, acc.x);
            acc.y = fmaf(w, v.y, acc.y);
        }
    }
    y[row * (kPcs / 2) + lane] = acc;
}

static bool run_knn_smooth(int n_cells, int mean_cluster, uint64_t seed)
{
    Random rng(seed);
    // Cells are stored cluster by cluster; most neighbours lie in the same cluster.
    std::vector<int> cluster_begin(n_cells), cluster_size(n_cells);
    for (int i = 0; i < n_cells;) {
        const int size = std::min(n_cells - i, 30 + rng.skewed(4 * mean_cluster, 2.5));
        for (int k = i; k < i + size; ++k) {
            cluster_begin[k] = i;
            cluster_size[k] = size;
        }
        i += size;
    }
    std::vector<int> row_ptr(n_cells + 1, 0), col;
    std::vector<float> weight;
    for (int i = 0; i < n_cells; ++i) {
        const int degree = 12 + rng.skewed(80, 3.0);  // symmetrised graph has hubs
        float total = 0.0f;
        const size_t start = col.size();
        for (int k = 0; k < degree; ++k) {
            const int c = rng.below(12) == 0 ? rng.below(n_cells) : cluster_begin[i] + rng.below(cluster_size[i]);
            const float w = static_cast<float>(std::exp(-2.0 * rng.uniform()));
            col.push_back(c);
            weight.push_back(w);
            total += w;
        }
        for (size_t k = start; k < weight.size(); ++k) weight[k] /= total;
        row_ptr[i + 1] = static_cast<int>(col.size());
    }
    std::vector<float2> x(static_cast<size_t>(n_cells) * (kPcs / 2));
    for (auto& v : x) v = make_float2(rng.uniform(-2.0f, 2.0f), rng.uniform(-2.0f, 2.0f));

    DeviceArray<int> d_ptr(row_ptr), d_col(col);
    DeviceArray<float> d_w(weight);
    DeviceArray<float2> d_x(x), d_y(x.size());
    knn_smooth_spmm<<<ceil_div(n_cells, 4), 128>>>(d_ptr.get(), d_col.get(), d_w.get(), d_x.get(), d_y.get(), n_cells);
    wait_for_kernel();

    const std::vector<float2> got = d_y.host();
    std::vector<float2> sum(kPcs / 2);
    for (int i = 0; i < n_cells; ++i) {
        std::fill(sum.begin(), sum.end(), make_float2(0.0f, 0.0f));
        for (int k = row_ptr[i]; k < row_ptr[i + 1]; ++k) {
            const float2* v = &x[static_cast<size_t>(col[k]) * (kPcs / 2)];
            for (int c = 0; c < kPcs / 2; ++c) {
                sum[c].x += weight[k] * v[c].x;
                sum[c].y += weight[k] * v[c].y;
            }
        }
        for (int c = 0; c < kPcs / 2; ++c) {
            const float2 g = got[static_cast<size_t>(i) * (kPcs / 2) + c];
            if (!near(g.x, sum[c].x, 1e-5, 1e-5) || !near(g.y, sum[c].y, 1e-5, 1e-5)) return false;
        }
    }
    return true;
}

static void test_knn_smooth_spmm()
{
    bool ok = run_knn_smooth(311, 60, 301);
    ok = run_knn_smooth(21000, 900, 302) && ok;
    report("knn_smooth_spmm", ok);
}

// ---------------------------------------------------------------------------
// 4. kmer_spectrum: histogram of all 6-mers of a 2-bit packed assembly
// ---------------------------------------------------------------------------

constexpr int kSpectrumK = 6;
constexpr int kSpectrumBins = 1 << (2 * kSpectrumK);

__global__ void __launch_bounds__(512) kmer_spectrum(const uint32_t* __restrict__ packed, int n_words,
                                                     int n_bases, unsigned int* __restrict__ counts)
{
    __shared__ unsigned int bins[kSpectrumBins];
    for (int i = threadIdx.x; i < kSpectrumBins; i += blockDim.x) bins[i] = 0u;
    __syncthreads();

    for (int w = blockIdx.x * blockDim.x + threadIdx.x; w < n_words; w += gridDim.x * blockDim.x) {
        uint64_t window = packed[w];
        if (w + 1 < n_words) window |= static_cast<uint64_t>(packed[w + 1]) << 32;
        const int usable = min(16, n_bases - kSpectrumK + 1 - w * 16);
        for (int i = 0; i < usable; ++i) {
            atomicAdd(&bins[static_cast<unsigned int>(window) & (kSpectrumBins - 1)], 1u);
            window >>= 2;
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < kSpectrumBins; i += blockDim.x)
        if (bins[i]) atomicAdd(&counts[i], bins[i]);
}

static bool run_kmer_spectrum(int n_bases, int blocks, uint64_t seed)
{
    Random rng(seed);
    const int n_words = ceil_div(n_bases, 16);
    std::vector<uint8_t> bases(n_bases);
    // AT-rich background with microsatellites and poly-A stretches.
    for (int i = 0; i < n_bases;) {
        const uint32_t kind = rng.u32() & 1023u;
        if (kind < 2) {
            const int len = 20 + rng.below(200);
            for (int k = 0; k < len && i < n_bases; ++k) bases[i++] = 0;
        } else if (kind < 4) {
            const int unit = 2 + rng.below(3), len = 24 + rng.below(60);
            const uint32_t motif = rng.u32();
            for (int k = 0; k < len && i < n_bases; ++k) bases[i++] = (motif >> (2 * (k % unit))) & 3u;
        } else {
            for (int k = 0; k < 32 && i < n_bases; k += 8) {
                uint64_t r = rng.bits();
                for (int q = 0; q < 8 && i < n_bases; ++q, r >>= 8) {
                    const int u = static_cast<int>(r & 255u);
                    bases[i++] = u < 77 ? 0 : u < 128 ? 1 : u < 179 ? 2 : 3;
                }
            }
        }
    }
    std::vector<uint32_t> packed(n_words, 0u);
    for (int i = 0; i < n_bases; ++i) packed[i / 16] |= static_cast<uint32_t>(bases[i]) << (2 * (i % 16));

    DeviceArray<uint32_t> d_packed(packed);
    DeviceArray<unsigned int> d_counts(kSpectrumBins);
    d_counts.fill_bytes(0);
    kmer_spectrum<<<blocks, 512>>>(d_packed.get(), n_words, n_bases, d_counts.get());
    wait_for_kernel();

    std::vector<unsigned int> want(kSpectrumBins, 0u);
    unsigned int code = 0;
    for (int i = 0; i < n_bases; ++i) {
        code = (code >> 2) | (static_cast<unsigned int>(bases[i]) << (2 * (kSpectrumK - 1)));
        if (i >= kSpectrumK - 1) ++want[code];
    }
    return d_counts.host() == want;
}

static void test_kmer_spectrum()
{
    bool ok = run_kmer_spectrum(10007, 2, 401);
    ok = run_kmer_spectrum(22000013, 264, 402) && ok;
    report("kmer_spectrum", ok);
}

// ---------------------------------------------------------------------------
// 5. joint_histogram: CT/MR joint intensity histogram for mutual-information
//    registration (64 x 64 bins, voxels outside the body mask are skipped)
// ---------------------------------------------------------------------------

constexpr int kJointBins = 64;

__host__ __device__ inline int joint_bin(short hu, unsigned char mr)
{
    int a = ((hu + 1000) * kJointBins) / 2800;  // Hounsfield window -1000 .. 1800
    a = a < 0 ? 0 : (a >= kJointBins ? kJointBins - 1 : a);
    return a * kJointBins + (mr >> 2);
}

__global__ void __launch_bounds__(256) joint_histogram(const short* __restrict__ ct,
                                                       const unsigned char* __restrict__ mr,
                                                       const unsigned char* __restrict__ mask, int n_voxels,
                                                       unsigned int* __restrict__ hist)
{
    // Two privatised copies, chosen by warp parity, halve the contention.
    __shared__ unsigned int local[2][kJointBins * kJointBins];
    for (int i = threadIdx.x; i < kJointBins * kJointBins; i += blockDim.x) {
        local[0][i] = 0u;
        local[1][i] = 0u;
    }
    __syncthreads();
    unsigned int* mine = local[(threadIdx.x >> 5) & 1];

    const int quads = n_voxels / 4;
    const int stride = gridDim.x * blockDim.x;
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    for (int q = first; q < quads; q += stride) {
        const uchar4 m = reinterpret_cast<const uchar4*>(mask)[q];
        const short4 a = reinterpret_cast<const short4*>(ct)[q];
        const uchar4 b = reinterpret_cast<const uchar4*>(mr)[q];
        if (m.x) atomicAdd(&mine[joint_bin(a.x, b.x)], 1u);
        if (m.y) atomicAdd(&mine[joint_bin(a.y, b.y)], 1u);
        if (m.z) atomicAdd(&mine[joint_bin(a.z, b.z)], 1u);
        if (m.w) atomicAdd(&mine[joint_bin(a.w, b.w)], 1u);
    }
    const int tail = quads * 4 + first;
    if (tail < n_voxels && mask[tail]) atomicAdd(&mine[joint_bin(ct[tail], mr[tail])], 1u);

    __syncthreads();
    for (int i = threadIdx.x; i < kJointBins * kJointBins; i += blockDim.x) {
        const unsigned int c = local[0][i] + local[1][i];
        if (c) atomicAdd(&hist[i], c);
    }
}

static bool run_joint_histogram(int nx, int ny, int nz, int blocks, uint64_t seed)
{
    Random rng(seed);
    const int n = nx * ny * nz;
    std::vector<short> ct(n);
    std::vector<unsigned char> mr(n), mask(n);
    for (int k = 0, i = 0; k < nz; ++k)
        for (int y = 0; y < ny; ++y)
            for (int x = 0; x < nx; ++x, ++i) {
                const float dx = (x - 0.5f * nx) / (0.45f * nx), dy = (y - 0.5f * ny) / (0.40f * ny);
                const float r2 = dx * dx + dy * dy;
                const int noise = static_cast<int>(rng.u32() & 63u) - 32;
                int hu, signal;
                if (r2 > 1.0f) {  // air
                    hu = -990 + noise / 4;
                    signal = 3 + (noise & 3);
                } else if (r2 > 0.85f) {  // fat
                    hu = -90 + noise;
                    signal = 210 + noise / 2;
                } else if (dx * dx + (dy - 0.6f) * (dy - 0.6f) < 0.02f) {  // vertebra
                    hu = 700 + 10 * noise;
                    signal = 60 + noise / 2;
                } else {  // soft tissue
                    hu = 45 + noise;
                    signal = 120 + noise;
                }
                ct[i] = static_cast<short>(hu);
                mr[i] = static_cast<unsigned char>(std::min(255, std::max(0, signal)));
                mask[i] = r2 < 1.1f ? 1 : 0;
            }

    DeviceArray<short> d_ct(ct);
    DeviceArray<unsigned char> d_mr(mr), d_mask(mask);
    DeviceArray<unsigned int> d_hist(kJointBins * kJointBins);
    d_hist.fill_bytes(0);
    joint_histogram<<<blocks, 256>>>(d_ct.get(), d_mr.get(), d_mask.get(), n, d_hist.get());
    wait_for_kernel();

    std::vector<unsigned int> want(kJointBins * kJointBins, 0u);
    for (int i = 0; i < n; ++i)
        if (mask[i]) ++want[joint_bin(ct[i], mr[i])];
    return d_hist.host() == want;
}

static void test_joint_histogram()
{
    bool ok = run_joint_histogram(23, 19, 7, 3, 501);
    ok = run_joint_histogram(170, 158, 120, 396, 502) && ok;
    report("joint_histogram", ok);
}

// ---------------------------------------------------------------------------
// Graph construction shared by the graph tests
// ---------------------------------------------------------------------------

struct CsrGraph {
    int n = 0;
    std::vector<int> row_ptr;
    std::vector<int> adj;
};

// Undirected simple graph: skewed degrees plus short-range links.
static std::vector<std::pair<int, int>> powerlaw_edges(int n, int m, double exponent, Random& rng)
{
    std::vector<uint64_t> keys;
    keys.reserve(m);
    for (int e = 0; e < m; ++e) {
        int u = static_cast<int>(static_cast<uint64_t>(rng.skewed(n, exponent)) * 1000003ull % n);
        int v;
        const int kind = rng.below(3);
        if (kind == 0)
            v = static_cast<int>(static_cast<uint64_t>(rng.skewed(n, exponent)) * 1000003ull % n);
        else if (kind == 1)
            v = (u + 1 + rng.below(24)) % n;
        else
            v = rng.below(n);
        if (u == v) continue;
        if (u > v) std::swap(u, v);
        keys.push_back(static_cast<uint64_t>(u) << 32 | static_cast<uint32_t>(v));
    }
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    std::vector<std::pair<int, int>> edges;
    edges.reserve(keys.size());
    for (uint64_t k : keys) edges.emplace_back(static_cast<int>(k >> 32), static_cast<int>(k & 0xffffffffu));
    return edges;
}

static CsrGraph symmetric_csr(int n, const std::vector<std::pair<int, int>>& edges)
{
    CsrGraph g;
    g.n = n;
    g.row_ptr.assign(n + 1, 0);
    for (const auto& e : edges) {
        ++g.row_ptr[e.first + 1];
        ++g.row_ptr[e.second + 1];
    }
    for (int i = 0; i < n; ++i) g.row_ptr[i + 1] += g.row_ptr[i];
    g.adj.resize(edges.size() * 2);
    std::vector<int> cursor(g.row_ptr.begin(), g.row_ptr.end() - 1);
    for (const auto& e : edges) {
        g.adj[cursor[e.first]++] = e.second;
        g.adj[cursor[e.second]++] = e.first;
    }
    return g;
}

// ---------------------------------------------------------------------------
// 6. bfs_expand: one top-down BFS level, a warp per frontier vertex
// ---------------------------------------------------------------------------

__global__ void bfs_expand(const int* __restrict__ row_ptr, const int* __restrict__ adj,
                           const int* __restrict__ frontier, int n_frontier, int* level, int next_level,
                           int* __restrict__ next_frontier, int* next_count)
{
    const int lane = threadIdx.x & 31;
    const int n_warps = (gridDim.x * blockDim.x) >> 5;
    for (int f = (blockIdx.x * blockDim.x + threadIdx.x) >> 5; f < n_frontier; f += n_warps) {
        const int u = frontier[f];
        const int begin = row_ptr[u];
        const int end = row_ptr[u + 1];
        for (int base = begin; base < end; base += 32) {
            const int e = base + lane;
            int v = -1;
            bool claimed = false;
            if (e < end) {
                v = adj[e];
                if (level[v] < 0) claimed = atomicCAS(&level[v], -1, next_level) == -1;
            }
            const unsigned int winners = __ballot_sync(0xffffffffu, claimed);
            if (winners) {
                int slot = 0;
                if (lane == 0) slot = atomicAdd(next_count, __popc(winners));
                slot = __shfl_sync(0xffffffffu, slot, 0);
                if (claimed) next_frontier[slot + __popc(winners & ((1u << lane) - 1u))] = v;
            }
        }
    }
}

static bool run_bfs_expand(int n, int m, int blocks, uint64_t seed)
{
    Random rng(seed);
    const CsrGraph g = symmetric_csr(n, powerlaw_edges(n, m, 2.0, rng));

    // Host BFS from a low-degree vertex; remember the widest frontier.
    std::vector<int> full_level(n, -1);
    std::vector<std::vector<int>> frontiers;
    int source = 0;
    for (int v = 0; v < n; ++v)
        if (g.row_ptr[v + 1] - g.row_ptr[v] == 1 + static_cast<int>(seed % 2)) {
            source = v;
            break;
        }
    full_level[source] = 0;
    frontiers.push_back({source});
    while (!frontiers.back().empty()) {
        std::vector<int> next;
        const int d = static_cast<int>(frontiers.size());
        for (int u : frontiers.back())
            for (int k = g.row_ptr[u]; k < g.row_ptr[u + 1]; ++k)
                if (full_level[g.adj[k]] < 0) {
                    full_level[g.adj[k]] = d;
                    next.push_back(g.adj[k]);
                }
        frontiers.push_back(std::move(next));
    }
    size_t widest = 0;
    for (size_t d = 0; d + 1 < frontiers.size(); ++d) {
        auto edges_of = [&](const std::vector<int>& f) {
            size_t s = 0;
            for (int u : f) s += g.row_ptr[u + 1] - g.row_ptr[u];
            return s;
        };
        if (edges_of(frontiers[d]) > edges_of(frontiers[widest])) widest = d;
    }
    const int depth = static_cast<int>(widest);
    std::vector<int> level(n), want(n);
    for (int v = 0; v < n; ++v) {
        level[v] = full_level[v] >= 0 && full_level[v] <= depth ? full_level[v] : -1;
        want[v] = full_level[v] >= 0 && full_level[v] <= depth + 1 ? full_level[v] : -1;
    }

    DeviceArray<int> d_ptr(g.row_ptr), d_adj(g.adj), d_frontier(frontiers[widest]), d_level(level), d_next(n), d_count(1);
    d_count.fill_bytes(0);
    bfs_expand<<<blocks, 256>>>(d_ptr.get(), d_adj.get(), d_frontier.get(), static_cast<int>(frontiers[widest].size()),
                                d_level.get(), depth + 1, d_next.get(), d_count.get());
    wait_for_kernel();

    const int count = d_count.host()[0];
    std::vector<int> next_want = frontiers[widest + 1];
    if (count != static_cast<int>(next_want.size())) return false;
    std::vector<int> next_got = d_next.host();
    next_got.resize(count);
    std::sort(next_got.begin(), next_got.end());
    std::sort(next_want.begin(), next_want.end());
    return d_level.host() == want && next_got == next_want;
}

static void test_bfs_expand()
{
    bool ok = run_bfs_expand(900, 2700, 4, 601);
    ok = run_bfs_expand(210000, 1700000, 528, 602) && ok;
    report("bfs_expand", ok);
}

// ---------------------------------------------------------------------------
// 7. edge_support: triangles through every edge (k-truss peeling of a protein
//    interaction network); edges are oriented from low to high degree
// ---------------------------------------------------------------------------

__global__ void edge_support(const int* __restrict__ row_ptr, const int* __restrict__ adj,
                             const int* __restrict__ edge_src, int n_edges, int* __restrict__ support)
{
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= n_edges) return;

    const int u = edge_src[e];
    const int v = adj[e];
    int i = row_ptr[u];
    int j = row_ptr[v];
    const int i_end = row_ptr[u + 1];
    const int j_end = row_ptr[v + 1];
    int triangles = 0;
    while (i < i_end && j < j_end) {
        const int a = adj[i];
        const int b = adj[j];
        if (a == b) {
            atomicAdd(&support[i], 1);
            atomicAdd(&support[j], 1);
            ++triangles;
        }
        i += a <= b;
        j += b <= a;
    }
    if (triangles) atomicAdd(&support[e], triangles);
}

static bool run_edge_support(int n, int m, uint64_t seed)
{
    Random rng(seed);
    const std::vector<std::pair<int, int>> edges = powerlaw_edges(n, m, 1.7, rng);
    std::vector<int> degree(n, 0);
    for (const auto& e : edges) {
        ++degree[e.first];
        ++degree[e.second];
    }
    std::vector<int> row_ptr(n + 1, 0);
    auto tail_of = [&](const std::pair<int, int>& e) {
        const bool first_lower = degree[e.first] < degree[e.second] ||
                                 (degree[e.first] == degree[e.second] && e.first < e.second);
        return first_lower ? e.first : e.second;
    };
    for (const auto& e : edges) ++row_ptr[tail_of(e) + 1];
    for (int i = 0; i < n; ++i) row_ptr[i + 1] += row_ptr[i];
    std::vector<int> adj(edges.size()), src(edges.size());
    std::vector<int> cursor(row_ptr.begin(), row_ptr.end() - 1);
    for (const auto& e : edges) {
        const int t = tail_of(e);
        src[cursor[t]] = t;
        adj[cursor[t]++] = t == e.first ? e.second : e.first;
    }
    for (int i = 0; i < n; ++i) std::sort(adj.begin() + row_ptr[i], adj.begin() + row_ptr[i + 1]);

    const int n_edges = static_cast<int>(edges.size());
    DeviceArray<int> d_ptr(row_ptr), d_adj(adj), d_src(src), d_support(n_edges);
    d_support.fill_bytes(0);
    edge_support<<<ceil_div(n_edges, 192), 192>>>(d_ptr.get(), d_adj.get(), d_src.get(), n_edges, d_support.get());
    wait_for_kernel();

    // Reference: mark the out-neighbours of u, then scan those of each v.
    std::vector<int> want(n_edges, 0), mark(n, -1);
    for (int u = 0; u < n; ++u) {
        for (int k = row_ptr[u]; k < row_ptr[u + 1]; ++k) mark[adj[k]] = k;
        for (int k = row_ptr[u]; k < row_ptr[u + 1]; ++k) {
            const int v = adj[k];
            for (int q = row_ptr[v]; q < row_ptr[v + 1]; ++q)
                if (mark[adj[q]] >= 0) {
                    ++want[k];
                    ++want[q];
                    ++want[mark[adj[q]]];
                }
        }
        for (int k = row_ptr[u]; k < row_ptr[u + 1]; ++k) mark[adj[k]] = -1;
    }
    return d_support.host() == want;
}

static void test_edge_support()
{
    bool ok = run_edge_support(700, 5000, 701);
    ok = run_edge_support(64000, 640000, 702) && ok;
    report("edge_support", ok);
}

// ---------------------------------------------------------------------------
// 8. kmer_hash_count: canonical 21-mer counting in an open-addressing table
// ---------------------------------------------------------------------------

constexpr int kMerLength = 21;
constexpr int kReadLength = 100;
constexpr int kReadWords = 4;  // 32 bases per 64-bit word
constexpr int kMersPerRead = kReadLength - kMerLength + 1;
constexpr unsigned long long kEmptyKey = ~0ull;

__host__ __device__ inline unsigned long long canonical_kmer(unsigned long long fwd)
{
    // Reverse complement: complement all bits, then reverse the 2-bit groups.
    unsigned long long r = ~fwd;
    r = ((r >> 2) & 0x3333333333333333ull) | ((r & 0x3333333333333333ull) << 2);
    r = ((r >> 4) & 0x0f0f0f0f0f0f0f0full) | ((r & 0x0f0f0f0f0f0f0f0full) << 4);
    r = ((r >> 8) & 0x00ff00ff00ff00ffull) | ((r & 0x00ff00ff00ff00ffull) << 8);
    r = ((r >> 16) & 0x0000ffff0000ffffull) | ((r & 0x0000ffff0000ffffull) << 16);
    r = (r >> 32) | (r << 32);
    r >>= 64 - 2 * kMerLength;
    return fwd < r ? fwd : r;
}

__host__ __device__ inline unsigned long long kmer_at(const unsigned long long* read, int pos)
{
    const int word = pos >> 5;
    const int shift = (pos & 31) * 2;
    unsigned long long bits = read[word] >> shift;
    if (shift) bits |= read[word + 1] << (64 - shift);
    return bits & ((1ull << (2 * kMerLength)) - 1ull);
}

__device__ __forceinline__ unsigned int mix_kmer(unsigned long long k)
{
    k ^= k >> 33;
    k *= 0xff51afd7ed558ccdull;
    k ^= k >> 33;
    k *= 0xc4ceb9fe1a85ec53ull;
    k ^= k >> 33;
    return static_cast<unsigned int>(k);
}

__global__ void kmer_hash_count(const unsigned long long* __restrict__ reads, int n_reads,
                                unsigned long long* keys, unsigned int* counts, unsigned int slot_mask)
{
    const int read = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    if (read >= n_reads) return;
    const unsigned long long* bases = reads + static_cast<size_t>(read) * kReadWords;

    for (int pos = threadIdx.x & 31; pos < kMersPerRead; pos += 32) {
        const unsigned long long key = canonical_kmer(kmer_at(bases, pos));
        unsigned int slot = mix_kmer(key) & slot_mask;
        while (true) {
            unsigned long long found = keys[slot];
            if (found == kEmptyKey) found = atomicCAS(&keys[slot], kEmptyKey, key);
            if (found == kEmptyKey || found == key) {
                atomicAdd(&counts[slot], 1u);
                break;
            }
            slot = (slot + 1u) & slot_mask;
        }
    }
}

static bool run_kmer_hash_count(int n_reads, int genome_size, unsigned int n_slots, uint64_t seed)
{
    Random rng(seed);
    std::vector<uint8_t> genome(genome_size);
    for (auto& b : genome) b = static_cast<uint8_t>(rng.u32() & 3u);
    // A transposon family present in several copies.
    std::vector<uint8_t> repeat(400);
    for (auto& b : repeat) b = static_cast<uint8_t>(rng.u32() & 3u);
    for (int c = 0; c < genome_size / 6000; ++c)
        std::copy(repeat.begin(), repeat.end(), genome.begin() + rng.below(genome_size - 400));

    std::vector<unsigned long long> reads(static_cast<size_t>(n_reads) * kReadWords, 0ull);
    for (int r = 0; r < n_reads; ++r) {
        const int start = rng.below(genome_size - kReadLength + 1);
        const bool reverse = rng.u32() & 1u;
        for (int i = 0; i < kReadLength; ++i) {
            unsigned int b = reverse ? 3u - genome[start + kReadLength - 1 - i] : genome[start + i];
            if (rng.below(250) == 0) b = (b + 1u + rng.below(3)) & 3u;  // sequencing error
            reads[static_cast<size_t>(r) * kReadWords + i / 32] |= static_cast<unsigned long long>(b) << (2 * (i % 32));
        }
    }

    DeviceArray<unsigned long long> d_reads(reads), d_keys(n_slots);
    DeviceArray<unsigned int> d_counts(n_slots);
    d_keys.fill_bytes(0xff);
    d_counts.fill_bytes(0);
    kmer_hash_count<<<ceil_div(n_reads, 8), 256>>>(d_reads.get(), n_reads, d_keys.get(), d_counts.get(), n_slots - 1u);
    wait_for_kernel();

    std::vector<unsigned long long> all;
    all.reserve(static_cast<size_t>(n_reads) * kMersPerRead);
    for (int r = 0; r < n_reads; ++r)
        for (int p = 0; p < kMersPerRead; ++p)
            all.push_back(canonical_kmer(kmer_at(&reads[static_cast<size_t>(r) * kReadWords], p)));
    std::sort(all.begin(), all.end());
    std::vector<std::pair<unsigned long long, unsigned int>> want, got;
    for (size_t i = 0; i < all.size();) {
        size_t j = i;
        while (j < all.size() && all[j] == all[i]) ++j;
        want.emplace_back(all[i], static_cast<unsigned int>(j - i));
        i = j;
    }
    const auto keys = d_keys.host();
    const auto counts = d_counts.host();
    for (unsigned int s = 0; s < n_slots; ++s)
        if (keys[s] != kEmptyKey) got.emplace_back(keys[s], counts[s]);
    std::sort(got.begin(), got.end());
    return got == want;
}

static void test_kmer_hash_count()
{
    bool ok = run_kmer_hash_count(150, 3000, 1u << 14, 801);
    ok = run_kmer_hash_count(21500, 320000, 1u << 20, 802) && ok;
    report("kmer_hash_count", ok);
}

// ---------------------------------------------------------------------------
// 9. percolation_union: union-find hooking for bond percolation clusters on a
//    square lattice (the root of each tree ends up as its smallest site index)
// ---------------------------------------------------------------------------

__device__ __forceinline__ int find_root(volatile int* parent, int v)
{
    int p = parent[v];
    while (p != v) {
        const int g = parent[p];
        if (g == p) return p;
        parent[v] = g;  // path halving; any ancestor is a valid parent
        v = g;
        p = parent[v];
    }
    return v;
}

__global__ void percolation_union(const int2* __restrict__ bonds, int n_bonds, int* parent)
{
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < n_bonds; k += gridDim.x * blockDim.x) {
        const int2 bond = bonds[k];
        int a = find_root(parent, bond.x);
        int b = find_root(parent, bond.y);
        while (a != b) {
            const int hi = max(a, b);
            const int lo = min(a, b);
            const int seen = atomicCAS(&parent[hi], hi, lo);
            if (seen == hi) break;
            a = find_root(parent, seen);
            b = find_root(parent, lo);
        }
    }
}

static int host_root(std::vector<int>& parent, int v)
{
    while (parent[v] != v) {
        parent[v] = parent[parent[v]];
        v = parent[v];
    }
    return v;
}

static bool run_percolation(int width, int height, double p_bond, int blocks, uint64_t seed)
{
    Random rng(seed);
    const int n = width * height;
    std::vector<int2> bonds;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const int s = y * width + x;
            if (x + 1 < width && rng.uniform() < p_bond) bonds.push_back(make_int2(s, s + 1));
            if (y + 1 < height && rng.uniform() < p_bond) bonds.push_back(make_int2(s, s + width));
        }
    std::vector<int> parent(n);
    for (int i = 0; i < n; ++i) parent[i] = i;

    DeviceArray<int2> d_bonds(bonds);
    DeviceArray<int> d_parent(parent);
    percolation_union<<<blocks, 128>>>(d_bonds.get(), static_cast<int>(bonds.size()), d_parent.get());
    wait_for_kernel();

    std::vector<int> got = d_parent.host();
    for (int i = 0; i < n; ++i)
        if (got[i] < 0 || got[i] > i) return false;
    for (const int2& b : bonds) {
        const int u = host_root(parent, b.x), v = host_root(parent, b.y);
        if (u != v) parent[std::max(u, v)] = std::min(u, v);
    }
    for (int i = 0; i < n; ++i)
        if (host_root(got, i) != host_root(parent, i)) return false;
    return true;
}

static void test_percolation_union()
{
    bool ok = run_percolation(41, 37, 0.5, 5, 901);
    ok = run_percolation(830, 710, 0.49, 1056, 902) && ok;
    report("percolation_union", ok);
}

// ---------------------------------------------------------------------------
// 10. charge_deposit: cloud-in-cell charge deposition on a periodic 2-D grid
// ---------------------------------------------------------------------------

__global__ void __launch_bounds__(256) charge_deposit(const float2* __restrict__ pos, const float* __restrict__ charge,
                                                      int n_particles, float* __restrict__ rho, int nx, int ny)
{
    for (int p = blockIdx.x * blockDim.x + threadIdx.x; p < n_particles; p += gridDim.x * blockDim.x) {
        const float2 r = pos[p];  // in cell units, inside [0, nx) x [0, ny)
        const float q = charge[p];
        const int i0 = min(static_cast<int>(r.x), nx - 1);
        const int j0 = min(static_cast<int>(r.y), ny - 1);
        const float fx = r.x - i0;
        const float fy = r.y - j0;
        const int i1 = i0 + 1 < nx ? i0 + 1 : 0;
        const int j1 = j0 + 1 < ny ? j0 + 1 : 0;
        atomicAdd(&rho[j0 * nx + i0], q * (1.0f - fx) * (1.0f - fy));
        atomicAdd(&rho[j0 * nx + i1], q * fx * (1.0f - fy));
        atomicAdd(&rho[j1 * nx + i0], q * (1.0f - fx) * fy);
        atomicAdd(&rho[j1 * nx + i1], q * fx * fy);
    }
}

static bool run_charge_deposit(int n, int nx, int ny, int blocks, uint64_t seed)
{
    Random rng(seed);
    std::vector<float2> pos(n);
    std::vector<float> charge(n);
    for (int p = 0; p < n; ++p) {
        double x, y;
        if (rng.below(5) == 0) {  // background plasma
            x = rng.uniform() * nx;
            y = rng.uniform() * ny;
            charge[p] = 0.25f;
        } else {  // sheared electron beam
            y = 0.5 * ny + 0.09 * ny * rng.normal();
            x = 0.4 * nx + 0.3 * (y - 0.5 * ny) + 0.12 * nx * rng.normal();
            charge[p] = -1.0f;
        }
        x -= std::floor(x / nx) * nx;
        y -= std::floor(y / ny) * ny;
        float fx = static_cast<float>(x), fy = static_cast<float>(y);
        if (fx >= nx) fx = 0.0f;
        if (fy >= ny) fy = 0.0f;
        pos[p] = make_float2(fx, fy);
    }

    DeviceArray<float2> d_pos(pos);
    DeviceArray<float> d_charge(charge), d_rho(static_cast<size_t>(nx) * ny);
    d_rho.fill_bytes(0);
    charge_deposit<<<blocks, 256>>>(d_pos.get(), d_charge.get(), n, d_rho.get(), nx, ny);
    wait_for_kernel();

    std::vector<double> want(static_cast<size_t>(nx) * ny, 0.0), magnitude(want.size(), 0.0);
    for (int p = 0; p < n; ++p) {
        const int i0 = std::min(static_cast<int>(pos[p].x), nx - 1), j0 = std::min(static_cast<int>(pos[p].y), ny - 1);
        const double fx = pos[p].x - i0, fy = pos[p].y - j0;
        const int is[2] = {i0, (i0 + 1) % nx}, js[2] = {j0, (j0 + 1) % ny};
        const double wx[2] = {1.0 - fx, fx}, wy[2] = {1.0 - fy, fy};
        for (int b = 0; b < 2; ++b)
            for (int a = 0; a < 2; ++a) {
                const double w = charge[p] * wx[a] * wy[b];
                want[js[b] * nx + is[a]] += w;
                magnitude[js[b] * nx + is[a]] += std::fabs(w);
            }
    }
    const std::vector<float> got = d_rho.host();
    for (size_t c = 0; c < want.size(); ++c)
        if (!near(got[c], want[c], 2e-5 * magnitude[c] + 1e-6, 0.0)) return false;
    return true;
}

static void test_charge_deposit()
{
    bool ok = run_charge_deposit(3000, 40, 28, 12, 1001);
    ok = run_charge_deposit(1150000, 400, 312, 1188, 1002) && ok;
    report("charge_deposit", ok);
}

// ---------------------------------------------------------------------------
// 11. hit_block_sort: bitonic sort of detector hits, one block per readout
//     module; at most 1024 hits per module, sorted by calibrated charge
// ---------------------------------------------------------------------------

constexpr int kMaxHits = 1024;

__host__ __device__ inline unsigned int ordered_bits(unsigned int float_bits)
{
    return float_bits & 0x80000000u ? ~float_bits : float_bits | 0x80000000u;
}

__host__ __device__ inline unsigned int unordered_bits(unsigned int key)
{
    return key & 0x80000000u ? key & 0x7fffffffu : ~key;
}

__global__ void __launch_bounds__(kMaxHits / 2) hit_block_sort(const float* __restrict__ charge,
                                                               const int* __restrict__ module_begin,
                                                               float* __restrict__ sorted_charge,
                                                               unsigned short* __restrict__ sorted_index)
{
    __shared__ unsigned long long item[kMaxHits];
    const int begin = module_begin[blockIdx.x];
    const int count = module_begin[blockIdx.x + 1] - begin;
    const int t = threadIdx.x;

    for (int i = t; i < kMaxHits; i += blockDim.x) {
        unsigned long long v = ~0ull;
        if (i < count)
            v = static_cast<unsigned long long>(ordered_bits(__float_as_uint(charge[begin + i]))) << 32 |
                static_cast<unsigned int>(i);
        item[i] = v;
    }

    for (int size = 2; size <= kMaxHits; size <<= 1) {
        const bool descending = (t & (size >> 1)) != 0;
        for (int stride = size >> 1; stride > 0; stride >>= 1) {
            __syncthreads();
            const int lo = 2 * t - (t & (stride - 1));
            const unsigned long long a = item[lo];
            const unsigned long long b = item[lo + stride];
            if ((a > b) != descending) {
                item[lo] = b;
                item[lo + stride] = a;
            }
        }
    }
    __syncthreads();

    for (int i = t; i < count; i += blockDim.x) {
        const unsigned long long v = item[i];
        sorted_charge[begin + i] = __uint_as_float(unordered_bits(static_cast<unsigned int>(v >> 32)));
        sorted_index[begin + i] = static_cast<unsigned short>(v & 0xffffu);
    }
}

static bool run_hit_block_sort(int n_modules, int min_hits, int max_hits, uint64_t seed)
{
    Random rng(seed);
    std::vector<int> begin(n_modules + 1, 0);
    for (int m = 0; m < n_modules; ++m) begin[m + 1] = begin[m] + min_hits + rng.below(max_hits - min_hits + 1);
    std::vector<float> charge(begin[n_modules]);
    for (auto& q : charge) {
        const double signal = -8.0 * std::log(1.0 - rng.uniform());
        // Quantised ADC counts: duplicates are common, pedestal may go negative.
        q = 0.25f * static_cast<float>(static_cast<int>(4.0 * (signal + rng.uniform() - 1.5)));
    }

    DeviceArray<float> d_charge(charge), d_sorted(charge.size());
    DeviceArray<int> d_begin(begin);
    DeviceArray<unsigned short> d_index(charge.size());
    hit_block_sort<<<n_modules, kMaxHits / 2>>>(d_charge.get(), d_begin.get(), d_sorted.get(), d_index.get());
    wait_for_kernel();

    const std::vector<float> got = d_sorted.host();
    const std::vector<unsigned short> got_index = d_index.host();
    std::vector<std::pair<float, int>> want;
    for (int m = 0; m < n_modules; ++m) {
        want.clear();
        for (int i = begin[m]; i < begin[m + 1]; ++i) want.emplace_back(charge[i], i - begin[m]);
        std::sort(want.begin(), want.end());
        for (size_t i = 0; i < want.size(); ++i)
            if (got[begin[m] + i] != want[i].first || got_index[begin[m] + i] != want[i].second) return false;
    }
    return true;
}

static void test_hit_block_sort()
{
    bool ok = run_hit_block_sort(5, 0, 700, 1101);
    ok = run_hit_block_sort(1450, 520, 1024, 1102) && ok;
    report("hit_block_sort", ok);
}

// ---------------------------------------------------------------------------
// 12. variant_merge: merge-path merge of two position-sorted variant lists
// ---------------------------------------------------------------------------

constexpr int kMergeThreads = 128;
constexpr int kMergeItems = 9;
constexpr int kMergeTile = kMergeThreads * kMergeItems;

// Number of elements taken from a among the first `diagonal` merged ones
// (ties favour a, so the merge is stable).
__device__ __forceinline__ int merge_split(const unsigned int* a, int na, const unsigned int* b, int nb, int diagonal)
{
    int lo = max(0, diagonal - nb);
    int hi = min(diagonal, na);
    while (lo < hi) {
        const int mid = (lo + hi) >> 1;
        if (a[mid] <= b[diagonal - 1 - mid])
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

__global__ void __launch_bounds__(kMergeThreads)
    variant_merge(const unsigned int* __restrict__ pos_a, const unsigned int* __restrict__ info_a, int na,
                  const unsigned int* __restrict__ pos_b, const unsigned int* __restrict__ info_b, int nb,
                  unsigned int* __restrict__ pos_out, unsigned int* __restrict__ info_out)
{
    __shared__ unsigned int keys[kMergeTile];
    __shared__ int source[kMergeTile];
    __shared__ int split[2];

    const int begin = blockIdx.x * kMergeTile;
    const int count = min(kMergeTile, na + nb - begin);
    if (threadIdx.x == 0) split[0] = merge_split(pos_a, na, pos_b, nb, begin);
    if (threadIdx.x == 32) split[1] = merge_split(pos_a, na, pos_b, nb, begin + count);
    __syncthreads();

    const int a0 = split[0];
    const int b0 = begin - a0;
    const int ca = split[1] - a0;
    const int cb = count - ca;
    for (int i = threadIdx.x; i < count; i += kMergeThreads) keys[i] = i < ca ? pos_a[a0 + i] : pos_b[b0 + i - ca];
    __syncthreads();

    const int first = min(static_cast<int>(threadIdx.x) * kMergeItems, count);
    int ia = merge_split(keys, ca, keys + ca, cb, first);
    int ib = first - ia;
    int picked[kMergeItems];
#pragma unroll
    for (int k = 0; k < kMergeItems; ++k) {
        picked[k] = 0;
        if (first + k < count) {
            const bool take_a = ib >= cb || (ia < ca && keys[ia] <= keys[ca + ib]);
            picked[k] = take_a ? ia++ : ca + ib++;
        }
    }
#pragma unroll
    for (int k = 0; k < kMergeItems; ++k)
        if (first + k < count) source[first + k] = picked[k];
    __syncthreads();

    for (int i = threadIdx.x; i < count; i += kMergeThreads) {
        const int s = source[i];
        pos_out[begin + i] = keys[s];
        info_out[begin + i] = s < ca ? info_a[a0 + s] : info_b[b0 + s - ca];
    }
}

static bool run_variant_merge(int na, int nb, uint64_t seed)
{
    Random rng(seed);
    auto make_calls = [&](int n, unsigned int spacing, unsigned int tag, std::vector<unsigned int>& pos,
                          std::vector<unsigned int>& info) {
        pos.resize(n);
        info.resize(n);
        unsigned int p = 10000u;
        for (int i = 0; i < n; ++i) {
            // Clustered calls, several alleles may share a position.
            const unsigned int r = rng.u32();
            if ((r & 7u) != 0u) p += (r >> 8) % ((r & 8u) ? spacing : 12u);
            pos[i] = p;
            info[i] = tag | (static_cast<unsigned int>(i) & 0x7fffffffu);
        }
    };
    std::vector<unsigned int> pa, ia, pb, ib;
    make_calls(na, 700u, 0u, pa, ia);
    make_calls(nb, 1100u, 0x80000000u, pb, ib);

    DeviceArray<unsigned int> d_pa(pa), d_ia(ia), d_pb(pb), d_ib(ib), d_pos(na + nb), d_info(na + nb);
    variant_merge<<<ceil_div(na + nb, kMergeTile), kMergeThreads>>>(d_pa.get(), d_ia.get(), na, d_pb.get(), d_ib.get(),
                                                                    nb, d_pos.get(), d_info.get());
    wait_for_kernel();

    std::vector<unsigned int> want_pos(na + nb), want_info(na + nb);
    for (int i = 0, j = 0; i + j < na + nb;) {
        const int o = i + j;
        if (j >= nb || (i < na && pa[i] <= pb[j])) {
            want_pos[o] = pa[i];
            want_info[o] = ia[i++];
        } else {
            want_pos[o] = pb[j];
            want_info[o] = ib[j++];
        }
    }
    return d_pos.host() == want_pos && d_info.host() == want_info;
}

static void test_variant_merge()
{
    bool ok = run_variant_merge(1500, 2301, 1201);
    ok = run_variant_merge(1310000, 905003, 1202) && ok;
    report("variant_merge", ok);
}

// ---------------------------------------------------------------------------
// 13. swiglu_bf16: gated activation of a feed-forward layer,
//     out = silu(gate) * up, gate and up concatenated per token
// ---------------------------------------------------------------------------

__global__ void __launch_bounds__(256) swiglu_bf16(const uint4* __restrict__ gate_up, uint4* __restrict__ out,
                                                   int n_tokens, int vecs_per_row)
{
    const int total = n_tokens * vecs_per_row;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < total; i += gridDim.x * blockDim.x) {
        const int token = i / vecs_per_row;
        const int v = i - token * vecs_per_row;
        const uint4 g = gate_up[2 * token * vecs_per_row + v];
        const uint4 u = gate_up[(2 * token + 1) * vecs_per_row + v];
        uint4 r;
        const __nv_bfloat162* gp = reinterpret_cast<const __nv_bfloat162*>(&g);
        const __nv_bfloat162* up = reinterpret_cast<const __nv_bfloat162*>(&u);
        __nv_bfloat162* rp = reinterpret_cast<__nv_bfloat162*>(&r);
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const float2 a = __bfloat1622float2(gp[k]);
            const float2 b = __bfloat1622float2(up[k]);
            const float x = a.x / (1.0f + __expf(-a.x)) * b.x;
            const float y = a.y / (1.0f + __expf(-a.y)) * b.y;
            rp[k] = __floats2bfloat162_rn(x, y);
        }
        out[i] = r;
    }
}

static bool run_swiglu(int n_tokens, int ffn, int blocks, uint64_t seed)
{
    Random rng(seed);
    std::vector<uint4> in(static_cast<size_t>(n_tokens) * 2 * (ffn / 8));
    std::vector<__nv_bfloat16> values(in.size() * 8);
    for (auto& v : values) v = __float2bfloat16(rng.uniform(-4.0f, 4.0f) * rng.uniform(0.0f, 1.5f));
    std::memcpy(in.data(), values.data(), in.size() * sizeof(uint4));

    DeviceArray<uint4> d_in(in), d_out(in.size() / 2);
    swiglu_bf16<<<blocks, 256>>>(d_in.get(), d_out.get(), n_tokens, ffn / 8);
    wait_for_kernel();

    const std::vector<uint4> raw = d_out.host();
    std::vector<__nv_bfloat16> got(raw.size() * 8);
    std::memcpy(static_cast<void*>(got.data()), raw.data(), raw.size() * sizeof(uint4));
    for (int t = 0; t < n_tokens; ++t) {
        const __nv_bfloat16* row = &values[static_cast<size_t>(t) * 2 * ffn];
        for (int c = 0; c < ffn; ++c) {
            const float g = __bfloat162float(row[c]);
            const float want = g / (1.0f + std::exp(-g)) * __bfloat162float(row[ffn + c]);
            if (!near(__bfloat162float(got[static_cast<size_t>(t) * ffn + c]), want, 1e-4, 8e-3)) return false;
        }
    }
    return true;
}

static void test_swiglu_bf16()
{
    bool ok = run_swiglu(19, 88, 2, 1301);
    ok = run_swiglu(2040, 2816, 1320, 1302) && ok;
    report("swiglu_bf16", ok);
}

// ---------------------------------------------------------------------------
// 14. unpack_transpose: decode 16-bit packed model fields [level][cell] into
//     physical columns [cell][level]
// ---------------------------------------------------------------------------

constexpr int kMaxLevels = 160;
constexpr unsigned short kMissing = 65535;
constexpr float kFillValue = -9999.0f;

__constant__ float c_level_scale[kMaxLevels];
__constant__ float c_level_offset[kMaxLevels];

__global__ void __launch_bounds__(256) unpack_transpose(const unsigned short* __restrict__ packed,
                                                        float* __restrict__ columns, int n_levels, int n_cells)
{
    __shared__ float tile[32][33];
    const int cell0 = blockIdx.x * 32;
    const int level0 = blockIdx.y * 32;

    for (int r = threadIdx.y; r < 32; r += blockDim.y) {
        const int level = level0 + r;
        const int cell = cell0 + threadIdx.x;
        if (level < n_levels && cell < n_cells) {
            const unsigned short raw = packed[static_cast<size_t>(level) * n_cells + cell];
            tile[r][threadIdx.x] =
                raw == kMissing ? kFillValue : fmaf(static_cast<float>(raw), c_level_scale[level], c_level_offset[level]);
        }
    }
    __syncthreads();
    for (int r = threadIdx.y; r < 32; r += blockDim.y) {
        const int cell = cell0 + r;
        const int level = level0 + threadIdx.x;
        if (level < n_levels && cell < n_cells)
            columns[static_cast<size_t>(cell) * n_levels + level] = tile[threadIdx.x][r];
    }
}

static bool run_unpack_transpose(int n_levels, int n_cells, uint64_t seed)
{
    Random rng(seed);
    std::vector<unsigned short> packed(static_cast<size_t>(n_levels) * n_cells);
    for (auto& v : packed) {
        const uint32_t r = rng.u32();
        v = (r & 511u) == 0u ? kMissing : static_cast<unsigned short>((r >> 12) % 65535u);
    }
    std::vector<float> scale(n_levels), offset(n_levels);
    for (int l = 0; l < n_levels; ++l) {
        scale[l] = 1.2e-3f * (1.0f + 0.01f * l);
        offset[l] = 185.0f + 0.6f * l;
    }
    CUDA_CHECK(cudaMemcpyToSymbol(c_level_scale, scale.data(), n_levels * sizeof(float)));
    CUDA_CHECK(cudaMemcpyToSymbol(c_level_offset, offset.data(), n_levels * sizeof(float)));

    DeviceArray<unsigned short> d_packed(packed);
    DeviceArray<float> d_columns(packed.size());
    const dim3 grid(ceil_div(n_cells, 32), ceil_div(n_levels, 32));
    unpack_transpose<<<grid, dim3(32, 8)>>>(d_packed.get(), d_columns.get(), n_levels, n_cells);
    wait_for_kernel();

    const std::vector<float> got = d_columns.host();
    for (int l = 0; l < n_levels; ++l)
        for (int c = 0; c < n_cells; ++c) {
            const unsigned short raw = packed[static_cast<size_t>(l) * n_cells + c];
            const float want = raw == kMissing ? kFillValue : raw * scale[l] + offset[l];
            if (!near(got[static_cast<size_t>(c) * n_levels + l], want, 1e-4, 1e-6)) return false;
        }
    return true;
}

static void test_unpack_transpose()
{
    bool ok = run_unpack_transpose(37, 101, 1401);
    ok = run_unpack_transpose(137, 41000, 1402) && ok;
    report("unpack_transpose", ok);
}

// ---------------------------------------------------------------------------
// 15. plasma_moments: total kinetic energy and momentum of a multi-species
//     plasma in one launch (the last block to finish sums the partial results)
// ---------------------------------------------------------------------------

constexpr int kMomentThreads = 256;
constexpr int kMaxMomentBlocks = 512;

__constant__ double c_species_mass[8];

__device__ __forceinline__ void block_sum4(double v[4], double (*scratch)[4])
{
    const int lane = threadIdx.x & 31;
    const int warp = threadIdx.x >> 5;
#pragma unroll
    for (int c = 0; c < 4; ++c) {
        v[c] = warp_sum(v[c]);
        if (lane == 0) scratch[warp][c] = v[c];
    }
    __syncthreads();
    if (warp == 0) {
#pragma unroll
        for (int c = 0; c < 4; ++c) v[c] = warp_sum(lane < kMomentThreads / 32 ? scratch[lane][c] : 0.0);
    }
}

__global__ void __launch_bounds__(kMomentThreads)
    plasma_moments(const float* __restrict__ vx, const float* __restrict__ vy, const float* __restrict__ vz,
                   const unsigned char* __restrict__ species, int n, double* partial, unsigned int* ticket,
                   double* __restrict__ result)
{
    __shared__ double scratch[kMomentThreads / 32][4];
    __shared__ bool is_last;

    double m[4] = {0.0, 0.0, 0.0, 0.0};
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const double mass = c_species_mass[species[i]];
        const double x = vx[i], y = vy[i], z = vz[i];
        m[0] += 0.5 * mass * (x * x + y * y + z * z);
        m[1] += mass * x;
        m[2] += mass * y;
        m[3] += mass * z;
    }
    block_sum4(m, scratch);

    if (threadIdx.x == 0) {
        for (int c = 0; c < 4; ++c) partial[blockIdx.x * 4 + c] = m[c];
        __threadfence();
        is_last = atomicAdd(ticket, 1u) == gridDim.x - 1u;
    }
    __syncthreads();
    if (!is_last) return;

    __threadfence();
    for (int c = 0; c < 4; ++c) m[c] = 0.0;
    for (int b = threadIdx.x; b < static_cast<int>(gridDim.x); b += blockDim.x)
        for (int c = 0; c < 4; ++c) m[c] += __ldcg(&partial[b * 4 + c]);
    block_sum4(m, scratch);
    if (threadIdx.x < 4) {
        // Lane c of warp 0 stores component c; all lanes hold the full sums.
        const double v = threadIdx.x == 0 ? m[0] : threadIdx.x == 1 ? m[1] : threadIdx.x == 2 ? m[2] : m[3];
        result[threadIdx.x] = v;
    }
}

static bool run_plasma_moments(int n, int blocks, uint64_t seed)
{
    Random rng(seed);
    const double mass[8] = {1.0, 1836.15, 3670.5, 7294.3, 21874.7, 0.0, 0.0, 0.0};
    const float thermal[5] = {1.0f, 0.023f, 0.016f, 0.012f, 0.007f};
    std::vector<float> vx(n), vy(n), vz(n);
    std::vector<unsigned char> species(n);
    for (int i = 0; i < n; ++i) {
        const int s = rng.skewed(5, 2.5);
        species[i] = static_cast<unsigned char>(s);
        // Sum of uniforms is close enough to a Maxwellian for this purpose.
        vx[i] = thermal[s] * (0.4f + rng.uniform(-1.0f, 1.0f) + rng.uniform(-1.0f, 1.0f));
        vy[i] = thermal[s] * (rng.uniform(-1.0f, 1.0f) + rng.uniform(-1.0f, 1.0f));
        vz[i] = thermal[s] * (rng.uniform(-1.0f, 1.0f) + rng.uniform(-1.0f, 1.0f));
    }
    CUDA_CHECK(cudaMemcpyToSymbol(c_species_mass, mass, sizeof(mass)));

    DeviceArray<float> d_vx(vx), d_vy(vy), d_vz(vz);
    DeviceArray<unsigned char> d_species(species);
    DeviceArray<double> d_partial(kMaxMomentBlocks * 4), d_result(4);
    DeviceArray<unsigned int> d_ticket(1);
    d_ticket.fill_bytes(0);
    d_result.fill_bytes(0);
    plasma_moments<<<blocks, kMomentThreads>>>(d_vx.get(), d_vy.get(), d_vz.get(), d_species.get(), n, d_partial.get(),
                                               d_ticket.get(), d_result.get());
    wait_for_kernel();

    double want[4] = {0.0, 0.0, 0.0, 0.0}, scale[4] = {0.0, 0.0, 0.0, 0.0};
    for (int i = 0; i < n; ++i) {
        const double m = mass[species[i]], x = vx[i], y = vy[i], z = vz[i];
        const double term[4] = {0.5 * m * (x * x + y * y + z * z), m * x, m * y, m * z};
        for (int c = 0; c < 4; ++c) {
            want[c] += term[c];
            scale[c] += std::fabs(term[c]);
        }
    }
    const std::vector<double> got = d_result.host();
    for (int c = 0; c < 4; ++c)
        if (!near(got[c], want[c], 1e-11 * scale[c], 0.0)) return false;
    return true;
}

static void test_plasma_moments()
{
    bool ok = run_plasma_moments(5003, 7, 1501);
    ok = run_plasma_moments(1650001, 396, 1502) && ok;
    report("plasma_moments", ok);
}

// ---------------------------------------------------------------------------
// 16. causal_softmax: attention probabilities with ALiBi bias, warp per row
// ---------------------------------------------------------------------------

__global__ void causal_softmax(const __half2* __restrict__ scores, __half2* __restrict__ probs, int n_heads,
                               int n_queries, int n_keys, float scale)
{
    const int lane = threadIdx.x & 31;
    const int row = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5);
    if (row >= n_heads * n_queries) return;

    const int head = row / n_queries;
    const int query = row - head * n_queries;
    const int last_key = query + n_keys - n_queries;  // cached prefix precedes the queries
    const float slope = exp2f(-8.0f * (head + 1) / n_heads);
    const int pairs = n_keys / 2;
    const __half2* in = scores + static_cast<size_t>(row) * pairs;
    __half2* out = probs + static_cast<size_t>(row) * pairs;

    // One pass for the running maximum and the rescaled sum.
    float best = -1e30f;
    float sum = 0.0f;
    for (int p = lane; 2 * p <= last_key; p += 32) {
        const float2 s = __half22float2(in[p]);
        const int key = 2 * p;
        const float a = s.x * scale - slope * (last_key - key);
        const float b = key + 1 <= last_key ? s.y * scale - slope * (last_key - key - 1) : -1e30f;
        const float m = fmaxf(best, fmaxf(a, b));
        sum = sum * __expf(best - m) + __expf(a - m) + __expf(b - m);
        best = m;
    }
    const float row_max = warp_max(best);
    const float row_sum = warp_sum(sum * __expf(best - row_max));
    const float inv = 1.0f / row_sum;

    for (int p = lane; p < pairs; p += 32) {
        const int key = 2 * p;
        float2 r = make_float2(0.0f, 0.0f);
        if (key <= last_key) {
            const float2 s = __half22float2(in[p]);
            r.x = __expf(s.x * scale - slope * (last_key - key) - row_max) * inv;
            if (key + 1 <= last_key) r.y = __expf(s.y * scale - slope * (last_key - key - 1) - row_max) * inv;
        }
        out[p] = __floats2half2_rn(r.x, r.y);
    }
}

static bool run_causal_softmax(int n_heads, int n_queries, int n_keys, int warps_per_block, uint64_t seed)
{
    Random rng(seed);
    const int rows = n_heads * n_queries;
    std::vector<__half2> scores(static_cast<size_t>(rows) * (n_keys / 2));
    for (auto& s : scores) {
        const float spike = rng.below(40) == 0 ? 30.0f : 0.0f;
        s = __floats2half2_rn(rng.uniform(-12.0f, 12.0f) + spike, rng.uniform(-12.0f, 12.0f));
    }
    const float scale = 0.125f;

    DeviceArray<__half2> d_scores(scores), d_probs(scores.size());
    causal_softmax<<<ceil_div(rows, warps_per_block), 32 * warps_per_block>>>(d_scores.get(), d_probs.get(), n_heads,
                                                                              n_queries, n_keys, scale);
    wait_for_kernel();

    const std::vector<__half2> got = d_probs.host();
    std::vector<float> e(n_keys);
    for (int r = 0; r < rows; ++r) {
        const int head = r / n_queries, last = r % n_queries + n_keys - n_queries;
        const float slope = std::exp2(-8.0f * (head + 1) / n_heads);
        const __half2* in = &scores[static_cast<size_t>(r) * (n_keys / 2)];
        float best = -1e30f;
        for (int k = 0; k <= last; ++k) {
            const float2 s = __half22float2(in[k / 2]);
            e[k] = (k & 1 ? s.y : s.x) * scale - slope * (last - k);
            best = std::max(best, e[k]);
        }
        double sum = 0.0;
        for (int k = 0; k <= last; ++k) {
            e[k] = std::exp(e[k] - best);
            sum += e[k];
        }
        for (int k = 0; k < n_keys; ++k) {
            const float2 g = __half22float2(got[static_cast<size_t>(r) * (n_keys / 2) + k / 2]);
            const double want = k <= last ? e[k] / sum : 0.0;
            if (!near(k & 1 ? g.y : g.x, want, 2e-5, 2e-3)) return false;
        }
    }
    return true;
}

static void test_causal_softmax()
{
    bool ok = run_causal_softmax(2, 21, 34, 4, 1601);
    ok = run_causal_softmax(12, 600, 664, 8, 1602) && ok;
    report("causal_softmax", ok);
}

// ---------------------------------------------------------------------------
// 17. add_layernorm: residual addition followed by layer normalisation, one
//     block per token, the row is cached in dynamic shared memory
// ---------------------------------------------------------------------------

__device__ __forceinline__ float block_sum_broadcast(float v, float* scratch)
{
    v = warp_sum(v);
    __syncthreads();  // scratch may still be read from the previous call
    if ((threadIdx.x & 31) == 0) scratch[threadIdx.x >> 5] = v;
    __syncthreads();
    float total = 0.0f;
    const int warps = blockDim.x >> 5;
    for (int w = 0; w < warps; ++w) total += scratch[w];
    return total;
}

__global__ void add_layernorm(const float4* __restrict__ x, const float4* __restrict__ delta,
                              const float4* __restrict__ gamma, const float4* __restrict__ beta,
                              float4* __restrict__ residual_out, float4* __restrict__ normed, int vecs, float eps)
{
    extern __shared__ float4 row_cache[];
    __shared__ float scratch[32];
    const size_t base = static_cast<size_t>(blockIdx.x) * vecs;

    float sum = 0.0f;
    for (int v = threadIdx.x; v < vecs; v += blockDim.x) {
        float4 a = x[base + v];
        const float4 d = delta[base + v];
        a.x += d.x;
        a.y += d.y;
        a.z += d.z;
        a.w += d.w;
        residual_out[base + v] = a;
        row_cache[v] = a;  // re-read only by the same thread
        sum += (a.x + a.y) + (a.z + a.w);
    }
    const float inv_dim = 1.0f / (4.0f * vecs);
    const float mean = block_sum_broadcast(sum, scratch) * inv_dim;

    float squares = 0.0f;
    for (int v = threadIdx.x; v < vecs; v += blockDim.x) {
        const float4 a = row_cache[v];
        const float dx = a.x - mean, dy = a.y - mean, dz = a.z - mean, dw = a.w - mean;
        squares += (dx * dx + dy * dy) + (dz * dz + dw * dw);
    }
    const float rstd = rsqrtf(block_sum_broadcast(squares, scratch) * inv_dim + eps);

    for (int v = threadIdx.x; v < vecs; v += blockDim.x) {
        const float4 a = row_cache[v];
        const float4 g = gamma[v];
        const float4 b = beta[v];
        float4 r;
        r.x = fmaf((a.x - mean) * rstd, g.x, b.x);
        r.y = fmaf((a.y - mean) * rstd, g.y, b.y);
        r.z = fmaf((a.z - mean) * rstd, g.z, b.z);
        r.w = fmaf((a.w - mean) * rstd, g.w, b.w);
        normed[base + v] = r;
    }
}

static bool run_add_layernorm(int n_tokens, int dim, int threads, uint64_t seed)
{
    Random rng(seed);
    const size_t n = static_cast<size_t>(n_tokens) * dim;
    std::vector<float> x(n), delta(n), gamma(dim), beta(dim);
    for (int t = 0; t < n_tokens; ++t) {
        const float shift = rng.uniform(-3.0f, 3.0f);
        for (int c = 0; c < dim; ++c) {
            x[static_cast<size_t>(t) * dim + c] = shift + rng.uniform(-2.0f, 2.0f);
            delta[static_cast<size_t>(t) * dim + c] = rng.uniform(-0.3f, 0.3f);
        }
        x[static_cast<size_t>(t) * dim + 7] += 25.0f;  // the usual outlier channel
    }
    for (int c = 0; c < dim; ++c) {
        gamma[c] = rng.uniform(0.5f, 1.5f);
        beta[c] = rng.uniform(-0.1f, 0.1f);
    }
    const float eps = 1e-5f;

    DeviceArray<float> d_x(x), d_delta(delta), d_gamma(gamma), d_beta(beta), d_res(n), d_norm(n);
    add_layernorm<<<n_tokens, threads, dim * sizeof(float)>>>(
        reinterpret_cast<const float4*>(d_x.get()), reinterpret_cast<const float4*>(d_delta.get()),
        reinterpret_cast<const float4*>(d_gamma.get()), reinterpret_cast<const float4*>(d_beta.get()),
        reinterpret_cast<float4*>(d_res.get()), reinterpret_cast<float4*>(d_norm.get()), dim / 4, eps);
    wait_for_kernel();

    const std::vector<float> res = d_res.host(), norm = d_norm.host();
    for (int t = 0; t < n_tokens; ++t) {
        const size_t base = static_cast<size_t>(t) * dim;
        double sum = 0.0, sq = 0.0;
        for (int c = 0; c < dim; ++c) sum += x[base + c] + delta[base + c];
        const double mean = sum / dim;
        for (int c = 0; c < dim; ++c) {
            const double d = x[base + c] + delta[base + c] - mean;
            sq += d * d;
        }
        const double rstd = 1.0 / std::sqrt(sq / dim + eps);
        for (int c = 0; c < dim; ++c) {
            const float a = x[base + c] + delta[base + c];
            if (!near(res[base + c], a, 0.0, 1e-6)) return false;
            if (!near(norm[base + c], (a - mean) * rstd * gamma[c] + beta[c], 2e-5, 2e-5)) return false;
        }
    }
    return true;
}

static void test_add_layernorm()
{
    bool ok = run_add_layernorm(9, 384, 64, 1701);
    ok = run_add_layernorm(1560, 1280, 160, 1702) && ok;
    report("add_layernorm", ok);
}

// ---------------------------------------------------------------------------
// 18. heat3d_step: explicit heat conduction with spatially varying
//     conductivity, marching in z with a shared-memory plane
// ---------------------------------------------------------------------------

constexpr int kHeatX = 32;
constexpr int kHeatY = 8;

__global__ void __launch_bounds__(kHeatX * kHeatY)
    heat3d_step(const float* __restrict__ temp, const float* __restrict__ kappa, float* __restrict__ out, int nx, int ny,
                int nz, int slab, float dt_over_h2)
{
    __shared__ float tile[kHeatY + 2][kHeatX + 2];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int i = blockIdx.x * kHeatX + tx;
    const int j = blockIdx.y * kHeatY + ty;
    const int k_begin = blockIdx.z * slab;
    const int k_end = min(k_begin + slab, nz);
    const int plane = nx * ny;

    // Threads outside the domain shadow the nearest cell: insulated walls.
    const int ic = min(i, nx - 1);
    const int jc = min(j, ny - 1);
    const int here = jc * nx + ic;
    const int west = jc * nx + max(ic - 1, 0);
    const int east = jc * nx + min(ic + 1, nx - 1);
    const int south = max(jc - 1, 0) * nx + ic;
    const int north = min(jc + 1, ny - 1) * nx + ic;

    float below = temp[max(k_begin - 1, 0) * plane + here];
    float centre = temp[k_begin * plane + here];
    float kappa_below = kappa[max(k_begin - 1, 0) * plane + here];
    float kappa_centre = kappa[k_begin * plane + here];

    for (int k = k_begin; k < k_end; ++k) {
        const int up = min(k + 1, nz - 1) * plane + here;
        const float above = temp[up];
        const float kappa_above = kappa[up];
        const float* t_plane = temp + k * plane;
        const float* k_plane = kappa + k * plane;

        __syncthreads();
        tile[ty + 1][tx + 1] = centre;
        if (tx == 0) tile[ty + 1][0] = t_plane[west];
        if (tx == kHeatX - 1) tile[ty + 1][kHeatX + 1] = t_plane[east];
        if (ty == 0) tile[0][tx + 1] = t_plane[south];
        if (ty == kHeatY - 1) tile[kHeatY + 1][tx + 1] = t_plane[north];
        __syncthreads();

        if (i < nx && j < ny) {
            float flux = (kappa_centre + k_plane[west]) * (tile[ty + 1][tx] - centre);
            flux += (kappa_centre + k_plane[east]) * (tile[ty + 1][tx + 2] - centre);
            flux += (kappa_centre + k_plane[south]) * (tile[ty][tx + 1] - centre);
            flux += (kappa_centre + k_plane[north]) * (tile[ty + 2][tx + 1] - centre);
            flux += (kappa_centre + kappa_below) * (below - centre);
            flux += (kappa_centre + kappa_above) * (above - centre);
            out[k * plane + here] = centre + 0.5f * dt_over_h2 * flux;
        }
        below = centre;
        centre = above;
        kappa_below = kappa_centre;
        kappa_centre = kappa_above;
    }
}

static bool run_heat3d(int nx, int ny, int nz, int slab, uint64_t seed)
{
    Random rng(seed);
    const int n = nx * ny * nz;
    std::vector<float> temp(n), kappa(n);
    for (int k = 0, c = 0; k < nz; ++k)
        for (int j = 0; j < ny; ++j)
            for (int i = 0; i < nx; ++i, ++c) {
                const float dx = i - 0.4f * nx, dy = j - 0.6f * ny, dz = k - 0.5f * nz;
                temp[c] = 300.0f + 900.0f / (1.0f + 0.004f * (dx * dx + dy * dy + dz * dz)) + rng.uniform(-1.0f, 1.0f);
                kappa[c] = ((i / 9 + j / 7 + k / 11) & 3) == 0 ? 0.05f : rng.uniform(0.6f, 1.0f);
            }
    const float coef = 0.12f;

    DeviceArray<float> d_temp(temp), d_kappa(kappa), d_out(n);
    const dim3 grid(ceil_div(nx, kHeatX), ceil_div(ny, kHeatY), ceil_div(nz, slab));
    heat3d_step<<<grid, dim3(kHeatX, kHeatY)>>>(d_temp.get(), d_kappa.get(), d_out.get(), nx, ny, nz, slab, coef);
    wait_for_kernel();

    const std::vector<float> got = d_out.host();
    const int step[3] = {1, nx, nx * ny};
    for (int k = 0, c = 0; k < nz; ++k)
        for (int j = 0; j < ny; ++j)
            for (int i = 0; i < nx; ++i, ++c) {
                const int at[3] = {i, j, k}, len[3] = {nx, ny, nz};
                float flux = 0.0f;
                for (int d = 0; d < 3; ++d) {
                    if (at[d] > 0) flux += (kappa[c] + kappa[c - step[d]]) * (temp[c - step[d]] - temp[c]);
                    if (at[d] + 1 < len[d]) flux += (kappa[c] + kappa[c + step[d]]) * (temp[c + step[d]] - temp[c]);
                }
                if (!near(got[c], temp[c] + 0.5f * coef * flux, 1e-3, 2e-6)) return false;
            }
    return true;
}

static void test_heat3d_step()
{
    bool ok = run_heat3d(37, 21, 10, 4, 1801);
    ok = run_heat3d(200, 150, 96, 24, 1802) && ok;
    report("heat3d_step", ok);
}

// ---------------------------------------------------------------------------
// 19. redblack_sor: several red-black over-relaxation sweeps of the 2-D
//     pressure Poisson equation in one cooperative launch
// ---------------------------------------------------------------------------

__global__ void __launch_bounds__(256) redblack_sor(float* p, const float* __restrict__ rhs, int nx, int ny, float h2,
                                                    float omega, int sweeps)
{
    cg::grid_group grid = cg::this_grid();
    const int half_row = (nx - 1) / 2;  // enough for either colour
    const int total = half_row * (ny - 2);
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    const int stride = gridDim.x * blockDim.x;

    for (int half = 0; half < 2 * sweeps; ++half) {
        const int colour = half & 1;
        for (int t = first; t < total; t += stride) {
            const int row = t / half_row;
            const int j = 1 + row;
            const int i = 1 + 2 * (t - row * half_row) + ((j + 1 + colour) & 1);
            if (i < nx - 1) {
                const int c = j * nx + i;
                const float gs = 0.25f * (p[c - 1] + p[c + 1] + p[c - nx] + p[c + nx] - h2 * rhs[c]);
                p[c] += omega * (gs - p[c]);
            }
        }
        grid.sync();
    }
}

static bool run_redblack(int nx, int ny, int sweeps, int blocks, uint64_t seed)
{
    Random rng(seed);
    std::vector<float> p(static_cast<size_t>(nx) * ny), rhs(p.size());
    for (int j = 0; j < ny; ++j)
        for (int i = 0; i < nx; ++i) {
            p[j * nx + i] = std::sin(0.02f * i) * std::cos(0.03f * j) + rng.uniform(-0.05f, 0.05f);
            rhs[j * nx + i] = rng.uniform(-1.0f, 1.0f);
        }
    float h2 = 0.01f, omega = 1.6f;

    DeviceArray<float> d_p(p), d_rhs(rhs);
    float* p_arg = d_p.get();
    const float* rhs_arg = d_rhs.get();
    void* args[] = {&p_arg, &rhs_arg, &nx, &ny, &h2, &omega, &sweeps};
    CUDA_CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(redblack_sor), dim3(blocks), dim3(256), args,
                                           size_t{0}, cudaStream_t{nullptr}));
    wait_for_kernel();

    for (int half = 0; half < 2 * sweeps; ++half)
        for (int j = 1; j < ny - 1; ++j)
            for (int i = 1; i < nx - 1; ++i) {
                if (((i + j) & 1) != (half & 1)) continue;
                const int c = j * nx + i;
                const float gs = 0.25f * (p[c - 1] + p[c + 1] + p[c - nx] + p[c + nx] - h2 * rhs[c]);
                p[c] += omega * (gs - p[c]);
            }
    return all_near(d_p.host(), p, 1e-5, 1e-5);
}

static void test_redblack_sor()
{
    bool ok = run_redblack(47, 30, 3, 3, 1901);
    ok = run_redblack(1150, 801, 5, 264, 1902) && ok;
    report("redblack_sor", ok);
}

// ---------------------------------------------------------------------------
// 20. offsets_lookback: single-pass exclusive scan (decoupled look-back) that
//     turns record lengths into file offsets
// ---------------------------------------------------------------------------

constexpr int kLookThreads = 256;
constexpr int kLookItems = 8;
constexpr int kLookTile = kLookThreads * kLookItems;
constexpr unsigned long long kTileAggregate = 1ull << 32;
constexpr unsigned long long kTilePrefix = 2ull << 32;

__global__ void __launch_bounds__(kLookThreads)
    offsets_lookback(const unsigned short* __restrict__ lengths, unsigned int* __restrict__ offsets, int n, int n_tiles,
                     unsigned long long* tile_state, unsigned int* tile_ticket)
{
    __shared__ int my_tile;
    __shared__ unsigned int warp_totals[kLookThreads / 32];
    __shared__ unsigned int tile_prefix;

    if (threadIdx.x == 0) my_tile = static_cast<int>(atomicAdd(tile_ticket, 1u));
    __syncthreads();
    const int tile = my_tile;
    const int lane = threadIdx.x & 31;
    const int warp = threadIdx.x >> 5;
    const int base = tile * kLookTile + threadIdx.x * kLookItems;

    unsigned int v[kLookItems];
    if (base + kLookItems <= n) {
        const uint4 raw = *reinterpret_cast<const uint4*>(lengths + base);
        const unsigned int w[4] = {raw.x, raw.y, raw.z, raw.w};
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            v[2 * k] = w[k] & 0xffffu;
            v[2 * k + 1] = w[k] >> 16;
        }
    } else {
#pragma unroll
        for (int k = 0; k < kLookItems; ++k) v[k] = base + k < n ? lengths[base + k] : 0u;
    }
    unsigned int thread_total = 0u;
#pragma unroll
    for (int k = 0; k < kLookItems; ++k) thread_total += v[k];

    unsigned int inclusive = thread_total;
#pragma unroll
    for (int offset = 1; offset < 32; offset <<= 1) {
        const unsigned int other = __shfl_up_sync(0xffffffffu, inclusive, offset);
        if (lane >= offset) inclusive += other;
    }
    if (lane == 31) warp_totals[warp] = inclusive;
    __syncthreads();

    unsigned int before = inclusive - thread_total;
    unsigned int tile_total = 0u;
#pragma unroll
    for (int w = 0; w < kLookThreads / 32; ++w) {
        if (w < warp) before += warp_totals[w];
        tile_total += warp_totals[w];
    }

    if (warp == 0) {
        unsigned int prefix = 0u;
        if (tile > 0) {
            if (lane == 0) atomicExch(&tile_state[tile], kTileAggregate | tile_total);
            int look = tile - 1 - lane;
            while (true) {
                unsigned long long state = kTilePrefix;  // before the first tile: sum is zero
                if (look >= 0) {
                    do {
                        state = *reinterpret_cast<volatile unsigned long long*>(&tile_state[look]);
                    } while (state < kTileAggregate);
                }
                __syncwarp();
                const unsigned int done = __ballot_sync(0xffffffffu, state >= kTilePrefix);
                unsigned int part = static_cast<unsigned int>(state);
                if (done && lane > __ffs(done) - 1) part = 0u;
                prefix += warp_sum(part);
                if (done) break;
                look -= 32;
            }
        }
        if (lane == 0) {
            atomicExch(&tile_state[tile], kTilePrefix | (prefix + tile_total));
            tile_prefix = prefix;
        }
    }
    __syncthreads();

    unsigned int running = tile_prefix + before;
    if (base + kLookItems <= n) {
        unsigned int r[kLookItems];
#pragma unroll
        for (int k = 0; k < kLookItems; ++k) {
            r[k] = running;
            running += v[k];
        }
        uint4* dst = reinterpret_cast<uint4*>(offsets + base);
        dst[0] = make_uint4(r[0], r[1], r[2], r[3]);
        dst[1] = make_uint4(r[4], r[5], r[6], r[7]);
    } else {
        for (int k = 0; k < kLookItems && base + k < n; ++k) {
            offsets[base + k] = running;
            running += v[k];
        }
    }
    if (tile == n_tiles - 1 && threadIdx.x == 0) offsets[n] = tile_prefix + tile_total;
}

static bool run_offsets_lookback(int n, uint64_t seed)
{
    Random rng(seed);
    std::vector<unsigned short> lengths(n);
    for (auto& l : lengths) {
        // Mostly short reads with a tail of long ones, some filtered to zero.
        const uint32_t r = rng.u32();
        if ((r & 15u) == 0u)
            l = 0;
        else if ((r & 127u) == 1u)
            l = static_cast<unsigned short>(1000u + (r >> 10) % 14000u);
        else
            l = static_cast<unsigned short>(75u + (r >> 10) % 76u);
    }
    const int n_tiles = ceil_div(n, kLookTile);

    DeviceArray<unsigned short> d_lengths(lengths);
    DeviceArray<unsigned int> d_offsets(n + 1), d_ticket(1);
    DeviceArray<unsigned long long> d_state(n_tiles);
    d_ticket.fill_bytes(0);
    d_state.fill_bytes(0);
    offsets_lookback<<<n_tiles, kLookThreads>>>(d_lengths.get(), d_offsets.get(), n, n_tiles, d_state.get(),
                                                d_ticket.get());
    wait_for_kernel();

    std::vector<unsigned int> want(n + 1);
    unsigned int sum = 0u;
    for (int i = 0; i < n; ++i) {
        want[i] = sum;
        sum += lengths[i];
    }
    want[n] = sum;
    return d_offsets.host() == want;
}

static void test_offsets_lookback()
{
    bool ok = run_offsets_lookback(9001, 2001);
    ok = run_offsets_lookback(5200123, 2002) && ok;
    report("offsets_lookback", ok);
}

// ---------------------------------------------------------------------------
// 21. optical_depth_scan: cumulative optical depth and emission weights along
//     lines of sight, one block per ray with a carried block scan
// ---------------------------------------------------------------------------

constexpr int kRayThreads = 192;

__global__ void __launch_bounds__(kRayThreads)
    optical_depth_scan(const float* __restrict__ extinction, const float* __restrict__ step_length,
                       float* __restrict__ tau, float* __restrict__ weight, int n_steps)
{
    __shared__ float warp_totals[kRayThreads / 32];
    const int lane = threadIdx.x & 31;
    const int warp = threadIdx.x >> 5;
    const size_t row = static_cast<size_t>(blockIdx.x) * n_steps;
    const float ds = step_length[blockIdx.x];

    float carry = 0.0f;
    for (int base = 0; base < n_steps; base += kRayThreads) {
        const int s = base + threadIdx.x;
        const float d = s < n_steps ? extinction[row + s] * ds : 0.0f;
        float inclusive = d;
#pragma unroll
        for (int offset = 1; offset < 32; offset <<= 1) {
            const float other = __shfl_up_sync(0xffffffffu, inclusive, offset);
            if (lane >= offset) inclusive += other;
        }
        if (lane == 31) warp_totals[warp] = inclusive;
        __syncthreads();
        float before = carry;
        float chunk = 0.0f;
#pragma unroll
        for (int w = 0; w < kRayThreads / 32; ++w) {
            if (w < warp) before += warp_totals[w];
            chunk += warp_totals[w];
        }
        __syncthreads();
        if (s < n_steps) {
            const float total = before + inclusive;
            tau[row + s] = total;
            weight[row + s] = expf(-(total - d)) * (1.0f - expf(-d));
        }
        carry += chunk;
    }
}

static bool run_optical_depth(int n_rays, int n_steps, uint64_t seed)
{
    Random rng(seed);
    std::vector<float> ext(static_cast<size_t>(n_rays) * n_steps), ds(n_rays);
    for (int r = 0; r < n_rays; ++r) {
        ds[r] = rng.uniform(0.8f, 1.6f) / n_steps;
        const float cloud_centre = rng.uniform(0.2f, 0.9f), cloud_depth = rng.uniform(0.0f, 12.0f);
        for (int s = 0; s < n_steps; ++s) {
            const float z = static_cast<float>(s) / n_steps;
            const float u = (z - cloud_centre) * 15.0f;
            ext[static_cast<size_t>(r) * n_steps + s] =
                0.3f * (1.0f - 0.7f * z) + cloud_depth / (1.0f + u * u * u * u) + rng.uniform(0.0f, 0.02f);
        }
    }

    DeviceArray<float> d_ext(ext), d_ds(ds), d_tau(ext.size()), d_weight(ext.size());
    optical_depth_scan<<<n_rays, kRayThreads>>>(d_ext.get(), d_ds.get(), d_tau.get(), d_weight.get(), n_steps);
    wait_for_kernel();

    const std::vector<float> tau = d_tau.host(), weight = d_weight.host();
    for (int r = 0; r < n_rays; ++r) {
        double sum = 0.0;
        for (int s = 0; s < n_steps; ++s) {
            const size_t c = static_cast<size_t>(r) * n_steps + s;
            const double d = static_cast<double>(ext[c]) * ds[r];
            const double w = std::exp(-sum) * -std::expm1(-d);
            sum += d;
            if (!near(tau[c], sum, 1e-6, 5e-5) || !near(weight[c], w, 2e-7, 2e-3)) return false;
        }
    }
    return true;
}

static void test_optical_depth_scan()
{
    bool ok = run_optical_depth(6, 410, 2101);
    ok = run_optical_depth(1850, 1500, 2102) && ok;
    report("optical_depth_scan", ok);
}

// ---------------------------------------------------------------------------
// 22. filter_alignments: order-preserving compaction of mapped, confident
//     alignments; per-block output offsets come from the counting pass
// ---------------------------------------------------------------------------

constexpr int kFilterThreads = 256;
constexpr int kFilterPasses = 4;
constexpr int kFilterTile = kFilterThreads * kFilterPasses;
constexpr unsigned int kRejectFlags = 0x4u | 0x100u | 0x400u;  // unmapped, secondary, duplicate
constexpr int kMinMapq = 20;

__host__ __device__ inline bool keep_alignment(unsigned short flags, unsigned char mapq)
{
    return (flags & kRejectFlags) == 0u && mapq >= kMinMapq;
}

__global__ void __launch_bounds__(kFilterThreads)
    filter_alignments(const unsigned short* __restrict__ flags, const unsigned char* __restrict__ mapq,
                      const int* __restrict__ position, int n, const int* __restrict__ block_offset,
                      int* __restrict__ kept_position, int* __restrict__ kept_index)
{
    __shared__ int warp_counts[kFilterThreads / 32];
    const int lane = threadIdx.x & 31;
    const int warp = threadIdx.x >> 5;
    int out = block_offset[blockIdx.x];

    for (int pass = 0; pass < kFilterPasses; ++pass) {
        const int i = blockIdx.x * kFilterTile + pass * kFilterThreads + threadIdx.x;
        const bool keep = i < n && keep_alignment(flags[i], mapq[i]);
        const unsigned int votes = __ballot_sync(0xffffffffu, keep);
        if (lane == 0) warp_counts[warp] = __popc(votes);
        __syncthreads();
        int before = 0;
        int total = 0;
#pragma unroll
        for (int w = 0; w < kFilterThreads / 32; ++w) {
            if (w < warp) before += warp_counts[w];
            total += warp_counts[w];
        }
        if (keep) {
            const int slot = out + before + __popc(votes & ((1u << lane) - 1u));
            kept_position[slot] = position[i];
            kept_index[slot] = i;
        }
        out += total;
        __syncthreads();
    }
}

static bool run_filter_alignments(int n, uint64_t seed)
{
    Random rng(seed);
    std::vector<unsigned short> flags(n);
    std::vector<unsigned char> mapq(n);
    std::vector<int> position(n);
    int p = 100;
    for (int i = 0; i < n; ++i) {
        const uint32_t r = rng.u32();
        unsigned int f = (r & 1u) ? 0x10u : 0u;
        if ((r >> 1 & 31u) == 0u) f |= 0x4u;
        if ((r >> 6 & 15u) == 0u) f |= 0x100u;
        if ((r >> 10 & 7u) == 0u) f |= 0x400u;
        flags[i] = static_cast<unsigned short>(f);
        // Repeats give runs of ambiguous (mapq 0) alignments.
        const bool in_repeat = (i >> 9) % 7 == 3;
        mapq[i] = in_repeat ? static_cast<unsigned char>(r >> 13 & 3u)
                            : static_cast<unsigned char>(std::min<uint32_t>(60u, r >> 13 & 127u));
        p += static_cast<int>(r >> 20 & 31u);
        position[i] = p;
    }
    const int blocks = ceil_div(n, kFilterTile);
    std::vector<int> block_offset(blocks + 1, 0), want_position, want_index;
    for (int i = 0; i < n; ++i) {
        if (i % kFilterTile == 0) block_offset[i / kFilterTile] = static_cast<int>(want_index.size());
        if (keep_alignment(flags[i], mapq[i])) {
            want_position.push_back(position[i]);
            want_index.push_back(i);
        }
    }

    DeviceArray<unsigned short> d_flags(flags);
    DeviceArray<unsigned char> d_mapq(mapq);
    DeviceArray<int> d_position(position), d_offset(block_offset), d_kept_pos(want_index.size()),
        d_kept_index(want_index.size());
    filter_alignments<<<blocks, kFilterThreads>>>(d_flags.get(), d_mapq.get(), d_position.get(), n, d_offset.get(),
                                                  d_kept_pos.get(), d_kept_index.get());
    wait_for_kernel();
    return d_kept_pos.host() == want_position && d_kept_index.host() == want_index;
}

static void test_filter_alignments()
{
    bool ok = run_filter_alignments(7770, 2201);
    ok = run_filter_alignments(2750000, 2202) && ok;
    report("filter_alignments", ok);
}

// ---------------------------------------------------------------------------
// 23. dynamic_aperture: number of turns a particle survives in the 4-D Henon
//     map of a storage ring with one thin sextupole
// ---------------------------------------------------------------------------

struct RingOptics {
    double cos_x, sin_x, cos_y, sin_y;
};

// One turn; written with explicit fma so that host and device round alike and
// the turn counts of chaotic orbits can be compared exactly.
__host__ __device__ inline void henon_turn(double& x, double& px, double& y, double& py, const RingOptics& o)
{
    const double kx = fma(x, x, fma(-y, y, px));
    const double ky = fma(-2.0 * x, y, py);
    const double tx = o.sin_x * kx;
    const double tpx = o.cos_x * kx;
    const double ty = o.sin_y * ky;
    const double tpy = o.cos_y * ky;
    px = fma(-o.sin_x, x, tpx);
    x = fma(o.cos_x, x, tx);
    py = fma(-o.sin_y, y, tpy);
    y = fma(o.cos_y, y, ty);
}

__global__ void dynamic_aperture(const double2* __restrict__ start, int n_particles, RingOptics optics, int max_turns,
                                 int* __restrict__ survived)
{
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= n_particles) return;

    double x = start[p].x, y = start[p].y;
    double px = 0.0, py = 0.0;
    int turn = 0;
    while (turn < max_turns && fma(x, x, y * y) < 4.0) {
        henon_turn(x, px, y, py, optics);
        ++turn;
    }
    survived[p] = turn;
}

static bool run_dynamic_aperture(int n_amplitudes, int n_angles, int max_turns, int threads)
{
    const int n = n_amplitudes * n_angles;
    std::vector<double2> start(n);
    for (int a = 0; a < n_amplitudes; ++a)
        for (int k = 0; k < n_angles; ++k) {
            const double r = 0.05 + 0.85 * a / n_amplitudes;
            const double phi = 1.5707963267948966 * (k + 0.5) / n_angles;
            start[a * n_angles + k] = make_double2(r * std::cos(phi), r * std::sin(phi));
        }
    const double mu_x = 6.283185307179586 * 0.28, mu_y = 6.283185307179586 * 0.31;
    const RingOptics optics = {std::cos(mu_x), std::sin(mu_x), std::cos(mu_y), std::sin(mu_y)};

    DeviceArray<double2> d_start(start);
    DeviceArray<int> d_survived(n);
    dynamic_aperture<<<ceil_div(n, threads), threads>>>(d_start.get(), n, optics, max_turns, d_survived.get());
    wait_for_kernel();

    std::vector<int> want(n);
    for (int p = 0; p < n; ++p) {
        double x = start[p].x, y = start[p].y, px = 0.0, py = 0.0;
        int turn = 0;
        for (; turn < max_turns; ++turn) {
            if (!(fma(x, x, y * y) < 4.0)) break;
            henon_turn(x, px, y, py, optics);
        }
        want[p] = turn;
    }
    return d_survived.host() == want;
}

static void test_dynamic_aperture()
{
    bool ok = run_dynamic_aperture(20, 15, 120, 64);
    ok = run_dynamic_aperture(340, 251, 400, 128) && ok;
    report("dynamic_aperture", ok);
}

// ---------------------------------------------------------------------------
// 24. vacancy_walk: random walks of vacancies on a cubic lattice with blocking
//     solute atoms and absorbing sinks (integer RNG, periodic box)
// ---------------------------------------------------------------------------

constexpr unsigned char kSiteFree = 0;
constexpr unsigned char kSiteSolute = 1;
constexpr unsigned char kSiteSink = 2;

__host__ __device__ inline uint32_t pcg32(uint64_t& state, uint64_t stream)
{
    const uint64_t old = state;
    state = old * 6364136223846793005ull + (stream << 1 | 1ull);
    const uint32_t shifted = static_cast<uint32_t>(((old >> 18) ^ old) >> 27);
    const uint32_t rot = static_cast<uint32_t>(old >> 59);
    return (shifted >> rot) | (shifted << ((32u - rot) & 31u));
}

__global__ void __launch_bounds__(192) vacancy_walk(const unsigned char* __restrict__ lattice, int3 size,
                                                    const int* __restrict__ start_site, int n_walkers, int max_hops,
                                                    uint64_t seed, int4* __restrict__ result)
{
    const int w = blockIdx.x * blockDim.x + threadIdx.x;
    if (w >= n_walkers) return;

    const int site = start_site[w];
    int x = site % size.x;
    int y = site / size.x % size.y;
    int z = site / (size.x * size.y);
    int3 moved = make_int3(0, 0, 0);
    uint64_t state = seed + 0x9E3779B97F4A7C15ull * static_cast<uint64_t>(w + 1);
    pcg32(state, static_cast<uint64_t>(w));

    int hop = 0;
    while (hop < max_hops) {
        ++hop;
        const uint32_t direction = static_cast<uint32_t>((static_cast<uint64_t>(pcg32(state, w)) * 6u) >> 32);
        const int sign = (direction & 1u) ? 1 : -1;
        const int axis = static_cast<int>(direction >> 1);
        int nx = x, ny = y, nz = z;
        if (axis == 0) {
            nx += sign;
            nx = nx < 0 ? size.x - 1 : (nx == size.x ? 0 : nx);
        } else if (axis == 1) {
            ny += sign;
            ny = ny < 0 ? size.y - 1 : (ny == size.y ? 0 : ny);
        } else {
            nz += sign;
            nz = nz < 0 ? size.z - 1 : (nz == size.z ? 0 : nz);
        }
        const unsigned char kind = __ldg(lattice + (nz * size.y + ny) * size.x + nx);
        if (kind == kSiteSolute) continue;
        x = nx;
        y = ny;
        z = nz;
        moved.x += axis == 0 ? sign : 0;
        moved.y += axis == 1 ? sign : 0;
        moved.z += axis == 2 ? sign : 0;
        if (kind == kSiteSink) break;
    }
    result[w] = make_int4(moved.x, moved.y, moved.z, hop);
}

static bool run_vacancy_walk(int3 size, int n_walkers, int max_hops, uint64_t seed)
{
    Random rng(seed);
    const int n_sites = size.x * size.y * size.z;
    std::vector<unsigned char> lattice(n_sites);
    for (int s = 0; s < n_sites; ++s) {
        const int z = s / (size.x * size.y);
        const uint32_t r = rng.u32() & 1023u;
        const bool boundary = z == size.z / 3 && (r & 3u) == 0u;  // grain boundary plane
        lattice[s] = boundary || r < 3u ? kSiteSink : r < 90u ? kSiteSolute : kSiteFree;
    }
    std::vector<int> start(n_walkers);
    for (auto& s : start) {
        do s = rng.below(n_sites);
        while (lattice[s] != kSiteFree);
    }

    DeviceArray<unsigned char> d_lattice(lattice);
    DeviceArray<int> d_start(start);
    DeviceArray<int4> d_result(n_walkers);
    vacancy_walk<<<ceil_div(n_walkers, 192), 192>>>(d_lattice.get(), size, d_start.get(), n_walkers, max_hops, seed,
                                                    d_result.get());
    wait_for_kernel();

    const std::vector<int4> got = d_result.host();
    const int len[3] = {size.x, size.y, size.z};
    for (int w = 0; w < n_walkers; ++w) {
        int at[3] = {start[w] % len[0], start[w] / len[0] % len[1], start[w] / (len[0] * len[1])};
        int moved[3] = {0, 0, 0}, hops = 0;
        uint64_t state = seed + 0x9E3779B97F4A7C15ull * static_cast<uint64_t>(w + 1);
        pcg32(state, static_cast<uint64_t>(w));
        for (int h = 1; h <= max_hops; ++h) {
            hops = h;
            const int dir = static_cast<int>((static_cast<uint64_t>(pcg32(state, static_cast<uint64_t>(w))) * 6u) >> 32);
            const int axis = dir / 2, step = dir % 2 ? 1 : -1;
            int next[3] = {at[0], at[1], at[2]};
            next[axis] = (next[axis] + step + len[axis]) % len[axis];
            const unsigned char kind = lattice[(next[2] * len[1] + next[1]) * len[0] + next[0]];
            if (kind == kSiteSolute) continue;
            at[axis] = next[axis];
            moved[axis] += step;
            if (kind == kSiteSink) break;
        }
        if (got[w].x != moved[0] || got[w].y != moved[1] || got[w].z != moved[2] || got[w].w != hops) return false;
    }
    return true;
}

static void test_vacancy_walk()
{
    bool ok = run_vacancy_walk(make_int3(18, 15, 13), 500, 60, 2401);
    ok = run_vacancy_walk(make_int3(150, 132, 110), 170000, 220, 2402) && ok;
    report("vacancy_walk", ok);
}

// ---------------------------------------------------------------------------
// 25. backproject_slice: parallel-beam filtered back-projection, the filtered
//     sinogram is read through a linearly interpolating 2-D texture
// ---------------------------------------------------------------------------

constexpr int kMaxViews = 360;

__constant__ float2 c_view_dir[kMaxViews];

__global__ void __launch_bounds__(256) backproject_slice(cudaTextureObject_t sinogram, float* __restrict__ image,
                                                         int width, int height, int n_views, float detector_centre,
                                                         float detectors_per_pixel, float norm)
{
    const int ix = blockIdx.x * blockDim.x + threadIdx.x;
    const int iy = blockIdx.y * blockDim.y + threadIdx.y;
    if (ix >= width || iy >= height) return;

    const float x = (ix - 0.5f * (width - 1)) * detectors_per_pixel;
    const float y = (iy - 0.5f * (height - 1)) * detectors_per_pixel;
    float sum = 0.0f;
#pragma unroll 4
    for (int v = 0; v < n_views; ++v) {
        const float2 d = c_view_dir[v];
        const float t = fmaf(x, d.x, fmaf(y, d.y, detector_centre));
        sum += tex2D<float>(sinogram, t + 0.5f, v + 0.5f);
    }
    image[iy * width + ix] = sum * norm;
}

static std::vector<float> filtered_sinogram(int n_det, int n_views, const std::vector<float2>& dir, Random& rng)
{
    // Analytic projections of a few discs, then Ram-Lak filtering.
    struct Disc {
        double x, y, r, mu;
    };
    std::vector<Disc> discs = {{0.0, 0.0, 0.42 * n_det, 1.0}};
    for (int k = 0; k < 7; ++k) {
        const double r = n_det * (0.02 + 0.06 * rng.uniform()), a = 6.2831853 * rng.uniform();
        const double rho = 0.28 * n_det * rng.uniform();
        discs.push_back({rho * std::cos(a), rho * std::sin(a), r, 1.6 * rng.uniform() - 0.6});
    }
    std::vector<float> out(static_cast<size_t>(n_det) * n_views);
    std::vector<double> proj(n_det), tap(n_det, 0.0);
    tap[0] = 0.25;
    for (int k = 1; k < n_det; k += 2) tap[k] = -1.0 / (9.869604401089358 * k * k);
    for (int v = 0; v < n_views; ++v) {
        for (int s = 0; s < n_det; ++s) {
            proj[s] = 0.0;
            for (const Disc& d : discs) {
                const double u = s - 0.5 * (n_det - 1) - (d.x * dir[v].x + d.y * dir[v].y);
                if (std::fabs(u) < d.r) proj[s] += 2.0 * d.mu * std::sqrt(d.r * d.r - u * u);
            }
        }
        for (int s = 0; s < n_det; ++s) {
            double f = tap[0] * proj[s];
            for (int k = 1; k < n_det; k += 2) {
                if (s - k >= 0) f += tap[k] * proj[s - k];
                if (s + k < n_det) f += tap[k] * proj[s + k];
            }
            out[static_cast<size_t>(v) * n_det + s] = static_cast<float>(f);
        }
    }
    return out;
}

static bool run_backproject(int width, int height, int n_det, int n_views, uint64_t seed)
{
    Random rng(seed);
    std::vector<float2> dir(n_views);
    for (int v = 0; v < n_views; ++v) {
        const double a = 3.141592653589793 * v / n_views;
        dir[v] = make_float2(static_cast<float>(std::cos(a)), static_cast<float>(std::sin(a)));
    }
    const std::vector<float> sino = filtered_sinogram(n_det, n_views, dir, rng);
    CUDA_CHECK(cudaMemcpyToSymbol(c_view_dir, dir.data(), n_views * sizeof(float2)));

    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    CUDA_CHECK(cudaMallocArray(&array, &format, n_det, n_views));
    CUDA_CHECK(cudaMemcpy2DToArray(array, 0, 0, sino.data(), n_det * sizeof(float), n_det * sizeof(float), n_views,
                                   cudaMemcpyHostToDevice));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc desc = {};
    desc.addressMode[0] = cudaAddressModeBorder;
    desc.addressMode[1] = cudaAddressModeClamp;
    desc.filterMode = cudaFilterModeLinear;
    desc.readMode = cudaReadModeElementType;
    desc.normalizedCoords = 0;
    cudaTextureObject_t texture = 0;
    CUDA_CHECK(cudaCreateTextureObject(&texture, &resource, &desc, nullptr));

    const float centre = 0.5f * (n_det - 1);
    const float per_pixel = 0.98f * n_det / (1.2f * std::max(width, height));
    const float norm = 3.14159265f / n_views;
    DeviceArray<float> d_image(static_cast<size_t>(width) * height);
    const dim3 block(32, 8);
    backproject_slice<<<dim3(ceil_div(width, 32), ceil_div(height, 8)), block>>>(
        texture, d_image.get(), width, height, n_views, centre, per_pixel, norm);
    wait_for_kernel();
    CUDA_CHECK(cudaDestroyTextureObject(texture));
    CUDA_CHECK(cudaFreeArray(array));

    const std::vector<float> got = d_image.host();
    float peak = 0.0f;
    for (float s : sino) peak = std::max(peak, std::fabs(s));
    for (int iy = 0; iy < height; ++iy)
        for (int ix = 0; ix < width; ++ix) {
            const float x = (ix - 0.5f * (width - 1)) * per_pixel, y = (iy - 0.5f * (height - 1)) * per_pixel;
            float sum = 0.0f, slope = 0.0f;
            for (int v = 0; v < n_views; ++v) {
                const float t = x * dir[v].x + (y * dir[v].y + centre);
                const int i = static_cast<int>(t + 4.0f * n_det) - 4 * n_det;  // floor for t > -4 n_det
                const float f = t - i;
                const float* row = &sino[static_cast<size_t>(v) * n_det];
                const float a = i >= 0 && i < n_det ? row[i] : 0.0f;
                const float b = i >= -1 && i < n_det - 1 ? row[i + 1] : 0.0f;
                sum += a + f * (b - a);
                slope += std::fabs(b - a);
            }
            // The texture unit interpolates with 8-bit fractions.
            const float tolerance = norm * (slope / 256.0f + 4e-4f * peak * n_views);
            if (!near(got[iy * width + ix], norm * sum, tolerance, 0.0)) return false;
        }
    return true;
}

static void test_backproject_slice()
{
    bool ok = run_backproject(45, 38, 64, 36, 2501);
    ok = run_backproject(410, 372, 512, 181, 2502) && ok;
    report("backproject_slice", ok);
}

// ---------------------------------------------------------------------------
// 26. eos_lookup: tabulated equation of state, one layer of a layered texture
//     per material, bilinear in log density and log temperature
// ---------------------------------------------------------------------------

struct EosAxes {
    float log_rho0, inv_dlog_rho, log_t0, inv_dlog_t;
};

__global__ void eos_lookup(cudaTextureObject_t table, const float* __restrict__ rho, const float* __restrict__ temp,
                           const unsigned char* __restrict__ material, int n_cells, EosAxes axes,
                           float2* __restrict__ pressure_energy)
{
    for (int c = blockIdx.x * blockDim.x + threadIdx.x; c < n_cells; c += gridDim.x * blockDim.x) {
        const float u = (log10f(rho[c]) - axes.log_rho0) * axes.inv_dlog_rho;
        const float v = (log10f(temp[c]) - axes.log_t0) * axes.inv_dlog_t;
        const float2 ln_pe = tex2DLayered<float2>(table, u + 0.5f, v + 0.5f, material[c]);
        pressure_energy[c] = make_float2(expf(ln_pe.x), expf(ln_pe.y));
    }
}

static bool run_eos_lookup(int n_cells, int n_rho, int n_temp, int n_materials, int blocks, uint64_t seed)
{
    Random rng(seed);
    std::vector<float2> table(static_cast<size_t>(n_rho) * n_temp * n_materials);
    for (int m = 0; m < n_materials; ++m)
        for (int j = 0; j < n_temp; ++j)
            for (int i = 0; i < n_rho; ++i) {
                const double lr = -3.0 + 5.0 * i / (n_rho - 1), lt = 2.0 + 5.0 * j / (n_temp - 1);
                const double r = std::pow(10.0, lr), t = std::pow(10.0, lt) / 11604.5;  // eV
                const double a = 12.0 + 20.0 * m, z = 1.0 + (4.0 + 6.0 * m) * t / (t + 30.0);
                const double thermal = r * t * (1.0 + z) / a;
                const double cold = 0.002 * (1.0 + m) * std::pow(r, 5.0 / 3.0);
                table[(static_cast<size_t>(m) * n_temp + j) * n_rho + i] =
                    make_float2(static_cast<float>(std::log(thermal + cold)),
                                static_cast<float>(std::log(1.5 * (thermal + cold) / r)));
            }
    std::vector<float> rho(n_cells), temp(n_cells);
    std::vector<unsigned char> material(n_cells);
    for (int c = 0; c < n_cells; ++c) {
        const double s = static_cast<double>(c) / n_cells;  // shock profile plus noise
        const double lr = -1.0 + 2.2 * s + 0.3 * (rng.uniform() - 0.5) + (rng.below(60) == 0 ? -2.4 : 0.0);
        const double lt = 6.2 - 3.0 * s + 0.5 * (rng.uniform() - 0.5);
        rho[c] = static_cast<float>(std::pow(10.0, lr));
        temp[c] = static_cast<float>(std::pow(10.0, lt));
        material[c] = static_cast<unsigned char>(
            std::min(n_materials - 1, static_cast<int>(n_materials * s) + (rng.below(30) == 0 ? 1 : 0)));
    }

    cudaChannelFormatDesc format = cudaCreateChannelDesc<float2>();
    cudaArray_t array = nullptr;
    const cudaExtent extent = make_cudaExtent(n_rho, n_temp, n_materials);
    CUDA_CHECK(cudaMalloc3DArray(&array, &format, extent, cudaArrayLayered));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(table.data(), n_rho * sizeof(float2), n_rho, n_temp);
    copy.dstArray = array;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    CUDA_CHECK(cudaMemcpy3D(&copy));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc desc = {};
    desc.addressMode[0] = cudaAddressModeClamp;
    desc.addressMode[1] = cudaAddressModeClamp;
    desc.filterMode = cudaFilterModeLinear;
    desc.readMode = cudaReadModeElementType;
    desc.normalizedCoords = 0;
    cudaTextureObject_t texture = 0;
    CUDA_CHECK(cudaCreateTextureObject(&texture, &resource, &desc, nullptr));

    const EosAxes axes = {-3.0f, (n_rho - 1) / 5.0f, 2.0f, (n_temp - 1) / 5.0f};
    DeviceArray<float> d_rho(rho), d_temp(temp);
    DeviceArray<unsigned char> d_material(material);
    DeviceArray<float2> d_out(n_cells);
    eos_lookup<<<blocks, 320>>>(texture, d_rho.get(), d_temp.get(), d_material.get(), n_cells, axes, d_out.get());
    wait_for_kernel();
    CUDA_CHECK(cudaDestroyTextureObject(texture));
    CUDA_CHECK(cudaFreeArray(array));

    const std::vector<float2> got = d_out.host();
    for (int c = 0; c < n_cells; ++c) {
        float u = (std::log10(rho[c]) - axes.log_rho0) * axes.inv_dlog_rho;
        float v = (std::log10(temp[c]) - axes.log_t0) * axes.inv_dlog_t;
        u = std::min(n_rho - 1.0f, std::max(0.0f, u));
        v = std::min(n_temp - 1.0f, std::max(0.0f, v));
        const int i = std::min(n_rho - 2, static_cast<int>(u)), j = std::min(n_temp - 2, static_cast<int>(v));
        const float fu = u - i, fv = v - j;
        const float2* t = &table[(static_cast<size_t>(material[c]) * n_temp + j) * n_rho + i];
        auto blend = [&](float a, float b, float d, float e) {
            return (1.0f - fv) * ((1.0f - fu) * a + fu * b) + fv * ((1.0f - fu) * d + fu * e);
        };
        const float p = std::exp(blend(t[0].x, t[1].x, t[n_rho].x, t[n_rho + 1].x));
        const float e = std::exp(blend(t[0].y, t[1].y, t[n_rho].y, t[n_rho + 1].y));
        // 8-bit interpolation fractions on a table with steps of about 0.2.
        if (!near(got[c].x, p, 0.0, 5e-3) || !near(got[c].y, e, 0.0, 5e-3)) return false;
    }
    return true;
}

static void test_eos_lookup()
{
    bool ok = run_eos_lookup(2222, 60, 50, 3, 4, 2601);
    ok = run_eos_lookup(1100000, 96, 80, 5, 792, 2602) && ok;
    report("eos_lookup", ok);
}

// ---------------------------------------------------------------------------
// 27. smith_waterman: affine-gap local alignment scores, a warp per pair; each
//     lane owns four query rows and the columns sweep along as a wavefront
// ---------------------------------------------------------------------------

constexpr int kQueryRows = 4;
constexpr int kMaxQuery = 32 * kQueryRows;
constexpr int kMatch = 2;
constexpr int kMismatch = -3;
constexpr int kGapOpen = 5;
constexpr int kGapExtend = 2;
constexpr int kMinusInf = -1000000;

__global__ void __launch_bounds__(128) smith_waterman(const unsigned char* __restrict__ queries,
                                                      const int* __restrict__ query_begin,
                                                      const unsigned char* __restrict__ targets,
                                                      const int* __restrict__ target_begin, int n_pairs,
                                                      int* __restrict__ best_score)
{
    const int lane = threadIdx.x & 31;
    const int pair = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    if (pair >= n_pairs) return;

    const int q0 = query_begin[pair];
    const int m = query_begin[pair + 1] - q0;
    const unsigned char* target = targets + target_begin[pair];
    const int n = target_begin[pair + 1] - target_begin[pair];

    int code[kQueryRows], h[kQueryRows], e[kQueryRows];
#pragma unroll
    for (int r = 0; r < kQueryRows; ++r) {
        const int i = lane * kQueryRows + r;
        code[r] = i < m ? queries[q0 + i] : 255;  // padding never matches
        h[r] = 0;
        e[r] = kMinusInf;
    }
    int f_last = kMinusInf;  // vertical gap score leaving this lane's last row
    int diag_in = 0;         // H of the row above, previous column
    int best = 0;

    for (int step = 0; step < n + 31; ++step) {
        int h_up = __shfl_up_sync(0xffffffffu, h[kQueryRows - 1], 1);
        int f_up = __shfl_up_sync(0xffffffffu, f_last, 1);
        if (lane == 0) {
            h_up = 0;
            f_up = kMinusInf;
        }
        const int j = step - lane;
        if (j >= 0 && j < n) {
            const int t = target[j];
            int diag = diag_in;
            int above = h_up;
            int f = f_up;
#pragma unroll
            for (int r = 0; r < kQueryRows; ++r) {
                e[r] = max(e[r] - kGapExtend, h[r] - kGapOpen);
                f = max(f - kGapExtend, above - kGapOpen);
                const int s = diag + (code[r] == t ? kMatch : kMismatch);
                const int value = max(max(s, 0), max(e[r], f));
                diag = h[r];
                h[r] = value;
                above = value;
                best = max(best, value);
            }
            f_last = f;
        }
        diag_in = h_up;
    }
    for (int offset = 16; offset > 0; offset >>= 1) best = max(best, __shfl_xor_sync(0xffffffffu, best, offset));
    if (lane == 0) best_score[pair] = best;
}

static bool run_smith_waterman(int n_pairs, int min_query, int max_target, uint64_t seed)
{
    Random rng(seed);
    std::vector<int> q_begin(1, 0), t_begin(1, 0);
    std::vector<unsigned char> queries, targets;
    for (int p = 0; p < n_pairs; ++p) {
        const int m = min_query + rng.below(kMaxQuery - min_query + 1);
        const int n = m + rng.below(max_target - m + 1);
        const size_t t0 = targets.size();
        for (int i = 0; i < n; ++i) targets.push_back(static_cast<unsigned char>(rng.u32() & 3u));
        const bool related = rng.below(5) != 0;
        size_t at = t0 + rng.below(n - m + 1);
        for (int i = 0; i < m; ++i) {
            unsigned char b = static_cast<unsigned char>(rng.u32() & 3u);
            if (related && at < targets.size() && rng.below(20) != 0) b = targets[at];
            const int event = rng.below(60);
            if (event == 0) at += 1 + rng.below(4);  // deletion
            if (event != 1) ++at;                    // otherwise an insertion
            queries.push_back(b);
        }
        q_begin.push_back(static_cast<int>(queries.size()));
        t_begin.push_back(static_cast<int>(targets.size()));
    }

    DeviceArray<unsigned char> d_q(queries), d_t(targets);
    DeviceArray<int> d_qb(q_begin), d_tb(t_begin), d_best(n_pairs);
    smith_waterman<<<ceil_div(n_pairs, 4), 128>>>(d_q.get(), d_qb.get(), d_t.get(), d_tb.get(), n_pairs, d_best.get());
    wait_for_kernel();

    std::vector<int> want(n_pairs), h(kMaxQuery + 1), e(kMaxQuery + 1);
    for (int p = 0; p < n_pairs; ++p) {
        const int m = q_begin[p + 1] - q_begin[p];
        std::fill(h.begin(), h.end(), 0);
        std::fill(e.begin(), e.end(), kMinusInf);
        int best = 0;
        for (int j = t_begin[p]; j < t_begin[p + 1]; ++j) {
            int diag = 0, f = kMinusInf;
            for (int i = 1; i <= m; ++i) {
                e[i] = std::max(e[i] - kGapExtend, h[i] - kGapOpen);
                f = std::max(f - kGapExtend, h[i - 1] - kGapOpen);
                const int s = diag + (queries[q_begin[p] + i - 1] == targets[j] ? kMatch : kMismatch);
                diag = h[i];
                h[i] = std::max(std::max(s, 0), std::max(e[i], f));
                best = std::max(best, h[i]);
            }
        }
        want[p] = best;
    }
    return d_best.host() == want;
}

static void test_smith_waterman()
{
    bool ok = run_smith_waterman(30, 20, 150, 2701);
    ok = run_smith_waterman(4200, 70, 240, 2702) && ok;
    report("smith_waterman", ok);
}

// ---------------------------------------------------------------------------
// 28. cholesky_solve: batched 16 x 16 SPD solves (local ensemble analysis),
//     sixteen threads per system, eight systems per block
// ---------------------------------------------------------------------------

constexpr int kEns = 16;
constexpr int kSystemsPerBlock = 8;

__global__ void __launch_bounds__(kEns * kSystemsPerBlock)
    cholesky_solve(const double* __restrict__ a, const double* __restrict__ rhs, double* __restrict__ x, int n_systems)
{
    __shared__ double lower[kSystemsPerBlock][kEns][kEns + 1];
    cg::thread_block_tile<kEns> tile = cg::tiled_partition<kEns>(cg::this_thread_block());
    const int slot = threadIdx.x / kEns;
    const int r = static_cast<int>(tile.thread_rank());
    const int system = blockIdx.x * kSystemsPerBlock + slot;
    if (system >= n_systems) return;  // whole tiles leave; only tile-level syncs below

    double (*l)[kEns + 1] = lower[slot];
    const double* matrix = a + static_cast<size_t>(system) * kEns * kEns;
#pragma unroll
    for (int i = 0; i < kEns; ++i) l[i][r] = matrix[i * kEns + r];
    double v = rhs[system * kEns + r];
    tile.sync();

    for (int k = 0; k < kEns; ++k) {
        const double pivot = sqrt(l[k][k]);
        tile.sync();
        if (r == k)
            l[k][k] = pivot;
        else if (r > k)
            l[r][k] /= pivot;
        tile.sync();
        for (int c = k + 1; c <= r; ++c) l[r][c] -= l[r][k] * l[c][k];
        tile.sync();
    }

    for (int k = 0; k < kEns; ++k) {  // L y = b
        const double yk = tile.shfl(v, k) / l[k][k];
        if (r == k)
            v = yk;
        else if (r > k)
            v -= l[r][k] * yk;
    }
    for (int k = kEns - 1; k >= 0; --k) {  // L^T x = y
        const double xk = tile.shfl(v, k) / l[k][k];
        if (r == k)
            v = xk;
        else if (r < k)
            v -= l[k][r] * xk;
    }
    x[system * kEns + r] = v;
}

static bool run_cholesky_solve(int n_systems, uint64_t seed)
{
    Random rng(seed);
    std::vector<double> a(static_cast<size_t>(n_systems) * kEns * kEns), rhs(static_cast<size_t>(n_systems) * kEns);
    const int n_obs = 10;
    std::vector<double> y(n_obs * kEns);
    for (int s = 0; s < n_systems; ++s) {
        // (k-1) I + Y^T R^-1 Y with observation perturbations Y.
        for (auto& v : y) v = 3.0 * (rng.uniform() - 0.5);
        double* m = &a[static_cast<size_t>(s) * kEns * kEns];
        for (int i = 0; i < kEns; ++i) {
            for (int j = 0; j <= i; ++j) {
                double sum = i == j ? kEns - 1.0 : 0.0;
                for (int o = 0; o < n_obs; ++o) sum += y[o * kEns + i] * y[o * kEns + j] / (0.5 + 0.1 * o);
                m[i * kEns + j] = m[j * kEns + i] = sum;
            }
            rhs[static_cast<size_t>(s) * kEns + i] = 2.0 * rng.uniform() - 1.0;
        }
    }

    DeviceArray<double> d_a(a), d_rhs(rhs), d_x(rhs.size());
    cholesky_solve<<<ceil_div(n_systems, kSystemsPerBlock), kEns * kSystemsPerBlock>>>(d_a.get(), d_rhs.get(),
                                                                                       d_x.get(), n_systems);
    wait_for_kernel();

    std::vector<double> want(rhs.size());
    for (int s = 0; s < n_systems; ++s) {
        double l[kEns][kEns];
        const double* m = &a[static_cast<size_t>(s) * kEns * kEns];
        double* w = &want[static_cast<size_t>(s) * kEns];
        for (int i = 0; i < kEns; ++i)
            for (int j = 0; j <= i; ++j) {
                double sum = m[i * kEns + j];
                for (int k = 0; k < j; ++k) sum -= l[i][k] * l[j][k];
                l[i][j] = i == j ? std::sqrt(sum) : sum / l[j][j];
            }
        for (int i = 0; i < kEns; ++i) {
            double sum = rhs[static_cast<size_t>(s) * kEns + i];
            for (int k = 0; k < i; ++k) sum -= l[i][k] * w[k];
            w[i] = sum / l[i][i];
        }
        for (int i = kEns - 1; i >= 0; --i) {
            double sum = w[i];
            for (int k = i + 1; k < kEns; ++k) sum -= l[k][i] * w[k];
            w[i] = sum / l[i][i];
        }
    }
    return all_near(d_x.host(), want, 1e-11, 1e-10);
}

static void test_cholesky_solve()
{
    bool ok = run_cholesky_solve(61, 2801);
    ok = run_cholesky_solve(11003, 2802) && ok;
    report("cholesky_solve", ok);
}

// ---------------------------------------------------------------------------
// 29. lj_forces: shifted-force Lennard-Jones forces of a binary mixture from a
//     neighbour-major Verlet list
// ---------------------------------------------------------------------------

constexpr float kLjCutoff = 2.5f;
constexpr float kLjSkin = 0.3f;

__constant__ float4 c_lj[4];  // 4 eps sigma^12, 4 eps sigma^6, force and energy at the cutoff

__global__ void __launch_bounds__(128) lj_forces(const float4* __restrict__ atoms, const int* __restrict__ n_neighbours,
                                                 const int* __restrict__ neighbours, int n_atoms, float3 box,
                                                 float4* __restrict__ force_energy)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n_atoms) return;

    const float4 me = atoms[i];
    const int my_type = __float_as_int(me.w);
    const float3 inv_box = make_float3(1.0f / box.x, 1.0f / box.y, 1.0f / box.z);
    const int count = n_neighbours[i];
    float4 acc = make_float4(0.0f, 0.0f, 0.0f, 0.0f);

    for (int k = 0; k < count; ++k) {
        const float4 other = __ldg(atoms + neighbours[k * n_atoms + i]);
        float dx = me.x - other.x;
        float dy = me.y - other.y;
        float dz = me.z - other.z;
        dx -= box.x * rintf(dx * inv_box.x);
        dy -= box.y * rintf(dy * inv_box.y);
        dz -= box.z * rintf(dz * inv_box.z);
        const float r2 = dx * dx + dy * dy + dz * dz;
        if (r2 < kLjCutoff * kLjCutoff) {
            const float4 lj = c_lj[my_type * 2 + __float_as_int(other.w)];
            const float inv_r = rsqrtf(r2);
            const float inv_r2 = inv_r * inv_r;
            const float inv_r6 = inv_r2 * inv_r2 * inv_r2;
            const float repulsion = lj.x * inv_r6 * inv_r6;
            const float attraction = lj.y * inv_r6;
            const float f = (12.0f * repulsion - 6.0f * attraction) * inv_r - lj.z;
            const float scale = f * inv_r;
            acc.x += scale * dx;
            acc.y += scale * dy;
            acc.z += scale * dz;
            acc.w += 0.5f * (repulsion - attraction - lj.w + (r2 * inv_r - kLjCutoff) * lj.z);
        }
    }
    force_energy[i] = acc;
}

static bool run_lj_forces(int cx, int cy, int cz, uint64_t seed)
{
    Random rng(seed);
    const float spacing = 1.0772f;  // reduced density 0.8
    const float3 box = make_float3(cx * spacing, cy * spacing, cz * spacing);
    const int n = cx * cy * cz;
    std::vector<float4> atoms(n);
    std::vector<int> type(n);
    for (int k = 0, c = 0; k < cz; ++k)
        for (int j = 0; j < cy; ++j)
            for (int i = 0; i < cx; ++i, ++c) {
                type[c] = rng.below(5) == 0 ? 1 : 0;
                float type_bits;
                std::memcpy(&type_bits, &type[c], sizeof(float));
                atoms[c] = make_float4((i + 0.5f) * spacing + rng.uniform(-0.09f, 0.09f),
                                       (j + 0.5f) * spacing + rng.uniform(-0.09f, 0.09f),
                                       (k + 0.5f) * spacing + rng.uniform(-0.09f, 0.09f), type_bits);
            }

    // Kob-Andersen mixture.
    const double eps[4] = {1.0, 1.5, 1.5, 0.5}, sigma[4] = {1.0, 0.8, 0.8, 0.88};
    float4 lj[4];
    for (int t = 0; t < 4; ++t) {
        const double s6 = std::pow(sigma[t], 6.0), b = 4.0 * eps[t] * s6, a = b * s6;
        const double r6 = std::pow(1.0 / kLjCutoff, 6.0);
        lj[t] = make_float4(static_cast<float>(a), static_cast<float>(b),
                            static_cast<float>((12.0 * a * r6 * r6 - 6.0 * b * r6) / kLjCutoff),
                            static_cast<float>(a * r6 * r6 - b * r6));
    }
    CUDA_CHECK(cudaMemcpyToSymbol(c_lj, lj, sizeof(lj)));

    // Verlet list from a cell grid.
    const float reach = kLjCutoff + kLjSkin;
    const int gx = static_cast<int>(box.x / reach), gy = static_cast<int>(box.y / reach),
              gz = static_cast<int>(box.z / reach);
    std::vector<std::vector<int>> cells(static_cast<size_t>(gx) * gy * gz);
    auto cell_of = [](float x, float len, int g) { return std::min(g - 1, std::max(0, static_cast<int>(x / len * g))); };
    for (int i = 0; i < n; ++i)
        cells[(cell_of(atoms[i].z, box.z, gz) * gy + cell_of(atoms[i].y, box.y, gy)) * gx +
              cell_of(atoms[i].x, box.x, gx)]
            .push_back(i);
    auto minimum_image = [](float d, float len) { return d > 0.5f * len ? d - len : d < -0.5f * len ? d + len : d; };
    std::vector<std::vector<int>> lists(n);
    size_t longest = 0;
    for (int i = 0; i < n; ++i) {
        const int ix = cell_of(atoms[i].x, box.x, gx), iy = cell_of(atoms[i].y, box.y, gy),
                  iz = cell_of(atoms[i].z, box.z, gz);
        for (int d = 0; d < 27; ++d) {
            const int jx = (ix + d % 3 - 1 + gx) % gx, jy = (iy + d / 3 % 3 - 1 + gy) % gy,
                      jz = (iz + d / 9 - 1 + gz) % gz;
            for (int j : cells[(jz * gy + jy) * gx + jx]) {
                if (j == i) continue;
                const float dx = minimum_image(atoms[i].x - atoms[j].x, box.x);
                const float dy = minimum_image(atoms[i].y - atoms[j].y, box.y);
                const float dz = minimum_image(atoms[i].z - atoms[j].z, box.z);
                if (dx * dx + dy * dy + dz * dz < reach * reach) lists[i].push_back(j);
            }
        }
        longest = std::max(longest, lists[i].size());
    }
    std::vector<int> count(n), neighbours(longest * n, 0);
    for (int i = 0; i < n; ++i) {
        count[i] = static_cast<int>(lists[i].size());
        for (int k = 0; k < count[i]; ++k) neighbours[static_cast<size_t>(k) * n + i] = lists[i][k];
    }

    DeviceArray<float4> d_atoms(atoms), d_out(n);
    DeviceArray<int> d_count(count), d_neighbours(neighbours);
    lj_forces<<<ceil_div(n, 128), 128>>>(d_atoms.get(), d_count.get(), d_neighbours.get(), n, box, d_out.get());
    wait_for_kernel();

    const std::vector<float4> got = d_out.host();
    for (int i = 0; i < n; ++i) {
        double want[4] = {0.0, 0.0, 0.0, 0.0}, magnitude = 0.0;
        for (int j : lists[i]) {
            const double d[3] = {minimum_image(atoms[i].x - atoms[j].x, box.x),
                                 minimum_image(atoms[i].y - atoms[j].y, box.y),
                                 minimum_image(atoms[i].z - atoms[j].z, box.z)};
            const double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
            if (r2 >= static_cast<double>(kLjCutoff) * kLjCutoff) continue;
            const float4& p = lj[type[i] * 2 + type[j]];
            const double r = std::sqrt(r2), r6 = 1.0 / (r2 * r2 * r2);
            const double f = (12.0 * p.x * r6 * r6 - 6.0 * p.y * r6) / r - p.z;
            for (int c = 0; c < 3; ++c) want[c] += f * d[c] / r;
            want[3] += 0.5 * (p.x * r6 * r6 - p.y * r6 - p.w + (r - kLjCutoff) * p.z);
            magnitude += (12.0 * p.x * r6 * r6 + 6.0 * p.y * r6) / r + std::fabs(p.z);
        }
        const double g[4] = {got[i].x, got[i].y, got[i].z, got[i].w};
        for (int c = 0; c < 4; ++c)
            if (!near(g[c], want[c], 1e-4 * magnitude + 1e-5, 0.0)) return false;
    }
    return true;
}

static void test_lj_forces()
{
    bool ok = run_lj_forces(9, 8, 10, 2901);
    ok = run_lj_forces(41, 38, 43, 2902) && ok;
    report("lj_forces", ok);
}

// ---------------------------------------------------------------------------

int main()
{
    test_embed_gather();
    test_spmv_residual();
    test_knn_smooth_spmm();
    test_kmer_spectrum();
    test_joint_histogram();
    test_bfs_expand();
    test_edge_support();
    test_kmer_hash_count();
    test_percolation_union();
    test_charge_deposit();
    test_hit_block_sort();
    test_variant_merge();
    test_swiglu_bf16();
    test_unpack_transpose();
    test_plasma_moments();
    test_causal_softmax();
    test_add_layernorm();
    test_heat3d_step();
    test_redblack_sor();
    test_offsets_lookback();
    test_optical_depth_scan();
    test_filter_alignments();
    test_dynamic_aperture();
    test_vacancy_walk();
    test_backproject_slice();
    test_eos_lookup();
    test_smith_waterman();
    test_cholesky_solve();
    test_lj_forces();
    if (g_failures) std::printf("%d test(s) failed\n", g_failures);
    return g_failures ? 1 : 0;
}
