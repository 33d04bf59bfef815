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
LOAD(load_5d, "5d", "{%2, %3, %4, %5, %6}", "%7", "r"(x), "r"(y), "r"(z), "r"(0), "r"(0))

// The map lies in device memory. Lane 0 alone copies; its path and the others' use uniform registers of their own.
extern "C" __global__ void load_by_address(const TensorMap* map, int x, int y, int bytes, uint32_t* out) {
    __shared__ __align__(8) uint64_t arrived;
    const uint32_t b = shared_address(&arrived);
    if (threadIdx.x == 0) init(b, blockDim.x);
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
                         shared_address(space)),
                     "l"(map), "r"(x), "r"(y), "r"(b)
                     : "memory");
        expect(b, bytes);
    } else {
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(b) : "memory");
    }
    wait(b, 0);
    for (int i = threadIdx.x; i < bytes / 4; i += blockDim.x) out[i] = space[i];
}

// A ring of three stages as cuda::barrier's users write it: all that meet at a barrier arrive and wait with the token of
// their arrival; registers move from those who copy to those who compute. out[i] = sum over tiles of in[tile][i].
__device__ uint64_t arrive(uint32_t barrier) {
    uint64_t token;
    asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(token) : "r"(barrier) : "memory");
    return token;
}
__device__ void wait_for(uint32_t barrier, uint64_t token) {
    asm volatile("{.reg .pred p; L: mbarrier.try_wait.shared::cta.b64 p, [%0], %1; @p bra D; bra L; D: }" ::"r"(barrier),
                 "l"(token)
                 : "memory");
}
extern "C" __global__ void __maxnreg__(168) token_ring(const float* in, float* out, int tiles) {
    constexpr int stages = 3, words = 512;
    __shared__ __align__(128) float tile[stages][words];
    __shared__ __align__(8) uint64_t full[stages], empty[stages];
    if (threadIdx.x == 0) {
        for (int s = 0; s < stages; ++s) {
            init(shared_address(&full[s]), 257);
            init(shared_address(&empty[s]), 257);
        }
    }
    __syncthreads();
    in += static_cast<size_t>(blockIdx.x) * tiles * words;
    if (threadIdx.x < 128) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
        if (threadIdx.x == 0) {
#pragma unroll 1
            for (int n = 0, s = 0; n < tiles; ++n, s = s == stages - 1 ? 0 : s + 1) {
                const uint32_t e = shared_address(&empty[s]), f = shared_address(&full[s]);
                wait_for(e, arrive(e));
                asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                                 shared_address(tile[s])),
                             "l"(in + n * words), "r"(words * 4), "r"(f)
                             : "memory");
                expect(f, words * 4);
            }
        }
        return;
    }
    asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
    for (int s = 0; s < stages; ++s) arrive(shared_address(&empty[s]));
    const int i = threadIdx.x - 128;
    float sum[2] = {};
#pragma unroll 1
    for (int n = 0, s = 0; n < tiles; ++n, s = s == stages - 1 ? 0 : s + 1) {
        const uint32_t f = shared_address(&full[s]);
        wait_for(f, arrive(f));
        for (int j = 0; j < 2; ++j) sum[j] += tile[s][i + 256 * j];
        arrive(shared_address(&empty[s]));
    }
    for (int j = 0; j < 2; ++j) out[blockIdx.x * words + i + 256 * j] = sum[j];
}

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

// Pairs of halves of two FP32 numbers: as bfloat16 to nearest, cut off, with negative ones as 0; as half precision.
extern "C" __global__ void pack_pairs(const float* in, uint32_t* out) {
    const float a = in[2 * threadIdx.x], b = in[2 * threadIdx.x + 1];
    uint32_t r[4];
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r[0]) : "f"(a), "f"(b));
    asm("cvt.rz.bf16x2.f32 %0, %1, %2;" : "=r"(r[1]) : "f"(a), "f"(b));
    asm("cvt.rn.relu.bf16x2.f32 %0, %1, %2;" : "=r"(r[2]) : "f"(a), "f"(b));
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(r[3]) : "f"(a), "f"(b));
    for (int i = 0; i < 4; ++i) out[4 * threadIdx.x + i] = r[i];
}

// A cluster of two: the first block copies a tile to both, each adds its rank, and tells the other by an arrival.
extern "C" __global__ void __cluster_dims__(2, 1, 1)
    both_blocks(const __grid_constant__ TensorMap map, int bytes, uint32_t* out) {
    __shared__ __align__(8) uint64_t arrived, done;
    const uint32_t b = shared_address(&arrived), d = shared_address(&done);
    uint32_t rank, number, blocks;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    asm("mov.u32 %0, %%clusterid.x;" : "=r"(number));
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(blocks));
    if (threadIdx.x == 0) {
        init(b, 1);
        init(d, 1);
    }
    asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
    if (threadIdx.x == 0) {
        expect(b, bytes);
        if (rank == 0) {
            asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], "
                         "[%1, {%2, %3}], [%4], %5;" ::"r"(shared_address(space)),
                         "l"(&map), "r"(static_cast<int>(8 * number)), "r"(0), "r"(b), "h"(static_cast<uint16_t>(3))
                         : "memory");
        }
    }
    wait(b, 0);
    if (threadIdx.x == 0) {
        asm volatile("{.reg .b32 other; mapa.shared::cluster.u32 other, %0, %1;\n"
                     "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [other];}" ::"r"(d), "r"(rank ^ 1)
                     : "memory");
    }
    wait(d, 0);
    for (int i = threadIdx.x; i < bytes / 4; i += blockDim.x) out[blockIdx.x * (bytes / 4) + i] = space[i] + (rank + 16 * blocks) * 0x10000;
}

// Reads the other block's shared memory.
extern "C" __global__ void __cluster_dims__(2, 1, 1) other_memory(uint32_t* out) {
    space[threadIdx.x] = blockIdx.x;
    asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
    uint32_t value;
    asm volatile("{.reg .b32 other; mapa.shared::cluster.u32 other, %1, %2;\nld.shared::cluster.u32 %0, [other];}"
                 : "=r"(value)
                 : "r"(shared_address(space)), "r"((blockIdx.x ^ 1) & 1)
                 : "memory");
    out[blockIdx.x] = value;
}
