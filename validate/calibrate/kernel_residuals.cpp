#include "validate/calibrate/kernel_residuals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "validate/calibrate/least_squares.h"

namespace gpumodel {
namespace {

constexpr double repeatability = 0.01;  // estimated
constexpr double kernel_step = 0.01;    // predictions count whole cycles, blocks and trips

std::string fault_of(const std::string& name, std::size_t earlier, const ArchSpec& base,
                     const std::vector<std::string>& fixed) {
    const auto* field = find_field(name);
    if (field == nullptr) {
        return unknown_key_fault(name);
    }
    if (earlier > 0) {
        return "named twice";
    }
    if (field->whole || !std::holds_alternative<double>(field->get(base))) {
        return field->whole ? "a count cannot be fitted" : fmt::format("{} has no such number", base.name);
    }
    return std::find(fixed.begin(), fixed.end(), name) != fixed.end()
               ? "the microbenchmarks determine it; kernel times must not undo that"
               : "";
}

std::vector<const Field*> fields_of(const std::vector<std::string>& keys, const ArchSpec& base,
                                    const std::vector<std::string>& fixed) {
    std::vector<const Field*> fields;
    std::vector<Diagnostic> faults;
    if (keys.size() > most_residual_keys) {
        faults.push_back(
            {"", 0, 0, "--residual",
             fmt::format("{} keys; at most {}: more would fit anything", keys.size(), most_residual_keys)});
    }
    for (auto name = keys.begin(); name != keys.end(); ++name) {
        const auto earlier = static_cast<std::size_t>(std::count(keys.begin(), name, *name));
        const auto fault = fault_of(*name, earlier, base, fixed);
        if (fault.empty()) {
            fields.push_back(find_field(*name));
        } else {
            faults.push_back({"", 0, 0, "--residual", *name + ": " + fault});
        }
    }
    if (!faults.empty()) {
        throw InputError(InputErrorKind::usage, std::move(faults));
    }
    return fields;
}

class KernelTimes {
public:
    KernelTimes(const std::vector<Measurement>& measurements, const ArchSpec& base,
                const ResidualOptions& options)
        : options_(options) {
        launches_ = choose(measurements, {Split::calibration, false, {}, "", options.sample});
        auto times = predict(base);
        std::vector<Measurement> kept;
        for (std::size_t i = 0; i < launches_.size(); ++i) {
            if (times[i] > 0) {
                kept.push_back(std::move(launches_[i]));
                at_base_.push_back(times[i]);
            }
        }
        launches_ = std::move(kept);
    }

    [[nodiscard]] const std::vector<Measurement>& launches() const { return launches_; }

    // Microseconds; the base's where a value makes a launch impossible, 0 where the base does.
    [[nodiscard]] std::vector<double> predict(const ArchSpec& arch) const {
        std::vector<double> times(launches_.size());
        run_each(options_.for_each, launches_.size(), [&](std::size_t i) {
            LaunchSettings settings;
            settings.model = options_.model;
            const auto tried = predict_or_say_why(launches_[i], arch, settings);
            times[i] = tried.prediction ? tried.prediction->time_seconds * 1e6 : 0;
            if (!(times[i] > 0) && !at_base_.empty()) {
                times[i] = at_base_[i];
            }
        });
        return times;
    }

    [[nodiscard]] double mape_pct(const std::vector<double>& times) const {
        double sum = 0;
        for (std::size_t i = 0; i < times.size(); ++i) {
            sum += std::abs(times[i] / launches_[i].time_us - 1);
        }
        return 100 * sum / static_cast<double>(times.size());
    }

private:
    ResidualOptions options_;
    std::vector<Measurement> launches_;
    std::vector<double> at_base_;
};

LeastSquares problem_of(const KernelTimes& times, const std::vector<const Field*>& fields,
                        const ArchSpec& base) {
    LeastSquares problem;
    problem.step = kernel_step;
    for (const auto* field : fields) {
        const auto range = allowed_range(*field, base);
        const double value = value_of(*field, base);
        problem.parameters.push_back(
            {value, range.lower, range.upper,
             range.lower > 0 && value > 0 ? ParameterScale::logarithmic : ParameterScale::linear});
    }
    for (const auto& launch : times.launches()) {
        problem.measured.push_back(launch.time_us);
        problem.sigma.push_back(repeatability * launch.time_us);
    }
    problem.predict = [&](std::span<const double> values, std::span<double> predicted) {
        std::vector<double> inside(values.begin(), values.end());
        for (std::size_t i = 0; i < inside.size(); ++i) {  // no model need bear values the schema refuses
            const auto range = allowed_range(*fields[i], base);
            inside[i] = std::clamp(inside[i], range.lower, range.upper);
        }
        ArchSpec arch = base;
        set_values(arch, fields, inside);
        const auto all = times.predict(arch);
        std::copy(all.begin(), all.end(), predicted.begin());
    };
    return problem;
}

CalibratedKey key_of(const Field& field, const FittedParameter& fitted, const ArchSpec& base) {
    CalibratedKey key;
    key.field = &field;
    key.base = key.value = value_of(field, base);
    const auto provenance = base.provenance.find(field.key);
    key.base_estimated = provenance != base.provenance.end() && provenance->second.estimated;
    key.benchmarks = {"kernel times"};
    if (!fitted.identified || !(fitted.standard_error < std::abs(fitted.value))) {
        key.reason = fitted.identified ? "its standard error exceeds the fitted value; the launches do not "
                                         "depend on it enough"
                                       : "no predicted time depends on it apart from the other keys";
        return key;
    }
    key.standard_error = fitted.standard_error;
    key.value = rounded(fitted.value, fitted.standard_error, field, allowed_range(field, base));
    key.status = compared_with_base(key);
    return key;
}

double rms_pct(const KernelTimes& times, const Fit& solved) {
    double squares = 0;
    for (std::size_t i = 0; i < solved.rows.size(); ++i) {
        squares += std::pow(times.launches()[i].time_us / solved.rows[i].predicted - 1, 2);
    }
    return 100 * std::sqrt(squares / static_cast<double>(solved.rows.size()));
}

}  // namespace

ResidualFit fit_residuals(const std::vector<Measurement>& measurements, const ArchSpec& base,
                          const std::vector<std::string>& keys, const std::vector<std::string>& fixed,
                          const ResidualOptions& options) {
    const auto fields = fields_of(keys, base, fixed);
    const KernelTimes times(measurements, base, options);
    if (times.launches().empty()) {
        throw InputError(InputErrorKind::invalid_input,
                         {{"", 0, 0, "--kernels", "no launch of the calibration half can be predicted"}});
    }
    const auto solved = fit(problem_of(times, fields, base));
    ResidualFit result;
    result.arch = base;
    result.launches = times.launches().size();
    result.mape_before_pct = times.mape_pct(times.predict(base));
    std::vector<const Field*> written;
    std::vector<double> values;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        auto key = key_of(*fields[i], solved.parameters[i], base);
        key.rows = result.launches;
        key.rms_pct = rms_pct(times, solved);
        if (key.is_written()) {
            written.push_back(key.field);
            values.push_back(key.value);
        }
        result.keys.push_back(std::move(key));
    }
    set_values(result.arch, written, values);
    result.mape_after_pct = times.mape_pct(times.predict(result.arch));
    return result;
}

}  // namespace gpumodel
