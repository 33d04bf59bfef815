#include "validate/fit/overhead_fit.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <string_view>

#include "traces/kernel/compiler/instruction_mix.h"

namespace gpumodel {

namespace {

constexpr std::array regions{CodeRegion::tile, CodeRegion::step_body, CodeRegion::prologue,
                             CodeRegion::epilogue};
// Of different kernels: the same one compiled for two architectures of a generation tells a rule's three
// weights nothing more.
constexpr std::size_t fewest_instances = 4;

using Samples = std::vector<const OverheadSample*>;

template <class Row>
std::vector<Row>& rows_in(ByRegion<Row>& table, CodeRegion region, std::size_t shape,
                          CodeGeneration generation) {
    return table[static_cast<std::size_t>(region)][shape][static_cast<std::size_t>(generation)];
}

std::array<double, 3> inputs_of(CodeRegion region, const OverheadSample& sample) {
    return overhead_inputs(region, sample.code);
}

double predicted(const std::array<double, 3>& weights, CodeRegion region, const OverheadSample& sample) {
    const auto x = inputs_of(region, sample);
    return std::max(0.0, std::inner_product(weights.begin(), weights.end(), x.begin(), 0.0));
}

// Least absolute errors (iteratively reweighted least squares); slopes that no sample tells are held at zero.
std::array<double, 3> fit_weights(CodeRegion region, const Samples& samples) {
    constexpr int reweightings = 30;
    constexpr double smallest_residual = 0.5;  // instructions; below it errors count quadratically
    constexpr double ridge = 1e-6;
    const auto count = static_cast<Eigen::Index>(samples.size());
    Eigen::MatrixXd x(count, 3);
    Eigen::VectorXd y(count);
    for (Eigen::Index i = 0; i < count; ++i) {
        const auto inputs = inputs_of(region, *samples[static_cast<std::size_t>(i)]);
        x.row(i) = Eigen::Map<const Eigen::RowVector3d>(inputs.data());
        y(i) = samples[static_cast<std::size_t>(i)]->total(region);
    }
    Eigen::VectorXd importance = Eigen::VectorXd::Ones(count);
    Eigen::Vector3d weights = Eigen::Vector3d::Zero();
    for (int round = 0; round < reweightings; ++round) {
        Eigen::Matrix3d normal = x.transpose() * importance.asDiagonal() * x;
        normal.diagonal() += Eigen::Vector3d(0, ridge, ridge) * normal.trace();
        weights = normal.ldlt().solve(x.transpose() * importance.asDiagonal() * y);
        importance = (y - x * weights).array().abs().max(smallest_residual).inverse().matrix();
    }
    constexpr double hundred = 100;
    const auto rounded = [](double value) { return std::round(hundred * value) / hundred + 0.0; };
    return {rounded(weights(0)), rounded(weights(1)), rounded(weights(2))};
}

Samples calibration_part(std::size_t shape, const std::vector<OverheadSample>& samples) {
    Samples chosen;
    for (const OverheadSample& sample : samples) {
        if (static_cast<std::size_t>(sample.code.shape) == shape && !sample.held_back) {
            chosen.push_back(&sample);
        }
    }
    return chosen;
}

bool has_region(const OverheadSample& sample, CodeRegion region) {
    return region != CodeRegion::step_body || sample.code.rolled;
}

bool enough(const Samples& samples) {
    std::set<std::string_view> instances;
    for (const auto* sample : samples) {
        instances.insert(sample->instance);
    }
    return instances.size() >= fewest_instances;
}

void fit_rules(std::vector<OverheadRule>& rules, CodeRegion region, const Samples& samples) {
    for (std::size_t i = 0; i < rules.size(); ++i) {
        Samples own;
        std::copy_if(samples.begin(), samples.end(), std::back_inserter(own), [&](const auto* sample) {
            return has_region(*sample, region) && deciding_rule(rules, sample->code) == i;
        });
        if (enough(own)) {
            rules[i].weights = fit_weights(region, own);
            rules[i].instances = static_cast<int>(own.size());
        }
    }
}

ClassCounts shares_of(CodeRegion region, const Samples& samples) {
    ClassCounts shares{};
    double all = 0;
    for (const auto* sample : samples) {
        const ClassCounts& counts = sample->counts[static_cast<std::size_t>(region)];
        std::transform(shares.begin(), shares.end(), counts.begin(), shares.begin(), std::plus<>());
        all += sample->total(region);
    }
    constexpr double thousand = 1000;
    for (double& share : shares) {
        share = all > 0 ? std::round(thousand * share / all) : 0;
    }
    return shares;
}

void fit_shares(std::vector<OverheadShares>& rows, CodeRegion region, const Samples& samples) {
    Samples own;
    std::copy_if(samples.begin(), samples.end(), std::back_inserter(own),
                 [region](const auto* sample) { return has_region(*sample, region); });
    for (OverheadShares& row : rows) {
        if (enough(own)) {
            row = {shares_of(region, own), static_cast<int>(own.size())};
        }
    }
}

}  // namespace

void fit_overhead(CompilerTables& tables, CodeGeneration generation,
                  const std::vector<OverheadSample>& samples) {
    for (std::size_t shape = 0; shape < code_shape_count; ++shape) {
        const Samples own = calibration_part(shape, samples);
        for (const CodeRegion region : regions) {
            fit_rules(rows_in(tables.rules, region, shape, generation), region, own);
            fit_shares(rows_in(tables.shares, region, shape, generation), region, own);
        }
    }
}

double instruction_error(const CompilerTables& tables, CodeGeneration generation,
                         const std::vector<OverheadSample>& samples) {
    double sum = 0;
    for (const OverheadSample& sample : samples) {
        double difference = 0;
        for (const CodeRegion region : regions) {
            const auto& rules = rows_of(tables.rules, region, sample.code.shape, generation);
            if (rules.empty() || !has_region(sample, region)) {
                continue;
            }
            const double bodies =
                sample.tiles * sample.code.outer_tiles * sample.code.depth / sample.code.unrolled_steps;
            const double times = region == CodeRegion::tile        ? sample.tiles
                                 : region == CodeRegion::step_body ? bodies
                                                                   : 1;
            const auto& row = rules[deciding_rule(rules, sample.code)];
            difference += times * (predicted(row.weights, region, sample) - sample.total(region));
        }
        sum += std::abs(difference) / sample.instructions;
    }
    return samples.empty() ? 0 : sum / static_cast<double>(samples.size());
}

}  // namespace gpumodel
