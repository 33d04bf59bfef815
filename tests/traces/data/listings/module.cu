// Memory that is no parameter: variables of the module, and the barrier of a cooperative launch.
#include <cooperative_groups.h>

#include <cstdio>

extern "C" {
__device__ float table[256];
__device__ int counter;

__global__ void variables(float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = table[i % 256];
        atomicAdd(&counter, 1);
    }
}
__global__ void grid_sync(float* a, float* b, int n) {
    auto grid = cooperative_groups::this_grid();
    int i = grid.thread_rank();
    if (i < n)
        b[i] = a[i] + 1;
    grid.sync();
    if (i < n)
        a[i] = b[n - 1 - i];
    grid.sync();
}
__global__ void prints(int n) {
    if (threadIdx.x < n)
        printf("%d\n", n);
}
__global__ void allocates(int** out, int n) {
    int* p = (int*)malloc(n);
    out[threadIdx.x] = p;
    free(p);
}
}
