// mixed_x.cu - 29 unrelated application kernels, each checked on the host.
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <cooperative_groups.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <numeric>
#include <unordered_map>
#include <vector>
namespace cg = cooperative_groups;
typedef unsigned long long ull;
typedef unsigned int uint32;
typedef unsigned char uchar;

#define CK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
  fprintf(stderr, "%s:%d %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(e_)); exit(2); } } while (0)

// ------------------------------------------------------------------ harness
static std::vector<void*> g_allocs;
static bool g_allok = true;
template <class T> static T* dalloc(size_t n) { void* p = nullptr; CK(cudaMalloc(&p, n * sizeof(T))); g_allocs.push_back(p); return (T*)p; }
template <class T> static T* up(const std::vector<T>& v) { T* p = dalloc<T>(v.size()); CK(cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice)); return p; }
template <class T> static void put(T* d, const std::vector<T>& v) { CK(cudaMemcpy(d, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice)); }
template <class T> static std::vector<T> down(const T* d, size_t n) { std::vector<T> v(n); CK(cudaMemcpy(v.data(), d, n * sizeof(T), cudaMemcpyDeviceToHost)); return v; }
template <class T> static void zero(T* d, size_t n, int byte = 0) { CK(cudaMemset(d, byte, n * sizeof(T))); }
static void freeAll() { for (void* p : g_allocs) CK(cudaFree(p)); g_allocs.clear(); }
template <class R, class L> static void four(R reset, L launch) {
  for (int i = 0; i < 4; i++) { reset(); launch(); CK(cudaGetLastError()); CK(cudaDeviceSynchronize()); }
}
static void report(const char* name, bool ok) { printf("%s: %s\n", name, ok ? "ok" : "WRONG"); fflush(stdout); if (!ok) g_allok = false; freeAll(); }
static bool near_(double a, double b, double tol) { return std::fabs(a - b) <= tol * (1.0 + std::fabs(b)); }
struct Rng {
  ull s; explicit Rng(ull seed) : s(seed * 0x9E3779B97F4A7C15ull + 1) {}
  ull next() { ull z = (s += 0x9E3779B97F4A7C15ull); z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull; z = (z ^ (z >> 27)) * 0x94D049BB133111EBull; return z ^ (z >> 31); }
  double u() { return (double)(next() >> 11) * (1.0 / 9007199254740992.0); }
  int below(int n) { return (int)(next() % (ull)n); }
  float f(float a, float b) { return a + (b - a) * (float)u(); }
  float g() { double t = 0; for (int i = 0; i < 4; i++) t += u(); return (float)((t - 2.0) * 1.7320508); }
};
__host__ __device__ static inline uint32 mix32(uint32 h) { h ^= h >> 16; h *= 0x85ebca6bu; h ^= h >> 13; h *= 0xc2b2ae35u; h ^= h >> 16; return h; }

// =================================================================== 1
// Embedding bag, mean pooling, 16 lanes x float4 = 64 columns per bag.
__global__ void embedding_bag_mean(const float4* __restrict__ table, const int* __restrict__ idx,
                                   const int* __restrict__ offs, float4* __restrict__ out, int bags) {
  int bag = blockIdx.x * blockDim.y + threadIdx.y;
  if (bag >= bags) return;
  int b = offs[bag], e = offs[bag + 1];
  float4 acc = make_float4(0.f, 0.f, 0.f, 0.f);
  for (int i = b; i < e; ++i) {
    float4 v = __ldg(&table[(size_t)idx[i] * 16 + threadIdx.x]);
    acc.x += v.x; acc.y += v.y; acc.z += v.z; acc.w += v.w;
  }
  float inv = e > b ? 1.f / (float)(e - b) : 0.f;
  out[(size_t)bag * 16 + threadIdx.x] = make_float4(acc.x * inv, acc.y * inv, acc.z * inv, acc.w * inv);
}
static void t_embedding() {
  const int rows = 150000, bags = 16384; Rng r(1);
  std::vector<float> t((size_t)rows * 64); for (auto& x : t) x = (float)((int)(r.next() & 0xffff) - 32768) / 65536.f;
  std::vector<int> offs(1, 0), idx;
  for (int b = 0; b < bags; b++) { int n = (int)(40 * std::pow(r.u(), 2.2)); for (int i = 0; i < n; i++) idx.push_back((int)(rows * std::pow(r.u(), 3.0))); offs.push_back((int)idx.size()); }
  float* dt = up(t); int* di = up(idx); int* dof = up(offs); float* o = dalloc<float>((size_t)bags * 64);
  four([&] { zero(o, (size_t)bags * 64, 0xff); }, [&] { embedding_bag_mean<<<bags / 16, dim3(16, 16)>>>((const float4*)dt, di, dof, (float4*)o, bags); });
  auto h = down(o, (size_t)bags * 64); bool ok = true;
  for (int b = 0; b < bags; b++) for (int c = 0; c < 64; c++) {
    double s = 0; int n = offs[b + 1] - offs[b]; for (int i = offs[b]; i < offs[b + 1]; i++) s += t[(size_t)idx[i] * 64 + c];
    if (n) s /= n; if (!near_(h[(size_t)b * 64 + c], s, 1e-4)) ok = false; }
  report("embedding_bag_mean", ok);
}

// =================================================================== 2
// 4-bit weight-only matrix-vector product with group-wise scale / zero point; a warp per output row.
template <int K> __device__ __forceinline__ void stage_vec(float* dst, const __half* src) {
  for (int i = threadIdx.x * 2; i < K; i += blockDim.x * 2) {
    float2 f = __half22float2(*reinterpret_cast<const __half2*>(src + i));
    dst[i] = f.x; dst[i + 1] = f.y;
  }
}
__global__ void __launch_bounds__(256) w4a16_gemv(const uint32_t* __restrict__ qw, const __half* __restrict__ scales,
                                                  const uint8_t* __restrict__ zeros, const __half* __restrict__ x,
                                                  __half* __restrict__ y, int N) {
  constexpr int K = 4096, WORDS = K / 8, GROUPS = K / 128;
  __shared__ __align__(16) float xs[K];
  stage_vec<K>(xs, x);
  __syncthreads();
  const int lane = threadIdx.x & 31, row = blockIdx.x * 8 + (threadIdx.x >> 5);
  if (row >= N) return;
  const uint32_t* wrow = qw + (size_t)row * WORDS;
  float acc = 0.f;
#pragma unroll 4
  for (int it = 0; it < WORDS / 32; ++it) {
    const int word = it * 32 + lane, grp = word >> 4;
    const uint32_t p = __ldcs(wrow + word);
    const float s = __half2float(scales[row * GROUPS + grp]);
    const float z = (float)zeros[row * GROUPS + grp];
    const float4 a = reinterpret_cast<const float4*>(xs)[word * 2];
    const float4 b = reinterpret_cast<const float4*>(xs)[word * 2 + 1];
    float t = ((float)(p & 15u) - z) * a.x;
    t = fmaf((float)((p >> 4) & 15u) - z, a.y, t);
    t = fmaf((float)((p >> 8) & 15u) - z, a.z, t);
    t = fmaf((float)((p >> 12) & 15u) - z, a.w, t);
    t = fmaf((float)((p >> 16) & 15u) - z, b.x, t);
    t = fmaf((float)((p >> 20) & 15u) - z, b.y, t);
    t = fmaf((float)((p >> 24) & 15u) - z, b.z, t);
    t = fmaf((float)(p >> 28) - z, b.w, t);
    acc = fmaf(s, t, acc);
  }
#pragma unroll
  for (int d = 16; d; d >>= 1) acc += __shfl_xor_sync(0xffffffffu, acc, d);
  if (lane == 0) y[row] = __float2half(acc);
}
static void t_w4() {
  const int N = 8192, K = 4096; Rng r(2);
  std::vector<uint32_t> q((size_t)N * K / 8); for (auto& v : q) v = (uint32_t)r.next();
  std::vector<__half> sc((size_t)N * 32), x(K); std::vector<uint8_t> z((size_t)N * 32);
  for (auto& v : sc) v = __float2half(r.f(0.002f, 0.02f));
  for (auto& v : z) v = (uint8_t)(6 + r.below(4));
  for (auto& v : x) v = __float2half(r.g() * 0.5f);
  auto dq = up(q); auto ds = up(sc); auto dz = up(z); auto dx = up(x); auto dy = dalloc<__half>(N);
  four([&] { zero(dy, N, 0xff); }, [&] { w4a16_gemv<<<N / 8, 256>>>(dq, ds, dz, dx, dy, N); });
  auto h = down(dy, N); bool ok = true;
  std::vector<float> xf(K); for (int i = 0; i < K; i++) xf[i] = __half2float(x[i]);
  for (int n = 0; n < N; n++) { double s = 0; for (int k = 0; k < K; k++) { int v = (q[(size_t)n * 512 + k / 8] >> (4 * (k & 7))) & 15; s += (double)__half2float(sc[n * 32 + k / 128]) * (v - (int)z[n * 32 + k / 128]) * xf[k]; }
    if (!near_(__half2float(h[n]), s, 4e-3)) ok = false; }
  report("w4a16_gemv", ok);
}

// =================================================================== 3
// residual += x; y = rmsnorm(residual) * w      (fused pre-norm transformer block)
struct alignas(16) Half8 { __half2 v[4]; };
__global__ void rmsnorm_residual(const Half8* __restrict__ x, Half8* __restrict__ residual, const Half8* __restrict__ w,
                                 Half8* __restrict__ y, int vecs, float eps) {
  __shared__ float red[32];
  __shared__ float rstd;
  const size_t base = (size_t)blockIdx.x * vecs;
  float ss = 0.f;
  Half8 keep;
  for (int i = 0; i < 4; i++) keep.v[i] = __float2half2_rn(0.f);
  const int t = threadIdx.x;      // one vector of eight per thread
  if (t < vecs) {
    Half8 a = x[base + t], r = residual[base + t];
#pragma unroll
    for (int i = 0; i < 4; i++) {
      float2 fa = __half22float2(a.v[i]), fr = __half22float2(r.v[i]);
      fr.x += fa.x; fr.y += fa.y;
      keep.v[i] = __floats2half2_rn(fr.x, fr.y);
      ss += fr.x * fr.x + fr.y * fr.y;
    }
    residual[base + t] = keep;
  }
  for (int o = 16; o > 0; o /= 2) ss += __shfl_down_sync(~0u, ss, o);
  if ((t & 31) == 0) red[t >> 5] = ss;
  __syncthreads();
  if (t < 32) {
    float v = t < (int)(blockDim.x >> 5) ? red[t] : 0.f;
    for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(~0u, v, o);
    if (t == 0) rstd = rsqrtf(v / (float)(vecs * 8) + eps);
  }
  __syncthreads();
  if (t < vecs) {
    Half8 g = w[t], o8;
#pragma unroll
    for (int i = 0; i < 4; i++) {
      float2 k = __half22float2(keep.v[i]), gg = __half22float2(g.v[i]);
      o8.v[i] = __floats2half2_rn(k.x * rstd * gg.x, k.y * rstd * gg.y);
    }
    y[base + t] = o8;
  }
}
static void t_rms() {
  const int T = 2048, H = 2048; Rng r(3);
  std::vector<__half> x((size_t)T * H), res((size_t)T * H), w(H);
  for (auto& v : x) v = __float2half(r.f(-1, 1)); for (auto& v : res) v = __float2half(r.f(-3, 3)); for (auto& v : w) v = __float2half(r.f(0.5f, 1.5f));
  auto dx = up(x); auto dr = up(res); auto dw = up(w); auto dy = dalloc<__half>((size_t)T * H);
  four([&] { put(dr, res); }, [&] { rmsnorm_residual<<<T, 256>>>((Half8*)dx, (Half8*)dr, (Half8*)dw, (Half8*)dy, H / 8, 1e-5f); });
  auto hy = down(dy, (size_t)T * H); auto hr = down(dr, (size_t)T * H); bool ok = true;
  std::vector<double> row(H);
  for (int t = 0; t < T; t++) { double ss = 0; for (int i = 0; i < H; i++) { size_t k = (size_t)t * H + i; row[i] = (double)__half2float(x[k]) + __half2float(res[k]); ss += row[i] * row[i]; }
    double rs = 1 / std::sqrt(ss / H + 1e-5);
    for (int i = 0; i < H; i++) { size_t k = (size_t)t * H + i; if (!near_(__half2float(hr[k]), row[i], 2e-3) || !near_(__half2float(hy[k]), row[i] * rs * __half2float(w[i]), 4e-3)) ok = false; } }
  report("rmsnorm_residual", ok);
}

// =================================================================== 4
// NeoX-style rotary embedding, in place on q [T][HQ][128] and k [T][HK][128]
__global__ void rope_neox_inplace(__half* q, __half* k, const float2* cs, const int* pos, int HQ, int HK) {
  const int tok = blockIdx.x;
  const float2* table = cs + (size_t)pos[tok] * 64;
  const int n = (HQ + HK) * 32;
  for (int j = threadIdx.x; j < n; j += blockDim.x) {
    const int head = j >> 5, p = (j & 31) * 2;
    __half* base = head < HQ ? q + ((size_t)tok * HQ + head) * 128 : k + ((size_t)tok * HK + (head - HQ)) * 128;
    __half2* lo = (__half2*)(base + p);
    __half2* hi = (__half2*)(base + p + 64);
    float2 a = __half22float2(*lo), b = __half22float2(*hi);
    float2 c0 = table[p], c1 = table[p + 1];
    *lo = __floats2half2_rn(a.x * c0.x - b.x * c0.y, a.y * c1.x - b.y * c1.y);
    *hi = __floats2half2_rn(b.x * c0.x + a.x * c0.y, b.y * c1.x + a.y * c1.y);
  }
}
static void t_rope() {
  const int T = 2048, HQ = 16, HK = 4, MP = 4096; Rng r(4);
  std::vector<__half> q((size_t)T * HQ * 128), k((size_t)T * HK * 128);
  for (auto& v : q) v = __float2half(r.f(-2, 2)); for (auto& v : k) v = __float2half(r.f(-2, 2));
  std::vector<float2> cs((size_t)MP * 64);
  for (int p = 0; p < MP; p++) for (int i = 0; i < 64; i++) { double a = p * std::pow(10000.0, -i / 64.0); cs[(size_t)p * 64 + i] = make_float2((float)std::cos(a), (float)std::sin(a)); }
  std::vector<int> pos(T); int cur = 0; for (int t = 0; t < T; t++) { if (r.below(200) == 0) cur = r.below(2000); pos[t] = cur++; if (cur >= MP) cur = 0; }
  auto dq = up(q); auto dk = up(k); auto dc = up(cs); auto dp = up(pos);
  four([&] { put(dq, q); put(dk, k); }, [&] { rope_neox_inplace<<<T, 128>>>(dq, dk, dc, dp, HQ, HK); });
  auto hq = down(dq, q.size()); auto hk = down(dk, k.size()); bool ok = true;
  for (int t = 0; t < T; t++) for (int h = 0; h < HQ + HK; h++) for (int i = 0; i < 64; i++) {
    const __half* s = h < HQ ? &q[((size_t)t * HQ + h) * 128] : &k[((size_t)t * HK + h - HQ) * 128];
    const __half* o = h < HQ ? &hq[((size_t)t * HQ + h) * 128] : &hk[((size_t)t * HK + h - HQ) * 128];
    float2 c = cs[(size_t)pos[t] * 64 + i]; float a = __half2float(s[i]), b = __half2float(s[i + 64]);
    if (!near_(__half2float(o[i]), a * c.x - b * c.y, 2e-3) || !near_(__half2float(o[i + 64]), b * c.x + a * c.y, 2e-3)) ok = false; }
  report("rope_neox_inplace", ok);
}

// =================================================================== 5
// Segmented odd-only sieve: one 65536-bit window in shared memory per block.
#define SEG_ODDS 65536u
__global__ void sieve_segments(const unsigned* base_primes, int nprimes, int nsmall, unsigned* counts) {
  __shared__ unsigned bits[SEG_ODDS / 32];
  __shared__ unsigned total;
  const unsigned B = blockIdx.x * SEG_ODDS;
  for (unsigned i = threadIdx.x; i < SEG_ODDS / 32; i += blockDim.x) bits[i] = (B == 0 && i == 0) ? 1u : 0u;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  // dense primes: whole block strides together
  for (int k = 0; k < nsmall; k++) {
    unsigned p = base_primes[k], h = (p - 1) / 2;
    unsigned s = B + (h + p - B % p) % p, sq = (p * p - 1) / 2;
    if (s < sq) s = sq;
    for (unsigned m = s - B + threadIdx.x * p; m < SEG_ODDS; m += blockDim.x * p) atomicOr(&bits[m >> 5], 1u << (m & 31));
  }
  // sparse primes: one thread each
  for (int k = nsmall + threadIdx.x; k < nprimes; k += blockDim.x) {
    unsigned p = base_primes[k], h = (p - 1) / 2;
    unsigned s = B + (h + p - B % p) % p, sq = (p * p - 1) / 2;
    if (s < sq) s = sq;
    for (unsigned m = s - B; m < SEG_ODDS; m += p) atomicOr(&bits[m >> 5], 1u << (m & 31));
  }
  __syncthreads();
  unsigned c = 0;
  for (unsigned i = threadIdx.x; i < SEG_ODDS / 32; i += blockDim.x) c += 32 - __popc(bits[i]);
  atomicAdd(&total, c);
  __syncthreads();
  if (threadIdx.x == 0) counts[blockIdx.x] = total;
}
static void t_sieve() {
  const unsigned segs = 512, N = segs * SEG_ODDS * 2; // numbers below N = 2^26
  std::vector<char> comp(N / 2, 0); comp[0] = 1;
  std::vector<unsigned> pr; int nsmall = 0;
  for (unsigned i = 1; i < N / 2; i++) { unsigned p = 2 * i + 1; if (p > 8192) break; if (!comp[i]) { pr.push_back(p); if (p < 256) nsmall++; for (unsigned m = (p * p - 1) / 2; m < N / 2; m += p) comp[m] = 1; } }
  auto dp = up(pr); auto dc = dalloc<unsigned>(segs);
  four([&] { zero(dc, segs); }, [&] { sieve_segments<<<segs, 256>>>(dp, (int)pr.size(), nsmall, dc); });
  auto h = down(dc, segs); bool ok = true;
  for (unsigned s = 0; s < segs; s++) { unsigned c = 0; for (unsigned i = 0; i < SEG_ODDS; i++) c += !comp[s * SEG_ODDS + i]; if (c != h[s]) ok = false; }
  report("sieve_segments", ok);
}

// =================================================================== 6
// Gather an int8 paged KV cache into contiguous half rows (per token-head scale).
struct PagedArgs { const int8_t* cache; const float* scale; const int* block_table; const int* cu_len; __half* out; int max_blocks; };
__global__ void paged_kv_gather(PagedArgs A) {
  // grid.x = page slot, grid.y = sequence, 16 tokens x 512 bytes per page
  const int seq = blockIdx.y, slot = blockIdx.x;
  const int beg = A.cu_len[seq], len = A.cu_len[seq + 1] - beg;
  if (slot * 16 >= len) return;
  const int page = A.block_table[seq * A.max_blocks + slot];
  for (int w = threadIdx.x; w < 16 * 64; w += blockDim.x) {    // 8 bytes each
    const int tk = w >> 6, c = w & 63;
    if (slot * 16 + tk >= len) break;
    const int2 raw = *reinterpret_cast<const int2*>(A.cache + ((size_t)page * 16 + tk) * 512 + c * 8);
    const float s = A.scale[(page * 16 + tk) * 8 + (c >> 3)];
    __half2 r[4];
    const int part[2] = {raw.x, raw.y};
#pragma unroll
    for (int i = 0; i < 2; i++) {
      const char4 b = *reinterpret_cast<const char4*>(&part[i]);
      r[i * 2] = __floats2half2_rn((float)(signed char)b.x * s, (float)(signed char)b.y * s);
      r[i * 2 + 1] = __floats2half2_rn((float)(signed char)b.z * s, (float)(signed char)b.w * s);
    }
    uint4 pk;
    memcpy(&pk, r, 16);
    *reinterpret_cast<uint4*>(A.out + ((size_t)beg + slot * 16 + tk) * 512 + c * 8) = pk;
  }
}
static void t_paged() {
  const int pages = 2048, seqs = 64, MB = 32; Rng r(6);
  std::vector<int8_t> c((size_t)pages * 16 * 512); for (auto& v : c) v = (int8_t)(r.below(255) - 127);
  std::vector<float> sc((size_t)pages * 16 * 8); for (auto& v : sc) v = r.f(0.001f, 0.05f);
  std::vector<int> perm(pages), bt(seqs * MB), cu(1, 0); std::iota(perm.begin(), perm.end(), 0);
  for (int i = pages - 1; i > 0; i--) std::swap(perm[i], perm[r.below(i + 1)]);
  for (int i = 0; i < seqs * MB; i++) bt[i] = perm[i];
  for (int s = 0; s < seqs; s++) cu.push_back(cu.back() + 17 + (int)(495 * std::pow(r.u(), 1.3)));
  size_t on = (size_t)cu.back() * 512;
  PagedArgs A; A.cache = up(c); A.scale = up(sc); A.block_table = up(bt); A.cu_len = up(cu); A.out = dalloc<__half>(on); A.max_blocks = MB;
  four([&] { zero(A.out, on, 0xff); }, [&] { paged_kv_gather<<<dim3(MB, seqs), 128>>>(A); });
  auto h = down(A.out, on); bool ok = true;
  for (int s = 0; s < seqs; s++) for (int t = 0; t < cu[s + 1] - cu[s]; t++) { int pg = bt[s * MB + t / 16]; size_t src = ((size_t)pg * 16 + t % 16);
    for (int d = 0; d < 512; d++) if (!near_(__half2float(h[((size_t)cu[s] + t) * 512 + d]), c[src * 512 + d] * sc[src * 8 + d / 64], 1e-3)) ok = false; }
  report("paged_kv_gather", ok);
}

// =================================================================== 7
// Top-8 of a logit row, then temperature sampling among them. One block per row.
__device__ __forceinline__ ull logit_key(float v, int i) {
  uint32 b = __float_as_uint(v);
  b = (b & 0x80000000u) ? ~b : (b | 0x80000000u);
  return ((ull)b << 32) | (uint32)(~i);
}
__device__ __forceinline__ float key_logit(ull k) {
  uint32 b = (uint32)(k >> 32);
  b = (b & 0x80000000u) ? (b & 0x7fffffffu) : ~b;
  return __uint_as_float(b);
}
__global__ void __launch_bounds__(256) topk_sample_rows(const float* __restrict__ logits, const float* __restrict__ uni,
                                                        int vocab, float inv_temp, int* __restrict__ topi, int* __restrict__ tok) {
  ull best[8];
#pragma unroll
  for (int i = 0; i < 8; i++) best[i] = 0;
  const float* row = logits + (size_t)blockIdx.x * vocab;
  for (int i = threadIdx.x; i < vocab; i += 256) {
    ull k = logit_key(row[i], i);
    if (k > best[7]) {
      best[7] = k;
#pragma unroll
      for (int j = 7; j > 0; j--) if (best[j] > best[j - 1]) { ull t = best[j]; best[j] = best[j - 1]; best[j - 1] = t; }
    }
  }
  __shared__ ull wmax[8];
  __shared__ ull win[8];
  for (int r = 0; r < 8; r++) {
    ull m = best[0];
#pragma unroll
    for (int o = 16; o; o >>= 1) { ull t = __shfl_xor_sync(0xffffffffu, m, o); m = t > m ? t : m; }
    if ((threadIdx.x & 31) == 0) wmax[threadIdx.x >> 5] = m;
    __syncthreads();
    ull g = wmax[0];
#pragma unroll
    for (int w = 1; w < 8; w++) g = wmax[w] > g ? wmax[w] : g;
    if (best[0] == g) {              // unique owner
      win[r] = g;
#pragma unroll
      for (int j = 0; j < 7; j++) best[j] = best[j + 1];
      best[7] = 0;
    }
    __syncthreads();
  }
  if (threadIdx.x < 8) topi[blockIdx.x * 8 + threadIdx.x] = (int)~(uint32)win[threadIdx.x];
  if (threadIdx.x == 0) {
    float mx = key_logit(win[0]), p[8], s = 0.f;
    for (int i = 0; i < 8; i++) { p[i] = __expf((key_logit(win[i]) - mx) * inv_temp); s += p[i]; }
    float t = uni[blockIdx.x] * s, c = 0.f;
    int pick = 7;
    for (int i = 0; i < 8; i++) { c += p[i]; if (t < c) { pick = i; break; } }
    tok[blockIdx.x] = (int)~(uint32)win[pick];
  }
}
static void t_topk() {
  const int R = 192, V = 32000; Rng r(7);
  std::vector<float> l((size_t)R * V), u(R); for (auto& v : l) v = r.g() * 2.5f; for (auto& v : u) v = (float)r.u();
  auto dl = up(l); auto du = up(u); auto di = dalloc<int>(R * 8); auto dt = dalloc<int>(R);
  four([&] { zero(di, R * 8, 0xff); zero(dt, R, 0xff); }, [&] { topk_sample_rows<<<R, 256>>>(dl, du, V, 1.f / 0.8f, di, dt); });
  auto hi = down(di, R * 8); auto ht = down(dt, R); bool ok = true;
  for (int b = 0; b < R; b++) {
    std::vector<int> id(V); std::iota(id.begin(), id.end(), 0); const float* row = &l[(size_t)b * V];
    std::partial_sort(id.begin(), id.begin() + 8, id.end(), [&](int x, int y) { return row[x] != row[y] ? row[x] > row[y] : x < y; });
    double p[8], s = 0, c = 0; int pick = -1;
    for (int i = 0; i < 8; i++) { if (hi[b * 8 + i] != id[i]) ok = false; p[i] = std::exp((row[id[i]] - row[id[0]]) / 0.8); s += p[i]; if (ht[b] == id[i]) pick = i; }
    if (pick < 0) { ok = false; continue; }
    for (int i = 0; i < pick; i++) c += p[i] / s;
    if (u[b] < c - 1e-4 || u[b] > c + p[pick] / s + 1e-4) ok = false; }
  report("topk_sample_rows", ok);
}

// =================================================================== 8
// Hash join probe side (unique build keys), coalesced-group output allocation.
__global__ void hash_join_probe(const uint2* __restrict__ table, unsigned mask, const unsigned* __restrict__ probe, int n,
                                uint2* __restrict__ out, unsigned* __restrict__ nout) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned key = probe[i], slot = mix32(key) & mask;
    for (;;) {
      uint2 e = __ldg(&table[slot]);
      if (e.x == key) {
        cg::coalesced_group g = cg::coalesced_threads();
        unsigned base = 0;
        if (g.thread_rank() == 0) base = atomicAdd(nout, g.size());
        base = g.shfl(base, 0);
        out[base + g.thread_rank()] = make_uint2((unsigned)i, e.y);
        break;
      }
      if (e.x == 0xffffffffu) break;
      slot = (slot + 1) & mask;
    }
  }
}
static void t_join() {
  const unsigned cap = 1u << 20; const int nb = 400000, np = 2000000; Rng r(8);
  std::vector<uint2> t(cap, make_uint2(0xffffffffu, 0)); std::vector<unsigned> pay(1u << 21, 0xffffffffu);
  for (int i = 0; i < nb; i++) { unsigned k = (unsigned)r.below(1 << 21); if (pay[k] != 0xffffffffu) continue; pay[k] = (unsigned)i; unsigned s = mix32(k) & (cap - 1); while (t[s].x != 0xffffffffu) s = (s + 1) & (cap - 1); t[s] = make_uint2(k, (unsigned)i); }
  std::vector<unsigned> p(np); for (auto& k : p) k = (unsigned)((1 << 21) * std::pow(r.u(), 1.7));
  for (auto& k : p) k = (k * 1664525u + 77u) & ((1u << 21) - 1);
  auto dt = up(t); auto dp = up(p); auto dout = dalloc<uint2>(np); auto dn = dalloc<unsigned>(1);
  four([&] { zero(dn, 1); }, [&] { hash_join_probe<<<1056, 256>>>(dt, cap - 1, dp, np, dout, dn); });
  unsigned cnt = down(dn, 1)[0], want = 0; for (auto k : p) want += pay[k] != 0xffffffffu;
  bool ok = cnt == want && cnt <= (unsigned)np;
  if (ok) { auto o = down(dout, cnt); std::vector<char> seen(np, 0); for (auto& e : o) { if (e.x >= (unsigned)np || seen[e.x] || pay[p[e.x]] != e.y) { ok = false; break; } seen[e.x] = 1; } }
  report("hash_join_probe", ok);
}

// =================================================================== 9
// GROUP BY key: SUM(value), COUNT(*). Block-private hash in shared memory, flushed to a global one.
constexpr int GB_LOCAL = 2048, GB_GLOBAL = 4096;
__global__ void groupby_shared_agg(const int* keys, const int* vals, int n, int* gkey, ull* gsum, unsigned* gcnt) {
  __shared__ int lk[GB_LOCAL];
  __shared__ ull ls[GB_LOCAL];
  __shared__ unsigned lc[GB_LOCAL];
  for (int i = threadIdx.x; i < GB_LOCAL; i += blockDim.x) { lk[i] = -1; ls[i] = 0; lc[i] = 0; }
  __syncthreads();
  const int per = (n + gridDim.x - 1) / gridDim.x, lo = blockIdx.x * per, hi = min(n, lo + per);
  for (int i = lo + threadIdx.x; i < hi; i += blockDim.x) {
    const int k = keys[i];
    const ull v = (ull)(long long)vals[i];
    int s = mix32(k) & (GB_LOCAL - 1);
    while (true) {
      int cur = *(volatile int*)&lk[s];
      if (cur == -1) cur = atomicCAS(&lk[s], -1, k);
      if (cur == -1 || cur == k) break;
      s = (s + 1) & (GB_LOCAL - 1);
    }
    atomicAdd(&ls[s], v);
    atomicAdd(&lc[s], 1u);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < GB_LOCAL; i += blockDim.x) {
    const int k = lk[i];
    if (k == -1) continue;
    int s = mix32(k) & (GB_GLOBAL - 1);
    for (;;) {
      int cur = atomicCAS(&gkey[s], -1, k);
      if (cur == -1 || cur == k) break;
      s = (s + 1) & (GB_GLOBAL - 1);
    }
    atomicAdd(&gsum[s], ls[i]);
    atomicAdd(&gcnt[s], lc[i]);
  }
}
static void t_groupby() {
  const int n = 1000003; Rng r(9); std::vector<int> k(n), v(n); std::map<int, std::pair<long long, unsigned>> ref;
  for (int i = 0; i < n; i++) { k[i] = 100 + 17 * (int)(1000 * std::pow(r.u(), 2.5)); v[i] = r.below(2000000) - 500000; auto& e = ref[k[i]]; e.first += v[i]; e.second++; }
  auto dk = up(k); auto dv = up(v); auto gk = dalloc<int>(GB_GLOBAL); auto gs = dalloc<ull>(GB_GLOBAL); auto gc = dalloc<unsigned>(GB_GLOBAL);
  four([&] { zero(gk, GB_GLOBAL, 0xff); zero(gs, GB_GLOBAL); zero(gc, GB_GLOBAL); }, [&] { groupby_shared_agg<<<264, 512>>>(dk, dv, n, gk, gs, gc); });
  auto hk = down(gk, GB_GLOBAL); auto hs = down(gs, GB_GLOBAL); auto hc = down(gc, GB_GLOBAL); bool ok = true; size_t found = 0;
  for (int i = 0; i < GB_GLOBAL; i++) if (hk[i] != -1) { found++; auto it = ref.find(hk[i]); if (it == ref.end() || (long long)hs[i] != it->second.first || hc[i] != it->second.second) ok = false; }
  report("groupby_shared_agg", ok && found == ref.size());
}

// =================================================================== 10
// Column scan: 13-bit packed dictionary codes + validity bitmap -> doubles.
__global__ void dict_decode_bp13(const uint32_t* __restrict__ packed, const uint32_t* __restrict__ valid,
                                 const double* __restrict__ dict, double* __restrict__ out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double r = -1.0;
  if ((valid[i >> 5] >> (i & 31)) & 1u) {
    const uint64_t bit = (uint64_t)i * 13u;
    const uint32_t w = (uint32_t)(bit >> 5), sh = (uint32_t)bit & 31u;
    const uint32_t code = __funnelshift_r(packed[w], packed[w + 1], sh) & 0x1fffu;
    r = __ldg(dict + code);
  }
  out[i] = r;
}
static void t_dict() {
  const unsigned n = 3000000; Rng r(10);
  std::vector<uint32_t> pk((size_t)n * 13 / 32 + 3, 0), va(n / 32 + 1, 0); std::vector<double> d(8192), ref(n);
  for (auto& x : d) x = std::floor(r.u() * 1e6) / 100;
  for (unsigned i = 0; i < n; i++) { uint32_t c = (uint32_t)(8192 * std::pow(r.u(), 4)); uint64_t b = (uint64_t)i * 13; uint64_t w = (uint64_t)c << (b & 31); pk[b >> 5] |= (uint32_t)w; pk[(b >> 5) + 1] |= (uint32_t)(w >> 32);
    bool v = ((i / 5000) % 7 == 3) ? r.below(2) : r.below(50) != 0; if (v) va[i >> 5] |= 1u << (i & 31); ref[i] = v ? d[c] : -1.0; }
  auto dp = up(pk); auto dv = up(va); auto dd = up(d); auto o = dalloc<double>(n);
  four([&] { zero(o, n); }, [&] { dict_decode_bp13<<<(n + 511) / 512, 512>>>(dp, dv, dd, o, n); });
  report("dict_decode_bp13", down(o, n) == ref);
}

// =================================================================== 11
// CSR SpMV, 8 lanes per row, double precision.
template <int LANES> __device__ double row_dot(const int* __restrict__ col, const double* __restrict__ val, const double* __restrict__ x, int b, int e, int lane) {
  double s = 0.0;
  for (int j = b + lane; j < e; j += LANES) s += val[j] * x[col[j]];
  return s;
}
__global__ void spmv_csr_sub8(int rows, const int* __restrict__ ptr, const int* __restrict__ col, const double* __restrict__ val, const double* __restrict__ x, double* __restrict__ y) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 8;
  if (row >= rows) return;           // whole tile leaves together
  double s = row_dot<8>(col, val, x, ptr[row], ptr[row + 1], tile.thread_rank());
  for (int o = 4; o > 0; o >>= 1) s += tile.shfl_down(s, o);
  if (tile.thread_rank() == 0) y[row] = s;
}
static void t_csr() {
  const int R = 180000; Rng r(11); std::vector<int> ptr(1, 0), col; std::vector<double> val, x(R), ref(R);
  for (auto& v : x) v = r.u() - 0.5;
  for (int i = 0; i < R; i++) { int d = (int)(4 + 3.0 / std::sqrt(r.u() + 1e-4)); if (r.below(4000) == 0) d += 600; double s = 0;
    for (int j = 0; j < d; j++) { int c = r.below(3) ? (i + r.below(4001) - 2000 + R) % R : r.below(R); double v = r.u() - 0.3; col.push_back(c); val.push_back(v); s += v * x[c]; } ptr.push_back((int)col.size()); ref[i] = s; }
  auto a = up(ptr); auto b = up(col); auto c = up(val); auto dx = up(x); auto y = dalloc<double>(R);
  four([&] { zero(y, R, 0xff); }, [&] { spmv_csr_sub8<<<(R * 8 + 255) / 256, 256>>>(R, a, b, c, dx, y); });
  auto h = down(y, R); bool ok = true; for (int i = 0; i < R; i++) if (!near_(h[i], ref[i], 1e-10)) ok = false;
  report("spmv_csr_sub8", ok);
}

// =================================================================== 12
// Persistent blocks pull tiles from an atomic counter; fixed-point Mandelbrot (irregular work).
struct MandelJob { int w, h, maxIter; long long x0, y0, step; };
__host__ __device__ inline int mandel_q28(long long cx, long long cy, int maxIter) {
  long long x = 0, y = 0; int it = 0;
  for (; it < maxIter; ++it) {
    long long xx = (x * x) >> 28, yy = (y * y) >> 28;
    if (xx + yy > (4ll << 28)) break;
    y = ((x * y) >> 27) + cy;
    x = xx - yy + cx;
  }
  return it;
}
__global__ void workqueue_mandel(MandelJob job, int* queue, unsigned short* img) {
  __shared__ int tile;
  const int tx = job.w / 32, ntiles = tx * (job.h / 8);
  while (true) {
    __syncthreads();
    if (threadIdx.x == 0) tile = atomicAdd(queue, 1);
    __syncthreads();
    const int t = tile;
    if (t >= ntiles) break;
    const int px = (t % tx) * 32 + (threadIdx.x & 31), py = (t / tx) * 8 + (threadIdx.x >> 5);
    img[py * job.w + px] = (unsigned short)mandel_q28(job.x0 + px * job.step, job.y0 + py * job.step, job.maxIter);
  }
}
static void t_mandel() {
  MandelJob j; j.w = 1024; j.h = 768; j.maxIter = 200; j.x0 = -(long long)(2.1 * (1 << 28)); j.y0 = -(long long)(1.15 * (1 << 28)); j.step = (long long)(3.0 / 1024 * (1 << 28));
  auto q = dalloc<int>(1); size_t n = (size_t)j.w * j.h; auto o = dalloc<unsigned short>(n);
  four([&] { zero(q, 1); zero(o, n, 0xff); }, [&] { workqueue_mandel<<<396, 256>>>(j, q, o); });
  auto h = down(o, n); bool ok = true;
  for (int y = 0; y < j.h; y++) for (int x = 0; x < j.w; x++) if (h[(size_t)y * j.w + x] != mandel_q28(j.x0 + x * j.step, j.y0 + y * j.step, j.maxIter)) ok = false;
  report("workqueue_mandel", ok);
}

// =================================================================== 13
// Red half-sweep of SOR for the Poisson equation. Threads enumerate only the red points.
#define IDX(i, j) ((size_t)(j) * nx + (i))
__global__ void redblack_sor_red(float* u, const float* __restrict__ rhs, int nx, int ny, float h2, float omega) {
  int j = blockIdx.y * blockDim.y + threadIdx.y + 1;
  int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + 1 + ((j + 1) & 1);
  if (i >= nx - 1 || j >= ny - 1) return;
  float c = u[IDX(i, j)];
  float gs = 0.25f * (u[IDX(i - 1, j)] + u[IDX(i + 1, j)] + u[IDX(i, j - 1)] + u[IDX(i, j + 1)] - h2 * rhs[IDX(i, j)]);
  u[IDX(i, j)] = c + omega * (gs - c);
}
static void t_sor() {
  const int nx = 2048, ny = 1536; Rng r(13); std::vector<float> u((size_t)nx * ny), f(u.size());
  for (auto& v : u) v = r.f(-1, 1); for (auto& v : f) v = r.f(-4, 4);
  auto du = up(u); auto df = up(f);
  four([&] { put(du, u); }, [&] { redblack_sor_red<<<dim3(nx / 2 / 32, (ny + 7) / 8), dim3(32, 8)>>>(du, df, nx, ny, 0.01f, 1.7f); });
  auto h = down(du, u.size()); bool ok = true;
  for (int j = 0; j < ny; j++) for (int i = 0; i < nx; i++) { double c = u[IDX(i, j)];
    if (i > 0 && j > 0 && i < nx - 1 && j < ny - 1 && ((i + j) & 1) == 0) { double g = 0.25 * ((double)u[IDX(i - 1, j)] + u[IDX(i + 1, j)] + u[IDX(i, j - 1)] + u[IDX(i, j + 1)] - 0.01 * f[IDX(i, j)]); c += 1.7 * (g - c); }
    if (!near_(h[IDX(i, j)], c, 1e-5)) ok = false; }
  report("redblack_sor_red", ok);
}
#undef IDX

// =================================================================== 14
// D2Q9 lattice Boltzmann, pull streaming + BGK, half-way bounce back on solids.
__constant__ int c_ex[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant__ int c_ey[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const int h_ex[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, h_ey[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__global__ void lbm_d2q9_pull(const float* __restrict__ fin, float* __restrict__ fout, const uchar* __restrict__ solid, int W, int H, float omega) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= W) return;
  const int N = W * H, me = y * W + x;
  const int opp[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
  const float wt[9] = {4.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};
  if (solid[me]) {
#pragma unroll
    for (int q = 0; q < 9; q++) fout[q * N + me] = fin[q * N + me];
    return;
  }
  float f[9], rho = 0.f, ux = 0.f, uy = 0.f;
#pragma unroll
  for (int q = 0; q < 9; q++) {
    int sx = x - c_ex[q], sy = y - c_ey[q];
    sx = sx < 0 ? W - 1 : (sx == W ? 0 : sx);
    sy = sy < 0 ? H - 1 : (sy == H ? 0 : sy);
    const int s = sy * W + sx;
    f[q] = solid[s] ? fin[opp[q] * N + me] : fin[q * N + s];
    rho += f[q];
    ux += f[q] * c_ex[q];
    uy += f[q] * c_ey[q];
  }
  const float ir = 1.f / rho;
  ux *= ir; uy *= ir;
  const float usq = 1.5f * (ux * ux + uy * uy);
#pragma unroll
  for (int q = 0; q < 9; q++) {
    const float eu = 3.f * (c_ex[q] * ux + c_ey[q] * uy);
    const float feq = wt[q] * rho * (1.f + eu + 0.5f * eu * eu - usq);
    fout[q * N + me] = f[q] + omega * (feq - f[q]);
  }
}
static void t_lbm() {
  const int W = 1024, H = 512, N = W * H; Rng r(14); const int opp[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
  const double wt[9] = {4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36};
  std::vector<float> f((size_t)9 * N); std::vector<uchar> so(N, 0);
  for (int q = 0; q < 9; q++) for (int i = 0; i < N; i++) f[(size_t)q * N + i] = (float)(wt[q] * (1 + 0.1 * (r.u() - 0.5)));
  for (int k = 0; k < 40; k++) { int cx = r.below(W), cy = r.below(H), R = 4 + r.below(14); for (int y = std::max(0, cy - R); y < std::min(H, cy + R); y++) for (int x = std::max(0, cx - R); x < std::min(W, cx + R); x++) if ((x - cx) * (x - cx) + (y - cy) * (y - cy) < R * R) so[y * W + x] = 1; }
  auto a = up(f); auto b = dalloc<float>(f.size()); auto s = up(so);
  four([&] { zero(b, f.size(), 0xff); }, [&] { lbm_d2q9_pull<<<dim3(W / 128, H), 128>>>(a, b, s, W, H, 1.2f); });
  auto h = down(b, f.size()); bool ok = true;
  for (int y = 0; y < H; y++) for (int x = 0; x < W; x++) { int me = y * W + x; double g[9], rho = 0, ux = 0, uy = 0;
    if (so[me]) { for (int q = 0; q < 9; q++) if (h[(size_t)q * N + me] != f[(size_t)q * N + me]) ok = false; continue; }
    for (int q = 0; q < 9; q++) { int sx = (x - h_ex[q] + W) % W, sy = (y - h_ey[q] + H) % H, p = sy * W + sx; g[q] = so[p] ? f[(size_t)opp[q] * N + me] : f[(size_t)q * N + p]; rho += g[q]; ux += g[q] * h_ex[q]; uy += g[q] * h_ey[q]; }
    ux /= rho; uy /= rho;
    for (int q = 0; q < 9; q++) { double eu = 3 * (h_ex[q] * ux + h_ey[q] * uy), fe = wt[q] * rho * (1 + eu + 0.5 * eu * eu - 1.5 * (ux * ux + uy * uy)); if (!near_(h[(size_t)q * N + me], g[q] + 1.2 * (fe - g[q]), 1e-5)) ok = false; } }
  report("lbm_d2q9_pull", ok);
}

// =================================================================== 15
// 2-D TM FDTD: magnetic field update. Small grid, launch-sized.
__global__ void fdtd_tm_update_h(float* Hx, float* Hy, const float* Ez, const float* sigma, int n, float dtmu) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  int j = threadIdx.y + blockIdx.y * blockDim.y;
  if (i < n - 1 && j < n - 1) {
    int k = j * n + i;
    float e = Ez[k], d = 1.0f / (1.0f + 0.5f * sigma[k]), m = (1.0f - 0.5f * sigma[k]) * d;
    Hx[k] = m * Hx[k] - d * dtmu * (Ez[k + n] - e);
    Hy[k] = m * Hy[k] + d * dtmu * (Ez[k + 1] - e);
  }
}
static void t_fdtd() {
  const int n = 320; Rng r(15); std::vector<float> hx(n * n), hy(n * n), ez(n * n), sg(n * n, 0.f);
  for (int j = 0; j < n; j++) for (int i = 0; i < n; i++) { int k = j * n + i; ez[k] = std::sin(0.1f * i) * std::cos(0.07f * j); hx[k] = r.f(-1, 1); hy[k] = r.f(-1, 1); int edge = std::min(std::min(i, j), std::min(n - 1 - i, n - 1 - j)); if (edge < 12) sg[k] = 0.05f * (12 - edge); }
  auto a = up(hx); auto b = up(hy); auto e = up(ez); auto s = up(sg);
  four([&] { put(a, hx); put(b, hy); }, [&] { fdtd_tm_update_h<<<dim3(n / 32, n / 4), dim3(32, 4)>>>(a, b, e, s, n, 0.5f); });
  auto p = down(a, n * n), q = down(b, n * n); bool ok = true;
  for (int j = 0; j < n; j++) for (int i = 0; i < n; i++) { int k = j * n + i; double x = hx[k], y = hy[k]; if (i < n - 1 && j < n - 1) { double d = 1 / (1 + 0.5 * sg[k]), m = (1 - 0.5 * sg[k]) * d; x = m * x - d * 0.5 * ((double)ez[k + n] - ez[k]); y = m * y + d * 0.5 * ((double)ez[k + 1] - ez[k]); }
    if (!near_(p[k], x, 1e-5) || !near_(q[k], y, 1e-5)) ok = false; }
  report("fdtd_tm_update_h", ok);
}

// =================================================================== 16
// Batched tridiagonal solve by parallel cyclic reduction, one system per block.
__global__ void tridiag_pcr_batch(const float* a_, const float* b_, const float* c_, const float* d_, float* x_) {
  extern __shared__ float sm[];
  const int n = blockDim.x, t = threadIdx.x;
  float *a = sm, *b = a + n, *c = b + n, *d = c + n;
  const size_t g = (size_t)blockIdx.x * n + t;
  a[t] = t == 0 ? 0.f : a_[g];
  b[t] = b_[g];
  c[t] = t == n - 1 ? 0.f : c_[g];
  d[t] = d_[g];
  __syncthreads();
  for (int s = 1; s < n; s <<= 1) {
    float na = 0.f, nb = b[t], nc = 0.f, nd = d[t];
    if (t >= s) {
      float k = a[t] / b[t - s];
      na = -a[t - s] * k; nb -= c[t - s] * k; nd -= d[t - s] * k;
    }
    if (t + s < n) {
      float k = c[t] / b[t + s];
      nc = -c[t + s] * k; nb -= a[t + s] * k; nd -= d[t + s] * k;
    }
    __syncthreads();
    a[t] = na; b[t] = nb; c[t] = nc; d[t] = nd;
    __syncthreads();
  }
  x_[g] = d[t] / b[t];
}
static void t_pcr() {
  const int n = 512, B = 1024; Rng r(16); size_t N = (size_t)n * B; std::vector<float> a(N), b(N), c(N), d(N);
  for (size_t i = 0; i < N; i++) { a[i] = r.f(-1, 1); c[i] = r.f(-1, 1); b[i] = 2.5f + r.f(0, 1); d[i] = r.f(-5, 5); }
  auto da = up(a); auto db = up(b); auto dc = up(c); auto dd = up(d); auto dx = dalloc<float>(N);
  four([&] { zero(dx, N, 0xff); }, [&] { tridiag_pcr_batch<<<B, n, 4 * n * sizeof(float)>>>(da, db, dc, dd, dx); });
  auto x = down(dx, N); bool ok = true;
  for (size_t i = 0; i < N; i++) { int t = (int)(i % n); double v = (double)b[i] * x[i]; if (t) v += (double)a[i] * x[i - 1]; if (t < n - 1) v += (double)c[i] * x[i + 1]; if (!near_(v, d[i], 1e-4)) ok = false; }
  report("tridiag_pcr_batch", ok);
}

// =================================================================== 17
// All-pairs gravity, classic shared tile.
__device__ float3 bodyBodyInteraction(float4 bi, float4 bj, float3 ai) {
  float3 r; r.x = bj.x - bi.x; r.y = bj.y - bi.y; r.z = bj.z - bi.z;
  float distSqr = r.x * r.x + r.y * r.y + r.z * r.z + 0.01f;
  float invDist = rsqrtf(distSqr);
  float s = bj.w * invDist * invDist * invDist;
  ai.x += r.x * s; ai.y += r.y * s; ai.z += r.z * s;
  return ai;
}
__global__ void nbody_tile_accel(const float4* pos, float4* acc, int n) {
  __shared__ float4 shPos[128];
  int gtid = blockIdx.x * 128 + threadIdx.x;
  float4 me = pos[gtid];
  float3 a = {0.0f, 0.0f, 0.0f};
  for (int i = 0; i < n; i += 128) {
    shPos[threadIdx.x] = pos[i + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < 128; k++) a = bodyBodyInteraction(me, shPos[k], a);
    __syncthreads();
  }
  acc[gtid] = make_float4(a.x, a.y, a.z, 0.0f);
}
static void t_nbody() {
  const int n = 12288; Rng r(17); std::vector<float4> p(n); for (auto& v : p) v = make_float4(r.g(), r.g(), r.g() * 0.3f, r.f(0.1f, 1.f));
  auto dp = up(p); auto da = dalloc<float4>(n);
  four([&] { zero(da, n, 0xff); }, [&] { nbody_tile_accel<<<n / 128, 128>>>(dp, da, n); });
  auto h = down(da, n); bool ok = true;
  for (int i = 0; i < n; i += 97) { double x = 0, y = 0, z = 0, m = 0; for (int j = 0; j < n; j++) { double dx = (double)p[j].x - p[i].x, dy = (double)p[j].y - p[i].y, dz = (double)p[j].z - p[i].z, d = dx * dx + dy * dy + dz * dz + 0.01, s = p[j].w / (d * std::sqrt(d)); x += dx * s; y += dy * s; z += dz * s; m += s * std::sqrt(d); }
    if (!(std::fabs(h[i].x - x) < 1e-4 * m && std::fabs(h[i].y - y) < 1e-4 * m && std::fabs(h[i].z - z) < 1e-4 * m)) ok = false; }
  report("nbody_tile_accel", ok);
}

// =================================================================== 18
// Lennard-Jones forces through a cell list (atoms pre-sorted by cell, periodic, force-shifted).
struct LJParams { float box, inv_box, rc2, fshift; int nc; };
__global__ void __launch_bounds__(128) celllist_lj_force(const float4* __restrict__ xyz, const int* __restrict__ cell_start, float4* __restrict__ force, int natoms, LJParams P) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= natoms) return;
  const float4 pi = xyz[i];
  const float cinv = P.nc * P.inv_box;
  const int cx = min(P.nc - 1, (int)(pi.x * cinv)), cy = min(P.nc - 1, (int)(pi.y * cinv)), cz = min(P.nc - 1, (int)(pi.z * cinv));
  float fx = 0, fy = 0, fz = 0, pe = 0;
  for (int dz = -1; dz <= 1; dz++) for (int dy = -1; dy <= 1; dy++) for (int dx = -1; dx <= 1; dx++) {
    const int nx = (cx + dx + P.nc) % P.nc, ny = (cy + dy + P.nc) % P.nc, nz = (cz + dz + P.nc) % P.nc;
    const int c = (nz * P.nc + ny) * P.nc + nx;
    for (int j = cell_start[c]; j < cell_start[c + 1]; j++) {
      if (j == i) continue;
      const float4 pj = xyz[j];
      float rx = pi.x - pj.x, ry = pi.y - pj.y, rz = pi.z - pj.z;
      rx -= P.box * rintf(rx * P.inv_box);
      ry -= P.box * rintf(ry * P.inv_box);
      rz -= P.box * rintf(rz * P.inv_box);
      const float r2 = rx * rx + ry * ry + rz * rz;
      if (r2 < P.rc2) {
        const float ir = rsqrtf(r2), i2 = ir * ir, i6 = i2 * i2 * i2;
        const float fm = 24.f * i6 * (2.f * i6 - 1.f) * i2 - P.fshift * ir;
        fx += fm * rx; fy += fm * ry; fz += fm * rz;
        pe += 1.f;
      }
    }
  }
  force[i] = make_float4(fx, fy, fz, pe);
}
static void t_lj() {
  const int L = 40, n = L * L * L, nc = 19; const float box = 48.f, rc = 2.5f; Rng r(18); std::vector<float4> p;
  for (int z = 0; z < L; z++) for (int y = 0; y < L; y++) for (int x = 0; x < L; x++) p.push_back(make_float4(1.2f * (x + 0.5f) + r.f(-0.12f, 0.12f), 1.2f * (y + 0.5f) + r.f(-0.12f, 0.12f), 1.2f * (z + 0.5f) + r.f(-0.12f, 0.12f), 0.f));
  LJParams P; P.box = box; P.inv_box = 1.f / box; P.rc2 = rc * rc; P.nc = nc; double ir6 = std::pow(2.5, -6.0); P.fshift = (float)(24 * ir6 * (2 * ir6 - 1) / 2.5);
  auto cellOf = [&](const float4& q) { float k = P.nc * P.inv_box; int x = std::min(nc - 1, (int)(q.x * k)), y = std::min(nc - 1, (int)(q.y * k)), z = std::min(nc - 1, (int)(q.z * k)); return (z * nc + y) * nc + x; };
  std::stable_sort(p.begin(), p.end(), [&](const float4& a, const float4& b) { return cellOf(a) < cellOf(b); });
  std::vector<int> cs(nc * nc * nc + 1, 0); for (auto& q : p) cs[cellOf(q) + 1]++; for (int i = 0; i < nc * nc * nc; i++) cs[i + 1] += cs[i];
  auto dp = up(p); auto dc = up(cs); auto df = dalloc<float4>(n);
  four([&] { zero(df, n, 0xff); }, [&] { celllist_lj_force<<<(n + 127) / 128, 128>>>(dp, dc, df, n, P); });
  auto h = down(df, n); bool ok = true;
  for (int i = 0; i < n; i += 3) { int c = cellOf(p[i]), cx = c % nc, cy = c / nc % nc, cz = c / nc / nc; double fx = 0, fy = 0, fz = 0, m = 1;
    for (int k = 0; k < 27; k++) { int q = ((cz + k / 9 - 1 + nc) % nc * nc + (cy + k / 3 % 3 - 1 + nc) % nc) * nc + (cx + k % 3 - 1 + nc) % nc;
      for (int j = cs[q]; j < cs[q + 1]; j++) if (j != i) { double x = (double)p[i].x - p[j].x, y = (double)p[i].y - p[j].y, z = (double)p[i].z - p[j].z; x -= box * std::rint(x / box); y -= box * std::rint(y / box); z -= box * std::rint(z / box); double r2 = x * x + y * y + z * z; if (r2 >= 6.25) continue; double i6 = 1 / (r2 * r2 * r2), f = 24 * i6 * (2 * i6 - 1) / r2 - (double)P.fshift / std::sqrt(r2); fx += f * x; fy += f * y; fz += f * z; m += std::fabs(f) * std::sqrt(r2); } }
    if (!(std::fabs(h[i].x - fx) < 3e-4 * m && std::fabs(h[i].y - fy) < 3e-4 * m && std::fabs(h[i].z - fz) < 3e-4 * m)) ok = false; }
  report("celllist_lj_force", ok);
}

// =================================================================== 19
// Bilateral filter 9x9, halo tile in shared memory, spatial weights in constant memory.
#define BF_R 4
#define BF_T 16
__constant__ float c_spatial[(2 * BF_R + 1) * (2 * BF_R + 1)];
__global__ void bilateral9_tile(const float* __restrict__ src, float* __restrict__ dst, int w, int h, float inv2s2) {
  __shared__ float tile[BF_T + 2 * BF_R][BF_T + 2 * BF_R + 1];
  const int S = BF_T + 2 * BF_R;
  const int ox = blockIdx.x * BF_T - BF_R, oy = blockIdx.y * BF_T - BF_R;
  for (int k = threadIdx.y * BF_T + threadIdx.x; k < S * S; k += BF_T * BF_T) {
    int ty = k / S, tx = k - ty * S;
    int gx = min(max(ox + tx, 0), w - 1), gy = min(max(oy + ty, 0), h - 1);
    tile[ty][tx] = src[gy * w + gx];
  }
  __syncthreads();
  const int x = blockIdx.x * BF_T + threadIdx.x, y = blockIdx.y * BF_T + threadIdx.y;
  if (x >= w || y >= h) return;
  const float c = tile[threadIdx.y + BF_R][threadIdx.x + BF_R];
  float num = 0.f, den = 0.f;
#pragma unroll
  for (int dy = 0; dy < 2 * BF_R + 1; dy++)
#pragma unroll
    for (int dx = 0; dx < 2 * BF_R + 1; dx++) {
      float v = tile[threadIdx.y + dy][threadIdx.x + dx], d = v - c;
      float wgt = c_spatial[dy * (2 * BF_R + 1) + dx] * __expf(-d * d * inv2s2);
      num += wgt * v; den += wgt;
    }
  dst[y * w + x] = num / den;
}
static void t_bilateral() {
  const int w = 1280, h = 718; Rng r(19); std::vector<float> s((size_t)w * h); float sp[81];
  for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) s[(size_t)y * w + x] = 0.5f + 0.3f * std::sin(x * 0.02f) * std::cos(y * 0.03f) + (((x / 64) ^ (y / 64)) & 1 ? 0.15f : 0.f) + r.g() * 0.03f;
  for (int j = 0; j < 9; j++) for (int i = 0; i < 9; i++) sp[j * 9 + i] = std::exp(-((j - 4) * (j - 4) + (i - 4) * (i - 4)) / 8.f);
  CK(cudaMemcpyToSymbol(c_spatial, sp, sizeof sp)); float k = 1.f / (2 * 0.1f * 0.1f);
  auto a = up(s); auto b = dalloc<float>(s.size());
  four([&] { zero(b, s.size(), 0xff); }, [&] { bilateral9_tile<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(a, b, w, h, k); });
  auto o = down(b, s.size()); bool ok = true;
  for (int q = 0; q < w * h; q += 7) { int x = q % w, y = q / w; double nu = 0, de = 0; for (int j = -4; j <= 4; j++) for (int i = -4; i <= 4; i++) { int X = std::min(std::max(x + i, 0), w - 1), Y = std::min(std::max(y + j, 0), h - 1); float v = s[(size_t)Y * w + X], d = v - s[q]; float g = sp[(j + 4) * 9 + i + 4] * std::exp(-d * d * k); nu += g * v; de += g; }
    if (!near_(o[q], nu / de, 1e-4)) ok = false; }
  report("bilateral9_tile", ok);
}

// =================================================================== 20
// Affine image warp through a bilinear texture.
__global__ void affine_warp_tex(cudaTextureObject_t tex, float* out, int w, int h, float m00, float m01, float m02, float m10, float m11, float m12) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float u = m00 * x + m01 * y + m02, v = m10 * x + m11 * y + m12;
  out[y * w + x] = tex2D<float>(tex, u + 0.5f, v + 0.5f);
}
static void t_affine() {
  const int W = 1024, H = 1024, ow = 1200, oh = 900; Rng r(20); std::vector<float> s((size_t)W * H);
  for (int y = 0; y < H; y++) for (int x = 0; x < W; x++) s[(size_t)y * W + x] = 0.5f + 0.4f * std::sin(x * 0.05f + y * 0.013f) + 0.05f * r.g();
  cudaArray_t arr; cudaChannelFormatDesc cd = cudaCreateChannelDesc<float>(); CK(cudaMallocArray(&arr, &cd, W, H));
  CK(cudaMemcpy2DToArray(arr, 0, 0, s.data(), W * sizeof(float), W * sizeof(float), H, cudaMemcpyHostToDevice));
  cudaResourceDesc rd; memset(&rd, 0, sizeof rd); rd.resType = cudaResourceTypeArray; rd.res.array.array = arr;
  cudaTextureDesc td; memset(&td, 0, sizeof td); td.addressMode[0] = td.addressMode[1] = cudaAddressModeClamp; td.filterMode = cudaFilterModeLinear; td.readMode = cudaReadModeElementType;
  cudaTextureObject_t tex = 0; CK(cudaCreateTextureObject(&tex, &rd, &td, nullptr));
  float c = 0.8f * std::cos(0.4f), n = 0.8f * std::sin(0.4f); auto o = dalloc<float>((size_t)ow * oh);
  four([&] { zero(o, (size_t)ow * oh, 0xff); }, [&] { affine_warp_tex<<<dim3((ow + 15) / 16, (oh + 15) / 16), dim3(16, 16)>>>(tex, o, ow, oh, c, -n, 180.f, n, c, -60.f); });
  auto h = down(o, (size_t)ow * oh); bool ok = true;
  auto px = [&](int x, int y) { return (double)s[(size_t)std::min(std::max(y, 0), H - 1) * W + std::min(std::max(x, 0), W - 1)]; };
  for (int y = 0; y < oh; y++) for (int x = 0; x < ow; x++) { double u = (double)c * x - (double)n * y + 180, v = (double)n * x + (double)c * y - 60; int i = (int)std::floor(u), j = (int)std::floor(v); double a = u - i, b = v - j;
    double e = (1 - b) * ((1 - a) * px(i, j) + a * px(i + 1, j)) + b * ((1 - a) * px(i, j + 1) + a * px(i + 1, j + 1)); if (!near_(h[(size_t)y * ow + x], e, 0.02)) ok = false; }
  CK(cudaDestroyTextureObject(tex)); CK(cudaFreeArray(arr)); report("affine_warp_tex", ok);
}

// =================================================================== 21
// NV12 -> RGBA, BT.601 limited range in integer arithmetic, a 2x2 quad per thread.
__host__ __device__ inline int clamp8(int v) { return v < 0 ? 0 : (v > 255 ? 255 : v); }
__host__ __device__ inline uint32_t yuv_px(int Y, int U, int V) {
  const int c = 298 * (Y - 16), d = U - 128, e = V - 128;
  const int R = clamp8((c + 409 * e + 128) >> 8), G = clamp8((c - 100 * d - 208 * e + 128) >> 8), B = clamp8((c + 516 * d + 128) >> 8);
  return (uint32_t)R | ((uint32_t)G << 8) | ((uint32_t)B << 16) | 0xff000000u;
}
__global__ void nv12_to_rgba(const uint8_t* __restrict__ luma, const uint8_t* __restrict__ chroma, uint32_t* __restrict__ rgba, int width, int height) {
  const int qx = blockIdx.x * blockDim.x + threadIdx.x, qy = blockIdx.y * blockDim.y + threadIdx.y;
  if (qx * 2 >= width || qy * 2 >= height) return;
  const uchar2 uv = *(const uchar2*)(chroma + (size_t)qy * width + qx * 2);
#pragma unroll
  for (int r = 0; r < 2; r++) {
    const size_t o = (size_t)(qy * 2 + r) * width + qx * 2;
    const uchar2 yy = *(const uchar2*)(luma + o);
    *(uint2*)(rgba + o) = make_uint2(yuv_px(yy.x, uv.x, uv.y), yuv_px(yy.y, uv.x, uv.y));
  }
}
static void t_nv12() {
  const int w = 1920, h = 1080; Rng r(21); std::vector<uint8_t> y((size_t)w * h), c((size_t)w * h / 2); for (size_t i = 0; i < y.size(); i++) y[i] = (uint8_t)(16 + (i / 9 + r.below(30)) % 220); for (auto& v : c) v = (uint8_t)(90 + r.below(80));
  auto a = up(y); auto b = up(c); auto o = dalloc<uint32_t>(y.size());
  four([&] { zero(o, y.size()); }, [&] { nv12_to_rgba<<<dim3(w / 2 / 32, (h / 2 + 7) / 8), dim3(32, 8)>>>(a, b, o, w, h); });
  auto g = down(o, y.size()); bool ok = true; for (int j = 0; j < h; j++) for (int i = 0; i < w; i++) { size_t q = (size_t)(j / 2) * w + (i / 2) * 2; if (g[(size_t)j * w + i] != yuv_px(y[(size_t)j * w + i], c[q], c[q + 1])) ok = false; }
  report("nv12_to_rgba", ok);
}

// =================================================================== 22
// Concurrent hash-table insert/count (distinct + frequency) by compare-and-swap.
__global__ void ht_cas_upsert(unsigned* tkeys, unsigned* tcounts, unsigned cap_mask, const unsigned* in, unsigned n, unsigned* distinct) {
  unsigned tid = blockIdx.x * blockDim.x + threadIdx.x;
  if (tid >= n) return;
  const unsigned key = in[tid];
  unsigned pos = (key * 2654435769u) >> 11 & cap_mask;
  unsigned step = (mix32(key) | 1u) & cap_mask;
  while (true) {
    unsigned prev = atomicCAS(tkeys + pos, 0u, key);
    if (prev == 0u) atomicAdd(distinct, 1u);
    if (prev == 0u || prev == key) { atomicAdd(tcounts + pos, 1u); return; }
    pos = (pos + step) & cap_mask;
  }
}
static void t_ht() {
  const unsigned cap = 1u << 21, n = 1200000; Rng r(22); std::vector<unsigned> k(n); for (auto& v : k) v = 1u + mix32((unsigned)(900000 * std::pow(r.u(), 1.5))) % 0xfffffff0u;
  std::unordered_map<unsigned, unsigned> ref; ref.reserve(n); for (auto v : k) ref[v]++;
  auto tk = dalloc<unsigned>(cap); auto tc = dalloc<unsigned>(cap); auto in = up(k); auto dd = dalloc<unsigned>(1);
  four([&] { zero(tk, cap); zero(tc, cap); zero(dd, 1); }, [&] { ht_cas_upsert<<<(n + 255) / 256, 256>>>(tk, tc, cap - 1, in, n, dd); });
  auto hk = down(tk, cap), hc = down(tc, cap); bool ok = down(dd, 1)[0] == ref.size(); size_t found = 0;
  for (unsigned i = 0; i < cap; i++) if (hk[i]) { found++; auto it = ref.find(hk[i]); if (it == ref.end() || it->second != hc[i]) ok = false; }
  report("ht_cas_upsert", ok && found == ref.size());
}

// ------------------------------------------------------------------ graph helper (host)
struct Csr { std::vector<int> ptr, adj; };
static Csr make_graph(int V, int E, double skew, ull seed) {
  Rng r(seed); std::vector<ull> e; e.reserve(2 * (size_t)E);
  for (int i = 0; i < E; i++) { ull a = (ull)(V * std::pow(r.u(), skew)), b = (ull)(V * std::pow(r.u(), skew)); a = (a * 7919 + 13) % V; b = (b * 7919 + 13) % V; if (a == b) continue; e.push_back(a << 32 | b); e.push_back(b << 32 | a); }
  std::sort(e.begin(), e.end()); e.erase(std::unique(e.begin(), e.end()), e.end());
  Csr g; g.ptr.assign(V + 1, 0); g.adj.reserve(e.size()); for (ull x : e) { g.ptr[(x >> 32) + 1]++; g.adj.push_back((int)(x & 0xffffffffu)); }
  for (int i = 0; i < V; i++) g.ptr[i + 1] += g.ptr[i];
  return g;
}

// =================================================================== 23
// One top-down BFS level, warp per frontier vertex, ballot-compacted queue append.
__global__ void bfs_topdown_level(const int* __restrict__ frontier, int nf, const int* __restrict__ ptr, const int* __restrict__ adj, int* dist, int level, int* next, int* nnext) {
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, lane = threadIdx.x & 31;
  const int nwarps = (gridDim.x * blockDim.x) >> 5;
  for (int f = warp; f < nf; f += nwarps) {
    const int v = frontier[f], b = ptr[v], e = ptr[v + 1];
    for (int j0 = b; j0 < e; j0 += 32) {
      bool fresh = false;
      int u = -1;
      if (j0 + lane < e) {
        u = adj[j0 + lane];
        if (dist[u] < 0) fresh = atomicCAS(&dist[u], -1, level + 1) == -1;
      }
      const unsigned m = __ballot_sync(0xffffffffu, fresh);
      if (m) {
        int base = 0;
        if (lane == 0) base = atomicAdd(nnext, __popc(m));
        base = __shfl_sync(0xffffffffu, base, 0);
        if (fresh) next[base + __popc(m & ((1u << lane) - 1))] = u;
      }
    }
  }
}
static void t_bfs() {
  const int V = 300000; Csr g = make_graph(V, 1300000, 1.8, 23); std::vector<int> dist(V, -1), fr(1, (int)((1000ull * 7919 + 13) % V)), best, bd; dist[fr[0]] = 0; int lv = 0, bl = 0; std::vector<int> bn;
  while (!fr.empty()) { std::vector<int> before = dist, nx; for (int v : fr) for (int j = g.ptr[v]; j < g.ptr[v + 1]; j++) if (dist[g.adj[j]] < 0) { dist[g.adj[j]] = lv + 1; nx.push_back(g.adj[j]); }
    if (best.empty() || nx.size() > bn.size()) { best = fr; bd = before; bn = nx; bl = lv; } fr = nx; lv++; }
  auto f = up(best); auto p = up(g.ptr); auto a = up(g.adj); auto d = up(bd); auto q = dalloc<int>(V); auto nq = dalloc<int>(1);
  four([&] { put(d, bd); zero(nq, 1); }, [&] { bfs_topdown_level<<<528, 256>>>(f, (int)best.size(), p, a, d, bl, q, nq); });
  int cnt = down(nq, 1)[0]; bool ok = cnt == (int)bn.size(); auto hd = down(d, V); std::vector<int> rd = bd; for (int v : bn) rd[v] = bl + 1; ok = ok && hd == rd;
  if (ok) { auto hq = down(q, cnt); std::sort(hq.begin(), hq.end()); std::sort(bn.begin(), bn.end()); ok = hq == bn; }
  report("bfs_topdown_level", ok);
}

// =================================================================== 24
// Triangle counting on a degree-oriented graph: per edge, binary-search the short list in the long one.
__device__ __forceinline__ bool contains(const int* a, int n, int key) {
  int lo = 0;
  while (n > 0) { int half = n >> 1; int v = a[lo + half]; if (v == key) return true; if (v < key) { lo += half + 1; n -= half + 1; } else n = half; }
  return false;
}
__global__ void triangle_count_edges(const int* __restrict__ src, const int* __restrict__ ptr, const int* __restrict__ adj, int m, ull* total) {
  unsigned local = 0;
  for (int e = blockIdx.x * blockDim.x + threadIdx.x; e < m; e += blockDim.x * gridDim.x) {
    int a = src[e], b = adj[e];
    int la = ptr[a + 1] - ptr[a], lb = ptr[b + 1] - ptr[b];
    if (la > lb) { int t = a; a = b; b = t; t = la; la = lb; lb = t; }
    const int *pa = adj + ptr[a], *pb = adj + ptr[b];
    for (int i = 0; i < la; i++) local += contains(pb, lb, pa[i]);
  }
  local = __reduce_add_sync(0xffffffffu, local);
  if ((threadIdx.x & 31) == 0 && local) atomicAdd(total, (ull)local);
}
static void t_tri() {
  const int V = 60000; Csr g = make_graph(V, 500000, 1.5, 24); std::vector<int> ptr(V + 1, 0), adj, src; auto deg = [&](int v) { return g.ptr[v + 1] - g.ptr[v]; };
  for (int v = 0; v < V; v++) { for (int j = g.ptr[v]; j < g.ptr[v + 1]; j++) { int u = g.adj[j]; if (deg(v) < deg(u) || (deg(v) == deg(u) && v < u)) { adj.push_back(u); src.push_back(v); } } ptr[v + 1] = (int)adj.size(); }
  auto s = up(src); auto p = up(ptr); auto a = up(adj); auto t = dalloc<ull>(1); int m = (int)adj.size();
  four([&] { zero(t, 1); }, [&] { triangle_count_edges<<<1320, 128>>>(s, p, a, m, t); });
  ull want = 0; std::vector<int> mark(V, -1); for (int v = 0; v < V; v++) { for (int j = ptr[v]; j < ptr[v + 1]; j++) mark[adj[j]] = v; for (int j = ptr[v]; j < ptr[v + 1]; j++) for (int k = ptr[adj[j]]; k < ptr[adj[j] + 1]; k++) want += mark[adj[k]] == v; }
  report("triangle_count_edges", down(t, 1)[0] == want && want > 0);
}

// =================================================================== 25
// Lock-free union-find over an edge list (hook larger root under smaller, path halving).
__device__ int uf_find(volatile int* parent, int v) {
  int p = parent[v];
  while (p != v) {
    int gp = parent[p];
    if (gp != p) parent[v] = gp;
    v = p; p = gp;
  }
  return v;
}
__global__ void uf_union_edges(int* parent, const int2* __restrict__ edges, int m) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= m) return;
  int2 ab = edges[e];
  int a = uf_find(parent, ab.x), b = uf_find(parent, ab.y);
  while (a != b) {
    if (a < b) { int t = a; a = b; b = t; }
    int old = atomicCAS(&parent[a], a, b);
    if (old == a) break;
    a = uf_find(parent, old);
    b = uf_find(parent, b);
  }
}
static void t_uf() {
  const int V = 400000, m = 450000; Rng r(25); std::vector<int2> e(m); std::vector<int> id(V); std::iota(id.begin(), id.end(), 0);
  for (auto& x : e) { int a = r.below(V); int b = r.below(4) ? std::min(V - 1, a + 1 + r.below(40)) : (int)(V * std::pow(r.u(), 2)); x = make_int2(a, b); }
  auto p = up(id); auto de = up(e); four([&] { put(p, id); }, [&] { uf_union_edges<<<(m + 255) / 256, 256>>>(p, de, m); });
  auto h = down(p, V); std::vector<int> q = id; auto find = [](std::vector<int>& v, int x) { while (v[x] != x) { v[x] = v[v[x]]; x = v[x]; } return x; };
  bool ok = true; for (int i = 0; i < V; i++) if (h[i] < 0 || h[i] > i) ok = false;   // parents never point upward: acyclic
  for (auto& x : e) { int a = find(q, x.x), b = find(q, x.y); if (a < b) std::swap(a, b); if (a != b) q[a] = b; }
  if (ok) for (int i = 0; i < V; i++) if (find(h, i) != find(q, i)) ok = false;     // both roots are component minima
  report("uf_union_edges", ok);
}

// =================================================================== 26
// One stable 8-bit radix scatter pass (key + payload), ranks by match_any within warps.
__global__ void __launch_bounds__(256) radix8_rank_scatter(const uint32_t* __restrict__ kin, const uint32_t* __restrict__ vin, uint32_t* __restrict__ kout, uint32_t* __restrict__ vout,
                                                           const uint32_t* __restrict__ block_digit_base, int shift) {
  __shared__ uint32_t wh[8][256];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  for (int d = lane; d < 256; d += 32) wh[warp][d] = 0;
  __syncwarp();
  const size_t base = (size_t)blockIdx.x * 2048 + warp * 256 + lane;
  uint32_t key[8], rank[8];
#pragma unroll
  for (int r = 0; r < 8; r++) key[r] = kin[base + r * 32];
#pragma unroll
  for (int r = 0; r < 8; r++) {
    const uint32_t d = (key[r] >> shift) & 255u;
    const unsigned peers = __match_any_sync(0xffffffffu, d);
    const int leader = __ffs(peers) - 1;
    uint32_t old = 0;
    if (lane == leader) { old = wh[warp][d]; wh[warp][d] = old + __popc(peers); }
    old = __shfl_sync(0xffffffffu, old, leader);
    rank[r] = old + __popc(peers & ((1u << lane) - 1u));
    __syncwarp();
  }
  __syncthreads();
  {
    uint32_t run = block_digit_base[(size_t)blockIdx.x * 256 + threadIdx.x];
#pragma unroll
    for (int w = 0; w < 8; w++) { uint32_t c = wh[w][threadIdx.x]; wh[w][threadIdx.x] = run; run += c; }
  }
  __syncthreads();
#pragma unroll
  for (int r = 0; r < 8; r++) {
    const uint32_t dst = wh[warp][(key[r] >> shift) & 255u] + rank[r];
    kout[dst] = key[r];
    vout[dst] = vin[base + r * 32];
  }
}
static void t_radix() {
  const int B = 1024, n = B * 2048, sh = 8; Rng r(26); std::vector<uint32_t> k(n), v(n), off((size_t)B * 256, 0), rk(n), rv(n);
  for (int i = 0; i < n; i++) { k[i] = (uint32_t)(4.0e6 * std::pow(r.u(), 2.0)); v[i] = (uint32_t)i; }
  std::vector<uint32_t> tot(257, 0); for (auto x : k) tot[((x >> sh) & 255) + 1]++; for (int d = 0; d < 256; d++) tot[d + 1] += tot[d];
  std::vector<uint32_t> cur(tot.begin(), tot.begin() + 256);
  for (int b = 0; b < B; b++) { for (int d = 0; d < 256; d++) off[(size_t)b * 256 + d] = cur[d]; for (int i = b * 2048; i < (b + 1) * 2048; i++) { uint32_t p = cur[(k[i] >> sh) & 255]++; rk[p] = k[i]; rv[p] = v[i]; } }
  auto dk = up(k); auto dv = up(v); auto ok_ = dalloc<uint32_t>(n); auto ov = dalloc<uint32_t>(n); auto dof = up(off);
  four([&] { zero(ok_, n); zero(ov, n); }, [&] { radix8_rank_scatter<<<B, 256>>>(dk, dv, ok_, ov, dof, sh); });
  bool ok = down(ok_, n) == rk; ok = (down(ov, n) == rv) && ok; report("radix8_rank_scatter", ok);
}

// =================================================================== 27
// Exclusive prefix sum in one pass: decoupled look-back, dynamic tile numbers.
enum : unsigned { TILE_EMPTY = 0, TILE_AGG = 1, TILE_PREFIX = 2 };
__global__ void __launch_bounds__(256) lookback_exscan_u32(const uint4* __restrict__ in, uint4* __restrict__ out, int nvec, volatile ull* status, unsigned* ticket) {
  __shared__ unsigned s_tile, s_warp[8], s_excl;
  if (threadIdx.x == 0) s_tile = atomicAdd(ticket, 1u);
  __syncthreads();
  const int tile = (int)s_tile, lane = threadIdx.x & 31, wid = threadIdx.x >> 5;
  const int v0 = tile * 512 + threadIdx.x * 2;
  uint4 a = make_uint4(0, 0, 0, 0), b = a;
  if (v0 < nvec) a = in[v0];
  if (v0 + 1 < nvec) b = in[v0 + 1];
  const unsigned mine = a.x + a.y + a.z + a.w + b.x + b.y + b.z + b.w;
  unsigned inc = mine;
#pragma unroll
  for (int o = 1; o < 32; o <<= 1) { unsigned t = __shfl_up_sync(~0u, inc, o); if (lane >= o) inc += t; }
  if (lane == 31) s_warp[wid] = inc;
  __syncthreads();
  unsigned before = 0, agg = 0;
#pragma unroll
  for (int w = 0; w < 8; w++) { if (w < wid) before += s_warp[w]; agg += s_warp[w]; }
  if (wid == 0) {
    if (lane == 0) status[tile] = ((ull)(tile == 0 ? TILE_PREFIX : TILE_AGG) << 32) | agg;
    unsigned excl = 0;
    if (tile > 0) {
      for (int look = tile - 1 - lane;; look -= 32) {
        ull st;
        do { st = look >= 0 ? status[look] : ((ull)TILE_PREFIX << 32); } while (__any_sync(~0u, (unsigned)(st >> 32) == TILE_EMPTY));
        const unsigned done = __ballot_sync(~0u, (unsigned)(st >> 32) == TILE_PREFIX);
        const int stop = done ? __ffs(done) - 1 : 31;
        excl += __reduce_add_sync(~0u, lane <= stop ? (unsigned)st : 0u);
        if (done) break;
      }
      if (lane == 0) status[tile] = ((ull)TILE_PREFIX << 32) | (excl + agg);
    }
    if (lane == 0) s_excl = excl;
  }
  __syncthreads();
  unsigned run = s_excl + before + inc - mine;
  uint4 oa, ob;
  oa.x = run; run += a.x; oa.y = run; run += a.y; oa.z = run; run += a.z; oa.w = run; run += a.w;
  ob.x = run; run += b.x; ob.y = run; run += b.y; ob.z = run; run += b.z; ob.w = run;
  if (v0 < nvec) out[v0] = oa;
  if (v0 + 1 < nvec) out[v0 + 1] = ob;
}
static void t_scan() {
  const int n = 4000004; Rng r(27); std::vector<uint32> x(n), ref(n); uint32 s = 0; for (int i = 0; i < n; i++) { x[i] = (uint32)(100 * std::pow(r.u(), 6)); ref[i] = s; s += x[i]; }
  const int nv = n / 4, tiles = (nv + 511) / 512; auto in = up(x); auto o = dalloc<uint32>(n); auto st = dalloc<ull>(tiles); auto tk = dalloc<unsigned>(1);
  four([&] { zero(st, tiles); zero(tk, 1); zero(o, n, 0xff); }, [&] { lookback_exscan_u32<<<tiles, 256>>>((uint4*)in, (uint4*)o, nv, st, tk); });
  report("lookback_exscan_u32", down(o, n) == ref);
}

// =================================================================== 28
// CRC-32 (slicing by 4) of variable-length records, one thread per record.
static uint32_t h_crc[4][256];
__global__ void crc32_records(const uint32_t* tab, const uint8_t* data, const uint32_t* off, const uint32_t* len, uint32_t* crc, int n) {
  __shared__ uint32_t T[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) T[i] = tab[i];
  __syncthreads();
  int rec = blockIdx.x * blockDim.x + threadIdx.x;
  if (rec < n) {
    const uint8_t* p = data + off[rec];
    uint32_t left = len[rec], c = 0xFFFFFFFFu;
    while (left >= 4) {
      c ^= *(const uint32_t*)p;
      c = T[768 + (c & 255)] ^ T[512 + ((c >> 8) & 255)] ^ T[256 + ((c >> 16) & 255)] ^ T[c >> 24];
      p += 4; left -= 4;
    }
    while (left--) c = T[(c ^ *p++) & 255] ^ (c >> 8);
    crc[rec] = ~c;
  }
}
static void t_crc() {
  for (uint32_t i = 0; i < 256; i++) { uint32_t c = i; for (int k = 0; k < 8; k++) c = (c >> 1) ^ (0xEDB88320u & (0u - (c & 1))); h_crc[0][i] = c; }
  for (int k = 1; k < 4; k++) for (int i = 0; i < 256; i++) h_crc[k][i] = (h_crc[k - 1][i] >> 8) ^ h_crc[0][h_crc[k - 1][i] & 255];
  const int n = 60000; Rng r(28); std::vector<uint32_t> off(n), len(n), tab(&h_crc[0][0], &h_crc[0][0] + 1024); std::vector<uint8_t> d;
  for (int i = 0; i < n; i++) { off[i] = (uint32_t)d.size(); len[i] = 9 + (uint32_t)(500 * std::pow(r.u(), 2.5)); for (uint32_t k = 0; k < len[i]; k++) d.push_back((uint8_t)(32 + r.below(90))); while (d.size() & 3) d.push_back(0); }
  auto t = up(tab); auto dd = up(d); auto a = up(off); auto b = up(len); auto c = dalloc<uint32_t>(n);
  four([&] { zero(c, n); }, [&] { crc32_records<<<(n + 127) / 128, 128>>>(t, dd, a, b, c, n); });
  auto h = down(c, n); bool ok = true; for (int i = 0; i < n; i++) { uint32_t x = ~0u; for (uint32_t k = 0; k < len[i]; k++) x = h_crc[0][(x ^ d[off[i] + k]) & 255] ^ (x >> 8); if (h[i] != ~x) ok = false; }
  report("crc32_records", ok);
}

// =================================================================== 29
// Multi-field account update guarded by a per-account spin lock.
struct Account { int lock; int count; long long balance; int biggest; unsigned fingerprint; };
class AccountGuard {
  int* l;
 public:
  __device__ explicit AccountGuard(int* p) : l(p) {}
  __device__ bool tryEnter() { if (atomicCAS(l, 0, 1) != 0) return false; __threadfence(); return true; }
  __device__ void leave() { __threadfence(); atomicExch(l, 0); }
};
__global__ void locked_account_post(Account* accts, const int* who, const int* amount, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    Account* A = accts + who[i];
    const int amt = amount[i];
    AccountGuard guard(&A->lock);
    bool done = false;
    while (!done) {
      if (guard.tryEnter()) {
        volatile Account* V = A;
        V->count = V->count + 1;
        V->balance = V->balance + amt;
        if (amt > V->biggest) V->biggest = amt;
        V->fingerprint = V->fingerprint ^ mix32((unsigned)i);
        guard.leave();
        done = true;
      } else {
        __nanosleep(32);
      }
    }
  }
}
static void t_lock() {
  const int n = 120000, A = 16384; Rng r(29); std::vector<int> w(n), am(n); std::vector<Account> ref(A); memset((void*)ref.data(), 0, sizeof(Account) * A);
  for (int i = 0; i < n; i++) { w[i] = (int)(A * std::pow(r.u(), 1.4)); am[i] = r.below(200000) - 60000; Account& a = ref[w[i]]; a.count++; a.balance += am[i]; a.biggest = std::max(a.biggest, am[i]); a.fingerprint ^= mix32((unsigned)i); }
  auto dw = up(w); auto da = up(am); auto ac = dalloc<Account>(A);
  four([&] { zero(ac, A); }, [&] { locked_account_post<<<(n + 127) / 128, 128>>>(ac, dw, da, n); });
  auto h = down(ac, A); bool ok = true; for (int i = 0; i < A; i++) if (h[i].lock || h[i].count != ref[i].count || h[i].balance != ref[i].balance || h[i].biggest != ref[i].biggest || h[i].fingerprint != ref[i].fingerprint) ok = false;
  report("locked_account_post", ok);
}

int main() {
  t_embedding(); t_w4(); t_rms(); t_rope(); t_sieve(); t_paged(); t_topk(); t_join(); t_groupby(); t_dict();
  t_csr(); t_mandel(); t_sor(); t_lbm(); t_fdtd(); t_pcr(); t_nbody(); t_lj(); t_bilateral(); t_affine();
  t_nv12(); t_ht(); t_bfs(); t_tri(); t_uf(); t_radix(); t_scan(); t_crc(); t_lock();
  return g_allok ? 0 : 1;
}
