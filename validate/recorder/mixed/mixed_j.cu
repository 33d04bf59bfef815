// mixed_j.cu - a bag of kernels out of simulation, database, vision, genomics and inference codes.
// Every case builds its own input, launches its kernel four times and checks against a host reference.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <numeric>
#include <queue>
#include <string>
#include <utility>
#include <vector>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef unsigned long long ull;
using std::vector;

#define CU(call)                                                                                   \
    do {                                                                                           \
        cudaError_t err_ = (call);                                                                 \
        if (err_ != cudaSuccess) {                                                                 \
            std::fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(err_));      \
            std::exit(2);                                                                          \
        }                                                                                          \
    } while (0)

// ------------------------------------------------------------------------------------------ tools
struct Rng {
    u64 s;
    explicit Rng(u64 seed) : s(seed * 0x9E3779B97F4A7C15ull + 0x1234567ull) {}
    u64 u64v() {
        u64 z = (s += 0x9E3779B97F4A7C15ull);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
        return z ^ (z >> 31);
    }
    u32 bits() { return (u32)(u64v() >> 32); }
    u32 below(u32 n) { return (u32)(((u64)bits() * n) >> 32); }
    double uni() { return (double)(u64v() >> 11) * (1.0 / 9007199254740992.0); }
    float range(float a, float b) { return (float)(a + (b - a) * uni()); }
    double gauss() {
        double u = uni() + 1e-300, v = uni();
        return std::sqrt(-2.0 * std::log(u)) * std::cos(6.283185307179586 * v);
    }
    // bounded Pareto rank in [0,n), exponent a != 1
    u32 pareto(u32 n, double a) {
        double top = std::pow((double)n + 1.0, 1.0 - a);
        double x = std::pow(1.0 - uni() * (1.0 - top), 1.0 / (1.0 - a)) - 1.0;
        u32 k = (u32)x;
        return k < n ? k : n - 1;
    }
};

template <class T>
struct Buf {
    T* d = nullptr;
    size_t n = 0;
    explicit Buf(size_t count) : n(count) {
        CU(cudaMalloc(&d, n * sizeof(T)));
        CU(cudaMemset(d, 0, n * sizeof(T)));
    }
    explicit Buf(const vector<T>& h) : n(h.size()) {
        CU(cudaMalloc(&d, n * sizeof(T)));
        put(h);
    }
    Buf(const Buf&) = delete;
    Buf& operator=(const Buf&) = delete;
    ~Buf() { cudaFree(d); }
    void put(const vector<T>& h) { CU(cudaMemcpy(d, h.data(), h.size() * sizeof(T), cudaMemcpyHostToDevice)); }
    void fill(int byte) { CU(cudaMemset(d, byte, n * sizeof(T))); }
    vector<T> get() const {
        vector<T> h(n);
        CU(cudaMemcpy(h.data(), d, n * sizeof(T), cudaMemcpyDeviceToHost));
        return h;
    }
};

template <class Prep, class Go>
static void four_times(Prep prep, Go go) {
    for (int i = 0; i < 4; ++i) {
        prep();
        go();
        CU(cudaGetLastError());
    }
    CU(cudaDeviceSynchronize());
}
static void nothing() {}

static inline int cdiv(long a, long b) { return (int)((a + b - 1) / b); }
static inline bool near_to(double got, double want, double tol) { return std::fabs(got - want) <= tol; }

// fractal value noise in [0,1): stands in for a photograph
static float lattice(int x, int y, u32 salt) {
    u32 h = (u32)x * 0x85EBCA6Bu ^ (u32)y * 0xC2B2AE35u ^ salt * 0x27D4EB2Fu;
    h ^= h >> 15; h *= 0x2C1B3C6Du; h ^= h >> 12; h *= 0x297A2D39u; h ^= h >> 15;
    return (h >> 8) * (1.0f / 16777216.0f);
}
static float fbm(float x, float y, int octaves, u32 salt) {
    float sum = 0, amp = 0.5f, tot = 0;
    for (int o = 0; o < octaves; ++o) {
        int ix = (int)std::floor(x), iy = (int)std::floor(y);
        float fx = x - ix, fy = y - iy;
        fx = fx * fx * (3 - 2 * fx);
        fy = fy * fy * (3 - 2 * fy);
        float a = lattice(ix, iy, salt + o), b = lattice(ix + 1, iy, salt + o);
        float c = lattice(ix, iy + 1, salt + o), d = lattice(ix + 1, iy + 1, salt + o);
        sum += amp * ((a * (1 - fx) + b * fx) * (1 - fy) + (c * (1 - fx) + d * fx) * fy);
        tot += amp;
        amp *= 0.5f;
        x *= 2.03f;
        y *= 2.01f;
    }
    return sum / tot;
}

// ================================================================ 1. D3Q19 lattice Boltzmann, pull
namespace lbm {
#define D3Q19_DIRS                                                                                 \
    {{0, 0, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1},               \
     {1, 1, 0}, {-1, -1, 0}, {1, -1, 0}, {-1, 1, 0}, {1, 0, 1}, {-1, 0, -1}, {1, 0, -1},           \
     {-1, 0, 1}, {0, 1, 1}, {0, -1, -1}, {0, 1, -1}, {0, -1, 1}}
constexpr int NX = 96, NY = 80, NZ = 64, N = NX * NY * NZ;
__constant__ int c_dir[19][3] = D3Q19_DIRS;
static const int h_dir[19][3] = D3Q19_DIRS;

__host__ __device__ inline int opposite(int q) { return q == 0 ? 0 : ((q & 1) ? q + 1 : q - 1); }

__global__ __launch_bounds__(128, 6) void lbm_d3q19_pull_bgk(const float* __restrict__ fin, float* __restrict__ fout,
                                                              const u8* __restrict__ solid, float omega, float gx) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= N) return;
    if (solid[i]) {
        for (int q = 0; q < 19; ++q) fout[q * N + i] = fin[q * N + i];
        return;
    }
    int x = i % NX, y = (i / NX) % NY, z = i / (NX * NY);
    float f[19];
    float rho = 0, ux = 0, uy = 0, uz = 0;
#pragma unroll
    for (int q = 0; q < 19; ++q) {
        int sx = x - c_dir[q][0], sy = y - c_dir[q][1], sz = z - c_dir[q][2];
        sx = sx < 0 ? sx + NX : (sx >= NX ? sx - NX : sx);
        sy = sy < 0 ? sy + NY : (sy >= NY ? sy - NY : sy);
        int src = (sz * NY + sy) * NX + sx;  // z walls are solid, fluid never looks past them
        f[q] = solid[src] ? fin[opposite(q) * N + i] : fin[q * N + src];
        rho += f[q];
        ux += f[q] * c_dir[q][0];
        uy += f[q] * c_dir[q][1];
        uz += f[q] * c_dir[q][2];
    }
    float ir = 1.0f / rho;
    ux = ux * ir + gx / omega;
    uy *= ir;
    uz *= ir;
    float usq = 1.5f * (ux * ux + uy * uy + uz * uz);
#pragma unroll
    for (int q = 0; q < 19; ++q) {
        float w = q == 0 ? 1.0f / 3.0f : (q < 7 ? 1.0f / 18.0f : 1.0f / 36.0f);
        float cu = 3.0f * (ux * c_dir[q][0] + uy * c_dir[q][1] + uz * c_dir[q][2]);
        float feq = w * rho * (1.0f + cu + 0.5f * cu * cu - usq);
        fout[q * N + i] = f[q] + omega * (feq - f[q]);
    }
}

static bool run() {
    Rng g(101);
    vector<u8> solid(N, 0);
    for (int k = 0; k < 40; ++k) {  // packed bed
        int cx = g.below(NX), cy = g.below(NY), cz = g.below(NZ), r = 3 + g.below(6);
        for (int z = 0; z < NZ; ++z)
            for (int y = 0; y < NY; ++y)
                for (int x = 0; x < NX; ++x)
                    if ((x - cx) * (x - cx) + (y - cy) * (y - cy) + (z - cz) * (z - cz) <= r * r)
                        solid[(z * NY + y) * NX + x] = 1;
    }
    for (int k = 0; k < NX * NY; ++k) solid[k] = solid[(NZ - 1) * NX * NY + k] = 1;
    vector<float> f((size_t)19 * N);
    for (int q = 0; q < 19; ++q) {
        float w = q == 0 ? 1.f / 3 : (q < 7 ? 1.f / 18 : 1.f / 36);
        for (int i = 0; i < N; ++i) f[(size_t)q * N + i] = w * g.range(0.9f, 1.1f);
    }
    const float omega = 1.6f, gx = 1e-3f;
    Buf<float> din(f), dout(f.size());
    Buf<u8> ds(solid);
    four_times(nothing, [&] { lbm_d3q19_pull_bgk<<<cdiv(N, 128), 128>>>(din.d, dout.d, ds.d, omega, gx); });
    vector<float> out = dout.get();
    bool good = true;
    for (int z = 0; z < NZ; ++z)
        for (int y = 0; y < NY; ++y)
            for (int x = 0; x < NX; ++x) {
                int i = (z * NY + y) * NX + x;
                if (solid[i]) {
                    for (int q = 0; q < 19; ++q) good &= out[(size_t)q * N + i] == f[(size_t)q * N + i];
                    continue;
                }
                double p[19], rho = 0, u[3] = {0, 0, 0};
                for (int q = 0; q < 19; ++q) {
                    int sx = (x - h_dir[q][0] + NX) % NX, sy = (y - h_dir[q][1] + NY) % NY, sz = z - h_dir[q][2];
                    int s = (sz * NY + sy) * NX + sx;
                    p[q] = solid[s] ? f[(size_t)opposite(q) * N + i] : f[(size_t)q * N + s];
                    rho += p[q];
                    for (int a = 0; a < 3; ++a) u[a] += p[q] * h_dir[q][a];
                }
                for (int a = 0; a < 3; ++a) u[a] /= rho;
                u[0] += (double)gx / omega;
                double usq = 1.5 * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
                for (int q = 0; q < 19; ++q) {
                    double w = q == 0 ? 1.0 / 3 : (q < 7 ? 1.0 / 18 : 1.0 / 36);
                    double cu = 3 * (u[0] * h_dir[q][0] + u[1] * h_dir[q][1] + u[2] * h_dir[q][2]);
                    double e = w * rho * (1 + cu + 0.5 * cu * cu - usq);
                    if (!near_to(out[(size_t)q * N + i], p[q] + omega * (e - p[q]), 1e-5)) good = false;
                }
            }
    return good;
}
}  // namespace lbm

// ============================================================ 2. 2D Euler, MUSCL + HLLC, one step
namespace euler {
constexpr int W = 1280, H = 640, TX = 32, TY = 8;

template <class R>
__host__ __device__ inline R minmod(R a, R b) {
    if (a * b <= R(0)) return R(0);
    return (a > 0 ? a : -a) < (b > 0 ? b : -b) ? a : b;
}

// states are (rho, normal u, transverse v, p); flux in the same frame (mass, mom_n, mom_t, energy)
template <class R>
__host__ __device__ inline void hllc(const R* l, const R* r, R* fl) {
    const R G = R(1.4);
    R cl = sqrt(G * l[3] / l[0]), cr = sqrt(G * r[3] / r[0]);
    R sl = l[1] - cl < r[1] - cr ? l[1] - cl : r[1] - cr;
    R sr = l[1] + cl > r[1] + cr ? l[1] + cl : r[1] + cr;
    R el = l[3] / (G - 1) + R(0.5) * l[0] * (l[1] * l[1] + l[2] * l[2]);
    R er = r[3] / (G - 1) + R(0.5) * r[0] * (r[1] * r[1] + r[2] * r[2]);
    R ml = l[0] * (sl - l[1]), mr = r[0] * (sr - r[1]);
    R sm = (r[3] - l[3] + l[1] * ml - r[1] * mr) / (ml - mr);
    bool left = sm >= 0;
    const R* a = left ? l : r;
    R e = left ? el : er, s = left ? sl : sr, m = left ? ml : mr;
    fl[0] = a[0] * a[1];
    fl[1] = a[0] * a[1] * a[1] + a[3];
    fl[2] = a[0] * a[1] * a[2];
    fl[3] = a[1] * (e + a[3]);
    bool supersonic = left ? sl >= 0 : sr <= 0;
    if (!supersonic) {
        R k = m / (s - sm);
        fl[0] += s * (k - a[0]);
        fl[1] += s * (k * sm - a[0] * a[1]);
        fl[2] += s * (k * a[2] - a[0] * a[2]);
        fl[3] += s * (k * (e / a[0] + (sm - a[1]) * (sm + a[3] / m)) - e);
    }
}

__global__ __launch_bounds__(TX* TY) void euler_hllc_muscl_step(const float* __restrict__ q, float* __restrict__ qn, float lam) {
    __shared__ float s[4][TY + 4][TX + 5];
    const int NN = W * H;
    int tid = threadIdx.y * TX + threadIdx.x;
    for (int k = tid; k < (TY + 4) * (TX + 4); k += TX * TY) {
        int ly = k / (TX + 4), lx = k - ly * (TX + 4);
        int gx = min(max((int)blockIdx.x * TX + lx - 2, 0), W - 1);
        int gy = min(max((int)blockIdx.y * TY + ly - 2, 0), H - 1);
        int c = gy * W + gx;
        float rho = q[c], u = q[NN + c] / rho, v = q[2 * NN + c] / rho;
        s[0][ly][lx] = rho;
        s[1][ly][lx] = u;
        s[2][ly][lx] = v;
        s[3][ly][lx] = 0.4f * (q[3 * NN + c] - 0.5f * rho * (u * u + v * v));
    }
    __syncthreads();
    int cx = threadIdx.x + 2, cy = threadIdx.y + 2;
    float net[4] = {0, 0, 0, 0};
#pragma unroll
    for (int axis = 0; axis < 2; ++axis) {
        int dx = axis == 0, dy = axis == 1;
#pragma unroll
        for (int side = 0; side < 2; ++side) {
            int fx = cx + side * dx, fy = cy + side * dy;  // cell on the high side of the face
            float L[4], R[4], F[4];
#pragma unroll
            for (int k = 0; k < 4; ++k) {
                int kk = axis == 0 ? k : (k == 1 ? 2 : (k == 2 ? 1 : k));
                float a = s[kk][fy - 2 * dy][fx - 2 * dx], b = s[kk][fy - dy][fx - dx];
                float c = s[kk][fy][fx], d = s[kk][fy + dy][fx + dx];
                L[k] = b + 0.5f * minmod(b - a, c - b);
                R[k] = c - 0.5f * minmod(c - b, d - c);
            }
            hllc(L, R, F);
            float sg = side ? -1.0f : 1.0f;
            net[0] += sg * F[0];
            net[1] += sg * (axis == 0 ? F[1] : F[2]);
            net[2] += sg * (axis == 0 ? F[2] : F[1]);
            net[3] += sg * F[3];
        }
    }
    int gx = blockIdx.x * TX + threadIdx.x, gy = blockIdx.y * TY + threadIdx.y;
    if (gx < W && gy < H) {
        int c = gy * W + gx;
#pragma unroll
        for (int k = 0; k < 4; ++k) qn[k * NN + c] = q[k * NN + c] + lam * net[k];
    }
}

static bool run() {
    Rng g(202);
    const int NN = W * H;
    vector<float> q(4 * NN);
    struct Blast { float x, y, r, p; };
    vector<Blast> bl;
    for (int i = 0; i < 25; ++i) bl.push_back({g.range(0, W), g.range(0, H), g.range(10, 70), g.range(0.3f, 5.f)});
    for (int y = 0; y < H; ++y)
        for (int x = 0; x < W; ++x) {
            float rho = 0.6f + fbm(x * 0.01f, y * 0.01f, 3, 5), p = 1.0f;
            for (auto& b : bl)
                if ((x - b.x) * (x - b.x) + (y - b.y) * (y - b.y) < b.r * b.r) p = b.p;
            float u = 1.5f * (fbm(x * 0.02f, y * 0.02f, 2, 9) - 0.5f) + (y > H / 2 ? 2.0f : -0.3f);
            float v = 0.8f * (fbm(x * 0.03f, y * 0.02f, 2, 17) - 0.5f);
            int c = y * W + x;
            q[c] = rho;
            q[NN + c] = rho * u;
            q[2 * NN + c] = rho * v;
            q[3 * NN + c] = p / 0.4f + 0.5f * rho * (u * u + v * v);
        }
    const float lam = 0.1f;
    Buf<float> dq(q), dn(q.size());
    dim3 grid(cdiv(W, TX), cdiv(H, TY));
    four_times(nothing, [&] { euler_hllc_muscl_step<<<grid, dim3(TX, TY)>>>(dq.d, dn.d, lam); });
    vector<float> out = dn.get();
    vector<double> prim(4 * (size_t)NN), ref(q.begin(), q.end());
    for (int c = 0; c < NN; ++c) {
        double r = q[c], u = q[NN + c] / r, v = q[2 * NN + c] / r;
        prim[4 * (size_t)c] = r;
        prim[4 * (size_t)c + 1] = u;
        prim[4 * (size_t)c + 2] = v;
        prim[4 * (size_t)c + 3] = 0.4 * (q[3 * NN + c] - 0.5 * r * (u * u + v * v));
    }
    auto at = [&](int x, int y) {
        x = std::min(std::max(x, 0), W - 1);
        y = std::min(std::max(y, 0), H - 1);
        return &prim[4 * ((size_t)y * W + x)];
    };
    for (int axis = 0; axis < 2; ++axis) {
        int dx = axis == 0, dy = axis == 1;
        const int perm[4] = {0, axis ? 2 : 1, axis ? 1 : 2, 3};
        for (int y = 0; y < H + dy; ++y)
            for (int x = 0; x < W + dx; ++x) {  // face on the low side of (x,y)
                const double *a = at(x - 2 * dx, y - 2 * dy), *b = at(x - dx, y - dy), *c = at(x, y), *d = at(x + dx, y + dy);
                double L[4], R[4], F[4];
                for (int k = 0; k < 4; ++k) {
                    int m = perm[k];
                    L[k] = b[m] + 0.5 * minmod(b[m] - a[m], c[m] - b[m]);
                    R[k] = c[m] - 0.5 * minmod(c[m] - b[m], d[m] - c[m]);
                }
                hllc(L, R, F);
                for (int k = 0; k < 4; ++k) {
                    if (x < W && y < H) ref[(size_t)perm[k] * NN + y * W + x] += (double)lam * F[k];
                    if (x - dx >= 0 && y - dy >= 0) ref[(size_t)perm[k] * NN + (y - dy) * W + x - dx] -= (double)lam * F[k];
                }
            }
    }
    bool good = true;
    for (size_t i = 0; i < ref.size(); ++i) good &= near_to(out[i], ref[i], 2e-4 * (1 + std::fabs(ref[i])));
    return good;
}
}  // namespace euler

// ====================================== 3. acoustic wave, 8th order in space, marching along z
namespace seismic {
constexpr int NX = 256, NY = 192, NZ = 112, BX = 32, BY = 16;
__constant__ float c_fd[5] = {-205.0f / 72.0f, 8.0f / 5.0f, -1.0f / 5.0f, 8.0f / 315.0f, -1.0f / 560.0f};

__global__ __launch_bounds__(BX* BY) void seismic_iso8_zmarch(const float* __restrict__ cur, const float* __restrict__ prev,
                                                               const float* __restrict__ vel2, float* __restrict__ next, int zchunk) {
    __shared__ float t[BY + 8][BX + 8];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int x = blockIdx.x * BX + tx, y = blockIdx.y * BY + ty;
    const int plane = NX * NY, col = y * NX + x;
    const int z0 = 4 + blockIdx.z * zchunk, z1 = min(z0 + zchunk, NZ - 4);
    const bool inside = x >= 4 && x < NX - 4 && y >= 4 && y < NY - 4;
    float q[9];
    q[0] = 0.0f;
#pragma unroll
    for (int k = 0; k < 8; ++k) q[k + 1] = cur[min(z0 - 4 + k, NZ - 1) * plane + col];
    for (int z = z0; z < z1; ++z) {
#pragma unroll
        for (int k = 0; k < 8; ++k) q[k] = q[k + 1];
        q[8] = cur[(z + 4) * plane + col];
        __syncthreads();
        t[ty + 4][tx + 4] = q[4];
        const float* pl = cur + z * plane;
        if (tx < 4) {
            t[ty + 4][tx] = x >= 4 ? pl[col - 4] : 0.0f;
            t[ty + 4][tx + BX + 4] = x + BX < NX ? pl[col + BX] : 0.0f;
        }
        if (ty < 4) {
            t[ty][tx + 4] = y >= 4 ? pl[col - 4 * NX] : 0.0f;
            t[ty + BY + 4][tx + 4] = y + BY < NY ? pl[col + BY * NX] : 0.0f;
        }
        __syncthreads();
        if (inside) {
            float lap = 3.0f * c_fd[0] * q[4];
#pragma unroll
            for (int k = 1; k <= 4; ++k)
                lap += c_fd[k] * (t[ty + 4][tx + 4 - k] + t[ty + 4][tx + 4 + k] + t[ty + 4 - k][tx + 4] + t[ty + 4 + k][tx + 4] +
                                  q[4 - k] + q[4 + k]);
            int c = z * plane + col;
            next[c] = 2.0f * q[4] - prev[c] + vel2[c] * lap;
        }
    }
}

static bool run() {
    const int N = NX * NY * NZ, plane = NX * NY;
    vector<float> cur(N), prev(N), v2(N);
    Rng g(303);
    double sx[6], sy[6], sz[6];
    for (int s = 0; s < 6; ++s) sx[s] = g.below(NX), sy[s] = g.below(NY), sz[s] = g.below(NZ);
    for (int z = 0; z < NZ; ++z) {
        float layer = 0.04f + 0.05f * ((z / 14) % 5) / 4.0f;  // sediments
        for (int y = 0; y < NY; ++y)
            for (int x = 0; x < NX; ++x) {
                int c = z * plane + y * NX + x;
                int s = (x / 64 + y / 64) % 6;
                double d = std::sqrt((x - sx[s]) * (x - sx[s]) + (y - sy[s]) * (y - sy[s]) + (z - sz[s]) * (z - sz[s]));
                double a = (d - 25) / 4, w = a * a > 60 ? 0 : (1 - a * a) * std::exp(-0.5 * a * a);
                cur[c] = (float)w + 0.01f * g.range(-1, 1);
                prev[c] = (float)w * 0.97f;
                v2[c] = layer * (0.95f + 0.1f * lattice(x >> 3, y >> 3, z >> 2));
            }
    }
    Buf<float> dc(cur), dp(prev), dv(v2), dn(N);
    int zchunk = cdiv(NZ - 8, 3);
    dim3 grid(NX / BX, NY / BY, 3);
    four_times(nothing, [&] { seismic_iso8_zmarch<<<grid, dim3(BX, BY)>>>(dc.d, dp.d, dv.d, dn.d, zchunk); });
    vector<float> out = dn.get();
    const double c8[5] = {-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};
    bool good = true;
    for (int z = 0; z < NZ; ++z)
        for (int y = 0; y < NY; ++y)
            for (int x = 0; x < NX; ++x) {
                int c = z * plane + y * NX + x;
                double want = 0;
                if (x >= 4 && x < NX - 4 && y >= 4 && y < NY - 4 && z >= 4 && z < NZ - 4) {
                    double lap = 3 * c8[0] * cur[c];
                    for (int k = 1; k <= 4; ++k)
                        lap += c8[k] * ((double)cur[c - k] + cur[c + k] + cur[c - k * NX] + cur[c + k * NX] + cur[c - k * plane] + cur[c + k * plane]);
                    want = 2.0 * cur[c] - prev[c] + v2[c] * lap;
                }
                if (!near_to(out[c], want, 2e-5)) good = false;
            }
    return good;
}
}  // namespace seismic

// ==================================== 4. shortest paths from one asynchronous ticketed work list
namespace sssp {
constexpr int CAP = 1 << 20;
// ctl: [0] next ticket, [1] next free slot, [2] items queued or being worked on, [3] overflow
__global__ __launch_bounds__(128) void sssp_ticket_worklist(const int* __restrict__ rowptr, const int2* __restrict__ adj, u32* dist, int* queued,
                                                             int* slots, int* ctl) {
    const int lane = threadIdx.x & 31;
    for (;;) {
        int u = -1;
        u32 du = 0;
        if (lane == 0) {
            int ticket = atomicAdd(&ctl[0], 1);
            if (ticket < CAP) {
                volatile int* slot = slots + ticket;
                volatile int* pending = ctl + 2;
                for (;;) {
                    u = *slot;
                    if (u >= 0) break;
                    if (*pending == 0) break;
                    __nanosleep(100);
                }
            }
            if (u >= 0) {
                atomicExch(&queued[u], 0);  // from now on a better distance re-queues u
                __threadfence();
                du = *(volatile u32*)&dist[u];
            }
        }
        u = __shfl_sync(0xffffffffu, u, 0);
        du = __shfl_sync(0xffffffffu, du, 0);
        if (u < 0) return;
        for (int e = rowptr[u] + lane; e < rowptr[u + 1]; e += 32) {
            int2 a = adj[e];
            u32 nd = du + (u32)a.y;
            if (nd < *(volatile u32*)&dist[a.x] && nd < atomicMin(&dist[a.x], nd)) {
                __threadfence();
                if (atomicExch(&queued[a.x], 1) == 0) {
                    atomicAdd(&ctl[2], 1);
                    int pos = atomicAdd(&ctl[1], 1);
                    if (pos < CAP) {
                        __threadfence();
                        atomicExch(&slots[pos], a.x);
                    } else {
                        ctl[3] = 1;
                        atomicSub(&ctl[2], 1);
                    }
                }
            }
        }
        __syncwarp();
        if (lane == 0) {
            __threadfence();
            atomicSub(&ctl[2], 1);
        }
    }
}

static bool run() {
    const int N = 20000;
    Rng g(404);
    vector<vector<int2>> nb(N);
    auto link = [&](int a, int b) {
        int w = 1 + (int)g.below(100);
        nb[a].push_back(make_int2(b, w));
        nb[b].push_back(make_int2(a, w));
    };
    for (int u = 0; u < N; ++u) {
        link(u, (u + 1 + (int)g.below(40)) % N);
        link(u, (u + 1 + (int)g.below(400)) % N);
        link(u, (int)g.pareto(N, 1.5));  // hubs
    }
    vector<int> rp(N + 1, 0);
    vector<int2> adj;
    for (int u = 0; u < N; ++u) {
        adj.insert(adj.end(), nb[u].begin(), nb[u].end());
        rp[u + 1] = (int)adj.size();
    }
    const int src = 777;
    vector<u32> d0(N, 0xFFFFFFFFu);
    d0[src] = 0;
    vector<int> q0(N, 0), s0(CAP, -1), c0 = {0, 1, 1, 0};
    q0[src] = 1;
    s0[0] = src;
    Buf<int> drp(rp), dq(q0), dsl(s0), dctl(c0);
    Buf<int2> dadj(adj);
    Buf<u32> dd(d0);
    four_times(
        [&] {
            dd.put(d0);
            dq.put(q0);
            dsl.put(s0);
            dctl.put(c0);
        },
        [&] { sssp_ticket_worklist<<<396, 128>>>(drp.d, dadj.d, dd.d, dq.d, dsl.d, dctl.d); });
    vector<u32> out = dd.get(), ref = d0;
    std::priority_queue<std::pair<u32, int>, vector<std::pair<u32, int>>, std::greater<std::pair<u32, int>>> pq;
    pq.push({0u, src});
    while (!pq.empty()) {
        auto t = pq.top();
        pq.pop();
        if (t.first > ref[t.second]) continue;
        for (auto& e : nb[t.second])
            if (t.first + (u32)e.y < ref[e.x]) {
                ref[e.x] = t.first + (u32)e.y;
                pq.push({ref[e.x], e.x});
            }
    }
    vector<int> ctl = dctl.get();
    return out == ref && ctl[2] == 0 && ctl[3] == 0;
}
}  // namespace sssp

// ==================================================== 5. SELL-32-sigma sparse matrix times vector
namespace sell {
__global__ __launch_bounds__(320) void spmv_sell_sigma_f64(int nchunks, int nrows, const int* __restrict__ cptr, const int* __restrict__ col,
                                                            const double* __restrict__ val, const int* __restrict__ perm,
                                                            const double* __restrict__ x, double* __restrict__ y) {
    int chunk = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, lane = threadIdx.x & 31;
    if (chunk >= nchunks) return;
    int at = cptr[chunk] + lane, end = cptr[chunk + 1];
    double acc = 0;
#pragma unroll 4
    for (; at < end; at += 32) acc = fma(__ldcs(val + at), __ldg(x + __ldcs(col + at)), acc);
    int row = chunk * 32 + lane;
    if (row < nrows) y[perm[row]] = acc;
}

static bool run() {
    const int N = 239990, SIGMA = 1024;
    Rng g(505);
    vector<int> len(N), start(N + 1, 0);
    for (int r = 0; r < N; ++r) {
        len[r] = 6 + (int)g.pareto(300, 1.8);
        start[r + 1] = start[r] + len[r];
    }
    vector<int> ci(start[N]);
    vector<double> va(start[N]), x(N);
    for (int r = 0; r < N; ++r)
        for (int k = start[r]; k < start[r + 1]; ++k) {
            int c = g.below(4) ? r + (int)g.below(600) - 300 : (int)g.below(N);
            ci[k] = std::min(std::max(c, 0), N - 1);
            va[k] = g.uni() * 2 - 1;
        }
    for (auto& v : x) v = g.gauss();
    vector<int> perm(N);
    std::iota(perm.begin(), perm.end(), 0);
    for (int b = 0; b < N; b += SIGMA)
        std::stable_sort(perm.begin() + b, perm.begin() + std::min(N, b + SIGMA), [&](int a, int c) { return len[a] > len[c]; });
    int nch = cdiv(N, 32);
    vector<int> cptr(nch + 1, 0);
    for (int c = 0; c < nch; ++c) {
        int w = 0;
        for (int l = 0; l < 32 && c * 32 + l < N; ++l) w = std::max(w, len[perm[c * 32 + l]]);
        cptr[c + 1] = cptr[c] + 32 * w;
    }
    vector<int> scol(cptr[nch], 0);
    vector<double> sval(cptr[nch], 0.0);
    for (int c = 0; c < nch; ++c)
        for (int l = 0; l < 32 && c * 32 + l < N; ++l) {
            int r = perm[c * 32 + l];
            for (int k = 0; k < len[r]; ++k) {
                scol[cptr[c] + k * 32 + l] = ci[start[r] + k];
                sval[cptr[c] + k * 32 + l] = va[start[r] + k];
            }
        }
    Buf<int> dp(cptr), dc(scol), dperm(perm);
    Buf<double> dv(sval), dx(x), dy(N);
    four_times([&] { dy.fill(0xFF); },
               [&] { spmv_sell_sigma_f64<<<cdiv((long)nch * 32, 320), 320>>>(nch, N, dp.d, dc.d, dv.d, dperm.d, dx.d, dy.d); });
    vector<double> out = dy.get();
    bool good = true;
    for (int r = 0; r < N; ++r) {
        double s = 0, m = 0;
        for (int k = start[r]; k < start[r + 1]; ++k) {
            s += va[k] * x[ci[k]];
            m += std::fabs(va[k] * x[ci[k]]);
        }
        if (!near_to(out[r], s, 1e-12 * (m + 1))) good = false;
    }
    return good;
}
}  // namespace sell

// ================== 6. preconditioned CG: update x, r, z and both dot products in a single sweep
namespace pcg {
constexpr int BLK = 512, GRID = 264;

__device__ inline void block_sum2(double& a, double& b, double (*sh)[BLK / 32]) {
    for (int o = 16; o; o >>= 1) {
        a += __shfl_down_sync(0xffffffffu, a, o);
        b += __shfl_down_sync(0xffffffffu, b, o);
    }
    __syncthreads();
    if ((threadIdx.x & 31) == 0) {
        sh[0][threadIdx.x >> 5] = a;
        sh[1][threadIdx.x >> 5] = b;
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        a = threadIdx.x < BLK / 32 ? sh[0][threadIdx.x] : 0.0;
        b = threadIdx.x < BLK / 32 ? sh[1][threadIdx.x] : 0.0;
        for (int o = 8; o; o >>= 1) {
            a += __shfl_down_sync(0xffffffffu, a, o);
            b += __shfl_down_sync(0xffffffffu, b, o);
        }
    }
}

__global__ __launch_bounds__(BLK, 2) void pcg_fused_update_dots(int n2, double alpha, double rz_old, const double2* __restrict__ p,
                                                                 const double2* __restrict__ q, const double2* __restrict__ dinv, double2* x,
                                                                 double2* r, double2* z, double* part, unsigned* ticket, double* result) {
    __shared__ double sh[2][BLK / 32];
    __shared__ bool last;
    double rz = 0, rr = 0;
    for (int i = blockIdx.x * BLK + threadIdx.x; i < n2; i += gridDim.x * BLK) {
        double2 pv = p[i], qv = q[i], dv = dinv[i], xv = x[i], rv = r[i], zv;
        xv.x += alpha * pv.x;
        xv.y += alpha * pv.y;
        rv.x -= alpha * qv.x;
        rv.y -= alpha * qv.y;
        zv.x = dv.x * rv.x;
        zv.y = dv.y * rv.y;
        x[i] = xv;
        r[i] = rv;
        z[i] = zv;
        rz += rv.x * zv.x + rv.y * zv.y;
        rr += rv.x * rv.x + rv.y * rv.y;
    }
    block_sum2(rz, rr, sh);
    if (threadIdx.x == 0) {
        part[blockIdx.x] = rz;
        part[gridDim.x + blockIdx.x] = rr;
        __threadfence();
        last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    __threadfence();
    rz = rr = 0;
    for (int i = threadIdx.x; i < (int)gridDim.x; i += BLK) {
        rz += __ldcg(part + i);
        rr += __ldcg(part + gridDim.x + i);
    }
    block_sum2(rz, rr, sh);
    if (threadIdx.x == 0) {
        result[0] = rz;
        result[1] = rr;
        result[2] = rz / rz_old;
    }
}

static bool run() {
    const int N = 1500000;
    Rng g(606);
    vector<double> p(N), q(N), di(N), x(N), r(N);
    for (int i = 0; i < N; ++i) {
        p[i] = g.uni() - 0.5;
        q[i] = 4 * p[i] + 0.3 * (g.uni() - 0.5);
        di[i] = 1.0 / (4 + g.uni());
        x[i] = std::sin(i * 1e-4);
        r[i] = g.uni() * 2 - 1;
    }
    const double alpha = 0.217, old = 123456.0;
    auto as2 = [&](const vector<double>& v) {
        vector<double2> o(N / 2);
        std::memcpy(o.data(), v.data(), N * sizeof(double));
        return o;
    };
    vector<double2> x2 = as2(x), r2 = as2(r);
    Buf<double2> dp(as2(p)), dq(as2(q)), dd(as2(di)), dx(x2), dr(r2), dz(N / 2);
    Buf<double> part(2 * GRID), res(3);
    Buf<unsigned> tick(1);
    four_times(
        [&] {
            dx.put(x2);
            dr.put(r2);
            res.fill(0);
        },
        [&] { pcg_fused_update_dots<<<GRID, BLK>>>(N / 2, alpha, old, dp.d, dq.d, dd.d, dx.d, dr.d, dz.d, part.d, tick.d, res.d); });
    vector<double2> ox = dx.get(), orr = dr.get(), oz = dz.get();
    vector<double> ores = res.get();
    bool good = true;
    long double rz = 0, rr = 0;
    for (int i = 0; i < N; ++i) {
        double xn = x[i] + alpha * p[i], rn = r[i] - alpha * q[i], zn = di[i] * rn;
        rz += (long double)rn * zn;
        rr += (long double)rn * rn;
        double gx = i & 1 ? ox[i / 2].y : ox[i / 2].x, gr = i & 1 ? orr[i / 2].y : orr[i / 2].x, gz = i & 1 ? oz[i / 2].y : oz[i / 2].x;
        if (!near_to(gx, xn, 1e-12) || !near_to(gr, rn, 1e-12) || !near_to(gz, zn, 1e-12)) good = false;
    }
    good &= near_to(ores[0], (double)rz, 1e-9 * (double)rz) && near_to(ores[1], (double)rr, 1e-9 * (double)rr);
    good &= near_to(ores[2], (double)rz / old, 1e-9 * (double)rz / old);
    return good;
}
}  // namespace pcg

// ============================== 7. Lennard-Jones mixture over a Verlet list (shifted-force cutoff)
namespace ljmd {
constexpr int NA = 32768, MAXN = 128;
__constant__ float4 c_pair[4];  // A, B, force at cutoff, energy at cutoff

__global__ __launch_bounds__(160) void lj_verlet_force(const float4* __restrict__ pos, const int* __restrict__ nnb, const int* __restrict__ list,
                                                        float4* __restrict__ force, float box, float rc) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= NA) return;
    const float inv = 1.0f / box, rc2 = rc * rc;
    float4 me = pos[i];
    int mytype = (int)me.w;
    float fx = 0, fy = 0, fz = 0, pe = 0;
    int n = nnb[i];
    for (int k = 0; k < n; ++k) {
        float4 o = __ldg(pos + list[k * NA + i]);
        float dx = me.x - o.x, dy = me.y - o.y, dz = me.z - o.z;
        dx -= box * rintf(dx * inv);
        dy -= box * rintf(dy * inv);
        dz -= box * rintf(dz * inv);
        float r2 = dx * dx + dy * dy + dz * dz;
        if (r2 < rc2) {
            float4 pr = c_pair[mytype * 2 + (int)o.w];
            float ir = rsqrtf(r2), ir2 = ir * ir, ir6 = ir2 * ir2 * ir2;
            float f = (12.0f * pr.x * ir6 - 6.0f * pr.y) * ir6 * ir2 - pr.z * ir;
            fx += f * dx;
            fy += f * dy;
            fz += f * dz;
            pe += (pr.x * ir6 - pr.y) * ir6 - pr.w + (r2 * ir - rc) * pr.z;
        }
    }
    force[i] = make_float4(fx, fy, fz, 0.5f * pe);
}

static bool run() {
    Rng g(707);
    const int S = 32;
    const double a = std::cbrt(1.0 / 0.8);
    const float box = (float)(S * a), rc = 2.5f, rl = 2.8f;
    vector<float4> pos(NA);
    for (int i = 0; i < NA; ++i) {
        auto wrap = [&](double v) {
            float f = (float)(v - box * std::floor(v / box));
            return f >= box ? 0.0f : f;
        };
        pos[i].x = wrap((i % S + 0.5) * a + 0.07 * g.gauss());
        pos[i].y = wrap((i / S % S + 0.5) * a + 0.07 * g.gauss());
        pos[i].z = wrap((i / (S * S) + 0.5) * a + 0.07 * g.gauss());
        pos[i].w = g.below(5) == 0 ? 1.0f : 0.0f;
    }
    float4 pr[4];
    for (int t = 0; t < 4; ++t) {
        double eps = t == 0 ? 1.0 : (t == 3 ? 0.5 : 0.8), sg = t == 0 ? 1.0 : (t == 3 ? 0.88 : 0.94);
        double A = 4 * eps * std::pow(sg, 12), B = 4 * eps * std::pow(sg, 6), i6 = std::pow((double)rc, -6);
        pr[t] = make_float4((float)A, (float)B, (float)((12 * A * i6 - 6 * B) * i6 / rc), (float)((A * i6 - B) * i6));
    }
    CU(cudaMemcpyToSymbol(c_pair, pr, sizeof pr));
    const int C = (int)(box / rl);
    vector<vector<int>> cell(C * C * C);
    auto cof = [&](float v) { return std::min(C - 1, (int)(v / box * C)); };
    for (int i = 0; i < NA; ++i) cell[(cof(pos[i].z) * C + cof(pos[i].y)) * C + cof(pos[i].x)].push_back(i);
    vector<int> list((size_t)MAXN * NA, 0), cnt(NA, 0);
    auto mi = [&](double d) { return d - box * std::rint(d / box); };
    for (int i = 0; i < NA; ++i) {
        int cx = cof(pos[i].x), cy = cof(pos[i].y), cz = cof(pos[i].z);
        for (int d = 0; d < 27; ++d) {
            int xx = (cx + d % 3 - 1 + C) % C, yy = (cy + d / 3 % 3 - 1 + C) % C, zz = (cz + d / 9 - 1 + C) % C;
            for (int j : cell[(zz * C + yy) * C + xx]) {
                if (j == i) continue;
                double dx = mi(pos[i].x - pos[j].x), dy = mi(pos[i].y - pos[j].y), dz = mi(pos[i].z - pos[j].z);
                if (dx * dx + dy * dy + dz * dz < rl * rl && cnt[i] < MAXN) list[(size_t)cnt[i]++ * NA + i] = j;
            }
        }
    }
    Buf<float4> dpos(pos), df(NA);
    Buf<int> dcnt(cnt), dl(list);
    four_times(nothing, [&] { lj_verlet_force<<<cdiv(NA, 160), 160>>>(dpos.d, dcnt.d, dl.d, df.d, box, rc); });
    vector<float4> out = df.get();
    bool good = true;
    for (int i = 0; i < NA; ++i) {
        double f[3] = {0, 0, 0}, pe = 0, mag = 0, pmag = 0;
        for (int k = 0; k < cnt[i]; ++k) {
            int j = list[(size_t)k * NA + i];
            double dx = mi((double)pos[i].x - pos[j].x), dy = mi((double)pos[i].y - pos[j].y), dz = mi((double)pos[i].z - pos[j].z);
            double r2 = dx * dx + dy * dy + dz * dz;
            if (r2 >= (double)rc * rc) continue;
            const float4& p = pr[(int)pos[i].w * 2 + (int)pos[j].w];
            double r = std::sqrt(r2), i6 = 1 / (r2 * r2 * r2);
            double s = (12.0 * p.x * i6 - 6.0 * p.y) * i6 / r2 - p.z / r;
            f[0] += s * dx;
            f[1] += s * dy;
            f[2] += s * dz;
            mag += (12.0 * p.x * i6 + 6.0 * p.y) * i6 / r;
            pe += (p.x * i6 - p.y) * i6 - p.w + (r - rc) * p.z;
            pmag += (p.x * i6 + p.y) * i6;
        }
        double tol = 3e-4 * (mag + 1);
        if (!near_to(out[i].x, f[0], tol) || !near_to(out[i].y, f[1], tol) || !near_to(out[i].z, f[2], tol) ||
            !near_to(out[i].w, 0.5 * pe, 3e-4 * (pmag + 1)))
            good = false;
    }
    return good;
}
}  // namespace ljmd

// ==================== 8. particle-in-cell: quadratic-spline charge and current deposit, tile sorted
namespace pic {
constexpr int GN = 512, TILE = 16, TW = TILE + 3, NT = GN / TILE;

__global__ __launch_bounds__(256) void pic_tsc_deposit_tiles(const float* __restrict__ px, const float* __restrict__ py, const float* __restrict__ vx,
                                                              const float* __restrict__ vy, const float* __restrict__ wt,
                                                              const int* __restrict__ tstart, float* rho, float* jx, float* jy) {
    __shared__ float s[3][TW * TW];
    for (int k = threadIdx.x; k < 3 * TW * TW; k += blockDim.x) (&s[0][0])[k] = 0.0f;
    __syncthreads();
    const int tile = blockIdx.x, bx = (tile % NT) * TILE, by = (tile / NT) * TILE;
    for (int i = tstart[tile] + threadIdx.x; i < tstart[tile + 1]; i += blockDim.x) {
        float x = px[i], y = py[i], q = wt[i];
        float cx = floorf(x + 0.5f), cy = floorf(y + 0.5f);
        float dx = x - cx, dy = y - cy;
        float wx[3] = {0.5f * (0.5f - dx) * (0.5f - dx), 0.75f - dx * dx, 0.5f * (0.5f + dx) * (0.5f + dx)};
        float wy[3] = {0.5f * (0.5f - dy) * (0.5f - dy), 0.75f - dy * dy, 0.5f * (0.5f + dy) * (0.5f + dy)};
        int ox = (int)cx - bx, oy = (int)cy - by;  // already shifted by the one-cell halo
        float qx = q * vx[i], qy = q * vy[i];
#pragma unroll
        for (int b = 0; b < 3; ++b)
#pragma unroll
            for (int a = 0; a < 3; ++a) {
                float w = wx[a] * wy[b];
                int c = (oy + b) * TW + ox + a;
                atomicAdd(&s[0][c], q * w);
                atomicAdd(&s[1][c], qx * w);
                atomicAdd(&s[2][c], qy * w);
            }
    }
    __syncthreads();
    for (int k = threadIdx.x; k < TW * TW; k += blockDim.x) {
        int gx = (bx + k % TW - 1 + GN) % GN, gy = (by + k / TW - 1 + GN) % GN;
        int c = gy * GN + gx;
        if (s[0][k] != 0.0f) {
            atomicAdd(rho + c, s[0][k]);
            atomicAdd(jx + c, s[1][k]);
            atomicAdd(jy + c, s[2][k]);
        }
    }
}

static bool run() {
    const int NP = 600000;
    Rng g(808);
    struct P { float x, y, vx, vy, w; };
    vector<P> ps(NP);
    double bxs[20], bys[20];
    for (int k = 0; k < 20; ++k) bxs[k] = g.uni() * GN, bys[k] = g.uni() * GN;
    for (auto& p : ps) {
        double x = g.uni() * GN, y = g.uni() * GN;
        if (g.below(10) < 3) {  // beamlets
            int k = g.below(20);
            x = bxs[k] + 25 * g.gauss();
            y = bys[k] + 25 * g.gauss();
        }
        p.x = (float)(x - GN * std::floor(x / GN));
        p.y = (float)(y - GN * std::floor(y / GN));
        if (p.x >= GN) p.x = 0;
        if (p.y >= GN) p.y = 0;
        p.vx = (float)g.gauss();
        p.vy = (float)(0.5 * g.gauss() + 0.3);
        p.w = g.range(0.5f, 1.5f);
    }
    auto tile_of = [](const P& p) { return ((int)p.y / TILE) * NT + (int)p.x / TILE; };
    std::stable_sort(ps.begin(), ps.end(), [&](const P& a, const P& b) { return tile_of(a) < tile_of(b); });
    vector<int> ts(NT * NT + 1, 0);
    for (auto& p : ps) ts[tile_of(p) + 1]++;
    for (int t = 0; t < NT * NT; ++t) ts[t + 1] += ts[t];
    vector<float> x(NP), y(NP), vx(NP), vy(NP), w(NP);
    for (int i = 0; i < NP; ++i) x[i] = ps[i].x, y[i] = ps[i].y, vx[i] = ps[i].vx, vy[i] = ps[i].vy, w[i] = ps[i].w;
    Buf<float> dx(x), dy(y), dvx(vx), dvy(vy), dw(w), r(GN * GN), jx(GN * GN), jy(GN * GN);
    Buf<int> dt(ts);
    four_times(
        [&] {
            r.fill(0);
            jx.fill(0);
            jy.fill(0);
        },
        [&] { pic_tsc_deposit_tiles<<<NT * NT, 256>>>(dx.d, dy.d, dvx.d, dvy.d, dw.d, dt.d, r.d, jx.d, jy.d); });
    vector<float> o[3] = {r.get(), jx.get(), jy.get()};
    vector<double> ref[3], mag[3];
    for (int k = 0; k < 3; ++k) ref[k].assign(GN * GN, 0), mag[k].assign(GN * GN, 0);
    for (auto& p : ps) {
        int cx = (int)std::floor(p.x + 0.5f), cy = (int)std::floor(p.y + 0.5f);
        double ex = (double)p.x - cx, ey = (double)p.y - cy;
        double wx[3] = {0.5 * (0.5 - ex) * (0.5 - ex), 0.75 - ex * ex, 0.5 * (0.5 + ex) * (0.5 + ex)};
        double wy[3] = {0.5 * (0.5 - ey) * (0.5 - ey), 0.75 - ey * ey, 0.5 * (0.5 + ey) * (0.5 + ey)};
        for (int b = 0; b < 3; ++b)
            for (int a = 0; a < 3; ++a) {
                int c = (cy + b - 1 + GN) % GN * GN + (cx + a - 1 + GN) % GN;
                double q[3] = {p.w, (double)p.w * p.vx, (double)p.w * p.vy};
                for (int k = 0; k < 3; ++k) {
                    ref[k][c] += q[k] * wx[a] * wy[b];
                    mag[k][c] += std::fabs(q[k] * wx[a] * wy[b]);
                }
            }
    }
    bool good = true;
    for (int k = 0; k < 3; ++k)
        for (int c = 0; c < GN * GN; ++c)
            if (!near_to(o[k][c], ref[k][c], 1e-4 * (mag[k][c] + 0.1))) good = false;
    return good;
}
}  // namespace pic

// ============================================ 9. Barnes-Hut gravity, one warp votes on each opening
namespace bhut {
struct Tree {
    vector<float4> com;
    vector<int4> meta;  // skip link, first body, body count (0: inner), unused
    vector<float> open2;
};

__host__ __device__ inline float dist2_plain(float dx, float dy, float dz) {
#ifdef __CUDA_ARCH__  // no contraction, so that host and device take the same openings
    return __fadd_rn(__fadd_rn(__fmul_rn(dx, dx), __fmul_rn(dy, dy)), __fmul_rn(dz, dz));
#else
    return dx * dx + dy * dy + dz * dz;
#endif
}

__global__ __launch_bounds__(64) void bh_walk_warpvote(int nbody, int nnode, const float4* __restrict__ com, const int4* __restrict__ meta,
                                                        const float* __restrict__ open2, const float4* __restrict__ body,
                                                        float4* __restrict__ acc, float eps2) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;  // nbody is a multiple of the block size
    float4 me = body[i];
    float ax = 0, ay = 0, az = 0, pot = 0;
    int node = 0;
    while (node < nnode) {
        int4 m = meta[node];
        if (m.z > 0) {
            for (int k = 0; k < m.z; ++k) {
                float4 b = body[m.y + k];
                float dx = b.x - me.x, dy = b.y - me.y, dz = b.z - me.z;
                float ir = rsqrtf(dx * dx + dy * dy + dz * dz + eps2), s = b.w * ir * ir * ir;
                ax += s * dx;
                ay += s * dy;
                az += s * dz;
                pot -= b.w * ir;
            }
            node = m.x;
            continue;
        }
        float4 c = com[node];
        float dx = c.x - me.x, dy = c.y - me.y, dz = c.z - me.z;
        float d2 = dist2_plain(dx, dy, dz);
        if (__all_sync(0xffffffffu, d2 > open2[node])) {
            float ir = rsqrtf(d2 + eps2), s = c.w * ir * ir * ir;
            ax += s * dx;
            ay += s * dy;
            az += s * dz;
            pot -= c.w * ir;
            node = m.x;
        } else {
            ++node;
        }
    }
    acc[i] = make_float4(ax, ay, az, pot);
}

static void build(Tree& t, const vector<u32>& key, const vector<float4>& b, int lo, int hi, int level, double cx, double cy, double cz, double size) {
    const double theta = 0.6;
    int me = (int)t.com.size();
    double m = 0, x = 0, y = 0, z = 0;
    for (int i = lo; i < hi; ++i) {
        m += b[i].w;
        x += (double)b[i].w * b[i].x;
        y += (double)b[i].w * b[i].y;
        z += (double)b[i].w * b[i].z;
    }
    x /= m, y /= m, z /= m;
    double off = std::sqrt((x - cx) * (x - cx) + (y - cy) * (y - cy) + (z - cz) * (z - cz)), open = size / theta + off;
    t.com.push_back(make_float4((float)x, (float)y, (float)z, (float)m));
    t.meta.push_back(make_int4(0, lo, 0, 0));
    t.open2.push_back((float)(open * open));
    if (hi - lo <= 16 || level == 10) {
        t.meta[me].z = hi - lo;
    } else {
        int sh = 3 * (9 - level);
        for (int i = lo; i < hi;) {
            u32 o = key[i] >> sh & 7;
            int j = i;
            while (j < hi && (key[j] >> sh & 7) == o) ++j;
            build(t, key, b, i, j, level + 1, cx + (o & 4 ? 0.25 : -0.25) * size, cy + (o & 2 ? 0.25 : -0.25) * size,
                  cz + (o & 1 ? 0.25 : -0.25) * size, size / 2);
            i = j;
        }
    }
    t.meta[me].x = (int)t.com.size();
}

static bool run() {
    const int N = 32768;
    const double half = 8;
    Rng g(909);
    vector<std::pair<u32, float4>> tmp(N);
    for (auto& e : tmp) {  // Plummer sphere
        double r, ct = 2 * g.uni() - 1, ph = 6.283185307179586 * g.uni();
        do r = 1.0 / std::sqrt(std::pow(g.uni() + 1e-9, -2.0 / 3.0) - 1.0 + 1e-9);
        while (r > 7.5);
        double st = std::sqrt(1 - ct * ct);
        e.second = make_float4((float)(r * st * std::cos(ph)), (float)(r * st * std::sin(ph)), (float)(r * ct), (float)((0.5 + g.uni()) / N));
        u32 q[3] = {(u32)((e.second.x + half) / (2 * half) * 1024), (u32)((e.second.y + half) / (2 * half) * 1024),
                    (u32)((e.second.z + half) / (2 * half) * 1024)};
        u32 k = 0;
        for (int b = 9; b >= 0; --b) k = k << 3 | (q[0] >> b & 1) << 2 | (q[1] >> b & 1) << 1 | (q[2] >> b & 1);
        e.first = k;
    }
    std::stable_sort(tmp.begin(), tmp.end(), [](const std::pair<u32, float4>& a, const std::pair<u32, float4>& b) { return a.first < b.first; });
    vector<u32> key(N);
    vector<float4> body(N);
    for (int i = 0; i < N; ++i) key[i] = tmp[i].first, body[i] = tmp[i].second;
    Tree t;
    build(t, key, body, 0, N, 0, 0, 0, 0, 2 * half);
    const float eps2 = 1e-4f;
    const int nn = (int)t.com.size();
    Buf<float4> dcom(t.com), db(body), da(N);
    Buf<int4> dm(t.meta);
    Buf<float> dopen(t.open2);
    four_times(nothing, [&] { bh_walk_warpvote<<<N / 64, 64>>>(N, nn, dcom.d, dm.d, dopen.d, db.d, da.d, eps2); });
    vector<float4> out = da.get();
    int bad = 0;
    for (int w = 0; w < N; w += 32) {
        double a[32][5] = {};
        auto pull = [&](int l, const float4& s) {
            double dx = (double)s.x - body[w + l].x, dy = (double)s.y - body[w + l].y, dz = (double)s.z - body[w + l].z;
            double ir = 1 / std::sqrt(dx * dx + dy * dy + dz * dz + eps2), k = s.w * ir * ir * ir;
            a[l][0] += k * dx;
            a[l][1] += k * dy;
            a[l][2] += k * dz;
            a[l][3] -= s.w * ir;
            a[l][4] += k * (std::fabs(dx) + std::fabs(dy) + std::fabs(dz));
        };
        for (int node = 0; node < nn;) {
            if (t.meta[node].z > 0) {
                for (int l = 0; l < 32; ++l)
                    for (int k = 0; k < t.meta[node].z; ++k) pull(l, body[t.meta[node].y + k]);
                node = t.meta[node].x;
                continue;
            }
            bool far = true;
            for (int l = 0; l < 32 && far; ++l)
                far = dist2_plain(t.com[node].x - body[w + l].x, t.com[node].y - body[w + l].y, t.com[node].z - body[w + l].z) > t.open2[node];
            if (far) {
                for (int l = 0; l < 32; ++l) pull(l, t.com[node]);
                node = t.meta[node].x;
            } else {
                ++node;
            }
        }
        for (int l = 0; l < 32; ++l) {
            double tol = 3e-4 * a[l][4] + 1e-6;
            const float4& o = out[w + l];
            if (!near_to(o.x, a[l][0], tol) || !near_to(o.y, a[l][1], tol) || !near_to(o.z, a[l][2], tol) ||
                !near_to(o.w, a[l][3], 3e-4 * std::fabs(a[l][3])))
                ++bad;
        }
    }
    return bad <= N / 1000;  // an opening decided the other way costs one group at most
}
}  // namespace bhut

// ================================== 10. Ising, 32 spins a word, checkerboard half sweep with Philox
namespace ising {
constexpr int L = 8192, WPR = L / 64;  // words per row and colour

__host__ __device__ inline void philox(u32 c[4], u32 k0, u32 k1) {
    for (int r = 0; r < 10; ++r) {
        u64 a = (u64)0xD2511F53u * c[0], b = (u64)0xCD9E8D57u * c[2];
        u32 n0 = (u32)(b >> 32) ^ c[1] ^ k0, n2 = (u32)(a >> 32) ^ c[3] ^ k1;
        c[1] = (u32)b;
        c[3] = (u32)a;
        c[0] = n0;
        c[2] = n2;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
}

__global__ __launch_bounds__(256) void ising_multispin_halfsweep(u32* __restrict__ mine, const u32* __restrict__ other, int colour, u32 sweep, u32 seed,
                                                                  u32 thr4, u32 thr8, unsigned* up_count) {
    int w = threadIdx.x, y = blockIdx.x * blockDim.y + threadIdx.y;
    int yu = y == 0 ? L - 1 : y - 1, yd = y == L - 1 ? 0 : y + 1;
    u32 self = mine[y * WPR + w];
    u32 o = other[y * WPR + w], side;
    if ((y + colour) & 1) {
        u32 nx = other[y * WPR + (w + 1) % WPR];
        side = __funnelshift_r(o, nx, 1);
    } else {
        u32 pv = other[y * WPR + (w + WPR - 1) % WPR];
        side = __funnelshift_l(pv, o, 1);
    }
    u32 d0 = self ^ o, d1 = self ^ side, d2 = self ^ other[yu * WPR + w], d3 = self ^ other[yd * WPR + w];
    u32 sa = d0 ^ d1, sb = d2 ^ d3;
    u32 ge2 = (d0 & d1) | (d2 & d3) | (sa & sb), eq1 = (sa ^ sb) & ~ge2, eq0 = ~(d0 | d1 | d2 | d3);
    u32 r4 = 0, r8 = 0;
    for (int s = 0; s < 8; ++s) {
        u32 c[4] = {(u32)(y * WPR + w), (u32)s, sweep, (u32)colour};
        philox(c, seed, 0xCAFEu);
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            r4 |= (u32)(c[j] < thr4) << (s * 4 + j);
            r8 |= (u32)(c[j] < thr8) << (s * 4 + j);
        }
    }
    self ^= ge2 | (eq1 & r4) | (eq0 & r8);
    mine[y * WPR + w] = self;
    unsigned n = __reduce_add_sync(0xffffffffu, (unsigned)__popc(self));
    if ((w & 31) == 0) atomicAdd(up_count, n);
}

static bool run() {
    Rng g(1010);
    const int NW = L * WPR;
    vector<u32> a(NW), b(NW);
    for (int y = 0; y < L; ++y)
        for (int w = 0; w < WPR; ++w) {  // domains plus thermal noise
            u32 dom = lattice(w >> 1, y >> 6, 3) > 0.5f ? 0xFFFFFFFFu : 0u;
            a[y * WPR + w] = dom ^ (g.bits() & g.bits() & g.bits());
            b[y * WPR + w] = dom ^ (g.bits() & g.bits() & g.bits());
        }
    const double beta = 0.4406868;
    const u32 t4 = (u32)(std::exp(-4 * beta) * 4294967296.0), t8 = (u32)(std::exp(-8 * beta) * 4294967296.0);
    const int colour = 1;
    const u32 sweep = 42, seed = 20240611;
    Buf<u32> da(a), db(b);
    Buf<unsigned> cnt(1);
    four_times(
        [&] {
            da.put(a);
            cnt.fill(0);
        },
        [&] { ising_multispin_halfsweep<<<L / 2, dim3(WPR, 2)>>>(da.d, db.d, colour, sweep, seed, t4, t8, cnt.d); });
    vector<u32> out = da.get();
    unsigned total = 0;
    bool good = true;
    auto spin = [&](int y, int i) { return b[(y + L) % L * WPR + ((i + L / 2) % (L / 2)) / 32] >> ((i + L / 2) % (L / 2) % 32) & 1; };
    for (int y = 0; y < L; ++y)
        for (int w = 0; w < WPR; ++w) {
            u32 self = a[y * WPR + w], res = self;
            int sh = (y + colour) & 1 ? 1 : -1;
            for (int s = 0; s < 8; ++s) {
                u32 c[4] = {(u32)(y * WPR + w), (u32)s, sweep, (u32)colour};
                philox(c, seed, 0xCAFEu);
                for (int j = 0; j < 4; ++j) {
                    int bit = s * 4 + j, i = w * 32 + bit;
                    u32 me = self >> bit & 1;
                    int diff = (spin(y, i) != me) + (spin(y, i + sh) != me) + (spin(y - 1, i) != me) + (spin(y + 1, i) != me);
                    if (diff >= 2 || (diff == 1 && c[j] < t4) || (diff == 0 && c[j] < t8)) res ^= 1u << bit;
                }
            }
            good &= res == out[y * WPR + w];
            total += (unsigned)__builtin_popcount(res);
        }
    return good && cnt.get()[0] == total;
}
}  // namespace ising

// ============================================= 11. negacyclic NTT over the Goldilocks prime, batched
namespace ntt {
constexpr u64 P = 0xFFFFFFFF00000001ull, EPS = 0xFFFFFFFFull;
constexpr int N = 2048, POLYS = 1536;

__device__ __forceinline__ u64 addm(u64 a, u64 b) {
    u64 s = a + b;
    return (s < a || s >= P) ? s - P : s;
}
__device__ __forceinline__ u64 subm(u64 a, u64 b) { return a >= b ? a - b : a - b + P; }
__device__ __forceinline__ u64 mulm(u64 a, u64 b) {
    u64 lo = a * b, hi = __umul64hi(a, b);
    u64 hh = hi >> 32, hl = hi & EPS;
    u64 t = lo - hh;
    if (lo < hh) t -= EPS;
    u64 m = hl * EPS, r = t + m;
    if (r < m) r += EPS;
    return r >= P ? r - P : r;
}

__global__ __launch_bounds__(256, 4) void ntt_goldilocks_negacyclic(const u64* __restrict__ in, const u64* __restrict__ psi, const u64* __restrict__ tw,
                                                                     const u64* __restrict__ key, u64* __restrict__ out) {
    __shared__ u64 s[N];
    const u64* src = in + (size_t)blockIdx.x * N;
    for (int i = threadIdx.x; i < N; i += 256) s[i] = mulm(src[i], __ldg(psi + i));
    __syncthreads();
    int step = 1;
    for (int half = N / 2; half >= 1; half >>= 1, step <<= 1) {
#pragma unroll 4
        for (int b = threadIdx.x; b < N / 2; b += 256) {
            int j = b & (half - 1);
            int i = ((b - j) << 1) + j;
            u64 u = s[i], v = s[i + half];
            s[i] = addm(u, v);
            s[i + half] = mulm(subm(u, v), __ldg(tw + j * step));
        }
        __syncthreads();
    }
    u64* dst = out + (size_t)blockIdx.x * N;
    for (int i = threadIdx.x; i < N; i += 256) dst[i] = mulm(s[i], __ldg(key + i));
}

static u64 hmul(u64 a, u64 b) { return (u64)((unsigned __int128)a * b % P); }
static u64 hpow(u64 a, u64 e) {
    u64 r = 1;
    for (; e; e >>= 1, a = hmul(a, a))
        if (e & 1) r = hmul(r, a);
    return r;
}
static void dft(const u64* a, int stride, int n, const vector<u64>& tw, u64* out, u64* tmp) {  // decimation in time, natural order
    if (n == 1) {
        out[0] = a[0];
        return;
    }
    dft(a, stride * 2, n / 2, tw, tmp, out);
    dft(a + stride, stride * 2, n / 2, tw, tmp + n / 2, out + n / 2);
    for (int k = 0; k < n / 2; ++k) {
        u64 t = hmul(tmp[n / 2 + k], tw[(size_t)k * (N / n)]);
        unsigned __int128 s = (unsigned __int128)tmp[k] + t;
        out[k] = (u64)(s % P);
        out[k + n / 2] = tmp[k] >= t ? tmp[k] - t : tmp[k] + (P - t);
    }
}

static bool run() {
    Rng g(1111);
    const u64 root = hpow(7, (P - 1) / (2 * N)), w = hmul(root, root);
    vector<u64> psi(N), tw(N / 2), key(N), in((size_t)N * POLYS);
    psi[0] = tw[0] = 1;
    for (int i = 1; i < N; ++i) psi[i] = hmul(psi[i - 1], root);
    for (int i = 1; i < N / 2; ++i) tw[i] = hmul(tw[i - 1], w);
    for (auto& k : key) k = g.u64v() % P;
    for (auto& v : in) v = g.below(16) ? g.u64v() % P : P - 1 - g.below(3);
    Buf<u64> di(in), dp(psi), dt(tw), dk(key), dout(in.size());
    four_times(nothing, [&] { ntt_goldilocks_negacyclic<<<POLYS, 256>>>(di.d, dp.d, dt.d, dk.d, dout.d); });
    vector<u64> out = dout.get(), a(N), f(N), t(N);
    bool good = true;
    for (int p = 0; p < POLYS; ++p) {
        for (int i = 0; i < N; ++i) a[i] = hmul(in[(size_t)p * N + i], psi[i]);
        dft(a.data(), 1, N, tw, f.data(), t.data());
        for (int k = 0; k < N; ++k) {
            int rev = 0;
            for (int b = 0; b < 11; ++b) rev |= (k >> b & 1) << (10 - b);
            if (out[(size_t)p * N + rev] != hmul(f[k], key[rev])) good = false;
        }
    }
    return good;
}
}  // namespace ntt

// ========================================= 12. 4096 x 4096 bit products, one block per product
namespace bigint {
constexpr int LIMBS = 128;

__device__ __forceinline__ void mac96(u32& c0, u32& c1, u32& c2, u32 a, u32 b) {
    asm("mad.lo.cc.u32 %0, %3, %4, %0;\n\t"
        "madc.hi.cc.u32 %1, %3, %4, %1;\n\t"
        "addc.u32 %2, %2, 0;"
        : "+r"(c0), "+r"(c1), "+r"(c2)
        : "r"(a), "r"(b));
}

__global__ __launch_bounds__(LIMBS) void bigint_comba_mul4096(const u32* __restrict__ a, const u32* __restrict__ b, u32* __restrict__ prod) {
    __shared__ u32 sa[LIMBS], sb[LIMBS], c0[2 * LIMBS], c1[2 * LIMBS], c2[2 * LIMBS], over[2 * LIMBS], gen[8], prop[8];
    const int k = threadIdx.x, lane = k & 31, warp = k >> 5;
    sa[k] = a[blockIdx.x * LIMBS + k];
    sb[k] = b[blockIdx.x * LIMBS + k];
    __syncthreads();
    u32 x0 = 0, x1 = 0, x2 = 0, y0 = 0, y1 = 0, y2 = 0;
    for (int i = 0; i <= k; ++i) mac96(x0, x1, x2, sa[i], sb[k - i]);
    for (int i = k + 1; i < LIMBS; ++i) mac96(y0, y1, y2, sa[i], sb[k + LIMBS - i]);
    c0[k] = x0, c1[k] = x1, c2[k] = x2;
    c0[k + LIMBS] = y0, c1[k + LIMBS] = y1, c2[k + LIMBS] = y2;
    __syncthreads();
    u32 low[2], prp[2];
#pragma unroll
    for (int h = 0; h < 2; ++h) {
        int r = k + h * LIMBS;
        u64 s = (u64)c0[r] + (r >= 1 ? c1[r - 1] : 0u) + (r >= 2 ? c2[r - 2] : 0u);
        low[h] = (u32)s;
        over[r] = (u32)(s >> 32);
    }
    __syncthreads();
#pragma unroll
    for (int h = 0; h < 2; ++h) {
        int r = k + h * LIMBS;
        u64 t = (u64)low[h] + (r >= 1 ? over[r - 1] : 0u);
        low[h] = (u32)t;
        u32 gb = __ballot_sync(0xffffffffu, (t >> 32) != 0);
        prp[h] = __ballot_sync(0xffffffffu, low[h] == 0xffffffffu);
        if (lane == 0) {
            gen[warp + 4 * h] = gb;
            prop[warp + 4 * h] = prp[h];
        }
    }
    __syncthreads();
    u64 carry = 0;
    u32 cin[2] = {0, 0};
#pragma unroll
    for (int w = 0; w < 8; ++w) {  // adder trick: carries ripple through the all-ones limbs
        u64 s = (u64)(gen[w] | prop[w]) + gen[w] + carry;
        if (w == warp) cin[0] = (u32)s ^ prp[0];
        if (w == warp + 4) cin[1] = (u32)s ^ prp[1];
        carry = s >> 32;
    }
    prod[blockIdx.x * 2 * LIMBS + k] = low[0] + (cin[0] >> lane & 1);
    prod[blockIdx.x * 2 * LIMBS + LIMBS + k] = low[1] + (cin[1] >> lane & 1);
}

static bool run() {
    const int B = 6000;
    Rng g(1212);
    vector<u32> a(B * LIMBS), b(B * LIMBS);
    for (int p = 0; p < B; ++p)
        for (int i = 0; i < LIMBS; ++i) {
            bool sparse = p % 7 == 3;
            a[p * LIMBS + i] = sparse ? (g.below(3) ? 0xFFFFFFFFu : 0u) : g.bits();
            b[p * LIMBS + i] = sparse ? (g.below(5) ? 0xFFFFFFFFu : 1u) : g.bits();
            if (p < 4) a[p * LIMBS + i] = b[p * LIMBS + i] = 0xFFFFFFFFu;
        }
    Buf<u32> da(a), db(b), dp((size_t)B * 2 * LIMBS);
    four_times(nothing, [&] { bigint_comba_mul4096<<<B, LIMBS>>>(da.d, db.d, dp.d); });
    vector<u32> out = dp.get();
    bool good = true;
    vector<u32> r(2 * LIMBS);
    for (int p = 0; p < B; ++p) {
        std::fill(r.begin(), r.end(), 0u);
        for (int i = 0; i < LIMBS; ++i) {
            u64 c = 0, x = a[p * LIMBS + i];
            for (int j = 0; j < LIMBS; ++j) {
                c += x * b[p * LIMBS + j] + r[i + j];
                r[i + j] = (u32)c;
                c >>= 32;
            }
            r[i + LIMBS] = (u32)c;
        }
        good &= std::memcmp(r.data(), &out[(size_t)p * 2 * LIMBS], 2 * LIMBS * 4) == 0;
    }
    return good;
}
}  // namespace bigint

// =================================== 13. Smith-Waterman, affine gaps, a systolic warp per read pair
namespace swalign {
constexpr int QMAX = 128, RMAX = 256, MATCH = 2, MISM = -3, OPEN = 5, EXT = 2, NEG = -10000;

__global__ __launch_bounds__(64) void sw_affine_systolic_warp(int pairs, const u8* __restrict__ query, const u8* __restrict__ ref,
                                                               const int* __restrict__ rlen, int2* __restrict__ best_out) {
    __shared__ u32 rs[2][RMAX / 4];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const int pair = blockIdx.x * 2 + warp;
    if (pair >= pairs) return;
    const u32* rw = reinterpret_cast<const u32*>(ref + (size_t)pair * RMAX);
    rs[warp][lane] = rw[lane];
    rs[warp][lane + 32] = rw[lane + 32];
    __syncwarp();
    const u8* rb = reinterpret_cast<const u8*>(rs[warp]);
    u32 q4 = reinterpret_cast<const u32*>(query + (size_t)pair * QMAX)[lane];
    int q[4], H[4], E[4];
#pragma unroll
    for (int r = 0; r < 4; ++r) {
        q[r] = q4 >> (8 * r) & 255;
        H[r] = 0;
        E[r] = NEG;
    }
    const int n = rlen[pair];
    int hbot = 0, fbot = NEG, corner = 0, best = 0, bestj = 0;
    for (int t = 0; t < n + 31; ++t) {
        int hu = __shfl_up_sync(0xffffffffu, hbot, 1);
        int f = __shfl_up_sync(0xffffffffu, fbot, 1);
        if (lane == 0) {
            hu = 0;
            f = NEG;
        }
        int j = t - lane;
        if (j >= 0 && j < n) {
            int rc = rb[j], diag = corner, up = hu;
#pragma unroll
            for (int r = 0; r < 4; ++r) {
                int e = max(E[r] - EXT, H[r] - OPEN);
                f = max(f - EXT, up - OPEN);
                int h = max(max(0, diag + (q[r] == rc ? MATCH : MISM)), max(e, f));
                diag = H[r];
                H[r] = up = h;
                E[r] = e;
                if (h > best) {
                    best = h;
                    bestj = j;
                }
            }
            hbot = H[3];
            fbot = f;
            corner = hu;
        }
    }
    unsigned keyv = best > 0 ? ((unsigned)best << 16 | (0xFFFFu - (unsigned)bestj)) : 0u;
    keyv = __reduce_max_sync(0xffffffffu, keyv);
    if (lane == 0) best_out[pair] = keyv ? make_int2((int)(keyv >> 16), (int)(0xFFFFu - (keyv & 0xFFFFu))) : make_int2(0, -1);
}

static bool run() {
    const int PAIRS = 4001;
    Rng g(1313);
    vector<u8> q((size_t)PAIRS * QMAX, 9), r((size_t)PAIRS * RMAX, 8);
    vector<int> ql(PAIRS), rl(PAIRS);
    for (int p = 0; p < PAIRS; ++p) {
        u8 *qq = &q[(size_t)p * QMAX], *rr = &r[(size_t)p * RMAX];
        rl[p] = 150 + (int)g.below(RMAX - 150 + 1);
        for (int i = 0; i < rl[p]; ++i) rr[i] = (u8)g.below(4);
        ql[p] = 70 + (int)g.below(QMAX - 70 + 1);
        int src = (int)g.below(40);
        for (int i = 0; i < ql[p]; ++i) {
            u32 ev = g.below(100);
            if (ev < 2) src += 1 + (int)g.below(4);            // deletion
            if (ev >= 2 && ev < 4) qq[i] = (u8)g.below(4);     // insertion
            else if (ev < 10 || src >= rl[p] || p % 50 == 0) qq[i] = (u8)g.below(4), ++src;
            else qq[i] = rr[src++];
        }
    }
    Buf<u8> dq(q), dr(r);
    Buf<int> dl(rl);
    Buf<int2> db(PAIRS);
    four_times(nothing, [&] { sw_affine_systolic_warp<<<cdiv(PAIRS, 2), 64>>>(PAIRS, dq.d, dr.d, dl.d, db.d); });
    vector<int2> out = db.get();
    bool good = true;
    for (int p = 0; p < PAIRS; ++p) {
        vector<int> Hc(QMAX + 1, 0), Ec(QMAX + 1, NEG);
        int best = 0, bj = -1;
        for (int j = 0; j < rl[p]; ++j) {
            int diag = 0, f = NEG;
            for (int i = 1; i <= ql[p]; ++i) {
                Ec[i] = std::max(Ec[i] - EXT, Hc[i] - OPEN);
                f = std::max(f - EXT, Hc[i - 1] - OPEN);
                int h = diag + (q[(size_t)p * QMAX + i - 1] == r[(size_t)p * RMAX + j] ? MATCH : MISM);
                h = std::max(std::max(0, h), std::max(Ec[i], f));
                diag = Hc[i];
                Hc[i] = h;
                if (h > best) best = h, bj = j;
            }
        }
        if (out[p].x != best || out[p].y != bj) good = false;
    }
    return good;
}
}  // namespace swalign

// ======================================= 14. FM-index exact matching of short reads (2-bit BWT)
namespace fmidx {
struct __align__(32) OccBlock {
    u32 cnt[4];
    u64 lo, hi;
};

__device__ __forceinline__ u32 occ_rank(const uint4* __restrict__ blocks, u32 c, u32 i, u32 dollar) {
    u32 blk = i >> 6, off = i & 63;
    uint4 n = __ldg(blocks + 2 * blk), b = __ldg(blocks + 2 * blk + 1);
    u64 lo = (u64)b.y << 32 | b.x, hi = (u64)b.w << 32 | b.z;
    u64 m = ((c & 1) ? lo : ~lo) & ((c & 2) ? hi : ~hi) & ((1ull << off) - 1);
    u32 base = c == 0 ? n.x : (c == 1 ? n.y : (c == 2 ? n.z : n.w));
    u32 r = base + (u32)__popcll(m);
    if (c == 0 && (dollar >> 6) == blk && (dollar & 63) < off) --r;  // the sentinel is stored as an A
    return r;
}

__global__ __launch_bounds__(192) void fmindex_count_reads(const uint4* __restrict__ blocks, uint4 first, u32 rows, u32 dollar, const u64* __restrict__ pat,
                                                            const u8* __restrict__ plen, int npat, uint2* __restrict__ hits) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= npat) return;
    u64 p = pat[i];
    u32 l = 0, r = rows;
    for (int k = plen[i]; k > 0 && l < r; --k) {
        u32 c = (u32)p & 3;
        p >>= 2;
        u32 f = c == 0 ? first.x : (c == 1 ? first.y : (c == 2 ? first.z : first.w));
        l = f + occ_rank(blocks, c, l, dollar);
        r = f + occ_rank(blocks, c, r, dollar);
    }
    hits[i] = l < r ? make_uint2(l, r - l) : make_uint2(0, 0);
}

static bool run() {
    const int N = 1 << 21, NP = 200000;
    Rng g(1414);
    vector<u8> t(N);
    for (int i = 0; i < N; ++i) {
        u32 v = g.below(100);  // AT rich
        t[i] = v < 30 ? 0 : (v < 50 ? 1 : (v < 70 ? 2 : 3));
    }
    for (int k = 0; k < 300; ++k) {  // diverged repeats
        int len = 200 + (int)g.below(1500), from = (int)g.below(N - len), to = (int)g.below(N - len);
        for (int i = 0; i < len; ++i) t[to + i] = g.below(30) ? t[from + i] : (u8)g.below(4);
    }
    vector<u64> key(N);
    u64 roll = 0;
    for (int i = N - 1; i >= 0; --i) {
        roll = roll >> 2 | (u64)t[i] << 62;
        key[i] = roll;
    }
    vector<std::pair<u64, u32>> sa(N);
    for (int i = 0; i < N; ++i) sa[i] = {key[i], (u32)i};
    std::sort(sa.begin(), sa.end(), [&](const std::pair<u64, u32>& x, const std::pair<u64, u32>& y) {
        if (x.first != y.first) return x.first < y.first;
        if (x.second == y.second) return false;
        u64 a = (u64)x.second + 32, b = (u64)y.second + 32;
        for (;; a += 32, b += 32) {
            if (a >= (u64)N || b >= (u64)N) return x.second > y.second;  // the shorter suffix sorts first
            if (key[a] != key[b]) return key[a] < key[b];
        }
    });
    const u32 rows = N + 1;
    vector<OccBlock> occ(rows / 64 + 1);
    u32 run4[4] = {0, 0, 0, 0}, dollar = 0;
    for (u32 row = 0; row < (u32)occ.size() * 64; ++row) {
        if (row % 64 == 0) {
            OccBlock z = {{run4[0], run4[1], run4[2], run4[3]}, 0, 0};
            occ[row / 64] = z;
        }
        if (row >= rows) continue;
        u32 pos = row == 0 ? (u32)N : sa[row - 1].second;
        if (pos == 0) {
            dollar = row;
            continue;
        }
        u64 c = t[pos - 1];
        occ[row / 64].lo |= (c & 1) << (row % 64);
        occ[row / 64].hi |= (c >> 1) << (row % 64);
        run4[c]++;
    }
    uint4 first = make_uint4(1, 1 + run4[0], 1 + run4[0] + run4[1], 1 + run4[0] + run4[1] + run4[2]);
    vector<u64> pat(NP);
    vector<u8> pl(NP);
    for (int i = 0; i < NP; ++i) {
        int len = g.below(3) ? 20 + (int)g.below(13) : 8 + (int)g.below(8), at = (int)g.below(N - 40);
        u64 v = 0;
        for (int k = 0; k < len; ++k) v = v << 2 | (g.below(100) ? t[at + k] : g.below(4));
        pat[i] = v;
        pl[i] = (u8)len;
    }
    vector<uint4> raw(occ.size() * 2);
    std::memcpy(raw.data(), occ.data(), occ.size() * sizeof(OccBlock));
    Buf<uint4> db(raw);
    Buf<u64> dp(pat);
    Buf<u8> dl(pl);
    Buf<uint2> dh(NP);
    four_times(nothing, [&] { fmindex_count_reads<<<cdiv(NP, 192), 192>>>(db.d, first, rows, dollar, dp.d, dl.d, NP, dh.d); });
    vector<uint2> out = dh.get();
    bool good = true;
    for (int i = 0; i < NP; ++i) {  // the same interval by bisection of the suffix array
        int len = pl[i], sh = 64 - 2 * len;
        auto lo = std::partition_point(sa.begin(), sa.end(), [&](const std::pair<u64, u32>& s) {
            u64 k = s.first >> sh;
            return k < pat[i] || (k == pat[i] && N - (int)s.second < len);
        });
        auto hi = std::partition_point(lo, sa.end(), [&](const std::pair<u64, u32>& s) { return s.first >> sh <= pat[i]; });
        u32 c = (u32)(hi - lo), l = c ? (u32)(lo - sa.begin()) + 1 : 0;
        if (out[i].x != l || out[i].y != c) good = false;
    }
    return good;
}
}  // namespace fmidx

// ============================================ 15. hash join, probe side with materialised matches
namespace hjoin {
constexpr u32 EMPTY = 0xFFFFFFFFu;
__host__ __device__ inline u32 slot_of(u32 k) { return (k * 2654435761u) ^ ((k * 2654435761u) >> 15); }

__global__ __launch_bounds__(384) void hashjoin_probe_emit(const u32* __restrict__ pkey, int n, const uint2* __restrict__ table, u32 mask,
                                                            uint2* __restrict__ out, unsigned* cursor, unsigned cap) {
    const int lane = threadIdx.x & 31;
    const int warps = gridDim.x * (blockDim.x >> 5);
    for (int base = (blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5)) * 32; base < n; base += warps * 32) {
        int row = base + lane;
        bool live = row < n;
        u32 key = live ? pkey[row] : 0u;
        u32 slot = slot_of(key) & mask;
        while (__any_sync(0xffffffffu, live)) {
            uint2 e = live ? __ldg(table + slot) : make_uint2(EMPTY, 0);
            live = e.x != EMPTY;
            bool hit = live && e.x == key;
            unsigned m = __ballot_sync(0xffffffffu, hit);
            if (m) {
                int leader = __ffs(m) - 1;
                unsigned pos = 0;
                if (lane == leader) pos = atomicAdd(cursor, (unsigned)__popc(m));
                pos = __shfl_sync(0xffffffffu, pos, leader) + __popc(m & ((1u << lane) - 1));
                if (hit && pos < cap) out[pos] = make_uint2((u32)row, e.y);
            }
            slot = (slot + 1) & mask;
        }
    }
}

static bool run() {
    const u32 SLOTS = 1u << 20;
    const int NB = 500000, NPR = 1000000;
    Rng g(1515);
    vector<uint2> tab(SLOTS, make_uint2(EMPTY, 0));
    vector<u32> bkeys;
    int left = NB;
    while (left > 0) {
        u32 k = g.bits() & 0x3FFFFFFFu;
        int dup = g.below(8) ? 1 : 1 + (int)g.below(4);
        for (int d = 0; d < dup && left > 0; ++d, --left) {
            u32 s = slot_of(k) & (SLOTS - 1);
            while (tab[s].x != EMPTY) s = (s + 1) & (SLOTS - 1);
            tab[s] = make_uint2(k, (u32)bkeys.size());
            bkeys.push_back(k);
        }
    }
    vector<u32> probe(NPR);
    for (auto& p : probe) p = g.below(3) ? bkeys[g.pareto(NB, 1.1)] : (g.bits() | 0x40000000u) & 0x7FFFFFFFu;
    const unsigned cap = 4000000;
    Buf<uint2> dt(tab), dout(cap);
    Buf<u32> dp(probe);
    Buf<unsigned> cur(1);
    four_times([&] { cur.fill(0); }, [&] { hashjoin_probe_emit<<<264, 384>>>(dp.d, NPR, dt.d, SLOTS - 1, dout.d, cur.d, cap); });
    unsigned cnt = cur.get()[0];
    vector<uint2> out = dout.get();
    vector<u64> got, want;
    for (unsigned i = 0; i < std::min(cnt, cap); ++i) got.push_back((u64)out[i].x << 32 | out[i].y);
    vector<std::pair<u32, u32>> idx(NB);
    for (int i = 0; i < NB; ++i) idx[i] = {bkeys[i], (u32)i};
    std::sort(idx.begin(), idx.end());
    for (int r = 0; r < NPR; ++r)
        for (auto it = std::lower_bound(idx.begin(), idx.end(), std::make_pair(probe[r], 0u)); it != idx.end() && it->first == probe[r]; ++it)
            want.push_back((u64)r << 32 | it->second);
    std::sort(got.begin(), got.end());
    std::sort(want.begin(), want.end());
    return cnt <= cap && got == want;
}
}  // namespace hjoin

// ===================================== 16. GROUP BY with sum, count, min: shared pre-aggregation
namespace gby {
constexpr u32 EMPTY = 0xFFFFFFFFu;
constexpr int LOCAL = 1024, GLOBAL = 65536;
__host__ __device__ inline u32 mix(u32 h) {
    h ^= h >> 16; h *= 0x85EBCA6Bu; h ^= h >> 13; h *= 0xC2B2AE35u; h ^= h >> 16;
    return h;
}

__device__ void upsert_global(u32 key, ull sum, u32 cnt, int mn, u32* gk, ull* gs, u32* gc, int* gm) {
    u32 s = mix(key ^ 0x5bd1e995u) & (GLOBAL - 1);
    for (;;) {
        u32 old = atomicCAS(gk + s, EMPTY, key);
        if (old == EMPTY || old == key) break;
        s = (s + 1) & (GLOBAL - 1);
    }
    atomicAdd(gs + s, sum);
    atomicAdd(gc + s, cnt);
    atomicMin(gm + s, mn);
}

__global__ __launch_bounds__(512, 2) void groupby_smem_preagg(const u32* __restrict__ key, const int* __restrict__ val, int n, u32* gk, ull* gs, u32* gc,
                                                               int* gm) {
    extern __shared__ ull dyn[];
    ull* ls = dyn;
    u32* lk = reinterpret_cast<u32*>(ls + LOCAL);
    u32* lc = lk + LOCAL;
    int* lm = reinterpret_cast<int*>(lc + LOCAL);
    for (int i = threadIdx.x; i < LOCAL; i += blockDim.x) {
        ls[i] = 0;
        lk[i] = EMPTY;
        lc[i] = 0;
        lm[i] = 0x7FFFFFFF;
    }
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        u32 k = key[i];
        int v = val[i];
        u32 s = mix(k) & (LOCAL - 1);
        bool placed = false;
        for (int t = 0; t < 6; ++t) {
            u32 cur = *(volatile u32*)(lk + s);
            if (cur == EMPTY) {
                cur = atomicCAS(lk + s, EMPTY, k);
                if (cur == EMPTY) cur = k;
            }
            if (cur == k) {
                placed = true;
                break;
            }
            s = (s + 1) & (LOCAL - 1);
        }
        if (placed) {
            atomicAdd(ls + s, (ull)(long long)v);
            atomicAdd(lc + s, 1u);
            atomicMin(lm + s, v);
        } else {
            upsert_global(k, (ull)(long long)v, 1u, v, gk, gs, gc, gm);
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < LOCAL; i += blockDim.x)
        if (lk[i] != EMPTY) upsert_global(lk[i], ls[i], lc[i], lm[i], gk, gs, gc, gm);
}

static bool run() {
    const int N = 2000000;
    Rng g(1616);
    vector<u32> key(N);
    vector<int> val(N);
    for (int i = 0; i < N; ++i) {
        key[i] = g.pareto(20000, 1.05) * 7919u + 13u;
        val[i] = (int)(g.gauss() * 50000);
    }
    Buf<u32> dk(key), gk(GLOBAL), gc(GLOBAL);
    Buf<int> dv(val), gm(GLOBAL);
    Buf<ull> gs(GLOBAL);
    four_times(
        [&] {
            gk.fill(0xFF);
            gs.fill(0);
            gc.fill(0);
            gm.fill(0x7F);
        },
        [&] { groupby_smem_preagg<<<264, 512, LOCAL * (sizeof(ull) + 3 * sizeof(u32))>>>(dk.d, dv.d, N, gk.d, gs.d, gc.d, gm.d); });
    struct Agg { long long s = 0; u32 c = 0; int m = 0x7F7F7F7F; };
    std::map<u32, Agg> ref;
    for (int i = 0; i < N; ++i) {
        Agg& a = ref[key[i]];
        a.s += val[i];
        a.c++;
        a.m = std::min(a.m, val[i]);
    }
    vector<u32> ok = gk.get(), oc = gc.get();
    vector<int> om = gm.get();
    vector<ull> os = gs.get();
    size_t groups = 0;
    bool good = true;
    for (int s = 0; s < GLOBAL; ++s) {
        if (ok[s] == EMPTY) continue;
        ++groups;
        auto it = ref.find(ok[s]);
        if (it == ref.end() || it->second.s != (long long)os[s] || it->second.c != oc[s] || it->second.m != om[s]) good = false;
    }
    return good && groups == ref.size();
}
}  // namespace gby

// ============================= 17. Parquet RLE / bit-packed hybrid pages through a dictionary
namespace parquet {
__global__ __launch_bounds__(96) void parquet_hybrid_dict_decode(const u8* __restrict__ blob, const int4* __restrict__ pages, int npages,
                                                                  const double* __restrict__ dict, double* __restrict__ out) {
    const int lane = threadIdx.x & 31;
    const int page = blockIdx.x * 3 + (threadIdx.x >> 5);
    if (page >= npages) return;
    const int4 m = pages[page];  // byte offset, bit width, values, output offset
    const u8* p = blob + m.x;
    const int bw = m.y, n = m.z;
    const u32 mask = (1u << bw) - 1;
    double* o = out + m.w;
    int done = 0;
    while (done < n) {
        u32 head = 0;
        int sh = 0;
        u8 b;
        do {
            b = *p++;
            head |= (u32)(b & 127) << sh;
            sh += 7;
        } while (b & 128);
        int take;
        if (head & 1) {
            int groups = (int)(head >> 1);
            take = min(groups * 8, n - done);
            for (int i = lane; i < take; i += 32) {
                int bit = i * bw;
                const u8* q = p + (bit >> 3);
                u32 v = q[0] | (u32)q[1] << 8 | (u32)q[2] << 16;
                o[done + i] = dict[v >> (bit & 7) & mask];
            }
            p += groups * bw;
        } else {
            take = min((int)(head >> 1), n - done);
            u32 v = p[0];
            if (bw > 8) v |= (u32)p[1] << 8;
            p += (bw + 7) >> 3;
            double d = dict[v];
            for (int i = lane; i < take; i += 32) o[done + i] = d;
        }
        done += take;
    }
}

static bool run() {
    const int PAGES = 2000;
    Rng g(1717);
    vector<double> dict(4096);
    for (auto& d : dict) d = std::floor(g.uni() * 1e6) / 100;
    vector<u8> blob;
    vector<int4> pages(PAGES);
    vector<double> want;
    auto varint = [&](u32 v) {
        for (; v >= 128; v >>= 7) blob.push_back((u8)(v | 128));
        blob.push_back((u8)v);
    };
    for (int p = 0; p < PAGES; ++p) {
        int bw = 2 + (int)g.below(11), n = 1500 + (int)g.below(549);
        pages[p] = make_int4((int)blob.size(), bw, n, (int)want.size());
        int done = 0;
        while (done < n) {
            int rest = n - done;
            if (g.below(2)) {
                int run = std::min(rest, 9 + (int)g.pareto(600, 1.4));
                u32 v = g.pareto(1u << bw, 1.3);
                varint((u32)run << 1);
                blob.push_back((u8)v);
                if (bw > 8) blob.push_back((u8)(v >> 8));
                want.insert(want.end(), run, dict[v]);
                done += run;
            } else {
                int groups = std::min(1 + (int)g.below(24), cdiv(rest, 8));
                varint((u32)groups << 1 | 1);
                u32 acc = 0;
                int have = 0;
                for (int i = 0; i < groups * 8; ++i) {
                    u32 v = g.pareto(1u << bw, 1.2);
                    if (i < rest) {
                        want.push_back(dict[v]);
                        ++done;
                    }
                    acc |= v << have;
                    for (have += bw; have >= 8; have -= 8, acc >>= 8) blob.push_back((u8)acc);
                }
            }
        }
    }
    for (int i = 0; i < 8; ++i) blob.push_back(0);
    Buf<u8> db(blob);
    Buf<int4> dp(pages);
    Buf<double> dd(dict), dout(want.size());
    four_times([&] { dout.fill(0xFF); }, [&] { parquet_hybrid_dict_decode<<<cdiv(PAGES, 3), 96>>>(db.d, dp.d, PAGES, dd.d, dout.d); });
    return dout.get() == want;
}
}  // namespace parquet

// ============================== 18. stable 256-way radix partition with in-block reordering
namespace radix {
constexpr int TILE = 4096, WARPS = 8, PER = 16;

__global__ __launch_bounds__(256) void radix_partition_stable(const u32* __restrict__ kin, const u32* __restrict__ vin, int n, int shift,
                                                               const u32* __restrict__ digit_base, u32* __restrict__ kout, u32* __restrict__ vout) {
    __shared__ u32 wc[WARPS][256], skey[TILE], sval[TILE], lofs[256], gofs[256], wsum[WARPS];
    const int t = threadIdx.x, lane = t & 31, w = t >> 5;
    const int tile0 = blockIdx.x * TILE, count = min(TILE, n - tile0);
    for (int k = 0; k < WARPS; ++k) wc[k][t] = 0;
    __syncthreads();
    u32 key[PER], val[PER];
    u16 rank[PER];
#pragma unroll
    for (int r = 0; r < PER; ++r) {
        int li = w * (TILE / WARPS) + r * 32 + lane;
        bool in = li < count;
        key[r] = in ? kin[tile0 + li] : 0u;
        val[r] = in ? vin[tile0 + li] : 0u;
        u32 d = in ? (key[r] >> shift & 255u) : 0xFFFFu;
        unsigned peers = __match_any_sync(0xffffffffu, d);
        u32 before = in ? wc[w][d] : 0u;
        rank[r] = (u16)(before + __popc(peers & ((1u << lane) - 1)));
        __syncwarp();
        if (in && lane == __ffs(peers) - 1) wc[w][d] = before + __popc(peers);
        __syncwarp();
    }
    __syncthreads();
    u32 tot = 0;
    for (int k = 0; k < WARPS; ++k) {
        u32 c = wc[k][t];
        wc[k][t] = tot;
        tot += c;
    }
    u32 inc = tot;
    for (int o = 1; o < 32; o <<= 1) {
        u32 v = __shfl_up_sync(0xffffffffu, inc, o);
        if (lane >= o) inc += v;
    }
    if (lane == 31) wsum[w] = inc;
    __syncthreads();
    u32 ex = inc - tot;
    for (int k = 0; k < w; ++k) ex += wsum[k];
    lofs[t] = ex;
    gofs[t] = digit_base[(size_t)t * gridDim.x + blockIdx.x] - ex;
    __syncthreads();
#pragma unroll
    for (int r = 0; r < PER; ++r)
        if (w * (TILE / WARPS) + r * 32 + lane < count) {
            u32 d = key[r] >> shift & 255u, at = lofs[d] + wc[w][d] + rank[r];
            skey[at] = key[r];
            sval[at] = val[r];
        }
    __syncthreads();
    for (int i = t; i < count; i += 256) {
        u32 k = skey[i], dst = gofs[k >> shift & 255u] + i;
        kout[dst] = k;
        vout[dst] = sval[i];
    }
}

static bool run() {
    const int N = 1900037, SHIFT = 11, NB = cdiv(N, TILE);
    Rng g(1818);
    vector<u32> k(N), v(N);
    u32 clock = 1000;
    for (int i = 0; i < N; ++i) {  // event times, roughly increasing, plus a hot range
        clock += g.below(3);
        k[i] = g.below(4) ? clock + g.below(5000) : 0x12000u + g.below(4096);
        v[i] = (u32)i;
    }
    vector<u32> base((size_t)256 * NB, 0);
    for (int i = 0; i < N; ++i) base[(size_t)(k[i] >> SHIFT & 255) * NB + i / TILE]++;
    u32 run_ = 0;
    for (auto& b : base) {
        u32 c = b;
        b = run_;
        run_ += c;
    }
    Buf<u32> dk(k), dv(v), db(base), ok(N), ov(N);
    four_times(
        [&] {
            ok.fill(0xFF);
            ov.fill(0xFF);
        },
        [&] { radix_partition_stable<<<NB, 256>>>(dk.d, dv.d, N, SHIFT, db.d, ok.d, ov.d); });
    vector<u32> ref(N);
    std::iota(ref.begin(), ref.end(), 0u);
    std::stable_sort(ref.begin(), ref.end(), [&](u32 a, u32 b) { return (k[a] >> SHIFT & 255) < (k[b] >> SHIFT & 255); });
    vector<u32> gk = ok.get(), gv = ov.get();
    bool good = true;
    for (int i = 0; i < N; ++i) good &= gv[i] == ref[i] && gk[i] == k[ref[i]];
    return good;
}
}  // namespace radix

// ===================== 19. JSON structural index in one pass, quote parity by decoupled look-back
namespace json {
constexpr int TILE = 256 * 64;
constexpr u64 PAR = 1ull << 60, HAS_AGG = 1ull << 62, HAS_ALL = 2ull << 62, M28 = (1ull << 28) - 1;

// [0..27] structurals if entered outside a string, [28..55] if entered inside, bit 60 quote parity
__device__ __forceinline__ u64 chain(u64 a, u64 b) {
    u64 b0 = b & M28, b1 = b >> 28 & M28;
    bool odd = (a & PAR) != 0;
    u64 c0 = (a & M28) + (odd ? b1 : b0), c1 = (a >> 28 & M28) + (odd ? b0 : b1);
    return ((a ^ b) & PAR) | c1 << 28 | c0;
}
__device__ __forceinline__ u64 eq_bits(u32 word, u32 pattern) {
    return (u64)(((__vcmpeq4(word, pattern) & 0x01010101u) * 0x10204080u) >> 28);
}

__global__ __launch_bounds__(256) void json_structural_lookback(const u8* __restrict__ text, volatile ull* state, unsigned* next_tile, int ntiles,
                                                                 u32* __restrict__ index, unsigned* total) {
    __shared__ u64 wagg[8], before_tile;
    __shared__ unsigned s_tile;
    const int t = threadIdx.x, lane = t & 31, w = t >> 5;
    if (t == 0) s_tile = atomicAdd(next_tile, 1u);
    __syncthreads();
    const int tile = (int)s_tile;
    const int at = tile * TILE + t * 64;
    u64 bs = 0, qt = 0, op = 0;
    const uint4* src = reinterpret_cast<const uint4*>(text + at);
#pragma unroll
    for (int v = 0; v < 4; ++v) {
        uint4 x = __ldg(src + v);
        u32 ws[4] = {x.x, x.y, x.z, x.w};
#pragma unroll
        for (int c = 0; c < 4; ++c) {
            int sh = v * 16 + c * 4;
            u32 curly = ws[c] | 0x20202020u;  // folds [ ] onto { }
            bs |= eq_bits(ws[c], 0x5C5C5C5Cu) << sh;
            qt |= eq_bits(ws[c], 0x22222222u) << sh;
            op |= (eq_bits(curly, 0x7B7B7B7Bu) | eq_bits(curly, 0x7D7D7D7Du) | eq_bits(ws[c], 0x3A3A3A3Au) | eq_bits(ws[c], 0x2C2C2C2Cu)) << sh;
        }
    }
    int back = 0;
    while (at - 1 - back >= 0 && text[at - 1 - back] == '\\') ++back;
    u64 escaped = 0, b = bs;
    if (back & 1) {
        escaped = 1;
        b &= ~1ull;
    }
    while (b) {
        int i = __ffsll((long long)b) - 1;
        if (i < 63) escaped |= 2ull << i;
        b &= ~(3ull << i);
    }
    qt &= ~escaped;
    u64 in0 = qt;
    for (int s = 1; s < 64; s <<= 1) in0 ^= in0 << s;
    u64 s0 = (op & ~in0) | (qt & in0), s1 = (op & in0) | (qt & ~in0);
    u64 mine = ((in0 >> 63) ? PAR : 0ull) | (u64)__popcll(s1) << 28 | (u64)__popcll(s0);
    u64 inc = mine;
    for (int o = 1; o < 32; o <<= 1) {
        u64 v = __shfl_up_sync(0xffffffffu, inc, o);
        if (lane >= o) inc = chain(v, inc);
    }
    u64 exc = __shfl_up_sync(0xffffffffu, inc, 1);
    if (lane == 0) exc = 0;
    if (lane == 31) wagg[w] = inc;
    __syncthreads();
    if (t == 0) {
        u64 agg = 0, run = 0;
        for (int k = 0; k < 8; ++k) agg = chain(agg, wagg[k]);
        if (tile > 0) {
            state[tile] = agg | HAS_AGG;
            for (int j = tile - 1;; --j) {
                ull s;
                while (((s = state[j]) & (HAS_AGG | HAS_ALL)) == 0) {
                }
                run = chain(s & ~(HAS_AGG | HAS_ALL), run);
                if (s & HAS_ALL) break;
            }
        }
        u64 all = chain(run, agg);
        state[tile] = all | HAS_ALL;
        before_tile = run;
        if (tile == ntiles - 1) *total = (unsigned)(all & M28);
    }
    __syncthreads();
    u64 pre = before_tile;
    for (int k = 0; k < w; ++k) pre = chain(pre, wagg[k]);
    pre = chain(pre, exc);
    u64 bits = (pre & PAR) ? s1 : s0;
    u32 pos = (u32)(pre & M28);
    while (bits) {
        index[pos++] = (u32)(at + __ffsll((long long)bits) - 1);
        bits &= bits - 1;
    }
}

static bool run() {
    Rng g(1919);
    std::string s = "[";
    const char* words[] = {"alpha", "{nope:", "\\\"quoted\\\"", "tail\\\\", "x,y", "[]", "\\u00e9t\\u00e9", "plain words here", "\\\\\\\\", "c:\\\\dir"};
    while (s.size() < 6000000) {
        if (s.size() > 1) s += ",\n";
        s += "{\"id\": " + std::to_string(g.below(1000000)) + ", \"user\": {\"name\": \"" + words[g.below(10)] + "\", \"ok\": true}, \"tags\": [";
        int nt = (int)g.below(5);
        for (int k = 0; k < nt; ++k) s += std::string(k ? "," : "") + "\"" + words[g.below(10)] + "\"";
        s += "], \"text\": \"";
        int nw = (int)g.pareto(40, 1.3);
        for (int k = 0; k < nw; ++k) s += std::string(" ") + words[g.below(10)];
        s += "\", \"pos\": [" + std::to_string(g.below(90)) + "." + std::to_string(g.below(1000)) + ", -" + std::to_string(g.below(180)) + "]}";
    }
    s += "]";
    s.resize((s.size() + TILE - 1) / TILE * TILE, ' ');
    const int tiles = (int)(s.size() / TILE);
    vector<u32> want;
    bool in = false, esc = false;
    for (size_t i = 0; i < s.size(); ++i) {
        char c = s[i];
        if (esc) {
            esc = false;
        } else if (c == '\\') {
            esc = true;
        } else if (c == '"') {
            if (!in) want.push_back((u32)i);
            in = !in;
            continue;
        }
        if (!in && (c == '{' || c == '}' || c == '[' || c == ']' || c == ':' || c == ',')) want.push_back((u32)i);
    }
    vector<u8> bytes(s.begin(), s.end());
    Buf<u8> dt(bytes);
    Buf<ull> st(tiles);
    Buf<unsigned> ctr(1), tot(1);
    Buf<u32> idx(s.size() / 2);
    four_times(
        [&] {
            st.fill(0);
            ctr.fill(0);
            tot.fill(0);
            idx.fill(0xFF);
        },
        [&] { json_structural_lookback<<<tiles, 256>>>(dt.d, st.d, ctr.d, tiles, idx.d, tot.d); });
    if (tot.get()[0] != want.size()) return false;
    vector<u32> got = idx.get();
    return std::equal(want.begin(), want.end(), got.begin());
}
}  // namespace json

// ======================================== 20. Huffman decoding, one thread per restart interval
namespace huff {
constexpr int MAXBITS = 11, SEG = 256;

__global__ __launch_bounds__(32) void huffman_restart_decode(const u32* __restrict__ stream, const u32* __restrict__ bit_start, const uint4* __restrict__ lut,
                                                              int nseg, u32* __restrict__ out) {
    __shared__ uint4 table4[(1 << MAXBITS) / 8];
    for (int i = threadIdx.x; i < (1 << MAXBITS) / 8; i += 32) table4[i] = lut[i];
    __syncthreads();
    const u16* table = reinterpret_cast<const u16*>(table4);
    int seg = blockIdx.x * 32 + threadIdx.x;
    if (seg >= nseg) return;
    u32 start = bit_start[seg], wi = start >> 5;
    u64 buf = ((u64)stream[wi] << 32 | stream[wi + 1]) << (start & 31);
    int have = 64 - (int)(start & 31);
    wi += 2;
    for (int i = 0; i < SEG / 4; ++i) {
        u32 quad = 0;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            u32 e = table[buf >> (64 - MAXBITS)];
            quad |= (e & 255u) << (8 * k);
            buf <<= e >> 8;
            have -= (int)(e >> 8);
            if (have <= 32) {
                buf |= (u64)stream[wi++] << (32 - have);
                have += 32;
            }
        }
        out[seg * (SEG / 4) + i] = quad;
    }
}

static bool run() {
    const int NSEG = 20000, N = NSEG * SEG;
    Rng g(2020);
    vector<u8> sym(N);
    for (auto& s : sym) {  // residuals: two-sided geometric, zigzag mapped
        u32 m = g.pareto(120, 1.9);
        s = (u8)(2 * m + (m ? g.below(2) : 0));
    }
    vector<u64> freq(256, 1);
    for (u8 s : sym) freq[s]++;
    vector<int> len(256);
    for (;;) {
        typedef std::pair<u64, int> Item;
        std::priority_queue<Item, vector<Item>, std::greater<Item>> pq;
        vector<int> parent(511, -1);
        for (int i = 0; i < 256; ++i) pq.push({freq[i], i});
        int next = 256;
        while (pq.size() > 1) {
            Item a = pq.top();
            pq.pop();
            Item b = pq.top();
            pq.pop();
            parent[a.second] = parent[b.second] = next;
            pq.push({a.first + b.first, next++});
        }
        int longest = 0;
        for (int i = 0; i < 256; ++i) {
            len[i] = 0;
            for (int p = i; parent[p] >= 0; p = parent[p]) ++len[i];
            longest = std::max(longest, len[i]);
        }
        if (longest <= MAXBITS) break;
        for (auto& f : freq) f = f / 2 + 1;
    }
    vector<int> order(256);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return len[a] < len[b]; });
    vector<u32> code(256);
    vector<u16> lut(1 << MAXBITS, 0);
    u32 c = 0;
    int prev = len[order[0]];
    for (int s : order) {
        c <<= len[s] - prev;
        prev = len[s];
        code[s] = c;
        for (u32 f = 0; f < 1u << (MAXBITS - len[s]); ++f) lut[(c << (MAXBITS - len[s])) + f] = (u16)(len[s] << 8 | s);
        ++c;
    }
    vector<u32> stream, start(NSEG);
    u64 acc = 0;
    int have = 0;
    for (int i = 0; i < N; ++i) {
        if (i % SEG == 0) start[i / SEG] = (u32)(stream.size() * 32 + have);
        acc = acc << len[sym[i]] | code[sym[i]];
        have += len[sym[i]];
        if (have >= 32) {
            have -= 32;
            stream.push_back((u32)(acc >> have));
        }
    }
    stream.push_back(have ? (u32)(acc << (32 - have)) : 0u);
    stream.insert(stream.end(), 4, 0u);
    vector<uint4> lut4(lut.size() / 8);
    std::memcpy(lut4.data(), lut.data(), lut.size() * 2);
    Buf<u32> ds(stream), dst(start), dout(N / 4);
    Buf<uint4> dl(lut4);
    four_times([&] { dout.fill(0); }, [&] { huffman_restart_decode<<<cdiv(NSEG, 32), 32>>>(ds.d, dst.d, dl.d, NSEG, dout.d); });
    vector<u32> out = dout.get();
    return std::memcmp(out.data(), sym.data(), N) == 0;
}
}  // namespace huff

// ============================= 21. bilateral filter, texture in (point sampled), surface out
namespace bilat {
constexpr int RAD = 4, DIA = 2 * RAD + 1;
__constant__ float c_space[DIA * DIA];

__global__ __launch_bounds__(256) void bilateral_rgba_tex_surf(cudaTextureObject_t img, cudaSurfaceObject_t dst, const float* __restrict__ range_lut, int w,
                                                                int h) {
    __shared__ float lut[768];
    for (int i = threadIdx.y * 16 + threadIdx.x; i < 768; i += 256) lut[i] = range_lut[i];
    __syncthreads();
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x >= w || y >= h) return;
    uchar4 c = tex2D<uchar4>(img, x + 0.5f, y + 0.5f);
    float r = 0, g = 0, b = 0, wsum = 0;
    for (int dy = -RAD; dy <= RAD; ++dy)
#pragma unroll
        for (int dx = -RAD; dx <= RAD; ++dx) {
            uchar4 p = tex2D<uchar4>(img, x + dx + 0.5f, y + dy + 0.5f);
            int diff = abs(p.x - c.x) + abs(p.y - c.y) + abs(p.z - c.z);
            float k = c_space[(dy + RAD) * DIA + dx + RAD] * lut[diff];
            r += k * p.x;
            g += k * p.y;
            b += k * p.z;
            wsum += k;
        }
    float inv = 1.0f / wsum;
    uchar4 o = make_uchar4((u8)(r * inv + 0.5f), (u8)(g * inv + 0.5f), (u8)(b * inv + 0.5f), c.w);
    surf2Dwrite(o, dst, x * (int)sizeof(uchar4), y);
}

static bool run() {
    const int W = 1270, H = 790;
    Rng g(2121);
    vector<uchar4> im(W * H);
    for (int y = 0; y < H; ++y)
        for (int x = 0; x < W; ++x) {
            float base = fbm(x * 0.012f, y * 0.012f, 5, 31), edge = fbm(x * 0.006f, y * 0.006f, 2, 77) > 0.52f ? 70.f : 0.f;
            auto ch = [&](float k, float off) {
                float v = 40 + k * 140 * base + edge + off + (float)(6 * g.gauss());
                return (u8)std::min(255.f, std::max(0.f, v));
            };
            im[y * W + x] = make_uchar4(ch(1.0f, 10), ch(0.8f, 0), ch(0.6f, 30), (u8)(x ^ y));
        }
    float space[DIA * DIA];
    for (int k = 0; k < DIA * DIA; ++k) {
        float dx = (float)(k % DIA - RAD), dy = (float)(k / DIA - RAD);
        space[k] = std::exp(-(dx * dx + dy * dy) / (2 * 2.2f * 2.2f));
    }
    vector<float> lut(768);
    for (int i = 0; i < 768; ++i) lut[i] = std::exp(-(float)(i * i) / (2 * 45.f * 45.f));
    CU(cudaMemcpyToSymbol(c_space, space, sizeof space));
    Buf<float> dl(lut);
    cudaChannelFormatDesc fmt = cudaCreateChannelDesc<uchar4>();
    cudaArray_t src, dst;
    CU(cudaMallocArray(&src, &fmt, W, H));
    CU(cudaMallocArray(&dst, &fmt, W, H, cudaArraySurfaceLoadStore));
    CU(cudaMemcpy2DToArray(src, 0, 0, im.data(), W * 4, W * 4, H, cudaMemcpyHostToDevice));
    cudaResourceDesc rd;
    std::memset(&rd, 0, sizeof rd);
    rd.resType = cudaResourceTypeArray;
    rd.res.array.array = src;
    cudaTextureDesc td;
    std::memset(&td, 0, sizeof td);
    td.addressMode[0] = td.addressMode[1] = cudaAddressModeClamp;
    td.filterMode = cudaFilterModePoint;
    td.readMode = cudaReadModeElementType;
    cudaTextureObject_t tex = 0;
    CU(cudaCreateTextureObject(&tex, &rd, &td, nullptr));
    rd.res.array.array = dst;
    cudaSurfaceObject_t srf = 0;
    CU(cudaCreateSurfaceObject(&srf, &rd));
    dim3 grid(cdiv(W, 16), cdiv(H, 16));
    four_times(nothing, [&] { bilateral_rgba_tex_surf<<<grid, dim3(16, 16)>>>(tex, srf, dl.d, W, H); });
    vector<uchar4> out(W * H);
    CU(cudaMemcpy2DFromArray(out.data(), W * 4, dst, 0, 0, W * 4, H, cudaMemcpyDeviceToHost));
    CU(cudaDestroyTextureObject(tex));
    CU(cudaDestroySurfaceObject(srf));
    CU(cudaFreeArray(src));
    CU(cudaFreeArray(dst));
    bool good = true;
    for (int y = 0; y < H; ++y)
        for (int x = 0; x < W; ++x) {
            uchar4 c = im[y * W + x];
            double s[3] = {0, 0, 0}, ws = 0;
            for (int dy = -RAD; dy <= RAD; ++dy)
                for (int dx = -RAD; dx <= RAD; ++dx) {
                    uchar4 p = im[std::min(H - 1, std::max(0, y + dy)) * W + std::min(W - 1, std::max(0, x + dx))];
                    int d = std::abs(p.x - c.x) + std::abs(p.y - c.y) + std::abs(p.z - c.z);
                    double k = (double)space[(dy + RAD) * DIA + dx + RAD] * lut[d];
                    s[0] += k * p.x;
                    s[1] += k * p.y;
                    s[2] += k * p.z;
                    ws += k;
                }
            uchar4 o = out[y * W + x];
            if (!near_to(o.x, s[0] / ws, 0.51) || !near_to(o.y, s[1] / ws, 0.51) || !near_to(o.z, s[2] / ws, 0.51) || o.w != c.w) good = false;
        }
    return good;
}
}  // namespace bilat

// ===================== 22. semi-global matching: four path directions, one warp per scan line
namespace sgm {
constexpr int W = 448, H = 320, D = 64, P1 = 8, P2 = 64, P2MIN = 20;

__global__ __launch_bounds__(128) void sgm_path_aggregate4(const uchar2* __restrict__ cost, const u8* __restrict__ img, u32* __restrict__ sum) {
    const int lane = threadIdx.x & 31;
    int path = blockIdx.x * 4 + (threadIdx.x >> 5);
    int x, y, dx = 0, dy = 0, steps;
    if (path < 2 * H) {
        y = path < H ? path : path - H;
        dx = path < H ? 1 : -1;
        x = dx > 0 ? 0 : W - 1;
        steps = W;
    } else {
        path -= 2 * H;
        if (path >= 2 * W) return;
        x = path < W ? path : path - W;
        dy = path < W ? 1 : -1;
        y = dy > 0 ? 0 : H - 1;
        steps = H;
    }
    const int BIG = 1 << 20;
    int l0 = 0, l1 = 0, lowest = 0, grey = 0;
    uchar2 c = cost[(y * W + x) * 32 + lane];
    for (int s = 0; s < steps; ++s) {
        int pix = y * W + x;
        x += dx;
        y += dy;
        uchar2 ahead = c;
        if (s + 1 < steps) ahead = cost[(y * W + x) * 32 + lane];
        int now = img[pix];
        if (s == 0) {
            l0 = c.x;
            l1 = c.y;
        } else {
            int p2 = max(P2MIN, P2 - abs(now - grey));
            int below = __shfl_up_sync(0xffffffffu, l1, 1), above = __shfl_down_sync(0xffffffffu, l0, 1);
            if (lane == 0) below = BIG;
            if (lane == 31) above = BIG;
            int a = min(min(l0, lowest + p2), min(l1, below) + P1);
            int b = min(min(l1, lowest + p2), min(l0, above) + P1);
            l0 = c.x + a - lowest;
            l1 = c.y + b - lowest;
        }
        lowest = __reduce_min_sync(0xffffffffu, min(l0, l1));
        grey = now;
        atomicAdd(&sum[pix * 32 + lane], (u32)l0 | (u32)l1 << 16);  // two 16-bit sums, no overflow with four paths
        c = ahead;
    }
}

static bool run() {
    Rng g(2222);
    vector<u8> img(W * H), cost((size_t)W * H * D);
    for (int y = 0; y < H; ++y)
        for (int x = 0; x < W; ++x) {
            img[y * W + x] = (u8)(255 * fbm(x * 0.03f, y * 0.03f, 4, 2));
            int truth = (int)(10 + 40 * fbm(x * 0.008f, y * 0.008f, 2, 8)) + ((x / 90 + y / 80) % 3) * 4;
            for (int d = 0; d < D; ++d) {
                int c = std::min(40, 3 * std::abs(d - truth)) + (int)g.below(14);
                cost[((size_t)y * W + x) * D + d] = (u8)(g.below(12) ? c : (int)g.below(48));
            }
        }
    vector<uchar2> c2(cost.size() / 2);
    std::memcpy(c2.data(), cost.data(), cost.size());
    Buf<uchar2> dc(c2);
    Buf<u8> di(img);
    Buf<u32> ds((size_t)W * H * D / 2);
    four_times([&] { ds.fill(0); }, [&] { sgm_path_aggregate4<<<cdiv(2 * (W + H), 4), 128>>>(dc.d, di.d, ds.d); });
    vector<u32> out = ds.get();
    vector<int> ref((size_t)W * H * D, 0);
    for (int dir = 0; dir < 4; ++dir) {
        bool horiz = dir < 2, fwd = !(dir & 1);
        int lines = horiz ? H : W, steps = horiz ? W : H;
        for (int l = 0; l < lines; ++l) {
            int L[D], M[D], lowest = 0, grey = 0;
            for (int s = 0; s < steps; ++s) {
                int p = fwd ? s : steps - 1 - s, pix = horiz ? l * W + p : p * W + l;
                int p2 = std::max(P2MIN, P2 - std::abs((int)img[pix] - grey));
                for (int d = 0; d < D; ++d) {
                    int v = cost[(size_t)pix * D + d];
                    if (s) {
                        int m = std::min(L[d], lowest + p2);
                        if (d > 0) m = std::min(m, L[d - 1] + P1);
                        if (d < D - 1) m = std::min(m, L[d + 1] + P1);
                        v += m - lowest;
                    }
                    M[d] = v;
                }
                lowest = M[0];
                for (int d = 0; d < D; ++d) {
                    L[d] = M[d];
                    lowest = std::min(lowest, M[d]);
                    ref[(size_t)pix * D + d] += M[d];
                }
                grey = img[pix];
            }
        }
    }
    bool good = true;
    for (size_t i = 0; i < ref.size(); ++i) good &= (int)(out[i / 2] >> (16 * (i & 1)) & 0xFFFF) == ref[i];
    return good;
}
}  // namespace sgm

// ===================== 23. connected components: concurrent union-find merge over the pixel graph
namespace ccl {
constexpr int W = 2000, H = 1500;

__device__ __forceinline__ int root_of(volatile int* lab, int a) {
    for (int p = lab[a]; p != a; p = lab[a]) a = p;
    return a;
}
__device__ void unite(int* lab, int a, int b) {
    for (;;) {
        a = root_of(lab, a);
        b = root_of(lab, b);
        if (a == b) return;
        if (a < b) {
            int t = a;
            a = b;
            b = t;
        }
        int old = atomicMin(lab + a, b);
        if (old == a) return;
        a = old;  // somebody else hung a elsewhere in the meantime
    }
}

__global__ __launch_bounds__(256, 8) void ccl_unionfind_merge8(const u8* __restrict__ mask, int* lab) {
    int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    if (x >= W || y >= H) return;
    int i = y * W + x;
    if (!mask[i]) return;
    bool west = x > 0 && mask[i - 1];
    bool north = y > 0 && mask[i - W];
    bool nw = x > 0 && y > 0 && mask[i - W - 1], ne = x < W - 1 && y > 0 && mask[i - W + 1];
    if (north) {
        unite(lab, i, i - W);  // its own W and E neighbours are joined to it already
    } else {
        if (nw) unite(lab, i, i - W - 1);
        if (ne) unite(lab, i, i - W + 1);
    }
    if (west && !nw) unite(lab, i, i - 1);
    else if (west && !north) unite(lab, i, i - 1);
}

static bool run() {
    Rng g(2323);
    vector<u8> m(W * H);
    for (int y = 0; y < H; ++y)
        for (int x = 0; x < W; ++x) {
            float v = fbm(x * 0.05f, y * 0.05f, 4, 12);
            m[y * W + x] = (v > 0.53f) ^ (g.below(50) == 0);
        }
    vector<int> id(W * H), ref(W * H, -1), stack;
    std::iota(id.begin(), id.end(), 0);
    for (int s = 0; s < W * H; ++s) {
        if (!m[s] || ref[s] >= 0) continue;
        ref[s] = s;
        stack.push_back(s);
        while (!stack.empty()) {
            int c = stack.back();
            stack.pop_back();
            int cx = c % W, cy = c / W;
            for (int yy = std::max(0, cy - 1); yy <= std::min(H - 1, cy + 1); ++yy)
                for (int xx = std::max(0, cx - 1); xx <= std::min(W - 1, cx + 1); ++xx) {
                    int o = yy * W + xx;
                    if (m[o] && ref[o] < 0) {
                        ref[o] = s;
                        stack.push_back(o);
                    }
                }
        }
    }
    Buf<u8> dm(m);
    Buf<int> dl(id);
    four_times([&] { dl.put(id); }, [&] { ccl_unionfind_merge8<<<dim3(cdiv(W, 64), cdiv(H, 4)), dim3(64, 4)>>>(dm.d, dl.d); });
    vector<int> lab = dl.get();
    bool good = true;
    for (int i = 0; i < W * H; ++i) {  // parents are never larger than children, so flatten in order
        if (lab[i] < 0 || lab[i] > i) {
            good = false;
            break;
        }
        lab[i] = lab[lab[i]];
        if (m[i] ? lab[i] != ref[i] : lab[i] != i) good = false;
    }
    return good;
}
}  // namespace ccl

// ============================================ 24. SIFT descriptors, one block per key point
namespace sift {
constexpr int W = 1024, H = 1024;

__device__ __forceinline__ float bilin(const float* __restrict__ im, float x, float y) {
    x = fminf(fmaxf(x, 0.0f), W - 1.001f);
    y = fminf(fmaxf(y, 0.0f), H - 1.001f);
    int ix = (int)x, iy = (int)y;
    float fx = x - ix, fy = y - iy;
    const float* p = im + iy * W + ix;
    float a = __ldg(p), b = __ldg(p + 1), c = __ldg(p + W), d = __ldg(p + W + 1);
    float top = a + fx * (b - a), bot = c + fx * (d - c);
    return top + fy * (bot - top);
}

__global__ __launch_bounds__(128) void sift_descriptor_trilinear(const float* __restrict__ img, const float4* __restrict__ kp, float* __restrict__ desc) {
    __shared__ float hist[128], part[4];
    const int t = threadIdx.x;
    hist[t] = 0.0f;
    __syncthreads();
    const float4 k = kp[blockIdx.x];  // x, y, sample spacing, orientation
    float sn, cs;
    sincosf(k.w, &sn, &cs);
#pragma unroll
    for (int h = 0; h < 2; ++h) {
        int s = t + 128 * h;
        float u = (s & 15) - 7.5f, v = (s >> 4) - 7.5f;
        float px = k.x + k.z * (cs * u - sn * v), py = k.y + k.z * (sn * u + cs * v);
        float gx = bilin(img, px + 1.0f, py) - bilin(img, px - 1.0f, py);
        float gy = bilin(img, px, py + 1.0f) - bilin(img, px, py - 1.0f);
        float rx = cs * gx + sn * gy, ry = cs * gy - sn * gx;
        float mag = sqrtf(rx * rx + ry * ry) * expf(-(u * u + v * v) / 128.0f);
        float o = atan2f(ry, rx) * (8.0f / 6.2831853f);
        o -= 8.0f * floorf(o * 0.125f);
        float xb = u * 0.25f + 1.5f, yb = v * 0.25f + 1.5f;
        int x0 = (int)floorf(xb), y0 = (int)floorf(yb), o0 = (int)floorf(o);
        float dx = xb - x0, dy = yb - y0, dn = o - o0;
        for (int c = 0; c < 8; ++c) {
            int xx = x0 + (c & 1), yy = y0 + (c >> 1 & 1), oo = (o0 + (c >> 2)) & 7;
            if (xx < 0 || xx > 3 || yy < 0 || yy > 3) continue;
            float w = (c & 1 ? dx : 1 - dx) * (c & 2 ? dy : 1 - dy) * (c & 4 ? dn : 1 - dn);
            atomicAdd(&hist[(yy * 4 + xx) * 8 + oo], mag * w);
        }
    }
    __syncthreads();
    float val = hist[t];
    for (int pass = 0; pass < 2; ++pass) {
        float q = val * val;
        for (int d = 16; d; d >>= 1) q += __shfl_xor_sync(0xffffffffu, q, d);
        if ((t & 31) == 0) part[t >> 5] = q;
        __syncthreads();
        val *= rsqrtf(part[0] + part[1] + part[2] + part[3] + 1e-12f);
        __syncthreads();
        if (pass == 0) val = fminf(val, 0.2f);
    }
    desc[blockIdx.x * 128 + t] = val;
}

static bool run() {
    const int NK = 6000;
    Rng g(2424);
    vector<float> im(W * H);
    for (int y = 0; y < H; ++y)
        for (int x = 0; x < W; ++x) im[y * W + x] = fbm(x * 0.06f, y * 0.06f, 4, 3) + 0.05f * lattice(x / 3, y / 3, 44);
    vector<float4> kp(NK);
    for (auto& k : kp) k = make_float4(g.range(4, W - 5), g.range(4, H - 5), 0.6f + 0.15f * g.pareto(20, 1.7), g.range(-3.1f, 3.1f));
    Buf<float> di(im), dd((size_t)NK * 128);
    Buf<float4> dk(kp);
    four_times([&] { dd.fill(0xFF); }, [&] { sift_descriptor_trilinear<<<NK, 128>>>(di.d, dk.d, dd.d); });
    vector<float> out = dd.get();
    auto smp = [&](double x, double y) {
        x = std::min(std::max(x, 0.0), (double)(W - 1.001f));
        y = std::min(std::max(y, 0.0), (double)(H - 1.001f));
        int ix = (int)x, iy = (int)y;
        double fx = x - ix, fy = y - iy;
        const float* p = &im[iy * W + ix];
        return (p[0] * (1 - fx) + p[1] * fx) * (1 - fy) + (p[W] * (1 - fx) + p[W + 1] * fx) * fy;
    };
    bool good = true;
    for (int n = 0; n < NK; ++n) {
        double hist[128] = {}, cs = std::cos((double)kp[n].w), sn = std::sin((double)kp[n].w);
        for (int s = 0; s < 256; ++s) {
            double u = (s & 15) - 7.5, v = (s >> 4) - 7.5;
            double px = kp[n].x + kp[n].z * (cs * u - sn * v), py = kp[n].y + kp[n].z * (sn * u + cs * v);
            double gx = smp(px + 1, py) - smp(px - 1, py), gy = smp(px, py + 1) - smp(px, py - 1);
            double rx = cs * gx + sn * gy, ry = cs * gy - sn * gx;
            double mag = std::sqrt(rx * rx + ry * ry) * std::exp(-(u * u + v * v) / 128), o = std::atan2(ry, rx) * 8 / 6.283185307179586;
            if (o < 0) o += 8;
            double xb = u / 4 + 1.5, yb = v / 4 + 1.5;
            int x0 = (int)std::floor(xb), y0 = (int)std::floor(yb), o0 = (int)std::floor(o);
            for (int c = 0; c < 8; ++c) {
                int xx = x0 + (c & 1), yy = y0 + (c >> 1 & 1), oo = (o0 + (c >> 2)) & 7;
                if (xx < 0 || xx > 3 || yy < 0 || yy > 3) continue;
                hist[(yy * 4 + xx) * 8 + oo] += mag * (c & 1 ? xb - x0 : 1 - xb + x0) * (c & 2 ? yb - y0 : 1 - yb + y0) * (c & 4 ? o - o0 : 1 - o + o0);
            }
        }
        for (int pass = 0; pass < 2; ++pass) {
            double q = 1e-12;
            for (double h : hist) q += h * h;
            for (double& h : hist) {
                h /= std::sqrt(q);
                if (pass == 0) h = std::min(h, (double)0.2f);
            }
        }
        for (int b = 0; b < 128; ++b)
            if (!near_to(out[(size_t)n * 128 + b], hist[b], 3e-3)) good = false;
    }
    return good;
}
}  // namespace sift

// ========================= 25. single-token attention over a paged fp16 KV cache, grouped queries
namespace paged {
constexpr int HD = 128, PG = 16, G = 4, KVH = 4, B = 24, MAXP = 128;

__global__ __launch_bounds__(256, 2) void paged_gqa_attn_decode(const __half* __restrict__ q, const __half* __restrict__ kc, const __half* __restrict__ vc,
                                                                 const int* __restrict__ table, const int* __restrict__ lens, float* __restrict__ out,
                                                                 float scale) {
    __shared__ float sm[8][G], sl[8][G], sacc[8][G][HD];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, kvh = blockIdx.x, b = blockIdx.y;
    float qr[G][4], acc[G][4], m[G], l[G];
#pragma unroll
    for (int g = 0; g < G; ++g) {
        const __half* src = q + ((size_t)(b * KVH + kvh) * G + g) * HD + lane * 4;
#pragma unroll
        for (int d = 0; d < 4; ++d) {
            qr[g][d] = __half2float(src[d]) * scale;
            acc[g][d] = 0.0f;
        }
        m[g] = -INFINITY;
        l[g] = 0.0f;
    }
    const int len = lens[b];
    for (int t = warp; t < len; t += 8) {
        size_t off = ((size_t)(table[b * MAXP + t / PG] * KVH + kvh) * PG + t % PG) * HD + lane * 4;
        uint2 kraw = *reinterpret_cast<const uint2*>(kc + off), vraw = *reinterpret_cast<const uint2*>(vc + off);
        float2 k0 = __half22float2(*reinterpret_cast<__half2*>(&kraw.x)), k1 = __half22float2(*reinterpret_cast<__half2*>(&kraw.y));
        float2 v0 = __half22float2(*reinterpret_cast<__half2*>(&vraw.x)), v1 = __half22float2(*reinterpret_cast<__half2*>(&vraw.y));
        float s[G];
#pragma unroll
        for (int g = 0; g < G; ++g) s[g] = qr[g][0] * k0.x + qr[g][1] * k0.y + qr[g][2] * k1.x + qr[g][3] * k1.y;
#pragma unroll
        for (int o = 16; o; o >>= 1)
#pragma unroll
            for (int g = 0; g < G; ++g) s[g] += __shfl_xor_sync(0xffffffffu, s[g], o);
#pragma unroll
        for (int g = 0; g < G; ++g) {
            float mn = fmaxf(m[g], s[g]), keep = __expf(m[g] - mn), p = __expf(s[g] - mn);
            m[g] = mn;
            l[g] = l[g] * keep + p;
            acc[g][0] = acc[g][0] * keep + p * v0.x;
            acc[g][1] = acc[g][1] * keep + p * v0.y;
            acc[g][2] = acc[g][2] * keep + p * v1.x;
            acc[g][3] = acc[g][3] * keep + p * v1.y;
        }
    }
#pragma unroll
    for (int g = 0; g < G; ++g) {
        if (lane == 0) {
            sm[warp][g] = m[g];
            sl[warp][g] = l[g];
        }
#pragma unroll
        for (int d = 0; d < 4; ++d) sacc[warp][g][lane * 4 + d] = acc[g][d];
    }
    __syncthreads();
    for (int e = threadIdx.x; e < G * HD; e += 256) {
        int g = e / HD, d = e % HD;
        float top = -INFINITY, den = 0.0f, num = 0.0f;
        for (int w = 0; w < 8; ++w) top = fmaxf(top, sm[w][g]);
        for (int w = 0; w < 8; ++w) {
            float f = __expf(sm[w][g] - top);
            den += f * sl[w][g];
            num += f * sacc[w][g][d];
        }
        out[((size_t)(b * KVH + kvh) * G + g) * HD + d] = num / den;
    }
}

static bool run() {
    Rng g(2525);
    vector<int> lens(B), table(B * MAXP, 0);
    int pages = 0;
    for (int b = 0; b < B; ++b) {
        lens[b] = b == 3 ? 5 : std::min(MAXP * PG, 250 + (int)g.pareto(1750, 1.05) + (int)g.below(700));
        pages += cdiv(lens[b], PG);
    }
    vector<int> pool(pages);
    std::iota(pool.begin(), pool.end(), 0);
    for (int i = pages - 1; i > 0; --i) std::swap(pool[i], pool[g.below(i + 1)]);
    int at = 0;
    for (int b = 0; b < B; ++b)
        for (int p = 0; p < cdiv(lens[b], PG); ++p) table[b * MAXP + p] = pool[at++];
    const size_t kvn = (size_t)pages * KVH * PG * HD;
    vector<__half> q((size_t)B * KVH * G * HD), k(kvn), v(kvn);
    for (auto& h : q) h = __float2half((float)g.gauss());
    for (auto& h : k) h = __float2half(g.range(-1.6f, 1.6f));
    for (auto& h : v) h = __float2half(g.range(-1.f, 1.f));
    const float scale = 1.0f / std::sqrt((float)HD);
    Buf<__half> dq(q), dk(k), dv(v);
    Buf<int> dt(table), dl(lens);
    Buf<float> dout(q.size());
    four_times([&] { dout.fill(0xFF); }, [&] { paged_gqa_attn_decode<<<dim3(KVH, B), 256>>>(dq.d, dk.d, dv.d, dt.d, dl.d, dout.d, scale); });
    vector<float> out = dout.get(), kf(kvn), vf(kvn);
    for (size_t i = 0; i < kvn; ++i) kf[i] = __half2float(k[i]), vf[i] = __half2float(v[i]);
    bool good = true;
    for (int b = 0; b < B; ++b)
        for (int h = 0; h < KVH * G; ++h) {
            size_t qo = ((size_t)b * KVH * G + h) * HD;
            vector<double> s(lens[b]), o(HD, 0.0);
            double top = -1e300, den = 0, qd[HD];
            for (int d = 0; d < HD; ++d) qd[d] = (double)__half2float(q[qo + d]) * scale;
            auto row = [&](int t) { return ((size_t)(table[b * MAXP + t / PG] * KVH + h / G) * PG + t % PG) * HD; };
            for (int t = 0; t < lens[b]; ++t) {
                const float* kr = &kf[row(t)];
                for (int d = 0; d < HD; ++d) s[t] += qd[d] * kr[d];
                top = std::max(top, s[t]);
            }
            for (int t = 0; t < lens[b]; ++t) {
                double p = std::exp(s[t] - top);
                den += p;
                const float* vr = &vf[row(t)];
                for (int d = 0; d < HD; ++d) o[d] += p * vr[d];
            }
            for (int d = 0; d < HD; ++d)
                if (!near_to(out[qo + d], o[d] / den, 5e-4)) good = false;
        }
    return good;
}
}  // namespace paged

// ========================== 26. 4-bit weights times 8-bit activations, group scales, dp4a
namespace q4 {
constexpr int K = 4096, GR = K / 32;

__global__ __launch_bounds__(256) void gemv_q4_0_dp4a(const uint4* __restrict__ wq, const __half* __restrict__ wscale, const uint4* __restrict__ xq,
                                                       const float2* __restrict__ xmeta, float* __restrict__ y, int rows) {
    __shared__ __align__(16) uint4 sx[K / 16];
    __shared__ float2 sm[GR];  // activation scale, 8 * sum of the quantised activations
    unsigned dst = (unsigned)__cvta_generic_to_shared(&sx[threadIdx.x]);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;\n" ::"r"(dst), "l"(xq + threadIdx.x) : "memory");
    asm volatile("cp.async.commit_group;\n" ::: "memory");
    if (threadIdx.x < GR) sm[threadIdx.x] = xmeta[threadIdx.x];
    asm volatile("cp.async.wait_group 0;\n" ::: "memory");
    __syncthreads();
    const int lane = threadIdx.x & 31;
    for (int row = blockIdx.x * 8 + (threadIdx.x >> 5); row < rows; row += gridDim.x * 8) {
        float acc = 0.0f;
#pragma unroll
        for (int i = 0; i < GR / 32; ++i) {
            int g = lane + 32 * i;
            uint4 w = __ldcs(wq + (size_t)row * GR + g);
            uint4 lo = sx[2 * g], hi = sx[2 * g + 1];
            int d = 0;
            d = __dp4a((int)(w.x & 0x0F0F0F0Fu), (int)lo.x, d);
            d = __dp4a((int)(w.y & 0x0F0F0F0Fu), (int)lo.y, d);
            d = __dp4a((int)(w.z & 0x0F0F0F0Fu), (int)lo.z, d);
            d = __dp4a((int)(w.w & 0x0F0F0F0Fu), (int)lo.w, d);
            d = __dp4a((int)(w.x >> 4 & 0x0F0F0F0Fu), (int)hi.x, d);
            d = __dp4a((int)(w.y >> 4 & 0x0F0F0F0Fu), (int)hi.y, d);
            d = __dp4a((int)(w.z >> 4 & 0x0F0F0F0Fu), (int)hi.z, d);
            d = __dp4a((int)(w.w >> 4 & 0x0F0F0F0Fu), (int)hi.w, d);
            acc += __half2float(wscale[(size_t)row * GR + g]) * sm[g].x * ((float)d - sm[g].y);
        }
        for (int o = 16; o; o >>= 1) acc += __shfl_down_sync(0xffffffffu, acc, o);
        if (lane == 0) y[row] = acc;
    }
}

static bool run() {
    const int ROWS = 14336;
    Rng g(2626);
    vector<u8> w((size_t)ROWS * K / 2);
    for (size_t i = 0; i + 8 <= w.size(); i += 8) {
        u64 r = g.u64v();
        std::memcpy(&w[i], &r, 8);
    }
    vector<__half> ws((size_t)ROWS * GR);
    for (auto& h : ws) h = __float2half(g.range(0.002f, 0.02f));
    vector<signed char> x(K);
    vector<float2> xm(GR);
    for (int b = 0; b < GR; ++b) {
        int sum = 0;
        for (int j = 0; j < 32; ++j) {
            x[b * 32 + j] = (signed char)std::max(-127.0, std::min(127.0, std::rint(40 * g.gauss())));
            sum += x[b * 32 + j];
        }
        xm[b] = make_float2(g.range(0.01f, 0.05f), 8.0f * sum);
    }
    vector<uint4> w4(w.size() / 16), x4(K / 16);
    std::memcpy(w4.data(), w.data(), w.size());
    std::memcpy(x4.data(), x.data(), K);
    Buf<uint4> dw(w4), dx(x4);
    Buf<__half> dws(ws);
    Buf<float2> dm(xm);
    Buf<float> dy(ROWS);
    four_times([&] { dy.fill(0xFF); }, [&] { gemv_q4_0_dp4a<<<448, 256>>>(dw.d, dws.d, dx.d, dm.d, dy.d, ROWS); });
    vector<float> out = dy.get();
    bool good = true;
    for (int r = 0; r < ROWS; ++r) {
        double s = 0, mag = 0;
        for (int b = 0; b < GR; ++b) {
            const u8* p = &w[((size_t)r * GR + b) * 16];
            int d = 0;
            for (int j = 0; j < 16; ++j) d += ((p[j] & 15) - 8) * x[b * 32 + j] + ((p[j] >> 4) - 8) * x[b * 32 + 16 + j];
            double t = (double)__half2float(ws[(size_t)r * GR + b]) * xm[b].x * d;
            s += t;
            mag += std::fabs(t);
        }
        if (!near_to(out[r], s, 1e-5 * mag + 1e-5)) good = false;
    }
    return good;
}
}  // namespace q4

// ====================================== 27. top-k per row of logits by radix selection
namespace topk {
constexpr int V = 32000, TOP = 50;
__device__ __forceinline__ u32 ordered(float f) {
    u32 u = __float_as_uint(f);
    return u ^ ((u >> 31) ? 0xFFFFFFFFu : 0x80000000u);
}

__global__ __launch_bounds__(1024) void topk_radix_select_rows(const float4* __restrict__ logits, float* __restrict__ out_val, int* __restrict__ out_idx) {
    __shared__ u32 hist[256], s_prefix, s_need, s_gt, s_tie;
    const int t = threadIdx.x;
    const float4* row = logits + (size_t)blockIdx.x * (V / 4);
    u32 prefix = 0, mask = 0, need = TOP;
    for (int shift = 24; shift >= 0; shift -= 8) {
        if (t < 256) hist[t] = 0;
        __syncthreads();
        for (int i = t; i < V / 4; i += 1024) {
            float4 f = row[i];
            u32 k[4] = {ordered(f.x), ordered(f.y), ordered(f.z), ordered(f.w)};
#pragma unroll
            for (int c = 0; c < 4; ++c)
                if ((k[c] & mask) == prefix) atomicAdd(&hist[k[c] >> shift & 255u], 1u);
        }
        __syncthreads();
        if (t < 32) {  // lane 0 owns the eight highest bins
            u32 sum = 0;
            for (int b = 0; b < 8; ++b) sum += hist[255 - 8 * t - b];
            u32 inc = sum;
            for (int o = 1; o < 32; o <<= 1) {
                u32 v = __shfl_up_sync(0xffffffffu, inc, o);
                if (t >= o) inc += v;
            }
            u32 cum = inc - sum;
            if (cum < need && need <= inc)
                for (int b = 0; b < 8; ++b) {
                    u32 h = hist[255 - 8 * t - b];
                    if (cum + h >= need) {
                        s_prefix = prefix | (u32)(255 - 8 * t - b) << shift;
                        s_need = need - cum;
                        break;
                    }
                    cum += h;
                }
        }
        __syncthreads();
        prefix = s_prefix;
        need = s_need;
        mask |= 255u << shift;
    }
    if (t == 0) s_gt = s_tie = 0;
    __syncthreads();
    float* ov = out_val + blockIdx.x * TOP;
    int* oi = out_idx + blockIdx.x * TOP;
    for (int i = t; i < V / 4; i += 1024) {
        float4 f = row[i];
        float fs[4] = {f.x, f.y, f.z, f.w};
#pragma unroll
        for (int c = 0; c < 4; ++c) {
            u32 k = ordered(fs[c]);
            if (k < prefix) continue;
            u32 pos;
            if (k > prefix) {
                pos = atomicAdd(&s_gt, 1u);
            } else {
                u32 tie = atomicAdd(&s_tie, 1u);
                if (tie >= need) continue;
                pos = TOP - need + tie;
            }
            ov[pos] = fs[c];
            oi[pos] = 4 * i + c;
        }
    }
}

static bool run() {
    const int ROWS = 200;
    Rng g(2727);
    vector<float> x((size_t)ROWS * V);
    for (int r = 0; r < ROWS; ++r)
        for (int i = 0; i < V; ++i) {
            float f = (float)(3 * g.gauss() - 2);
            if (r % 3 == 0) f = std::rint(f * 4) / 4;  // heavily tied, quantised model
            if (g.below(2000) == 0) f += 9;
            x[(size_t)r * V + i] = f + 0.0f;
        }
    vector<float4> x4(x.size() / 4);
    std::memcpy(x4.data(), x.data(), x.size() * 4);
    Buf<float4> dx(x4);
    Buf<float> dv((size_t)ROWS * TOP);
    Buf<int> di((size_t)ROWS * TOP);
    four_times(
        [&] {
            dv.fill(0xFF);
            di.fill(0xFF);
        },
        [&] { topk_radix_select_rows<<<ROWS, 1024>>>(dx.d, dv.d, di.d); });
    vector<float> ov = dv.get();
    vector<int> oi = di.get();
    bool good = true;
    for (int r = 0; r < ROWS; ++r) {
        vector<float> ref(x.begin() + (size_t)r * V, x.begin() + (size_t)(r + 1) * V);
        std::partial_sort(ref.begin(), ref.begin() + TOP, ref.end(), std::greater<float>());
        vector<float> got(ov.begin() + r * TOP, ov.begin() + (r + 1) * TOP);
        vector<int> ids(oi.begin() + r * TOP, oi.begin() + (r + 1) * TOP);
        for (int k = 0; k < TOP; ++k)
            if (ids[k] < 0 || ids[k] >= V || !(x[(size_t)r * V + ids[k]] == got[k])) good = false;
        std::sort(ids.begin(), ids.end());
        good &= std::unique(ids.begin(), ids.end()) == ids.end();
        std::sort(got.begin(), got.end(), std::greater<float>());
        good &= std::equal(got.begin(), got.end(), ref.begin());
    }
    return good;
}
}  // namespace topk

// ================================ 28. closest hit of camera rays in a BVH over a landscape
namespace bvh {
struct Node {
    float lo[3];
    int first;  // left child (right one follows), or first triangle
    float hi[3];
    int count;  // 0: inner
};

__device__ __forceinline__ float slab(float4 a, float4 b, float3 o, float3 inv, float best) {
    float x0 = (a.x - o.x) * inv.x, x1 = (b.x - o.x) * inv.x;
    float y0 = (a.y - o.y) * inv.y, y1 = (b.y - o.y) * inv.y;
    float z0 = (a.z - o.z) * inv.z, z1 = (b.z - o.z) * inv.z;
    float n = fmaxf(fmaxf(fminf(x0, x1), fminf(y0, y1)), fmaxf(fminf(z0, z1), 0.0f));
    float f = fminf(fminf(fmaxf(x0, x1), fmaxf(y0, y1)), fminf(fmaxf(z0, z1), best));
    return n <= f * 1.000001f ? n : 1e30f;
}

__global__ __launch_bounds__(64, 12) void bvh_closest_hit(const float4* __restrict__ nodes, const float4* __restrict__ tri, const float4* __restrict__ rayd,
                                                           float3 org, int nrays, float* __restrict__ out_t, int* __restrict__ out_id) {
    int r = blockIdx.x * 64 + threadIdx.x;
    if (r >= nrays) return;
    float4 dd = rayd[r];
    float3 inv = make_float3(1.0f / dd.x, 1.0f / dd.y, 1.0f / dd.z);
    float best = 1e30f;
    int hit = -1, node = 0, sp = 0;
    int stack[40];
    float stack_t[40];
    for (;;) {
        float4 a = __ldg(nodes + 2 * node), b = __ldg(nodes + 2 * node + 1);
        int first = __float_as_int(a.w), count = __float_as_int(b.w);
        if (count > 0) {
            for (int k = first; k < first + count; ++k) {
                float4 v = __ldg(tri + 3 * k), e = __ldg(tri + 3 * k + 1), f = __ldg(tri + 3 * k + 2);
                float px = dd.y * f.z - dd.z * f.y, py = dd.z * f.x - dd.x * f.z, pz = dd.x * f.y - dd.y * f.x;
                float det = e.x * px + e.y * py + e.z * pz;
                if (fabsf(det) < 1e-12f) continue;
                float id = 1.0f / det, sx = org.x - v.x, sy = org.y - v.y, sz = org.z - v.z;
                float u = (sx * px + sy * py + sz * pz) * id;
                if (u < -1e-5f || u > 1.00001f) continue;
                float qx = sy * e.z - sz * e.y, qy = sz * e.x - sx * e.z, qz = sx * e.y - sy * e.x;
                float w = (dd.x * qx + dd.y * qy + dd.z * qz) * id;
                if (w < -1e-5f || u + w > 1.00001f) continue;
                float t = (f.x * qx + f.y * qy + f.z * qz) * id;
                if (t > 1e-3f && t < best) {
                    best = t;
                    hit = k;
                }
            }
        } else {
            float tl = slab(__ldg(nodes + 2 * first), __ldg(nodes + 2 * first + 1), org, inv, best);
            float tr = slab(__ldg(nodes + 2 * first + 2), __ldg(nodes + 2 * first + 3), org, inv, best);
            int nearer = tl <= tr ? first : first + 1;
            float tn = fminf(tl, tr), tf = fmaxf(tl, tr);
            if (tn < 1e30f) {
                if (tf < 1e30f) {
                    stack[sp] = 2 * first + 1 - nearer;
                    stack_t[sp++] = tf;
                }
                node = nearer;
                continue;
            }
        }
        while (sp > 0 && stack_t[sp - 1] > best * 1.00001f) --sp;
        if (sp == 0) break;
        node = stack[--sp];
    }
    out_t[r] = best;
    out_id[r] = hit;
}

struct Tri { float v[3][3], c[3]; };

static void split(vector<Node>& nodes, vector<Tri>& tr, int me, int lo, int hi) {
    float bl[3] = {1e30f, 1e30f, 1e30f}, bh[3] = {-1e30f, -1e30f, -1e30f}, cl[3], ch[3];
    for (int a = 0; a < 3; ++a) cl[a] = 1e30f, ch[a] = -1e30f;
    for (int i = lo; i < hi; ++i)
        for (int a = 0; a < 3; ++a) {
            for (int k = 0; k < 3; ++k) {
                bl[a] = std::min(bl[a], tr[i].v[k][a]);
                bh[a] = std::max(bh[a], tr[i].v[k][a]);
            }
            cl[a] = std::min(cl[a], tr[i].c[a]);
            ch[a] = std::max(ch[a], tr[i].c[a]);
        }
    for (int a = 0; a < 3; ++a) {
        nodes[me].lo[a] = bl[a] - 1e-4f;
        nodes[me].hi[a] = bh[a] + 1e-4f;
    }
    if (hi - lo <= 4) {
        nodes[me].first = lo;
        nodes[me].count = hi - lo;
        return;
    }
    int ax = 0;
    for (int a = 1; a < 3; ++a)
        if (ch[a] - cl[a] > ch[ax] - cl[ax]) ax = a;
    int mid = (lo + hi) / 2;
    std::nth_element(tr.begin() + lo, tr.begin() + mid, tr.begin() + hi, [ax](const Tri& p, const Tri& q) { return p.c[ax] < q.c[ax]; });
    int kid = (int)nodes.size();
    nodes.resize(nodes.size() + 2);
    nodes[me].first = kid;
    nodes[me].count = 0;
    split(nodes, tr, kid, lo, mid);
    split(nodes, tr, kid + 1, mid, hi);
}

static bool run() {
    Rng g(2828);
    vector<Tri> tr;
    auto add = [&](const float* a, const float* b, const float* c) {
        Tri t;
        for (int k = 0; k < 3; ++k) {
            t.v[0][k] = a[k];
            t.v[1][k] = b[k];
            t.v[2][k] = c[k];
            t.c[k] = (a[k] + b[k] + c[k]) / 3;
        }
        tr.push_back(t);
    };
    const int S = 160;
    auto vert = [&](int x, int y, float* p) {
        p[0] = x * 0.5f;
        p[1] = y * 0.5f;
        p[2] = 12 * fbm(x * 0.03f, y * 0.03f, 4, 91);
    };
    for (int y = 0; y < S; ++y)
        for (int x = 0; x < S; ++x) {
            float a[3], b[3], c[3], d[3];
            vert(x, y, a);
            vert(x + 1, y, b);
            vert(x, y + 1, c);
            vert(x + 1, y + 1, d);
            add(a, b, c);
            add(b, d, c);
        }
    for (int k = 0; k < 9000; ++k) {  // foliage clumps
        int clump = k / 60;
        float cx = 80 * lattice(clump, 1, 5), cy = 80 * lattice(clump, 2, 5), p[3][3];
        float base[3] = {cx + (float)g.gauss(), cy + (float)g.gauss(), 9 + 2 * (float)g.gauss()};
        for (auto& v : p)
            for (int a = 0; a < 3; ++a) v[a] = base[a] + g.range(-0.4f, 0.4f);
        add(p[0], p[1], p[2]);
    }
    vector<Node> nodes(1);
    split(nodes, tr, 0, 0, (int)tr.size());
    const int RW = 480, RH = 320, NR = RW * RH;
    const float3 org = make_float3(40.3f, -12.1f, 21.7f);
    vector<float4> rays(NR);
    for (int i = 0; i < NR; ++i) {
        double x = ((i % RW) + g.uni()) / RW - 0.5, y = ((i / RW) + g.uni()) / RH - 0.5;
        double d[3] = {x * 1.4 + 1e-5, 1.0, -0.35 - 0.9 * y}, n = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        rays[i] = make_float4((float)(d[0] / n), (float)(d[1] / n), (float)(d[2] / n), 0);
    }
    vector<float4> nd(nodes.size() * 2), td(tr.size() * 3);
    std::memcpy(nd.data(), nodes.data(), nodes.size() * sizeof(Node));
    for (size_t i = 0; i < tr.size(); ++i) {
        const auto& v = tr[i].v;
        td[3 * i] = make_float4(v[0][0], v[0][1], v[0][2], 0);
        for (int e = 1; e < 3; ++e) td[3 * i + e] = make_float4(v[e][0] - v[0][0], v[e][1] - v[0][1], v[e][2] - v[0][2], 0);
    }
    Buf<float4> dn(nd), dt(td), dr(rays);
    Buf<float> ot(NR);
    Buf<int> oid(NR);
    four_times(
        [&] {
            ot.fill(0xFF);
            oid.fill(0xFF);
        },
        [&] { bvh_closest_hit<<<cdiv(NR, 64), 64>>>(dn.d, dt.d, dr.d, org, NR, ot.d, oid.d); });
    vector<float> gt = ot.get();
    vector<int> gi = oid.get();
    int bad = 0;
    const double o[3] = {org.x, org.y, org.z};
    for (int r = 0; r < NR; ++r) {
        double d[3] = {rays[r].x, rays[r].y, rays[r].z}, best = 1e30;
        int hit = -1, stack[64], sp = 0;
        stack[sp++] = 0;
        while (sp) {
            const Node& n = nodes[stack[--sp]];
            double tn = 0, tf = best;
            for (int a = 0; a < 3; ++a) {
                double t0 = (n.lo[a] - o[a]) / d[a], t1 = (n.hi[a] - o[a]) / d[a];
                tn = std::max(tn, std::min(t0, t1));
                tf = std::min(tf, std::max(t0, t1));
            }
            if (tn > tf * 1.000001) continue;
            if (n.count == 0) {
                stack[sp++] = n.first;
                stack[sp++] = n.first + 1;
                continue;
            }
            for (int k = n.first; k < n.first + n.count; ++k) {
                const float4 &v = td[3 * k], &e = td[3 * k + 1], &f = td[3 * k + 2];
                double p[3] = {d[1] * f.z - d[2] * f.y, d[2] * f.x - d[0] * f.z, d[0] * f.y - d[1] * f.x};
                double det = e.x * p[0] + e.y * p[1] + e.z * p[2];
                if (std::fabs(det) < 1e-12) continue;
                double s[3] = {o[0] - v.x, o[1] - v.y, o[2] - v.z}, u = (s[0] * p[0] + s[1] * p[1] + s[2] * p[2]) / det;
                if (u < -1e-5 || u > 1.00001) continue;
                double q[3] = {s[1] * e.z - s[2] * e.y, s[2] * e.x - s[0] * e.z, s[0] * e.y - s[1] * e.x};
                double w = (d[0] * q[0] + d[1] * q[1] + d[2] * q[2]) / det;
                if (w < -1e-5 || u + w > 1.00001) continue;
                double t = (f.x * q[0] + f.y * q[1] + f.z * q[2]) / det;
                if (t > 1e-3 && t < best) best = t, hit = k;
            }
        }
        if ((hit < 0) != (gi[r] < 0) || gi[r] >= (int)tr.size() || (hit >= 0 && !near_to(gt[r], best, 2e-3 * best))) ++bad;
    }
    return bad <= NR / 500;  // rays grazing an edge may legitimately differ
}
}  // namespace bvh

// ================================ 29. leaderboards: best eight per bucket, one spin lock a bucket
namespace board {
constexpr int BUCKETS = 4096, BEST = 8;

__global__ __launch_bounds__(256) void leaderboard_bucket_locks(const u32* __restrict__ bucket, const ull* __restrict__ entry, int n, int* lock, ull* top) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const u32 b = bucket[i];
    const ull cand = entry[i];  // score in the high word, event id below
    volatile ull* t = top + (size_t)b * BEST;
    bool done = false;
    while (!done) {
        if (cand <= t[BEST - 1]) break;  // the eighth best only ever grows
        if (atomicCAS(lock + b, 0, 1) == 0) {
            __threadfence();
            ull r[BEST];
#pragma unroll
            for (int k = 0; k < BEST; ++k) r[k] = t[k];
#pragma unroll
            for (int k = BEST - 1; k > 0; --k)
                if (r[k] < cand) t[k] = r[k - 1] < cand ? r[k - 1] : cand;
            if (r[0] < cand) t[0] = cand;
            __threadfence();
            atomicExch(lock + b, 0);
            done = true;
        } else {
            __nanosleep(200);
        }
    }
}

static bool run() {
    const int N = 262144;
    Rng g(2929);
    vector<u32> b(N);
    vector<ull> e(N), ref((size_t)BUCKETS * BEST, 0);
    for (int i = 0; i < N; ++i) {
        b[i] = g.below(3) ? g.below(BUCKETS) : g.pareto(BUCKETS, 0.7);
        e[i] = (ull)(u32)(1000000 + 150000 * g.gauss()) << 32 | (ull)(i + 1);
    }
    for (int i = 0; i < N; ++i) {
        ull* t = &ref[(size_t)b[i] * BEST];
        if (e[i] <= t[BEST - 1]) continue;
        int k = BEST - 1;
        for (; k > 0 && t[k - 1] < e[i]; --k) t[k] = t[k - 1];
        t[k] = e[i];
    }
    Buf<u32> db(b);
    Buf<ull> de(e), dt((size_t)BUCKETS * BEST);
    Buf<int> dl(BUCKETS);
    four_times(
        [&] {
            dt.fill(0);
            dl.fill(0);
        },
        [&] { leaderboard_bucket_locks<<<cdiv(N, 256), 256>>>(db.d, de.d, N, dl.d, dt.d); });
    return dt.get() == ref;
}
}  // namespace board

// --------------------------------------------------------------------------------------------- main
int main() {
    struct Case {
        const char* name;
        bool (*run)();
    };
    const Case cases[] = {
        {"lbm_d3q19_pull_bgk", lbm::run},
        {"euler_hllc_muscl_step", euler::run},
        {"seismic_iso8_zmarch", seismic::run},
        {"sssp_ticket_worklist", sssp::run},
        {"spmv_sell_sigma_f64", sell::run},
        {"pcg_fused_update_dots", pcg::run},
        {"lj_verlet_force", ljmd::run},
        {"pic_tsc_deposit_tiles", pic::run},
        {"bh_walk_warpvote", bhut::run},
        {"ising_multispin_halfsweep", ising::run},
        {"ntt_goldilocks_negacyclic", ntt::run},
        {"bigint_comba_mul4096", bigint::run},
        {"sw_affine_systolic_warp", swalign::run},
        {"fmindex_count_reads", fmidx::run},
        {"hashjoin_probe_emit", hjoin::run},
        {"groupby_smem_preagg", gby::run},
        {"parquet_hybrid_dict_decode", parquet::run},
        {"radix_partition_stable", radix::run},
        {"json_structural_lookback", json::run},
        {"huffman_restart_decode", huff::run},
        {"bilateral_rgba_tex_surf", bilat::run},
        {"sgm_path_aggregate4", sgm::run},
        {"ccl_unionfind_merge8", ccl::run},
        {"sift_descriptor_trilinear", sift::run},
        {"paged_gqa_attn_decode", paged::run},
        {"gemv_q4_0_dp4a", q4::run},
        {"topk_radix_select_rows", topk::run},
        {"bvh_closest_hit", bvh::run},
        {"leaderboard_bucket_locks", board::run},
    };
    int wrong = 0;
    for (const Case& c : cases) {
        bool good = c.run();
        if (!good) ++wrong;
        std::printf("%s %s\n", good ? "ok" : "WRONG", c.name);
        std::fflush(stdout);
    }
    std::printf("%d wrong of %d\n", wrong, (int)(sizeof cases / sizeof cases[0]));
    return wrong ? 1 : 0;
}
