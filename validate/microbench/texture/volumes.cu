// What a filtered fetch takes: rate of one SM with all data in L1, by dimensions, texel and filter.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -o volumes validate/microbench/texture/volumes.cu
//   volumes > validate/data/h200_sxm_volumes.csv       median of five launches; seconds
//
// texture,texel,filter,lanes,cycles
//   cycles per warp instruction and SM: 2 blocks of 512 threads on each SM, loops of independent fetches. texture: 1d (a CUDA
//   array), 2d, 3d, 2d_layered; filter: point, linear. lanes: row (neighbours along x, a texel apart, at its quarter),
//   plane (8 x 4 of x and y), same (all at one place), apart (a lane each 8 texels along x, and y),
//   outside (all beyond the border, which reads as zero)
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

#include "../standalone.cuh"

namespace {

constexpr int trips = 64, unroll = 8, side = 16;

__device__ float sum_of(float v) { return v; }
__device__ float sum_of(float2 v) { return v.x + v.y; }
__device__ float sum_of(float4 v) { return v.x + v.y + v.z + v.w; }

template <int D, class T>
__device__ T fetch(cudaTextureObject_t t, float x, float y, float z) {
    if constexpr (D == 1) return tex1D<T>(t, x);
    if constexpr (D == 2) return tex2D<T>(t, x, y);
    if constexpr (D == 3) return tex3D<T>(t, x, y, z);
    return tex2DLayered<T>(t, x, y, 1);
}

template <int D, class T>
__global__ void fetches(cudaTextureObject_t texture, int lanes, long long* cycles, float* out) {
    const int lane = threadIdx.x % 32;
    float x = 0.75f, y = 0.75f, z = 0.75f;
    if (lanes == 0) x += lane % side, y += lane / side;
    if (lanes == 1) x += lane % 8, y += lane / 8;
    if (lanes == 4) x = -9, y = -9;
    if (lanes == 3) x += lane * 8 % side, y += lane / 2 % side;
    __syncthreads();
    const long long begin = clock64();
    float sum = 0;
#pragma unroll 1
    for (int i = 0; i < trips; ++i) {
#pragma unroll
        for (int j = 0; j < unroll; ++j) sum += sum_of(fetch<D, T>(texture, x + (i & 1) + j * 0.125f, y + j % 2, z + j / 2));
    }
    __syncthreads();
    const long long end = clock64();
    if (threadIdx.x == 0) cycles[blockIdx.x] = end - begin;
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

long long* cycles = nullptr;
float* out = nullptr;
int sms = 0;

template <int D, class T>
void measure(const char* texture_name, const char* texel, cudaChannelFormatDesc format, bool normalized) {
    const std::size_t bytes = (format.x + format.y + format.z + format.w) / 8;
    const cudaExtent extent = make_cudaExtent(side, D == 1 ? 0 : side, D == 3 ? 8 : D == 4 ? 4 : 0);
    cudaArray_t array;
    check(cudaMalloc3DArray(&array, &format, extent, D == 4 ? cudaArrayLayered : 0));
    std::vector<char> zeros(bytes * side * side * 8);
    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(zeros.data(), bytes * side, side, side);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(side, D == 1 ? 1 : side, std::max<std::size_t>(1, extent.depth));
    copy.kind = cudaMemcpyHostToDevice;
    check(cudaMemcpy3D(&copy));
    for (const bool linear : {false, true}) {
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array;
        cudaTextureDesc description{};
        description.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
        description.readMode = normalized ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
        for (auto& mode : description.addressMode) mode = cudaAddressModeBorder;
        cudaTextureObject_t texture;
        check(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
        constexpr const char* names[] = {"row", "plane", "same", "apart", "outside"};
        for (int lanes = 0; lanes < 5; ++lanes) {
            std::vector<double> times;
            for (int r = 0; r < 6; ++r) {
                fetches<D, T><<<2 * sms, 512>>>(texture, lanes, cycles, out);
                check(cudaDeviceSynchronize());
                std::vector<long long> got(2 * sms);
                check(cudaMemcpy(got.data(), cycles, got.size() * sizeof(long long), cudaMemcpyDeviceToHost));
                std::sort(got.begin(), got.end());
                if (r > 0) times.push_back(double(got[sms]) / (2 * 16 * trips * unroll));
            }
            std::sort(times.begin(), times.end());
            std::printf("%s,%s,%s,%s,%.2f\n", texture_name, texel, linear ? "linear" : "point", names[lanes], times[2]);
        }
        check(cudaDestroyTextureObject(texture));
    }
    check(cudaFreeArray(array));
}

template <int D>
void measure_all(const char* name) {
    measure<D, float>(name, "float", cudaCreateChannelDesc<float>(), false);
    measure<D, float2>(name, "float2", cudaCreateChannelDesc<float2>(), false);
    measure<D, float4>(name, "float4", cudaCreateChannelDesc<float4>(), false);
    measure<D, float>(name, "uchar", cudaCreateChannelDesc<unsigned char>(), true);
    measure<D, float4>(name, "uchar4", cudaCreateChannelDesc<uchar4>(), true);
    measure<D, float>(name, "ushort", cudaCreateChannelDesc<unsigned short>(), true);
    measure<D, float>(name, "half", cudaCreateChannelDescHalf(), false);
    measure<D, float4>(name, "half4", cudaCreateChannelDescHalf4(), false);
}

}  // namespace

int main() {
    cudaDeviceProp gpu{};
    check(cudaGetDeviceProperties(&gpu, 0));
    sms = gpu.multiProcessorCount;
    check(cudaMalloc(&cycles, sizeof(long long) * 2 * sms));
    check(cudaMalloc(&out, sizeof(float) * 2 * sms * 512));
    std::printf("# gpu: %s\ntexture,texel,filter,lanes,cycles\n", gpu.name);
    measure_all<1>("1d");
    measure_all<2>("2d");
    measure_all<3>("3d");
    measure_all<4>("2d_layered");
}
