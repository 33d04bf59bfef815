// How well the families' programs match what the compiler made of the same kernels: every entry of
// validate/listings, emulated, beside lower_tiles and generate_code.
//
// Real: one block in the middle of the grid, all its warps, executed at M = N = K = `size` (K = 32 for the
// guides' kernels); registers from the resource logs of the same compilation. Ours: one block of the
// program. Errors are ours / real - 1.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "validate/programs/executed_counts.h"

namespace gpumodel {

struct FidelityOptions {
    std::string listings;  // folder with sm_XX.sass.xz and sm_XX.resources.txt
    std::vector<std::string> archs{"sm_35", "sm_70", "sm_75",  "sm_80", "sm_86",
                                   "sm_89", "sm_90", "sm_100", "sm_120"};
    std::int64_t size = 1024;
    bool generated = true;  // also generate_code
};

struct AccessDifference {
    AccessKey access;
    double real = 0, ours = 0;  // per block
};

struct FidelityRow {
    std::string arch, family, params;  // canonical parameters
    bool held_back = false;
    double warps = 0;  // per block
    ExecutedCounts real, ours;
    double instruction_error = 0;
    // Memory instructions by width, FFMA and BAR that differ by half an instruction or more, BAR and FFMA as
    // `other_differences`.
    std::vector<AccessDifference> differences;
    std::vector<std::string> other_differences;
    std::optional<double> generated_error;  // instructions of generated code
    int registers = 0, our_registers = 0;
    int blocks_per_sm = 0, our_blocks_per_sm = 0;
    // Register ports, of the FFMAs executed most often as a sequence that repeats (traces/port_cycles.h).
    std::optional<double> port_cycles, our_port_cycles;  // per FFMA; ours need generated code
    double seconds = 0;                                  // emulation

    [[nodiscard]] bool exact() const { return differences.empty() && other_differences.empty(); }
    [[nodiscard]] double register_error() const;
    [[nodiscard]] std::optional<double> port_error() const;
};

struct FidelityTable {
    std::vector<FidelityRow> rows;     // by architecture, then in the order of the listing
    std::vector<std::string> skipped;  // entries without a row, and why
};

// Throws InputError if a listing or a log cannot be read.
[[nodiscard]] FidelityTable codegen_fidelity(const FidelityOptions& options);

// Over the rows that `include` accepts; errors in percent. Without rows all figures are 0.
struct FidelityScore {
    std::size_t rows = 0;
    double mean_instructions = 0, worst_instructions = 0;  // worst: with its sign
    double exact = 0;                                      // share of rows, percent
    double mean_registers = 0;
    double blocks_right = 0;  // percent
    std::optional<double> mean_generated, mean_ports;
};
[[nodiscard]] FidelityScore fidelity_score(const FidelityTable& table,
                                           const std::function<bool(const FidelityRow&)>& include);

// What is asked of a generation.
struct FidelityTarget {
    double mean_instructions = 0, worst_instructions = 0, exact = 0, mean_registers = 0, blocks_right = 0,
           mean_ports = 0;
};
[[nodiscard]] FidelityTarget fidelity_target(const std::string& arch);

}  // namespace gpumodel
