// Kernels of one warp group and one product (wgmma), which the tests execute (../warp_group_test.cpp).
//
// group_*: `image` goes to shared memory at a multiple of 1024; the descriptors of A and B are given with start
// addresses relative to it, so that a test chooses layouts; C and D as registers lie: thread t, register r at
// [r * 128 + t]. `scale`: 0 for D = A B, else D = A B + C. registers_*: A as registers lie, too.
#include <cstdint>

#define C4(c, x) c(d[x]), c(d[x + 1]), c(d[x + 2]), c(d[x + 3])
#define C8(c, x) C4(c, x), C4(c, x + 4)
#define C16(c, x) C8(c, x), C8(c, x + 8)
#define C32(c, x) C16(c, x), C16(c, x + 16)
#define C64(c, x) C32(c, x), C32(c, x + 32)
#define D4 "{%0,%1,%2,%3}"
#define D8 "{%0,%1,%2,%3,%4,%5,%6,%7}"
#define D16 "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15}"
#define D32                                                                                                      \
    "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29," \
    "%30,%31}"
#define D64                                                                                                      \
    "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29," \
    "%30,%31,%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%56,"  \
    "%57,%58,%59,%60,%61,%62,%63}"

__device__ uint32_t shared_address(const void* p) {
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}
__device__ void arrive() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ void finish() {
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}

extern __shared__ __align__(1024) uint32_t space[];

// The image's place, >> 4 as descriptors have it.
__device__ uint64_t load_image(const uint32_t* image, int words) {
    for (int i = threadIdx.x; i < words; i += 128) space[i] = image[i];
    __syncthreads();
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    return shared_address(space) >> 4;
}

#define PRODUCT(name, T, constraint, ND, A, B, P, shape, tail)                                                     \
    extern "C" __global__ void __launch_bounds__(128) group_##name(const uint32_t* image, int words, uint64_t a,   \
                                                                   uint64_t b, const T* c, T* out, int scale) {    \
        const uint64_t base = load_image(image, words);                                                            \
        T d[ND];                                                                                                   \
        for (int r = 0; r < ND; ++r) d[r] = c[r * 128 + threadIdx.x];                                              \
        arrive();                                                                                                  \
        asm volatile("{.reg .pred p; setp.ne.b32 p," P ",0; wgmma.mma_async.sync.aligned." shape " " D##ND         \
                     ", " A ", " B ", p" tail ";}"                                                                 \
                     : C##ND(constraint, 0)                                                                        \
                     : "l"(a + base), "l"(b + base), "r"(scale));                                                  \
        finish();                                                                                                  \
        for (int r = 0; r < ND; ++r) out[r * 128 + threadIdx.x] = d[r];                                            \
    }
#define FROM_REGISTERS(name, T, constraint, ND, A, B, P, shape, tail)                                              \
    extern "C" __global__ void __launch_bounds__(128)                                                              \
        registers_##name(const uint32_t* image, int words, const uint32_t* a, uint64_t b, const T* c, T* out,      \
                         int scale) {                                                                              \
        const uint64_t base = load_image(image, words);                                                            \
        T d[ND];                                                                                                   \
        for (int r = 0; r < ND; ++r) d[r] = c[r * 128 + threadIdx.x];                                              \
        uint32_t f[4];                                                                                             \
        for (int r = 0; r < 4; ++r) f[r] = a[r * 128 + threadIdx.x];                                               \
        arrive();                                                                                                  \
        asm volatile("{.reg .pred p; setp.ne.b32 p," P ",0; wgmma.mma_async.sync.aligned." shape " " D##ND         \
                     ", " A ", " B ", p" tail ";}"                                                                 \
                     : C##ND(constraint, 0)                                                                        \
                     : "r"(f[0]), "r"(f[1]), "r"(f[2]), "r"(f[3]), "l"(b + base), "r"(scale));                     \
        finish();                                                                                                  \
        for (int r = 0; r < ND; ++r) out[r * 128 + threadIdx.x] = d[r];                                            \
    }

PRODUCT(f16_n8, float, "+f", 4, "%4", "%5", "%6", "m64n8k16.f32.f16.f16", ", 1, 1, 0, 0")
PRODUCT(f16_n64, float, "+f", 32, "%32", "%33", "%34", "m64n64k16.f32.f16.f16", ", 1, 1, 0, 0")
PRODUCT(f16_n64_ta, float, "+f", 32, "%32", "%33", "%34", "m64n64k16.f32.f16.f16", ", 1, 1, 1, 0")
PRODUCT(f16_n64_tb, float, "+f", 32, "%32", "%33", "%34", "m64n64k16.f32.f16.f16", ", 1, 1, 0, 1")
PRODUCT(f16_n128_tab, float, "+f", 64, "%64", "%65", "%66", "m64n128k16.f32.f16.f16", ", 1, 1, 1, 1")
PRODUCT(f16_n64_minus_a, float, "+f", 32, "%32", "%33", "%34", "m64n64k16.f32.f16.f16", ", -1, 1, 0, 0")
PRODUCT(f16_n64_minus_b, float, "+f", 32, "%32", "%33", "%34", "m64n64k16.f32.f16.f16", ", 1, -1, 0, 0")
PRODUCT(f16_f16_n64, uint32_t, "+r", 16, "%16", "%17", "%18", "m64n64k16.f16.f16.f16", ", 1, 1, 0, 0")
PRODUCT(bf16_n32, float, "+f", 16, "%16", "%17", "%18", "m64n32k16.f32.bf16.bf16", ", 1, 1, 0, 0")
PRODUCT(tf32_n32, float, "+f", 16, "%16", "%17", "%18", "m64n32k8.f32.tf32.tf32", ", 1, 1")
PRODUCT(s8_n32, uint32_t, "+r", 16, "%16", "%17", "%18", "m64n32k32.s32.s8.s8", "")
PRODUCT(u8_n32, uint32_t, "+r", 16, "%16", "%17", "%18", "m64n32k32.s32.u8.u8", "")
PRODUCT(s8_n32_sat, uint32_t, "+r", 16, "%16", "%17", "%18", "m64n32k32.s32.satfinite.s8.s8", "")
PRODUCT(b1_n32, uint32_t, "+r", 16, "%16", "%17", "%18", "m64n32k256.s32.b1.b1.and.popc", "")
PRODUCT(e4m3_n32, float, "+f", 16, "%16", "%17", "%18", "m64n32k32.f32.e4m3.e5m2", ", 1, 1")
PRODUCT(e4m3_f16_n32, uint32_t, "+r", 8, "%8", "%9", "%10", "m64n32k32.f16.e4m3.e4m3", ", 1, 1")
FROM_REGISTERS(f16_n64, float, "+f", 32, "{%32,%33,%34,%35}", "%36", "%37", "m64n64k16.f32.f16.f16", ", 1, 1, 0")
FROM_REGISTERS(f16_n64_tb, float, "+f", 32, "{%32,%33,%34,%35}", "%36", "%37", "m64n64k16.f32.f16.f16", ", 1, 1, 1")
FROM_REGISTERS(tf32_n32, float, "+f", 16, "{%16,%17,%18,%19}", "%20", "%21", "m64n32k8.f32.tf32.tf32", ", 1, 1")
FROM_REGISTERS(s8_n32, uint32_t, "+r", 16, "{%16,%17,%18,%19}", "%20", "%21", "m64n32k32.s32.s8.s8", "")

// Two groups of two products each; the first is waited for while the second runs.
extern "C" __global__ void __launch_bounds__(128) groups_f16_n8(const uint32_t* image, int words, uint64_t a, uint64_t b,
                                                                uint64_t step, float* out) {
    const uint64_t base = load_image(image, words);
    float d[4] = {}, e[4] = {};
    arrive();
#define STEP(d, i)                                                                                                 \
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 " D4 ", %4, %5, 1, 1, 1, 0, 0;" : C4("+f", 0)  \
                 : "l"(a + base + i * step), "l"(b + base + i * step))
    STEP(d, 0);
    STEP(d, 1);
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
#define d e
    STEP(d, 2);
    STEP(d, 3);
#undef d
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
    for (int r = 0; r < 4; ++r) out[r * 128 + threadIdx.x] = d[r];
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (int r = 0; r < 4; ++r) out[512 + r * 128 + threadIdx.x] = e[r];
}
