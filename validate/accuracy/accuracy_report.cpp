#include "validate/accuracy/accuracy_report.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <tuple>

namespace gpumodel {
namespace {

using Launches = std::vector<const ComparedLaunch*>;
using ShapeKey =
    std::tuple<std::string, std::int64_t, std::int64_t, std::int64_t>;  // family or ladder, M, N, K

class ModelReport {
public:
    ModelReport(ModelKind model, Launches launches, const ErrorBands& bands, const std::string& generation)
        : model_(model), launches_(std::move(launches)), bands_(bands), generation_(generation) {}

    void add_groups(std::vector<GroupRow>& rows) const {
        rows.push_back(group("all", launches_));
        const auto of_size = [this](SizeClass size) {
            return where([size](const Measurement& m) {
                return size_class(m.family, {m.m, m.n, m.k}) == size;
            });
        };
        add_part(rows, "all, M N K >= 512", of_size(SizeClass::large), true);
        add_part(rows, "all, 256 to 511", of_size(SizeClass::small));
        add_part(rows, "no local memory",
                 where([](const Measurement& m) { return m.local_bytes.value_or(0) == 0; }));
        std::set<std::string> families;
        for (const auto* l : launches_) {
            families.insert(l->measured->family);
        }
        for (const auto& family : families) {
            rows.push_back(group(family, where([&](const Measurement& m) { return m.family == family; })));
        }
    }

    void add_sweeps(std::vector<SweepRow>& rows) const {
        for (const auto& [key, launches] : by_shape([](const Measurement& m) { return m.family; })) {
            if (launches.size() >= sweep_configurations) {
                const auto& [family, m, n, k] = key;
                const auto pairs = times(launches);
                rows.push_back({model_,
                                family,
                                {m, n, k},
                                launches.size(),
                                statistics(launches).mape_pct,
                                kendall_tau(pairs).value_or(0),
                                100 * regret(pairs, 1),
                                100 * regret(pairs, 8)});
            }
        }
    }

    void add_ladders(std::vector<LadderRow>& rows) const {
        for (const auto& [key, launches] : by_shape([](const Measurement& m) { return m.ladder; })) {
            const auto& [ladder, m, n, k] = key;
            if (!ladder.empty() && launches.size() > 1) {
                rows.push_back({model_,
                                ladder,
                                {m, n, k},
                                launches.size(),
                                statistics(launches).mape_pct,
                                ratio_error(launches),
                                kendall_tau(times(launches))});
            }
        }
    }

    void add_slope(std::vector<SlopeRow>& rows) const {
        std::map<std::string, std::size_t> instances;
        std::vector<SizedError> errors;
        for (const auto* l : launches_) {
            const auto& m = *l->measured;
            const auto instance =
                instances.emplace(m.family + m.ladder + params_text(m.params), instances.size());
            const double volume =
                static_cast<double>(m.m) * static_cast<double>(m.n) * static_cast<double>(m.k);
            if (volume > 0) {
                errors.push_back({instance.first->second, std::log2(volume) / 3, l->error});
            }
        }
        if (const auto slope = slope_per_doubling(errors)) {
            rows.push_back({model_, 100 * *slope});
        }
    }

    void add_worst(Launches& worst) const {
        auto order = launches_;
        std::stable_sort(order.begin(), order.end(), [](const ComparedLaunch* a, const ComparedLaunch* b) {
            return std::abs(a->error) > std::abs(b->error);
        });
        for (std::size_t i = 0; i < std::min(order.size(), worst_listed); ++i) {
            worst.push_back(order[i]);
        }
    }

private:
    [[nodiscard]] Launches where(const std::function<bool(const Measurement&)>& include) const {
        Launches part;
        for (const auto* l : launches_) {
            if (include(*l->measured)) {
                part.push_back(l);
            }
        }
        return part;
    }

    // A part that is all or nothing says nothing, unless it is asked for.
    void add_part(std::vector<GroupRow>& rows, const std::string& name, const Launches& part,
                  bool always = false) const {
        if (!part.empty() && (always || part.size() < launches_.size())) {
            rows.push_back(group(name, part));
        }
    }

    static ErrorStatistics statistics(const Launches& launches, const std::string& name = "") {
        std::vector<double> errors;
        for (const auto* l : launches) {
            errors.push_back(l->error);
        }
        return error_statistics(name, errors);
    }

    [[nodiscard]] GroupRow group(const std::string& name, const Launches& launches) const {
        GroupRow row{model_, statistics(launches, name), {}};
        for (const auto* l : launches) {
            if (const auto band = band_of(bands_, generation_, *l)) {
                row.coverage.launches += 1;
                row.coverage.inside += 100 * std::abs(l->error) <= *band ? 1U : 0U;
            }
        }
        return row;
    }

    [[nodiscard]] std::map<ShapeKey, Launches> by_shape(
        const std::function<std::string(const Measurement&)>& name) const {
        std::map<ShapeKey, Launches> groups;
        for (const auto* l : launches_) {
            const auto& m = *l->measured;
            if (!m.entry) {
                groups[{name(m), m.m, m.n, m.k}].push_back(l);
            }
        }
        return groups;
    }

    static std::vector<TimePair> times(const Launches& launches) {
        std::vector<TimePair> pairs;
        for (const auto* l : launches) {
            pairs.push_back({l->predicted_us, l->measured->time_us});
        }
        return pairs;
    }

    static double ratio_error(const Launches& launches) {
        std::vector<double> ratios;
        for (const auto* l : launches) {
            ratios.push_back(1 + l->error);
        }
        std::sort(ratios.begin(), ratios.end());
        const auto half = ratios.size() / 2;
        const double median =
            ratios.size() % 2 == 1 ? ratios[half] : std::sqrt(ratios[half - 1] * ratios[half]);
        double sum = 0;
        for (const double r : ratios) {
            sum += std::abs(r / median - 1);
        }
        return 100 * sum / static_cast<double>(ratios.size());
    }

    ModelKind model_;
    Launches launches_;
    const ErrorBands& bands_;
    const std::string& generation_;
};

}  // namespace

AccuracyReport accuracy_report(const Comparison& comparison, const ErrorBands& bands,
                               const std::string& generation) {
    AccuracyReport report;
    for (std::size_t m = 0; m < model_count; ++m) {
        const auto model = static_cast<ModelKind>(m);
        Launches launches;
        for (const auto& l : comparison.launches) {
            if (l.model == model) {
                launches.push_back(&l);
            }
        }
        if (launches.empty()) {
            continue;
        }
        const ModelReport part(model, std::move(launches), bands, generation);
        part.add_groups(report.groups);
        part.add_sweeps(report.sweeps);
        part.add_ladders(report.ladders);
        part.add_slope(report.slopes);
        part.add_worst(report.worst);
    }
    return report;
}

}  // namespace gpumodel
