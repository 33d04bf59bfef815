// Random numbers: the area of a circle, and an option's price along paths, in single and double precision.
#include "app.cuh"
__device__ unsigned next(unsigned& s) { s ^= s << 13; s ^= s >> 17; s ^= s << 5; return s; }
__global__ void circle(unsigned* hits, int trials) {
    unsigned s = 747796405u * (blockIdx.x * blockDim.x + threadIdx.x) + 2891336453u, mine = 0;
    for (int i = 0; i < trials; ++i) {
        const float x = next(s) * 2.3283064e-10f, y = next(s) * 2.3283064e-10f;
        mine += x * x + y * y < 1.0f;
    }
    mine = __reduce_add_sync(~0u, mine);
    if (threadIdx.x % 32 == 0) atomicAdd(hits, mine);
}
template <class T>
__global__ void option(T* payoff, int steps, T drift, T spread) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned s = 1664525u * i + 1013904223u;
    T price = 100;
    for (int k = 0; k < steps; ++k) {
        const float u = (next(s) + 1.0f) * 2.328306e-10f, v = next(s) * 2.3283064e-10f;
        const T z = T(sqrtf(-2 * __logf(u)) * __cosf(6.2831853f * v));
        price *= exp(drift + spread * z);
    }
    payoff[i] = price > 100 ? price - 100 : T(0);
}
int main() {
    const int n = 1 << 16;
    Buffer<unsigned> H(1);
    Buffer<float> F(n);
    Buffer<double> G(n);
    circle<<<256, 256>>>(H.p, 400);
    option<float><<<n / 128, 128>>>(F.p, 32, -0.0001f, 0.02f);
    option<double><<<n / 128, 128>>>(G.p, 16, -0.0001, 0.02);
    const double area = 4.0 * H.host()[0] / (double(n) * 400);
    double a = 0, b = 0;
    for (float v : F.host()) a += v / n;
    for (double v : G.host()) b += v / n;
    // a call at the money: about 0.4 * 100 * spread * sqrt(steps)
    return finish(std::fabs(area - M_PI) < 0.01 && std::fabs(a - 4.3) < 0.5 && std::fabs(b - 3.1) < 0.5, "monte_carlo");
}
