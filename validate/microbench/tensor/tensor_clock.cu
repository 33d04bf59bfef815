// The SM's clock while every SM multiplies on tensor cores, and while it adds with FP32 units: cycles of the SM's
// counter against nanoseconds of the global timer, in rounds of some 0.1 to 0.5 ms, as the driver's own reading does
// not show what tensor instructions do to it. Prints series,kernel,round,us,mhz (data/h100_sxm_tensor_clock.csv).
//   nvcc -O3 -std=c++17 -arch=sm_90 tensor_clock.cu -o tensor_clock && ./tensor_clock
#include <cstdint>
#include <cstdio>
#include <mma.h>

using namespace nvcuda;

constexpr int rounds = 24, series = 6, blocks = 132, threads = 512;

__device__ std::uint64_t nanoseconds() {
    std::uint64_t t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    return t;
}

template <bool tensor>
__global__ void work(float* out, int per_round, std::uint64_t* log) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c[4];
    wmma::fill_fragment(a, __float2half(0.37f + threadIdx.x * 0.001f));
    wmma::fill_fragment(b, __float2half(0.91f));
    for (auto& sums : c) wmma::fill_fragment(sums, 0.0f);
    float f[8];
    for (int i = 0; i < 8; ++i) f[i] = threadIdx.x * 0.001f + i;
    for (int r = 0; r < rounds; ++r) {
        const auto t = nanoseconds();
        const auto cycle = clock64();
        for (int i = 0; i < per_round; ++i) {
            if (tensor) {
                for (auto& sums : c) wmma::mma_sync(sums, a, b, sums);
            } else {
                for (auto& x : f) x = fmaf(x, 0.999f, 0.001f);
            }
        }
        const auto ns = nanoseconds() - t;
        const auto cycles = clock64() - cycle;
        if (blockIdx.x == 0 && threadIdx.x == 0) {
            log[2 * r] = ns;
            log[2 * r + 1] = cycles;
        }
    }
    float sum = 0;
    for (float x : f) sum += x;
    for (auto& sums : c) {
        for (int i = 0; i < sums.num_elements; ++i) sum += sums.x[i];
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main() {
    float* out;
    std::uint64_t *log, host[2 * rounds];
    cudaMalloc(&out, blocks * threads * sizeof *out);
    cudaMalloc(&log, sizeof host);
    for (int s = 0; s < series; ++s) {
        for (const bool tensor : {false, true}) {
            tensor ? work<true><<<blocks, threads>>>(out, 1200, log) : work<false><<<blocks, threads>>>(out, 20000, log);
            if (cudaMemcpy(host, log, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
            for (int r = 0; r < rounds; r += 2) {
                std::printf("%d,%s,%d,%.0f,%.1f\n", s, tensor ? "mma" : "ffma", r, host[2 * r] / 1e3,
                            host[2 * r + 1] * 1e3 / static_cast<double>(host[2 * r]));
            }
        }
    }
}
