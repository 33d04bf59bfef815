// What a warp group (four warps) does with Hopper's tensor cores: tensor copies into shared memory (TMA),
// barriers that count their bytes, and products of 64 x N sums whose operands both lie in shared memory
// (wgmma; PTX ISA, "Asynchronous warpgroup level matrix instructions"). sm_90a alone: for any other target
// all of this compiles to nothing. TYPE: 0 = f16, 1 = bf16, 2 = tf32, 3 = int8; sums are f32, of int8 s32.
#pragma once

#include "mma.cuh"

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define GPUMODEL_WGMMA 1
#endif

namespace gpumodel::kernels {

struct alignas(128) TensorMap {  // CUtensorMap of cuda.h
    unsigned long long opaque[16];
};

#if defined(GPUMODEL_WGMMA)

__device__ __forceinline__ void barrier_init(unsigned barrier, int arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}
// An arrival that says how many bytes of copies the phase waits for.
__device__ __forceinline__ void barrier_expect(unsigned barrier, unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
                 : "memory");
}
__device__ __forceinline__ void barrier_arrive(unsigned barrier) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}
__device__ __forceinline__ void barrier_wait(unsigned barrier, unsigned parity) {
    asm volatile(
        "{.reg .pred done;\nAGAIN: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
        "@done bra OVER;\nbra AGAIN;\nOVER: }" ::"r"(barrier),
        "r"(parity)
        : "memory");
}

// One lane of a converged warp: its branch keeps addresses in uniform registers, as copies take them.
__device__ __forceinline__ bool elected() {
    unsigned is = 0;
    asm volatile("{.reg .pred p;\nelect.sync _|p, 0xffffffff;\nselp.u32 %0, 1, 0, p;}" : "=r"(is));
    return is != 0;
}
// Of the warp in its block, as a number that the compiler knows to be the same in all lanes.
__device__ __forceinline__ int warp_number() {
    return __shfl_sync(0xffffffff, static_cast<int>(threadIdx.x / 32), 0);
}

// The box of `map` that begins at (column, row); its bytes come to `barrier`.
__device__ __forceinline__ void copy_box(unsigned to, const TensorMap& map, int column, int row,
                                         unsigned barrier) {
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], "
        "[%4];" ::"r"(to),
        "l"(&map), "r"(column), "r"(row), "r"(barrier)
        : "memory");
}

// Matrix descriptor of rows of 128 bytes, swizzled, eight of them in 1024 bytes. `boxes_apart`: bytes from
// one box's columns to the next box's where they are the product's columns (B of 16-bit elements); else
// nothing.
__device__ __forceinline__ unsigned long long descriptor(unsigned address, unsigned boxes_apart) {
    constexpr unsigned long long eight_rows = 1024 >> 4, swizzle_128 = 1;
    return (address & 0x3ffff) >> 4 | static_cast<unsigned long long>(boxes_apart >> 4) << 16 |
           eight_rows << 32 | swizzle_128 << 62;
}

__device__ __forceinline__ void products_begin() {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
__device__ __forceinline__ void products_end_group() {
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
template <int under_way>
__device__ __forceinline__ void products_wait() {
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(under_way) : "memory");
}

// sums += A * B, or = where `add` is 0: 64 x N sums, 32 bytes of k; A by rows. Of 16-bit elements B's rows
// are the steps of k; of others they are the product's columns, since wgmma turns 16-bit elements alone
// round.
#define GPUMODEL_T(t) \
    "%" #t "0,%" #t "1,%" #t "2,%" #t "3,%" #t "4,%" #t "5,%" #t "6,%" #t "7,%" #t "8,%" #t "9,"
#define GPUMODEL_TO29 "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9," GPUMODEL_T(1) GPUMODEL_T(2)
#define GPUMODEL_TO59 GPUMODEL_TO29 GPUMODEL_T(3) GPUMODEL_T(4) GPUMODEL_T(5)
#define GPUMODEL_TO89 GPUMODEL_TO59 GPUMODEL_T(6) GPUMODEL_T(7) GPUMODEL_T(8)
#define GPUMODEL_TO119 GPUMODEL_TO89 GPUMODEL_T(9) GPUMODEL_T(10) GPUMODEL_T(11)
#define GPUMODEL_8(kind, x)                                                                     \
    kind(d[x]), kind(d[x + 1]), kind(d[x + 2]), kind(d[x + 3]), kind(d[x + 4]), kind(d[x + 5]), \
        kind(d[x + 6]), kind(d[x + 7])
#define GPUMODEL_32(kind, x) \
    GPUMODEL_8(kind, x), GPUMODEL_8(kind, x + 8), GPUMODEL_8(kind, x + 16), GPUMODEL_8(kind, x + 24)
#define GPUMODEL_64(kind, x) GPUMODEL_32(kind, x), GPUMODEL_32(kind, x + 32)
#define GPUMODEL_96(kind, x) GPUMODEL_64(kind, x), GPUMODEL_32(kind, x + 64)
#define GPUMODEL_128(kind, x) GPUMODEL_64(kind, x), GPUMODEL_64(kind, x + 64)
// `how` ends the operands: signs of A and B, which of them lie transposed.
#define GPUMODEL_PRODUCT(n, types, how, registers, last, ...)                                       \
    asm volatile("{.reg .pred add; setp.ne.b32 add, " last                                          \
                 ", 0;\nwgmma.mma_async.sync.aligned.m64n" #n types " {" registers ", add" how ";}" \
                 : __VA_ARGS__                                                                      \
                 : "l"(a), "l"(b), "r"(add))
#define GPUMODEL_PRODUCTS(n, registers, last, sums)                                                   \
    template <int TYPE>                                                                               \
    __device__ __forceinline__ void multiply_group(float(&d)[n / 2], unsigned long long a,            \
                                                   unsigned long long b, int add) {                   \
        if constexpr (TYPE == 2) {                                                                    \
            GPUMODEL_PRODUCT(n, "k8.f32.tf32.tf32", ", 1, 1", registers, last, sums("+f", 0));        \
        } else if constexpr (TYPE == 1) {                                                             \
            GPUMODEL_PRODUCT(n, "k16.f32.bf16.bf16", ", 1, 1, 0, 1", registers, last, sums("+f", 0)); \
        } else {                                                                                      \
            GPUMODEL_PRODUCT(n, "k16.f32.f16.f16", ", 1, 1, 0, 1", registers, last, sums("+f", 0));   \
        }                                                                                             \
    }                                                                                                 \
    template <int TYPE>                                                                               \
    __device__ __forceinline__ void multiply_group(int(&d)[n / 2], unsigned long long a,              \
                                                   unsigned long long b, int add) {                   \
        GPUMODEL_PRODUCT(n, "k32.s32.s8.s8", "", registers, last, sums("+r", 0));                     \
    }
GPUMODEL_PRODUCTS(64, GPUMODEL_TO29 "%30,%31}, %32, %33", "%34", GPUMODEL_32)
GPUMODEL_PRODUCTS(128, GPUMODEL_TO59 "%60,%61,%62,%63}, %64, %65", "%66", GPUMODEL_64)
GPUMODEL_PRODUCTS(192, GPUMODEL_TO89 "%90,%91,%92,%93,%94,%95}, %96, %97", "%98", GPUMODEL_96)
GPUMODEL_PRODUCTS(256, GPUMODEL_TO119 "%120,%121,%122,%123,%124,%125,%126,%127}, %128, %129", "%130",
                  GPUMODEL_128)
#undef GPUMODEL_PRODUCTS
#undef GPUMODEL_PRODUCT
#undef GPUMODEL_128
#undef GPUMODEL_96
#undef GPUMODEL_64
#undef GPUMODEL_32
#undef GPUMODEL_8
#undef GPUMODEL_TO119
#undef GPUMODEL_TO89
#undef GPUMODEL_TO59
#undef GPUMODEL_TO29
#undef GPUMODEL_T

#endif

}  // namespace gpumodel::kernels
