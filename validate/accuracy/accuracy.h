// Predictions of several models against measured launches.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "validate/accuracy/launch_prediction.h"

namespace gpumodel {

// One model's prediction of one launch.
struct ComparedLaunch {
    const Measurement* measured = nullptr;
    ModelKind model = ModelKind::analytic;
    std::string params;  // canonical
    int registers = 0;
    double predicted_us = 0;
    double error = 0;        // predicted / measured - 1
    std::string bottleneck;  // "FMA pipe", "unknown"
    std::string stall;       // the simulator's main stall reason, main_stall()
};

// Runs work(0) ... work(count - 1) in any order; empty = one after the other. Results are the same.
using ForEach = std::function<void(std::size_t count, const std::function<void(std::size_t)>& work)>;
void run_each(const ForEach& for_each, std::size_t count, const std::function<void(std::size_t)>& work);

struct CompareOptions {
    std::vector<ModelKind> models{ModelKind::analytic};
    RegisterSource registers = RegisterSource::predicted;
    const ListedKernels* listing = nullptr;
    ForEach for_each;
    // Called with each predicted launch, in the order of the result and one at a time, as soon as all before
    // it are there; empty = nobody waits for them.
    std::function<void(const ComparedLaunch&)> take{};
};

// predict_launch, with what is wrong with the input as the reason instead of an exception.
[[nodiscard]] LaunchPrediction predict_or_say_why(const Measurement& measured, const ArchSpec& arch,
                                                  const LaunchSettings& settings);

// `measurements` must outlive the result. By launch, then model. What has no prediction is left out, with
// each reason once in `skipped`.
struct Comparison {
    std::vector<ComparedLaunch> launches;
    std::vector<std::string> skipped;
};
[[nodiscard]] Comparison compare(const std::vector<Measurement>& measurements, const ArchSpec& arch,
                                 const CompareOptions& options = {});

}  // namespace gpumodel
