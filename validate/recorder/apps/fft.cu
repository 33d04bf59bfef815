// Fourier transform of 2^16 complex numbers: Stockham, radix 4, one launch a stage.
#include "app.cuh"
__device__ float2 mul(float2 a, float2 b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
__global__ void stage(const float2* in, float2* out, int n, int ns) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x, q = n / 4, k = j % ns;
    float2 v[4];
    const float angle = -6.2831853f * k / (4 * ns);
    for (int r = 0; r < 4; ++r) {
        float s, c;
        sincosf(angle * r, &s, &c);
        v[r] = mul(in[j + r * q], make_float2(c, s));
    }
    const float2 a = make_float2(v[0].x + v[2].x, v[0].y + v[2].y), b = make_float2(v[0].x - v[2].x, v[0].y - v[2].y);
    const float2 c = make_float2(v[1].x + v[3].x, v[1].y + v[3].y), d = make_float2(v[1].y - v[3].y, v[3].x - v[1].x);
    const int o = (j / ns) * ns * 4 + k;
    out[o] = make_float2(a.x + c.x, a.y + c.y);
    out[o + ns] = make_float2(b.x + d.x, b.y + d.y);
    out[o + 2 * ns] = make_float2(a.x - c.x, a.y - c.y);
    out[o + 3 * ns] = make_float2(b.x - d.x, b.y - d.y);
}
int main() {
    const int n = 1 << 16;
    Random random(6);
    std::vector<float2> x(n);
    for (auto& v : x) v = make_float2(random.unit() - 0.5f, random.unit() - 0.5f);
    Buffer<float2> a(x), b(n);
    float2 *from = a.p, *to = b.p;
    for (int ns = 1; ns < n; ns *= 4) {
        stage<<<n / 4 / 128, 128>>>(from, to, n, ns);
        float2* t = from; from = to; to = t;
    }
    std::vector<float2> got(n);
    OK(cudaMemcpy(got.data(), from, n * sizeof(float2), cudaMemcpyDeviceToHost));
    bool right = true;
    for (int k = 1; k < n; k += 4099) {
        double re = 0, im = 0;
        for (int i = 0; i < n; ++i) { const double t = -2 * M_PI * ((1ll * i * k) % n) / n; re += x[i].x * std::cos(t) - x[i].y * std::sin(t); im += x[i].x * std::sin(t) + x[i].y * std::cos(t); }
        right = right && std::fabs(re - got[k].x) < 0.05 && std::fabs(im - got[k].y) < 0.05;
    }
    return finish(right, "fft");
}
