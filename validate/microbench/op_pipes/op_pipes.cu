// Which pipe an instruction goes to, and at what rate: for the profiler's count of warp instructions by pipe.
//
//   nvcc -std=c++17 -O3 -arch=sm_90 -o op_pipes validate/microbench/op_pipes/op_pipes.cu
//   ncu --csv --page raw --metrics regex:smsp__inst_executed_pipe_.*sum,smsp__inst_executed.sum,sm__cycles_active.max op_pipes
//
// Each kernel is one block of 512 threads on each SM, which run 64 trips of 64 of the instruction in eight chains. What the compiler
// made of it stands in sm_90.sass.gz. h200_sxm_op_pipes.csv: kernel, its warp instructions on the GPU by pipe, and cycles.
#include <cuda_runtime.h>

#include <cstdio>

#include "../standalone.cuh"

namespace {

constexpr int trips = 64, chains = 8, per_chain = 8, threads = 512;

// `T x` becomes what STATEMENT makes of it, of `s`, `t` and the predicate-like `c`.
#define KERNEL(NAME, T, STATEMENT)                                                         \
    __global__ void NAME(T* out, T s, T t, int c) {                                        \
        T v[chains];                                                                       \
        for (int k = 0; k < chains; ++k) v[k] = static_cast<T>(threadIdx.x * 8 + k) + s;   \
        _Pragma("unroll 1") for (int i = 0; i < trips; ++i) {                              \
            _Pragma("unroll") for (int j = 0; j < per_chain; ++j) {                        \
                _Pragma("unroll") for (int k = 0; k < chains; ++k) {                       \
                    T& x = v[k];                                                           \
                    STATEMENT;                                                             \
                }                                                                          \
            }                                                                              \
        }                                                                                  \
        T sum = v[0];                                                                      \
        for (int k = 1; k < chains; ++k) sum += v[k];                                      \
        if (c == 12345) out[threadIdx.x] = sum;                                            \
    }

KERNEL(add_immediate, int, asm volatile("add.s32 %0, %0, 77;" : "+r"(x)))
KERNEL(logic_add, int, x = (x ^ s) + 77; asm volatile("" : "+r"(x)))
KERNEL(reverse_add, int, asm volatile("brev.b32 %0, %0;" : "+r"(x)); x = x + 77; asm volatile("" : "+r"(x)))
KERNEL(product_add, int, float f = __int_as_float(x) * __int_as_float(s); x = __float_as_int(f) + 77; asm volatile("" : "+r"(x)))
KERNEL(product_add_three, int, float f = __int_as_float(x) * __int_as_float(s); x = __float_as_int(f) + 77; asm volatile("" : "+r"(x)); x = x * s + 78; asm volatile("" : "+r"(x)))
KERNEL(add_register, int, asm volatile("add.s32 %0, %0, %1;" : "+r"(x) : "r"(s)))
KERNEL(add_three, int, x = x + s + (x ^ x) + t; asm volatile("" : "+r"(x)))
KERNEL(shift_add, int, x = (x << 3) + s; asm volatile("" : "+r"(x)))
KERNEL(multiply_add, int, asm volatile("mad.lo.s32 %0, %0, %1, %2;" : "+r"(x) : "r"(s), "r"(t)))
KERNEL(logic, int, asm volatile("lop3.b32 %0, %0, %1, %2, 0x96;" : "+r"(x) : "r"(s), "r"(t)))
KERNEL(funnel_shift, int, asm volatile("shf.l.wrap.b32 %0, %0, %1, %2;" : "+r"(x) : "r"(s), "r"(t)))
KERNEL(shift_right, int, asm volatile("shr.s32 %0, %0, 3;" : "+r"(x)))
KERNEL(permute, int, asm volatile("prmt.b32 %0, %0, %1, %2;" : "+r"(x) : "r"(s), "r"(t)))
KERNEL(minimum, int, asm volatile("min.s32 %0, %0, %1;" : "+r"(x) : "r"(s)))
KERNEL(minimum_of_sum, int, x = __viaddmin_s32(x, s, t); asm volatile("" : "+r"(x)))
KERNEL(absolute, int, asm volatile("abs.s32 %0, %0;" : "+r"(x)))
KERNEL(absolute_difference, int, asm volatile("sad.s32 %0, %0, %1, %2;" : "+r"(x) : "r"(s), "r"(t)))
KERNEL(dot_of_bytes, int, asm volatile("dp4a.s32.s32 %0, %0, %1, %2;" : "+r"(x) : "r"(s), "r"(t)))
KERNEL(population, int, asm volatile("popc.b32 %0, %0;" : "+r"(x)))
KERNEL(leading_zeros, int, asm volatile("clz.b32 %0, %0;" : "+r"(x)))
KERNEL(reverse, int, asm volatile("brev.b32 %0, %0;" : "+r"(x)))
KERNEL(field, int, asm volatile("bfe.s32 %0, %0, 3, 9;" : "+r"(x)))
KERNEL(compare_select, int, x = x < s ? t : x; asm volatile("" : "+r"(x)))
KERNEL(compare_add, int, if (x < s) x += 1; asm volatile("" : "+r"(x)))
KERNEL(multiply_high, int, asm volatile("mul.hi.s32 %0, %0, %1;" : "+r"(x) : "r"(s)))
KERNEL(to_float, int, float f; asm volatile("cvt.rn.f32.s32 %0, %1;" : "=f"(f) : "r"(x)); x = __float_as_int(f))
KERNEL(to_float_of_half_word, int, float f; asm volatile("{ .reg .u16 a, b; mov.b32 {a, b}, %1; cvt.rn.f32.u16 %0, a; }" : "=f"(f) : "r"(x)); x = __float_as_int(f))
KERNEL(to_integer, int, asm volatile("cvt.rzi.s32.f32 %0, %1;" : "=r"(x) : "f"(__int_as_float(x))))
KERNEL(add_float, float, asm volatile("add.f32 %0, %0, %1;" : "+f"(x) : "f"(s)))
KERNEL(fused_float, float, asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x) : "f"(s), "f"(t)))
KERNEL(minimum_float, float, asm volatile("min.f32 %0, %0, %1;" : "+f"(x) : "f"(s)))
KERNEL(compare_float, float, x = x < s ? t : x; asm volatile("" : "+f"(x)))
KERNEL(compare_float_add, float, if (x < s) x += 1.5f; asm volatile("" : "+f"(x)))
KERNEL(floor_float, float, asm volatile("cvt.rmi.f32.f32 %0, %0;" : "+f"(x)))
KERNEL(to_halves, float, unsigned h; asm volatile("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(h) : "f"(x), "f"(s)); x = __uint_as_float(h))
KERNEL(to_bfloats, float, unsigned h; asm volatile("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(h) : "f"(x), "f"(s)); x = __uint_as_float(h))
KERNEL(of_half, int, float f; asm volatile("{ .reg .f16 a, b; mov.b32 {a, b}, %1; cvt.f32.f16 %0, a; }" : "=f"(f) : "r"(x)); x = __float_as_int(f))
KERNEL(add_halves, int, asm volatile("add.f16x2 %0, %0, %1;" : "+r"(x) : "r"(s)))
KERNEL(fused_halves, int, asm volatile("fma.rn.f16x2 %0, %0, %1, %2;" : "+r"(x) : "r"(s), "r"(t)))
KERNEL(minimum_halves, int, asm volatile("min.f16x2 %0, %0, %1;" : "+r"(x) : "r"(s)))
KERNEL(fused_bfloats, int, asm volatile("fma.rn.bf16x2 %0, %0, %1, %2;" : "+r"(x) : "r"(s), "r"(t)))
KERNEL(reciprocal, float, asm volatile("rcp.approx.ftz.f32 %0, %0;" : "+f"(x)))

template <class T>
void run(void (*kernel)(T*, T, T, int), int sms) {
    T* out = nullptr;
    check(cudaMalloc(&out, threads * sizeof(T)));
    kernel<<<sms, threads>>>(out, static_cast<T>(3), static_cast<T>(5), 0);
    check(cudaDeviceSynchronize());
    check(cudaFree(out));
}

}  // namespace

int main() {
    cudaDeviceProp gpu{};
    check(cudaGetDeviceProperties(&gpu, 0));
    const int sms = gpu.multiProcessorCount;
    for (const auto kernel :
         {add_immediate, logic_add, reverse_add, product_add, product_add_three, add_register, add_three, shift_add, multiply_add, logic, funnel_shift, shift_right, permute,
          minimum, minimum_of_sum, absolute, absolute_difference, dot_of_bytes, population, leading_zeros, reverse,
          field, compare_select, compare_add, multiply_high, to_float, to_float_of_half_word, to_integer, of_half,
          add_halves, fused_halves, minimum_halves, fused_bfloats}) {
        run(kernel, sms);
    }
    for (const auto kernel : {add_float, fused_float, minimum_float, compare_float, compare_float_add, floor_float,
                              to_halves, to_bfloats, reciprocal}) {
        run(kernel, sms);
    }
    return 0;
}
