// What is said about a comparison, as one struct that text, csv and json read.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "validate/accuracy/error_bands.h"
#include "validate/accuracy/error_statistics.h"

namespace gpumodel {

inline constexpr std::size_t sweep_configurations = 20;  // fewest that are ranked
inline constexpr std::size_t worst_listed = 10;

struct GroupRow {
    ModelKind model = ModelKind::analytic;
    ErrorStatistics errors;
    BandCoverage coverage;
};

// One family at one shape: does the model order its configurations?
struct SweepRow {
    ModelKind model = ModelKind::analytic;
    std::string family;
    ProblemShape shape;
    std::size_t configurations = 0;
    double mape_pct = 0;
    double tau = 0;
    double top1_regret_pct = 0, top8_regret_pct = 0;
};

// One author's kernels on one GPU at one shape.
struct LadderRow {
    ModelKind model = ModelKind::analytic;
    std::string ladder;
    ProblemShape shape;
    std::size_t kernels = 0;
    double mape_pct = 0;
    double ratio_mape_pct =
        0;  // with the measured times scaled by the ladder's median ratio: clock taken out
    std::optional<double> tau;
};

struct SlopeRow {
    ModelKind model = ModelKind::analytic;
    double pct_per_doubling = 0;  // of (M N K)^(1/3), slope_per_doubling()
};

struct AccuracyReport {
    std::vector<GroupRow> groups;  // by model; all, by size, without local memory, by family
    std::vector<SweepRow> sweeps;
    std::vector<LadderRow> ladders;
    std::vector<SlopeRow> slopes;
    std::vector<const ComparedLaunch*> worst;  // by model, largest |error| first
};

// `comparison` must outlive the result.
[[nodiscard]] AccuracyReport accuracy_report(const Comparison& comparison, const ErrorBands& bands,
                                             const std::string& generation);

}  // namespace gpumodel
