// Kernels that live on memory as people write them. Tests: no rule and no constant is fitted to their times.
#pragma once

namespace gpumodel::microbench {

extern "C" __global__ void test_triad(const float* __restrict__ b, const float* __restrict__ c,
                                      float* __restrict__ a, float s, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = b[i] + s * c[i];
}

extern "C" __global__ void test_triad_vector(const float4* __restrict__ b, const float4* __restrict__ c,
                                             float4* __restrict__ a, float s, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float4 x = b[i], y = c[i];
    a[i] = make_float4(x.x + s * y.x, x.y + s * y.y, x.z + s * y.z, x.w + s * y.w);
}

// With shared memory that nothing uses but that limits the occupancy.
extern "C" __global__ void test_triad_few_blocks(const float* __restrict__ b, const float* __restrict__ c,
                                                 float* __restrict__ a, float s, int n) {
    extern __shared__ float unused[];
    const int threads = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads)
        a[i] = b[i] + s * c[i];
    if (n < 0)
        a[0] = unused[threadIdx.x];
}

extern "C" __global__ void test_axpy(float a, const float* __restrict__ x, float* __restrict__ y, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] += a * x[i];
}

extern "C" __global__ void test_stencil_2d(const float* __restrict__ in, float* __restrict__ out, int width,
                                           int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1)
        return;
    const int i = y * width + x;
    out[i] = 0.5f * in[i] + 0.125f * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
}

extern "C" __global__ void test_stencil_3d(const float* __restrict__ in, float* __restrict__ out, int nx,
                                           int ny, int nz) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const int z = blockIdx.z;
    if (x < 1 || y < 1 || z < 1 || x >= nx - 1 || y >= ny - 1 || z >= nz - 1)
        return;
    const int i = (z * ny + y) * nx + x;
    out[i] = 0.4f * in[i] +
             0.1f * (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + in[i - nx * ny] + in[i + nx * ny]);
}

extern "C" __global__ void test_stencil_march(const float* __restrict__ in, float* __restrict__ out, int nx,
                                              int ny, int nz) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1)
        return;
    const int plane = nx * ny;
    const float* p = in + y * nx + x;
    float below = p[0], here = p[plane];
    for (int z = 1; z < nz - 1; ++z) {
        const float above = p[(z + 1) * plane];
        const float* c = p + z * plane;
        out[z * plane + y * nx + x] = 0.4f * here + 0.1f * (below + above + c[-1] + c[1] + c[-nx] + c[nx]);
        below = here;
        here = above;
    }
}

template <class Combine>
__device__ __forceinline__ float block_combine(float v, float* part, float nothing, const Combine& combine) {
    for (int d = 16; d > 0; d /= 2)
        v = combine(v, __shfl_xor_sync(0xffffffffu, v, d));
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = v;
    __syncthreads();
    v = threadIdx.x % 32 < blockDim.x / 32 ? part[threadIdx.x % 32] : nothing;
    for (int d = 16; d > 0; d /= 2)
        v = combine(v, __shfl_xor_sync(0xffffffffu, v, d));
    __syncthreads();
    return v;
}
struct Larger {
    __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Plus {
    __device__ float operator()(float a, float b) const { return a + b; }
};

extern "C" __global__ void test_softmax(const float* __restrict__ in, float* __restrict__ out, int columns) {
    __shared__ float part[32];
    const float* row = in + static_cast<long long>(blockIdx.x) * columns;
    float* result = out + static_cast<long long>(blockIdx.x) * columns;
    float top = -1e30f;
    for (int c = threadIdx.x; c < columns; c += blockDim.x)
        top = fmaxf(top, row[c]);
    top = block_combine(top, part, -1e30f, Larger());
    float total = 0;
    for (int c = threadIdx.x; c < columns; c += blockDim.x)
        total += __expf(row[c] - top);
    const float scale = 1 / block_combine(total, part, 0, Plus());
    for (int c = threadIdx.x; c < columns; c += blockDim.x)
        result[c] = __expf(row[c] - top) * scale;
}

extern "C" __global__ void test_layer_norm(const float* __restrict__ in, const float* __restrict__ weight,
                                           float* __restrict__ out, int columns) {
    __shared__ float part[32];
    const float* row = in + static_cast<long long>(blockIdx.x) * columns;
    float* result = out + static_cast<long long>(blockIdx.x) * columns;
    float total = 0, squares = 0;
    for (int c = threadIdx.x; c < columns; c += blockDim.x) {
        const float v = row[c];
        total += v;
        squares += v * v;
    }
    const float mean = block_combine(total, part, 0, Plus()) / columns;
    const float scale = rsqrtf(block_combine(squares, part, 0, Plus()) / columns - mean * mean + 1e-5f);
    for (int c = threadIdx.x; c < columns; c += blockDim.x)
        result[c] = (row[c] - mean) * scale * weight[c];
}

extern "C" __global__ void test_reduce(const float* __restrict__ in, float* __restrict__ out, int n) {
    __shared__ float part[32];
    float total = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        total += in[i];
    total = block_combine(total, part, 0, Plus());
    if (threadIdx.x == 0)
        out[blockIdx.x] = total;
}

// Two elements a thread, then a tree in shared memory.
extern "C" __global__ void test_reduce_tree(const float* __restrict__ in, float* __restrict__ out) {
    __shared__ float part[256];
    const int t = threadIdx.x, first = blockIdx.x * 512 + t;
    part[t] = in[first] + in[first + 256];
    __syncthreads();
    for (int s = 128; s > 0; s /= 2) {
        if (t < s)
            part[t] += part[t + s];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = part[0];
}

extern "C" __global__ void test_dot(const float* __restrict__ a, const float* __restrict__ b,
                                    float* __restrict__ out, int n) {
    __shared__ float part[32];
    float total = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        total += a[i] * b[i];
    total = block_combine(total, part, 0, Plus());
    if (threadIdx.x == 0)
        out[blockIdx.x] = total;
}

// Inclusive sums of 512 elements: two buffers in shared memory.
extern "C" __global__ void test_scan_shared(const float* __restrict__ in, float* __restrict__ out) {
    __shared__ float buffer[2][512];
    const int t = threadIdx.x;
    int from = 0;
    buffer[0][t] = in[blockIdx.x * 512 + t];
    __syncthreads();
    for (int d = 1; d < 512; d *= 2) {
        buffer[1 - from][t] = buffer[from][t] + (t >= d ? buffer[from][t - d] : 0);
        from = 1 - from;
        __syncthreads();
    }
    out[blockIdx.x * 512 + t] = buffer[from][t];
}

// Inclusive sums of 256 elements: shuffles.
extern "C" __global__ void test_scan_shuffle(const float* __restrict__ in, float* __restrict__ out) {
    __shared__ float part[8];
    const int t = threadIdx.x, lane = t % 32, warp = t / 32;
    float v = in[blockIdx.x * 256 + t];
    for (int d = 1; d < 32; d *= 2) {
        const float other = __shfl_up_sync(0xffffffffu, v, d);
        v += lane >= d ? other : 0;
    }
    if (lane == 31)
        part[warp] = v;
    __syncthreads();
    float before = 0;
    for (int w = 0; w < 8; ++w)
        before += w < warp ? part[w] : 0;
    out[blockIdx.x * 256 + t] = v + before;
}

// One step of a bitonic sort; both elements are written whatever their order.
extern "C" __global__ void test_bitonic(float* data, int j, int k) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int low = 2 * i - (i & (j - 1)), high = low + j;
    const float a = data[low], b = data[high];
    const bool up = (low & k) == 0;
    data[low] = up ? fminf(a, b) : fmaxf(a, b);
    data[high] = up ? fmaxf(a, b) : fminf(a, b);
}

// Keeps elements whose place says so, each block in its own part of the output.
extern "C" __global__ void test_compact(const float* __restrict__ in, float* __restrict__ out, int* counts) {
    __shared__ int part[8];
    const int t = threadIdx.x, lane = t % 32, warp = t / 32;
    const int i = blockIdx.x * 256 + t;
    const float v = in[i];
    const bool keep = ((i * 7 + i / 64) & 3) < 2;
    const unsigned votes = __ballot_sync(0xffffffffu, keep);
    if (lane == 0)
        part[warp] = __popc(votes);
    __syncthreads();
    int before = 0;
    for (int w = 0; w < 8; ++w)
        before += w < warp ? part[w] : 0;
    if (keep)
        out[blockIdx.x * 256 + before + __popc(votes & ((1u << lane) - 1))] = v;
    if (t == 255)
        counts[blockIdx.x] = before + part[7];
}

extern "C" __global__ void test_transpose(const float* __restrict__ in, float* __restrict__ out, int width,
                                          int height) {
    __shared__ float tile[32][33];
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
    __syncthreads();
    const int tx = blockIdx.y * 32 + threadIdx.x, ty = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        out[(ty + j) * height + tx] = tile[threadIdx.x][threadIdx.y + j];
}

// A row per warp.
extern "C" __global__ void test_matvec(const float* __restrict__ a, const float* __restrict__ x,
                                       float* __restrict__ y, int columns) {
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    float total = 0;
    for (int c = lane; c < columns; c += 32)
        total += a[static_cast<long long>(row) * columns + c] * x[c];
    for (int d = 16; d > 0; d /= 2)
        total += __shfl_xor_sync(0xffffffffu, total, d);
    if (lane == 0)
        y[row] = total;
}

extern "C" __global__ void test_bytes(const unsigned char* __restrict__ in, unsigned char* __restrict__ out,
                                      int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = static_cast<unsigned char>(in[i] * 3 / 4 + 16);
}

extern "C" __global__ void test_gray(const uchar4* __restrict__ in, float* __restrict__ out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const uchar4 p = in[i];
    out[i] = 0.299f * p.x + 0.587f * p.y + 0.114f * p.z;
}

extern "C" __global__ void test_julia(int* out, int width, int height, int limit) {
    const int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= width || py >= height)
        return;
    float x = px * (3.0f / width) - 1.5f, y = py * (2.0f / height) - 1.0f;
    int i = 0;
    for (; i < limit && x * x + y * y < 4; ++i) {
        const float next = x * x - y * y - 0.4f;
        y = 2 * x * y + 0.6f;
        x = next;
    }
    out[py * width + px] = i;
}

// Throws darts with a congruential generator.
extern "C" __global__ void test_darts(unsigned* out, int rounds) {
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x + 1, inside = 0;
    for (int i = 0; i < rounds; ++i) {
        x = x * 1664525u + 1013904223u;
        const float a = (x >> 8) * (1.0f / 16777216);
        x = x * 1664525u + 1013904223u;
        const float b = (x >> 8) * (1.0f / 16777216);
        inside += a * a + b * b < 1;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = inside;
}

// Walks through an array by a congruence, without asking the array where to go.
extern "C" __global__ void test_walk(unsigned* out, int rounds, unsigned a, unsigned c, unsigned m) {
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < rounds; ++i)
        x = (x * a + c) % m;
    out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

}  // namespace gpumodel::microbench
