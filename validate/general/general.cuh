// Kernels that are no matrix product: what else people run. They check the SASS emulation on code with branches,
// divergence, early exits, shuffles, atomics, divisions and loops whose trip counts depend on the lane. All of
// them are defined on memory that reads as zero, so that an emulation without data takes the same paths.
#pragma once

#include <cstdint>

namespace gpumodel::general {

// Five-point stencil: interior by one branch, the border copied.
__global__ void stencil5(const float* in, float* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const int i = y * width + x;
    if (x > 0 && x < width - 1 && y > 0 && y < height - 1) {
        out[i] = 0.2f * (in[i] + in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
    } else {
        out[i] = in[i];
    }
}

// Seven-point stencil in three dimensions that marches along z.
__global__ void stencil7_march(const float* in, float* out, int nx, int ny, int nz) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
    const int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (x >= nx - 1 || y >= ny - 1) return;
    const int plane = nx * ny;
    const float* p = in + y * nx + x;
    float* q = out + y * nx + x;
    float below = p[0], here = p[plane];
    for (int z = 1; z < nz - 1; ++z) {
        const float above = p[(z + 1) * plane];
        const float* c = p + z * plane;
        q[z * plane] = 0.5f * here + 0.1f * (below + above + c[-1] + c[1] + c[-nx] + c[nx]);
        below = here;
        here = above;
    }
}

// Shared-memory stencil with a halo that some threads load.
__global__ void stencil1d_shared(const float* in, float* out, int n) {
    constexpr int radius = 4;
    __shared__ float tile[256 + 2 * radius];
    const int g = blockIdx.x * 256 + threadIdx.x;
    const int l = threadIdx.x + radius;
    tile[l] = g < n ? in[g] : 0;
    if (threadIdx.x < radius) {
        tile[l - radius] = g >= radius ? in[g - radius] : 0;
        tile[l + 256] = g + 256 < n ? in[g + 256] : 0;
    }
    __syncthreads();
    float sum = 0;
    for (int r = -radius; r <= radius; ++r) sum += tile[l + r];
    if (g < n) out[g] = sum;
}

// Tree reduction in shared memory: half of the threads drop out in each round.
__global__ void reduce_tree(const float* in, float* out, int n) {
    __shared__ float part[256];
    const int t = threadIdx.x;
    float sum = 0;
    for (int i = blockIdx.x * 256 + t; i < n; i += 256 * gridDim.x) sum += in[i];
    part[t] = sum;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (t < s) part[t] += part[t + s];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = part[0];
}

// The interleaved form with a modulo: divergent and full of bank conflicts.
__global__ void reduce_interleaved(const float* in, float* out) {
    __shared__ float part[256];
    const unsigned t = threadIdx.x;
    part[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (unsigned s = 1; s < blockDim.x; s *= 2) {
        const unsigned i = 2 * s * t;
        if (i < blockDim.x) part[i] += part[i + s];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = part[0];
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
#define GENERAL_SHFL_DOWN(v, d) __shfl_down(v, d)
#else
#define GENERAL_SHFL_DOWN(v, d) __shfl_down_sync(0xffffffffu, v, d)
#endif

// One row per warp, summed by shuffles.
__global__ void row_sum_shuffle(const float* in, float* out, int rows, int cols) {
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const int lane = threadIdx.x % 32;
    if (row >= rows) return;
    float sum = 0;
    for (int c = lane; c < cols; c += 32) sum += in[row * cols + c];
    for (int d = 16; d > 0; d /= 2) sum += GENERAL_SHFL_DOWN(sum, d);
    if (lane == 0) out[row] = sum;
}

// Grid-stride a*x+y.
__global__ void saxpy_grid_stride(float a, const float* x, float* y, long long n) {
    for (long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x; i < n;
         i += static_cast<long long>(gridDim.x) * blockDim.x) {
        y[i] = a * x[i] + y[i];
    }
}

// 128-bit copies, the rest word by word.
__global__ void copy_vector(const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int vectors = n / 4;
    for (int v = i; v < vectors; v += gridDim.x * blockDim.x) {
        reinterpret_cast<float4*>(out)[v] = reinterpret_cast<const float4*>(in)[v];
    }
    const int rest = 4 * vectors + i;
    if (rest < n) out[rest] = in[rest];
}

// Byte to byte, 8- and 16-bit accesses.
__global__ void bytes_to_shorts(const std::uint8_t* in, std::uint16_t* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = static_cast<std::uint16_t>(in[i] * 257);
}

// Histogram with shared atomics, flushed with global ones; bins come from the thread index, not from data.
__global__ void histogram_shared(const int* offset, int* bins, int n) {
    __shared__ int local[64];
    if (threadIdx.x < 64) local[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        atomicAdd(&local[(offset[i] + i * 7) & 63], 1);
    }
    __syncthreads();
    if (threadIdx.x < 64) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

// Inclusive scan of 512 elements per block, two buffers.
__global__ void scan_block(const float* in, float* out) {
    __shared__ float buffer[2][512];
    const int t = threadIdx.x;
    int from = 0;
    buffer[0][t] = in[blockIdx.x * 512 + t];
    __syncthreads();
    for (int d = 1; d < 512; d *= 2) {
        buffer[1 - from][t] = t >= d ? buffer[from][t] + buffer[from][t - d] : buffer[from][t];
        from = 1 - from;
        __syncthreads();
    }
    out[blockIdx.x * 512 + t] = buffer[from][t];
}

// One step of a bitonic sort.
__global__ void bitonic_step(float* data, int j, int k) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned other = i ^ j;
    if (other > i) {
        const float a = data[i], b = data[other];
        const bool up = (i & k) == 0;
        if (up ? a > b : a < b) {
            data[i] = b;
            data[other] = a;
        }
    }
}

// Rows of a triangular matrix times a vector: every lane has a trip count of its own.
__global__ void triangular_matvec(const float* a, const float* x, float* y, int n) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    float sum = 0;
    for (int c = 0; c <= row; ++c) sum += a[row * n + c] * x[c];
    y[row] = sum;
}

// Index arithmetic by division and remainder of variables.
__global__ void permute_3d(const float* in, float* out, int nx, int ny, int nz) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= nx * ny * nz) return;
    const int x = i % nx, y = (i / nx) % ny, z = i / (nx * ny);
    out[(x * ny + y) * nz + z] = in[i];
}

// 64-bit division.
__global__ void gather_rows(const float* in, float* out, long long rows, long long pitch, long long n) {
    const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
    if (i >= n) return;
    const long long row = (i * 3) % rows, column = i / rows;
    out[i] = in[row * pitch + column % pitch];
}

// Escape-time iteration: loops left by break after a count that floating-point arithmetic decides.
__global__ void escape_time(int* out, int width, int height, int limit) {
    const int px = blockIdx.x * blockDim.x + threadIdx.x;
    const int py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= width || py >= height) return;
    const float cx = px * (3.0f / width) - 2.0f, cy = py * (2.0f / height) - 1.0f;
    float x = 0, y = 0;
    int i = 0;
    for (; i < limit; ++i) {
        const float xx = x * x, yy = y * y;
        if (xx + yy > 4.0f) break;
        y = 2 * x * y + cy;
        x = xx - yy + cx;
    }
    out[py * width + px] = i;
}

// Integer loop of unknown length (3n+1).
__global__ void collatz_steps(int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned v = i + 1;
    int steps = 0;
    while (v != 1) {
        v = v % 2 == 0 ? v / 2 : 3 * v + 1;
        ++steps;
    }
    out[i] = steps;
}

// Rectangular transpose through a padded tile with bounds checks, four rows a thread.
__global__ void transpose_bounds(const float* in, float* out, int width, int height) {
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x;
    int y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) {
        if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
    }
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) {
        if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
    }
}

// Tiled product with bounds checks on every side.
__global__ void sgemm_bounds(const float* a, const float* b, float* c, int m, int n, int k) {
    __shared__ float as[16][16], bs[16][16];
    const int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
    float sum = 0;
    for (int t = 0; t < (k + 15) / 16; ++t) {
        const int ka = t * 16 + threadIdx.x, kb = t * 16 + threadIdx.y;
        as[threadIdx.y][threadIdx.x] = row < m && ka < k ? a[row * k + ka] : 0;
        bs[threadIdx.y][threadIdx.x] = kb < k && column < n ? b[kb * n + column] : 0;
        __syncthreads();
        for (int i = 0; i < 16; ++i) sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
        __syncthreads();
    }
    if (row < m && column < n) c[row * n + column] = sum;
}

// All pairs through shared tiles: special functions.
__global__ void nbody_forces(const float4* bodies, float4* forces, int n) {
    extern __shared__ float4 tile[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float4 me = bodies[i];
    float fx = 0, fy = 0, fz = 0;
    for (int base = 0; base < n; base += blockDim.x) {
        tile[threadIdx.x] = bodies[base + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < static_cast<int>(blockDim.x); ++j) {
            const float dx = tile[j].x - me.x, dy = tile[j].y - me.y, dz = tile[j].z - me.z;
            const float inv = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f);
            const float s = tile[j].w * inv * inv * inv;
            fx += dx * s;
            fy += dy * s;
            fz += dz * s;
        }
        __syncthreads();
    }
    forces[i] = make_float4(fx, fy, fz, 0);
}

// Rows normalised to sum 1: two block reductions and a division.
__global__ void softmax_rows(const float* in, float* out, int cols) {
    __shared__ float part[128];
    const float* row = in + static_cast<long long>(blockIdx.x) * cols;
    float* result = out + static_cast<long long>(blockIdx.x) * cols;
    float top = -1e30f;
    for (int c = threadIdx.x; c < cols; c += 128) top = fmaxf(top, row[c]);
    part[threadIdx.x] = top;
    __syncthreads();
    for (int s = 64; s > 0; s /= 2) {
        if (threadIdx.x < s) part[threadIdx.x] = fmaxf(part[threadIdx.x], part[threadIdx.x + s]);
        __syncthreads();
    }
    top = part[0];
    __syncthreads();
    float sum = 0;
    for (int c = threadIdx.x; c < cols; c += 128) sum += __expf(row[c] - top);
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int s = 64; s > 0; s /= 2) {
        if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
        __syncthreads();
    }
    const float scale = 1.0f / part[0];
    for (int c = threadIdx.x; c < cols; c += 128) result[c] = __expf(row[c] - top) * scale;
}

// Double precision, two-dimensional blocks in z as well.
__global__ void axpy_3d_double(const double* x, double* y, double a, int nx, int ny, int nz) {
    const int ix = blockIdx.x * blockDim.x + threadIdx.x;
    const int iy = blockIdx.y * blockDim.y + threadIdx.y;
    const int iz = blockIdx.z * blockDim.z + threadIdx.z;
    if (ix < nx && iy < ny && iz < nz) {
        const long long i = (static_cast<long long>(iz) * ny + iy) * nx + ix;
        y[i] = a * x[i] + y[i];
    }
}

}  // namespace gpumodel::general
