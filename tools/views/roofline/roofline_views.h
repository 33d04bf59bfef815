// Views of a Roofline: text, tidy csv (one row per roof and per kernel's point), json.
#pragma once

#include <string>

#include "arch_specs/arch_spec.h"
#include "model/roofline/roofline.h"

namespace gpumodel::cli {

[[nodiscard]] std::string roofline_text(const Roofline& roofline);
[[nodiscard]] std::string roofline_csv(const Roofline& roofline);
[[nodiscard]] std::string roofline_json(const Roofline& roofline, const ArchSpec& arch);

// "warptile 4096x4096x4096"; "" sizes for kernels without them.
[[nodiscard]] std::string kernel_label(const RooflineKernel& kernel);

}  // namespace gpumodel::cli
