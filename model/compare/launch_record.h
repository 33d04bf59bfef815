// One predicted launch with the terms that explain its time, in the form that a Prediction and its files
// (json, csv) have in common. What a file does not say is empty, never 0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/prediction.h"

namespace gpumodel {

struct Quantity {
    std::string name;
    double value = 0;
};

// Totals of all accesses of that name in the launch.
struct SiteRecord {
    std::string name, space, kind;
    double instructions = 0;
    std::optional<double> sectors, l2_bytes;            // global and local
    std::optional<double> wavefronts, conflict_degree;  // shared; the worst degree
};

// Analytic model only: what `cycles` is the larger of rounds and block dispatch of.
struct RoundCycles {
    double steady = 0;
    double tail = 0;
};

struct LaunchRecord {
    std::string arch, kernel, params;
    std::int64_t m = 0, n = 0, k = 0;  // 0 = a kernel without them
    std::string model;
    std::string program_source;  // ProgramSource's name; "" = not said
    std::string variant;         // further columns of a sweep that tell rows apart ("sm.count=60"), else ""
    Status status = Status::ok;
    std::string reason;  // when not ok

    // Of launches that are ok; times include the launch overhead, cycles do not.
    double time_us = 0;
    std::optional<double> cycles, launch_us, gflops, error_band_pct;
    std::optional<RoundCycles> rounds;
    std::vector<Quantity> stall_warp_cycles;  // by reason; simulator only
    std::vector<Quantity> bounds;             // cycles
    std::vector<Quantity> resources;          // registers_per_thread, theoretical_occupancy, waves ...
    std::vector<Quantity> counters;
    std::vector<SiteRecord> sites;
    std::string bottleneck;         // "A+B", "unknown"
    std::string occupancy_limiter;  // "registers+warps"
};

[[nodiscard]] LaunchRecord record_of(const Prediction& prediction);

// Adds to the record of the same name, space and kind, or appends: unrolled and double-buffered kernels have
// several accesses of one name.
void add_site(std::vector<SiteRecord>& sites, const SiteRecord& site);

}  // namespace gpumodel
