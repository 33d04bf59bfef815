// Power and the SMs' clock under loads of one kind each: rates, the board's power (NVML, every 5 ms) and the
// clock (a thread on a stream of its own notes %clock64 and %globaltimer every 50 us; the driver's reading
// does not show it), from 0.5 s of rest on. data/h100_sxm_power.csv.
//   nvcc -O3 -std=c++20 -gencode arch=compute_90a,code=sm_90a -I. validate/microbench/tensor/power.cu -o
//   power \
//        -lnvidia-ml && ./power
#include <cuda.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <nvml.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "validate/kernels/mma_tile.cuh"
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

namespace {

__device__ unsigned mixed(unsigned i, unsigned seed) {
    unsigned x = i * 2654435761u + seed;
    x ^= x >> 16;
    x *= 2246822519u;
    return x ^ x >> 13;
}
__device__ float value_of(unsigned i, unsigned seed, bool random) {
    return random ? float(mixed(i, seed)) * (2.0f / 4294967296.0f) - 1 : 0;
}
__global__ void fill(unsigned short* p, size_t n, unsigned seed, bool random, bool bf16) {
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n;
         i += size_t(gridDim.x) * blockDim.x) {
        const float value = value_of(unsigned(i), seed, random);
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
            __nanosleep(2000);
            asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)::"memory");
        } while (now - t < 50000);
    }
}

// --- loads of one kind
// ---------------------------------------------------------------------------------------
__global__ void __launch_bounds__(1024) ffma_load(float* out, int rounds, bool random) {
    float x[8];
    for (int i = 0; i < 8; ++i) {
        x[i] = value_of(threadIdx.x * 8 + i, 3, random);
    }
    const float a = value_of(threadIdx.x, 5, random), b = value_of(threadIdx.x, 7, random);
    for (int r = 0; r < rounds; ++r) {
#pragma unroll 8
        for (int k = 0; k < 8; ++k) {
#pragma unroll
            for (int i = 0; i < 8; ++i) {
                x[i] = fmaf(x[i], a, b);
            }
        }
    }
    float sum = 0;
    for (int i = 0; i < 8; ++i) {
        sum += x[i];
    }
    out[blockIdx.x * 1024 + threadIdx.x] = sum;
}
__global__ void __launch_bounds__(1024) imad_load(int* out, int rounds) {
    unsigned x[8];
    for (int i = 0; i < 8; ++i) {
        x[i] = mixed(threadIdx.x * 8 + i, 3);
    }
    const unsigned a = mixed(threadIdx.x, 5) | 1, b = mixed(threadIdx.x, 7);
    for (int r = 0; r < rounds; ++r) {
#pragma unroll 8
        for (int k = 0; k < 8; ++k) {
#pragma unroll
            for (int i = 0; i < 8; ++i) {
                x[i] = x[i] * a + b;
            }
        }
    }
    unsigned sum = 0;
    for (int i = 0; i < 8; ++i) {
        sum ^= x[i];
    }
    out[blockIdx.x * 1024 + threadIdx.x] = int(sum);
}
__global__ void __launch_bounds__(1024) shared_load(float* out, int rounds, bool random) {
    extern __shared__ float4 space[];
    for (int i = threadIdx.x; i < 2048; i += 1024) {
        space[i] = {value_of(i, 1, random), value_of(i, 2, random), value_of(i, 3, random),
                    value_of(i, 4, random)};
    }
    __syncthreads();
    float sum = 0;
    for (int r = 0; r < rounds; ++r) {
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            float4 v;
            asm volatile(
                "ld.shared.v4.f32 {%0,%1,%2,%3}, [%4];"
                : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                : "r"(unsigned(__cvta_generic_to_shared(space + ((threadIdx.x + 64 * (k + r)) & 2047)))));
            sum += v.x;
        }
    }
    out[blockIdx.x * 1024 + threadIdx.x] = sum;
}
__global__ void __launch_bounds__(1024) read_load(float* out, const float4* from, size_t count, int rounds) {
    float sum = 0;
    const size_t stride = size_t(gridDim.x) * 1024;
    for (int r = 0; r < rounds; ++r) {
        for (size_t i = blockIdx.x * size_t(1024) + threadIdx.x; i < count; i += 8 * stride) {
#pragma unroll
            for (int k = 0; k < 8; ++k) {
                if (i + k * stride < count) {
                    const float4 v = __ldcg(from + i + k * stride);
                    sum += v.x + v.y + v.z + v.w;
                }
            }
        }
    }
    out[blockIdx.x * 1024 + threadIdx.x] = sum;
}
// Boxes of 64 x 128 halves (16 KiB), eight under way per SM, of another place of the matrix each time.
__global__ void __launch_bounds__(32) copy_load(const __grid_constant__ TensorMap map, int rows, int rounds) {
#if defined(GPUMODEL_WGMMA)
    extern __shared__ __align__(1024) unsigned char ring_space[];
    const unsigned base = shared_address(ring_space), full = base + 8 * 16384;
    if (threadIdx.x == 0 && rounds > 0) {
        for (int s = 0; s < 8; ++s) {
            barrier_init(full + 8 * s, 1);
        }
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        const int boxes = rows / 128;
        for (int i = 0; i < rounds; ++i) {
            const int s = i % 8;
            if (i >= 8) {
                barrier_wait(full + 8 * s, unsigned(i / 8 - 1) & 1);
            }
            barrier_expect(full + 8 * s, 16384);
            copy_box(base + s * 16384, map, 0,
                     int((blockIdx.x * 37u + unsigned(i) * 61u) % unsigned(boxes)) * 128, full + 8 * s);
        }
        for (int i = max(0, rounds - 8); i < rounds; ++i) {
            barrier_wait(full + 8 * (i % 8), unsigned(i / 8) & 1);
        }
    }
#endif
}
template <int TYPE>
__global__ void __launch_bounds__(256) mma_load(float* out, int rounds, bool random) {
    unsigned a[4], b[8];
    const auto pair = [&](unsigned i) {
        const float x = value_of(2 * i, 11, random), y = value_of(2 * i + 1, 11, random);
        return TYPE == 1 ? __float_as_uint(x) >> 16 | (__float_as_uint(y) & 0xffff0000u)
                         : unsigned(__half_as_ushort(__float2half(x))) |
                               unsigned(__half_as_ushort(__float2half(y))) << 16;
    };
    for (int i = 0; i < 4; ++i) {
        a[i] = pair(threadIdx.x * 12 + i);
    }
    for (int i = 0; i < 8; ++i) {
        b[i] = pair(threadIdx.x * 12 + 4 + i);
    }
    Sums<0> s[4] = {};
    for (int r = 0; r < rounds; ++r) {
#pragma unroll
        for (int k = 0; k < 4; ++k) {
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                multiply<TYPE>(s[i], a, b[(2 * i + k) & 7], b[(2 * i + 1 + k) & 7]);
            }
        }
    }
    out[blockIdx.x * 256 + threadIdx.x] = s[0].c[0] + s[1].c[1] + s[2].c[2] + s[3].c[3];
}
// Two warp groups, each with rows of its own; `pause` cycles without products after each sixteen.
template <int N, int TYPE, bool PAUSES>
__global__ void __launch_bounds__(256) group_load(float* out, int rounds, bool random, int pause) {
#if defined(GPUMODEL_WGMMA)
    extern __shared__ __align__(1024) unsigned char ring_space[];
    auto* words = reinterpret_cast<unsigned short*>(ring_space);
    for (int i = threadIdx.x; i < 2 * 64 * 64 + 64 * N; i += 256) {
        const float x = value_of(i, 13, random);
        words[i] = TYPE == 1 ? static_cast<unsigned short>(__float_as_uint(x) >> 16)
                             : __half_as_ushort(__float2half(x));
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    const unsigned base = shared_address(ring_space), mine = base + warp_number() / 4 * 8192,
                   b = base + 16384;
    float sums[1][N / 2];
    for (int r = 0; r < rounds; ++r) {
        products_begin();
#pragma unroll
        for (int k = 0; k < 16; ++k) {
            multiply_group<TYPE>(sums[0], descriptor(mine + (k % 4) * 32, 16),
                                 descriptor(b + (k % 4) * 2048, 8192), r > 0 || k > 0);
        }
        products_end_group();
        if (PAUSES) {
            products_wait<0>();
            const long long begin = clock64();
            while (clock64() - begin < pause) {
            }
        } else {
            products_wait<1>();
        }
    }
    products_wait<0>();
    hold(sums);
    float sum = 0;
    for (int i = 0; i < N / 2; ++i) {
        sum += sums[0][i];
    }
    out[blockIdx.x * 256 + threadIdx.x] = sum;
#endif
}

// --- measuring
// -----------------------------------------------------------------------------------------------
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

#if !defined(NVML_FI_DEV_POWER_INSTANT)
#define NVML_FI_DEV_POWER_INSTANT 186
#endif
nvmlDevice_t board;
double watts() {
    nvmlFieldValue_t field{};
    field.fieldId = NVML_FI_DEV_POWER_INSTANT;
    if (nvmlDeviceGetFieldValues(board, 1, &field) == NVML_SUCCESS && field.nvmlReturn == NVML_SUCCESS) {
        return field.value.uiVal / 1e3;
    }
    unsigned mw = 0;
    nvmlDeviceGetPowerUsage(board, &mw);
    return mw / 1e3;
}

cudaStream_t work, beside;
unsigned long long* samples;
volatile int* started;
constexpr int most = 40000;
double seconds_each = 1.2;

double mhz_between(const std::vector<unsigned long long>& s, double from_ms, double to_ms) {
    const int from = std::min<int>(int(s.size()) / 2 - 2, int(from_ms * 20)),
              to = std::min<int>(int(s.size()) / 2 - 1, int(to_ms * 20));
    return 1e3 * double(s[2 * to + 1] - s[2 * from + 1]) / double(s[2 * to] - s[2 * from]);
}

// `launch` puts one launch on `work`, of which each does `amount` units; `gap_us`: rest between launches.
void load(const std::string& name, const std::string& values, double amount, const std::string& unit,
          const std::function<void()>& launch, int gap_launches = 0, const std::function<void()>& gap = {}) {
    cudaEvent_t e0, e1;
    CHECK(cudaEventCreate(&e0));
    CHECK(cudaEventCreate(&e1));
    launch();
    CHECK(cudaStreamSynchronize(work));
    CHECK(cudaEventRecord(e0, work));
    launch();
    CHECK(cudaEventRecord(e1, work));
    CHECK(cudaStreamSynchronize(work));
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, e0, e1));
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    *started = 0;
    const int count = std::min(most, int(seconds_each * 20000));
    watch<<<1, 1, 0, beside>>>(samples, count, started);
    while (*started == 0) {
    }
    std::atomic<bool> over{false};
    std::vector<std::pair<double, double>> power;
    const auto begin = std::chrono::steady_clock::now();
    const auto since = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    std::thread meter([&] {
        while (!over) {
            const double w = watts();
            power.emplace_back(since(), w);
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
    });
    // batches of about 20 ms, two of them in the queue
    const int batch = std::max(1, int(20 / ms));
    std::vector<cudaEvent_t> marks;
    double launches = 0;
    std::vector<double> at;
    while (since() < seconds_each) {
        for (int i = 0; i < batch; ++i) {
            launch();
            for (int g = 0; g < gap_launches; ++g) {
                gap();
            }
        }
        launches += batch;
        cudaEvent_t mark;
        CHECK(cudaEventCreate(&mark));
        CHECK(cudaEventRecord(mark, work));
        marks.push_back(mark);
        if (marks.size() > 2) {
            CHECK(cudaEventSynchronize(marks[marks.size() - 3]));
        }
    }
    CHECK(cudaStreamSynchronize(work));
    over = true;
    meter.join();
    CHECK(cudaDeviceSynchronize());
    std::vector<unsigned long long> s(2 * count);
    CHECK(cudaMemcpy(s.data(), samples, 16 * count, cudaMemcpyDeviceToHost));
    // the rate of the first tenth of a second and of the second half
    const auto rate = [&](size_t from, size_t to) {
        float t = 0;
        CHECK(cudaEventElapsedTime(&t, marks[from], marks[to]));
        return amount * batch * double(to - from) / (t / 1e3);
    };
    const size_t n = marks.size();
    double mean = 0, highest = 0, first = 0;
    int readings = 0;
    for (const auto& [t, w] : power) {
        if (t > seconds_each / 2) {
            mean += w;
            ++readings;
        }
        if (t < 0.1) {
            first = std::max(first, w);
        }
        highest = std::max(highest, w);
    }
    std::printf("%s,%s,%.4g,%.4g,%s,%.1f,%.1f,%.1f", name.c_str(), values.c_str(),
                rate(0, std::min<size_t>(n - 1, 4)), rate(n / 2, n - 1), unit.c_str(),
                mean / std::max(1, readings), first, highest);
    const double edges[] = {0.3, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000};
    for (int i = 0; i + 1 < 12; ++i) {
        std::printf(",%.0f", mhz_between(s, edges[i], edges[i + 1]));
    }
    std::printf("\n");
    std::fflush(stdout);
    for (auto& mark : marks) {
        cudaEventDestroy(mark);
    }
}

struct Gemm {
    const char* name;
    const void* code;
    int bm, bn, bk, stages, threads;
    bool linear, persistent, bf16;
};
void product(const Gemm& k, int m, int n, int depth, bool random, int gaps = 0) {
    unsigned short *a, *b;
    float* c;
    CHECK(cudaMalloc(&a, size_t(m) * depth * 2));
    CHECK(cudaMalloc(&b, size_t(n) * depth * 2));
    CHECK(cudaMalloc(&c, size_t(m) * n * 4));
    fill<<<1024, 256>>>(a, size_t(m) * depth, 1, random, k.bf16);
    fill<<<1024, 256>>>(b, size_t(n) * depth, 77, random, k.bf16);
    CHECK(cudaDeviceSynchronize());
    auto map_a = map_of(a, k.bf16, m, depth, k.bm), map_b = map_of(b, k.bf16, depth, n, k.bk);
    void* arguments[] = {&m, &n, &depth, &map_a, &map_b, &c};
    const int shared = k.stages * (2 * (k.bm + k.bn) * k.bk + 16);
    CHECK(cudaFuncSetAttribute(k.code, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    const unsigned rows = m / k.bm, columns = n / k.bn;
    const dim3 grid = !k.linear ? dim3(columns, rows)
                                : dim3(k.persistent ? std::min(rows * columns, 132u) : rows * columns);
    load(
        std::string(k.name) + " " + std::to_string(m) + "x" + std::to_string(n) + "x" +
            std::to_string(depth) + (gaps ? " pause" + std::to_string(gaps * 100) + "us" : ""),
        random ? "random" : "zeros", 2.0 * m * n * depth, "FLOP/s",
        [&] { CHECK(cudaLaunchKernel(k.code, grid, dim3(k.threads), arguments, shared, work)); }, gaps,
        [] { copy_load<<<1, 32, 0, work>>>(TensorMap{}, 128, 0); });
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
}

template <int N, int TYPE, bool PAUSES = false>
void groups(const char* name, float* out, bool random, int pause) {
    const int shared = 16384 + 128 * N + 1024, rounds = 2000;
    CHECK(cudaFuncSetAttribute(group_load<N, TYPE, PAUSES>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               shared));
    load(std::string(name) + (pause ? " pause " + std::to_string(pause) : ""), random ? "random" : "zeros",
         132.0 * 2 * rounds * 16 * 2 * 64 * N * 16, "FLOP/s",
         [&] { group_load<N, TYPE, PAUSES><<<132, 256, shared, work>>>(out, rounds, random, pause); });
}

}  // namespace

int main(int argc, char** argv) {
    nvmlInit();
    nvmlDeviceGetHandleByIndex(0, &board);
    if (argc > 1) {
        seconds_each = std::atof(argv[1]);
    }
    CHECK(cudaStreamCreateWithFlags(&work, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithFlags(&beside, cudaStreamNonBlocking));
    CHECK(cudaMalloc(&samples, 16 * most));
    CHECK(cudaMallocHost((void**)&started, 4));
    cudaDeviceProp props;
    CHECK(cudaGetDeviceProperties(&props, 0));
    unsigned limit = 0;
    nvmlDeviceGetEnforcedPowerLimit(board, &limit);
    std::printf("# gpu: %s\n# power limit: %.0f W\n", props.name, limit / 1e3);
    std::printf(
        "load,values,rate_first_80ms,rate_second_half,unit,watts_second_half,watts_highest_first_100ms,watts_"
        "highest,"
        "mhz_1ms,mhz_2ms,mhz_4ms,mhz_8ms,mhz_16ms,mhz_32ms,mhz_64ms,mhz_128ms,mhz_256ms,mhz_512ms,mhz_"
        "1000ms\n");
    float *out, *big;
    CHECK(cudaMalloc(&out, 1 << 24));
    const size_t big_bytes = size_t(2) << 30;
    CHECK(cudaMalloc(&big, big_bytes));
    load("idle", "", 1, "launches/s", [&] {
        copy_load<<<1, 32, 0, work>>>(TensorMap{}, 128, 0);
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    });
    for (const bool random : {true, false}) {
        const std::string v = random ? "random" : "zeros";
        load("ffma", v, 264.0 * 1024 * 2000 * 64 * 2, "FLOP/s",
             [&] { ffma_load<<<264, 1024, 0, work>>>(out, 2000, random); });
        if (random) {
            load("imad", v, 264.0 * 1024 * 2000 * 64, "op/s",
                 [&] { imad_load<<<264, 1024, 0, work>>>((int*)out, 2000); });
        }
        load("shared reads 16 B", v, 264.0 * 1024 * 2000 * 8 * 16, "B/s",
             [&] { shared_load<<<264, 1024, 32768, work>>>(out, 2000, random); });
        fill<<<1024, 256>>>((unsigned short*)big, big_bytes / 2, 5, random, false);
        CHECK(cudaDeviceSynchronize());
        load("L2 reads 24 MiB 16 B", v, 40.0 * (24 << 20), "B/s",
             [&] { read_load<<<264, 1024, 0, work>>>(out, (float4*)big, (24 << 20) / 16, 40); });
        load("DRAM reads 2 GiB 16 B", v, double(big_bytes), "B/s",
             [&] { read_load<<<264, 1024, 0, work>>>(out, (float4*)big, big_bytes / 16, 1); });
        for (const int mib : {24, 4}) {
            const int rows = (mib << 20) / 128;
            TensorMap map;
            const auto m = map_of(big, false, rows, 64, 128);
            static_assert(sizeof(m) == sizeof(map));
            memcpy(&map, &m, sizeof(map));
            CHECK(cudaFuncSetAttribute(copy_load, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       8 * 16384 + 1024));
            load("tensor copies " + std::to_string(mib) + " MiB", v, 132.0 * 4000 * 16384, "B/s",
                 [&] { copy_load<<<132, 32, 8 * 16384 + 1024, work>>>(map, rows, 4000); });
        }
        load("mma.sync 16x8x16 f16", v, 132.0 * 8 * 4000 * 16 * 4096, "FLOP/s",
             [&] { mma_load<0><<<132, 256, 0, work>>>(out, 4000, random); });
        load("mma.sync 16x8x16 bf16", v, 132.0 * 8 * 4000 * 16 * 4096, "FLOP/s",
             [&] { mma_load<1><<<132, 256, 0, work>>>(out, 4000, random); });
        groups<256, 0>("wgmma 64x256x16 f16", out, random, 0);
        groups<256, 1>("wgmma 64x256x16 bf16", out, random, 0);
        groups<128, 0>("wgmma 64x128x16 f16", out, random, 0);
        groups<64, 0>("wgmma 64x64x16 f16", out, random, 0);
        for (const int pause : {1000, 2000, 4000, 8000}) {
            groups<256, 0, true>("wgmma 64x256x16 f16", out, random, pause);
        }
    }
    const Gemm gemms[] = {
        {"ws 128x256x64 s4 c2 f16", (const void*)wgmma_warp_specialized<128, 256, 64, 4, 2, 0, 8, 0>, 128,
         256, 64, 4, 384, true, false, false},
        {"ws 128x256x64 s4 c2 bf16", (const void*)wgmma_warp_specialized<128, 256, 64, 4, 2, 0, 8, 1>, 128,
         256, 64, 4, 384, true, false, true},
        {"ws 64x128x64 s6 c1 f16", (const void*)wgmma_warp_specialized<64, 128, 64, 6, 1, 0, 8, 0>, 64, 128,
         64, 6, 256, true, false, false},
        {"tma 128x128x64 s4 f16", (const void*)wgmma_tma<128, 128, 64, 4, 0>, 128, 128, 64, 4, 128, false,
         false, false},
        {"tma 64x64x64 s4 f16", (const void*)wgmma_tma<64, 64, 64, 4, 0>, 64, 64, 64, 4, 128, false, false,
         false}};
    for (const auto& k : gemms) {
        for (const bool random : {true, false}) {
            product(k, 4096, 4096, 4096, random);
        }
    }
    product(gemms[0], 8192, 8192, 8192, true);
    product(gemms[0], 2048, 2048, 2048, true);
    product(gemms[0], 1024, 1024, 1024, true);
    for (const int gaps : {40, 100}) {  // each some 2.3 us
        product(gemms[0], 4096, 4096, 4096, true, gaps);
    }
}
