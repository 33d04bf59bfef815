// C = A B^T on Hopper: halves in, FP32 sums. One warp group per block; its first thread keeps STAGES tiles of A and B
// under way with tensor copies (cp.async.bulk.tensor), all four warps multiply them from shared memory (wgmma).
// A: M x K, B: N x K, both row by row; C: M x N. A block makes 128 x 128 of C: grid N/128, M/128; block 128;
// 4 * 32 KiB + 1 KiB of dynamic shared memory. Maps: boxes of 64 x 128 halves, swizzled by 128 bytes.
//   nvcc -arch=sm_90a -cubin group_gemm.cu
#include <cstdint>

struct alignas(128) TensorMap {  // CUtensorMap of cuda.h
    uint64_t opaque[16];
};

constexpr int stages = 4, tile_k = 64, tile = 128;
constexpr uint32_t operand_bytes = tile * tile_k * 2, stage_bytes = 2 * operand_bytes;

__device__ uint32_t shared_address(const void* p) {
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}
__device__ void init(uint32_t barrier) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier) : "memory");
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
__device__ void copy(uint32_t to, const TensorMap& map, int k, int row, uint32_t barrier) {
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(to),
        "l"(&map), "r"(k), "r"(row), "r"(barrier)
        : "memory");
}
// Rows of 128 bytes, swizzled; eight rows are 1024 bytes.
__device__ uint64_t descriptor(uint32_t address) {
    return (address & 0x3ffff) >> 4 | uint64_t(1) << 16 | uint64_t(64) << 32 | uint64_t(1) << 62;
}

#define C4(x) "+f"(d[x]), "+f"(d[x + 1]), "+f"(d[x + 2]), "+f"(d[x + 3])
#define C16(x) C4(x), C4(x + 4), C4(x + 8), C4(x + 12)
__device__ void multiply(float (&d)[64], uint64_t a, uint64_t b, int add) {
    asm volatile(
        "{.reg .pred p; setp.ne.b32 p, %66, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,"
        "%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,"
        "%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63}, %64, %65, p, 1, 1, 0, 0;}"
        : C16(0), C16(16), C16(32), C16(48)
        : "l"(a), "l"(b), "r"(add));
}

extern __shared__ __align__(1024) char space[];

extern "C" __global__ void __launch_bounds__(128)
    group_gemm(const __grid_constant__ TensorMap map_a, const __grid_constant__ TensorMap map_b, float* c, int n, int k) {
    __shared__ __align__(8) uint64_t barriers[stages];
    const uint32_t first = shared_address(barriers), base = shared_address(space);
    const int row = blockIdx.y * tile, column = blockIdx.x * tile, tiles = k / tile_k;
    const auto load = [&](int t) {
        const int stage = t % stages;
        const uint32_t barrier = first + 8 * stage, to = base + stage * stage_bytes;
        expect(barrier, stage_bytes);
        copy(to, map_a, t * tile_k, row, barrier);
        copy(to + operand_bytes, map_b, t * tile_k, column, barrier);
    };
    if (threadIdx.x == 0) {
        for (int s = 0; s < stages; ++s) init(first + 8 * s);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int s = 0; s < stages && s < tiles; ++s) load(s);
    }
    float upper[64], lower[64];
    for (int t = 0; t < tiles; ++t) {
        const int stage = t % stages;
        wait(first + 8 * stage, t / stages & 1);
        const uint32_t a = base + stage * stage_bytes, b = a + operand_bytes;
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (int i = 0; i < tile_k / 16; ++i) {
            const int add = t + i > 0;
            multiply(upper, descriptor(a) + 2 * i, descriptor(b) + 2 * i, add);
            multiply(lower, descriptor(a + operand_bytes / 2) + 2 * i, descriptor(b) + 2 * i, add);
        }
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
        __syncthreads();
        if (threadIdx.x == 0 && t + stages < tiles) load(t + stages);
    }
    const int lane = threadIdx.x % 32, at = row + threadIdx.x / 32 * 16 + lane / 4;
    for (int i = 0; i < 16; ++i) {
        float* to = c + static_cast<int64_t>(at) * n + column + 8 * i + 2 * (lane % 4);
        for (int half = 0; half < 2; ++half) {
            *reinterpret_cast<float2*>(to + half * 8 * n) = make_float2(upper[4 * i + 2 * half], upper[4 * i + 2 * half + 1]);
            *reinterpret_cast<float2*>(to + (64 + half * 8) * static_cast<int64_t>(n)) =
                make_float2(lower[4 * i + 2 * half], lower[4 * i + 2 * half + 1]);
        }
    }
}
