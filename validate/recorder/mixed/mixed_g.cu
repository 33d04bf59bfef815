// mixed_g.cu : 29 assorted GPU kernels with CPU references.
#include <cstdio>
#include <cstdlib>
#include <cstdint>
#include <cstring>
#include <cmath>
#include <vector>
#include <algorithm>
#include <functional>
#include <unordered_map>
#include <cuda_runtime.h>
#include <cuda_fp16.h>

typedef unsigned int u32;
typedef unsigned long long u64;

#define CK(x)                                                                          \
    do {                                                                               \
        cudaError_t e_ = (x);                                                          \
        if (e_ != cudaSuccess) {                                                       \
            fprintf(stderr, "%s:%d CUDA error: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); \
            exit(1);                                                                   \
        }                                                                              \
    } while (0)

// ------------------------------------------------------------------ harness
struct Rng {
    u64 s;
    explicit Rng(u64 seed) : s(seed * 0x9E3779B97F4A7C15ull + 0x1234567ull) {}
    u64 next64() {
        s += 0x9E3779B97F4A7C15ull;
        u64 z = s;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
        return z ^ (z >> 31);
    }
    u32 next32() { return (u32)(next64() >> 32); }
    u32 below(u32 n) { return (u32)(((u64)next32() * n) >> 32); }
    float uni() { return (float)(next64() >> 40) * (1.0f / 16777216.0f); }
    double unid() { return (double)(next64() >> 11) * (1.0 / 9007199254740992.0); }
    float range(float a, float b) { return a + (b - a) * uni(); }
    float gauss() {
        double a = unid(), b = unid();
        return (float)(sqrt(-2.0 * log(a + 1e-300)) * cos(6.283185307179586 * b));
    }
    // rank in [0,n) with P(k) ~ 1/(k+1)
    u32 zipf(u32 n) {
        u32 k = (u32)(exp(unid() * log((double)n + 1.0))) - 1u;
        return k >= n ? n - 1 : k;
    }
};

template <typename T>
static T* to_dev(const std::vector<T>& h) {
    T* d = nullptr;
    CK(cudaMalloc((void**)&d, h.size() * sizeof(T)));
    CK(cudaMemcpy(d, h.data(), h.size() * sizeof(T), cudaMemcpyHostToDevice));
    return d;
}
template <typename T>
static T* dev_zero(size_t n) {
    T* d = nullptr;
    CK(cudaMalloc((void**)&d, n * sizeof(T)));
    CK(cudaMemset(d, 0, n * sizeof(T)));
    return d;
}
template <typename T>
static std::vector<T> to_host(const T* d, size_t n) {
    std::vector<T> h(n);
    CK(cudaMemcpy(h.data(), d, n * sizeof(T), cudaMemcpyDeviceToHost));
    return h;
}
static void free_all() {}
template <typename T, typename... R>
static void free_all(T* p, R... r) {
    CK(cudaFree((void*)p));
    free_all(r...);
}
static int g_wrong = 0;
static void report(const char* name, bool ok) {
    printf("%s %s\n", name, ok ? "OK" : "WRONG");
    fflush(stdout);
    if (!ok) g_wrong++;
}
static bool near(double a, double b, double rtol, double atol) {
    return std::isfinite(a) && fabs(a - b) <= atol + rtol * fabs(b);
}
static const int NREP = 4;
#define SYNC()                          \
    do {                                \
        CK(cudaGetLastError());         \
        CK(cudaDeviceSynchronize());    \
    } while (0)

// power-law directed graph in CSR form; n must be a power of two
static void make_graph(u32 n, double dmin, double alpha, u32 maxdeg, u64 seed,
                       std::vector<int>& row, std::vector<int>& col) {
    Rng r(seed);
    row.assign(n + 1, 0);
    for (u32 i = 0; i < n; i++) {
        double d = dmin * pow(1.0 - r.unid(), -1.0 / (alpha - 1.0));
        if (d > maxdeg) d = maxdeg;
        row[i + 1] = row[i] + (int)d;
    }
    col.resize(row[n]);
    for (size_t e = 0; e < col.size(); e++) {
        double u = r.unid();
        u32 v = (u32)(u * u * n);
        col[e] = (int)((v * 2654435761u) & (n - 1));
    }
    for (u32 i = 0; i < n; i++) std::sort(col.begin() + row[i], col.begin() + row[i + 1]);
}

// ------------------------------------------------------------------ 1. BFS top-down step, one warp per frontier vertex
__global__ void bfs_topdown_expand(const int* __restrict__ row, const int* __restrict__ col,
                                   const int* __restrict__ frontier, int nfront, int level,
                                   int* dist, int* next, int* next_count) {
    const int lane = threadIdx.x & 31;
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    if (warp >= nfront) return;
    const int u = frontier[warp];
    const int beg = row[u], end = row[u + 1];
    for (int base = beg; base < end; base += 32) {
        int e = base + lane;
        bool fresh = false;
        int v = -1;
        if (e < end) {
            v = col[e];
            if (dist[v] < 0) fresh = (atomicCAS(&dist[v], -1, level + 1) == -1);
        }
        unsigned m = __ballot_sync(0xffffffffu, fresh);
        if (m) {
            int leader = __ffs(m) - 1;
            int pos = 0;
            if (lane == leader) pos = atomicAdd(next_count, __popc(m));
            pos = __shfl_sync(0xffffffffu, pos, leader);
            if (fresh) next[pos + __popc(m & ((1u << lane) - 1u))] = v;
        }
    }
}

static void test_bfs() {
    const u32 n = 1u << 18;
    std::vector<int> row, col;
    make_graph(n, 6.0, 2.3, 1500, 11, row, col);
    // host BFS for a couple of levels from a few seeds, until the frontier is big
    std::vector<int> dist(n, -1), front, nxt;
    Rng r(5);
    for (int i = 0; i < 64; i++) {
        int s = (int)r.below(n);
        if (dist[s] < 0) { dist[s] = 0; front.push_back(s); }
    }
    int level = 0;
    while (front.size() < 12000) {
        nxt.clear();
        for (int u : front)
            for (int e = row[u]; e < row[u + 1]; e++)
                if (dist[col[e]] < 0) { dist[col[e]] = level + 1; nxt.push_back(col[e]); }
        if (nxt.empty()) break;
        front.swap(nxt);
        level++;
    }
    std::vector<int> ref = dist, refnext;
    for (int u : front)
        for (int e = row[u]; e < row[u + 1]; e++)
            if (ref[col[e]] < 0) { ref[col[e]] = level + 1; refnext.push_back(col[e]); }
    int *drow = to_dev(row), *dcol = to_dev(col), *dfr = to_dev(front), *dd = to_dev(dist);
    int *dn = dev_zero<int>(n), *dc = dev_zero<int>(1);
    int nf = (int)front.size();
    for (int it = 0; it < NREP; it++) {
        CK(cudaMemcpy(dd, dist.data(), n * sizeof(int), cudaMemcpyHostToDevice));
        CK(cudaMemset(dc, 0, sizeof(int)));
        bfs_topdown_expand<<<(nf * 32 + 255) / 256, 256>>>(drow, dcol, dfr, nf, level, dd, dn, dc);
        CK(cudaGetLastError());
    }
    SYNC();
    std::vector<int> gd = to_host(dd, n);
    int cnt = to_host(dc, 1)[0];
    bool ok = gd == ref && cnt == (int)refnext.size();
    if (ok) {
        std::vector<int> gn = to_host(dn, (size_t)cnt);
        std::sort(gn.begin(), gn.end());
        std::sort(refnext.begin(), refnext.end());
        ok = gn == refnext;
    }
    report("bfs_topdown_expand", ok);
    free_all(drow, dcol, dfr, dd, dn, dc);
}

// ------------------------------------------------------------------ 2. min-label propagation (pull), 8 lanes per vertex
__global__ void __launch_bounds__(256)
label_prop_min_pull(const int* __restrict__ row, const int* __restrict__ col,
                    const int* __restrict__ lab_in, int* __restrict__ lab_out,
                    int* changed, int n) {
    const int sub = threadIdx.x & 7;
    const int v = blockIdx.x * 32 + (threadIdx.x >> 3);
    int best = 0x7fffffff, old = 0x7fffffff;
    if (v < n) {
        old = lab_in[v];
        best = old;
        for (int e = row[v] + sub; e < row[v + 1]; e += 8) best = min(best, lab_in[col[e]]);
    }
    for (int o = 4; o > 0; o >>= 1) best = min(best, __shfl_xor_sync(0xffffffffu, best, o, 8));
    int ch = 0;
    if (v < n && sub == 0) {
        lab_out[v] = best;
        ch = best < old;
    }
    int total = __syncthreads_count(ch);
    if (threadIdx.x == 0 && total) atomicAdd(changed, total);
}

static void test_label_prop() {
    const u32 n = 1u << 17;
    std::vector<int> row, col, lab(n), ref(n);
    make_graph(n, 5.0, 2.5, 600, 21, row, col);
    Rng r(22);
    for (u32 i = 0; i < n; i++) lab[i] = (int)r.below(n);
    int refch = 0;
    for (u32 v = 0; v < n; v++) {
        int b = lab[v];
        for (int e = row[v]; e < row[v + 1]; e++) b = std::min(b, lab[col[e]]);
        ref[v] = b;
        refch += b < lab[v];
    }
    int *drow = to_dev(row), *dcol = to_dev(col), *din = to_dev(lab), *dout = dev_zero<int>(n), *dch = dev_zero<int>(1);
    for (int it = 0; it < NREP; it++) {
        label_prop_min_pull<<<(n + 31) / 32, 256>>>(drow, dcol, din, dout, dch, (int)n);
        CK(cudaGetLastError());
    }
    SYNC();
    bool ok = to_host(dout, n) == ref && to_host(dch, 1)[0] == refch * NREP;
    report("label_prop_min_pull", ok);
    free_all(drow, dcol, din, dout, dch);
}

// ------------------------------------------------------------------ 3. triangle counting, warps draw vertex tickets
#define TC_GRAIN 4
__global__ void triangle_count_ticket(const int* __restrict__ row, const int* __restrict__ col, int n,
                                      int* ticket, u64* total) {
    const int lane = threadIdx.x & 31;
    unsigned cnt = 0;
    for (;;) {
        int t = 0;
        if (lane == 0) t = atomicAdd(ticket, TC_GRAIN);
        t = __shfl_sync(0xffffffffu, t, 0);
        if (t >= n) break;
        const int lim = min(t + TC_GRAIN, n);
        for (int u = t; u < lim; u++) {
            const int ub = row[u], ue = row[u + 1];
            for (int e = ub; e < ue; e++) {
                const int v = col[e];
                const int vb = row[v], ve = row[v + 1];
                for (int k = vb + lane; k < ve; k += 32) {
                    const int w = col[k];
                    int lo = ub, hi = ue;
                    while (lo < hi) {
                        int mid = (lo + hi) >> 1;
                        if (col[mid] < w) lo = mid + 1; else hi = mid;
                    }
                    if (lo < ue && col[lo] == w) cnt++;
                }
            }
        }
    }
    for (int o = 16; o > 0; o >>= 1) cnt += __shfl_down_sync(0xffffffffu, cnt, o);
    if (lane == 0 && cnt) atomicAdd(total, (u64)cnt);
}

static void test_triangles() {
    const u32 n = 1u << 15;
    std::vector<int> row, col;
    make_graph(n, 5.0, 2.4, 800, 31, row, col);
    std::vector<std::pair<int, int>> ed;
    for (u32 u = 0; u < n; u++)
        for (int e = row[u]; e < row[u + 1]; e++) {
            int v = col[e];
            if ((int)u != v) ed.push_back({std::min((int)u, v), std::max((int)u, v)});
        }
    std::sort(ed.begin(), ed.end());
    ed.erase(std::unique(ed.begin(), ed.end()), ed.end());
    std::vector<int> deg(n, 0);
    for (auto& p : ed) { deg[p.first]++; deg[p.second]++; }
    for (auto& p : ed)
        if (deg[p.first] > deg[p.second]) std::swap(p.first, p.second);
    std::sort(ed.begin(), ed.end());
    std::vector<int> orow(n + 1, 0), ocol(ed.size());
    for (auto& p : ed) orow[p.first + 1]++;
    for (u32 i = 0; i < n; i++) orow[i + 1] += orow[i];
    for (size_t i = 0; i < ed.size(); i++) ocol[i] = ed[i].second;
    u64 ref = 0;
    for (u32 u = 0; u < n; u++)
        for (int e = orow[u]; e < orow[u + 1]; e++) {
            int v = ocol[e], i = orow[u], j = orow[v];
            while (i < orow[u + 1] && j < orow[v + 1]) {
                if (ocol[i] < ocol[j]) i++;
                else if (ocol[i] > ocol[j]) j++;
                else { ref++; i++; j++; }
            }
        }
    int *drow = to_dev(orow), *dcol = to_dev(ocol), *dt = dev_zero<int>(1);
    u64* dtot = dev_zero<u64>(1);
    for (int it = 0; it < NREP; it++) {
        CK(cudaMemset(dt, 0, sizeof(int)));
        triangle_count_ticket<<<132 * 6, 192>>>(drow, dcol, (int)n, dt, dtot);
        CK(cudaGetLastError());
    }
    SYNC();
    report("triangle_count_ticket", to_host(dtot, 1)[0] == ref * NREP);
    free_all(drow, dcol, dt, dtot);
}

// ------------------------------------------------------------------ 4. CSR SpMV, 8 lanes per row
__global__ void csr_spmv_subwarp8(const int* __restrict__ row, const int* __restrict__ col,
                                  const float* __restrict__ val, const float* __restrict__ x,
                                  float* __restrict__ y, int nrows) {
    const int tid = blockIdx.x * blockDim.x + threadIdx.x;
    const int r = tid >> 3, sub = tid & 7;
    float s = 0.f;
    if (r < nrows) {
        const int end = __ldg(row + r + 1);
        for (int e = __ldg(row + r) + sub; e < end; e += 8) s += val[e] * __ldg(x + col[e]);
    }
    s += __shfl_xor_sync(0xffffffffu, s, 4);
    s += __shfl_xor_sync(0xffffffffu, s, 2);
    s += __shfl_xor_sync(0xffffffffu, s, 1);
    if (r < nrows && sub == 0) y[r] = s;
}

static void test_spmv() {
    const int n = 120000;
    Rng r(41);
    std::vector<int> row(n + 1, 0), col;
    std::vector<float> val, x(n);
    for (int i = 0; i < n; i++) {
        x[i] = r.range(-1.f, 1.f);
        int d = 12 + (int)r.below(25);
        for (int k = 0; k < d; k++) {
            int c;
            if (k < d * 3 / 4) c = i - 200 + (int)r.below(401);   // near the diagonal
            else c = (int)r.below(n);                               // long-range coupling
            c = std::max(0, std::min(n - 1, c));
            col.push_back(c);
            val.push_back(r.range(-1.f, 1.f));
        }
        row[i + 1] = (int)col.size();
        std::sort(col.begin() + row[i], col.end());
    }
    int *drow = to_dev(row), *dcol = to_dev(col);
    float *dv = to_dev(val), *dx = to_dev(x), *dy = dev_zero<float>(n);
    for (int it = 0; it < NREP; it++) {
        csr_spmv_subwarp8<<<(n * 8 + 127) / 128, 128>>>(drow, dcol, dv, dx, dy, n);
        CK(cudaGetLastError());
    }
    SYNC();
    std::vector<float> y = to_host(dy, n);
    bool ok = true;
    for (int i = 0; i < n && ok; i++) {
        double s = 0;
        for (int e = row[i]; e < row[i + 1]; e++) s += (double)val[e] * x[col[e]];
        ok = near(y[i], s, 1e-4, 1e-4);
    }
    report("csr_spmv_subwarp8", ok);
    free_all(drow, dcol, dv, dx, dy);
}

// ------------------------------------------------------------------ 5. CSR SpMM with 32 dense columns, warp per row
__global__ void csr_spmm_n32(const int* __restrict__ row, const int* __restrict__ col,
                             const float* __restrict__ val, const float* __restrict__ B,
                             float* __restrict__ C, int nrows) {
    const int lane = threadIdx.x;
    for (int r = blockIdx.x * blockDim.y + threadIdx.y; r < nrows; r += gridDim.x * blockDim.y) {
        const int beg = row[r], end = row[r + 1];
        float acc = 0.f;
        for (int base = beg; base < end; base += 32) {
            int c = 0;
            float v = 0.f;
            if (base + lane < end) {
                c = col[base + lane];
                v = val[base + lane];
            }
            const int m = min(32, end - base);
            for (int k = 0; k < m; k++) {
                int ck = __shfl_sync(0xffffffffu, c, k);
                float vk = __shfl_sync(0xffffffffu, v, k);
                acc += vk * B[ck * 32 + lane];
            }
        }
        C[r * 32 + lane] = acc;
    }
}

static void test_spmm() {
    const u32 n = 1u << 15;
    std::vector<int> row, col;
    make_graph(n, 8.0, 2.3, 400, 51, row, col);
    Rng r(52);
    std::vector<float> val(col.size()), B((size_t)n * 32);
    for (auto& v : val) v = r.range(-1.f, 1.f);
    for (auto& v : B) v = r.range(-1.f, 1.f);
    int *drow = to_dev(row), *dcol = to_dev(col);
    float *dv = to_dev(val), *dB = to_dev(B), *dC = dev_zero<float>((size_t)n * 32);
    dim3 blk(32, 8);
    for (int it = 0; it < NREP; it++) {
        csr_spmm_n32<<<132 * 8, blk>>>(drow, dcol, dv, dB, dC, (int)n);
        CK(cudaGetLastError());
    }
    SYNC();
    std::vector<float> C = to_host(dC, (size_t)n * 32);
    bool ok = true;
    for (u32 i = 0; i < n && ok; i++) {
        double s[32] = {0};
        for (int e = row[i]; e < row[i + 1]; e++)
            for (int j = 0; j < 32; j++) s[j] += (double)val[e] * B[(size_t)col[e] * 32 + j];
        for (int j = 0; j < 32; j++) ok = ok && near(C[(size_t)i * 32 + j], s[j], 1e-4, 2e-4);
    }
    report("csr_spmm_n32", ok);
    free_all(drow, dcol, dv, dB, dC);
}

// ------------------------------------------------------------------ 6. hash table insert-or-increment, linear probing
#define HT_EMPTY 0xffffffffu
__host__ __device__ inline u32 mix32(u32 k) {
    k ^= k >> 16;
    k *= 0x85ebca6bu;
    k ^= k >> 13;
    k *= 0xc2b2ae35u;
    k ^= k >> 16;
    return k;
}
__global__ void hash_count_insert_linear(const u32* __restrict__ keys, int n, u32* tkeys, u32* tcnt, u32 mask) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const u32 k = keys[i];
    u32 s = mix32(k) & mask;
    while (true) {
        u32 cur = tkeys[s];
        if (cur == HT_EMPTY) cur = atomicCAS(&tkeys[s], HT_EMPTY, k), cur = (cur == HT_EMPTY) ? k : cur;
        if (cur == k) {
            atomicAdd(&tcnt[s], 1u);
            return;
        }
        s = (s + 1) & mask;
    }
}

static void test_hash_insert() {
    const int n = 1000000;
    const u32 slots = 1u << 19;
    Rng r(61);
    std::vector<u32> keys(n);
    for (auto& k : keys) {
        // three quarters of the keys nearly uniform over 300k users, the rest very skewed
        u32 id = (r.below(4) != 0) ? r.below(300000) : r.zipf(300000);
        k = id * 2246822519u & 0x7fffffffu;
    }
    std::unordered_map<u32, u32> ref;
    ref.reserve(600000);
    for (u32 k : keys) ref[k]++;
    u32 *dk = to_dev(keys), *tk = dev_zero<u32>(slots), *tc = dev_zero<u32>(slots);
    for (int it = 0; it < NREP; it++) {
        CK(cudaMemset(tk, 0xff, slots * sizeof(u32)));
        CK(cudaMemset(tc, 0, slots * sizeof(u32)));
        hash_count_insert_linear<<<(n + 383) / 384, 384>>>(dk, n, tk, tc, slots - 1);
        CK(cudaGetLastError());
    }
    SYNC();
    std::vector<u32> hk = to_host(tk, slots), hc = to_host(tc, slots);
    size_t used = 0;
    bool ok = true;
    for (u32 s = 0; s < slots && ok; s++)
        if (hk[s] != HT_EMPTY) {
            used++;
            auto f = ref.find(hk[s]);
            ok = f != ref.end() && f->second == hc[s];
        } else ok = hc[s] == 0;
    report("hash_count_insert_linear", ok && used == ref.size());
    free_all(dk, tk, tc);
}

// ------------------------------------------------------------------ 7. hash join, probe side with block-aggregated output
__global__ void __launch_bounds__(512)
join_probe_emit(const u32* __restrict__ fk, int n, const uint2* __restrict__ table, u32 mask,
                uint2* __restrict__ out, int* out_count) {
    __shared__ int wcnt[16];
    __shared__ int base;
    const int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
    const int i = blockIdx.x * 512 + threadIdx.x;
    bool hit = false;
    u32 payload = 0;
    if (i < n) {
        const u32 k = fk[i];
        u32 s = mix32(k) & mask;
        for (;;) {
            uint2 e = table[s];
            if (e.x == HT_EMPTY) break;
            if (e.x == k) { hit = true; payload = e.y; break; }
            s = (s + 1) & mask;
        }
    }
    unsigned m = __ballot_sync(0xffffffffu, hit);
    if (lane == 0) wcnt[w] = __popc(m);
    __syncthreads();
    if (w == 0) {
        int c = lane < 16 ? wcnt[lane] : 0;
        int inc = c;
        for (int o = 1; o < 16; o <<= 1) {
            int t = __shfl_up_sync(0xffffffffu, inc, o);
            if (lane >= o) inc += t;
        }
        if (lane < 16) wcnt[lane] = inc - c;
        if (lane == 15) base = atomicAdd(out_count, inc);
    }
    __syncthreads();
    if (hit) out[base + wcnt[w] + __popc(m & ((1u << lane) - 1u))] = make_uint2((u32)i, payload);
}

static void test_join() {
    const int n = 2000000, nb = 250000;
    const u32 slots = 1u << 19;
    Rng r(71);
    std::vector<uint2> tab(slots, make_uint2(HT_EMPTY, 0));
    std::vector<u32> bkeys(nb);
    for (int i = 0; i < nb; i++) {
        u32 k = (u32)i * 8u + 1u;   // sparse order keys
        bkeys[i] = k;
        u32 s = mix32(k) & (slots - 1);
        while (tab[s].x != HT_EMPTY) s = (s + 1) & (slots - 1);
        tab[s] = make_uint2(k, r.next32());
    }
    std::vector<u32> fk(n), ref(n, 0);
    std::vector<char> hit(n, 0);
    int refc = 0;
    for (int i = 0; i < n; i++) {
        u32 k = bkeys[r.below(nb)];
        if (r.below(100) >= 40) k += 2 + r.below(4);   // misses
        fk[i] = k;
        u32 s = mix32(k) & (slots - 1);
        while (tab[s].x != HT_EMPTY && tab[s].x != k) s = (s + 1) & (slots - 1);
        if (tab[s].x == k) { hit[i] = 1; ref[i] = tab[s].y; refc++; }
    }
    u32* dfk = to_dev(fk);
    uint2 *dt = to_dev(tab), *dout = dev_zero<uint2>(n);
    int* dc = dev_zero<int>(1);
    for (int it = 0; it < NREP; it++) {
        CK(cudaMemset(dc, 0, sizeof(int)));
        join_probe_emit<<<(n + 511) / 512, 512>>>(dfk, n, dt, slots - 1, dout, dc);
        CK(cudaGetLastError());
    }
    SYNC();
    int c = to_host(dc, 1)[0];
    bool ok = c == refc;
    if (ok) {
        std::vector<uint2> o = to_host(dout, (size_t)c);
        for (int i = 0; i < c && ok; i++) {
            ok = o[i].x < (u32)n && hit[o[i].x] == 1 && ref[o[i].x] == o[i].y;
            if (ok) hit[o[i].x] = 2;
        }
    }
    report("join_probe_emit", ok);
    free_all(dfk, dt, dout, dc);
}

// ------------------------------------------------------------------ 8. filter over columns, warp-aggregated compaction + revenue sum
__device__ __forceinline__ int warp_agg_slot(int* ctr, bool want) {
    const unsigned m = __ballot_sync(0xffffffffu, want);
    const int lane = threadIdx.x & 31;
    int b = 0;
    if (lane == 0 && m) b = atomicAdd(ctr, __popc(m));
    b = __shfl_sync(0xffffffffu, b, 0);
    return b + __popc(m & ((1u << lane) - 1u));
}
__global__ void lineitem_filter_compact(const unsigned short* __restrict__ shipdate, const unsigned char* __restrict__ discount,
                                        const unsigned char* __restrict__ qty, const float* __restrict__ price, int n,
                                        int d0, int d1, int* __restrict__ rows, int* nrows, double* revenue) {
    __shared__ double part[16];
    const int stride = gridDim.x * blockDim.x;
    double rev = 0.0;
    for (int b = blockIdx.x * blockDim.x; b < n; b += stride) {
        const int i = b + threadIdx.x;
        bool p = false;
        if (i < n) {
            const int d = shipdate[i];
            if (d >= d0 && d < d1) {
                const int disc = discount[i];
                if (disc >= 5 && disc <= 7 && qty[i] < 24) {
                    p = true;
                    rev += (double)price[i] * (0.01 * disc);
                }
            }
        }
        const int slot = warp_agg_slot(nrows, p);
        if (p) rows[slot] = i;
    }
    for (int o = 16; o > 0; o >>= 1) rev += __shfl_down_sync(0xffffffffu, rev, o);
    if ((threadIdx.x & 31) == 0) part[threadIdx.x >> 5] = rev;
    __syncthreads();
    if (threadIdx.x == 0) {
        double s = 0.0;
        for (int w = 0; w < (int)(blockDim.x >> 5); w++) s += part[w];
        atomicAdd(revenue, s);
    }
}

static void test_filter() {
    const int n = 6000000;
    Rng r(81);
    std::vector<unsigned short> sd(n);
    std::vector<unsigned char> di(n), q(n);
    std::vector<float> pr(n);
    std::vector<int> ref;
    double rrev = 0;
    const int d0 = 730, d1 = 1460;
    for (int i = 0; i < n; i++) {
        sd[i] = (unsigned short)r.below(2526);
        di[i] = (unsigned char)r.below(11);
        q[i] = (unsigned char)(1 + r.below(50));
        pr[i] = (float)q[i] * r.range(900.f, 2100.f);
        if (sd[i] >= d0 && sd[i] < d1 && di[i] >= 5 && di[i] <= 7 && q[i] < 24) {
            ref.push_back(i);
            rrev += (double)pr[i] * (0.01 * di[i]);
        }
    }
    unsigned short* dsd = to_dev(sd);
    unsigned char *ddi = to_dev(di), *dq = to_dev(q);
    float* dp = to_dev(pr);
    int *drows = dev_zero<int>(n), *dc = dev_zero<int>(1);
    double* drev = dev_zero<double>(1);
    for (int it = 0; it < NREP; it++) {
        CK(cudaMemset(dc, 0, sizeof(int)));
        lineitem_filter_compact<<<132 * 4, 512>>>(dsd, ddi, dq, dp, n, d0, d1, drows, dc, drev);
        CK(cudaGetLastError());
    }
    SYNC();
    int c = to_host(dc, 1)[0];
    bool ok = c == (int)ref.size() && near(to_host(drev, 1)[0], rrev * NREP, 1e-9, 0);
    if (ok) {
        std::vector<int> o = to_host(drows, (size_t)c);
        std::sort(o.begin(), o.end());
        ok = o == ref;
    }
    report("lineitem_filter_compact", ok);
    free_all(dsd, ddi, dq, dp, drows, dc, drev);
}

// ------------------------------------------------------------------ 9. luma histogram with one replica per warp
__global__ void luma_histogram_warp_replicas(const uchar4* __restrict__ img, int npix, u32* hist) {
    extern __shared__ u32 sh_hist[];   // warps * 257
    const int nw = blockDim.x >> 5;
    for (int i = threadIdx.x; i < nw * 257; i += blockDim.x) sh_hist[i] = 0;
    __syncthreads();
    u32* mine = sh_hist + (threadIdx.x >> 5) * 257;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < npix; i += gridDim.x * blockDim.x) {
        uchar4 p = img[i];
        int y = (p.x * 77 + p.y * 150 + p.z * 29) >> 8;
        atomicAdd(&mine[y], 1u);
    }
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x) {
        u32 s = 0;
        for (int w = 0; w < nw; w++) s += sh_hist[w * 257 + b];
        if (s) atomicAdd(&hist[b], s);
    }
}

static void test_hist() {
    const int W = 2560, H = 1440, n = W * H;
    Rng r(91);
    std::vector<uchar4> img(n);
    std::vector<u32> ref(256, 0);
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            // flat sky on top, smooth gradient below, plus noise
            float b = y < H / 2 ? 225.f : 40.f + 90.f * x / W;
            float nz = (y < H / 2 ? 2.f : 14.f) * (r.uni() + r.uni() - 1.f);
            auto cl = [](float v) { return (unsigned char)std::max(0.f, std::min(255.f, v)); };
            uchar4 p = make_uchar4(cl(b + nz), cl(b * 0.95f + nz), cl(b * 1.05f + nz), 255);
            img[(size_t)y * W + x] = p;
            ref[(p.x * 77 + p.y * 150 + p.z * 29) >> 8] += NREP;
        }
    uchar4* di = to_dev(img);
    u32* dh = dev_zero<u32>(256);
    const int threads = 256;
    for (int it = 0; it < NREP; it++) {
        luma_histogram_warp_replicas<<<132 * 6, threads, (threads / 32) * 257 * sizeof(u32)>>>(di, n, dh);
        CK(cudaGetLastError());
    }
    SYNC();
    report("luma_histogram_warp_replicas", to_host(dh, 256) == ref);
    free_all(di, dh);
}

// ------------------------------------------------------------------ 10. LSD radix pass (4 bits): stable scatter
#define RS_ROUNDS 8
__global__ void radix_scatter_4bit(const u32* __restrict__ in, u32* __restrict__ out,
                                   const u32* __restrict__ block_base, int shift, int n) {
    __shared__ u32 wc[8][16];
    __shared__ u32 run[16];
    const int tid = threadIdx.x, lane = tid & 31, w = tid >> 5;
    if (tid < 16) run[tid] = block_base[tid * gridDim.x + blockIdx.x];
    const int tile = blockIdx.x * 256 * RS_ROUNDS;
    for (int rd = 0; rd < RS_ROUNDS; rd++) {
        if (tid < 128) ((u32*)wc)[tid] = 0;
        __syncthreads();
        const int i = tile + rd * 256 + tid;
        const bool valid = i < n;
        const u32 k = valid ? in[i] : 0u;
        const int d = valid ? (int)((k >> shift) & 15u) : 16;
        const unsigned peers = __match_any_sync(0xffffffffu, d);
        const int rank = __popc(peers & ((1u << lane) - 1u));
        if (valid && rank == 0) wc[w][d] = __popc(peers);
        __syncthreads();
        if (tid < 16) {
            u32 acc = run[tid];
#pragma unroll
            for (int q = 0; q < 8; q++) {
                u32 c = wc[q][tid];
                wc[q][tid] = acc;
                acc += c;
            }
            run[tid] = acc;
        }
        __syncthreads();
        if (valid) out[wc[w][d] + rank] = k;
        __syncthreads();
    }
}

static void test_radix() {
    const int n = 3000000, per = 256 * RS_ROUNDS, nb = (n + per - 1) / per, shift = 8;
    Rng r(101);
    std::vector<u32> in(n), base((size_t)16 * nb, 0), ref(n);
    for (auto& k : in) k = (r.below(3) == 0) ? (r.zipf(1u << 20) << 4) : r.next32();
    for (int i = 0; i < n; i++) base[(size_t)((in[i] >> shift) & 15) * nb + i / per]++;
    u32 acc = 0;
    for (auto& b : base) { u32 c = b; b = acc; acc += c; }
    {
        std::vector<u32> start(16);
        for (int d = 0; d < 16; d++) start[d] = base[(size_t)d * nb];
        for (int i = 0; i < n; i++) ref[start[(in[i] >> shift) & 15]++] = in[i];
    }
    u32 *di = to_dev(in), *db = to_dev(base), *dout = dev_zero<u32>(n);
    for (int it = 0; it < NREP; it++) {
        radix_scatter_4bit<<<nb, 256>>>(di, dout, db, shift, n);
        CK(cudaGetLastError());
    }
    SYNC();
    report("radix_scatter_4bit", to_host(dout, n) == ref);
    free_all(di, db, dout);
}

// ------------------------------------------------------------------ 11. bitonic sort of (key,value) tiles in shared memory
#define BT_TILE 2048
__global__ void __launch_bounds__(1024)
bitonic_tile_sort_kv(const float* __restrict__ kin, const u32* __restrict__ vin,
                     float* __restrict__ kout, u32* __restrict__ vout) {
    __shared__ float sk[BT_TILE];
    __shared__ u32 sv[BT_TILE];
    const int t = threadIdx.x;
    const size_t base = (size_t)blockIdx.x * BT_TILE;
    sk[t] = kin[base + t];
    sk[t + 1024] = kin[base + t + 1024];
    sv[t] = vin[base + t];
    sv[t + 1024] = vin[base + t + 1024];
    for (int size = 2; size <= BT_TILE; size <<= 1) {
        for (int stride = size >> 1; stride > 0; stride >>= 1) {
            __syncthreads();
            const int lo = 2 * t - (t & (stride - 1));
            const int hi = lo + stride;
            const bool up = (lo & size) == 0;
            const float a = sk[lo], b = sk[hi];
            if ((a > b) == up) {
                sk[lo] = b;
                sk[hi] = a;
                u32 tv = sv[lo];
                sv[lo] = sv[hi];
                sv[hi] = tv;
            }
        }
    }
    __syncthreads();
    kout[base + t] = sk[t];
    kout[base + t + 1024] = sk[t + 1024];
    vout[base + t] = sv[t];
    vout[base + t + 1024] = sv[t + 1024];
}

static void test_bitonic() {
    const int tiles = 400, n = tiles * BT_TILE;
    Rng r(111);
    std::vector<float> k(n);
    std::vector<u32> v(n);
    for (int i = 0; i < n; i++) { k[i] = r.gauss(); v[i] = (u32)i; }
    float *dk = to_dev(k), *ok_ = dev_zero<float>(n);
    u32 *dv = to_dev(v), *ov = dev_zero<u32>(n);
    for (int it = 0; it < NREP; it++) {
        bitonic_tile_sort_kv<<<tiles, 1024>>>(dk, dv, ok_, ov);
        CK(cudaGetLastError());
    }
    SYNC();
    std::vector<float> gk = to_host(ok_, n), ref = k;
    std::vector<u32> gv = to_host(ov, n);
    for (int t = 0; t < tiles; t++) std::sort(ref.begin() + t * BT_TILE, ref.begin() + (t + 1) * BT_TILE);
    std::vector<char> seen(n, 0);
    bool ok = gk == ref;
    for (int i = 0; i < n && ok; i++) {
        ok = gv[i] < (u32)n && !seen[gv[i]] && k[gv[i]] == gk[i];
        if (ok) seen[gv[i]] = 1;
    }
    report("bitonic_tile_sort_kv", ok);
    free_all(dk, dv, ok_, ov);
}

// ------------------------------------------------------------------ 12. batched 512-point FFT, radix-8 Stockham, 64 threads per transform
__device__ __forceinline__ float2 cadd(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ __forceinline__ float2 csub(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
__device__ __forceinline__ float2 cmul(float2 a, float2 b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
__device__ __forceinline__ float2 mul_mi(float2 a) { return make_float2(a.y, -a.x); }   // times -i
__device__ __forceinline__ void dft4(float2& a, float2& b, float2& c, float2& d) {
    float2 s0 = cadd(a, c), s1 = csub(a, c), s2 = cadd(b, d), s3 = mul_mi(csub(b, d));
    a = cadd(s0, s2);
    b = cadd(s1, s3);
    c = csub(s0, s2);
    d = csub(s1, s3);
}
__device__ __forceinline__ void dft8(float2* v) {
    float2 e0 = v[0], e1 = v[2], e2 = v[4], e3 = v[6];
    float2 o0 = v[1], o1 = v[3], o2 = v[5], o3 = v[7];
    dft4(e0, e1, e2, e3);
    dft4(o0, o1, o2, o3);
    const float h = 0.70710678118654752f;
    o1 = cmul(o1, make_float2(h, -h));
    o2 = mul_mi(o2);
    o3 = cmul(o3, make_float2(-h, -h));
    v[0] = cadd(e0, o0); v[4] = csub(e0, o0);
    v[1] = cadd(e1, o1); v[5] = csub(e1, o1);
    v[2] = cadd(e2, o2); v[6] = csub(e2, o2);
    v[3] = cadd(e3, o3); v[7] = csub(e3, o3);
}
__global__ void __launch_bounds__(64)
fft512_radix8_batched(const float2* __restrict__ in, float2* __restrict__ out) {
    __shared__ float2 sm[512 + 32];
    const int j = threadIdx.x;
    const float2* src = in + (size_t)blockIdx.x * 512;
    float2* dst = out + (size_t)blockIdx.x * 512;
    float2 v[8];
#pragma unroll
    for (int r = 0; r < 8; r++) v[r] = src[j + r * 64];
    dft8(v);
#pragma unroll
    for (int r = 0; r < 8; r++) { int p = j * 8 + r; sm[p + (p >> 4)] = v[r]; }
    __syncthreads();
#pragma unroll
    for (int r = 0; r < 8; r++) { int p = j + r * 64; v[r] = sm[p + (p >> 4)]; }
    {
        float s, c;
        __sincosf(-6.283185307f * (float)(j & 7) / 64.f, &s, &c);
        float2 w = make_float2(c, s), t = w;
#pragma unroll
        for (int r = 1; r < 8; r++) { v[r] = cmul(v[r], t); t = cmul(t, w); }
    }
    dft8(v);
    __syncthreads();
    {
        const int b = (j >> 3) * 64 + (j & 7);
#pragma unroll
        for (int r = 0; r < 8; r++) { int p = b + r * 8; sm[p + (p >> 4)] = v[r]; }
    }
    __syncthreads();
#pragma unroll
    for (int r = 0; r < 8; r++) { int p = j + r * 64; v[r] = sm[p + (p >> 4)]; }
    {
        float s, c;
        __sincosf(-6.283185307f * (float)j / 512.f, &s, &c);
        float2 w = make_float2(c, s), t = w;
#pragma unroll
        for (int r = 1; r < 8; r++) { v[r] = cmul(v[r], t); t = cmul(t, w); }
    }
    dft8(v);
#pragma unroll
    for (int r = 0; r < 8; r++) dst[j + r * 64] = v[r];
}

static void test_fft() {
    const int batch = 8192;
    const size_t n = (size_t)batch * 512;
    Rng r(121);
    std::vector<float2> a(n);
    for (auto& z : a) z = make_float2(r.range(-1.f, 1.f), r.range(-1.f, 1.f));
    float2 *da = to_dev(a), *db = dev_zero<float2>(n);
    for (int it = 0; it < NREP; it++) {
        fft512_radix8_batched<<<batch, 64>>>(da, db);
        CK(cudaGetLastError());
    }
    SYNC();
    std::vector<float2> b = to_host(db, n);
    std::vector<double> cs(512), sn(512);
    for (int k = 0; k < 512; k++) { cs[k] = cos(2 * M_PI * k / 512); sn[k] = -sin(2 * M_PI * k / 512); }
    bool ok = true;
    for (int bi = 0; bi < batch && ok; bi += 331)
        for (int k = 0; k < 512 && ok; k++) {
            double re = 0, im = 0;
            for (int t = 0; t < 512; t++) {
                const float2 z = a[(size_t)bi * 512 + t];
                int q = (k * t) & 511;
                re += z.x * cs[q] - z.y * sn[q];
                im += z.x * sn[q] + z.y * cs[q];
            }
            const float2 g = b[(size_t)bi * 512 + k];
            ok = near(g.x, re, 1e-3, 2e-3) && near(g.y, im, 1e-3, 2e-3);
        }
    report("fft512_radix8_batched", ok);
    free_all(da, db);
}

// ------------------------------------------------------------------ 13. single-pass inclusive scan with decoupled look-back
#define SC_THREADS 256
#define SC_ITEMS 16
#define SC_TILE (SC_THREADS * SC_ITEMS)
__global__ void __launch_bounds__(SC_THREADS)
scan_lookback_u32(const u32* __restrict__ in, u32* __restrict__ out, int n, int* ticket, volatile u64* state) {
    __shared__ int s_tile;
    __shared__ u32 s_warp[SC_THREADS / 32];
    __shared__ u32 s_prefix;
    __shared__ u32 s_data[SC_TILE + SC_TILE / 32];
    const int tid = threadIdx.x, lane = tid & 31, w = tid >> 5;
    if (tid == 0) s_tile = atomicAdd(ticket, 1);
    __syncthreads();
    const int tile = s_tile;
    const int base = tile * SC_TILE;
#pragma unroll
    for (int k = 0; k < SC_ITEMS; k++) {
        int p = k * SC_THREADS + tid;
        s_data[p + (p >> 5)] = (base + p < n) ? in[base + p] : 0u;
    }
    __syncthreads();
    u32 v[SC_ITEMS], sum = 0;
#pragma unroll
    for (int k = 0; k < SC_ITEMS; k++) {
        int p = tid * SC_ITEMS + k;
        sum += s_data[p + (p >> 5)];
        v[k] = sum;
    }
    u32 inc = sum;
    for (int o = 1; o < 32; o <<= 1) {
        u32 t = __shfl_up_sync(0xffffffffu, inc, o);
        if (lane >= o) inc += t;
    }
    if (lane == 31) s_warp[w] = inc;
    __syncthreads();
    u32 wexcl = 0, total = 0;
#pragma unroll
    for (int q = 0; q < SC_THREADS / 32; q++) {
        u32 c = s_warp[q];
        if (q < w) wexcl += c;
        total += c;
    }
    // state word: bits 63..32 flag (0 none, 1 aggregate, 2 inclusive prefix), bits 31..0 value
    if (w == 0) {
        if (lane == 0) state[tile] = ((u64)(tile == 0 ? 2 : 1) << 32) | total;
        u32 prefix = 0;
        if (tile > 0) {
            int look = tile - 1;
            for (;;) {
                const int idx = look - lane;
                u64 st;
                do {
                    st = idx >= 0 ? state[idx] : ((u64)2 << 32);
                } while (__any_sync(0xffffffffu, (st >> 32) == 0));
                const unsigned full = __ballot_sync(0xffffffffu, (st >> 32) == 2);
                const int stop = full ? __ffs(full) - 1 : 31;
                u32 x = lane <= stop ? (u32)st : 0u;
                x = __reduce_add_sync(0xffffffffu, x);
                prefix += x;
                if (full) break;
                look -= 32;
            }
            if (lane == 0) state[tile] = ((u64)2 << 32) | (u32)(prefix + total);
        }
        if (lane == 0) s_prefix = prefix;
    }
    __syncthreads();
    const u32 add = s_prefix + wexcl + inc - sum;
#pragma unroll
    for (int k = 0; k < SC_ITEMS; k++) {
        int p = tid * SC_ITEMS + k;
        s_data[p + (p >> 5)] = v[k] + add;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < SC_ITEMS; k++) {
        int p = k * SC_THREADS + tid;
        if (base + p < n) out[base + p] = s_data[p + (p >> 5)];
    }
}

static void test_scan() {
    const int n = 5000003, tiles = (n + SC_TILE - 1) / SC_TILE;
    Rng r(131);
    std::vector<u32> a(n), ref(n);
    u32 s = 0;
    for (int i = 0; i < n; i++) { a[i] = r.below(1000); s += a[i]; ref[i] = s; }
    u32 *da = to_dev(a), *db = dev_zero<u32>(n);
    int* dt = dev_zero<int>(1);
    u64* ds = dev_zero<u64>(tiles);
    for (int it = 0; it < NREP; it++) {
        CK(cudaMemset(dt, 0, sizeof(int)));
        CK(cudaMemset(ds, 0, tiles * sizeof(u64)));
        scan_lookback_u32<<<tiles, SC_THREADS>>>(da, db, n, dt, ds);
        CK(cudaGetLastError());
    }
    SYNC();
    report("scan_lookback_u32", to_host(db, n) == ref);
    free_all(da, db, dt, ds);
}

// ------------------------------------------------------------------ 14. GROUP BY with shared-memory partial aggregates
#define GB_GROUPS 1024
__global__ void groupby_sum_max_smem(const unsigned short* __restrict__ key, const int* __restrict__ amount, int n,
                                     u64* gsum, u32* gcount, int* gmax) {
    extern __shared__ u32 gb[];
    u32* scount = gb;
    u32* ssum = gb + GB_GROUPS;
    int* smax = (int*)(gb + 2 * GB_GROUPS);
    for (int i = threadIdx.x; i < GB_GROUPS; i += blockDim.x) {
        scount[i] = 0;
        ssum[i] = 0;
        smax[i] = -1;
    }
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const int k = key[i];
        const int a = amount[i];
        atomicAdd(&scount[k], 1u);
        atomicAdd(&ssum[k], (u32)a);
        if (a > smax[k]) atomicMax(&smax[k], a);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < GB_GROUPS; i += blockDim.x)
        if (scount[i]) {
            atomicAdd(&gcount[i], scount[i]);
            atomicAdd(&gsum[i], (u64)ssum[i]);
            atomicMax(&gmax[i], smax[i]);
        }
}

static void test_groupby() {
    const int n = 4000000;
    Rng r(141);
    std::vector<unsigned short> k(n);
    std::vector<int> a(n);
    std::vector<u64> rs(GB_GROUPS, 0);
    std::vector<u32> rc(GB_GROUPS, 0);
    std::vector<int> rm(GB_GROUPS, -1);
    for (int i = 0; i < n; i++) {
        u32 g = r.zipf(GB_GROUPS);
        k[i] = (unsigned short)((g * 389u) & (GB_GROUPS - 1));
        a[i] = (int)r.below(50000);
        rs[k[i]] += (u64)a[i] * NREP;
        rc[k[i]] += NREP;
        rm[k[i]] = std::max(rm[k[i]], a[i]);
    }
    unsigned short* dk = to_dev(k);
    int *da = to_dev(a), *dm = dev_zero<int>(GB_GROUPS);
    CK(cudaMemset(dm, 0xff, GB_GROUPS * sizeof(int)));
    u64* ds = dev_zero<u64>(GB_GROUPS);
    u32* dc = dev_zero<u32>(GB_GROUPS);
    for (int it = 0; it < NREP; it++) {
        groupby_sum_max_smem<<<132 * 2, 768, 3 * GB_GROUPS * sizeof(u32)>>>(dk, da, n, ds, dc, dm);
        CK(cudaGetLastError());
    }
    SYNC();
    bool ok = to_host(ds, GB_GROUPS) == rs && to_host(dc, GB_GROUPS) == rc && to_host(dm, GB_GROUPS) == rm;
    report("groupby_sum_max_smem", ok);
    free_all(dk, da, dm, ds, dc);
}

// ------------------------------------------------------------------ 15. UTF-8 code point and line counting
__global__ void utf8_count_codepoints_lines(const unsigned char* __restrict__ text, int nbytes, u64* out) {
    __shared__ int s_cp[32], s_nl[32];
    const int nvec = nbytes / 16;
    const uint4* p = (const uint4*)text;
    int cp = 0, nl = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < nvec; i += gridDim.x * blockDim.x) {
        const uint4 q = p[i];
        const u32 wds[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const u32 x = wds[k];
            // continuation byte: bit 7 set, bit 6 clear
            const u32 cont = (x >> 7) & ~(x >> 6) & 0x01010101u;
            cp += 4 - __popc(cont);
            nl += __popc(__vcmpeq4(x, 0x0a0a0a0au)) >> 3;
        }
    }
    if (blockIdx.x == 0 && threadIdx.x < (nbytes & 15)) {
        const unsigned char c = text[nvec * 16 + threadIdx.x];
        cp += (c & 0xc0) != 0x80;
        nl += c == '\n';
    }
    cp = __reduce_add_sync(0xffffffffu, cp);
    nl = __reduce_add_sync(0xffffffffu, nl);
    if ((threadIdx.x & 31) == 0) {
        s_cp[threadIdx.x >> 5] = cp;
        s_nl[threadIdx.x >> 5] = nl;
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        const bool in = threadIdx.x < (blockDim.x >> 5);
        cp = __reduce_add_sync(0xffffffffu, in ? s_cp[threadIdx.x] : 0);
        nl = __reduce_add_sync(0xffffffffu, in ? s_nl[threadIdx.x] : 0);
        if (threadIdx.x == 0) {
            atomicAdd(&out[0], (u64)cp);
            atomicAdd(&out[1], (u64)nl);
        }
    }
}

static void test_utf8() {
    const int target = 30000000;
    Rng r(151);
    std::vector<unsigned char> t;
    t.reserve(target + 8);
    u64 cps = 0, nls = 0;
    while ((int)t.size() < target) {
        u32 x = r.next32(), kind = x & 127;
        cps++;
        if (kind < 2) { t.push_back('\n'); nls++; }
        else if (kind < 90) t.push_back((unsigned char)(32 + ((x >> 8) % 95)));
        else if (kind < 110) { t.push_back(0xc3); t.push_back((unsigned char)(0x80 | ((x >> 8) & 63))); }
        else if (kind < 125) { t.push_back(0xe4); t.push_back((unsigned char)(0x80 | ((x >> 8) & 63))); t.push_back((unsigned char)(0x80 | ((x >> 16) & 63))); }
        else { t.push_back(0xf0); t.push_back(0x9f); t.push_back(0x98); t.push_back((unsigned char)(0x80 | ((x >> 8) & 63))); }
    }
    unsigned char* dt = to_dev(t);
    u64* dout = dev_zero<u64>(2);
    for (int it = 0; it < NREP; it++) {
        utf8_count_codepoints_lines<<<132 * 2, 1024>>>(dt, (int)t.size(), dout);
        CK(cudaGetLastError());
    }
    SYNC();
    std::vector<u64> o = to_host(dout, 2);
    report("utf8_count_codepoints_lines", o[0] == cps * NREP && o[1] == nls * NREP);
    free_all(dt, dout);
}

// ------------------------------------------------------------------ 16. base64 encoding, 3072 input bytes per block
__constant__ char c_b64[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
__global__ void base64_encode_tile(const u32* __restrict__ in, u32* __restrict__ out, int ntiles) {
    __shared__ u32 raw[768];
    __shared__ unsigned char tab[64];
    if (threadIdx.x < 64) tab[threadIdx.x] = (unsigned char)c_b64[threadIdx.x];
    for (int tile = blockIdx.x; tile < ntiles; tile += gridDim.x) {
        __syncthreads();
        for (int i = threadIdx.x; i < 768; i += blockDim.x) raw[i] = in[(size_t)tile * 768 + i];
        __syncthreads();
        const unsigned char* b = (const unsigned char*)raw;
        for (int g = threadIdx.x; g < 1024; g += blockDim.x) {
            const u32 x = ((u32)b[3 * g] << 16) | ((u32)b[3 * g + 1] << 8) | b[3 * g + 2];
            const u32 r = (u32)tab[x >> 18] | ((u32)tab[(x >> 12) & 63] << 8) |
                          ((u32)tab[(x >> 6) & 63] << 16) | ((u32)tab[x & 63] << 24);
            out[(size_t)tile * 1024 + g] = r;
        }
    }
}

static void test_base64() {
    const int ntiles = 6000;
    Rng r(161);
    std::vector<u32> in((size_t)ntiles * 768);
    for (auto& x : in) x = r.next32();
    std::vector<unsigned char> ref((size_t)ntiles * 4096);
    const char* T = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char* b = (const unsigned char*)in.data();
    for (size_t g = 0; g < (size_t)ntiles * 1024; g++) {
        u32 x = ((u32)b[3 * g] << 16) | ((u32)b[3 * g + 1] << 8) | b[3 * g + 2];
        ref[4 * g] = T[x >> 18];
        ref[4 * g + 1] = T[(x >> 12) & 63];
        ref[4 * g + 2] = T[(x >> 6) & 63];
        ref[4 * g + 3] = T[x & 63];
    }
    u32 *di = to_dev(in), *dout = dev_zero<u32>((size_t)ntiles * 1024);
    for (int it = 0; it < NREP; it++) {
        base64_encode_tile<<<132 * 12, 128>>>(di, dout, ntiles);
        CK(cudaGetLastError());
    }
    SYNC();
    std::vector<u32> o = to_host(dout, (size_t)ntiles * 1024);
    report("base64_encode_tile", memcmp(o.data(), ref.data(), ref.size()) == 0);
    free_all(di, dout);
}

// ------------------------------------------------------------------ 17. posting lists: bit-packed deltas, one warp per 128-value frame
__global__ void __launch_bounds__(128)
delta_bitunpack_frames(const u32* __restrict__ words, const u32* __restrict__ off, const u32* __restrict__ first,
                       const unsigned char* __restrict__ width, uint4* __restrict__ out, int nframes) {
    const int lane = threadIdx.x & 31;
    const int f = blockIdx.x * 4 + (threadIdx.x >> 5);
    if (f >= nframes) return;
    const u32 w = width[f];
    const u32* p = words + off[f];
    const u32 mask = (1u << w) - 1u;
    u32 d[4];
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const u32 pos = (u32)(lane * 4 + k) * w;
        const u32 q = pos >> 5;
        d[k] = __funnelshift_r(p[q], p[q + 1], pos & 31u) & mask;
    }
    d[1] += d[0];
    d[2] += d[1];
    d[3] += d[2];
    u32 inc = d[3];
    for (int o = 1; o < 32; o <<= 1) {
        u32 t = __shfl_up_sync(0xffffffffu, inc, o);
        if (lane >= o) inc += t;
    }
    const u32 b = first[f] + inc - d[3];
    out[(size_t)f * 32 + lane] = make_uint4(b + d[0], b + d[1], b + d[2], b + d[3]);
}

static void test_bitunpack() {
    const int nf = 40001;
    Rng r(171);
    std::vector<u32> words, off(nf), first(nf), ref((size_t)nf * 128);
    std::vector<unsigned char> wd(nf);
    for (int f = 0; f < nf; f++) {
        u32 w = 2 + r.below(6) + (r.below(5) == 0 ? r.below(13) : 0);
        if (r.below(50) == 0) w = 0;
        wd[f] = (unsigned char)w;
        off[f] = (u32)words.size();
        first[f] = r.below(1u << 30);
        words.resize(words.size() + 4 * w, 0);
        u32 cur = first[f];
        for (u32 i = 0; i < 128; i++) {
            u32 dlt = w ? (r.next32() & ((1u << w) - 1u)) : 0u;
            u32 pos = i * w;
            if (w) {
                u32* p = &words[off[f]];
                p[pos >> 5] |= dlt << (pos & 31);
                if ((pos & 31) + w > 32) p[(pos >> 5) + 1] |= dlt >> (32 - (pos & 31));
            }
            cur += dlt;
            ref[(size_t)f * 128 + i] = cur;
        }
    }
    words.resize(words.size() + 4, 0);   // the decoder may touch one word past the end
    u32 *dw = to_dev(words), *doff = to_dev(off), *dfi = to_dev(first);
    unsigned char* dwd = to_dev(wd);
    uint4* dout = dev_zero<uint4>((size_t)nf * 32);
    for (int it = 0; it < NREP; it++) {
        delta_bitunpack_frames<<<(nf + 3) / 4, 128>>>(dw, doff, dfi, dwd, dout, nf);
        CK(cudaGetLastError());
    }
    SYNC();
    std::vector<uint4> o = to_host(dout, (size_t)nf * 32);
    report("delta_bitunpack_frames", memcmp(o.data(), ref.data(), ref.size() * 4) == 0);
    free_all(dw, doff, dfi, dwd, dout);
}

// ------------------------------------------------------------------ 18. bilateral filter 7x7, shared-memory tile
__constant__ float c_spatial[49];
__global__ void bilateral_7x7_smem(const float* __restrict__ src, float* __restrict__ dst, int W, int H, float inv2s2) {
    __shared__ float tile[22][23];
    const int x0 = blockIdx.x * 16 - 3, y0 = blockIdx.y * 16 - 3;
    for (int i = threadIdx.y * 16 + threadIdx.x; i < 22 * 22; i += 256) {
        const int ty = i / 22, tx = i - ty * 22;
        const int gx = min(max(x0 + tx, 0), W - 1);
        const int gy = min(max(y0 + ty, 0), H - 1);
        tile[ty][tx] = src[gy * W + gx];
    }
    __syncthreads();
    const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x >= W || y >= H) return;
    const float c = tile[threadIdx.y + 3][threadIdx.x + 3];
    float num = 0.f, den = 0.f;
#pragma unroll
    for (int dy = 0; dy < 7; dy++)
#pragma unroll
        for (int dx = 0; dx < 7; dx++) {
            const float v = tile[threadIdx.y + dy][threadIdx.x + dx];
            const float d = v - c;
            const float wgt = c_spatial[dy * 7 + dx] * __expf(-d * d * inv2s2);
            num += wgt * v;
            den += wgt;
        }
    dst[y * W + x] = num / den;
}

static void test_bilateral() {
    const int W = 1920, H = 1080;
    Rng r(181);
    std::vector<float> a((size_t)W * H);
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            a[(size_t)y * W + x] = (((x / 60) + (y / 45)) & 1 ? 0.8f : 0.2f) + 0.1f * (r.uni() - 0.5f);
    float sp[49];
    for (int dy = 0; dy < 7; dy++)
        for (int dx = 0; dx < 7; dx++)
            sp[dy * 7 + dx] = expf(-((dx - 3) * (dx - 3) + (dy - 3) * (dy - 3)) / (2.f * 2.f * 2.f));
    CK(cudaMemcpyToSymbol(c_spatial, sp, sizeof(sp)));
    const float inv = 1.f / (2.f * 0.15f * 0.15f);
    float *da = to_dev(a), *db = dev_zero<float>(a.size());
    dim3 blk(16, 16), grd((W + 15) / 16, (H + 15) / 16);
    for (int it = 0; it < NREP; it++) {
        bilateral_7x7_smem<<<grd, blk>>>(da, db, W, H, inv);
        CK(cudaGetLastError());
    }
    SYNC();
    std::vector<float> b = to_host(db, a.size());
    bool ok = true;
    for (int y = 0; y < H && ok; y += (y < 8 || y > H - 10) ? 1 : 7)
        for (int x = 0; x < W && ok; x++) {
            double num = 0, den = 0;
            const float c = a[(size_t)y * W + x];
            for (int dy = -3; dy <= 3; dy++)
                for (int dx = -3; dx <= 3; dx++) {
                    int gx = std::min(std::max(x + dx, 0), W - 1), gy = std::min(std::max(y + dy, 0), H - 1);
                    float v = a[(size_t)gy * W + gx], d = v - c;
                    float wgt = sp[(dy + 3) * 7 + dx + 3] * expf(-d * d * inv);
                    num += wgt * v;
                    den += wgt;
                }
            ok = near(b[(size_t)y * W + x], num / den, 1e-4, 1e-4);
        }
    report("bilateral_7x7_smem", ok);
    free_all(da, db);
}

// ------------------------------------------------------------------ 19. affine warp via a 2-D texture, point filtering
__global__ void affine_warp_tex_point(cudaTextureObject_t tex, float* __restrict__ dst, int W, int H,
                                      float a00, float a01, float b0, float a10, float a11, float b1) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= W || y >= H) return;
    const float fx = x + 0.5f, fy = y + 0.5f;
    const float sx = a00 * fx + a01 * fy + b0;
    const float sy = a10 * fx + a11 * fy + b1;
    dst[(size_t)y * W + x] = tex2D<float>(tex, sx, sy);
}

static void test_affine() {
    const int W = 2500, H = 1800, SW = 2048, SH = 1536;
    Rng r(191);
    std::vector<float> img((size_t)SW * SH);
    for (auto& v : img) v = r.uni() + 0.001f;
    cudaArray_t arr;
    cudaChannelFormatDesc cd = cudaCreateChannelDesc<float>();
    CK(cudaMallocArray(&arr, &cd, SW, SH));
    CK(cudaMemcpy2DToArray(arr, 0, 0, img.data(), SW * sizeof(float), SW * sizeof(float), SH, cudaMemcpyHostToDevice));
    cudaResourceDesc rd;
    memset(&rd, 0, sizeof(rd));
    rd.resType = cudaResourceTypeArray;
    rd.res.array.array = arr;
    cudaTextureDesc td;
    memset(&td, 0, sizeof(td));
    td.addressMode[0] = td.addressMode[1] = cudaAddressModeBorder;
    td.filterMode = cudaFilterModePoint;
    td.readMode = cudaReadModeElementType;
    td.normalizedCoords = 0;
    cudaTextureObject_t tex;
    CK(cudaCreateTextureObject(&tex, &rd, &td, nullptr));
    const float th = 0.45f, sc = 0.9f;
    const float a00 = sc * cosf(th), a01 = -sc * sinf(th), a10 = sc * sinf(th), a11 = sc * cosf(th);
    const float b0 = SW * 0.5f - a00 * W * 0.5f - a01 * H * 0.5f, b1 = SH * 0.5f - a10 * W * 0.5f - a11 * H * 0.5f;
    float* dd = dev_zero<float>((size_t)W * H);
    dim3 blk(32, 4), grd((W + 31) / 32, (H + 3) / 4);
    for (int it = 0; it < NREP; it++) {
        affine_warp_tex_point<<<grd, blk>>>(tex, dd, W, H, a00, a01, b0, a10, a11, b1);
        CK(cudaGetLastError());
    }
    SYNC();
    std::vector<float> g = to_host(dd, (size_t)W * H);
    size_t bad = 0;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            double fx = x + 0.5, fy = y + 0.5;
            int ix = (int)floor(a00 * fx + a01 * fy + b0), iy = (int)floor(a10 * fx + a11 * fy + b1);
            float ref = (ix >= 0 && ix < SW && iy >= 0 && iy < SH) ? img[(size_t)iy * SW + ix] : 0.f;
            bad += g[(size_t)y * W + x] != ref;
        }
    // rounding at texel borders may differ for a few pixels (texture unit fixed-point coordinates)
    report("affine_warp_tex_point", bad < (size_t)W * H / 50);
    CK(cudaDestroyTextureObject(tex));
    CK(cudaFreeArray(arr));
    free_all(dd);
}

// ------------------------------------------------------------------ 20. layer norm over half rows (1024 wide), half2 I/O, fp32 statistics
__global__ void __launch_bounds__(128)
layernorm_rows_half2(const __half2* __restrict__ x, const __half2* __restrict__ gamma, const __half2* __restrict__ beta,
                     __half2* __restrict__ y, float eps) {
    __shared__ float red[4];
    const int t = threadIdx.x, lane = t & 31, w = t >> 5;
    const __half2* xr = x + (size_t)blockIdx.x * 512;
    float2 v[4];
    float s = 0.f;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        v[k] = __half22float2(xr[t + k * 128]);
        s += v[k].x + v[k].y;
    }
    for (int o = 16; o > 0; o >>= 1) s += __shfl_xor_sync(0xffffffffu, s, o);
    if (lane == 0) red[w] = s;
    __syncthreads();
    const float mean = (red[0] + red[1] + red[2] + red[3]) * (1.f / 1024.f);
    __syncthreads();
    float q = 0.f;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        v[k].x -= mean;
        v[k].y -= mean;
        q += v[k].x * v[k].x + v[k].y * v[k].y;
    }
    for (int o = 16; o > 0; o >>= 1) q += __shfl_xor_sync(0xffffffffu, q, o);
    if (lane == 0) red[w] = q;
    __syncthreads();
    const float rs = rsqrtf((red[0] + red[1] + red[2] + red[3]) * (1.f / 1024.f) + eps);
    __half2* yr = y + (size_t)blockIdx.x * 512;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const __half2 n = __floats2half2_rn(v[k].x * rs, v[k].y * rs);
        yr[t + k * 128] = __hfma2(n, gamma[t + k * 128], beta[t + k * 128]);
    }
}

static void test_layernorm() {
    const int rows = 12000, C = 1024;
    Rng r(201);
    std::vector<__half> x((size_t)rows * C), ga(C), be(C);
    for (int i = 0; i < rows; i++) {
        float m = r.range(-1.f, 1.f), sd = r.range(0.5f, 2.f);
        for (int c = 0; c < C; c++) x[(size_t)i * C + c] = __float2half(m + sd * (r.uni() + r.uni() - 1.f));
    }
    for (int c = 0; c < C; c++) { ga[c] = __float2half(r.range(0.5f, 1.5f)); be[c] = __float2half(r.range(-0.5f, 0.5f)); }
    __half *dx = to_dev(x), *dg = to_dev(ga), *db = to_dev(be), *dy = dev_zero<__half>(x.size());
    for (int it = 0; it < NREP; it++) {
        layernorm_rows_half2<<<rows, 128>>>((const __half2*)dx, (const __half2*)dg, (const __half2*)db, (__half2*)dy, 1e-5f);
        CK(cudaGetLastError());
    }
    SYNC();
    std::vector<__half> y = to_host(dy, x.size());
    bool ok = true;
    for (int i = 0; i < rows && ok; i++) {
        const __half* p = &x[(size_t)i * C];
        double s = 0, q = 0;
        for (int c = 0; c < C; c++) s += __half2float(p[c]);
        s /= C;
        for (int c = 0; c < C; c++) { double d = __half2float(p[c]) - s; q += d * d; }
        double rs = 1.0 / sqrt(q / C + 1e-5);
        for (int c = 0; c < C && ok; c++) {
            double ref = (__half2float(p[c]) - s) * rs * __half2float(ga[c]) + __half2float(be[c]);
            ok = near(__half2float(y[(size_t)i * C + c]), ref, 4e-3, 6e-3);
        }
    }
    report("layernorm_rows_half2", ok);
    free_all(dx, dg, db, dy);
}

// ------------------------------------------------------------------ 21. attention, head size 64, one query per thread, online softmax
#define AT_KT 32
__global__ void __launch_bounds__(64)
attention_head64_online(const float* __restrict__ Q, const float* __restrict__ K, const float* __restrict__ V,
                        float* __restrict__ O, int seq, float scale) {
    __shared__ float4 sK[AT_KT * 16];
    __shared__ float4 sV[AT_KT * 16];
    const size_t hb = (size_t)blockIdx.y * seq * 16;   // in float4
    const int qi = blockIdx.x * 64 + threadIdx.x;
    const float4* Qp = (const float4*)Q + hb + (size_t)qi * 16;
    const float4* Kp = (const float4*)K + hb;
    const float4* Vp = (const float4*)V + hb;
    float4 q[16], acc[16];
#pragma unroll
    for (int i = 0; i < 16; i++) {
        float4 t = Qp[i];
        q[i] = make_float4(t.x * scale, t.y * scale, t.z * scale, t.w * scale);
        acc[i] = make_float4(0.f, 0.f, 0.f, 0.f);
    }
    float m = -1e30f, l = 0.f;
    for (int kt = 0; kt < seq; kt += AT_KT) {
        __syncthreads();
        for (int i = threadIdx.x; i < AT_KT * 16; i += 64) {
            sK[i] = Kp[kt * 16 + i];
            sV[i] = Vp[kt * 16 + i];
        }
        __syncthreads();
        for (int k = 0; k < AT_KT; k++) {
            float s0 = 0.f, s1 = 0.f, s2 = 0.f, s3 = 0.f;
#pragma unroll
            for (int i = 0; i < 16; i++) {
                const float4 kk = sK[k * 16 + i];
                s0 += q[i].x * kk.x;
                s1 += q[i].y * kk.y;
                s2 += q[i].z * kk.z;
                s3 += q[i].w * kk.w;
            }
            const float s = (s0 + s1) + (s2 + s3);
            if (s > m) {
                const float c = __expf(m - s);
                m = s;
                l *= c;
#pragma unroll
                for (int i = 0; i < 16; i++) {
                    acc[i].x *= c;
                    acc[i].y *= c;
                    acc[i].z *= c;
                    acc[i].w *= c;
                }
            }
            const float p = __expf(s - m);
            l += p;
#pragma unroll
            for (int i = 0; i < 16; i++) {
                const float4 vv = sV[k * 16 + i];
                acc[i].x += p * vv.x;
                acc[i].y += p * vv.y;
                acc[i].z += p * vv.z;
                acc[i].w += p * vv.w;
            }
        }
    }
    const float inv = 1.f / l;
    float4* Op = (float4*)O + hb + (size_t)qi * 16;
#pragma unroll
    for (int i = 0; i < 16; i++)
        Op[i] = make_float4(acc[i].x * inv, acc[i].y * inv, acc[i].z * inv, acc[i].w * inv);
}

static void test_attention() {
    const int bh = 72, seq = 320, D = 64;
    const size_t n = (size_t)bh * seq * D;
    Rng r(211);
    std::vector<float> Q(n), K(n), V(n);
    for (size_t i = 0; i < n; i++) { Q[i] = 2.f * r.range(-1.f, 1.f); K[i] = 2.f * r.range(-1.f, 1.f); V[i] = r.range(-1.f, 1.f); }
    float *dq = to_dev(Q), *dk = to_dev(K), *dv = to_dev(V), *dO = dev_zero<float>(n);
    for (int it = 0; it < NREP; it++) {
        attention_head64_online<<<dim3(seq / 64, bh), 64>>>(dq, dk, dv, dO, seq, 0.125f);
        CK(cudaGetLastError());
    }
    SYNC();
    std::vector<float> o = to_host(dO, n);
    bool ok = true;
    std::vector<double> s(seq);
    for (int h = 0; h < bh && ok; h++)
        for (int i = h % 5; i < seq && ok; i += 5) {
            const float* q = &Q[((size_t)h * seq + i) * D];
            double mx = -1e30, l = 0, acc[64] = {0};
            for (int k = 0; k < seq; k++) {
                const float* kp = &K[((size_t)h * seq + k) * D];
                double d = 0;
                for (int c = 0; c < D; c++) d += (double)q[c] * kp[c];
                s[k] = d * 0.125;
                mx = std::max(mx, s[k]);
            }
            for (int k = 0; k < seq; k++) {
                double p = exp(s[k] - mx);
                l += p;
                const float* vp = &V[((size_t)h * seq + k) * D];
                for (int c = 0; c < D; c++) acc[c] += p * vp[c];
            }
            for (int c = 0; c < D; c++) ok = ok && near(o[((size_t)h * seq + i) * D + c], acc[c] / l, 1e-3, 1e-4);
        }
    report("attention_head64_online", ok);
    free_all(dq, dk, dv, dO);
}

// ------------------------------------------------------------------ 22. embedding backward: scatter-add of token gradients
__global__ void embedding_grad_scatter(const int* __restrict__ tok, const float* __restrict__ gout, float* grad,
                                       int ntok, int dim) {
    const int t = blockIdx.x * blockDim.y + threadIdx.y;
    if (t >= ntok) return;
    const int id = tok[t];
    if (id < 0) return;   // padding token
    float* g = grad + (size_t)id * dim;
    const float* o = gout + (size_t)t * dim;
    for (int c = threadIdx.x; c < dim; c += blockDim.x) atomicAdd(&g[c], o[c]);
}

static void test_embedding() {
    const int ntok = 20000, dim = 256, vocab = 32000;
    Rng r(221);
    std::vector<int> tok(ntok);
    std::vector<float> go((size_t)ntok * dim);
    std::vector<double> ref((size_t)vocab * dim, 0.0), mag((size_t)vocab * dim, 0.0);
    for (int t = 0; t < ntok; t++) tok[t] = r.below(20) == 0 ? -1 : (int)((r.zipf(vocab) * 7919u) % vocab);
    for (auto& g : go) g = 0.01f * r.range(-1.f, 1.f);
    for (int t = 0; t < ntok; t++)
        if (tok[t] >= 0)
            for (int c = 0; c < dim; c++) {
                ref[(size_t)tok[t] * dim + c] += NREP * (double)go[(size_t)t * dim + c];
                mag[(size_t)tok[t] * dim + c] += NREP * fabs((double)go[(size_t)t * dim + c]);
            }
    int* dt = to_dev(tok);
    float *dg = to_dev(go), *dgr = dev_zero<float>((size_t)vocab * dim);
    for (int it = 0; it < NREP; it++) {
        embedding_grad_scatter<<<(ntok + 3) / 4, dim3(64, 4)>>>(dt, dg, dgr, ntok, dim);
        CK(cudaGetLastError());
    }
    SYNC();
    std::vector<float> g = to_host(dgr, (size_t)vocab * dim);
    bool ok = true;
    for (size_t i = 0; i < g.size() && ok; i++) ok = near(g[i], ref[i], 0, 1e-5 * mag[i] + 1e-7);
    report("embedding_grad_scatter", ok);
    free_all(dt, dg, dgr);
}

// ------------------------------------------------------------------ 23. top-8 per row of logits, one warp per row
__global__ void __launch_bounds__(160)
topk8_warp_rows(const float* __restrict__ logits, float* __restrict__ tv_out, int* __restrict__ ti_out, int rows, int cols) {
    const int lane = threadIdx.x & 31;
    const int row = blockIdx.x * 5 + (threadIdx.x >> 5);
    if (row >= rows) return;
    const float* p = logits + (size_t)row * cols;
    float tv[8];
    int ti[8];
#pragma unroll
    for (int i = 0; i < 8; i++) { tv[i] = -INFINITY; ti[i] = 0x7fffffff; }
    for (int c = lane; c < cols; c += 32) {
        const float x = p[c];
        if (x > tv[7]) {
            tv[7] = x;
            ti[7] = c;
#pragma unroll
            for (int i = 7; i > 0; i--)
                if (tv[i] > tv[i - 1]) {
                    float a = tv[i]; tv[i] = tv[i - 1]; tv[i - 1] = a;
                    int b = ti[i]; ti[i] = ti[i - 1]; ti[i - 1] = b;
                }
        }
    }
    float keep_v = 0.f;
    int keep_i = 0;
#pragma unroll
    for (int k = 0; k < 8; k++) {
        float bv = tv[0];
        int bi = ti[0];
        for (int o = 16; o > 0; o >>= 1) {
            float ov = __shfl_xor_sync(0xffffffffu, bv, o);
            int oi = __shfl_xor_sync(0xffffffffu, bi, o);
            if (ov > bv || (ov == bv && oi < bi)) { bv = ov; bi = oi; }
        }
        if (lane == k) { keep_v = bv; keep_i = bi; }
        if (ti[0] == bi) {
#pragma unroll
            for (int i = 0; i < 7; i++) { tv[i] = tv[i + 1]; ti[i] = ti[i + 1]; }
            tv[7] = -INFINITY;
            ti[7] = 0x7fffffff;
        }
    }
    if (lane < 8) {
        tv_out[row * 8 + lane] = keep_v;
        ti_out[row * 8 + lane] = keep_i;
    }
}

static void test_topk() {
    const int rows = 2500, cols = 3001;
    Rng r(231);
    std::vector<float> a((size_t)rows * cols);
    for (auto& x : a) x = 4.f * (r.uni() + r.uni() + r.uni() - 1.5f);
    float *da = to_dev(a), *dv = dev_zero<float>(rows * 8);
    int* di = dev_zero<int>(rows * 8);
    for (int it = 0; it < NREP; it++) {
        topk8_warp_rows<<<(rows + 4) / 5, 160>>>(da, dv, di, rows, cols);
        CK(cudaGetLastError());
    }
    SYNC();
    std::vector<float> v = to_host(dv, rows * 8);
    std::vector<int> ix = to_host(di, rows * 8);
    bool ok = true;
    std::vector<float> tmp(cols);
    for (int i = 0; i < rows && ok; i++) {
        std::copy(a.begin() + (size_t)i * cols, a.begin() + (size_t)(i + 1) * cols, tmp.begin());
        std::partial_sort(tmp.begin(), tmp.begin() + 8, tmp.end(), std::greater<float>());
        for (int k = 0; k < 8 && ok; k++) {
            int c = ix[i * 8 + k];
            ok = v[i * 8 + k] == tmp[k] && c >= 0 && c < cols && a[(size_t)i * cols + c] == tmp[k];
            for (int q = 0; q < k; q++) ok = ok && ix[i * 8 + q] != c;
        }
    }
    report("topk8_warp_rows", ok);
    free_all(da, dv, di);
}

// ------------------------------------------------------------------ 24. local-volatility Asian option, Philox RNG, vol table in constant memory
struct Philox4 { u32 x, y, z, w; };
__host__ __device__ inline Philox4 philox4x32(u32 c0, u32 c1, u32 k0, u32 k1) {
    u32 c2 = 0x1badcafeu, c3 = 7u;
    for (int i = 0; i < 10; i++) {
        u64 p0 = (u64)0xD2511F53u * c0, p1 = (u64)0xCD9E8D57u * c2;
        u32 n0 = (u32)(p1 >> 32) ^ c1 ^ k0, n2 = (u32)(p0 >> 32) ^ c3 ^ k1;
        c1 = (u32)p1;
        c3 = (u32)p0;
        c0 = n0;
        c2 = n2;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    Philox4 r = {c0, c1, c2, c3};
    return r;
}
__constant__ float c_vol[64];
__device__ __forceinline__ float vol_lookup(float x) {
    float f = (x + 1.5f) * 21.f;
    f = fminf(fmaxf(f, 0.f), 62.999f);
    const int i = (int)f;
    const float t = f - (float)i;
    return c_vol[i] + (c_vol[i + 1] - c_vol[i]) * t;
}
__global__ void localvol_asian_mc(float* __restrict__ payoff, float* block_sum, int npaths, int steps, float s0, float strike,
                                  float rate, float dt, u32 seed) {
    __shared__ float part[8];
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    float pay = 0.f;
    if (p < npaths) {
        float x = 0.f, avg = 0.f;
        const float sq = sqrtf(dt);
        for (int s = 0; s < steps; s += 4) {
            const Philox4 u = philox4x32((u32)p, (u32)s, seed, 0x5eedu);
            float z[4];
            {
                float a = ((u.x >> 8) + 0.5f) * (1.f / 16777216.f), b = (u.y >> 8) * (1.f / 16777216.f);
                float rad = sqrtf(-2.f * logf(a)), sn, cs;
                sincospif(2.f * b, &sn, &cs);
                z[0] = rad * cs;
                z[1] = rad * sn;
                a = ((u.z >> 8) + 0.5f) * (1.f / 16777216.f), b = (u.w >> 8) * (1.f / 16777216.f);
                rad = sqrtf(-2.f * logf(a));
                sincospif(2.f * b, &sn, &cs);
                z[2] = rad * cs;
                z[3] = rad * sn;
            }
#pragma unroll
            for (int k = 0; k < 4; k++) {
                const float v = vol_lookup(x);
                x += (rate - 0.5f * v * v) * dt + v * sq * z[k];
                avg += __expf(x);
            }
        }
        pay = fmaxf(s0 * avg / (float)steps - strike, 0.f);
        payoff[p] = pay;
    }
    for (int o = 16; o > 0; o >>= 1) pay += __shfl_down_sync(0xffffffffu, pay, o);
    if ((threadIdx.x & 31) == 0) part[threadIdx.x >> 5] = pay;
    __syncthreads();
    if (threadIdx.x == 0) {
        float s = 0.f;
        for (int w = 0; w < (int)(blockDim.x >> 5); w++) s += part[w];
        block_sum[blockIdx.x] = s;
    }
}

static void test_mc() {
    const int np = 120000, steps = 64, nb = (np + 255) / 256;
    const float s0 = 100.f, strike = 98.f, rate = 0.03f, dt = 1.f / 64.f;
    float vol[64];
    for (int i = 0; i < 64; i++) {
        float m = -1.5f + i / 21.f;
        vol[i] = 0.22f + 0.12f * m * m - 0.06f * m;
    }
    CK(cudaMemcpyToSymbol(c_vol, vol, sizeof(vol)));
    float *dp = dev_zero<float>(np), *ds = dev_zero<float>(nb);
    for (int it = 0; it < NREP; it++) {
        localvol_asian_mc<<<nb, 256>>>(dp, ds, np, steps, s0, strike, rate, dt, 12345u);
        CK(cudaGetLastError());
    }
    SYNC();
    std::vector<float> g = to_host(dp, np), bs = to_host(ds, nb);
    bool ok = true;
    double rsum = 0, gsum = 0;
    for (int b = 0; b < nb; b++) gsum += bs[b];
    const double sq = sqrt((double)dt);
    for (int p = 0; p < np; p++) {
        double x = 0, avg = 0;
        for (int s = 0; s < steps; s += 4) {
            Philox4 u = philox4x32((u32)p, (u32)s, 12345u, 0x5eedu);
            double z[4];
            double a = ((u.x >> 8) + 0.5) / 16777216.0, b = (u.y >> 8) / 16777216.0, rad = sqrt(-2 * log(a));
            z[0] = rad * cos(2 * M_PI * b);
            z[1] = rad * sin(2 * M_PI * b);
            a = ((u.z >> 8) + 0.5) / 16777216.0, b = (u.w >> 8) / 16777216.0, rad = sqrt(-2 * log(a));
            z[2] = rad * cos(2 * M_PI * b);
            z[3] = rad * sin(2 * M_PI * b);
            for (int k = 0; k < 4; k++) {
                double f = std::min(std::max((x + 1.5) * 21.0, 0.0), 62.999);
                int i = (int)f;
                double v = vol[i] + (double)(vol[i + 1] - vol[i]) * (f - i);
                x += (rate - 0.5 * v * v) * dt + v * sq * z[k];
                avg += exp(x);
            }
        }
        double pay = std::max(s0 * avg / steps - strike, 0.0);
        rsum += pay;
        if (!near(g[p], pay, 2e-3, 2e-2)) ok = false;
    }
    ok = ok && near(gsum, rsum, 1e-3, 0);
    report("localvol_asian_mc", ok);
    free_all(dp, ds);
}

// ------------------------------------------------------------------ 25. cloud-in-cell charge deposit on a periodic 2-D grid
__global__ void particle_deposit_cic(const float2* __restrict__ pos, const float* __restrict__ q, float* rho, int np, int G) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= np) return;
    const float2 p = pos[i];
    const float c = q[i];
    const float flx = floorf(p.x), fly = floorf(p.y);
    const float fx = p.x - flx, fy = p.y - fly;
    const int x0 = (int)flx & (G - 1), y0 = (int)fly & (G - 1);
    const int x1 = (x0 + 1) & (G - 1), y1 = (y0 + 1) & (G - 1);
    atomicAdd(&rho[y0 * G + x0], c * (1.f - fx) * (1.f - fy));
    atomicAdd(&rho[y0 * G + x1], c * fx * (1.f - fy));
    atomicAdd(&rho[y1 * G + x0], c * (1.f - fx) * fy);
    atomicAdd(&rho[y1 * G + x1], c * fx * fy);
}

static void test_deposit() {
    const int np = 1000000, G = 1024;
    Rng r(251);
    std::vector<float2> pos(np);
    std::vector<float> q(np);
    float cx[40], cy[40], sg[40];
    for (int b = 0; b < 40; b++) { cx[b] = r.range(0.f, (float)G); cy[b] = r.range(0.f, (float)G); sg[b] = r.range(8.f, 60.f); }
    std::vector<double> ref((size_t)G * G, 0.0);
    for (int i = 0; i < np; i++) {
        if (r.below(3)) {
            int b = (int)r.zipf(40);
            pos[i] = make_float2(cx[b] + sg[b] * r.gauss(), cy[b] + sg[b] * r.gauss());
        } else pos[i] = make_float2(r.range(0.f, (float)G), r.range(0.f, (float)G));
        pos[i].x = std::min(std::max(pos[i].x, 0.f), G - 0.01f);
        pos[i].y = std::min(std::max(pos[i].y, 0.f), G - 0.01f);
        q[i] = r.range(0.5f, 1.5f);
        double fx = pos[i].x - floorf(pos[i].x), fy = pos[i].y - floorf(pos[i].y);
        int x0 = (int)floorf(pos[i].x) & (G - 1), y0 = (int)floorf(pos[i].y) & (G - 1), x1 = (x0 + 1) & (G - 1), y1 = (y0 + 1) & (G - 1);
        double c = (double)q[i] * NREP;
        ref[(size_t)y0 * G + x0] += c * (1 - fx) * (1 - fy);
        ref[(size_t)y0 * G + x1] += c * fx * (1 - fy);
        ref[(size_t)y1 * G + x0] += c * (1 - fx) * fy;
        ref[(size_t)y1 * G + x1] += c * fx * fy;
    }
    float2* dp = to_dev(pos);
    float *dq = to_dev(q), *dr = dev_zero<float>((size_t)G * G);
    for (int it = 0; it < NREP; it++) {
        particle_deposit_cic<<<(np + 319) / 320, 320>>>(dp, dq, dr, np, G);
        CK(cudaGetLastError());
    }
    SYNC();
    std::vector<float> g = to_host(dr, (size_t)G * G);
    bool ok = true;
    for (size_t i = 0; i < g.size() && ok; i++) ok = near(g[i], ref[i], 2e-4, 1e-4);
    report("particle_deposit_cic", ok);
    free_all(dp, dq, dr);
}

// ------------------------------------------------------------------ 26. lattice Boltzmann D2Q9, pull scheme, bounce-back obstacles
__host__ __device__ inline void lbm_cell(const float* fin, float* fout, bool solid, int x, int y, int W, int H, float omega) {
    const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
    const int cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    const int op[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
    const float wt[9] = {4.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};
    const int N = W * H;
    float f[9];
    const int xm = x == 0 ? W - 1 : x - 1, xp = x == W - 1 ? 0 : x + 1;
    const int ym = y == 0 ? H - 1 : y - 1, yp = y == H - 1 ? 0 : y + 1;
#pragma unroll
    for (int i = 0; i < 9; i++) {
        const int sx = cx[i] == 0 ? x : (cx[i] == 1 ? xm : xp);
        const int sy = cy[i] == 0 ? y : (cy[i] == 1 ? ym : yp);
        f[i] = fin[i * N + sy * W + sx];
    }
    const int c = y * W + x;
    if (solid) {
#pragma unroll
        for (int i = 0; i < 9; i++) fout[i * N + c] = f[op[i]];
        return;
    }
    float rho = 0.f, ux = 0.f, uy = 0.f;
#pragma unroll
    for (int i = 0; i < 9; i++) {
        rho += f[i];
        ux += (float)cx[i] * f[i];
        uy += (float)cy[i] * f[i];
    }
    ux /= rho;
    uy /= rho;
    const float u2 = 1.5f * (ux * ux + uy * uy);
#pragma unroll
    for (int i = 0; i < 9; i++) {
        const float cu = 3.f * ((float)cx[i] * ux + (float)cy[i] * uy);
        const float eq = wt[i] * rho * (1.f + cu + 0.5f * cu * cu - u2);
        fout[i * N + c] = f[i] + omega * (eq - f[i]);
    }
}
__global__ void __launch_bounds__(256)
lbm_d2q9_pull(const float* __restrict__ fin, float* __restrict__ fout, const unsigned char* __restrict__ solid,
              int W, int H, float omega) {
    const int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    if (x >= W || y >= H) return;
    lbm_cell(fin, fout, solid[y * W + x] != 0, x, y, W, H, omega);
}

static void test_lbm() {
    const int W = 1280, H = 720, N = W * H;
    Rng r(261);
    std::vector<float> f((size_t)9 * N), ref((size_t)9 * N);
    std::vector<unsigned char> so(N, 0);
    for (int b = 0; b < 30; b++) {
        int cx = (int)r.below(W), cy = (int)r.below(H), R = 8 + (int)r.below(30);
        for (int y = std::max(0, cy - R); y < std::min(H, cy + R); y++)
            for (int x = std::max(0, cx - R); x < std::min(W, cx + R); x++)
                if ((x - cx) * (x - cx) + (y - cy) * (y - cy) < R * R) so[y * W + x] = 1;
    }
    const float wt[9] = {4.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};
    for (int i = 0; i < 9; i++)
        for (int c = 0; c < N; c++) f[(size_t)i * N + c] = wt[i] * (1.f + 0.1f * (r.uni() - 0.5f));
    float *di = to_dev(f), *dout = dev_zero<float>((size_t)9 * N);
    unsigned char* ds = to_dev(so);
    for (int it = 0; it < NREP; it++) {
        lbm_d2q9_pull<<<dim3((W + 63) / 64, (H + 3) / 4), dim3(64, 4)>>>(di, dout, ds, W, H, 1.7f);
        CK(cudaGetLastError());
    }
    SYNC();
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) lbm_cell(f.data(), ref.data(), so[y * W + x] != 0, x, y, W, H, 1.7f);
    std::vector<float> g = to_host(dout, (size_t)9 * N);
    bool ok = true;
    for (size_t i = 0; i < g.size() && ok; i++) ok = near(g[i], ref[i], 1e-4, 1e-5);
    report("lbm_d2q9_pull", ok);
    free_all(di, dout, ds);
}

// ------------------------------------------------------------------ 27. double SHA-256 nonce scan (block header, midstate precomputed)
#define SHA_K_LIST \
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, \
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, \
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, \
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, \
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, \
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, \
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, \
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
__constant__ u32 c_shaK[64] = {SHA_K_LIST};
static const u32 h_shaK[64] = {SHA_K_LIST};
struct Sha8 { u32 h[8]; };
__host__ __device__ inline u32 ror32(u32 x, int n) { return (x >> n) | (x << (32 - n)); }
__host__ __device__ inline void sha256_compress(u32* h, u32* w, const u32* K) {
    u32 a = h[0], b = h[1], c = h[2], d = h[3], e = h[4], f = h[5], g = h[6], hh = h[7];
#pragma unroll
    for (int i = 0; i < 64; i++) {
        if (i >= 16) {
            const u32 w15 = w[(i + 1) & 15], w2 = w[(i + 14) & 15];
            const u32 s0 = ror32(w15, 7) ^ ror32(w15, 18) ^ (w15 >> 3);
            const u32 s1 = ror32(w2, 17) ^ ror32(w2, 19) ^ (w2 >> 10);
            w[i & 15] += s0 + w[(i + 9) & 15] + s1;
        }
        const u32 S1 = ror32(e, 6) ^ ror32(e, 11) ^ ror32(e, 25);
        const u32 t1 = hh + S1 + ((e & f) ^ (~e & g)) + K[i] + w[i & 15];
        const u32 S0 = ror32(a, 2) ^ ror32(a, 13) ^ ror32(a, 22);
        const u32 t2 = S0 + ((a & b) ^ (a & c) ^ (b & c));
        hh = g; g = f; f = e; e = d + t1;
        d = c; c = b; b = a; a = t1 + t2;
    }
    h[0] += a; h[1] += b; h[2] += c; h[3] += d; h[4] += e; h[5] += f; h[6] += g; h[7] += hh;
}
__host__ __device__ inline u32 sha256d_first_word(const Sha8& mid, u32 t0, u32 t1, u32 t2, u32 nonce, const u32* K) {
    u32 h[8], w[16];
#pragma unroll
    for (int i = 0; i < 8; i++) h[i] = mid.h[i];
    w[0] = t0; w[1] = t1; w[2] = t2; w[3] = nonce;
    w[4] = 0x80000000u;
#pragma unroll
    for (int i = 5; i < 15; i++) w[i] = 0;
    w[15] = 640;
    sha256_compress(h, w, K);
#pragma unroll
    for (int i = 0; i < 8; i++) w[i] = h[i];
    w[8] = 0x80000000u;
#pragma unroll
    for (int i = 9; i < 15; i++) w[i] = 0;
    w[15] = 256;
    h[0] = 0x6a09e667; h[1] = 0xbb67ae85; h[2] = 0x3c6ef372; h[3] = 0xa54ff53a;
    h[4] = 0x510e527f; h[5] = 0x9b05688c; h[6] = 0x1f83d9ab; h[7] = 0x5be0cd19;
    sha256_compress(h, w, K);
    return h[0];
}
__global__ void __launch_bounds__(256)
sha256d_nonce_scan(Sha8 mid, u32 t0, u32 t1, u32 t2, u32 nonce0, int n, u32 target, u64* best, int* hits) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const u32 nonce = nonce0 + (u32)i;
        const u32 h0 = sha256d_first_word(mid, t0, t1, t2, nonce, c_shaK);
        if (h0 < target) {
            atomicAdd(hits, 1);
            atomicMin(best, ((u64)h0 << 32) | nonce);
        }
    }
}

static void test_sha() {
    const int n = 300000;
    Rng r(271);
    Sha8 mid = {{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
    u32 w[16];
    for (auto& x : w) x = r.next32();
    sha256_compress(mid.h, w, h_shaK);
    const u32 t0 = r.next32(), t1 = r.next32(), t2 = r.next32(), n0 = r.next32(), target = 1u << 22;
    u64 rb = ~0ull;
    int rh = 0;
    for (int i = 0; i < n; i++) {
        u32 h0 = sha256d_first_word(mid, t0, t1, t2, n0 + (u32)i, h_shaK);
        if (h0 < target) { rh++; rb = std::min(rb, ((u64)h0 << 32) | (n0 + (u32)i)); }
    }
    u64* db = dev_zero<u64>(1);
    int* dh = dev_zero<int>(1);
    CK(cudaMemset(db, 0xff, 8));
    for (int it = 0; it < NREP; it++) {
        sha256d_nonce_scan<<<132 * 4, 256>>>(mid, t0, t1, t2, n0, n, target, db, dh);
        CK(cudaGetLastError());
    }
    SYNC();
    report("sha256d_nonce_scan", to_host(db, 1)[0] == rb && to_host(dh, 1)[0] == rh * NREP);
    free_all(db, dh);
}

// ------------------------------------------------------------------ 28. batched 16x16 Cholesky in double, one matrix per half-warp
__global__ void __launch_bounds__(64)
batched_cholesky16_f64(const double* __restrict__ A, double* __restrict__ L, int batch) {
    __shared__ double s[4][16][17];
    const int m = threadIdx.x >> 4, r = threadIdx.x & 15;
    const int first = blockIdx.x * 4;
    for (int i = threadIdx.x; i < 1024; i += 64) {
        const int mm = i >> 8;
        if (first + mm < batch) s[mm][(i >> 4) & 15][i & 15] = A[(size_t)first * 256 + i];
        else s[mm][(i >> 4) & 15][i & 15] = ((i >> 4) & 15) == (i & 15) ? 1.0 : 0.0;
    }
    __syncthreads();
    double a[16];
#pragma unroll
    for (int j = 0; j < 16; j++) a[j] = s[m][r][j];
#pragma unroll
    for (int k = 0; k < 16; k++) {
        const double d = sqrt(__shfl_sync(0xffffffffu, a[k], k, 16));
        if (r == k) a[k] = d;
        else a[k] /= d;
#pragma unroll
        for (int j = k + 1; j < 16; j++) {
            const double ljk = __shfl_sync(0xffffffffu, a[k], j, 16);
            if (r >= j) a[j] -= a[k] * ljk;
        }
    }
#pragma unroll
    for (int j = 0; j < 16; j++) s[m][r][j] = j <= r ? a[j] : 0.0;
    __syncthreads();
    for (int i = threadIdx.x; i < 1024; i += 64)
        if (first + (i >> 8) < batch) L[(size_t)first * 256 + i] = s[i >> 8][(i >> 4) & 15][i & 15];
}

static void test_cholesky() {
    const int batch = 9001;
    Rng r(281);
    std::vector<double> A((size_t)batch * 256);
    for (int b = 0; b < batch; b++) {
        double B[16][16];
        for (auto& row : B)
            for (auto& x : row) x = 2.0 * r.unid() - 1.0;
        for (int i = 0; i < 16; i++)
            for (int j = 0; j < 16; j++) {
                double t = i == j ? 2.0 : 0.0;
                for (int k = 0; k < 16; k++) t += B[i][k] * B[j][k];
                A[(size_t)b * 256 + i * 16 + j] = t;
            }
    }
    double *dA = to_dev(A), *dL = dev_zero<double>(A.size());
    for (int it = 0; it < NREP; it++) {
        batched_cholesky16_f64<<<(batch + 3) / 4, 64>>>(dA, dL, batch);
        CK(cudaGetLastError());
    }
    SYNC();
    std::vector<double> L = to_host(dL, A.size());
    bool ok = true;
    for (int b = 0; b < batch && ok; b++) {
        double l[16][16] = {{0}};
        for (int j = 0; j < 16; j++) {
            for (int i = j; i < 16; i++) {
                double t = A[(size_t)b * 256 + i * 16 + j];
                for (int k = 0; k < j; k++) t -= l[i][k] * l[j][k];
                l[i][j] = i == j ? sqrt(t) : t / l[j][j];
            }
        }
        for (int i = 0; i < 256 && ok; i++) ok = near(L[(size_t)b * 256 + i], l[i >> 4][i & 15], 1e-9, 1e-9);
    }
    report("batched_cholesky16_f64", ok);
    free_all(dA, dL);
}

// ------------------------------------------------------------------ 29. closest ray/triangle hit, triangles streamed through shared memory
#define RT_TILE 128
__host__ __device__ inline bool ray_tri(float3 o, float3 d, float4 v0, float4 e1, float4 e2, float tmax, float* tout) {
    const float px = d.y * e2.z - d.z * e2.y, py = d.z * e2.x - d.x * e2.z, pz = d.x * e2.y - d.y * e2.x;
    const float det = e1.x * px + e1.y * py + e1.z * pz;
    if (fabsf(det) < 1e-8f) return false;
    const float inv = 1.f / det;
    const float tx = o.x - v0.x, ty = o.y - v0.y, tz = o.z - v0.z;
    const float u = (tx * px + ty * py + tz * pz) * inv;
    if (u < 0.f || u > 1.f) return false;
    const float qx = ty * e1.z - tz * e1.y, qy = tz * e1.x - tx * e1.z, qz = tx * e1.y - ty * e1.x;
    const float v = (d.x * qx + d.y * qy + d.z * qz) * inv;
    if (v < 0.f || u + v > 1.f) return false;
    const float t = (e2.x * qx + e2.y * qy + e2.z * qz) * inv;
    if (t <= 1e-4f || t >= tmax) return false;
    *tout = t;
    return true;
}
__global__ void ray_triangle_closest_tile(const float4* __restrict__ tri, int ntri, float* __restrict__ tout, int* __restrict__ idout,
                                          int W, int H, float3 eye, float fov) {
    __shared__ float4 sv0[RT_TILE], se1[RT_TILE], se2[RT_TILE];
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const int lt = threadIdx.y * blockDim.x + threadIdx.x, nt = blockDim.x * blockDim.y;
    float3 d = make_float3(((x + 0.5f) / W - 0.5f) * fov, ((y + 0.5f) / H - 0.5f) * fov, 1.f);
    float best = 1e30f;
    int id = -1;
    for (int base = 0; base < ntri; base += RT_TILE) {
        const int m = min(RT_TILE, ntri - base);
        __syncthreads();
        for (int i = lt; i < m; i += nt) {
            const float4 a = tri[(base + i) * 3], b = tri[(base + i) * 3 + 1], c = tri[(base + i) * 3 + 2];
            sv0[i] = a;
            se1[i] = make_float4(b.x - a.x, b.y - a.y, b.z - a.z, 0.f);
            se2[i] = make_float4(c.x - a.x, c.y - a.y, c.z - a.z, 0.f);
        }
        __syncthreads();
        for (int i = 0; i < m; i++) {
            float t;
            if (ray_tri(eye, d, sv0[i], se1[i], se2[i], best, &t)) {
                best = t;
                id = base + i;
            }
        }
    }
    if (x < W && y < H) {
        tout[y * W + x] = best;
        idout[y * W + x] = id;
    }
}

static void test_ray() {
    const int W = 320, H = 200, nt = 700;
    Rng r(291);
    std::vector<float4> tri((size_t)nt * 3);
    for (int i = 0; i < nt; i++) {
        float cx = r.range(-3.f, 3.f), cy = r.range(-3.f, 3.f), cz = r.range(2.f, 8.f), sz = r.range(0.1f, 0.6f);
        for (int k = 0; k < 3; k++)
            tri[i * 3 + k] = make_float4(cx + sz * r.range(-1.f, 1.f), cy + sz * r.range(-1.f, 1.f), cz + sz * r.range(-1.f, 1.f), 0.f);
    }
    const float3 eye = make_float3(0.1f, -0.05f, -1.f);
    const float fov = 1.2f;
    float4* dt = to_dev(tri);
    float* dT = dev_zero<float>(W * H);
    int* dI = dev_zero<int>(W * H);
    for (int it = 0; it < NREP; it++) {
        ray_triangle_closest_tile<<<dim3((W + 15) / 16, (H + 7) / 8), dim3(16, 8)>>>(dt, nt, dT, dI, W, H, eye, fov);
        CK(cudaGetLastError());
    }
    SYNC();
    std::vector<float> gt = to_host(dT, W * H);
    std::vector<int> gi = to_host(dI, W * H);
    int bad = 0, hitc = 0;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            float3 d = make_float3(((x + 0.5f) / W - 0.5f) * fov, ((y + 0.5f) / H - 0.5f) * fov, 1.f);
            float best = 1e30f, t;
            int id = -1;
            for (int i = 0; i < nt; i++) {
                float4 a = tri[i * 3], b = tri[i * 3 + 1], c = tri[i * 3 + 2];
                float4 e1 = make_float4(b.x - a.x, b.y - a.y, b.z - a.z, 0.f), e2 = make_float4(c.x - a.x, c.y - a.y, c.z - a.z, 0.f);
                if (ray_tri(eye, d, a, e1, e2, best, &t)) { best = t; id = i; }
            }
            hitc += id >= 0;
            bad += gi[y * W + x] != id || !near(gt[y * W + x], best, 1e-3, 1e-4);
        }
    report("ray_triangle_closest_tile", bad <= W * H / 500 && hitc > W * H / 20);
    free_all(dt, dT, dI);
}

// ------------------------------------------------------------------ main
int main() {
    CK(cudaSetDevice(0));
    test_bfs();
    test_label_prop();
    test_triangles();
    test_spmv();
    test_spmm();
    test_hash_insert();
    test_join();
    test_filter();
    test_hist();
    test_radix();
    test_bitonic();
    test_fft();
    test_scan();
    test_groupby();
    test_utf8();
    test_base64();
    test_bitunpack();
    test_bilateral();
    test_affine();
    test_layernorm();
    test_attention();
    test_embedding();
    test_topk();
    test_mc();
    test_deposit();
    test_lbm();
    test_sha();
    test_cholesky();
    test_ray();
    printf("%d kernels wrong\n", g_wrong);
    return g_wrong ? 1 : 0;
}
