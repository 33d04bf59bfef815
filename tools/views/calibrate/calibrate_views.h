// `gpumodel calibrate`: the report of a calibration as text, csv or json.
#pragma once

#include <optional>
#include <string>

#include "tools/cli/command.h"
#include "validate/calibrate/calibrate.h"
#include "validate/calibrate/held_back.h"
#include "validate/calibrate/kernel_residuals.h"

namespace gpumodel::cli {

struct CalibrationViews {
    const ArchSpec* base = nullptr;
    std::string from;  // what the new spec inherits
    const MicrobenchmarkFile* measured = nullptr;
    const Calibration* calibration = nullptr;
    const ResidualFit* residuals = nullptr;  // nullptr: none asked for
    const HeldBack* held_back = nullptr;     // nullptr: no kernel times given
    std::string kernels;                     // their file
    std::string out;                         // the new spec
};

[[nodiscard]] std::string calibration_text(const CalibrationViews& views, Format format);

}  // namespace gpumodel::cli
