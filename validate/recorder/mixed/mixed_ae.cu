// mixed_ae.cu - 29 production-style GPU kernels, each launched with a small and a large input.
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <cooperative_groups.h>
#include <algorithm>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace cg = cooperative_groups;

#define CUDA_OK(call)                                                                      \
  do {                                                                                     \
    cudaError_t e_ = (call);                                                               \
    if (e_ != cudaSuccess) {                                                               \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_));          \
      exit(2);                                                                             \
    }                                                                                      \
  } while (0)

#define LAUNCH_DONE()                  \
  do {                                 \
    CUDA_OK(cudaGetLastError());       \
    CUDA_OK(cudaDeviceSynchronize());  \
  } while (0)

// ------------------------------------------------------------------ host helpers
struct Rng {
  uint64_t s;
  explicit Rng(uint64_t seed) : s(seed) {}
  uint64_t next() {
    uint64_t z = (s += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }
  double uni() { return (double)(next() >> 11) * (1.0 / 9007199254740992.0); }
  double sym() { return 2.0 * uni() - 1.0; }
  uint32_t below(uint32_t n) { return (uint32_t)(((next() >> 32) * (uint64_t)n) >> 32); }
};

template <class T>
struct Buf {
  T* p = nullptr;
  size_t n = 0;
  explicit Buf(size_t count) : n(count) { CUDA_OK(cudaMalloc(&p, std::max<size_t>(n, 1) * sizeof(T))); }
  explicit Buf(const std::vector<T>& v) : Buf(v.size()) { put(v); }
  Buf(const Buf&) = delete;
  ~Buf() { cudaFree(p); }
  void put(const std::vector<T>& v) { CUDA_OK(cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice)); }
  void fill_bytes(int b) { CUDA_OK(cudaMemset(p, b, n * sizeof(T))); }
  std::vector<T> get() const {
    std::vector<T> v(n);
    CUDA_OK(cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost));
    return v;
  }
};

static bool near(double a, double b, double rel, double abs_) {
  return std::fabs(a - b) <= abs_ + rel * std::max(std::fabs(a), std::fabs(b));  // NaN -> false
}
static int cdiv(long long a, long long b) { return (int)((a + b - 1) / b); }

struct Csr {
  int n = 0;
  std::vector<int> ptr, col;
};

static Csr build_csr(int n, const std::vector<std::pair<int, int>>& e, bool symmetric) {
  Csr g;
  g.n = n;
  g.ptr.assign(n + 1, 0);
  for (auto& x : e) {
    g.ptr[x.first + 1]++;
    if (symmetric) g.ptr[x.second + 1]++;
  }
  for (int i = 0; i < n; i++) g.ptr[i + 1] += g.ptr[i];
  g.col.resize(g.ptr[n]);
  std::vector<int> pos(g.ptr.begin(), g.ptr.end() - 1);
  for (auto& x : e) {
    g.col[pos[x.first]++] = x.second;
    if (symmetric) g.col[pos[x.second]++] = x.first;
  }
  return g;
}

static std::vector<std::pair<int, int>> random_edges(int n, int m, double skew, Rng& r) {
  std::vector<std::pair<int, int>> e(m);
  for (auto& x : e) {
    int a = std::min(n - 1, (int)(n * std::pow(r.uni(), skew)));
    int b = (int)r.below(n);
    if (a == b) b = (b + 1) % n;
    x = {a, b};
  }
  return e;
}

// ------------------------------------------------------------------ device helpers
__device__ __forceinline__ float warp_sum_f(float v) {
#pragma unroll
  for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(0xffffffffu, v, o);
  return v;
}
__device__ __forceinline__ float warp_max_f(float v) {
#pragma unroll
  for (int o = 16; o > 0; o >>= 1) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, o));
  return v;
}
__device__ __forceinline__ double warp_sum_d(double v) {
#pragma unroll
  for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(0xffffffffu, v, o);
  return v;
}
__device__ __forceinline__ unsigned warp_sum_u(unsigned v) {
#pragma unroll
  for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(0xffffffffu, v, o);
  return v;
}
// block sum, result valid in every thread; blockDim.x a multiple of 32, at most 1024
__device__ double block_sum_d(double v) {
  __shared__ double sh[32];
  int lane = threadIdx.x & 31, w = threadIdx.x >> 5, nw = blockDim.x >> 5;
  v = warp_sum_d(v);
  __syncthreads();
  if (lane == 0) sh[w] = v;
  __syncthreads();
  v = lane < nw ? sh[lane] : 0.0;
  return warp_sum_d(v);
}

// ================================================================== 1 embedding gather
__global__ void embedding_gather_float4(const float4* __restrict__ table, const int* __restrict__ tokens,
                                        float4* __restrict__ out, int ntok, int padding_id, float scale) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= ntok) return;
  int id = __ldg(tokens + row);
  float4 v = make_float4(0.f, 0.f, 0.f, 0.f);
  if (id != padding_id) {
    v = __ldg(table + (size_t)id * 16 + threadIdx.x);
    v.x *= scale;
    v.y *= scale;
    v.z *= scale;
    v.w *= scale;
  }
  out[(size_t)row * 16 + threadIdx.x] = v;
}

static bool t_embedding(bool big) {
  int vocab = big ? 50000 : 300, ntok = big ? 131072 : 777, pad = 0;
  Rng r(101);
  std::vector<float> tab((size_t)vocab * 64);
  for (auto& x : tab) x = (float)r.sym();
  std::vector<int> tok(ntok);
  for (auto& t : tok) t = std::min(vocab - 1, (int)(vocab * std::pow(r.uni(), 3.0)));
  Buf<float> dt(tab), dout((size_t)ntok * 64);
  Buf<int> dk(tok);
  dout.fill_bytes(0xff);
  embedding_gather_float4<<<cdiv(ntok, 16), dim3(16, 16)>>>((const float4*)dt.p, dk.p, (float4*)dout.p, ntok, pad, 8.0f);
  LAUNCH_DONE();
  auto o = dout.get();
  for (int i = 0; i < ntok; i++)
    for (int c = 0; c < 64; c++) {
      float want = tok[i] == pad ? 0.f : tab[(size_t)tok[i] * 64 + c] * 8.0f;
      if (o[(size_t)i * 64 + c] != want) return false;
    }
  return true;
}

// ================================================================== 2 PIC charge deposition
__global__ void pic_deposit_cic_double(const double* __restrict__ px, const double* __restrict__ py,
                                       const float* __restrict__ q, int np, double* __restrict__ rho, int nx, int ny,
                                       double inv_dx) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= np) return;
  double fx = px[i] * inv_dx, fy = py[i] * inv_dx;
  double bx = floor(fx), by = floor(fy);
  double wx = fx - bx, wy = fy - by;
  int ix = min(max((int)bx, 0), nx - 1), iy = min(max((int)by, 0), ny - 1);
  int ix1 = ix + 1 == nx ? 0 : ix + 1;
  int iy1 = iy + 1 == ny ? 0 : iy + 1;
  double c = (double)q[i];
  atomicAdd(&rho[iy * nx + ix], c * (1.0 - wx) * (1.0 - wy));
  atomicAdd(&rho[iy * nx + ix1], c * wx * (1.0 - wy));
  atomicAdd(&rho[iy1 * nx + ix], c * (1.0 - wx) * wy);
  atomicAdd(&rho[iy1 * nx + ix1], c * wx * wy);
}

static bool t_pic(bool big) {
  int np = big ? 1200000 : 3000, nx = big ? 640 : 32, ny = big ? 512 : 24;
  Rng r(102);
  double dx = 0.125, inv = 1.0 / dx;
  std::vector<double> x(np), y(np);
  std::vector<float> q(np);
  for (int i = 0; i < np; i++) {
    x[i] = r.uni() * nx * dx;
    y[i] = 0.5 * (r.uni() + r.uni()) * ny * dx;
    q[i] = (float)(0.5 + r.uni());
  }
  Buf<double> dxp(x), dyp(y), drho((size_t)nx * ny);
  Buf<float> dq(q);
  drho.fill_bytes(0);
  pic_deposit_cic_double<<<cdiv(np, 128), 128>>>(dxp.p, dyp.p, dq.p, np, drho.p, nx, ny, inv);
  LAUNCH_DONE();
  std::vector<double> ref((size_t)nx * ny, 0.0);
  for (int i = 0; i < np; i++) {
    double fx = x[i] * inv, fy = y[i] * inv;
    int ix = std::min((int)std::floor(fx), nx - 1), iy = std::min((int)std::floor(fy), ny - 1);
    double wx = fx - std::floor(fx), wy = fy - std::floor(fy);
    int ix1 = (ix + 1) % nx, iy1 = (iy + 1) % ny;
    ref[iy * nx + ix] += q[i] * (1 - wx) * (1 - wy);
    ref[iy * nx + ix1] += q[i] * wx * (1 - wy);
    ref[iy1 * nx + ix] += q[i] * (1 - wx) * wy;
    ref[iy1 * nx + ix1] += q[i] * wx * wy;
  }
  auto o = drho.get();
  for (size_t i = 0; i < o.size(); i++)
    if (!near(o[i], ref[i], 1e-9, 1e-11)) return false;
  return true;
}

// ================================================================== 3 CSR vector SpMV, 8 lanes per row
__global__ void spmv_csr_vector8_double(int nrows, const int* __restrict__ rowptr, const int* __restrict__ col,
                                        const double* __restrict__ val, const double* __restrict__ x,
                                        double* __restrict__ y, double alpha, double beta) {
  int sub = threadIdx.x & 7;
  unsigned mask = 0xffu << (threadIdx.x & 24);
  int stride = (gridDim.x * blockDim.x) >> 3;
  for (int row = (blockIdx.x * blockDim.x + threadIdx.x) >> 3; row < nrows; row += stride) {
    int beg = __ldg(rowptr + row), end = __ldg(rowptr + row + 1);
    double s = 0.0;
    for (int k = beg + sub; k < end; k += 8) s += val[k] * __ldg(x + col[k]);
    s += __shfl_down_sync(mask, s, 4, 8);
    s += __shfl_down_sync(mask, s, 2, 8);
    s += __shfl_down_sync(mask, s, 1, 8);
    if (sub == 0) y[row] = alpha * s + beta * y[row];
  }
}

static bool t_spmv(bool big) {
  int n = big ? 220000 : 500;
  Rng r(103);
  std::vector<int> ptr(n + 1, 0), col;
  std::vector<double> val, x(n), y(n);
  for (int i = 0; i < n; i++) {
    int len = 4 + (int)(6.0 / std::sqrt(r.uni() + 1e-3));
    len = std::min(len, n / 2);
    for (int k = 0; k < len; k++) {
      int c = (k & 3) ? (i + (int)r.below(2001) - 1000) : (int)r.below(n);
      c = ((c % n) + n) % n;
      col.push_back(c);
      val.push_back(r.sym());
    }
    ptr[i + 1] = (int)col.size();
    x[i] = r.sym();
    y[i] = r.sym();
  }
  Buf<int> dp(ptr), dc(col);
  Buf<double> dv(val), dx(x), dy(y);
  int grid = big ? 1056 : cdiv(n * 8, 256);
  spmv_csr_vector8_double<<<grid, 256>>>(n, dp.p, dc.p, dv.p, dx.p, dy.p, 1.5, -0.25);
  LAUNCH_DONE();
  auto o = dy.get();
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int k = ptr[i]; k < ptr[i + 1]; k++) s += val[k] * x[col[k]];
    if (!near(o[i], 1.5 * s - 0.25 * y[i], 1e-10, 1e-11)) return false;
  }
  return true;
}

// ================================================================== 4 byte histogram
__device__ __forceinline__ void hist_add4(unsigned* h, unsigned w) {
  atomicAdd(&h[w & 0xffu], 1u);
  atomicAdd(&h[(w >> 8) & 0xffu], 1u);
  atomicAdd(&h[(w >> 16) & 0xffu], 1u);
  atomicAdd(&h[w >> 24], 1u);
}

__global__ void __launch_bounds__(256) histogram256_bytes_uint4(const uint4* __restrict__ data, size_t nbytes,
                                                                unsigned* __restrict__ hist) {
  __shared__ unsigned sh[8][256];
  for (int i = threadIdx.x; i < 8 * 256; i += blockDim.x) (&sh[0][0])[i] = 0;
  __syncthreads();
  unsigned* mine = sh[threadIdx.x >> 5];
  size_t nvec = nbytes / 16;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < nvec; i += (size_t)gridDim.x * blockDim.x) {
    uint4 v = __ldg(data + i);
    hist_add4(mine, v.x);
    hist_add4(mine, v.y);
    hist_add4(mine, v.z);
    hist_add4(mine, v.w);
  }
  if (blockIdx.x == 0) {
    const unsigned char* tail = (const unsigned char*)data;
    size_t k = nvec * 16 + threadIdx.x;
    if (k < nbytes) atomicAdd(&mine[tail[k]], 1u);
  }
  __syncthreads();
  unsigned s = 0;
#pragma unroll
  for (int w = 0; w < 8; w++) s += sh[w][threadIdx.x];
  if (s) atomicAdd(&hist[threadIdx.x], s);
}

static bool t_hist(bool big) {
  size_t n = big ? 30000007 : 10001;
  Rng r(104);
  std::vector<unsigned char> d(n);
  for (size_t i = 0; i < n; i++) {
    uint64_t z = r.next();
    unsigned a = z & 255, b = (z >> 8) & 255, c = (z >> 16) & 255;
    d[i] = (z >> 60) < 3 ? 32 : (unsigned char)(((a + b) >> 1) & (c | 0xf0));
  }
  Buf<unsigned char> dd(d);
  Buf<unsigned> dh(256);
  dh.fill_bytes(0);
  histogram256_bytes_uint4<<<big ? 528 : 4, 256>>>((const uint4*)dd.p, n, dh.p);
  LAUNCH_DONE();
  std::vector<unsigned> ref(256, 0);
  for (auto b : d) ref[b]++;
  return dh.get() == ref;
}

// ================================================================== 5 BFS top-down level
__global__ void bfs_topdown_warp_queue(const int* __restrict__ rowptr, const int* __restrict__ col,
                                       const int* __restrict__ frontier, int nfront, int* dist, int level,
                                       int* __restrict__ next, int* __restrict__ nnext) {
  int lane = threadIdx.x & 31;
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  int nwarps = (gridDim.x * blockDim.x) >> 5;
  unsigned lt = (1u << lane) - 1u;
  for (int i = warp; i < nfront; i += nwarps) {
    int v = __ldg(frontier + i);
    int beg = __ldg(rowptr + v), end = __ldg(rowptr + v + 1);
    for (int e = beg; e < end; e += 32) {
      int k = e + lane, u = -1;
      bool found = false;
      if (k < end) {
        u = __ldg(col + k);
        if (dist[u] < 0) found = atomicCAS(&dist[u], -1, level) == -1;
      }
      unsigned m = __ballot_sync(0xffffffffu, found);
      if (m) {
        int base = 0;
        if (lane == 0) base = atomicAdd(nnext, __popc(m));
        base = __shfl_sync(0xffffffffu, base, 0);
        if (found) next[base + __popc(m & lt)] = u;
      }
    }
  }
}

static bool t_bfs(bool big) {
  int n = big ? 400000 : 800, m = big ? 2600000 : 2400;
  Rng r(105);
  Csr g = build_csr(n, random_edges(n, m, 2.0, r), true);
  std::vector<int> lev(n, -1);
  std::vector<std::vector<int>> fr(1, std::vector<int>(1, 0));
  lev[0] = 0;
  while (!fr.back().empty()) {
    std::vector<int> nx;
    int L = (int)fr.size();
    for (int v : fr.back())
      for (int k = g.ptr[v]; k < g.ptr[v + 1]; k++)
        if (lev[g.col[k]] < 0) {
          lev[g.col[k]] = L;
          nx.push_back(g.col[k]);
        }
    fr.push_back(nx);
  }
  int best = 0;  // level followed by the largest next frontier
  for (int L = 0; L + 1 < (int)fr.size(); L++)
    if (fr[L + 1].size() > fr[best + 1].size()) best = L;
  std::vector<int> dist(n), want(n);
  for (int i = 0; i < n; i++) {
    dist[i] = lev[i] >= 0 && lev[i] <= best ? lev[i] : -1;
    want[i] = lev[i] >= 0 && lev[i] <= best + 1 ? lev[i] : -1;
  }
  Buf<int> dp(g.ptr), dc(g.col), df(fr[best]), dd(dist), dn(n), dcnt(1);
  dn.fill_bytes(0xff);
  dcnt.fill_bytes(0);
  int nf = (int)fr[best].size();
  bfs_topdown_warp_queue<<<std::min(cdiv((long long)nf * 32, 256), 1056), 256>>>(dp.p, dc.p, df.p, nf, dd.p, best + 1,
                                                                                dn.p, dcnt.p);
  LAUNCH_DONE();
  if (dd.get() != want) return false;
  int cnt = dcnt.get()[0];
  if (cnt != (int)fr[best + 1].size()) return false;
  auto q = dn.get();
  q.resize(cnt);
  std::sort(q.begin(), q.end());
  std::sort(fr[best + 1].begin(), fr[best + 1].end());
  return q == fr[best + 1];
}

// ================================================================== 6 SSSP edge relaxation
__global__ void sssp_relax_edges_coo(const int2* __restrict__ edges, const int* __restrict__ weight, int ne,
                                     const int* __restrict__ dist_in, int* __restrict__ dist_out,
                                     unsigned char* __restrict__ changed) {
  for (int e = blockIdx.x * blockDim.x + threadIdx.x; e < ne; e += gridDim.x * blockDim.x) {
    int2 uv = edges[e];
    int du = __ldg(dist_in + uv.x);
    if (du == INT_MAX) continue;
    int cand = du + weight[e];
    if (cand < __ldg(dist_in + uv.y)) {
      if (atomicMin(&dist_out[uv.y], cand) > cand) changed[uv.y] = 1;
    }
  }
}

static bool t_sssp(bool big) {
  int n = big ? 350000 : 600, m = big ? 3000000 : 3000;
  Rng r(106);
  auto e = random_edges(n, m, 1.3, r);
  std::vector<int2> ed(m);
  std::vector<int> w(m), d(n, INT_MAX);
  for (int i = 0; i < m; i++) {
    ed[i] = make_int2(e[i].first, e[i].second);
    w[i] = 1 + (int)r.below(1000);
  }
  d[0] = 0;
  for (int round = 0; round < (big ? 5 : 3); round++) {
    auto nd = d;
    for (int i = 0; i < m; i++)
      if (d[ed[i].x] != INT_MAX) nd[ed[i].y] = std::min(nd[ed[i].y], d[ed[i].x] + w[i]);
    d = nd;
  }
  Buf<int2> de(ed);
  Buf<int> dw(w), din(d), dout(d);
  Buf<unsigned char> dch(n);
  dch.fill_bytes(0);
  sssp_relax_edges_coo<<<big ? 2112 : 6, 512>>>(de.p, dw.p, m, din.p, dout.p, dch.p);
  LAUNCH_DONE();
  auto nd = d;
  for (int i = 0; i < m; i++)
    if (d[ed[i].x] != INT_MAX) nd[ed[i].y] = std::min(nd[ed[i].y], d[ed[i].x] + w[i]);
  auto o = dout.get();
  auto c = dch.get();
  for (int i = 0; i < n; i++)
    if (o[i] != nd[i] || c[i] != (nd[i] < d[i] ? 1 : 0)) return false;
  return true;
}

// ================================================================== 7 connected components (hooking)
__device__ __forceinline__ int cc_representative(int v, volatile int* parent) {
  int cur = parent[v];
  if (cur != v) {
    int prev = v, nxt;
    while (cur > (nxt = parent[cur])) {
      parent[prev] = nxt;  // path halving
      prev = cur;
      cur = nxt;
    }
  }
  return cur;
}

__global__ void cc_hook_cas(int n, const int* __restrict__ rowptr, const int* __restrict__ col, int* parent) {
  for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < n; v += gridDim.x * blockDim.x) {
    int vs = cc_representative(v, parent);
    int end = rowptr[v + 1];
    for (int k = rowptr[v]; k < end; k++) {
      int u = col[k];
      if (u >= v) continue;
      int us = cc_representative(u, parent);
      bool again;
      do {
        again = false;
        if (vs != us) {
          int ret;
          if (vs < us) {
            if ((ret = atomicCAS(&parent[us], us, vs)) != us) {
              us = ret;
              again = true;
            }
          } else {
            if ((ret = atomicCAS(&parent[vs], vs, us)) != vs) {
              vs = ret;
              again = true;
            }
          }
        }
      } while (again);
      vs = min(vs, us);
    }
  }
}

static bool t_cc(bool big) {
  int n = big ? 700000 : 900, m = big ? 600000 : 500;
  Rng r(107);
  std::vector<std::pair<int, int>> e(m);
  for (auto& x : e) {
    int a = (int)r.below(n);
    int b = r.below(10) ? a + 1 + (int)r.below(200) : (int)r.below(n);
    if (b >= n || b == a) b = a ? a - 1 : 1;
    x = {a, b};
  }
  Csr g = build_csr(n, e, true);
  std::vector<int> par(n), uf(n);
  for (int i = 0; i < n; i++) par[i] = uf[i] = i;
  auto find = [](std::vector<int>& p, int v) {
    while (p[v] != v) {
      p[v] = p[p[v]];
      v = p[v];
    }
    return v;
  };
  Buf<int> dp(g.ptr), dc(g.col), dpar(par);
  cc_hook_cas<<<cdiv(n, 256), 256>>>(n, dp.p, dc.p, dpar.p);
  LAUNCH_DONE();
  for (auto& x : e) {
    int a = find(uf, x.first), b = find(uf, x.second);
    if (a < b) uf[b] = a;
    else uf[a] = b;
  }
  auto o = dpar.get();
  for (int i = 0; i < n; i++)
    if (o[i] < 0 || o[i] > i) return false;
  for (int i = 0; i < n; i++)
    if (find(o, i) != find(uf, i)) return false;
  return true;
}

// ================================================================== 8 triangle counting
__global__ void __launch_bounds__(128) triangle_count_binsearch(const int2* __restrict__ edges, int ne,
                                                                const int* __restrict__ ptr,
                                                                const int* __restrict__ col,
                                                                unsigned long long* __restrict__ total) {
  __shared__ unsigned sh[4];
  int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
  int nw = (gridDim.x * blockDim.x) >> 5;
  unsigned cnt = 0;
  for (int e = (blockIdx.x * blockDim.x + threadIdx.x) >> 5; e < ne; e += nw) {
    int2 uv = __ldg(edges + e);
    int ab = __ldg(ptr + uv.x), ae = __ldg(ptr + uv.x + 1);
    int bb = __ldg(ptr + uv.y), be = __ldg(ptr + uv.y + 1);
    if (ae - ab > be - bb) {
      int t = ab; ab = bb; bb = t;
      t = ae; ae = be; be = t;
    }
    for (int k = ab + lane; k < ae; k += 32) {
      int key = __ldg(col + k);
      int lo = bb, hi = be;
      while (lo < hi) {
        int mid = (lo + hi) >> 1;
        if (__ldg(col + mid) < key) lo = mid + 1;
        else hi = mid;
      }
      if (lo < be && __ldg(col + lo) == key) cnt++;
    }
  }
  cnt = warp_sum_u(cnt);
  if (lane == 0) sh[w] = cnt;
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(total, (unsigned long long)(sh[0] + sh[1] + sh[2] + sh[3]));
}

static bool t_tri(bool big) {
  int n = big ? 100000 : 400, m = big ? 1400000 : 3000;
  Rng r(108);
  std::vector<std::pair<int, int>> e(m);
  for (auto& x : e) {
    int a = (int)r.below(n), b;
    switch (r.below(8)) {
      case 0: b = (int)r.below(n); break;
      case 1: b = (int)(n * std::pow(r.uni(), 4.0)); break;
      default: b = (a + 1 + (int)r.below(48)) % n;
    }
    b = std::min(b, n - 1);
    if (a == b) b = (a + 1) % n;
    x = {std::min(a, b), std::max(a, b)};
  }
  std::sort(e.begin(), e.end());
  e.erase(std::unique(e.begin(), e.end()), e.end());
  std::vector<int> deg(n, 0);
  for (auto& x : e) deg[x.first]++, deg[x.second]++;
  for (auto& x : e)  // orient from low degree to high
    if (deg[x.first] > deg[x.second] || (deg[x.first] == deg[x.second] && x.first > x.second)) std::swap(x.first, x.second);
  std::sort(e.begin(), e.end());
  Csr g = build_csr(n, e, false);
  std::vector<int2> ed(e.size());
  for (size_t i = 0; i < e.size(); i++) ed[i] = make_int2(e[i].first, e[i].second);
  unsigned long long ref = 0;
  for (auto& x : e) {
    int i = g.ptr[x.first], ie = g.ptr[x.first + 1], j = g.ptr[x.second], je = g.ptr[x.second + 1];
    while (i < ie && j < je) {
      if (g.col[i] < g.col[j]) i++;
      else if (g.col[i] > g.col[j]) j++;
      else ref++, i++, j++;
    }
  }
  Buf<int2> de(ed);
  Buf<int> dp(g.ptr), dc(g.col);
  Buf<unsigned long long> dt(1);
  dt.fill_bytes(0);
  triangle_count_binsearch<<<big ? 2112 : 32, 128>>>(de.p, (int)ed.size(), dp.p, dc.p, dt.p);
  LAUNCH_DONE();
  return dt.get()[0] == ref && ref > 0;
}

// ================================================================== 9 PageRank pull
__global__ void pagerank_pull_step(int n, const int* __restrict__ inptr, const int* __restrict__ insrc,
                                   const double* __restrict__ contrib, const double* __restrict__ rank_old,
                                   double* __restrict__ rank_new, double base, double damping,
                                   double* __restrict__ l1) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  double diff = 0.0;
  if (v < n) {
    int e = inptr[v], end = inptr[v + 1];
    double s = 0.0;
    for (; e < end; e++) s += __ldg(contrib + __ldg(insrc + e));
    double nr = base + damping * s;
    rank_new[v] = nr;
    diff = fabs(nr - rank_old[v]);
  }
  diff = block_sum_d(diff);
  if (threadIdx.x == 0) atomicAdd(l1, diff);
}

static bool t_pr(bool big) {
  int n = big ? 300000 : 700, m = big ? 3600000 : 5000;
  Rng r(109);
  Csr g = build_csr(n, random_edges(n, m, 1.3, r), false);  // row = target, col = source
  std::vector<int> outdeg(n, 0);
  for (int s : g.col) outdeg[s]++;
  std::vector<double> rank(n), contrib(n);
  double tot = 0;
  for (auto& x : rank) tot += (x = 0.2 + r.uni());
  for (int i = 0; i < n; i++) {
    rank[i] /= tot;
    contrib[i] = outdeg[i] ? rank[i] / outdeg[i] : 0.0;
  }
  double damping = 0.85, base = (1 - damping) / n;
  Buf<int> dp(g.ptr), dc(g.col);
  Buf<double> dcon(contrib), dold(rank), dnew(n), dl1(1);
  dnew.fill_bytes(0xff);
  dl1.fill_bytes(0);
  pagerank_pull_step<<<cdiv(n, 192), 192>>>(n, dp.p, dc.p, dcon.p, dold.p, dnew.p, base, damping, dl1.p);
  LAUNCH_DONE();
  auto o = dnew.get();
  double l1 = 0;
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int k = g.ptr[i]; k < g.ptr[i + 1]; k++) s += contrib[g.col[k]];
    double nr = base + damping * s;
    l1 += std::fabs(nr - rank[i]);
    if (!near(o[i], nr, 1e-11, 0)) return false;
  }
  return near(dl1.get()[0], l1, 1e-9, 0);
}

// ================================================================== 10 hash table group-by count
static const unsigned long long EMPTY_KEY = ~0ull;

__host__ __device__ __forceinline__ unsigned long long mix64(unsigned long long k) {
  k ^= k >> 33;
  k *= 0xff51afd7ed558ccdull;
  k ^= k >> 33;
  k *= 0xc4ceb9fe1a85ec53ull;
  k ^= k >> 33;
  return k;
}

__global__ void hash_groupby_count_cas64(const unsigned long long* __restrict__ keys, int n, unsigned long long* slots,
                                         unsigned* counts, unsigned mask) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned long long k = keys[i];
    unsigned s = (unsigned)mix64(k) & mask;
    while (true) {
      unsigned long long cur = slots[s];
      if (cur == ~0ull) {
        unsigned long long old = atomicCAS(&slots[s], ~0ull, k);
        cur = old == ~0ull ? k : old;
      }
      if (cur == k) {
        atomicAdd(&counts[s], 1u);
        break;
      }
      s = (s + 1) & mask;
    }
  }
}

static bool t_hash(bool big) {
  int n = big ? 2500000 : 4000, uniq = big ? 600000 : 500;
  unsigned cap = big ? 1u << 20 : 1024;
  Rng r(110);
  std::vector<unsigned long long> k(n);
  for (auto& x : k) {
    unsigned long long id = (unsigned long long)(uniq * std::pow(r.uni(), 2.5));
    x = (id * 0x9E3779B97F4A7C15ull + 12345) >> 1;
  }
  Buf<unsigned long long> dk(k), ds(cap);
  Buf<unsigned> dc(cap);
  ds.fill_bytes(0xff);
  dc.fill_bytes(0);
  hash_groupby_count_cas64<<<big ? 1320 : 8, 256>>>(dk.p, n, ds.p, dc.p, cap - 1);
  LAUNCH_DONE();
  auto s = ds.get();
  auto c = dc.get();
  std::vector<std::pair<unsigned long long, unsigned>> got, want;
  for (unsigned i = 0; i < cap; i++) {
    if (s[i] != EMPTY_KEY) got.push_back({s[i], c[i]});
    else if (c[i]) return false;
  }
  std::sort(k.begin(), k.end());
  for (size_t i = 0; i < k.size();) {
    size_t j = i;
    while (j < k.size() && k[j] == k[i]) j++;
    want.push_back({k[i], (unsigned)(j - i)});
    i = j;
  }
  std::sort(got.begin(), got.end());
  return got == want;
}

// ================================================================== 11 bitonic tile sort
__global__ void __launch_bounds__(1024) bitonic_sort_tile_pairs(const unsigned* __restrict__ kin,
                                                                const unsigned* __restrict__ vin,
                                                                unsigned* __restrict__ kout,
                                                                unsigned* __restrict__ vout, int n) {
  __shared__ unsigned sk[2048];
  __shared__ unsigned sv[2048];
  int base = blockIdx.x * 2048, t = threadIdx.x;
#pragma unroll
  for (int h = 0; h < 2; h++) {
    int g = base + t + h * 1024;
    sk[t + h * 1024] = g < n ? kin[g] : 0xffffffffu;
    sv[t + h * 1024] = g < n ? vin[g] : 0xffffffffu;
  }
  for (int size = 2; size <= 2048; size <<= 1) {
    for (int stride = size >> 1; stride > 0; stride >>= 1) {
      __syncthreads();
      int pos = 2 * t - (t & (stride - 1));
      bool asc = (pos & size) == 0;
      unsigned a = sk[pos], b = sk[pos + stride];
      if ((a > b) == asc) {
        if (a != b) {
          sk[pos] = b;
          sk[pos + stride] = a;
          unsigned x = sv[pos];
          sv[pos] = sv[pos + stride];
          sv[pos + stride] = x;
        }
      }
    }
  }
  __syncthreads();
#pragma unroll
  for (int h = 0; h < 2; h++) {
    int g = base + t + h * 1024;
    if (g < n) {
      kout[g] = sk[t + h * 1024];
      vout[g] = sv[t + h * 1024];
    }
  }
}

static bool t_bitonic(bool big) {
  int n = big ? 2500000 : 5000;
  Rng r(111);
  std::vector<unsigned> k(n), v(n);
  for (int i = 0; i < n; i++) {
    k[i] = r.below(3) ? (unsigned)(r.next() >> 33) : r.below(1000);
    v[i] = i;
  }
  Buf<unsigned> dk(k), dv(v), ok(n), ov(n);
  ok.fill_bytes(0);
  ov.fill_bytes(0);
  bitonic_sort_tile_pairs<<<cdiv(n, 2048), 1024>>>(dk.p, dv.p, ok.p, ov.p, n);
  LAUNCH_DONE();
  auto a = ok.get(), b = ov.get();
  std::vector<unsigned char> seen(n, 0);
  for (int i = 0; i < n; i++) {
    if (b[i] >= (unsigned)n || seen[b[i]] || (int)b[i] / 2048 != i / 2048) return false;
    seen[b[i]] = 1;
    if (k[b[i]] != a[i]) return false;
    if (i % 2048 && a[i - 1] > a[i]) return false;
  }
  return true;
}

// ================================================================== 12 radix sort downsweep, 8-bit digit
__global__ void __launch_bounds__(256) radix_downsweep_scatter8(const unsigned* __restrict__ kin,
                                                                const unsigned* __restrict__ vin,
                                                                const unsigned* __restrict__ digit_offsets,
                                                                unsigned* __restrict__ kout,
                                                                unsigned* __restrict__ vout, int n, int shift) {
  __shared__ unsigned wh[8][256];
  for (int i = threadIdx.x; i < 2048; i += 256) (&wh[0][0])[i] = 0;
  __syncthreads();
  int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
  int base = blockIdx.x * 2048 + w * 256;
  unsigned lt = (1u << lane) - 1u;
  unsigned key[8], rank[8];
#pragma unroll
  for (int s = 0; s < 8; s++) {
    int g = base + s * 32 + lane;
    bool valid = g < n;
    key[s] = valid ? kin[g] : 0u;
    unsigned d = valid ? (key[s] >> shift) & 255u : 256u;
    unsigned peers = __match_any_sync(0xffffffffu, d);
    int leader = __ffs(peers) - 1;
    unsigned cnt = 0;
    if (valid && lane == leader) {
      cnt = wh[w][d];
      wh[w][d] = cnt + __popc(peers);
    }
    cnt = __shfl_sync(0xffffffffu, cnt, leader);
    rank[s] = cnt + __popc(peers & lt);
    __syncwarp();
  }
  __syncthreads();
  {
    unsigned run = digit_offsets[threadIdx.x * gridDim.x + blockIdx.x];
#pragma unroll
    for (int i = 0; i < 8; i++) {
      unsigned t = wh[i][threadIdx.x];
      wh[i][threadIdx.x] = run;
      run += t;
    }
  }
  __syncthreads();
#pragma unroll
  for (int s = 0; s < 8; s++) {
    int g = base + s * 32 + lane;
    if (g < n) {
      unsigned dst = wh[w][(key[s] >> shift) & 255u] + rank[s];
      kout[dst] = key[s];
      vout[dst] = vin[g];
    }
  }
}

static bool t_radix(bool big) {
  int n = big ? 2800003 : 7001, shift = 8;
  int nb = cdiv(n, 2048);
  Rng r(112);
  std::vector<unsigned> k(n), v(n), off((size_t)256 * nb, 0);
  for (int i = 0; i < n; i++) {
    k[i] = (unsigned)r.next();
    if (r.below(4) == 0) k[i] &= 0xffff0fffu;
    v[i] = i * 7u + 1u;
    off[(size_t)((k[i] >> shift) & 255) * nb + i / 2048]++;
  }
  unsigned run = 0;
  for (auto& x : off) {
    unsigned t = x;
    x = run;
    run += t;
  }
  Buf<unsigned> dk(k), dv(v), dof(off), ok(n), ov(n);
  ok.fill_bytes(0);
  ov.fill_bytes(0);
  radix_downsweep_scatter8<<<nb, 256>>>(dk.p, dv.p, dof.p, ok.p, ov.p, n, shift);
  LAUNCH_DONE();
  std::vector<unsigned> pos(256), rk(n), rv(n);
  for (int d = 0; d < 256; d++) pos[d] = off[(size_t)d * nb];
  for (int i = 0; i < n; i++) {
    unsigned p = pos[(k[i] >> shift) & 255]++;
    rk[p] = k[i];
    rv[p] = v[i];
  }
  return ok.get() == rk && ov.get() == rv;
}

// ================================================================== 13 merge path
__device__ __forceinline__ int merge_path_search(const double* a, int na, const double* b, int nb, int diag) {
  int lo = max(0, diag - nb), hi = min(diag, na);
  while (lo < hi) {
    int mid = (lo + hi) >> 1;
    if (a[mid] <= b[diag - 1 - mid]) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}

__global__ void __launch_bounds__(128) merge_path_tiles_double(const double* __restrict__ a, int na,
                                                               const double* __restrict__ b, int nb,
                                                               double* __restrict__ out) {
  __shared__ double tile[1024];
  __shared__ int split[2];
  int total = na + nb;
  int d0 = blockIdx.x * 1024, d1 = min(d0 + 1024, total);
  if (threadIdx.x == 0) split[0] = merge_path_search(a, na, b, nb, d0);
  if (threadIdx.x == 32) split[1] = merge_path_search(a, na, b, nb, d1);
  __syncthreads();
  int a0 = split[0], a1 = split[1], b0 = d0 - a0, b1 = d1 - a1;
  int la = a1 - a0, lb = b1 - b0, len = la + lb;
  for (int i = threadIdx.x; i < len; i += 128) tile[i] = i < la ? a[a0 + i] : b[b0 + i - la];
  __syncthreads();
  const double* sa = tile;
  const double* sb = tile + la;
  double reg[8];
  int d = threadIdx.x * 8;
  if (d < len) {
    int ia = merge_path_search(sa, la, sb, lb, d), ib = d - ia;
#pragma unroll
    for (int k = 0; k < 8; k++) {
      if (d + k < len) {
        bool take_a = ib >= lb || (ia < la && sa[ia] <= sb[ib]);
        reg[k] = take_a ? sa[ia++] : sb[ib++];
      }
    }
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 8; k++)
    if (d + k < len) tile[d + k] = reg[k];
  __syncthreads();
  for (int i = threadIdx.x; i < len; i += 128) out[d0 + i] = tile[i];
}

static bool t_merge(bool big) {
  int na = big ? 1600000 : 1500, nb = big ? 1300000 : 2300;
  Rng r(113);
  std::vector<double> a(na), b(nb), ref(na + nb);
  double s = 0;
  for (auto& x : a) x = (s += r.uni());
  s = a[na / 5];
  for (auto& x : b) x = (s += r.below(5) ? r.uni() * 0.9 : 0.0);
  for (int i = 0; i < nb; i += 17) {  // some ties with a
    auto it = std::lower_bound(a.begin(), a.end(), b[i]);
    if (it != a.end() && (i + 1 == nb || *it <= b[i + 1])) b[i] = *it;
  }
  Buf<double> da(a), db(b), dout(na + nb);
  dout.fill_bytes(0xff);
  merge_path_tiles_double<<<cdiv(na + nb, 1024), 128>>>(da.p, na, db.p, nb, dout.p);
  LAUNCH_DONE();
  std::merge(a.begin(), a.end(), b.begin(), b.end(), ref.begin());
  return dout.get() == ref;
}

// ================================================================== 14 tiled transpose
__global__ void transpose_tile_float(const float* __restrict__ in, float* __restrict__ out, int width, int height) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(size_t)(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
  for (int j = 0; j < 32; j += 8)
    if (x < height && y + j < width) out[(size_t)(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

static bool t_transpose(bool big) {
  int w = big ? 2500 : 77, h = big ? 2410 : 130;
  Rng r(114);
  std::vector<float> a((size_t)w * h);
  for (auto& x : a) x = (float)r.sym();
  Buf<float> da(a), db(a.size());
  db.fill_bytes(0xff);
  transpose_tile_float<<<dim3(cdiv(w, 32), cdiv(h, 32)), dim3(32, 8)>>>(da.p, db.p, w, h);
  LAUNCH_DONE();
  auto o = db.get();
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      if (o[(size_t)x * h + y] != a[(size_t)y * w + x]) return false;
  return true;
}

// ================================================================== 15 RMSNorm + int8 quantisation
__global__ void __launch_bounds__(256) rmsnorm_quant_int8_rows(const __half* __restrict__ x,
                                                               const float* __restrict__ gamma,
                                                               signed char* __restrict__ q, float* __restrict__ scale,
                                                               int hidden, float eps) {
  __shared__ float red[8];
  __shared__ float s_inv, s_amax;
  int row = blockIdx.x, lane = threadIdx.x & 31, w = threadIdx.x >> 5;
  int nvec = hidden >> 3;  // at most 512
  const uint4* xr = (const uint4*)(x + (size_t)row * hidden);
  float v[2][8];
  float ss = 0.f;
#pragma unroll
  for (int k = 0; k < 2; k++) {
    int i = threadIdx.x + k * 256;
    uint4 raw = make_uint4(0, 0, 0, 0);
    if (i < nvec) raw = __ldg(xr + i);
    const __half2* h = reinterpret_cast<const __half2*>(&raw);
#pragma unroll
    for (int j = 0; j < 4; j++) {
      float2 f = __half22float2(h[j]);
      v[k][2 * j] = f.x;
      v[k][2 * j + 1] = f.y;
      ss += f.x * f.x + f.y * f.y;
    }
  }
  ss = warp_sum_f(ss);
  if (lane == 0) red[w] = ss;
  __syncthreads();
  if (w == 0) {
    float t = lane < 8 ? red[lane] : 0.f;
    t = warp_sum_f(t);
    if (lane == 0) s_inv = rsqrtf(t / (float)hidden + eps);
  }
  __syncthreads();
  float inv = s_inv, am = 0.f;
#pragma unroll
  for (int k = 0; k < 2; k++) {
    int i = threadIdx.x + k * 256;
    if (i < nvec) {
      float4 g0 = __ldg((const float4*)gamma + 2 * i), g1 = __ldg((const float4*)gamma + 2 * i + 1);
      float g[8] = {g0.x, g0.y, g0.z, g0.w, g1.x, g1.y, g1.z, g1.w};
#pragma unroll
      for (int j = 0; j < 8; j++) {
        v[k][j] *= inv * g[j];
        am = fmaxf(am, fabsf(v[k][j]));
      }
    }
  }
  am = warp_max_f(am);
  if (lane == 0) red[w] = am;
  __syncthreads();
  if (w == 0) {
    float t = lane < 8 ? red[lane] : 0.f;
    t = warp_max_f(t);
    if (lane == 0) {
      s_amax = fmaxf(t, 1e-8f);
      scale[row] = s_amax / 127.f;
    }
  }
  __syncthreads();
  float qs = 127.f / s_amax;
#pragma unroll
  for (int k = 0; k < 2; k++) {
    int i = threadIdx.x + k * 256;
    if (i < nvec) {
      unsigned pk[2] = {0u, 0u};
#pragma unroll
      for (int j = 0; j < 8; j++) {
        int t = max(-127, min(127, __float2int_rn(v[k][j] * qs)));
        pk[j >> 2] |= ((unsigned)t & 0xffu) << (8 * (j & 3));
      }
      ((uint2*)(q + (size_t)row * hidden))[i] = make_uint2(pk[0], pk[1]);
    }
  }
}

static bool t_rmsnorm(bool big) {
  int rows = big ? 3000 : 40, hidden = big ? 4096 : 1000;
  Rng r(115);
  std::vector<__half> x((size_t)rows * hidden);
  std::vector<float> gam(hidden), xf(x.size());
  for (size_t i = 0; i < x.size(); i++) {
    double v = r.sym() + r.sym();
    if ((i & 255) == 7) v *= 6.0;  // outlier channels
    x[i] = __float2half((float)v);
    xf[i] = __half2float(x[i]);
  }
  for (auto& g : gam) g = (float)(0.5 + r.uni());
  Buf<__half> dx(x);
  Buf<float> dg(gam), ds(rows);
  Buf<signed char> dq(x.size());
  dq.fill_bytes(0x55);
  ds.fill_bytes(0);
  rmsnorm_quant_int8_rows<<<rows, 256>>>(dx.p, dg.p, dq.p, ds.p, hidden, 1e-6f);
  LAUNCH_DONE();
  auto q = dq.get();
  auto s = ds.get();
  for (int i = 0; i < rows; i++) {
    const float* p = &xf[(size_t)i * hidden];
    double ss = 0, am = 0;
    for (int j = 0; j < hidden; j++) ss += (double)p[j] * p[j];
    double inv = 1.0 / std::sqrt(ss / hidden + 1e-6);
    for (int j = 0; j < hidden; j++) am = std::max(am, std::fabs(p[j] * inv * gam[j]));
    if (!near(s[i], am / 127, 1e-4, 0)) return false;
    for (int j = 0; j < hidden; j++) {
      double y = p[j] * inv * gam[j] * 127 / am;
      if (std::fabs(q[(size_t)i * hidden + j] - y) > 0.52) return false;
    }
  }
  return true;
}

// ================================================================== 16 AdamW
struct AdamParams {
  float lr, b1, b2, eps, wd, bc1, bc2;
};

__device__ __forceinline__ void adamw_one(float& p, float g, float& m, float& v, const AdamParams& a) {
  m = a.b1 * m + (1.f - a.b1) * g;
  v = a.b2 * v + (1.f - a.b2) * g * g;
  float upd = (m * a.bc1) / (sqrtf(v * a.bc2) + a.eps);
  p = p - a.lr * (upd + a.wd * p);
}

__global__ void adamw_update_float4(float* __restrict__ p, const float* __restrict__ g, float* __restrict__ m,
                                    float* __restrict__ v, int n, AdamParams a) {
  int n4 = n >> 2;
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = t; i < n4; i += gridDim.x * blockDim.x) {
    float4 P = ((float4*)p)[i], M = ((float4*)m)[i], V = ((float4*)v)[i];
    float4 G = ((const float4*)g)[i];
    adamw_one(P.x, G.x, M.x, V.x, a);
    adamw_one(P.y, G.y, M.y, V.y, a);
    adamw_one(P.z, G.z, M.z, V.z, a);
    adamw_one(P.w, G.w, M.w, V.w, a);
    ((float4*)p)[i] = P;
    ((float4*)m)[i] = M;
    ((float4*)v)[i] = V;
  }
  int k = n4 * 4 + t;
  if (k < n) adamw_one(p[k], g[k], m[k], v[k], a);
}

static bool t_adamw(bool big) {
  int n = big ? 3300003 : 1234;
  Rng r(116);
  std::vector<float> p(n), g(n), m(n), v(n);
  for (int i = 0; i < n; i++) {
    p[i] = (float)r.sym();
    g[i] = (float)(0.1 * r.sym());
    m[i] = (float)(0.05 * r.sym());
    v[i] = (float)(0.01 * r.uni() + 1e-5);
  }
  AdamParams a = {1e-3f, 0.9f, 0.999f, 1e-8f, 0.01f, (float)(1 / (1 - std::pow(0.9, 20))), (float)(1 / (1 - std::pow(0.999, 20)))};
  Buf<float> dp(p), dg(g), dm(m), dv(v);
  adamw_update_float4<<<big ? 1584 : 2, 256>>>(dp.p, dg.p, dm.p, dv.p, n, a);
  LAUNCH_DONE();
  auto op = dp.get(), om = dm.get(), ov = dv.get();
  for (int i = 0; i < n; i++) {
    double M = (double)a.b1 * m[i] + (1.0 - a.b1) * g[i];
    double V = (double)a.b2 * v[i] + (1.0 - a.b2) * g[i] * g[i];
    double P = p[i] - a.lr * (M * a.bc1 / (std::sqrt(V * a.bc2) + a.eps) + (double)a.wd * p[i]);
    if (!near(om[i], M, 1e-4, 1e-6) || !near(ov[i], V, 1e-4, 1e-7) || !near(op[i], P, 1e-5, 2e-6)) return false;
  }
  return true;
}

// ================================================================== 17 CG update (cooperative)
__global__ void __launch_bounds__(256) cg_update_coop_double2(int n2, const double2* __restrict__ p,
                                                              const double2* __restrict__ q, double2* __restrict__ x,
                                                              double2* __restrict__ r, double rr_old, double* partial,
                                                              double* rr_new) {
  cg::grid_group grid = cg::this_grid();
  int t0 = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
  double s = 0.0;
  for (int i = t0; i < n2; i += stride) {
    double2 a = p[i], b = q[i];
    s += a.x * b.x + a.y * b.y;
  }
  s = block_sum_d(s);
  if (threadIdx.x == 0) partial[blockIdx.x] = s;
  grid.sync();
  s = 0.0;
  for (int i = threadIdx.x; i < (int)gridDim.x; i += blockDim.x) s += partial[i];
  s = block_sum_d(s);
  double alpha = rr_old / s, rs = 0.0;
  for (int i = t0; i < n2; i += stride) {
    double2 a = p[i], b = q[i], xv = x[i], rv = r[i];
    xv.x += alpha * a.x;
    xv.y += alpha * a.y;
    rv.x -= alpha * b.x;
    rv.y -= alpha * b.y;
    x[i] = xv;
    r[i] = rv;
    rs += rv.x * rv.x + rv.y * rv.y;
  }
  rs = block_sum_d(rs);
  if (threadIdx.x == 0) partial[gridDim.x + blockIdx.x] = rs;
  grid.sync();
  if (blockIdx.x == 0) {
    s = 0.0;
    for (int i = threadIdx.x; i < (int)gridDim.x; i += blockDim.x) s += partial[gridDim.x + i];
    s = block_sum_d(s);
    if (threadIdx.x == 0) *rr_new = s;
  }
}

static bool t_cg(bool big) {
  int n = big ? 1400000 : 5000, n2 = n / 2;
  Rng r(117);
  std::vector<double> p(n), q(n), x(n), res(n);
  double rr = 0, pq = 0;
  for (int i = 0; i < n; i++) {
    p[i] = r.sym();
    q[i] = 2.0 * p[i] + 0.3 * r.sym();
    x[i] = r.sym();
    res[i] = p[i] + 0.1 * r.sym();
    rr += res[i] * res[i];
    pq += p[i] * q[i];
  }
  int dev = 0, sms = 0, per = 0;
  CUDA_OK(cudaGetDevice(&dev));
  CUDA_OK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, dev));
  CUDA_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per, cg_update_coop_double2, 256, 0));
  int grid = std::min(cdiv(n2, 256), sms * std::min(per, 4));
  Buf<double> dp(p), dq(q), dx(x), dr(res), dpart(2 * (size_t)grid), dn(1);
  dpart.fill_bytes(0);
  dn.fill_bytes(0);
  const double2 *ap = (const double2*)dp.p, *aq = (const double2*)dq.p;
  double2 *ax = (double2*)dx.p, *ar = (double2*)dr.p;
  void* args[] = {&n2, &ap, &aq, &ax, &ar, &rr, &dpart.p, &dn.p};
  CUDA_OK(cudaLaunchCooperativeKernel((const void*)cg_update_coop_double2, dim3(grid), dim3(256), args, 0, 0));
  LAUNCH_DONE();
  double alpha = rr / pq, rn = 0;
  auto ox = dx.get(), orr = dr.get();
  for (int i = 0; i < n; i++) {
    double xv = x[i] + alpha * p[i], rv = res[i] - alpha * q[i];
    rn += rv * rv;
    if (!near(ox[i], xv, 1e-9, 1e-10) || !near(orr[i], rv, 1e-9, 1e-10)) return false;
  }
  return near(dn.get()[0], rn, 1e-9, 0);
}

// ================================================================== 18 online softmax
__global__ void __launch_bounds__(128) softmax_online_warp_rows(const float* __restrict__ x, float* __restrict__ y,
                                                                int rows, int cols, float scale) {
  int row = blockIdx.x * 4 + (threadIdx.x >> 5), lane = threadIdx.x & 31;
  if (row >= rows) return;
  const float4* xr = (const float4*)(x + (size_t)row * cols);
  float4* yr = (float4*)(y + (size_t)row * cols);
  int c4 = cols >> 2;
  float m = -FLT_MAX, s = 0.f;
  for (int i = lane; i < c4; i += 32) {
    float4 v = __ldg(xr + i);
    v.x *= scale; v.y *= scale; v.z *= scale; v.w *= scale;
    float mx = fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w));
    if (mx > m) {
      s *= __expf(m - mx);
      m = mx;
    }
    s += __expf(v.x - m) + __expf(v.y - m) + __expf(v.z - m) + __expf(v.w - m);
  }
#pragma unroll
  for (int o = 16; o > 0; o >>= 1) {
    float mo = __shfl_xor_sync(0xffffffffu, m, o), so = __shfl_xor_sync(0xffffffffu, s, o);
    float mn = fmaxf(m, mo);
    s = s * __expf(m - mn) + so * __expf(mo - mn);
    m = mn;
  }
  float inv = 1.f / s;
  for (int i = lane; i < c4; i += 32) {
    float4 v = __ldg(xr + i);
    v.x = __expf(v.x * scale - m) * inv;
    v.y = __expf(v.y * scale - m) * inv;
    v.z = __expf(v.z * scale - m) * inv;
    v.w = __expf(v.w * scale - m) * inv;
    yr[i] = v;
  }
}

static bool t_softmax(bool big) {
  int rows = big ? 3000 : 50, cols = big ? 2048 : 100;
  float scale = 0.125f;
  Rng r(118);
  std::vector<float> x((size_t)rows * cols);
  for (auto& v : x) v = (float)(40.0 * (r.uni() + r.uni() - 1.0));
  Buf<float> dx(x), dy(x.size());
  dy.fill_bytes(0xff);
  softmax_online_warp_rows<<<cdiv(rows, 4), 128>>>(dx.p, dy.p, rows, cols, scale);
  LAUNCH_DONE();
  auto o = dy.get();
  std::vector<double> e(cols);
  for (int i = 0; i < rows; i++) {
    double m = -1e30, s = 0;
    for (int j = 0; j < cols; j++) m = std::max(m, (double)x[(size_t)i * cols + j] * scale);
    for (int j = 0; j < cols; j++) s += (e[j] = std::exp((double)x[(size_t)i * cols + j] * scale - m));
    for (int j = 0; j < cols; j++)
      if (!near(o[(size_t)i * cols + j], e[j] / s, 1e-4, 1e-7)) return false;
  }
  return true;
}

// ================================================================== 19 3-D wave equation, 8th order, z march
__constant__ float c_fd8[5];

__global__ void __launch_bounds__(512) wave3d_fd8_zmarch(const float* __restrict__ u, float* __restrict__ prev,
                                                         const float* __restrict__ vel2, int nx, int ny, int nz,
                                                         int zchunk) {
  __shared__ float tile[24][40];
  int tx = threadIdx.x, ty = threadIdx.y;
  int x = 4 + blockIdx.x * 32 + tx, y = 4 + blockIdx.y * 16 + ty;
  int z0 = 4 + blockIdx.z * zchunk, z1 = min(z0 + zchunk, nz - 4);
  if (z0 >= z1) return;  // whole block
  size_t plane = (size_t)nx * ny;
  bool inside = x < nx && y < ny;
  bool active = x < nx - 4 && y < ny - 4;
  float back[4], front[4], cur = 0.f;
  size_t col = (size_t)y * nx + x;
#pragma unroll
  for (int k = 0; k < 4; k++) {
    back[k] = inside ? u[(z0 - 1 - k) * plane + col] : 0.f;   // z-1 .. z-4
    front[k] = inside ? u[(z0 + k) * plane + col] : 0.f;      // shifted below: z .. z+3
  }
  float last = inside ? u[(size_t)(z0 + 4) * plane + col] : 0.f;
  cur = front[0];
  front[0] = front[1];
  front[1] = front[2];
  front[2] = front[3];
  front[3] = last;
  for (int z = z0; z < z1; z++) {
    const float* up = u + z * plane;
    __syncthreads();
    tile[ty + 4][tx + 4] = cur;
    if (ty < 4) {
      tile[ty][tx + 4] = (x < nx && y - 4 < ny) ? up[(size_t)(y - 4) * nx + x] : 0.f;
      tile[ty + 20][tx + 4] = (x < nx && y + 16 < ny) ? up[(size_t)(y + 16) * nx + x] : 0.f;
    }
    if (tx < 4) {
      tile[ty + 4][tx] = (x - 4 < nx && y < ny) ? up[(size_t)y * nx + x - 4] : 0.f;
      tile[ty + 4][tx + 36] = (x + 32 < nx && y < ny) ? up[(size_t)y * nx + x + 32] : 0.f;
    }
    __syncthreads();
    if (active) {
      float lap = 3.f * c_fd8[0] * cur;
#pragma unroll
      for (int k = 1; k <= 4; k++)
        lap += c_fd8[k] * (tile[ty + 4][tx + 4 - k] + tile[ty + 4][tx + 4 + k] + tile[ty + 4 - k][tx + 4] +
                           tile[ty + 4 + k][tx + 4] + back[k - 1] + front[k - 1]);
      size_t id = z * plane + col;
      prev[id] = 2.f * cur - prev[id] + vel2[id] * lap;
    }
#pragma unroll
    for (int k = 3; k > 0; k--) back[k] = back[k - 1];
    back[0] = cur;
    cur = front[0];
#pragma unroll
    for (int k = 0; k < 3; k++) front[k] = front[k + 1];
    front[3] = (inside && z + 5 < nz) ? u[(size_t)(z + 5) * plane + col] : 0.f;
  }
}

static bool t_wave3d(bool big) {
  int nx = big ? 200 : 45, ny = big ? 168 : 30, nz = big ? 136 : 20, zc = big ? 16 : 5;
  const float c[5] = {-205.f / 72.f, 8.f / 5.f, -1.f / 5.f, 8.f / 315.f, -1.f / 560.f};
  CUDA_OK(cudaMemcpyToSymbol(c_fd8, c, sizeof(c)));
  size_t n = (size_t)nx * ny * nz;
  Rng r(119);
  std::vector<float> u(n), p(n), v(n);
  for (size_t i = 0; i < n; i++) {
    u[i] = (float)r.sym();
    p[i] = (float)r.sym();
    v[i] = (float)(0.05 + 0.1 * r.uni());
  }
  Buf<float> du(u), dp(p), dv(v);
  dim3 grid(cdiv(nx - 8, 32), cdiv(ny - 8, 16), cdiv(nz - 8, zc));
  wave3d_fd8_zmarch<<<grid, dim3(32, 16)>>>(du.p, dp.p, dv.p, nx, ny, nz, zc);
  LAUNCH_DONE();
  auto o = dp.get();
  size_t pl = (size_t)nx * ny;
  for (int z = 0; z < nz; z++)
    for (int y = 0; y < ny; y++)
      for (int x = 0; x < nx; x++) {
        size_t i = z * pl + (size_t)y * nx + x;
        double want = p[i];
        if (x >= 4 && x < nx - 4 && y >= 4 && y < ny - 4 && z >= 4 && z < nz - 4) {
          double lap = 3.0 * c[0] * u[i];
          for (int k = 1; k <= 4; k++)
            lap += (double)c[k] * ((double)u[i - k] + u[i + k] + u[i - (size_t)k * nx] + u[i + (size_t)k * nx] +
                                   u[i - k * pl] + u[i + k * pl]);
          want = 2.0 * u[i] - p[i] + v[i] * lap;
        }
        if (!near(o[i], want, 1e-4, 2e-5)) return false;
      }
  return true;
}

// ================================================================== 20 2-D Jacobi with residual
__global__ void __launch_bounds__(256) jacobi2d_tile_double(const double* __restrict__ u, const double* __restrict__ f,
                                                            double* __restrict__ un, int nx, int ny, double h2,
                                                            unsigned long long* __restrict__ maxdiff_bits) {
  __shared__ double t[10][34];
  __shared__ double wm[8];
  int bx = blockIdx.x * 32, by = blockIdx.y * 8;
  int tid = threadIdx.y * 32 + threadIdx.x;
  for (int k = tid; k < 340; k += 256) {
    int gx = bx + k % 34 - 1, gy = by + k / 34 - 1;
    t[k / 34][k % 34] = (gx >= 0 && gx < nx && gy >= 0 && gy < ny) ? u[(size_t)gy * nx + gx] : 0.0;
  }
  __syncthreads();
  int x = bx + threadIdx.x, y = by + threadIdx.y;
  double diff = 0.0;
  if (x < nx && y < ny) {
    size_t i = (size_t)y * nx + x;
    double c = t[threadIdx.y + 1][threadIdx.x + 1], v = c;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1) {
      v = 0.25 * (t[threadIdx.y + 1][threadIdx.x] + t[threadIdx.y + 1][threadIdx.x + 2] +
                  t[threadIdx.y][threadIdx.x + 1] + t[threadIdx.y + 2][threadIdx.x + 1] + h2 * f[i]);
      diff = fabs(v - c);
    }
    un[i] = v;
  }
#pragma unroll
  for (int o = 16; o > 0; o >>= 1) diff = fmax(diff, __shfl_down_sync(0xffffffffu, diff, o));
  if (threadIdx.x == 0) wm[threadIdx.y] = diff;
  __syncthreads();
  if (tid == 0) {
    for (int w = 1; w < 8; w++) diff = fmax(diff, wm[w]);
    atomicMax(maxdiff_bits, (unsigned long long)__double_as_longlong(diff));
  }
}

static bool t_jacobi(bool big) {
  int nx = big ? 1500 : 70, ny = big ? 1350 : 45;
  double h2 = 1e-2;
  Rng r(120);
  size_t n = (size_t)nx * ny;
  std::vector<double> u(n), f(n);
  for (int y = 0; y < ny; y++)
    for (int x = 0; x < nx; x++) {
      u[(size_t)y * nx + x] = std::sin(0.01 * x) * std::cos(0.02 * y) + 0.1 * r.sym();
      f[(size_t)y * nx + x] = r.sym();
    }
  Buf<double> du(u), df(f), dn(n);
  Buf<unsigned long long> dm(1);
  dn.fill_bytes(0xff);
  dm.fill_bytes(0);
  jacobi2d_tile_double<<<dim3(cdiv(nx, 32), cdiv(ny, 8)), dim3(32, 8)>>>(du.p, df.p, dn.p, nx, ny, h2, dm.p);
  LAUNCH_DONE();
  auto o = dn.get();
  double md = 0;
  for (int y = 0; y < ny; y++)
    for (int x = 0; x < nx; x++) {
      size_t i = (size_t)y * nx + x;
      double v = u[i];
      if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1)
        v = 0.25 * (u[i - 1] + u[i + 1] + u[i - nx] + u[i + nx] + h2 * f[i]);
      md = std::max(md, std::fabs(v - u[i]));
      if (!near(o[i], v, 1e-12, 1e-13)) return false;
    }
  unsigned long long bits = dm.get()[0];
  double got;
  memcpy(&got, &bits, 8);
  return near(got, md, 1e-11, 0);
}

// ================================================================== 21 single-pass select (decoupled look-back)
__global__ void __launch_bounds__(256) select_above_lookback(const float* __restrict__ in, int n, float thr,
                                                             float* __restrict__ out_val, int* __restrict__ out_idx,
                                                             volatile unsigned long long* state, unsigned* ticket,
                                                             unsigned* total) {
  __shared__ unsigned s_tile, s_prefix, s_warp[8];
  if (threadIdx.x == 0) s_tile = atomicAdd(ticket, 1u);
  __syncthreads();
  int tile = (int)s_tile;
  int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
  int base = tile * 2048 + threadIdx.x * 8;
  float v[8];
  unsigned keep = 0;
  if (base + 8 <= n) {
    float4 a = __ldg((const float4*)(in + base)), b = __ldg((const float4*)(in + base) + 1);
    v[0] = a.x; v[1] = a.y; v[2] = a.z; v[3] = a.w;
    v[4] = b.x; v[5] = b.y; v[6] = b.z; v[7] = b.w;
  } else {
#pragma unroll
    for (int k = 0; k < 8; k++) v[k] = base + k < n ? in[base + k] : -FLT_MAX;
  }
#pragma unroll
  for (int k = 0; k < 8; k++)
    if (v[k] > thr) keep |= 1u << k;
  unsigned cnt = __popc(keep), inc = cnt;
#pragma unroll
  for (int o = 1; o < 32; o <<= 1) {
    unsigned t = __shfl_up_sync(0xffffffffu, inc, o);
    if (lane >= o) inc += t;
  }
  if (lane == 31) s_warp[w] = inc;
  __syncthreads();
  unsigned before = 0, tile_total = 0;
#pragma unroll
  for (int i = 0; i < 8; i++) {
    if (i < w) before += s_warp[i];
    tile_total += s_warp[i];
  }
  if (w == 0) {
    unsigned excl = 0;
    if (tile > 0) {
      if (lane == 0) state[tile] = (1ull << 32) | tile_total;
      int look = tile - 1;
      while (true) {
        int t = look - lane;
        unsigned long long st = 2ull << 32;
        if (t >= 0) {
          do {
            st = state[t];
          } while ((st >> 32) == 0ull);
        }
        __syncwarp();
        unsigned full = __ballot_sync(0xffffffffu, (st >> 32) == 2ull);
        unsigned part = (unsigned)st;
        if (full && lane > __ffs(full) - 1) part = 0;
        excl += warp_sum_u(part);
        if (full) break;
        look -= 32;
      }
    }
    if (lane == 0) {
      state[tile] = (2ull << 32) | (excl + tile_total);
      s_prefix = excl;
      if (tile == (int)gridDim.x - 1) *total = excl + tile_total;
    }
  }
  __syncthreads();
  unsigned dst = s_prefix + before + inc - cnt;
#pragma unroll
  for (int k = 0; k < 8; k++)
    if (keep >> k & 1u) {
      out_val[dst] = v[k];
      out_idx[dst] = base + k;
      dst++;
    }
}

static bool t_select(bool big) {
  int n = big ? 4500001 : 9001;
  Rng r(121);
  std::vector<float> a(n), rv;
  std::vector<int> ri;
  for (int i = 0; i < n; i++) {
    double burst = ((i >> 12) % 5 == 0) ? 0.6 : 0.0;
    a[i] = (float)(r.sym() + burst);
    if (a[i] > 0.4f) {
      rv.push_back(a[i]);
      ri.push_back(i);
    }
  }
  int tiles = cdiv(n, 2048);
  Buf<float> da(a), dv(rv.size() + 1);
  Buf<int> di(ri.size() + 1);
  Buf<unsigned long long> ds(tiles);
  Buf<unsigned> dt(2);
  dv.fill_bytes(0xff);
  di.fill_bytes(0xff);
  ds.fill_bytes(0);
  dt.fill_bytes(0);
  select_above_lookback<<<tiles, 256>>>(da.p, n, 0.4f, dv.p, di.p, ds.p, dt.p, dt.p + 1);
  LAUNCH_DONE();
  if (dt.get()[1] != rv.size()) return false;
  auto ov = dv.get();
  auto oi = di.get();
  ov.pop_back();
  oi.pop_back();
  return ov == rv && oi == ri;
}

// ================================================================== 22 Julia set
__host__ __device__ inline int julia_iterations(double zr, double zi, double cr, double ci, int maxit) {
  int k = 0;
  for (; k < maxit; k++) {
    if (fma(zr, zr, zi * zi) > 4.0) break;
    double nr = fma(zr, zr, fma(-zi, zi, cr));
    zi = fma(zr + zr, zi, ci);
    zr = nr;
  }
  return k;
}

__global__ void julia_escape_double(unsigned short* __restrict__ out, int w, int h, double x0, double y0, double step,
                                    double cr, double ci, int maxit) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  out[(size_t)y * w + x] =
      (unsigned short)julia_iterations(fma((double)x, step, x0), fma((double)y, step, y0), cr, ci, maxit);
}

static bool t_julia(bool big) {
  int w = big ? 1600 : 100, h = big ? 1000 : 60, maxit = big ? 300 : 100;
  double step = 3.2 / w, x0 = -1.6, y0 = -0.5 * h * step, cr = -0.8, ci = 0.156;
  Buf<unsigned short> d((size_t)w * h);
  d.fill_bytes(0xff);
  julia_escape_double<<<dim3(cdiv(w, 16), cdiv(h, 16)), dim3(16, 16)>>>(d.p, w, h, x0, y0, step, cr, ci, maxit);
  LAUNCH_DONE();
  auto o = d.get();
  size_t bad = 0, tested = 0;
  for (int y = 0; y < h; y += big ? 3 : 1)
    for (int x = 0; x < w; x++) {
      int want = julia_iterations(fma((double)x, step, x0), fma((double)y, step, y0), cr, ci, maxit);
      tested++;
      if (o[(size_t)y * w + x] != want) bad++;
    }
  return bad * 200 <= tested;
}

// ================================================================== 23 random walks on a graph
__host__ __device__ inline unsigned walk_rng(unsigned& s) {
  s = s * 747796405u + 2891336453u;
  unsigned t = ((s >> ((s >> 28) + 4u)) ^ s) * 277803737u;
  return (t >> 22) ^ t;
}

__global__ void deepwalk_random_walks(const int* __restrict__ ptr, const int* __restrict__ col,
                                      const int* __restrict__ start, int nwalk, int length, unsigned seed,
                                      int* __restrict__ path) {
  int w = blockIdx.x * blockDim.x + threadIdx.x;
  if (w >= nwalk) return;
  int home = start[w], v = home;
  unsigned s = seed ^ (unsigned)w * 2654435761u;
  for (int k = 0; k < length; k++) {
    path[(size_t)k * nwalk + w] = v;
    int b = __ldg(ptr + v), deg = __ldg(ptr + v + 1) - b;
    unsigned r = walk_rng(s);
    if (deg == 0 || (r & 15u) == 0u) {
      v = home;
    } else {
      unsigned pick = (unsigned)(((unsigned long long)walk_rng(s) * (unsigned)deg) >> 32);
      v = __ldg(col + b + (int)pick);
    }
  }
}

static bool t_walk(bool big) {
  int n = big ? 250000 : 300, m = big ? 2500000 : 1500, nw = big ? 40000 : 100, len = big ? 64 : 16;
  unsigned seed = 0x1234567u;
  Rng r(123);
  Csr g = build_csr(n, random_edges(n, m, 1.5, r), false);
  std::vector<int> st(nw), ref((size_t)nw * len);
  for (auto& x : st) x = (int)r.below(n);
  Buf<int> dp(g.ptr), dc(g.col), ds(st), dpath(ref.size());
  dpath.fill_bytes(0xff);
  deepwalk_random_walks<<<cdiv(nw, 64), 64>>>(dp.p, dc.p, ds.p, nw, len, seed, dpath.p);
  LAUNCH_DONE();
  for (int w = 0; w < nw; w++) {
    int v = st[w];
    unsigned s = seed ^ (unsigned)w * 2654435761u;
    for (int k = 0; k < len; k++) {
      ref[(size_t)k * nw + w] = v;
      int b = g.ptr[v], deg = g.ptr[v + 1] - b;
      unsigned q = walk_rng(s);
      if (deg == 0 || (q & 15u) == 0u) v = st[w];
      else v = g.col[b + (int)(((unsigned long long)walk_rng(s) * (unsigned)deg) >> 32)];
    }
  }
  return dpath.get() == ref;
}

// ================================================================== 24 image rotation, bilinear texture
__global__ void rotate_rgba_tex2d_linear(cudaTextureObject_t tex, uchar4* __restrict__ out, int w, int h, float cs,
                                         float sn) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float dx = x + 0.5f - 0.5f * w, dy = y + 0.5f - 0.5f * h;
  float u = cs * dx + sn * dy + 0.5f * w, v = -sn * dx + cs * dy + 0.5f * h;
  float4 c = tex2D<float4>(tex, u, v);
  out[(size_t)y * w + x] =
      make_uchar4((unsigned char)(c.x * 255.f + 0.5f), (unsigned char)(c.y * 255.f + 0.5f),
                  (unsigned char)(c.z * 255.f + 0.5f), (unsigned char)(c.w * 255.f + 0.5f));
}

static bool t_rotate(bool big) {
  int w = big ? 2400 : 90, h = big ? 1800 : 70;
  Rng r(124);
  std::vector<uchar4> img((size_t)w * h);
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      img[(size_t)y * w + x] = make_uchar4((unsigned char)(128 + 100 * std::sin(x * 0.11) * std::cos(y * 0.07)),
                                           (unsigned char)((x * 3 + y) & 255), (unsigned char)(100 + r.below(60)), 255);
  cudaArray_t arr;
  cudaChannelFormatDesc fd = cudaCreateChannelDesc<uchar4>();
  CUDA_OK(cudaMallocArray(&arr, &fd, w, h));
  CUDA_OK(cudaMemcpy2DToArray(arr, 0, 0, img.data(), w * sizeof(uchar4), w * sizeof(uchar4), h, cudaMemcpyHostToDevice));
  cudaResourceDesc rd = {};
  rd.resType = cudaResourceTypeArray;
  rd.res.array.array = arr;
  cudaTextureDesc td = {};
  td.addressMode[0] = td.addressMode[1] = cudaAddressModeBorder;
  td.filterMode = cudaFilterModeLinear;
  td.readMode = cudaReadModeNormalizedFloat;
  td.normalizedCoords = 0;
  cudaTextureObject_t tex = 0;
  CUDA_OK(cudaCreateTextureObject(&tex, &rd, &td, nullptr));
  Buf<uchar4> dout(img.size());
  dout.fill_bytes(0x77);
  float cs = std::cos(0.6f), sn = std::sin(0.6f);
  rotate_rgba_tex2d_linear<<<dim3(cdiv(w, 32), cdiv(h, 8)), dim3(32, 8)>>>(tex, dout.p, w, h, cs, sn);
  LAUNCH_DONE();
  auto o = dout.get();
  CUDA_OK(cudaDestroyTextureObject(tex));
  CUDA_OK(cudaFreeArray(arr));
  auto px = [&](int x, int y, int c) -> double {
    if (x < 0 || y < 0 || x >= w || y >= h) return 0.0;
    const uchar4& p = img[(size_t)y * w + x];
    return c == 0 ? p.x : c == 1 ? p.y : c == 2 ? p.z : p.w;
  };
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      double dx = x + 0.5 - 0.5 * w, dy = y + 0.5 - 0.5 * h;
      double u = cs * dx + sn * dy + 0.5 * w - 0.5, v = -sn * dx + cs * dy + 0.5 * h - 0.5;
      int ix = (int)std::floor(u), iy = (int)std::floor(v);
      double fx = u - ix, fy = v - iy;
      const uchar4& q = o[(size_t)y * w + x];
      int got[4] = {q.x, q.y, q.z, q.w};
      for (int c = 0; c < 4; c++) {
        double e = (1 - fy) * ((1 - fx) * px(ix, iy, c) + fx * px(ix + 1, iy, c)) +
                   fy * ((1 - fx) * px(ix, iy + 1, c) + fx * px(ix + 1, iy + 1, c));
        if (std::fabs(e - got[c]) > 3.5) return false;
      }
    }
  return true;
}

// ================================================================== 25 volume ray casting
__global__ void volume_raycast_tex3d(cudaTextureObject_t vol, float2* __restrict__ out, int w, int h, float cs, float sn,
                                     int steps, float dt, float density) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float sx = (x + 0.5f) / w - 0.5f, sy = (y + 0.5f) / h - 0.5f;
  float colr = 0.f, trans = 1.f;
  for (int k = 0; k < steps; k++) {
    float sz = (k + 0.5f) * dt - 0.5f * steps * dt;
    float px = cs * sx + sn * sz + 0.5f, pz = -sn * sx + cs * sz + 0.5f, py = sy + 0.5f;
    float d = tex3D<float>(vol, px, py, pz);
    float a = 1.f - __expf(-d * density * dt);
    colr += trans * a * (0.3f + 0.7f * d);
    trans *= 1.f - a;
    if (trans < 0.005f) break;
  }
  out[(size_t)y * w + x] = make_float2(colr, trans);
}

static bool t_raycast(bool big) {
  int n = big ? 160 : 24, w = big ? 640 : 50, h = big ? 480 : 40, steps = big ? 192 : 48;
  Rng r(125);
  std::vector<float> vol((size_t)n * n * n, 0.f);
  struct Blob { double x, y, z, s, a; };
  std::vector<Blob> bl(big ? 10 : 3);
  for (auto& b : bl) b = {0.25 + 0.5 * r.uni(), 0.25 + 0.5 * r.uni(), 0.25 + 0.5 * r.uni(), 0.07 + 0.06 * r.uni(), 0.4 + 0.6 * r.uni()};
  for (auto& b : bl) {  // separable Gaussians
    std::vector<double> gx(n), gy(n), gz(n);
    for (int i = 0; i < n; i++) {
      double c = (i + 0.5) / n;
      gx[i] = std::exp(-(c - b.x) * (c - b.x) / (2 * b.s * b.s));
      gy[i] = std::exp(-(c - b.y) * (c - b.y) / (2 * b.s * b.s));
      gz[i] = std::exp(-(c - b.z) * (c - b.z) / (2 * b.s * b.s));
    }
    for (int z = 0; z < n; z++)
      for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) vol[((size_t)z * n + y) * n + x] += (float)(b.a * gx[x] * gy[y] * gz[z]);
  }
  cudaArray_t arr;
  cudaChannelFormatDesc fd = cudaCreateChannelDesc<float>();
  cudaExtent ext = make_cudaExtent(n, n, n);
  CUDA_OK(cudaMalloc3DArray(&arr, &fd, ext));
  cudaMemcpy3DParms cp = {};
  cp.srcPtr = make_cudaPitchedPtr(vol.data(), n * sizeof(float), n, n);
  cp.dstArray = arr;
  cp.extent = ext;
  cp.kind = cudaMemcpyHostToDevice;
  CUDA_OK(cudaMemcpy3D(&cp));
  cudaResourceDesc rd = {};
  rd.resType = cudaResourceTypeArray;
  rd.res.array.array = arr;
  cudaTextureDesc td = {};
  td.addressMode[0] = td.addressMode[1] = td.addressMode[2] = cudaAddressModeBorder;
  td.filterMode = cudaFilterModeLinear;
  td.readMode = cudaReadModeElementType;
  td.normalizedCoords = 1;
  cudaTextureObject_t tex = 0;
  CUDA_OK(cudaCreateTextureObject(&tex, &rd, &td, nullptr));
  Buf<float2> dout((size_t)w * h);
  dout.fill_bytes(0xff);
  float cs = std::cos(0.5f), sn = std::sin(0.5f), dt = 1.5f / steps, dens = 6.f;
  volume_raycast_tex3d<<<dim3(cdiv(w, 8), cdiv(h, 16)), dim3(8, 16)>>>(tex, dout.p, w, h, cs, sn, steps, dt, dens);
  LAUNCH_DONE();
  auto o = dout.get();
  CUDA_OK(cudaDestroyTextureObject(tex));
  CUDA_OK(cudaFreeArray(arr));
  auto at = [&](int x, int y, int z) -> double {
    if (x < 0 || y < 0 || z < 0 || x >= n || y >= n || z >= n) return 0.0;
    return vol[((size_t)z * n + y) * n + x];
  };
  size_t jump = big ? 23 : 1;
  for (size_t i = 0; i < o.size(); i += jump) {
    int x = (int)(i % w), y = (int)(i / w);
    double sx = (x + 0.5) / w - 0.5, sy = (y + 0.5) / h - 0.5, c = 0, t = 1;
    for (int k = 0; k < steps; k++) {
      double sz = (k + 0.5) * dt - 0.5 * steps * dt;
      double px = (cs * sx + sn * sz + 0.5) * n - 0.5, pz = (-sn * sx + cs * sz + 0.5) * n - 0.5, py = (sy + 0.5) * n - 0.5;
      int ix = (int)std::floor(px), iy = (int)std::floor(py), iz = (int)std::floor(pz);
      double fx = px - ix, fy = py - iy, fz = pz - iz, d = 0;
      for (int q = 0; q < 8; q++)
        d += (q & 1 ? fx : 1 - fx) * (q & 2 ? fy : 1 - fy) * (q & 4 ? fz : 1 - fz) * at(ix + (q & 1), iy + (q >> 1 & 1), iz + (q >> 2));
      double a = 1 - std::exp(-d * dens * dt);
      c += t * a * (0.3 + 0.7 * d);
      t *= 1 - a;
      if (t < 0.005) break;
    }
    if (!near(o[i].x, c, 0.01, 0.01) || !near(o[i].y, t, 0.01, 0.01)) return false;
  }
  return true;
}

// ================================================================== 26 Sobel, point texture in, surface out
__global__ void sobel_tex_point_surface(cudaTextureObject_t src, cudaSurfaceObject_t dst, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float fx = x + 0.5f, fy = y + 0.5f;
  int p00 = tex2D<unsigned char>(src, fx - 1, fy - 1), p01 = tex2D<unsigned char>(src, fx, fy - 1);
  int p02 = tex2D<unsigned char>(src, fx + 1, fy - 1), p10 = tex2D<unsigned char>(src, fx - 1, fy);
  int p12 = tex2D<unsigned char>(src, fx + 1, fy), p20 = tex2D<unsigned char>(src, fx - 1, fy + 1);
  int p21 = tex2D<unsigned char>(src, fx, fy + 1), p22 = tex2D<unsigned char>(src, fx + 1, fy + 1);
  int gx = p02 + 2 * p12 + p22 - p00 - 2 * p10 - p20;
  int gy = p20 + 2 * p21 + p22 - p00 - 2 * p01 - p02;
  int mag = min(255, (abs(gx) + abs(gy)) >> 1);
  surf2Dwrite((unsigned char)mag, dst, x, y);
}

static bool t_sobel(bool big) {
  int w = big ? 4000 : 123, h = big ? 2600 : 61;
  Rng r(126);
  size_t n = (size_t)w * h;
  std::vector<unsigned char> img(n), zero(n, 0), o(n);
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      int disc = ((x / 37) + (y / 29)) % 2 ? 60 : 150;
      img[(size_t)y * w + x] = (unsigned char)(disc + (int)r.below(24) + (x & 31));
    }
  cudaChannelFormatDesc fd = cudaCreateChannelDesc<unsigned char>();
  cudaArray_t a, b;
  CUDA_OK(cudaMallocArray(&a, &fd, w, h));
  CUDA_OK(cudaMallocArray(&b, &fd, w, h, cudaArraySurfaceLoadStore));
  CUDA_OK(cudaMemcpy2DToArray(a, 0, 0, img.data(), w, w, h, cudaMemcpyHostToDevice));
  CUDA_OK(cudaMemcpy2DToArray(b, 0, 0, zero.data(), w, w, h, cudaMemcpyHostToDevice));
  cudaResourceDesc ra = {}, rb = {};
  ra.resType = rb.resType = cudaResourceTypeArray;
  ra.res.array.array = a;
  rb.res.array.array = b;
  cudaTextureDesc td = {};
  td.addressMode[0] = td.addressMode[1] = cudaAddressModeClamp;
  td.filterMode = cudaFilterModePoint;
  td.readMode = cudaReadModeElementType;
  cudaTextureObject_t tex = 0;
  cudaSurfaceObject_t srf = 0;
  CUDA_OK(cudaCreateTextureObject(&tex, &ra, &td, nullptr));
  CUDA_OK(cudaCreateSurfaceObject(&srf, &rb));
  sobel_tex_point_surface<<<dim3(cdiv(w, 64), cdiv(h, 4)), dim3(64, 4)>>>(tex, srf, w, h);
  LAUNCH_DONE();
  CUDA_OK(cudaMemcpy2DFromArray(o.data(), w, b, 0, 0, w, h, cudaMemcpyDeviceToHost));
  CUDA_OK(cudaDestroyTextureObject(tex));
  CUDA_OK(cudaDestroySurfaceObject(srf));
  CUDA_OK(cudaFreeArray(a));
  CUDA_OK(cudaFreeArray(b));
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      int xm = std::max(x - 1, 0), xp = std::min(x + 1, w - 1);
      const unsigned char *r0 = &img[(size_t)std::max(y - 1, 0) * w], *r1 = &img[(size_t)y * w], *r2 = &img[(size_t)std::min(y + 1, h - 1) * w];
      int gx = r0[xp] + 2 * r1[xp] + r2[xp] - r0[xm] - 2 * r1[xm] - r2[xm];
      int gy = r2[xm] + 2 * r2[x] + r2[xp] - r0[xm] - 2 * r0[x] - r0[xp];
      if (o[(size_t)y * w + x] != std::min(255, (std::abs(gx) + std::abs(gy)) >> 1)) return false;
    }
  return true;
}

// ================================================================== 27 batched 16x16 Cholesky
__global__ void __launch_bounds__(128) batched_cholesky16_double(double* __restrict__ mats, int batch) {
  __shared__ double sm[8][16][17];
  int sub = threadIdx.x >> 4, row = threadIdx.x & 15;
  int id = blockIdx.x * 8 + sub;
  bool valid = id < batch;
  double(*a)[17] = sm[sub];
  double* g = mats + (size_t)id * 256;
#pragma unroll
  for (int i = 0; i < 16; i++) a[i][row] = valid ? g[i * 16 + row] : (i == row ? 1.0 : 0.0);
  __syncwarp();
  for (int k = 0; k < 16; k++) {
    double d = sqrt(a[k][k]);
    __syncwarp();
    if (row == k) a[k][k] = d;
    if (row > k) a[row][k] /= d;
    __syncwarp();
    for (int j = k + 1; j <= row; j++) a[row][j] -= a[row][k] * a[j][k];
    __syncwarp();
  }
  if (valid) {
#pragma unroll
    for (int i = 0; i < 16; i++) g[i * 16 + row] = row <= i ? a[i][row] : 0.0;
  }
}

static bool t_cholesky(bool big) {
  int batch = big ? 20001 : 21;
  Rng r(127);
  std::vector<double> m((size_t)batch * 256);
  for (int b = 0; b < batch; b++) {
    double* A = &m[(size_t)b * 256];
    double v[16][8];
    for (auto& rw : v)
      for (auto& x : rw) x = r.sym();
    for (int i = 0; i < 16; i++)
      for (int j = 0; j <= i; j++) {
        double s = i == j ? 0.5 + r.uni() : 0.0;
        for (int k = 0; k < 8; k++) s += v[i][k] * v[j][k];
        A[i * 16 + j] = A[j * 16 + i] = s;
      }
  }
  Buf<double> dm(m);
  batched_cholesky16_double<<<cdiv(batch, 8), 128>>>(dm.p, batch);
  LAUNCH_DONE();
  auto o = dm.get();
  for (int b = 0; b < batch; b++) {
    const double* A = &m[(size_t)b * 256];
    const double* L = &o[(size_t)b * 256];
    double R[16][16] = {};
    for (int i = 0; i < 16; i++)
      for (int j = 0; j <= i; j++) {
        double s = A[i * 16 + j];
        for (int k = 0; k < j; k++) s -= R[i][k] * R[j][k];
        R[i][j] = i == j ? std::sqrt(s) : s / R[j][j];
      }
    for (int i = 0; i < 16; i++)
      for (int j = 0; j < 16; j++)
        if (!near(L[i * 16 + j], R[i][j], 1e-9, 1e-10)) return false;
  }
  return true;
}

// ================================================================== 28 n-body forces
__global__ void __launch_bounds__(256) nbody_tile_forces_float4(const float4* __restrict__ pos, float4* __restrict__ acc,
                                                                int n, float eps2) {
  __shared__ float4 sh[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  float4 me = i < n ? pos[i] : make_float4(0.f, 0.f, 0.f, 0.f);
  float ax = 0.f, ay = 0.f, az = 0.f;
  for (int base = 0; base < n; base += 256) {
    int j = base + threadIdx.x;
    sh[threadIdx.x] = j < n ? pos[j] : make_float4(0.f, 0.f, 0.f, 0.f);
    __syncthreads();
#pragma unroll 16
    for (int k = 0; k < 256; k++) {
      float4 o = sh[k];
      float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z;
      float r2 = dx * dx + dy * dy + dz * dz + eps2;
      float inv = rsqrtf(r2);
      float s = o.w * inv * inv * inv;
      ax += dx * s;
      ay += dy * s;
      az += dz * s;
    }
    __syncthreads();
  }
  if (i < n) acc[i] = make_float4(ax, ay, az, 0.f);
}

static bool t_nbody(bool big) {
  int n = big ? 24000 : 700;
  Rng r(128);
  std::vector<float4> p(n);
  for (auto& q : p) {
    double rad = std::pow(r.uni(), 0.7), cz = r.sym(), ph = 6.283185307179586 * r.uni(), sz = std::sqrt(1 - cz * cz);
    q = make_float4((float)(rad * sz * std::cos(ph)), (float)(rad * sz * std::sin(ph)), (float)(rad * cz), (float)((0.5 + r.uni()) / n));
  }
  Buf<float4> dp(p), da(n);
  da.fill_bytes(0xff);
  float eps2 = 0.0025f;
  nbody_tile_forces_float4<<<cdiv(n, 256), 256>>>(dp.p, da.p, n, eps2);
  LAUNCH_DONE();
  auto o = da.get();
  for (int i = 0; i < n; i += big ? 97 : 1) {
    double ax = 0, ay = 0, az = 0;
    for (int j = 0; j < n; j++) {
      double dx = (double)p[j].x - p[i].x, dy = (double)p[j].y - p[i].y, dz = (double)p[j].z - p[i].z;
      double r2 = dx * dx + dy * dy + dz * dz + eps2;
      double s = p[j].w / (r2 * std::sqrt(r2));
      ax += dx * s;
      ay += dy * s;
      az += dz * s;
    }
    if (!near(o[i].x, ax, 1e-3, 1e-3) || !near(o[i].y, ay, 1e-3, 1e-3) || !near(o[i].z, az, 1e-3, 1e-3)) return false;
  }
  for (int i = 0; i < n; i++)
    if (!(std::fabs(o[i].x) < 100.f)) return false;
  return true;
}

// ================================================================== 29 base64 encoding
__constant__ char c_base64[65];
static const char h_base64[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

__device__ __forceinline__ unsigned base64_quad(const unsigned char* lut, unsigned t) {
  return (unsigned)lut[(t >> 18) & 63u] | (unsigned)lut[(t >> 12) & 63u] << 8 | (unsigned)lut[(t >> 6) & 63u] << 16 |
         (unsigned)lut[t & 63u] << 24;
}

__global__ void __launch_bounds__(256) base64_encode_uint4(const unsigned* __restrict__ in, size_t nbytes,
                                                           uint4* __restrict__ out) {
  __shared__ unsigned char lut[64];
  if (threadIdx.x < 64) lut[threadIdx.x] = (unsigned char)c_base64[threadIdx.x];
  __syncthreads();
  size_t groups = nbytes / 12, i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < groups) {
    unsigned w0 = __ldg(in + 3 * i), w1 = __ldg(in + 3 * i + 1), w2 = __ldg(in + 3 * i + 2);
    uint4 o;
    o.x = base64_quad(lut, __byte_perm(w0, 0u, 0x4012));
    o.y = base64_quad(lut, __byte_perm(w0, w1, 0x0345) & 0xffffffu);
    o.z = base64_quad(lut, __byte_perm(w1, w2, 0x0234) & 0xffffffu);
    o.w = base64_quad(lut, __byte_perm(w1, w2, 0x0567) & 0xffffffu);
    out[i] = o;
  } else if (i == groups) {
    const unsigned char* p = (const unsigned char*)in;
    unsigned char* q = (unsigned char*)(out + groups);
    for (size_t k = groups * 12; k < nbytes; k += 3) {
      size_t left = nbytes - k;
      unsigned t = (unsigned)p[k] << 16;
      if (left > 1) t |= (unsigned)p[k + 1] << 8;
      if (left > 2) t |= p[k + 2];
      q[0] = lut[(t >> 18) & 63u];
      q[1] = lut[(t >> 12) & 63u];
      q[2] = left > 1 ? lut[(t >> 6) & 63u] : (unsigned char)'=';
      q[3] = left > 2 ? lut[t & 63u] : (unsigned char)'=';
      q += 4;
    }
  }
}

static bool t_base64(bool big) {
  size_t n = big ? 20000011 : 5005;
  CUDA_OK(cudaMemcpyToSymbol(c_base64, h_base64, 65));
  Rng r(129);
  std::vector<unsigned char> in(n);
  for (auto& b : in) b = (unsigned char)(r.next() >> 40);
  size_t len = (n + 2) / 3 * 4;
  Buf<unsigned char> di(n + 16), dout((len + 15) / 16 * 16);
  di.fill_bytes(0);
  CUDA_OK(cudaMemcpy(di.p, in.data(), n, cudaMemcpyHostToDevice));
  dout.fill_bytes(0);
  base64_encode_uint4<<<cdiv((long long)(n / 12 + 1), 256), 256>>>((const unsigned*)di.p, n, (uint4*)dout.p);
  LAUNCH_DONE();
  auto o = dout.get();
  for (size_t k = 0, q = 0; k < n; k += 3, q += 4) {
    size_t left = n - k;
    unsigned t = (unsigned)in[k] << 16 | (left > 1 ? (unsigned)in[k + 1] << 8 : 0u) | (left > 2 ? (unsigned)in[k + 2] : 0u);
    char e[4] = {h_base64[t >> 18 & 63], h_base64[t >> 12 & 63], left > 1 ? h_base64[t >> 6 & 63] : '=', left > 2 ? h_base64[t & 63] : '='};
    for (int j = 0; j < 4; j++)
      if (o[q + j] != (unsigned char)e[j]) return false;
  }
  return true;
}

// ------------------------------------------------------------------ main
int main() {
  struct Test {
    const char* name;
    bool (*fn)(bool);
  };
  const Test tests[] = {
      {"embedding_gather_float4", t_embedding},
      {"pic_deposit_cic_double", t_pic},
      {"spmv_csr_vector8_double", t_spmv},
      {"histogram256_bytes_uint4", t_hist},
      {"bfs_topdown_warp_queue", t_bfs},
      {"sssp_relax_edges_coo", t_sssp},
      {"cc_hook_cas", t_cc},
      {"triangle_count_binsearch", t_tri},
      {"pagerank_pull_step", t_pr},
      {"hash_groupby_count_cas64", t_hash},
      {"bitonic_sort_tile_pairs", t_bitonic},
      {"radix_downsweep_scatter8", t_radix},
      {"merge_path_tiles_double", t_merge},
      {"transpose_tile_float", t_transpose},
      {"rmsnorm_quant_int8_rows", t_rmsnorm},
      {"adamw_update_float4", t_adamw},
      {"cg_update_coop_double2", t_cg},
      {"softmax_online_warp_rows", t_softmax},
      {"wave3d_fd8_zmarch", t_wave3d},
      {"jacobi2d_tile_double", t_jacobi},
      {"select_above_lookback", t_select},
      {"julia_escape_double", t_julia},
      {"deepwalk_random_walks", t_walk},
      {"rotate_rgba_tex2d_linear", t_rotate},
      {"volume_raycast_tex3d", t_raycast},
      {"sobel_tex_point_surface", t_sobel},
      {"batched_cholesky16_double", t_cholesky},
      {"nbody_tile_forces_float4", t_nbody},
      {"base64_encode_uint4", t_base64},
  };
  int wrong = 0;
  for (const Test& t : tests) {
    bool small_ok = t.fn(false);
    bool large_ok = t.fn(true);
    bool ok = small_ok && large_ok;
    printf("%s %s\n", t.name, ok ? "ok" : "WRONG");
    fflush(stdout);
    if (!ok) wrong++;
  }
  return wrong ? 1 : 0;
}
