// Geo-analytics and retrieval kernels: regression driver.
//
// Every kernel is run on a small and on a production-like problem and checked
// against a host reference.  Inputs are synthetic but follow the distributions
// we see in production (clustered points, power-law degrees, skewed keys, ...).

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <cooperative_groups.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace cg = cooperative_groups;

using u64 = unsigned long long;

constexpr unsigned kFullMask = 0xffffffffu;

// ---------------------------------------------------------------------------
// Host-side helpers
// ---------------------------------------------------------------------------

#define CUDA_CHECK(expr)                                                          \
    do {                                                                          \
        cudaError_t err_ = (expr);                                                \
        if (err_ != cudaSuccess) {                                                \
            std::fprintf(stderr, "%s:%d: CUDA error %d in %s\n", __FILE__,        \
                         __LINE__, static_cast<int>(err_), #expr);                \
            std::exit(2);                                                         \
        }                                                                         \
    } while (0)

static void finish_launch()
{
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
}

template <class T>
class DeviceArray {
public:
    explicit DeviceArray(size_t n) : n_(n)
    {
        CUDA_CHECK(cudaMalloc(reinterpret_cast<void**>(&ptr_), std::max<size_t>(n, 1) * sizeof(T)));
    }
    explicit DeviceArray(const std::vector<T>& host) : DeviceArray(host.size())
    {
        if (!host.empty())
            CUDA_CHECK(cudaMemcpy(ptr_, host.data(), n_ * sizeof(T), cudaMemcpyHostToDevice));
    }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;
    ~DeviceArray() { cudaFree(ptr_); }

    void fill_bytes(int byte) { CUDA_CHECK(cudaMemset(ptr_, byte, std::max<size_t>(n_, 1) * sizeof(T))); }
    std::vector<T> fetch() const
    {
        std::vector<T> host(n_);
        if (n_)
            CUDA_CHECK(cudaMemcpy(host.data(), ptr_, n_ * sizeof(T), cudaMemcpyDeviceToHost));
        return host;
    }
    T* get() const { return ptr_; }

private:
    T* ptr_ = nullptr;
    size_t n_ = 0;
};

struct Rng {
    uint64_t state;
    explicit Rng(uint64_t seed) : state(seed * 0x9E3779B97F4A7C15ull + 0x1234567ull) {}
    uint64_t next()
    {
        uint64_t z = (state += 0x9E3779B97F4A7C15ull);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
        return z ^ (z >> 31);
    }
    uint32_t u32() { return static_cast<uint32_t>(next() >> 32); }
    int below(int n) { return static_cast<int>((static_cast<uint64_t>(u32()) * static_cast<uint64_t>(n)) >> 32); }
    int range(int lo, int hi) { return lo + below(hi - lo + 1); }
    float uniform() { return static_cast<float>(next() >> 40) * (1.0f / 16777216.0f); }
    float uniform(float lo, float hi) { return lo + (hi - lo) * uniform(); }
    // Sum of uniforms: close enough to a Gaussian for synthetic data, and fast.
    float normal()
    {
        float s = uniform() + uniform() + uniform() + uniform() + uniform() + uniform();
        return (s - 3.0f) * 1.41421356f;
    }
    // Rank-skewed index: small indices are much more likely.
    int skewed(int n, float power)
    {
        int i = static_cast<int>(static_cast<float>(n) * std::pow(uniform(), power));
        return std::min(i, n - 1);
    }
    // Pareto-like degree, clamped to [lo, hi].
    int pareto(int lo, int hi, float alpha)
    {
        float u = std::max(uniform(), 1e-6f);
        float d = static_cast<float>(lo) * std::pow(u, -1.0f / alpha);
        return static_cast<int>(std::min(d, static_cast<float>(hi)));
    }
};

// Value noise with several octaves, roughly in [0, 1].
static std::vector<float> fractal_field(int w, int h, int base_cell, int octaves, uint64_t seed)
{
    std::vector<float> field(static_cast<size_t>(w) * h, 0.0f);
    Rng rng(seed);
    float amp = 0.5f;
    float norm = 0.0f;
    int cell = base_cell;
    for (int o = 0; o < octaves && cell >= 1; ++o) {
        int lw = w / cell + 2, lh = h / cell + 2;
        std::vector<float> lattice(static_cast<size_t>(lw) * lh);
        for (float& v : lattice) v = rng.uniform();
        float inv = 1.0f / static_cast<float>(cell);
        for (int y = 0; y < h; ++y) {
            int ly = y / cell;
            float fy = static_cast<float>(y - ly * cell) * inv;
            fy = fy * fy * (3.0f - 2.0f * fy);
            for (int x = 0; x < w; ++x) {
                int lx = x / cell;
                float fx = static_cast<float>(x - lx * cell) * inv;
                fx = fx * fx * (3.0f - 2.0f * fx);
                const float* r0 = &lattice[static_cast<size_t>(ly) * lw + lx];
                const float* r1 = r0 + lw;
                float a = r0[0] + (r0[1] - r0[0]) * fx;
                float b = r1[0] + (r1[1] - r1[0]) * fx;
                field[static_cast<size_t>(y) * w + x] += amp * (a + (b - a) * fy);
            }
        }
        norm += amp;
        amp *= 0.5f;
        cell /= 2;
    }
    for (float& v : field) v /= norm;
    return field;
}

static bool close_to(double got, double want, double atol, double rtol)
{
    return std::fabs(got - want) <= atol + rtol * std::fabs(want);
}

static int div_up(int a, int b) { return (a + b - 1) / b; }

static int g_failures = 0;

static void report(const char* name, bool ok)
{
    std::printf("%s %s\n", name, ok ? "ok" : "WRONG");
    std::fflush(stdout);
    if (!ok) ++g_failures;
}

// ---------------------------------------------------------------------------
// 1. Embedding-bag pooling for ad ranking: one warp pools one bag of ids.
// ---------------------------------------------------------------------------

constexpr int kEmbDim = 64;

__global__ void embedding_bag_pool(const __half2* __restrict__ table, const int* __restrict__ bag_offsets,
                                   const int* __restrict__ ids, const float* __restrict__ weights,
                                   float2* __restrict__ pooled, int num_bags)
{
    int bag = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) >> 5);
    int lane = threadIdx.x & 31;
    if (bag >= num_bags) return;

    int begin = bag_offsets[bag];
    int end = bag_offsets[bag + 1];
    float2 acc = make_float2(0.0f, 0.0f);
    float wsum = 0.0f;
#pragma unroll 4
    for (int i = begin; i < end; ++i) {
        float w = weights[i];
        float2 v = __half22float2(table[static_cast<size_t>(ids[i]) * (kEmbDim / 2) + lane]);
        acc.x = fmaf(w, v.x, acc.x);
        acc.y = fmaf(w, v.y, acc.y);
        wsum += w;
    }
    float inv = wsum > 0.0f ? 1.0f / wsum : 0.0f;
    pooled[static_cast<size_t>(bag) * (kEmbDim / 2) + lane] = make_float2(acc.x * inv, acc.y * inv);
}

static bool embedding_bag_case(int vocab, int num_bags, uint64_t seed)
{
    Rng rng(seed);
    std::vector<__half2> table(static_cast<size_t>(vocab) * kEmbDim / 2);
    std::vector<float> table_f(static_cast<size_t>(vocab) * kEmbDim);
    for (size_t i = 0; i < table.size(); ++i) {
        __half a = __float2half(rng.uniform(-0.5f, 0.5f));
        __half b = __float2half(rng.uniform(-0.5f, 0.5f));
        table[i] = __halves2half2(a, b);
        table_f[2 * i] = __half2float(a);
        table_f[2 * i + 1] = __half2float(b);
    }
    std::vector<int> offsets(num_bags + 1, 0);
    for (int b = 0; b < num_bags; ++b) {
        int len = rng.below(20) == 0 ? 0 : rng.pareto(6, 240, 1.2f);
        offsets[b + 1] = offsets[b] + len;
    }
    std::vector<int> ids(offsets[num_bags]);
    std::vector<float> weights(ids.size());
    for (size_t i = 0; i < ids.size(); ++i) {
        ids[i] = rng.skewed(vocab, 2.5f);
        weights[i] = rng.uniform(0.1f, 1.0f);
    }

    DeviceArray<__half2> d_table(table);
    DeviceArray<int> d_off(offsets), d_ids(ids);
    DeviceArray<float> d_w(weights);
    DeviceArray<float2> d_out(static_cast<size_t>(num_bags) * kEmbDim / 2);
    d_out.fill_bytes(0xFF);
    embedding_bag_pool<<<div_up(num_bags * 32, 256), 256>>>(d_table.get(), d_off.get(), d_ids.get(), d_w.get(),
                                                            d_out.get(), num_bags);
    finish_launch();
    std::vector<float2> out = d_out.fetch();

    bool ok = true;
    for (int b = 0; b < num_bags; ++b) {
        float acc[kEmbDim] = {};
        float wsum = 0.0f;
        for (int i = offsets[b]; i < offsets[b + 1]; ++i) {
            const float* row = &table_f[static_cast<size_t>(ids[i]) * kEmbDim];
            for (int d = 0; d < kEmbDim; ++d) acc[d] += weights[i] * row[d];
            wsum += weights[i];
        }
        float inv = wsum > 0.0f ? 1.0f / wsum : 0.0f;
        for (int d = 0; d < kEmbDim; ++d) {
            const float2& v = out[static_cast<size_t>(b) * kEmbDim / 2 + d / 2];
            ok &= close_to((d & 1) ? v.y : v.x, acc[d] * inv, 1e-5, 1e-4);
        }
    }
    return ok;
}

static void test_embedding_bag_pool()
{
    bool ok = embedding_bag_case(700, 130, 11);
    ok &= embedding_bag_case(90000, 22000, 12);
    report("embedding_bag_pool", ok);
}

// ---------------------------------------------------------------------------
// 2. Atmospheric correction: path reflectance and transmittance come from a
//    3-D look-up table (aerosol, water vapour, view zenith) in a texture.
// ---------------------------------------------------------------------------

struct LutAxes {
    float aot_min, aot_scale;
    float wv_min, wv_scale;
    float vza_min, vza_scale;
};

__global__ void atm_lut_correct(cudaTextureObject_t lut, const uint16_t* __restrict__ toa_dn,
                                const float* __restrict__ aot, const float* __restrict__ water_vapour,
                                const uint16_t* __restrict__ vza_cdeg, float* __restrict__ surface, int n,
                                LutAxes ax, float spherical_albedo)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float u = (aot[i] - ax.aot_min) * ax.aot_scale + 0.5f;
    float v = (water_vapour[i] - ax.wv_min) * ax.wv_scale + 0.5f;
    float w = (static_cast<float>(vza_cdeg[i]) * 0.01f - ax.vza_min) * ax.vza_scale + 0.5f;
    float2 pt = tex3D<float2>(lut, u, v, w);
    float toa = static_cast<float>(toa_dn[i]) * 1e-4f;
    float y = (toa - pt.x) / pt.y;
    surface[i] = y / (1.0f + spherical_albedo * y);
}

static bool atm_lut_case(int n, int na, int nw, int nz, uint64_t seed)
{
    Rng rng(seed);
    std::vector<float2> lut(static_cast<size_t>(na) * nw * nz);
    for (int z = 0; z < nz; ++z)
        for (int y = 0; y < nw; ++y)
            for (int x = 0; x < na; ++x) {
                float a = static_cast<float>(x) / (na - 1), b = static_cast<float>(y) / (nw - 1);
                float c = static_cast<float>(z) / (nz - 1);
                float airmass = 1.0f + 0.9f * c * c;
                lut[(static_cast<size_t>(z) * nw + y) * na + x] =
                    make_float2(0.02f + 0.09f * a * airmass, std::exp(-(0.08f + 0.35f * a + 0.12f * b) * airmass));
            }
    LutAxes ax{0.02f, (na - 1) / 1.2f, 0.1f, (nw - 1) / 5.0f, 0.0f, (nz - 1) / 65.0f};
    std::vector<uint16_t> toa(n), vza(n);
    std::vector<float> aot(n), wv(n);
    float a = 0.3f, v = 2.0f;
    for (int i = 0; i < n; ++i) { // slowly varying along the scan line
        a = std::min(1.25f, std::max(0.01f, a + 0.004f * rng.normal()));
        v = std::min(5.2f, std::max(0.05f, v + 0.01f * rng.normal()));
        aot[i] = a;
        wv[i] = v;
        vza[i] = static_cast<uint16_t>((i % 2600) * 250 / 100);
        toa[i] = static_cast<uint16_t>(800 + rng.below(4200));
    }

    cudaChannelFormatDesc desc{32, 32, 0, 0, cudaChannelFormatKindFloat};
    cudaArray_t arr = nullptr;
    cudaExtent extent = make_cudaExtent(na, nw, nz);
    CUDA_CHECK(cudaMalloc3DArray(&arr, &desc, extent));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(lut.data(), na * sizeof(float2), na, nw);
    copy.dstArray = arr;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    CUDA_CHECK(cudaMemcpy3D(&copy));
    cudaResourceDesc res = {};
    res.resType = cudaResourceTypeArray;
    res.res.array.array = arr;
    cudaTextureDesc td = {};
    td.addressMode[0] = td.addressMode[1] = td.addressMode[2] = cudaAddressModeClamp;
    td.filterMode = cudaFilterModeLinear;
    td.readMode = cudaReadModeElementType;
    cudaTextureObject_t tex = 0;
    CUDA_CHECK(cudaCreateTextureObject(&tex, &res, &td, nullptr));

    const float albedo = 0.12f;
    bool ok = true;
    {
        DeviceArray<uint16_t> d_toa(toa), d_vza(vza);
        DeviceArray<float> d_aot(aot), d_wv(wv), d_out(n);
        d_out.fill_bytes(0xFF);
        atm_lut_correct<<<div_up(n, 256), 256>>>(tex, d_toa.get(), d_aot.get(), d_wv.get(), d_vza.get(), d_out.get(),
                                                 n, ax, albedo);
        finish_launch();
        std::vector<float> out = d_out.fetch();
        auto split = [](float t, int len, int& i0, float& f) {
            t = std::min(std::max(t, 0.0f), static_cast<float>(len - 1));
            i0 = std::min(static_cast<int>(t), len - 2);
            f = t - static_cast<float>(i0);
        };
        for (int i = 0; i < n; ++i) {
            int x, y, z;
            float fx, fy, fz;
            split((aot[i] - ax.aot_min) * ax.aot_scale, na, x, fx);
            split((wv[i] - ax.wv_min) * ax.wv_scale, nw, y, fy);
            split((vza[i] * 0.01f - ax.vza_min) * ax.vza_scale, nz, z, fz);
            float path = 0.0f, trans = 0.0f;
            for (int c = 0; c < 8; ++c) {
                float wgt = ((c & 1) ? fx : 1 - fx) * ((c & 2) ? fy : 1 - fy) * ((c & 4) ? fz : 1 - fz);
                const float2& t =
                    lut[(static_cast<size_t>(z + (c >> 2)) * nw + y + ((c >> 1) & 1)) * na + x + (c & 1)];
                path += wgt * t.x;
                trans += wgt * t.y;
            }
            float s = (toa[i] * 1e-4f - path) / trans;
            s = s / (1.0f + albedo * s);
            ok &= close_to(out[i], s, 3e-3, 3e-3);
        }
    }
    CUDA_CHECK(cudaDestroyTextureObject(tex));
    CUDA_CHECK(cudaFreeArray(arr));
    return ok;
}

static void test_atm_lut_correct()
{
    bool ok = atm_lut_case(5000, 12, 8, 10, 21);
    ok &= atm_lut_case(2200000, 25, 16, 14, 22);
    report("atm_lut_correct", ok);
}

// ---------------------------------------------------------------------------
// 3. Geodetic network adjustment: residual r = b - A x with the CSR normal
//    matrix in double precision, one warp per row, grid-stride over rows.
// ---------------------------------------------------------------------------

__global__ void geodetic_residual_spmv(const int* __restrict__ row_ptr, const int* __restrict__ col,
                                       const double* __restrict__ val, const double* __restrict__ x,
                                       const double* __restrict__ b, double* __restrict__ r, int rows)
{
    int lane = threadIdx.x & 31;
    int warp = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) >> 5);
    int num_warps = static_cast<int>((gridDim.x * blockDim.x) >> 5);
    for (int row = warp; row < rows; row += num_warps) {
        double sum = 0.0;
        int end = row_ptr[row + 1];
        for (int e = row_ptr[row] + lane; e < end; e += 32) sum += val[e] * x[col[e]];
        for (int d = 16; d > 0; d >>= 1) sum += __shfl_down_sync(kFullMask, sum, d);
        if (lane == 0) r[row] = b[row] - sum;
    }
}

static bool geodetic_case(int rows, int blocks, uint64_t seed)
{
    Rng rng(seed);
    std::vector<int> row_ptr(rows + 1, 0), col;
    std::vector<double> val;
    for (int i = 0; i < rows; ++i) {
        int local = rng.range(12, 36);
        double diag = 1.0;
        size_t first = col.size();
        for (int k = 0; k < local; ++k) { // neighbours of the triangulation, spatially sorted
            int j = i + rng.range(-150, 150);
            if (j < 0 || j >= rows || j == i) continue;
            double w = rng.uniform(0.1f, 1.0f);
            col.push_back(j);
            val.push_back(-w);
            diag += w;
        }
        if (rng.below(12) == 0) { // GNSS baselines to far stations
            int far = rng.range(4, 60);
            for (int k = 0; k < far; ++k) {
                double w = rng.uniform(0.01f, 0.1f);
                col.push_back(rng.below(rows));
                val.push_back(-w);
                diag += w;
            }
        }
        std::sort(col.begin() + static_cast<long>(first), col.end());
        col.push_back(i);
        val.push_back(diag);
        row_ptr[i + 1] = static_cast<int>(col.size());
    }
    std::vector<double> x(rows), b(rows);
    for (int i = 0; i < rows; ++i) {
        x[i] = rng.normal();
        b[i] = 0.01 * rng.normal();
    }

    DeviceArray<int> d_ptr(row_ptr), d_col(col);
    DeviceArray<double> d_val(val), d_x(x), d_b(b), d_r(rows);
    d_r.fill_bytes(0xFF);
    geodetic_residual_spmv<<<blocks, 192>>>(d_ptr.get(), d_col.get(), d_val.get(), d_x.get(), d_b.get(), d_r.get(),
                                            rows);
    finish_launch();
    std::vector<double> r = d_r.fetch();

    bool ok = true;
    for (int i = 0; i < rows; ++i) {
        double sum = 0.0;
        for (int e = row_ptr[i]; e < row_ptr[i + 1]; ++e) sum += val[e] * x[col[e]];
        ok &= close_to(r[i], b[i] - sum, 1e-9, 1e-10);
    }
    return ok;
}

static void test_geodetic_residual_spmv()
{
    bool ok = geodetic_case(900, 20, 31);
    ok &= geodetic_case(62000, 1320, 32);
    report("geodetic_residual_spmv", ok);
}

// ---------------------------------------------------------------------------
// 4. ALS right-hand sides: ratings (CSR, users x items) times the dense item
//    factors; a warp owns a user, a lane owns a factor.
// ---------------------------------------------------------------------------

constexpr int kFactors = 32;

__global__ void als_rhs_spmm(const int* __restrict__ row_ptr, const int* __restrict__ items,
                             const float* __restrict__ ratings, const float* __restrict__ item_factors,
                             float* __restrict__ user_rhs, int num_users)
{
    int user = blockIdx.x * blockDim.y + threadIdx.y;
    if (user >= num_users) return; // uniform within the warp
    int lane = threadIdx.x;
    int begin = row_ptr[user], end = row_ptr[user + 1];
    float acc = 0.0f;
    for (int base = begin; base < end; base += 32) {
        int e = base + lane;
        int item = e < end ? items[e] : 0;
        float rating = e < end ? ratings[e] : 0.0f;
        int count = min(32, end - base);
        for (int j = 0; j < count; ++j) {
            int it = __shfl_sync(kFullMask, item, j);
            float rt = __shfl_sync(kFullMask, rating, j);
            acc = fmaf(rt, item_factors[it * kFactors + lane], acc);
        }
    }
    user_rhs[static_cast<size_t>(user) * kFactors + lane] = acc;
}

static bool als_case(int users, int items, uint64_t seed)
{
    Rng rng(seed);
    std::vector<int> row_ptr(users + 1, 0);
    for (int u = 0; u < users; ++u) row_ptr[u + 1] = row_ptr[u] + rng.pareto(8, 900, 1.3f);
    std::vector<int> cols(row_ptr[users]);
    std::vector<float> vals(cols.size()), factors(static_cast<size_t>(items) * kFactors);
    for (size_t i = 0; i < cols.size(); ++i) {
        cols[i] = rng.skewed(items, 2.0f);
        vals[i] = 1.0f + 0.5f * static_cast<float>(rng.below(9));
    }
    for (float& f : factors) f = 0.3f * rng.uniform(-1.0f, 1.0f);

    DeviceArray<int> d_ptr(row_ptr), d_cols(cols);
    DeviceArray<float> d_vals(vals), d_fac(factors), d_out(static_cast<size_t>(users) * kFactors);
    d_out.fill_bytes(0xFF);
    dim3 block(32, 6);
    als_rhs_spmm<<<div_up(users, 6), block>>>(d_ptr.get(), d_cols.get(), d_vals.get(), d_fac.get(), d_out.get(),
                                              users);
    finish_launch();
    std::vector<float> out = d_out.fetch();

    bool ok = true;
    for (int u = 0; u < users; ++u) {
        float acc[kFactors] = {};
        for (int e = row_ptr[u]; e < row_ptr[u + 1]; ++e)
            for (int f = 0; f < kFactors; ++f) acc[f] += vals[e] * factors[static_cast<size_t>(cols[e]) * kFactors + f];
        for (int f = 0; f < kFactors; ++f)
            ok &= close_to(out[static_cast<size_t>(u) * kFactors + f], acc[f], 2e-3, 1e-4);
    }
    return ok;
}

static void test_als_rhs_spmm()
{
    bool ok = als_case(205, 500, 41);
    ok &= als_case(30000, 18000, 42);
    report("als_rhs_spmm", ok);
}

// ---------------------------------------------------------------------------
// 5. Joint land-cover / NDVI histogram, privatised in shared memory.
// ---------------------------------------------------------------------------

constexpr int kCoverClasses = 16;
constexpr int kNdviBins = 64;

__device__ __forceinline__ void ndvi_tally(unsigned* hist, int red, int nir, int cover)
{
    int sum = red + nir;
    if (cover == 0 || cover >= kCoverClasses || sum == 0) return; // fill value
    int bin = kNdviBins / 2 + ((nir - red) * (kNdviBins / 2)) / sum;
    bin = min(bin, kNdviBins - 1);
    atomicAdd(&hist[cover * kNdviBins + bin], 1u);
}

__global__ void landcover_ndvi_hist(const uint16_t* __restrict__ red, const uint16_t* __restrict__ nir,
                                    const uint8_t* __restrict__ cover, unsigned* __restrict__ hist, int n)
{
    __shared__ unsigned local[kCoverClasses * kNdviBins];
    for (int i = threadIdx.x; i < kCoverClasses * kNdviBins; i += blockDim.x) local[i] = 0;
    __syncthreads();

    const ushort4* red4 = reinterpret_cast<const ushort4*>(red);
    const ushort4* nir4 = reinterpret_cast<const ushort4*>(nir);
    const uchar4* cover4 = reinterpret_cast<const uchar4*>(cover);
    int n4 = n / 4;
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n4; i += stride) {
        ushort4 r = red4[i];
        ushort4 v = nir4[i];
        uchar4 c = cover4[i];
        ndvi_tally(local, r.x, v.x, c.x);
        ndvi_tally(local, r.y, v.y, c.y);
        ndvi_tally(local, r.z, v.z, c.z);
        ndvi_tally(local, r.w, v.w, c.w);
    }
    if (blockIdx.x == 0 && static_cast<int>(threadIdx.x) < n - 4 * n4) {
        int i = 4 * n4 + threadIdx.x;
        ndvi_tally(local, red[i], nir[i], cover[i]);
    }
    __syncthreads();

    for (int i = threadIdx.x; i < kCoverClasses * kNdviBins; i += blockDim.x)
        if (local[i]) atomicAdd(&hist[i], local[i]);
}

static bool ndvi_hist_case(int w, int h, int blocks, uint64_t seed)
{
    Rng rng(seed);
    int n = w * h;
    std::vector<float> veg = fractal_field(w, h, 96, 4, seed + 1);
    std::vector<uint16_t> red(n), nir(n);
    std::vector<uint8_t> cover(n);
    for (int i = 0; i < n; ++i) {
        float v = veg[i];
        cover[i] = static_cast<uint8_t>(std::min(15.0f, std::max(0.0f, (v - 0.15f) * 22.0f)));
        red[i] = static_cast<uint16_t>(2600.0f - 2200.0f * v + static_cast<float>(rng.below(300)));
        nir[i] = static_cast<uint16_t>(900.0f + 3600.0f * v + static_cast<float>(rng.below(500)));
        if (rng.below(400) == 0) red[i] = nir[i] = 0;
    }

    DeviceArray<uint16_t> d_red(red), d_nir(nir);
    DeviceArray<uint8_t> d_cover(cover);
    DeviceArray<unsigned> d_hist(kCoverClasses * kNdviBins);
    d_hist.fill_bytes(0);
    landcover_ndvi_hist<<<blocks, 256>>>(d_red.get(), d_nir.get(), d_cover.get(), d_hist.get(), n);
    finish_launch();
    std::vector<unsigned> hist = d_hist.fetch();

    std::vector<unsigned> ref(kCoverClasses * kNdviBins, 0);
    for (int i = 0; i < n; ++i) {
        int s = red[i] + nir[i];
        if (cover[i] == 0 || s == 0) continue;
        int bin = std::min(kNdviBins - 1, kNdviBins / 2 + ((nir[i] - red[i]) * (kNdviBins / 2)) / s);
        ++ref[cover[i] * kNdviBins + bin];
    }
    return hist == ref;
}

static void test_landcover_ndvi_hist()
{
    bool ok = ndvi_hist_case(123, 77, 8, 51);
    ok &= ndvi_hist_case(2101, 1333, 528, 52);
    report("landcover_ndvi_hist", ok);
}

// ---------------------------------------------------------------------------
// 6. Per-service latency histograms (log-linear buckets) from access logs.
//    Lanes of a warp hitting the same counter are merged before the atomic.
// ---------------------------------------------------------------------------

constexpr int kLatencyBuckets = 240;

__global__ void latency_loglin_hist(const uint16_t* __restrict__ service, const uint32_t* __restrict__ latency_us,
                                    unsigned* __restrict__ hist, int n)
{
    int lane = threadIdx.x & 31;
    int stride = gridDim.x * blockDim.x;
    for (int base = blockIdx.x * blockDim.x + (threadIdx.x & ~31u); base < n; base += stride) {
        int i = base + lane;
        bool active = i < n;
        unsigned mask = __ballot_sync(kFullMask, active);
        if (active) {
            uint32_t us = latency_us[i];
            int bucket = static_cast<int>(us);
            if (us >= 16) {
                int msb = 31 - __clz(static_cast<int>(us));
                bucket = 16 + (msb - 4) * 8 + static_cast<int>((us >> (msb - 3)) & 7);
            }
            int key = service[i] * kLatencyBuckets + bucket;
            unsigned peers = __match_any_sync(mask, key);
            if (lane == __ffs(static_cast<int>(peers)) - 1) atomicAdd(&hist[key], static_cast<unsigned>(__popc(peers)));
        }
        __syncwarp();
    }
}

static bool latency_case(int n, int services, int blocks, uint64_t seed)
{
    Rng rng(seed);
    std::vector<uint16_t> svc(n);
    std::vector<uint32_t> lat(n);
    for (int i = 0; i < n; ++i) {
        svc[i] = static_cast<uint16_t>(rng.skewed(services, 3.0f));
        float mu = 6.0f + static_cast<float>(svc[i] % 7) * 0.5f;
        lat[i] = static_cast<uint32_t>(std::exp(mu + 0.9f * rng.normal()));
        if (rng.below(3000) == 0) lat[i] = 30000000u; // client timeout
    }

    DeviceArray<uint16_t> d_svc(svc);
    DeviceArray<uint32_t> d_lat(lat);
    DeviceArray<unsigned> d_hist(static_cast<size_t>(services) * kLatencyBuckets);
    d_hist.fill_bytes(0);
    latency_loglin_hist<<<blocks, 512>>>(d_svc.get(), d_lat.get(), d_hist.get(), n);
    finish_launch();
    std::vector<unsigned> hist = d_hist.fetch();

    std::vector<unsigned> ref(hist.size(), 0);
    for (int i = 0; i < n; ++i) {
        uint32_t us = lat[i];
        int bucket = static_cast<int>(us);
        if (us >= 16) {
            int msb = 4;
            while (msb < 31 && (us >> (msb + 1))) ++msb;
            bucket = 16 + (msb - 4) * 8 + static_cast<int>((us >> (msb - 3)) & 7);
        }
        ++ref[static_cast<size_t>(svc[i]) * kLatencyBuckets + bucket];
    }
    return hist == ref;
}

static void test_latency_loglin_hist()
{
    bool ok = latency_case(7001, 12, 6, 61);
    ok &= latency_case(1800000, 160, 396, 62);
    report("latency_loglin_hist", ok);
}

// ---------------------------------------------------------------------------
// 7. Routing: relaxation of one bucket of delta-stepping on a road graph.
// ---------------------------------------------------------------------------

__global__ void road_bucket_relax(const int2* __restrict__ frontier, int frontier_size,
                                  const int* __restrict__ row_ptr, const int* __restrict__ head,
                                  const int* __restrict__ travel_ds, int* __restrict__ dist, int* __restrict__ queued,
                                  int* __restrict__ next_frontier, int* __restrict__ next_size, int bucket_end)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= frontier_size) return;
    int2 entry = frontier[t]; // vertex and its distance when it was queued
    int end = row_ptr[entry.x + 1];
    for (int e = row_ptr[entry.x]; e < end; ++e) {
        int v = head[e];
        int nd = entry.y + travel_ds[e];
        int old = atomicMin(&dist[v], nd);
        if (nd < old && nd < bucket_end) {
            if (atomicExch(&queued[v], 1) == 0) next_frontier[atomicAdd(next_size, 1)] = v;
        }
    }
}

static bool road_case(int w, int h, int depots, int bucket_begin, int bucket_end, uint64_t seed)
{
    Rng rng(seed);
    const int n = w * h;
    std::vector<std::pair<int, int>> edges;
    std::vector<int> cost;
    auto add_road = [&](int a, int b, int c) {
        edges.emplace_back(a, b);
        cost.push_back(c);
        edges.emplace_back(b, a);
        cost.push_back(c + rng.below(3));
    };
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            int v = y * w + x;
            if (x + 1 < w && rng.below(10) != 0) add_road(v, v + 1, rng.range(20, 160));
            if (y + 1 < h && rng.below(10) != 0) add_road(v, v + w, rng.range(20, 160));
            if (x + 12 < w && y % 40 == 7 && x % 12 == 0) add_road(v, v + 12, rng.range(150, 260)); // motorway
        }
    std::vector<int> row_ptr(n + 1, 0), head(edges.size()), travel(edges.size());
    for (auto& e : edges) ++row_ptr[e.first + 1];
    for (int i = 0; i < n; ++i) row_ptr[i + 1] += row_ptr[i];
    std::vector<int> fill(row_ptr.begin(), row_ptr.end() - 1);
    for (size_t k = 0; k < edges.size(); ++k) {
        int p = fill[edges[k].first]++;
        head[p] = edges[k].second;
        travel[p] = cost[k];
    }
    // Settle everything before this bucket with Dijkstra from all depots.
    std::vector<int> dist(n, INT_MAX);
    using Item = std::pair<int, int>;
    std::priority_queue<Item, std::vector<Item>, std::greater<Item>> heap;
    for (int d = 0; d < depots; ++d) {
        int v = rng.below(n);
        dist[v] = 0;
        heap.emplace(0, v);
    }
    while (!heap.empty() && heap.top().first < bucket_begin) {
        auto [d, v] = heap.top();
        heap.pop();
        if (d != dist[v]) continue;
        for (int e = row_ptr[v]; e < row_ptr[v + 1]; ++e)
            if (d + travel[e] < dist[head[e]]) {
                dist[head[e]] = d + travel[e];
                heap.emplace(dist[head[e]], head[e]);
            }
    }
    std::vector<int2> frontier;
    for (int v = 0; v < n; ++v)
        if (dist[v] >= bucket_begin && dist[v] < bucket_end) frontier.push_back(make_int2(v, dist[v]));
    if (frontier.empty()) return false;
    int fsize = static_cast<int>(frontier.size());

    DeviceArray<int2> d_frontier(frontier);
    DeviceArray<int> d_ptr(row_ptr), d_head(head), d_travel(travel), d_dist(dist), d_queued(n), d_next(n), d_count(1);
    d_queued.fill_bytes(0);
    d_count.fill_bytes(0);
    road_bucket_relax<<<div_up(fsize, 128), 128>>>(d_frontier.get(), fsize, d_ptr.get(), d_head.get(),
                                                   d_travel.get(), d_dist.get(), d_queued.get(), d_next.get(),
                                                   d_count.get(), bucket_end);
    finish_launch();
    std::vector<int> out_dist = d_dist.fetch(), next = d_next.fetch();
    int next_size = d_count.fetch()[0];

    std::vector<int> ref = dist;
    for (const int2& f : frontier)
        for (int e = row_ptr[f.x]; e < row_ptr[f.x + 1]; ++e) ref[head[e]] = std::min(ref[head[e]], f.y + travel[e]);
    std::vector<int> ref_next;
    for (int v = 0; v < n; ++v)
        if (ref[v] < dist[v] && ref[v] < bucket_end) ref_next.push_back(v);
    if (out_dist != ref || next_size != static_cast<int>(ref_next.size())) return false;
    next.resize(next_size);
    std::sort(next.begin(), next.end());
    return next == ref_next;
}

static void test_road_bucket_relax()
{
    bool ok = road_case(70, 50, 6, 400, 600, 71);
    ok &= road_case(1150, 900, 5200, 550, 800, 72);
    report("road_bucket_relax", ok);
}

// ---------------------------------------------------------------------------
// 8. Host-graph PageRank: all power iterations in one cooperative launch,
//    pull direction, eight lanes per vertex.
// ---------------------------------------------------------------------------

__global__ void __launch_bounds__(256) pagerank_grid(const int* __restrict__ in_ptr, const int* __restrict__ in_src,
                                                     const int* __restrict__ out_degree, float* rank, float* contrib,
                                                     double* dangling, int n, int iterations, float damping)
{
    cg::grid_group grid = cg::this_grid();
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
    __shared__ float warp_sum[8];

    const int gid = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int total = static_cast<int>(gridDim.x * blockDim.x);

    for (int it = 0; it < iterations; ++it) {
        float local = 0.0f;
        for (int v = gid; v < n; v += total) {
            int d = out_degree[v];
            float r = rank[v];
            if (d > 0) {
                contrib[v] = r / static_cast<float>(d);
            } else {
                contrib[v] = 0.0f;
                local += r;
            }
        }
        for (int d = 16; d > 0; d >>= 1) local += __shfl_down_sync(kFullMask, local, d);
        if ((threadIdx.x & 31) == 0) warp_sum[threadIdx.x >> 5] = local;
        block.sync();
        if (threadIdx.x == 0) {
            float s = 0.0f;
            for (unsigned w = 0; w < blockDim.x / 32; ++w) s += warp_sum[w];
            if (s != 0.0f) atomicAdd(&dangling[it], static_cast<double>(s));
        }
        grid.sync();

        float base = (1.0f - damping) / static_cast<float>(n) +
                     damping * static_cast<float>(dangling[it]) / static_cast<float>(n);
        for (int v = gid / 8; v < n; v += total / 8) {
            float sum = 0.0f;
            int end = in_ptr[v + 1];
            for (int e = in_ptr[v] + static_cast<int>(tile.thread_rank()); e < end; e += 8) sum += contrib[in_src[e]];
            for (int d = 4; d > 0; d >>= 1) sum += tile.shfl_down(sum, d);
            if (tile.thread_rank() == 0) rank[v] = base + damping * sum;
        }
        grid.sync();
    }
}

static bool pagerank_case(int n, int iterations, int blocks, uint64_t seed)
{
    Rng rng(seed);
    std::vector<int> in_ptr(n + 1, 0);
    for (int v = 0; v < n; ++v) in_ptr[v + 1] = in_ptr[v] + rng.pareto(3, 3000, 1.1f) - 2;
    std::vector<int> in_src(in_ptr[n]), outdeg(n, 0);
    for (int& s : in_src) {
        s = static_cast<int>(rng.below(5) == 0 ? rng.skewed(n, 3.0f) : rng.below(n));
        if (s % 23 == 5) s = (s + 1) % n; // leave some hosts without out-links
        ++outdeg[s];
    }
    std::vector<float> rank(n, 1.0f / static_cast<float>(n));

    DeviceArray<int> d_ptr(in_ptr), d_src(in_src), d_deg(outdeg);
    DeviceArray<float> d_rank(rank), d_contrib(n);
    DeviceArray<double> d_dangling(iterations);
    d_contrib.fill_bytes(0);
    d_dangling.fill_bytes(0);
    const int* a_ptr = d_ptr.get();
    const int* a_src = d_src.get();
    const int* a_deg = d_deg.get();
    float* a_rank = d_rank.get();
    float* a_contrib = d_contrib.get();
    double* a_dangling = d_dangling.get();
    float damping = 0.85f;
    void* args[] = {&a_ptr, &a_src, &a_deg, &a_rank, &a_contrib, &a_dangling, &n, &iterations, &damping};
    CUDA_CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(pagerank_grid), dim3(blocks), dim3(256),
                                           args, 0, nullptr));
    finish_launch();
    std::vector<float> out = d_rank.fetch();

    std::vector<double> cur(n, 1.0 / n), contrib(n);
    for (int it = 0; it < iterations; ++it) {
        double lost = 0.0;
        for (int v = 0; v < n; ++v) {
            contrib[v] = outdeg[v] ? cur[v] / outdeg[v] : 0.0;
            if (!outdeg[v]) lost += cur[v];
        }
        for (int v = 0; v < n; ++v) {
            double s = 0.0;
            for (int e = in_ptr[v]; e < in_ptr[v + 1]; ++e) s += contrib[in_src[e]];
            cur[v] = (1.0 - 0.85) / n + 0.85 * (lost / n + s);
        }
    }
    bool ok = true;
    for (int v = 0; v < n; ++v) ok &= close_to(out[v], cur[v], 1e-12, 1e-3);
    return ok;
}

static void test_pagerank_grid()
{
    bool ok = pagerank_case(1500, 5, 24, 81);
    ok &= pagerank_case(70000, 8, 264, 82);
    report("pagerank_grid", ok);
}

// ---------------------------------------------------------------------------
// 9. Geo-cell activity table: open-addressing upsert of 64-bit cell ids with
//    an event counter and the newest timestamp.
// ---------------------------------------------------------------------------

constexpr u64 kEmptyCell = ~0ull;

__device__ __forceinline__ u64 mix_cell(u64 k)
{
    k ^= k >> 33;
    k *= 0xff51afd7ed558ccdull;
    k ^= k >> 33;
    k *= 0xc4ceb9fe1a85ec53ull;
    k ^= k >> 33;
    return k;
}

__global__ void geocell_hash_upsert(const u64* __restrict__ cells, const unsigned* __restrict__ timestamps,
                                    u64* table_key, unsigned* table_count, unsigned* table_last, int n,
                                    unsigned slot_mask)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    u64 cell = cells[i];
    unsigned slot = static_cast<unsigned>(mix_cell(cell)) & slot_mask;
    while (true) {
        u64 seen = __ldcg(&table_key[slot]);
        if (seen == kEmptyCell) {
            seen = atomicCAS(&table_key[slot], kEmptyCell, cell);
            if (seen == kEmptyCell) seen = cell;
        }
        if (seen == cell) break;
        slot = (slot + 1) & slot_mask;
    }
    atomicAdd(&table_count[slot], 1u);
    atomicMax(&table_last[slot], timestamps[i]);
}

static bool geocell_case(int n, unsigned capacity, int cities, uint64_t seed)
{
    Rng rng(seed);
    std::vector<std::pair<int, int>> centre(cities);
    for (auto& c : centre) c = {rng.below(3600000), rng.below(1800000)};
    std::vector<u64> cells(n);
    std::vector<unsigned> ts(n);
    for (int i = 0; i < n; ++i) {
        int lon, lat;
        if (rng.below(12) == 0) { // background traffic
            lon = rng.below(3600000);
            lat = rng.below(1800000);
        } else {
            const auto& c = centre[rng.skewed(cities, 2.0f)];
            lon = c.first + static_cast<int>(30.0f * rng.normal());
            lat = c.second + static_cast<int>(30.0f * rng.normal());
        }
        cells[i] = (static_cast<u64>(static_cast<unsigned>(lat + 1000)) << 32) | static_cast<unsigned>(lon + 1000);
        ts[i] = 1700000000u + static_cast<unsigned>(i / 50 + rng.below(300));
    }

    DeviceArray<u64> d_cells(cells), d_key(capacity);
    DeviceArray<unsigned> d_ts(ts), d_count(capacity), d_last(capacity);
    d_key.fill_bytes(0xFF);
    d_count.fill_bytes(0);
    d_last.fill_bytes(0);
    geocell_hash_upsert<<<div_up(n, 256), 256>>>(d_cells.get(), d_ts.get(), d_key.get(), d_count.get(), d_last.get(),
                                                 n, capacity - 1);
    finish_launch();
    std::vector<u64> key = d_key.fetch();
    std::vector<unsigned> count = d_count.fetch(), last = d_last.fetch();

    struct Row {
        u64 cell;
        unsigned count, last;
    };
    std::vector<std::pair<u64, unsigned>> sorted(n);
    for (int i = 0; i < n; ++i) sorted[i] = {cells[i], ts[i]};
    std::sort(sorted.begin(), sorted.end());
    std::vector<Row> ref, got;
    for (auto& e : sorted) {
        if (ref.empty() || ref.back().cell != e.first) ref.push_back({e.first, 0, 0});
        ++ref.back().count;
        ref.back().last = std::max(ref.back().last, e.second);
    }
    for (unsigned s = 0; s < capacity; ++s)
        if (key[s] != kEmptyCell)
            got.push_back({key[s], count[s], last[s]});
        else if (count[s] != 0)
            return false;
    std::sort(got.begin(), got.end(), [](const Row& a, const Row& b) { return a.cell < b.cell; });
    if (got.size() != ref.size()) return false;
    for (size_t i = 0; i < ref.size(); ++i)
        if (got[i].cell != ref[i].cell || got[i].count != ref[i].count || got[i].last != ref[i].last) return false;
    return true;
}

static void test_geocell_hash_upsert()
{
    bool ok = geocell_case(3000, 4096, 5, 91);
    ok &= geocell_case(1000000, 1u << 20, 150, 92);
    report("geocell_hash_upsert", ok);
}

// ---------------------------------------------------------------------------
// 10. Water bodies: union-find over the runs of a water mask (8-connected).
//     Labels arrive with every pixel pointing to the start of its run.
// ---------------------------------------------------------------------------

__device__ __forceinline__ int find_root(const volatile int* label, int x)
{
    int p = label[x];
    while (p != x) {
        x = p;
        p = label[x];
    }
    return x;
}

__device__ void unite(int* label, int a, int b)
{
    while (true) {
        a = find_root(label, a);
        b = find_root(label, b);
        if (a == b) return;
        if (a < b) {
            int t = a;
            a = b;
            b = t;
        }
        int old = atomicCAS(&label[a], a, b); // hook the larger root under the smaller
        if (old == a) return;
        a = old;
    }
}

__global__ void water_run_union(const uint8_t* __restrict__ water, int* label, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h || y == 0) return;
    int i = y * w + x;
    if (!water[i]) return;
    int up = i - w;
    bool left = x > 0 && water[i - 1];
    if (water[up]) {
        bool up_left = x > 0 && water[up - 1];
        if (!left || !up_left) unite(label, i, up); // first contact of the two runs
    } else {
        if (!left && x > 0 && water[up - 1]) unite(label, i, up - 1);
        if (x + 1 < w && water[up + 1] && !water[i + 1]) unite(label, i, up + 1);
    }
}

static bool water_case(int w, int h, int cell, uint64_t seed)
{
    int n = w * h;
    std::vector<float> field = fractal_field(w, h, cell, 5, seed);
    std::vector<uint8_t> water(n);
    for (int i = 0; i < n; ++i) water[i] = field[i] < 0.46f ? 1 : 0;
    std::vector<int> label(n, -1);
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            int i = y * w + x;
            if (water[i]) label[i] = x > 0 && water[i - 1] ? label[i - 1] : i;
        }

    DeviceArray<uint8_t> d_water(water);
    DeviceArray<int> d_label(label);
    dim3 block(32, 8), grid(div_up(w, 32), div_up(h, 8));
    water_run_union<<<grid, block>>>(d_water.get(), d_label.get(), w, h);
    finish_launch();
    std::vector<int> out = d_label.fetch();

    // Flood fill in raster order: the root of a component is its first pixel.
    std::vector<int> ref(n, -1), stack;
    for (int s = 0; s < n; ++s) {
        if (!water[s] || ref[s] >= 0) continue;
        ref[s] = s;
        stack.push_back(s);
        while (!stack.empty()) {
            int p = stack.back();
            stack.pop_back();
            int px = p % w, py = p / w;
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx) {
                    int qx = px + dx, qy = py + dy;
                    if (qx < 0 || qy < 0 || qx >= w || qy >= h) continue;
                    int q = qy * w + qx;
                    if (water[q] && ref[q] < 0) {
                        ref[q] = s;
                        stack.push_back(q);
                    }
                }
        }
    }
    for (int i = 0; i < n; ++i) {
        if (!water[i]) {
            if (out[i] != -1) return false;
            continue;
        }
        if (out[i] < 0 || out[i] > i) return false;
        if (out[i] != i) out[i] = out[out[i]]; // predecessors are already flat
        if (out[i] != ref[i]) return false;
    }
    return true;
}

static void test_water_run_union()
{
    bool ok = water_case(150, 110, 16, 101);
    ok &= water_case(1700, 1250, 48, 102);
    report("water_run_union", ok);
}

// ---------------------------------------------------------------------------
// 11. LiDAR ground statistics per raster cell (LAS integer coordinates, cm).
// ---------------------------------------------------------------------------

__global__ void lidar_cell_stats(const int* __restrict__ px, const int* __restrict__ py, const int* __restrict__ pz,
                                 const uint16_t* __restrict__ intensity, const uint8_t* __restrict__ cls, int n,
                                 int cell_cm, int cols, int rows, unsigned* __restrict__ count,
                                 u64* __restrict__ z_sum, int* __restrict__ z_min, float* __restrict__ intensity_sum)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (cls[i] != 2 && cls[i] != 9) return; // ground or water only
    int cx = px[i] / cell_cm;
    int cy = py[i] / cell_cm;
    if (cx < 0 || cy < 0 || cx >= cols || cy >= rows) return;
    int c = cy * cols + cx;
    int z = pz[i];
    atomicAdd(&count[c], 1u);
    atomicAdd(&z_sum[c], static_cast<u64>(z));
    atomicMin(&z_min[c], z);
    atomicAdd(&intensity_sum[c], static_cast<float>(intensity[i]) * (1.0f / 65535.0f));
}

static bool lidar_case(int n, int cols, int rows, uint64_t seed)
{
    Rng rng(seed);
    const int cell_cm = 100;
    std::vector<int> x(n), y(n), z(n);
    std::vector<uint16_t> inten(n);
    std::vector<uint8_t> cls(n);
    const int per_line = 1000;
    int lines = div_up(n, per_line);
    for (int i = 0; i < n; ++i) { // zig-zag scan lines with jitter; the strip edge overshoots the raster
        int line = i / per_line, k = i % per_line;
        float s = static_cast<float>(k) / per_line;
        if (line & 1) s = 1.0f - s;
        x[i] = static_cast<int>(s * static_cast<float>(cols * cell_cm) * 1.01f) + rng.range(-40, 40);
        y[i] = static_cast<int>((static_cast<float>(line) + s) / static_cast<float>(lines) *
                                static_cast<float>(rows * cell_cm)) +
               rng.range(0, 60);
        x[i] = std::max(x[i], 0);
        z[i] = 20000 + x[i] / 9 + y[i] / 17 + rng.range(-8, 8);
        int r = rng.below(100);
        cls[i] = static_cast<uint8_t>(r < 62 ? 2 : r < 66 ? 9 : r < 85 ? 5 : 6);
        inten[i] = static_cast<uint16_t>(rng.range(800, 42000));
    }
    size_t cells = static_cast<size_t>(cols) * rows;
    DeviceArray<int> d_x(x), d_y(y), d_z(z), d_min(std::vector<int>(cells, INT_MAX));
    DeviceArray<uint16_t> d_int(inten);
    DeviceArray<uint8_t> d_cls(cls);
    DeviceArray<unsigned> d_count(cells);
    DeviceArray<u64> d_sum(cells);
    DeviceArray<float> d_isum(cells);
    d_count.fill_bytes(0);
    d_sum.fill_bytes(0);
    d_isum.fill_bytes(0);
    lidar_cell_stats<<<div_up(n, 320), 320>>>(d_x.get(), d_y.get(), d_z.get(), d_int.get(), d_cls.get(), n, cell_cm,
                                              cols, rows, d_count.get(), d_sum.get(), d_min.get(), d_isum.get());
    finish_launch();
    std::vector<unsigned> count = d_count.fetch();
    std::vector<u64> zsum = d_sum.fetch();
    std::vector<int> zmin = d_min.fetch();
    std::vector<float> isum = d_isum.fetch();

    std::vector<unsigned> rc(cells, 0);
    std::vector<u64> rs(cells, 0);
    std::vector<int> rm(cells, INT_MAX);
    std::vector<double> ri(cells, 0.0);
    for (int i = 0; i < n; ++i) {
        if (cls[i] != 2 && cls[i] != 9) continue;
        int cx = x[i] / cell_cm, cy = y[i] / cell_cm;
        if (cx >= cols || cy >= rows) continue;
        size_t c = static_cast<size_t>(cy) * cols + cx;
        ++rc[c];
        rs[c] += static_cast<u64>(z[i]);
        rm[c] = std::min(rm[c], z[i]);
        ri[c] += inten[i] / 65535.0;
    }
    bool ok = count == rc && zsum == rs && zmin == rm;
    for (size_t c = 0; c < cells; ++c) ok &= close_to(isum[c], ri[c], 1e-4, 1e-4);
    return ok;
}

static void test_lidar_cell_stats()
{
    bool ok = lidar_case(9000, 60, 45, 111);
    ok &= lidar_case(1900000, 760, 640, 112);
    report("lidar_cell_stats", ok);
}

// ---------------------------------------------------------------------------
// 12. Log router: records go to one output segment per severity; blocks
//     reserve space with a single atomic per severity.
// ---------------------------------------------------------------------------

constexpr int kSeverities = 6;
constexpr int kRouterItems = 4;

// Record: x = timestamp, y = service, z = message hash, w = size << 3 | severity
__global__ void log_severity_router(const uint4* __restrict__ records, const unsigned* __restrict__ segment_base,
                                    unsigned* __restrict__ segment_fill, uint4* __restrict__ routed, int n)
{
    __shared__ unsigned block_count[kSeverities];
    __shared__ unsigned block_base[kSeverities];
    if (threadIdx.x < kSeverities) block_count[threadIdx.x] = 0;
    __syncthreads();

    uint4 rec[kRouterItems];
    unsigned rank[kRouterItems];
    int base = blockIdx.x * blockDim.x * kRouterItems + threadIdx.x;
#pragma unroll
    for (int k = 0; k < kRouterItems; ++k) {
        int i = base + k * blockDim.x;
        if (i < n) {
            rec[k] = records[i];
            rank[k] = atomicAdd(&block_count[rec[k].w & 7u], 1u);
        }
    }
    __syncthreads();
    if (threadIdx.x < kSeverities) {
        unsigned c = block_count[threadIdx.x];
        unsigned at = c ? atomicAdd(&segment_fill[threadIdx.x], c) : 0u;
        block_base[threadIdx.x] = segment_base[threadIdx.x] + at;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kRouterItems; ++k) {
        int i = base + k * blockDim.x;
        if (i < n) routed[block_base[rec[k].w & 7u] + rank[k]] = rec[k];
    }
}

static bool router_case(int n, uint64_t seed)
{
    Rng rng(seed);
    std::vector<uint4> rec(n);
    std::vector<unsigned> total(kSeverities, 0), base(kSeverities, 0);
    const int share[kSeverities] = {420, 380, 120, 60, 15, 5};
    int burst = 0;
    for (int i = 0; i < n; ++i) {
        int r = rng.below(1000), sev = 0;
        while (r >= share[sev]) r -= share[sev++];
        if (burst == 0 && rng.below(20000) == 0) burst = 2000; // incident: a run of errors
        if (burst > 0) {
            --burst;
            if (rng.below(3)) sev = 4;
        }
        rec[i] = make_uint4(1700000000u + static_cast<unsigned>(i) / 8u, static_cast<unsigned>(rng.skewed(300, 2.5f)),
                            rng.u32(), (static_cast<unsigned>(rng.range(60, 900)) << 3) | static_cast<unsigned>(sev));
        ++total[sev];
    }
    for (int s = 1; s < kSeverities; ++s) base[s] = base[s - 1] + total[s - 1];

    DeviceArray<uint4> d_rec(rec), d_out(n);
    DeviceArray<unsigned> d_base(base), d_fill(kSeverities);
    d_fill.fill_bytes(0);
    d_out.fill_bytes(0xFF);
    log_severity_router<<<div_up(n, 256 * kRouterItems), 256>>>(d_rec.get(), d_base.get(), d_fill.get(), d_out.get(),
                                                                n);
    finish_launch();
    std::vector<uint4> out = d_out.fetch();
    if (d_fill.fetch() != total) return false;

    // Same multiset per segment: compare sorted (timestamp, hash, service/size) keys.
    auto less = [](const uint4& a, const uint4& b) {
        if ((a.w & 7u) != (b.w & 7u)) return (a.w & 7u) < (b.w & 7u);
        if (a.x != b.x) return a.x < b.x;
        if (a.z != b.z) return a.z < b.z;
        if (a.y != b.y) return a.y < b.y;
        return a.w < b.w;
    };
    for (int s = 0; s < kSeverities; ++s)
        for (unsigned i = base[s]; i < base[s] + total[s]; ++i)
            if ((out[i].w & 7u) != static_cast<unsigned>(s)) return false;
    std::sort(rec.begin(), rec.end(), less);
    std::sort(out.begin(), out.end(), less);
    return std::memcmp(rec.data(), out.data(), rec.size() * sizeof(uint4)) == 0;
}

static void test_log_severity_router()
{
    bool ok = router_case(5003, 121);
    ok &= router_case(1150000, 122);
    report("log_severity_router", ok);
}

// ---------------------------------------------------------------------------
// 13. One stable 8-bit radix pass over Morton codes (scatter phase); the
//     per-tile digit offsets come from the preceding count and scan phases.
// ---------------------------------------------------------------------------

constexpr int kRadixThreads = 256;
constexpr int kRadixWarps = kRadixThreads / 32;
constexpr int kRadixItems = 12;
constexpr int kRadixTile = kRadixThreads * kRadixItems;

__global__ void __launch_bounds__(kRadixThreads)
morton_radix_scatter(const uint32_t* __restrict__ keys_in, const uint32_t* __restrict__ vals_in,
                     const uint32_t* __restrict__ digit_offset, uint32_t* __restrict__ keys_out,
                     uint32_t* __restrict__ vals_out, int n, int tiles, int shift)
{
    __shared__ uint32_t warp_digit[kRadixWarps][256];
    int tid = threadIdx.x;
    int warp = tid >> 5, lane = tid & 31;
    for (int i = tid; i < kRadixWarps * 256; i += kRadixThreads) (&warp_digit[0][0])[i] = 0;
    __syncthreads();

    uint32_t key[kRadixItems];
    uint32_t rank[kRadixItems];
    int base = blockIdx.x * kRadixTile + warp * 32 * kRadixItems + lane;
    unsigned below = (1u << lane) - 1u;
#pragma unroll
    for (int k = 0; k < kRadixItems; ++k) {
        int i = base + k * 32;
        bool valid = i < n;
        key[k] = valid ? keys_in[i] : 0u;
        unsigned digit = valid ? (key[k] >> shift) & 255u : 256u;
        unsigned peers = __match_any_sync(kFullMask, digit);
        int leader = __ffs(static_cast<int>(peers)) - 1;
        uint32_t seen = 0;
        if (valid && lane == leader) {
            seen = warp_digit[warp][digit];
            warp_digit[warp][digit] = seen + static_cast<uint32_t>(__popc(peers));
        }
        __syncwarp();
        seen = __shfl_sync(kFullMask, seen, leader);
        rank[k] = seen + static_cast<uint32_t>(__popc(peers & below));
    }
    __syncthreads();

    uint32_t running = digit_offset[tid * tiles + blockIdx.x]; // thread = digit
    for (int w = 0; w < kRadixWarps; ++w) {
        uint32_t c = warp_digit[w][tid];
        warp_digit[w][tid] = running;
        running += c;
    }
    __syncthreads();

#pragma unroll
    for (int k = 0; k < kRadixItems; ++k) {
        int i = base + k * 32;
        if (i < n) {
            uint32_t pos = warp_digit[warp][(key[k] >> shift) & 255u] + rank[k];
            keys_out[pos] = key[k];
            vals_out[pos] = vals_in[i];
        }
    }
}

static uint32_t morton2(uint32_t x, uint32_t y)
{
    auto spread = [](uint32_t v) {
        v &= 0xffffu;
        v = (v | (v << 8)) & 0x00ff00ffu;
        v = (v | (v << 4)) & 0x0f0f0f0fu;
        v = (v | (v << 2)) & 0x33333333u;
        v = (v | (v << 1)) & 0x55555555u;
        return v;
    };
    return spread(x) | (spread(y) << 1);
}

static bool radix_case(int n, int shift, uint64_t seed)
{
    Rng rng(seed);
    std::vector<uint32_t> keys(n), vals(n);
    const int towns = 60;
    std::vector<std::pair<float, float>> town(towns);
    for (auto& t : town) t = {rng.uniform(4000.0f, 60000.0f), rng.uniform(4000.0f, 60000.0f)};
    for (int i = 0; i < n; ++i) {
        const auto& t = town[rng.skewed(towns, 1.8f)];
        float x = t.first + 900.0f * rng.normal(), y = t.second + 900.0f * rng.normal();
        keys[i] = morton2(static_cast<uint32_t>(std::max(x, 0.0f)), static_cast<uint32_t>(std::max(y, 0.0f)));
        vals[i] = static_cast<uint32_t>(i);
    }
    int tiles = div_up(n, kRadixTile);
    std::vector<uint32_t> offset(static_cast<size_t>(256) * tiles, 0);
    for (int i = 0; i < n; ++i) ++offset[static_cast<size_t>((keys[i] >> shift) & 255u) * tiles + i / kRadixTile];
    uint32_t run = 0;
    for (uint32_t& o : offset) {
        uint32_t c = o;
        o = run;
        run += c;
    }

    DeviceArray<uint32_t> d_k(keys), d_v(vals), d_off(offset), d_ko(n), d_vo(n);
    d_ko.fill_bytes(0xFF);
    d_vo.fill_bytes(0xFF);
    morton_radix_scatter<<<tiles, kRadixThreads>>>(d_k.get(), d_v.get(), d_off.get(), d_ko.get(), d_vo.get(), n, tiles,
                                                   shift);
    finish_launch();
    std::vector<uint32_t> ko = d_ko.fetch(), vo = d_vo.fetch();

    std::vector<uint32_t> start(257, 0), rk(n), rv(n);
    for (uint32_t k : keys) ++start[((k >> shift) & 255u) + 1];
    for (int d = 0; d < 256; ++d) start[d + 1] += start[d];
    for (int i = 0; i < n; ++i) {
        uint32_t p = start[(keys[i] >> shift) & 255u]++;
        rk[p] = keys[i];
        rv[p] = vals[i];
    }
    return ko == rk && vo == rv;
}

static void test_morton_radix_scatter()
{
    bool ok = radix_case(10007, 8, 131);
    ok &= radix_case(1650000, 16, 132);
    report("morton_radix_scatter", ok);
}

// ---------------------------------------------------------------------------
// 14. Candidate ranking: bitonic sort of the scored candidates of a query in
//     shared memory, best 64 are kept.
// ---------------------------------------------------------------------------

constexpr int kMaxCandidates = 1024;
constexpr int kTopK = 64;

__device__ __forceinline__ u64 rank_key(float score, int id)
{
    unsigned b = __float_as_uint(score);
    b = (b & 0x80000000u) ? ~b : (b | 0x80000000u);
    return (static_cast<u64>(b) << 32) | static_cast<unsigned>(~id);
}

__global__ void __launch_bounds__(kMaxCandidates / 2)
candidate_bitonic_topk(const int* __restrict__ query_ptr, const int* __restrict__ cand_id,
                       const float* __restrict__ cand_score, int* __restrict__ top_id, float* __restrict__ top_score)
{
    __shared__ u64 key[kMaxCandidates];
    int query = blockIdx.x;
    int begin = query_ptr[query];
    int count = query_ptr[query + 1] - begin;
    for (int i = threadIdx.x; i < kMaxCandidates; i += blockDim.x)
        key[i] = i < count ? rank_key(cand_score[begin + i], cand_id[begin + i]) : 0ull;
    __syncthreads();

    for (int size = 2; size <= kMaxCandidates; size <<= 1) {
        for (int stride = size >> 1; stride > 0; stride >>= 1) {
            int t = threadIdx.x;
            int lo = 2 * t - (t & (stride - 1));
            int hi = lo + stride;
            bool descending = (lo & size) == 0;
            u64 a = key[lo], b = key[hi];
            if ((a < b) == descending) {
                key[lo] = b;
                key[hi] = a;
            }
            __syncthreads();
        }
    }
    for (int i = threadIdx.x; i < kTopK; i += blockDim.x) {
        int out = query * kTopK + i;
        if (i < count) {
            u64 k = key[i];
            unsigned b = static_cast<unsigned>(k >> 32);
            b = (b & 0x80000000u) ? (b & 0x7fffffffu) : ~b;
            top_id[out] = static_cast<int>(~static_cast<unsigned>(k));
            top_score[out] = __uint_as_float(b);
        } else {
            top_id[out] = -1;
            top_score[out] = 0.0f;
        }
    }
}

static bool topk_case(int queries, uint64_t seed)
{
    Rng rng(seed);
    std::vector<int> ptr(queries + 1, 0);
    for (int q = 0; q < queries; ++q) {
        int c = rng.below(30) == 0 ? rng.below(50) : rng.range(300, kMaxCandidates);
        ptr[q + 1] = ptr[q] + c;
    }
    std::vector<int> id(ptr[queries]);
    std::vector<float> score(id.size());
    for (int q = 0; q < queries; ++q) {
        int doc = rng.below(1000);
        for (int i = ptr[q]; i < ptr[q + 1]; ++i) {
            doc += 1 + rng.below(4000); // posting lists are sorted by document
            id[i] = doc;
            // Quantised scores, so ties happen; adding zero turns -0 into +0.
            score[i] = std::round((rng.normal() * 3.0f - 0.5f) * 64.0f) / 64.0f + 0.0f;
        }
    }

    DeviceArray<int> d_ptr(ptr), d_id(id), d_top(static_cast<size_t>(queries) * kTopK);
    DeviceArray<float> d_score(score), d_ts(static_cast<size_t>(queries) * kTopK);
    candidate_bitonic_topk<<<queries, kMaxCandidates / 2>>>(d_ptr.get(), d_id.get(), d_score.get(), d_top.get(),
                                                            d_ts.get());
    finish_launch();
    std::vector<int> top = d_top.fetch();
    std::vector<float> ts = d_ts.fetch();

    std::vector<int> order;
    for (int q = 0; q < queries; ++q) {
        int c = ptr[q + 1] - ptr[q];
        int k = std::min(c, kTopK);
        order.resize(c);
        for (int i = 0; i < c; ++i) order[i] = ptr[q] + i;
        std::partial_sort(order.begin(), order.begin() + k, order.end(), [&](int a, int b) {
            return score[a] != score[b] ? score[a] > score[b] : id[a] < id[b];
        });
        for (int i = 0; i < kTopK; ++i) {
            int want_id = i < k ? id[order[i]] : -1;
            float want = i < k ? score[order[i]] : 0.0f;
            if (top[q * kTopK + i] != want_id || ts[q * kTopK + i] != want) return false;
        }
    }
    return true;
}

static void test_candidate_bitonic_topk()
{
    bool ok = topk_case(17, 141);
    ok &= topk_case(1300, 142);
    report("candidate_bitonic_topk", ok);
}

// ---------------------------------------------------------------------------
// 15. Digital numbers to top-of-atmosphere reflectance, eight pixels per
//     thread, 16-bit integers in and half floats out.
// ---------------------------------------------------------------------------

constexpr int kMaxBands = 12;
__constant__ float c_band_gain[kMaxBands];
__constant__ float c_band_offset[kMaxBands];

__device__ __forceinline__ __half2 toa_pair(unsigned packed, float gain, float offset)
{
    unsigned lo = packed & 0xffffu, hi = packed >> 16;
    float a = lo ? fmaf(static_cast<float>(lo), gain, offset) : -1.0f;
    float b = hi ? fmaf(static_cast<float>(hi), gain, offset) : -1.0f;
    return __floats2half2_rn(a, b);
}

// The band pitch (in groups of eight pixels) keeps every band 16-byte aligned.
__global__ void dn_to_toa(const uint4* __restrict__ dn, uint4* __restrict__ reflectance, int groups, float inv_sun)
{
    int band = blockIdx.y;
    float gain = c_band_gain[band] * inv_sun;
    float offset = c_band_offset[band] * inv_sun;
    const uint4* src = dn + static_cast<size_t>(band) * groups;
    uint4* dst = reflectance + static_cast<size_t>(band) * groups;
    for (int g = blockIdx.x * blockDim.x + threadIdx.x; g < groups; g += gridDim.x * blockDim.x) {
        uint4 v = src[g];
        __half2 h[4] = {toa_pair(v.x, gain, offset), toa_pair(v.y, gain, offset), toa_pair(v.z, gain, offset),
                        toa_pair(v.w, gain, offset)};
        uint4 packed;
        memcpy(&packed, h, sizeof(packed));
        dst[g] = packed;
    }
}

static bool toa_case(int pixels, int bands, int blocks_x, uint64_t seed)
{
    Rng rng(seed);
    int groups = div_up(pixels, 8);
    size_t pitch = static_cast<size_t>(groups) * 8;
    std::vector<uint16_t> dn(pitch * bands, 0);
    std::vector<float> gain(kMaxBands, 0.0f), offset(kMaxBands, 0.0f);
    for (int b = 0; b < bands; ++b) {
        gain[b] = rng.uniform(1.6e-5f, 2.4e-5f);
        offset[b] = -0.1f + 0.01f * rng.uniform();
        int level = rng.range(7000, 16000);
        for (int i = 0; i < pixels; ++i) {
            if ((i & 511) == 0) level = std::min(40000, std::max(6000, level + rng.range(-900, 900)));
            // slanted scene edge: the left part of every line of 3000 pixels is fill
            bool fill = i % 3000 < 150 + (i / 3000) % 200;
            dn[b * pitch + i] = fill ? 0 : static_cast<uint16_t>(level + rng.below(1200));
        }
    }
    const float inv_sun = 1.0f / 0.81915f;

    CUDA_CHECK(cudaMemcpyToSymbol(c_band_gain, gain.data(), kMaxBands * sizeof(float)));
    CUDA_CHECK(cudaMemcpyToSymbol(c_band_offset, offset.data(), kMaxBands * sizeof(float)));
    DeviceArray<uint16_t> d_dn(dn);
    DeviceArray<__half> d_out(dn.size());
    d_out.fill_bytes(0xFF);
    dim3 grid(blocks_x, bands);
    dn_to_toa<<<grid, 256>>>(reinterpret_cast<const uint4*>(d_dn.get()), reinterpret_cast<uint4*>(d_out.get()), groups,
                             inv_sun);
    finish_launch();
    std::vector<__half> out = d_out.fetch();

    bool ok = true;
    for (int b = 0; b < bands; ++b)
        for (size_t i = 0; i < pitch; ++i) {
            uint16_t v = dn[b * pitch + i];
            float want = v ? (static_cast<float>(v) * gain[b] + offset[b]) * inv_sun : -1.0f;
            ok &= close_to(__half2float(out[b * pitch + i]), want, 2e-4, 1e-3);
        }
    return ok;
}

static void test_dn_to_toa()
{
    bool ok = toa_case(6005, 3, 2, 151);
    ok &= toa_case(1700003, 7, 150, 152);
    report("dn_to_toa", ok);
}

// ---------------------------------------------------------------------------
// 16. Hyperspectral layout change: band-sequential to band-interleaved-by-
//     pixel, through padded shared-memory tiles.
// ---------------------------------------------------------------------------

constexpr int kTile = 32;
constexpr int kTileRows = 8;

__global__ void bsq_to_bip(const uint16_t* __restrict__ bsq, uint16_t* __restrict__ bip, int pixels, int bands)
{
    __shared__ uint16_t tile[kTile][kTile + 2];
    int pixel = blockIdx.x * kTile + threadIdx.x;
    for (int r = threadIdx.y; r < kTile; r += kTileRows) {
        int band = blockIdx.y * kTile + r;
        if (pixel < pixels && band < bands) tile[r][threadIdx.x] = bsq[static_cast<size_t>(band) * pixels + pixel];
    }
    __syncthreads();
    int band = blockIdx.y * kTile + threadIdx.x;
    for (int r = threadIdx.y; r < kTile; r += kTileRows) {
        int p = blockIdx.x * kTile + r;
        if (p < pixels && band < bands) bip[static_cast<size_t>(p) * bands + band] = tile[threadIdx.x][r];
    }
}

static bool bip_case(int pixels, int bands, uint64_t seed)
{
    Rng rng(seed);
    std::vector<uint16_t> bsq(static_cast<size_t>(pixels) * bands);
    for (int b = 0; b < bands; ++b) {
        int level = 500 + (b * 37) % 2500;
        for (int p = 0; p < pixels; ++p)
            bsq[static_cast<size_t>(b) * pixels + p] = static_cast<uint16_t>(level + rng.below(400));
    }
    DeviceArray<uint16_t> d_in(bsq), d_out(bsq.size());
    d_out.fill_bytes(0xFF);
    dim3 grid(div_up(pixels, kTile), div_up(bands, kTile)), block(kTile, kTileRows);
    bsq_to_bip<<<grid, block>>>(d_in.get(), d_out.get(), pixels, bands);
    finish_launch();
    std::vector<uint16_t> out = d_out.fetch();
    for (int p = 0; p < pixels; ++p)
        for (int b = 0; b < bands; ++b)
            if (out[static_cast<size_t>(p) * bands + b] != bsq[static_cast<size_t>(b) * pixels + p]) return false;
    return true;
}

static void test_bsq_to_bip()
{
    bool ok = bip_case(1001, 45, 161);
    ok &= bip_case(61500, 224, 162);
    report("bsq_to_bip", ok);
}

// ---------------------------------------------------------------------------
// 17. Band means and covariance for PCA / Mahalanobis: exact integer moments
//     per block, the last block to finish folds them and normalises.
// ---------------------------------------------------------------------------

constexpr int kCovBands = 6;
constexpr int kMoments = 1 + kCovBands + kCovBands * (kCovBands + 1) / 2;
constexpr int kCovThreads = 256;

__global__ void __launch_bounds__(kCovThreads)
band_covariance(const uint16_t* __restrict__ bands, int pixels, u64* partial, unsigned* done,
                double* __restrict__ mean, double* __restrict__ cov)
{
    __shared__ u64 warp_part[kCovThreads / 32][kMoments];
    __shared__ u64 total[kMoments];
    __shared__ bool is_last;
    int tid = threadIdx.x, lane = tid & 31, warp = tid >> 5;

    u64 acc[kMoments];
#pragma unroll
    for (int k = 0; k < kMoments; ++k) acc[k] = 0;
    for (int p = blockIdx.x * kCovThreads + tid; p < pixels; p += gridDim.x * kCovThreads) {
        unsigned v[kCovBands];
#pragma unroll
        for (int b = 0; b < kCovBands; ++b) v[b] = bands[static_cast<size_t>(b) * pixels + p];
        if (v[0] == 0) continue; // fill pixel
        acc[0] += 1;
        int k = 1 + kCovBands;
#pragma unroll
        for (int i = 0; i < kCovBands; ++i) {
            acc[1 + i] += v[i];
#pragma unroll
            for (int j = i; j < kCovBands; ++j) acc[k++] += v[i] * v[j];
        }
    }
#pragma unroll
    for (int k = 0; k < kMoments; ++k) {
        u64 s = acc[k];
        for (int d = 16; d > 0; d >>= 1) s += __shfl_down_sync(kFullMask, s, d);
        if (lane == 0) warp_part[warp][k] = s;
    }
    __syncthreads();
    if (tid < kMoments) {
        u64 s = 0;
        for (int w = 0; w < kCovThreads / 32; ++w) s += warp_part[w][tid];
        partial[static_cast<size_t>(blockIdx.x) * kMoments + tid] = s;
        __threadfence();
    }
    __syncthreads();
    if (tid == 0) is_last = atomicAdd(done, 1u) == gridDim.x - 1;
    __syncthreads();
    if (!is_last) return;

    __threadfence();
    for (int k = warp; k < kMoments; k += kCovThreads / 32) {
        u64 s = 0;
        for (unsigned b = lane; b < gridDim.x; b += 32) s += __ldcg(&partial[static_cast<size_t>(b) * kMoments + k]);
        for (int d = 16; d > 0; d >>= 1) s += __shfl_down_sync(kFullMask, s, d);
        if (lane == 0) total[k] = s;
    }
    __syncthreads();
    double count = static_cast<double>(total[0]);
    if (tid < kCovBands) mean[tid] = static_cast<double>(total[1 + tid]) / count;
    if (tid < kCovBands * kCovBands) {
        int i = tid / kCovBands, j = tid % kCovBands;
        int a = min(i, j), b = max(i, j);
        int k = 1 + kCovBands + a * kCovBands - a * (a - 1) / 2 + (b - a);
        double si = static_cast<double>(total[1 + i]), sj = static_cast<double>(total[1 + j]);
        cov[tid] = (static_cast<double>(total[k]) - si * sj / count) / (count - 1.0);
    }
}

static bool covariance_case(int pixels, int blocks, uint64_t seed)
{
    Rng rng(seed);
    std::vector<uint16_t> img(static_cast<size_t>(pixels) * kCovBands);
    for (int p = 0; p < pixels; ++p) {
        float soil = 2000.0f + 500.0f * rng.normal(), veg = 900.0f + 700.0f * rng.normal();
        bool fill = rng.below(50) == 0;
        for (int b = 0; b < kCovBands; ++b) {
            float v = soil * (0.6f + 0.1f * b) + veg * (b == 3 ? 1.4f : -0.2f) + 60.0f * rng.uniform();
            img[static_cast<size_t>(b) * pixels + p] =
                fill ? 0 : static_cast<uint16_t>(std::min(std::max(v, 1.0f), 10000.0f));
        }
    }
    DeviceArray<uint16_t> d_img(img);
    DeviceArray<u64> d_partial(static_cast<size_t>(blocks) * kMoments);
    DeviceArray<unsigned> d_done(1);
    DeviceArray<double> d_mean(kCovBands), d_cov(kCovBands * kCovBands);
    d_done.fill_bytes(0);
    d_mean.fill_bytes(0xFF);
    d_cov.fill_bytes(0xFF);
    band_covariance<<<blocks, kCovThreads>>>(d_img.get(), pixels, d_partial.get(), d_done.get(), d_mean.get(),
                                             d_cov.get());
    finish_launch();
    std::vector<double> mean = d_mean.fetch(), cov = d_cov.fetch();

    // Two-pass reference.
    double m[kCovBands] = {}, c[kCovBands][kCovBands] = {};
    double count = 0.0;
    for (int p = 0; p < pixels; ++p) {
        if (img[p] == 0) continue;
        count += 1.0;
        for (int b = 0; b < kCovBands; ++b) m[b] += img[static_cast<size_t>(b) * pixels + p];
    }
    for (double& v : m) v /= count;
    for (int p = 0; p < pixels; ++p) {
        if (img[p] == 0) continue;
        double d[kCovBands];
        for (int b = 0; b < kCovBands; ++b) d[b] = img[static_cast<size_t>(b) * pixels + p] - m[b];
        for (int i = 0; i < kCovBands; ++i)
            for (int j = 0; j < kCovBands; ++j) c[i][j] += d[i] * d[j];
    }
    bool ok = true;
    for (int i = 0; i < kCovBands; ++i) {
        ok &= close_to(mean[i], m[i], 1e-8, 1e-10);
        for (int j = 0; j < kCovBands; ++j)
            ok &= close_to(cov[i * kCovBands + j], c[i][j] / (count - 1.0), 1e-2, 1e-7);
    }
    return ok;
}

static void test_band_covariance()
{
    bool ok = covariance_case(7777, 9, 171);
    ok &= covariance_case(1500001, 264, 172);
    report("band_covariance", ok);
}

// ---------------------------------------------------------------------------
// 18. Slate softmax: click logits of up to 320 candidate ads per impression,
//     ineligible candidates masked out; one warp per impression.
// ---------------------------------------------------------------------------

constexpr int kSlatePerLane = 10;

__global__ void slate_softmax(const float* __restrict__ logits, const uint8_t* __restrict__ eligible,
                              float* __restrict__ prob, int rows, int cols, float inv_temperature)
{
    int row = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5);
    if (row >= rows) return;
    int lane = threadIdx.x & 31;
    size_t base = static_cast<size_t>(row) * cols;

    float v[kSlatePerLane];
    float best = -INFINITY;
#pragma unroll
    for (int k = 0; k < kSlatePerLane; ++k) {
        int c = lane + 32 * k;
        v[k] = c < cols && eligible[base + c] ? logits[base + c] * inv_temperature : -INFINITY;
        best = fmaxf(best, v[k]);
    }
    for (int d = 16; d > 0; d >>= 1) best = fmaxf(best, __shfl_xor_sync(kFullMask, best, d));

    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < kSlatePerLane; ++k) {
        v[k] = v[k] == -INFINITY ? 0.0f : __expf(v[k] - best);
        sum += v[k];
    }
    for (int d = 16; d > 0; d >>= 1) sum += __shfl_xor_sync(kFullMask, sum, d);
    float inv = sum > 0.0f ? 1.0f / sum : 0.0f; // no eligible candidate: all zero
#pragma unroll
    for (int k = 0; k < kSlatePerLane; ++k) {
        int c = lane + 32 * k;
        if (c < cols) prob[base + c] = v[k] * inv;
    }
}

static bool slate_case(int rows, int cols, uint64_t seed)
{
    Rng rng(seed);
    size_t n = static_cast<size_t>(rows) * cols;
    std::vector<float> logits(n), ref(n);
    std::vector<uint8_t> eligible(n);
    for (int r = 0; r < rows; ++r) {
        bool none = rng.below(200) == 0;
        int pass = rng.range(20, 95); // targeting strictness
        for (int c = 0; c < cols; ++c) {
            logits[static_cast<size_t>(r) * cols + c] = -3.5f + 1.4f * rng.normal();
            eligible[static_cast<size_t>(r) * cols + c] = !none && rng.below(100) < pass ? 1 : 0;
        }
    }
    const float inv_t = 1.0f / 0.7f;
    DeviceArray<float> d_logits(logits), d_prob(n);
    DeviceArray<uint8_t> d_el(eligible);
    d_prob.fill_bytes(0xFF);
    slate_softmax<<<div_up(rows, 4), 128>>>(d_logits.get(), d_el.get(), d_prob.get(), rows, cols, inv_t);
    finish_launch();
    std::vector<float> prob = d_prob.fetch();

    bool ok = true;
    for (int r = 0; r < rows; ++r) {
        const float* l = &logits[static_cast<size_t>(r) * cols];
        const uint8_t* e = &eligible[static_cast<size_t>(r) * cols];
        float* out = &ref[static_cast<size_t>(r) * cols];
        float best = -1e30f, sum = 0.0f;
        for (int c = 0; c < cols; ++c)
            if (e[c]) best = std::max(best, l[c] * inv_t);
        for (int c = 0; c < cols; ++c) {
            out[c] = e[c] ? std::exp(l[c] * inv_t - best) : 0.0f;
            sum += out[c];
        }
        for (int c = 0; c < cols; ++c)
            ok &= close_to(prob[static_cast<size_t>(r) * cols + c], sum > 0.0f ? out[c] / sum : 0.0f, 1e-7, 1e-4);
    }
    return ok;
}

static void test_slate_softmax()
{
    bool ok = slate_case(61, 75, 181);
    ok &= slate_case(13001, 300, 182);
    report("slate_softmax", ok);
}

// ---------------------------------------------------------------------------
// 19. Query-encoder layer norm with residual add, bfloat16 activations.
// ---------------------------------------------------------------------------

constexpr int kHidden = 768;
constexpr int kNormThreads = kHidden / 4;

__device__ __forceinline__ float4 load_bf16x4(const __nv_bfloat16* p)
{
    uint2 raw = *reinterpret_cast<const uint2*>(p);
    __nv_bfloat162 h[2];
    memcpy(h, &raw, sizeof(raw));
    float2 a = __bfloat1622float2(h[0]), b = __bfloat1622float2(h[1]);
    return make_float4(a.x, a.y, b.x, b.y);
}

__device__ float block_sum(float v, float* scratch)
{
    for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(kFullMask, v, d);
    __syncthreads(); // scratch may still be read from the previous call
    if ((threadIdx.x & 31) == 0) scratch[threadIdx.x >> 5] = v;
    __syncthreads();
    float s = 0.0f;
    for (int w = 0; w < kNormThreads / 32; ++w) s += scratch[w];
    return s;
}

__global__ void __launch_bounds__(kNormThreads)
encoder_layernorm(const __nv_bfloat16* __restrict__ x, const __nv_bfloat16* __restrict__ residual,
                  const float4* __restrict__ gamma, const float4* __restrict__ beta, __nv_bfloat16* __restrict__ out,
                  float eps)
{
    __shared__ float scratch[kNormThreads / 32];
    size_t at = static_cast<size_t>(blockIdx.x) * kHidden + threadIdx.x * 4;
    float4 v = load_bf16x4(x + at);
    float4 r = load_bf16x4(residual + at);
    v.x += r.x;
    v.y += r.y;
    v.z += r.z;
    v.w += r.w;
    float mean = block_sum(v.x + v.y + v.z + v.w, scratch) * (1.0f / kHidden);
    v.x -= mean;
    v.y -= mean;
    v.z -= mean;
    v.w -= mean;
    float var = block_sum(v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w, scratch) * (1.0f / kHidden);
    float inv = rsqrtf(var + eps);
    float4 g = gamma[threadIdx.x], b = beta[threadIdx.x];
    __nv_bfloat162 h[2] = {__floats2bfloat162_rn(v.x * inv * g.x + b.x, v.y * inv * g.y + b.y),
                           __floats2bfloat162_rn(v.z * inv * g.z + b.z, v.w * inv * g.w + b.w)};
    uint2 raw;
    memcpy(&raw, h, sizeof(raw));
    *reinterpret_cast<uint2*>(out + at) = raw;
}

static bool layernorm_case(int rows, uint64_t seed)
{
    Rng rng(seed);
    size_t n = static_cast<size_t>(rows) * kHidden;
    std::vector<__nv_bfloat16> x(n), res(n);
    std::vector<float4> gamma(kHidden / 4), beta(kHidden / 4);
    for (int r = 0; r < rows; ++r) {
        float scale = rng.uniform(0.4f, 2.5f), shift = 0.3f * rng.normal();
        for (int c = 0; c < kHidden; ++c) {
            size_t i = static_cast<size_t>(r) * kHidden + c;
            float outlier = c == 137 ? 8.0f : 0.0f; // the usual outlier channel
            x[i] = __float2bfloat16(shift + outlier + scale * rng.uniform(-1.7f, 1.7f));
            res[i] = __float2bfloat16(rng.uniform(-1.0f, 1.0f));
        }
    }
    float* g = &gamma[0].x;
    float* b = &beta[0].x;
    for (int c = 0; c < kHidden; ++c) {
        g[c] = rng.uniform(0.7f, 1.3f);
        b[c] = rng.uniform(-0.2f, 0.2f);
    }
    const float eps = 1e-5f;
    DeviceArray<__nv_bfloat16> d_x(x), d_res(res), d_out(n);
    DeviceArray<float4> d_g(gamma), d_b(beta);
    d_out.fill_bytes(0xFF);
    encoder_layernorm<<<rows, kNormThreads>>>(d_x.get(), d_res.get(), d_g.get(), d_b.get(), d_out.get(), eps);
    finish_launch();
    std::vector<__nv_bfloat16> out = d_out.fetch();

    bool ok = true;
    std::vector<float> row(kHidden);
    for (int r = 0; r < rows; ++r) {
        size_t at = static_cast<size_t>(r) * kHidden;
        double mean = 0.0, var = 0.0;
        for (int c = 0; c < kHidden; ++c) {
            row[c] = __bfloat162float(x[at + c]) + __bfloat162float(res[at + c]);
            mean += row[c];
        }
        mean /= kHidden;
        for (int c = 0; c < kHidden; ++c) var += (row[c] - mean) * (row[c] - mean);
        double inv = 1.0 / std::sqrt(var / kHidden + eps);
        for (int c = 0; c < kHidden; ++c)
            ok &= close_to(__bfloat162float(out[at + c]), (row[c] - mean) * inv * g[c] + b[c], 1e-3, 6e-3);
    }
    return ok;
}

static void test_encoder_layernorm()
{
    bool ok = layernorm_case(37, 191);
    ok &= layernorm_case(8200, 192);
    report("encoder_layernorm", ok);
}

// ---------------------------------------------------------------------------
// 20. Terrain derivatives: Horn slope and hillshade from a DEM (2-D stencil).
// ---------------------------------------------------------------------------

constexpr int kHornW = 32;
constexpr int kHornH = 16;

__global__ void __launch_bounds__(kHornW * kHornH)
horn_hillshade(const float* __restrict__ dem, float* __restrict__ slope_deg, uint8_t* __restrict__ shade, int w, int h,
               float inv_8cell, float3 light)
{
    __shared__ float t[kHornH + 2][kHornW + 2];
    int x0 = blockIdx.x * kHornW, y0 = blockIdx.y * kHornH;
    int tid = threadIdx.y * kHornW + threadIdx.x;
    for (int i = tid; i < (kHornH + 2) * (kHornW + 2); i += kHornW * kHornH) {
        int ty = i / (kHornW + 2), tx = i % (kHornW + 2);
        int gx = min(max(x0 + tx - 1, 0), w - 1);
        int gy = min(max(y0 + ty - 1, 0), h - 1);
        t[ty][tx] = dem[static_cast<size_t>(gy) * w + gx];
    }
    __syncthreads();
    int x = x0 + threadIdx.x, y = y0 + threadIdx.y;
    if (x >= w || y >= h) return;
    int a = threadIdx.y, b = threadIdx.x;
    float dzdx = ((t[a][b + 2] + 2.0f * t[a + 1][b + 2] + t[a + 2][b + 2]) -
                  (t[a][b] + 2.0f * t[a + 1][b] + t[a + 2][b])) * inv_8cell;
    float dzdy = ((t[a + 2][b] + 2.0f * t[a + 2][b + 1] + t[a + 2][b + 2]) -
                  (t[a][b] + 2.0f * t[a][b + 1] + t[a][b + 2])) * inv_8cell;
    float g2 = dzdx * dzdx + dzdy * dzdy;
    float lit = (light.z - light.x * dzdx - light.y * dzdy) * rsqrtf(1.0f + g2);
    size_t o = static_cast<size_t>(y) * w + x;
    slope_deg[o] = atanf(sqrtf(g2)) * 57.29578f;
    shade[o] = static_cast<uint8_t>(fmaxf(lit, 0.0f) * 255.0f + 0.5f);
}

static bool horn_case(int w, int h, uint64_t seed)
{
    std::vector<float> dem = fractal_field(w, h, 128, 5, seed);
    for (float& z : dem) z *= 1800.0f;
    const float cell = 10.0f, inv8 = 1.0f / (8.0f * cell);
    const float3 light = make_float3(-0.5f, -0.5f, 0.70710678f);
    size_t n = dem.size();
    DeviceArray<float> d_dem(dem), d_slope(n);
    DeviceArray<uint8_t> d_shade(n);
    d_slope.fill_bytes(0xFF);
    d_shade.fill_bytes(0xFF);
    dim3 block(kHornW, kHornH), grid(div_up(w, kHornW), div_up(h, kHornH));
    horn_hillshade<<<grid, block>>>(d_dem.get(), d_slope.get(), d_shade.get(), w, h, inv8, light);
    finish_launch();
    std::vector<float> slope = d_slope.fetch();
    std::vector<uint8_t> shade = d_shade.fetch();

    bool ok = true;
    for (int y = 0; y < h; ++y) {
        const float* r[3] = {&dem[static_cast<size_t>(std::max(y - 1, 0)) * w], &dem[static_cast<size_t>(y) * w],
                             &dem[static_cast<size_t>(std::min(y + 1, h - 1)) * w]};
        for (int x = 0; x < w; ++x) {
            int l = std::max(x - 1, 0), q = std::min(x + 1, w - 1);
            float dx = ((r[0][q] + 2 * r[1][q] + r[2][q]) - (r[0][l] + 2 * r[1][l] + r[2][l])) * inv8;
            float dy = ((r[2][l] + 2 * r[2][x] + r[2][q]) - (r[0][l] + 2 * r[0][x] + r[0][q])) * inv8;
            float g2 = dx * dx + dy * dy;
            float lit = std::max((light.z - light.x * dx - light.y * dy) / std::sqrt(1 + g2), 0.0f);
            size_t o = static_cast<size_t>(y) * w + x;
            ok &= close_to(slope[o], std::atan(std::sqrt(g2)) * 57.29578f, 5e-3, 1e-3);
            ok &= std::abs(static_cast<int>(shade[o]) - static_cast<int>(lit * 255.0f + 0.5f)) <= 1;
        }
    }
    return ok;
}

static void test_horn_hillshade()
{
    bool ok = horn_case(150, 91, 201);
    ok &= horn_case(1830, 1510, 202);
    report("horn_hillshade", ok);
}

// ---------------------------------------------------------------------------
// 21. Smoke-plume transport: one explicit advection-diffusion step (upwind,
//     seven points), marching in z with the level winds in constant memory.
// ---------------------------------------------------------------------------

constexpr int kMaxLevels = 96;
constexpr int kPlumeW = 32;
constexpr int kPlumeH = 8;
__constant__ float c_wind_u[kMaxLevels]; // Courant numbers per level
__constant__ float c_wind_v[kMaxLevels];
__constant__ float c_kz[kMaxLevels]; // vertical diffusion number at the upper face

__global__ void __launch_bounds__(kPlumeW * kPlumeH)
plume_step(const float* __restrict__ conc, float* __restrict__ next, int nx, int ny, int nz, float kh)
{
    __shared__ float t[kPlumeH + 2][kPlumeW + 2];
    int x = blockIdx.x * kPlumeW + threadIdx.x;
    int y = blockIdx.y * kPlumeH + threadIdx.y;
    int cx = min(x, nx - 1), cy = min(y, ny - 1); // clamped: threads outside only help loading
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    size_t plane = static_cast<size_t>(nx) * ny;
    size_t col = static_cast<size_t>(cy) * nx + cx;

    float below = conc[col];
    float here = below;
    for (int z = 0; z < nz; ++z) {
        const float* level = conc + z * plane;
        float above = z + 1 < nz ? level[plane + col] : here;
        __syncthreads(); // previous level fully consumed
        t[ty][tx] = here;
        if (threadIdx.x == 0) t[ty][0] = level[static_cast<size_t>(cy) * nx + max(cx - 1, 0)];
        if (threadIdx.x == kPlumeW - 1) t[ty][kPlumeW + 1] = level[static_cast<size_t>(cy) * nx + min(x + 1, nx - 1)];
        if (threadIdx.y == 0) t[0][tx] = level[static_cast<size_t>(max(cy - 1, 0)) * nx + cx];
        if (threadIdx.y == kPlumeH - 1) t[kPlumeH + 1][tx] = level[static_cast<size_t>(min(y + 1, ny - 1)) * nx + cx];
        __syncthreads();
        if (x < nx && y < ny) {
            float w = t[ty][tx - 1], e = t[ty][tx + 1], s = t[ty - 1][tx], n = t[ty + 1][tx];
            float u = c_wind_u[z], v = c_wind_v[z];
            float adv_x = u > 0.0f ? u * (here - w) : u * (e - here);
            float adv_y = v > 0.0f ? v * (here - s) : v * (n - here);
            float flux_up = c_kz[z] * (above - here);
            float flux_down = z > 0 ? c_kz[z - 1] * (here - below) : 0.0f;
            next[z * plane + col] = here - adv_x - adv_y + kh * (w + e + s + n - 4.0f * here) + flux_up - flux_down;
        }
        below = here;
        here = above;
    }
}

static bool plume_case(int nx, int ny, int nz, uint64_t seed)
{
    Rng rng(seed);
    size_t plane = static_cast<size_t>(nx) * ny;
    std::vector<float> c(plane * nz), u(kMaxLevels, 0.0f), v(kMaxLevels, 0.0f), kz(kMaxLevels, 0.0f);
    for (int z = 0; z < nz; ++z) { // wind turning with height
        float a = 0.3f + 2.2f * static_cast<float>(z) / nz, m = 0.1f + 0.25f * static_cast<float>(z) / nz;
        u[z] = m * std::cos(a);
        v[z] = m * std::sin(a);
        kz[z] = 0.12f * std::exp(-6.0f * static_cast<float>(z) / nz);
    }
    for (int z = 0; z < nz; ++z) {
        std::vector<float> gx(nx);
        float mx = 0.3f * nx + 0.2f * z, my = 0.4f * ny + 0.3f * z, mz = 0.25f * nz;
        float sx = 0.12f * nx, sy = 0.15f * ny, sz = 0.2f * nz;
        for (int x = 0; x < nx; ++x) gx[x] = std::exp(-0.5f * (x - mx) * (x - mx) / (sx * sx));
        float gz = std::exp(-0.5f * (z - mz) * (z - mz) / (sz * sz));
        for (int y = 0; y < ny; ++y) {
            float gy = std::exp(-0.5f * (y - my) * (y - my) / (sy * sy));
            for (int x = 0; x < nx; ++x)
                c[z * plane + static_cast<size_t>(y) * nx + x] = 80.0f * gx[x] * gy * gz + 0.5f * rng.uniform();
        }
    }
    const float kh = 0.06f;
    CUDA_CHECK(cudaMemcpyToSymbol(c_wind_u, u.data(), kMaxLevels * sizeof(float)));
    CUDA_CHECK(cudaMemcpyToSymbol(c_wind_v, v.data(), kMaxLevels * sizeof(float)));
    CUDA_CHECK(cudaMemcpyToSymbol(c_kz, kz.data(), kMaxLevels * sizeof(float)));
    DeviceArray<float> d_c(c), d_n(c.size());
    d_n.fill_bytes(0xFF);
    dim3 block(kPlumeW, kPlumeH), grid(div_up(nx, kPlumeW), div_up(ny, kPlumeH));
    plume_step<<<grid, block>>>(d_c.get(), d_n.get(), nx, ny, nz, kh);
    finish_launch();
    std::vector<float> out = d_n.fetch();

    bool ok = true;
    for (int z = 0; z < nz; ++z)
        for (int y = 0; y < ny; ++y)
            for (int x = 0; x < nx; ++x) {
                auto at = [&](int i, int j, int k) {
                    i = std::min(std::max(i, 0), nx - 1);
                    j = std::min(std::max(j, 0), ny - 1);
                    k = std::min(std::max(k, 0), nz - 1);
                    return c[k * plane + static_cast<size_t>(j) * nx + i];
                };
                float h = at(x, y, z), w = at(x - 1, y, z), e = at(x + 1, y, z), s = at(x, y - 1, z),
                      n = at(x, y + 1, z);
                float ax = u[z] > 0 ? u[z] * (h - w) : u[z] * (e - h);
                float ay = v[z] > 0 ? v[z] * (h - s) : v[z] * (n - h);
                float up = kz[z] * (at(x, y, z + 1) - h);
                float down = z > 0 ? kz[z - 1] * (h - at(x, y, z - 1)) : 0.0f;
                float want = h - ax - ay + kh * (w + e + s + n - 4 * h) + up - down;
                ok &= close_to(out[z * plane + static_cast<size_t>(y) * nx + x], want, 1e-4, 1e-4);
            }
    return ok;
}

static void test_plume_step()
{
    bool ok = plume_case(45, 30, 12, 211);
    ok &= plume_case(330, 290, 38, 212);
    report("plume_step", ok);
}

// ---------------------------------------------------------------------------
// 22. Byte offsets of variable-length log records: single-pass exclusive scan
//     with decoupled look-back.
// ---------------------------------------------------------------------------

constexpr int kScanThreads = 256;
constexpr int kScanItems = 8;
constexpr int kScanTile = kScanThreads * kScanItems;
constexpr u64 kTileAggregate = 1ull << 62;
constexpr u64 kTilePrefix = 2ull << 62;
constexpr u64 kTileValueMask = (1ull << 62) - 1;

__global__ void __launch_bounds__(kScanThreads)
record_offset_scan(const uint32_t* __restrict__ sizes, u64* __restrict__ offsets, volatile u64* tile_state,
                   unsigned* ticket, int n)
{
    __shared__ unsigned s_tile;
    __shared__ u64 warp_total[kScanThreads / 32];
    __shared__ u64 s_prefix;
    int tid = threadIdx.x, lane = tid & 31, warp = tid >> 5;
    if (tid == 0) s_tile = atomicAdd(ticket, 1u); // tiles are numbered in start order
    __syncthreads();
    int tile = static_cast<int>(s_tile);
    int base = tile * kScanTile + tid * kScanItems;

    uint32_t v[kScanItems];
    if (base + kScanItems <= n) {
        uint4 a = *reinterpret_cast<const uint4*>(sizes + base);
        uint4 b = *reinterpret_cast<const uint4*>(sizes + base + 4);
        v[0] = a.x, v[1] = a.y, v[2] = a.z, v[3] = a.w;
        v[4] = b.x, v[5] = b.y, v[6] = b.z, v[7] = b.w;
    } else {
        for (int k = 0; k < kScanItems; ++k) v[k] = base + k < n ? sizes[base + k] : 0u;
    }
    u64 mine = 0;
    for (int k = 0; k < kScanItems; ++k) mine += v[k];

    u64 incl = mine;
    for (int d = 1; d < 32; d <<= 1) {
        u64 up = __shfl_up_sync(kFullMask, incl, d);
        if (lane >= d) incl += up;
    }
    if (lane == 31) warp_total[warp] = incl;
    __syncthreads();
    u64 before = 0, tile_total = 0;
    for (int w = 0; w < kScanThreads / 32; ++w) {
        if (w < warp) before += warp_total[w];
        tile_total += warp_total[w];
    }

    if (warp == 0) {
        // Value and status travel in one 64-bit word, so no fence is needed.
        if (lane == 0) tile_state[tile] = (tile == 0 ? kTilePrefix : kTileAggregate) | tile_total;
        u64 exclusive = 0;
        int last = tile - 1;
        while (last >= 0) {
            int idx = last - lane;
            u64 word = kTilePrefix; // before the first tile: an empty prefix
            do {
                if (idx >= 0) word = tile_state[idx];
            } while (__any_sync(kFullMask, (word >> 62) == 0));
            unsigned done = __ballot_sync(kFullMask, (word >> 62) == 2);
            int stop = done ? __ffs(static_cast<int>(done)) - 1 : 31;
            u64 part = lane <= stop ? word & kTileValueMask : 0;
            for (int d = 16; d > 0; d >>= 1) part += __shfl_xor_sync(kFullMask, part, d);
            exclusive += part;
            if (done) break;
            last -= 32;
        }
        if (lane == 0) {
            if (tile > 0) tile_state[tile] = kTilePrefix | (exclusive + tile_total);
            s_prefix = exclusive;
        }
    }
    __syncthreads();

    u64 run = s_prefix + before + incl - mine;
    for (int k = 0; k < kScanItems; ++k) {
        if (base + k < n) offsets[base + k] = run;
        run += v[k];
    }
}

static bool scan_case(int n, uint64_t seed)
{
    Rng rng(seed);
    std::vector<uint32_t> sizes(n);
    for (uint32_t& s : sizes) s = static_cast<uint32_t>(rng.pareto(90, 60000, 1.4f));
    int tiles = div_up(n, kScanTile);
    DeviceArray<uint32_t> d_sizes(sizes);
    DeviceArray<u64> d_off(n), d_state(tiles);
    DeviceArray<unsigned> d_ticket(1);
    d_off.fill_bytes(0xFF);
    d_state.fill_bytes(0);
    d_ticket.fill_bytes(0);
    record_offset_scan<<<tiles, kScanThreads>>>(d_sizes.get(), d_off.get(), d_state.get(), d_ticket.get(), n);
    finish_launch();
    std::vector<u64> off = d_off.fetch();
    u64 run = 0;
    for (int i = 0; i < n; ++i) {
        if (off[i] != run) return false;
        run += sizes[i];
    }
    return true;
}

static void test_record_offset_scan()
{
    bool ok = scan_case(20011, 221);
    ok &= scan_case(3300005, 222);
    report("record_offset_scan", ok);
}

// ---------------------------------------------------------------------------
// 23. Keep the cloud-free pixels (stable compaction); the output position of
//     each block of 1024 pixels comes from the preceding count + scan.
// ---------------------------------------------------------------------------

constexpr int kCompactThreads = 256;
constexpr int kCompactRounds = 4;
constexpr int kCompactTile = kCompactThreads * kCompactRounds;
constexpr unsigned kQaReject = 0x1f; // fill, dilated cloud, cirrus, cloud, shadow

__global__ void __launch_bounds__(kCompactThreads)
cloudfree_compact(const uint16_t* __restrict__ qa, const uint32_t* __restrict__ packed,
                  const uint32_t* __restrict__ block_base, uint32_t* __restrict__ out_pixel,
                  uint32_t* __restrict__ out_value, int n)
{
    // One counter per (round, warp): exactly one warp's worth to scan.
    __shared__ uint32_t counts[kCompactRounds * (kCompactThreads / 32)];
    int tid = threadIdx.x, lane = tid & 31, warp = tid >> 5;
    int first = blockIdx.x * kCompactTile + tid;
    unsigned ballots[kCompactRounds];
#pragma unroll
    for (int r = 0; r < kCompactRounds; ++r) {
        int i = first + r * kCompactThreads;
        bool keep = i < n && (qa[i] & kQaReject) == 0;
        ballots[r] = __ballot_sync(kFullMask, keep);
        if (lane == 0) counts[r * (kCompactThreads / 32) + warp] = static_cast<uint32_t>(__popc(ballots[r]));
    }
    __syncthreads();
    if (warp == 0) {
        uint32_t c = counts[lane], incl = c;
        for (int d = 1; d < 32; d <<= 1) {
            uint32_t up = __shfl_up_sync(kFullMask, incl, d);
            if (lane >= d) incl += up;
        }
        counts[lane] = incl - c + block_base[blockIdx.x];
    }
    __syncthreads();
#pragma unroll
    for (int r = 0; r < kCompactRounds; ++r) {
        if ((ballots[r] >> lane) & 1u) {
            int i = first + r * kCompactThreads;
            uint32_t pos = counts[r * (kCompactThreads / 32) + warp] +
                           static_cast<uint32_t>(__popc(ballots[r] & ((1u << lane) - 1u)));
            out_pixel[pos] = static_cast<uint32_t>(i);
            out_value[pos] = packed[i];
        }
    }
}

static bool compact_case(int w, int h, uint64_t seed)
{
    Rng rng(seed);
    int n = w * h;
    std::vector<float> cloud = fractal_field(w, h, 80, 4, seed + 5);
    std::vector<uint16_t> qa(n);
    std::vector<uint32_t> packed(n);
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            int i = y * w + x;
            unsigned q = 0x40;
            if (cloud[i] > 0.58f) q |= 0x08;
            else if (cloud[i] > 0.56f) q |= 0x02;
            else if (x > 6 && y > 9 && cloud[i - 9 * w - 6] > 0.60f) q |= 0x10;
            if (rng.below(700) == 0) q |= 0x04;
            if (x < 20 + y / 16) q = 0x01;
            qa[i] = static_cast<uint16_t>(q);
            packed[i] = rng.u32();
        }
    int blocks = div_up(n, kCompactTile);
    std::vector<uint32_t> base(blocks, 0), ref_pixel, ref_value;
    for (int i = 0; i < n; ++i) {
        if (i % kCompactTile == 0) base[i / kCompactTile] = static_cast<uint32_t>(ref_pixel.size());
        if ((qa[i] & kQaReject) == 0) {
            ref_pixel.push_back(static_cast<uint32_t>(i));
            ref_value.push_back(packed[i]);
        }
    }
    DeviceArray<uint16_t> d_qa(qa);
    DeviceArray<uint32_t> d_packed(packed), d_base(base), d_pix(ref_pixel.size()), d_val(ref_value.size());
    d_pix.fill_bytes(0xFF);
    d_val.fill_bytes(0xFF);
    cloudfree_compact<<<blocks, kCompactThreads>>>(d_qa.get(), d_packed.get(), d_base.get(), d_pix.get(), d_val.get(),
                                                   n);
    finish_launch();
    return d_pix.fetch() == ref_pixel && d_val.fetch() == ref_value;
}

static void test_cloudfree_compact()
{
    bool ok = compact_case(203, 99, 231);
    ok &= compact_case(2310, 1540, 232);
    report("cloudfree_compact", ok);
}

// ---------------------------------------------------------------------------
// 24. Viewshed of a transmitter: every cell walks the line of sight towards
//     itself and stops at the first obstacle.  Heights are decimetres, so the
//     slope comparison is exact.
// ---------------------------------------------------------------------------

__global__ void viewshed_march(const short* __restrict__ dem, uint8_t* __restrict__ visible, int w, int h, int ox,
                               int oy, int eye_dm, int max_cells)
{
    int tx = blockIdx.x * blockDim.x + threadIdx.x;
    int ty = blockIdx.y * blockDim.y + threadIdx.y;
    if (tx >= w || ty >= h) return;
    int dx = abs(tx - ox), dy = abs(ty - oy);
    int steps = max(dx, dy);
    int eye = dem[oy * w + ox] + eye_dm;
    uint8_t seen = 1;
    if (dx * dx + dy * dy > max_cells * max_cells) {
        seen = 0;
    } else if (steps > 1) {
        int sx = tx < ox ? -1 : 1, sy = ty < oy ? -1 : 1;
        int rise = dem[ty * w + tx] - eye;
        int x = ox, y = oy;
        int ex = steps, ey = steps; // Bresenham errors, in units of 1 / (2 steps)
        for (int k = 1; k < steps; ++k) {
            ex += 2 * dx;
            if (ex >= 2 * steps) {
                ex -= 2 * steps;
                x += sx;
            }
            ey += 2 * dy;
            if (ey >= 2 * steps) {
                ey -= 2 * steps;
                y += sy;
            }
            if ((dem[y * w + x] - eye) * steps > rise * k) {
                seen = 0;
                break;
            }
        }
    }
    visible[ty * w + tx] = seen;
}

static bool viewshed_case(int w, int h, int max_cells, uint64_t seed)
{
    int n = w * h;
    std::vector<float> field = fractal_field(w, h, 160, 6, seed);
    std::vector<short> dem(n);
    for (int i = 0; i < n; ++i) dem[i] = static_cast<short>(field[i] * 6000.0f);
    // Put the mast on the highest spot of the middle third.
    int ox = w / 2, oy = h / 2;
    for (int y = h / 3; y < 2 * h / 3; ++y)
        for (int x = w / 3; x < 2 * w / 3; ++x)
            if (dem[y * w + x] > dem[oy * w + ox]) ox = x, oy = y;
    const int eye_dm = 450;

    DeviceArray<short> d_dem(dem);
    DeviceArray<uint8_t> d_vis(n);
    d_vis.fill_bytes(0xFF);
    dim3 block(16, 16), grid(div_up(w, 16), div_up(h, 16));
    viewshed_march<<<grid, block>>>(d_dem.get(), d_vis.get(), w, h, ox, oy, eye_dm, max_cells);
    finish_launch();
    std::vector<uint8_t> vis = d_vis.fetch();

    long eye = dem[oy * w + ox] + eye_dm;
    for (int ty = 0; ty < h; ++ty)
        for (int tx = 0; tx < w; ++tx) {
            int dx = tx - ox, dy = ty - oy;
            int adx = std::abs(dx), ady = std::abs(dy), s = std::max(adx, ady);
            uint8_t want = 1;
            if (adx * adx + ady * ady > max_cells * max_cells) {
                want = 0;
            } else {
                long rise = dem[ty * w + tx] - eye;
                for (int k = 1; k < s && want; ++k) {
                    int qx = static_cast<int>(static_cast<unsigned>(2 * adx * k + s) / static_cast<unsigned>(2 * s));
                    int qy = static_cast<int>(static_cast<unsigned>(2 * ady * k + s) / static_cast<unsigned>(2 * s));
                    long z = dem[(oy + (dy < 0 ? -qy : qy)) * w + ox + (dx < 0 ? -qx : qx)];
                    if ((z - eye) * s > rise * k) want = 0;
                }
            }
            if (vis[ty * w + tx] != want) return false;
        }
    return true;
}

static void test_viewshed_march()
{
    bool ok = viewshed_case(130, 110, 55, 241);
    ok &= viewshed_case(1400, 1210, 640, 242);
    report("viewshed_march", ok);
}

// ---------------------------------------------------------------------------
// 25. Related-places recommender: random walks over the user-place graph with
//     a stop probability; visited places are counted.
// ---------------------------------------------------------------------------

__host__ __device__ inline uint32_t walk_next(uint32_t& s)
{
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    return s * 0x9E3779B1u;
}

__global__ void pixie_walk(const int* __restrict__ place_ptr, const int* __restrict__ place_user,
                           const int* __restrict__ user_ptr, const int* __restrict__ user_place,
                           const int* __restrict__ query, int num_query, unsigned* __restrict__ visits,
                           uint8_t* __restrict__ walk_length, int num_walks, int max_steps, unsigned stop_threshold,
                           uint32_t seed)
{
    int walk = blockIdx.x * blockDim.x + threadIdx.x;
    if (walk >= num_walks) return;
    uint32_t state = (static_cast<uint32_t>(walk) * 0x85EBCA6Bu + seed) | 1u;
    walk_next(state);
    int place = query[walk % num_query];
    int step = 0;
    while (step < max_steps) {
        int pb = place_ptr[place];
        unsigned pdeg = static_cast<unsigned>(place_ptr[place + 1] - pb);
        if (pdeg == 0) break;
        int user = place_user[pb + static_cast<int>(__umulhi(walk_next(state), pdeg))];
        int ub = user_ptr[user];
        unsigned udeg = static_cast<unsigned>(user_ptr[user + 1] - ub);
        place = user_place[ub + static_cast<int>(__umulhi(walk_next(state), udeg))];
        atomicAdd(&visits[place], 1u);
        ++step;
        if (walk_next(state) < stop_threshold) break;
    }
    walk_length[walk] = static_cast<uint8_t>(step);
}

static bool pixie_case(int users, int places, int walks, uint64_t seed)
{
    Rng rng(seed);
    std::vector<int> user_ptr(users + 1, 0), place_ptr(places + 1, 0);
    for (int u = 0; u < users; ++u) user_ptr[u + 1] = user_ptr[u] + rng.pareto(5, 600, 1.2f);
    std::vector<int> user_place(user_ptr[users]), place_user(user_place.size());
    for (int& p : user_place) {
        p = rng.skewed(places, 1.8f);
        ++place_ptr[p + 1];
    }
    for (int p = 0; p < places; ++p) place_ptr[p + 1] += place_ptr[p];
    std::vector<int> fill(place_ptr.begin(), place_ptr.end() - 1);
    for (int u = 0; u < users; ++u)
        for (int e = user_ptr[u]; e < user_ptr[u + 1]; ++e) place_user[fill[user_place[e]]++] = u;
    std::vector<int> query(50);
    for (int& q : query) q = rng.below(places);
    const int max_steps = 40;
    const unsigned stop = static_cast<unsigned>(0.08 * 4294967296.0);
    const uint32_t walk_seed = 0xC0FFEEu;

    DeviceArray<int> d_pp(place_ptr), d_pu(place_user), d_up(user_ptr), d_upl(user_place), d_q(query);
    DeviceArray<unsigned> d_visits(places);
    DeviceArray<uint8_t> d_len(walks);
    d_visits.fill_bytes(0);
    d_len.fill_bytes(0xFF);
    pixie_walk<<<div_up(walks, 192), 192>>>(d_pp.get(), d_pu.get(), d_up.get(), d_upl.get(), d_q.get(),
                                            static_cast<int>(query.size()), d_visits.get(), d_len.get(), walks,
                                            max_steps, stop, walk_seed);
    finish_launch();
    std::vector<unsigned> visits = d_visits.fetch();
    std::vector<uint8_t> len = d_len.fetch();

    std::vector<unsigned> ref(places, 0);
    auto pick = [](uint32_t r, int n) {
        return static_cast<int>((static_cast<uint64_t>(r) * static_cast<uint64_t>(n)) >> 32);
    };
    for (int wk = 0; wk < walks; ++wk) {
        uint32_t s = (static_cast<uint32_t>(wk) * 0x85EBCA6Bu + walk_seed) | 1u;
        walk_next(s);
        int place = query[wk % static_cast<int>(query.size())];
        int step = 0;
        while (step < max_steps && place_ptr[place + 1] > place_ptr[place]) {
            int user = place_user[place_ptr[place] + pick(walk_next(s), place_ptr[place + 1] - place_ptr[place])];
            place = user_place[user_ptr[user] + pick(walk_next(s), user_ptr[user + 1] - user_ptr[user])];
            ++ref[place];
            ++step;
            if (walk_next(s) < stop) break;
        }
        if (len[wk] != step) return false;
    }
    return visits == ref;
}

static void test_pixie_walk()
{
    bool ok = pixie_case(300, 400, 1500, 251);
    ok &= pixie_case(60000, 80000, 220000, 252);
    report("pixie_walk", ok);
}

// ---------------------------------------------------------------------------
// 26. Map reprojection: four filtered texture taps per output pixel, source
//     coordinates from a second-order polynomial.
// ---------------------------------------------------------------------------

struct WarpPoly {
    float x[6]; // 1, u, v, u*u, u*v, v*v
    float y[6];
};

__host__ __device__ inline float2 warp_point(const WarpPoly& p, float u, float v)
{
    float2 r;
    r.x = p.x[0] + u * (p.x[1] + u * p.x[3] + v * p.x[4]) + v * (p.x[2] + v * p.x[5]);
    r.y = p.y[0] + u * (p.y[1] + u * p.y[3] + v * p.y[4]) + v * (p.y[2] + v * p.y[5]);
    return r;
}

__global__ void reproject_bilinear(cudaTextureObject_t src, float* __restrict__ dst, int w, int h, WarpPoly poly)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float sum = 0.0f;
#pragma unroll
    for (int s = 0; s < 4; ++s) {
        float u = static_cast<float>(x) + ((s & 1) ? 0.75f : 0.25f);
        float v = static_cast<float>(y) + ((s & 2) ? 0.75f : 0.25f);
        float2 p = warp_point(poly, u, v);
        sum += tex2D<float>(src, p.x, p.y);
    }
    dst[static_cast<size_t>(y) * w + x] = 0.25f * sum;
}

static bool reproject_case(int sw, int sh, int w, int h, uint64_t seed)
{
    std::vector<float> img = fractal_field(sw, sh, 32, 4, seed);
    float kx = static_cast<float>(sw) / w, ky = static_cast<float>(sh) / h;
    WarpPoly poly = {{-0.04f * sw, 1.02f * kx, 0.06f * ky, 0.03f * kx / w, -0.02f * kx / h, 0.01f * ky / h},
                     {0.03f * sh, -0.05f * kx, 1.01f * ky, 0.02f * kx / w, 0.01f * ky / w, -0.03f * ky / h}};

    cudaChannelFormatDesc desc{32, 0, 0, 0, cudaChannelFormatKindFloat};
    cudaArray_t arr = nullptr;
    CUDA_CHECK(cudaMallocArray(&arr, &desc, sw, sh));
    CUDA_CHECK(cudaMemcpy2DToArray(arr, 0, 0, img.data(), sw * sizeof(float), sw * sizeof(float), sh,
                                   cudaMemcpyHostToDevice));
    cudaResourceDesc res = {};
    res.resType = cudaResourceTypeArray;
    res.res.array.array = arr;
    cudaTextureDesc td = {};
    td.addressMode[0] = td.addressMode[1] = cudaAddressModeBorder; // zero outside the scene
    td.filterMode = cudaFilterModeLinear;
    td.readMode = cudaReadModeElementType;
    cudaTextureObject_t tex = 0;
    CUDA_CHECK(cudaCreateTextureObject(&tex, &res, &td, nullptr));

    bool ok = true;
    {
        DeviceArray<float> d_dst(static_cast<size_t>(w) * h);
        d_dst.fill_bytes(0xFF);
        dim3 block(32, 4), grid(div_up(w, 32), div_up(h, 4));
        reproject_bilinear<<<grid, block>>>(tex, d_dst.get(), w, h, poly);
        finish_launch();
        std::vector<float> out = d_dst.fetch();
        auto texel = [&](int i, int j) {
            return i < 0 || j < 0 || i >= sw || j >= sh ? 0.0f : img[static_cast<size_t>(j) * sw + i];
        };
        for (int y = 0; y < h; ++y)
            for (int x = 0; x < w; ++x) {
                float sum = 0.0f;
                for (int s = 0; s < 4; ++s) {
                    float2 p = warp_point(poly, x + ((s & 1) ? 0.75f : 0.25f), y + ((s & 2) ? 0.75f : 0.25f));
                    float px = p.x - 0.5f, py = p.y - 0.5f;
                    float bx = std::floor(px), by = std::floor(py);
                    float fx = px - bx, fy = py - by;
                    int i = static_cast<int>(bx), j = static_cast<int>(by);
                    sum += (1 - fy) * ((1 - fx) * texel(i, j) + fx * texel(i + 1, j)) +
                           fy * ((1 - fx) * texel(i, j + 1) + fx * texel(i + 1, j + 1));
                }
                ok &= close_to(out[static_cast<size_t>(y) * w + x], 0.25f * sum, 6e-3, 0.0);
            }
    }
    CUDA_CHECK(cudaDestroyTextureObject(tex));
    CUDA_CHECK(cudaFreeArray(arr));
    return ok;
}

static void test_reproject_bilinear()
{
    bool ok = reproject_case(130, 90, 141, 101, 261);
    ok &= reproject_case(1500, 1200, 2050, 1630, 262);
    report("reproject_bilinear", ok);
}

// ---------------------------------------------------------------------------
// 27. Crop mapping: banded dynamic time warping of NDVI series (one thread
//     per pixel) against the crop templates, all in integers.
// ---------------------------------------------------------------------------

constexpr int kDates = 46;
constexpr int kCrops = 6;
constexpr int kBand = 5;
constexpr int kBandWidth = 2 * kBand + 1;
constexpr int kDtwInf = 1 << 28;
__constant__ short c_crop[kCrops][kDates];

// series is date-major: series[date * n + pixel]
__global__ void dtw_crop_match(const short* __restrict__ series, uint8_t* __restrict__ crop, int* __restrict__ cost,
                               int n)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= n) return;
    int best = INT_MAX, best_crop = 0;
    for (int c = 0; c < kCrops; ++c) {
        int d[kBandWidth]; // d[k] is the cost at template date i + k - kBand
#pragma unroll
        for (int k = 0; k < kBandWidth; ++k) d[k] = k == kBand ? 0 : kDtwInf;
        for (int i = 0; i < kDates; ++i) {
            int s = series[static_cast<size_t>(i) * n + p];
#pragma unroll
            for (int k = 0; k < kBandWidth; ++k) {
                int j = i + k - kBand;
                int from = d[k]; // (i-1, j-1)
                if (k + 1 < kBandWidth) from = min(from, d[k + 1]); // (i-1, j)
                if (k > 0) from = min(from, d[k - 1]); // (i, j-1), already updated
                d[k] = j >= 0 && j < kDates ? min(from + abs(s - c_crop[c][j]), kDtwInf) : kDtwInf;
            }
        }
        if (d[kBand] < best) {
            best = d[kBand];
            best_crop = c;
        }
    }
    crop[p] = static_cast<uint8_t>(best_crop);
    cost[p] = best;
}

static bool dtw_case(int n, uint64_t seed)
{
    Rng rng(seed);
    short tmpl[kCrops][kDates];
    for (int c = 0; c < kCrops; ++c)
        for (int t = 0; t < kDates; ++t) {
            float peak = 14.0f + 4.0f * c, width = 4.0f + 0.8f * c;
            float z = (t - peak) / width;
            float second = c == 2 ? 0.35f * std::exp(-0.5f * (t - 38.0f) * (t - 38.0f) / 9.0f) : 0.0f;
            tmpl[c][t] = static_cast<short>(10000.0f * (0.15f + 0.65f * std::exp(-0.5f * z * z) + second));
        }
    std::vector<short> series(static_cast<size_t>(n) * kDates);
    for (int p = 0; p < n; ++p) {
        int c = rng.skewed(kCrops, 1.5f);
        int shift = rng.range(-3, 3);
        for (int t = 0; t < kDates; ++t) {
            int src = std::min(kDates - 1, std::max(0, t + shift));
            int v = tmpl[c][src] + static_cast<int>(400.0f * rng.normal());
            if (rng.below(15) == 0) v = 1000; // residual cloud
            series[static_cast<size_t>(t) * n + p] = static_cast<short>(v);
        }
    }
    CUDA_CHECK(cudaMemcpyToSymbol(c_crop, tmpl, sizeof(tmpl)));
    DeviceArray<short> d_series(series);
    DeviceArray<uint8_t> d_crop(n);
    DeviceArray<int> d_cost(n);
    d_crop.fill_bytes(0xFF);
    d_cost.fill_bytes(0xFF);
    dtw_crop_match<<<div_up(n, 128), 128>>>(d_series.get(), d_crop.get(), d_cost.get(), n);
    finish_launch();
    std::vector<uint8_t> crop = d_crop.fetch();
    std::vector<int> cost = d_cost.fetch();

    for (int p = 0; p < n; ++p) {
        int best = INT_MAX, best_crop = 0;
        for (int c = 0; c < kCrops; ++c) {
            // Row and column 0 are the usual infinite border; only band cells are ever written.
            static int dp[kDates + 1][kDates + 1];
            if (p == 0 && c == 0)
                for (auto& row : dp)
                    for (int& v : row) v = kDtwInf;
            dp[0][0] = 0;
            for (int i = 1; i <= kDates; ++i) {
                int s = series[static_cast<size_t>(i - 1) * n + p];
                for (int j = std::max(1, i - kBand); j <= std::min(kDates, i + kBand); ++j)
                    dp[i][j] = std::min(dp[i - 1][j - 1], std::min(dp[i - 1][j], dp[i][j - 1])) +
                               std::abs(s - tmpl[c][j - 1]);
            }
            if (dp[kDates][kDates] < best) {
                best = dp[kDates][kDates];
                best_crop = c;
            }
        }
        if (crop[p] != best_crop || cost[p] != best) return false;
    }
    return true;
}

static void test_dtw_crop_match()
{
    bool ok = dtw_case(333, 271);
    ok &= dtw_case(70000, 272);
    report("dtw_crop_match", ok);
}

// ---------------------------------------------------------------------------
// 28. Point-cloud normals: gather the neighbours, 3x3 covariance, cyclic
//     Jacobi until the off-diagonal is negligible.
// ---------------------------------------------------------------------------

constexpr int kNeighbours = 16;

// Annihilates a_pq; r is the remaining index.
__device__ __forceinline__ void jacobi_rotate(float& app, float& aqq, float& apq, float& arp, float& arq, float3& vp,
                                              float3& vq)
{
    if (fabsf(apq) < 1e-20f) return;
    float theta = (aqq - app) / (2.0f * apq);
    float t = copysignf(1.0f, theta) / (fabsf(theta) + sqrtf(theta * theta + 1.0f));
    float c = rsqrtf(t * t + 1.0f), s = t * c;
    app -= t * apq;
    aqq += t * apq;
    apq = 0.0f;
    float rp = arp, rq = arq;
    arp = c * rp - s * rq;
    arq = s * rp + c * rq;
    float3 p = vp, q = vq;
    vp = make_float3(c * p.x - s * q.x, c * p.y - s * q.y, c * p.z - s * q.z);
    vq = make_float3(s * p.x + c * q.x, s * p.y + c * q.y, s * p.z + c * q.z);
}

// neighbours is slot-major: neighbours[k * n + point]
__global__ void lidar_knn_normals(const float4* __restrict__ points, const int* __restrict__ neighbours,
                                  float4* __restrict__ normals, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 o = points[i];
    float sx = 0, sy = 0, sz = 0, xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;
#pragma unroll 4
    for (int k = 0; k < kNeighbours; ++k) {
        float4 q = points[neighbours[static_cast<size_t>(k) * n + i]];
        float x = q.x - o.x, y = q.y - o.y, z = q.z - o.z;
        sx += x, sy += y, sz += z;
        xx += x * x, xy += x * y, xz += x * z;
        yy += y * y, yz += y * z, zz += z * z;
    }
    const float inv = 1.0f / kNeighbours;
    sx *= inv, sy *= inv, sz *= inv;
    float a00 = xx * inv - sx * sx, a01 = xy * inv - sx * sy, a02 = xz * inv - sx * sz;
    float a11 = yy * inv - sy * sy, a12 = yz * inv - sy * sz, a22 = zz * inv - sz * sz;
    float trace = a00 + a11 + a22;

    float3 v0 = make_float3(1, 0, 0), v1 = make_float3(0, 1, 0), v2 = make_float3(0, 0, 1);
    for (int sweep = 0; sweep < 10; ++sweep) {
        if (fabsf(a01) + fabsf(a02) + fabsf(a12) <= 1e-7f * trace) break;
        jacobi_rotate(a00, a11, a01, a02, a12, v0, v1);
        jacobi_rotate(a00, a22, a02, a01, a12, v0, v2);
        jacobi_rotate(a11, a22, a12, a01, a02, v1, v2);
    }
    float lambda = a00;
    float3 nrm = v0;
    if (a11 < lambda) lambda = a11, nrm = v1;
    if (a22 < lambda) lambda = a22, nrm = v2;
    float len = rsqrtf(nrm.x * nrm.x + nrm.y * nrm.y + nrm.z * nrm.z);
    if (nrm.z < 0.0f) len = -len; // airborne scanner: normals look up
    normals[i] = make_float4(nrm.x * len, nrm.y * len, nrm.z * len, fmaxf(lambda, 0.0f) / trace);
}

static bool normals_case(int cols, int rows, uint64_t seed)
{
    Rng rng(seed);
    int n = cols * rows;
    std::vector<float> terrain = fractal_field(cols, rows, 64, 3, seed + 3);
    // Points are stored in flight-block order: 16 x 16 blocks of the scan grid.
    std::vector<int> slot(n);
    int next = 0;
    for (int by = 0; by < rows; by += 16)
        for (int bx = 0; bx < cols; bx += 16)
            for (int y = by; y < std::min(by + 16, rows); ++y)
                for (int x = bx; x < std::min(bx + 16, cols); ++x) slot[y * cols + x] = next++;
    std::vector<float4> pts(n);
    std::vector<int> nbr(static_cast<size_t>(n) * kNeighbours);
    for (int y = 0; y < rows; ++y)
        for (int x = 0; x < cols; ++x)
            pts[slot[y * cols + x]] =
                make_float4(0.5f * x + rng.uniform(-0.12f, 0.12f), 0.5f * y + rng.uniform(-0.12f, 0.12f),
                            25.0f * terrain[static_cast<size_t>(y) * cols + x] + 0.02f * rng.normal(), 0.0f);
    for (int y = 0; y < rows; ++y)
        for (int x = 0; x < cols; ++x) {
            int cx = std::min(std::max(x, 2), cols - 3), cy = std::min(std::max(y, 2), rows - 3);
            int i = slot[y * cols + x];
            int skip = rng.below(25); // 16 consecutive cells (cyclic) of the 5 x 5 window
            for (int k = 0; k < kNeighbours; ++k) {
                int cell = (skip + k) % 25;
                nbr[static_cast<size_t>(k) * n + i] = slot[(cy - 2 + cell / 5) * cols + cx - 2 + cell % 5];
            }
        }
    DeviceArray<float4> d_pts(pts), d_out(n);
    DeviceArray<int> d_nbr(nbr);
    d_out.fill_bytes(0xFF);
    lidar_knn_normals<<<div_up(n, 128), 128>>>(d_pts.get(), d_nbr.get(), d_out.get(), n);
    finish_launch();
    std::vector<float4> out = d_out.fetch();

    // Closed-form eigenvalues, eigenvector from a cross product, in double.
    bool ok = true;
    for (int i = 0; i < n; ++i) {
        double m[3] = {}, a[3][3] = {};
        double q[kNeighbours][3];
        for (int k = 0; k < kNeighbours; ++k) {
            const float4& p = pts[nbr[static_cast<size_t>(k) * n + i]];
            q[k][0] = p.x, q[k][1] = p.y, q[k][2] = p.z;
            for (int d = 0; d < 3; ++d) m[d] += q[k][d] / kNeighbours;
        }
        for (int k = 0; k < kNeighbours; ++k)
            for (int r = 0; r < 3; ++r)
                for (int c = r; c < 3; ++c) a[r][c] += (q[k][r] - m[r]) * (q[k][c] - m[c]) / kNeighbours;
        a[1][0] = a[0][1], a[2][0] = a[0][2], a[2][1] = a[1][2];
        double tr = a[0][0] + a[1][1] + a[2][2], mu = tr / 3.0;
        double p2 = (a[0][0] - mu) * (a[0][0] - mu) + (a[1][1] - mu) * (a[1][1] - mu) +
                    (a[2][2] - mu) * (a[2][2] - mu) +
                    2.0 * (a[0][1] * a[0][1] + a[0][2] * a[0][2] + a[1][2] * a[1][2]);
        double p = std::sqrt(p2 / 6.0);
        double b00 = (a[0][0] - mu) / p, b11 = (a[1][1] - mu) / p, b22 = (a[2][2] - mu) / p;
        double b01 = a[0][1] / p, b02 = a[0][2] / p, b12 = a[1][2] / p;
        double det = b00 * (b11 * b22 - b12 * b12) - b01 * (b01 * b22 - b12 * b02) + b02 * (b01 * b12 - b11 * b02);
        double phi = std::acos(std::min(1.0, std::max(-1.0, det / 2.0))) / 3.0;
        double lam = mu + 2.0 * p * std::cos(phi + 2.0943951023931953);
        double rws[3][3];
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) rws[r][c] = a[r][c] - (r == c ? lam : 0.0);
        double best = -1.0, nv[3] = {0, 0, 1};
        for (int e = 0; e < 3; ++e) {
            const double* u = rws[e];
            const double* v = rws[(e + 1) % 3];
            double c0 = u[1] * v[2] - u[2] * v[1], c1 = u[2] * v[0] - u[0] * v[2], c2 = u[0] * v[1] - u[1] * v[0];
            double l = c0 * c0 + c1 * c1 + c2 * c2;
            if (l > best) {
                best = l;
                nv[0] = c0, nv[1] = c1, nv[2] = c2;
            }
        }
        double len = std::sqrt(best);
        const float4& g = out[i];
        double dot = (nv[0] * g.x + nv[1] * g.y + nv[2] * g.z) / len;
        ok &= std::fabs(dot) > 0.9995 && g.z >= 0.0f;
        ok &= close_to(std::sqrt(g.x * g.x + g.y * g.y + g.z * g.z), 1.0, 1e-4, 0.0);
        ok &= close_to(g.w, std::max(lam, 0.0) / tr, 2e-4, 1e-2);
    }
    return ok;
}

static void test_lidar_knn_normals()
{
    bool ok = normals_case(50, 41, 281);
    ok &= normals_case(720, 630, 282);
    report("lidar_knn_normals", ok);
}

// ---------------------------------------------------------------------------
// 29. Spatial join: zone polygon containing each GPS fix.  A coarse grid
//     lists the candidate polygons per cell; exact integer crossing test.
// ---------------------------------------------------------------------------

constexpr int kJoinGrid = 64;
constexpr int kJoinCell = 3200; // decimetres; the area is 20.48 km wide

__global__ void polygon_zone_join(const int2* __restrict__ fixes, const int* __restrict__ cell_ptr,
                                  const int* __restrict__ cell_poly, const int4* __restrict__ bbox,
                                  const int* __restrict__ ring_ptr, const int2* __restrict__ ring,
                                  int* __restrict__ zone, unsigned* __restrict__ zone_count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int2 p = fixes[i];
    int cell = (p.y / kJoinCell) * kJoinGrid + p.x / kJoinCell;
    int found = -1;
    for (int c = cell_ptr[cell]; c < cell_ptr[cell + 1]; ++c) {
        int poly = cell_poly[c];
        int4 box = bbox[poly];
        if (p.x < box.x || p.y < box.y || p.x > box.z || p.y > box.w) continue;
        bool inside = false;
        int end = ring_ptr[poly + 1];
        int2 a = ring[end - 1];
        for (int e = ring_ptr[poly]; e < end; ++e) {
            int2 b = ring[e];
            if ((a.y > p.y) != (b.y > p.y)) {
                long long cross = static_cast<long long>(b.x - a.x) * (p.y - a.y) -
                                  static_cast<long long>(p.x - a.x) * (b.y - a.y);
                if (b.y > a.y ? cross > 0 : cross < 0) inside = !inside;
            }
            a = b;
        }
        if (inside) {
            found = poly;
            break;
        }
    }
    zone[i] = found;
    if (found >= 0) atomicAdd(&zone_count[found], 1u);
}

static bool join_case(int n, int polys, uint64_t seed)
{
    Rng rng(seed);
    const int extent = kJoinGrid * kJoinCell;
    std::vector<int> ring_ptr(polys + 1, 0);
    std::vector<int2> ring;
    std::vector<int4> bbox(polys);
    std::vector<std::vector<int>> cells(kJoinGrid * kJoinGrid);
    for (int z = 0; z < polys; ++z) { // star-shaped delivery zones, partly overlapping
        float cx = rng.uniform(0.05f, 0.95f) * extent, cy = rng.uniform(0.05f, 0.95f) * extent;
        float radius = rng.uniform(2500.0f, 8000.0f);
        int verts = rng.pareto(16, 240, 1.6f);
        int4 box = make_int4(INT_MAX, INT_MAX, INT_MIN, INT_MIN);
        for (int k = 0; k < verts; ++k) {
            float a = 6.2831853f * (static_cast<float>(k) + 0.4f * rng.uniform()) / static_cast<float>(verts);
            float r = radius * rng.uniform(0.6f, 1.0f);
            int2 v = make_int2(static_cast<int>(cx + r * std::cos(a)), static_cast<int>(cy + r * std::sin(a)));
            ring.push_back(v);
            box = make_int4(std::min(box.x, v.x), std::min(box.y, v.y), std::max(box.z, v.x), std::max(box.w, v.y));
        }
        bbox[z] = box;
        ring_ptr[z + 1] = static_cast<int>(ring.size());
        int gx0 = std::max(0, box.x) / kJoinCell, gx1 = std::min(extent - 1, box.z) / kJoinCell;
        int gy0 = std::max(0, box.y) / kJoinCell, gy1 = std::min(extent - 1, box.w) / kJoinCell;
        for (int gy = gy0; gy <= gy1; ++gy)
            for (int gx = gx0; gx <= gx1; ++gx) cells[gy * kJoinGrid + gx].push_back(z);
    }
    std::vector<int> cell_ptr(1, 0), cell_poly;
    for (auto& c : cells) {
        cell_poly.insert(cell_poly.end(), c.begin(), c.end());
        cell_ptr.push_back(static_cast<int>(cell_poly.size()));
    }
    std::vector<int2> fixes(n);
    float px = 0.5f * extent, py = 0.5f * extent;
    for (int i = 0; i < n; ++i) { // vehicle tracks of 200 fixes, starting around the centre
        if (i % 200 == 0) {
            px = extent * (0.5f + 0.17f * rng.normal());
            py = extent * (0.5f + 0.17f * rng.normal());
        }
        px += 120.0f * rng.normal();
        py += 120.0f * rng.normal();
        px = std::min(std::max(px, 0.0f), static_cast<float>(extent - 1));
        py = std::min(std::max(py, 0.0f), static_cast<float>(extent - 1));
        fixes[i] = make_int2(static_cast<int>(px), static_cast<int>(py));
    }
    DeviceArray<int2> d_fix(fixes), d_ring(ring);
    DeviceArray<int> d_cptr(cell_ptr), d_cpoly(cell_poly), d_rptr(ring_ptr), d_zone(n);
    DeviceArray<int4> d_box(bbox);
    DeviceArray<unsigned> d_count(polys);
    d_zone.fill_bytes(0xFE);
    d_count.fill_bytes(0);
    polygon_zone_join<<<div_up(n, 256), 256>>>(d_fix.get(), d_cptr.get(), d_cpoly.get(), d_box.get(), d_rptr.get(),
                                               d_ring.get(), d_zone.get(), d_count.get(), n);
    finish_launch();
    std::vector<int> zone = d_zone.fetch();
    std::vector<unsigned> count = d_count.fetch();

    std::vector<unsigned> ref_count(polys, 0);
    for (int i = 0; i < n; ++i) {
        double x = fixes[i].x, y = fixes[i].y;
        int cell = (fixes[i].y / kJoinCell) * kJoinGrid + fixes[i].x / kJoinCell;
        int want = -1;
        for (int z : cells[cell]) {
            int crossings = 0;
            for (int e = ring_ptr[z]; e < ring_ptr[z + 1]; ++e) {
                int2 a = ring[e], b = ring[e + 1 < ring_ptr[z + 1] ? e + 1 : ring_ptr[z]];
                if (a.y > b.y) std::swap(a, b); // a below b; the product is exact in double
                if (y < a.y || y >= b.y) continue;
                if ((b.x - a.x) * (y - a.y) > (x - a.x) * (b.y - a.y)) ++crossings;
            }
            if (crossings & 1) {
                want = z;
                break;
            }
        }
        if (want >= 0) ++ref_count[want];
        if (zone[i] != want) return false;
    }
    return count == ref_count;
}

static void test_polygon_zone_join()
{
    bool ok = join_case(4000, 40, 291);
    ok &= join_case(450000, 700, 292);
    report("polygon_zone_join", ok);
}

// ---------------------------------------------------------------------------

int main()
{
    test_embedding_bag_pool();
    test_atm_lut_correct();
    test_geodetic_residual_spmv();
    test_als_rhs_spmm();
    test_landcover_ndvi_hist();
    test_latency_loglin_hist();
    test_road_bucket_relax();
    test_pagerank_grid();
    test_geocell_hash_upsert();
    test_water_run_union();
    test_lidar_cell_stats();
    test_log_severity_router();
    test_morton_radix_scatter();
    test_candidate_bitonic_topk();
    test_dn_to_toa();
    test_bsq_to_bip();
    test_band_covariance();
    test_slate_softmax();
    test_encoder_layernorm();
    test_horn_hillshade();
    test_plume_step();
    test_record_offset_scan();
    test_cloudfree_compact();
    test_viewshed_march();
    test_pixie_walk();
    test_reproject_bilinear();
    test_dtw_crop_match();
    test_lidar_knn_normals();
    test_polygon_zone_join();
    if (g_failures) std::printf("%d kernel(s) WRONG\n", g_failures);
    return g_failures ? 1 : 0;
}
