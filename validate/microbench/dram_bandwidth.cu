// dram_bandwidth MODE=read|write|copy;BYTES_IN_FLIGHT=..   bytes per second of all SMs streaming through 4
// GiB (an eighth of the memory where that is less), BYTES_IN_FLIGHT per SM; copy counts bytes read and bytes
// written.
// Determines dram.read_efficiency, dram.copy_efficiency, and the latency under load by Little's law.
#include <cstring>

#include "validate/microbench/stream.cuh"

namespace gpumodel::microbench {
namespace {

enum class Mode { read, write, copy };

template <Mode MODE, int DEPTH>
__global__ void __launch_bounds__(1024)
    stream(uint4* to, const uint4* from, std::size_t vectors, unsigned* out, unsigned never) {
    const std::size_t thread = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
    const std::size_t threads = gridDim.x * std::size_t(blockDim.x);
    if constexpr (MODE == Mode::write) {
        write_all<DEPTH>(to, vectors, thread, threads);
    } else if constexpr (MODE == Mode::copy) {
        copy_all<DEPTH>(to, from, vectors, thread, threads, never);
    } else if (read_all<DEPTH>(from, vectors, thread, threads, never) == 1) {
        *out = 1;  // never: the data are zero
    }
}

struct Buffers {
    explicit Buffers(std::size_t bytes) : to(bytes / 16), from(bytes / 16), out(1) {}
    DeviceArray<uint4> to, from;
    DeviceArray<unsigned> out;
};

template <Mode MODE, int DEPTH>
void measure(const Device& device, Recorder& recorder, const Buffers& buffers, std::size_t bytes,
             int threads) {
    static const char* const names[] = {"read", "write", "copy"};
    const std::string params = std::string("MODE=") + names[static_cast<int>(MODE)] + ";" +
                               pair("BYTES_IN_FLIGHT", 16LL * threads * DEPTH);
    if (!recorder.wanted("dram_bandwidth", params)) {
        return;
    }
    const int block = std::min(threads, 1024);
    const int grid = device.sm_count * (threads / block);
    // Whole rounds only, so that every load is inside and all threads do the same.
    const std::size_t round = std::size_t(grid) * static_cast<std::size_t>(block) * DEPTH;
    const std::size_t vectors = bytes / 16 / round * round;
    cudaEvent_t begin, end;
    measure::require(cudaEventCreate(&begin), "cudaEventCreate");
    measure::require(cudaEventCreate(&end), "cudaEventCreate");
    std::vector<double> samples;
    for (int i = 0; i <= repetitions; ++i) {
        cudaEventRecord(begin);
        stream<MODE, DEPTH>
            <<<grid, block>>>(buffers.to.data(), buffers.from.data(), vectors, buffers.out.data(), 0);
        cudaEventRecord(end);
        finish("DRAM bandwidth");
        float milliseconds = 0;
        cudaEventElapsedTime(&milliseconds, begin, end);
        if (i > 0) {
            samples.push_back((MODE == Mode::copy ? 2.0 : 1.0) * 16e3 * double(vectors) /
                              double(milliseconds));
        }
    }
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    recorder.add({"dram_bandwidth", params, "bytes_per_second",
                  MODE == Mode::copy   ? "dram.copy_efficiency"
                  : MODE == Mode::read ? "dram.read_efficiency"
                                       : ""},
                 samples);
}

template <Mode MODE>
void measure_mode(const Device& device, Recorder& recorder, const Buffers& buffers, std::size_t bytes) {
    measure<MODE, 1>(device, recorder, buffers, bytes, 256);
    measure<MODE, 1>(device, recorder, buffers, bytes, 512);
    measure<MODE, 1>(device, recorder, buffers, bytes, 1024);
    measure<MODE, 2>(device, recorder, buffers, bytes, 1024);
    measure<MODE, 4>(device, recorder, buffers, bytes, 1024);
    measure<MODE, 4>(device, recorder, buffers, bytes, 2048);
    measure<MODE, 8>(device, recorder, buffers, bytes, 2048);
}

}  // namespace

void dram_bandwidth(const Device& device, Recorder& recorder) {
    const std::size_t bytes = std::min(std::size_t(4) << 30, device.memory_bytes / 8);
    const Buffers buffers(bytes);
    measure_mode<Mode::read>(device, recorder, buffers, bytes);
    measure_mode<Mode::write>(device, recorder, buffers, bytes);
    measure_mode<Mode::copy>(device, recorder, buffers, bytes);
}

}  // namespace gpumodel::microbench
