// The generator judged by what it is for: the simulated time of a family's generated program beside that of
// the compiled code of the same tile, on the generation's default product. No measured time comes in.
#pragma once

#include <string>
#include <vector>

#include "validate/accuracy/accuracy.h"

namespace gpumodel {

struct PairOptions {
    std::string listings;  // folder with sm_XX.sass.xz and sm_XX.resources.txt
    std::vector<std::string> archs;
    std::int64_t size = 1024;   // M = N = K
    std::string kernel_filter;  // part of "family params"; "" = all
    std::size_t sample = 0;     // so many of an architecture, by a hash; 0 = all
    ForEach for_each;
};

struct SimulatedPair {
    std::string arch, family, params;  // canonical
    bool held_back = false;            // listing_entry.h
    int registers = 0, our_registers = 0;
    double compiled_us = 0;
    double generated_us = 0;  // with ptxas' registers: what the schedule alone makes of it
    double estimated_us = 0;  // with the estimated registers: what a user gets

    [[nodiscard]] double schedule_error() const { return generated_us / compiled_us - 1; }
    [[nodiscard]] double error() const { return estimated_us / compiled_us - 1; }
};

struct SimulatedPairs {
    std::vector<SimulatedPair> rows;   // by architecture, then in the order of the listing
    std::vector<std::string> skipped;  // entries without a row, and why, each reason once
};

// Throws InputError if a listing or a log cannot be read.
[[nodiscard]] SimulatedPairs simulate_pairs(const PairOptions& options);

}  // namespace gpumodel
