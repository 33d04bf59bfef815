// What `gpumodel validate` was asked for, and its kinds of work.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/cli/command.h"
#include "tools/launch/program_options.h"
#include "validate/accuracy/accuracy.h"
#include "validate/accuracy/measurements.h"

namespace gpumodel::cli {

struct ValidateOptions {
    ArchOptions arch;
    OutputOptions output;
    std::string measurements, counters, ncu, gate, published, power;  // exactly one
    ProgramOptions program;                                           // what a profile is of
    std::string listings;
    std::vector<std::string> models{"analytic"};
    std::string split;  // "" = test; all of what is published
    std::vector<std::int64_t> sizes;
    std::string kernel_filter;
    std::size_t sample = 0;
    std::string cache_control = "all";  // of --counters
    int threads = 0;                    // 0 = all cores
    bool measured_registers = false;
    bool pinned = false;
    bool rows = false;
    std::string table = "groups";  // csv
    std::string write_bands, bands;
};

[[nodiscard]] MeasurementChoice choice_of(const ValidateOptions& options);
// `--model` as kinds, in the order of ModelKind; "all" gives simulate-sass only where there is a listing.
[[nodiscard]] std::vector<ModelKind> models_of(const ValidateOptions& options);
[[nodiscard]] RegisterSource registers_of(const ValidateOptions& options);

// Each returns the exit code.
[[nodiscard]] int validate_times(const ValidateOptions& options);
[[nodiscard]] int validate_counters(const ValidateOptions& options);
[[nodiscard]] int validate_profile(const ValidateOptions& options);
[[nodiscard]] int validate_gate(const ValidateOptions& options);
[[nodiscard]] int validate_power(const ValidateOptions& options);
[[nodiscard]] int validate_published(const ValidateOptions& options);

}  // namespace gpumodel::cli
