// mixed_o.cu - self-checking collection of 29 GPU kernels (C++17, CUDA runtime only).
#include <cuda_runtime.h>
#include <algorithm>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#define CK(call)                                                                        \
    do {                                                                                \
        cudaError_t e_ = (call);                                                        \
        if (e_ != cudaSuccess) {                                                        \
            std::fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); \
            std::exit(2);                                                               \
        }                                                                               \
    } while (0)

// ------------------------------------------------------------------ host helpers
struct Rng {
    uint64_t s;
    explicit Rng(uint64_t seed) : s(seed * 0x9E3779B97F4A7C15ull + 0x1234567ull) {}
    uint64_t u64() {
        uint64_t z = (s += 0x9E3779B97F4A7C15ull);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
        return z ^ (z >> 31);
    }
    uint32_t u32() { return (uint32_t)(u64() >> 32); }
    uint32_t below(uint32_t n) { return (uint32_t)(((uint64_t)u32() * n) >> 32); }
    float uni() { return (float)(u32() >> 8) * (1.0f / 16777216.0f); }
    float range(float a, float b) { return a + (b - a) * uni(); }
    float gaussish() { return (uni() + uni() + uni() + uni() - 2.0f) * 1.732f; }
};

template <class T>
struct Dev {
    T* p = nullptr;
    size_t n = 0;
    explicit Dev(size_t count) : n(count) { CK(cudaMalloc(&p, n * sizeof(T))); CK(cudaMemset(p, 0, n * sizeof(T))); }
    explicit Dev(const std::vector<T>& h) : n(h.size()) {
        CK(cudaMalloc(&p, n * sizeof(T)));
        put(h);
    }
    Dev(const Dev&) = delete;
    Dev& operator=(const Dev&) = delete;
    ~Dev() { cudaFree(p); }
    void put(const std::vector<T>& h) { CK(cudaMemcpy(p, h.data(), n * sizeof(T), cudaMemcpyHostToDevice)); }
    void fill(int byte) { CK(cudaMemset(p, byte, n * sizeof(T))); }
    std::vector<T> get() const {
        std::vector<T> h(n);
        CK(cudaMemcpy(h.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost));
        return h;
    }
};

static int g_bad = 0;
static void verdict(const char* name, bool ok) {
    std::printf("%s: %s\n", name, ok ? "right" : "wrong");
    std::fflush(stdout);
    if (!ok) ++g_bad;
}

template <class Reset, class Launch>
static void four(Reset reset, Launch launch) {
    for (int i = 0; i < 4; ++i) {
        reset();
        launch();
        CK(cudaGetLastError());
    }
    CK(cudaDeviceSynchronize());
}
static void nothing() {}
static bool near(double got, double want, double tol) { return std::fabs(got - want) <= tol; }  // NaN -> false
static int divup(int a, int b) { return (a + b - 1) / b; }

static std::vector<float> randf(size_t n, uint64_t seed, float lo, float hi) {
    Rng r(seed);
    std::vector<float> v(n);
    for (auto& x : v) x = r.range(lo, hi);
    return v;
}

// ================================================================== 1 gather
__global__ void gather_quad_idx(const float* __restrict__ table, const int4* __restrict__ idx, float4* __restrict__ out, int nq) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= nq) return;
    int4 k = idx[i];
    out[i] = make_float4(table[k.x], table[k.y], table[k.z], table[k.w]);
}
static void t_gather() {
    const int nt = 3000000, n = 1 << 22;
    auto table = randf(nt, 1, -5.f, 5.f);
    std::vector<int4> idx(n / 4);
    Rng r(2);
    for (auto& k : idx) {
        int base = (int)r.below(nt);
        k.x = base;
        k.y = (int)r.below(nt);
        k.z = std::min(nt - 1, base + (int)r.below(200));
        k.w = (int)r.below(nt);
    }
    Dev<float> dt(table);
    Dev<int4> di(idx);
    Dev<float4> dout(n / 4);
    four(nothing, [&] { gather_quad_idx<<<divup(n / 4, 256), 256>>>(dt.p, di.p, dout.p, n / 4); });
    auto o = dout.get();
    bool ok = true;
    for (int i = 0; i < n / 4; ++i)
        ok &= o[i].x == table[idx[i].x] && o[i].y == table[idx[i].y] && o[i].z == table[idx[i].z] && o[i].w == table[idx[i].w];
    verdict("gather_quad_idx", ok);
}

// ================================================================== 2 integer min/max reduction
__global__ void __launch_bounds__(384) reduce_minmax_sync(const int4* __restrict__ v, int nq, int* __restrict__ mm) {
    int lo = INT_MAX, hi = INT_MIN;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < nq; i += gridDim.x * blockDim.x) {
        int4 q = v[i];
        lo = min(lo, min(min(q.x, q.y), min(q.z, q.w)));
        hi = max(hi, max(max(q.x, q.y), max(q.z, q.w)));
    }
    lo = __reduce_min_sync(0xffffffffu, lo);
    hi = __reduce_max_sync(0xffffffffu, hi);
    if ((threadIdx.x & 31) == 0) {
        atomicMin(&mm[0], lo);
        atomicMax(&mm[1], hi);
    }
}
static void t_minmax() {
    const int nq = 3 << 20;
    std::vector<int4> h(nq);
    Rng r(3);
    int lo = INT_MAX, hi = INT_MIN;
    for (auto& q : h) {
        int a[4];
        for (int& x : a) {
            x = (int)r.below(2000000000u) - 1000000000;
            lo = std::min(lo, x);
            hi = std::max(hi, x);
        }
        q = make_int4(a[0], a[1], a[2], a[3]);
    }
    Dev<int4> d(h);
    std::vector<int> init{INT_MAX, INT_MIN};
    Dev<int> mm(init);
    four([&] { mm.put(init); }, [&] { reduce_minmax_sync<<<396, 384>>>(d.p, nq, mm.p); });
    auto o = mm.get();
    verdict("reduce_minmax_sync", o[0] == lo && o[1] == hi);
}

// ================================================================== 3 SpMV CSR, one warp per row
__global__ void spmv_csr_warp(int rows, const int* __restrict__ ptr, const int* __restrict__ col, const float* __restrict__ val,
                              const float* __restrict__ x, float* __restrict__ y) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    int lane = threadIdx.x & 31;
    if (row >= rows) return;
    float acc = 0.f;
    const int e = ptr[row + 1];
    for (int k = ptr[row] + lane; k < e; k += 32) acc = fmaf(val[k], x[col[k]], acc);
#pragma unroll
    for (int o = 16; o; o >>= 1) acc += __shfl_down_sync(0xffffffffu, acc, o);
    if (lane == 0) y[row] = acc;
}
static void t_csr() {
    const int rows = 90000, cols = 120000;
    Rng r(4);
    std::vector<int> ptr(rows + 1, 0), col;
    std::vector<float> val;
    for (int i = 0; i < rows; ++i) {
        int len = 4 + (int)r.below(48) + (r.below(100) == 0 ? 200 : 0);
        for (int k = 0; k < len; ++k) {
            col.push_back((int)r.below(cols));
            val.push_back(r.range(-1.f, 1.f));
        }
        ptr[i + 1] = (int)col.size();
    }
    auto x = randf(cols, 5, -2.f, 2.f);
    Dev<int> dp(ptr), dc(col);
    Dev<float> dv(val), dx(x), dy(rows);
    four(nothing, [&] { spmv_csr_warp<<<divup(rows, 4), 128>>>(rows, dp.p, dc.p, dv.p, dx.p, dy.p); });
    auto y = dy.get();
    bool ok = true;
    for (int i = 0; i < rows; ++i) {
        double s = 0, a = 0;
        for (int k = ptr[i]; k < ptr[i + 1]; ++k) {
            double t = (double)val[k] * x[col[k]];
            s += t;
            a += std::fabs(t);
        }
        ok &= near(y[i], s, 1e-5 * a + 1e-6);
    }
    verdict("spmv_csr_warp", ok);
}

// ================================================================== 4 SpMV ELLPACK, column-major
__global__ void spmv_ell_thread(int rows, int width, const int* __restrict__ col, const float* __restrict__ val,
                                const float* __restrict__ x, float* __restrict__ y) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float acc = 0.f;
    for (int k = 0; k < width; ++k) {
        int c = col[(size_t)k * rows + row];
        if (c >= 0) acc += val[(size_t)k * rows + row] * x[c];
    }
    y[row] = acc;
}
static void t_ell() {
    const int rows = 250000, W = 18;
    Rng r(6);
    std::vector<int> col((size_t)rows * W, -1);
    std::vector<float> val((size_t)rows * W, 0.f);
    for (int i = 0; i < rows; ++i) {
        int len = 6 + (int)r.below(W - 5);
        for (int k = 0; k < len; ++k) {
            int c = r.below(8) == 0 ? (int)r.below(rows) : i - 300 + (int)r.below(601);
            col[(size_t)k * rows + i] = std::min(rows - 1, std::max(0, c));
            val[(size_t)k * rows + i] = r.gaussish();
        }
    }
    auto x = randf(rows, 7, -1.f, 1.f);
    Dev<int> dc(col);
    Dev<float> dv(val), dx(x), dy(rows);
    four(nothing, [&] { spmv_ell_thread<<<divup(rows, 192), 192>>>(rows, W, dc.p, dv.p, dx.p, dy.p); });
    auto y = dy.get();
    bool ok = true;
    for (int i = 0; i < rows; ++i) {
        double s = 0, a = 0;
        for (int k = 0; k < W; ++k) {
            int c = col[(size_t)k * rows + i];
            if (c < 0) continue;
            double t = (double)val[(size_t)k * rows + i] * x[c];
            s += t;
            a += std::fabs(t);
        }
        ok &= near(y[i], s, 1e-5 * a + 1e-6);
    }
    verdict("spmv_ell_thread", ok);
}

// ================================================================== 5 histogram, global atomics
__global__ void hist_depth_global(const ushort2* __restrict__ px, int npair, unsigned* __restrict__ bins) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < npair; i += gridDim.x * blockDim.x) {
        ushort2 p = px[i];
        atomicAdd(&bins[p.x >> 2], 1u);
        atomicAdd(&bins[p.y >> 2], 1u);
    }
}
static void t_hist_global() {
    const int np = 900000, NB = 1024;
    Rng r(8);
    std::vector<ushort2> px(np);
    std::vector<unsigned> ref(NB, 0);
    auto sample = [&] { return (unsigned short)((r.below(1024) + r.below(1024) + r.below(1024) + r.below(1024))); };
    for (auto& p : px) {
        p.x = sample();
        p.y = sample();
        ref[p.x >> 2]++;
        ref[p.y >> 2]++;
    }
    Dev<ushort2> d(px);
    Dev<unsigned> b(NB);
    four([&] { b.fill(0); }, [&] { hist_depth_global<<<1056, 128>>>(d.p, np, b.p); });
    verdict("hist_depth_global", b.get() == ref);
}

// ================================================================== 6 histogram, per-warp shared copies
__global__ void __launch_bounds__(256) hist_bytes_warpcopies(const uint4* __restrict__ in, int nv, unsigned* __restrict__ bins) {
    __shared__ unsigned h[8][256];
    for (int i = threadIdx.x; i < 8 * 256; i += 256) (&h[0][0])[i] = 0;
    __syncthreads();
    unsigned* mine = h[threadIdx.x >> 5];
    for (int i = blockIdx.x * 256 + threadIdx.x; i < nv; i += gridDim.x * 256) {
        uint4 v = in[i];
        unsigned w[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            atomicAdd(&mine[w[k] & 255u], 1u);
            atomicAdd(&mine[(w[k] >> 8) & 255u], 1u);
            atomicAdd(&mine[(w[k] >> 16) & 255u], 1u);
            atomicAdd(&mine[w[k] >> 24], 1u);
        }
    }
    __syncthreads();
    unsigned s = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) s += h[k][threadIdx.x];
    if (s) atomicAdd(&bins[threadIdx.x], s);
}
static void t_hist_shared() {
    const int nv = 1 << 20;
    Rng r(9);
    std::vector<uint4> in(nv);
    std::vector<unsigned> ref(256, 0);
    for (auto& v : in) {
        unsigned w[4];
        for (unsigned& x : w) {
            uint64_t a = r.u64();
            x = 0;
            for (int b = 0; b < 4; ++b) {  // triangular distribution
                unsigned byte = (unsigned)(((a >> (16 * b)) & 255) + ((a >> (16 * b + 8)) & 255)) >> 1;
                x |= byte << (8 * b);
                ref[byte]++;
            }
        }
        v = make_uint4(w[0], w[1], w[2], w[3]);
    }
    Dev<uint4> d(in);
    Dev<unsigned> b(256);
    four([&] { b.fill(0); }, [&] { hist_bytes_warpcopies<<<528, 256>>>(d.p, nv, b.p); });
    verdict("hist_bytes_warpcopies", b.get() == ref);
}

// ================================================================== 7 BFS top-down step
__global__ void bfs_topdown_step(const int* __restrict__ ptr, const int* __restrict__ adj, const int* __restrict__ frontier, int nf,
                                 int level, int* dist, int* next, int* nextCount) {
    int w = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    int lane = threadIdx.x & 31;
    if (w >= nf) return;
    int v = frontier[w];
    int e = ptr[v + 1];
    for (int k = ptr[v] + lane; k < e; k += 32) {
        int u = adj[k];
        if (dist[u] == -1 && atomicCAS(&dist[u], -1, level + 1) == -1) next[atomicAdd(nextCount, 1)] = u;
    }
}
static void t_bfs() {
    const int nv = 400000;
    Rng r(10);
    std::vector<int> ptr(nv + 1, 0), adj;
    for (int i = 0; i < nv; ++i) {
        int d = 4 + (int)r.below(25);
        for (int k = 0; k < d; ++k) adj.push_back((int)r.below(nv));
        ptr[i + 1] = (int)adj.size();
    }
    std::vector<int> dist(nv, -1), fr{17}, nx;
    dist[17] = 0;
    int level = 0;
    auto expand = [&](std::vector<int>& ds) {
        nx.clear();
        for (int v : fr)
            for (int k = ptr[v]; k < ptr[v + 1]; ++k)
                if (ds[adj[k]] == -1) {
                    ds[adj[k]] = level + 1;
                    nx.push_back(adj[k]);
                }
    };
    while (fr.size() < 20000) {
        expand(dist);
        if (nx.empty()) break;
        fr.swap(nx);
        ++level;
    }
    std::vector<int> ref = dist;
    expand(ref);
    int nf = (int)fr.size();
    Dev<int> dp(ptr), da(adj), df(fr), dd(dist), dn(nv), dc(1);
    four([&] { dd.put(dist); dc.fill(0); },
         [&] { bfs_topdown_step<<<divup(nf, 8), 256>>>(dp.p, da.p, df.p, nf, level, dd.p, dn.p, dc.p); });
    bool ok = dd.get() == ref;
    int cnt = dc.get()[0];
    ok &= cnt == (int)nx.size();
    if (ok) {
        auto q = dn.get();
        q.resize(cnt);
        std::sort(q.begin(), q.end());
        std::sort(nx.begin(), nx.end());
        ok = q == nx;
    }
    verdict("bfs_topdown_step", ok);
}

// ================================================================== 8 hash insert with CAS
constexpr unsigned kEmpty = 0xffffffffu;
__global__ void hash_insert_linear(const unsigned* __restrict__ keys, int n, unsigned* tabKey, unsigned* tabCnt, unsigned mask) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned k = keys[i], h = k;
    h ^= h >> 16; h *= 0x85ebca6bu; h ^= h >> 13; h *= 0xc2b2ae35u; h ^= h >> 16;
    unsigned slot = h & mask;
    while (true) {
        unsigned was = atomicCAS(&tabKey[slot], kEmpty, k);
        if (was == kEmpty || was == k) {
            atomicAdd(&tabCnt[slot], 1u);
            return;
        }
        slot = (slot + 1) & mask;
    }
}
static void t_hash() {
    const int n = 1000000;
    const unsigned cap = 1u << 20;
    Rng r(11);
    std::vector<unsigned> ids(600000), keys(n);
    for (auto& k : ids) k = r.u32() & 0x7fffffffu;
    for (auto& k : keys) k = ids[r.below((uint32_t)ids.size())];
    Dev<unsigned> dk(keys), tk(cap), tc(cap);
    four([&] { tk.fill(0xff); tc.fill(0); }, [&] { hash_insert_linear<<<divup(n, 512), 512>>>(dk.p, n, tk.p, tc.p, cap - 1); });
    auto hk = tk.get();
    auto hc = tc.get();
    std::vector<std::pair<unsigned, unsigned>> got, want;
    for (unsigned i = 0; i < cap; ++i)
        if (hk[i] != kEmpty) got.push_back({hk[i], hc[i]});
    std::sort(got.begin(), got.end());
    std::sort(keys.begin(), keys.end());
    for (unsigned k : keys) {
        if (want.empty() || want.back().first != k) want.push_back({k, 0u});
        want.back().second++;
    }
    verdict("hash_insert_linear", got == want);
}

// ================================================================== 9 segmented float max with CAS loop
__global__ void segmax_float_cas(const float* __restrict__ v, const int* __restrict__ seg, int n, float* best) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float x = v[i];
        int* a = reinterpret_cast<int*>(best + seg[i]);
        int old = *a;
        while (__int_as_float(old) < x) {
            int seen = atomicCAS(a, old, __float_as_int(x));
            if (seen == old) break;
            old = seen;
        }
    }
}
static void t_segmax() {
    const int n = 3000000, ns = 5000;
    Rng r(12);
    std::vector<float> v(n), init(ns, -FLT_MAX), ref(ns, -FLT_MAX);
    std::vector<int> seg(n);
    for (int i = 0; i < n; ++i) {
        seg[i] = (int)r.below(ns);
        v[i] = r.gaussish() * 10.f - (float)(seg[i] % 90);
        ref[seg[i]] = std::max(ref[seg[i]], v[i]);
    }
    Dev<float> dv(v), db(init);
    Dev<int> ds(seg);
    four([&] { db.put(init); }, [&] { segmax_float_cas<<<792, 320>>>(dv.p, ds.p, n, db.p); });
    verdict("segmax_float_cas", db.get() == ref);
}

// ================================================================== 10 integer atomics, hot counters
__global__ void votes_int_hot(const unsigned char* __restrict__ cls, const int* __restrict__ score, int n, int* tally, int* total, unsigned* flags) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int c = cls[i], s = score[i];
    atomicAdd(&tally[c], 1);
    atomicAdd(&total[c], s);
    if (s > 990) atomicOr(&flags[c], 1u << (s & 31));
}
static void t_votes() {
    const int n = 1 << 18, C = 96;
    Rng r(13);
    std::vector<unsigned char> cls(n);
    std::vector<int> sc(n), rt(C, 0), rs(C, 0);
    std::vector<unsigned> rf(C, 0);
    for (int i = 0; i < n; ++i) {
        float u = r.uni();
        int c = std::min(C - 1, (int)(u * std::sqrt(u) * C));
        cls[i] = (unsigned char)c;
        sc[i] = (int)r.below(1000);
        rt[c]++;
        rs[c] += sc[i];
        if (sc[i] > 990) rf[c] |= 1u << (sc[i] & 31);
    }
    Dev<unsigned char> dc(cls);
    Dev<int> ds(sc), dt(C), dtot(C);
    Dev<unsigned> df(C);
    four([&] { dt.fill(0); dtot.fill(0); df.fill(0); },
         [&] { votes_int_hot<<<divup(n, 256), 256>>>(dc.p, ds.p, n, dt.p, dtot.p, df.p); });
    verdict("votes_int_hot", dt.get() == rt && dtot.get() == rs && df.get() == rf);
}

// ================================================================== 11 float atomics: particle splat on a grid
__global__ void splat_float_bilinear(const float2* __restrict__ pos, const float* __restrict__ mass, int n, float* grid, int W) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float2 p = pos[i];
    float m = mass[i];
    float bx = floorf(p.x), by = floorf(p.y);
    float fx = p.x - bx, fy = p.y - by;
    float* g = grid + (int)by * W + (int)bx;
    atomicAdd(g, m * (1.f - fx) * (1.f - fy));
    atomicAdd(g + 1, m * fx * (1.f - fy));
    atomicAdd(g + W, m * (1.f - fx) * fy);
    atomicAdd(g + W + 1, m * fx * fy);
}
static void t_splat() {
    const int n = 600000, W = 1024, H = 1024;
    Rng r(14);
    std::vector<float2> pos(n);
    std::vector<float> mass(n);
    std::vector<double> ref((size_t)W * H, 0.0);
    for (int i = 0; i < n; ++i) {
        float x, y;
        if (i & 1) {
            x = 512.f + 70.f * r.gaussish();
            y = 480.f + 55.f * r.gaussish();
        } else {
            x = r.range(1.f, 1020.f);
            y = r.range(1.f, 1020.f);
        }
        pos[i] = make_float2(x, y);
        mass[i] = r.range(0.2f, 1.5f);
        float bx = std::floor(x), by = std::floor(y);
        double fx = x - bx, fy = y - by, m = mass[i];
        size_t g = (size_t)(int)by * W + (int)bx;
        ref[g] += m * (1 - fx) * (1 - fy);
        ref[g + 1] += m * fx * (1 - fy);
        ref[g + W] += m * (1 - fx) * fy;
        ref[g + W + 1] += m * fx * fy;
    }
    Dev<float2> dp(pos);
    Dev<float> dm(mass), dg((size_t)W * H);
    four([&] { dg.fill(0); }, [&] { splat_float_bilinear<<<divup(n, 160), 160>>>(dp.p, dm.p, n, dg.p, W); });
    auto g = dg.get();
    bool ok = true;
    for (size_t i = 0; i < g.size(); ++i) ok &= near(g[i], ref[i], 1e-4 + 1e-4 * ref[i]);
    verdict("splat_float_bilinear", ok);
}

// ================================================================== 12 double atomics, skewed buckets
__global__ void bucket_double_skew(const int* __restrict__ key, const double* __restrict__ w, int n, double* sum) {
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) atomicAdd(&sum[key[i]], w[i] * w[i]);
}
static void t_bucket() {
    const int n = 1000000, K = 20000;
    Rng r(15);
    std::vector<int> key(n);
    std::vector<double> w(n), ref(K, 0.0);
    for (int i = 0; i < n; ++i) {
        float u = r.uni();
        key[i] = std::min(K - 1, (int)(u * u * K));
        w[i] = 0.01 + (double)r.u32() / 4294967296.0;
        ref[key[i]] += w[i] * w[i];
    }
    Dev<int> dk(key);
    Dev<double> dw(w), ds(K);
    four([&] { ds.fill(0); }, [&] { bucket_double_skew<<<660, 192>>>(dk.p, dw.p, n, ds.p); });
    auto s = ds.get();
    bool ok = true;
    for (int i = 0; i < K; ++i) ok &= near(s[i], ref[i], 1e-10 * ref[i] + 1e-12);
    verdict("bucket_double_skew", ok);
}

// ================================================================== 13 bitonic tile sort
template <int N>
__global__ void __launch_bounds__(512) bitonic_tile_sort(const unsigned* __restrict__ in, unsigned* __restrict__ out) {
    __shared__ unsigned s[N];
    const size_t base = (size_t)blockIdx.x * N;
    for (int i = threadIdx.x; i < N; i += blockDim.x) s[i] = in[base + i];
    for (int k = 2; k <= N; k <<= 1)
        for (int j = k >> 1; j; j >>= 1) {
            __syncthreads();
            for (int t = threadIdx.x; t < N / 2; t += blockDim.x) {
                int i = 2 * t - (t & (j - 1));
                unsigned a = s[i], b = s[i + j];
                if ((a > b) == ((i & k) == 0)) {
                    s[i] = b;
                    s[i + j] = a;
                }
            }
        }
    __syncthreads();
    for (int i = threadIdx.x; i < N; i += blockDim.x) out[base + i] = s[i];
}
static void t_bitonic() {
    constexpr int N = 2048;
    const int tiles = 700;
    Rng r(16);
    std::vector<unsigned> h((size_t)N * tiles);
    for (auto& x : h) x = r.u32() >> r.below(12);
    Dev<unsigned> di(h), dout(h.size());
    four(nothing, [&] { bitonic_tile_sort<N><<<tiles, 512>>>(di.p, dout.p); });
    for (int t = 0; t < tiles; ++t) std::sort(h.begin() + (size_t)t * N, h.begin() + (size_t)(t + 1) * N);
    verdict("bitonic_tile_sort", dout.get() == h);
}

// ================================================================== 14 radix rank + scatter (4-bit digit, stable)
__global__ void __launch_bounds__(256) radix4_rank_scatter(const unsigned* __restrict__ key, const unsigned* __restrict__ val, int n, int shift,
                                                           const int* __restrict__ digitBase, unsigned* __restrict__ okey, unsigned* __restrict__ oval) {
    __shared__ int cnt[8][16];
    const int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
    if (threadIdx.x < 128) (&cnt[0][0])[threadIdx.x] = 0;
    __syncthreads();
    const int base = blockIdx.x * 1024 + w * 128 + lane;  // n is a multiple of 1024
    unsigned k[4];
    int rank[4];
#pragma unroll
    for (int r = 0; r < 4; ++r) {
        k[r] = key[base + r * 32];
        int d = (k[r] >> shift) & 15;
        unsigned peers = __match_any_sync(0xffffffffu, d);
        int before = __popc(peers & ((1u << lane) - 1u));
        rank[r] = cnt[w][d] + before;
        __syncwarp();
        if (before == 0) cnt[w][d] += __popc(peers);
        __syncwarp();
    }
    __syncthreads();
    if (threadIdx.x < 16) {
        int run = digitBase[threadIdx.x * (n / 1024) + blockIdx.x];
        for (int q = 0; q < 8; ++q) {
            int c = cnt[q][threadIdx.x];
            cnt[q][threadIdx.x] = run;
            run += c;
        }
    }
    __syncthreads();
#pragma unroll
    for (int r = 0; r < 4; ++r) {
        int dst = cnt[w][(k[r] >> shift) & 15] + rank[r];
        okey[dst] = k[r];
        oval[dst] = val[base + r * 32];
    }
}
static void t_radix() {
    const int tiles = 3000, n = tiles * 1024, shift = 8;
    Rng r(17);
    std::vector<unsigned> key(n), val(n), rk(n), rv(n);
    std::vector<int> cnt(16 * tiles, 0);
    for (int i = 0; i < n; ++i) {
        key[i] = r.below(5) == 0 ? (r.u32() & 0xfffff2ffu) : r.u32();
        val[i] = (unsigned)i;
        cnt[((key[i] >> shift) & 15) * tiles + i / 1024]++;
    }
    int run = 0;
    for (auto& c : cnt) {
        int t = c;
        c = run;
        run += t;
    }
    int pos[16];
    for (int d = 0; d < 16; ++d) pos[d] = cnt[d * tiles];
    for (int i = 0; i < n; ++i) {
        int p = pos[(key[i] >> shift) & 15]++;
        rk[p] = key[i];
        rv[p] = val[i];
    }
    Dev<unsigned> dk(key), dv(val), ok(n), ov(n);
    Dev<int> db(cnt);
    four(nothing, [&] { radix4_rank_scatter<<<tiles, 256>>>(dk.p, dv.p, n, shift, db.p, ok.p, ov.p); });
    verdict("radix4_rank_scatter", ok.get() == rk && ov.get() == rv);
}

// ================================================================== 15 merge path
__device__ __forceinline__ int merge_diag(const int* a, int na, const int* b, int nb, int diag) {
    int lo = max(0, diag - nb), hi = min(diag, na);
    while (lo < hi) {
        int mid = (lo + hi) >> 1;
        if (a[mid] <= b[diag - 1 - mid]) lo = mid + 1;
        else hi = mid;
    }
    return lo;
}
__global__ void __launch_bounds__(128) merge_path_tile(const int* __restrict__ a, int na, const int* __restrict__ b, int nb, int* __restrict__ out) {
    constexpr int VT = 9, TILE = 128 * VT;
    __shared__ int s[TILE];
    __shared__ int split[2];
    const int d0 = blockIdx.x * TILE, d1 = min(d0 + TILE, na + nb);
    if (threadIdx.x < 2) split[threadIdx.x] = merge_diag(a, na, b, nb, threadIdx.x ? d1 : d0);
    __syncthreads();
    const int a0 = split[0], ca = split[1] - a0, b0 = d0 - a0, len = d1 - d0, cb = len - ca;
    for (int i = threadIdx.x; i < len; i += 128) s[i] = i < ca ? a[a0 + i] : b[b0 + i - ca];
    __syncthreads();
    const int *sa = s, *sb = s + ca;
    int diag = min((int)threadIdx.x * VT, len);
    int i = merge_diag(sa, ca, sb, cb, diag), j = diag - i;
    int res[VT];
#pragma unroll
    for (int q = 0; q < VT; ++q) {
        res[q] = 0;
        if (i < ca && (j >= cb || sa[i] <= sb[j])) res[q] = sa[i++];
        else if (j < cb) res[q] = sb[j++];
    }
    __syncthreads();
#pragma unroll
    for (int q = 0; q < VT; ++q)
        if ((int)threadIdx.x * VT + q < len) s[threadIdx.x * VT + q] = res[q];
    __syncthreads();
    for (int t = threadIdx.x; t < len; t += 128) out[d0 + t] = s[t];
}
static void t_merge() {
    const int na = 1500000, nb = 1100003;
    Rng r(18);
    std::vector<int> a(na), b(nb), ref(na + nb);
    int x = -4000000;
    for (auto& v : a) v = x += (int)r.below(7);
    x = -3000000;
    for (auto& v : b) v = x += (int)r.below(8);
    std::merge(a.begin(), a.end(), b.begin(), b.end(), ref.begin());
    Dev<int> da(a), db(b), dout(na + nb);
    four(nothing, [&] { merge_path_tile<<<divup(na + nb, 128 * 9), 128>>>(da.p, na, db.p, nb, dout.p); });
    verdict("merge_path_tile", dout.get() == ref);
}

// ================================================================== 16..18 triads
static bool triad_ok(const std::vector<float>& a, const std::vector<float>& b, float s, const std::vector<float>& c) {
    bool ok = true;
    for (size_t i = 0; i < a.size(); ++i) {
        float p = s * b[i];
        ok &= std::fabs(c[i] - (a[i] + p)) <= 1e-6f * (std::fabs(a[i]) + std::fabs(p));
    }
    return ok;
}
__global__ void triad_words(const float* __restrict__ a, const float* __restrict__ b, float s, float* __restrict__ c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + s * b[i];
}
static void t_triad_words() {
    const int n = 9000001;
    auto a = randf(n, 19, -3.f, 3.f), b = randf(n, 20, -1.f, 4.f);
    Dev<float> da(a), db(b), dc(n);
    four(nothing, [&] { triad_words<<<divup(n, 1024), 1024>>>(da.p, db.p, 1.7f, dc.p, n); });
    verdict("triad_words", triad_ok(a, b, 1.7f, dc.get()));
}

__global__ void triad_vec4_stride(const float4* __restrict__ a, const float4* __restrict__ b, float s, float4* __restrict__ c, int nq) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < nq; i += gridDim.x * blockDim.x) {
        float4 x = a[i], y = b[i];
        c[i] = make_float4(fmaf(s, y.x, x.x), fmaf(s, y.y, x.y), fmaf(s, y.z, x.z), fmaf(s, y.w, x.w));
    }
}
static void t_triad_vec4() {
    const int nq = 3000000, n = nq * 4;
    auto a = randf(n, 21, -1.f, 1.f), b = randf(n, 22, -1.f, 1.f);
    Dev<float> da(a), db(b), dc(n);
    four(nothing, [&] {
        triad_vec4_stride<<<132 * 8, 256>>>(reinterpret_cast<const float4*>(da.p), reinterpret_cast<const float4*>(db.p), -0.35f,
                                            reinterpret_cast<float4*>(dc.p), nq);
    });
    verdict("triad_vec4_stride", triad_ok(a, b, -0.35f, dc.get()));
}

constexpr int kBigTile = 25600;  // 2 * 25600 floats = 200 KB of shared memory, one block per SM
__global__ void __launch_bounds__(256) triad_bigsmem(const float* __restrict__ a, const float* __restrict__ b, float s, float* __restrict__ c, int n) {
    extern __shared__ float stage[];
    float *sa = stage, *sb = stage + kBigTile;
    for (int t0 = blockIdx.x * kBigTile; t0 < n; t0 += gridDim.x * kBigTile) {
        int len = min(kBigTile, n - t0);
#pragma unroll 4
        for (int i = threadIdx.x; i < len; i += 256) {
            sa[i] = a[t0 + i];
            sb[i] = b[t0 + i];
        }
        __syncthreads();
        for (int i = threadIdx.x; i < len; i += 256) {
            int k = len - 1 - i;
            c[t0 + k] = sa[k] + s * sb[k];
        }
        __syncthreads();
    }
}
static void t_triad_bigsmem() {
    const int n = 6500000;
    const int bytes = 2 * kBigTile * (int)sizeof(float);
    auto a = randf(n, 23, 0.f, 10.f), b = randf(n, 24, -10.f, 10.f);
    Dev<float> da(a), db(b), dc(n);
    CK(cudaFuncSetAttribute(triad_bigsmem, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    four(nothing, [&] { triad_bigsmem<<<132, 256, bytes>>>(da.p, db.p, 0.61f, dc.p, n); });
    verdict("triad_bigsmem", triad_ok(a, b, 0.61f, dc.get()));
}

// ================================================================== 19 sum reduction
__global__ void __launch_bounds__(512) reduce_sum_shuffle(const float4* __restrict__ v, int nq, float* __restrict__ part) {
    __shared__ float ws[16];
    float s = 0.f;
    for (int i = blockIdx.x * 512 + threadIdx.x; i < nq; i += gridDim.x * 512) {
        float4 q = v[i];
        s += (q.x + q.y) + (q.z + q.w);
    }
    for (int o = 16; o; o >>= 1) s += __shfl_xor_sync(0xffffffffu, s, o);
    if ((threadIdx.x & 31) == 0) ws[threadIdx.x >> 5] = s;
    __syncthreads();
    if (threadIdx.x < 32) {
        s = threadIdx.x < 16 ? ws[threadIdx.x] : 0.f;
        for (int o = 8; o; o >>= 1) s += __shfl_xor_sync(0xffffffffu, s, o);
        if (threadIdx.x == 0) part[blockIdx.x] = s;
    }
}
static void t_sum() {
    const int nq = 4000000, n = nq * 4, blocks = 528;
    auto h = randf(n, 25, -0.5f, 1.5f);
    Dev<float> d(h), p(blocks);
    four(nothing, [&] { reduce_sum_shuffle<<<blocks, 512>>>(reinterpret_cast<const float4*>(d.p), nq, p.p); });
    // partial sums are checked one by one
    std::vector<double> ref(blocks, 0.0);
    for (int i = 0; i < nq; ++i) ref[(i / 512) % blocks] += (double)h[4 * (size_t)i] + h[4 * (size_t)i + 1] + h[4 * (size_t)i + 2] + h[4 * (size_t)i + 3];
    auto o = p.get();
    bool ok = true;
    for (int i = 0; i < blocks; ++i) ok &= near(o[i], ref[i], 1e-5 * std::fabs(ref[i]) + 1e-2);
    verdict("reduce_sum_shuffle", ok);
}

// ================================================================== 20 row argmax, shared tree
__global__ void __launch_bounds__(128) reduce_argmax_tree(const float* __restrict__ m, int cols, int* __restrict__ arg) {
    __shared__ float sv[128];
    __shared__ int si[128];
    const float* row = m + (size_t)blockIdx.x * cols;
    float bv = -FLT_MAX;
    int bi = INT_MAX;
    for (int c = threadIdx.x; c < cols; c += 128) {
        float x = row[c];
        if (x > bv) {
            bv = x;
            bi = c;
        }
    }
    sv[threadIdx.x] = bv;
    si[threadIdx.x] = bi;
    __syncthreads();
    for (int h = 64; h > 0; h >>= 1) {
        if (threadIdx.x < h) {
            float ov = sv[threadIdx.x + h];
            int oi = si[threadIdx.x + h];
            if (ov > sv[threadIdx.x] || (ov == sv[threadIdx.x] && oi < si[threadIdx.x])) {
                sv[threadIdx.x] = ov;
                si[threadIdx.x] = oi;
            }
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) arg[blockIdx.x] = si[0];
}
static void t_argmax() {
    const int rows = 3000, cols = 3333;
    Rng r(26);
    std::vector<float> m((size_t)rows * cols);
    for (auto& x : m) x = std::floor(r.uni() * 5000.f) * 0.25f;  // quantised, so ties happen
    std::vector<int> ref(rows);
    for (int i = 0; i < rows; ++i) ref[i] = (int)(std::max_element(m.begin() + (size_t)i * cols, m.begin() + (size_t)(i + 1) * cols) - (m.begin() + (size_t)i * cols));
    Dev<float> d(m);
    Dev<int> a(rows);
    four(nothing, [&] { reduce_argmax_tree<<<rows, 128>>>(d.p, cols, a.p); });
    verdict("reduce_argmax_tree", a.get() == ref);
}

// ================================================================== 21 softmax, block per row, values in registers
__global__ void __launch_bounds__(256) softmax_row_regs(const float* __restrict__ in, float* __restrict__ out, int cols) {
    __shared__ float red[8];
    const int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
    const size_t base = (size_t)blockIdx.x * cols;
    float v[4], mx = -FLT_MAX;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        int c = threadIdx.x + k * 256;
        v[k] = c < cols ? in[base + c] : -FLT_MAX;
        mx = fmaxf(mx, v[k]);
    }
    for (int o = 16; o; o >>= 1) mx = fmaxf(mx, __shfl_xor_sync(0xffffffffu, mx, o));
    if (lane == 0) red[w] = mx;
    __syncthreads();
    mx = red[0];
#pragma unroll
    for (int k = 1; k < 8; ++k) mx = fmaxf(mx, red[k]);
    __syncthreads();
    float s = 0.f;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        v[k] = (int)threadIdx.x + k * 256 < cols ? __expf(v[k] - mx) : 0.f;
        s += v[k];
    }
    for (int o = 16; o; o >>= 1) s += __shfl_xor_sync(0xffffffffu, s, o);
    if (lane == 0) red[w] = s;
    __syncthreads();
    s = 0.f;
#pragma unroll
    for (int k = 0; k < 8; ++k) s += red[k];
    const float inv = 1.f / s;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        int c = threadIdx.x + k * 256;
        if (c < cols) out[base + c] = v[k] * inv;
    }
}
static void t_softmax() {
    const int rows = 5000, cols = 1000;
    auto h = randf((size_t)rows * cols, 27, -6.f, 6.f);
    Dev<float> di(h), dout(h.size());
    four(nothing, [&] { softmax_row_regs<<<rows, 256>>>(di.p, dout.p, cols); });
    auto o = dout.get();
    bool ok = true;
    std::vector<double> e(cols);
    for (int i = 0; i < rows; ++i) {
        const float* x = &h[(size_t)i * cols];
        double mx = *std::max_element(x, x + cols), s = 0;
        for (int c = 0; c < cols; ++c) s += e[c] = std::exp(x[c] - mx);
        for (int c = 0; c < cols; ++c) ok &= near(o[(size_t)i * cols + c], e[c] / s, 1e-4 * e[c] / s + 1e-9);
    }
    verdict("softmax_row_regs", ok);
}

// ================================================================== 22 layer norm, warp per row of 512
__global__ void layernorm_warp512(const float4* __restrict__ x, const float4* __restrict__ gamma, const float4* __restrict__ beta,
                                  float4* __restrict__ y, int rows) {
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows) return;
    int lane = threadIdx.x;
    float4 v[4];
    float s = 0.f;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        v[k] = x[(size_t)row * 128 + k * 32 + lane];
        s += v[k].x + v[k].y + v[k].z + v[k].w;
    }
    for (int o = 16; o; o >>= 1) s += __shfl_xor_sync(0xffffffffu, s, o);
    float mean = s * (1.f / 512.f), q = 0.f;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        v[k].x -= mean; v[k].y -= mean; v[k].z -= mean; v[k].w -= mean;
        q += v[k].x * v[k].x + v[k].y * v[k].y + v[k].z * v[k].z + v[k].w * v[k].w;
    }
    for (int o = 16; o; o >>= 1) q += __shfl_xor_sync(0xffffffffu, q, o);
    float is = rsqrtf(q * (1.f / 512.f) + 1e-5f);
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        float4 g = gamma[k * 32 + lane], b = beta[k * 32 + lane];
        y[(size_t)row * 128 + k * 32 + lane] = make_float4(v[k].x * is * g.x + b.x, v[k].y * is * g.y + b.y, v[k].z * is * g.z + b.z, v[k].w * is * g.w + b.w);
    }
}
static void t_layernorm() {
    const int rows = 14001, C = 512;
    auto x = randf((size_t)rows * C, 28, -2.f, 5.f), g = randf(C, 29, 0.5f, 1.5f), b = randf(C, 30, -1.f, 1.f);
    Dev<float> dx(x), dg(g), db(b), dy(x.size());
    four(nothing, [&] {
        layernorm_warp512<<<divup(rows, 4), dim3(32, 4)>>>(reinterpret_cast<const float4*>(dx.p), reinterpret_cast<const float4*>(dg.p),
                                                           reinterpret_cast<const float4*>(db.p), reinterpret_cast<float4*>(dy.p), rows);
    });
    auto y = dy.get();
    bool ok = true;
    for (int i = 0; i < rows; ++i) {
        const float* p = &x[(size_t)i * C];
        double m = 0, q = 0;
        for (int c = 0; c < C; ++c) m += p[c];
        m /= C;
        for (int c = 0; c < C; ++c) q += (p[c] - m) * (p[c] - m);
        double is = 1.0 / std::sqrt(q / C + 1e-5);
        for (int c = 0; c < C; ++c) ok &= near(y[(size_t)i * C + c], (p[c] - m) * is * g[c] + b[c], 1e-4);
    }
    verdict("layernorm_warp512", ok);
}

// ================================================================== 23 five-point stencil, shared tile with halo
__global__ void __launch_bounds__(512) stencil5_halo(const float* __restrict__ in, float* __restrict__ out, int nx, int ny) {
    __shared__ float t[18][34];
    const int x0 = blockIdx.x * 32 - 1, y0 = blockIdx.y * 16 - 1;
    for (int k = threadIdx.y * 32 + threadIdx.x; k < 18 * 34; k += 512) {
        int ty = k / 34, tx = k % 34;
        int gx = min(max(x0 + tx, 0), nx - 1), gy = min(max(y0 + ty, 0), ny - 1);
        t[ty][tx] = in[(size_t)gy * nx + gx];
    }
    __syncthreads();
    const int x = x0 + 1 + threadIdx.x, y = y0 + 1 + threadIdx.y;
    if (x < nx && y < ny) {
        int i = threadIdx.x + 1, j = threadIdx.y + 1;
        out[(size_t)y * nx + x] = 0.5f * t[j][i] + 0.125f * (t[j - 1][i] + t[j + 1][i] + t[j][i - 1] + t[j][i + 1]);
    }
}
static void t_stencil5() {
    const int nx = 3001, ny = 2200;
    auto h = randf((size_t)nx * ny, 31, -10.f, 10.f);
    Dev<float> di(h), dout(h.size());
    four(nothing, [&] { stencil5_halo<<<dim3(divup(nx, 32), divup(ny, 16)), dim3(32, 16)>>>(di.p, dout.p, nx, ny); });
    auto o = dout.get();
    bool ok = true;
    for (int y = 0; y < ny; ++y)
        for (int x = 0; x < nx; ++x) {
            auto at = [&](int xx, int yy) { return h[(size_t)std::min(std::max(yy, 0), ny - 1) * nx + std::min(std::max(xx, 0), nx - 1)]; };
            float w = 0.5f * at(x, y) + 0.125f * (at(x, y - 1) + at(x, y + 1) + at(x - 1, y) + at(x + 1, y));
            ok &= std::fabs(o[(size_t)y * nx + x] - w) <= 2e-5f;
        }
    verdict("stencil5_halo", ok);
}

// ================================================================== 24 seven-point 3-D stencil marching in z
template <int ZC>
__global__ void stencil7_zmarch(const float* __restrict__ in, float* __restrict__ out, int nx, int ny, int nz, float c0, float c1) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= nx || y >= ny) return;
    const int plane = nx * ny, z0 = blockIdx.z * ZC, z1 = min(z0 + ZC, nz);
    const bool rim = x == 0 || y == 0 || x == nx - 1 || y == ny - 1;
    int p = z0 * plane + y * nx + x;
    float below = z0 > 0 ? in[p - plane] : 0.f, cur = in[p];
    for (int z = z0; z < z1; ++z, p += plane) {
        float above = z + 1 < nz ? in[p + plane] : 0.f;
        float r = cur;
        if (!rim && z > 0 && z < nz - 1) r = c0 * cur + c1 * (below + above + in[p - 1] + in[p + 1] + in[p - nx] + in[p + nx]);
        out[p] = r;
        below = cur;
        cur = above;
    }
}
static void t_stencil7() {
    const int nx = 310, ny = 190, nz = 125;
    auto h = randf((size_t)nx * ny * nz, 32, 0.f, 4.f);
    Dev<float> di(h), dout(h.size());
    four(nothing, [&] { stencil7_zmarch<16><<<dim3(divup(nx, 64), divup(ny, 4), divup(nz, 16)), dim3(64, 4)>>>(di.p, dout.p, nx, ny, nz, 0.4f, 0.1f); });
    auto o = dout.get();
    bool ok = true;
    const int pl = nx * ny;
    for (int z = 0; z < nz; ++z)
        for (int y = 0; y < ny; ++y)
            for (int x = 0; x < nx; ++x) {
                int p = z * pl + y * nx + x;
                float w = h[p];
                if (x && y && z && x < nx - 1 && y < ny - 1 && z < nz - 1)
                    w = 0.4f * h[p] + 0.1f * (h[p - pl] + h[p + pl] + h[p - 1] + h[p + 1] + h[p - nx] + h[p + nx]);
                ok &= std::fabs(o[p] - w) <= 1e-5f;
            }
    verdict("stencil7_zmarch", ok);
}

// ================================================================== 25 block inclusive scan, 2048 per block
__global__ void __launch_bounds__(256) scan_block2048(const int4* __restrict__ in, int4* __restrict__ out, int* __restrict__ totals) {
    __shared__ int wsum[8];
    const int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
    const size_t q = (size_t)blockIdx.x * 512 + threadIdx.x * 2;
    int4 a = in[q], b = in[q + 1];
    a.y += a.x; a.z += a.y; a.w += a.z;
    b.x += a.w; b.y += b.x; b.z += b.y; b.w += b.z;
    int inc = b.w;
#pragma unroll
    for (int o = 1; o < 32; o <<= 1) {
        int t = __shfl_up_sync(0xffffffffu, inc, o);
        if (lane >= o) inc += t;
    }
    if (lane == 31) wsum[w] = inc;
    __syncthreads();
    int off = inc - b.w;
    for (int k = 0; k < w; ++k) off += wsum[k];
    a.x += off; a.y += off; a.z += off; a.w += off;
    b.x += off; b.y += off; b.z += off; b.w += off;
    out[q] = a;
    out[q + 1] = b;
    if (threadIdx.x == 255) totals[blockIdx.x] = b.w;
}
static void t_scan() {
    const int blocks = 3500, n = blocks * 2048;
    Rng r(33);
    std::vector<int> h(n), ref(n), tot(blocks);
    for (auto& x : h) x = (int)r.below(1000) - 200;
    for (int b = 0; b < blocks; ++b) {
        int s = 0;
        for (int i = b * 2048; i < (b + 1) * 2048; ++i) ref[i] = s += h[i];
        tot[b] = s;
    }
    Dev<int> di(h), dout(n), dt(blocks);
    four(nothing, [&] { scan_block2048<<<blocks, 256>>>(reinterpret_cast<const int4*>(di.p), reinterpret_cast<int4*>(dout.p), dt.p); });
    verdict("scan_block2048", dout.get() == ref && dt.get() == tot);
}

// ================================================================== 26 stream compaction, ballot + one atomic per block
__global__ void __launch_bounds__(512) compact_ballot(const float* __restrict__ in, int n, float thr, float* __restrict__ out, int* __restrict__ count) {
    __shared__ int woff[16];
    __shared__ int base;
    const int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
    float v[4];
    unsigned m[4];
    int mine = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        int i = blockIdx.x * 2048 + k * 512 + threadIdx.x;
        v[k] = i < n ? in[i] : 0.f;
        m[k] = __ballot_sync(0xffffffffu, i < n && v[k] > thr);
        mine += __popc(m[k]);
    }
    if (lane == 0) woff[w] = mine;
    __syncthreads();
    if (threadIdx.x == 0) {
        int run = 0;
        for (int k = 0; k < 16; ++k) {
            int t = woff[k];
            woff[k] = run;
            run += t;
        }
        base = atomicAdd(count, run);
    }
    __syncthreads();
    int dst = base + woff[w];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        if ((m[k] >> lane) & 1u) out[dst + __popc(m[k] & ((1u << lane) - 1u))] = v[k];
        dst += __popc(m[k]);
    }
}
static void t_compact() {
    const int n = 5000003;
    auto h = randf(n, 34, -1.f, 1.f);
    const float thr = 0.3f;
    std::vector<float> ref;
    for (float x : h)
        if (x > thr) ref.push_back(x);
    Dev<float> di(h), dout(n);
    Dev<int> dc(1);
    four([&] { dc.fill(0); }, [&] { compact_ballot<<<divup(n, 2048), 512>>>(di.p, n, thr, dout.p, dc.p); });
    int c = dc.get()[0];
    bool ok = c == (int)ref.size();
    if (ok) {
        auto o = dout.get();
        o.resize(c);
        std::sort(o.begin(), o.end());
        std::sort(ref.begin(), ref.end());
        ok = o == ref;
    }
    verdict("compact_ballot", ok);
}

// ================================================================== 27 Julia set escape time
__global__ void julia_escape(unsigned short* __restrict__ it, int w, int h, float step, float cx, float cy, int maxit) {
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= w || py >= h) return;
    float x = __fmul_rn((float)(px - w / 2), step), y = __fmul_rn((float)(py - h / 2), step);
    int k = 0;
    for (; k < maxit; ++k) {
        float xx = __fmul_rn(x, x), yy = __fmul_rn(y, y);
        if (__fadd_rn(xx, yy) > 4.f) break;
        float xy = __fmul_rn(x, y);
        y = __fadd_rn(__fadd_rn(xy, xy), cy);
        x = __fadd_rn(__fsub_rn(xx, yy), cx);
    }
    it[py * w + px] = (unsigned short)k;
}
static void t_julia() {
    const int w = 1500, h = 1000, maxit = 400;
    const float step = 0.0021f, cx = -0.7454f, cy = 0.1130f;
    Dev<unsigned short> d((size_t)w * h);
    four(nothing, [&] { julia_escape<<<dim3(divup(w, 16), divup(h, 8)), dim3(16, 8)>>>(d.p, w, h, step, cx, cy, maxit); });
    auto o = d.get();
    int diff = 0;
    for (int py = 0; py < h; ++py)
        for (int px = 0; px < w; ++px) {
            float x = (float)(px - w / 2) * step, y = (float)(py - h / 2) * step;
            int k = 0;
            for (; k < maxit; ++k) {
                float xx = x * x, yy = y * y;
                if (xx + yy > 4.f) break;
                float xy = x * y;
                y = (xy + xy) + cy;
                x = (xx - yy) + cx;
            }
            diff += o[py * w + px] != k;
        }
    verdict("julia_escape", diff <= w * h / 500);
}

// ================================================================== 28 linear congruence walk
__host__ __device__ inline uint32_t lcg_path(uint32_t seed, int steps) {
    uint32_t x = seed, acc = 0;
    for (int i = 0; i < steps; ++i) {
        x = x * 1664525u + 1013904223u;
        if ((x >> 29) == 5u) acc ^= (x << 7) | (x >> 25);
        else acc += x >> 16;
    }
    return acc ^ x;
}
__global__ void lcg_walk(const uint32_t* __restrict__ seed, const int* __restrict__ steps, uint32_t* __restrict__ out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = lcg_path(seed[i], steps[i]);
}
static void t_lcg() {
    const int n = 132 * 1024;
    Rng r(35);
    std::vector<uint32_t> s(n);
    std::vector<int> st(n);
    for (int i = 0; i < n; ++i) {
        s[i] = r.u32();
        st[i] = 1000 + (int)r.below(1000);
    }
    Dev<uint32_t> ds(s), dout(n);
    Dev<int> dst(st);
    four(nothing, [&] { lcg_walk<<<divup(n, 256), 256>>>(ds.p, dst.p, dout.p, n); });
    auto o = dout.get();
    bool ok = true;
    for (int i = 0; i < n; ++i) ok &= o[i] == lcg_path(s[i], st[i]);
    verdict("lcg_walk", ok);
}

// ================================================================== 29 2-D texture: rotate and resample an image
__global__ void tex2d_rotate(cudaTextureObject_t tex, float* __restrict__ out, int ow, int oh, float ca, float sa, float cx, float cy) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= ow || y >= oh) return;
    float dx = (float)x - 0.5f * (float)ow, dy = (float)y - 0.5f * (float)oh;
    out[(size_t)y * ow + x] = tex2D<float>(tex, ca * dx - sa * dy + cx, sa * dx + ca * dy + cy);
}
static void t_tex() {
    const int W = 1200, H = 900, ow = 2000, oh = 1500;
    Rng r(36);
    std::vector<float> img((size_t)W * H);
    for (int y = 0; y < H; ++y)
        for (int x = 0; x < W; ++x) img[(size_t)y * W + x] = 0.5f + 0.3f * std::sin(0.05f * (float)x) * std::cos(0.07f * (float)y) + 0.2f * (r.uni() - 0.5f);
    cudaChannelFormatDesc fmt = cudaCreateChannelDesc<float>();
    cudaArray_t arr;
    CK(cudaMallocArray(&arr, &fmt, W, H));
    CK(cudaMemcpy2DToArray(arr, 0, 0, img.data(), W * sizeof(float), W * sizeof(float), H, cudaMemcpyHostToDevice));
    cudaResourceDesc rd;
    std::memset(&rd, 0, sizeof rd);
    rd.resType = cudaResourceTypeArray;
    rd.res.array.array = arr;
    cudaTextureDesc td;
    std::memset(&td, 0, sizeof td);
    td.addressMode[0] = td.addressMode[1] = cudaAddressModeClamp;
    td.filterMode = cudaFilterModeLinear;
    td.readMode = cudaReadModeElementType;
    td.normalizedCoords = 0;
    cudaTextureObject_t tex = 0;
    CK(cudaCreateTextureObject(&tex, &rd, &td, nullptr));
    const float ca = 0.6f * std::cos(0.4f), sa = 0.6f * std::sin(0.4f), cx = 600.f, cy = 450.f;
    Dev<float> dout((size_t)ow * oh);
    four(nothing, [&] { tex2d_rotate<<<dim3(divup(ow, 32), divup(oh, 8)), dim3(32, 8)>>>(tex, dout.p, ow, oh, ca, sa, cx, cy); });
    auto o = dout.get();
    bool ok = true;
    auto at = [&](int x, int y) { return (double)img[(size_t)std::min(std::max(y, 0), H - 1) * W + std::min(std::max(x, 0), W - 1)]; };
    for (int y = 0; y < oh; ++y)
        for (int x = 0; x < ow; ++x) {
            double dx = x - 0.5 * ow, dy = y - 0.5 * oh;
            double u = ca * dx - sa * dy + cx - 0.5, v = sa * dx + ca * dy + cy - 0.5;
            double fu = std::floor(u), fv = std::floor(v), a = u - fu, b = v - fv;
            int i = (int)fu, j = (int)fv;
            double w = (1 - a) * (1 - b) * at(i, j) + a * (1 - b) * at(i + 1, j) + (1 - a) * b * at(i, j + 1) + a * b * at(i + 1, j + 1);
            ok &= near(o[(size_t)y * ow + x], w, 8e-3);
        }
    CK(cudaDestroyTextureObject(tex));
    CK(cudaFreeArray(arr));
    verdict("tex2d_rotate", ok);
}

int main() {
    t_gather();
    t_minmax();
    t_csr();
    t_ell();
    t_hist_global();
    t_hist_shared();
    t_bfs();
    t_hash();
    t_segmax();
    t_votes();
    t_splat();
    t_bucket();
    t_bitonic();
    t_radix();
    t_merge();
    t_triad_words();
    t_triad_vec4();
    t_triad_bigsmem();
    t_sum();
    t_argmax();
    t_softmax();
    t_layernorm();
    t_stencil5();
    t_stencil7();
    t_scan();
    t_compact();
    t_julia();
    t_lcg();
    t_tex();
    std::printf("%d wrong of 29\n", g_bad);
    return g_bad ? 1 : 0;
}
