// Times every instance of every kernel family on the GPU at hand and prints one csv row per instance and
// shape: the median, minimum and maximum over back-to-back launches, each between two CUDA events.
//   nvcc -std=c++17 -O2 -arch=sm_90 -I validate/kernels validate/measure/measure.cu -o measure
//   ./measure 256 512 1024 2048 4096 > times.csv
//   ./measure --once 1024           one launch each and nothing timed: for a profiler
// Correctness is check.cu's business; run it first. Rows of launches that the GPU refuses are left out.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "block_tile.cuh"
#include "double_buffer.cuh"
#include "guide.cuh"
#include "instances.cuh"
#include "simple.cuh"
#include "sub_tile.cuh"
#include "vector_tile.cuh"
#include "warp_tile.cuh"

namespace gpumodel::kernels {
namespace {

void require(cudaError_t status, const char* what) {
    if (status != cudaSuccess) {
        std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
        std::exit(2);
    }
}

struct Shape {
    int m, n, k;
};

struct Arguments {
    std::vector<Shape> shapes;
    bool once = false;
};

Arguments arguments;
float* matrix[3];
std::size_t matrix_words = 0;

// Values in [-1, 1), different in every word.
__global__ void fill(float* data, std::size_t words, unsigned seed) {
    for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < words;
         i += std::size_t(gridDim.x) * blockDim.x) {
        unsigned x = static_cast<unsigned>(i) * 2654435761u + seed;
        x ^= x >> 16;
        x *= 2246822519u;
        x ^= x >> 13;
        data[i] = static_cast<float>(x) * (2.0f / 4294967296.0f) - 1.0f;
    }
}

// SM clock in MHz while all SMs multiply: cycles of one thread over the nanoseconds they took.
__global__ void spin(long long* result, int rounds) {
    float value = threadIdx.x;
    long long nanoseconds;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
    const long long begin = clock64();
    for (int i = 0; i < rounds; ++i) {
        value = value * 1.0001f + 0.5f;
    }
    const long long cycles = clock64() - begin;
    long long after;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(after));
    if (value != 0.123f && blockIdx.x == 0 && threadIdx.x == 0) {
        result[0] = cycles;
        result[1] = after - nanoseconds;
    }
}

double clock_mhz() {
    static long long* result = nullptr;
    if (result == nullptr) {
        require(cudaMallocManaged(&result, 16), "cudaMallocManaged");
    }
    spin<<<132, 256>>>(result, 200000);
    require(cudaDeviceSynchronize(), "spin");
    return 1e3 * static_cast<double>(result[0]) / static_cast<double>(result[1]);
}

struct Timing {
    double median = 0, least = 0, most = 0;  // microseconds
    int launches = 0;
};

// Enough launches for about 60 ms, at least 7 and at most 41, after two to warm up.
bool time_launches(const std::function<void()>& launch, Timing& timing) {
    launch();
    if (cudaGetLastError() != cudaSuccess) {
        return false;
    }
    require(cudaDeviceSynchronize(), "kernel");
    if (arguments.once) {
        return false;
    }
    cudaEvent_t events[42];
    for (auto& event : events) {
        require(cudaEventCreate(&event), "cudaEventCreate");
    }
    cudaEventRecord(events[0]);
    launch();
    cudaEventRecord(events[1]);
    require(cudaEventSynchronize(events[1]), "kernel");
    float once = 0;
    cudaEventElapsedTime(&once, events[0], events[1]);
    timing.launches = std::clamp(static_cast<int>(60.0f / std::max(once, 1e-3f)), 7, 41);
    cudaEventRecord(events[0]);
    for (int i = 1; i <= timing.launches; ++i) {
        launch();
        cudaEventRecord(events[i]);
    }
    require(cudaEventSynchronize(events[timing.launches]), "kernel");
    std::vector<float> times(static_cast<std::size_t>(timing.launches));
    for (int i = 0; i < timing.launches; ++i) {
        cudaEventElapsedTime(&times[static_cast<std::size_t>(i)], events[i], events[i + 1]);
    }
    for (auto& event : events) {
        cudaEventDestroy(event);
    }
    std::sort(times.begin(), times.end());
    timing.median = 1e3 * times[times.size() / 2];
    timing.least = 1e3 * times.front();
    timing.most = 1e3 * times.back();
    return true;
}

void print_row(const char* family, const std::string& params, Shape shape, const void* kernel, int threads,
               const std::function<void()>& launch) {
    int blocks = 0;
    require(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, 0), "occupancy");
    Timing timing;
    if (blocks == 0 || !time_launches(launch, timing)) {
        return;
    }
    cudaFuncAttributes attributes{};
    require(cudaFuncGetAttributes(&attributes, kernel), "cudaFuncGetAttributes");
    std::printf("%s,%s,%d,%d,%d,%d,%d,%d,%zu,%zu,%.3f,%.3f,%.3f,%d\n", family, params.c_str(), shape.m, shape.n,
                shape.k, threads, attributes.numRegs, blocks, attributes.sharedSizeBytes, attributes.localSizeBytes,
                timing.median, timing.least, timing.most, timing.launches);
    std::fflush(stdout);
}

// "BM, BN, BK" and "128, 64, 8" to "BM=128;BN=64;BK=8".
std::string params_of(const char* names, const char* values) {
    const auto split = [](const char* text) {
        std::vector<std::string> parts(1);
        for (; *text != 0; ++text) {
            if (*text == ',') {
                parts.emplace_back();
            } else if (*text != ' ') {
                parts.back() += *text;
            }
        }
        return parts;
    };
    const auto keys = split(names);
    const auto words = split(values);
    std::string result;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        result += (i ? ";" : "") + keys[i] + "=" + words[i];
    }
    return result;
}

using GemmKernel = void (*)(int, int, int, float, const float*, const float*, float, float*);

void measure_gemm(const char* family, const std::string& params, GemmKernel kernel, dim3 block, int bm, int bn, int bk,
                  bool rows_first) {
    for (const Shape s : arguments.shapes) {
        if (s.m % bm != 0 || s.n % bn != 0 || s.k % bk != 0) {
            continue;
        }
        const dim3 grid = rows_first ? dim3(s.m / bm, s.n / bn) : dim3(s.n / bn, s.m / bm);
        print_row(family, params, s, reinterpret_cast<const void*>(kernel), int(block.x * block.y), [&] {
            kernel<<<grid, block>>>(s.m, s.n, s.k, 1.0f, matrix[0], matrix[1], 0.5f, matrix[2]);
        });
    }
}

template <int UNROLL>
void measure_simple() {
    const std::string params = "UNROLL=" + std::to_string(UNROLL);
    measure_gemm("naive", params, naive<UNROLL>, dim3(32, 32), 32, 32, 1, true);
    measure_gemm("coalesced", params, coalesced<UNROLL>, dim3(1024), 32, 32, 1, true);
}

template <int BS, int UNROLL>
void measure_smem(const std::string& params) {
    measure_gemm("smem", params, smem<BS, UNROLL>, dim3(BS * BS), BS, BS, BS, true);
}

template <int BM, int BN, int BK, int TM, int UNROLL>
void measure_column(const std::string& params) {
    measure_gemm("blocktile1d", params, blocktile1d<BM, BN, BK, TM, UNROLL>, dim3(BM * BN / TM), BM, BN, BK, false);
}

template <int BM, int BN, int BK, int TM, int TN, int UNROLL>
void measure_tile(const char* family, const std::string& params, GemmKernel kernel) {
    measure_gemm(family, params, kernel, dim3(BM * BN / (TM * TN)), BM, BN, BK, false);
}

template <int BM, int BN, int BK, int TM, int TN, int UNROLL>
void measure_sub_tile(const std::string& params) {
    measure_gemm("autotuned", params, autotuned<BM, BN, BK, TM, TN, UNROLL>, dim3(256), BM, BN, BK, false);
}

template <int BM, int BN, int BK, int WM, int WN, int WNITER, int TM, int TN, int THREADS, int UNROLL>
void measure_warp_tile(const char* family, const std::string& params, GemmKernel kernel, int k_step) {
    measure_gemm(family, params, kernel, dim3(THREADS), BM, BN, k_step * BK, false);
}

constexpr const char* tile_names = "BM,BN,BK,TM,TN,UNROLL";
constexpr const char* warp_names = "BM,BN,BK,WM,WN,WNITER,TM,TN,THREADS,UNROLL";

void measure_tiled() {
#define X(...) measure_smem<__VA_ARGS__>(params_of("BS,UNROLL", #__VA_ARGS__));
    GPUMODEL_SMEM(X)
#undef X
#define X(...) measure_column<__VA_ARGS__>(params_of("BM,BN,BK,TM,UNROLL", #__VA_ARGS__));
    GPUMODEL_BLOCKTILE1D(X)
#undef X
#define X(...) measure_tile<__VA_ARGS__>("blocktile2d", params_of(tile_names, #__VA_ARGS__), blocktile2d<__VA_ARGS__>);
    GPUMODEL_BLOCKTILE2D(X)
#undef X
#define X(...) measure_tile<__VA_ARGS__>("vectorized", params_of(tile_names, #__VA_ARGS__), vectorized<__VA_ARGS__>);
    GPUMODEL_VECTORIZED(X)
#undef X
#define X(...) \
    measure_tile<__VA_ARGS__>("bank_linearize", params_of(tile_names, #__VA_ARGS__), bank_linearize<__VA_ARGS__>);
    GPUMODEL_BANK_LINEARIZE(X)
#undef X
#define X(...) \
    measure_tile<__VA_ARGS__>("bank_extracol", params_of(tile_names, #__VA_ARGS__), bank_extracol<__VA_ARGS__>);
    GPUMODEL_BANK_EXTRACOL(X)
#undef X
#define X(...) measure_sub_tile<__VA_ARGS__>(params_of(tile_names, #__VA_ARGS__));
    GPUMODEL_AUTOTUNED(X)
#undef X
#define X(...) \
    measure_warp_tile<__VA_ARGS__>("warptile", params_of(warp_names, #__VA_ARGS__), warptile<__VA_ARGS__>, 1);
    GPUMODEL_WARPTILE(X)
#undef X
#define X(...) \
    measure_warp_tile<__VA_ARGS__>("doublebuffer", params_of(warp_names, #__VA_ARGS__), doublebuffer<__VA_ARGS__>, 1);
    GPUMODEL_DOUBLEBUFFER(X)
#undef X
#define X(...)                                                                         \
    measure_warp_tile<__VA_ARGS__>("doublebuffer_split", params_of(warp_names, #__VA_ARGS__), \
                                   doublebuffer_split<__VA_ARGS__>, 2);
    GPUMODEL_DOUBLEBUFFER_SPLIT(X)
#undef X
#define X(...)                                                                         \
    measure_warp_tile<__VA_ARGS__>("doublebuffer_async", params_of(warp_names, #__VA_ARGS__), \
                                   doublebuffer_async<__VA_ARGS__>, 1);
    GPUMODEL_DOUBLEBUFFER_ASYNC(X)
#undef X
}

template <int UNROLL>
void measure_guide() {
    const std::string params = "UNROLL=" + std::to_string(UNROLL);
    for (Shape s : arguments.shapes) {
        s.k = 32;
        if (s.m % 32 != 0 || s.n % 32 != 0) {
            continue;
        }
        const auto ab = [&](const char* name, void (*kernel)(const float*, const float*, float*, int)) {
            print_row(name, params, s, reinterpret_cast<const void*>(kernel), 1024, [&] {
                kernel<<<dim3(s.n / 32, s.m / 32), dim3(32, 32)>>>(matrix[0], matrix[1], matrix[2], s.n);
            });
        };
        ab("ab_simple", ab_simple<UNROLL>);
        ab("ab_coalesced", ab_coalesced<UNROLL>);
        ab("ab_shared", ab_shared<UNROLL>);
        if (s.m != s.n) {
            continue;
        }
        const auto aat = [&](const char* name, void (*kernel)(const float*, float*, int)) {
            print_row(name, params, s, reinterpret_cast<const void*>(kernel), 1024, [&] {
                kernel<<<dim3(s.m / 32, s.m / 32), dim3(32, 32)>>>(matrix[0], matrix[2], s.m);
            });
        };
        aat("aat_simple", aat_simple<UNROLL>);
        aat("aat_coalesced", aat_coalesced<UNROLL>);
        aat("aat_padded", aat_padded<UNROLL>);
    }
}

void measure_copies() {
    for (Shape s : arguments.shapes) {
        s.k = 1;
        const int blocks = s.m * s.n / 256;
        for (const int step : {1, 2, 8, 32}) {
            if (std::size_t(s.m) * s.n * step <= matrix_words) {
                print_row("stride_copy", "STRIDE=" + std::to_string(step), s,
                          reinterpret_cast<const void*>(stride_copy<float>), 256,
                          [&] { stride_copy<float><<<blocks, 256>>>(matrix[2], matrix[0], step); });
            }
            print_row("offset_copy", "OFFSET=" + std::to_string(step), s,
                      reinterpret_cast<const void*>(offset_copy<float>), 256,
                      [&] { offset_copy<float><<<blocks, 256>>>(matrix[2], matrix[0], step); });
        }
    }
}

template <int UNROLL>
void measure_transposes() {
    const std::string params = "UNROLL=" + std::to_string(UNROLL);
    for (Shape s : arguments.shapes) {
        s.k = 1;
        if (s.m % 32 != 0 || s.n % 32 != 0) {
            continue;
        }
        const auto measure = [&](const char* name, void (*kernel)(float*, const float*, int, int)) {
            print_row(name, params, s, reinterpret_cast<const void*>(kernel), 256, [&] {
                kernel<<<dim3(s.n / 32, s.m / 32), dim3(32, transpose_rows)>>>(matrix[2], matrix[0], s.m, s.n);
            });
        };
        measure("transpose_naive", transpose_naive<UNROLL>);
        measure("transpose_shared", transpose_shared<UNROLL>);
        measure("transpose_padded", transpose_padded<UNROLL>);
    }
}

void prepare() {
    for (const Shape s : arguments.shapes) {
        matrix_words = std::max({matrix_words, std::size_t(s.m) * s.k, std::size_t(s.k) * s.n, std::size_t(s.m) * s.n});
    }
    matrix_words = matrix_words * 8 + 64;  // room for strides and offsets
    for (int i = 0; i < 3; ++i) {
        require(cudaMalloc(&matrix[i], matrix_words * sizeof(float)), "cudaMalloc");
        fill<<<1024, 256>>>(matrix[i], matrix_words, static_cast<unsigned>(i));
    }
    require(cudaDeviceSynchronize(), "fill");
}

// "1024" or "512x1024x2048".
bool parse_shape(const char* text, Shape& shape) {
    if (std::sscanf(text, "%dx%dx%d", &shape.m, &shape.n, &shape.k) == 3) {
        return true;
    }
    shape.m = shape.n = shape.k = std::atoi(text);
    return shape.m > 0;
}

}  // namespace
}  // namespace gpumodel::kernels

int main(int argc, char** argv) {
    using namespace gpumodel::kernels;
    for (int i = 1; i < argc; ++i) {
        Shape shape{};
        if (std::strcmp(argv[i], "--once") == 0) {
            arguments.once = true;
        } else if (parse_shape(argv[i], shape)) {
            arguments.shapes.push_back(shape);
        } else {
            std::fprintf(stderr, "usage: measure [--once] SIZE|MxNxK ...\n");
            return 2;
        }
    }
    cudaDeviceProp device{};
    require(cudaGetDeviceProperties(&device, 0), "cudaGetDeviceProperties");
    prepare();
    std::fprintf(stderr, "%s, compute capability %d.%d, %.0f MHz before\n", device.name, device.major, device.minor,
                 clock_mhz());
    if (!arguments.once) {
        std::printf("family,params,M,N,K,threads,registers,blocks_per_sm,static_shared_bytes,local_bytes,"
                    "time_us_median,time_us_min,time_us_max,launches\n");
    }
#define X(unroll)             \
    measure_simple<unroll>(); \
    measure_guide<unroll>();
    GPUMODEL_SIMPLE_UNROLLS(X)
#undef X
    measure_tiled();
    measure_copies();
#define X(unroll) measure_transposes<unroll>();
    GPUMODEL_TRANSPOSE_UNROLLS(X)
#undef X
    std::fprintf(stderr, "%.0f MHz after\n", clock_mhz());
    return 0;
}
