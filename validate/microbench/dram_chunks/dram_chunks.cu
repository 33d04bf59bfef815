// Device memory by chunks that lie anywhere: what a fetch costs when the next one is somewhere else.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -o dram_chunks validate/microbench/dram_chunks/dram_chunks.cu
//   dram_chunks > validate/data/h200_sxm_dram_chunks.csv      median of nine launches; three seconds
//
// The code for a simulator:
//   nvcc -std=c++17 -O3 -arch=sm_90 -cubin -o chunks.cubin validate/microbench/dram_chunks/dram_chunks.cu
//   cuobjdump -sass chunks.cubin | gzip -9n > sm_90.sass.gz
//
// An array of 4 GiB (or less, to see the L2) is taken as chunks of `chunk` bytes; `chunks` of them, no two alike, in an order
// without pattern, are read (or written) once, 16 bytes a lane, the lanes of a chunk next to one another.
// `touched` of a chunk's bytes are read from its beginning on. `time_us`: the launch. `bytes`: what the lanes ask for.
//   read      one chunk per group of lanes and trip, 8 trips in flight per lane
//   write     the same, written
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "../standalone.cuh"

namespace {

constexpr int threads = 256, trips = 8, launches = 9;

// A permutation of [0, 2^bits): multiplication by an odd number and folding, three times.
__device__ __forceinline__ unsigned mixed(unsigned i, unsigned mask, int half) {
    for (int round = 0; round < 3; ++round) {
        i = i * 0x9E3779B1u & mask;
        i ^= i >> half;
    }
    return i;
}

// 2^lane_bits lanes of a chunk touch 16 bytes each; chunks of 2^chunk_bits times 16 bytes.
template <bool WRITE>
__global__ void __launch_bounds__(threads)
    visit(float4* data, float* out, int lane_bits, int chunk_bits, unsigned mask, int half) {
    const unsigned thread = blockIdx.x * threads + threadIdx.x;
    const unsigned group = thread >> lane_bits, lane = thread & (1u << lane_bits) - 1;
    float4 v[trips];
#pragma unroll
    for (int t = 0; t < trips; ++t) {
        float4* at = data + (size_t(mixed(group * trips + t, mask, half)) << chunk_bits) + lane;
        if (WRITE) {
            *at = {1, 2, 3, 4};
        } else {
            v[t] = *at;
        }
    }
    if (!WRITE) {
        float sum = 0;
        for (const float4& x : v)
            sum += x.x + x.y + x.z + x.w;
        if (sum == 12345.6f)
            *out = sum;
    }
}

int log2_of(long long power) {
    int bits = 0;
    while (1ll << bits < power)
        ++bits;
    return bits;
}

double time_of(bool write, float4* data, float* out, int lanes, int chunk, int bits, long long chunks) {
    const unsigned mask = unsigned((1ull << bits) - 1);
    const int lane_bits = log2_of(lanes), chunk_bits = log2_of(chunk / 16), half = (bits + 1) / 2;
    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin));
    check(cudaEventCreate(&end));
    const int blocks = int(chunks / trips * lanes / threads);
    std::vector<float> times;
    for (int i = 0; i < launches; ++i) {
        check(cudaEventRecord(begin));
        if (write) {
            visit<true><<<blocks, threads>>>(data, out, lane_bits, chunk_bits, mask, half);
        } else {
            visit<false><<<blocks, threads>>>(data, out, lane_bits, chunk_bits, mask, half);
        }
        check(cudaEventRecord(end));
        check(cudaEventSynchronize(end));
        float ms;
        check(cudaEventElapsedTime(&ms, begin, end));
        times.push_back(ms * 1000);
    }
    check(cudaGetLastError());
    std::sort(times.begin(), times.end());
    return times[launches / 2];
}

}  // namespace

int main() {
    cudaDeviceProp device;
    check(cudaGetDeviceProperties(&device, 0));
    float4* data;
    float* out;
    constexpr long long most = 4ll << 30;
    check(cudaMalloc(&data, most));
    check(cudaMalloc(&out, 4));
    check(cudaMemset(data, 0, most));
    std::printf("# gpu: %s\nkind,array_mib,chunk,touched,chunks,bytes,time_us\n", device.name);
    for (const bool write : {false, true}) {
        for (const long long array : {most, most / 16, most / 64}) {
            for (const int chunk : {32, 64, 128, 256, 512, 1024, 2048}) {
                for (int touched = chunk; touched >= 32; touched /= 2) {
                    const int lanes = touched / 16;
                    if (lanes > threads || (touched < chunk && touched > 128))
                        continue;
                    const int bits = log2_of(array / chunk);
                    // all chunks of the array, or as many as 512 MiB of them that are touched
                    const long long chunks = std::min(1ll << bits, (512ll << 20) / touched);
                    if (chunks / trips * lanes < threads)
                        continue;
                    std::printf("%s,%lld,%d,%d,%lld,%lld,%.2f\n", write ? "write" : "read", array >> 20, chunk,
                                touched, chunks, chunks * touched,
                                time_of(write, data, out, lanes, chunk, bits, chunks));
                }
            }
        }
    }
}
