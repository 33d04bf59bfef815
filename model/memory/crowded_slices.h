// Arrays that lie in few of L2's slices, and that all blocks read or change: tables of bins, heads of
// lists, largest values. The slices that have none of their lines cannot help.
//
// Reads past L1 of words at random in a table of n lines, by the H200's counters (lts__t_requests.sum /
// .max beside validate/data/h200_sxm_hot_lines_counters.csv, `load`): 4, 8, 16, 32, 64, 128, 256, 512, 2048
// lines keep 4, 4, 8, 16, 16, 32, 43, 63, 85 slices at work, the busiest one for 0.85 requests in each
// cycle of L2, however many there are.
//
// Contract: only where 16 blocks or more were executed, each for others like it, and most of what they name
// is named by several; each such array with how much longer its accesses keep the busiest slice at work
// than if all slices had as many. Sorted by name.
//
// Ignored: which slices two arrays have in common; lines of a table that are wanted more than others
// (find_hot_slice()).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/memory/traffic.h"

namespace gpumodel {

[[nodiscard]] std::vector<CrowdedArray> find_crowded_arrays(const std::vector<AnalysedSite>& sites);

// 1 for others.
[[nodiscard]] double crowding(const std::vector<CrowdedArray>& arrays, std::string_view array);

}  // namespace gpumodel
