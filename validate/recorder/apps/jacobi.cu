// Heat in a plate: Jacobi sweeps over a 5-point stencil, and the largest change by a block reduction.
#include "app.cuh"
__global__ void sweep(const float* u, float* v, int w, int h) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
    v[y * w + x] = 0.25f * (u[y * w + x - 1] + u[y * w + x + 1] + u[(y - 1) * w + x] + u[(y + 1) * w + x]);
}
__global__ void sweep_shared(const float* u, float* v, int w, int h) {
    __shared__ float t[18][34];
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    for (int j = threadIdx.y; j < 18; j += 16)
        for (int i = threadIdx.x; i < 34; i += 32) {
            const int gx = min(max(int(blockIdx.x * 32) + i - 1, 0), w - 1), gy = min(max(int(blockIdx.y * 16) + j - 1, 0), h - 1);
            t[j][i] = u[gy * w + gx];
        }
    __syncthreads();
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
    const int i = threadIdx.x + 1, j = threadIdx.y + 1;
    v[y * w + x] = 0.25f * (t[j][i - 1] + t[j][i + 1] + t[j - 1][i] + t[j + 1][i]);
}
__global__ void change(const float* u, const float* v, unsigned* most, int n) {
    __shared__ float s[256];
    float m = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) m = fmaxf(m, fabsf(u[i] - v[i]));
    s[threadIdx.x] = m;
    for (int k = 128; k > 0; k /= 2) {
        __syncthreads();
        if (threadIdx.x < k) s[threadIdx.x] = fmaxf(s[threadIdx.x], s[threadIdx.x + k]);
    }
    if (threadIdx.x == 0) atomicMax(most, __float_as_uint(s[0]));
}
int main() {
    const int w = 1500, h = 1100;
    std::vector<float> a(w * h, 0.0f);
    for (int x = 0; x < w; ++x) a[x] = 1.0f;
    Buffer<float> u(a), v(a);
    Buffer<unsigned> most(1);
    for (int i = 0; i < 3; ++i) {
        sweep<<<dim3((w + 63) / 64, (h + 3) / 4), dim3(64, 4)>>>(u.p, v.p, w, h);
        sweep_shared<<<dim3((w + 31) / 32, (h + 15) / 16), dim3(32, 16)>>>(v.p, u.p, w, h);
    }
    change<<<264, 256>>>(u.p, v.p, most.p, w * h);
    std::vector<float> b = a;
    float m = 0;
    for (int i = 0; i < 6; ++i) {
        std::vector<float> c = b;
        for (int y = 1; y < h - 1; ++y)
            for (int x = 1; x < w - 1; ++x)
                c[y * w + x] = 0.25f * (b[y * w + x - 1] + b[y * w + x + 1] + b[(y - 1) * w + x] + b[(y + 1) * w + x]);
        if (i == 5) for (int k = 0; k < w * h; ++k) m = fmaxf(m, fabsf(b[k] - c[k]));
        b = c;
    }
    const auto got = u.host();
    bool right = true;
    for (int k = 0; k < w * h; ++k) right = right && near(got[k], b[k], 1e-5);
    const unsigned bits = most.host()[0];
    return finish(right && near(*reinterpret_cast<const float*>(&bits), m, 1e-5), "jacobi");
}
