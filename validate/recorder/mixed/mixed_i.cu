// mixed_i.cu -- a drawer full of kernels I keep rewriting, each with the host
// code that feeds it and a plain CPU version that says whether it is right.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -o mixed_i mixed_i.cu && ./mixed_i
//
// Every kernel is launched kReps times in a row on the same arguments; whatever
// it accumulates into is put back before each launch.

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

typedef unsigned long long u64;

static const int kReps = 4;
static const unsigned kAll = 0xffffffffu;

#define CU(call)                                                                             \
  do {                                                                                       \
    cudaError_t err_ = (call);                                                               \
    if (err_ != cudaSuccess) {                                                               \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(err_));     \
      std::exit(3);                                                                          \
    }                                                                                        \
  } while (0)

// ----------------------------------------------------------------- host helpers

struct Rng {  // splitmix64
  uint64_t s;
  explicit Rng(uint64_t seed) : s(seed * 0x2545F4914F6CDD1Dull + 77) {}
  uint64_t u64v() {
    uint64_t z = (s += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }
  uint32_t u32() { return (uint32_t)(u64v() >> 32); }
  uint32_t below(uint32_t n) { return (uint32_t)(((uint64_t)u32() * n) >> 32); }
  int between(int lo, int hi) { return lo + (int)below((uint32_t)(hi - lo + 1)); }
  double unit() { return (double)(u64v() >> 11) * (1.0 / 9007199254740992.0); }
  float uniform(float lo, float hi) { return lo + (hi - lo) * (float)unit(); }
  // four 16-bit uniforms added up: close enough to a Gaussian and quick
  float gauss() {
    uint64_t z = u64v();
    int t = (int)(z & 0xffff) + (int)((z >> 16) & 0xffff) + (int)((z >> 32) & 0xffff) + (int)(z >> 48);
    return (float)(t - 131070) * (1.7320508f / 65536.0f);
  }
  double pareto(double xm, double alpha) { return xm / std::pow(1.0 - unit(), 1.0 / alpha); }
};

template <class T>
struct Dev {
  T *p = nullptr;
  size_t n = 0;
  explicit Dev(size_t count) : n(count) {
    CU(cudaMalloc((void **)&p, n * sizeof(T)));
    CU(cudaMemset(p, 0xCD, n * sizeof(T)));  // poison: an unwritten result must show
  }
  explicit Dev(const std::vector<T> &h) : n(h.size()) {
    CU(cudaMalloc((void **)&p, n * sizeof(T)));
    CU(cudaMemcpy(p, h.data(), n * sizeof(T), cudaMemcpyHostToDevice));
  }
  Dev(const Dev &) = delete;
  Dev &operator=(const Dev &) = delete;
  ~Dev() { cudaFree(p); }
  void fill(int byte) { CU(cudaMemset(p, byte, n * sizeof(T))); }
  void copy_from(const Dev &o) { CU(cudaMemcpy(p, o.p, n * sizeof(T), cudaMemcpyDeviceToDevice)); }
  std::vector<T> host() const {
    std::vector<T> h(n);
    CU(cudaMemcpy(h.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost));
    return h;
  }
};

static void settle() {
  CU(cudaGetLastError());
  CU(cudaDeviceSynchronize());
}

static bool close_to(double got, double want, double rel, double abs_) {
  return std::fabs(got - want) <= abs_ + rel * std::fabs(want);  // false for NaN
}

static bool verdict(const char *name, size_t bad) {
  std::printf("%s %s\n", bad ? "WRONG" : "ok", name);
  if (bad) std::fprintf(stderr, "  %s: %zu mismatches\n", name, bad);
  std::fflush(stdout);
  return bad == 0;
}

static inline int ceil_div(long long a, long long b) { return (int)((a + b - 1) / b); }
static inline int clampi(int v, int lo, int hi) { return v < lo ? lo : (v > hi ? hi : v); }

// =============================================================================
// 1. ELL sparse matrix-vector product in double, y = alpha*A*x + beta*y0
// =============================================================================

__global__ void __launch_bounds__(192)
ell_axpby_spmv_dp(int nrow, int pitch, int width, const int *__restrict__ col,
                  const double *__restrict__ val, const double *__restrict__ x, double alpha,
                  double beta, const double *__restrict__ y0, double *__restrict__ y) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= nrow) return;
  double s = 0.0;
  size_t at = r;
  for (int k = 0; k < width; ++k, at += pitch) {
    int c = col[at];
    if (c < 0) break;  // padding is always at the end of a row
    s += val[at] * __ldg(&x[c]);
  }
  y[r] = alpha * s + beta * y0[r];
}

static bool test_ell() {
  const int gw = 640, gh = 497, n = gw * gh, width = 12, pitch = (n + 31) / 32 * 32;
  Rng rng(101);
  std::vector<int> col((size_t)pitch * width, -1);
  std::vector<double> val((size_t)pitch * width, 0.0), x(n), y0(n);
  for (int r = 0; r < n; ++r) {
    int cx = r % gw, cy = r / gw, k = 0;
    auto put = [&](int c, double v) {
      col[(size_t)k * pitch + r] = c;
      val[(size_t)k * pitch + r] = v;
      ++k;
    };
    put(r, 4.2 + rng.unit());
    if (cx > 0) put(r - 1, -1.0 - 0.1 * rng.unit());
    if (cx + 1 < gw) put(r + 1, -1.0 - 0.1 * rng.unit());
    if (cy > 0) put(r - gw, -1.0 - 0.1 * rng.unit());
    if (cy + 1 < gh) put(r + gw, -1.0 - 0.1 * rng.unit());
    int wells = rng.below(4) == 0 ? rng.between(1, 7) : 0;  // long-range couplings
    for (int w = 0; w < wells; ++w) put((int)rng.below(n), 0.05 * rng.gauss());
    x[r] = rng.gauss();
    y0[r] = rng.gauss();
  }
  Dev<int> dcol(col);
  Dev<double> dval(val), dx(x), dy0(y0), dy(n);
  for (int rep = 0; rep < kReps; ++rep)
    ell_axpby_spmv_dp<<<ceil_div(n, 192), 192>>>(n, pitch, width, dcol.p, dval.p, dx.p, 0.75, -0.25,
                                                 dy0.p, dy.p);
  settle();
  std::vector<double> y = dy.host();
  size_t bad = 0;
  for (int r = 0; r < n; ++r) {
    double s = 0, mag = 0;
    for (int k = 0; k < width; ++k) {
      int c = col[(size_t)k * pitch + r];
      if (c < 0) break;
      double t = val[(size_t)k * pitch + r] * x[c];
      s += t;
      mag += std::fabs(t);
    }
    if (!close_to(y[r], 0.75 * s - 0.25 * y0[r], 0.0, 1e-12 * (mag + std::fabs(y0[r])))) ++bad;
  }
  return verdict("ell_axpby_spmv_dp", bad);
}

// =============================================================================
// 2. CSR product, eight lanes to a row, half-precision values, fp32 accumulate
// =============================================================================

__global__ void __launch_bounds__(128)
csr_half_spmv_oct(int nrow, const int *__restrict__ rowptr, const int *__restrict__ colidx,
                  const __half *__restrict__ vals, const float *__restrict__ x,
                  float *__restrict__ y) {
  const int row = (blockIdx.x * 128 + threadIdx.x) >> 3;
  const int sub = threadIdx.x & 7;
  float acc0 = 0.f, acc1 = 0.f;
  if (row < nrow) {
    int e = rowptr[row] + sub;
    const int end = rowptr[row + 1];
    for (; e + 8 < end; e += 16) {
      acc0 += __half2float(vals[e]) * x[colidx[e]];
      acc1 += __half2float(vals[e + 8]) * x[colidx[e + 8]];
    }
    if (e < end) acc0 += __half2float(vals[e]) * x[colidx[e]];
  }
  float acc = acc0 + acc1;
  acc += __shfl_xor_sync(kAll, acc, 4);
  acc += __shfl_xor_sync(kAll, acc, 2);
  acc += __shfl_xor_sync(kAll, acc, 1);
  if (sub == 0 && row < nrow) y[row] = acc;
}

static bool test_csr_half() {
  const int n = 150001;
  Rng rng(202);
  std::vector<int> ptr(n + 1, 0);
  for (int r = 0; r < n; ++r) {
    int len = rng.below(50) == 0 ? 0 : std::min(3000, (int)rng.pareto(9.0, 1.6));
    ptr[r + 1] = ptr[r] + len;
  }
  const int nnz = ptr[n];
  std::vector<int> col(nnz);
  std::vector<__half> val(nnz);
  std::vector<float> x(n);
  for (auto &v : x) v = rng.gauss();
  for (int r = 0; r < n; ++r) {
    for (int e = ptr[r]; e < ptr[r + 1]; ++e) {
      // two thirds of the links stay close, the others go to popular columns
      int c = rng.below(3) ? clampi(r + rng.between(-400, 400), 0, n - 1)
                           : (int)(n * std::pow(rng.unit(), 3.0));
      col[e] = std::min(c, n - 1);
      val[e] = __float2half(rng.gauss() * 0.3f);
    }
    std::sort(col.begin() + ptr[r], col.begin() + ptr[r + 1]);
  }
  Dev<int> dptr(ptr), dcol(col);
  Dev<__half> dval(val);
  Dev<float> dx(x), dy(n);
  const int grid = ceil_div((long long)n * 8, 128);
  for (int rep = 0; rep < kReps; ++rep)
    csr_half_spmv_oct<<<grid, 128>>>(n, dptr.p, dcol.p, dval.p, dx.p, dy.p);
  settle();
  std::vector<float> y = dy.host();
  size_t bad = 0;
  for (int r = 0; r < n; ++r) {
    double s = 0, mag = 0;
    for (int e = ptr[r]; e < ptr[r + 1]; ++e) {
      double t = (double)__half2float(val[e]) * x[col[e]];
      s += t;
      mag += std::fabs(t);
    }
    if (!close_to(y[r], s, 0.0, 2e-5 * mag + 1e-7)) ++bad;
  }
  return verdict("csr_half_spmv_oct", bad);
}

// =============================================================================
// 3. One BFS level: a warp per frontier vertex, discoveries staged in shared
// =============================================================================

constexpr int kBfsStage = 1536;

__global__ void __launch_bounds__(256)
bfs_push_level_staged(const int *__restrict__ rowptr, const int *__restrict__ adj,
                      const int *__restrict__ frontier, int nfront, int level, int *depth,
                      int *next, int *next_count) {
  __shared__ int stage[kBfsStage];
  __shared__ int staged, out_base;
  if (threadIdx.x == 0) staged = 0;
  __syncthreads();

  const int lane = threadIdx.x & 31;
  const int nwarps = gridDim.x * (blockDim.x >> 5);
  for (int f = (blockIdx.x * blockDim.x + threadIdx.x) >> 5; f < nfront; f += nwarps) {
    const int v = frontier[f];
    const int end = rowptr[v + 1];
    for (int e = rowptr[v] + lane; e < end; e += 32) {
      const int u = adj[e];
      if (depth[u] >= 0) continue;  // cheap look before the atomic
      if (atomicCAS(&depth[u], -1, level + 1) == -1) {
        int slot = atomicAdd(&staged, 1);
        if (slot < kBfsStage)
          stage[slot] = u;
        else
          next[atomicAdd(next_count, 1)] = u;  // stage is full, spill one by one
      }
    }
  }
  __syncthreads();
  const int mine = min(staged, kBfsStage);
  if (threadIdx.x == 0) out_base = atomicAdd(next_count, mine);
  __syncthreads();
  for (int i = threadIdx.x; i < mine; i += blockDim.x) next[out_base + i] = stage[i];
}

static bool test_bfs() {
  const int n = 1 << 18;
  const int m = 2600000;
  Rng rng(303);
  std::vector<int> ea(m), eb(m), ptr(n + 1, 0);
  for (int e = 0; e < m; ++e) {
    ea[e] = std::min(n - 1, (int)(n * std::pow(rng.unit(), 2.2)));
    eb[e] = (int)rng.below(n);
    ++ptr[ea[e] + 1];
    ++ptr[eb[e] + 1];
  }
  for (int v = 0; v < n; ++v) ptr[v + 1] += ptr[v];
  std::vector<int> adj(2 * (size_t)m), fillp(ptr.begin(), ptr.end() - 1);
  for (int e = 0; e < m; ++e) {
    adj[fillp[ea[e]]++] = eb[e];
    adj[fillp[eb[e]]++] = ea[e];
  }
  // full search on the host, then replay the level that touches the most edges
  std::vector<int> dist(n, -1), cur(1, n - 7), nxt;
  dist[n - 7] = 0;
  std::vector<long long> work;
  for (int lv = 0; !cur.empty(); ++lv) {
    long long edges = 0;
    nxt.clear();
    for (int v : cur) {
      edges += ptr[v + 1] - ptr[v];
      for (int e = ptr[v]; e < ptr[v + 1]; ++e)
        if (dist[adj[e]] < 0) {
          dist[adj[e]] = lv + 1;
          nxt.push_back(adj[e]);
        }
    }
    work.push_back(edges);
    cur.swap(nxt);
  }
  const int level = (int)(std::max_element(work.begin(), work.end()) - work.begin());
  std::vector<int> front, before(n), after(n), want;
  for (int v = 0; v < n; ++v) {
    before[v] = dist[v] >= 0 && dist[v] <= level ? dist[v] : -1;
    after[v] = dist[v] >= 0 && dist[v] <= level + 1 ? dist[v] : -1;
    if (dist[v] == level) front.push_back(v);
    if (dist[v] == level + 1) want.push_back(v);
  }
  Dev<int> dptr(ptr), dadj(adj), dfront(front), dbefore(before), ddepth(n), dnext(n), dcount(1);
  for (int rep = 0; rep < kReps; ++rep) {
    ddepth.copy_from(dbefore);
    dcount.fill(0);
    bfs_push_level_staged<<<528, 256>>>(dptr.p, dadj.p, dfront.p, (int)front.size(), level, ddepth.p,
                                        dnext.p, dcount.p);
  }
  settle();
  std::vector<int> depth = ddepth.host(), next = dnext.host();
  int count = dcount.host()[0];
  size_t bad = 0;
  for (int v = 0; v < n; ++v) bad += depth[v] != after[v];
  if (count != (int)want.size()) {
    ++bad;
  } else {
    std::sort(next.begin(), next.begin() + count);
    for (int i = 0; i < count; ++i) bad += next[i] != want[i];
  }
  return verdict("bfs_push_level_staged", bad);
}

// =============================================================================
// 4. Connected components: union-find over an edge list, larger root under smaller
// =============================================================================

__global__ void __launch_bounds__(320)
cc_union_find_edges(const int2 *__restrict__ edges, int nedge, int *parent) {
  volatile int *par = parent;
  // path halving; links only ever point to smaller ids so this cannot loop
  auto root_of = [&](int v) {
    int cur = par[v];
    if (cur != v) {
      int prev = v, nx;
      while (cur > (nx = par[cur])) {
        par[prev] = nx;
        prev = cur;
        cur = nx;
      }
    }
    return cur;
  };
  const int step = gridDim.x * blockDim.x;
  for (int e = blockIdx.x * blockDim.x + threadIdx.x; e < nedge; e += step) {
    const int2 uv = edges[e];
    int a = root_of(uv.x), b = root_of(uv.y);
    while (a != b) {
      int hi = max(a, b), lo = min(a, b);
      int seen = atomicCAS(&parent[hi], hi, lo);
      if (seen == hi) break;
      a = root_of(seen);
      b = root_of(lo);
    }
  }
}

static bool test_cc() {
  const int n = 1000000;
  Rng rng(404);
  std::vector<int2> edges;
  for (int v = 0; v + 1 < n; ++v)
    if (rng.below(100) < 62) edges.push_back(make_int2(v, v + 1));  // streets
  for (int k = 0; k < 230000; ++k) {                                // short cuts
    int a = (int)rng.below(n);
    int b = rng.below(4) ? clampi(a + rng.between(-3000, 3000), 0, n - 1) : (int)rng.below(n);
    edges.push_back(make_int2(b, a));
  }
  for (size_t i = edges.size() - 1; i > 0; --i)
    if (rng.below(4) == 0) std::swap(edges[i], edges[rng.below((uint32_t)i + 1)]);

  std::vector<int> self(n);
  std::iota(self.begin(), self.end(), 0);
  std::vector<int> ref = self;
  auto find = [&](int v) {
    while (ref[v] != v) v = ref[v] = ref[ref[v]];
    return v;
  };
  for (auto &e : edges) {
    int a = find(e.x), b = find(e.y);
    if (a != b) ref[std::max(a, b)] = std::min(a, b);
  }
  Dev<int2> dedges(edges);
  Dev<int> dself(self), dpar(n);
  for (int rep = 0; rep < kReps; ++rep) {
    dpar.copy_from(dself);
    cc_union_find_edges<<<132 * 6, 320>>>(dedges.p, (int)edges.size(), dpar.p);
  }
  settle();
  std::vector<int> par = dpar.host();
  size_t bad = 0;
  for (int v = 0; v < n; ++v) {
    // parents are smaller, so par[v] is already flat when we come to v
    if (par[v] < 0 || par[v] > v) {
      ++bad;
      par[v] = v;
      continue;
    }
    par[v] = par[par[v]];
    bad += par[v] != find(v);
  }
  return verdict("cc_union_find_edges", bad);
}

// =============================================================================
// 5. Histogram of a 12-bit sensor, four private copies in dynamic shared memory
// =============================================================================

constexpr int kSensorBins = 4096;

__global__ void __launch_bounds__(512)
hist12_sensor_private4(const uint4 *__restrict__ pix8, int nvec, unsigned *__restrict__ hist) {
  extern __shared__ unsigned bins[];  // [4][4096]
  for (int i = threadIdx.x; i < 4 * kSensorBins; i += blockDim.x) bins[i] = 0;
  __syncthreads();
  unsigned *mine = bins + ((threadIdx.x >> 5) & 3) * kSensorBins;
  for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < nvec; v += gridDim.x * blockDim.x) {
    const uint4 q = pix8[v];
    const unsigned w[4] = {q.x, q.y, q.z, q.w};
    unsigned last = w[0] & 0xfffu, run = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      unsigned s = (w[k >> 1] >> ((k & 1) * 16)) & 0xfffu;
      if (s == last) {
        ++run;
      } else {
        atomicAdd(&mine[last], run);
        last = s;
        run = 1;
      }
    }
    atomicAdd(&mine[last], run);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < kSensorBins; b += blockDim.x) {
    unsigned t = bins[b] + bins[b + kSensorBins] + bins[b + 2 * kSensorBins] + bins[b + 3 * kSensorBins];
    if (t) atomicAdd(&hist[b], t);
  }
}

static bool test_hist12() {
  const int n = 16 * 1000 * 1000;
  Rng rng(505);
  std::vector<uint16_t> pix(n);
  std::vector<unsigned> ref(kSensorBins, 0);
  for (int i = 0; i < n; ++i) {
    uint32_t pick = rng.below(100);
    int v;
    if (pick < 45)
      v = 64 + (int)rng.below(3);  // black level
    else if (pick < 80)
      v = 900 + (int)(260.f * rng.gauss());
    else if (pick < 95)
      v = (int)rng.below(4096);
    else
      v = 4095;  // blown highlights
    pix[i] = (uint16_t)clampi(v, 0, 4095);
    ++ref[pix[i]];
  }
  Dev<uint16_t> dpix(pix);
  Dev<unsigned> dhist(kSensorBins);
  const int smem = 4 * kSensorBins * sizeof(unsigned);
  CU(cudaFuncSetAttribute(hist12_sensor_private4, cudaFuncAttributeMaxDynamicSharedMemorySize, smem));
  for (int rep = 0; rep < kReps; ++rep) {
    dhist.fill(0);
    hist12_sensor_private4<<<132 * 3, 512, smem>>>((const uint4 *)dpix.p, n / 8, dhist.p);
  }
  settle();
  std::vector<unsigned> hist = dhist.host();
  size_t bad = 0;
  for (int b = 0; b < kSensorBins; ++b) bad += hist[b] != ref[b];
  return verdict("hist12_sensor_private4", bad);
}

// =============================================================================
// 6. GROUP BY with SUM and COUNT: open addressing, 64-bit atomicCAS
// =============================================================================

constexpr u64 kNoKey = ~0ull;

__host__ __device__ inline unsigned mix_key(u64 k) {
  k ^= k >> 33;
  k *= 0xff51afd7ed558ccdull;
  k ^= k >> 29;
  return (unsigned)(k >> 7);
}

__global__ void __launch_bounds__(256)
groupby_cas_sum_count(const u64 *__restrict__ key, const int *__restrict__ amount, int n, u64 *tkey,
                      u64 *tsum, unsigned *tcnt, unsigned mask) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const u64 k = key[i];
    unsigned slot = mix_key(k) & mask;
    for (;;) {
      u64 seen = *(volatile u64 *)&tkey[slot];
      if (seen == kNoKey) {
        seen = atomicCAS(&tkey[slot], kNoKey, k);
        if (seen == kNoKey) seen = k;  // we own it now
      }
      if (seen == k) break;
      slot = (slot + 1) & mask;
    }
    atomicAdd(&tsum[slot], (u64)(long long)amount[i]);
    atomicAdd(&tcnt[slot], 1u);
  }
}

static bool test_groupby() {
  const int n = 1600000;
  const unsigned cap = 1u << 20;
  Rng rng(606);
  std::vector<u64> key(n);
  std::vector<int> amount(n);
  std::unordered_map<u64, std::pair<long long, unsigned>> ref;
  ref.reserve(600000);
  for (int i = 0; i < n; ++i) {
    uint64_t id = rng.below(10) < 2 ? (uint64_t)std::min(1e6, rng.pareto(1.0, 0.35)) : 1000 + rng.below(380000);
    key[i] = (id * 0x9E3779B97F4A7C15ull) >> 2;
    amount[i] = (int)(rng.pareto(100.0, 1.3)) % 5000000 - (rng.below(12) == 0 ? 20000 : 0);
    auto &g = ref[key[i]];
    g.first += amount[i];
    ++g.second;
  }
  Dev<u64> dkey(key), tkey(cap), tsum(cap);
  Dev<int> damount(amount);
  Dev<unsigned> tcnt(cap);
  for (int rep = 0; rep < kReps; ++rep) {
    tkey.fill(0xff);
    tsum.fill(0);
    tcnt.fill(0);
    groupby_cas_sum_count<<<132 * 8, 256>>>(dkey.p, damount.p, n, tkey.p, tsum.p, tcnt.p, cap - 1);
  }
  settle();
  std::vector<u64> hk = tkey.host(), hs = tsum.host();
  std::vector<unsigned> hc = tcnt.host();
  size_t bad = 0, groups = 0;
  for (unsigned s = 0; s < cap; ++s) {
    if (hk[s] == kNoKey) {
      bad += hs[s] != 0 || hc[s] != 0;
      continue;
    }
    ++groups;
    auto it = ref.find(hk[s]);
    if (it == ref.end() || (long long)hs[s] != it->second.first || hc[s] != it->second.second) ++bad;
  }
  if (groups != ref.size()) ++bad;
  return verdict("groupby_cas_sum_count", bad);
}

// =============================================================================
// 7. Bitonic sort of (float, payload) tiles of 2048 in shared memory
// =============================================================================

constexpr int kBitTile = 2048;

__host__ __device__ inline unsigned orderable(unsigned bits) {
  return bits ^ ((bits >> 31) ? 0xffffffffu : 0x80000000u);
}

__global__ void __launch_bounds__(512)
bitonic_tile_sort_fkv(const unsigned *__restrict__ kin, const unsigned *__restrict__ vin,
                      unsigned *__restrict__ kout, unsigned *__restrict__ vout) {
  __shared__ unsigned k[kBitTile];
  __shared__ unsigned v[kBitTile];
  const size_t base = (size_t)blockIdx.x * kBitTile;
  for (int i = threadIdx.x; i < kBitTile; i += 512) {
    k[i] = orderable(kin[base + i]);
    v[i] = vin[base + i];
  }
  __syncthreads();
  for (int size = 2; size <= kBitTile; size <<= 1) {
    for (int stride = size >> 1; stride > 0; stride >>= 1) {
#pragma unroll
      for (int t = threadIdx.x; t < kBitTile / 2; t += 512) {
        const int lo = 2 * t - (t & (stride - 1));
        const int hi = lo + stride;
        const bool up = (lo & size) == 0;
        const unsigned ka = k[lo], kb = k[hi], va = v[lo], vb = v[hi];
        const bool gt = ka > kb || (ka == kb && va > vb);
        if (gt == up) {
          k[lo] = kb;
          k[hi] = ka;
          v[lo] = vb;
          v[hi] = va;
        }
      }
      __syncthreads();
    }
  }
  for (int i = threadIdx.x; i < kBitTile; i += 512) {
    unsigned o = k[i];
    kout[base + i] = o ^ ((o >> 31) ? 0x80000000u : 0xffffffffu);
    vout[base + i] = v[i];
  }
}

static bool test_bitonic() {
  const int tiles = 700, n = tiles * kBitTile;
  Rng rng(707);
  std::vector<unsigned> key(n), pay(n);
  for (int i = 0; i < n; ++i) {
    float f = rng.gauss() * 40.f;
    if (rng.below(5) == 0) f = std::floor(f);  // plenty of equal keys
    std::memcpy(&key[i], &f, 4);
    pay[i] = (unsigned)i;
  }
  Dev<unsigned> dk(key), dv(pay), ok(n), ov(n);
  for (int rep = 0; rep < kReps; ++rep) bitonic_tile_sort_fkv<<<tiles, 512>>>(dk.p, dv.p, ok.p, ov.p);
  settle();
  std::vector<unsigned> hk = ok.host(), hv = ov.host();
  std::vector<std::pair<unsigned, unsigned>> tile(kBitTile);
  size_t bad = 0;
  for (int b = 0; b < tiles; ++b) {
    for (int i = 0; i < kBitTile; ++i)
      tile[i] = std::make_pair(orderable(key[b * kBitTile + i]), pay[b * kBitTile + i]);
    std::sort(tile.begin(), tile.end());
    for (int i = 0; i < kBitTile; ++i)
      bad += orderable(hk[b * kBitTile + i]) != tile[i].first || hv[b * kBitTile + i] != tile[i].second;
  }
  return verdict("bitonic_tile_sort_fkv", bad);
}

// =============================================================================
// 8. Merge two sorted int64 columns, merge-path partition per tile and per thread
// =============================================================================

template <class It>
__device__ inline int merge_cut(const It a, int na, const It b, int nb, int d) {
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

template <int NT, int VT>
__global__ void __launch_bounds__(NT)
merge_path_i64_tiles(const long long *__restrict__ a, int na, const long long *__restrict__ b, int nb,
                     long long *__restrict__ c) {
  constexpr int TILE = NT * VT;
  __shared__ long long s[TILE];
  __shared__ int cut[2];
  const int d0 = blockIdx.x * TILE;
  const int d1 = min(d0 + TILE, na + nb);
  if (threadIdx.x < 2) cut[threadIdx.x] = merge_cut(a, na, b, nb, threadIdx.x ? d1 : d0);
  __syncthreads();
  const int a0 = cut[0], b0 = d0 - a0;
  const int la = cut[1] - a0, total = d1 - d0, lb = total - la;
  for (int i = threadIdx.x; i < total; i += NT) s[i] = i < la ? a[a0 + i] : b[b0 + i - la];
  __syncthreads();

  const int diag = min((int)threadIdx.x * VT, total);
  int ai = merge_cut((const long long *)s, la, (const long long *)s + la, lb, diag);
  int bi = diag - ai;
  long long r[VT];
#pragma unroll
  for (int k = 0; k < VT; ++k) {
    if (diag + k < total) {
      const bool from_a = bi >= lb || (ai < la && s[ai] <= s[la + bi]);
      r[k] = from_a ? s[ai++] : s[la + bi++];
    }
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < VT; ++k)
    if (diag + k < total) s[diag + k] = r[k];
  __syncthreads();
  for (int i = threadIdx.x; i < total; i += NT) c[d0 + i] = s[i];
}

static bool test_merge() {
  const int na = 1500007, nb = 1210003;
  Rng rng(808);
  std::vector<long long> a(na), b(nb), ref(na + nb);
  long long t = 1700000000000ll;  // time stamps: two event logs with different burstiness
  for (auto &v : a) v = t += (long long)std::min(1e6, rng.pareto(1.0, 0.9)) - 1;
  long long span = t - 1700000000000ll, t2 = 1700000000000ll - 5000;
  for (auto &v : b) {
    t2 += rng.below(2) ? 0 : (long long)rng.below((uint32_t)std::max(2ll, 4 * span / nb));
    v = t2;
  }
  std::merge(a.begin(), a.end(), b.begin(), b.end(), ref.begin());
  Dev<long long> da(a), db(b), dc(na + nb);
  const int grid = ceil_div(na + nb, 128 * 11);
  for (int rep = 0; rep < kReps; ++rep)
    merge_path_i64_tiles<128, 11><<<grid, 128>>>(da.p, na, db.p, nb, dc.p);
  settle();
  std::vector<long long> c = dc.host();
  size_t bad = 0;
  for (int i = 0; i < na + nb; ++i) bad += c[i] != ref[i];
  return verdict("merge_path_i64_tiles", bad);
}

// =============================================================================
// 9. Single-pass exclusive scan with decoupled look-back
// =============================================================================

constexpr int kScanNT = 256, kScanVT = 16, kScanTile = kScanNT * kScanVT;

__global__ void __launch_bounds__(kScanNT)
scan_u32_lookback(const unsigned *__restrict__ in, unsigned *__restrict__ out, int n, unsigned *ticket,
                  volatile u64 *status) {
  __shared__ unsigned tile_id, tile_prefix, warp_base[kScanNT / 32];
  const int tid = threadIdx.x, lane = tid & 31, wid = tid >> 5;
  if (tid == 0) tile_id = atomicAdd(ticket, 1u);  // tiles are handed out in start order
  __syncthreads();
  const int tile = (int)tile_id;
  const int first = tile * kScanTile + tid * kScanVT;

  unsigned v[kScanVT];
  if (first + kScanVT <= n) {
    const uint4 *p = reinterpret_cast<const uint4 *>(in + first);
#pragma unroll
    for (int k = 0; k < kScanVT / 4; ++k) {
      uint4 q = p[k];
      v[4 * k] = q.x;
      v[4 * k + 1] = q.y;
      v[4 * k + 2] = q.z;
      v[4 * k + 3] = q.w;
    }
  } else {
#pragma unroll
    for (int k = 0; k < kScanVT; ++k) v[k] = first + k < n ? in[first + k] : 0u;
  }
  unsigned sum = 0;
#pragma unroll
  for (int k = 0; k < kScanVT; ++k) sum += v[k];

  unsigned inc = sum;
#pragma unroll
  for (int d = 1; d < 32; d <<= 1) {
    unsigned o = __shfl_up_sync(kAll, inc, d);
    if (lane >= d) inc += o;
  }
  if (lane == 31) warp_base[wid] = inc;
  __syncthreads();

  if (wid == 0) {
    unsigned w = lane < kScanNT / 32 ? warp_base[lane] : 0u, wi = w;
#pragma unroll
    for (int d = 1; d < kScanNT / 32; d <<= 1) {
      unsigned o = __shfl_up_sync(kAll, wi, d);
      if (lane >= d) wi += o;
    }
    const unsigned total = __shfl_sync(kAll, wi, kScanNT / 32 - 1);
    if (lane < kScanNT / 32) warp_base[lane] = wi - w;

    unsigned before = 0;
    if (tile == 0) {
      if (lane == 0) status[0] = (2ull << 32) | total;
    } else {
      if (lane == 0) status[tile] = (1ull << 32) | total;
      for (int look = tile - 1;; look -= 32) {
        const int idx = look - lane;
        u64 st = 2ull << 32;  // in front of tile 0: a known prefix of nothing
        if (idx >= 0) {
          do st = status[idx];
          while ((st >> 32) == 0);
        }
        const unsigned done = __ballot_sync(kAll, (st >> 32) == 2);
        const int stop = done ? __ffs(done) - 1 : 31;
        before += __reduce_add_sync(kAll, lane <= stop ? (unsigned)st : 0u);
        if (done) break;
      }
      if (lane == 0) status[tile] = (2ull << 32) | (before + total);
    }
    if (lane == 0) tile_prefix = before;
  }
  __syncthreads();

  unsigned run = tile_prefix + warp_base[wid] + inc - sum;
#pragma unroll
  for (int k = 0; k < kScanVT; ++k) {
    unsigned t = v[k];
    v[k] = run;
    run += t;
  }
  if (first + kScanVT <= n) {
    uint4 *p = reinterpret_cast<uint4 *>(out + first);
#pragma unroll
    for (int k = 0; k < kScanVT / 4; ++k)
      p[k] = make_uint4(v[4 * k], v[4 * k + 1], v[4 * k + 2], v[4 * k + 3]);
  } else {
#pragma unroll
    for (int k = 0; k < kScanVT; ++k)
      if (first + k < n) out[first + k] = v[k];
  }
}

static bool test_scan() {
  const int n = 6000123, tiles = ceil_div(n, kScanTile);
  Rng rng(909);
  std::vector<unsigned> in(n);
  for (auto &v : in) v = rng.below(20) == 0 ? rng.below(5000) : rng.below(16);  // row lengths
  Dev<unsigned> din(in), dout(n), dticket(1);
  Dev<u64> dstatus(tiles);
  for (int rep = 0; rep < kReps; ++rep) {
    dticket.fill(0);
    dstatus.fill(0);
    scan_u32_lookback<<<tiles, kScanNT>>>(din.p, dout.p, n, dticket.p, dstatus.p);
  }
  settle();
  std::vector<unsigned> out = dout.host();
  size_t bad = 0;
  unsigned run = 0;
  for (int i = 0; i < n; ++i) {
    bad += out[i] != run;
    run += in[i];
  }
  return verdict("scan_u32_lookback", bad);
}

// =============================================================================
// 10. Stream compaction of particles: ballots in the warp, one atomic per block
// =============================================================================

__global__ void __launch_bounds__(384)
compact_particles_ballot(const float4 *__restrict__ pos, int n, float half_box, float4 *__restrict__ out,
                         int *__restrict__ out_id, int *total) {
  __shared__ int woff[12];
  __shared__ int base;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x & 31, wid = threadIdx.x >> 5;
  float4 p = make_float4(0.f, 0.f, 0.f, -1.f);
  if (i < n) p = pos[i];
  // w is the remaining life time
  const bool keep = p.w > 0.f && fabsf(p.x) < half_box && fabsf(p.y) < half_box && fabsf(p.z) < half_box;
  const unsigned votes = __ballot_sync(kAll, keep);
  if (lane == 0) woff[wid] = __popc(votes);
  __syncthreads();
  if (wid == 0) {
    const int c = lane < 12 ? woff[lane] : 0;
    int inc = c;
#pragma unroll
    for (int d = 1; d < 16; d <<= 1) {
      int o = __shfl_up_sync(kAll, inc, d);
      if (lane >= d) inc += o;
    }
    if (lane < 12) woff[lane] = inc - c;
    if (lane == 11) base = atomicAdd(total, inc);
  }
  __syncthreads();
  if (keep) {
    const int dst = base + woff[wid] + __popc(votes & ((1u << lane) - 1u));
    out[dst] = p;
    out_id[dst] = i;
  }
}

static bool test_compact() {
  const int n = 1500001;
  Rng rng(1010);
  std::vector<float4> pos(n);
  const float half = 12.f;
  for (auto &p : pos)
    p = make_float4(rng.gauss() * 7.f, rng.gauss() * 7.f, rng.gauss() * 6.f, rng.uniform(-0.3f, 1.7f));
  std::vector<int> want;
  for (int i = 0; i < n; ++i)
    if (pos[i].w > 0.f && std::fabs(pos[i].x) < half && std::fabs(pos[i].y) < half && std::fabs(pos[i].z) < half)
      want.push_back(i);
  Dev<float4> dpos(pos), dout(n);
  Dev<int> did(n), dtotal(1);
  for (int rep = 0; rep < kReps; ++rep) {
    dtotal.fill(0);
    compact_particles_ballot<<<ceil_div(n, 384), 384>>>(dpos.p, n, half, dout.p, did.p, dtotal.p);
  }
  settle();
  const int count = dtotal.host()[0];
  size_t bad = 0;
  if (count != (int)want.size()) {
    ++bad;
  } else {
    std::vector<float4> out = dout.host();
    std::vector<int> id = did.host();
    for (int k = 0; k < count; ++k)
      bad += id[k] < 0 || id[k] >= n || std::memcmp(&out[k], &pos[id[k]], sizeof(float4)) != 0;
    std::sort(id.begin(), id.begin() + count);
    for (int k = 0; k < count; ++k) bad += id[k] != want[k];
  }
  return verdict("compact_particles_ballot", bad);
}

// =============================================================================
// 11. 3-D heat step, 4th-order 13-point star, marching along z
// =============================================================================

__global__ void __launch_bounds__(256)
heat3d_star13_zmarch(const float *__restrict__ in, float *__restrict__ out, int nx, int ny, int nz,
                     int zchunk, float k) {
  constexpr int BX = 32, BY = 8, R = 2;
  __shared__ float t[BY + 2 * R][BX + 2 * R];
  const int tx = threadIdx.x, ty = threadIdx.y, tid = ty * BX + tx;
  const int x0 = blockIdx.x * BX, y0 = blockIdx.y * BY;
  const int x = x0 + tx, y = y0 + ty;
  const bool live = x < nx && y < ny;
  const size_t plane = (size_t)nx * ny;
  const float *col = in + (size_t)min(y, ny - 1) * nx + min(x, nx - 1);
  auto at = [&](int z) { return col[plane * max(0, min(z, nz - 1))]; };

  const int z0 = blockIdx.z * zchunk, z1 = min(z0 + zchunk, nz);
  float zm2 = at(z0 - 2), zm1 = at(z0 - 1), c = at(z0), zp1 = at(z0 + 1);
  for (int z = z0; z < z1; ++z) {
    const float zp2 = at(z + 2);
    const float *pl = in + plane * z;
    for (int q = tid; q < (BY + 2 * R) * (BX + 2 * R); q += BX * BY) {
      const int ry = q / (BX + 2 * R), rx = q % (BX + 2 * R);
      const int gx = max(0, min(x0 + rx - R, nx - 1));
      const int gy = max(0, min(y0 + ry - R, ny - 1));
      t[ry][rx] = pl[(size_t)gy * nx + gx];
    }
    __syncthreads();
    if (live) {
      const int sx = tx + R, sy = ty + R;
      const float near = t[sy][sx - 1] + t[sy][sx + 1] + t[sy - 1][sx] + t[sy + 1][sx] + zm1 + zp1;
      const float far = t[sy][sx - 2] + t[sy][sx + 2] + t[sy - 2][sx] + t[sy + 2][sx] + zm2 + zp2;
      out[plane * z + (size_t)y * nx + x] = c + k * (1.3333333f * near - 0.083333333f * far - 7.5f * c);
    }
    __syncthreads();
    zm2 = zm1;
    zm1 = c;
    c = zp1;
    zp1 = zp2;
  }
}

static bool test_heat3d() {
  const int nx = 250, ny = 252, nz = 130, zchunk = 26;
  const size_t n = (size_t)nx * ny * nz;
  Rng rng(1111);
  std::vector<float> in(n);
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        bool hot = (x / 40 + y / 50 + z / 30) % 3 == 0;
        in[((size_t)z * ny + y) * nx + x] = (hot ? 80.f : 20.f) + 2.f * rng.gauss();
      }
  Dev<float> din(in), dout(n);
  dim3 grid(ceil_div(nx, 32), ceil_div(ny, 8), ceil_div(nz, zchunk)), block(32, 8);
  for (int rep = 0; rep < kReps; ++rep)
    heat3d_star13_zmarch<<<grid, block>>>(din.p, dout.p, nx, ny, nz, zchunk, 0.08f);
  settle();
  std::vector<float> out = dout.host();
  auto at = [&](int x, int y, int z) -> double {
    return in[((size_t)clampi(z, 0, nz - 1) * ny + clampi(y, 0, ny - 1)) * nx + clampi(x, 0, nx - 1)];
  };
  size_t bad = 0;
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        double c = at(x, y, z);
        double near = at(x - 1, y, z) + at(x + 1, y, z) + at(x, y - 1, z) + at(x, y + 1, z) +
                      at(x, y, z - 1) + at(x, y, z + 1);
        double far = at(x - 2, y, z) + at(x + 2, y, z) + at(x, y - 2, z) + at(x, y + 2, z) +
                     at(x, y, z - 2) + at(x, y, z + 2);
        double want = c + 0.08 * (4.0 / 3.0 * near - far / 12.0 - 7.5 * c);
        bad += !close_to(out[((size_t)z * ny + y) * nx + x], want, 1e-5, 1e-3);
      }
  return verdict("heat3d_star13_zmarch", bad);
}

// =============================================================================
// 12. WENO5 finite differences for Burgers along periodic lines, double
// =============================================================================

__host__ __device__ inline double weno5_face(double a, double b, double c, double d, double e) {
  const double eps = 1e-6;
  double s0 = a - 2 * b + c, t0 = a - 4 * b + 3 * c;
  double s1 = b - 2 * c + d, t1 = b - d;
  double s2 = c - 2 * d + e, t2 = 3 * c - 4 * d + e;
  double b0 = eps + 13.0 / 12.0 * s0 * s0 + 0.25 * t0 * t0;
  double b1 = eps + 13.0 / 12.0 * s1 * s1 + 0.25 * t1 * t1;
  double b2 = eps + 13.0 / 12.0 * s2 * s2 + 0.25 * t2 * t2;
  double w0 = 0.1 / (b0 * b0), w1 = 0.6 / (b1 * b1), w2 = 0.3 / (b2 * b2);
  double p0 = 2 * a - 7 * b + 11 * c, p1 = -b + 5 * c + 2 * d, p2 = 2 * c + 5 * d - e;
  return (w0 * p0 + w1 * p1 + w2 * p2) / (6.0 * (w0 + w1 + w2));
}

__global__ void __launch_bounds__(128)
weno5_burgers_rows_dp(const double *__restrict__ u, double *__restrict__ rhs, int nx, double alpha,
                      double inv_dx) {
  constexpr int NT = 128;
  __shared__ double cell[NT + 6];
  __shared__ double face[NT + 1];
  const int x0 = blockIdx.x * NT;
  const double *row = u + (size_t)blockIdx.y * nx;
  for (int q = threadIdx.x; q < NT + 6; q += NT) {
    int x = x0 + q - 3;
    if (x < 0) x += nx;
    if (x >= nx) x -= nx;
    cell[q] = row[x];
  }
  __syncthreads();
  // face q sits between cells x0+q-1 and x0+q, i.e. cell[q+2] and cell[q+3]
  for (int q = threadIdx.x; q < NT + 1; q += NT) {
    double fp[5], fm[5];
#pragma unroll
    for (int k = 0; k < 5; ++k) {
      const double l = cell[q + k], r = cell[q + 5 - k];
      fp[k] = 0.5 * (0.5 * l * l + alpha * l);
      fm[k] = 0.5 * (0.5 * r * r - alpha * r);
    }
    face[q] = weno5_face(fp[0], fp[1], fp[2], fp[3], fp[4]) + weno5_face(fm[0], fm[1], fm[2], fm[3], fm[4]);
  }
  __syncthreads();
  rhs[(size_t)blockIdx.y * nx + x0 + threadIdx.x] = -(face[threadIdx.x + 1] - face[threadIdx.x]) * inv_dx;
}

static bool test_weno() {
  const int nx = 2048, ny = 1024;
  const double inv_dx = nx / 6.283185307179586;
  Rng rng(1212);
  std::vector<double> u((size_t)nx * ny);
  double alpha = 0;
  for (int y = 0; y < ny; ++y) {
    double p1 = 6.28 * rng.unit(), p2 = 6.28 * rng.unit(), amp = 0.4 + rng.unit();
    int jump = (int)rng.below(nx - 300), wide = rng.between(50, 299);
    for (int x = 0; x < nx; ++x) {
      double t = x / inv_dx;
      double v = amp * std::sin(t + p1) + 0.3 * std::sin(5 * t + p2) + 0.01 * rng.gauss();
      if (x >= jump && x < jump + wide) v += 1.0;
      u[(size_t)y * nx + x] = v;
      alpha = std::max(alpha, std::fabs(v));
    }
  }
  Dev<double> du(u), drhs(u.size());
  for (int rep = 0; rep < kReps; ++rep)
    weno5_burgers_rows_dp<<<dim3(nx / 128, ny), 128>>>(du.p, drhs.p, nx, alpha, inv_dx);
  settle();
  std::vector<double> rhs = drhs.host(), face(nx), fp(nx), fm(nx);
  size_t bad = 0;
  for (int y = 0; y < ny; ++y) {
    const double *row = &u[(size_t)y * nx];
    for (int x = 0; x < nx; ++x) {
      fp[x] = 0.5 * (0.5 * row[x] * row[x] + alpha * row[x]);
      fm[x] = 0.5 * (0.5 * row[x] * row[x] - alpha * row[x]);
    }
    auto w = [&](int x) { return (x + nx) % nx; };
    for (int x = 0; x < nx; ++x)  // right face of cell x
      face[x] = weno5_face(fp[w(x - 2)], fp[w(x - 1)], fp[x], fp[w(x + 1)], fp[w(x + 2)]) +
                weno5_face(fm[w(x + 3)], fm[w(x + 2)], fm[w(x + 1)], fm[x], fm[w(x - 1)]);
    for (int x = 0; x < nx; ++x) {
      double want = -(face[x] - face[w(x - 1)]) * inv_dx;
      bad += !close_to(rhs[(size_t)y * nx + x], want, 1e-9, 1e-9 * alpha * alpha * inv_dx);
    }
  }
  return verdict("weno5_burgers_rows_dp", bad);
}

// =============================================================================
// 13. Embedding bag: gather int8 rows with per-row scale and bias, weighted sum
// =============================================================================

__global__ void __launch_bounds__(256)
embbag_int8_rowwise64(const char4 *__restrict__ table, const float2 *__restrict__ scale_bias,
                      const int *__restrict__ offsets, const int *__restrict__ index,
                      const float *__restrict__ weight, int nbag, float4 *__restrict__ out) {
  const int bag = (blockIdx.x * 256 + threadIdx.x) >> 4;  // 16 lanes carry 64 columns
  const int l = threadIdx.x & 15;
  if (bag >= nbag) return;
  float4 acc = make_float4(0.f, 0.f, 0.f, 0.f);
  const int end = offsets[bag + 1];
#pragma unroll 4
  for (int p = offsets[bag]; p < end; ++p) {
    const int row = index[p];
    const char4 q = table[(size_t)row * 16 + l];
    const float2 sb = scale_bias[row];
    const float ws = weight[p] * sb.x, wb = weight[p] * sb.y;
    acc.x += ws * q.x + wb;
    acc.y += ws * q.y + wb;
    acc.z += ws * q.z + wb;
    acc.w += ws * q.w + wb;
  }
  out[(size_t)bag * 16 + l] = acc;
}

static bool test_embbag() {
  const int rows = 500000, nbag = 40003;
  Rng rng(1313);
  std::vector<char4> table((size_t)rows * 16);
  for (size_t i = 0; i < table.size(); i += 2) {
    uint64_t z = rng.u64v();
    std::memcpy(&table[i], &z, 8);
  }
  std::vector<float2> sb(rows);
  for (auto &v : sb) v = make_float2(rng.uniform(0.001f, 0.01f), 0.02f * rng.gauss());
  std::vector<int> offs(nbag + 1, 0);
  for (int b = 0; b < nbag; ++b) offs[b + 1] = offs[b] + std::min(200, (int)rng.pareto(9.0, 1.5) - 9);
  std::vector<int> idx(offs[nbag]);
  std::vector<float> wt(offs[nbag]);
  for (size_t i = 0; i < idx.size(); ++i) {
    idx[i] = std::min(rows - 1, (int)(rows * std::pow(rng.unit(), 1.8)));
    wt[i] = rng.uniform(0.2f, 1.5f);
  }
  Dev<char4> dtab(table);
  Dev<float2> dsb(sb);
  Dev<int> doffs(offs), didx(idx);
  Dev<float> dwt(wt);
  Dev<float4> dout((size_t)nbag * 16);
  for (int rep = 0; rep < kReps; ++rep)
    embbag_int8_rowwise64<<<ceil_div((long long)nbag * 16, 256), 256>>>(dtab.p, dsb.p, doffs.p, didx.p, dwt.p,
                                                                       nbag, dout.p);
  settle();
  std::vector<float4> out = dout.host();
  size_t bad = 0;
  for (int b = 0; b < nbag; ++b) {
    double acc[64] = {0}, mag = 0;
    for (int p = offs[b]; p < offs[b + 1]; ++p) {
      const char4 *row = &table[(size_t)idx[p] * 16];
      double s = (double)wt[p] * sb[idx[p]].x, o = (double)wt[p] * sb[idx[p]].y;
      for (int l = 0; l < 16; ++l) {
        acc[4 * l] += s * row[l].x + o;
        acc[4 * l + 1] += s * row[l].y + o;
        acc[4 * l + 2] += s * row[l].z + o;
        acc[4 * l + 3] += s * row[l].w + o;
      }
      mag += 128 * s + std::fabs(o);
    }
    for (int l = 0; l < 16; ++l) {
      const float4 g = out[(size_t)b * 16 + l];
      const double tol = 3e-5 * mag;
      bad += !close_to(g.x, acc[4 * l], 0, tol) || !close_to(g.y, acc[4 * l + 1], 0, tol) ||
             !close_to(g.z, acc[4 * l + 2], 0, tol) || !close_to(g.w, acc[4 * l + 3], 0, tol);
    }
  }
  return verdict("embbag_int8_rowwise64", bad);
}

// =============================================================================
// 14. NCHW -> NHWC for half tensors, 32 channels x 64 pixels per block
// =============================================================================

__global__ void __launch_bounds__(256)
nchw_to_nhwc_half_tile(const ushort2 *__restrict__ in, ushort2 *__restrict__ out, int C, int HW) {
  __shared__ __align__(4) unsigned short tile[64][34];
  const int p0 = blockIdx.x * 64, c0 = blockIdx.y * 32;
  const size_t img = (size_t)blockIdx.z * C * HW;
  const int tx = threadIdx.x, ty = threadIdx.y;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int c = ty + 8 * k;
    const ushort2 v = in[(img + (size_t)(c0 + c) * HW + p0) / 2 + tx];
    tile[2 * tx][c] = v.x;
    tile[2 * tx + 1][c] = v.y;
  }
  __syncthreads();
  const int c2 = tx & 15;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int p = 16 * k + 2 * ty + (tx >> 4);
    const ushort2 v = *reinterpret_cast<const ushort2 *>(&tile[p][2 * c2]);
    out[(img + (size_t)(p0 + p) * C + c0) / 2 + c2] = v;
  }
}

static bool test_nhwc() {
  const int N = 48, C = 96, HW = 56 * 56;  // 96 = 3*32, 3136 = 49*64
  const size_t n = (size_t)N * C * HW;
  Rng rng(1414);
  std::vector<unsigned short> in(n);
  for (size_t i = 0; i < n; i += 4) {
    uint64_t z = rng.u64v();
    std::memcpy(&in[i], &z, 8);
  }
  Dev<unsigned short> din(in), dout(n);
  for (int rep = 0; rep < kReps; ++rep)
    nchw_to_nhwc_half_tile<<<dim3(HW / 64, C / 32, N), dim3(32, 8)>>>((const ushort2 *)din.p, (ushort2 *)dout.p,
                                                                      C, HW);
  settle();
  std::vector<unsigned short> out = dout.host();
  size_t bad = 0;
  for (int b = 0; b < N; ++b)
    for (int c = 0; c < C; ++c) {
      const unsigned short *src = &in[((size_t)b * C + c) * HW];
      const unsigned short *dst = &out[(size_t)b * C * HW + c];
      for (int p = 0; p < HW; ++p) bad += dst[(size_t)p * C] != src[p];
    }
  return verdict("nchw_to_nhwc_half_tile", bad);
}

// =============================================================================
// 15. Causal softmax over attention scores, one warp per row of 512
// =============================================================================

__global__ void __launch_bounds__(128)
causal_softmax_half512(const uint4 *__restrict__ in, uint4 *__restrict__ out, int rows, float scale_log2e) {
  const int row = blockIdx.x * 4 + (threadIdx.x >> 5);
  const int lane = threadIdx.x & 31;
  if (row >= rows) return;
  const int q = row & 511;  // query position
  float v[2][8];
  float top = -INFINITY;
#pragma unroll
  for (int h = 0; h < 2; ++h) {
    const int c0 = h * 256 + lane * 8;
    uint4 raw = make_uint4(0, 0, 0, 0);
    if (c0 <= q) raw = in[(size_t)row * 64 + h * 32 + lane];
    const __half2 *p = reinterpret_cast<const __half2 *>(&raw);
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const float2 f = __half22float2(p[j]);
      v[h][2 * j] = c0 + 2 * j <= q ? f.x * scale_log2e : -INFINITY;
      v[h][2 * j + 1] = c0 + 2 * j + 1 <= q ? f.y * scale_log2e : -INFINITY;
      top = fmaxf(top, fmaxf(v[h][2 * j], v[h][2 * j + 1]));
    }
  }
#pragma unroll
  for (int d = 16; d; d >>= 1) top = fmaxf(top, __shfl_xor_sync(kAll, top, d));
  float sum = 0.f;
#pragma unroll
  for (int h = 0; h < 2; ++h)
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      v[h][j] = exp2f(v[h][j] - top);
      sum += v[h][j];
    }
#pragma unroll
  for (int d = 16; d; d >>= 1) sum += __shfl_xor_sync(kAll, sum, d);
  const float inv = 1.f / sum;
#pragma unroll
  for (int h = 0; h < 2; ++h) {
    uint4 raw;
    __half2 *p = reinterpret_cast<__half2 *>(&raw);
#pragma unroll
    for (int j = 0; j < 4; ++j) p[j] = __floats2half2_rn(v[h][2 * j] * inv, v[h][2 * j + 1] * inv);
    out[(size_t)row * 64 + h * 32 + lane] = raw;
  }
}

static bool test_softmax() {
  const int heads = 48, S = 512, rows = heads * S;
  Rng rng(1515);
  std::vector<__half> in((size_t)rows * S);
  for (auto &v : in) v = __float2half(14.f * rng.gauss());
  const float scale = 0.125f;
  Dev<__half> din(in), dout(in.size());
  for (int rep = 0; rep < kReps; ++rep)
    causal_softmax_half512<<<rows / 4, 128>>>((const uint4 *)din.p, (uint4 *)dout.p, rows, scale * 1.44269504f);
  settle();
  std::vector<__half> out = dout.host();
  std::vector<double> e(S);
  size_t bad = 0;
  for (int r = 0; r < rows; ++r) {
    const int q = r % S;
    double top = -1e30, sum = 0;
    for (int c = 0; c <= q; ++c) {
      e[c] = __half2float(in[(size_t)r * S + c]) * scale;
      top = std::max(top, e[c]);
    }
    for (int c = 0; c <= q; ++c) sum += e[c] = std::exp(e[c] - top);
    for (int c = 0; c < S; ++c)
      bad += !close_to(__half2float(out[(size_t)r * S + c]), c <= q ? e[c] / sum : 0.0, 1e-3, 1e-6);
  }
  return verdict("causal_softmax_half512", bad);
}

// =============================================================================
// 16. Fused per-head RMSnorm and rotary embedding on bf16 queries (head dim 128)
// =============================================================================

__global__ void __launch_bounds__(256)
qk_rmsnorm_rope_bf16(const __nv_bfloat162 *__restrict__ in, const float2 *__restrict__ gamma,
                     const float4 *__restrict__ cos_sin, int tokens, int heads, float eps,
                     __nv_bfloat162 *__restrict__ out) {
  const int lane = threadIdx.x & 31;
  const int nwarp = gridDim.x * 8;
  const float2 g_lo = gamma[lane], g_hi = gamma[32 + lane];
  for (int w = blockIdx.x * 8 + (threadIdx.x >> 5); w < tokens * heads; w += nwarp) {
    const int tok = w / heads;
    const float2 lo = __bfloat1622float2(in[(size_t)w * 64 + lane]);
    const float2 hi = __bfloat1622float2(in[(size_t)w * 64 + 32 + lane]);
    float ss = lo.x * lo.x + lo.y * lo.y + hi.x * hi.x + hi.y * hi.y;
#pragma unroll
    for (int d = 16; d; d >>= 1) ss += __shfl_xor_sync(kAll, ss, d);
    const float r = rsqrtf(ss * (1.f / 128.f) + eps);
    const float4 cs = cos_sin[(size_t)tok * 32 + lane];  // c0 s0 c1 s1
    const float a0 = lo.x * r * g_lo.x, a1 = lo.y * r * g_lo.y;
    const float b0 = hi.x * r * g_hi.x, b1 = hi.y * r * g_hi.y;
    out[(size_t)w * 64 + lane] = __floats2bfloat162_rn(a0 * cs.x - b0 * cs.y, a1 * cs.z - b1 * cs.w);
    out[(size_t)w * 64 + 32 + lane] = __floats2bfloat162_rn(b0 * cs.x + a0 * cs.y, b1 * cs.z + a1 * cs.w);
  }
}

static bool test_rope() {
  const int tokens = 6000, heads = 16, D = 128;
  Rng rng(1616);
  std::vector<__nv_bfloat16> in((size_t)tokens * heads * D);
  for (int t = 0; t < tokens * heads; ++t) {
    float amp = std::exp(0.7f * rng.gauss());
    for (int d = 0; d < D; ++d) in[(size_t)t * D + d] = __float2bfloat16(amp * rng.gauss());
  }
  std::vector<float> gamma(D), cs((size_t)tokens * D);
  for (auto &g : gamma) g = 1.f + 0.2f * rng.gauss();
  for (int t = 0; t < tokens; ++t)
    for (int k = 0; k < D / 2; ++k) {
      double ang = t * std::pow(10000.0, -k / 64.0);
      cs[((size_t)t * 64 + k) * 2] = (float)std::cos(ang);
      cs[((size_t)t * 64 + k) * 2 + 1] = (float)std::sin(ang);
    }
  Dev<__nv_bfloat16> din(in), dout(in.size());
  Dev<float> dg(gamma), dcs(cs);
  for (int rep = 0; rep < kReps; ++rep)
    qk_rmsnorm_rope_bf16<<<132 * 8, 256>>>((const __nv_bfloat162 *)din.p, (const float2 *)dg.p,
                                           (const float4 *)dcs.p, tokens, heads, 1e-6f,
                                           (__nv_bfloat162 *)dout.p);
  settle();
  std::vector<__nv_bfloat16> out = dout.host();
  size_t bad = 0;
  for (int w = 0; w < tokens * heads; ++w) {
    const __nv_bfloat16 *x = &in[(size_t)w * D], *y = &out[(size_t)w * D];
    const float *c = &cs[(size_t)(w / heads) * D];
    double ss = 0;
    for (int d = 0; d < D; ++d) ss += (double)__bfloat162float(x[d]) * __bfloat162float(x[d]);
    double r = 1.0 / std::sqrt(ss / D + 1e-6);
    for (int k = 0; k < 64; ++k) {
      double a = __bfloat162float(x[k]) * r * gamma[k], b = __bfloat162float(x[k + 64]) * r * gamma[k + 64];
      bad += !close_to(__bfloat162float(y[k]), a * c[2 * k] - b * c[2 * k + 1], 5e-3, 1e-4);
      bad += !close_to(__bfloat162float(y[k + 64]), b * c[2 * k] + a * c[2 * k + 1], 5e-3, 1e-4);
    }
  }
  return verdict("qk_rmsnorm_rope_bf16", bad);
}

// =============================================================================
// 17. Cross-entropy with label smoothing on bf16 logits, one block per token
// =============================================================================

__global__ void __launch_bounds__(512)
xent_smooth_bf16_rows(const uint4 *__restrict__ logits, const int *__restrict__ label, int vocab,
                      float smooth, float *__restrict__ loss, float *__restrict__ lse_out) {
  __shared__ float s_max[16], s_sum[16], s_lin[16];
  const int row = blockIdx.x;
  const int target = label[row];
  if (target < 0) {  // ignore_index, the same for the whole block
    if (threadIdx.x == 0) {
      loss[row] = 0.f;
      lse_out[row] = 0.f;
    }
    return;
  }
  const uint4 *p = logits + (size_t)row * (vocab / 8);
  float m = -1e30f, s = 0.f, lin = 0.f;
  for (int i = threadIdx.x; i < vocab / 8; i += 512) {
    const uint4 raw = p[i];
    const __nv_bfloat162 *h = reinterpret_cast<const __nv_bfloat162 *>(&raw);
    float f[8];
    float top = m;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const float2 t = __bfloat1622float2(h[j]);
      f[2 * j] = t.x;
      f[2 * j + 1] = t.y;
      top = fmaxf(top, fmaxf(t.x, t.y));
      lin += t.x + t.y;
    }
    s *= __expf(m - top);
    m = top;
#pragma unroll
    for (int j = 0; j < 8; ++j) s += __expf(f[j] - m);
  }
  auto fold = [&](float om, float os, float ol) {
    const float top = fmaxf(m, om);
    s = s * __expf(m - top) + os * __expf(om - top);
    m = top;
    lin += ol;
  };
#pragma unroll
  for (int d = 16; d; d >>= 1) {
    const float om = __shfl_xor_sync(kAll, m, d), os = __shfl_xor_sync(kAll, s, d);
    const float ol = __shfl_xor_sync(kAll, lin, d);
    fold(om, os, ol);
  }
  const int lane = threadIdx.x & 31, wid = threadIdx.x >> 5;
  if (lane == 0) {
    s_max[wid] = m;
    s_sum[wid] = s;
    s_lin[wid] = lin;
  }
  __syncthreads();
  if (wid == 0) {
    m = lane < 16 ? s_max[lane] : -1e30f;
    s = lane < 16 ? s_sum[lane] : 0.f;
    lin = lane < 16 ? s_lin[lane] : 0.f;
#pragma unroll
    for (int d = 8; d; d >>= 1) {
      const float om = __shfl_xor_sync(kAll, m, d), os = __shfl_xor_sync(kAll, s, d);
      const float ol = __shfl_xor_sync(kAll, lin, d);
      fold(om, os, ol);
    }
    if (lane == 0) {
      const float lse = m + logf(s);
      const float xt = __bfloat162float(reinterpret_cast<const __nv_bfloat16 *>(p)[target]);
      loss[row] = (1.f - smooth) * (lse - xt) + smooth * (lse - lin / vocab);
      lse_out[row] = lse;
    }
  }
}

static bool test_xent() {
  const int rows = 600, vocab = 32000;
  Rng rng(1717);
  std::vector<__nv_bfloat16> x((size_t)rows * vocab);
  std::vector<int> label(rows);
  for (int r = 0; r < rows; ++r) {
    label[r] = rng.below(20) == 0 ? -100 : (int)rng.below(vocab);
    float shift = 3.f * rng.gauss();
    for (int c = 0; c < vocab; ++c) x[(size_t)r * vocab + c] = __float2bfloat16(shift + 2.f * rng.gauss());
    if (label[r] >= 0) x[(size_t)r * vocab + label[r]] = __float2bfloat16(shift + rng.uniform(0.f, 14.f));
  }
  Dev<__nv_bfloat16> dx(x);
  Dev<int> dlabel(label);
  Dev<float> dloss(rows), dlse(rows);
  for (int rep = 0; rep < kReps; ++rep)
    xent_smooth_bf16_rows<<<rows, 512>>>((const uint4 *)dx.p, dlabel.p, vocab, 0.1f, dloss.p, dlse.p);
  settle();
  std::vector<float> loss = dloss.host(), lse = dlse.host();
  size_t bad = 0;
  for (int r = 0; r < rows; ++r) {
    double want = 0, wlse = 0;
    if (label[r] >= 0) {
      double top = -1e30, s = 0, lin = 0;
      const __nv_bfloat16 *p = &x[(size_t)r * vocab];
      for (int c = 0; c < vocab; ++c) top = std::max(top, (double)__bfloat162float(p[c]));
      for (int c = 0; c < vocab; ++c) {
        double v = __bfloat162float(p[c]);
        s += std::exp(v - top);
        lin += v;
      }
      wlse = top + std::log(s);
      want = 0.9 * (wlse - __bfloat162float(p[label[r]])) + 0.1 * (wlse - lin / vocab);
    }
    bad += !close_to(loss[r], want, 2e-4, 1e-3) || !close_to(lse[r], wlse, 2e-4, 1e-3);
  }
  return verdict("xent_smooth_bf16_rows", bad);
}

// =============================================================================
// 18. Bilateral filter, 7x7, reading a float image through a texture
// =============================================================================

__constant__ float c_bilateral_space[49];

__global__ void __launch_bounds__(128)
bilateral7_tex_float(cudaTextureObject_t img, float *__restrict__ out, int w, int h, float inv_two_sr2) {
  const int x = blockIdx.x * 16 + threadIdx.x;
  const int y = blockIdx.y * 8 + threadIdx.y;
  if (x >= w || y >= h) return;
  const float c = tex2D<float>(img, x + 0.5f, y + 0.5f);
  float num = 0.f, den = 0.f;
#pragma unroll
  for (int dy = -3; dy <= 3; ++dy)
#pragma unroll
    for (int dx = -3; dx <= 3; ++dx) {
      const float v = tex2D<float>(img, x + dx + 0.5f, y + dy + 0.5f);
      const float d = v - c;
      const float k = c_bilateral_space[(dy + 3) * 7 + dx + 3] * __expf(-d * d * inv_two_sr2);
      num += k * v;
      den += k;
    }
  out[(size_t)y * w + x] = num / den;
}

static bool test_bilateral() {
  const int w = 1300, h = 970;
  Rng rng(1818);
  std::vector<float> img((size_t)w * h);
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      float edge = ((x / 90) ^ (y / 70)) & 1 ? 0.7f : 0.25f;
      img[(size_t)y * w + x] = edge + 0.1f * std::sin(0.02f * x) + 0.04f * rng.gauss();
    }
  float space[49];
  for (int k = 0; k < 49; ++k) {
    int dx = k % 7 - 3, dy = k / 7 - 3;
    space[k] = (float)std::exp(-(dx * dx + dy * dy) / (2.0 * 1.8 * 1.8));
  }
  CU(cudaMemcpyToSymbol(c_bilateral_space, space, sizeof(space)));

  cudaChannelFormatDesc fmt = cudaCreateChannelDesc<float>();
  cudaArray_t arr;
  CU(cudaMallocArray(&arr, &fmt, w, h));
  CU(cudaMemcpy2DToArray(arr, 0, 0, img.data(), w * sizeof(float), w * sizeof(float), h, cudaMemcpyHostToDevice));
  cudaResourceDesc res;
  std::memset(&res, 0, sizeof(res));
  res.resType = cudaResourceTypeArray;
  res.res.array.array = arr;
  cudaTextureDesc td;
  std::memset(&td, 0, sizeof(td));
  td.addressMode[0] = td.addressMode[1] = cudaAddressModeClamp;
  td.filterMode = cudaFilterModePoint;
  td.readMode = cudaReadModeElementType;
  td.normalizedCoords = 0;
  cudaTextureObject_t tex = 0;
  CU(cudaCreateTextureObject(&tex, &res, &td, nullptr));

  Dev<float> dout((size_t)w * h);
  const float inv = 1.f / (2.f * 0.12f * 0.12f);
  for (int rep = 0; rep < kReps; ++rep)
    bilateral7_tex_float<<<dim3(ceil_div(w, 16), ceil_div(h, 8)), dim3(16, 8)>>>(tex, dout.p, w, h, inv);
  settle();
  std::vector<float> out = dout.host();
  CU(cudaDestroyTextureObject(tex));
  CU(cudaFreeArray(arr));
  size_t bad = 0;
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      double c = img[(size_t)y * w + x], num = 0, den = 0;
      for (int dy = -3; dy <= 3; ++dy)
        for (int dx = -3; dx <= 3; ++dx) {
          double v = img[(size_t)clampi(y + dy, 0, h - 1) * w + clampi(x + dx, 0, w - 1)];
          double k = space[(dy + 3) * 7 + dx + 3] * std::exp(-(v - c) * (v - c) * inv);
          num += k * v;
          den += k;
        }
      bad += !close_to(out[(size_t)y * w + x], num / den, 1e-4, 1e-5);
    }
  return verdict("bilateral7_tex_float", bad);
}

// =============================================================================
// 19. Lens undistortion: fixed-point remap of RGBA pixels, texture on pitched memory
// =============================================================================

__global__ void __launch_bounds__(256)
undistort_remap_rgba_tex(cudaTextureObject_t src, const short2 *__restrict__ map_xy,
                         const unsigned short *__restrict__ map_frac, uchar4 *__restrict__ dst, int npix) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= npix) return;
  const short2 m = map_xy[i];
  const int f = map_frac[i], fx = f & 31, fy = f >> 5;
  const float u = m.x + 0.5f, v = m.y + 0.5f;
  const uchar4 a = tex2D<uchar4>(src, u, v), b = tex2D<uchar4>(src, u + 1.f, v);
  const uchar4 c = tex2D<uchar4>(src, u, v + 1.f), d = tex2D<uchar4>(src, u + 1.f, v + 1.f);
  const int wa = (32 - fx) * (32 - fy), wb = fx * (32 - fy), wc = (32 - fx) * fy, wd = fx * fy;
  uchar4 o;
  o.x = (unsigned char)((wa * a.x + wb * b.x + wc * c.x + wd * d.x + 512) >> 10);
  o.y = (unsigned char)((wa * a.y + wb * b.y + wc * c.y + wd * d.y + 512) >> 10);
  o.z = (unsigned char)((wa * a.z + wb * b.z + wc * c.z + wd * d.z + 512) >> 10);
  o.w = (unsigned char)((wa * a.w + wb * b.w + wc * c.w + wd * d.w + 512) >> 10);
  dst[i] = o;
}

static bool test_remap() {
  const int w = 1920, h = 1200, n = w * h;
  Rng rng(1919);
  std::vector<uchar4> img(n);
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      int noise = (int)rng.below(24);
      img[y * w + x] = make_uchar4((unsigned char)((x * 200 / w) + noise), (unsigned char)((y * 200 / h) + noise),
                                   (unsigned char)((((x >> 5) ^ (y >> 5)) & 1) * 180 + noise), 255);
    }
  std::vector<short2> mxy(n);
  std::vector<unsigned short> mfr(n);
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      double nx = (x - w * 0.5) / 1000.0, ny = (y - h * 0.5) / 1000.0, r2 = nx * nx + ny * ny;
      double k = 1.0 + 0.09 * r2 - 0.03 * r2 * r2;
      int sx = (int)std::lrint((nx * k * 1000.0 + w * 0.5 + 2.0 * 1000.0 * 0.0004 * nx * ny) * 32.0);
      int sy = (int)std::lrint((ny * k * 1000.0 + h * 0.5 + 1000.0 * 0.0004 * (r2 + 2 * ny * ny)) * 32.0);
      mxy[y * w + x] = make_short2((short)(sx >> 5), (short)(sy >> 5));
      mfr[y * w + x] = (unsigned short)(((sy & 31) << 5) | (sx & 31));
    }
  uchar4 *pitched = nullptr;
  size_t pitch = 0;
  CU(cudaMallocPitch((void **)&pitched, &pitch, w * sizeof(uchar4), h));
  CU(cudaMemcpy2D(pitched, pitch, img.data(), w * sizeof(uchar4), w * sizeof(uchar4), h, cudaMemcpyHostToDevice));
  cudaResourceDesc res;
  std::memset(&res, 0, sizeof(res));
  res.resType = cudaResourceTypePitch2D;
  res.res.pitch2D.devPtr = pitched;
  res.res.pitch2D.desc = cudaCreateChannelDesc<uchar4>();
  res.res.pitch2D.width = w;
  res.res.pitch2D.height = h;
  res.res.pitch2D.pitchInBytes = pitch;
  cudaTextureDesc td;
  std::memset(&td, 0, sizeof(td));
  td.addressMode[0] = td.addressMode[1] = cudaAddressModeClamp;
  td.filterMode = cudaFilterModePoint;
  td.readMode = cudaReadModeElementType;
  cudaTextureObject_t tex = 0;
  CU(cudaCreateTextureObject(&tex, &res, &td, nullptr));

  Dev<short2> dxy(mxy);
  Dev<unsigned short> dfr(mfr);
  Dev<uchar4> dout(n);
  for (int rep = 0; rep < kReps; ++rep)
    undistort_remap_rgba_tex<<<ceil_div(n, 256), 256>>>(tex, dxy.p, dfr.p, dout.p, n);
  settle();
  std::vector<uchar4> out = dout.host();
  CU(cudaDestroyTextureObject(tex));
  CU(cudaFree(pitched));
  auto px = [&](int x, int y) { return img[clampi(y, 0, h - 1) * w + clampi(x, 0, w - 1)]; };
  size_t bad = 0;
  for (int i = 0; i < n; ++i) {
    int x = mxy[i].x, y = mxy[i].y, fx = mfr[i] & 31, fy = mfr[i] >> 5;
    uchar4 a = px(x, y), b = px(x + 1, y), c = px(x, y + 1), d = px(x + 1, y + 1);
    auto mixc = [&](int p, int q, int r, int s) {
      return ((p * (32 - fx) + q * fx) * (32 - fy) + (r * (32 - fx) + s * fx) * fy + 512) >> 10;
    };
    bad += out[i].x != mixc(a.x, b.x, c.x, d.x) || out[i].y != mixc(a.y, b.y, c.y, d.y) ||
           out[i].z != mixc(a.z, b.z, c.z, d.z) || out[i].w != mixc(a.w, b.w, c.w, d.w);
  }
  return verdict("undistort_remap_rgba_tex", bad);
}

// =============================================================================
// 20. Lennard-Jones forces with a cell list (particles sorted by cell)
// =============================================================================

__global__ void __launch_bounds__(96)
lj_cell_list_forces(const float4 *__restrict__ pos, const int *__restrict__ cell_start, int nc, int n,
                    float box, float rc2, float f_shift, float e_shift, float4 *__restrict__ force) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 p = pos[i];
  const int cell = __float_as_int(p.w);  // cell id rides along in w
  const int cx = cell % nc, cy = (cell / nc) % nc, cz = cell / (nc * nc);
  const float inv_box = 1.f / box;
  float fx = 0.f, fy = 0.f, fz = 0.f, en = 0.f;
  for (int dz = -1; dz <= 1; ++dz) {
    const int z = (cz + dz + nc) % nc;
    for (int dy = -1; dy <= 1; ++dy) {
      const int y = (cy + dy + nc) % nc;
      for (int dx = -1; dx <= 1; ++dx) {
        const int c = (z * nc + y) * nc + (cx + dx + nc) % nc;
        const int end = cell_start[c + 1];
        for (int j = cell_start[c]; j < end; ++j) {
          const float4 q = pos[j];
          float rx = p.x - q.x, ry = p.y - q.y, rz = p.z - q.z;
          rx -= box * rintf(rx * inv_box);
          ry -= box * rintf(ry * inv_box);
          rz -= box * rintf(rz * inv_box);
          const float r2 = rx * rx + ry * ry + rz * rz;
          if (r2 < rc2 && j != i) {
            const float i2 = 1.f / r2, i6 = i2 * i2 * i2;
            const float f = 24.f * i2 * i6 * (2.f * i6 - 1.f) - f_shift;
            fx += f * rx;
            fy += f * ry;
            fz += f * rz;
            en += 4.f * i6 * (i6 - 1.f) - e_shift;
          }
        }
      }
    }
  }
  force[i] = make_float4(fx, fy, fz, 0.5f * en);
}

static bool test_lj() {
  const int side = 36, n = side * side * side, nc = 16;
  const float box = 41.6f, rc = 2.5f;
  Rng rng(2020);
  std::vector<float4> raw(n), pos(n);
  std::vector<int> start(nc * nc * nc + 1, 0), cell(n);
  for (int i = 0; i < n; ++i) {
    auto coord = [&](int k) {
      float v = (k + 0.5f) * (box / side) + 0.1f * clampi((int)(rng.gauss() * 1000), -1600, 1600) / 1000.f;
      return v;
    };
    raw[i].x = coord(i % side);
    raw[i].y = coord((i / side) % side);
    raw[i].z = coord(i / (side * side));
    auto bucket = [&](float v) { return clampi((int)(v / box * nc), 0, nc - 1); };
    cell[i] = (bucket(raw[i].z) * nc + bucket(raw[i].y)) * nc + bucket(raw[i].x);
    ++start[cell[i] + 1];
  }
  for (int c = 0; c < nc * nc * nc; ++c) start[c + 1] += start[c];
  std::vector<int> at(start.begin(), start.end() - 1), cell_sorted(n);
  for (int i = 0; i < n; ++i) {
    int k = at[cell[i]]++;
    pos[k] = raw[i];
    std::memcpy(&pos[k].w, &cell[i], 4);
    cell_sorted[k] = cell[i];
  }
  const double i2c = 1.0 / ((double)rc * rc), i6c = i2c * i2c * i2c;
  const float f_shift = (float)(24.0 * i2c * i6c * (2.0 * i6c - 1.0)), e_shift = (float)(4.0 * i6c * (i6c - 1.0));
  Dev<float4> dpos(pos), dforce(n);
  Dev<int> dstart(start);
  for (int rep = 0; rep < kReps; ++rep)
    lj_cell_list_forces<<<ceil_div(n, 96), 96>>>(dpos.p, dstart.p, nc, n, box, rc * rc, f_shift, e_shift, dforce.p);
  settle();
  std::vector<float4> force = dforce.host();
  size_t bad = 0;
  for (int i = 0; i < n; ++i) {
    int c = cell_sorted[i], cx = c % nc, cy = (c / nc) % nc, cz = c / (nc * nc);
    double fx = 0, fy = 0, fz = 0, en = 0, fmag = 0, emag = 0;
    for (int k = 0; k < 27; ++k) {
      int x = (cx + k % 3 - 1 + nc) % nc, y = (cy + (k / 3) % 3 - 1 + nc) % nc, z = (cz + k / 9 - 1 + nc) % nc;
      int cc = (z * nc + y) * nc + x;
      for (int j = start[cc]; j < start[cc + 1]; ++j) {
        if (j == i) continue;
        double rx = (double)pos[i].x - pos[j].x, ry = (double)pos[i].y - pos[j].y, rz = (double)pos[i].z - pos[j].z;
        rx -= (double)box * std::nearbyint(rx / box);
        ry -= (double)box * std::nearbyint(ry / box);
        rz -= (double)box * std::nearbyint(rz / box);
        double r2 = rx * rx + ry * ry + rz * rz;
        if (r2 >= (double)(rc * rc)) continue;
        double i2 = 1.0 / r2, i6 = i2 * i2 * i2, f = 24.0 * i2 * i6 * (2.0 * i6 - 1.0) - f_shift;
        double e = 4.0 * i6 * (i6 - 1.0) - e_shift;
        fx += f * rx;
        fy += f * ry;
        fz += f * rz;
        en += e;
        // magnitudes of the two terms apart: they cancel near the minimum
        fmag += 24.0 * i2 * i6 * (2.0 * i6 + 1.0) * std::sqrt(r2);
        emag += 4.0 * i6 * (i6 + 1.0);
      }
    }
    const double tf = 2e-4 * fmag + 1e-5;
    bad += !close_to(force[i].x, fx, 0, tf) || !close_to(force[i].y, fy, 0, tf) ||
           !close_to(force[i].z, fz, 0, tf) || !close_to(force[i].w, 0.5 * en, 0, 2e-4 * emag + 1e-5);
  }
  return verdict("lj_cell_list_forces", bad);
}

// =============================================================================
// 21. Monte Carlo: arithmetic Asian options, Philox4x32-10 inside the kernel
// =============================================================================

struct AsianDeal {
  float spot, strike, drift_dt, vol_sqdt, disc;
  int is_call;
};

__host__ __device__ inline uint4 philox10(uint4 c, unsigned k0, unsigned k1) {
  for (int r = 0; r < 10; ++r) {
    u64 p0 = (u64)0xD2511F53u * c.x, p1 = (u64)0xCD9E8D57u * c.z;
    c = make_uint4((unsigned)(p1 >> 32) ^ c.y ^ k0, (unsigned)p1, (unsigned)(p0 >> 32) ^ c.w ^ k1, (unsigned)p0);
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  return c;
}

__host__ __device__ inline float open_unit(unsigned x) { return fmaf((float)x, 2.3283064e-10f, 1.1641532e-10f); }

__global__ void __launch_bounds__(256)
asian_mc_philox_paths(const AsianDeal *__restrict__ deals, int blocks_per_deal, int nquad, unsigned seed,
                      double *__restrict__ sum, double *__restrict__ sum_sq) {
  __shared__ double part[2][8];
  const int deal = blockIdx.x / blocks_per_deal;
  const unsigned path = (blockIdx.x % blocks_per_deal) * 256 + threadIdx.x;
  const AsianDeal d = deals[deal];
  float lnx = 0.f, acc = 0.f;
  for (int q = 0; q < nquad; ++q) {
    const uint4 r = philox10(make_uint4(q, path, deal, 0), seed, 0xCAFEF00Du);
    float s0, c0, s1, c1;
    const float m0 = sqrtf(-2.f * logf(open_unit(r.x))), m1 = sqrtf(-2.f * logf(open_unit(r.z)));
    sincospif(2.f * open_unit(r.y), &s0, &c0);
    sincospif(2.f * open_unit(r.w), &s1, &c1);
    lnx += d.drift_dt + d.vol_sqdt * (m0 * c0);
    acc += expf(lnx);
    lnx += d.drift_dt + d.vol_sqdt * (m0 * s0);
    acc += expf(lnx);
    lnx += d.drift_dt + d.vol_sqdt * (m1 * c1);
    acc += expf(lnx);
    lnx += d.drift_dt + d.vol_sqdt * (m1 * s1);
    acc += expf(lnx);
  }
  const float mean = d.spot * acc / (4.f * nquad);
  const float pay = d.disc * fmaxf(d.is_call ? mean - d.strike : d.strike - mean, 0.f);
  double a = pay, b = (double)pay * pay;
#pragma unroll
  for (int o = 16; o; o >>= 1) {
    a += __shfl_down_sync(kAll, a, o);
    b += __shfl_down_sync(kAll, b, o);
  }
  if ((threadIdx.x & 31) == 0) {
    part[0][threadIdx.x >> 5] = a;
    part[1][threadIdx.x >> 5] = b;
  }
  __syncthreads();
  if (threadIdx.x < 2) {
    double t = 0.0;
    for (int k = 0; k < 8; ++k) t += part[threadIdx.x][k];
    atomicAdd(threadIdx.x ? &sum_sq[deal] : &sum[deal], t);
  }
}

static bool test_asian() {
  const int ndeal = 64, bpd = 16, nquad = 8;
  const unsigned seed = 20240117u;
  Rng rng(2121);
  std::vector<AsianDeal> deals(ndeal);
  for (auto &d : deals) {
    double T = 0.25 + 1.5 * rng.unit(), vol = 0.15 + 0.35 * rng.unit(), r = 0.03, dt = T / (4 * nquad);
    d.spot = rng.uniform(60.f, 140.f);
    d.strike = d.spot * rng.uniform(0.9f, 1.1f);
    d.drift_dt = (float)((r - 0.5 * vol * vol) * dt);
    d.vol_sqdt = (float)(vol * std::sqrt(dt));
    d.disc = (float)std::exp(-r * T);
    d.is_call = (int)rng.below(2);
  }
  Dev<AsianDeal> ddeals(deals);
  Dev<double> dsum(ndeal), dsq(ndeal);
  for (int rep = 0; rep < kReps; ++rep) {
    dsum.fill(0);
    dsq.fill(0);
    asian_mc_philox_paths<<<ndeal * bpd, 256>>>(ddeals.p, bpd, nquad, seed, dsum.p, dsq.p);
  }
  settle();
  std::vector<double> sum = dsum.host(), sq = dsq.host();
  size_t bad = 0;
  const double two_pi = 6.283185307179586;
  for (int k = 0; k < ndeal; ++k) {
    const AsianDeal &d = deals[k];
    double ws = 0, wq = 0;
    for (unsigned path = 0; path < bpd * 256u; ++path) {
      double lnx = 0, acc = 0;
      for (int q = 0; q < nquad; ++q) {
        uint4 r = philox10(make_uint4(q, path, k, 0), seed, 0xCAFEF00Du);
        double m0 = std::sqrt(-2.0 * std::log((double)open_unit(r.x)));
        double m1 = std::sqrt(-2.0 * std::log((double)open_unit(r.z)));
        double t0 = two_pi * open_unit(r.y), t1 = two_pi * open_unit(r.w);
        double z[4] = {m0 * std::cos(t0), m0 * std::sin(t0), m1 * std::cos(t1), m1 * std::sin(t1)};
        for (double zz : z) {
          lnx += (double)d.drift_dt + (double)d.vol_sqdt * zz;
          acc += std::exp(lnx);
        }
      }
      double mean = d.spot * acc / (4.0 * nquad);
      double pay = d.disc * std::max(d.is_call ? mean - d.strike : d.strike - mean, 0.0);
      ws += pay;
      wq += pay * pay;
    }
    bad += !close_to(sum[k], ws, 5e-4, 1e-3) || !close_to(sq[k], wq, 1e-3, 1e-3);
  }
  return verdict("asian_mc_philox_paths", bad);
}

// =============================================================================
// 22. Edit distance of many read pairs, one block per pair, anti-diagonals in shared
// =============================================================================

constexpr int kEditMax = 384;

__global__ void __launch_bounds__(128)
edit_distance_antidiag(const unsigned char *__restrict__ pool, const int4 *__restrict__ pairs,
                       int *__restrict__ dist) {
  __shared__ unsigned char a[kEditMax], b[kEditMax];
  __shared__ unsigned short diag[3][kEditMax + 1];
  const int4 pr = pairs[blockIdx.x];  // offset a, length a, offset b, length b
  const int m = pr.y, n = pr.w;
  for (int i = threadIdx.x; i < m; i += 128) a[i] = pool[pr.x + i];
  for (int i = threadIdx.x; i < n; i += 128) b[i] = pool[pr.z + i];
  __syncthreads();
  int now = 0, one = 2, two = 1;  // this diagonal, one back, two back
  for (int d = 0; d <= m + n; ++d) {
    const int lo = max(0, d - n), hi = min(d, m);
    for (int i = lo + threadIdx.x; i <= hi; i += 128) {
      const int j = d - i;
      int best;
      if (i == 0) {
        best = j;
      } else if (j == 0) {
        best = i;
      } else {
        const int gap = min(diag[one][i - 1], diag[one][i]) + 1;
        const int sub = diag[two][i - 1] + (a[i - 1] != b[j - 1]);
        best = min(gap, sub);
      }
      diag[now][i] = (unsigned short)best;
    }
    __syncthreads();
    const int t = two;
    two = one;
    one = now;
    now = t;
  }
  if (threadIdx.x == 0) dist[blockIdx.x] = diag[one][m];
}

static bool test_edit() {
  const int npair = 1500;
  Rng rng(2222);
  std::vector<unsigned char> pool;
  std::vector<int4> pairs(npair);
  const char *acgt = "ACGT";
  for (auto &p : pairs) {
    int len = rng.between(180, 340);
    p.x = (int)pool.size();
    p.y = len;
    for (int i = 0; i < len; ++i) pool.push_back((unsigned char)acgt[rng.below(4)]);
    p.z = (int)pool.size();
    uint32_t err = 2 + rng.below(25);  // percent
    for (int i = 0; i < len; ++i) {
      if ((int)pool.size() - p.z >= kEditMax - 2) break;
      if (rng.below(100) >= err) {
        unsigned char keep = pool[p.x + i];
        pool.push_back(keep);
      } else {
        uint32_t kind = rng.below(3);
        if (kind == 0) pool.push_back((unsigned char)acgt[rng.below(4)]);
        if (kind == 1) {
          unsigned char keep = pool[p.x + i];
          pool.push_back(keep);
          pool.push_back((unsigned char)acgt[rng.below(4)]);
        }
      }
    }
    p.w = (int)pool.size() - p.z;
  }
  Dev<unsigned char> dpool(pool);
  Dev<int4> dpairs(pairs);
  Dev<int> ddist(npair);
  for (int rep = 0; rep < kReps; ++rep)
    edit_distance_antidiag<<<npair, 128>>>(dpool.p, dpairs.p, ddist.p);
  settle();
  std::vector<int> dist = ddist.host(), row;
  size_t bad = 0;
  for (int k = 0; k < npair; ++k) {
    const int4 p = pairs[k];
    row.resize(p.w + 1);
    std::iota(row.begin(), row.end(), 0);
    for (int i = 1; i <= p.y; ++i) {
      int diag = row[0];
      row[0] = i;
      for (int j = 1; j <= p.w; ++j) {
        int up = row[j];
        row[j] = std::min(std::min(up, row[j - 1]) + 1, diag + (pool[p.x + i - 1] != pool[p.z + j - 1]));
        diag = up;
      }
    }
    bad += dist[k] != row[p.w];
  }
  return verdict("edit_distance_antidiag", bad);
}

// =============================================================================
// 23. Viterbi decoding, 64 states, block per sequence, back pointers in shared
// =============================================================================

constexpr int kHmmS = 64, kHmmT = 200, kHmmSym = 32;

__global__ void __launch_bounds__(kHmmS)
viterbi64_decode_block(const float *__restrict__ trans, const float *__restrict__ emit,
                       const float *__restrict__ start, const unsigned char *__restrict__ obs,
                       unsigned char *__restrict__ path, float *__restrict__ score) {
  __shared__ float tr[kHmmS * kHmmS];
  __shared__ float prob[2][kHmmS];
  __shared__ unsigned char back[kHmmT][kHmmS];
  __shared__ unsigned char best_path[kHmmT], seq[kHmmT];
  const int j = threadIdx.x;
  for (int i = j; i < kHmmS * kHmmS; i += kHmmS) tr[i] = trans[i];
  for (int t = j; t < kHmmT; t += kHmmS) seq[t] = obs[(size_t)blockIdx.x * kHmmT + t];
  __syncthreads();
  prob[0][j] = start[j] + emit[seq[0] * kHmmS + j];
  __syncthreads();
  for (int t = 1; t < kHmmT; ++t) {
    const float *old = prob[(t - 1) & 1];
    float best = old[0] + tr[j];
    int from = 0;
#pragma unroll 8
    for (int i = 1; i < kHmmS; ++i) {
      const float c = old[i] + tr[i * kHmmS + j];
      if (c > best) {
        best = c;
        from = i;
      }
    }
    back[t][j] = (unsigned char)from;
    prob[t & 1][j] = best + emit[seq[t] * kHmmS + j];
    __syncthreads();
  }
  if (j == 0) {
    const float *fin = prob[(kHmmT - 1) & 1];
    int s = 0;
    for (int i = 1; i < kHmmS; ++i)
      if (fin[i] > fin[s]) s = i;
    score[blockIdx.x] = fin[s];
    for (int t = kHmmT - 1; t > 0; --t) {
      best_path[t] = (unsigned char)s;
      s = back[t][s];
    }
    best_path[0] = (unsigned char)s;
  }
  __syncthreads();
  for (int t = j; t < kHmmT; t += kHmmS) path[(size_t)blockIdx.x * kHmmT + t] = best_path[t];
}

static bool test_viterbi() {
  const int nseq = 420;
  Rng rng(2323);
  auto log_rows = [&](int rows, int cols, double peak) {
    std::vector<float> m((size_t)rows * cols);
    for (int r = 0; r < rows; ++r) {
      double sum = 0;
      std::vector<double> p(cols);
      for (auto &v : p) sum += v = std::pow(rng.unit() + 1e-3, peak);
      for (int c = 0; c < cols; ++c) m[(size_t)r * cols + c] = (float)std::log(p[c] / sum);
    }
    return m;
  };
  std::vector<float> trans = log_rows(kHmmS, kHmmS, 6.0), start = log_rows(1, kHmmS, 1.0);
  std::vector<float> by_state = log_rows(kHmmS, kHmmSym, 4.0), emit(kHmmS * kHmmSym);
  for (int s = 0; s < kHmmS; ++s)
    for (int o = 0; o < kHmmSym; ++o) emit[o * kHmmS + s] = by_state[s * kHmmSym + o];
  std::vector<unsigned char> obs((size_t)nseq * kHmmT);
  for (int q = 0; q < nseq; ++q) {
    int sym = (int)rng.below(kHmmSym);
    for (int t = 0; t < kHmmT; ++t) {
      if (rng.below(3) == 0) sym = (int)rng.below(kHmmSym);  // symbols come in short runs
      obs[(size_t)q * kHmmT + t] = (unsigned char)sym;
    }
  }
  Dev<float> dtr(trans), dem(emit), dst(start), dscore(nseq);
  Dev<unsigned char> dobs(obs), dpath(obs.size());
  for (int rep = 0; rep < kReps; ++rep)
    viterbi64_decode_block<<<nseq, kHmmS>>>(dtr.p, dem.p, dst.p, dobs.p, dpath.p, dscore.p);
  settle();
  std::vector<unsigned char> path = dpath.host();
  std::vector<float> score = dscore.host();
  size_t bad = 0;
  std::vector<unsigned char> back(kHmmT * kHmmS);
  for (int q = 0; q < nseq; ++q) {
    const unsigned char *o = &obs[(size_t)q * kHmmT];
    float cur[kHmmS], nxt[kHmmS];
    int from[kHmmS];
    for (int j = 0; j < kHmmS; ++j) cur[j] = start[j] + emit[o[0] * kHmmS + j];
    for (int t = 1; t < kHmmT; ++t) {
      for (int j = 0; j < kHmmS; ++j) {
        nxt[j] = cur[0] + trans[j];
        from[j] = 0;
      }
      for (int i = 1; i < kHmmS; ++i)
        for (int j = 0; j < kHmmS; ++j) {
          float c = cur[i] + trans[i * kHmmS + j];
          from[j] = c > nxt[j] ? i : from[j];
          nxt[j] = c > nxt[j] ? c : nxt[j];
        }
      for (int j = 0; j < kHmmS; ++j) {
        back[t * kHmmS + j] = (unsigned char)from[j];
        cur[j] = nxt[j] + emit[o[t] * kHmmS + j];
      }
    }
    int s = (int)(std::max_element(cur, cur + kHmmS) - cur);
    bad += score[q] != cur[s];  // additions only, so the two agree to the bit
    for (int t = kHmmT - 1; t >= 0; --t) {
      bad += path[(size_t)q * kHmmT + t] != s;
      if (t) s = back[t * kHmmS + s];
    }
  }
  return verdict("viterbi64_decode_block", bad);
}

// =============================================================================
// 24. Aho-Corasick over a text, 128 bytes a thread plus 16 bytes of warm-up
// =============================================================================

__global__ void __launch_bounds__(64)
aho_dfa_scan_chunks(const uint4 *__restrict__ text, int nchunk, const unsigned short *__restrict__ go,
                    const unsigned char *__restrict__ nout, int *__restrict__ state_hits,
                    u64 *__restrict__ total) {
  const int chunk = blockIdx.x * 64 + threadIdx.x;
  unsigned found = 0;
  if (chunk < nchunk) {
    int st = 0;
    // vector -1 only warms the automaton up: no pattern is longer than 16
    for (int v = chunk ? -1 : 0; v < 8; ++v) {
      const uint4 q = text[chunk * 8 + v];
      const unsigned w[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
      for (int k = 0; k < 16; ++k) {
        const unsigned c = ((w[k >> 2] >> ((k & 3) * 8)) & 0xffu) - 'a';
        st = __ldg(&go[st * 32 + (c < 26u ? c : 26u)]);
        const int o = __ldg(&nout[st]);
        if (o && v >= 0) {
          found += o;
          atomicAdd(&state_hits[st], 1);
        }
      }
    }
  }
  found = __reduce_add_sync(kAll, found);
  if ((threadIdx.x & 31) == 0 && found) atomicAdd(total, (u64)found);
}

static bool test_aho() {
  const int nchunk = 64 * 1024, bytes = nchunk * 128;
  Rng rng(2424);
  const char *freq = "eeeeeeeetttttaaaaooooiiiinnnnsssshhhrrrdddllcumwfgypbvkxjqz";
  const int nfreq = (int)std::strlen(freq);
  auto word = [&](int len) {
    std::string s;
    for (int i = 0; i < len; ++i) s += freq[rng.below(nfreq)];
    return s;
  };
  std::vector<std::string> pats;
  for (int k = 0; k < 300; ++k) pats.push_back(word(rng.between(4, 14)));
  // trie, failure links, full transition table
  std::vector<unsigned short> go(32, 0);
  std::vector<unsigned char> nout(1, 0);
  for (auto &p : pats) {
    int st = 0;
    for (char ch : p) {
      int c = ch - 'a';
      if (!go[st * 32 + c]) {
        go[st * 32 + c] = (unsigned short)nout.size();
        nout.push_back(0);
        go.resize(go.size() + 32, 0);
      }
      st = go[st * 32 + c];
    }
    ++nout[st];
  }
  const int states = (int)nout.size();
  std::vector<int> fail(states, 0), queue;
  for (int c = 0; c < 27; ++c)
    if (go[c]) queue.push_back(go[c]);
  for (size_t h = 0; h < queue.size(); ++h) {
    int s = queue[h];
    nout[s] = (unsigned char)(nout[s] + nout[fail[s]]);
    for (int c = 0; c < 27; ++c) {
      int t = go[s * 32 + c];
      if (t) {
        fail[t] = go[fail[s] * 32 + c];
        queue.push_back(t);
      } else {
        go[s * 32 + c] = go[fail[s] * 32 + c];
      }
    }
  }
  std::string text;
  text.reserve(bytes + 64);
  while ((int)text.size() < bytes) {
    text += rng.below(40) == 0 ? pats[rng.below((uint32_t)pats.size())] : word(rng.between(1, 9));
    text += rng.below(12) == 0 ? ". " : " ";
  }
  text.resize(bytes);
  std::vector<unsigned char> raw(text.begin(), text.end());

  Dev<unsigned char> dtext(raw), dnout(nout);
  Dev<unsigned short> dgo(go);
  Dev<int> dhits(states);
  Dev<u64> dtotal(1);
  for (int rep = 0; rep < kReps; ++rep) {
    dhits.fill(0);
    dtotal.fill(0);
    aho_dfa_scan_chunks<<<nchunk / 64, 64>>>((const uint4 *)dtext.p, nchunk, dgo.p, dnout.p, dhits.p, dtotal.p);
  }
  settle();
  std::vector<int> hits = dhits.host(), want(states, 0);
  u64 total = 0;
  int st = 0;
  for (int i = 0; i < bytes; ++i) {
    unsigned c = (unsigned)raw[i] - 'a';
    st = go[st * 32 + (c < 26u ? c : 26u)];
    if (nout[st]) {
      ++want[st];
      total += nout[st];
    }
  }
  size_t bad = dtotal.host()[0] != total;
  for (int s = 0; s < states; ++s) bad += hits[s] != want[s];
  return verdict("aho_dfa_scan_chunks", bad);
}

// =============================================================================
// 25. SHA-256 of 64-byte Merkle leaves
// =============================================================================

static const unsigned h_sha_k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
static const unsigned h_sha_iv[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                     0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
__constant__ unsigned c_sha_k[64];
__constant__ unsigned c_sha_iv[8];

__device__ inline unsigned rotr32(unsigned x, int n) { return __funnelshift_r(x, x, n); }

__device__ inline void sha256_block(unsigned (&h)[8], unsigned (&w)[16]) {
  unsigned a = h[0], b = h[1], c = h[2], d = h[3], e = h[4], f = h[5], g = h[6], hh = h[7];
#pragma unroll
  for (int t = 0; t < 64; ++t) {
    if (t >= 16) {
      const unsigned x = w[(t + 1) & 15], y = w[(t + 14) & 15];
      w[t & 15] += w[(t + 9) & 15] + (rotr32(x, 7) ^ rotr32(x, 18) ^ (x >> 3)) +
                   (rotr32(y, 17) ^ rotr32(y, 19) ^ (y >> 10));
    }
    const unsigned t1 = hh + (rotr32(e, 6) ^ rotr32(e, 11) ^ rotr32(e, 25)) + ((e & f) ^ (~e & g)) + c_sha_k[t] +
                        w[t & 15];
    const unsigned t2 = (rotr32(a, 2) ^ rotr32(a, 13) ^ rotr32(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    hh = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  h[0] += a;
  h[1] += b;
  h[2] += c;
  h[3] += d;
  h[4] += e;
  h[5] += f;
  h[6] += g;
  h[7] += hh;
}

__global__ void __launch_bounds__(128)
sha256_merkle_leaves(const uint4 *__restrict__ leaf, int n, uint4 *__restrict__ digest) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n) return;
  unsigned h[8], w[16];
#pragma unroll
  for (int k = 0; k < 8; ++k) h[k] = c_sha_iv[k];
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const uint4 q = leaf[(size_t)i * 4 + k];
    w[4 * k] = __byte_perm(q.x, 0, 0x0123);
    w[4 * k + 1] = __byte_perm(q.y, 0, 0x0123);
    w[4 * k + 2] = __byte_perm(q.z, 0, 0x0123);
    w[4 * k + 3] = __byte_perm(q.w, 0, 0x0123);
  }
  sha256_block(h, w);
#pragma unroll
  for (int k = 0; k < 16; ++k) w[k] = 0;
  w[0] = 0x80000000u;  // padding block: one bit, then the length of 512
  w[15] = 512;
  sha256_block(h, w);
  digest[(size_t)i * 2] = make_uint4(h[0], h[1], h[2], h[3]);
  digest[(size_t)i * 2 + 1] = make_uint4(h[4], h[5], h[6], h[7]);
}

static bool test_sha() {
  const int n = 250007;
  Rng rng(2525);
  std::vector<unsigned char> leaf((size_t)n * 64);
  for (size_t i = 0; i < leaf.size(); i += 8) {
    uint64_t z = rng.u64v();
    std::memcpy(&leaf[i], &z, 8);
  }
  CU(cudaMemcpyToSymbol(c_sha_k, h_sha_k, sizeof(h_sha_k)));
  CU(cudaMemcpyToSymbol(c_sha_iv, h_sha_iv, sizeof(h_sha_iv)));
  Dev<unsigned char> dleaf(leaf);
  Dev<unsigned> ddig((size_t)n * 8);
  for (int rep = 0; rep < kReps; ++rep)
    sha256_merkle_leaves<<<ceil_div(n, 128), 128>>>((const uint4 *)dleaf.p, n, (uint4 *)ddig.p);
  settle();
  std::vector<unsigned> dig = ddig.host();
  auto rr = [](unsigned x, int s) { return (x >> s) | (x << (32 - s)); };
  auto compress = [&](unsigned *h, const unsigned char *m) {
    unsigned w[64], s[8];
    for (int t = 0; t < 16; ++t)
      w[t] = (unsigned)m[4 * t] << 24 | (unsigned)m[4 * t + 1] << 16 | (unsigned)m[4 * t + 2] << 8 | m[4 * t + 3];
    for (int t = 16; t < 64; ++t)
      w[t] = w[t - 16] + w[t - 7] + (rr(w[t - 15], 7) ^ rr(w[t - 15], 18) ^ (w[t - 15] >> 3)) +
             (rr(w[t - 2], 17) ^ rr(w[t - 2], 19) ^ (w[t - 2] >> 10));
    std::memcpy(s, h, sizeof(s));
    for (int t = 0; t < 64; ++t) {
      unsigned t1 = s[7] + (rr(s[4], 6) ^ rr(s[4], 11) ^ rr(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) +
                    h_sha_k[t] + w[t];
      unsigned t2 = (rr(s[0], 2) ^ rr(s[0], 13) ^ rr(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
      for (int k = 7; k > 0; --k) s[k] = s[k - 1];
      s[4] += t1;
      s[0] = t1 + t2;
    }
    for (int k = 0; k < 8; ++k) h[k] += s[k];
  };
  unsigned char pad[64] = {0x80};
  pad[62] = 0x02;  // 512 bits, big endian
  size_t bad = 0;
  for (int i = 0; i < n; ++i) {
    unsigned h[8];
    std::memcpy(h, h_sha_iv, sizeof(h));
    compress(h, &leaf[(size_t)i * 64]);
    compress(h, pad);
    bad += std::memcmp(h, &dig[(size_t)i * 8], sizeof(h)) != 0;
  }
  return verdict("sha256_merkle_leaves", bad);
}

// =============================================================================
// 26. Batched LU with partial pivoting, 24x24 double, one warp per matrix, in place
// =============================================================================

constexpr int kLuN = 24, kLuLd = 25;

__global__ void __launch_bounds__(128)
lu24_pivot_warp_dp(double *__restrict__ mats, int *__restrict__ pivots, int batch) {
  __shared__ double tile[4][kLuN * kLuLd];
  const int w = threadIdx.x >> 5, lane = threadIdx.x & 31;
  const int id = blockIdx.x * 4 + w;
  if (id >= batch) return;  // leaves as a whole warp, nothing below is block-wide
  double *s = tile[w];
  double *g = mats + (size_t)id * kLuN * kLuN;
  for (int e = lane; e < kLuN * kLuN; e += 32) s[(e / kLuN) * kLuLd + e % kLuN] = g[e];
  __syncwarp();
  for (int k = 0; k < kLuN; ++k) {
    double v = lane >= k && lane < kLuN ? fabs(s[lane * kLuLd + k]) : -1.0;
    int p = lane;
#pragma unroll
    for (int d = 16; d; d >>= 1) {
      const double ov = __shfl_xor_sync(kAll, v, d);
      const int op = __shfl_xor_sync(kAll, p, d);
      if (ov > v || (ov == v && op < p)) {
        v = ov;
        p = op;
      }
    }
    if (lane == 0) pivots[(size_t)id * kLuN + k] = p;
    __syncwarp();
    if (p != k && lane < kLuN) {
      const double t = s[k * kLuLd + lane];
      s[k * kLuLd + lane] = s[p * kLuLd + lane];
      s[p * kLuLd + lane] = t;
    }
    __syncwarp();
    const double inv = 1.0 / s[k * kLuLd + k];
    if (lane > k && lane < kLuN) {
      const double l = s[lane * kLuLd + k] * inv;
      s[lane * kLuLd + k] = l;
      for (int j = k + 1; j < kLuN; ++j) s[lane * kLuLd + j] -= l * s[k * kLuLd + j];
    }
    __syncwarp();
  }
  for (int e = lane; e < kLuN * kLuN; e += 32) g[e] = s[(e / kLuN) * kLuLd + e % kLuN];
}

static bool test_lu() {
  const int batch = 6001, nn = kLuN * kLuN;
  Rng rng(2626);
  std::vector<double> a((size_t)batch * nn);
  for (auto &v : a) v = rng.gauss() + 1e-7 * rng.unit();
  Dev<double> pristine(a), dm(a.size());
  Dev<int> dpiv((size_t)batch * kLuN);
  for (int rep = 0; rep < kReps; ++rep) {
    dm.copy_from(pristine);
    lu24_pivot_warp_dp<<<ceil_div(batch, 4), 128>>>(dm.p, dpiv.p, batch);
  }
  settle();
  std::vector<double> lu = dm.host();
  std::vector<int> piv = dpiv.host();
  size_t bad = 0;
  std::vector<double> m(nn);
  for (int b = 0; b < batch; ++b) {
    // put the rows of A in the kernel's order and multiply its factors back together
    std::copy(a.begin() + (size_t)b * nn, a.begin() + (size_t)(b + 1) * nn, m.begin());
    const double *f = &lu[(size_t)b * nn];
    bool good = true;
    for (int k = 0; k < kLuN && good; ++k) {
      int p = piv[(size_t)b * kLuN + k];
      if (p < k || p >= kLuN) {
        good = false;
        break;
      }
      for (int j = 0; j < kLuN; ++j) std::swap(m[k * kLuN + j], m[p * kLuN + j]);
    }
    for (int i = 0; i < kLuN && good; ++i)
      for (int j = 0; j < kLuN; ++j) {
        double t = i <= j ? f[i * kLuN + j] : 0.0;
        for (int k = 0; k < std::min(i, j + 1); ++k) t += f[i * kLuN + k] * f[k * kLuN + j];
        if (!close_to(t, m[i * kLuN + j], 0, 1e-11)) good = false;
        if (j < i && !(std::fabs(f[i * kLuN + j]) <= 1.0 + 1e-12)) good = false;  // proof of pivoting
      }
    bad += !good;
  }
  return verdict("lu24_pivot_warp_dp", bad);
}

// =============================================================================
// 27. Matrix-vector product with 4-bit weights (blocks of 32) and int8 activations
// =============================================================================

constexpr int kQ4K = 4096, kQ4Blocks = kQ4K / 32;

__global__ void __launch_bounds__(256)
q4_gemv_dp4a_rows(const uint4 *__restrict__ wq, const __half *__restrict__ wscale, const int4 *__restrict__ xq,
                  const float *__restrict__ xscale, const int *__restrict__ xsum, int rows,
                  float *__restrict__ y) {
  __shared__ int4 sx[2 * kQ4Blocks];
  __shared__ float ss[kQ4Blocks];
  __shared__ int si[kQ4Blocks];
  for (int i = threadIdx.x; i < 2 * kQ4Blocks; i += 256) sx[i] = xq[i];
  for (int i = threadIdx.x; i < kQ4Blocks; i += 256) {
    ss[i] = xscale[i];
    si[i] = xsum[i];
  }
  __syncthreads();
  const int row = blockIdx.x * 8 + (threadIdx.x >> 5), lane = threadIdx.x & 31;
  if (row >= rows) return;
  float acc = 0.f;
#pragma unroll
  for (int b = lane; b < kQ4Blocks; b += 32) {
    const uint4 q = wq[(size_t)row * kQ4Blocks + b];
    const int4 lo = sx[2 * b], hi = sx[2 * b + 1];
    const unsigned nib = 0x0f0f0f0fu;
    int dot = 0;
    dot = __dp4a((int)(q.x & nib), lo.x, dot);
    dot = __dp4a((int)(q.y & nib), lo.y, dot);
    dot = __dp4a((int)(q.z & nib), lo.z, dot);
    dot = __dp4a((int)(q.w & nib), lo.w, dot);
    dot = __dp4a((int)((q.x >> 4) & nib), hi.x, dot);
    dot = __dp4a((int)((q.y >> 4) & nib), hi.y, dot);
    dot = __dp4a((int)((q.z >> 4) & nib), hi.z, dot);
    dot = __dp4a((int)((q.w >> 4) & nib), hi.w, dot);
    // weights are stored with an offset of 8
    acc += __half2float(wscale[(size_t)row * kQ4Blocks + b]) * ss[b] * (float)(dot - 8 * si[b]);
  }
#pragma unroll
  for (int d = 16; d; d >>= 1) acc += __shfl_xor_sync(kAll, acc, d);
  if (lane == 0) y[row] = acc;
}

static bool test_q4() {
  const int rows = 18944;
  Rng rng(2727);
  std::vector<unsigned char> wq((size_t)rows * kQ4Blocks * 16);
  for (auto &v : wq) {
    // bell-shaped codes, as a trained layer has them
    int lo = clampi(8 + (int)std::floor(2.6f * rng.gauss()), 0, 15);
    int hi = clampi(8 + (int)std::floor(2.6f * rng.gauss()), 0, 15);
    v = (unsigned char)(lo | hi << 4);
  }
  std::vector<__half> ws((size_t)rows * kQ4Blocks);
  for (auto &v : ws) v = __float2half(rng.uniform(0.002f, 0.02f));
  std::vector<signed char> xq(kQ4K);
  std::vector<float> xs(kQ4Blocks);
  std::vector<int> xi(kQ4Blocks, 0);
  for (int b = 0; b < kQ4Blocks; ++b) {
    float v[32], top = 1e-6f;
    for (float &f : v) {
      f = rng.gauss() * (rng.below(100) == 0 ? 12.f : 1.f);  // activations have outliers
      top = std::max(top, std::fabs(f));
    }
    xs[b] = top / 127.f;
    for (int k = 0; k < 32; ++k) {
      int q = clampi((int)std::lrint(v[k] / xs[b]), -127, 127);
      xq[b * 32 + k] = (signed char)q;
      xi[b] += q;
    }
  }
  Dev<unsigned char> dwq(wq);
  Dev<__half> dws(ws);
  Dev<signed char> dxq(xq);
  Dev<float> dxs(xs), dy(rows);
  Dev<int> dxi(xi);
  for (int rep = 0; rep < kReps; ++rep)
    q4_gemv_dp4a_rows<<<ceil_div(rows, 8), 256>>>((const uint4 *)dwq.p, dws.p, (const int4 *)dxq.p, dxs.p, dxi.p,
                                                  rows, dy.p);
  settle();
  std::vector<float> y = dy.host();
  size_t bad = 0;
  for (int r = 0; r < rows; ++r) {
    double want = 0, mag = 0;
    for (int b = 0; b < kQ4Blocks; ++b) {
      const unsigned char *q = &wq[((size_t)r * kQ4Blocks + b) * 16];
      const signed char *x = &xq[b * 32];
      int dot = 0;
      for (int k = 0; k < 16; ++k) dot += ((q[k] & 15) - 8) * x[k] + ((q[k] >> 4) - 8) * x[k + 16];
      double t = (double)__half2float(ws[(size_t)r * kQ4Blocks + b]) * xs[b] * dot;
      want += t;
      mag += std::fabs(t);
    }
    bad += !close_to(y[r], want, 0, 1e-5 * mag + 1e-6);
  }
  return verdict("q4_gemv_dp4a_rows", bad);
}

// =============================================================================
// 28. Windowed 1024-point FFT of radar pulses, radix-4 Stockham in shared memory
// =============================================================================

constexpr int kFftN = 1024;

__device__ inline float2 cmul(float2 a, float2 b) {
  return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

__global__ void __launch_bounds__(256)
fft1024_radix4_windowed(const float2 *__restrict__ in, const float *__restrict__ window,
                        float2 *__restrict__ out) {
  __shared__ float2 s[kFftN];
  const int j = threadIdx.x;
  const float2 *src = in + (size_t)blockIdx.x * kFftN;
  float2 *dst = out + (size_t)blockIdx.x * kFftN;
  float2 v[4];
#pragma unroll
  for (int r = 0; r < 4; ++r) {
    const float2 t = src[j + 256 * r];
    const float w = window[j + 256 * r];
    v[r] = make_float2(t.x * w, t.y * w);
  }
#pragma unroll
  for (int ns = 1; ns < kFftN; ns *= 4) {
    const int k = j & (ns - 1);
    if (ns > 1) {
      float2 w1;
      sincospif(-0.5f * (float)k / (float)ns, &w1.y, &w1.x);
      const float2 w2 = cmul(w1, w1), w3 = cmul(w2, w1);
      v[1] = cmul(v[1], w1);
      v[2] = cmul(v[2], w2);
      v[3] = cmul(v[3], w3);
    }
    const float2 a = make_float2(v[0].x + v[2].x, v[0].y + v[2].y);
    const float2 b = make_float2(v[0].x - v[2].x, v[0].y - v[2].y);
    const float2 c = make_float2(v[1].x + v[3].x, v[1].y + v[3].y);
    const float2 d = make_float2(v[1].y - v[3].y, v[3].x - v[1].x);  // -i * (v1 - v3)
    v[0] = make_float2(a.x + c.x, a.y + c.y);
    v[1] = make_float2(b.x + d.x, b.y + d.y);
    v[2] = make_float2(a.x - c.x, a.y - c.y);
    v[3] = make_float2(b.x - d.x, b.y - d.y);
    const int base = (j - k) * 4 + k;
    if (ns * 4 == kFftN) {
#pragma unroll
      for (int r = 0; r < 4; ++r) dst[base + r * ns] = v[r];
    } else {
      __syncthreads();  // the previous pass has been read by everyone
#pragma unroll
      for (int r = 0; r < 4; ++r) s[base + r * ns] = v[r];
      __syncthreads();
#pragma unroll
      for (int r = 0; r < 4; ++r) v[r] = s[j + 256 * r];
    }
  }
}

static bool test_fft() {
  const int batch = 4000;
  Rng rng(2828);
  std::vector<float2> in((size_t)batch * kFftN);
  std::vector<float> window(kFftN);
  const double tau = 6.283185307179586;
  for (int i = 0; i < kFftN; ++i) window[i] = (float)(0.5 - 0.5 * std::cos(tau * i / kFftN));
  for (int b = 0; b < batch; ++b) {
    float f = rng.uniform(0.f, 0.5f), chirp = rng.uniform(-2e-4f, 2e-4f), amp = rng.uniform(0.3f, 1.5f);
    for (int i = 0; i < kFftN; ++i) {
      float ph = 6.2831853f * (f * i + chirp * i * i);
      in[(size_t)b * kFftN + i] =
          make_float2(amp * std::cos(ph) + 0.2f * rng.gauss(), amp * std::sin(ph) + 0.2f * rng.gauss());
    }
  }
  Dev<float2> din(in), dout(in.size());
  Dev<float> dwin(window);
  for (int rep = 0; rep < kReps; ++rep) fft1024_radix4_windowed<<<batch, 256>>>(din.p, dwin.p, dout.p);
  settle();
  std::vector<float2> out = dout.host();
  std::vector<double> twr(kFftN / 2), twi(kFftN / 2), re(kFftN), im(kFftN);
  for (int i = 0; i < kFftN / 2; ++i) {
    twr[i] = std::cos(tau * i / kFftN);
    twi[i] = -std::sin(tau * i / kFftN);
  }
  size_t bad = 0;
  for (int b = 0; b < batch; ++b) {
    for (int i = 0; i < kFftN; ++i) {
      int rev = 0;
      for (int k = 0; k < 10; ++k) rev |= ((i >> k) & 1) << (9 - k);
      re[rev] = (double)in[(size_t)b * kFftN + i].x * window[i];
      im[rev] = (double)in[(size_t)b * kFftN + i].y * window[i];
    }
    for (int half = 1; half < kFftN; half *= 2)
      for (int g = 0; g < kFftN; g += 2 * half)
        for (int k = 0; k < half; ++k) {
          const int p = g + k, q = p + half, t = k * (kFftN / 2 / half);
          double xr = re[q] * twr[t] - im[q] * twi[t], xi = re[q] * twi[t] + im[q] * twr[t];
          re[q] = re[p] - xr;
          im[q] = im[p] - xi;
          re[p] += xr;
          im[p] += xi;
        }
    for (int i = 0; i < kFftN; ++i) {
      const float2 g = out[(size_t)b * kFftN + i];
      bad += !close_to(g.x, re[i], 1e-5, 2e-3) || !close_to(g.y, im[i], 1e-5, 2e-3);
    }
  }
  return verdict("fft1024_radix4_windowed", bad);
}

// =============================================================================
// 29. BVH broad phase: overlaps of moving boxes with a static scene
// =============================================================================

__global__ void __launch_bounds__(64)
bvh_box_overlap_stack(const float4 *__restrict__ nodes, const float4 *__restrict__ prim_lo,
                      const float4 *__restrict__ prim_hi, const float4 *__restrict__ query_lo,
                      const float4 *__restrict__ query_hi, int nquery, int2 *__restrict__ result) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= nquery) return;
  const float4 ql = query_lo[i], qh = query_hi[i];
  auto hits = [&](const float4 &lo, const float4 &hi) {
    return lo.x <= qh.x && hi.x >= ql.x && lo.y <= qh.y && hi.y >= ql.y && lo.z <= qh.z && hi.z >= ql.z;
  };
  int stack[32];
  int sp = 0, node = 0, count = 0, first = 0x7fffffff;
  for (;;) {
    const float4 lo = nodes[2 * node], hi = nodes[2 * node + 1];
    const int link = __float_as_int(lo.w), nprim = __float_as_int(hi.w);
    if (hits(lo, hi)) {
      if (nprim == 0) {  // inner node: left child follows, right child by link
        stack[sp++] = link;
        ++node;
        continue;
      }
      for (int k = 0; k < nprim; ++k) {
        const float4 pl = prim_lo[link + k];
        if (hits(pl, prim_hi[link + k])) {
          ++count;
          first = min(first, __float_as_int(pl.w));
        }
      }
    }
    if (sp == 0) break;
    node = stack[--sp];
  }
  result[i] = make_int2(count, first);
}

struct BvhBuilder {
  const std::vector<float4> &lo, &hi;
  std::vector<int> order;
  std::vector<float4> nodes;

  BvhBuilder(const std::vector<float4> &l, const std::vector<float4> &h) : lo(l), hi(h), order(l.size()) {
    std::iota(order.begin(), order.end(), 0);
    build(0, (int)order.size());
  }
  static float axis_of(const float4 &v, int a) { return a == 0 ? v.x : (a == 1 ? v.y : v.z); }

  int build(int b, int e) {
    const int me = (int)nodes.size() / 2;
    float4 l = make_float4(1e30f, 1e30f, 1e30f, 0.f), h = make_float4(-1e30f, -1e30f, -1e30f, 0.f);
    for (int k = b; k < e; ++k) {
      const float4 &p = lo[order[k]], &q = hi[order[k]];
      l.x = std::min(l.x, p.x);
      l.y = std::min(l.y, p.y);
      l.z = std::min(l.z, p.z);
      h.x = std::max(h.x, q.x);
      h.y = std::max(h.y, q.y);
      h.z = std::max(h.z, q.z);
    }
    nodes.push_back(l);
    nodes.push_back(h);
    int link = b, count = e - b;
    if (e - b > 4) {
      const float ex = h.x - l.x, ey = h.y - l.y, ez = h.z - l.z;
      const int a = ex >= ey && ex >= ez ? 0 : (ey >= ez ? 1 : 2);
      const int mid = (b + e) / 2;
      std::nth_element(order.begin() + b, order.begin() + mid, order.begin() + e, [&](int p, int q) {
        return axis_of(lo[p], a) + axis_of(hi[p], a) < axis_of(lo[q], a) + axis_of(hi[q], a);
      });
      build(b, mid);
      link = build(mid, e);
      count = 0;
    }
    std::memcpy(&nodes[2 * me].w, &link, 4);
    std::memcpy(&nodes[2 * me + 1].w, &count, 4);
    return me;
  }
};

static bool test_bvh() {
  const int nprim = 80000, nquery = 60000;
  Rng rng(2929);
  std::vector<float4> hub(40);
  for (auto &c : hub) c = make_float4(rng.uniform(5.f, 95.f), rng.uniform(5.f, 95.f), rng.uniform(5.f, 95.f), 0.f);
  auto box = [&](float4 &l, float4 &h, bool clustered) {
    float x = rng.uniform(0.f, 100.f), y = rng.uniform(0.f, 100.f), z = rng.uniform(0.f, 100.f);
    if (clustered) {
      const float4 &c = hub[rng.below(40)];
      x = c.x + 6.f * rng.gauss();
      y = c.y + 6.f * rng.gauss();
      z = c.z + 6.f * rng.gauss();
    }
    float sx = rng.uniform(0.15f, 0.8f), sy = rng.uniform(0.15f, 0.8f), sz = rng.uniform(0.15f, 0.8f);
    l = make_float4(x - sx, y - sy, z - sz, 0.f);
    h = make_float4(x + sx, y + sy, z + sz, 0.f);
  };
  std::vector<float4> pl(nprim), ph(nprim), ql(nquery), qh(nquery);
  for (int i = 0; i < nprim; ++i) box(pl[i], ph[i], rng.below(3) != 0);
  for (int i = 0; i < nquery; ++i) box(ql[i], qh[i], rng.below(2) == 0);
  BvhBuilder bvh(pl, ph);
  std::vector<float4> sl(nprim), sh(nprim);
  for (int k = 0; k < nprim; ++k) {
    sl[k] = pl[bvh.order[k]];
    sh[k] = ph[bvh.order[k]];
    std::memcpy(&sl[k].w, &bvh.order[k], 4);
  }
  Dev<float4> dnodes(bvh.nodes), dsl(sl), dsh(sh), dql(ql), dqh(qh);
  Dev<int2> dres(nquery);
  for (int rep = 0; rep < kReps; ++rep)
    bvh_box_overlap_stack<<<ceil_div(nquery, 64), 64>>>(dnodes.p, dsl.p, dsh.p, dql.p, dqh.p, nquery, dres.p);
  settle();
  std::vector<int2> res = dres.host();
  // reference without the tree: sweep along x
  std::vector<int> by_x(nprim);
  std::iota(by_x.begin(), by_x.end(), 0);
  std::sort(by_x.begin(), by_x.end(), [&](int a, int b) { return pl[a].x < pl[b].x; });
  std::vector<float> xs(nprim);
  for (int k = 0; k < nprim; ++k) xs[k] = pl[by_x[k]].x;
  size_t bad = 0;
  for (int i = 0; i < nquery; ++i) {
    int count = 0, first = 0x7fffffff;
    // no box is wider than 1.6, so nothing that starts further left can reach us
    size_t k = std::lower_bound(xs.begin(), xs.end(), ql[i].x - 1.7f) - xs.begin();
    for (; k < xs.size() && xs[k] <= qh[i].x; ++k) {
      const int p = by_x[k];
      if (ph[p].x >= ql[i].x && pl[p].y <= qh[i].y && ph[p].y >= ql[i].y && pl[p].z <= qh[i].z &&
          ph[p].z >= ql[i].z) {
        ++count;
        first = std::min(first, p);
      }
    }
    bad += res[i].x != count || res[i].y != first;
  }
  return verdict("bvh_box_overlap_stack", bad);
}

// =============================================================================

int main() {
  bool (*const tests[])() = {
      test_ell,     test_csr_half, test_bfs,     test_cc,     test_hist12,    test_groupby, test_bitonic, test_merge,
      test_scan,    test_compact,  test_heat3d,  test_weno,   test_embbag,    test_nhwc,    test_softmax, test_rope,
      test_xent,    test_bilateral, test_remap,  test_lj,     test_asian,     test_edit,    test_viterbi, test_aho,
      test_sha,     test_lu,       test_q4,      test_fft,    test_bvh,
  };
  int wrong = 0, total = 0;
  for (auto t : tests) {
    ++total;
    if (!t()) ++wrong;
  }
  std::printf("%d of %d kernels wrong\n", wrong, total);
  return wrong ? 1 : 0;
}
