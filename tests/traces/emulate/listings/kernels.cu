// Kernels that are no matrix products, for the emulator's tests. Each is restated in plain C++ by the test.
#include <cstdint>

// five-point stencil; the halo is left out
extern "C" __global__ void stencil(const float* in, float* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = in[y * width + x];
    if (x > 0) sum += in[y * width + x - 1];
    if (x < width - 1) sum += in[y * width + x + 1];
    if (y > 0) sum += in[(y - 1) * width + x];
    if (y < height - 1) sum += in[(y + 1) * width + x];
    out[y * width + x] = sum;
}

extern "C" __global__ void block_sum(const float* in, float* out, int n) {
    extern __shared__ float partial[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    partial[threadIdx.x] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}

extern "C" __global__ void warp_sum(const float* in, float* out, int n) {
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
    __shared__ float of_warp[32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (lane == 0) of_warp[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = lane < blockDim.x / 32 ? of_warp[lane] : 0.0f;
        for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
        if (lane == 0) out[blockIdx.x] = sum;
    }
}

extern "C" __global__ void grid_stride_copy(const float4* in, float4* out, long long n) {
    const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
    for (long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride)
        out[i] = in[i];
}

extern "C" __global__ void transpose(const double* in, double* out, int width, int height) {
    __shared__ double tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x;
    int y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += blockDim.y)
        if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += blockDim.y)
        if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

extern "C" __global__ void histogram(const unsigned char* data, unsigned* bins, int n) {
    __shared__ unsigned local[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) local[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&local[data[i] + i % 7], 1u);
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&bins[i], local[i]);
}

extern "C" __global__ void scan(const int* in, int* out, int n) {
    extern __shared__ int row[];
    int* from = row;
    int* to = row + blockDim.x;
    const int t = threadIdx.x;
    from[t] = t < n ? in[t] : 0;
    __syncthreads();
    for (int d = 1; d < blockDim.x; d *= 2) {
        to[t] = t >= d ? from[t] + from[t - d] : from[t];
        __syncthreads();
        int* swap = from;
        from = to;
        to = swap;
    }
    if (t < n) out[t] = from[t];
}

extern "C" __global__ void bitonic_step(float* data, int j, int k) {
    const unsigned i = threadIdx.x + blockDim.x * blockIdx.x;
    const unsigned partner = i ^ j;
    if (partner > i) {
        const float a = data[i], b = data[partner];
        const bool up = (i & k) == 0;
        if (up ? a > b : a < b + 1) {  // with zeros: only the descending halves swap
            data[i] = b;
            data[partner] = a;
        }
    }
}

// row pointers read as zero, so no row has elements
extern "C" __global__ void spmv(const int* rows, const int* columns, const float* values, const float* x, float* y,
                                int n) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    float sum = 0;
    for (int e = rows[row]; e < rows[row + 1]; ++e) sum += values[e] * x[columns[e]];
    y[row] = sum;
}

extern "C" __global__ void divide(const float* in, float* out, int n, int width, unsigned pitch) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int row = (i - n / 2) / width, column = (i - n / 2) % width;
    const unsigned line = i / pitch, rest = i % pitch;
    out[line * 128 + rest] = in[(row + n) * 64 + column + width];
}

extern "C" __global__ void divide_64(const float* in, float* out, long long n, long long width) {
    const long long i = blockIdx.x * blockDim.x + threadIdx.x;
    const long long j = i * 1000003ll + n;
    out[j % width] = in[j / width];
}

// data-dependent trips, break, continue
extern "C" __global__ void collatz(int* out, int limit) {
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x + 1;
    int steps = 0;
    while (true) {
        if (x == 1) break;
        ++steps;
        if (steps > limit) break;
        if (x & 1) {
            x = 3 * x + 1;
            continue;
        }
        x /= 2;
        if (x % 5 == 0) out[1000 + steps] = x;
    }
    out[steps * 64 + threadIdx.x % 64] = x;
}

extern "C" __global__ void compact(const int* in, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const bool keep = i < n && (in[i] + i) % 3 == 1;
    const unsigned votes = __ballot_sync(0xffffffffu, keep);
    const int lane = threadIdx.x % 32;
    const int position = __popc(votes & ((1u << lane) - 1));
    const int count = __popc(votes), first = __ffs(votes) - 1;
    if (keep) out[(i / 32) * 32 + position] = in[i];
    if (lane == first) out[n + i / 32] = count + __clz(votes) + __brev(votes);
}

// dynamic index into a local array
extern "C" __global__ void local_array(const int* in, int* out, int n) {
    int stack[32];
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < 32; ++i) stack[i] = (t * i) & 31;
    int at = t & 31;
    for (int i = 0; i < n; ++i) at = stack[at];
    out[at * 32 + (t & 31)] = in[at];
}

extern "C" __global__ void float_loop(float* out, float limit, double step) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    int trips = 0;
    for (float x = 1.0f + t; x < limit; x = x * 1.5f + 0.25f) ++trips;
    int more = 0;
    for (double d = 0.5 * t; d < 20.0; d += step) ++more;
    out[trips * 256 + more * 64 + static_cast<int>(sqrtf(static_cast<float>(t)) + 0.001f)] = 1.0f;
}

__device__ __noinline__ int deep(int x, int y) {
    if (x > y) return x * 3 + y;
    return y - x;
}
extern "C" __global__ void call(int* out, int n) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    int at = deep(t, n);
    if (t & 1) at = deep(at, t);
    out[at] = t;
}

extern "C" __global__ void jump_table(int* out, int n) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    switch (t % 8) {
        case 0: out[t] = n; break;
        case 1: out[t + 7] = n * 3; break;
        case 2: out[t * 2] = n / 3; break;
        case 3: out[t ^ 5] = n - 9; break;
        case 4: out[t + 100] = n & 77; break;
        case 5: out[t * 3] = n | 9; break;
        default: out[t + 1000] = n ^ 1000; break;
    }
}

extern "C" __global__ void nested(int* out, const float* in, int n) {
    const int t = threadIdx.x + blockDim.x * threadIdx.y + blockDim.x * blockDim.y * threadIdx.z;
    for (int i = 0; i < (t & 3) + n; ++i) {
        for (int j = i; j < (t & 7); ++j) {
            if ((i + j) & 1) {
                if (j == 5) break;
                out[i * 1024 + j * 64 + t % 64] = i;
            } else {
                if (in[i] > 0.5f) continue;
                out[65536 + j * 1024 + i * 64 + t % 64] = j;
            }
        }
        if (__any_sync(__activemask(), i > 8)) return;
    }
    out[1 << 20] = t;
}

// generic addresses, 16-bit data, atomics that return
extern "C" __global__ void generic(short* data, unsigned* counter, int n) {
    __shared__ short tile[256];
    __shared__ unsigned next;
    if (threadIdx.x == 0) next = 0;
    __syncthreads();
    short* place = (threadIdx.x / 32) & 1 ? data + n : tile;
    place[threadIdx.x] = 1;
    __syncthreads();
    const unsigned mine = atomicAdd(&next, 2u);
    const unsigned old = atomicMax(counter, mine);
    data[mine + old] = place[threadIdx.x ^ 1];
}

extern "C" __global__ void sync_count(const int* in, int* out, int n) {
    const int t = threadIdx.x;
    const int count = __syncthreads_count(t % 3 == 0 && in[t] == 0);
    const int any = __syncthreads_or(t == n);
    const int all = __syncthreads_and(t < n);
    out[count * 4 + any * 2 + all] = t;
}
