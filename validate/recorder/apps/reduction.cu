// The sum of a vector in four ways.
#include "app.cuh"
__global__ void all_atomic(const int* in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(out, in[i]);
}
__global__ void tree(const int* in, int* out, int n) {
    extern __shared__ int s[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = i < n ? in[i] : 0;
    for (int k = blockDim.x / 2; k > 0; k /= 2) {
        __syncthreads();
        if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
    }
    if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}
__global__ void wide(const int4* in, int* out, int n) {
    int s = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) { const int4 v = in[i]; s += v.x + v.y + v.z + v.w; }
    s = __reduce_add_sync(~0u, s);
    if (threadIdx.x % 32 == 0) atomicAdd(out, s);
}
int main() {
    const int n = 2000000;
    Random random(9);
    std::vector<int> in(n);
    int want = 0;
    for (auto& v : in) want += v = random.below(100);
    Buffer<int> I(in), A(1), P(n / 256 + 1), Q(64), B(1), W(1);
    all_atomic<<<(n + 255) / 256, 256>>>(I.p, A.p, n);
    const int first = (n + 255) / 256, second = (first + 511) / 512;
    tree<<<first, 256, 1024>>>(I.p, P.p, n);
    tree<<<second, 512, 2048>>>(P.p, Q.p, first);
    tree<<<1, 32, 128>>>(Q.p, B.p, second);
    wide<<<528, 256>>>(reinterpret_cast<const int4*>(I.p), W.p, n / 4);
    return finish(A.host()[0] == want && B.host()[0] == want && W.host()[0] == want, "reduction");
}
