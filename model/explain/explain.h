// Where the time goes, as exact what-ifs: the simulation run again with one limiter lifted at a time
// (model/sim/relax.h), everything else as it is.
//
//   saved = time - time of the relaxed run
//
// Savings do not add up: a second limiter often hides right behind the first, and lifting both may save more,
// or less, than the sum. Relaxing shifts how warps interleave; where the relaxed run takes longer for that,
// the row says so and the limiter saves nothing: a machine without it could do as the limited one does.
//
// Three rows are no limiter of the SM's:
//   launch overhead   time - overhead
//   atomics at L2     where they set the time (ExplainBase::least_cycles): time - what the SM alone takes
//   wave quantisation the blocks dealt in fractions, so that all SMs end together. With f(n) the cycles of n
//                     blocks on an SM, f(0) = 0, s = resident blocks and x = blocks / SMs:
//                       x >= s:  n = s * floor(x / s),  cycles = f(n) + (x - n) / s * (f(n) - f(n - s))
//                       x < s:   n = floor(x),          cycles = f(n) + (x - n) * (f(n + 1) - f(n))
//
// Input and errors as simulate(). Runs in parallel (TBB); same rows in the same order at any thread count.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "arch_specs/arch_spec.h"
#include "model/prediction.h"
#include "model/sim/simulate.h"
#include "traces/kernel_program.h"

namespace gpumodel {

enum class ExplainStatus : unsigned char {
    ok,
    not_modelled,  // the spec does not limit it; `reason` says what is missing
    failed,        // the relaxed run ended without a time; `reason`
};
[[nodiscard]] std::string_view to_string(ExplainStatus status);

struct ExplainRow {
    std::string name;     // "bank conflicts"
    std::string relaxed;  // what the run assumes: "no shared access has a conflict"
    ExplainStatus status = ExplainStatus::ok;
    std::string reason;  // when not ok
    double cycles = 0;
    double time_seconds = 0;
    double saved_seconds = 0;
    double saved_pct = 0;        // of the base time
    double error_bound_pct = 0;  // of the time, by extrapolation (SimExtrapolation); 0 = nothing extrapolated
};

// The unrelaxed simulation with the same options. `least_cycles`: what the launch needs outside the simulated
// SM (atomics at the L2), which no limiter lifts.
struct ExplainBase {
    double cycles = 0;
    double time_seconds = 0;
    double least_cycles = 0;
};
[[nodiscard]] ExplainBase base_of(const Prediction& simulated);

// Runs that explain() makes of all rows, two of them for the quantisation; what SimOptions::progress is to
// expect.
[[nodiscard]] int explain_runs(const KernelProgram& program, const ArchSpec& arch);

// Largest saving first, then rows without a time in the order of the table. `only`: rows of these names
// alone, and no other run is made; empty = all.
[[nodiscard]] std::vector<ExplainRow> explain(const KernelProgram& program, const ArchSpec& arch,
                                              const SimOptions& options, const ExplainBase& base,
                                              const std::vector<std::string_view>& only = {});

}  // namespace gpumodel
