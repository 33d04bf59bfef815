// The product body of a compiled kernel and of the generated one, side by side.
#pragma once

#include <string>
#include <vector>

#include "arch_specs/arch_spec.h"
#include "tests/support/listing_files.h"
#include "traces/kernel_program.h"
#include "traces/sass/analysis/control_flow.h"

namespace gpumodel::test {

struct ListedKernel {
    const SassFunction* function = nullptr;
    KernelName name;
    std::string text;        // family;params;UNROLL=...
    bool held_back = false;  // FNV-1a of family;params without UNROLL is a multiple of 3
    KernelProgram program;   // generated
};

// The tiled kernels among an architecture's listings.
[[nodiscard]] std::vector<ListedKernel> listed_kernels(const std::string& arch, const ArchSpec& spec);

// Innermost loop with most products, -1 = none.
[[nodiscard]] int product_loop(const SassFunction& function, const ControlFlow& flow);

// The segment with most products.
[[nodiscard]] const Segment& product_segment(const KernelProgram& program);

}  // namespace gpumodel::test
