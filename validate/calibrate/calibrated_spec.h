// A calibrated spec as YAML: inherits the base and gives the new values only, each with its standard error
// and the measurements behind it as its source.
#pragma once

#include <string>
#include <vector>

#include "arch_specs/schema/schema.h"
#include "base/diagnostics.h"

namespace gpumodel {

struct SpecValue {
    const Field* field = nullptr;
    double value = 0;  // base units
    std::string source;
};

// `name`: of the new spec. Values in schema order.
[[nodiscard]] std::string spec_text(const std::string& name, const std::string& base,
                                    const std::vector<SpecValue>& values);

// "calibrated, +- 0.12 cycles: shared_latency (24 rows) of h200.csv, NVIDIA H200, 2026-11-21"; `origin` is
// what follows the colon.
[[nodiscard]] std::string calibrated_source(const Field& field, double standard_error,
                                            const std::string& origin);

// A standard error with two digits and its unit.
[[nodiscard]] std::string error_text(const Field& field, double standard_error);

// What is wrong with `path` as a new spec that inherits `base`: no .yaml, no possible name, the base's name.
[[nodiscard]] std::vector<Diagnostic> check_spec_path(const std::string& path, const std::string& base);

// Every fault that `text` has as the spec `path`, without writing there: contradictions with what it
// inherits, a base that is not found from there.
[[nodiscard]] std::vector<Diagnostic> check_spec_text(const std::string& text, const std::string& path);

}  // namespace gpumodel
