// mixed_m.cu - a self-checking collection of 29 GPU kernels.
// Every test: build deterministic inputs, launch four times, compare against a CPU reference.
#include <cuda_runtime.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <vector>

#define CK(call)                                                                        \
    do {                                                                                \
        cudaError_t err_ = (call);                                                      \
        if (err_ != cudaSuccess) {                                                      \
            std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,          \
                         cudaGetErrorString(err_));                                     \
            std::exit(2);                                                               \
        }                                                                               \
    } while (0)

typedef unsigned long long ull;
static const unsigned kFull = 0xffffffffu;

// ------------------------------------------------------------------ host utilities

struct Rng {
    uint64_t s;
    explicit Rng(uint64_t seed) : s(seed * 0x9E3779B97F4A7C15ull + 0x1234567ull) {}
    uint64_t next()
    {
        uint64_t z = (s += 0x9E3779B97F4A7C15ull);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
        return z ^ (z >> 31);
    }
    uint32_t u32() { return (uint32_t)(next() >> 32); }
    uint32_t below(uint32_t n) { return (uint32_t)(((uint64_t)u32() * n) >> 32); }
    float uni() { return (float)(next() >> 40) * (1.0f / 16777216.0f); }
    // roughly normal, zero mean, unit variance: four 16-bit uniforms
    float bell()
    {
        uint64_t r = next();
        int t = (int)(r & 0xffff) + (int)((r >> 16) & 0xffff) + (int)((r >> 32) & 0xffff) +
                (int)(r >> 48);
        return (float)(t - 131070) * (1.0f / 37837.0f);
    }
};

template <class T>
struct Buf {
    T* p = nullptr;
    size_t n = 0;
    explicit Buf(size_t count) : n(count)
    {
        CK(cudaMalloc((void**)&p, n * sizeof(T)));
        CK(cudaMemset(p, 0, n * sizeof(T)));
    }
    explicit Buf(const std::vector<T>& h) : n(h.size())
    {
        CK(cudaMalloc((void**)&p, n * sizeof(T)));
        CK(cudaMemcpy(p, h.data(), n * sizeof(T), cudaMemcpyHostToDevice));
    }
    ~Buf() { cudaFree(p); }
    Buf(const Buf&) = delete;
    Buf& operator=(const Buf&) = delete;
    void fill(int byte) { CK(cudaMemset(p, byte, n * sizeof(T))); }
    void copy(const Buf<T>& o)
    {
        CK(cudaMemcpy(p, o.p, n * sizeof(T), cudaMemcpyDeviceToDevice));
    }
    std::vector<T> get() const
    {
        std::vector<T> h(n);
        CK(cudaMemcpy(h.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost));
        return h;
    }
};

template <class Prep, class Go>
static void four(Prep prep, Go go)
{
    for (int i = 0; i < 4; ++i) {
        prep();
        go();
        CK(cudaGetLastError());
    }
    CK(cudaDeviceSynchronize());
}
template <class Go>
static void four(Go go)
{
    for (int i = 0; i < 4; ++i) {
        go();
        CK(cudaGetLastError());
    }
    CK(cudaDeviceSynchronize());
}

static int g_bad = 0;
static void report(const char* name, bool ok)
{
    std::printf("%s: %s\n", name, ok ? "right" : "wrong");
    std::fflush(stdout);
    if (!ok) ++g_bad;
}
static inline bool close_to(double a, double b, double rel, double abs)
{
    return std::fabs(a - b) <= abs + rel * std::fabs(b);  // false for NaN
}
static inline int cdiv(long long a, long long b) { return (int)((a + b - 1) / b); }

// ------------------------------------------------------------------ 1. gather

__global__ void gather_quads(const float* __restrict__ table, const int4* __restrict__ idx,
                             float4* __restrict__ out, int nquad)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= nquad) return;
    int4 k = idx[i];
    float4 r;
    r.x = __ldg(table + k.x);
    r.y = __ldg(table + k.y);
    r.z = __ldg(table + k.z);
    r.w = __ldg(table + k.w);
    out[i] = r;
}

static void test_gather()
{
    const int nt = 4 << 20, nq = 2 << 20;
    Rng r(11);
    std::vector<float> table(nt);
    for (auto& v : table) v = r.bell();
    std::vector<int4> idx(nq);
    int home = 0;
    for (int i = 0; i < nq; ++i) {
        int k[4];
        for (int c = 0; c < 4; ++c) {
            if (r.below(64) == 0) home = (int)r.below(nt);
            // half of the references stay close to a wandering home, half are anywhere
            if (r.below(2)) k[c] = (int)((home + r.below(512)) & (nt - 1));
            else k[c] = (int)r.below(nt);
        }
        idx[i] = make_int4(k[0], k[1], k[2], k[3]);
    }
    Buf<float> dt(table);
    Buf<int4> di(idx);
    Buf<float4> dout(nq);
    four([&] { gather_quads<<<cdiv(nq, 256), 256>>>(dt.p, di.p, dout.p, nq); });
    auto h = dout.get();
    bool ok = true;
    for (int i = 0; i < nq && ok; ++i)
        ok = h[i].x == table[idx[i].x] && h[i].y == table[idx[i].y] &&
             h[i].z == table[idx[i].z] && h[i].w == table[idx[i].w];
    report("gather_quads", ok);
}

// ------------------------------------------------------------------ 2. SpMV, CSR, 8 lanes a row

template <int LANES>
__global__ void spmv_csr_lanes(int nrows, const int* __restrict__ rowptr,
                               const int* __restrict__ col, const float* __restrict__ val,
                               const float* __restrict__ x, float* __restrict__ y)
{
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / LANES;
    const int lane = threadIdx.x % LANES;
    float sum = 0.0f;
    if (row < nrows) {
        const int e1 = rowptr[row + 1];
        for (int e = rowptr[row] + lane; e < e1; e += LANES) sum += val[e] * __ldg(x + col[e]);
    }
#pragma unroll
    for (int o = LANES / 2; o > 0; o >>= 1) sum += __shfl_down_sync(kFull, sum, o, LANES);
    if (row < nrows && lane == 0) y[row] = sum;
}

static void test_spmv_csr()
{
    const int n = 180011;
    Rng r(22);
    std::vector<int> rp(n + 1, 0), col;
    std::vector<float> val, x(n);
    for (auto& v : x) v = r.bell();
    col.reserve(6000000);
    val.reserve(6000000);
    for (int i = 0; i < n; ++i) {
        int len = 4 + (int)(-22.0 * std::log(1.0 - (double)r.uni()));
        if (len > 150) len = 150;
        for (int k = 0; k < len; ++k) {
            int c;
            if (r.below(3)) {
                c = i - 400 + (int)r.below(801);
                c = std::min(std::max(c, 0), n - 1);
            } else {
                c = (int)r.below(n);
            }
            col.push_back(c);
            val.push_back(r.bell());
        }
        rp[i + 1] = (int)col.size();
    }
    Buf<int> drp(rp), dc(col);
    Buf<float> dv(val), dx(x), dy(n);
    four([&] {
        spmv_csr_lanes<8><<<cdiv((long long)n * 8, 256), 256>>>(n, drp.p, dc.p, dv.p, dx.p, dy.p);
    });
    auto y = dy.get();
    bool ok = true;
    for (int i = 0; i < n && ok; ++i) {
        double s = 0, a = 0;
        for (int e = rp[i]; e < rp[i + 1]; ++e) {
            double t = (double)val[e] * x[col[e]];
            s += t;
            a += std::fabs(t);
        }
        ok = std::fabs(y[i] - s) <= 1e-5 * a + 1e-6;
    }
    report("spmv_csr_lanes", ok);
}

// ------------------------------------------------------------------ 3. SpMV, ELLPACK, thread a row

__global__ void spmv_ell_thread(int nrows, int pitch, int width, const int* __restrict__ col,
                                const float* __restrict__ val, const float* __restrict__ x,
                                float* __restrict__ y)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= nrows) return;
    float acc = 0.0f;
    for (int k = 0; k < width; ++k) {
        int c = col[(size_t)k * pitch + row];
        if (c < 0) break;  // padding is at the end of a row
        acc = fmaf(val[(size_t)k * pitch + row], x[c], acc);
    }
    y[row] = acc;
}

static void test_spmv_ell()
{
    const int n = 500009, pitch = (n + 31) / 32 * 32, width = 14;
    Rng r(33);
    std::vector<int> col((size_t)pitch * width, -1);
    std::vector<float> val((size_t)pitch * width, 0.0f), x(n);
    for (auto& v : x) v = r.uni() - 0.3f;
    for (int i = 0; i < n; ++i) {
        int len = 7 + (int)r.below(width - 6);
        for (int k = 0; k < len; ++k) {
            long long c = (long long)i + (k - len / 2) * 701 + (int)r.below(16);
            c = (c + 4ll * n) % n;
            col[(size_t)k * pitch + i] = (int)c;
            val[(size_t)k * pitch + i] = r.bell();
        }
    }
    Buf<int> dc(col);
    Buf<float> dv(val), dx(x), dy(n);
    four([&] {
        spmv_ell_thread<<<cdiv(n, 128), 128>>>(n, pitch, width, dc.p, dv.p, dx.p, dy.p);
    });
    auto y = dy.get();
    bool ok = true;
    for (int i = 0; i < n && ok; ++i) {
        double s = 0, a = 0;
        for (int k = 0; k < width; ++k) {
            int c = col[(size_t)k * pitch + i];
            if (c < 0) break;
            double t = (double)val[(size_t)k * pitch + i] * x[c];
            s += t;
            a += std::fabs(t);
        }
        ok = std::fabs(y[i] - s) <= 1e-5 * a + 1e-6;
    }
    report("spmv_ell_thread", ok);
}

// ------------------------------------------------------------------ 4. histogram, global atomics

__global__ void hist_global_4096(const float* __restrict__ v, int n, float lo, float inv_width,
                                 unsigned* __restrict__ bins)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        int b = (int)((v[i] - lo) * inv_width);
        b = min(max(b, 0), 4095);
        atomicAdd(bins + b, 1u);
    }
}

static void test_hist_global()
{
    const int n = 4000037;
    const float lo = -4.0f, inv = 512.0f;  // exact power-of-two scaling
    Rng r(44);
    std::vector<float> v(n);
    for (auto& e : v) e = r.bell();
    Buf<float> dv(v);
    Buf<unsigned> db(4096);
    four([&] { db.fill(0); },
         [&] { hist_global_4096<<<132 * 6, 320>>>(dv.p, n, lo, inv, db.p); });
    std::vector<unsigned> ref(4096, 0);
    for (int i = 0; i < n; ++i) {
        float d = v[i] - lo;
        int b = (int)(d * inv);
        ++ref[std::min(std::max(b, 0), 4095)];
    }
    report("hist_global_4096", db.get() == ref);
}

// ------------------------------------------------------------------ 5. histogram, warp-private shared

__global__ void __launch_bounds__(256) hist_shared_bytes(const uint4* __restrict__ px, int nvec,
                                                         unsigned* __restrict__ bins)
{
    __shared__ unsigned h[8][257];
    for (int i = threadIdx.x; i < 8 * 257; i += 256) (&h[0][0])[i] = 0;
    __syncthreads();
    unsigned* mine = h[threadIdx.x >> 5];
    for (int i = blockIdx.x * 256 + threadIdx.x; i < nvec; i += gridDim.x * 256) {
        uint4 q = px[i];
        unsigned w[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            atomicAdd(mine + (w[k] & 255u), 1u);
            atomicAdd(mine + ((w[k] >> 8) & 255u), 1u);
            atomicAdd(mine + ((w[k] >> 16) & 255u), 1u);
            atomicAdd(mine + (w[k] >> 24), 1u);
        }
    }
    __syncthreads();
    unsigned total = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) total += h[k][threadIdx.x];
    if (total) atomicAdd(bins + threadIdx.x, total);
}

static void test_hist_shared()
{
    const int w = 6144, hgt = 4096, nvec = w * hgt / 16;
    Rng r(55);
    std::vector<uint4> img(nvec);
    unsigned char* b = reinterpret_cast<unsigned char*>(img.data());
    for (int y = 0; y < hgt; ++y)
        for (int x = 0; x < w; x += 4) {
            uint64_t q = r.next();
            for (int k = 0; k < 4; ++k, q >>= 16) {
                int noise = (int)(q & 31) + (int)((q >> 5) & 31) - 31;
                int v = 40 + (x + k) * 100 / w + y * 80 / hgt + noise;
                b[(size_t)y * w + x + k] = (unsigned char)std::min(std::max(v, 0), 255);
            }
        }
    Buf<uint4> di(img);
    Buf<unsigned> db(256);
    four([&] { db.fill(0); }, [&] { hist_shared_bytes<<<132 * 5, 256>>>(di.p, nvec, db.p); });
    std::vector<unsigned> ref(256, 0);
    for (size_t i = 0; i < (size_t)w * hgt; ++i) ++ref[b[i]];
    report("hist_shared_bytes", db.get() == ref);
}

// ------------------------------------------------------------------ 6. BFS, one top-down level

__global__ void __launch_bounds__(256)
    bfs_push_level(const int* __restrict__ rowptr, const int* __restrict__ adj,
                   const int* __restrict__ frontier, int nfront, int level, int* dist, int* nextq,
                   int* nextn)
{
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    const int lane = threadIdx.x & 31;
    if (warp >= nfront) return;
    const int u = frontier[warp];
    const int e1 = rowptr[u + 1];
    for (int base = rowptr[u]; base < e1; base += 32) {
        const int e = base + lane;
        int v = -1;
        bool won = false;
        if (e < e1) {
            v = adj[e];
            if (dist[v] < 0) won = atomicCAS(dist + v, -1, level + 1) == -1;
        }
        const unsigned m = __ballot_sync(kFull, won);
        if (m == 0) continue;
        int pos = 0;
        if (lane == 0) pos = atomicAdd(nextn, __popc(m));
        pos = __shfl_sync(kFull, pos, 0);
        if (won) nextq[pos + __popc(m & ((1u << lane) - 1u))] = v;
    }
}

static void test_bfs()
{
    const int n = 1000003;
    Rng r(66);
    std::vector<int> rp(n + 1, 0);
    for (int i = 0; i < n; ++i) {
        int deg = 2 + (int)(-8.0 * std::log(1.0 - (double)r.uni()));
        rp[i + 1] = rp[i] + std::min(deg, 90);
    }
    std::vector<int> adj(rp[n]);
    for (int i = 0; i < n; ++i)
        for (int e = rp[i]; e < rp[i + 1]; ++e) {
            if (r.below(4) == 0) adj[e] = (int)((i + 1 + r.below(1000)) % n);
            else adj[e] = (int)r.below(n);
        }
    std::vector<int> dist(n, -1), front, nxt;
    for (int k = 0; k < 40; ++k) {
        int s = (int)r.below(n);
        if (dist[s] < 0) {
            dist[s] = 0;
            front.push_back(s);
        }
    }
    int level = 0;
    auto step = [&](std::vector<int>& d) {
        nxt.clear();
        for (int u : front)
            for (int e = rp[u]; e < rp[u + 1]; ++e)
                if (d[adj[e]] < 0) {
                    d[adj[e]] = level + 1;
                    nxt.push_back(adj[e]);
                }
    };
    while (front.size() < 25000 && !front.empty()) {
        step(dist);
        front.swap(nxt);
        ++level;
    }
    std::vector<int> ref = dist;
    step(ref);  // nxt is now the expected next frontier
    Buf<int> drp(rp), dadj(adj), df(front), d0(dist), dd(n), dq(n), dn(1);
    const int nf = (int)front.size();
    four(
        [&] {
            dd.copy(d0);
            dn.fill(0);
        },
        [&] {
            bfs_push_level<<<cdiv((long long)nf * 32, 256), 256>>>(drp.p, dadj.p, df.p, nf, level,
                                                                   dd.p, dq.p, dn.p);
        });
    bool ok = dn.get()[0] == (int)nxt.size() && dd.get() == ref;
    if (ok) {
        auto q = dq.get();
        q.resize(nxt.size());
        std::sort(q.begin(), q.end());
        std::sort(nxt.begin(), nxt.end());
        ok = q == nxt;
    }
    report("bfs_push_level", ok);
}

// ------------------------------------------------------------------ 7. CAS: open-addressing hash insert

__host__ __device__ static inline uint32_t mix32(uint32_t h)
{
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    h ^= h >> 16;
    return h;
}

__global__ void hash_insert_count(const uint32_t* __restrict__ keys, int n, uint32_t* slot,
                                  uint32_t* count, uint32_t mask)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const uint32_t k = keys[i];
    uint32_t h = mix32(k) & mask;
    while (true) {
        uint32_t was = atomicCAS(slot + h, 0xffffffffu, k);
        if (was == 0xffffffffu || was == k) {
            atomicAdd(count + h, 1u);
            return;
        }
        h = (h + 1) & mask;
    }
}

static void test_hash()
{
    const int n = 1200000;
    const uint32_t cap = 1u << 21, domain = 1100000, bias = 1700001;
    Rng r(77);
    std::vector<uint32_t> keys(n), ref(domain, 0);
    for (auto& k : keys) {
        uint32_t id = r.below(8) ? r.below(domain) : r.below(domain / 64);
        ++ref[id];
        k = id * 3 + bias;
    }
    Buf<uint32_t> dk(keys), ds(cap), dc(cap);
    four(
        [&] {
            ds.fill(0xff);
            dc.fill(0);
        },
        [&] { hash_insert_count<<<cdiv(n, 192), 192>>>(dk.p, n, ds.p, dc.p, cap - 1); });
    auto s = ds.get(), c = dc.get();
    bool ok = true;
    size_t total = 0;
    for (uint32_t i = 0; i < cap && ok; ++i) {
        if (s[i] == 0xffffffffu) {
            ok = c[i] == 0;
            continue;
        }
        uint32_t d = s[i] - bias;
        if (s[i] < bias || d % 3 || d / 3 >= domain) {
            ok = false;
            break;
        }
        ok = ref[d / 3] == c[i] && c[i] != 0;
        ref[d / 3] = 0;  // a key that shows up twice fails the second time
        total += c[i];
    }
    report("hash_insert_count", ok && total == (size_t)n);
}

// ------------------------------------------------------------------ 8. CAS: push on linked lists

__global__ void list_push_cas(const int* __restrict__ bucket, int n, int* head, int* next)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        int* h = head + bucket[i];
        int seen = *h, expect;
        do {
            expect = seen;
            next[i] = expect;
            seen = atomicCAS(h, expect, i);
        } while (seen != expect);
    }
}

static void test_list()
{
    const int n = 1000000, nb = 49157;
    Rng r(88);
    std::vector<int> bucket(n);
    for (auto& b : bucket)
        b = std::min((int)(std::pow((double)r.uni(), 1.25) * nb), nb - 1);
    Buf<int> db(bucket), dh(nb), dn(n);
    four([&] { dh.fill(0xff); dn.fill(0xff); },
         [&] { list_push_cas<<<132 * 8, 256>>>(db.p, n, dh.p, dn.p); });
    auto head = dh.get(), next = dn.get();
    std::vector<unsigned char> mark(n, 0);
    bool ok = true;
    int visited = 0;
    for (int b = 0; b < nb && ok; ++b)
        for (int i = head[b]; i != -1; i = next[i]) {
            if (i < 0 || i >= n || mark[i] || bucket[i] != b) {
                ok = false;
                break;
            }
            mark[i] = 1;
            ++visited;
        }
    report("list_push_cas", ok && visited == n);
}

// ------------------------------------------------------------------ 9. CAS: float maximum per cell

__global__ void cell_fmax_cas(const float2* __restrict__ rec, int n, float* best)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float2 q = rec[i];  // x: the value, y: the cell, as integer bits
    int* addr = reinterpret_cast<int*>(best + __float_as_int(q.y));
    int old = *addr;
    while (q.x > __int_as_float(old)) {
        int expect = old;
        old = atomicCAS(addr, expect, __float_as_int(q.x));
        if (old == expect) break;
    }
}

static void test_fmax()
{
    const int n = 3000000, cells = 9001;
    Rng r(99);
    std::vector<float2> rec(n);
    std::vector<float> ref(cells, -std::numeric_limits<float>::infinity());
    Buf<float> dinit(ref), db(cells);
    for (auto& q : rec) {
        int c = (int)r.below(cells);
        q.x = r.bell() * 3.0f - 5.0f + (float)(c % 17) * 0.25f;
        std::memcpy(&q.y, &c, 4);
        ref[c] = std::max(ref[c], q.x);
    }
    Buf<float2> dr(rec);
    four([&] { db.copy(dinit); }, [&] { cell_fmax_cas<<<cdiv(n, 512), 512>>>(dr.p, n, db.p); });
    report("cell_fmax_cas", db.get() == ref);
}

// ------------------------------------------------------------------ 10. integer atomics, hot addresses

__global__ void station_stats_int(const int2* __restrict__ ev, int n, int* sum, int* top,
                                  unsigned* seen)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int2 e = ev[i];
    atomicAdd(sum + e.x, e.y);
    atomicMax(top + e.x, e.y);
    atomicOr(seen + e.x, 1u << (e.y & 31));
}

static void test_int_atomics()
{
    const int n = 800000, ns = 1500;
    Rng r(110);
    std::vector<int2> ev(n);
    std::vector<int> sum(ns, 0), top(ns, INT32_MIN);
    std::vector<unsigned> seen(ns, 0);
    Buf<int> dtop0(top), dsum(ns), dtop(ns);
    Buf<unsigned> dseen(ns);
    for (auto& e : ev) {
        float u = r.uni();
        e.x = std::min((int)(std::pow(u, 1.6f) * ns), ns - 1);
        e.y = (int)(r.bell() * 40.0f) - 10 + e.x % 7;
        sum[e.x] += e.y;
        top[e.x] = std::max(top[e.x], e.y);
        seen[e.x] |= 1u << (e.y & 31);
    }
    Buf<int2> de(ev);
    four(
        [&] {
            dsum.fill(0);
            dseen.fill(0);
            dtop.copy(dtop0);
        },
        [&] { station_stats_int<<<cdiv(n, 256), 256>>>(de.p, n, dsum.p, dtop.p, dseen.p); });
    report("station_stats_int", dsum.get() == sum && dtop.get() == top && dseen.get() == seen);
}

// ------------------------------------------------------------------ 11. double atomics, low contention

__global__ void cell_energy_f64(const float4* __restrict__ vm, const int* __restrict__ cell, int n,
                                double* __restrict__ energy)
{
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        float4 p = vm[i];
        double vx = p.x, vy = p.y, vz = p.z;
        atomicAdd(energy + cell[i], 0.5 * (double)p.w * (vx * vx + vy * vy + vz * vz));
    }
}

static void test_double_atomics()
{
    const int n = 2000003, cells = 140000;
    Rng r(121);
    std::vector<float4> vm(n);
    std::vector<int> cell(n);
    std::vector<double> ref(cells, 0.0);
    for (int i = 0; i < n; ++i) {
        vm[i] = make_float4(r.bell(), r.bell(), r.bell(), 0.5f + r.uni());
        cell[i] = (int)r.below(cells);
        double vx = vm[i].x, vy = vm[i].y, vz = vm[i].z;
        ref[cell[i]] += 0.5 * (double)vm[i].w * (vx * vx + vy * vy + vz * vz);
    }
    Buf<float4> dv(vm);
    Buf<int> dc(cell);
    Buf<double> de(cells);
    four([&] { de.fill(0); },
         [&] { cell_energy_f64<<<132 * 4, 384>>>(dv.p, dc.p, n, de.p); });
    auto e = de.get();
    bool ok = true;
    for (int i = 0; i < cells && ok; ++i) ok = close_to(e[i], ref[i], 1e-11, 1e-11);
    report("cell_energy_f64", ok);
}

// ------------------------------------------------------------------ 12. float atomics, clustered deposit

__global__ void deposit_cic_f32(const float* __restrict__ px, const float* __restrict__ py,
                                const float* __restrict__ q, int n, float* __restrict__ rho,
                                int pitch)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = px[i], y = py[i], c = q[i];
    float fx = floorf(x), fy = floorf(y);
    float ax = x - fx, ay = y - fy;
    float* g = rho + (int)fy * pitch + (int)fx;
    atomicAdd(g, c * (1.0f - ax) * (1.0f - ay));
    atomicAdd(g + 1, c * ax * (1.0f - ay));
    atomicAdd(g + pitch, c * (1.0f - ax) * ay);
    atomicAdd(g + pitch + 1, c * ax * ay);
}

static void test_float_atomics()
{
    const int n = 900000, w = 512;
    Rng r(132);
    std::vector<float> px(n), py(n), q(n);
    std::vector<double> ref((size_t)w * w, 0.0);
    for (int i = 0; i < n; ++i) {
        bool beam = r.below(3) != 0;
        float x = beam ? 200.0f + 45.0f * r.bell() : 510.0f * r.uni();
        float y = beam ? 300.0f + 30.0f * r.bell() : 510.0f * r.uni();
        px[i] = std::min(std::max(x, 0.0f), 510.0f);
        py[i] = std::min(std::max(y, 0.0f), 510.0f);
        q[i] = 0.25f + r.uni();
        int ix = (int)std::floor(px[i]), iy = (int)std::floor(py[i]);
        double ax = px[i] - ix, ay = py[i] - iy;
        double* g = &ref[(size_t)iy * w + ix];
        g[0] += q[i] * (1 - ax) * (1 - ay);
        g[1] += q[i] * ax * (1 - ay);
        g[w] += q[i] * (1 - ax) * ay;
        g[w + 1] += q[i] * ax * ay;
    }
    Buf<float> dx(px), dy(py), dq(q), dr((size_t)w * w);
    four([&] { dr.fill(0); },
         [&] { deposit_cic_f32<<<cdiv(n, 128), 128>>>(dx.p, dy.p, dq.p, n, dr.p, w); });
    auto h = dr.get();
    bool ok = true;
    for (size_t i = 0; i < h.size() && ok; ++i) ok = close_to(h[i], ref[i], 1e-4, 1e-4);
    report("deposit_cic_f32", ok);
}

// ------------------------------------------------------------------ 13. bitonic sort of tiles

__global__ void __launch_bounds__(1024) bitonic_tile2048(uint32_t* __restrict__ data)
{
    __shared__ uint32_t s[2048];
    const int t = threadIdx.x;
    uint32_t* tile = data + (size_t)blockIdx.x * 2048;
    s[t] = tile[t];
    s[t + 1024] = tile[t + 1024];
    for (int k = 2; k <= 2048; k <<= 1) {
        for (int j = k >> 1; j > 0; j >>= 1) {
            __syncthreads();
            const int i = 2 * t - (t & (j - 1));
            const bool up = (i & k) == 0;
            const uint32_t a = s[i], b = s[i + j];
            if ((a > b) == up) {
                s[i] = b;
                s[i + j] = a;
            }
        }
    }
    __syncthreads();
    tile[t] = s[t];
    tile[t + 1024] = s[t + 1024];
}

static void test_bitonic()
{
    const int tiles = 1056, n = tiles * 2048;
    Rng r(143);
    std::vector<uint32_t> v(n);
    for (auto& e : v) e = r.below(16) ? r.u32() : r.below(1000);
    Buf<uint32_t> d0(v), d(n);
    four([&] { d.copy(d0); }, [&] { bitonic_tile2048<<<tiles, 1024>>>(d.p); });
    for (int b = 0; b < tiles; ++b) std::sort(v.begin() + b * 2048, v.begin() + (b + 1) * 2048);
    report("bitonic_tile2048", d.get() == v);
}

// ------------------------------------------------------------------ 14. radix pass: rank and scatter

constexpr int kRadThreads = 256, kRadItems = 8, kRadTile = kRadThreads * kRadItems;

__global__ void __launch_bounds__(kRadThreads)
    radix_rank_scatter(const uint32_t* __restrict__ key, const uint32_t* __restrict__ val,
                       const int* __restrict__ tile_off, int ntiles, int shift,
                       uint32_t* __restrict__ okey, uint32_t* __restrict__ oval)
{
    __shared__ int cnt[kRadThreads / 32][16];
    __shared__ int first[kRadThreads / 32][16];
    const int t = threadIdx.x, warp = t >> 5, lane = t & 31;
    if (t < (kRadThreads / 32) * 16) (&cnt[0][0])[t] = 0;
    __syncthreads();

    const int base = blockIdx.x * kRadTile + warp * 32 * kRadItems + lane;
    uint32_t k[kRadItems];
    int rank[kRadItems];
#pragma unroll
    for (int j = 0; j < kRadItems; ++j) k[j] = key[base + j * 32];
#pragma unroll
    for (int j = 0; j < kRadItems; ++j) {
        const int d = (k[j] >> shift) & 15;
        const unsigned peers = __match_any_sync(kFull, d);
        const int before = __popc(peers & ((1u << lane) - 1u));
        const int sofar = cnt[warp][d];
        rank[j] = sofar + before;
        __syncwarp();
        if (before == 0) cnt[warp][d] = sofar + __popc(peers);
        __syncwarp();
    }
    __syncthreads();
    if (t < 16) {
        int run = tile_off[t * ntiles + blockIdx.x];
        for (int w = 0; w < kRadThreads / 32; ++w) {
            first[w][t] = run;
            run += cnt[w][t];
        }
    }
    __syncthreads();
#pragma unroll
    for (int j = 0; j < kRadItems; ++j) {
        const int dst = first[warp][(k[j] >> shift) & 15] + rank[j];
        okey[dst] = k[j];
        oval[dst] = val[base + j * 32];
    }
}

static void test_radix()
{
    const int ntiles = 1901, n = ntiles * kRadTile, shift = 8;
    Rng r(154);
    std::vector<uint32_t> key(n), val(n), rk(n), rv(n);
    for (int i = 0; i < n; ++i) {
        key[i] = (uint32_t)std::fabs(r.bell() * 1500.0f) ^ (r.u32() & 0xffff00ffu);
        val[i] = (uint32_t)i;
    }
    std::vector<int> off(16 * ntiles, 0);
    for (int i = 0; i < n; ++i) ++off[((key[i] >> shift) & 15) * ntiles + i / kRadTile];
    int run = 0;
    for (auto& o : off) {
        int c = o;
        o = run;
        run += c;
    }
    int cursor[16];
    for (int d = 0; d < 16; ++d) cursor[d] = off[d * ntiles];
    for (int i = 0; i < n; ++i) {
        int p = cursor[(key[i] >> shift) & 15]++;
        rk[p] = key[i];
        rv[p] = val[i];
    }
    Buf<uint32_t> dk(key), dv(val), dok(n), dov(n);
    Buf<int> doff(off);
    four([&] {
        radix_rank_scatter<<<ntiles, kRadThreads>>>(dk.p, dv.p, doff.p, ntiles, shift, dok.p,
                                                    dov.p);
    });
    report("radix_rank_scatter", dok.get() == rk && dov.get() == rv);
}

// ------------------------------------------------------------------ 15. merge of sorted runs, merge path

__device__ __forceinline__ int merge_split(const uint32_t* a, int na, const uint32_t* b, int nb,
                                           int diag)
{
    int lo = max(0, diag - nb), hi = min(diag, na);
    while (lo < hi) {
        int mid = (lo + hi) >> 1;
        if (a[mid] <= b[diag - 1 - mid]) lo = mid + 1;
        else hi = mid;
    }
    return lo;
}

__global__ void __launch_bounds__(128)
    merge_path_pairs(const uint32_t* __restrict__ in, uint32_t* __restrict__ out, int len)
{
    __shared__ uint32_t s[1024];
    __shared__ int split[2];
    const int t = threadIdx.x;
    const uint32_t* a = in + (size_t)blockIdx.y * 2 * len;
    const uint32_t* b = a + len;
    const int d0 = blockIdx.x * 1024;
    if (t < 2) split[t] = merge_split(a, len, b, len, d0 + t * 1024);
    __syncthreads();
    const int a0 = split[0], na = split[1] - a0, b0 = d0 - a0, nb = 1024 - na;
#pragma unroll
    for (int i = t; i < 1024; i += 128) s[i] = i < na ? a[a0 + i] : b[b0 + i - na];
    __syncthreads();
    int ia = merge_split(s, na, s + na, nb, t * 8);
    int ib = t * 8 - ia;
    uint32_t r[8];
#pragma unroll
    for (int q = 0; q < 8; ++q) {
        bool from_a = ib >= nb || (ia < na && s[ia] <= s[na + ib]);
        r[q] = from_a ? s[ia] : s[na + ib];
        if (from_a) ++ia;
        else ++ib;
    }
    uint4* o = reinterpret_cast<uint4*>(out + (size_t)blockIdx.y * 2 * len + d0 + t * 8);
    o[0] = make_uint4(r[0], r[1], r[2], r[3]);
    o[1] = make_uint4(r[4], r[5], r[6], r[7]);
}

static void test_merge()
{
    const int len = 1 << 16, pairs = 40;
    const size_t n = (size_t)2 * len * pairs;
    Rng r(165);
    std::vector<uint32_t> v(n), ref(n);
    // sorted runs made by random increments, with different densities, so that splits are uneven
    for (int run = 0; run < 2 * pairs; ++run) {
        uint32_t x = r.below(1u << 20), step = 20 + r.below(400);
        for (int i = 0; i < len; ++i) {
            v[(size_t)run * len + i] = x;
            x += r.below(step);
        }
    }
    for (int p = 0; p < pairs; ++p) {
        auto a = v.begin() + (size_t)p * 2 * len;
        std::merge(a, a + len, a + len, a + 2 * len, ref.begin() + (size_t)p * 2 * len);
    }
    Buf<uint32_t> din(v), dout(n);
    four([&] { merge_path_pairs<<<dim3(2 * len / 1024, pairs), 128>>>(din.p, dout.p, len); });
    report("merge_path_pairs", dout.get() == ref);
}

// ------------------------------------------------------------------ 16. triad, one word a thread

__global__ void triad_words(uint32_t* __restrict__ a, const uint32_t* __restrict__ b,
                            const uint32_t* __restrict__ c, uint32_t s, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = b[i] + s * c[i];
}

static void test_triad_words()
{
    const int n = 9000011;
    Rng r(176);
    std::vector<uint32_t> b(n), c(n);
    for (int i = 0; i < n; ++i) {
        b[i] = r.u32();
        c[i] = r.u32();
    }
    Buf<uint32_t> da(n), db(b), dc(c);
    four([&] { triad_words<<<cdiv(n, 192), 192>>>(da.p, db.p, dc.p, 2891u, n); });
    auto a = da.get();
    bool ok = true;
    for (int i = 0; i < n && ok; ++i) ok = a[i] == b[i] + 2891u * c[i];
    report("triad_words", ok);
}

// ------------------------------------------------------------------ 17. triad, float4, grid stride

__global__ void __launch_bounds__(512) triad_float4(float4* __restrict__ a,
                                                    const float4* __restrict__ b,
                                                    const float4* __restrict__ c, float s, int n4)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n4; i += gridDim.x * blockDim.x) {
        float4 x = b[i], y = c[i];
        x.x = fmaf(s, y.x, x.x);
        x.y = fmaf(s, y.y, x.y);
        x.z = fmaf(s, y.z, x.z);
        x.w = fmaf(s, y.w, x.w);
        a[i] = x;
    }
}

static bool triad_ok(float a, float b, float c, float s)
{
    double e = (double)b + (double)s * c;
    return std::fabs(a - e) <= 1e-6 * (std::fabs(b) + std::fabs((double)s * c)) + 1e-12;
}

static void test_triad_float4()
{
    const int n4 = 3000000;
    Rng r(187);
    std::vector<float4> b(n4), c(n4);
    for (int i = 0; i < n4; ++i) {
        b[i] = make_float4(r.uni(), r.uni(), r.uni(), r.uni());
        c[i] = make_float4(r.uni(), r.uni(), r.uni(), r.uni());
    }
    Buf<float4> da(n4), db(b), dc(c);
    const float s = -1.75f;
    four([&] { triad_float4<<<132 * 4, 512>>>(da.p, db.p, dc.p, s, n4); });
    auto a = da.get();
    bool ok = true;
    for (int i = 0; i < n4 && ok; ++i)
        ok = triad_ok(a[i].x, b[i].x, c[i].x, s) && triad_ok(a[i].y, b[i].y, c[i].y, s) &&
             triad_ok(a[i].z, b[i].z, c[i].z, s) && triad_ok(a[i].w, b[i].w, c[i].w, s);
    report("triad_float4", ok);
}

// ------------------------------------------------------------------ 18. triad, one block an SM

constexpr int kStage = 5120;  // float4 a stream and tile: 80 KiB each, 160 KiB in all

__global__ void __launch_bounds__(256, 1)
    triad_staged_lowocc(float4* __restrict__ a, const float4* __restrict__ b,
                        const float4* __restrict__ c, float s, int ntiles)
{
    extern __shared__ float4 stage[];
    float4* sb = stage;
    float4* sc = stage + kStage;
    for (int tile = blockIdx.x; tile < ntiles; tile += gridDim.x) {
        const size_t o = (size_t)tile * kStage;
#pragma unroll 4
        for (int i = threadIdx.x; i < kStage; i += 256) {
            sb[i] = b[o + i];
            sc[i] = c[o + i];
        }
        __syncthreads();
#pragma unroll 4
        for (int i = threadIdx.x; i < kStage; i += 256) {
            float4 x = sb[i], y = sc[kStage - 1 - i];  // c is taken back to front within a tile
            a[o + i] = make_float4(x.x + s * y.x, x.y + s * y.y, x.z + s * y.z, x.w + s * y.w);
        }
        __syncthreads();
    }
}

static void test_triad_lowocc()
{
    const int ntiles = 396, n4 = ntiles * kStage;
    Rng r(198);
    std::vector<float4> b(n4), c(n4);
    for (int i = 0; i < n4; ++i) {
        b[i] = make_float4(r.uni(), r.uni(), r.uni(), r.uni());
        c[i] = make_float4(r.uni(), r.uni(), r.uni(), r.uni());
    }
    Buf<float4> da(n4), db(b), dc(c);
    const int smem = 2 * kStage * (int)sizeof(float4);
    const float s = 0.625f;
    CK(cudaFuncSetAttribute(triad_staged_lowocc, cudaFuncAttributeMaxDynamicSharedMemorySize,
                            smem));
    four([&] { triad_staged_lowocc<<<132, 256, smem>>>(da.p, db.p, dc.p, s, ntiles); });
    auto a = da.get();
    bool ok = true;
    for (int i = 0; i < n4 && ok; ++i) {
        int o = i / kStage * kStage;
        float4 x = b[i], y = c[o + kStage - 1 - (i - o)];
        ok = triad_ok(a[i].x, x.x, y.x, s) && triad_ok(a[i].y, x.y, y.y, s) &&
             triad_ok(a[i].z, x.z, y.z, s) && triad_ok(a[i].w, x.w, y.w, s);
    }
    report("triad_staged_lowocc", ok);
}

// ------------------------------------------------------------------ 19. reduction: dot product, shared tree

template <int THREADS>
__global__ void dot_tree_f64(const double* __restrict__ x, const double* __restrict__ w, int n,
                             double* __restrict__ partial)
{
    __shared__ double s[THREADS];
    double acc = 0.0;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS)
        acc += x[i] * w[i];
    s[threadIdx.x] = acc;
    __syncthreads();
    for (int h = THREADS / 2; h > 0; h >>= 1) {
        if (threadIdx.x < h) s[threadIdx.x] += s[threadIdx.x + h];
        __syncthreads();
    }
    if (threadIdx.x == 0) partial[blockIdx.x] = s[0];
}

static void test_dot()
{
    const int n = 4500007, blocks = 396, threads = 512;
    Rng r(209);
    std::vector<double> x(n), w(n), ref(blocks, 0.0), mag(blocks, 0.0);
    for (int i = 0; i < n; ++i) {
        x[i] = r.bell();
        w[i] = r.uni();
        double t = x[i] * w[i];
        ref[(i / threads) % blocks] += t;
        mag[(i / threads) % blocks] += std::fabs(t);
    }
    Buf<double> dx(x), dw(w), dp(blocks);
    four([&] { dot_tree_f64<threads><<<blocks, threads>>>(dx.p, dw.p, n, dp.p); });
    auto p = dp.get();
    bool ok = true;
    for (int b = 0; b < blocks && ok; ++b) ok = std::fabs(p[b] - ref[b]) <= 1e-11 * mag[b];
    report("dot_tree_f64", ok);
}

// ------------------------------------------------------------------ 20. reduction: argmin, shuffles

__host__ __device__ static inline ull pack_min(uint32_t bits, uint32_t index)
{
    // order-preserving map of float bits to unsigned
    uint32_t u = (bits & 0x80000000u) ? ~bits : (bits | 0x80000000u);
    return ((ull)u << 32) | index;
}

__global__ void __launch_bounds__(384) argmin_shuffle(const float4* __restrict__ v, int n4,
                                                      ull* __restrict__ result)
{
    __shared__ ull ws[12];
    ull best = ~0ull;
    for (int i = blockIdx.x * 384 + threadIdx.x; i < n4; i += gridDim.x * 384) {
        float4 q = v[i];
        best = min(best, pack_min(__float_as_uint(q.x), 4u * i));
        best = min(best, pack_min(__float_as_uint(q.y), 4u * i + 1));
        best = min(best, pack_min(__float_as_uint(q.z), 4u * i + 2));
        best = min(best, pack_min(__float_as_uint(q.w), 4u * i + 3));
    }
    for (int o = 16; o > 0; o >>= 1) best = min(best, __shfl_xor_sync(kFull, best, o));
    if ((threadIdx.x & 31) == 0) ws[threadIdx.x >> 5] = best;
    __syncthreads();
    if (threadIdx.x < 32) {
        best = threadIdx.x < 12 ? ws[threadIdx.x] : ~0ull;
        for (int o = 8; o > 0; o >>= 1) best = min(best, __shfl_down_sync(kFull, best, o));
        if (threadIdx.x == 0) atomicMin(result, best);
    }
}

static void test_argmin()
{
    const int n4 = 3500001;
    Rng r(220);
    std::vector<float4> v(n4);
    ull ref = ~0ull;
    for (int i = 0; i < n4; ++i) {
        float q[4];
        for (int c = 0; c < 4; ++c) {
            q[c] = r.bell() * 100.0f;
            uint32_t bits;
            std::memcpy(&bits, &q[c], 4);
            ref = std::min(ref, pack_min(bits, 4u * i + c));
        }
        v[i] = make_float4(q[0], q[1], q[2], q[3]);
    }
    Buf<float4> dv(v);
    Buf<ull> dr(1);
    four([&] { dr.fill(0xff); }, [&] { argmin_shuffle<<<132 * 5, 384>>>(dv.p, n4, dr.p); });
    report("argmin_shuffle", dr.get()[0] == ref);
}

// ------------------------------------------------------------------ 21. softmax, block a row

__global__ void __launch_bounds__(256) softmax_block_row(const float* __restrict__ in,
                                                         float* __restrict__ out, int cols)
{
    __shared__ float red[2][8];
    const int t = threadIdx.x, warp = t >> 5, lane = t & 31;
    const bool live = 4 * t < cols;  // cols is a multiple of 4, at most 1024
    const size_t o = (size_t)blockIdx.x * cols;
    const float lowest = -INFINITY;
    float4 q = make_float4(lowest, lowest, lowest, lowest);
    if (live) q = reinterpret_cast<const float4*>(in + o)[t];
    float m = fmaxf(fmaxf(q.x, q.y), fmaxf(q.z, q.w));
#pragma unroll
    for (int k = 16; k > 0; k >>= 1) m = fmaxf(m, __shfl_xor_sync(kFull, m, k));
    if (lane == 0) red[0][warp] = m;
    __syncthreads();
    m = red[0][0];
#pragma unroll
    for (int k = 1; k < 8; ++k) m = fmaxf(m, red[0][k]);
    q.x = expf(q.x - m);
    q.y = expf(q.y - m);
    q.z = expf(q.z - m);
    q.w = expf(q.w - m);
    float s = (q.x + q.y) + (q.z + q.w);
#pragma unroll
    for (int k = 16; k > 0; k >>= 1) s += __shfl_xor_sync(kFull, s, k);
    if (lane == 0) red[1][warp] = s;
    __syncthreads();
    s = 0.0f;
#pragma unroll
    for (int k = 0; k < 8; ++k) s += red[1][k];
    const float inv = 1.0f / s;
    if (live)
        reinterpret_cast<float4*>(out + o)[t] =
            make_float4(q.x * inv, q.y * inv, q.z * inv, q.w * inv);
}

static void test_softmax()
{
    const int rows = 9000, cols = 1000;
    Rng r(231);
    std::vector<float> x((size_t)rows * cols);
    for (auto& v : x) v = 3.0f * r.bell();
    Buf<float> dx(x), dy(x.size());
    four([&] { softmax_block_row<<<rows, 256>>>(dx.p, dy.p, cols); });
    auto y = dy.get();
    bool ok = true;
    std::vector<float> e(cols);
    for (int i = 0; i < rows && ok; ++i) {
        const float* p = &x[(size_t)i * cols];
        float m = *std::max_element(p, p + cols);
        double s = 0;
        for (int j = 0; j < cols; ++j) {
            e[j] = std::exp(p[j] - m);
            s += e[j];
        }
        for (int j = 0; j < cols && ok; ++j)
            ok = close_to(y[(size_t)i * cols + j], e[j] / s, 2e-5, 1e-12);
    }
    report("softmax_block_row", ok);
}

// ------------------------------------------------------------------ 22. layer norm, warp a row

__device__ __forceinline__ float warp_sum(float v)
{
#pragma unroll
    for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(kFull, v, o);
    return v;
}

__global__ void __launch_bounds__(128)
    layernorm_warp_row(const float4* __restrict__ in, const float4* __restrict__ gamma,
                       const float4* __restrict__ beta, float4* __restrict__ out, int rows)
{
    // 512 columns: four float4 a lane
    const int row = blockIdx.x * 4 + (threadIdx.x >> 5), lane = threadIdx.x & 31;
    if (row >= rows) return;
    const float4* p = in + (size_t)row * 128;
    float4 q[4];
    float s = 0.0f;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        q[k] = p[k * 32 + lane];
        s += q[k].x + q[k].y + q[k].z + q[k].w;
    }
    const float mean = warp_sum(s) * (1.0f / 512.0f);
    float v = 0.0f;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        q[k].x -= mean;
        q[k].y -= mean;
        q[k].z -= mean;
        q[k].w -= mean;
        v += q[k].x * q[k].x + q[k].y * q[k].y + q[k].z * q[k].z + q[k].w * q[k].w;
    }
    const float rstd = rsqrtf(warp_sum(v) * (1.0f / 512.0f) + 1e-5f);
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        const float4 g = __ldg(gamma + k * 32 + lane), b = __ldg(beta + k * 32 + lane);
        out[(size_t)row * 128 + k * 32 + lane] =
            make_float4(q[k].x * rstd * g.x + b.x, q[k].y * rstd * g.y + b.y,
                        q[k].z * rstd * g.z + b.z, q[k].w * rstd * g.w + b.w);
    }
}

static void test_layernorm()
{
    const int rows = 17001, cols = 512;
    Rng r(242);
    std::vector<float4> x((size_t)rows * cols / 4), g(cols / 4), b(cols / 4);
    float* xf = reinterpret_cast<float*>(x.data());
    float* gf = reinterpret_cast<float*>(g.data());
    float* bf = reinterpret_cast<float*>(b.data());
    for (int i = 0; i < rows; ++i) {
        float shift = 2.0f * r.bell(), scale = 0.3f + r.uni();
        for (int j = 0; j < cols; ++j) xf[(size_t)i * cols + j] = shift + scale * r.bell();
    }
    for (int j = 0; j < cols; ++j) {
        gf[j] = 0.5f + r.uni();
        bf[j] = 0.2f * r.bell();
    }
    Buf<float4> dx(x), dg(g), db(b), dy(x.size());
    four([&] { layernorm_warp_row<<<cdiv(rows, 4), 128>>>(dx.p, dg.p, db.p, dy.p, rows); });
    auto y = dy.get();
    const float* yf = reinterpret_cast<const float*>(y.data());
    bool ok = true;
    for (int i = 0; i < rows && ok; ++i) {
        const float* p = xf + (size_t)i * cols;
        double m = 0, v = 0;
        for (int j = 0; j < cols; ++j) m += p[j];
        m /= cols;
        for (int j = 0; j < cols; ++j) v += (p[j] - m) * (p[j] - m);
        double rs = 1.0 / std::sqrt(v / cols + 1e-5);
        for (int j = 0; j < cols && ok; ++j)
            ok = close_to(yf[(size_t)i * cols + j], (p[j] - m) * rs * gf[j] + bf[j], 1e-4, 1e-4);
    }
    report("layernorm_warp_row", ok);
}

// ------------------------------------------------------------------ 23. 5-point stencil, shared tile

__global__ void jacobi5_tile(const float* __restrict__ in, float* __restrict__ out, int nx, int ny,
                             float c0, float c1)
{
    __shared__ float s[10][34];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int x = blockIdx.x * 32 + tx, y = blockIdx.y * 8 + ty;
    const bool inside = x < nx && y < ny;
    const size_t o = (size_t)y * nx + x;
    if (inside) {
        s[ty + 1][tx + 1] = in[o];
        if (tx == 0 && x > 0) s[ty + 1][0] = in[o - 1];
        if (tx == 31 && x + 1 < nx) s[ty + 1][33] = in[o + 1];
        if (ty == 0 && y > 0) s[0][tx + 1] = in[o - nx];
        if (ty == 7 && y + 1 < ny) s[9][tx + 1] = in[o + nx];
    }
    __syncthreads();
    if (!inside) return;
    float v = s[ty + 1][tx + 1];
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1)
        v = c0 * v + c1 * (s[ty + 1][tx] + s[ty + 1][tx + 2] + s[ty][tx + 1] + s[ty + 2][tx + 1]);
    out[o] = v;
}

static void test_jacobi5()
{
    const int nx = 4003, ny = 2500;
    Rng r(253);
    std::vector<float> a((size_t)nx * ny);
    for (int y = 0; y < ny; ++y)
        for (int x = 0; x < nx; ++x)
            a[(size_t)y * nx + x] = 0.001f * (float)(x - y) + 0.5f * r.bell();
    const float c0 = 0.4f, c1 = 0.15f;
    Buf<float> da(a), db(a.size());
    four([&] {
        jacobi5_tile<<<dim3(cdiv(nx, 32), cdiv(ny, 8)), dim3(32, 8)>>>(da.p, db.p, nx, ny, c0, c1);
    });
    auto b = db.get();
    bool ok = true;
    for (int y = 0; y < ny && ok; ++y)
        for (int x = 0; x < nx && ok; ++x) {
            size_t o = (size_t)y * nx + x;
            double v = a[o];
            if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1)
                v = c0 * v + c1 * ((double)a[o - 1] + a[o + 1] + a[o - nx] + a[o + nx]);
            ok = close_to(b[o], v, 1e-5, 1e-5);
        }
    report("jacobi5_tile", ok);
}

// ------------------------------------------------------------------ 24. 7-point 3-D stencil, march in z

__global__ void __launch_bounds__(256) heat7_zmarch(const float* __restrict__ in,
                                                    float* __restrict__ out, int nx, int ny, int nz,
                                                    int chunk, float k)
{
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x < 1 || x >= nx - 1 || y < 1 || y >= ny - 1) return;
    const int z0 = 1 + blockIdx.z * chunk, z1 = min(z0 + chunk, nz - 1);
    const ptrdiff_t plane = (ptrdiff_t)nx * ny;
    ptrdiff_t o = z0 * plane + (ptrdiff_t)y * nx + x;
    float below = in[o - plane], here = in[o];
    for (int z = z0; z < z1; ++z, o += plane) {
        const float above = in[o + plane];
        const float ring = in[o - 1] + in[o + 1] + in[o - nx] + in[o + nx];
        out[o] = here + k * (ring + below + above - 6.0f * here);
        below = here;
        here = above;
    }
}

static void test_heat7()
{
    const int nx = 290, ny = 225, nz = 250, chunk = 31;
    Rng r(264);
    std::vector<float> a((size_t)nx * ny * nz);
    for (size_t i = 0; i < a.size(); ++i) a[i] = 20.0f + 0.01f * (float)(i % nx) + r.bell();
    const float k = 0.12f;
    Buf<float> da(a), db(a.size());
    dim3 grid(cdiv(nx, 32), cdiv(ny, 8), cdiv(nz - 2, chunk));
    four([&] { heat7_zmarch<<<grid, dim3(32, 8)>>>(da.p, db.p, nx, ny, nz, chunk, k); });
    auto b = db.get();
    bool ok = true;
    const size_t plane = (size_t)nx * ny;
    for (int z = 0; z < nz && ok; ++z)
        for (int y = 0; y < ny && ok; ++y)
            for (int x = 0; x < nx && ok; ++x) {
                size_t o = z * plane + (size_t)y * nx + x;
                if (x == 0 || y == 0 || z == 0 || x == nx - 1 || y == ny - 1 || z == nz - 1) {
                    ok = b[o] == 0.0f;
                    continue;
                }
                double h = a[o];
                double v = h + k * ((double)a[o - 1] + a[o + 1] + a[o - nx] + a[o + nx] +
                                    a[o - plane] + a[o + plane] - 6.0 * h);
                ok = close_to(b[o], v, 1e-5, 1e-5);
            }
    report("heat7_zmarch", ok);
}

// ------------------------------------------------------------------ 25. exclusive scan of tiles

__global__ void __launch_bounds__(256) tile_scan_excl(const int4* __restrict__ in,
                                                      int4* __restrict__ out,
                                                      int* __restrict__ total)
{
    __shared__ int ws[8];
    const int t = threadIdx.x, warp = t >> 5, lane = t & 31;
    const int i = blockIdx.x * 256 + t;
    int4 q = in[i];
    const int mine = q.x + q.y + q.z + q.w;
    int inc = mine;
#pragma unroll
    for (int o = 1; o < 32; o <<= 1) {
        int up = __shfl_up_sync(kFull, inc, o);
        if (lane >= o) inc += up;
    }
    if (lane == 31) ws[warp] = inc;
    __syncthreads();
    int base = 0, sum = 0;
#pragma unroll
    for (int w = 0; w < 8; ++w) {
        if (w == warp) base = sum;
        sum += ws[w];
    }
    int4 r;
    r.x = base + inc - mine;
    r.y = r.x + q.x;
    r.z = r.y + q.y;
    r.w = r.z + q.z;
    out[i] = r;
    if (t == 0) total[blockIdx.x] = sum;
}

static void test_scan()
{
    const int tiles = 9000, n4 = tiles * 256;
    Rng r(275);
    std::vector<int4> v(n4), ref(n4);
    std::vector<int> tot(tiles);
    for (auto& q : v)
        q = make_int4((int)r.below(100), (int)r.below(7) - 3, (int)r.below(1000), (int)r.below(2));
    for (int b = 0; b < tiles; ++b) {
        int run = 0;
        for (int i = b * 256; i < (b + 1) * 256; ++i) {
            ref[i].x = run;
            run += v[i].x;
            ref[i].y = run;
            run += v[i].y;
            ref[i].z = run;
            run += v[i].z;
            ref[i].w = run;
            run += v[i].w;
        }
        tot[b] = run;
    }
    Buf<int4> dv(v), dout(n4);
    Buf<int> dt(tiles);
    four([&] { tile_scan_excl<<<tiles, 256>>>(dv.p, dout.p, dt.p); });
    auto h = dout.get();
    report("tile_scan_excl", dt.get() == tot &&
                                 std::memcmp(h.data(), ref.data(), h.size() * sizeof(int4)) == 0);
}

// ------------------------------------------------------------------ 26. stream compaction

__global__ void __launch_bounds__(512) compact_over_threshold(const float4* __restrict__ v, int n4,
                                                              float thr, uint32_t* __restrict__ out,
                                                              unsigned* count)
{
    __shared__ unsigned ws[16];
    __shared__ unsigned block_base;
    const int t = threadIdx.x, warp = t >> 5, lane = t & 31;
    const int i = blockIdx.x * 512 + t;
    const float low = -INFINITY;
    float4 q = make_float4(low, low, low, low);
    if (i < n4) q = v[i];
    const unsigned m0 = __ballot_sync(kFull, q.x > thr), m1 = __ballot_sync(kFull, q.y > thr);
    const unsigned m2 = __ballot_sync(kFull, q.z > thr), m3 = __ballot_sync(kFull, q.w > thr);
    if (lane == 0) ws[warp] = __popc(m0) + __popc(m1) + __popc(m2) + __popc(m3);
    __syncthreads();
    if (warp == 0) {
        const unsigned own = lane < 16 ? ws[lane] : 0u;
        unsigned inc = own;
#pragma unroll
        for (int o = 1; o < 16; o <<= 1) {
            unsigned up = __shfl_up_sync(kFull, inc, o);
            if (lane >= o) inc += up;
        }
        if (lane == 15) block_base = atomicAdd(count, inc);
        if (lane < 16) ws[lane] = inc - own;
    }
    __syncthreads();
    const unsigned lt = (1u << lane) - 1u;
    unsigned p = block_base + ws[warp];
    if (q.x > thr) out[p + __popc(m0 & lt)] = 4u * i;
    p += __popc(m0);
    if (q.y > thr) out[p + __popc(m1 & lt)] = 4u * i + 1;
    p += __popc(m1);
    if (q.z > thr) out[p + __popc(m2 & lt)] = 4u * i + 2;
    p += __popc(m2);
    if (q.w > thr) out[p + __popc(m3 & lt)] = 4u * i + 3;
}

static void test_compact()
{
    const int n4 = 3000017;
    Rng r(286);
    std::vector<float4> v(n4);
    const float thr = 0.5f;
    size_t want = 0;
    for (int i = 0; i < n4; ++i) {
        float wave = 0.4f * std::sin((float)i * 1e-4f);
        v[i] = make_float4(r.bell() + wave, r.bell() + wave, r.bell() + wave, r.bell() + wave);
        want += (v[i].x > thr) + (v[i].y > thr) + (v[i].z > thr) + (v[i].w > thr);
    }
    Buf<float4> dv(v);
    Buf<uint32_t> dout((size_t)n4 * 4);
    Buf<unsigned> dc(1);
    four([&] { dc.fill(0); },
         [&] { compact_over_threshold<<<cdiv(n4, 512), 512>>>(dv.p, n4, thr, dout.p, dc.p); });
    bool ok = dc.get()[0] == want;
    if (ok) {
        auto h = dout.get();
        const float* f = reinterpret_cast<const float*>(v.data());
        std::vector<unsigned char> mark((size_t)n4 * 4, 0);
        for (size_t k = 0; k < want && ok; ++k) {
            uint32_t i = h[k];
            ok = i < (uint32_t)n4 * 4u && !mark[i] && f[i] > thr;
            if (ok) mark[i] = 1;
        }
    }
    report("compact_over_threshold", ok);
}

// ------------------------------------------------------------------ 27. escape time, Julia set

__host__ __device__ static inline int julia_count(float zx, float zy, float cx, float cy, int limit)
{
    // every multiply-add is spelled out, so that host and device agree to the bit
    int it = 0;
    while (it < limit) {
        const float yy = zy * zy;
        if (fmaf(zx, zx, yy) > 4.0f) break;
        const float nx = fmaf(zx, zx, fmaf(-zy, zy, cx));
        zy = fmaf(zx + zx, zy, cy);
        zx = nx;
        ++it;
    }
    return it;
}

__global__ void julia_escape(uint16_t* __restrict__ img, int w, int h, float x0, float y0, float d,
                             float cx, float cy, int limit)
{
    const int px = blockIdx.x * blockDim.x + threadIdx.x;
    const int py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= w || py >= h) return;
    img[(size_t)py * w + px] =
        (uint16_t)julia_count(fmaf((float)px, d, x0), fmaf((float)py, d, y0), cx, cy, limit);
}

static void test_julia()
{
    const int w = 1600, h = 1000, limit = 400;
    const float x0 = -1.6f, y0 = -1.0f, d = 0.002f, cx = -0.8f, cy = 0.156f;
    Buf<uint16_t> di((size_t)w * h);
    four([&] {
        julia_escape<<<dim3(cdiv(w, 16), cdiv(h, 16)), dim3(16, 16)>>>(di.p, w, h, x0, y0, d, cx,
                                                                       cy, limit);
    });
    auto img = di.get();
    bool ok = true;
    for (int y = 0; y < h && ok; ++y)
        for (int x = 0; x < w && ok; ++x)
            ok = img[(size_t)y * w + x] == julia_count(fmaf((float)x, d, x0),
                                                       fmaf((float)y, d, y0), cx, cy, limit);
    report("julia_escape", ok);
}

// ------------------------------------------------------------------ 28. linear congruence walk

__host__ __device__ static inline uint32_t lcg_run(uint32_t x, int steps)
{
    uint32_t acc = x ^ 0x5bd1e995u;
    for (int k = 0; k < steps; ++k) {
        x = x * 1664525u + 1013904223u;
        const uint32_t rot = ((acc << 3) | (acc >> 29)) ^ x;
        const uint32_t add = acc + (x >> 16);
        acc = (x & 0x00080000u) ? add : rot;
    }
    return acc;
}

__global__ void lcg_walk(const uint32_t* __restrict__ seed, const uint16_t* __restrict__ steps,
                         uint32_t* __restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = lcg_run(seed[i], steps[i]);
}

static void test_lcg()
{
    const int n = 400000;
    Rng r(308);
    std::vector<uint32_t> seed(n), ref(n);
    std::vector<uint16_t> steps(n);
    for (int i = 0; i < n; ++i) {
        seed[i] = r.u32();
        steps[i] = (uint16_t)(128 + r.below(320));
        ref[i] = lcg_run(seed[i], steps[i]);
    }
    Buf<uint32_t> ds(seed), dout(n);
    Buf<uint16_t> dst(steps);
    four([&] { lcg_walk<<<cdiv(n, 96), 96>>>(ds.p, dst.p, dout.p, n); });
    report("lcg_walk", dout.get() == ref);
}

// ------------------------------------------------------------------ 29. texture, 2-D bilinear

__global__ void tex2d_shear_blur(cudaTextureObject_t tex, float* __restrict__ out, int w, int h)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    // offsets are multiples of 1/16, which the filter's 8-bit weights hold exactly
    const float u = (float)x + 0.5f + 0.0625f * (float)(y & 15);
    const float v = (float)y + 0.5f + 0.125f * (float)((x >> 3) & 7);
    out[(size_t)y * w + x] = 0.5f * tex2D<float>(tex, u, v) +
                             0.25f * (tex2D<float>(tex, u - 2.0f, v) + tex2D<float>(tex, u + 2.0f, v));
}

static void test_texture()
{
    const int w = 2048, h = 2000;
    Rng r(319);
    std::vector<float> img((size_t)w * h);
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x)
            img[(size_t)y * w + x] = 0.0002f * (float)(x + 2 * y) + 0.3f * r.bell();
    cudaChannelFormatDesc fmt = cudaCreateChannelDesc<float>();
    cudaArray_t arr = nullptr;
    CK(cudaMallocArray(&arr, &fmt, w, h));
    CK(cudaMemcpy2DToArray(arr, 0, 0, img.data(), w * sizeof(float), w * sizeof(float), h,
                           cudaMemcpyHostToDevice));
    cudaResourceDesc res;
    std::memset(&res, 0, sizeof(res));
    res.resType = cudaResourceTypeArray;
    res.res.array.array = arr;
    cudaTextureDesc td;
    std::memset(&td, 0, sizeof(td));
    td.addressMode[0] = cudaAddressModeClamp;
    td.addressMode[1] = cudaAddressModeClamp;
    td.filterMode = cudaFilterModeLinear;
    td.readMode = cudaReadModeElementType;
    td.normalizedCoords = 0;
    cudaTextureObject_t tex = 0;
    CK(cudaCreateTextureObject(&tex, &res, &td, nullptr));
    Buf<float> dout((size_t)w * h);
    four([&] {
        tex2d_shear_blur<<<dim3(cdiv(w, 32), cdiv(h, 4)), dim3(32, 4)>>>(tex, dout.p, w, h);
    });
    auto o = dout.get();
    CK(cudaDestroyTextureObject(tex));
    CK(cudaFreeArray(arr));
    auto texel = [&](int x, int y) -> double {
        x = std::min(std::max(x, 0), w - 1);
        y = std::min(std::max(y, 0), h - 1);
        return img[(size_t)y * w + x];
    };
    auto tap = [&](int x, int y, double fx, double fy) {
        return (1 - fy) * ((1 - fx) * texel(x, y) + fx * texel(x + 1, y)) +
               fy * ((1 - fx) * texel(x, y + 1) + fx * texel(x + 1, y + 1));
    };
    bool ok = true;
    for (int y = 0; y < h && ok; ++y)
        for (int x = 0; x < w && ok; ++x) {
            double fx = (y & 15) / 16.0, fy = ((x >> 3) & 7) / 8.0;
            double e = 0.5 * tap(x, y, fx, fy) +
                       0.25 * (tap(x - 2, y, fx, fy) + tap(x + 2, y, fx, fy));
            ok = close_to(o[(size_t)y * w + x], e, 1e-3, 1e-3);
        }
    report("tex2d_shear_blur", ok);
}

// ------------------------------------------------------------------ main

int main()
{
    test_gather();
    test_spmv_csr();
    test_spmv_ell();
    test_hist_global();
    test_hist_shared();
    test_bfs();
    test_hash();
    test_list();
    test_fmax();
    test_int_atomics();
    test_double_atomics();
    test_float_atomics();
    test_bitonic();
    test_radix();
    test_merge();
    test_triad_words();
    test_triad_float4();
    test_triad_lowocc();
    test_dot();
    test_argmin();
    test_softmax();
    test_layernorm();
    test_jacobi5();
    test_heat7();
    test_scan();
    test_compact();
    test_julia();
    test_lcg();
    test_texture();
    return g_bad ? 1 : 0;
}
