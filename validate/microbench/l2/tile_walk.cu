// l2_tile_walk ROWS=..;COLS=..;BK=..;GRID_X=..;GRID_Y=..;K=..   cycles per tile, mean over the blocks, of the
// global reads of a tiled product with one block per SM: block (x, y) walks along the K columns of its ROWS
// rows of A and the K rows of its COLS columns of B, BK at a time, and waits for a tile before it asks for
// the next. A test of what the other benchmarks determine: no key is fitted to it.
#include "validate/microbench/l2/l2.cuh"

namespace gpumodel::microbench {
namespace {

constexpr int threads = 256;
constexpr int leading_dimension = 4096;  // words

template <int ROWS, int COLS, int BK>
__global__ void __launch_bounds__(threads, 1)
    tile_walk(const float* a, const float* b, int k_extent, Interval* intervals, float* out) {
    constexpr int a_vectors = ROWS * BK / 4 / threads, b_vectors = COLS * BK / 4 / threads;
    constexpr int a_rows = threads / (BK / 4), b_rows = threads / (COLS / 4);
    __shared__ float4 tile[(a_vectors + b_vectors) * threads];
    const int thread = static_cast<int>(threadIdx.x);
    const float* from_a =
        a + (blockIdx.y * ROWS + thread / (BK / 4)) * leading_dimension + thread % (BK / 4) * 4;
    const float* from_b =
        b + thread / (COLS / 4) * leading_dimension + blockIdx.x * COLS + thread % (COLS / 4) * 4;
    float sum = 0;
    __syncthreads();
    const long long begin = clock64();
    for (int k = 0; k < k_extent; k += BK) {
        float4 v[a_vectors + b_vectors];
#pragma unroll
        for (int i = 0; i < a_vectors; ++i) {
            v[i] = *reinterpret_cast<const float4*>(from_a + i * a_rows * leading_dimension);
        }
#pragma unroll
        for (int i = 0; i < b_vectors; ++i) {
            v[a_vectors + i] = *reinterpret_cast<const float4*>(from_b + i * b_rows * leading_dimension);
        }
#pragma unroll
        for (int i = 0; i < a_vectors + b_vectors; ++i) {
            tile[i * threads + thread] = v[i];
        }
        __syncthreads();
        sum += tile[thread * 5 % threads].y;
        __syncthreads();
        from_a += BK;
        from_b += BK * leading_dimension;
    }
    if (thread == 0) {
        intervals[blockIdx.x + blockIdx.y * gridDim.x] = {begin, clock64()};
    }
    if (sum == 1) {
        *out = sum;  // never: the data are zero
    }
}

template <int ROWS, int COLS, int BK>
void measure(Recorder& recorder, const DeviceArray<float>& a, const DeviceArray<float>& b, dim3 grid) {
    for (const int k : {256, 512, 768, 1024, 1280, 1408, 1536, 1664, 1792, 2048, 2560, 3072, 4096}) {
        const std::string params = pair("ROWS", ROWS) + ";" + pair("COLS", COLS) + ";" + pair("BK", BK) +
                                   ";" + pair("GRID_X", grid.x) + ";" + pair("GRID_Y", grid.y) + ";" +
                                   pair("K", k);
        if (!recorder.wanted("l2_tile_walk", params)) {
            continue;
        }
        const std::size_t blocks = std::size_t(grid.x) * grid.y;
        const DeviceArray<Interval> intervals(blocks);
        const DeviceArray<float> out(1);
        std::vector<double> samples;
        for (int i = 0; i < (recorder.once() ? 2 : 1 + repetitions); ++i) {
            tile_walk<ROWS, COLS, BK><<<grid, threads>>>(a.data(), b.data(), k, intervals.data(), out.data());
            finish("tile walk");
            double sum = 0;
            for (const auto& block : intervals.host()) {
                sum += double(block.end - block.begin) * BK / k;
            }
            if (i > 0) {
                samples.push_back(sum / double(blocks));
            }
        }
        recorder.add({"l2_tile_walk", params, "cycles", ""}, samples);
    }
}

}  // namespace

void l2_tile_walk(const Device&, Recorder& recorder) {
    const DeviceArray<float> a(std::size_t(leading_dimension) * leading_dimension);
    const DeviceArray<float> b(std::size_t(leading_dimension) * leading_dimension);
    measure<256, 128, 16>(recorder, a, b, dim3(16, 8));
    measure<256, 128, 16>(recorder, a, b, dim3(1, 1));
    measure<128, 128, 16>(recorder, a, b, dim3(8, 16));
    measure<128, 128, 16>(recorder, a, b, dim3(16, 8));
    measure<128, 256, 16>(recorder, a, b, dim3(8, 16));
}

}  // namespace gpumodel::microbench
