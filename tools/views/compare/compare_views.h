// text, json and csv of a comparison; all three read the same struct.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/compare/compare.h"
#include "model/compare/sentences.h"

namespace gpumodel::cli {

struct ComparedPair {
    const LaunchRecord* a = nullptr;
    const LaunchRecord* b = nullptr;
    LaunchComparison terms;
    std::optional<LaunchComparison> analytic;  // of the same launch, where it is not the predicted time
    std::vector<std::string> sentences;        // empty when a side has no time
    bool exceeds = false;                      // the threshold
};

// Where a side comes from.
struct CompareSource {
    std::string file;  // results, or the spec of --arch
    std::string tool_version, spec_hash, command_line;
    std::vector<LaunchRecord> launches;
};

struct CompareView {
    CompareSource a, b;
    std::vector<ComparedPair> pairs;
    std::vector<const LaunchRecord*> only_a, only_b;
    RunSummary summary;  // over pairs
    std::optional<double> threshold_pct, threshold_geomean_pct;
    bool geomean_exceeds = false;
    std::vector<std::string> notes;
    [[nodiscard]] bool exceeds() const;
};

// One pair in full, several as a table. `sections`: false = the first screen only.
[[nodiscard]] std::string compare_text(const CompareView& view, bool sections);
// One pair: time, parts, bounds, resources, sites and counters. Starts with a blank line.
[[nodiscard]] std::string compare_sections(const ComparedPair& pair);
[[nodiscard]] std::string compare_json(const CompareView& view);
[[nodiscard]] std::string compare_csv(const CompareView& view, bool terms);

// "warptile on k40, M=4096 N=4096 K=4096, BM=128;..."
[[nodiscard]] std::string launch_label(const LaunchRecord& launch);

}  // namespace gpumodel::cli
