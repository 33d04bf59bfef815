// How long a warp's accesses take that wait for one another, alone and beside others: trips to L2 of one lane and of all,
// fences behind stores.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -o trips validate/microbench/handoffs/trips.cu
//   trips > validate/data/h200_sxm_trips.csv          median of nine launches; seconds
//
// operation,lanes,warps,blocks,cycles
//   cycles   of a warp's operation, of 32 in a row: the mean of all warps. Each lane has a word of its own, which a hash
//            picks anew each time, of 16 MiB.
//   again    the same word each time
// Loads, and additions, whose values nothing hangs on, are not waited for: their rows are rates.
#include <cuda_runtime.h>

#include <cstdio>

#include "../standalone.cuh"

namespace {

constexpr int times = 32;
constexpr unsigned words = 4U << 20;

enum class Op { load, load_again, cas, cas_again, add, exch, store_fence, load_fence, fence, stores_fence };

template <Op OP>
__global__ void trips(unsigned* data, int lanes, unsigned long long* cycles) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const bool mine = static_cast<int>(threadIdx.x % 32) < lanes;
    unsigned sum = 0;
    for (int warm = 0; warm < 2; ++warm) {
        __syncthreads();
        const long long begin = clock64();
        for (int t = 0; t < times; ++t) {
            const bool again = OP == Op::load_again || OP == Op::cas_again;
            volatile unsigned* at = data + (hash(i * 64 + (again ? 0 : t) + sum % 2) & (words - 1));
            if (mine) {
                if (OP == Op::load || OP == Op::load_again || OP == Op::load_fence) sum += *at;
                if (OP == Op::cas || OP == Op::cas_again) sum += atomicCAS(const_cast<unsigned*>(at), 2U, 4U);
                if (OP == Op::add) sum += atomicAdd(const_cast<unsigned*>(at), 2U);
                if (OP == Op::exch) sum += atomicExch(const_cast<unsigned*>(at), 2U);
                if (OP == Op::store_fence) *at = 2;
                if (OP == Op::stores_fence) {
                    for (int k = 0; k < 4; ++k) data[hash(i * 64 + t + k * 32) & (words - 1)] = 2;
                }
                if (OP == Op::store_fence || OP == Op::load_fence || OP == Op::fence || OP == Op::stores_fence) __threadfence();
            }
            sum = sum / 2 * 2;
            __syncwarp();
        }
        const long long end = clock64();
        if (threadIdx.x % 32 == 0 && warm == 1) {
            atomicAdd(cycles, static_cast<unsigned long long>(end - begin));
        }
    }
    if (sum == 0x12345679U) data[0] = sum;
}

struct Kernel {
    const char* name;
    void (*kernel)(unsigned*, int, unsigned long long*);
};

}  // namespace

int main() {
    cudaDeviceProp gpu{};
    check(cudaGetDeviceProperties(&gpu, 0));
    unsigned* data = nullptr;
    unsigned long long* cycles = nullptr;
    check(cudaMalloc(&data, words * 4));
    check(cudaMalloc(&cycles, 8));
    check(cudaMemset(data, 0, words * 4));
    std::printf("# gpu: %s\noperation,lanes,warps,blocks,cycles\n", gpu.name);
    const Kernel kernels[] = {{"load", trips<Op::load>},
                              {"load_again", trips<Op::load_again>},
                              {"cas", trips<Op::cas>},
                              {"cas_again", trips<Op::cas_again>},
                              {"add", trips<Op::add>},
                              {"exch", trips<Op::exch>},
                              {"store_fence", trips<Op::store_fence>},
                              {"stores_fence", trips<Op::stores_fence>},
                              {"load_fence", trips<Op::load_fence>},
                              {"fence", trips<Op::fence>}};
    for (const auto& k : kernels) {
        for (int blocks : {1, 132}) {
            for (int warps : {1, 4, 16, 32}) {
                for (int lanes : {1, 4, 32}) {
                    std::vector<double> all;
                    for (int r = 0; r < 9; ++r) {
                        unsigned long long sum = 0;
                        check(cudaMemset(cycles, 0, 8));
                        k.kernel<<<blocks, warps * 32>>>(data, lanes, cycles);
                        check(cudaMemcpy(&sum, cycles, 8, cudaMemcpyDeviceToHost));
                        all.push_back(static_cast<double>(sum) / (blocks * warps * times));
                    }
                    std::sort(all.begin(), all.end());
                    std::printf("%s,%d,%d,%d,%.1f\n", k.name, lanes, warps, blocks, all[all.size() / 2]);
                }
            }
        }
    }
    return 0;
}
