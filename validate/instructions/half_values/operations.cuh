// The operations of half_values.cu: X(name, numbers, architecture from which on it exists, code), where the
// code makes a word of the words a, b and c. `numbers` names what these hold: pairs of halves or of bfloat16
// numbers, or floats.
#pragma once

// One PTX instruction on the words.
#define GPUMODEL_PTX1(text)                      \
    ([&] {                                       \
        unsigned d;                              \
        asm(text " %0, %1;" : "=r"(d) : "r"(a)); \
        return d;                                \
    }())
#define GPUMODEL_PTX2(text)                                  \
    ([&] {                                                   \
        unsigned d;                                          \
        asm(text " %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b)); \
        return d;                                            \
    }())
#define GPUMODEL_PTX3(text)                                              \
    ([&] {                                                               \
        unsigned d;                                                      \
        asm(text " %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c)); \
        return d;                                                        \
    }())
// A 16-bit number of a float.
#define GPUMODEL_SHORT(text)                             \
    ([&] {                                               \
        unsigned short d;                                \
        asm(text " %0, %1;" : "=h"(d) : "f"(number(a))); \
        return unsigned{d};                              \
    }())
// Two floats to a pair, the first one to its upper half.
#define GPUMODEL_PAIR(text)                                                  \
    ([&] {                                                                   \
        unsigned d;                                                          \
        asm(text " %0, %1, %2;" : "=r"(d) : "f"(number(a)), "f"(number(b))); \
        return d;                                                            \
    }())
// Comparisons of both halves joined with whether c is odd.
#define GPUMODEL_PREDICATES(text)                                                               \
    ([&] {                                                                                      \
        unsigned d;                                                                             \
        asm("{.reg .pred p, q, r; .reg .b32 x, y; and.b32 x, %3, 1; setp.ne.u32 r, x, 0; " text \
            " p|q, %1, %2, r; selp.u32 x, 1, 0, p; selp.u32 y, 2, 0, q; or.b32 %0, x, y;}"      \
            : "=r"(d)                                                                           \
            : "r"(a), "r"(b), "r"(c));                                                          \
        return d;                                                                               \
    }())

#define GPUMODEL_COMPARISON(X, name)                                                         \
    X(h##name##2, halves, 80, return word(__h##name##2(as_halves(a), as_halves(b))))         \
    X(h##name##2_mask, halves, 80, return __h##name##2_mask(as_halves(a), as_halves(b)))     \
    X(h##name, halves, 80, return __h##name(low(as_halves(a)), low(as_halves(b))) ? 1U : 0U) \
    X(b##name##2, bfloats, 80, return word(__h##name##2(as_bfloats(a), as_bfloats(b))))      \
    X(b##name##2_mask, bfloats, 80, return __h##name##2_mask(as_bfloats(a), as_bfloats(b)))  \
    X(b##name, bfloats, 80, return __h##name(low(as_bfloats(a)), low(as_bfloats(b))) ? 1U : 0U)

#define GPUMODEL_COMPARISONS(X)                                                                              \
    GPUMODEL_COMPARISON(X, eq)                                                                               \
    GPUMODEL_COMPARISON(X, ne) GPUMODEL_COMPARISON(X, lt) GPUMODEL_COMPARISON(X, le) GPUMODEL_COMPARISON(    \
        X, gt) GPUMODEL_COMPARISON(X, ge) GPUMODEL_COMPARISON(X, equ) GPUMODEL_COMPARISON(X, neu)            \
        GPUMODEL_COMPARISON(X, ltu) GPUMODEL_COMPARISON(X, leu) GPUMODEL_COMPARISON(                         \
            X, gtu) GPUMODEL_COMPARISON(X, geu) X(hisnan2, halves, 80, return word(__hisnan2(as_halves(a)))) \
            X(bisnan2, bfloats, 80, return word(__hisnan2(as_bfloats(a)))) X(                                \
                hset_lt_ftz, halves, 80, return GPUMODEL_PTX2("set.lt.ftz.f16x2.f16x2"))                     \
                X(hsetp_lt_and, halves, 80, return GPUMODEL_PREDICATES("setp.lt.and.f16x2")) X(              \
                    hsetp_geu_or, halves, 80, return GPUMODEL_PREDICATES("setp.geu.or.f16x2"))               \
                    X(hsetp_nan_xor, halves, 80, return GPUMODEL_PREDICATES("setp.nan.xor.f16x2")) X(        \
                        hsetp_eq_ftz_and, halves, 80, return GPUMODEL_PREDICATES("setp.eq.and.ftz.f16x2"))   \
                        X(bsetp_lt_and, bfloats, 90, return GPUMODEL_PREDICATES("setp.lt.and.bf16x2"))       \
                            X(bsetp_neu_xor, bfloats, 90, return GPUMODEL_PREDICATES("setp.neu.xor.bf16x2"))

#define GPUMODEL_CHOICES(X)                                                                               \
    X(hmin2, halves, 80, return word(__hmin2(as_halves(a), as_halves(b))))                                \
    X(hmax2, halves, 80, return word(__hmax2(as_halves(a), as_halves(b))))                                \
    X(hmin2_nan, halves, 80, return word(__hmin2_nan(as_halves(a), as_halves(b))))                        \
    X(hmax2_nan, halves, 80, return word(__hmax2_nan(as_halves(a), as_halves(b))))                        \
    X(hmin2_ftz, halves, 80, return GPUMODEL_PTX2("min.ftz.f16x2"))                                       \
    X(hmax2_ftz, halves, 80, return GPUMODEL_PTX2("max.ftz.f16x2"))                                       \
    X(hmin2_xorsign, halves, 86, return GPUMODEL_PTX2("min.xorsign.abs.f16x2"))                           \
    X(hmax2_xorsign, halves, 86, return GPUMODEL_PTX2("max.xorsign.abs.f16x2"))                           \
    X(hmax2_nan_xorsign, halves, 86, return GPUMODEL_PTX2("max.NaN.xorsign.abs.f16x2"))                   \
    X(hmin2_ftz_xorsign, halves, 86, return GPUMODEL_PTX2("min.ftz.xorsign.abs.f16x2"))                   \
    X(hmin3, halves, 80, return word(__hmin2(__hmin2(as_halves(a), as_halves(b)), as_halves(c))))         \
    X(hmax3, halves, 80, return word(__hmax2(__hmax2(as_halves(a), as_halves(b)), as_halves(c))))         \
    X(hmin3_nan, halves, 80,                                                                              \
      return word(__hmin2_nan(__hmin2_nan(as_halves(a), as_halves(b)), as_halves(c))))                    \
    X(hmax3_nan, halves, 80,                                                                              \
      return word(__hmax2_nan(__hmax2_nan(as_halves(a), as_halves(b)), as_halves(c))))                    \
    X(hmax3_abs, halves, 80,                                                                              \
      return word(__hmax2(__hmax2(__habs2(as_halves(a)), __habs2(as_halves(b))), __habs2(as_halves(c))))) \
    X(hmin3_neg, halves, 80,                                                                              \
      return word(__hmin2(__hmin2(__hneg2(as_halves(a)), as_halves(b)), __hneg2(__habs2(as_halves(c)))))) \
    X(bmin2, bfloats, 80, return word(__hmin2(as_bfloats(a), as_bfloats(b))))                             \
    X(bmax2, bfloats, 80, return word(__hmax2(as_bfloats(a), as_bfloats(b))))                             \
    X(bmin2_nan, bfloats, 80, return word(__hmin2_nan(as_bfloats(a), as_bfloats(b))))                     \
    X(bmax2_nan, bfloats, 80, return word(__hmax2_nan(as_bfloats(a), as_bfloats(b))))                     \
    X(bmin2_xorsign, bfloats, 86, return GPUMODEL_PTX2("min.xorsign.abs.bf16x2"))                         \
    X(bmax2_nan_xorsign, bfloats, 86, return GPUMODEL_PTX2("max.NaN.xorsign.abs.bf16x2"))                 \
    X(bmin3, bfloats, 80, return word(__hmin2(__hmin2(as_bfloats(a), as_bfloats(b)), as_bfloats(c))))     \
    X(bmax3, bfloats, 80, return word(__hmax2(__hmax2(as_bfloats(a), as_bfloats(b)), as_bfloats(c))))     \
    X(bmax3_nan, bfloats, 80,                                                                             \
      return word(__hmax2_nan(__hmax2_nan(as_bfloats(a), as_bfloats(b)), as_bfloats(c))))                 \
    X(fmin_xorsign, floats, 86, return GPUMODEL_FLOATS("min.xorsign.abs.f32"))                            \
    X(fmax_xorsign, floats, 86, return GPUMODEL_FLOATS("max.xorsign.abs.f32"))                            \
    X(fmax_nan_xorsign, floats, 86, return GPUMODEL_FLOATS("max.NaN.xorsign.abs.f32"))                    \
    X(fmin_ftz_xorsign, floats, 86, return GPUMODEL_FLOATS("min.ftz.xorsign.abs.f32"))

#define GPUMODEL_FLOATS(text)                                                \
    ([&] {                                                                   \
        float d;                                                             \
        asm(text " %0, %1, %2;" : "=f"(d) : "f"(number(a)), "f"(number(b))); \
        return __float_as_uint(d);                                           \
    }())

#define GPUMODEL_SUMS(X)                                                                           \
    X(hadd2, halves, 80, return word(__hadd2(as_halves(a), as_halves(b))))                         \
    X(hmul2, halves, 80, return word(__hmul2(as_halves(a), as_halves(b))))                         \
    X(hfma2, halves, 80, return word(__hfma2(as_halves(a), as_halves(b), as_halves(c))))           \
    X(hadd2_sat, halves, 80, return word(__hadd2_sat(as_halves(a), as_halves(b))))                 \
    X(hmul2_sat, halves, 80, return word(__hmul2_sat(as_halves(a), as_halves(b))))                 \
    X(hfma2_sat, halves, 80, return word(__hfma2_sat(as_halves(a), as_halves(b), as_halves(c))))   \
    X(hfma2_relu, halves, 80, return word(__hfma2_relu(as_halves(a), as_halves(b), as_halves(c)))) \
    X(hadd2_ftz, halves, 80, return GPUMODEL_PTX2("add.rn.ftz.f16x2"))                             \
    X(hmul2_ftz, halves, 80, return GPUMODEL_PTX2("mul.rn.ftz.f16x2"))                             \
    X(hfma2_ftz, halves, 80, return GPUMODEL_PTX3("fma.rn.ftz.f16x2"))                             \
    X(hfma2_ftz_sat, halves, 80, return GPUMODEL_PTX3("fma.rn.ftz.sat.f16x2"))                     \
    X(hfma2_ftz_relu, halves, 80, return GPUMODEL_PTX3("fma.rn.ftz.relu.f16x2"))                   \
    X(badd2, bfloats, 80, return word(__hadd2(as_bfloats(a), as_bfloats(b))))                      \
    X(bmul2, bfloats, 80, return word(__hmul2(as_bfloats(a), as_bfloats(b))))                      \
    X(bfma2, bfloats, 80, return word(__hfma2(as_bfloats(a), as_bfloats(b), as_bfloats(c))))       \
    X(bfma2_relu, bfloats, 80, return word(__hfma2_relu(as_bfloats(a), as_bfloats(b), as_bfloats(c))))

// Of four roundings: to nearest, down, up, to zero; whole numbers have other names for them.
#define GPUMODEL_ROUNDINGS(X, name, numbers, from, code)  \
    X(name##_rn, numbers, from, return code("rn", "rni")) \
    X(name##_rm, numbers, from, return code("rm", "rmi")) \
    X(name##_rp, numbers, from, return code("rp", "rpi")) \
    X(name##_rz, numbers, from, return code("rz", "rzi"))

#define GPUMODEL_TO_HALF(real, whole) GPUMODEL_SHORT("cvt." real ".f16.f32")
#define GPUMODEL_TO_BFLOAT(real, whole) GPUMODEL_SHORT("cvt." real ".bf16.f32")
#define GPUMODEL_INTEGER(text, type)                \
    ([&] {                                          \
        unsigned short d;                           \
        asm(text " %0, %1;" : "=h"(d) : "r"(type)); \
        return unsigned{d};                         \
    }())
#define GPUMODEL_TO_INTEGER(text)                                             \
    ([&] {                                                                    \
        unsigned d;                                                           \
        asm(text " %0, %1;" : "=r"(d) : "h"(static_cast<unsigned short>(a))); \
        return d;                                                             \
    }())
#define GPUMODEL_TO_SHORT(text)                                               \
    ([&] {                                                                    \
        unsigned short d;                                                     \
        asm(text " %0, %1;" : "=h"(d) : "h"(static_cast<unsigned short>(a))); \
        return unsigned{d};                                                   \
    }())
#define GPUMODEL_INT_HALF(real, whole) GPUMODEL_INTEGER("cvt." real ".f16.s32", static_cast<int>(a) >> 13)
#define GPUMODEL_INT_BFLOAT(real, whole) GPUMODEL_INTEGER("cvt." real ".bf16.s32", static_cast<int>(a) >> 13)
#define GPUMODEL_HALF_INT(real, whole) GPUMODEL_TO_INTEGER("cvt." whole ".s32.f16")
#define GPUMODEL_BFLOAT_INT(real, whole) GPUMODEL_TO_INTEGER("cvt." whole ".s32.bf16")
#define GPUMODEL_HALF_WHOLE(real, whole) GPUMODEL_TO_SHORT("cvt." whole ".f16.f16")
#define GPUMODEL_BFLOAT_WHOLE(real, whole) GPUMODEL_TO_SHORT("cvt." whole ".bf16.bf16")

#define GPUMODEL_CONVERSIONS(X)                                                            \
    GPUMODEL_ROUNDINGS(X, float_half, floats, 90, GPUMODEL_TO_HALF)                        \
    GPUMODEL_ROUNDINGS(X, float_bfloat, floats, 90, GPUMODEL_TO_BFLOAT)                    \
    GPUMODEL_ROUNDINGS(X, int_half, floats, 80, GPUMODEL_INT_HALF)                         \
    GPUMODEL_ROUNDINGS(X, int_bfloat, floats, 90, GPUMODEL_INT_BFLOAT)                     \
    GPUMODEL_ROUNDINGS(X, half_int, halves, 80, GPUMODEL_HALF_INT)                         \
    GPUMODEL_ROUNDINGS(X, bfloat_int, bfloats, 90, GPUMODEL_BFLOAT_INT)                    \
    GPUMODEL_ROUNDINGS(X, half_whole, halves, 80, GPUMODEL_HALF_WHOLE)                     \
    GPUMODEL_ROUNDINGS(X, bfloat_whole, bfloats, 90, GPUMODEL_BFLOAT_WHOLE)                \
    X(float_half_sat, floats, 80, return GPUMODEL_SHORT("cvt.rn.sat.f16.f32"))             \
    X(float_half_relu, floats, 80, return GPUMODEL_SHORT("cvt.rn.relu.f16.f32"))           \
    X(float_bfloat_relu, floats, 80, return GPUMODEL_SHORT("cvt.rz.relu.bf16.f32"))        \
    X(pair_half, floats, 80, return GPUMODEL_PAIR("cvt.rn.f16x2.f32"))                     \
    X(pair_half_rz, floats, 80, return GPUMODEL_PAIR("cvt.rz.f16x2.f32"))                  \
    X(pair_half_relu, floats, 80, return GPUMODEL_PAIR("cvt.rn.relu.f16x2.f32"))           \
    X(pair_half_satfinite, floats, 80, return GPUMODEL_PAIR("cvt.rn.satfinite.f16x2.f32")) \
    X(pair_bfloat, floats, 80, return GPUMODEL_PAIR("cvt.rn.bf16x2.f32"))                  \
    X(pair_bfloat_rz, floats, 80, return GPUMODEL_PAIR("cvt.rz.bf16x2.f32"))               \
    X(pair_bfloat_relu, floats, 80, return GPUMODEL_PAIR("cvt.rn.relu.bf16x2.f32"))        \
    X(pair_bfloat_satfinite, floats, 80, return GPUMODEL_PAIR("cvt.rz.satfinite.bf16x2.f32"))

#define GPUMODEL_OPERATIONS(X) \
    GPUMODEL_CHOICES(X) GPUMODEL_COMPARISONS(X) GPUMODEL_SUMS(X) GPUMODEL_CONVERSIONS(X)
