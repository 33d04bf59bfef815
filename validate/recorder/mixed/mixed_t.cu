// A mixed bag of small scientific kernels, each checked against the host.
#include <cuda_runtime.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#define CHECK(call)                                                              \
    do {                                                                         \
        cudaError_t err_ = (call);                                               \
        if (err_ != cudaSuccess) {                                               \
            fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__,                    \
                    cudaGetErrorString(err_));                                   \
            exit(1);                                                             \
        }                                                                        \
    } while (0)

constexpr int kLaunches = 4;
typedef unsigned long long u64;

template <class T>
using Vec = std::vector<T>;

template <class T>
struct Dev {
    T* p = nullptr;
    size_t n;
    explicit Dev(size_t count) : n(count) { CHECK(cudaMalloc((void**)&p, n * sizeof(T))); }
    explicit Dev(const Vec<T>& h) : Dev(h.size()) { put(h); }
    Dev(const Dev&) = delete;
    Dev& operator=(const Dev&) = delete;
    ~Dev() { cudaFree(p); }
    void put(const Vec<T>& h) {
        CHECK(cudaMemcpy(p, h.data(), h.size() * sizeof(T), cudaMemcpyHostToDevice));
    }
    Vec<T> get() const {
        Vec<T> h(n);
        CHECK(cudaMemcpy(h.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost));
        return h;
    }
};

struct Rng {
    uint64_t s;
    explicit Rng(uint64_t seed) : s(seed * 0x9E3779B97F4A7C15ull + 12345) {}
    uint32_t next() {
        s ^= s << 13;
        s ^= s >> 7;
        s ^= s << 17;
        return (uint32_t)(s >> 24);
    }
    uint32_t below(uint32_t m) { return (uint32_t)(((uint64_t)next() * m) >> 32); }
    float unit() { return (next() >> 8) * (1.0f / 16777216.0f); }
    float sym() { return 2.0f * unit() - 1.0f; }
};

static int cdiv(int a, int b) { return (a + b - 1) / b; }

template <class A, class B>
static bool close(const Vec<A>& a, const Vec<B>& b, double rel, double abs_) {
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); ++i) {
        double d = std::fabs((double)a[i] - (double)b[i]);
        if (!(d <= abs_ + rel * std::fabs((double)b[i]))) return false;
    }
    return true;
}

// ---------------------------------------------------------------- gather
__global__ void gatherWeighted(const float* __restrict__ src, const int* __restrict__ idx,
                               const float* __restrict__ w, float* __restrict__ out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = w[i] * src[idx[i]];
}

static bool testGather() {
    const int n = 3000000, m = 2000000;
    Rng r(1);
    Vec<float> src(m), w(n), ref(n);
    Vec<int> idx(n);
    for (auto& x : src) x = r.sym();
    for (int i = 0; i < n; ++i) {
        w[i] = r.unit();
        idx[i] = r.below(m);
        ref[i] = w[i] * src[idx[i]];
    }
    Dev<float> dsrc(src), dw(w), dout(n);
    Dev<int> didx(idx);
    for (int k = 0; k < kLaunches; ++k) gatherWeighted<<<cdiv(n, 192), 192>>>(dsrc.p, didx.p, dw.p, dout.p, n);
    CHECK(cudaGetLastError());
    return close(dout.get(), ref, 1e-6, 1e-7);
}

// ---------------------------------------------------------------- scatter
__global__ void scatterParticles(const float2* __restrict__ pos, const int* __restrict__ slot,
                                 float2* __restrict__ sorted, int n, float dt) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float2 p = pos[i];
        p.x += dt;
        p.y -= dt;
        sorted[slot[i]] = p;
    }
}

static bool testScatter() {
    const int n = 2000000;
    Rng r(2);
    Vec<float2> pos(n), ref(n);
    Vec<int> slot(n);
    for (int i = 0; i < n; ++i) {
        pos[i] = make_float2(r.sym(), r.sym());
        slot[i] = i;
    }
    for (int i = n - 1; i > 0; --i) std::swap(slot[i], slot[r.below(i + 1)]);
    const float dt = 0.125f;
    for (int i = 0; i < n; ++i) ref[slot[i]] = make_float2(pos[i].x + dt, pos[i].y - dt);
    Dev<float2> dpos(pos), dout(n);
    Dev<int> dslot(slot);
    for (int k = 0; k < kLaunches; ++k) scatterParticles<<<1056, 128>>>(dpos.p, dslot.p, dout.p, n, dt);
    CHECK(cudaGetLastError());
    Vec<float2> got = dout.get();
    for (int i = 0; i < n; ++i)
        if (got[i].x != ref[i].x || got[i].y != ref[i].y) return false;
    return true;
}

// ---------------------------------------------------------------- CSR, 8 lanes per row
__global__ void csrSpmvSubwarp(const int* __restrict__ rowPtr, const int* __restrict__ col,
                               const double* __restrict__ val, const double* __restrict__ x,
                               double* __restrict__ y, int rows) {
    const int lane = threadIdx.x & 7;
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) >> 3;
    double s = 0.0;
    if (row < rows) {
        const int end = rowPtr[row + 1];
        for (int j = rowPtr[row] + lane; j < end; j += 8) s += val[j] * x[col[j]];
    }
    s += __shfl_down_sync(0xffffffffu, s, 4, 8);
    s += __shfl_down_sync(0xffffffffu, s, 2, 8);
    s += __shfl_down_sync(0xffffffffu, s, 1, 8);
    if (row < rows && lane == 0) y[row] = s;
}

static bool testCsr() {
    const int rows = 70000;
    Rng r(3);
    Vec<int> ptr(rows + 1, 0), col;
    Vec<double> val, x(rows), ref(rows, 0.0);
    for (auto& v : x) v = r.sym();
    for (int i = 0; i < rows; ++i) {
        int len = 4 + r.below(52);
        for (int j = 0; j < len; ++j) {
            int c = r.below(4) ? (i + (int)r.below(600)) % rows : (int)r.below(rows);
            col.push_back(c);
            val.push_back(r.sym());
            ref[i] += val.back() * x[c];
        }
        ptr[i + 1] = (int)col.size();
    }
    Dev<int> dptr(ptr), dcol(col);
    Dev<double> dval(val), dx(x), dy(rows);
    for (int k = 0; k < kLaunches; ++k)
        csrSpmvSubwarp<<<cdiv(rows * 8, 128), 128>>>(dptr.p, dcol.p, dval.p, dx.p, dy.p, rows);
    CHECK(cudaGetLastError());
    return close(dy.get(), ref, 1e-10, 1e-12);
}

// ---------------------------------------------------------------- ELL
__global__ void ellSpmv(const int* __restrict__ col, const float* __restrict__ val,
                        const float* __restrict__ x, float* __restrict__ y, int rows, int width) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float s = 0.0f;
    for (int k = 0; k < width; ++k) {
        int c = col[k * rows + row];
        if (c >= 0) s += val[k * rows + row] * x[c];
    }
    y[row] = s;
}

static bool testEll() {
    const int rows = 200000, width = 18;
    Rng r(4);
    Vec<int> col((size_t)rows * width, -1);
    Vec<float> val((size_t)rows * width, 0.0f), x(rows);
    Vec<double> ref(rows, 0.0);
    for (auto& v : x) v = r.sym();
    for (int i = 0; i < rows; ++i) {
        int len = width - (int)r.below(8);
        for (int k = 0; k < len; ++k) {
            size_t e = (size_t)k * rows + i;
            col[e] = r.below(rows);
            val[e] = r.sym();
            ref[i] += (double)val[e] * x[col[e]];
        }
    }
    Dev<int> dcol(col);
    Dev<float> dval(val), dx(x), dy(rows);
    for (int k = 0; k < kLaunches; ++k) ellSpmv<<<cdiv(rows, 96), 96>>>(dcol.p, dval.p, dx.p, dy.p, rows, width);
    CHECK(cudaGetLastError());
    return close(dy.get(), ref, 1e-4, 1e-4);
}

// ---------------------------------------------------------------- histogram in shared memory
__global__ void histBytesShared(const uint32_t* __restrict__ words, int n, unsigned* __restrict__ hist) {
    __shared__ unsigned bins[256];
    for (int b = threadIdx.x; b < 256; b += blockDim.x) bins[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        uint32_t w = words[i];
        atomicAdd(&bins[w & 255], 1u);
        atomicAdd(&bins[(w >> 8) & 255], 1u);
        atomicAdd(&bins[(w >> 16) & 255], 1u);
        atomicAdd(&bins[w >> 24], 1u);
    }
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x)
        if (bins[b]) atomicAdd(&hist[b], bins[b]);
}

static bool testHistShared() {
    const int n = 4000000;
    Rng r(5);
    Vec<uint32_t> w(n);
    Vec<unsigned> zero(256, 0), ref(256, 0);
    for (auto& v : w) {
        v = r.next() & r.next();
        for (int b = 0; b < 4; ++b) ++ref[(v >> (8 * b)) & 255];
    }
    Dev<uint32_t> dw(w);
    Dev<unsigned> dh(256);
    for (int k = 0; k < kLaunches; ++k) {
        dh.put(zero);
        histBytesShared<<<264, 512>>>(dw.p, n, dh.p);
    }
    CHECK(cudaGetLastError());
    return dh.get() == ref;
}

// ---------------------------------------------------------------- histogram in global memory
__global__ void histEnergyGlobal(const float* __restrict__ e, int n, float scale, int nbins, int* __restrict__ hist) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int b = (int)(e[i] * scale);
    b = min(max(b, 0), nbins - 1);
    atomicAdd(hist + b, 1);
}

static bool testHistGlobal() {
    const int n = 1500000, nb = 6000;
    Rng r(6);
    Vec<float> e(n);
    Vec<int> zero(nb, 0), ref(nb, 0);
    const float scale = 4096.0f;
    for (auto& v : e) {
        v = r.unit() * 0.75f + r.unit() * 0.75f;
        int b = (int)(v * scale);
        ++ref[std::min(std::max(b, 0), nb - 1)];
    }
    Dev<float> de(e);
    Dev<int> dh(nb);
    for (int k = 0; k < kLaunches; ++k) {
        dh.put(zero);
        histEnergyGlobal<<<cdiv(n, 320), 320>>>(de.p, n, scale, nb, dh.p);
    }
    CHECK(cudaGetLastError());
    return dh.get() == ref;
}

// ---------------------------------------------------------------- BFS frontier expansion
__global__ void bfsExpand(const int* __restrict__ ptr, const int* __restrict__ adj, const int* __restrict__ frontier,
                          int nf, int* level, int depth, int* next, int* nextCount) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= nf) return;
    int u = frontier[t];
    for (int e = ptr[u]; e < ptr[u + 1]; ++e) {
        int v = adj[e];
        if (level[v] < 0 && atomicCAS(&level[v], -1, depth) == -1) {
            int at = atomicAdd(nextCount, 1);
            next[at] = v;
        }
    }
}

static bool testBfs() {
    const int n = 400000;
    Rng r(7);
    Vec<int> ptr(n + 1, 0), adj;
    for (int i = 0; i < n; ++i) {
        int d = 3 + r.below(8);
        for (int j = 0; j < d; ++j) adj.push_back(r.below(n));
        ptr[i + 1] = (int)adj.size();
    }
    Vec<int> level(n, -1), fr{0};
    level[0] = 0;
    int depth = 1;
    auto step = [&](Vec<int>& lv, const Vec<int>& f, int d) {
        Vec<int> nx;
        for (int u : f)
            for (int e = ptr[u]; e < ptr[u + 1]; ++e)
                if (lv[adj[e]] < 0) {
                    lv[adj[e]] = d;
                    nx.push_back(adj[e]);
                }
        return nx;
    };
    while (fr.size() < 20000) fr = step(level, fr, depth++);
    Vec<int> ref = level;
    Vec<int> nextRef = step(ref, fr, depth);
    Vec<int> zero(1, 0);
    Dev<int> dptr(ptr), dadj(adj), dfr(fr), dlv(n), dnext(n), dcnt(1);
    for (int k = 0; k < kLaunches; ++k) {
        dlv.put(level);
        dcnt.put(zero);
        bfsExpand<<<cdiv((int)fr.size(), 64), 64>>>(dptr.p, dadj.p, dfr.p, (int)fr.size(), dlv.p, depth, dnext.p, dcnt.p);
    }
    CHECK(cudaGetLastError());
    if (dlv.get() != ref || dcnt.get()[0] != (int)nextRef.size()) return false;
    Vec<int> got = dnext.get();
    got.resize(nextRef.size());
    std::sort(got.begin(), got.end());
    std::sort(nextRef.begin(), nextRef.end());
    return got == nextRef;
}

// ---------------------------------------------------------------- edge relaxation
struct Edge {
    int from, to;
    unsigned w;
};

__global__ void relaxEdges(const Edge* __restrict__ edges, int m, const unsigned* __restrict__ distIn,
                           unsigned* distOut, int* changed) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < m; i += gridDim.x * blockDim.x) {
        Edge e = edges[i];
        unsigned d = distIn[e.from];
        if (d == 0xffffffffu) continue;
        unsigned cand = d + e.w;
        if (cand < distOut[e.to]) {
            unsigned old = atomicMin(&distOut[e.to], cand);
            if (cand < old) *changed = 1;
        }
    }
}

static bool testRelax() {
    const int n = 250000, m = 2000000;
    Rng r(8);
    Vec<Edge> edges(m);
    for (auto& e : edges) e = Edge{(int)r.below(n), (int)r.below(n), 1 + r.below(1000)};
    Vec<unsigned> in(n);
    for (auto& d : in) d = r.below(3) ? r.below(5000) : 0xffffffffu;
    Vec<unsigned> ref = in;
    for (auto& e : edges)
        if (in[e.from] != 0xffffffffu) ref[e.to] = std::min(ref[e.to], in[e.from] + e.w);
    Vec<int> zero(1, 0);
    Dev<Edge> de(edges);
    Dev<unsigned> din(in), dout(n);
    Dev<int> dch(1);
    for (int k = 0; k < kLaunches; ++k) {
        dout.put(in);
        dch.put(zero);
        relaxEdges<<<528, 288>>>(de.p, m, din.p, dout.p, dch.p);
    }
    CHECK(cudaGetLastError());
    return dout.get() == ref && dch.get()[0] == 1;
}

// ---------------------------------------------------------------- hash tables
constexpr uint32_t kEmpty = 0xffffffffu;

__host__ __device__ inline uint32_t mixKey(uint32_t k) {
    k ^= k >> 16;
    k *= 0x7feb352du;
    k ^= k >> 15;
    k *= 0x846ca68bu;
    k ^= k >> 16;
    return k;
}

__global__ void hashInsert(const uint32_t* __restrict__ keys, const uint32_t* __restrict__ vals, int n,
                           uint32_t* tkeys, uint32_t* tvals, uint32_t mask) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uint32_t k = keys[i];
    uint32_t s = mixKey(k) & mask;
    while (true) {
        uint32_t old = atomicCAS(&tkeys[s], kEmpty, k);
        if (old == kEmpty || old == k) {
            tvals[s] = vals[i];
            return;
        }
        s = (s + 1) & mask;
    }
}

static bool testHashInsert() {
    const int n = 1000000;
    const uint32_t cap = 1u << 21, mask = cap - 1;
    Rng r(9);
    Vec<uint32_t> keys(n), vals(n), empty(cap, kEmpty);
    for (int i = 0; i < n; ++i) {
        keys[i] = (uint32_t)i * 2654435761u;  // distinct: odd multiplier
        vals[i] = r.next();
    }
    Dev<uint32_t> dk(keys), dv(vals), tk(cap), tv(cap);
    for (int k = 0; k < kLaunches; ++k) {
        tk.put(empty);
        hashInsert<<<cdiv(n, 256), 256>>>(dk.p, dv.p, n, tk.p, tv.p, mask);
    }
    CHECK(cudaGetLastError());
    Vec<uint32_t> hk = tk.get(), hv = tv.get();
    int used = 0;
    for (uint32_t k : hk) used += k != kEmpty;
    if (used != n) return false;
    for (int i = 0; i < n; ++i) {
        uint32_t s = mixKey(keys[i]) & mask, steps = 0;
        while (hk[s] != keys[i]) {
            if (hk[s] == kEmpty || ++steps > cap) return false;
            s = (s + 1) & mask;
        }
        if (hv[s] != vals[i]) return false;
    }
    return true;
}

__global__ void hashProbe(const uint2* __restrict__ table, uint32_t mask, const uint32_t* __restrict__ query, int n,
                          uint32_t* __restrict__ found) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        uint32_t q = query[i], res = kEmpty;
        for (uint32_t s = mixKey(q) & mask;; s = (s + 1) & mask) {
            uint2 kv = table[s];
            if (kv.x == q) {
                res = kv.y;
                break;
            }
            if (kv.x == kEmpty) break;
        }
        found[i] = res;
    }
}

static bool testHashProbe() {
    const uint32_t cap = 1u << 20, mask = cap - 1;
    const int n = 700000, nq = 2000000;
    Rng r(10);
    Vec<uint2> table(cap, make_uint2(kEmpty, 0));
    for (int i = 0; i < n; ++i) {
        uint32_t k = (uint32_t)i * 2654435761u, s = mixKey(k) & mask;
        while (table[s].x != kEmpty) s = (s + 1) & mask;
        table[s] = make_uint2(k, (uint32_t)i);
    }
    Vec<uint32_t> q(nq), ref(nq);
    for (int i = 0; i < nq; ++i) {
        uint32_t j = r.below(2 * n);
        q[i] = j * 2654435761u;
        ref[i] = j < (uint32_t)n ? j : kEmpty;
    }
    Dev<uint2> dt(table);
    Dev<uint32_t> dq(q), df(nq);
    for (int k = 0; k < kLaunches; ++k) hashProbe<<<792, 224>>>(dt.p, mask, dq.p, nq, df.p);
    CHECK(cudaGetLastError());
    return df.get() == ref;
}

// ---------------------------------------------------------------- compare-and-swap loops
__global__ void cellMaxCas(const float* __restrict__ speed, const int* __restrict__ cell, int n, float* cellMax) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = speed[i];
    int* addr = reinterpret_cast<int*>(cellMax + cell[i]);
    int cur = *addr;
    while (__int_as_float(cur) < v) {
        int assumed = cur;
        cur = atomicCAS(addr, assumed, __float_as_int(v));
        if (cur == assumed) break;
    }
}

static bool testCellMax() {
    const int n = 2000000, nc = 3000;
    Rng r(11);
    Vec<float> v(n), init(nc, -1e30f), ref(nc, -1e30f);
    Vec<int> c(n);
    for (int i = 0; i < n; ++i) {
        v[i] = r.sym() * 100.0f;
        c[i] = r.below(nc);
        ref[c[i]] = std::max(ref[c[i]], v[i]);
    }
    Dev<float> dv(v), dm(nc);
    Dev<int> dc(c);
    for (int k = 0; k < kLaunches; ++k) {
        dm.put(init);
        cellMaxCas<<<cdiv(n, 416), 416>>>(dv.p, dc.p, n, dm.p);
    }
    CHECK(cudaGetLastError());
    return dm.get() == ref;
}

__global__ void cellListPush(const float2* __restrict__ pos, int n, int cellsPerSide, int* head, int* __restrict__ next) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float2 p = pos[i];
    int cx = min((int)(p.x * cellsPerSide), cellsPerSide - 1);
    int cy = min((int)(p.y * cellsPerSide), cellsPerSide - 1);
    int* h = head + cy * cellsPerSide + cx;
    int old = *h, seen;
    do {
        seen = old;
        next[i] = seen;
        old = atomicCAS(h, seen, i);
    } while (old != seen);
}

static bool testListPush() {
    const int n = 600000, side = 128;
    Rng r(12);
    Vec<float2> pos(n);
    for (auto& p : pos) {
        p.x = r.unit();
        p.y = r.unit() * r.unit();
    }
    Vec<int> none(side * side, -1);
    Dev<float2> dp(pos);
    Dev<int> dh(side * side), dn(n);
    for (int k = 0; k < kLaunches; ++k) {
        dh.put(none);
        cellListPush<<<cdiv(n, 128), 128>>>(dp.p, n, side, dh.p, dn.p);
    }
    CHECK(cudaGetLastError());
    Vec<int> h = dh.get(), nx = dn.get();
    Vec<char> seen(n, 0);
    int total = 0;
    for (int c = 0; c < side * side; ++c)
        for (int i = h[c]; i != -1; i = nx[i]) {
            if (i < 0 || i >= n || seen[i]) return false;
            seen[i] = 1;
            ++total;
            int cx = std::min((int)(pos[i].x * side), side - 1), cy = std::min((int)(pos[i].y * side), side - 1);
            if (cy * side + cx != c) return false;
        }
    return total == n;
}

// ---------------------------------------------------------------- hot counters and flags
struct Tally {
    int absorbed, scattered, escaped;
    unsigned flags;
    float energy;
};

__global__ void tallyEvents(const float* __restrict__ e, int n, Tally* t) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = e[i];
    if (x < 0.2f) {
        atomicAdd(&t->absorbed, 1);
        atomicAdd(&t->energy, x);
    } else if (x < 0.9f) {
        atomicAdd(&t->scattered, 1);
    } else {
        atomicAdd(&t->escaped, 1);
        atomicOr(&t->flags, 1u << (i & 15));
    }
}

static bool testTally() {
    const int n = 300000;
    Rng r(13);
    Vec<float> e(n);
    Tally ref{0, 0, 0, 0u, 0.0f};
    double energy = 0;
    for (int i = 0; i < n; ++i) {
        float x = e[i] = r.unit();
        if (x < 0.2f) {
            ++ref.absorbed;
            energy += x;
        } else if (x < 0.9f) {
            ++ref.scattered;
        } else {
            ++ref.escaped;
            ref.flags |= 1u << (i & 15);
        }
    }
    Vec<Tally> zero(1, Tally{0, 0, 0, 0u, 0.0f});
    Dev<float> de(e);
    Dev<Tally> dt(1);
    for (int k = 0; k < kLaunches; ++k) {
        dt.put(zero);
        tallyEvents<<<cdiv(n, 160), 160>>>(de.p, n, dt.p);
    }
    CHECK(cudaGetLastError());
    Tally g = dt.get()[0];
    return g.absorbed == ref.absorbed && g.scattered == ref.scattered && g.escaped == ref.escaped &&
           g.flags == ref.flags && std::fabs(g.energy - energy) < 2e-3 * energy;
}

// ---------------------------------------------------------------- bitonic sort of tiles
constexpr int kTile = 2048;

__global__ void bitonicTiles(const int* __restrict__ in, int* __restrict__ out) {
    __shared__ int s[kTile];
    const int base = blockIdx.x * kTile;
    for (int i = threadIdx.x; i < kTile; i += blockDim.x) s[i] = in[base + i];
    for (int size = 2; size <= kTile; size <<= 1) {
        for (int stride = size >> 1; stride > 0; stride >>= 1) {
            __syncthreads();
            for (int t = threadIdx.x; t < kTile / 2; t += blockDim.x) {
                int a = 2 * t - (t & (stride - 1));
                int b = a + stride;
                bool up = (a & size) == 0;
                int x = s[a], y = s[b];
                if ((x > y) == up) {
                    s[a] = y;
                    s[b] = x;
                }
            }
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < kTile; i += blockDim.x) out[base + i] = s[i];
}

static bool testBitonic() {
    const int tiles = 600, n = tiles * kTile;
    Rng r(14);
    Vec<int> a(n);
    for (auto& v : a) v = (int)r.next();
    Dev<int> da(a), db(n);
    for (int k = 0; k < kLaunches; ++k) bitonicTiles<<<tiles, 512>>>(da.p, db.p);
    CHECK(cudaGetLastError());
    for (int t = 0; t < tiles; ++t) std::sort(a.begin() + t * kTile, a.begin() + (t + 1) * kTile);
    return db.get() == a;
}

// ---------------------------------------------------------------- radix rank, 5-bit digit, stable in block
constexpr int kRankThreads = 512;

__global__ void radixRank(const uint32_t* __restrict__ keys, uint16_t* __restrict__ rank, int shift) {
    __shared__ int count[kRankThreads / 32][32];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const int i = blockIdx.x * kRankThreads + threadIdx.x;
    count[warp][lane] = 0;
    __syncwarp();
    const uint32_t d = (keys[i] >> shift) & 31u;
    const unsigned peers = __match_any_sync(0xffffffffu, d);
    const int before = __popc(peers & ((1u << lane) - 1u));
    if (before == 0) count[warp][d] = __popc(peers);
    __syncthreads();
    if (warp == 0) {
        int run = 0;
        for (int w = 0; w < kRankThreads / 32; ++w) {
            int c = count[w][lane];
            count[w][lane] = run;
            run += c;
        }
        int incl = run;
        for (int o = 1; o < 32; o <<= 1) {
            int v = __shfl_up_sync(0xffffffffu, incl, o);
            if (lane >= o) incl += v;
        }
        const int start = incl - run;
        for (int w = 0; w < kRankThreads / 32; ++w) count[w][lane] += start;
    }
    __syncthreads();
    rank[i] = (uint16_t)(count[warp][d] + before);
}

static bool testRadixRank() {
    const int blocks = 6000, n = blocks * kRankThreads, shift = 10;
    Rng r(15);
    Vec<uint32_t> k(n);
    Vec<uint16_t> ref(n);
    for (auto& v : k) v = r.next();
    for (int b = 0; b < blocks; ++b) {
        int cnt[33] = {0};
        for (int i = 0; i < kRankThreads; ++i) ++cnt[((k[b * kRankThreads + i] >> shift) & 31) + 1];
        for (int d = 0; d < 32; ++d) cnt[d + 1] += cnt[d];
        for (int i = 0; i < kRankThreads; ++i) {
            int j = b * kRankThreads + i;
            ref[j] = (uint16_t)cnt[(k[j] >> shift) & 31]++;
        }
    }
    Dev<uint32_t> dk(k);
    Dev<uint16_t> dr(n);
    for (int l = 0; l < kLaunches; ++l) radixRank<<<blocks, kRankThreads>>>(dk.p, dr.p, shift);
    CHECK(cudaGetLastError());
    return dr.get() == ref;
}

// ---------------------------------------------------------------- streams
__global__ void __launch_bounds__(1024) triadF64(const double* __restrict__ b, const double* __restrict__ c,
                                                 double* __restrict__ a, double s, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) a[i] = b[i] + s * c[i];
}

static bool testTriad() {
    const int n = 2400000;
    Rng r(16);
    Vec<double> b(n), c(n), ref(n);
    for (int i = 0; i < n; ++i) {
        b[i] = r.sym();
        c[i] = r.sym();
        ref[i] = b[i] + 3.0 * c[i];
    }
    Dev<double> db(b), dc(c), da(n);
    for (int k = 0; k < kLaunches; ++k) triadF64<<<264, 1024>>>(db.p, dc.p, da.p, 3.0, n);
    CHECK(cudaGetLastError());
    return close(da.get(), ref, 1e-12, 1e-14);
}

__global__ void scaleShiftVec4(const float4* __restrict__ in, float4* __restrict__ out, float a, float b, int n4) {
    extern __shared__ float ballast[];  // dynamic size only limits residency
    if (n4 < 0) ballast[threadIdx.x] = a;
    const int stride = gridDim.x * blockDim.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (; i + stride < n4; i += 2 * stride) {
        float4 u = in[i], v = in[i + stride];
        out[i] = make_float4(a * u.x + b, a * u.y + b, a * u.z + b, a * u.w + b);
        out[i + stride] = make_float4(a * v.x + b, a * v.y + b, a * v.z + b, a * v.w + b);
    }
    if (i < n4) {
        float4 u = in[i];
        out[i] = make_float4(a * u.x + b, a * u.y + b, a * u.z + b, a * u.w + b);
    }
}

static bool testScaleShift() {
    const int n4 = 1500000, n = 4 * n4;
    Rng r(17);
    Vec<float> in(n), ref(n);
    for (int i = 0; i < n; ++i) {
        in[i] = r.sym();
        ref[i] = 1.5f * in[i] + 0.25f;
    }
    Dev<float> di(in), dout(n);
    for (int k = 0; k < kLaunches; ++k)
        scaleShiftVec4<<<528, 64, 40 * 1024>>>((const float4*)di.p, (float4*)dout.p, 1.5f, 0.25f, n4);
    CHECK(cudaGetLastError());
    return close(dout.get(), ref, 1e-6, 1e-6);
}

// ---------------------------------------------------------------- argmin
__global__ void argminEnergy(const float* __restrict__ e, int n, u64* best) {
    __shared__ u64 part[12];
    u64 mine = ~0ull;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned u = __float_as_uint(e[i]);
        u = (u & 0x80000000u) ? ~u : (u | 0x80000000u);  // order-preserving map
        u64 key = ((u64)u << 32) | (unsigned)i;
        mine = key < mine ? key : mine;
    }
    for (int o = 16; o > 0; o >>= 1) {
        u64 other = __shfl_xor_sync(0xffffffffu, mine, o);
        mine = other < mine ? other : mine;
    }
    if ((threadIdx.x & 31) == 0) part[threadIdx.x >> 5] = mine;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < (int)(blockDim.x >> 5); ++w) mine = part[w] < mine ? part[w] : mine;
        atomicMin(best, mine);
    }
}

static bool testArgmin() {
    const int n = 9000000;
    Rng r(18);
    Vec<float> e(n);
    int ref = 0;
    for (int i = 0; i < n; ++i) {
        e[i] = r.sym() * 50.0f;
        if (e[i] < e[ref]) ref = i;
    }
    Vec<u64> init(1, ~0ull);
    Dev<float> de(e);
    Dev<u64> db(1);
    for (int k = 0; k < kLaunches; ++k) {
        db.put(init);
        argminEnergy<<<396, 384>>>(de.p, n, db.p);
    }
    CHECK(cudaGetLastError());
    return (int)(db.get()[0] & 0xffffffffu) == ref;
}

// ---------------------------------------------------------------- softmax
__global__ void softmaxRows(const float* __restrict__ x, float* __restrict__ y, int cols) {
    __shared__ float red[4];
    const float* row = x + (size_t)blockIdx.x * cols;
    float* dst = y + (size_t)blockIdx.x * cols;
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    float m = -INFINITY;
    for (int c = threadIdx.x; c < cols; c += blockDim.x) m = fmaxf(m, row[c]);
    for (int o = 16; o > 0; o >>= 1) m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, o));
    if (lane == 0) red[warp] = m;
    __syncthreads();
    m = fmaxf(fmaxf(red[0], red[1]), fmaxf(red[2], red[3]));
    __syncthreads();
    float s = 0.0f;
    for (int c = threadIdx.x; c < cols; c += blockDim.x) s += expf(row[c] - m);
    for (int o = 16; o > 0; o >>= 1) s += __shfl_xor_sync(0xffffffffu, s, o);
    if (lane == 0) red[warp] = s;
    __syncthreads();
    const float inv = 1.0f / (red[0] + red[1] + red[2] + red[3]);
    for (int c = threadIdx.x; c < cols; c += blockDim.x) dst[c] = expf(row[c] - m) * inv;
}

static bool testSoftmax() {
    const int rows = 3000, cols = 1000;
    Rng r(19);
    Vec<float> x(rows * cols);
    Vec<double> ref(rows * cols);
    for (auto& v : x) v = 6.0f * r.sym();
    for (int i = 0; i < rows; ++i) {
        double s = 0;
        for (int c = 0; c < cols; ++c) s += ref[i * cols + c] = std::exp((double)x[i * cols + c]);
        for (int c = 0; c < cols; ++c) ref[i * cols + c] /= s;
    }
    Dev<float> dx(x), dy(rows * cols);
    for (int k = 0; k < kLaunches; ++k) softmaxRows<<<rows, 128>>>(dx.p, dy.p, cols);
    CHECK(cudaGetLastError());
    return close(dy.get(), ref, 1e-4, 1e-8);
}

// ---------------------------------------------------------------- layer norm, warp per row
__global__ void layerNormWarp(const float* __restrict__ x, const float* __restrict__ gain, const float* __restrict__ bias,
                              float* __restrict__ y, int rows, int cols) {
    const int row = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5);
    const int lane = threadIdx.x & 31;
    if (row >= rows) return;
    const float* p = x + (size_t)row * cols;
    float sum = 0.0f;
    for (int c = lane; c < cols; c += 32) sum += p[c];
    for (int o = 16; o > 0; o >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, o);
    const float mean = sum / cols;
    float var = 0.0f;
    for (int c = lane; c < cols; c += 32) {
        float d = p[c] - mean;
        var += d * d;
    }
    for (int o = 16; o > 0; o >>= 1) var += __shfl_xor_sync(0xffffffffu, var, o);
    const float inv = rsqrtf(var / cols + 1e-5f);
    for (int c = lane; c < cols; c += 32) y[(size_t)row * cols + c] = (p[c] - mean) * inv * gain[c] + bias[c];
}

static bool testLayerNorm() {
    const int rows = 5000, cols = 768;
    Rng r(20);
    Vec<float> x(rows * cols), g(cols), b(cols);
    Vec<double> ref(rows * cols);
    for (auto& v : x) v = r.sym() + 0.3f;
    for (int c = 0; c < cols; ++c) {
        g[c] = 0.5f + r.unit();
        b[c] = r.sym();
    }
    for (int i = 0; i < rows; ++i) {
        double m = 0, v = 0;
        for (int c = 0; c < cols; ++c) m += x[i * cols + c];
        m /= cols;
        for (int c = 0; c < cols; ++c) v += (x[i * cols + c] - m) * (x[i * cols + c] - m);
        double inv = 1.0 / std::sqrt(v / cols + 1e-5);
        for (int c = 0; c < cols; ++c) ref[i * cols + c] = (x[i * cols + c] - m) * inv * g[c] + b[c];
    }
    Dev<float> dx(x), dg(g), db(b), dy(rows * cols);
    for (int k = 0; k < kLaunches; ++k) layerNormWarp<<<cdiv(rows, 5), 160>>>(dx.p, dg.p, db.p, dy.p, rows, cols);
    CHECK(cudaGetLastError());
    return close(dy.get(), ref, 1e-4, 1e-4);
}

// ---------------------------------------------------------------- 2-D stencil in shared tiles
constexpr int kTx = 32, kTy = 12;

__global__ void heat2dTiled(const float* __restrict__ u, float* __restrict__ v, int nx, int ny, float alpha) {
    __shared__ float t[kTy + 2][kTx + 2];
    const int x0 = blockIdx.x * kTx - 1, y0 = blockIdx.y * kTy - 1;
    for (int k = threadIdx.y * kTx + threadIdx.x; k < (kTx + 2) * (kTy + 2); k += kTx * kTy) {
        int ly = k / (kTx + 2), lx = k % (kTx + 2);
        int gx = min(max(x0 + lx, 0), nx - 1), gy = min(max(y0 + ly, 0), ny - 1);
        t[ly][lx] = u[gy * nx + gx];
    }
    __syncthreads();
    const int x = blockIdx.x * kTx + threadIdx.x, y = blockIdx.y * kTy + threadIdx.y;
    if (x < nx && y < ny) {
        int i = threadIdx.x + 1, j = threadIdx.y + 1;
        float lap = t[j][i - 1] + t[j][i + 1] + t[j - 1][i] + t[j + 1][i] - 4.0f * t[j][i];
        v[y * nx + x] = t[j][i] + alpha * lap;
    }
}

static bool testHeat2d() {
    const int nx = 2100, ny = 1900;
    Rng r(21);
    Vec<float> u(nx * ny), ref(nx * ny);
    for (auto& v : u) v = r.unit();
    auto at = [&](int x, int y) {
        return u[std::min(std::max(y, 0), ny - 1) * nx + std::min(std::max(x, 0), nx - 1)];
    };
    for (int y = 0; y < ny; ++y)
        for (int x = 0; x < nx; ++x)
            ref[y * nx + x] =
                at(x, y) + 0.2f * (at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1) - 4.0f * at(x, y));
    Dev<float> du(u), dv(nx * ny);
    dim3 grid(cdiv(nx, kTx), cdiv(ny, kTy)), block(kTx, kTy);
    for (int k = 0; k < kLaunches; ++k) heat2dTiled<<<grid, block>>>(du.p, dv.p, nx, ny, 0.2f);
    CHECK(cudaGetLastError());
    return close(dv.get(), ref, 1e-5, 1e-5);
}

// ---------------------------------------------------------------- 3-D stencil marching in z
__global__ void laplace3dMarch(const float* __restrict__ u, float* __restrict__ v, int nx, int ny, int nz, int zChunk) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1) return;
    const int plane = nx * ny;
    const int zBegin = max(1, (int)blockIdx.z * zChunk);
    const int zEnd = min(nz - 1, ((int)blockIdx.z + 1) * zChunk);
    int i = zBegin * plane + y * nx + x;
    float below = u[i - plane], here = u[i];
    for (int z = zBegin; z < zEnd; ++z, i += plane) {
        float above = u[i + plane];
        v[i] = u[i - 1] + u[i + 1] + u[i - nx] + u[i + nx] + below + above - 6.0f * here;
        below = here;
        here = above;
    }
}

static bool testLaplace3d() {
    const int nx = 192, ny = 168, nz = 160, plane = nx * ny, n = plane * nz;
    Rng r(22);
    Vec<float> u(n), zero(n, 0.0f), ref(n, 0.0f);
    for (auto& v : u) v = r.unit();
    for (int z = 1; z < nz - 1; ++z)
        for (int y = 1; y < ny - 1; ++y)
            for (int x = 1; x < nx - 1; ++x) {
                int i = z * plane + y * nx + x;
                ref[i] = u[i - 1] + u[i + 1] + u[i - nx] + u[i + nx] + u[i - plane] + u[i + plane] - 6.0f * u[i];
            }
    Dev<float> du(u), dv(n);
    dim3 block(32, 6), grid(cdiv(nx, 32), cdiv(ny, 6), 4);
    for (int k = 0; k < kLaunches; ++k) {
        dv.put(zero);
        laplace3dMarch<<<grid, block>>>(du.p, dv.p, nx, ny, nz, nz / 4);
    }
    CHECK(cudaGetLastError());
    return close(dv.get(), ref, 1e-5, 1e-5);
}

// ---------------------------------------------------------------- scans
__device__ int blockInclusive(int v, int* warpSums) {
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, nwarps = blockDim.x >> 5;
    for (int o = 1; o < 32; o <<= 1) {
        int t = __shfl_up_sync(0xffffffffu, v, o);
        if (lane >= o) v += t;
    }
    if (lane == 31) warpSums[warp] = v;
    __syncthreads();
    if (warp == 0) {
        int s = lane < nwarps ? warpSums[lane] : 0;
        for (int o = 1; o < 32; o <<= 1) {
            int t = __shfl_up_sync(0xffffffffu, s, o);
            if (lane >= o) s += t;
        }
        if (lane < nwarps) warpSums[lane] = s;
    }
    __syncthreads();
    return warp ? v + warpSums[warp - 1] : v;
}

__global__ void segmentScan(const int* __restrict__ in, int* __restrict__ out, int* __restrict__ totals, int n) {
    __shared__ int sums[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = blockInclusive(i < n ? in[i] : 0, sums);
    if (i < n) out[i] = v;
    if (threadIdx.x == blockDim.x - 1) totals[blockIdx.x] = v;
}

static bool testSegmentScan() {
    const int n = 5000011, bs = 640, blocks = cdiv(n, bs);
    Rng r(23);
    Vec<int> a(n), ref(n), tot(blocks, 0);
    for (int i = 0; i < n; ++i) {
        a[i] = (int)r.below(100) - 20;
        tot[i / bs] += a[i];
        ref[i] = tot[i / bs];
    }
    Dev<int> da(a), db(n), dt(blocks);
    for (int k = 0; k < kLaunches; ++k) segmentScan<<<blocks, bs>>>(da.p, db.p, dt.p, n);
    CHECK(cudaGetLastError());
    return db.get() == ref && dt.get() == tot;
}

constexpr int kScanThreads = 256, kScanItems = 8;

// status word: high half 0 = nothing yet, 1 = block total, 2 = inclusive prefix
__global__ void lookbackScan(const int* __restrict__ in, int* __restrict__ out, int n, u64* status, int* ticket) {
    __shared__ int sums[32];
    __shared__ int myBlock, carry;
    if (threadIdx.x == 0) myBlock = atomicAdd(ticket, 1);
    __syncthreads();
    const int b = myBlock;
    const int base = b * kScanThreads * kScanItems + threadIdx.x * kScanItems;
    int v[kScanItems];
    int s = 0;
#pragma unroll
    for (int k = 0; k < kScanItems; ++k) {
        v[k] = base + k < n ? in[base + k] : 0;
        s += v[k];
    }
    const int incl = blockInclusive(s, sums);
    if (threadIdx.x == kScanThreads - 1) {
        int prefix = 0;
        if (b > 0) {
            atomicExch(&status[b], (1ull << 32) | (unsigned)incl);
            int p = b - 1;
            while (true) {
                u64 w = *(volatile u64*)&status[p];
                unsigned f = (unsigned)(w >> 32);
                if (f == 0) continue;
                prefix += (int)(unsigned)w;
                if (f == 2) break;
                --p;
            }
        }
        atomicExch(&status[b], (2ull << 32) | (unsigned)(prefix + incl));
        carry = prefix;
    }
    __syncthreads();
    int run = carry + incl - s;
#pragma unroll
    for (int k = 0; k < kScanItems; ++k) {
        run += v[k];
        if (base + k < n) out[base + k] = run;
    }
}

static bool testLookback() {
    const int n = 3000017, blocks = cdiv(n, kScanThreads * kScanItems);
    Rng r(24);
    Vec<int> a(n), ref(n);
    int run = 0;
    for (int i = 0; i < n; ++i) {
        a[i] = (int)r.below(64) - 24;
        ref[i] = run += a[i];
    }
    Vec<u64> zero(blocks, 0);
    Vec<int> zt(1, 0);
    Dev<int> da(a), db(n), dt(1);
    Dev<u64> ds(blocks);
    for (int k = 0; k < kLaunches; ++k) {
        ds.put(zero);
        dt.put(zt);
        lookbackScan<<<blocks, kScanThreads>>>(da.p, db.p, n, ds.p, dt.p);
    }
    CHECK(cudaGetLastError());
    return db.get() == ref;
}

// ---------------------------------------------------------------- stream compaction
__global__ void compactAbove(const float* __restrict__ in, int n, float cut, float* __restrict__ out, int* count) {
    __shared__ int blockCount, blockBase;
    if (threadIdx.x == 0) blockCount = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int lane = threadIdx.x & 31;
    float v = i < n ? in[i] : 0.0f;
    const bool keep = i < n && v > cut;
    const unsigned mask = __ballot_sync(0xffffffffu, keep);
    int at = 0;
    if (lane == 0) at = atomicAdd(&blockCount, __popc(mask));
    at = __shfl_sync(0xffffffffu, at, 0) + __popc(mask & ((1u << lane) - 1u));
    __syncthreads();
    if (threadIdx.x == 0) blockBase = atomicAdd(count, blockCount);
    __syncthreads();
    if (keep) out[blockBase + at] = v;
}

static bool testCompact() {
    const int n = 3000000;
    Rng r(25);
    Vec<float> a(n), ref;
    for (auto& v : a) {
        v = r.sym();
        if (v > 0.4f) ref.push_back(v);
    }
    Vec<int> zero(1, 0);
    Dev<float> da(a), db(n);
    Dev<int> dc(1);
    for (int k = 0; k < kLaunches; ++k) {
        dc.put(zero);
        compactAbove<<<cdiv(n, 352), 352>>>(da.p, n, 0.4f, db.p, dc.p);
    }
    CHECK(cudaGetLastError());
    if (dc.get()[0] != (int)ref.size()) return false;
    Vec<float> got = db.get();
    got.resize(ref.size());
    std::sort(got.begin(), got.end());
    std::sort(ref.begin(), ref.end());
    return got == ref;
}

// ---------------------------------------------------------------- escape time
__global__ void escapeTime(int* __restrict__ iters, int w, int h, float x0, float y0, float step, int limit) {
    const int px = blockIdx.x * blockDim.x + threadIdx.x;
    const int py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= w || py >= h) return;
    const float cx = __fadd_rn(x0, __fmul_rn(px, step)), cy = __fadd_rn(y0, __fmul_rn(py, step));
    float zx = 0.0f, zy = 0.0f;
    int k = 0;
    for (; k < limit; ++k) {
        float xx = __fmul_rn(zx, zx), yy = __fmul_rn(zy, zy);
        if (__fadd_rn(xx, yy) > 4.0f) break;
        zy = __fadd_rn(__fmul_rn(2.0f * zx, zy), cy);
        zx = __fadd_rn(__fsub_rn(xx, yy), cx);
    }
    iters[py * w + px] = k;
}

static bool testEscape() {
    const int w = 1200, h = 900, limit = 300;
    const float x0 = -2.1f, y0 = -1.2f, step = 2.4f / 900;
    Vec<int> ref(w * h);
    for (int py = 0; py < h; ++py)
        for (int px = 0; px < w; ++px) {
            float cx = x0 + px * step, cy = y0 + py * step, zx = 0, zy = 0;
            int k = 0;
            for (; k < limit; ++k) {
                float xx = zx * zx, yy = zy * zy;
                if (xx + yy > 4.0f) break;
                zy = 2.0f * zx * zy + cy;
                zx = xx - yy + cx;
            }
            ref[py * w + px] = k;
        }
    Dev<int> d(w * h);
    dim3 block(16, 12), grid(cdiv(w, 16), cdiv(h, 12));
    for (int k = 0; k < kLaunches; ++k) escapeTime<<<grid, block>>>(d.p, w, h, x0, y0, step, limit);
    CHECK(cudaGetLastError());
    Vec<int> got = d.get();
    int bad = 0;
    for (int i = 0; i < w * h; ++i) bad += got[i] != ref[i];
    return bad <= w * h / 1000;
}

// ---------------------------------------------------------------- lattice random walk
constexpr int kSide = 512;

__host__ __device__ inline int walkLattice(const unsigned char* blocked, uint32_t seed, int steps) {
    int x = kSide / 2, y = kSide / 2;
    uint32_t s = seed * 747796405u + 2891336453u;
    for (int k = 0; k < steps; ++k) {
        s = s * 1664525u + 1013904223u;
        const uint32_t d = s >> 30;
        int nx = x + (d == 0) - (d == 1), ny = y + (d == 2) - (d == 3);
        nx &= kSide - 1;
        ny &= kSide - 1;
        if (!blocked[ny * kSide + nx]) {
            x = nx;
            y = ny;
        }
    }
    return y * kSide + x;
}

__global__ void latticeWalk(const unsigned char* __restrict__ blocked, int* __restrict__ last, int walkers, int steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < walkers) last[i] = walkLattice(blocked, (uint32_t)i, steps);
}

static bool testWalk() {
    const int walkers = 120000, steps = 500;
    Rng r(27);
    Vec<unsigned char> blocked(kSide * kSide);
    for (auto& b : blocked) b = r.below(10) == 0;
    Vec<int> ref(walkers);
    for (int i = 0; i < walkers; ++i) ref[i] = walkLattice(blocked.data(), (uint32_t)i, steps);
    Dev<unsigned char> db(blocked);
    Dev<int> dl(walkers);
    for (int k = 0; k < kLaunches; ++k) latticeWalk<<<cdiv(walkers, 96), 96>>>(db.p, dl.p, walkers, steps);
    CHECK(cudaGetLastError());
    return dl.get() == ref;
}

// ---------------------------------------------------------------- textures
__global__ void rotateImageTex(cudaTextureObject_t img, float* __restrict__ out, int w, int h, float c, float s) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    const float dx = x - 0.5f * w, dy = y - 0.5f * h;
    out[y * w + x] = tex2D<float>(img, c * dx - s * dy + 0.5f * w + 0.5f, s * dx + c * dy + 0.5f * h + 0.5f);
}

static bool testTex2d() {
    const int w = 2048, h = 1500;
    Vec<float> img(w * h), ref(w * h);
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) img[y * w + x] = 0.5f + 0.5f * std::sin(0.05f * x) * std::cos(0.04f * y);
    const float c = std::cos(0.3f), s = std::sin(0.3f);
    auto at = [&](int x, int y) {
        return img[std::min(std::max(y, 0), h - 1) * w + std::min(std::max(x, 0), w - 1)];
    };
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            float dx = x - 0.5f * w, dy = y - 0.5f * h;
            float fx = c * dx - s * dy + 0.5f * w, fy = s * dx + c * dy + 0.5f * h;
            int ix = (int)std::floor(fx), iy = (int)std::floor(fy);
            float a = fx - ix, b = fy - iy;
            ref[y * w + x] = (1 - b) * ((1 - a) * at(ix, iy) + a * at(ix + 1, iy)) +
                             b * ((1 - a) * at(ix, iy + 1) + a * at(ix + 1, iy + 1));
        }
    Dev<float> di(img), dout(w * h);
    cudaResourceDesc res;
    memset(&res, 0, sizeof res);
    res.resType = cudaResourceTypePitch2D;
    res.res.pitch2D.devPtr = di.p;
    res.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    res.res.pitch2D.width = w;
    res.res.pitch2D.height = h;
    res.res.pitch2D.pitchInBytes = w * sizeof(float);
    cudaTextureDesc td;
    memset(&td, 0, sizeof td);
    td.addressMode[0] = td.addressMode[1] = cudaAddressModeClamp;
    td.filterMode = cudaFilterModeLinear;
    td.readMode = cudaReadModeElementType;
    cudaTextureObject_t tex = 0;
    CHECK(cudaCreateTextureObject(&tex, &res, &td, nullptr));
    dim3 block(32, 4), grid(cdiv(w, 32), cdiv(h, 4));
    for (int k = 0; k < kLaunches; ++k) rotateImageTex<<<grid, block>>>(tex, dout.p, w, h, c, s);
    CHECK(cudaGetLastError());
    bool ok = close(dout.get(), ref, 0.0, 2e-3);
    CHECK(cudaDestroyTextureObject(tex));
    return ok;
}

__global__ void tableLookupTex(cudaTextureObject_t table, int entries, const float* __restrict__ q,
                               float* __restrict__ out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float f = q[i] * (entries - 1);
        int k = min((int)f, entries - 2);
        float lo = tex1Dfetch<float>(table, k), hi = tex1Dfetch<float>(table, k + 1);
        out[i] = lo + (f - k) * (hi - lo);
    }
}

static bool testTex1d() {
    const int n = 4000000, entries = 50000;
    Rng r(29);
    Vec<float> table(entries), q(n), ref(n);
    for (int k = 0; k < entries; ++k) table[k] = std::exp(-3.0f * k / entries) * std::cos(0.002f * k);
    for (int i = 0; i < n; ++i) {
        q[i] = r.unit();
        float f = q[i] * (entries - 1);
        int k = std::min((int)f, entries - 2);
        ref[i] = table[k] + (f - k) * (table[k + 1] - table[k]);
    }
    Dev<float> dt(table), dq(q), dout(n);
    cudaResourceDesc res;
    memset(&res, 0, sizeof res);
    res.resType = cudaResourceTypeLinear;
    res.res.linear.devPtr = dt.p;
    res.res.linear.desc = cudaCreateChannelDesc<float>();
    res.res.linear.sizeInBytes = entries * sizeof(float);
    cudaTextureDesc td;
    memset(&td, 0, sizeof td);
    td.readMode = cudaReadModeElementType;
    cudaTextureObject_t tex = 0;
    CHECK(cudaCreateTextureObject(&tex, &res, &td, nullptr));
    for (int k = 0; k < kLaunches; ++k) tableLookupTex<<<660, 448>>>(tex, entries, dq.p, dout.p, n);
    CHECK(cudaGetLastError());
    bool ok = close(dout.get(), ref, 1e-5, 1e-6);
    CHECK(cudaDestroyTextureObject(tex));
    return ok;
}

int main() {
    struct Case {
        const char* name;
        bool (*run)();
    };
    const Case cases[] = {
        {"gatherWeighted", testGather},     {"scatterParticles", testScatter}, {"csrSpmvSubwarp", testCsr},
        {"ellSpmv", testEll},               {"histBytesShared", testHistShared}, {"histEnergyGlobal", testHistGlobal},
        {"bfsExpand", testBfs},             {"relaxEdges", testRelax},         {"hashInsert", testHashInsert},
        {"hashProbe", testHashProbe},       {"cellMaxCas", testCellMax},       {"cellListPush", testListPush},
        {"tallyEvents", testTally},         {"bitonicTiles", testBitonic},     {"radixRank", testRadixRank},
        {"triadF64", testTriad},            {"scaleShiftVec4", testScaleShift}, {"argminEnergy", testArgmin},
        {"softmaxRows", testSoftmax},       {"layerNormWarp", testLayerNorm},  {"heat2dTiled", testHeat2d},
        {"laplace3dMarch", testLaplace3d},  {"segmentScan", testSegmentScan},  {"lookbackScan", testLookback},
        {"compactAbove", testCompact},      {"escapeTime", testEscape},        {"latticeWalk", testWalk},
        {"rotateImageTex", testTex2d},      {"tableLookupTex", testTex1d},
    };
    int wrong = 0;
    for (const Case& c : cases) {
        bool ok = c.run();
        printf("%s: %s\n", c.name, ok ? "right" : "WRONG");
        fflush(stdout);
        wrong += !ok;
    }
    return wrong != 0;
}
