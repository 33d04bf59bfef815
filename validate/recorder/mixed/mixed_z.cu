// mixed_z.cu - 29 independent CUDA kernels with host-side checks.
// build: nvcc -O3 -std=c++17 -arch=sm_90 mixed_z.cu
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#define CK(x)                                                                         \
  do {                                                                                \
    cudaError_t e_ = (x);                                                             \
    if (e_ != cudaSuccess) {                                                          \
      fprintf(stderr, "CUDA error '%s' at line %d\n", cudaGetErrorString(e_), __LINE__); \
      exit(2);                                                                        \
    }                                                                                 \
  } while (0)

#define FULL 0xffffffffu
typedef unsigned long long u64;

// ------------------------------------------------------------------ host utils
struct Rng {
  uint64_t s;
  explicit Rng(uint64_t seed) : s(seed * 0x9E3779B97F4A7C15ull + 12345) {}
  uint64_t next() {
    uint64_t z = (s += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }
  uint32_t u32() { return (uint32_t)(next() >> 32); }
  uint32_t below(uint32_t n) { return (uint32_t)(((next() >> 32) * (uint64_t)n) >> 32); }
  float uf() { return (float)(next() >> 40) * (1.0f / 16777216.0f); }
  double ud() { return (double)(next() >> 11) * (1.0 / 9007199254740992.0); }
  float sym(float a) { return (uf() * 2.0f - 1.0f) * a; }
  float bell() { return (uf() + uf() + uf() + uf() - 2.0f) * 1.73f; }  // ~N(0,1)
};

static size_t g_live = 0, g_peak = 0;

template <class T>
struct DBuf {
  T* p = nullptr;
  size_t n;
  explicit DBuf(size_t n_) : n(n_) {
    CK(cudaMalloc((void**)&p, n * sizeof(T)));
    g_live += n * sizeof(T);
    g_peak = std::max(g_peak, g_live);
  }
  explicit DBuf(const std::vector<T>& h) : DBuf(h.size()) { up(h); }
  DBuf(const DBuf&) = delete;
  DBuf& operator=(const DBuf&) = delete;
  ~DBuf() {
    cudaFree(p);
    g_live -= n * sizeof(T);
  }
  void up(const std::vector<T>& h) {
    CK(cudaMemcpy(p, h.data(), h.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  void zero() { CK(cudaMemset(p, 0, n * sizeof(T))); }
  std::vector<T> down() const {
    std::vector<T> h(n);
    CK(cudaMemcpy(h.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost));
    return h;
  }
};

static void finish() {
  CK(cudaGetLastError());
  CK(cudaDeviceSynchronize());
}
static int cdiv(long long a, long long b) { return (int)((a + b - 1) / b); }
static bool close_f(double a, double b, double rel, double abs_) {
  double d = fabs(a - b);
  return d <= abs_ + rel * fabs(b);  // NaN -> false
}

static void fill_half(std::vector<half>& v, Rng& r, float amp) {
  static thread_local std::vector<half> tab;
  tab.resize(4096);
  for (auto& t : tab) t = __float2half(r.bell() * amp);
  size_t i = 0;
  while (i < v.size()) {
    uint64_t x = r.next();
    for (int k = 0; k < 5 && i < v.size(); k++, x >>= 12) v[i++] = tab[x & 4095];
  }
}
static void fill_bf16(std::vector<__nv_bfloat16>& v, Rng& r, float amp) {
  std::vector<__nv_bfloat16> tab(4096);
  for (auto& t : tab) t = __float2bfloat16(r.bell() * amp);
  size_t i = 0;
  while (i < v.size()) {
    uint64_t x = r.next();
    for (int k = 0; k < 5 && i < v.size(); k++, x >>= 12) v[i++] = tab[x & 4095];
  }
}

// ---------------------------------------------------------------- device utils
__device__ __forceinline__ float warp_sum(float v) {
#pragma unroll
  for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(FULL, v, o);
  return v;
}
__device__ __forceinline__ float warp_max(float v) {
#pragma unroll
  for (int o = 16; o > 0; o >>= 1) v = fmaxf(v, __shfl_xor_sync(FULL, v, o));
  return v;
}
// sh must hold 32 floats; every thread gets the result; blockDim.x a multiple of 32
__device__ __forceinline__ float block_sum(float v, float* sh) {
  int lane = threadIdx.x & 31, w = threadIdx.x >> 5, nw = blockDim.x >> 5;
  v = warp_sum(v);
  if (lane == 0) sh[w] = v;
  __syncthreads();
  v = warp_sum(lane < nw ? sh[lane] : 0.0f);
  __syncthreads();
  return v;
}
__device__ __forceinline__ float block_max(float v, float* sh) {
  int lane = threadIdx.x & 31, w = threadIdx.x >> 5, nw = blockDim.x >> 5;
  v = warp_max(v);
  if (lane == 0) sh[w] = v;
  __syncthreads();
  v = warp_max(lane < nw ? sh[lane] : -INFINITY);
  __syncthreads();
  return v;
}

// ============================================================ 1. fused add + RMSNorm (bf16)
__global__ void fused_add_rmsnorm_bf16(__nv_bfloat162* __restrict__ x, __nv_bfloat162* __restrict__ res,
                                       const __nv_bfloat162* __restrict__ weight, float eps, int hidden) {
  __shared__ float sh[32];
  const int h2 = hidden >> 1;
  __nv_bfloat162* xr = x + (size_t)blockIdx.x * h2;
  __nv_bfloat162* rr = res + (size_t)blockIdx.x * h2;
  float ss = 0.0f;
  for (int i = threadIdx.x; i < h2; i += blockDim.x) {
    float2 a = __bfloat1622float2(xr[i]);
    float2 b = __bfloat1622float2(rr[i]);
    __nv_bfloat162 z = __floats2bfloat162_rn(a.x + b.x, a.y + b.y);
    float2 zf = __bfloat1622float2(z);
    ss += zf.x * zf.x + zf.y * zf.y;
    rr[i] = z;
  }
  ss = block_sum(ss, sh);
  const float inv = rsqrtf(ss / (float)hidden + eps);
  for (int i = threadIdx.x; i < h2; i += blockDim.x) {
    float2 z = __bfloat1622float2(rr[i]);
    float2 w = __bfloat1622float2(weight[i]);
    xr[i] = __floats2bfloat162_rn(z.x * inv * w.x, z.y * inv * w.y);
  }
}

static bool test_fused_add_rmsnorm_bf16() {
  const int cfg[4][2] = {{384, 2048}, {512, 4096}, {1024, 5120}, {2048, 2560}};
  bool ok = true;
  for (int c = 0; c < 4; c++) {
    int T = cfg[c][0], H = cfg[c][1];
    Rng r(100 + c);
    std::vector<__nv_bfloat16> x((size_t)T * H), res((size_t)T * H), w(H);
    fill_bf16(x, r, 1.0f);
    fill_bf16(res, r, 2.0f);
    for (auto& v : w) v = __float2bfloat16(0.5f + r.uf());
    DBuf<__nv_bfloat16> dx(x), dr(res), dw(w);
    fused_add_rmsnorm_bf16<<<T, 256>>>((__nv_bfloat162*)dx.p, (__nv_bfloat162*)dr.p, (const __nv_bfloat162*)dw.p, 1e-5f, H);
    finish();
    if (c) continue;
    auto ox = dx.down();
    auto orr = dr.down();
    for (int t = 0; t < T && ok; t++) {
      std::vector<float> z(H);
      double ss = 0;
      for (int i = 0; i < H; i++) {
        size_t k = (size_t)t * H + i;
        z[i] = __bfloat162float(__float2bfloat16(__bfloat162float(x[k]) + __bfloat162float(res[k])));
        ss += (double)z[i] * z[i];
      }
      double inv = 1.0 / sqrt(ss / H + 1e-5);
      for (int i = 0; i < H; i++) {
        size_t k = (size_t)t * H + i;
        if (__bfloat162float(orr[k]) != z[i]) ok = false;
        if (!close_f(__bfloat162float(ox[k]), z[i] * inv * __bfloat162float(w[i]), 0.01, 1e-3)) ok = false;
      }
    }
  }
  return ok;
}

// ============================================================ 2. rotary embedding, NeoX style (half)
__global__ void rope_neox_half(half* __restrict__ q, half* __restrict__ k, const int* __restrict__ pos,
                               const float* __restrict__ cache, int nq, int nk, int hd, int rot) {
  const int t = blockIdx.x;
  const float* cs = cache + (size_t)pos[t] * rot;
  const int hr = rot >> 1;
  const int total = (nq + nk) * hr;
  for (int i = threadIdx.x; i < total; i += blockDim.x) {
    int h = i / hr, r = i - h * hr;
    half* base = h < nq ? q + ((size_t)t * nq + h) * hd : k + ((size_t)t * nk + (h - nq)) * hd;
    float c = __ldg(cs + r), s = __ldg(cs + hr + r);
    float a = __half2float(base[r]), b = __half2float(base[r + hr]);
    base[r] = __float2half(a * c - b * s);
    base[r + hr] = __float2half(b * c + a * s);
  }
}

static bool test_rope_neox_half() {
  const int cfg[4][5] = {{512, 32, 8, 128, 128}, {2048, 16, 16, 64, 64}, {1536, 28, 4, 128, 128}, {4096, 32, 8, 80, 32}};
  const int maxpos = 4096;
  bool ok = true;
  for (int c = 0; c < 4; c++) {
    int T = cfg[c][0], nq = cfg[c][1], nk = cfg[c][2], hd = cfg[c][3], rot = cfg[c][4];
    Rng r(200 + c);
    std::vector<half> q((size_t)T * nq * hd), k((size_t)T * nk * hd);
    fill_half(q, r, 1.0f);
    fill_half(k, r, 1.0f);
    std::vector<int> pos(T);
    for (auto& p : pos) p = r.below(maxpos);
    std::vector<float> cache((size_t)maxpos * rot);
    for (int j = 0; j < rot / 2; j++) {
      double f = pow(10000.0, -2.0 * j / rot);
      for (int p = 0; p < maxpos; p++) {
        cache[(size_t)p * rot + j] = (float)cos(p * f);
        cache[(size_t)p * rot + rot / 2 + j] = (float)sin(p * f);
      }
    }
    DBuf<half> dq(q), dk(k);
    DBuf<int> dp(pos);
    DBuf<float> dc(cache);
    rope_neox_half<<<T, 256>>>(dq.p, dk.p, dp.p, dc.p, nq, nk, hd, rot);
    finish();
    if (c) continue;
    auto oq = dq.down();
    auto ok_ = dk.down();
    for (int t = 0; t < T; t++)
      for (int h = 0; h < nq + nk; h++) {
        const half* in = h < nq ? &q[((size_t)t * nq + h) * hd] : &k[((size_t)t * nk + h - nq) * hd];
        const half* out = h < nq ? &oq[((size_t)t * nq + h) * hd] : &ok_[((size_t)t * nk + h - nq) * hd];
        for (int j = 0; j < rot / 2; j++) {
          float cc = cache[(size_t)pos[t] * rot + j], ss = cache[(size_t)pos[t] * rot + rot / 2 + j];
          float a = __half2float(in[j]), b = __half2float(in[j + rot / 2]);
          if (!close_f(__half2float(out[j]), a * cc - b * ss, 2e-3, 1e-3)) ok = false;
          if (!close_f(__half2float(out[j + rot / 2]), b * cc + a * ss, 2e-3, 1e-3)) ok = false;
        }
      }
  }
  return ok;
}

// ============================================================ 3. per-token dynamic int8 quantisation
__global__ void dynamic_quant_int8_token(const half* __restrict__ in, int8_t* __restrict__ out,
                                         float* __restrict__ scales, int hidden) {
  __shared__ float sh[32];
  const int nv = hidden >> 3;
  const uint4* row = reinterpret_cast<const uint4*>(in + (size_t)blockIdx.x * hidden);
  float m = 0.0f;
  for (int i = threadIdx.x; i < nv; i += blockDim.x) {
    uint4 v = row[i];
    const half2* h = reinterpret_cast<const half2*>(&v);
    half2 a = __hmax2(__hmax2(__habs2(h[0]), __habs2(h[1])), __hmax2(__habs2(h[2]), __habs2(h[3])));
    m = fmaxf(m, fmaxf(__low2float(a), __high2float(a)));
  }
  m = block_max(m, sh);
  const float scale = fmaxf(m, 1e-6f) / 127.0f;
  const float inv = 1.0f / scale;
  if (threadIdx.x == 0) scales[blockIdx.x] = scale;
  uint2* orow = reinterpret_cast<uint2*>(out + (size_t)blockIdx.x * hidden);
  for (int i = threadIdx.x; i < nv; i += blockDim.x) {
    uint4 v = row[i];
    const half2* h = reinterpret_cast<const half2*>(&v);
    unsigned int packed[2] = {0u, 0u};
#pragma unroll
    for (int j = 0; j < 4; j++) {
      float2 f = __half22float2(h[j]);
      int a = max(-127, min(127, __float2int_rn(f.x * inv)));
      int b = max(-127, min(127, __float2int_rn(f.y * inv)));
      packed[j >> 1] |= ((unsigned)(a & 255) | ((unsigned)(b & 255) << 8)) << ((j & 1) * 16);
    }
    orow[i] = make_uint2(packed[0], packed[1]);
  }
}

static bool test_dynamic_quant_int8_token() {
  const int cfg[4][2] = {{512, 2048}, {1024, 4096}, {700, 8192}, {2048, 3584}};
  bool ok = true;
  for (int c = 0; c < 4; c++) {
    int T = cfg[c][0], H = cfg[c][1];
    Rng r(300 + c);
    std::vector<half> x((size_t)T * H);
    fill_half(x, r, 3.0f);
    DBuf<half> dx(x);
    DBuf<int8_t> dout((size_t)T * H);
    DBuf<float> ds(T);
    dout.zero();
    ds.zero();
    dynamic_quant_int8_token<<<T, 256>>>(dx.p, dout.p, ds.p, H);
    finish();
    if (c) continue;
    auto o = dout.down();
    auto s = ds.down();
    for (int t = 0; t < T; t++) {
      float m = 0;
      for (int i = 0; i < H; i++) m = std::max(m, fabsf(__half2float(x[(size_t)t * H + i])));
      if (!close_f(s[t], m / 127.0f, 1e-5, 1e-9)) ok = false;
      for (int i = 0; i < H; i++) {
        float v = __half2float(x[(size_t)t * H + i]) / (m / 127.0f);
        if (!(fabsf(v - (float)o[(size_t)t * H + i]) <= 0.501f)) ok = false;
      }
    }
  }
  return ok;
}

// ============================================================ 4. AWQ group-wise int4 dequantisation
__global__ void awq_dequant_int4(const uint32_t* __restrict__ qw, const half* __restrict__ scales,
                                 const uint32_t* __restrict__ qz, half* __restrict__ out, int K, int N, int G) {
  const int w = blockIdx.x * blockDim.x + threadIdx.x;  // packed column
  const int k = blockIdx.y * blockDim.y + threadIdx.y;  // row
  const int NW = N >> 3;
  if (w >= NW || k >= K) return;
  const int g = k / G;
  const uint32_t q = qw[(size_t)k * NW + w];
  const uint32_t z = __ldg(qz + (size_t)g * NW + w);
  uint4 sv = __ldg(reinterpret_cast<const uint4*>(scales + (size_t)g * N + w * 8));
  const half* s = reinterpret_cast<const half*>(&sv);
  const int inv_order[8] = {0, 4, 1, 5, 2, 6, 3, 7};
  uint4 ov;
  half* o = reinterpret_cast<half*>(&ov);
#pragma unroll
  for (int j = 0; j < 8; j++) {
    int sh = inv_order[j] * 4;
    int d = (int)((q >> sh) & 15u) - (int)((z >> sh) & 15u);
    o[j] = __float2half_rn((float)d * __half2float(s[j]));
  }
  *reinterpret_cast<uint4*>(out + (size_t)k * N + w * 8) = ov;
}

static bool test_awq_dequant_int4() {
  const int cfg[4][3] = {{2048, 1024, 128}, {4096, 1536, 128}, {2560, 2560, 64}, {4096, 4096, 128}};
  const int inv_order[8] = {0, 4, 1, 5, 2, 6, 3, 7};
  bool ok = true;
  for (int c = 0; c < 4; c++) {
    int K = cfg[c][0], N = cfg[c][1], G = cfg[c][2], NG = K / G;
    Rng r(400 + c);
    std::vector<uint32_t> qw((size_t)K * N / 8), qz((size_t)NG * N / 8);
    std::vector<half> s((size_t)NG * N);
    for (auto& v : qw) v = r.u32();
    for (auto& v : qz) v = r.u32();
    for (auto& v : s) v = __float2half(0.002f + 0.02f * r.uf());
    DBuf<uint32_t> dq(qw), dz(qz);
    DBuf<half> ds(s), dout((size_t)K * N);
    dout.zero();
    dim3 b(64, 4), g(cdiv(N / 8, 64), cdiv(K, 4));
    awq_dequant_int4<<<g, b>>>(dq.p, ds.p, dz.p, dout.p, K, N, G);
    finish();
    if (c) continue;
    auto o = dout.down();
    for (int k = 0; k < K; k++)
      for (int n = 0; n < N; n++) {
        int sh = inv_order[n & 7] * 4;
        int d = (int)((qw[((size_t)k * N + n) / 8] >> sh) & 15) - (int)((qz[((size_t)(k / G) * N + n) / 8] >> sh) & 15);
        float ref = (float)d * __half2float(s[(size_t)(k / G) * N + n]);
        if (!close_f(__half2float(o[(size_t)k * N + n]), ref, 1e-3, 1e-6)) ok = false;
      }
  }
  return ok;
}

// ============================================================ 5. paged KV-cache decode attention (half, GQA)
#define PA_HD 128
#define PA_BS 16
__global__ void __launch_bounds__(128) paged_decode_attention(half* __restrict__ out, const half* __restrict__ q,
                                                              const half* __restrict__ kc, const half* __restrict__ vc,
                                                              const int* __restrict__ table, const int* __restrict__ lens,
                                                              int nkv, int max_blocks, float scale) {
  extern __shared__ float pa_logits[];
  __shared__ float sh[32];
  const int h = blockIdx.x, s = blockIdx.y, nh = gridDim.x;
  const int kvh = h / (nh / nkv);
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  const int ctx = lens[s];
  const int* bt = table + (size_t)s * max_blocks;

  uint2 qv = *reinterpret_cast<const uint2*>(q + ((size_t)s * nh + h) * PA_HD + lane * 4);
  float2 q0 = __half22float2(*reinterpret_cast<half2*>(&qv.x));
  float2 q1 = __half22float2(*reinterpret_cast<half2*>(&qv.y));

  float m = -INFINITY;
  for (int t = warp; t < ctx; t += 4) {
    int blk = __ldg(bt + t / PA_BS);
    const half* kp = kc + (((size_t)blk * nkv + kvh) * PA_BS + (t % PA_BS)) * PA_HD + lane * 4;
    uint2 kv = __ldg(reinterpret_cast<const uint2*>(kp));
    float2 k0 = __half22float2(*reinterpret_cast<half2*>(&kv.x));
    float2 k1 = __half22float2(*reinterpret_cast<half2*>(&kv.y));
    float d = warp_sum(q0.x * k0.x + q0.y * k0.y + q1.x * k1.x + q1.y * k1.y) * scale;
    if (lane == 0) pa_logits[t] = d;
    m = fmaxf(m, d);
  }
  m = block_max(m, sh);
  float sum = 0.0f;
  for (int t = threadIdx.x; t < ctx; t += blockDim.x) {
    float p = __expf(pa_logits[t] - m);
    pa_logits[t] = p;
    sum += p;
  }
  sum = block_sum(sum, sh);
  const float inv = 1.0f / sum;
  float acc = 0.0f;
  for (int t0 = 0; t0 < ctx; t0 += PA_BS) {
    int blk = __ldg(bt + t0 / PA_BS);
    const half* vp = vc + ((size_t)blk * nkv + kvh) * PA_BS * PA_HD + threadIdx.x;
    int lim = min(PA_BS, ctx - t0);
    for (int j = 0; j < lim; j++) acc += pa_logits[t0 + j] * __half2float(vp[j * PA_HD]);
  }
  out[((size_t)s * nh + h) * PA_HD + threadIdx.x] = __float2half(acc * inv);
}

static bool test_paged_decode_attention() {
  // seqs, heads, kv heads, max context
  const int cfg[4][4] = {{8, 16, 4, 320}, {32, 8, 1, 1500}, {8, 32, 8, 1024}, {16, 32, 8, 600}};
  bool ok = true;
  for (int c = 0; c < 4; c++) {
    int S = cfg[c][0], nh = cfg[c][1], nkv = cfg[c][2], mc = cfg[c][3];
    int mb = cdiv(mc, PA_BS), nb = S * mb;
    Rng r(500 + c);
    std::vector<half> q((size_t)S * nh * PA_HD), kc((size_t)nb * nkv * PA_BS * PA_HD), vc(kc.size());
    fill_half(q, r, 1.0f);
    fill_half(kc, r, 1.0f);
    fill_half(vc, r, 1.0f);
    std::vector<int> table(nb), lens(S);
    std::iota(table.begin(), table.end(), 0);
    for (int i = nb - 1; i > 0; i--) std::swap(table[i], table[r.below(i + 1)]);
    for (auto& l : lens) l = mc / 2 + r.below(mc / 2 + 1);
    DBuf<half> dq(q), dk(kc), dv(vc), dout(q.size());
    DBuf<int> dt(table), dl(lens);
    dout.zero();
    float scale = 1.0f / sqrtf((float)PA_HD);
    dim3 g(nh, S);
    paged_decode_attention<<<g, 128, mc * sizeof(float)>>>(dout.p, dq.p, dk.p, dv.p, dt.p, dl.p, nkv, mb, scale);
    finish();
    if (c) continue;
    auto o = dout.down();
    std::vector<float> kf(kc.size()), vf(vc.size());
    for (size_t i = 0; i < kc.size(); i++) kf[i] = __half2float(kc[i]), vf[i] = __half2float(vc[i]);
    for (int s = 0; s < S; s++)
      for (int h = 0; h < nh; h++) {
        int kvh = h / (nh / nkv);
        std::vector<double> p(lens[s]);
        double m = -1e30, sum = 0;
        for (int t = 0; t < lens[s]; t++) {
          const float* kp = &kf[(((size_t)table[s * mb + t / PA_BS] * nkv + kvh) * PA_BS + t % PA_BS) * PA_HD];
          double d = 0;
          for (int i = 0; i < PA_HD; i++) d += __half2float(q[((size_t)s * nh + h) * PA_HD + i]) * kp[i];
          p[t] = d * scale;
          m = std::max(m, p[t]);
        }
        std::vector<double> acc(PA_HD, 0.0);
        for (int t = 0; t < lens[s]; t++) {
          double e = exp(p[t] - m);
          sum += e;
          const float* vp = &vf[(((size_t)table[s * mb + t / PA_BS] * nkv + kvh) * PA_BS + t % PA_BS) * PA_HD];
          for (int i = 0; i < PA_HD; i++) acc[i] += e * vp[i];
        }
        for (int i = 0; i < PA_HD; i++)
          if (!close_f(__half2float(o[((size_t)s * nh + h) * PA_HD + i]), acc[i] / sum, 5e-3, 2e-3)) ok = false;
      }
  }
  return ok;
}

// ============================================================ 6. Gumbel-max token sampling
__host__ __device__ inline uint32_t mix_hash(uint32_t a, uint32_t b, uint32_t c) {
  uint32_t h = a * 0x9E3779B1u ^ (b + 0x7F4A7C15u) * 0x85EBCA77u ^ (c + 0x165667B1u) * 0xC2B2AE3Du;
  h ^= h >> 15;
  h *= 0x2C1B3C6Du;
  h ^= h >> 12;
  h *= 0x297A2D39u;
  h ^= h >> 15;
  return h;
}

__global__ void __launch_bounds__(256) gumbel_sample_rows(const float* __restrict__ logits, int* __restrict__ out,
                                                          float inv_temp, uint32_t seed, int vocab) {
  __shared__ float sv[8];
  __shared__ int si[8];
  const float* row = logits + (size_t)blockIdx.x * vocab;
  float best = -INFINITY;
  int bi = 0x7fffffff;
  for (int i = threadIdx.x; i < vocab; i += blockDim.x) {
    uint32_t h = mix_hash(seed, blockIdx.x, i);
    float u = ((float)(h >> 9) + 0.5f) * (1.0f / 8388608.0f);
    float sc = row[i] * inv_temp - logf(-logf(u));
    if (sc > best) {
      best = sc;
      bi = i;
    }
  }
#pragma unroll
  for (int o = 16; o > 0; o >>= 1) {
    float ov = __shfl_down_sync(FULL, best, o);
    int oi = __shfl_down_sync(FULL, bi, o);
    if (ov > best || (ov == best && oi < bi)) {
      best = ov;
      bi = oi;
    }
  }
  if ((threadIdx.x & 31) == 0) {
    sv[threadIdx.x >> 5] = best;
    si[threadIdx.x >> 5] = bi;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < (int)(blockDim.x >> 5); w++)
      if (sv[w] > best || (sv[w] == best && si[w] < bi)) {
        best = sv[w];
        bi = si[w];
      }
    out[blockIdx.x] = bi;
  }
}

static bool test_gumbel_sample_rows() {
  const int cfg[4][2] = {{32, 32000}, {96, 50257}, {40, 128256}, {320, 16384}};
  bool ok = true;
  for (int c = 0; c < 4; c++) {
    int R = cfg[c][0], V = cfg[c][1];
    Rng r(600 + c);
    std::vector<float> lg((size_t)R * V);
    for (auto& v : lg) v = r.sym(6.0f);
    DBuf<float> dl(lg);
    DBuf<int> dout(R);
    dout.zero();
    float it = 1.0f / (0.7f + 0.1f * c);
    gumbel_sample_rows<<<R, 256>>>(dl.p, dout.p, it, 1234u + c, V);
    finish();
    auto o = dout.down();
    for (int i = 0; i < R; i++) ok = ok && o[i] >= 0 && o[i] < V;
    if (c || !ok) continue;
    for (int i = 0; i < R; i++) {
      double best = -1e30, mine = 0;
      for (int j = 0; j < V; j++) {
        float u = ((float)(mix_hash(1234u, i, j) >> 9) + 0.5f) * (1.0f / 8388608.0f);
        double sc = (double)lg[(size_t)i * V + j] * it - log(-log((double)u));
        best = std::max(best, sc);
        if (j == o[i]) mine = sc;
      }
      if (!(mine >= best - 1e-3)) ok = false;
    }
  }
  return ok;
}

// ============================================================ 7. weighted embedding bag (mean, half table)
__global__ void embedding_bag_mean(const half2* __restrict__ table, const int* __restrict__ idx,
                                   const int* __restrict__ off, const float* __restrict__ psw, float2* __restrict__ out,
                                   int bags, int dim2) {
  const int w = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, lane = threadIdx.x & 31;
  if (w >= bags) return;
  const int b = off[w], e = off[w + 1];
  const float inv = e > b ? 1.0f / (float)(e - b) : 0.0f;
  for (int c = lane; c < dim2; c += 32) {
    float2 acc = make_float2(0.0f, 0.0f);
    for (int i = b; i < e; i++) {
      int row = __ldg(idx + i);
      float wt = __ldg(psw + i);
      float2 v = __half22float2(__ldg(table + (size_t)row * dim2 + c));
      acc.x += wt * v.x;
      acc.y += wt * v.y;
    }
    out[(size_t)w * dim2 + c] = make_float2(acc.x * inv, acc.y * inv);
  }
}

static bool test_embedding_bag_mean() {
  // rows, dim, bags, max bag length
  const int cfg[4][4] = {{20000, 64, 4096, 40}, {60000, 128, 8192, 60}, {100000, 64, 20000, 30}, {40000, 256, 6000, 80}};
  bool ok = true;
  for (int c = 0; c < 4; c++) {
    int R = cfg[c][0], D = cfg[c][1], B = cfg[c][2], ML = cfg[c][3];
    Rng r(700 + c);
    std::vector<half> tab((size_t)R * D);
    fill_half(tab, r, 1.0f);
    std::vector<int> off(B + 1, 0), idx;
    for (int b = 0; b < B; b++) off[b + 1] = off[b] + (int)r.below(ML + 1);
    idx.resize(off[B]);
    std::vector<float> w(off[B]);
    for (int i = 0; i < off[B]; i++) {
      float u = r.uf();
      idx[i] = std::min(R - 1, (int)(u * u * u * R));  // popular rows are hit more often
      w[i] = 0.5f + r.uf();
    }
    DBuf<half> dt(tab);
    DBuf<int> di(idx), doff(off);
    DBuf<float> dw(w), dout((size_t)B * D);
    dout.zero();
    embedding_bag_mean<<<cdiv(B, 8), 256>>>((const half2*)dt.p, di.p, doff.p, dw.p, (float2*)dout.p, B, D / 2);
    finish();
    if (c) continue;
    auto o = dout.down();
    for (int b = 0; b < B; b++) {
      std::vector<double> acc(D, 0.0);
      int n = off[b + 1] - off[b];
      for (int i = off[b]; i < off[b + 1]; i++)
        for (int d = 0; d < D; d++) acc[d] += (double)w[i] * __half2float(tab[(size_t)idx[i] * D + d]);
      for (int d = 0; d < D; d++)
        if (!close_f(o[(size_t)b * D + d], n ? acc[d] / n : 0.0, 1e-4, 1e-4)) ok = false;
    }
  }
  return ok;
}

// ============================================================ 8. multiresolution hash-grid encoding
struct HashGridLevels {
  float scale[16];
  uint32_t res[16];
};

__host__ __device__ inline uint32_t hg_index(uint32_t x, uint32_t y, uint32_t z, uint32_t res, uint32_t mask) {
  u64 dense = (u64)res * res * res;
  uint32_t i = dense <= (u64)mask + 1 ? x + res * (y + res * z) : (x ^ (y * 2654435761u) ^ (z * 805459861u));
  return i & mask;
}

__global__ void hashgrid_encode(const float* __restrict__ xyz, const half2* __restrict__ table, float2* __restrict__ out,
                                HashGridLevels lv, int n, int nlev, uint32_t mask) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, l = blockIdx.y;
  if (i >= n) return;
  const half2* tab = table + (size_t)l * (mask + 1);
  const float s = lv.scale[l];
  const uint32_t res = lv.res[l];
  float f[3];
  uint32_t g[3];
#pragma unroll
  for (int d = 0; d < 3; d++) {
    float p = fmaf(xyz[i * 3 + d], s, 0.5f);
    float fl = floorf(p);
    g[d] = (uint32_t)fl;
    f[d] = p - fl;
  }
  float2 acc = make_float2(0.0f, 0.0f);
#pragma unroll
  for (int c = 0; c < 8; c++) {
    float w = 1.0f;
    uint32_t q[3];
#pragma unroll
    for (int d = 0; d < 3; d++) {
      int b = (c >> d) & 1;
      w *= b ? f[d] : 1.0f - f[d];
      q[d] = g[d] + b;
    }
    float2 v = __half22float2(__ldg(tab + hg_index(q[0], q[1], q[2], res, mask)));
    acc.x += w * v.x;
    acc.y += w * v.y;
  }
  out[(size_t)i * nlev + l] = acc;
}

static bool test_hashgrid_encode() {
  // points, levels, log2 table size
  const int cfg[4][3] = {{32768, 16, 16}, {65536, 16, 18}, {131072, 12, 17}, {200000, 8, 19}};
  bool ok = true;
  for (int c = 0; c < 4; c++) {
    int n = cfg[c][0], L = cfg[c][1];
    uint32_t mask = (1u << cfg[c][2]) - 1;
    Rng r(800 + c);
    std::vector<float> xyz((size_t)n * 3);
    for (auto& v : xyz) v = r.uf();
    std::vector<half> tab((size_t)L * (mask + 1) * 2);
    fill_half(tab, r, 0.5f);
    HashGridLevels lv;
    memset(&lv, 0, sizeof(lv));
    for (int l = 0; l < L; l++) {
      lv.scale[l] = (float)(16.0 * pow(1.38, l) - 1.0);
      lv.res[l] = (uint32_t)ceilf(lv.scale[l]) + 1;
    }
    DBuf<float> dx(xyz), dout((size_t)n * L * 2);
    DBuf<half> dt(tab);
    dout.zero();
    dim3 g(cdiv(n, 256), L);
    hashgrid_encode<<<g, 256>>>(dx.p, (const half2*)dt.p, (float2*)dout.p, lv, n, L, mask);
    finish();
    if (c) continue;
    auto o = dout.down();
    for (int i = 0; i < n; i++)
      for (int l = 0; l < L; l++) {
        uint32_t g3[3];
        float f3[3];
        for (int d = 0; d < 3; d++) {
          float p = fmaf(xyz[(size_t)i * 3 + d], lv.scale[l], 0.5f), fl = floorf(p);
          g3[d] = (uint32_t)fl;
          f3[d] = p - fl;
        }
        float a0 = 0, a1 = 0;
        for (int k = 0; k < 8; k++) {
          float w = 1;
          for (int d = 0; d < 3; d++) w *= ((k >> d) & 1) ? f3[d] : 1 - f3[d];
          size_t e = (size_t)l * (mask + 1) + hg_index(g3[0] + (k & 1), g3[1] + ((k >> 1) & 1), g3[2] + (k >> 2), lv.res[l], mask);
          a0 += w * __half2float(tab[e * 2]);
          a1 += w * __half2float(tab[e * 2 + 1]);
        }
        if (!close_f(o[((size_t)i * L + l) * 2], a0, 1e-3, 2e-3)) ok = false;
        if (!close_f(o[((size_t)i * L + l) * 2 + 1], a1, 1e-3, 2e-3)) ok = false;
      }
  }
  return ok;
}

// ============================================================ 9. furthest point sampling
__global__ void __launch_bounds__(512) furthest_point_sample(const float* __restrict__ xyz, float* __restrict__ mind,
                                                             int* __restrict__ out, int n, int m) {
  __shared__ float sd[16];
  __shared__ int si[16];
  __shared__ int s_best;
  xyz += (size_t)blockIdx.x * n * 3;
  mind += (size_t)blockIdx.x * n;
  out += (size_t)blockIdx.x * m;
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  int last = 0;
  if (threadIdx.x == 0) out[0] = 0;
  for (int j = 1; j < m; j++) {
    float lx = xyz[last * 3], ly = xyz[last * 3 + 1], lz = xyz[last * 3 + 2];
    float best = -1.0f;
    int bi = 0x7fffffff;
    for (int k = threadIdx.x; k < n; k += blockDim.x) {
      float dx = xyz[k * 3] - lx, dy = xyz[k * 3 + 1] - ly, dz = xyz[k * 3 + 2] - lz;
      float d = fminf(dx * dx + dy * dy + dz * dz, mind[k]);
      mind[k] = d;
      if (d > best) {
        best = d;
        bi = k;
      }
    }
#pragma unroll
    for (int o = 16; o > 0; o >>= 1) {
      float od = __shfl_xor_sync(FULL, best, o);
      int oi = __shfl_xor_sync(FULL, bi, o);
      if (od > best || (od == best && oi < bi)) {
        best = od;
        bi = oi;
      }
    }
    if (lane == 0) {
      sd[warp] = best;
      si[warp] = bi;
    }
    __syncthreads();
    if (warp == 0) {
      best = lane < 16 ? sd[lane] : -2.0f;
      bi = lane < 16 ? si[lane] : 0x7fffffff;
#pragma unroll
      for (int o = 16; o > 0; o >>= 1) {
        float od = __shfl_xor_sync(FULL, best, o);
        int oi = __shfl_xor_sync(FULL, bi, o);
        if (od > best || (od == best && oi < bi)) {
          best = od;
          bi = oi;
        }
      }
      if (lane == 0) {
        s_best = bi;
        out[j] = bi;
      }
    }
    __syncthreads();
    last = s_best;
  }
}

static bool test_furthest_point_sample() {
  const int cfg[4][3] = {{8, 2048, 64}, {16, 4096, 256}, {32, 1024, 512}, {6, 8192, 300}};
  bool ok = true;
  for (int c = 0; c < 4; c++) {
    int B = cfg[c][0], n = cfg[c][1], m = cfg[c][2];
    Rng r(900 + c);
    std::vector<float> xyz((size_t)B * n * 3), mind((size_t)B * n, 1e10f);
    // coordinates on a 1/256 lattice: squared distances are exact in float
    for (auto& v : xyz) v = (float)((int)r.below(2048) - 1024) / 256.0f;
    DBuf<float> dx(xyz), dm(mind);
    DBuf<int> dout((size_t)B * m);
    dout.zero();
    furthest_point_sample<<<B, 512>>>(dx.p, dm.p, dout.p, n, m);
    finish();
    if (c) continue;
    auto o = dout.down();
    for (int b = 0; b < B; b++) {
      std::vector<float> md(n, 1e10f);
      const float* p = &xyz[(size_t)b * n * 3];
      int last = 0;
      if (o[(size_t)b * m] != 0) ok = false;
      for (int j = 1; j < m; j++) {
        float best = -1;
        int bi = 0;
        for (int k = 0; k < n; k++) {
          float dx_ = p[k * 3] - p[last * 3], dy = p[k * 3 + 1] - p[last * 3 + 1], dz = p[k * 3 + 2] - p[last * 3 + 2];
          float d = std::min(dx_ * dx_ + dy * dy + dz * dz, md[k]);
          md[k] = d;
          if (d > best) best = d, bi = k;
        }
        if (o[(size_t)b * m + j] != bi) ok = false;
        last = bi;
      }
    }
  }
  return ok;
}

// ============================================================ 10. brute-force k nearest neighbours (k = 8)
#define KNN_K 8
#define KNN_TILE 256
__global__ void __launch_bounds__(128) knn_brute_k8(const float* __restrict__ query, const float* __restrict__ ref,
                                                    int* __restrict__ oi, float* __restrict__ od, int nq, int nr) {
  __shared__ float3 tile[KNN_TILE];
  const int q = blockIdx.x * blockDim.x + threadIdx.x;
  float x = 0.0f, y = 0.0f, z = 0.0f;
  if (q < nq) {
    x = query[q * 3];
    y = query[q * 3 + 1];
    z = query[q * 3 + 2];
  }
  float bd[KNN_K];
  int bi[KNN_K];
#pragma unroll
  for (int i = 0; i < KNN_K; i++) {
    bd[i] = INFINITY;
    bi[i] = -1;
  }
  for (int base = 0; base < nr; base += KNN_TILE) {
    int lim = min(KNN_TILE, nr - base);
    for (int i = threadIdx.x; i < lim; i += blockDim.x) {
      const float* p = ref + (size_t)(base + i) * 3;
      tile[i] = make_float3(p[0], p[1], p[2]);
    }
    __syncthreads();
    for (int j = 0; j < lim; j++) {
      float3 p = tile[j];
      float dx = p.x - x, dy = p.y - y, dz = p.z - z;
      float d = dx * dx + dy * dy + dz * dz;
      if (d < bd[KNN_K - 1]) {
        bd[KNN_K - 1] = d;
        bi[KNN_K - 1] = base + j;
#pragma unroll
        for (int i = KNN_K - 1; i > 0; i--) {
          if (bd[i] < bd[i - 1]) {
            float td = bd[i];
            bd[i] = bd[i - 1];
            bd[i - 1] = td;
            int ti = bi[i];
            bi[i] = bi[i - 1];
            bi[i - 1] = ti;
          }
        }
      }
    }
    __syncthreads();
  }
  if (q >= nq) return;
#pragma unroll
  for (int i = 0; i < KNN_K; i++) {
    oi[(size_t)q * KNN_K + i] = bi[i];
    od[(size_t)q * KNN_K + i] = bd[i];
  }
}

static bool test_knn_brute_k8() {
  const int cfg[4][2] = {{4000, 1500}, {8192, 4096}, {20000, 5000}, {16384, 10000}};
  bool ok = true;
  for (int c = 0; c < 4; c++) {
    int nq = cfg[c][0], nr = cfg[c][1];
    Rng r(1000 + c);
    std::vector<float> q((size_t)nq * 3), ref((size_t)nr * 3);
    for (auto& v : q) v = r.sym(1.0f);
    for (auto& v : ref) v = r.bell() * 0.6f;
    DBuf<float> dq(q), dr(ref), dd((size_t)nq * KNN_K);
    DBuf<int> di((size_t)nq * KNN_K);
    dd.zero();
    di.zero();
    knn_brute_k8<<<cdiv(nq, 128), 128>>>(dq.p, dr.p, di.p, dd.p, nq, nr);
    finish();
    if (c) continue;
    auto oi = di.down();
    auto od = dd.down();
    std::vector<float> d(nr);
    for (int i = 0; i < nq; i++) {
      for (int j = 0; j < nr; j++) {
        float a = ref[j * 3] - q[i * 3], b = ref[j * 3 + 1] - q[i * 3 + 1], e = ref[j * 3 + 2] - q[i * 3 + 2];
        d[j] = a * a + b * b + e * e;
      }
      std::vector<float> s = d;
      std::partial_sort(s.begin(), s.begin() + KNN_K, s.end());
      std::set<int> seen;
      for (int k = 0; k < KNN_K; k++) {
        int id = oi[(size_t)i * KNN_K + k];
        float dist = od[(size_t)i * KNN_K + k];
        if (id < 0 || id >= nr || !seen.insert(id).second) {
          ok = false;
          continue;
        }
        if (!close_f(dist, s[k], 1e-5, 1e-7) || !close_f(dist, d[id], 1e-5, 1e-7)) ok = false;
      }
    }
  }
  return ok;
}

// ============================================================ 11. voxel hash-table insertion
#define VOX_EMPTY 0xffffffffffffffffull
__global__ void voxel_hash_insert(const float* __restrict__ xyz, const int* __restrict__ feat, int n, float inv_voxel,
                                  u64* __restrict__ keys, int* __restrict__ cnt, int* __restrict__ fsum,
                                  int* __restrict__ fmax_, int* __restrict__ slot_of, uint32_t mask) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  u64 key = 0;
#pragma unroll
  for (int d = 0; d < 3; d++) {
    int c = (int)floorf(xyz[i * 3 + d] * inv_voxel) + (1 << 20);
    key = (key << 21) | (u64)(c & 0x1fffff);
  }
  u64 h = key * 0xff51afd7ed558ccdull;
  h ^= h >> 33;
  h *= 0xc4ceb9fe1a85ec53ull;
  h ^= h >> 33;
  uint32_t s = (uint32_t)h & mask;
  int result = -1;
  for (uint32_t probe = 0; probe <= mask; probe++) {
    u64 old = atomicCAS(keys + s, VOX_EMPTY, key);
    if (old == VOX_EMPTY || old == key) {
      result = (int)s;
      break;
    }
    s = (s + 1) & mask;
  }
  slot_of[i] = result;
  if (result >= 0) {
    int f = feat[i];
    atomicAdd(cnt + result, 1);
    atomicAdd(fsum + result, f);
    atomicMax(fmax_ + result, f);
  }
}

static bool test_voxel_hash_insert() {
  // points, log2 capacity, clusters
  const int cfg[4][3] = {{80000, 17, 200}, {300000, 19, 1000}, {600000, 20, 4000}, {1000000, 20, 300}};
  bool ok = true;
  for (int c = 0; c < 4; c++) {
    int n = cfg[c][0], ncl = cfg[c][2];
    uint32_t cap = 1u << cfg[c][1];
    Rng r(1100 + c);
    std::vector<float> cen((size_t)ncl * 3), xyz((size_t)n * 3);
    for (auto& v : cen) v = r.sym(40.0f);
    std::vector<int> feat(n);
    for (int i = 0; i < n; i++) {
      int k = r.below(ncl);
      for (int d = 0; d < 3; d++) xyz[(size_t)i * 3 + d] = cen[(size_t)k * 3 + d] + r.bell() * 0.8f;
      feat[i] = r.below(256);
    }
    float inv = c == 3 ? 2.5f : 4.0f;
    std::vector<u64> keys(cap, VOX_EMPTY);
    DBuf<float> dx(xyz);
    DBuf<int> df(feat), dc(cap), ds(cap), dm(cap), dslot(n);
    DBuf<u64> dk(keys);
    dc.zero();
    ds.zero();
    dm.zero();
    dslot.zero();
    voxel_hash_insert<<<cdiv(n, 256), 256>>>(dx.p, df.p, n, inv, dk.p, dc.p, ds.p, dm.p, dslot.p, cap - 1);
    finish();
    auto cnt = dc.down();
    long long tot = 0;
    for (int v : cnt) tot += v;
    if (tot != n) ok = false;
    if (c) continue;
    auto ok_keys = dk.down();
    auto fs = ds.down();
    auto fm = dm.down();
    auto slot = dslot.down();
    struct Acc {
      int n = 0, s = 0, m = 0;
    };
    std::unordered_map<u64, Acc> ref;
    for (int i = 0; i < n; i++) {
      u64 key = 0;
      for (int d = 0; d < 3; d++) key = (key << 21) | (u64)(((int)floorf(xyz[(size_t)i * 3 + d] * inv) + (1 << 20)) & 0x1fffff);
      Acc& a = ref[key];
      a.n++;
      a.s += feat[i];
      a.m = std::max(a.m, feat[i]);
      if (slot[i] < 0 || slot[i] >= (int)cap || ok_keys[slot[i]] != key) ok = false;
    }
    size_t used = 0;
    for (uint32_t s = 0; s < cap; s++) {
      if (ok_keys[s] == VOX_EMPTY) continue;
      used++;
      auto it = ref.find(ok_keys[s]);
      if (it == ref.end() || it->second.n != cnt[s] || it->second.s != fs[s] || it->second.m != fm[s]) ok = false;
    }
    if (used != ref.size()) ok = false;
  }
  return ok;
}

// ============================================================ 12. BVH closest-hit ray tracing
struct BvhNode {  // leaf when count > 0
  float lo[3];
  int first;  // left child (right = left + 1) or first triangle
  float hi[3];
  int count;
};
struct Tri {
  float v0[3], e1[3], e2[3];
};
struct Camera {
  float org[3], ll[3], du[3], dv[3];
};

__host__ __device__ inline void make_ray(const Camera& c, float u, float v, float* d) {
  float l = 0.0f;
  for (int i = 0; i < 3; i++) {
    d[i] = c.ll[i] + u * c.du[i] + v * c.dv[i];
    l += d[i] * d[i];
  }
  l = 1.0f / sqrtf(l);
  for (int i = 0; i < 3; i++) d[i] *= l;
}
__host__ __device__ inline bool hit_tri(const Tri& t, const float* o, const float* d, float& th) {
  float px = d[1] * t.e2[2] - d[2] * t.e2[1], py = d[2] * t.e2[0] - d[0] * t.e2[2], pz = d[0] * t.e2[1] - d[1] * t.e2[0];
  float det = t.e1[0] * px + t.e1[1] * py + t.e1[2] * pz;
  if (fabsf(det) < 1e-12f) return false;
  float inv = 1.0f / det;
  float sx = o[0] - t.v0[0], sy = o[1] - t.v0[1], sz = o[2] - t.v0[2];
  float u = (sx * px + sy * py + sz * pz) * inv;
  if (u < 0.0f || u > 1.0f) return false;
  float qx = sy * t.e1[2] - sz * t.e1[1], qy = sz * t.e1[0] - sx * t.e1[2], qz = sx * t.e1[1] - sy * t.e1[0];
  float v = (d[0] * qx + d[1] * qy + d[2] * qz) * inv;
  if (v < 0.0f || u + v > 1.0f) return false;
  th = (t.e2[0] * qx + t.e2[1] * qy + t.e2[2] * qz) * inv;
  return th > 1e-4f;
}
__device__ __forceinline__ float hit_box(const BvhNode& n, const float* o, const float* id, float tmax) {
  float t0 = 0.0f, t1 = tmax;
#pragma unroll
  for (int a = 0; a < 3; a++) {
    float x = (n.lo[a] - o[a]) * id[a], y = (n.hi[a] - o[a]) * id[a];
    t0 = fmaxf(t0, fminf(x, y));
    t1 = fminf(t1, fmaxf(x, y));
  }
  return t0 <= t1 * 1.0000004f ? t0 : INFINITY;
}

__global__ void bvh_closest_hit(const BvhNode* __restrict__ nodes, const Tri* __restrict__ tris, Camera cam, int w, int h,
                                float* __restrict__ tout, int* __restrict__ idout) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float d[3], id[3];
  make_ray(cam, (x + 0.5f) / w, (y + 0.5f) / h, d);
  for (int i = 0; i < 3; i++) id[i] = 1.0f / (fabsf(d[i]) > 1e-9f ? d[i] : copysignf(1e-9f, d[i]));
  float best = 1e30f;
  int bid = -1;
  int stack[40];
  int sp = 0;
  int cur = 0;
  if (hit_box(nodes[0], cam.org, id, best) == INFINITY) cur = -1;
  while (cur >= 0) {
    const BvhNode nd = nodes[cur];
    if (nd.count > 0) {
      for (int i = 0; i < nd.count; i++) {
        float t;
        if (hit_tri(tris[nd.first + i], cam.org, d, t) && t < best) {
          best = t;
          bid = nd.first + i;
        }
      }
      cur = sp > 0 ? stack[--sp] : -1;
    } else {
      int a = nd.first, b = nd.first + 1;
      float ta = hit_box(nodes[a], cam.org, id, best), tb = hit_box(nodes[b], cam.org, id, best);
      if (tb < ta) {
        int ti = a;
        a = b;
        b = ti;
        float tf = ta;
        ta = tb;
        tb = tf;
      }
      if (ta == INFINITY) {
        cur = sp > 0 ? stack[--sp] : -1;
      } else {
        cur = a;
        if (tb != INFINITY) stack[sp++] = b;
      }
    }
  }
  tout[y * w + x] = best;
  idout[y * w + x] = bid;
}

static void build_bvh(std::vector<Tri>& tris, std::vector<BvhNode>& nodes) {
  int n = (int)tris.size();
  std::vector<int> ord(n);
  std::iota(ord.begin(), ord.end(), 0);
  auto cen = [&](int t, int a) { return tris[t].v0[a] + (tris[t].e1[a] + tris[t].e2[a]) / 3.0f; };
  struct Job {
    int node, b, e;
  };
  nodes.assign(1, BvhNode());
  std::vector<Job> st(1, Job{0, 0, n});
  while (!st.empty()) {
    Job j = st.back();
    st.pop_back();
    float lo[3] = {1e30f, 1e30f, 1e30f}, hi[3] = {-1e30f, -1e30f, -1e30f};
    float cl[3] = {1e30f, 1e30f, 1e30f}, ch[3] = {-1e30f, -1e30f, -1e30f};
    for (int i = j.b; i < j.e; i++)
      for (int a = 0; a < 3; a++) {
        const Tri& t = tris[ord[i]];
        float p0 = t.v0[a], p1 = p0 + t.e1[a], p2 = p0 + t.e2[a];
        lo[a] = std::min(lo[a], std::min(p0, std::min(p1, p2)));
        hi[a] = std::max(hi[a], std::max(p0, std::max(p1, p2)));
        cl[a] = std::min(cl[a], cen(ord[i], a));
        ch[a] = std::max(ch[a], cen(ord[i], a));
      }
    BvhNode& nd = nodes[j.node];
    for (int a = 0; a < 3; a++) nd.lo[a] = lo[a] - 1e-4f, nd.hi[a] = hi[a] + 1e-4f;
    if (j.e - j.b <= 4) {
      nd.first = j.b;
      nd.count = j.e - j.b;
      continue;
    }
    int ax = 0;
    for (int a = 1; a < 3; a++)
      if (ch[a] - cl[a] > ch[ax] - cl[ax]) ax = a;
    int mid = (j.b + j.e) / 2;
    std::nth_element(ord.begin() + j.b, ord.begin() + mid, ord.begin() + j.e, [&](int p, int q) { return cen(p, ax) < cen(q, ax); });
    int left = (int)nodes.size();
    nd.first = left;
    nd.count = 0;
    nodes.resize(left + 2);
    st.push_back(Job{left, j.b, mid});
    st.push_back(Job{left + 1, mid, j.e});
  }
  std::vector<Tri> re(n);
  for (int i = 0; i < n; i++) re[i] = tris[ord[i]];
  tris.swap(re);
}

static bool test_bvh_closest_hit() {
  const int cfg[4][3] = {{2000, 320, 240}, {8000, 512, 384}, {20000, 640, 480}, {40000, 1024, 768}};
  bool ok = true;
  for (int c = 0; c < 4; c++) {
    int n = cfg[c][0], w = cfg[c][1], h = cfg[c][2];
    Rng r(1200 + c);
    std::vector<Tri> tris(n);
    float size = 30.0f / sqrtf((float)n);
    for (int i = 0; i < n; i++) {
      Tri& t = tris[i];
      float s[3];
      if (i & 1) {  // triangles on a few spheres
        int k = r.below(5);
        float p[3] = {r.bell(), r.bell(), r.bell()};
        float l = 1.0f / sqrtf(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + 1e-6f);
        s[0] = p[0] * l + (k - 2) * 2.0f;
        s[1] = p[1] * l + 0.5f * (k & 1);
        s[2] = p[2] * l;
      } else {  // rough ground
        s[0] = r.sym(8.0f);
        s[2] = r.sym(8.0f);
        s[1] = -1.5f + 0.2f * sinf(s[0] * 2.0f) * cosf(s[2] * 2.0f);
      }
      for (int a = 0; a < 3; a++) {
        t.v0[a] = s[a];
        t.e1[a] = r.sym(size);
        t.e2[a] = r.sym(size);
      }
    }
    std::vector<BvhNode> nodes;
    build_bvh(tris, nodes);
    Camera cam = {{0.3f, 2.0f, -9.0f}, {-4.0f, -4.0f, 6.0f}, {8.0f, 0.0f, 0.2f}, {0.0f, 6.0f, 0.3f}};
    DBuf<BvhNode> dn(nodes);
    DBuf<Tri> dt(tris);
    DBuf<float> dout((size_t)w * h);
    DBuf<int> did((size_t)w * h);
    dout.zero();
    did.zero();
    dim3 b(8, 16), g(cdiv(w, 8), cdiv(h, 16));
    bvh_closest_hit<<<g, b>>>(dn.p, dt.p, cam, w, h, dout.p, did.p);
    finish();
    if (c) continue;
    auto to = dout.down();
    auto io = did.down();
    int tested = 0, bad = 0, hits = 0;
    for (int p = 0; p < w * h; p += 53) {
      float d[3];
      make_ray(cam, (p % w + 0.5f) / w, (p / w + 0.5f) / h, d);
      float best = 1e30f;
      for (int i = 0; i < n; i++) {
        float t;
        if (hit_tri(tris[i], cam.org, d, t) && t < best) best = t;
      }
      tested++;
      hits += best < 1e29f;
      if (!close_f(to[p], best, 1e-3, 1e-3)) bad++;
      if ((io[p] >= 0) != (to[p] < 1e29f)) bad++;
    }
    if (bad * 100 > tested || hits * 50 < tested) ok = false;
  }
  return ok;
}

// ============================================================ 13. decision-forest inference
struct alignas(16) ForestNode {
  int feat;   // -1: leaf
  float thr;  // threshold or leaf value
  int left;   // right child is left + 1
  int pad;
};

__global__ void forest_predict(const ForestNode* __restrict__ nodes, const int* __restrict__ roots, int ntrees,
                               const float* __restrict__ rows, int nfeat, float* __restrict__ out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float* x = rows + (size_t)i * nfeat;
  float sum = 0.0f;
  for (int t = 0; t < ntrees; t++) {
    int cur = __ldg(roots + t);
    while (true) {
      int4 raw = __ldg(reinterpret_cast<const int4*>(nodes) + cur);
      if (raw.x < 0) {
        sum += __int_as_float(raw.y);
        break;
      }
      float v = __ldg(x + raw.x);
      // missing values (NaN) go left
      cur = raw.z + (v >= __int_as_float(raw.y) ? 1 : 0);
    }
  }
  out[i] = sum;
}

static bool test_forest_predict() {
  // rows, features, trees, max depth
  const int cfg[4][4] = {{16384, 24, 32, 8}, {40000, 32, 100, 7}, {65536, 28, 60, 10}, {100000, 54, 40, 9}};
  bool ok = true;
  for (int c = 0; c < 4; c++) {
    int n = cfg[c][0], F = cfg[c][1], T = cfg[c][2], D = cfg[c][3];
    Rng r(1300 + c);
    std::vector<ForestNode> nodes;
    std::vector<int> roots;
    for (int t = 0; t < T; t++) {
      roots.push_back((int)nodes.size());
      std::vector<std::pair<int, int>> queue;
      queue.push_back({(int)nodes.size(), 0});
      nodes.push_back(ForestNode{-1, 0, 0, 0});
      for (size_t qi = 0; qi < queue.size(); qi++) {
        int id = queue[qi].first, d = queue[qi].second;
        if (d >= D || (d >= 3 && r.below(100) < 15)) {
          nodes[id] = ForestNode{-1, r.sym(0.1f), 0, 0};
          continue;
        }
        int left = (int)nodes.size();
        nodes[id] = ForestNode{(int)r.below(F), r.sym(0.7f), left, 0};
        for (int k = 0; k < 2; k++) {
          nodes.push_back(ForestNode{-1, 0, 0, 0});
          queue.push_back({left + k, d + 1});
        }
      }
    }
    std::vector<float> rows((size_t)n * F);
    for (auto& v : rows) v = r.below(50) == 0 ? NAN : r.sym(1.0f);
    DBuf<ForestNode> dn(nodes);
    DBuf<int> dr(roots);
    DBuf<float> dx(rows), dout(n);
    dout.zero();
    forest_predict<<<cdiv(n, 128), 128>>>(dn.p, dr.p, T, dx.p, F, dout.p, n);
    finish();
    if (c) continue;
    auto o = dout.down();
    for (int i = 0; i < n; i++) {
      float s = 0;
      for (int t = 0; t < T; t++) {
        int cur = roots[t];
        while (nodes[cur].feat >= 0) cur = nodes[cur].left + (rows[(size_t)i * F + nodes[cur].feat] >= nodes[cur].thr);
        s += nodes[cur].thr;
      }
      if (!close_f(o[i], s, 1e-5, 1e-5)) ok = false;
    }
  }
  return ok;
}

// ============================================================ 14. Lennard-Jones force from neighbour lists
__global__ void lj_neighbor_force(const float4* __restrict__ pos, const int* __restrict__ nlist, const int* __restrict__ nn,
                                  float4* __restrict__ force, int n, float box, float rc2) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 p = pos[i];
  const float ibox = 1.0f / box;
  float fx = 0.0f, fy = 0.0f, fz = 0.0f, e = 0.0f;
  const int m = nn[i];
  for (int k = 0; k < m; k++) {
    int j = __ldg(nlist + (size_t)k * n + i);
    float4 q = __ldg(pos + j);
    float dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z;
    dx -= box * rintf(dx * ibox);
    dy -= box * rintf(dy * ibox);
    dz -= box * rintf(dz * ibox);
    float r2 = dx * dx + dy * dy + dz * dz;
    if (r2 < rc2) {
      float i2 = 1.0f / r2, i6 = i2 * i2 * i2;
      float f = 24.0f * i2 * i6 * (2.0f * i6 - 1.0f);
      fx += f * dx;
      fy += f * dy;
      fz += f * dz;
      e += 2.0f * i6 * (i6 - 1.0f);
    }
  }
  force[i] = make_float4(fx, fy, fz, e);
}

static bool test_lj_neighbor_force() {
  const int cfg[4] = {16, 20, 26, 32};
  const int MAXN = 160;
  bool ok = true;
  for (int c = 0; c < 4; c++) {
    int s = cfg[c], n = s * s * s;
    const float a = 1.08f, box = s * a, rc = 2.5f, rl = 2.75f;
    Rng r(1400 + c);
    std::vector<int> perm(n);
    std::iota(perm.begin(), perm.end(), 0);
    // shuffle inside windows: partly ordered memory, as in a running simulation
    for (int i = 0; i < n; i++) std::swap(perm[i], perm[std::min(n - 1, i + (int)r.below(512))]);
    std::vector<float4> pos(n);
    for (int i = 0; i < n; i++) {
      int x = i % s, y = i / s % s, z = i / (s * s);
      pos[perm[i]] = make_float4((x + 0.5f) * a + r.sym(0.12f), (y + 0.5f) * a + r.sym(0.12f), (z + 0.5f) * a + r.sym(0.12f), 0.0f);
    }
    int nc = (int)(box / rl);
    float cs = box / nc;
    std::vector<std::vector<int>> cells((size_t)nc * nc * nc);
    auto cell_of = [&](float v) { return std::min(nc - 1, std::max(0, (int)(v / cs))); };
    for (int i = 0; i < n; i++) cells[((size_t)cell_of(pos[i].z) * nc + cell_of(pos[i].y)) * nc + cell_of(pos[i].x)].push_back(i);
    std::vector<int> nlist((size_t)MAXN * n, 0), nn(n, 0);
    for (int i = 0; i < n; i++) {
      int cx = cell_of(pos[i].x), cy = cell_of(pos[i].y), cz = cell_of(pos[i].z);
      for (int dz = -1; dz <= 1; dz++)
        for (int dy = -1; dy <= 1; dy++)
          for (int dx = -1; dx <= 1; dx++) {
            int gx = (cx + dx + nc) % nc, gy = (cy + dy + nc) % nc, gz = (cz + dz + nc) % nc;
            for (int j : cells[((size_t)gz * nc + gy) * nc + gx]) {
              if (j == i) continue;
              float x = pos[i].x - pos[j].x, y = pos[i].y - pos[j].y, z = pos[i].z - pos[j].z;
              float hb = 0.5f * box;
              x = x > hb ? x - box : (x < -hb ? x + box : x);
              y = y > hb ? y - box : (y < -hb ? y + box : y);
              z = z > hb ? z - box : (z < -hb ? z + box : z);
              if (x * x + y * y + z * z < rl * rl && nn[i] < MAXN) nlist[(size_t)nn[i]++ * n + i] = j;
            }
          }
    }
    DBuf<float4> dp(pos), df(n);
    DBuf<int> dl(nlist), dn(nn);
    df.zero();
    lj_neighbor_force<<<cdiv(n, 128), 128>>>(dp.p, dl.p, dn.p, df.p, n, box, rc * rc);
    finish();
    if (c) continue;
    auto f = df.down();
    int bad = 0;
    for (int i = 0; i < n; i++) {
      double fx = 0, fy = 0, fz = 0, e = 0, mag = 0;
      for (int k = 0; k < nn[i]; k++) {
        float4 q = pos[nlist[(size_t)k * n + i]];
        double x = (double)pos[i].x - q.x, y = (double)pos[i].y - q.y, z = (double)pos[i].z - q.z;
        x -= box * rint(x / box);
        y -= box * rint(y / box);
        z -= box * rint(z / box);
        double r2 = x * x + y * y + z * z;
        if (r2 >= rc * rc) continue;
        double i2 = 1 / r2, i6 = i2 * i2 * i2, ff = 24 * i2 * i6 * (2 * i6 - 1);
        fx += ff * x;
        fy += ff * y;
        fz += ff * z;
        mag += fabs(ff) * sqrt(r2);
        e += 2 * i6 * (i6 - 1);
      }
      double tol = 1e-4 * (1 + mag);
      if (!(fabs(f[i].x - fx) < tol && fabs(f[i].y - fy) < tol && fabs(f[i].z - fz) < tol && fabs(f[i].w - e) < tol)) bad++;
    }
    if (bad > n / 200) ok = false;
  }
  return ok;
}

// ============================================================ 15. harmonic angle forces, FP64 with atomics
__global__ void __launch_bounds__(128) angle_force_f64(const double* __restrict__ x, const int4* __restrict__ ang,
                                                       const double2* __restrict__ par, double* __restrict__ f,
                                                       double* __restrict__ energy, int n) {
  __shared__ double sh[4];
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  double e = 0.0;
  if (t < n) {
    const int4 a = ang[t];
    const double2 kp = par[a.w];
    double d1[3], d2[3], r1 = 0.0, r2 = 0.0, dot = 0.0;
#pragma unroll
    for (int d = 0; d < 3; d++) {
      double xj = x[a.y * 3 + d];
      d1[d] = x[a.x * 3 + d] - xj;
      d2[d] = x[a.z * 3 + d] - xj;
      r1 += d1[d] * d1[d];
      r2 += d2[d] * d2[d];
      dot += d1[d] * d2[d];
    }
    double rr = sqrt(r1) * sqrt(r2);
    double c = fmin(1.0, fmax(-1.0, dot / rr));
    double s = 1.0 / fmax(sqrt(1.0 - c * c), 1e-3);
    double dth = acos(c) - kp.y;
    double tk = kp.x * dth;
    e = tk * dth;
    double aa = -2.0 * tk * s;
    double a11 = aa * c / r1, a12 = -aa / rr, a22 = aa * c / r2;
#pragma unroll
    for (int d = 0; d < 3; d++) {
      double f1 = a11 * d1[d] + a12 * d2[d];
      double f3 = a22 * d2[d] + a12 * d1[d];
      atomicAdd(f + a.x * 3 + d, f1);
      atomicAdd(f + a.y * 3 + d, -(f1 + f3));
      atomicAdd(f + a.z * 3 + d, f3);
    }
  }
#pragma unroll
  for (int o = 16; o > 0; o >>= 1) e += __shfl_down_sync(FULL, e, o);
  if ((threadIdx.x & 31) == 0) sh[threadIdx.x >> 5] = e;
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(energy, sh[0] + sh[1] + sh[2] + sh[3]);
}

static bool test_angle_force_f64() {
  const int cfg[4] = {40000, 120000, 250000, 500000};
  bool ok = true;
  for (int c = 0; c < 4; c++) {
    int n = cfg[c], na = n + 2;
    Rng r(1500 + c);
    std::vector<double> x((size_t)na * 3);
    double p[3] = {0, 0, 0};
    for (int i = 0; i < na; i++) {
      double d[3], l = 1e-3;
      for (int k = 0; k < 3; k++) d[k] = r.ud() * 2 - 1, l += d[k] * d[k];
      for (int k = 0; k < 3; k++) x[(size_t)i * 3 + k] = (p[k] += d[k] / sqrt(l));
    }
    std::vector<int4> ang(n);
    for (int i = 0; i < n; i++) ang[i] = make_int4(i, i + 1, i + 2, r.below(16));
    for (int i = n - 1; i > 0; i--) {
      int lo = std::max(0, i - 4096);
      std::swap(ang[i], ang[lo + r.below(i - lo + 1)]);
    }
    std::vector<double2> par(16);
    for (auto& v : par) v = make_double2(20.0 + 40.0 * r.ud(), 1.6 + 0.6 * r.ud());
    DBuf<double> dx(x), df((size_t)na * 3), de(1);
    DBuf<int4> da(ang);
    DBuf<double2> dpar(par);
    df.zero();
    de.zero();
    angle_force_f64<<<cdiv(n, 128), 128>>>(dx.p, da.p, dpar.p, df.p, de.p, n);
    finish();
    if (c) continue;
    auto f = df.down();
    double e = de.down()[0], eref = 0;
    std::vector<double> ref((size_t)na * 3, 0.0), mag(na, 0.0);
    for (int t = 0; t < n; t++) {
      int4 a = ang[t];
      double d1[3], d2[3], r1 = 0, r2 = 0, dot = 0;
      for (int d = 0; d < 3; d++) {
        d1[d] = x[(size_t)a.x * 3 + d] - x[(size_t)a.y * 3 + d];
        d2[d] = x[(size_t)a.z * 3 + d] - x[(size_t)a.y * 3 + d];
        r1 += d1[d] * d1[d];
        r2 += d2[d] * d2[d];
        dot += d1[d] * d2[d];
      }
      double cth = std::min(1.0, std::max(-1.0, dot / sqrt(r1 * r2)));
      double s = std::max(sqrt(1 - cth * cth), 1e-3), dth = acos(cth) - par[a.w].y;
      eref += par[a.w].x * dth * dth;
      double g = -2 * par[a.w].x * dth / s;
      for (int d = 0; d < 3; d++) {
        double f1 = g * (cth * d1[d] / r1 - d2[d] / sqrt(r1 * r2));
        double f3 = g * (cth * d2[d] / r2 - d1[d] / sqrt(r1 * r2));
        ref[(size_t)a.x * 3 + d] += f1;
        ref[(size_t)a.z * 3 + d] += f3;
        ref[(size_t)a.y * 3 + d] -= f1 + f3;
      }
      for (int q : {a.x, a.y, a.z}) mag[q] += fabs(g) * 4;
    }
    if (!close_f(e, eref, 1e-8, 1e-8)) ok = false;
    for (int i = 0; i < na * 3; i++)
      if (!(fabs(f[i] - ref[i]) <= 1e-7 * (1 + mag[i / 3]))) ok = false;
  }
  return ok;
}

// ============================================================ 16. staggered-fermion hopping term (lattice QCD, FP64)
__device__ __forceinline__ void cmad(double2& a, double2 u, double2 v) {
  a.x += u.x * v.x - u.y * v.y;
  a.y += u.x * v.y + u.y * v.x;
}
__device__ __forceinline__ void cmad_conj(double2& a, double2 u, double2 v) {  // a += conj(u) * v
  a.x += u.x * v.x + u.y * v.y;
  a.y += u.x * v.y - u.y * v.x;
}

__global__ void __launch_bounds__(128) staggered_dslash_f64(const double2* __restrict__ gauge, const double2* __restrict__ in,
                                                            double2* __restrict__ out, int4 dims, double mass) {
  const int vol = dims.x * dims.y * dims.z * dims.w;
  const int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= vol) return;
  const int L[4] = {dims.x, dims.y, dims.z, dims.w};
  int x[4], rem = s, stride = 1, par = 0;
  double2 acc[3];
#pragma unroll
  for (int c = 0; c < 3; c++) {
    double2 v = in[(size_t)c * vol + s];
    acc[c] = make_double2(2.0 * mass * v.x, 2.0 * mass * v.y);
  }
#pragma unroll
  for (int d = 0; d < 4; d++) {
    x[d] = rem % L[d];
    rem /= L[d];
  }
#pragma unroll
  for (int mu = 0; mu < 4; mu++) {
    const double eta = (par & 1) ? -1.0 : 1.0;
    par += x[mu];
    const int fwd = x[mu] + 1 == L[mu] ? s - (L[mu] - 1) * stride : s + stride;
    const int bwd = x[mu] == 0 ? s + (L[mu] - 1) * stride : s - stride;
    stride *= L[mu];
    double2 t[3];
    double2 vf[3], vb[3];
#pragma unroll
    for (int c = 0; c < 3; c++) {
      vf[c] = __ldg(in + (size_t)c * vol + fwd);
      vb[c] = __ldg(in + (size_t)c * vol + bwd);
      t[c] = make_double2(0.0, 0.0);
    }
#pragma unroll
    for (int r = 0; r < 3; r++)
#pragma unroll
      for (int c = 0; c < 3; c++) cmad(t[r], __ldg(gauge + (size_t)(mu * 9 + r * 3 + c) * vol + s), vf[c]);
#pragma unroll
    for (int r = 0; r < 3; r++) {
      double2 b = make_double2(0.0, 0.0);
#pragma unroll
      for (int c = 0; c < 3; c++) cmad_conj(b, __ldg(gauge + (size_t)(mu * 9 + c * 3 + r) * vol + bwd), vb[c]);
      acc[r].x += eta * (t[r].x - b.x);
      acc[r].y += eta * (t[r].y - b.y);
    }
  }
#pragma unroll
  for (int c = 0; c < 3; c++) out[(size_t)c * vol + s] = acc[c];
}

static bool test_staggered_dslash_f64() {
  const int cfg[4][4] = {{8, 8, 8, 16}, {12, 12, 12, 8}, {12, 12, 12, 16}, {16, 16, 16, 12}};
  bool ok = true;
  for (int c = 0; c < 4; c++) {
    const int* L = cfg[c];
    int vol = L[0] * L[1] * L[2] * L[3];
    Rng r(1600 + c);
    std::vector<double2> U((size_t)36 * vol), v((size_t)3 * vol);
    for (auto& z : U) z = make_double2(r.ud() - 0.5, r.ud() - 0.5);
    for (auto& z : v) z = make_double2(r.ud() - 0.5, r.ud() - 0.5);
    DBuf<double2> dU(U), dv(v), dout(v.size());
    dout.zero();
    const double mass = 0.05 * (c + 1);
    staggered_dslash_f64<<<cdiv(vol, 128), 128>>>(dU.p, dv.p, dout.p, make_int4(L[0], L[1], L[2], L[3]), mass);
    finish();
    if (c) continue;
    auto o = dout.down();
    for (int s = 0; s < vol; s++) {
      int x[4], rem = s;
      for (int d = 0; d < 4; d++) x[d] = rem % L[d], rem /= L[d];
      double re[3], im[3];
      for (int k = 0; k < 3; k++) re[k] = 2 * mass * v[(size_t)k * vol + s].x, im[k] = 2 * mass * v[(size_t)k * vol + s].y;
      for (int mu = 0; mu < 4; mu++) {
        int sum = 0;
        for (int d = 0; d < mu; d++) sum += x[d];
        double eta = (sum & 1) ? -1 : 1;
        for (int dir = 0; dir < 2; dir++) {
          int y[4] = {x[0], x[1], x[2], x[3]};
          y[mu] = (y[mu] + (dir ? L[mu] - 1 : 1)) % L[mu];
          int t = ((y[3] * L[2] + y[2]) * L[1] + y[1]) * L[0] + y[0];
          for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) {
              double2 w = v[(size_t)b * vol + t];
              double2 u = dir ? U[(size_t)(mu * 9 + b * 3 + a) * vol + t] : U[(size_t)(mu * 9 + a * 3 + b) * vol + s];
              double sg = dir ? -eta : eta, ui = dir ? -u.y : u.y;
              re[a] += sg * (u.x * w.x - ui * w.y);
              im[a] += sg * (u.x * w.y + ui * w.x);
            }
        }
      }
      for (int k = 0; k < 3; k++) {
        if (!close_f(o[(size_t)k * vol + s].x, re[k], 1e-10, 1e-11)) ok = false;
        if (!close_f(o[(size_t)k * vol + s].y, im[k], 1e-10, 1e-11)) ok = false;
      }
    }
  }
  return ok;
}

// ============================================================ 17. lattice Boltzmann D2Q9 pull step with obstacles
__constant__ int c_ex[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant__ int c_ey[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant__ int c_opp[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
__constant__ float c_w[9] = {4.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};

__global__ void lbm_d2q9_step(const float* __restrict__ f, float* __restrict__ fo, const unsigned char* __restrict__ solid,
                              int nx, int ny, float omega, float gx) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= nx) return;
  const int n = nx * ny, c = y * nx + x;
  if (solid[c]) {
#pragma unroll
    for (int i = 0; i < 9; i++) fo[i * n + c] = f[i * n + c];
    return;
  }
  float v[9], rho = 0.0f, ux = 0.0f, uy = 0.0f;
#pragma unroll
  for (int i = 0; i < 9; i++) {
    int sx = x - c_ex[i], sy = y - c_ey[i];
    sx = sx < 0 ? nx - 1 : (sx >= nx ? 0 : sx);
    sy = sy < 0 ? ny - 1 : (sy >= ny ? 0 : sy);
    int s = sy * nx + sx;
    v[i] = solid[s] ? f[c_opp[i] * n + c] : f[i * n + s];
    rho += v[i];
    ux += v[i] * c_ex[i];
    uy += v[i] * c_ey[i];
  }
  const float ir = 1.0f / rho;
  ux = ux * ir + gx;
  uy *= ir;
  const float u2 = 1.5f * (ux * ux + uy * uy);
#pragma unroll
  for (int i = 0; i < 9; i++) {
    float eu = 3.0f * (c_ex[i] * ux + c_ey[i] * uy);
    float eq = c_w[i] * rho * (1.0f + eu + 0.5f * eu * eu - u2);
    fo[i * n + c] = v[i] + omega * (eq - v[i]);
  }
}

static bool test_lbm_d2q9_step() {
  const int cfg[4][2] = {{384, 256}, {512, 512}, {1024, 400}, {900, 600}};
  const int ex[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, ey[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1}, opp[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
  const double w[9] = {4.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36};
  bool ok = true;
  for (int c = 0; c < 4; c++) {
    int nx = cfg[c][0], ny = cfg[c][1], n = nx * ny;
    Rng r(1700 + c);
    std::vector<float> f((size_t)9 * n);
    for (int i = 0; i < 9; i++)
      for (int k = 0; k < n; k++) f[(size_t)i * n + k] = (float)w[i] * (1.0f + r.sym(0.1f));
    std::vector<unsigned char> solid(n, 0);
    for (int y = 0; y < ny; y++)
      for (int x = 0; x < nx; x++) {
        int dx = x % 128 - 64, dy = y % 100 - 50;
        if (y == 0 || y == ny - 1 || dx * dx + dy * dy < 180) solid[y * nx + x] = 1;
      }
    DBuf<float> df(f), dout(f.size());
    DBuf<unsigned char> dsolid(solid);
    dout.zero();
    const float omega = 1.2f + 0.15f * c, gx = 1e-4f;
    dim3 g(cdiv(nx, 128), ny);
    lbm_d2q9_step<<<g, 128>>>(df.p, dout.p, dsolid.p, nx, ny, omega, gx);
    finish();
    if (c) continue;
    auto o = dout.down();
    for (int y = 0; y < ny; y++)
      for (int x = 0; x < nx; x++) {
        int k = y * nx + x;
        double v[9], rho = 0, ux = 0, uy = 0;
        if (solid[k]) {
          for (int i = 0; i < 9; i++)
            if (o[(size_t)i * n + k] != f[(size_t)i * n + k]) ok = false;
          continue;
        }
        for (int i = 0; i < 9; i++) {
          int s = ((y - ey[i] + ny) % ny) * nx + (x - ex[i] + nx) % nx;
          v[i] = solid[s] ? f[(size_t)opp[i] * n + k] : f[(size_t)i * n + s];
          rho += v[i];
          ux += v[i] * ex[i];
          uy += v[i] * ey[i];
        }
        ux = ux / rho + gx;
        uy /= rho;
        for (int i = 0; i < 9; i++) {
          double eu = 3 * (ex[i] * ux + ey[i] * uy);
          double eq = w[i] * rho * (1 + eu + 0.5 * eu * eu - 1.5 * (ux * ux + uy * uy));
          if (!close_f(o[(size_t)i * n + k], v[i] + omega * (eq - v[i]), 1e-4, 1e-6)) ok = false;
        }
      }
  }
  return ok;
}

// ============================================================ 18. unstructured Euler flux (Rusanov), 4 faces per cell
#define EU_GAMMA 1.4f
__device__ __forceinline__ void euler_state(const float* __restrict__ var, int n, int i, float* q, float* vel, float& p, float& c) {
#pragma unroll
  for (int k = 0; k < 5; k++) q[k] = var[(size_t)k * n + i];
  float ir = 1.0f / q[0], ke = 0.0f;
#pragma unroll
  for (int d = 0; d < 3; d++) {
    vel[d] = q[1 + d] * ir;
    ke += vel[d] * q[1 + d];
  }
  p = (EU_GAMMA - 1.0f) * (q[4] - 0.5f * ke);
  c = sqrtf(EU_GAMMA * p * ir);
}

__global__ void __launch_bounds__(128) euler_flux_unstructured(const float* __restrict__ var, const int* __restrict__ nb,
                                                               const float* __restrict__ normals,
                                                               const float* __restrict__ farfield, float* __restrict__ flux,
                                                               int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float q[5], v[3], p, a, sum[5] = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
  euler_state(var, n, i, q, v, p, a);
#pragma unroll
  for (int j = 0; j < 4; j++) {
    const int k = nb[(size_t)j * n + i];
    float nrm[3], area = 0.0f;
#pragma unroll
    for (int d = 0; d < 3; d++) {
      nrm[d] = normals[(size_t)(j * 3 + d) * n + i];
      area += nrm[d] * nrm[d];
    }
    area = sqrtf(area);
    if (k == -1) {  // slip wall: pressure only
#pragma unroll
      for (int d = 0; d < 3; d++) sum[1 + d] += p * nrm[d];
      continue;
    }
    float q2[5], v2[3], p2, a2;
    if (k == -2)
      euler_state(farfield, 1, 0, q2, v2, p2, a2);
    else
      euler_state(var, n, k, q2, v2, p2, a2);
    float un = v[0] * nrm[0] + v[1] * nrm[1] + v[2] * nrm[2];
    float un2 = v2[0] * nrm[0] + v2[1] * nrm[1] + v2[2] * nrm[2];
    float lam = 0.5f * fmaxf(fabsf(un) + a * area, fabsf(un2) + a2 * area);
#pragma unroll
    for (int m = 0; m < 5; m++) {
      float fl = q[m] * un, fr = q2[m] * un2;
      if (m >= 1 && m <= 3) {
        fl += p * nrm[m - 1];
        fr += p2 * nrm[m - 1];
      } else if (m == 4) {
        fl += p * un;
        fr += p2 * un2;
      }
      sum[m] += 0.5f * (fl + fr) - lam * (q2[m] - q[m]);
    }
  }
#pragma unroll
  for (int m = 0; m < 5; m++) flux[(size_t)m * n + i] = sum[m];
}

static bool test_euler_flux_unstructured() {
  const int cfg[4] = {48000, 97000, 193000, 232000};
  bool ok = true;
  for (int c = 0; c < 4; c++) {
    int n = cfg[c];
    Rng r(1800 + c);
    std::vector<float> var((size_t)5 * n), nrm((size_t)12 * n), far_(5);
    std::vector<int> nb((size_t)4 * n);
    auto set_state = [&](float* q, size_t stride, size_t i) {
      float rho = 1.0f + r.sym(0.3f), ke = 0, p = 1.0f + r.sym(0.3f);
      q[i] = rho;
      for (int d = 0; d < 3; d++) {
        float v = r.sym(0.8f);
        q[(1 + d) * stride + i] = rho * v;
        ke += 0.5f * rho * v * v;
      }
      q[4 * stride + i] = p / 0.4f + ke;
    };
    for (int i = 0; i < n; i++) set_state(var.data(), n, i);
    set_state(far_.data(), 1, 0);
    for (auto& v : nrm) v = r.sym(0.1f);
    for (int j = 0; j < 4; j++)
      for (int i = 0; i < n; i++) {
        uint32_t t = r.below(200);
        int k = i + (int)r.below(t < 180 ? 256 : 8192) - (t < 180 ? 128 : 4096);
        nb[(size_t)j * n + i] = t == 0 ? -2 : t < 4 ? -1 : std::min(n - 1, std::max(0, k));
      }
    DBuf<float> dv(var), dn(nrm), dfar(far_), df((size_t)5 * n);
    DBuf<int> dnb(nb);
    df.zero();
    euler_flux_unstructured<<<cdiv(n, 128), 128>>>(dv.p, dnb.p, dn.p, dfar.p, df.p, n);
    finish();
    if (c) continue;
    auto o = df.down();
    for (int i = 0; i < n; i++) {
      double s[5] = {0, 0, 0, 0, 0};
      auto prim = [&](int k, double* q, double* u, double& p, double& a) {
        for (int m = 0; m < 5; m++) q[m] = k == -2 ? far_[m] : var[(size_t)m * n + k];
        double ke = 0;
        for (int d = 0; d < 3; d++) u[d] = q[1 + d] / q[0], ke += u[d] * q[1 + d];
        p = 0.4 * (q[4] - 0.5 * ke);
        a = sqrt(1.4 * p / q[0]);
      };
      double ql[5], ul[3], pl, al;
      prim(i, ql, ul, pl, al);
      for (int j = 0; j < 4; j++) {
        int k = nb[(size_t)j * n + i];
        double nn[3], area = 0;
        for (int d = 0; d < 3; d++) nn[d] = nrm[(size_t)(j * 3 + d) * n + i], area += nn[d] * nn[d];
        area = sqrt(area);
        if (k == -1) {
          for (int d = 0; d < 3; d++) s[1 + d] += pl * nn[d];
          continue;
        }
        double qr[5], ur[3], pr, ar;
        prim(k, qr, ur, pr, ar);
        double nl = 0, nr = 0;
        for (int d = 0; d < 3; d++) nl += ul[d] * nn[d], nr += ur[d] * nn[d];
        double lam = 0.5 * std::max(fabs(nl) + al * area, fabs(nr) + ar * area);
        double fl[5] = {ql[0] * nl, ql[1] * nl + pl * nn[0], ql[2] * nl + pl * nn[1], ql[3] * nl + pl * nn[2], (ql[4] + pl) * nl};
        double fr[5] = {qr[0] * nr, qr[1] * nr + pr * nn[0], qr[2] * nr + pr * nn[1], qr[3] * nr + pr * nn[2], (qr[4] + pr) * nr};
        for (int m = 0; m < 5; m++) s[m] += 0.5 * (fl[m] + fr[m]) - lam * (qr[m] - ql[m]);
      }
      for (int m = 0; m < 5; m++)
        if (!close_f(o[(size_t)m * n + i], s[m], 1e-4, 1e-5)) ok = false;
    }
  }
  return ok;
}

// ============================================================ 19. Aho-Corasick multi-pattern scan
#define AC_CHUNK 64
__global__ void aho_corasick_scan(const unsigned char* __restrict__ text, int len, const int* __restrict__ delta,
                                  const int* __restrict__ outst, const int* __restrict__ dict, const int* __restrict__ pid,
                                  int maxlen, int* __restrict__ counts, int* __restrict__ chunk_hits) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  const int b = t * AC_CHUNK;
  if (b >= len) return;
  const int e = min(len, b + AC_CHUNK);
  int s = 0, hits = 0;
  for (int i = max(0, b - (maxlen - 1)); i < e; i++) {
    s = __ldg(delta + s * 32 + (text[i] & 31));
    if (i >= b) {
      for (int o = __ldg(outst + s); o != 0; o = __ldg(dict + o)) {
        atomicAdd(counts + __ldg(pid + o), 1);
        hits++;
      }
    }
  }
  chunk_hits[t] = hits;
}

static bool test_aho_corasick_scan() {
  // text length, patterns
  const int cfg[4][2] = {{1500000, 60}, {3000000, 200}, {6000000, 400}, {8000000, 1000}};
  bool ok = true;
  for (int c = 0; c < 4; c++) {
    int len = cfg[c][0] + 17, np = cfg[c][1];
    Rng r(1900 + c);
    auto letter = [&]() {
      float u = r.uf();
      return (char)('a' + std::min(25, (int)(u * u * 26)));
    };
    std::set<std::string> ps;
    while ((int)ps.size() < np) {
      std::string s;
      int L = 3 + r.below(9);
      for (int i = 0; i < L; i++) s += letter();
      ps.insert(s);
    }
    std::vector<std::string> pats(ps.begin(), ps.end());
    int maxlen = 0;
    std::vector<int> delta(32, -1), pid(1, -1);
    for (int p = 0; p < np; p++) {
      maxlen = std::max(maxlen, (int)pats[p].size());
      int s = 0;
      for (char ch : pats[p]) {
        int k = s * 32 + (ch & 31);
        if (delta[k] < 0) {
          delta[k] = (int)pid.size();
          delta.resize(delta.size() + 32, -1);
          pid.push_back(-1);
        }
        s = delta[k];
      }
      pid[s] = p;
    }
    int ns = (int)pid.size();
    std::vector<int> fail(ns, 0), outst(ns, 0), dict(ns, 0), bfs;
    for (int k = 0; k < 32; k++) {
      if (delta[k] < 0)
        delta[k] = 0;
      else
        bfs.push_back(delta[k]);
    }
    for (size_t i = 0; i < bfs.size(); i++) {
      int s = bfs[i];
      dict[s] = outst[fail[s]];
      outst[s] = pid[s] >= 0 ? s : dict[s];
      for (int k = 0; k < 32; k++) {
        int& d = delta[s * 32 + k];
        if (d < 0)
          d = delta[fail[s] * 32 + k];
        else {
          fail[d] = delta[fail[s] * 32 + k];
          bfs.push_back(d);
        }
      }
    }
    std::vector<unsigned char> text(len);
    for (int i = 0; i < len; i++) text[i] = r.below(7) == 0 ? ' ' : (unsigned char)letter();
    for (int k = 0; k < len / 200; k++) {  // planted occurrences
      const std::string& p = pats[r.below(np)];
      int at = r.below(len - (int)p.size());
      memcpy(&text[at], p.data(), p.size());
    }
    int nchunk = cdiv(len, AC_CHUNK);
    DBuf<unsigned char> dtx(text);
    DBuf<int> dd(delta), dou(outst), ddi(dict), dpid(pid), dc(np), dh(nchunk);
    dc.zero();
    dh.zero();
    aho_corasick_scan<<<cdiv(nchunk, 128), 128>>>(dtx.p, len, dd.p, dou.p, ddi.p, dpid.p, maxlen, dc.p, dh.p);
    finish();
    auto cnt = dc.down();
    auto hits = dh.down();
    long long a = 0, b = 0;
    for (int v : cnt) a += v;
    for (int v : hits) b += v;
    if (a != b || a < len / 400) ok = false;
    if (c) continue;
    std::string st(text.begin(), text.end());
    for (int p = 0; p < np; p++) {  // naive search, overlapping matches
      int m = 0;
      for (size_t at = st.find(pats[p]); at != std::string::npos; at = st.find(pats[p], at + 1)) m++;
      if (m != cnt[p]) ok = false;
    }
  }
  return ok;
}

// ============================================================ 20. RGB histogram, shared-memory replicas
__global__ void __launch_bounds__(256) histogram_rgb_smem(const uchar4* __restrict__ img, int n, unsigned int* __restrict__ hist) {
  __shared__ unsigned int sh[2][768];
  for (int i = threadIdx.x; i < 2 * 768; i += blockDim.x) (&sh[0][0])[i] = 0;
  __syncthreads();
  unsigned int* my = sh[(threadIdx.x >> 5) & 1];
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    uchar4 p = img[i];
    if (p.w == 0) continue;  // transparent
    atomicAdd(my + p.x, 1u);
    atomicAdd(my + 256 + p.y, 1u);
    atomicAdd(my + 512 + p.z, 1u);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 768; i += blockDim.x) {
    unsigned int v = sh[0][i] + sh[1][i];
    if (v) atomicAdd(hist + i, v);
  }
}

static bool test_histogram_rgb_smem() {
  const int cfg[4][2] = {{1280, 720}, {1920, 1080}, {2560, 1440}, {3840, 2160}};
  bool ok = true;
  for (int c = 0; c < 4; c++) {
    int n = cfg[c][0] * cfg[c][1];
    Rng r(2000 + c);
    std::vector<uchar4> img(n);
    for (int i = 0; i < n; i++) {
      uint64_t v = r.next();
      int base = (i / 5000) & 63;  // slowly changing scene: contention on a few bins
      int flat = c & 1;            // odd configurations are nearly flat images
      img[i].x = (unsigned char)(base + (v & (flat ? 3 : 63)));
      img[i].y = (unsigned char)(2 * base + ((v >> 8) & (flat ? 1 : 127)));
      img[i].z = (unsigned char)(v >> 16);
      img[i].w = ((v >> 24) & 15) ? 255 : 0;
    }
    DBuf<uchar4> di(img);
    DBuf<unsigned int> dh(768);
    dh.zero();
    histogram_rgb_smem<<<std::min(528, cdiv(n, 256 * 8)), 256>>>(di.p, n, dh.p);
    finish();
    auto h = dh.down();
    std::vector<unsigned int> ref(768, 0);
    for (const auto& p : img)
      if (p.w) ref[p.x]++, ref[256 + p.y]++, ref[512 + p.z]++;
    if (h != ref) ok = false;
  }
  return ok;
}

// ============================================================ 21. selective state-space scan (Mamba forward)
#define SS_T 128
#define SS_I 4
#define SS_N 16
__global__ void __launch_bounds__(SS_T) selective_scan_fwd(const float* __restrict__ u, const float* __restrict__ delta,
                                                           const float* __restrict__ A, const float* __restrict__ Bm,
                                                           const float* __restrict__ Cm, const float* __restrict__ Dv,
                                                           float* __restrict__ out, int dim, int len) {
  __shared__ float2 wtot[SS_T / 32];
  __shared__ float carry[SS_N];
  const int d = blockIdx.x, b = blockIdx.y, tid = threadIdx.x, lane = tid & 31, warp = tid >> 5;
  const size_t row = ((size_t)b * dim + d) * len;
  if (tid < SS_N) carry[tid] = 0.0f;
  __syncthreads();
  for (int base = 0; base < len; base += SS_T * SS_I) {
    float dt[SS_I], du[SS_I], acc[SS_I];
    const int l0 = base + tid * SS_I;
#pragma unroll
    for (int i = 0; i < SS_I; i++) {
      const bool in = l0 + i < len;
      float uu = in ? u[row + l0 + i] : 0.0f;
      float x = in ? delta[row + l0 + i] : 0.0f;
      dt[i] = in ? (x > 20.0f ? x : log1pf(__expf(x))) : 0.0f;
      du[i] = dt[i] * uu;
      acc[i] = Dv[d] * uu;
    }
    for (int n = 0; n < SS_N; n++) {
      const float an = A[d * SS_N + n];
      const size_t bc = ((size_t)b * SS_N + n) * len + l0;
      float a[SS_I], h[SS_I];
#pragma unroll
      for (int i = 0; i < SS_I; i++) {
        a[i] = __expf(dt[i] * an);  // out of range: dt = 0 -> identity element (1, 0)
        h[i] = l0 + i < len ? du[i] * Bm[bc + i] : 0.0f;
        if (i > 0) {
          h[i] = a[i] * h[i - 1] + h[i];
          a[i] *= a[i - 1];
        }
      }
      float ta = a[SS_I - 1], th = h[SS_I - 1];
#pragma unroll
      for (int o = 1; o < 32; o <<= 1) {
        float pa = __shfl_up_sync(FULL, ta, o), ph = __shfl_up_sync(FULL, th, o);
        if (lane >= o) {
          th = ta * ph + th;
          ta *= pa;
        }
      }
      if (lane == 31) wtot[warp] = make_float2(ta, th);
      float ea = __shfl_up_sync(FULL, ta, 1), eh = __shfl_up_sync(FULL, th, 1);
      if (lane == 0) {
        ea = 1.0f;
        eh = 0.0f;
      }
      __syncthreads();
      float hp = carry[n];
      for (int w = 0; w < warp; w++) hp = wtot[w].x * hp + wtot[w].y;
      hp = ea * hp + eh;
#pragma unroll
      for (int i = 0; i < SS_I; i++)
        if (l0 + i < len) acc[i] += Cm[bc + i] * (a[i] * hp + h[i]);
      __syncthreads();
      if (tid == SS_T - 1) carry[n] = a[SS_I - 1] * hp + h[SS_I - 1];
    }
#pragma unroll
    for (int i = 0; i < SS_I; i++)
      if (l0 + i < len) out[row + l0 + i] = acc[i];
  }
}

static bool test_selective_scan_fwd() {
  const int cfg[4][3] = {{1, 128, 700}, {2, 256, 1024}, {1, 512, 2048}, {4, 192, 1500}};
  bool ok = true;
  for (int c = 0; c < 4; c++) {
    int B = cfg[c][0], D = cfg[c][1], L = cfg[c][2];
    Rng r(2100 + c);
    std::vector<float> u((size_t)B * D * L), dl(u.size()), A((size_t)D * SS_N), Bm((size_t)B * SS_N * L), Cm(Bm.size()), Dv(D);
    for (auto& v : u) v = r.bell();
    for (auto& v : dl) v = r.sym(2.0f) - 1.5f;
    for (int d = 0; d < D; d++)
      for (int n = 0; n < SS_N; n++) A[(size_t)d * SS_N + n] = -(n + 1) * (0.5f + 0.5f * r.uf());
    for (auto& v : Bm) v = r.sym(1.0f);
    for (auto& v : Cm) v = r.sym(1.0f);
    for (auto& v : Dv) v = r.sym(1.0f);
    DBuf<float> du(u), dd(dl), dA(A), dB(Bm), dC(Cm), dD(Dv), dout(u.size());
    dout.zero();
    dim3 g(D, B);
    selective_scan_fwd<<<g, SS_T>>>(du.p, dd.p, dA.p, dB.p, dC.p, dD.p, dout.p, D, L);
    finish();
    if (c) continue;
    auto o = dout.down();
    for (int b = 0; b < B; b++)
      for (int d = 0; d < D; d++) {
        double h[SS_N] = {0};
        for (int l = 0; l < L; l++) {
          size_t k = ((size_t)b * D + d) * L + l;
          double dt = log1p(exp((double)dl[k])), y = (double)Dv[d] * u[k];
          for (int n = 0; n < SS_N; n++) {
            h[n] = exp(dt * A[(size_t)d * SS_N + n]) * h[n] + dt * u[k] * Bm[((size_t)b * SS_N + n) * L + l];
            y += Cm[((size_t)b * SS_N + n) * L + l] * h[n];
          }
          if (!close_f(o[k], y, 1e-3, 1e-3)) ok = false;
        }
      }
  }
  return ok;
}

// ============================================================ 22. segmented bitonic sort in shared memory (2048-key tiles)
#define BT_N 2048
__global__ void __launch_bounds__(1024) bitonic_tile_sort(const uint32_t* __restrict__ keys, const int* __restrict__ seg,
                                                          uint32_t* __restrict__ okeys, int* __restrict__ oidx) {
  __shared__ u64 s[BT_N];
  const int b = seg[blockIdx.x], n = seg[blockIdx.x + 1] - b;
  for (int i = threadIdx.x; i < BT_N; i += blockDim.x) s[i] = i < n ? ((u64)keys[b + i] << 32) | (u64)i : ~0ull;
  __syncthreads();
  for (int k = 2; k <= BT_N; k <<= 1) {
    for (int j = k >> 1; j > 0; j >>= 1) {
      const int t = threadIdx.x;
      const int lo = ((t & ~(j - 1)) << 1) | (t & (j - 1));
      const int hi = lo | j;
      u64 x = s[lo], y = s[hi];
      if ((x > y) == ((lo & k) == 0)) {
        s[lo] = y;
        s[hi] = x;
      }
      __syncthreads();
    }
  }
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    okeys[b + i] = (uint32_t)(s[i] >> 32);
    oidx[b + i] = (int)(uint32_t)s[i];
  }
}

static bool test_bitonic_tile_sort() {
  // segments, min length, key range bits
  const int cfg[4][3] = {{64, 1800, 32}, {300, 2048, 12}, {700, 900, 32}, {1500, 1500, 20}};
  bool ok = true;
  for (int c = 0; c < 4; c++) {
    int S = cfg[c][0], ml = cfg[c][1], bits = cfg[c][2];
    Rng r(2200 + c);
    std::vector<int> seg(S + 1, 0);
    for (int s = 0; s < S; s++) seg[s + 1] = seg[s] + ml + (int)r.below(BT_N - ml + 1);
    int n = seg[S];
    std::vector<uint32_t> keys(n);
    for (auto& k : keys) k = r.u32() >> (32 - bits);
    DBuf<uint32_t> dk(keys), dok(n);
    DBuf<int> ds(seg), di(n);
    dok.zero();
    di.zero();
    bitonic_tile_sort<<<S, 1024>>>(dk.p, ds.p, dok.p, di.p);
    finish();
    auto k2 = dok.down();
    auto i2 = di.down();
    if (c == 0) {
      for (int s = 0; s < S; s++) {
        int len = seg[s + 1] - seg[s];
        std::vector<int> ord(len);
        std::iota(ord.begin(), ord.end(), 0);
        std::stable_sort(ord.begin(), ord.end(), [&](int a, int b) { return keys[seg[s] + a] < keys[seg[s] + b]; });
        for (int i = 0; i < len; i++)
          if (i2[seg[s] + i] != ord[i] || k2[seg[s] + i] != keys[seg[s] + ord[i]]) ok = false;
      }
    } else {
      for (int s = 0; s < S; s++)
        for (int i = seg[s] + 1; i < seg[s + 1]; i++)
          if (k2[i - 1] > k2[i]) ok = false;
    }
  }
  return ok;
}

// ============================================================ 23. CSR sparse matrix-vector product, warp per row (FP64)
__global__ void spmv_csr_warp(const int* __restrict__ rowp, const int* __restrict__ col, const double* __restrict__ val,
                              const double* __restrict__ x, double* __restrict__ y, double alpha, double beta, int n) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, lane = threadIdx.x & 31;
  if (row >= n) return;
  const int b = rowp[row], e = rowp[row + 1];
  double s = 0.0;
  for (int i = b + lane; i < e; i += 32) s += val[i] * __ldg(x + col[i]);
#pragma unroll
  for (int o = 16; o > 0; o >>= 1) s += __shfl_down_sync(FULL, s, o);
  if (lane == 0) y[row] = alpha * s + beta * y[row];
}

static bool test_spmv_csr_warp() {
  // rows, average row length
  const int cfg[4][2] = {{20000, 24}, {60000, 32}, {150000, 12}, {30000, 90}};
  bool ok = true;
  for (int c = 0; c < 4; c++) {
    int n = cfg[c][0], avg = cfg[c][1];
    Rng r(2300 + c);
    std::vector<int> rp(n + 1, 0);
    for (int i = 0; i < n; i++) {
      float u = r.uf();
      int len = (int)(avg * (0.3f + 2.1f * u * u));
      if (r.below(2000) == 0) len *= 12;  // a few heavy rows
      rp[i + 1] = rp[i] + len;
    }
    int nnz = rp[n];
    std::vector<int> col(nnz);
    std::vector<double> val(nnz), x(n), y(n);
    for (int i = 0; i < n; i++)
      for (int k = rp[i]; k < rp[i + 1]; k++) {
        int j = r.below(3) ? i + (int)r.below(400) - 200 : (int)r.below(n);
        col[k] = std::min(n - 1, std::max(0, j));
        val[k] = r.ud() * 2 - 1;
      }
    for (auto& v : x) v = r.ud() * 2 - 1;
    for (auto& v : y) v = r.ud() * 2 - 1;
    DBuf<int> drp(rp), dcol(col);
    DBuf<double> dval(val), dx(x), dy(y);
    spmv_csr_warp<<<cdiv(n, 8), 256>>>(drp.p, dcol.p, dval.p, dx.p, dy.p, 1.5, -0.25, n);
    finish();
    if (c) continue;
    auto o = dy.down();
    for (int i = 0; i < n; i++) {
      double s = 0;
      for (int k = rp[i]; k < rp[i + 1]; k++) s += val[k] * x[col[k]];
      if (!close_f(o[i], 1.5 * s - 0.25 * y[i], 1e-10, 1e-10)) ok = false;
    }
  }
  return ok;
}

// ============================================================ 24. BFS frontier expansion (warp per vertex, CAS claims)
__global__ void bfs_frontier_expand(const int* __restrict__ rowp, const int* __restrict__ col, const int* __restrict__ frontier,
                                    int nf, int* __restrict__ dist, int* __restrict__ next, int* __restrict__ nnext, int level) {
  const int lane = threadIdx.x & 31;
  const int nwarps = (gridDim.x * blockDim.x) >> 5;
  for (int w = (blockIdx.x * blockDim.x + threadIdx.x) >> 5; w < nf; w += nwarps) {
    const int v = frontier[w];
    const int b = rowp[v], e = rowp[v + 1];
    for (int i0 = b; i0 < e; i0 += 32) {
      const int i = i0 + lane;
      bool win = false;
      int u = 0;
      if (i < e) {
        u = col[i];
        if (dist[u] < 0) win = atomicCAS(dist + u, -1, level + 1) == -1;
      }
      const unsigned m = __ballot_sync(FULL, win);
      if (m) {
        int base = 0;
        if (lane == 0) base = atomicAdd(nnext, __popc(m));
        base = __shfl_sync(FULL, base, 0);
        if (win) next[base + __popc(m & ((1u << lane) - 1u))] = u;
      }
    }
  }
}

static bool test_bfs_frontier_expand() {
  // vertices, edges per vertex, skewed?
  const int cfg[4][3] = {{60000, 8, 0}, {200000, 12, 1}, {400000, 8, 0}, {500000, 10, 1}};
  bool ok = true;
  for (int c = 0; c < 4; c++) {
    int n = cfg[c][0], m = n * cfg[c][1];
    Rng r(2400 + c);
    std::vector<int> src(m), dst(m), rp(n + 1, 0), col(m);
    for (int i = 0; i < m; i++) {
      if (cfg[c][2]) {
        float a = r.uf(), b = r.uf();
        src[i] = std::min(n - 1, (int)(a * a * n));
        dst[i] = std::min(n - 1, (int)(b * b * n));
      } else {
        src[i] = r.below(n);
        dst[i] = std::min(n - 1, std::max(0, src[i] + (int)r.below(20001) - 10000));
      }
      rp[src[i] + 1]++;
    }
    for (int i = 0; i < n; i++) rp[i + 1] += rp[i];
    std::vector<int> at(rp.begin(), rp.end() - 1);
    for (int i = 0; i < m; i++) col[at[src[i]]++] = dst[i];
    // run the search on the host, remember the widest frontier
    std::vector<int> dist(n, -1), frontier, best_frontier, best_dist;
    int level = 0, best_level = 0;
    frontier.push_back(c % 2 ? 0 : n / 2);
    dist[frontier[0]] = 0;
    while (!frontier.empty()) {
      if (frontier.size() > best_frontier.size()) {
        best_frontier = frontier;
        best_dist = dist;
        best_level = level;
      }
      std::vector<int> nx;
      for (int v : frontier)
        for (int e = rp[v]; e < rp[v + 1]; e++)
          if (dist[col[e]] < 0) {
            dist[col[e]] = level + 1;
            nx.push_back(col[e]);
          }
      frontier.swap(nx);
      level++;
    }
    int nf = (int)best_frontier.size();
    DBuf<int> drp(rp), dcol(col), dfr(best_frontier), ddist(best_dist), dnext(n), dcount(1);
    dnext.zero();
    dcount.zero();
    bfs_frontier_expand<<<std::min(1056, cdiv(nf, 8)), 256>>>(drp.p, dcol.p, dfr.p, nf, ddist.p, dnext.p, dcount.p, best_level);
    finish();
    auto od = ddist.down();
    auto nx = dnext.down();
    int cnt = dcount.down()[0];
    std::vector<int> expect;
    for (int v = 0; v < n; v++) {
      int want = dist[v] > best_level + 1 ? -1 : dist[v];
      if (od[v] != want) ok = false;
      if (dist[v] == best_level + 1) expect.push_back(v);
    }
    if (cnt != (int)expect.size()) {
      ok = false;
      continue;
    }
    nx.resize(cnt);
    std::sort(nx.begin(), nx.end());
    if (nx != expect) ok = false;
  }
  return ok;
}

// ============================================================ 25. Monte Carlo Asian option pricing
struct Xor128 {
  uint32_t x, y, z, w;
};
__host__ __device__ inline Xor128 xor_init(uint32_t seed, uint32_t id) {
  Xor128 s;
  s.x = mix_hash(seed, id, 1u) | 1u;
  s.y = mix_hash(seed, id, 2u);
  s.z = mix_hash(seed, id, 3u);
  s.w = mix_hash(seed, id, 4u);
  return s;
}
__host__ __device__ inline float xor_uniform(Xor128& s) {  // (0, 1)
  uint32_t t = s.x ^ (s.x << 11);
  s.x = s.y;
  s.y = s.z;
  s.z = s.w;
  s.w = s.w ^ (s.w >> 19) ^ t ^ (t >> 8);
  return ((float)(s.w >> 9) + 0.5f) * (1.0f / 8388608.0f);
}

__global__ void __launch_bounds__(256) asian_option_mc(float* __restrict__ payoff, double* __restrict__ total, int paths,
                                                       int steps, float s0, float strike, float rate, float vol, float T,
                                                       uint32_t seed) {
  __shared__ float sh[32];
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  float pay = 0.0f;
  if (p < paths) {
    Xor128 rng = xor_init(seed, p);
    const float dt = T / steps;
    const float drift = (rate - 0.5f * vol * vol) * dt, sd = vol * sqrtf(dt);
    float ls = 0.0f, sum = 0.0f;
    for (int i = 0; i < steps; i += 2) {
      float r = sqrtf(-2.0f * logf(xor_uniform(rng)));
      float sn, cs;
      sincosf(6.2831853f * xor_uniform(rng), &sn, &cs);
      ls += drift + sd * r * cs;
      sum += expf(ls);
      if (i + 1 < steps) {
        ls += drift + sd * r * sn;
        sum += expf(ls);
      }
    }
    pay = fmaxf(s0 * sum / steps - strike, 0.0f) * expf(-rate * T);
    payoff[p] = pay;
  }
  float bs = block_sum(pay, sh);
  if (threadIdx.x == 0) atomicAdd(total, (double)bs);
}

static bool test_asian_option_mc() {
  // paths, steps
  const int cfg[4][2] = {{20000, 64}, {131072, 101}, {400000, 52}, {262144, 252}};
  bool ok = true;
  for (int c = 0; c < 4; c++) {
    int P = cfg[c][0], S = cfg[c][1];
    float s0 = 100.0f, K = 95.0f + 4.0f * c, rate = 0.03f, vol = 0.2f + 0.05f * c, T = 1.0f;
    DBuf<float> dp(P);
    DBuf<double> dt(1);
    dp.zero();
    dt.zero();
    asian_option_mc<<<cdiv(P, 256), 256>>>(dp.p, dt.p, P, S, s0, K, rate, vol, T, 777u + c);
    finish();
    auto pay = dp.down();
    double tot = dt.down()[0], sum = 0;
    for (float v : pay) sum += v;
    if (!close_f(tot, sum, 1e-5, 1e-3)) ok = false;
    if (!(tot / P > 1.0 && tot / P < 30.0)) ok = false;
    if (c) continue;
    for (int p = 0; p < P; p++) {
      Xor128 rng = xor_init(777u, p);
      double dt_ = (double)T / S, ls = 0, a = 0;
      for (int i = 0; i < S; i += 2) {
        double r = sqrt(-2 * log((double)xor_uniform(rng))), th = 6.283185307179586 * xor_uniform(rng);
        ls += (rate - 0.5 * vol * vol) * dt_ + vol * sqrt(dt_) * r * cos(th);
        a += exp(ls);
        if (i + 1 < S) {
          ls += (rate - 0.5 * vol * vol) * dt_ + vol * sqrt(dt_) * r * sin(th);
          a += exp(ls);
        }
      }
      if (!close_f(pay[p], std::max(0.0, s0 * a / S - K) * exp(-rate * T), 1e-3, 0.01)) ok = false;
    }
  }
  return ok;
}

// ============================================================ 26. bilateral filter on RGBA frames
__global__ void __launch_bounds__(256) bilateral_filter_rgba(const uchar4* __restrict__ in, uchar4* __restrict__ out, int w,
                                                             int h, int rad, float is, float ir) {
  extern __shared__ uchar4 bf_tile[];
  const int tw = 16 + 2 * rad;
  const int x0 = blockIdx.x * 16 - rad, y0 = blockIdx.y * 16 - rad;
  for (int i = threadIdx.y * 16 + threadIdx.x; i < tw * tw; i += 256) {
    int x = min(w - 1, max(0, x0 + i % tw)), y = min(h - 1, max(0, y0 + i / tw));
    bf_tile[i] = in[(size_t)y * w + x];
  }
  __syncthreads();
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x >= w || y >= h) return;
  const uchar4 c = bf_tile[(threadIdx.y + rad) * tw + threadIdx.x + rad];
  float r = 0.0f, g = 0.0f, b = 0.0f, ws = 0.0f;
  for (int dy = -rad; dy <= rad; dy++)
    for (int dx = -rad; dx <= rad; dx++) {
      uchar4 p = bf_tile[(threadIdx.y + rad + dy) * tw + threadIdx.x + rad + dx];
      float dr = (float)p.x - c.x, dg = (float)p.y - c.y, db = (float)p.z - c.z;
      float wt = __expf(-(float)(dx * dx + dy * dy) * is - (dr * dr + dg * dg + db * db) * ir);
      r += wt * p.x;
      g += wt * p.y;
      b += wt * p.z;
      ws += wt;
    }
  const float inv = 1.0f / ws;
  out[(size_t)y * w + x] = make_uchar4((unsigned char)(r * inv + 0.5f), (unsigned char)(g * inv + 0.5f),
                                       (unsigned char)(b * inv + 0.5f), c.w);
}

static bool test_bilateral_filter_rgba() {
  const int cfg[4][3] = {{320, 200, 3}, {640, 480, 5}, {1280, 720, 4}, {1920, 1080, 2}};
  bool ok = true;
  for (int c = 0; c < 4; c++) {
    int w = cfg[c][0], h = cfg[c][1], rad = cfg[c][2];
    Rng r(2600 + c);
    std::vector<uchar4> img((size_t)w * h);
    for (int y = 0; y < h; y++)
      for (int x = 0; x < w; x++) {
        uint64_t v = r.next();
        int e = ((x / 37) ^ (y / 23)) & 1 ? 150 : 40;
        img[(size_t)y * w + x] = make_uchar4((unsigned char)(e + (v & 31)), (unsigned char)(e / 2 + ((v >> 8) & 31)),
                                             (unsigned char)(x * 200 / w + ((v >> 16) & 31)), (unsigned char)(v >> 24));
      }
    float is = 1.0f / (2.0f * rad * rad * 0.5f), ir = 1.0f / (2.0f * 30.0f * 30.0f);
    DBuf<uchar4> di(img), dout(img.size());
    dout.zero();
    dim3 b(16, 16), g(cdiv(w, 16), cdiv(h, 16));
    bilateral_filter_rgba<<<g, b, (16 + 2 * rad) * (16 + 2 * rad) * sizeof(uchar4)>>>(di.p, dout.p, w, h, rad, is, ir);
    finish();
    if (c) continue;
    auto o = dout.down();
    for (int y = 0; y < h; y++)
      for (int x = 0; x < w; x++) {
        uchar4 p0 = img[(size_t)y * w + x];
        float s[3] = {0, 0, 0}, ws = 0;
        for (int dy = -rad; dy <= rad; dy++)
          for (int dx = -rad; dx <= rad; dx++) {
            uchar4 p = img[(size_t)std::min(h - 1, std::max(0, y + dy)) * w + std::min(w - 1, std::max(0, x + dx))];
            float dr = (float)p.x - p0.x, dg = (float)p.y - p0.y, db = (float)p.z - p0.z;
            float wt = expf(-(float)(dx * dx + dy * dy) * is - (dr * dr + dg * dg + db * db) * ir);
            s[0] += wt * p.x;
            s[1] += wt * p.y;
            s[2] += wt * p.z;
            ws += wt;
          }
        uchar4 q = o[(size_t)y * w + x];
        if (!(fabsf(q.x - s[0] / ws) < 0.52f && fabsf(q.y - s[1] / ws) < 0.52f && fabsf(q.z - s[2] / ws) < 0.52f && q.w == p0.w)) ok = false;
      }
  }
  return ok;
}

// ============================================================ 27. batched 1024-point FFT, radix-4 Stockham in shared memory
__device__ __forceinline__ float2 cmulf(float2 a, float2 b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

__global__ void __launch_bounds__(256) fft_stockham_1024(const float2* __restrict__ in, float2* __restrict__ out,
                                                         const float* __restrict__ window, float dir, float scale) {
  __shared__ float sre[1024], sim[1024];
  const int j = threadIdx.x;
  const float2* src = in + (size_t)blockIdx.x * 1024;
  float2 v[4];
#pragma unroll
  for (int r = 0; r < 4; r++) {
    v[r] = src[j + r * 256];
    if (window) {
      float w = window[j + r * 256];
      v[r].x *= w;
      v[r].y *= w;
    }
  }
#pragma unroll
  for (int ns = 1; ns < 1024; ns *= 4) {
    const int k = j & (ns - 1);
    if (ns > 1) {
      float2 w1;
      sincospif(dir * 2.0f * (float)k / (float)(ns * 4), &w1.y, &w1.x);
      float2 w2 = cmulf(w1, w1), w3 = cmulf(w2, w1);
      v[1] = cmulf(v[1], w1);
      v[2] = cmulf(v[2], w2);
      v[3] = cmulf(v[3], w3);
    }
    float2 a0 = make_float2(v[0].x + v[2].x, v[0].y + v[2].y), a1 = make_float2(v[0].x - v[2].x, v[0].y - v[2].y);
    float2 a2 = make_float2(v[1].x + v[3].x, v[1].y + v[3].y), d = make_float2(v[1].x - v[3].x, v[1].y - v[3].y);
    float2 a3 = make_float2(-dir * d.y, dir * d.x);  // d * (i * dir)
    v[0] = make_float2(a0.x + a2.x, a0.y + a2.y);
    v[1] = make_float2(a1.x + a3.x, a1.y + a3.y);
    v[2] = make_float2(a0.x - a2.x, a0.y - a2.y);
    v[3] = make_float2(a1.x - a3.x, a1.y - a3.y);
    if (ns < 256) {
      const int dst = (j - k) * 4 + k;
      __syncthreads();
#pragma unroll
      for (int r = 0; r < 4; r++) {
        sre[dst + r * ns] = v[r].x;
        sim[dst + r * ns] = v[r].y;
      }
      __syncthreads();
#pragma unroll
      for (int r = 0; r < 4; r++) v[r] = make_float2(sre[j + r * 256], sim[j + r * 256]);
    }
  }
  float2* o = out + (size_t)blockIdx.x * 1024;
#pragma unroll
  for (int r = 0; r < 4; r++) o[j + r * 256] = make_float2(v[r].x * scale, v[r].y * scale);
}

static bool test_fft_stockham_1024() {
  // batch, direction, windowed
  const int cfg[4][3] = {{300, -1, 1}, {900, 1, 0}, {1800, -1, 0}, {3200, -1, 1}};
  bool ok = true;
  std::vector<double> tc(1024), ts(1024);
  for (int i = 0; i < 1024; i++) tc[i] = cos(2 * M_PI * i / 1024), ts[i] = sin(2 * M_PI * i / 1024);
  for (int c = 0; c < 4; c++) {
    int B = cfg[c][0], dir = cfg[c][1], win = cfg[c][2];
    float scale = dir > 0 ? 1.0f / 1024 : 1.0f;
    Rng r(2700 + c);
    std::vector<float2> x((size_t)B * 1024);
    for (auto& v : x) v = make_float2(r.sym(1.0f), r.sym(1.0f));
    std::vector<float> w(1024);
    for (int i = 0; i < 1024; i++) w[i] = (float)(0.5 - 0.5 * tc[i]);
    DBuf<float2> dx(x), dout(x.size());
    DBuf<float> dw(w);
    dout.zero();
    fft_stockham_1024<<<B, 256>>>(dx.p, dout.p, win ? dw.p : nullptr, (float)dir, scale);
    finish();
    auto o = dout.down();
    for (int b = 0; b < B; b++) {  // Parseval for every transform
      double ein = 0, eout = 0;
      for (int i = 0; i < 1024; i++) {
        size_t k = (size_t)b * 1024 + i;
        double ww = win ? w[i] : 1.0;
        ein += ww * ww * ((double)x[k].x * x[k].x + (double)x[k].y * x[k].y);
        eout += (double)o[k].x * o[k].x + (double)o[k].y * o[k].y;
      }
      if (!close_f(eout / 1024 / ((double)scale * scale), ein, 1e-4, 1e-6)) ok = false;
    }
    for (int b = 0; b < (c < 2 ? B : 0); b += 60) {  // direct DFT for some
      for (int k = 0; k < 1024; k++) {
        double re = 0, im = 0;
        for (int i = 0; i < 1024; i++) {
          double ww = win ? w[i] : 1.0, cs = tc[(i * k) & 1023], sn = dir * ts[(i * k) & 1023];
          double xr = ww * x[(size_t)b * 1024 + i].x, xi = ww * x[(size_t)b * 1024 + i].y;
          re += xr * cs - xi * sn;
          im += xr * sn + xi * cs;
        }
        float2 q = o[(size_t)b * 1024 + k];
        if (!close_f(q.x / scale, re, 1e-4, 2e-3) || !close_f(q.y / scale, im, 1e-4, 2e-3)) ok = false;
      }
    }
  }
  return ok;
}

// ============================================================ 28. Smith-Waterman with affine gaps, anti-diagonal wavefront
#define SW_AA 24
#define SW_MAXQ 256
__global__ void smith_waterman_affine(const unsigned char* __restrict__ query, int qlen, const unsigned char* __restrict__ db,
                                      const int* __restrict__ off, const signed char* __restrict__ matrix, int gopen, int gext,
                                      int* __restrict__ score) {
  __shared__ int sub[SW_AA * SW_AA];
  __shared__ int sh_h[2][SW_MAXQ], sh_f[2][SW_MAXQ];
  __shared__ int best_all;
  const int i = threadIdx.x;
  for (int k = i; k < SW_AA * SW_AA; k += blockDim.x) sub[k] = matrix[k];
  if (i == 0) best_all = 0;
  const int b = off[blockIdx.x], tlen = off[blockIdx.x + 1] - b;
  const bool active = i < qlen;
  const int* row = sub + (active ? query[i] : 0) * SW_AA;
  const int NEG = -1000000;
  int h_left = 0, e_left = NEG, up_prev = 0, best = 0;
  __syncthreads();
  for (int d = 0; d < qlen + tlen - 1; d++) {
    const int j = d - i;
    if (active && j >= 0 && j < tlen) {
      const int rd = (d + 1) & 1;
      const int up_h = i > 0 ? sh_h[rd][i - 1] : 0;
      const int up_f = i > 0 ? sh_f[rd][i - 1] : NEG;
      const int diag = j > 0 ? up_prev : 0;
      const int e = max(e_left - gext, h_left - gopen);
      const int f = max(up_f - gext, up_h - gopen);
      const int h = max(max(0, diag + row[__ldg(db + b + j)]), max(e, f));
      best = max(best, h);
      sh_h[d & 1][i] = h;
      sh_f[d & 1][i] = f;
      h_left = h;
      e_left = e;
      up_prev = up_h;
    }
    __syncthreads();
  }
#pragma unroll
  for (int o = 16; o > 0; o >>= 1) best = max(best, __shfl_xor_sync(FULL, best, o));
  if ((i & 31) == 0) atomicMax(&best_all, best);
  __syncthreads();
  if (i == 0) score[blockIdx.x] = best_all;
}

static bool test_smith_waterman_affine() {
  // targets, query length, min target length, max target length
  const int cfg[4][4] = {{256, 100, 60, 150}, {1000, 128, 80, 300}, {1500, 200, 100, 400}, {2000, 256, 100, 250}};
  bool ok = true;
  for (int c = 0; c < 4; c++) {
    int nt = cfg[c][0], ql = cfg[c][1];
    Rng r(2800 + c);
    std::vector<unsigned char> q(ql);
    for (auto& v : q) v = r.below(20);
    std::vector<signed char> mat(SW_AA * SW_AA);
    for (int a = 0; a < SW_AA; a++)
      for (int b = 0; b <= a; b++) mat[a * SW_AA + b] = mat[b * SW_AA + a] = a == b ? (signed char)(4 + r.below(6)) : (signed char)((int)r.below(6) - 4);
    std::vector<int> off(nt + 1, 0);
    for (int t = 0; t < nt; t++) off[t + 1] = off[t] + cfg[c][2] + (int)r.below(cfg[c][3] - cfg[c][2] + 1);
    std::vector<unsigned char> db(off[nt]);
    for (auto& v : db) v = r.below(20);
    for (int t = 0; t < nt; t += 3) {  // homologous pieces with mutations and gaps
      int p = off[t] + r.below(20), k = r.below(20);
      while (p < off[t + 1] && k < ql) {
        uint32_t u = r.below(100);
        if (u < 4)
          k++;
        else if (u < 8)
          p++;
        else {
          if (u < 85) db[p] = q[k];
          p++;
          k++;
        }
      }
    }
    DBuf<unsigned char> dq(q), ddb(db);
    DBuf<int> doff(off), ds(nt);
    DBuf<signed char> dm(mat);
    ds.zero();
    const int go = 11, ge = 1;
    smith_waterman_affine<<<nt, (ql + 31) / 32 * 32>>>(dq.p, ql, ddb.p, doff.p, dm.p, go, ge, ds.p);
    finish();
    if (c) continue;
    auto s = ds.down();
    for (int t = 0; t < nt; t++) {
      int tl = off[t + 1] - off[t], best = 0;
      std::vector<int> H(tl + 1, 0), F(tl + 1, -1000000);
      for (int i = 0; i < ql; i++) {
        int diag = 0, left = 0, E = -1000000;
        for (int j = 1; j <= tl; j++) {
          E = std::max(E - ge, left - go);
          F[j] = std::max(F[j] - ge, H[j] - go);
          int h = std::max(std::max(0, diag + mat[q[i] * SW_AA + db[off[t] + j - 1]]), std::max(E, F[j]));
          diag = H[j];
          H[j] = left = h;
          best = std::max(best, h);
        }
      }
      if (best != s[t]) ok = false;
    }
  }
  return ok;
}

// ============================================================ 29. double SHA-256 nonce search
#define SHA_K_TABLE                                                                                                     \
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, \
      0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6,       \
      0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,       \
      0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354,       \
      0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624,       \
      0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,       \
      0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
__constant__ uint32_t c_sha_k[64] = {SHA_K_TABLE};
static const uint32_t h_sha_k[64] = {SHA_K_TABLE};

struct ShaJob {
  uint32_t mid[8];   // state after the first 64-byte block
  uint32_t tail[3];  // words 16..18 of the header; word 19 is the nonce
};

__device__ __forceinline__ uint32_t rotr32(uint32_t x, int n) { return __funnelshift_r(x, x, n); }
__device__ __forceinline__ void sha_block(uint32_t* st, uint32_t* w) {
  uint32_t a = st[0], b = st[1], c = st[2], d = st[3], e = st[4], f = st[5], g = st[6], h = st[7];
#pragma unroll
  for (int i = 0; i < 64; i++) {
    if (i >= 16) {
      uint32_t x = w[(i + 1) & 15], y = w[(i + 14) & 15];
      uint32_t s0 = rotr32(x, 7) ^ rotr32(x, 18) ^ (x >> 3), s1 = rotr32(y, 17) ^ rotr32(y, 19) ^ (y >> 10);
      w[i & 15] += s0 + w[(i + 9) & 15] + s1;
    }
    uint32_t t1 = h + (rotr32(e, 6) ^ rotr32(e, 11) ^ rotr32(e, 25)) + ((e & f) ^ (~e & g)) + c_sha_k[i] + w[i & 15];
    uint32_t t2 = (rotr32(a, 2) ^ rotr32(a, 13) ^ rotr32(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  st[0] += a;
  st[1] += b;
  st[2] += c;
  st[3] += d;
  st[4] += e;
  st[5] += f;
  st[6] += g;
  st[7] += h;
}

__global__ void __launch_bounds__(256) sha256d_search(ShaJob job, uint32_t first, uint32_t count, uint32_t target,
                                                      uint32_t* __restrict__ hits, int* __restrict__ nhits, int maxhits) {
  const uint32_t id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= count) return;
  const uint32_t nonce = first + id;
  uint32_t st[8], w[16];
#pragma unroll
  for (int i = 0; i < 8; i++) st[i] = job.mid[i];
#pragma unroll
  for (int i = 0; i < 16; i++) w[i] = 0;
  w[0] = job.tail[0];
  w[1] = job.tail[1];
  w[2] = job.tail[2];
  w[3] = nonce;
  w[4] = 0x80000000u;
  w[15] = 640;
  sha_block(st, w);
#pragma unroll
  for (int i = 0; i < 16; i++) w[i] = i < 8 ? st[i & 7] : 0u;
  w[8] = 0x80000000u;
  w[15] = 256;
  st[0] = 0x6a09e667u;
  st[1] = 0xbb67ae85u;
  st[2] = 0x3c6ef372u;
  st[3] = 0xa54ff53au;
  st[4] = 0x510e527fu;
  st[5] = 0x9b05688cu;
  st[6] = 0x1f83d9abu;
  st[7] = 0x5be0cd19u;
  sha_block(st, w);
  if (st[0] < target) {
    int k = atomicAdd(nhits, 1);
    if (k < maxhits) hits[k] = nonce;
  }
}

static void host_sha_block(uint32_t* st, const uint32_t* in) {
  auto rot = [](uint32_t x, int n) { return (x >> n) | (x << (32 - n)); };
  uint32_t w[64];
  for (int i = 0; i < 16; i++) w[i] = in[i];
  for (int i = 16; i < 64; i++)
    w[i] = w[i - 16] + w[i - 7] + (rot(w[i - 15], 7) ^ rot(w[i - 15], 18) ^ (w[i - 15] >> 3)) +
           (rot(w[i - 2], 17) ^ rot(w[i - 2], 19) ^ (w[i - 2] >> 10));
  uint32_t v[8];
  for (int i = 0; i < 8; i++) v[i] = st[i];
  for (int i = 0; i < 64; i++) {
    uint32_t t1 = v[7] + (rot(v[4], 6) ^ rot(v[4], 11) ^ rot(v[4], 25)) + ((v[4] & v[5]) ^ (~v[4] & v[6])) + h_sha_k[i] + w[i];
    uint32_t t2 = (rot(v[0], 2) ^ rot(v[0], 13) ^ rot(v[0], 22)) + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
    for (int k = 7; k > 0; k--) v[k] = v[k - 1];
    v[4] += t1;
    v[0] = t1 + t2;
  }
  for (int i = 0; i < 8; i++) st[i] += v[i];
}

static bool test_sha256d_search() {
  const uint32_t iv[8] = {0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au, 0x510e527fu, 0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u};
  const uint32_t cfg[4] = {60000, 300000, 1000000, 3000000};
  const int maxhits = 8192;
  bool ok = true;
  {  // self-test of the host reference: SHA-256("abc")
    uint32_t st[8], m[16] = {0x61626380u, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 24};
    memcpy(st, iv, sizeof(st));
    host_sha_block(st, m);
    if (st[0] != 0xba7816bfu || st[7] != 0xf20015adu) ok = false;
  }
  for (int c = 0; c < 4; c++) {
    uint32_t n = cfg[c], first = 0x10000000u * (c + 1);
    uint32_t target = c == 0 ? 1u << 23 : 1u << 21;
    Rng r(2900 + c);
    uint32_t head[19];
    for (auto& v : head) v = r.u32();
    ShaJob job;
    memcpy(job.mid, iv, sizeof(iv));
    host_sha_block(job.mid, head);
    for (int i = 0; i < 3; i++) job.tail[i] = head[16 + i];
    DBuf<uint32_t> dh(maxhits);
    DBuf<int> dn(1);
    dh.zero();
    dn.zero();
    sha256d_search<<<cdiv(n, 256), 256>>>(job, first, n, target, dh.p, dn.p, maxhits);
    finish();
    auto hits = dh.down();
    int k = dn.down()[0];
    auto digest0 = [&](uint32_t nonce) {
      uint32_t st[8], m[16] = {job.tail[0], job.tail[1], job.tail[2], nonce, 0x80000000u, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 640};
      memcpy(st, job.mid, sizeof(st));
      host_sha_block(st, m);
      uint32_t m2[16] = {st[0], st[1], st[2], st[3], st[4], st[5], st[6], st[7], 0x80000000u, 0, 0, 0, 0, 0, 0, 256};
      memcpy(st, iv, sizeof(st));
      host_sha_block(st, m2);
      return st[0];
    };
    if (k < 1 || k > maxhits) {
      ok = false;
      continue;
    }
    hits.resize(k);
    std::sort(hits.begin(), hits.end());
    for (uint32_t v : hits)
      if (v < first || v >= first + n || digest0(v) >= target) ok = false;
    if (c == 0) {
      std::vector<uint32_t> ref;
      for (uint32_t i = 0; i < n; i++)
        if (digest0(first + i) < target) ref.push_back(first + i);
      if (ref != hits) ok = false;
    }
  }
  return ok;
}

// ================================================================================ main
int main() {
  struct Entry {
    const char* name;
    bool (*fn)();
  };
#define E(n) {#n, test_##n}
  const Entry all[] = {
      E(fused_add_rmsnorm_bf16), E(rope_neox_half), E(dynamic_quant_int8_token), E(awq_dequant_int4), E(paged_decode_attention),
      E(gumbel_sample_rows), E(embedding_bag_mean), E(hashgrid_encode), E(furthest_point_sample), E(knn_brute_k8),
      E(voxel_hash_insert), E(bvh_closest_hit), E(forest_predict), E(lj_neighbor_force), E(angle_force_f64),
      E(staggered_dslash_f64), E(lbm_d2q9_step), E(euler_flux_unstructured), E(aho_corasick_scan), E(histogram_rgb_smem),
      E(selective_scan_fwd), E(bitonic_tile_sort), E(spmv_csr_warp), E(bfs_frontier_expand), E(asian_option_mc),
      E(bilateral_filter_rgba), E(fft_stockham_1024), E(smith_waterman_affine), E(sha256d_search)};
#undef E
  int fails = 0;
  for (const Entry& e : all) {
    bool ok = e.fn();
    printf("%s %s\n", e.name, ok ? "ok" : "FAIL");
    fflush(stdout);
    fails += !ok;
  }
  if (g_peak >= 60u * 1000u * 1000u) {
    printf("device memory peak %zu bytes exceeds the limit\n", g_peak);
    fails++;
  }
  return fails ? 1 : 0;
}
