// What one warp does with tensor cores: fragments, matrix loads and products of 16 x 8 results and 32 bytes
// of k. Elements are kept as they lie in memory, so that no header of CUDA's types is needed. TYPE: 0 = f16,
// 1 = bf16 (sm_80 and later), 2 = tf32 (sm_80 and later; an f32 of whose fraction the product sees ten bits),
// 3 = int8; ACC: 0 = f32, 1 = f16 (of f16 alone), 2 = s32 (of int8). sm_75 takes two products of half the
// steps, of int8 four; sm_70 multiplies otherwise (mma_quad.cuh). A type that a generation lacks compiles to
// nothing there.
#pragma once

namespace gpumodel::kernels {

template <int bytes>
struct Stored;
template <>
struct Stored<1> {
    using Type = unsigned char;
};
template <>
struct Stored<2> {
    using Type = unsigned short;
};
template <>
struct Stored<4> {
    using Type = unsigned;
};

template <int TYPE>
struct Elements {
    static constexpr int bytes = TYPE == 3 ? 1 : TYPE == 2 ? 4 : 2;
    using Type = typename Stored<bytes>::Type;
    static constexpr int word = 4 / bytes, piece = 16 / bytes, step = 32 / bytes;  // elements of each
    // B is column-major: a product wants 32 bits of one column side by side, and only 16-bit elements are
    // turned round by a matrix load.
    static constexpr bool b_by_columns = bytes != 2;
};

// 16 x 8 sums of a warp, this lane's four: rows lane/4 and lane/4 + 8, columns 2*(lane%4) and the next.
template <int ACC>
struct Sums {
    float c[4] = {};
};
template <>
struct Sums<1> {
    unsigned c[2] = {};  // two f16 each
};
template <>
struct Sums<2> {
    int c[4] = {};
};

__device__ __forceinline__ unsigned shared_address(const void* p) {
    return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

// Four 8x8 matrices; lane l names row l%8 of matrix l/8. `trans`: each lane gets a column's elements.
template <bool trans>
__device__ __forceinline__ void load_matrices(unsigned (&r)[4], unsigned address) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 750
    if (trans) {
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                     : "r"(address)
                     : "memory");
    } else {
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                     : "r"(address)
                     : "memory");
    }
#endif
}

template <int TYPE>
__device__ __forceinline__ void multiply(Sums<0>& sum, const unsigned (&a)[4], unsigned b0, unsigned b1) {
    float(&c)[4] = sum.c;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    if (TYPE == 1) {
        asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, "
            "%9}, "
            "{%0, %1, %2, %3};"
            : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
    } else if (TYPE == 2) {
        asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, "
            "%9}, "
            "{%0, %1, %2, %3};"
            : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
    } else {
        asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
            "{%0, %1, %2, %3};"
            : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
    }
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 750
    if constexpr (TYPE == 0) {  // nothing for what came with sm_80
        asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, "
            "%3};"
            : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
            : "r"(a[0]), "r"(a[1]), "r"(b0));
        asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, "
            "%3};"
            : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
            : "r"(a[2]), "r"(a[3]), "r"(b1));
    }
#endif
}

template <int TYPE>
__device__ __forceinline__ void multiply(Sums<1>& sum, const unsigned (&a)[4], unsigned b0, unsigned b1) {
    static_assert(TYPE == 0, "f16 sums are of f16 alone");
    unsigned(&c)[2] = sum.c;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
        : "+r"(c[0]), "+r"(c[1])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 750
    asm("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3}, {%4}, {%0, %1};"
        : "+r"(c[0]), "+r"(c[1])
        : "r"(a[0]), "r"(a[1]), "r"(b0));
    asm("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3}, {%4}, {%0, %1};"
        : "+r"(c[0]), "+r"(c[1])
        : "r"(a[2]), "r"(a[3]), "r"(b1));
#endif
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 750 && __CUDA_ARCH__ < 800
// 8 x 8 results and 16 bytes of k.
__device__ __forceinline__ void multiply_small(int& c0, int& c1, unsigned a, unsigned b) {
    asm("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
        : "+r"(c0), "+r"(c1)
        : "r"(a), "r"(b));
}
#endif

template <int TYPE>
__device__ __forceinline__ void multiply(Sums<2>& sum, const unsigned (&a)[4], unsigned b0, unsigned b1) {
    static_assert(TYPE == 3, "s32 sums are of int8");
    int(&c)[4] = sum.c;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 750
    multiply_small(c[0], c[1], a[0], b0);
    multiply_small(c[2], c[3], a[1], b0);
    multiply_small(c[0], c[1], a[2], b1);
    multiply_small(c[2], c[3], a[3], b1);
#endif
}

// Two neighbours of a row of C, row lane/4 (`half` 0) or lane/4 + 8 (1).
__device__ __forceinline__ void store_pair(void* c, size_t at, const Sums<0>& sum, int half) {
    *reinterpret_cast<float2*>(static_cast<float*>(c) + at) =
        make_float2(sum.c[2 * half], sum.c[2 * half + 1]);
}
__device__ __forceinline__ void store_pair(void* c, size_t at, const Sums<1>& sum, int half) {
    *reinterpret_cast<unsigned*>(static_cast<unsigned short*>(c) + at) = sum.c[half];
}
__device__ __forceinline__ void store_pair(void* c, size_t at, const Sums<2>& sum, int half) {
    *reinterpret_cast<int2*>(static_cast<int*>(c) + at) = make_int2(sum.c[2 * half], sum.c[2 * half + 1]);
}

// The WM x WN results of a warp, whose corner is at (row, column) of C.
template <int WM, int WN, int ACC>
__device__ __forceinline__ void store_results(void* c, unsigned n, unsigned row, unsigned column,
                                              const Sums<ACC> (&sums)[WM / 16][WN / 8]) {
    const unsigned lane = threadIdx.x % 32;
    for (int i = 0; i < WM / 16; ++i) {
        for (int j = 0; j < WN / 8; ++j) {
            for (int half = 0; half < 2; ++half) {
                const size_t at_row = row + 16 * i + 8 * half + lane / 4;
                store_pair(c, at_row * n + column + 8 * j + lane % 4 * 2, sums[i][j], half);
            }
        }
    }
}

}  // namespace gpumodel::kernels
