// What a model predicts of one launch: one plain struct that every output format and test reads. Both
// models fill it; `simulation` only the simulator does.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/launch/occupancy.h"
#include "model/launch/waves.h"
#include "model/memory/traffic.h"
#include "model/sim/stall_reason.h"

namespace gpumodel {

// partial: predicted, but of a program that leaves out instructions (KernelProgram::skipped); `reason` names
// them, and no error band is claimed.
enum class Status : unsigned char { ok, partial, infeasible, error };
inline constexpr std::array all_statuses{Status::ok, Status::partial, Status::infeasible, Status::error};
[[nodiscard]] std::string_view to_string(Status status);
[[nodiscard]] constexpr bool is_predicted(Status status) {
    return status == Status::ok || status == Status::partial;
}

// A lower limit on the launch's cycles by one cause alone.
struct Bound {
    std::string name;  // "FMA pipe", "latency", "block dispatch"
    double cycles = 0;
    std::string formula;  // in words and symbols, as in demand.h and latency.h
};

// A predicted counter under its Nsight Compute name.
struct Counter {
    std::string_view name;  // of the table (model/counters)
    double value = 0;
};

// One access site as the memory section shows it; totals of the launch.
struct SiteReport {
    std::string name;
    std::string segment;
    MemorySpace space = MemorySpace::global;
    AccessKind kind = AccessKind::load;
    int bits = 32;  // per lane
    double instructions = 0;
    double sectors = 0;  // global
    double ideal_sectors = 0;
    double wavefronts = 0;  // shared
    double ideal_wavefronts = 0;
    int degree = 1;  // worst n-way conflict
    double l2_bytes = 0;
};

// What the launch would save, of its time, if a unit had no limit.
struct UnitGain {
    std::string name;  // of its bound
    double saved_pct = 0;
};

// Without what the board draws anyway (model/power/launch_power.h).
struct LaunchEnergy {
    double core_joules = 0;  // of the SMs, at clock.sm
    double memory_joules = 0;
};

struct TimeTerms {
    double steady_cycles = 0;        // full rounds on the busiest SM
    double tail_cycles = 0;          // its last, partial round
    double quantisation_cycles = 0;  // of both, what an even deal of fractional blocks would save
    double launch_seconds = 0;
    double block_alone_cycles = 0;
    double block_latency_cycles = 0;
    double block_barrier_cycles = 0;
    double block_demand_cycles = 0;               // of the busiest resource
    double beside_atomics_cycles = 0;             // reads and stores in the bound by atomics at the L2
    bool side_by_side = false;                    // blocks were executed so
    double queued_cycles = 0, polled_cycles = 0;  // SideBySideTime's
    bool contended = false;                       // too
};

// Stall cycles of one instruction, all warps of the simulated SM over the whole launch.
struct InstructionReport {
    std::string segment;
    int index = -1;        // into the segment's code; -1 = a barrier that the code does not show
    std::string mnemonic;  // "LDS.U.128"
    OpClass op = OpClass::mov;
    std::string site;           // access site, "" = no memory instruction
    std::uint32_t address = 0;  // byte offset in the function; 0 for generated code
    std::string source;         // "k.cu:12", "" = not noted
    std::size_t line = 0;       // place in the order of the program
    double issues = 0;
    std::array<double, stall_reason_count> stall_cycles{};
};

// Work over what the pipe can do in the run's cycles (model/sim/core/utilisation.h).
struct PipeReport {
    std::string_view name;    // "fma"
    double instructions = 0;  // warp instructions
    double utilisation = 0;   // 0 to 1
};

// What only the simulator knows: the busiest SM over the whole launch.
struct SimulationReport {
    double warp_cycles = 0;  // = sum of stall_cycles
    std::array<double, stall_reason_count> stall_cycles{};
    double instructions = 0;
    double issue_active = 0;                               // of cycles x schedulers
    std::vector<InstructionReport> instructions_by_stall;  // most warp cycles first
    std::vector<PipeReport> pipes;                         // those that executed something
    double data_pipe = 0;                                  // of its cycles, taken by wavefronts
    // Extrapolated: of `trips` of the longest loop and `blocks` of the SM so many were simulated.
    std::int64_t trips = 0, simulated_trips = 0;
    std::int64_t blocks = 0, simulated_blocks = 0;
    std::int64_t simulated_instructions = 0;
    [[nodiscard]] bool extrapolated() const { return simulated_trips < trips || simulated_blocks < blocks; }
};

struct Prediction {
    Status status = Status::ok;
    std::string reason;  // when not ok

    std::string arch;  // product name
    double sm_hz = 0;  // SM clock of this launch (model/launch/matrix_products.h)
    std::string kernel;
    std::string params;
    std::int64_t m = 0, n = 0, k = 0;
    std::string model = "analytic";
    std::optional<ProgramSource> program_source;  // empty: there is no program
    std::string program_detail;                   // KernelProgram::source_detail

    double time_seconds = 0;
    double cycles = 0;  // SM cycles from first block to last, without launch overhead
    // In a long back-to-back series, random data; empty: the spec has no energies for what the launch does.
    std::optional<LaunchEnergy> energy;
    std::optional<double> energy_joules, average_watts;  // set with the time
    std::optional<double> power_band_pct;                // of average_watts, as power.error_band
    double flops = 0;
    double effective_bytes = 0;
    // Of the unit that executes most of the launch's floating-point operations (model/launch/compute_peak.h).
    double peak_flops = 0;  // 0 = the spec has none
    std::string peak_unit;  // "FP32"
    [[nodiscard]] double flops_per_second() const { return flops / time_seconds; }
    [[nodiscard]] double fraction_of_peak() const { return flops_per_second() / peak_flops; }

    Dim3 grid, block;
    BlockResources resources;
    Occupancy occupancy;
    Waves waves;
    double achieved_occupancy = 0;

    // Part of the time: compare-and-swaps that lose to others and come again (memory/swap_contention.h).
    double retried_cycles = 0;
    TimeTerms terms;
    std::vector<Bound> bounds;  // descending
    // By what lifting a unit's limit saves (model/explain/bottleneck.h), where `unit_gains` was asked for;
    // else the bounds within 2 % of the largest. Empty = unknown.
    std::vector<std::string> bottlenecks;
    std::optional<std::vector<UnitGain>> unit_gains;  // most first
    std::string bottleneck_words;                     // one sentence

    Traffic traffic;
    std::vector<SiteReport> sites;
    std::vector<Counter> counters;       // only what is predicted
    std::vector<std::string> estimates;  // inputs that are estimates
    std::vector<std::string> gaps;       // what the model leaves out on this GPU
    // What of the path hung on device memory that nobody gave; then no error band is claimed.
    std::vector<UnknownData> unknown_data;
    std::optional<double> error_band_pct;  // empty: never measured for this family and generation
    std::optional<SimulationReport> simulation;
    // Both models ran, and this is the simulator's: (analytic time / simulated time - 1).
    std::optional<double> model_disagreement_pct;
};

}  // namespace gpumodel
