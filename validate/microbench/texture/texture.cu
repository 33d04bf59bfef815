// Texture fetches and surface reads: latency, rate of one SM with all data in L1, bandwidth of all SMs.
//
//   nvcc -O3 -arch=sm_90 -o texture texture.cu && ./texture > texture.csv
//
// Columns: test, what (cycles per warp instruction and SM, cycles, or GB/s), value. Median of seven launches.
// `hit`: 2 blocks of 1024 threads on each SM, loops of independent fetches of 16 KiB; the instructions of an
// SM over its cycles, from its first block's start to its last one's end. `chase`: one thread, each fetch
// gives the next address. `stream`: each element of 256 MiB once.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define CHECK(call)                                                                             \
    do {                                                                                        \
        const cudaError_t e = (call);                                                           \
        if (e != cudaSuccess) {                                                                 \
            std::fprintf(stderr, "%s: %s (line %d)\n", #call, cudaGetErrorString(e), __LINE__); \
            std::exit(1);                                                                       \
        }                                                                                       \
    } while (0)

constexpr int repeats = 7, block_threads = 1024, trips = 64, unroll = 16;

__device__ float sum_of(float v) {
    return v;
}
__device__ float sum_of(float2 v) {
    return v.x + v.y;
}
__device__ float sum_of(float4 v) {
    return v.x + v.y + v.z + v.w;
}
__device__ float sum_of(uchar4 v) {
    return v.x + v.y + v.z + v.w;
}
__device__ float sum_of(unsigned char v) {
    return v;
}

// Lanes `walk` elements apart; 0 = all at one, -1 = anywhere.
constexpr int row = 1, broadcast = 0, random_walk = -1;

__device__ unsigned start_of(int walk) {
    unsigned t = threadIdx.x + blockIdx.x * 7919;
    if (walk == random_walk) {  // the finalizer of MurmurHash3
        t = (t ^ t >> 16) * 0x85ebca6bu;
        t = (t ^ t >> 13) * 0xc2b2ae35u;
        return t ^ t >> 16;
    }
    return threadIdx.x / 32 * 32 + threadIdx.x % 32 * walk;
}

struct Times {
    long long start, end;
    unsigned sm;
};

__device__ void note(Times* times, long long start) {
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned sm;
        asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
        times[blockIdx.x] = {start, clock64(), sm};
    }
}

template <class T, int walk>
__global__ void hit_linear(cudaTextureObject_t t, unsigned mask, float* out, Times* times) {
    unsigned i = start_of(walk);
    float sum = 0;
    for (unsigned k = 0; k <= mask; k += blockDim.x)
        sum += sum_of(tex1Dfetch<T>(t, (k + threadIdx.x) & mask));
    __syncthreads();
    const long long start = clock64();
#pragma unroll 1  // else fetches of one address by two trips become one
    for (int n = 0; n < trips; ++n) {
#pragma unroll
        for (int u = 0; u < unroll; ++u)
            sum += sum_of(tex1Dfetch<T>(t, (i + u * 32) & mask));
        i += 17 * 32;
    }
    note(times, start);
    if (sum == 1.25e-30f)
        *out = sum;
}

template <class T, int walk>
__global__ void hit_load(const T* p, unsigned mask, float* out, Times* times) {
    unsigned i = start_of(walk);
    float sum = 0;
    for (unsigned k = 0; k <= mask; k += blockDim.x)
        sum += sum_of(__ldg(p + ((k + threadIdx.x) & mask)));
    __syncthreads();
    const long long start = clock64();
#pragma unroll 1  // else fetches of one address by two trips become one
    for (int n = 0; n < trips; ++n) {
#pragma unroll
        for (int u = 0; u < unroll; ++u)
            sum += sum_of(__ldg(p + ((i + u * 32) & mask)));
        i += 17 * 32;
    }
    note(times, start);
    if (sum == 1.25e-30f)
        *out = sum;
}

// rows > 0: a warp covers 32 / rows x rows texels; 0 = all lanes one texel
template <class T, int rows>
__global__ void hit_plane(cudaTextureObject_t t, float width, float height, float* out, Times* times) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    constexpr int columns = rows > 0 ? 32 / rows : 1;
    float x = (rows > 0 ? lane % columns : 0) + 0.5f,
          y = (rows > 0 ? lane / columns : 0) + warp % 8 * 4 + 0.5f;
    float sum = 0;
    for (float v = 0.5f; v < height; ++v)
        for (float u = threadIdx.x + 0.5f; u < width; u += blockDim.x)
            sum += sum_of(tex2D<T>(t, u, v));
    __syncthreads();
    const long long start = clock64();
#pragma unroll 1  // else fetches of one address by two trips become one
    for (int n = 0; n < trips; ++n) {
#pragma unroll
        for (int u = 0; u < unroll; ++u)
            sum += sum_of(tex2D<T>(t, x, y + u));
        y = n % 2 ? y - 4 : y + 4;
    }
    note(times, start);
    if (sum == 1.25e-30f)
        *out = sum;
}

template <class T>
__global__ void hit_surface(cudaSurfaceObject_t s, float* out, Times* times) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int y = warp % 8 * 4;
    float sum = 0;
    for (int v = 0; v < 64; ++v)
        sum += sum_of(surf2Dread<T>(s, lane * (int)sizeof(T), v));
    __syncthreads();
    const long long start = clock64();
#pragma unroll 1  // else fetches of one address by two trips become one
    for (int n = 0; n < trips; ++n) {
#pragma unroll
        for (int u = 0; u < unroll; ++u)
            sum += sum_of(surf2Dread<T>(s, lane * (int)sizeof(T), y + u));
        y = n % 2 ? y - 4 : y + 4;
    }
    note(times, start);
    if (sum == 1.25e-30f)
        *out = sum;
}

__global__ void chase_linear(cudaTextureObject_t t, int n, int* out, long long* cycles) {
    int i = 0;
    for (int k = 0; k < n; ++k)
        i = tex1Dfetch<int>(t, i);
    const long long start = clock64();
    for (int k = 0; k < n; ++k)
        i = tex1Dfetch<int>(t, i);
    *cycles = clock64() - start + (i == -1);
    *out = i;
}
__global__ void chase_load(const int* p, int n, int* out, long long* cycles) {
    int i = 0;
    for (int k = 0; k < n; ++k)
        i = __ldg(p + i);
    const long long start = clock64();
    for (int k = 0; k < n; ++k)
        i = __ldg(p + i);
    *cycles = clock64() - start + (i == -1);
    *out = i;
}
__global__ void chase_plane(cudaTextureObject_t t, int n, float* out, long long* cycles) {
    float x = 0.5f;
    for (int k = 0; k < n; ++k)
        x = tex2D<float>(t, x, 0.5f);
    const long long start = clock64();
    for (int k = 0; k < n; ++k)
        x = tex2D<float>(t, x, 0.5f);
    *cycles = clock64() - start + (x == -1);
    *out = x;
}
__global__ void chase_surface(cudaSurfaceObject_t s, int n, int* out, long long* cycles) {
    int x = 0;
    for (int k = 0; k < n; ++k)
        x = surf2Dread<int>(s, x * 4, 0);
    const long long start = clock64();
    for (int k = 0; k < n; ++k)
        x = surf2Dread<int>(s, x * 4, 0);
    *cycles = clock64() - start + (x == -1);
    *out = x;
}

template <class T>
__global__ void stream_linear(cudaTextureObject_t t, unsigned n, float* out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const float v = sum_of(tex1Dfetch<T>(t, i));
        if (v == 1.25e-30f)
            *out = v;
    }
}
template <class T>
__global__ void stream_load(const T* p, unsigned n, float* out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const float v = sum_of(__ldg(p + i));
        if (v == 1.25e-30f)
            *out = v;
    }
}
template <class T>
__global__ void stream_plane(cudaTextureObject_t t, float* out) {
    const float v = sum_of(tex2D<T>(t, blockIdx.x * blockDim.x + threadIdx.x + 0.5f,
                                    blockIdx.y * blockDim.y + threadIdx.y + 0.5f));
    if (v == 1.25e-30f)
        *out = v;
}
template <class T>
__global__ void stream_surface_write(cudaSurfaceObject_t s) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    T v{};
    surf2Dwrite(v, s, x * (int)sizeof(T), y);
}

template <class Launch>
double median(Launch launch) {
    std::vector<double> all;
    for (int r = 0; r < repeats; ++r)
        all.push_back(launch());
    std::sort(all.begin(), all.end());
    return all[repeats / 2];
}

int sms = 0;
Times* times_on_device;
float* sink;

template <class Launch>
double cycles_per_instruction(Launch launch) {
    return median([&] {
        std::vector<Times> times(static_cast<std::size_t>(2 * sms));
        launch(2 * sms);
        CHECK(cudaGetLastError());
        CHECK(
            cudaMemcpy(times.data(), times_on_device, times.size() * sizeof(Times), cudaMemcpyDeviceToHost));
        std::vector<double> by_sm;
        for (unsigned sm = 0; sm < 1024; ++sm) {
            long long start = INT64_MAX, end = 0;
            int blocks = 0;
            for (const auto& t : times)
                if (t.sm == sm)
                    start = std::min(start, t.start), end = std::max(end, t.end), ++blocks;
            if (blocks > 0)
                by_sm.push_back(double(end - start) / (double(blocks) * block_threads / 32 * trips * unroll));
        }
        std::sort(by_sm.begin(), by_sm.end());
        return by_sm[by_sm.size() / 2];
    });
}

template <class Launch>
double seconds(Launch launch) {
    cudaEvent_t a, b;
    CHECK(cudaEventCreate(&a));
    CHECK(cudaEventCreate(&b));
    launch();
    return median([&] {
        CHECK(cudaEventRecord(a));
        launch();
        CHECK(cudaEventRecord(b));
        CHECK(cudaEventSynchronize(b));
        float ms = 0;
        CHECK(cudaEventElapsedTime(&ms, a, b));
        return ms * 1e-3;
    });
}

void print(const std::string& test, const char* what, double value) {
    std::printf("%s,%s,%.4g\n", test.c_str(), what, value);
    std::fflush(stdout);
}

template <class T>
cudaTextureObject_t linear_texture(void* p, std::size_t bytes) {
    cudaResourceDesc r{};
    r.resType = cudaResourceTypeLinear;
    r.res.linear.devPtr = p;
    r.res.linear.desc = cudaCreateChannelDesc<T>();
    r.res.linear.sizeInBytes = bytes;
    cudaTextureDesc d{};
    d.readMode = cudaReadModeElementType;
    cudaTextureObject_t t;
    CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
    return t;
}

template <class T>
cudaArray_t array_of(std::size_t w, std::size_t h) {
    cudaArray_t a;
    const auto desc = cudaCreateChannelDesc<T>();
    CHECK(cudaMallocArray(&a, &desc, w, h, cudaArraySurfaceLoadStore));
    return a;
}

cudaTextureObject_t plane_texture(cudaArray_t a, bool linear, bool normalized_read = false) {
    cudaResourceDesc r{};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    cudaTextureDesc d{};
    d.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
    d.readMode = normalized_read ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    d.addressMode[0] = d.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t t;
    CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
    return t;
}

cudaSurfaceObject_t surface(cudaArray_t a) {
    cudaResourceDesc r{};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    cudaSurfaceObject_t s;
    CHECK(cudaCreateSurfaceObject(&s, &r));
    return s;
}

constexpr const char* per_instruction = "cycles/instruction/SM";
constexpr std::size_t small_bytes = 16384, large_bytes = std::size_t{256} << 20;

template <class T>
void linear_tests(const std::string& name, void* small, void* large) {
    const auto t = linear_texture<T>(small, small_bytes);
    const unsigned mask = small_bytes / sizeof(T) - 1;
    const auto rate = [&](const char* what, auto kernel) {
        print(std::string("hit tex1Dfetch ") + name + what, per_instruction,
              cycles_per_instruction(
                  [&](int blocks) { kernel<<<blocks, block_threads>>>(t, mask, sink, times_on_device); }));
    };
    rate(" row", hit_linear<T, row>);
    rate(" broadcast", hit_linear<T, broadcast>);
    rate(" random", hit_linear<T, random_walk>);
    rate(" every 2nd", hit_linear<T, 2>);
    rate(" every 4th", hit_linear<T, 4>);
    rate(" every 8th", hit_linear<T, 8>);
    rate(" every 16th", hit_linear<T, 16>);
    rate(" every 32nd", hit_linear<T, 32>);
    rate(" every 33rd", hit_linear<T, 33>);
    rate(" every 64th", hit_linear<T, 64>);
    const auto load = [&](const char* what, auto kernel) {
        print(std::string("hit ldg ") + name + what, per_instruction, cycles_per_instruction([&](int blocks) {
                  kernel<<<blocks, block_threads>>>((const T*)small, mask, sink, times_on_device);
              }));
    };
    load(" row", hit_load<T, row>);
    load(" random", hit_load<T, random_walk>);
    load(" every 8th", hit_load<T, 8>);
    load(" every 32nd", hit_load<T, 32>);
    load(" every 33rd", hit_load<T, 33>);
    const unsigned n = large_bytes / sizeof(T);
    const auto big = linear_texture<T>(large, large_bytes);
    print("stream tex1Dfetch " + name, "GB/s",
          large_bytes * 1e-9 / seconds([&] { stream_linear<T><<<n / 256, 256>>>(big, n, sink); }));
    print("stream ldg " + name, "GB/s",
          large_bytes * 1e-9 / seconds([&] { stream_load<T><<<n / 256, 256>>>((const T*)large, n, sink); }));
}

template <class T>
void plane_tests(const std::string& name, bool linear, bool normalized = false) {
    using R = T;
    const std::size_t w = 64, h = 64 * 4 / sizeof(T) + 64;
    const auto t = plane_texture(array_of<T>(w, h), linear, normalized);
    const auto rate = [&](const char* what, auto kernel) {
        print("hit tex2D " + name + what, per_instruction, cycles_per_instruction([&](int blocks) {
                  kernel<<<blocks, block_threads>>>(t, float(w), 64.f, sink, times_on_device);
              }));
    };
    rate(" 32x1", hit_plane<R, 1>);
    rate(" 16x2", hit_plane<R, 2>);
    rate(" 8x4", hit_plane<R, 4>);
    rate(" 1x32", hit_plane<R, 32>);
    rate(" one", hit_plane<R, 0>);
    const std::size_t side = 8192, rows = large_bytes / sizeof(T) / side;
    const auto a = array_of<T>(side, rows);
    const auto big = plane_texture(a, linear, normalized);
    for (const dim3 block : {dim3(32, 8), dim3(256, 1), dim3(16, 16)}) {
        const dim3 grid(side / block.x, rows / block.y);
        const auto shape = " " + std::to_string(block.x) + "x" + std::to_string(block.y);
        print("stream tex2D " + name + shape, "GB/s",
              large_bytes * 1e-9 / seconds([&] { stream_plane<R><<<grid, block>>>(big, sink); }));
        if (!linear && !normalized) {
            const auto s = surface(a);
            print("stream surf2Dwrite " + name + shape, "GB/s",
                  large_bytes * 1e-9 / seconds([&] { stream_surface_write<T><<<grid, block>>>(s); }));
        }
    }
    CHECK(cudaFreeArray(a));
}

int main() {
    cudaDeviceProp p{};
    CHECK(cudaGetDeviceProperties(&p, 0));
    sms = p.multiProcessorCount;
    std::printf("# %s, %d SMs\ntest,what,value\n", p.name, sms);
    CHECK(cudaMalloc(&times_on_device, sizeof(Times) * 2 * sms));
    CHECK(cudaMalloc(&sink, 64));
    void *small, *large;
    CHECK(cudaMalloc(&small, small_bytes));
    CHECK(cudaMalloc(&large, large_bytes));
    CHECK(cudaMemset(small, 0, small_bytes));
    CHECK(cudaMemset(large, 0, large_bytes));
    long long* cycles;
    CHECK(cudaMallocManaged(&cycles, 8));
    const auto chase = [&](const char* name, auto launch) {
        print(name, "cycles", median([&] {
                  launch();
                  CHECK(cudaDeviceSynchronize());
                  return *cycles / 512.0;
              }));
    };
    const auto ints = linear_texture<int>(small, small_bytes);
    chase("chase tex1Dfetch int", [&] { chase_linear<<<1, 1>>>(ints, 512, (int*)sink, cycles); });
    chase("chase ldg int", [&] { chase_load<<<1, 1>>>((const int*)small, 512, (int*)sink, cycles); });
    const auto floats = array_of<float>(64, 64);
    const auto point = plane_texture(floats, false), linear = plane_texture(floats, true);
    chase("chase tex2D float", [&] { chase_plane<<<1, 1>>>(point, 512, sink, cycles); });
    chase("chase tex2D float linear", [&] { chase_plane<<<1, 1>>>(linear, 512, sink, cycles); });
    const auto integers = surface(array_of<int>(64, 64));
    chase("chase surf2Dread int", [&] { chase_surface<<<1, 1>>>(integers, 512, (int*)sink, cycles); });
    linear_tests<float>("float", small, large);
    linear_tests<float2>("float2", small, large);
    linear_tests<float4>("float4", small, large);
    linear_tests<uchar4>("uchar4", small, large);
    plane_tests<float>("float", false);
    plane_tests<float>("float linear", true);
    plane_tests<float2>("float2", false);
    plane_tests<float4>("float4", false);
    plane_tests<float4>("float4 linear", true);
    const auto surface_rate = [&](const char* name, auto kernel, cudaSurfaceObject_t s) {
        print(name, per_instruction, cycles_per_instruction([&](int blocks) {
                  kernel<<<blocks, block_threads>>>(s, sink, times_on_device);
              }));
    };
    surface_rate("hit surf2Dread float 32x1", hit_surface<float>, surface(array_of<float>(64, 128)));
    surface_rate("hit surf2Dread float4 32x1", hit_surface<float4>, surface(array_of<float4>(64, 128)));
    return 0;
}
