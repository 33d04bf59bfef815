#include "validate/accuracy/accuracy.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "base/diagnostics.h"

namespace gpumodel {
namespace {

struct Outcome {
    bool predicted = false;
    ComparedLaunch launch;
    std::string reason;
};

Outcome outcome_of(const Measurement& m, const ArchSpec& arch, const LaunchSettings& settings) {
    auto tried = predict_or_say_why(m, arch, settings);
    if (!tried.prediction) {
        return {false, {}, std::move(tried.reason)};
    }
    const auto& p = *tried.prediction;
    const double time_us = p.time_seconds * 1e6;
    return {true,
            {&m, settings.model, p.params, p.resources.registers_per_thread, time_us, time_us / m.time_us - 1,
             p.bottlenecks.empty() ? "unknown" : p.bottlenecks.front(), main_stall(p)},
            {}};
}

// Hands outcomes on in their order, whatever order they come in.
class InOrder {
public:
    InOrder(const std::vector<Outcome>& outcomes, const std::function<void(const ComparedLaunch&)>& take)
        : outcomes_(outcomes), take_(take), done_(outcomes.size()) {}

    void finished(std::size_t i) {
        if (!take_) {
            return;
        }
        const std::lock_guard lock(mutex_);
        done_[i] = true;
        for (; next_ < done_.size() && done_[next_]; ++next_) {
            if (outcomes_[next_].predicted) {
                take_(outcomes_[next_].launch);
            }
        }
    }

private:
    const std::vector<Outcome>& outcomes_;
    const std::function<void(const ComparedLaunch&)>& take_;
    std::mutex mutex_;
    std::vector<bool> done_;
    std::size_t next_ = 0;
};

}  // namespace

LaunchPrediction predict_or_say_why(const Measurement& m, const ArchSpec& arch,
                                    const LaunchSettings& settings) {
    try {
        return predict_launch(m, arch, settings);
    } catch (const InputError& error) {
        return {{}, fmt::format("{}: {}", m.family, to_string(error.diagnostics().front()))};
    }
}

void run_each(const ForEach& for_each, std::size_t count, const std::function<void(std::size_t)>& work) {
    if (for_each) {
        for_each(count, work);
        return;
    }
    for (std::size_t i = 0; i < count; ++i) {
        work(i);
    }
}

Comparison compare(const std::vector<Measurement>& measurements, const ArchSpec& arch,
                   const CompareOptions& options) {
    const auto models = options.models.size();
    std::vector<Outcome> outcomes(measurements.size() * models);
    InOrder in_order(outcomes, options.take);
    const auto work = [&](std::size_t i) {
        outcomes[i] = outcome_of(measurements[i / models], arch,
                                 {.model = options.models[i % models],
                                  .registers = options.registers,
                                  .listing = options.listing});
        in_order.finished(i);
    };
    run_each(options.for_each, outcomes.size(), work);
    Comparison result;
    for (auto& outcome : outcomes) {
        if (outcome.predicted) {
            result.launches.push_back(std::move(outcome.launch));
        } else if (std::find(result.skipped.begin(), result.skipped.end(), outcome.reason) ==
                   result.skipped.end()) {
            result.skipped.push_back(std::move(outcome.reason));
        }
    }
    return result;
}

}  // namespace gpumodel
