// mixed_af.cu - 29 small kernels in the way application codes write them
#include <cstdio>
#include <cstdlib>
#include <cstdint>
#include <cmath>
#include <cstring>
#include <vector>
#include <string>
#include <algorithm>
#include <numeric>
#include <cuda_runtime.h>

#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); exit(2); } } while (0)

typedef unsigned long long ull;
using std::vector;

// ------------------------------------------------------------------ host helpers
struct Rng {
  uint64_t s;
  explicit Rng(uint64_t seed) : s(seed * 0x9E3779B97F4A7C15ull + 12345) {}
  uint64_t next() {
    s += 0x9E3779B97F4A7C15ull;
    uint64_t z = s;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }
  uint32_t below(uint32_t n) { return (uint32_t)(((next() >> 32) * (uint64_t)n) >> 32); }
  double uni() { return (double)(next() >> 11) * (1.0 / 9007199254740992.0); }
  double gauss() {
    double a = uni() + 1e-300, b = uni();
    return std::sqrt(-2.0 * std::log(a)) * std::cos(6.283185307179586 * b);
  }
};

static vector<void*> g_ptrs;
template <class T> T* dnew(size_t n) {
  void* p = nullptr;
  CK(cudaMalloc(&p, n * sizeof(T)));
  CK(cudaMemset(p, 0, n * sizeof(T)));
  g_ptrs.push_back(p);
  return (T*)p;
}
template <class T> T* up(const vector<T>& v) {
  void* p = nullptr;
  CK(cudaMalloc(&p, v.size() * sizeof(T)));
  CK(cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice));
  g_ptrs.push_back(p);
  return (T*)p;
}
template <class T> vector<T> down(const T* p, size_t n) {
  vector<T> v(n);
  CK(cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost));
  return v;
}
static void freeAll() {
  for (void* p : g_ptrs) CK(cudaFree(p));
  g_ptrs.clear();
}
static void done() { CK(cudaGetLastError()); CK(cudaDeviceSynchronize()); }
static int cdiv(long long a, int b) { return (int)((a + b - 1) / b); }
template <class T> bool close(const vector<T>& a, const vector<T>& b, double tol) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); i++)
    if (!(std::fabs((double)a[i] - (double)b[i]) <= tol * (1.0 + std::fabs((double)b[i])))) return false;
  return true;
}

// symmetric CSR from an edge list; neighbours sorted, no duplicates, no loops
static void buildCsr(int n, vector<std::pair<int, int>> e, vector<int>& rp, vector<int>& ci) {
  size_t m = e.size();
  vector<int> cnt(n + 1, 0);
  for (size_t i = 0; i < m; i++) if (e[i].first != e[i].second) { cnt[e[i].first + 1]++; cnt[e[i].second + 1]++; }
  for (int i = 0; i < n; i++) cnt[i + 1] += cnt[i];
  vector<int> pos(cnt.begin(), cnt.end() - 1), tmp(cnt[n]);
  for (size_t i = 0; i < m; i++) if (e[i].first != e[i].second) {
    tmp[pos[e[i].first]++] = e[i].second;
    tmp[pos[e[i].second]++] = e[i].first;
  }
  rp.assign(n + 1, 0);
  ci.clear();
  for (int i = 0; i < n; i++) {
    std::sort(tmp.begin() + cnt[i], tmp.begin() + cnt[i + 1]);
    for (int k = cnt[i]; k < cnt[i + 1]; k++)
      if (k == cnt[i] || tmp[k] != tmp[k - 1]) ci.push_back(tmp[k]);
    rp[i + 1] = (int)ci.size();
  }
}
static vector<std::pair<int, int>> skewedEdges(int n, int m, uint64_t seed, double skew) {
  Rng r(seed);
  vector<int> perm(n);
  std::iota(perm.begin(), perm.end(), 0);
  for (int i = n - 1; i > 0; i--) std::swap(perm[i], perm[r.below(i + 1)]);
  vector<std::pair<int, int>> e(m);
  for (int i = 0; i < m; i++) {
    double q = r.uni();
    int v = (int)(n * std::pow(q, skew));
    if (v >= n) v = n - 1;
    e[i] = std::make_pair((int)r.below(n), perm[v]);
  }
  return e;
}

// ------------------------------------------------------------------ 1 CSR SpMV, one row per thread
__global__ void spmv_csr_scalar(int n, const int* rowptr, const int* col, const double* val,
                                const double* x, double* y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n) {
    double sum = 0.0;
    for (int j = rowptr[row]; j < rowptr[row + 1]; j++) sum += val[j] * x[col[j]];
    y[row] = sum;
  }
}
static bool t_spmv(int n) {
  Rng r(1);
  vector<int> rp(n + 1, 0), ci;
  vector<double> v, x(n), ref(n);
  for (int i = 0; i < n; i++) {
    int k = 4 + (int)r.below(17);
    for (int j = 0; j < k; j++) {
      int c;
      if (r.below(10) < 7) c = i + (int)r.below(401) - 200; else c = (int)r.below(n);
      c = std::min(std::max(c, 0), n - 1);
      ci.push_back(c);
      v.push_back(r.uni() - 0.5);
    }
    rp[i + 1] = (int)ci.size();
    x[i] = std::sin(0.001 * i);
  }
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int j = rp[i]; j < rp[i + 1]; j++) s += v[j] * x[ci[j]];
    ref[i] = s;
  }
  int *drp = up(rp), *dci = up(ci);
  double *dv = up(v), *dx = up(x), *dy = dnew<double>(n);
  spmv_csr_scalar<<<cdiv(n, 256), 256>>>(n, drp, dci, dv, dx, dy);
  done();
  return close(down(dy, n), ref, 1e-12);
}

// ------------------------------------------------------------------ 2 tet volumes by gather of nodes
__global__ void gather_tet_volumes(const int4* tets, const float* px, const float* py, const float* pz,
                                   float* vol, int ntet) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= ntet) return;
  int4 t = tets[e];
  float ax = px[t.y] - px[t.x], ay = py[t.y] - py[t.x], az = pz[t.y] - pz[t.x];
  float bx = px[t.z] - px[t.x], by = py[t.z] - py[t.x], bz = pz[t.z] - pz[t.x];
  float cx = px[t.w] - px[t.x], cy = py[t.w] - py[t.x], cz = pz[t.w] - pz[t.x];
  float det = ax * (by * cz - bz * cy) - ay * (bx * cz - bz * cx) + az * (bx * cy - by * cx);
  vol[e] = fabsf(det) / 6.0f;
}
static bool t_tet(int m) {
  Rng r(2);
  int nn = m * m * m;
  vector<int> perm(nn);
  std::iota(perm.begin(), perm.end(), 0);
  for (int i = nn - 1; i > 0; i--) std::swap(perm[i], perm[r.below(i + 1)]);
  vector<float> x(nn), y(nn), z(nn);
  auto id = [&](int i, int j, int k) { return perm[(k * m + j) * m + i]; };
  for (int k = 0; k < m; k++) for (int j = 0; j < m; j++) for (int i = 0; i < m; i++) {
    int p = id(i, j, k);
    x[p] = (float)(i + 0.3 * (r.uni() - 0.5));
    y[p] = (float)(j + 0.3 * (r.uni() - 0.5));
    z[p] = (float)(k + 0.3 * (r.uni() - 0.5));
  }
  // Kuhn split of each cube in six tets along the main diagonal
  const int ord[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  vector<int4> t;
  for (int k = 0; k + 1 < m; k++) for (int j = 0; j + 1 < m; j++) for (int i = 0; i + 1 < m; i++)
    for (int o = 0; o < 6; o++) {
      int c[3] = {i, j, k}, q[4];
      q[0] = id(c[0], c[1], c[2]);
      for (int s = 0; s < 3; s++) { c[ord[o][s]]++; q[s + 1] = id(c[0], c[1], c[2]); }
      t.push_back(make_int4(q[0], q[1], q[2], q[3]));
    }
  int nt = (int)t.size();
  vector<float> ref(nt);
  for (int e = 0; e < nt; e++) {
    int p = t[e].x, a = t[e].y, b = t[e].z, c = t[e].w;
    double ax = (double)x[a] - x[p], ay = (double)y[a] - y[p], az = (double)z[a] - z[p];
    double bx = (double)x[b] - x[p], by = (double)y[b] - y[p], bz = (double)z[b] - z[p];
    double cx = (double)x[c] - x[p], cy = (double)y[c] - y[p], cz = (double)z[c] - z[p];
    double det = ax * (by * cz - bz * cy) - ay * (bx * cz - bz * cx) + az * (bx * cy - by * cx);
    ref[e] = (float)(std::fabs(det) / 6.0);
  }
  int4* dt = up(t);
  float *dx = up(x), *dy = up(y), *dz = up(z), *dv = dnew<float>(nt);
  gather_tet_volumes<<<cdiv(nt, 128), 128>>>(dt, dx, dy, dz, dv, nt);
  done();
  return close(down(dv, nt), ref, 5e-5);
}

// ------------------------------------------------------------------ 3 PIC charge deposit, cloud in cell
__global__ void pic_deposit_cic(const double* xp, const double* yp, double qp, double* rho, int np,
                                int nx, int ny, double invdx) {
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= np) return;
  double gx = xp[p] * invdx, gy = yp[p] * invdx;
  int i = (int)gx, j = (int)gy;
  double fx = gx - i, fy = gy - j;
  int i1 = (i + 1) % nx, j1 = (j + 1) % ny;
  atomicAdd(&rho[j * nx + i], qp * (1.0 - fx) * (1.0 - fy));
  atomicAdd(&rho[j * nx + i1], qp * fx * (1.0 - fy));
  atomicAdd(&rho[j1 * nx + i], qp * (1.0 - fx) * fy);
  atomicAdd(&rho[j1 * nx + i1], qp * fx * fy);
}
static bool t_pic(int np, int nx) {
  Rng r(3);
  double L = 2.0, invdx = nx / L;
  vector<double> x(np), y(np), ref((size_t)nx * nx, 0.0);
  for (int p = 0; p < np; p++) {
    double a, b;
    do {
      if (p % 3) { a = 1.0 + 0.5 * r.uni() * ((p & 1) ? 1 : -1) + 0.05 * r.gauss(); b = 1.0 + 0.25 * r.gauss(); }
      else { a = L * r.uni(); b = L * r.uni(); }
    } while (!(a >= 0 && a < L * 0.999999 && b >= 0 && b < L * 0.999999));
    x[p] = a; y[p] = b;
  }
  double q = 0.125;
  for (int p = 0; p < np; p++) {
    double gx = x[p] * invdx, gy = y[p] * invdx;
    int i = (int)gx, j = (int)gy;
    double fx = gx - i, fy = gy - j;
    int i1 = (i + 1) % nx, j1 = (j + 1) % nx;
    ref[j * nx + i] += q * (1 - fx) * (1 - fy);
    ref[j * nx + i1] += q * fx * (1 - fy);
    ref[j1 * nx + i] += q * (1 - fx) * fy;
    ref[j1 * nx + i1] += q * fx * fy;
  }
  double *dx = up(x), *dy = up(y), *dr = dnew<double>((size_t)nx * nx);
  pic_deposit_cic<<<cdiv(np, 256), 256>>>(dx, dy, q, dr, np, nx, nx, invdx);
  done();
  return close(down(dr, (size_t)nx * nx), ref, 1e-9);
}

// ------------------------------------------------------------------ 4 energy spectrum in shared memory
#define EBINS 256
__global__ void hist_energy_shared(const float* en, int n, float scale, unsigned int* hist) {
  __shared__ unsigned int sh[EBINS];
  for (int b = threadIdx.x; b < EBINS; b += blockDim.x) sh[b] = 0;
  __syncthreads();
  int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    int b = (int)(en[i] * scale);
    if (b > EBINS - 1) b = EBINS - 1;
    atomicAdd(&sh[b], 1u);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < EBINS; b += blockDim.x)
    if (sh[b]) atomicAdd(&hist[b], sh[b]);
}
static bool t_hist(int n, int blocks) {
  Rng r(4);
  vector<float> e(n);
  vector<unsigned> ref(EBINS, 0);
  float scale = 32.0f;
  for (int i = 0; i < n; i++) {
    e[i] = (i % 11 == 0) ? (float)(3.0 + 0.02 * std::fabs(r.gauss())) : (float)(-std::log(1.0 - r.uni()));
    volatile float t = e[i] * scale;
    int b = (int)t;
    ref[std::min(b, EBINS - 1)]++;
  }
  float* de = up(e);
  unsigned* dh = dnew<unsigned>(EBINS);
  hist_energy_shared<<<blocks, 256>>>(de, n, scale, dh);
  done();
  return down(dh, EBINS) == ref;
}

// ------------------------------------------------------------------ 5 BFS level, one vertex per thread
__global__ void bfs_expand_level(const int* rowptr, const int* adj, int* level, int cur, int n, int* changed) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < n && level[v] == cur) {
    for (int k = rowptr[v]; k < rowptr[v + 1]; k++) {
      int w = adj[k];
      if (level[w] < 0) {
        level[w] = cur + 1;
        *changed = 1;
      }
    }
  }
}
static bool t_bfs(int n, int m) {
  vector<int> rp, ci;
  buildCsr(n, skewedEdges(n, m, 5, 1.5), rp, ci);
  vector<int> lev(n, -1), q;
  int src = 0;
  while (src < n - 1 && rp[src + 1] == rp[src]) src++;
  lev[src] = 0;
  q.push_back(src);
  for (size_t h = 0; h < q.size(); h++)
    for (int k = rp[q[h]]; k < rp[q[h] + 1]; k++)
      if (lev[ci[k]] < 0) { lev[ci[k]] = lev[q[h]] + 1; q.push_back(ci[k]); }
  vector<long long> work(lev[q.back()] + 1, 0);
  for (int v : q) work[lev[v]] += rp[v + 1] - rp[v];
  // expand the level that finds the most new vertices
  vector<int> fresh(work.size() + 1, 0);
  for (int v : q) fresh[lev[v]]++;
  int cur = 0;
  for (int d = 0; d + 1 < (int)work.size(); d++) if (fresh[d + 1] > fresh[cur + 1]) cur = d;
  vector<int> in(n), ref(n);
  bool any = false;
  for (int v = 0; v < n; v++) {
    in[v] = (lev[v] >= 0 && lev[v] <= cur) ? lev[v] : -1;
    ref[v] = (lev[v] >= 0 && lev[v] <= cur + 1) ? lev[v] : -1;
    if (lev[v] == cur + 1) any = true;
  }
  int *drp = up(rp), *dci = up(ci), *dl = up(in), *dch = dnew<int>(1);
  bfs_expand_level<<<cdiv(n, 512), 512>>>(drp, dci, dl, cur, n, dch);
  done();
  return down(dl, n) == ref && (down(dch, 1)[0] == 1) == any;
}

// ------------------------------------------------------------------ 6 SSSP, relax every edge once
__global__ void sssp_relax_edges(const int* src, const int* dst, const int* w, const int* dist_old,
                                 int* dist_new, int m) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e < m) {
    int d = dist_old[src[e]];
    if (d < 0x3fffffff) {
      int nd = d + w[e];
      if (nd < dist_old[dst[e]]) atomicMin(&dist_new[dst[e]], nd);
    }
  }
}
static bool t_sssp(int W, int H) {
  Rng r(6);
  int n = W * H;
  vector<int> s, d, w;
  for (int y = 0; y < H; y++) for (int x = 0; x < W; x++) {   // road-like grid, some streets missing
    int u = y * W + x;
    for (int k = 0; k < 2; k++) {
      int xx = x + (k == 0), yy = y + (k == 1);
      if (xx >= W || yy >= H || r.below(12) == 0) continue;
      int v = yy * W + xx, c = 1 + (int)r.below(100);
      s.push_back(u); d.push_back(v); w.push_back(c);
      s.push_back(v); d.push_back(u); w.push_back(c + (int)r.below(3));
    }
  }
  int m = (int)s.size();
  vector<int> dist(n, 0x3fffffff);
  for (int k = 0; k < std::max(4, n / 300); k++) dist[r.below(n)] = 0;
  vector<int> nd = dist;
  for (int it = 0; it < 6; it++) {
    for (int e = 0; e < m; e++)
      if (dist[s[e]] < 0x3fffffff) nd[d[e]] = std::min(nd[d[e]], dist[s[e]] + w[e]);
    dist = nd;
  }
  for (int e = 0; e < m; e++)
    if (dist[s[e]] < 0x3fffffff) nd[d[e]] = std::min(nd[d[e]], dist[s[e]] + w[e]);
  int *ds = up(s), *dd = up(d), *dw = up(w), *d0 = up(dist), *d1 = up(dist);
  sssp_relax_edges<<<cdiv(m, 256), 256>>>(ds, dd, dw, d0, d1, m);
  done();
  return down(d1, n) == nd;
}

// ------------------------------------------------------------------ 7 union-find by CAS, one edge per thread
__device__ int uf_find(volatile int* parent, int x) {
  int p = parent[x];
  while (p != x) {
    int g = parent[p];
    if (g != p) parent[x] = g;   // path halving; x is never a root here
    x = p;
    p = g;
  }
  return x;
}
__global__ void uf_hook_edges_cas(const int2* edges, int m, int* parent) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= m) return;
  int u = uf_find(parent, edges[e].x);
  int v = uf_find(parent, edges[e].y);
  while (u != v) {
    if (u < v) { int t = u; u = v; v = t; }
    int old = atomicCAS(&parent[u], u, v);
    if (old == u) break;
    u = uf_find(parent, old);
    v = uf_find(parent, v);
  }
}
static int hfind(vector<int>& p, int x) { while (p[x] != x) { p[x] = p[p[x]]; x = p[x]; } return x; }
static bool t_uf(int n, int m) {
  Rng r(7);
  vector<int2> e(m);
  vector<int> par(n), hp(n);
  std::iota(par.begin(), par.end(), 0);
  hp = par;
  for (int i = 0; i < m; i++) {
    e[i].x = (int)r.below(n);
    e[i].y = r.below(4) ? (int)r.below(n) : std::min(n - 1, e[i].x + 1 + (int)r.below(8));
    int u = hfind(hp, e[i].x), v = hfind(hp, e[i].y);
    if (u != v) hp[std::max(u, v)] = std::min(u, v);
  }
  int2* de = up(e);
  int* dp = up(par);
  uf_hook_edges_cas<<<cdiv(m, 256), 256>>>(de, m, dp);
  done();
  vector<int> got = down(dp, n);
  for (int i = 0; i < n; i++) if (got[i] < 0 || got[i] > i) return false;
  for (int i = 0; i < n; i++) if (hfind(got, i) != hfind(hp, i)) return false;
  return true;
}

// ------------------------------------------------------------------ 8 triangles, one directed edge per thread
__global__ void triangle_count_edges(const int* esrc, const int* adj, const int* rowptr, int m, ull* total) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= m) return;
  int u = esrc[e], v = adj[e];
  int i = rowptr[u], iend = rowptr[u + 1];
  int j = rowptr[v], jend = rowptr[v + 1];
  int c = 0;
  while (i < iend && j < jend) {
    int a = adj[i], b = adj[j];
    if (a == b) { c++; i++; j++; }
    else if (a < b) i++;
    else j++;
  }
  if (c > 0) atomicAdd(total, (ull)c);
}
static bool t_tri(int n, int m) {
  vector<int> rp, ci;
  buildCsr(n, skewedEdges(n, m, 8, 2.5), rp, ci);
  vector<int> op(n + 1, 0), oc, os;
  auto deg = [&](int v) { return rp[v + 1] - rp[v]; };
  for (int u = 0; u < n; u++) {
    for (int k = rp[u]; k < rp[u + 1]; k++) {
      int v = ci[k];
      if (deg(u) < deg(v) || (deg(u) == deg(v) && u < v)) { oc.push_back(v); os.push_back(u); }
    }
    op[u + 1] = (int)oc.size();
  }
  int om = (int)oc.size();
  // reference by marking
  vector<int> mark(n, -1);
  ull ref = 0;
  for (int u = 0; u < n; u++) {
    for (int k = op[u]; k < op[u + 1]; k++) mark[oc[k]] = u;
    for (int k = op[u]; k < op[u + 1]; k++)
      for (int q = op[oc[k]]; q < op[oc[k] + 1]; q++) if (mark[oc[q]] == u) ref++;
  }
  int *ds = up(os), *da = up(oc), *drp = up(op);
  ull* dt = dnew<ull>(1);
  triangle_count_edges<<<cdiv(om, 128), 128>>>(ds, da, drp, om, dt);
  done();
  return down(dt, 1)[0] == ref;
}

// ------------------------------------------------------------------ 9 k-mer counting in a CAS hash table
#define KMER 21
__global__ void kmer_hash_count(const char* reads, int nreads, int rlen, ull* keys, unsigned* counts,
                                unsigned mask) {
  int per = rlen - KMER + 1;
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= nreads * per) return;
  const char* s = reads + (id / per) * rlen + id % per;
  ull k = 0;
  for (int i = 0; i < KMER; i++) {
    char c = s[i];
    ull code = (c == 'A') ? 0 : (c == 'C') ? 1 : (c == 'G') ? 2 : 3;
    k = (k << 2) | code;
  }
  k += 1;  // zero marks an empty slot
  ull h = k * 0x9E3779B97F4A7C15ull;
  unsigned slot = (unsigned)(h >> 32) & mask;
  for (unsigned tries = 0; tries <= mask; tries++) {
    ull old = atomicCAS(&keys[slot], 0ull, k);
    if (old == 0ull || old == k) { atomicAdd(&counts[slot], 1u); return; }
    slot = (slot + 1) & mask;
  }
}
static bool t_kmer(int glen, int nreads, int rlen, int log2cap) {
  Rng r(9);
  std::string g(glen, 'A');
  for (int i = 0; i < glen; i++) g[i] = "ACGT"[r.below(4)];
  for (int k = 0; k < glen / 2000; k++) {          // repeats
    int at = (int)r.below(glen - 200);
    for (int i = 0; i < 60; i++) g[at + i] = "ACG"[i % 3];
  }
  vector<char> reads((size_t)nreads * rlen);
  for (int i = 0; i < nreads; i++) {
    int at = (int)r.below(glen - rlen);
    for (int j = 0; j < rlen; j++) reads[(size_t)i * rlen + j] = r.below(2000) ? g[at + j] : "ACGT"[r.below(4)];
  }
  int per = rlen - KMER + 1;
  vector<ull> all;
  all.reserve((size_t)nreads * per);
  for (int i = 0; i < nreads; i++) for (int o = 0; o < per; o++) {
    ull k = 0;
    for (int j = 0; j < KMER; j++) {
      char c = reads[(size_t)i * rlen + o + j];
      k = (k << 2) | (ull)(c == 'A' ? 0 : c == 'C' ? 1 : c == 'G' ? 2 : 3);
    }
    all.push_back(k + 1);
  }
  std::sort(all.begin(), all.end());
  vector<std::pair<ull, unsigned>> ref, got;
  for (size_t i = 0; i < all.size(); i++) {
    if (i == 0 || all[i] != all[i - 1]) ref.push_back(std::make_pair(all[i], 0u));
    ref.back().second++;
  }
  unsigned cap = 1u << log2cap;
  if (ref.size() * 10 > (size_t)cap * 9) { fprintf(stderr, "k-mer table too small\n"); return false; }
  char* dr = up(reads);
  ull* dk = dnew<ull>(cap);
  unsigned* dc = dnew<unsigned>(cap);
  kmer_hash_count<<<cdiv((long long)nreads * per, 192), 192>>>(dr, nreads, rlen, dk, dc, cap - 1);
  done();
  vector<ull> hk = down(dk, cap);
  vector<unsigned> hc = down(dc, cap);
  for (unsigned i = 0; i < cap; i++) if (hk[i]) got.push_back(std::make_pair(hk[i], hc[i]));
  std::sort(got.begin(), got.end());
  return got == ref;
}

// ------------------------------------------------------------------ 10 maximum wave speed of each region
__device__ void atomic_max_double(double* addr, double v) {
  ull* a = (ull*)addr;
  ull old = *(volatile ull*)a;
  while (__longlong_as_double((long long)old) < v) {
    ull assumed = old;
    old = atomicCAS(a, assumed, (ull)__double_as_longlong(v));
    if (old == assumed) break;
  }
}
__global__ void region_max_speed_cas(const double* u, const double* c, const int* region, double* smax, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomic_max_double(&smax[region[i]], fabs(u[i]) + c[i]);
}
static bool t_region(int W, int H, int cell) {
  Rng r(10);
  int n = W * H, nrx = W / cell + 3, nry = H / cell + 3;
  vector<double> u(n), c(n), ref(nrx * nry, 0.0);
  vector<int> reg(n);
  for (int y = 0; y < H; y++) for (int x = 0; x < W; x++) {
    int i = y * W + x;
    int rx = (int)((x + 10.0 + 9.0 * std::sin(y * 0.05)) / cell), ry = (int)((y + 10.0 + 9.0 * std::sin(x * 0.07)) / cell);
    reg[i] = ry * nrx + rx;
    u[i] = r.uni() - 0.5 + 0.5 * std::sin(x * 0.01);
    c[i] = 1.0 + 0.1 * r.uni();
    ref[reg[i]] = std::max(ref[reg[i]], std::fabs(u[i]) + c[i]);
  }
  double *du = up(u), *dc = up(c), *ds = dnew<double>(nrx * nry);
  int* dr = up(reg);
  region_max_speed_cas<<<cdiv(n, 256), 256>>>(du, dc, dr, ds, n);
  done();
  return down(ds, nrx * nry) == ref;
}

// ------------------------------------------------------------------ 11 bitonic sort of 1024 pairs per block
__global__ void bitonic_sort_block(float* keys, int* vals) {
  __shared__ float sk[1024];
  __shared__ int sv[1024];
  int base = blockIdx.x * 1024, t = threadIdx.x;
  sk[t] = keys[base + t];             sv[t] = vals[base + t];
  sk[t + 512] = keys[base + t + 512]; sv[t + 512] = vals[base + t + 512];
  for (int size = 2; size <= 1024; size <<= 1) {
    for (int stride = size >> 1; stride > 0; stride >>= 1) {
      __syncthreads();
      int i = 2 * t - (t & (stride - 1));
      int j = i + stride;
      bool asc = (i & size) == 0;
      if ((sk[i] > sk[j]) == asc) {
        float a = sk[i]; sk[i] = sk[j]; sk[j] = a;
        int b = sv[i]; sv[i] = sv[j]; sv[j] = b;
      }
    }
  }
  __syncthreads();
  keys[base + t] = sk[t];             vals[base + t] = sv[t];
  keys[base + t + 512] = sk[t + 512]; vals[base + t + 512] = sv[t + 512];
}
static bool t_bitonic(int nb) {
  Rng r(11);
  int n = nb * 1024;
  vector<float> k(n), ref;
  vector<int> v(n);
  for (int i = 0; i < n; i++) { k[i] = (float)(r.gauss() * 10); v[i] = i; }
  ref = k;
  for (int b = 0; b < nb; b++) std::sort(ref.begin() + b * 1024, ref.begin() + (b + 1) * 1024);
  float* dk = up(k);
  int* dv = up(v);
  bitonic_sort_block<<<nb, 512>>>(dk, dv);
  done();
  vector<float> gk = down(dk, n);
  vector<int> gv = down(dv, n);
  if (gk != ref) return false;
  vector<char> seen(n, 0);
  for (int i = 0; i < n; i++) {
    if (gv[i] < 0 || gv[i] >= n || gv[i] / 1024 != i / 1024 || seen[gv[i]] || k[gv[i]] != gk[i]) return false;
    seen[gv[i]] = 1;
  }
  return true;
}

// ------------------------------------------------------------------ 12 merge of two sorted lists by rank
__global__ void merge_by_rank(const int* a, int na, const int* b, int nb, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < na) {
    int key = a[i], lo = 0, hi = nb;
    while (lo < hi) { int mid = (lo + hi) / 2; if (b[mid] < key) lo = mid + 1; else hi = mid; }
    out[i + lo] = key;
  } else if (i < na + nb) {
    int j = i - na;
    int key = b[j], lo = 0, hi = na;
    while (lo < hi) { int mid = (lo + hi) / 2; if (a[mid] <= key) lo = mid + 1; else hi = mid; }
    out[j + lo] = key;
  }
}
static bool t_merge(int na, int nb) {
  Rng r(12);
  vector<int> a(na), b(nb), ref(na + nb);
  for (int& x : a) { double q = r.uni(); x = (int)(1e7 * q * q); }
  for (int& x : b) x = (int)r.below(10000000);
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), ref.begin());
  int *da = up(a), *db = up(b), *dout = dnew<int>(na + nb);
  CK(cudaMemset(dout, 0xff, sizeof(int) * (size_t)(na + nb)));
  merge_by_rank<<<cdiv((long long)na + nb, 256), 256>>>(da, na, db, nb, dout);
  done();
  return down(dout, na + nb) == ref;
}

// ------------------------------------------------------------------ 13 triad
__global__ void triad_double(double* a, const double* b, const double* c, double s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = b[i] + s * c[i];
}
static bool t_triad(int n) {
  Rng r(13);
  vector<double> b(n), c(n), ref(n);
  for (int i = 0; i < n; i++) { b[i] = r.uni(); c[i] = r.uni() - 0.5; ref[i] = b[i] + 3.0 * c[i]; }
  double *db = up(b), *dc = up(c), *da = dnew<double>(n);
  triad_double<<<cdiv(n, 1024), 1024>>>(da, db, dc, 3.0, n);
  done();
  return close(down(da, n), ref, 1e-14);
}

// ------------------------------------------------------------------ 14 particle records to separate arrays
struct Part { float x, y, z, vx, vy, vz; int id; };
__global__ void particles_aos_to_soa(const Part* p, int n, float* x, float* y, float* z, float* vx, float* vy,
                                     float* vz, int* id) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  x[i] = p[i].x;
  y[i] = p[i].y;
  z[i] = p[i].z;
  vx[i] = p[i].vx;
  vy[i] = p[i].vy;
  vz[i] = p[i].vz;
  id[i] = p[i].id;
}
static bool t_soa(int n) {
  Rng r(14);
  vector<Part> p(n);
  for (int i = 0; i < n; i++) {
    p[i].x = (float)r.uni(); p[i].y = (float)r.uni(); p[i].z = (float)r.uni();
    p[i].vx = (float)(r.uni() - 0.5); p[i].vy = (float)(r.uni() - 0.5); p[i].vz = (float)(r.uni() - 0.5);
    p[i].id = (int)r.below(1u << 30);
  }
  Part* dp = up(p);
  float* d[6];
  for (int k = 0; k < 6; k++) d[k] = dnew<float>(n);
  int* di = dnew<int>(n);
  particles_aos_to_soa<<<cdiv(n, 128), 128>>>(dp, n, d[0], d[1], d[2], d[3], d[4], d[5], di);
  done();
  for (int k = 0; k < 6; k++) {
    vector<float> g = down(d[k], n);
    for (int i = 0; i < n; i++) {
      const float f[6] = {p[i].x, p[i].y, p[i].z, p[i].vx, p[i].vy, p[i].vz};
      if (g[i] != f[k]) return false;
    }
  }
  vector<int> g = down(di, n);
  for (int i = 0; i < n; i++) if (g[i] != p[i].id) return false;
  return true;
}

// ------------------------------------------------------------------ 15 dot product, shared memory tree
__global__ void dot_product_shared(const double* x, const double* y, int n, double* result) {
  __shared__ double cache[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  cache[threadIdx.x] = (i < n) ? x[i] * y[i] : 0.0;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s /= 2) {
    if (threadIdx.x < s) cache[threadIdx.x] += cache[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(result, cache[0]);
}
static bool t_dot(int n) {
  Rng r(15);
  vector<double> x(n), y(n);
  long double s = 0;
  for (int i = 0; i < n; i++) { x[i] = r.uni(); y[i] = r.uni() - 0.3; s += (long double)x[i] * y[i]; }
  double *dx = up(x), *dy = up(y), *ds = dnew<double>(1);
  dot_product_shared<<<cdiv(n, 256), 256>>>(dx, dy, n, ds);
  done();
  return std::fabs(down(ds, 1)[0] - (double)s) <= 1e-10 * (1.0 + std::fabs((double)s));
}

// ------------------------------------------------------------------ 16 softmax with cross entropy, one sample per thread
#define NCLASS 10
__global__ void softmax_xent_naive(const float* logits, const int* label, float* prob, float* loss, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float mx = -1e30f;
  for (int c = 0; c < NCLASS; c++) mx = fmaxf(mx, logits[i * NCLASS + c]);
  float sum = 0.0f;
  for (int c = 0; c < NCLASS; c++) sum += expf(logits[i * NCLASS + c] - mx);
  for (int c = 0; c < NCLASS; c++) prob[i * NCLASS + c] = expf(logits[i * NCLASS + c] - mx) / sum;
  loss[i] = logf(sum) - (logits[i * NCLASS + label[i]] - mx);
}
static bool t_softmax(int n) {
  Rng r(16);
  vector<float> lg(n * NCLASS), p(n * NCLASS), ls(n);
  vector<int> lab(n);
  for (int i = 0; i < n; i++) {
    lab[i] = (int)r.below(NCLASS);
    for (int c = 0; c < NCLASS; c++) lg[i * NCLASS + c] = (float)(2.0 * r.gauss() + (c == lab[i] ? 4 : 0));
    double mx = -1e30, s = 0;
    for (int c = 0; c < NCLASS; c++) mx = std::max(mx, (double)lg[i * NCLASS + c]);
    for (int c = 0; c < NCLASS; c++) s += std::exp(lg[i * NCLASS + c] - mx);
    for (int c = 0; c < NCLASS; c++) p[i * NCLASS + c] = (float)(std::exp(lg[i * NCLASS + c] - mx) / s);
    ls[i] = (float)(std::log(s) - (lg[i * NCLASS + lab[i]] - mx));
  }
  float *dl = up(lg), *dp = dnew<float>(n * NCLASS), *dls = dnew<float>(n);
  int* dlab = up(lab);
  softmax_xent_naive<<<cdiv(n, 128), 128>>>(dl, dlab, dp, dls, n);
  done();
  return close(down(dp, n * NCLASS), p, 1e-5) && close(down(dls, n), ls, 2e-5);
}

// ------------------------------------------------------------------ 17 3-D heat equation, 7 points
#define IDX3(i, j, k) (((k) * ny + (j)) * nx + (i))
__global__ void heat3d_naive(const double* T, double* Tn, int nx, int ny, int nz, double alpha) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  int k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i >= nx || j >= ny || k >= nz) return;
  if (i == 0 || j == 0 || k == 0 || i == nx - 1 || j == ny - 1 || k == nz - 1) {
    Tn[IDX3(i, j, k)] = T[IDX3(i, j, k)];
    return;
  }
  Tn[IDX3(i, j, k)] = T[IDX3(i, j, k)] + alpha * (T[IDX3(i - 1, j, k)] + T[IDX3(i + 1, j, k)] +
      T[IDX3(i, j - 1, k)] + T[IDX3(i, j + 1, k)] + T[IDX3(i, j, k - 1)] + T[IDX3(i, j, k + 1)] -
      6.0 * T[IDX3(i, j, k)]);
}
static bool t_heat(int nx, int ny, int nz) {
  Rng r(17);
  size_t n = (size_t)nx * ny * nz;
  vector<double> T(n), ref;
  for (int k = 0; k < nz; k++) for (int j = 0; j < ny; j++) for (int i = 0; i < nx; i++)
    T[IDX3(i, j, k)] = ((i / 8 + j / 8 + k / 8) % 2 ? 300.0 : 280.0) + r.uni();
  ref = T;
  double al = 0.12;
  for (int k = 1; k < nz - 1; k++) for (int j = 1; j < ny - 1; j++) for (int i = 1; i < nx - 1; i++)
    ref[IDX3(i, j, k)] = T[IDX3(i, j, k)] + al * (T[IDX3(i - 1, j, k)] + T[IDX3(i + 1, j, k)] +
      T[IDX3(i, j - 1, k)] + T[IDX3(i, j + 1, k)] + T[IDX3(i, j, k - 1)] + T[IDX3(i, j, k + 1)] - 6.0 * T[IDX3(i, j, k)]);
  double *dT = up(T), *dN = dnew<double>(n);
  dim3 b(8, 8, 8), g(cdiv(nx, 8), cdiv(ny, 8), cdiv(nz, 8));
  heat3d_naive<<<g, b>>>(dT, dN, nx, ny, nz, al);
  done();
  return close(down(dN, n), ref, 1e-12);
}

// ------------------------------------------------------------------ 18 2-D acoustic wave, 4th order, shared tile
#define WT 16
#define WR 2
__global__ void wave2d_shared(const float* pold, const float* p, float* pnew, const float* vel2, int nx, int ny) {
  __shared__ float s[WT + 2 * WR][WT + 2 * WR];
  int x0 = blockIdx.x * WT - WR, y0 = blockIdx.y * WT - WR;
  int tid = threadIdx.y * WT + threadIdx.x;
  for (int q = tid; q < (WT + 2 * WR) * (WT + 2 * WR); q += WT * WT) {
    int lx = q % (WT + 2 * WR), ly = q / (WT + 2 * WR);
    int gx = x0 + lx, gy = y0 + ly;
    s[ly][lx] = (gx >= 0 && gx < nx && gy >= 0 && gy < ny) ? p[gy * nx + gx] : 0.0f;
  }
  __syncthreads();
  int x = blockIdx.x * WT + threadIdx.x, y = blockIdx.y * WT + threadIdx.y;
  if (x >= nx || y >= ny) return;
  int lx = threadIdx.x + WR, ly = threadIdx.y + WR;
  float c = s[ly][lx];
  float lap = -5.0f * c + (4.0f / 3.0f) * (s[ly][lx - 1] + s[ly][lx + 1] + s[ly - 1][lx] + s[ly + 1][lx]) -
              (1.0f / 12.0f) * (s[ly][lx - 2] + s[ly][lx + 2] + s[ly - 2][lx] + s[ly + 2][lx]);
  int g = y * nx + x;
  pnew[g] = 2.0f * c - pold[g] + vel2[g] * lap;
}
static bool t_wave(int nx, int ny) {
  size_t n = (size_t)nx * ny;
  vector<float> po(n), p(n), v(n), ref(n);
  for (int y = 0; y < ny; y++) for (int x = 0; x < nx; x++) {
    double d = std::hypot(x - nx * 0.4, y - ny * 0.6);
    po[(size_t)y * nx + x] = (float)(std::cos(0.3 * d) * std::exp(-d * 0.01));
    p[(size_t)y * nx + x] = (float)(std::cos(0.3 * d - 0.1) * std::exp(-d * 0.01));
    v[(size_t)y * nx + x] = y > ny / 2 ? 0.25f : 0.1f;
  }
  auto at = [&](int x, int y) -> double { return (x < 0 || y < 0 || x >= nx || y >= ny) ? 0.0 : (double)p[(size_t)y * nx + x]; };
  for (int y = 0; y < ny; y++) for (int x = 0; x < nx; x++) {
    double c = at(x, y);
    double lap = -5.0 * c + 4.0 / 3.0 * (at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1)) -
                 1.0 / 12.0 * (at(x - 2, y) + at(x + 2, y) + at(x, y - 2) + at(x, y + 2));
    size_t g = (size_t)y * nx + x;
    ref[g] = (float)(2.0 * c - po[g] + v[g] * lap);
  }
  float *dpo = up(po), *dp = up(p), *dv = up(v), *dn = dnew<float>(n);
  dim3 b(WT, WT), g(cdiv(nx, WT), cdiv(ny, WT));
  wave2d_shared<<<g, b>>>(dpo, dp, dn, dv, nx, ny);
  done();
  return close(down(dn, n), ref, 1e-5);
}

// ------------------------------------------------------------------ 19 lattice Boltzmann D2Q9 (pull, BGK, bounce back)
__constant__ int c_ex[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant__ int c_ey[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant__ int c_opp[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
__constant__ float c_w[9] = {4.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};
__global__ void lbm_d2q9_step(const float* fin, float* fout, const unsigned char* solid, int nx, int ny, float omega) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y;
  if (x >= nx) return;
  int n = nx * ny, me = y * nx + x;
  float f[9];
  for (int q = 0; q < 9; q++) {
    int xs = (x - c_ex[q] + nx) % nx, ys = (y - c_ey[q] + ny) % ny;
    f[q] = fin[q * n + ys * nx + xs];
  }
  if (solid[me]) {
    for (int q = 0; q < 9; q++) fout[c_opp[q] * n + me] = f[q];
    return;
  }
  float rho = 0, ux = 0, uy = 0;
  for (int q = 0; q < 9; q++) { rho += f[q]; ux += f[q] * c_ex[q]; uy += f[q] * c_ey[q]; }
  ux /= rho; uy /= rho;
  float uu = 1.5f * (ux * ux + uy * uy);
  for (int q = 0; q < 9; q++) {
    float cu = 3.0f * (c_ex[q] * ux + c_ey[q] * uy);
    float feq = c_w[q] * rho * (1.0f + cu + 0.5f * cu * cu - uu);
    fout[q * n + me] = f[q] + omega * (feq - f[q]);
  }
}
static bool t_lbm(int nx, int ny) {
  const int ex[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, ey[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1}, opp[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
  const double w[9] = {4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36};
  Rng r(19);
  int n = nx * ny;
  vector<float> f((size_t)9 * n), ref((size_t)9 * n);
  vector<unsigned char> sol(n);
  for (int y = 0; y < ny; y++) for (int x = 0; x < nx; x++) {
    double dx = x - nx * 0.25, dy = y - ny * 0.5;
    sol[y * nx + x] = (y == 0 || y == ny - 1 || dx * dx + dy * dy < ny * ny / 81.0) ? 1 : 0;
    for (int q = 0; q < 9; q++) f[(size_t)q * n + y * nx + x] = (float)(w[q] * (1.0 + 0.3 * ex[q] + 0.02 * r.uni()));
  }
  double om = 1.7f;
  for (int y = 0; y < ny; y++) for (int x = 0; x < nx; x++) {
    double g[9], rho = 0, ux = 0, uy = 0;
    int me = y * nx + x;
    for (int q = 0; q < 9; q++) {
      g[q] = f[(size_t)q * n + ((y - ey[q] + ny) % ny) * nx + (x - ex[q] + nx) % nx];
      rho += g[q]; ux += g[q] * ex[q]; uy += g[q] * ey[q];
    }
    if (sol[me]) { for (int q = 0; q < 9; q++) ref[(size_t)opp[q] * n + me] = (float)g[q]; continue; }
    ux /= rho; uy /= rho;
    for (int q = 0; q < 9; q++) {
      double cu = 3 * (ex[q] * ux + ey[q] * uy);
      double fe = w[q] * rho * (1 + cu + 0.5 * cu * cu - 1.5 * (ux * ux + uy * uy));
      ref[(size_t)q * n + me] = (float)(g[q] + om * (fe - g[q]));
    }
  }
  float *df = up(f), *dg = dnew<float>((size_t)9 * n);
  unsigned char* ds = up(sol);
  dim3 grid(cdiv(nx, 128), ny);
  lbm_d2q9_step<<<grid, 128>>>(df, dg, ds, nx, ny, 1.7f);
  done();
  return close(down(dg, (size_t)9 * n), ref, 3e-6);
}

// ------------------------------------------------------------------ 20 Blelloch scan of 1024 items per block
__global__ void scan_block_blelloch(const int* in, int* out, int* blocksum, int n) {
  __shared__ int tmp[1024];
  int t = threadIdx.x, base = blockIdx.x * 1024;
  tmp[2 * t] = (base + 2 * t < n) ? in[base + 2 * t] : 0;
  tmp[2 * t + 1] = (base + 2 * t + 1 < n) ? in[base + 2 * t + 1] : 0;
  int offset = 1;
  for (int d = 512; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) tmp[offset * (2 * t + 2) - 1] += tmp[offset * (2 * t + 1) - 1];
    offset *= 2;
  }
  __syncthreads();
  if (t == 0) { blocksum[blockIdx.x] = tmp[1023]; tmp[1023] = 0; }
  for (int d = 1; d < 1024; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      int ai = offset * (2 * t + 1) - 1, bi = offset * (2 * t + 2) - 1;
      int v = tmp[ai];
      tmp[ai] = tmp[bi];
      tmp[bi] += v;
    }
  }
  __syncthreads();
  if (base + 2 * t < n) out[base + 2 * t] = tmp[2 * t];
  if (base + 2 * t + 1 < n) out[base + 2 * t + 1] = tmp[2 * t + 1];
}
static bool t_scan(int n) {
  Rng r(20);
  int nb = cdiv(n, 1024);
  vector<int> a(n), ref(n), sums(nb);
  for (int b = 0; b < nb; b++) {
    int s = 0;
    for (int i = b * 1024; i < std::min(n, (b + 1) * 1024); i++) { a[i] = (int)r.below(50); ref[i] = s; s += a[i]; }
    sums[b] = s;
  }
  int *da = up(a), *dout = dnew<int>(n), *ds = dnew<int>(nb);
  scan_block_blelloch<<<nb, 512>>>(da, dout, ds, n);
  done();
  return down(dout, n) == ref && down(ds, nb) == sums;
}

// ------------------------------------------------------------------ 21 compaction of surviving photons
__global__ void compact_photons(const float* weight, const int* tag, int n, float wmin, float* wout, int* idout,
                                int* tagout, int* count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && weight[i] > wmin) {
    int pos = atomicAdd(count, 1);
    wout[pos] = weight[i];
    idout[pos] = i;
    tagout[pos] = tag[i];
  }
}
static bool t_compact(int n) {
  Rng r(21);
  vector<float> w(n);
  vector<int> tag(n), ref;
  for (int i = 0; i < n; i++) {
    w[i] = (float)std::exp(-3.0 * r.uni());
    tag[i] = (int)r.below(7777);
    if (w[i] > 0.3f) ref.push_back(i);
  }
  float *dw = up(w), *dwo = dnew<float>(n);
  int *dt = up(tag), *di = dnew<int>(n), *dto = dnew<int>(n), *dc = dnew<int>(1);
  compact_photons<<<cdiv(n, 256), 256>>>(dw, dt, n, 0.3f, dwo, di, dto, dc);
  done();
  int c = down(dc, 1)[0];
  if (c != (int)ref.size()) return false;
  vector<int> id = down(di, c), to = down(dto, c);
  vector<float> wo = down(dwo, c);
  for (int i = 0; i < c; i++)
    if (id[i] < 0 || id[i] >= n || wo[i] != w[id[i]] || to[i] != tag[id[i]]) return false;
  std::sort(id.begin(), id.end());
  return id == ref;
}

// ------------------------------------------------------------------ 22 Mandelbrot, double
__global__ void mandelbrot_double(int* iters, int w, int h, double x0, double y0, double step, int maxit) {
  int px = blockIdx.x * blockDim.x + threadIdx.x;
  int py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= w || py >= h) return;
  double cx = x0 + px * step, cy = y0 + py * step;
  double x = 0, y = 0;
  int it = 0;
  while (x * x + y * y < 4.0 && it < maxit) {
    double t = x * x - y * y + cx;
    y = 2.0 * x * y + cy;
    x = t;
    it++;
  }
  iters[py * w + px] = it;
}
static bool t_mandel(int w, int h, int maxit) {
  double x0 = -0.85, y0 = 0.0, step = 0.25 / w;
  vector<int> ref(w * h);
  for (int py = 0; py < h; py++) for (int px = 0; px < w; px++) {
    double cx = x0 + px * step, cy = y0 + py * step, x = 0, y = 0;
    int it = 0;
    while (x * x + y * y < 4.0 && it < maxit) { double t = x * x - y * y + cx; y = 2.0 * x * y + cy; x = t; it++; }
    ref[py * w + px] = it;
  }
  int* d = dnew<int>(w * h);
  dim3 b(16, 16), g(cdiv(w, 16), cdiv(h, 16));
  mandelbrot_double<<<g, b>>>(d, w, h, x0, y0, step, maxit);
  done();
  vector<int> got = down(d, w * h);
  int bad = 0;
  for (int i = 0; i < w * h; i++) if (got[i] != ref[i]) bad++;
  return bad <= w * h / 500;
}

// ------------------------------------------------------------------ 23 Ising model, one colour of the checkerboard
__constant__ unsigned c_thr[5];   // acceptance for s*sum = -4,-2,0,2,4
__host__ __device__ inline unsigned site_random(unsigned site, unsigned sweep) {
  unsigned h = site * 747796405u + sweep * 2891336453u + 12345u;
  h ^= h >> 16; h *= 0x7feb352du;
  h ^= h >> 15; h *= 0x846ca68bu;
  h ^= h >> 16;
  return h;
}
__global__ void ising_half_sweep(signed char* spin, int L, int colour, unsigned sweep) {
  int hx = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (hx >= L / 2 || y >= L) return;
  int x = 2 * hx + ((y + colour) & 1);
  int xl = (x == 0) ? L - 1 : x - 1, xr = (x == L - 1) ? 0 : x + 1;
  int yu = (y == 0) ? L - 1 : y - 1, yd = (y == L - 1) ? 0 : y + 1;
  int s = spin[y * L + x];
  int sum = spin[y * L + xl] + spin[y * L + xr] + spin[yu * L + x] + spin[yd * L + x];
  int k = (s * sum + 4) / 2;
  if (site_random(y * L + x, sweep) <= c_thr[k]) spin[y * L + x] = (signed char)(-s);
}
static bool t_ising(int L) {
  Rng r(23);
  unsigned thr[5];
  for (int k = 0; k < 5; k++) {
    double dE = 2.0 * (2 * k - 4), p = dE <= 0 ? 1.0 : std::exp(-dE / 2.27);
    thr[k] = p >= 1.0 ? 0xffffffffu : (unsigned)(p * 4294967295.0);
  }
  CK(cudaMemcpyToSymbol(c_thr, thr, sizeof(thr)));
  vector<signed char> s((size_t)L * L), ref;
  for (int y = 0; y < L; y++) for (int x = 0; x < L; x++)
    s[(size_t)y * L + x] = (signed char)((((x / 13 + y / 17) & 1) ^ (r.below(8) == 0)) ? 1 : -1);
  ref = s;
  int colour = 1;
  unsigned sweep = 42;
  for (int y = 0; y < L; y++) for (int x = (y + colour) & 1; x < L; x += 2) {
    int sum = s[y * L + (x + L - 1) % L] + s[y * L + (x + 1) % L] + s[((y + L - 1) % L) * L + x] + s[((y + 1) % L) * L + x];
    int k = (s[y * L + x] * sum + 4) / 2;
    if (site_random((unsigned)(y * L + x), sweep) <= thr[k]) ref[y * L + x] = (signed char)(-s[y * L + x]);
  }
  signed char* d = up(s);
  dim3 b(32, 8), g(cdiv(L / 2, 32), cdiv(L, 8));
  ising_half_sweep<<<g, b>>>(d, L, colour, sweep);
  done();
  return down(d, (size_t)L * L) == ref;
}

// ------------------------------------------------------------------ 24 rotate a CT slice, linear texture filter
__global__ void tex_rotate_slice(cudaTextureObject_t tex, float* out, int w, int h, float co, float si) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float u = x - 0.5f * w, v = y - 0.5f * h;
  float sx = co * u - si * v + 0.5f * w;
  float sy = si * u + co * v + 0.5f * h;
  out[y * w + x] = tex2D<float>(tex, sx + 0.5f, sy + 0.5f);
}
static bool t_rotate(int w, int h) {
  Rng r(24);
  vector<float> im((size_t)w * h, 0.1f), ref((size_t)w * h);
  for (int k = 0; k < 12; k++) {       // smooth blobs as tissue
    double cx = w * (0.2 + 0.6 * r.uni()), cy = h * (0.2 + 0.6 * r.uni()), s = (0.03 + 0.08 * r.uni()) * w, a = 0.2 + 0.3 * r.uni();
    vector<double> gx(w), gy(h);
    for (int x = 0; x < w; x++) gx[x] = std::exp(-(x - cx) * (x - cx) / (2 * s * s));
    for (int y = 0; y < h; y++) gy[y] = a * std::exp(-(y - cy) * (y - cy) / (2 * s * s));
    for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) im[(size_t)y * w + x] += (float)(gx[x] * gy[y]);
  }
  for (float& f : im) f = std::min(f, 1.0f);
  double ang = 0.41;
  float co = (float)std::cos(ang), si = (float)std::sin(ang);
  auto at = [&](int x, int y) -> double { return (x < 0 || y < 0 || x >= w || y >= h) ? 0.0 : (double)im[(size_t)y * w + x]; };
  for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) {
    double u = x - 0.5 * w, v = y - 0.5 * h;
    double sx = co * u - si * v + 0.5 * w, sy = si * u + co * v + 0.5 * h;
    int ix = (int)std::floor(sx), iy = (int)std::floor(sy);
    double fx = sx - ix, fy = sy - iy;
    ref[(size_t)y * w + x] = (float)((1 - fy) * ((1 - fx) * at(ix, iy) + fx * at(ix + 1, iy)) +
                                     fy * ((1 - fx) * at(ix, iy + 1) + fx * at(ix + 1, iy + 1)));
  }
  cudaArray_t arr;
  cudaChannelFormatDesc cd = cudaCreateChannelDesc<float>();
  CK(cudaMallocArray(&arr, &cd, w, h));
  CK(cudaMemcpy2DToArray(arr, 0, 0, im.data(), w * sizeof(float), w * sizeof(float), h, cudaMemcpyHostToDevice));
  cudaResourceDesc rd;
  memset(&rd, 0, sizeof(rd));
  rd.resType = cudaResourceTypeArray;
  rd.res.array.array = arr;
  cudaTextureDesc td;
  memset(&td, 0, sizeof(td));
  td.addressMode[0] = td.addressMode[1] = cudaAddressModeBorder;
  td.filterMode = cudaFilterModeLinear;
  td.readMode = cudaReadModeElementType;
  cudaTextureObject_t tex;
  CK(cudaCreateTextureObject(&tex, &rd, &td, nullptr));
  float* d = dnew<float>((size_t)w * h);
  dim3 b(16, 16), g(cdiv(w, 16), cdiv(h, 16));
  tex_rotate_slice<<<g, b>>>(tex, d, w, h, co, si);
  done();
  vector<float> got = down(d, (size_t)w * h);
  CK(cudaDestroyTextureObject(tex));
  CK(cudaFreeArray(arr));
  return close(got, ref, 0.01);
}

// ------------------------------------------------------------------ 25 maximum intensity projection, 3-D texture
__global__ void tex_volume_mip(cudaTextureObject_t vol, float* img, int w, int h, int nx, int ny, int nz,
                               float tiltx, float tilty, int steps) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float px = (x + 0.5f) * nx / w, py = (y + 0.5f) * ny / h;
  float dz = (float)nz / steps;
  float best = 0.0f;
  for (int s = 0; s < steps; s++) {
    float z = (s + 0.5f) * dz;
    float v = tex3D<float>(vol, px + tiltx * (z - 0.5f * nz), py + tilty * (z - 0.5f * nz), z);
    best = fmaxf(best, v);
  }
  img[y * w + x] = best;
}
static bool t_mip(int nx, int ny, int nz, int w, int h, int steps) {
  Rng r(25);
  size_t n = (size_t)nx * ny * nz;
  vector<float> acc(n, 8.0f);
  for (int k = 0; k < 10; k++) {
    double c[3] = {nx * r.uni(), ny * r.uni(), nz * r.uni()}, s = (0.05 + 0.06 * r.uni()) * nx, a = 60 + 120 * r.uni();
    vector<double> gx(nx), gy(ny), gz(nz);
    for (int i = 0; i < nx; i++) gx[i] = std::exp(-(i - c[0]) * (i - c[0]) / (2 * s * s));
    for (int i = 0; i < ny; i++) gy[i] = std::exp(-(i - c[1]) * (i - c[1]) / (2 * s * s));
    for (int i = 0; i < nz; i++) gz[i] = a * std::exp(-(i - c[2]) * (i - c[2]) / (2 * s * s));
    for (int z = 0; z < nz; z++) for (int y = 0; y < ny; y++) for (int x = 0; x < nx; x++)
      acc[((size_t)z * ny + y) * nx + x] += (float)(gx[x] * gy[y] * gz[z]);
  }
  vector<unsigned char> v(n);
  for (size_t i = 0; i < n; i++) v[i] = (unsigned char)std::min(255.0f, acc[i]);
  cudaArray_t arr;
  cudaChannelFormatDesc cd = cudaCreateChannelDesc<unsigned char>();
  cudaExtent ext = make_cudaExtent(nx, ny, nz);
  CK(cudaMalloc3DArray(&arr, &cd, ext));
  cudaMemcpy3DParms mp;
  memset(&mp, 0, sizeof(mp));
  mp.srcPtr = make_cudaPitchedPtr(v.data(), nx, nx, ny);
  mp.dstArray = arr;
  mp.extent = ext;
  mp.kind = cudaMemcpyHostToDevice;
  CK(cudaMemcpy3D(&mp));
  cudaResourceDesc rd;
  memset(&rd, 0, sizeof(rd));
  rd.resType = cudaResourceTypeArray;
  rd.res.array.array = arr;
  cudaTextureDesc td;
  memset(&td, 0, sizeof(td));
  td.addressMode[0] = td.addressMode[1] = td.addressMode[2] = cudaAddressModeClamp;
  td.filterMode = cudaFilterModeLinear;
  td.readMode = cudaReadModeNormalizedFloat;
  cudaTextureObject_t tex;
  CK(cudaCreateTextureObject(&tex, &rd, &td, nullptr));
  float* d = dnew<float>((size_t)w * h);
  float tx = 0.2f, ty = -0.15f;
  dim3 b(32, 4), g(cdiv(w, 32), cdiv(h, 4));
  tex_volume_mip<<<g, b>>>(tex, d, w, h, nx, ny, nz, tx, ty, steps);
  done();
  vector<float> got = down(d, (size_t)w * h);
  CK(cudaDestroyTextureObject(tex));
  CK(cudaFreeArray(arr));
  auto at = [&](int x, int y, int z) -> double {
    x = std::min(std::max(x, 0), nx - 1); y = std::min(std::max(y, 0), ny - 1); z = std::min(std::max(z, 0), nz - 1);
    return v[((size_t)z * ny + y) * nx + x] / 255.0;
  };
  for (int q = 0; q < w * h; q += 11) {     // every 11th pixel
    int x = q % w, y = q / w;
    double px = (x + 0.5) * nx / w, py = (y + 0.5) * ny / h, dz = (double)nz / steps, best = 0;
    for (int s = 0; s < steps; s++) {
      double z = (s + 0.5) * dz;
      double X = px + tx * (z - 0.5 * nz) - 0.5, Y = py + ty * (z - 0.5 * nz) - 0.5, Z = z - 0.5;
      int ix = (int)std::floor(X), iy = (int)std::floor(Y), iz = (int)std::floor(Z);
      double fx = X - ix, fy = Y - iy, fz = Z - iz, r0 = 0;
      for (int c = 0; c < 8; c++)
        r0 += ((c & 1) ? fx : 1 - fx) * ((c & 2) ? fy : 1 - fy) * ((c & 4) ? fz : 1 - fz) *
              at(ix + (c & 1), iy + ((c >> 1) & 1), iz + (c >> 2));
      best = std::max(best, r0);
    }
    if (!(std::fabs(got[q] - best) <= 0.01)) return false;
  }
  return true;
}

// ------------------------------------------------------------------ 26 bilateral filter, point texture to surface
__global__ void bilateral_tex_surf(cudaTextureObject_t src, cudaSurfaceObject_t dst, int w, int h, int rad,
                                   float ks, float kr) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float c = tex2D<unsigned char>(src, x + 0.5f, y + 0.5f);
  float sum = 0, wsum = 0;
  for (int dy = -rad; dy <= rad; dy++)
    for (int dx = -rad; dx <= rad; dx++) {
      float v = tex2D<unsigned char>(src, x + dx + 0.5f, y + dy + 0.5f);
      float wt = __expf(-ks * (dx * dx + dy * dy) - kr * (v - c) * (v - c));
      sum += wt * v;
      wsum += wt;
    }
  surf2Dwrite((unsigned char)(sum / wsum + 0.5f), dst, x, y);
}
static bool t_bilateral(int w, int h, int rad) {
  Rng r(26);
  vector<unsigned char> im((size_t)w * h), ref((size_t)w * h), got((size_t)w * h);
  for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) {
    double v = 100 + 60 * std::sin(x * 0.02) * std::cos(y * 0.03) + (((x / 64) + (y / 48)) & 1 ? 40 : 0) + 8 * (r.uni() - 0.5);
    im[(size_t)y * w + x] = (unsigned char)std::min(255.0, std::max(0.0, v));
  }
  float ks = 0.06f, kr = 0.002f;
  vector<double> er(256), es((2 * rad + 1) * (2 * rad + 1));
  for (int i = 0; i < 256; i++) er[i] = std::exp(-(double)kr * i * i);
  for (int dy = -rad; dy <= rad; dy++) for (int dx = -rad; dx <= rad; dx++)
    es[(dy + rad) * (2 * rad + 1) + dx + rad] = std::exp(-(double)ks * (dx * dx + dy * dy));
  for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) {
    double sum = 0, ws = 0;
    int c = im[(size_t)y * w + x];
    for (int dy = -rad; dy <= rad; dy++) for (int dx = -rad; dx <= rad; dx++) {
      int xx = std::min(std::max(x + dx, 0), w - 1), yy = std::min(std::max(y + dy, 0), h - 1);
      int v = im[(size_t)yy * w + xx];
      double wt = es[(dy + rad) * (2 * rad + 1) + dx + rad] * er[std::abs(v - c)];
      sum += wt * v; ws += wt;
    }
    ref[(size_t)y * w + x] = (unsigned char)(sum / ws + 0.5);
  }
  cudaArray_t a, b;
  cudaChannelFormatDesc cd = cudaCreateChannelDesc<unsigned char>();
  CK(cudaMallocArray(&a, &cd, w, h));
  CK(cudaMallocArray(&b, &cd, w, h, cudaArraySurfaceLoadStore));
  CK(cudaMemcpy2DToArray(a, 0, 0, im.data(), w, w, h, cudaMemcpyHostToDevice));
  CK(cudaMemcpy2DToArray(b, 0, 0, got.data(), w, w, h, cudaMemcpyHostToDevice));
  cudaResourceDesc rd;
  memset(&rd, 0, sizeof(rd));
  rd.resType = cudaResourceTypeArray;
  rd.res.array.array = a;
  cudaTextureDesc td;
  memset(&td, 0, sizeof(td));
  td.addressMode[0] = td.addressMode[1] = cudaAddressModeClamp;
  td.filterMode = cudaFilterModePoint;
  td.readMode = cudaReadModeElementType;
  cudaTextureObject_t tex;
  CK(cudaCreateTextureObject(&tex, &rd, &td, nullptr));
  rd.res.array.array = b;
  cudaSurfaceObject_t surf;
  CK(cudaCreateSurfaceObject(&surf, &rd));
  dim3 bl(32, 8), g(cdiv(w, 32), cdiv(h, 8));
  bilateral_tex_surf<<<g, bl>>>(tex, surf, w, h, rad, ks, kr);
  done();
  CK(cudaMemcpy2DFromArray(got.data(), w, b, 0, 0, w, h, cudaMemcpyDeviceToHost));
  CK(cudaDestroySurfaceObject(surf));
  CK(cudaDestroyTextureObject(tex));
  CK(cudaFreeArray(a));
  CK(cudaFreeArray(b));
  for (size_t i = 0; i < got.size(); i++) if (std::abs((int)got[i] - (int)ref[i]) > 1) return false;
  return true;
}

// ------------------------------------------------------------------ 27 batched 6x6 products (element matrices)
__global__ void batched_matmul_6x6(const double* A, const double* B, double* C, int nmat) {
  int gid = blockIdx.x * blockDim.x + threadIdx.x;
  if (gid >= nmat * 36) return;
  int m = gid / 36, rc = gid % 36, row = rc / 6, col = rc % 6;
  const double* a = A + m * 36 + row * 6;
  const double* b = B + m * 36 + col;
  double s = 0.0;
  for (int k = 0; k < 6; k++) s += a[k] * b[k * 6];
  C[gid] = s;
}
static bool t_mm6(int nmat) {
  Rng r(27);
  int n = nmat * 36;
  vector<double> A(n), B(n), ref(n);
  for (int i = 0; i < n; i++) { A[i] = r.uni() - 0.5; B[i] = r.uni() - 0.5; }
  for (int m = 0; m < nmat; m++) for (int i = 0; i < 6; i++) for (int j = 0; j < 6; j++) {
    double s = 0;
    for (int k = 0; k < 6; k++) s += A[m * 36 + i * 6 + k] * B[m * 36 + k * 6 + j];
    ref[m * 36 + i * 6 + j] = s;
  }
  double *dA = up(A), *dB = up(B), *dC = dnew<double>(n);
  batched_matmul_6x6<<<cdiv(n, 144), 144>>>(dA, dB, dC, nmat);
  done();
  return close(down(dC, n), ref, 1e-13);
}

// ------------------------------------------------------------------ 28 n-body forces with a shared tile
#define NBT 128
__global__ void nbody_forces_shared(const float4* body, float4* acc, int n, float eps2) {
  __shared__ float4 tile[NBT];
  int i = blockIdx.x * NBT + threadIdx.x;
  float4 me = (i < n) ? body[i] : make_float4(0, 0, 0, 0);
  float ax = 0, ay = 0, az = 0;
  for (int base = 0; base < n; base += NBT) {
    int j = base + threadIdx.x;
    tile[threadIdx.x] = (j < n) ? body[j] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (int k = 0; k < NBT; k++) {
      float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
      float d2 = dx * dx + dy * dy + dz * dz + eps2;
      float inv = rsqrtf(d2);
      float f = tile[k].w * inv * inv * inv;
      ax += f * dx; ay += f * dy; az += f * dz;
    }
    __syncthreads();
  }
  if (i < n) acc[i] = make_float4(ax, ay, az, 0.0f);
}
static bool t_nbody(int n) {
  Rng r(28);
  vector<float4> b(n);
  for (int i = 0; i < n; i++)
    b[i] = make_float4((float)r.gauss(), (float)r.gauss(), (float)(0.3 * r.gauss()), (float)((0.5 + r.uni()) / n));
  float eps2 = 0.01f;
  float4 *db = up(b), *da = dnew<float4>(n);
  nbody_forces_shared<<<cdiv(n, NBT), NBT>>>(db, da, n, eps2);
  done();
  vector<float4> a = down(da, n);
  for (int i = 0; i < n; i += std::max(1, n / 500)) {
    double x = 0, y = 0, z = 0;
    for (int j = 0; j < n; j++) {
      double dx = (double)b[j].x - b[i].x, dy = (double)b[j].y - b[i].y, dz = (double)b[j].z - b[i].z;
      double d2 = dx * dx + dy * dy + dz * dz + eps2, f = b[j].w / (d2 * std::sqrt(d2));
      x += f * dx; y += f * dy; z += f * dz;
    }
    if (!(std::fabs(a[i].x - x) <= 5e-4 && std::fabs(a[i].y - y) <= 5e-4 && std::fabs(a[i].z - z) <= 5e-4)) return false;
  }
  return true;
}

// ------------------------------------------------------------------ 29 edit distance, one pair of words per thread
#define MAXW 32
__global__ void edit_distance_pairs(const char* wa, const char* wb, const unsigned char* la, const unsigned char* lb,
                                    int* dist, int npairs) {
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= npairs) return;
  const char* a = wa + p * MAXW;
  const char* b = wb + p * MAXW;
  int na = la[p], nb = lb[p];
  unsigned char row[MAXW + 1];
  for (int j = 0; j <= nb; j++) row[j] = (unsigned char)j;
  for (int i = 1; i <= na; i++) {
    int diag = row[0];
    row[0] = (unsigned char)i;
    char ca = a[i - 1];
    for (int j = 1; j <= nb; j++) {
      int best = diag + (ca != b[j - 1]);
      diag = row[j];
      if (diag + 1 < best) best = diag + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      row[j] = (unsigned char)best;
    }
  }
  dist[p] = row[nb];
}
static bool t_edit(int np) {
  Rng r(29);
  vector<char> a((size_t)np * MAXW, 0), b((size_t)np * MAXW, 0);
  vector<unsigned char> la(np), lb(np);
  vector<int> ref(np);
  for (int p = 0; p < np; p++) {
    std::string s, t;
    int n = 12 + (int)r.below(17);
    for (int i = 0; i < n; i++) s.push_back((char)('a' + r.below(20)));
    if (r.below(5) == 0) { int q = 8 + (int)r.below(20); for (int i = 0; i < q; i++) t.push_back((char)('a' + r.below(20))); }
    else {
      t = s;
      int ed = (int)r.below(6);
      for (int k = 0; k < ed; k++) {
        int at = (int)r.below((uint32_t)t.size()), op = (int)r.below(3);
        if (op == 0) t[at] = (char)('a' + r.below(20));
        else if (op == 1 && t.size() > 4) t.erase(at, 1);
        else if (t.size() < MAXW) t.insert(t.begin() + at, (char)('a' + r.below(20)));
      }
    }
    memcpy(&a[(size_t)p * MAXW], s.data(), s.size());
    memcpy(&b[(size_t)p * MAXW], t.data(), t.size());
    la[p] = (unsigned char)s.size();
    lb[p] = (unsigned char)t.size();
    int D[MAXW + 1][MAXW + 1];
    int na = (int)s.size(), nb = (int)t.size();
    for (int i = 0; i <= na; i++) for (int j = 0; j <= nb; j++) {
      if (i == 0) D[i][j] = j;
      else if (j == 0) D[i][j] = i;
      else D[i][j] = std::min(D[i - 1][j - 1] + (s[i - 1] != t[j - 1]), std::min(D[i - 1][j], D[i][j - 1]) + 1);
    }
    ref[p] = D[na][nb];
  }
  char *da = up(a), *db = up(b);
  unsigned char *dla = up(la), *dlb = up(lb);
  int* dd = dnew<int>(np);
  edit_distance_pairs<<<cdiv(np, 64), 64>>>(da, db, dla, dlb, dd, np);
  done();
  return down(dd, np) == ref;
}

// ------------------------------------------------------------------ main
static bool g_bad = false;
static void say(const char* name, bool ok) {
  printf("%s %s\n", name, ok ? "ok" : "WRONG");
  fflush(stdout);
  if (!ok) g_bad = true;
}
#define TWICE(name, small, large) do { bool a_ = small; freeAll(); bool b_ = large; freeAll(); say(name, a_ && b_); } while (0)

int main() {
  TWICE("spmv_csr_scalar", t_spmv(1000), t_spmv(250000));
  TWICE("gather_tet_volumes", t_tet(9), t_tet(64));
  TWICE("pic_deposit_cic", t_pic(3000, 32), t_pic(1000000, 512));
  TWICE("hist_energy_shared", t_hist(10000, 8), t_hist(4000000, 264));
  TWICE("bfs_expand_level", t_bfs(1000, 4000), t_bfs(300000, 1800000));
  TWICE("sssp_relax_edges", t_sssp(30, 20), t_sssp(1000, 700));
  TWICE("uf_hook_edges_cas", t_uf(2000, 1500), t_uf(2000000, 1600000));
  TWICE("triangle_count_edges", t_tri(500, 4000), t_tri(80000, 800000));
  TWICE("kmer_hash_count", t_kmer(3000, 100, 60, 13), t_kmer(500000, 40000, 100, 21));
  TWICE("region_max_speed_cas", t_region(80, 60, 24), t_region(1500, 1200, 32));
  TWICE("bitonic_sort_block", t_bitonic(3), t_bitonic(700));
  TWICE("merge_by_rank", t_merge(1000, 700), t_merge(2500000, 1800000));
  TWICE("triad_double", t_triad(5000), t_triad(2300000));
  TWICE("particles_aos_to_soa", t_soa(1111), t_soa(900000));
  TWICE("dot_product_shared", t_dot(4000), t_dot(3000000));
  TWICE("softmax_xent_naive", t_softmax(300), t_softmax(60000));
  TWICE("heat3d_naive", t_heat(20, 18, 17), t_heat(160, 144, 128));
  TWICE("wave2d_shared", t_wave(70, 50), t_wave(1000, 800));
  TWICE("lbm_d2q9_step", t_lbm(100, 40), t_lbm(900, 700));
  TWICE("scan_block_blelloch", t_scan(5000), t_scan(4000000));
  TWICE("compact_photons", t_compact(3000), t_compact(2000000));
  TWICE("mandelbrot_double", t_mandel(64, 48, 100), t_mandel(1280, 960, 400));
  TWICE("ising_half_sweep", t_ising(64), t_ising(2048));
  TWICE("tex_rotate_slice", t_rotate(100, 80), t_rotate(1536, 1536));
  TWICE("tex_volume_mip", t_mip(32, 32, 24, 64, 48, 40), t_mip(192, 192, 160, 512, 512, 256));
  TWICE("bilateral_tex_surf", t_bilateral(80, 60, 3), t_bilateral(1280, 960, 4));
  TWICE("batched_matmul_6x6", t_mm6(50), t_mm6(60000));
  TWICE("nbody_forces_shared", t_nbody(700), t_nbody(16000));
  TWICE("edit_distance_pairs", t_edit(500), t_edit(120000));
  return g_bad ? 1 : 0;
}
