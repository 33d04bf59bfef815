// Assorted GPU kernels for irregular and memory-bound work.
// Every kernel is launched four times in a row with the same arguments.
#include <cuda_runtime.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

// ---- Host helpers ----

#define CK(call)                                                                                          \
    do {                                                                                                  \
        cudaError_t err_ = (call);                                                                        \
        if (err_ != cudaSuccess) {                                                                        \
            std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(err_)); \
            std::exit(1);                                                                                 \
        }                                                                                                 \
    } while (0)

#define LAUNCH(kernel, grid, block, smem, ...)          \
    do {                                                \
        for (int rep_ = 0; rep_ < 4; ++rep_) {          \
            kernel<<<grid, block, smem>>>(__VA_ARGS__); \
            CK(cudaGetLastError());                     \
        }                                               \
        CK(cudaDeviceSynchronize());                    \
        std::printf("%-26s launched\n", #kernel);       \
    } while (0)

static int g_mismatches = 0;
static std::vector<void *> g_buffers; // device buffers of the current group

static void verdict(const char *name, bool ok) {
    std::printf("%-26s %s\n", name, ok ? "OK" : "MISMATCH");
    if (!ok) ++g_mismatches;
}

template <class T> static T *device_zeros(size_t count) {
    T *p = nullptr;
    CK(cudaMalloc(&p, count * sizeof(T)));
    g_buffers.push_back(p);
    CK(cudaMemset(p, 0, count * sizeof(T)));
    return p;
}

template <class T> static T *upload(const std::vector<T> &h) {
    T *p = nullptr;
    CK(cudaMalloc(&p, h.size() * sizeof(T)));
    g_buffers.push_back(p);
    CK(cudaMemcpy(p, h.data(), h.size() * sizeof(T), cudaMemcpyHostToDevice));
    return p;
}

template <class T> static std::vector<T> download(const T *d, size_t count) {
    std::vector<T> h(count);
    CK(cudaMemcpy(h.data(), d, count * sizeof(T), cudaMemcpyDeviceToHost));
    return h;
}

static void release_all() {
    for (void *p : g_buffers) CK(cudaFree(p));
    g_buffers.clear();
}

static int div_up(int a, int b) { return (a + b - 1) / b; }

struct Rng {
    std::mt19937 gen;
    explicit Rng(unsigned seed) : gen(seed) {}
    unsigned bits() { return (unsigned)gen(); }
    float uniform() { return (float)(bits() >> 8) * (1.0f / 16777216.0f); } // [0,1)
    float symmetric() { return 2.0f * uniform() - 1.0f; }                   // [-1,1)
    int below(int n) { return (int)(bits() % (unsigned)n); }
    int between(int lo, int hi) { return lo + below(hi - lo + 1); } // inclusive
};

static std::vector<float> random_floats(Rng &rng, size_t n) {
    std::vector<float> v(n);
    for (auto &f : v) f = rng.symmetric();
    return v;
}

static const unsigned FULL = 0xffffffffu;

// ---- Sparse matrix-vector products ----

__global__ void spmv_csr_scalar_f32(int rows, const int *__restrict__ row_ptr, const int *__restrict__ col_idx,
                                    const float *__restrict__ val, const float *__restrict__ x,
                                    float *__restrict__ y) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0.0f;
    int end = row_ptr[row + 1];
    for (int e = row_ptr[row]; e < end; ++e) sum += val[e] * x[col_idx[e]];
    y[row] = sum;
}

__global__ void spmv_csr_vector_f64(int rows, const int *__restrict__ row_ptr, const int *__restrict__ col_idx,
                                    const double *__restrict__ val, const double *__restrict__ x,
                                    double *__restrict__ y) {
    int lane = threadIdx.x & 31;
    int row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    if (row >= rows) return; // whole warp leaves together
    double sum = 0.0;
    int end = row_ptr[row + 1];
    for (int e = row_ptr[row] + lane; e < end; e += 32) sum += val[e] * x[col_idx[e]];
    for (int o = 16; o > 0; o >>= 1) sum += __shfl_down_sync(FULL, sum, o);
    if (lane == 0) y[row] = sum;
}

__global__ void spmv_ell_f32(int rows, int width, const int *__restrict__ cols, const float *__restrict__ vals,
                             const float *__restrict__ x, float *__restrict__ y) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0.0f;
    for (int k = 0; k < width; ++k) {
        int c = cols[k * rows + row];
        if (c >= 0) sum += vals[k * rows + row] * x[c];
    }
    y[row] = sum;
}

static void run_spmv_csr_scalar() {
    Rng rng(101);
    const int rows = 200000;
    std::vector<int> row_ptr(rows + 1, 0), cols;
    std::vector<float> vals, x(rows);
    for (int r = 0; r < rows; ++r) {
        int len = rng.between(4, 28);
        for (int k = 0; k < len; ++k) {
            int c = (rng.below(5) == 0) ? rng.below(rows) : r + rng.between(-4096, 4096);
            c = std::min(std::max(c, 0), rows - 1);
            cols.push_back(c);
            vals.push_back(rng.symmetric());
        }
        std::sort(cols.begin() + row_ptr[r], cols.end());
        row_ptr[r + 1] = (int)cols.size();
    }
    for (auto &v : x) v = rng.symmetric();
    int *d_ptr = upload(row_ptr), *d_cols = upload(cols);
    float *d_vals = upload(vals), *d_x = upload(x), *d_y = device_zeros<float>(rows);
    LAUNCH(spmv_csr_scalar_f32, div_up(rows, 256), 256, 0, rows, d_ptr, d_cols, d_vals, d_x, d_y);
}

static void run_spmv_csr_vector() {
    Rng rng(102);
    const int rows = 60000;
    std::vector<int> row_ptr(rows + 1, 0), cols;
    std::vector<double> vals, x(rows);
    for (int r = 0; r < rows; ++r) {
        // power-law row lengths, a few very long rows
        double u = std::max(rng.uniform(), 1e-6f);
        int len = std::min(2000, (int)(8.0 * std::pow(u, -0.7)));
        for (int k = 0; k < len; ++k) {
            float t = rng.uniform();
            cols.push_back(std::min(rows - 1, (int)(t * t * rows)));
            vals.push_back(rng.symmetric());
        }
        row_ptr[r + 1] = (int)cols.size();
    }
    for (auto &v : x) v = rng.symmetric();
    int *d_ptr = upload(row_ptr), *d_cols = upload(cols);
    double *d_vals = upload(vals), *d_x = upload(x), *d_y = device_zeros<double>(rows);
    LAUNCH(spmv_csr_vector_f64, div_up(rows, 4), 128, 0, rows, d_ptr, d_cols, d_vals, d_x, d_y);
}

static void run_spmv_ell() {
    Rng rng(103);
    const int rows = 300000, width = 20;
    std::vector<int> cols((size_t)rows * width, -1);
    std::vector<float> vals((size_t)rows * width, 0.0f), x(rows);
    for (int r = 0; r < rows; ++r) {
        int len = rng.between(width / 2, width);
        for (int k = 0; k < len; ++k) {
            // diagonals of a structured mesh with some jitter
            int off = (k - len / 2) * 547 + rng.between(-3, 3);
            int c = r + off;
            if (c < 0) c += rows;
            if (c >= rows) c -= rows;
            cols[(size_t)k * rows + r] = c;
            vals[(size_t)k * rows + r] = rng.symmetric();
        }
    }
    for (auto &v : x) v = rng.symmetric();
    int *d_cols = upload(cols);
    float *d_vals = upload(vals), *d_x = upload(x), *d_y = device_zeros<float>(rows);
    LAUNCH(spmv_ell_f32, div_up(rows, 192), 192, 0, rows, width, d_cols, d_vals, d_x, d_y);
}

// ---- Gather and scatter ----

// Eight threads fetch one 128-byte table row.
__global__ void gather_rows_f4(int count, const int *__restrict__ index, const float4 *__restrict__ table,
                               const float *__restrict__ weight, float4 *__restrict__ out) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int item = t >> 3, part = t & 7;
    if (item >= count) return;
    float w = weight[item];
    float4 v = table[(size_t)index[item] * 8 + part];
    out[(size_t)item * 8 + part] = make_float4(w * v.x, w * v.y, w * v.z, w * v.w);
}

__global__ void scatter_permute_u64(int n, const uint64_t *__restrict__ in, const int *__restrict__ dest,
                                    uint64_t *__restrict__ out) {
    int base = blockIdx.x * (blockDim.x * 4) + threadIdx.x;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        int i = base + k * blockDim.x;
        if (i < n) out[dest[i]] = in[i];
    }
}

static void run_gather() {
    Rng rng(201);
    const int table_rows = 65536, count = 262144;
    std::vector<float4> table((size_t)table_rows * 8);
    for (auto &v : table) v = make_float4(rng.symmetric(), rng.symmetric(), rng.symmetric(), rng.symmetric());
    std::vector<int> index(count);
    std::vector<float> weight(count);
    for (int i = 0; i < count; ++i) {
        float u = rng.uniform();
        index[i] = std::min(table_rows - 1, (int)(u * u * u * table_rows));
        weight[i] = rng.uniform();
    }
    int *d_index = upload(index);
    float4 *d_table = upload(table), *d_out = device_zeros<float4>((size_t)count * 8);
    float *d_weight = upload(weight);
    LAUNCH(gather_rows_f4, count * 8 / 256, 256, 0, count, d_index, d_table, d_weight, d_out);
}

static void run_scatter() {
    Rng rng(202);
    const int n = 1 << 21;
    std::vector<uint64_t> in(n);
    for (auto &v : in) v = ((uint64_t)rng.bits() << 32) | rng.bits();
    std::vector<int> dest(n);
    std::iota(dest.begin(), dest.end(), 0);
    std::shuffle(dest.begin(), dest.end(), rng.gen);
    uint64_t *d_in = upload(in), *d_out = device_zeros<uint64_t>(n);
    int *d_dest = upload(dest);
    LAUNCH(scatter_permute_u64, n / (512 * 4), 512, 0, n, d_in, d_dest, d_out);
}

// ---- Histograms ----

__global__ void hist_global_u16(int n, const uint16_t *__restrict__ data, unsigned *__restrict__ bins) {
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) atomicAdd(&bins[data[i] >> 4], 1u);
}

// One 256-bin sub-histogram per warp, 16 bytes per load. 256 threads.
__global__ void hist_shared_skew_u8(int n16, const uint4 *__restrict__ data, unsigned *__restrict__ bins) {
    __shared__ unsigned sub[8][256];
    int tid = threadIdx.x, warp = tid >> 5;
    for (int w = 0; w < 8; ++w) sub[w][tid] = 0;
    __syncthreads();
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + tid; i < n16; i += stride) {
        uint4 v = data[i];
        unsigned words[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
        for (int k = 0; k < 4; ++k)
            for (int shift = 0; shift < 32; shift += 8) atomicAdd(&sub[warp][(words[k] >> shift) & 255u], 1u);
    }
    __syncthreads();
    unsigned sum = 0;
    for (int w = 0; w < 8; ++w) sum += sub[w][tid];
    if (sum) atomicAdd(&bins[tid], sum);
}

static void run_hist_global() {
    Rng rng(301);
    const int n = 4000000;
    std::vector<uint16_t> data(n);
    std::normal_distribution<float> normal(32768.0f, 6000.0f);
    for (auto &v : data) v = (uint16_t)std::min(65535.0f, std::max(0.0f, normal(rng.gen)));
    uint16_t *d_data = upload(data);
    unsigned *d_bins = device_zeros<unsigned>(4096);
    LAUNCH(hist_global_u16, 528, 256, 0, n, d_data, d_bins);
}

static void run_hist_shared() {
    Rng rng(302);
    const int n = 16 << 20;
    std::vector<uint4> data(n / 16);
    std::vector<unsigned> ref(256, 0);
    auto skewed_word = [&]() {
        unsigned w = 0;
        for (int k = 0; k < 4; ++k) {
            unsigned r = rng.bits();
            unsigned v = (r & 3u) ? (unsigned)__builtin_ctz((r >> 2) | 0x8000u) : (r >> 24);
            ref[v] += 4;
            w |= v << (8 * k);
        }
        return w;
    };
    for (auto &q : data) { q = make_uint4(skewed_word(), skewed_word(), skewed_word(), skewed_word()); }
    uint4 *d_data = upload(data);
    unsigned *d_bins = device_zeros<unsigned>(256);
    LAUNCH(hist_shared_skew_u8, 264, 256, 0, n / 16, d_data, d_bins);
    verdict("hist_shared_skew_u8", download(d_bins, 256) == ref);
}

// ---- Breadth-first search steps ----

#define BFS_LOCAL_QUEUE 2048

// Top-down step: one thread per frontier vertex, block-local output queue.
// dist is only read, so the same vertices are discovered at every launch.
__global__ void bfs_push_frontier(int frontier_size, const int *__restrict__ frontier,
                                  const int *__restrict__ row_ptr, const int *__restrict__ col_idx,
                                  const int *__restrict__ dist, int level, int *__restrict__ dist_next,
                                  unsigned *__restrict__ queue_count, int *__restrict__ queue, unsigned queue_mask) {
    __shared__ int local_queue[BFS_LOCAL_QUEUE];
    __shared__ unsigned local_count, global_base;
    if (threadIdx.x == 0) local_count = 0;
    __syncthreads();
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < frontier_size) {
        int u = frontier[t];
        int end = row_ptr[u + 1];
        for (int e = row_ptr[u]; e < end; ++e) {
            int v = col_idx[e];
            if (dist[v] == INT_MAX) {
                dist_next[v] = level + 1;
                unsigned pos = atomicAdd(&local_count, 1u);
                if (pos < BFS_LOCAL_QUEUE) {
                    local_queue[pos] = v;
                } else {
                    unsigned g = atomicAdd(queue_count, 1u);
                    queue[g & queue_mask] = v;
                }
            }
        }
    }
    __syncthreads();
    unsigned count = min(local_count, (unsigned)BFS_LOCAL_QUEUE);
    if (threadIdx.x == 0) global_base = atomicAdd(queue_count, count);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x) queue[(global_base + i) & queue_mask] = local_queue[i];
}

// Bottom-up step: unvisited vertices look for a parent in the frontier bitmap.
__global__ void bfs_pull_bitmap(int n, const int *__restrict__ row_ptr, const int *__restrict__ col_idx,
                                const int *__restrict__ dist, const unsigned *__restrict__ frontier_bits,
                                int *__restrict__ parent, unsigned *__restrict__ next_bits) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    bool found = false;
    if (v < n && dist[v] == INT_MAX) {
        int end = row_ptr[v + 1];
        for (int e = row_ptr[v]; e < end; ++e) {
            int u = col_idx[e];
            if ((frontier_bits[u >> 5] >> (u & 31)) & 1u) {
                parent[v] = u;
                found = true;
                break;
            }
        }
    }
    unsigned word = __ballot_sync(FULL, found);
    if ((threadIdx.x & 31) == 0 && v < n) next_bits[v >> 5] = word;
}

struct Graph {
    int n;
    std::vector<int> row_ptr, col_idx;
};

// Undirected graph with skewed degrees (at most 512).
static Graph make_graph(int n, int edges, unsigned seed) {
    Rng rng(seed);
    std::vector<int> name(n), deg(n, 0);
    std::iota(name.begin(), name.end(), 0);
    std::shuffle(name.begin(), name.end(), rng.gen);
    std::vector<std::pair<int, int>> list;
    list.reserve(edges);
    for (int e = 0; e < edges; ++e) {
        float a = rng.uniform(), b = rng.uniform();
        int u = name[std::min(n - 1, (int)(a * a * n))];
        int v = name[std::min(n - 1, (int)(b * b * n))];
        if (u == v || deg[u] >= 512 || deg[v] >= 512) continue;
        ++deg[u];
        ++deg[v];
        list.push_back({u, v});
    }
    Graph g;
    g.n = n;
    g.row_ptr.assign(n + 1, 0);
    for (int v = 0; v < n; ++v) g.row_ptr[v + 1] = g.row_ptr[v] + deg[v];
    g.col_idx.resize(g.row_ptr[n]);
    std::vector<int> fill(g.row_ptr.begin(), g.row_ptr.end() - 1);
    for (auto &e : list) {
        g.col_idx[fill[e.first]++] = e.second;
        g.col_idx[fill[e.second]++] = e.first;
    }
    return g;
}

static void run_bfs() {
    const int n = 300000;
    Graph g = make_graph(n, 1800000, 401);
    int root = 0;
    for (int v = 1; v < n; ++v)
        if (g.row_ptr[v + 1] - g.row_ptr[v] > g.row_ptr[root + 1] - g.row_ptr[root]) root = v;
    // Host search up to the first sizeable frontier.
    std::vector<int> dist(n, INT_MAX), cur(1, root), next;
    dist[root] = 0;
    int level = 0;
    while ((int)cur.size() < n / 50) {
        next.clear();
        for (int u : cur)
            for (int e = g.row_ptr[u]; e < g.row_ptr[u + 1]; ++e)
                if (dist[g.col_idx[e]] == INT_MAX) {
                    dist[g.col_idx[e]] = level + 1;
                    next.push_back(g.col_idx[e]);
                }
        if (next.empty()) break;
        cur.swap(next);
        ++level;
    }
    const int frontier_size = (int)cur.size(), words = div_up(n, 32);
    std::vector<unsigned> bits(words, 0);
    for (int u : cur) bits[u >> 5] |= 1u << (u & 31);
    const unsigned queue_cap = 1u << 22;
    int *d_ptr = upload(g.row_ptr), *d_cols = upload(g.col_idx), *d_dist = upload(dist);
    int *d_cur = upload(cur), *d_dist_next = upload(dist);
    int *d_queue = device_zeros<int>(queue_cap);
    unsigned *d_count = device_zeros<unsigned>(1);
    LAUNCH(bfs_push_frontier, div_up(frontier_size, 256), 256, 0, frontier_size, d_cur, d_ptr, d_cols, d_dist, level,
           d_dist_next, d_count, d_queue, queue_cap - 1);
    unsigned *d_bits = upload(bits), *d_next_bits = device_zeros<unsigned>(words);
    int *d_parent = upload(std::vector<int>(n, -1));
    LAUNCH(bfs_pull_bitmap, div_up(n, 128), 128, 0, n, d_ptr, d_cols, d_dist, d_bits, d_parent, d_next_bits);
}

// ---- Hash table and linked lists ----

#define HASH_EMPTY 0xffffffffu

__device__ __forceinline__ unsigned mix32(unsigned h) {
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    h ^= h >> 16;
    return h;
}

// Open addressing with linear probing; counts the occurrences of every key.
__global__ void hash_insert_cas(int n, const unsigned *__restrict__ keys, unsigned *slots, unsigned *counts,
                                unsigned mask) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned key = keys[i];
    unsigned h = mix32(key) & mask;
    for (unsigned probe = 0; probe <= mask; ++probe) {
        unsigned seen = slots[h];
        if (seen == HASH_EMPTY) seen = atomicCAS(&slots[h], HASH_EMPTY, key);
        if (seen == HASH_EMPTY || seen == key) {
            atomicAdd(&counts[h], 1u);
            return;
        }
        h = (h + 1) & mask;
    }
}

// Pushes every node to the front of its bucket's list. The lists are not
// walked on the device, so pushing a node again is harmless.
__global__ void list_push_cas(int n, const int *__restrict__ bucket_of, int *heads, int *next) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int b = bucket_of[i];
    int expected = heads[b];
    while (true) {
        next[i] = expected;
        int seen = atomicCAS(&heads[b], expected, i);
        if (seen == expected) break;
        expected = seen;
    }
}

static void run_hash() {
    Rng rng(501);
    const int n = 1 << 20, ids = 700000;
    const unsigned cap = 1u << 21;
    std::vector<unsigned> keys(n);
    std::vector<char> used(ids, 0);
    size_t distinct = 0;
    for (auto &k : keys) {
        int id = std::min(ids - 1, (int)(std::pow(rng.uniform(), 1.5f) * ids));
        if (!used[id]) ++distinct;
        used[id] = 1;
        k = (unsigned)id * 2654435761u; // odd multiplier: distinct keys
    }
    unsigned *d_keys = upload(keys);
    unsigned *d_slots = upload(std::vector<unsigned>(cap, HASH_EMPTY));
    unsigned *d_counts = device_zeros<unsigned>(cap);
    LAUNCH(hash_insert_cas, n / 128, 128, 0, n, d_keys, d_slots, d_counts, cap - 1);
    std::vector<unsigned> slots = download(d_slots, cap), counts = download(d_counts, cap);
    size_t filled = 0;
    unsigned long long total = 0;
    for (unsigned s = 0; s < cap; ++s) {
        filled += slots[s] != HASH_EMPTY;
        total += counts[s];
    }
    verdict("hash_insert_cas", filled == distinct && total == 4ull * n);
}

static void run_list_push() {
    Rng rng(502);
    const int n = 1 << 19, buckets = 65536;
    std::vector<int> bucket_of(n);
    for (auto &b : bucket_of) b = std::min(buckets - 1, (int)(std::pow(rng.uniform(), 1.3f) * buckets));
    int *d_bucket = upload(bucket_of);
    int *d_heads = upload(std::vector<int>(buckets, -1));
    int *d_next = upload(std::vector<int>(n, -1));
    LAUNCH(list_push_cas, n / 64, 64, 0, n, d_bucket, d_heads, d_next);
}

// ---- Sorting ----

#define BITONIC_TILE 2048

// Sorts independent tiles of 2048 keys, 512 threads per tile.
__global__ void bitonic_shared_u32(const unsigned *__restrict__ in, unsigned *__restrict__ out) {
    __shared__ unsigned s[BITONIC_TILE];
    size_t base = (size_t)blockIdx.x * BITONIC_TILE;
    for (int t = threadIdx.x; t < BITONIC_TILE; t += blockDim.x) s[t] = in[base + t];
    for (int k = 2; k <= BITONIC_TILE; k <<= 1) {
        for (int j = k >> 1; j > 0; j >>= 1) {
            __syncthreads();
            for (int p = threadIdx.x; p < BITONIC_TILE / 2; p += blockDim.x) {
                int i = 2 * p - (p & (j - 1));
                int l = i + j;
                bool up = (i & k) == 0;
                unsigned a = s[i], b = s[l];
                if ((a > b) == up) {
                    s[i] = b;
                    s[l] = a;
                }
            }
        }
    }
    __syncthreads();
    for (int t = threadIdx.x; t < BITONIC_TILE; t += blockDim.x) out[base + t] = s[t];
}

// One compare-exchange step of the global network on key/value pairs.
__global__ void bitonic_global_f32(int half, int j, int k, float *__restrict__ keys, unsigned *__restrict__ values) {
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= half) return;
    int i = 2 * p - (p & (j - 1));
    int l = i + j;
    float ka = keys[i], kb = keys[l];
    unsigned va = values[i], vb = values[l];
    bool swap = ((i & k) == 0) ? (ka > kb) : (ka < kb);
    keys[i] = swap ? kb : ka;
    keys[l] = swap ? ka : kb;
    values[i] = swap ? vb : va;
    values[l] = swap ? va : vb;
}

#define RADIX_TILE 4096

// Digit counts per tile, digit-major: counts[digit * tiles + tile]. 256 threads.
__global__ void radix_hist_8bit(const unsigned *__restrict__ keys, int shift, unsigned *__restrict__ counts) {
    __shared__ unsigned bins[256];
    int tid = threadIdx.x;
    bins[tid] = 0;
    __syncthreads();
    size_t base = (size_t)blockIdx.x * RADIX_TILE;
#pragma unroll 4
    for (int r = 0; r < RADIX_TILE / 256; ++r) {
        unsigned key = keys[base + r * 256 + tid];
        atomicAdd(&bins[(key >> shift) & 255u], 1u);
    }
    __syncthreads();
    counts[(size_t)tid * gridDim.x + blockIdx.x] = bins[tid];
}

// Stable scatter of a tile with precomputed digit offsets. 256 threads, every
// warp ranks 512 consecutive keys with match_any.
__global__ void radix_scatter_8bit(const unsigned *__restrict__ keys, int shift, const unsigned *__restrict__ offsets,
                                   unsigned *__restrict__ out) {
    __shared__ unsigned place[8][256];
    int tid = threadIdx.x, lane = tid & 31, warp = tid >> 5;
    for (int w = 0; w < 8; ++w) place[w][tid] = 0;
    __syncthreads();
    size_t base = (size_t)blockIdx.x * RADIX_TILE + warp * 512 + lane;
    unsigned key[16];
#pragma unroll
    for (int r = 0; r < 16; ++r) key[r] = keys[base + r * 32];
#pragma unroll
    for (int r = 0; r < 16; ++r) {
        unsigned d = (key[r] >> shift) & 255u;
        unsigned peers = __match_any_sync(FULL, d);
        if (lane == __ffs(peers) - 1) place[warp][d] += __popc(peers);
        __syncwarp();
    }
    __syncthreads();
    unsigned run = offsets[(size_t)tid * gridDim.x + blockIdx.x];
    for (int w = 0; w < 8; ++w) {
        unsigned c = place[w][tid];
        place[w][tid] = run;
        run += c;
    }
    __syncthreads();
    unsigned below = (1u << lane) - 1u;
#pragma unroll
    for (int r = 0; r < 16; ++r) {
        unsigned d = (key[r] >> shift) & 255u;
        unsigned peers = __match_any_sync(FULL, d);
        unsigned start = place[warp][d];
        __syncwarp();
        if (lane == __ffs(peers) - 1) place[warp][d] = start + __popc(peers);
        __syncwarp();
        out[start + __popc(peers & below)] = key[r];
    }
}

static void run_bitonic_shared() {
    Rng rng(601);
    const int n = 1 << 21;
    std::vector<unsigned> in(n);
    for (auto &v : in) v = rng.bits();
    unsigned *d_in = upload(in), *d_out = device_zeros<unsigned>(n);
    LAUNCH(bitonic_shared_u32, n / BITONIC_TILE, 512, 0, d_in, d_out);
    for (int t = 0; t < n; t += BITONIC_TILE) std::sort(in.begin() + t, in.begin() + t + BITONIC_TILE);
    verdict("bitonic_shared_u32", download(d_out, n) == in);
}

static void run_bitonic_global() {
    Rng rng(602);
    const int n = 1 << 22, j = 1 << 15, k = 1 << 20;
    std::vector<float> keys(n);
    std::vector<unsigned> values(n);
    for (int i = 0; i < n; ++i) {
        keys[i] = rng.symmetric() * 1000.0f;
        values[i] = (unsigned)i;
    }
    float *d_keys = upload(keys);
    unsigned *d_values = upload(values);
    LAUNCH(bitonic_global_f32, n / 2 / 256, 256, 0, n / 2, j, k, d_keys, d_values);
}

static void run_radix() {
    Rng rng(603);
    const int n = 1 << 22, tiles = n / RADIX_TILE, shift = 8;
    std::vector<unsigned> keys(n);
    for (auto &v : keys) v = rng.bits() & (rng.bits() | 0x00ff00ffu); // uneven digits
    unsigned *d_keys = upload(keys);
    unsigned *d_counts = device_zeros<unsigned>((size_t)256 * tiles);
    LAUNCH(radix_hist_8bit, tiles, 256, 0, d_keys, shift, d_counts);
    std::vector<unsigned> counts((size_t)256 * tiles, 0);
    for (int i = 0; i < n; ++i) ++counts[(size_t)((keys[i] >> shift) & 255u) * tiles + i / RADIX_TILE];
    // Exclusive prefix sum over (digit, tile), on the host.
    unsigned run = 0;
    for (auto &c : counts) {
        unsigned v = c;
        c = run;
        run += v;
    }
    unsigned *d_offsets = upload(counts), *d_out = device_zeros<unsigned>(n);
    LAUNCH(radix_scatter_8bit, tiles, 256, 0, d_keys, shift, d_offsets, d_out);
    std::stable_sort(keys.begin(), keys.end(),
                     [=](unsigned a, unsigned b) { return ((a >> shift) & 255u) < ((b >> shift) & 255u); });
    verdict("radix_scatter_8bit", download(d_out, n) == keys);
}

// ---- Block scans ----

// Exclusive scan of 1024 integers per block: 256 threads, one int4 each.
__global__ void scan_shfl_i32(const int4 *__restrict__ in, int4 *__restrict__ out, int *__restrict__ block_sums) {
    __shared__ int warp_sums[8];
    int tid = threadIdx.x, lane = tid & 31, warp = tid >> 5;
    size_t i = (size_t)blockIdx.x * 256 + tid;
    int4 v = in[i];
    int own = v.x + v.y + v.z + v.w;
    int incl = own;
    for (int o = 1; o < 32; o <<= 1) {
        int t = __shfl_up_sync(FULL, incl, o);
        if (lane >= o) incl += t;
    }
    if (lane == 31) warp_sums[warp] = incl;
    __syncthreads();
    if (warp == 0) {
        int s = lane < 8 ? warp_sums[lane] : 0;
        for (int o = 1; o < 8; o <<= 1) {
            int t = __shfl_up_sync(FULL, s, o);
            if (lane >= o) s += t;
        }
        if (lane < 8) warp_sums[lane] = s;
    }
    __syncthreads();
    int start = (warp > 0 ? warp_sums[warp - 1] : 0) + incl - own;
    int4 r;
    r.x = start;
    r.y = r.x + v.x;
    r.z = r.y + v.y;
    r.w = r.z + v.z;
    out[i] = r;
    if (tid == 255) block_sums[blockIdx.x] = start + own;
}

__device__ __forceinline__ int padded(int i) { return i + (i >> 4); }

// Work-efficient exclusive scan of 256 doubles per block, 128 threads.
__global__ void scan_blelloch_f64(const double *__restrict__ in, double *__restrict__ out,
                                  double *__restrict__ block_sums) {
    __shared__ double s[256 + 16];
    int tid = threadIdx.x;
    size_t base = (size_t)blockIdx.x * 256;
    s[padded(tid)] = in[base + tid];
    s[padded(tid + 128)] = in[base + tid + 128];
    int offset = 1;
    for (int d = 128; d > 0; d >>= 1) {
        __syncthreads();
        if (tid < d) {
            int a = padded(offset * (2 * tid + 1) - 1);
            int b = padded(offset * (2 * tid + 2) - 1);
            s[b] += s[a];
        }
        offset <<= 1;
    }
    if (tid == 0) {
        block_sums[blockIdx.x] = s[padded(255)];
        s[padded(255)] = 0.0;
    }
    for (int d = 1; d < 256; d <<= 1) {
        offset >>= 1;
        __syncthreads();
        if (tid < d) {
            int a = padded(offset * (2 * tid + 1) - 1);
            int b = padded(offset * (2 * tid + 2) - 1);
            double t = s[a];
            s[a] = s[b];
            s[b] += t;
        }
    }
    __syncthreads();
    out[base + tid] = s[padded(tid)];
    out[base + tid + 128] = s[padded(tid + 128)];
}

static void run_scans() {
    Rng rng(701);
    {
        const int n = 1 << 22, blocks = n / 1024;
        std::vector<int4> in(n / 4);
        for (auto &v : in) v = make_int4(rng.below(9), rng.below(9), rng.below(9), rng.below(9));
        int4 *d_in = upload(in), *d_out = device_zeros<int4>(n / 4);
        int *d_sums = device_zeros<int>(blocks);
        LAUNCH(scan_shfl_i32, blocks, 256, 0, d_in, d_out, d_sums);
    }
    {
        const int n = 1 << 20, blocks = n / 256;
        std::vector<double> in(n);
        for (auto &v : in) v = rng.uniform();
        double *d_in = upload(in), *d_out = device_zeros<double>(n);
        double *d_sums = device_zeros<double>(blocks);
        LAUNCH(scan_blelloch_f64, blocks, 128, 0, d_in, d_out, d_sums);
    }
}

// ---- Stream compaction ----

// Four elements per thread, one counter update per warp and element. The
// counter keeps growing over the launches, the output is a ring.
__global__ void compact_ballot_f32(int n, const float *__restrict__ in, float limit, unsigned *__restrict__ count,
                                   float *__restrict__ out, unsigned out_mask) {
    int lane = threadIdx.x & 31;
    int base = blockIdx.x * (blockDim.x * 4) + threadIdx.x;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        int i = base + k * blockDim.x;
        float v = i < n ? in[i] : 0.0f;
        bool keep = i < n && v > limit;
        unsigned votes = __ballot_sync(FULL, keep);
        if (votes == 0) continue;
        unsigned start = 0;
        if (lane == 0) start = atomicAdd(count, (unsigned)__popc(votes));
        start = __shfl_sync(FULL, start, 0);
        if (keep) out[(start + __popc(votes & ((1u << lane) - 1u))) & out_mask] = v;
    }
}

static void run_compact() {
    Rng rng(801);
    const int n = 3000000;
    const unsigned cap = 1u << 22;
    const float limit = 0.6f;
    std::vector<float> in(n);
    unsigned expected = 0;
    for (int i = 0; i < n; ++i) {
        in[i] = 0.7f * std::sin(0.00005f * (float)i) + 0.5f * rng.symmetric();
        expected += in[i] > limit;
    }
    float *d_in = upload(in), *d_out = device_zeros<float>(cap);
    unsigned *d_count = device_zeros<unsigned>(1);
    LAUNCH(compact_ballot_f32, div_up(n, 192 * 4), 192, 0, n, d_in, limit, d_count, d_out, cap - 1);
    verdict("compact_ballot_f32", download(d_count, 1)[0] == 4u * expected);
}

// ---- Reductions ----

__global__ void reduce_sum_f4(int n4, const float4 *__restrict__ in, double *__restrict__ total) {
    __shared__ float warp_sums[32];
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    int stride = gridDim.x * blockDim.x;
    float sum = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n4; i += stride) {
        float4 v = in[i];
        sum += (v.x + v.y) + (v.z + v.w);
    }
    for (int o = 16; o > 0; o >>= 1) sum += __shfl_down_sync(FULL, sum, o);
    if (lane == 0) warp_sums[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = lane < (int)(blockDim.x >> 5) ? warp_sums[lane] : 0.0f;
        for (int o = 16; o > 0; o >>= 1) sum += __shfl_down_sync(FULL, sum, o);
        if (lane == 0) atomicAdd(total, (double)sum);
    }
}

// Shared-memory tree over 2048 values per block of 1024 threads; the smallest
// index wins among equal values.
__global__ void reduce_argmax_tree_i32(const int *__restrict__ in, int *__restrict__ best_value,
                                       int *__restrict__ best_index) {
    __shared__ int value[1024];
    __shared__ int index[1024];
    int tid = threadIdx.x;
    int i = blockIdx.x * 2048 + tid;
    int a = in[i], b = in[i + 1024];
    value[tid] = b > a ? b : a;
    index[tid] = b > a ? i + 1024 : i;
    __syncthreads();
    for (int s = 512; s > 0; s >>= 1) {
        if (tid < s) {
            int v = value[tid + s], x = index[tid + s];
            if (v > value[tid] || (v == value[tid] && x < index[tid])) {
                value[tid] = v;
                index[tid] = x;
            }
        }
        __syncthreads();
    }
    if (tid == 0) {
        best_value[blockIdx.x] = value[0];
        best_index[blockIdx.x] = index[0];
    }
}

static void run_reductions() {
    Rng rng(901);
    {
        const int n4 = 2 << 20; // 8M floats
        std::vector<float4> in(n4);
        double ref = 0.0;
        for (auto &v : in) {
            v = make_float4(rng.uniform(), rng.uniform(), rng.uniform(), rng.uniform());
            ref += (double)v.x + v.y + v.z + v.w;
        }
        float4 *d_in = upload(in);
        double *d_total = device_zeros<double>(1);
        LAUNCH(reduce_sum_f4, 264, 512, 0, n4, d_in, d_total);
        double got = download(d_total, 1)[0];
        verdict("reduce_sum_f4", std::fabs(got - 4.0 * ref) < 1e-5 * 4.0 * ref);
    }
    {
        const int n = 1 << 21, blocks = n / 2048;
        std::vector<int> in(n);
        for (auto &v : in) v = rng.between(-50000, 50000);
        int *d_in = upload(in);
        int *d_value = device_zeros<int>(blocks), *d_index = device_zeros<int>(blocks);
        LAUNCH(reduce_argmax_tree_i32, blocks, 1024, 0, d_in, d_value, d_index);
    }
}

// ---- Union-find and label propagation ----

// Find both roots of every edge and propose hooking the larger root under the
// smallest root it meets. The forest itself is only read (parent[i] <= i).
__global__ void uf_find_hook(int edges, const int2 *__restrict__ edge, const int *__restrict__ parent,
                             int *__restrict__ hook, unsigned *__restrict__ crossing) {
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    bool crosses = false;
    if (e < edges) {
        int2 uv = edge[e];
        int u = uv.x, v = uv.y;
        int pu = parent[u], pv = parent[v];
        while (pu != u) {
            u = pu;
            pu = parent[u];
        }
        while (pv != v) {
            v = pv;
            pv = parent[v];
        }
        crosses = u != v;
        if (crosses) atomicMin(&hook[max(u, v)], min(u, v));
    }
    int blocks_crossing = __syncthreads_count(crosses);
    if (threadIdx.x == 0 && blocks_crossing) atomicAdd(crossing, (unsigned)blocks_crossing);
}

// One round of connected-component labelling: smallest label among the eight
// neighbours of equal colour, then one pointer jump.
__global__ void label_prop_image(int width, int height, const unsigned char *__restrict__ colour,
                                 const int *__restrict__ label_in, int *__restrict__ label_out,
                                 int *__restrict__ changed) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int i = y * width + x;
    unsigned char c = colour[i];
    int own = label_in[i], best = own;
    for (int dy = -1; dy <= 1; ++dy) {
        int yy = y + dy;
        if (yy < 0 || yy >= height) continue;
        for (int dx = -1; dx <= 1; ++dx) {
            int xx = x + dx;
            if (xx < 0 || xx >= width) continue;
            int k = yy * width + xx;
            if (colour[k] == c) best = min(best, label_in[k]);
        }
    }
    best = min(best, label_in[best]);
    label_out[i] = best;
    if (best != own) *changed = 1;
}

static void run_union_find() {
    Rng rng(1001);
    const int n = 500000, edges = 1000000;
    std::vector<int> parent(n), root(n), hook(n);
    for (int i = 0; i < n; ++i) {
        bool is_root = i == 0 || rng.below(40) == 0;
        parent[i] = is_root ? i : i - 1 - rng.below((i + 1) / 2);
        root[i] = is_root ? i : root[parent[i]];
        hook[i] = i;
    }
    std::vector<int2> edge(edges);
    for (auto &e : edge) {
        int u = rng.below(n);
        int v = rng.below(4) ? std::min(n - 1, u + rng.below(1000)) : rng.below(n);
        e = make_int2(u, v);
    }
    int *d_parent = upload(parent), *d_hook = upload(hook);
    int2 *d_edge = upload(edge);
    unsigned *d_crossing = device_zeros<unsigned>(1);
    LAUNCH(uf_find_hook, div_up(edges, 256), 256, 0, edges, d_edge, d_parent, d_hook, d_crossing);
    for (auto &e : edge) {
        int u = root[e.x], v = root[e.y];
        if (u != v) hook[std::max(u, v)] = std::min(hook[std::max(u, v)], std::min(u, v));
    }
    verdict("uf_find_hook", download(d_hook, n) == hook);
}

static void run_label_prop() {
    Rng rng(1002);
    const int width = 1500, height = 1100, n = width * height;
    std::vector<unsigned char> colour(n);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            float f = std::sin(0.031f * x) + std::cos(0.047f * y + 0.01f * x);
            int c = (int)(f * 2.0f + 4.0f);
            if (rng.below(16) == 0) c = rng.below(8); // speckle
            colour[y * width + x] = (unsigned char)c;
        }
    std::vector<int> label(n);
    std::iota(label.begin(), label.end(), 0);
    unsigned char *d_colour = upload(colour);
    int *d_in = upload(label), *d_out = device_zeros<int>(n);
    int *d_changed = device_zeros<int>(1);
    LAUNCH(label_prop_image, dim3(div_up(width, 32), div_up(height, 8)), dim3(32, 8), 0, width, height, d_colour,
           d_in, d_out, d_changed);
}

// ---- Particles in a cell list ----

// Short-range forces; particles are sorted by cell, the box is periodic and a
// cell has unit size, which is also the cutoff.
__global__ void cell_forces_lj(int n, int cells, const float4 *__restrict__ pos, const int *__restrict__ cell_start,
                               float4 *__restrict__ force) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float box = (float)cells, half = 0.5f * box;
    float4 p = pos[i];
    int cx = min(cells - 1, max(0, (int)p.x));
    int cy = min(cells - 1, max(0, (int)p.y));
    int cz = min(cells - 1, max(0, (int)p.z));
    float fx = 0.0f, fy = 0.0f, fz = 0.0f, energy = 0.0f;
    for (int dz = -1; dz <= 1; ++dz) {
        int z = (cz + dz + cells) % cells;
        for (int dy = -1; dy <= 1; ++dy) {
            int y = (cy + dy + cells) % cells;
            for (int dx = -1; dx <= 1; ++dx) {
                int x = (cx + dx + cells) % cells;
                int c = (z * cells + y) * cells + x;
                int end = cell_start[c + 1];
                for (int j = cell_start[c]; j < end; ++j) {
                    if (j == i) continue;
                    float4 q = pos[j];
                    float rx = p.x - q.x, ry = p.y - q.y, rz = p.z - q.z;
                    if (rx > half) rx -= box;
                    if (rx < -half) rx += box;
                    if (ry > half) ry -= box;
                    if (ry < -half) ry += box;
                    if (rz > half) rz -= box;
                    if (rz < -half) rz += box;
                    float r2 = rx * rx + ry * ry + rz * rz;
                    if (r2 >= 1.0f) continue;
                    r2 = fmaxf(r2, 0.04f);
                    float s2 = 0.09f / r2;
                    float s6 = s2 * s2 * s2;
                    float f = 24.0f * p.w * q.w * s6 * (2.0f * s6 - 1.0f) / r2;
                    fx += f * rx;
                    fy += f * ry;
                    fz += f * rz;
                    energy += 2.0f * s6 * (s6 - 1.0f);
                }
            }
        }
    }
    force[i] = make_float4(fx, fy, fz, energy);
}

static void run_cell_forces() {
    Rng rng(1101);
    const int cells = 24, n = 110000, total_cells = cells * cells * cells;
    std::vector<float4> raw(n), pos(n);
    std::vector<int> cell(n), start(total_cells + 1, 0);
    std::normal_distribution<float> clump(12.0f, 3.0f);
    auto coord = [&](bool clustered) {
        float v = clustered ? clump(rng.gen) : rng.uniform() * cells;
        while (v < 0.0f) v += cells;
        while (v >= (float)cells) v -= cells;
        return v;
    };
    for (int i = 0; i < n; ++i) {
        bool clustered = rng.below(5) == 0;
        float x = coord(clustered), y = coord(clustered), z = coord(clustered);
        raw[i] = make_float4(x, y, z, 0.5f + rng.uniform());
        cell[i] = ((int)z * cells + (int)y) * cells + (int)x;
        ++start[cell[i] + 1];
    }
    for (int c = 0; c < total_cells; ++c) start[c + 1] += start[c];
    std::vector<int> fill(start.begin(), start.end() - 1);
    for (int i = 0; i < n; ++i) pos[fill[cell[i]]++] = raw[i];
    float4 *d_pos = upload(pos), *d_force = device_zeros<float4>(n);
    int *d_start = upload(start);
    LAUNCH(cell_forces_lj, div_up(n, 128), 128, 0, n, cells, d_pos, d_start, d_force);
}

// ---- Monte Carlo walks ----

// Metropolis walkers on a periodic 1024 x 1024 energy landscape. Positions and
// generator states carry on from launch to launch.
__global__ void mc_walk_terrain(int walkers, int steps, float beta, const float *__restrict__ terrain,
                                int2 *__restrict__ where, unsigned *__restrict__ state,
                                float *__restrict__ mean_energy) {
    int w = blockIdx.x * blockDim.x + threadIdx.x;
    if (w >= walkers) return;
    unsigned s = state[w];
    int2 p = where[w];
    float e = terrain[p.y * 1024 + p.x];
    float sum = 0.0f;
    for (int t = 0; t < steps; ++t) {
        s ^= s << 13;
        s ^= s >> 17;
        s ^= s << 5;
        int dir = (int)(s >> 30), len = 1 + (int)((s >> 26) & 7u);
        int nx = p.x, ny = p.y;
        if (dir == 0) nx = (nx + len) & 1023;
        else if (dir == 1) nx = (nx - len) & 1023;
        else if (dir == 2) ny = (ny + len) & 1023;
        else ny = (ny - len) & 1023;
        float trial = terrain[ny * 1024 + nx];
        float u = (float)(s & 0xffffu) * (1.0f / 65536.0f);
        if (trial <= e || u < __expf(-beta * (trial - e))) {
            p.x = nx;
            p.y = ny;
            e = trial;
        }
        sum += e;
    }
    where[w] = p;
    state[w] = s;
    mean_energy[w] = sum / (float)steps;
}

static void run_mc_walk() {
    Rng rng(1201);
    const int walkers = 120000, steps = 96;
    std::vector<float> terrain(1024 * 1024);
    for (int y = 0; y < 1024; ++y)
        for (int x = 0; x < 1024; ++x)
            terrain[y * 1024 + x] = std::sin(0.0184078f * x) * std::cos(0.0306796f * y) + 0.4f * rng.uniform();
    std::vector<int2> where(walkers);
    std::vector<unsigned> state(walkers);
    for (int w = 0; w < walkers; ++w) {
        where[w] = make_int2(rng.below(1024), rng.below(1024));
        state[w] = rng.bits() | 1u; // never zero
    }
    float *d_terrain = upload(terrain), *d_mean = device_zeros<float>(walkers);
    int2 *d_where = upload(where);
    unsigned *d_state = upload(state);
    LAUNCH(mc_walk_terrain, div_up(walkers, 160), 160, 0, walkers, steps, 2.5f, d_terrain, d_where, d_state, d_mean);
}

// ---- Triangular and tridiagonal solves ----

// One level of a level-scheduled lower triangular solve, eight lanes per row.
// The diagonal is the last entry of a row; rows of the level depend only on
// rows of earlier levels.
__global__ void sptrsv_level_f64(int level_size, const int *__restrict__ level_rows, const int *__restrict__ row_ptr,
                                 const int *__restrict__ col_idx, const double *__restrict__ val,
                                 const double *__restrict__ b, double *x) {
    int lane = threadIdx.x & 7;
    int slot = (blockIdx.x * blockDim.x + threadIdx.x) >> 3;
    bool active = slot < level_size;
    int row = active ? level_rows[slot] : 0;
    int last = active ? row_ptr[row + 1] - 1 : 0;
    double sum = 0.0;
    if (active)
        for (int e = row_ptr[row] + lane; e < last; e += 8) sum += val[e] * x[col_idx[e]];
    for (int o = 4; o > 0; o >>= 1) sum += __shfl_down_sync(FULL, sum, o, 8);
    if (active && lane == 0) x[row] = (b[row] - sum) / val[last];
}

// Parallel cyclic reduction, one system of 256 unknowns per block.
__global__ void tridiag_pcr_f32(const float *__restrict__ lower, const float *__restrict__ diag,
                                const float *__restrict__ upper, const float *__restrict__ rhs,
                                float *__restrict__ x) {
    __shared__ float sa[256], sb[256], sc[256], sd[256];
    int i = threadIdx.x;
    size_t g = (size_t)blockIdx.x * 256 + i;
    float a = lower[g], b = diag[g], c = upper[g], d = rhs[g];
    sa[i] = a;
    sb[i] = b;
    sc[i] = c;
    sd[i] = d;
    __syncthreads();
    for (int s = 1; s < 256; s <<= 1) {
        float na = 0.0f, nb = b, nc = 0.0f, nd = d;
        if (i - s >= 0) {
            float k = a / sb[i - s];
            na = -sa[i - s] * k;
            nb -= sc[i - s] * k;
            nd -= sd[i - s] * k;
        }
        if (i + s < 256) {
            float k = c / sb[i + s];
            nc = -sc[i + s] * k;
            nb -= sa[i + s] * k;
            nd -= sd[i + s] * k;
        }
        __syncthreads();
        a = sa[i] = na;
        b = sb[i] = nb;
        c = sc[i] = nc;
        d = sd[i] = nd;
        __syncthreads();
    }
    x[g] = d / b;
}

static void run_sptrsv() {
    Rng rng(1301);
    const int per_level = 40000, levels = 4, n = per_level * levels;
    std::vector<int> row_ptr(n + 1, 0), cols;
    std::vector<double> vals, b(n), x(n, 0.0);
    for (int r = 0; r < n; ++r) {
        int level = r / per_level, solved = level * per_level;
        int len = level == 0 ? 0 : rng.between(4, 40);
        double s = 0.0;
        b[r] = rng.symmetric();
        for (int k = 0; k < len; ++k) {
            // mostly nearby rows of the level before, some far ones
            int c = rng.below(4) ? r - per_level + rng.between(-300, 300) : rng.below(solved);
            c = std::min(std::max(c, 0), solved - 1);
            double v = 0.05 * rng.symmetric();
            cols.push_back(c);
            vals.push_back(v);
            s += v * x[c];
        }
        double dia = 1.0 + rng.uniform();
        cols.push_back(r);
        vals.push_back(dia);
        row_ptr[r + 1] = (int)cols.size();
        x[r] = (b[r] - s) / dia;
    }
    std::vector<int> rows(per_level);
    std::iota(rows.begin(), rows.end(), n - per_level);
    std::shuffle(rows.begin(), rows.end(), rng.gen);
    std::vector<double> x0 = x;
    std::fill(x0.end() - per_level, x0.end(), 0.0); // last level still unknown
    int *d_rows = upload(rows), *d_ptr = upload(row_ptr), *d_cols = upload(cols);
    double *d_vals = upload(vals), *d_b = upload(b), *d_x = upload(x0);
    LAUNCH(sptrsv_level_f64, div_up(per_level * 8, 128), 128, 0, per_level, d_rows, d_ptr, d_cols, d_vals, d_b, d_x);
    std::vector<double> got = download(d_x, n);
    bool ok = true;
    for (int r = 0; r < n; ++r) ok = ok && std::fabs(got[r] - x[r]) < 1e-11;
    verdict("sptrsv_level_f64", ok);
}

static void run_pcr() {
    Rng rng(1302);
    const int systems = 4096, n = systems * 256;
    std::vector<float> a(n), b(n), c(n), d(n);
    for (int i = 0; i < n; ++i) {
        a[i] = (i % 256 == 0) ? 0.0f : rng.symmetric();
        c[i] = (i % 256 == 255) ? 0.0f : rng.symmetric();
        b[i] = 2.5f + rng.uniform();
        d[i] = rng.symmetric();
    }
    float *d_a = upload(a), *d_b = upload(b), *d_c = upload(c), *d_d = upload(d);
    float *d_x = device_zeros<float>(n);
    LAUNCH(tridiag_pcr_f32, systems, 256, 0, d_a, d_b, d_c, d_d, d_x);
    std::vector<float> x = download(d_x, n);
    bool ok = true;
    for (int i = 0; i < n; ++i) {
        float r = b[i] * x[i] - d[i];
        if (i % 256 != 0) r += a[i] * x[i - 1];
        if (i % 256 != 255) r += c[i] * x[i + 1];
        ok = ok && std::fabs(r) < 1e-4f;
    }
    verdict("tridiag_pcr_f32", ok);
}

// ---- Triad of low occupancy ----

#define TRIAD_TILE 6144

// a = b + s * c through 96 KiB of shared memory: at most two blocks of 64
// threads fit on a multiprocessor. n must be even.
__global__ void triad_lowocc_f64(int n, double scale, const double *__restrict__ b, const double *__restrict__ c,
                                 double2 *__restrict__ a) {
    extern __shared__ double tile[];
    double *tb = tile, *tc = tile + TRIAD_TILE;
    int tiles = (n + TRIAD_TILE - 1) / TRIAD_TILE;
    for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
        int base = t * TRIAD_TILE;
        int count = min(TRIAD_TILE, n - base);
#pragma unroll 4
        for (int i = threadIdx.x; i < count; i += blockDim.x) {
            tb[i] = b[base + i];
            tc[i] = c[base + i];
        }
        __syncthreads();
        for (int i = threadIdx.x; i < count / 2; i += blockDim.x)
            a[base / 2 + i] = make_double2(tb[2 * i] + scale * tc[2 * i], tb[2 * i + 1] + scale * tc[2 * i + 1]);
        __syncthreads();
    }
}

static void run_triad() {
    Rng rng(1401);
    const int n = 2000000;
    const int smem = 2 * TRIAD_TILE * (int)sizeof(double);
    std::vector<double> b(n), c(n);
    for (int i = 0; i < n; ++i) {
        b[i] = rng.symmetric();
        c[i] = rng.symmetric();
    }
    double *d_b = upload(b), *d_c = upload(c);
    double2 *d_a = device_zeros<double2>(n / 2);
    CK(cudaFuncSetAttribute(triad_lowocc_f64, cudaFuncAttributeMaxDynamicSharedMemorySize, smem));
    LAUNCH(triad_lowocc_f64, 132, 64, smem, n, 0.75, d_b, d_c, d_a);
}

// ---- 3-D stencils ----

__global__ void stencil7_f32(int nx, int ny, int nz, float c0, float c1, const float *__restrict__ in,
                             float *__restrict__ out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= nx || y >= ny || z >= nz) return;
    int plane = nx * ny;
    int i = z * plane + y * nx + x;
    float v = in[i];
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1) {
        float sum = in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + in[i - plane] + in[i + plane];
        v = c0 * v + c1 * sum;
    }
    out[i] = v;
}

#define ZCHUNK 32
__constant__ float wave_coef[5];

// Radius-4 star, tiles of 32 x 8 marching through 32 planes. The volume has a
// halo of 4 cells on every side; blocks cover the interior exactly.
__global__ void stencil25_zmarch_f32(int px, int py, const float *__restrict__ in, float *__restrict__ out) {
    __shared__ float tile[16][40];
    int tx = threadIdx.x, ty = threadIdx.y;
    int x0 = blockIdx.x * 32, y0 = blockIdx.y * 8, z0 = blockIdx.z * ZCHUNK;
    size_t plane = (size_t)px * py;
    size_t column = (size_t)(y0 + ty + 4) * px + (x0 + tx + 4);
    float q[9];
#pragma unroll
    for (int k = 0; k < 8; ++k) q[k] = in[(z0 + k) * plane + column];
    for (int z = z0; z < z0 + ZCHUNK; ++z) {
        q[8] = in[(z + 8) * plane + column];
        const float *mid = in + (z + 4) * plane;
        tile[ty + 4][tx + 4] = q[4];
        if (ty < 4) {
            tile[ty][tx + 4] = mid[(size_t)(y0 + ty) * px + x0 + tx + 4];
            tile[ty + 12][tx + 4] = mid[(size_t)(y0 + ty + 12) * px + x0 + tx + 4];
        }
        if (tx < 4) {
            tile[ty + 4][tx] = mid[(size_t)(y0 + ty + 4) * px + x0 + tx];
            tile[ty + 4][tx + 36] = mid[(size_t)(y0 + ty + 4) * px + x0 + tx + 36];
        }
        __syncthreads();
        float sum = 3.0f * wave_coef[0] * q[4];
#pragma unroll
        for (int r = 1; r <= 4; ++r)
            sum += wave_coef[r] * (q[4 - r] + q[4 + r] + tile[ty + 4 - r][tx + 4] + tile[ty + 4 + r][tx + 4] +
                                   tile[ty + 4][tx + 4 - r] + tile[ty + 4][tx + 4 + r]);
        out[(z + 4) * plane + column] = sum;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 8; ++k) q[k] = q[k + 1];
    }
}

static void run_stencil7() {
    Rng rng(1501);
    const int nx = 250, ny = 190, nz = 121, n = nx * ny * nz;
    std::vector<float> in = random_floats(rng, n);
    float *d_in = upload(in), *d_out = device_zeros<float>(n);
    LAUNCH(stencil7_f32, dim3(div_up(nx, 32), div_up(ny, 4), div_up(nz, 2)), dim3(32, 4, 2), 0, nx, ny, nz, 0.4f,
           0.1f, d_in, d_out);
}

static void run_stencil25() {
    Rng rng(1502);
    const int nx = 192, ny = 160, nz = 3 * ZCHUNK;
    const int px = nx + 8, py = ny + 8, pz = nz + 8, n = px * py * pz;
    const float coef[5] = {-2.8472f, 1.6f, -0.2f, 0.025397f, -0.001786f};
    std::vector<float> in = random_floats(rng, n);
    CK(cudaMemcpyToSymbol(wave_coef, coef, sizeof(coef)));
    float *d_in = upload(in), *d_out = device_zeros<float>(n);
    LAUNCH(stencil25_zmarch_f32, dim3(nx / 32, ny / 8, nz / ZCHUNK), dim3(32, 8), 0, px, py, d_in, d_out);
}

int main() {
    cudaDeviceProp prop;
    CK(cudaGetDeviceProperties(&prop, 0));
    std::printf("device: %s, %d multiprocessors\n", prop.name, prop.multiProcessorCount);
    void (*groups[])() = {run_spmv_csr_scalar,
                          run_spmv_csr_vector,
                          run_spmv_ell,
                          run_gather,
                          run_scatter,
                          run_hist_global,
                          run_hist_shared,
                          run_bfs,
                          run_hash,
                          run_list_push,
                          run_bitonic_shared,
                          run_bitonic_global,
                          run_radix,
                          run_scans,
                          run_compact,
                          run_reductions,
                          run_union_find,
                          run_label_prop,
                          run_cell_forces,
                          run_mc_walk,
                          run_sptrsv,
                          run_pcr,
                          run_triad,
                          run_stencil7,
                          run_stencil25};
    for (auto run : groups) {
        run();
        release_all();
    }
    std::printf("done, %d mismatches\n", g_mismatches);
    return g_mismatches ? 2 : 0;
}
