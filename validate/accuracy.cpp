#include "validate/accuracy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace gpumodel {

LaunchPrediction predict_launch(const Measurement& m, const ArchSpec& arch, RegisterSource registers,
                                const PredictOptions& options) {
    const auto* family = find_family(m.family);
    if (family == nullptr) {
        return {{}, fmt::format("{}: no such family", m.family)};
    }
    ParamValues known;  // a measurement may carry parameters that the family fixes
    for (const auto& spec : family->params) {
        if (const auto found = m.params.find(spec.name); found != m.params.end()) {
            known.insert(*found);
        }
    }
    auto lowered = make_program(*family, resolve_params(*family, known), {m.m, m.n, m.k}, target_of(arch));
    if (!lowered.program) {
        return {{}, fmt::format("{}: {}", m.family, lowered.infeasible_reason)};
    }
    if (registers == RegisterSource::measured && m.registers) {
        lowered.program->resources.registers_per_thread = *m.registers;
        lowered.program->resources.registers_estimated = false;
    }
    auto prediction = predict_analytic(*lowered.program, arch, options);
    if (prediction.status != Status::ok) {
        return {{}, fmt::format("{}: {}", m.family, prediction.reason)};
    }
    return {std::move(prediction), {}};
}

Comparison compare(const std::vector<Measurement>& measurements, const ArchSpec& arch,
                   RegisterSource registers) {
    Comparison result;
    std::set<std::string> reasons;
    for (const auto& m : measurements) {
        auto tried = predict_launch(m, arch, registers);
        if (!tried.prediction) {
            if (reasons.insert(tried.reason).second) {
                result.skipped.push_back(std::move(tried.reason));
            }
            continue;
        }
        const double error = tried.prediction->time_seconds * 1e6 / m.time_us - 1;
        result.launches.push_back({&m, std::move(*tried.prediction), error});
    }
    return result;
}

ErrorStatistics error_statistics(const std::string& name, const Comparison& comparison,
                                 const std::function<bool(const ComparedLaunch&)>& include) {
    ErrorStatistics s;
    s.name = name;
    std::vector<double> magnitudes;
    for (const auto& launch : comparison.launches) {
        if (include(launch)) {
            magnitudes.push_back(std::abs(launch.error));
            s.mape_pct += std::abs(launch.error);
            s.bias_pct += launch.error;
        }
    }
    s.launches = magnitudes.size();
    if (magnitudes.empty()) {
        return s;
    }
    std::sort(magnitudes.begin(), magnitudes.end());
    const auto count = static_cast<double>(magnitudes.size());
    s.mape_pct *= 100 / count;
    s.bias_pct *= 100 / count;
    s.median_pct = 100 * magnitudes[magnitudes.size() / 2];
    s.p90_pct = 100 * magnitudes[static_cast<std::size_t>(0.9 * (count - 1))];
    return s;
}

}  // namespace gpumodel
