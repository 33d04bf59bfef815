// Which SMs slow down when some of them multiply on tensor cores: the clock of every SM, by its cycle counter
// against nanoseconds over a millisecond, after three, while the first `multiplying` blocks of the same
// launch multiply and the others count. data/h100_sxm_gpc_clock.csv.
//   nvcc -O3 -std=c++20 -arch=sm_90 -o gpc_clock validate/microbench/tensor/gpc_clock.cu && ./gpc_clock
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(x)                                                                           \
    do {                                                                                   \
        const cudaError_t status = (x);                                                    \
        if (status != cudaSuccess) {                                                       \
            std::fprintf(stderr, "%d %s: %s\n", __LINE__, #x, cudaGetErrorString(status)); \
            std::exit(1);                                                                  \
        }                                                                                  \
    } while (0)

struct Reading {
    long long cycles;
    unsigned long long ns;
    unsigned sm;
    float sum;
};

// One block per SM: it asks for nearly all of the shared memory.
__global__ void clocks(Reading* out, int multiplying, unsigned long long warm_ns, unsigned long long ns) {
    float c[4] = {};
    unsigned long long t0, t1, t2;
    long long c1 = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0)::"memory");
    t1 = t0;
    do {
        if (static_cast<int>(blockIdx.x) < multiplying) {
            for (int i = 0; i < 16; ++i) {
                asm volatile(
                    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, "
                    "{%4,%4}, "
                    "{%0,%1,%2,%3};"
                    : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                    : "r"(0x3c003c00));
            }
        }
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t2)::"memory");
        if (c1 == 0 && t2 - t0 >= warm_ns) {
            c1 = clock64();
            t1 = t2;
        }
    } while (t2 - t0 < warm_ns + ns);
    if (threadIdx.x == 0) {
        unsigned sm;
        asm("mov.u32 %0, %%smid;" : "=r"(sm));
        out[blockIdx.x] = {clock64() - c1, t2 - t1, sm, c[0] + c[1] + c[2] + c[3]};
    }
}

int main() {
    Reading* out;
    CHECK(cudaMallocManaged(&out, 256 * sizeof(Reading)));
    CHECK(cudaFuncSetAttribute(clocks, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10));
    int sms = 0;
    CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    std::printf("multiplying,round,block,sm,mhz\n");
    for (const int multiplying : {0, 1, 4, 16, sms}) {
        for (int round = 0; round < 2; ++round) {
            clocks<<<sms, 32, 200 << 10>>>(out, multiplying, 3000000, 1000000);
            CHECK(cudaDeviceSynchronize());
            for (int block = 0; block < sms; ++block) {
                std::printf("%d,%d,%d,%u,%.0f\n", multiplying, round, block, out[block].sm,
                            1e3 * double(out[block].cycles) / double(out[block].ns));
            }
        }
    }
}
