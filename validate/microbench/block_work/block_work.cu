// How long launches take whose blocks do what blocks of real programs do: wavefronts with a barrier a step, rows with
// reductions, tiles with borders, bytes in local memory, long code without a loop.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -o block_work validate/microbench/block_work/block_work.cu
//   block_work > validate/data/h200_sxm_block_work.csv      medians of nine launches in a held stream; seconds
//
// kernel,blocks,threads,n,time_us     n: the kernel's own
//   front_*     a wavefront of a block's threads over an n x n table in shared memory, a barrier each of 2 n steps: plain (all
//               threads every step), guarded (those inside the table), border (and another value at its edge), of ints or
//               shorts; strided: n cells by fewer threads in an inner loop
//   local_*     a table row of n + 1 bytes or words a thread in local memory, n times updated
//   rows_*      a row of n floats a block: max (its greatest value), softmax (three passes over it), norm (kept in
//               registers, two sums), warp (softmax by a warp a row)
//   tile_*      5-point stencil on a plane n wide by blocks of 32 x 8: border (a tile with its border in shared memory),
//               inner (without a border), direct (without shared memory)
//   straight_*  n rounds of a generator's step without a loop, seven instructions each; looped: the same in a loop
//   steps_L_S_B n steps of L loads of a word from shared memory, S stores, and B barriers
//   bytes_L_S_B the same of bytes
//   touch_PQ    a warp loads (l) and stores (s) bytes (b), halves (h) or words (w) of n words of its own in local memory, one
//               word after another, 64 times
//   starts_R    blocks that keep R registers alive and store a word
//   doubles     an exponential and a logarithm of n doubles
#include <cuda_runtime.h>

#include <cstdio>

#include "../held_stream.cuh"

namespace {

template <class T, bool guarded, bool border>
__device__ void front(const float* in, float* out, int n) {
    __shared__ T diag[3][513];
    __shared__ unsigned char text[512];
    const int i = threadIdx.x;
    for (auto& d : diag) d[i] = d[i + 1] = 0;
    text[i] = static_cast<unsigned char>(__float_as_int(in[i]));
    const int letter = __float_as_int(in[blockIdx.x * blockDim.x + i]);
    T *two = diag[0], *one = diag[1], *now = diag[2];
    __syncthreads();
    for (int d = 0; d < 2 * n; ++d) {
        const int j = d - i;
        if (!guarded || (j >= 0 && j < n)) {
            int best;
            if (border && (i == 0 || j == 0)) {
                best = -d;
            } else {
                best = two[i] + (letter == text[j & 511] ? 2 : -1);
                best = max(best, max(one[i], one[i + 1]) - 1);
            }
            now[i + 1] = static_cast<T>(best);
        }
        __syncthreads();
        T* t = two;
        two = one;
        one = now;
        now = t;
    }
    out[blockIdx.x * blockDim.x + i] = static_cast<float>(one[i]);
}
__global__ void front_plain(const float* in, float* out, int n) { front<int, false, false>(in, out, n); }
__global__ void front_guarded(const float* in, float* out, int n) { front<int, true, false>(in, out, n); }
__global__ void front_border(const float* in, float* out, int n) { front<int, true, true>(in, out, n); }
__global__ void front_shorts(const float* in, float* out, int n) { front<short, true, false>(in, out, n); }

__global__ void front_strided(const float* in, float* out, int n) {
    __shared__ unsigned short diag[3][513];
    __shared__ unsigned char a[512], b[512];
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        a[i] = static_cast<unsigned char>(__float_as_int(in[i]));
        b[i] = static_cast<unsigned char>(__float_as_int(in[n + i]));
    }
    __syncthreads();
    int now = 0, one = 2, two = 1;
    for (int d = 0; d <= 2 * n; ++d) {
        const int last = min(d, n);
        for (int i = max(0, d - n) + static_cast<int>(threadIdx.x); i <= last; i += blockDim.x) {
            const int j = d - i;
            int best = max(i, j);
            if (i > 0 && j > 0) {
                best = min(min(diag[one][i - 1], diag[one][i]) + 1, diag[two][i - 1] + (a[i - 1] != b[j - 1]));
            }
            diag[now][i] = static_cast<unsigned short>(best);
        }
        __syncthreads();
        const int t = two;
        two = one;
        one = now;
        now = t;
    }
    if (threadIdx.x == 0) out[blockIdx.x] = diag[one][n];
}

template <class T>
__device__ void local(const float* in, float* out, int n) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    T row[33];
    for (int j = 0; j <= n; ++j) row[j] = static_cast<T>(j);
    for (int i = 1; i <= n; ++i) {
        int corner = row[0];
        row[0] = static_cast<T>(i);
        const int letter = __float_as_int(in[thread % 1024 + i]);
        for (int j = 1; j <= n; ++j) {
            int best = corner + (letter != j);
            corner = row[j];
            best = min(best, min(corner, row[j - 1]) + 1);
            row[j] = static_cast<T>(best);
        }
    }
    out[thread] = row[n];
}
__global__ void local_bytes(const float* in, float* out, int n) { local<unsigned char>(in, out, n); }
__global__ void local_words(const float* in, float* out, int n) { local<int>(in, out, n); }

template <class Op>
__device__ float of_warp(float v, Op op) {
    for (int o = 16; o > 0; o /= 2) v = op(v, __shfl_xor_sync(0xffffffff, v, o));
    return v;
}

template <class Op>
__device__ float of_block(float v, float* parts, Op op) {
    v = of_warp(v, op);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = v;
    __syncthreads();
    v = parts[threadIdx.x % (blockDim.x / 32)];
    v = of_warp(v, op);
    __syncthreads();
    return v;
}

struct Most {
    __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Sum {  // of_block repeats parts where there are fewer than 32: a multiple of it
    __device__ float operator()(float a, float b) const { return a + b; }
};

__global__ void rows_max(const float* in, float* out, int n) {
    __shared__ float parts[32];
    const float* x = in + static_cast<std::size_t>(blockIdx.x) * n;
    float most = -1e30f;
    for (int i = threadIdx.x; i < n; i += blockDim.x) most = fmaxf(most, x[i]);
    most = of_block(most, parts, Most());
    if (threadIdx.x == 0) out[blockIdx.x] = most;
}

__global__ void rows_softmax(const float* in, float* out, int n) {
    __shared__ float parts[32];
    const float* x = in + static_cast<std::size_t>(blockIdx.x) * n;
    float* y = out + static_cast<std::size_t>(blockIdx.x) * n;
    float most = -1e30f;
    for (int i = threadIdx.x; i < n; i += blockDim.x) most = fmaxf(most, x[i]);
    most = of_block(most, parts, Most());
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) sum += __expf(x[i] - most);
    const float scale = 1 / of_block(sum, parts, Sum());
    for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = __expf(x[i] - most) * scale;
}

__global__ void rows_norm(const float* in, float* out, int n) {
    __shared__ float parts[32];
    const auto* x = reinterpret_cast<const float4*>(in + static_cast<std::size_t>(blockIdx.x) * n);
    auto* y = reinterpret_cast<float4*>(out + static_cast<std::size_t>(blockIdx.x) * n);
    const float4 v = x[threadIdx.x];
    const float mean = of_block(v.x + v.y + v.z + v.w, parts, Sum()) / n;
    const float a = v.x - mean, b = v.y - mean, c = v.z - mean, d = v.w - mean;
    const float scale = rsqrtf(of_block(a * a + b * b + c * c + d * d, parts, Sum()) / n + 1e-5f);
    y[threadIdx.x] = make_float4(a * scale, b * scale, c * scale, d * scale);
}

__global__ void rows_warp(const float* in, float* out, int n) {
    const std::size_t row = (static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x) / 32;
    const float* x = in + row * n;
    float* y = out + row * n;
    float most = -1e30f;
    for (int i = threadIdx.x % 32; i < n; i += 32) most = fmaxf(most, x[i]);
    most = of_warp(most, Most());
    float sum = 0;
    for (int i = threadIdx.x % 32; i < n; i += 32) sum += __expf(x[i] - most);
    const float scale = 1 / of_warp(sum, Sum());
    for (int i = threadIdx.x % 32; i < n; i += 32) y[i] = __expf(x[i] - most) * scale;
}

template <bool border>
__device__ void tile(const float* in, float* out, int n) {
    __shared__ float t[10][34];
    const int height = gridDim.y * 8, x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    const float* at = in + static_cast<std::size_t>(y) * n + x;
    t[ty][tx] = *at;
    if (border) {
        if (threadIdx.x == 0) t[ty][0] = x > 0 ? at[-1] : 0;
        if (threadIdx.x == 31) t[ty][33] = x < n - 1 ? at[1] : 0;
        if (threadIdx.y == 0) t[0][tx] = y > 0 ? at[-n] : 0;
        if (threadIdx.y == 7) t[9][tx] = y < height - 1 ? at[n] : 0;
    }
    __syncthreads();
    const float sum = t[ty][tx - 1] + t[ty][tx + 1] + t[ty - 1][tx] + t[ty + 1][tx];
    out[static_cast<std::size_t>(y) * n + x] = t[ty][tx] + 0.2f * (sum - 4 * t[ty][tx]);
}
__global__ void tile_border(const float* in, float* out, int n) { tile<true>(in, out, n); }
__global__ void tile_inner(const float* in, float* out, int n) { tile<false>(in, out, n); }

__global__ void tile_direct(const float* in, float* out, int n) {
    const int height = gridDim.y * 8, x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    const float* at = in + static_cast<std::size_t>(y) * n + x;
    const float left = x > 0 ? at[-1] : 0, right = x < n - 1 ? at[1] : 0, up = y > 0 ? at[-n] : 0,
                down = y < height - 1 ? at[n] : 0;
    out[static_cast<std::size_t>(y) * n + x] = *at + 0.2f * (left + right + up + down - 4 * *at);
}

template <int rounds, int unrolled>
__device__ void straight(const float* in, float* out) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned x = thread + __float_as_uint(in[0]);
#pragma unroll unrolled
    for (int r = 0; r < rounds; ++r) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        x += 0x9e3779b9U * (r + 1);
    }
    out[thread] = __uint_as_float(x);
}
__global__ void straight_32(const float* in, float* out, int) { straight<32, 32>(in, out); }
__global__ void straight_128(const float* in, float* out, int) { straight<128, 128>(in, out); }
__global__ void straight_256(const float* in, float* out, int) { straight<256, 256>(in, out); }
__global__ void straight_512(const float* in, float* out, int) { straight<512, 512>(in, out); }
__global__ void straight_1024(const float* in, float* out, int) { straight<1024, 1024>(in, out); }
__global__ void looped_512(const float* in, float* out, int) { straight<512, 8>(in, out); }

template <class T, int loads, int stores, int barriers>
__device__ void steps(float* out, int n) {
    extern __shared__ unsigned char bytes[];
    volatile T* mine = reinterpret_cast<T*>(bytes) + threadIdx.x;
    const int step = blockDim.x;
    for (int j = 0; j < 8; ++j) mine[j * step] = static_cast<T>(j);
    __syncthreads();
    unsigned sum = 0;
#pragma unroll 2
    for (int i = 0; i < n; ++i) {
        T v[8];
#pragma unroll
        for (int j = 0; j < loads; ++j) v[j] = mine[j * step];
#pragma unroll
        for (int j = 0; j < loads; ++j) sum += v[j];
#pragma unroll
        for (int j = 0; j < stores; ++j) mine[j * step] = static_cast<T>(sum);
        if (barriers > 0) __syncthreads();
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = __uint_as_float(sum);
}
#define STEPS(L, S, B)                                                                                              \
    __global__ void steps_##L##_##S##_##B(const float*, float* out, int n) { steps<unsigned, L, S, B>(out, n); } \
    __global__ void bytes_##L##_##S##_##B(const float*, float* out, int n) { steps<unsigned char, L, S, B>(out, n); }
STEPS(0, 0, 1)
STEPS(1, 0, 1)
STEPS(2, 0, 1)
STEPS(4, 0, 1)
STEPS(8, 0, 1)
STEPS(0, 1, 1)
STEPS(0, 4, 1)
STEPS(4, 1, 1)
STEPS(2, 2, 1)
STEPS(4, 0, 0)
STEPS(8, 0, 0)
STEPS(0, 4, 0)
STEPS(4, 1, 0)
STEPS(2, 2, 0)

// Accesses of a word one after another, as the letters say: l or s for load or store, b, h or w, by the letter's place.
template <class First, int first_store, class Second, int second_store>
__device__ void touch(float* out, int n) {
    unsigned words[64];
    for (int i = 0; i < n; ++i) words[i] = i;
    unsigned sum = threadIdx.x;
#pragma unroll 1
    for (int pass = 0; pass < 64; ++pass) {
#pragma unroll 1
        for (int i = 0; i < n; ++i) {
            volatile First* a = reinterpret_cast<First*>(&words[i]);
            if (first_store) a[0] = static_cast<First>(sum);
            else sum += a[0];
            volatile Second* b = reinterpret_cast<Second*>(&words[i]) + (sizeof(Second) < 4 ? 1 : 0);
            if (second_store == 1) b[0] = static_cast<Second>(sum);
            else if (second_store == 0) sum += b[0];
        }
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = __uint_as_float(sum);
}
using Byte = unsigned char;
using Short = unsigned short;
#define TOUCH(name, A, a, B, b) \
    __global__ void touch_##name(const float*, float* out, int n) { touch<A, a, B, b>(out, n); }
TOUCH(lw, unsigned, 0, unsigned, 2)
TOUCH(lb, Byte, 0, unsigned, 2)
TOUCH(sb, Byte, 1, unsigned, 2)
TOUCH(sw, unsigned, 1, unsigned, 2)
TOUCH(lwsw, unsigned, 0, unsigned, 1)
TOUCH(lbsb, Byte, 0, Byte, 1)
TOUCH(lhsh, Short, 0, Short, 1)
TOUCH(lwsb, unsigned, 0, Byte, 1)
TOUCH(lbsw, Byte, 0, unsigned, 1)
TOUCH(sblb, Byte, 1, Byte, 0)
TOUCH(swlw, unsigned, 1, unsigned, 0)
TOUCH(sblw, Byte, 1, unsigned, 0)
TOUCH(swlb, unsigned, 1, Byte, 0)

template <int registers>
__device__ void starts(float* out, int n) {
    float v[registers];
#pragma unroll
    for (int i = 0; i < registers; ++i) v[i] = __int_as_float(n + i);
#pragma unroll
    for (int i = 0; i < registers; ++i) asm volatile("" : "+f"(v[i]));
    float sum = 0;
#pragma unroll
    for (int i = 0; i < registers; ++i) sum += v[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
__global__ void starts_4(const float*, float* out, int n) { starts<4>(out, n); }
__global__ void starts_32(const float*, float* out, int n) { starts<32>(out, n); }

__global__ void doubles(const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const double x = reinterpret_cast<const double*>(in)[i % n] + 1.5;
    reinterpret_cast<double*>(out)[i] = exp(-x) + log(x);
}

float *from = nullptr, *to = nullptr;
cudaStream_t stream;
bool timed = true;

using Kernel = void (*)(const float*, float*, int);

void measure(const char* name, Kernel kernel, dim3 grid, dim3 block, int n, std::size_t shared = 0) {
    const auto launch = [&] { kernel<<<grid, block, shared, stream>>>(from, to, n); };
    if (!timed) {
        launch();
        check(cudaStreamSynchronize(stream));
        return;
    }
    const double us = held_median_us(stream, true, 11, [] {}, launch);
    std::printf("%s,%u,%u,%d,%.3f\n", name, grid.x * grid.y, block.x * block.y, n, us);
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char**) {
    timed = argc == 1;  // else each is launched once, for a profiler
    cudaDeviceProp gpu{};
    check(cudaGetDeviceProperties(&gpu, 0));
    check(cudaStreamCreate(&stream));
    for (float** array : {&from, &to}) {
        check(cudaMalloc(array, 64 << 20));
        check(cudaMemset(*array, 0, 64 << 20));
    }
    std::printf("# gpu: %s\nkernel,blocks,threads,n,time_us\n", gpu.name);
    for (const unsigned threads : {64U, 128U, 256U, 512U}) {
        for (const unsigned blocks : {132U, 132 * 1024 / threads, 132 * 2048 / threads}) {
            const int n = static_cast<int>(threads);
            measure("front_plain", front_plain, blocks, threads, n);
            measure("front_guarded", front_guarded, blocks, threads, n);
            measure("front_border", front_border, blocks, threads, n);
            measure("front_shorts", front_shorts, blocks, threads, n);
        }
    }
#define MEASURE_STEPS(L, S, B)                                                                                       \
    measure("steps_" #L "_" #S "_" #B, steps_##L##_##S##_##B, blocks, threads, 256, 32 * threads); \
    measure("bytes_" #L "_" #S "_" #B, bytes_##L##_##S##_##B, blocks, threads, 256, 8 * threads);
    for (const unsigned threads : {64U, 128U, 256U, 512U, 1024U}) {
        for (const unsigned blocks : {132U, 132 * 1024 / threads, 132 * 2048 / threads}) {
            MEASURE_STEPS(0, 0, 1)
            MEASURE_STEPS(1, 0, 1)
            MEASURE_STEPS(2, 0, 1)
            MEASURE_STEPS(4, 0, 1)
            MEASURE_STEPS(8, 0, 1)
            MEASURE_STEPS(0, 1, 1)
            MEASURE_STEPS(0, 4, 1)
            MEASURE_STEPS(4, 1, 1)
            MEASURE_STEPS(2, 2, 1)
            MEASURE_STEPS(4, 0, 0)
            MEASURE_STEPS(8, 0, 0)
            MEASURE_STEPS(0, 4, 0)
            MEASURE_STEPS(4, 1, 0)
            MEASURE_STEPS(2, 2, 0)
        }
    }
#define MEASURE_TOUCH(name) measure("touch_" #name, touch_##name, blocks, threads, n);
    for (const unsigned threads : {32U, 256U}) {
        for (const unsigned blocks : {132U, 1056U}) {
            for (const int n : {4, 16, 64}) {
                if (threads * blocks == 32 * 1056) continue;
                MEASURE_TOUCH(lw)
                MEASURE_TOUCH(lb)
                MEASURE_TOUCH(sb)
                MEASURE_TOUCH(sw)
                MEASURE_TOUCH(lwsw)
                MEASURE_TOUCH(lbsb)
                MEASURE_TOUCH(lhsh)
                MEASURE_TOUCH(lwsb)
                MEASURE_TOUCH(lbsw)
                MEASURE_TOUCH(sblb)
                MEASURE_TOUCH(swlw)
                MEASURE_TOUCH(sblw)
                MEASURE_TOUCH(swlb)
            }
        }
    }
    for (const unsigned threads : {32U, 64U, 128U, 256U, 512U, 1024U}) {
        for (const unsigned blocks : {132U, 132 * 8192 / threads, 132 * 65536 / threads}) {
            measure("starts_4", starts_4, blocks, threads, 4);
            measure("starts_32", starts_32, blocks, threads, 4);
        }
    }
    for (const unsigned blocks : {132U, 1056U, 2112U}) {
        measure("front_strided", front_strided, blocks, 128, 300);
        measure("front_strided", front_strided, blocks, 128, 128);
    }
    for (const unsigned blocks : {132U, 1056U, 4224U}) {
        for (const int n : {12, 20, 28}) {
            measure("local_bytes", local_bytes, blocks, 64, n);
            measure("local_words", local_words, blocks, 64, n);
        }
    }
    for (const unsigned rows : {2048U, 8192U}) {
        for (const unsigned threads : {128U, 256U, 512U}) {
            for (const int n : {512, 1000, 2048}) {
                if (rows * n * 4ULL > (64 << 20)) continue;
                measure("rows_max", rows_max, rows, threads, n);
                measure("rows_softmax", rows_softmax, rows, threads, n);
            }
            measure("rows_norm", rows_norm, rows, threads, static_cast<int>(4 * threads));
            measure("rows_warp", rows_warp, rows * 32 / threads, threads, 512);
        }
    }
    for (const int n : {1024, 2048, 4000}) {
        const dim3 grid(n / 32, 94);
        measure("tile_border", tile_border, grid, dim3(32, 8), n);
        measure("tile_inner", tile_inner, grid, dim3(32, 8), n);
        measure("tile_direct", tile_direct, grid, dim3(32, 8), n);
    }
    for (const unsigned blocks : {132U, 528U, 4224U}) {
        measure("straight_32", straight_32, blocks, 256, 32);
        measure("straight_128", straight_128, blocks, 256, 128);
        measure("straight_256", straight_256, blocks, 256, 256);
        measure("straight_512", straight_512, blocks, 256, 512);
        measure("straight_1024", straight_1024, blocks, 256, 1024);
        measure("looped_512", looped_512, blocks, 256, 512);
        measure("doubles", doubles, blocks, 256, 65536);
    }
}
