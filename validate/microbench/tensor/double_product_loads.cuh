// Loads of warps' FP64 matrix products (power.cu, `double`).
#pragma once

#include "validate/microbench/tensor/power_loads.cuh"

namespace gpumodel::microbench {

// All 52 bits of the fraction are random.
__device__ inline double random_double(unsigned i, unsigned salt) {
    return __hiloint2double(__double2hiint(double(value_of(i, salt, random_values))), mixed(i, salt + 1));
}

// DEPTH 4: m8n8k4 (DMMA.884), 16: m16n8k16 (DMMA.16816). 16 products a round on four accumulators.
template <int DEPTH>
__global__ void __launch_bounds__(256) double_product_load(double* out, int rounds) {
    double a[8], b[8];
    for (int i = 0; i < 8; ++i) {
        a[i] = random_double(threadIdx.x * 16 + i, 11);
        b[i] = random_double(threadIdx.x * 16 + 8 + i, 11);
    }
    double s[4][4] = {};
    for (int r = 0; r < rounds; ++r) {
#pragma unroll
        for (int k = 0; k < 4; ++k) {
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const int f = 2 * i + k;  // another fragment of B for each
                if (DEPTH == 4) {
                    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                        : "+d"(s[i][0]), "+d"(s[i][1])
                        : "d"(a[f & 7]), "d"(b[f & 7]));
                } else {
                    asm("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, "
                        "{%4,%5,%6,%7,%8,%9,%10,%11}, {%12,%13,%14,%15}, {%0,%1,%2,%3};"
                        : "+d"(s[i][0]), "+d"(s[i][1]), "+d"(s[i][2]), "+d"(s[i][3])
                        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]),
                          "d"(a[7]), "d"(b[f & 7]), "d"(b[(f + 1) & 7]), "d"(b[(f + 2) & 7]),
                          "d"(b[(f + 3) & 7]));
                }
            }
        }
    }
    double sum = 0;
    for (int i = 0; i < 4; ++i) {
        sum += s[i][0] + s[i][1] + s[i][2] + s[i][3];
    }
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}

}  // namespace gpumodel::microbench
