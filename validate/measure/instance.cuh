// The compiled kernels as data: what gpumodel-measure checks and times.
#pragma once

#include <cuda_runtime.h>

#include <string>
#include <vector>

namespace gpumodel::measure {

struct Shape {
    int m = 0, n = 0, k = 0;
};

enum class Signature {
    gemm,       // (int M, int N, int K, float alpha, const float* A, const float* B, float beta, float* C)
    ab,         // (const float* A, const float* B, float* C, int N), K = 32
    aat,        // (const float* A, float* C, int M), K = 32, M = N
    copy,       // (float* out, const float* in, int step), K = 1
    transpose,  // (float* out, const float* in, int M, int N), K = 1
    mma,        // (int M, int N, int K, const void* A, const void* B, void* C)
    wgmma,      // (int M, int N, int K, TensorMap A, TensorMap B, float* C), C of s8 integers
};

// What A and B hold.
enum class Element { f32, f16, bf16, tf32, s8 };

// B is column-major then (validate/kernels/mma_tile.cuh).
inline bool by_columns(Element element) {
    return element == Element::tf32 || element == Element::s8;
}

struct Instance {
    std::string family, params;  // "KEY=VALUE;...", as in the csv
    const void* kernel = nullptr;
    Signature signature = Signature::gemm;
    dim3 block;
    int bm = 0, bn = 0, bk = 0;  // M, N, K are multiples of these
    bool rows_first = false;     // grid (M/bm, N/bn) instead of (N/bn, M/bm)
    int step = 0;                // of the copies
    int least_sm = 0;            // compute capability times ten that the kernel needs
    Element element = Element::f32;
    bool half_sums = false;  // C and the sums are f16; of s8 they are s32, else f32
    int dynamic_shared_bytes = 0;
    bool only_sm = false;      // no later one than least_sm either
    bool linear_grid = false;  // tiles are numbered through
    bool persistent = false;   // at most a block per SM
    int cluster = 1;           // blocks of it, whose tiles lie one below the other
};

// Each appends the instances of one group of families.
void add_simple(std::vector<Instance>& list);
void add_block_tiles(std::vector<Instance>& list);
void add_vector_tiles(std::vector<Instance>& list);
void add_warp_tiles(std::vector<Instance>& list);
void add_double_buffers(std::vector<Instance>& list);
void add_matrix_products(std::vector<Instance>& list);
void add_group_products(std::vector<Instance>& list);
void add_guides(std::vector<Instance>& list);

// The shape that a launch for `shape` has in this family (K = 32 or 1 in the guides' kernels); m = 0 where
// the instance cannot run it.
[[nodiscard]] Shape launch_shape(const Instance& instance, Shape shape);

// A launch; errors are left to cudaGetLastError. `c` is the result. The matrices hold what the signature
// says; the copies touch step * M * N or M * N + step words.
void launch(const Instance& instance, Shape shape, const float* a, const float* b, float* c, float alpha,
            float beta);

// Resident blocks per SM; 0 if the GPU cannot run it.
[[nodiscard]] int blocks_per_sm(const Instance& instance);

// "BM, BN" and "128, 64" to "BM=128;BN=64".
[[nodiscard]] std::string params_of(const char* names, const char* values);

using GemmKernel = void (*)(int, int, int, float, const float*, const float*, float, float*);

// A product whose grid has its columns first and whose template arguments are those of a tile.
[[nodiscard]] Instance tile_instance(const char* family, std::string params, GemmKernel kernel, int threads,
                                     int bm, int bn, int bk);

inline constexpr const char* tile_names = "BM,BN,BK,TM,TN,UNROLL";
inline constexpr const char* warp_names = "BM,BN,BK,WM,WN,WNITER,TM,TN,THREADS,UNROLL";

}  // namespace gpumodel::measure
