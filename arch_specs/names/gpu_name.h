// A GPU's name as people write it, taken apart: "NVIDIA GeForce RTX-4090 (24 GB)" and "4090" have the same
// core.
//
// Case, spaces, dashes, underscores, the vendor and words that tell nothing ("GPU", "Generation", "Founders
// Edition") do not count. What some names have and others leave out is kept beside the core: the brand, the
// form factor (SXM2, PCIe, NVL), the architecture, the memory's kind and size. Everything else is the core
// ("v100", "3070ti", "4060mobile"): names with different cores mean different GPUs.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace gpumodel {

struct GpuName {
    std::string core;              // lower case, words joined
    std::set<std::string> brands;  // rtx, gtx, geforce, tesla, quadro, jetson
    std::string form;              // "sxm", "sxm4", "pcie", "nvl", "fhhl"; "" = not said
    std::string architecture;      // "ada", "hopper", ...; "" = not said
    std::string memory_kind;       // "hbm3"; "" = not said
    std::optional<int> memory_gb;
    friend bool operator==(const GpuName&, const GpuName&) = default;
};

[[nodiscard]] GpuName parse_gpu_name(std::string_view text);

// The generation that "sm_90", "SM90a", "compute_80", "cc 8.6" or "8.6" means, as 86; nothing if it names
// none.
[[nodiscard]] std::optional<int> parse_capability(std::string_view text);

// A core taken apart for what is near: "a5500" is series "a", number 5500; "3070ti" is number 3070, rest
// "ti".
struct SeriesNumber {
    std::string series;  // letters before the number
    int number = 0;      // 0 = none
    std::string rest;
};

[[nodiscard]] SeriesNumber series_number(std::string_view core);

// The same series: equal letters, and the numbers within a factor of two; for numbers alone the same hundred
// (rtx_4060 and rtx_4090, but not rtx_3090).
[[nodiscard]] bool same_series(const SeriesNumber& a, const SeriesNumber& b);

}  // namespace gpumodel
