// Conjugate gradients in double precision on the Laplacian of a square, as CSR.
#include "app.cuh"
__global__ void multiply(const int* row, const int* col, const double* val, const double* x, double* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double s = 0;
    for (int k = row[i]; k < row[i + 1]; ++k) s += val[k] * x[col[k]];
    y[i] = s;
}
__global__ void dot(const double* a, const double* b, double* out, int n) {
    double s = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s += a[i] * b[i];
    for (int k = 16; k > 0; k /= 2) s += __shfl_down_sync(~0u, s, k);
    if (threadIdx.x % 32 == 0) atomicAdd(out, s);
}
__global__ void axpy(double a, const double* x, double* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}
__global__ void direction(double b, const double* r, double* p, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = r[i] + b * p[i];
}
int main() {
    const int side = 300, n = side * side;
    std::vector<int> row{0}, col;
    std::vector<double> val;
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x) {
            const auto add = [&](int i, int j, double v) { if (i >= 0 && j >= 0 && i < side && j < side) { col.push_back(j * side + i); val.push_back(v); } };
            add(x, y - 1, -1); add(x - 1, y, -1); add(x, y, 4.5); add(x + 1, y, -1); add(x, y + 1, -1);
            row.push_back(int(col.size()));
        }
    std::vector<double> one(n, 1.0);
    Buffer<int> R(row), C(col);
    Buffer<double> V(val), x(n), r(one), p(one), q(n), s(2);
    const int blocks = (n + 255) / 256;
    double rr = 0;
    const auto value = [&](const Buffer<double>& a, const Buffer<double>& b) {
        OK(cudaMemset(s.p, 0, 8));
        dot<<<132, 256>>>(a.p, b.p, s.p, n);
        return s.host()[0];
    };
    rr = value(r, r);
    for (int i = 0; i < 3; ++i) {
        multiply<<<blocks, 256>>>(R.p, C.p, V.p, p.p, q.p, n);
        const double a = rr / value(p, q);
        axpy<<<blocks, 256>>>(a, p.p, x.p, n);
        axpy<<<blocks, 256>>>(-a, q.p, r.p, n);
        const double now = value(r, r);
        direction<<<blocks, 256>>>(now / rr, r.p, p.p, n);
        rr = now;
    }
    // the residual that the recursion carries is that of x
    const auto X = x.host();
    double norm = 0;
    for (int i = 0; i < n; ++i) {
        double b = 1;
        for (int k = row[i]; k < row[i + 1]; ++k) b -= val[k] * X[col[k]];
        norm += b * b;
    }
    return finish(near(norm, rr, 1e-9) && norm < 0.25 * n, "cg");
}
