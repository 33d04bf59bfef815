// Latency of shared loads alone and in bursts, by width and by how lanes share words.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -o shared_bursts validate/microbench/shared_bursts/shared_bursts.cu
//   shared_bursts > validate/data/h200_sxm_shared_bursts.csv      median of five launches; a second
//
// kernel,pattern,threads,trips,cycles
//   WIDTH_N: 4 * `trips` times N loads of WIDTH bytes a lane in a row, whose words are or'ed into the next ones' address.
//   pattern: the word of lane l: 0 l, 1 l % 8, 2 l / 8, 3 the same for all, 4 l / 16, 5 l / 4, 6 l / 2, 7 l % 2, 8 l % 4,
//   9 l % 16. One block of `threads` on each SM. cycles: as in product_tiles
#include "../sm_cycles.cuh"

namespace {

constexpr int most_threads = 512, words_of_rows = 8192, step_bytes = 512, times = 4, trips = 256;

template <int WIDTH>
__device__ __forceinline__ unsigned read(unsigned at) {
    unsigned a, b, c, d;
    if constexpr (WIDTH == 16) {
        asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(at));
        return (a | b) | (c | d);
    } else if constexpr (WIDTH == 8) {
        asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "r"(at));
        return a | b;
    } else {
        asm volatile("ld.shared.u32 %0, [%1];" : "=r"(a) : "r"(at));
        return a;
    }
}

template <int WIDTH, int N>
__global__ void __launch_bounds__(most_threads) chain(Mark* marks, unsigned* out, int trips, int pattern) {
    __shared__ unsigned rows[words_of_rows];
    const int t = threadIdx.x, lane = t % 32;
    for (int i = t; i < words_of_rows; i += blockDim.x) rows[i] = 0;
    __syncthreads();
    int place = 0;
    switch (pattern) {
        case 0: place = lane; break;
        case 1: place = lane % 8; break;
        case 2: place = lane / 8; break;
        case 3: place = 0; break;
        case 4: place = lane / 16; break;
        case 5: place = lane / 4; break;
        case 6: place = lane / 2; break;
        case 7: place = lane % 2; break;
        case 8: place = lane % 4; break;
        case 9: place = lane % 16; break;
    }
    unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(rows)) + place * WIDTH;
    const long long begin = clock64();
#pragma unroll 1
    for (int k = 0; k < trips; ++k) {
#pragma unroll
        for (int r = 0; r < times; ++r) {
            unsigned v[N];
#pragma unroll
            for (int i = 0; i < N; ++i) v[i] = read<WIDTH>(at + i * step_bytes);
            unsigned all = 0;
#pragma unroll
            for (int i = 0; i < N; ++i) all |= v[i];
            at += all;
        }
    }
    const long long end = clock64();
    out[blockIdx.x * blockDim.x + t] = at;
    if (lane == 0) marks[(blockIdx.x * blockDim.x + t) / 32] = {sm_number(), begin, end};
}

Mark* marks;
unsigned* out;
int sms;

template <int WIDTH, int N>
void measure() {
    for (int pattern = 0; pattern < 10; ++pattern) {
        for (const int threads : {32, 128, most_threads}) {
            const double cycles = median_sm_cycles(marks, sms * threads / 32, sms,
                                                   [&] { chain<WIDTH, N><<<sms, threads>>>(marks, out, trips, pattern); });
            std::printf("%d_%d,%d,%d,%d,%.0f\n", WIDTH, N, pattern, threads, trips, cycles);
        }
    }
}

template <int WIDTH>
void measure_width() {
    measure<WIDTH, 1>();
    measure<WIDTH, 2>();
    measure<WIDTH, 4>();
}

}  // namespace

int main() {
    cudaDeviceProp gpu{};
    check(cudaGetDeviceProperties(&gpu, 0));
    sms = gpu.multiProcessorCount;
    check(cudaMalloc(&marks, sizeof(Mark) * sms * most_threads / 32));
    check(cudaMalloc(&out, sizeof(unsigned) * sms * most_threads));
    std::printf("# gpu: %s\nkernel,pattern,threads,trips,cycles\n", gpu.name);
    measure_width<4>();
    measure_width<8>();
    measure_width<16>();
}
