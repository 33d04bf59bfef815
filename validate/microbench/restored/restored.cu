// What L2 still has of a launch's data where between one launch and the next other data are copied in it.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -o restored validate/microbench/restored/restored.cu
//   restored > validate/data/h200_sxm_restored.csv      medians of nine launches; seconds
//   ncu --cache-control none --clock-control none --metrics dram__bytes_read.sum,dram__bytes_write.sum restored free
//                                                       (a profiler cannot hold the stream)
//
// kernel,read_mib,written_mib,restored_mib,blocks,time_us
//   read      each block reads its 4 KiB, 16 bytes a lane
//   copy      each block reads its 4 KiB and writes as many
//   mixed     reads read_mib, writes written_mib: one store of 16 bytes for every `read / written` loads
//   Between a launch and the next a copy on the device of restored_mib from a backup: of what the kernel writes, or, where it
//   writes nothing, of an array that it does not know. The launch waits between two events in a stream that is held until all
//   are in it, as gpumodel-record does. One launch as usual (0 restored) is back to back with the one before.
#include <cuda_runtime.h>

#include <cstdio>

#include "../held_stream.cuh"

namespace {

__global__ void read(const uint4* from, uint4* to) {
    const uint4 v = from[blockIdx.x * blockDim.x + threadIdx.x];
    if (v.x == 12345 && v.y == 54321 && v.z == 1) to[0] = v;
}

__global__ void copy(const uint4* from, uint4* to) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = from[i];
}

// `loads` of 4 KiB a block, one store of as many.
__global__ void mixed(const uint4* from, uint4* to, int loads) {
    uint4 sum = make_uint4(0, 0, 0, 0);
    for (int j = 0; j < loads; ++j) {
        const uint4 v = from[(blockIdx.x * loads + j) * blockDim.x + threadIdx.x];
        sum.x += v.x;
        sum.y += v.y;
        sum.z += v.z;
        sum.w += v.w;
    }
    to[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

constexpr std::size_t mib = 1 << 20;
char *from = nullptr, *to = nullptr, *backup = nullptr;
cudaStream_t stream;
bool held = true;

template <class Launch>
void measure(const char* name, int reads, int writes, int restored, int blocks, Launch launch) {
    const double us = held_median_us(
        stream, held, 11,
        [&] {
            if (restored > 0) check(cudaMemcpyAsync(to, backup, restored * mib, cudaMemcpyDeviceToDevice, stream));
        },
        launch);
    std::printf("%s,%d,%d,%d,%d,%.3f\n", name, reads, writes, restored, blocks, us);
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char**) {
    held = argc == 1;
    cudaDeviceProp gpu{};
    check(cudaGetDeviceProperties(&gpu, 0));
    check(cudaStreamCreate(&stream));
    check(cudaMalloc(&from, 128 * mib));
    check(cudaMalloc(&to, 128 * mib));
    check(cudaMalloc(&backup, 128 * mib));
    check(cudaMemset(from, 0, 128 * mib));
    check(cudaMemset(to, 0, 128 * mib));
    check(cudaMemset(backup, 0, 128 * mib));
    std::printf("# gpu: %s\nkernel,read_mib,written_mib,restored_mib,blocks,time_us\n", gpu.name);
    const auto* in = reinterpret_cast<const uint4*>(from);
    auto* out = reinterpret_cast<uint4*>(to);
    for (const int reads : {8, 16, 20, 24, 28, 32, 36, 40, 44, 48, 64}) {
        const int blocks = static_cast<int>(reads * mib / 4096);
        for (const int restored : {0, 1, 3, 6, 12, 24}) {
            measure("read", reads, 0, restored, blocks, [&] { read<<<blocks, 256, 0, stream>>>(in, out); });
        }
    }
    for (const int half : {4, 8, 10, 12, 14, 16, 18, 20, 24, 32}) {
        const int blocks = static_cast<int>(half * mib / 4096);
        for (const int restored : {0, half}) {
            measure("copy", half, half, restored, blocks, [&] { copy<<<blocks, 256, 0, stream>>>(in, out); });
        }
    }
    for (const int loads : {2, 4, 8}) {
        for (const int reads : {16, 24, 32, 40, 48}) {
            const int writes = reads / loads, blocks = static_cast<int>(writes * mib / 4096);
            for (const int restored : {0, writes}) {
                measure("mixed", reads, writes, restored, blocks, [&] { mixed<<<blocks, 256, 0, stream>>>(in, out, loads); });
            }
        }
    }
}
