// Energy and average power of a launch in a long back-to-back series of itself, from what it executes and
// moves.
//
//   energy = idle * time + core * (clock / clock.sm)^exponent + memory
//   core   = sum over classes of thread instructions * power.energy.<class>
//          + FLOP of matrix products * power.energy.<product>
//          + bytes between lanes and shared memory, L1 * power.energy.shared, l1
//   memory = bytes between L2 and SMs * power.energy.l2 + bytes between DRAM and L2 * power.energy.dram
//   power  = energy / time
//
// The energies were fitted to loops of one kind each (validate/data/h200_sxm_power.csv); whole kernels judge.
// Products of warp groups count by the time they take, whatever their type. What lanes share counts for each
// of them: reads of one word by 32 lanes draw nearly what reads of 32 words do, while further wavefronts of a
// bank conflict draw little. What passes between L2 and an SM has the L2's own clock, so that its energy does
// not go with the SMs'. Ignored: that energies depend on the values (random ones are meant; zeros draw half
// of it), temperature, leakage of idle SMs that varies with the clock, the board's own spread (two boards: 3
// %, DRAM 10 %).
#pragma once

#include <optional>

#include "arch_specs/arch_spec.h"
#include "model/counters/launch_counts.h"
#include "model/memory/traffic.h"
#include "model/prediction.h"

namespace gpumodel {

// Whether the spec says what its board draws at all.
[[nodiscard]] bool knows_power(const ArchSpec& arch);

// clock.base, where the board is promised far less than `hz` under load that lasts and its power is not
// known.
[[nodiscard]] std::optional<double> promised_clock(const ArchSpec& arch, double hz);

// Without what passes while nothing is at work. Empty where the spec lacks an energy that the launch needs.
[[nodiscard]] std::optional<LaunchEnergy> launch_energy(const KernelProgram& program, const ArchSpec& arch,
                                                        const LaunchCounts& counts, const Traffic& traffic);

// W, of launches that take `seconds` each at the clock `hz`.
[[nodiscard]] double average_watts(const ArchSpec& arch, const LaunchEnergy& energy, double hz,
                                   double seconds);

// energy_joules and average_watts of a prediction that has its time, clock and energy.
void set_power(const ArchSpec& arch, Prediction& p);

}  // namespace gpumodel
