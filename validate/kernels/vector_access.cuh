// 16-byte global and shared accesses that the vectorised families share. All offsets are in words and
// all addresses 16-byte aligned.
#pragma once

namespace gpumodel::kernels {

__device__ __forceinline__ float4 load4(const float* p) {
    return *reinterpret_cast<const float4*>(p);
}

__device__ __forceinline__ void store4(float* p, float4 v) {
    *reinterpret_cast<float4*>(p) = v;
}

// Four consecutive words of a row of A become a column piece of As (k-major, pitch BM).
template <int BM>
__device__ __forceinline__ void store_transposed(float* As, unsigned row, unsigned vec, float4 v) {
    As[(vec * 4 + 0) * BM + row] = v.x;
    As[(vec * 4 + 1) * BM + row] = v.y;
    As[(vec * 4 + 2) * BM + row] = v.z;
    As[(vec * 4 + 3) * BM + row] = v.w;
}

// c[0..3] = alpha*acc[0..3] + beta*c[0..3]
__device__ __forceinline__ void update4(float* c, const float* acc, float alpha, float beta) {
    float4 v = load4(c);
    v.x = alpha * acc[0] + beta * v.x;
    v.y = alpha * acc[1] + beta * v.y;
    v.z = alpha * acc[2] + beta * v.z;
    v.w = alpha * acc[3] + beta * v.w;
    store4(c, v);
}

}  // namespace gpumodel::kernels
