// What a page to explore holds: every combination of GPUs, clocks, families, shapes and kernel parameters, as
// grids of points that are all predicted beforehand.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/sweep/study.h"

namespace gpumodel::cli {

// An SM clock of one GPU. `set` is what --set takes for it; "" = the spec's own.
struct ExploreClock {
    std::string set;
    double sm_hz = 0;
    ArchSpec spec;
};

struct ExploreGpu {
    std::string arch;  // as given with --arch
    std::vector<ExploreClock> clocks;
    [[nodiscard]] const ArchSpec& spec() const { return clocks.front().spec; }
};

struct ExploreKernel {
    FamilyGrid family;  // shapes: all of m x n x k, k fastest
    std::vector<std::int64_t> m, n, k;
    // Parameters that nobody gave and that are no axis: where a rule demands one value of them, they take it.
    std::vector<std::string> following;
    LaunchResources resources;
    std::string code_option;  // what predict takes for code from the same source: "--generated"
};

struct ExplorePlan {
    std::vector<ExploreGpu> gpus;  // all with as many clocks
    std::vector<ExploreKernel> kernels;
    std::vector<std::string> clock_names;  // as given: "100%", "1.2 GHz"
    std::vector<std::string> sets;         // --set of all GPUs
    int threads = 0;                       // 0 = all cores

    [[nodiscard]] std::int64_t launches() const;  // without the clocks
};

// One launch: a family's point on one GPU. Spec values outermost, then shapes, then parameters.
struct ExplorePlace {
    std::size_t kernel = 0;
    std::size_t gpu = 0;
    std::int64_t point = 0;  // of the family's grid
};
[[nodiscard]] ExplorePlace explore_place(const ExplorePlan& plan, std::int64_t launch);

}  // namespace gpumodel::cli
