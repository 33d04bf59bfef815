// mixed_al.cu - kernels from three code bases that share one regression driver:
//   * a molecular simulation package (forces, RDF, electrostatics, docking, flash),
//   * a freight / routing optimiser (BFS, SSSP, auction, 2-opt, terrain cost),
//   * the query engine of a time-series database (scan, filter, group-by, sort, merge).
// Every kernel runs on a small and on a larger problem and is checked on the host.

#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

namespace cg = cooperative_groups;

typedef unsigned long long u64;

// ---------------------------------------------------------------------------
// driver utilities
// ---------------------------------------------------------------------------

static void cuda_check(cudaError_t err, const char* what, int line)
{
    if (err != cudaSuccess) {
        std::fprintf(stderr, "CUDA error %d in %s (line %d)\n", static_cast<int>(err), what, line);
        std::exit(2);
    }
}
#define CUDA_CHECK(expr) cuda_check((expr), #expr, __LINE__)

static void finish_launch(int line)
{
    cuda_check(cudaGetLastError(), "kernel launch", line);
    cuda_check(cudaDeviceSynchronize(), "kernel execution", line);
}
#define FINISH_LAUNCH() finish_launch(__LINE__)

template <typename T>
class DeviceArray {
public:
    explicit DeviceArray(size_t n) : n_(n)
    {
        CUDA_CHECK(cudaMalloc(reinterpret_cast<void**>(&ptr_), std::max<size_t>(n, 1) * sizeof(T)));
    }
    explicit DeviceArray(const std::vector<T>& host) : DeviceArray(host.size()) { upload(host); }
    ~DeviceArray() { cudaFree(ptr_); }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;

    T* get() const { return ptr_; }
    void upload(const std::vector<T>& host)
    {
        if (!host.empty())
            CUDA_CHECK(cudaMemcpy(ptr_, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
    }
    void fill_bytes(int value) { CUDA_CHECK(cudaMemset(ptr_, value, n_ * sizeof(T))); }
    std::vector<T> download() const
    {
        std::vector<T> host(n_);
        if (n_) CUDA_CHECK(cudaMemcpy(host.data(), ptr_, n_ * sizeof(T), cudaMemcpyDeviceToHost));
        return host;
    }

private:
    T* ptr_ = nullptr;
    size_t n_ = 0;
};

static int g_failures = 0;

static void report(const char* name, bool ok)
{
    std::printf("%s %s\n", name, ok ? "ok" : "WRONG");
    if (!ok) ++g_failures;
}

static bool close_to(double got, double want, double rel, double abs)
{
    return std::fabs(got - want) <= abs + rel * std::fabs(want);
}

static int div_up(int a, int b) { return (a + b - 1) / b; }

__host__ __device__ inline uint64_t mix64(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

struct Rng {
    uint64_t state;
    explicit Rng(uint64_t seed) : state(seed) {}
    uint64_t next()
    {
        state += 0x9e3779b97f4a7c15ull;
        return mix64(state);
    }
    uint32_t u32() { return static_cast<uint32_t>(next() >> 32); }
    double uniform() { return static_cast<double>(next() >> 11) * (1.0 / 9007199254740992.0); }
    double uniform(double lo, double hi) { return lo + (hi - lo) * uniform(); }
    int below(int n) { return static_cast<int>((static_cast<uint64_t>(u32()) * static_cast<uint32_t>(n)) >> 32); }
    // Irwin-Hall with four 16-bit terms: close enough to a normal for test data.
    double normal()
    {
        const uint64_t r = next();
        const double s = static_cast<double>((r & 0xffff) + ((r >> 16) & 0xffff) + ((r >> 32) & 0xffff) + (r >> 48));
        return (s / 65536.0 - 2.0) * 1.7320508;
    }
};

struct CsrGraph {
    int n = 0;
    std::vector<int> row_ptr;
    std::vector<int> col;
    std::vector<int> weight;
};

static CsrGraph build_undirected(int n, const std::vector<std::pair<int, int>>& edges, const std::vector<int>& weights)
{
    CsrGraph g;
    g.n = n;
    g.row_ptr.assign(n + 1, 0);
    for (const auto& e : edges) {
        ++g.row_ptr[e.first + 1];
        ++g.row_ptr[e.second + 1];
    }
    std::partial_sum(g.row_ptr.begin(), g.row_ptr.end(), g.row_ptr.begin());
    g.col.resize(g.row_ptr[n]);
    if (!weights.empty()) g.weight.resize(g.row_ptr[n]);
    std::vector<int> cursor(g.row_ptr.begin(), g.row_ptr.end() - 1);
    for (size_t i = 0; i < edges.size(); ++i) {
        const int a = cursor[edges[i].first]++;
        const int b = cursor[edges[i].second]++;
        g.col[a] = edges[i].second;
        g.col[b] = edges[i].first;
        if (!weights.empty()) g.weight[a] = g.weight[b] = weights[i];
    }
    return g;
}

// Hub-and-spoke freight network: every terminal links to a few others, the
// partner drawn with a strong preference for low-numbered (hub) terminals.
static CsrGraph make_freight_network(int n, int links_per_node, uint64_t seed)
{
    Rng rng(seed);
    std::vector<std::pair<int, int>> edges;
    std::vector<int> weights;
    for (int v = 1; v < n; ++v) {
        const int links = 1 + rng.below(2 * links_per_node - 1);
        for (int k = 0; k < links; ++k) {
            const double u = rng.uniform();
            const int partner = (k == 0) ? static_cast<int>(v * u * u) : static_cast<int>(n * u * u);
            if (partner == v) continue;
            edges.emplace_back(v, partner);
            weights.push_back(10 + rng.below(190) + (rng.below(10) == 0 ? 400 : 0));
        }
    }
    // relabel so that hubs are not all at the front of the arrays
    std::vector<int> label(n);
    std::iota(label.begin(), label.end(), 0);
    for (int i = n - 1; i > 0; --i) std::swap(label[i], label[rng.below(i + 1)]);
    for (auto& e : edges) e = {label[e.first], label[e.second]};
    return build_undirected(n, edges, weights);
}

// ---------------------------------------------------------------------------
// 1. dictionary-encoded column: materialise the rows an index scan selected
// ---------------------------------------------------------------------------

__global__ void dict_decode_gather(const uint32_t* __restrict__ row_ids, const uint16_t* __restrict__ codes,
                                   const uint32_t* __restrict__ validity, const double* __restrict__ dict,
                                   double* __restrict__ out, int n_selected, double null_value)
{
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n_selected; i += stride) {
        const uint32_t row = row_ids[i];
        const bool valid = (validity[row >> 5] >> (row & 31)) & 1u;
        double v = null_value;
        if (valid) v = dict[codes[row]];
        out[i] = v;
    }
}

static bool run_dict_decode(int n_rows, int dict_size, int grid, int block, uint64_t seed)
{
    Rng rng(seed);
    std::vector<double> dict(dict_size);
    for (auto& d : dict) d = std::round(rng.normal() * 4000.0) / 100.0;
    std::vector<uint16_t> codes(n_rows);
    for (auto& c : codes) {
        const double u = rng.uniform();
        c = static_cast<uint16_t>(u * u * dict_size);
    }
    std::vector<uint32_t> validity((n_rows + 31) / 32);
    for (auto& w : validity) w = rng.u32() | rng.u32() | rng.u32();

    std::vector<uint32_t> rows;  // ascending, in bursts, as a secondary index returns them
    int row = rng.below(16);
    while (row < n_rows) {
        int burst = 1 + rng.below(128);
        while (burst-- > 0 && row < n_rows) {
            rows.push_back(row);
            row += 1 + (rng.below(4) == 0);
        }
        row += 1 + rng.below(200);
    }
    const int n_sel = static_cast<int>(rows.size());

    DeviceArray<double> d_dict(dict), d_out(n_sel);
    DeviceArray<uint16_t> d_codes(codes);
    DeviceArray<uint32_t> d_valid(validity), d_rows(rows);
    dict_decode_gather<<<grid, block>>>(d_rows.get(), d_codes.get(), d_valid.get(), d_dict.get(), d_out.get(), n_sel,
                                        -9999.0);
    FINISH_LAUNCH();

    const auto out = d_out.download();
    for (int i = 0; i < n_sel; ++i) {
        const uint32_t r = rows[i];
        const double want = ((validity[r >> 5] >> (r & 31)) & 1u) ? dict[codes[r]] : -9999.0;
        if (out[i] != want) return false;
    }
    return true;
}

static void test_dict_decode_gather()
{
    bool ok = true;
    for (int pass = 0; pass < 2; ++pass)
        ok &= pass == 0 ? run_dict_decode(10007, 300, 7, 256, 11) : run_dict_decode(8200000, 21000, 132 * 8, 256, 12);
    report("dict_decode_gather", ok);
}

// ---------------------------------------------------------------------------
// 2. Markov state model: one propagation step y = T x, CSR, eight lanes a row
// ---------------------------------------------------------------------------

constexpr int kLanesPerRow = 8;

__global__ void __launch_bounds__(256)
csr_subwarp_spmv(const int* __restrict__ row_ptr, const int* __restrict__ cols, const double* __restrict__ vals,
                 const double* __restrict__ x, double* __restrict__ y, int n_rows)
{
    const int lane = threadIdx.x % kLanesPerRow;
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / kLanesPerRow;
    double sum = 0.0;
    if (row < n_rows) {
        const int end = row_ptr[row + 1];
        for (int k = row_ptr[row] + lane; k < end; k += kLanesPerRow) sum += vals[k] * x[cols[k]];
    }
    for (int off = kLanesPerRow / 2; off > 0; off >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, off, kLanesPerRow);
    if (lane == 0 && row < n_rows) y[row] = sum;
}

static bool run_csr_spmv(int n_rows, uint64_t seed)
{
    Rng rng(seed);
    std::vector<int> row_ptr(n_rows + 1, 0), cols;
    std::vector<double> vals;
    for (int r = 0; r < n_rows; ++r) {
        const double u = rng.uniform() + 1e-6;
        const int deg = std::min(600, 4 + static_cast<int>(7.0 * (std::pow(u, -0.6) - 1.0)));
        double total = 0.0;
        for (int k = 0; k < deg; ++k) {
            int c = rng.below(10) < 7 ? r - 200 + rng.below(401) : rng.below(n_rows);
            c = std::min(std::max(c, 0), n_rows - 1);
            const double w = 0.05 + rng.uniform();
            cols.push_back(c);
            vals.push_back(w);
            total += w;
        }
        row_ptr[r + 1] = static_cast<int>(cols.size());
        for (int k = row_ptr[r]; k < row_ptr[r + 1]; ++k) vals[k] /= total;
    }
    std::vector<double> x(n_rows);
    for (auto& v : x) v = rng.uniform() * 2.0 - 0.5;

    DeviceArray<int> d_ptr(row_ptr), d_cols(cols);
    DeviceArray<double> d_vals(vals), d_x(x), d_y(n_rows);
    const int block = 256;
    csr_subwarp_spmv<<<div_up(n_rows * kLanesPerRow, block), block>>>(d_ptr.get(), d_cols.get(), d_vals.get(),
                                                                      d_x.get(), d_y.get(), n_rows);
    FINISH_LAUNCH();

    const auto y = d_y.download();
    for (int r = 0; r < n_rows; ++r) {
        double want = 0.0;
        for (int k = row_ptr[r]; k < row_ptr[r + 1]; ++k) want += vals[k] * x[cols[k]];
        if (!close_to(y[r], want, 1e-11, 1e-12)) return false;
    }
    return true;
}

static void test_csr_subwarp_spmv()
{
    bool ok = true;
    for (int n : {1013, 140000}) ok &= run_csr_spmv(n, 21 + n);
    report("csr_subwarp_spmv", ok);
}

// ---------------------------------------------------------------------------
// 3. density-matrix purification: sparse (SELL-32) times a block of 8 vectors
// ---------------------------------------------------------------------------

__global__ void sell32_spmm8(const int* __restrict__ slice_ptr, const int* __restrict__ cols,
                             const float* __restrict__ vals, const float4* __restrict__ b, float4* __restrict__ c,
                             int n_rows)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n_rows) return;
    const int slice = row >> 5;
    const int end = slice_ptr[slice + 1];
    float4 lo = make_float4(0.f, 0.f, 0.f, 0.f);
    float4 hi = make_float4(0.f, 0.f, 0.f, 0.f);
    for (int k = slice_ptr[slice] + (row & 31); k < end; k += 32) {
        const float a = vals[k];
        const int col = cols[k];
        const float4 p = b[2 * col];
        const float4 q = b[2 * col + 1];
        lo.x += a * p.x;
        lo.y += a * p.y;
        lo.z += a * p.z;
        lo.w += a * p.w;
        hi.x += a * q.x;
        hi.y += a * q.y;
        hi.z += a * q.z;
        hi.w += a * q.w;
    }
    c[2 * row] = lo;
    c[2 * row + 1] = hi;
}

static bool run_sell_spmm(int n_rows, int base_width, uint64_t seed)
{
    Rng rng(seed);
    const int n_slices = div_up(n_rows, 32);
    std::vector<int> slice_ptr(n_slices + 1, 0), cols;
    std::vector<float> vals;
    for (int s = 0; s < n_slices; ++s) {
        int len[32], width = 0;
        for (int l = 0; l < 32; ++l) {
            len[l] = (s * 32 + l < n_rows) ? base_width / 2 + rng.below(base_width) : 0;
            width = std::max(width, len[l]);
        }
        for (int k = 0; k < width; ++k)
            for (int l = 0; l < 32; ++l) {
                const int row = s * 32 + l;
                if (k < len[l]) {
                    const int off = static_cast<int>(rng.normal() * 90.0);
                    cols.push_back(std::min(std::max(row + off, 0), n_rows - 1));
                    vals.push_back(static_cast<float>(std::exp(-std::abs(off) / 60.0) * rng.normal()));
                } else {
                    cols.push_back(std::min(row, n_rows - 1));
                    vals.push_back(0.0f);
                }
            }
        slice_ptr[s + 1] = static_cast<int>(cols.size());
    }
    std::vector<float4> b(2 * n_rows);
    for (auto& v : b)
        v = make_float4(float(rng.normal()), float(rng.normal()), float(rng.normal()), float(rng.normal()));

    DeviceArray<int> d_sp(slice_ptr), d_cols(cols);
    DeviceArray<float> d_vals(vals);
    DeviceArray<float4> d_b(b), d_c(2 * n_rows);
    sell32_spmm8<<<div_up(n_rows, 128), 128>>>(d_sp.get(), d_cols.get(), d_vals.get(), d_b.get(), d_c.get(), n_rows);
    FINISH_LAUNCH();

    const auto c = d_c.download();
    const float* bf = &b[0].x;
    const float* cf = &c[0].x;
    for (int row = 0; row < n_rows; ++row) {
        double want[8] = {0}, mag[8] = {0};
        const int s = row >> 5;
        for (int k = slice_ptr[s] + (row & 31); k < slice_ptr[s + 1]; k += 32)
            for (int j = 0; j < 8; ++j) {
                const double t = double(vals[k]) * bf[8 * cols[k] + j];
                want[j] += t;
                mag[j] += std::fabs(t);
            }
        for (int j = 0; j < 8; ++j)
            if (!close_to(cf[8 * row + j], want[j], 0.0, 1e-5 * mag[j] + 1e-6)) return false;
    }
    return true;
}

static void test_sell32_spmm8()
{
    bool ok = run_sell_spmm(777, 12, 31);
    ok &= run_sell_spmm(96500, 18, 32);
    report("sell32_spmm8", ok);
}

// ---------------------------------------------------------------------------
// 4. radial distribution functions of a binary liquid, fixed-point coordinates
// ---------------------------------------------------------------------------

constexpr int kRdfTile = 256;

__global__ void __launch_bounds__(kRdfTile)
rdf_pair_histogram(const int4* __restrict__ pos, int n, int box, int r_max_sq, float inv_bin, int n_bins,
                   unsigned int* __restrict__ hist)
{
    extern __shared__ unsigned int s_rdf[];
    __shared__ int4 tile[kRdfTile];
    if (blockIdx.y < blockIdx.x) return;  // only tiles on or above the diagonal

    for (int b = threadIdx.x; b < 3 * n_bins; b += blockDim.x) s_rdf[b] = 0u;
    const int i = blockIdx.x * kRdfTile + threadIdx.x;
    const int j0 = blockIdx.y * kRdfTile;
    const int tile_len = min(kRdfTile, n - j0);
    if (threadIdx.x < tile_len) tile[threadIdx.x] = pos[j0 + threadIdx.x];
    __syncthreads();

    if (i < n) {
        const int4 pi = pos[i];
        const int half = box / 2;
        const int first = (blockIdx.x == blockIdx.y) ? threadIdx.x + 1 : 0;
        for (int k = first; k < tile_len; ++k) {
            const int4 pj = tile[k];
            int dx = pi.x - pj.x, dy = pi.y - pj.y, dz = pi.z - pj.z;
            if (dx > half) dx -= box; else if (dx < -half) dx += box;
            if (dy > half) dy -= box; else if (dy < -half) dy += box;
            if (dz > half) dz -= box; else if (dz < -half) dz += box;
            const int r2 = dx * dx + dy * dy + dz * dz;
            if (r2 < r_max_sq) {
                const int bin = min(static_cast<int>(sqrtf(static_cast<float>(r2)) * inv_bin), n_bins - 1);
                atomicAdd(&s_rdf[(pi.w + pj.w) * n_bins + bin], 1u);
            }
        }
    }
    __syncthreads();
    for (int b = threadIdx.x; b < 3 * n_bins; b += blockDim.x)
        if (s_rdf[b]) atomicAdd(&hist[b], s_rdf[b]);
}

static bool run_rdf(int n, int box, int n_bins, uint64_t seed)
{
    Rng rng(seed);
    const int side = static_cast<int>(std::ceil(std::cbrt(static_cast<double>(n))));
    const double a = static_cast<double>(box) / side;
    std::vector<int4> pos(n);
    for (int i = 0; i < n; ++i) {
        auto jitter = [&](int cell) {
            const int v = static_cast<int>((cell + 0.5 + 0.22 * rng.normal()) * a);
            return ((v % box) + box) % box;
        };
        pos[i] = make_int4(jitter(i % side), jitter(i / side % side), jitter(i / (side * side)), rng.below(3) == 0);
    }
    const int r_max = box / 2 - 64;
    const float inv_bin = static_cast<float>(n_bins) / r_max;

    DeviceArray<int4> d_pos(pos);
    DeviceArray<unsigned int> d_hist(3 * n_bins);
    d_hist.fill_bytes(0);
    const int tiles = div_up(n, kRdfTile);
    rdf_pair_histogram<<<dim3(tiles, tiles), kRdfTile, 3 * n_bins * sizeof(unsigned int)>>>(
        d_pos.get(), n, box, r_max * r_max, inv_bin, n_bins, d_hist.get());
    FINISH_LAUNCH();

    std::vector<unsigned int> want(3 * n_bins, 0u);
    const int half = box / 2;
    auto image = [&](int d) { return d > half ? d - box : (d < -half ? d + box : d); };
    for (int i = 0; i < n; ++i)
        for (int j = i + 1; j < n; ++j) {
            const int dx = image(pos[i].x - pos[j].x), dy = image(pos[i].y - pos[j].y), dz = image(pos[i].z - pos[j].z);
            const int r2 = dx * dx + dy * dy + dz * dz;
            if (r2 >= r_max * r_max) continue;
            const int bin = std::min(static_cast<int>(sqrtf(static_cast<float>(r2)) * inv_bin), n_bins - 1);
            ++want[(pos[i].w + pos[j].w) * n_bins + bin];
        }
    return d_hist.download() == want;
}

static void test_rdf_pair_histogram()
{
    bool ok = run_rdf(300, 20480, 80, 41);
    ok &= run_rdf(9100, 49152, 200, 42);
    report("rdf_pair_histogram", ok);
}

// ---------------------------------------------------------------------------
// 5. log-linear latency histogram per endpoint (four sub-buckets per octave)
// ---------------------------------------------------------------------------

constexpr int kLatBuckets = 128;

__host__ __device__ inline int latency_bucket(uint32_t us)
{
    if (us < 4u) return static_cast<int>(us);
#ifdef __CUDA_ARCH__
    const int e = 31 - __clz(static_cast<int>(us));
#else
    const int e = 31 - __builtin_clz(us);
#endif
    return (e - 1) * 4 + static_cast<int>((us >> (e - 2)) & 3u);
}

__global__ void latency_log_histogram(const uint32_t* __restrict__ latency, const uint8_t* __restrict__ endpoint, int n,
                                      int n_endpoints, unsigned int* __restrict__ hist)
{
    extern __shared__ unsigned int s_lat[];
    const int n_cells = n_endpoints * kLatBuckets;
    for (int c = threadIdx.x; c < n_cells; c += blockDim.x) s_lat[c] = 0u;
    __syncthreads();

    const int tid = blockIdx.x * blockDim.x + threadIdx.x;
    const int stride = gridDim.x * blockDim.x;
    const int n4 = n / 4;
    const uint4* latency4 = reinterpret_cast<const uint4*>(latency);
    const uchar4* endpoint4 = reinterpret_cast<const uchar4*>(endpoint);
    for (int i = tid; i < n4; i += stride) {
        const uint4 l = latency4[i];
        const uchar4 e = endpoint4[i];
        atomicAdd(&s_lat[e.x * kLatBuckets + latency_bucket(l.x)], 1u);
        atomicAdd(&s_lat[e.y * kLatBuckets + latency_bucket(l.y)], 1u);
        atomicAdd(&s_lat[e.z * kLatBuckets + latency_bucket(l.z)], 1u);
        atomicAdd(&s_lat[e.w * kLatBuckets + latency_bucket(l.w)], 1u);
    }
    const int tail = 4 * n4 + tid;
    if (tail < n) atomicAdd(&s_lat[endpoint[tail] * kLatBuckets + latency_bucket(latency[tail])], 1u);
    __syncthreads();

    for (int c = threadIdx.x; c < n_cells; c += blockDim.x) {
        const unsigned int v = s_lat[c];
        if (v) atomicAdd(&hist[c], v);
    }
}

static bool run_latency_hist(int n, int n_endpoints, int grid, uint64_t seed)
{
    Rng rng(seed);
    std::vector<uint32_t> latency(n);
    std::vector<uint8_t> endpoint(n);
    for (int i = 0; i < n; ++i) {
        const double u = rng.uniform();
        const int e = static_cast<int>(u * u * n_endpoints);
        const double us = std::exp(5.0 + 0.25 * e + 0.8 * rng.normal());
        const bool stall = rng.below(500) == 0;
        latency[i] = static_cast<uint32_t>(stall ? us * 400.0 : us);
        endpoint[i] = static_cast<uint8_t>(e);
    }
    DeviceArray<uint32_t> d_lat(latency);
    DeviceArray<uint8_t> d_ep(endpoint);
    DeviceArray<unsigned int> d_hist(n_endpoints * kLatBuckets);
    d_hist.fill_bytes(0);
    latency_log_histogram<<<grid, 512, n_endpoints * kLatBuckets * sizeof(unsigned int)>>>(
        d_lat.get(), d_ep.get(), n, n_endpoints, d_hist.get());
    FINISH_LAUNCH();

    std::vector<unsigned int> want(n_endpoints * kLatBuckets, 0u);
    for (int i = 0; i < n; ++i) ++want[endpoint[i] * kLatBuckets + latency_bucket(latency[i])];
    return d_hist.download() == want;
}

static void test_latency_log_histogram()
{
    bool ok = run_latency_hist(20011, 5, 6, 51);
    ok &= run_latency_hist(7000003, 12, 132 * 2, 52);
    report("latency_log_histogram", ok);
}

// ---------------------------------------------------------------------------
// 6. multi-depot BFS on a road grid: expand one frontier
// ---------------------------------------------------------------------------

constexpr int kBfsBlock = 192;
constexpr int kBfsQueue = 1024;

__global__ void __launch_bounds__(kBfsBlock)
road_bfs_expand(const int* __restrict__ row_ptr, const int* __restrict__ col, const int* __restrict__ frontier,
                int frontier_len, int next_level, int* level, int* __restrict__ next_frontier, int* next_len)
{
    __shared__ int s_queue[kBfsQueue];
    __shared__ int s_count;
    __shared__ int s_base;
    if (threadIdx.x == 0) s_count = 0;
    __syncthreads();

    const int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < frontier_len) {
        const int u = frontier[idx];
        const int end = row_ptr[u + 1];
        for (int k = row_ptr[u]; k < end; ++k) {
            const int v = col[k];
            if (level[v] < 0 && atomicCAS(&level[v], -1, next_level) == -1) {
                const int slot = atomicAdd(&s_count, 1);
                if (slot < kBfsQueue)
                    s_queue[slot] = v;
                else
                    next_frontier[atomicAdd(next_len, 1)] = v;  // local queue is full
            }
        }
    }
    __syncthreads();
    const int held = min(s_count, kBfsQueue);
    if (threadIdx.x == 0 && held > 0) s_base = atomicAdd(next_len, held);
    __syncthreads();
    for (int i = threadIdx.x; i < held; i += blockDim.x) next_frontier[s_base + i] = s_queue[i];
}

static CsrGraph make_road_grid(int w, int h, uint64_t seed)
{
    Rng rng(seed);
    std::vector<std::pair<int, int>> edges;
    edges.reserve(static_cast<size_t>(w) * h * 2);
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            const int v = y * w + x;
            const uint32_t r = rng.u32();
            if (x + 1 < w && (r & 255) < 218) edges.emplace_back(v, v + 1);
            if (y + 1 < h && (r >> 8 & 255) < 218) edges.emplace_back(v, v + w);
            if (x + 1 < w && y + 1 < h && (r >> 16 & 255) < 13) edges.emplace_back(v, v + w + 1);
            if ((r >> 24) < 2) edges.emplace_back(v, rng.below(w * h));  // expressway
        }
    return build_undirected(w * h, edges, {});
}

static bool run_road_bfs(int w, int h, int n_depots, int depth, uint64_t seed)
{
    const CsrGraph g = make_road_grid(w, h, seed);
    Rng rng(seed + 1);
    std::vector<int> level(g.n, -1), frontier;
    for (int d = 0; d < n_depots; ++d) {
        const int v = rng.below(g.n);
        if (level[v] < 0) {
            level[v] = 0;
            frontier.push_back(v);
        }
    }
    auto expand = [&](std::vector<int>& lev, const std::vector<int>& from, int next_level) {
        std::vector<int> next;
        for (int u : from)
            for (int k = g.row_ptr[u]; k < g.row_ptr[u + 1]; ++k)
                if (lev[g.col[k]] < 0) {
                    lev[g.col[k]] = next_level;
                    next.push_back(g.col[k]);
                }
        return next;
    };
    for (int d = 1; d <= depth; ++d) frontier = expand(level, frontier, d);

    const int len = static_cast<int>(frontier.size());
    DeviceArray<int> d_ptr(g.row_ptr), d_col(g.col), d_frontier(frontier), d_level(level);
    DeviceArray<int> d_next(g.n), d_next_len(1);
    d_next_len.fill_bytes(0);
    road_bfs_expand<<<std::max(1, div_up(len, kBfsBlock)), kBfsBlock>>>(d_ptr.get(), d_col.get(), d_frontier.get(), len,
                                                                       depth + 1, d_level.get(), d_next.get(),
                                                                       d_next_len.get());
    FINISH_LAUNCH();

    std::vector<int> want_next = expand(level, frontier, depth + 1);
    if (d_level.download() != level) return false;
    const int got_len = d_next_len.download()[0];
    if (got_len != static_cast<int>(want_next.size())) return false;
    std::vector<int> got_next = d_next.download();
    got_next.resize(got_len);
    std::sort(got_next.begin(), got_next.end());
    std::sort(want_next.begin(), want_next.end());
    return got_next == want_next;
}

static void test_road_bfs_expand()
{
    bool ok = run_road_bfs(61, 47, 9, 4, 61);
    ok &= run_road_bfs(1800, 1400, 11000, 6, 62);
    report("road_bfs_expand", ok);
}

// ---------------------------------------------------------------------------
// 7. single-source transit times in the freight network: cooperative
//    Bellman-Ford, a warp pushes the out-edges of each vertex that improved
// ---------------------------------------------------------------------------

__global__ void __launch_bounds__(512)
sssp_transit_times(const int* __restrict__ row_ptr, const int* __restrict__ col, const int* __restrict__ weight, int n,
                   int* dist, int* __restrict__ pushed, int* changed)
{
    cg::grid_group grid = cg::this_grid();
    const int lane = threadIdx.x & 31;
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    const int n_warps = (gridDim.x * blockDim.x) >> 5;
    volatile int* flags = changed;

    for (int round = 0;; ++round) {
        // the flag of the next round; nobody has looked at it since the last sync but one
        if (grid.thread_rank() == 0) flags[(round + 1) % 3] = 0;
        bool improved = false;
        for (int u = warp; u < n; u += n_warps) {
            int d = 0, old = 0;
            if (lane == 0) {
                d = __ldcg(&dist[u]);
                old = pushed[u];
                if (d < old) pushed[u] = d;
            }
            d = __shfl_sync(0xffffffffu, d, 0);
            old = __shfl_sync(0xffffffffu, old, 0);
            if (d >= old) continue;
            const int end = row_ptr[u + 1];
            for (int k = row_ptr[u] + lane; k < end; k += 32) {
                const int v = col[k];
                const int nd = d + weight[k];
                if (nd < __ldcg(&dist[v]) && atomicMin(&dist[v], nd) > nd) improved = true;
            }
        }
        if (__any_sync(0xffffffffu, improved) && lane == 0) flags[round % 3] = 1;
        grid.sync();
        if (flags[round % 3] == 0) break;
    }
}

static bool run_sssp(int n, int links, int grid, uint64_t seed)
{
    const CsrGraph g = make_freight_network(n, links, seed);
    constexpr int kFar = 1 << 29;
    std::vector<int> dist(n, kFar), pushed(n, kFar), flags(3, 0);
    const int source = static_cast<int>(seed % n);
    dist[source] = 0;

    DeviceArray<int> d_ptr(g.row_ptr), d_col(g.col), d_w(g.weight), d_dist(dist), d_pushed(pushed), d_flags(flags);
    const int* p_ptr = d_ptr.get();
    const int* p_col = d_col.get();
    const int* p_w = d_w.get();
    int* p_dist = d_dist.get();
    int* p_pushed = d_pushed.get();
    int* p_flags = d_flags.get();
    void* args[] = {&p_ptr, &p_col, &p_w, &n, &p_dist, &p_pushed, &p_flags};
    CUDA_CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(sssp_transit_times), dim3(grid), dim3(512),
                                           args, 0, 0));
    FINISH_LAUNCH();

    // host: Dijkstra with a binary heap of (distance, vertex)
    std::vector<std::pair<int, int>> heap{{0, source}};
    auto later = [](const std::pair<int, int>& a, const std::pair<int, int>& b) { return a > b; };
    while (!heap.empty()) {
        std::pop_heap(heap.begin(), heap.end(), later);
        const auto top = heap.back();
        heap.pop_back();
        if (top.first > dist[top.second]) continue;
        for (int k = g.row_ptr[top.second]; k < g.row_ptr[top.second + 1]; ++k) {
            const int nd = top.first + g.weight[k];
            if (nd < dist[g.col[k]]) {
                dist[g.col[k]] = nd;
                heap.emplace_back(nd, g.col[k]);
                std::push_heap(heap.begin(), heap.end(), later);
            }
        }
    }
    return d_dist.download() == dist;
}

static void test_sssp_transit_times()
{
    bool ok = run_sssp(900, 2, 4, 71);
    ok &= run_sssp(42000, 3, 132, 72);
    report("sssp_transit_times", ok);
}

// ---------------------------------------------------------------------------
// 8. GROUP BY series id: open-addressing table, count(*) and sum(bytes)
// ---------------------------------------------------------------------------

constexpr u64 kEmptyKey = ~0ull;

__global__ void hash_group_by_series(const u64* __restrict__ series, const uint32_t* __restrict__ bytes, int n,
                                     u64* table_key, unsigned int* table_count, u64* table_sum, unsigned int mask)
{
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        const u64 key = series[i];
        unsigned int slot = static_cast<unsigned int>(mix64(key)) & mask;
        while (true) {
            u64 seen = table_key[slot];
            if (seen == kEmptyKey) seen = atomicCAS(&table_key[slot], kEmptyKey, key);
            if (seen == kEmptyKey || seen == key) break;
            slot = (slot + 1) & mask;
        }
        atomicAdd(&table_count[slot], 1u);
        atomicAdd(&table_sum[slot], static_cast<u64>(bytes[i]));
    }
}

static bool run_hash_group_by(int n, int n_series, int log2_slots, int grid, int block, uint64_t seed)
{
    Rng rng(seed);
    std::vector<u64> ids(n_series);
    for (auto& id : ids) id = rng.next() >> 1;
    std::vector<u64> series(n);
    std::vector<uint32_t> bytes(n);
    for (int i = 0; i < n; ++i) {
        const double u = rng.uniform();
        series[i] = ids[static_cast<int>(u * u * u * n_series)];
        bytes[i] = 40 + rng.below(1460);
    }
    const size_t slots = size_t(1) << log2_slots;
    DeviceArray<u64> d_series(series), d_key(slots), d_sum(slots);
    DeviceArray<uint32_t> d_bytes(bytes);
    DeviceArray<unsigned int> d_count(slots);
    d_key.fill_bytes(0xff);
    d_sum.fill_bytes(0);
    d_count.fill_bytes(0);
    hash_group_by_series<<<grid, block>>>(d_series.get(), d_bytes.get(), n, d_key.get(), d_count.get(), d_sum.get(),
                                          static_cast<unsigned int>(slots - 1));
    FINISH_LAUNCH();

    std::unordered_map<u64, std::pair<unsigned int, u64>> want;
    want.reserve(2 * n_series);
    for (int i = 0; i < n; ++i) {
        auto& w = want[series[i]];
        ++w.first;
        w.second += bytes[i];
    }
    const auto key = d_key.download();
    const auto count = d_count.download();
    const auto sum = d_sum.download();
    size_t groups = 0;
    for (size_t s = 0; s < slots; ++s) {
        if (key[s] == kEmptyKey) {
            if (count[s] != 0) return false;
            continue;
        }
        ++groups;
        const auto it = want.find(key[s]);
        if (it == want.end() || it->second.first != count[s] || it->second.second != sum[s]) return false;
    }
    return groups == want.size();
}

static void test_hash_group_by_series()
{
    bool ok = run_hash_group_by(5000, 700, 11, 10, 128, 81);
    ok &= run_hash_group_by(2100000, 190000, 19, 132 * 6, 256, 82);
    report("hash_group_by_series", ok);
}

// ---------------------------------------------------------------------------
// 9. Bertsekas auction: one Jacobi bidding round, trucks bid for loads
// ---------------------------------------------------------------------------

__global__ void auction_bid_round(const int* __restrict__ cand_load, const int* __restrict__ cand_value,
                                  const int* __restrict__ price, int n_trucks, int n_cand, int epsilon, u64* top_bid)
{
    const int truck = blockIdx.x * blockDim.x + threadIdx.x;
    if (truck >= n_trucks) return;

    int best = 0, second = 0, best_load = -1, best_price = 0;  // 0: staying idle
    for (int k = 0; k < n_cand; ++k) {
        const int load = cand_load[k * n_trucks + truck];
        const int p = price[load];
        const int profit = cand_value[k * n_trucks + truck] - p;
        if (profit > best) {
            second = best;
            best = profit;
            best_load = load;
            best_price = p;
        } else if (profit > second) {
            second = profit;
        }
    }
    if (best_load < 0) return;

    const int bid = best_price + (best - second) + epsilon;
    const u64 packed = (static_cast<u64>(bid) << 32) | (0xffffffffu - static_cast<unsigned int>(truck));
    u64 current = top_bid[best_load];
    while (packed > current) {
        const u64 assumed = current;
        current = atomicCAS(&top_bid[best_load], assumed, packed);
        if (current == assumed) break;
    }
}

static bool run_auction(int n_trucks, int n_loads, int n_cand, uint64_t seed)
{
    Rng rng(seed);
    std::vector<int> load(static_cast<size_t>(n_trucks) * n_cand), value(load.size()), price(n_loads);
    for (auto& p : price) p = 100 + rng.below(700);
    for (int t = 0; t < n_trucks; ++t) {
        const int home = rng.below(n_loads);
        for (int k = 0; k < n_cand; ++k) {
            const double u = rng.uniform();
            const int l = rng.below(4) ? (home + rng.below(3000)) % n_loads : static_cast<int>(u * u * u * n_loads);
            load[static_cast<size_t>(k) * n_trucks + t] = l;
            value[static_cast<size_t>(k) * n_trucks + t] = 80 + rng.below(900);
        }
    }
    DeviceArray<int> d_load(load), d_value(value), d_price(price);
    DeviceArray<u64> d_bid(n_loads);
    d_bid.fill_bytes(0);
    const int epsilon = 3;
    auction_bid_round<<<div_up(n_trucks, 160), 160>>>(d_load.get(), d_value.get(), d_price.get(), n_trucks, n_cand,
                                                      epsilon, d_bid.get());
    FINISH_LAUNCH();

    std::vector<u64> want(n_loads, 0);
    for (int t = 0; t < n_trucks; ++t) {
        int best = 0, second = 0, at = -1;
        for (int k = 0; k < n_cand; ++k) {
            const size_t e = static_cast<size_t>(k) * n_trucks + t;
            const int profit = value[e] - price[load[e]];
            if (profit > best) {
                second = best;
                best = profit;
                at = load[e];
            } else {
                second = std::max(second, profit);
            }
        }
        if (at < 0) continue;
        const u64 bid = static_cast<u64>(price[at] + best - second + epsilon);
        want[at] = std::max(want[at], (bid << 32) | (0xffffffffu - static_cast<unsigned int>(t)));
    }
    return d_bid.download() == want;
}

static void test_auction_bid_round()
{
    bool ok = run_auction(1500, 400, 9, 91);
    ok &= run_auction(205000, 60000, 20, 92);
    report("auction_bid_round", ok);
}

// ---------------------------------------------------------------------------
// 10. harmonic bonds: forces scattered to both atoms, energy to one counter
// ---------------------------------------------------------------------------

__constant__ float2 c_bond_type[16];  // (force constant, equilibrium length)

__global__ void bond_force_scatter(const float4* __restrict__ pos, const int2* __restrict__ bonds,
                                   const uint8_t* __restrict__ bond_type, int n_bonds, float* force, double* energy)
{
    __shared__ float s_energy[8];
    const int b = blockIdx.x * blockDim.x + threadIdx.x;
    float e = 0.f;
    if (b < n_bonds) {
        const int2 ij = bonds[b];
        const float2 prm = c_bond_type[bond_type[b]];
        const float4 pi = pos[ij.x];
        const float4 pj = pos[ij.y];
        const float dx = pi.x - pj.x, dy = pi.y - pj.y, dz = pi.z - pj.z;
        const float r = sqrtf(dx * dx + dy * dy + dz * dz);
        const float stretch = r - prm.y;
        e = prm.x * stretch * stretch;
        const float f = -2.f * prm.x * stretch / r;
        atomicAdd(&force[3 * ij.x + 0], f * dx);
        atomicAdd(&force[3 * ij.x + 1], f * dy);
        atomicAdd(&force[3 * ij.x + 2], f * dz);
        atomicAdd(&force[3 * ij.y + 0], -f * dx);
        atomicAdd(&force[3 * ij.y + 1], -f * dy);
        atomicAdd(&force[3 * ij.y + 2], -f * dz);
    }
    for (int off = 16; off > 0; off >>= 1) e += __shfl_down_sync(0xffffffffu, e, off);
    if ((threadIdx.x & 31) == 0) s_energy[threadIdx.x >> 5] = e;
    __syncthreads();
    if (threadIdx.x == 0) {
        double sum = 0.0;
        for (int w = 0; w < (int)(blockDim.x >> 5); ++w) sum += s_energy[w];
        atomicAdd(energy, sum);
    }
}

static bool run_bond_forces(int n_atoms, int block, uint64_t seed)
{
    Rng rng(seed);
    float2 types[16];
    for (int t = 0; t < 16; ++t) types[t] = make_float2(220.f + 20.f * t, 0.96f + 0.04f * t);
    CUDA_CHECK(cudaMemcpyToSymbol(c_bond_type, types, sizeof(types)));

    // polymer chains with a pendant atom now and then
    std::vector<float4> pos(n_atoms);
    std::vector<int2> bonds;
    std::vector<uint8_t> type;
    int backbone = -1, left = 0;
    for (int i = 0; i < n_atoms; ++i) {
        if (left == 0) {
            left = 40 + rng.below(80);
            pos[i] = make_float4(float(rng.uniform(0, 180)), float(rng.uniform(0, 180)), float(rng.uniform(0, 180)), 0.f);
            backbone = i;
        } else {
            const int t = std::min(15, static_cast<int>(rng.uniform() * rng.uniform() * 16));
            const double len = types[t].y + 0.04 * rng.normal();
            const double cz = rng.uniform(-1, 1), phi = rng.uniform(0, 6.2831853), sz = std::sqrt(1 - cz * cz);
            const float4 p = pos[backbone];
            pos[i] = make_float4(float(p.x + len * sz * std::cos(phi)), float(p.y + len * sz * std::sin(phi)),
                                 float(p.z + len * cz), 0.f);
            bonds.push_back(make_int2(backbone, i));
            type.push_back(static_cast<uint8_t>(t));
            if (rng.below(3)) backbone = i;
        }
        --left;
    }
    const int n_bonds = static_cast<int>(bonds.size());

    DeviceArray<float4> d_pos(pos);
    DeviceArray<int2> d_bonds(bonds);
    DeviceArray<uint8_t> d_type(type);
    DeviceArray<float> d_force(3 * n_atoms);
    DeviceArray<double> d_energy(1);
    d_force.fill_bytes(0);
    d_energy.fill_bytes(0);
    bond_force_scatter<<<div_up(n_bonds, block), block>>>(d_pos.get(), d_bonds.get(), d_type.get(), n_bonds,
                                                          d_force.get(), d_energy.get());
    FINISH_LAUNCH();

    std::vector<double> want(3 * n_atoms, 0.0);
    double e_want = 0.0;
    for (int b = 0; b < n_bonds; ++b) {
        const float4 pi = pos[bonds[b].x], pj = pos[bonds[b].y];
        const double d[3] = {double(pi.x) - pj.x, double(pi.y) - pj.y, double(pi.z) - pj.z};
        const double r = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        const double k = types[type[b]].x, stretch = r - types[type[b]].y;
        e_want += k * stretch * stretch;
        for (int c = 0; c < 3; ++c) {
            const double f = -2.0 * k * stretch / r * d[c];
            want[3 * bonds[b].x + c] += f;
            want[3 * bonds[b].y + c] -= f;
        }
    }
    const auto force = d_force.download();
    for (size_t i = 0; i < want.size(); ++i)
        if (!close_to(force[i], want[i], 1e-4, 1e-2)) return false;
    return close_to(d_energy.download()[0], e_want, 1e-4, 1e-3);
}

static void test_bond_force_scatter()
{
    bool ok = run_bond_forces(2500, 64, 101);
    ok &= run_bond_forces(730000, 256, 102);
    report("bond_force_scatter", ok);
}

// ---------------------------------------------------------------------------
// 11. ingest: sort out-of-order points inside each write chunk (bitonic)
// ---------------------------------------------------------------------------

constexpr int kSortTile = 2048;
constexpr int kSortThreads = 512;

__global__ void __launch_bounds__(kSortThreads)
chunk_bitonic_sort(const uint32_t* __restrict__ ts, uint32_t* __restrict__ ts_sorted, uint16_t* __restrict__ order, int n)
{
    __shared__ u64 s_rec[kSortTile];
    const int base = blockIdx.x * kSortTile;
    for (int i = threadIdx.x; i < kSortTile; i += kSortThreads) {
        const int g = base + i;
        s_rec[i] = g < n ? (static_cast<u64>(ts[g]) << 32) | static_cast<unsigned int>(i) : ~0ull;
    }
    __syncthreads();

    for (int k = 2; k <= kSortTile; k <<= 1)
        for (int j = k >> 1; j > 0; j >>= 1) {
            for (int t = threadIdx.x; t < kSortTile / 2; t += kSortThreads) {
                const int lo = ((t & ~(j - 1)) << 1) | (t & (j - 1));
                const int hi = lo | j;
                const u64 a = s_rec[lo];
                const u64 b = s_rec[hi];
                const bool ascending = (lo & k) == 0;
                if ((a > b) == ascending) {
                    s_rec[lo] = b;
                    s_rec[hi] = a;
                }
            }
            __syncthreads();
        }

    for (int i = threadIdx.x; i < kSortTile; i += kSortThreads) {
        const int g = base + i;
        if (g < n) {
            ts_sorted[g] = static_cast<uint32_t>(s_rec[i] >> 32);
            order[g] = static_cast<uint16_t>(s_rec[i] & 0xffffu);
        }
    }
}

static bool run_chunk_sort(int n, uint64_t seed)
{
    Rng rng(seed);
    std::vector<uint32_t> ts(n);
    uint32_t clock = 1000000;
    for (auto& t : ts) {
        clock += rng.below(40);
        // most points are a little late, some arrive from a reconnecting agent
        const uint32_t late = rng.below(25) == 0 ? rng.below(60000) : rng.below(400);
        t = clock - late;
    }
    DeviceArray<uint32_t> d_ts(ts), d_sorted(n);
    DeviceArray<uint16_t> d_order(n);
    chunk_bitonic_sort<<<div_up(n, kSortTile), kSortThreads>>>(d_ts.get(), d_sorted.get(), d_order.get(), n);
    FINISH_LAUNCH();

    const auto sorted = d_sorted.download();
    const auto order = d_order.download();
    std::vector<u64> rec;
    for (int base = 0; base < n; base += kSortTile) {
        const int len = std::min(kSortTile, n - base);
        rec.resize(len);
        for (int i = 0; i < len; ++i) rec[i] = (static_cast<u64>(ts[base + i]) << 32) | static_cast<unsigned int>(i);
        std::sort(rec.begin(), rec.end());
        for (int i = 0; i < len; ++i)
            if (sorted[base + i] != static_cast<uint32_t>(rec[i] >> 32) || order[base + i] != (rec[i] & 0xffffu))
                return false;
    }
    return true;
}

static void test_chunk_bitonic_sort()
{
    bool ok = run_chunk_sort(5000, 111);
    ok &= run_chunk_sort(1350000, 112);
    report("chunk_bitonic_sort", ok);
}

// ---------------------------------------------------------------------------
// 12. LSM compaction: merge two sorted runs of (timestamp, value)
// ---------------------------------------------------------------------------

constexpr int kMergeThreads = 128;
constexpr int kMergeItems = 11;
constexpr int kMergeTile = kMergeThreads * kMergeItems;

// Number of elements of a among the first diag of the stable merge (a wins ties).
__device__ inline int merge_path_split(const int64_t* a, int na, const int64_t* b, int nb, int diag)
{
    int lo = max(0, diag - nb);
    int hi = min(diag, na);
    while (lo < hi) {
        const int mid = (lo + hi) >> 1;
        if (a[mid] <= b[diag - 1 - mid])
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

__global__ void __launch_bounds__(kMergeThreads)
merge_sorted_runs(const int64_t* __restrict__ ts_a, const float* __restrict__ val_a, int na,
                  const int64_t* __restrict__ ts_b, const float* __restrict__ val_b, int nb,
                  int64_t* __restrict__ ts_out, float* __restrict__ val_out)
{
    __shared__ int64_t s_ts[kMergeTile];
    __shared__ float s_val[kMergeTile];
    __shared__ int s_split[2];

    const int begin = blockIdx.x * kMergeTile;
    const int len = min(kMergeTile, na + nb - begin);
    if (threadIdx.x == 0) s_split[0] = merge_path_split(ts_a, na, ts_b, nb, begin);
    if (threadIdx.x == 32) s_split[1] = merge_path_split(ts_a, na, ts_b, nb, begin + len);
    __syncthreads();

    const int a0 = s_split[0];
    const int len_a = s_split[1] - a0;
    const int b0 = begin - a0;
    const int len_b = len - len_a;
    for (int i = threadIdx.x; i < len; i += kMergeThreads) {
        const bool from_a = i < len_a;
        s_ts[i] = from_a ? ts_a[a0 + i] : ts_b[b0 + i - len_a];
        s_val[i] = from_a ? val_a[a0 + i] : val_b[b0 + i - len_a];
    }
    __syncthreads();

    const int diag = min(static_cast<int>(threadIdx.x) * kMergeItems, len);
    int ia = merge_path_split(s_ts, len_a, s_ts + len_a, len_b, diag);
    int ib = diag - ia;
    int64_t ts[kMergeItems];
    float val[kMergeItems];
    const int count = min(kMergeItems, len - diag);
#pragma unroll
    for (int k = 0; k < kMergeItems; ++k) {
        if (k < count) {
            const bool take_a = ib >= len_b || (ia < len_a && s_ts[ia] <= s_ts[len_a + ib]);
            const int src = take_a ? ia++ : len_a + ib++;
            ts[k] = s_ts[src];
            val[k] = s_val[src];
        }
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kMergeItems; ++k)
        if (k < count) {
            s_ts[diag + k] = ts[k];
            s_val[diag + k] = val[k];
        }
    __syncthreads();
    for (int i = threadIdx.x; i < len; i += kMergeThreads) {
        ts_out[begin + i] = s_ts[i];
        val_out[begin + i] = s_val[i];
    }
}

static bool run_merge(int na, int nb, uint64_t seed)
{
    Rng rng(seed);
    std::vector<int64_t> ts_a(na), ts_b(nb);
    std::vector<float> val_a(na), val_b(nb);
    int64_t clock = 1700000000000;
    for (int i = 0; i < na; ++i) {
        clock += rng.below(3) * 10;
        ts_a[i] = clock;
        val_a[i] = static_cast<float>(20.0 + rng.normal());
    }
    clock = 1700000000000 + na * 2;
    for (int i = 0; i < nb; ++i) {
        clock += rng.below(200) == 0 ? 5000 : rng.below(2) * 10;  // backfill, with holes
        ts_b[i] = clock;
        val_b[i] = static_cast<float>(60.0 + rng.normal());
    }
    const int n = na + nb;
    DeviceArray<int64_t> d_ta(ts_a), d_tb(ts_b), d_to(n);
    DeviceArray<float> d_va(val_a), d_vb(val_b), d_vo(n);
    merge_sorted_runs<<<div_up(n, kMergeTile), kMergeThreads>>>(d_ta.get(), d_va.get(), na, d_tb.get(), d_vb.get(), nb,
                                                               d_to.get(), d_vo.get());
    FINISH_LAUNCH();

    const auto ts = d_to.download();
    const auto val = d_vo.download();
    int ia = 0, ib = 0;
    for (int i = 0; i < n; ++i) {
        const bool take_a = ib >= nb || (ia < na && ts_a[ia] <= ts_b[ib]);
        const int64_t t = take_a ? ts_a[ia] : ts_b[ib];
        const float v = take_a ? val_a[ia++] : val_b[ib++];
        if (ts[i] != t || val[i] != v) return false;
    }
    return true;
}

static void test_merge_sorted_runs()
{
    bool ok = run_merge(3100, 1777, 121);
    ok &= run_merge(1300000, 950000, 122);
    report("merge_sorted_runs", ok);
}

// ---------------------------------------------------------------------------
// 13. telemetry decode: eight interleaved int16 channels to float
// ---------------------------------------------------------------------------

__constant__ float c_channel_scale[8];
__constant__ float c_channel_offset[8];

__device__ inline float decode_sample(int raw, int channel)
{
    return raw == -32768 ? nanf("") : raw * c_channel_scale[channel] + c_channel_offset[channel];
}

__global__ void telemetry_decode_i16(const int4* __restrict__ frames, float4* __restrict__ out, int n_frames)
{
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n_frames; i += stride) {
        const int4 f = frames[i];
        float4 lo, hi;
        lo.x = decode_sample(static_cast<short>(f.x & 0xffff), 0);
        lo.y = decode_sample(f.x >> 16, 1);
        lo.z = decode_sample(static_cast<short>(f.y & 0xffff), 2);
        lo.w = decode_sample(f.y >> 16, 3);
        hi.x = decode_sample(static_cast<short>(f.z & 0xffff), 4);
        hi.y = decode_sample(f.z >> 16, 5);
        hi.z = decode_sample(static_cast<short>(f.w & 0xffff), 6);
        hi.w = decode_sample(f.w >> 16, 7);
        out[2 * i] = lo;
        out[2 * i + 1] = hi;
    }
}

static bool run_telemetry_decode(int n_frames, int grid, int block, uint64_t seed)
{
    Rng rng(seed);
    float scale[8], offset[8];
    for (int c = 0; c < 8; ++c) {
        scale[c] = static_cast<float>(std::pow(10.0, -rng.below(4)) * (1 + rng.below(5)));
        offset[c] = static_cast<float>(rng.below(400) - 200) * 0.25f;
    }
    CUDA_CHECK(cudaMemcpyToSymbol(c_channel_scale, scale, sizeof(scale)));
    CUDA_CHECK(cudaMemcpyToSymbol(c_channel_offset, offset, sizeof(offset)));

    std::vector<int16_t> raw(static_cast<size_t>(n_frames) * 8);
    int walk[8] = {0};
    for (int i = 0; i < n_frames; ++i)
        for (int c = 0; c < 8; ++c) {
            walk[c] += rng.below(41) - 20;
            walk[c] = std::min(std::max(walk[c], -32000), 32000);
            raw[8 * static_cast<size_t>(i) + c] = static_cast<int16_t>(rng.below(300) == 0 ? -32768 : walk[c]);
        }
    std::vector<int4> frames(n_frames);
    std::memcpy(frames.data(), raw.data(), raw.size() * sizeof(int16_t));

    DeviceArray<int4> d_frames(frames);
    DeviceArray<float4> d_out(2 * static_cast<size_t>(n_frames));
    telemetry_decode_i16<<<grid, block>>>(d_frames.get(), d_out.get(), n_frames);
    FINISH_LAUNCH();

    const auto out4 = d_out.download();
    const float* out = &out4[0].x;
    for (size_t k = 0; k < raw.size(); ++k) {
        if (raw[k] == -32768) {
            if (!std::isnan(out[k])) return false;
        } else {
            const double want = static_cast<double>(raw[k]) * scale[k & 7] + offset[k & 7];
            if (!close_to(out[k], want, 1e-6, 1e-2 * scale[k & 7] + 1e-5)) return false;
        }
    }
    return true;
}

static void test_telemetry_decode_i16()
{
    bool ok = run_telemetry_decode(3001, 5, 128, 131);
    ok &= run_telemetry_decode(1500000, 132 * 4, 512, 132);
    report("telemetry_decode_i16", ok);
}

// ---------------------------------------------------------------------------
// 14. row store to column store: tiled transpose of doubles
// ---------------------------------------------------------------------------

constexpr int kTransposeTile = 32;
constexpr int kTransposeRows = 8;

__global__ void rows_to_columns(const double* __restrict__ in, double* __restrict__ out, int n_rows, int n_cols)
{
    __shared__ double tile[kTransposeTile][kTransposeTile + 1];
    int x = blockIdx.x * kTransposeTile + threadIdx.x;
    int y = blockIdx.y * kTransposeTile + threadIdx.y;
    for (int k = 0; k < kTransposeTile; k += kTransposeRows)
        if (x < n_cols && y + k < n_rows)
            tile[threadIdx.y + k][threadIdx.x] = in[static_cast<size_t>(y + k) * n_cols + x];
    __syncthreads();

    x = blockIdx.y * kTransposeTile + threadIdx.x;
    y = blockIdx.x * kTransposeTile + threadIdx.y;
    for (int k = 0; k < kTransposeTile; k += kTransposeRows)
        if (x < n_rows && y + k < n_cols)
            out[static_cast<size_t>(y + k) * n_rows + x] = tile[threadIdx.x][threadIdx.y + k];
}

static bool run_transpose(int n_rows, int n_cols, uint64_t seed)
{
    Rng rng(seed);
    std::vector<double> in(static_cast<size_t>(n_rows) * n_cols);
    for (auto& v : in) v = rng.uniform(-50.0, 50.0);
    DeviceArray<double> d_in(in), d_out(in.size());
    rows_to_columns<<<dim3(div_up(n_cols, kTransposeTile), div_up(n_rows, kTransposeTile)),
                      dim3(kTransposeTile, kTransposeRows)>>>(d_in.get(), d_out.get(), n_rows, n_cols);
    FINISH_LAUNCH();

    const auto out = d_out.download();
    for (int r = 0; r < n_rows; ++r)
        for (int c = 0; c < n_cols; ++c)
            if (out[static_cast<size_t>(c) * n_rows + r] != in[static_cast<size_t>(r) * n_cols + c]) return false;
    return true;
}

static void test_rows_to_columns()
{
    bool ok = run_transpose(211, 37, 141);
    ok &= run_transpose(20500, 157, 142);
    report("rows_to_columns", ok);
}

// ---------------------------------------------------------------------------
// 15. route improvement: best 2-opt move of a tour (TSPLIB rounded distances)
// ---------------------------------------------------------------------------

__host__ __device__ inline int stop_distance(int2 a, int2 b)
{
    const int dx = a.x - b.x, dy = a.y - b.y;
    return static_cast<int>(sqrtf(static_cast<float>(dx * dx + dy * dy)) + 0.5f);
}

// Move key: change in length (biased to stay positive) above the two positions.
__host__ __device__ inline u64 move_key(int delta, int i, int j)
{
    return (static_cast<u64>(static_cast<unsigned int>(delta) ^ 0x80000000u) << 32) |
           (static_cast<unsigned int>(i) << 16) | static_cast<unsigned int>(j);
}

__device__ inline u64 warp_min_key(u64 key)
{
    for (int off = 16; off > 0; off >>= 1) {
        const u64 other = __shfl_down_sync(0xffffffffu, key, off);
        if (other < key) key = other;
    }
    return key;
}

__global__ void two_opt_best_move(const int2* __restrict__ tour, int n, u64* block_best, unsigned int* blocks_done,
                                  u64* __restrict__ best)
{
    __shared__ u64 s_key[32];
    __shared__ bool s_last;
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const int n_warps = blockDim.x >> 5;

    u64 key = ~0ull;
    // replace edges (i, i+1) and (j, j+1) by (i, j) and (i+1, j+1)
    for (int i = blockIdx.x; i < n - 2; i += gridDim.x) {
        const int2 pi = tour[i];
        const int2 pi1 = tour[i + 1];
        const int removed_i = stop_distance(pi, pi1);
        for (int j = i + 2 + threadIdx.x; j < n; j += blockDim.x) {
            if (i == 0 && j == n - 1) continue;  // the two edges share stop 0
            const int2 pj = tour[j];
            const int2 pj1 = tour[j + 1 == n ? 0 : j + 1];
            const int delta =
                stop_distance(pi, pj) + stop_distance(pi1, pj1) - removed_i - stop_distance(pj, pj1);
            const u64 k = move_key(delta, i, j);
            if (k < key) key = k;
        }
    }
    key = warp_min_key(key);
    if (lane == 0) s_key[warp] = key;
    __syncthreads();
    if (warp == 0) {
        key = warp_min_key(lane < n_warps ? s_key[lane] : ~0ull);
        if (lane == 0) {
            block_best[blockIdx.x] = key;
            __threadfence();
            s_last = atomicAdd(blocks_done, 1u) == gridDim.x - 1;
        }
    }
    __syncthreads();
    if (!s_last) return;

    // the last block to finish reduces the per-block results
    __threadfence();
    key = ~0ull;
    for (int b = threadIdx.x; b < (int)gridDim.x; b += blockDim.x) {
        const u64 k = __ldcg(&block_best[b]);
        if (k < key) key = k;
    }
    key = warp_min_key(key);
    if (lane == 0) s_key[warp] = key;
    __syncthreads();
    if (warp == 0) {
        key = warp_min_key(lane < n_warps ? s_key[lane] : ~0ull);
        if (lane == 0) *best = key;
    }
}

static bool run_two_opt(int n, int grid, int block, uint64_t seed)
{
    Rng rng(seed);
    std::vector<int2> tour(n);
    const int n_towns = 12;
    std::vector<int2> town(n_towns);
    for (auto& t : town) t = make_int2(2000 + rng.below(16000), 2000 + rng.below(16000));
    for (auto& p : tour) {
        const int2 t = town[rng.below(n_towns)];
        p = make_int2(t.x + static_cast<int>(700 * rng.normal()), t.y + static_cast<int>(700 * rng.normal()));
    }
    // a plausible start tour: boustrophedon over strips
    std::sort(tour.begin(), tour.end(), [](const int2& a, const int2& b) {
        const int sa = (a.x + 4000) / 600, sb = (b.x + 4000) / 600;
        if (sa != sb) return sa < sb;
        return (sa & 1) ? a.y > b.y : a.y < b.y;
    });

    DeviceArray<int2> d_tour(tour);
    DeviceArray<u64> d_block(grid), d_best(1);
    DeviceArray<unsigned int> d_done(1);
    d_done.fill_bytes(0);
    two_opt_best_move<<<grid, block>>>(d_tour.get(), n, d_block.get(), d_done.get(), d_best.get());
    FINISH_LAUNCH();

    u64 want = ~0ull;
    for (int i = 0; i < n - 2; ++i) {
        const int removed = stop_distance(tour[i], tour[i + 1]);
        for (int j = i + 2; j < n; ++j) {
            if (i == 0 && j == n - 1) continue;
            const int2 pj1 = tour[(j + 1) % n];
            const int delta = stop_distance(tour[i], tour[j]) + stop_distance(tour[i + 1], pj1) - removed -
                              stop_distance(tour[j], pj1);
            want = std::min(want, move_key(delta, i, j));
        }
    }
    return d_best.download()[0] == want;
}

static void test_two_opt_best_move()
{
    bool ok = run_two_opt(240, 16, 96, 151);
    ok &= run_two_opt(7300, 132 * 4, 256, 152);
    report("two_opt_best_move", ok);
}

// ---------------------------------------------------------------------------
// 16. time_bucket() rollup: one warp reduces one bucket of irregular length
// ---------------------------------------------------------------------------

__global__ void time_bucket_rollup(const float* __restrict__ value, const int* __restrict__ bucket_start, int n_buckets,
                                   float* __restrict__ vmin, float* __restrict__ vmax, float* __restrict__ vavg)
{
    const int lane = threadIdx.x & 31;
    const int bucket = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    if (bucket >= n_buckets) return;  // whole warps leave together
    const int begin = bucket_start[bucket];
    const int end = bucket_start[bucket + 1];
    float lo = INFINITY, hi = -INFINITY, sum = 0.f;
    for (int i = begin + lane; i < end; i += 32) {
        const float v = value[i];
        lo = fminf(lo, v);
        hi = fmaxf(hi, v);
        sum += v;
    }
    for (int off = 16; off > 0; off >>= 1) {
        lo = fminf(lo, __shfl_xor_sync(0xffffffffu, lo, off));
        hi = fmaxf(hi, __shfl_xor_sync(0xffffffffu, hi, off));
        sum += __shfl_xor_sync(0xffffffffu, sum, off);
    }
    if (lane == 0) {
        vmin[bucket] = lo;
        vmax[bucket] = hi;
        vavg[bucket] = end > begin ? sum / (end - begin) : 0.f;
    }
}

static bool run_rollup(int n_buckets, int mean_len, int block, uint64_t seed)
{
    Rng rng(seed);
    std::vector<int> start(n_buckets + 1, 0);
    for (int b = 0; b < n_buckets; ++b) {
        const int kind = rng.below(20);
        const int len = kind == 0 ? 0 : (kind == 1 ? 4 * mean_len : mean_len / 2 + rng.below(mean_len));
        start[b + 1] = start[b] + len;
    }
    std::vector<float> value(start[n_buckets]);
    double level = 50.0;
    for (auto& v : value) {
        level += 0.02 * (50.0 - level) + rng.normal();
        v = static_cast<float>(level);
    }
    DeviceArray<float> d_value(value), d_min(n_buckets), d_max(n_buckets), d_avg(n_buckets);
    DeviceArray<int> d_start(start);
    time_bucket_rollup<<<div_up(n_buckets * 32, block), block>>>(d_value.get(), d_start.get(), n_buckets, d_min.get(),
                                                                d_max.get(), d_avg.get());
    FINISH_LAUNCH();

    const auto vmin = d_min.download(), vmax = d_max.download(), vavg = d_avg.download();
    for (int b = 0; b < n_buckets; ++b) {
        float lo = INFINITY, hi = -INFINITY;
        double sum = 0.0;
        for (int i = start[b]; i < start[b + 1]; ++i) {
            lo = std::min(lo, value[i]);
            hi = std::max(hi, value[i]);
            sum += value[i];
        }
        const int len = start[b + 1] - start[b];
        if (vmin[b] != lo || vmax[b] != hi) return false;
        if (!close_to(vavg[b], len ? sum / len : 0.0, 1e-5, 1e-4)) return false;
    }
    return true;
}

static void test_time_bucket_rollup()
{
    bool ok = run_rollup(503, 60, 128, 161);
    ok &= run_rollup(70000, 140, 384, 162);
    report("time_bucket_rollup", ok);
}

// ---------------------------------------------------------------------------
// 17. Boltzmann weights of conformers: ragged row-wise softmax of -E/kT
// ---------------------------------------------------------------------------

__device__ inline float block_min(float v, float* s_red)
{
    const int lane = threadIdx.x & 31, n_warps = blockDim.x >> 5;
    for (int off = 16; off > 0; off >>= 1) v = fminf(v, __shfl_xor_sync(0xffffffffu, v, off));
    if (lane == 0) s_red[threadIdx.x >> 5] = v;
    __syncthreads();
    v = lane < n_warps ? s_red[lane] : INFINITY;
    for (int off = 16; off > 0; off >>= 1) v = fminf(v, __shfl_xor_sync(0xffffffffu, v, off));
    __syncthreads();
    return v;
}

__device__ inline float block_sum(float v, float* s_red)
{
    const int lane = threadIdx.x & 31, n_warps = blockDim.x >> 5;
    for (int off = 16; off > 0; off >>= 1) v += __shfl_xor_sync(0xffffffffu, v, off);
    if (lane == 0) s_red[threadIdx.x >> 5] = v;
    __syncthreads();
    v = lane < n_warps ? s_red[lane] : 0.f;
    for (int off = 16; off > 0; off >>= 1) v += __shfl_xor_sync(0xffffffffu, v, off);
    __syncthreads();
    return v;
}

__global__ void __launch_bounds__(128)
boltzmann_weights(const float* __restrict__ energy, const int* __restrict__ n_conf, int ld, float inv_kt,
                  float* __restrict__ weight, float* __restrict__ free_energy)
{
    __shared__ float s_red[4];
    const int mol = blockIdx.x;
    const int n = n_conf[mol];
    const float* e = energy + static_cast<size_t>(mol) * ld;
    float* w = weight + static_cast<size_t>(mol) * ld;

    float lowest = INFINITY;
    for (int k = threadIdx.x; k < n; k += blockDim.x) lowest = fminf(lowest, e[k]);
    lowest = block_min(lowest, s_red);

    float z = 0.f;
    for (int k = threadIdx.x; k < n; k += blockDim.x) z += expf((lowest - e[k]) * inv_kt);
    z = block_sum(z, s_red);

    const float inv_z = 1.f / z;
    for (int k = threadIdx.x; k < ld; k += blockDim.x) w[k] = k < n ? expf((lowest - e[k]) * inv_kt) * inv_z : 0.f;
    if (threadIdx.x == 0) free_energy[mol] = lowest - logf(z) / inv_kt;
}

static bool run_boltzmann(int n_mol, int ld, uint64_t seed)
{
    Rng rng(seed);
    const float inv_kt = 1.f / 0.5925f;  // kcal/mol at 298 K
    std::vector<float> energy(static_cast<size_t>(n_mol) * ld, 0.f);
    std::vector<int> n_conf(n_mol);
    for (int m = 0; m < n_mol; ++m) {
        n_conf[m] = 1 + static_cast<int>(std::sqrt(rng.uniform()) * ld);
        n_conf[m] = std::min(n_conf[m], ld);
        const double base = -40.0 + 15.0 * rng.normal();
        for (int k = 0; k < n_conf[m]; ++k) {
            const double u = rng.uniform();
            energy[static_cast<size_t>(m) * ld + k] = static_cast<float>(base + 9.0 * std::sqrt(u) + 0.2 * rng.normal());
        }
    }
    DeviceArray<float> d_e(energy), d_w(energy.size()), d_f(n_mol);
    DeviceArray<int> d_n(n_conf);
    boltzmann_weights<<<n_mol, 128>>>(d_e.get(), d_n.get(), ld, inv_kt, d_w.get(), d_f.get());
    FINISH_LAUNCH();

    const auto w = d_w.download(), f = d_f.download();
    std::vector<float> ex(ld);
    for (int m = 0; m < n_mol; ++m) {
        const float* e = &energy[static_cast<size_t>(m) * ld];
        const float* got = &w[static_cast<size_t>(m) * ld];
        const float lowest = *std::min_element(e, e + n_conf[m]);
        double z = 0.0;
        for (int k = 0; k < n_conf[m]; ++k) {
            ex[k] = std::exp((lowest - e[k]) * inv_kt);
            z += ex[k];
        }
        for (int k = 0; k < ld; ++k)
            if (!close_to(got[k], k < n_conf[m] ? ex[k] / z : 0.0, 1e-4, 1e-8)) return false;
        if (!close_to(f[m], lowest - std::log(z) / inv_kt, 1e-5, 1e-4)) return false;
    }
    return true;
}

static void test_boltzmann_weights()
{
    bool ok = run_boltzmann(75, 90, 171);
    ok &= run_boltzmann(13000, 620, 172);
    report("boltzmann_weights", ok);
}

// ---------------------------------------------------------------------------
// 18. z-normalised daily profiles for similarity search, stored as half
// ---------------------------------------------------------------------------

__global__ void znorm_profiles(const float4* __restrict__ profile, int len, float flat_eps, __half2* __restrict__ out)
{
    extern __shared__ float4 s_row[];
    __shared__ float s_red[32];
    const int len4 = len / 4;
    const float4* src = profile + static_cast<size_t>(blockIdx.x) * len4;
    __half2* dst = out + static_cast<size_t>(blockIdx.x) * len4 * 2;

    float sum = 0.f;
    for (int i = threadIdx.x; i < len4; i += blockDim.x) {
        const float4 v = src[i];
        s_row[i] = v;
        sum += (v.x + v.y) + (v.z + v.w);
    }
    const float mean = block_sum(sum, s_red) / len;

    float sq = 0.f;
    for (int i = threadIdx.x; i < len4; i += blockDim.x) {
        float4 v = s_row[i];
        v.x -= mean;
        v.y -= mean;
        v.z -= mean;
        v.w -= mean;
        s_row[i] = v;
        sq += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
    }
    const float sd = sqrtf(block_sum(sq, s_red) / len);
    const float inv = sd > flat_eps ? 1.f / sd : 0.f;

    for (int i = threadIdx.x; i < len4; i += blockDim.x) {
        const float4 v = s_row[i];
        dst[2 * i] = __floats2half2_rn(v.x * inv, v.y * inv);
        dst[2 * i + 1] = __floats2half2_rn(v.z * inv, v.w * inv);
    }
}

static bool run_znorm(int n_rows, int len, int block, uint64_t seed)
{
    Rng rng(seed);
    std::vector<float> profile(static_cast<size_t>(n_rows) * len);
    for (int r = 0; r < n_rows; ++r) {
        const bool flat = rng.below(40) == 0;  // a stuck sensor
        const double base = rng.uniform(5.0, 400.0), amp = flat ? 0.0 : base * rng.uniform(0.05, 0.5);
        const int peak = rng.below(len);
        double noise = 0.0;
        for (int t = 0; t < len; ++t) {
            noise = 0.9 * noise + 0.1 * rng.normal();
            const double d = std::abs(t - peak) / (0.2 * len);
            profile[static_cast<size_t>(r) * len + t] = static_cast<float>(base + amp * (1.0 / (1.0 + d * d) + noise));
        }
    }
    std::vector<float4> packed(profile.size() / 4);
    std::memcpy(packed.data(), profile.data(), profile.size() * sizeof(float));
    DeviceArray<float4> d_in(packed);
    DeviceArray<__half2> d_out(profile.size() / 2);
    znorm_profiles<<<n_rows, block, len * sizeof(float)>>>(d_in.get(), len, 1e-3f, d_out.get());
    FINISH_LAUNCH();

    const auto out = d_out.download();
    for (int r = 0; r < n_rows; ++r) {
        const float* p = &profile[static_cast<size_t>(r) * len];
        double mean = 0.0, var = 0.0;
        for (int t = 0; t < len; ++t) mean += p[t];
        mean /= len;
        for (int t = 0; t < len; ++t) var += (p[t] - mean) * (p[t] - mean);
        const double sd = std::sqrt(var / len);
        const double inv = sd > 1e-3 ? 1.0 / sd : 0.0;
        for (int t = 0; t < len; t += 2) {
            const __half2 h = out[(static_cast<size_t>(r) * len + t) / 2];
            if (!close_to(__low2float(h), (p[t] - mean) * inv, 2e-3, 1e-3)) return false;
            if (!close_to(__high2float(h), (p[t + 1] - mean) * inv, 2e-3, 1e-3)) return false;
        }
    }
    return true;
}

static void test_znorm_profiles()
{
    bool ok = run_znorm(30, 96, 64, 181);
    ok &= run_znorm(7200, 1440, 192, 182);
    report("znorm_profiles", ok);
}

// ---------------------------------------------------------------------------
// 19. Poisson-Boltzmann: one Jacobi sweep, 7-point, dielectric on cell faces
// ---------------------------------------------------------------------------

constexpr int kPoissonDepth = 12;

__global__ void poisson_jacobi_sweep(const float* __restrict__ phi, const float* __restrict__ eps_x,
                                     const float* __restrict__ eps_y, const float* __restrict__ eps_z,
                                     const float* __restrict__ charge, float kappa2, int nx, int ny, int nz,
                                     float* __restrict__ phi_new)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= nx || y >= ny) return;
    const int z0 = blockIdx.z * kPoissonDepth;
    const int z1 = min(z0 + kPoissonDepth, nz);
    const int plane = nx * ny;
    const bool edge_xy = x == 0 || y == 0 || x == nx - 1 || y == ny - 1;

    int c = z0 * plane + y * nx + x;
    float below = z0 > 0 ? phi[c - plane] : 0.f;
    float here = phi[c];
    for (int z = z0; z < z1; ++z, c += plane) {
        const float above = z + 1 < nz ? phi[c + plane] : 0.f;
        float result = here;  // Dirichlet boundary
        if (!edge_xy && z > 0 && z < nz - 1) {
            const float exp_ = eps_x[c], exm = eps_x[c - 1];
            const float eyp = eps_y[c], eym = eps_y[c - nx];
            const float ezp = eps_z[c], ezm = eps_z[c - plane];
            const float flux = exp_ * phi[c + 1] + exm * phi[c - 1] + eyp * phi[c + nx] + eym * phi[c - nx] +
                               ezp * above + ezm * below;
            result = (flux + charge[c]) / (exp_ + exm + eyp + eym + ezp + ezm + kappa2);
        }
        phi_new[c] = result;
        below = here;
        here = above;
    }
}

static bool run_poisson(int nx, int ny, int nz, uint64_t seed)
{
    Rng rng(seed);
    const int n = nx * ny * nz, plane = nx * ny;
    std::vector<float> phi(n), ex(n), ey(n), ez(n), charge(n, 0.f);
    // low dielectric inside a lumpy solute, water outside
    auto dielectric = [&](float x, float y, float z) {
        const float dx = x / nx - 0.5f, dy = y / ny - 0.5f, dz = z / nz - 0.5f;
        return dx * dx + dy * dy + 1.3f * dz * dz + 0.1f * dx * dy < 0.07f ? 2.f : 78.5f;
    };
    for (int z = 0, c = 0; z < nz; ++z)
        for (int y = 0; y < ny; ++y)
            for (int x = 0; x < nx; ++x, ++c) {
                phi[c] = static_cast<float>(rng.normal());
                ex[c] = dielectric(x + 0.5f, y, z);
                ey[c] = dielectric(x, y + 0.5f, z);
                ez[c] = dielectric(x, y, z + 0.5f);
            }
    for (int q = 0; q < n / 500; ++q) charge[rng.below(n)] += static_cast<float>(120.0 * rng.normal());
    const float kappa2 = 0.6f;

    DeviceArray<float> d_phi(phi), d_ex(ex), d_ey(ey), d_ez(ez), d_q(charge), d_new(n);
    const dim3 block(32, 6);
    const dim3 grid(div_up(nx, 32), div_up(ny, 6), div_up(nz, kPoissonDepth));
    poisson_jacobi_sweep<<<grid, block>>>(d_phi.get(), d_ex.get(), d_ey.get(), d_ez.get(), d_q.get(), kappa2, nx, ny,
                                          nz, d_new.get());
    FINISH_LAUNCH();

    const auto got = d_new.download();
    for (int z = 0, c = 0; z < nz; ++z)
        for (int y = 0; y < ny; ++y)
            for (int x = 0; x < nx; ++x, ++c) {
                double want = phi[c];
                if (x > 0 && y > 0 && z > 0 && x < nx - 1 && y < ny - 1 && z < nz - 1) {
                    const double flux = double(ex[c]) * phi[c + 1] + double(ex[c - 1]) * phi[c - 1] +
                                        double(ey[c]) * phi[c + nx] + double(ey[c - nx]) * phi[c - nx] +
                                        double(ez[c]) * phi[c + plane] + double(ez[c - plane]) * phi[c - plane];
                    const double den = double(ex[c]) + ex[c - 1] + ey[c] + ey[c - nx] + ez[c] + ez[c - plane] + kappa2;
                    want = (flux + charge[c]) / den;
                }
                if (!close_to(got[c], want, 1e-5, 1e-5)) return false;
            }
    return true;
}

static void test_poisson_jacobi_sweep()
{
    bool ok = run_poisson(37, 22, 27, 191);
    ok &= run_poisson(161, 145, 129, 192);
    report("poisson_jacobi_sweep", ok);
}

// ---------------------------------------------------------------------------
// 20. Gray-Scott reaction-diffusion, 2-D, 9-point Laplacian, periodic
// ---------------------------------------------------------------------------

constexpr int kGsX = 32;
constexpr int kGsY = 16;

__global__ void __launch_bounds__(kGsX * kGsY)
gray_scott_step(const float* __restrict__ u, const float* __restrict__ v, float* __restrict__ u_new,
                float* __restrict__ v_new, int nx, int ny, float du, float dv, float feed, float kill)
{
    __shared__ float su[kGsY + 2][kGsX + 2];
    __shared__ float sv[kGsY + 2][kGsX + 2];
    const int bx = blockIdx.x * kGsX, by = blockIdx.y * kGsY;
    for (int t = threadIdx.y * kGsX + threadIdx.x; t < (kGsX + 2) * (kGsY + 2); t += kGsX * kGsY) {
        const int tx = t % (kGsX + 2), ty = t / (kGsX + 2);
        const int gx = (bx + tx - 1 + nx) % nx;
        const int gy = (by + ty - 1 + ny) % ny;
        su[ty][tx] = u[gy * nx + gx];
        sv[ty][tx] = v[gy * nx + gx];
    }
    __syncthreads();

    const int x = bx + threadIdx.x, y = by + threadIdx.y;
    if (x >= nx || y >= ny) return;
    const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    const float uc = su[ty][tx], vc = sv[ty][tx];
    const float lap_u = 0.2f * (su[ty][tx - 1] + su[ty][tx + 1] + su[ty - 1][tx] + su[ty + 1][tx]) +
                        0.05f * (su[ty - 1][tx - 1] + su[ty - 1][tx + 1] + su[ty + 1][tx - 1] + su[ty + 1][tx + 1]) - uc;
    const float lap_v = 0.2f * (sv[ty][tx - 1] + sv[ty][tx + 1] + sv[ty - 1][tx] + sv[ty + 1][tx]) +
                        0.05f * (sv[ty - 1][tx - 1] + sv[ty - 1][tx + 1] + sv[ty + 1][tx - 1] + sv[ty + 1][tx + 1]) - vc;
    const float rate = uc * vc * vc;
    u_new[y * nx + x] = uc + du * lap_u - rate + feed * (1.f - uc);
    v_new[y * nx + x] = vc + dv * lap_v + rate - (feed + kill) * vc;
}

static bool run_gray_scott(int nx, int ny, uint64_t seed)
{
    Rng rng(seed);
    const int n = nx * ny;
    std::vector<float> u(n), v(n, 0.f);
    for (auto& c : u) c = static_cast<float>(1.0 - 0.02 * rng.uniform());
    for (int s = 0; s < std::max(3, n / 4000); ++s) {
        const int cx = rng.below(nx), cy = rng.below(ny), r = 3 + rng.below(12);
        for (int dy = -r; dy <= r; ++dy)
            for (int dx = -r; dx <= r; ++dx) {
                if (dx * dx + dy * dy > r * r) continue;
                const int i = (cy + dy + ny) % ny * nx + (cx + dx + nx) % nx;
                u[i] = static_cast<float>(0.5 + 0.05 * rng.normal());
                v[i] = static_cast<float>(0.25 + 0.03 * rng.normal());
            }
    }
    const float du = 1.0f, dv = 0.5f, feed = 0.0367f, kill = 0.0649f;
    DeviceArray<float> d_u(u), d_v(v), d_un(n), d_vn(n);
    gray_scott_step<<<dim3(div_up(nx, kGsX), div_up(ny, kGsY)), dim3(kGsX, kGsY)>>>(
        d_u.get(), d_v.get(), d_un.get(), d_vn.get(), nx, ny, du, dv, feed, kill);
    FINISH_LAUNCH();

    const auto un = d_un.download(), vn = d_vn.download();
    auto laplacian = [&](const std::vector<float>& f, int x, int y) {
        const int l = x == 0 ? nx - 1 : x - 1, r = x == nx - 1 ? 0 : x + 1;
        const float* up = &f[(y == 0 ? ny - 1 : y - 1) * nx];
        const float* mid = &f[y * nx];
        const float* dn = &f[(y == ny - 1 ? 0 : y + 1) * nx];
        return 0.2f * (mid[l] + mid[r] + up[x] + dn[x]) + 0.05f * (up[l] + up[r] + dn[l] + dn[r]) - mid[x];
    };
    for (int y = 0; y < ny; ++y)
        for (int x = 0; x < nx; ++x) {
            const float uc = u[y * nx + x], vc = v[y * nx + x], rate = uc * vc * vc;
            const float uw = uc + du * laplacian(u, x, y) - rate + feed * (1.f - uc);
            const float vw = vc + dv * laplacian(v, x, y) + rate - (feed + kill) * vc;
            if (!close_to(un[y * nx + x], uw, 1e-5, 2e-6) || !close_to(vn[y * nx + x], vw, 1e-5, 2e-6)) return false;
        }
    return true;
}

static void test_gray_scott_step()
{
    bool ok = run_gray_scott(150, 90, 201);
    ok &= run_gray_scott(1900, 1300, 202);
    report("gray_scott_step", ok);
}

// ---------------------------------------------------------------------------
// 21. timestamp column: delta decoding = prefix sum with decoupled look-back
// ---------------------------------------------------------------------------

constexpr int kScanThreads = 256;
constexpr int kScanItems = 8;
constexpr int kScanTile = kScanThreads * kScanItems;
constexpr u64 kScanAggregate = 1ull << 62;  // tile sum is known
constexpr u64 kScanPrefix = 2ull << 62;     // sum of everything up to the tile is known
constexpr u64 kScanValueMask = (1ull << 62) - 1;

__global__ void __launch_bounds__(kScanThreads)
delta_decode_timestamps(const uint32_t* __restrict__ delta, int n, u64 first_ts, unsigned int* ticket, u64* tile_state,
                        u64* __restrict__ ts)
{
    __shared__ u64 s_warp[kScanThreads / 32];
    __shared__ u64 s_before;
    __shared__ int s_tile;
    if (threadIdx.x == 0) s_tile = static_cast<int>(atomicAdd(ticket, 1u));
    __syncthreads();
    const int tile = s_tile;
    const int start = tile * kScanTile + threadIdx.x * kScanItems;
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;

    uint32_t d[kScanItems];
    if (start + kScanItems <= n) {
        const uint4 p = *reinterpret_cast<const uint4*>(delta + start);
        const uint4 q = *reinterpret_cast<const uint4*>(delta + start + 4);
        d[0] = p.x; d[1] = p.y; d[2] = p.z; d[3] = p.w;
        d[4] = q.x; d[5] = q.y; d[6] = q.z; d[7] = q.w;
    } else {
#pragma unroll
        for (int k = 0; k < kScanItems; ++k) d[k] = start + k < n ? delta[start + k] : 0u;
    }
    u64 total = 0;
#pragma unroll
    for (int k = 0; k < kScanItems; ++k) total += d[k];

    u64 inclusive = total;
    for (int off = 1; off < 32; off <<= 1) {
        const u64 up = __shfl_up_sync(0xffffffffu, inclusive, off);
        if (lane >= off) inclusive += up;
    }
    if (lane == 31) s_warp[warp] = inclusive;
    __syncthreads();

    if (warp == 0) {
        const u64 own = lane < kScanThreads / 32 ? s_warp[lane] : 0;
        u64 sum = own;
        for (int off = 1; off < kScanThreads / 32; off <<= 1) {
            const u64 up = __shfl_up_sync(0xffffffffu, sum, off);
            if (lane >= off) sum += up;
        }
        const u64 tile_sum = __shfl_sync(0xffffffffu, sum, kScanThreads / 32 - 1);
        if (lane < kScanThreads / 32) s_warp[lane] = sum - own;
        if (lane == 0) atomicExch(&tile_state[tile], (tile == 0 ? kScanPrefix : kScanAggregate) | tile_sum);

        u64 before = 0;
        for (int window = tile - 1; window >= 0; window -= 32) {
            const int pred = window - lane;
            u64 word = kScanPrefix;  // in front of tile 0: an empty prefix
            if (pred >= 0) {
                volatile u64* state = tile_state + pred;
                do {
                    word = *state;
                } while ((word >> 62) == 0);
            }
            const unsigned int done = __ballot_sync(0xffffffffu, (word & kScanPrefix) != 0);
            const int last = done ? __ffs(done) - 1 : 31;
            u64 part = lane <= last ? word & kScanValueMask : 0;
            for (int off = 16; off > 0; off >>= 1) part += __shfl_xor_sync(0xffffffffu, part, off);
            before += part;
            if (done) break;
        }
        if (lane == 0) {
            if (tile > 0) atomicExch(&tile_state[tile], kScanPrefix | (before + tile_sum));
            s_before = before;
        }
    }
    __syncthreads();

    u64 running = first_ts + s_before + s_warp[warp] + inclusive - total;
#pragma unroll
    for (int k = 0; k < kScanItems; ++k) {
        running += d[k];
        if (start + k < n) ts[start + k] = running;
    }
}

static bool run_delta_decode(int n, uint64_t seed)
{
    Rng rng(seed);
    std::vector<uint32_t> delta(n);
    for (auto& d : delta) {
        d = 1000 + rng.below(7) - 3;
        if (rng.below(900) == 0) d += rng.below(86400000);  // collector was down
    }
    const u64 first_ts = 1600000000000ull;
    const int tiles = div_up(n, kScanTile);
    DeviceArray<uint32_t> d_delta(delta);
    DeviceArray<u64> d_state(tiles), d_ts(n);
    DeviceArray<unsigned int> d_ticket(1);
    d_state.fill_bytes(0);
    d_ticket.fill_bytes(0);
    delta_decode_timestamps<<<tiles, kScanThreads>>>(d_delta.get(), n, first_ts, d_ticket.get(), d_state.get(),
                                                     d_ts.get());
    FINISH_LAUNCH();

    const auto ts = d_ts.download();
    u64 want = first_ts;
    for (int i = 0; i < n; ++i) {
        want += delta[i];
        if (ts[i] != want) return false;
    }
    return true;
}

static void test_delta_decode_timestamps()
{
    bool ok = run_delta_decode(9001, 211);
    ok &= run_delta_decode(4300007, 212);
    report("delta_decode_timestamps", ok);
}

// ---------------------------------------------------------------------------
// 22. alert filter: rows above a threshold, good quality, watched tags only
// ---------------------------------------------------------------------------

constexpr int kFilterItems = 4;

__global__ void filter_alert_rows(const float* __restrict__ value, const uint8_t* __restrict__ quality,
                                  const uint16_t* __restrict__ tag, const uint32_t* __restrict__ watched, int n,
                                  float threshold, int* __restrict__ out_row, float* __restrict__ out_value,
                                  int* out_count)
{
    __shared__ int s_warp[32];
    __shared__ int s_base;
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const int n_warps = blockDim.x >> 5;
    const int base = blockIdx.x * blockDim.x * kFilterItems + threadIdx.x;

    float v[kFilterItems];
    unsigned int hits[kFilterItems];
    int warp_hits = 0;
#pragma unroll
    for (int k = 0; k < kFilterItems; ++k) {
        const int row = base + k * blockDim.x;
        bool keep = false;
        v[k] = 0.f;
        if (row < n) {
            v[k] = value[row];
            if (v[k] > threshold && (quality[row] & 3u) == 0) {
                const unsigned int t = tag[row];
                keep = (watched[t >> 5] >> (t & 31)) & 1u;
            }
        }
        hits[k] = __ballot_sync(0xffffffffu, keep);
        warp_hits += __popc(hits[k]);
    }
    if (lane == 0) s_warp[warp] = warp_hits;
    __syncthreads();
    if (warp == 0) {
        const int own = lane < n_warps ? s_warp[lane] : 0;
        int sum = own;
        for (int off = 1; off < 32; off <<= 1) {
            const int up = __shfl_up_sync(0xffffffffu, sum, off);
            if (lane >= off) sum += up;
        }
        if (lane < n_warps) s_warp[lane] = sum - own;
        if (lane == 31) s_base = sum > 0 ? atomicAdd(out_count, sum) : 0;
    }
    __syncthreads();

    int slot = s_base + s_warp[warp];
    const unsigned int lower = (1u << lane) - 1u;
#pragma unroll
    for (int k = 0; k < kFilterItems; ++k) {
        if ((hits[k] >> lane) & 1u) {
            const int at = slot + __popc(hits[k] & lower);
            out_row[at] = base + k * blockDim.x;
            out_value[at] = v[k];
        }
        slot += __popc(hits[k]);
    }
}

static bool run_filter(int n, int block, uint64_t seed)
{
    Rng rng(seed);
    const int n_tags = 3000;
    std::vector<float> value(n);
    std::vector<uint8_t> quality(n);
    std::vector<uint16_t> tag(n);
    std::vector<uint32_t> watched((n_tags + 31) / 32);
    for (auto& w : watched) w = rng.u32() | rng.u32();
    double level = 60.0;
    for (int i = 0; i < n; ++i) {
        level += 0.001 * (60.0 - level) + 0.5 * rng.normal();
        value[i] = static_cast<float>(level + 3.0 * rng.normal());
        const uint32_t r = rng.u32();
        quality[i] = static_cast<uint8_t>((r & 15) == 0 ? 1 + (r >> 4 & 2) : (r >> 8 & 0xf0));
        const double u = rng.uniform();
        tag[i] = static_cast<uint16_t>(u * u * n_tags);
    }
    const float threshold = 66.f;
    DeviceArray<float> d_value(value), d_out_value(n);
    DeviceArray<uint8_t> d_quality(quality);
    DeviceArray<uint16_t> d_tag(tag);
    DeviceArray<uint32_t> d_watched(watched);
    DeviceArray<int> d_out_row(n), d_count(1);
    d_count.fill_bytes(0);
    filter_alert_rows<<<div_up(n, block * kFilterItems), block>>>(d_value.get(), d_quality.get(), d_tag.get(),
                                                                  d_watched.get(), n, threshold, d_out_row.get(),
                                                                  d_out_value.get(), d_count.get());
    FINISH_LAUNCH();

    std::vector<int> want;
    for (int i = 0; i < n; ++i)
        if (value[i] > threshold && (quality[i] & 3) == 0 && ((watched[tag[i] >> 5] >> (tag[i] & 31)) & 1u))
            want.push_back(i);
    const int count = d_count.download()[0];
    if (count != static_cast<int>(want.size())) return false;
    auto row = d_out_row.download();
    const auto val = d_out_value.download();
    for (int i = 0; i < count; ++i)
        if (row[i] < 0 || row[i] >= n || val[i] != value[row[i]]) return false;
    row.resize(count);
    std::sort(row.begin(), row.end());
    return row == want;
}

static void test_filter_alert_rows()
{
    bool ok = run_filter(7777, 128, 221);
    ok &= run_filter(5600003, 320, 222);
    report("filter_alert_rows", ok);
}

// ---------------------------------------------------------------------------
// 23. isothermal flash: Rachford-Rice by safeguarded Newton, thread a mixture
// ---------------------------------------------------------------------------

constexpr int kComponents = 8;
constexpr int kFlashMaxIter = 80;

__host__ __device__ inline double rachford_rice(const double* z, const double* km1, double v, double* slope)
{
    double f = 0.0, df = 0.0;
    for (int c = 0; c < kComponents; ++c) {
        const double q = km1[c] / (1.0 + v * km1[c]);
        f += z[c] * q;
        df -= z[c] * q * q;
    }
    *slope = df;
    return f;
}

__host__ __device__ inline double solve_vapour_fraction(const double* z, const double* km1, int* iterations)
{
    double slope = 0.0;
    *iterations = 0;
    const double f0 = rachford_rice(z, km1, 0.0, &slope);
    if (f0 <= 0.0) return 0.0;  // subcooled liquid
    const double f1 = rachford_rice(z, km1, 1.0, &slope);
    if (f1 >= 0.0) return 1.0;  // superheated vapour
    double lo = 0.0, hi = 1.0, v = f0 / (f0 - f1);
    for (int it = 1; it <= kFlashMaxIter; ++it) {
        *iterations = it;
        const double f = rachford_rice(z, km1, v, &slope);
        const double step = -f / slope;
        if (fabs(step) < 1e-11) return fmin(fmax(v + step, 0.0), 1.0);
        if (f > 0.0)
            lo = v;
        else
            hi = v;
        const double newton = v + step;
        v = (newton > lo && newton < hi) ? newton : 0.5 * (lo + hi);
    }
    return v;
}

__global__ void flash_vapour_fraction(const double* __restrict__ feed, const double* __restrict__ k_value, int n_mix,
                                      double* __restrict__ vapour, uint8_t* __restrict__ iterations)
{
    const int m = blockIdx.x * blockDim.x + threadIdx.x;
    if (m >= n_mix) return;
    double z[kComponents], km1[kComponents];
#pragma unroll
    for (int c = 0; c < kComponents; ++c) {
        z[c] = feed[c * n_mix + m];
        km1[c] = k_value[c * n_mix + m] - 1.0;
    }
    int it = 0;
    vapour[m] = solve_vapour_fraction(z, km1, &it);
    iterations[m] = static_cast<uint8_t>(it);
}

static bool run_flash(int n_mix, uint64_t seed)
{
    // C1..C7+: critical temperature (K), critical pressure (bar), acentric factor
    static const double tc[kComponents] = {190.6, 305.3, 369.8, 425.1, 469.7, 507.6, 540.2, 617.7};
    static const double pc[kComponents] = {46.0, 48.7, 42.5, 38.0, 33.7, 30.2, 27.4, 21.1};
    static const double omega[kComponents] = {0.012, 0.100, 0.152, 0.200, 0.252, 0.301, 0.350, 0.490};
    Rng rng(seed);
    std::vector<double> feed(static_cast<size_t>(n_mix) * kComponents), kv(feed.size());
    for (int m = 0; m < n_mix; ++m) {
        const double t = rng.uniform(240.0, 460.0), p = std::exp(rng.uniform(0.0, 4.5));
        double z[kComponents], total = 0.0;
        for (int c = 0; c < kComponents; ++c) total += z[c] = 0.01 - std::log(1.0 - rng.uniform()) * (c == 0 ? 2.0 : 1.0);
        for (int c = 0; c < kComponents; ++c) {
            feed[static_cast<size_t>(c) * n_mix + m] = z[c] / total;
            kv[static_cast<size_t>(c) * n_mix + m] = pc[c] / p * std::exp(5.373 * (1.0 + omega[c]) * (1.0 - tc[c] / t));
        }
    }
    DeviceArray<double> d_feed(feed), d_k(kv), d_v(n_mix);
    DeviceArray<uint8_t> d_it(n_mix);
    flash_vapour_fraction<<<div_up(n_mix, 128), 128>>>(d_feed.get(), d_k.get(), n_mix, d_v.get(), d_it.get());
    FINISH_LAUNCH();

    const auto v = d_v.download();
    const auto iters = d_it.download();
    for (int m = 0; m < n_mix; ++m) {
        double z[kComponents], km1[kComponents];
        for (int c = 0; c < kComponents; ++c) {
            z[c] = feed[static_cast<size_t>(c) * n_mix + m];
            km1[c] = kv[static_cast<size_t>(c) * n_mix + m] - 1.0;
        }
        int it = 0;
        const double want = solve_vapour_fraction(z, km1, &it);
        if (!close_to(v[m], want, 1e-8, 1e-8) || iters[m] > kFlashMaxIter) return false;
    }
    return true;
}

static void test_flash_vapour_fraction()
{
    bool ok = run_flash(900, 231);
    ok &= run_flash(230000, 232);
    report("flash_vapour_fraction", ok);
}

// ---------------------------------------------------------------------------
// 24. demand diffusion: random walks over the freight network, visit counts
// ---------------------------------------------------------------------------

struct WalkRng {
    uint64_t s;
    __host__ __device__ uint32_t next()  // PCG-XSH-RR 64/32
    {
        const uint64_t old = s;
        s = old * 6364136223846793005ull + 1442695040888963407ull;
        const uint32_t x = static_cast<uint32_t>(((old >> 18) ^ old) >> 27);
        const uint32_t r = static_cast<uint32_t>(old >> 59);
        return (x >> r) | (x << ((32u - r) & 31u));
    }
};

__global__ void random_walk_visits(const int* __restrict__ row_ptr, const int* __restrict__ col,
                                   const int* __restrict__ origin, int n_walks, int max_steps, uint32_t stop_below,
                                   uint64_t seed, unsigned int* visits)
{
    const int w = blockIdx.x * blockDim.x + threadIdx.x;
    if (w >= n_walks) return;
    WalkRng rng{mix64(seed + w)};
    const int home = origin[w];
    int at = home;
    for (int step = 0; step < max_steps; ++step) {
        if (rng.next() < stop_below) break;
        const int begin = row_ptr[at];
        const uint32_t degree = row_ptr[at + 1] - begin;
        if (degree == 0)
            at = home;
        else
            at = col[begin + static_cast<int>((static_cast<uint64_t>(rng.next()) * degree) >> 32)];
        atomicAdd(&visits[at], 1u);
    }
}

static bool run_random_walks(int n, int links, int n_walks, double mean_steps, int block, uint64_t seed)
{
    const CsrGraph g = make_freight_network(n, links, seed);
    Rng rng(seed + 7);
    std::vector<int> origin(n_walks);
    for (auto& o : origin) o = rng.below(n);
    const uint32_t stop_below = static_cast<uint32_t>(4294967296.0 / mean_steps);
    const int max_steps = static_cast<int>(4 * mean_steps);

    DeviceArray<int> d_ptr(g.row_ptr), d_col(g.col), d_origin(origin);
    DeviceArray<unsigned int> d_visits(n);
    d_visits.fill_bytes(0);
    random_walk_visits<<<div_up(n_walks, block), block>>>(d_ptr.get(), d_col.get(), d_origin.get(), n_walks, max_steps,
                                                          stop_below, seed, d_visits.get());
    FINISH_LAUNCH();

    std::vector<unsigned int> want(n, 0u);
    for (int w = 0; w < n_walks; ++w) {
        WalkRng r{mix64(seed + w)};
        int at = origin[w];
        for (int step = 0; step < max_steps; ++step) {
            if (r.next() < stop_below) break;
            const uint32_t degree = g.row_ptr[at + 1] - g.row_ptr[at];
            at = degree == 0 ? origin[w]
                             : g.col[g.row_ptr[at] + static_cast<int>((static_cast<uint64_t>(r.next()) * degree) >> 32)];
            ++want[at];
        }
    }
    return d_visits.download() == want;
}

static void test_random_walk_visits()
{
    bool ok = run_random_walks(800, 2, 1200, 12.0, 96, 241);
    ok &= run_random_walks(120000, 3, 150000, 32.0, 128, 242);
    report("random_walk_visits", ok);
}

// ---------------------------------------------------------------------------
// 25. docking: score ligand poses against receptor maps (3-D texture,
//     .x = steric map, .y = electrostatic potential), a warp per pose
// ---------------------------------------------------------------------------

constexpr int kMaxLigand = 64;

__global__ void score_poses_on_grid(cudaTextureObject_t maps, const float4* __restrict__ ligand, int n_atoms,
                                    const float4* __restrict__ rotation, const float4* __restrict__ translation,
                                    int n_poses, float3 origin, float inv_spacing, float* __restrict__ score)
{
    __shared__ float4 s_lig[kMaxLigand];
    for (int a = threadIdx.x; a < n_atoms; a += blockDim.x) s_lig[a] = ligand[a];
    __syncthreads();

    const int lane = threadIdx.x & 31;
    const int pose = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    if (pose >= n_poses) return;
    const float4 q = rotation[pose];
    const float4 t = translation[pose];
    float sum = 0.f;
    for (int a = lane; a < n_atoms; a += 32) {
        const float4 p = s_lig[a];
        // v' = v + 2 w (q x v) + 2 q x (q x v)
        const float cx = 2.f * (q.y * p.z - q.z * p.y);
        const float cy = 2.f * (q.z * p.x - q.x * p.z);
        const float cz = 2.f * (q.x * p.y - q.y * p.x);
        const float x = p.x + q.w * cx + (q.y * cz - q.z * cy) + t.x;
        const float y = p.y + q.w * cy + (q.z * cx - q.x * cz) + t.y;
        const float z = p.z + q.w * cz + (q.x * cy - q.y * cx) + t.z;
        const float2 m = tex3D<float2>(maps, (x - origin.x) * inv_spacing + 0.5f, (y - origin.y) * inv_spacing + 0.5f,
                                       (z - origin.z) * inv_spacing + 0.5f);
        sum += m.x + p.w * m.y;
    }
    for (int off = 16; off > 0; off >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, off);
    if (lane == 0) score[pose] = sum;
}

static bool run_pose_scoring(int nx, int ny, int nz, int n_atoms, int n_poses, int block, uint64_t seed)
{
    Rng rng(seed);
    const float spacing = 0.5f;
    const float3 origin = make_float3(-12.5f, 3.0f, 40.25f);
    // smooth maps: a sum of broad Gaussians, separable so that they are quick to tabulate
    const int n_gauss = 10;
    std::vector<float2> maps(static_cast<size_t>(nx) * ny * nz, make_float2(0.f, 0.f));
    for (int g = 0; g < n_gauss; ++g) {
        const double width = rng.uniform(8.0, 13.0);
        std::vector<float> fx(nx), fy(ny), fz(nz);
        auto fill = [&](std::vector<float>& f) {
            const double c = rng.uniform(0.0, double(f.size()));
            for (size_t i = 0; i < f.size(); ++i)
                f[i] = static_cast<float>(std::exp(-(i - c) * (i - c) / (2 * width * width)));
        };
        fill(fx);
        fill(fy);
        fill(fz);
        const float steric = static_cast<float>(2.0 * rng.normal()), elec = static_cast<float>(3.0 * rng.normal());
        for (int z = 0, c = 0; z < nz; ++z)
            for (int y = 0; y < ny; ++y) {
                const float yz = fy[y] * fz[z];
                for (int x = 0; x < nx; ++x, ++c) {
                    maps[c].x += steric * fx[x] * yz;
                    maps[c].y += elec * fx[x] * yz;
                }
            }
    }
    std::vector<float4> ligand(n_atoms), rot(n_poses), trans(n_poses);
    for (auto& a : ligand)
        a = make_float4(float(2.5 * rng.normal()), float(1.8 * rng.normal()), float(1.2 * rng.normal()),
                        float(0.3 * rng.normal()));
    for (int p = 0; p < n_poses; ++p) {
        double q[4], norm = 1e-9;
        for (auto& c : q) {
            c = rng.normal();
            norm += c * c;
        }
        norm = std::sqrt(norm);
        rot[p] = make_float4(float(q[0] / norm), float(q[1] / norm), float(q[2] / norm), float(q[3] / norm));
        trans[p] = make_float4(origin.x + spacing * float(rng.uniform(0.1, 0.9) * nx),
                               origin.y + spacing * float(rng.uniform(0.1, 0.9) * ny),
                               origin.z + spacing * float(rng.uniform(0.1, 0.9) * nz), 0.f);
    }

    const cudaChannelFormatDesc channels{32, 32, 0, 0, cudaChannelFormatKindFloat};
    cudaArray_t array = nullptr;
    CUDA_CHECK(cudaMalloc3DArray(&array, &channels, make_cudaExtent(nx, ny, nz)));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(maps.data(), nx * sizeof(float2), nx, ny);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(nx, ny, nz);
    copy.kind = cudaMemcpyHostToDevice;
    CUDA_CHECK(cudaMemcpy3D(&copy));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc sampler = {};
    sampler.addressMode[0] = sampler.addressMode[1] = sampler.addressMode[2] = cudaAddressModeClamp;
    sampler.filterMode = cudaFilterModeLinear;
    sampler.readMode = cudaReadModeElementType;
    sampler.normalizedCoords = 0;
    cudaTextureObject_t texture = 0;
    CUDA_CHECK(cudaCreateTextureObject(&texture, &resource, &sampler, nullptr));

    DeviceArray<float4> d_lig(ligand), d_rot(rot), d_trans(trans);
    DeviceArray<float> d_score(n_poses);
    score_poses_on_grid<<<div_up(n_poses * 32, block), block>>>(texture, d_lig.get(), n_atoms, d_rot.get(),
                                                               d_trans.get(), n_poses, origin, 1.f / spacing,
                                                               d_score.get());
    FINISH_LAUNCH();
    const auto score = d_score.download();
    CUDA_CHECK(cudaDestroyTextureObject(texture));
    CUDA_CHECK(cudaFreeArray(array));

    auto clamp_index = [](int i, int n) { return std::min(std::max(i, 0), n - 1); };
    for (int p = 0; p < n_poses; ++p) {
        const float4 q = rot[p], t = trans[p];
        double want = 0.0;
        for (int a = 0; a < n_atoms; ++a) {
            const float4 v = ligand[a];
            const float cx = 2.f * (q.y * v.z - q.z * v.y);
            const float cy = 2.f * (q.z * v.x - q.x * v.z);
            const float cz = 2.f * (q.x * v.y - q.y * v.x);
            const float gx = (v.x + q.w * cx + (q.y * cz - q.z * cy) + t.x - origin.x) / spacing;
            const float gy = (v.y + q.w * cy + (q.z * cx - q.x * cz) + t.y - origin.y) / spacing;
            const float gz = (v.z + q.w * cz + (q.x * cy - q.y * cx) + t.z - origin.z) / spacing;
            const int ix = static_cast<int>(std::floor(gx)), iy = static_cast<int>(std::floor(gy)),
                      iz = static_cast<int>(std::floor(gz));
            const float wx = gx - ix, wy = gy - iy, wz = gz - iz;
            float mx = 0.f, my = 0.f;
            for (int corner = 0; corner < 8; ++corner) {
                const int dx = corner & 1, dy = corner >> 1 & 1, dz = corner >> 2;
                const float w = (dx ? wx : 1 - wx) * (dy ? wy : 1 - wy) * (dz ? wz : 1 - wz);
                const float2 m = maps[(static_cast<size_t>(clamp_index(iz + dz, nz)) * ny + clamp_index(iy + dy, ny)) * nx +
                                      clamp_index(ix + dx, nx)];
                mx += w * m.x;
                my += w * m.y;
            }
            want += mx + v.w * my;
        }
        // the texture unit interpolates with 8-bit weights
        if (!close_to(score[p], want, 5e-3, 0.12)) return false;
    }
    return true;
}

static void test_score_poses_on_grid()
{
    bool ok = run_pose_scoring(30, 26, 34, 21, 150, 64, 251);
    ok &= run_pose_scoring(80, 72, 88, 43, 76000, 256, 252);
    report("score_poses_on_grid", ok);
}

// ---------------------------------------------------------------------------
// 26. road legs: climb and descent sampled from a terrain raster (16-bit
//     heights, normalised and bilinearly filtered by the texture unit)
// ---------------------------------------------------------------------------

__global__ void road_leg_climb_cost(cudaTextureObject_t terrain, const float4* __restrict__ leg,
                                    const uint16_t* __restrict__ n_samples, int n_legs, float cell_m, float height_m,
                                    float climb_weight, float* __restrict__ cost)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n_legs) return;
    const float4 s = leg[i];
    const int n = n_samples[i];
    const float dx = s.z - s.x, dy = s.w - s.y;
    float prev = tex2D<float>(terrain, s.x + 0.5f, s.y + 0.5f);
    float up = 0.f, down = 0.f;
    for (int k = 1; k <= n; ++k) {
        const float f = static_cast<float>(k) / n;
        const float h = tex2D<float>(terrain, s.x + f * dx + 0.5f, s.y + f * dy + 0.5f);
        up += fmaxf(h - prev, 0.f);
        down += fmaxf(prev - h, 0.f);
        prev = h;
    }
    cost[i] = sqrtf(dx * dx + dy * dy) * cell_m + height_m * climb_weight * (up - 0.25f * down);
}

static bool run_road_climb(int w, int h, int n_legs, double max_len, int block, uint64_t seed)
{
    Rng rng(seed);
    std::vector<uint16_t> dem(static_cast<size_t>(w) * h);
    const double ax = 6.2831853 / rng.uniform(110, 170), ay = 6.2831853 / rng.uniform(110, 170);
    std::vector<double> sx(w), sy(h), rx(w), ry(h);
    for (int x = 0; x < w; ++x) {
        sx[x] = std::sin(ax * x);
        rx[x] = std::sin(0.37 * ax * x + 1.0);
    }
    for (int y = 0; y < h; ++y) {
        sy[y] = std::cos(ay * y);
        ry[y] = std::sin(0.29 * ay * y + 0.3);
    }
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            const double e = 0.5 + 0.2 * sx[x] * sy[y] + 0.15 * rx[x] + 0.12 * ry[y] + 0.0005 * rng.normal();
            dem[static_cast<size_t>(y) * w + x] = static_cast<uint16_t>(e * 65535.0);
        }
    std::vector<float4> leg(n_legs);
    std::vector<uint16_t> samples(n_legs);
    for (int i = 0; i < n_legs; ++i) {
        const double u = rng.uniform(), len = 4.0 + max_len * u * u, dir = rng.uniform(0, 6.2831853);
        const double x0 = rng.uniform(0, w - 1), y0 = rng.uniform(0, h - 1);
        const double x1 = std::min(std::max(x0 + len * std::cos(dir), 0.0), w - 1.0);
        const double y1 = std::min(std::max(y0 + len * std::sin(dir), 0.0), h - 1.0);
        leg[i] = make_float4(float(x0), float(y0), float(x1), float(y1));
        samples[i] = static_cast<uint16_t>(2 + std::hypot(x1 - x0, y1 - y0) / 1.5);
    }
    const float cell_m = 30.f, height_m = 2500.f, climb_weight = 6.f;

    const cudaChannelFormatDesc channel{16, 0, 0, 0, cudaChannelFormatKindUnsigned};
    cudaArray_t array = nullptr;
    CUDA_CHECK(cudaMallocArray(&array, &channel, w, h));
    CUDA_CHECK(cudaMemcpy2DToArray(array, 0, 0, dem.data(), w * sizeof(uint16_t), w * sizeof(uint16_t), h,
                                   cudaMemcpyHostToDevice));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc sampler = {};
    sampler.addressMode[0] = sampler.addressMode[1] = cudaAddressModeClamp;
    sampler.filterMode = cudaFilterModeLinear;
    sampler.readMode = cudaReadModeNormalizedFloat;
    sampler.normalizedCoords = 0;
    cudaTextureObject_t texture = 0;
    CUDA_CHECK(cudaCreateTextureObject(&texture, &resource, &sampler, nullptr));

    DeviceArray<float4> d_leg(leg);
    DeviceArray<uint16_t> d_samples(samples);
    DeviceArray<float> d_cost(n_legs);
    road_leg_climb_cost<<<div_up(n_legs, block), block>>>(texture, d_leg.get(), d_samples.get(), n_legs, cell_m,
                                                         height_m, climb_weight, d_cost.get());
    FINISH_LAUNCH();
    const auto cost = d_cost.download();
    CUDA_CHECK(cudaDestroyTextureObject(texture));
    CUDA_CHECK(cudaFreeArray(array));

    auto height = [&](double x, double y) {
        const int ix = static_cast<int>(std::floor(x)), iy = static_cast<int>(std::floor(y));
        const double fx = x - ix, fy = y - iy;
        auto at = [&](int cx, int cy) {
            cx = std::min(std::max(cx, 0), w - 1);
            cy = std::min(std::max(cy, 0), h - 1);
            return static_cast<double>(dem[static_cast<size_t>(cy) * w + cx]);
        };
        return ((1 - fy) * ((1 - fx) * at(ix, iy) + fx * at(ix + 1, iy)) +
                fy * ((1 - fx) * at(ix, iy + 1) + fx * at(ix + 1, iy + 1))) / 65535.0;
    };
    for (int i = 0; i < n_legs; ++i) {
        const float4 s = leg[i];
        const double dx = double(s.z) - s.x, dy = double(s.w) - s.y;
        double prev = height(s.x, s.y), up = 0.0, down = 0.0;
        for (int k = 1; k <= samples[i]; ++k) {
            const double f = static_cast<double>(k) / samples[i];
            const double e = height(s.x + f * dx, s.y + f * dy);
            up += std::max(e - prev, 0.0);
            down += std::max(prev - e, 0.0);
            prev = e;
        }
        const double want = std::sqrt(dx * dx + dy * dy) * cell_m + height_m * climb_weight * (up - 0.25 * down);
        if (!close_to(cost[i], want, 0.01, 20.0)) return false;
    }
    return true;
}

static void test_road_leg_climb_cost()
{
    bool ok = run_road_climb(200, 150, 700, 60.0, 64, 261);
    ok &= run_road_climb(1510, 1130, 140000, 270.0, 128, 262);
    report("road_leg_climb_cost", ok);
}

// ---------------------------------------------------------------------------
// 27. similarity search: banded DTW of one query against many windows,
//     a block per window, a thread per query sample, anti-diagonal order
// ---------------------------------------------------------------------------

constexpr int kMaxQuery = 256;
__constant__ float c_dtw_query[kMaxQuery];

__global__ void dtw_banded_windows(const float* __restrict__ series, const int* __restrict__ window_start,
                                   const float2* __restrict__ window_norm, int len, int band,
                                   float* __restrict__ distance)
{
    __shared__ float s_window[kMaxQuery];
    __shared__ float s_diag[3][kMaxQuery + 1];
    const float kFar = 1e30f;
    const int i = threadIdx.x;
    const float2 norm = window_norm[blockIdx.x];  // (mean, 1 / sd)
    const int start = window_start[blockIdx.x];

    for (int t = i; t < 3 * (kMaxQuery + 1); t += blockDim.x) (&s_diag[0][0])[t] = kFar;
    for (int t = i; t < len; t += blockDim.x) s_window[t] = (series[start + t] - norm.x) * norm.y;
    const float q = i < len ? c_dtw_query[i] : 0.f;
    __syncthreads();

    // s_diag[.][i + 1] holds D(i, d - i); slot 0 is the row above the matrix
    int cur = 0, prev = 2, prev2 = 1;
    for (int d = 0; d < 2 * len - 1; ++d) {
        if (i < len) {
            const int j = d - i;
            float cell = kFar;
            if (j >= 0 && j < len && abs(i - j) <= band) {
                const float diff = q - s_window[j];
                float from = fminf(s_diag[prev2][i], fminf(s_diag[prev][i], s_diag[prev][i + 1]));
                if (d == 0) from = 0.f;
                cell = diff * diff + from;
            }
            s_diag[cur][i + 1] = cell;
        }
        __syncthreads();
        const int oldest = prev2;
        prev2 = prev;
        prev = cur;
        cur = oldest;
    }
    if (i == len - 1) distance[blockIdx.x] = sqrtf(s_diag[prev][len]);
}

static bool run_dtw(int n_series, int len, int band, int n_windows, uint64_t seed)
{
    Rng rng(seed);
    std::vector<float> series(n_series);
    double slow = 0.0, fast = 0.0;
    for (int t = 0; t < n_series; ++t) {
        slow = 0.999 * slow + 0.05 * rng.normal();
        fast = 0.8 * fast + 0.3 * rng.normal();
        series[t] = static_cast<float>(10.0 + 4.0 * std::sin(t * 0.07 + slow) + fast);
    }
    auto stats = [&](int start) {
        double mean = 0.0, var = 0.0;
        for (int t = 0; t < len; ++t) mean += series[start + t];
        mean /= len;
        for (int t = 0; t < len; ++t) var += (series[start + t] - mean) * (series[start + t] - mean);
        return make_float2(static_cast<float>(mean), static_cast<float>(1.0 / std::sqrt(var / len + 1e-9)));
    };
    std::vector<int> start(n_windows);
    std::vector<float2> norm(n_windows);
    for (int w = 0; w < n_windows; ++w) {
        start[w] = rng.below(n_series - len + 1);
        norm[w] = stats(start[w]);
    }
    float query[kMaxQuery] = {0.f};
    const int q0 = n_series / 3;
    const float2 qn = stats(q0);
    for (int t = 0; t < len; ++t) query[t] = (series[q0 + t] - qn.x) * qn.y;
    CUDA_CHECK(cudaMemcpyToSymbol(c_dtw_query, query, sizeof(query)));

    DeviceArray<float> d_series(series), d_dist(n_windows);
    DeviceArray<int> d_start(start);
    DeviceArray<float2> d_norm(norm);
    dtw_banded_windows<<<n_windows, div_up(len, 32) * 32>>>(d_series.get(), d_start.get(), d_norm.get(), len, band,
                                                            d_dist.get());
    FINISH_LAUNCH();

    const auto dist = d_dist.download();
    std::vector<float> window(len);
    for (int w = 0; w < n_windows; ++w) {
        for (int t = 0; t < len; ++t) window[t] = (series[start[w] + t] - norm[w].x) * norm[w].y;
        std::vector<double> above(len + 1, 1e30), row(len + 1, 1e30);
        above[0] = 0.0;
        for (int i = 0; i < len; ++i) {
            std::fill(row.begin(), row.end(), 1e30);
            for (int j = std::max(0, i - band); j <= std::min(len - 1, i + band); ++j) {
                const double diff = static_cast<double>(query[i]) - window[j];
                row[j + 1] = diff * diff + std::min(above[j], std::min(above[j + 1], row[j]));
            }
            std::swap(above, row);
        }
        if (!close_to(dist[w], std::sqrt(above[len]), 1e-4, 1e-4)) return false;
    }
    return true;
}

static void test_dtw_banded_windows()
{
    bool ok = run_dtw(6000, 50, 8, 40, 271);
    ok &= run_dtw(1200000, 150, 22, 3100, 272);
    report("dtw_banded_windows", ok);
}

// ---------------------------------------------------------------------------
// 28. parameter fitting: batched 24x24 normal equations, Cholesky and solve
// ---------------------------------------------------------------------------

constexpr int kFitN = 24;
constexpr int kFitWarps = 4;

__global__ void __launch_bounds__(32 * kFitWarps)
cholesky_fit_solve(const float* __restrict__ normal, const float* __restrict__ rhs, int n_fits, float* __restrict__ sol)
{
    __shared__ float s_mat[kFitWarps][kFitN][kFitN + 1];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const int fit = blockIdx.x * kFitWarps + warp;
    if (fit >= n_fits) return;  // whole warps; only warp-level syncs below
    float(*a)[kFitN + 1] = s_mat[warp];
    const bool active = lane < kFitN;

    const float* src = normal + static_cast<size_t>(fit) * kFitN * kFitN;
    for (int i = lane; i < kFitN * kFitN; i += 32) a[i / kFitN][i % kFitN] = src[i];
    float b = active ? rhs[fit * kFitN + lane] : 0.f;
    __syncwarp();

    for (int k = 0; k < kFitN; ++k) {
        const float pivot = sqrtf(a[k][k]);
        __syncwarp();
        if (lane == k)
            a[k][k] = pivot;
        else if (active && lane > k)
            a[lane][k] /= pivot;
        __syncwarp();
        if (active && lane > k) {
            const float l = a[lane][k];
            for (int j = k + 1; j <= lane; ++j) a[lane][j] -= l * a[j][k];
        }
        __syncwarp();
    }
    for (int k = 0; k < kFitN; ++k) {  // L y = b
        const float y = __shfl_sync(0xffffffffu, b, k) / a[k][k];
        if (lane == k)
            b = y;
        else if (active && lane > k)
            b -= a[lane][k] * y;
    }
    for (int k = kFitN - 1; k >= 0; --k) {  // L^T x = y
        const float x = __shfl_sync(0xffffffffu, b, k) / a[k][k];
        if (lane == k)
            b = x;
        else if (lane < k)
            b -= a[k][lane] * x;
    }
    if (active) sol[fit * kFitN + lane] = b;
}

static bool run_cholesky(int n_fits, uint64_t seed)
{
    Rng rng(seed);
    const int n = kFitN, n_obs = 30;
    std::vector<float> mat(static_cast<size_t>(n_fits) * n * n), rhs(static_cast<size_t>(n_fits) * n);
    std::vector<float> truth(rhs.size());
    std::vector<float> obs(n);
    for (int f = 0; f < n_fits; ++f) {
        float* m = &mat[static_cast<size_t>(f) * n * n];
        float* x = &truth[static_cast<size_t>(f) * n];
        for (int i = 0; i < n; ++i) {
            m[i * n + i] = 0.4f;  // ridge term
            x[i] = static_cast<float>(rng.uniform(-2.0, 2.0));
        }
        for (int o = 0; o < n_obs; ++o) {
            for (auto& v : obs) v = static_cast<float>(rng.normal()) * 0.18f;
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < n; ++j) m[i * n + j] += obs[i] * obs[j];
        }
        for (int i = 0; i < n; ++i) {
            double s = 0.0;
            for (int j = 0; j < n; ++j) s += static_cast<double>(m[i * n + j]) * x[j];
            rhs[static_cast<size_t>(f) * n + i] = static_cast<float>(s);
        }
    }
    DeviceArray<float> d_mat(mat), d_rhs(rhs), d_sol(rhs.size());
    cholesky_fit_solve<<<div_up(n_fits, kFitWarps), 32 * kFitWarps>>>(d_mat.get(), d_rhs.get(), n_fits, d_sol.get());
    FINISH_LAUNCH();

    // the systems are well conditioned, so the planted solution is the reference
    const auto sol = d_sol.download();
    for (size_t i = 0; i < truth.size(); ++i)
        if (!close_to(sol[i], truth[i], 1e-3, 1e-3)) return false;
    return true;
}

static void test_cholesky_fit_solve()
{
    bool ok = run_cholesky(57, 281);
    ok &= run_cholesky(14500, 282);
    report("cholesky_fit_solve", ok);
}

// ---------------------------------------------------------------------------
// 29. non-bonded forces over a Verlet list: shifted-force LJ + reaction field
// ---------------------------------------------------------------------------

struct NonbondedParams {
    float box, inv_box;
    float cutoff2, cutoff;
    float sigma2, epsilon;
    float lj_force_c, lj_energy_c;  // force and energy at the cutoff
    float coulomb, inv_rc3;
};

__global__ void __launch_bounds__(128)
verlet_list_forces(const float4* __restrict__ pos, const int* __restrict__ nbr, const int* __restrict__ n_nbr, int n,
                   NonbondedParams prm, float4* __restrict__ force)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float4 pi = pos[i];
    const int count = n_nbr[i];
    float fx = 0.f, fy = 0.f, fz = 0.f, energy = 0.f;
    for (int k = 0; k < count; ++k) {
        const float4 pj = pos[nbr[k * n + i]];
        float dx = pi.x - pj.x, dy = pi.y - pj.y, dz = pi.z - pj.z;
        dx -= prm.box * rintf(dx * prm.inv_box);
        dy -= prm.box * rintf(dy * prm.inv_box);
        dz -= prm.box * rintf(dz * prm.inv_box);
        const float r2 = dx * dx + dy * dy + dz * dz;
        if (r2 >= prm.cutoff2) continue;
        const float inv_r = rsqrtf(r2);
        const float inv_r2 = inv_r * inv_r;
        const float s2 = prm.sigma2 * inv_r2;
        const float s6 = s2 * s2 * s2;
        const float qq = prm.coulomb * pi.w * pj.w;
        const float r = r2 * inv_r;
        const float f_lj = 24.f * prm.epsilon * s6 * (2.f * s6 - 1.f) * inv_r2 - prm.lj_force_c * inv_r;
        const float f = f_lj + qq * (inv_r * inv_r2 - prm.inv_rc3);
        fx += f * dx;
        fy += f * dy;
        fz += f * dz;
        energy += 4.f * prm.epsilon * s6 * (s6 - 1.f) - prm.lj_energy_c + prm.lj_force_c * (r - prm.cutoff) +
                  qq * (inv_r + 0.5f * r2 * prm.inv_rc3 - 1.5f / prm.cutoff);
    }
    force[i] = make_float4(fx, fy, fz, 0.5f * energy);
}

static bool run_verlet_forces(int side, uint64_t seed)
{
    Rng rng(seed);
    const int n = side * side * side, max_nbr = 96;
    const double spacing = 3.66, sigma = 3.4, eps = 0.238, rc = 7.5, r_list = 8.3;
    const double box = side * spacing;
    std::vector<float4> pos(n);
    for (int i = 0; i < n; ++i) {
        auto place = [&](int cell) {
            const float v = static_cast<float>((cell + 0.5) * spacing + 0.2 * rng.normal());
            return v;  // the jitter is below half a cell: always inside the box
        };
        pos[i] = make_float4(place(i % side), place(i / side % side), place(i / (side * side)),
                             static_cast<float>(0.15 * rng.normal()));
    }
    auto image = [&](double d) { return d - box * std::rint(d / box); };

    // cell list, then the full (both directions) neighbour list
    const int cells = std::max(1, static_cast<int>(box / r_list));
    auto cell_of = [&](float v) { return std::min(static_cast<int>(v / box * cells), cells - 1); };
    std::vector<std::vector<int>> members(cells * cells * cells);
    for (int i = 0; i < n; ++i)
        members[(cell_of(pos[i].z) * cells + cell_of(pos[i].y)) * cells + cell_of(pos[i].x)].push_back(i);
    std::vector<int> nbr(static_cast<size_t>(max_nbr) * n, 0), n_nbr(n, 0);
    const int reach = cells >= 3 ? 1 : 0;  // tiny boxes: visit all cells instead
    for (int i = 0; i < n; ++i) {
        const int cx = cell_of(pos[i].x), cy = cell_of(pos[i].y), cz = cell_of(pos[i].z);
        const int span = reach ? 3 : cells;
        for (int m = 0; m < span * span * span; ++m) {
            int x = m % span, y = m / span % span, z = m / (span * span);
            if (reach) {
                x = (cx + x - 1 + cells) % cells;
                y = (cy + y - 1 + cells) % cells;
                z = (cz + z - 1 + cells) % cells;
            }
            for (int j : members[(z * cells + y) * cells + x]) {
                if (j == i) continue;
                const double dx = image(double(pos[i].x) - pos[j].x), dy = image(double(pos[i].y) - pos[j].y),
                             dz = image(double(pos[i].z) - pos[j].z);
                if (dx * dx + dy * dy + dz * dz < r_list * r_list && n_nbr[i] < max_nbr)
                    nbr[static_cast<size_t>(n_nbr[i]++) * n + i] = j;
            }
        }
    }

    const double sc6 = std::pow(sigma / rc, 6.0);
    const double force_c = 24.0 * eps * sc6 * (2.0 * sc6 - 1.0) / rc, energy_c = 4.0 * eps * sc6 * (sc6 - 1.0);
    NonbondedParams prm;
    prm.box = static_cast<float>(box);
    prm.inv_box = static_cast<float>(1.0 / box);
    prm.cutoff = static_cast<float>(rc);
    prm.cutoff2 = static_cast<float>(rc * rc);
    prm.sigma2 = static_cast<float>(sigma * sigma);
    prm.epsilon = static_cast<float>(eps);
    prm.lj_force_c = static_cast<float>(force_c);
    prm.lj_energy_c = static_cast<float>(energy_c);
    prm.coulomb = 332.0637f;
    prm.inv_rc3 = static_cast<float>(1.0 / (rc * rc * rc));

    DeviceArray<float4> d_pos(pos), d_force(n);
    DeviceArray<int> d_nbr(nbr), d_n_nbr(n_nbr);
    verlet_list_forces<<<div_up(n, 128), 128>>>(d_pos.get(), d_nbr.get(), d_n_nbr.get(), n, prm, d_force.get());
    FINISH_LAUNCH();

    const auto force = d_force.download();
    for (int i = 0; i < n; ++i) {
        double f[3] = {0, 0, 0}, e = 0.0, mag = 0.0;
        for (int k = 0; k < n_nbr[i]; ++k) {
            const float4 pj = pos[nbr[static_cast<size_t>(k) * n + i]];
            const double d[3] = {image(double(pos[i].x) - pj.x), image(double(pos[i].y) - pj.y),
                                 image(double(pos[i].z) - pj.z)};
            const double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
            if (r2 >= rc * rc) continue;
            const double r = std::sqrt(r2), s2 = sigma * sigma / r2, s6 = s2 * s2 * s2;
            const double qq = 332.0637 * pos[i].w * pj.w;
            const double fr = 24.0 * eps * s6 * (2.0 * s6 - 1.0) / r2 - force_c / r + qq * (1.0 / (r2 * r) - prm.inv_rc3);
            for (int c = 0; c < 3; ++c) f[c] += fr * d[c];
            mag += std::fabs(fr) * r;
            e += 4.0 * eps * s6 * (s6 - 1.0) - energy_c + force_c * (r - rc) +
                 qq * (1.0 / r + 0.5 * r2 * prm.inv_rc3 - 1.5 / rc);
        }
        const double tol = 1e-3 + 2e-4 * mag;
        if (!close_to(force[i].x, f[0], 0.0, tol) || !close_to(force[i].y, f[1], 0.0, tol) ||
            !close_to(force[i].z, f[2], 0.0, tol) || !close_to(force[i].w, 0.5 * e, 1e-3, 5e-3))
            return false;
    }
    return true;
}

static void test_verlet_list_forces()
{
    bool ok = run_verlet_forces(6, 291);
    ok &= run_verlet_forces(38, 292);
    report("verlet_list_forces", ok);
}

// ---------------------------------------------------------------------------

int main()
{
    test_dict_decode_gather();
    test_csr_subwarp_spmv();
    test_sell32_spmm8();
    test_rdf_pair_histogram();
    test_latency_log_histogram();
    test_road_bfs_expand();
    test_sssp_transit_times();
    test_hash_group_by_series();
    test_auction_bid_round();
    test_bond_force_scatter();
    test_chunk_bitonic_sort();
    test_merge_sorted_runs();
    test_telemetry_decode_i16();
    test_rows_to_columns();
    test_two_opt_best_move();
    test_time_bucket_rollup();
    test_boltzmann_weights();
    test_znorm_profiles();
    test_poisson_jacobi_sweep();
    test_gray_scott_step();
    test_delta_decode_timestamps();
    test_filter_alert_rows();
    test_flash_vapour_fraction();
    test_random_walk_visits();
    test_score_poses_on_grid();
    test_road_leg_climb_cost();
    test_dtw_banded_windows();
    test_cholesky_fit_solve();
    test_verlet_list_forces();
    return g_failures == 0 ? 0 : 1;
}
