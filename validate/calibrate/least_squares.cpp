#include "validate/calibrate/least_squares.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <optional>
#include <unsupported/Eigen/NonLinearOptimization>

namespace gpumodel {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Huber 1981: 95 % efficiency on normal errors.
constexpr double huber_bend = 1.345;
constexpr double median_to_deviation = 1.4826;  // of normal errors
constexpr double rank_tolerance = 1e-6;
constexpr double part_of_vector = 0.1;  // from which a parameter counts as contained
constexpr double widest_logarithm = 7;  // a factor of 1000 either way; keeps exp() finite
constexpr int most_reweightings = 40;

std::size_t at(Index i) {
    return static_cast<std::size_t>(i);
}

// The problem in scaled coordinates: logarithms of value / start, or value / |start|.
class ScaledProblem {
public:
    explicit ScaledProblem(const LeastSquares& problem)
        : problem_(problem), rows_(static_cast<Index>(problem.measured.size())) {
        for (const auto& p : problem.parameters) {
            units_.push_back(p.start == 0 ? 1 : std::abs(p.start));
        }
    }

    [[nodiscard]] Index parameters() const { return static_cast<Index>(problem_.parameters.size()); }
    [[nodiscard]] Index rows() const { return rows_; }
    [[nodiscard]] const LeastSquares& problem() const { return problem_; }

    [[nodiscard]] VectorXd start() const {
        VectorXd x(parameters());
        for (Index i = 0; i < x.size(); ++i) {
            x[i] = scaled(i, problem_.parameters[at(i)].start);
        }
        return x;
    }
    [[nodiscard]] double scaled(Index i, double value) const {
        return logarithmic(i) ? std::log(value / problem_.parameters[at(i)].start) : value / units_[at(i)];
    }
    [[nodiscard]] double natural(Index i, double x) const {
        return logarithmic(i) ? problem_.parameters[at(i)].start *
                                    std::exp(std::clamp(x, -widest_logarithm, widest_logarithm))
                              : x * units_[at(i)];
    }
    // d value / d x
    [[nodiscard]] double slope(Index i, double x) const {
        return logarithmic(i) ? natural(i, x) : units_[at(i)];
    }

    [[nodiscard]] std::vector<double> predicted(const VectorXd& x) const {
        std::vector<double> values(problem_.parameters.size());
        for (Index i = 0; i < x.size(); ++i) {
            values[at(i)] = natural(i, x[i]);
        }
        std::vector<double> out(problem_.measured.size());
        problem_.predict(values, out);
        return out;
    }
    // (predicted - measured) / sigma
    [[nodiscard]] VectorXd residuals(const VectorXd& x) const {
        const auto out = predicted(x);
        VectorXd r(rows_);
        for (Index i = 0; i < rows_; ++i) {
            r[i] = (out[at(i)] - problem_.measured[at(i)]) / problem_.sigma[at(i)];
        }
        return r;
    }
    [[nodiscard]] VectorXd derivative(const VectorXd& x, Index parameter) const {
        VectorXd low = x;
        VectorXd high = x;
        low[parameter] -= problem_.step;
        high[parameter] += problem_.step;
        return (residuals(high) - residuals(low)) / (2 * problem_.step);
    }

private:
    [[nodiscard]] bool logarithmic(Index i) const {
        return problem_.parameters[at(i)].scale == ParameterScale::logarithmic;
    }

    const LeastSquares& problem_;
    Index rows_;
    std::vector<double> units_;
};

// What Eigen's solver asks for, over the parameters that are not held; rows of zeros fill up to as many rows
// as parameters, of which it needs at least that many.
class FreeResiduals {
public:
    FreeResiduals(const ScaledProblem& problem, const std::vector<Index>& free, VectorXd origin,
                  VectorXd root_weights)
        : problem_(problem),
          free_(free),
          origin_(std::move(origin)),
          root_weights_(std::move(root_weights)) {}

    [[nodiscard]] int inputs() const { return static_cast<int>(free_.size()); }
    [[nodiscard]] int values() const { return std::max(inputs(), static_cast<int>(problem_.rows())); }

    int operator()(const VectorXd& x, VectorXd& out) const {
        out.setZero(values());
        out.head(problem_.rows()) = problem_.residuals(all(x)).cwiseProduct(root_weights_);
        return 0;
    }
    int df(const VectorXd& x, MatrixXd& out) const {
        out.setZero(values(), inputs());
        const auto point = all(x);
        for (Index i = 0; i < inputs(); ++i) {
            out.col(i).head(problem_.rows()) =
                problem_.derivative(point, free_[at(i)]).cwiseProduct(root_weights_);
        }
        return 0;
    }

    [[nodiscard]] VectorXd all(const VectorXd& x) const {
        VectorXd point = origin_;
        for (std::size_t i = 0; i < free_.size(); ++i) {
            point[free_[i]] = x[static_cast<Index>(i)];
        }
        return point;
    }
    [[nodiscard]] VectorXd of(const VectorXd& point) const {
        VectorXd x(inputs());
        for (std::size_t i = 0; i < free_.size(); ++i) {
            x[static_cast<Index>(i)] = point[free_[i]];
        }
        return x;
    }

private:
    const ScaledProblem& problem_;
    const std::vector<Index>& free_;
    VectorXd origin_, root_weights_;
};

double median_of(VectorXd values) {
    std::sort(values.data(), values.data() + values.size());
    const Index middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

// Robust standard deviation of the residuals in sigmas, at least 1.
double spread_of(const VectorXd& residuals, std::size_t free) {
    const auto m = static_cast<double>(residuals.size());
    const double freedom = std::max(1.0, m - static_cast<double>(free));
    return std::max(1.0, median_to_deviation * median_of(residuals.cwiseAbs()) * std::sqrt(m / freedom));
}

struct Point {
    VectorXd x;
    VectorXd weights;
    double spread = 1;
};

Point minimise(const ScaledProblem& problem, const std::vector<Index>& free, VectorXd x) {
    Point point{std::move(x), VectorXd::Ones(problem.rows()), 1};
    for (int i = 0; i < most_reweightings; ++i) {
        if (!free.empty()) {
            FreeResiduals residuals(problem, free, point.x, point.weights.cwiseSqrt());
            VectorXd chosen = residuals.of(point.x);
            Eigen::LevenbergMarquardt<FreeResiduals> solver(residuals);
            solver.minimize(chosen);
            if (chosen.allFinite()) {  // exact data leave the solver nothing to divide by
                point.x = residuals.all(chosen);
            }
        }
        const VectorXd r = problem.residuals(point.x);
        point.spread = spread_of(r, free.size());
        const VectorXd next =
            (huber_bend * point.spread / r.cwiseAbs().array().max(1e-300)).min(1.0).matrix();
        const double change = (next - point.weights).cwiseAbs().maxCoeff();
        point.weights = next;
        if (change < 1e-3) {
            break;
        }
    }
    return point;
}

// The free parameter farthest outside its bounds, relative to its unit; none inside.
std::optional<std::size_t> worst_violation(const ScaledProblem& problem, const std::vector<Index>& free,
                                           const VectorXd& x) {
    std::optional<std::size_t> worst;
    double most = 1e-12;
    for (std::size_t i = 0; i < free.size(); ++i) {
        const auto& p = problem.problem().parameters[at(free[i])];
        const double value = problem.natural(free[i], x[free[i]]);
        const double beyond = std::max(p.lower - value, value - p.upper) / problem.slope(free[i], x[free[i]]);
        if (beyond > most) {
            most = beyond;
            worst = i;
        }
    }
    return worst;
}

MatrixXd weighted_jacobian(const ScaledProblem& problem, const Point& point) {
    MatrixXd jacobian = MatrixXd::Zero(std::max(problem.rows(), problem.parameters()), problem.parameters());
    for (Index i = 0; i < problem.parameters(); ++i) {
        jacobian.col(i).head(problem.rows()) =
            problem.derivative(point.x, i).cwiseProduct(point.weights.cwiseSqrt());
    }
    return jacobian;
}

double variance_factor(const ScaledProblem& problem, const Point& point, std::size_t free) {
    const double freedom = static_cast<double>(problem.rows()) - static_cast<double>(free);
    const VectorXd r = problem.residuals(point.x);
    return freedom > 0 ? std::max(1.0, r.cwiseAbs2().dot(point.weights) / freedom) : 1.0;
}

void set_errors(const ScaledProblem& problem, const Point& point, std::size_t free,
                std::vector<FittedParameter>& parameters) {
    MatrixXd jacobian = weighted_jacobian(problem, point);
    VectorXd lengths = jacobian.colwise().norm();
    for (Index i = 0; i < lengths.size(); ++i) {
        if (lengths[i] > 0) {
            jacobian.col(i) /= lengths[i];
        }
    }
    const Eigen::JacobiSVD<MatrixXd> svd(jacobian, Eigen::ComputeThinU | Eigen::ComputeThinV);
    const auto& singular = svd.singularValues();
    const double variance = variance_factor(problem, point, free);
    VectorXd errors = VectorXd::Zero(lengths.size());
    for (Index k = 0; k < singular.size(); ++k) {
        const VectorXd vector = svd.matrixV().col(k);
        if (singular[k] > rank_tolerance * singular[0]) {
            errors += vector.cwiseAbs2() / (singular[k] * singular[k]);
            continue;
        }
        for (Index i = 0; i < vector.size(); ++i) {
            for (Index j = 0; j < vector.size() && std::abs(vector[i]) > part_of_vector; ++j) {
                parameters[at(i)].identified = false;
                if (j != i && std::abs(vector[j]) > part_of_vector) {
                    parameters[at(i)].entangled.push_back(at(j));
                }
            }
        }
    }
    for (Index i = 0; i < errors.size(); ++i) {
        auto& p = parameters[at(i)];
        p.standard_error = p.identified && lengths[i] > 0
                               ? std::sqrt(variance * errors[i]) / lengths[i] * problem.slope(i, point.x[i])
                               : 0;
    }
}

}  // namespace

Fit fit(const LeastSquares& problem) {
    Fit result;
    result.parameters.resize(problem.parameters.size());
    if (problem.measured.empty() || problem.parameters.empty()) {
        return result;
    }
    const ScaledProblem scaled(problem);
    std::vector<Index> free;
    for (Index i = 0; i < scaled.parameters(); ++i) {
        free.push_back(i);
    }
    auto point = minimise(scaled, free, scaled.start());
    while (const auto worst = worst_violation(scaled, free, point.x)) {
        const Index held = free[*worst];
        const auto& p = problem.parameters[at(held)];
        const double value = std::clamp(scaled.natural(held, point.x[held]), p.lower, p.upper);
        point.x[held] = scaled.scaled(held, value);
        result.parameters[at(held)].at_bound = true;
        free.erase(free.begin() + static_cast<std::ptrdiff_t>(*worst));
        point = minimise(scaled, free, point.x);
    }
    set_errors(scaled, point, free.size(), result.parameters);
    const auto predicted = scaled.predicted(point.x);
    const VectorXd r = scaled.residuals(point.x);
    for (Index i = 0; i < scaled.parameters(); ++i) {
        result.parameters[at(i)].value = scaled.natural(i, point.x[i]);
    }
    for (Index i = 0; i < scaled.rows(); ++i) {
        result.rows.push_back({predicted[at(i)], -r[i] / point.spread, point.weights[i]});
    }
    return result;
}

}  // namespace gpumodel
