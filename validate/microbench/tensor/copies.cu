// Loops of bulk copies and of tensor copies: the kernels that the rows bulk_copy*, tma2d* of
// ../../data/h200_sxm_tensor_micro.csv timed (one warp a block; `times`: the first thread's clock before and after).
// One thread keeps `depth` stages under way; a stage is `per` copies on one barrier. Compile with CUDA 13 for sm_90a;
// the listing is copies.sass.gz.
#include <cstdint>

struct alignas(128) TensorMap {  // CUtensorMap of cuda.h
    uint64_t opaque[16];
};

namespace {

__device__ __forceinline__ uint32_t shared_address(const void* p) {
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}
__device__ __forceinline__ long long now() {
    long long t;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(t)::"memory");
    return t;
}
__device__ __forceinline__ void init(uint32_t barrier, int arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0],%1;" ::"r"(barrier), "r"(arrivals) : "memory");
}
__device__ __forceinline__ void expect(uint32_t barrier, uint32_t bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _,[%0],%1;" ::"r"(barrier), "r"(bytes) : "memory");
}
__device__ __forceinline__ void wait(uint32_t barrier, uint32_t parity) {
    asm volatile(
        "{\n.reg .pred P1;\nLAB_WAIT:\nmbarrier.try_wait.parity.shared::cta.b64 P1,[%0],%1;\n@P1 bra.uni DONE;\n"
        "bra.uni LAB_WAIT;\nDONE:\n}" ::"r"(barrier),
        "r"(parity)
        : "memory");
}

template <class Fill>
__device__ __forceinline__ void ring(int trips, int depth, uint32_t first_barrier, long long* times, const Fill& fill) {
    const long long begin = now();
    for (int i = 0; i < depth && i < trips; i++) fill(i);
    uint32_t parity = 0;
    for (int i = 0, stage = 0; i < trips; i++) {
        wait(first_barrier + 8 * stage, parity);
        if (i + depth < trips) fill(stage);
        if (++stage == depth) {
            stage = 0;
            parity ^= 1;
        }
    }
    const long long end = now();
    times[2 * blockIdx.x] = begin;
    times[2 * blockIdx.x + 1] = end;
}

}  // namespace

extern __shared__ __align__(1024) char space[];

// `span`: bytes that a block walks through, over and over.
extern "C" __global__ void bulk_copies(int trips, int depth, int per, uint32_t bytes, long long* times, const char* from,
                                       uint32_t span) {
    __shared__ __align__(8) uint64_t barriers[8];
    if (threadIdx.x == 0) {
        for (int i = 0; i < depth; i++) init(shared_address(&barriers[i]), 1);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        const char* own = from + static_cast<size_t>(blockIdx.x) * span;
        uint32_t offset = 0, base = shared_address(space), first = shared_address(&barriers[0]);
        ring(trips, depth, first, times, [&](int stage) {
            uint32_t barrier = first + 8 * stage, to = base + stage * per * bytes;
            expect(barrier, per * bytes);
#pragma unroll 4
            for (int q = 0; q < per; q++) {
                asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0],[%1],%2,[%3];" ::"r"(
                                 to),
                             "l"(own + offset), "r"(bytes), "r"(barrier)
                             : "memory");
                to += bytes;
                offset += bytes;
            }
            if (offset + per * bytes > span) offset = 0;
        });
    }
}

// Boxes of 64 x `rows` 16-bit elements, swizzled by 128 bytes, down the tensor's `height` and then on through its `width`.
extern "C" __global__ void tensor_copies(int trips, int depth, int per, int rows, long long* times,
                                         const __grid_constant__ TensorMap map, int height, int width) {
    __shared__ __align__(8) uint64_t barriers[8];
    if (threadIdx.x == 0) {
        for (int i = 0; i < depth; i++) init(shared_address(&barriers[i]), 1);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        uint32_t bytes = rows * 128, base = (shared_address(space) + 1023) & ~1023u, first = shared_address(&barriers[0]);
        int row = 0, column = (blockIdx.x * 64) % width;
        ring(trips, depth, first, times, [&](int stage) {
            uint32_t barrier = first + 8 * stage, to = base + stage * per * bytes;
            expect(barrier, per * bytes);
#pragma unroll 4
            for (int q = 0; q < per; q++) {
                asm volatile(
                    "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0],[%1,{%2,%3}],[%4];" ::"r"(
                        to),
                    "l"(&map), "r"(column), "r"(row), "r"(barrier)
                    : "memory");
                to += bytes;
                row += rows;
                if (row >= height) {
                    row = 0;
                    column += 64;
                    if (column >= width) column = 0;
                }
            }
        });
    }
}
