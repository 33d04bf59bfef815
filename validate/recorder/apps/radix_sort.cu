// Least significant digit radix sort, 4 bits a pass: counts by block, scan of the counts, stable scatter.
#include <algorithm>
#include "app.cuh"
constexpr int threads = 256, each = 8;
__global__ void count(const unsigned* keys, unsigned* counts, int n, int shift) {
    __shared__ unsigned c[16];
    if (threadIdx.x < 16) c[threadIdx.x] = 0;
    __syncthreads();
    for (int i = 0; i < each; ++i) {
        const int k = (blockIdx.x * each + i) * threads + threadIdx.x;
        if (k < n) atomicAdd(&c[(keys[k] >> shift) & 15], 1u);
    }
    __syncthreads();
    if (threadIdx.x < 16) counts[threadIdx.x * gridDim.x + blockIdx.x] = c[threadIdx.x];
}
__global__ void scan(unsigned* v, int n) {  // exclusive, by one block
    __shared__ unsigned s[1024];
    unsigned carry = 0;
    for (int base = 0; base < n; base += 1024) {
        const int i = base + threadIdx.x;
        const unsigned mine = i < n ? v[i] : 0;
        s[threadIdx.x] = mine;
        for (int k = 1; k < 1024; k *= 2) {
            __syncthreads();
            const unsigned other = threadIdx.x >= k ? s[threadIdx.x - k] : 0;
            __syncthreads();
            s[threadIdx.x] += other;
        }
        __syncthreads();
        if (i < n) v[i] = carry + s[threadIdx.x] - mine;
        carry += s[1023];
        __syncthreads();
    }
}
__global__ void scatter(const unsigned* keys, unsigned* out, const unsigned* starts, int n, int shift) {
    __shared__ unsigned at[16], warp_count[8][16];
    if (threadIdx.x < 16) at[threadIdx.x] = starts[threadIdx.x * gridDim.x + blockIdx.x];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int i = 0; i < each; ++i) {
        if (lane < 16) warp_count[warp][lane] = 0;
        __syncwarp();
        const int k = (blockIdx.x * each + i) * threads + threadIdx.x;
        const unsigned key = k < n ? keys[k] : 0, digit = k < n ? (key >> shift) & 15 : 16;
        const unsigned same = __match_any_sync(~0u, digit), before = __popc(same & ((1u << lane) - 1));
        if (digit < 16 && before == 0) warp_count[warp][digit] = __popc(same);
        __syncthreads();
        if (digit < 16) {
            unsigned place = at[digit] + before;
            for (int w = 0; w < warp; ++w) place += warp_count[w][digit];
            out[place] = key;
        }
        __syncthreads();
        if (threadIdx.x < 16) for (int w = 0; w < 8; ++w) at[threadIdx.x] += warp_count[w][threadIdx.x];
        __syncthreads();
    }
}
int main() {
    const int n = 300000, blocks = (n + threads * each - 1) / (threads * each);
    Random random(1);
    std::vector<unsigned> keys(n);
    for (auto& k : keys) k = random.below(4096);
    Buffer<unsigned> a(keys), b(n), counts(16 * blocks);
    for (int shift = 0; shift < 12; shift += 4) {
        count<<<blocks, threads>>>(a.p, counts.p, n, shift);
        scan<<<1, 1024>>>(counts.p, 16 * blocks);
        scatter<<<blocks, threads>>>(a.p, b.p, counts.p, n, shift);
        std::swap(a.p, b.p);
    }
    std::sort(keys.begin(), keys.end());
    return finish(a.host() == keys, "radix_sort");
}
