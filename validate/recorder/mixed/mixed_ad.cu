// mixed_ad.cu : 29 small, self-checking GPU kernels from everyday scientific computing.
// build: nvcc -std=c++17 -O3 -arch=sm_90 -o mixed_ad mixed_ad.cu
#include <algorithm>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <unordered_map>
#include <vector>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned char u8;
constexpr u32 FULL = 0xffffffffu;

#define CK(call)                                                                        \
    do {                                                                                \
        cudaError_t e_ = (call);                                                        \
        if (e_ != cudaSuccess) {                                                        \
            fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(e_));  \
            exit(2);                                                                    \
        }                                                                               \
    } while (0)

int g_bad = 0;
void report(const char* name, bool ok)
{
    printf("%s %s\n", name, ok ? "ok" : "WRONG");
    fflush(stdout);
    if (!ok) g_bad++;
}
void finish_launch()
{
    CK(cudaGetLastError());
    CK(cudaDeviceSynchronize());
}

struct Rng {
    u64 s;
    explicit Rng(u64 seed) : s(seed * 0x9E3779B97F4A7C15ull + 12345) {}
    u64 next()
    {
        u64 z = (s += 0x9E3779B97F4A7C15ull);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
        return z ^ (z >> 31);
    }
    double uni() { return (double)(next() >> 11) * (1.0 / 9007199254740992.0); }
    float unif(float a, float b) { return a + (b - a) * (float)uni(); }
    int below(int n) { return (int)((next() >> 32) * (u64)n >> 32); }
    float normal()  // Irwin-Hall, good enough for test data
    {
        u64 a = next(), b = next();
        float t = 0;
        for (int i = 0; i < 4; i++) t += (float)((a >> (16 * i)) & 0xffff) + (float)((b >> (16 * i)) & 0xffff);
        return (t / 65536.0f - 4.0f) * 1.2247449f;
    }
    int zipf(int n, double first)  // log-uniform rank in [0,n)
    {
        double r = first * exp(uni() * log((n + first) / first)) - first;
        return std::min(n - 1, (int)r);
    }
};

template <class T> T* to_dev(const std::vector<T>& v)
{
    T* p;
    CK(cudaMalloc(&p, v.size() * sizeof(T)));
    CK(cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice));
    return p;
}
template <class T> T* dev_fill(size_t n, int byte = 0)
{
    T* p;
    CK(cudaMalloc(&p, n * sizeof(T)));
    CK(cudaMemset(p, byte, n * sizeof(T)));
    return p;
}
template <class T> std::vector<T> to_host(const T* p, size_t n)
{
    std::vector<T> v(n);
    CK(cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost));
    return v;
}
bool near_to(double got, double ref, double rtol, double atol)
{
    return fabs(got - ref) <= atol + rtol * fabs(ref);  // false for NaN
}

// ---------------------------------------------------------------------------------------
// 1. embedding-bag gather: half a warp per bag, fp16 rows of 128, 16-byte loads
// ---------------------------------------------------------------------------------------
__global__ void __launch_bounds__(256)
embed_bag_gather_h128(const uint4* __restrict__ table, const int* __restrict__ offsets,
                      const int* __restrict__ idx, const float* __restrict__ weight,
                      float4* __restrict__ out, int nbags)
{
    int bag = (blockIdx.x * blockDim.x + threadIdx.x) >> 4;
    int part = threadIdx.x & 15;
    if (bag >= nbags) return;
    int beg = offsets[bag], end = offsets[bag + 1];
    float acc[8] = {0.f, 0.f, 0.f, 0.f, 0.f, 0.f, 0.f, 0.f};
    for (int j = beg; j < end; j++) {
        float w = weight[j];
        uint4 q = __ldg(&table[(size_t)idx[j] * 16 + part]);
        const u32 raw[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
        for (int k = 0; k < 4; k++) {
            __half2_raw hr;
            hr.x = (unsigned short)(raw[k] & 0xffffu);
            hr.y = (unsigned short)(raw[k] >> 16);
            float2 f = __half22float2(__half2(hr));
            acc[2 * k] = fmaf(w, f.x, acc[2 * k]);
            acc[2 * k + 1] = fmaf(w, f.y, acc[2 * k + 1]);
        }
    }
    float4* o = out + (size_t)bag * 32 + part * 2;
    o[0] = make_float4(acc[0], acc[1], acc[2], acc[3]);
    o[1] = make_float4(acc[4], acc[5], acc[6], acc[7]);
}

void run_embed_bag(int vocab, int nbags)
{
    Rng r(1);
    std::vector<__half> tab((size_t)vocab * 128);
    std::vector<float> tabf(tab.size());
    for (size_t i = 0; i < tab.size(); i++) {
        tab[i] = __float2half(r.unif(-1.f, 1.f));
        tabf[i] = __half2float(tab[i]);
    }
    std::vector<int> off(nbags + 1, 0), idx;
    std::vector<float> w;
    for (int b = 0; b < nbags; b++) {
        int len = 1 + r.below(16);
        for (int j = 0; j < len; j++) {
            idx.push_back((int)((u64)r.zipf(vocab, 30.0) * 7919u % (u64)vocab));
            w.push_back(r.unif(0.1f, 1.f));
        }
        off[b + 1] = (int)idx.size();
    }
    __half* dt = to_dev(tab);
    int *doff = to_dev(off), *didx = to_dev(idx);
    float* dw = to_dev(w);
    float* dout = dev_fill<float>((size_t)nbags * 128);
    embed_bag_gather_h128<<<(nbags + 15) / 16, 256>>>((const uint4*)dt, doff, didx, dw, (float4*)dout, nbags);
    finish_launch();
    auto out = to_host(dout, (size_t)nbags * 128);
    bool ok = true;
    std::vector<float> acc(128);
    for (int b = 0; b < nbags; b++) {
        std::fill(acc.begin(), acc.end(), 0.f);
        for (int j = off[b]; j < off[b + 1]; j++)
            for (int c = 0; c < 128; c++) acc[c] += w[j] * tabf[(size_t)idx[j] * 128 + c];
        for (int c = 0; c < 128; c++) ok &= near_to(out[(size_t)b * 128 + c], acc[c], 1e-4, 1e-4);
    }
    report("embed_bag_gather_h128", ok);
    cudaFree(dt); cudaFree(doff); cudaFree(didx); cudaFree(dw); cudaFree(dout);
}

// ---------------------------------------------------------------------------------------
// 2. FEM: matrix-free Laplacian on linear tetrahedra, gather nodes, scatter-add residual
// ---------------------------------------------------------------------------------------
__global__ void fem_tet_laplace_scatter(int ne, const int4* __restrict__ conn, const double* __restrict__ px,
                                        const double* __restrict__ py, const double* __restrict__ pz,
                                        const double* __restrict__ u, const float* __restrict__ kappa,
                                        double* __restrict__ res)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= ne) return;
    int4 c = conn[e];
    double x0 = px[c.x], y0 = py[c.x], z0 = pz[c.x], u0 = u[c.x];
    double ax = px[c.y] - x0, ay = py[c.y] - y0, az = pz[c.y] - z0, ua = u[c.y] - u0;
    double bx = px[c.z] - x0, by = py[c.z] - y0, bz = pz[c.z] - z0, ub = u[c.z] - u0;
    double dx = px[c.w] - x0, dy = py[c.w] - y0, dz = pz[c.w] - z0, ud = u[c.w] - u0;
    double g1x = by * dz - bz * dy, g1y = bz * dx - bx * dz, g1z = bx * dy - by * dx;
    double g2x = dy * az - dz * ay, g2y = dz * ax - dx * az, g2z = dx * ay - dy * ax;
    double g3x = ay * bz - az * by, g3y = az * bx - ax * bz, g3z = ax * by - ay * bx;
    double det = ax * g1x + ay * g1y + az * g1z;
    double gx = ua * g1x + ub * g2x + ud * g3x;
    double gy = ua * g1y + ub * g2y + ud * g3y;
    double gz = ua * g1z + ub * g2z + ud * g3z;
    double s = (double)kappa[e] / (6.0 * fabs(det));
    double r1 = s * (g1x * gx + g1y * gy + g1z * gz);
    double r2 = s * (g2x * gx + g2y * gy + g2z * gz);
    double r3 = s * (g3x * gx + g3y * gy + g3z * gz);
    atomicAdd(&res[c.x], -(r1 + r2 + r3));
    atomicAdd(&res[c.y], r1);
    atomicAdd(&res[c.z], r2);
    atomicAdd(&res[c.w], r3);
}

void run_fem_tet(int nc)
{
    Rng r(2);
    int np = nc + 1, nn = np * np * np;
    std::vector<double> x(nn), y(nn), z(nn), u(nn);
    for (int k = 0; k < np; k++)
        for (int j = 0; j < np; j++)
            for (int i = 0; i < np; i++) {
                int n = (k * np + j) * np + i;
                x[n] = (i + 0.1 * r.unif(-1, 1)) / nc;
                y[n] = (j + 0.1 * r.unif(-1, 1)) / nc;
                z[n] = (k + 0.1 * r.unif(-1, 1)) / nc;
                u[n] = sin(3 * x[n]) * cos(2 * y[n]) + z[n] * z[n] + 0.01 * r.uni();
            }
    static const int perm[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    std::vector<int4> conn;
    int step[3] = {1, np, np * np};
    for (int k = 0; k < nc; k++)
        for (int j = 0; j < nc; j++)
            for (int i = 0; i < nc; i++)
                for (int p = 0; p < 6; p++) {
                    int a = (k * np + j) * np + i, b = a + step[perm[p][0]], c = b + step[perm[p][1]], d = c + step[perm[p][2]];
                    conn.push_back(make_int4(a, b, c, d));
                }
    int ne = (int)conn.size();
    for (int i = 0; i < ne; i++) std::swap(conn[i], conn[std::min(ne - 1, i + r.below(512))]);
    std::vector<float> kap(ne);
    for (auto& k : kap) k = r.unif(0.5f, 2.f);
    int4* dc = to_dev(conn);
    double *dx = to_dev(x), *dy = to_dev(y), *dz = to_dev(z), *du = to_dev(u), *dr = dev_fill<double>(nn);
    float* dk = to_dev(kap);
    fem_tet_laplace_scatter<<<(ne + 127) / 128, 128>>>(ne, dc, dx, dy, dz, du, dk, dr);
    finish_launch();
    auto res = to_host(dr, nn);
    std::vector<double> ref(nn, 0.0);
    for (int e = 0; e < ne; e++) {
        int n[4] = {conn[e].x, conn[e].y, conn[e].z, conn[e].w};
        double E[3][3], g[3][3], du_[3];
        for (int m = 0; m < 3; m++) {
            E[m][0] = x[n[m + 1]] - x[n[0]];
            E[m][1] = y[n[m + 1]] - y[n[0]];
            E[m][2] = z[n[m + 1]] - z[n[0]];
            du_[m] = u[n[m + 1]] - u[n[0]];
        }
        for (int m = 0; m < 3; m++) {
            double *p = E[(m + 1) % 3], *q = E[(m + 2) % 3];
            for (int d = 0; d < 3; d++) g[m][d] = p[(d + 1) % 3] * q[(d + 2) % 3] - p[(d + 2) % 3] * q[(d + 1) % 3];
        }
        double det = E[0][0] * g[0][0] + E[0][1] * g[0][1] + E[0][2] * g[0][2];
        double gr[3];
        for (int d = 0; d < 3; d++) gr[d] = du_[0] * g[0][d] + du_[1] * g[1][d] + du_[2] * g[2][d];
        for (int m = 0; m < 3; m++) {
            double v = kap[e] / (6 * fabs(det)) * (g[m][0] * gr[0] + g[m][1] * gr[1] + g[m][2] * gr[2]);
            ref[n[m + 1]] += v;
            ref[n[0]] -= v;
        }
    }
    double mx = 0;
    for (double v : ref) mx = std::max(mx, fabs(v));
    bool ok = mx > 0;
    for (int i = 0; i < nn; i++) ok &= near_to(res[i], ref[i], 0, 1e-10 * mx);
    report("fem_tet_laplace_scatter", ok);
    cudaFree(dc); cudaFree(dx); cudaFree(dy); cudaFree(dz); cudaFree(du); cudaFree(dr); cudaFree(dk);
}

// ---------------------------------------------------------------------------------------
// 3. CSR scalar SpMV, double precision: residual r = b - A x of a 3-D convection-diffusion operator
// ---------------------------------------------------------------------------------------
__global__ void spmv_csr_scalar_residual(int n, const int* __restrict__ rowptr, const int* __restrict__ col,
                                         const double* __restrict__ val, const double* __restrict__ x,
                                         const double* __restrict__ b, double* __restrict__ r)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n) {
        double s = b[row];
        int end = rowptr[row + 1];
        for (int j = rowptr[row]; j < end; ++j) s -= val[j] * x[col[j]];
        r[row] = s;
    }
}

void run_csr_scalar(int m)
{
    Rng rg(3);
    int n = m * m * m;
    std::vector<int> rp(1, 0), col;
    std::vector<double> val, x(n), b(n);
    for (int k = 0; k < m; k++)
        for (int j = 0; j < m; j++)
            for (int i = 0; i < m; i++) {
                int c = (k * m + j) * m + i;
                double vx = 0.3 * sin(6.28 * j / m), diag = 0;
                size_t dpos = 0;
                auto put = [&](int q, double v) { col.push_back(q); val.push_back(v); diag -= v; };
                if (k > 0) put(c - m * m, -1 - 0.1 * rg.uni());
                if (j > 0) put(c - m, -1 - 0.1 * rg.uni());
                if (i > 0) put(c - 1, -1 - vx);
                dpos = val.size();
                col.push_back(c);
                val.push_back(0);
                if (i < m - 1) put(c + 1, -1 + vx);
                if (j < m - 1) put(c + m, -1 - 0.1 * rg.uni());
                if (k < m - 1) put(c + m * m, -1 - 0.1 * rg.uni());
                val[dpos] = diag + 0.05;
                rp.push_back((int)col.size());
                x[c] = rg.normal();
                b[c] = rg.normal();
            }
    int *drp = to_dev(rp), *dc = to_dev(col);
    double *dv = to_dev(val), *dx = to_dev(x), *db = to_dev(b), *dr = dev_fill<double>(n);
    spmv_csr_scalar_residual<<<(n + 255) / 256, 256>>>(n, drp, dc, dv, dx, db, dr);
    finish_launch();
    auto r = to_host(dr, n);
    bool ok = true;
    for (int i = 0; i < n; i++) {
        double s = b[i];
        for (int j = rp[i]; j < rp[i + 1]; j++) s -= val[j] * x[col[j]];
        ok &= near_to(r[i], s, 1e-11, 1e-11);
    }
    report("spmv_csr_scalar_residual", ok);
    cudaFree(drp); cudaFree(dc); cudaFree(dv); cudaFree(dx); cudaFree(db); cudaFree(dr);
}

// ---------------------------------------------------------------------------------------
// 4. CSR vector SpMV: one warp per row, PageRank update on a skewed web-like graph
// ---------------------------------------------------------------------------------------
__global__ void __launch_bounds__(128)
pagerank_csr_vector(int n, const int* __restrict__ rowptr, const int* __restrict__ col,
                    const float* __restrict__ val, const float* __restrict__ rank_in,
                    float* __restrict__ rank_out, float damp, float base)
{
    int lane = threadIdx.x & 31;
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    int nwarps = (gridDim.x * blockDim.x) >> 5;
    for (int row = warp; row < n; row += nwarps) {
        int b = rowptr[row], e = rowptr[row + 1];
        float s = 0.f;
        for (int j = b + lane; j < e; j += 32) s += val[j] * __ldg(&rank_in[col[j]]);
        for (int o = 16; o; o >>= 1) s += __shfl_xor_sync(FULL, s, o);
        if (lane == 0) rank_out[row] = fmaf(damp, s, base);
    }
}

void run_pagerank(int n)
{
    Rng r(4);
    std::vector<int> rp(1, 0), col, outdeg(n, 0);
    for (int i = 0; i < n; i++) {
        int len = std::min(3000, (int)(7.0 / pow(r.uni() + 1e-9, 0.6)));
        if (r.below(50) == 0) len = 0;
        for (int j = 0; j < len; j++) {
            int c = (int)((u64)r.zipf(n, 200.0) * 48271u % (u64)n);
            col.push_back(c);
            outdeg[c]++;
        }
        rp.push_back((int)col.size());
    }
    std::vector<float> val(col.size()), x(n);
    for (size_t j = 0; j < col.size(); j++) val[j] = 1.f / outdeg[col[j]];
    for (auto& v : x) v = r.unif(0.1f, 1.9f);
    int *drp = to_dev(rp), *dc = to_dev(col);
    float *dv = to_dev(val), *dx = to_dev(x), *dy = dev_fill<float>(n);
    int blocks = std::min((n + 3) / 4, 132 * 16);
    pagerank_csr_vector<<<blocks, 128>>>(n, drp, dc, dv, dx, dy, 0.85f, 0.15f);
    finish_launch();
    auto y = to_host(dy, n);
    bool ok = true;
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = rp[i]; j < rp[i + 1]; j++) s += (double)val[j] * x[col[j]];
        ok &= near_to(y[i], 0.15 + 0.85 * s, 1e-4, 1e-6);
    }
    report("pagerank_csr_vector", ok);
    cudaFree(drp); cudaFree(dc); cudaFree(dv); cudaFree(dx); cudaFree(dy);
}

// ---------------------------------------------------------------------------------------
// 5. Sliced ELL (SELL-32-256) SpMV, x read through a 1-D linear texture
// ---------------------------------------------------------------------------------------
__global__ void spmv_sell32_tex(int nrows_padded, const int* __restrict__ slice_ptr, const int* __restrict__ col,
                                const float* __restrict__ val, const int* __restrict__ perm,
                                cudaTextureObject_t xtex, float* __restrict__ y)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= nrows_padded) return;
    int s = r >> 5;
    int end = slice_ptr[s + 1];
    float acc = 0.f;
    for (int p = slice_ptr[s] + (r & 31); p < end; p += 32) {
        int c = col[p];
        if (c >= 0) acc = fmaf(val[p], tex1Dfetch<float>(xtex, c), acc);
    }
    int dst = perm[r];
    if (dst >= 0) y[dst] = acc;
}

void run_sell(int n)
{
    Rng r(5);
    std::vector<std::vector<int>> rows(n);
    for (int i = 0; i < n; i++) {
        int len = 4 + r.below(14) + (r.below(20) == 0 ? 30 : 0);
        for (int j = 0; j < len; j++) {
            int c = r.below(4) ? i + r.below(401) - 200 : r.below(n);
            rows[i].push_back(std::min(n - 1, std::max(0, c)));
        }
    }
    int npad = (n + 31) / 32 * 32;
    std::vector<int> perm(npad, -1);
    std::iota(perm.begin(), perm.begin() + n, 0);
    for (int w = 0; w < n; w += 256)
        std::stable_sort(perm.begin() + w, perm.begin() + std::min(n, w + 256),
                         [&](int a, int b) { return rows[a].size() > rows[b].size(); });
    std::vector<int> sp(1, 0), col;
    std::vector<float> val, x(n);
    for (auto& v : x) v = r.normal();
    std::vector<double> ref(n, 0.0);
    for (int s = 0; s < npad / 32; s++) {
        size_t w = 0;
        for (int l = 0; l < 32; l++)
            if (perm[s * 32 + l] >= 0) w = std::max(w, rows[perm[s * 32 + l]].size());
        for (size_t j = 0; j < w; j++)
            for (int l = 0; l < 32; l++) {
                int row = perm[s * 32 + l];
                if (row >= 0 && j < rows[row].size()) {
                    float v = r.unif(-1.f, 1.f);
                    col.push_back(rows[row][j]);
                    val.push_back(v);
                    ref[row] += (double)v * x[rows[row][j]];
                } else {
                    col.push_back(-1);
                    val.push_back(0.f);
                }
            }
        sp.push_back((int)col.size());
    }
    int *dsp = to_dev(sp), *dc = to_dev(col), *dp = to_dev(perm);
    float *dv = to_dev(val), *dx = to_dev(x), *dy = dev_fill<float>(n);
    cudaResourceDesc rd;
    memset(&rd, 0, sizeof rd);
    rd.resType = cudaResourceTypeLinear;
    rd.res.linear.devPtr = dx;
    rd.res.linear.desc = cudaCreateChannelDesc<float>();
    rd.res.linear.sizeInBytes = (size_t)n * sizeof(float);
    cudaTextureDesc td;
    memset(&td, 0, sizeof td);
    td.readMode = cudaReadModeElementType;
    cudaTextureObject_t tex;
    CK(cudaCreateTextureObject(&tex, &rd, &td, nullptr));
    spmv_sell32_tex<<<(npad + 191) / 192, 192>>>(npad, dsp, dc, dv, dp, tex, dy);
    finish_launch();
    auto y = to_host(dy, n);
    bool ok = true;
    for (int i = 0; i < n; i++) ok &= near_to(y[i], ref[i], 1e-4, 1e-4);
    report("spmv_sell32_tex", ok);
    CK(cudaDestroyTextureObject(tex));
    cudaFree(dsp); cudaFree(dc); cudaFree(dp); cudaFree(dv); cudaFree(dx); cudaFree(dy);
}

// ---------------------------------------------------------------------------------------
// 6. 256-bin histogram of an 8-bit image, one private sub-histogram per warp in shared memory
// ---------------------------------------------------------------------------------------
__global__ void __launch_bounds__(256)
hist256_warp_private(const uint4* __restrict__ img, int n16, u32* __restrict__ hist)
{
    __shared__ u32 sub[8][256];
    for (int i = threadIdx.x; i < 8 * 256; i += 256) (&sub[0][0])[i] = 0;
    __syncthreads();
    u32* mine = sub[threadIdx.x >> 5];
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n16; i += gridDim.x * 256) {
        uint4 q = img[i];
        const u32 w[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
        for (int k = 0; k < 4; k++) {
            atomicAdd(&mine[w[k] & 255u], 1u);
            atomicAdd(&mine[(w[k] >> 8) & 255u], 1u);
            atomicAdd(&mine[(w[k] >> 16) & 255u], 1u);
            atomicAdd(&mine[w[k] >> 24], 1u);
        }
    }
    __syncthreads();
    u32 t = 0;
#pragma unroll
    for (int k = 0; k < 8; k++) t += sub[k][threadIdx.x];
    if (t) atomicAdd(&hist[threadIdx.x], t);
}

std::vector<u8> make_image(int w, int h, u64 seed)
{
    Rng r(seed);
    std::vector<u8> img((size_t)w * h);
    std::vector<float> sx(w);
    for (int x = 0; x < w; x++) sx[x] = 40.f * sinf(x * 0.013f) + 20.f * cosf(x * 0.11f);
    for (int y = 0; y < h; y++) {
        float sy = 90.f + 50.f * cosf(y * 0.007f);
        u64 bits = 0;
        for (int x = 0; x < w; x++) {
            if ((x & 7) == 0) bits = r.next();
            float v = sy + sx[x] * ((y >> 6) & 1 ? 1.f : 0.6f) + (float)((bits >> ((x & 7) * 8)) & 31);
            if (((x >> 7) + (y >> 7)) % 5 == 0) v += 45.f;
            img[(size_t)y * w + x] = (u8)std::min(255.f, std::max(0.f, v));
        }
    }
    return img;
}

void run_hist256(int w, int h)
{
    auto img = make_image(w, h, 6);
    int n16 = (int)(img.size() / 16);
    u8* di = to_dev(img);
    u32* dh = dev_fill<u32>(256);
    hist256_warp_private<<<std::min((n16 + 255) / 256, 132 * 6), 256>>>((const uint4*)di, n16, dh);
    finish_launch();
    auto hg = to_host(dh, 256);
    std::vector<u32> ref(256, 0);
    for (size_t i = 0; i < (size_t)n16 * 16; i++) ref[img[i]]++;
    report("hist256_warp_private", hg == ref);
    cudaFree(di); cudaFree(dh);
}

// ---------------------------------------------------------------------------------------
// 7. top-down BFS step: one warp per frontier vertex, claims by CAS, warp-aggregated queue append
// ---------------------------------------------------------------------------------------
__global__ void bfs_topdown_step(const int* __restrict__ rowptr, const int* __restrict__ adj,
                                 const int* __restrict__ frontier, int nf, int* dist, int level,
                                 int* __restrict__ next, int* next_size)
{
    const int lane = threadIdx.x & 31;
    const int nw = (gridDim.x * blockDim.x) >> 5;
    for (int f = (blockIdx.x * blockDim.x + threadIdx.x) >> 5; f < nf; f += nw) {
        int v = frontier[f];
        int beg = rowptr[v], end = rowptr[v + 1];
        for (int e0 = beg; e0 < end; e0 += 32) {
            int e = e0 + lane, w = -1;
            bool won = false;
            if (e < end) {
                w = adj[e];
                if (dist[w] < 0) won = atomicCAS(&dist[w], -1, level) == -1;
            }
            u32 m = __ballot_sync(FULL, won);
            if (m) {
                int base = 0;
                if (lane == 0) base = atomicAdd(next_size, __popc(m));
                base = __shfl_sync(FULL, base, 0);
                if (won) next[base + __popc(m & ((1u << lane) - 1u))] = w;
            }
        }
    }
}

void run_bfs(int scale, int nedges)
{
    Rng r(7);
    int n = 1 << scale;
    std::vector<std::pair<int, int>> ed(nedges);
    for (auto& e : ed) {
        u64 b = r.next();
        u32 s = 0, d = 0;
        for (int l = 0; l < scale; l++, b >>= 4) {
            static const u8 quad[16] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3};
            if (l == 12) b = r.next();
            u8 q = quad[b & 15];
            s = 2 * s + (q >> 1);
            d = 2 * d + (q & 1);
        }
        e.first = (int)((s * 2654435761u) & (u32)(n - 1));
        e.second = (int)((d * 2654435761u) & (u32)(n - 1));
    }
    std::vector<int> rp(n + 1, 0), adj(2 * (size_t)nedges);
    for (auto& e : ed) { rp[e.first + 1]++; rp[e.second + 1]++; }
    for (int i = 0; i < n; i++) rp[i + 1] += rp[i];
    std::vector<int> cur(rp.begin(), rp.end() - 1);
    for (auto& e : ed) { adj[cur[e.first]++] = e.second; adj[cur[e.second]++] = e.first; }
    // host BFS from a quiet neighbour of the biggest hub; keep the level with most outgoing edges
    int hub = 0;
    for (int i = 0; i < n; i++)
        if (rp[i + 1] - rp[i] > rp[hub + 1] - rp[hub]) hub = i;
    int src = hub;
    for (int e = rp[hub]; e < rp[hub + 1]; e++)
        if (rp[adj[e] + 1] - rp[adj[e]] < rp[src + 1] - rp[src]) src = adj[e];
    std::vector<int> dist(n, -1);
    std::vector<std::vector<int>> lev(1, std::vector<int>(1, src));
    dist[src] = 0;
    while (!lev.back().empty()) {
        std::vector<int> nx;
        int d = (int)lev.size();
        for (int v : lev.back())
            for (int e = rp[v]; e < rp[v + 1]; e++)
                if (dist[adj[e]] < 0) { dist[adj[e]] = d; nx.push_back(adj[e]); }
        lev.push_back(nx);
    }
    size_t best = 0;
    long bestw = -1;
    for (size_t l = 0; l + 1 < lev.size(); l++) {
        long w = 0;
        for (int v : lev[l]) w += rp[v + 1] - rp[v];
        if (w > bestw) { bestw = w; best = l; }
    }
    int level = (int)best + 1;
    std::vector<int> before(n), after(n);
    for (int i = 0; i < n; i++) {
        before[i] = dist[i] <= (int)best ? dist[i] : -1;
        after[i] = dist[i] <= level ? dist[i] : -1;
    }
    int nf = (int)lev[best].size();
    int *drp = to_dev(rp), *da = to_dev(adj), *df = to_dev(lev[best]), *dd = to_dev(before);
    int *dn = dev_fill<int>(n), *dns = dev_fill<int>(1);
    bfs_topdown_step<<<std::min((nf + 7) / 8, 132 * 8), 256>>>(drp, da, df, nf, dd, level, dn, dns);
    finish_launch();
    auto got = to_host(dd, n);
    auto nx = to_host(dn, n);
    int cnt = to_host(dns, 1)[0];
    bool ok = got == after && cnt == (int)lev[level].size();
    if (ok) {
        nx.resize(cnt);
        std::sort(nx.begin(), nx.end());
        auto ref = lev[level];
        std::sort(ref.begin(), ref.end());
        ok = nx == ref;
    }
    report("bfs_topdown_step", ok);
    cudaFree(drp); cudaFree(da); cudaFree(df); cudaFree(dd); cudaFree(dn); cudaFree(dns);
}

// ---------------------------------------------------------------------------------------
// 8. open-addressing hash table: insert keys with CAS, count them, remember first occurrence
// ---------------------------------------------------------------------------------------
__host__ __device__ inline u32 mix32(u32 k)
{
    k ^= k >> 16;
    k *= 0x85ebca6bu;
    k ^= k >> 13;
    k *= 0xc2b2ae35u;
    k ^= k >> 16;
    return k;
}

__global__ void hash_count_insert(const u32* __restrict__ keys, int n, u32* slots, u32* count, int* first, u32 mask)
{
    const u32 EMPTY = 0xffffffffu;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    u32 k = keys[i];
    u32 h = mix32(k) & mask;
    for (;;) {
        u32 cur = slots[h];
        if (cur == EMPTY) cur = atomicCAS(&slots[h], EMPTY, k);
        if (cur == EMPTY || cur == k) {
            atomicAdd(&count[h], 1u);
            atomicMin(&first[h], i);
            return;
        }
        h = (h + 1) & mask;
    }
}

void run_hash(int n, int distinct, u32 cap)
{
    Rng r(8);
    std::vector<u32> keys(n);
    for (auto& k : keys) k = (u32)r.zipf(distinct, 100.0) * 2246822519u & 0x7fffffffu;
    u32* dk = to_dev(keys);
    u32 *ds = dev_fill<u32>(cap, 0xff), *dc = dev_fill<u32>(cap);
    int* df = dev_fill<int>(cap, 0x7f);
    hash_count_insert<<<(n + 255) / 256, 256>>>(dk, n, ds, dc, df, cap - 1);
    finish_launch();
    auto s = to_host(ds, cap);
    auto c = to_host(dc, cap);
    auto f = to_host(df, cap);
    std::unordered_map<u32, std::pair<u32, int>> ref;
    ref.reserve(2 * distinct);
    for (int i = 0; i < n; i++) {
        auto it = ref.find(keys[i]);
        if (it == ref.end()) ref.emplace(keys[i], std::make_pair(1u, i));
        else it->second.first++;
    }
    bool ok = true;
    size_t used = 0;
    for (u32 h = 0; h < cap; h++) {
        if (s[h] == 0xffffffffu) continue;
        used++;
        auto it = ref.find(s[h]);
        ok &= it != ref.end() && it->second.first == c[h] && it->second.second == f[h];
    }
    report("hash_count_insert", ok && used == ref.size());
    cudaFree(dk); cudaFree(ds); cudaFree(dc); cudaFree(df);
}

// ---------------------------------------------------------------------------------------
// 9. molecular-dynamics cell lists: push each particle on its cell's linked list (CAS loop)
// ---------------------------------------------------------------------------------------
__global__ void cell_list_push(const float4* __restrict__ pos, int n, float inv_cell, int nc, int* head, int* __restrict__ next)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float4 p = pos[i];
        int cx = min(nc - 1, max(0, (int)(p.x * inv_cell)));
        int cy = min(nc - 1, max(0, (int)(p.y * inv_cell)));
        int cz = min(nc - 1, max(0, (int)(p.z * inv_cell)));
        int c = (cz * nc + cy) * nc + cx;
        int old = head[c], seen;
        do {
            seen = old;
            next[i] = seen;
            old = atomicCAS(&head[c], seen, i);
        } while (old != seen);
    }
}

void run_cell_list(int n, int nc)
{
    Rng r(9);
    std::vector<float4> p(n);
    for (auto& q : p) {
        if (r.below(4) == 0) q = make_float4(0.5f + 0.08f * r.normal(), 0.4f + 0.08f * r.normal(), 0.6f + 0.08f * r.normal(), 1.f);
        else q = make_float4(r.unif(0, 1), r.unif(0, 1), r.unif(0, 1), 2.f);
    }
    int ncell = nc * nc * nc;
    float4* dp = to_dev(p);
    int *dh = dev_fill<int>(ncell, 0xff), *dn = dev_fill<int>(n);
    cell_list_push<<<std::min((n + 127) / 128, 132 * 16), 128>>>(dp, n, (float)nc, nc, dh, dn);
    finish_launch();
    auto h = to_host(dh, ncell);
    auto nx = to_host(dn, n);
    std::vector<u8> seen(n, 0);
    bool ok = true;
    int total = 0;
    auto cl = [&](float v) { return std::min(nc - 1, std::max(0, (int)(v * (float)nc))); };
    for (int c = 0; c < ncell && ok; c++)
        for (int i = h[c]; i != -1; i = nx[i]) {
            if (i < 0 || i >= n || seen[i] || (cl(p[i].z) * nc + cl(p[i].y)) * nc + cl(p[i].x) != c) { ok = false; break; }
            seen[i] = 1;
            total++;
        }
    report("cell_list_push", ok && total == n);
    cudaFree(dp); cudaFree(dh); cudaFree(dn);
}

// ---------------------------------------------------------------------------------------
// 10. zonal statistics of a raster: atomics of several types, pre-reduced when a warp sees one zone
// ---------------------------------------------------------------------------------------
struct ZoneTab {
    u32* cnt;
    double* sum;
    float* mn;
    float* mx;
    u32* classes;
    u64* slope;
};

__device__ inline void float_min_cas(float* addr, float v)
{
    int* a = reinterpret_cast<int*>(addr);
    int old = *a;
    while (v < __int_as_float(old)) {
        int assumed = old;
        old = atomicCAS(a, assumed, __float_as_int(v));
        if (old == assumed) break;
    }
}
__device__ inline void float_max_bits(float* addr, float v)
{
    if (v >= 0.f) atomicMax(reinterpret_cast<int*>(addr), __float_as_int(v));
    else atomicMin(reinterpret_cast<u32*>(addr), __float_as_uint(v));
}

__global__ void zonal_stats_atomics(const float* __restrict__ elev, const int* __restrict__ zone,
                                    const u8* __restrict__ cls, int n /* multiple of 32 */, ZoneTab t)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;  // whole warps leave together
    int z = zone[i];
    float v = elev[i];
    u32 bit = 1u << (cls[i] & 31);
    u32 sl = (u32)(fabsf(v) * 4.f);
    int uniform;
    __match_all_sync(FULL, z, &uniform);
    if (uniform) {
        double s = v;
        float lo = v, hi = v;
        for (int o = 16; o; o >>= 1) {
            s += __shfl_xor_sync(FULL, s, o);
            lo = fminf(lo, __shfl_xor_sync(FULL, lo, o));
            hi = fmaxf(hi, __shfl_xor_sync(FULL, hi, o));
        }
        u32 any = __reduce_or_sync(FULL, bit);
        u32 sls = __reduce_add_sync(FULL, sl);
        if ((threadIdx.x & 31) == 0) {
            atomicAdd(&t.cnt[z], 32u);
            atomicAdd(&t.sum[z], s);
            float_min_cas(&t.mn[z], lo);
            float_max_bits(&t.mx[z], hi);
            atomicOr(&t.classes[z], any);
            atomicAdd(&t.slope[z], (u64)sls);
        }
    } else {
        atomicInc(&t.cnt[z], 0xffffffffu);
        atomicAdd(&t.sum[z], (double)v);
        float_min_cas(&t.mn[z], v);
        float_max_bits(&t.mx[z], v);
        atomicOr(&t.classes[z], bit);
        atomicAdd(&t.slope[z], (u64)sl);
    }
}

void run_zonal(int w, int h, int zs)
{
    Rng r(10);
    int n = w * h, zx = w / zs, zy = h / zs, nz = zx * zy;
    std::vector<float> el(n);
    std::vector<int> zn(n);
    std::vector<u8> cl(n);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int i = y * w + x;
            el[i] = 400.f * sinf(x * 0.004f) * cosf(y * 0.003f) + r.unif(-20.f, 20.f);
            int xs = std::min(w - 1, std::max(0, x + (int)(10 * sinf(y * 0.1f))));
            int ys = std::min(h - 1, std::max(0, y + (int)(10 * sinf(x * 0.07f))));
            zn[i] = std::min(zy - 1, ys / zs) * zx + std::min(zx - 1, xs / zs);
            cl[i] = (u8)((x / 50 + y / 70) % 19);
        }
    std::vector<float> mn0(nz, FLT_MAX), mx0(nz, -FLT_MAX);
    float* de = to_dev(el);
    int* dz = to_dev(zn);
    u8* dc = to_dev(cl);
    ZoneTab t;
    t.cnt = dev_fill<u32>(nz);
    t.sum = dev_fill<double>(nz);
    t.mn = to_dev(mn0);
    t.mx = to_dev(mx0);
    t.classes = dev_fill<u32>(nz);
    t.slope = dev_fill<u64>(nz);
    zonal_stats_atomics<<<(n + 255) / 256, 256>>>(de, dz, dc, n, t);
    finish_launch();
    auto c = to_host(t.cnt, nz);
    auto s = to_host(t.sum, nz);
    auto mn = to_host(t.mn, nz), mx = to_host(t.mx, nz);
    auto cs = to_host(t.classes, nz);
    auto sl = to_host(t.slope, nz);
    std::vector<u32> rc(nz, 0), rcs(nz, 0);
    std::vector<double> rs(nz, 0.0);
    std::vector<u64> rsl(nz, 0);
    for (int i = 0; i < n; i++) {
        int z = zn[i];
        rc[z]++;
        rs[z] += el[i];
        mn0[z] = std::min(mn0[z], el[i]);
        mx0[z] = std::max(mx0[z], el[i]);
        rcs[z] |= 1u << (cl[i] & 31);
        rsl[z] += (u32)(fabsf(el[i]) * 4.f);
    }
    bool ok = c == rc && mn == mn0 && mx == mx0 && cs == rcs && sl == rsl;
    for (int z = 0; z < nz; z++) ok &= near_to(s[z], rs[z], 1e-9, 1e-4);
    report("zonal_stats_atomics", ok);
    cudaFree(de); cudaFree(dz); cudaFree(dc); cudaFree(t.cnt); cudaFree(t.sum); cudaFree(t.mn);
    cudaFree(t.mx); cudaFree(t.classes); cudaFree(t.slope);
}

// ---------------------------------------------------------------------------------------
// 11. bitonic sort of 2048 key/value pairs per block; alternate tiles run downwards
// ---------------------------------------------------------------------------------------
__global__ void __launch_bounds__(1024)
bitonic_tile_pairs(const float* __restrict__ kin, const u32* __restrict__ vin, float* __restrict__ kout, u32* __restrict__ vout)
{
    __shared__ float sk[2048];
    __shared__ u32 sv[2048];
    const int t = threadIdx.x;
    const size_t base = (size_t)blockIdx.x * 2048;
    sk[t] = kin[base + t];
    sk[t + 1024] = kin[base + t + 1024];
    sv[t] = vin[base + t];
    sv[t + 1024] = vin[base + t + 1024];
    const bool flip = blockIdx.x & 1;
    for (int size = 2; size <= 2048; size <<= 1)
        for (int stride = size >> 1; stride; stride >>= 1) {
            __syncthreads();
            int i = 2 * t - (t & (stride - 1));
            int j = i + stride;
            bool up = ((i & size) == 0) != flip;
            float a = sk[i], b = sk[j];
            u32 va = sv[i], vb = sv[j];
            bool greater = a > b || (a == b && va > vb);
            if (greater == up) {
                sk[i] = b; sk[j] = a;
                sv[i] = vb; sv[j] = va;
            }
        }
    __syncthreads();
    kout[base + t] = sk[t];
    kout[base + t + 1024] = sk[t + 1024];
    vout[base + t] = sv[t];
    vout[base + t + 1024] = sv[t + 1024];
}

void run_bitonic(int tiles)
{
    Rng r(11);
    int n = tiles * 2048;
    std::vector<float> k(n);
    std::vector<u32> v(n);
    for (int i = 0; i < n; i++) {
        k[i] = floorf(r.normal() * 3000.f) / 16.f;
        v[i] = (u32)i;
    }
    float *dk = to_dev(k), *dko = dev_fill<float>(n);
    u32 *dv = to_dev(v), *dvo = dev_fill<u32>(n);
    bitonic_tile_pairs<<<tiles, 1024>>>(dk, dv, dko, dvo);
    finish_launch();
    auto ko = to_host(dko, n);
    auto vo = to_host(dvo, n);
    bool ok = true;
    for (int t = 0; t < tiles; t++) {
        auto b = v.begin() + (size_t)t * 2048;
        std::sort(b, b + 2048, [&](u32 p, u32 q) { return k[p] < k[q] || (k[p] == k[q] && p < q); });
        if (t & 1) std::reverse(b, b + 2048);
    }
    for (int i = 0; i < n; i++) ok &= vo[i] == v[i] && ko[i] == k[v[i]];
    report("bitonic_tile_pairs", ok);
    cudaFree(dk); cudaFree(dko); cudaFree(dv); cudaFree(dvo);
}

// ---------------------------------------------------------------------------------------
// 12. radix sort, stable scatter pass for one 8-bit digit (block offsets already scanned)
// ---------------------------------------------------------------------------------------
__global__ void __launch_bounds__(256)
radix_scatter_digit8(const u32* __restrict__ kin, const u32* __restrict__ vin, u32* __restrict__ kout,
                     u32* __restrict__ vout, const u32* __restrict__ offs /* [256][gridDim.x] */, int shift)
{
    __shared__ u32 wh[8][256];
    const int t = threadIdx.x, lane = t & 31, w = t >> 5;
    for (int i = t; i < 2048; i += 256) (&wh[0][0])[i] = 0;
    __syncthreads();
    const int base = blockIdx.x * 2048 + w * 256 + lane;
    u32 key[8], rank[8];
#pragma unroll
    for (int k = 0; k < 8; k++) {
        key[k] = kin[base + 32 * k];
        u32 d = (key[k] >> shift) & 255u;
        u32 peers = __match_any_sync(FULL, d);
        u32 pre = wh[w][d];
        __syncwarp();
        u32 below = __popc(peers & ((1u << lane) - 1u));
        if (below == 0) wh[w][d] = pre + __popc(peers);
        __syncwarp();
        rank[k] = pre + below;
    }
    __syncthreads();
    u32 run = offs[(size_t)t * gridDim.x + blockIdx.x];
#pragma unroll
    for (int k = 0; k < 8; k++) {
        u32 c = wh[k][t];
        wh[k][t] = run;
        run += c;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; k++) {
        u32 dst = wh[w][(key[k] >> shift) & 255u] + rank[k];
        kout[dst] = key[k];
        vout[dst] = vin[base + 32 * k];
    }
}

void run_radix(int nblocks, int shift)
{
    Rng r(12);
    int n = nblocks * 2048;
    std::vector<u32> k(n), v(n), offs((size_t)256 * nblocks, 0);
    for (int i = 0; i < n; i++) {  // Morton-like keys with an uneven digit distribution
        k[i] = (u32)r.next() & (u32)r.next();
        v[i] = (u32)i ^ 0x5a5a5a5au;
    }
    for (int i = 0; i < n; i++) offs[(size_t)((k[i] >> shift) & 255u) * nblocks + i / 2048]++;
    u32 run = 0;
    for (auto& o : offs) { u32 c = o; o = run; run += c; }
    u32 *dk = to_dev(k), *dv = to_dev(v), *dof = to_dev(offs), *dko = dev_fill<u32>(n), *dvo = dev_fill<u32>(n);
    radix_scatter_digit8<<<nblocks, 256>>>(dk, dv, dko, dvo, dof, shift);
    finish_launch();
    auto ko = to_host(dko, n), vo = to_host(dvo, n);
    u32 start[257] = {0};
    for (int i = 0; i < n; i++) start[((k[i] >> shift) & 255u) + 1]++;
    for (int d = 0; d < 256; d++) start[d + 1] += start[d];
    bool ok = true;
    for (int i = 0; i < n; i++) {
        u32 p = start[(k[i] >> shift) & 255u]++;
        ok &= ko[p] == k[i] && vo[p] == v[i];
    }
    report("radix_scatter_digit8", ok);
    cudaFree(dk); cudaFree(dv); cudaFree(dof); cudaFree(dko); cudaFree(dvo);
}

// ---------------------------------------------------------------------------------------
// 13. merge path: merge two sorted arrays, 256 threads x 7 outputs per block
// ---------------------------------------------------------------------------------------
__device__ inline int merge_split(const int* a, int na, const int* b, int nb, int diag)
{
    int lo = max(0, diag - nb), hi = min(diag, na);
    while (lo < hi) {
        int mid = (lo + hi) >> 1;
        if (a[mid] <= b[diag - 1 - mid]) lo = mid + 1;
        else hi = mid;
    }
    return lo;
}

__global__ void __launch_bounds__(256)
merge_path_sorted_i32(const int* __restrict__ a, int na, const int* __restrict__ b, int nb, int* __restrict__ out)
{
    constexpr int VT = 7, TILE = 256 * VT;
    __shared__ int s[TILE];
    __shared__ int split[2];
    const int t = threadIdx.x;
    const int d0 = blockIdx.x * TILE, d1 = min(d0 + TILE, na + nb);
    if (t < 2) split[t] = merge_split(a, na, b, nb, t ? d1 : d0);
    __syncthreads();
    const int a0 = split[0], la = split[1] - a0, b0 = d0 - a0, total = d1 - d0, lb = total - la;
    for (int i = t; i < total; i += 256) s[i] = i < la ? a[a0 + i] : b[b0 + i - la];
    __syncthreads();
    const int diag = min(t * VT, total);
    int i = merge_split(s, la, s + la, lb, diag), j = diag - i;
    int reg[VT];
#pragma unroll
    for (int k = 0; k < VT; k++) {
        reg[k] = 0;
        if (diag + k < total) {
            bool from_a = j >= lb || (i < la && s[i] <= s[la + j]);
            reg[k] = from_a ? s[i++] : s[la + j++];
        }
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < VT; k++)
        if (diag + k < total) s[diag + k] = reg[k];
    __syncthreads();
    for (int k = t; k < total; k += 256) out[d0 + k] = s[k];
}

void run_merge(int na, int nb)
{
    Rng r(13);
    std::vector<int> a(na), b(nb), ref(na + nb);
    for (auto& v : a) v = (int)(r.normal() * 1e6f);
    for (auto& v : b) v = (int)(r.normal() * 4e5f) + 300000;
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    int *da = to_dev(a), *db = to_dev(b), *dout = dev_fill<int>(na + nb);
    merge_path_sorted_i32<<<(na + nb + 1791) / 1792, 256>>>(da, na, db, nb, dout);
    finish_launch();
    std::merge(a.begin(), a.end(), b.begin(), b.end(), ref.begin());
    report("merge_path_sorted_i32", to_host(dout, na + nb) == ref);
    cudaFree(da); cudaFree(db); cudaFree(dout);
}

// ---------------------------------------------------------------------------------------
// 14. batched bf16 matrix transpose, 64x64 tiles, two elements per access
// ---------------------------------------------------------------------------------------
__global__ void __launch_bounds__(256)
transpose_bf16_batched(const ushort2* __restrict__ in, ushort2* __restrict__ out, int rows, int cols /* both even */)
{
    __shared__ __align__(4) unsigned short tile[64][66];
    const size_t mat = (size_t)blockIdx.z * rows * cols / 2;
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int r0 = blockIdx.y * 64, c0 = blockIdx.x * 64;
    for (int k = ty; k < 64; k += 8) {
        int r = r0 + k, c = c0 + 2 * tx;
        if (r < rows && c < cols) {
            ushort2 v = in[mat + ((size_t)r * cols + c) / 2];
            *reinterpret_cast<ushort2*>(&tile[k][2 * tx]) = v;
        }
    }
    __syncthreads();
    for (int k = ty; k < 64; k += 8) {
        int c = c0 + k, r = r0 + 2 * tx;
        if (c < cols && r < rows)
            out[mat + ((size_t)c * rows + r) / 2] = make_ushort2(tile[2 * tx][k], tile[2 * tx + 1][k]);
    }
}

void run_transpose(int batch, int rows, int cols)
{
    Rng r(14);
    size_t n = (size_t)batch * rows * cols;
    std::vector<unsigned short> a(n);
    for (size_t i = 0; i < n; i++) {
        __nv_bfloat16_raw raw = __float2bfloat16(r.unif(-3.f, 3.f));
        a[i] = raw.x;
    }
    unsigned short *da = to_dev(a), *db = dev_fill<unsigned short>(n);
    transpose_bf16_batched<<<dim3((cols + 63) / 64, (rows + 63) / 64, batch), dim3(32, 8)>>>((const ushort2*)da, (ushort2*)db, rows, cols);
    finish_launch();
    auto b = to_host(db, n);
    bool ok = true;
    for (int z = 0; z < batch; z++)
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < cols; j++)
                ok &= b[((size_t)z * cols + j) * rows + i] == a[((size_t)z * rows + i) * cols + j];
    report("transpose_bf16_batched", ok);
    cudaFree(da); cudaFree(db);
}

// ---------------------------------------------------------------------------------------
// 15. Schoenauer triad a = b + c*d in double, 16-byte accesses, grid stride
// ---------------------------------------------------------------------------------------
__global__ void schoenauer_triad_f64(double* __restrict__ a, const double* __restrict__ b, const double* __restrict__ c,
                                     const double* __restrict__ d, int n)
{
    int tid = blockIdx.x * blockDim.x + threadIdx.x, nt = gridDim.x * blockDim.x;
    int n2 = n >> 1;
    const double2 *b2 = (const double2*)b, *c2 = (const double2*)c, *d2 = (const double2*)d;
    for (int i = tid; i < n2; i += nt) {
        double2 x = b2[i], y = c2[i], z = d2[i];
        ((double2*)a)[i] = make_double2(fma(y.x, z.x, x.x), fma(y.y, z.y, x.y));
    }
    if ((n & 1) && tid == 0) a[n - 1] = fma(c[n - 1], d[n - 1], b[n - 1]);
}

void run_triad(int n)
{
    Rng r(15);
    std::vector<double> b(n), c(n), d(n);
    for (int i = 0; i < n; i++) { b[i] = r.uni(); c[i] = r.uni() - 0.5; d[i] = 2 * r.uni(); }
    double *da = dev_fill<double>(n), *db = to_dev(b), *dc = to_dev(c), *dd = to_dev(d);
    schoenauer_triad_f64<<<std::min((n / 2 + 511) / 512, 132 * 4), 512>>>(da, db, dc, dd, n);
    finish_launch();
    auto a = to_host(da, n);
    bool ok = true;
    for (int i = 0; i < n; i++) ok &= near_to(a[i], b[i] + c[i] * d[i], 1e-13, 1e-14);
    report("schoenauer_triad_f64", ok);
    cudaFree(da); cudaFree(db); cudaFree(dc); cudaFree(dd);
}

// ---------------------------------------------------------------------------------------
// 16. bf16 dot product, fp32 lanes, double block partials, last block finishes
// ---------------------------------------------------------------------------------------
__global__ void __launch_bounds__(256)
dot_bf16_last_block(const uint4* __restrict__ x, const uint4* __restrict__ y, int n8, double* partial, u32* ticket, double* result)
{
    cg::thread_block blk = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(blk);
    __shared__ double sm[8];
    __shared__ bool last;
    float acc = 0.f;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n8; i += gridDim.x * 256) {
        uint4 p = x[i], q = y[i];
        const u32 pw[4] = {p.x, p.y, p.z, p.w}, qw[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
        for (int k = 0; k < 4; k++) {
            acc = fmaf(__uint_as_float(pw[k] << 16), __uint_as_float(qw[k] << 16), acc);
            acc = fmaf(__uint_as_float(pw[k] & 0xffff0000u), __uint_as_float(qw[k] & 0xffff0000u), acc);
        }
    }
    double s = cg::reduce(warp, (double)acc, cg::plus<double>());
    if (warp.thread_rank() == 0) sm[warp.meta_group_rank()] = s;
    blk.sync();
    if (threadIdx.x == 0) {
        double t = 0;
        for (int k = 0; k < 8; k++) t += sm[k];
        partial[blockIdx.x] = t;
        __threadfence();
        last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;  // wraps back to zero
    }
    blk.sync();
    if (last) {
        __threadfence();
        double t = 0;
        for (int i = threadIdx.x; i < (int)gridDim.x; i += 256) t += __ldcg(&partial[i]);
        t = cg::reduce(warp, t, cg::plus<double>());
        if (warp.thread_rank() == 0) sm[warp.meta_group_rank()] = t;
        blk.sync();
        if (threadIdx.x == 0) {
            t = 0;
            for (int k = 0; k < 8; k++) t += sm[k];
            *result = t;
        }
    }
}

void run_dot(int n8)
{
    Rng r(16);
    size_t n = (size_t)n8 * 8;
    std::vector<unsigned short> x(n), y(n);
    auto bf = [](float f) { u32 b; memcpy(&b, &f, 4); return (unsigned short)((b + 0x8000u) >> 16); };
    auto fb = [](unsigned short h) { u32 b = (u32)h << 16; float f; memcpy(&f, &b, 4); return f; };
    double ref = 0, mag = 0;
    for (size_t i = 0; i < n; i++) {
        x[i] = bf(r.unif(-1.f, 1.f));
        y[i] = bf(fb(x[i]) * 0.3f + r.unif(-0.5f, 0.5f));
        double p = (double)fb(x[i]) * fb(y[i]);
        ref += p;
        mag += fabs(p);
    }
    int blocks = std::min((n8 + 255) / 256, 132 * 5);
    unsigned short *dx = to_dev(x), *dy = to_dev(y);
    double *dp = dev_fill<double>(blocks), *dr = dev_fill<double>(1);
    u32* dt = dev_fill<u32>(1);
    dot_bf16_last_block<<<blocks, 256>>>((const uint4*)dx, (const uint4*)dy, n8, dp, dt, dr);
    finish_launch();
    report("dot_bf16_last_block", near_to(to_host(dr, 1)[0], ref, 0, 1e-5 * mag));
    cudaFree(dx); cudaFree(dy); cudaFree(dp); cudaFree(dr); cudaFree(dt);
}

// ---------------------------------------------------------------------------------------
// 17. argmax of a float vector through an order-preserving 64-bit packing (lowest index wins)
// ---------------------------------------------------------------------------------------
__global__ void argmax_packed64(const float4* __restrict__ v, int n4, u64* best)
{
    u64 m = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n4; i += gridDim.x * blockDim.x) {
        float4 q = v[i];
        const float f[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
        for (int k = 0; k < 4; k++) {
            u32 b = __float_as_uint(f[k]);
            b ^= (b >> 31) ? 0xffffffffu : 0x80000000u;
            u64 key = ((u64)b << 32) | (0xffffffffu - (u32)(4 * i + k));
            m = key > m ? key : m;
        }
    }
    for (int o = 16; o; o >>= 1) {
        u64 p = __shfl_down_sync(FULL, m, o);
        m = p > m ? p : m;
    }
    __shared__ u64 sm[32];
    if ((threadIdx.x & 31) == 0) sm[threadIdx.x >> 5] = m;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (u32 k = 1; k < blockDim.x / 32; k++) m = sm[k] > m ? sm[k] : m;
        atomicMax(best, m);
    }
}

void run_argmax(int n4)
{
    Rng r(17);
    int n = n4 * 4;
    std::vector<float> v(n);
    for (auto& f : v) f = r.normal() - 3.f;
    for (int k = 0; k < 3; k++) v[n / 3 + r.below(n / 2)] = 4.75f;  // tied maxima
    float* dv = to_dev(v);
    u64* db = dev_fill<u64>(1);
    argmax_packed64<<<std::min((n4 + 511) / 512, 132 * 4), 512>>>((const float4*)dv, n4, db);
    finish_launch();
    u64 b = to_host(db, 1)[0];
    int ref = (int)(std::max_element(v.begin(), v.end()) - v.begin());
    int got = (int)(0xffffffffu - (u32)b);
    u32 vb = (u32)(b >> 32) ^ 0x80000000u;
    float gv;
    memcpy(&gv, &vb, 4);
    report("argmax_packed64", got == ref && gv == v[ref]);
    cudaFree(dv); cudaFree(db);
}

// ---------------------------------------------------------------------------------------
// 18. log-softmax over a vocabulary, block per row, one online pass for max and sum
// ---------------------------------------------------------------------------------------
__device__ inline void online_merge(float& m, float& s, float m2, float s2)
{
    float mm = fmaxf(m, m2);
    s = s * __expf(m - mm) + s2 * __expf(m2 - mm);
    m = mm;
}

__global__ void __launch_bounds__(256)
log_softmax_online(const float4* __restrict__ in, float4* __restrict__ out, int v4, float inv_temp)
{
    __shared__ float sm[8], ss[8], lse;
    const float4* row = in + (size_t)blockIdx.x * v4;
    float4* dst = out + (size_t)blockIdx.x * v4;
    float m = -FLT_MAX, s = 0.f;
    for (int i = threadIdx.x; i < v4; i += 256) {
        float4 q = row[i];
        q.x *= inv_temp; q.y *= inv_temp; q.z *= inv_temp; q.w *= inv_temp;
        float m4 = fmaxf(fmaxf(q.x, q.y), fmaxf(q.z, q.w));
        float s4 = __expf(q.x - m4) + __expf(q.y - m4) + __expf(q.z - m4) + __expf(q.w - m4);
        online_merge(m, s, m4, s4);
    }
    for (int o = 16; o; o >>= 1) {
        float m2 = __shfl_xor_sync(FULL, m, o), s2 = __shfl_xor_sync(FULL, s, o);
        online_merge(m, s, m2, s2);
    }
    if ((threadIdx.x & 31) == 0) { sm[threadIdx.x >> 5] = m; ss[threadIdx.x >> 5] = s; }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int k = 1; k < 8; k++) online_merge(m, s, sm[k], ss[k]);
        lse = m + logf(s);
    }
    __syncthreads();
    const float l = lse;
    for (int i = threadIdx.x; i < v4; i += 256) {
        float4 q = row[i];
        dst[i] = make_float4(fmaf(q.x, inv_temp, -l), fmaf(q.y, inv_temp, -l), fmaf(q.z, inv_temp, -l), fmaf(q.w, inv_temp, -l));
    }
}

void run_log_softmax(int rows, int v)
{
    Rng r(18);
    size_t n = (size_t)rows * v;
    std::vector<float> x(n);
    for (size_t i = 0; i < n; i++) x[i] = 2.5f * r.normal() + ((i & 1023) == 7 ? 9.f : 0.f);
    float *dx = to_dev(x), *dy = dev_fill<float>(n);
    const float it = 1.f / 0.8f;
    log_softmax_online<<<rows, 256>>>((const float4*)dx, (float4*)dy, v / 4, it);
    finish_launch();
    auto y = to_host(dy, n);
    bool ok = true;
    for (int i = 0; i < rows; i++) {
        const float* p = &x[(size_t)i * v];
        double mx = *std::max_element(p, p + v) * (double)it, s = 0;
        for (int j = 0; j < v; j++) s += exp(p[j] * (double)it - mx);
        double l = mx + log(s);
        for (int j = 0; j < v; j++) ok &= near_to(y[(size_t)i * v + j], p[j] * (double)it - l, 1e-4, 1e-4);
    }
    report("log_softmax_online", ok);
    cudaFree(dx); cudaFree(dy);
}

// ---------------------------------------------------------------------------------------
// 19. residual add + layer norm, hidden size 768 in bf16, one warp per token, row kept in registers
// ---------------------------------------------------------------------------------------
__global__ void __launch_bounds__(128)
layernorm_residual_bf16(const uint4* __restrict__ x, const uint4* __restrict__ res, const float* __restrict__ gamma,
                        const float* __restrict__ beta, uint4* __restrict__ out, float2* __restrict__ stats, int rows, float eps)
{
    const int lane = threadIdx.x & 31;
    const int row = blockIdx.x * 4 + (threadIdx.x >> 5);
    if (row >= rows) return;
    float v[24];
    float s = 0.f;
#pragma unroll
    for (int c = 0; c < 3; c++) {
        uint4 p = x[(size_t)row * 96 + c * 32 + lane], q = res[(size_t)row * 96 + c * 32 + lane];
        const u32 a[4] = {p.x, p.y, p.z, p.w}, b[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
        for (int k = 0; k < 4; k++) {
            float lo = __uint_as_float(a[k] << 16) + __uint_as_float(b[k] << 16);
            float hi = __uint_as_float(a[k] & 0xffff0000u) + __uint_as_float(b[k] & 0xffff0000u);
            v[c * 8 + 2 * k] = lo;
            v[c * 8 + 2 * k + 1] = hi;
            s += lo + hi;
        }
    }
    for (int o = 16; o; o >>= 1) s += __shfl_xor_sync(FULL, s, o);
    const float mean = s * (1.f / 768.f);
    float q2 = 0.f;
#pragma unroll
    for (int k = 0; k < 24; k++) q2 = fmaf(v[k] - mean, v[k] - mean, q2);
    for (int o = 16; o; o >>= 1) q2 += __shfl_xor_sync(FULL, q2, o);
    const float rstd = rsqrtf(q2 * (1.f / 768.f) + eps);
#pragma unroll
    for (int c = 0; c < 3; c++) {
        u32 w[4];
#pragma unroll
        for (int k = 0; k < 4; k++) {
            int col = (c * 32 + lane) * 8 + 2 * k;
            float2 g = *reinterpret_cast<const float2*>(gamma + col), b = *reinterpret_cast<const float2*>(beta + col);
            __nv_bfloat162_raw h = __floats2bfloat162_rn((v[c * 8 + 2 * k] - mean) * rstd * g.x + b.x,
                                                         (v[c * 8 + 2 * k + 1] - mean) * rstd * g.y + b.y);
            w[k] = (u32)h.x | ((u32)h.y << 16);
        }
        out[(size_t)row * 96 + c * 32 + lane] = make_uint4(w[0], w[1], w[2], w[3]);
    }
    if (lane == 0) stats[row] = make_float2(mean, rstd);
}

void run_layernorm(int rows)
{
    Rng r(19);
    size_t n = (size_t)rows * 768;
    std::vector<unsigned short> x(n), q(n);
    auto bf = [](float f) { u32 b; memcpy(&b, &f, 4); return (unsigned short)((b + 0x8000u) >> 16); };
    auto fb = [](unsigned short h) { u32 b = (u32)h << 16; float f; memcpy(&f, &b, 4); return f; };
    for (size_t i = 0; i < n; i++) { x[i] = bf(r.normal() + 0.3f); q[i] = bf(r.unif(-0.5f, 0.5f) * (float)(1 + i % 5)); }
    std::vector<float> g(768), b(768);
    for (int i = 0; i < 768; i++) { g[i] = r.unif(0.5f, 1.5f); b[i] = r.unif(-0.2f, 0.2f); }
    unsigned short *dx = to_dev(x), *dq = to_dev(q), *dout = dev_fill<unsigned short>(n);
    float *dg = to_dev(g), *db = to_dev(b);
    float2* ds = dev_fill<float2>(rows);
    layernorm_residual_bf16<<<(rows + 3) / 4, 128>>>((const uint4*)dx, (const uint4*)dq, dg, db, (uint4*)dout, ds, rows, 1e-5f);
    finish_launch();
    auto o = to_host(dout, n);
    auto st = to_host(ds, rows);
    bool ok = true;
    for (int i = 0; i < rows; i++) {
        double m = 0, v = 0;
        double t[768];
        for (int j = 0; j < 768; j++) { t[j] = (double)fb(x[(size_t)i * 768 + j]) + fb(q[(size_t)i * 768 + j]); m += t[j]; }
        m /= 768;
        for (int j = 0; j < 768; j++) v += (t[j] - m) * (t[j] - m);
        double rs = 1 / sqrt(v / 768 + 1e-5);
        ok &= near_to(st[i].x, m, 1e-4, 1e-5) && near_to(st[i].y, rs, 1e-4, 0);
        for (int j = 0; j < 768; j++) ok &= near_to(fb(o[(size_t)i * 768 + j]), (t[j] - m) * rs * g[j] + b[j], 0.006, 0.002);
    }
    report("layernorm_residual_bf16", ok);
    cudaFree(dx); cudaFree(dq); cudaFree(dout); cudaFree(dg); cudaFree(db); cudaFree(ds);
}

// ---------------------------------------------------------------------------------------
// 20. group norm + SiLU on NCHW floats, block per (image, group), group cached in shared memory
// ---------------------------------------------------------------------------------------
__device__ inline float block_sum_256(float v, float* red)
{
    for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(FULL, v, o);
    __syncthreads();  // red may still be in use
    if ((threadIdx.x & 31) == 0) red[threadIdx.x >> 5] = v;
    __syncthreads();
    float t = 0.f;
#pragma unroll
    for (int k = 0; k < 8; k++) t += red[k];
    return t;
}

__global__ void __launch_bounds__(256)
groupnorm_silu_nchw(const float* __restrict__ x, const float* __restrict__ w, const float* __restrict__ b,
                    float* __restrict__ y, int groups, int cpg, int hw, float eps)
{
    extern __shared__ float cache[];
    __shared__ float red[8];
    const int g = blockIdx.x % groups;
    const int len = cpg * hw;
    const size_t base = (size_t)blockIdx.x * len;
    float s = 0.f;
    for (int i = threadIdx.x; i < len; i += 256) {
        float v = x[base + i];
        cache[i] = v;
        s += v;
    }
    const float mean = block_sum_256(s, red) / len;
    float q = 0.f;
    for (int i = threadIdx.x; i < len; i += 256) {
        float d = cache[i] - mean;
        q += d * d;
    }
    const float rstd = rsqrtf(block_sum_256(q, red) / len + eps);
    for (int i = threadIdx.x; i < len; i += 256) {
        int c = g * cpg + i / hw;
        float v = (cache[i] - mean) * rstd * w[c] + b[c];
        y[base + i] = v / (1.f + __expf(-v));
    }
}

void run_groupnorm(int N, int C, int groups, int hw)
{
    Rng r(20);
    size_t n = (size_t)N * C * hw;
    int cpg = C / groups, len = cpg * hw;
    std::vector<float> x(n), w(C), b(C);
    for (size_t i = 0; i < n; i++) x[i] = r.normal() * (1.f + (float)((i / len) % 3)) + (float)((i / hw) % 7) * 0.2f;
    for (int c = 0; c < C; c++) { w[c] = r.unif(0.5f, 1.5f); b[c] = r.unif(-0.3f, 0.3f); }
    float *dx = to_dev(x), *dw = to_dev(w), *db = to_dev(b), *dy = dev_fill<float>(n);
    groupnorm_silu_nchw<<<N * groups, 256, len * sizeof(float)>>>(dx, dw, db, dy, groups, cpg, hw, 1e-5f);
    finish_launch();
    auto y = to_host(dy, n);
    bool ok = true;
    for (int k = 0; k < N * groups; k++) {
        const float* p = &x[(size_t)k * len];
        double m = 0, v = 0;
        for (int i = 0; i < len; i++) m += p[i];
        m /= len;
        for (int i = 0; i < len; i++) v += (p[i] - m) * (p[i] - m);
        double rs = 1 / sqrt(v / len + 1e-5);
        for (int i = 0; i < len; i++) {
            int c = (k % groups) * cpg + i / hw;
            double t = (p[i] - m) * rs * w[c] + b[c];
            ok &= near_to(y[(size_t)k * len + i], t / (1 + exp(-t)), 1e-4, 1e-4);
        }
    }
    report("groupnorm_silu_nchw", ok);
    cudaFree(dx); cudaFree(dw); cudaFree(db); cudaFree(dy);
}

// ---------------------------------------------------------------------------------------
// 21. 2-D heat equation, 5-point stencil, four time steps fused per launch (overlapped tiles)
// ---------------------------------------------------------------------------------------
__global__ void __launch_bounds__(256)
heat5_time_tiled4(const float* __restrict__ in, float* __restrict__ out, int nx, int ny, float r)
{
    constexpr int T = 4, S = 32 + 2 * T;
    __shared__ float buf0[S][S + 1], buf1[S][S + 1];
    float(*src)[S + 1] = buf0;
    float(*dst)[S + 1] = buf1;
    const int x0 = blockIdx.x * 32 - T, y0 = blockIdx.y * 32 - T;
    for (int i = threadIdx.x; i < S * S; i += 256) {
        int ly = i / S, lx = i % S, gx = x0 + lx, gy = y0 + ly;
        src[ly][lx] = (gx >= 0 && gx < nx && gy >= 0 && gy < ny) ? in[(size_t)gy * nx + gx] : 0.f;
    }
    __syncthreads();
    for (int t = 1; t <= T; t++) {
        const int w = S - 2 * t;
        for (int i = threadIdx.x; i < w * w; i += 256) {
            int ly = t + i / w, lx = t + i % w, gx = x0 + lx, gy = y0 + ly;
            float c = src[ly][lx];
            if (gx > 0 && gx < nx - 1 && gy > 0 && gy < ny - 1)
                c += r * (src[ly - 1][lx] + src[ly + 1][lx] + src[ly][lx - 1] + src[ly][lx + 1] - 4.f * c);
            dst[ly][lx] = c;
        }
        __syncthreads();
        float(*tmp)[S + 1] = src;
        src = dst;
        dst = tmp;
    }
    for (int i = threadIdx.x; i < 32 * 32; i += 256) {
        int ly = T + (i >> 5), lx = T + (i & 31), gx = x0 + lx, gy = y0 + ly;
        if (gx < nx && gy < ny) out[(size_t)gy * nx + gx] = src[ly][lx];
    }
}

void run_heat(int nx, int ny)
{
    Rng rg(21);
    size_t n = (size_t)nx * ny;
    std::vector<float> a(n), b(n);
    for (int y = 0; y < ny; y++)
        for (int x = 0; x < nx; x++)
            a[(size_t)y * nx + x] = 300.f + 40.f * sinf(x * 0.05f) * sinf(y * 0.03f) + rg.unif(-2.f, 2.f) + (y == 0 ? 100.f : 0.f);
    float *da = to_dev(a), *db = dev_fill<float>(n);
    heat5_time_tiled4<<<dim3((nx + 31) / 32, (ny + 31) / 32), 256>>>(da, db, nx, ny, 0.2f);
    finish_launch();
    auto got = to_host(db, n);
    for (int t = 0; t < 4; t++) {
        b = a;
        for (int y = 1; y < ny - 1; y++)
            for (int x = 1; x < nx - 1; x++) {
                size_t i = (size_t)y * nx + x;
                b[i] = a[i] + 0.2f * (a[i - nx] + a[i + nx] + a[i - 1] + a[i + 1] - 4.f * a[i]);
            }
        a.swap(b);
    }
    bool ok = true;
    for (size_t i = 0; i < n; i++) ok &= near_to(got[i], a[i], 1e-5, 1e-3);
    report("heat5_time_tiled4", ok);
    cudaFree(da); cudaFree(db);
}

// ---------------------------------------------------------------------------------------
// 22. 3-D acoustic wave, 8th order in space (25 points), register queue marching along z
// ---------------------------------------------------------------------------------------
__constant__ float c_fd8[5] = {-205.f / 72.f, 8.f / 5.f, -1.f / 5.f, 8.f / 315.f, -1.f / 560.f};

__global__ void __launch_bounds__(256)
wave3d_order8_zmarch(const float* __restrict__ u, const float* __restrict__ uprev, const float* __restrict__ vel2,
                     float* __restrict__ unext, int nx, int ny, int nz, int zchunk)
{
    __shared__ float tile[16][40];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int ix = blockIdx.x * 32 + tx + 4, iy = blockIdx.y * 8 + ty + 4;
    const int z0 = 4 + blockIdx.z * zchunk, z1 = min(z0 + zchunk, nz - 4);
    const bool live = ix < nx - 4 && iy < ny - 4;
    const int cx = min(ix, nx - 1), cy = min(iy, ny - 1);
    const int hx0 = min(ix - 4, nx - 1), hx1 = min(ix + 32, nx - 1);
    const int hy0 = min(iy - 4, ny - 1), hy1 = min(iy + 8, ny - 1);
    const size_t plane = (size_t)nx * ny;
    const size_t col = (size_t)cy * nx + cx;
    float q[9];  // q[4] is the current plane
#pragma unroll
    for (int k = 0; k < 8; k++) q[k + 1] = u[col + plane * min(z0 - 4 + k, nz - 1)];
    for (int z = z0; z < z1; z++) {
#pragma unroll
        for (int k = 0; k < 8; k++) q[k] = q[k + 1];
        q[8] = u[col + plane * (z + 4)];
        __syncthreads();
        const float* p = u + plane * z;
        tile[ty + 4][tx + 4] = q[4];
        if (ty < 4) {
            tile[ty][tx + 4] = p[(size_t)hy0 * nx + cx];
            tile[ty + 12][tx + 4] = p[(size_t)hy1 * nx + cx];
        }
        if (tx < 4) {
            tile[ty + 4][tx] = p[(size_t)cy * nx + hx0];
            tile[ty + 4][tx + 36] = p[(size_t)cy * nx + hx1];
        }
        __syncthreads();
        if (live) {
            float lap = 3.f * c_fd8[0] * q[4];
#pragma unroll
            for (int d = 1; d <= 4; d++)
                lap += c_fd8[d] * (tile[ty + 4][tx + 4 - d] + tile[ty + 4][tx + 4 + d] + tile[ty + 4 - d][tx + 4] +
                                   tile[ty + 4 + d][tx + 4] + q[4 - d] + q[4 + d]);
            size_t i = col + plane * z;
            unext[i] = 2.f * q[4] - uprev[i] + vel2[z] * lap;
        }
    }
}

void run_wave(int nx, int ny, int nz, int zchunk)
{
    Rng r(22);
    size_t n = (size_t)nx * ny * nz;
    std::vector<float> u(n), up(n), v(nz);
    for (int z = 0; z < nz; z++) {
        v[z] = 0.05f + 0.1f * z / nz;
        for (int y = 0; y < ny; y++)
            for (int x = 0; x < nx; x++) {
                size_t i = ((size_t)z * ny + y) * nx + x;
                float d2 = (x - nx / 2.f) * (x - nx / 2.f) + (y - ny / 2.f) * (y - ny / 2.f) + (z - nz / 3.f) * (z - nz / 3.f);
                u[i] = (1.f - d2 / 60.f) * expf(-d2 / 120.f) + 0.05f * r.unif(-1.f, 1.f);
                up[i] = 0.95f * u[i] + 0.01f * r.unif(-1.f, 1.f);
            }
    }
    float *du = to_dev(u), *dup = to_dev(up), *dv = to_dev(v), *dn = dev_fill<float>(n);
    dim3 grid((nx - 8 + 31) / 32, (ny - 8 + 7) / 8, (nz - 8 + zchunk - 1) / zchunk);
    wave3d_order8_zmarch<<<grid, dim3(32, 8)>>>(du, dup, dv, dn, nx, ny, nz, zchunk);
    finish_launch();
    auto got = to_host(dn, n);
    const float c[5] = {-205.f / 72.f, 8.f / 5.f, -1.f / 5.f, 8.f / 315.f, -1.f / 560.f};
    bool ok = true;
    ptrdiff_t sx = 1, sy = nx, sz = (ptrdiff_t)nx * ny;
    for (int z = 0; z < nz; z++)
        for (int y = 0; y < ny; y++)
            for (int x = 0; x < nx; x++) {
                ptrdiff_t i = z * sz + y * sy + x;
                float ref = 0.f;
                if (x >= 4 && x < nx - 4 && y >= 4 && y < ny - 4 && z >= 4 && z < nz - 4) {
                    float lap = 3.f * c[0] * u[i];
                    for (int d = 1; d <= 4; d++)
                        lap += c[d] * (u[i - d * sx] + u[i + d * sx] + u[i - d * sy] + u[i + d * sy] + u[i - d * sz] + u[i + d * sz]);
                    ref = 2.f * u[i] - up[i] + v[z] * lap;
                }
                ok &= near_to(got[i], ref, 1e-5, 1e-5);
            }
    report("wave3d_order8_zmarch", ok);
    cudaFree(du); cudaFree(dup); cudaFree(dv); cudaFree(dn);
}

// ---------------------------------------------------------------------------------------
// 23. single-pass inclusive scan with decoupled look-back (flag and value share a 64-bit word)
// ---------------------------------------------------------------------------------------
__global__ void __launch_bounds__(256)
scan_decoupled_lookback(const uint4* __restrict__ in, uint4* __restrict__ out, int n4, u64* state, u32* ticket)
{
    __shared__ u32 s_tile, s_prefix, wsum[8];
    const int t = threadIdx.x, lane = t & 31, w = t >> 5;
    if (t == 0) s_tile = atomicAdd(ticket, 1u);
    __syncthreads();
    const int tile = (int)s_tile;
    const int i0 = tile * 512 + 2 * t;
    uint4 a = make_uint4(0, 0, 0, 0), b = a;
    if (i0 < n4) a = in[i0];
    if (i0 + 1 < n4) b = in[i0 + 1];
    a.y += a.x; a.z += a.y; a.w += a.z;
    b.x += a.w; b.y += b.x; b.z += b.y; b.w += b.z;
    u32 inc = b.w;
    for (int o = 1; o < 32; o <<= 1) {
        u32 p = __shfl_up_sync(FULL, inc, o);
        if (lane >= o) inc += p;
    }
    if (lane == 31) wsum[w] = inc;
    __syncthreads();
    u32 before = inc - b.w, agg = 0;
#pragma unroll
    for (int k = 0; k < 8; k++) {
        if (k < w) before += wsum[k];
        agg += wsum[k];
    }
    if (w == 0) {
        u32 excl = 0;
        if (tile > 0) {
            if (lane == 0) atomicExch(&state[tile], (1ull << 32) | agg);
            for (int look = tile - 1 - lane;; look -= 32) {
                u64 st = 2ull << 32;
                if (look >= 0) {
                    volatile u64* p = &state[look];
                    do st = *p;
                    while ((st >> 32) == 0);
                }
                __syncwarp();
                u32 done = __ballot_sync(FULL, (st >> 32) == 2);
                int stop = done ? __ffs(done) - 1 : 31;
                excl += __reduce_add_sync(FULL, lane <= stop ? (u32)st : 0u);
                if (done) break;
            }
        }
        if (lane == 0) {
            atomicExch(&state[tile], (2ull << 32) | (u64)(u32)(excl + agg));
            s_prefix = excl;
        }
    }
    __syncthreads();
    before += s_prefix;
    if (i0 < n4) out[i0] = make_uint4(a.x + before, a.y + before, a.z + before, a.w + before);
    if (i0 + 1 < n4) out[i0 + 1] = make_uint4(b.x + before, b.y + before, b.z + before, b.w + before);
}

void run_lookback(int n4)
{
    Rng r(23);
    int n = 4 * n4, tiles = (n4 + 511) / 512;
    std::vector<u32> x(n);
    for (auto& v : x) v = (u32)r.below(1000);
    u32 *dx = to_dev(x), *dy = dev_fill<u32>(n), *dt = dev_fill<u32>(1);
    u64* ds = dev_fill<u64>(tiles);
    scan_decoupled_lookback<<<tiles, 256>>>((const uint4*)dx, (uint4*)dy, n4, ds, dt);
    finish_launch();
    u32 s = 0;
    for (auto& v : x) v = s += v;
    report("scan_decoupled_lookback", to_host(dy, n) == x);
    cudaFree(dx); cudaFree(dy); cudaFree(dt); cudaFree(ds);
}

// ---------------------------------------------------------------------------------------
// 24. block-wide segmented inclusive scan with head flags; emits carry-out per block
// ---------------------------------------------------------------------------------------
__global__ void __launch_bounds__(512)
segscan_block_f64(const double* __restrict__ x, const u8* __restrict__ head, int n, double* __restrict__ y,
                  double* __restrict__ carry, int* __restrict__ carry_closed)
{
    __shared__ double ws[16];
    __shared__ int wf[16];
    const int t = threadIdx.x, lane = t & 31, w = t >> 5;
    const int i = blockIdx.x * 512 + t;
    double v = i < n ? x[i] : 0.0;
    bool h = i < n && head[i];
    u32 heads = __ballot_sync(FULL, h);
    u32 upto = heads & (FULL >> (31 - lane));
    int start = upto ? 31 - __clz(upto) : 0;
#pragma unroll
    for (int o = 1; o < 32; o <<= 1) {
        double p = __shfl_up_sync(FULL, v, o);
        if (lane - o >= start) v += p;
    }
    if (lane == 31) { ws[w] = v; wf[w] = heads != 0; }
    __syncthreads();
    if (w == 0) {
        double s = lane < 16 ? ws[lane] : 0.0;
        int f = lane < 16 ? wf[lane] : 0;
#pragma unroll
        for (int o = 1; o < 16; o <<= 1) {
            double p = __shfl_up_sync(FULL, s, o);
            int pf = __shfl_up_sync(FULL, f, o);
            if (lane >= o) {
                if (!f) s += p;
                f |= pf;
            }
        }
        if (lane < 16) ws[lane] = s;
        if (lane == 15) { carry[blockIdx.x] = s; carry_closed[blockIdx.x] = f; }
    }
    __syncthreads();
    if (w > 0 && upto == 0) v += ws[w - 1];
    if (i < n) y[i] = v;
}

void run_segscan(int n)
{
    Rng r(24);
    std::vector<double> x(n);
    std::vector<u8> h(n, 0);
    for (int i = 0; i < n;) {
        h[i] = 1;
        i += r.below(6) == 0 ? 1 + r.below(1500) : 1 + r.below(20);
    }
    for (auto& v : x) v = r.uni() - 0.3;
    int nb = (n + 511) / 512;
    double *dx = to_dev(x), *dy = dev_fill<double>(n), *dc = dev_fill<double>(nb);
    u8* dh = to_dev(h);
    int* df = dev_fill<int>(nb);
    segscan_block_f64<<<nb, 512>>>(dx, dh, n, dy, dc, df);
    finish_launch();
    auto y = to_host(dy, n), c = to_host(dc, nb);
    auto f = to_host(df, nb);
    bool ok = true;
    for (int b = 0; b < nb; b++) {
        double s = 0;
        int any = 0;
        for (int i = b * 512; i < std::min(n, b * 512 + 512); i++) {
            s = h[i] ? x[i] : s + x[i];
            any |= h[i];
            ok &= near_to(y[i], s, 1e-11, 1e-11);
        }
        ok &= near_to(c[b], s, 1e-11, 1e-11) && f[b] == any;
    }
    report("segscan_block_f64", ok);
    cudaFree(dx); cudaFree(dy); cudaFree(dc); cudaFree(dh); cudaFree(df);
}

// ---------------------------------------------------------------------------------------
// 25. two-sided stream partition of particles by kinetic energy (ballots, one atomic pair per block)
// ---------------------------------------------------------------------------------------
__global__ void __launch_bounds__(256)
partition_by_energy(const float4* __restrict__ p, int n, float emin, float4* __restrict__ out, int* counters)
{
    __shared__ int cnt[32];
    __shared__ int base[2];
    const int t = threadIdx.x, lane = t & 31, w = t >> 5;
    const int b0 = blockIdx.x * 1024;
    const int valid = min(1024, n - b0);
    float4 v[4];
    u32 bal[4];
#pragma unroll
    for (int k = 0; k < 4; k++) {
        int l = k * 256 + t;
        bool keep = false;
        v[k] = make_float4(0.f, 0.f, 0.f, 0.f);
        if (l < valid) {
            v[k] = p[b0 + l];
            keep = v[k].x * v[k].x + v[k].y * v[k].y + v[k].z * v[k].z > emin;
        }
        bal[k] = __ballot_sync(FULL, keep);
        if (lane == 0) cnt[k * 8 + w] = __popc(bal[k]);
    }
    __syncthreads();
    if (w == 0) {
        int c = cnt[lane], s = c;
        for (int o = 1; o < 32; o <<= 1) {
            int q = __shfl_up_sync(FULL, s, o);
            if (lane >= o) s += q;
        }
        cnt[lane] = s - c;
        if (lane == 31) {
            base[0] = atomicAdd(&counters[0], s);
            base[1] = atomicAdd(&counters[1], valid - s);
        }
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 4; k++) {
        int l = k * 256 + t;
        if (l >= valid) continue;
        int kept_before = cnt[k * 8 + w] + __popc(bal[k] & ((1u << lane) - 1u));
        if ((bal[k] >> lane) & 1u) out[base[0] + kept_before] = v[k];
        else out[n - 1 - (base[1] + l - kept_before)] = v[k];
    }
}

void run_partition(int n)
{
    Rng r(25);
    std::vector<float4> p(n);
    for (int i = 0; i < n; i++) p[i] = make_float4(r.normal(), r.normal(), r.normal(), (float)i);
    const float emin = 3.7f;
    float4 *dp = to_dev(p), *dout = dev_fill<float4>(n);
    int* dc = dev_fill<int>(2);
    partition_by_energy<<<(n + 1023) / 1024, 256>>>(dp, n, emin, dout, dc);
    finish_launch();
    auto o = to_host(dout, n);
    auto c = to_host(dc, 2);
    bool ok = c[0] + c[1] == n && c[0] > 0 && c[1] > 0;
    std::vector<u8> seen(n, 0);
    for (int i = 0; i < n && ok; i++) {
        int id = (int)o[i].w;
        if (id < 0 || id >= n || seen[id]) { ok = false; break; }
        seen[id] = 1;
        ok &= o[i].x == p[id].x && o[i].y == p[id].y && o[i].z == p[id].z;
        double e = (double)p[id].x * p[id].x + (double)p[id].y * p[id].y + (double)p[id].z * p[id].z;
        if (fabs(e - emin) > 1e-5) ok &= (i < c[0]) == (e > emin);
    }
    report("partition_by_energy", ok);
    cudaFree(dp); cudaFree(dout); cudaFree(dc);
}

// ---------------------------------------------------------------------------------------
// 26. Mandelbrot escape times in double precision, with cardioid / period-2 bulb shortcut
// ---------------------------------------------------------------------------------------
__host__ __device__ inline int mandel_iter(double cx, double cy, int maxit)
{
    double xm = cx - 0.25, q = xm * xm + cy * cy;
    if (q * (q + xm) < 0.25 * cy * cy || (cx + 1) * (cx + 1) + cy * cy < 0.0625) return maxit;
    double x = 0, y = 0, x2 = 0, y2 = 0;
    int it = 0;
    while (it < maxit && x2 + y2 <= 4.0) {
        y = 2 * x * y + cy;
        x = x2 - y2 + cx;
        x2 = x * x;
        y2 = y * y;
        it++;
    }
    return it;
}

__global__ void mandelbrot_escape_f64(unsigned short* __restrict__ img, int w, int h, double x0, double y0, double dx, int maxit)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px < w && py < h) img[(size_t)py * w + px] = (unsigned short)mandel_iter(x0 + px * dx, y0 + py * dx, maxit);
}

void run_mandelbrot(int w, int h, double cx, double cy, double width, int maxit)
{
    size_t n = (size_t)w * h;
    double dx = width / w, x0 = cx - width / 2, y0 = cy - dx * h / 2;
    unsigned short* d = dev_fill<unsigned short>(n);
    mandelbrot_escape_f64<<<dim3((w + 15) / 16, (h + 7) / 8), dim3(16, 8)>>>(d, w, h, x0, y0, dx, maxit);
    finish_launch();
    auto g = to_host(d, n);
    size_t diff = 0;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) diff += g[(size_t)y * w + x] != mandel_iter(x0 + x * dx, y0 + y * dx, maxit);
    report("mandelbrot_escape_f64", diff <= n / 100);
    cudaFree(d);
}

// ---------------------------------------------------------------------------------------
// 27. Monte Carlo: arithmetic Asian call, LCG-seeded xorshift128, Box-Muller, antithetic pairs
// ---------------------------------------------------------------------------------------
struct Xs128 {
    u32 a, b, c, d;
};
__host__ __device__ inline Xs128 xs_seed(u32 path)
{
    Xs128 g;
    u32 s = path * 2654435761u + 97531u;
    g.a = s = s * 1664525u + 1013904223u;
    g.b = s = s * 1664525u + 1013904223u;
    g.c = s = s * 1664525u + 1013904223u;
    g.d = s * 1664525u + 1013904223u;
    return g;
}
__host__ __device__ inline u32 xs_next(Xs128& g)
{
    u32 t = g.a ^ (g.a << 11);
    g.a = g.b; g.b = g.c; g.c = g.d;
    g.d = g.d ^ (g.d >> 19) ^ t ^ (t >> 8);
    return g.d;
}

__global__ void asian_call_xorshift(float* __restrict__ payoff, int npaths, int steps /* even */, float s0, float strike,
                                    float drift, float vol)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= npaths) return;
    Xs128 g = xs_seed((u32)p);
    float l1 = 0.f, l2 = 0.f, a1 = 0.f, a2 = 0.f;
    for (int k = 0; k < steps; k += 2) {
        float u1 = ((float)(xs_next(g) >> 8) + 0.5f) * (1.f / 16777216.f);
        float u2 = (float)(xs_next(g) >> 8) * (1.f / 16777216.f);
        float r = sqrtf(-2.f * logf(u1)), sn, cs;
        sincospif(2.f * u2, &sn, &cs);
        l1 += drift + vol * r * cs;
        l2 += drift - vol * r * cs;
        a1 += expf(l1);
        a2 += expf(l2);
        l1 += drift + vol * r * sn;
        l2 += drift - vol * r * sn;
        a1 += expf(l1);
        a2 += expf(l2);
    }
    float inv = s0 / steps;
    payoff[p] = 0.5f * (fmaxf(a1 * inv - strike, 0.f) + fmaxf(a2 * inv - strike, 0.f));
}

void run_asian(int npaths, int steps)
{
    const float s0 = 100.f, K = 102.f, sigma = 0.25f, dt = 1.f / steps;
    const float drift = (0.03f - 0.5f * sigma * sigma) * dt, vol = sigma * sqrtf(dt);
    float* d = dev_fill<float>(npaths);
    asian_call_xorshift<<<(npaths + 255) / 256, 256>>>(d, npaths, steps, s0, K, drift, vol);
    finish_launch();
    auto g = to_host(d, npaths);
    bool ok = true;
    for (int p = 0; p < npaths; p++) {
        Xs128 q = xs_seed((u32)p);
        double l1 = 0, l2 = 0, a1 = 0, a2 = 0;
        for (int k = 0; k < steps; k += 2) {
            float u1f = ((float)(xs_next(q) >> 8) + 0.5f) * (1.f / 16777216.f);
            float u2f = (float)(xs_next(q) >> 8) * (1.f / 16777216.f);
            float r = sqrtf(-2.f * logf(u1f)), ang = 6.28318530718f * u2f;
            float z[2] = {r * cosf(ang), r * sinf(ang)};
            for (int j = 0; j < 2; j++) {
                l1 += drift + vol * z[j];
                l2 += drift - vol * z[j];
                a1 += expf((float)l1);
                a2 += expf((float)l2);
            }
        }
        double ref = 0.5 * (std::max(a1 * s0 / steps - K, 0.0) + std::max(a2 * s0 / steps - K, 0.0));
        ok &= near_to(g[p], ref, 1e-3, 2e-2);
    }
    report("asian_call_xorshift", ok);
    cudaFree(d);
}

// ---------------------------------------------------------------------------------------
// 28. orthographic volume rendering: 8-bit 3-D texture, trilinear filter, emission-absorption
// ---------------------------------------------------------------------------------------
struct Camera {
    float ox, oy, oz;        // position of pixel (0,0) at t = 0
    float ux, uy, uz;        // per pixel in x
    float vx, vy, vz;        // per pixel in y
    float dx, dy, dz;        // per step
};

__global__ void __launch_bounds__(128)
volume_render_tex3d(cudaTextureObject_t vol, Camera c, float* __restrict__ img, int w, int h, int steps, float absorb)
{
    int px = blockIdx.x * 16 + threadIdx.x, py = blockIdx.y * 8 + threadIdx.y;
    if (px >= w || py >= h) return;
    float x = c.ox + px * c.ux + py * c.vx;
    float y = c.oy + px * c.uy + py * c.vy;
    float z = c.oz + px * c.uz + py * c.vz;
    float trans = 1.f, light = 0.f;
    for (int s = 0; s < steps; s++) {
        float d = tex3D<float>(vol, x + s * c.dx, y + s * c.dy, z + s * c.dz);
        float a = absorb * d * d;
        light += trans * a * d;
        trans *= 1.f - a;
        if (trans < 0.004f) break;
    }
    img[(size_t)py * w + px] = light;
}

void run_volume(int m, int w, int h)
{
    Rng r(28);
    std::vector<u8> v((size_t)m * m * m);
    float bx[12], by[12], bz[12], br[12];
    for (int k = 0; k < 12; k++) { bx[k] = r.unif(0.25f, 0.75f); by[k] = r.unif(0.25f, 0.75f); bz[k] = r.unif(0.25f, 0.75f); br[k] = r.unif(0.06f, 0.16f); }
    for (int z = 0; z < m; z++)
        for (int y = 0; y < m; y++)
            for (int x = 0; x < m; x++) {
                float s = 0;
                for (int k = 0; k < 12; k++) {
                    float ex = (float)x / m - bx[k], ey = (float)y / m - by[k], ez = (float)z / m - bz[k];
                    float e = (ex * ex + ey * ey + ez * ez) / (br[k] * br[k]);
                    if (e < 6.f) s += expf(-e);
                }
                v[((size_t)z * m + y) * m + x] = (u8)std::min(255.f, 200.f * s + r.unif(0.f, 6.f));
            }
    cudaChannelFormatDesc cd = cudaCreateChannelDesc<u8>();
    cudaArray_t arr;
    CK(cudaMalloc3DArray(&arr, &cd, make_cudaExtent(m, m, m)));
    cudaMemcpy3DParms cp;
    memset(&cp, 0, sizeof cp);
    cp.srcPtr = make_cudaPitchedPtr(v.data(), m, m, m);
    cp.dstArray = arr;
    cp.extent = make_cudaExtent(m, m, m);
    cp.kind = cudaMemcpyHostToDevice;
    CK(cudaMemcpy3D(&cp));
    cudaResourceDesc rd;
    memset(&rd, 0, sizeof rd);
    rd.resType = cudaResourceTypeArray;
    rd.res.array.array = arr;
    cudaTextureDesc td;
    memset(&td, 0, sizeof td);
    td.addressMode[0] = td.addressMode[1] = td.addressMode[2] = cudaAddressModeBorder;
    td.filterMode = cudaFilterModeLinear;
    td.readMode = cudaReadModeNormalizedFloat;
    cudaTextureObject_t tex;
    CK(cudaCreateTextureObject(&tex, &rd, &td, nullptr));
    // rotate about the centre; rays cover 1.4 m in depth
    const int steps = m;
    float ca = cosf(0.6f), sa = sinf(0.6f), cb = cosf(0.35f), sb = sinf(0.35f);
    float X[3] = {ca, 0.f, -sa}, Y[3] = {sa * sb, cb, ca * sb}, Z[3] = {sa * cb, -sb, ca * cb};
    float pix = 1.3f * m / w, st = 1.4f * m / steps, o[3];
    for (int k = 0; k < 3; k++) o[k] = m / 2.f - 0.5f * w * pix * X[k] - 0.5f * h * pix * Y[k] - 0.7f * m * Z[k];
    Camera c = {o[0], o[1], o[2], pix * X[0], pix * X[1], pix * X[2], pix * Y[0], pix * Y[1], pix * Y[2], st * Z[0], st * Z[1], st * Z[2]};
    const float absorb = 0.12f;
    float* di = dev_fill<float>((size_t)w * h);
    volume_render_tex3d<<<dim3((w + 15) / 16, (h + 7) / 8), dim3(16, 8)>>>(tex, c, di, w, h, steps, absorb);
    finish_launch();
    auto img = to_host(di, (size_t)w * h);
    auto at = [&](int x, int y, int z) -> float {
        return (x < 0 || y < 0 || z < 0 || x >= m || y >= m || z >= m) ? 0.f : (float)v[((size_t)z * m + y) * m + x];
    };
    bool ok = true;
    for (int py = 0; py < h; py++)
        for (int px = 0; px < w; px++) {
            float tr = 1.f, li = 0.f;
            float x = c.ox + px * c.ux + py * c.vx, y = c.oy + px * c.uy + py * c.vy, z = c.oz + px * c.uz + py * c.vz;
            for (int s = 0; s < steps && tr >= 0.004f; s++) {
                float gx = x + s * c.dx - 0.5f, gy = y + s * c.dy - 0.5f, gz = z + s * c.dz - 0.5f;
                if (gx <= -1.f || gy <= -1.f || gz <= -1.f || gx >= m || gy >= m || gz >= m) continue;
                int ix = (int)(gx + 1.f) - 1, iy = (int)(gy + 1.f) - 1, iz = (int)(gz + 1.f) - 1;
                float fx = gx - ix, fy = gy - iy, fz = gz - iz;
                float c00 = at(ix, iy, iz) * (1 - fx) + at(ix + 1, iy, iz) * fx;
                float c10 = at(ix, iy + 1, iz) * (1 - fx) + at(ix + 1, iy + 1, iz) * fx;
                float c01 = at(ix, iy, iz + 1) * (1 - fx) + at(ix + 1, iy, iz + 1) * fx;
                float c11 = at(ix, iy + 1, iz + 1) * (1 - fx) + at(ix + 1, iy + 1, iz + 1) * fx;
                float d = ((c00 * (1 - fy) + c10 * fy) * (1 - fz) + (c01 * (1 - fy) + c11 * fy) * fz) / 255.f;
                float a = absorb * d * d;
                li += tr * a * d;
                tr *= 1.f - a;
            }
            ok &= near_to(img[(size_t)py * w + px], li, 0.01, 0.01);
        }
    report("volume_render_tex3d", ok);
    CK(cudaDestroyTextureObject(tex));
    CK(cudaFreeArray(arr));
    cudaFree(di);
}

// ---------------------------------------------------------------------------------------
// 29. Sobel edges: 2-D point-sampled texture in, 2-D surface out
// ---------------------------------------------------------------------------------------
__global__ void sobel_tex2d_surface(cudaTextureObject_t src, cudaSurfaceObject_t dst, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    float fx = x + 0.5f, fy = y + 0.5f;
    int a = tex2D<u8>(src, fx - 1, fy - 1), b = tex2D<u8>(src, fx, fy - 1), c = tex2D<u8>(src, fx + 1, fy - 1);
    int d = tex2D<u8>(src, fx - 1, fy), f = tex2D<u8>(src, fx + 1, fy);
    int g = tex2D<u8>(src, fx - 1, fy + 1), i = tex2D<u8>(src, fx, fy + 1), j = tex2D<u8>(src, fx + 1, fy + 1);
    int gx = c + 2 * f + j - a - 2 * d - g;
    int gy = g + 2 * i + j - a - 2 * b - c;
    int mag = (abs(gx) + abs(gy)) >> 1;
    surf2Dwrite((u8)min(mag, 255), dst, x, y);
}

void run_sobel(int w, int h)
{
    auto img = make_image(w, h, 29);
    cudaChannelFormatDesc cd = cudaCreateChannelDesc<u8>();
    cudaArray_t in, out;
    CK(cudaMallocArray(&in, &cd, w, h));
    CK(cudaMallocArray(&out, &cd, w, h, cudaArraySurfaceLoadStore));
    CK(cudaMemcpy2DToArray(in, 0, 0, img.data(), w, w, h, cudaMemcpyHostToDevice));
    cudaResourceDesc rd;
    memset(&rd, 0, sizeof rd);
    rd.resType = cudaResourceTypeArray;
    rd.res.array.array = in;
    cudaTextureDesc td;
    memset(&td, 0, sizeof td);
    td.addressMode[0] = td.addressMode[1] = cudaAddressModeClamp;
    td.filterMode = cudaFilterModePoint;
    td.readMode = cudaReadModeElementType;
    cudaTextureObject_t tex;
    CK(cudaCreateTextureObject(&tex, &rd, &td, nullptr));
    rd.res.array.array = out;
    cudaSurfaceObject_t surf;
    CK(cudaCreateSurfaceObject(&surf, &rd));
    sobel_tex2d_surface<<<dim3((w + 31) / 32, (h + 7) / 8), dim3(32, 8)>>>(tex, surf, w, h);
    finish_launch();
    std::vector<u8> got((size_t)w * h);
    CK(cudaMemcpy2DFromArray(got.data(), w, out, 0, 0, w, h, cudaMemcpyDeviceToHost));
    auto at = [&](int x, int y) -> int { return img[(size_t)std::min(h - 1, std::max(0, y)) * w + std::min(w - 1, std::max(0, x))]; };
    bool ok = true;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int gx = at(x + 1, y - 1) + 2 * at(x + 1, y) + at(x + 1, y + 1) - at(x - 1, y - 1) - 2 * at(x - 1, y) - at(x - 1, y + 1);
            int gy = at(x - 1, y + 1) + 2 * at(x, y + 1) + at(x + 1, y + 1) - at(x - 1, y - 1) - 2 * at(x, y - 1) - at(x + 1, y - 1);
            ok &= got[(size_t)y * w + x] == (u8)std::min(255, (abs(gx) + abs(gy)) >> 1);
        }
    report("sobel_tex2d_surface", ok);
    CK(cudaDestroyTextureObject(tex));
    CK(cudaDestroySurfaceObject(surf));
    CK(cudaFreeArray(in));
    CK(cudaFreeArray(out));
}

int main()
{
    run_embed_bag(1000, 300);              run_embed_bag(60000, 32768);
    run_fem_tet(8);                        run_fem_tet(48);
    run_csr_scalar(12);                    run_csr_scalar(74);
    run_pagerank(2000);                    run_pagerank(150000);
    run_sell(1500);                        run_sell(250000);
    run_hist256(320, 200);                 run_hist256(5120, 4096);
    run_bfs(11, 9000);                     run_bfs(18, 3000000);
    run_hash(5000, 2000, 1u << 13);        run_hash(1200000, 400000, 1u << 20);
    run_cell_list(4000, 8);                run_cell_list(1500000, 64);
    run_zonal(256, 128, 32);               run_zonal(2048, 2048, 64);
    run_bitonic(4);                        run_bitonic(600);
    run_radix(6, 0);                       run_radix(1024, 8);
    run_merge(3000, 1700);                 run_merge(3000000, 2000000);
    run_transpose(2, 130, 94);             run_transpose(7, 1024, 1536);
    run_triad(10001);                      run_triad(1600001);
    run_dot(3000);                         run_dot(1400000);
    run_argmax(2500);                      run_argmax(3000000);
    run_log_softmax(16, 1000);             run_log_softmax(700, 8000);
    run_layernorm(37);                     run_layernorm(10000);
    run_groupnorm(2, 32, 8, 64);           run_groupnorm(20, 256, 32, 1024);
    run_heat(150, 97);                     run_heat(2000, 1900);
    run_wave(48, 40, 36, 14);              run_wave(168, 160, 136, 32);
    run_lookback(3001);                    run_lookback(1300000);
    run_segscan(7001);                     run_segscan(2500000);
    run_partition(5003);                   run_partition(1500000);
    run_mandelbrot(160, 120, -0.6, 0.0, 3.0, 100);
    run_mandelbrot(1280, 960, -0.745, 0.11, 0.06, 300);
    run_asian(2000, 16);                   run_asian(262144, 32);
    run_volume(32, 64, 48);                run_volume(144, 480, 400);
    run_sobel(200, 150);                   run_sobel(3000, 2200);
    printf("%s\n", g_bad ? "FAILED" : "all ok");
    return g_bad ? 1 : 0;
}
