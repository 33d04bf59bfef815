// Kernel regression program for the imaging and recommender pipelines.
//
// Every kernel of the two code bases is run once on a small and once on a
// production-like problem and checked against a plain host implementation.

#include <cuda_runtime.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cooperative_groups.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <utility>
#include <vector>

namespace cg = cooperative_groups;

// ---------------------------------------------------------------------------
// Host utilities
// ---------------------------------------------------------------------------

#define CUDA_OK(call)                                                          \
    do {                                                                       \
        cudaError_t err_ = (call);                                             \
        if (err_ != cudaSuccess) {                                             \
            std::fprintf(stderr, "%s:%d: %s failed with CUDA error %d\n",      \
                         __FILE__, __LINE__, #call, static_cast<int>(err_));   \
            std::exit(2);                                                      \
        }                                                                      \
    } while (0)

static void finish_launch()
{
    CUDA_OK(cudaGetLastError());
    CUDA_OK(cudaDeviceSynchronize());
}

template <typename T>
class DeviceArray {
public:
    explicit DeviceArray(size_t n) : n_(n)
    {
        CUDA_OK(cudaMalloc(&ptr_, n * sizeof(T)));
    }
    explicit DeviceArray(const std::vector<T>& host) : DeviceArray(host.size())
    {
        CUDA_OK(cudaMemcpy(ptr_, host.data(), n_ * sizeof(T), cudaMemcpyHostToDevice));
    }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;
    ~DeviceArray() { cudaFree(ptr_); }

    T* get() const { return ptr_; }
    void fill_bytes(int value) { CUDA_OK(cudaMemset(ptr_, value, n_ * sizeof(T))); }
    std::vector<T> download() const
    {
        std::vector<T> host(n_);
        CUDA_OK(cudaMemcpy(host.data(), ptr_, n_ * sizeof(T), cudaMemcpyDeviceToHost));
        return host;
    }

private:
    T* ptr_ = nullptr;
    size_t n_ = 0;
};

static bool report(const char* name, bool ok)
{
    std::printf("%s %s\n", name, ok ? "ok" : "WRONG");
    std::fflush(stdout);
    return ok;
}

static bool near(double got, double want, double atol, double rtol)
{
    return std::fabs(got - want) <= atol + rtol * std::fabs(want);
}

template <typename T>
static bool all_near(const std::vector<T>& got, const std::vector<T>& want, double atol, double rtol)
{
    if (got.size() != want.size()) return false;
    for (size_t i = 0; i < got.size(); ++i)
        if (!near(static_cast<double>(got[i]), static_cast<double>(want[i]), atol, rtol)) return false;
    return true;
}

static int div_up(int a, int b) { return (a + b - 1) / b; }

__host__ __device__ inline uint64_t mix64(uint64_t x)
{
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9ull;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebull;
    x ^= x >> 31;
    return x;
}

class Rng {
public:
    explicit Rng(uint64_t seed) : state_(seed) {}
    uint64_t next() { return mix64(state_ += 0x9e3779b97f4a7c15ull); }
    uint32_t u32() { return static_cast<uint32_t>(next() >> 32); }
    float uniform() { return static_cast<float>(next() >> 40) * (1.0f / 16777216.0f); }
    float uniform(float lo, float hi) { return lo + (hi - lo) * uniform(); }
    int index(int n) { return static_cast<int>((static_cast<uint64_t>(u32()) * static_cast<uint64_t>(n)) >> 32); }
    // Sum of four 16-bit uniforms: cheap and close enough to a normal variate.
    float gauss()
    {
        uint64_t r = next();
        float s = static_cast<float>(r & 0xffff) + static_cast<float>((r >> 16) & 0xffff) +
                  static_cast<float>((r >> 32) & 0xffff) + static_cast<float>(r >> 48);
        return (s * (1.0f / 65536.0f) - 2.0f) * 1.7320508f;
    }
    // Popularity-skewed id: low ranks are drawn far more often than high ones.
    int skewed(int n, float alpha)
    {
        int k = static_cast<int>(static_cast<float>(n) * std::pow(uniform(), alpha));
        return std::min(k, n - 1);
    }
    int power_law(int lo, int cap, float gamma)
    {
        float d = static_cast<float>(lo) * std::pow(1.0f - uniform(), -1.0f / (gamma - 1.0f));
        return std::min(cap, static_cast<int>(d));
    }

private:
    uint64_t state_;
};

// Builds a CSR adjacency from directed (src, dst) pairs with a counting sort.
static void build_csr(int n, const std::vector<std::pair<int, int>>& edges, std::vector<int>& row_ptr,
                      std::vector<int>& cols)
{
    row_ptr.assign(n + 1, 0);
    for (const auto& e : edges) ++row_ptr[e.first + 1];
    for (int i = 0; i < n; ++i) row_ptr[i + 1] += row_ptr[i];
    cols.assign(edges.size(), 0);
    std::vector<int> fill(row_ptr.begin(), row_ptr.end() - 1);
    for (const auto& e : edges) cols[fill[e.first]++] = e.second;
}

// ---------------------------------------------------------------------------
// 1. Embedding bag with mean pooling; negative ids are padding.
// ---------------------------------------------------------------------------

constexpr int kEmbDim = 64;
constexpr int kEmbVec = kEmbDim / 4;

__global__ void embedding_bag_mean(const float4* __restrict__ table, const int* __restrict__ offsets,
                                   const int* __restrict__ ids, float4* __restrict__ pooled, int num_bags)
{
    const int bag = blockIdx.x * blockDim.y + threadIdx.y;
    const int part = threadIdx.x;
    if (bag >= num_bags) return;

    const int begin = offsets[bag];
    const int end = offsets[bag + 1];
    float4 acc = make_float4(0.f, 0.f, 0.f, 0.f);
    int used = 0;
    for (int k = begin; k < end; ++k) {
        const int id = ids[k];
        if (id < 0) continue;
        const float4 v = table[static_cast<size_t>(id) * kEmbVec + part];
        acc.x += v.x;
        acc.y += v.y;
        acc.z += v.z;
        acc.w += v.w;
        ++used;
    }
    const float inv = used > 0 ? 1.0f / static_cast<float>(used) : 0.0f;
    pooled[static_cast<size_t>(bag) * kEmbVec + part] =
        make_float4(acc.x * inv, acc.y * inv, acc.z * inv, acc.w * inv);
}

static bool run_embedding_bag(int vocab, int bags, int mean_len, uint64_t seed)
{
    Rng rng(seed);
    std::vector<float> table(static_cast<size_t>(vocab) * kEmbDim);
    for (float& v : table) v = 0.1f * rng.gauss();
    std::vector<int> offsets(bags + 1, 0), ids;
    for (int b = 0; b < bags; ++b) {
        int len = rng.index(20) == 0 ? 0 : rng.power_law(mean_len / 3, 20 * mean_len, 2.3f);
        for (int k = 0; k < len; ++k) {
            int rank = rng.skewed(vocab, 2.5f);
            int id = static_cast<int>((static_cast<uint64_t>(rank) * 2654435761ull) % vocab);
            ids.push_back(rng.index(50) == 0 ? -1 : id);
        }
        offsets[b + 1] = static_cast<int>(ids.size());
    }

    std::vector<float4> table4(static_cast<size_t>(vocab) * kEmbVec);
    std::memcpy(table4.data(), table.data(), table.size() * sizeof(float));
    DeviceArray<float4> d_table(table4), d_out(static_cast<size_t>(bags) * kEmbVec);
    DeviceArray<int> d_offsets(offsets), d_ids(ids);
    dim3 block(kEmbVec, 16);
    embedding_bag_mean<<<div_up(bags, 16), block>>>(d_table.get(), d_offsets.get(), d_ids.get(), d_out.get(), bags);
    finish_launch();
    std::vector<float4> out = d_out.download();
    const float* got = &out[0].x;

    for (int b = 0; b < bags; ++b) {
        float acc[kEmbDim] = {};
        int used = 0;
        for (int k = offsets[b]; k < offsets[b + 1]; ++k) {
            if (ids[k] < 0) continue;
            const float* row = &table[static_cast<size_t>(ids[k]) * kEmbDim];
            for (int d = 0; d < kEmbDim; ++d) acc[d] += row[d];
            ++used;
        }
        for (int d = 0; d < kEmbDim; ++d) {
            float want = used ? acc[d] / static_cast<float>(used) : 0.0f;
            if (!near(got[static_cast<size_t>(b) * kEmbDim + d], want, 1e-5, 1e-4)) return false;
        }
    }
    return true;
}

static bool test_embedding_bag()
{
    bool ok = run_embedding_bag(1000, 75, 9, 11);
    ok = run_embedding_bag(110000, 36000, 15, 12) && ok;
    return report("embedding_bag_mean", ok);
}

// ---------------------------------------------------------------------------
// 2. PET forward projection with a stored CSR system matrix, one warp per LOR.
// ---------------------------------------------------------------------------

__global__ void pet_forward_project_csr(const int* __restrict__ row_ptr, const int* __restrict__ voxels,
                                        const float* __restrict__ weights, const float* __restrict__ image,
                                        const float* __restrict__ attenuation, float* __restrict__ projection,
                                        int num_lors)
{
    const int lor = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const int lane = threadIdx.x & 31;
    if (lor >= num_lors) return;

    const int end = row_ptr[lor + 1];
    float sum = 0.0f;
    for (int k = row_ptr[lor] + lane; k < end; k += 32) sum += weights[k] * __ldg(&image[voxels[k]]);
    for (int off = 16; off > 0; off >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, off);
    if (lane == 0) projection[lor] = sum * attenuation[lor];
}

static bool run_pet_forward(int size, int lors, uint64_t seed)
{
    Rng rng(seed);
    std::vector<float> image(static_cast<size_t>(size) * size);
    const float c = 0.5f * static_cast<float>(size);
    for (int y = 0; y < size; ++y)
        for (int x = 0; x < size; ++x) {
            float dx = (x - c) / c, dy = (y - c) / (0.8f * c);
            bool body = dx * dx + dy * dy < 0.7f;
            bool hot = (dx - 0.3f) * (dx - 0.3f) + dy * dy < 0.02f;
            image[static_cast<size_t>(y) * size + x] = (body ? 1.0f : 0.02f) + (hot ? 4.0f : 0.0f) + 0.1f * rng.uniform();
        }

    std::vector<int> row_ptr(lors + 1, 0), voxels;
    std::vector<float> weights, atten(lors);
    for (int l = 0; l < lors; ++l) {
        float phi = rng.uniform(0.0f, 3.14159265f);
        float r = rng.uniform(-0.95f, 0.95f) * c;
        float cs = std::cos(phi), sn = std::sin(phi);
        float half = std::sqrt(c * c - r * r);
        for (float t = -half; t <= half; t += 1.0f) {
            int x = static_cast<int>(std::floor(c + r * cs - t * sn));
            int y = static_cast<int>(std::floor(c + r * sn + t * cs));
            if (x < 0 || y < 0 || x >= size || y >= size) continue;
            voxels.push_back(y * size + x);
            weights.push_back(rng.uniform(0.5f, 1.0f));
        }
        atten[l] = std::exp(-0.004f * half);
        row_ptr[l + 1] = static_cast<int>(voxels.size());
    }

    DeviceArray<int> d_row(row_ptr), d_vox(voxels);
    DeviceArray<float> d_w(weights), d_img(image), d_att(atten), d_proj(lors);
    pet_forward_project_csr<<<div_up(lors, 8), 256>>>(d_row.get(), d_vox.get(), d_w.get(), d_img.get(), d_att.get(),
                                                      d_proj.get(), lors);
    finish_launch();
    std::vector<float> want(lors);
    for (int l = 0; l < lors; ++l) {
        double s = 0.0;
        for (int k = row_ptr[l]; k < row_ptr[l + 1]; ++k) s += static_cast<double>(weights[k]) * image[voxels[k]];
        want[l] = static_cast<float>(s * atten[l]);
    }
    return all_near(d_proj.download(), want, 1e-4, 1e-4);
}

static bool test_pet_forward()
{
    bool ok = run_pet_forward(64, 501, 21);
    ok = run_pet_forward(168, 37000, 22) && ok;
    return report("pet_forward_project_csr", ok);
}

// ---------------------------------------------------------------------------
// 3. One LightGCN propagation layer: bf16 node features, normalised adjacency.
// ---------------------------------------------------------------------------

constexpr int kGcnPairs = 32;  // 64 bf16 features per node

__global__ void lightgcn_propagate(const int* __restrict__ row_ptr, const int* __restrict__ cols,
                                   const float* __restrict__ norm, const __nv_bfloat162* __restrict__ feat,
                                   float2* __restrict__ out, float self_weight, int num_nodes)
{
    const int node = blockIdx.x * blockDim.y + threadIdx.y;
    const int lane = threadIdx.x;
    if (node >= num_nodes) return;

    const float2 self = __bfloat1622float2(feat[static_cast<size_t>(node) * kGcnPairs + lane]);
    float2 acc = make_float2(self_weight * self.x, self_weight * self.y);
    const int end = row_ptr[node + 1];
    for (int base = row_ptr[node]; base < end; base += 32) {
        int col = 0;
        float w = 0.0f;
        if (base + lane < end) {
            col = cols[base + lane];
            w = norm[base + lane];
        }
        const int batch = min(32, end - base);
        for (int j = 0; j < batch; ++j) {
            const int cj = __shfl_sync(0xffffffffu, col, j);
            const float wj = __shfl_sync(0xffffffffu, w, j);
            const float2 x = __bfloat1622float2(feat[static_cast<size_t>(cj) * kGcnPairs + lane]);
            acc.x += wj * x.x;
            acc.y += wj * x.y;
        }
    }
    out[static_cast<size_t>(node) * kGcnPairs + lane] = acc;
}

static bool run_lightgcn(int nodes, int min_deg, int cap, uint64_t seed)
{
    Rng rng(seed);
    std::vector<std::pair<int, int>> edges;
    for (int v = 0; v < nodes; ++v) {
        int deg = rng.power_law(min_deg, cap, 2.4f);
        for (int k = 0; k < deg; ++k) edges.emplace_back(v, rng.skewed(nodes, 1.8f));
    }
    std::vector<int> row_ptr, cols;
    build_csr(nodes, edges, row_ptr, cols);
    std::vector<int> in_deg(nodes, 1);
    for (int c : cols) ++in_deg[c];
    std::vector<float> norm(cols.size());
    for (int v = 0; v < nodes; ++v)
        for (int k = row_ptr[v]; k < row_ptr[v + 1]; ++k)
            norm[k] = 1.0f / std::sqrt(static_cast<float>(row_ptr[v + 1] - row_ptr[v]) * static_cast<float>(in_deg[cols[k]]));

    const size_t pairs = static_cast<size_t>(nodes) * kGcnPairs;
    std::vector<__nv_bfloat162> feat(pairs);
    std::vector<float> plain(2 * pairs);
    for (size_t i = 0; i < pairs; ++i) {
        __nv_bfloat16 a = __float2bfloat16(rng.gauss()), b = __float2bfloat16(rng.gauss());
        feat[i].x = a;
        feat[i].y = b;
        plain[2 * i] = __bfloat162float(a);
        plain[2 * i + 1] = __bfloat162float(b);
    }

    DeviceArray<int> d_row(row_ptr), d_cols(cols);
    DeviceArray<float> d_norm(norm);
    DeviceArray<__nv_bfloat162> d_feat(feat);
    DeviceArray<float2> d_out(pairs);
    const float self_weight = 0.25f;
    lightgcn_propagate<<<div_up(nodes, 4), dim3(32, 4)>>>(d_row.get(), d_cols.get(), d_norm.get(), d_feat.get(),
                                                          d_out.get(), self_weight, nodes);
    finish_launch();
    std::vector<float2> out = d_out.download();
    const float* got = &out[0].x;
    const int dim = 2 * kGcnPairs;
    for (int v = 0; v < nodes; ++v) {
        float acc[2 * kGcnPairs];
        for (int d = 0; d < dim; ++d) acc[d] = self_weight * plain[static_cast<size_t>(v) * dim + d];
        for (int k = row_ptr[v]; k < row_ptr[v + 1]; ++k) {
            const float* x = &plain[static_cast<size_t>(cols[k]) * dim];
            for (int d = 0; d < dim; ++d) acc[d] += norm[k] * x[d];
        }
        for (int d = 0; d < dim; ++d)
            if (!near(got[static_cast<size_t>(v) * dim + d], acc[d], 1e-4, 1e-4)) return false;
    }
    return true;
}

static bool test_lightgcn()
{
    bool ok = run_lightgcn(611, 3, 60, 31);
    ok = run_lightgcn(60000, 5, 600, 32) && ok;
    return report("lightgcn_propagate", ok);
}

// ---------------------------------------------------------------------------
// 4. Joint grey-value histogram of two registered volumes (mutual information).
// ---------------------------------------------------------------------------

constexpr int kMiBins = 64;

__device__ inline void add_joint(unsigned* hist, unsigned fixed, unsigned moving)
{
    atomicAdd(&hist[(fixed >> 2) * kMiBins + (moving >> 2)], 1u);
}

__global__ void joint_histogram_mi(const unsigned char* __restrict__ fixed, const unsigned char* __restrict__ moving,
                                   unsigned* __restrict__ joint, int n)
{
    __shared__ unsigned local[kMiBins * kMiBins];
    for (int i = threadIdx.x; i < kMiBins * kMiBins; i += blockDim.x) local[i] = 0;
    __syncthreads();

    const uchar4* fixed4 = reinterpret_cast<const uchar4*>(fixed);
    const uchar4* moving4 = reinterpret_cast<const uchar4*>(moving);
    const int n4 = n / 4;
    const int stride = gridDim.x * blockDim.x;
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = first; i < n4; i += stride) {
        const uchar4 f = fixed4[i];
        const uchar4 m = moving4[i];
        add_joint(local, f.x, m.x);
        add_joint(local, f.y, m.y);
        add_joint(local, f.z, m.z);
        add_joint(local, f.w, m.w);
    }
    for (int i = 4 * n4 + first; i < n; i += stride) add_joint(local, fixed[i], moving[i]);
    __syncthreads();

    for (int i = threadIdx.x; i < kMiBins * kMiBins; i += blockDim.x)
        if (local[i] != 0) atomicAdd(&joint[i], local[i]);
}

static bool run_joint_histogram(int n, int blocks, uint64_t seed)
{
    Rng rng(seed);
    std::vector<unsigned char> fixed(n), moving(n);
    int tissue = 0, left = 0;
    static const int kMean[5] = {6, 62, 95, 128, 210};
    for (int i = 0; i < n; ++i) {
        if (left-- <= 0) {
            tissue = rng.index(5);
            left = 3 + rng.index(60);
        }
        int f = kMean[tissue] + static_cast<int>(8.0f * rng.gauss());
        int m = 240 - kMean[tissue] + static_cast<int>(11.0f * rng.gauss());
        fixed[i] = static_cast<unsigned char>(std::min(255, std::max(0, f)));
        moving[i] = static_cast<unsigned char>(std::min(255, std::max(0, m)));
    }
    DeviceArray<unsigned char> d_fixed(fixed), d_moving(moving);
    DeviceArray<unsigned> d_joint(kMiBins * kMiBins);
    d_joint.fill_bytes(0);
    joint_histogram_mi<<<blocks, 512>>>(d_fixed.get(), d_moving.get(), d_joint.get(), n);
    finish_launch();
    std::vector<unsigned> want(kMiBins * kMiBins, 0);
    for (int i = 0; i < n; ++i) ++want[(fixed[i] >> 2) * kMiBins + (moving[i] >> 2)];
    return d_joint.download() == want;
}

static bool test_joint_histogram()
{
    bool ok = run_joint_histogram(64 * 64 * 3 + 3, 5, 41);
    ok = run_joint_histogram(233 * 210 * 181 + 1, 264, 42) && ok;
    return report("joint_histogram_mi", ok);
}

// ---------------------------------------------------------------------------
// 5. Gradient histograms of one tree leaf for the boosted-tree ranker.
//    Bins are stored feature-major, gradients are quantised to 16 bits.
// ---------------------------------------------------------------------------

constexpr int kTreeBins = 256;

__global__ void gbdt_gradient_histogram(const unsigned char* __restrict__ bins, const short2* __restrict__ grad_hess,
                                        const int* __restrict__ leaf_rows, int* __restrict__ hist_grad,
                                        int* __restrict__ hist_hess, unsigned* __restrict__ hist_count, int num_rows,
                                        int leaf_size, int rows_per_block)
{
    __shared__ int s_grad[kTreeBins];
    __shared__ int s_hess[kTreeBins];
    __shared__ unsigned s_count[kTreeBins];
    for (int b = threadIdx.x; b < kTreeBins; b += blockDim.x) {
        s_grad[b] = 0;
        s_hess[b] = 0;
        s_count[b] = 0;
    }
    __syncthreads();

    const int feature = blockIdx.y;
    const unsigned char* column = bins + static_cast<size_t>(feature) * num_rows;
    const int begin = blockIdx.x * rows_per_block;
    const int end = min(begin + rows_per_block, leaf_size);
    for (int i = begin + threadIdx.x; i < end; i += blockDim.x) {
        const int row = leaf_rows[i];
        const int b = column[row];
        const short2 gh = grad_hess[row];
        atomicAdd(&s_grad[b], static_cast<int>(gh.x));
        atomicAdd(&s_hess[b], static_cast<int>(gh.y));
        atomicAdd(&s_count[b], 1u);
    }
    __syncthreads();

    for (int b = threadIdx.x; b < kTreeBins; b += blockDim.x) {
        if (s_count[b] == 0) continue;
        const int slot = feature * kTreeBins + b;
        atomicAdd(&hist_grad[slot], s_grad[b]);
        atomicAdd(&hist_hess[slot], s_hess[b]);
        atomicAdd(&hist_count[slot], s_count[b]);
    }
}

static bool run_gbdt_histogram(int rows, int features, int rows_per_block, uint64_t seed)
{
    Rng rng(seed);
    std::vector<unsigned char> bins(static_cast<size_t>(rows) * features);
    for (int f = 0; f < features; ++f) {
        const int used_bins = f % 3 == 0 ? 256 : 16 + 5 * f;
        for (int r = 0; r < rows; ++r) {
            float u = rng.uniform();
            float v = f % 4 == 1 ? u * u * u : u;  // some features are strongly skewed
            bins[static_cast<size_t>(f) * rows + r] =
                static_cast<unsigned char>(std::min(255, static_cast<int>(v * static_cast<float>(used_bins))));
        }
    }
    std::vector<short2> gh(rows);
    for (auto& g : gh) {
        float p = rng.uniform();
        g.x = static_cast<short>(1000.0f * (rng.uniform() < 0.3f ? p - 1.0f : p));
        g.y = static_cast<short>(1000.0f * p * (1.0f - p));
    }
    std::vector<int> leaf;
    for (int r = 0; r < rows; ++r)
        if (rng.uniform() < 0.62f) leaf.push_back(r);
    const int leaf_size = static_cast<int>(leaf.size());

    const size_t slots = static_cast<size_t>(features) * kTreeBins;
    DeviceArray<unsigned char> d_bins(bins);
    DeviceArray<short2> d_gh(gh);
    DeviceArray<int> d_leaf(leaf), d_grad(slots), d_hess(slots);
    DeviceArray<unsigned> d_count(slots);
    d_grad.fill_bytes(0);
    d_hess.fill_bytes(0);
    d_count.fill_bytes(0);
    dim3 grid(div_up(leaf_size, rows_per_block), features);
    gbdt_gradient_histogram<<<grid, 256>>>(d_bins.get(), d_gh.get(), d_leaf.get(), d_grad.get(), d_hess.get(),
                                           d_count.get(), rows, leaf_size, rows_per_block);
    finish_launch();
    std::vector<int> grad(slots, 0), hess(slots, 0);
    std::vector<unsigned> count(slots, 0);
    for (int f = 0; f < features; ++f)
        for (int r : leaf) {
            size_t slot = static_cast<size_t>(f) * kTreeBins + bins[static_cast<size_t>(f) * rows + r];
            grad[slot] += gh[r].x;
            hess[slot] += gh[r].y;
            ++count[slot];
        }
    return d_grad.download() == grad && d_hess.download() == hess && d_count.download() == count;
}

static bool test_gbdt_histogram()
{
    bool ok = run_gbdt_histogram(2500, 5, 700, 51);
    ok = run_gbdt_histogram(420000, 28, 12000, 52) && ok;
    return report("gbdt_gradient_histogram", ok);
}

// ---------------------------------------------------------------------------
// 6. Breadth-first levels in the item co-visitation graph (cooperative).
//    Every vertex enters the queue once; level d occupies a contiguous range.
// ---------------------------------------------------------------------------

__global__ void bfs_covisit_levels(const int* __restrict__ row_ptr, const int* __restrict__ cols, int* level,
                                   int* queue, int* level_count, int source, int max_depth)
{
    cg::grid_group grid = cg::this_grid();
    const int lane = threadIdx.x & 31;
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    const int num_warps = (gridDim.x * blockDim.x) >> 5;

    if (grid.thread_rank() == 0) {
        level[source] = 0;
        queue[0] = source;
    }
    grid.sync();

    int begin = 0;
    int end = 1;
    for (int depth = 0; depth < max_depth && begin < end; ++depth) {
        for (int q = begin + warp; q < end; q += num_warps) {
            const int v = queue[q];
            const int last = row_ptr[v + 1];
            for (int k = row_ptr[v] + lane; k < last; k += 32) {
                const int u = cols[k];
                if (level[u] == -1 && atomicCAS(&level[u], -1, depth + 1) == -1)
                    queue[end + atomicAdd(&level_count[depth], 1)] = u;
            }
        }
        grid.sync();
        begin = end;
        end += level_count[depth];
    }
}

static bool run_bfs(int items, int blocks, uint64_t seed)
{
    Rng rng(seed);
    std::vector<std::pair<int, int>> edges;
    for (int v = 0; v < items; ++v) {
        if (rng.index(15) == 0) continue;
        int picks = rng.power_law(2, 40, 2.6f);
        for (int k = 0; k < picks; ++k) {
            int u = rng.index(3) != 0 ? (v + 1 + rng.index(200)) % items : rng.skewed(items, 1.7f);
            if (u == v) continue;
            edges.emplace_back(v, u);
            edges.emplace_back(u, v);
        }
    }
    std::vector<int> row_ptr, cols;
    build_csr(items, edges, row_ptr, cols);
    int source = items / 3;
    while (row_ptr[source] == row_ptr[source + 1]) ++source;

    int max_depth = 64;
    DeviceArray<int> d_row(row_ptr), d_cols(cols), d_level(items), d_queue(items), d_count(max_depth);
    d_level.fill_bytes(0xff);
    d_count.fill_bytes(0);
    int* p_row = d_row.get();
    int* p_cols = d_cols.get();
    int* p_level = d_level.get();
    int* p_queue = d_queue.get();
    int* p_count = d_count.get();
    void* args[] = {&p_row, &p_cols, &p_level, &p_queue, &p_count, &source, &max_depth};
    CUDA_OK(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(&bfs_covisit_levels), dim3(blocks), dim3(256),
                                        args, 0, 0));
    finish_launch();

    std::vector<int> want(items, -1), frontier{source};
    want[source] = 0;
    for (size_t head = 0; head < frontier.size(); ++head) {
        int v = frontier[head];
        if (want[v] == max_depth) continue;
        for (int k = row_ptr[v]; k < row_ptr[v + 1]; ++k)
            if (want[cols[k]] < 0) {
                want[cols[k]] = want[v] + 1;
                frontier.push_back(cols[k]);
            }
    }
    return d_level.download() == want;
}

static bool test_bfs()
{
    bool ok = run_bfs(3000, 12, 61);
    ok = run_bfs(180000, 264, 62) && ok;
    return report("bfs_covisit_levels", ok);
}

// ---------------------------------------------------------------------------
// 7. Connected components of a 3-D organ mask (6-neighbourhood) by union-find.
//    Final label = smallest linear index of the component, -1 for background.
// ---------------------------------------------------------------------------

__device__ inline int ccl_find(const volatile int* label, int i)
{
    int parent = label[i];
    while (parent != i) {
        i = parent;
        parent = label[i];
    }
    return i;
}

__device__ inline void ccl_unite(int* label, int a, int b)
{
    for (;;) {
        a = ccl_find(label, a);
        b = ccl_find(label, b);
        if (a == b) return;
        if (a < b) {
            const int t = a;
            a = b;
            b = t;
        }
        const int old = atomicMin(&label[a], b);
        if (old == a) return;
        a = old;
    }
}

__global__ void ccl_mask_unionfind(const unsigned char* __restrict__ mask, int* label, int nx, int ny, int nz)
{
    cg::grid_group grid = cg::this_grid();
    const int n = nx * ny * nz;
    const int plane = nx * ny;
    const int lane = threadIdx.x & 31;
    const int first = (blockIdx.x * blockDim.x + threadIdx.x) - lane;
    const int stride = gridDim.x * blockDim.x;

    // Runs inside a warp start out with a common label.
    for (int base = first; base < n; base += stride) {
        const int i = base + lane;
        const bool fg = i < n && mask[i] != 0;
        const bool linked = fg && i % nx > 0 && mask[i - 1] != 0;
        const unsigned links = __ballot_sync(0xffffffffu, linked);
        const unsigned breaks = ~links & (0xffffffffu >> (31 - lane));
        const int start = breaks != 0 ? 31 - __clz(breaks) : 0;
        if (i < n) label[i] = fg ? base + start : -1;
    }
    grid.sync();

    for (int base = first; base < n; base += stride) {
        const int i = base + lane;
        if (i >= n || mask[i] == 0) continue;
        if (lane == 0 && i % nx > 0 && mask[i - 1] != 0) ccl_unite(label, i, i - 1);
        if ((i / nx) % ny > 0 && mask[i - nx] != 0) ccl_unite(label, i, i - nx);
        if (i >= plane && mask[i - plane] != 0) ccl_unite(label, i, i - plane);
    }
    grid.sync();

    for (int base = first; base < n; base += stride) {
        const int i = base + lane;
        if (i < n && mask[i] != 0) {
            const int root = ccl_find(label, i);
            *const_cast<volatile int*>(&label[i]) = root;
        }
    }
}

static bool run_ccl(int nx, int ny, int nz, int blobs, int blocks, uint64_t seed)
{
    Rng rng(seed);
    const int n = nx * ny * nz;
    std::vector<unsigned char> mask(n, 0);
    for (int b = 0; b < blobs; ++b) {
        const float cx = rng.uniform() * nx, cy = rng.uniform() * ny, cz = rng.uniform() * nz;
        const float r = rng.uniform(1.5f, 7.5f);
        const int lo[3] = {std::max(0, int(cx - r)), std::max(0, int(cy - r)), std::max(0, int(cz - r))};
        for (int z = lo[2]; z < std::min(nz, int(cz + r) + 1); ++z)
            for (int y = lo[1]; y < std::min(ny, int(cy + r) + 1); ++y)
                for (int x = lo[0]; x < std::min(nx, int(cx + r) + 1); ++x)
                    if ((x - cx) * (x - cx) + (y - cy) * (y - cy) + (z - cz) * (z - cz) < r * r)
                        mask[(static_cast<size_t>(z) * ny + y) * nx + x] = 1;
    }
    for (int i = 0; i < n / 50; ++i) mask[rng.index(n)] ^= 1;  // segmentation noise

    DeviceArray<unsigned char> d_mask(mask);
    DeviceArray<int> d_label(n);
    unsigned char* p_mask = d_mask.get();
    int* p_label = d_label.get();
    void* args[] = {&p_mask, &p_label, &nx, &ny, &nz};
    CUDA_OK(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(&ccl_mask_unionfind), dim3(blocks), dim3(512),
                                        args, 0, 0));
    finish_launch();

    std::vector<int> want(n, -1), stack;
    for (int s = 0; s < n; ++s) {
        if (!mask[s] || want[s] >= 0) continue;
        want[s] = s;
        stack.push_back(s);
        while (!stack.empty()) {
            int i = stack.back();
            stack.pop_back();
            int x = i % nx, y = (i / nx) % ny, z = i / (nx * ny);
            auto visit = [&](bool inside, int j) {
                if (inside && mask[j] && want[j] < 0) {
                    want[j] = s;
                    stack.push_back(j);
                }
            };
            visit(x > 0, i - 1);
            visit(x + 1 < nx, i + 1);
            visit(y > 0, i - nx);
            visit(y + 1 < ny, i + nx);
            visit(z > 0, i - nx * ny);
            visit(z + 1 < nz, i + nx * ny);
        }
    }
    return d_label.download() == want;
}

static bool test_ccl()
{
    bool ok = run_ccl(37, 29, 21, 25, 10, 71);
    ok = run_ccl(180, 150, 84, 1300, 264, 72) && ok;
    return report("ccl_mask_unionfind", ok);
}

// ---------------------------------------------------------------------------
// 8. Impression de-duplication: open-addressing hash table over (user, item)
//    keys that keeps the number of hits and the earliest timestamp.
// ---------------------------------------------------------------------------

constexpr unsigned long long kEmptyKey = ~0ull;

__global__ void session_dedup_hash(const unsigned long long* __restrict__ keys, const unsigned* __restrict__ time,
                                   unsigned long long* table_keys, unsigned* table_count, unsigned* table_first,
                                   int n, unsigned capacity_mask)
{
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        const unsigned long long key = keys[i];
        unsigned slot = static_cast<unsigned>(mix64(key)) & capacity_mask;
        for (;;) {
            unsigned long long seen = *reinterpret_cast<volatile unsigned long long*>(&table_keys[slot]);
            if (seen == kEmptyKey) seen = atomicCAS(&table_keys[slot], kEmptyKey, key);
            if (seen == kEmptyKey || seen == key) break;
            slot = (slot + 1) & capacity_mask;
        }
        atomicAdd(&table_count[slot], 1u);
        atomicMin(&table_first[slot], time[i]);
    }
}

static bool run_session_dedup(int n, int pool, int log2_capacity, int blocks, uint64_t seed)
{
    Rng rng(seed);
    std::vector<unsigned long long> pairs(pool), keys(n);
    for (auto& p : pairs)
        p = (static_cast<unsigned long long>(rng.skewed(200000, 1.5f)) << 24) | static_cast<unsigned>(rng.skewed(50000, 2.0f));
    std::vector<unsigned> time(n);
    for (int i = 0; i < n; ++i) {
        keys[i] = pairs[rng.skewed(pool, 1.3f)];
        time[i] = 1700000000u + rng.u32() % 86400u;
    }
    const size_t capacity = size_t(1) << log2_capacity;
    DeviceArray<unsigned long long> d_keys(keys), d_table(capacity);
    DeviceArray<unsigned> d_time(time), d_count(capacity), d_first(capacity);
    d_table.fill_bytes(0xff);
    d_count.fill_bytes(0);
    d_first.fill_bytes(0xff);
    session_dedup_hash<<<blocks, 256>>>(d_keys.get(), d_time.get(), d_table.get(), d_count.get(), d_first.get(), n,
                                        static_cast<unsigned>(capacity - 1));
    finish_launch();

    struct Entry {
        unsigned long long key;
        unsigned count, first;
        bool operator==(const Entry& o) const { return key == o.key && count == o.count && first == o.first; }
    };
    auto by_key = [](const Entry& a, const Entry& b) { return a.key < b.key || (a.key == b.key && a.first < b.first); };
    std::vector<Entry> all(n), want, got;
    for (int i = 0; i < n; ++i) all[i] = {keys[i], 1u, time[i]};
    std::sort(all.begin(), all.end(), by_key);
    for (const Entry& e : all) {
        if (!want.empty() && want.back().key == e.key)
            ++want.back().count;
        else
            want.push_back(e);
    }
    std::vector<unsigned long long> table = d_table.download();
    std::vector<unsigned> count = d_count.download(), first = d_first.download();
    for (size_t s = 0; s < capacity; ++s)
        if (table[s] != kEmptyKey) got.push_back({table[s], count[s], first[s]});
    std::sort(got.begin(), got.end(), by_key);
    return got == want;
}

static bool test_session_dedup()
{
    bool ok = run_session_dedup(5000, 2200, 12, 7, 81);
    ok = run_session_dedup(1300000, 560000, 20, 792, 82) && ok;
    return report("session_dedup_hash", ok);
}

// ---------------------------------------------------------------------------
// 9. Freehand ultrasound compounding: splat echo samples (in dB) into a voxel
//    grid and keep the strongest echo, with a compare-and-swap float maximum.
// ---------------------------------------------------------------------------

__constant__ float c_depth_gain[64];

__device__ inline void atomic_max_float(float* address, float value)
{
    unsigned* bits = reinterpret_cast<unsigned*>(address);
    unsigned current = *bits;
    while (__uint_as_float(current) < value) {
        const unsigned assumed = current;
        current = atomicCAS(bits, assumed, __float_as_uint(value));
        if (current == assumed) break;
    }
}

// sample.xyz is a position in 1/16 voxel, sample.w the raw echo code.
__global__ void compound_max_splat(const short4* __restrict__ samples, const unsigned char* __restrict__ depth_zone,
                                   float* volume, int n, int nx, int ny, int nz)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const short4 s = samples[i];
    const int x = (s.x + 8) >> 4;
    const int y = (s.y + 8) >> 4;
    const int z = (s.z + 8) >> 4;
    if (x < 0 || y < 0 || z < 0 || x >= nx || y >= ny || z >= nz) return;
    const float db = fmaf(static_cast<float>(s.w), 0.05f, c_depth_gain[depth_zone[i] & 63]);
    atomic_max_float(&volume[(static_cast<size_t>(z) * ny + y) * nx + x], db);
}

static bool run_compound_splat(int n, int nx, int ny, int nz, uint64_t seed)
{
    Rng rng(seed);
    std::vector<short4> samples(n);
    std::vector<unsigned char> zone(n);
    std::vector<float> gain(64);
    for (int i = 0; i < 64; ++i) gain[i] = -12.0f + 0.35f * static_cast<float>(i);
    float px = 0.0f, py = 0.0f, tilt = 0.0f;
    for (int i = 0; i < n; ++i) {
        if (i % 256 == 0) {  // a new scan line of the moving probe
            px = rng.uniform() * nx;
            py = 0.5f * ny + 0.25f * ny * rng.gauss();
            tilt = 0.2f * rng.gauss();
        }
        const float depth = static_cast<float>(i % 256) / 256.0f * nz;
        samples[i].x = static_cast<short>(16.0f * (px + tilt * depth));
        samples[i].y = static_cast<short>(16.0f * (py + 0.5f * tilt * depth));
        samples[i].z = static_cast<short>(16.0f * depth);
        samples[i].w = static_cast<short>(-600.0f + 220.0f * rng.gauss());
        zone[i] = static_cast<unsigned char>((i % 256) / 4);
    }
    const float floor_db = -200.0f;
    std::vector<float> want(static_cast<size_t>(nx) * ny * nz, floor_db);
    DeviceArray<short4> d_samples(samples);
    DeviceArray<unsigned char> d_zone(zone);
    DeviceArray<float> d_volume(want);
    CUDA_OK(cudaMemcpyToSymbol(c_depth_gain, gain.data(), gain.size() * sizeof(float)));
    compound_max_splat<<<div_up(n, 192), 192>>>(d_samples.get(), d_zone.get(), d_volume.get(), n, nx, ny, nz);
    finish_launch();
    for (int i = 0; i < n; ++i) {
        const int x = (samples[i].x + 8) >> 4, y = (samples[i].y + 8) >> 4, z = (samples[i].z + 8) >> 4;
        if (x < 0 || y < 0 || z < 0 || x >= nx || y >= ny || z >= nz) continue;
        float& v = want[(static_cast<size_t>(z) * ny + y) * nx + x];
        v = std::max(v, std::fmaf(static_cast<float>(samples[i].w), 0.05f, gain[zone[i]]));
    }
    return d_volume.download() == want;
}

static bool test_compound_splat()
{
    bool ok = run_compound_splat(9000, 24, 20, 30, 91);
    ok = run_compound_splat(2600000, 150, 128, 110, 92) && ok;
    return report("compound_max_splat", ok);
}

// ---------------------------------------------------------------------------
// 10. Embedding backward pass: scatter-add of sample gradients to table rows,
//     plus the row frequencies for the per-row learning rate.
// ---------------------------------------------------------------------------

__global__ void embedding_grad_scatter(const float* __restrict__ grads, const int* __restrict__ ids,
                                       const float* __restrict__ sample_weight, float* table_grad, int* row_count,
                                       int num_samples)
{
    const int sample = blockIdx.x * blockDim.y + threadIdx.y;
    const int lane = threadIdx.x;
    if (sample >= num_samples) return;
    const int id = ids[sample];
    if (id < 0) return;
    const float g = grads[static_cast<size_t>(sample) * 32 + lane] * sample_weight[sample];
    atomicAdd(&table_grad[static_cast<size_t>(id) * 32 + lane], g);
    if (lane == 0) atomicAdd(&row_count[id], 1);
}

static bool run_embedding_grad(int samples, int vocab, uint64_t seed)
{
    Rng rng(seed);
    std::vector<float> grads(static_cast<size_t>(samples) * 32), weight(samples);
    std::vector<int> ids(samples);
    for (float& g : grads) g = 0.02f * rng.gauss();
    for (int s = 0; s < samples; ++s) {
        weight[s] = rng.index(10) == 0 ? 4.0f : 1.0f;
        ids[s] = rng.index(40) == 0 ? -1 : rng.skewed(vocab, 2.2f);
    }
    DeviceArray<float> d_grads(grads), d_weight(weight), d_table(static_cast<size_t>(vocab) * 32);
    DeviceArray<int> d_ids(ids), d_count(vocab);
    d_table.fill_bytes(0);
    d_count.fill_bytes(0);
    embedding_grad_scatter<<<div_up(samples, 8), dim3(32, 8)>>>(d_grads.get(), d_ids.get(), d_weight.get(),
                                                                d_table.get(), d_count.get(), samples);
    finish_launch();
    std::vector<double> want(static_cast<size_t>(vocab) * 32, 0.0);
    std::vector<int> count(vocab, 0);
    for (int s = 0; s < samples; ++s) {
        if (ids[s] < 0) continue;
        ++count[ids[s]];
        for (int d = 0; d < 32; ++d)
            want[static_cast<size_t>(ids[s]) * 32 + d] += static_cast<double>(grads[static_cast<size_t>(s) * 32 + d] * weight[s]);
    }
    if (d_count.download() != count) return false;
    std::vector<float> got = d_table.download();
    for (size_t i = 0; i < got.size(); ++i)
        if (!near(got[i], want[i], 2e-4, 1e-4)) return false;
    return true;
}

static bool test_embedding_grad()
{
    bool ok = run_embedding_grad(900, 350, 101);
    ok = run_embedding_grad(170000, 90000, 102) && ok;
    return report("embedding_grad_scatter", ok);
}

// ---------------------------------------------------------------------------
// 11. PET coincidence sorter: time-ordered singles are paired inside the timing
//     window and appended to the event list through one global counter.
// ---------------------------------------------------------------------------

__global__ void pet_coincidence_pairs(const unsigned* __restrict__ time, const unsigned short* __restrict__ crystal,
                                      const unsigned short* __restrict__ energy, int2* __restrict__ pairs,
                                      unsigned short* __restrict__ delta_t, int* pair_count, int n, int capacity,
                                      unsigned window, int energy_lo, int energy_hi, int crystals_per_sector,
                                      int num_sectors, int min_sector_gap)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int e0 = energy[i];
    if (e0 < energy_lo || e0 > energy_hi) return;
    const unsigned t0 = time[i];
    const int sector0 = crystal[i] / crystals_per_sector;

    for (int j = i + 1; j < n; ++j) {
        const unsigned dt = time[j] - t0;
        if (dt > window) break;
        const int e1 = energy[j];
        if (e1 < energy_lo || e1 > energy_hi) continue;
        int gap = abs(crystal[j] / crystals_per_sector - sector0);
        gap = min(gap, num_sectors - gap);
        if (gap < min_sector_gap) continue;

        cg::coalesced_group active = cg::coalesced_threads();
        int slot = 0;
        if (active.thread_rank() == 0) slot = atomicAdd(pair_count, static_cast<int>(active.size()));
        slot = active.shfl(slot, 0) + static_cast<int>(active.thread_rank());
        if (slot < capacity) {
            pairs[slot] = make_int2(i, j);
            delta_t[slot] = static_cast<unsigned short>(dt);
        }
    }
}

static bool run_coincidence(int n, int block, uint64_t seed)
{
    Rng rng(seed);
    const int per_sector = 72, sectors = 28, min_gap = 5, lo = 425, hi = 650;
    const unsigned window = 48;
    std::vector<unsigned> time(n);
    std::vector<unsigned short> crystal(n), energy(n);
    unsigned t = 1000;
    for (int i = 0; i < n; ++i) {
        const bool partner = i > 0 && rng.index(4) == 0;
        t += partner ? static_cast<unsigned>(rng.index(12)) : static_cast<unsigned>(-42.0f * std::log(1.0f - rng.uniform()));
        time[i] = t;
        int c = rng.index(per_sector * sectors);
        if (partner) c = (crystal[i - 1] + per_sector * (sectors / 2) + rng.index(5 * per_sector)) % (per_sector * sectors);
        crystal[i] = static_cast<unsigned short>(c);
        float e = rng.index(3) == 0 ? rng.uniform(150.0f, 480.0f) : 511.0f + 28.0f * rng.gauss();
        energy[i] = static_cast<unsigned short>(e);
    }
    struct Event {
        int i, j;
        unsigned dt;
        bool operator<(const Event& o) const { return i != o.i ? i < o.i : j < o.j; }
        bool operator==(const Event& o) const { return i == o.i && j == o.j && dt == o.dt; }
    };
    std::vector<Event> want, got;
    for (int i = 0; i < n; ++i) {
        if (energy[i] < lo || energy[i] > hi) continue;
        for (int j = i + 1; j < n && time[j] - time[i] <= window; ++j) {
            if (energy[j] < lo || energy[j] > hi) continue;
            int gap = std::abs(crystal[j] / per_sector - crystal[i] / per_sector);
            if (std::min(gap, sectors - gap) >= min_gap) want.push_back({i, j, time[j] - time[i]});
        }
    }

    const int capacity = 2 * n;
    DeviceArray<unsigned> d_time(time);
    DeviceArray<unsigned short> d_crystal(crystal), d_energy(energy), d_dt(capacity);
    DeviceArray<int2> d_pairs(capacity);
    DeviceArray<int> d_count(1);
    d_count.fill_bytes(0);
    pet_coincidence_pairs<<<div_up(n, block), block>>>(d_time.get(), d_crystal.get(), d_energy.get(), d_pairs.get(),
                                                       d_dt.get(), d_count.get(), n, capacity, window, lo, hi,
                                                       per_sector, sectors, min_gap);
    finish_launch();
    const int count = d_count.download()[0];
    if (count != static_cast<int>(want.size()) || count > capacity) return false;
    std::vector<int2> pairs = d_pairs.download();
    std::vector<unsigned short> dt = d_dt.download();
    for (int k = 0; k < count; ++k) got.push_back({pairs[k].x, pairs[k].y, dt[k]});
    std::sort(got.begin(), got.end());
    return got == want;
}

static bool test_coincidence()
{
    bool ok = run_coincidence(4000, 128, 111);
    ok = run_coincidence(1700000, 256, 112) && ok;
    return report("pet_coincidence_pairs", ok);
}

// ---------------------------------------------------------------------------
// 12. Top-K of the retrieved candidates of each user: bitonic sort of up to
//     1024 (score, id) keys in shared memory, ties resolved by smaller id.
// ---------------------------------------------------------------------------

constexpr int kSortSize = 1024;
constexpr int kTopK = 100;

__device__ inline unsigned ordered_bits(float f)
{
    const unsigned u = __float_as_uint(f);
    return (u & 0x80000000u) ? ~u : (u | 0x80000000u);
}

__device__ inline float from_ordered_bits(unsigned u)
{
    return __uint_as_float((u & 0x80000000u) ? (u & 0x7fffffffu) : ~u);
}

__global__ void __launch_bounds__(kSortSize / 2)
topk_bitonic_candidates(const int* __restrict__ offsets, const float* __restrict__ scores,
                        const int* __restrict__ items, int* __restrict__ top_items, float* __restrict__ top_scores)
{
    __shared__ unsigned long long keys[kSortSize];
    const int user = blockIdx.x;
    const int begin = offsets[user];
    const int count = offsets[user + 1] - begin;
    for (int i = threadIdx.x; i < kSortSize; i += blockDim.x) {
        unsigned long long key = 0;
        if (i < count) {
            const unsigned hi = ordered_bits(scores[begin + i]);
            key = (static_cast<unsigned long long>(hi) << 32) | ~static_cast<unsigned>(items[begin + i]);
        }
        keys[i] = key;
    }
    __syncthreads();

    for (int k = 2; k <= kSortSize; k *= 2) {
        for (int j = k / 2; j > 0; j /= 2) {
            const int i = 2 * threadIdx.x - (threadIdx.x & (j - 1));
            const bool descending = (i & k) == 0;
            const unsigned long long a = keys[i];
            const unsigned long long b = keys[i + j];
            if ((a < b) == descending) {
                keys[i] = b;
                keys[i + j] = a;
            }
            __syncthreads();
        }
    }

    for (int i = threadIdx.x; i < kTopK; i += blockDim.x) {
        const bool valid = i < count;
        const size_t slot = static_cast<size_t>(user) * kTopK + i;
        top_items[slot] = valid ? static_cast<int>(~static_cast<unsigned>(keys[i])) : -1;
        top_scores[slot] = valid ? from_ordered_bits(static_cast<unsigned>(keys[i] >> 32)) : 0.0f;
    }
}

static bool run_topk(int users, int min_candidates, uint64_t seed)
{
    Rng rng(seed);
    std::vector<int> offsets(users + 1, 0), items;
    std::vector<float> scores;
    for (int u = 0; u < users; ++u) {
        int count = min_candidates + rng.index(kSortSize - min_candidates + 1);
        float bias = rng.gauss();
        for (int k = 0; k < count; ++k) {
            items.push_back(rng.skewed(2000000, 1.5f));
            const float score = std::round((bias + rng.gauss()) * 512.0f) / 512.0f;
            scores.push_back(score == 0.0f ? 0.0f : score);  // no negative zeros
        }
        offsets[u + 1] = static_cast<int>(items.size());
    }
    const size_t slots = static_cast<size_t>(users) * kTopK;
    DeviceArray<int> d_offsets(offsets), d_items(items), d_top(slots);
    DeviceArray<float> d_scores(scores), d_top_scores(slots);
    topk_bitonic_candidates<<<users, kSortSize / 2>>>(d_offsets.get(), d_scores.get(), d_items.get(), d_top.get(),
                                                      d_top_scores.get());
    finish_launch();
    std::vector<int> top = d_top.download();
    std::vector<float> top_scores = d_top_scores.download();
    std::vector<std::pair<float, int>> cand;
    for (int u = 0; u < users; ++u) {
        cand.clear();
        for (int k = offsets[u]; k < offsets[u + 1]; ++k) cand.emplace_back(-scores[k], items[k]);
        const int take = std::min(kTopK, static_cast<int>(cand.size()));
        std::partial_sort(cand.begin(), cand.begin() + take, cand.end());
        for (int k = 0; k < kTopK; ++k) {
            const size_t slot = static_cast<size_t>(u) * kTopK + k;
            const int want_item = k < take ? cand[k].second : -1;
            const float want_score = k < take ? -cand[k].first : 0.0f;
            if (top[slot] != want_item || top_scores[slot] != want_score) return false;
        }
    }
    return true;
}

static bool test_topk()
{
    bool ok = run_topk(19, 40, 121);
    ok = run_topk(2300, 200, 122) && ok;
    return report("topk_bitonic_candidates", ok);
}

// ---------------------------------------------------------------------------
// 13. Scatter phase of one LSD radix pass (8-bit digit) over list-mode events
//     keyed by LOR; the digit/tile offsets come from the counting phase.
// ---------------------------------------------------------------------------

constexpr int kRadixThreads = 256;
constexpr int kRadixWarps = kRadixThreads / 32;
constexpr int kRadixRounds = 8;
constexpr int kRadixTile = kRadixThreads * kRadixRounds;

__global__ void __launch_bounds__(kRadixThreads)
radix_scatter_pass(const unsigned* __restrict__ keys_in, const unsigned* __restrict__ payload_in,
                   const unsigned* __restrict__ digit_tile_offset, unsigned* __restrict__ keys_out,
                   unsigned* __restrict__ payload_out, int n, int shift, int num_tiles)
{
    __shared__ unsigned warp_digit[kRadixWarps][256];
    const int lane = threadIdx.x & 31;
    const int warp = threadIdx.x >> 5;
    for (int d = threadIdx.x; d < kRadixWarps * 256; d += kRadixThreads) (&warp_digit[0][0])[d] = 0;
    __syncthreads();

    const int tile = blockIdx.x;
    const int warp_base = tile * kRadixTile + warp * (32 * kRadixRounds);
    unsigned key[kRadixRounds];
    unsigned rank[kRadixRounds];
#pragma unroll
    for (int r = 0; r < kRadixRounds; ++r) {
        const int i = warp_base + r * 32 + lane;
        const bool valid = i < n;
        key[r] = valid ? keys_in[i] : 0u;
        const unsigned digit = valid ? (key[r] >> shift) & 0xffu : 256u;
        const unsigned peers = __match_any_sync(0xffffffffu, digit);
        const unsigned below = __popc(peers & ((1u << lane) - 1u));
        const unsigned before = valid ? warp_digit[warp][digit] : 0u;
        __syncwarp();
        if (valid && below == 0) warp_digit[warp][digit] = before + __popc(peers);
        __syncwarp();
        rank[r] = before + below;
    }
    __syncthreads();

    // Turn per-warp counts into global start positions, one digit per thread.
    unsigned running = digit_tile_offset[threadIdx.x * num_tiles + tile];
    for (int w = 0; w < kRadixWarps; ++w) {
        const unsigned c = warp_digit[w][threadIdx.x];
        warp_digit[w][threadIdx.x] = running;
        running += c;
    }
    __syncthreads();

#pragma unroll
    for (int r = 0; r < kRadixRounds; ++r) {
        const int i = warp_base + r * 32 + lane;
        if (i < n) {
            const unsigned dst = warp_digit[warp][(key[r] >> shift) & 0xffu] + rank[r];
            keys_out[dst] = key[r];
            payload_out[dst] = payload_in[i];
        }
    }
}

static bool run_radix_pass(int n, int shift, uint64_t seed)
{
    Rng rng(seed);
    std::vector<unsigned> keys(n), payload(n);
    for (int i = 0; i < n; ++i) {
        keys[i] = static_cast<unsigned>(rng.skewed(1 << 24, 1.4f)) | (rng.u32() & 0xff000000u);
        payload[i] = static_cast<unsigned>(i) ^ 0x5a5a0000u;
    }
    const int tiles = div_up(n, kRadixTile);
    std::vector<unsigned> offset(static_cast<size_t>(256) * tiles, 0), cursor(256, 0);
    for (int i = 0; i < n; ++i) ++offset[static_cast<size_t>((keys[i] >> shift) & 0xff) * tiles + i / kRadixTile];
    unsigned total = 0;
    for (int d = 0; d < 256; ++d) {
        cursor[d] = total;
        for (int t = 0; t < tiles; ++t) {
            unsigned c = offset[static_cast<size_t>(d) * tiles + t];
            offset[static_cast<size_t>(d) * tiles + t] = total;
            total += c;
        }
    }
    DeviceArray<unsigned> d_keys(keys), d_payload(payload), d_offset(offset), d_keys_out(n), d_payload_out(n);
    radix_scatter_pass<<<tiles, kRadixThreads>>>(d_keys.get(), d_payload.get(), d_offset.get(), d_keys_out.get(),
                                                 d_payload_out.get(), n, shift, tiles);
    finish_launch();
    std::vector<unsigned> want_keys(n), want_payload(n);
    for (int i = 0; i < n; ++i) {
        unsigned dst = cursor[(keys[i] >> shift) & 0xff]++;
        want_keys[dst] = keys[i];
        want_payload[dst] = payload[i];
    }
    return d_keys_out.download() == want_keys && d_payload_out.download() == want_payload;
}

static bool test_radix_pass()
{
    bool ok = run_radix_pass(7001, 0, 131);
    ok = run_radix_pass(2250000, 16, 132) && ok;
    return report("radix_scatter_pass", ok);
}

// ---------------------------------------------------------------------------
// 14. CT display windowing: raw 16-bit detector values to 8-bit grey levels.
// ---------------------------------------------------------------------------

__device__ inline unsigned window_pixel(int raw, float scale, float bias)
{
    const float v = fminf(fmaxf(fmaf(static_cast<float>(raw), scale, bias), 0.0f), 255.0f);
    return static_cast<unsigned>(__float2int_rn(v));
}

__device__ inline unsigned window_pair(int packed, float scale, float bias)
{
    const unsigned lo = window_pixel(static_cast<short>(packed & 0xffff), scale, bias);
    const unsigned hi = window_pixel(packed >> 16, scale, bias);
    return lo | (hi << 8);
}

__global__ void ct_window_to_u8(const short* __restrict__ raw, unsigned char* __restrict__ grey, int n, float scale,
                                float bias)
{
    const int4* raw8 = reinterpret_cast<const int4*>(raw);
    uint2* grey8 = reinterpret_cast<uint2*>(grey);
    const int n8 = n / 8;
    const int stride = gridDim.x * blockDim.x;
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = first; i < n8; i += stride) {
        const int4 r = raw8[i];
        uint2 g;
        g.x = window_pair(r.x, scale, bias) | (window_pair(r.y, scale, bias) << 16);
        g.y = window_pair(r.z, scale, bias) | (window_pair(r.w, scale, bias) << 16);
        grey8[i] = g;
    }
    for (int i = 8 * n8 + first; i < n; i += stride)
        grey[i] = static_cast<unsigned char>(window_pixel(raw[i], scale, bias));
}

static bool run_ct_window(int n, int blocks, float level, float width, uint64_t seed)
{
    Rng rng(seed);
    std::vector<short> raw(n);
    for (short& r : raw) {
        float base = rng.index(3) == 0 ? -980.0f : 40.0f;
        r = static_cast<short>(base + 90.0f * rng.gauss());
    }
    const float scale = 255.0f / width;
    const float bias = 255.0f * (0.5f - level / width);
    DeviceArray<short> d_raw(raw);
    DeviceArray<unsigned char> d_grey(n);
    ct_window_to_u8<<<blocks, 256>>>(d_raw.get(), d_grey.get(), n, scale, bias);
    finish_launch();
    std::vector<unsigned char> got = d_grey.download();
    for (int i = 0; i < n; ++i) {
        float v = std::min(std::max(std::fmaf(static_cast<float>(raw[i]), scale, bias), 0.0f), 255.0f);
        if (got[i] != static_cast<unsigned char>(std::lrintf(v))) return false;
    }
    return true;
}

static bool test_ct_window()
{
    bool ok = run_ct_window(256 * 40 + 5, 6, 40.0f, 400.0f, 141);
    ok = run_ct_window(512 * 512 * 58 + 3, 1056, -600.0f, 1500.0f, 142) && ok;
    return report("ct_window_to_u8", ok);
}

// ---------------------------------------------------------------------------
// 15. Sinogram re-ordering: float [angle][detector] to half [detector][angle].
// ---------------------------------------------------------------------------

constexpr int kTile = 32;

__global__ void sinogram_transpose_half(const float* __restrict__ sino, __half* __restrict__ out, int angles,
                                        int detectors)
{
    __shared__ float tile[kTile][kTile + 1];
    const size_t slice = static_cast<size_t>(blockIdx.z) * angles * detectors;
    const int det0 = blockIdx.x * kTile;
    const int ang0 = blockIdx.y * kTile;
    for (int r = threadIdx.y; r < kTile; r += blockDim.y) {
        const int a = ang0 + r;
        const int d = det0 + threadIdx.x;
        if (a < angles && d < detectors) tile[r][threadIdx.x] = sino[slice + static_cast<size_t>(a) * detectors + d];
    }
    __syncthreads();
    for (int r = threadIdx.y; r < kTile; r += blockDim.y) {
        const int d = det0 + r;
        const int a = ang0 + threadIdx.x;
        if (a < angles && d < detectors)
            out[slice + static_cast<size_t>(d) * angles + a] = __float2half_rn(tile[threadIdx.x][r]);
    }
}

static bool run_sinogram_transpose(int slices, int angles, int detectors, uint64_t seed)
{
    Rng rng(seed);
    const size_t n = static_cast<size_t>(slices) * angles * detectors;
    std::vector<float> sino(n);
    for (float& v : sino) v = 3.0f + rng.gauss();
    DeviceArray<float> d_sino(sino);
    DeviceArray<__half> d_out(n);
    dim3 grid(div_up(detectors, kTile), div_up(angles, kTile), slices);
    sinogram_transpose_half<<<grid, dim3(kTile, 8)>>>(d_sino.get(), d_out.get(), angles, detectors);
    finish_launch();
    std::vector<__half> got = d_out.download();
    for (int s = 0; s < slices; ++s)
        for (int a = 0; a < angles; ++a)
            for (int d = 0; d < detectors; ++d) {
                const size_t base = static_cast<size_t>(s) * angles * detectors;
                const float want = __half2float(__float2half_rn(sino[base + static_cast<size_t>(a) * detectors + d]));
                if (__half2float(got[base + static_cast<size_t>(d) * angles + a]) != want) return false;
            }
    return true;
}

static bool test_sinogram_transpose()
{
    bool ok = run_sinogram_transpose(2, 45, 70, 151);
    ok = run_sinogram_transpose(9, 720, 1111, 152) && ok;
    return report("sinogram_transpose_half", ok);
}

// ---------------------------------------------------------------------------
// 16. Weighted binary cross-entropy of the click model, with accuracy.
// ---------------------------------------------------------------------------

__global__ void bce_loss_reduce(const float* __restrict__ logits, const unsigned char* __restrict__ clicked,
                                const float* __restrict__ weights, double* loss_and_weight,
                                unsigned long long* correct, int n)
{
    double loss = 0.0;
    double weight = 0.0;
    unsigned hits = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const float x = logits[i];
        const float w = weights[i];
        const bool y = clicked[i] != 0;
        const float l = fmaxf(x, 0.0f) - (y ? x : 0.0f) + log1pf(expf(-fabsf(x)));
        loss += static_cast<double>(w * l);
        weight += static_cast<double>(w);
        hits += (x > 0.0f) == y ? 1u : 0u;
    }

    __shared__ double s_loss[32];
    __shared__ double s_weight[32];
    __shared__ unsigned s_hits[32];
    for (int off = 16; off > 0; off >>= 1) {
        loss += __shfl_down_sync(0xffffffffu, loss, off);
        weight += __shfl_down_sync(0xffffffffu, weight, off);
        hits += __shfl_down_sync(0xffffffffu, hits, off);
    }
    const int lane = threadIdx.x & 31;
    const int warp = threadIdx.x >> 5;
    if (lane == 0) {
        s_loss[warp] = loss;
        s_weight[warp] = weight;
        s_hits[warp] = hits;
    }
    __syncthreads();
    if (warp == 0) {
        const int warps = blockDim.x >> 5;
        loss = lane < warps ? s_loss[lane] : 0.0;
        weight = lane < warps ? s_weight[lane] : 0.0;
        hits = lane < warps ? s_hits[lane] : 0u;
        for (int off = 16; off > 0; off >>= 1) {
            loss += __shfl_down_sync(0xffffffffu, loss, off);
            weight += __shfl_down_sync(0xffffffffu, weight, off);
            hits += __shfl_down_sync(0xffffffffu, hits, off);
        }
        if (lane == 0) {
            atomicAdd(&loss_and_weight[0], loss);
            atomicAdd(&loss_and_weight[1], weight);
            atomicAdd(correct, static_cast<unsigned long long>(hits));
        }
    }
}

static bool run_bce_loss(int n, int blocks, int threads, uint64_t seed)
{
    Rng rng(seed);
    std::vector<float> logits(n), weights(n);
    std::vector<unsigned char> clicked(n);
    for (int i = 0; i < n; ++i) {
        logits[i] = -2.0f + 1.6f * rng.gauss();
        clicked[i] = rng.uniform() < 1.0f / (1.0f + std::exp(-logits[i])) ? 1 : 0;
        weights[i] = rng.index(8) == 0 ? 2.5f : 1.0f;
    }
    DeviceArray<float> d_logits(logits), d_weights(weights);
    DeviceArray<unsigned char> d_clicked(clicked);
    DeviceArray<double> d_sums(2);
    DeviceArray<unsigned long long> d_correct(1);
    d_sums.fill_bytes(0);
    d_correct.fill_bytes(0);
    bce_loss_reduce<<<blocks, threads>>>(d_logits.get(), d_clicked.get(), d_weights.get(), d_sums.get(),
                                         d_correct.get(), n);
    finish_launch();
    double loss = 0.0, weight = 0.0;
    unsigned long long correct = 0;
    for (int i = 0; i < n; ++i) {
        const float x = logits[i];
        loss += weights[i] * (std::max(x, 0.0f) - (clicked[i] ? x : 0.0f) + std::log1p(std::exp(-std::fabs(x))));
        weight += weights[i];
        correct += (x > 0.0f) == (clicked[i] != 0) ? 1 : 0;
    }
    std::vector<double> sums = d_sums.download();
    return near(sums[0], loss, 1e-3, 1e-5) && near(sums[1], weight, 1e-3, 1e-9) && d_correct.download()[0] == correct;
}

static bool test_bce_loss()
{
    bool ok = run_bce_loss(10007, 9, 128, 161);
    ok = run_bce_loss(5300000, 528, 384, 162) && ok;
    return report("bce_loss_reduce", ok);
}

// ---------------------------------------------------------------------------
// 17. Per-slice statistics of a 16-bit stack: sum, sum of squares, minimum and
//     the first position of the maximum. One block per slice.
// ---------------------------------------------------------------------------

struct SliceStats {
    long long sum;
    unsigned long long sum_sq;
    unsigned long long peak;  // (value + 32768) << 32 | ~position
    int minimum;
};

__device__ inline SliceStats combine(const SliceStats& a, const SliceStats& b)
{
    SliceStats r;
    r.sum = a.sum + b.sum;
    r.sum_sq = a.sum_sq + b.sum_sq;
    r.peak = a.peak > b.peak ? a.peak : b.peak;
    r.minimum = min(a.minimum, b.minimum);
    return r;
}

__device__ inline SliceStats warp_combine(SliceStats s)
{
    for (int off = 16; off > 0; off >>= 1) {
        SliceStats o;
        o.sum = __shfl_xor_sync(0xffffffffu, s.sum, off);
        o.sum_sq = __shfl_xor_sync(0xffffffffu, s.sum_sq, off);
        o.peak = __shfl_xor_sync(0xffffffffu, s.peak, off);
        o.minimum = __shfl_xor_sync(0xffffffffu, s.minimum, off);
        s = combine(s, o);
    }
    return s;
}

__global__ void slice_stats_reduce(const short* __restrict__ stack, long long* __restrict__ sum,
                                   unsigned long long* __restrict__ sum_sq, int* __restrict__ minimum,
                                   unsigned long long* __restrict__ peak, int pixels)
{
    __shared__ SliceStats partial[32];
    const int slice = blockIdx.x;
    const short* p = stack + static_cast<size_t>(slice) * pixels;
    SliceStats s = {0, 0ull, 0ull, 32767};
#pragma unroll 4
    for (int i = threadIdx.x; i < pixels; i += blockDim.x) {
        const int v = p[i];
        SliceStats one;
        one.sum = v;
        one.sum_sq = static_cast<unsigned long long>(v * v);
        one.peak = (static_cast<unsigned long long>(v + 32768) << 32) | ~static_cast<unsigned>(i);
        one.minimum = v;
        s = combine(s, one);
    }
    s = warp_combine(s);
    const int lane = threadIdx.x & 31;
    const int warp = threadIdx.x >> 5;
    if (lane == 0) partial[warp] = s;
    __syncthreads();
    if (warp == 0) {
        const int warps = blockDim.x >> 5;
        SliceStats t = {0, 0ull, 0ull, 32767};
        if (lane < warps) t = partial[lane];
        t = warp_combine(t);
        if (lane == 0) {
            sum[slice] = t.sum;
            sum_sq[slice] = t.sum_sq;
            minimum[slice] = t.minimum;
            peak[slice] = t.peak;
        }
    }
}

static bool run_slice_stats(int slices, int pixels, int threads, uint64_t seed)
{
    Rng rng(seed);
    std::vector<short> stack(static_cast<size_t>(slices) * pixels);
    for (int s = 0; s < slices; ++s) {
        const float level = -200.0f + 300.0f * rng.gauss();
        for (int i = 0; i < pixels; ++i)
            stack[static_cast<size_t>(s) * pixels + i] = static_cast<short>(level + 400.0f * rng.gauss());
    }
    DeviceArray<short> d_stack(stack);
    DeviceArray<long long> d_sum(slices);
    DeviceArray<unsigned long long> d_sq(slices), d_peak(slices);
    DeviceArray<int> d_min(slices);
    slice_stats_reduce<<<slices, threads>>>(d_stack.get(), d_sum.get(), d_sq.get(), d_min.get(), d_peak.get(), pixels);
    finish_launch();
    std::vector<long long> sum = d_sum.download();
    std::vector<unsigned long long> sq = d_sq.download(), peak = d_peak.download();
    std::vector<int> minimum = d_min.download();
    for (int s = 0; s < slices; ++s) {
        const short* p = &stack[static_cast<size_t>(s) * pixels];
        long long ws = 0;
        unsigned long long wq = 0;
        for (int i = 0; i < pixels; ++i) {
            ws += p[i];
            wq += static_cast<unsigned long long>(static_cast<int>(p[i]) * p[i]);
        }
        const int arg = static_cast<int>(std::max_element(p, p + pixels) - p);
        const unsigned long long wp =
            (static_cast<unsigned long long>(p[arg] + 32768) << 32) | static_cast<unsigned>(~static_cast<unsigned>(arg));
        if (sum[s] != ws || sq[s] != wq || minimum[s] != *std::min_element(p, p + pixels) || peak[s] != wp) return false;
    }
    return true;
}

static bool test_slice_stats()
{
    bool ok = run_slice_stats(7, 1999, 96, 171);
    ok = run_slice_stats(390, 230 * 220, 512, 172) && ok;
    return report("slice_stats_reduce", ok);
}

// ---------------------------------------------------------------------------
// 18. Attention weights over the user history: masked softmax, warp per row.
// ---------------------------------------------------------------------------

constexpr int kHistPerLane = 7;  // up to 224 history positions

__global__ void history_attention_softmax(const float* __restrict__ scores, const int* __restrict__ history_len,
                                          __half* __restrict__ probs, int rows, int heads, int stride, float scale)
{
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    const int lane = threadIdx.x & 31;
    if (row >= rows) return;
    const int len = history_len[row / heads];
    const float* in = scores + static_cast<size_t>(row) * stride;
    __half* out = probs + static_cast<size_t>(row) * stride;

    float v[kHistPerLane];
    float peak = -INFINITY;
#pragma unroll
    for (int k = 0; k < kHistPerLane; ++k) {
        const int i = k * 32 + lane;
        v[k] = i < len ? in[i] * scale : -INFINITY;
        peak = fmaxf(peak, v[k]);
    }
    for (int off = 16; off > 0; off >>= 1) peak = fmaxf(peak, __shfl_xor_sync(0xffffffffu, peak, off));

    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < kHistPerLane; ++k) {
        v[k] = k * 32 + lane < len ? __expf(v[k] - peak) : 0.0f;
        sum += v[k];
    }
    for (int off = 16; off > 0; off >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, off);
    const float inv = len > 0 ? 1.0f / sum : 0.0f;
#pragma unroll
    for (int k = 0; k < kHistPerLane; ++k) {
        const int i = k * 32 + lane;
        if (i < stride) out[i] = __float2half_rn(v[k] * inv);
    }
}

static bool run_history_softmax(int users, int heads, int stride, int threads, uint64_t seed)
{
    Rng rng(seed);
    const int rows = users * heads;
    std::vector<int> len(users);
    for (int& l : len) l = rng.index(30) == 0 ? 0 : std::min(stride, rng.power_law(stride / 4, stride, 2.0f));
    std::vector<float> scores(static_cast<size_t>(rows) * stride);
    for (float& s : scores) s = 9.0f * rng.gauss();
    const float scale = 0.25f;
    DeviceArray<float> d_scores(scores);
    DeviceArray<int> d_len(len);
    DeviceArray<__half> d_probs(scores.size());
    history_attention_softmax<<<div_up(rows, threads / 32), threads>>>(d_scores.get(), d_len.get(), d_probs.get(), rows,
                                                                       heads, stride, scale);
    finish_launch();
    std::vector<__half> got = d_probs.download();
    std::vector<float> e(stride);
    for (int r = 0; r < rows; ++r) {
        const float* in = &scores[static_cast<size_t>(r) * stride];
        const int n = len[r / heads];
        float peak = -INFINITY, sum = 0.0f;
        for (int i = 0; i < n; ++i) peak = std::max(peak, in[i] * scale);
        for (int i = 0; i < n; ++i) sum += e[i] = std::exp(in[i] * scale - peak);
        for (int i = 0; i < stride; ++i) {
            const float want = i < n ? e[i] / sum : 0.0f;
            if (!near(__half2float(got[static_cast<size_t>(r) * stride + i]), want, 1e-6, 2e-3)) return false;
        }
    }
    return true;
}

static bool test_history_softmax()
{
    bool ok = run_history_softmax(33, 2, 100, 64, 181);
    ok = run_history_softmax(10500, 4, 200, 128, 182) && ok;
    return report("history_attention_softmax", ok);
}

// ---------------------------------------------------------------------------
// 19. Residual add + layer norm over feature vectors in half precision.
//     Row is kept in shared memory; mean first, then the centred variance.
// ---------------------------------------------------------------------------

__device__ inline float block_sum(float v, float* scratch)
{
    const int lane = threadIdx.x & 31;
    const int warp = threadIdx.x >> 5;
    for (int off = 16; off > 0; off >>= 1) v += __shfl_xor_sync(0xffffffffu, v, off);
    if (lane == 0) scratch[warp] = v;
    __syncthreads();
    float total = 0.0f;
    for (int w = 0; w < static_cast<int>(blockDim.x >> 5); ++w) total += scratch[w];
    __syncthreads();
    return total;
}

__global__ void residual_layernorm_half(const __half2* __restrict__ x, const __half2* __restrict__ residual,
                                        const float2* __restrict__ gamma, const float2* __restrict__ beta,
                                        __half2* __restrict__ out, int pairs, float eps)
{
    extern __shared__ float2 row_cache[];
    __shared__ float scratch[32];
    const size_t base = static_cast<size_t>(blockIdx.x) * pairs;
    const float inv_dim = 0.5f / static_cast<float>(pairs);

    float sum = 0.0f;
    for (int i = threadIdx.x; i < pairs; i += blockDim.x) {
        const float2 a = __half22float2(x[base + i]);
        const float2 b = __half22float2(residual[base + i]);
        const float2 v = make_float2(a.x + b.x, a.y + b.y);
        row_cache[i] = v;
        sum += v.x + v.y;
    }
    const float mean = block_sum(sum, scratch) * inv_dim;

    float sq = 0.0f;
    for (int i = threadIdx.x; i < pairs; i += blockDim.x) {
        const float2 v = row_cache[i];
        sq += (v.x - mean) * (v.x - mean) + (v.y - mean) * (v.y - mean);
    }
    const float rstd = rsqrtf(block_sum(sq, scratch) * inv_dim + eps);

    for (int i = threadIdx.x; i < pairs; i += blockDim.x) {
        const float2 v = row_cache[i];
        const float2 g = gamma[i];
        const float2 b = beta[i];
        out[base + i] = __floats2half2_rn((v.x - mean) * rstd * g.x + b.x, (v.y - mean) * rstd * g.y + b.y);
    }
}

static bool run_layernorm(int rows, int dim, int threads, uint64_t seed)
{
    Rng rng(seed);
    const int pairs = dim / 2;
    const size_t n = static_cast<size_t>(rows) * pairs;
    std::vector<__half2> x(n), res(n);
    std::vector<float> fx(2 * n);
    for (int r = 0; r < rows; ++r) {
        const float offset = rng.gauss(), spread = rng.uniform(0.3f, 3.0f);
        for (int i = 0; i < pairs; ++i) {
            const size_t k = static_cast<size_t>(r) * pairs + i;
            x[k].x = __float2half_rn(offset + spread * rng.gauss());
            x[k].y = __float2half_rn(offset + spread * rng.gauss());
            res[k].x = __float2half_rn(rng.gauss());
            res[k].y = __float2half_rn(rng.gauss());
            fx[2 * k] = __half2float(x[k].x) + __half2float(res[k].x);
            fx[2 * k + 1] = __half2float(x[k].y) + __half2float(res[k].y);
        }
    }
    std::vector<float2> gamma(pairs), beta(pairs);
    for (int i = 0; i < pairs; ++i) {
        gamma[i] = make_float2(rng.uniform(0.5f, 1.5f), rng.uniform(0.5f, 1.5f));
        beta[i] = make_float2(0.2f * rng.gauss(), 0.2f * rng.gauss());
    }
    DeviceArray<__half2> d_x(x), d_res(res), d_out(n);
    DeviceArray<float2> d_gamma(gamma), d_beta(beta);
    const float eps = 1e-5f;
    residual_layernorm_half<<<rows, threads, pairs * sizeof(float2)>>>(d_x.get(), d_res.get(), d_gamma.get(),
                                                                       d_beta.get(), d_out.get(), pairs, eps);
    finish_launch();
    std::vector<__half2> got = d_out.download();
    const float* g = &gamma[0].x;
    const float* b = &beta[0].x;
    for (int r = 0; r < rows; ++r) {
        const float* v = &fx[static_cast<size_t>(r) * dim];
        double mean = 0.0, var = 0.0;
        for (int i = 0; i < dim; ++i) mean += v[i];
        mean /= dim;
        for (int i = 0; i < dim; ++i) var += (v[i] - mean) * (v[i] - mean);
        const double rstd = 1.0 / std::sqrt(var / dim + eps);
        for (int i = 0; i < dim; ++i) {
            const __half2 h = got[(static_cast<size_t>(r) * dim + i) / 2];
            const float o = __half2float(i % 2 == 0 ? h.x : h.y);
            if (!near(o, (v[i] - mean) * rstd * g[i] + b[i], 1e-3, 1e-3)) return false;
        }
    }
    return true;
}

static bool test_layernorm()
{
    bool ok = run_layernorm(41, 200, 64, 191);
    ok = run_layernorm(9800, 768, 128, 192) && ok;
    return report("residual_layernorm_half", ok);
}

// ---------------------------------------------------------------------------
// 20. One Perona-Malik diffusion step on an angiogram (replicated border).
// ---------------------------------------------------------------------------

constexpr int kPmX = 32;
constexpr int kPmY = 8;

__device__ inline float pm_flux(float d, float inv_k2)
{
    return d / (1.0f + d * d * inv_k2);
}

__global__ void perona_malik_step(const float* __restrict__ in, float* __restrict__ out, int width, int height,
                                  float lambda, float inv_k2)
{
    __shared__ float tile[kPmY + 2][kPmX + 2];
    const int x0 = blockIdx.x * kPmX;
    const int y0 = blockIdx.y * kPmY;
    for (int t = threadIdx.y * kPmX + threadIdx.x; t < (kPmX + 2) * (kPmY + 2); t += kPmX * kPmY) {
        const int ty = t / (kPmX + 2);
        const int tx = t % (kPmX + 2);
        const int gx = min(max(x0 + tx - 1, 0), width - 1);
        const int gy = min(max(y0 + ty - 1, 0), height - 1);
        tile[ty][tx] = in[static_cast<size_t>(gy) * width + gx];
    }
    __syncthreads();

    const int x = x0 + threadIdx.x;
    const int y = y0 + threadIdx.y;
    if (x >= width || y >= height) return;
    const int tx = threadIdx.x + 1;
    const int ty = threadIdx.y + 1;
    const float c = tile[ty][tx];
    const float flux = pm_flux(tile[ty - 1][tx] - c, inv_k2) + pm_flux(tile[ty + 1][tx] - c, inv_k2) +
                       pm_flux(tile[ty][tx - 1] - c, inv_k2) + pm_flux(tile[ty][tx + 1] - c, inv_k2);
    out[static_cast<size_t>(y) * width + x] = c + lambda * flux;
}

static bool run_perona_malik(int width, int height, uint64_t seed)
{
    Rng rng(seed);
    std::vector<float> img(static_cast<size_t>(width) * height), want(img.size());
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const bool vessel = ((x * 3 + y * 5) / 64) % 5 == 0;
            img[static_cast<size_t>(y) * width + x] = (vessel ? 180.0f : 60.0f) + 9.0f * rng.gauss();
        }
    const float lambda = 0.2f, inv_k2 = 1.0f / (20.0f * 20.0f);
    DeviceArray<float> d_in(img), d_out(img.size());
    dim3 grid(div_up(width, kPmX), div_up(height, kPmY));
    perona_malik_step<<<grid, dim3(kPmX, kPmY)>>>(d_in.get(), d_out.get(), width, height, lambda, inv_k2);
    finish_launch();
    auto flux = [&](float d) { return d / (1.0f + d * d * inv_k2); };
    for (int y = 0; y < height; ++y) {
        const float* row = &img[static_cast<size_t>(y) * width];
        const float* up = y > 0 ? row - width : row;
        const float* down = y + 1 < height ? row + width : row;
        for (int x = 0; x < width; ++x) {
            const float c = row[x];
            const float f = flux(up[x] - c) + flux(down[x] - c) + flux(row[std::max(x - 1, 0)] - c) +
                            flux(row[std::min(x + 1, width - 1)] - c);
            want[static_cast<size_t>(y) * width + x] = c + lambda * f;
        }
    }
    return all_near(d_out.download(), want, 1e-3, 1e-5);
}

static bool test_perona_malik()
{
    bool ok = run_perona_malik(130, 75, 201);
    ok = run_perona_malik(2540, 2210, 202) && ok;
    return report("perona_malik_step", ok);
}

// ---------------------------------------------------------------------------
// 21. Ultrasound wave equation, one leapfrog step with the fourth-order
//     Laplacian; the block marches along z and keeps the column in registers.
// ---------------------------------------------------------------------------

constexpr int kWaveX = 32;
constexpr int kWaveY = 8;

__global__ void acoustic_step_3d(const float* __restrict__ p, const float* __restrict__ p_old,
                                 const float* __restrict__ courant2, float* __restrict__ p_new, int nx, int ny, int nz,
                                 int planes_per_block)
{
    __shared__ float tile[kWaveY + 4][kWaveX + 4];
    const int tx = threadIdx.x;
    const int ty = threadIdx.y;
    const int x = 2 + blockIdx.x * kWaveX + tx;
    const int y = 2 + blockIdx.y * kWaveY + ty;
    const int z_begin = 2 + blockIdx.z * planes_per_block;
    const int z_end = min(z_begin + planes_per_block, nz - 2);
    const bool active = x < nx - 2 && y < ny - 2;
    const int xc = min(x, nx - 1);
    const int yc = min(y, ny - 1);
    const size_t plane = static_cast<size_t>(nx) * ny;
    const size_t column = static_cast<size_t>(yc) * nx + xc;

    float back2 = p[(z_begin - 2) * plane + column];
    float back1 = p[(z_begin - 1) * plane + column];
    float here = p[z_begin * plane + column];
    float ahead1 = p[(z_begin + 1) * plane + column];
    for (int z = z_begin; z < z_end; ++z) {
        const float ahead2 = p[(z + 2) * plane + column];
        const float* slice = p + z * plane;
        tile[ty + 2][tx + 2] = here;
        if (tx < 2) {
            tile[ty + 2][tx] = slice[static_cast<size_t>(yc) * nx + min(x - 2, nx - 1)];
            tile[ty + 2][tx + kWaveX + 2] = slice[static_cast<size_t>(yc) * nx + min(x + kWaveX, nx - 1)];
        }
        if (ty < 2) {
            tile[ty][tx + 2] = slice[static_cast<size_t>(min(y - 2, ny - 1)) * nx + xc];
            tile[ty + kWaveY + 2][tx + 2] = slice[static_cast<size_t>(min(y + kWaveY, ny - 1)) * nx + xc];
        }
        __syncthreads();
        if (active) {
            const float near1 = tile[ty + 2][tx + 1] + tile[ty + 2][tx + 3] + tile[ty + 1][tx + 2] +
                                tile[ty + 3][tx + 2] + back1 + ahead1;
            const float near2 = tile[ty + 2][tx] + tile[ty + 2][tx + 4] + tile[ty][tx + 2] + tile[ty + 4][tx + 2] +
                                back2 + ahead2;
            const float lap = -7.5f * here + (4.0f / 3.0f) * near1 - (1.0f / 12.0f) * near2;
            const size_t i = z * plane + column;
            p_new[i] = 2.0f * here - p_old[i] + courant2[i] * lap;
        }
        __syncthreads();
        back2 = back1;
        back1 = here;
        here = ahead1;
        ahead1 = ahead2;
    }
}

static bool run_acoustic(int nx, int ny, int nz, int planes_per_block, uint64_t seed)
{
    Rng rng(seed);
    const size_t n = static_cast<size_t>(nx) * ny * nz;
    std::vector<float> p(n), p_old(n), c2(n), want(n, 0.0f);
    size_t i = 0;
    for (int z = 0; z < nz; ++z)
        for (int y = 0; y < ny; ++y)
            for (int x = 0; x < nx; ++x, ++i) {
                p[i] = rng.gauss();
                p_old[i] = 0.95f * p[i] + 0.05f * rng.gauss();
                const bool skull = (x - nx / 2) * (x - nx / 2) + (y - ny / 2) * (y - ny / 2) > nx * ny / 6;
                c2[i] = skull ? 0.21f : 0.08f + 0.01f * rng.uniform();
            }
    DeviceArray<float> d_p(p), d_old(p_old), d_c2(c2), d_new(n);
    d_new.fill_bytes(0);
    dim3 grid(div_up(nx - 4, kWaveX), div_up(ny - 4, kWaveY), div_up(nz - 4, planes_per_block));
    acoustic_step_3d<<<grid, dim3(kWaveX, kWaveY)>>>(d_p.get(), d_old.get(), d_c2.get(), d_new.get(), nx, ny, nz,
                                                     planes_per_block);
    finish_launch();
    const size_t sy = nx, sz = static_cast<size_t>(nx) * ny;
    for (int z = 2; z < nz - 2; ++z)
        for (int y = 2; y < ny - 2; ++y)
            for (int x = 2; x < nx - 2; ++x) {
                const size_t k = z * sz + y * sy + x;
                const float n1 = p[k - 1] + p[k + 1] + p[k - sy] + p[k + sy] + p[k - sz] + p[k + sz];
                const float n2 = p[k - 2] + p[k + 2] + p[k - 2 * sy] + p[k + 2 * sy] + p[k - 2 * sz] + p[k + 2 * sz];
                const float lap = -7.5f * p[k] + (4.0f / 3.0f) * n1 - (1.0f / 12.0f) * n2;
                want[k] = 2.0f * p[k] - p_old[k] + c2[k] * lap;
            }
    return all_near(d_new.download(), want, 2e-5, 1e-5);
}

static bool test_acoustic()
{
    bool ok = run_acoustic(41, 30, 19, 6, 211);
    ok = run_acoustic(212, 188, 140, 23, 212) && ok;
    return report("acoustic_step_3d", ok);
}

// ---------------------------------------------------------------------------
// 22. Bag lengths to bag offsets: single-pass exclusive scan with decoupled
//     look-back. A tile state packs a flag (high word) and a value (low word).
// ---------------------------------------------------------------------------

constexpr int kScanThreads = 256;
constexpr int kScanItems = 8;
constexpr int kScanTile = kScanThreads * kScanItems;
constexpr unsigned long long kTileAggregate = 1ull << 32;
constexpr unsigned long long kTilePrefix = 2ull << 32;

__global__ void __launch_bounds__(kScanThreads)
lookback_scan_offsets(const unsigned* __restrict__ lengths, unsigned* __restrict__ offsets,
                      volatile unsigned long long* tile_state, unsigned* next_tile, int n)
{
    __shared__ unsigned s_tile;
    __shared__ unsigned s_warp_total[kScanThreads / 32];
    __shared__ unsigned s_exclusive;
    if (threadIdx.x == 0) s_tile = atomicAdd(next_tile, 1u);
    __syncthreads();
    const int tile = static_cast<int>(s_tile);
    const int lane = threadIdx.x & 31;
    const int warp = threadIdx.x >> 5;
    const int base = tile * kScanTile + threadIdx.x * kScanItems;

    unsigned v[kScanItems];
    if (base + kScanItems <= n) {
        const uint4 a = *reinterpret_cast<const uint4*>(lengths + base);
        const uint4 b = *reinterpret_cast<const uint4*>(lengths + base + 4);
        v[0] = a.x;
        v[1] = a.y;
        v[2] = a.z;
        v[3] = a.w;
        v[4] = b.x;
        v[5] = b.y;
        v[6] = b.z;
        v[7] = b.w;
    } else {
#pragma unroll
        for (int k = 0; k < kScanItems; ++k) v[k] = base + k < n ? lengths[base + k] : 0u;
    }
    unsigned thread_total = 0;
#pragma unroll
    for (int k = 0; k < kScanItems; ++k) {
        const unsigned x = v[k];
        v[k] = thread_total;
        thread_total += x;
    }

    unsigned inclusive = thread_total;
    for (int off = 1; off < 32; off *= 2) {
        const unsigned up = __shfl_up_sync(0xffffffffu, inclusive, off);
        if (lane >= off) inclusive += up;
    }
    if (lane == 31) s_warp_total[warp] = inclusive;
    __syncthreads();
    unsigned warp_start = 0;
    unsigned tile_total = 0;
    for (int w = 0; w < kScanThreads / 32; ++w) {
        if (w == warp) warp_start = tile_total;
        tile_total += s_warp_total[w];
    }

    if (warp == 0) {
        unsigned exclusive = 0;
        if (tile > 0) {
            if (lane == 0) tile_state[tile] = kTileAggregate | tile_total;
            for (int window = tile - 1;; window -= 32) {
                const int look = window - lane;
                unsigned long long state = kTilePrefix;
                unsigned flag;
                do {
                    if (look >= 0) state = tile_state[look];
                    flag = static_cast<unsigned>(state >> 32);
                } while (__any_sync(0xffffffffu, flag == 0));
                const unsigned prefixes = __ballot_sync(0xffffffffu, flag == 2);
                const int stop = prefixes != 0 ? __ffs(prefixes) - 1 : 31;
                unsigned part = lane <= stop ? static_cast<unsigned>(state) : 0u;
                for (int off = 16; off > 0; off >>= 1) part += __shfl_xor_sync(0xffffffffu, part, off);
                exclusive += part;
                if (prefixes != 0) break;
            }
        }
        if (lane == 0) {
            tile_state[tile] = kTilePrefix | (exclusive + tile_total);
            s_exclusive = exclusive;
        }
    }
    __syncthreads();

    const unsigned start = s_exclusive + warp_start + inclusive - thread_total;
    if (base + kScanItems <= n) {
        uint4* dst = reinterpret_cast<uint4*>(offsets + base);
        dst[0] = make_uint4(start + v[0], start + v[1], start + v[2], start + v[3]);
        dst[1] = make_uint4(start + v[4], start + v[5], start + v[6], start + v[7]);
    } else {
#pragma unroll
        for (int k = 0; k < kScanItems; ++k)
            if (base + k < n) offsets[base + k] = start + v[k];
    }
}

static bool run_lookback_scan(int n, uint64_t seed)
{
    Rng rng(seed);
    std::vector<unsigned> lengths(n), want(n);
    unsigned total = 0;
    for (int i = 0; i < n; ++i) {
        lengths[i] = rng.index(6) == 0 ? 0u : static_cast<unsigned>(rng.power_law(3, 400, 2.3f));
        want[i] = total;
        total += lengths[i];
    }
    const int tiles = div_up(n, kScanTile);
    DeviceArray<unsigned> d_lengths(lengths), d_offsets(n), d_next(1);
    DeviceArray<unsigned long long> d_state(tiles);
    d_next.fill_bytes(0);
    d_state.fill_bytes(0);
    lookback_scan_offsets<<<tiles, kScanThreads>>>(d_lengths.get(), d_offsets.get(), d_state.get(), d_next.get(), n);
    finish_launch();
    return d_offsets.download() == want;
}

static bool test_lookback_scan()
{
    bool ok = run_lookback_scan(50 * kScanTile + 777, 221);
    ok = run_lookback_scan(6100003, 222) && ok;
    return report("lookback_scan_offsets", ok);
}

// ---------------------------------------------------------------------------
// 23. Stable compaction of voxels above the lesion threshold; the start of each
//     block's output was computed by the counting phase.
// ---------------------------------------------------------------------------

constexpr int kCompactThreads = 256;
constexpr int kCompactRounds = 8;
constexpr int kCompactTile = kCompactThreads * kCompactRounds;

__global__ void __launch_bounds__(kCompactThreads)
compact_lesion_voxels(const float* __restrict__ probability, const int* __restrict__ block_start,
                      int* __restrict__ voxel_index, float* __restrict__ voxel_prob, int n, float threshold)
{
    __shared__ int warp_count[kCompactThreads / 32];
    const int lane = threadIdx.x & 31;
    const int warp = threadIdx.x >> 5;
    const int base = blockIdx.x * kCompactTile + warp * (32 * kCompactRounds) + lane;

    float p[kCompactRounds];
    unsigned keep[kCompactRounds];
    int count = 0;
#pragma unroll
    for (int r = 0; r < kCompactRounds; ++r) p[r] = base + 32 * r < n ? probability[base + 32 * r] : -1.0f;
#pragma unroll
    for (int r = 0; r < kCompactRounds; ++r) {
        keep[r] = __ballot_sync(0xffffffffu, p[r] > threshold);
        count += __popc(keep[r]);
    }
    if (lane == 0) warp_count[warp] = count;
    __syncthreads();

    int slot = block_start[blockIdx.x];
    for (int w = 0; w < warp; ++w) slot += warp_count[w];
    const unsigned below = (1u << lane) - 1u;
#pragma unroll
    for (int r = 0; r < kCompactRounds; ++r) {
        if ((keep[r] >> lane) & 1u) {
            const int dst = slot + __popc(keep[r] & below);
            voxel_index[dst] = base + 32 * r;
            voxel_prob[dst] = p[r];
        }
        slot += __popc(keep[r]);
    }
}

static bool run_compact(int n, uint64_t seed)
{
    Rng rng(seed);
    std::vector<float> prob(n);
    int left = 0;
    bool lesion = false;
    for (float& p : prob) {
        if (left-- <= 0) {
            lesion = rng.index(9) == 0;
            left = lesion ? 4 + rng.index(40) : 20 + rng.index(400);
        }
        const float u = rng.uniform();
        p = lesion ? 1.0f - 0.7f * u * u : 0.6f * u * u * u;
    }
    const float threshold = 0.5f;
    const int blocks = div_up(n, kCompactTile);
    std::vector<int> start(blocks), want_index;
    std::vector<float> want_prob;
    for (int b = 0; b < blocks; ++b) {
        start[b] = static_cast<int>(want_index.size());
        for (int i = b * kCompactTile; i < std::min(n, (b + 1) * kCompactTile); ++i)
            if (prob[i] > threshold) {
                want_index.push_back(i);
                want_prob.push_back(prob[i]);
            }
    }
    DeviceArray<float> d_prob(prob), d_out_prob(want_prob.size());
    DeviceArray<int> d_start(start), d_index(want_index.size());
    compact_lesion_voxels<<<blocks, kCompactThreads>>>(d_prob.get(), d_start.get(), d_index.get(), d_out_prob.get(), n,
                                                       threshold);
    finish_launch();
    return d_index.download() == want_index && d_out_prob.download() == want_prob;
}

static bool test_compact()
{
    bool ok = run_compact(48 * 50 * 20 + 11, 231);
    ok = run_compact(256 * 240 * 190, 232) && ok;
    return report("compact_lesion_voxels", ok);
}

// ---------------------------------------------------------------------------
// 24. T2* mapping: Gauss-Newton fit of S0 * exp(-R2* t) to eight gradient
//     echoes per voxel; the number of iterations depends on the voxel.
// ---------------------------------------------------------------------------

constexpr int kEchoes = 8;
__constant__ float c_echo_time[kEchoes];

__global__ void t2star_newton_fit(const float* __restrict__ echoes, float* __restrict__ r2_star,
                                  float* __restrict__ s0_map, int voxels, float noise_floor, int max_iterations)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= voxels) return;
    float s[kEchoes];
#pragma unroll
    for (int k = 0; k < kEchoes; ++k) s[k] = echoes[static_cast<size_t>(k) * voxels + i];
    if (s[0] < noise_floor) {
        r2_star[i] = 0.0f;
        s0_map[i] = 0.0f;
        return;
    }

    float rate = 25.0f;
    float s0 = s[0];
    for (int it = 0; it < max_iterations; ++it) {
        float a11 = 0.0f, a12 = 0.0f, a22 = 0.0f, b1 = 0.0f, b2 = 0.0f;
#pragma unroll
        for (int k = 0; k < kEchoes; ++k) {
            const float t = c_echo_time[k];
            const float e = expf(-rate * t);
            const float j2 = -s0 * t * e;
            const float res = s[k] - s0 * e;
            a11 += e * e;
            a12 += e * j2;
            a22 += j2 * j2;
            b1 += e * res;
            b2 += j2 * res;
        }
        const float inv_det = 1.0f / (a11 * a22 - a12 * a12);
        float ds = (a22 * b1 - a12 * b2) * inv_det;
        float dr = (a11 * b2 - a12 * b1) * inv_det;
        const float damp = fminf(1.0f, 15.0f / fmaxf(fabsf(dr), 1e-6f));
        ds *= damp;
        dr *= damp;
        s0 += ds;
        rate = fminf(fmaxf(rate + dr, 0.0f), 400.0f);
        if (fabsf(dr) < 1e-4f * (rate + 1.0f)) break;
    }
    r2_star[i] = rate;
    s0_map[i] = s0;
}

static bool run_t2star(int voxels, int threads, uint64_t seed)
{
    Rng rng(seed);
    std::vector<float> te(kEchoes), echoes(static_cast<size_t>(voxels) * kEchoes);
    for (int k = 0; k < kEchoes; ++k) te[k] = 0.0021f + 0.0034f * static_cast<float>(k);
    const float noise_floor = 60.0f;
    int left = 0, organ = 0;
    for (int i = 0; i < voxels; ++i) {
        if (left-- <= 0) {
            organ = rng.index(4);
            left = 10 + rng.index(90);
        }
        static const float kRate[4] = {0.0f, 14.0f, 45.0f, 110.0f};
        const float s0 = organ == 0 ? 0.0f : rng.uniform(600.0f, 1400.0f);
        const float rate = kRate[organ] * rng.uniform(0.7f, 1.3f);
        for (int k = 0; k < kEchoes; ++k)
            echoes[static_cast<size_t>(k) * voxels + i] = std::fabs(s0 * std::exp(-rate * te[k]) + 8.0f * rng.gauss());
    }
    DeviceArray<float> d_echoes(echoes), d_rate(voxels), d_s0(voxels);
    CUDA_OK(cudaMemcpyToSymbol(c_echo_time, te.data(), kEchoes * sizeof(float)));
    const int max_iterations = 40;
    t2star_newton_fit<<<div_up(voxels, threads), threads>>>(d_echoes.get(), d_rate.get(), d_s0.get(), voxels,
                                                            noise_floor, max_iterations);
    finish_launch();
    std::vector<float> got_rate = d_rate.download(), got_s0 = d_s0.download();
    for (int i = 0; i < voxels; ++i) {
        float rate = 0.0f, s0 = 0.0f;
        if (echoes[i] >= noise_floor) {
            rate = 25.0f;
            s0 = echoes[i];
            for (int it = 0; it < max_iterations; ++it) {
                float a11 = 0, a12 = 0, a22 = 0, b1 = 0, b2 = 0;
                for (int k = 0; k < kEchoes; ++k) {
                    const float e = std::exp(-rate * te[k]);
                    const float j2 = -s0 * te[k] * e;
                    const float res = echoes[static_cast<size_t>(k) * voxels + i] - s0 * e;
                    a11 += e * e;
                    a12 += e * j2;
                    a22 += j2 * j2;
                    b1 += e * res;
                    b2 += j2 * res;
                }
                const float inv_det = 1.0f / (a11 * a22 - a12 * a12);
                float ds = (a22 * b1 - a12 * b2) * inv_det;
                float dr = (a11 * b2 - a12 * b1) * inv_det;
                const float damp = std::min(1.0f, 15.0f / std::max(std::fabs(dr), 1e-6f));
                s0 += damp * ds;
                rate = std::min(std::max(rate + damp * dr, 0.0f), 400.0f);
                if (std::fabs(damp * dr) < 1e-4f * (rate + 1.0f)) break;
            }
        }
        if (!near(got_rate[i], rate, 0.05, 5e-3) || !near(got_s0[i], s0, 0.5, 5e-3)) return false;
    }
    return true;
}

static bool test_t2star()
{
    bool ok = run_t2star(1500, 64, 241);
    ok = run_t2star(420000, 128, 242) && ok;
    return report("t2star_newton_fit", ok);
}

// ---------------------------------------------------------------------------
// 25. Random-walk recommendations on the bipartite user/item graph: each walk
//     starts at a query item, hops item -> user -> item and counts the visits.
// ---------------------------------------------------------------------------

__host__ __device__ inline uint32_t walk_random(uint32_t& state)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

__host__ __device__ inline int walk_pick(uint32_t& state, int n)
{
    return static_cast<int>((static_cast<uint64_t>(walk_random(state)) * static_cast<uint64_t>(n)) >> 32);
}

__global__ void pixie_walk_counts(const int* __restrict__ item_ptr, const int* __restrict__ item_users,
                                  const int* __restrict__ user_ptr, const int* __restrict__ user_items,
                                  const int* __restrict__ queries, unsigned* visits, int num_queries, int num_walks,
                                  int max_hops, uint64_t seed)
{
    const int walk = blockIdx.x * blockDim.x + threadIdx.x;
    if (walk >= num_walks) return;
    uint32_t state = static_cast<uint32_t>(mix64(seed + static_cast<uint64_t>(walk))) | 1u;
    int item = queries[walk % num_queries];
    for (int hop = 0; hop < max_hops; ++hop) {
        const int users_begin = item_ptr[item];
        const int users = item_ptr[item + 1] - users_begin;
        if (users == 0) break;
        const int user = item_users[users_begin + walk_pick(state, users)];
        const int items_begin = user_ptr[user];
        item = user_items[items_begin + walk_pick(state, user_ptr[user + 1] - items_begin)];
        atomicAdd(&visits[item], 1u);
        if ((walk_random(state) >> 8) % 12 == 0) break;
    }
}

static bool run_pixie(int users, int items, int walks, int num_queries, uint64_t seed)
{
    Rng rng(seed);
    std::vector<std::pair<int, int>> liked, likers;
    for (int u = 0; u < users; ++u) {
        int deg = rng.power_law(5, 300, 2.2f);
        for (int k = 0; k < deg; ++k) {
            int it = rng.skewed(items, 1.6f);
            liked.emplace_back(u, it);
            likers.emplace_back(it, u);
        }
    }
    std::vector<int> user_ptr, user_items, item_ptr, item_users, queries(num_queries);
    build_csr(users, liked, user_ptr, user_items);
    build_csr(items, likers, item_ptr, item_users);
    for (int& q : queries) q = rng.index(items);

    DeviceArray<int> d_user_ptr(user_ptr), d_user_items(user_items), d_item_ptr(item_ptr), d_item_users(item_users);
    DeviceArray<int> d_queries(queries);
    DeviceArray<unsigned> d_visits(items);
    d_visits.fill_bytes(0);
    const int max_hops = 48;
    const uint64_t walk_seed = seed * 1000003ull;
    pixie_walk_counts<<<div_up(walks, 128), 128>>>(d_item_ptr.get(), d_item_users.get(), d_user_ptr.get(),
                                                   d_user_items.get(), d_queries.get(), d_visits.get(), num_queries,
                                                   walks, max_hops, walk_seed);
    finish_launch();
    std::vector<unsigned> want(items, 0);
    for (int w = 0; w < walks; ++w) {
        uint32_t state = static_cast<uint32_t>(mix64(walk_seed + static_cast<uint64_t>(w))) | 1u;
        int item = queries[w % num_queries];
        for (int hop = 0; hop < max_hops; ++hop) {
            const int n = item_ptr[item + 1] - item_ptr[item];
            if (n == 0) break;
            const int user = item_users[item_ptr[item] + walk_pick(state, n)];
            item = user_items[user_ptr[user] + walk_pick(state, user_ptr[user + 1] - user_ptr[user])];
            ++want[item];
            if ((walk_random(state) >> 8) % 12 == 0) break;
        }
    }
    return d_visits.download() == want;
}

static bool test_pixie()
{
    bool ok = run_pixie(800, 500, 3000, 20, 251);
    ok = run_pixie(70000, 45000, 260000, 1300, 252) && ok;
    return report("pixie_walk_counts", ok);
}

// ---------------------------------------------------------------------------
// 26. Filtered backprojection (parallel beam): one thread per pixel, linear
//     interpolation along the detector by the texture unit.
// ---------------------------------------------------------------------------

constexpr int kMaxAngles = 512;
__constant__ float2 c_angle_cs[kMaxAngles];

__global__ void backproject_parallel_tex(cudaTextureObject_t sinogram, float* __restrict__ image, int size, int angles,
                                         float center, float detector_center)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= size || y >= size) return;
    const float px = static_cast<float>(x) - center;
    const float py = static_cast<float>(y) - center;
    float sum = 0.0f;
    for (int a = 0; a < angles; ++a) {
        const float2 cs = c_angle_cs[a];
        const float s = px * cs.x + py * cs.y + detector_center;
        sum += tex2D<float>(sinogram, s + 0.5f, static_cast<float>(a) + 0.5f);
    }
    image[static_cast<size_t>(y) * size + x] = sum * (3.14159265f / static_cast<float>(angles));
}

static bool run_backproject(int size, int detectors, int angles, dim3 block, uint64_t seed)
{
    Rng rng(seed);
    const float center = 0.5f * static_cast<float>(size - 1);
    const float det_center = 0.5f * static_cast<float>(detectors - 1);
    std::vector<float2> cs(angles);
    std::vector<float> sino(static_cast<size_t>(detectors) * angles);
    const float disc[3][4] = {{0.0f, 0.0f, 0.42f, 1.0f}, {0.15f, -0.1f, 0.09f, 0.6f}, {-0.2f, 0.12f, 0.05f, -0.7f}};
    std::vector<float> raw(detectors);
    for (int a = 0; a < angles; ++a) {
        const float phi = 3.14159265f * static_cast<float>(a) / static_cast<float>(angles);
        cs[a] = make_float2(std::cos(phi), std::sin(phi));
        for (int d = 0; d < detectors; ++d) {
            float v = 0.02f * rng.gauss();
            for (const auto& c : disc) {
                const float r = c[2] * size;
                const float s = static_cast<float>(d) - det_center - size * (c[0] * cs[a].x + c[1] * cs[a].y);
                if (std::fabs(s) < r) v += 2.0f * c[3] * std::sqrt(r * r - s * s);
            }
            raw[d] = v;
        }
        for (int d = 0; d < detectors; ++d) {  // band-limited ramp filter
            float v = 0.25f * raw[d];
            for (int k = 1; k < detectors; k += 2) {
                const float h = -1.0f / (9.8696044f * static_cast<float>(k * k));
                if (d - k >= 0) v += h * raw[d - k];
                if (d + k < detectors) v += h * raw[d + k];
            }
            sino[static_cast<size_t>(a) * detectors + d] = v;
        }
    }

    const cudaChannelFormatDesc format = {32, 0, 0, 0, cudaChannelFormatKindFloat};
    cudaArray_t array = nullptr;
    CUDA_OK(cudaMallocArray(&array, &format, detectors, angles));
    CUDA_OK(cudaMemcpy2DToArray(array, 0, 0, sino.data(), detectors * sizeof(float), detectors * sizeof(float), angles,
                                cudaMemcpyHostToDevice));
    cudaResourceDesc res = {};
    res.resType = cudaResourceTypeArray;
    res.res.array.array = array;
    cudaTextureDesc desc = {};
    desc.addressMode[0] = cudaAddressModeBorder;
    desc.addressMode[1] = cudaAddressModeBorder;
    desc.filterMode = cudaFilterModeLinear;
    desc.readMode = cudaReadModeElementType;
    desc.normalizedCoords = 0;
    cudaTextureObject_t tex = 0;
    CUDA_OK(cudaCreateTextureObject(&tex, &res, &desc, nullptr));
    CUDA_OK(cudaMemcpyToSymbol(c_angle_cs, cs.data(), cs.size() * sizeof(float2)));

    DeviceArray<float> d_image(static_cast<size_t>(size) * size);
    dim3 grid(div_up(size, static_cast<int>(block.x)), div_up(size, static_cast<int>(block.y)));
    backproject_parallel_tex<<<grid, block>>>(tex, d_image.get(), size, angles, center, det_center);
    finish_launch();
    std::vector<float> got = d_image.download();
    CUDA_OK(cudaDestroyTextureObject(tex));
    CUDA_OK(cudaFreeArray(array));

    std::vector<float> want(static_cast<size_t>(size) * size, 0.0f);
    for (int a = 0; a < angles; ++a) {
        const float* row = &sino[static_cast<size_t>(a) * detectors];
        for (int y = 0; y < size; ++y)
            for (int x = 0; x < size; ++x) {
                const float s = (x - center) * cs[a].x + (y - center) * cs[a].y + det_center;
                if (s <= -1.0f || s >= static_cast<float>(detectors)) continue;
                const int i = static_cast<int>(s + 1.0f) - 1;  // floor, since s > -1
                const float f = s - static_cast<float>(i);
                const float lo = i >= 0 ? row[i] : 0.0f;
                const float hi = i + 1 < detectors ? row[i + 1] : 0.0f;
                want[static_cast<size_t>(y) * size + x] += lo + f * (hi - lo);
            }
    }
    for (float& w : want) w *= 3.14159265f / static_cast<float>(angles);
    return all_near(got, want, 8e-3, 2e-3);
}

static bool test_backproject()
{
    bool ok = run_backproject(50, 70, 45, dim3(16, 16), 261);
    ok = run_backproject(400, 560, 360, dim3(32, 8), 262) && ok;
    return report("backproject_parallel_tex", ok);
}

// ---------------------------------------------------------------------------
// 27. Deformable registration: pull a moving MR volume through an affine map
//     plus a dense displacement field (3-D texture in, surface out).
// ---------------------------------------------------------------------------

__constant__ float c_affine[12];

__global__ void warp_volume_tex3d(cudaTextureObject_t moving, cudaSurfaceObject_t warped,
                                  const __half2* __restrict__ disp_xy, const __half* __restrict__ disp_z, int nx,
                                  int ny, int nz)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= nx || y >= ny || z >= nz) return;
    const size_t i = (static_cast<size_t>(z) * ny + y) * nx + x;
    const float2 d = __half22float2(disp_xy[i]);
    const float fx = static_cast<float>(x), fy = static_cast<float>(y), fz = static_cast<float>(z);
    const float px = c_affine[0] * fx + c_affine[1] * fy + c_affine[2] * fz + c_affine[3] + d.x;
    const float py = c_affine[4] * fx + c_affine[5] * fy + c_affine[6] * fz + c_affine[7] + d.y;
    const float pz = c_affine[8] * fx + c_affine[9] * fy + c_affine[10] * fz + c_affine[11] + __half2float(disp_z[i]);
    const float v = tex3D<float>(moving, px + 0.5f, py + 0.5f, pz + 0.5f);
    surf3Dwrite(v, warped, x * static_cast<int>(sizeof(float)), y, z);
}

static bool run_warp_volume(int nx, int ny, int nz, uint64_t seed)
{
    Rng rng(seed);
    const size_t n = static_cast<size_t>(nx) * ny * nz;
    std::vector<unsigned short> moving(n);
    std::vector<__half2> disp_xy(n);
    std::vector<__half> disp_z(n);
    std::vector<float> wave_x(nx), wave_y(ny), wave_z(nz);
    for (int x = 0; x < nx; ++x) wave_x[x] = std::sin(0.11f * x);
    for (int y = 0; y < ny; ++y) wave_y[y] = std::cos(0.09f * y);
    for (int z = 0; z < nz; ++z) wave_z[z] = std::sin(0.13f * z + 0.4f);
    size_t i = 0;
    for (int z = 0; z < nz; ++z)
        for (int y = 0; y < ny; ++y)
            for (int x = 0; x < nx; ++x, ++i) {
                const float tissue = 0.45f + 0.2f * wave_x[x] * wave_y[y] + 0.15f * wave_y[y] * wave_z[z] + 0.01f * rng.gauss();
                moving[i] = static_cast<unsigned short>(65535.0f * std::min(1.0f, std::max(0.0f, tissue)));
                disp_xy[i].x = __float2half_rn(2.4f * wave_y[y] * wave_z[z]);
                disp_xy[i].y = __float2half_rn(1.9f * wave_x[x]);
                disp_z[i] = __float2half_rn(1.3f * wave_x[x] * wave_y[y]);
            }
    const float affine[12] = {0.995f, 0.031f, -0.012f, -1.3f, -0.029f, 1.004f, 0.021f, 2.2f, 0.008f, -0.019f, 1.011f, -0.7f};

    const cudaExtent extent = make_cudaExtent(nx, ny, nz);
    const cudaChannelFormatDesc in_format = {16, 0, 0, 0, cudaChannelFormatKindUnsigned};
    const cudaChannelFormatDesc out_format = {32, 0, 0, 0, cudaChannelFormatKindFloat};
    cudaArray_t in_array = nullptr, out_array = nullptr;
    CUDA_OK(cudaMalloc3DArray(&in_array, &in_format, extent));
    CUDA_OK(cudaMalloc3DArray(&out_array, &out_format, extent, cudaArraySurfaceLoadStore));
    cudaMemcpy3DParms up = {};
    up.srcPtr = make_cudaPitchedPtr(moving.data(), nx * sizeof(unsigned short), nx, ny);
    up.dstArray = in_array;
    up.extent = extent;
    up.kind = cudaMemcpyHostToDevice;
    CUDA_OK(cudaMemcpy3D(&up));

    cudaResourceDesc res = {};
    res.resType = cudaResourceTypeArray;
    res.res.array.array = in_array;
    cudaTextureDesc desc = {};
    for (auto& mode : desc.addressMode) mode = cudaAddressModeClamp;
    desc.filterMode = cudaFilterModeLinear;
    desc.readMode = cudaReadModeNormalizedFloat;
    cudaTextureObject_t tex = 0;
    CUDA_OK(cudaCreateTextureObject(&tex, &res, &desc, nullptr));
    res.res.array.array = out_array;
    cudaSurfaceObject_t surf = 0;
    CUDA_OK(cudaCreateSurfaceObject(&surf, &res));
    CUDA_OK(cudaMemcpyToSymbol(c_affine, affine, sizeof(affine)));

    DeviceArray<__half2> d_xy(disp_xy);
    DeviceArray<__half> d_z(disp_z);
    const dim3 block(32, 4, 2);
    const dim3 grid(div_up(nx, 32), div_up(ny, 4), div_up(nz, 2));
    warp_volume_tex3d<<<grid, block>>>(tex, surf, d_xy.get(), d_z.get(), nx, ny, nz);
    finish_launch();

    std::vector<float> got(n), want(n);
    cudaMemcpy3DParms down = {};
    down.srcArray = out_array;
    down.dstPtr = make_cudaPitchedPtr(got.data(), nx * sizeof(float), nx, ny);
    down.extent = extent;
    down.kind = cudaMemcpyDeviceToHost;
    CUDA_OK(cudaMemcpy3D(&down));
    CUDA_OK(cudaDestroySurfaceObject(surf));
    CUDA_OK(cudaDestroyTextureObject(tex));
    CUDA_OK(cudaFreeArray(out_array));
    CUDA_OK(cudaFreeArray(in_array));

    auto clampi = [](int v, int hi) { return std::min(std::max(v, 0), hi); };
    i = 0;
    for (int z = 0; z < nz; ++z)
        for (int y = 0; y < ny; ++y)
            for (int x = 0; x < nx; ++x, ++i) {
                const float px = affine[0] * x + affine[1] * y + affine[2] * z + affine[3] + __half2float(disp_xy[i].x);
                const float py = affine[4] * x + affine[5] * y + affine[6] * z + affine[7] + __half2float(disp_xy[i].y);
                const float pz = affine[8] * x + affine[9] * y + affine[10] * z + affine[11] + __half2float(disp_z[i]);
                const float bx = std::floor(px), by = std::floor(py), bz = std::floor(pz);
                float v = 0.0f;
                for (int c = 0; c < 8; ++c) {
                    const int dx = c & 1, dy = (c >> 1) & 1, dz = c >> 2;
                    const float w = (dx ? px - bx : 1.0f - (px - bx)) * (dy ? py - by : 1.0f - (py - by)) *
                                    (dz ? pz - bz : 1.0f - (pz - bz));
                    const size_t j = (static_cast<size_t>(clampi(int(bz) + dz, nz - 1)) * ny + clampi(int(by) + dy, ny - 1)) * nx +
                                     clampi(int(bx) + dx, nx - 1);
                    v += w * static_cast<float>(moving[j]);
                }
                want[i] = v * (1.0f / 65535.0f);
            }
    return all_near(got, want, 4e-3, 0.0);
}

static bool test_warp_volume()
{
    bool ok = run_warp_volume(40, 31, 18, 271);
    ok = run_warp_volume(176, 150, 118, 272) && ok;
    return report("warp_volume_tex3d", ok);
}

// ---------------------------------------------------------------------------
// 28. ALS user update: batched Cholesky solve of the 24 x 24 normal equations,
//     one warp per user, lane i owns row i.
// ---------------------------------------------------------------------------

constexpr int kRank = 24;
constexpr int kRankStride = kRank + 1;
constexpr int kAlsWarps = 4;

__global__ void __launch_bounds__(kAlsWarps * 32)
als_cholesky_solve(const float* __restrict__ gram, const float* __restrict__ rhs, float* __restrict__ factors,
                   int users)
{
    __shared__ float work[kAlsWarps][kRank * kRankStride];
    const int warp = threadIdx.x >> 5;
    const int lane = threadIdx.x & 31;
    const int user = blockIdx.x * kAlsWarps + warp;
    if (user >= users) return;
    float* a = work[warp];
    const float* src = gram + static_cast<size_t>(user) * kRank * kRank;
    for (int i = lane; i < kRank * kRank; i += 32) a[(i / kRank) * kRankStride + i % kRank] = src[i];
    float b = lane < kRank ? rhs[static_cast<size_t>(user) * kRank + lane] : 0.0f;
    __syncwarp();

    const bool has_row = lane < kRank;
    for (int k = 0; k < kRank; ++k) {
        const float pivot = sqrtf(a[k * kRankStride + k]);
        __syncwarp();
        if (lane == k) a[k * kRankStride + k] = pivot;
        if (has_row && lane > k) a[lane * kRankStride + k] /= pivot;
        __syncwarp();
        if (has_row && lane > k) {
            const float l = a[lane * kRankStride + k];
            for (int j = k + 1; j <= lane; ++j) a[lane * kRankStride + j] -= l * a[j * kRankStride + k];
        }
        __syncwarp();
    }

    for (int k = 0; k < kRank; ++k) {  // L y = b
        const float y = __shfl_sync(0xffffffffu, b, k) / a[k * kRankStride + k];
        if (lane == k) b = y;
        if (has_row && lane > k) b -= a[lane * kRankStride + k] * y;
    }
    for (int k = kRank - 1; k >= 0; --k) {  // L^T x = y
        const float x = __shfl_sync(0xffffffffu, b, k) / a[k * kRankStride + k];
        if (lane == k) b = x;
        if (lane < k) b -= a[k * kRankStride + lane] * x;
    }
    if (has_row) factors[static_cast<size_t>(user) * kRank + lane] = b;
}

static bool run_als(int users, uint64_t seed)
{
    Rng rng(seed);
    const int pool = 4000;
    std::vector<float> items(static_cast<size_t>(pool) * kRank);
    for (float& v : items) v = 0.5f * rng.gauss();
    std::vector<float> gram(static_cast<size_t>(users) * kRank * kRank, 0.0f), rhs(static_cast<size_t>(users) * kRank, 0.0f);
    for (int u = 0; u < users; ++u) {
        float* g = &gram[static_cast<size_t>(u) * kRank * kRank];
        float* r = &rhs[static_cast<size_t>(u) * kRank];
        const int ratings = rng.power_law(8, 120, 2.2f);
        for (int k = 0; k < ratings; ++k) {
            const float* q = &items[static_cast<size_t>(rng.skewed(pool, 1.5f)) * kRank];
            const float rating = 1.0f + static_cast<float>(rng.index(5));
            for (int i = 0; i < kRank; ++i) {
                r[i] += rating * q[i];
                for (int j = 0; j < kRank; ++j) g[i * kRank + j] += q[i] * q[j];
            }
        }
        for (int i = 0; i < kRank; ++i) g[i * kRank + i] += 0.3f + 0.02f * static_cast<float>(ratings);
    }
    DeviceArray<float> d_gram(gram), d_rhs(rhs), d_factors(rhs.size());
    als_cholesky_solve<<<div_up(users, kAlsWarps), kAlsWarps * 32>>>(d_gram.get(), d_rhs.get(), d_factors.get(), users);
    finish_launch();
    std::vector<float> got = d_factors.download();
    double a[kRank][kRank], x[kRank];
    for (int u = 0; u < users; ++u) {
        const float* g = &gram[static_cast<size_t>(u) * kRank * kRank];
        for (int i = 0; i < kRank; ++i) {
            for (int j = 0; j <= i; ++j) {
                double s = g[i * kRank + j];
                for (int k = 0; k < j; ++k) s -= a[i][k] * a[j][k];
                a[i][j] = i == j ? std::sqrt(s) : s / a[j][j];
            }
        }
        for (int i = 0; i < kRank; ++i) {
            x[i] = rhs[static_cast<size_t>(u) * kRank + i];
            for (int k = 0; k < i; ++k) x[i] -= a[i][k] * x[k];
            x[i] /= a[i][i];
        }
        for (int i = kRank - 1; i >= 0; --i) {
            for (int k = i + 1; k < kRank; ++k) x[i] -= a[k][i] * x[k];
            x[i] /= a[i][i];
        }
        for (int i = 0; i < kRank; ++i)
            if (!near(got[static_cast<size_t>(u) * kRank + i], x[i], 2e-3, 1e-3)) return false;
    }
    return true;
}

static bool test_als()
{
    bool ok = run_als(101, 281);
    ok = run_als(15000, 282) && ok;
    return report("als_cholesky_solve", ok);
}

// ---------------------------------------------------------------------------
// 29. Cone-beam forward projection: exact radiological path through the voxel
//     grid (incremental Siddon), one ray per detector pixel and view.
// ---------------------------------------------------------------------------

struct ConeView {
    float source[3];
    float corner[3];  // centre of detector pixel (0, 0)
    float step_u[3];
    float step_v[3];
};

constexpr int kMaxViews = 16;
__constant__ ConeView c_views[kMaxViews];

__global__ void siddon_ray_sums(const float* __restrict__ mu, float* __restrict__ projection, int nx, int ny, int nz,
                                int nu, int nv)
{
    const int u = blockIdx.x * blockDim.x + threadIdx.x;
    const int v = blockIdx.y * blockDim.y + threadIdx.y;
    if (u >= nu || v >= nv) return;
    const ConeView& view = c_views[blockIdx.z];
    const float fu = static_cast<float>(u), fv = static_cast<float>(v);
    const float sx = view.source[0], sy = view.source[1], sz = view.source[2];
    float dx = view.corner[0] + fu * view.step_u[0] + fv * view.step_v[0] - sx;
    float dy = view.corner[1] + fu * view.step_u[1] + fv * view.step_v[1] - sy;
    float dz = view.corner[2] + fu * view.step_u[2] + fv * view.step_v[2] - sz;
    const float length = sqrtf(dx * dx + dy * dy + dz * dz);
    dx /= length;
    dy /= length;
    dz /= length;
    if (fabsf(dx) < 1e-7f) dx = 1e-7f;
    if (fabsf(dy) < 1e-7f) dy = 1e-7f;
    if (fabsf(dz) < 1e-7f) dz = 1e-7f;
    const float ix = 1.0f / dx, iy = 1.0f / dy, iz = 1.0f / dz;

    const float tx0 = -sx * ix, tx1 = (static_cast<float>(nx) - sx) * ix;
    const float ty0 = -sy * iy, ty1 = (static_cast<float>(ny) - sy) * iy;
    const float tz0 = -sz * iz, tz1 = (static_cast<float>(nz) - sz) * iz;
    const float t_in = fmaxf(fmaxf(fminf(tx0, tx1), fminf(ty0, ty1)), fmaxf(fminf(tz0, tz1), 0.0f));
    const float t_out = fminf(fminf(fmaxf(tx0, tx1), fmaxf(ty0, ty1)), fminf(fmaxf(tz0, tz1), length));

    float sum = 0.0f;
    if (t_in < t_out) {
        int x = min(max(static_cast<int>(floorf(sx + t_in * dx)), 0), nx - 1);
        int y = min(max(static_cast<int>(floorf(sy + t_in * dy)), 0), ny - 1);
        int z = min(max(static_cast<int>(floorf(sz + t_in * dz)), 0), nz - 1);
        float next_x = (static_cast<float>(x + (dx > 0.0f ? 1 : 0)) - sx) * ix;
        float next_y = (static_cast<float>(y + (dy > 0.0f ? 1 : 0)) - sy) * iy;
        float next_z = (static_cast<float>(z + (dz > 0.0f ? 1 : 0)) - sz) * iz;
        const int step_x = dx > 0.0f ? 1 : -1;
        const int step_y = dy > 0.0f ? 1 : -1;
        const int step_z = dz > 0.0f ? 1 : -1;
        float t = t_in;
        for (;;) {
            const float t_next = fminf(fminf(next_x, next_y), fminf(next_z, t_out));
            sum += (t_next - t) * mu[(static_cast<size_t>(z) * ny + y) * nx + x];
            t = t_next;
            if (t >= t_out) break;
            if (next_x <= next_y && next_x <= next_z) {
                x += step_x;
                next_x += fabsf(ix);
                if (x < 0 || x >= nx) break;
            } else if (next_y <= next_z) {
                y += step_y;
                next_y += fabsf(iy);
                if (y < 0 || y >= ny) break;
            } else {
                z += step_z;
                next_z += fabsf(iz);
                if (z < 0 || z >= nz) break;
            }
        }
    }
    projection[(static_cast<size_t>(blockIdx.z) * nv + v) * nu + u] = sum;
}

// Double-precision reference: walks the merged plane crossings of the ray.
static double reference_ray_sum(const std::vector<float>& mu, const int dims[3], const double src[3], const double dst[3])
{
    double d[3], length = 0.0, t_in = 0.0;
    for (int k = 0; k < 3; ++k) d[k] = dst[k] - src[k];
    length = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    double t_out = length;
    for (int k = 0; k < 3; ++k) {
        d[k] /= length;
        if (std::fabs(d[k]) < 1e-12) d[k] = 1e-12;
        const double t0 = -src[k] / d[k], t1 = (dims[k] - src[k]) / d[k];
        t_in = std::max(t_in, std::min(t0, t1));
        t_out = std::min(t_out, std::max(t0, t1));
    }
    if (t_in >= t_out) return 0.0;
    int cell[3];
    double next[3];
    for (int k = 0; k < 3; ++k) {
        cell[k] = std::min(std::max(static_cast<int>(std::floor(src[k] + t_in * d[k])), 0), dims[k] - 1);
        next[k] = (cell[k] + (d[k] > 0.0 ? 1 : 0) - src[k]) / d[k];
    }
    double sum = 0.0, t = t_in;
    while (t < t_out) {
        int axis = next[0] <= next[1] ? 0 : 1;
        if (next[2] < next[axis]) axis = 2;
        const double t_next = std::min(next[axis], t_out);
        sum += (t_next - t) * mu[(static_cast<size_t>(cell[2]) * dims[1] + cell[1]) * dims[0] + cell[0]];
        t = t_next;
        cell[axis] += d[axis] > 0.0 ? 1 : -1;
        if (cell[axis] < 0 || cell[axis] >= dims[axis]) break;
        next[axis] += 1.0 / std::fabs(d[axis]);
    }
    return sum;
}

static bool run_siddon(int nx, int ny, int nz, int nu, int nv, int views, uint64_t seed)
{
    Rng rng(seed);
    std::vector<float> mu(static_cast<size_t>(nx) * ny * nz);
    auto soft = [](float v) { return std::min(1.0f, std::max(0.0f, v)); };
    for (int z = 0; z < nz; ++z)
        for (int y = 0; y < ny; ++y)
            for (int x = 0; x < nx; ++x) {
                const float rx = (x - 0.5f * nx) / (0.44f * nx), ry = (y - 0.5f * ny) / (0.4f * ny), rz = (z - 0.5f * nz) / (0.47f * nz);
                const float r = std::sqrt(rx * rx + ry * ry + rz * rz);
                const float spine = std::sqrt(rx * rx + (ry - 0.5f) * (ry - 0.5f));
                mu[(static_cast<size_t>(z) * ny + y) * nx + x] =
                    0.02f * soft((1.0f - r) * 6.0f) + 0.015f * soft((0.25f - spine) * 8.0f) * soft((0.9f - r) * 6.0f) +
                    0.0005f * rng.uniform();
            }

    const float to_source = 2.4f * static_cast<float>(nx), to_detector = 1.5f * static_cast<float>(nx);
    const float pitch = 2.0f * static_cast<float>(nx) / static_cast<float>(nu);
    const float cx = 0.5f * nx + 0.37f, cy = 0.5f * ny - 0.23f, cz = 0.5f * nz + 0.41f;
    std::vector<ConeView> setup(views);
    for (int k = 0; k < views; ++k) {
        const float phi = 0.17f + 6.2831853f * static_cast<float>(k) / static_cast<float>(views);
        const float c = std::cos(phi), s = std::sin(phi);
        ConeView& w = setup[k];
        const float ux = -s * pitch, uy = c * pitch;
        w.source[0] = cx + to_source * c;
        w.source[1] = cy + to_source * s;
        w.source[2] = cz;
        w.corner[0] = cx - to_detector * c - 0.5f * static_cast<float>(nu - 1) * ux;
        w.corner[1] = cy - to_detector * s - 0.5f * static_cast<float>(nu - 1) * uy;
        w.corner[2] = cz - 0.5f * static_cast<float>(nv - 1) * pitch;
        w.step_u[0] = ux;
        w.step_u[1] = uy;
        w.step_u[2] = 0.0f;
        w.step_v[0] = 0.0f;
        w.step_v[1] = 0.0f;
        w.step_v[2] = pitch;
    }
    DeviceArray<float> d_mu(mu), d_proj(static_cast<size_t>(views) * nu * nv);
    CUDA_OK(cudaMemcpyToSymbol(c_views, setup.data(), setup.size() * sizeof(ConeView)));
    const dim3 grid(div_up(nu, 16), div_up(nv, 8), views);
    siddon_ray_sums<<<grid, dim3(16, 8)>>>(d_mu.get(), d_proj.get(), nx, ny, nz, nu, nv);
    finish_launch();
    std::vector<float> got = d_proj.download();
    const int dims[3] = {nx, ny, nz};
    for (int k = 0; k < views; ++k)
        for (int v = 0; v < nv; ++v)
            for (int u = 0; u < nu; ++u) {
                double src[3], dst[3];
                for (int a = 0; a < 3; ++a) {
                    src[a] = setup[k].source[a];
                    dst[a] = static_cast<double>(setup[k].corner[a]) + u * static_cast<double>(setup[k].step_u[a]) +
                             v * static_cast<double>(setup[k].step_v[a]);
                }
                const double want = reference_ray_sum(mu, dims, src, dst);
                if (!near(got[(static_cast<size_t>(k) * nv + v) * nu + u], want, 1e-2, 2e-3)) return false;
            }
    return true;
}

static bool test_siddon()
{
    bool ok = run_siddon(32, 30, 20, 50, 41, 2, 291);
    ok = run_siddon(128, 120, 96, 230, 170, 6, 292) && ok;
    return report("siddon_ray_sums", ok);
}

// ---------------------------------------------------------------------------

int main()
{
    using Test = bool (*)();
    const Test tests[] = {
        test_embedding_bag, test_pet_forward,  test_lightgcn,        test_joint_histogram, test_gbdt_histogram,
        test_bfs,           test_ccl,          test_session_dedup,   test_compound_splat,  test_embedding_grad,
        test_coincidence,   test_topk,         test_radix_pass,      test_ct_window,       test_sinogram_transpose,
        test_bce_loss,      test_slice_stats,  test_history_softmax, test_layernorm,       test_perona_malik,
        test_acoustic,      test_lookback_scan, test_compact,        test_t2star,          test_pixie,
        test_backproject,   test_warp_volume,  test_als,             test_siddon,
    };
    int wrong = 0;
    for (Test t : tests)
        if (!t()) ++wrong;
    return wrong == 0 ? 0 : 1;
}
