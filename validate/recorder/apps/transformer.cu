// One transformer block of one head: layer norm, projections, attention, residual, GELU network.
#include "app.cuh"
constexpr int T = 32;
__global__ void layer_norm(const float* x, float* y, int d) {
    __shared__ float s[2][8];
    const float* row = x + blockIdx.x * d;
    float a = 0, b = 0;
    for (int i = threadIdx.x; i < d; i += 256) { a += row[i]; b += row[i] * row[i]; }
    for (int k = 16; k; k /= 2) { a += __shfl_xor_sync(~0u, a, k); b += __shfl_xor_sync(~0u, b, k); }
    if (threadIdx.x % 32 == 0) { s[0][threadIdx.x / 32] = a; s[1][threadIdx.x / 32] = b; }
    __syncthreads();
    a = b = 0;
    for (int i = 0; i < 8; ++i) { a += s[0][i]; b += s[1][i]; }
    const float mean = a / d, inverse = rsqrtf(b / d - mean * mean + 1e-5f);
    for (int i = threadIdx.x; i < d; i += 256) y[blockIdx.x * d + i] = (row[i] - mean) * inverse;
}
template <bool transposed>
__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k, float scale) {
    __shared__ float as[T][T], bs[T][T + 1];
    const int x = blockIdx.x * T + threadIdx.x, y0 = blockIdx.y * T + threadIdx.y;
    float s[4] = {};
    for (int t = 0; t < k; t += T) {
        for (int j = 0; j < 4; ++j) {
            as[threadIdx.y + 8 * j][threadIdx.x] = a[(y0 + 8 * j) * k + t + threadIdx.x];
            if (transposed) bs[threadIdx.x][threadIdx.y + 8 * j] = b[(blockIdx.x * T + threadIdx.y + 8 * j) * k + t + threadIdx.x];
            else bs[threadIdx.y + 8 * j][threadIdx.x] = b[(t + threadIdx.y + 8 * j) * n + x];
        }
        __syncthreads();
        for (int i = 0; i < T; ++i)
            for (int j = 0; j < 4; ++j) s[j] += as[threadIdx.y + 8 * j][i] * bs[i][threadIdx.x];
        __syncthreads();
    }
    for (int j = 0; j < 4; ++j) c[(y0 + 8 * j) * n + x] = scale * s[j];
}
__global__ void softmax(float* x, int n) {  // a warp a row
    float* row = x + (blockIdx.x * 4 + threadIdx.y) * n;
    float m = -1e30f, s = 0;
    for (int i = threadIdx.x; i < n; i += 32) m = fmaxf(m, row[i]);
    for (int k = 16; k; k /= 2) m = fmaxf(m, __shfl_xor_sync(~0u, m, k));
    for (int i = threadIdx.x; i < n; i += 32) s += row[i] = __expf(row[i] - m);
    for (int k = 16; k; k /= 2) s += __shfl_xor_sync(~0u, s, k);
    for (int i = threadIdx.x; i < n; i += 32) row[i] /= s;
}
__global__ void gelu(float* x, int n) {
    const int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    if (i >= n) return;
    float4 v = *reinterpret_cast<float4*>(x + i);
    const auto f = [](float t) { return 0.5f * t * (1 + tanhf(0.79788456f * (t + 0.044715f * t * t * t))); };
    *reinterpret_cast<float4*>(x + i) = make_float4(f(v.x), f(v.y), f(v.z), f(v.w));
}
__global__ void add(const float* a, float* b, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] += a[i];
}
using Vec = std::vector<float>;
static Vec mm(const Vec& a, const Vec& b, int m, int n, int k, bool tr, float scale) {
    Vec c(m * n);
    for (int i = 0; i < m; ++i) for (int j = 0; j < n; ++j) { double s = 0; for (int l = 0; l < k; ++l) s += double(a[i * k + l]) * (tr ? b[j * k + l] : b[l * n + j]); c[i * n + j] = float(scale * s); }
    return c;
}
int main() {
    const int L = 256, D = 384, F = 1024;
    Random random(4);
    const auto fill = [&](int n, float scale) { Vec v(n); for (auto& x : v) x = (random.unit() - 0.5f) * scale; return v; };
    const Vec x = fill(L * D, 2), wq = fill(D * D, .125f), wk = fill(D * D, .125f), wv = fill(D * D, .125f), w1 = fill(D * F, .125f), w2 = fill(F * D, .0625f);
    Buffer<float> X(x), N(L * D), Q(L * D), K(L * D), V(L * D), S(L * L), A(L * D), H(L * F), O(L * D), Wq(wq), Wk(wk), Wv(wv), W1(w1), W2(w2);
    const dim3 b(32, 8);
    const float scale = 1 / sqrtf(float(D));
    layer_norm<<<L, 256>>>(X.p, N.p, D);
    matmul<false><<<dim3(D / T, L / T), b>>>(N.p, Wq.p, Q.p, L, D, D, 1);
    matmul<false><<<dim3(D / T, L / T), b>>>(N.p, Wk.p, K.p, L, D, D, 1);
    matmul<false><<<dim3(D / T, L / T), b>>>(N.p, Wv.p, V.p, L, D, D, 1);
    matmul<true><<<dim3(L / T, L / T), b>>>(Q.p, K.p, S.p, L, L, D, scale);
    softmax<<<L / 4, dim3(32, 4)>>>(S.p, L);
    matmul<false><<<dim3(D / T, L / T), b>>>(S.p, V.p, A.p, L, D, L, 1);
    add<<<(L * D + 255) / 256, 256>>>(A.p, X.p, L * D);
    layer_norm<<<L, 256>>>(X.p, N.p, D);
    matmul<false><<<dim3(F / T, L / T), b>>>(N.p, W1.p, H.p, L, F, D, 1);
    gelu<<<(L * F / 4 + 127) / 128, 128>>>(H.p, L * F);
    matmul<false><<<dim3(D / T, L / T), b>>>(H.p, W2.p, O.p, L, D, F, 1);
    const auto norm = [&](const Vec& v) { Vec r(v.size()); for (int i = 0; i < L; ++i) { double a = 0, q = 0; for (int j = 0; j < D; ++j) { a += v[i * D + j]; q += double(v[i * D + j]) * v[i * D + j]; } a /= D; q = 1 / std::sqrt(q / D - a * a + 1e-5); for (int j = 0; j < D; ++j) r[i * D + j] = float((v[i * D + j] - a) * q); } return r; };
    Vec n = norm(x), s = mm(mm(n, wq, L, D, D, false, 1), mm(n, wk, L, D, D, false, 1), L, L, D, true, scale), y = x;
    for (int i = 0; i < L; ++i) { double t = 0; float m = -1e30f; for (int j = 0; j < L; ++j) m = std::fmax(m, s[i * L + j]); for (int j = 0; j < L; ++j) t += s[i * L + j] = std::exp(s[i * L + j] - m); for (int j = 0; j < L; ++j) s[i * L + j] /= float(t); }
    const Vec a = mm(s, mm(n, wv, L, D, D, false, 1), L, D, L, false, 1);
    for (int i = 0; i < L * D; ++i) y[i] += a[i];
    Vec hidden = mm(norm(y), w1, L, F, D, false, 1);
    for (auto& t : hidden) t = 0.5f * t * (1 + std::tanh(0.79788456f * (t + 0.044715f * t * t * t)));
    const Vec want = mm(hidden, w2, L, D, F, false, 1), got = O.host();
    bool right = true;
    for (int i = 0; i < L * D; ++i) right = right && near(got[i], want[i], 2e-3);
    return finish(right, "transformer");
}
