// One step of a dependent chain per op class, in PTX; the compiled code of every one was checked to be the
// instruction named. The state is a pair where a chain of one register would be folded by the assembler:
// (x, y) -> (y, f(x, y)) keeps every step needed and every step dependent on the one before.
#pragma once

#include <cstdint>

namespace gpumodel::microbench {

template <class T>
struct Chain {
    T x, y;  // the last two results
    T a, b;  // constants, different
};

// OPS: the op class as specs name it.
#define GPUMODEL_FLOAT_OP(NAME, OPS, WORD, CODE)                              \
    struct NAME {                                                             \
        using Word = WORD;                                                    \
        static constexpr const char* name = OPS;                              \
        static constexpr int least_cc = 30;                                   \
        static __device__ __forceinline__ void step(Chain<Word>& c) { CODE; } \
    };

GPUMODEL_FLOAT_OP(Ffma, "ffma", float, asm volatile("fma.rn.f32 %0, %0, %1, %0;" : "+f"(c.x) : "f"(c.a)))
GPUMODEL_FLOAT_OP(Fadd, "fadd", float, asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(c.x) : "f"(c.a)))
GPUMODEL_FLOAT_OP(Fmul, "fmul", float, asm volatile("mul.rn.f32 %0, %0, %1;" : "+f"(c.x) : "f"(c.a)))
GPUMODEL_FLOAT_OP(Dfma, "dfma", double, asm volatile("fma.rn.f64 %0, %0, %1, %0;" : "+d"(c.x) : "d"(c.a)))
GPUMODEL_FLOAT_OP(Imad, "imad", std::uint32_t,
                  asm volatile("mad.lo.u32 %0, %0, %1, %0;"
                               : "+r"(c.x)
                               : "r"(c.a)))
GPUMODEL_FLOAT_OP(Mufu, "sfu", float, asm volatile("lg2.approx.ftz.f32 %0, %0;" : "+f"(c.x)))
GPUMODEL_FLOAT_OP(F2i, "convert", std::uint32_t,
                  asm volatile("{.reg .f32 f; mov.b32 f, %0; cvt.rni.s32.f32 %0, f;}"
                               : "+r"(c.x)))
GPUMODEL_FLOAT_OP(I2f, "convert_i2f", std::uint32_t,
                  asm volatile("{.reg .f32 f; cvt.rn.f32.s32 f, %0; mov.b32 %0, f;}"
                               : "+r"(c.x)))
GPUMODEL_FLOAT_OP(Shfl, "shuffle", std::uint32_t,
                  asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 0x1f, 0xffffffff;"
                               : "+r"(c.x)))
// Both halves multiplied, so that neither is dead; an addend would become additions of its own.
GPUMODEL_FLOAT_OP(ImadWide, "imad_wide", unsigned long long,
                  asm volatile("{.reg .u32 lo, hi; mov.b64 {lo, hi}, %0; mul.wide.u32 %0, lo, hi;}"
                               : "+l"(c.x)))

#undef GPUMODEL_FLOAT_OP

template <class T>
__device__ __forceinline__ void rotate(Chain<T>& c, T next) {
    c.x = c.y;
    c.y = next;
    const T a = c.a;
    c.a = c.b;
    c.b = a;
}

#define GPUMODEL_PAIR_OP(NAME, OPS, CODE)                             \
    struct NAME {                                                     \
        using Word = std::uint32_t;                                   \
        static constexpr const char* name = OPS;                      \
        static constexpr int least_cc = 30;                           \
        static __device__ __forceinline__ void step(Chain<Word>& c) { \
            Word next;                                                \
            CODE;                                                     \
            rotate(c, next);                                          \
        }                                                             \
    };

// Three operands, which only IADD3 has: the compiler turns half of all two-operand additions into IMAD.
GPUMODEL_PAIR_OP(Iadd, "iadd",
                 asm volatile("{.reg .u32 t; add.u32 t, %1, %2; add.u32 %0, t, %3;}"
                              : "=r"(next)
                              : "r"(c.x), "r"(c.y), "r"(c.a)))
GPUMODEL_PAIR_OP(Shift, "shift",
                 asm volatile("shf.l.wrap.b32 %0, %1, %2, %3;"
                              : "=r"(next)
                              : "r"(c.x), "r"(c.y), "r"(c.a)))
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 500
// Two constants in turn: with one, two steps would be one three-input function.
GPUMODEL_PAIR_OP(Logic, "logic",
                 asm volatile("lop3.b32 %0, %1, %2, %3, 0x2d;"
                              : "=r"(next)
                              : "r"(c.x), "r"(c.y), "r"(c.a)))
#else
GPUMODEL_PAIR_OP(Logic, "logic", asm volatile("xor.b32 %0, %1, %2;" : "=r"(next) : "r"(c.y), "r"(c.a)))
#endif

#undef GPUMODEL_PAIR_OP

struct Hfma {
    using Word = std::uint32_t;  // two halves
    static constexpr const char* name = "hfma";
    static constexpr int least_cc = 53;
    static __device__ __forceinline__ void step(Chain<Word>& c) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 530
        asm volatile("fma.rn.f16x2 %0, %0, %1, %0;" : "+r"(c.x) : "r"(c.a));
#endif
    }
};

// A chain through a predicate, which cannot leave its asm statement.
struct Compare {
    using Word = std::uint32_t;
    static constexpr const char* name = "compare";
    static constexpr int least_cc = 30;
#define GPUMODEL_1 "setp.lt.xor.s32 p, %0, %1, p; setp.lt.xor.s32 p, %1, %2, p; "
#define GPUMODEL_8 GPUMODEL_1 GPUMODEL_1 GPUMODEL_1 GPUMODEL_1
#define GPUMODEL_16 GPUMODEL_8 GPUMODEL_8
#define GPUMODEL_48 GPUMODEL_16 GPUMODEL_16 GPUMODEL_16
#define GPUMODEL_COMPARE(STEPS)                                                           \
    asm volatile("{.reg .pred p; setp.ne.u32 p, %0, 0; " STEPS "selp.u32 %0, %1, %2, p;}" \
                 : "+r"(c.x)                                                              \
                 : "r"(c.a), "r"(c.b))
    template <int COUNT>
    static __device__ __forceinline__ void steps(Chain<Word>& c) {
        static_assert(COUNT == 16 || COUNT == 48 || COUNT == 64 || COUNT == 192, "lengths of pipes.cu");
        if constexpr (COUNT == 16) {
            GPUMODEL_COMPARE(GPUMODEL_16);
        } else if constexpr (COUNT == 48) {
            GPUMODEL_COMPARE(GPUMODEL_48);
        } else if constexpr (COUNT == 64) {
            GPUMODEL_COMPARE(GPUMODEL_48 GPUMODEL_16);
        } else {
            GPUMODEL_COMPARE(GPUMODEL_48 GPUMODEL_48 GPUMODEL_48 GPUMODEL_48);
        }
    }
#undef GPUMODEL_COMPARE
#undef GPUMODEL_48
#undef GPUMODEL_16
#undef GPUMODEL_8
#undef GPUMODEL_1
};

}  // namespace gpumodel::microbench
