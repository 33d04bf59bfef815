// What Nsight Compute writes with `ncu --csv`, on any kernel, beside a prediction.
//
// Read are both of its forms: one row per launch with a row of units below the header (--page raw), and one
// row per launch and metric (columns "Metric Name", "Metric Unit", "Metric Value"). Lines that begin with
// "==" (the profiler's own messages) and what stands before the header are skipped. Values lose their
// thousands separators and come in bytes and nanoseconds whatever unit was printed.
#pragma once

#include <istream>
#include <map>
#include <string>
#include <vector>

#include "traces/kernel_program.h"
#include "traces/sass/sass_module.h"
#include "validate/counters/counters.h"

namespace gpumodel {

struct ProfiledLaunch {
    std::string id;      // the profile's launch number
    std::string kernel;  // as printed: mangled, demangled or the bare name
    Dim3 grid, block;
    std::map<std::string, double> counters;  // by metric name; those without a number are left out
};

// Throws InputError: usage if the file cannot be read, invalid input with all faults (no header, unknown
// units, unreadable grid or block).
[[nodiscard]] std::vector<ProfiledLaunch> read_ncu_profile(const std::string& path);
[[nodiscard]] std::vector<ProfiledLaunch> parse_ncu_profile(std::istream& in, const std::string& file);

// The entry that a profile's kernel name means: the same name, mangled or demangled, written with or without
// return type and "(int)" before template arguments; else the only entry of that bare name. nullptr for none
// or several.
[[nodiscard]] const SassFunction* find_profiled(const SassModule& module, const std::string& kernel);

struct ProfiledCounter {
    std::string name;
    double measured = 0;
    double predicted = 0;
    double error = 0;  // counter_error()
};
// The counters that are in both, in the order of the prediction.
[[nodiscard]] std::vector<ProfiledCounter> compare_profile(const ProfiledLaunch& launch,
                                                           const Prediction& prediction);

}  // namespace gpumodel
