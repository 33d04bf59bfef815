// Cholesky factorisation by tiles of 32: the diagonal tile, the column below it, the rest.
#include "app.cuh"
constexpr int B = 32;
__global__ void diagonal(float* a, int n, int k) {
    __shared__ float t[B][B + 1];
    const int i = threadIdx.x;
    for (int j = 0; j < B; ++j) t[j][i] = a[(k + j) * n + k + i];
    __syncthreads();
    for (int j = 0; j < B; ++j) {
        if (i == j) t[j][j] = sqrtf(t[j][j]);
        __syncthreads();
        if (i > j) t[i][j] /= t[j][j];
        __syncthreads();
        if (i > j) for (int c = j + 1; c <= i; ++c) t[i][c] -= t[i][j] * t[c][j];
        __syncthreads();
    }
    for (int j = 0; j < B; ++j) a[(k + j) * n + k + i] = i <= j ? t[j][i] : 0;
}
__global__ void below(float* a, int n, int k) {
    __shared__ float l[B][B + 1], x[B][B + 1];
    const int r = k + B * (blockIdx.x + 1), i = threadIdx.x;
    for (int j = 0; j < B; ++j) { l[j][i] = a[(k + j) * n + k + i]; x[j][i] = a[(r + j) * n + k + i]; }
    __syncthreads();
    for (int j = 0; j < B; ++j) {
        float s = x[i][j];
        for (int c = 0; c < j; ++c) s -= x[i][c] * l[j][c];
        x[i][j] = s / l[j][j];
    }
    __syncthreads();
    for (int j = 0; j < B; ++j) a[(r + j) * n + k + i] = x[j][i];
}
__global__ void rest(float* a, int n, int k) {
    if (blockIdx.x > blockIdx.y) return;
    __shared__ float p[B][B + 1], q[B][B + 1];
    const int r = k + B * (blockIdx.y + 1), c = k + B * (blockIdx.x + 1), x = threadIdx.x, y = threadIdx.y;
    p[y][x] = a[(r + y) * n + k + x];
    q[y][x] = a[(c + y) * n + k + x];
    __syncthreads();
    float s = 0;
    for (int i = 0; i < B; ++i) s += p[y][i] * q[x][i];
    a[(r + y) * n + c + x] -= s;
}
int main() {
    const int n = 192;
    std::vector<float> a(n * n);
    for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) a[i * n + j] = (i == j ? 8.0f : 0.0f) + 1.0f / (1 + std::abs(i - j));
    Buffer<float> A(a);
    for (int k = 0; k < n; k += B) {
        const int left = n / B - k / B - 1;
        diagonal<<<1, B>>>(A.p, n, k);
        if (left == 0) break;
        below<<<left, B>>>(A.p, n, k);
        rest<<<dim3(left, left), dim3(B, B)>>>(A.p, n, k);
    }
    const auto l = A.host();
    bool right = true;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j <= i; ++j) { double s = 0; for (int k = 0; k <= j; ++k) s += double(l[i * n + k]) * l[j * n + k]; right = right && near(s, a[i * n + j], 1e-4); }
    return finish(right, "cholesky");
}
