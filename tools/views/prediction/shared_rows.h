// What several views of a prediction show alike: rows chosen and ranked, and how things are named.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/prediction.h"
#include "model/sim/stalls.h"

namespace gpumodel {

// The one whose time is the predicted one: the first with a time, else the first.
[[nodiscard]] const Prediction& main_prediction(const std::vector<Prediction>& models);

// "dram+issue"; "unknown" where no bound is near the time.
[[nodiscard]] std::string bottleneck_names(const Prediction& p, const char* between = "+");
[[nodiscard]] bool is_bottleneck(const Prediction& p, const Bound& bound);
// "registers+shared_memory"
[[nodiscard]] std::string limiter_names(const Occupancy& occupancy, const char* between = "+");
// "M=1 N=2 K=3", "" for a kernel without sizes.
// Where the program came from, for the first screen.
[[nodiscard]] std::string program_words(const Prediction& p);

// "2 accesses and 1 loop: 0x0170 LDG.E R4, [R2.64] (address), ...": what hung on device memory that nobody
// gave, naming at most `most` instructions; "" where nothing did.
[[nodiscard]] std::string unknown_data_words(const Prediction& p, std::size_t most);

// "2 instructions: 0x0170: accesses arg3 beyond its 1048576 bytes (81 times), ..."; "" where none does.
[[nodiscard]] std::string out_of_bounds_words(const Prediction& p);

[[nodiscard]] std::string size_text(std::int64_t m, std::int64_t n, std::int64_t k);
// "32 x 32", with the third dimension where there is one.
[[nodiscard]] std::string grid_text(const Dim3& grid, const char* times);

// An access site and what an instruction of it costs: sectors, or wavefronts in shared memory.
struct SiteCost {
    const SiteReport* site = nullptr;
    double cost = 0, ideal = 0;  // per instruction
};
inline constexpr std::size_t most_sites = 24;
// At most `most_sites`, the costliest, in the order of the prediction; `left_out` counts the others.
struct SiteCosts {
    std::vector<SiteCost> rows;
    std::size_t left_out = 0;
};
[[nodiscard]] SiteCosts costliest_sites(const Prediction& p, const std::function<bool(MemorySpace)>& in);

// Where an instruction stands: its address, or its segment and place in it.
[[nodiscard]] std::string place_of(const InstructionReport& line);
struct HotInstruction {
    const InstructionReport* line = nullptr;
    double share = 0;  // of all warp cycles
    StallShare reason;
};
// The first `most` by warp cycles.
[[nodiscard]] std::vector<HotInstruction> hot_instructions(const SimulationReport& run, std::size_t most);

// "3 of 5 blocks of the SM, 1200 warp instructions; the rest is extrapolated"
[[nodiscard]] std::string simulated_part(const SimulationReport& run);

}  // namespace gpumodel
