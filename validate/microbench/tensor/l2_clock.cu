// Whether the L2 and the way to it keep a clock of their own: latency and bandwidth of L2 hits in cycles of
// the SM and in nanoseconds, at the SMs' full clock and while one warp elsewhere multiplies on tensor cores,
// which takes all SMs down. data/h100_sxm_l2_clock.csv.
//   nvcc -O3 -std=c++20 -arch=sm_90 -o l2_clock validate/microbench/tensor/l2_clock.cu && ./l2_clock
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <numeric>
#include <vector>

#define CHECK(x)                                                                           \
    do {                                                                                   \
        const cudaError_t status = (x);                                                    \
        if (status != cudaSuccess) {                                                       \
            std::fprintf(stderr, "%d %s: %s\n", __LINE__, #x, cudaGetErrorString(status)); \
            std::exit(1);                                                                  \
        }                                                                                  \
    } while (0)

__device__ unsigned long long nanoseconds() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)::"memory");
    return t;
}

// One warp multiplies until told to stop.
__global__ void multiply(volatile int* stop, float* out) {
    float c[4] = {};
    while (*stop == 0) {
        for (int i = 0; i < 64; ++i) {
            asm volatile(
                "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%4,%4}, "
                "{%0,%1,%2,%3};"
                : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                : "r"(0x3c003c00));
        }
    }
    out[threadIdx.x] = c[0] + c[1] + c[2] + c[3];
}

struct Reading {
    long long cycles;
    unsigned long long ns;
    unsigned last;
};

// `next` is a ring of lines in random order.
__global__ void chase(const unsigned* next, int steps, Reading* out) {
    unsigned at = 0;
    for (int i = 0; i < 20000; ++i) {
        at = __ldcg(next + at);
    }
    const auto t = nanoseconds();
    const long long c = clock64();
    for (int i = 0; i < steps; ++i) {
        at = __ldcg(next + at);
    }
    *out = {clock64() - c, nanoseconds() - t, at};
}

// Every block reads all of `data`, beginning elsewhere; of each block of SM 0's the reading is kept.
__global__ void __launch_bounds__(512) stream(const uint4* data, unsigned mask, int passes, Reading* out) {
    const auto t = nanoseconds();
    const long long c = clock64();
    unsigned sum = 0, at = (blockIdx.x * 7919u * 512u + threadIdx.x) & mask;
    const int count = passes * int((mask + 1) / 512);
    for (int i = 0; i < count; i += 8) {
        uint4 v[8];
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            v[k] = __ldcg(data + ((at + k * 512u) & mask));
        }
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            sum += v[k].x ^ v[k].y ^ v[k].z ^ v[k].w;
        }
        at = (at + 8 * 512u) & mask;
    }
    if (threadIdx.x == 0) {
        out[blockIdx.x] = {clock64() - c, nanoseconds() - t, sum};
    }
}

int main() {
    cudaStream_t work, beside;
    CHECK(cudaStreamCreateWithFlags(&work, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&beside, cudaStreamNonBlocking));
    volatile int* stop;
    float* sums;
    Reading* out;
    CHECK(cudaMallocHost((void**)&stop, 4));
    CHECK(cudaMalloc(&sums, 128));
    CHECK(cudaMallocManaged(&out, 4096 * sizeof(Reading)));
    std::printf("kind,bytes,blocks,tensor,round,cycles,ns,mhz,per_what,cycles_each,ns_each\n");
    const auto beginning = [&](bool tensor) {
        *stop = tensor ? 0 : 1;
        if (tensor) {
            multiply<<<1, 32, 0, beside>>>(stop, sums);
        }
        const timespec rest = {0, 30000000};
        nanosleep(&rest, nullptr);
    };
    const auto ending = [&] {
        CHECK(cudaStreamSynchronize(work));
        *stop = 1;
        CHECK(cudaDeviceSynchronize());
    };
    for (const int mib : {1, 8}) {
        const unsigned lines = unsigned(mib) << 13;  // of 128 bytes
        std::vector<unsigned> order(lines), next(lines * 32);
        std::iota(order.begin(), order.end(), 0u);
        unsigned seed = 1;
        for (unsigned i = lines - 1; i > 0; --i) {
            seed = seed * 1664525u + 1013904223u;
            std::swap(order[i], order[(seed >> 8) % (i + 1)]);
        }
        for (unsigned i = 0; i < lines; ++i) {
            next[order[i] * 32] = order[(i + 1) % lines] * 32;
        }
        unsigned* ring;
        CHECK(cudaMalloc(&ring, next.size() * 4));
        CHECK(cudaMemcpy(ring, next.data(), next.size() * 4, cudaMemcpyHostToDevice));
        for (int round = 0; round < 3; ++round) {
            for (const bool tensor : {false, true}) {
                beginning(tensor);
                constexpr int steps = 100000;
                chase<<<1, 1, 0, work>>>(ring, steps, out);
                ending();
                std::printf("latency,%d,1,%d,%d,%lld,%llu,%.0f,load,%.1f,%.2f\n", mib << 20, tensor, round,
                            out->cycles, out->ns, 1e3 * double(out->cycles) / double(out->ns),
                            double(out->cycles) / steps, double(out->ns) / steps);
            }
        }
        CHECK(cudaFree(ring));
        uint4* data;
        CHECK(cudaMalloc(&data, size_t(mib) << 20));
        CHECK(cudaMemset(data, 1, size_t(mib) << 20));
        for (const int blocks : {131, 33, 4}) {
            for (int round = 0; round < 3; ++round) {
                for (const bool tensor : {false, true}) {
                    beginning(tensor);
                    const int passes = 256 / mib;
                    stream<<<blocks, 512, 0, work>>>(data, (unsigned(mib) << 16) - 1, passes, out);
                    ending();
                    std::vector<Reading> all(out, out + blocks);
                    std::nth_element(all.begin(), all.begin() + blocks / 2, all.end(),
                                     [](const Reading& a, const Reading& b) { return a.ns < b.ns; });
                    const auto& r = all[blocks / 2];
                    const double bytes = double(passes) * mib * 1048576.0;
                    std::printf("bandwidth,%d,%d,%d,%d,%lld,%llu,%.0f,byte of an SM,%.5f,%.6f\n", mib << 20,
                                blocks, tensor, round, r.cycles, r.ns, 1e3 * double(r.cycles) / double(r.ns),
                                double(r.cycles) / bytes, double(r.ns) / bytes);
                }
            }
        }
        CHECK(cudaFree(data));
    }
}
