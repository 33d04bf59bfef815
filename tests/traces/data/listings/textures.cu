// Texture and surface reads of every shape.
#include <cstdint>
extern "C" {
__global__ void linear_1d(float* out, cudaTextureObject_t t, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = tex1Dfetch<float>(t, i);
}
__global__ void linear_vec4(float4* out, cudaTextureObject_t t, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = tex1Dfetch<float4>(t, i);
}
__global__ void gather_1d(float* out, cudaTextureObject_t t, const int* index, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = tex1Dfetch<float>(t, index[i]);
}
__global__ void blur_2d(float* out, cudaTextureObject_t t, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    float s = 0;
    for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i)
            s += tex2D<float>(t, x + i + 0.5f, y + j + 0.5f);
    out[y * w + x] = s;
}
__global__ void scale_2d(uchar4* out, cudaTextureObject_t t, int w, int h, float sx, float sy) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    float4 v = tex2D<float4>(t, (x + 0.5f) * sx, (y + 0.5f) * sy);
    out[y * w + x] = make_uchar4(v.x * 255, v.y * 255, v.z * 255, v.w * 255);
}
__global__ void lod_2d(float* out, cudaTextureObject_t t, int w) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    out[y * w + x] = tex2DLod<float>(t, x + 0.5f, y + 0.5f, 0.f) +
                     tex2DGrad<float>(t, x, y, make_float2(1, 0), make_float2(0, 1));
}
__global__ void gather_2d(float4* out, cudaTextureObject_t t, int w) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    out[y * w + x] = tex2Dgather<float4>(t, x + 0.5f, y + 0.5f, 0);
}
__global__ void volume(float* out, cudaTextureObject_t t, int w, int h, int d) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    float s = 0;
    for (int z = 0; z < d; ++z)
        s += tex3D<float>(t, x + 0.5f, y + 0.5f, z + 0.5f);
    out[y * w + x] = s;
}
__global__ void layers(float* out, cudaTextureObject_t t, int w, int layer) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    out[y * w + x] =
        tex2DLayered<float>(t, x + 0.5f, y + 0.5f, layer) + tex1DLayered<float>(t, x + 0.5f, layer);
}
__global__ void one_d(float* out, cudaTextureObject_t t, float s) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    out[x] = tex1D<float>(t, x * s) + tex1D<float>(t, x * s + 1);
}
__global__ void half_2(float2* out, cudaTextureObject_t t) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    out[y * gridDim.x * blockDim.x + x] = tex2D<float2>(t, x + 0.5f, y + 0.5f);
}
__global__ void cube(float* out, cudaTextureObject_t t) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    out[x] = texCubemap<float>(t, x, 1.f, 2.f);
}
__global__ void surface_copy(cudaSurfaceObject_t in, cudaSurfaceObject_t out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h)
        surf2Dwrite(surf2Dread<float>(in, x * 4, y), out, x * 4, y);
}
__global__ void surface_vec(cudaSurfaceObject_t in, cudaSurfaceObject_t out, int w) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    float4 v = surf1Dread<float4>(in, x * 16, cudaBoundaryModeClamp);
    surf3Dwrite(v, out, x * 16, blockIdx.y, blockIdx.z, cudaBoundaryModeZero);
    surf2DLayeredwrite((unsigned char)1, out, x, 1, 2);
}
__global__ void query(int* out, cudaTextureObject_t t) {
    int w, h;
    asm("txq.width.b32 %0, [%1];" : "=r"(w) : "l"(t));
    asm("txq.height.b32 %0, [%1];" : "=r"(h) : "l"(t));
    out[0] = w * h;
}
}
// The objects in device memory: handles in registers.
extern "C" __global__ void from_memory(float* out, const cudaTextureObject_t* ts, float a, float b, int i) {
    cudaTextureObject_t t = ts[blockIdx.x];
    out[blockIdx.x * 32 + threadIdx.x] =
        tex2D<float>(t, a + threadIdx.x, b) + tex2DLayered<float>(t, a, b, i);
}
// Another object in every other lane.
extern "C" __global__ void by_lane(float* out, const cudaTextureObject_t* ts, float a, float b) {
    cudaTextureObject_t t = ts[threadIdx.x % 2];
    out[threadIdx.x] = tex2D<float>(t, a + threadIdx.x, b);
}
