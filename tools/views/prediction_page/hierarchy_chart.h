// The memories of a GPU as boxes with the bytes that the launch moves between them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arch_specs/arch_spec.h"
#include "model/prediction.h"

namespace gpumodel::cli::page {

// Between a memory and what stands above it, whole launch. `read` goes up.
struct MemoryEdge {
    std::string_view id;    // "shared", "l1", "l2", "dram"
    std::string_view name;  // "warps and shared memory"
    double read_bytes = 0, write_bytes = 0;
    std::optional<double> peak_bytes_per_second;  // of both together
    [[nodiscard]] double bytes() const { return read_bytes + write_bytes; }
};

struct MemoryHierarchy {
    std::vector<MemoryEdge> edges;  // of the memories that the GPU has, nearest to the warps first
    std::optional<double> l1_hit_pct, l2_hit_pct;
    [[nodiscard]] const MemoryEdge* edge(std::string_view id) const;
};

// Shared memory: wavefronts times the width of all banks, so that conflicts count; L1: sectors of global and
// local accesses; L2 and DRAM: Traffic.
[[nodiscard]] MemoryHierarchy memory_hierarchy(const Prediction& prediction, const ArchSpec& arch);

[[nodiscard]] std::string hierarchy_chart(const MemoryHierarchy& hierarchy, double seconds);

}  // namespace gpumodel::cli::page
