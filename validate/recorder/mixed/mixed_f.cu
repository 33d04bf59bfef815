// mixed_f.cu - 29 kernels from science, imaging and machine-learning applications, four launches each.
// Build: nvcc -std=c++17 -O3 -arch=sm_90 -o mixed_f mixed_f.cu

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;

#define CK(expr)                                                                   \
    do {                                                                           \
        const cudaError_t status_ = (expr);                                        \
        if (status_ != cudaSuccess) {                                              \
            fprintf(stderr, "line %d: %s -> %s\n", __LINE__, #expr,                \
                    cudaGetErrorString(status_));                                  \
            exit(2);                                                               \
        }                                                                          \
    } while (0)

#define LAUNCH(kern, grid, block, shmem, ...)                                      \
    do {                                                                           \
        for (int turn_ = 0; turn_ < 4; ++turn_) {                                  \
            kern<<<grid, block, shmem>>>(__VA_ARGS__);                             \
            CK(cudaGetLastError());                                                \
        }                                                                          \
        CK(cudaDeviceSynchronize());                                               \
    } while (0)

static int g_failures = 0;
static std::mt19937 g_gen(77123u);
static std::vector<void*> g_buffers;
static std::vector<cudaArray_t> g_arrays;
static std::vector<cudaTextureObject_t> g_textures;

static u32 rnd() { return g_gen(); }

static float rnd_float(float lo, float hi) {
    return lo + (hi - lo) * ((float)(rnd() >> 8) / 16777216.0f);
}

static double rnd_double(double lo, double hi) {
    return lo + (hi - lo) * ((double)rnd() / 4294967296.0);
}

static std::vector<float> rnd_vector(size_t n, float lo, float hi) {
    std::vector<float> v(n);
    for (size_t i = 0; i < n; ++i) v[i] = rnd_float(lo, hi);
    return v;
}

template <typename T> static T* blank(size_t count) {
    void* p = nullptr;
    CK(cudaMalloc(&p, count * sizeof(T)));
    CK(cudaMemset(p, 0, count * sizeof(T)));
    g_buffers.push_back(p);
    return (T*)p;
}

template <typename T> static T* upload(const std::vector<T>& host) {
    void* p = nullptr;
    CK(cudaMalloc(&p, host.size() * sizeof(T)));
    CK(cudaMemcpy(p, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
    g_buffers.push_back(p);
    return (T*)p;
}

template <typename T> static std::vector<T> download(const T* dev, size_t count) {
    std::vector<T> host(count);
    CK(cudaMemcpy(host.data(), dev, count * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
}

static void release_all() {
    for (auto t : g_textures) CK(cudaDestroyTextureObject(t));
    for (auto a : g_arrays) CK(cudaFreeArray(a));
    for (auto p : g_buffers) CK(cudaFree(p));
    g_textures.clear();
    g_arrays.clear();
    g_buffers.clear();
}

static void verdict(const char* name, bool ok) {
    printf("%s %s\n", name, ok ? "OK" : "MISMATCH");
    fflush(stdout);
    if (!ok) ++g_failures;
    release_all();
}

template <typename A, typename B>
static bool all_close(const std::vector<A>& got, const std::vector<B>& want, double atol, double rtol,
                      size_t allowed = 0) {
    if (got.size() != want.size()) return false;
    size_t wrong = 0;
    for (size_t i = 0; i < got.size(); ++i) {
        const double g = (double)got[i], w = (double)want[i];
        if (!(std::fabs(g - w) <= atol + rtol * std::fabs(w))) {
            if (wrong == 0) fprintf(stderr, "  first difference at %zu: %.9g, expected %.9g\n", i, g, w);
            ++wrong;
        }
    }
    if (wrong) fprintf(stderr, "  %zu of %zu differ\n", wrong, got.size());
    return wrong <= allowed;
}

static int ceil_div(int a, int b) { return (a + b - 1) / b; }

static int clampi(int v, int lo, int hi) { return v < lo ? lo : (v > hi ? hi : v); }

static cudaTextureObject_t bind_array(cudaArray_t array, cudaTextureFilterMode filter) {
    cudaResourceDesc res = {};
    res.resType = cudaResourceTypeArray;
    res.res.array.array = array;
    cudaTextureDesc desc = {};
    desc.addressMode[0] = cudaAddressModeClamp;
    desc.addressMode[1] = cudaAddressModeClamp;
    desc.addressMode[2] = cudaAddressModeClamp;
    desc.filterMode = filter;
    desc.readMode = cudaReadModeElementType;
    desc.normalizedCoords = 0;
    cudaTextureObject_t tex = 0;
    CK(cudaCreateTextureObject(&tex, &res, &desc, nullptr));
    g_textures.push_back(tex);
    return tex;
}

template <typename T>
static cudaTextureObject_t texture_2d(const std::vector<T>& texels, int w, int h, cudaTextureFilterMode filter) {
    cudaChannelFormatDesc fmt = cudaCreateChannelDesc<T>();
    cudaArray_t array = nullptr;
    CK(cudaMallocArray(&array, &fmt, w, h));
    CK(cudaMemcpy2DToArray(array, 0, 0, texels.data(), w * sizeof(T), w * sizeof(T), h, cudaMemcpyHostToDevice));
    g_arrays.push_back(array);
    return bind_array(array, filter);
}

static cudaTextureObject_t texture_3d(const std::vector<float>& texels, int w, int h, int d) {
    cudaChannelFormatDesc fmt = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    CK(cudaMalloc3DArray(&array, &fmt, make_cudaExtent(w, h, d)));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr((void*)texels.data(), w * sizeof(float), w, h);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(w, h, d);
    copy.kind = cudaMemcpyHostToDevice;
    CK(cudaMemcpy3D(&copy));
    g_arrays.push_back(array);
    return bind_array(array, cudaFilterModePoint);
}

static cudaTextureObject_t texture_linear(const float4* dev, size_t count) {
    cudaResourceDesc res = {};
    res.resType = cudaResourceTypeLinear;
    res.res.linear.devPtr = (void*)dev;
    res.res.linear.desc = cudaCreateChannelDesc<float4>();
    res.res.linear.sizeInBytes = count * sizeof(float4);
    cudaTextureDesc desc = {};
    desc.readMode = cudaReadModeElementType;
    cudaTextureObject_t tex = 0;
    CK(cudaCreateTextureObject(&tex, &res, &desc, nullptr));
    g_textures.push_back(tex);
    return tex;
}

static std::vector<u8> synthetic_photo(int w, int h) {
    std::vector<u8> img((size_t)w * h);
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            float v = 120.0f + 60.0f * sinf(x * 0.031f) * cosf(y * 0.023f);
            if (((x / 57) + (y / 43)) % 3 == 0) v += 35.0f;
            v += (float)(rnd() % 13) - 6.0f;
            img[(size_t)y * w + x] = (u8)clampi((int)v, 0, 255);
        }
    return img;
}

// 1. Catmull-Rom bicubic resize of an RGBA image through a uchar4 texture
__device__ __forceinline__ void catmull_weights(float t, float* w) {
    w[0] = t * (-0.5f + t * (1.0f - 0.5f * t));
    w[1] = 1.0f + t * t * (-2.5f + 1.5f * t);
    w[2] = t * (0.5f + t * (2.0f - 1.5f * t));
    w[3] = t * t * (-0.5f + 0.5f * t);
}

__global__ void resize_bicubic_rgba_tex(cudaTextureObject_t src, uchar4* dst, int dw, int dh, float sx, float sy) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= dw || y >= dh) return;
    const float fx = (x + 0.5f) * sx - 0.5f, fy = (y + 0.5f) * sy - 0.5f;
    const float bx = floorf(fx), by = floorf(fy);
    float wx[4], wy[4];
    catmull_weights(fx - bx, wx);
    catmull_weights(fy - by, wy);
    float r = 0.0f, g = 0.0f, b = 0.0f, a = 0.0f;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const uchar4 p = tex2D<uchar4>(src, bx + (float)i - 0.5f, by + (float)j - 0.5f);
            const float w = wx[i] * wy[j];
            r += w * (float)p.x;
            g += w * (float)p.y;
            b += w * (float)p.z;
            a += w * (float)p.w;
        }
    }
    uchar4 o;
    o.x = (u8)fminf(255.0f, fmaxf(0.0f, r + 0.5f));
    o.y = (u8)fminf(255.0f, fmaxf(0.0f, g + 0.5f));
    o.z = (u8)fminf(255.0f, fmaxf(0.0f, b + 0.5f));
    o.w = (u8)fminf(255.0f, fmaxf(0.0f, a + 0.5f));
    dst[(size_t)y * dw + x] = o;
}

static void run_resize_bicubic() {
    const int sw = 1280, sh = 720, dw = 1920, dh = 1080;
    const float scale = 2.0f / 3.0f;
    std::vector<u8> red = synthetic_photo(sw, sh), green = synthetic_photo(sw, sh), blue = synthetic_photo(sw, sh);
    std::vector<uchar4> img((size_t)sw * sh);
    for (size_t i = 0; i < img.size(); ++i) img[i] = make_uchar4(red[i], green[i], blue[i], (u8)(200 + i % 50));
    cudaTextureObject_t tex = texture_2d(img, sw, sh, cudaFilterModePoint);
    uchar4* d_out = blank<uchar4>((size_t)dw * dh);
    dim3 block(32, 8), grid(ceil_div(dw, 32), ceil_div(dh, 8));
    LAUNCH(resize_bicubic_rgba_tex, grid, block, 0, tex, d_out, dw, dh, scale, scale);
    std::vector<uchar4> got = download(d_out, (size_t)dw * dh);
    std::vector<float> gotf, want;
    auto cubic = [](double t) {
        t = std::fabs(t);
        if (t < 1.0) return 1.5 * t * t * t - 2.5 * t * t + 1.0;
        if (t < 2.0) return -0.5 * t * t * t + 2.5 * t * t - 4.0 * t + 2.0;
        return 0.0;
    };
    for (int y = 0; y < dh; ++y)
        for (int x = 0; x < dw; ++x) {
            const double fx = (x + 0.5) * 2.0 / 3.0 - 0.5, fy = (y + 0.5) * 2.0 / 3.0 - 0.5;
            const int bx = (int)std::floor(fx), by = (int)std::floor(fy);
            double sum[4] = {0, 0, 0, 0};
            for (int j = -1; j <= 2; ++j) {
                const double wy = cubic(fy - (by + j));
                for (int i = -1; i <= 2; ++i) {
                    const double w = wy * cubic(fx - (bx + i));
                    const uchar4 p = img[(size_t)clampi(by + j, 0, sh - 1) * sw + clampi(bx + i, 0, sw - 1)];
                    sum[0] += w * p.x;
                    sum[1] += w * p.y;
                    sum[2] += w * p.z;
                    sum[3] += w * p.w;
                }
            }
            for (int c = 0; c < 4; ++c) want.push_back((float)std::min(255.0, std::max(0.0, sum[c])));
            const uchar4 o = got[(size_t)y * dw + x];
            gotf.push_back(o.x);
            gotf.push_back(o.y);
            gotf.push_back(o.z);
            gotf.push_back(o.w);
        }
    verdict("resize_bicubic_rgba_tex", all_close(gotf, want, 0.52, 0.0));
}

// 2. optical-flow block matching: 5x5 SSD over a 7x7 search window from two float textures
__global__ void flow_ssd_search_tex(cudaTextureObject_t prev, cudaTextureObject_t next, int* best, int w, int h) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    const float px = x + 0.5f, py = y + 0.5f;
    float ref[25];
#pragma unroll
    for (int k = 0; k < 25; ++k) ref[k] = tex2D<float>(prev, px + (float)(k % 5 - 2), py + (float)(k / 5 - 2));
    float best_cost = FLT_MAX;
    int best_id = 0;
    for (int dy = -3; dy <= 3; ++dy) {
        for (int dx = -3; dx <= 3; ++dx) {
            float cost = 0.0f;
#pragma unroll
            for (int k = 0; k < 25; ++k) {
                const float q = tex2D<float>(next, px + (float)(dx + k % 5 - 2), py + (float)(dy + k / 5 - 2));
                const float diff = ref[k] - q;
                cost += diff * diff;
            }
            if (cost < best_cost) {
                best_cost = cost;
                best_id = (dy + 3) * 7 + dx + 3;
            }
        }
    }
    best[y * w + x] = ((int)best_cost << 8) | best_id;
}

static void run_flow_ssd() {
    const int w = 480, h = 320;
    std::vector<u8> photo = synthetic_photo(w, h);
    std::vector<float> a((size_t)w * h), b((size_t)w * h);
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            a[(size_t)y * w + x] = photo[(size_t)y * w + x];
            const int sx = clampi(x - 2, 0, w - 1), sy = clampi(y + 1, 0, h - 1);
            b[(size_t)y * w + x] = (float)(photo[(size_t)sy * w + sx] + (int)(rnd() % 3));
        }
    cudaTextureObject_t ta = texture_2d(a, w, h, cudaFilterModePoint);
    cudaTextureObject_t tb = texture_2d(b, w, h, cudaFilterModePoint);
    int* d_best = blank<int>((size_t)w * h);
    dim3 block(16, 16), grid(ceil_div(w, 16), ceil_div(h, 16));
    LAUNCH(flow_ssd_search_tex, grid, block, 0, ta, tb, d_best, w, h);
    std::vector<int> got = download(d_best, (size_t)w * h), want((size_t)w * h);
    const int pad = 5, pw = w + 2 * pad;
    std::vector<int> pa((size_t)pw * (h + 2 * pad)), pb((size_t)pw * (h + 2 * pad));
    for (int y = -pad; y < h + pad; ++y)
        for (int x = -pad; x < w + pad; ++x) {
            const size_t s = (size_t)clampi(y, 0, h - 1) * w + clampi(x, 0, w - 1);
            pa[(size_t)(y + pad) * pw + x + pad] = (int)a[s];
            pb[(size_t)(y + pad) * pw + x + pad] = (int)b[s];
        }
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            int lowest = 1 << 30, id = 0;
            for (int dy = -3; dy <= 3; ++dy)
                for (int dx = -3; dx <= 3; ++dx) {
                    int cost = 0;
                    for (int j = -2; j <= 2; ++j) {
                        const int* ra = &pa[(size_t)(y + j + pad) * pw + x + pad];
                        const int* rb = &pb[(size_t)(y + dy + j + pad) * pw + x + dx + pad];
                        for (int i = -2; i <= 2; ++i) cost += (ra[i] - rb[i]) * (ra[i] - rb[i]);
                    }
                    if (cost < lowest) {
                        lowest = cost;
                        id = (dy + 3) * 7 + dx + 3;
                    }
                }
            want[(size_t)y * w + x] = (lowest << 8) | id;
        }
    verdict("flow_ssd_search_tex", got == want);
}

// 3. marching-cubes classification of a scalar volume held in a 3-D texture
__constant__ u8 c_cube_edges[256];

__global__ void mc_classify_tex3d(cudaTextureObject_t vol, unsigned short* cells, u32* active, int nx, int ny, int nz,
                                  float iso) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int z = blockIdx.z * blockDim.z + threadIdx.z;
    const bool inside = x < nx && y < ny && z < nz;
    int code = 0;
    if (inside) {
#pragma unroll
        for (int c = 0; c < 8; ++c) {
            const float v = tex3D<float>(vol, x + (c & 1) + 0.5f, y + ((c >> 1) & 1) + 0.5f, z + (c >> 2) + 0.5f);
            if (v < iso) code |= 1 << c;
        }
        cells[((size_t)z * ny + y) * nx + x] = (unsigned short)(code | (c_cube_edges[code] << 8));
    }
    const u32 votes = __ballot_sync(0xffffffffu, code != 0 && code != 255);
    if (threadIdx.x == 0 && votes) atomicAdd(active, (u32)__popc(votes));
}

static void run_mc_classify() {
    const int vx = 160, vy = 128, vz = 112, nx = vx - 1, ny = vy - 1, nz = vz - 1;
    std::vector<float> vol((size_t)vx * vy * vz, 0.0f);
    for (int z = 0; z < vz; ++z)
        for (int y = 0; y < vy; ++y)
            for (int x = 0; x < vx; ++x) {
                const float a = sinf(0.11f * x) * cosf(0.13f * y), b = sinf(0.13f * y) * cosf(0.17f * z);
                vol[((size_t)z * vy + y) * vx + x] = a + b + sinf(0.17f * z) * cosf(0.11f * x);
            }
    std::vector<u8> edges(256);
    for (int code = 0; code < 256; ++code) {
        int crossing = 0;
        for (int a = 0; a < 8; ++a)
            for (int axis = 0; axis < 3; ++axis) {
                const int b = a | (1 << axis);
                if (b != a && ((code >> a) & 1) != ((code >> b) & 1)) ++crossing;
            }
        edges[code] = (u8)crossing;
    }
    CK(cudaMemcpyToSymbol(c_cube_edges, edges.data(), 256));
    cudaTextureObject_t tex = texture_3d(vol, vx, vy, vz);
    const size_t n = (size_t)nx * ny * nz;
    unsigned short* d_cells = blank<unsigned short>(n);
    u32* d_active = blank<u32>(1);
    const float iso = 0.2f;
    dim3 block(32, 4, 2), grid(ceil_div(nx, 32), ceil_div(ny, 4), ceil_div(nz, 2));
    LAUNCH(mc_classify_tex3d, grid, block, 0, tex, d_cells, d_active, nx, ny, nz, iso);
    std::vector<unsigned short> got = download(d_cells, n);
    const u32 active = download(d_active, 1)[0];
    bool ok = true;
    u32 expected = 0;
    for (int z = 0; z < nz; ++z)
        for (int y = 0; y < ny; ++y)
            for (int x = 0; x < nx; ++x) {
                int code = 0;
                for (int c = 0; c < 8; ++c)
                    if (vol[((size_t)(z + (c >> 2)) * vy + y + ((c >> 1) & 1)) * vx + x + (c & 1)] < iso) code |= 1 << c;
                if (code != 0 && code != 255) ++expected;
                if (got[((size_t)z * ny + y) * nx + x] != (code | (edges[code] << 8))) ok = false;
            }
    verdict("mc_classify_tex3d", ok && active == 4 * expected);
}

// 4. parallel-beam CT back-projection with a linearly filtered sinogram texture
__constant__ float2 c_ct_dir[180];

__global__ void ct_backproject_tex(cudaTextureObject_t sino, float* img, int n, int angles, float center) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n) return;
    const float cx = x - 0.5f * (n - 1), cy = y - 0.5f * (n - 1);
    float acc = 0.0f;
    for (int a = 0; a < angles; ++a) {
        const float2 d = c_ct_dir[a];
        acc += tex2D<float>(sino, cx * d.x + cy * d.y + center, a + 0.5f);
    }
    img[y * n + x] = acc * (3.14159265f / angles);
}

static void run_ct_backproject() {
    const int n = 256, det = 367, angles = 180;
    std::vector<float2> dir(angles);
    std::vector<float> sino((size_t)det * angles, 0.0f);
    const float discs[5][4] = {{0, 0, 90, 1.0f}, {30, 20, 25, 0.6f}, {-35, 10, 18, -0.4f}, {5, -40, 30, 0.5f}, {-50, -45, 9, 1.2f}};
    for (int a = 0; a < angles; ++a) {
        const double th = M_PI * a / angles;
        dir[a] = make_float2((float)std::cos(th), (float)std::sin(th));
        for (int t = 0; t < det; ++t)
            for (int k = 0; k < 5; ++k) {
                const float s = (t - 183) - (discs[k][0] * dir[a].x + discs[k][1] * dir[a].y);
                const float q = discs[k][2] * discs[k][2] - s * s;
                if (q > 0.0f) sino[(size_t)a * det + t] += 2.0f * discs[k][3] * sqrtf(q);
            }
    }
    CK(cudaMemcpyToSymbol(c_ct_dir, dir.data(), angles * sizeof(float2)));
    cudaTextureObject_t tex = texture_2d(sino, det, angles, cudaFilterModeLinear);
    float* d_img = blank<float>(n * n);
    dim3 block(16, 8), grid(n / 16, n / 8);
    LAUNCH(ct_backproject_tex, grid, block, 0, tex, d_img, n, angles, 183.5f);
    std::vector<float> got = download(d_img, (size_t)n * n), want((size_t)n * n);
    for (int y = 0; y < n; ++y)
        for (int x = 0; x < n; ++x) {
            double acc = 0.0;
            for (int a = 0; a < angles; ++a) {
                const double t = (x - 127.5) * dir[a].x + (y - 127.5) * dir[a].y + 183.0;
                const int i = (int)std::floor(t);
                const double f = t - i;
                const float s0 = sino[(size_t)a * det + clampi(i, 0, det - 1)];
                const float s1 = sino[(size_t)a * det + clampi(i + 1, 0, det - 1)];
                acc += s0 + f * (s1 - s0);
            }
            want[(size_t)y * n + x] = (float)(acc * M_PI / angles);
        }
    const float peak = *std::max_element(want.begin(), want.end());
    verdict("ct_backproject_tex", all_close(got, want, 0.005 * peak, 0.0));
}

// 5. four nearest neighbours by brute force over points read with tex1Dfetch
__global__ void knn4_tex1d(cudaTextureObject_t pts, const float4* queries, float4* dist, int4* index, int npts, int nq) {
    const int q = blockIdx.x * blockDim.x + threadIdx.x;
    if (q >= nq) return;
    const float4 c = queries[q];
    float d0 = FLT_MAX, d1 = FLT_MAX, d2 = FLT_MAX, d3 = FLT_MAX;
    int i0 = -1, i1 = -1, i2 = -1, i3 = -1;
#pragma unroll 4
    for (int i = 0; i < npts; ++i) {
        const float4 p = tex1Dfetch<float4>(pts, i);
        const float dx = p.x - c.x, dy = p.y - c.y, dz = p.z - c.z;
        const float d = dx * dx + dy * dy + dz * dz;
        if (d < d3) {
            if (d < d1) {
                d3 = d2; i3 = i2;
                d2 = d1; i2 = i1;
                if (d < d0) {
                    d1 = d0; i1 = i0;
                    d0 = d; i0 = i;
                } else {
                    d1 = d; i1 = i;
                }
            } else if (d < d2) {
                d3 = d2; i3 = i2;
                d2 = d; i2 = i;
            } else {
                d3 = d; i3 = i;
            }
        }
    }
    dist[q] = make_float4(d0, d1, d2, d3);
    index[q] = make_int4(i0, i1, i2, i3);
}

static void run_knn4() {
    const int npts = 2048, nq = 8192;
    std::vector<float4> pts(npts), qs(nq);
    for (auto& p : pts) p = make_float4(rnd_float(0, 1), rnd_float(0, 1), rnd_float(0, 1), 0.0f);
    for (auto& p : qs) p = make_float4(rnd_float(0, 1), rnd_float(0, 1), rnd_float(0, 1), 0.0f);
    float4* d_pts = upload(pts);
    float4* d_qs = upload(qs);
    cudaTextureObject_t tex = texture_linear(d_pts, npts);
    float4* d_dist = blank<float4>(nq);
    int4* d_idx = blank<int4>(nq);
    LAUNCH(knn4_tex1d, nq / 128, 128, 0, tex, d_qs, d_dist, d_idx, npts, nq);
    std::vector<float4> dist = download(d_dist, nq);
    std::vector<int4> idx = download(d_idx, nq);
    bool ok = true;
    std::vector<float> all(npts);
    for (int q = 0; q < nq; ++q) {
        for (int i = 0; i < npts; ++i) {
            const float dx = pts[i].x - qs[q].x, dy = pts[i].y - qs[q].y, dz = pts[i].z - qs[q].z;
            all[i] = dx * dx + dy * dy + dz * dz;
        }
        const int ids[4] = {idx[q].x, idx[q].y, idx[q].z, idx[q].w};
        const float ds[4] = {dist[q].x, dist[q].y, dist[q].z, dist[q].w};
        for (int k = 0; k < 4; ++k)
            if (ids[k] < 0 || ids[k] >= npts || std::fabs(all[ids[k]] - ds[k]) > 1e-5f) ok = false;
        std::nth_element(all.begin(), all.begin() + 4, all.end());
        std::sort(all.begin(), all.begin() + 4);
        for (int k = 0; k < 4; ++k)
            if (std::fabs(all[k] - ds[k]) > 1e-5f) ok = false;
    }
    verdict("knn4_tex1d", ok);
}

// 6. non-maximum suppression: pairwise overlap bit masks in 64-box tiles
__global__ void nms_mask_boxes(const float4* boxes, u64* mask, int n, int words) {
    const int row = blockIdx.y, col = blockIdx.x;
    if (col < row) return;
    __shared__ float4 tile[64];
    const int rows = min(n - row * 64, 64), cols = min(n - col * 64, 64);
    if (threadIdx.x < cols) tile[threadIdx.x] = boxes[col * 64 + threadIdx.x];
    __syncthreads();
    if (threadIdx.x < rows) {
        const int me = row * 64 + threadIdx.x;
        const float4 a = boxes[me];
        const float area_a = (a.z - a.x) * (a.w - a.y);
        u64 bits = 0;
        const int first = row == col ? threadIdx.x + 1 : 0;
        for (int j = first; j < cols; ++j) {
            const float4 b = tile[j];
            const float iw = fmaxf(0.0f, fminf(a.z, b.z) - fmaxf(a.x, b.x));
            const float ih = fmaxf(0.0f, fminf(a.w, b.w) - fmaxf(a.y, b.y));
            const float inter = iw * ih;
            const float area_b = (b.z - b.x) * (b.w - b.y);
            if (inter > 0.5f * (area_a + area_b - inter)) bits |= 1ULL << j;
        }
        mask[(size_t)me * words + col] = bits;
    }
}

static void run_nms() {
    const int n = 4000, words = (n + 63) / 64;
    std::vector<float4> boxes(n);
    for (auto& b : boxes) {
        const int cx = 100 + 40 * (rnd() % 20) + rnd() % 14, cy = 100 + 40 * (rnd() % 16) + rnd() % 14;
        const int w = 40 + rnd() % 30, h = 40 + rnd() % 40;
        b = make_float4((float)(cx - w / 2), (float)(cy - h / 2), (float)(cx - w / 2 + w), (float)(cy - h / 2 + h));
    }
    float4* d_boxes = upload(boxes);
    u64* d_mask = blank<u64>((size_t)n * words);
    dim3 grid(words, words);
    LAUNCH(nms_mask_boxes, grid, 64, 0, d_boxes, d_mask, n, words);
    std::vector<u64> got = download(d_mask, (size_t)n * words), want((size_t)n * words, 0);
    for (int i = 0; i < n; ++i)
        for (int j = i + 1; j < n; ++j) {
            const float4 a = boxes[i], b = boxes[j];
            const int iw = std::max(0, (int)std::min(a.z, b.z) - (int)std::max(a.x, b.x));
            const int ih = std::max(0, (int)std::min(a.w, b.w) - (int)std::max(a.y, b.y));
            const int total = (int)((a.z - a.x) * (a.w - a.y)) + (int)((b.z - b.x) * (b.w - b.y));
            if (2 * iw * ih > total - iw * ih) want[(size_t)i * words + j / 64] |= 1ULL << (j % 64);
        }
    verdict("nms_mask_boxes", got == want);
}

// 7. Hough line voting: one block per angle, accumulator row in shared memory
#define HOUGH_BINS 1604
__constant__ int2 c_hough_dir[180];

__global__ void hough_vote_shared(const ushort2* edges, int count, int* acc) {
    __shared__ int bins[HOUGH_BINS];
    for (int i = threadIdx.x; i < HOUGH_BINS; i += blockDim.x) bins[i] = 0;
    __syncthreads();
    const int2 d = c_hough_dir[blockIdx.x];
    for (int i = threadIdx.x; i < count; i += blockDim.x) {
        const ushort2 e = edges[i];
        const int rho = ((int)e.x * d.x + (int)e.y * d.y + 8192) >> 14;
        atomicAdd(&bins[rho + HOUGH_BINS / 2], 1);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < HOUGH_BINS; i += blockDim.x) acc[blockIdx.x * HOUGH_BINS + i] = bins[i];
}

static void run_hough() {
    const int count = 30000;
    std::vector<ushort2> edges(count);
    for (int i = 0; i < count; ++i) {
        int x = rnd() % 640, y = rnd() % 480;
        if (i % 3) {
            const int line = rnd() % 6;
            y = clampi((int)(0.3f * line * x / 2.0f) + 60 * line + (int)(rnd() % 2), 0, 479);
        }
        edges[i] = make_ushort2((unsigned short)x, (unsigned short)y);
    }
    std::vector<int2> dir(180);
    for (int a = 0; a < 180; ++a)
        dir[a] = make_int2((int)std::lround(16384.0 * std::cos(M_PI * a / 180)), (int)std::lround(16384.0 * std::sin(M_PI * a / 180)));
    CK(cudaMemcpyToSymbol(c_hough_dir, dir.data(), 180 * sizeof(int2)));
    ushort2* d_edges = upload(edges);
    int* d_acc = blank<int>(180 * HOUGH_BINS);
    LAUNCH(hough_vote_shared, 180, 512, 0, d_edges, count, d_acc);
    std::vector<int> got = download(d_acc, 180 * HOUGH_BINS), want(180 * HOUGH_BINS, 0);
    for (int a = 0; a < 180; ++a)
        for (auto& e : edges) {
            const int scaled = e.x * dir[a].x + e.y * dir[a].y + 8192;
            const int rho = (int)std::floor(scaled / 16384.0);
            ++want[a * HOUGH_BINS + rho + HOUGH_BINS / 2];
        }
    verdict("hough_vote_shared", got == want);
}

// 8. lattice-Boltzmann D2Q9: pull streaming, bounce-back solids, BGK collision
__global__ void lbm_d2q9_step(const float* fin, float* fout, const u8* solid, int w, int h, float omega) {
    const int ex[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, ey[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    const int opposite[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y;
    if (x >= w) return;
    const size_t plane = (size_t)w * h, cell = (size_t)y * w + x;
    float f[9], rho = 0.0f, ux = 0.0f, uy = 0.0f;
#pragma unroll
    for (int q = 0; q < 9; ++q) {
        int sx = x - ex[q], sy = y - ey[q];
        sx = sx < 0 ? w - 1 : (sx == w ? 0 : sx);
        sy = sy < 0 ? h - 1 : (sy == h ? 0 : sy);
        f[q] = fin[q * plane + (size_t)sy * w + sx];
        rho += f[q];
        ux += ex[q] * f[q];
        uy += ey[q] * f[q];
    }
    const bool wall = solid[cell];
    ux /= rho;
    uy /= rho;
    const float base = 1.0f - 1.5f * (ux * ux + uy * uy);
#pragma unroll
    for (int q = 0; q < 9; ++q) {
        const float cu = ex[q] * ux + ey[q] * uy;
        const float weight = q == 0 ? 4.0f / 9.0f : (q < 5 ? 1.0f / 9.0f : 1.0f / 36.0f);
        const float relaxed = f[q] + omega * (weight * rho * (base + 3.0f * cu + 4.5f * cu * cu) - f[q]);
        fout[q * plane + cell] = wall ? f[opposite[q]] : relaxed;
    }
}

static void run_lbm() {
    const int w = 704, h = 640;
    const size_t plane = (size_t)w * h;
    const int ex[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, ey[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    const int opposite[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
    const double wt[9] = {4.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36};
    const float omega = 1.7f;
    std::vector<float> f(9 * plane), want(9 * plane);
    std::vector<u8> solid(plane, 0);
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            const size_t c = (size_t)y * w + x;
            const int dx = x % 176 - 88, dy = y % 160 - 80;
            solid[c] = dx * dx + dy * dy < 400 || y == 0 || y == h - 1;
            const double rho = 1.0 + 0.05 * std::sin(0.02 * x), ux = 0.08, uy = 0.02 * std::cos(0.03 * x + 0.01 * y);
            for (int q = 0; q < 9; ++q) {
                const double cu = ex[q] * ux + ey[q] * uy;
                f[q * plane + c] = (float)(wt[q] * rho * (1 + 3 * cu + 4.5 * cu * cu - 1.5 * (ux * ux + uy * uy)));
            }
        }
    float* d_in = upload(f);
    float* d_out = blank<float>(9 * plane);
    u8* d_solid = upload(solid);
    dim3 grid(ceil_div(w, 128), h);
    LAUNCH(lbm_d2q9_step, grid, 128, 0, d_in, d_out, d_solid, w, h, omega);
    std::vector<float> got = download(d_out, 9 * plane);
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            const size_t c = (size_t)y * w + x;
            double v[9], rho = 0, ux = 0, uy = 0;
            for (int q = 0; q < 9; ++q) {
                v[q] = f[q * plane + (size_t)((y - ey[q] + h) % h) * w + (x - ex[q] + w) % w];
                rho += v[q];
                ux += ex[q] * v[q];
                uy += ey[q] * v[q];
            }
            ux /= rho;
            uy /= rho;
            for (int q = 0; q < 9; ++q) {
                if (solid[c]) {
                    want[opposite[q] * plane + c] = (float)v[q];
                    continue;
                }
                const double cu = ex[q] * ux + ey[q] * uy;
                const double eq = wt[q] * rho * (1 + 3 * cu + 4.5 * cu * cu - 1.5 * (ux * ux + uy * uy));
                want[q * plane + c] = (float)(v[q] + omega * (eq - v[q]));
            }
        }
    verdict("lbm_d2q9_step", all_close(got, want, 2e-6, 1e-5));
}

// 9. 27-point box stencil with a shared-memory brick and clamped borders
#define S27_X 32
#define S27_Y 4
#define S27_Z 4

__global__ void stencil27_tile_f32(const float* in, float* out, int nx, int ny, int nz, float wc, float wf, float we,
                                   float wv) {
    __shared__ float brick[S27_Z + 2][S27_Y + 2][S27_X + 2];
    const int bx = blockIdx.x * S27_X, by = blockIdx.y * S27_Y, bz = blockIdx.z * S27_Z;
    const int tid = (threadIdx.z * S27_Y + threadIdx.y) * S27_X + threadIdx.x;
    const int total = (S27_X + 2) * (S27_Y + 2) * (S27_Z + 2);
    for (int i = tid; i < total; i += S27_X * S27_Y * S27_Z) {
        const int lx = i % (S27_X + 2), ly = (i / (S27_X + 2)) % (S27_Y + 2), lz = i / ((S27_X + 2) * (S27_Y + 2));
        const int gx = min(max(bx + lx - 1, 0), nx - 1);
        const int gy = min(max(by + ly - 1, 0), ny - 1);
        const int gz = min(max(bz + lz - 1, 0), nz - 1);
        brick[lz][ly][lx] = in[((size_t)gz * ny + gy) * nx + gx];
    }
    __syncthreads();
    const int x = bx + threadIdx.x, y = by + threadIdx.y, z = bz + threadIdx.z;
    if (x >= nx || y >= ny || z >= nz) return;
    float sums[4] = {0.0f, 0.0f, 0.0f, 0.0f};
#pragma unroll
    for (int dz = 0; dz < 3; ++dz)
#pragma unroll
        for (int dy = 0; dy < 3; ++dy)
#pragma unroll
            for (int dx = 0; dx < 3; ++dx)
                sums[(dx != 1) + (dy != 1) + (dz != 1)] += brick[threadIdx.z + dz][threadIdx.y + dy][threadIdx.x + dx];
    out[((size_t)z * ny + y) * nx + x] = wc * sums[0] + wf * sums[1] + we * sums[2] + wv * sums[3];
}

static void run_stencil27() {
    const int nx = 190, ny = 150, nz = 130;
    const size_t n = (size_t)nx * ny * nz;
    const float wt[4] = {0.4f, 0.06f, 0.015f, 0.0075f};
    std::vector<float> in = rnd_vector(n, -1.0f, 1.0f), want(n);
    float* d_in = upload(in);
    float* d_out = blank<float>(n);
    dim3 block(S27_X, S27_Y, S27_Z), grid(ceil_div(nx, S27_X), ceil_div(ny, S27_Y), ceil_div(nz, S27_Z));
    LAUNCH(stencil27_tile_f32, grid, block, 0, d_in, d_out, nx, ny, nz, wt[0], wt[1], wt[2], wt[3]);
    std::vector<float> got = download(d_out, n);
    for (int z = 0; z < nz; ++z)
        for (int y = 0; y < ny; ++y)
            for (int x = 0; x < nx; ++x) {
                double acc = 0.0;
                for (int dz = -1; dz <= 1; ++dz)
                    for (int dy = -1; dy <= 1; ++dy) {
                        const float* row = &in[((size_t)clampi(z + dz, 0, nz - 1) * ny + clampi(y + dy, 0, ny - 1)) * nx];
                        const int off = (dz != 0) + (dy != 0);
                        acc += wt[off] * row[x];
                        acc += wt[off + 1] * ((double)row[std::max(x - 1, 0)] + row[std::min(x + 1, nx - 1)]);
                    }
                want[((size_t)z * ny + y) * nx + x] = (float)acc;
            }
    verdict("stencil27_tile_f32", all_close(got, want, 1e-5, 1e-5));
}

// 10. acoustic wave equation, second order in time and eighth order in 2-D space
__constant__ float c_wave[5];

__global__ void wave2d_order8(const float* prev, const float* cur, const float* vel2, float* next, int w, int h) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 4 || y < 4 || x >= w - 4 || y >= h - 4) return;
    const size_t i = (size_t)y * w + x;
    const float mid = cur[i];
    float lap = 2.0f * c_wave[0] * mid;
#pragma unroll
    for (int r = 1; r <= 4; ++r)
        lap += c_wave[r] * (cur[i - r] + cur[i + r] + cur[i - (size_t)r * w] + cur[i + (size_t)r * w]);
    next[i] = 2.0f * mid - prev[i] + vel2[i] * lap;
}

static void run_wave2d() {
    const int w = 2200, h = 1250;
    const size_t n = (size_t)w * h;
    const float coef[5] = {-205.0f / 72.0f, 8.0f / 5.0f, -1.0f / 5.0f, 8.0f / 315.0f, -1.0f / 560.0f};
    CK(cudaMemcpyToSymbol(c_wave, coef, sizeof(coef)));
    std::vector<float> prev(n), cur(n), vel(n), want(n, 0.0f);
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            const size_t i = (size_t)y * w + x;
            const float rx = 0.02f * (x - w / 2), ry = 0.02f * (y - h / 2), rr = rx * rx + ry * ry;
            cur[i] = (1.0f - rr) * expf(-0.5f * rr) + rnd_float(-0.01f, 0.01f);
            prev[i] = cur[i] * 0.97f;
            vel[i] = 0.1f + 0.15f * (y * 5 / h) / 5.0f;
        }
    float* d_prev = upload(prev);
    float* d_cur = upload(cur);
    float* d_vel = upload(vel);
    float* d_next = blank<float>(n);
    dim3 block(64, 4), grid(ceil_div(w, 64), ceil_div(h, 4));
    LAUNCH(wave2d_order8, grid, block, 0, d_prev, d_cur, d_vel, d_next, w, h);
    std::vector<float> got = download(d_next, n);
    for (int y = 4; y < h - 4; ++y)
        for (int x = 4; x < w - 4; ++x) {
            const size_t i = (size_t)y * w + x;
            double lx = (double)coef[0] * cur[i], ly = lx;
            for (int r = 1; r <= 4; ++r) {
                lx += (double)coef[r] * ((double)cur[i - r] + cur[i + r]);
                ly += (double)coef[r] * ((double)cur[i - (size_t)r * w] + cur[i + (size_t)r * w]);
            }
            want[i] = (float)(2.0 * cur[i] - prev[i] + vel[i] * (lx + ly));
        }
    verdict("wave2d_order8", all_close(got, want, 1e-5, 1e-5));
}

// 11. red half-sweep of red-black Gauss-Seidel for the Poisson equation in double precision
__global__ void rbgs_red_f64(double* u, const double* rhs, int w, int h, double h2) {
    const int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    const int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + 2 - (y & 1);
    if (x >= w - 1 || y >= h - 1) return;
    const size_t i = (size_t)y * w + x;
    u[i] = 0.25 * (u[i - 1] + u[i + 1] + u[i - w] + u[i + w] - h2 * rhs[i]);
}

static void run_rbgs() {
    const int w = 1538, h = 1410;
    const size_t n = (size_t)w * h;
    std::vector<double> u(n), rhs(n);
    for (auto& v : u) v = rnd_double(-1, 1);
    for (auto& v : rhs) v = rnd_double(-5, 5);
    const double h2 = 0.01;
    double* d_u = upload(u);
    double* d_rhs = upload(rhs);
    dim3 block(32, 8), grid(ceil_div(w / 2, 32), ceil_div(h - 2, 8));
    LAUNCH(rbgs_red_f64, grid, block, 0, d_u, d_rhs, w, h, h2);
    std::vector<double> got = download(d_u, n), want = u;
    for (int y = 1; y < h - 1; ++y)
        for (int x = 1; x < w - 1; ++x) {
            const size_t i = (size_t)y * w + x;
            if (((x + y) & 1) == 0) want[i] = 0.25 * (u[i - 1] + u[i + 1] + u[i - w] + u[i + w] - h2 * rhs[i]);
        }
    verdict("rbgs_red_f64", all_close(got, want, 1e-13, 1e-13));
}

// 12. SPH density summation over the 27 neighbouring cells of a sorted cell list
__global__ void sph_density_cells(const float4* pos, const int* cell_start, float* density, int n, int g, float h2,
                                  float norm) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float4 p = pos[i];
    const int cx = min((int)(p.x * g), g - 1), cy = min((int)(p.y * g), g - 1), cz = min((int)(p.z * g), g - 1);
    float sum = 0.0f;
    for (int z = max(cz - 1, 0); z <= min(cz + 1, g - 1); ++z)
        for (int y = max(cy - 1, 0); y <= min(cy + 1, g - 1); ++y) {
            const int row = (z * g + y) * g;
            const int first = cell_start[row + max(cx - 1, 0)], last = cell_start[row + min(cx + 1, g - 1) + 1];
            for (int j = first; j < last; ++j) {
                const float4 q = pos[j];
                const float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z;
                const float t = h2 - (dx * dx + dy * dy + dz * dz);
                if (t > 0.0f) sum += q.w * t * t * t;
            }
        }
    density[i] = norm * sum;
}

static void run_sph() {
    const int n = 40000, g = 20;
    const float h = 1.0f / g, h2 = h * h, norm = 315.0f / (64.0f * 3.14159265f * powf(h, 9.0f));
    std::vector<float4> raw(n), pos(n);
    std::vector<int> cell(n), start(g * g * g + 1, 0);
    auto coord = [&](float v) { return std::min((int)(v * g), g - 1); };
    for (int i = 0; i < n; ++i) {
        const float z = rnd_float(0, 1);
        raw[i] = make_float4(rnd_float(0, 1), rnd_float(0, 1), z * z, 1.0f / n);
        cell[i] = (coord(raw[i].z) * g + coord(raw[i].y)) * g + coord(raw[i].x);
        ++start[cell[i] + 1];
    }
    for (int c = 0; c < g * g * g; ++c) start[c + 1] += start[c];
    std::vector<int> cursor(start.begin(), start.end() - 1);
    for (int i = 0; i < n; ++i) pos[cursor[cell[i]]++] = raw[i];
    float4* d_pos = upload(pos);
    int* d_start = upload(start);
    float* d_rho = blank<float>(n);
    LAUNCH(sph_density_cells, ceil_div(n, 128), 128, 0, d_pos, d_start, d_rho, n, g, h2, norm);
    std::vector<float> got = download(d_rho, n), want(n);
    for (int i = 0; i < n; ++i) {
        double sum = 0.0;
        const int cx = coord(pos[i].x), cy = coord(pos[i].y), cz = coord(pos[i].z);
        for (int z = cz - 1; z <= cz + 1; ++z)
            for (int y = cy - 1; y <= cy + 1; ++y)
                for (int x = cx - 1; x <= cx + 1; ++x) {
                    if (x < 0 || y < 0 || z < 0 || x >= g || y >= g || z >= g) continue;
                    const int c = (z * g + y) * g + x;
                    for (int j = start[c]; j < start[c + 1]; ++j) {
                        const double dx = pos[j].x - pos[i].x, dy = pos[j].y - pos[i].y, dz = pos[j].z - pos[i].z;
                        const double t = h2 - (dx * dx + dy * dy + dz * dz);
                        if (t > 0) sum += pos[j].w * t * t * t;
                    }
                }
        want[i] = (float)(norm * sum);
    }
    verdict("sph_density_cells", all_close(got, want, 1e-4, 1e-4));
}

// 13. Monte-Carlo photon transport in a scattering slab with Philox random numbers
__host__ __device__ __forceinline__ uint4 philox_4x32_10(u32 c0, u32 c1, u32 c2, u32 c3, u32 k0, u32 k1) {
    for (int round = 0; round < 10; ++round) {
        const u64 a = (u64)0xD2511F53u * c0, b = (u64)0xCD9E8D57u * c2;
        const u32 n0 = (u32)(b >> 32) ^ c1 ^ k0, n2 = (u32)(a >> 32) ^ c3 ^ k1;
        c1 = (u32)b;
        c3 = (u32)a;
        c0 = n0;
        c2 = n2;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    return make_uint4(c0, c1, c2, c3);
}

__host__ __device__ __forceinline__ float2 photon_path(int id, float depth, float albedo, float g, u32 seed) {
    const float unit = 1.0f / 16777216.0f;
    float z = 0.0f, uz = 1.0f, weight = 1.0f;
    for (int event = 0; event < 400; ++event) {
        const uint4 r = philox_4x32_10(id, event, 0, 0, seed, 0x1234567u);
        z -= uz * logf(((float)(r.x >> 8) + 0.5f) * unit);
        if (z < 0.0f) return make_float2(weight, 0.0f);
        if (z > depth) return make_float2(0.0f, weight);
        weight *= albedo;
        if (weight < 0.05f) {
            if (r.w >= 429496730u) break;
            weight *= 10.0f;
        }
        const float tmp = (1.0f - g * g) / (1.0f - g + 2.0f * g * ((float)(r.y >> 8) * unit));
        const float ct = fminf(1.0f, fmaxf(-1.0f, (1.0f + g * g - tmp * tmp) / (2.0f * g)));
        const float st = sqrtf(fmaxf(0.0f, 1.0f - ct * ct));
        const float phi = 6.2831853f * ((float)(r.z >> 8) * unit);
        uz = uz * ct + sqrtf(fmaxf(0.0f, 1.0f - uz * uz)) * st * cosf(phi);
        uz = fminf(1.0f, fmaxf(-1.0f, uz));
    }
    return make_float2(0.0f, 0.0f);
}

__global__ void photon_slab_mc(float2* out, int n, float depth, float albedo, float g, u32 seed) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = photon_path(i, depth, albedo, g, seed);
}

static void run_photons() {
    const int n = 120000;
    const float depth = 8.0f, albedo = 0.96f, g = 0.75f;
    const u32 seed = 20240u;
    float2* d_out = blank<float2>(n);
    LAUNCH(photon_slab_mc, ceil_div(n, 256), 256, 0, d_out, n, depth, albedo, g, seed);
    std::vector<float2> got = download(d_out, n);
    double refl = 0.0, trans = 0.0;
    int differing = 0;
    for (int i = 0; i < n; ++i) {
        const float2 want = photon_path(i, depth, albedo, g, seed);
        if (std::fabs(want.x - got[i].x) + std::fabs(want.y - got[i].y) > 1e-4f) ++differing;
        refl += want.x - got[i].x;
        trans += want.y - got[i].y;
    }
    verdict("photon_slab_mc", differing < n / 40 && std::fabs(refl) < 0.01 * n && std::fabs(trans) < 0.01 * n);
}

// 14. American put by a binomial tree in double precision, one option per block
#define TREE_STEPS 255

__global__ void american_binomial_f64(const double4* options, double* price, double rate) {
    __shared__ double tree[2][TREE_STEPS + 2];
    const int j = threadIdx.x;
    const double4 o = options[blockIdx.x];
    const double dt = o.z / TREE_STEPS;
    const double up = exp(o.w * sqrt(dt)), down = 1.0 / up;
    const double disc = exp(-rate * dt);
    const double prob = (1.0 / disc - down) / (up - down);
    const double pu = disc * prob, pd = disc * (1.0 - prob);
    double spot = o.x * exp(o.w * sqrt(dt) * (double)(2 * j - TREE_STEPS));
    tree[0][j] = fmax(o.y - spot, 0.0);
    __syncthreads();
    int from = 0;
    for (int step = TREE_STEPS - 1; step >= 0; --step) {
        if (j <= step) {
            spot *= up;
            const double hold = pu * tree[from][j + 1] + pd * tree[from][j];
            tree[from ^ 1][j] = fmax(hold, o.y - spot);
        }
        from ^= 1;
        __syncthreads();
    }
    if (j == 0) price[blockIdx.x] = tree[from][0];
}

static void run_binomial() {
    const int n = 900;
    const double rate = 0.03;
    std::vector<double4> opts(n);
    for (auto& o : opts) {
        o.x = rnd_double(60, 140);
        o.y = rnd_double(80, 120);
        o.z = rnd_double(0.2, 2.0);
        o.w = rnd_double(0.15, 0.5);
    }
    double4* d_opts = upload(opts);
    double* d_price = blank<double>(n);
    LAUNCH(american_binomial_f64, n, TREE_STEPS + 1, 0, d_opts, d_price, rate);
    std::vector<double> got = download(d_price, n), want(n), value(TREE_STEPS + 1);
    for (int k = 0; k < n; ++k) {
        const double4 o = opts[k];
        const double dt = o.z / TREE_STEPS, step_vol = o.w * std::sqrt(dt);
        const double up = std::exp(step_vol), down = std::exp(-step_vol);
        const double prob = (std::exp(rate * dt) - down) / (up - down), disc = std::exp(-rate * dt);
        std::vector<double> power(2 * TREE_STEPS + 1);
        for (int e = -TREE_STEPS; e <= TREE_STEPS; ++e) power[e + TREE_STEPS] = o.x * std::exp(step_vol * e);
        for (int j = 0; j <= TREE_STEPS; ++j) value[j] = std::max(o.y - power[2 * j], 0.0);
        for (int i = TREE_STEPS - 1; i >= 0; --i)
            for (int j = 0; j <= i; ++j) {
                const double hold = disc * (prob * value[j + 1] + (1.0 - prob) * value[j]);
                value[j] = std::max(hold, o.y - power[2 * j - i + TREE_STEPS]);
            }
        want[k] = value[0];
    }
    verdict("american_binomial_f64", all_close(got, want, 1e-8, 1e-8));
}

// 15. batched 16x16 Cholesky factorisation in double precision, 16 threads per matrix
__global__ void cholesky16_f64(const double* a, double* l, int batch) {
    __shared__ double m[8][16][17];
    const int slot = threadIdx.x >> 4, r = threadIdx.x & 15;
    const int id = blockIdx.x * 8 + slot;
    const bool live = id < batch;
    for (int c = 0; c < 16; ++c) m[slot][c][r] = live ? a[(size_t)id * 256 + c * 16 + r] : (c == r ? 1.0 : 0.0);
    __syncwarp();
    for (int k = 0; k < 16; ++k) {
        const double d = sqrt(m[slot][k][k]);
        __syncwarp();
        if (r == k) m[slot][k][k] = d;
        if (r > k) m[slot][r][k] /= d;
        __syncwarp();
        if (r > k) {
            const double f = m[slot][r][k];
            for (int j = k + 1; j <= r; ++j) m[slot][r][j] -= f * m[slot][j][k];
        }
        __syncwarp();
    }
    if (!live) return;
    for (int c = 0; c < 16; ++c) l[(size_t)id * 256 + c * 16 + r] = r <= c ? m[slot][c][r] : 0.0;
}

static void run_cholesky() {
    const int batch = 5003;
    std::vector<double> a((size_t)batch * 256), want((size_t)batch * 256, 0.0);
    for (int b = 0; b < batch; ++b) {
        double g[16][16];
        for (auto& row : g)
            for (double& v : row) v = rnd_double(-1, 1);
        for (int i = 0; i < 16; ++i)
            for (int j = 0; j <= i; ++j) {
                double s = i == j ? 2.0 : 0.0;
                for (int k = 0; k < 16; ++k) s += g[i][k] * g[j][k];
                a[(size_t)b * 256 + i * 16 + j] = a[(size_t)b * 256 + j * 16 + i] = s;
            }
    }
    double* d_a = upload(a);
    double* d_l = blank<double>((size_t)batch * 256);
    LAUNCH(cholesky16_f64, ceil_div(batch, 8), 128, 0, d_a, d_l, batch);
    std::vector<double> got = download(d_l, (size_t)batch * 256);
    for (int b = 0; b < batch; ++b) {
        const double* s = &a[(size_t)b * 256];
        double* t = &want[(size_t)b * 256];
        for (int i = 0; i < 16; ++i)
            for (int j = 0; j <= i; ++j) {
                double v = s[i * 16 + j];
                for (int k = 0; k < j; ++k) v -= t[i * 16 + k] * t[j * 16 + k];
                t[i * 16 + j] = i == j ? std::sqrt(v) : v / t[j * 16 + j];
            }
    }
    verdict("cholesky16_f64", all_close(got, want, 1e-10, 1e-10));
}

// 16. eigenvalues of symmetric 3x3 tensors by cyclic Jacobi rotations, one per thread
__device__ __forceinline__ void jacobi_rotate(double& app, double& aqq, double& apq, double& arp, double& arq) {
    if (fabs(apq) <= 1e-16 * (fabs(app) + fabs(aqq))) return;
    const double theta = (aqq - app) / (2.0 * apq);
    const double t = copysign(1.0, theta) / (fabs(theta) + sqrt(theta * theta + 1.0));
    const double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    app -= t * apq;
    aqq += t * apq;
    apq = 0.0;
    const double rp = arp, rq = arq;
    arp = c * rp - s * rq;
    arq = s * rp + c * rq;
}

__global__ void jacobi_eig3_f64(const double* tensors, double* eig, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double xx = tensors[i], yy = tensors[n + i], zz = tensors[2 * n + i];
    double xy = tensors[3 * n + i], yz = tensors[4 * n + i], xz = tensors[5 * n + i];
    for (int sweep = 0; sweep < 8; ++sweep) {
        if (xy * xy + yz * yz + xz * xz < 1e-26) break;
        jacobi_rotate(xx, yy, xy, xz, yz);
        jacobi_rotate(xx, zz, xz, xy, yz);
        jacobi_rotate(yy, zz, yz, xy, xz);
    }
    const double lo = fmin(xx, fmin(yy, zz)), hi = fmax(xx, fmax(yy, zz));
    eig[i] = lo;
    eig[n + i] = fmax(fmin(xx, yy), fmin(fmax(xx, yy), zz));
    eig[2 * n + i] = hi;
}

static void run_jacobi_eig3() {
    const int n = 90000;
    std::vector<double> t((size_t)6 * n), want((size_t)3 * n);
    for (auto& v : t) v = rnd_double(-1, 1);
    double* d_t = upload(t);
    double* d_eig = blank<double>((size_t)3 * n);
    LAUNCH(jacobi_eig3_f64, ceil_div(n, 64), 64, 0, d_t, d_eig, n);
    std::vector<double> got = download(d_eig, (size_t)3 * n);
    for (int i = 0; i < n; ++i) {
        double a[3][3];
        a[0][0] = t[i];
        a[1][1] = t[n + i];
        a[2][2] = t[2 * n + i];
        a[0][1] = a[1][0] = t[3 * n + i];
        a[1][2] = a[2][1] = t[4 * n + i];
        a[0][2] = a[2][0] = t[5 * n + i];
        for (int sweep = 0; sweep < 12; ++sweep)
            for (int p = 0; p < 2; ++p)
                for (int q = p + 1; q < 3; ++q) {
                    if (std::fabs(a[p][q]) < 1e-18) continue;
                    const double gap = a[q][q] - a[p][p];
                    const double phi = 0.5 * std::atan2(gap < 0 ? -2.0 * a[p][q] : 2.0 * a[p][q], std::fabs(gap));
                    const double c = std::cos(phi), s = std::sin(phi);
                    for (int k = 0; k < 3; ++k) {
                        const double u = a[k][p], v = a[k][q];
                        a[k][p] = c * u - s * v;
                        a[k][q] = s * u + c * v;
                    }
                    for (int k = 0; k < 3; ++k) {
                        const double u = a[p][k], v = a[q][k];
                        a[p][k] = c * u - s * v;
                        a[q][k] = s * u + c * v;
                    }
                }
        double e[3] = {a[0][0], a[1][1], a[2][2]};
        std::sort(e, e + 3);
        for (int k = 0; k < 3; ++k) want[(size_t)k * n + i] = e[k];
    }
    verdict("jacobi_eig3_f64", all_close(got, want, 1e-10, 1e-10));
}

// 17. symmetric rank-k update, lower 64x64 tiles with 4x4 register blocking
__global__ void ssyrk_lower64(const float* a, float* c, int n, int k, float alpha) {
    if (blockIdx.x > blockIdx.y) return;
    __shared__ __align__(16) float rows[16][68];
    __shared__ __align__(16) float cols[16][68];
    const int tx = threadIdx.x, ty = threadIdx.y, tid = ty * 16 + tx;
    const int row0 = blockIdx.y * 64, col0 = blockIdx.x * 64;
    const int lr = tid >> 2, lk = (tid & 3) * 4;
    float acc[4][4] = {};
    for (int k0 = 0; k0 < k; k0 += 16) {
        const float4 p = *(const float4*)&a[(size_t)(row0 + lr) * k + k0 + lk];
        const float4 q = *(const float4*)&a[(size_t)(col0 + lr) * k + k0 + lk];
        const float pv[4] = {p.x, p.y, p.z, p.w}, qv[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            rows[lk + i][lr] = pv[i];
            cols[lk + i][lr] = qv[i];
        }
        __syncthreads();
#pragma unroll
        for (int kk = 0; kk < 16; ++kk) {
            const float4 r = *(const float4*)&rows[kk][ty * 4];
            const float4 s = *(const float4*)&cols[kk][tx * 4];
            const float rv[4] = {r.x, r.y, r.z, r.w}, sv[4] = {s.x, s.y, s.z, s.w};
#pragma unroll
            for (int i = 0; i < 4; ++i)
#pragma unroll
                for (int j = 0; j < 4; ++j) acc[i][j] += rv[i] * sv[j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const int row = row0 + ty * 4 + i, col = col0 + tx * 4 + j;
            if (col <= row) c[(size_t)row * n + col] = alpha * acc[i][j];
        }
}

static void run_ssyrk() {
    const int n = 1024, k = 320;
    const float alpha = 0.5f;
    std::vector<float> a = rnd_vector((size_t)n * k, -1.0f, 1.0f), want((size_t)n * n, 0.0f);
    float* d_a = upload(a);
    float* d_c = blank<float>((size_t)n * n);
    dim3 block(16, 16), grid(n / 64, n / 64);
    LAUNCH(ssyrk_lower64, grid, block, 0, d_a, d_c, n, k, alpha);
    std::vector<float> got = download(d_c, (size_t)n * n);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j <= i; ++j) {
            double s = 0.0;
            for (int t = 0; t < k; ++t) s += (double)a[(size_t)i * k + t] * a[(size_t)j * k + t];
            want[(size_t)i * n + j] = (float)(alpha * s);
        }
    verdict("ssyrk_lower64", all_close(got, want, 1e-3, 1e-4));
}

// 18. small batch of 256-point radix-4 Stockham FFTs in shared memory
__global__ void fft256_radix4(const float2* in, float2* out) {
    __shared__ float2 s[256];
    const int j = threadIdx.x;
    float2 v[4];
#pragma unroll
    for (int r = 0; r < 4; ++r) v[r] = in[(size_t)blockIdx.x * 256 + j + 64 * r];
#pragma unroll
    for (int ns = 1; ns < 256; ns *= 4) {
        const int low = j & (ns - 1);
        float sn, cs;
        sincospif(-(float)low / (float)(2 * ns), &sn, &cs);
        const float2 w1 = make_float2(cs, sn);
        const float2 w2 = make_float2(cs * cs - sn * sn, 2.0f * cs * sn);
        const float2 w3 = make_float2(w2.x * cs - w2.y * sn, w2.x * sn + w2.y * cs);
        v[1] = make_float2(v[1].x * w1.x - v[1].y * w1.y, v[1].x * w1.y + v[1].y * w1.x);
        v[2] = make_float2(v[2].x * w2.x - v[2].y * w2.y, v[2].x * w2.y + v[2].y * w2.x);
        v[3] = make_float2(v[3].x * w3.x - v[3].y * w3.y, v[3].x * w3.y + v[3].y * w3.x);
        const float2 a = make_float2(v[0].x + v[2].x, v[0].y + v[2].y);
        const float2 b = make_float2(v[0].x - v[2].x, v[0].y - v[2].y);
        const float2 c = make_float2(v[1].x + v[3].x, v[1].y + v[3].y);
        const float2 d = make_float2(v[1].y - v[3].y, v[3].x - v[1].x);
        const int base = (j - low) * 4 + low;
        __syncthreads();
        s[base] = make_float2(a.x + c.x, a.y + c.y);
        s[base + ns] = make_float2(b.x + d.x, b.y + d.y);
        s[base + 2 * ns] = make_float2(a.x - c.x, a.y - c.y);
        s[base + 3 * ns] = make_float2(b.x - d.x, b.y - d.y);
        __syncthreads();
#pragma unroll
        for (int r = 0; r < 4; ++r) v[r] = s[j + 64 * r];
    }
#pragma unroll
    for (int r = 0; r < 4; ++r) out[(size_t)blockIdx.x * 256 + j + 64 * r] = v[r];
}

static void run_fft256() {
    const int batch = 96;
    std::vector<float2> in((size_t)batch * 256);
    for (size_t i = 0; i < in.size(); ++i) in[i] = make_float2(sinf(0.3f * i) + rnd_float(-0.5f, 0.5f), rnd_float(-0.5f, 0.5f));
    float2* d_in = upload(in);
    float2* d_out = blank<float2>(in.size());
    LAUNCH(fft256_radix4, batch, 64, 0, d_in, d_out);
    std::vector<float2> out = download(d_out, in.size());
    std::vector<float> got, want;
    double cs[256], sn[256];
    for (int k = 0; k < 256; ++k) {
        cs[k] = std::cos(2 * M_PI * k / 256);
        sn[k] = -std::sin(2 * M_PI * k / 256);
    }
    for (int b = 0; b < batch; ++b)
        for (int k = 0; k < 256; ++k) {
            double re = 0, im = 0;
            for (int t = 0; t < 256; ++t) {
                const float2 x = in[(size_t)b * 256 + t];
                const int m = (k * t) & 255;
                re += x.x * cs[m] - x.y * sn[m];
                im += x.x * sn[m] + x.y * cs[m];
            }
            want.push_back((float)re);
            want.push_back((float)im);
            got.push_back(out[(size_t)b * 256 + k].x);
            got.push_back(out[(size_t)b * 256 + k].y);
        }
    verdict("fft256_radix4", all_close(got, want, 5e-4, 1e-5));
}

// 19. JPEG-style 8x8 DCT and quantisation of a grey image
__constant__ float c_dct[64];
__constant__ float c_quant_inv[64];

__global__ void dct8x8_quantize(const u8* img, short* coef, int w) {
    __shared__ float pix[4][8][9];
    __shared__ float half_done[4][8][9];
    const int u = threadIdx.x, v = threadIdx.y, b = threadIdx.z;
    const int x = (blockIdx.x * 4 + b) * 8 + u, y = blockIdx.y * 8 + v;
    pix[b][v][u] = (float)img[(size_t)y * w + x] - 128.0f;
    __syncthreads();
    float s = 0.0f;
#pragma unroll
    for (int k = 0; k < 8; ++k) s += pix[b][v][k] * c_dct[u * 8 + k];
    half_done[b][v][u] = s;
    __syncthreads();
    s = 0.0f;
#pragma unroll
    for (int k = 0; k < 8; ++k) s += half_done[b][k][u] * c_dct[v * 8 + k];
    coef[(size_t)y * w + x] = (short)rintf(s * c_quant_inv[v * 8 + u]);
}

static void run_dct() {
    const int w = 1536, h = 1024;
    static const int quant[64] = {16, 11, 10, 16, 24,  40,  51,  61,  12, 12, 14, 19, 26,  58,  60,  55,
                                  14, 13, 16, 24, 40,  57,  69,  56,  14, 17, 22, 29, 51,  87,  80,  62,
                                  18, 22, 37, 56, 68,  109, 103, 77,  24, 35, 55, 64, 81,  104, 113, 92,
                                  49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99};
    float basis[64], inv[64];
    for (int u = 0; u < 8; ++u)
        for (int k = 0; k < 8; ++k) {
            const double norm = u == 0 ? std::sqrt(0.125) : 0.5;
            basis[u * 8 + k] = (float)(norm * std::cos((2 * k + 1) * u * M_PI / 16));
        }
    for (int i = 0; i < 64; ++i) inv[i] = 1.0f / quant[i];
    CK(cudaMemcpyToSymbol(c_dct, basis, sizeof(basis)));
    CK(cudaMemcpyToSymbol(c_quant_inv, inv, sizeof(inv)));
    std::vector<u8> img = synthetic_photo(w, h);
    u8* d_img = upload(img);
    short* d_coef = blank<short>((size_t)w * h);
    dim3 block(8, 8, 4), grid(w / 32, h / 8);
    LAUNCH(dct8x8_quantize, grid, block, 0, d_img, d_coef, w);
    std::vector<short> got = download(d_coef, (size_t)w * h);
    int off_by_one = 0;
    bool ok = true;
    for (int by = 0; by < h; by += 8)
        for (int bx = 0; bx < w; bx += 8) {
            double tmp[8][8];
            for (int v = 0; v < 8; ++v)
                for (int u = 0; u < 8; ++u) {
                    tmp[v][u] = 0.0;
                    for (int k = 0; k < 8; ++k) tmp[v][u] += (img[(size_t)(by + v) * w + bx + k] - 128.0) * basis[u * 8 + k];
                }
            for (int v = 0; v < 8; ++v)
                for (int u = 0; u < 8; ++u) {
                    double s = 0.0;
                    for (int k = 0; k < 8; ++k) s += tmp[k][u] * basis[v * 8 + k];
                    const int want = (int)std::rint(s * inv[v * 8 + u]);
                    const int diff = std::abs(want - got[(size_t)(by + v) * w + bx + u]);
                    if (diff > 1) ok = false;
                    off_by_one += diff == 1;
                }
        }
    verdict("dct8x8_quantize", ok && off_by_one < w * h / 400);
}

// 20. 1024-point number-theoretic transform modulo 2^64 - 2^32 + 1
#define GOLD_P 0xffffffff00000001ULL
#define GOLD_EPS 0xffffffffULL

__device__ __forceinline__ u64 gold_mul(u64 a, u64 b) {
    const u64 lo = a * b, hi = __umul64hi(a, b);
    const u64 top = hi >> 32, mid = hi & GOLD_EPS;
    u64 t = lo - top;
    if (lo < top) t -= GOLD_EPS;
    const u64 m = mid * GOLD_EPS;
    u64 r = t + m;
    if (r < m) r += GOLD_EPS;
    return r >= GOLD_P ? r - GOLD_P : r;
}

__device__ __forceinline__ u64 gold_add(u64 a, u64 b) {
    u64 s = a + b;
    if (s < a) s += GOLD_EPS;
    return s >= GOLD_P ? s - GOLD_P : s;
}

__device__ __forceinline__ u64 gold_sub(u64 a, u64 b) { return a >= b ? a - b : a - b + GOLD_P; }

__global__ void ntt1024_goldilocks(const u64* in, u64* out, const u64* twiddle) {
    __shared__ u64 s[1024];
    const u64* src = in + (size_t)blockIdx.x * 1024;
    for (int i = threadIdx.x; i < 1024; i += 256) s[__brev(i) >> 22] = src[i];
    __syncthreads();
    for (int stage = 0; stage < 10; ++stage) {
        const int half = 1 << stage;
#pragma unroll
        for (int part = 0; part < 2; ++part) {
            const int b = threadIdx.x + part * 256;
            const int k = b & (half - 1);
            const int i0 = ((b >> stage) << (stage + 1)) + k;
            const u64 x = s[i0];
            const u64 y = gold_mul(s[i0 + half], __ldg(&twiddle[k << (9 - stage)]));
            s[i0] = gold_add(x, y);
            s[i0 + half] = gold_sub(x, y);
        }
        __syncthreads();
    }
    for (int i = threadIdx.x; i < 1024; i += 256) out[(size_t)blockIdx.x * 1024 + i] = s[i];
}

static u64 host_mulmod(u64 a, u64 b) { return (u64)((unsigned __int128)a * b % GOLD_P); }

static u64 host_powmod(u64 base, u64 e) {
    u64 r = 1;
    for (; e; e >>= 1, base = host_mulmod(base, base))
        if (e & 1) r = host_mulmod(r, base);
    return r;
}

static std::vector<u64> host_ntt(const std::vector<u64>& x, u64 root) {
    const size_t n = x.size();
    if (n == 1) return x;
    std::vector<u64> even(n / 2), odd(n / 2), y(n);
    for (size_t i = 0; i < n / 2; ++i) {
        even[i] = x[2 * i];
        odd[i] = x[2 * i + 1];
    }
    const u64 squared = host_mulmod(root, root);
    even = host_ntt(even, squared);
    odd = host_ntt(odd, squared);
    u64 w = 1;
    for (size_t i = 0; i < n / 2; ++i) {
        const u64 t = host_mulmod(w, odd[i]);
        y[i] = (u64)(((unsigned __int128)even[i] + t) % GOLD_P);
        y[i + n / 2] = (u64)(((unsigned __int128)even[i] + GOLD_P - t) % GOLD_P);
        w = host_mulmod(w, root);
    }
    return y;
}

static void run_ntt() {
    const int batch = 600;
    const u64 root = host_powmod(7, (GOLD_P - 1) / 1024);
    std::vector<u64> in((size_t)batch * 1024), tw(512);
    for (auto& v : in) v = (((u64)rnd() << 32) | rnd()) % GOLD_P;
    for (int i = 0; i < 512; ++i) tw[i] = host_powmod(root, i);
    u64* d_in = upload(in);
    u64* d_tw = upload(tw);
    u64* d_out = blank<u64>(in.size());
    LAUNCH(ntt1024_goldilocks, batch, 256, 0, d_in, d_out, d_tw);
    std::vector<u64> got = download(d_out, in.size());
    bool ok = true;
    for (int b = 0; b < batch; ++b) {
        std::vector<u64> x(in.begin() + (size_t)b * 1024, in.begin() + (size_t)(b + 1) * 1024);
        std::vector<u64> y = host_ntt(x, root);
        if (!std::equal(y.begin(), y.end(), got.begin() + (size_t)b * 1024)) ok = false;
    }
    verdict("ntt1024_goldilocks", ok);
}

// 21. attention decode for one query per head with an fp16 key/value cache and online softmax
__global__ void attn_decode_head(const float* query, const __half* keys, const __half* values, float* out, int seq,
                                 float scale) {
    __shared__ float part[8][128];
    __shared__ float part_m[8], part_l[8];
    const int head = blockIdx.x, warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
    const float4 q = ((const float4*)(query + head * 128))[lane];
    const uint2* kp = (const uint2*)(keys + (size_t)head * seq * 128);
    const uint2* vp = (const uint2*)(values + (size_t)head * seq * 128);
    float m = -FLT_MAX, l = 0.0f, a0 = 0.0f, a1 = 0.0f, a2 = 0.0f, a3 = 0.0f;
    for (int t = warp; t < seq; t += 8) {
        const uint2 kr = kp[(size_t)t * 32 + lane], vr = vp[(size_t)t * 32 + lane];
        const float2 k01 = __half22float2(*(const __half2*)&kr.x), k23 = __half22float2(*(const __half2*)&kr.y);
        float s = q.x * k01.x + q.y * k01.y + q.z * k23.x + q.w * k23.y;
        for (int o = 16; o > 0; o >>= 1) s += __shfl_xor_sync(0xffffffffu, s, o);
        s *= scale;
        const float next = fmaxf(m, s);
        const float fade = __expf(m - next), p = __expf(s - next);
        const float2 v01 = __half22float2(*(const __half2*)&vr.x), v23 = __half22float2(*(const __half2*)&vr.y);
        l = l * fade + p;
        a0 = a0 * fade + p * v01.x;
        a1 = a1 * fade + p * v01.y;
        a2 = a2 * fade + p * v23.x;
        a3 = a3 * fade + p * v23.y;
        m = next;
    }
    part[warp][lane * 4] = a0;
    part[warp][lane * 4 + 1] = a1;
    part[warp][lane * 4 + 2] = a2;
    part[warp][lane * 4 + 3] = a3;
    if (lane == 0) {
        part_m[warp] = m;
        part_l[warp] = l;
    }
    __syncthreads();
    if (threadIdx.x < 128) {
        float top = part_m[0];
        for (int i = 1; i < 8; ++i) top = fmaxf(top, part_m[i]);
        float num = 0.0f, den = 0.0f;
        for (int i = 0; i < 8; ++i) {
            const float w = __expf(part_m[i] - top);
            num += w * part[i][threadIdx.x];
            den += w * part_l[i];
        }
        out[head * 128 + threadIdx.x] = num / den;
    }
}

static void run_attn_decode() {
    const int heads = 24, seq = 1500, dim = 128;
    const size_t n = (size_t)heads * seq * dim;
    std::vector<float> q = rnd_vector(heads * dim, -2.0f, 2.0f), want(heads * dim);
    std::vector<__half> k(n), v(n);
    for (size_t i = 0; i < n; ++i) {
        k[i] = __float2half(rnd_float(-2.0f, 2.0f));
        v[i] = __float2half(rnd_float(-1.0f, 1.0f));
    }
    const float scale = 1.0f / sqrtf((float)dim);
    float* d_q = upload(q);
    __half* d_k = upload(k);
    __half* d_v = upload(v);
    float* d_out = blank<float>(heads * dim);
    LAUNCH(attn_decode_head, heads, 256, 0, d_q, d_k, d_v, d_out, seq, scale);
    std::vector<float> got = download(d_out, heads * dim);
    std::vector<double> score(seq);
    for (int h = 0; h < heads; ++h) {
        double top = -1e30, den = 0.0;
        for (int t = 0; t < seq; ++t) {
            double s = 0.0;
            for (int d = 0; d < dim; ++d) s += (double)q[h * dim + d] * __half2float(k[((size_t)h * seq + t) * dim + d]);
            score[t] = s * scale;
            top = std::max(top, score[t]);
        }
        for (int t = 0; t < seq; ++t) {
            score[t] = std::exp(score[t] - top);
            den += score[t];
        }
        for (int d = 0; d < dim; ++d) {
            double s = 0.0;
            for (int t = 0; t < seq; ++t) s += score[t] * __half2float(v[((size_t)h * seq + t) * dim + d]);
            want[h * dim + d] = (float)(s / den);
        }
    }
    verdict("attn_decode_head", all_close(got, want, 1e-3, 1e-3));
}

// 22. rotary position embedding on bf16 activations, a short prompt
__global__ void rope_bf16(const __nv_bfloat162* in, __nv_bfloat162* out, const float2* table, int heads) {
    const int pair = threadIdx.x, token = blockIdx.x;
    const float2 cs = table[token * 64 + pair];
    for (int head = threadIdx.y; head < heads; head += blockDim.y) {
        const size_t i = ((size_t)token * heads + head) * 64 + pair;
        const float2 x = __bfloat1622float2(in[i]);
        out[i] = __floats2bfloat162_rn(x.x * cs.x - x.y * cs.y, x.x * cs.y + x.y * cs.x);
    }
}

static void run_rope() {
    const int tokens = 48, heads = 16;
    const size_t pairs = (size_t)tokens * heads * 64;
    std::vector<float2> table(tokens * 64);
    for (int t = 0; t < tokens; ++t)
        for (int p = 0; p < 64; ++p) {
            const double angle = t * std::pow(10000.0, -p / 64.0);
            table[t * 64 + p] = make_float2((float)std::cos(angle), (float)std::sin(angle));
        }
    std::vector<__nv_bfloat16> x(2 * pairs);
    for (auto& v : x) v = __float2bfloat16(rnd_float(-2.0f, 2.0f));
    __nv_bfloat16* d_in = upload(x);
    __nv_bfloat16* d_out = blank<__nv_bfloat16>(2 * pairs);
    float2* d_table = upload(table);
    dim3 block(64, 4);
    LAUNCH(rope_bf16, tokens, block, 0, (const __nv_bfloat162*)d_in, (__nv_bfloat162*)d_out, d_table, heads);
    std::vector<__nv_bfloat16> raw = download(d_out, 2 * pairs);
    std::vector<float> got(2 * pairs), want(2 * pairs);
    for (size_t i = 0; i < pairs; ++i) {
        const float2 cs = table[(i / (64 * heads)) * 64 + i % 64];
        const float a = __bfloat162float(x[2 * i]), b = __bfloat162float(x[2 * i + 1]);
        want[2 * i] = a * cs.x - b * cs.y;
        want[2 * i + 1] = a * cs.y + b * cs.x;
        got[2 * i] = __bfloat162float(raw[2 * i]);
        got[2 * i + 1] = __bfloat162float(raw[2 * i + 1]);
    }
    verdict("rope_bf16", all_close(got, want, 0.01, 0.0));
}

// 23. embedding gradient: scatter token gradients into the table with atomics
__global__ void embed_grad_scatter(const int* tokens, const float* grad, float* table, int count, int dim) {
    const int lane = threadIdx.x;
    const int first = blockIdx.x * 8;
    for (int t = first; t < min(first + 8, count); ++t) {
        const int id = tokens[t];
        if (id < 0) continue;
        for (int d = lane; d < dim; d += blockDim.x) atomicAdd(&table[(size_t)id * dim + d], grad[(size_t)t * dim + d]);
    }
}

static void run_embed_grad() {
    const int vocab = 20000, dim = 192, count = 10000;
    std::vector<int> tokens(count);
    for (auto& t : tokens) {
        const float u = rnd_float(0, 1);
        t = rnd() % 20 == 0 ? -1 : std::min(vocab - 1, (int)(vocab * u * u * u));
    }
    std::vector<float> grad((size_t)count * dim);
    for (auto& g : grad) g = (float)((int)(rnd() % 129) - 64) / 64.0f;
    int* d_tokens = upload(tokens);
    float* d_grad = upload(grad);
    float* d_table = blank<float>((size_t)vocab * dim);
    LAUNCH(embed_grad_scatter, ceil_div(count, 8), 96, 0, d_tokens, d_grad, d_table, count, dim);
    std::vector<float> got = download(d_table, (size_t)vocab * dim);
    std::vector<double> want((size_t)vocab * dim, 0.0);
    for (int t = 0; t < count; ++t)
        if (tokens[t] >= 0)
            for (int d = 0; d < dim; ++d) want[(size_t)tokens[t] * dim + d] += 4.0 * grad[(size_t)t * dim + d];
    verdict("embed_grad_scatter", all_close(got, want, 1e-3, 1e-5));
}

// 24. top-8 values of each row, one warp per row, a small batch
__global__ void topk8_row_warp(const float* x, float* vals, int* ids, int rows, int cols) {
    const int row = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5), lane = threadIdx.x & 31;
    if (row >= rows) return;
    float v[8];
    int id[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) {
        v[k] = -FLT_MAX;
        id[k] = -1;
    }
    for (int c = lane; c < cols; c += 32) {
        float nv = x[(size_t)row * cols + c];
        int ni = c;
        if (nv > v[7]) {
#pragma unroll
            for (int k = 0; k < 8; ++k) {
                if (nv > v[k]) {
                    const float tv = v[k];
                    const int ti = id[k];
                    v[k] = nv;
                    id[k] = ni;
                    nv = tv;
                    ni = ti;
                }
            }
        }
    }
    for (int k = 0; k < 8; ++k) {
        float top = v[0];
        for (int o = 16; o > 0; o >>= 1) top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, o));
        const int winner = __ffs(__ballot_sync(0xffffffffu, v[0] == top)) - 1;
        if (lane == winner) {
            vals[row * 8 + k] = top;
            ids[row * 8 + k] = id[0];
#pragma unroll
            for (int j = 0; j < 7; ++j) {
                v[j] = v[j + 1];
                id[j] = id[j + 1];
            }
            v[7] = -FLT_MAX;
        }
    }
}

static void run_topk() {
    const int rows = 64, cols = 1000;
    std::vector<float> x = rnd_vector((size_t)rows * cols, -8.0f, 8.0f);
    float* d_x = upload(x);
    float* d_vals = blank<float>(rows * 8);
    int* d_ids = blank<int>(rows * 8);
    LAUNCH(topk8_row_warp, rows / 4, 128, 0, d_x, d_vals, d_ids, rows, cols);
    std::vector<float> vals = download(d_vals, rows * 8);
    std::vector<int> ids = download(d_ids, rows * 8);
    bool ok = true;
    for (int r = 0; r < rows; ++r) {
        std::vector<float> sorted(x.begin() + (size_t)r * cols, x.begin() + (size_t)(r + 1) * cols);
        std::sort(sorted.begin(), sorted.end(), [](float a, float b) { return a > b; });
        for (int k = 0; k < 8; ++k) {
            const int id = ids[r * 8 + k];
            if (vals[r * 8 + k] != sorted[k]) ok = false;
            if (id < 0 || id >= cols || x[(size_t)r * cols + id] != sorted[k]) ok = false;
        }
    }
    verdict("topk8_row_warp", ok);
}

// 25. matrix-vector product with int8 weights and one fp16 scale per 64 weights
__global__ void gemv_q8_group(const signed char* w, const __half* scales, const float* x, float* y, int rows, int cols) {
    extern __shared__ float xs[];
    for (int i = threadIdx.x; i < cols; i += blockDim.x) xs[i] = x[i];
    __syncthreads();
    const int row = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5), lane = threadIdx.x & 31;
    if (row >= rows) return;
    const int4* wr = (const int4*)(w + (size_t)row * cols);
    const __half* sr = scales + (size_t)row * (cols / 64);
    float acc = 0.0f;
    for (int c = lane; c < cols / 16; c += 32) {
        const int4 packed = wr[c];
        const int words[4] = {packed.x, packed.y, packed.z, packed.w};
        const float* xv = xs + c * 16;
        float part = 0.0f;
#pragma unroll
        for (int i = 0; i < 4; ++i)
#pragma unroll
            for (int b = 0; b < 4; ++b) part += (float)(signed char)(words[i] >> (8 * b)) * xv[i * 4 + b];
        acc += part * __half2float(sr[c / 4]);
    }
    for (int o = 16; o > 0; o >>= 1) acc += __shfl_xor_sync(0xffffffffu, acc, o);
    if (lane == 0) y[row] = acc;
}

static void run_gemv_q8() {
    const int rows = 5120, cols = 4096;
    std::vector<signed char> w((size_t)rows * cols);
    for (auto& v : w) v = (signed char)((int)(rnd() % 255) - 127);
    std::vector<__half> scales((size_t)rows * cols / 64);
    for (auto& s : scales) s = __float2half(rnd_float(0.001f, 0.01f));
    std::vector<float> x = rnd_vector(cols, -1.0f, 1.0f), want(rows);
    signed char* d_w = upload(w);
    __half* d_scales = upload(scales);
    float* d_x = upload(x);
    float* d_y = blank<float>(rows);
    LAUNCH(gemv_q8_group, rows / 8, 256, cols * sizeof(float), d_w, d_scales, d_x, d_y, rows, cols);
    std::vector<float> got = download(d_y, rows);
    for (int r = 0; r < rows; ++r) {
        double s = 0.0;
        for (int g = 0; g < cols / 64; ++g) {
            double part = 0.0;
            for (int c = g * 64; c < g * 64 + 64; ++c) part += (double)w[(size_t)r * cols + c] * x[c];
            s += part * __half2float(scales[(size_t)r * (cols / 64) + g]);
        }
        want[r] = (float)s;
    }
    verdict("gemv_q8_group", all_close(got, want, 2e-3, 1e-4));
}

// 26. Adam update with decoupled weight decay, grid-stride over float4, separate outputs
struct AdamArgs {
    float lr, beta1, beta2, eps, decay, corr1, corr2;
};

__device__ __forceinline__ void adam_one(float p, float g, float m, float v, const AdamArgs& a, float& po, float& mo,
                                         float& vo) {
    mo = a.beta1 * m + (1.0f - a.beta1) * g;
    vo = a.beta2 * v + (1.0f - a.beta2) * g * g;
    po = p - a.lr * ((mo * a.corr1) / (sqrtf(vo * a.corr2) + a.eps) + a.decay * p);
}

__global__ void adam_step_f32(const float4* p, const float4* g, const float4* m, const float4* v, float4* po, float4* mo,
                              float4* vo, int n4, AdamArgs a) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n4; i += gridDim.x * blockDim.x) {
        const float4 pi = p[i], gi = g[i], mi = m[i], vi = v[i];
        float4 pn, mn, vn;
        adam_one(pi.x, gi.x, mi.x, vi.x, a, pn.x, mn.x, vn.x);
        adam_one(pi.y, gi.y, mi.y, vi.y, a, pn.y, mn.y, vn.y);
        adam_one(pi.z, gi.z, mi.z, vi.z, a, pn.z, mn.z, vn.z);
        adam_one(pi.w, gi.w, mi.w, vi.w, a, pn.w, mn.w, vn.w);
        po[i] = pn;
        mo[i] = mn;
        vo[i] = vn;
    }
}

static void run_adam() {
    const int n = 1600000;
    std::vector<float> p = rnd_vector(n, -0.5f, 0.5f), g = rnd_vector(n, -0.01f, 0.01f);
    std::vector<float> m = rnd_vector(n, -0.005f, 0.005f), v = rnd_vector(n, 1e-6f, 1e-4f);
    const AdamArgs a = {1e-3f, 0.9f, 0.999f, 1e-8f, 0.01f, 1.0f / (1.0f - powf(0.9f, 20.0f)), 1.0f / (1.0f - powf(0.999f, 20.0f))};
    float* d_p = upload(p);
    float* d_g = upload(g);
    float* d_m = upload(m);
    float* d_v = upload(v);
    float* d_po = blank<float>(n);
    float* d_mo = blank<float>(n);
    float* d_vo = blank<float>(n);
    LAUNCH(adam_step_f32, 264, 512, 0, (const float4*)d_p, (const float4*)d_g, (const float4*)d_m, (const float4*)d_v,
           (float4*)d_po, (float4*)d_mo, (float4*)d_vo, n / 4, a);
    std::vector<float> gp = download(d_po, n), gm = download(d_mo, n), gv = download(d_vo, n);
    std::vector<float> wp(n), wm(n), wv(n);
    for (int i = 0; i < n; ++i) {
        const double mn = (double)a.beta1 * m[i] + (1.0 - a.beta1) * g[i];
        const double vn = (double)a.beta2 * v[i] + (1.0 - a.beta2) * g[i] * g[i];
        wm[i] = (float)mn;
        wv[i] = (float)vn;
        wp[i] = (float)(p[i] - a.lr * (mn * a.corr1 / (std::sqrt(vn * a.corr2) + a.eps) + a.decay * p[i]));
    }
    const bool ok = all_close(gp, wp, 1e-6, 1e-5) & all_close(gm, wm, 1e-8, 1e-5) & all_close(gv, wv, 1e-10, 1e-5);
    verdict("adam_step_f32", ok);
}

// 27. ChaCha20 stream cipher, one 64-byte block per thread, key and nonce in constant memory
__constant__ u32 c_chacha[16];

__device__ __forceinline__ void chacha_quarter(u32& a, u32& b, u32& c, u32& d) {
    a += b;
    d = __funnelshift_l(d ^ a, d ^ a, 16);
    c += d;
    b = __funnelshift_l(b ^ c, b ^ c, 12);
    a += b;
    d = __funnelshift_l(d ^ a, d ^ a, 8);
    c += d;
    b = __funnelshift_l(b ^ c, b ^ c, 7);
}

__global__ void chacha20_xor(const uint4* plain, uint4* cipher, int blocks) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= blocks) return;
    u32 s[16];
#pragma unroll
    for (int k = 0; k < 16; ++k) s[k] = c_chacha[k];
    s[12] += i;
    const u32 counter = s[12];
#pragma unroll
    for (int round = 0; round < 10; ++round) {
        chacha_quarter(s[0], s[4], s[8], s[12]);
        chacha_quarter(s[1], s[5], s[9], s[13]);
        chacha_quarter(s[2], s[6], s[10], s[14]);
        chacha_quarter(s[3], s[7], s[11], s[15]);
        chacha_quarter(s[0], s[5], s[10], s[15]);
        chacha_quarter(s[1], s[6], s[11], s[12]);
        chacha_quarter(s[2], s[7], s[8], s[13]);
        chacha_quarter(s[3], s[4], s[9], s[14]);
    }
#pragma unroll
    for (int k = 0; k < 16; ++k) s[k] += k == 12 ? counter : c_chacha[k];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        uint4 t = plain[(size_t)i * 4 + k];
        t.x ^= s[4 * k];
        t.y ^= s[4 * k + 1];
        t.z ^= s[4 * k + 2];
        t.w ^= s[4 * k + 3];
        cipher[(size_t)i * 4 + k] = t;
    }
}

static void run_chacha() {
    const int blocks = 150000;
    u32 state[16] = {0x61707865u, 0x3320646eu, 0x79622d32u, 0x6b206574u};
    for (int k = 4; k < 16; ++k) state[k] = rnd();
    state[12] = 1;
    CK(cudaMemcpyToSymbol(c_chacha, state, sizeof(state)));
    std::vector<u32> plain((size_t)blocks * 16), want((size_t)blocks * 16);
    for (auto& v : plain) v = rnd();
    u32* d_plain = upload(plain);
    u32* d_cipher = blank<u32>((size_t)blocks * 16);
    LAUNCH(chacha20_xor, ceil_div(blocks, 192), 192, 0, (const uint4*)d_plain, (uint4*)d_cipher, blocks);
    std::vector<u32> got = download(d_cipher, (size_t)blocks * 16);
    static const int order[8][4] = {{0, 4, 8, 12}, {1, 5, 9, 13}, {2, 6, 10, 14}, {3, 7, 11, 15},
                                    {0, 5, 10, 15}, {1, 6, 11, 12}, {2, 7, 8, 13}, {3, 4, 9, 14}};
    auto rot = [](u32 v, int n) { return (v << n) | (v >> (32 - n)); };
    for (int i = 0; i < blocks; ++i) {
        u32 init[16], s[16];
        memcpy(init, state, sizeof(init));
        init[12] += i;
        memcpy(s, init, sizeof(s));
        for (int round = 0; round < 10; ++round)
            for (auto& o : order) {
                u32 &a = s[o[0]], &b = s[o[1]], &c = s[o[2]], &d = s[o[3]];
                a += b; d = rot(d ^ a, 16);
                c += d; b = rot(b ^ c, 12);
                a += b; d = rot(d ^ a, 8);
                c += d; b = rot(b ^ c, 7);
            }
        for (int k = 0; k < 16; ++k) want[(size_t)i * 16 + k] = plain[(size_t)i * 16 + k] ^ (s[k] + init[k]);
    }
    verdict("chacha20_xor", got == want);
}

// 28. closest ray-triangle hit by BVH traversal with a local stack
struct BvhNode {
    float lo[3];
    int right;
    float hi[3];
    int count;
};

__device__ __forceinline__ float slab_entry(const float4& a, const float4& b, float3 o, float3 inv, float limit) {
    const float x0 = (a.x - o.x) * inv.x, x1 = (b.x - o.x) * inv.x;
    const float y0 = (a.y - o.y) * inv.y, y1 = (b.y - o.y) * inv.y;
    const float z0 = (a.z - o.z) * inv.z, z1 = (b.z - o.z) * inv.z;
    const float enter = fmaxf(fmaxf(fminf(x0, x1), fminf(y0, y1)), fmaxf(fminf(z0, z1), 0.0f));
    const float leave = fminf(fminf(fmaxf(x0, x1), fmaxf(y0, y1)), fminf(fmaxf(z0, z1), limit));
    return enter <= leave ? enter : FLT_MAX;
}

__global__ void bvh_closest_hit(const float4* nodes, const float4* tris, const float4* rays, float* depth, int w, int h,
                                float3 eye) {
    const int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= w || py >= h) return;
    const float4 d = rays[py * w + px];
    const float3 inv = make_float3(1.0f / d.x, 1.0f / d.y, 1.0f / d.z);
    float best = 1e30f;
    int stack[40];
    int top = 0, node = 0;
    while (true) {
        const int count = __float_as_int(nodes[2 * node + 1].w);
        const int link = __float_as_int(nodes[2 * node].w);
        bool descend = false;
        if (count > 0) {
            for (int t = link; t < link + count; ++t) {
                const float4 v0 = tris[3 * t], e1 = tris[3 * t + 1], e2 = tris[3 * t + 2];
                const float hx = d.y * e2.z - d.z * e2.y, hy = d.z * e2.x - d.x * e2.z, hz = d.x * e2.y - d.y * e2.x;
                const float det = e1.x * hx + e1.y * hy + e1.z * hz;
                if (fabsf(det) < 1e-9f) continue;
                const float f = 1.0f / det;
                const float sx = eye.x - v0.x, sy = eye.y - v0.y, sz = eye.z - v0.z;
                const float u = f * (sx * hx + sy * hy + sz * hz);
                if (u < 0.0f || u > 1.0f) continue;
                const float qx = sy * e1.z - sz * e1.y, qy = sz * e1.x - sx * e1.z, qz = sx * e1.y - sy * e1.x;
                const float v = f * (d.x * qx + d.y * qy + d.z * qz);
                if (v < 0.0f || u + v > 1.0f) continue;
                const float hit = f * (e2.x * qx + e2.y * qy + e2.z * qz);
                if (hit > 1e-4f && hit < best) best = hit;
            }
        } else {
            const int left = node + 1, right = link;
            const float tl = slab_entry(nodes[2 * left], nodes[2 * left + 1], eye, inv, best);
            const float tr = slab_entry(nodes[2 * right], nodes[2 * right + 1], eye, inv, best);
            if (tl < FLT_MAX || tr < FLT_MAX) {
                node = tl <= tr ? left : right;
                if (tl < FLT_MAX && tr < FLT_MAX) stack[top++] = tl <= tr ? right : left;
                descend = true;
            }
        }
        if (!descend) {
            if (top == 0) break;
            node = stack[--top];
        }
    }
    depth[py * w + px] = best;
}

struct HostTri {
    float v[3][3];
    float mid(int axis) const { return v[0][axis] + v[1][axis] + v[2][axis]; }
};

static int build_bvh(std::vector<BvhNode>& nodes, std::vector<HostTri>& tris, int first, int last) {
    const int id = (int)nodes.size();
    nodes.push_back(BvhNode());
    BvhNode n;
    float clo[3], chi[3];
    for (int a = 0; a < 3; ++a) {
        n.lo[a] = clo[a] = FLT_MAX;
        n.hi[a] = chi[a] = -FLT_MAX;
        for (int t = first; t < last; ++t) {
            for (int k = 0; k < 3; ++k) {
                n.lo[a] = std::min(n.lo[a], tris[t].v[k][a] - 1e-4f);
                n.hi[a] = std::max(n.hi[a], tris[t].v[k][a] + 1e-4f);
            }
            clo[a] = std::min(clo[a], tris[t].mid(a));
            chi[a] = std::max(chi[a], tris[t].mid(a));
        }
    }
    if (last - first <= 4) {
        n.right = first;
        n.count = last - first;
    } else {
        int axis = 0;
        for (int a = 1; a < 3; ++a)
            if (chi[a] - clo[a] > chi[axis] - clo[axis]) axis = a;
        const int mid = (first + last) / 2;
        std::nth_element(tris.begin() + first, tris.begin() + mid, tris.begin() + last,
                         [axis](const HostTri& p, const HostTri& q) { return p.mid(axis) < q.mid(axis); });
        build_bvh(nodes, tris, first, mid);
        n.right = build_bvh(nodes, tris, mid, last);
        n.count = 0;
    }
    nodes[id] = n;
    return id;
}

static double host_hit(const HostTri& t, const double* o, const double* d) {
    double e1[3], e2[3], s[3], h[3], q[3];
    for (int a = 0; a < 3; ++a) {
        e1[a] = (double)t.v[1][a] - t.v[0][a];
        e2[a] = (double)t.v[2][a] - t.v[0][a];
        s[a] = o[a] - t.v[0][a];
    }
    for (int a = 0; a < 3; ++a) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        h[a] = d[b] * e2[c] - d[c] * e2[b];
        q[a] = s[b] * e1[c] - s[c] * e1[b];
    }
    const double det = e1[0] * h[0] + e1[1] * h[1] + e1[2] * h[2];
    if (std::fabs(det) < 1e-9) return 1e30;
    const double u = (s[0] * h[0] + s[1] * h[1] + s[2] * h[2]) / det;
    const double v = (d[0] * q[0] + d[1] * q[1] + d[2] * q[2]) / det;
    const double hit = (e2[0] * q[0] + e2[1] * q[1] + e2[2] * q[2]) / det;
    return u >= 0 && v >= 0 && u + v <= 1 && hit > 1e-4 ? hit : 1e30;
}

static void run_bvh() {
    const int w = 320, h = 240, cells = 110;
    std::vector<HostTri> tris;
    auto corner = [&](int i, int j, float* p) {
        p[0] = 0.2f * (i - cells / 2);
        p[1] = 0.2f * (j - cells / 2);
        p[2] = 1.2f * sinf(0.5f * p[0]) * cosf(0.4f * p[1]) + 0.3f * sinf(2.3f * p[0] + 1.1f * p[1]);
    };
    for (int j = 0; j < cells; ++j)
        for (int i = 0; i < cells; ++i) {
            HostTri t;
            corner(i, j, t.v[0]);
            corner(i + 1, j, t.v[1]);
            corner(i + 1, j + 1, t.v[2]);
            tris.push_back(t);
            corner(i + 1, j + 1, t.v[1]);
            corner(i, j + 1, t.v[2]);
            tris.push_back(t);
        }
    std::vector<BvhNode> nodes;
    build_bvh(nodes, tris, 0, (int)tris.size());
    std::vector<float4> packed_nodes(2 * nodes.size()), packed_tris(3 * tris.size()), rays((size_t)w * h);
    memcpy(packed_nodes.data(), nodes.data(), nodes.size() * sizeof(BvhNode));
    for (size_t i = 0; i < tris.size(); ++i) {
        const HostTri& t = tris[i];
        packed_tris[3 * i] = make_float4(t.v[0][0], t.v[0][1], t.v[0][2], 0.0f);
        packed_tris[3 * i + 1] = make_float4(t.v[1][0] - t.v[0][0], t.v[1][1] - t.v[0][1], t.v[1][2] - t.v[0][2], 0.0f);
        packed_tris[3 * i + 2] = make_float4(t.v[2][0] - t.v[0][0], t.v[2][1] - t.v[0][1], t.v[2][2] - t.v[0][2], 0.0f);
    }
    const float3 eye = make_float3(0.13f, -14.07f, 4.41f);
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x) {
            const float rx = 0.9f * (x + 0.37f - w / 2) / w, rz = -0.35f - 0.7f * (y + 0.41f - h / 2) / h;
            const float s = 1.0f / sqrtf(rx * rx + 1.0f + rz * rz);
            rays[(size_t)y * w + x] = make_float4(rx * s, s, rz * s, 0.0f);
        }
    float4* d_nodes = upload(packed_nodes);
    float4* d_tris = upload(packed_tris);
    float4* d_rays = upload(rays);
    float* d_depth = blank<float>((size_t)w * h);
    dim3 block(8, 8), grid(w / 8, h / 8);
    LAUNCH(bvh_closest_hit, grid, block, 0, d_nodes, d_tris, d_rays, d_depth, w, h, eye);
    std::vector<float> got = download(d_depth, (size_t)w * h);
    const double o[3] = {eye.x, eye.y, eye.z};
    int tested = 0, wrong = 0;
    for (int i = 0; i < w * h; i += 61) {
        const double d[3] = {rays[i].x, rays[i].y, rays[i].z};
        double best = 1e30;
        for (auto& t : tris) best = std::min(best, host_hit(t, o, d));
        if (std::fabs(got[i] - best) > 2e-3 * best) ++wrong;
        ++tested;
    }
    verdict("bvh_closest_hit", wrong * 100 < tested);
}

// 29. Reed-Solomon (255,223) encoder over GF(256) with constant log/exp tables
__constant__ u8 c_gf_exp[512];
__constant__ u8 c_gf_log[256];
__constant__ u8 c_rs_gen_log[32];

__global__ void rs255_encode(const u8* data, u8* parity, int words) {
    __shared__ u8 exp_tab[512];
    __shared__ u8 log_tab[256];
    for (int i = threadIdx.x; i < 512; i += blockDim.x) exp_tab[i] = c_gf_exp[i];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) log_tab[i] = c_gf_log[i];
    __syncthreads();
    const int cw = blockIdx.x * blockDim.x + threadIdx.x;
    if (cw >= words) return;
    u32 reg[32];
#pragma unroll
    for (int j = 0; j < 32; ++j) reg[j] = 0;
    for (int i = 0; i < 223; ++i) {
        const u32 fb = data[(size_t)cw * 223 + i] ^ reg[0];
        const u32 lg = log_tab[fb];
        const u32 keep = fb ? 0xffu : 0u;
#pragma unroll
        for (int j = 0; j < 31; ++j) reg[j] = reg[j + 1] ^ (exp_tab[lg + c_rs_gen_log[j]] & keep);
        reg[31] = exp_tab[lg + c_rs_gen_log[31]] & keep;
    }
#pragma unroll
    for (int j = 0; j < 32; ++j) parity[(size_t)cw * 32 + j] = (u8)reg[j];
}

static u32 gf_mul_slow(u32 a, u32 b) {
    u32 r = 0;
    for (; b; b >>= 1) {
        if (b & 1) r ^= a;
        a <<= 1;
        if (a & 0x100) a ^= 0x11d;
    }
    return r;
}

static void run_rs255() {
    const int words = 4000;
    std::vector<u8> exp_tab(512), log_tab(256, 0), gen_log(32);
    u32 v = 1;
    for (int i = 0; i < 255; ++i) {
        exp_tab[i] = exp_tab[i + 255] = (u8)v;
        log_tab[v] = (u8)i;
        v = gf_mul_slow(v, 2);
    }
    std::vector<u32> gen(1, 1);
    for (int r = 0; r < 32; ++r) {
        std::vector<u32> wider(gen.size() + 1, 0);
        for (size_t k = 0; k < gen.size(); ++k) {
            wider[k] ^= gen[k];
            wider[k + 1] ^= gf_mul_slow(gen[k], exp_tab[r]);
        }
        gen = wider;
    }
    bool ok = true;
    for (int j = 0; j < 32; ++j) {
        if (gen[j + 1] == 0) ok = false;
        gen_log[j] = log_tab[gen[j + 1]];
    }
    CK(cudaMemcpyToSymbol(c_gf_exp, exp_tab.data(), 512));
    CK(cudaMemcpyToSymbol(c_gf_log, log_tab.data(), 256));
    CK(cudaMemcpyToSymbol(c_rs_gen_log, gen_log.data(), 32));
    std::vector<u8> data((size_t)words * 223);
    for (auto& b : data) b = (u8)(rnd() >> 13);
    u8* d_data = upload(data);
    u8* d_parity = blank<u8>((size_t)words * 32);
    LAUNCH(rs255_encode, ceil_div(words, 64), 64, 0, d_data, d_parity, words);
    std::vector<u8> got = download(d_parity, (size_t)words * 32);
    std::vector<u8> product(256 * 33);
    for (int a = 0; a < 256; ++a)
        for (int j = 0; j <= 32; ++j) product[a * 33 + j] = (u8)gf_mul_slow(a, gen[j]);
    for (int c = 0; c < words; ++c) {
        u8 poly[255] = {};
        memcpy(poly, &data[(size_t)c * 223], 223);
        for (int i = 0; i < 223; ++i) {
            const u32 lead = poly[i];
            for (int j = 0; j <= 32; ++j) poly[i + j] ^= product[lead * 33 + j];
        }
        if (memcmp(poly + 223, &got[(size_t)c * 32], 32) != 0) ok = false;
    }
    verdict("rs255_encode", ok);
}

int main() {
    CK(cudaSetDevice(0));
    run_resize_bicubic();
    run_flow_ssd();
    run_mc_classify();
    run_ct_backproject();
    run_knn4();
    run_nms();
    run_hough();
    run_lbm();
    run_stencil27();
    run_wave2d();
    run_rbgs();
    run_sph();
    run_photons();
    run_binomial();
    run_cholesky();
    run_jacobi_eig3();
    run_ssyrk();
    run_fft256();
    run_dct();
    run_ntt();
    run_attn_decode();
    run_rope();
    run_embed_grad();
    run_topk();
    run_gemv_q8();
    run_adam();
    run_chacha();
    run_bvh();
    run_rs255();
    if (g_failures) {
        printf("%d kernels failed their check\n", g_failures);
        return 1;
    }
    printf("all checks passed\n");
    return 0;
}
