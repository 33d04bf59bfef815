// k-means of points in four dimensions: nearest centre, sums per cluster, new centres.
#include "app.cuh"
constexpr int K = 24, D = 4;
struct Points { const float* x; int n; };  // passed by value
__global__ void nearest(Points p, const float* centre, int* label) {
    __shared__ float c[K * D];
    if (threadIdx.x < K * D) c[threadIdx.x] = centre[threadIdx.x];
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= p.n) return;
    float best = 1e30f;
    int at = 0;
    for (int k = 0; k < K; ++k) {
        float s = 0;
        for (int d = 0; d < D; ++d) { const float t = p.x[d * p.n + i] - c[k * D + d]; s += t * t; }
        if (s < best) { best = s; at = k; }
    }
    label[i] = at;
}
__global__ void sums(Points p, const int* label, float* sum, int* count) {
    __shared__ float s[K * D];
    __shared__ int c[K];
    for (int i = threadIdx.x; i < K * D; i += blockDim.x) s[i] = 0;
    if (threadIdx.x < K) c[threadIdx.x] = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.n) {
        for (int d = 0; d < D; ++d) atomicAdd(&s[label[i] * D + d], p.x[d * p.n + i]);
        atomicAdd(&c[label[i]], 1);
    }
    __syncthreads();
    for (int j = threadIdx.x; j < K * D; j += blockDim.x) atomicAdd(&sum[j], s[j]);
    if (threadIdx.x < K) atomicAdd(&count[threadIdx.x], c[threadIdx.x]);
}
__global__ void centres(float* centre, const float* sum, const int* count) {
    const int i = threadIdx.x;
    if (i < K * D && count[i / D] > 0) centre[i] = sum[i] / count[i / D];
}
int main() {
    const int n = 100000;
    Random random(10);
    std::vector<float> x(n * D), c(K * D);
    for (auto& v : x) v = random.unit();
    for (auto& v : c) v = random.unit();
    Buffer<float> X(x), C(c), S(K * D);
    Buffer<int> L(n), N(K);
    std::vector<int> label(n);
    std::vector<double> w(c.begin(), c.end());
    for (int step = 0; step < 2; ++step) {
        OK(cudaMemset(S.p, 0, 4 * K * D));
        OK(cudaMemset(N.p, 0, 4 * K));
        nearest<<<(n + 127) / 128, 128>>>({X.p, n}, C.p, L.p);
        sums<<<(n + 511) / 512, 512>>>({X.p, n}, L.p, S.p, N.p);
        centres<<<1, 96>>>(C.p, S.p, N.p);
        label = L.host();
        std::vector<double> s(K * D);
        std::vector<int> k(K);
        for (int i = 0; i < n; ++i) { ++k[label[i]]; for (int d = 0; d < D; ++d) s[label[i] * D + d] += x[d * n + i]; }
        for (int i = 0; i < K * D; ++i) if (k[i / D]) w[i] = s[i] / k[i / D];
    }
    const auto got = C.host();
    bool right = true;
    for (int i = 0; i < K * D; ++i) right = right && near(got[i], w[i], 1e-3);
    return finish(right, "kmeans");
}
