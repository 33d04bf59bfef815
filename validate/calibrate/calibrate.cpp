#include "validate/calibrate/calibrate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "validate/calibrate/forward_model.h"
#include "validate/calibrate/least_squares.h"
#include "validate/calibrate/pipe_lanes.h"

namespace gpumodel {
namespace {

constexpr double least_relative_deviation = 0.005;  // estimated, see the header
constexpr double misfit_deviations = 3;
constexpr double median_error_of_mean_error = 1.2533;  // sqrt(pi / 2), normal samples

double sigma_of(const MicrobenchmarkRow& row) {
    const double deviation = std::min(row.median - row.min, row.max - row.median);
    return std::hypot(median_error_of_mean_error * deviation / std::sqrt(row.samples),
                      least_relative_deviation * row.median);
}

// Keys and rows that hang together, as indices.
struct Component {
    std::vector<std::size_t> keys;
    std::vector<std::size_t> rows;
};

class Calibrator {
public:
    Calibrator(const MicrobenchmarkFile& file, const ArchSpec& base)
        : file_(file), base_(base), context_(base) {
        collect_keys();
        collect_rows();
    }

    Calibration run() {
        // Twice: a row's model may name keys that another component determines.
        const auto parts = components();
        for (int pass = 0; pass < 2; ++pass) {
            for (const auto& component : parts) {
                solve(component);
            }
            set_accepted(context_);
        }
        return std::move(result_);
    }

private:
    void set_accepted(ArchSpec& arch) const {
        std::vector<const Field*> fields;
        std::vector<double> values;
        for (const auto& key : result_.keys) {
            if (key.status != KeyStatus::refused) {
                fields.push_back(key.field);
                values.push_back(key.value);
            }
        }
        set_values(arch, fields, values);
    }

    void collect_keys() {
        std::set<std::string> determinable;
        for (const auto& benchmark : benchmarks()) {
            determinable.insert(benchmark.keys.begin(), benchmark.keys.end());
        }
        for (const auto& field : schema()) {
            const auto value = field.get(base_);
            if (determinable.contains(field.key) && std::holds_alternative<double>(value)) {
                CalibratedKey key;
                key.field = &field;
                key.base = key.value = std::get<double>(value);
                const auto provenance = base_.provenance.find(field.key);
                key.base_estimated = provenance != base_.provenance.end() && provenance->second.estimated;
                index_[field.key] = result_.keys.size();
                start_.push_back(key.base);
                result_.keys.push_back(std::move(key));
            }
        }
    }

    void collect_rows() {
        for (const auto& row : file_.rows) {
            const auto* benchmark = find_benchmark(row.benchmark);
            models_.push_back(benchmark == nullptr ? RowModel{{}, {}, "no such benchmark"}
                                                   : benchmark->model({row, base_, file_.rows}));
            result_.rows.push_back({&row, 0, false, models_.back().unused});
        }
        rows_of_key_.resize(result_.keys.size());
        for (std::size_t r = 0; r < models_.size(); ++r) {
            for (const auto& name : models_[r].keys) {
                rows_of_key_[index_.at(name)].push_back(r);
            }
        }
    }

    std::vector<Component> components() {
        std::vector<std::size_t> root(result_.keys.size());
        std::iota(root.begin(), root.end(), std::size_t{0});
        const auto find = [&root](std::size_t k) {
            while (root[k] != k) {
                k = root[k];
            }
            return k;
        };
        for (const auto& model : models_) {
            for (const auto& name : model.keys) {
                const auto a = find(index_.at(name));
                const auto b = find(index_.at(model.keys.front()));
                root[std::max(a, b)] = std::min(a, b);
            }
        }
        std::map<std::size_t, Component> by_root;
        for (std::size_t k = 0; k < root.size(); ++k) {
            by_root[find(k)].keys.push_back(k);
        }
        for (std::size_t r = 0; r < models_.size(); ++r) {
            if (!models_[r].keys.empty()) {
                by_root[find(index_.at(models_[r].keys.front()))].rows.push_back(r);
            }
        }
        std::vector<Component> list;
        for (auto& [unused, component] : by_root) {
            list.push_back(std::move(component));
        }
        return list;
    }

    LeastSquares problem_of(const Component& component, const std::vector<std::size_t>& keys,
                            std::vector<const Field*>& fields) const {
        LeastSquares problem;
        fields.clear();
        for (const auto k : keys) {
            const auto& key = result_.keys[k];
            const auto range = allowed_range(*key.field, base_);
            // what may be 0 has no logarithm
            const bool logarithmic = range.lower > 0 && start_[k] > 0;
            problem.parameters.push_back(
                {start_[k], range.lower, range.upper,
                 logarithmic ? ParameterScale::logarithmic : ParameterScale::linear});
            fields.push_back(key.field);
        }
        for (const auto r : component.rows) {
            problem.measured.push_back(file_.rows[r].median);
            problem.sigma.push_back(sigma_of(file_.rows[r]));
        }
        problem.predict = [this, &component, &fields](std::span<const double> values,
                                                      std::span<double> predicted) {
            ArchSpec arch = context_;
            set_values(arch, fields, values);
            for (std::size_t i = 0; i < predicted.size(); ++i) {
                predicted[i] = models_[component.rows[i]].value(arch);
            }
        };
        return problem;
    }

    // Fits; keys whose standard error says nothing are taken out at their base value, and the rest again.
    void solve(const Component& component) {
        auto keys = component.keys;
        if (component.rows.empty()) {
            for (const auto k : keys) {
                refuse(k, "no row determines it");
            }
            return;
        }
        std::vector<const Field*> fields;
        while (!keys.empty()) {
            const auto solved = fit(problem_of(component, keys, fields));
            std::vector<std::size_t> kept;
            for (std::size_t i = 0; i < keys.size(); ++i) {
                if (is_vague(result_.keys[keys[i]], solved.parameters[i])) {
                    refuse(keys[i], fmt::format("its standard error exceeds the fitted value, {}",
                                                in_words(keys[i], solved.parameters[i].value)));
                } else {
                    kept.push_back(keys[i]);
                }
            }
            if (kept.size() == keys.size()) {
                accept(component, keys, solved);
                return;
            }
            keys = kept;
        }
    }

    static bool is_vague(const CalibratedKey& key, const FittedParameter& fitted) {
        if (!fitted.identified || fitted.standard_error < std::abs(fitted.value)) {
            return false;
        }
        const bool excludes_base = std::abs(key.base - fitted.value) > 2 * fitted.standard_error;
        return !(key.field->min == 0 && excludes_base);
    }

    void accept(const Component& component, const std::vector<std::size_t>& keys, const Fit& solved) {
        for (std::size_t i = 0; i < keys.size(); ++i) {
            const auto& fitted = solved.parameters[i];
            auto& key = result_.keys[keys[i]];
            start_[keys[i]] = fitted.value;
            if (!fitted.identified) {
                std::vector<std::string> others;
                for (const auto other : fitted.entangled) {
                    others.push_back(result_.keys[keys[other]].field->key);
                }
                refuse(keys[i], others.empty()
                                    ? std::string("another limit hides it in every row")
                                    : fmt::format("only its sum with {} shows", fmt::join(others, ", ")));
                continue;
            }
            key.standard_error = fitted.standard_error;
            key.value =
                rounded(fitted.value, fitted.standard_error, *key.field, allowed_range(*key.field, base_));
            key.status = compared_with_base(key);
            key.reason.clear();
            describe_key(component, keys[i], solved);
        }
        for (std::size_t i = 0; i < component.rows.size(); ++i) {
            auto& row = result_.rows[component.rows[i]];
            row.predicted = solved.rows[i].predicted;
            row.misfit = std::abs(solved.rows[i].deviation) > misfit_deviations;
        }
    }

    void describe_key(const Component& component, std::size_t k, const Fit& solved) {
        auto& key = result_.keys[k];
        std::set<std::string> names;
        double squares = 0;
        for (const auto r : rows_of_key_[k]) {
            const auto found = std::find(component.rows.begin(), component.rows.end(), r);
            const auto& fitted = solved.rows[static_cast<std::size_t>(found - component.rows.begin())];
            squares += std::pow(file_.rows[r].median / fitted.predicted - 1, 2);
            names.insert(file_.rows[r].benchmark);
        }
        key.rows = rows_of_key_[k].size();
        key.rms_pct = 100 * std::sqrt(squares / static_cast<double>(key.rows));
        key.benchmarks.assign(names.begin(), names.end());
    }

    [[nodiscard]] std::string in_words(std::size_t k, double value) const {
        const auto& field = *result_.keys[k].field;
        return fmt::format("{:.3g}{}{}", value, base_unit(field.dimension).empty() ? "" : " ",
                           base_unit(field.dimension));
    }

    void refuse(std::size_t k, const std::string& why) {
        auto& key = result_.keys[k];
        const auto which = benchmarks_of(key.field->key);
        key.status = KeyStatus::refused;
        key.value = key.base;
        key.standard_error = 0;
        key.rows = rows_of_key_[k].size();
        key.reason = fmt::format("{}; needs {}{}", why, key.rows == 0 ? "" : "other rows of ",
                                 fmt::join(which, " or "));
    }

    const MicrobenchmarkFile& file_;
    const ArchSpec& base_;
    ArchSpec context_;           // base_ with what the pass before found
    std::vector<double> start_;  // by key; the second pass starts where the first one ended
    Calibration result_;
    std::vector<RowModel> models_;
    std::map<std::string, std::size_t, std::less<>> index_;
    std::vector<std::vector<std::size_t>> rows_of_key_;
};

void keep_only(const std::vector<std::string>& names, const std::string& file, Calibration& result) {
    std::vector<Diagnostic> refused;
    std::erase_if(result.keys, [&names](const CalibratedKey& key) {
        const bool lanes = key.field->key.starts_with("sm.pipes.");  // throughputs need them
        return !lanes && std::find(names.begin(), names.end(), key.field->key) == names.end();
    });
    for (const auto& key : result.keys) {
        if (key.status == KeyStatus::refused) {
            refused.push_back({file, 0, 0, key.field->key, "not identified: " + key.reason});
        }
    }
    if (!refused.empty()) {
        throw InputError(InputErrorKind::invalid_input, std::move(refused));
    }
}

}  // namespace

Calibration calibrate(const MicrobenchmarkFile& file, const ArchSpec& base,
                      const std::vector<std::string>& keys) {
    check_key_names(keys, base);
    auto widened = base;
    auto pipes = widen_pipes(file, widened);
    auto result = Calibrator(file, widened).run();
    result.keys.insert(result.keys.end(), pipes.begin(), pipes.end());
    std::sort(result.keys.begin(), result.keys.end(),
              [](const CalibratedKey& a, const CalibratedKey& b) { return a.field < b.field; });
    if (!keys.empty()) {
        keep_only(keys, file.path, result);
    }
    result.arch = base;
    std::vector<const Field*> fields;
    std::vector<double> values;
    for (const auto& key : result.keys) {
        if (key.is_written()) {
            fields.push_back(key.field);
            values.push_back(key.value);
        }
    }
    set_values(result.arch, fields, values);
    return result;
}

}  // namespace gpumodel
