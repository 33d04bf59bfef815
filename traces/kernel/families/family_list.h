// The families' own entries, one group per file.
#pragma once

#include "traces/kernel/families/rules.h"
#include "traces/kernel/family.h"
#include "traces/kernel/tiling/tile_schedule.h"

namespace gpumodel {

// Every family, in the order of `gpumodel kernels`: one line each, and a file with its entry.
#define GPUMODEL_FAMILIES(FAMILY) \
    FAMILY(naive)                 \
    FAMILY(coalesced)             \
    FAMILY(smem)                  \
    FAMILY(blocktile1d)           \
    FAMILY(blocktile2d)           \
    FAMILY(vectorized)            \
    FAMILY(bank_linearize)        \
    FAMILY(bank_extracol)         \
    FAMILY(autotuned)             \
    FAMILY(warptile)              \
    FAMILY(doublebuffer)          \
    FAMILY(doublebuffer_split)    \
    FAMILY(doublebuffer_async)    \
    FAMILY(ab_simple)             \
    FAMILY(ab_coalesced)          \
    FAMILY(ab_shared)             \
    FAMILY(aat_simple)            \
    FAMILY(aat_coalesced)         \
    FAMILY(aat_padded)            \
    FAMILY(offset_copy)           \
    FAMILY(stride_copy)           \
    FAMILY(transpose_naive)       \
    FAMILY(transpose_shared)      \
    FAMILY(transpose_padded)      \
    FAMILY(cublas_sgemm)          \
    FAMILY(mma_direct)            \
    FAMILY(mma_shared)            \
    FAMILY(mma_swizzled)          \
    FAMILY(mma_async)             \
    FAMILY(mma_double)            \
    FAMILY(wgmma_tma)             \
    FAMILY(wgmma_warp_specialized)

#define GPUMODEL_DECLARE_FAMILY(name) [[nodiscard]] Family name##_family();
GPUMODEL_FAMILIES(GPUMODEL_DECLARE_FAMILY)
#undef GPUMODEL_DECLARE_FAMILY

// What the families share.

[[nodiscard]] FamilyResult infeasible(std::string reason);

// UNROLL: how the k loop of a tile is unrolled.
[[nodiscard]] ParamSpec unroll_param();

// A tile parameter; every family bounds them by `max` so that no product of two overflows.
[[nodiscard]] ParamSpec tile_param(std::string name, std::int64_t default_value, std::string meaning,
                                   std::int64_t max = 1024);

// All parameters fit an int.
[[nodiscard]] int int_param(const ParamValues& params, const std::string& name);

// M % BM = N % BN = K % BK = 0.
void check_shape(RuleCheck& rules, const ProblemShape& shape, const TiledGemm& g);

// Arrays A, B, C, flops and effective bytes of C = alpha*A*B + beta*C.
void describe_gemm(KernelProgram& program, const ProblemShape& shape, bool c_is_read);

// Plans and schedules `g`, or hands on the broken rule.
[[nodiscard]] FamilyResult lower_gemm(const RuleCheck& rules, TiledGemm g, const CodeChoice& choice);

}  // namespace gpumodel
