// What a warp group's products take from the clock: series of launches as the measured times are taken (an
// event behind each), with random, small and zero operands, and the SMs' clock meanwhile: a thread on a
// stream of its own notes %clock64 and %globaltimer every 3 us. data/h100_sxm_group_clock.csv.
//   nvcc -O3 -std=c++20 -gencode arch=compute_90a,code=sm_90a -I. validate/microbench/tensor/group_clock.cu \
//        -o group_clock && ./group_clock
// ./group_clock counting: two launches of each and nothing else, for a profiler
// (data/h100_sxm_group_counters.csv)
#include <cuda.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "validate/kernels/wgmma_tile.cuh"

using namespace gpumodel::kernels;

#define CHECK(x)                                                                           \
    do {                                                                                   \
        const cudaError_t status = (x);                                                    \
        if (status != cudaSuccess) {                                                       \
            std::fprintf(stderr, "%d %s: %s\n", __LINE__, #x, cudaGetErrorString(status)); \
            std::exit(1);                                                                  \
        }                                                                                  \
    } while (0)

__device__ unsigned mixed(unsigned i, unsigned seed) {
    unsigned x = i * 2654435761u + seed;
    x ^= x >> 16;
    x *= 2246822519u;
    return x ^ x >> 13;
}
// 0: zeros, 1: nine values from -1 to 1, 2: any of [-1, 1)
__global__ void fill(unsigned short* p, size_t n, unsigned seed, int data, bool bf16) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n;
         i += size_t(gridDim.x) * blockDim.x) {
        const unsigned x = mixed(unsigned(i), seed);
        const float value = data == 0   ? 0
                            : data == 1 ? int(x % 9) * 0.25f - 1
                                        : float(x) * (2.0f / 4294967296.0f) - 1;
        p[i] = bf16 ? static_cast<unsigned short>(__float_as_uint(value) >> 16)
                    : __half_as_ushort(__float2half(value));
    }
}
__global__ void watch(unsigned long long* out, int samples, volatile int* started) {
    for (int i = 0; i < samples; ++i) {
        unsigned long long t, c, now;
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)::"memory");
        asm volatile("mov.u64 %0, %%clock64;" : "=l"(c)::"memory");
        out[2 * i] = t;
        out[2 * i + 1] = c;
        if (i == 0) {
            *started = 1;
        }
        do {
            asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)::"memory");
        } while (now - t < 3000);
    }
}

using Encode = CUresult (*)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
                            const cuuint64_t*, const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave,
                            CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
CUtensorMap map_of(void* p, bool bf16, int rows, int columns, int box_rows) {
    void* f = nullptr;
    cudaDriverEntryPointQueryResult found;
    CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &f, 12000, cudaEnableDefault, &found));
    CUtensorMap map;
    const cuuint64_t sizes[2] = {cuuint64_t(columns), cuuint64_t(rows)},
                     strides[1] = {2 * cuuint64_t(columns)};
    const cuuint32_t box[2] = {64, cuuint32_t(box_rows)}, steps[2] = {1, 1};
    if (reinterpret_cast<Encode>(f)(
            &map, bf16 ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16 : CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, p, sizes,
            strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
            CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS) {
        std::fprintf(stderr, "no tensor map\n");
        std::exit(1);
    }
    return map;
}

struct Kernel {
    const char* name;
    const void* code;
    int bm, bn, bk, stages, threads;
    bool linear, persistent, bf16;
};

double mhz(const std::vector<unsigned long long>& s, size_t from, size_t to) {
    return from < to ? 1e3 * double(s[2 * to + 1] - s[2 * from + 1]) / double(s[2 * to] - s[2 * from]) : 0;
}

bool counting = false;

void series(const Kernel& k, int m, int n, int depth, int data, int launches) {
    static cudaStream_t work = nullptr, beside = nullptr;
    static unsigned long long* samples = nullptr;
    static volatile int* started = nullptr;
    constexpr int most = 20000;
    if (work == nullptr) {
        CHECK(cudaStreamCreateWithFlags(&work, cudaStreamNonBlocking));
        CHECK(cudaStreamCreateWithFlags(&beside, cudaStreamNonBlocking));
        CHECK(cudaMalloc(&samples, 16 * most));
        CHECK(cudaMallocHost((void**)&started, 4));
    }
    unsigned short *a, *b;
    float* c;
    CHECK(cudaMalloc(&a, size_t(m) * depth * 2));
    CHECK(cudaMalloc(&b, size_t(n) * depth * 2));
    CHECK(cudaMalloc(&c, size_t(m) * n * 4));
    fill<<<1024, 256>>>(a, size_t(m) * depth, 1, data, k.bf16);
    fill<<<1024, 256>>>(b, size_t(n) * depth, 77, data, k.bf16);
    CHECK(cudaDeviceSynchronize());
    auto map_a = map_of(a, k.bf16, m, depth, k.bm), map_b = map_of(b, k.bf16, depth, n, k.bk);
    void* arguments[] = {&m, &n, &depth, &map_a, &map_b, &c};
    const int shared = k.stages * (2 * (k.bm + k.bn) * k.bk + 16);
    CHECK(cudaFuncSetAttribute(k.code, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    const unsigned rows = m / k.bm, columns = n / k.bn;
    const dim3 grid = !k.linear ? dim3(columns, rows)
                                : dim3(k.persistent ? std::min(rows * columns, 132u) : rows * columns);
    std::vector<cudaEvent_t> events(launches + 1);
    for (auto& event : events) {
        CHECK(cudaEventCreate(&event));
    }
    const auto go = [&](int count) {
        CHECK(cudaEventRecord(events[0], work));
        for (int i = 1; i <= count; ++i) {
            CHECK(cudaLaunchKernel(k.code, grid, dim3(k.threads), arguments, shared, work));
            CHECK(cudaEventRecord(events[i], work));
        }
    };
    go(2);
    CHECK(cudaDeviceSynchronize());
    if (counting) {
        cudaFree(a);
        cudaFree(b);
        cudaFree(c);
        return;
    }
    float us = 0;
    CHECK(cudaEventElapsedTime(&us, events[1], events[2]));
    const int count = std::min(most, int((1e3 * us * launches + 200) / 3));
    const timespec rest = {0, 20000000}, moment = {0, 30000};
    nanosleep(&rest, nullptr);
    *started = 0;
    watch<<<1, 1, 0, beside>>>(samples, count, started);
    while (*started == 0) {
    }
    nanosleep(&moment, nullptr);
    go(launches);
    CHECK(cudaDeviceSynchronize());
    std::vector<unsigned long long> s(2 * count);
    CHECK(cudaMemcpy(s.data(), samples, 16 * count, cudaMemcpyDeviceToHost));
    std::vector<float> times;
    for (int i = 0; i < launches; ++i) {
        CHECK(cudaEventElapsedTime(&us, events[i], events[i + 1]));
        times.push_back(1e3f * us);
    }
    const float last = times.back();
    std::nth_element(times.begin(), times.begin() + launches / 2, times.end());
    const char* named[] = {"zeros", "nine values", "random"};
    std::printf("%s,%d,%d,%d,%s,%d,%.3f,%.3f,%.0f,%.0f,%.0f\n", k.name, m, n, depth, named[data], launches,
                times[launches / 2], last, mhz(s, 0, 8), mhz(s, count / 3, 2 * count / 3),
                mhz(s, 2 * count / 3, count - 40 > 2 * count / 3 ? count - 40 : count - 1));
    std::fflush(stdout);
    for (auto& event : events) {
        cudaEventDestroy(event);
    }
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
}

int main(int argc, char**) {
    counting = argc > 1;
    const Kernel kernels[] = {
        {"wgmma_warp_specialized BM=128;BN=256;BK=64;STAGES=4;CONSUMERS=2;PERSISTENT=0;RASTER=8;TYPE=f16",
         (const void*)wgmma_warp_specialized<128, 256, 64, 4, 2, 0, 8, 0>, 128, 256, 64, 4, 384, true, false,
         false},
        {"wgmma_warp_specialized BM=128;BN=256;BK=64;STAGES=4;CONSUMERS=2;PERSISTENT=0;RASTER=8;TYPE=bf16",
         (const void*)wgmma_warp_specialized<128, 256, 64, 4, 2, 0, 8, 1>, 128, 256, 64, 4, 384, true, false,
         true},
        {"wgmma_warp_specialized BM=64;BN=128;BK=64;STAGES=6;CONSUMERS=1;PERSISTENT=0;RASTER=8;TYPE=f16",
         (const void*)wgmma_warp_specialized<64, 128, 64, 6, 1, 0, 8, 0>, 64, 128, 64, 6, 256, true, false,
         false},
        {"wgmma_tma BM=128;BN=128;BK=64;STAGES=4;TYPE=f16", (const void*)wgmma_tma<128, 128, 64, 4, 0>, 128,
         128, 64, 4, 128, false, false, false},
        {"wgmma_tma BM=64;BN=64;BK=64;STAGES=4;TYPE=f16", (const void*)wgmma_tma<64, 64, 64, 4, 0>, 64, 64,
         64, 4, 128, false, false, false},
    };
    std::printf("kernel,M,N,K,data,launches,us_median,us_last,idle_mhz,middle_mhz,last_mhz\n");
    for (const auto& k : kernels) {
        for (const int data : {2, 1, 0}) {
            if (counting && data != 2) {
                continue;
            }
            for (const int launches : {41, 400}) {
                if (counting && launches != 41) {
                    continue;
                }
                series(k, 1024, 1024, 1024, data, launches);
                series(k, 2048, 2048, 2048, data, launches);
                series(k, 4096, 4096, 4096, data, launches);
                series(k, 4096, 1024, 8192, data, launches);
            }
        }
    }
}
