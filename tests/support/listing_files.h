// The forty kernels of validate/listings/few and what their names say.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "traces/sass/sass_module.h"

inline const std::vector<std::string> listing_archs{"sm_35", "sm_50", "sm_61", "sm_70",  "sm_75", "sm_80",
                                                    "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"};

// Unpacked text of few/sm_XX.sass.xz.
std::string listing_text(const std::string& arch);
// Parsed once per run.
const gpumodel::SassModule& listing(const std::string& arch);

// A kernel's family and tile parameters out of its mangled name: warptile, {BM: 128, ..., UNROLL: 0}.
struct KernelName {
    std::string family;
    std::map<std::string, int> params;
    [[nodiscard]] int at(const std::string& name) const { return params.at(name); }
    // As tests/traces/kernel/listing_counts.csv writes them, without UNROLL.
    [[nodiscard]] std::string params_text() const;
};
KernelName kernel_name(const std::string& mangled);

// FFMAs that one thread executes per K tile, by the tile arithmetic; 0 for families without tiles.
int products_per_tile(const KernelName& name);
