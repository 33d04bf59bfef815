// What `gpumodel kernels` prints.
#pragma once

#include <string>

#include "arch_specs/arch_spec.h"
#include "tools/cli/command.h"
#include "traces/kernel/family.h"

namespace gpumodel::cli {

[[nodiscard]] std::string kernel_list(Format format);

// One family, lowered for an architecture and a shape.
struct KernelView {
    const Family& family;
    const ArchSpec& arch;
    ParamValues params;  // resolved
    ProblemShape shape;
    FamilyResult result;
    std::vector<std::string> shipped;  // tiles that are there without a compiler
};

// Parameters, rules, launch and the loop structure with its access sites. csv is not offered: a
// structure is no table.
[[nodiscard]] std::string kernel_text(const KernelView& view);
[[nodiscard]] std::string kernel_json(const KernelView& view);

}  // namespace gpumodel::cli
