// What blocks hand to one another through L2: a flag that goes from block to block, look-back scans without data, locks,
// and gathers beside one counter.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -o handoffs validate/microbench/handoffs/handoffs.cu
//   handoffs > validate/data/h200_sxm_handoffs.csv          median of nine launches, memory as at first; seconds
//
// kernel,blocks,threads,p1,p2,time_us
//   relay_...     block b waits for its flag, p1 apart (words), and sets that of b + 1
//   look_back     tiles of no data, in the order in which blocks come: p1 cycles of work, p2 bytes of values
//   lock          each thread adds to the two words of a hashed one of p1 buckets, under its lock
//   gather_count  each warp loads p1 lines at random of 8 MiB and counts one word up; p2 = 1: it waits for its value
#include <cuda_runtime.h>

#include <cstdio>

#include "../standalone.cuh"

namespace {

constexpr int apart = 32;

__global__ void relay_volatile(volatile int* flags) {
    if (threadIdx.x == 0) {
        while (blockIdx.x > 0 && flags[blockIdx.x * apart] == 0) {
        }
        flags[(blockIdx.x + 1) * apart] = 1;
    }
}

// With a value that is there before the flag is.
__global__ void relay_fence(volatile int* flags) {
    if (threadIdx.x == 0) {
        int value = 1;
        while (blockIdx.x > 0 && flags[blockIdx.x * apart] == 0) {
        }
        __threadfence();
        value += flags[blockIdx.x * apart + 8];
        flags[(blockIdx.x + 1) * apart + 8] = value;
        __threadfence();
        flags[(blockIdx.x + 1) * apart] = 1;
    }
}

__global__ void relay_acquire(int* flags) {
    if (threadIdx.x == 0) {
        int seen = blockIdx.x == 0;
        while (seen == 0) {
            asm volatile("ld.acquire.gpu.b32 %0, [%1];" : "=r"(seen) : "l"(flags + blockIdx.x * apart) : "memory");
        }
        asm volatile("st.release.gpu.b32 [%0], %1;" ::"l"(flags + (blockIdx.x + 1) * apart), "r"(1) : "memory");
    }
}

__global__ void relay_atomic(int* flags) {
    if (threadIdx.x == 0) {
        while (blockIdx.x > 0 && atomicAdd(flags + blockIdx.x * apart, 0) == 0) {
        }
        atomicExch(flags + (blockIdx.x + 1) * apart, 1);
    }
}

// All threads of the block behind it wait at a barrier.
__global__ void relay_barrier(volatile int* flags) {
    if (threadIdx.x == 0) {
        while (blockIdx.x > 0 && flags[blockIdx.x * apart] == 0) {
        }
    }
    __syncthreads();
    if (threadIdx.x == blockDim.x - 1) {
        flags[(blockIdx.x + 1) * apart] = 1;
    }
}

// States of tiles: 0, (1, sum of the tile), (2, sum of all up to it), as one word of 64 bits.
__global__ void look_back(unsigned long long* states, unsigned* next, unsigned* sums, int work) {
    __shared__ unsigned shared_tile, shared_before;
    if (threadIdx.x == 0) {
        shared_tile = atomicAdd(next, 1U);
    }
    __syncthreads();
    const int tile = static_cast<int>(shared_tile);
    unsigned sum = 1;
    for (int i = 0; i < work; ++i) {
        sum = sum * 5 % 1021 + 1;
    }
    if (threadIdx.x < 32) {
        volatile unsigned long long* all = states;
        if (threadIdx.x == 0) {
            all[tile] = (tile == 0 ? 2ULL : 1ULL) << 32U | sum;
        }
        unsigned before = 0;
        for (int at = tile - 1 - static_cast<int>(threadIdx.x); tile > 0; at -= 32) {
            unsigned long long state = 2ULL << 32U;
            if (at >= 0) {
                do {
                    state = all[at];
                } while (state >> 32U == 0);
            }
            const unsigned whole = __ballot_sync(~0U, state >> 32U == 2);
            const int first = whole == 0 ? 31 : __ffs(static_cast<int>(whole)) - 1;
            before += __reduce_add_sync(~0U, static_cast<int>(threadIdx.x) <= first ? static_cast<unsigned>(state) : 0U);
            if (whole != 0) {
                break;
            }
        }
        if (threadIdx.x == 0) {
            if (tile > 0) {
                all[tile] = 2ULL << 32U | (sum + before);
            }
            shared_before = before;
        }
    }
    __syncthreads();
    sums[tile * blockDim.x + threadIdx.x] = shared_before + sum;
}

__global__ void lock(int threads, unsigned buckets, int* locks, float* sums) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= threads) return;
    const unsigned bucket = hash(i) % buckets;
    bool done = false;
    while (!done) {
        if (atomicCAS(&locks[bucket], 0, 1) == 0) {
            __threadfence();
            volatile float* at = sums + bucket * 2;
            at[0] = at[0] + 1.0F;
            at[1] = at[1] + static_cast<float>(i % 7);
            __threadfence();
            atomicExch(&locks[bucket], 0);
            done = true;
        }
    }
}

__global__ void gather_count(const unsigned* words, unsigned* counter, unsigned* out, int loads, bool waits) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned sum = 0;
    for (int k = 0; k < loads; ++k) {
        sum += words[hash(i * 16 + k) & ((8U << 20) / 4 - 1)];
    }
    const int found = __popc(__ballot_sync(~0U, (sum & 3U) != 3U));
    unsigned at = 0;
    if (i % 32 == 0) {
        if (waits) {
            at = atomicAdd(counter, found);
        } else {
            atomicAdd(counter, found);
        }
    }
    if (waits) {
        at = __shfl_sync(~0U, at, 0);
        out[(at + i % 32) & 0xfffffU] = i;
    } else if (sum == 0x12345678U) {
        out[i] = sum;
    }
}

char* memory = nullptr;

// With all memory zero, which is not timed.
template <class Launch>
void row(const char* name, int blocks, int threads, long p1, long p2, Launch launch) {
    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin));
    check(cudaEventCreate(&end));
    std::vector<float> times;
    for (int r = 0; r < 9; ++r) {
        check(cudaMemset(memory, 0, 40U << 20));
        check(cudaEventRecord(begin));
        launch();
        check(cudaEventRecord(end));
        check(cudaEventSynchronize(end));
        float ms = 0;
        check(cudaEventElapsedTime(&ms, begin, end));
        times.push_back(1000 * ms);
    }
    std::sort(times.begin(), times.end());
    std::printf("%s,%d,%d,%ld,%ld,%.2f\n", name, blocks, threads, p1, p2, times[times.size() / 2]);
    std::fflush(stdout);
}

}  // namespace

int main() {
    cudaDeviceProp gpu{};
    check(cudaGetDeviceProperties(&gpu, 0));
    check(cudaMalloc(&memory, 40U << 20));
    std::printf("# gpu: %s\nkernel,blocks,threads,p1,p2,time_us\n", gpu.name);
    auto* flags = reinterpret_cast<int*>(memory);
    auto* words = reinterpret_cast<unsigned*>(memory);
    auto* far_words = reinterpret_cast<unsigned*>(memory + (16U << 20));
    for (int blocks : {1, 33, 132}) {
        row("relay_volatile", blocks, 32, apart, 0, [&] { relay_volatile<<<blocks, 32>>>(flags); });
        row("relay_fence", blocks, 32, apart, 0, [&] { relay_fence<<<blocks, 32>>>(flags); });
        row("relay_acquire", blocks, 32, apart, 0, [&] { relay_acquire<<<blocks, 32>>>(flags); });
        row("relay_atomic", blocks, 32, apart, 0, [&] { relay_atomic<<<blocks, 32>>>(flags); });
        row("relay_barrier", blocks, 256, apart, 0, [&] { relay_barrier<<<blocks, 256>>>(flags); });
    }
    for (int threads : {128, 256, 512}) {
        for (int blocks : {132, 528, 2112, 8448}) {
            for (int work : {0, 100}) {
                row("look_back", blocks, threads, work, 8, [&] {
                    look_back<<<blocks, threads>>>(reinterpret_cast<unsigned long long*>(memory) + 64, words, far_words, work);
                });
            }
        }
    }
    for (int threads : {16384, 65536}) {
        for (unsigned buckets : {64U, 1024U, 16384U, 262144U}) {
            row("lock", threads / 128, 128, buckets, 0, [&] {
                lock<<<threads / 128, 128>>>(threads, buckets, flags, reinterpret_cast<float*>(memory + (8U << 20)));
            });
        }
    }
    for (int blocks : {528, 2112, 8448}) {
        for (int loads : {0, 1, 4, 16}) {
            for (bool waits : {false, true}) {
                row("gather_count", blocks, 256, loads, waits, [&] {
                    gather_count<<<blocks, 256>>>(words, far_words + (1U << 21) - 64, far_words, loads, waits);
                });
            }
        }
    }
    return 0;
}
