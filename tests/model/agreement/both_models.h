// One hand-made program through both models: what each says that a rule of the hardware costs.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/prediction.h"
#include "tests/support/micro.h"

namespace gpumodel::agreement {

struct Costs {
    double analytic = 0;
    double simulated = 0;
};

// An access pattern: byte address of the lane, or -1 where it takes no part.
struct Pattern {
    std::string name;
    MemorySpace space = MemorySpace::shared;
    AccessKind kind = AccessKind::load;
    int words = 1;
    std::function<std::int64_t(int lane)> address;
};

// Warps on every sub-partition that send the pattern back to back, 16 accesses per trip, each with registers
// of its own.
[[nodiscard]] KernelProgram stream_of(const Pattern& pattern, std::int64_t trips);

// Cycles per warp access in the SM's data stage: the analytic model's demand, and the busy cycles of the
// simulator's data pipe.
[[nodiscard]] Costs data_stage_cycles(const Pattern& pattern, const ArchSpec& arch);

// Cycles per trip of one warp that waits for the load's result in each: the load-to-use latency and what the
// instructions around it take, which are the same for every pattern of one kind and width.
[[nodiscard]] Costs waiting_trip_cycles(const Pattern& load, const ArchSpec& arch);

// Cycles of a program of `trips` trips more, per trip; nothing that happens once is in it.
[[nodiscard]] Costs cycles_per_trip(const std::function<KernelProgram(std::int64_t trips)>& program,
                                    const ArchSpec& arch);

// 0 where the bound is not among the prediction's.
[[nodiscard]] double bound_cycles(const Prediction& prediction, const std::string& name);

}  // namespace gpumodel::agreement
