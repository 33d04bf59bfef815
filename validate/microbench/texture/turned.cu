// Texture fetches where a warp's lanes lie on a slanted line of the image, as in rotations and remaps.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -o turned validate/microbench/texture/turned.cu
//   turned > validate/data/h200_sxm_turned_textures.csv          median of nine launches; seconds
//
// texel,layout,filter,image,block_x,block_y,degrees,scale,taps,time_us
//   A thread per pixel of 2048 x 2048 fetches `taps` texels, 3 columns and 5 rows apart, and stores their sum. Two
//   pixels side by side are `scale` texels apart, in a direction `degrees` off the image's rows.
//   layout   array = cudaArray, pitch = cudaMallocPitch
//   image    2048: each texel about once; 48: all in L1 after the first blocks
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <string>

#include "../standalone.cuh"

namespace {

constexpr int side = 2048;

__device__ float sum_of(float v) { return v; }
__device__ float sum_of(float4 v) { return v.x + v.y + v.z + v.w; }
__device__ float sum_of(uchar4 v) { return v.x + v.y + v.z + v.w; }

struct Map {
    float along, across;  // texels per pixel
    float image;
};

template <class T, int TAPS>
__global__ void fetch(cudaTextureObject_t image, float* out, Map map) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float u = map.along * x - map.across * y, v = map.across * x + map.along * y;
    u -= map.image * floorf(u / map.image);
    v -= map.image * floorf(v / map.image);
    float sum = 0;
#pragma unroll
    for (int k = 0; k < TAPS; ++k) sum += sum_of(tex2D<T>(image, u + 3 * k, v + 5 * k));
    out[y * side + x] = sum;
}

template <class T>
cudaTextureObject_t texture(int width, bool array, bool linear) {
    cudaResourceDesc resource{};
    const auto format = cudaCreateChannelDesc<T>();
    if (array) {
        cudaArray_t data;
        check(cudaMallocArray(&data, &format, width, width));
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = data;
    } else {
        void* data = nullptr;
        size_t pitch = 0;
        check(cudaMallocPitch(&data, &pitch, width * sizeof(T), width));
        check(cudaMemset(data, 0, pitch * width));
        resource.resType = cudaResourceTypePitch2D;
        resource.res.pitch2D = {data, format, static_cast<size_t>(width), static_cast<size_t>(width), pitch};
    }
    cudaTextureDesc how{};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    how.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
    how.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture;
    check(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    return texture;
}

template <class T, int TAPS>
void measure(const std::string& name, cudaTextureObject_t image, int size, dim3 block, int degrees, float scale,
             float* out) {
    const double turn = degrees * 3.14159265358979 / 180;
    const Map map{static_cast<float>(scale * std::cos(turn)), static_cast<float>(scale * std::sin(turn)),
                  static_cast<float>(size)};
    const dim3 grid(side / block.x, side / block.y);
    const double us = median_us([&] { fetch<T, TAPS><<<grid, block>>>(image, out, map); });
    std::printf("%s,%d,%d,%d,%d,%g,%d,%.2f\n", name.c_str(), size, block.x, block.y, degrees, scale, TAPS, us);
    std::fflush(stdout);
}

template <class T>
void measure_texels(const char* texel, bool linear, float* out) {
    for (const bool array : {true, false}) {
        for (const int size : {48, side}) {
            const auto image = texture<T>(size, array, linear);
            const auto name =
                std::string(texel) + (array ? ",array" : ",pitch") + (linear ? ",linear" : ",point");
            for (const dim3 block : {dim3(32, 8), dim3(16, 16)}) {
                for (const int degrees : {0, 3, 10, 20, 45, 90}) {
                    measure<T, 1>(name, image, size, block, degrees, 1, out);
                    measure<T, 4>(name, image, size, block, degrees, 1, out);
                }
                for (const float scale : {0.5F, 2.0F}) {
                    measure<T, 1>(name, image, size, block, 0, scale, out);
                    measure<T, 1>(name, image, size, block, 20, scale, out);
                }
            }
        }
    }
}

}  // namespace

int main() {
    cudaDeviceProp gpu{};
    check(cudaGetDeviceProperties(&gpu, 0));
    std::printf("# gpu: %s\ntexel,layout,filter,image,block_x,block_y,degrees,scale,taps,time_us\n", gpu.name);
    float* out = nullptr;
    check(cudaMalloc(&out, side * side * sizeof(float)));
    measure_texels<float>("float", false, out);
    measure_texels<float>("float", true, out);
    measure_texels<uchar4>("uchar4", false, out);
    measure_texels<float4>("float4", true, out);
    return 0;
}
