// Bulk copies by one thread, barriers in shared memory with their bytes.
#include <cuda/barrier>

#include <cstdint>
using u32 = unsigned;
__device__ inline u32 shared_of(const void* p) { return static_cast<u32>(__cvta_generic_to_shared(p)); }
__device__ inline void init(uint64_t* b, int n) { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_of(b)), "r"(n)); }
__device__ inline void expect(uint64_t* b, int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_of(b)), "r"(bytes) : "memory");
}
__device__ inline void arrive(uint64_t* b) { asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_of(b)) : "memory"); }
__device__ inline void wait(uint64_t* b, int parity) {
    asm volatile("{\n.reg .pred p;\nWAIT%=:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@p bra DONE%=;\nbra WAIT%=;\nDONE%=:\n}" ::"r"(shared_of(b)), "r"(parity) : "memory");
}
__device__ inline void copy_in(void* to, const void* from, int bytes, uint64_t* b) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared_of(to)), "l"(from), "r"(bytes), "r"(shared_of(b)) : "memory");
}
__device__ inline void copy_out(void* to, const void* from, int bytes) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(shared_of(from)), "r"(bytes) : "memory");
}
// out = 2 in + 1, tiles of 1024 floats by bulk copies with two stages.
extern "C" __global__ void scale_bulk(float* out, const float* in, int tiles) {
    __shared__ alignas(128) float tile[2][1024];
    __shared__ alignas(128) float result[1024];
    __shared__ uint64_t full[2];
    if (threadIdx.x == 0) {
        init(&full[0], 1); init(&full[1], 1);
        asm volatile("fence.proxy.async.shared::cta;");
    }
    __syncthreads();
    const int first = blockIdx.x, step = gridDim.x;
    if (threadIdx.x == 0)
        for (int s = 0; s < 2; ++s)
            if (first + s * step < tiles) {
                expect(&full[s], 4096);
                copy_in(tile[s], in + (size_t)(first + s * step) * 1024, 4096, &full[s]);
            }
    int n = 0;
    for (int t = first; t < tiles; t += step, ++n) {
        wait(&full[n % 2], n / 2 % 2);
        for (int i = threadIdx.x; i < 1024; i += blockDim.x) result[i] = 2 * tile[n % 2][i] + 1;
        asm volatile("fence.proxy.async.shared::cta;");
        __syncthreads();
        if (threadIdx.x == 0) {
            copy_out(out + (size_t)t * 1024, result, 4096);
            asm volatile("cp.async.bulk.commit_group;");
            if (t + 2 * step < tiles) {
                expect(&full[n % 2], 4096);
                copy_in(tile[n % 2], in + (size_t)(t + 2 * step) * 1024, 4096, &full[n % 2]);
            }
            asm volatile("cp.async.bulk.wait_group.read 0;");
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group 0;");
}
// A producer warp (one elected lane) and consumers, full and empty barriers, four stages; sums per block.
extern "C" __global__ void pipeline(float* out, const float* in, int tiles) {
    __shared__ alignas(128) float tile[4][512];
    __shared__ uint64_t full[4], empty[4];
    const int warp = threadIdx.x / 32;
    if (threadIdx.x == 0) {
        for (int s = 0; s < 4; ++s) { init(&full[s], 1); init(&empty[s], 4); }
        asm volatile("fence.mbarrier_init.release.cluster;");
    }
    __syncthreads();
    if (warp == 4) {
        u32 elected;
        asm volatile("{\n.reg .pred p;\nelect.sync _|p, 0xffffffff;\nselp.u32 %0, 1, 0, p;\n}" : "=r"(elected));
        if (elected)
            for (int n = 0; n < tiles; ++n) {
                const int s = n % 4;
                wait(&empty[s], (n / 4 % 2) ^ 1);
                expect(&full[s], 2048);
                copy_in(tile[s], in + ((size_t)blockIdx.x * tiles + n) * 512, 2048, &full[s]);
            }
    } else {
        float sum = 0;
        for (int n = 0; n < tiles; ++n) {
            const int s = n % 4;
            wait(&full[s], n / 4 % 2);
            for (int i = threadIdx.x; i < 512; i += 128) sum += tile[s][i];
            __syncwarp();
            if (threadIdx.x % 32 == 0) arrive(&empty[s]);
        }
        out[blockIdx.x * 128 + threadIdx.x] = sum;
    }
}
// cuda::barrier and memcpy_async, which becomes a bulk copy.
extern "C" __global__ void library_copy(int* out, const int* in, int n) {
    __shared__ alignas(16) int tile[256];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    if (threadIdx.x == 0) { init(&bar, blockDim.x); asm volatile("fence.proxy.async.shared::cta;"); }
    __syncthreads();
    cuda::barrier<cuda::thread_scope_block>::arrival_token token;
    if (threadIdx.x == 0) {
        cuda::device::experimental::cp_async_bulk_global_to_shared(tile, in + blockIdx.x * 256, sizeof tile, bar);
        token = cuda::device::barrier_arrive_tx(bar, 1, sizeof tile);
    } else token = bar.arrive();
    bar.wait(std::move(token));
    out[blockIdx.x * 256 + threadIdx.x] = tile[threadIdx.x] + n;
}
// Reductions into global memory.
extern "C" __global__ void reduce_bulk(int* sum, const int* in) {
    __shared__ alignas(128) int tile[256];
    tile[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
    asm volatile("fence.proxy.async.shared::cta;");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s32 [%0], [%1], %2;" ::"l"(sum), "r"(shared_of(tile)), "r"(1024) : "memory");
        asm volatile("cp.async.bulk.commit_group;");
        asm volatile("cp.async.bulk.wait_group 0;");
    }
}
// A cluster's barrier.
extern "C" __global__ void cluster_barrier(int* out) {
    asm volatile("barrier.cluster.arrive.release.aligned;");
    asm volatile("barrier.cluster.wait.acquire.aligned;");
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
