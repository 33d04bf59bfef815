// Which FP32 divisions take the slow path, as FCHK decides: by the time that one of them takes.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -o division validate/microbench/division/division.cu
//   division > validate/data/h200_sxm_division.csv      a second
//
// numerator,mantissas,denominator_exponent,fast_from,fast_to,fast
//   Of numerators with each exponent (the eight bits, 0 to 255) or of zero (`numerator` any, zero), and denominators with the
//   given one: the first and the last numerator's exponent with which the division takes the fast path (-1: none) and how many
//   do. mantissas: those of both, none (all bits 0) or all (all bits 1).
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include "../standalone.cuh"

namespace {

__global__ void divide(const float* a, const float* b, int* cycles, float* out, int count) {
    const int i = blockIdx.x;
    const float x = a[i], y = b[i];
    if (x == 1.25F && y == 3.75F && count < 0) out[0] = x;
    __syncthreads();
    const int begin = clock();
    const float q = x / y;
    out[i] = q;
    const int end = clock() + (__float_as_int(q) == 0x12345678 ? 1 : 0);
    if (threadIdx.x == 0) cycles[i] = end - begin;
}

float number(int exponent, uint32_t mantissa) {
    const uint32_t bits = static_cast<uint32_t>(exponent) << 23 | mantissa;
    float f;
    std::memcpy(&f, &bits, 4);
    return f;
}

}  // namespace

int main() {
    constexpr int exponents = 256;
    std::vector<float> a, b;
    for (uint32_t mantissa : {0U, 0x7fffffU}) {
        for (int d = 0; d < exponents; ++d) {
            for (int n = 0; n < exponents; ++n) {
                a.push_back(number(n, mantissa));
                b.push_back(number(d, mantissa));
            }
            a.push_back(0);
            b.push_back(number(d, mantissa));
        }
    }
    const int count = static_cast<int>(a.size());
    float *da, *db, *out;
    int* dc;
    check(cudaMalloc(&da, 4 * count));
    check(cudaMalloc(&db, 4 * count));
    check(cudaMalloc(&out, 4 * count));
    check(cudaMalloc(&dc, 4 * count));
    check(cudaMemcpy(da, a.data(), 4 * count, cudaMemcpyHostToDevice));
    check(cudaMemcpy(db, b.data(), 4 * count, cudaMemcpyHostToDevice));
    std::vector<int> least(count, 1 << 30), cycles(count);
    for (int r = 0; r < 20; ++r) {
        divide<<<count, 32>>>(da, db, dc, out, count);
        check(cudaDeviceSynchronize());
        check(cudaMemcpy(cycles.data(), dc, 4 * count, cudaMemcpyDeviceToHost));
        for (int i = 0; i < count; ++i) least[i] = std::min(least[i], cycles[i]);
    }
    const auto [low, high] = std::minmax_element(least.begin(), least.end());
    const int middle = *low + 70;  // the slow path takes over a hundred
    cudaDeviceProp gpu{};
    check(cudaGetDeviceProperties(&gpu, 0));
    std::vector<int> seen(100, 0);
    for (int i = 0; i < count; ++i) ++seen[std::min(99, least[i] / 10)];
    std::printf("# gpu: %s\n# cycles %d to %d; by tens:", gpu.name, *low, *high);
    for (int i = 0; i < 100; ++i) {
        if (seen[i] > 0) std::printf(" %d: %d", 10 * i, seen[i]);
    }
    std::printf("\nnumerator,mantissas,denominator_exponent,fast_from,fast_to,fast\n");
    for (int i = 0, m = 0; m < 2; ++m) {
        for (int d = 0; d < exponents; ++d) {
            int from = -1, to = -1, fast = 0;
            for (int n = 0; n < exponents; ++n, ++i) {
                if (least[i] >= middle) continue;
                from = from < 0 ? n : from;
                to = n;
                ++fast;
            }
            std::printf("any,%s,%d,%d,%d,%d\n", m == 0 ? "none" : "all", d, from, to, fast);
            std::printf("zero,%s,%d,%d,%d,%d\n", m == 0 ? "none" : "all", d, least[i] < middle ? 0 : -1, least[i] < middle ? 0 : -1,
                        least[i] < middle ? 1 : 0);
            ++i;
        }
    }
}
