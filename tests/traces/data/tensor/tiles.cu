// Copies of tensors' tiles, which the tests execute (../tile_test.cpp). Compile with CUDA 12 or later for sm_90a.
#include <cstdint>

struct alignas(128) TensorMap {  // CUtensorMap of cuda.h
    uint64_t opaque[16];
};

__device__ uint32_t shared_address(const void* p) {
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}
__device__ void init(uint32_t barrier, int arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
__device__ void expect(uint32_t barrier, uint32_t bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}
__device__ void wait(uint32_t barrier, uint32_t parity) {
    asm volatile("{.reg .pred p; L: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @p bra D; bra L; D: }" ::"r"(
                     barrier),
                 "r"(parity)
                 : "memory");
}

extern __shared__ __align__(1024) uint32_t space[];

#define LOAD(name, dimensions, coordinates, barrier, ...)                                                              \
    extern "C" __global__ void name(const __grid_constant__ TensorMap map, int x, int y, int z, int bytes, uint32_t* out) { \
        __shared__ __align__(8) uint64_t arrived;                                                                      \
        const uint32_t b = shared_address(&arrived);                                                                   \
        if (threadIdx.x == 0) {                                                                                        \
            init(b, 1);                                                                                                \
            asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");                                           \
        }                                                                                                              \
        __syncthreads();                                                                                               \
        if (threadIdx.x == 0) {                                                                                        \
            expect(b, bytes);                                                                                          \
            asm volatile("cp.async.bulk.tensor." dimensions                                                            \
                         ".shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, " coordinates "], [" barrier \
                         "];" ::"r"(shared_address(space)),                                                            \
                         "l"(&map), __VA_ARGS__, "r"(b)                                                                \
                         : "memory");                                                                                  \
        }                                                                                                              \
        wait(b, 0);                                                                                                    \
        for (int i = threadIdx.x; i < bytes / 4; i += blockDim.x) out[i] = space[i];                                   \
    }

LOAD(load_1d, "1d", "{%2}", "%3", "r"(x))
LOAD(load_2d, "2d", "{%2, %3}", "%4", "r"(x), "r"(y))
LOAD(load_3d, "3d", "{%2, %3, %4}", "%5", "r"(x), "r"(y), "r"(z))

extern "C" __global__ void store_2d(const __grid_constant__ TensorMap map, int x, int y, const uint32_t* in, int words) {
    for (int i = threadIdx.x; i < words; i += blockDim.x) space[i] = in[i];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%2, %3}], [%1];" ::"l"(&map),
                     "r"(shared_address(space)), "r"(x), "r"(y)
                     : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
}

extern "C" __global__ void multicast(const __grid_constant__ TensorMap map, int x, int y, int bytes, uint32_t* out) {
    __shared__ __align__(8) uint64_t arrived;
    const uint32_t b = shared_address(&arrived);
    if (threadIdx.x == 0) {
        init(b, 1);
        expect(b, bytes);
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], "
                     "[%1, {%2, %3}], [%4], %5;" ::"r"(shared_address(space)),
                     "l"(&map), "r"(x), "r"(y), "r"(b), "h"(static_cast<uint16_t>(3))
                     : "memory");
    }
    __syncthreads();
    wait(b, 0);
    out[threadIdx.x] = space[threadIdx.x];
}
