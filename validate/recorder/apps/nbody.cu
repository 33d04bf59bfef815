// Gravity between all pairs: tiles of bodies in shared memory, then a step in time.
#include "app.cuh"
__global__ void forces(const float4* p, float4* a, int n) {
    __shared__ float4 t[128];
    const int i = blockIdx.x * 128 + threadIdx.x;
    const float4 me = p[i];
    float x = 0, y = 0, z = 0;
    for (int j = 0; j < n; j += 128) {
        t[threadIdx.x] = p[j + threadIdx.x];
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < 128; ++k) {
            const float dx = t[k].x - me.x, dy = t[k].y - me.y, dz = t[k].z - me.z;
            const float r = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f), f = t[k].w * r * r * r;
            x += dx * f; y += dy * f; z += dz * f;
        }
        __syncthreads();
    }
    a[i] = make_float4(x, y, z, 0);
}
__global__ void step(float4* p, float4* v, const float4* a, float dt, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    v[i].x += dt * a[i].x; v[i].y += dt * a[i].y; v[i].z += dt * a[i].z;
    p[i].x += dt * v[i].x; p[i].y += dt * v[i].y; p[i].z += dt * v[i].z;
}
int main() {
    const int n = 8192;
    Random random(5);
    std::vector<float4> p(n);
    for (auto& b : p) b = make_float4(random.unit(), random.unit(), random.unit(), 1.0f / n);
    Buffer<float4> P(p), V(n), A(n);
    for (int i = 0; i < 2; ++i) {
        forces<<<n / 128, 128>>>(P.p, A.p, n);
        step<<<(n + 255) / 256, 256>>>(P.p, V.p, A.p, 0.001f, n);
    }
    const auto got = P.host();
    const auto force = [&](const std::vector<float4>& q, int i, double* f) {
        f[0] = f[1] = f[2] = 0;
        for (const auto& o : q) { const double d[3] = {o.x - q[i].x, o.y - q[i].y, o.z - q[i].z}, r = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 0.01; for (int c = 0; c < 3; ++c) f[c] += o.w * d[c] / (r * std::sqrt(r)); }
    };
    bool right = true;
    for (int i = 0; i < n; i += 997) {  // two steps with nearly the same force
        double f[3];
        force(p, i, f);
        right = right && std::fabs(got[i].x - p[i].x - 3e-6 * f[0]) < 1e-5 && std::fabs(got[i].y - p[i].y - 3e-6 * f[1]) < 1e-5;
    }
    return finish(right, "nbody");
}
