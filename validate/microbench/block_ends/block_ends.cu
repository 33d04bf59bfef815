// How long a block keeps its place on the SM behind its last instruction: stores, loads and atomics that are under way.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -o block_ends validate/microbench/block_ends/block_ends.cu
//   block_ends > validate/data/h200_sxm_block_ends.csv      medians of five launches; some seconds
//
// kind,count,warps,resident,issue,gap,round
//   `resident` blocks of `warps` warps at a time on each SM, 16 rounds of them; each block begins at a barrier, makes
//   `count` accesses a thread one behind the other and exits. Kinds: store32, store128 (a thread its word, or four, of a block's own lines),
//   store_apart (each lane a sector), red (atomics without result, each lane its word), red_same (a block one word), wait (loads
//   past L1, waited for).
//   All in cycles, medians over SMs and rounds: issue, from behind the barrier to the clock behind the last access of the
//   slowest warp; gap (resident = 1 only), from there to the next block's first clock on that SM; round, from a block's
//   begin to the next one's begin in its place (the launch's span divided by its rounds).
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "../standalone.cuh"

namespace {

enum Kind { store32, store128, store_apart, red, red_same, wait };
constexpr const char* names[] = {"store32", "store128", "store_apart", "red", "red_same", "wait"};
constexpr int rounds = 16;

struct Mark {
    unsigned sm;
    unsigned begin, end;
};

__device__ __forceinline__ unsigned now() {
    unsigned cycles;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(cycles)::"memory");
    return cycles;
}

template <Kind K>
__device__ __forceinline__ void access(char* at, int i, unsigned& sum) {
    if constexpr (K == store32 || K == store_apart) {
        asm volatile("st.global.u32 [%0], %1;" ::"l"(at), "r"(i) : "memory");
    } else if constexpr (K == store128) {
        asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(at), "r"(i) : "memory");
    } else if constexpr (K == red || K == red_same) {
        asm volatile("red.global.add.u32 [%0], %1;" ::"l"(at), "r"(i) : "memory");
    } else {
        unsigned got;
        asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(got) : "l"(at) : "memory");
        sum += got;
    }
}

template <Kind K, int Count>
__global__ void ends(Mark* marks, char* data, unsigned* out) {
    constexpr int lane_bytes = K == store128 ? 16 : K == store_apart ? 32 : 4;
    extern __shared__ char held[];
    const std::size_t block_bytes = static_cast<std::size_t>(Count > 0 ? Count : 1) * blockDim.x * lane_bytes;
    char* own = data + blockIdx.x * block_bytes % (std::size_t{1} << 26) + (K == red_same ? 0 : threadIdx.x * lane_bytes);
    const int step = K == red_same ? 0 : blockDim.x * lane_bytes;
    const unsigned first = now();
    __syncthreads();
    const unsigned begin = now();
    unsigned sum = 0;
#pragma unroll
    for (int i = 0; i < Count; ++i) access<K>(own + i * step, i, sum);
    if (K == wait && sum == 12345) out[0] = sum;
    const unsigned end = now();
    if (threadIdx.x % 32 == 0) {
        const int warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
        *reinterpret_cast<uint4*>(&marks[0].sm + 4 * warp) = make_uint4(sm_number(), first, begin, end);
    }
}

unsigned* marks = nullptr;
char* data = nullptr;
unsigned* out = nullptr;
int all_sms = 0;

unsigned median(std::vector<unsigned>& values) {
    if (values.empty()) return 0;
    std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
    return values[values.size() / 2];
}

struct Block {
    unsigned first, begin, end;
};

template <Kind K, int Count>
void measure(int warps, int resident) {
    const int shared = std::min(200, 224 / resident - 1) * 1024;
    check(cudaFuncSetAttribute(ends<K, Count>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    const int blocks = all_sms * resident * rounds;
    std::vector<unsigned> issue, gap, round;
    for (int r = 0; r < 6; ++r) {
        ends<K, Count><<<blocks, 32 * warps, shared>>>(reinterpret_cast<Mark*>(marks), data, out);
        check(cudaDeviceSynchronize());
        std::vector<unsigned> got(static_cast<std::size_t>(blocks) * warps * 4);
        check(cudaMemcpy(got.data(), marks, got.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
        if (r == 0) continue;
        std::vector<std::vector<Block>> of_sm(all_sms);
        for (int b = 0; b < blocks; ++b) {
            const unsigned* m = &got[static_cast<std::size_t>(b) * warps * 4];
            Block block{m[1], m[2], m[3]};
            for (int w = 1; w < warps; ++w) {
                if (static_cast<int>(m[4 * w + 3] - block.end) > 0) block.end = m[4 * w + 3];
                if (static_cast<int>(m[4 * w + 1] - block.first) < 0) block.first = m[4 * w + 1];
            }
            of_sm[m[0]].push_back(block);
        }
        for (auto& sm : of_sm) {
            if (sm.size() < 3) continue;
            std::sort(sm.begin(), sm.end(), [](const Block& a, const Block& b) { return static_cast<int>(a.first - b.first) < 0; });
            for (std::size_t i = 1; i < sm.size(); ++i) {
                issue.push_back(sm[i].end - sm[i].begin);
                if (resident == 1) gap.push_back(sm[i].first - sm[i - 1].end);
            }
            round.push_back((sm.back().first - sm.front().first) * resident / (sm.size() - 1));
        }
    }
    std::printf("%s,%d,%d,%d,%u,%u,%u\n", names[K], Count, warps, resident, median(issue), median(gap), median(round));
    std::fflush(stdout);
}

template <Kind K, int Count>
void places() {
    for (const int warps : {1, 8, 16, 32}) {
        measure<K, Count>(warps, 1);
        measure<K, Count>(warps, warps == 32 ? 2 : 4);
    }
    measure<K, Count>(8, 8);
}

template <Kind K>
void counts() {
    places<K, 1>();
    places<K, 2>();
    places<K, 4>();
    places<K, 8>();
    places<K, 16>();
}

}  // namespace

int main() {
    cudaDeviceProp gpu{};
    check(cudaGetDeviceProperties(&gpu, 0));
    all_sms = gpu.multiProcessorCount;
    check(cudaMalloc(&marks, sizeof(unsigned) * 4 * all_sms * 8 * rounds * 32));
    check(cudaMalloc(&data, (std::size_t{1} << 26) + (std::size_t{1} << 24)));
    check(cudaMalloc(&out, 64));
    check(cudaMemset(data, 0, std::size_t{1} << 26));
    std::printf("# gpu: %s\nkind,count,warps,resident,issue,gap,round\n", gpu.name);
    places<store32, 0>();
    counts<store32>();
    counts<store128>();
    counts<store_apart>();
    counts<red>();
    counts<red_same>();
    counts<wait>();
}
