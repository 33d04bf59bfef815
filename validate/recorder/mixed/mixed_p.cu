// mixed_p.cu - 29 self-checking GPU kernels. Each one runs four times, then is compared with a CPU reference.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>
#include <cuda_runtime.h>

#define CK(call)                                                                                  \
    do {                                                                                          \
        cudaError_t e_ = (call);                                                                  \
        if (e_ != cudaSuccess) {                                                                  \
            std::fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(e_));       \
            std::exit(1);                                                                         \
        }                                                                                         \
    } while (0)

typedef unsigned long long ull;
static const unsigned FULL = 0xffffffffu;

// ---------------------------------------------------------------- host helpers
struct Rng {
    uint64_t s;
    explicit Rng(uint64_t seed) : s(seed * 0x9E3779B97F4A7C15ull + 20240607ull) {}
    uint64_t next() {
        uint64_t z = (s += 0x9E3779B97F4A7C15ull);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
        return z ^ (z >> 31);
    }
    uint32_t u32() { return (uint32_t)(next() >> 32); }
    uint32_t below(uint32_t n) { return (uint32_t)(((uint64_t)u32() * n) >> 32); }
    float uni() { return (float)(next() >> 40) * (1.0f / 16777216.0f); }
    float bell() {  // roughly normal, sigma about 0.58
        uint64_t z = next();
        int a = (int)(z & 0xffff) + (int)((z >> 16) & 0xffff) + (int)((z >> 32) & 0xffff) + (int)(z >> 48);
        return (float)(a - 131070) * (1.0f / 65536.0f);
    }
};

template <class T>
struct Dev {
    T* p = nullptr;
    size_t n;
    explicit Dev(size_t n_) : n(n_) { CK(cudaMalloc((void**)&p, n * sizeof(T))); }
    explicit Dev(const std::vector<T>& v) : n(v.size()) {
        CK(cudaMalloc((void**)&p, n * sizeof(T)));
        CK(cudaMemcpy(p, v.data(), n * sizeof(T), cudaMemcpyHostToDevice));
    }
    Dev(const Dev&) = delete;
    Dev& operator=(const Dev&) = delete;
    ~Dev() { cudaFree(p); }
    void fill(int byte) { CK(cudaMemset(p, byte, n * sizeof(T))); }
    void from(const Dev& o) { CK(cudaMemcpy(p, o.p, n * sizeof(T), cudaMemcpyDeviceToDevice)); }
    std::vector<T> down() const {
        std::vector<T> v(n);
        CK(cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost));
        return v;
    }
};

template <class R, class L>
void four(R reset, L launch) {
    for (int i = 0; i < 4; ++i) {
        reset();
        launch();
        CK(cudaGetLastError());
    }
    CK(cudaDeviceSynchronize());
}
static void nothing() {}

static int g_wrong = 0;
static void report(const char* name, bool ok) {
    std::printf("%s: %s\n", name, ok ? "right" : "wrong");
    std::fflush(stdout);
    if (!ok) ++g_wrong;
}
static bool near_(double a, double b, double tol) { return std::fabs(a - b) <= tol; }

// ---------------------------------------------------------------- device helpers
__device__ __forceinline__ float warp_sum(float v) {
#pragma unroll
    for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(FULL, v, o);
    return v;
}
__device__ __forceinline__ float warp_max(float v) {
#pragma unroll
    for (int o = 16; o; o >>= 1) v = fmaxf(v, __shfl_xor_sync(FULL, v, o));
    return v;
}
__device__ __forceinline__ int warp_incl(int v, int lane) {
#pragma unroll
    for (int o = 1; o < 32; o <<= 1) {
        int t = __shfl_up_sync(FULL, v, o);
        if (lane >= o) v += t;
    }
    return v;
}
__host__ __device__ inline uint32_t mix32(uint32_t h) {
    h ^= h >> 16; h *= 0x85ebca6bu;
    h ^= h >> 13; h *= 0xc2b2ae35u;
    return h ^ (h >> 16);
}

// ================================================================ 1 embedding rows
__global__ void embed_rows_f4(const float4* __restrict__ table, const int* __restrict__ ids,
                              float4* __restrict__ out, int rows) {
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows) return;
    int id = __ldg(ids + row);
    float4 v = make_float4(0.f, 0.f, 0.f, 0.f);
    if (id >= 0) v = table[(size_t)id * 32 + threadIdx.x];
    out[(size_t)row * 32 + threadIdx.x] = v;
}
static void t_embed() {
    const int V = 50000, D = 128, R = 120000;
    Rng g(1);
    std::vector<float> tab((size_t)V * D);
    for (auto& x : tab) x = g.bell();
    std::vector<int> ids(R);
    for (auto& i : ids) {
        float u = g.uni();
        i = std::min(V - 1, (int)(V * u * u * u));
        if (g.below(50) == 0) i = -1;
    }
    Dev<float> dt(tab), out((size_t)R * D);
    Dev<int> di(ids);
    four(nothing, [&] {
        embed_rows_f4<<<(R + 7) / 8, dim3(32, 8)>>>((const float4*)dt.p, di.p, (float4*)out.p, R);
    });
    auto h = out.down();
    bool ok = true;
    for (int r = 0; r < R && ok; ++r)
        for (int c = 0; c < D; ++c) {
            float e = ids[r] < 0 ? 0.f : tab[(size_t)ids[r] * D + c];
            if (h[(size_t)r * D + c] != e) ok = false;
        }
    report("embed_rows_f4", ok);
}

// ================================================================ 2 permutation gather
__global__ void permute_double2(const double* __restrict__ src, const int2* __restrict__ perm,
                                double2* __restrict__ dst, int half) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < half) {
        int2 q = perm[i];
        double2 r;
        r.x = __ldg(src + q.x);
        r.y = __ldg(src + q.y);
        dst[i] = r;
    }
}
static void t_permute() {
    const int N = 4000000;
    Rng g(2);
    std::vector<int> perm(N);
    std::vector<double> src(N);
    for (int i = 0; i < N; ++i) { perm[i] = i; src[i] = g.uni() * 1000.0 + i; }
    for (int i = N - 1; i > 0; --i) std::swap(perm[i], perm[g.below(i + 1)]);
    Dev<double> ds(src), dd(N);
    Dev<int> dp(perm);
    four(nothing, [&] {
        permute_double2<<<(N / 2 + 191) / 192, 192>>>(ds.p, (const int2*)dp.p, (double2*)dd.p, N / 2);
    });
    auto h = dd.down();
    bool ok = true;
    for (int i = 0; i < N; ++i) ok &= h[i] == src[perm[i]];
    report("permute_double2", ok);
}

// ================================================================ 3 CSR SpMV, sub-warp per row
template <int LANES>
__global__ void spmv_csr_sub(int rows, const int* __restrict__ ptr, const int* __restrict__ col,
                             const float* __restrict__ val, const float* __restrict__ x, float* __restrict__ y) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int row = t / LANES, l = t % LANES;
    float acc = 0.f;
    if (row < rows) {
        int e = ptr[row + 1];
        for (int k = ptr[row] + l; k < e; k += LANES) acc = fmaf(val[k], __ldg(x + col[k]), acc);
    }
#pragma unroll
    for (int o = LANES / 2; o; o >>= 1) acc += __shfl_down_sync(FULL, acc, o, LANES);
    if (l == 0 && row < rows) y[row] = acc;
}
static void t_csr() {
    const int R = 180003, C = 200000;
    Rng g(3);
    std::vector<int> ptr(R + 1, 0), col;
    std::vector<float> val, x(C);
    for (auto& v : x) v = g.bell();
    for (int r = 0; r < R; ++r) {
        int len = std::min(250, (int)(8.0f / (g.uni() * 0.9f + 0.03f)));
        if (g.below(100) == 0) len = 0;
        for (int k = 0; k < len; ++k) {
            col.push_back((int)g.below(C));
            val.push_back(g.bell());
        }
        ptr[r + 1] = (int)col.size();
    }
    Dev<int> dp(ptr), dc(col);
    Dev<float> dv(val), dx(x), dy(R);
    four(nothing, [&] { spmv_csr_sub<8><<<(R * 8 + 255) / 256, 256>>>(R, dp.p, dc.p, dv.p, dx.p, dy.p); });
    auto h = dy.down();
    bool ok = true;
    for (int r = 0; r < R; ++r) {
        double s = 0, a = 0;
        for (int k = ptr[r]; k < ptr[r + 1]; ++k) {
            double t = (double)val[k] * x[col[k]];
            s += t; a += std::fabs(t);
        }
        ok &= near_(h[r], s, 1e-5 * a + 1e-6);
    }
    report("spmv_csr_sub", ok);
}

// ================================================================ 4 ELL SpMV, column-major, double
__global__ void __launch_bounds__(128) spmv_ell_col(int rows, int width, const int* __restrict__ col,
                                                    const double* __restrict__ val, const double* __restrict__ x,
                                                    double* __restrict__ y) {
    int r = blockIdx.x * 128 + threadIdx.x;
    if (r >= rows) return;
    double acc = 0.0;
#pragma unroll 4
    for (int k = 0; k < width; ++k) {
        size_t p = (size_t)k * rows + r;
        int c = col[p];
        if (c >= 0) acc += val[p] * x[c];
    }
    y[r] = acc;
}
static void t_ell() {
    const int R = 260000, W = 16;
    Rng g(4);
    std::vector<int> col((size_t)R * W, -1);
    std::vector<double> val((size_t)R * W, 0.0), x(R);
    for (auto& v : x) v = g.uni() - 0.5;
    for (int r = 0; r < R; ++r) {
        int len = 6 + (int)g.below(11);
        for (int k = 0; k < len; ++k) {
            int c = r + (int)g.below(4001) - 2000;
            c = std::max(0, std::min(R - 1, c));
            col[(size_t)k * R + r] = c;
            val[(size_t)k * R + r] = g.bell();
        }
    }
    Dev<int> dc(col);
    Dev<double> dv(val), dx(x), dy(R);
    four(nothing, [&] { spmv_ell_col<<<(R + 127) / 128, 128>>>(R, W, dc.p, dv.p, dx.p, dy.p); });
    auto h = dy.down();
    bool ok = true;
    for (int r = 0; r < R; ++r) {
        double s = 0;
        for (int k = 0; k < W; ++k) {
            size_t p = (size_t)k * R + r;
            if (col[p] >= 0) s += val[p] * x[col[p]];
        }
        ok &= near_(h[r], s, 1e-11);
    }
    report("spmv_ell_col", ok);
}

// ================================================================ 5 byte histogram, one shared copy per warp
__global__ void hist256_warp_private(const uint4* __restrict__ in, int nvec, unsigned* __restrict__ bins) {
    __shared__ unsigned sh[8][256];
    for (int i = threadIdx.x; i < 8 * 256; i += 256) (&sh[0][0])[i] = 0;
    __syncthreads();
    unsigned* mine = sh[threadIdx.x >> 5];
    for (int i = blockIdx.x * 256 + threadIdx.x; i < nvec; i += gridDim.x * 256) {
        uint4 v = in[i];
        unsigned w[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            atomicAdd(mine + (w[k] & 255u), 1u);
            atomicAdd(mine + ((w[k] >> 8) & 255u), 1u);
            atomicAdd(mine + ((w[k] >> 16) & 255u), 1u);
            atomicAdd(mine + (w[k] >> 24), 1u);
        }
    }
    __syncthreads();
    unsigned s = 0;
#pragma unroll
    for (int w = 0; w < 8; ++w) s += sh[w][threadIdx.x];
    if (s) atomicAdd(bins + threadIdx.x, s);
}
static void t_hist256() {
    const size_t N = 32u << 20;
    Rng g(5);
    std::vector<uint8_t> a(N);
    for (size_t i = 0; i < N; i += 4) {
        uint64_t z = g.next();
        for (int k = 0; k < 4; ++k) a[i + k] = (uint8_t)((((z >> (16 * k)) & 255) + ((z >> (16 * k + 8)) & 255)) >> 1);
    }
    Dev<uint8_t> da(a);
    Dev<unsigned> db(256);
    four([&] { db.fill(0); },
         [&] { hist256_warp_private<<<132 * 6, 256>>>((const uint4*)da.p, (int)(N / 16), db.p); });
    std::vector<unsigned> ref(256, 0);
    for (auto v : a) ++ref[v];
    report("hist256_warp_private", db.down() == ref);
}

// ================================================================ 6 16-bit histogram, global atomics
__global__ void hist64k_global(const ushort4* __restrict__ in, int nvec, unsigned* __restrict__ bins) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= nvec) return;
    ushort4 v = in[i];
    atomicAdd(&bins[v.x], 1u);
    atomicAdd(&bins[v.y], 1u);
    atomicAdd(&bins[v.z], 1u);
    atomicAdd(&bins[v.w], 1u);
}
static void t_hist64k() {
    const int N = 4 << 20;
    Rng g(6);
    std::vector<uint16_t> a(N);
    for (auto& v : a) {
        float b = g.bell() * 9000.f + 32768.f;
        v = (uint16_t)std::max(0.f, std::min(65535.f, b));
    }
    Dev<uint16_t> da(a);
    Dev<unsigned> db(65536);
    four([&] { db.fill(0); }, [&] { hist64k_global<<<N / 4 / 512, 512>>>((const ushort4*)da.p, N / 4, db.p); });
    std::vector<unsigned> ref(65536, 0);
    for (auto v : a) ++ref[v];
    report("hist64k_global", db.down() == ref);
}

// ================================================================ 7 BFS, one top-down level
__global__ void bfs_topdown_step(const int* __restrict__ ptr, const int* __restrict__ adj,
                                 const int* __restrict__ frontier, int nf, int level, int* dist, int* next,
                                 int* next_count) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= nf) return;
    int u = frontier[t];
    int e = ptr[u + 1];
    for (int k = ptr[u]; k < e; ++k) {
        int v = adj[k];
        if (dist[v] == -1 && atomicCAS(dist + v, -1, level + 1) == -1) next[atomicAdd(next_count, 1)] = v;
    }
}
static void t_bfs() {
    const int N = 1000000;
    Rng g(7);
    std::vector<int> ptr(N + 1, 0), adj;
    adj.reserve((size_t)N * 9);
    for (int u = 0; u < N; ++u) {
        int d = 2 + (int)g.below(13);
        for (int k = 0; k < d; ++k) {
            if (g.below(2)) adj.push_back((int)g.below(N));
            else adj.push_back((u + N + (int)g.below(2001) - 1000) % N);
        }
        ptr[u + 1] = (int)adj.size();
    }
    std::vector<int> dist(N, -1), cur(1, 12345), nxt, before;
    dist[12345] = 0;
    int level = 0;
    for (;;) {
        bool last = cur.size() >= 60000 || level >= 60;
        if (last) before = dist;
        nxt.clear();
        for (int u : cur)
            for (int k = ptr[u]; k < ptr[u + 1]; ++k)
                if (dist[adj[k]] == -1) { dist[adj[k]] = level + 1; nxt.push_back(adj[k]); }
        if (last) break;
        cur.swap(nxt);
        ++level;
    }
    if (cur.empty()) { report("bfs_topdown_step", false); return; }
    Dev<int> dp(ptr), da(adj), df(cur), d0(before), dd(N), dn(N), dc(1);
    int nf = (int)cur.size();
    four([&] { dd.from(d0); dc.fill(0); },
         [&] { bfs_topdown_step<<<(nf + 127) / 128, 128>>>(dp.p, da.p, df.p, nf, level, dd.p, dn.p, dc.p); });
    int cnt = dc.down()[0];
    bool ok = cnt == (int)nxt.size() && dd.down() == dist;
    if (ok) {
        auto q = dn.down();
        q.resize(cnt);
        std::sort(q.begin(), q.end());
        std::sort(nxt.begin(), nxt.end());
        ok = q == nxt;
    }
    report("bfs_topdown_step", ok);
}

// ================================================================ 8 PageRank, pull step
__global__ void pagerank_pull_step(int n, const int* __restrict__ ptr, const int* __restrict__ src,
                                   const float* __restrict__ rank, const float* __restrict__ inv_deg,
                                   float* __restrict__ out, float damp) {
    for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < n; v += gridDim.x * blockDim.x) {
        float s = 0.f;
        for (int k = ptr[v]; k < ptr[v + 1]; ++k) {
            int u = src[k];
            s += rank[u] * inv_deg[u];
        }
        out[v] = (1.f - damp) / n + damp * s;
    }
}
static void t_pagerank() {
    const int N = 400000;
    Rng g(8);
    std::vector<int> ptr(N + 1, 0), src, od(N, 0);
    for (int v = 0; v < N; ++v) {
        int d = std::min(200, (int)(4.f / (g.uni() + 0.02f)));
        for (int k = 0; k < d; ++k) {
            float u = g.uni();
            int s = std::min(N - 1, (int)(N * u * u));
            src.push_back(s);
            ++od[s];
        }
        ptr[v + 1] = (int)src.size();
    }
    std::vector<float> rank(N), inv(N);
    for (int v = 0; v < N; ++v) {
        rank[v] = (0.5f + g.uni()) / N;
        inv[v] = od[v] ? 1.f / od[v] : 0.f;
    }
    Dev<int> dp(ptr), ds(src);
    Dev<float> dr(rank), di(inv), dout(N);
    four(nothing, [&] { pagerank_pull_step<<<132 * 4, 384>>>(N, dp.p, ds.p, dr.p, di.p, dout.p, 0.85f); });
    auto h = dout.down();
    bool ok = true;
    for (int v = 0; v < N; ++v) {
        double s = 0;
        for (int k = ptr[v]; k < ptr[v + 1]; ++k) s += (double)rank[src[k]] * inv[src[k]];
        double e = (1.0 - 0.85) / N + 0.85 * s;
        ok &= near_(h[v], e, 1e-4 * e);
    }
    report("pagerank_pull_step", ok);
}

// ================================================================ 9 hash set build with CAS, linear probing
__global__ void hash_build_cas(const unsigned* __restrict__ keys, int n, unsigned* table, unsigned mask,
                               unsigned* __restrict__ slot_of) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned k = keys[i];
    unsigned s = mix32(k) & mask;
    while (true) {
        unsigned old = atomicCAS(table + s, 0xffffffffu, k);
        if (old == 0xffffffffu || old == k) break;
        s = (s + 1) & mask;
    }
    slot_of[i] = s;
}
static void t_hash() {
    const int N = 1200000, CAP = 1 << 21;
    Rng g(9);
    std::vector<unsigned> keys(N);
    for (auto& k : keys) k = mix32(g.below(900000) + 77u) & 0x7fffffffu;
    Dev<unsigned> dk(keys), dt(CAP), dsl(N);
    four([&] { dt.fill(0xff); }, [&] { hash_build_cas<<<(N + 255) / 256, 256>>>(dk.p, N, dt.p, CAP - 1, dsl.p); });
    auto tab = dt.down();
    auto slot = dsl.down();
    bool ok = true;
    for (int i = 0; i < N; ++i) ok &= slot[i] < (unsigned)CAP && tab[slot[i]] == keys[i];
    std::vector<unsigned> in, ref(keys);
    for (auto v : tab) if (v != 0xffffffffu) in.push_back(v);
    std::sort(in.begin(), in.end());
    std::sort(ref.begin(), ref.end());
    ref.erase(std::unique(ref.begin(), ref.end()), ref.end());
    report("hash_build_cas", ok && in == ref);
}

// ================================================================ 10 group by with 64-bit keys and double sums
__global__ void groupby_sum_double(const ull* __restrict__ acct, const float* __restrict__ cents, int n, ull* keys,
                                   double* sums, unsigned* counts, unsigned mask) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        ull k = acct[i];
        unsigned s = mix32((unsigned)k ^ (unsigned)(k >> 32)) & mask;
        for (;;) {
            ull seen = *(volatile ull*)(keys + s);
            if (seen == 0ull) seen = atomicCAS(keys + s, 0ull, k);
            if (seen == 0ull || seen == k) break;
            s = (s + 1) & mask;
        }
        atomicAdd(sums + s, (double)cents[i]);
        atomicAdd(counts + s, 1u);
    }
}
static void t_groupby() {
    const int N = 1500000, G = 12000, CAP = 1 << 15;
    Rng g(10);
    std::vector<ull> name(G);
    for (int i = 0; i < G; ++i) name[i] = ((ull)mix32(i + 5) << 20) | (ull)(i + 1);  // distinct, never 0
    std::vector<ull> acct(N);
    std::vector<float> cents(N);
    std::vector<double> rs(G, 0.0);
    std::vector<unsigned> rc(G, 0);
    for (int i = 0; i < N; ++i) {
        float u = g.uni();
        int q = std::min(G - 1, (int)(G * u * u));
        acct[i] = name[q];
        cents[i] = (float)((int)g.below(2000000) - 700000);
        rs[q] += cents[i];
        ++rc[q];
    }
    Dev<ull> da(acct), dk(CAP);
    Dev<float> dc(cents);
    Dev<double> dsum(CAP);
    Dev<unsigned> dcnt(CAP);
    four([&] { dk.fill(0); dsum.fill(0); dcnt.fill(0); },
         [&] { groupby_sum_double<<<132 * 8, 256>>>(da.p, dc.p, N, dk.p, dsum.p, dcnt.p, CAP - 1); });
    auto k = dk.down();
    auto s = dsum.down();
    auto c = dcnt.down();
    bool ok = true;
    int used = 0, groups = 0;
    for (int i = 0; i < CAP; ++i)
        if (k[i]) {
            ++used;
            int q = (int)(k[i] & 0xfffff) - 1;
            if (q < 0 || q >= G || name[q] != k[i]) { ok = false; continue; }
            ok &= s[i] == rs[q] && c[i] == rc[q];  // integral values: sums are exact
        }
    for (auto v : rc) groups += v != 0;
    report("groupby_sum_double", ok && used == groups);
}

// ================================================================ 11 cloud-in-cell deposit, float atomics
__global__ void cic_deposit_float(const float2* __restrict__ pos, const float* __restrict__ q, int n, float* grid,
                                  int w) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float2 p = pos[i];
    float m = q[i];
    int ix = (int)p.x, iy = (int)p.y;
    float fx = p.x - ix, fy = p.y - iy;
    float* c = grid + iy * w + ix;
    atomicAdd(c, m * (1.f - fx) * (1.f - fy));
    atomicAdd(c + 1, m * fx * (1.f - fy));
    atomicAdd(c + w, m * (1.f - fx) * fy);
    atomicAdd(c + w + 1, m * fx * fy);
}
static void t_cic() {
    const int N = 700000, W = 512;
    Rng g(11);
    std::vector<float2> pos(N);
    std::vector<float> q(N);
    for (int i = 0; i < N; ++i) {
        pos[i].x = std::max(1.f, std::min(509.f, 256.f + 110.f * g.bell()));
        pos[i].y = std::max(1.f, std::min(509.f, 256.f + 60.f * g.bell()));
        q[i] = 0.2f + g.uni();
    }
    Dev<float2> dp(pos);
    Dev<float> dq(q), dg((size_t)W * W);
    four([&] { dg.fill(0); }, [&] { cic_deposit_float<<<(N + 159) / 160, 160>>>(dp.p, dq.p, N, dg.p, W); });
    std::vector<double> ref((size_t)W * W, 0.0);
    for (int i = 0; i < N; ++i) {
        int ix = (int)pos[i].x, iy = (int)pos[i].y;
        double fx = pos[i].x - ix, fy = pos[i].y - iy, m = q[i];
        double* c = &ref[(size_t)iy * W + ix];
        c[0] += m * (1 - fx) * (1 - fy);
        c[1] += m * fx * (1 - fy);
        c[W] += m * (1 - fx) * fy;
        c[W + 1] += m * fx * fy;
    }
    auto h = dg.down();
    bool ok = true;
    for (size_t i = 0; i < ref.size(); ++i) ok &= near_(h[i], ref[i], 1e-4 * ref[i] + 1e-5);
    report("cic_deposit_float", ok);
}

// ================================================================ 12 few hot counters, warp-aggregated by match_any
__global__ void votes_match_agg(const int* __restrict__ vote, int n, int* __restrict__ tally) {
    int lane = threadIdx.x & 31;
    int stride = gridDim.x * blockDim.x;
    // n is a multiple of 32 so whole warps enter or leave together
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        int v = vote[i];
        unsigned peers = __match_any_sync(FULL, v);
        if (lane == __ffs(peers) - 1) atomicAdd(tally + v * 32, __popc(peers));
    }
}
static void t_votes() {
    const int N = 2 << 20, C = 12;
    Rng g(12);
    std::vector<int> v(N), ref(C * 32, 0);
    for (auto& x : v) {
        float u = g.uni();
        x = std::min(C - 1, (int)(C * u * u));
        ++ref[x * 32];
    }
    Dev<int> dv(v), dt(C * 32);
    four([&] { dt.fill(0); }, [&] { votes_match_agg<<<132 * 2, 512>>>(dv.p, N, dt.p); });
    report("votes_match_agg", dt.down() == ref);
}

// ================================================================ 13 bitonic sort of 2048-key tiles
__global__ void __launch_bounds__(1024) bitonic_tile_sort(const unsigned* __restrict__ in, unsigned* __restrict__ out) {
    __shared__ unsigned s[2048];
    int t = threadIdx.x;
    size_t base = (size_t)blockIdx.x * 2048;
    s[t] = in[base + t];
    s[t + 1024] = in[base + t + 1024];
    for (int k = 2; k <= 2048; k <<= 1)
        for (int j = k >> 1; j > 0; j >>= 1) {
            __syncthreads();
            int lo = t & (j - 1);
            int i = ((t - lo) << 1) + lo;
            unsigned a = s[i], b = s[i + j];
            bool up = (i & k) == 0;
            if ((a > b) == up) { s[i] = b; s[i + j] = a; }
        }
    __syncthreads();
    out[base + t] = s[t];
    out[base + t + 1024] = s[t + 1024];
}
static void t_bitonic() {
    const int TILES = 900, N = TILES * 2048;
    Rng g(13);
    std::vector<unsigned> a(N);
    for (auto& x : a) x = g.u32();
    Dev<unsigned> di(a), dout(N);
    four(nothing, [&] { bitonic_tile_sort<<<TILES, 1024>>>(di.p, dout.p); });
    for (int i = 0; i < TILES; ++i) std::sort(a.begin() + i * 2048, a.begin() + (i + 1) * 2048);
    report("bitonic_tile_sort", dout.down() == a);
}

// ================================================================ 14 stable LSD radix sort of 1024-key tiles (upper 16 bits)
__global__ void __launch_bounds__(256) radix_tile_lsd(const unsigned* __restrict__ in, unsigned* __restrict__ out) {
    __shared__ __align__(16) unsigned buf[1024];
    __shared__ int wsum[8];
    const int t = threadIdx.x, lane = t & 31, w = t >> 5;
    const size_t base = (size_t)blockIdx.x * 1024;
#pragma unroll
    for (int k = 0; k < 4; ++k) buf[t + 256 * k] = in[base + t + 256 * k];
    __syncthreads();
    for (int bit = 16; bit < 32; ++bit) {
        uint4 v = reinterpret_cast<const uint4*>(buf)[t];
        unsigned a[4] = {v.x, v.y, v.z, v.w};
        int z = 0;
#pragma unroll
        for (int k = 0; k < 4; ++k) z += 1 - (int)((a[k] >> bit) & 1u);
        int inc = warp_incl(z, lane);
        if (lane == 31) wsum[w] = inc;
        __syncthreads();
        int before = 0, total = 0;
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            int q = wsum[i];
            if (i < w) before += q;
            total += q;
        }
        int zi = before + inc - z;
        int oi = total + 4 * t - zi;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            if ((a[k] >> bit) & 1u) buf[oi++] = a[k];
            else buf[zi++] = a[k];
        }
        __syncthreads();
    }
#pragma unroll
    for (int k = 0; k < 4; ++k) out[base + t + 256 * k] = buf[t + 256 * k];
}
static void t_radix() {
    const int TILES = 1600, N = TILES * 1024;
    Rng g(14);
    std::vector<unsigned> a(N);
    for (int i = 0; i < N; ++i) a[i] = ((g.u32() & g.u32() & 0xffffu) << 16) | (unsigned)(i & 0xffff);
    Dev<unsigned> di(a), dout(N);
    four(nothing, [&] { radix_tile_lsd<<<TILES, 256>>>(di.p, dout.p); });
    for (int i = 0; i < TILES; ++i)
        std::stable_sort(a.begin() + i * 1024, a.begin() + (i + 1) * 1024,
                         [](unsigned x, unsigned y) { return (x >> 16) < (y >> 16); });
    report("radix_tile_lsd", dout.down() == a);
}

// ================================================================ 15 merge of run pairs by merge path
__global__ void __launch_bounds__(256) merge_path_pairs(const int* __restrict__ in, int* __restrict__ out) {
    __shared__ int s[4096];
    const int L = 2048;
    size_t base = (size_t)blockIdx.x * 4096;
    for (int i = threadIdx.x; i < 4096; i += 256) s[i] = in[base + i];
    __syncthreads();
    const int *A = s, *B = s + L;
    int diag = threadIdx.x * 16;
    int lo = max(0, diag - L), hi = min(diag, L);
    while (lo < hi) {
        int mid = (lo + hi) >> 1;
        if (A[mid] <= B[diag - 1 - mid]) lo = mid + 1;
        else hi = mid;
    }
    int i = lo, j = diag - lo;
    int r[16];
#pragma unroll
    for (int k = 0; k < 16; ++k) {
        bool takeA = j >= L || (i < L && A[i] <= B[j]);
        r[k] = takeA ? A[i++] : B[j++];
    }
    int4* o = reinterpret_cast<int4*>(out + base + diag);
#pragma unroll
    for (int k = 0; k < 4; ++k) o[k] = make_int4(r[4 * k], r[4 * k + 1], r[4 * k + 2], r[4 * k + 3]);
}
static void t_merge() {
    const int PAIRS = 1000, N = PAIRS * 4096;
    Rng g(15);
    std::vector<int> a(N), ref(N);
    for (auto& x : a) x = (int)g.below(3000000) - 1000000;
    for (int i = 0; i < 2 * PAIRS; ++i) std::sort(a.begin() + i * 2048, a.begin() + (i + 1) * 2048);
    Dev<int> di(a), dout(N);
    four(nothing, [&] { merge_path_pairs<<<PAIRS, 256>>>(di.p, dout.p); });
    for (int p = 0; p < PAIRS; ++p) {
        auto b = a.begin() + p * 4096;
        std::merge(b, b + 2048, b + 2048, b + 4096, ref.begin() + p * 4096);
    }
    report("merge_path_pairs", dout.down() == ref);
}

// ================================================================ 16 plain word copy, grid stride
__global__ void copy_words_stride(const unsigned* __restrict__ a, unsigned* __restrict__ b, size_t n) {
    size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) b[i] = a[i];
}
static void t_copy() {
    const size_t N = 14000007;
    Rng g(16);
    std::vector<unsigned> a(N);
    for (auto& x : a) x = g.u32();
    Dev<unsigned> da(a), db(N);
    four(nothing, [&] { copy_words_stride<<<132 * 4, 512>>>(da.p, db.p, N); });
    report("copy_words_stride", db.down() == a);
}

// ================================================================ 17 triad, two float4 per thread
__global__ void __launch_bounds__(128) triad_vec4x2(const float4* __restrict__ b, const float4* __restrict__ c,
                                                    float4* __restrict__ a, float s) {
    size_t i = (size_t)blockIdx.x * 256 + threadIdx.x;
    float4 b0 = b[i], b1 = b[i + 128], c0 = c[i], c1 = c[i + 128];
    a[i] = make_float4(fmaf(s, c0.x, b0.x), fmaf(s, c0.y, b0.y), fmaf(s, c0.z, b0.z), fmaf(s, c0.w, b0.w));
    a[i + 128] = make_float4(fmaf(s, c1.x, b1.x), fmaf(s, c1.y, b1.y), fmaf(s, c1.z, b1.z), fmaf(s, c1.w, b1.w));
}
static void t_triad() {
    const int BLK = 10000;
    const size_t N = (size_t)BLK * 1024;
    Rng g(17);
    std::vector<float> b(N), c(N);
    for (size_t i = 0; i < N; ++i) { b[i] = g.bell(); c[i] = g.bell(); }
    Dev<float> db(b), dc(c), da(N);
    four(nothing, [&] { triad_vec4x2<<<BLK, 128>>>((const float4*)db.p, (const float4*)dc.p, (float4*)da.p, 2.75f); });
    auto h = da.down();
    bool ok = true;
    for (size_t i = 0; i < N; ++i) ok &= near_(h[i], (double)b[i] + 2.75 * (double)c[i], 2e-6);
    report("triad_vec4x2", ok);
}

// ================================================================ 18 scale + tile reversal at one block per SM
__global__ void __launch_bounds__(256) scale_lowocc_smem(const double* __restrict__ in, double* __restrict__ out,
                                                         double alpha, int tile) {
    extern __shared__ double stage[];
    size_t base = (size_t)blockIdx.x * tile;
    for (int i = threadIdx.x; i < tile; i += 256) stage[i] = in[base + i];
    __syncthreads();
    for (int i = threadIdx.x; i < tile; i += 256) out[base + i] = alpha * stage[tile - 1 - i];
}
static void t_lowocc() {
    const int TILE = 20480, BLK = 396;
    const size_t N = (size_t)TILE * BLK;
    Rng g(18);
    std::vector<double> a(N);
    for (auto& x : a) x = g.bell();
    Dev<double> da(a), db(N);
    const int bytes = TILE * (int)sizeof(double);
    CK(cudaFuncSetAttribute(scale_lowocc_smem, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    four(nothing, [&] { scale_lowocc_smem<<<BLK, 256, bytes>>>(da.p, db.p, 1.0625, TILE); });
    auto h = db.down();
    bool ok = true;
    for (int b = 0; b < BLK; ++b)
        for (int i = 0; i < TILE; ++i)
            ok &= h[(size_t)b * TILE + i] == 1.0625 * a[(size_t)b * TILE + TILE - 1 - i];
    report("scale_lowocc_smem", ok);
}

// ================================================================ 19 row sums, one block per row
__global__ void row_sum_block(const float* __restrict__ m, int cols4, float* __restrict__ out) {
    __shared__ float part[8];
    const float4* row = reinterpret_cast<const float4*>(m) + (size_t)blockIdx.x * cols4;
    float s = 0.f;
    for (int i = threadIdx.x; i < cols4; i += blockDim.x) {
        float4 v = row[i];
        s += (v.x + v.y) + (v.z + v.w);
    }
    s = warp_sum(s);
    if ((threadIdx.x & 31) == 0) part[threadIdx.x >> 5] = s;
    __syncthreads();
    if (threadIdx.x < 32) {
        s = threadIdx.x < (blockDim.x >> 5) ? part[threadIdx.x] : 0.f;
        s = warp_sum(s);
        if (threadIdx.x == 0) out[blockIdx.x] = s;
    }
}
static void t_rowsum() {
    const int R = 5500, C = 3000;
    Rng g(19);
    std::vector<float> m((size_t)R * C);
    for (auto& x : m) x = g.bell() + 0.1f;
    Dev<float> dm(m), dout(R);
    four(nothing, [&] { row_sum_block<<<R, 256>>>(dm.p, C / 4, dout.p); });
    auto h = dout.down();
    bool ok = true;
    for (int r = 0; r < R; ++r) {
        double s = 0;
        for (int c = 0; c < C; ++c) s += m[(size_t)r * C + c];
        ok &= near_(h[r], s, 5e-3);
    }
    report("row_sum_block", ok);
}

// ================================================================ 20 arg max of a whole array
__global__ void __launch_bounds__(256) argmax_packed(const float* __restrict__ a, unsigned n, ull* best) {
    __shared__ ull part[8];
    ull b = 0;
    for (unsigned i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
        unsigned u = __float_as_uint(a[i]);
        u = (u >> 31) ? ~u : (u | 0x80000000u);
        ull k = ((ull)u << 32) | (0xffffffffu - i);
        if (k > b) b = k;
    }
#pragma unroll
    for (int o = 16; o; o >>= 1) {
        ull q = __shfl_down_sync(FULL, b, o);
        if (q > b) b = q;
    }
    if ((threadIdx.x & 31) == 0) part[threadIdx.x >> 5] = b;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < 8; ++w)
            if (part[w] > b) b = part[w];
        atomicMax(best, b);
    }
}
static void t_argmax() {
    const unsigned N = 17000001;
    Rng g(20);
    std::vector<float> a(N);
    for (auto& x : a) x = g.bell() - 0.3f;
    Dev<float> da(a);
    Dev<ull> db(1);
    four([&] { db.fill(0); }, [&] { argmax_packed<<<132 * 6, 256>>>(da.p, N, db.p); });
    ull r = db.down()[0];
    unsigned idx = 0xffffffffu - (unsigned)(r & 0xffffffffull);
    unsigned ref = (unsigned)(std::max_element(a.begin(), a.end()) - a.begin());
    report("argmax_packed", idx == ref);
}

// ================================================================ 21 softmax, row held in registers
__global__ void __launch_bounds__(256) softmax_row1024(const float4* __restrict__ in, float4* __restrict__ out) {
    __shared__ float sm[8], ss[8];
    int t = threadIdx.x, lane = t & 31, w = t >> 5;
    size_t p = (size_t)blockIdx.x * 256 + t;
    float4 v = in[p];
    float m = warp_max(fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w)));
    if (lane == 0) sm[w] = m;
    __syncthreads();
    m = sm[0];
#pragma unroll
    for (int i = 1; i < 8; ++i) m = fmaxf(m, sm[i]);
    v.x = __expf(v.x - m); v.y = __expf(v.y - m);
    v.z = __expf(v.z - m); v.w = __expf(v.w - m);
    float s = warp_sum(v.x + v.y + v.z + v.w);
    if (lane == 0) ss[w] = s;
    __syncthreads();
    s = 0.f;
#pragma unroll
    for (int i = 0; i < 8; ++i) s += ss[i];
    float r = 1.f / s;
    out[p] = make_float4(v.x * r, v.y * r, v.z * r, v.w * r);
}
static void t_softmax() {
    const int R = 12000, C = 1024;
    Rng g(21);
    std::vector<float> a((size_t)R * C);
    for (auto& x : a) x = g.bell() * 4.f;
    Dev<float> da(a), db(a.size());
    four(nothing, [&] { softmax_row1024<<<R, 256>>>((const float4*)da.p, (float4*)db.p); });
    auto h = db.down();
    bool ok = true;
    std::vector<double> e(C);
    for (int r = 0; r < R; ++r) {
        const float* x = &a[(size_t)r * C];
        float m = *std::max_element(x, x + C);
        double s = 0;
        for (int c = 0; c < C; ++c) { e[c] = std::exp((double)x[c] - m); s += e[c]; }
        for (int c = 0; c < C; ++c) ok &= near_(h[(size_t)r * C + c], e[c] / s, 1e-4 * e[c] / s + 1e-8);
    }
    report("softmax_row1024", ok);
}

// ================================================================ 22 layer norm, one warp per 512-wide row
__global__ void layernorm_warp512(const float4* __restrict__ in, const float4* __restrict__ gam,
                                  const float4* __restrict__ bet, float4* __restrict__ out, int rows) {
    int row = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5);
    int lane = threadIdx.x & 31;
    if (row >= rows) return;
    const float4* x = in + (size_t)row * 128;
    float4 v[4];
    float s = 0.f;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        v[k] = x[k * 32 + lane];
        s += v[k].x + v[k].y + v[k].z + v[k].w;
    }
    float mu = warp_sum(s) * (1.f / 512.f);
    float q = 0.f;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        v[k].x -= mu; v[k].y -= mu; v[k].z -= mu; v[k].w -= mu;
        q += v[k].x * v[k].x + v[k].y * v[k].y + v[k].z * v[k].z + v[k].w * v[k].w;
    }
    float inv = rsqrtf(warp_sum(q) * (1.f / 512.f) + 1e-5f);
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        float4 g = __ldg(gam + k * 32 + lane), b = __ldg(bet + k * 32 + lane);
        out[(size_t)row * 128 + k * 32 + lane] =
            make_float4(v[k].x * inv * g.x + b.x, v[k].y * inv * g.y + b.y, v[k].z * inv * g.z + b.z,
                        v[k].w * inv * g.w + b.w);
    }
}
static void t_layernorm() {
    const int R = 25001, C = 512;
    Rng g(22);
    std::vector<float> a((size_t)R * C), ga(C), be(C);
    for (auto& x : a) x = g.bell() * 2.f + 0.7f;
    for (auto& x : ga) x = 0.5f + g.uni();
    for (auto& x : be) x = g.bell();
    Dev<float> da(a), dg(ga), db(be), dout(a.size());
    four(nothing, [&] {
        layernorm_warp512<<<(R + 3) / 4, 128>>>((const float4*)da.p, (const float4*)dg.p, (const float4*)db.p,
                                                (float4*)dout.p, R);
    });
    auto h = dout.down();
    bool ok = true;
    for (int r = 0; r < R; ++r) {
        const float* x = &a[(size_t)r * C];
        double s = 0, q = 0;
        for (int c = 0; c < C; ++c) s += x[c];
        s /= C;
        for (int c = 0; c < C; ++c) q += (x[c] - s) * (x[c] - s);
        double inv = 1.0 / std::sqrt(q / C + 1e-5);
        for (int c = 0; c < C; ++c) ok &= near_(h[(size_t)r * C + c], (x[c] - s) * inv * ga[c] + be[c], 1e-4);
    }
    report("layernorm_warp512", ok);
}

// ================================================================ 23 5-point heat stencil, shared tile with halo
__global__ void __launch_bounds__(256) heat5_tile(const float* __restrict__ in, float* __restrict__ out, int w, int h,
                                                  float k) {
    __shared__ float s[34][35];
    int bx = blockIdx.x * 32, by = blockIdx.y * 32;
    int t = threadIdx.y * 32 + threadIdx.x;
    for (int i = t; i < 34 * 34; i += 256) {
        int ly = i / 34, lx = i % 34;
        int gx = min(max(bx + lx - 1, 0), w - 1), gy = min(max(by + ly - 1, 0), h - 1);
        s[ly][lx] = in[(size_t)gy * w + gx];
    }
    __syncthreads();
    int x = threadIdx.x + 1;
#pragma unroll
    for (int r = 0; r < 4; ++r) {
        int y = threadIdx.y + 8 * r + 1;
        int gx = bx + x - 1, gy = by + y - 1;
        if (gx < w && gy < h) {
            float c = s[y][x];
            out[(size_t)gy * w + gx] = c + k * (s[y - 1][x] + s[y + 1][x] + s[y][x - 1] + s[y][x + 1] - 4.f * c);
        }
    }
}
static void t_heat() {
    const int W = 4000, H = 3001;
    Rng g(23);
    std::vector<float> a((size_t)W * H);
    for (auto& x : a) x = g.uni() * 5.f;
    Dev<float> da(a), db(a.size());
    dim3 grid((W + 31) / 32, (H + 31) / 32);
    four(nothing, [&] { heat5_tile<<<grid, dim3(32, 8)>>>(da.p, db.p, W, H, 0.2f); });
    auto h = db.down();
    bool ok = true;
    for (int y = 0; y < H; ++y)
        for (int x = 0; x < W; ++x) {
            const size_t p = (size_t)y * W + x;
            float c = a[p];
            float e = c + 0.2f * (a[y > 0 ? p - W : p] + a[y < H - 1 ? p + W : p] + a[x > 0 ? p - 1 : p] +
                                  a[x < W - 1 ? p + 1 : p] - 4.f * c);
            ok &= near_(h[p], e, 2e-5);
        }
    report("heat5_tile", ok);
}

// ================================================================ 24 3-D wave step, marching in z
__global__ void wave3d_zmarch(const float* __restrict__ u, const float* __restrict__ prev, float* __restrict__ next,
                              int nx, int ny, int nz, int chunk, float c) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= nx || y >= ny) return;
    int z0 = blockIdx.z * chunk, z1 = min(z0 + chunk, nz);
    size_t plane = (size_t)nx * ny;
    size_t p = z0 * plane + (size_t)y * nx + x;
    bool edge = x == 0 || y == 0 || x == nx - 1 || y == ny - 1;
    float below = z0 > 0 ? u[p - plane] : 0.f, cur = u[p];
    for (int z = z0; z < z1; ++z, p += plane) {
        float above = z + 1 < nz ? u[p + plane] : 0.f;
        float r = cur;
        if (!edge && z > 0 && z < nz - 1) {
            float lap = u[p - 1] + u[p + 1] + u[p - nx] + u[p + nx] + below + above - 6.f * cur;
            r = 2.f * cur - prev[p] + c * lap;
        }
        next[p] = r;
        below = cur;
        cur = above;
    }
}
static void t_wave() {
    const int X = 256, Y = 256, Z = 180, CH = 24;
    const size_t N = (size_t)X * Y * Z, PL = (size_t)X * Y;
    Rng g(24);
    std::vector<float> u(N), q(N);
    for (size_t i = 0; i < N; ++i) { u[i] = g.bell(); q[i] = u[i] + 0.1f * g.bell(); }
    Dev<float> du(u), dq(q), dn(N);
    dim3 grid(X / 64, Y / 4, (Z + CH - 1) / CH);
    four(nothing, [&] { wave3d_zmarch<<<grid, dim3(64, 4)>>>(du.p, dq.p, dn.p, X, Y, Z, CH, 0.15f); });
    auto h = dn.down();
    bool ok = true;
    for (int z = 0; z < Z; ++z)
        for (int y = 0; y < Y; ++y)
            for (int x = 0; x < X; ++x) {
                size_t p = z * PL + (size_t)y * X + x;
                float e = u[p];
                if (x > 0 && y > 0 && z > 0 && x < X - 1 && y < Y - 1 && z < Z - 1)
                    e = 2.f * u[p] - q[p] +
                        0.15f * (u[p - 1] + u[p + 1] + u[p - X] + u[p + X] + u[p - PL] + u[p + PL] - 6.f * u[p]);
                ok &= near_(h[p], e, 2e-5);
            }
    report("wave3d_zmarch", ok);
}

// ================================================================ 25 inclusive scan of 2048-element tiles
__global__ void __launch_bounds__(512) block_scan2048(const int4* __restrict__ in, int4* __restrict__ out,
                                                      int* __restrict__ totals) {
    __shared__ int ws[16];
    int t = threadIdx.x, lane = t & 31, w = t >> 5;
    size_t p = (size_t)blockIdx.x * 512 + t;
    int4 v = in[p];
    v.y += v.x; v.z += v.y; v.w += v.z;
    int inc = warp_incl(v.w, lane);
    if (lane == 31) ws[w] = inc;
    __syncthreads();
    if (w == 0) {
        int q = lane < 16 ? ws[lane] : 0;
        q = warp_incl(q, lane);
        if (lane < 16) ws[lane] = q;
    }
    __syncthreads();
    int off = inc - v.w + (w ? ws[w - 1] : 0);
    v.x += off; v.y += off; v.z += off; v.w += off;
    out[p] = v;
    if (t == 511) totals[blockIdx.x] = v.w;
}
static void t_scan() {
    const int TILES = 5000, N = TILES * 2048;
    Rng g(25);
    std::vector<int> a(N);
    for (auto& x : a) x = (int)g.below(2001) - 900;
    Dev<int> da(a), db(N), dt(TILES);
    four(nothing, [&] { block_scan2048<<<TILES, 512>>>((const int4*)da.p, (int4*)db.p, dt.p); });
    auto h = db.down(), tt = dt.down();
    bool ok = true;
    for (int b = 0; b < TILES; ++b) {
        int s = 0;
        for (int i = 0; i < 2048; ++i) {
            s += a[b * 2048 + i];
            ok &= h[b * 2048 + i] == s;
        }
        ok &= tt[b] == s;
    }
    report("block_scan2048", ok);
}

// ================================================================ 26 filter: indices of large moves, one atomic per block
__global__ void __launch_bounds__(256) filter_big_moves(const float* __restrict__ r, int n, float thr,
                                                        int* __restrict__ out, int* count) {
    __shared__ int ws[8];
    __shared__ int start;
    int t = threadIdx.x, lane = t & 31, w = t >> 5;
    int base = blockIdx.x * 2048 + t;
    unsigned keep = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        int i = base + k * 256;
        if (i < n && fabsf(r[i]) > thr) keep |= 1u << k;
    }
    int c = __popc(keep);
    int inc = warp_incl(c, lane);
    if (lane == 31) ws[w] = inc;
    __syncthreads();
    if (t == 0) {
        int s = 0;
        for (int i = 0; i < 8; ++i) { int q = ws[i]; ws[i] = s; s += q; }
        start = atomicAdd(count, s);
    }
    __syncthreads();
    int pos = start + ws[w] + inc - c;
    while (keep) {
        int k = __ffs(keep) - 1;
        keep &= keep - 1;
        out[pos++] = base + k * 256;
    }
}
static void t_filter() {
    const int N = 10000003;
    Rng g(26);
    std::vector<float> a(N);
    for (auto& x : a) x = g.bell();
    const float thr = 0.6f;
    Dev<float> da(a);
    Dev<int> dout(N), dc(1);
    four([&] { dc.fill(0); dout.fill(0xff); },
         [&] { filter_big_moves<<<(N + 2047) / 2048, 256>>>(da.p, N, thr, dout.p, dc.p); });
    int cnt = dc.down()[0], ref = 0;
    for (float x : a) ref += std::fabs(x) > thr;
    bool ok = cnt == ref;
    if (ok) {
        auto h = dout.down();
        std::vector<uint8_t> seen(N, 0);
        for (int i = 0; i < cnt && ok; ++i) {
            int p = h[i];
            if (p < 0 || p >= N || seen[p] || !(std::fabs(a[p]) > thr)) ok = false;
            else seen[p] = 1;
        }
    }
    report("filter_big_moves", ok);
}

// ================================================================ 27 burning-ship escape time
__global__ void burning_ship_escape(uint16_t* __restrict__ img, int w, int h, float x0, float y0, float dx, float dy,
                                    int maxit) {
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= w || py >= h) return;
    float cx = __fadd_rn(x0, __fmul_rn((float)px, dx)), cy = __fadd_rn(y0, __fmul_rn((float)py, dy));
    float x = 0.f, y = 0.f;
    int it = 0;
    for (; it < maxit; ++it) {
        float xx = __fmul_rn(x, x), yy = __fmul_rn(y, y);
        if (__fadd_rn(xx, yy) > 4.f) break;
        float xy = fabsf(__fmul_rn(x, y));
        y = __fadd_rn(__fadd_rn(xy, xy), cy);
        x = __fadd_rn(__fsub_rn(xx, yy), cx);
    }
    img[(size_t)py * w + px] = (uint16_t)it;
}
static void t_ship() {
    const int W = 1600, H = 1000, IT = 220;
    const float x0 = -2.2f, y0 = -1.9f, dx = 3.6f / W, dy = 2.6f / H;
    Dev<uint16_t> di((size_t)W * H);
    dim3 grid((W + 15) / 16, (H + 7) / 8);
    four(nothing, [&] { burning_ship_escape<<<grid, dim3(16, 8)>>>(di.p, W, H, x0, y0, dx, dy, IT); });
    auto img = di.down();
    size_t bad = 0;
    for (int py = 0; py < H; ++py)
        for (int px = 0; px < W; ++px) {
            float mx = (float)px * dx, my = (float)py * dy;
            float cx = x0 + mx, cy = y0 + my, x = 0.f, y = 0.f;
            int it = 0;
            for (; it < IT; ++it) {
                float xx = x * x, yy = y * y;
                if (xx + yy > 4.f) break;
                float xy = std::fabs(x * y);
                y = (xy + xy) + cy;
                x = (xx - yy) + cx;
            }
            bad += img[(size_t)py * W + px] != it;
        }
    report("burning_ship_escape", bad <= (size_t)W * H / 2000);
}

// ================================================================ 28 xorshift lattice walk with farthest distance
__host__ __device__ inline unsigned walk_one(unsigned seed, int steps) {
    unsigned s = mix32(seed + 0x1234567u) | 1u;
    int x = 0, y = 0, far = 0;
    for (int i = 0; i < steps; ++i) {
        s ^= s << 13; s ^= s >> 17; s ^= s << 5;
        int d = (s & 2u) ? 1 : -1;
        if (s & 1u) x += d;
        else y += d;
        int r = x * x + y * y;
        if (r > far) far = r;
    }
    return (unsigned)far * 2654435761u ^ s;
}
__global__ void __launch_bounds__(96) xorshift_walk(unsigned* __restrict__ out, int n, int steps) {
    int i = blockIdx.x * 96 + threadIdx.x;
    if (i < n) out[i] = walk_one((unsigned)i, steps);
}
static void t_walk() {
    const int N = 400000, S = 150;
    Dev<unsigned> d(N);
    four(nothing, [&] { xorshift_walk<<<(N + 95) / 96, 96>>>(d.p, N, S); });
    auto h = d.down();
    bool ok = true;
    for (int i = 0; i < N; ++i) ok &= h[i] == walk_one((unsigned)i, S);
    report("xorshift_walk", ok);
}

// ================================================================ 29 rotated bilinear texture reads, two taps
__global__ void tex_rotate_two_tap(cudaTextureObject_t tex, float* __restrict__ out, int w, int h, float cs, float sn) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float fx = x + 0.5f - 0.5f * w, fy = y + 0.5f - 0.5f * h;
    float u = cs * fx - sn * fy + 0.5f * w, v = sn * fx + cs * fy + 0.5f * h;
    float a = tex2D<float>(tex, u, v);
    float b = tex2D<float>(tex, u + 0.75f, v - 0.25f);
    out[(size_t)y * w + x] = 0.5f * (a + b);
}
static float bilinear(const std::vector<float>& im, int w, int h, double u, double v) {
    u -= 0.5; v -= 0.5;
    double fu = std::floor(u), fv = std::floor(v);
    double a = u - fu, b = v - fv;
    int x0 = std::max(0, std::min(w - 1, (int)fu)), x1 = std::max(0, std::min(w - 1, (int)fu + 1));
    int y0 = std::max(0, std::min(h - 1, (int)fv)), y1 = std::max(0, std::min(h - 1, (int)fv + 1));
    double t = (1 - a) * im[(size_t)y0 * w + x0] + a * im[(size_t)y0 * w + x1];
    double s = (1 - a) * im[(size_t)y1 * w + x0] + a * im[(size_t)y1 * w + x1];
    return (float)((1 - b) * t + b * s);
}
static void t_tex() {
    const int W = 3072, H = 2560;
    Rng g(29);
    std::vector<float> im((size_t)W * H);
    for (int y = 0; y < H; ++y)
        for (int x = 0; x < W; ++x)
            im[(size_t)y * W + x] = 0.7f * (float)(((x * 3 + y * 5) >> 3) & 255) / 255.f + 0.3f * g.uni();
    cudaChannelFormatDesc fd = cudaCreateChannelDesc<float>();
    cudaArray_t arr;
    CK(cudaMallocArray(&arr, &fd, W, H));
    CK(cudaMemcpy2DToArray(arr, 0, 0, im.data(), W * sizeof(float), W * sizeof(float), H, cudaMemcpyHostToDevice));
    cudaResourceDesc rd = {};
    rd.resType = cudaResourceTypeArray;
    rd.res.array.array = arr;
    cudaTextureDesc td = {};
    td.addressMode[0] = td.addressMode[1] = cudaAddressModeClamp;
    td.filterMode = cudaFilterModeLinear;
    td.readMode = cudaReadModeElementType;
    td.normalizedCoords = 0;
    cudaTextureObject_t tex = 0;
    CK(cudaCreateTextureObject(&tex, &rd, &td, nullptr));
    bool ok = true;
    {
        const float cs = 0.9553365f, sn = 0.2955202f;
        Dev<float> dout((size_t)W * H);
        dim3 grid((W + 15) / 16, (H + 15) / 16);
        four(nothing, [&] { tex_rotate_two_tap<<<grid, dim3(16, 16)>>>(tex, dout.p, W, H, cs, sn); });
        auto h = dout.down();
        for (int y = 0; y < H; ++y)
            for (int x = 0; x < W; ++x) {
                double fx = x + 0.5 - 0.5 * W, fy = y + 0.5 - 0.5 * H;
                double u = cs * fx - sn * fy + 0.5 * W, v = sn * fx + cs * fy + 0.5 * H;
                double e = 0.5 * (bilinear(im, W, H, u, v) + bilinear(im, W, H, u + 0.75, v - 0.25));
                ok &= near_(h[(size_t)y * W + x], e, 0.012);  // 8-bit filter weights
            }
    }
    CK(cudaDestroyTextureObject(tex));
    CK(cudaFreeArray(arr));
    report("tex_rotate_two_tap", ok);
}

int main() {
    t_embed(); t_permute(); t_csr(); t_ell(); t_hist256(); t_hist64k(); t_bfs(); t_pagerank(); t_hash(); t_groupby();
    t_cic(); t_votes(); t_bitonic(); t_radix(); t_merge(); t_copy(); t_triad(); t_lowocc(); t_rowsum(); t_argmax();
    t_softmax(); t_layernorm(); t_heat(); t_wave(); t_scan(); t_filter(); t_ship(); t_walk(); t_tex();
    return g_wrong ? 1 : 0;
}
