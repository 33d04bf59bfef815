// Sparse matrix times vector with rows of very different length: thread a row, warp a row, and ELL for the short ones.
#include "app.cuh"
__global__ void by_thread(const int* row, const int* col, const float* val, const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = 0;
    for (int k = row[i]; k < row[i + 1]; ++k) s += val[k] * x[col[k]];
    y[i] = s;
}
__global__ void by_warp(const int* row, const int* col, const float* val, const float* x, float* y, int n) {
    const int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (i >= n) return;
    float s = 0;
    for (int k = row[i] + lane; k < row[i + 1]; k += 32) s += val[k] * x[col[k]];
    for (int k = 16; k; k /= 2) s += __shfl_down_sync(~0u, s, k);
    if (lane == 0) y[i] = s;
}
__global__ void ell(const int* col, const float* val, const float* x, float* y, int n, int width) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = 0;
    for (int k = 0; k < width; ++k) if (col[k * n + i] >= 0) s += val[k * n + i] * x[col[k * n + i]];
    y[i] = s;
}
int main() {
    const int n = 30000, width = 8;
    Random random(7);
    std::vector<int> row{0}, col, ecol(n * width, -1);
    std::vector<float> val, x(n), eval(n * width), want(n), ewant(n);
    for (auto& v : x) v = random.unit();
    for (int i = 0; i < n; ++i) {
        const int length = i % 97 == 0 ? 200 + random.below(400) : random.below(24);
        for (int k = 0; k < length; ++k) {
            col.push_back(random.below(n)); val.push_back(random.unit());
            want[i] += val.back() * x[col.back()];
            if (k < width) { ecol[k * n + i] = col.back(); eval[k * n + i] = val.back(); ewant[i] += val.back() * x[col.back()]; }
        }
        row.push_back(int(col.size()));
    }
    Buffer<int> R(row), C(col), EC(ecol);
    Buffer<float> V(val), EV(eval), X(x), Y(n), Z(n), E(n);
    by_thread<<<(n + 127) / 128, 128>>>(R.p, C.p, V.p, X.p, Y.p, n);
    by_warp<<<(n + 7) / 8, 256>>>(R.p, C.p, V.p, X.p, Z.p, n);
    ell<<<(n + 191) / 192, 192>>>(EC.p, EV.p, X.p, E.p, n, width);
    const auto y = Y.host(), z = Z.host(), e = E.host();
    bool right = true;
    for (int i = 0; i < n; ++i) right = right && near(y[i], want[i], 1e-4) && near(z[i], want[i], 1e-4) && near(e[i], ewant[i], 1e-4);
    return finish(right, "spmv");
}
