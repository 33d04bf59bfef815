// mixed_h.cu : 29 application-domain GPU kernels, each with a CPU check.
#include <cstdio>
#include <cstdlib>
#include <cstdint>
#include <cstring>
#include <cmath>
#include <vector>
#include <algorithm>
#include <numeric>
#include <cuda_runtime.h>
#include <cuda_fp16.h>

#define CK(call)                                                                        \
    do {                                                                                \
        cudaError_t e_ = (call);                                                        \
        if (e_ != cudaSuccess) {                                                        \
            std::printf("CUDA error %s at %s:%d\n", cudaGetErrorString(e_), __FILE__,   \
                        __LINE__);                                                      \
            std::exit(1);                                                               \
        }                                                                               \
    } while (0)

static const int NLAUNCH = 4;

// ---------------------------------------------------------------- host helpers
struct Rng {
    uint64_t s;
    explicit Rng(uint64_t seed) : s(seed * 0x9E3779B97F4A7C15ull + 0x1234567ull) {}
    uint64_t next() {
        s += 0x9E3779B97F4A7C15ull;
        uint64_t z = s;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
        return z ^ (z >> 31);
    }
    uint32_t u32() { return (uint32_t)(next() >> 32); }
    uint32_t below(uint32_t n) { return (uint32_t)(((uint64_t)u32() * n) >> 32); }
    float uni() { return (float)(next() >> 40) * (1.0f / 16777216.0f); }
    double unid() { return (double)(next() >> 11) * (1.0 / 9007199254740992.0); }
    float gauss() {
        float a = uni() + 1e-7f, b = uni();
        return std::sqrt(-2.0f * std::log(a)) * std::cos(6.2831853f * b);
    }
    // power-law like index in [0,n)
    uint32_t zipf(uint32_t n, double alpha) {
        double u = unid();
        double v = std::pow(u, alpha) * n;
        uint32_t k = (uint32_t)v;
        return k < n ? k : n - 1;
    }
};

template <class T>
struct Dev {
    T* p = nullptr;
    size_t n = 0;
    explicit Dev(size_t n_) : n(n_) {
        CK(cudaMalloc((void**)&p, n * sizeof(T)));
        CK(cudaMemset(p, 0, n * sizeof(T)));
    }
    explicit Dev(const std::vector<T>& h) : n(h.size()) {
        CK(cudaMalloc((void**)&p, n * sizeof(T)));
        CK(cudaMemcpy(p, h.data(), n * sizeof(T), cudaMemcpyHostToDevice));
    }
    Dev(const Dev&) = delete;
    Dev& operator=(const Dev&) = delete;
    ~Dev() { CK(cudaFree(p)); }
    void zero() { CK(cudaMemset(p, 0, n * sizeof(T))); }
    void put(const std::vector<T>& h) {
        CK(cudaMemcpy(p, h.data(), n * sizeof(T), cudaMemcpyHostToDevice));
    }
    std::vector<T> get() const {
        std::vector<T> h(n);
        CK(cudaMemcpy(h.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost));
        return h;
    }
};

static void finish_launch() {
    CK(cudaGetLastError());
    CK(cudaDeviceSynchronize());
}
static int g_bad = 0;
static void verdict(const char* name, bool ok) {
    std::printf("%s %s\n", name, ok ? "OK" : "WRONG");
    std::fflush(stdout);
    if (!ok) ++g_bad;
}
static inline int divup(int a, int b) { return (a + b - 1) / b; }
static inline bool near_rel(double a, double b, double rel, double abs_) {
    return std::fabs(a - b) <= abs_ + rel * std::fabs(b);
}

// =====================================================================================
// 1. Lennard-Jones forces from a transposed neighbour list (two species)
// =====================================================================================
__constant__ float2 c_lj_par[4];  // (A = 48 eps s^12, B = 24 eps s^6) per type pair

__global__ void lj_neighbor_list_forces(const float4* __restrict__ pos, const int* __restrict__ nnb,
                                        const int* __restrict__ nbr, int n, float box, float rcut2,
                                        float4* __restrict__ force) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 pi = pos[i];
    int ti = (int)pi.w;
    float invbox = 1.0f / box;
    float fx = 0.f, fy = 0.f, fz = 0.f, vir = 0.f;
    int cnt = nnb[i];
    for (int k = 0; k < cnt; ++k) {
        int j = nbr[(size_t)k * n + i];
        float4 pj = pos[j];
        float dx = pi.x - pj.x, dy = pi.y - pj.y, dz = pi.z - pj.z;
        dx -= box * rintf(dx * invbox);
        dy -= box * rintf(dy * invbox);
        dz -= box * rintf(dz * invbox);
        float r2 = dx * dx + dy * dy + dz * dz;
        if (r2 < rcut2) {
            float2 ab = c_lj_par[ti * 2 + (int)pj.w];
            float ir2 = 1.0f / r2;
            float ir6 = ir2 * ir2 * ir2;
            float f = ir2 * ir6 * (ab.x * ir6 - ab.y);
            fx += f * dx;
            fy += f * dy;
            fz += f * dz;
            vir += f * r2;
        }
    }
    force[i] = make_float4(fx, fy, fz, vir);
}

static void case_lj() {
    const int L = 48, n = L * L * L, maxn = 72;
    const float box = (float)L, rlist = 2.25f, rcut = 2.0f;
    Rng r(11);
    std::vector<float4> pos(n);
    std::vector<int> order(n);
    std::iota(order.begin(), order.end(), 0);
    // sort by small bricks, then swap a few percent: the order of a run some time after sorting
    for (int k = 0; k < n / 16; ++k) std::swap(order[r.below(n)], order[r.below(n)]);
    int id = 0;
    for (int bz = 0; bz < L; bz += 4)
        for (int by = 0; by < L; by += 4)
            for (int bx = 0; bx < L; bx += 4)
                for (int q = 0; q < 64; ++q) {
                    float x = bx + (q & 3) + 0.3f * (r.uni() - 0.5f);
                    float y = by + ((q >> 2) & 3) + 0.3f * (r.uni() - 0.5f);
                    float z = bz + (q >> 4) + 0.3f * (r.uni() - 0.5f);
                    // a density wave squeezes part of the box
                    x += 1.2f * std::sin(6.2831853f * x / box);
                    float w = r.uni() < 0.2f ? 1.f : 0.f;
                    if (x < 0) x += box;
                    if (x >= box) x -= box;
                    if (y < 0) y += box;
                    if (z < 0) z += box;
                    if (y >= box) y -= box;
                    if (z >= box) z -= box;
                    pos[order[id++]] = make_float4(x, y, z, w);
                }
    const int nc = 20;
    std::vector<std::vector<int>> cell(nc * nc * nc);
    auto cidx = [&](float v) { int c = (int)(v * nc / box); return c < nc ? c : nc - 1; };
    for (int i = 0; i < n; ++i)
        cell[(cidx(pos[i].z) * nc + cidx(pos[i].y)) * nc + cidx(pos[i].x)].push_back(i);
    std::vector<int> nnb(n, 0), nbr((size_t)maxn * n, 0);
    auto mi = [&](float d) { return d - box * std::rint(d / box); };
    for (int i = 0; i < n; ++i) {
        int cx = cidx(pos[i].x), cy = cidx(pos[i].y), cz = cidx(pos[i].z), c = 0;
        for (int dz = -1; dz <= 1; ++dz)
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx) {
                    int q = (((cz + dz + nc) % nc) * nc + (cy + dy + nc) % nc) * nc + (cx + dx + nc) % nc;
                    for (int j : cell[q]) {
                        if (j == i) continue;
                        float x = mi(pos[i].x - pos[j].x), y = mi(pos[i].y - pos[j].y), z = mi(pos[i].z - pos[j].z);
                        if (x * x + y * y + z * z < rlist * rlist && c < maxn) nbr[(size_t)(c++) * n + i] = j;
                    }
                }
        nnb[i] = c;
    }
    float2 par[4];
    const float eps[4] = {1.f, 1.2f, 1.2f, 0.6f}, sig[4] = {0.85f, 0.8f, 0.8f, 0.78f};
    for (int k = 0; k < 4; ++k) {
        float s6 = std::pow(sig[k], 6.f);
        par[k] = make_float2(48.f * eps[k] * s6 * s6, 24.f * eps[k] * s6);
    }
    CK(cudaMemcpyToSymbol(c_lj_par, par, sizeof(par)));
    Dev<float4> dpos(pos), df(n);
    Dev<int> dn(nnb), dl(nbr);
    for (int l = 0; l < NLAUNCH; ++l)
        lj_neighbor_list_forces<<<divup(n, 128), 128>>>(dpos.p, dn.p, dl.p, n, box, rcut * rcut, df.p);
    finish_launch();
    auto f = df.get();
    bool ok = true;
    for (int i = 0; i < n; i += 3) {
        double fx = 0, fy = 0, fz = 0, mag = 0;
        for (int k = 0; k < nnb[i]; ++k) {
            int j = nbr[(size_t)k * n + i];
            double x = mi(pos[i].x - pos[j].x), y = mi(pos[i].y - pos[j].y), z = mi(pos[i].z - pos[j].z);
            double r2 = x * x + y * y + z * z;
            if (r2 >= rcut * rcut) continue;
            float2 ab = par[(int)pos[i].w * 2 + (int)pos[j].w];
            double i2 = 1 / r2, i6 = i2 * i2 * i2, ff = i2 * i6 * (ab.x * i6 - ab.y);
            fx += ff * x; fy += ff * y; fz += ff * z;
            mag += std::fabs(ff) * std::sqrt(r2);
        }
        // a pair exactly at the cut-off may fall on either side: absolute slack of one such force
        double tol = 1e-3 * mag + 0.6;
        if (std::fabs(f[i].x - fx) > tol || std::fabs(f[i].y - fy) > tol || std::fabs(f[i].z - fz) > tol) ok = false;
    }
    verdict("lj_neighbor_list_forces", ok);
}

// =====================================================================================
// 2. Matrix-free linear-triangle stiffness with scatter by double atomics
// =====================================================================================
__global__ void __launch_bounds__(256)
tri_stiffness_scatter(const int* __restrict__ tri, const double2* __restrict__ xy,
                      const double* __restrict__ u, const float* __restrict__ kappa, int ntri,
                      double* __restrict__ y, double* __restrict__ diag) {
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= ntri) return;
    int n0 = tri[3 * e], n1 = tri[3 * e + 1], n2 = tri[3 * e + 2];
    double2 p0 = xy[n0], p1 = xy[n1], p2 = xy[n2];
    double b0 = p1.y - p2.y, b1 = p2.y - p0.y, b2 = p0.y - p1.y;
    double c0 = p2.x - p1.x, c1 = p0.x - p2.x, c2 = p1.x - p0.x;
    double area2 = b1 * c2 - b2 * c1;  // twice the area
    double s = (double)kappa[e] / (2.0 * area2);
    double u0 = u[n0], u1 = u[n1], u2 = u[n2];
    double gx = b0 * u0 + b1 * u1 + b2 * u2;
    double gy = c0 * u0 + c1 * u1 + c2 * u2;
    atomicAdd(&y[n0], s * (b0 * gx + c0 * gy));
    atomicAdd(&y[n1], s * (b1 * gx + c1 * gy));
    atomicAdd(&y[n2], s * (b2 * gx + c2 * gy));
    atomicAdd(&diag[n0], s * (b0 * b0 + c0 * c0));
    atomicAdd(&diag[n1], s * (b1 * b1 + c1 * c1));
    atomicAdd(&diag[n2], s * (b2 * b2 + c2 * c2));
}

static void case_fem() {
    const int W = 480, H = 420, nn = W * H, nt = 2 * (W - 1) * (H - 1);
    Rng r(12);
    std::vector<int> perm(nn);
    std::iota(perm.begin(), perm.end(), 0);
    for (int i = 0; i < nn; ++i) {  // node numbering only locally ordered
        int j = std::min(nn - 1, i + (int)r.below(200));
        std::swap(perm[i], perm[j]);
    }
    std::vector<double2> xy(nn);
    std::vector<double> u(nn);
    for (int j = 0; j < H; ++j)
        for (int i = 0; i < W; ++i) {
            int p = perm[j * W + i];
            xy[p] = make_double2(i + 0.4 * (r.unid() - 0.5), j + 0.4 * (r.unid() - 0.5));
            u[p] = std::sin(0.05 * i) + 0.1 * r.unid();
        }
    std::vector<int> tri;
    tri.reserve(3 * nt);
    std::vector<float> kap(nt);
    for (int j = 0; j + 1 < H; ++j)
        for (int i = 0; i + 1 < W; ++i) {
            int a = perm[j * W + i], b = perm[j * W + i + 1], c = perm[(j + 1) * W + i], d = perm[(j + 1) * W + i + 1];
            int q[6] = {a, b, c, b, d, c};
            tri.insert(tri.end(), q, q + 6);
        }
    for (auto& k : kap) k = std::exp(r.gauss());
    Dev<int> dt(tri);
    Dev<double2> dx(xy);
    Dev<double> du(u), dy(nn), dd(nn);
    Dev<float> dk(kap);
    for (int l = 0; l < NLAUNCH; ++l)
        tri_stiffness_scatter<<<divup(nt, 256), 256>>>(dt.p, dx.p, du.p, dk.p, nt, dy.p, dd.p);
    finish_launch();
    std::vector<double> ry(nn, 0.0), rd(nn, 0.0);
    for (int e = 0; e < nt; ++e) {
        int id[3] = {tri[3 * e], tri[3 * e + 1], tri[3 * e + 2]};
        double b[3], c[3];
        for (int k = 0; k < 3; ++k) {
            double2 p = xy[id[(k + 1) % 3]], q = xy[id[(k + 2) % 3]];
            b[k] = p.y - q.y;
            c[k] = q.x - p.x;
        }
        double a2 = b[1] * c[2] - b[2] * c[1];
        for (int k = 0; k < 3; ++k) {
            for (int m = 0; m < 3; ++m)
                ry[id[k]] += NLAUNCH * kap[e] / (2 * a2) * (b[k] * b[m] + c[k] * c[m]) * u[id[m]];
            rd[id[k]] += NLAUNCH * kap[e] / (2 * a2) * (b[k] * b[k] + c[k] * c[k]);
        }
    }
    auto y = dy.get(), dg = dd.get();
    bool ok = true;
    for (int i = 0; i < nn; ++i)
        if (!near_rel(y[i], ry[i], 1e-9, 1e-9 * (1 + rd[i])) || !near_rel(dg[i], rd[i], 1e-10, 1e-10)) ok = false;
    verdict("tri_stiffness_scatter", ok);
}

// =====================================================================================
// 3. Ising checkerboard sweep (one colour, in place) with a counter-based generator
// =====================================================================================
__constant__ unsigned c_ising_thr[5];  // acceptance threshold for s*sum = -4,-2,0,2,4

__host__ __device__ inline unsigned hash_counter(unsigned a, unsigned seed) {
    unsigned x = a * 0x9E3779B1u + seed;
    x ^= x >> 16; x *= 0x7feb352du;
    x ^= x >> 15; x *= 0x846ca68bu;
    x ^= x >> 16;
    return x;
}

template <bool BLACK>
__global__ void ising_checkerboard_sweep(signed char* __restrict__ own, const signed char* __restrict__ other,
                                         int rows, int hcols, unsigned seed) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= hcols || y >= rows) return;
    int up = y == 0 ? rows - 1 : y - 1;
    int dn = y == rows - 1 ? 0 : y + 1;
    int xl = x == 0 ? hcols - 1 : x - 1;
    int xr = x == hcols - 1 ? 0 : x + 1;
    int side = (BLACK ? (y & 1) : !(y & 1)) ? xr : xl;
    int s = own[y * hcols + x];
    int sum = other[up * hcols + x] + other[dn * hcols + x] + other[y * hcols + x] + other[y * hcols + side];
    unsigned rnd = hash_counter((unsigned)(y * hcols + x), seed);
    if (rnd < c_ising_thr[(s * sum + 4) >> 1]) own[y * hcols + x] = (signed char)(-s);
}

static void case_ising() {
    const int rows = 3072, hc = 1536;
    Rng r(13);
    std::vector<signed char> a(rows * hc), b(rows * hc);
    for (int y = 0; y < rows; ++y)
        for (int x = 0; x < hc; ++x) {  // domains with thermal noise
            int dom = (std::sin(x * 0.02) + std::sin(y * 0.013)) > 0 ? 1 : -1;
            a[y * hc + x] = (signed char)(r.uni() < 0.1f ? -dom : dom);
            b[y * hc + x] = (signed char)(r.uni() < 0.1f ? -dom : dom);
        }
    unsigned thr[5];
    const double beta = 0.42;
    for (int k = 0; k < 5; ++k) {
        double dE = 2.0 * (2 * k - 4);
        thr[k] = dE <= 0 ? 0xFFFFFFFFu : (unsigned)(std::exp(-beta * dE) * 4294967295.0);
    }
    CK(cudaMemcpyToSymbol(c_ising_thr, thr, sizeof(thr)));
    Dev<signed char> da(a), db(b);
    dim3 blk(64, 4), grd(divup(hc, 64), divup(rows, 4));
    for (int l = 0; l < NLAUNCH; ++l) ising_checkerboard_sweep<true><<<grd, blk>>>(da.p, db.p, rows, hc, 777u);
    finish_launch();
    for (int l = 0; l < NLAUNCH; ++l)
        for (int y = 0; y < rows; ++y) {
            int up = (y + rows - 1) % rows, dn = (y + 1) % rows;
            for (int x = 0; x < hc; ++x) {
                int side = (y & 1) ? (x == hc - 1 ? 0 : x + 1) : (x == 0 ? hc - 1 : x - 1);
                int s = a[y * hc + x];
                int sum = b[up * hc + x] + b[dn * hc + x] + b[y * hc + x] + b[y * hc + side];
                if (hash_counter((unsigned)(y * hc + x), 777u) < thr[(s * sum + 4) >> 1]) a[y * hc + x] = (signed char)(-s);
            }
        }
    verdict("ising_checkerboard_sweep", da.get() == a);
}

// =====================================================================================
// 4. Shallow-water finite volumes, Rusanov flux, one explicit step
// =====================================================================================
struct Swe { float h, hu, hv; };

__host__ __device__ inline Swe swe_flux_x(Swe l, Swe r) {
    const float g = 9.81f;
    float hl = fmaxf(l.h, 1e-4f), hr = fmaxf(r.h, 1e-4f);
    float ul = l.hu / hl, ur = r.hu / hr;
    float vl = l.hv / hl, vr = r.hv / hr;
    float a = fmaxf(fabsf(ul) + sqrtf(g * hl), fabsf(ur) + sqrtf(g * hr));
    Swe f;
    f.h = 0.5f * (l.hu + r.hu) - 0.5f * a * (r.h - l.h);
    f.hu = 0.5f * (l.hu * ul + 0.5f * g * l.h * l.h + r.hu * ur + 0.5f * g * r.h * r.h) - 0.5f * a * (r.hu - l.hu);
    f.hv = 0.5f * (l.hu * vl + r.hu * vr) - 0.5f * a * (r.hv - l.hv);
    return f;
}
__host__ __device__ inline Swe swe_swap(Swe s) { Swe t; t.h = s.h; t.hu = s.hv; t.hv = s.hu; return t; }

__global__ void shallow_water_rusanov(const float* __restrict__ h, const float* __restrict__ hu,
                                      const float* __restrict__ hv, float* __restrict__ oh,
                                      float* __restrict__ ohu, float* __restrict__ ohv, int nx, int ny,
                                      float dtdx) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= nx || j >= ny) return;
    auto load = [&](int x, int y) {
        Swe s;
        bool rx = x < 0 || x >= nx, ry = y < 0 || y >= ny;
        x = min(max(x, 0), nx - 1);
        y = min(max(y, 0), ny - 1);
        int k = y * nx + x;
        s.h = h[k];
        s.hu = rx ? -hu[k] : hu[k];
        s.hv = ry ? -hv[k] : hv[k];
        return s;
    };
    Swe c = load(i, j);
    Swe w = swe_flux_x(load(i - 1, j), c);
    Swe e = swe_flux_x(c, load(i + 1, j));
    Swe ct = swe_swap(c);
    Swe s = swe_flux_x(swe_swap(load(i, j - 1)), ct);
    Swe n = swe_flux_x(ct, swe_swap(load(i, j + 1)));
    int k = j * nx + i;
    oh[k] = c.h - dtdx * (e.h - w.h + n.h - s.h);
    ohu[k] = c.hu - dtdx * (e.hu - w.hu + n.hv - s.hv);
    ohv[k] = c.hv - dtdx * (e.hv - w.hv + n.hu - s.hu);
}

static void case_swe() {
    const int nx = 1500, ny = 1000, n = nx * ny;
    Rng r(14);
    std::vector<float> h(n), hu(n), hv(n);
    for (int j = 0; j < ny; ++j)
        for (int i = 0; i < nx; ++i) {
            float d2 = (i - 600.f) * (i - 600.f) + (j - 480.f) * (j - 480.f);
            int k = j * nx + i;
            h[k] = 1.f + (d2 < 200.f * 200.f ? 1.5f : 0.f) + 0.01f * r.uni();
            if (i > 1300) h[k] = 0.f;  // dry beach
            hu[k] = h[k] * 0.3f * std::sin(0.01f * j);
            hv[k] = h[k] * 0.2f * std::cos(0.012f * i);
        }
    Dev<float> dh(h), du(hu), dv(hv), oh(n), ou(n), ov(n);
    dim3 blk(32, 8), grd(divup(nx, 32), divup(ny, 8));
    const float dt = 0.05f;
    for (int l = 0; l < NLAUNCH; ++l)
        shallow_water_rusanov<<<grd, blk>>>(dh.p, du.p, dv.p, oh.p, ou.p, ov.p, nx, ny, dt);
    finish_launch();
    auto gh = oh.get(), gu = ou.get(), gv = ov.get();
    bool ok = true;
    for (int j = 0; j < ny; ++j)
        for (int i = 0; i < nx; ++i) {
            auto ld = [&](int x, int y) {
                Swe s;
                int xc = std::min(std::max(x, 0), nx - 1), yc = std::min(std::max(y, 0), ny - 1), k = yc * nx + xc;
                s.h = h[k];
                s.hu = xc != x ? -hu[k] : hu[k];
                s.hv = yc != y ? -hv[k] : hv[k];
                return s;
            };
            Swe c = ld(i, j);
            Swe w = swe_flux_x(ld(i - 1, j), c), e = swe_flux_x(c, ld(i + 1, j));
            Swe s = swe_flux_x(swe_swap(ld(i, j - 1)), swe_swap(c)), m = swe_flux_x(swe_swap(c), swe_swap(ld(i, j + 1)));
            int k = j * nx + i;
            if (!near_rel(gh[k], c.h - dt * (e.h - w.h + m.h - s.h), 1e-4, 1e-4) ||
                !near_rel(gu[k], c.hu - dt * (e.hu - w.hu + m.hv - s.hv), 1e-4, 2e-4) ||
                !near_rel(gv[k], c.hv - dt * (e.hv - w.hv + m.hu - s.hu), 1e-4, 2e-4))
                ok = false;
        }
    verdict("shallow_water_rusanov", ok);
}

// =====================================================================================
// 5. Acoustic wave equation, 8th order in space, marching along z with a register queue
// =====================================================================================
#define FD_R 4
#define FD_BX 32
#define FD_BY 16
__constant__ float c_fd8[FD_R + 1];

__global__ void __launch_bounds__(FD_BX * FD_BY)
acoustic_fd8_zmarch(const float* __restrict__ u, const float* __restrict__ up, const float* __restrict__ v2,
                    float* __restrict__ out, int nx, int ny, int nz, int zchunk) {
    __shared__ float tile[FD_BY + 2 * FD_R][FD_BX + 2 * FD_R];
    int tx = threadIdx.x, ty = threadIdx.y;
    int ix = blockIdx.x * FD_BX + tx + FD_R;
    int iy = blockIdx.y * FD_BY + ty + FD_R;
    int z0 = FD_R + blockIdx.z * zchunk;
    int z1 = min(z0 + zchunk, nz - FD_R);
    size_t plane = (size_t)nx * ny;
    // nx-8 and ny-8 are multiples of the tile, so every thread is inside
    size_t base = (size_t)iy * nx + ix;
    float q[2 * FD_R + 1];
#pragma unroll
    for (int k = 0; k < 2 * FD_R; ++k) q[k + 1] = u[base + (size_t)(z0 - FD_R + k) * plane];
    for (int z = z0; z < z1; ++z) {
#pragma unroll
        for (int k = 0; k < 2 * FD_R; ++k) q[k] = q[k + 1];
        size_t id = base + (size_t)z * plane;
        q[2 * FD_R] = u[id + FD_R * plane];
        __syncthreads();
        tile[ty + FD_R][tx + FD_R] = q[FD_R];
        if (tx < FD_R) {
            tile[ty + FD_R][tx] = u[id - FD_R];
            tile[ty + FD_R][tx + FD_BX + FD_R] = u[id + FD_BX];
        }
        if (ty < FD_R) {
            tile[ty][tx + FD_R] = u[id - (size_t)FD_R * nx];
            tile[ty + FD_BY + FD_R][tx + FD_R] = u[id + (size_t)FD_BY * nx];
        }
        __syncthreads();
        float lap = 3.0f * c_fd8[0] * q[FD_R];
#pragma unroll
        for (int k = 1; k <= FD_R; ++k) {
            lap += c_fd8[k] * (q[FD_R + k] + q[FD_R - k] + tile[ty + FD_R][tx + FD_R + k] +
                               tile[ty + FD_R][tx + FD_R - k] + tile[ty + FD_R + k][tx + FD_R] +
                               tile[ty + FD_R - k][tx + FD_R]);
        }
        out[id] = 2.0f * q[FD_R] - up[id] + v2[id] * lap;
    }
}

static void case_fd8() {
    const int nx = 32 * 7 + 8, ny = 16 * 12 + 8, nz = 128, n = nx * ny * nz;
    Rng r(15);
    std::vector<float> u(n), up(n), v2(n);
    for (int z = 0; z < nz; ++z)
        for (int y = 0; y < ny; ++y)
            for (int x = 0; x < nx; ++x) {
                size_t k = ((size_t)z * ny + y) * nx + x;
                u[k] = 0.1f * (float)((x * 7 + y * 3 + z * 5) % 17) + 0.01f * r.uni();
                up[k] = u[k] * 0.97f;
                v2[k] = z < 40 ? 0.05f : (z < 90 ? 0.09f : 0.14f);
            }
    const float c[5] = {-205.f / 72.f, 8.f / 5.f, -1.f / 5.f, 8.f / 315.f, -1.f / 560.f};
    CK(cudaMemcpyToSymbol(c_fd8, c, sizeof(c)));
    Dev<float> du(u), dp(up), dv(v2), dout(n);
    const int zc = 40;
    dim3 blk(FD_BX, FD_BY), grd((nx - 8) / FD_BX, (ny - 8) / FD_BY, divup(nz - 8, zc));
    for (int l = 0; l < NLAUNCH; ++l) acoustic_fd8_zmarch<<<grd, blk>>>(du.p, dp.p, dv.p, dout.p, nx, ny, nz, zc);
    finish_launch();
    auto g = dout.get();
    bool ok = true;
    const int pl = nx * ny;
    for (int z = 4; z < nz - 4; ++z)
        for (int y = 4; y < ny - 4; ++y)
            for (int x = 4; x < nx - 4; ++x) {
                int k = (z * ny + y) * nx + x;
                float lap = 3.f * c[0] * u[k];
                for (int q = 1; q <= 4; ++q)
                    lap += c[q] * (u[k + q] + u[k - q] + u[k + q * nx] + u[k - q * nx] + u[k + q * pl] + u[k - q * pl]);
                if (!near_rel(g[k], 2.f * u[k] - up[k] + v2[k] * lap, 1e-4, 1e-4)) ok = false;
            }
    verdict("acoustic_fd8_zmarch", ok);
}

// =====================================================================================
// 6. Smith-Waterman with affine gaps: one block per pair, one thread per query row,
//    anti-diagonal wavefront through shared memory
// =====================================================================================
#define SW_Q 128
__constant__ signed char c_sw_sub[24 * 24];

__global__ void __launch_bounds__(SW_Q)
smith_waterman_wavefront(const unsigned char* __restrict__ query, const unsigned char* __restrict__ target,
                         const int* __restrict__ toff, int gap_open, int gap_ext, int* __restrict__ best) {
    __shared__ short H[3][SW_Q + 1];
    __shared__ short F[2][SW_Q + 1];  // vertical gap state handed down from row i-1
    __shared__ signed char sub[24 * 24];
    __shared__ int wmax[SW_Q / 32];
    int i = threadIdx.x;
    for (int k = i; k < 24 * 24; k += SW_Q) sub[k] = c_sw_sub[k];
    int t0 = toff[blockIdx.x], tl = toff[blockIdx.x + 1] - t0;
    const signed char* row = sub + 24 * query[blockIdx.x * SW_Q + i];
    for (int b = 0; b < 3; ++b) {
        H[b][i + 1] = 0;
        if (i == 0) H[b][0] = 0;
    }
    for (int b = 0; b < 2; ++b) {
        F[b][i + 1] = -10000;
        if (i == 0) F[b][0] = -10000;
    }
    __syncthreads();
    int left_h = 0, e = -10000, bst = 0;
    int cur = 0, p1 = 2, p2 = 1;  // buffers of this, the previous and the one before diagonal
    for (int d = 0; d < tl + SW_Q - 1; ++d) {
        int j = d - i;
        if (j >= 0 && j < tl) {
            int diag = j == 0 ? 0 : H[p2][i];  // H(i-1, j-1)
            int up = H[p1][i];                 // H(i-1, j)
            int f = max((int)F[(d + 1) & 1][i] - gap_ext, up - gap_open);
            e = max(e - gap_ext, left_h - gap_open);
            int h = diag + row[target[t0 + j]];
            h = max(max(h, 0), max(e, f));
            H[cur][i + 1] = (short)h;
            F[d & 1][i + 1] = (short)f;
            left_h = h;
            bst = max(bst, h);
        }
        __syncthreads();
        int t = p2;
        p2 = p1;
        p1 = cur;
        cur = t;
    }
    for (int o = 16; o > 0; o >>= 1) bst = max(bst, __shfl_xor_sync(0xffffffffu, bst, o));
    if ((i & 31) == 0) wmax[i >> 5] = bst;
    __syncthreads();
    if (i == 0) {
        for (int w = 1; w < SW_Q / 32; ++w) bst = max(bst, wmax[w]);
        best[blockIdx.x] = bst;
    }
}

static void case_sw() {
    const int np = 1200;
    Rng r(16);
    std::vector<signed char> sub(24 * 24);
    for (int a = 0; a < 24; ++a)
        for (int b = 0; b <= a; ++b) {
            int v = a == b ? 4 + (int)r.below(6) : (int)r.below(6) - 4;
            sub[a * 24 + b] = sub[b * 24 + a] = (signed char)v;
        }
    CK(cudaMemcpyToSymbol(c_sw_sub, sub.data(), sub.size()));
    std::vector<unsigned char> q(np * SW_Q), t;
    std::vector<int> off(np + 1, 0);
    for (auto& c : q) c = (unsigned char)r.zipf(20, 1.3);
    for (int p = 0; p < np; ++p) {
        int len = 120 + (int)(r.uni() * r.uni() * 700);
        for (int k = 0; k < len; ++k) {
            bool homolog = k >= 20 && k < 20 + SW_Q && (p & 1);
            unsigned char c = homolog && r.uni() < 0.7f ? q[p * SW_Q + k - 20] : (unsigned char)r.zipf(20, 1.3);
            t.push_back(c);
        }
        off[p + 1] = (int)t.size();
    }
    const int go = 11, ge = 1;
    Dev<unsigned char> dq(q), dt(t);
    Dev<int> doff(off), db(np);
    for (int l = 0; l < NLAUNCH; ++l) smith_waterman_wavefront<<<np, SW_Q>>>(dq.p, dt.p, doff.p, go, ge, db.p);
    finish_launch();
    auto g = db.get();
    bool ok = true;
    std::vector<int> H, F;
    for (int p = 0; p < np; ++p) {
        int tl = off[p + 1] - off[p], best = 0;
        H.assign(tl + 1, 0);
        F.assign(tl + 1, -10000);
        for (int i = 0; i < SW_Q; ++i) {
            int diag = 0, left = 0, e = -10000;
            for (int j = 1; j <= tl; ++j) {
                int f = std::max(F[j] - ge, H[j] - go);
                e = std::max(e - ge, left - go);
                int h = std::max(std::max(0, diag + sub[24 * q[p * SW_Q + i] + t[off[p] + j - 1]]), std::max(e, f));
                diag = H[j];
                H[j] = h;
                F[j] = f;
                left = h;
                best = std::max(best, h);
            }
        }
        if (best != g[p]) ok = false;
    }
    verdict("smith_waterman_wavefront", ok);
}

// =====================================================================================
// 7. k-mer counting into an open-addressing table (canonical 21-mers)
// =====================================================================================
#define KMER_K 21
#define KMER_EMPTY 0xFFFFFFFFFFFFFFFFull
__host__ __device__ inline unsigned long long mix64(unsigned long long x) {
    x ^= x >> 33; x *= 0xff51afd7ed558ccdull;
    x ^= x >> 33; x *= 0xc4ceb9fe1a85ec53ull;
    x ^= x >> 33;
    return x;
}

__global__ void kmer_count_insert(const unsigned char* __restrict__ reads, int nreads, int rlen,
                                  unsigned long long* __restrict__ keys, unsigned* __restrict__ counts,
                                  unsigned mask) {
    const unsigned long long kmask = (1ull << (2 * KMER_K)) - 1;
    for (int r = blockIdx.x * blockDim.x + threadIdx.x; r < nreads; r += gridDim.x * blockDim.x) {
        unsigned long long fw = 0, rc = 0;
        int valid = 0;
        for (int p = 0; p < rlen; ++p) {
            unsigned c = reads[(size_t)r * rlen + p];
            if (c > 3) {
                valid = 0;
                fw = rc = 0;
                continue;
            }
            fw = ((fw << 2) | c) & kmask;
            rc = (rc >> 2) | ((unsigned long long)(3 - c) << (2 * (KMER_K - 1)));
            if (++valid < KMER_K) continue;
            unsigned long long key = fw < rc ? fw : rc;
            unsigned slot = (unsigned)mix64(key) & mask;
            while (true) {
                unsigned long long old = keys[slot];
                if (old == KMER_EMPTY) old = atomicCAS(&keys[slot], KMER_EMPTY, key);
                if (old == KMER_EMPTY || old == key) {
                    atomicAdd(&counts[slot], 1u);
                    break;
                }
                slot = (slot + 1) & mask;
            }
        }
    }
}

static void case_kmer() {
    const int nreads = 16000, rlen = 120, glen = 300000;
    const unsigned tsize = 1u << 21;
    Rng r(17);
    std::vector<unsigned char> genome(glen), reads((size_t)nreads * rlen);
    for (auto& c : genome) c = (unsigned char)r.below(4);
    for (int k = 0; k < 60; ++k) {  // repeats
        int a = r.below(glen - 1000), b = r.below(glen - 1000);
        std::copy(genome.begin() + a, genome.begin() + a + 300, genome.begin() + b);
    }
    for (int i = 0; i < nreads; ++i) {
        int s = (int)r.zipf(glen - rlen, 1.5);
        bool rev = r.u32() & 1;
        for (int p = 0; p < rlen; ++p) {
            unsigned char c = rev ? (unsigned char)(3 - genome[s + rlen - 1 - p]) : genome[s + p];
            float e = r.uni();
            if (e < 0.01f) c = (unsigned char)r.below(4);
            else if (e < 0.0115f) c = 4;
            reads[(size_t)i * rlen + p] = c;
        }
    }
    Dev<unsigned char> dr(reads);
    Dev<unsigned long long> dk(tsize);
    Dev<unsigned> dc(tsize);
    for (int l = 0; l < NLAUNCH; ++l) {
        CK(cudaMemset(dk.p, 0xFF, tsize * sizeof(unsigned long long)));
        dc.zero();
        kmer_count_insert<<<125, 128>>>(dr.p, nreads, rlen, dk.p, dc.p, tsize - 1);
    }
    finish_launch();
    auto k = dk.get();
    auto c = dc.get();
    std::vector<std::pair<unsigned long long, unsigned>> got, ref;
    for (unsigned i = 0; i < tsize; ++i)
        if (k[i] != KMER_EMPTY) got.push_back({k[i], c[i]});
    std::sort(got.begin(), got.end());
    std::vector<unsigned long long> all;
    for (int i = 0; i < nreads; ++i)
        for (int p = 0; p + KMER_K <= rlen; ++p) {
            unsigned long long fw = 0, rc = 0;
            bool good = true;
            for (int q = 0; q < KMER_K; ++q) {
                unsigned a = reads[(size_t)i * rlen + p + q], b = reads[(size_t)i * rlen + p + KMER_K - 1 - q];
                if (a > 3) { good = false; break; }
                fw = fw * 4 + a;
                rc = rc * 4 + (3 - b);
            }
            if (good) all.push_back(std::min(fw, rc));
        }
    std::sort(all.begin(), all.end());
    for (size_t i = 0; i < all.size();) {
        size_t j = i;
        while (j < all.size() && all[j] == all[i]) ++j;
        ref.push_back({all[i], (unsigned)(j - i)});
        i = j;
    }
    verdict("kmer_count_insert", got == ref);
}

// =====================================================================================
// 8. Scaled HMM forward algorithm, one block of 64 threads per sequence
// =====================================================================================
#define HMM_S 64
__global__ void __launch_bounds__(HMM_S)
hmm_forward_scaled(const float* __restrict__ trans, const float* __restrict__ emit, const float* __restrict__ init,
                   const unsigned char* __restrict__ obs, const int* __restrict__ off, float* __restrict__ loglik) {
    __shared__ float A[HMM_S * HMM_S];
    __shared__ float alpha[HMM_S];
    __shared__ float E[4 * HMM_S];
    __shared__ float part[2];
    int s = threadIdx.x;
    for (int k = s; k < HMM_S * HMM_S; k += HMM_S) A[k] = trans[k];
    for (int k = s; k < 4 * HMM_S; k += HMM_S) E[k] = emit[k];
    int b = off[blockIdx.x], n = off[blockIdx.x + 1] - b;
    float ll = 0.f;
    __syncthreads();
    float a = init[s] * E[obs[b] * HMM_S + s];
    for (int t = 1; t <= n; ++t) {
        float w = a;
#pragma unroll
        for (int o = 16; o > 0; o >>= 1) w += __shfl_xor_sync(0xffffffffu, w, o);
        if ((s & 31) == 0) part[s >> 5] = w;
        __syncthreads();
        float tot = part[0] + part[1];
        ll += logf(tot);
        alpha[s] = a / tot;
        __syncthreads();
        if (t < n) {
            float acc = 0.f;
#pragma unroll 8
            for (int j = 0; j < HMM_S; ++j) acc += alpha[j] * A[j * HMM_S + s];
            a = acc * E[obs[b + t] * HMM_S + s];
        }
    }
    if (s == 0) loglik[blockIdx.x] = ll;
}

static void case_hmm() {
    const int ns = 900;
    Rng r(18);
    std::vector<float> A(HMM_S * HMM_S), E(4 * HMM_S), pi(HMM_S);
    for (int i = 0; i < HMM_S; ++i) {
        float sum = 0;
        for (int j = 0; j < HMM_S; ++j) {
            float v = 0.01f + r.uni() * r.uni() + (j == (i + 1) % HMM_S ? 8.f : 0.f);
            A[i * HMM_S + j] = v;
            sum += v;
        }
        for (int j = 0; j < HMM_S; ++j) A[i * HMM_S + j] /= sum;
        float es = 0, e[4];
        for (int k = 0; k < 4; ++k) es += e[k] = 0.05f + r.uni() * r.uni();
        for (int k = 0; k < 4; ++k) E[k * HMM_S + i] = e[k] / es;
        pi[i] = 1.f / HMM_S;
    }
    std::vector<unsigned char> obs;
    std::vector<int> off(1, 0);
    for (int q = 0; q < ns; ++q) {
        int len = 40 + (int)r.below(120);
        for (int k = 0; k < len; ++k) obs.push_back((unsigned char)r.zipf(4, 1.2));
        off.push_back((int)obs.size());
    }
    Dev<float> dA(A), dE(E), dp(pi), dl(ns);
    Dev<unsigned char> dob(obs);
    Dev<int> doff(off);
    for (int l = 0; l < NLAUNCH; ++l) hmm_forward_scaled<<<ns, HMM_S>>>(dA.p, dE.p, dp.p, dob.p, doff.p, dl.p);
    finish_launch();
    auto g = dl.get();
    bool ok = true;
    for (int q = 0; q < ns; ++q) {
        double a[HMM_S], b[HMM_S], ll = 0;
        for (int i = 0; i < HMM_S; ++i) a[i] = (double)pi[i] * E[obs[off[q]] * HMM_S + i];
        for (int t = off[q];; ++t) {
            double tot = 0;
            for (int i = 0; i < HMM_S; ++i) tot += a[i];
            ll += std::log(tot);
            if (t + 1 == off[q + 1]) break;
            for (int i = 0; i < HMM_S; ++i) b[i] = 0;
            for (int j = 0; j < HMM_S; ++j)
                for (int i = 0; i < HMM_S; ++i) b[i] += a[j] / tot * A[j * HMM_S + i];
            for (int i = 0; i < HMM_S; ++i) a[i] = b[i] * E[obs[t + 1] * HMM_S + i];
        }
        if (!near_rel(g[q], ll, 1e-4, 1e-3)) ok = false;
    }
    verdict("hmm_forward_scaled", ok);
}

// =====================================================================================
// 9. k-means: assignment plus centroid accumulation in dynamic shared memory
// =====================================================================================
template <int D>
__global__ void kmeans_assign_accumulate(const float* __restrict__ x, int n, const float* __restrict__ cent, int k,
                                         int* __restrict__ label, float* __restrict__ sums, int* __restrict__ cnts) {
    extern __shared__ float km_sm[];
    float* c = km_sm;             // k*D
    float* acc = c + k * D;       // k*D
    int* num = (int*)(acc + k * D);  // k
    for (int t = threadIdx.x; t < k * D; t += blockDim.x) {
        c[t] = cent[t];
        acc[t] = 0.f;
    }
    for (int t = threadIdx.x; t < k; t += blockDim.x) num[t] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float p[D];
#pragma unroll
        for (int d = 0; d < D; ++d) p[d] = x[(size_t)d * n + i];
        float best = 3.4e38f;
        int bi = 0;
        for (int q = 0; q < k; ++q) {
            float s = 0.f;
#pragma unroll
            for (int d = 0; d < D; ++d) {
                float t = p[d] - c[q * D + d];
                s += t * t;
            }
            if (s < best) {
                best = s;
                bi = q;
            }
        }
        label[i] = bi;
        atomicAdd(&num[bi], 1);
#pragma unroll
        for (int d = 0; d < D; ++d) atomicAdd(&acc[bi * D + d], p[d]);
    }
    __syncthreads();
    for (int t = threadIdx.x; t < k * D; t += blockDim.x)
        if (acc[t] != 0.f) atomicAdd(&sums[t], acc[t]);
    for (int t = threadIdx.x; t < k; t += blockDim.x)
        if (num[t]) atomicAdd(&cnts[t], num[t]);
}

static void case_kmeans() {
    const int n = 160000, k = 40, D = 12;
    Rng r(19);
    std::vector<float> mu(k * D), cent(k * D), x((size_t)n * D);
    for (auto& v : mu) v = 6.f * r.gauss();
    for (int t = 0; t < k * D; ++t) cent[t] = mu[t] + 0.5f * r.gauss();
    for (int i = 0; i < n; ++i) {
        int q = (int)r.zipf(k, 2.0);
        for (int d = 0; d < D; ++d) x[(size_t)d * n + i] = mu[q * D + d] + 2.f * (r.uni() + r.uni() + r.uni() - 1.5f);
    }
    Dev<float> dx(x), dc(cent), ds(k * D);
    Dev<int> dl(n), dn(k);
    size_t smem = (2 * k * D + k) * sizeof(float);
    for (int l = 0; l < NLAUNCH; ++l)
        kmeans_assign_accumulate<12><<<264, 192, smem>>>(dx.p, n, dc.p, k, dl.p, ds.p, dn.p);
    finish_launch();
    auto lab = dl.get();
    auto sums = ds.get();
    auto cn = dn.get();
    bool ok = true;
    std::vector<double> rs(k * D, 0.0), mag(k * D, 0.0);
    std::vector<int> rn(k, 0);
    int diff = 0;
    for (int i = 0; i < n; ++i) {
        double best = 1e300;
        int bi = 0;
        for (int q = 0; q < k; ++q) {
            double s = 0;
            for (int d = 0; d < D; ++d) {
                double t = (double)x[(size_t)d * n + i] - cent[q * D + d];
                s += t * t;
            }
            if (s < best) { best = s; bi = q; }
        }
        if (lab[i] < 0 || lab[i] >= k) { ok = false; break; }
        diff += bi != lab[i];
        rn[lab[i]] += NLAUNCH;
        for (int d = 0; d < D; ++d) {
            rs[lab[i] * D + d] += (double)NLAUNCH * x[(size_t)d * n + i];
            mag[lab[i] * D + d] += NLAUNCH * std::fabs(x[(size_t)d * n + i]);
        }
    }
    if (diff > n / 5000) ok = false;
    for (int q = 0; q < k; ++q) ok = ok && rn[q] == cn[q];
    for (int t = 0; t < k * D; ++t) ok = ok && std::fabs(rs[t] - sums[t]) <= 1e-3 + 1e-4 * mag[t];
    verdict("kmeans_assign_accumulate", ok);
}

// =====================================================================================
// 10. Brute-force kNN with a small sorted insertion list per thread
// =====================================================================================
template <int K>
__global__ void __launch_bounds__(128)
knn_insertion_list(const float4* __restrict__ ref, int nref, const float4* __restrict__ qry, int nq,
                   float* __restrict__ dist, int* __restrict__ idx) {
    __shared__ float4 tile[128];
    int q = blockIdx.x * blockDim.x + threadIdx.x;
    float4 p = qry[min(q, nq - 1)];
    float bd[K];
    int bi[K];
#pragma unroll
    for (int k = 0; k < K; ++k) {
        bd[k] = 3.4e38f;
        bi[k] = -1;
    }
    for (int t0 = 0; t0 < nref; t0 += 128) {
        int m = min(128, nref - t0);
        if (threadIdx.x < m) tile[threadIdx.x] = ref[t0 + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < m; ++j) {
            float4 r = tile[j];
            float dx = p.x - r.x, dy = p.y - r.y, dz = p.z - r.z, dw = p.w - r.w;
            float d = dx * dx + dy * dy + dz * dz + dw * dw;
            if (d < bd[K - 1]) {
                bd[K - 1] = d;
                bi[K - 1] = t0 + j;
#pragma unroll
                for (int k = K - 1; k > 0; --k) {
                    if (bd[k] < bd[k - 1]) {
                        float td = bd[k]; bd[k] = bd[k - 1]; bd[k - 1] = td;
                        int ti = bi[k]; bi[k] = bi[k - 1]; bi[k - 1] = ti;
                    }
                }
            }
        }
        __syncthreads();
    }
    if (q < nq) {
#pragma unroll
        for (int k = 0; k < K; ++k) {
            dist[(size_t)k * nq + q] = bd[k];
            idx[(size_t)k * nq + q] = bi[k];
        }
    }
}

static void case_knn() {
    const int nref = 4100, nq = 20000, K = 8;
    Rng r(20);
    std::vector<float4> ctr(30), ref(nref), qry(nq);
    for (auto& c : ctr) c = make_float4(r.gauss(), r.gauss(), r.gauss(), r.gauss());
    auto gen = [&]() {
        float4 c = ctr[r.zipf(30, 1.6)];
        return make_float4(c.x + 0.2f * r.gauss(), c.y + 0.2f * r.gauss(), c.z + 0.2f * r.gauss(), c.w + 0.2f * r.gauss());
    };
    for (auto& v : ref) v = gen();
    for (auto& v : qry) v = gen();
    Dev<float4> dr(ref), dq(qry);
    Dev<float> dd((size_t)K * nq);
    Dev<int> di((size_t)K * nq);
    for (int l = 0; l < NLAUNCH; ++l)
        knn_insertion_list<8><<<divup(nq, 128), 128>>>(dr.p, nref, dq.p, nq, dd.p, di.p);
    finish_launch();
    auto gd = dd.get();
    auto gi = di.get();
    bool ok = true;
    std::vector<double> d(nref), all(nref);
    for (int q = 0; q < nq; q += 13) {
        for (int j = 0; j < nref; ++j) {
            double a = (double)qry[q].x - ref[j].x, b = (double)qry[q].y - ref[j].y, c = (double)qry[q].z - ref[j].z,
                   e = (double)qry[q].w - ref[j].w;
            all[j] = d[j] = a * a + b * b + c * c + e * e;
        }
        std::partial_sort(d.begin(), d.begin() + K, d.end());
        for (int k = 0; k < K; ++k) {
            int j = gi[(size_t)k * nq + q];
            if (j < 0 || j >= nref) { ok = false; continue; }
            if (!near_rel(gd[(size_t)k * nq + q], d[k], 1e-4, 1e-6) || !near_rel(all[j], d[k], 1e-4, 1e-6)) ok = false;
        }
    }
    verdict("knn_insertion_list", ok);
}

// =====================================================================================
// 11. Decision-forest inference (complete trees, packed nodes, one thread per sample)
// =====================================================================================
struct ForestNode { float thr; int feat; };

__global__ void forest_vote_inference(const float* __restrict__ feats, int nf, int ns,
                                      const ForestNode* __restrict__ nodes, const float* __restrict__ leaves,
                                      int ntree, int depth, float* __restrict__ score) {
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= ns) return;
    const float* row = feats + (size_t)s * nf;
    int inner = (1 << depth) - 1;
    float acc = 0.f;
    for (int t = 0; t < ntree; ++t) {
        int k = 0;
        for (int d = 0; d < depth; ++d) {
            ForestNode nd = nodes[t * inner + k];
            k = 2 * k + 1 + (row[nd.feat] > nd.thr ? 1 : 0);
        }
        acc += leaves[(t << depth) + (k - inner)];
    }
    score[s] = 1.0f / (1.0f + expf(-acc));
}

static void case_forest() {
    const int nf = 28, ns = 90000, nt = 40, depth = 7, inner = (1 << depth) - 1;
    Rng r(21);
    std::vector<float> f((size_t)ns * nf), leaves(nt << depth);
    for (size_t i = 0; i < f.size(); ++i) f[i] = (i % nf) < 8 ? std::exp(r.gauss()) : r.gauss();
    std::vector<ForestNode> nodes(nt * inner);
    for (auto& nd : nodes) {
        nd.feat = (int)r.zipf(nf, 1.5);
        float g = 0.7f * r.gauss();
        nd.thr = nd.feat < 8 ? std::exp(g) : g;
    }
    for (auto& v : leaves) v = 0.1f * r.gauss();
    Dev<float> df(f), dl(leaves), ds(ns);
    Dev<ForestNode> dn(nodes);
    for (int l = 0; l < NLAUNCH; ++l)
        forest_vote_inference<<<divup(ns, 256), 256>>>(df.p, nf, ns, dn.p, dl.p, nt, depth, ds.p);
    finish_launch();
    auto g = ds.get();
    bool ok = true;
    for (int s = 0; s < ns; ++s) {
        double acc = 0;
        for (int t = 0; t < nt; ++t) {
            int k = 0;
            while (k < inner) k = 2 * k + 1 + (f[(size_t)s * nf + nodes[t * inner + k].feat] > nodes[t * inner + k].thr);
            acc += leaves[(t << depth) + k - inner];
        }
        if (!near_rel(g[s], 1 / (1 + std::exp(-acc)), 1e-4, 1e-5)) ok = false;
    }
    verdict("forest_vote_inference", ok);
}

// =====================================================================================
// 12. Gradient-boosting histogram with quantised gradients (shared integer atomics)
// =====================================================================================
#define GB_BINS 256
__global__ void gbdt_quant_histogram(const unsigned char* __restrict__ bins, const short2* __restrict__ gh,
                                     const int* __restrict__ rows, int nrows, int ntotal,
                                     int* __restrict__ hist) {
    __shared__ int hg[GB_BINS];
    __shared__ int hh[GB_BINS];
    int f = blockIdx.y;
    for (int t = threadIdx.x; t < GB_BINS; t += blockDim.x) hg[t] = hh[t] = 0;
    __syncthreads();
    const unsigned char* col = bins + (size_t)f * ntotal;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < nrows; i += gridDim.x * blockDim.x) {
        int r = rows[i];
        short2 g = gh[r];
        int b = col[r];
        atomicAdd(&hg[b], (int)g.x);
        atomicAdd(&hh[b], (int)g.y);
    }
    __syncthreads();
    for (int t = threadIdx.x; t < GB_BINS; t += blockDim.x) {
        if (hh[t] | hg[t]) {
            atomicAdd(&hist[(f * GB_BINS + t) * 2], hg[t]);
            atomicAdd(&hist[(f * GB_BINS + t) * 2 + 1], hh[t]);
        }
    }
}

static void case_gbdt() {
    const int nt = 300000, nf = 24;
    Rng r(22);
    std::vector<unsigned char> bins((size_t)nt * nf);
    for (int f = 0; f < nf; ++f) {
        double a = 1.0 + 0.25 * (f % 9);
        for (int i = 0; i < nt; ++i) bins[(size_t)f * nt + i] = (unsigned char)(f % 5 == 0 ? r.below(256) : r.zipf(256, a));
    }
    std::vector<short2> gh(nt);
    for (auto& g : gh) g = make_short2((short)(int)(20.f * r.gauss()), (short)(1 + r.below(30)));
    std::vector<int> rows;
    for (int i = 0; i < nt; ++i)
        if (r.uni() < 0.55f) rows.push_back(i);  // the rows of one tree node
    int nr = (int)rows.size();
    Dev<unsigned char> db(bins);
    Dev<short2> dg(gh);
    Dev<int> dr(rows), dh(nf * GB_BINS * 2);
    for (int l = 0; l < NLAUNCH; ++l) gbdt_quant_histogram<<<dim3(16, nf), 1024>>>(db.p, dg.p, dr.p, nr, nt, dh.p);
    finish_launch();
    std::vector<int> ref(nf * GB_BINS * 2, 0);
    for (int f = 0; f < nf; ++f)
        for (int i : rows) {
            int b = (f * GB_BINS + bins[(size_t)f * nt + i]) * 2;
            ref[b] += NLAUNCH * gh[i].x;
            ref[b + 1] += NLAUNCH * gh[i].y;
        }
    verdict("gbdt_quant_histogram", dh.get() == ref);
}

// =====================================================================================
// 13. Embedding bag (mean), one warp per bag, 64-wide rows
// =====================================================================================
__global__ void embedding_bag_mean(const float2* __restrict__ table, const int* __restrict__ ids,
                                   const int* __restrict__ off, int nbags, float2* __restrict__ out) {
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    int lane = threadIdx.x & 31;
    if (warp >= nbags) return;
    int b = off[warp], e = off[warp + 1];
    float sx = 0.f, sy = 0.f;
    for (int c = b; c < e; c += 32) {
        int my = c + lane < e ? ids[c + lane] : 0;
        int m = min(32, e - c);
        for (int k = 0; k < m; ++k) {
            int id = __shfl_sync(0xffffffffu, my, k);
            float2 v = table[(size_t)id * 32 + lane];
            sx += v.x;
            sy += v.y;
        }
    }
    float inv = e > b ? 1.0f / (float)(e - b) : 0.f;
    out[(size_t)warp * 32 + lane] = make_float2(sx * inv, sy * inv);
}

static void case_embag() {
    const int rows = 150000, nb = 18000;
    Rng r(23);
    std::vector<float2> tab((size_t)rows * 32);
    for (auto& v : tab) v = make_float2(r.uni() - 0.5f, r.uni() - 0.5f);
    std::vector<int> ids, off(1, 0), perm(rows);
    std::iota(perm.begin(), perm.end(), 0);
    for (int i = rows - 1; i > 0; --i) std::swap(perm[i], perm[r.below(i + 1)]);
    for (int b = 0; b < nb; ++b) {
        int len = (int)(60.f * r.uni() * r.uni() * r.uni()) + (r.uni() < 0.02f ? 150 : 0) + (r.uni() < 0.9f ? 5 : 0);
        for (int k = 0; k < len; ++k) ids.push_back(perm[r.zipf(rows, 2.2)]);
        off.push_back((int)ids.size());
    }
    Dev<float2> dt(tab), dout((size_t)nb * 32);
    Dev<int> di(ids), doff(off);
    for (int l = 0; l < NLAUNCH; ++l) embedding_bag_mean<<<divup(nb * 32, 256), 256>>>(dt.p, di.p, doff.p, nb, dout.p);
    finish_launch();
    auto g = dout.get();
    bool ok = true;
    for (int b = 0; b < nb; ++b)
        for (int c = 0; c < 32; ++c) {
            double x = 0, y = 0;
            for (int k = off[b]; k < off[b + 1]; ++k) {
                x += tab[(size_t)ids[k] * 32 + c].x;
                y += tab[(size_t)ids[k] * 32 + c].y;
            }
            int n = std::max(1, off[b + 1] - off[b]);
            if (!near_rel(g[(size_t)b * 32 + c].x, x / n, 1e-4, 1e-5) || !near_rel(g[(size_t)b * 32 + c].y, y / n, 1e-4, 1e-5)) ok = false;
        }
    verdict("embedding_bag_mean", ok);
}

// =====================================================================================
// 14. Quantised linear layer with dp4a: int8 activations x int8 weights, requantised
// =====================================================================================
#define DP_T 32
#define DP_K 16  // packed words along k held per step
__global__ void __launch_bounds__(256)
dp4a_quant_linear(const int* __restrict__ act, const int* __restrict__ wgt, const float* __restrict__ scale,
                  const int* __restrict__ bias, int M, int N, int KW, signed char* __restrict__ out) {
    __shared__ int sa[DP_T][DP_K + 1];
    __shared__ int sb[DP_T][DP_K + 1];
    int tx = threadIdx.x, ty = threadIdx.y;  // 16 x 16, 2x2 outputs each
    int m0 = blockIdx.y * DP_T, n0 = blockIdx.x * DP_T;
    int acc00 = 0, acc01 = 0, acc10 = 0, acc11 = 0;
    for (int k0 = 0; k0 < KW; k0 += DP_K) {
        sa[ty][tx] = act[(m0 + ty) * KW + k0 + tx];
        sa[ty + 16][tx] = act[(m0 + ty + 16) * KW + k0 + tx];
        sb[ty][tx] = wgt[(n0 + ty) * KW + k0 + tx];
        sb[ty + 16][tx] = wgt[(n0 + ty + 16) * KW + k0 + tx];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < DP_K; ++k) {
            int a0 = sa[ty][k], a1 = sa[ty + 16][k];
            int b0 = sb[tx][k], b1 = sb[tx + 16][k];
            acc00 = __dp4a(a0, b0, acc00);
            acc01 = __dp4a(a0, b1, acc01);
            acc10 = __dp4a(a1, b0, acc10);
            acc11 = __dp4a(a1, b1, acc11);
        }
        __syncthreads();
    }
    auto requant = [&](int acc, int n) {
        float v = rintf((float)(acc + bias[n]) * scale[n]);
        v = fminf(fmaxf(v, -128.f), 127.f);
        return (signed char)(int)v;
    };
    int na = n0 + tx, nb = n0 + tx + 16;
    out[(m0 + ty) * N + na] = requant(acc00, na);
    out[(m0 + ty) * N + nb] = requant(acc01, nb);
    out[(m0 + ty + 16) * N + na] = requant(acc10, na);
    out[(m0 + ty + 16) * N + nb] = requant(acc11, nb);
}

static void case_dp4a() {
    const int M = 768, N = 1024, K = 512, KW = K / 4;
    Rng r(24);
    std::vector<signed char> a(M * K), w(N * K);
    for (auto& v : a) v = (signed char)std::max(-128.f, std::min(127.f, 30.f * r.gauss()));
    for (auto& v : w) v = (signed char)std::max(-127.f, std::min(127.f, 20.f * r.gauss()));
    std::vector<float> sc(N);
    std::vector<int> bi(N);
    for (auto& v : sc) v = 0.002f + 0.003f * r.uni();
    for (auto& v : bi) v = (int)(2000.f * r.gauss());
    std::vector<int> pa(M * KW), pw(N * KW);
    std::memcpy(pa.data(), a.data(), a.size());
    std::memcpy(pw.data(), w.data(), w.size());
    Dev<int> da(pa), dw(pw), db(bi);
    Dev<float> ds(sc);
    Dev<signed char> dout(M * N);
    for (int l = 0; l < NLAUNCH; ++l)
        dp4a_quant_linear<<<dim3(N / DP_T, M / DP_T), dim3(16, 16)>>>(da.p, dw.p, ds.p, db.p, M, N, KW, dout.p);
    finish_launch();
    auto g = dout.get();
    bool ok = true;
    for (int m = 0; m < M; ++m)
        for (int n = 0; n < N; ++n) {
            int acc = bi[n];
            for (int k = 0; k < K; ++k) acc += (int)a[m * K + k] * (int)w[n * K + k];
            float v = std::fmin(std::fmax(std::rint((float)acc * sc[n]), -128.f), 127.f);
            if (std::abs((int)v - (int)g[m * N + n]) > 1) ok = false;
        }
    verdict("dp4a_quant_linear", ok);
}

// =====================================================================================
// 15. Group norm + SiLU, one 512-thread block per (sample, group), float4 accesses
// =====================================================================================
__device__ inline float2 block_sum2(float2 v, float2* sm) {
    for (int o = 16; o > 0; o >>= 1) {
        v.x += __shfl_down_sync(0xffffffffu, v.x, o);
        v.y += __shfl_down_sync(0xffffffffu, v.y, o);
    }
    int lane = threadIdx.x & 31, w = threadIdx.x >> 5, nw = blockDim.x >> 5;
    if (lane == 0) sm[w] = v;
    __syncthreads();
    if (w == 0) {
        v = lane < nw ? sm[lane] : make_float2(0.f, 0.f);
        for (int o = 16; o > 0; o >>= 1) {
            v.x += __shfl_down_sync(0xffffffffu, v.x, o);
            v.y += __shfl_down_sync(0xffffffffu, v.y, o);
        }
        if (lane == 0) sm[0] = v;
    }
    __syncthreads();
    return sm[0];
}

__global__ void group_norm_silu(const float4* __restrict__ x, const float* __restrict__ gamma,
                                const float* __restrict__ beta, int cpg, int hw4, int groups,
                                float4* __restrict__ y) {
    __shared__ float2 sm[32];
    int g = blockIdx.x, n = blockIdx.y;
    int cnt = cpg * hw4;
    size_t base = ((size_t)n * groups + g) * cnt;
    float2 s = make_float2(0.f, 0.f);
    for (int i = threadIdx.x; i < cnt; i += blockDim.x) {
        float4 v = x[base + i];
        s.x += v.x + v.y + v.z + v.w;
        s.y += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
    }
    s = block_sum2(s, sm);
    float mean = s.x / (4.f * cnt);
    float rstd = rsqrtf(fmaxf(s.y / (4.f * cnt) - mean * mean, 0.f) + 1e-5f);
    for (int i = threadIdx.x; i < cnt; i += blockDim.x) {
        int c = g * cpg + i / hw4;
        float ga = gamma[c] * rstd, be = beta[c] - mean * ga;
        float4 v = x[base + i];
        v.x = v.x * ga + be;
        v.y = v.y * ga + be;
        v.z = v.z * ga + be;
        v.w = v.w * ga + be;
        v.x = v.x / (1.f + __expf(-v.x));
        v.y = v.y / (1.f + __expf(-v.y));
        v.z = v.z / (1.f + __expf(-v.z));
        v.w = v.w / (1.f + __expf(-v.w));
        y[base + i] = v;
    }
}

static void case_groupnorm() {
    const int N = 12, G = 32, cpg = 6, C = G * cpg, hw = 56 * 56, hw4 = hw / 4;
    Rng r(25);
    std::vector<float4> x((size_t)N * C * hw4);
    std::vector<float> ga(C), be(C);
    float* xf = &x[0].x;
    for (size_t i = 0; i < x.size() * 4; ++i) xf[i] = 2.f * (r.uni() + r.uni() - 1.f) + 0.3f;
    for (auto& v : ga) v = 1.f + 0.2f * r.gauss();
    for (auto& v : be) v = 0.1f * r.gauss();
    Dev<float4> dx(x), dy(x.size());
    Dev<float> dg(ga), db(be);
    for (int l = 0; l < NLAUNCH; ++l) group_norm_silu<<<dim3(G, N), 512>>>(dx.p, dg.p, db.p, cpg, hw4, G, dy.p);
    finish_launch();
    auto y = dy.get();
    const float* yf = &y[0].x;
    bool ok = true;
    for (int b = 0; b < N * G; ++b) {
        double s = 0, q = 0;
        size_t base = (size_t)b * cpg * hw, cnt = (size_t)cpg * hw;
        for (size_t i = 0; i < cnt; ++i) {
            s += xf[base + i];
            q += (double)xf[base + i] * xf[base + i];
        }
        double mean = s / cnt, rs = 1 / std::sqrt(q / cnt - mean * mean + 1e-5);
        for (size_t i = 0; i < cnt; i += 3) {
            int c = (b % G) * cpg + (int)(i / hw);
            double v = (xf[base + i] - mean) * rs * ga[c] + be[c];
            if (!near_rel(yf[base + i], v / (1 + std::exp(-v)), 1e-3, 1e-4)) ok = false;
        }
    }
    verdict("group_norm_silu", ok);
}

// =====================================================================================
// 16. Bias + residual + hard polynomial GELU in half2 arithmetic
// =====================================================================================
__global__ void half2_bias_residual_gelu(const __half2* __restrict__ x, const __half2* __restrict__ bias,
                                         const __half2* __restrict__ res, int rows, int cols2,
                                         __half2* __restrict__ out) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= cols2) return;
    __half2 b = bias[c];
    const __half2 one = __float2half2_rn(1.0f), half = __float2half2_rn(0.5f);
    const __half2 k0 = __float2half2_rn(0.7978846f), k1 = __float2half2_rn(0.0356774f);
    for (int r = blockIdx.y; r < rows; r += gridDim.y) {
        size_t i = (size_t)r * cols2 + c;
        __half2 v = __hadd2(x[i], b);
        __half2 t = __hmul2(v, __hfma2(__hmul2(v, v), k1, k0));
        // tanh(t) = 1 - 2 / (1 + exp(2t))
        __half2 e = h2exp(__hadd2(t, t));
        __half2 th = __hsub2(one, __hmul2(__float2half2_rn(2.0f), h2rcp(__hadd2(one, e))));
        __half2 g = __hmul2(__hmul2(v, half), __hadd2(one, th));
        out[i] = __hadd2(g, res[i]);
    }
}

static void case_half2() {
    const int rows = 6000, cols2 = 640;
    Rng r(26);
    size_t n = (size_t)rows * cols2;
    std::vector<__half2> x(n), res(n), b(cols2);
    auto rnd = [&](float s) { float p = s * (r.uni() + r.uni() - 1.f), q = s * (r.uni() + r.uni() - 1.f); return __floats2half2_rn(p, q); };
    for (auto& v : x) v = rnd(3.f);
    for (auto& v : res) v = rnd(1.f);
    for (auto& v : b) v = rnd(0.5f);
    Dev<__half2> dx(x), dr(res), db(b), dout(n);
    for (int l = 0; l < NLAUNCH; ++l)
        half2_bias_residual_gelu<<<dim3(cols2 / 128, 400), 128>>>(dx.p, db.p, dr.p, rows, cols2, dout.p);
    finish_launch();
    auto g = dout.get();
    bool ok = true;
    auto gelu = [](double v) { return 0.5 * v * (1 + std::tanh(0.7978846 * v + 0.0356774 * v * v * v)); };
    for (size_t i = 0; i < n; i += 5) {
        float2 a = __half22float2(x[i]), c = __half22float2(b[i % cols2]), d = __half22float2(res[i]), o = __half22float2(g[i]);
        if (!near_rel(o.x, gelu((double)a.x + c.x) + d.x, 0.02, 0.02) || !near_rel(o.y, gelu((double)a.y + c.y) + d.y, 0.02, 0.02)) ok = false;
    }
    verdict("half2_bias_residual_gelu", ok);
}

// =====================================================================================
// 17. LZSS: longest match in a 128-byte window, one thread per position
// =====================================================================================
#define LZ_B 256
#define LZ_WIN 128
#define LZ_MAX 18
__global__ void __launch_bounds__(LZ_B)
lzss_window_match(const unsigned char* __restrict__ data, int n, unsigned short* __restrict__ match) {
    __shared__ unsigned char buf[LZ_WIN + LZ_B + LZ_MAX];
    int b0 = blockIdx.x * LZ_B;
    for (int k = threadIdx.x; k < LZ_WIN + LZ_B + LZ_MAX; k += LZ_B) {
        int p = b0 - LZ_WIN + k;
        buf[k] = (p >= 0 && p < n) ? data[p] : 0;
    }
    __syncthreads();
    int p = b0 + threadIdx.x;
    if (p >= n) return;
    int me = LZ_WIN + threadIdx.x;
    int maxd = min(LZ_WIN, p), maxl = min(LZ_MAX, n - p);
    int bl = 0, bd = 0;
    unsigned char first = buf[me];
    for (int d = 1; d <= maxd; ++d) {
        if (buf[me - d] != first) continue;
        int l = 1;
        while (l < maxl && buf[me - d + l] == buf[me + l]) ++l;
        if (l > bl) {
            bl = l;
            bd = d;
            if (bl == maxl) break;
        }
    }
    match[p] = (unsigned short)(bl < 3 ? 0 : (bd << 5) | bl);
}

static void case_lz() {
    const int n = 1500000;
    Rng r(27);
    std::vector<std::vector<unsigned char>> dict(400);
    for (auto& w : dict) {
        w.resize(2 + r.below(8));
        for (auto& c : w) c = (unsigned char)('a' + r.zipf(26, 1.5));
    }
    std::vector<unsigned char> d;
    while ((int)d.size() < n) {
        auto& w = dict[r.zipf(400, 2.5)];
        d.insert(d.end(), w.begin(), w.end());
        d.push_back(r.uni() < 0.1f ? '\n' : ' ');
        if (r.uni() < 0.002f)
            for (int k = 0; k < 100; ++k) d.push_back((unsigned char)r.below(256));
    }
    d.resize(n);
    Dev<unsigned char> dd(d);
    Dev<unsigned short> dm(n);
    for (int l = 0; l < NLAUNCH; ++l) lzss_window_match<<<divup(n, LZ_B), LZ_B>>>(dd.p, n, dm.p);
    finish_launch();
    auto g = dm.get();
    bool ok = true;
    for (int p = 0; p < n; ++p) {
        int bl = 0, bd = 0, ml = std::min(LZ_MAX, n - p);
        for (int q = 1; q <= LZ_WIN && q <= p && bl < ml; ++q) {
            int l = 0;
            while (l < ml && d[p - q + l] == d[p + l]) ++l;
            if (l > bl) { bl = l; bd = q; }
        }
        if (g[p] != (bl < 3 ? 0 : (bd << 5 | bl))) ok = false;
    }
    verdict("lzss_window_match", ok);
}

// =====================================================================================
// 18. Sobel gradient, non-maximum suppression and double threshold (Canny front end)
// =====================================================================================
#define SB_X 32
#define SB_Y 16
__global__ void sobel_nms_edges(const unsigned char* __restrict__ img, int w, int h, int lo, int hi,
                                unsigned char* __restrict__ out) {
    __shared__ unsigned char px[SB_Y + 4][SB_X + 4];
    __shared__ short mag[SB_Y + 2][SB_X + 2];
    int tid = threadIdx.y * SB_X + threadIdx.x;
    int x0 = blockIdx.x * SB_X, y0 = blockIdx.y * SB_Y;
    for (int k = tid; k < (SB_Y + 4) * (SB_X + 4); k += SB_X * SB_Y) {
        int ly = k / (SB_X + 4), lx = k % (SB_X + 4);
        int gx = min(max(x0 + lx - 2, 0), w - 1), gy = min(max(y0 + ly - 2, 0), h - 1);
        px[ly][lx] = img[(size_t)gy * w + gx];
    }
    __syncthreads();
    auto grad = [&](int ly, int lx, int& gx, int& gy) {  // centre in px coordinates
        gx = (px[ly - 1][lx + 1] + 2 * px[ly][lx + 1] + px[ly + 1][lx + 1]) -
             (px[ly - 1][lx - 1] + 2 * px[ly][lx - 1] + px[ly + 1][lx - 1]);
        gy = (px[ly + 1][lx - 1] + 2 * px[ly + 1][lx] + px[ly + 1][lx + 1]) -
             (px[ly - 1][lx - 1] + 2 * px[ly - 1][lx] + px[ly - 1][lx + 1]);
    };
    for (int k = tid; k < (SB_Y + 2) * (SB_X + 2); k += SB_X * SB_Y) {
        int ly = k / (SB_X + 2), lx = k % (SB_X + 2), gx, gy;
        grad(ly + 1, lx + 1, gx, gy);
        mag[ly][lx] = (short)(abs(gx) + abs(gy));
    }
    __syncthreads();
    int x = x0 + threadIdx.x, y = y0 + threadIdx.y;
    if (x >= w || y >= h) return;
    int lx = threadIdx.x + 1, ly = threadIdx.y + 1, gx, gy;
    int m = mag[ly][lx];
    unsigned char r = 0;
    if (m >= lo) {
        grad(ly + 1, lx + 1, gx, gy);
        int ax = abs(gx), ay = abs(gy), a, b;
        if (ay * 5 < ax * 2) {
            a = mag[ly][lx - 1];
            b = mag[ly][lx + 1];
        } else if (ax * 5 < ay * 2) {
            a = mag[ly - 1][lx];
            b = mag[ly + 1][lx];
        } else if ((gx ^ gy) >= 0) {
            a = mag[ly - 1][lx - 1];
            b = mag[ly + 1][lx + 1];
        } else {
            a = mag[ly - 1][lx + 1];
            b = mag[ly + 1][lx - 1];
        }
        if (m > a && m >= b) r = m >= hi ? 255 : 128;
    }
    out[(size_t)y * w + x] = r;
}

static void case_sobel() {
    const int w = 2500, h = 1600;
    Rng r(28);
    std::vector<unsigned char> im((size_t)w * h);
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            float v = 90.f + 40.f * std::sin(0.003f * x) + (((x / 97) ^ (y / 61)) & 1 ? 60.f : 0.f) + 6.f * (r.uni() - 0.5f);
            float d = (x - 1200.f) * (x - 1200.f) + (y - 700.f) * (y - 700.f);
            if (d < 250000.f) v = 220.f - v * 0.5f;
            im[(size_t)y * w + x] = (unsigned char)std::max(0.f, std::min(255.f, v));
        }
    Dev<unsigned char> di(im), dout((size_t)w * h);
    for (int l = 0; l < NLAUNCH; ++l)
        sobel_nms_edges<<<dim3(divup(w, SB_X), divup(h, SB_Y)), dim3(SB_X, SB_Y)>>>(di.p, w, h, 40, 140, dout.p);
    finish_launch();
    auto g = dout.get();
    std::vector<short> GX((size_t)(w + 2) * (h + 2)), GY(GX.size()), MG(GX.size());
    auto P = [&](int x, int y) { return (int)im[(size_t)std::min(std::max(y, 0), h - 1) * w + std::min(std::max(x, 0), w - 1)]; };
    for (int y = -1; y <= h; ++y)
        for (int x = -1; x <= w; ++x) {
            int gx = 0, gy = 0;
            for (int k = -1; k <= 1; ++k) {
                int wt = k == 0 ? 2 : 1;
                gx += wt * (P(x + 1, y + k) - P(x - 1, y + k));
                gy += wt * (P(x + k, y + 1) - P(x + k, y - 1));
            }
            size_t q = (size_t)(y + 1) * (w + 2) + x + 1;
            GX[q] = (short)gx; GY[q] = (short)gy; MG[q] = (short)(std::abs(gx) + std::abs(gy));
        }
    bool ok = true;
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            size_t q = (size_t)(y + 1) * (w + 2) + x + 1;
            int gx = GX[q], gy = GY[q], m = MG[q], e = 0;
            if (m >= 40) {
                int o;
                if (std::abs(gy) * 5 < std::abs(gx) * 2) o = 1;
                else if (std::abs(gx) * 5 < std::abs(gy) * 2) o = w + 2;
                else if ((gx ^ gy) >= 0) o = w + 3;
                else o = w + 1;  // (x-1,y+1); its opposite is (x+1,y-1)
                if (m > MG[q - o] && m >= MG[q + o]) e = m >= 140 ? 255 : 128;
            }
            if (g[(size_t)y * w + x] != e) ok = false;
        }
    verdict("sobel_nms_edges", ok);
}

// =====================================================================================
// 19. Connected components: lock-free union-find merge over a binary image
// =====================================================================================
__device__ inline int uf_find(volatile int* lab, int x) {
    int p = lab[x];
    while (p != x) {
        x = p;
        p = lab[x];
    }
    return x;
}
__device__ inline void uf_union(int* lab, int a, int b) {
    while (true) {
        a = uf_find(lab, a);
        b = uf_find(lab, b);
        if (a == b) return;
        if (a < b) {
            int t = a; a = b; b = t;
        }
        int old = atomicMin(&lab[a], b);  // a > b : hang the larger root below the smaller
        if (old == a) return;
        a = old;
    }
}

__global__ void union_find_label_merge(const unsigned char* __restrict__ fg, int w, int h, int* lab) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    int i = y * w + x;
    if (!fg[i]) return;
    bool left = x > 0 && fg[i - 1];
    bool up = y > 0 && fg[i - w];
    bool upleft = x > 0 && y > 0 && fg[i - w - 1];
    if (left) uf_union(lab, i, i - 1);
    if (up && !(left && upleft)) uf_union(lab, i, i - w);
}

static void case_ccl() {
    const int w = 1600, h = 1100, n = w * h;
    Rng r(29);
    // smooth noise: random values on a coarse lattice, bilinear, thresholded
    const int cs = 5, cw = w / cs + 2, ch = h / cs + 2;
    std::vector<float> c(cw * ch);
    for (auto& v : c) v = r.uni();
    std::vector<unsigned char> fg(n);
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            int a = x / cs, b = y / cs;
            float fx = (x % cs) / (float)cs, fy = (y % cs) / (float)cs;
            float v = (1 - fy) * ((1 - fx) * c[b * cw + a] + fx * c[b * cw + a + 1]) +
                      fy * ((1 - fx) * c[(b + 1) * cw + a] + fx * c[(b + 1) * cw + a + 1]);
            fg[y * w + x] = v > 0.58f;
        }
    std::vector<int> id(n);
    std::iota(id.begin(), id.end(), 0);
    Dev<unsigned char> df(fg);
    Dev<int> dl(n), dinit(id);
    for (int l = 0; l < NLAUNCH; ++l) {
        CK(cudaMemcpy(dl.p, dinit.p, n * sizeof(int), cudaMemcpyDeviceToDevice));
        union_find_label_merge<<<dim3(divup(w, 32), divup(h, 8)), dim3(32, 8)>>>(df.p, w, h, dl.p);
    }
    finish_launch();
    auto lab = dl.get();
    std::vector<int> ref(n, -1), stack;
    for (int s = 0; s < n; ++s) {  // flood fill: component named by its smallest index
        if (!fg[s] || ref[s] >= 0) continue;
        stack.push_back(s);
        ref[s] = s;
        while (!stack.empty()) {
            int i = stack.back(), x = i % w, y = i / w;
            stack.pop_back();
            auto go = [&](bool in, int j) {
                if (in && fg[j] && ref[j] < 0) { ref[j] = s; stack.push_back(j); }
            };
            go(x > 0, i - 1);
            go(x < w - 1, i + 1);
            go(y > 0, i - w);
            go(y < h - 1, i + w);
        }
    }
    bool ok = true;
    for (int i = 0; i < n && ok; ++i) {
        if (!fg[i]) { ok = lab[i] == i; continue; }
        int x = i, guard = 0;
        while (lab[x] != x && lab[x] >= 0 && lab[x] < n && ++guard < n) x = lab[x];
        ok = x == ref[i];
    }
    verdict("union_find_label_merge", ok);
}

// =====================================================================================
// 20. Stereo matching of census codes, 5x5 aggregation, 40 disparities
// =====================================================================================
#define ST_X 64
#define ST_Y 4
#define ST_D 40
__global__ void __launch_bounds__(ST_X* ST_Y)
stereo_census_match(const unsigned* __restrict__ left, const unsigned* __restrict__ right, int w, int h,
                    unsigned char* __restrict__ disp, unsigned short* __restrict__ conf) {
    __shared__ unsigned sl[ST_Y + 4][ST_X + 4];
    __shared__ unsigned sr[ST_Y + 4][ST_X + 4 + ST_D - 1];
    int tx = threadIdx.x, ty = threadIdx.y, tid = ty * ST_X + tx;
    int x0 = blockIdx.x * ST_X, y0 = blockIdx.y * ST_Y;
    const int lw = ST_X + 4, rw = ST_X + 4 + ST_D - 1;
    for (int k = tid; k < (ST_Y + 4) * lw; k += ST_X * ST_Y) {
        int yy = min(max(y0 + k / lw - 2, 0), h - 1), xx = min(max(x0 + k % lw - 2, 0), w - 1);
        sl[k / lw][k % lw] = left[yy * w + xx];
    }
    for (int k = tid; k < (ST_Y + 4) * rw; k += ST_X * ST_Y) {
        int yy = min(max(y0 + k / rw - 2, 0), h - 1), xx = min(max(x0 + k % rw - 2 - (ST_D - 1), 0), w - 1);
        sr[k / rw][k % rw] = right[yy * w + xx];
    }
    __syncthreads();
    int x = x0 + tx, y = y0 + ty;
    if (x >= w || y >= h) return;
    unsigned L[25];
#pragma unroll
    for (int j = 0; j < 5; ++j)
#pragma unroll
        for (int i = 0; i < 5; ++i) L[j * 5 + i] = sl[ty + j][tx + i];
    int best = 1 << 20, second = 1 << 20, bd = 0;
    for (int d = 0; d < ST_D; ++d) {
        int cost = 0;
#pragma unroll
        for (int j = 0; j < 5; ++j)
#pragma unroll
            for (int i = 0; i < 5; ++i) cost += __popc(L[j * 5 + i] ^ sr[ty + j][tx + i + ST_D - 1 - d]);
        if (cost < best) {
            second = best;
            best = cost;
            bd = d;
        } else if (cost < second) {
            second = cost;
        }
    }
    disp[y * w + x] = (unsigned char)bd;
    conf[y * w + x] = (unsigned short)(second - best);
}

static void case_stereo() {
    const int w = 600, h = 420, n = w * h;
    Rng r(30);
    std::vector<float> tex(w + 100);
    std::vector<unsigned char> li(n), ri(n);
    for (int y = 0; y < h; ++y) {
        for (auto& v : tex) v = 128.f + 60.f * r.gauss();
        for (int x = 0; x < w; ++x) {
            int d = (x / 120 + y / 100) * 5 % 38;
            float lv = tex[x + 50] + 4.f * r.gauss(), rv = tex[std::min(x + d + 50, w + 99)] + 4.f * r.gauss();
            li[y * w + x] = (unsigned char)std::max(0.f, std::min(255.f, lv));
            ri[y * w + x] = (unsigned char)std::max(0.f, std::min(255.f, rv));
        }
    }
    auto census = [&](const std::vector<unsigned char>& im) {
        std::vector<unsigned> c(n);
        for (int y = 0; y < h; ++y)
            for (int x = 0; x < w; ++x) {
                unsigned v = 0;
                for (int j = -2; j <= 2; ++j)
                    for (int i = -2; i <= 2; ++i) {
                        int yy = std::min(std::max(y + j, 0), h - 1), xx = std::min(std::max(x + i, 0), w - 1);
                        if (i || j) v = v * 2 + (im[yy * w + xx] < im[y * w + x]);
                    }
                c[y * w + x] = v;
            }
        return c;
    };
    auto cl = census(li), cr = census(ri);
    Dev<unsigned> dl(cl), dr(cr);
    Dev<unsigned char> dd(n);
    Dev<unsigned short> dc(n);
    for (int l = 0; l < NLAUNCH; ++l)
        stereo_census_match<<<dim3(divup(w, ST_X), divup(h, ST_Y)), dim3(ST_X, ST_Y)>>>(dl.p, dr.p, w, h, dd.p, dc.p);
    finish_launch();
    auto gd = dd.get();
    auto gc = dc.get();
    bool ok = true;
    auto clampi = [](int v, int hi) { return v < 0 ? 0 : (v > hi ? hi : v); };
    for (int q = 0; q < n; q += 23) {
        int x = q % w, y = q / w, best = 1 << 20, second = 1 << 20, bd = 0;
        for (int d = 0; d < ST_D; ++d) {
            int cost = 0;
            for (int j = -2; j <= 2; ++j)
                for (int i = -2; i <= 2; ++i) {
                    int yy = clampi(y + j, h - 1);
                    cost += __builtin_popcount(cl[yy * w + clampi(x + i, w - 1)] ^ cr[yy * w + clampi(x + i - d, w - 1)]);
                }
            if (cost < best) { second = best; best = cost; bd = d; }
            else if (cost < second) second = cost;
        }
        if (gd[q] != bd || gc[q] != second - best) ok = false;
    }
    verdict("stereo_census_match", ok);
}

// =====================================================================================
// 21. Volume ray marching through a 3-D texture (point filtering), early termination
// =====================================================================================
__constant__ float4 c_transfer[64];

struct RayCam { float ex, ey, ez, step; int w, h, vol; };

__host__ __device__ inline bool ray_setup(const RayCam& c, int px, int py, float& dx, float& dy, float& dz,
                                          float& t0, float& t1) {
    float u = (px + 0.5f) / c.w - 0.5f, v = (py + 0.5f) / c.h - 0.5f;
    float m = 0.5f * c.vol;
    // look at the centre of the volume along +z, slightly from above
    dx = u * 0.9f;
    dy = v * 0.7f + (m - c.ey) / (m - c.ez);
    dz = 1.0f;
    float il = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz);
    dx *= il; dy *= il; dz *= il;
    float lx = (0.f - c.ex) / dx, hx = (c.vol - c.ex) / dx;
    float ly = (0.f - c.ey) / dy, hy = (c.vol - c.ey) / dy;
    float lz = (0.f - c.ez) / dz, hz = (c.vol - c.ez) / dz;
    t0 = fmaxf(fmaxf(fminf(lx, hx), fminf(ly, hy)), fmaxf(fminf(lz, hz), 0.f));
    t1 = fminf(fminf(fmaxf(lx, hx), fmaxf(ly, hy)), fmaxf(lz, hz));
    return t0 < t1;
}

__global__ void volume_raymarch_texture(cudaTextureObject_t vol, RayCam cam, float4* __restrict__ img) {
    int px = blockIdx.x * blockDim.x + threadIdx.x;
    int py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= cam.w || py >= cam.h) return;
    float dx, dy, dz, t0, t1;
    float r = 0.f, g = 0.f, b = 0.f, a = 0.f;
    if (ray_setup(cam, px, py, dx, dy, dz, t0, t1)) {
        for (float t = t0 + 0.5f * cam.step; t < t1; t += cam.step) {
            float s = tex3D<float>(vol, cam.ex + t * dx, cam.ey + t * dy, cam.ez + t * dz);
            int k = min(max((int)(s * 64.f), 0), 63);
            float4 c = c_transfer[k];
            float w = (1.f - a) * c.w;
            r += w * c.x;
            g += w * c.y;
            b += w * c.z;
            a += w;
            if (a > 0.97f) break;
        }
    }
    img[py * cam.w + px] = make_float4(r, g, b, a);
}

static void case_raymarch() {
    const int V = 144, w = 640, h = 480;
    Rng r(31);
    std::vector<float> vol((size_t)V * V * V, 0.f);
    struct Blob { float x, y, z, s, a; };
    std::vector<Blob> bl(14);
    for (auto& q : bl) q = {V * (0.2f + 0.6f * r.uni()), V * (0.2f + 0.6f * r.uni()), V * (0.2f + 0.6f * r.uni()), 8.f + 14.f * r.uni(), 0.3f + 0.5f * r.uni()};
    for (auto& q : bl)
        for (int z = 0; z < V; ++z)
            for (int y = 0; y < V; ++y) {
                float e = (y - q.y) * (y - q.y) + (z - q.z) * (z - q.z);
                if (e > 9.f * q.s * q.s) continue;
                for (int x = 0; x < V; ++x) {
                    float d = e + (x - q.x) * (x - q.x);
                    if (d < 9.f * q.s * q.s) vol[((size_t)z * V + y) * V + x] += q.a * std::exp(-d / (q.s * q.s));
                }
            }
    float4 tf[64];
    for (int k = 0; k < 64; ++k) {
        float s = k / 63.f, o = s < 0.08f ? 0.f : 0.06f * s;
        tf[k] = make_float4(s, 0.5f + 0.5f * std::sin(6.f * s), 1.f - s, o);
    }
    CK(cudaMemcpyToSymbol(c_transfer, tf, sizeof(tf)));
    cudaChannelFormatDesc fmt = cudaCreateChannelDesc<float>();
    cudaArray_t arr;
    CK(cudaMalloc3DArray(&arr, &fmt, make_cudaExtent(V, V, V)));
    cudaMemcpy3DParms cp;
    std::memset(&cp, 0, sizeof(cp));
    cp.srcPtr = make_cudaPitchedPtr(vol.data(), V * sizeof(float), V, V);
    cp.dstArray = arr;
    cp.extent = make_cudaExtent(V, V, V);
    cp.kind = cudaMemcpyHostToDevice;
    CK(cudaMemcpy3D(&cp));
    cudaResourceDesc rd;
    std::memset(&rd, 0, sizeof(rd));
    rd.resType = cudaResourceTypeArray;
    rd.res.array.array = arr;
    cudaTextureDesc td;
    std::memset(&td, 0, sizeof(td));
    for (int k = 0; k < 3; ++k) td.addressMode[k] = cudaAddressModeClamp;
    td.filterMode = cudaFilterModePoint;
    td.readMode = cudaReadModeElementType;
    td.normalizedCoords = 0;
    cudaTextureObject_t tex = 0;
    CK(cudaCreateTextureObject(&tex, &rd, &td, nullptr));
    RayCam cam = {V * 0.5f + 3.3f, V * 0.5f - 30.7f, -120.f, 0.8f, w, h, V};
    Dev<float4> di((size_t)w * h);
    for (int l = 0; l < NLAUNCH; ++l)
        volume_raymarch_texture<<<dim3(divup(w, 16), divup(h, 8)), dim3(16, 8)>>>(tex, cam, di.p);
    finish_launch();
    CK(cudaDestroyTextureObject(tex));
    CK(cudaFreeArray(arr));
    auto g = di.get();
    int bad = 0, tot = 0;
    double sum = 0;
    auto vi = [&](float f) { int k = (int)std::floor(f); return k < 0 ? 0 : (k >= V ? V - 1 : k); };
    for (int py = 0; py < h; ++py)
        for (int px = py & 1; px < w; px += 2) {
            float dx, dy, dz, t0, t1, c[4] = {0, 0, 0, 0};
            if (ray_setup(cam, px, py, dx, dy, dz, t0, t1))
                for (float t = t0 + 0.5f * cam.step; t < t1; t += cam.step) {
                    float s = vol[((size_t)vi(cam.ez + t * dz) * V + vi(cam.ey + t * dy)) * V + vi(cam.ex + t * dx)];
                    float4 q = tf[std::min(std::max((int)(s * 64.f), 0), 63)];
                    float wg = (1.f - c[3]) * q.w;
                    c[0] += wg * q.x; c[1] += wg * q.y; c[2] += wg * q.z; c[3] += wg;
                    if (c[3] > 0.97f) break;
                }
            float4 o = g[py * w + px];
            float e = std::fmax(std::fmax(std::fabs(o.x - c[0]), std::fabs(o.y - c[1])), std::fmax(std::fabs(o.z - c[2]), std::fabs(o.w - c[3])));
            bad += !(e < 0.03f);
            sum += e;
            ++tot;
        }
    verdict("volume_raymarch_texture", bad < tot / 100 && sum / tot < 3e-3);
}

// =====================================================================================
// 22. Marching cubes: classify cells, count triangles per block
// =====================================================================================
__constant__ unsigned char c_mc_ntri[256];

__global__ void marching_cubes_classify(const float* __restrict__ f, int nx, int ny, int nz, float iso,
                                        unsigned char* __restrict__ cls, int* __restrict__ blockTri) {
    __shared__ int wsum[8];
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    int ntri = 0;
    if (x < nx - 1 && y < ny - 1 && z < nz - 1) {
        size_t k = ((size_t)z * ny + y) * nx + x;
        size_t py = nx, pz = (size_t)nx * ny;
        int c = 0;
        c |= (f[k] < iso) << 0;
        c |= (f[k + 1] < iso) << 1;
        c |= (f[k + py + 1] < iso) << 2;
        c |= (f[k + py] < iso) << 3;
        c |= (f[k + pz] < iso) << 4;
        c |= (f[k + pz + 1] < iso) << 5;
        c |= (f[k + pz + py + 1] < iso) << 6;
        c |= (f[k + pz + py] < iso) << 7;
        cls[k] = (unsigned char)c;
        ntri = c_mc_ntri[c];
    }
    int tid = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    ntri = __reduce_add_sync(0xffffffffu, ntri);
    if ((tid & 31) == 0) wsum[tid >> 5] = ntri;
    __syncthreads();
    if (tid == 0) {
        int s = 0;
        for (int k = 0; k < 8; ++k) s += wsum[k];
        blockTri[(blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x] = s;
    }
}

static void case_mc() {
    // triangle counts: cut edges joined into loops across the faces, a loop of k edges gives k-2
    unsigned char tab[256];
    const int ev[12][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
    const int face[6][4] = {{0, 1, 2, 3}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
    auto edge = [&](int a, int b) {
        for (int e = 0; e < 12; ++e)
            if ((ev[e][0] == a && ev[e][1] == b) || (ev[e][0] == b && ev[e][1] == a)) return e;
        return 0;
    };
    for (int c = 0; c < 256; ++c) {
        int par[12], cut = 0, loops = 0;
        bool is[12];
        auto in = [&](int v) { return (c >> v) & 1; };
        for (int e = 0; e < 12; ++e) {
            par[e] = e;
            is[e] = in(ev[e][0]) != in(ev[e][1]);
            cut += is[e];
        }
        auto root = [&](int e) { while (par[e] != e) e = par[e]; return e; };
        for (auto& q : face) {
            int e[4], m = 0, sel[4];
            for (int k = 0; k < 4; ++k) {
                e[k] = edge(q[k], q[(k + 1) & 3]);
                if (is[e[k]]) sel[m++] = e[k];
            }
            if (m == 2) par[root(sel[0])] = root(sel[1]);
            if (m == 4) {
                int s = in(q[0]) ? 0 : 1;  // separate the inside corners
                par[root(e[s])] = root(e[(s + 3) & 3]);
                par[root(e[s + 2])] = root(e[s + 1]);
            }
        }
        for (int e = 0; e < 12; ++e) loops += is[e] && par[e] == e;
        tab[c] = (unsigned char)(cut - 2 * loops);
    }
    CK(cudaMemcpyToSymbol(c_mc_ntri, tab, sizeof(tab)));
    const int nx = 200, ny = 168, nz = 150;
    size_t n = (size_t)nx * ny * nz;
    Rng r(32);
    std::vector<float> f(n);
    for (int z = 0; z < nz; ++z)
        for (int y = 0; y < ny; ++y)
            for (int x = 0; x < nx; ++x)
                f[((size_t)z * ny + y) * nx + x] = std::sin(0.11f * x) * std::cos(0.09f * y) + std::sin(0.1f * z) * std::cos(0.07f * x) + 0.15f * (r.uni() - 0.5f);
    dim3 blk(32, 4, 2), grd(divup(nx - 1, 32), divup(ny - 1, 4), divup(nz - 1, 2));
    Dev<float> df(f);
    Dev<unsigned char> dc(n);
    Dev<int> db((size_t)grd.x * grd.y * grd.z);
    for (int l = 0; l < NLAUNCH; ++l) marching_cubes_classify<<<grd, blk>>>(df.p, nx, ny, nz, 0.2f, dc.p, db.p);
    finish_launch();
    auto g = dc.get();
    auto bt = db.get();
    std::vector<int> rb(bt.size(), 0);
    const int cx[8] = {0, 1, 1, 0, 0, 1, 1, 0}, cy[8] = {0, 0, 1, 1, 0, 0, 1, 1}, cz[8] = {0, 0, 0, 0, 1, 1, 1, 1};
    bool ok = true;
    for (int z = 0; z < nz - 1; ++z)
        for (int y = 0; y < ny - 1; ++y)
            for (int x = 0; x < nx - 1; ++x) {
                int c = 0;
                for (int k = 0; k < 8; ++k) c |= (f[((size_t)(z + cz[k]) * ny + y + cy[k]) * nx + x + cx[k]] < 0.2f) << k;
                if (g[((size_t)z * ny + y) * nx + x] != c) ok = false;
                rb[((z / 2) * grd.y + y / 4) * grd.x + x / 32] += tab[c];
            }
    verdict("marching_cubes_classify", ok && rb == bt);
}

// =====================================================================================
// 23. Mesh smoothing (Taubin step) over a CSR vertex adjacency, packed xyz
// =====================================================================================
__global__ void mesh_taubin_csr(const float* __restrict__ xyz, const int* __restrict__ rowptr,
                                const int* __restrict__ adj, const unsigned char* __restrict__ fixedv, int nv,
                                float lambda, float* __restrict__ out) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= nv) return;
    float x = xyz[3 * v], y = xyz[3 * v + 1], z = xyz[3 * v + 2];
    int b = rowptr[v], e = rowptr[v + 1];
    if (!fixedv[v] && e > b) {
        float sx = 0.f, sy = 0.f, sz = 0.f, ws = 0.f;
        for (int k = b; k < e; ++k) {
            int j = adj[k];
            float dx = xyz[3 * j] - x, dy = xyz[3 * j + 1] - y, dz = xyz[3 * j + 2] - z;
            float w = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-6f);
            sx += w * dx;
            sy += w * dy;
            sz += w * dz;
            ws += w;
        }
        float s = lambda / ws;
        x += s * sx;
        y += s * sy;
        z += s * sz;
    }
    out[3 * v] = x;
    out[3 * v + 1] = y;
    out[3 * v + 2] = z;
}

static void case_mesh() {
    const int W = 700, H = 450, nv = W * H;
    Rng r(33);
    std::vector<int> perm(nv);
    std::iota(perm.begin(), perm.end(), 0);
    for (int i = 0; i < nv; ++i) std::swap(perm[i], perm[std::min(nv - 1, i + (int)r.below(i % 7 == 0 ? 20000 : 64))]);
    std::vector<float> p(3 * nv);
    std::vector<std::vector<int>> nb(nv);
    std::vector<unsigned char> fx(nv, 0);
    const int ox[6] = {1, -1, 0, 0, 1, -1}, oy[6] = {0, 0, 1, -1, -1, 1};
    for (int j = 0; j < H; ++j)
        for (int i = 0; i < W; ++i) {
            int v = perm[j * W + i];
            p[3 * v] = i + 0.3f * r.gauss();
            p[3 * v + 1] = j + 0.3f * r.gauss();
            p[3 * v + 2] = 10.f * std::sin(0.02f * i) * std::cos(0.03f * j) + 0.3f * r.gauss();
            fx[v] = i == 0 || j == 0 || i == W - 1 || j == H - 1;
            for (int k = 0; k < 6; ++k) {
                int a = i + ox[k], b = j + oy[k];
                if (a < 0 || b < 0 || a >= W || b >= H || r.uni() < 0.05f) continue;
                nb[v].push_back(perm[b * W + a]);
            }
            int extra = r.uni() < 0.15f ? 2 : (r.uni() < 0.002f ? 50 : 0);
            for (int k = 0; k < extra; ++k) {
                int a = std::min(W - 1, std::max(0, i + (int)r.below(13) - 6)), b = std::min(H - 1, std::max(0, j + (int)r.below(13) - 6));
                nb[v].push_back(perm[b * W + a]);
            }
        }
    std::vector<int> rp(nv + 1, 0), adj;
    for (int v = 0; v < nv; ++v) {
        adj.insert(adj.end(), nb[v].begin(), nb[v].end());
        rp[v + 1] = (int)adj.size();
    }
    Dev<float> dp(p), dout(3 * nv);
    Dev<int> dr(rp), da(adj);
    Dev<unsigned char> df(fx);
    for (int l = 0; l < NLAUNCH; ++l)
        mesh_taubin_csr<<<divup(nv, 160), 160>>>(dp.p, dr.p, da.p, df.p, nv, 0.5f, dout.p);
    finish_launch();
    auto g = dout.get();
    bool ok = true;
    for (int v = 0; v < nv; ++v) {
        double s[3] = {0, 0, 0}, ws = 0;
        for (int k = rp[v]; k < rp[v + 1]; ++k) {
            double d[3], q = 1e-6;
            for (int c = 0; c < 3; ++c) {
                d[c] = (double)p[3 * adj[k] + c] - p[3 * v + c];
                q += d[c] * d[c];
            }
            double w = 1 / std::sqrt(q);
            ws += w;
            for (int c = 0; c < 3; ++c) s[c] += w * d[c];
        }
        for (int c = 0; c < 3; ++c) {
            double e = p[3 * v + c] + ((fx[v] || rp[v] == rp[v + 1]) ? 0.0 : 0.5 * s[c] / ws);
            if (!near_rel(g[3 * v + c], e, 1e-5, 1e-3)) ok = false;
        }
    }
    verdict("mesh_taubin_csr", ok);
}

// =====================================================================================
// 24. CRC-32 of many variable-length messages, slicing-by-4 tables in shared memory
// =====================================================================================
__global__ void crc32_slicing_messages(const unsigned* __restrict__ words, const int* __restrict__ off,
                                       const unsigned* __restrict__ table, int nmsg, unsigned* __restrict__ crc) {
    __shared__ unsigned T[4 * 256];
    for (int k = threadIdx.x; k < 1024; k += blockDim.x) T[k] = table[k];
    __syncthreads();
    int m = blockIdx.x * blockDim.x + threadIdx.x;
    if (m >= nmsg) return;
    unsigned c = 0xFFFFFFFFu;
    int e = off[m + 1];
    for (int w = off[m]; w < e; ++w) {
        c ^= words[w];
        c = T[768 + (c & 255)] ^ T[512 + ((c >> 8) & 255)] ^ T[256 + ((c >> 16) & 255)] ^ T[c >> 24];
    }
    crc[m] = ~c;
}

static void case_crc() {
    const int nm = 40000;
    Rng r(34);
    std::vector<unsigned> tab(1024), words;
    for (unsigned i = 0; i < 256; ++i) {
        unsigned c = i;
        for (int k = 0; k < 8; ++k) c = (c >> 1) ^ ((c & 1) ? 0xEDB88320u : 0u);
        tab[i] = c;
    }
    for (int s = 1; s < 4; ++s)
        for (int i = 0; i < 256; ++i) tab[s * 256 + i] = (tab[(s - 1) * 256 + i] >> 8) ^ tab[tab[(s - 1) * 256 + i] & 255];
    std::vector<int> off(1, 0);
    for (int m = 0; m < nm; ++m) {
        int len = 4 + (int)(40.f * -std::log(r.uni() + 1e-4f));  // exponential lengths, in words
        for (int k = 0; k < len; ++k) words.push_back(r.uni() < 0.3f ? 0x20202020u : r.u32());
        off.push_back((int)words.size());
    }
    Dev<unsigned> dw(words), dt(tab), dc(nm);
    Dev<int> doff(off);
    for (int l = 0; l < NLAUNCH; ++l) crc32_slicing_messages<<<divup(nm, 128), 128>>>(dw.p, doff.p, dt.p, nm, dc.p);
    finish_launch();
    auto g = dc.get();
    bool ok = true;
    for (int m = 0; m < nm; ++m) {
        unsigned c = 0xFFFFFFFFu;
        for (int w = off[m]; w < off[m + 1]; ++w)
            for (int b = 0; b < 4; ++b) c = (c >> 8) ^ tab[(c ^ (words[w] >> (8 * b))) & 255];
        if (g[m] != ~c) ok = false;
    }
    verdict("crc32_slicing_messages", ok);
}

// =====================================================================================
// 25. Batched tridiagonal solve by parallel cyclic reduction, doubles, dynamic shared memory
// =====================================================================================
__global__ void tridiag_pcr_batch(const double* __restrict__ ga, const double* __restrict__ gb,
                                  const double* __restrict__ gc, const double* __restrict__ gd,
                                  double* __restrict__ gx) {
    extern __shared__ double pcr_sm[];
    const int n = blockDim.x, i = threadIdx.x;
    double *a = pcr_sm, *b = a + n, *c = b + n, *d = c + n;
    size_t k = (size_t)blockIdx.x * n + i;
    double ra = i == 0 ? 0.0 : ga[k], rb = gb[k], rc = i == n - 1 ? 0.0 : gc[k], rd = gd[k];
    for (int s = 1; s < n; s <<= 1) {
        a[i] = ra;
        b[i] = rb;
        c[i] = rc;
        d[i] = rd;
        __syncthreads();
        double na = 0.0, nc = 0.0;
        if (i - s >= 0) {
            double f = ra / b[i - s];
            na = -f * a[i - s];
            rb -= f * c[i - s];
            rd -= f * d[i - s];
        }
        if (i + s < n) {
            double f = rc / b[i + s];
            nc = -f * c[i + s];
            rb -= f * a[i + s];
            rd -= f * d[i + s];
        }
        ra = na;
        rc = nc;
        __syncthreads();
    }
    gx[k] = rd / rb;
}

static void case_tridiag() {
    const int n = 256, nb = 3000;
    Rng r(35);
    size_t N = (size_t)n * nb;
    std::vector<double> a(N), b(N), c(N), d(N);
    for (size_t i = 0; i < N; ++i) {
        a[i] = -r.unid();
        c[i] = -r.unid();
        b[i] = 0.1 + r.unid() - a[i] - c[i];
        d[i] = r.unid() * 10 - 5;
    }
    Dev<double> da(a), db(b), dc(c), dd(d), dx(N);
    for (int l = 0; l < NLAUNCH; ++l)
        tridiag_pcr_batch<<<nb, n, 4 * n * sizeof(double)>>>(da.p, db.p, dc.p, dd.p, dx.p);
    finish_launch();
    auto g = dx.get();
    bool ok = true;
    std::vector<double> cp(n), dp(n);
    for (int s = 0; s < nb; ++s) {
        size_t o = (size_t)s * n;
        cp[0] = c[o] / b[o];
        dp[0] = d[o] / b[o];
        for (int i = 1; i < n; ++i) {
            double m = 1 / (b[o + i] - a[o + i] * cp[i - 1]);
            cp[i] = c[o + i] * m;
            dp[i] = (d[o + i] - a[o + i] * dp[i - 1]) * m;
        }
        double x = 0;
        for (int i = n - 1; i >= 0; --i) {
            x = i == n - 1 ? dp[i] : dp[i] - cp[i] * x;
            if (!near_rel(g[o + i], x, 1e-9, 1e-9)) ok = false;
        }
    }
    verdict("tridiag_pcr_batch", ok);
}

// =====================================================================================
// 26. 256-bit Montgomery multiplication followed by repeated squaring (32-bit limbs)
// =====================================================================================
#define MG_SQ 8
__constant__ unsigned c_mod[8];
__constant__ unsigned c_n0inv;

__device__ inline void mont_mul8(unsigned (&r)[8], const unsigned (&a)[8], const unsigned (&b)[8]) {
    unsigned t[10];
#pragma unroll
    for (int j = 0; j < 10; ++j) t[j] = 0;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        unsigned long long s;
        unsigned carry = 0;
#pragma unroll
        for (int j = 0; j < 8; ++j) {
            s = (unsigned long long)a[j] * b[i] + t[j] + carry;
            t[j] = (unsigned)s;
            carry = (unsigned)(s >> 32);
        }
        s = (unsigned long long)t[8] + carry;
        t[8] = (unsigned)s;
        t[9] = (unsigned)(s >> 32);
        unsigned m = t[0] * c_n0inv;
        s = (unsigned long long)m * c_mod[0] + t[0];
        carry = (unsigned)(s >> 32);
#pragma unroll
        for (int j = 1; j < 8; ++j) {
            s = (unsigned long long)m * c_mod[j] + t[j] + carry;
            t[j - 1] = (unsigned)s;
            carry = (unsigned)(s >> 32);
        }
        s = (unsigned long long)t[8] + carry;
        t[7] = (unsigned)s;
        t[8] = t[9] + (unsigned)(s >> 32);
    }
    unsigned d[8];
    long long br = 0;
#pragma unroll
    for (int j = 0; j < 8; ++j) {
        br += (long long)t[j] - (long long)c_mod[j];
        d[j] = (unsigned)br;
        br >>= 32;
    }
    bool ge = t[8] != 0 || br == 0;
#pragma unroll
    for (int j = 0; j < 8; ++j) r[j] = ge ? d[j] : t[j];
}

__global__ void __launch_bounds__(128, 4)
montgomery_mul_square_chain(const unsigned* __restrict__ A, const unsigned* __restrict__ B, int n,
                            unsigned* __restrict__ R) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned a[8], b[8], r[8];
#pragma unroll
    for (int j = 0; j < 8; ++j) {
        a[j] = A[(size_t)j * n + i];
        b[j] = B[(size_t)j * n + i];
    }
    mont_mul8(r, a, b);
#pragma unroll 1
    for (int k = 0; k < MG_SQ; ++k) {
#pragma unroll
        for (int j = 0; j < 8; ++j) a[j] = r[j];
        mont_mul8(r, a, a);
    }
#pragma unroll
    for (int j = 0; j < 8; ++j) R[(size_t)j * n + i] = r[j];
}

typedef unsigned __int128 u128;
static void mont_ref(uint64_t* r, const uint64_t* a, const uint64_t* b, const uint64_t* n, uint64_t inv) {
    uint64_t t[9] = {0};  // full product kept reduced word by word
    uint64_t top = 0;
    for (int i = 0; i < 4; ++i) {
        u128 s = 0;
        for (int j = 0; j < 4; ++j) {
            s = (u128)a[j] * b[i] + t[j] + (uint64_t)(s >> 64);
            t[j] = (uint64_t)s;
        }
        s = (u128)t[4] + (uint64_t)(s >> 64);
        t[4] = (uint64_t)s;
        top = (uint64_t)(s >> 64);
        uint64_t m = t[0] * inv;
        s = (u128)m * n[0] + t[0];
        for (int j = 1; j < 4; ++j) {
            s = (u128)m * n[j] + t[j] + (uint64_t)(s >> 64);
            t[j - 1] = (uint64_t)s;
        }
        s = (u128)t[4] + (uint64_t)(s >> 64);
        t[3] = (uint64_t)s;
        t[4] = top + (uint64_t)(s >> 64);
    }
    bool ge = t[4] != 0;
    if (!ge) {
        ge = true;
        for (int j = 3; j >= 0; --j)
            if (t[j] != n[j]) { ge = t[j] > n[j]; break; }
    }
    uint64_t bw = 0;
    for (int j = 0; j < 4; ++j) {
        u128 d = (u128)t[j] - (ge ? n[j] : 0) - bw;
        r[j] = (uint64_t)d;
        bw = (uint64_t)(d >> 64) & 1;
    }
}

static void case_mont() {
    const int n = 120000;
    const unsigned mod[8] = {0xd87cfd47u, 0x3c208c16u, 0x6871ca8du, 0x97816a91u, 0x8181585du, 0xb85045b6u, 0xe131a029u, 0x30644e72u};
    uint64_t m64[4], inv = 1;
    for (int k = 0; k < 4; ++k) m64[k] = mod[2 * k] | ((uint64_t)mod[2 * k + 1] << 32);
    for (int k = 0; k < 7; ++k) inv *= 2 - m64[0] * inv;
    inv = 0 - inv;
    unsigned inv32 = (unsigned)inv;
    CK(cudaMemcpyToSymbol(c_mod, mod, sizeof(mod)));
    CK(cudaMemcpyToSymbol(c_n0inv, &inv32, sizeof(inv32)));
    Rng r(36);
    std::vector<unsigned> A(8 * n), B(8 * n);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < 8; ++j) {
            A[j * n + i] = j == 7 ? r.below(0x30644e72u) : r.u32();
            B[j * n + i] = j == 7 ? r.below(0x30644e72u) : r.u32();
        }
    Dev<unsigned> da(A), db(B), dr(8 * n);
    for (int l = 0; l < NLAUNCH; ++l) montgomery_mul_square_chain<<<divup(n, 128), 128>>>(da.p, db.p, n, dr.p);
    finish_launch();
    auto g = dr.get();
    bool ok = true;
    for (int i = 0; i < n; ++i) {
        uint64_t a[4], b[4], x[4], y[4];
        for (int k = 0; k < 4; ++k) {
            a[k] = A[2 * k * n + i] | ((uint64_t)A[(2 * k + 1) * n + i] << 32);
            b[k] = B[2 * k * n + i] | ((uint64_t)B[(2 * k + 1) * n + i] << 32);
        }
        mont_ref(x, a, b, m64, inv);
        for (int k = 0; k < MG_SQ; ++k) {
            std::memcpy(y, x, sizeof(x));
            mont_ref(x, y, y, m64, inv);
        }
        for (int j = 0; j < 8; ++j)
            if (g[j * n + i] != (unsigned)(x[j / 2] >> (32 * (j & 1)))) ok = false;
    }
    verdict("montgomery_mul_square_chain", ok);
}

// =====================================================================================
// 27. Photon transport in a scattering slab (Henyey-Greenstein, Russian roulette)
// =====================================================================================
#define PH_BINS 128
struct Pcg {
    unsigned long long s;
    __host__ __device__ float uni() {
        unsigned long long o = s;
        s = o * 6364136223846793005ull + 1442695040888963407ull;
        unsigned x = (unsigned)(((o >> 18) ^ o) >> 27), rot = (unsigned)(o >> 59);
        x = (x >> rot) | (x << ((32u - rot) & 31u));
        return (float)((x >> 9) + 1u) * (1.0f / 8388609.0f);  // (0,1)
    }
};
struct Slab { float mut, albedo, g, thick; };

struct Deposit {
    unsigned* bins;  // device: 16.16 fixed point in shared memory
    double* ref;     // host
    __host__ __device__ void operator()(int b, float dw) const {
#ifdef __CUDA_ARCH__
        atomicAdd(&bins[b], (unsigned)(dw * 65536.f + 0.5f));
#else
        ref[b] += dw;
#endif
    }
};

__host__ __device__ inline float photon_history(unsigned id, Slab sl, Deposit dep, int& outcome) {
    Pcg rng;
    rng.s = mix64(id * 2ull + 1ull);
    float z = 0.f, ux = 0.f, uy = 0.f, uz = 1.f, w = 1.f;
    outcome = 0;
    for (int step = 0; step < 2000; ++step) {
        z += uz * (-logf(rng.uni()) / sl.mut);
        if (z < 0.f) { outcome = 1; return w; }
        if (z >= sl.thick) { outcome = 2; return w; }
        float dw = w * (1.f - sl.albedo);
        int b = (int)(z / sl.thick * PH_BINS);
        dep(b < PH_BINS ? b : PH_BINS - 1, dw);
        w -= dw;
        if (w < 0.05f) {
            if (rng.uni() > 0.1f) return 0.f;
            w *= 10.f;
        }
        float q = (1.f - sl.g * sl.g) / (1.f - sl.g + 2.f * sl.g * rng.uni());
        float ct = (1.f + sl.g * sl.g - q * q) / (2.f * sl.g);
        ct = fminf(fmaxf(ct, -1.f), 1.f);
        float st = sqrtf(1.f - ct * ct);
        float phi = 6.2831853f * rng.uni();
        float cp = cosf(phi), sp = sinf(phi);
        if (fabsf(uz) > 0.9999f) {
            ux = st * cp;
            uy = st * sp;
            uz = uz > 0.f ? ct : -ct;
        } else {
            float t = sqrtf(1.f - uz * uz);
            float nx = st * (ux * uz * cp - uy * sp) / t + ux * ct;
            float ny = st * (uy * uz * cp + ux * sp) / t + uy * ct;
            uz = -st * cp * t + uz * ct;
            ux = nx;
            uy = ny;
            float il = 1.0f / sqrtf(ux * ux + uy * uy + uz * uz);
            ux *= il;
            uy *= il;
            uz *= il;
        }
    }
    return 0.f;
}

__global__ void photon_slab_walk(Slab sl, int n, unsigned long long* __restrict__ absorb, float* __restrict__ exitw) {
    __shared__ unsigned bins[PH_BINS];
    for (int k = threadIdx.x; k < PH_BINS; k += blockDim.x) bins[k] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int outc;
        Deposit dep = {bins, nullptr};
        float w = photon_history((unsigned)i, sl, dep, outc);
        exitw[i] = outc == 0 ? 0.f : (outc == 1 ? w : -w);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < PH_BINS; k += blockDim.x)
        if (bins[k]) atomicAdd(&absorb[k], (unsigned long long)bins[k]);
}

static void case_photon() {
    const int n = 90000;
    Slab sl = {1.0f, 0.92f, 0.8f, 14.f};
    Dev<unsigned long long> da(PH_BINS);
    Dev<float> de(n);
    for (int l = 0; l < NLAUNCH; ++l) photon_slab_walk<<<divup(n, 96), 96>>>(sl, n, da.p, de.p);
    finish_launch();
    auto a = da.get();
    auto e = de.get();
    std::vector<double> ra(PH_BINS, 0.0);
    double rr = 0, rt = 0, gr = 0, gt = 0, tot = 0, gtot = 0;
    for (int i = 0; i < n; ++i) {
        int o;
        Deposit dep = {nullptr, ra.data()};
        float w = photon_history((unsigned)i, sl, dep, o);
        if (o == 1) rr += w;
        if (o == 2) rt += w;
        if (e[i] > 0) gr += e[i];
        else gt -= e[i];
    }
    bool ok = near_rel(gr, rr, 5e-3, 1.0) && near_rel(gt, rt, 5e-3, 5.0);
    for (int b = 0; b < PH_BINS; ++b) {
        double v = (double)a[b] / 65536.0 / NLAUNCH;
        tot += ra[b];
        gtot += v;
        if (!near_rel(v, ra[b], 0.02, 4.0)) ok = false;
    }
    ok = ok && near_rel(gtot, tot, 3e-3, 1.0);
    verdict("photon_slab_walk", ok);
}

// =====================================================================================
// 28. COO sparse matrix-vector product with a warp-segmented scan
// =====================================================================================
__global__ void coo_spmv_segmented_scan(const int* __restrict__ row, const int* __restrict__ col,
                                        const float* __restrict__ val, const float* __restrict__ x, int nnz,
                                        int per_warp, float* __restrict__ y) {
    int lane = threadIdx.x & 31;
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    long long beg = (long long)warp * per_warp;
    if (beg >= nnz) return;
    int b = (int)beg, e = min(b + per_warp, nnz);
    for (int base = b; base < e; base += 32) {
        int i = base + lane;
        int key = i < e ? row[i] : -1;
        float v = i < e ? val[i] * x[col[i]] : 0.f;
#pragma unroll
        for (int o = 1; o < 32; o <<= 1) {
            float vu = __shfl_up_sync(0xffffffffu, v, o);
            int ku = __shfl_up_sync(0xffffffffu, key, o);
            if (lane >= o && ku == key) v += vu;
        }
        int kn = __shfl_down_sync(0xffffffffu, key, 1);
        if (key >= 0 && (lane == 31 || kn != key)) atomicAdd(&y[key], v);
    }
}

static void case_coo() {
    const int nr = 260000, ncol = 400000;
    Rng r(37);
    std::vector<int> row, col;
    std::vector<float> val, x(ncol);
    for (auto& v : x) v = r.uni();
    for (int i = 0; i < nr; ++i) {
        int len = (int)(1.5f / (r.uni() + 0.02f)) + (i % 5000 == 17 ? 2500 : 0);  // heavy tail and a few dense rows
        for (int k = 0; k < len; ++k) {
            row.push_back(i);
            int c = (int)((long long)i * ncol / nr) + (int)(500.f * r.gauss());
            if (r.uni() < 0.2f) c = (int)r.below(ncol);
            col.push_back(std::min(ncol - 1, std::max(0, c)));
            val.push_back(r.uni() - 0.3f);
        }
    }
    int nnz = (int)row.size(), pw = 256;
    Dev<int> dr(row), dc(col);
    Dev<float> dv(val), dx(x), dy(nr);
    int warps = divup(nnz, pw);
    for (int l = 0; l < NLAUNCH; ++l)
        coo_spmv_segmented_scan<<<divup(warps, 8), 256>>>(dr.p, dc.p, dv.p, dx.p, nnz, pw, dy.p);
    finish_launch();
    auto g = dy.get();
    std::vector<double> y(nr, 0.0), mag(nr, 0.0);
    for (int k = 0; k < nnz; ++k) {
        double p = (double)NLAUNCH * val[k] * x[col[k]];
        y[row[k]] += p;
        mag[row[k]] += std::fabs(p);
    }
    bool ok = true;
    for (int i = 0; i < nr; ++i)
        if (std::fabs(g[i] - y[i]) > 1e-5 + 1e-4 * mag[i]) ok = false;
    verdict("coo_spmv_segmented_scan", ok);
}

// =====================================================================================
// 29. Real spherical-harmonic expansion in double, tables in constant memory
// =====================================================================================
#define SH_L 9
__constant__ double c_sh_norm[(SH_L + 1) * (SH_L + 1)];  // [l*(L+1)+m]
__constant__ double c_sh_coef[(SH_L + 1) * (SH_L + 1)];  // index l*l + l + m
__constant__ double c_sh_inv[SH_L + 2];

__global__ void __launch_bounds__(192)
sph_harm_expand_const(const double* __restrict__ px, const double* __restrict__ py, const double* __restrict__ pz,
                      int n, double* __restrict__ out) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        double x = px[i], y = py[i], z = pz[i];
        double il = rsqrt(x * x + y * y + z * z);
        x *= il;
        y *= il;
        z *= il;
        double cm = 1.0, sm = 0.0, pmm = 1.0, sum = 0.0;
        for (int m = 0; m <= SH_L; ++m) {
            double p0 = 0.0, p1 = pmm;  // P(l-2), P(l-1) shifting along l
            for (int l = m; l <= SH_L; ++l) {
                if (l > m) {
                    double p = ((2 * l - 1) * z * p1 - (l + m - 1) * p0) * c_sh_inv[l - m];
                    p0 = p1;
                    p1 = p;
                }
                double k = c_sh_norm[l * (SH_L + 1) + m] * p1;
                double c = c_sh_coef[l * l + l + m] * cm;
                if (m > 0) c += c_sh_coef[l * l + l - m] * sm;
                sum += k * c;
            }
            pmm *= (double)(2 * m + 1);
            double t = cm * x - sm * y;
            sm = cm * y + sm * x;
            cm = t;
        }
        out[i] = sum;
    }
}

static void case_sph() {
    const int n = 250000, L = SH_L;
    Rng r(38);
    std::vector<double> x(n), y(n), z(n), nm((L + 1) * (L + 1), 0.0), co((L + 1) * (L + 1)), inv(L + 2, 0.0);
    for (int i = 0; i < n; ++i) {
        x[i] = r.gauss() + 1e-3;
        y[i] = r.gauss();
        z[i] = 0.7 * r.gauss() + 1e-3;
    }
    for (int l = 0; l <= L; ++l)
        for (int m = 0; m <= l; ++m) {
            double f = 1;
            for (int k = l - m + 1; k <= l + m; ++k) f *= k;
            nm[l * (L + 1) + m] = std::sqrt((2 * l + 1) / (4 * 3.14159265358979323846) / f * (m ? 2 : 1));
        }
    for (auto& c : co) c = r.unid() - 0.5;
    for (int k = 1; k < L + 2; ++k) inv[k] = 1.0 / k;
    CK(cudaMemcpyToSymbol(c_sh_norm, nm.data(), nm.size() * sizeof(double)));
    CK(cudaMemcpyToSymbol(c_sh_coef, co.data(), co.size() * sizeof(double)));
    CK(cudaMemcpyToSymbol(c_sh_inv, inv.data(), inv.size() * sizeof(double)));
    Dev<double> dx(x), dy(y), dz(z), dout(n);
    for (int l = 0; l < NLAUNCH; ++l) sph_harm_expand_const<<<528, 192>>>(dx.p, dy.p, dz.p, n, dout.p);
    finish_launch();
    auto g = dout.get();
    // reference: explicit Legendre polynomial coefficients, differentiated m times
    double P[SH_L + 1][SH_L + 1] = {{0}};
    P[0][0] = 1;
    P[1][1] = 1;
    for (int l = 2; l <= L; ++l)
        for (int k = 0; k <= l; ++k)
            P[l][k] = ((2 * l - 1) * (k ? P[l - 1][k - 1] : 0.0) - (l - 1) * P[l - 2][k]) / l;
    bool ok = true;
    for (int i = 0; i < n; i += 5) {
        double q = 1 / std::sqrt(x[i] * x[i] + y[i] * y[i] + z[i] * z[i]);
        double s = std::sqrt(x[i] * x[i] + y[i] * y[i]) * q, c = z[i] * q, phi = std::atan2(y[i], x[i]), sum = 0;
        for (int l = 0; l <= L; ++l)
            for (int m = 0; m <= l; ++m) {
                double v = 0;
                for (int k = l; k >= m; --k) {
                    double f = P[l][k];
                    for (int t = 0; t < m; ++t) f *= k - t;
                    v = v * c + f;
                }
                double a = co[l * l + l + m] * std::cos(m * phi) + (m ? co[l * l + l - m] * std::sin(m * phi) : 0.0);
                sum += nm[l * (L + 1) + m] * v * std::pow(s, m) * a;
            }
        if (!near_rel(g[i], sum, 1e-8, 1e-9)) ok = false;
    }
    verdict("sph_harm_expand_const", ok);
}

// =====================================================================================
int main() {
    CK(cudaSetDevice(0));
    case_lj();
    case_fem();
    case_ising();
    case_swe();
    case_fd8();
    case_sw();
    case_kmer();
    case_hmm();
    case_kmeans();
    case_knn();
    case_forest();
    case_gbdt();
    case_embag();
    case_dp4a();
    case_groupnorm();
    case_half2();
    case_lz();
    case_sobel();
    case_ccl();
    case_stereo();
    case_raymarch();
    case_mc();
    case_mesh();
    case_crc();
    case_tridiag();
    case_mont();
    case_photon();
    case_coo();
    case_sph();
    if (g_bad) std::printf("%d cases wrong\n", g_bad);
    return g_bad ? 1 : 0;
}
