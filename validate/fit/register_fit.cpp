#include "validate/fit/register_fit.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>

#include "traces/kernel/compiler/registers.h"

namespace gpumodel {

namespace {

constexpr double shared_ridge = 0.02;     // of the mean weight of a sample
constexpr double generation_ridge = 3.0;  // in samples of a generation; chosen by five-fold cross-validation
                                          // within the calibration part, flat between 1 and 5
constexpr int reweightings = 30;
constexpr double smallest_residual = 1.5;  // registers; below it errors count quadratically
// A wrong block count weighs like so much error when snaps are chosen: occupancy is what the count is for.
constexpr double wrong_blocks_cost = 0.15;

using Samples = std::vector<const RegisterSample*>;

Eigen::VectorXd features_of(const RegisterSample& sample) {
    const RegisterFeatures f = register_features(sample.code);
    return Eigen::Map<const Eigen::VectorXd>(f.data(), static_cast<Eigen::Index>(f.size()));
}

// Minimises sum |target - f.w| / registers + ridge * |w|^2; the constant is hardly held back.
Eigen::VectorXd fit(const Samples& samples, const Eigen::VectorXd& targets, double ridge,
                    double constant_ridge) {
    constexpr auto n = static_cast<Eigen::Index>(register_feature_count);
    const auto count = static_cast<Eigen::Index>(samples.size());
    Eigen::MatrixXd x(count, n);
    Eigen::VectorXd base(count);
    for (Eigen::Index i = 0; i < count; ++i) {
        const RegisterSample& sample = *samples[static_cast<std::size_t>(i)];
        x.row(i) = features_of(sample);
        base(i) = 1.0 / sample.registers;
    }
    Eigen::VectorXd importance = base;
    Eigen::VectorXd weights = Eigen::VectorXd::Zero(n);
    for (int round = 0; round < reweightings; ++round) {
        Eigen::MatrixXd normal = x.transpose() * importance.asDiagonal() * x;
        Eigen::VectorXd held = Eigen::VectorXd::Constant(n, ridge * importance.mean());
        held(0) = constant_ridge * importance.mean();
        normal.diagonal() += held.array().max(1e-12).matrix();
        weights = normal.ldlt().solve(x.transpose() * importance.asDiagonal() * targets);
        const Eigen::ArrayXd residual = (targets - x * weights).array().abs();
        importance = (base.array() / residual.max(smallest_residual)).matrix();
    }
    return weights;
}

double cost(const RegisterWeights& row, const Samples& samples) {
    double total = 0;
    for (const auto* sample : samples) {
        const double estimate = std::min(weighted_registers(row, sample->code), 255.0);
        const int rounded = std::max(static_cast<int>(std::lround(estimate)), 8);
        total += std::abs(rounded - sample->registers) / static_cast<double>(sample->registers);
        const int threads = sample->code.threads;
        if (blocks_by_registers(rounded, threads) != blocks_by_registers(sample->registers, threads)) {
            total += wrong_blocks_cost;
        }
    }
    return total;
}

int median(std::vector<int> values) {
    if (values.empty()) {
        return 0;
    }
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

// What the code would have liked: ptxas' count, but where that is a preferred one, anything that snaps to it
// explains it, so the present estimate stands if it does.
Eigen::VectorXd wishes(const Samples& samples, const Eigen::VectorXd& estimates, int squeeze, int fill) {
    constexpr int unused = 2;  // ptxas stays up to two below the count it aims at
    Eigen::VectorXd wish(static_cast<Eigen::Index>(samples.size()));
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const auto at = static_cast<Eigen::Index>(i);
        const int registers = samples[i]->registers;
        wish(at) = registers;
        if (snapped_registers(registers, samples[i]->code.threads, 0, unused)) {
            wish(at) = std::clamp<double>(estimates(at), registers - fill, registers + squeeze);
        }
    }
    return wish;
}

Eigen::VectorXd estimates(const Samples& samples, const Eigen::VectorXd& weights) {
    Eigen::VectorXd estimate(static_cast<Eigen::Index>(samples.size()));
    std::transform(samples.begin(), samples.end(), estimate.begin(),
                   [&](const RegisterSample* sample) { return weights.dot(features_of(*sample)); });
    return estimate;
}

// Fits corrections to `common`; wishes and weights are improved in turns.
Eigen::VectorXd fit_wishes(const Samples& samples, const Eigen::VectorXd& common, double ridge,
                           double constant_ridge, int squeeze, int fill) {
    constexpr int turns = 4;
    Eigen::VectorXd weights = common;
    for (int turn = 0; turn < turns; ++turn) {
        // The first turn takes every count as it is.
        const bool snaps = turn > 0;
        const Eigen::VectorXd wish =
            wishes(samples, estimates(samples, weights), snaps ? squeeze : 0, snaps ? fill : 0);
        weights = common + fit(samples, wish - estimates(samples, common), ridge, constant_ridge);
    }
    return weights;
}

// The calibration part of one shape.
struct ShapeSamples {
    Samples all;
    std::map<int, Samples> by_generation;
    std::map<int, std::vector<int>> in_local_memory;  // registers
};

ShapeSamples calibration_samples(CodeShape shape, const std::vector<RegisterSample>& samples) {
    ShapeSamples chosen;
    for (const auto& sample : samples) {
        if (sample.code.shape != shape || sample.held_back) {
            continue;
        }
        const int cc = sample.target.cc.number();
        if (sample.code.local_accumulators) {
            chosen.in_local_memory[cc].push_back(sample.registers);
        } else {
            chosen.all.push_back(&sample);
            chosen.by_generation[cc].push_back(&sample);
        }
    }
    return chosen;
}

// Rows of one shape by generation for given snap distances.
std::map<int, RegisterWeights> rows_for(const ShapeSamples& samples, int squeeze, int fill) {
    const Eigen::VectorXd nothing = Eigen::VectorXd::Zero(register_feature_count);
    const Eigen::VectorXd common = fit_wishes(samples.all, nothing, shared_ridge, 0, squeeze, fill);
    std::map<int, RegisterWeights> rows;
    for (const auto& [cc, some] : samples.by_generation) {
        const Eigen::VectorXd weights =
            fit_wishes(some, common, generation_ridge, generation_ridge / 4, squeeze, fill);
        const auto local = samples.in_local_memory.find(cc);
        RegisterWeights& row = rows[cc];
        row = {.cc = cc,
               .squeeze = squeeze,
               .fill = fill,
               .local_registers = local == samples.in_local_memory.end() ? 0 : median(local->second),
               .weights = {}};
        std::transform(weights.begin(), weights.end(), row.weights.begin(),
                       [](double weight) { return std::round(weight * 10) / 10; });
    }
    return rows;
}

// The row of each generation with the snap distances that serve it best. Few samples lie near a preferred
// count, so all generations together have as much say as the generation itself.
std::map<int, RegisterWeights> fit_shape(const ShapeSamples& samples) {
    constexpr double shorter_is_better = 2e-3;  // per register of snap distance, in errors
    constexpr int longest = 32;
    constexpr int step = 2;
    std::map<int, RegisterWeights> best;
    std::map<int, double> best_cost;
    for (int squeeze = 0; squeeze <= longest; squeeze += step) {
        for (int fill = 0; fill <= longest / 2; fill += step) {
            const auto rows = rows_for(samples, squeeze, fill);
            std::map<int, double> own;
            double together = 0;
            for (const auto& [cc, row] : rows) {
                own[cc] = cost(row, samples.by_generation.at(cc));
                together += own[cc] / static_cast<double>(rows.size());
            }
            for (const auto& [cc, row] : rows) {
                const double now = own[cc] + together + shorter_is_better * (squeeze + fill);
                if (!best.contains(cc) || now < best_cost[cc]) {
                    best[cc] = row;
                    best_cost[cc] = now;
                }
            }
        }
    }
    return best;
}

}  // namespace

std::vector<RegisterWeights> fit_registers(CodeShape shape, const std::vector<RegisterSample>& samples) {
    constexpr int hopper = 90, first_later = 100, any = 1000;
    std::vector<RegisterWeights> rows;
    const auto fit = [&](int first_cc, int end_cc, int first_kept) {
        auto part = samples;
        std::erase_if(part, [=](const RegisterSample& sample) {
            const int cc = sample.target.cc.number();
            return cc < first_cc || cc >= end_cc;
        });
        const ShapeSamples chosen = calibration_samples(shape, part);
        for (const auto& [cc, row] : chosen.all.empty() ? decltype(fit_shape(chosen)){} : fit_shape(chosen)) {
            if (cc >= first_kept) {
                rows.push_back(row);
            }
        }
    };
    fit(0, first_later, 0);
    fit(hopper, any, first_later);
    return rows;
}

}  // namespace gpumodel
