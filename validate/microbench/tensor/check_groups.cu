// What warp-group products compute on a GPU (the cases of tests/traces/data/tensor/group_cases.h), and how
// long examples/tensor/group_gemm.cu takes there: ../../data/h200_sxm_warp_groups.csv. Rows:
// case,kernel,bytes of a row of A,of B,slice,results that differ; gemm,M,N,K,us of a launch,wrong of 300
// elements. A time is the median of 11 series of five launches between two events, each after 20 ms of rest.
//   nvcc -arch=sm_90a -cubin ../../../tests/traces/data/tensor/warp_groups.cu
//   ../../../examples/tensor/group_gemm.cu nvcc -O2 -std=c++20 -arch=sm_90a -I../../.. -o check_groups
//   check_groups.cu -lcuda; ./check_groups groups.csv
#include <cuda.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "tests/traces/data/tensor/group_cases.h"
#define CK(x)                                                       \
    do {                                                            \
        cudaError_t e = (x);                                        \
        if (e != cudaSuccess) {                                     \
            fprintf(stderr, "%s: %s\n", #x, cudaGetErrorString(e)); \
            exit(1);                                                \
        }                                                           \
    } while (0)
typedef CUresult (*Encode)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
                           const cuuint64_t*, const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave,
                           CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
static Encode encode() {
    void* f = nullptr;
    cudaDriverEntryPointQueryResult r;
    CK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &f, 12000, cudaEnableDefault, &r));
    return (Encode)f;
}
static CUtensorMap map_of(Encode e, void* p, long rows, long k) {
    CUtensorMap m;
    cuuint64_t d[2] = {(cuuint64_t)k, (cuuint64_t)rows}, s[1] = {(cuuint64_t)k * 2};
    cuuint32_t b[2] = {64, 128}, es[2] = {1, 1};
    CUresult r =
        e(&m, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, p, d, s, b, es, CU_TENSOR_MAP_INTERLEAVE_NONE,
          CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (r) {
        fprintf(stderr, "encode %d\n", r);
        exit(1);
    }
    return m;
}
__global__ void fill(__half* p, size_t n, unsigned seed) {
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x) {
        unsigned x = (unsigned)i * 2654435761u + seed;
        x ^= x >> 15;
        x *= 0x7feb352du;
        x ^= x >> 13;
        p[i] = __float2half((int)(x % 9) * 0.25f - 1.0f);
    }
}
// Every case of group_cases.h: how many results differ from the host's.
static void cases(FILE* out) {
    cudaLibrary_t lib;
    CK(cudaLibraryLoadFromFile(&lib, "warp_groups.cubin", nullptr, nullptr, 0, nullptr, nullptr, 0));
    int good = 0, all = 0;
    for (auto& c : group_cases::all()) {
        auto p = group_cases::make(c);
        cudaKernel_t k;
        CK(cudaLibraryGetKernel(&k, lib, c.kernel.c_str()));
        unsigned *img, *regs = nullptr, *old, *o;
        CK(cudaMalloc(&img, p.image.size()));
        CK(cudaMemcpy(img, p.image.data(), p.image.size(), cudaMemcpyHostToDevice));
        if (c.a_in_registers) {
            CK(cudaMalloc(&regs, p.registers.size()));
            CK(cudaMemcpy(regs, p.registers.data(), p.registers.size(), cudaMemcpyHostToDevice));
        }
        CK(cudaMalloc(&old, p.old.size()));
        CK(cudaMemcpy(old, p.old.data(), p.old.size(), cudaMemcpyHostToDevice));
        CK(cudaMalloc(&o, p.old.size()));
        CK(cudaMemset(o, 0, p.old.size()));
        int words = (int)p.image.size() / 4, scale = c.adds;
        unsigned long long a = p.a, b = p.b;
        void* args[7] = {&img, &words, c.a_in_registers ? (void*)&regs : (void*)&a, &b, &old, &o, &scale};
        CK(cudaFuncSetAttribute((const void*)k, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                (int)std::max<size_t>(p.image.size(), 1024)));
        CK(cudaLaunchKernel((const void*)k, dim3(1), dim3(128), args, p.image.size(), 0));
        CK(cudaDeviceSynchronize());
        group_cases::Bytes back(p.old.size());
        CK(cudaMemcpy(back.data(), o, back.size(), cudaMemcpyDeviceToHost));
        auto v = group_cases::results(c, back);
        int wrong = 0;
        for (size_t i = 0; i < v.size(); i++)
            wrong += v[i] != p.expected[i];
        fprintf(out, "case,%s,%d,%d,%d,%d\n", c.kernel.c_str(), c.width_a * 16, c.width_b * 16, c.slice,
                wrong);
        all++;
        good += wrong == 0;
    }
    printf("%d of %d cases agree\n", good, all);
}
int main(int argc, char** argv) {
    FILE* out = fopen(argv[1], "w");
    cases(out);
    fflush(out);
    cudaLibrary_t lib;
    CK(cudaLibraryLoadFromFile(&lib, "group_gemm.cubin", nullptr, nullptr, 0, nullptr, nullptr, 0));
    cudaKernel_t k;
    CK(cudaLibraryGetKernel(&k, lib, "group_gemm"));
    auto e = encode();
    long shapes[][3] = {{1024, 1024, 1024}, {2048, 2048, 2048}, {4096, 4096, 4096}, {4096, 4096, 512},
                        {1024, 2048, 8192}, {128, 128, 4096},   {8192, 1024, 1024}, {6144, 6144, 1024}};
    CK(cudaFuncSetAttribute((const void*)k, cudaFuncAttributeMaxDynamicSharedMemorySize, 4 * 32768 + 1024));
    for (auto& s : shapes) {
        long M = s[0], N = s[1], K = s[2];
        __half *a, *b;
        float* c;
        CK(cudaMalloc(&a, M * K * 2));
        CK(cudaMalloc(&b, N * K * 2));
        CK(cudaMalloc(&c, M * N * 4));
        fill<<<512, 256>>>(a, M * K, 1);
        fill<<<512, 256>>>(b, N * K, 77);
        CUtensorMap ma = map_of(e, a, M, K), mb = map_of(e, b, N, K);
        int n = N, kk = K;
        void* args[5] = {&ma, &mb, &c, &n, &kk};
        auto go = [&] {
            CK(cudaLaunchKernel((const void*)k, dim3(N / 128, M / 128), dim3(128), args, 4 * 32768, 0));
        };
        go();
        CK(cudaDeviceSynchronize());
        std::vector<__half> ha(M * K), hb(N * K);
        std::vector<float> hc(M * N);
        cudaMemcpy(ha.data(), a, M * K * 2, cudaMemcpyDeviceToHost);
        cudaMemcpy(hb.data(), b, N * K * 2, cudaMemcpyDeviceToHost);
        cudaMemcpy(hc.data(), c, M * N * 4, cudaMemcpyDeviceToHost);
        int wrong = 0;
        for (int q = 0; q < 300; q++) {
            long i = (q * 7919L) % M, j = (q * 104729L) % N;
            double x = 0;
            for (long t = 0; t < K; t++)
                x += (double)__half2float(ha[i * K + t]) * __half2float(hb[j * K + t]);
            if (std::abs(x - hc[i * N + j]) > 1e-2 + 1e-4 * std::abs(x))
                wrong++;
        }
        cudaEvent_t e0, e1;
        cudaEventCreate(&e0);
        cudaEventCreate(&e1);
        std::vector<float> t;
        for (int r = 0; r < 3; r++)
            go();
        CK(cudaDeviceSynchronize());
        for (int r = 0; r < 11; r++) {
            cudaEventRecord(e0);
            for (int q = 0; q < 5; q++)
                go();
            cudaEventRecord(e1);
            CK(cudaEventSynchronize(e1));
            float ms;
            cudaEventElapsedTime(&ms, e0, e1);
            t.push_back(ms / 5 * 1000);
            struct timespec ts = {0, 20000000};
            nanosleep(&ts, nullptr);
        }
        std::sort(t.begin(), t.end());
        fprintf(out, "gemm,%ld,%ld,%ld,%.3f,%d\n", M, N, K, t[5], wrong);
        printf("%ld %ld %ld: %.2f us, wrong %d\n", M, N, K, t[5], wrong);
        cudaFree(a);
        cudaFree(b);
        cudaFree(c);
    }
    fclose(out);
}
