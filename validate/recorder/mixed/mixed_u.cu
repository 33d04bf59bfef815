// mixed_u.cu - 29 kernels from graph analytics, particle methods, simulation, sorting,
// imaging, text processing and inference.  Every kernel is launched four times on identical
// inputs and the last result is checked against a CPU reference or an invariant.
#include <cuda_runtime.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <utility>
#include <vector>

typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned char u8;

#define CK(call)                                                                       \
    do {                                                                               \
        cudaError_t e_ = (call);                                                       \
        if (e_ != cudaSuccess) {                                                       \
            fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); \
            exit(1);                                                                   \
        }                                                                              \
    } while (0)

static const u32 FULL = 0xffffffffu;
static inline int divup(int a, int b) { return (a + b - 1) / b; }

// ------------------------------------------------------------------------------------
// host helpers
// ------------------------------------------------------------------------------------
struct Rng {
    u64 s;
    explicit Rng(u64 seed) : s(seed) {}
    u64 next() {
        u64 z = (s += 0x9E3779B97F4A7C15ull);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
        return z ^ (z >> 31);
    }
    double uni() { return (double)(next() >> 11) * (1.0 / 9007199254740992.0); }
    float unif() { return (float)(next() >> 40) * (1.0f / 16777216.0f); }
    u32 below(u32 n) { return (u32)(((next() >> 32) * (u64)n) >> 32); }
    double gauss() {
        double a = uni(), b = uni();
        return std::sqrt(-2.0 * std::log(a + 1e-300)) * std::cos(6.283185307179586 * b);
    }
};

template <class T>
struct Dev {
    T *p;
    size_t n;
    explicit Dev(size_t count) : p(nullptr), n(count) { CK(cudaMalloc((void **)&p, n * sizeof(T))); }
    explicit Dev(const std::vector<T> &v) : p(nullptr), n(v.size()) {
        CK(cudaMalloc((void **)&p, n * sizeof(T)));
        up(v);
    }
    Dev(const Dev &) = delete;
    Dev &operator=(const Dev &) = delete;
    ~Dev() { CK(cudaFree(p)); }
    void up(const std::vector<T> &v) { CK(cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice)); }
    void fill(int byte) { CK(cudaMemset(p, byte, n * sizeof(T))); }
    std::vector<T> down() const {
        std::vector<T> v(n);
        CK(cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost));
        return v;
    }
};

static int g_ok = 0, g_bad = 0;
static void report(const char *name, bool ok) {
    printf("%s %s\n", name, ok ? "ok" : "WRONG");
    fflush(stdout);
    (ok ? g_ok : g_bad)++;
}

template <class Reset, class Launch>
static void launch4(Reset reset, Launch launch) {
    for (int r = 0; r < 4; ++r) {
        reset();
        launch();
        CK(cudaGetLastError());
    }
    CK(cudaDeviceSynchronize());
}

// written so that NaN counts as a failure
static inline bool near_abs(double got, double ref, double tol) { return std::fabs(got - ref) <= tol; }

// power-law graph (R-MAT, permuted labels), shared by several tests
struct Graph {
    int n, m;
    std::vector<int> src, dst;     // assembly order
    std::vector<int> rowptr, col;  // CSR by source
    std::vector<int> rowsrc;       // source of each CSR slot
    int hub;
};

static Graph make_rmat(int scale, int m, u64 seed) {
    Rng r(seed);
    Graph g;
    g.n = 1 << scale;
    g.m = m;
    std::vector<int> perm(g.n);
    std::iota(perm.begin(), perm.end(), 0);
    for (int i = g.n - 1; i > 0; --i) std::swap(perm[i], perm[r.below(i + 1)]);
    g.src.resize(m);
    g.dst.resize(m);
    for (int e = 0; e < m; ++e) {
        int a = 0, b = 0;
        for (int l = 0; l < scale; ++l) {
            float q = r.unif();
            int x = 0, y = 0;
            if (q < 0.57f) {
            } else if (q < 0.76f) {
                y = 1;
            } else if (q < 0.95f) {
                x = 1;
            } else {
                x = y = 1;
            }
            a = 2 * a + x;
            b = 2 * b + y;
        }
        g.src[e] = perm[a];
        g.dst[e] = perm[b];
    }
    g.rowptr.assign(g.n + 1, 0);
    for (int e = 0; e < m; ++e) g.rowptr[g.src[e] + 1]++;
    for (int i = 0; i < g.n; ++i) g.rowptr[i + 1] += g.rowptr[i];
    std::vector<int> pos(g.rowptr.begin(), g.rowptr.end() - 1);
    g.col.resize(m);
    g.rowsrc.resize(m);
    for (int e = 0; e < m; ++e) {
        int p = pos[g.src[e]]++;
        g.col[p] = g.dst[e];
        g.rowsrc[p] = g.src[e];
    }
    g.hub = 0;
    for (int i = 0; i < g.n; ++i) {
        std::sort(g.col.begin() + g.rowptr[i], g.col.begin() + g.rowptr[i + 1]);
        if (g.rowptr[i + 1] - g.rowptr[i] > g.rowptr[g.hub + 1] - g.rowptr[g.hub]) g.hub = i;
    }
    return g;
}

// ------------------------------------------------------------------------------------
// device helpers
// ------------------------------------------------------------------------------------
template <class T>
__device__ __forceinline__ T warp_sum(T v) {
#pragma unroll
    for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(0xffffffffu, v, o);
    return v;
}

// sum over a 256-thread block, result valid in every thread
template <class T>
__device__ __forceinline__ T block_sum_256(T v, T *sh) {
    v = warp_sum(v);
    __syncthreads();  // sh may still be in use by a previous call
    if ((threadIdx.x & 31) == 0) sh[threadIdx.x >> 5] = v;
    __syncthreads();
    T t = sh[0];
#pragma unroll
    for (int i = 1; i < 8; ++i) t += sh[i];
    return t;
}

// ------------------------------------------------------------------------------------
// 1. CSR SpMV, one thread per row
// ------------------------------------------------------------------------------------
__global__ void spmv_csr_scalar(int n, const int *__restrict__ rowptr, const int *__restrict__ col,
                                const float *__restrict__ val, const float *__restrict__ x,
                                float *__restrict__ y) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    int b = rowptr[row], e = rowptr[row + 1];
    float s = 0.f;
    for (int i = b; i < e; ++i) s += val[i] * x[col[i]];
    y[row] = s;
}

static bool check_spmv(const std::vector<float> &y, const std::vector<double> &ref, const std::vector<double> &mag) {
    for (size_t i = 0; i < ref.size(); ++i)
        if (!near_abs(y[i], ref[i], 1e-4 * mag[i] + 1e-6)) return false;
    return true;
}

static void t_spmv_csr_scalar() {
    Rng r(101);
    const int n = 60000;
    std::vector<int> rp(n + 1, 0), col;
    std::vector<float> val, x(n);
    for (int i = 0; i < n; ++i) {
        int len = 4 + (int)(6.0 * std::pow(r.uni() + 1e-9, -0.7));
        len = std::min(len, 400);
        std::vector<int> c(len);
        for (int k = 0; k < len; ++k) {
            if (r.unif() < 0.75f) {
                int d = i + (int)(r.gauss() * 150.0);
                c[k] = std::min(std::max(d, 0), n - 1);
            } else {
                c[k] = (int)r.below(n);
            }
        }
        std::sort(c.begin(), c.end());
        for (int k = 0; k < len; ++k) {
            col.push_back(c[k]);
            val.push_back((float)r.gauss());
        }
        rp[i + 1] = (int)col.size();
    }
    for (auto &v : x) v = (float)r.gauss();
    std::vector<double> ref(n, 0.0), mag(n, 0.0);
    for (int i = 0; i < n; ++i)
        for (int k = rp[i]; k < rp[i + 1]; ++k) {
            double p = (double)val[k] * x[col[k]];
            ref[i] += p;
            mag[i] += std::fabs(p);
        }
    Dev<int> drp(rp), dcol(col);
    Dev<float> dval(val), dx(x), dy(n);
    launch4([&] { dy.fill(0xff); },
            [&] { spmv_csr_scalar<<<divup(n, 256), 256>>>(n, drp.p, dcol.p, dval.p, dx.p, dy.p); });
    report("spmv_csr_scalar", check_spmv(dy.down(), ref, mag));
}

// ------------------------------------------------------------------------------------
// 2. CSR SpMV, one warp per row (power-law graph)
// ------------------------------------------------------------------------------------
__global__ void spmv_csr_vector(int n, const int *__restrict__ rowptr, const int *__restrict__ col,
                                const float *__restrict__ val, const float *__restrict__ x,
                                float *__restrict__ y) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    int lane = threadIdx.x & 31;
    if (row >= n) return;
    int b = rowptr[row], e = rowptr[row + 1];
    float s = 0.f;
    for (int i = b + lane; i < e; i += 32) s += val[i] * __ldg(x + col[i]);
    s = warp_sum(s);
    if (lane == 0) y[row] = s;
}

static void t_spmv_csr_vector(const Graph &g) {
    Rng r(102);
    std::vector<float> val(g.m), x(g.n);
    for (auto &v : val) v = 0.1f + r.unif();
    for (auto &v : x) v = (float)r.gauss();
    std::vector<double> ref(g.n, 0.0), mag(g.n, 0.0);
    for (int i = 0; i < g.n; ++i)
        for (int k = g.rowptr[i]; k < g.rowptr[i + 1]; ++k) {
            double p = (double)val[k] * x[g.col[k]];
            ref[i] += p;
            mag[i] += std::fabs(p);
        }
    Dev<int> drp(g.rowptr), dcol(g.col);
    Dev<float> dval(val), dx(x), dy(g.n);
    launch4([&] { dy.fill(0xff); },
            [&] { spmv_csr_vector<<<divup(g.n, 8), 256>>>(g.n, drp.p, dcol.p, dval.p, dx.p, dy.p); });
    report("spmv_csr_vector", check_spmv(dy.down(), ref, mag));
}

// ------------------------------------------------------------------------------------
// 3. COO SpMV in assembly order, float atomics
// ------------------------------------------------------------------------------------
__global__ void spmv_coo_atomic(int nnz, const int *__restrict__ row, const int *__restrict__ col,
                                const float *__restrict__ val, const float *__restrict__ x, float *y) {
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < nnz; i += stride)
        atomicAdd(y + row[i], val[i] * x[col[i]]);
}

static void t_spmv_coo_atomic(const Graph &g) {
    Rng r(103);
    std::vector<float> val(g.m), x(g.n);
    for (auto &v : val) v = 0.1f + r.unif();
    for (auto &v : x) v = (float)r.gauss();
    std::vector<double> ref(g.n, 0.0), mag(g.n, 0.0);
    for (int e = 0; e < g.m; ++e) {
        double p = (double)val[e] * x[g.dst[e]];
        ref[g.src[e]] += p;
        mag[g.src[e]] += std::fabs(p);
    }
    Dev<int> drow(g.src), dcol(g.dst);
    Dev<float> dval(val), dx(x), dy(g.n);
    launch4([&] { dy.fill(0); },
            [&] { spmv_coo_atomic<<<132 * 8, 256>>>(g.m, drow.p, dcol.p, dval.p, dx.p, dy.p); });
    report("spmv_coo_atomic", check_spmv(dy.down(), ref, mag));
}

// ------------------------------------------------------------------------------------
// 4. token histogram over a large vocabulary, global atomics
// ------------------------------------------------------------------------------------
__global__ void hist_tokens_global(int n, const int *__restrict__ tok, u32 *hist) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(hist + tok[i], 1u);
}

static void t_hist_tokens_global() {
    Rng r(104);
    const int vocab = 50000, n = 1800000;
    std::vector<double> cdf(vocab);
    double s = 0;
    for (int i = 0; i < vocab; ++i) cdf[i] = (s += 1.0 / std::pow(i + 2.7, 1.05));
    std::vector<int> id(vocab), tok(n);
    std::iota(id.begin(), id.end(), 0);
    for (int i = vocab - 1; i > 0; --i) std::swap(id[i], id[r.below(i + 1)]);
    std::vector<u32> ref(vocab, 0);
    for (int i = 0; i < n; ++i) {
        int k = (int)(std::lower_bound(cdf.begin(), cdf.end(), r.uni() * s) - cdf.begin());
        tok[i] = id[std::min(k, vocab - 1)];
        ref[tok[i]]++;
    }
    Dev<int> dtok(tok);
    Dev<u32> dh(vocab);
    launch4([&] { dh.fill(0); }, [&] { hist_tokens_global<<<divup(n, 256), 256>>>(n, dtok.p, dh.p); });
    report("hist_tokens_global", dh.down() == ref);
}

// ------------------------------------------------------------------------------------
// 5. byte histogram, per-warp shared sub-histograms
// ------------------------------------------------------------------------------------
__global__ void __launch_bounds__(256) hist_bytes_shared(int nvec, const uint4 *__restrict__ data, u32 *hist) {
    __shared__ u32 sub[8][256];
    for (int i = threadIdx.x; i < 8 * 256; i += 256) (&sub[0][0])[i] = 0;
    __syncthreads();
    u32 *mine = sub[threadIdx.x >> 5];
    for (int i = blockIdx.x * 256 + threadIdx.x; i < nvec; i += gridDim.x * 256) {
        uint4 q = data[i];
        u32 w[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            atomicAdd(mine + (w[k] & 255u), 1u);
            atomicAdd(mine + ((w[k] >> 8) & 255u), 1u);
            atomicAdd(mine + ((w[k] >> 16) & 255u), 1u);
            atomicAdd(mine + (w[k] >> 24), 1u);
        }
    }
    __syncthreads();
    u32 t = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) t += sub[k][threadIdx.x];
    if (t) atomicAdd(hist + threadIdx.x, t);
}

static void t_hist_bytes_shared() {
    Rng r(105);
    const int n = 6 << 20, nvec = n / 16;
    std::vector<uint4> data(nvec);
    u8 *b = (u8 *)data.data();
    std::vector<u32> ref(256, 0);
    // astronomical-frame-like bytes: dark background with noise, runs of brighter pixels
    int level = 12;
    for (int i = 0; i < n; ++i) {
        u64 q = r.next();
        if ((q & 127) == 0) level = ((q >> 8) & 3) ? 12 : (int)((q >> 16) & 255);
        int v = level + (int)((q >> 32) & 7) + (int)((q >> 40) & 7) - 7;
        b[i] = (u8)std::min(std::max(v, 0), 255);
        ref[b[i]]++;
    }
    Dev<uint4> dd(data);
    Dev<u32> dh(256);
    launch4([&] { dh.fill(0); }, [&] { hist_bytes_shared<<<132 * 4, 256>>>(nvec, dd.p, dh.p); });
    report("hist_bytes_shared", dh.down() == ref);
}

// ------------------------------------------------------------------------------------
// 6. BFS top-down step, warp per frontier vertex
// ------------------------------------------------------------------------------------
__global__ void bfs_expand_frontier(int nf, const int *__restrict__ frontier, const int *__restrict__ rowptr,
                                    const int *__restrict__ col, int *level, int next_level, int *next,
                                    int *tail) {
    int lane = threadIdx.x & 31;
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    int nwarps = (gridDim.x * blockDim.x) >> 5;
    for (int f = warp; f < nf; f += nwarps) {
        int u = frontier[f];
        int b = rowptr[u], e = rowptr[u + 1];
        for (int base = b; base < e; base += 32) {
            int i = base + lane, v = 0;
            bool found = false;
            if (i < e) {
                v = col[i];
                if (level[v] < 0) found = atomicCAS(level + v, -1, next_level) == -1;
            }
            u32 m = __ballot_sync(FULL, found);
            if (m) {
                int leader = __ffs(m) - 1, pos = 0;
                if (lane == leader) pos = atomicAdd(tail, __popc(m));
                pos = __shfl_sync(FULL, pos, leader);
                if (found) next[pos + __popc(m & ((1u << lane) - 1u))] = v;
            }
        }
    }
}

static void t_bfs_expand_frontier(const Graph &g) {
    std::vector<int> level(g.n, -1), frontier;
    level[g.hub] = 0;
    for (int k = g.rowptr[g.hub]; k < g.rowptr[g.hub + 1]; ++k)
        if (level[g.col[k]] < 0) {
            level[g.col[k]] = 1;
            frontier.push_back(g.col[k]);
        }
    Rng r(106);
    for (int i = (int)frontier.size() - 1; i > 0; --i) std::swap(frontier[i], frontier[r.below(i + 1)]);
    std::vector<int> ref(level), refq;
    for (int u : frontier)
        for (int k = g.rowptr[u]; k < g.rowptr[u + 1]; ++k)
            if (ref[g.col[k]] < 0) {
                ref[g.col[k]] = 2;
                refq.push_back(g.col[k]);
            }
    std::sort(refq.begin(), refq.end());
    int nf = (int)frontier.size();
    Dev<int> df(frontier), drp(g.rowptr), dcol(g.col), dlev(g.n), dnext(g.n), dtail(1);
    launch4(
        [&] {
            dlev.up(level);
            dtail.fill(0);
        },
        [&] {
            bfs_expand_frontier<<<divup(nf, 8), 256>>>(nf, df.p, drp.p, dcol.p, dlev.p, 2, dnext.p, dtail.p);
        });
    std::vector<int> q = dnext.down();
    int tail = dtail.down()[0];
    bool ok = tail == (int)refq.size() && dlev.down() == ref;
    if (ok) {
        q.resize(tail);
        std::sort(q.begin(), q.end());
        ok = q == refq;
    }
    report("bfs_expand_frontier", ok);
}

// ------------------------------------------------------------------------------------
// 7. SSSP relaxation round over the edge list, integer atomicMin
// ------------------------------------------------------------------------------------
__global__ void sssp_relax_edges(int m, const int *__restrict__ src, const int *__restrict__ dst,
                                 const u32 *__restrict__ w, const u32 *__restrict__ dist_in, u32 *dist_out,
                                 u8 *changed) {
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= m) return;
    u32 d = dist_in[src[e]];
    if (d == 0xffffffffu) return;
    u32 nd = d + w[e];
    int v = dst[e];
    if (nd < dist_out[v]) {
        if (nd < atomicMin(dist_out + v, nd)) changed[v] = 1;
    }
}

static void t_sssp_relax_edges(const Graph &g) {
    Rng r(107);
    const u32 INF = 0xffffffffu;
    std::vector<u32> w(g.m), dist(g.n, INF);
    for (auto &x : w) x = 1 + (u32)(1000.0 * r.uni() * r.uni() * r.uni());
    dist[g.hub] = 0;
    auto relax = [&](const std::vector<u32> &in) {
        std::vector<u32> out(in);
        for (int e = 0; e < g.m; ++e) {
            u32 d = in[g.rowsrc[e]];
            if (d != INF) out[g.col[e]] = std::min(out[g.col[e]], d + w[e]);
        }
        return out;
    };
    for (int it = 0; it < 2; ++it) dist = relax(dist);
    std::vector<u32> ref = relax(dist);
    std::vector<u8> refc(g.n);
    for (int i = 0; i < g.n; ++i) refc[i] = ref[i] < dist[i];
    Dev<int> ds(g.rowsrc), dd(g.col);
    Dev<u32> dw(w), din(dist), dout(g.n);
    Dev<u8> dch(g.n);
    launch4(
        [&] {
            dout.up(dist);
            dch.fill(0);
        },
        [&] { sssp_relax_edges<<<divup(g.m, 256), 256>>>(g.m, ds.p, dd.p, dw.p, din.p, dout.p, dch.p); });
    report("sssp_relax_edges", dout.down() == ref && dch.down() == refc);
}

// ------------------------------------------------------------------------------------
// 8. segmented double maximum by compare-and-swap
// ------------------------------------------------------------------------------------
__global__ void segment_max_double_cas(int n, const int *__restrict__ seg, const double *__restrict__ val,
                                       u64 *best) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    u64 *addr = best + seg[i];
    double v = val[i];
    u64 old = *addr;
    while (v > __longlong_as_double((long long)old)) {
        u64 assumed = old;
        old = atomicCAS(addr, assumed, (u64)__double_as_longlong(v));
        if (old == assumed) break;
    }
}

static void t_segment_max_double_cas() {
    Rng r(108);
    const int n = 1000000, nseg = 20000;
    std::vector<int> seg(n);
    std::vector<double> val(n), ref(nseg, -DBL_MAX);
    for (int i = 0; i < n; ++i) {
        int s = std::min(nseg - 1, (int)(nseg * std::pow(r.uni(), 2.2)));
        seg[i] = (int)(((u64)s * 7919u) % (u64)nseg);  // 7919 is coprime to 20000
        val[i] = std::exp(1.5 * r.gauss()) - 1.0;
        ref[seg[i]] = std::max(ref[seg[i]], val[i]);
    }
    std::vector<u64> init(nseg);
    double lowest = -DBL_MAX;
    for (auto &x : init) memcpy(&x, &lowest, 8);
    Dev<int> dseg(seg);
    Dev<double> dval(val);
    Dev<u64> db(nseg);
    launch4([&] { db.up(init); },
            [&] { segment_max_double_cas<<<divup(n, 256), 256>>>(n, dseg.p, dval.p, db.p); });
    std::vector<u64> got = db.down();
    bool ok = true;
    for (int i = 0; i < nseg; ++i) {
        double d;
        memcpy(&d, &got[i], 8);
        if (!(d == ref[i])) ok = false;
    }
    report("segment_max_double_cas", ok);
}

// ------------------------------------------------------------------------------------
// 9. particle cell lists: linked-list push by compare-and-swap
// ------------------------------------------------------------------------------------
__global__ void cell_list_push_cas(int n, const float *__restrict__ px, const float *__restrict__ py,
                                   const float *__restrict__ pz, int dim, int *head, int *next) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float fd = (float)dim;
    int cx = min((int)(px[i] * fd), dim - 1);
    int cy = min((int)(py[i] * fd), dim - 1);
    int cz = min((int)(pz[i] * fd), dim - 1);
    int *h = head + (cz * dim + cy) * dim + cx;
    int old = *(volatile int *)h;
    int assumed;
    do {
        assumed = old;
        next[i] = assumed;
        __threadfence();
        old = atomicCAS(h, assumed, i);
    } while (old != assumed);
}

static void t_cell_list_push_cas() {
    Rng r(109);
    const int n = 200000, dim = 48, ncl = 64;
    std::vector<float> x[3];
    for (auto &v : x) v.resize(n);
    float cen[ncl][3], sig[ncl];
    for (int c = 0; c < ncl; ++c) {
        for (int d = 0; d < 3; ++d) cen[c][d] = 0.1f + 0.8f * r.unif();
        sig[c] = (0.6f + 1.6f * r.unif()) / dim;
    }
    std::vector<int> cell(n), refc(dim * dim * dim, 0);
    for (int i = 0; i < n; ++i) {
        bool cl = r.unif() < 0.4f;
        int c = (int)r.below(ncl);
        int k[3];
        for (int d = 0; d < 3; ++d) {
            float v = cl ? cen[c][d] + sig[c] * (float)r.gauss() : r.unif();
            v = std::min(std::max(v, 0.0f), 0.999999f);
            x[d][i] = v;
            k[d] = std::min((int)(v * (float)dim), dim - 1);
        }
        cell[i] = (k[2] * dim + k[1]) * dim + k[0];
        refc[cell[i]]++;
    }
    Dev<float> dx(x[0]), dy(x[1]), dz(x[2]);
    Dev<int> dh(dim * dim * dim), dn(n);
    launch4([&] { dh.fill(0xff); },
            [&] { cell_list_push_cas<<<divup(n, 256), 256>>>(n, dx.p, dy.p, dz.p, dim, dh.p, dn.p); });
    std::vector<int> h = dh.down(), nx = dn.down();
    std::vector<char> seen(n, 0);
    bool ok = true;
    for (int c = 0; c < dim * dim * dim && ok; ++c) {
        int cnt = 0;
        for (int i = h[c]; i != -1; i = nx[i]) {
            if (i < 0 || i >= n || seen[i] || cell[i] != c) {
                ok = false;
                break;
            }
            seen[i] = 1;
            cnt++;
        }
        if (cnt != refc[c]) ok = false;
    }
    report("cell_list_push_cas", ok);
}

// ------------------------------------------------------------------------------------
// 10. k-mer counting: open-addressing hash insert
// ------------------------------------------------------------------------------------
__device__ __forceinline__ u64 mix64(u64 k) {
    k ^= k >> 33;
    k *= 0xff51afd7ed558ccdull;
    k ^= k >> 33;
    k *= 0xc4ceb9fe1a85ec53ull;
    return k ^ (k >> 33);
}

__global__ void kmer_hash_insert_cas(int n, const u64 *__restrict__ kmer, u64 *keys, u32 *counts, u32 mask) {
    const u64 EMPTY = ~0ull;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    u64 k = kmer[i];
    u32 slot = (u32)mix64(k) & mask;
    while (true) {
        u64 cur = keys[slot];
        if (cur == EMPTY) cur = atomicCAS(keys + slot, EMPTY, k);
        if (cur == EMPTY || cur == k) {
            atomicAdd(counts + slot, 1u);
            return;
        }
        slot = (slot + 1) & mask;
    }
}

static void t_kmer_hash_insert_cas() {
    Rng r(110);
    const int glen = 120000, nreads = 7000, rlen = 100, K = 21;
    std::vector<u8> genome(glen);
    for (auto &b : genome) {
        float q = r.unif();
        b = q < 0.3f ? 0 : q < 0.5f ? 1 : q < 0.7f ? 2 : 3;
    }
    // an interspersed repeat family
    std::vector<u8> rep(genome.begin() + 5000, genome.begin() + 5300);
    for (int c = 0; c < 50; ++c) {
        int at = (int)r.below(glen - 300);
        for (int k = 0; k < 300; ++k) genome[at + k] = r.unif() < 0.03f ? (u8)r.below(4) : rep[k];
    }
    std::vector<u64> km;
    const u64 kmask = (1ull << (2 * K)) - 1;
    for (int q = 0; q < nreads; ++q) {
        int at = (int)r.below(glen - rlen);
        u64 f = 0;
        for (int k = 0; k < rlen; ++k) {
            u8 b = r.unif() < 0.005f ? (u8)r.below(4) : genome[at + k];
            f = ((f << 2) | b) & kmask;
            if (k >= K - 1) km.push_back(f);
        }
    }
    int n = (int)km.size();
    std::vector<u64> srt(km);
    std::sort(srt.begin(), srt.end());
    std::vector<std::pair<u64, u32>> ref, got;
    for (int i = 0; i < n; ++i) {
        if (ref.empty() || ref.back().first != srt[i])
            ref.emplace_back(srt[i], 1u);
        else
            ref.back().second++;
    }
    const u32 cap = 1u << 19;
    Dev<u64> dk(km), dkeys(cap);
    Dev<u32> dc(cap);
    launch4(
        [&] {
            dkeys.fill(0xff);
            dc.fill(0);
        },
        [&] { kmer_hash_insert_cas<<<divup(n, 256), 256>>>(n, dk.p, dkeys.p, dc.p, cap - 1); });
    std::vector<u64> hk = dkeys.down();
    std::vector<u32> hc = dc.down();
    for (u32 s = 0; s < cap; ++s)
        if (hk[s] != ~0ull) got.emplace_back(hk[s], hc[s]);
    std::sort(got.begin(), got.end());
    report("kmer_hash_insert_cas", got == ref);
}

// ------------------------------------------------------------------------------------
// 11. union-find hooking (friends-of-friends / percolation clusters)
// ------------------------------------------------------------------------------------
__device__ __forceinline__ int uf_find(volatile int *p, int v) {
    int par = p[v];
    if (par != v) {
        int prev = v, nxt;
        while (par > (nxt = p[par])) {
            p[prev] = nxt;  // path compression: prev is no root any more, nxt is one of its ancestors
            prev = par;
            par = nxt;
        }
    }
    return par;
}

__global__ void union_find_link(int m, const int2 *__restrict__ edge, int *parent) {
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= m) return;
    int2 uv = edge[e];
    int a = uf_find(parent, uv.x), b = uf_find(parent, uv.y);
    while (a != b) {
        int hi = max(a, b), lo = min(a, b);
        int old = atomicCAS(parent + hi, hi, lo);
        if (old == hi) break;
        a = uf_find(parent, old);
        b = uf_find(parent, lo);
    }
}

static void t_union_find_link() {
    Rng r(111);
    const int W = 512, H = 512, n = W * H;
    std::vector<int2> ed;
    for (int y = 0; y < H; ++y)
        for (int x = 0; x < W; ++x) {
            int i = y * W + x;
            if (x + 1 < W && r.unif() < 0.51f) ed.push_back(make_int2(i, i + 1));
            if (y + 1 < H && r.unif() < 0.51f) ed.push_back(make_int2(i, i + W));
        }
    int m = (int)ed.size();
    for (int i = m - 1; i > 0; --i) std::swap(ed[i], ed[r.below(i + 1)]);
    std::vector<int> id(n);
    std::iota(id.begin(), id.end(), 0);
    std::vector<int> ref(id);
    auto root = [](std::vector<int> &p, int v) {
        while (p[v] != v) {
            p[v] = p[p[v]];
            v = p[v];
        }
        return v;
    };
    for (auto &e : ed) {
        int a = root(ref, e.x), b = root(ref, e.y);
        if (a != b) ref[std::max(a, b)] = std::min(a, b);
    }
    for (int i = 0; i < n; ++i) ref[i] = root(ref, i);
    Dev<int2> de(ed);
    Dev<int> dp(n);
    launch4([&] { dp.up(id); }, [&] { union_find_link<<<divup(m, 256), 256>>>(m, de.p, dp.p); });
    std::vector<int> got = dp.down();
    bool ok = true;
    // parents never point upwards, so one ascending pass flattens the forest
    for (int i = 0; i < n && ok; ++i) {
        if (got[i] < 0 || got[i] > i)
            ok = false;
        else
            got[i] = got[got[i]];
    }
    report("union_find_link", ok && got == ref);
}

// ------------------------------------------------------------------------------------
// 12. multi-word record update under a per-bucket spin lock
// ------------------------------------------------------------------------------------
struct BucketStat {
    int count, vmin, vmax, pad;
    long long sum;
    u64 sumsq;
};

__global__ void bucket_spinlock_update(int n, const int *__restrict__ bucket, const int *__restrict__ val,
                                       int *lock, BucketStat *stat) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int b = bucket[i], v = val[i];
    bool done = false;
    while (!done) {
        if (atomicCAS(lock + b, 0, 1) == 0) {
            __threadfence();
            volatile BucketStat *s = stat + b;
            s->count = s->count + 1;
            s->vmin = min(s->vmin, v);
            s->vmax = max(s->vmax, v);
            s->sum = s->sum + v;
            s->sumsq = s->sumsq + (u64)((long long)v * v);
            __threadfence();
            atomicExch(lock + b, 0);
            done = true;
        }
    }
}

static void t_bucket_spinlock_update() {
    Rng r(112);
    const int n = 60000, nb = 4096;
    std::vector<int> bucket(n), val(n);
    BucketStat z;
    z.count = 0;
    z.vmin = 0x7fffffff;
    z.vmax = -0x7fffffff;
    z.pad = 0;
    z.sum = 0;
    z.sumsq = 0;
    std::vector<BucketStat> init(nb, z), ref(nb, z);
    for (int i = 0; i < n; ++i) {
        int b = std::min(nb - 1, (int)(nb * std::pow(r.uni(), 1.25)));
        b = (int)(((u32)b * 2654435761u) >> 20);  // an odd multiplier spreads hot buckets around
        int v = (int)(r.gauss() * 20000.0);
        bucket[i] = b;
        val[i] = v;
        BucketStat &s = ref[b];
        s.count++;
        s.vmin = std::min(s.vmin, v);
        s.vmax = std::max(s.vmax, v);
        s.sum += v;
        s.sumsq += (u64)((long long)v * v);
    }
    Dev<int> db(bucket), dv(val), dl(nb);
    Dev<BucketStat> dst(nb);
    launch4(
        [&] {
            dl.fill(0);
            dst.up(init);
        },
        [&] { bucket_spinlock_update<<<divup(n, 128), 128>>>(n, db.p, dv.p, dl.p, dst.p); });
    std::vector<BucketStat> got = dst.down();
    bool ok = true;
    for (int b = 0; b < nb; ++b)
        if (got[b].count != ref[b].count || got[b].vmin != ref[b].vmin || got[b].vmax != ref[b].vmax ||
            got[b].sum != ref[b].sum || got[b].sumsq != ref[b].sumsq)
            ok = false;
    report("bucket_spinlock_update", ok);
}

// ------------------------------------------------------------------------------------
// 13. bitonic sort of key/value tiles in shared memory
// ------------------------------------------------------------------------------------
__global__ void __launch_bounds__(512) bitonic_sort_tile(const u32 *__restrict__ kin, u32 *__restrict__ kout,
                                                         u32 *__restrict__ vout) {
    __shared__ u32 k[1024], v[1024];
    u32 base = blockIdx.x * 1024u;
    int t = threadIdx.x;
    k[t] = kin[base + t];
    k[t + 512] = kin[base + t + 512];
    v[t] = base + t;
    v[t + 512] = base + t + 512;
    for (int size = 2; size <= 1024; size <<= 1) {
        for (int j = size >> 1; j > 0; j >>= 1) {
            __syncthreads();
            int lo = 2 * t - (t & (j - 1));
            int hi = lo + j;
            bool up = (lo & size) == 0;
            u32 a = k[lo], b = k[hi];
            if ((a > b) == up && a != b) {
                k[lo] = b;
                k[hi] = a;
                u32 x = v[lo];
                v[lo] = v[hi];
                v[hi] = x;
            }
        }
    }
    __syncthreads();
    kout[base + t] = k[t];
    kout[base + t + 512] = k[t + 512];
    vout[base + t] = v[t];
    vout[base + t + 512] = v[t + 512];
}

static u32 spread3(u32 x) {
    x &= 1023;
    x = (x | (x << 16)) & 0x030000ffu;
    x = (x | (x << 8)) & 0x0300f00fu;
    x = (x | (x << 4)) & 0x030c30c3u;
    x = (x | (x << 2)) & 0x09249249u;
    return x;
}

// Morton codes of a clustered point set
static std::vector<u32> morton_points(int n, u64 seed) {
    Rng r(seed);
    std::vector<u32> key(n);
    double c[40][3];
    for (auto &q : c)
        for (double &d : q) d = r.uni();
    for (int i = 0; i < n; ++i) {
        int j = (int)(40 * r.uni() * r.uni());
        u32 q[3];
        for (int d = 0; d < 3; ++d) {
            double x = r.unif() < 0.1f ? r.uni() : c[j][d] + 0.02 * (r.uni() + r.uni() + r.uni() - 1.5);
            q[d] = (u32)(std::min(std::max(x, 0.0), 0.9999) * 1024.0);
        }
        key[i] = spread3(q[0]) | (spread3(q[1]) << 1) | (spread3(q[2]) << 2);
    }
    return key;
}

static void t_bitonic_sort_tile() {
    const int n = 1 << 20;
    std::vector<u32> key = morton_points(n, 113), ref(key);
    for (int b = 0; b < n; b += 1024) std::sort(ref.begin() + b, ref.begin() + b + 1024);
    Dev<u32> dk(key), dko(n), dvo(n);
    launch4(
        [&] {
            dko.fill(0xff);
            dvo.fill(0xff);
        },
        [&] { bitonic_sort_tile<<<n / 1024, 512>>>(dk.p, dko.p, dvo.p); });
    std::vector<u32> v = dvo.down();
    bool ok = dko.down() == ref;
    std::vector<char> seen(n, 0);
    for (int i = 0; i < n && ok; ++i) {
        if (v[i] >= (u32)n || v[i] / 1024 != (u32)i / 1024 || seen[v[i]] || key[v[i]] != ref[i])
            ok = false;
        else
            seen[v[i]] = 1;
    }
    report("bitonic_sort_tile", ok);
}

// ------------------------------------------------------------------------------------
// 14. one stable 8-bit radix pass: warp match ranking and scatter
// ------------------------------------------------------------------------------------
static const int RR_TILE = 2048;
__global__ void __launch_bounds__(256) radix_rank_scatter(int n, int shift, const u32 *__restrict__ kin,
                                                          const u32 *__restrict__ vin,
                                                          const int *__restrict__ offs, u32 *__restrict__ kout,
                                                          u32 *__restrict__ vout) {
    __shared__ int cnt[8][256];
    int tid = threadIdx.x, lane = tid & 31, warp = tid >> 5;
    for (int i = tid; i < 8 * 256; i += 256) (&cnt[0][0])[i] = 0;
    __syncthreads();
    int first = blockIdx.x * RR_TILE + warp * 256;
    u32 key[8];
    int rank[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        int i = first + k * 32 + lane;
        bool valid = i < n;
        key[k] = valid ? kin[i] : 0u;
        rank[k] = 0;
        u32 act = __ballot_sync(FULL, valid);
        u32 d = (key[k] >> shift) & 255u;
        u32 same = 0;
        if (valid) {
            same = __match_any_sync(act, d);
            rank[k] = cnt[warp][d] + __popc(same & ((1u << lane) - 1u));
        }
        __syncwarp();
        if (valid && lane == __ffs(same) - 1) cnt[warp][d] += __popc(same);
        __syncwarp();
    }
    __syncthreads();
    {
        int run = offs[tid * gridDim.x + blockIdx.x];  // digit-major global offsets
#pragma unroll
        for (int w = 0; w < 8; ++w) {
            int c = cnt[w][tid];
            cnt[w][tid] = run;
            run += c;
        }
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        int i = first + k * 32 + lane;
        if (i < n) {
            int p = cnt[warp][(key[k] >> shift) & 255u] + rank[k];
            kout[p] = key[k];
            vout[p] = vin[i];
        }
    }
}

static void t_radix_rank_scatter() {
    const int n = 1500000, shift = 8, nblk = divup(n, RR_TILE);
    std::vector<u32> key = morton_points(n, 114), val(n);
    for (int i = 0; i < n; ++i) val[i] = (u32)i * 3u + 1u;
    std::vector<int> offs(256 * (size_t)nblk, 0);
    for (int i = 0; i < n; ++i) offs[(size_t)((key[i] >> shift) & 255u) * nblk + i / RR_TILE]++;
    int run = 0;
    for (auto &o : offs) {
        int c = o;
        o = run;
        run += c;
    }
    std::vector<u32> rk(n), rv(n);
    std::vector<int> pos(256);
    for (int d = 0; d < 256; ++d) pos[d] = offs[(size_t)d * nblk];
    for (int i = 0; i < n; ++i) {
        int p = pos[(key[i] >> shift) & 255u]++;
        rk[p] = key[i];
        rv[p] = val[i];
    }
    Dev<u32> dk(key), dv(val), dko(n), dvo(n);
    Dev<int> doff(offs);
    launch4(
        [&] {
            dko.fill(0xff);
            dvo.fill(0xff);
        },
        [&] { radix_rank_scatter<<<nblk, 256>>>(n, shift, dk.p, dv.p, doff.p, dko.p, dvo.p); });
    report("radix_rank_scatter", dko.down() == rk && dvo.down() == rv);
}

// ------------------------------------------------------------------------------------
// 15. merge path
// ------------------------------------------------------------------------------------
__device__ __forceinline__ int merge_diag(const int *a, int na, const int *b, int nb, int d) {
    int lo = max(0, d - nb), hi = min(d, na);
    while (lo < hi) {
        int mid = (lo + hi) >> 1;
        if (a[mid] <= b[d - 1 - mid])
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

__global__ void __launch_bounds__(128) merge_path_tile(const int *__restrict__ A, int na,
                                                       const int *__restrict__ B, int nb,
                                                       int *__restrict__ out) {
    __shared__ int buf[1024];
    __shared__ int split[2];
    int tid = threadIdx.x;
    int d0 = blockIdx.x * 1024, d1 = min(d0 + 1024, na + nb);
    if (tid < 2) split[tid] = merge_diag(A, na, B, nb, tid == 0 ? d0 : d1);
    __syncthreads();
    int a0 = split[0], ca = split[1] - a0;
    int b0 = d0 - a0, total = d1 - d0, cb = total - ca;
    for (int i = tid; i < total; i += 128) buf[i] = i < ca ? A[a0 + i] : B[b0 + i - ca];
    __syncthreads();
    const int *sa = buf, *sb = buf + ca;
    int d = min(tid * 8, total);
    int ai = merge_diag(sa, ca, sb, cb, d), bi = d - ai;
    int r[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        r[k] = 0;
        if (d + k < total) {
            bool takeA = bi >= cb || (ai < ca && sa[ai] <= sb[bi]);
            r[k] = takeA ? sa[ai++] : sb[bi++];
        }
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; ++k)
        if (d + k < total) buf[d + k] = r[k];
    __syncthreads();
    for (int i = tid; i < total; i += 128) out[d0 + i] = buf[i];
}

static void t_merge_path_tile() {
    Rng r(115);
    const int na = 1400000, nb = 600000;
    std::vector<int> a(na), b(nb), ref(na + nb);
    for (auto &x : a) x = (int)(1e8 * r.uni() * r.uni());
    for (auto &x : b) x = r.unif() < 0.3f ? (int)r.below(5000) * 1000 : (int)(4e7 + 3e6 * r.gauss());
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    std::merge(a.begin(), a.end(), b.begin(), b.end(), ref.begin());
    Dev<int> da(a), db(b), dout(na + nb);
    launch4([&] { dout.fill(0xff); },
            [&] { merge_path_tile<<<divup(na + nb, 1024), 128>>>(da.p, na, db.p, nb, dout.p); });
    report("merge_path_tile", dout.down() == ref);
}

// ------------------------------------------------------------------------------------
// 16. float4 dot product, single-pass reduction (last block finishes)
// ------------------------------------------------------------------------------------
__global__ void __launch_bounds__(256) dot_float4_reduce(int nvec, const float4 *__restrict__ a,
                                                         const float4 *__restrict__ b, double *partial,
                                                         u32 *counter, double *out) {
    __shared__ double sh[8];
    __shared__ bool last;
    float s = 0.f;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < nvec; i += gridDim.x * 256) {
        float4 p = a[i], q = b[i];
        s += p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
    }
    double t = block_sum_256((double)s, sh);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = t;
        __threadfence();
        last = atomicAdd(counter, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (last) {
        __threadfence();
        double v = 0.0;
        for (int i = threadIdx.x; i < (int)gridDim.x; i += 256) v += ((volatile double *)partial)[i];
        v = block_sum_256(v, sh);
        if (threadIdx.x == 0) *out = v;
    }
}

static void t_dot_float4_reduce() {
    Rng r(116);
    const int n = 4000000, nvec = n / 4, grid = 132 * 4;
    std::vector<float4> a(nvec), b(nvec);
    float *pa = (float *)a.data(), *pb = (float *)b.data();
    double ref = 0, mag = 0;
    for (int i = 0; i < n; ++i) {
        float u = r.unif();
        pa[i] = (u - 0.4f) * (u < 0.01f ? 50.f : 1.f);
        pb[i] = r.unif() - 0.3f;
        double p = (double)pa[i] * pb[i];
        ref += p;
        mag += std::fabs(p);
    }
    Dev<float4> da(a), db(b);
    Dev<double> dp(grid), dout(1);
    Dev<u32> dc(1);
    launch4(
        [&] {
            dc.fill(0);
            dout.fill(0xff);
        },
        [&] { dot_float4_reduce<<<grid, 256>>>(nvec, da.p, db.p, dp.p, dc.p, dout.p); });
    report("dot_float4_reduce", near_abs(dout.down()[0], ref, 1e-5 * mag));
}

// ------------------------------------------------------------------------------------
// 17. layer norm, block per row of 1024
// ------------------------------------------------------------------------------------
__global__ void __launch_bounds__(256) layernorm_rows(const float4 *__restrict__ x,
                                                      const float4 *__restrict__ gamma,
                                                      const float4 *__restrict__ beta,
                                                      float4 *__restrict__ y, float eps) {
    __shared__ float sh[8];
    size_t at = (size_t)blockIdx.x * 256 + threadIdx.x;
    float4 v = x[at];
    float mean = block_sum_256(v.x + v.y + v.z + v.w, sh) * (1.f / 1024.f);
    v.x -= mean;
    v.y -= mean;
    v.z -= mean;
    v.w -= mean;
    float var = block_sum_256(v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w, sh) * (1.f / 1024.f);
    float rs = rsqrtf(var + eps);
    float4 g = gamma[threadIdx.x], b = beta[threadIdx.x], o;
    o.x = fmaf(v.x * rs, g.x, b.x);
    o.y = fmaf(v.y * rs, g.y, b.y);
    o.z = fmaf(v.z * rs, g.z, b.z);
    o.w = fmaf(v.w * rs, g.w, b.w);
    y[at] = o;
}

static void t_layernorm_rows() {
    Rng r(117);
    const int rows = 3000, cols = 1024;
    std::vector<float4> x((size_t)rows * cols / 4), gm(cols / 4), bt(cols / 4);
    float *px = (float *)x.data(), *pg = (float *)gm.data(), *pb = (float *)bt.data();
    for (int c = 0; c < cols; ++c) {
        pg[c] = 1.f + 0.2f * (float)r.gauss();
        pb[c] = 0.1f * (float)r.gauss();
    }
    for (int i = 0; i < rows; ++i) {
        float sc = 0.3f + 2.f * r.unif(), mu = r.unif() - 0.5f;
        for (int c = 0; c < cols; ++c) {
            float v = mu + sc * (r.unif() + r.unif() + r.unif() - 1.5f);
            if (c % 341 == 17) v *= 12.f;  // outlier channels
            px[(size_t)i * cols + c] = v;
        }
    }
    Dev<float4> dx(x), dg(gm), db(bt), dy((size_t)rows * cols / 4);
    launch4([&] { dy.fill(0xff); }, [&] { layernorm_rows<<<rows, 256>>>(dx.p, dg.p, db.p, dy.p, 1e-5f); });
    std::vector<float4> y = dy.down();
    const float *py = (const float *)y.data();
    bool ok = true;
    for (int i = 0; i < rows; ++i) {
        const float *row = px + (size_t)i * cols;
        double m = 0, v = 0;
        for (int c = 0; c < cols; ++c) m += row[c];
        m /= cols;
        for (int c = 0; c < cols; ++c) v += (row[c] - m) * (row[c] - m);
        double rs = 1.0 / std::sqrt(v / cols + 1e-5);
        for (int c = 0; c < cols; ++c) {
            double ref = (row[c] - m) * rs * pg[c] + pb[c];
            if (!near_abs(py[(size_t)i * cols + c], ref, 2e-4 * (1.0 + std::fabs(ref)))) ok = false;
        }
    }
    report("layernorm_rows", ok);
}

// ------------------------------------------------------------------------------------
// 18. 2-D variable-coefficient diffusion step, shared tile with halo
// ------------------------------------------------------------------------------------
__global__ void __launch_bounds__(256) stencil2d_tile(int W, int H, const float *__restrict__ u,
                                                      const float *__restrict__ kappa, float *__restrict__ out,
                                                      float dt) {
    __shared__ float s[34][36];
    int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
    int tid = threadIdx.y * 32 + threadIdx.x;
    for (int i = tid; i < 34 * 34; i += 256) {
        int ly = i / 34, lx = i - ly * 34;
        int gx = min(max(x0 + lx - 1, 0), W - 1);
        int gy = min(max(y0 + ly - 1, 0), H - 1);
        s[ly][lx] = u[gy * W + gx];
    }
    __syncthreads();
    int gx = x0 + threadIdx.x, lx = threadIdx.x + 1;
    if (gx >= W) return;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        int ly = threadIdx.y + 8 * k + 1, gy = y0 + ly - 1;
        if (gy < H) {
            float c = s[ly][lx];
            float cross = s[ly][lx - 1] + s[ly][lx + 1] + s[ly - 1][lx] + s[ly + 1][lx];
            float diag = s[ly - 1][lx - 1] + s[ly - 1][lx + 1] + s[ly + 1][lx - 1] + s[ly + 1][lx + 1];
            float lap = (4.f * cross + diag - 20.f * c) * (1.f / 6.f);
            out[gy * W + gx] = c + dt * kappa[gy * W + gx] * lap;
        }
    }
}

static void t_stencil2d_tile() {
    Rng r(118);
    const int W = 2000, H = 1210;
    const float dt = 0.2f;
    std::vector<float> u((size_t)W * H), kap((size_t)W * H), ref((size_t)W * H);
    for (int y = 0; y < H; ++y)
        for (int x = 0; x < W; ++x) {
            size_t i = (size_t)y * W + x;
            u[i] = 0.02f * r.unif() + ((x / 97 + y / 61) % 3 == 0 ? 1.f : 0.1f);
            kap[i] = (x - 900) * (x - 900) + (y - 500) * (y - 500) < 160000 ? 0.9f : 0.3f + 0.2f * r.unif();
        }
    auto at = [&](int x, int y) {
        x = std::min(std::max(x, 0), W - 1);
        y = std::min(std::max(y, 0), H - 1);
        return u[(size_t)y * W + x];
    };
    for (int y = 0; y < H; ++y)
        for (int x = 0; x < W; ++x) {
            float c = at(x, y);
            float cr = at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1);
            float dg = at(x - 1, y - 1) + at(x + 1, y - 1) + at(x - 1, y + 1) + at(x + 1, y + 1);
            float lap = (4.f * cr + dg - 20.f * c) * (1.f / 6.f);
            ref[(size_t)y * W + x] = c + dt * kap[(size_t)y * W + x] * lap;
        }
    Dev<float> du(u), dk(kap), dout((size_t)W * H);
    launch4([&] { dout.fill(0xff); },
            [&] {
                stencil2d_tile<<<dim3(divup(W, 32), divup(H, 32)), dim3(32, 8)>>>(W, H, du.p, dk.p, dout.p, dt);
            });
    std::vector<float> got = dout.down();
    bool ok = true;
    for (size_t i = 0; i < got.size(); ++i)
        if (!near_abs(got[i], ref[i], 2e-5)) ok = false;
    report("stencil2d_tile", ok);
}

// ------------------------------------------------------------------------------------
// 19. 3-D 8th-order wave equation step, marching along z in registers
// ------------------------------------------------------------------------------------
#define W0 (-2.84722222f)
#define W1 (1.6f)
#define W2 (-0.2f)
#define W3 (0.02539683f)
#define W4 (-0.00178571f)

__global__ void __launch_bounds__(256) stencil3d_march(int nx, int ny, int nz, int zchunk,
                                                       const float *__restrict__ u,
                                                       const float *__restrict__ uold,
                                                       const float *__restrict__ c2, float *__restrict__ unew) {
    __shared__ float s[16][40];
    int tx = threadIdx.x, ty = threadIdx.y;
    int gx = 4 + blockIdx.x * 32 + tx, gy = 4 + blockIdx.y * 8 + ty;
    bool active = gx < nx - 4 && gy < ny - 4;
    int cx = min(gx, nx - 1), cy = min(gy, ny - 1);
    int plane = nx * ny;
    int z0 = 4 + blockIdx.z * zchunk, z1 = min(z0 + zchunk, nz - 4);
    if (z0 >= z1) return;  // uniform over the block
    const float *col = u + cy * nx + cx;
    float q[9];
#pragma unroll
    for (int k = 0; k < 8; ++k) q[k + 1] = col[(z0 - 4 + k) * plane];
    for (int z = z0; z < z1; ++z) {
#pragma unroll
        for (int k = 0; k < 8; ++k) q[k] = q[k + 1];
        q[8] = col[(z + 4) * plane];
        const float *pl = u + z * plane;
        __syncthreads();
        s[ty + 4][tx + 4] = q[4];
        if (ty < 4) {
            s[ty][tx + 4] = pl[(cy - 4) * nx + cx];
            s[ty + 12][tx + 4] = pl[min(gy + 8, ny - 1) * nx + cx];
        }
        if (tx < 4) {
            s[ty + 4][tx] = pl[cy * nx + cx - 4];
            s[ty + 4][tx + 36] = pl[cy * nx + min(gx + 32, nx - 1)];
        }
        __syncthreads();
        if (active) {
            const float *r = &s[ty + 4][tx + 4];
            float lap = 3.f * W0 * q[4];
            lap += W1 * (r[-1] + r[1] + r[-40] + r[40] + q[3] + q[5]);
            lap += W2 * (r[-2] + r[2] + r[-80] + r[80] + q[2] + q[6]);
            lap += W3 * (r[-3] + r[3] + r[-120] + r[120] + q[1] + q[7]);
            lap += W4 * (r[-4] + r[4] + r[-160] + r[160] + q[0] + q[8]);
            int i = z * plane + gy * nx + gx;
            unew[i] = 2.f * q[4] - uold[i] + c2[i] * lap;
        }
    }
}

static void t_stencil3d_march() {
    Rng r(119);
    const int nx = 160, ny = 150, nz = 100, plane = nx * ny;
    size_t n = (size_t)plane * nz;
    std::vector<float> u(n), uo(n), c2(n);
    for (int z = 0; z < nz; ++z)
        for (int y = 0; y < ny; ++y)
            for (int x = 0; x < nx; ++x) {
                size_t i = ((size_t)z * ny + y) * nx + x;
                float d2 = (float)((x - 70) * (x - 70) + (y - 80) * (y - 80) + (z - 40) * (z - 40));
                u[i] = std::exp(-d2 / 200.f) + 0.01f * r.unif();
                uo[i] = 0.95f * u[i] + 0.01f * r.unif();
                c2[i] = z < 30 ? 0.05f : z < 62 + (x / 20) ? 0.09f : 0.14f;  // layered medium
            }
    Dev<float> du(u), duo(uo), dc(c2), dn(n);
    const int zchunk = 23;
    dim3 grid(divup(nx - 8, 32), divup(ny - 8, 8), divup(nz - 8, zchunk));
    launch4([&] { dn.fill(0xff); },
            [&] { stencil3d_march<<<grid, dim3(32, 8)>>>(nx, ny, nz, zchunk, du.p, duo.p, dc.p, dn.p); });
    std::vector<float> got = dn.down();
    const float w[5] = {W0, W1, W2, W3, W4};
    bool ok = true;
    for (int z = 4; z < nz - 4; ++z)
        for (int y = 4; y < ny - 4; ++y)
            for (int x = 4; x < nx - 4; ++x) {
                int i = (z * ny + y) * nx + x;
                float lap = 3.f * w[0] * u[i];
                for (int k = 1; k <= 4; ++k)
                    lap += w[k] * (u[i - k] + u[i + k] + u[i - k * nx] + u[i + k * nx] + u[i - k * plane] +
                                   u[i + k * plane]);
                float ref = 2.f * u[i] - uo[i] + c2[i] * lap;
                if (!near_abs(got[i], ref, 2e-5)) ok = false;
            }
    report("stencil3d_march", ok);
}

// ------------------------------------------------------------------------------------
// 20. inclusive scan, single pass with decoupled look-back
// ------------------------------------------------------------------------------------
static const int SCAN_TILE = 2048;
__global__ void __launch_bounds__(256) scan_lookback(int n, const u32 *__restrict__ in, u32 *__restrict__ out,
                                                     u64 *status, u32 *ticket) {
    __shared__ u32 wsum[8];
    __shared__ u32 s_tile, s_excl;
    int tid = threadIdx.x, lane = tid & 31, warp = tid >> 5;
    if (tid == 0) s_tile = atomicAdd(ticket, 1u);
    __syncthreads();
    int tile = (int)s_tile;
    int base = tile * SCAN_TILE + tid * 8;
    u32 v[8];
    if (base + 8 <= n) {
        uint4 p = *(const uint4 *)(in + base), q = *(const uint4 *)(in + base + 4);
        v[0] = p.x, v[1] = p.y, v[2] = p.z, v[3] = p.w;
        v[4] = q.x, v[5] = q.y, v[6] = q.z, v[7] = q.w;
    } else {
#pragma unroll
        for (int k = 0; k < 8; ++k) v[k] = base + k < n ? in[base + k] : 0u;
    }
#pragma unroll
    for (int k = 1; k < 8; ++k) v[k] += v[k - 1];
    u32 inc = v[7];
#pragma unroll
    for (int o = 1; o < 32; o <<= 1) {
        u32 t = __shfl_up_sync(FULL, inc, o);
        if (lane >= o) inc += t;
    }
    if (lane == 31) wsum[warp] = inc;
    __syncthreads();
    u32 wpre = 0, agg = 0;
#pragma unroll
    for (int w = 0; w < 8; ++w) {
        if (w < warp) wpre += wsum[w];
        agg += wsum[w];
    }
    volatile u64 *st = status;
    if (warp == 0) {
        // flag 1: tile aggregate, flag 2: inclusive prefix (flag and value in one 64-bit word)
        if (lane == 0) st[tile] = ((tile == 0 ? 2ull : 1ull) << 32) | agg;
        u32 excl = 0;
        for (int p = tile - 1;; p -= 32) {
            int idx = p - lane;
            u64 w = 2ull << 32;
            if (idx >= 0) {
                do {
                    w = st[idx];
                } while ((w >> 32) == 0);
            }
            __syncwarp();
            u32 done = __ballot_sync(FULL, (w >> 32) == 2ull);
            int stop = done ? __ffs(done) - 1 : 31;
            excl += warp_sum(lane <= stop ? (u32)w : 0u);
            if (done) break;
        }
        if (lane == 0) {
            st[tile] = (2ull << 32) | (u64)(u32)(excl + agg);
            s_excl = excl;
        }
    }
    __syncthreads();
    u32 off = s_excl + wpre + inc - v[7];
    if (base + 8 <= n) {
        *(uint4 *)(out + base) = make_uint4(v[0] + off, v[1] + off, v[2] + off, v[3] + off);
        *(uint4 *)(out + base + 4) = make_uint4(v[4] + off, v[5] + off, v[6] + off, v[7] + off);
    } else {
#pragma unroll
        for (int k = 0; k < 8; ++k)
            if (base + k < n) out[base + k] = v[k] + off;
    }
}

static void t_scan_lookback() {
    Rng r(120);
    const int n = 3000005, tiles = divup(n, SCAN_TILE);
    std::vector<u32> in(n), ref(n);
    u32 run = 0;
    for (int i = 0; i < n; ++i) {
        float q = r.unif();
        in[i] = q < 0.6f ? 0u : q < 0.99f ? r.below(16) : r.below(3000);  // vertex degrees
        run += in[i];
        ref[i] = run;
    }
    Dev<u32> din(in), dout(n), dt(1);
    Dev<u64> ds(tiles);
    launch4(
        [&] {
            ds.fill(0);
            dt.fill(0);
            dout.fill(0xff);
        },
        [&] { scan_lookback<<<tiles, 256>>>(n, din.p, dout.p, ds.p, dt.p); });
    report("scan_lookback", dout.down() == ref);
}

// ------------------------------------------------------------------------------------
// 21. stream compaction with ballots, one global atomic per block
// ------------------------------------------------------------------------------------
__global__ void __launch_bounds__(256) compact_ballot(int n, const float *__restrict__ e, float thr,
                                                      int *__restrict__ out_id, float *__restrict__ out_e,
                                                      int *count) {
    __shared__ int wcnt[8];
    __shared__ int s_base;
    int tid = threadIdx.x, lane = tid & 31, warp = tid >> 5;
    int first = blockIdx.x * 1024 + warp * 128 + lane;
    float v[4];
    u32 m[4];
    int tot = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        int i = first + 32 * k;
        v[k] = i < n ? e[i] : -FLT_MAX;
        m[k] = __ballot_sync(FULL, v[k] > thr);
        tot += __popc(m[k]);
    }
    if (lane == 0) wcnt[warp] = tot;
    __syncthreads();
    if (tid == 0) {
        int s = 0;
        for (int w = 0; w < 8; ++w) {
            int c = wcnt[w];
            wcnt[w] = s;
            s += c;
        }
        s_base = s ? atomicAdd(count, s) : 0;
    }
    __syncthreads();
    int pos = s_base + wcnt[warp];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        if (v[k] > thr) {
            int p = pos + __popc(m[k] & ((1u << lane) - 1u));
            out_id[p] = first + 32 * k;
            out_e[p] = v[k];
        }
        pos += __popc(m[k]);
    }
}

static void t_compact_ballot() {
    Rng r(121);
    const int n = 3000000;
    const float thr = 4.0f;
    std::vector<float> e(n);
    int kept = 0;
    float burst = 0.f;
    for (int i = 0; i < n; ++i) {  // detector channel: noise plus decaying bursts
        if (r.below(2000) == 0) burst = 5.f + 40.f * r.unif();
        burst *= 0.995f;
        e[i] = burst + 2.f * (r.unif() + r.unif()) - 1.f;
        kept += e[i] > thr;
    }
    Dev<float> de(e), doe(n);
    Dev<int> did(n), dc(1);
    launch4(
        [&] {
            dc.fill(0);
            did.fill(0xff);
        },
        [&] { compact_ballot<<<divup(n, 1024), 256>>>(n, de.p, thr, did.p, doe.p, dc.p); });
    std::vector<int> id = did.down();
    std::vector<float> oe = doe.down();
    std::vector<char> seen(n, 0);
    bool ok = dc.down()[0] == kept;
    for (int i = 0; i < kept && ok; ++i) {
        int j = id[i];
        if (j < 0 || j >= n || seen[j] || !(e[j] > thr) || oe[i] != e[j])
            ok = false;
        else
            seen[j] = 1;
    }
    report("compact_ballot", ok);
}

// ------------------------------------------------------------------------------------
// 22. Mandelbrot escape time
// ------------------------------------------------------------------------------------
__global__ void mandelbrot_escape(int W, int H, float x0, float y0, float step, int maxit,
                                  unsigned short *__restrict__ out) {
    int px = blockIdx.x * blockDim.x + threadIdx.x;
    int py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= W || py >= H) return;
    float cx = fmaf((float)px, step, x0), cy = fmaf((float)py, step, y0);
    float x = 0.f, y = 0.f;
    int it = 0;
    while (it < maxit) {
        float nx = fmaf(x, x, fmaf(-y, y, cx));
        float ny = fmaf(x + x, y, cy);
        x = nx;
        y = ny;
        if (fmaf(x, x, y * y) > 4.f) break;
        ++it;
    }
    out[py * W + px] = (unsigned short)it;
}

static void t_mandelbrot_escape() {
    const int W = 640, H = 500, maxit = 400;
    const float x0 = -0.765f, y0 = 0.085f, step = 0.00008f;
    Dev<unsigned short> d((size_t)W * H);
    launch4([&] { d.fill(0xff); },
            [&] {
                mandelbrot_escape<<<dim3(divup(W, 32), divup(H, 8)), dim3(32, 8)>>>(W, H, x0, y0, step, maxit, d.p);
            });
    std::vector<unsigned short> got = d.down();
    int bad = 0;
    for (int py = 0; py < H; ++py)
        for (int px = 0; px < W; ++px) {
            float cx = std::fma((float)px, step, x0), cy = std::fma((float)py, step, y0);
            float x = 0.f, y = 0.f;
            int it = 0;
            while (it < maxit) {
                float nx = std::fma(x, x, std::fma(-y, y, cx));
                float ny = std::fma(x + x, y, cy);
                x = nx;
                y = ny;
                if (std::fma(x, x, y * y) > 4.f) break;
                ++it;
            }
            bad += got[py * W + px] != it;
        }
    report("mandelbrot_escape", bad <= W * H / 200);
}

// ------------------------------------------------------------------------------------
// 23. random walks on the graph (integer generator, path output)
// ------------------------------------------------------------------------------------
__host__ __device__ inline u32 walk_rng(u32 &s) {
    s = s * 747796405u + 2891336453u;
    u32 w = ((s >> ((s >> 28) + 4u)) ^ s) * 277803737u;
    return (w >> 22) ^ w;
}

__global__ void random_walk_csr(int nwalk, int steps, int n, const int *__restrict__ rowptr,
                                const int *__restrict__ col, const int *__restrict__ start, int *__restrict__ path) {
    int w = blockIdx.x * blockDim.x + threadIdx.x;
    if (w >= nwalk) return;
    u32 s = (u32)w * 2654435761u + 12345u;
    int v = start[w];
    for (int k = 0; k < steps; ++k) {
        u32 q = walk_rng(s);
        int b = rowptr[v], deg = rowptr[v + 1] - b;
        if (deg == 0 || (q & 31u) == 0)  // dead end or restart
            v = (int)__umulhi(walk_rng(s), (u32)n);
        else
            v = col[b + (int)__umulhi(q, (u32)deg)];
        path[(size_t)k * nwalk + w] = v;
    }
}

static void t_random_walk_csr(const Graph &g) {
    Rng r(123);
    const int nw = 50000, steps = 32;
    std::vector<int> start(nw), ref((size_t)nw * steps);
    for (auto &s : start) s = g.src[r.below(g.m)];
    for (int w = 0; w < nw; ++w) {
        u32 s = (u32)w * 2654435761u + 12345u;
        int v = start[w];
        for (int k = 0; k < steps; ++k) {
            u32 q = walk_rng(s);
            int b = g.rowptr[v], deg = g.rowptr[v + 1] - b;
            if (deg == 0 || (q & 31u) == 0)
                v = (int)(((u64)walk_rng(s) * (u32)g.n) >> 32);
            else
                v = g.col[b + (int)(((u64)q * (u32)deg) >> 32)];
            ref[(size_t)k * nw + w] = v;
        }
    }
    Dev<int> drp(g.rowptr), dcol(g.col), dst(start), dpath((size_t)nw * steps);
    launch4([&] { dpath.fill(0xff); },
            [&] {
                random_walk_csr<<<divup(nw, 128), 128>>>(nw, steps, g.n, drp.p, dcol.p, dst.p, dpath.p);
            });
    report("random_walk_csr", dpath.down() == ref);
}

// ------------------------------------------------------------------------------------
// 24. image warp: rotation plus radial distortion, linear-filtered 2-D texture (array)
// ------------------------------------------------------------------------------------
struct WarpParam {
    float c, s, k1, cx, cy;
};
__host__ __device__ inline void warp_map(const WarpParam &p, int x, int y, float &sx, float &sy) {
    float dx = (float)x - p.cx, dy = (float)y - p.cy;
    float f = 1.f + p.k1 * (dx * dx + dy * dy);
    sx = p.cx + f * (p.c * dx - p.s * dy);
    sy = p.cy + f * (p.s * dx + p.c * dy);
}

__global__ void tex_warp_bilinear(cudaTextureObject_t tex, int W, int H, WarpParam p, float *__restrict__ out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= W || y >= H) return;
    float sx, sy;
    warp_map(p, x, y, sx, sy);
    out[y * W + x] = tex2D<float>(tex, sx + 0.5f, sy + 0.5f);
}

static void t_tex_warp_bilinear() {
    Rng r(124);
    const int W = 1280, H = 900;
    std::vector<float> img((size_t)W * H);
    for (int y = 0; y < H; ++y)
        for (int x = 0; x < W; ++x)
            img[(size_t)y * W + x] =
                0.3f + 0.1f * std::sin(x * 0.031f) * std::cos(y * 0.023f + x * 0.004f) + 0.02f * r.unif();
    for (int k = 0; k < 1500; ++k) {  // stars
        int cx = (int)r.below(W), cy = (int)r.below(H);
        float a = 0.4f * r.unif() * r.unif();
        for (int dy = -5; dy <= 5; ++dy)
            for (int dx = -5; dx <= 5; ++dx) {
                int x = cx + dx, y = cy + dy;
                if (x >= 0 && x < W && y >= 0 && y < H)
                    img[(size_t)y * W + x] += a * std::exp(-(float)(dx * dx + dy * dy) / 5.f);
            }
    }
    cudaChannelFormatDesc cd = cudaCreateChannelDesc<float>();
    cudaArray_t arr;
    CK(cudaMallocArray(&arr, &cd, W, H));
    CK(cudaMemcpy2DToArray(arr, 0, 0, img.data(), W * sizeof(float), W * sizeof(float), H, cudaMemcpyHostToDevice));
    cudaResourceDesc rd;
    memset(&rd, 0, sizeof rd);
    rd.resType = cudaResourceTypeArray;
    rd.res.array.array = arr;
    cudaTextureDesc td;
    memset(&td, 0, sizeof td);
    td.addressMode[0] = td.addressMode[1] = cudaAddressModeClamp;
    td.filterMode = cudaFilterModeLinear;
    td.readMode = cudaReadModeElementType;
    td.normalizedCoords = 0;
    cudaTextureObject_t tex = 0;
    CK(cudaCreateTextureObject(&tex, &rd, &td, nullptr));
    WarpParam p;
    p.c = std::cos(0.3f);
    p.s = std::sin(0.3f);
    p.k1 = 2e-7f;
    p.cx = 0.5f * W;
    p.cy = 0.5f * H;
    {
        Dev<float> d((size_t)W * H);
        launch4([&] { d.fill(0xff); },
                [&] { tex_warp_bilinear<<<dim3(divup(W, 32), divup(H, 8)), dim3(32, 8)>>>(tex, W, H, p, d.p); });
        std::vector<float> got = d.down();
        auto at = [&](int x, int y) {
            x = std::min(std::max(x, 0), W - 1);
            y = std::min(std::max(y, 0), H - 1);
            return img[(size_t)y * W + x];
        };
        bool ok = true;
        for (int y = 0; y < H; ++y)
            for (int x = 0; x < W; ++x) {
                float sx, sy;
                warp_map(p, x, y, sx, sy);
                int ix = (int)std::floor(sx), iy = (int)std::floor(sy);
                float a = sx - ix, b = sy - iy;
                float ref = (1 - b) * ((1 - a) * at(ix, iy) + a * at(ix + 1, iy)) +
                            b * ((1 - a) * at(ix, iy + 1) + a * at(ix + 1, iy + 1));
                // the texture unit interpolates with 8-bit fractions
                if (!near_abs(got[(size_t)y * W + x], ref, 0.01)) ok = false;
            }
        report("tex_warp_bilinear", ok);
    }
    CK(cudaDestroyTextureObject(tex));
    CK(cudaFreeArray(arr));
}

// ------------------------------------------------------------------------------------
// 25. 7x7 census transform, point-sampled byte texture on pitched memory
// ------------------------------------------------------------------------------------
__global__ void tex_census_point(cudaTextureObject_t tex, int W, int H, u64 *__restrict__ out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= W || y >= H) return;
    float fx = (float)x + 0.5f, fy = (float)y + 0.5f;
    u8 c = tex2D<u8>(tex, fx, fy);
    u64 bits = 0;
#pragma unroll
    for (int dy = -3; dy <= 3; ++dy)
#pragma unroll
        for (int dx = -3; dx <= 3; ++dx)
            if (dx != 0 || dy != 0) bits = (bits << 1) | (u64)(tex2D<u8>(tex, fx + dx, fy + dy) < c);
    out[y * W + x] = bits;
}

static void t_tex_census_point() {
    Rng r(125);
    const int W = 1000, H = 720;
    std::vector<u8> img((size_t)W * H);
    for (int y = 0; y < H; ++y)
        for (int x = 0; x < W; ++x) {
            float v = 110.f + 60.f * std::sin(x * 0.05f + y * 0.01f) + (((x / 40) ^ (y / 56)) & 1 ? 30.f : -20.f) +
                      12.f * (r.unif() + r.unif() - 1.f);
            img[(size_t)y * W + x] = (u8)std::min(std::max(v, 0.f), 255.f);
        }
    u8 *dimg = nullptr;
    size_t pitch = 0;
    CK(cudaMallocPitch((void **)&dimg, &pitch, W, H));
    CK(cudaMemcpy2D(dimg, pitch, img.data(), W, W, H, cudaMemcpyHostToDevice));
    cudaResourceDesc rd;
    memset(&rd, 0, sizeof rd);
    rd.resType = cudaResourceTypePitch2D;
    rd.res.pitch2D.devPtr = dimg;
    rd.res.pitch2D.desc = cudaCreateChannelDesc<u8>();
    rd.res.pitch2D.width = W;
    rd.res.pitch2D.height = H;
    rd.res.pitch2D.pitchInBytes = pitch;
    cudaTextureDesc td;
    memset(&td, 0, sizeof td);
    td.addressMode[0] = td.addressMode[1] = cudaAddressModeClamp;
    td.filterMode = cudaFilterModePoint;
    td.readMode = cudaReadModeElementType;
    td.normalizedCoords = 0;
    cudaTextureObject_t tex = 0;
    CK(cudaCreateTextureObject(&tex, &rd, &td, nullptr));
    {
        Dev<u64> d((size_t)W * H);
        launch4([&] { d.fill(0xff); },
                [&] { tex_census_point<<<dim3(divup(W, 32), divup(H, 8)), dim3(32, 8)>>>(tex, W, H, d.p); });
        std::vector<u64> got = d.down();
        bool ok = true;
        for (int y = 0; y < H; ++y)
            for (int x = 0; x < W; ++x) {
                u8 c = img[(size_t)y * W + x];
                u64 bits = 0;
                for (int dy = -3; dy <= 3; ++dy)
                    for (int dx = -3; dx <= 3; ++dx)
                        if (dx != 0 || dy != 0) {
                            int xx = std::min(std::max(x + dx, 0), W - 1);
                            int yy = std::min(std::max(y + dy, 0), H - 1);
                            bits = (bits << 1) | (u64)(img[(size_t)yy * W + xx] < c);
                        }
                if (got[(size_t)y * W + x] != bits) ok = false;
            }
        report("tex_census_point", ok);
    }
    CK(cudaDestroyTextureObject(tex));
    CK(cudaFree(dimg));
}

// ------------------------------------------------------------------------------------
// 26. all-pairs gravity, shared tiles
// ------------------------------------------------------------------------------------
__global__ void __launch_bounds__(128) nbody_tile(int n, const float4 *__restrict__ pos, float eps2,
                                                  float4 *__restrict__ acc) {
    __shared__ float4 sh[128];
    int i = blockIdx.x * 128 + threadIdx.x;
    float4 pi = i < n ? pos[i] : make_float4(0.f, 0.f, 0.f, 0.f);
    float ax = 0.f, ay = 0.f, az = 0.f;
    for (int t = 0; t < n; t += 128) {
        int j = t + threadIdx.x;
        sh[threadIdx.x] = j < n ? pos[j] : make_float4(0.f, 0.f, 0.f, 0.f);  // zero mass padding
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < 128; ++k) {
            float4 q = sh[k];
            float dx = q.x - pi.x, dy = q.y - pi.y, dz = q.z - pi.z;
            float r2 = fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, eps2)));
            float inv = rsqrtf(r2);
            float s = q.w * inv * inv * inv;
            ax = fmaf(dx, s, ax);
            ay = fmaf(dy, s, ay);
            az = fmaf(dz, s, az);
        }
        __syncthreads();
    }
    if (i < n) acc[i] = make_float4(ax, ay, az, 0.f);
}

static void t_nbody_tile() {
    Rng r(126);
    const int n = 10000;
    const float eps2 = 0.0025f;
    std::vector<float4> pos(n);
    for (auto &p : pos) {  // two Plummer spheres
        double rad = 1.0 / std::sqrt(std::pow(r.uni() * 0.98 + 0.01, -2.0 / 3.0) - 1.0);
        double cz = 2 * r.uni() - 1, ph = 6.283185307179586 * r.uni(), sz = std::sqrt(1 - cz * cz);
        double off = r.unif() < 0.3f ? 6.0 : 0.0;
        p = make_float4((float)(rad * sz * std::cos(ph) + off), (float)(rad * sz * std::sin(ph)), (float)(rad * cz),
                        (float)(1.0 / n * (0.5 + r.uni())));
    }
    Dev<float4> dp(pos), da(n);
    launch4([&] { da.fill(0xff); }, [&] { nbody_tile<<<divup(n, 128), 128>>>(n, dp.p, eps2, da.p); });
    std::vector<float4> acc = da.down();
    bool ok = true;
    for (int i = 0; i < n; i += 17) {
        double a[3] = {0, 0, 0}, m[3] = {0, 0, 0};
        for (int j = 0; j < n; ++j) {
            double d[3] = {(double)pos[j].x - pos[i].x, (double)pos[j].y - pos[i].y, (double)pos[j].z - pos[i].z};
            double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + eps2;
            double s = pos[j].w / (r2 * std::sqrt(r2));
            for (int k = 0; k < 3; ++k) {
                a[k] += d[k] * s;
                m[k] += std::fabs(d[k] * s);
            }
        }
        if (!near_abs(acc[i].x, a[0], 1e-4 * m[0]) || !near_abs(acc[i].y, a[1], 1e-4 * m[1]) ||
            !near_abs(acc[i].z, a[2], 1e-4 * m[2]))
            ok = false;
    }
    report("nbody_tile", ok);
}

// ------------------------------------------------------------------------------------
// 27. batched 8x8 Cholesky factor + solve, one thread per system, interleaved layout
// ------------------------------------------------------------------------------------
__global__ void __launch_bounds__(128) cholesky_batched(int batch, const float *__restrict__ A,
                                                        const float *__restrict__ rhs, float *__restrict__ Lout,
                                                        float *__restrict__ xout) {
    int t = blockIdx.x * 128 + threadIdx.x;
    if (t >= batch) return;
    float L[36], x[8];
#pragma unroll
    for (int k = 0; k < 36; ++k) L[k] = A[(size_t)k * batch + t];
#pragma unroll
    for (int k = 0; k < 8; ++k) x[k] = rhs[(size_t)k * batch + t];
#pragma unroll
    for (int j = 0; j < 8; ++j) {
        float d = L[j * (j + 1) / 2 + j];
#pragma unroll
        for (int k = 0; k < j; ++k) d -= L[j * (j + 1) / 2 + k] * L[j * (j + 1) / 2 + k];
        d = sqrtf(d);
        L[j * (j + 1) / 2 + j] = d;
        float inv = 1.f / d;
#pragma unroll
        for (int i = j + 1; i < 8; ++i) {
            float v = L[i * (i + 1) / 2 + j];
#pragma unroll
            for (int k = 0; k < j; ++k) v -= L[i * (i + 1) / 2 + k] * L[j * (j + 1) / 2 + k];
            L[i * (i + 1) / 2 + j] = v * inv;
        }
    }
#pragma unroll
    for (int i = 0; i < 8; ++i) {
#pragma unroll
        for (int k = 0; k < i; ++k) x[i] -= L[i * (i + 1) / 2 + k] * x[k];
        x[i] /= L[i * (i + 1) / 2 + i];
    }
#pragma unroll
    for (int i = 7; i >= 0; --i) {
#pragma unroll
        for (int k = i + 1; k < 8; ++k) x[i] -= L[k * (k + 1) / 2 + i] * x[k];
        x[i] /= L[i * (i + 1) / 2 + i];
    }
#pragma unroll
    for (int k = 0; k < 36; ++k) Lout[(size_t)k * batch + t] = L[k];
#pragma unroll
    for (int k = 0; k < 8; ++k) xout[(size_t)k * batch + t] = x[k];
}

static void t_cholesky_batched() {
    Rng r(127);
    const int batch = 50000;
    std::vector<float> A((size_t)36 * batch), b((size_t)8 * batch);
    for (int t = 0; t < batch; ++t) {
        float M[8][8], sc = 0.2f + 3.f * r.unif();
        for (auto &row : M)
            for (float &v : row) v = sc * (2.f * r.unif() - 1.f);
        for (int i = 0; i < 8; ++i)
            for (int j = 0; j <= i; ++j) {
                float v = i == j ? 1.f : 0.f;
                for (int k = 0; k < 8; ++k) v += M[i][k] * M[j][k];
                A[(size_t)(i * (i + 1) / 2 + j) * batch + t] = v;
            }
        for (int i = 0; i < 8; ++i) b[(size_t)i * batch + t] = 2.f * r.unif() - 1.f;
    }
    Dev<float> dA(A), db(b), dL((size_t)36 * batch), dx((size_t)8 * batch);
    launch4(
        [&] {
            dL.fill(0xff);
            dx.fill(0xff);
        },
        [&] { cholesky_batched<<<divup(batch, 128), 128>>>(batch, dA.p, db.p, dL.p, dx.p); });
    std::vector<float> gl = dL.down(), gx = dx.down();
    bool ok = true;
    // A has smallest eigenvalue >= 1, so small residuals of L*L^T and A*x mean a right answer
    for (int t = 0; t < batch; ++t) {
        auto a = [&](int i, int j) { return (double)A[(size_t)(i * (i + 1) / 2 + j) * batch + t]; };
        auto l = [&](int i, int j) { return (double)gl[(size_t)(i * (i + 1) / 2 + j) * batch + t]; };
        double tr = 0;
        for (int i = 0; i < 8; ++i) tr += a(i, i);
        for (int i = 0; i < 8; ++i) {
            double ax = 0;
            for (int j = 0; j < 8; ++j) ax += (j <= i ? a(i, j) : a(j, i)) * gx[(size_t)j * batch + t];
            if (!near_abs(ax, b[(size_t)i * batch + t], 1e-5 * tr)) ok = false;
            for (int j = 0; j <= i; ++j) {
                double v = 0;
                for (int k = 0; k <= j; ++k) v += l(i, k) * l(j, k);
                if (!near_abs(v, a(i, j), 1e-5 * tr)) ok = false;
            }
        }
    }
    report("cholesky_batched", ok);
}

// ------------------------------------------------------------------------------------
// 28. base64 encoding, three words in, four words out
// ------------------------------------------------------------------------------------
__device__ __forceinline__ u32 b64_group(const u8 *tab, u32 v) {
    return (u32)tab[(v >> 18) & 63u] | ((u32)tab[(v >> 12) & 63u] << 8) | ((u32)tab[(v >> 6) & 63u] << 16) |
           ((u32)tab[v & 63u] << 24);
}

__global__ void __launch_bounds__(256) base64_encode(int ngroups, const u32 *__restrict__ in,
                                                     uint4 *__restrict__ out) {
    __shared__ u8 tab[64];
    if (threadIdx.x < 64) {
        int c = threadIdx.x;
        tab[c] = (u8)(c < 26 ? 'A' + c : c < 52 ? 'a' + c - 26 : c < 62 ? '0' + c - 52 : c == 62 ? '+' : '/');
    }
    __syncthreads();
    for (int g = blockIdx.x * 256 + threadIdx.x; g < ngroups; g += gridDim.x * 256) {
        u32 w0 = in[3 * g], w1 = in[3 * g + 1], w2 = in[3 * g + 2];
        uint4 o;
        o.x = b64_group(tab, __byte_perm(w0, 0u, 0x4012));
        o.y = b64_group(tab, __byte_perm(w0, w1, 0x0345) & 0xffffffu);
        o.z = b64_group(tab, __byte_perm(w1, w2, 0x0234) & 0xffffffu);
        o.w = b64_group(tab, __byte_perm(w2, 0u, 0x4123));
        out[g] = o;
    }
}

static void t_base64_encode() {
    Rng r(128);
    const int ngroups = 500000, nin = ngroups * 12;
    std::vector<u32> in(ngroups * 3);
    u8 *b = (u8 *)in.data();
    const char *words = "the mesh velocity of particle and graph error: timeout at node 0x7f {\"id\":42} \n";
    int wl = (int)strlen(words);
    for (int i = 0; i < nin;) {  // log-like text with binary stretches
        u64 q = r.next();
        int len = 3 + (int)(q & 31), at = (int)((q >> 8) % (u64)wl);
        bool bin = ((q >> 40) & 7) == 0;
        for (int k = 0; k < len && i < nin; ++k, ++i) b[i] = bin ? (u8)(r.next() >> 56) : (u8)words[(at + k) % wl];
    }
    Dev<u32> din(in);
    Dev<uint4> dout(ngroups);
    launch4([&] { dout.fill(0); }, [&] { base64_encode<<<132 * 8, 256>>>(ngroups, din.p, dout.p); });
    std::vector<uint4> got = dout.down();
    const u8 *o = (const u8 *)got.data();
    const char *tab = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    bool ok = true;
    for (int g = 0; g < nin / 3; ++g) {
        u32 v = ((u32)b[3 * g] << 16) | ((u32)b[3 * g + 1] << 8) | b[3 * g + 2];
        for (int k = 0; k < 4; ++k)
            if (o[4 * g + k] != (u8)tab[(v >> (18 - 6 * k)) & 63u]) ok = false;
    }
    report("base64_encode", ok);
}

// ------------------------------------------------------------------------------------
// 29. decode attention over a paged fp16 KV cache, online softmax
// ------------------------------------------------------------------------------------
static const int AT_H = 8, AT_D = 64, AT_PAGE = 16, AT_WARPS = 8;
__global__ void __launch_bounds__(256) attention_decode_paged(const float *__restrict__ q,
                                                              const __half2 *__restrict__ K,
                                                              const __half2 *__restrict__ V,
                                                              const int *__restrict__ table, int max_pages,
                                                              const int *__restrict__ len, float scale,
                                                              float *__restrict__ out) {
    __shared__ float sm[AT_WARPS], sl[AT_WARPS], sacc[AT_WARPS][AT_D];
    int head = blockIdx.x, seq = blockIdx.y;
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const float *qp = q + (seq * AT_H + head) * AT_D;
    float q0 = qp[2 * lane] * scale, q1 = qp[2 * lane + 1] * scale;
    int n = len[seq];
    float m = -1e30f, l = 0.f, a0 = 0.f, a1 = 0.f;
    for (int t = warp; t < n; t += AT_WARPS) {
        int page = table[seq * max_pages + t / AT_PAGE];
        size_t at = ((size_t)(page * AT_PAGE + t % AT_PAGE) * AT_H + head) * (AT_D / 2) + lane;
        float2 k = __half22float2(K[at]);
        float2 v = __half22float2(V[at]);
        float s = warp_sum(q0 * k.x + q1 * k.y);
        float mn = fmaxf(m, s);
        float corr = __expf(m - mn), p = __expf(s - mn);
        l = l * corr + p;
        a0 = a0 * corr + p * v.x;
        a1 = a1 * corr + p * v.y;
        m = mn;
    }
    if (lane == 0) {
        sm[warp] = m;
        sl[warp] = l;
    }
    sacc[warp][2 * lane] = a0;
    sacc[warp][2 * lane + 1] = a1;
    __syncthreads();
    if (threadIdx.x < AT_D) {
        float M = sm[0];
        for (int w = 1; w < AT_WARPS; ++w) M = fmaxf(M, sm[w]);
        float num = 0.f, den = 0.f;
        for (int w = 0; w < AT_WARPS; ++w) {
            float c = __expf(sm[w] - M);
            num += c * sacc[w][threadIdx.x];
            den += c * sl[w];
        }
        out[(seq * AT_H + head) * AT_D + threadIdx.x] = num / den;
    }
}

static void t_attention_decode_paged() {
    Rng r(129);
    const int S = 20, max_len = 2048, max_pages = max_len / AT_PAGE;
    std::vector<int> len(S), table(S * max_pages, 0);
    int pages = 0;
    for (auto &n : len) {
        n = std::min(max_len, std::max(40, (int)(500.0 * std::exp(0.8 * r.gauss()))));
        pages += divup(n, AT_PAGE);
    }
    std::vector<int> order(pages);
    std::iota(order.begin(), order.end(), 0);
    for (int i = pages - 1; i > 0; --i) std::swap(order[i], order[r.below(i + 1)]);
    for (int s = 0, k = 0; s < S; ++s)
        for (int p = 0; p < divup(len[s], AT_PAGE); ++p) table[s * max_pages + p] = order[k++];
    size_t nkv = (size_t)pages * AT_PAGE * AT_H * AT_D;
    std::vector<__half2> K(nkv / 2), V(nkv / 2);
    std::vector<float> q(S * AT_H * AT_D);
    for (auto &x : q) x = 1.5f * (float)r.gauss();
    for (size_t i = 0; i < nkv / 2; ++i) {
        K[i] = __floats2half2_rn(2.f * (r.unif() + r.unif() - 1.f), 2.f * (r.unif() + r.unif() - 1.f));
        V[i] = __floats2half2_rn(2.f * r.unif() - 1.f, 2.f * r.unif() - 1.f);
    }
    const float scale = 0.125f;
    Dev<float> dq(q), dout(S * AT_H * AT_D);
    Dev<__half2> dK(K), dV(V);
    Dev<int> dt(table), dl(len);
    launch4([&] { dout.fill(0xff); },
            [&] {
                attention_decode_paged<<<dim3(AT_H, S), 32 * AT_WARPS>>>(dq.p, dK.p, dV.p, dt.p, max_pages, dl.p,
                                                                        scale, dout.p);
            });
    std::vector<float> got = dout.down();
    bool ok = true;
    std::vector<double> sc(max_len);
    for (int s = 0; s < S; ++s)
        for (int h = 0; h < AT_H; ++h) {
            const float *qp = q.data() + (s * AT_H + h) * AT_D;
            double mx = -1e300, den = 0, acc[64] = {0};
            auto row = [&](int t) {
                int page = table[s * max_pages + t / AT_PAGE];
                return ((size_t)(page * AT_PAGE + t % AT_PAGE) * AT_H + h) * (AT_D / 2);
            };
            for (int t = 0; t < len[s]; ++t) {
                const __half2 *k = K.data() + row(t);
                double d = 0;
                for (int i = 0; i < AT_D / 2; ++i) {
                    float2 f = __half22float2(k[i]);
                    d += (double)qp[2 * i] * f.x + (double)qp[2 * i + 1] * f.y;
                }
                sc[t] = d * scale;
                mx = std::max(mx, sc[t]);
            }
            for (int t = 0; t < len[s]; ++t) {
                const __half2 *v = V.data() + row(t);
                double p = std::exp(sc[t] - mx);
                den += p;
                for (int i = 0; i < AT_D / 2; ++i) {
                    float2 f = __half22float2(v[i]);
                    acc[2 * i] += p * f.x;
                    acc[2 * i + 1] += p * f.y;
                }
            }
            for (int i = 0; i < AT_D; ++i)
                if (!near_abs(got[(s * AT_H + h) * AT_D + i], acc[i] / den, 1e-3)) ok = false;
        }
    report("attention_decode_paged", ok);
}

int main() {
    Graph g = make_rmat(17, 1500000, 42);
    t_spmv_csr_scalar();
    t_spmv_csr_vector(g);
    t_spmv_coo_atomic(g);
    t_hist_tokens_global();
    t_hist_bytes_shared();
    t_bfs_expand_frontier(g);
    t_sssp_relax_edges(g);
    t_segment_max_double_cas();
    t_cell_list_push_cas();
    t_kmer_hash_insert_cas();
    t_union_find_link();
    t_bucket_spinlock_update();
    t_bitonic_sort_tile();
    t_radix_rank_scatter();
    t_merge_path_tile();
    t_dot_float4_reduce();
    t_layernorm_rows();
    t_stencil2d_tile();
    t_stencil3d_march();
    t_scan_lookback();
    t_compact_ballot();
    t_mandelbrot_escape();
    t_random_walk_csr(g);
    t_tex_warp_bilinear();
    t_tex_census_point();
    t_nbody_tile();
    t_cholesky_batched();
    t_base64_encode();
    t_attention_decode_paged();
    printf("%d ok, %d wrong\n", g_ok, g_bad);
    return g_bad ? 1 : 0;
}
