// The regression gate: errors that the committed data must not exceed.
//
// A csv with one limit per row: arch, measurements, listing (may be empty), model, sample (of the calibration
// half; 0 = all of it), group (a name of GroupRow, "all"), figure (mape_pct, median_pct, p90_pct, or
// launches), reached, tolerance. A figure of errors fails above reached + tolerance, `launches` below reached
// - tolerance.
#pragma once

#include <string>
#include <vector>

#include "validate/accuracy/accuracy_report.h"

namespace gpumodel {

struct GateLimit {
    std::string arch, measurements, listing, model, group, figure;
    std::size_t sample = 0;
    double reached = 0;
    double tolerance = 0;
    [[nodiscard]] bool same_run(const GateLimit& other) const {
        return arch == other.arch && measurements == other.measurements && listing == other.listing &&
               sample == other.sample;
    }
};

// Throws InputError with all faults.
[[nodiscard]] std::vector<GateLimit> read_gate(const std::string& path);
[[nodiscard]] std::string gate_csv(const std::vector<GateLimit>& limits);

struct GateResult {
    GateLimit limit;
    double value = 0;
    bool measured = false;  // the group has launches
    [[nodiscard]] bool passed() const;
};

// Checks the limits, one run for each combination of arch, measurements, listing and sample.
[[nodiscard]] std::vector<GateResult> check_gate(const std::vector<GateLimit>& limits,
                                                 const std::string& folder, const ForEach& for_each = {});

}  // namespace gpumodel
