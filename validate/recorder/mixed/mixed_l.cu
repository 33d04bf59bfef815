// mixed_l.cu - a mixed bag of 29 GPU kernels with host references.
//
// Sparse / graph, atomics, hashing, sort-scan-merge, reductions, stencils and
// lattices, imaging, streaming, inference pieces, particles, dynamic
// programming, Monte Carlo and hashing.  Every kernel runs four times with the
// same arguments and is checked against a host implementation.
//
// nvcc -std=c++17 -O3 -arch=sm_90 -o mixed_l mixed_l.cu

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

// ---------------------------------------------------------------------------
// Infrastructure
// ---------------------------------------------------------------------------

#define CUDA_OK(expr)                                                          \
    do {                                                                       \
        cudaError_t err_ = (expr);                                             \
        if (err_ != cudaSuccess) {                                             \
            std::fprintf(stderr, "%s:%d: %s -> %s\n", __FILE__, __LINE__,      \
                         #expr, cudaGetErrorString(err_));                     \
            std::exit(1);                                                      \
        }                                                                      \
    } while (0)

static const int kRepeats = 4;
static int g_failures = 0;

static void report(const char* name, bool ok)
{
    std::printf("%s: %s\n", name, ok ? "right" : "WRONG");
    if (!ok) ++g_failures;
}

static void finish_launches()
{
    CUDA_OK(cudaGetLastError());
    CUDA_OK(cudaDeviceSynchronize());
}

template <class T>
class DevArray {
public:
    explicit DevArray(size_t n) : n_(n)
    {
        CUDA_OK(cudaMalloc(reinterpret_cast<void**>(&p_), n * sizeof(T)));
    }
    explicit DevArray(const std::vector<T>& h) : DevArray(h.size())
    {
        CUDA_OK(cudaMemcpy(p_, h.data(), n_ * sizeof(T), cudaMemcpyHostToDevice));
    }
    DevArray(const DevArray&) = delete;
    DevArray& operator=(const DevArray&) = delete;
    ~DevArray() { cudaFree(p_); }

    T* get() { return p_; }
    void fill_bytes(int v) { CUDA_OK(cudaMemset(p_, v, n_ * sizeof(T))); }
    std::vector<T> host() const
    {
        std::vector<T> h(n_);
        CUDA_OK(cudaMemcpy(h.data(), p_, n_ * sizeof(T), cudaMemcpyDeviceToHost));
        return h;
    }

private:
    T* p_ = nullptr;
    size_t n_ = 0;
};

struct Rng {
    uint64_t s;
    explicit Rng(uint64_t seed) : s(seed * 0x9E3779B97F4A7C15ull + 0x1234567ull) {}
    uint64_t u64()
    {
        uint64_t z = (s += 0x9E3779B97F4A7C15ull);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
        return z ^ (z >> 31);
    }
    uint32_t u32() { return static_cast<uint32_t>(u64() >> 32); }
    double real() { return static_cast<double>(u64() >> 11) * (1.0 / 9007199254740992.0); }
    float uniform(float lo, float hi) { return lo + (hi - lo) * static_cast<float>(real()); }
    int below(int n) { return static_cast<int>((static_cast<uint64_t>(u32()) * static_cast<uint64_t>(n)) >> 32); }
    // Cheap approximately normal deviate (sum of 16-bit uniforms).
    float gauss()
    {
        uint64_t a = u64();
        float t = static_cast<float>(a & 0xffff) + static_cast<float>((a >> 16) & 0xffff) +
                  static_cast<float>((a >> 32) & 0xffff) + static_cast<float>(a >> 48);
        return (t - 131070.0f) * (1.0f / 37837.0f);
    }
    // Zipf-like (exponent 1) rank in [0, n).
    int zipf(int n)
    {
        int r = static_cast<int>(std::exp(real() * std::log(static_cast<double>(n) + 1.0))) - 1;
        return std::min(std::max(r, 0), n - 1);
    }
};

static inline int div_up(int a, int b) { return (a + b - 1) / b; }

// Bijective 32-bit finaliser, used by the hash tables on both sides.
__host__ __device__ __forceinline__ uint32_t mix32(uint32_t h)
{
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    h ^= h >> 16;
    return h;
}

__device__ __forceinline__ float warp_sum(float v)
{
    for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(0xffffffffu, v, o);
    return v;
}

__device__ __forceinline__ double warp_sum(double v)
{
    for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(0xffffffffu, v, o);
    return v;
}

__device__ __forceinline__ float warp_max(float v)
{
    for (int o = 16; o > 0; o >>= 1) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, o));
    return v;
}

// ---------------------------------------------------------------------------
// 1. CSR SpMV, one warp per row, FP64, power-law row lengths
// ---------------------------------------------------------------------------

__global__ void csr_vector_spmv_fp64(int nrows, const int* __restrict__ rowptr,
                                     const int* __restrict__ col,
                                     const double* __restrict__ val,
                                     const double* __restrict__ x, double* __restrict__ y)
{
    const int lane = threadIdx.x & 31;
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    const int nwarps = (gridDim.x * blockDim.x) >> 5;
    for (int r = warp; r < nrows; r += nwarps) {
        const int beg = rowptr[r];
        const int end = rowptr[r + 1];
        double acc = 0.0;
        for (int k = beg + lane; k < end; k += 32) acc += val[k] * __ldg(x + col[k]);
        acc = warp_sum(acc);
        if (lane == 0) y[r] = acc;
    }
}

static void run_csr_vector_spmv_fp64()
{
    const int n = 80000;
    Rng rng(101);
    std::vector<int> rowptr(n + 1, 0), col;
    std::vector<double> val;
    for (int r = 0; r < n; ++r) {
        int len = static_cast<int>(5.0 * std::pow(rng.real() + 1e-9, -0.6));
        len = std::min(len, 3000);
        for (int k = 0; k < len; ++k) {
            int c = (k & 3) ? r + rng.below(512) - 256 : rng.zipf(n);
            c = std::min(std::max(c, 0), n - 1);
            col.push_back(c);
            val.push_back(rng.uniform(-1.f, 1.f));
        }
        rowptr[r + 1] = static_cast<int>(col.size());
    }
    for (int r = 0; r < n; ++r) std::sort(col.begin() + rowptr[r], col.begin() + rowptr[r + 1]);
    std::vector<double> x(n);
    for (auto& v : x) v = rng.uniform(-2.f, 2.f);

    DevArray<int> d_rowptr(rowptr), d_col(col);
    DevArray<double> d_val(val), d_x(x), d_y(n);
    for (int it = 0; it < kRepeats; ++it)
        csr_vector_spmv_fp64<<<1056, 256>>>(n, d_rowptr.get(), d_col.get(), d_val.get(),
                                            d_x.get(), d_y.get());
    finish_launches();

    std::vector<double> y = d_y.host();
    bool ok = true;
    for (int r = 0; r < n; ++r) {
        double s = 0, mag = 0;
        for (int k = rowptr[r]; k < rowptr[r + 1]; ++k) {
            double t = val[k] * x[col[k]];
            s += t;
            mag += std::fabs(t);
        }
        if (!(std::fabs(s - y[r]) <= 1e-12 * mag + 1e-14)) ok = false;
    }
    report("csr_vector_spmv_fp64", ok);
}

// ---------------------------------------------------------------------------
// 2. SELL-32-sigma SpMV, FP32, one thread per row, slices column-major
// ---------------------------------------------------------------------------

__global__ void sell32_sigma_spmv(int nrows, const int* __restrict__ slice_ptr,
                                  const int* __restrict__ col, const float* __restrict__ val,
                                  const int* __restrict__ perm, const float* __restrict__ x,
                                  float* __restrict__ y)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= nrows) return;
    const int slice = row >> 5;
    const int lane = row & 31;
    const int beg = slice_ptr[slice];
    const int end = slice_ptr[slice + 1];
    float acc = 0.f;
#pragma unroll 4
    for (int k = beg + lane; k < end; k += 32) {
        const int c = col[k];
        if (c >= 0) acc = fmaf(val[k], x[c], acc);
    }
    y[perm[row]] = acc;
}

static void run_sell32_sigma_spmv()
{
    const int n = 65536, sigma = 256;
    Rng rng(102);
    std::vector<int> len(n);
    std::vector<std::vector<int>> cols(n);
    std::vector<std::vector<float>> vals(n);
    for (int r = 0; r < n; ++r) {
        len[r] = 8 + rng.below(20) + (rng.below(16) == 0 ? 30 : 0);
        cols[r].resize(len[r]);
        vals[r].resize(len[r]);
        for (int k = 0; k < len[r]; ++k) {
            int c = r + (k - len[r] / 2) * 37 + rng.below(16);
            cols[r][k] = (c % n + n) % n;
            vals[r][k] = rng.uniform(-1.f, 1.f);
        }
    }
    std::vector<int> perm(n);
    std::iota(perm.begin(), perm.end(), 0);
    for (int w = 0; w < n; w += sigma)
        std::stable_sort(perm.begin() + w, perm.begin() + w + sigma,
                         [&](int a, int b) { return len[a] > len[b]; });
    std::vector<int> slice_ptr(n / 32 + 1, 0);
    for (int s = 0; s < n / 32; ++s) {
        int width = 0;
        for (int l = 0; l < 32; ++l) width = std::max(width, len[perm[s * 32 + l]]);
        slice_ptr[s + 1] = slice_ptr[s] + width * 32;
    }
    std::vector<int> scol(slice_ptr.back(), -1);
    std::vector<float> sval(slice_ptr.back(), 0.f);
    for (int i = 0; i < n; ++i) {
        int r = perm[i];
        for (int k = 0; k < len[r]; ++k) {
            scol[slice_ptr[i / 32] + k * 32 + i % 32] = cols[r][k];
            sval[slice_ptr[i / 32] + k * 32 + i % 32] = vals[r][k];
        }
    }
    std::vector<float> x(n);
    for (auto& v : x) v = rng.uniform(-1.f, 1.f);

    DevArray<int> d_sp(slice_ptr), d_col(scol), d_perm(perm);
    DevArray<float> d_val(sval), d_x(x), d_y(n);
    for (int it = 0; it < kRepeats; ++it)
        sell32_sigma_spmv<<<div_up(n, 128), 128>>>(n, d_sp.get(), d_col.get(), d_val.get(),
                                                   d_perm.get(), d_x.get(), d_y.get());
    finish_launches();

    std::vector<float> y = d_y.host();
    bool ok = true;
    for (int r = 0; r < n; ++r) {
        double s = 0, mag = 0;
        for (int k = 0; k < len[r]; ++k) {
            double t = static_cast<double>(vals[r][k]) * x[cols[r][k]];
            s += t;
            mag += std::fabs(t);
        }
        if (!(std::fabs(s - y[r]) <= 1e-5 * mag + 1e-7)) ok = false;
    }
    report("sell32_sigma_spmv", ok);
}

// ---------------------------------------------------------------------------
// 3. Triangle counting on a degree-oriented R-MAT graph, one warp per edge
// ---------------------------------------------------------------------------

__global__ void triangle_count_edge_warp(int nedges, const int* __restrict__ esrc,
                                         const int* __restrict__ edst,
                                         const int* __restrict__ rowptr,
                                         const int* __restrict__ adj,
                                         unsigned long long* __restrict__ total)
{
    __shared__ unsigned block_found;
    if (threadIdx.x == 0) block_found = 0;
    __syncthreads();

    const int lane = threadIdx.x & 31;
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    const int nwarps = (gridDim.x * blockDim.x) >> 5;
    unsigned found = 0;
    for (int e = warp; e < nedges; e += nwarps) {
        const int u = esrc[e];
        const int v = edst[e];
        int sb = rowptr[u], se = rowptr[u + 1];
        int lb = rowptr[v], le = rowptr[v + 1];
        if (se - sb > le - lb) {
            int t = sb; sb = lb; lb = t;
            t = se; se = le; le = t;
        }
        for (int i = sb + lane; i < se; i += 32) {
            const int key = adj[i];
            int lo = lb, hi = le;
            while (lo < hi) {
                const int mid = (lo + hi) >> 1;
                if (adj[mid] < key) lo = mid + 1;
                else hi = mid;
            }
            found += (lo < le && adj[lo] == key);
        }
    }
    found = __reduce_add_sync(0xffffffffu, found);
    if (lane == 0 && found) atomicAdd(&block_found, found);
    __syncthreads();
    if (threadIdx.x == 0 && block_found)
        atomicAdd(total, static_cast<unsigned long long>(block_found));
}

static void run_triangle_count_edge_warp()
{
    const int scale = 15, nv = 1 << scale, samples = nv * 12;
    Rng rng(103);
    std::vector<uint64_t> und;
    und.reserve(samples);
    for (int i = 0; i < samples; ++i) {
        uint32_t u = 0, v = 0;
        for (int b = 0; b < scale; ++b) {
            double r = rng.real();
            u = u * 2 + (r >= 0.76);                              // a+b = 0.57+0.19
            v = v * 2 + ((r >= 0.57 && r < 0.76) || r >= 0.95);
        }
        if (u == v) continue;
        if (u > v) std::swap(u, v);
        und.push_back((static_cast<uint64_t>(u) << 32) | v);
    }
    std::sort(und.begin(), und.end());
    und.erase(std::unique(und.begin(), und.end()), und.end());
    std::vector<int> deg(nv, 0);
    for (uint64_t e : und) {
        ++deg[e >> 32];
        ++deg[e & 0xffffffffu];
    }
    std::vector<uint64_t> dir;
    dir.reserve(und.size());
    for (uint64_t e : und) {
        uint32_t u = static_cast<uint32_t>(e >> 32), v = static_cast<uint32_t>(e);
        if (deg[u] > deg[v] || (deg[u] == deg[v] && u > v)) std::swap(u, v);
        dir.push_back((static_cast<uint64_t>(u) << 32) | v);
    }
    std::sort(dir.begin(), dir.end());
    const int ne = static_cast<int>(dir.size());
    std::vector<int> esrc(ne), edst(ne), rowptr(nv + 1, 0);
    for (int e = 0; e < ne; ++e) {
        esrc[e] = static_cast<int>(dir[e] >> 32);
        edst[e] = static_cast<int>(dir[e] & 0xffffffffu);
        ++rowptr[esrc[e] + 1];
    }
    for (int v = 0; v < nv; ++v) rowptr[v + 1] += rowptr[v];

    DevArray<int> d_src(esrc), d_dst(edst), d_row(rowptr);
    DevArray<unsigned long long> d_total(1);
    for (int it = 0; it < kRepeats; ++it) {
        d_total.fill_bytes(0);
        // edst sorted by (src, dst) doubles as the adjacency array
        triangle_count_edge_warp<<<1056, 256>>>(ne, d_src.get(), d_dst.get(), d_row.get(),
                                                d_dst.get(), d_total.get());
    }
    finish_launches();

    unsigned long long ref = 0;
    for (int e = 0; e < ne; ++e) {
        int i = rowptr[esrc[e]], ie = rowptr[esrc[e] + 1];
        int j = rowptr[edst[e]], je = rowptr[edst[e] + 1];
        while (i < ie && j < je) {
            if (edst[i] < edst[j]) ++i;
            else if (edst[i] > edst[j]) ++j;
            else { ++ref; ++i; ++j; }
        }
    }
    report("triangle_count_edge_warp", d_total.host()[0] == ref && ref > 0);
}

// ---------------------------------------------------------------------------
// 4. Byte histogram, per-warp privatised in shared memory
// ---------------------------------------------------------------------------

__global__ void byte_histogram_warp_private(const uint4* __restrict__ data, int nvec,
                                            unsigned* __restrict__ hist)
{
    __shared__ unsigned sub[8][256];
    unsigned* flat = &sub[0][0];
    for (int i = threadIdx.x; i < 8 * 256; i += blockDim.x) flat[i] = 0;
    __syncthreads();

    unsigned* mine = sub[threadIdx.x >> 5];
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < nvec; i += gridDim.x * blockDim.x) {
        const uint4 v = data[i];
        const unsigned w[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            atomicAdd(mine + (w[k] & 255u), 1u);
            atomicAdd(mine + ((w[k] >> 8) & 255u), 1u);
            atomicAdd(mine + ((w[k] >> 16) & 255u), 1u);
            atomicAdd(mine + (w[k] >> 24), 1u);
        }
    }
    __syncthreads();
    unsigned sum = 0;
#pragma unroll
    for (int w = 0; w < 8; ++w) sum += sub[w][threadIdx.x];
    if (sum) atomicAdd(hist + threadIdx.x, sum);
}

static void run_byte_histogram_warp_private()
{
    const int bytes = 12 << 20;
    Rng rng(104);
    static const char freq[] = "      eeeeeetttttaaaaooooiiiinnnnsssshhhrrrddlllucmwfgypbvk,.\nETAS0123";
    const int nf = static_cast<int>(sizeof(freq)) - 1;
    std::vector<uint4> data(bytes / 16);
    unsigned char* p = reinterpret_cast<unsigned char*>(data.data());
    for (int i = 0; i < bytes; i += 4) {
        uint64_t r = rng.u64();
        for (int k = 0; k < 4; ++k) {
            unsigned t = static_cast<unsigned>(r >> (16 * k)) & 0xffffu;
            p[i + k] = (t & 63u) == 0 ? static_cast<unsigned char>(t >> 8)
                                      : static_cast<unsigned char>(freq[(t >> 6) % nf]);
        }
    }

    DevArray<uint4> d_data(data);
    DevArray<unsigned> d_hist(256);
    for (int it = 0; it < kRepeats; ++it) {
        d_hist.fill_bytes(0);
        byte_histogram_warp_private<<<528, 256>>>(d_data.get(), bytes / 16, d_hist.get());
    }
    finish_launches();

    std::vector<unsigned> ref(256, 0);
    for (int i = 0; i < bytes; ++i) ++ref[p[i]];
    report("byte_histogram_warp_private", d_hist.host() == ref);
}

// ---------------------------------------------------------------------------
// 5. Cloud-in-cell charge deposition (scatter-add with float atomics)
// ---------------------------------------------------------------------------

__global__ void cic_charge_deposit(const float4* __restrict__ part, int np,
                                   float* __restrict__ rho, int ng)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= np) return;
    const float4 p = part[i];
    const int ix = static_cast<int>(p.x), iy = static_cast<int>(p.y), iz = static_cast<int>(p.z);
    const float fx = p.x - ix, fy = p.y - iy, fz = p.z - iz;
    const int jx = ix + 1 == ng ? 0 : ix + 1;
    const int jy = iy + 1 == ng ? 0 : iy + 1;
    const int jz = iz + 1 == ng ? 0 : iz + 1;
    const float gx = 1.f - fx, gy = 1.f - fy, gz = (1.f - fz) * p.w, hz = fz * p.w;
    atomicAdd(rho + (iz * ng + iy) * ng + ix, gx * gy * gz);
    atomicAdd(rho + (iz * ng + iy) * ng + jx, fx * gy * gz);
    atomicAdd(rho + (iz * ng + jy) * ng + ix, gx * fy * gz);
    atomicAdd(rho + (iz * ng + jy) * ng + jx, fx * fy * gz);
    atomicAdd(rho + (jz * ng + iy) * ng + ix, gx * gy * hz);
    atomicAdd(rho + (jz * ng + iy) * ng + jx, fx * gy * hz);
    atomicAdd(rho + (jz * ng + jy) * ng + ix, gx * fy * hz);
    atomicAdd(rho + (jz * ng + jy) * ng + jx, fx * fy * hz);
}

static void run_cic_charge_deposit()
{
    const int np = 750000, ng = 64;
    Rng rng(105);
    const float cx[4] = {12.f, 40.f, 55.f, 30.f}, cy[4] = {20.f, 50.f, 10.f, 33.f},
                cz[4] = {50.f, 8.f, 25.f, 31.f}, sd[4] = {2.f, 4.f, 1.5f, 8.f};
    std::vector<float4> part(np);
    auto wrap = [&](float v) {
        while (v < 0.f) v += static_cast<float>(ng);
        while (v >= static_cast<float>(ng)) v -= static_cast<float>(ng);
        return v;
    };
    for (auto& p : part) {
        int c = rng.below(8);
        if (c < 4) {
            p.x = wrap(cx[c] + sd[c] * rng.gauss());
            p.y = wrap(cy[c] + sd[c] * rng.gauss());
            p.z = wrap(cz[c] + sd[c] * rng.gauss());
        } else {
            p.x = wrap(rng.uniform(0.f, 64.f));
            p.y = wrap(rng.uniform(0.f, 64.f));
            p.z = wrap(rng.uniform(0.f, 64.f));
        }
        p.w = rng.uniform(0.5f, 1.5f);
    }

    DevArray<float4> d_part(part);
    DevArray<float> d_rho(static_cast<size_t>(ng) * ng * ng);
    for (int it = 0; it < kRepeats; ++it) {
        d_rho.fill_bytes(0);
        cic_charge_deposit<<<div_up(np, 256), 256>>>(d_part.get(), np, d_rho.get(), ng);
    }
    finish_launches();

    std::vector<double> ref(static_cast<size_t>(ng) * ng * ng, 0.0);
    for (const auto& p : part) {
        int b[3] = {static_cast<int>(p.x), static_cast<int>(p.y), static_cast<int>(p.z)};
        double f[3] = {p.x - b[0], p.y - b[1], p.z - b[2]};
        for (int c = 0; c < 8; ++c) {
            int x = (b[0] + (c & 1)) % ng, y = (b[1] + ((c >> 1) & 1)) % ng, z = (b[2] + (c >> 2)) % ng;
            double w = ((c & 1) ? f[0] : 1 - f[0]) * ((c & 2) ? f[1] : 1 - f[1]) *
                       ((c & 4) ? f[2] : 1 - f[2]);
            ref[(static_cast<size_t>(z) * ng + y) * ng + x] += w * p.w;
        }
    }
    std::vector<float> rho = d_rho.host();
    bool ok = true;
    for (size_t i = 0; i < ref.size(); ++i)
        if (!(std::fabs(rho[i] - ref[i]) <= 2e-4 * ref[i] + 1e-4)) ok = false;
    report("cic_charge_deposit", ok);
}

// ---------------------------------------------------------------------------
// 6. Stream compaction (column filter) with a warp-aggregated global counter
// ---------------------------------------------------------------------------

__global__ void filter_compact_warp_aggregated(const float* __restrict__ in, int n, float lo,
                                               float hi, int* __restrict__ out_idx,
                                               float* __restrict__ out_val,
                                               int* __restrict__ counter)
{
    const int lane = threadIdx.x & 31;
    const int stride = gridDim.x * blockDim.x;
    const int bound = (n + 31) & ~31;  // keep warps whole for the ballot
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < bound; i += stride) {
        const float v = i < n ? in[i] : 0.f;
        const bool keep = i < n && v >= lo && v < hi;
        const unsigned m = __ballot_sync(0xffffffffu, keep);
        if (m == 0) continue;
        int base = 0;
        if (lane == 0) base = atomicAdd(counter, __popc(m));
        base = __shfl_sync(0xffffffffu, base, 0);
        if (keep) {
            const int pos = base + __popc(m & ((1u << lane) - 1u));
            out_idx[pos] = i;
            out_val[pos] = v;
        }
    }
}

static void run_filter_compact_warp_aggregated()
{
    const int n = 4000003;
    const float lo = 42.f, hi = 64.f;
    Rng rng(106);
    std::vector<float> in(n);
    float level = 30.f;
    for (int i = 0; i < n; ++i) {  // bursty sensor trace: matches are clustered
        if ((i & 1023) == 0) level = 25.f + 30.f * static_cast<float>(rng.real() * rng.real());
        in[i] = level + 4.f * rng.gauss();
    }
    int expect = 0;
    for (float v : in) expect += v >= lo && v < hi;

    DevArray<float> d_in(in), d_val(n);
    DevArray<int> d_idx(n), d_cnt(1);
    for (int it = 0; it < kRepeats; ++it) {
        d_cnt.fill_bytes(0);
        filter_compact_warp_aggregated<<<1056, 256>>>(d_in.get(), n, lo, hi, d_idx.get(),
                                                      d_val.get(), d_cnt.get());
    }
    finish_launches();

    bool ok = d_cnt.host()[0] == expect;
    if (ok) {
        std::vector<int> idx = d_idx.host();
        std::vector<float> val = d_val.host();
        std::vector<char> seen(n, 0);
        for (int k = 0; k < expect && ok; ++k) {
            int i = idx[k];
            if (i < 0 || i >= n || seen[i] || !(in[i] >= lo && in[i] < hi) || val[k] != in[i]) ok = false;
            else seen[i] = 1;
        }
    }
    report("filter_compact_warp_aggregated", ok);
}

// ---------------------------------------------------------------------------
// 7. GROUP BY aggregation: open-addressing hash build with atomicCAS
// ---------------------------------------------------------------------------

static const uint32_t kEmptyKey = 0xffffffffu;

__global__ void groupby_hash_build_cas(const uint32_t* __restrict__ keys,
                                       const uint32_t* __restrict__ amount, int n,
                                       uint32_t* table_key, uint32_t* table_count,
                                       unsigned long long* table_sum, uint32_t mask)
{
    const uint32_t empty = 0xffffffffu;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const uint32_t key = keys[i];
    uint32_t slot = (key * 0x9E3779B1u >> 7) & mask;
    while (true) {
        uint32_t cur = *reinterpret_cast<volatile uint32_t*>(table_key + slot);
        if (cur == empty) cur = atomicCAS(table_key + slot, empty, key);
        if (cur == empty || cur == key) break;
        slot = (slot + 1) & mask;
    }
    atomicAdd(table_count + slot, 1u);
    atomicAdd(table_sum + slot, static_cast<unsigned long long>(amount[i]));
}

static void run_groupby_hash_build_cas()
{
    const int n = 1000000, groups = 150000;
    const uint32_t cap = 1u << 19;
    Rng rng(107);
    std::vector<uint32_t> keys(n), amount(n);
    std::vector<uint32_t> cnt(groups, 0);
    std::vector<unsigned long long> sum(groups, 0);
    for (int i = 0; i < n; ++i) {
        int g = rng.zipf(groups);
        keys[i] = mix32(static_cast<uint32_t>(g) + 77u);
        amount[i] = rng.u32() >> 12;
        ++cnt[g];
        sum[g] += amount[i];
    }

    DevArray<uint32_t> d_keys(keys), d_amount(amount), d_tkey(cap), d_tcnt(cap);
    DevArray<unsigned long long> d_tsum(cap);
    for (int it = 0; it < kRepeats; ++it) {
        d_tkey.fill_bytes(0xff);
        d_tcnt.fill_bytes(0);
        d_tsum.fill_bytes(0);
        groupby_hash_build_cas<<<div_up(n, 256), 256>>>(d_keys.get(), d_amount.get(), n,
                                                        d_tkey.get(), d_tcnt.get(),
                                                        d_tsum.get(), cap - 1);
    }
    finish_launches();

    std::vector<std::pair<uint32_t, int>> where;
    for (int g = 0; g < groups; ++g)
        if (cnt[g]) where.emplace_back(mix32(static_cast<uint32_t>(g) + 77u), g);
    std::sort(where.begin(), where.end());
    std::vector<uint32_t> tkey = d_tkey.host(), tcnt = d_tcnt.host();
    std::vector<unsigned long long> tsum = d_tsum.host();
    std::vector<std::pair<uint32_t, uint32_t>> got;
    for (uint32_t s = 0; s < cap; ++s)
        if (tkey[s] != kEmptyKey) got.emplace_back(tkey[s], s);
    std::sort(got.begin(), got.end());
    bool ok = got.size() == where.size();
    for (size_t k = 0; ok && k < got.size(); ++k) {
        int g = where[k].second;
        uint32_t s = got[k].second;
        if (got[k].first != where[k].first || tcnt[s] != cnt[g] || tsum[s] != sum[g]) ok = false;
    }
    report("groupby_hash_build_cas", ok);
}

// ---------------------------------------------------------------------------
// 8. Join probe into an 8-way bucketised table, 8 lanes per probe
// ---------------------------------------------------------------------------

__global__ void bucket_hash_probe_tile8(const uint32_t* __restrict__ probe, int nprobe,
                                        const uint32_t* __restrict__ bucket_key,
                                        const uint32_t* __restrict__ bucket_val,
                                        uint32_t bucket_mask, uint32_t* __restrict__ out)
{
    const uint32_t empty = 0xffffffffu;
    const int sub = threadIdx.x & 7;
    const unsigned tmask = 0xffu << (threadIdx.x & 24);
    const int ntiles = (gridDim.x * blockDim.x) >> 3;
    for (int t = (blockIdx.x * blockDim.x + threadIdx.x) >> 3; t < nprobe; t += ntiles) {
        const uint32_t key = probe[t];
        uint32_t b = (key * 0x9E3779B1u >> 11) & bucket_mask;
        while (true) {
            const uint32_t k = bucket_key[b * 8 + sub];
            if (__ballot_sync(tmask, k == key)) {
                if (k == key) out[t] = bucket_val[b * 8 + sub];
                break;
            }
            if (__ballot_sync(tmask, k == empty)) {
                if (sub == 0) out[t] = 0xffffffffu;
                break;
            }
            b = (b + 1) & bucket_mask;
        }
    }
}

static void run_bucket_hash_probe_tile8()
{
    const int nbuild = 380000, nprobe = 1500000;
    const uint32_t nbucket = 1u << 16;
    Rng rng(108);
    std::vector<uint32_t> bkey(nbucket * 8, kEmptyKey), bval(nbucket * 8, 0), fill(nbucket, 0);
    std::vector<uint32_t> payload(nbuild);
    for (int i = 0; i < nbuild; ++i) {
        uint32_t key = mix32(static_cast<uint32_t>(i) + 1000u);
        payload[i] = rng.u32() >> 4;
        uint32_t b = (key * 0x9E3779B1u >> 11) & (nbucket - 1);
        while (fill[b] == 8) b = (b + 1) & (nbucket - 1);
        bkey[b * 8 + fill[b]] = key;
        bval[b * 8 + fill[b]] = payload[i];
        ++fill[b];
    }
    std::vector<uint32_t> probe(nprobe), ref(nprobe);
    for (int i = 0; i < nprobe; ++i) {
        if (rng.below(100) < 70) {
            int id = rng.below(4) ? rng.below(nbuild) : rng.zipf(nbuild);
            probe[i] = mix32(static_cast<uint32_t>(id) + 1000u);
            ref[i] = payload[id];
        } else {
            probe[i] = mix32(static_cast<uint32_t>(nbuild + rng.below(1 << 28)) + 1000u);
            ref[i] = 0xffffffffu;
        }
        if (probe[i] == kEmptyKey) { probe[i] = mix32(1000u); ref[i] = payload[0]; }
    }

    DevArray<uint32_t> d_probe(probe), d_bkey(bkey), d_bval(bval), d_out(nprobe);
    for (int it = 0; it < kRepeats; ++it)
        bucket_hash_probe_tile8<<<2112, 256>>>(d_probe.get(), nprobe, d_bkey.get(), d_bval.get(),
                                               nbucket - 1, d_out.get());
    finish_launches();
    report("bucket_hash_probe_tile8", d_out.host() == ref);
}

// ---------------------------------------------------------------------------
// 9. Tile-wise bitonic sort of key/value pairs in shared memory
// ---------------------------------------------------------------------------

__global__ void __launch_bounds__(512)
bitonic_tile_sort_pairs(const uint32_t* __restrict__ key_in, const uint32_t* __restrict__ val_in,
                        uint32_t* __restrict__ key_out, uint32_t* __restrict__ val_out)
{
    __shared__ unsigned long long s[2048];
    const size_t base = static_cast<size_t>(blockIdx.x) * 2048;
    for (int i = threadIdx.x; i < 2048; i += 512)
        s[i] = (static_cast<unsigned long long>(key_in[base + i]) << 32) | val_in[base + i];
    __syncthreads();
    for (int k = 2; k <= 2048; k <<= 1) {
        for (int j = k >> 1; j > 0; j >>= 1) {
#pragma unroll
            for (int r = 0; r < 2; ++r) {
                const int t = threadIdx.x + r * 512;
                const int a = ((t & ~(j - 1)) << 1) | (t & (j - 1));
                const int b = a | j;
                const bool up = (a & k) == 0;
                const unsigned long long x = s[a], y = s[b];
                if ((x > y) == up) {
                    s[a] = y;
                    s[b] = x;
                }
            }
            __syncthreads();
        }
    }
    for (int i = threadIdx.x; i < 2048; i += 512) {
        const unsigned long long v = s[i];
        key_out[base + i] = static_cast<uint32_t>(v >> 32);
        val_out[base + i] = static_cast<uint32_t>(v);
    }
}

static void run_bitonic_tile_sort_pairs()
{
    const int tiles = 400, n = tiles * 2048;
    Rng rng(109);
    std::vector<uint32_t> key(n), val(n);
    for (int i = 0; i < n; ++i) {
        key[i] = rng.below(3) ? rng.u32() : static_cast<uint32_t>(rng.zipf(5000));
        val[i] = static_cast<uint32_t>(i);
    }
    DevArray<uint32_t> d_k(key), d_v(val), d_ko(n), d_vo(n);
    for (int it = 0; it < kRepeats; ++it)
        bitonic_tile_sort_pairs<<<tiles, 512>>>(d_k.get(), d_v.get(), d_ko.get(), d_vo.get());
    finish_launches();

    std::vector<uint64_t> ref(n);
    for (int i = 0; i < n; ++i) ref[i] = (static_cast<uint64_t>(key[i]) << 32) | val[i];
    for (int t = 0; t < tiles; ++t)
        std::sort(ref.begin() + t * 2048, ref.begin() + (t + 1) * 2048);
    std::vector<uint32_t> ko = d_ko.host(), vo = d_vo.host();
    bool ok = true;
    for (int i = 0; i < n; ++i)
        if (((static_cast<uint64_t>(ko[i]) << 32) | vo[i]) != ref[i]) ok = false;
    report("bitonic_tile_sort_pairs", ok);
}

// ---------------------------------------------------------------------------
// 10. Single-pass exclusive scan with decoupled look-back
// ---------------------------------------------------------------------------

// state word: high half 0 = empty, 1 = tile aggregate, 2 = inclusive prefix.
__global__ void __launch_bounds__(256)
exclusive_scan_lookback(const uint32_t* __restrict__ in, uint32_t* __restrict__ out, int n,
                        unsigned long long* state, unsigned* ticket)
{
    __shared__ unsigned s_tile;
    __shared__ uint32_t s_prefix;
    __shared__ uint32_t s_warp[8];
    const int tid = threadIdx.x, lane = tid & 31, warp = tid >> 5;
    if (tid == 0) s_tile = atomicAdd(ticket, 1u);
    __syncthreads();
    const int tile = static_cast<int>(s_tile);
    const int first = tile * 4096 + tid * 16;

    uint32_t v[16];
    if (first + 16 <= n) {
        const uint4* src = reinterpret_cast<const uint4*>(in + first);
#pragma unroll
        for (int q = 0; q < 4; ++q) {
            const uint4 t = src[q];
            v[4 * q] = t.x; v[4 * q + 1] = t.y; v[4 * q + 2] = t.z; v[4 * q + 3] = t.w;
        }
    } else {
#pragma unroll
        for (int q = 0; q < 16; ++q) v[q] = first + q < n ? in[first + q] : 0u;
    }
    uint32_t sum = 0;
#pragma unroll
    for (int q = 0; q < 16; ++q) {
        const uint32_t t = v[q];
        v[q] = sum;
        sum += t;
    }
    uint32_t inc = sum;
#pragma unroll
    for (int o = 1; o < 32; o <<= 1) {
        const uint32_t t = __shfl_up_sync(0xffffffffu, inc, o);
        if (lane >= o) inc += t;
    }
    if (lane == 31) s_warp[warp] = inc;
    __syncthreads();
    uint32_t warp_base = 0, total = 0;
#pragma unroll
    for (int w = 0; w < 8; ++w) {
        if (w < warp) warp_base += s_warp[w];
        total += s_warp[w];
    }

    if (warp == 0) {
        volatile unsigned long long* st = state;
        const unsigned long long AGG = 1ull << 32, PFX = 2ull << 32;
        uint32_t excl = 0;
        if (tile == 0) {
            if (lane == 0) st[0] = PFX | total;
        } else {
            if (lane == 0) st[tile] = AGG | total;
            int look = tile - 1;
            while (true) {
                const int idx = look - lane;
                unsigned long long w = PFX;
                if (idx >= 0) {
                    do {
                        w = st[idx];
                    } while ((w >> 32) == 0);
                }
                const unsigned done = __ballot_sync(0xffffffffu, (w >> 32) == 2);
                uint32_t part = static_cast<uint32_t>(w);
                if (done && lane > __ffs(done) - 1) part = 0;
                excl += __reduce_add_sync(0xffffffffu, part);
                if (done) break;
                look -= 32;
            }
            if (lane == 0) st[tile] = PFX | static_cast<unsigned long long>(excl + total);
        }
        if (lane == 0) s_prefix = excl;
    }
    __syncthreads();

    const uint32_t base = s_prefix + warp_base + inc - sum;
    if (first + 16 <= n) {
        uint4* dst = reinterpret_cast<uint4*>(out + first);
#pragma unroll
        for (int q = 0; q < 4; ++q)
            dst[q] = make_uint4(base + v[4 * q], base + v[4 * q + 1], base + v[4 * q + 2],
                                base + v[4 * q + 3]);
    } else {
#pragma unroll
        for (int q = 0; q < 16; ++q)
            if (first + q < n) out[first + q] = base + v[q];
    }
}

static void run_exclusive_scan_lookback()
{
    const int n = 4000037, tiles = div_up(n, 4096);
    Rng rng(110);
    std::vector<uint32_t> in(n), ref(n);
    for (auto& v : in) {  // long-tailed list lengths
        uint32_t r = rng.u32();
        v = (r & 255u) == 0 ? (r >> 16) & 1023u : (r >> 8) & 7u;
    }
    uint32_t run = 0;
    for (int i = 0; i < n; ++i) {
        ref[i] = run;
        run += in[i];
    }
    DevArray<uint32_t> d_in(in), d_out(n);
    DevArray<unsigned long long> d_state(tiles);
    DevArray<unsigned> d_ticket(1);
    for (int it = 0; it < kRepeats; ++it) {
        d_state.fill_bytes(0);
        d_ticket.fill_bytes(0);
        exclusive_scan_lookback<<<tiles, 256>>>(d_in.get(), d_out.get(), n, d_state.get(),
                                                d_ticket.get());
    }
    finish_launches();
    report("exclusive_scan_lookback", d_out.host() == ref);
}

// ---------------------------------------------------------------------------
// 11. Merge-path merge of two sorted runs
// ---------------------------------------------------------------------------

__device__ __forceinline__ int merge_path_split(const uint32_t* a, int an, const uint32_t* b,
                                                int bn, int diag)
{
    int lo = diag > bn ? diag - bn : 0;
    int hi = diag < an ? diag : an;
    while (lo < hi) {
        const int mid = (lo + hi) >> 1;
        if (a[mid] <= b[diag - 1 - mid]) lo = mid + 1;
        else hi = mid;
    }
    return lo;
}

__global__ void __launch_bounds__(256)
merge_path_merge_runs(const uint32_t* __restrict__ a, int an, const uint32_t* __restrict__ b,
                      int bn, uint32_t* __restrict__ out)
{
    __shared__ uint32_t s[2048];
    __shared__ int s_split[2];
    const int tid = threadIdx.x;
    const int d0 = blockIdx.x * 2048;
    const int d1 = min(d0 + 2048, an + bn);
    if (tid < 2) s_split[tid] = merge_path_split(a, an, b, bn, tid == 0 ? d0 : d1);
    __syncthreads();
    const int a0 = s_split[0], a1 = s_split[1];
    const int b0 = d0 - a0, b1 = d1 - a1;
    const int na = a1 - a0, nb = b1 - b0, total = na + nb;
    for (int i = tid; i < total; i += 256) s[i] = i < na ? a[a0 + i] : b[b0 + i - na];
    __syncthreads();

    const int diag = min(tid * 8, total);
    int i = merge_path_split(s, na, s + na, nb, diag);
    int j = diag - i;
    uint32_t r[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        uint32_t v = 0;
        if (i < na && (j >= nb || s[i] <= s[na + j])) v = s[i++];
        else if (j < nb) v = s[na + j++];
        r[k] = v;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; ++k)
        if (diag + k < total) s[diag + k] = r[k];
    __syncthreads();
    for (int q = tid; q < total; q += 256) out[d0 + q] = s[q];
}

static void run_merge_path_merge_runs()
{
    const int an = 1200001, bn = 2300010;
    Rng rng(111);
    std::vector<uint32_t> a(an), b(bn), ref(an + bn);
    uint32_t t = 0;
    for (int i = 0; i < an; ++i) {  // two regimes: dense, then sparse
        t += i < an / 2 ? static_cast<uint32_t>(rng.below(3)) : static_cast<uint32_t>(rng.below(2000));
        a[i] = t;
    }
    t = 500;
    for (int i = 0; i < bn; ++i) {
        t += static_cast<uint32_t>(rng.below(500));
        b[i] = t;
    }
    std::merge(a.begin(), a.end(), b.begin(), b.end(), ref.begin());
    DevArray<uint32_t> d_a(a), d_b(b), d_out(an + bn);
    for (int it = 0; it < kRepeats; ++it)
        merge_path_merge_runs<<<div_up(an + bn, 2048), 256>>>(d_a.get(), an, d_b.get(), bn,
                                                              d_out.get());
    finish_launches();
    report("merge_path_merge_runs", d_out.host() == ref);
}

// ---------------------------------------------------------------------------
// 12. LayerNorm with affine, one block per row of 768
// ---------------------------------------------------------------------------

__global__ void __launch_bounds__(192)
layernorm_affine_768(const float4* __restrict__ x, const float4* __restrict__ gamma,
                     const float4* __restrict__ beta, float4* __restrict__ y, float eps)
{
    __shared__ float red[2][6];
    const int tid = threadIdx.x, lane = tid & 31, warp = tid >> 5;
    const size_t off = static_cast<size_t>(blockIdx.x) * 192 + tid;
    const float4 v = x[off];

    float s = warp_sum(v.x + v.y + v.z + v.w);
    if (lane == 0) red[0][warp] = s;
    __syncthreads();
    s = 0.f;
#pragma unroll
    for (int w = 0; w < 6; ++w) s += red[0][w];
    const float mean = s * (1.f / 768.f);

    const float dx = v.x - mean, dy = v.y - mean, dz = v.z - mean, dw = v.w - mean;
    float q = warp_sum(dx * dx + dy * dy + dz * dz + dw * dw);
    if (lane == 0) red[1][warp] = q;
    __syncthreads();
    q = 0.f;
#pragma unroll
    for (int w = 0; w < 6; ++w) q += red[1][w];
    const float rstd = rsqrtf(q * (1.f / 768.f) + eps);

    const float4 g = gamma[tid], b = beta[tid];
    y[off] = make_float4(fmaf(dx * rstd, g.x, b.x), fmaf(dy * rstd, g.y, b.y),
                         fmaf(dz * rstd, g.z, b.z), fmaf(dw * rstd, g.w, b.w));
}

static void run_layernorm_affine_768()
{
    const int rows = 5000, d = 768;
    const float eps = 1e-5f;
    Rng rng(112);
    std::vector<float4> x(static_cast<size_t>(rows) * d / 4), g(d / 4), b(d / 4);
    float* xf = reinterpret_cast<float*>(x.data());
    float* gf = reinterpret_cast<float*>(g.data());
    float* bf = reinterpret_cast<float*>(b.data());
    for (int r = 0; r < rows; ++r) {
        float scale = rng.uniform(0.2f, 3.f), shift = rng.uniform(-1.f, 1.f);
        for (int c = 0; c < d; ++c)
            xf[static_cast<size_t>(r) * d + c] = shift + scale * rng.gauss() + (c == 137 ? 20.f : 0.f);
    }
    for (int c = 0; c < d; ++c) {
        gf[c] = rng.uniform(0.5f, 1.5f);
        bf[c] = rng.uniform(-0.5f, 0.5f);
    }
    DevArray<float4> d_x(x), d_g(g), d_b(b), d_y(x.size());
    for (int it = 0; it < kRepeats; ++it)
        layernorm_affine_768<<<rows, 192>>>(d_x.get(), d_g.get(), d_b.get(), d_y.get(), eps);
    finish_launches();

    std::vector<float4> y = d_y.host();
    const float* yf = reinterpret_cast<const float*>(y.data());
    bool ok = true;
    for (int r = 0; r < rows; ++r) {
        const float* row = xf + static_cast<size_t>(r) * d;
        double m = 0, var = 0;
        for (int c = 0; c < d; ++c) m += row[c];
        m /= d;
        for (int c = 0; c < d; ++c) var += (row[c] - m) * (row[c] - m);
        double rs = 1.0 / std::sqrt(var / d + eps);
        for (int c = 0; c < d; ++c) {
            double ref = (row[c] - m) * rs * gf[c] + bf[c];
            if (!(std::fabs(ref - yf[static_cast<size_t>(r) * d + c]) <= 1e-4)) ok = false;
        }
    }
    report("layernorm_affine_768", ok);
}

// ---------------------------------------------------------------------------
// 13. Online softmax over FP16 logits, one warp per row
// ---------------------------------------------------------------------------

__global__ void online_softmax_half_warp(const __half2* __restrict__ logits, int rows, int half_cols,
                                         float2* __restrict__ prob)
{
    const int lane = threadIdx.x & 31;
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    if (row >= rows) return;
    const __half2* src = logits + static_cast<size_t>(row) * half_cols;
    float m = -FLT_MAX, s = 0.f;
    for (int c = lane; c < half_cols; c += 32) {
        const float2 f = __half22float2(src[c]);
        const float mn = fmaxf(m, fmaxf(f.x, f.y));
        s = s * __expf(m - mn) + __expf(f.x - mn) + __expf(f.y - mn);
        m = mn;
    }
    const float gm = warp_max(m);
    s = warp_sum(s * __expf(m - gm));
    const float inv = 1.f / s;
    float2* dst = prob + static_cast<size_t>(row) * half_cols;
    for (int c = lane; c < half_cols; c += 32) {
        const float2 f = __half22float2(src[c]);
        dst[c] = make_float2(__expf(f.x - gm) * inv, __expf(f.y - gm) * inv);
    }
}

static void run_online_softmax_half_warp()
{
    const int rows = 4000, cols = 1000;
    Rng rng(113);
    std::vector<__half2> x(static_cast<size_t>(rows) * cols / 2);
    std::vector<float> xf(static_cast<size_t>(rows) * cols);
    for (int r = 0; r < rows; ++r) {
        int top = rng.below(cols);
        for (int c = 0; c < cols; c += 2) {
            size_t i = static_cast<size_t>(r) * cols + c;
            __half lo = __float2half(2.f * rng.gauss() + (c == top ? 9.f : 0.f));
            __half hi = __float2half(2.f * rng.gauss() + (c + 1 == top ? 9.f : 0.f));
            xf[i] = __half2float(lo);
            xf[i + 1] = __half2float(hi);
            x[i / 2] = __halves2half2(lo, hi);
        }
    }
    DevArray<__half2> d_x(x);
    DevArray<float2> d_p(x.size());
    for (int it = 0; it < kRepeats; ++it)
        online_softmax_half_warp<<<div_up(rows, 8), 256>>>(d_x.get(), rows, cols / 2, d_p.get());
    finish_launches();

    std::vector<float2> p = d_p.host();
    const float* pf = reinterpret_cast<const float*>(p.data());
    bool ok = true;
    std::vector<float> e(cols);
    for (int r = 0; r < rows; ++r) {
        const float* row = xf.data() + static_cast<size_t>(r) * cols;
        float m = *std::max_element(row, row + cols);
        double s = 0;
        for (int c = 0; c < cols; ++c) {
            e[c] = std::exp(row[c] - m);
            s += e[c];
        }
        for (int c = 0; c < cols; ++c) {
            double ref = e[c] / s;
            if (!(std::fabs(ref - pf[static_cast<size_t>(r) * cols + c]) <= 1e-4 * ref + 1e-9)) ok = false;
        }
    }
    report("online_softmax_half_warp", ok);
}

// ---------------------------------------------------------------------------
// 14. Residual norms (L1, L2^2, Linf) in one launch; last block finishes
// ---------------------------------------------------------------------------

__global__ void __launch_bounds__(256)
residual_norms_last_block(const float4* __restrict__ b, const float4* __restrict__ ax, int nvec,
                          double* partial, unsigned* arrived, double* __restrict__ result)
{
    __shared__ double red[3][8];
    __shared__ bool last;
    const int tid = threadIdx.x, lane = tid & 31, warp = tid >> 5;
    double l1 = 0.0, l2 = 0.0;
    float mx = 0.f;
    for (int i = blockIdx.x * 256 + tid; i < nvec; i += gridDim.x * 256) {
        const float4 p = b[i], q = ax[i];
        const float r0 = p.x - q.x, r1 = p.y - q.y, r2 = p.z - q.z, r3 = p.w - q.w;
        l1 += static_cast<double>((fabsf(r0) + fabsf(r1)) + (fabsf(r2) + fabsf(r3)));
        l2 += static_cast<double>((r0 * r0 + r1 * r1) + (r2 * r2 + r3 * r3));
        mx = fmaxf(mx, fmaxf(fmaxf(fabsf(r0), fabsf(r1)), fmaxf(fabsf(r2), fabsf(r3))));
    }
    l1 = warp_sum(l1);
    l2 = warp_sum(l2);
    mx = warp_max(mx);
    if (lane == 0) {
        red[0][warp] = l1;
        red[1][warp] = l2;
        red[2][warp] = mx;
    }
    __syncthreads();
    if (tid == 0) {
        for (int w = 1; w < 8; ++w) {
            l1 += red[0][w];
            l2 += red[1][w];
            mx = fmaxf(mx, static_cast<float>(red[2][w]));
        }
        partial[blockIdx.x] = l1;
        partial[gridDim.x + blockIdx.x] = l2;
        partial[2 * gridDim.x + blockIdx.x] = mx;
        __threadfence();
        last = atomicInc(arrived, gridDim.x - 1) == gridDim.x - 1;  // wraps back to zero
    }
    __syncthreads();
    if (!last) return;

    __threadfence();
    const volatile double* vp = partial;
    l1 = 0.0;
    l2 = 0.0;
    mx = 0.f;
    for (int i = tid; i < static_cast<int>(gridDim.x); i += 256) {
        l1 += vp[i];
        l2 += vp[gridDim.x + i];
        mx = fmaxf(mx, static_cast<float>(vp[2 * gridDim.x + i]));
    }
    l1 = warp_sum(l1);
    l2 = warp_sum(l2);
    mx = warp_max(mx);
    if (lane == 0) {
        red[0][warp] = l1;
        red[1][warp] = l2;
        red[2][warp] = mx;
    }
    __syncthreads();
    if (tid == 0) {
        for (int w = 1; w < 8; ++w) {
            l1 += red[0][w];
            l2 += red[1][w];
            mx = fmaxf(mx, static_cast<float>(red[2][w]));
        }
        result[0] = l1;
        result[1] = l2;
        result[2] = mx;
    }
}

static void run_residual_norms_last_block()
{
    const int n = 3 << 20, blocks = 396;
    Rng rng(114);
    std::vector<float4> b(n / 4), ax(n / 4);
    float* bf = reinterpret_cast<float*>(b.data());
    float* af = reinterpret_cast<float*>(ax.data());
    for (int i = 0; i < n; ++i) {
        bf[i] = rng.uniform(-1.f, 1.f);
        af[i] = bf[i] + 1e-3f * rng.gauss() * ((i & 0xffff) == 77 ? 50.f : 1.f);
    }
    DevArray<float4> d_b(b), d_a(ax);
    DevArray<double> d_part(3 * blocks), d_res(3);
    DevArray<unsigned> d_arrived(1);
    d_arrived.fill_bytes(0);
    for (int it = 0; it < kRepeats; ++it)
        residual_norms_last_block<<<blocks, 256>>>(d_b.get(), d_a.get(), n / 4, d_part.get(),
                                                   d_arrived.get(), d_res.get());
    finish_launches();

    double l1 = 0, l2 = 0;
    float mx = 0;
    for (int i = 0; i < n; ++i) {
        float r = bf[i] - af[i];
        l1 += std::fabs(r);
        l2 += static_cast<double>(r) * r;
        mx = std::max(mx, std::fabs(r));
    }
    std::vector<double> res = d_res.host();
    bool ok = std::fabs(res[0] - l1) <= 1e-6 * l1 && std::fabs(res[1] - l2) <= 1e-6 * l2 &&
              res[2] == static_cast<double>(mx);
    report("residual_norms_last_block", ok);
}

// ---------------------------------------------------------------------------
// 15. FP64 7-point heat equation, 2.5D blocking with shared plane
// ---------------------------------------------------------------------------

__global__ void __launch_bounds__(256)
heat7pt_fp64_zmarch(const double* __restrict__ u, double* __restrict__ v, int nx, int ny, int nz,
                    int zchunk, double lam)
{
    __shared__ double s[10][34];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int ix = blockIdx.x * 32 + tx, iy = blockIdx.y * 8 + ty;
    const int k0 = blockIdx.z * zchunk, k1 = min(k0 + zchunk, nz);
    const size_t plane = static_cast<size_t>(nx) * ny;
    size_t idx = k0 * plane + static_cast<size_t>(iy) * nx + ix;

    double below = k0 > 0 ? u[idx - plane] : 0.0;
    double cur = u[idx];
    for (int k = k0; k < k1; ++k, idx += plane) {
        const double above = k + 1 < nz ? u[idx + plane] : 0.0;
        __syncthreads();
        s[ty + 1][tx + 1] = cur;
        if (tx == 0 && ix > 0) s[ty + 1][0] = u[idx - 1];
        if (tx == 31 && ix + 1 < nx) s[ty + 1][33] = u[idx + 1];
        if (ty == 0 && iy > 0) s[0][tx + 1] = u[idx - nx];
        if (ty == 7 && iy + 1 < ny) s[9][tx + 1] = u[idx + nx];
        __syncthreads();
        double r = cur;
        if (ix > 0 && ix < nx - 1 && iy > 0 && iy < ny - 1 && k > 0 && k < nz - 1) {
            const double lap = s[ty + 1][tx] + s[ty + 1][tx + 2] + s[ty][tx + 1] +
                               s[ty + 2][tx + 1] + below + above - 6.0 * cur;
            r = cur + lam * lap;
        }
        v[idx] = r;
        below = cur;
        cur = above;
    }
}

static void run_heat7pt_fp64_zmarch()
{
    const int nx = 128, ny = 120, nz = 113, zchunk = 15;
    const double lam = 0.12;
    Rng rng(115);
    std::vector<double> u(static_cast<size_t>(nx) * ny * nz);
    for (int k = 0; k < nz; ++k)
        for (int j = 0; j < ny; ++j)
            for (int i = 0; i < nx; ++i)
                u[(static_cast<size_t>(k) * ny + j) * nx + i] =
                    300.0 + 0.5 * i - 0.25 * j + 0.125 * k + rng.uniform(-1.f, 1.f);
    DevArray<double> d_u(u), d_v(u.size());
    dim3 grid(nx / 32, ny / 8, div_up(nz, zchunk)), block(32, 8);
    for (int it = 0; it < kRepeats; ++it)
        heat7pt_fp64_zmarch<<<grid, block>>>(d_u.get(), d_v.get(), nx, ny, nz, zchunk, lam);
    finish_launches();

    std::vector<double> v = d_v.host();
    bool ok = true;
    for (int k = 0; k < nz; ++k)
        for (int j = 0; j < ny; ++j)
            for (int i = 0; i < nx; ++i) {
                size_t c = (static_cast<size_t>(k) * ny + j) * nx + i;
                double ref = u[c];
                if (i > 0 && j > 0 && k > 0 && i < nx - 1 && j < ny - 1 && k < nz - 1)
                    ref += lam * (u[c - 1] + u[c + 1] + u[c - nx] + u[c + nx] +
                                  u[c - static_cast<size_t>(nx) * ny] +
                                  u[c + static_cast<size_t>(nx) * ny] - 6.0 * u[c]);
                if (!(std::fabs(ref - v[c]) <= 1e-10)) ok = false;
            }
    report("heat7pt_fp64_zmarch", ok);
}

// ---------------------------------------------------------------------------
// 16. D2Q9 lattice Boltzmann, pull streaming, BGK, half-way bounce-back
// ---------------------------------------------------------------------------

__global__ void lbm_d2q9_pull_bgk(const float* __restrict__ fin, float* __restrict__ fout,
                                  const unsigned char* __restrict__ solid, int nx, int ny,
                                  float omega)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y;
    if (x >= nx) return;
    const int n = nx * ny;
    const int c = y * nx + x;
    const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
    const int cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    const int opp[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
    const float w[9] = {4.f / 9.f,  1.f / 9.f,  1.f / 9.f,  1.f / 9.f, 1.f / 9.f,
                        1.f / 36.f, 1.f / 36.f, 1.f / 36.f, 1.f / 36.f};
    float f[9];
    if (solid[c]) {
#pragma unroll
        for (int q = 0; q < 9; ++q) fout[q * n + c] = fin[q * n + c];
        return;
    }
    const int xm = x == 0 ? nx - 1 : x - 1, xp = x == nx - 1 ? 0 : x + 1;
    const int ym = y == 0 ? ny - 1 : y - 1, yp = y == ny - 1 ? 0 : y + 1;
#pragma unroll
    for (int q = 0; q < 9; ++q) {
        const int sx = cx[q] == 1 ? xm : (cx[q] == -1 ? xp : x);
        const int sy = cy[q] == 1 ? ym : (cy[q] == -1 ? yp : y);
        const int sidx = sy * nx + sx;
        f[q] = solid[sidx] ? fin[opp[q] * n + c] : fin[q * n + sidx];
    }
    float rho = 0.f, ux = 0.f, uy = 0.f;
#pragma unroll
    for (int q = 0; q < 9; ++q) {
        rho += f[q];
        ux += cx[q] * f[q];
        uy += cy[q] * f[q];
    }
    const float inv = 1.f / rho;
    ux *= inv;
    uy *= inv;
    const float usq = 1.5f * (ux * ux + uy * uy);
#pragma unroll
    for (int q = 0; q < 9; ++q) {
        const float cu = 3.f * (cx[q] * ux + cy[q] * uy);
        const float feq = w[q] * rho * (1.f + cu + 0.5f * cu * cu - usq);
        fout[q * n + c] = f[q] + omega * (feq - f[q]);
    }
}

static void run_lbm_d2q9_pull_bgk()
{
    const int nx = 600, ny = 400, n = nx * ny;
    const double omega = 1.7;
    static const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
    static const int cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    static const int opp[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
    static const double w[9] = {4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36};
    auto equilibrium = [&](int q, double rho, double ux, double uy) {
        double cu = 3 * (cx[q] * ux + cy[q] * uy);
        return w[q] * rho * (1 + cu + 0.5 * cu * cu - 1.5 * (ux * ux + uy * uy));
    };
    Rng rng(116);
    std::vector<unsigned char> solid(n, 0);
    std::vector<float> f(9 * static_cast<size_t>(n));
    for (int y = 0; y < ny; ++y)
        for (int x = 0; x < nx; ++x) {
            int c = y * nx + x, dx = x - 150, dy = y - 205;
            solid[c] = y == 0 || y == ny - 1 || dx * dx + dy * dy < 30 * 30 || (x > 400 && x < 420 && y < 90);
            double t = 2.0 * y / (ny - 1) - 1.0;
            double ux = 0.08 * (1 - t * t) + 0.005 * rng.gauss(), uy = 0.005 * rng.gauss();
            double rho = 1.0 + 0.01 * rng.gauss();
            for (int q = 0; q < 9; ++q)
                f[static_cast<size_t>(q) * n + c] = static_cast<float>(equilibrium(q, rho, ux, uy) + 1e-4 * rng.gauss());
        }
    DevArray<float> d_in(f), d_out(f.size());
    DevArray<unsigned char> d_solid(solid);
    dim3 grid(div_up(nx, 128), ny);
    for (int it = 0; it < kRepeats; ++it)
        lbm_d2q9_pull_bgk<<<grid, 128>>>(d_in.get(), d_out.get(), d_solid.get(), nx, ny,
                                         static_cast<float>(omega));
    finish_launches();

    std::vector<float> out = d_out.host();
    bool ok = true;
    for (int y = 0; y < ny; ++y)
        for (int x = 0; x < nx; ++x) {
            int c = y * nx + x;
            double g[9], rho = 0, jx = 0, jy = 0;
            for (int q = 0; q < 9; ++q) {
                int s = ((y - cy[q] + ny) % ny) * nx + (x - cx[q] + nx) % nx;
                g[q] = solid[s] ? f[static_cast<size_t>(opp[q]) * n + c] : f[static_cast<size_t>(q) * n + s];
                rho += g[q];
                jx += cx[q] * g[q];
                jy += cy[q] * g[q];
            }
            for (int q = 0; q < 9; ++q) {
                double ref = solid[c] ? f[static_cast<size_t>(q) * n + c]
                                      : g[q] + omega * (equilibrium(q, rho, jx / rho, jy / rho) - g[q]);
                if (!(std::fabs(ref - out[static_cast<size_t>(q) * n + c]) <= 2e-6)) ok = false;
            }
        }
    report("lbm_d2q9_pull_bgk", ok);
}

// ---------------------------------------------------------------------------
// 17. Acoustic wave, 8th order in space, register queue along z
// ---------------------------------------------------------------------------

__constant__ float c_fd8[5] = {-2.84722222f, 1.6f, -0.2f, 0.0253968254f, -0.00178571429f};

__global__ void __launch_bounds__(512)
acoustic3d_order8_zqueue(const float* __restrict__ prev, const float* __restrict__ cur,
                         const float* __restrict__ vel2, float* __restrict__ next, int nx, int ny,
                         int zchunk)
{
    __shared__ float s[24][40];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int ix = blockIdx.x * 32 + tx + 4, iy = blockIdx.y * 16 + ty + 4;
    const int plane = nx * ny;
    const int k0 = blockIdx.z * zchunk + 4;
    int idx = k0 * plane + iy * nx + ix;

    float q[9];
#pragma unroll
    for (int r = 0; r < 8; ++r) q[r + 1] = cur[idx + (r - 4) * plane];
    for (int k = 0; k < zchunk; ++k, idx += plane) {
#pragma unroll
        for (int r = 0; r < 8; ++r) q[r] = q[r + 1];
        q[8] = cur[idx + 4 * plane];
        __syncthreads();
        s[ty + 4][tx + 4] = q[4];
        if (tx < 4) {
            s[ty + 4][tx] = cur[idx - 4];
            s[ty + 4][tx + 36] = cur[idx + 32];
        }
        if (ty < 4) {
            s[ty][tx + 4] = cur[idx - 4 * nx];
            s[ty + 20][tx + 4] = cur[idx + 16 * nx];
        }
        __syncthreads();
        float lap = 3.f * c_fd8[0] * q[4];
#pragma unroll
        for (int r = 1; r <= 4; ++r)
            lap += c_fd8[r] * (q[4 - r] + q[4 + r] + s[ty + 4][tx + 4 - r] + s[ty + 4][tx + 4 + r] +
                               s[ty + 4 - r][tx + 4] + s[ty + 4 + r][tx + 4]);
        next[idx] = 2.f * q[4] - prev[idx] + vel2[idx] * lap;
    }
}

static void run_acoustic3d_order8_zqueue()
{
    const int nx = 136, ny = 104, nz = 104, zchunk = 16;
    const size_t n = static_cast<size_t>(nx) * ny * nz;
    Rng rng(117);
    std::vector<float> prev(n), cur(n), vel2(n);
    for (int k = 0; k < nz; ++k)
        for (int j = 0; j < ny; ++j)
            for (int i = 0; i < nx; ++i) {
                size_t c = (static_cast<size_t>(k) * ny + j) * nx + i;
                float r2 = static_cast<float>((i - 60) * (i - 60) + (j - 50) * (j - 50) + (k - 40) * (k - 40));
                cur[c] = std::exp(-0.01f * r2) + 0.01f * rng.uniform(-1.f, 1.f);
                prev[c] = 0.97f * cur[c];
                vel2[c] = (k < 30 ? 0.05f : (k < 70 ? 0.11f : 0.18f)) + 0.005f * rng.uniform(0.f, 1.f);
            }
    DevArray<float> d_prev(prev), d_cur(cur), d_vel(vel2), d_next(n);
    d_next.fill_bytes(0);
    dim3 grid((nx - 8) / 32, (ny - 8) / 16, (nz - 8) / zchunk), block(32, 16);
    for (int it = 0; it < kRepeats; ++it)
        acoustic3d_order8_zqueue<<<grid, block>>>(d_prev.get(), d_cur.get(), d_vel.get(),
                                                  d_next.get(), nx, ny, zchunk);
    finish_launches();

    static const double fd[5] = {-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};
    std::vector<float> next = d_next.host();
    bool ok = true;
    for (int k = 0; k < nz; ++k)
        for (int j = 0; j < ny; ++j)
            for (int i = 0; i < nx; ++i) {
                size_t c = (static_cast<size_t>(k) * ny + j) * nx + i;
                double ref = 0;
                if (i >= 4 && j >= 4 && k >= 4 && i < nx - 4 && j < ny - 4 && k < nz - 4) {
                    double lap = 3 * fd[0] * cur[c];
                    for (int r = 1; r <= 4; ++r) {
                        size_t dy = static_cast<size_t>(r) * nx, dz = dy * ny;
                        lap += fd[r] * (static_cast<double>(cur[c - r]) + cur[c + r] + cur[c - dy] +
                                        cur[c + dy] + cur[c - dz] + cur[c + dz]);
                    }
                    ref = 2.0 * cur[c] - prev[c] + vel2[c] * lap;
                }
                if (!(std::fabs(ref - next[c]) <= 1e-5)) ok = false;
            }
    report("acoustic3d_order8_zqueue", ok);
}

// ---------------------------------------------------------------------------
// 18. Bilateral filter, 7x7, reading a CUDA array through a point texture
// ---------------------------------------------------------------------------

__constant__ float c_bilateral_space[49];

__global__ void bilateral7x7_texture(cudaTextureObject_t img, const float* __restrict__ range_lut,
                                     unsigned char* __restrict__ out, int w, int h)
{
    __shared__ float lut[256];
    const int tid = threadIdx.y * 32 + threadIdx.x;
    lut[tid] = range_lut[tid];  // block is 32 x 8
    __syncthreads();
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= w || y >= h) return;
    const int centre = tex2D<unsigned char>(img, x + 0.5f, y + 0.5f);
    float num = 0.f, den = 0.f;
#pragma unroll
    for (int dy = -3; dy <= 3; ++dy) {
#pragma unroll
        for (int dx = -3; dx <= 3; ++dx) {
            const int v = tex2D<unsigned char>(img, x + dx + 0.5f, y + dy + 0.5f);
            const float wt = c_bilateral_space[(dy + 3) * 7 + dx + 3] * lut[abs(v - centre)];
            num = fmaf(wt, static_cast<float>(v), num);
            den += wt;
        }
    }
    out[y * w + x] = static_cast<unsigned char>(num / den + 0.5f);
}

static void run_bilateral7x7_texture()
{
    const int w = 1000, h = 700;
    Rng rng(118);
    std::vector<unsigned char> img(static_cast<size_t>(w) * h);
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            int base = (((x / 60) ^ (y / 45)) & 1) ? 170 : 70;
            int v = base + (x * 30) / w + static_cast<int>(9.f * rng.gauss());
            img[static_cast<size_t>(y) * w + x] = static_cast<unsigned char>(std::min(std::max(v, 0), 255));
        }
    std::vector<float> space(49), range(256);
    for (int dy = -3; dy <= 3; ++dy)
        for (int dx = -3; dx <= 3; ++dx)
            space[(dy + 3) * 7 + dx + 3] = std::exp(-(dx * dx + dy * dy) / (2.f * 2.f * 2.f));
    for (int i = 0; i < 256; ++i) range[i] = std::exp(-(i * i) / (2.f * 25.f * 25.f));
    CUDA_OK(cudaMemcpyToSymbol(c_bilateral_space, space.data(), 49 * sizeof(float)));

    cudaArray_t arr;
    cudaChannelFormatDesc fmt = cudaCreateChannelDesc<unsigned char>();
    CUDA_OK(cudaMallocArray(&arr, &fmt, w, h));
    CUDA_OK(cudaMemcpy2DToArray(arr, 0, 0, img.data(), w, w, h, cudaMemcpyHostToDevice));
    cudaResourceDesc rd;
    std::memset(&rd, 0, sizeof(rd));
    rd.resType = cudaResourceTypeArray;
    rd.res.array.array = arr;
    cudaTextureDesc td;
    std::memset(&td, 0, sizeof(td));
    td.addressMode[0] = td.addressMode[1] = cudaAddressModeClamp;
    td.filterMode = cudaFilterModePoint;
    td.readMode = cudaReadModeElementType;
    td.normalizedCoords = 0;
    cudaTextureObject_t tex = 0;
    CUDA_OK(cudaCreateTextureObject(&tex, &rd, &td, nullptr));

    DevArray<float> d_range(range);
    DevArray<unsigned char> d_out(img.size());
    dim3 grid(div_up(w, 32), div_up(h, 8)), block(32, 8);
    for (int it = 0; it < kRepeats; ++it)
        bilateral7x7_texture<<<grid, block>>>(tex, d_range.get(), d_out.get(), w, h);
    finish_launches();
    CUDA_OK(cudaDestroyTextureObject(tex));
    CUDA_OK(cudaFreeArray(arr));

    std::vector<unsigned char> out = d_out.host();
    bool ok = true;
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            int c = img[static_cast<size_t>(y) * w + x];
            float num = 0, den = 0;
            for (int dy = -3; dy <= 3; ++dy) {
                int yy = std::min(std::max(y + dy, 0), h - 1);
                for (int dx = -3; dx <= 3; ++dx) {
                    int xx = std::min(std::max(x + dx, 0), w - 1);
                    int v = img[static_cast<size_t>(yy) * w + xx];
                    float wt = space[(dy + 3) * 7 + dx + 3] * range[std::abs(v - c)];
                    num += wt * v;
                    den += wt;
                }
            }
            float ref = num / den;
            if (!(std::fabs(ref - out[static_cast<size_t>(y) * w + x]) <= 0.505f)) ok = false;
        }
    report("bilateral7x7_texture", ok);
}

// ---------------------------------------------------------------------------
// 19. Affine warp, fixed-point bilinear, RGBA pitch-linear point texture
// ---------------------------------------------------------------------------

__global__ void affine_warp_rgba_texture(cudaTextureObject_t src, uchar4* __restrict__ dst, int w,
                                         int h, int a, int b, int c, int d, int e, int f)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    const int sx = a * x + b * y + c, sy = d * x + e * y + f;  // 16.16
    const float tx = (sx >> 16) + 0.5f, ty = (sy >> 16) + 0.5f;
    const int fx = (sx >> 8) & 255, fy = (sy >> 8) & 255;
    const uchar4 p00 = tex2D<uchar4>(src, tx, ty), p10 = tex2D<uchar4>(src, tx + 1.f, ty);
    const uchar4 p01 = tex2D<uchar4>(src, tx, ty + 1.f), p11 = tex2D<uchar4>(src, tx + 1.f, ty + 1.f);
    const int w00 = (256 - fx) * (256 - fy), w10 = fx * (256 - fy);
    const int w01 = (256 - fx) * fy, w11 = fx * fy;
    uchar4 r;
    r.x = (p00.x * w00 + p10.x * w10 + p01.x * w01 + p11.x * w11 + 32768) >> 16;
    r.y = (p00.y * w00 + p10.y * w10 + p01.y * w01 + p11.y * w11 + 32768) >> 16;
    r.z = (p00.z * w00 + p10.z * w10 + p01.z * w01 + p11.z * w11 + 32768) >> 16;
    r.w = (p00.w * w00 + p10.w * w10 + p01.w * w01 + p11.w * w11 + 32768) >> 16;
    dst[y * w + x] = r;
}

static void run_affine_warp_rgba_texture()
{
    const int sw = 1280, sh = 960, w = 1400, h = 1000;
    Rng rng(119);
    std::vector<uchar4> src(static_cast<size_t>(sw) * sh);
    for (int y = 0; y < sh; ++y)
        for (int x = 0; x < sw; ++x) {
            uint32_t r = rng.u32();
            uchar4 p;
            p.x = static_cast<unsigned char>((x * 255) / sw);
            p.y = static_cast<unsigned char>((y * 255) / sh);
            p.z = static_cast<unsigned char>(((x ^ y) & 127) + (r & 63));
            p.w = static_cast<unsigned char>(255 - ((r >> 8) & 15));
            src[static_cast<size_t>(y) * sw + x] = p;
        }
    // rotate by 17 degrees about the centres, scale 0.95
    const double th = 17.0 * 3.14159265358979 / 180.0, sc = 0.95 * 65536.0;
    const int a = static_cast<int>(std::cos(th) * sc), b = static_cast<int>(-std::sin(th) * sc);
    const int d = -b, e = a;
    const int c = (sw / 2) * 65536 - a * (w / 2) - b * (h / 2);
    const int f = (sh / 2) * 65536 - d * (w / 2) - e * (h / 2);

    uchar4* d_src = nullptr;
    size_t pitch = 0;
    CUDA_OK(cudaMallocPitch(reinterpret_cast<void**>(&d_src), &pitch, sw * sizeof(uchar4), sh));
    CUDA_OK(cudaMemcpy2D(d_src, pitch, src.data(), sw * sizeof(uchar4), sw * sizeof(uchar4), sh,
                         cudaMemcpyHostToDevice));
    cudaResourceDesc rd;
    std::memset(&rd, 0, sizeof(rd));
    rd.resType = cudaResourceTypePitch2D;
    rd.res.pitch2D.devPtr = d_src;
    rd.res.pitch2D.desc = cudaCreateChannelDesc<uchar4>();
    rd.res.pitch2D.width = sw;
    rd.res.pitch2D.height = sh;
    rd.res.pitch2D.pitchInBytes = pitch;
    cudaTextureDesc td;
    std::memset(&td, 0, sizeof(td));
    td.addressMode[0] = td.addressMode[1] = cudaAddressModeBorder;
    td.filterMode = cudaFilterModePoint;
    td.readMode = cudaReadModeElementType;
    td.normalizedCoords = 0;
    cudaTextureObject_t tex = 0;
    CUDA_OK(cudaCreateTextureObject(&tex, &rd, &td, nullptr));

    DevArray<uchar4> d_dst(static_cast<size_t>(w) * h);
    dim3 block(16, 16), grid(div_up(w, 16), div_up(h, 16));
    for (int it = 0; it < kRepeats; ++it)
        affine_warp_rgba_texture<<<grid, block>>>(tex, d_dst.get(), w, h, a, b, c, d, e, f);
    finish_launches();
    CUDA_OK(cudaDestroyTextureObject(tex));
    CUDA_OK(cudaFree(d_src));

    std::vector<uchar4> dst = d_dst.host();
    const unsigned char* sb = reinterpret_cast<const unsigned char*>(src.data());
    const unsigned char* db = reinterpret_cast<const unsigned char*>(dst.data());
    bool ok = true;
    auto texel = [&](int x, int y, int ch) {
        return x < 0 || y < 0 || x >= sw || y >= sh ? 0 : static_cast<int>(sb[(static_cast<size_t>(y) * sw + x) * 4 + ch]);
    };
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            int sx = a * x + b * y + c, sy = d * x + e * y + f;
            int ix = sx >> 16, iy = sy >> 16, fx = (sx >> 8) & 255, fy = (sy >> 8) & 255;
            for (int ch = 0; ch < 4; ++ch) {
                int top = texel(ix, iy, ch) * (256 - fx) + texel(ix + 1, iy, ch) * fx;
                int bot = texel(ix, iy + 1, ch) * (256 - fx) + texel(ix + 1, iy + 1, ch) * fx;
                int ref = (top * (256 - fy) + bot * fy + 32768) >> 16;
                if (db[(static_cast<size_t>(y) * w + x) * 4 + ch] != ref) ok = false;
            }
        }
    report("affine_warp_rgba_texture", ok);
}

// ---------------------------------------------------------------------------
// 20. 3x3 median, exchange network on a shared-memory tile
// ---------------------------------------------------------------------------

__device__ __forceinline__ void sort2(int& a, int& b)
{
    const int lo = min(a, b);
    b = max(a, b);
    a = lo;
}

__global__ void __launch_bounds__(256)
median3x3_shared_tile(const unsigned char* __restrict__ in, unsigned char* __restrict__ out, int w,
                      int h)
{
    __shared__ unsigned char t[10][36];
    const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 8;
    for (int i = threadIdx.y * 32 + threadIdx.x; i < 10 * 34; i += 256) {
        const int r = i / 34, c = i - r * 34;
        const int y = min(max(y0 + r - 1, 0), h - 1), x = min(max(x0 + c - 1, 0), w - 1);
        t[r][c] = in[y * w + x];
    }
    __syncthreads();
    const int x = x0 + threadIdx.x, y = y0 + threadIdx.y;
    if (x >= w || y >= h) return;
    int p[9];
#pragma unroll
    for (int r = 0; r < 3; ++r)
#pragma unroll
        for (int c = 0; c < 3; ++c) p[r * 3 + c] = t[threadIdx.y + r][threadIdx.x + c];
    sort2(p[1], p[2]); sort2(p[4], p[5]); sort2(p[7], p[8]);
    sort2(p[0], p[1]); sort2(p[3], p[4]); sort2(p[6], p[7]);
    sort2(p[1], p[2]); sort2(p[4], p[5]); sort2(p[7], p[8]);
    sort2(p[0], p[3]); sort2(p[5], p[8]); sort2(p[4], p[7]);
    sort2(p[3], p[6]); sort2(p[1], p[4]); sort2(p[2], p[5]);
    sort2(p[4], p[7]); sort2(p[4], p[2]); sort2(p[6], p[4]);
    sort2(p[4], p[2]);
    out[y * w + x] = static_cast<unsigned char>(p[4]);
}

static void run_median3x3_shared_tile()
{
    const int w = 1910, h = 1070;
    Rng rng(120);
    std::vector<unsigned char> in(static_cast<size_t>(w) * h);
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {  // smooth scene with salt-and-pepper noise
            uint32_t r = rng.u32();
            int v = ((x / 9 + y / 7) & 127) + 60 + static_cast<int>(r & 7);
            if ((r >> 8) % 20 == 0) v = (r & 0x80u) ? 255 : 0;
            in[static_cast<size_t>(y) * w + x] = static_cast<unsigned char>(v);
        }
    DevArray<unsigned char> d_in(in), d_out(in.size());
    dim3 block(32, 8), grid(div_up(w, 32), div_up(h, 8));
    for (int it = 0; it < kRepeats; ++it)
        median3x3_shared_tile<<<grid, block>>>(d_in.get(), d_out.get(), w, h);
    finish_launches();

    std::vector<unsigned char> out = d_out.host();
    bool ok = true;
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            // rank test instead of a sort: v is the median iff <=4 below and <=4 above
            int v = out[static_cast<size_t>(y) * w + x], less = 0, more = 0;
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx) {
                    int yy = std::min(std::max(y + dy, 0), h - 1), xx = std::min(std::max(x + dx, 0), w - 1);
                    int q = in[static_cast<size_t>(yy) * w + xx];
                    less += q < v;
                    more += q > v;
                }
            if (less > 4 || more > 4) ok = false;
        }
    report("median3x3_shared_tile", ok);
}

// ---------------------------------------------------------------------------
// 21. Out-of-place AXPY with float4 and a grid-stride loop
// ---------------------------------------------------------------------------

__global__ void waxpy_float4_stream(float alpha, const float4* __restrict__ x,
                                    const float4* __restrict__ y, float4* __restrict__ w, int nvec)
{
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < nvec; i += stride) {
        const float4 a = x[i], b = y[i];
        w[i] = make_float4(fmaf(alpha, a.x, b.x), fmaf(alpha, a.y, b.y), fmaf(alpha, a.z, b.z),
                           fmaf(alpha, a.w, b.w));
    }
}

static void run_waxpy_float4_stream()
{
    const int n = 4 << 20;
    const float alpha = -1.25f;
    Rng rng(121);
    std::vector<float4> x(n / 4), y(n / 4);
    for (int i = 0; i < n / 4; ++i) {
        uint64_t r = rng.u64(), s = rng.u64();
        auto unit = [](uint64_t v, int k) { return static_cast<float>((v >> (16 * k)) & 0xffff) / 65536.f - 0.5f; };
        x[i] = make_float4(unit(r, 0), unit(r, 1), unit(r, 2), unit(r, 3));
        y[i] = make_float4(unit(s, 0), unit(s, 1), unit(s, 2), unit(s, 3));
    }
    DevArray<float4> d_x(x), d_y(y), d_w(n / 4);
    for (int it = 0; it < kRepeats; ++it)
        waxpy_float4_stream<<<1056, 256>>>(alpha, d_x.get(), d_y.get(), d_w.get(), n / 4);
    finish_launches();

    std::vector<float4> w = d_w.host();
    const float* xf = reinterpret_cast<const float*>(x.data());
    const float* yf = reinterpret_cast<const float*>(y.data());
    const float* wf = reinterpret_cast<const float*>(w.data());
    bool ok = true;
    for (int i = 0; i < n; ++i) {
        float ref = static_cast<float>(static_cast<double>(alpha) * xf[i] + yf[i]);
        if (!(std::fabs(ref - wf[i]) <= 1e-6f)) ok = false;
    }
    report("waxpy_float4_stream", ok);
}

// ---------------------------------------------------------------------------
// 22. Matrix transpose, padded 32x33 tile, ragged edges
// ---------------------------------------------------------------------------

__global__ void transpose_padded_tile32(const float* __restrict__ in, float* __restrict__ out,
                                        int rows, int cols)
{
    __shared__ float tile[32][33];
    int c = blockIdx.x * 32 + threadIdx.x;
    int r = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (c < cols && r + j < rows)
            tile[threadIdx.y + j][threadIdx.x] = in[static_cast<size_t>(r + j) * cols + c];
    __syncthreads();
    c = blockIdx.y * 32 + threadIdx.x;
    r = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
    for (int j = 0; j < 32; j += 8)
        if (c < rows && r + j < cols)
            out[static_cast<size_t>(r + j) * rows + c] = tile[threadIdx.x][threadIdx.y + j];
}

static void run_transpose_padded_tile32()
{
    const int rows = 1500, cols = 2300;
    std::vector<float> in(static_cast<size_t>(rows) * cols);
    for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i % 16777213);
    DevArray<float> d_in(in), d_out(in.size());
    dim3 block(32, 8), grid(div_up(cols, 32), div_up(rows, 32));
    for (int it = 0; it < kRepeats; ++it)
        transpose_padded_tile32<<<grid, block>>>(d_in.get(), d_out.get(), rows, cols);
    finish_launches();

    std::vector<float> out = d_out.host();
    bool ok = true;
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < cols; ++c)
            if (out[static_cast<size_t>(c) * rows + r] != in[static_cast<size_t>(r) * cols + c]) ok = false;
    report("transpose_padded_tile32", ok);
}

// ---------------------------------------------------------------------------
// 23. Weighted embedding bag, one warp per bag, 64-wide table
// ---------------------------------------------------------------------------

__global__ void embedding_bag_weighted_mean(const float2* __restrict__ table,
                                            const int* __restrict__ offsets,
                                            const int* __restrict__ index,
                                            const float* __restrict__ weight, int nbags,
                                            float2* __restrict__ out)
{
    const int lane = threadIdx.x & 31;
    const int bag = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    if (bag >= nbags) return;
    const int beg = offsets[bag], end = offsets[bag + 1];
    float ax = 0.f, ay = 0.f, ws = 0.f;
    for (int base = beg; base < end; base += 32) {
        const int cnt = min(32, end - base);
        const int my_idx = lane < cnt ? index[base + lane] : 0;
        const float my_w = lane < cnt ? weight[base + lane] : 0.f;
        for (int k = 0; k < cnt; ++k) {
            const int id = __shfl_sync(0xffffffffu, my_idx, k);
            const float w = __shfl_sync(0xffffffffu, my_w, k);
            const float2 e = table[static_cast<size_t>(id) * 32 + lane];
            ax = fmaf(w, e.x, ax);
            ay = fmaf(w, e.y, ay);
            ws += w;
        }
    }
    const float inv = ws > 0.f ? 1.f / ws : 0.f;
    out[static_cast<size_t>(bag) * 32 + lane] = make_float2(ax * inv, ay * inv);
}

static void run_embedding_bag_weighted_mean()
{
    const int vocab = 60000, dim = 64, nbags = 12000;
    Rng rng(123);
    std::vector<float2> table(static_cast<size_t>(vocab) * dim / 2);
    for (auto& t : table) t = make_float2(rng.uniform(-0.1f, 0.1f), rng.uniform(-0.1f, 0.1f));
    std::vector<int> shuffle(vocab), offsets(nbags + 1, 0), index;
    std::iota(shuffle.begin(), shuffle.end(), 0);
    for (int i = vocab - 1; i > 0; --i) std::swap(shuffle[i], shuffle[rng.below(i + 1)]);
    std::vector<float> weight;
    for (int b = 0; b < nbags; ++b) {
        int len = b % 97 == 5 ? 0 : 1 + rng.zipf(200);  // some bags are empty
        for (int k = 0; k < len; ++k) {
            index.push_back(shuffle[rng.zipf(vocab)]);
            weight.push_back(rng.uniform(0.1f, 1.f));
        }
        offsets[b + 1] = static_cast<int>(index.size());
    }
    DevArray<float2> d_table(table), d_out(static_cast<size_t>(nbags) * dim / 2);
    DevArray<int> d_off(offsets), d_idx(index);
    DevArray<float> d_w(weight);
    for (int it = 0; it < kRepeats; ++it)
        embedding_bag_weighted_mean<<<div_up(nbags, 4), 128>>>(d_table.get(), d_off.get(),
                                                               d_idx.get(), d_w.get(), nbags,
                                                               d_out.get());
    finish_launches();

    std::vector<float2> out = d_out.host();
    const float* of = reinterpret_cast<const float*>(out.data());
    const float* tf = reinterpret_cast<const float*>(table.data());
    bool ok = true;
    for (int b = 0; b < nbags; ++b) {
        double acc[64] = {0}, ws = 0;
        for (int k = offsets[b]; k < offsets[b + 1]; ++k) {
            const float* row = tf + static_cast<size_t>(index[k]) * dim;
            for (int c = 0; c < dim; ++c) acc[c] += static_cast<double>(weight[k]) * row[c];
            ws += weight[k];
        }
        for (int c = 0; c < dim; ++c) {
            double ref = ws > 0 ? acc[c] / ws : 0.0;
            if (!(std::fabs(ref - of[static_cast<size_t>(b) * dim + c]) <= 1e-6)) ok = false;
        }
    }
    report("embedding_bag_weighted_mean", ok);
}

// ---------------------------------------------------------------------------
// 24. INT8 GEMV with dp4a, per-row scale, bias and ReLU epilogue
// ---------------------------------------------------------------------------

__global__ void __launch_bounds__(256)
gemv_int8_dp4a_relu(const int4* __restrict__ wq, const int4* __restrict__ xq,
                    const float* __restrict__ row_scale, const float* __restrict__ bias,
                    float x_scale, float* __restrict__ y, int rows, int kvec)
{
    extern __shared__ int4 sx[];
    for (int i = threadIdx.x; i < kvec; i += blockDim.x) sx[i] = xq[i];
    __syncthreads();
    const int lane = threadIdx.x & 31;
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    if (row >= rows) return;
    const int4* wr = wq + static_cast<size_t>(row) * kvec;
    int acc = 0;
#pragma unroll 4
    for (int i = lane; i < kvec; i += 32) {
        const int4 w = __ldg(wr + i);
        const int4 x = sx[i];
        acc = __dp4a(w.x, x.x, acc);
        acc = __dp4a(w.y, x.y, acc);
        acc = __dp4a(w.z, x.z, acc);
        acc = __dp4a(w.w, x.w, acc);
    }
#pragma unroll
    for (int o = 16; o > 0; o >>= 1) acc += __shfl_down_sync(0xffffffffu, acc, o);
    if (lane == 0) {
        const float v = fmaf(static_cast<float>(acc), row_scale[row] * x_scale, bias[row]);
        y[row] = fmaxf(v, 0.f);
    }
}

static void run_gemv_int8_dp4a_relu()
{
    const int rows = 5120, k = 3072;
    const float x_scale = 0.017f;
    Rng rng(124);
    std::vector<int4> w(static_cast<size_t>(rows) * k / 16), x(k / 16);
    signed char* wb = reinterpret_cast<signed char*>(w.data());
    signed char* xb = reinterpret_cast<signed char*>(x.data());
    for (size_t i = 0; i < w.size() * 2; ++i) {
        uint64_t r = rng.u64();
        for (int j = 0; j < 8; ++j) {
            int v = static_cast<int>((r >> (8 * j)) & 255) - 128;
            wb[i * 8 + j] = static_cast<signed char>(std::max(v, -127) / (1 + (j & 1)));
        }
    }
    for (int i = 0; i < k; ++i) xb[i] = static_cast<signed char>(std::min(std::max(static_cast<int>(40.f * rng.gauss()), -127), 127));
    std::vector<float> scale(rows), bias(rows);
    for (int r = 0; r < rows; ++r) {
        scale[r] = rng.uniform(0.001f, 0.01f);
        bias[r] = rng.uniform(-1.f, 1.f);
    }
    DevArray<int4> d_w(w), d_x(x);
    DevArray<float> d_s(scale), d_b(bias), d_y(rows);
    for (int it = 0; it < kRepeats; ++it)
        gemv_int8_dp4a_relu<<<div_up(rows, 8), 256, k>>>(d_w.get(), d_x.get(), d_s.get(), d_b.get(),
                                                         x_scale, d_y.get(), rows, k / 16);
    finish_launches();

    std::vector<float> y = d_y.host();
    bool ok = true;
    for (int r = 0; r < rows; ++r) {
        int acc = 0;
        for (int i = 0; i < k; ++i) acc += wb[static_cast<size_t>(r) * k + i] * xb[i];
        double t = static_cast<double>(acc) * scale[r] * x_scale;
        double ref = std::max(t + bias[r], 0.0);
        if (!(std::fabs(ref - y[r]) <= 1e-6 * std::fabs(t) + 1e-6)) ok = false;
    }
    report("gemv_int8_dp4a_relu", ok);
}

// ---------------------------------------------------------------------------
// 25. Lennard-Jones forces (shifted force) from a transposed neighbour list
// ---------------------------------------------------------------------------

__global__ void __launch_bounds__(128)
lj_force_neighbor_list(const float4* __restrict__ pos, const int* __restrict__ nneigh,
                       const int* __restrict__ neigh, int n, float box, float inv_box, float rc2,
                       float f_rc, float4* __restrict__ force)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float4 p = pos[i];
    const int cnt = nneigh[i];
    float fx = 0.f, fy = 0.f, fz = 0.f, pe = 0.f;
    for (int k = 0; k < cnt; ++k) {
        const int j = neigh[k * n + i];
        const float4 q = pos[j];
        float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z;
        dx -= box * rintf(dx * inv_box);
        dy -= box * rintf(dy * inv_box);
        dz -= box * rintf(dz * inv_box);
        const float r2 = dx * dx + dy * dy + dz * dz;
        if (r2 < rc2) {
            const float inv_r = rsqrtf(r2);
            const float i2 = inv_r * inv_r;
            const float i6 = i2 * i2 * i2;
            const float f = 24.f * i6 * (2.f * i6 - 1.f) * i2 - f_rc * inv_r;
            fx = fmaf(f, dx, fx);
            fy = fmaf(f, dy, fy);
            fz = fmaf(f, dz, fz);
            pe += f * r2;  // virial contribution
        }
    }
    force[i] = make_float4(fx, fy, fz, pe);
}

static void run_lj_force_neighbor_list()
{
    const int side = 30, n = side * side * side, ncell = 11, maxn = 128;
    const float spacing = 1.08f, box = spacing * side, rc = 2.5f, skin = 2.8f;
    Rng rng(125);
    std::vector<float4> pos(n);
    std::vector<int> order(n);
    std::iota(order.begin(), order.end(), 0);
    // Shuffle within small windows: particles drift from the sorted order.
    for (int i = 0; i + 64 < n; ++i) std::swap(order[i], order[i + rng.below(64)]);
    for (int i = 0; i < n; ++i) {
        int s = order[i];
        float x = spacing * (s % side + 0.5f) + rng.uniform(-0.11f, 0.11f);
        float y = spacing * ((s / side) % side + 0.5f) + rng.uniform(-0.11f, 0.11f);
        float z = spacing * (s / (side * side) + 0.5f) + rng.uniform(-0.11f, 0.11f);
        pos[i] = make_float4(x, y, z, 0.f);
    }
    std::vector<std::vector<int>> cell(ncell * ncell * ncell);
    auto cell_of = [&](float v) { return std::min(static_cast<int>(v / box * ncell), ncell - 1); };
    for (int i = 0; i < n; ++i)
        cell[(cell_of(pos[i].z) * ncell + cell_of(pos[i].y)) * ncell + cell_of(pos[i].x)].push_back(i);
    std::vector<int> nneigh(n, 0), neigh(static_cast<size_t>(maxn) * n, 0);
    bool fits = true;
    auto mi = [&](float d) { return d > 0.5f * box ? d - box : (d < -0.5f * box ? d + box : d); };
    for (int i = 0; i < n; ++i) {
        int cx = cell_of(pos[i].x), cy = cell_of(pos[i].y), cz = cell_of(pos[i].z);
        for (int c = 0; c < 27; ++c) {
            int x = (cx + c % 3 - 1 + ncell) % ncell, y = (cy + (c / 3) % 3 - 1 + ncell) % ncell,
                z = (cz + c / 9 - 1 + ncell) % ncell;
            for (int j : cell[(z * ncell + y) * ncell + x]) {
                if (j == i) continue;
                float dx = mi(pos[i].x - pos[j].x), dy = mi(pos[i].y - pos[j].y), dz = mi(pos[i].z - pos[j].z);
                if (dx * dx + dy * dy + dz * dz >= skin * skin) continue;
                if (nneigh[i] == maxn) fits = false;
                else neigh[static_cast<size_t>(nneigh[i]++) * n + i] = j;
            }
        }
    }
    const double irc = 1.0 / rc, irc6 = std::pow(irc, 6.0);
    const double f_rc = 24.0 * irc6 * (2.0 * irc6 - 1.0) * irc;  // scalar force at cut-off

    DevArray<float4> d_pos(pos), d_force(n);
    DevArray<int> d_cnt(nneigh), d_neigh(neigh);
    for (int it = 0; it < kRepeats; ++it)
        lj_force_neighbor_list<<<div_up(n, 128), 128>>>(d_pos.get(), d_cnt.get(), d_neigh.get(), n,
                                                        box, 1.f / box, rc * rc,
                                                        static_cast<float>(f_rc), d_force.get());
    finish_launches();

    std::vector<float4> force = d_force.host();
    bool ok = fits;
    for (int i = 0; i < n; ++i) {
        double s[4] = {0, 0, 0, 0}, mag = 0;
        for (int k = 0; k < nneigh[i]; ++k) {
            const float4& q = pos[neigh[static_cast<size_t>(k) * n + i]];
            double d[3] = {static_cast<double>(pos[i].x) - q.x, static_cast<double>(pos[i].y) - q.y,
                           static_cast<double>(pos[i].z) - q.z};
            double r2 = 0;
            for (double& v : d) {
                if (v > 0.5 * box) v -= box;
                if (v < -0.5 * box) v += box;
                r2 += v * v;
            }
            if (r2 >= static_cast<double>(rc) * rc) continue;
            double r = std::sqrt(r2), i6 = 1.0 / (r2 * r2 * r2);
            double f = 24.0 * i6 * (2.0 * i6 - 1.0) / r2 - f_rc / r;
            for (int a = 0; a < 3; ++a) s[a] += f * d[a];
            s[3] += f * r2;
            mag += std::fabs(f) * r + 1.0;
        }
        const float got[4] = {force[i].x, force[i].y, force[i].z, force[i].w};
        for (int a = 0; a < 4; ++a)
            if (!(std::fabs(s[a] - got[a]) <= 5e-5 * mag)) ok = false;
    }
    report("lj_force_neighbor_list", ok);
}

// ---------------------------------------------------------------------------
// 26. SPH density summation over a cell-sorted particle set
// ---------------------------------------------------------------------------

__global__ void __launch_bounds__(128)
sph_density_cell_grid(const float4* __restrict__ part, const int* __restrict__ cell_start, int n,
                      int g, float h2, float norm, float* __restrict__ rho)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float4 p = part[i];
    // unit-sized cells, smoothing length <= 1
    const int cx = static_cast<int>(p.x), cy = static_cast<int>(p.y), cz = static_cast<int>(p.z);
    const int x0 = max(cx - 1, 0), x1 = min(cx + 1, g - 1);
    float acc = 0.f;
    for (int z = max(cz - 1, 0); z <= min(cz + 1, g - 1); ++z)
        for (int y = max(cy - 1, 0); y <= min(cy + 1, g - 1); ++y) {
            const int row = (z * g + y) * g;  // the three x cells are contiguous
            const int end = cell_start[row + x1 + 1];
            for (int j = cell_start[row + x0]; j < end; ++j) {
                const float4 q = part[j];
                const float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z;
                const float t = h2 - (dx * dx + dy * dy + dz * dz);
                if (t > 0.f) acc = fmaf(q.w, t * t * t, acc);
            }
        }
    rho[i] = norm * acc;
}

static void run_sph_density_cell_grid()
{
    const int n = 60000, g = 30;
    const float h = 0.98f;
    Rng rng(126);
    std::vector<float4> raw(n), part(n);
    for (auto& p : raw) {  // dam-break column plus spray
        if (rng.below(10)) {
            p.x = rng.uniform(0.f, 12.f);
            p.y = rng.uniform(0.f, 30.f);
            p.z = 30.f * static_cast<float>(rng.real() * rng.real());
        } else {
            p.x = rng.uniform(0.f, 30.f);
            p.y = rng.uniform(0.f, 30.f);
            p.z = rng.uniform(0.f, 30.f);
        }
        p.x = std::min(p.x, 29.999f);
        p.y = std::min(p.y, 29.999f);
        p.z = std::min(p.z, 29.999f);
        p.w = rng.uniform(0.8f, 1.2f);
    }
    auto cell = [&](const float4& p) {
        return (static_cast<int>(p.z) * g + static_cast<int>(p.y)) * g + static_cast<int>(p.x);
    };
    std::vector<int> start(g * g * g + 1, 0);
    for (const auto& p : raw) ++start[cell(p) + 1];
    for (int c = 0; c < g * g * g; ++c) start[c + 1] += start[c];
    std::vector<int> cursor(start.begin(), start.end() - 1);
    for (const auto& p : raw) part[cursor[cell(p)]++] = p;
    const float norm = static_cast<float>(315.0 / (64.0 * 3.14159265358979 * std::pow(h, 9.0)));

    DevArray<float4> d_part(part);
    DevArray<int> d_start(start);
    DevArray<float> d_rho(n);
    for (int it = 0; it < kRepeats; ++it)
        sph_density_cell_grid<<<div_up(n, 128), 128>>>(d_part.get(), d_start.get(), n, g, h * h,
                                                       norm, d_rho.get());
    finish_launches();

    std::vector<float> rho = d_rho.host();
    bool ok = true;
    for (int i = 0; i < n; ++i) {
        const float4& p = part[i];
        int cx = static_cast<int>(p.x), cy = static_cast<int>(p.y), cz = static_cast<int>(p.z);
        double acc = 0;
        for (int c = 0; c < 27; ++c) {
            int x = cx + c % 3 - 1, y = cy + (c / 3) % 3 - 1, z = cz + c / 9 - 1;
            if (x < 0 || y < 0 || z < 0 || x >= g || y >= g || z >= g) continue;
            int id = (z * g + y) * g + x;
            for (int j = start[id]; j < start[id + 1]; ++j) {
                double dx = static_cast<double>(p.x) - part[j].x, dy = static_cast<double>(p.y) - part[j].y,
                       dz = static_cast<double>(p.z) - part[j].z;
                double t = static_cast<double>(h * h) - (dx * dx + dy * dy + dz * dz);
                if (t > 0) acc += part[j].w * t * t * t;
            }
        }
        if (!(std::fabs(norm * acc - rho[i]) <= 2e-5 * norm * acc + 1e-6)) ok = false;
    }
    report("sph_density_cell_grid", ok);
}

// ---------------------------------------------------------------------------
// 27. Smith-Waterman, affine gaps, one warp per pair, 4 query rows per lane
// ---------------------------------------------------------------------------

__global__ void __launch_bounds__(128)
smith_waterman_warp_affine(const unsigned char* __restrict__ query,
                           const unsigned char* __restrict__ target,
                           const int* __restrict__ toff, const int* __restrict__ submat, int npairs,
                           int gap_open, int gap_ext, int* __restrict__ score)
{
    __shared__ int sm[24 * 24];
    for (int i = threadIdx.x; i < 24 * 24; i += blockDim.x) sm[i] = submat[i];
    __syncthreads();
    const int lane = threadIdx.x & 31;
    const int pair = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    if (pair >= npairs) return;

    const int NEG = -100000;
    const int t0 = toff[pair], tlen = toff[pair + 1] - t0;
    const uchar4 q4 = reinterpret_cast<const uchar4*>(query)[pair * 32 + lane];
    const int qrow[4] = {q4.x * 24, q4.y * 24, q4.z * 24, q4.w * 24};
    int H[4] = {0, 0, 0, 0}, E[4] = {NEG, NEG, NEG, NEG};
    int h_last = 0, f_last = NEG, h_diag = 0, best = 0;

    for (int step = 0; step < tlen + 31; ++step) {
        int h_up = __shfl_up_sync(0xffffffffu, h_last, 1);
        int f_up = __shfl_up_sync(0xffffffffu, f_last, 1);
        if (lane == 0) {
            h_up = 0;
            f_up = NEG;
        }
        const int j = step - lane;
        if (j >= 0 && j < tlen) {
            const int tc = target[t0 + j];
            int up = h_up, f = f_up, diag = h_diag;
#pragma unroll
            for (int r = 0; r < 4; ++r) {
                E[r] = max(E[r] - gap_ext, H[r] - gap_open);
                f = max(f - gap_ext, up - gap_open);
                int h = max(diag + sm[qrow[r] + tc], 0);
                h = max(h, max(E[r], f));
                diag = H[r];
                H[r] = h;
                up = h;
                best = max(best, h);
            }
            h_last = H[3];
            f_last = f;
        }
        h_diag = h_up;
    }
#pragma unroll
    for (int o = 16; o > 0; o >>= 1) best = max(best, __shfl_xor_sync(0xffffffffu, best, o));
    if (lane == 0) score[pair] = best;
}

static void run_smith_waterman_warp_affine()
{
    const int npairs = 2500, qmax = 128, open = 11, ext = 1;
    Rng rng(127);
    std::vector<int> submat(24 * 24, -100);
    for (int a = 0; a < 20; ++a)
        for (int b = 0; b <= a; ++b) {
            int s = a == b ? 4 + rng.below(5) : rng.below(6) - 4;
            submat[a * 24 + b] = submat[b * 24 + a] = s;
        }
    std::vector<unsigned char> query(static_cast<size_t>(npairs) * qmax, 20), target;  // 20 = pad
    std::vector<int> toff(npairs + 1, 0), qlen(npairs);
    for (int p = 0; p < npairs; ++p) {
        unsigned char* q = query.data() + static_cast<size_t>(p) * qmax;
        qlen[p] = 50 + rng.below(qmax - 50 + 1);
        for (int i = 0; i < qlen[p]; ++i) q[i] = static_cast<unsigned char>(rng.below(20));
        int tlen = 60 + rng.below(140) + (rng.below(20) == 0 ? 250 : 0);
        std::vector<unsigned char> t;
        if (p & 1) {  // homologous: mutate and indel the query
            int skip = rng.below(20);
            for (int i = 0; i < skip; ++i) t.push_back(static_cast<unsigned char>(rng.below(20)));
            for (int i = 0; i < qlen[p]; ++i) {
                int r = rng.below(100);
                if (r < 3) { i += rng.below(6); continue; }
                if (r < 6)
                    for (int k = rng.below(8); k > 0; --k) t.push_back(static_cast<unsigned char>(rng.below(20)));
                t.push_back(r < 30 ? static_cast<unsigned char>(rng.below(20)) : q[i]);
            }
        }
        while (static_cast<int>(t.size()) < tlen) t.push_back(static_cast<unsigned char>(rng.below(20)));
        target.insert(target.end(), t.begin(), t.end());
        toff[p + 1] = static_cast<int>(target.size());
    }
    DevArray<unsigned char> d_q(query), d_t(target);
    DevArray<int> d_off(toff), d_mat(submat), d_score(npairs);
    for (int it = 0; it < kRepeats; ++it)
        smith_waterman_warp_affine<<<div_up(npairs, 4), 128>>>(d_q.get(), d_t.get(), d_off.get(),
                                                               d_mat.get(), npairs, open, ext,
                                                               d_score.get());
    finish_launches();

    std::vector<int> score = d_score.host();
    bool ok = true;
    std::vector<int> H, F;
    for (int p = 0; p < npairs; ++p) {
        const unsigned char* q = query.data() + static_cast<size_t>(p) * qmax;
        const unsigned char* t = target.data() + toff[p];
        int tlen = toff[p + 1] - toff[p], best = 0;
        H.assign(tlen + 1, 0);
        F.assign(tlen + 1, INT_MIN / 2);
        for (int i = 0; i < qlen[p]; ++i) {
            const int* row = submat.data() + q[i] * 24;
            int diag = 0, left = 0, e = INT_MIN / 2;
            for (int j = 1; j <= tlen; ++j) {
                e = std::max(e - ext, left - open);
                F[j] = std::max(F[j] - ext, H[j] - open);
                int h = std::max(std::max(diag + row[t[j - 1]], 0), std::max(e, F[j]));
                diag = H[j];
                H[j] = h;
                left = h;
                best = std::max(best, h);
            }
        }
        if (best != score[p]) ok = false;
    }
    report("smith_waterman_warp_affine", ok);
}

// ---------------------------------------------------------------------------
// 28. Arithmetic Asian call by Monte Carlo, Philox4x32-10, one path per thread
// ---------------------------------------------------------------------------

__host__ __device__ __forceinline__ void philox4x32_10(uint32_t c[4], uint32_t k0, uint32_t k1)
{
    for (int r = 0; r < 10; ++r) {
        const uint64_t p0 = 0xD2511F53ull * c[0];
        const uint64_t p1 = 0xCD9E8D57ull * c[2];
        const uint32_t n0 = static_cast<uint32_t>(p1 >> 32) ^ c[1] ^ k0;
        const uint32_t n2 = static_cast<uint32_t>(p0 >> 32) ^ c[3] ^ k1;
        c[1] = static_cast<uint32_t>(p1);
        c[3] = static_cast<uint32_t>(p0);
        c[0] = n0;
        c[2] = n2;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
}

__global__ void __launch_bounds__(256)
asian_call_mc_philox(float s0, float strike, float drift, float vol, int steps4, uint32_t seed,
                     double* __restrict__ block_sum, double* __restrict__ block_sq)
{
    __shared__ double red[2][8];
    const uint32_t path = blockIdx.x * 256 + threadIdx.x;
    float logm = 0.f, avg = 0.f;
    for (int b = 0; b < steps4; ++b) {
        uint32_t c[4] = {path, static_cast<uint32_t>(b), 0u, 7u};
        philox4x32_10(c, seed, 0xCAFEF00Du);
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            const float u1 = (static_cast<float>(c[2 * h]) + 0.5f) * 2.3283064365386963e-10f;
            const float u2 = static_cast<float>(c[2 * h + 1]) * 2.3283064365386963e-10f;
            const float rad = sqrtf(-2.f * logf(u1));
            float sn, cs;
            sincospif(2.f * u2, &sn, &cs);
            logm += drift + vol * rad * cs;
            avg += expf(logm);
            logm += drift + vol * rad * sn;
            avg += expf(logm);
        }
    }
    const float mean = s0 * avg / static_cast<float>(4 * steps4);
    const double pay = fmaxf(mean - strike, 0.f);
    const double a = warp_sum(pay), q = warp_sum(pay * pay);
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    if (lane == 0) {
        red[0][warp] = a;
        red[1][warp] = q;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        double ta = 0.0, tq = 0.0;
        for (int w = 0; w < 8; ++w) {
            ta += red[0][w];
            tq += red[1][w];
        }
        block_sum[blockIdx.x] = ta;
        block_sq[blockIdx.x] = tq;
    }
}

static void run_asian_call_mc_philox()
{
    const int blocks = 264, steps4 = 12, steps = 4 * steps4;
    const double s0 = 100, strike = 103, rate = 0.03, sigma = 0.25, dt = 1.0 / steps;
    const float drift = static_cast<float>((rate - 0.5 * sigma * sigma) * dt);
    const float vol = static_cast<float>(sigma * std::sqrt(dt));
    const uint32_t seed = 20240607u;
    DevArray<double> d_sum(blocks), d_sq(blocks);
    for (int it = 0; it < kRepeats; ++it)
        asian_call_mc_philox<<<blocks, 256>>>(static_cast<float>(s0), static_cast<float>(strike),
                                              drift, vol, steps4, seed, d_sum.get(), d_sq.get());
    finish_launches();

    std::vector<double> sum = d_sum.host(), sq = d_sq.host();
    bool ok = true;
    for (int b = 0; b < blocks; ++b) {
        double rs = 0, rq = 0;
        for (int t = 0; t < 256; ++t) {
            double logm = 0, avg = 0;
            for (int k = 0; k < steps4; ++k) {
                uint32_t c[4] = {static_cast<uint32_t>(b * 256 + t), static_cast<uint32_t>(k), 0u, 7u};
                philox4x32_10(c, seed, 0xCAFEF00Du);
                for (int h = 0; h < 2; ++h) {
                    float u1 = (static_cast<float>(c[2 * h]) + 0.5f) * 2.3283064365386963e-10f;
                    float u2 = static_cast<float>(c[2 * h + 1]) * 2.3283064365386963e-10f;
                    double rad = std::sqrt(-2.0 * std::log(static_cast<double>(u1)));
                    double ang = 6.283185307179586 * u2;
                    logm += drift + vol * rad * std::cos(ang);
                    avg += std::exp(logm);
                    logm += drift + vol * rad * std::sin(ang);
                    avg += std::exp(logm);
                }
            }
            double pay = std::max(s0 * avg / steps - strike, 0.0);
            rs += pay;
            rq += pay * pay;
        }
        if (!(std::fabs(rs - sum[b]) <= 2e-5 * rs + 1e-3) || !(std::fabs(rq - sq[b]) <= 4e-5 * rq + 1e-2)) ok = false;
    }
    report("asian_call_mc_philox", ok);
}

// ---------------------------------------------------------------------------
// 29. Double SHA-256 of fixed 64-byte records (Merkle leaves)
// ---------------------------------------------------------------------------

#define SHA256_K_TABLE                                                              \
    0x428a2f98u, 0x71374491u, 0xb5c0fbcfu, 0xe9b5dba5u, 0x3956c25bu, 0x59f111f1u,   \
    0x923f82a4u, 0xab1c5ed5u, 0xd807aa98u, 0x12835b01u, 0x243185beu, 0x550c7dc3u,   \
    0x72be5d74u, 0x80deb1feu, 0x9bdc06a7u, 0xc19bf174u, 0xe49b69c1u, 0xefbe4786u,   \
    0x0fc19dc6u, 0x240ca1ccu, 0x2de92c6fu, 0x4a7484aau, 0x5cb0a9dcu, 0x76f988dau,   \
    0x983e5152u, 0xa831c66du, 0xb00327c8u, 0xbf597fc7u, 0xc6e00bf3u, 0xd5a79147u,   \
    0x06ca6351u, 0x14292967u, 0x27b70a85u, 0x2e1b2138u, 0x4d2c6dfcu, 0x53380d13u,   \
    0x650a7354u, 0x766a0abbu, 0x81c2c92eu, 0x92722c85u, 0xa2bfe8a1u, 0xa81a664bu,   \
    0xc24b8b70u, 0xc76c51a3u, 0xd192e819u, 0xd6990624u, 0xf40e3585u, 0x106aa070u,   \
    0x19a4c116u, 0x1e376c08u, 0x2748774cu, 0x34b0bcb5u, 0x391c0cb3u, 0x4ed8aa4au,   \
    0x5b9cca4fu, 0x682e6ff3u, 0x748f82eeu, 0x78a5636fu, 0x84c87814u, 0x8cc70208u,   \
    0x90befffau, 0xa4506cebu, 0xbef9a3f7u, 0xc67178f2u

#define SHA256_IV                                                                   \
    0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au, 0x510e527fu, 0x9b05688cu,   \
    0x1f83d9abu, 0x5be0cd19u

__constant__ uint32_t c_sha_k[64] = {SHA256_K_TABLE};
static const uint32_t h_sha_k[64] = {SHA256_K_TABLE};

__device__ __forceinline__ uint32_t rotr32(uint32_t v, int n) { return __funnelshift_r(v, v, n); }

__device__ __forceinline__ void sha256_block(uint32_t st[8], uint32_t w[16])
{
    uint32_t a = st[0], b = st[1], c = st[2], d = st[3];
    uint32_t e = st[4], f = st[5], g = st[6], h = st[7];
#pragma unroll
    for (int i = 0; i < 64; ++i) {
        if (i >= 16) {
            const uint32_t x = w[(i + 1) & 15], y = w[(i + 14) & 15];
            w[i & 15] += (rotr32(x, 7) ^ rotr32(x, 18) ^ (x >> 3)) + w[(i + 9) & 15] +
                         (rotr32(y, 17) ^ rotr32(y, 19) ^ (y >> 10));
        }
        const uint32_t t1 = h + (rotr32(e, 6) ^ rotr32(e, 11) ^ rotr32(e, 25)) +
                            (g ^ (e & (f ^ g))) + c_sha_k[i] + w[i & 15];
        const uint32_t t2 = (rotr32(a, 2) ^ rotr32(a, 13) ^ rotr32(a, 22)) +
                            ((a & b) | (c & (a | b)));
        h = g; g = f; f = e; e = d + t1;
        d = c; c = b; b = a; a = t1 + t2;
    }
    st[0] += a; st[1] += b; st[2] += c; st[3] += d;
    st[4] += e; st[5] += f; st[6] += g; st[7] += h;
}

__global__ void __launch_bounds__(128)
sha256d_record_digest(const uint4* __restrict__ records, int n, uint4* __restrict__ digest)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uint32_t w[16];
#pragma unroll
    for (int q = 0; q < 4; ++q) {
        const uint4 v = records[static_cast<size_t>(i) * 4 + q];
        w[4 * q + 0] = __byte_perm(v.x, 0u, 0x0123);
        w[4 * q + 1] = __byte_perm(v.y, 0u, 0x0123);
        w[4 * q + 2] = __byte_perm(v.z, 0u, 0x0123);
        w[4 * q + 3] = __byte_perm(v.w, 0u, 0x0123);
    }
    uint32_t st[8] = {SHA256_IV};
    sha256_block(st, w);
    w[0] = 0x80000000u;
#pragma unroll
    for (int k = 1; k < 15; ++k) w[k] = 0u;
    w[15] = 512u;
    sha256_block(st, w);

    const uint32_t iv[8] = {SHA256_IV};
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        w[k] = st[k];
        st[k] = iv[k];
    }
    w[8] = 0x80000000u;
#pragma unroll
    for (int k = 9; k < 15; ++k) w[k] = 0u;
    w[15] = 256u;
    sha256_block(st, w);
    digest[static_cast<size_t>(i) * 2] =
        make_uint4(__byte_perm(st[0], 0u, 0x0123), __byte_perm(st[1], 0u, 0x0123),
                   __byte_perm(st[2], 0u, 0x0123), __byte_perm(st[3], 0u, 0x0123));
    digest[static_cast<size_t>(i) * 2 + 1] =
        make_uint4(__byte_perm(st[4], 0u, 0x0123), __byte_perm(st[5], 0u, 0x0123),
                   __byte_perm(st[6], 0u, 0x0123), __byte_perm(st[7], 0u, 0x0123));
}

// Plain byte-oriented reference.
static void host_sha256(const unsigned char* msg, size_t len, unsigned char out[32])
{
    uint32_t st[8] = {SHA256_IV};
    unsigned char buf[256];
    size_t total = ((len + 8) / 64 + 1) * 64;
    std::memset(buf, 0, sizeof(buf));
    std::memcpy(buf, msg, len);
    buf[len] = 0x80;
    for (int k = 0; k < 8; ++k) buf[total - 1 - k] = static_cast<unsigned char>((static_cast<uint64_t>(len) * 8) >> (8 * k));
    auto rot = [](uint32_t v, int n) { return (v >> n) | (v << (32 - n)); };
    for (size_t o = 0; o < total; o += 64) {
        uint32_t w[64], s[8];
        for (int t = 0; t < 16; ++t)
            w[t] = static_cast<uint32_t>(buf[o + 4 * t]) << 24 | static_cast<uint32_t>(buf[o + 4 * t + 1]) << 16 |
                   static_cast<uint32_t>(buf[o + 4 * t + 2]) << 8 | buf[o + 4 * t + 3];
        for (int t = 16; t < 64; ++t)
            w[t] = w[t - 16] + (rot(w[t - 15], 7) ^ rot(w[t - 15], 18) ^ (w[t - 15] >> 3)) + w[t - 7] +
                   (rot(w[t - 2], 17) ^ rot(w[t - 2], 19) ^ (w[t - 2] >> 10));
        std::memcpy(s, st, sizeof(s));
        for (int t = 0; t < 64; ++t) {
            uint32_t t1 = s[7] + (rot(s[4], 6) ^ rot(s[4], 11) ^ rot(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) +
                          h_sha_k[t] + w[t];
            uint32_t t2 = (rot(s[0], 2) ^ rot(s[0], 13) ^ rot(s[0], 22)) +
                          ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
            for (int k = 7; k > 0; --k) s[k] = s[k - 1];
            s[4] += t1;
            s[0] = t1 + t2;
        }
        for (int k = 0; k < 8; ++k) st[k] += s[k];
    }
    for (int k = 0; k < 32; ++k) out[k] = static_cast<unsigned char>(st[k / 4] >> (24 - 8 * (k % 4)));
}

static void run_sha256d_record_digest()
{
    const int n = 90000;
    Rng rng(129);
    std::vector<uint4> rec(static_cast<size_t>(n) * 4);
    unsigned char* rb = reinterpret_cast<unsigned char*>(rec.data());
    for (int i = 0; i < n; ++i) {
        char line[96];
        std::snprintf(line, sizeof(line), "txn=%08d;acct=%010u;amt=%07d;memo=%016llx;................", i,
                      rng.u32(), rng.below(1000000), static_cast<unsigned long long>(rng.u64()));
        std::memcpy(rb + static_cast<size_t>(i) * 64, line, 64);
    }
    DevArray<uint4> d_rec(rec), d_dig(static_cast<size_t>(n) * 2);
    for (int it = 0; it < kRepeats; ++it)
        sha256d_record_digest<<<div_up(n, 128), 128>>>(d_rec.get(), n, d_dig.get());
    finish_launches();

    std::vector<uint4> dig = d_dig.host();
    const unsigned char* db = reinterpret_cast<const unsigned char*>(dig.data());
    bool ok = true;
    for (int i = 0; i < n; ++i) {
        unsigned char once[32], twice[32];
        host_sha256(rb + static_cast<size_t>(i) * 64, 64, once);
        host_sha256(once, 32, twice);
        if (std::memcmp(twice, db + static_cast<size_t>(i) * 32, 32) != 0) ok = false;
    }
    report("sha256d_record_digest", ok);
}

// ---------------------------------------------------------------------------

int main()
{
    CUDA_OK(cudaSetDevice(0));
    run_csr_vector_spmv_fp64();
    run_sell32_sigma_spmv();
    run_triangle_count_edge_warp();
    run_byte_histogram_warp_private();
    run_cic_charge_deposit();
    run_filter_compact_warp_aggregated();
    run_groupby_hash_build_cas();
    run_bucket_hash_probe_tile8();
    run_bitonic_tile_sort_pairs();
    run_exclusive_scan_lookback();
    run_merge_path_merge_runs();
    run_layernorm_affine_768();
    run_online_softmax_half_warp();
    run_residual_norms_last_block();
    run_heat7pt_fp64_zmarch();
    run_lbm_d2q9_pull_bgk();
    run_acoustic3d_order8_zqueue();
    run_bilateral7x7_texture();
    run_affine_warp_rgba_texture();
    run_median3x3_shared_tile();
    run_waxpy_float4_stream();
    run_transpose_padded_tile32();
    run_embedding_bag_weighted_mean();
    run_gemv_int8_dp4a_relu();
    run_lj_force_neighbor_list();
    run_sph_density_cell_grid();
    run_smith_waterman_warp_affine();
    run_asian_call_mc_philox();
    run_sha256d_record_digest();
    std::printf("%d of 29 kernels wrong\n", g_failures);
    return g_failures ? 1 : 0;
}
