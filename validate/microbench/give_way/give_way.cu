// Which of a warp's diverged lanes goes on when: lanes that take turns at a lock, that lose compare-and-swaps, or that wait
// for a flag which a lane of the same warp sets behind its loop. One warp; what each lane saw.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -o give_way validate/microbench/give_way/give_way.cu
//   give_way > validate/data/h200_sxm_give_way.csv          the second launch of each; a second
//
// kernel,lanes_per_word,reads,lane,tries,mask,inside,took,left
//   lanes_per_word   so many neighbours want the same word
//   tries            of the lane, the last one included
//   mask, inside     lanes that were active behind its last try; at the end of what the lock guards
//   took, left       SM cycles since lane 0 began, of the last try's end and of the lock's release
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

#include "../standalone.cuh"

namespace {

struct Row {
    int tries;
    unsigned mask, inside;
    int took, left, began;
};
constexpr int apart = 32, lanes = 32;  // words, lanes

__device__ __forceinline__ int now() {
    int cycles;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(cycles)::"memory");
    return cycles;
}

enum class Form { fences, plain, sleeps };

template <Form FORM>
__global__ void lock(int* locks, int lanes_per_word, int reads, volatile int* data, Row* rows) {
    const int lane = threadIdx.x;
    int* mine = locks + lane / lanes_per_word * apart;
    volatile int* at = data + lane / lanes_per_word * apart;
    Row row{};
    row.began = now();
    bool done = false;
    while (!done) {
        ++row.tries;
        if (atomicCAS(mine, 0, 1) == 0) {
            row.mask = __activemask();
            row.took = now();
            if (FORM != Form::plain) __threadfence();
            for (int i = 0; i < reads; ++i) *at = *at + 1;
            if (FORM != Form::plain) __threadfence();
            row.inside = __activemask();
            atomicExch(mine, 0);
            row.left = now();
            done = true;
        } else if (FORM == Form::sleeps) {
            __nanosleep(32);
        }
    }
    rows[lane] = row;
}

// Nobody holds anything: who loses tries again with what was there.
template <bool STORES>
__global__ void swaps(int* words, int lanes_per_word, int* out, Row* rows) {
    const int lane = threadIdx.x;
    int* mine = words + lane / lanes_per_word * apart;
    Row row{};
    row.began = now();
    int old = *static_cast<volatile int*>(mine), seen;
    do {
        seen = old;
        ++row.tries;
        old = atomicCAS(mine, seen, seen * 3 + 1);
    } while (old != seen);
    if (STORES) out[lane * apart] = old;
    row.mask = __activemask();
    row.took = now();
    rows[lane] = row;
}

__global__ void flag(volatile int* flags, int lanes_per_word, Row* rows) {
    const int lane = threadIdx.x;
    Row row{};
    row.began = now();
    if (lane % lanes_per_word != 0) {
        while (flags[(lane - 1) * apart] == 0) ++row.tries;
    }
    row.mask = __activemask();
    row.took = now();
    flags[lane * apart] = 1;
    rows[lane] = row;
}

constexpr std::size_t bytes = 1 << 20;

struct Memory {
    int *words = nullptr, *data = nullptr;
    Row* rows = nullptr;
};

template <class Launch>
void measure(const char* name, int lanes_per_word, int reads, const Memory& memory, Launch launch) {
    for (int again = 0; again < 2; ++again) {
        check(cudaMemset(memory.words, 0, bytes));
        check(cudaMemset(memory.data, 0, bytes));
        launch();
        check(cudaDeviceSynchronize());
    }
    std::vector<Row> rows(lanes);
    check(cudaMemcpy(rows.data(), memory.rows, lanes * sizeof(Row), cudaMemcpyDeviceToHost));
    for (int i = 0; i < lanes; ++i) {
        const auto& row = rows[i];
        std::printf("%s,%d,%d,%d,%d,%08x,%08x,%d,%d\n", name, lanes_per_word, reads, i, row.tries, row.mask, row.inside,
                    row.took - rows[0].began, row.left == 0 ? 0 : row.left - rows[0].began);
    }
}

}  // namespace

int main() {
    cudaDeviceProp gpu{};
    check(cudaGetDeviceProperties(&gpu, 0));
    std::printf("# gpu: %s\n", gpu.name);
    Memory m;
    check(cudaMalloc(&m.words, bytes));
    check(cudaMalloc(&m.data, bytes));
    check(cudaMalloc(&m.rows, bytes));
    std::printf("kernel,lanes_per_word,reads,lane,tries,mask,inside,took,left\n");
    for (const int per : {1, 2, 4, 32}) {
        for (const int reads : {0, 4}) {
            measure("lock_fence", per, reads, m, [&] { lock<Form::fences><<<1, lanes>>>(m.words, per, reads, m.data, m.rows); });
            measure("lock_plain", per, reads, m, [&] { lock<Form::plain><<<1, lanes>>>(m.words, per, reads, m.data, m.rows); });
            measure("lock_sleep", per, reads, m, [&] { lock<Form::sleeps><<<1, lanes>>>(m.words, per, reads, m.data, m.rows); });
        }
        measure("swaps", per, 0, m, [&] { swaps<false><<<1, lanes>>>(m.words, per, m.data, m.rows); });
        measure("swaps_store", per, 0, m, [&] { swaps<true><<<1, lanes>>>(m.words, per, m.data, m.rows); });
        if (per > 1) measure("flag", per, 0, m, [&] { flag<<<1, lanes>>>(m.words, per, m.rows); });
    }
    return 0;
}
