// The families' own entries, one group per file; family.cpp lists them.
#pragma once

#include "traces/kernel/families/rules.h"
#include "traces/kernel/family.h"
#include "traces/kernel/tiling/tile_schedule.h"

namespace gpumodel {

[[nodiscard]] Family naive_family();
[[nodiscard]] Family coalesced_family();
[[nodiscard]] Family smem_family();
[[nodiscard]] Family blocktile1d_family();
[[nodiscard]] Family blocktile2d_family();
[[nodiscard]] Family vectorized_family();
[[nodiscard]] Family bank_linearize_family();
[[nodiscard]] Family bank_extracol_family();
[[nodiscard]] Family autotuned_family();
[[nodiscard]] Family warptile_family();
[[nodiscard]] Family doublebuffer_family();
[[nodiscard]] Family doublebuffer_split_family();
[[nodiscard]] Family doublebuffer_async_family();
[[nodiscard]] Family ab_simple_family();
[[nodiscard]] Family ab_coalesced_family();
[[nodiscard]] Family ab_shared_family();
[[nodiscard]] Family aat_simple_family();
[[nodiscard]] Family aat_coalesced_family();
[[nodiscard]] Family aat_padded_family();
[[nodiscard]] Family offset_copy_family();
[[nodiscard]] Family stride_copy_family();
[[nodiscard]] Family transpose_naive_family();
[[nodiscard]] Family transpose_shared_family();
[[nodiscard]] Family transpose_padded_family();
[[nodiscard]] Family cublas_sgemm_family();

// What the families share.

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
