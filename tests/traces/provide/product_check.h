// Shipped programs of the tensor-core families multiply matrices; every element is compared with the host's.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "traces/kernel/family.h"
#include "traces/provide/code_source.h"

namespace gpumodel::product_tests {

inline constexpr std::int64_t bf16 = 1, tf32 = 2, int8 = 3, f16_sums = 1, s32_sums = 2;  // of TYPE and ACC

// `down` blocks' rows, one block's columns: rows of A and of B are told apart. Persistent blocks: two of
// them, or a cluster.
void check_product(const std::string& arch, const std::string& name, const ParamValues& given,
                   std::int64_t tiles, std::int64_t down = 2);

[[nodiscard]] ParamValues with(ParamValues params, const std::string& name, std::int64_t value);

// Why 1024 cubed is refused.
[[nodiscard]] std::string reason(const std::string& arch, const std::string& name, const ParamValues& given,
                                 std::vector<std::shared_ptr<const CodeSource>> sources);

}  // namespace gpumodel::product_tests
