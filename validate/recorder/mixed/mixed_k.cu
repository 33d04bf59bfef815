// mixed_k.cu - 29 everyday GPU kernels, each launched four times and checked against the host.
#include <cuda_runtime.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <vector>

#define CK(call)                                                                        \
    do {                                                                                \
        cudaError_t e_ = (call);                                                        \
        if (e_ != cudaSuccess) {                                                        \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); \
            std::exit(2);                                                               \
        }                                                                               \
    } while (0)

static constexpr int kRepeats = 4;
static constexpr unsigned kFull = 0xffffffffu;
static int g_wrong = 0;

static void report(const char* name, bool ok) {
    std::printf("%s: %s\n", name, ok ? "right" : "WRONG");
    if (!ok) ++g_wrong;
}

// ------------------------------------------------------------------ host helpers

struct HostRng {
    uint64_t s;
    explicit HostRng(uint64_t seed) : s(seed * 0x9E3779B97F4A7C15ull + 0x1234567ull) { for (int i = 0; i < 4; ++i) next(); }
    uint64_t next() {
        s ^= s >> 12; s ^= s << 25; s ^= s >> 27;
        return s * 0x2545F4914F6CDD1Dull;
    }
    uint32_t u32() { return uint32_t(next() >> 32); }
    uint32_t below(uint32_t n) { return uint32_t((uint64_t(u32()) * n) >> 32); }
    float uni() { return float(u32() >> 8) * (1.0f / 16777216.0f); }
    float range(float a, float b) { return a + (b - a) * uni(); }
    float gauss() {  // sum of uniforms, good enough for data
        float t = 0.f;
        for (int i = 0; i < 6; ++i) t += uni();
        return (t - 3.0f) * 1.41421356f;
    }
    // heavy-headed index: small ranks are popular
    uint32_t zipfish(uint32_t n, float power) {
        uint32_t r = uint32_t(std::pow(uni(), power) * float(n));
        return r < n ? r : n - 1;
    }
};

template <class T>
struct Dev {
    T* p = nullptr;
    size_t n = 0;
    explicit Dev(size_t count) : n(count) { CK(cudaMalloc((void**)&p, n * sizeof(T))); }
    explicit Dev(const std::vector<T>& h) : n(h.size()) {
        CK(cudaMalloc((void**)&p, n * sizeof(T)));
        CK(cudaMemcpy(p, h.data(), n * sizeof(T), cudaMemcpyHostToDevice));
    }
    Dev(const Dev&) = delete;
    Dev& operator=(const Dev&) = delete;
    ~Dev() { cudaFree(p); }
    void fill(int byte) { CK(cudaMemset(p, byte, n * sizeof(T))); }
    std::vector<T> get() const {
        std::vector<T> h(n);
        CK(cudaMemcpy(h.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost));
        return h;
    }
};

static int ceil_div(int a, int b) { return (a + b - 1) / b; }

static bool close_to(double got, double want, double rel, double abs_) {
    return std::fabs(got - want) <= rel * std::fabs(want) + abs_;
}

// ------------------------------------------------------------------ 1. embedding lookup

__global__ void embedding_gather_float4(const float4* __restrict__ table, const int* __restrict__ token,
                                        float4* __restrict__ out, int n_tokens, int vec_per_row, float scale) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int row = t / vec_per_row;
    int part = t - row * vec_per_row;
    if (row >= n_tokens) return;
    int id = __ldg(token + row);
    float4 v = make_float4(0.f, 0.f, 0.f, 0.f);
    if (id >= 0) {
        v = __ldg(table + size_t(id) * vec_per_row + part);
        v.x *= scale; v.y *= scale; v.z *= scale; v.w *= scale;
    }
    out[t] = v;
}

static void run_embedding() {
    const int vocab = 40000, vec = 16, tokens = 90000;
    HostRng r(1);
    std::vector<float4> table(size_t(vocab) * vec);
    for (auto& q : table) q = make_float4(r.range(-1, 1), r.range(-1, 1), r.range(-1, 1), r.range(-1, 1));
    std::vector<int> tok(tokens);
    for (int i = 0; i < tokens; ++i) {
        // every 128-token line ends in some padding
        bool pad = (i % 128) > 96 + int((i / 128 * 2654435761u) >> 27);
        uint32_t rank = r.zipfish(vocab, 4.0f);
        tok[i] = pad ? -1 : int((uint64_t(rank) * 7919u + 13u) % vocab);
    }
    Dev<float4> dt(table), out(size_t(tokens) * vec);
    Dev<int> di(tok);
    const float scale = 8.0f;
    for (int it = 0; it < kRepeats; ++it)
        embedding_gather_float4<<<ceil_div(tokens * vec, 256), 256>>>(dt.p, di.p, out.p, tokens, vec, scale);
    CK(cudaGetLastError());
    auto got = out.get();
    bool ok = true;
    for (int i = 0; i < tokens && ok; ++i)
        for (int k = 0; k < vec; ++k) {
            float4 g = got[size_t(i) * vec + k], w = make_float4(0, 0, 0, 0);
            if (tok[i] >= 0) {
                w = table[size_t(tok[i]) * vec + k];
                w.x *= scale; w.y *= scale; w.z *= scale; w.w *= scale;
            }
            if (g.x != w.x || g.y != w.y || g.z != w.z || g.w != w.w) { ok = false; break; }
        }
    report("embedding_gather_float4", ok);
}

// ------------------------------------------------------------------ 2. CSR SpMV

__global__ void spmv_csr_warp_per_row(const int* __restrict__ row_ptr, const int* __restrict__ col,
                                      const float* __restrict__ val, const float* __restrict__ x,
                                      float* __restrict__ y, int rows) {
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    int lane = threadIdx.x & 31;
    if (warp >= rows) return;
    int b = row_ptr[warp], e = row_ptr[warp + 1];
    float acc = 0.f;
    for (int k = b + lane; k < e; k += 32) acc += val[k] * __ldg(x + col[k]);
    for (int o = 16; o > 0; o >>= 1) acc += __shfl_down_sync(kFull, acc, o);
    if (lane == 0) y[warp] = acc;
}

static void run_spmv_csr() {
    const int rows = 60000, cols = 60000;
    HostRng r(2);
    std::vector<int> ptr(rows + 1, 0), col;
    std::vector<float> val;
    col.reserve(1300000); val.reserve(1300000);
    for (int i = 0; i < rows; ++i) {
        float u = r.uni() + 1e-5f;
        int len = std::min(2500, int(4.0f / std::pow(u, 0.75f)));
        if (r.below(50) == 0) len = 0;
        for (int k = 0; k < len; ++k) {
            int c;
            if (r.below(10) < 6) c = std::min(cols - 1, std::max(0, i + int(r.below(401)) - 200));
            else c = int((uint64_t(r.zipfish(cols, 2.0f)) * 10007u) % cols);
            col.push_back(c);
            val.push_back(r.range(-1, 1));
        }
        std::sort(col.begin() + ptr[i], col.end());
        ptr[i + 1] = int(col.size());
    }
    std::vector<float> x(cols);
    for (auto& v : x) v = r.range(-1, 1);
    Dev<int> dp(ptr), dc(col);
    Dev<float> dv(val), dx(x), dy(rows);
    for (int it = 0; it < kRepeats; ++it)
        spmv_csr_warp_per_row<<<ceil_div(rows, 8), 256>>>(dp.p, dc.p, dv.p, dx.p, dy.p, rows);
    CK(cudaGetLastError());
    auto y = dy.get();
    bool ok = true;
    for (int i = 0; i < rows; ++i) {
        double s = 0, m = 0;
        for (int k = ptr[i]; k < ptr[i + 1]; ++k) { double t = double(val[k]) * x[col[k]]; s += t; m += std::fabs(t); }
        if (!(std::fabs(y[i] - s) <= 1e-5 * m + 1e-6)) ok = false;
    }
    report("spmv_csr_warp_per_row", ok);
}

// ------------------------------------------------------------------ 3. COO SpMM with atomics

__global__ void spmm_coo_segment_atomic(const int* __restrict__ row, const int* __restrict__ col,
                                        const float* __restrict__ val, const float* __restrict__ B,
                                        float* C, int nnz, int per_warp) {
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    int lane = threadIdx.x & 31;
    int b = warp * per_warp;
    int e = min(b + per_warp, nnz);
    if (b >= e) return;
    int cur = __ldg(row + b);
    float acc = 0.f;
    for (int k = b; k < e; ++k) {
        int r = __ldg(row + k);
        if (r != cur) {
            atomicAdd(C + cur * 32 + lane, acc);
            acc = 0.f;
            cur = r;
        }
        acc = fmaf(__ldg(val + k), __ldg(B + __ldg(col + k) * 32 + lane), acc);
    }
    atomicAdd(C + cur * 32 + lane, acc);
}

static void run_spmm_coo() {
    const int rows = 20000, cols = 15000, width = 32, nnz = 240000;
    HostRng r(3);
    std::vector<int> row(nnz), col(nnz);
    std::vector<float> val(nnz), B(size_t(cols) * width);
    for (auto& v : row) v = int((uint64_t(r.zipfish(rows, 2.5f)) * 7919u) % rows);
    std::sort(row.begin(), row.end());
    for (auto& v : col) v = int((uint64_t(r.zipfish(cols, 1.8f)) * 1009u) % cols);
    for (auto& v : val) v = r.range(0.0f, 1.0f);
    for (auto& v : B) v = r.range(-1, 1);
    Dev<int> dr(row), dc(col);
    Dev<float> dv(val), dB(B), dC(size_t(rows) * width);
    const int per_warp = 24;
    const int warps = ceil_div(nnz, per_warp);
    for (int it = 0; it < kRepeats; ++it) {
        dC.fill(0);
        spmm_coo_segment_atomic<<<ceil_div(warps, 4), 128>>>(dr.p, dc.p, dv.p, dB.p, dC.p, nnz, per_warp);
    }
    CK(cudaGetLastError());
    auto C = dC.get();
    std::vector<double> ref(size_t(rows) * width, 0.0), mag(size_t(rows) * width, 0.0);
    for (int k = 0; k < nnz; ++k)
        for (int j = 0; j < width; ++j) {
            double t = double(val[k]) * B[size_t(col[k]) * width + j];
            ref[size_t(row[k]) * width + j] += t;
            mag[size_t(row[k]) * width + j] += std::fabs(t);
        }
    bool ok = true;
    for (size_t i = 0; i < ref.size(); ++i)
        if (!(std::fabs(C[i] - ref[i]) <= 2e-5 * mag[i] + 1e-6)) ok = false;
    report("spmm_coo_segment_atomic", ok);
}

// ------------------------------------------------------------------ 4. byte histogram, per-warp private copies

__global__ void hist_bytes_shared_per_warp(const uint4* __restrict__ data, unsigned* __restrict__ bins, int n16) {
    __shared__ unsigned priv[8][256];
    unsigned* flat = &priv[0][0];
    for (int i = threadIdx.x; i < 8 * 256; i += blockDim.x) flat[i] = 0;
    __syncthreads();
    unsigned* mine = priv[threadIdx.x >> 5];
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n16; i += gridDim.x * blockDim.x) {
        uint4 q = data[i];
        unsigned w[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            atomicAdd(&mine[w[k] & 255u], 1u);
            atomicAdd(&mine[(w[k] >> 8) & 255u], 1u);
            atomicAdd(&mine[(w[k] >> 16) & 255u], 1u);
            atomicAdd(&mine[w[k] >> 24], 1u);
        }
    }
    __syncthreads();
    unsigned sum = 0;
    for (int c = 0; c < 8; ++c) sum += priv[c][threadIdx.x];
    if (sum) atomicAdd(&bins[threadIdx.x], sum);
}

static void run_hist_bytes() {
    const int n = 6000000;
    HostRng r(4);
    // text-like: letters by English frequency, spaces, newlines, a run of binary noise now and then
    const char* letters = " eeeeeeeetttttttaaaaaooooiiiinnnnssshhhrrrdlluuccmmwfgypbvk   ,.";
    const int nl = int(std::strlen(letters));
    std::vector<uint8_t> bytes(n);
    for (int i = 0; i < n; ++i) {
        bool noisy = ((i >> 14) % 17) == 3;
        bytes[i] = noisy ? uint8_t(r.u32() >> 24) : uint8_t(letters[r.below(uint32_t(nl))]);
        if (!noisy && (i % 71) == 70) bytes[i] = '\n';
    }
    std::vector<uint4> packed(n / 16);
    std::memcpy(packed.data(), bytes.data(), n);
    Dev<uint4> dd(packed);
    Dev<unsigned> db(256);
    for (int it = 0; it < kRepeats; ++it) {
        db.fill(0);
        hist_bytes_shared_per_warp<<<264, 256>>>(dd.p, db.p, n / 16);
    }
    CK(cudaGetLastError());
    std::vector<unsigned> ref(256, 0);
    for (uint8_t b : bytes) ++ref[b];
    report("hist_bytes_shared_per_warp", db.get() == ref);
}

// ------------------------------------------------------------------ 5. 2-D detector histogram straight to global memory

__global__ void hist2d_charge_global(const float2* __restrict__ pos, const unsigned short* __restrict__ charge,
                                     unsigned* grid, int n, int side) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float2 p = pos[i];
    if (p.x < 0.f || p.y < 0.f || p.x >= 1.f || p.y >= 1.f) return;
    int gx = int(p.x * float(side));
    int gy = int(p.y * float(side));
    atomicAdd(grid + gy * side + gx, unsigned(charge[i]));
}

static void run_hist2d() {
    const int n = 900000, side = 512;
    HostRng r(5);
    std::vector<float2> pos(n);
    std::vector<unsigned short> q(n);
    float cx[9], cy[9], sd[9];
    for (int k = 0; k < 9; ++k) { cx[k] = r.uni(); cy[k] = r.uni(); sd[k] = r.range(0.004f, 0.08f); }
    for (int i = 0; i < n; ++i) {
        uint32_t k = r.zipfish(9, 1.6f);
        if (r.below(8) == 0) pos[i] = make_float2(r.uni(), r.uni());
        else pos[i] = make_float2(cx[k] + sd[k] * r.gauss(), cy[k] + sd[k] * r.gauss());
        q[i] = (unsigned short)(1 + r.zipfish(400, 3.0f));
    }
    Dev<float2> dp(pos);
    Dev<unsigned short> dq(q);
    Dev<unsigned> dg(size_t(side) * side);
    for (int it = 0; it < kRepeats; ++it) {
        dg.fill(0);
        hist2d_charge_global<<<ceil_div(n, 256), 256>>>(dp.p, dq.p, dg.p, n, side);
    }
    CK(cudaGetLastError());
    std::vector<unsigned> ref(size_t(side) * side, 0);
    for (int i = 0; i < n; ++i) {
        float2 p = pos[i];
        if (p.x < 0.f || p.y < 0.f || p.x >= 1.f || p.y >= 1.f) continue;
        ref[size_t(int(p.y * float(side))) * side + int(p.x * float(side))] += q[i];
    }
    report("hist2d_charge_global", dg.get() == ref);
}

// ------------------------------------------------------------------ graph shared by 6 and 7

struct SkewGraph {
    int n = 1 << 16;
    std::vector<int> ptr, adj;
};

static SkewGraph make_rmat(int wanted, uint64_t seed) {
    SkewGraph g;
    HostRng r(seed);
    std::vector<uint32_t> e;
    e.reserve(size_t(wanted) * 2);
    for (int i = 0; i < wanted; ++i) {
        uint32_t u = 0, v = 0;
        for (int b = 0; b < 16; ++b) {
            uint32_t d = r.u32() >> 24;  // 0..255
            int q = d < 140 ? 0 : d < 190 ? 1 : d < 240 ? 2 : 3;
            u = (u << 1) | uint32_t(q >> 1);
            v = (v << 1) | uint32_t(q & 1);
        }
        // scramble labels so that hubs are not neighbours in memory
        u = (u * 40503u + 977u) & 0xffffu;
        v = (v * 40503u + 977u) & 0xffffu;
        if (u == v) continue;
        e.push_back((u << 16) | v);
        e.push_back((v << 16) | u);
    }
    std::sort(e.begin(), e.end());
    e.erase(std::unique(e.begin(), e.end()), e.end());
    g.ptr.assign(g.n + 1, 0);
    g.adj.resize(e.size());
    for (size_t i = 0; i < e.size(); ++i) {
        ++g.ptr[(e[i] >> 16) + 1];
        g.adj[i] = int(e[i] & 0xffffu);
    }
    for (int i = 0; i < g.n; ++i) g.ptr[i + 1] += g.ptr[i];
    return g;
}

// ------------------------------------------------------------------ 6. one BFS level

__global__ void bfs_expand_frontier_queue(const int* __restrict__ row_ptr, const int* __restrict__ adj,
                                          const int* __restrict__ frontier, int n_frontier, int* dist, int level,
                                          int* next, int* n_next) {
    int lane = threadIdx.x & 31;
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    int n_warps = (gridDim.x * blockDim.x) >> 5;
    for (int f = warp; f < n_frontier; f += n_warps) {
        int v = frontier[f];
        int e_end = row_ptr[v + 1];
        for (int e = row_ptr[v] + lane; e < e_end; e += 32) {
            int u = adj[e];
            if (dist[u] < 0 && atomicCAS(dist + u, -1, level + 1) == -1) {
                int slot = atomicAdd(n_next, 1);
                next[slot] = u;
            }
        }
    }
}

static void run_bfs(const SkewGraph& g) {
    std::vector<int> dist(g.n, -1);
    int src = 0;
    for (int v = 0; v < g.n; ++v)
        if (g.ptr[v + 1] - g.ptr[v] == 2) { src = v; break; }
    std::vector<std::vector<int>> levels(1, std::vector<int>(1, src));
    dist[src] = 0;
    while (!levels.back().empty()) {
        std::vector<int> nx;
        for (int v : levels.back())
            for (int e = g.ptr[v]; e < g.ptr[v + 1]; ++e)
                if (dist[g.adj[e]] < 0) { dist[g.adj[e]] = int(levels.size()); nx.push_back(g.adj[e]); }
        levels.push_back(nx);
    }
    int best = 0;
    for (int l = 0; l + 1 < int(levels.size()); ++l)
        if (levels[l + 1].size() > levels[best + 1].size()) best = l;
    std::vector<int> before(g.n), after(g.n);
    for (int v = 0; v < g.n; ++v) {
        before[v] = (dist[v] >= 0 && dist[v] <= best) ? dist[v] : -1;
        after[v] = (dist[v] >= 0 && dist[v] <= best + 1) ? dist[v] : -1;
    }
    Dev<int> dp(g.ptr), da(g.adj), df(levels[best]), dbefore(before), ddist(g.n), dnext(g.n), dcount(1);
    int nf = int(levels[best].size());
    for (int it = 0; it < kRepeats; ++it) {
        CK(cudaMemcpy(ddist.p, dbefore.p, g.n * sizeof(int), cudaMemcpyDeviceToDevice));
        dcount.fill(0);
        bfs_expand_frontier_queue<<<std::min(1024, ceil_div(nf, 4)), 128>>>(dp.p, da.p, df.p, nf, ddist.p, best,
                                                                            dnext.p, dcount.p);
    }
    CK(cudaGetLastError());
    int count = dcount.get()[0];
    auto nx = dnext.get();
    auto want = levels[best + 1];
    bool ok = count == int(want.size()) && ddist.get() == after;
    if (ok) {
        nx.resize(count);
        std::sort(nx.begin(), nx.end());
        std::sort(want.begin(), want.end());
        ok = nx == want;
    }
    report("bfs_expand_frontier_queue", ok);
}

// ------------------------------------------------------------------ 7. triangle counting

__global__ void triangle_count_forward_merge(const int* __restrict__ ptr, const int* __restrict__ src,
                                             const int* __restrict__ dst, int n_edges,
                                             unsigned long long* __restrict__ total) {
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned found = 0;
    if (e < n_edges) {
        int u = src[e], v = dst[e];
        int a = ptr[u], a_end = ptr[u + 1];
        int b = ptr[v], b_end = ptr[v + 1];
        while (a < a_end && b < b_end) {
            int x = __ldg(dst + a), y = __ldg(dst + b);
            found += (x == y);
            a += (x <= y);
            b += (y <= x);
        }
    }
    for (int o = 16; o > 0; o >>= 1) found += __shfl_xor_sync(kFull, found, o);
    if ((threadIdx.x & 31) == 0 && found) atomicAdd(total, (unsigned long long)found);
}

static void run_triangles(const SkewGraph& g) {
    std::vector<int> ptr(g.n + 1, 0), src, dst;
    auto deg = [&](int v) { return g.ptr[v + 1] - g.ptr[v]; };
    for (int u = 0; u < g.n; ++u) {
        for (int e = g.ptr[u]; e < g.ptr[u + 1]; ++e) {
            int v = g.adj[e];
            if (deg(u) < deg(v) || (deg(u) == deg(v) && u < v)) { src.push_back(u); dst.push_back(v); }
        }
        ptr[u + 1] = int(dst.size());
    }
    Dev<int> dp(ptr), ds(src), dd(dst);
    Dev<unsigned long long> dt(1);
    int ne = int(dst.size());
    for (int it = 0; it < kRepeats; ++it) {
        dt.fill(0);
        triangle_count_forward_merge<<<ceil_div(ne, 128), 128>>>(dp.p, ds.p, dd.p, ne, dt.p);
    }
    CK(cudaGetLastError());
    // host: mark-and-probe, a different method
    unsigned long long want = 0;
    std::vector<int> mark(g.n, -1);
    for (int u = 0; u < g.n; ++u) {
        for (int e = ptr[u]; e < ptr[u + 1]; ++e) mark[dst[e]] = u;
        for (int e = ptr[u]; e < ptr[u + 1]; ++e)
            for (int f = ptr[dst[e]]; f < ptr[dst[e] + 1]; ++f) want += mark[dst[f]] == u;
    }
    report("triangle_count_forward_merge", want > 0 && dt.get()[0] == want);
}

// ------------------------------------------------------------------ 8. hash table word count

__host__ __device__ inline uint32_t mix32(uint32_t h) {
    h ^= h >> 16; h *= 0x85ebca6bu;
    h ^= h >> 13; h *= 0xc2b2ae35u;
    h ^= h >> 16;
    return h;
}

__global__ void hash_count_linear_probe(const uint32_t* __restrict__ keys, int n, uint32_t* slots, uint32_t* counts,
                                        uint32_t mask) {
    const uint32_t empty = 0xffffffffu;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        uint32_t key = keys[i];
        uint32_t s = mix32(key) & mask;
        while (true) {
            uint32_t seen = slots[s];
            if (seen == empty) seen = atomicCAS(slots + s, empty, key);
            if (seen == empty || seen == key) {
                atomicAdd(counts + s, 1u);
                break;
            }
            s = (s + 1) & mask;
        }
    }
}

static void run_hash() {
    const int n = 700000, distinct = 150000, cap = 1 << 18;
    HostRng r(8);
    std::vector<uint32_t> dict(distinct), keys(n), freq(distinct, 0);
    for (int i = 0; i < distinct; ++i) dict[i] = uint32_t(i) * 2654435769u + 12345u;  // all different
    for (int i = 0; i < distinct; ++i) if (dict[i] == 0xffffffffu) dict[i] = uint32_t(distinct) * 2654435769u + 12345u;
    for (int i = 0; i < n; ++i) {
        uint32_t k = r.zipfish(distinct, 2.2f);
        keys[i] = dict[k];
        ++freq[k];
    }
    Dev<uint32_t> dk(keys), ds(cap), dc(cap);
    for (int it = 0; it < kRepeats; ++it) {
        ds.fill(0xff);
        dc.fill(0);
        hash_count_linear_probe<<<1056, 256>>>(dk.p, n, ds.p, dc.p, uint32_t(cap - 1));
    }
    CK(cudaGetLastError());
    auto s = ds.get();
    auto c = dc.get();
    std::vector<std::pair<uint32_t, uint32_t>> got, want;
    for (int i = 0; i < cap; ++i) if (s[i] != 0xffffffffu) got.emplace_back(s[i], c[i]);
    for (int i = 0; i < distinct; ++i) if (freq[i]) want.emplace_back(dict[i], freq[i]);
    std::sort(got.begin(), got.end());
    std::sort(want.begin(), want.end());
    report("hash_count_linear_probe", got == want);
}

// ------------------------------------------------------------------ 9. bitonic sort of tiles

__global__ void bitonic_sort_pairs_2048(const uint32_t* __restrict__ key_in, uint32_t* __restrict__ key_out,
                                        uint32_t* __restrict__ idx_out) {
    __shared__ uint32_t k[2048];
    __shared__ uint32_t v[2048];
    const int t = threadIdx.x;
    const size_t base = size_t(blockIdx.x) * 2048;
    k[t] = key_in[base + t];
    k[t + 1024] = key_in[base + t + 1024];
    v[t] = t;
    v[t + 1024] = t + 1024;
    for (int size = 2; size <= 2048; size <<= 1) {
        for (int stride = size >> 1; stride > 0; stride >>= 1) {
            __syncthreads();
            int a = 2 * t - (t & (stride - 1));
            int b = a + stride;
            bool ascending = (a & size) == 0;
            uint32_t ka = k[a], kb = k[b];
            if ((ka > kb) == ascending) {
                k[a] = kb; k[b] = ka;
                uint32_t tmp = v[a]; v[a] = v[b]; v[b] = tmp;
            }
        }
    }
    __syncthreads();
    key_out[base + t] = k[t];
    key_out[base + t + 1024] = k[t + 1024];
    idx_out[base + t] = v[t];
    idx_out[base + t + 1024] = v[t + 1024];
}

static void run_bitonic() {
    const int tiles = 200, tile = 2048;
    HostRng r(9);
    std::vector<uint32_t> in(size_t(tiles) * tile);
    for (int b = 0; b < tiles; ++b)
        for (int i = 0; i < tile; ++i) {
            uint32_t& x = in[size_t(b) * tile + i];
            if (b % 3 == 0) x = uint32_t(i) * 100u + r.below(3000);          // nearly sorted timestamps
            else if (b % 3 == 1) x = r.zipfish(5000, 3.0f);                  // many equal
            else x = r.u32();
        }
    Dev<uint32_t> di(in), dk(in.size()), dv(in.size());
    for (int it = 0; it < kRepeats; ++it) bitonic_sort_pairs_2048<<<tiles, 1024>>>(di.p, dk.p, dv.p);
    CK(cudaGetLastError());
    auto k = dk.get();
    auto v = dv.get();
    bool ok = true;
    for (int b = 0; b < tiles && ok; ++b) {
        std::vector<uint32_t> ref(in.begin() + size_t(b) * tile, in.begin() + size_t(b + 1) * tile);
        std::vector<char> used(tile, 0);
        for (int i = 0; i < tile; ++i) {
            uint32_t at = v[size_t(b) * tile + i];
            if (at >= uint32_t(tile) || used[at] || ref[at] != k[size_t(b) * tile + i]) { ok = false; break; }
            used[at] = 1;
        }
        std::sort(ref.begin(), ref.end());
        if (!std::equal(ref.begin(), ref.end(), k.begin() + size_t(b) * tile)) ok = false;
    }
    report("bitonic_sort_pairs_2048", ok);
}

// ------------------------------------------------------------------ 10. a stable 4-bit radix pass

__global__ void radix_rank_scatter_4bit(const uint32_t* __restrict__ key_in, const uint32_t* __restrict__ val_in,
                                        const uint32_t* __restrict__ tile_offset, uint32_t* __restrict__ key_out,
                                        uint32_t* __restrict__ val_out, int n, int shift) {
    __shared__ uint32_t warp_count[8][16];
    __shared__ uint32_t digit_base[16];
    const int tid = threadIdx.x, lane = tid & 31, warp = tid >> 5;
    const unsigned below = (1u << lane) - 1u;
    if (tid < 16) digit_base[tid] = tile_offset[tid * gridDim.x + blockIdx.x];
    for (int round = 0; round < 4; ++round) {
        __syncthreads();
        int i = blockIdx.x * 1024 + round * 256 + tid;
        bool valid = i < n;
        uint32_t key = valid ? key_in[i] : 0u;
        uint32_t digit = (key >> shift) & 15u;
        unsigned peers = __ballot_sync(kFull, valid);
#pragma unroll
        for (int b = 0; b < 4; ++b) {
            bool bit = (digit >> b) & 1u;
            unsigned set = __ballot_sync(kFull, bit);
            peers &= bit ? set : ~set;
        }
        int rank = __popc(peers & below);
        if (lane < 16) warp_count[warp][lane] = 0;
        __syncwarp();
        if (valid && rank == 0) warp_count[warp][digit] = __popc(peers);
        __syncthreads();
        if (tid < 16) {
            uint32_t run = digit_base[tid];
            for (int w = 0; w < 8; ++w) {
                uint32_t c = warp_count[w][tid];
                warp_count[w][tid] = run;
                run += c;
            }
            digit_base[tid] = run;
        }
        __syncthreads();
        if (valid) {
            uint32_t at = warp_count[warp][digit] + rank;
            key_out[at] = key;
            val_out[at] = val_in[i];
        }
    }
}

static void run_radix() {
    const int n = 1000003, shift = 8;
    const int tiles = ceil_div(n, 1024);
    HostRng r(10);
    std::vector<uint32_t> key(n), val(n);
    for (int i = 0; i < n; ++i) {
        // depth-like keys, bunched in one region
        float d = r.below(5) ? 0.35f + 0.05f * r.gauss() : r.uni();
        key[i] = uint32_t(std::min(0.999f, std::max(0.f, d)) * 65536.0f) ^ (r.u32() & 15u);
        val[i] = uint32_t(i);
    }
    std::vector<uint32_t> off(size_t(16) * tiles, 0);
    for (int i = 0; i < n; ++i) ++off[size_t((key[i] >> shift) & 15u) * tiles + i / 1024];
    uint32_t run = 0;
    for (auto& o : off) { uint32_t c = o; o = run; run += c; }
    Dev<uint32_t> dk(key), dv(val), dof(off), ko(n), vo(n);
    for (int it = 0; it < kRepeats; ++it)
        radix_rank_scatter_4bit<<<tiles, 256>>>(dk.p, dv.p, dof.p, ko.p, vo.p, n, shift);
    CK(cudaGetLastError());
    std::vector<uint32_t> order(n);
    std::vector<uint32_t> start(17, 0);
    for (int i = 0; i < n; ++i) ++start[((key[i] >> shift) & 15u) + 1];
    for (int d = 0; d < 16; ++d) start[d + 1] += start[d];
    for (int i = 0; i < n; ++i) order[start[(key[i] >> shift) & 15u]++] = uint32_t(i);
    auto gk = ko.get();
    auto gv = vo.get();
    bool ok = gv == order;
    for (int i = 0; i < n && ok; ++i) ok = gk[i] == key[order[i]];
    report("radix_rank_scatter_4bit", ok);
}

// ------------------------------------------------------------------ 11. single-pass prefix sum

__global__ void scan_decoupled_lookback(const uint32_t* __restrict__ in, uint32_t* __restrict__ out,
                                        unsigned long long* state, unsigned* ticket, int n) {
    __shared__ unsigned tile_id;
    __shared__ uint32_t tile_prefix;
    __shared__ uint32_t warp_total[8];
    const int tid = threadIdx.x, lane = tid & 31, warp = tid >> 5;
    if (tid == 0) tile_id = atomicAdd(ticket, 1u);
    __syncthreads();
    const int tile = int(tile_id);
    const int first = tile * 2048 + tid * 8;
    uint32_t item[8];
    if (first + 8 <= n) {
        uint4 lo = *reinterpret_cast<const uint4*>(in + first);
        uint4 hi = *reinterpret_cast<const uint4*>(in + first + 4);
        item[0] = lo.x; item[1] = lo.y; item[2] = lo.z; item[3] = lo.w;
        item[4] = hi.x; item[5] = hi.y; item[6] = hi.z; item[7] = hi.w;
    } else {
#pragma unroll
        for (int k = 0; k < 8; ++k) item[k] = first + k < n ? in[first + k] : 0u;
    }
#pragma unroll
    for (int k = 1; k < 8; ++k) item[k] += item[k - 1];
    uint32_t incl = item[7];
    for (int o = 1; o < 32; o <<= 1) {
        uint32_t up = __shfl_up_sync(kFull, incl, o);
        if (lane >= o) incl += up;
    }
    if (lane == 31) warp_total[warp] = incl;
    __syncthreads();
    uint32_t before = incl - item[7];
    uint32_t aggregate = 0;
#pragma unroll
    for (int w = 0; w < 8; ++w) {
        if (w < warp) before += warp_total[w];
        aggregate += warp_total[w];
    }
    if (tid == 0) {
        uint32_t prefix = 0;
        if (tile > 0) {
            atomicExch(state + tile, (1ull << 32) | aggregate);
            int look = tile - 1;
            while (true) {
                unsigned long long s;
                do {
                    s = *reinterpret_cast<volatile unsigned long long*>(state + look);
                } while ((s >> 32) == 0);
                prefix += uint32_t(s);
                if ((s >> 32) == 2) break;
                --look;
            }
        }
        atomicExch(state + tile, (2ull << 32) | (unsigned long long)(prefix + aggregate));
        tile_prefix = prefix;
    }
    __syncthreads();
    before += tile_prefix;
#pragma unroll
    for (int k = 0; k < 8; ++k)
        if (first + k < n) out[first + k] = before + item[k];
}

static void run_scan() {
    const int n = 1500001;
    const int tiles = ceil_div(n, 2048);
    HostRng r(11);
    std::vector<uint32_t> in(n);
    for (auto& v : in) v = r.zipfish(300, 4.0f);
    Dev<uint32_t> di(in), dout(n);
    Dev<unsigned long long> ds(tiles);
    Dev<unsigned> dt(1);
    for (int it = 0; it < kRepeats; ++it) {
        ds.fill(0);
        dt.fill(0);
        scan_decoupled_lookback<<<tiles, 256>>>(di.p, dout.p, ds.p, dt.p, n);
    }
    CK(cudaGetLastError());
    std::vector<uint32_t> ref(n);
    std::partial_sum(in.begin(), in.end(), ref.begin());
    report("scan_decoupled_lookback", dout.get() == ref);
}

// ------------------------------------------------------------------ 12. stream compaction

__global__ void compact_hits_warp_ballot(const float* __restrict__ energy, const unsigned char* __restrict__ channel,
                                         const float* __restrict__ threshold, int n, int* __restrict__ kept_id,
                                         float* __restrict__ kept_energy, int* n_kept) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31;
    float e = 0.f;
    bool keep = false;
    if (i < n) {
        e = energy[i];
        keep = e > __ldg(threshold + channel[i]);
    }
    unsigned votes = __ballot_sync(kFull, keep);
    if (votes == 0) return;
    int base = 0;
    if (lane == 0) base = atomicAdd(n_kept, __popc(votes));
    base = __shfl_sync(kFull, base, 0);
    if (keep) {
        int at = base + __popc(votes & ((1u << lane) - 1u));
        kept_id[at] = i;
        kept_energy[at] = e;
    }
}

static void run_compact() {
    const int n = 1200000;
    HostRng r(12);
    std::vector<float> e(n), thr(256);
    std::vector<unsigned char> ch(n);
    for (auto& t : thr) t = r.range(1.5f, 2.5f);
    int burst = 0;
    for (int i = 0; i < n; ++i) {
        if (burst > 0) --burst;
        else if (r.below(4000) == 0) burst = int(r.below(900));
        e[i] = std::fabs(r.gauss()) * (burst ? 2.5f : 0.8f);
        ch[i] = (unsigned char)(r.zipfish(256, 1.5f));
    }
    Dev<float> de(e), dt(thr), dke(n);
    Dev<unsigned char> dc(ch);
    Dev<int> dki(n), dn(1);
    for (int it = 0; it < kRepeats; ++it) {
        dn.fill(0);
        compact_hits_warp_ballot<<<ceil_div(n, 256), 256>>>(de.p, dc.p, dt.p, n, dki.p, dke.p, dn.p);
    }
    CK(cudaGetLastError());
    int cnt = dn.get()[0];
    auto id = dki.get();
    auto ke = dke.get();
    std::vector<int> want;
    for (int i = 0; i < n; ++i) if (e[i] > thr[ch[i]]) want.push_back(i);
    bool ok = cnt == int(want.size());
    if (ok) {
        for (int i = 0; i < cnt && ok; ++i) ok = id[i] >= 0 && id[i] < n && ke[i] == e[id[i]];
        id.resize(cnt);
        std::sort(id.begin(), id.end());
        ok = ok && id == want;
    }
    report("compact_hits_warp_ballot", ok);
}

// ------------------------------------------------------------------ 13. residual norms

__global__ void residual_norms_shuffle(const float4* __restrict__ a, const float4* __restrict__ b, int n4,
                                       double* sum_sq, int* max_bits) {
    __shared__ float s_sum[8], s_max[8];
    float sum = 0.f, mx = 0.f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n4; i += gridDim.x * blockDim.x) {
        float4 p = a[i], q = b[i];
        float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z, dw = p.w - q.w;
        sum += dx * dx + dy * dy + dz * dz + dw * dw;
        mx = fmaxf(mx, fmaxf(fmaxf(fabsf(dx), fabsf(dy)), fmaxf(fabsf(dz), fabsf(dw))));
    }
    for (int o = 16; o > 0; o >>= 1) {
        sum += __shfl_xor_sync(kFull, sum, o);
        mx = fmaxf(mx, __shfl_xor_sync(kFull, mx, o));
    }
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    if (lane == 0) { s_sum[warp] = sum; s_max[warp] = mx; }
    __syncthreads();
    if (warp == 0) {
        sum = lane < 8 ? s_sum[lane] : 0.f;
        mx = lane < 8 ? s_max[lane] : 0.f;
        for (int o = 4; o > 0; o >>= 1) {
            sum += __shfl_xor_sync(kFull, sum, o);
            mx = fmaxf(mx, __shfl_xor_sync(kFull, mx, o));
        }
        if (lane == 0) {
            atomicAdd(sum_sq, double(sum));
            atomicMax(max_bits, __float_as_int(mx));
        }
    }
}

static void run_residual() {
    const int n4 = 600000;
    HostRng r(13);
    std::vector<float4> a(n4), b(n4);
    for (int i = 0; i < n4; ++i) {
        float amp = 1.0f + 20.0f * float(i % 5000 == 77);
        a[i] = make_float4(r.range(-2, 2), r.range(-2, 2), r.range(-2, 2), r.range(-2, 2));
        b[i] = make_float4(a[i].x + amp * 1e-2f * r.range(-1, 1), a[i].y, a[i].z + amp * 1e-3f * r.range(-1, 1), a[i].w);
    }
    Dev<float4> da(a), db(b);
    Dev<double> ds(1);
    Dev<int> dm(1);
    for (int it = 0; it < kRepeats; ++it) {
        ds.fill(0);
        dm.fill(0);
        residual_norms_shuffle<<<528, 256>>>(da.p, db.p, n4, ds.p, dm.p);
    }
    CK(cudaGetLastError());
    double s = 0;
    float m = 0;
    for (int i = 0; i < n4; ++i) {
        float d[4] = {a[i].x - b[i].x, a[i].y - b[i].y, a[i].z - b[i].z, a[i].w - b[i].w};
        for (float v : d) { s += double(v) * v; m = std::max(m, std::fabs(v)); }
    }
    int bits = dm.get()[0];
    float gm;
    std::memcpy(&gm, &bits, 4);
    report("residual_norms_shuffle", close_to(ds.get()[0], s, 1e-5, 0) && gm == m);
}

// ------------------------------------------------------------------ 14. 3-D heat, marching in z

__global__ void heat3d_7pt_march_z(const float* __restrict__ u, float* __restrict__ v, int nx, int ny, int nz,
                                   float alpha) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= nx || y >= ny) return;
    const int plane = nx * ny;
    int at = y * nx + x;
    bool edge = x == 0 || y == 0 || x == nx - 1 || y == ny - 1;
    float below = 0.f, here = u[at], above = u[at + plane];
    v[at] = here;
    for (int z = 1; z < nz - 1; ++z) {
        at += plane;
        below = here;
        here = above;
        above = u[at + plane];
        float r = here;
        if (!edge) {
            float sum = u[at - 1] + u[at + 1] + u[at - nx] + u[at + nx] + below + above;
            r = here + alpha * (sum - 6.f * here);
        }
        v[at] = r;
    }
    v[at + plane] = above;
}

static void run_heat() {
    const int nx = 200, ny = 150, nz = 90;
    HostRng r(14);
    std::vector<float> u(size_t(nx) * ny * nz);
    for (int z = 0; z < nz; ++z)
        for (int y = 0; y < ny; ++y)
            for (int x = 0; x < nx; ++x) {
                float d = float((x - 60) * (x - 60) + (y - 90) * (y - 90) + (z - 40) * (z - 40));
                u[(size_t(z) * ny + y) * nx + x] = 20.0f + (d < 900.f ? 300.f : 0.f) + r.uni();
            }
    Dev<float> du(u), dv(u.size());
    const float alpha = 0.11f;
    dim3 block(32, 8), grid(ceil_div(nx, 32), ceil_div(ny, 8));
    for (int it = 0; it < kRepeats; ++it) heat3d_7pt_march_z<<<grid, block>>>(du.p, dv.p, nx, ny, nz, alpha);
    CK(cudaGetLastError());
    auto v = dv.get();
    bool ok = true;
    for (int z = 0; z < nz; ++z)
        for (int y = 0; y < ny; ++y)
            for (int x = 0; x < nx; ++x) {
                size_t i = (size_t(z) * ny + y) * nx + x;
                double w = u[i];
                if (x && y && z && x < nx - 1 && y < ny - 1 && z < nz - 1)
                    w += 0.11 * (double(u[i - 1]) + u[i + 1] + u[i - nx] + u[i + nx] + u[i - size_t(nx) * ny] +
                                 u[i + size_t(nx) * ny] - 6.0 * u[i]);
                if (!close_to(v[i], w, 2e-5, 1e-4)) ok = false;
            }
    report("heat3d_7pt_march_z", ok);
}

// ------------------------------------------------------------------ 15. acoustic wave, 4th order, shared tile

__global__ void wave2d_order4_shared(const float* __restrict__ now, const float* __restrict__ old,
                                     const float* __restrict__ c2, float* __restrict__ next, int nx, int ny) {
    __shared__ float tile[16 + 4][32 + 4];
    const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 16;
    for (int i = threadIdx.y * 32 + threadIdx.x; i < 20 * 36; i += 512) {
        int ty = i / 36, tx = i - ty * 36;
        int gx = x0 + tx - 2, gy = y0 + ty - 2;
        tile[ty][tx] = (gx >= 0 && gx < nx && gy >= 0 && gy < ny) ? now[gy * nx + gx] : 0.f;
    }
    __syncthreads();
    int x = x0 + threadIdx.x, y = y0 + threadIdx.y;
    if (x >= nx || y >= ny) return;
    int tx = threadIdx.x + 2, ty = threadIdx.y + 2;
    float c = tile[ty][tx];
    float lap = -5.0f * c + (4.0f / 3.0f) * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx]) -
                (1.0f / 12.0f) * (tile[ty][tx - 2] + tile[ty][tx + 2] + tile[ty - 2][tx] + tile[ty + 2][tx]);
    int at = y * nx + x;
    next[at] = 2.0f * c - old[at] + c2[at] * lap;
}

static void run_wave() {
    const int nx = 1430, ny = 1111;
    HostRng r(15);
    size_t n = size_t(nx) * ny;
    std::vector<float> a(n), b(n), c(n);
    for (int y = 0; y < ny; ++y)
        for (int x = 0; x < nx; ++x) {
            size_t i = size_t(y) * nx + x;
            float d = std::sqrt(float((x - 700) * (x - 700) + (y - 300) * (y - 300)));
            a[i] = std::sin(d * 0.15f) / (1.f + 0.01f * d);
            b[i] = a[i] * 0.97f + 0.01f * r.uni();
            c[i] = 0.05f + 0.03f * float((y + x / 9) / 130);
        }
    Dev<float> da(a), db(b), dc(c), dn(n);
    dim3 block(32, 16), grid(ceil_div(nx, 32), ceil_div(ny, 16));
    for (int it = 0; it < kRepeats; ++it) wave2d_order4_shared<<<grid, block>>>(da.p, db.p, dc.p, dn.p, nx, ny);
    CK(cudaGetLastError());
    auto g = dn.get();
    bool ok = true;
    auto at = [&](int x, int y) -> double { return (x < 0 || y < 0 || x >= nx || y >= ny) ? 0.0 : double(a[size_t(y) * nx + x]); };
    for (int y = 0; y < ny; ++y)
        for (int x = 0; x < nx; ++x) {
            size_t i = size_t(y) * nx + x;
            double lap = -5.0 * at(x, y) + 4.0 / 3.0 * (at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1)) -
                         1.0 / 12.0 * (at(x - 2, y) + at(x + 2, y) + at(x, y - 2) + at(x, y + 2));
            double w = 2.0 * a[i] - b[i] + c[i] * lap;
            if (!close_to(g[i], w, 1e-5, 1e-5)) ok = false;
        }
    report("wave2d_order4_shared", ok);
}

// ------------------------------------------------------------------ 16. causal softmax

__global__ void causal_softmax_warp_row(const float* __restrict__ scores, float* __restrict__ prob, int n_rows,
                                        int seq, float scale) {
    int row = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5);
    int lane = threadIdx.x & 31;
    if (row >= n_rows) return;
    const float* s = scores + size_t(row) * seq;
    float* p = prob + size_t(row) * seq;
    int len = row % seq + 1;
    float mx = -INFINITY;
    for (int c = lane; c < len; c += 32) mx = fmaxf(mx, s[c] * scale);
    for (int o = 16; o > 0; o >>= 1) mx = fmaxf(mx, __shfl_xor_sync(kFull, mx, o));
    float sum = 0.f;
    for (int c = lane; c < len; c += 32) sum += expf(s[c] * scale - mx);
    for (int o = 16; o > 0; o >>= 1) sum += __shfl_xor_sync(kFull, sum, o);
    float inv = 1.0f / sum;
    for (int c = lane; c < seq; c += 32) p[c] = c < len ? expf(s[c] * scale - mx) * inv : 0.f;
}

static void run_softmax() {
    const int heads = 10, seq = 500, rows = heads * seq;
    HostRng r(16);
    std::vector<float> s(size_t(rows) * seq);
    for (int i = 0; i < rows; ++i)
        for (int c = 0; c < seq; ++c) {
            int q = i % seq;
            s[size_t(i) * seq + c] = 8.f * r.gauss() + (c == 0 ? 20.f : 0.f) + (q - c < 12 ? 10.f : 0.f);
        }
    Dev<float> ds(s), dp(s.size());
    const float scale = 0.125f;
    for (int it = 0; it < kRepeats; ++it)
        causal_softmax_warp_row<<<ceil_div(rows, 4), 128>>>(ds.p, dp.p, rows, seq, scale);
    CK(cudaGetLastError());
    auto p = dp.get();
    bool ok = true;
    std::vector<float> e(seq);
    for (int i = 0; i < rows; ++i) {
        int len = i % seq + 1;
        float mx = -INFINITY;
        for (int c = 0; c < len; ++c) mx = std::max(mx, s[size_t(i) * seq + c] * scale);
        double sum = 0;
        for (int c = 0; c < len; ++c) sum += e[c] = std::exp(s[size_t(i) * seq + c] * scale - mx);
        for (int c = 0; c < seq; ++c) {
            double w = c < len ? e[c] / sum : 0.0;
            if (!close_to(p[size_t(i) * seq + c], w, 2e-5, 1e-8)) ok = false;
        }
    }
    report("causal_softmax_warp_row", ok);
}

// ------------------------------------------------------------------ 17. attention for one decoded token (grouped heads)

__global__ void attention_decode_gqa_half(const __half2* __restrict__ q, const __half2* __restrict__ k,
                                          const __half2* __restrict__ v, const int* __restrict__ length,
                                          float2* __restrict__ out, int q_heads, int kv_heads, int max_len,
                                          float scale) {
    __shared__ float s_max[4], s_sum[4];
    __shared__ float2 s_acc[4][32];
    const int head = blockIdx.x, batch = blockIdx.y;
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const int kv = head / (q_heads / kv_heads);
    const int len = length[batch];
    const size_t cache = (size_t(batch) * kv_heads + kv) * max_len * 32;
    float2 qf = __half22float2(q[(size_t(batch) * q_heads + head) * 32 + lane]);
    qf.x *= scale;
    qf.y *= scale;
    float m = -INFINITY, l = 0.f;
    float2 acc = make_float2(0.f, 0.f);
    for (int t = warp; t < len; t += 4) {
        float2 kf = __half22float2(k[cache + size_t(t) * 32 + lane]);
        float s = qf.x * kf.x + qf.y * kf.y;
        for (int o = 16; o > 0; o >>= 1) s += __shfl_xor_sync(kFull, s, o);
        float2 vf = __half22float2(v[cache + size_t(t) * 32 + lane]);
        float m2 = fmaxf(m, s);
        float fix = __expf(m - m2), p = __expf(s - m2);
        l = l * fix + p;
        acc.x = acc.x * fix + p * vf.x;
        acc.y = acc.y * fix + p * vf.y;
        m = m2;
    }
    s_acc[warp][lane] = acc;
    if (lane == 0) { s_max[warp] = m; s_sum[warp] = l; }
    __syncthreads();
    if (warp == 0) {
        float top = fmaxf(fmaxf(s_max[0], s_max[1]), fmaxf(s_max[2], s_max[3]));
        float total = 0.f;
        float2 o = make_float2(0.f, 0.f);
        for (int w = 0; w < 4; ++w) {
            float f = __expf(s_max[w] - top);
            total += s_sum[w] * f;
            o.x += s_acc[w][lane].x * f;
            o.y += s_acc[w][lane].y * f;
        }
        o.x /= total;
        o.y /= total;
        out[(size_t(batch) * q_heads + head) * 32 + lane] = o;
    }
}

static void run_attention() {
    const int batch = 14, qh = 16, kvh = 4, maxlen = 1024, hd = 64;
    HostRng r(17);
    std::vector<int> len(batch);
    for (int b = 0; b < batch; ++b) len[b] = b == 0 ? maxlen : b == 1 ? 3 : 20 + int(r.zipfish(1000, 1.7f));
    auto fill = [&](std::vector<__half2>& h, float amp) {
        for (auto& x : h) x = __floats2half2_rn(amp * r.gauss(), amp * r.gauss());
    };
    std::vector<__half2> q(size_t(batch) * qh * hd / 2), k(size_t(batch) * kvh * maxlen * hd / 2), v(k.size());
    fill(q, 1.0f);
    fill(k, 1.0f);
    fill(v, 0.7f);
    Dev<__half2> dq(q), dk(k), dv(v);
    Dev<int> dl(len);
    Dev<float2> dout(q.size());
    const float scale = 0.125f;
    for (int it = 0; it < kRepeats; ++it)
        attention_decode_gqa_half<<<dim3(qh, batch), 128>>>(dq.p, dk.p, dv.p, dl.p, dout.p, qh, kvh, maxlen, scale);
    CK(cudaGetLastError());
    auto got = dout.get();
    // unpack the caches once, so that the reference is plain float code
    auto unpack = [](const std::vector<__half2>& h) {
        std::vector<float> f(h.size() * 2);
        for (size_t i = 0; i < h.size(); ++i) {
            float2 t = __half22float2(h[i]);
            f[2 * i] = t.x;
            f[2 * i + 1] = t.y;
        }
        return f;
    };
    auto qf = unpack(q), kf = unpack(k), vf = unpack(v);
    bool ok = true;
    for (int b = 0; b < batch; ++b)
        for (int h = 0; h < qh; ++h) {
            const float* qp = &qf[(size_t(b) * qh + h) * hd];
            const size_t base = (size_t(b) * kvh + h / (qh / kvh)) * maxlen * hd;
            std::vector<double> s(len[b]);
            double mx = -1e30, sum = 0;
            for (int t = 0; t < len[b]; ++t) {
                double d = 0;
                for (int i = 0; i < hd; ++i) d += double(qp[i]) * kf[base + size_t(t) * hd + i];
                s[t] = d * scale;
                mx = std::max(mx, s[t]);
            }
            std::vector<double> o(hd, 0.0);
            for (int t = 0; t < len[b]; ++t) {
                double p = std::exp(s[t] - mx);
                sum += p;
                for (int i = 0; i < hd; ++i) o[i] += p * vf[base + size_t(t) * hd + i];
            }
            for (int i = 0; i < hd; ++i) {
                float2 g = got[(size_t(b) * qh + h) * (hd / 2) + i / 2];
                if (!close_to((i & 1) ? g.y : g.x, o[i] / sum, 1e-3, 1e-4)) ok = false;
            }
        }
    report("attention_decode_gqa_half", ok);
}

// ------------------------------------------------------------------ 18. image rotation through a 2-D texture

__global__ void rotate_rgba_tex2d_point(cudaTextureObject_t tex, uchar4* __restrict__ out, int w, int h, int cos_q16,
                                        int sin_q16) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    int dx = x - w / 2, dy = y - h / 2;
    int sx = ((cos_q16 * dx - sin_q16 * dy) >> 16) + w / 2;
    int sy = ((sin_q16 * dx + cos_q16 * dy) >> 16) + h / 2;
    out[y * w + x] = tex2D<uchar4>(tex, float(sx) + 0.5f, float(sy) + 0.5f);
}

static void run_rotate() {
    const int w = 1500, h = 1100;
    HostRng r(18);
    std::vector<uchar4> img(size_t(w) * h);
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x)
            img[size_t(y) * w + x] = make_uchar4((unsigned char)(x >> 3), (unsigned char)(y >> 3),
                                                 (unsigned char)(((x / 40) ^ (y / 40)) * 37), (unsigned char)(128 + r.below(128)));
    cudaChannelFormatDesc fmt = cudaCreateChannelDesc<uchar4>();
    cudaArray_t arr = nullptr;
    CK(cudaMallocArray(&arr, &fmt, w, h));
    CK(cudaMemcpy2DToArray(arr, 0, 0, img.data(), w * sizeof(uchar4), w * sizeof(uchar4), h, cudaMemcpyHostToDevice));
    cudaResourceDesc res;
    std::memset(&res, 0, sizeof res);
    res.resType = cudaResourceTypeArray;
    res.res.array.array = arr;
    cudaTextureDesc td;
    std::memset(&td, 0, sizeof td);
    td.addressMode[0] = td.addressMode[1] = cudaAddressModeBorder;
    td.filterMode = cudaFilterModePoint;
    td.readMode = cudaReadModeElementType;
    td.normalizedCoords = 0;
    cudaTextureObject_t tex = 0;
    CK(cudaCreateTextureObject(&tex, &res, &td, nullptr));
    {
        Dev<uchar4> out(img.size());
        const int cq = 60547, sq = 25080;  // about 22.5 degrees
        dim3 block(16, 16), grid(ceil_div(w, 16), ceil_div(h, 16));
        for (int it = 0; it < kRepeats; ++it) rotate_rgba_tex2d_point<<<grid, block>>>(tex, out.p, w, h, cq, sq);
        CK(cudaGetLastError());
        auto g = out.get();
        bool ok = true;
        for (int y = 0; y < h; ++y)
            for (int x = 0; x < w; ++x) {
                int dx = x - w / 2, dy = y - h / 2;
                int sx = ((cq * dx - sq * dy) >> 16) + w / 2, sy = ((sq * dx + cq * dy) >> 16) + h / 2;
                uchar4 want = make_uchar4(0, 0, 0, 0);
                if (sx >= 0 && sy >= 0 && sx < w && sy < h) want = img[size_t(sy) * w + sx];
                uchar4 have = g[size_t(y) * w + x];
                if (want.x != have.x || want.y != have.y || want.z != have.z || want.w != have.w) ok = false;
            }
        report("rotate_rgba_tex2d_point", ok);
    }
    CK(cudaDestroyTextureObject(tex));
    CK(cudaFreeArray(arr));
}

// ------------------------------------------------------------------ 19. cross-section lookup through a linear texture

__global__ void cross_section_tex1d_search(cudaTextureObject_t grid, const float* __restrict__ energy,
                                           const float* __restrict__ weight, float* __restrict__ out, int n,
                                           int n_grid) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float e = energy[i];
    int lo = 0, hi = n_grid - 1;
    while (hi - lo > 1) {
        int mid = (lo + hi) >> 1;
        if (tex1Dfetch<float2>(grid, mid).x <= e) lo = mid;
        else hi = mid;
    }
    float2 a = tex1Dfetch<float2>(grid, lo);
    float2 b = tex1Dfetch<float2>(grid, lo + 1);
    float f = (e - a.x) / (b.x - a.x);
    out[i] = weight[i] * (a.y + f * (b.y - a.y));
}

static void run_cross_section() {
    const int ng = 70000, n = 250000;
    HostRng r(19);
    std::vector<float2> g(ng);
    float e = 1.0f;
    for (int i = 0; i < ng; ++i) {
        float peak = (i % 997) < 12 ? 40.f * r.uni() : 0.f;
        g[i] = make_float2(e, 3.0f + peak + r.uni());
        e += 0.0005f + 0.002f * r.uni() * r.uni();
    }
    const float top = g[ng - 1].x;
    std::vector<float> en(n), w(n);
    for (int i = 0; i < n; ++i) {
        float t = r.below(3) ? std::pow(r.uni(), 3.0f) : 0.4f + 0.01f * r.gauss();
        en[i] = std::min(top, std::max(1.0f, 1.0f + (top - 1.0f) * t));
        w[i] = r.range(0.1f, 1.0f);
    }
    Dev<float2> dg(g);
    Dev<float> de(en), dw(w), dout(n);
    cudaResourceDesc res;
    std::memset(&res, 0, sizeof res);
    res.resType = cudaResourceTypeLinear;
    res.res.linear.devPtr = dg.p;
    res.res.linear.desc = cudaCreateChannelDesc<float2>();
    res.res.linear.sizeInBytes = size_t(ng) * sizeof(float2);
    cudaTextureDesc td;
    std::memset(&td, 0, sizeof td);
    td.readMode = cudaReadModeElementType;
    cudaTextureObject_t tex = 0;
    CK(cudaCreateTextureObject(&tex, &res, &td, nullptr));
    for (int it = 0; it < kRepeats; ++it)
        cross_section_tex1d_search<<<ceil_div(n, 128), 128>>>(tex, de.p, dw.p, dout.p, n, ng);
    CK(cudaGetLastError());
    auto o = dout.get();
    CK(cudaDestroyTextureObject(tex));
    bool ok = true;
    for (int i = 0; i < n; ++i) {
        auto itr = std::upper_bound(g.begin(), g.end(), en[i], [](float v, const float2& p) { return v < p.x; });
        int lo = std::min(ng - 2, int(itr - g.begin()) - 1);
        double f = (double(en[i]) - g[lo].x) / (double(g[lo + 1].x) - g[lo].x);
        double want = w[i] * (g[lo].y + f * (double(g[lo + 1].y) - g[lo].y));
        if (!close_to(o[i], want, 1e-4, 1e-5)) ok = false;
    }
    report("cross_section_tex1d_search", ok);
}

// ------------------------------------------------------------------ 20. bilateral filter

__constant__ float c_spatial[25];

__global__ void bilateral_5x5_gray(const float* __restrict__ in, float* __restrict__ out, int w, int h,
                                   float inv_two_sigma2) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float c = __ldg(in + y * w + x);
    float num = 0.f, den = 0.f;
#pragma unroll
    for (int j = -2; j <= 2; ++j) {
        int yy = min(max(y + j, 0), h - 1);
#pragma unroll
        for (int i = -2; i <= 2; ++i) {
            int xx = min(max(x + i, 0), w - 1);
            float p = __ldg(in + yy * w + xx);
            float d = p - c;
            float wt = c_spatial[(j + 2) * 5 + i + 2] * __expf(-d * d * inv_two_sigma2);
            num += wt * p;
            den += wt;
        }
    }
    out[y * w + x] = num / den;
}

static void run_bilateral() {
    const int w = 900, h = 700;
    HostRng r(20);
    std::vector<float> img(size_t(w) * h), sp(25);
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x)
            img[size_t(y) * w + x] = 0.2f + 0.5f * float(((x / 70) + (y / 50)) & 1) + 0.0002f * float(x) + 0.04f * r.gauss();
    for (int j = -2; j <= 2; ++j)
        for (int i = -2; i <= 2; ++i) sp[(j + 2) * 5 + i + 2] = std::exp(-float(i * i + j * j) / 4.5f);
    CK(cudaMemcpyToSymbol(c_spatial, sp.data(), 25 * sizeof(float)));
    Dev<float> di(img), dout(img.size());
    const float k = 1.0f / (2.0f * 0.1f * 0.1f);
    dim3 block(32, 8), grid(ceil_div(w, 32), ceil_div(h, 8));
    for (int it = 0; it < kRepeats; ++it) bilateral_5x5_gray<<<grid, block>>>(di.p, dout.p, w, h, k);
    CK(cudaGetLastError());
    auto o = dout.get();
    bool ok = true;
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            float c = img[size_t(y) * w + x], num = 0, den = 0;
            for (int j = -2; j <= 2; ++j)
                for (int i = -2; i <= 2; ++i) {
                    int yy = std::min(std::max(y + j, 0), h - 1), xx = std::min(std::max(x + i, 0), w - 1);
                    float p = img[size_t(yy) * w + xx], d = p - c;
                    float wt = sp[(j + 2) * 5 + i + 2] * std::exp(-d * d * k);
                    num += wt * p;
                    den += wt;
                }
            if (!close_to(o[size_t(y) * w + x], num / den, 2e-4, 1e-5)) ok = false;
        }
    report("bilateral_5x5_gray", ok);
}

// ------------------------------------------------------------------ 21. 3x3 median

__device__ __forceinline__ void order2(int& a, int& b) {
    int lo = min(a, b);
    b = max(a, b);
    a = lo;
}

__global__ void median3x3_bytes_network(const uint8_t* __restrict__ in, uint8_t* __restrict__ out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    int p[9];
#pragma unroll
    for (int j = 0; j < 3; ++j) {
        int yy = min(max(y + j - 1, 0), h - 1);
#pragma unroll
        for (int i = 0; i < 3; ++i) {
            int xx = min(max(x + i - 1, 0), w - 1);
            p[j * 3 + i] = in[yy * w + xx];
        }
    }
    order2(p[1], p[2]); order2(p[4], p[5]); order2(p[7], p[8]);
    order2(p[0], p[1]); order2(p[3], p[4]); order2(p[6], p[7]);
    order2(p[1], p[2]); order2(p[4], p[5]); order2(p[7], p[8]);
    order2(p[0], p[3]); order2(p[5], p[8]); order2(p[4], p[7]);
    order2(p[3], p[6]); order2(p[1], p[4]); order2(p[2], p[5]);
    order2(p[4], p[7]); order2(p[4], p[2]); order2(p[6], p[4]);
    order2(p[4], p[2]);
    out[y * w + x] = uint8_t(p[4]);
}

static void run_median() {
    const int w = 1800, h = 1000;
    HostRng r(21);
    std::vector<uint8_t> img(size_t(w) * h);
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            uint32_t k = r.below(100);
            int base = (x * 200) / w + ((y / 64) & 1) * 30 + int(r.below(10));
            img[size_t(y) * w + x] = k < 4 ? 255 : k < 8 ? 0 : uint8_t(base);
        }
    Dev<uint8_t> di(img), dout(img.size());
    dim3 block(32, 8), grid(ceil_div(w, 32), ceil_div(h, 8));
    for (int it = 0; it < kRepeats; ++it) median3x3_bytes_network<<<grid, block>>>(di.p, dout.p, w, h);
    CK(cudaGetLastError());
    auto o = dout.get();
    bool ok = true;
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            uint8_t v[9];
            int n = 0;
            for (int j = -1; j <= 1; ++j)
                for (int i = -1; i <= 1; ++i)
                    v[n++] = img[size_t(std::min(std::max(y + j, 0), h - 1)) * w + std::min(std::max(x + i, 0), w - 1)];
            std::nth_element(v, v + 4, v + 9);
            if (o[size_t(y) * w + x] != v[4]) ok = false;
        }
    report("median3x3_bytes_network", ok);
}

// ------------------------------------------------------------------ 22. batched tridiagonal solve in FP64

__global__ void thomas_tridiag_batch_fp64(const double* __restrict__ lower, const double* __restrict__ diag,
                                          const double* __restrict__ upper, const double* __restrict__ rhs,
                                          double* __restrict__ work, double* __restrict__ x, int n, int systems) {
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= systems) return;
    double inv = 1.0 / diag[s];
    double cp = upper[s] * inv;
    double dp = rhs[s] * inv;
    work[s] = cp;
    x[s] = dp;
    for (int i = 1; i < n; ++i) {
        int at = i * systems + s;
        double a = lower[at];
        inv = 1.0 / (diag[at] - a * cp);
        cp = upper[at] * inv;
        dp = (rhs[at] - a * dp) * inv;
        work[at] = cp;
        x[at] = dp;
    }
    for (int i = n - 2; i >= 0; --i) {
        int at = i * systems + s;
        dp = x[at] - work[at] * dp;
        x[at] = dp;
    }
}

static void run_thomas() {
    const int n = 72, systems = 9000;
    HostRng r(22);
    size_t m = size_t(n) * systems;
    std::vector<double> a(m), b(m), c(m), d(m);
    for (size_t i = 0; i < m; ++i) {
        double k = 0.3 + 4.0 * r.uni() * r.uni();  // diffusion number
        a[i] = -k;
        c[i] = -k * (0.8 + 0.2 * r.uni());
        b[i] = 1.0 + 2.0 * k;
        d[i] = r.range(-1, 1);
    }
    Dev<double> da(a), db(b), dc(c), dd(d), dw(m), dx(m);
    for (int it = 0; it < kRepeats; ++it)
        thomas_tridiag_batch_fp64<<<ceil_div(systems, 64), 64>>>(da.p, db.p, dc.p, dd.p, dw.p, dx.p, n, systems);
    CK(cudaGetLastError());
    auto x = dx.get();
    bool ok = true;
    std::vector<double> cp(n), xp(n);
    for (int s = 0; s < systems; ++s) {
        cp[0] = c[s] / b[s];
        xp[0] = d[s] / b[s];
        for (int i = 1; i < n; ++i) {
            size_t at = size_t(i) * systems + s;
            double den = b[at] - a[at] * cp[i - 1];
            cp[i] = c[at] / den;
            xp[i] = (d[at] - a[at] * xp[i - 1]) / den;
        }
        for (int i = n - 2; i >= 0; --i) xp[i] -= cp[i] * xp[i + 1];
        for (int i = 0; i < n; ++i)
            if (!close_to(x[size_t(i) * systems + s], xp[i], 1e-9, 1e-11)) ok = false;
    }
    report("thomas_tridiag_batch_fp64", ok);
}

// ------------------------------------------------------------------ 23. CRC-32 of packets

__global__ void crc32_packets_shared_table(const uint32_t* __restrict__ words, const int* __restrict__ offset,
                                           const int* __restrict__ bytes, const uint32_t* __restrict__ table,
                                           uint32_t* __restrict__ crc_out, int n) {
    __shared__ uint32_t t[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) t[i] = table[i];
    __syncthreads();
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= n) return;
    const uint32_t* w = words + (offset[p] >> 2);
    int len = bytes[p];
    uint32_t crc = 0xffffffffu;
    int full = len >> 2;
    for (int i = 0; i < full; ++i) {
        crc ^= w[i];
        crc = (crc >> 8) ^ t[crc & 255u];
        crc = (crc >> 8) ^ t[crc & 255u];
        crc = (crc >> 8) ^ t[crc & 255u];
        crc = (crc >> 8) ^ t[crc & 255u];
    }
    if (len & 3) {
        uint32_t last = w[full];
        for (int i = 0; i < (len & 3); ++i) {
            crc = (crc >> 8) ^ t[(crc ^ last) & 255u];
            last >>= 8;
        }
    }
    crc_out[p] = ~crc;
}

static void run_crc() {
    const int n = 9000;
    HostRng r(23);
    std::vector<int> off(n), len(n);
    int at = 0;
    for (int i = 0; i < n; ++i) {
        uint32_t k = r.below(100);
        len[i] = k < 55 ? 40 + int(r.below(30)) : k < 70 ? 576 : k < 92 ? 1500 : 64 + int(r.below(1400));
        off[i] = at;
        at += (len[i] + 3) & ~3;
    }
    std::vector<uint32_t> words(at / 4), table(256);
    for (auto& v : words) v = r.u32() & (r.below(3) ? 0x7f7f7f7fu : 0x00ff00ffu);
    for (uint32_t i = 0; i < 256; ++i) {
        uint32_t c = i;
        for (int k = 0; k < 8; ++k) c = (c & 1u) ? (c >> 1) ^ 0xEDB88320u : c >> 1;
        table[i] = c;
    }
    Dev<uint32_t> dw(words), dt(table), dc(n);
    Dev<int> dof(off), dl(len);
    for (int it = 0; it < kRepeats; ++it)
        crc32_packets_shared_table<<<ceil_div(n, 64), 64>>>(dw.p, dof.p, dl.p, dt.p, dc.p, n);
    CK(cudaGetLastError());
    auto g = dc.get();
    bool ok = true;
    const uint8_t* bytes = reinterpret_cast<const uint8_t*>(words.data());
    for (int i = 0; i < n; ++i) {
        uint32_t c = 0xffffffffu;
        for (int k = 0; k < len[i]; ++k) c = (c >> 8) ^ table[(c ^ bytes[off[i] + k]) & 255u];
        if (g[i] != ~c) ok = false;
    }
    report("crc32_packets_shared_table", ok);
}

// ------------------------------------------------------------------ 24. Monte-Carlo Asian option with a PCG

__host__ __device__ inline uint32_t pcg_next(uint64_t& s) {
    uint64_t old = s;
    s = old * 6364136223846793005ull + 1442695040888963407ull;
    uint32_t x = uint32_t(((old >> 18) ^ old) >> 27);
    uint32_t rot = uint32_t(old >> 59);
    return (x >> rot) | (x << ((32u - rot) & 31u));
}

__global__ void asian_option_pcg_paths(double* sum, float* __restrict__ payoff_out, int paths, int step_pairs,
                                       float s0, float strike, float drift, float vol, float discount) {
    __shared__ float part[8];
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    float pay = 0.f;
    if (p < paths) {
        uint64_t rng = (uint64_t(p) + 1) * 0x9E3779B97F4A7C15ull;
        pcg_next(rng);
        float price = s0, avg = 0.f;
        for (int k = 0; k < step_pairs; ++k) {
            float u1 = float((pcg_next(rng) >> 8) + 1u) * (1.0f / 16777216.0f);
            float u2 = float(pcg_next(rng) >> 8) * (1.0f / 16777216.0f);
            float rad = sqrtf(-2.0f * logf(u1));
            float sn, cs;
            sincosf(6.2831853f * u2, &sn, &cs);
            price *= expf(drift + vol * rad * cs);
            avg += price;
            price *= expf(drift + vol * rad * sn);
            avg += price;
        }
        avg /= float(2 * step_pairs);
        pay = fmaxf(avg - strike, 0.f) * discount;
        payoff_out[p] = pay;
    }
    for (int o = 16; o > 0; o >>= 1) pay += __shfl_down_sync(kFull, pay, o);
    if ((threadIdx.x & 31) == 0) part[threadIdx.x >> 5] = pay;
    __syncthreads();
    if (threadIdx.x == 0) {
        float t = 0.f;
        for (int w = 0; w < 8; ++w) t += part[w];
        atomicAdd(sum, double(t));
    }
}

static void run_monte_carlo() {
    const int paths = 60000, pairs = 16;
    const float s0 = 100.f, strike = 102.f, sigma = 0.3f, rate = 0.03f, dt = 1.0f / 32.0f;
    const float drift = (rate - 0.5f * sigma * sigma) * dt, vol = sigma * std::sqrt(dt), disc = std::exp(-rate);
    Dev<double> ds(1);
    Dev<float> dp(paths);
    for (int it = 0; it < kRepeats; ++it) {
        ds.fill(0);
        asian_option_pcg_paths<<<ceil_div(paths, 256), 256>>>(ds.p, dp.p, paths, pairs, s0, strike, drift, vol, disc);
    }
    CK(cudaGetLastError());
    auto pay = dp.get();
    double total = 0;
    bool ok = true;
    for (int p = 0; p < paths; ++p) {
        uint64_t rng = (uint64_t(p) + 1) * 0x9E3779B97F4A7C15ull;
        pcg_next(rng);
        float price = s0, avg = 0.f;
        for (int k = 0; k < pairs; ++k) {
            float u1 = float((pcg_next(rng) >> 8) + 1u) * (1.0f / 16777216.0f);
            float u2 = float(pcg_next(rng) >> 8) * (1.0f / 16777216.0f);
            float rad = std::sqrt(-2.0f * std::log(u1));
            price *= std::exp(drift + vol * rad * std::cos(6.2831853f * u2));
            avg += price;
            price *= std::exp(drift + vol * rad * std::sin(6.2831853f * u2));
            avg += price;
        }
        avg /= float(2 * pairs);
        float w = std::max(avg - strike, 0.f) * disc;
        total += w;
        if (!close_to(pay[p], w, 1e-3, 2e-2)) ok = false;
    }
    report("asian_option_pcg_paths", ok && close_to(ds.get()[0], total, 1e-4, 0));
}

// ------------------------------------------------------------------ 25. batched 16x16 Cholesky

__global__ void cholesky16_batch_warp(const float* __restrict__ a, float* __restrict__ l, int count) {
    __shared__ float s[4][16][17];
    const int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
    const int m = blockIdx.x * 4 + w;
    if (m >= count) return;
    for (int i = lane; i < 256; i += 32) s[w][i >> 4][i & 15] = a[size_t(m) * 256 + i];
    for (int k = 0; k < 16; ++k) {
        __syncwarp();
        if (lane == 0) s[w][k][k] = sqrtf(s[w][k][k]);
        __syncwarp();
        if (lane > k && lane < 16) s[w][lane][k] /= s[w][k][k];
        __syncwarp();
        for (int i = lane; i < 256; i += 32) {
            int r = i >> 4, c = i & 15;
            if (c > k && r >= c) s[w][r][c] -= s[w][r][k] * s[w][c][k];
        }
    }
    __syncwarp();
    for (int i = lane; i < 256; i += 32) {
        int r = i >> 4, c = i & 15;
        l[size_t(m) * 256 + i] = c <= r ? s[w][r][c] : 0.f;
    }
}

static void run_cholesky() {
    const int count = 5001;
    HostRng r(25);
    std::vector<float> a(size_t(count) * 256);
    for (int m = 0; m < count; ++m) {
        float g[16][16];
        float amp = 0.2f + 3.f * r.uni() * r.uni();
        for (auto& row : g) for (float& v : row) v = amp * r.range(-1, 1);
        for (int i = 0; i < 16; ++i)
            for (int j = 0; j < 16; ++j) {
                float t = i == j ? 2.0f : 0.f;
                for (int k = 0; k < 16; ++k) t += g[i][k] * g[j][k];
                a[size_t(m) * 256 + i * 16 + j] = t;
            }
    }
    Dev<float> da(a), dl(a.size());
    for (int it = 0; it < kRepeats; ++it) cholesky16_batch_warp<<<ceil_div(count, 4), 128>>>(da.p, dl.p, count);
    CK(cudaGetLastError());
    auto l = dl.get();
    bool ok = true;
    for (int m = 0; m < count; ++m) {
        double L[16][16] = {};
        for (int j = 0; j < 16; ++j)
            for (int i = j; i < 16; ++i) {
                double t = a[size_t(m) * 256 + i * 16 + j];
                for (int k = 0; k < j; ++k) t -= L[i][k] * L[j][k];
                L[i][j] = i == j ? std::sqrt(t) : t / L[j][j];
            }
        for (int i = 0; i < 256; ++i)
            if (!close_to(l[size_t(m) * 256 + i], L[i >> 4][i & 15], 1e-3, 1e-3)) ok = false;
    }
    report("cholesky16_batch_warp", ok);
}

// ------------------------------------------------------------------ 26. transpose with a padded tile

__global__ void transpose_tile32_padded(const float* __restrict__ in, float* __restrict__ out, int w, int h) {
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x;
    int y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < w && y + j < h) tile[threadIdx.y + j][threadIdx.x] = in[size_t(y + j) * w + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < h && y + j < w) out[size_t(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}

static void run_transpose() {
    const int w = 2300, h = 1700;
    HostRng r(26);
    std::vector<float> in(size_t(w) * h);
    for (auto& v : in) v = r.range(-1, 1);
    Dev<float> di(in), dout(in.size());
    dim3 block(32, 8), grid(ceil_div(w, 32), ceil_div(h, 32));
    for (int it = 0; it < kRepeats; ++it) transpose_tile32_padded<<<grid, block>>>(di.p, dout.p, w, h);
    CK(cudaGetLastError());
    auto o = dout.get();
    bool ok = true;
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x)
            if (o[size_t(x) * h + y] != in[size_t(y) * w + x]) ok = false;
    report("transpose_tile32_padded", ok);
}

// ------------------------------------------------------------------ 27. int8 linear layer with dp4a

__global__ void linear_int8_dp4a_4tokens(const int4* __restrict__ weight, const int4* __restrict__ act,
                                         const float* __restrict__ w_scale, const float* __restrict__ a_scale,
                                         float* __restrict__ out, int n_out, int k16) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    int lane = threadIdx.x & 31;
    if (row >= n_out) return;
    int acc[4] = {0, 0, 0, 0};
    for (int k = lane; k < k16; k += 32) {
        int4 w = weight[size_t(row) * k16 + k];
#pragma unroll
        for (int t = 0; t < 4; ++t) {
            int4 a = __ldg(act + t * k16 + k);
            acc[t] = __dp4a(w.x, a.x, acc[t]);
            acc[t] = __dp4a(w.y, a.y, acc[t]);
            acc[t] = __dp4a(w.z, a.z, acc[t]);
            acc[t] = __dp4a(w.w, a.w, acc[t]);
        }
    }
#pragma unroll
    for (int t = 0; t < 4; ++t)
        for (int o = 16; o > 0; o >>= 1) acc[t] += __shfl_xor_sync(kFull, acc[t], o);
    if (lane == 0) {
        float ws = w_scale[row];
#pragma unroll
        for (int t = 0; t < 4; ++t) out[t * n_out + row] = float(acc[t]) * (ws * a_scale[t]);
    }
}

static void run_dp4a() {
    const int n_out = 3000, k = 2048, k16 = k / 16;
    HostRng r(27);
    std::vector<int4> w(size_t(n_out) * k16), a(size_t(4) * k16);
    std::vector<float> ws(n_out), as(4);
    int8_t* wb = reinterpret_cast<int8_t*>(w.data());
    int8_t* ab = reinterpret_cast<int8_t*>(a.data());
    for (size_t i = 0; i < size_t(n_out) * k; ++i) {
        uint64_t q = r.next();  // triangular, weights bunch about nought
        int v = int((q >> 56) & 63) + int((q >> 48) & 63) + int((q >> 40) & 63) - 94;
        wb[i] = int8_t(v);
    }
    for (int i = 0; i < 4 * k; ++i) {
        float v = 18.f * r.gauss() * (i % 97 == 5 ? 6.f : 1.f);
        ab[i] = int8_t(std::min(127.f, std::max(-127.f, v)));
    }
    for (auto& v : ws) v = r.range(0.001f, 0.01f);
    for (auto& v : as) v = r.range(0.01f, 0.05f);
    Dev<int4> dw(w), da(a);
    Dev<float> dws(ws), das(as), dout(size_t(4) * n_out);
    for (int it = 0; it < kRepeats; ++it)
        linear_int8_dp4a_4tokens<<<ceil_div(n_out, 8), 256>>>(dw.p, da.p, dws.p, das.p, dout.p, n_out, k16);
    CK(cudaGetLastError());
    auto o = dout.get();
    bool ok = true;
    for (int t = 0; t < 4; ++t)
        for (int i = 0; i < n_out; ++i) {
            int s = 0;
            for (int c = 0; c < k; ++c) s += int(wb[size_t(i) * k + c]) * int(ab[t * k + c]);
            float want = float(s) * (ws[i] * as[t]);
            if (!close_to(o[t * n_out + i], want, 1e-6, 1e-9)) ok = false;
        }
    report("linear_int8_dp4a_4tokens", ok);
}

// ------------------------------------------------------------------ 28. Smith-Waterman, one block per pair

__global__ void smith_waterman_affine_diag(const char* __restrict__ query, const int* __restrict__ q_len,
                                           const char* __restrict__ target, const int* __restrict__ t_len,
                                           int t_stride, int* __restrict__ best_out) {
    __shared__ char ref[320];
    __shared__ int sh[2][129], sf[2][129];
    __shared__ int best_block;
    const int i = threadIdx.x, pair = blockIdx.x;
    const int m = q_len[pair], n = t_len[pair];
    const int gap_open = 5, gap_ext = 1, low = -1000000;
    for (int c = i; c < n; c += blockDim.x) ref[c] = target[size_t(pair) * t_stride + c];
    if (i == 0) {
        best_block = 0;
        sh[0][0] = sh[1][0] = 0;
        sf[0][0] = sf[1][0] = low;
    }
    char mine = i < m ? query[size_t(pair) * 128 + i] : 'N';
    int h_left = 0, h_diag = 0, e = low, best = 0;
    __syncthreads();
    for (int d = 0; d < m + n - 1; ++d) {
        int j = d - i;
        if (i < m && j >= 0 && j < n) {
            int now = d & 1, prev = now ^ 1;
            int h_up = i == 0 ? 0 : sh[prev][i];
            int f_up = i == 0 ? low : sf[prev][i];
            e = max(e - gap_ext, h_left - gap_open);
            int f = max(f_up - gap_ext, h_up - gap_open);
            int h = max(max(0, h_diag + (mine == ref[j] ? 2 : -3)), max(e, f));
            sh[now][i + 1] = h;
            sf[now][i + 1] = f;
            h_diag = h_up;
            h_left = h;
            best = max(best, h);
        }
        __syncthreads();
    }
    for (int o = 16; o > 0; o >>= 1) best = max(best, __shfl_xor_sync(kFull, best, o));
    if ((i & 31) == 0) atomicMax(&best_block, best);
    __syncthreads();
    if (i == 0) best_out[pair] = best_block;
}

static void run_smith_waterman() {
    const int pairs = 500, stride = 320;
    HostRng r(28);
    const char* dna = "ACGTTAGA";  // AT-rich
    std::vector<char> q(size_t(pairs) * 128, 'N'), t(size_t(pairs) * stride, 'N');
    std::vector<int> ql(pairs), tl(pairs);
    for (int p = 0; p < pairs; ++p) {
        ql[p] = r.below(4) ? 100 + int(r.below(29)) : 30 + int(r.below(70));
        tl[p] = 200 + int(r.below(uint32_t(stride - 200 + 1)));
        char* qq = &q[size_t(p) * 128];
        char* tt = &t[size_t(p) * stride];
        for (int i = 0; i < ql[p]; ++i) qq[i] = dna[r.below(8)];
        for (int i = 0; i < tl[p]; ++i) tt[i] = dna[r.below(8)];
        if (r.below(10) < 6) {  // plant a mutated copy
            int at = int(r.below(uint32_t(tl[p] - ql[p] + 1)));
            int src = 0;
            for (int i = 0; i < ql[p] && src < ql[p]; ++i) {
                uint32_t k = r.below(100);
                if (k < 3) ++src;                                  // deletion
                else if (k < 6) { tt[at + i] = dna[r.below(8)]; continue; }  // insertion
                if (src < ql[p]) tt[at + i] = k < 12 ? dna[r.below(8)] : qq[src];
                ++src;
            }
        }
    }
    Dev<char> dq(q), dt(t);
    Dev<int> dql(ql), dtl(tl), db(pairs);
    for (int it = 0; it < kRepeats; ++it)
        smith_waterman_affine_diag<<<pairs, 128>>>(dq.p, dql.p, dt.p, dtl.p, stride, db.p);
    CK(cudaGetLastError());
    auto got = db.get();
    bool ok = true;
    std::vector<int> H(stride + 1), F(stride + 1);
    for (int p = 0; p < pairs; ++p) {
        std::fill(H.begin(), H.end(), 0);
        std::fill(F.begin(), F.end(), -1000000);
        int best = 0;
        for (int i = 0; i < ql[p]; ++i) {
            int diag = 0, left = 0, e = -1000000;
            for (int j = 1; j <= tl[p]; ++j) {
                F[j] = std::max(F[j] - 1, H[j] - 5);
                e = std::max(e - 1, left - 5);
                int s = q[size_t(p) * 128 + i] == t[size_t(p) * stride + j - 1] ? 2 : -3;
                int h = std::max(std::max(0, diag + s), std::max(e, F[j]));
                diag = H[j];
                H[j] = left = h;
                best = std::max(best, h);
            }
        }
        if (got[p] != best) ok = false;
    }
    report("smith_waterman_affine_diag", ok);
}

// ------------------------------------------------------------------ 29. short-range forces over a cell list

__global__ void lj_force_cell_list(const float4* __restrict__ pos, const int* __restrict__ cell_start,
                                   float4* __restrict__ force, int n, int side, float inv_cell, float cut2) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 p = pos[i];
    int cx = int(p.x * inv_cell), cy = int(p.y * inv_cell), cz = int(p.z * inv_cell);
    float fx = 0.f, fy = 0.f, fz = 0.f, pot = 0.f;
    for (int z = max(cz - 1, 0); z <= min(cz + 1, side - 1); ++z)
        for (int y = max(cy - 1, 0); y <= min(cy + 1, side - 1); ++y) {
            // x-neighbours lie one after another, so take the run in one go
            int row = (z * side + y) * side;
            int b = cell_start[row + max(cx - 1, 0)];
            int e = cell_start[row + min(cx + 1, side - 1) + 1];
            for (int j = b; j < e; ++j) {
                float4 q = __ldg(pos + j);
                float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z;
                float r2 = dx * dx + dy * dy + dz * dz;
                if (j == i || r2 >= cut2) continue;
                float fade = 1.0f - r2 / cut2;
                float inv2 = 1.0f / fmaxf(r2, 0.64f);
                float inv6 = inv2 * inv2 * inv2;
                float depth = p.w * q.w * fade * fade;
                float f = 24.0f * depth * inv2 * inv6 * (2.0f * inv6 - 1.0f);
                fx += f * dx;
                fy += f * dy;
                fz += f * dz;
                pot += 2.0f * depth * inv6 * (inv6 - 1.0f);
            }
        }
    force[i] = make_float4(fx, fy, fz, pot);
}

static void run_particles() {
    const int n = 20000, side = 16;
    const float cell = 2.5f, inv_cell = 0.4f, cut2 = cell * cell, box = 40.0f;
    HostRng r(29);
    std::vector<float4> raw(n);
    float cx[10], cy[10], cz[10];
    for (int k = 0; k < 10; ++k) { cx[k] = r.range(6, 34); cy[k] = r.range(6, 34); cz[k] = r.range(6, 34); }
    auto clampf = [&](float v) { return std::min(box - 0.01f, std::max(0.01f, v)); };
    for (auto& p : raw) {
        if (r.below(10) < 5) {
            uint32_t k = r.zipfish(10, 1.5f);
            p = make_float4(clampf(cx[k] + 3.f * r.gauss()), clampf(cy[k] + 3.f * r.gauss()), clampf(cz[k] + 3.f * r.gauss()), 0.f);
        } else {
            p = make_float4(clampf(r.range(0, box)), clampf(r.range(0, box)), clampf(r.range(0, box)), 0.f);
        }
        p.w = r.below(4) ? 1.0f : 0.6f;
    }
    std::vector<int> cid(n), start(side * side * side + 1, 0);
    for (int i = 0; i < n; ++i) {
        cid[i] = (int(raw[i].z * inv_cell) * side + int(raw[i].y * inv_cell)) * side + int(raw[i].x * inv_cell);
        ++start[cid[i] + 1];
    }
    for (size_t c = 1; c < start.size(); ++c) start[c] += start[c - 1];
    std::vector<float4> pos(n);
    {
        std::vector<int> at(start.begin(), start.end() - 1);
        for (int i = 0; i < n; ++i) pos[at[cid[i]]++] = raw[i];
    }
    Dev<float4> dp(pos), df(n);
    Dev<int> dst(start);
    for (int it = 0; it < kRepeats; ++it)
        lj_force_cell_list<<<ceil_div(n, 128), 128>>>(dp.p, dst.p, df.p, n, side, inv_cell, cut2);
    CK(cudaGetLastError());
    auto f = df.get();
    bool ok = true;
    for (int i = 0; i < n; ++i) {
        int x0 = int(pos[i].x * inv_cell), y0 = int(pos[i].y * inv_cell), z0 = int(pos[i].z * inv_cell);
        double s[4] = {0, 0, 0, 0}, mag[4] = {0, 0, 0, 0};
        for (int z = std::max(z0 - 1, 0); z <= std::min(z0 + 1, side - 1); ++z)
            for (int y = std::max(y0 - 1, 0); y <= std::min(y0 + 1, side - 1); ++y)
                for (int x = std::max(x0 - 1, 0); x <= std::min(x0 + 1, side - 1); ++x) {
                    int c = (z * side + y) * side + x;
                    for (int j = start[c]; j < start[c + 1]; ++j) {
                        if (j == i) continue;
                        double dx = double(pos[i].x) - pos[j].x, dy = double(pos[i].y) - pos[j].y, dz = double(pos[i].z) - pos[j].z;
                        double r2 = dx * dx + dy * dy + dz * dz;
                        if (r2 >= cut2) continue;
                        double fade = 1.0 - r2 / cut2, inv2 = 1.0 / std::max(r2, double(0.64f));
                        double inv6 = inv2 * inv2 * inv2, depth = double(pos[i].w) * pos[j].w * fade * fade;
                        double ff = 24.0 * depth * inv2 * inv6 * (2.0 * inv6 - 1.0);
                        double big = 24.0 * depth * inv2 * inv6 * (2.0 * inv6 + 1.0);
                        double t[4] = {ff * dx, ff * dy, ff * dz, 2.0 * depth * inv6 * (inv6 - 1.0)};
                        double u[4] = {big * std::fabs(dx), big * std::fabs(dy), big * std::fabs(dz), 2.0 * depth * inv6 * (inv6 + 1.0)};
                        for (int k = 0; k < 4; ++k) { s[k] += t[k]; mag[k] += u[k]; }
                    }
                }
        float g[4] = {f[i].x, f[i].y, f[i].z, f[i].w};
        for (int k = 0; k < 4; ++k)
            if (!(std::fabs(g[k] - s[k]) <= 1e-4 * mag[k] + 1e-4)) ok = false;
    }
    report("lj_force_cell_list", ok);
}

// ------------------------------------------------------------------ all of it

int main() {
    run_embedding();
    run_spmv_csr();
    run_spmm_coo();
    run_hist_bytes();
    run_hist2d();
    {
        SkewGraph g = make_rmat(500000, 6);
        run_bfs(g);
        run_triangles(g);
    }
    run_hash();
    run_bitonic();
    run_radix();
    run_scan();
    run_compact();
    run_residual();
    run_heat();
    run_wave();
    run_softmax();
    run_attention();
    run_rotate();
    run_cross_section();
    run_bilateral();
    run_median();
    run_thomas();
    run_crc();
    run_monte_carlo();
    run_cholesky();
    run_transpose();
    run_dp4a();
    run_smith_waterman();
    run_particles();
    CK(cudaDeviceSynchronize());
    return g_wrong ? 1 : 0;
}
