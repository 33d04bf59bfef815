// Kernels for the tests of data: first those whose path or addresses hang on device memory, then those whose
// loaded values only become stored ones. Each that computes something is restated in plain C++ by the tests.
#include <cstdint>

extern "C" __global__ void gather(const float* in, const int* index, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[index[i]];
}

extern "C" __global__ void scatter(const float* in, const int* index, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[index[i]] = in[i];
}

// one row per thread
extern "C" __global__ void spmv_csr(const int* row, const int* column, const float* value, const float* x,
                                    float* y, int rows) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    float sum = 0;
    for (int j = row[r]; j < row[r + 1]; ++j) sum += value[j] * x[column[j]];
    y[r] = sum;
}

extern "C" __global__ void histogram_global(const unsigned* in, unsigned* bins, int n, unsigned count) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[in[i] % count], 1u);
}

extern "C" __global__ void histogram_shared(const unsigned char* in, unsigned* bins, int n) {
    __shared__ unsigned part[256];
    for (int b = threadIdx.x; b < 256; b += blockDim.x) part[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&part[in[i]], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x) atomicAdd(&bins[b], part[b]);
}

// one level of a breadth-first search
extern "C" __global__ void bfs_step(const int* row, const int* column, int* level, int* changed, int current,
                                    int nodes) {
    const int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= nodes || level[v] != current) return;
    for (int j = row[v]; j < row[v + 1]; ++j) {
        const int to = column[j];
        if (level[to] < 0) {
            level[to] = current + 1;
            *changed = 1;
        }
    }
}

extern "C" __global__ void cas_add(const double* in, unsigned long long* sums, int n, int words) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned long long* to = sums + i % words;
    unsigned long long old = *to, seen;
    do {
        seen = old;
        old = atomicCAS(to, seen, __double_as_longlong(in[i] + __longlong_as_double(seen)));
    } while (old != seen);
}

// what is positive, in any order
extern "C" __global__ void compact(const float* in, float* out, int* count, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] > 0) out[atomicAdd(count, 1)] = in[i];
}

extern "C" __global__ void bitonic_step(int* keys, int j, int k) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int other = i ^ j;
    if (other > i) {
        const int a = keys[i], b = keys[other];
        if ((a > b) == ((i & k) == 0)) {
            keys[i] = b;
            keys[other] = a;
        }
    }
}

extern "C" __global__ void binary_search(const int* sorted, const int* wanted, int* place, int n, int m) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= m) return;
    const int key = wanted[i];
    int low = 0, high = n;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (sorted[middle] < key) low = middle + 1;
        else high = middle;
    }
    place[i] = low;
}

extern "C" __global__ void hash_probe(const unsigned* keys, const int* values, const unsigned* wanted, int* found,
                                      unsigned mask, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned at = wanted[i] * 2654435761u & mask;
    while (keys[at] != wanted[i] && keys[at] != 0xffffffffu) at = (at + 1) & mask;
    found[i] = keys[at] == wanted[i] ? values[at] : -1;
}

extern "C" __global__ void list_walk(const int* next, int* last, int steps, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int at = i;
    for (int s = 0; s < steps; ++s) at = next[at];
    last[i] = at;
}

extern "C" __global__ void by_kind(const int* kind, const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = in[i];
    if (kind[i] == 1) {
        for (int k = 0; k < 50; ++k) x = x * x + 0.25f;
    } else {
        for (int k = 0; k < 20; ++k) x = x * 0.5f + in[k];
    }
    out[i] = x;
}

// the index passes shared memory
extern "C" __global__ void shared_index(const int* index, const float* in, float* out) {
    __shared__ int kept[256];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    kept[threadIdx.x] = index[i];
    __syncthreads();
    out[i] = in[kept[threadIdx.x ^ 33]];
}

// the index passes another lane
extern "C" __global__ void shuffled_index(const int* index, const float* in, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[__shfl_xor_sync(0xffffffffu, index[i], 5)];
}

// the index passes local memory
extern "C" __global__ void local_index(const int* index, const float* in, float* out, int turn) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int kept[16];
    for (int k = 0; k < 16; ++k) kept[k] = index[16 * i + k];
    float sum = 0;
    for (int k = 0; k < 16; ++k) sum += in[kept[(k * turn + threadIdx.x) & 15]];
    out[i] = sum;
}

extern "C" __global__ void early_exit(const int* done, float* data) {
    if (*done) return;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    data[i] = data[i] * 2 + 1;
}

extern "C" __global__ void escape_time(const float2* c, int* steps, int most) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float2 at = c[i];
    float x = 0, y = 0;
    int s = 0;
    for (; s < most && x * x + y * y < 4; ++s) {
        const float t = x * x - y * y + at.x;
        y = 2 * x * y + at.y;
        x = t;
    }
    steps[i] = s;
}

extern "C" __global__ void any_active(const int* active, float* data, int rounds) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (__any_sync(0xffffffffu, active[i] != 0)) {
        float x = data[i];
        for (int r = 0; r < rounds; ++r) x = x * x - 0.5f;
        data[i] = x;
    }
}

extern "C" __global__ void count_block(const int* in, int* out, float* more) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int votes = __syncthreads_count(in[i] > 3);
    if (votes > 100) more[i] = votes;
    if (threadIdx.x == 0) out[blockIdx.x] = votes;
}

// ---- what is loaded is only stored

extern "C" __global__ void saxpy(const float* x, float* y, float a, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" __global__ void matrix_product(const float* a, const float* b, float* c, int n) {
    __shared__ float as[16][16], bs[16][16];
    const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; k += 16) {
        as[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
        bs[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
        __syncthreads();
        for (int i = 0; i < 16; ++i) sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

extern "C" __global__ void reduction(const float* in, float* out, int n) {
    __shared__ float part[256];
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
    part[threadIdx.x] = sum;
    for (int half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    }
    if (threadIdx.x == 0) atomicAdd(out, part[0]);
}

// inclusive, of each block
extern "C" __global__ void block_scan(const int* in, int* out) {
    __shared__ int part[256];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = in[i];
    __syncthreads();
    for (int step = 1; step < 256; step *= 2) {
        const int before = threadIdx.x >= step ? part[threadIdx.x - step] : 0;
        __syncthreads();
        part[threadIdx.x] += before;
        __syncthreads();
    }
    out[i] = part[threadIdx.x];
}

extern "C" __global__ void transpose(const double* in, double* out, int width, int height) {
    __shared__ double tile[16][17];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    __syncthreads();
    x = blockIdx.y * 16 + threadIdx.x;
    y = blockIdx.x * 16 + threadIdx.y;
    if (x < height && y < width) out[y * height + x] = tile[threadIdx.x][threadIdx.y];
}

extern "C" __global__ void stencil(const float* in, float* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
    const int i = y * width + x;
    out[i] = 0.5f * in[i] + 0.125f * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
}

// a row per block: maximum, exponentials, sum, division
extern "C" __global__ void softmax(const float* in, float* out, int columns) {
    __shared__ float part[128];
    const float* row = in + blockIdx.x * columns;
    float most = -3.0e38f;
    for (int c = threadIdx.x; c < columns; c += 128) most = fmaxf(most, row[c]);
    part[threadIdx.x] = most;
    for (int half = 64; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) part[threadIdx.x] = fmaxf(part[threadIdx.x], part[threadIdx.x + half]);
    }
    __syncthreads();
    most = part[0];
    __syncthreads();
    float sum = 0;
    for (int c = threadIdx.x; c < columns; c += 128) sum += expf(row[c] - most);
    part[threadIdx.x] = sum;
    for (int half = 64; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    }
    __syncthreads();
    for (int c = threadIdx.x; c < columns; c += 128)
        out[blockIdx.x * columns + c] = expf(row[c] - most) / part[0];
}

extern "C" __global__ void relu_root(const float* in, double* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const float x = in[i] > 0 ? in[i] : 0.01f * in[i];
        out[i] = sqrtf(fabsf(x)) + 1.0 / (2.0 + x);
    }
}

extern "C" __global__ void atomic_sum(const float* in, float* sums, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&sums[i % 64], in[i]);
}
