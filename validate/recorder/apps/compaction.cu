// Prefix sums of flags in three launches, and the flagged elements side by side; a histogram of what is left.
#include "app.cuh"
__global__ void flags_and_sums(const int* in, int* place, int* sums, int n, int limit) {
    __shared__ int s[512];
    const int i = blockIdx.x * 512 + threadIdx.x;
    s[threadIdx.x] = i < n && in[i] < limit;
    for (int k = 1; k < 512; k *= 2) {
        __syncthreads();
        const int o = threadIdx.x >= k ? s[threadIdx.x - k] : 0;
        __syncthreads();
        s[threadIdx.x] += o;
    }
    if (i < n) place[i] = s[threadIdx.x];
    if (threadIdx.x == 511) sums[blockIdx.x] = s[511];
}
__global__ void scan_sums(int* sums, int n) {  // warps by shuffles
    __shared__ int w[32];
    int carry = 0;
    for (int base = 0; base < n; base += 1024) {
        const int i = base + threadIdx.x, mine = i < n ? sums[i] : 0;
        int s = mine;
        for (int k = 1; k < 32; k *= 2) { const int o = __shfl_up_sync(~0u, s, k); if (threadIdx.x % 32 >= k) s += o; }
        if (threadIdx.x % 32 == 31) w[threadIdx.x / 32] = s;
        __syncthreads();
        if (threadIdx.x < 32) { int t = w[threadIdx.x]; for (int k = 1; k < 32; k *= 2) { const int o = __shfl_up_sync(~0u, t, k); if (threadIdx.x >= k) t += o; } w[threadIdx.x] = t; }
        __syncthreads();
        if (threadIdx.x >= 32) s += w[threadIdx.x / 32 - 1];
        if (i < n) sums[i] = carry + s - mine;
        carry += w[31];
        __syncthreads();
    }
}
__global__ void move(const int* in, const int* place, const int* sums, int* out, int n, int limit) {
    const int i = blockIdx.x * 512 + threadIdx.x;
    if (i < n && in[i] < limit) out[sums[blockIdx.x] + place[i] - 1] = in[i];
}
__global__ void tally(const int* in, int* bins, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[in[i] & 63], 1);
}
int main() {
    const int n = 1000000, blocks = (n + 511) / 512, limit = 300;
    Random random(8);
    std::vector<int> in(n), want, bins(64);
    for (auto& v : in) { v = random.below(1000); if (v < limit) { want.push_back(v); ++bins[v & 63]; } }
    Buffer<int> I(in), P(n), S(blocks), O(n), B(64);
    flags_and_sums<<<blocks, 512>>>(I.p, P.p, S.p, n, limit);
    scan_sums<<<1, 1024>>>(S.p, blocks);
    move<<<blocks, 512>>>(I.p, P.p, S.p, O.p, n, limit);
    tally<<<132, 256>>>(O.p, B.p, int(want.size()));
    auto got = O.host();
    got.resize(want.size());
    return finish(got == want && B.host() == bins, "compaction");
}
