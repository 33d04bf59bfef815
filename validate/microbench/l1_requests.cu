// l1_requests PATH=l1|l2;WIDTH=..;PIECE=..;SMS=..;WARPS=..   cycles per warp-wide load of WIDTH bytes a lane
// whose lanes' data lies in pieces of PIECE contiguous bytes, each piece in other lines than the next, many
// loads under way, one block of WARPS warps on each of SMS SMs
//   PATH=l1   ld.global.ca, data in L1       PATH=l2   ld.global.cg, data in L2, each SM its own
// l1_tile PIECE=..;WIDTH=..;SMS=..    cycles per tile of 24 KiB, from barrier to barrier, stored to shared
// memory as it comes (a test of the first: latency and port together) Determine l1.tag_lines_per_cycle,
// l1.miss_lines_per_cycle, l1.miss_cycles_per_line.
#include "validate/microbench/microbench.cuh"

namespace gpumodel::microbench {
namespace {

constexpr int columns = 8;  // pieces of a thread's row, one after the other
constexpr int short_rounds = 8, long_rounds = 40;

template <int WIDTH, bool L1>
__device__ __forceinline__ unsigned load(const char* at) {
    unsigned v[4] = {};
    if constexpr (WIDTH == 4) {
        if constexpr (L1) {
            asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v[0]) : "l"(at));
        } else {
            asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v[0]) : "l"(at));
        }
    } else if constexpr (WIDTH == 8) {
        if constexpr (L1) {
            asm volatile("ld.global.ca.v2.u32 {%0, %1}, [%2];" : "=r"(v[0]), "=r"(v[1]) : "l"(at));
        } else {
            asm volatile("ld.global.cg.v2.u32 {%0, %1}, [%2];" : "=r"(v[0]), "=r"(v[1]) : "l"(at));
        }
    } else if constexpr (L1) {
        asm volatile("ld.global.ca.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3])
                     : "l"(at));
    } else {
        asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3])
                     : "l"(at));
    }
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

// Bytes from one piece to the next of another row: rows of `columns` pieces, and a line's offset, so that
// rows do not fall into the same sets.
__host__ __device__ constexpr int row_bytes(int piece) {
    return (columns * piece + 127) / 128 * 128 + 128;
}

// Where the thread's first piece begins, and how many bytes of memory a block of `lanes` lanes touches.
template <int WIDTH, int PIECE>
__device__ __forceinline__ std::size_t offset_of(int lane) {
    const int byte = lane * WIDTH;
    return std::size_t(byte / PIECE) * std::size_t(row_bytes(PIECE)) + std::size_t(byte % PIECE);
}
constexpr std::size_t bytes_of(int lanes, int width, int piece) {
    return std::size_t((lanes * width + piece - 1) / piece) * row_bytes(piece);
}

template <int WIDTH, int PIECE, bool L1>
__global__ void __launch_bounds__(1024)
    request(const char* data, std::size_t block_bytes, int rounds, int none, Interval* warps, unsigned* out) {
    const char* own =
        data + blockIdx.x * block_bytes + offset_of<WIDTH, PIECE>(static_cast<int>(threadIdx.x));
    unsigned sum = 0;
#pragma unroll
    for (int c = 0; c < columns; ++c) {
        sum ^= load<WIDTH, L1>(own + c * PIECE);  // fills the cache
    }
    __syncthreads();
    const long long begin = clock64();
#pragma unroll 1
    for (int round = 0; round < rounds; ++round) {
        unsigned v[columns];
#pragma unroll
        for (int c = 0; c < columns; ++c) {
            v[c] = load<WIDTH, L1>(own + c * PIECE);
        }
#pragma unroll
        for (int c = 0; c < columns; ++c) {
            sum ^= v[c];
        }
        own += none;  // 0: the loads stay in the loop
    }
    if (sum == 1) {
        *out = sum;  // never: the data are zero
    }
    if (threadIdx.x % 32 == 0) {
        warps[blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32] = {begin, clock64()};
    }
}

// Mean over blocks.
double block_span(const std::vector<Interval>& warps, int warps_per_block) {
    double sum = 0;
    for (std::size_t first = 0; first < warps.size(); first += static_cast<std::size_t>(warps_per_block)) {
        sum += span({warps.begin() + static_cast<std::ptrdiff_t>(first),
                     warps.begin() + static_cast<std::ptrdiff_t>(first) + warps_per_block});
    }
    return sum * warps_per_block / static_cast<double>(warps.size());
}

template <int WIDTH, int PIECE, bool L1>
void measure(Recorder& recorder, int sms, int warps) {
    const std::string params = std::string("PATH=") + (L1 ? "l1" : "l2") + ";" + pair("WIDTH", WIDTH) + ";" +
                               pair("PIECE", PIECE) + ";" + pair("SMS", sms) + ";" + pair("WARPS", warps);
    const std::size_t block_bytes = bytes_of(32 * warps, WIDTH, PIECE);
    if (!recorder.wanted("l1_requests", params) || (L1 && block_bytes > 128 * 1024)) {
        return;
    }
    const DeviceArray<char> data(block_bytes * static_cast<std::size_t>(sms) + 4096);
    const DeviceArray<Interval> intervals(static_cast<std::size_t>(sms) * warps);
    const DeviceArray<unsigned> out(1);
    const auto run = [&](int rounds) {
        request<WIDTH, PIECE, L1>
            <<<sms, 32 * warps>>>(data.data(), block_bytes, rounds, 0, intervals.data(), out.data());
        finish("L1 requests");
        return block_span(intervals.host(), warps);
    };
    recorder.add({"l1_requests", params, "cycles", L1 ? "l1.tag_lines_per_cycle" : "l1.miss_lines_per_cycle"},
                 difference([&] { return run(short_rounds); }, [&] { return run(long_rounds); },
                            double(columns) * (long_rounds - short_rounds) * warps));
}

template <int WIDTH, int PIECE>
void measure_piece(const Device& device, Recorder& recorder) {
    for (const int warps : {8, 32}) {
        measure<WIDTH, PIECE, true>(recorder, 1, warps);
        measure<WIDTH, PIECE, false>(recorder, 1, warps);
        measure<WIDTH, PIECE, false>(recorder, device.sm_count, warps);
    }
}

template <int WIDTH>
void measure_width(const Device& device, Recorder& recorder) {
    measure_piece<WIDTH, WIDTH == 4 ? 16 : 32>(device, recorder);
    measure_piece<WIDTH, 64>(device, recorder);
    measure_piece<WIDTH, 128>(device, recorder);
    measure_piece<WIDTH, 256>(device, recorder);
    measure_piece<WIDTH, 512>(device, recorder);
}

constexpr int tile_bytes = 24 * 1024, tile_threads = 256;

template <int WIDTH, int PIECE>
__global__ void __launch_bounds__(tile_threads, 1)
    tile(const char* data, std::size_t block_bytes, int tiles, Interval* blocks, unsigned* out) {
    constexpr int loads = tile_bytes / WIDTH / tile_threads;
    __shared__ unsigned kept[loads * tile_threads];
    const char* own = data + blockIdx.x * block_bytes;
    unsigned sum = 0;
    long long begin = 0;
    for (int t = -columns; t < tiles; ++t) {
        if (t == 0) {
            __syncthreads();
            begin = clock64();
        }
        const int column = (t & (columns - 1)) * PIECE;
        unsigned v[loads];
#pragma unroll
        for (int i = 0; i < loads; ++i) {
            v[i] = load<WIDTH, false>(
                own + offset_of<WIDTH, PIECE>(i * tile_threads + static_cast<int>(threadIdx.x)) + column);
        }
#pragma unroll
        for (int i = 0; i < loads; ++i) {
            kept[i * tile_threads + threadIdx.x] = v[i];
        }
        __syncthreads();
        sum += kept[threadIdx.x * 7 % (loads * tile_threads)];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        blocks[blockIdx.x] = {begin, clock64()};
    }
    if (sum == 1) {
        *out = sum;
    }
}

template <int WIDTH, int PIECE>
void measure_tile(Recorder& recorder, int sms) {
    const std::string params = pair("WIDTH", WIDTH) + ";" + pair("PIECE", PIECE) + ";" + pair("SMS", sms);
    if (!recorder.wanted("l1_tile", params)) {
        return;
    }
    constexpr int tiles = 64;
    const std::size_t block_bytes = bytes_of(tile_bytes / WIDTH, WIDTH, PIECE);
    const DeviceArray<char> data(block_bytes * static_cast<std::size_t>(sms) + 4096);
    const DeviceArray<Interval> blocks(static_cast<std::size_t>(sms));
    const DeviceArray<unsigned> out(1);
    std::vector<double> samples;
    for (int i = 0; i <= repetitions; ++i) {
        tile<WIDTH, PIECE><<<sms, tile_threads>>>(data.data(), block_bytes, tiles, blocks.data(), out.data());
        finish("tiles");
        double sum = 0;
        for (const Interval& block : blocks.host()) {
            sum += double(block.end - block.begin) / tiles;
        }
        if (i > 0) {
            samples.push_back(sum / sms);
        }
    }
    recorder.add({"l1_tile", params, "cycles", ""}, samples);
}

template <int BYTES>
void measure_tiles(Recorder& recorder, int sms) {
    measure_tile<BYTES, 32>(recorder, sms);
    measure_tile<BYTES, 64>(recorder, sms);
    measure_tile<BYTES, 128>(recorder, sms);
    measure_tile<BYTES, 512>(recorder, sms);
}

}  // namespace

void l1_requests(const Device& device, Recorder& recorder) {
    measure_width<4>(device, recorder);
    measure_width<8>(device, recorder);
    measure_width<16>(device, recorder);
    for (const int sms : {1, 64}) {
        measure_tiles<16>(recorder, sms);
        measure_tiles<8>(recorder, sms);
        measure_tiles<4>(recorder, sms);
    }
}

}  // namespace gpumodel::microbench
