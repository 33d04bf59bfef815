// A product's loop whose tiles come from L1 or L2, from what all SMs read or from the SM's own data: what the loads of a tile
// add to a trip, and whether that many SMs ask at once matters.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -o product_tiles validate/microbench/product_tiles/product_tiles.cu
//   product_tiles > validate/data/h200_sxm_product_tiles.csv      median of five launches; a second
//
// kernel,blocks,shared,trips,tiles,own,cycles
//   blocks of 256 threads (264: two on each SM) whose `shared` bytes leave L1 28 KiB; each trip loads a tile of 8 KiB, stores it to
//   shared memory and multiplies it, 128 x 128 x 8. plain: loaded where it is stored; ahead: behind the barrier before. rows: A in
//   whole lines; pieces: in 32 bytes of a row each. The loop goes through `tiles` of them: 1 stays in L1, 8 and more come from L2.
//   own: each block has its own. cycles: of the SM's clock, from its first warp's begin to its last one's end, the median SM
#include "../sm_cycles.cuh"

namespace {

constexpr int side = 8, depth = 8, width = 128;
constexpr int tile_floats = depth * width, threads = 256;

__device__ void multiply(float (&sums)[side][side], const float (&a)[side], const float (&b)[side]) {
#pragma unroll
    for (int i = 0; i < side; ++i) {
#pragma unroll
        for (int j = 0; j < side; ++j) asm volatile("fma.rn.f32 %0, %1, %2, %0;" : "+f"(sums[i][j]) : "f"(a[i]), "f"(b[j]));
    }
}

__device__ void read(float (&f)[side], unsigned row) {
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(f[0]), "=f"(f[1]), "=f"(f[2]), "=f"(f[3]) : "r"(row));
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(f[4]), "=f"(f[5]), "=f"(f[6]), "=f"(f[7]) : "r"(row + 256));
}

__device__ void load(float4& v, const float* at) {
    asm volatile("ld.global.v4.f32 {%0,%1,%2,%3}, [%4];" : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w) : "l"(at));
}

__device__ void store(unsigned at, const float4& v) {
    asm volatile("st.shared.v4.f32 [%0], {%1,%2,%3,%4};" ::"r"(at), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w));
}

// The four numbers under one another.
__device__ void store_down(unsigned at, const float4& v) {
    constexpr unsigned row = width * sizeof(float);
    asm volatile("st.shared.f32 [%0], %1;" ::"r"(at), "f"(v.x));
    asm volatile("st.shared.f32 [%0], %1;" ::"r"(at + row), "f"(v.y));
    asm volatile("st.shared.f32 [%0], %1;" ::"r"(at + 2 * row), "f"(v.z));
    asm volatile("st.shared.f32 [%0], %1;" ::"r"(at + 3 * row), "f"(v.w));
}

template <bool AHEAD, bool PIECES>
__device__ void loop(Mark* marks, float* out, const float* from, int trips, int tiles, int own) {
    extern __shared__ float rows[];
    const int t = threadIdx.x, lane = t % 32, warp = t / 32;
    // the tiles of A, then those of B; pieces: 128 rows of A, each of all its tiles
    const float* a_at = from + (size_t)blockIdx.x * tiles * 2048 + (PIECES ? (t / 2) * (depth * tiles) + t % 2 * 4 : t * 4);
    const float* b_at = from + (size_t)blockIdx.x * tiles * 2048 + tiles * tile_floats + t * 4;
    if (own == 0) {
        a_at -= (size_t)blockIdx.x * tiles * 2048;
        b_at -= (size_t)blockIdx.x * tiles * 2048;
    }
    const auto base = static_cast<unsigned>(__cvta_generic_to_shared(rows));
    const unsigned own_a = base + (warp / 2 * 32 + lane / 8 * 4) * 4, own_b = base + 4096 + (warp % 2 * 64 + lane % 8 * 4) * 4;
    float sums[side][side] = {};
    float4 a = {}, b = {};
    int tile = 0;
    const auto load_next = [&] {
        const int step = PIECES ? tile * depth : tile * tile_floats;
        load(a, a_at + step);
        load(b, b_at + tile * tile_floats);
        tile = tile + 1 == tiles ? 0 : tile + 1;
    };
    if (AHEAD) load_next();
    __syncthreads();
    const long long begin = clock64();
#pragma unroll 1
    for (int k = 0; k < trips; ++k) {
        if (!AHEAD) load_next();
        if (PIECES) {
            store_down(base + (t % 2 * 4 * width + t / 2) * 4, a);
        } else {
            store(base + t * 16, a);
        }
        store(base + 4096 + t * 16, b);
        __syncthreads();
        if (AHEAD) load_next();
#pragma unroll
        for (int s = 0; s < depth; ++s) {
            float x[side], y[side];
            read(x, own_a + s * width * 4);
            read(y, own_b + s * width * 4);
            multiply(sums, x, y);
        }
        __syncthreads();
    }
    const long long end = clock64();
    float sum = 0;
    for (auto& row : sums) {
        for (float s : row) sum += s;
    }
    out[blockIdx.x * blockDim.x + t] = sum + a.x + b.x;
    if (lane == 0) marks[(blockIdx.x * blockDim.x + t) / 32] = {sm_number(), begin, end};
}

#define KERNEL(NAME, AHEAD, PIECES)                                                                                   \
    __global__ void __launch_bounds__(threads)                                                                        \
        NAME(Mark* marks, float* out, const float* from, int trips, int tiles, int own) {                             \
        loop<AHEAD, PIECES>(marks, out, from, trips, tiles, own);                                                     \
    }
KERNEL(plain_rows, false, false)
KERNEL(plain_pieces, false, true)
KERNEL(ahead_rows, true, false)
KERNEL(ahead_pieces, true, true)

constexpr int most_blocks_per_sm = 2, trips = 448;
Mark* marks;
float *out, *from;
int sms;

template <class Kernel>
void measure(const char* name, Kernel kernel) {
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024));
    for (const int blocks : {1, sms, 2 * sms}) {
        for (const int tiles : {1, 8, 14, 64}) {
            for (const int own : {0, 1}) {
                if (own == 1 && (tiles == 1 || tiles > 14 || blocks == 1)) continue;
                const int shared = (blocks > sms ? 113 : 226) * 1024;
                const double cycles = median_sm_cycles(marks, blocks * threads / 32, sms, [&] {
                    kernel<<<blocks, threads, shared>>>(marks, out, from, trips, tiles, own);
                });
                std::printf("%s,%d,%d,%d,%d,%d,%.0f\n", name, blocks, shared, trips, tiles, own, cycles);
            }
        }
    }
}

}  // namespace

int main() {
    cudaDeviceProp gpu{};
    check(cudaGetDeviceProperties(&gpu, 0));
    sms = gpu.multiProcessorCount;
    const int most = most_blocks_per_sm * sms;
    check(cudaMalloc(&marks, sizeof(Mark) * most * threads / 32));
    check(cudaMalloc(&out, sizeof(float) * most * threads));
    check(cudaMalloc(&from, 64 << 20));
    check(cudaMemset(from, 0, 64 << 20));
    std::printf("# gpu: %s\nkernel,blocks,shared,trips,tiles,own,cycles\n", gpu.name);
    measure("plain_rows", plain_rows);
    measure("plain_pieces", plain_pieces);
    measure("ahead_rows", ahead_rows);
    measure("ahead_pieces", ahead_pieces);
}
