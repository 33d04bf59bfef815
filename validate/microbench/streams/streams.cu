// Streams of doubles, one element per thread; dynamic shared memory lets two blocks reside on an SM. What
// gpu-benches (te42kyfo) publishes for many GPUs does the same; the code is ours.
//   nvcc -arch=sm_70 -cubin -o s.cubin streams.cu && cuobjdump -sass s.cubin | gzip -9n > sm_70.sass.gz
extern "C" __global__ void stream_read(double* a, const double* __restrict__ b, const double* __restrict__ c, int n) {
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n) {
        return;
    }
    const double value = b[i];
    if (value == 123.0) {
        a[i] = value;
    }
}

extern "C" __global__ void stream_scale(double* a, const double* __restrict__ b, const double* __restrict__ c, int n) {
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        a[i] = b[i] * 1.2;
    }
}

extern "C" __global__ void stream_triad(double* a, const double* __restrict__ b, const double* __restrict__ c, int n) {
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        a[i] = b[i] * 1.2 + c[i];
    }
}
