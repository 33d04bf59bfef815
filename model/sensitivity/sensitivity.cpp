#include "model/sensitivity/sensitivity.h"

#include <algorithm>
#include <cmath>

#include "model/sensitivity/dependence.h"
#include "model/sensitivity/parameters.h"

namespace gpumodel {
namespace {

std::optional<Observation> observation(const VariedSide& side, const std::optional<double>& seconds) {
    if (!side.value || !seconds) {
        return std::nullopt;
    }
    return Observation{*side.value, *seconds, side.time.error_bound_pct};
}

struct Study {
    const StudiedLaunch& launch;
    const VariableSpec& spec;
    const StudyOptions& options;
    LaunchTime base;

    [[nodiscard]] LaunchTime time(const ArchSpec& arch) const {
        return time_launch(launch.program, arch, options);
    }

    [[nodiscard]] bool held_out(const Field& field) const {
        return options.simulate && field.key == "launch.sm_drift";
    }

    [[nodiscard]] VariedSide vary(const Field& field, Direction direction) const {
        VariedSide side;
        if (held_out(field)) {
            side.reason = "held out: all SMs alike";
            return side;
        }
        auto neighbour = spec_neighbour(spec, field, options.step, direction);
        if (!neighbour.arch) {
            side.reason = neighbour.reason;
            return side;
        }
        side.value = neighbour.value;
        const bool nothing_moves =
            acts_by_occupancy(field) && same_occupancy(launch.program, spec.arch(), *neighbour.arch);
        side.time = nothing_moves ? base : time(*neighbour.arch);
        side.reason = side.time.reason;
        return side;
    }

    void finish(SensitivityRow& row) const {
        const auto of = [&](bool simulated) {
            const auto& unchanged = row.base ? *row.base : base;
            const Observation at{row.value, unchanged.seconds(simulated).value_or(0),
                                 simulated ? unchanged.error_bound_pct : 0};
            auto low = observation(row.low, row.low.time.seconds(simulated));
            auto high = observation(row.high, row.high.time.seconds(simulated));
            for (auto* side : {&low, &high}) {
                if (*side && !simulated) {
                    (*side)->error_pct = 0;
                }
            }
            return elasticity_of(at, low, high);
        };
        row.elasticity = of(options.simulate);
        row.analytic = of(false).value;
    }

    [[nodiscard]] SensitivityRow key(const Field& field) const {
        SensitivityRow row;
        row.name = field.key;
        row.field = &field;
        row.value = spec.value(field).value_or(0);
        const auto known = spec.arch().provenance.find(field.key);
        if (known != spec.arch().provenance.end()) {
            row.source = known->second.source;
            row.estimated = known->second.estimated;
            row.uncertainty = stated_uncertainty(field, row.value, row.source);
        }
        row.low = vary(field, Direction::down);
        row.high = vary(field, Direction::up);
        return row;
    }
};

void for_all(const StudyOptions& options, std::size_t count, const std::function<void(std::size_t)>& work) {
    if (options.for_each) {
        options.for_each(count, work);
        return;
    }
    for (std::size_t i = 0; i < count; ++i) {
        work(i);
    }
}

StudyOptions with_equal_sms(StudyOptions options) {
    options.simulation.relax.uneven_sms = true;
    return options;
}

double weight(const SensitivityRow& row) {
    return row.elasticity.value ? std::abs(*row.elasticity.value) : -1;
}

}  // namespace

std::optional<double> SensitivityRow::stake() const {
    return elasticity.value && uncertainty ? std::optional(std::abs(*elasticity.value) * *uncertainty)
                                           : std::nullopt;
}

std::vector<const Field*> default_keys(const StudiedLaunch& launch, const VariableSpec& spec) {
    std::vector<const Field*> keys;
    for (const auto& field : schema()) {
        if (field.kind == FieldKind::number && spec.value(field) &&
            can_matter(field, launch.program, spec.arch())) {
            keys.push_back(&field);
        }
    }
    return keys;
}

LaunchTime predicted_time(const StudiedLaunch& launch, const VariableSpec& spec,
                          const StudyOptions& options) {
    return Study{launch, spec, options, {}}.time(spec.arch());
}

LaunchTime base_time(const StudiedLaunch& launch, const VariableSpec& spec, const StudyOptions& options) {
    return predicted_time(launch, spec, with_equal_sms(options));
}

SensitivityStudy study_sensitivity(const StudiedLaunch& launch, const VariableSpec& spec,
                                   const std::vector<const Field*>& keys, const StudyOptions& options) {
    const auto equal = with_equal_sms(options);
    SensitivityStudy study;
    study.predicted = predicted_time(launch, spec, options);
    Study work{launch, spec, equal, {}};
    study.base = work.base = work.time(spec.arch());
    if (!study.base.seconds(options.simulate)) {
        return study;
    }
    auto parameters = launch.family ? launch.family->family->params : std::vector<ParamSpec>{};
    std::erase_if(parameters,
                  [](const ParamSpec& parameter) { return !parameter.words.empty(); });  // no neighbours
    const bool registers = launch.program.resources.registers_per_thread > 0;
    study.keys.resize(keys.size());
    study.parameters.resize(parameters.size() + (registers ? 1 : 0));
    for_all(options, keys.size() + study.parameters.size(), [&](std::size_t i) {
        const auto p = i - keys.size();  // wraps for keys, which do not use it
        auto& row = i < keys.size() ? study.keys[i] : study.parameters[p];
        row = i < keys.size()         ? work.key(*keys[i])
              : p < parameters.size() ? vary_parameter(launch, parameters[p], spec.arch(), equal)
                                      : vary_registers(launch, spec.arch(), equal);
        work.finish(row);
    });
    return study;
}

std::vector<const SensitivityRow*> by_elasticity(const std::vector<SensitivityRow>& rows) {
    std::vector<const SensitivityRow*> order;
    order.reserve(rows.size());
    for (const auto& row : rows) {
        order.push_back(&row);
    }
    std::stable_sort(order.begin(), order.end(),
                     [](const auto* a, const auto* b) { return weight(*a) > weight(*b); });
    return order;
}

std::vector<const SensitivityRow*> uncertain_inputs(const std::vector<SensitivityRow>& rows) {
    std::vector<const SensitivityRow*> order;
    for (const auto* row : by_elasticity(rows)) {
        if (row->varied() && (row->estimated || row->uncertainty)) {
            order.push_back(row);
        }
    }
    std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
        return a->stake().value_or(-1) > b->stake().value_or(-1);
    });
    return order;
}

std::vector<WhatIf> what_if(const StudiedLaunch& launch, const VariableSpec& spec,
                            const std::vector<SpecChange>& changes, const StudyOptions& options) {
    std::vector<WhatIf> cases;
    cases.reserve(changes.size() + 1);
    for (const auto& change : changes) {
        cases.push_back({{change}, {}, {}, ""});
    }
    if (changes.size() > 1) {
        cases.push_back({changes, {}, {}, ""});
    }
    const auto equal = with_equal_sms(options);
    for_all(options, cases.size(), [&](std::size_t i) {
        const auto variant = spec.with(cases[i].changes);
        cases[i].reason = variant.reason;
        if (variant.arch) {
            cases[i].time = Study{launch, spec, options, {}}.time(*variant.arch);
            cases[i].equal_sms = Study{launch, spec, equal, {}}.time(*variant.arch);
            cases[i].reason = cases[i].time.reason;
        }
    });
    return cases;
}

}  // namespace gpumodel
