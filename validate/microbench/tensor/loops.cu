// Loops of tensor instructions as the rows of ../../data/h200_sxm_tensor_micro.csv describe them, written
// anew so that the simulator can run them: the predicted cycles per instruction stand beside the measured
// ones (tests/general/tensor_micro_test.cpp). One block; 64 products (or 32 loads) per trip, so that the
// loop's own instructions weigh little.
#include <cstdint>

constexpr int products = 64, loads = 32;

#define C4(c) "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
#define C2(c) "+r"(c[0]), "+r"(c[1])
#define A4(a) "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3])
#define A2(a) "r"(a[0]), "r"(a[1])

#define MMA_4_2_4(name, text)                                                                           \
    struct name {                                                                                       \
        static constexpr int sums = 4;                                                                  \
        static __device__ void run(unsigned* c, const unsigned* a, const unsigned* b) {                 \
            asm volatile("mma.sync.aligned." text " {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};" \
                         : C4(c)                                                                        \
                         : A4(a), A2(b));                                                               \
        }                                                                                               \
    };
#define MMA_2_1_4(name, text)                                                                  \
    struct name {                                                                              \
        static constexpr int sums = 4;                                                         \
        static __device__ void run(unsigned* c, const unsigned* a, const unsigned* b) {        \
            asm volatile("mma.sync.aligned." text " {%0,%1,%2,%3},{%4,%5},{%6},{%0,%1,%2,%3};" \
                         : C4(c)                                                               \
                         : A2(a), "r"(b[0]));                                                  \
        }                                                                                      \
    };
#define MMA_4_2_2(name, text)                                                               \
    struct name {                                                                           \
        static constexpr int sums = 2;                                                      \
        static __device__ void run(unsigned* c, const unsigned* a, const unsigned* b) {     \
            asm volatile("mma.sync.aligned." text " {%0,%1},{%2,%3,%4,%5},{%6,%7},{%0,%1};" \
                         : C2(c)                                                            \
                         : A4(a), A2(b));                                                   \
        }                                                                                   \
    };
#define MMA_2_1_2(name, text)                                                           \
    struct name {                                                                       \
        static constexpr int sums = 2;                                                  \
        static __device__ void run(unsigned* c, const unsigned* a, const unsigned* b) { \
            asm volatile("mma.sync.aligned." text " {%0,%1},{%2,%3},{%4},{%0,%1};"      \
                         : C2(c)                                                        \
                         : A2(a), "r"(b[0]));                                           \
        }                                                                               \
    };
MMA_4_2_4(f16_f32_16816, "m16n8k16.row.col.f32.f16.f16.f32")
MMA_4_2_4(bf16_f32_16816, "m16n8k16.row.col.f32.bf16.bf16.f32")
MMA_4_2_2(f16_f16_16816, "m16n8k16.row.col.f16.f16.f16.f16")
MMA_2_1_4(f16_f32_1688, "m16n8k8.row.col.f32.f16.f16.f32")
MMA_2_1_2(f16_f16_1688, "m16n8k8.row.col.f16.f16.f16.f16")
MMA_4_2_4(tf32_1688, "m16n8k8.row.col.f32.tf32.tf32.f32")
MMA_2_1_4(tf32_1684, "m16n8k4.row.col.f32.tf32.tf32.f32")
MMA_4_2_4(s8_16832, "m16n8k32.row.col.s32.s8.s8.s32")
MMA_2_1_4(s8_16816, "m16n8k16.row.col.s32.s8.s8.s32")

struct f64_884 {
    static constexpr int sums = 4;
    static __device__ void run(unsigned* c, const unsigned* a, const unsigned* b) {
        double* d = reinterpret_cast<double*>(c);
        asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1},{%2},{%3},{%0,%1};"
                     : "+d"(d[0]), "+d"(d[1])
                     : "d"(__hiloint2double(a[0], a[1])), "d"(__hiloint2double(b[0], b[1])));
    }
};

template <class Mma, int chains>
__device__ void rate(const unsigned* in, unsigned* out, int trips) {
    unsigned a[4], b[2];
    alignas(8) unsigned c[chains][4] = {};
    for (int i = 0; i < 4; ++i) {
        a[i] = in[threadIdx.x + 32 * i];
    }
    b[0] = in[threadIdx.x + 128];
    b[1] = in[threadIdx.x + 160];
#pragma unroll 1
    for (int trip = 0; trip < trips; ++trip) {
#pragma unroll
        for (int i = 0; i < products / chains; ++i) {
#pragma unroll
            for (int chain = 0; chain < chains; ++chain) {
                Mma::run(c[chain], a, b);
            }
        }
    }
    unsigned sum = 0;
    for (int chain = 0; chain < chains; ++chain) {
        for (int i = 0; i < Mma::sums; ++i) {
            sum ^= c[chain][i];
        }
    }
    out[threadIdx.x] = sum;
}

#define RATE(mma, chains)                                                                     \
    extern "C" __global__ void mma##_##chains(const unsigned* in, unsigned* out, int trips) { \
        rate<mma, chains>(in, out, trips);                                                    \
    }
#define RATES(mma) RATE(mma, 1) RATE(mma, 2) RATE(mma, 4) RATE(mma, 8)
RATES(f16_f32_16816)
RATES(bf16_f32_16816) RATES(f16_f16_16816) RATES(f16_f32_1688) RATES(f16_f16_1688) RATES(tf32_1688)
    RATES(tf32_1684) RATES(s8_16832) RATES(s8_16816) RATES(f64_884)

    // `others` FFMA, LOP3 or IMAD behind every product, on registers of their own.
    enum class Other {
        ffma,
        lop3,
        imad
    };

template <Other other, int others>
__device__ void mix(const unsigned* in, unsigned* out, int trips) {
    unsigned a[4], b[2], c[4][4] = {}, x[others > 0 ? others : 1];
    for (int i = 0; i < 4; ++i) {
        a[i] = in[threadIdx.x + 32 * i];
    }
    b[0] = in[threadIdx.x + 128];
    b[1] = in[threadIdx.x + 160];
    for (int i = 0; i < others; ++i) {
        x[i] = in[threadIdx.x + i];
    }
#pragma unroll 1
    for (int trip = 0; trip < trips; ++trip) {
#pragma unroll
        for (int i = 0; i < products; ++i) {
            f16_f32_16816::run(c[i % 4], a, b);
#pragma unroll
            for (int j = 0; j < others; ++j) {
                if (other == Other::ffma) {
                    asm volatile(
                        "{.reg .f32 p,q,r; mov.b32 p,%0; mov.b32 q,%1; mov.b32 r,%2; fma.rn.f32 p,p,q,r; "
                        "mov.b32 %0,p;}"
                        : "+r"(x[j])
                        : "r"(a[0]), "r"(a[1]));
                } else if (other == Other::lop3) {
                    asm volatile("lop3.b32 %0,%0,%1,%2,0x96;" : "+r"(x[j]) : "r"(a[0]), "r"(a[1]));
                } else {
                    asm volatile("mad.lo.u32 %0,%0,%1,%2;" : "+r"(x[j]) : "r"(a[0]), "r"(a[1]));
                }
            }
        }
    }
    unsigned sum = 0;
    for (int i = 0; i < 16; ++i) {
        sum ^= c[i / 4][i % 4];
    }
    for (int i = 0; i < others; ++i) {
        sum ^= x[i];
    }
    out[threadIdx.x] = sum;
}

#define MIX(other, others)                                                                            \
    extern "C" __global__ void mix_##other##_##others(const unsigned* in, unsigned* out, int trips) { \
        mix<Other::other, others>(in, out, trips);                                                    \
    }
MIX(ffma, 0)
MIX(ffma, 1) MIX(ffma, 2) MIX(ffma, 4) MIX(ffma, 8) MIX(ffma, 12) MIX(lop3, 1) MIX(lop3, 2) MIX(lop3, 4)
    MIX(lop3, 8) MIX(lop3, 12) MIX(imad, 1) MIX(imad, 2) MIX(imad, 4) MIX(imad, 8) MIX(imad, 12)

    // Loads from shared memory, eight independent ones at a time, without conflicts; and stores.
    __shared__ __align__(16) unsigned tile[4096];

__device__ unsigned tile_at(unsigned byte) {
    return static_cast<unsigned>(__cvta_generic_to_shared(tile)) + byte;
}

template <int width>
__device__ void load_matrices(unsigned* r, unsigned at) {
    if (width == 1) {
        asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0},[%1];" : "=r"(r[0]) : "r"(at));
    } else if (width == 2) {
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1},[%2];"
                     : "=r"(r[0]), "=r"(r[1])
                     : "r"(at));
    } else {
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3},[%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                     : "r"(at));
    }
}

template <int width, bool chained>
__device__ void load_rate(unsigned* out, int trips) {
    for (int i = threadIdx.x; i < 4096; i += blockDim.x) {
        tile[i] = tile_at(threadIdx.x % 32 * 16);
    }
    __syncthreads();
    unsigned r[8][4] = {};
    unsigned at = tile_at(threadIdx.x % 32 * 16);
#pragma unroll 1
    for (int trip = 0; trip < trips; ++trip) {
#pragma unroll
        for (int i = 0; i < loads; ++i) {
            load_matrices<width>(r[i % 8], chained ? at : at);
            if (chained) {
                at = r[i % 8][0];
            }
        }
    }
    unsigned sum = at;
    for (int i = 0; i < 32; ++i) {
        sum ^= r[i / 4][i % 4];
    }
    out[threadIdx.x] = sum;
}

#define LOADS(width)                                                              \
    extern "C" __global__ void ldmatrix_##width(unsigned* out, int trips) {       \
        load_rate<width, false>(out, trips);                                      \
    }                                                                             \
    extern "C" __global__ void ldmatrix_chain_##width(unsigned* out, int trips) { \
        load_rate<width, true>(out, trips);                                       \
    }
LOADS(1)
LOADS(2) LOADS(4)

    extern "C" __global__ void stmatrix_4(unsigned* out, int trips) {
    const unsigned at = tile_at(threadIdx.x % 32 * 16);
    unsigned r[4] = {threadIdx.x, threadIdx.x + 1, threadIdx.x + 2, threadIdx.x + 3};
#pragma unroll 1
    for (int trip = 0; trip < trips; ++trip) {
#pragma unroll
        for (int i = 0; i < loads; ++i) {
            asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0],{%1,%2,%3,%4};" ::"r"(at), A4(r)
                         : "memory");
        }
    }
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x];
}

// A step: two LDSM of four matrices, then `count` products of what they brought.
template <int count>
__device__ void load_and_multiply(unsigned* out, int trips) {
    for (int i = threadIdx.x; i < 4096; i += blockDim.x) {
        tile[i] = i;
    }
    __syncthreads();
    unsigned a[4], b[4], c[8][4] = {};
    const unsigned at = tile_at(threadIdx.x % 32 * 16);
#pragma unroll 1
    for (int trip = 0; trip < trips; ++trip) {
#pragma unroll
        for (int step = 0; step < 4; ++step) {
            load_matrices<4>(a, at + 512 * step);
            load_matrices<4>(b, at + 512 * step + 2048);
#pragma unroll
            for (int i = 0; i < count; ++i) {
                f16_f32_16816::run(c[i % 8], a, b + 2 * (i % 2));
            }
        }
    }
    unsigned sum = 0;
    for (int i = 0; i < 32; ++i) {
        sum ^= c[i / 4][i % 4];
    }
    out[threadIdx.x] = sum;
}

#define LOAD_AND_MULTIPLY(count)                                                \
    extern "C" __global__ void ldmatrix_mma_##count(unsigned* out, int trips) { \
        load_and_multiply<count>(out, trips);                                   \
    }
LOAD_AND_MULTIPLY(1) LOAD_AND_MULTIPLY(2) LOAD_AND_MULTIPLY(4) LOAD_AND_MULTIPLY(8) LOAD_AND_MULTIPLY(16)
