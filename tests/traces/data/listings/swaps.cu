// Compare-and-swap of pairs and of words, in shared memory and where code has to find out which memory it is. Doubles in shared
// memory are added by such loops. Restated in plain C++ by tests/traces/data/swaps_test.cpp.
using u64 = unsigned long long;

#define BLOCK_PART(TYPE, START)                    \
    __shared__ TYPE part[64];                      \
    if (threadIdx.x < words) {                     \
        part[threadIdx.x] = START;                 \
    }                                              \
    __syncthreads();                               \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

#define STORE_PART(TO)                                         \
    __syncthreads();                                           \
    if (threadIdx.x < words) {                                 \
        TO[blockIdx.x * words + threadIdx.x] = part[threadIdx.x]; \
    }

extern "C" __global__ void shared_swaps_u64(const u64* expected, const u64* fresh, u64* found, u64* left, int words) {
    BLOCK_PART(u64, threadIdx.x * 0x100000001ull)
    found[i] = atomicCAS(&part[threadIdx.x % words], expected[i], fresh[i]);
    STORE_PART(left)
}

// Every third thread's word lies in device memory.
extern "C" __global__ void either_swaps_u64(const u64* expected, const u64* fresh, u64* found, u64* left, u64* own, int words) {
    BLOCK_PART(u64, threadIdx.x * 0x100000001ull)
    u64* word = threadIdx.x % 3 == 0 ? own + i : part + threadIdx.x % words;
    found[i] = atomicCAS(word, expected[i], fresh[i]);
    STORE_PART(left)
}

extern "C" __global__ void shared_sums_f32(const float* in, float* sums, int words) {
    BLOCK_PART(float, 0)
    atomicAdd(&part[threadIdx.x % words], in[i]);
    STORE_PART(sums)
}

#if __CUDA_ARCH__ >= 600
extern "C" __global__ void shared_sums_f64(const double* in, double* sums, int words) {
    BLOCK_PART(double, 0)
    atomicAdd(&part[threadIdx.x % words], in[i]);
    STORE_PART(sums)
}

extern "C" __global__ void either_sums_f64(const double* in, double* sums, double* own, int words) {
    BLOCK_PART(double, 0)
    double* word = threadIdx.x % 3 == 0 ? own + threadIdx.x % words : part + threadIdx.x % words;
    atomicAdd(word, in[i]);
    STORE_PART(sums)
}
#endif
