// How the predicted time of one launch answers to each number of the spec and to each parameter of the
// kernel: elasticities by central differences over neighbouring legal values (elasticity.h,
// spec_variation.h).
//
// Both models run where the study simulates; the simulator's elasticity counts, the analytic one stands
// beside it. One key moves at a time, the others keep their values in their own units: a faster SM clock
// leaves latencies in cycles and DRAM bytes per second as they are. The instructions are those of the
// unchanged GPU. A varied kernel parameter is another program, with registers of its own; more or fewer
// registers per thread are the same program at another occupancy, spills are not modelled.
//
// Equal SMs: which SM gets the last block is decided as a whole block more or less, so that near such a
// decision every key would seem to matter. The study's simulations therefore hold out launch.sm_drift:
// equal blocks take equally long on all SMs (Relax::uneven_sms). `predicted` is the time with it.
//
// Ignored: keys that are words, flags or lists; interactions of several keys (what_if() moves them together).
#pragma once

#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/sensitivity/elasticity.h"
#include "model/sensitivity/launch_time.h"
#include "model/sensitivity/spec_variation.h"

namespace gpumodel {

// One side of a varied value.
struct VariedSide {
    std::optional<double> value;  // that was tried; empty: none is legal
    LaunchTime time;
    std::string reason;         // why there is no time
    bool other_source = false;  // its program would be of another source than the launch's
};

struct SensitivityRow {
    std::string name;              // key path or parameter
    const Field* field = nullptr;  // of keys
    double value = 0;              // base units
    VariedSide low, high;
    std::optional<LaunchTime> base;  // of parameters: generated code, where the neighbours have no other
    Elasticity elasticity;           // of the study's model
    std::optional<double> analytic;  // elasticity of the analytic model
    std::string source;              // of keys, "" = none given
    bool estimated = false;
    std::optional<double> uncertainty;  // relative, where the source states one

    [[nodiscard]] bool varied() const { return elasticity.value.has_value(); }
    // Told apart from nothing, extrapolation considered.
    [[nodiscard]] bool resolved() const {
        return varied() && std::abs(*elasticity.value) > elasticity.resolution;
    }
    // What is at stake: |elasticity| * uncertainty where one is stated.
    [[nodiscard]] std::optional<double> stake() const;
};

struct SensitivityStudy {
    LaunchTime predicted;
    LaunchTime base;                         // with equal SMs: what the rows start from
    std::vector<SensitivityRow> keys;        // in the order asked for
    std::vector<SensitivityRow> parameters;  // of the family in its order, then registers per thread
};

// The numbers of the spec that the launch can depend on, in schema order.
[[nodiscard]] std::vector<const Field*> default_keys(const StudiedLaunch& launch, const VariableSpec& spec);

// Of the unchanged spec: as predicted, and with equal SMs.
[[nodiscard]] LaunchTime predicted_time(const StudiedLaunch& launch, const VariableSpec& spec,
                                        const StudyOptions& options);
[[nodiscard]] LaunchTime base_time(const StudiedLaunch& launch, const VariableSpec& spec,
                                   const StudyOptions& options);

// `keys`: numbers. Without a base time (LaunchTime::reason) there are no rows.
[[nodiscard]] SensitivityStudy study_sensitivity(const StudiedLaunch& launch, const VariableSpec& spec,
                                                 const std::vector<const Field*>& keys,
                                                 const StudyOptions& options);

// |elasticity| descending, rows without one last; equal ones keep their order.
[[nodiscard]] std::vector<const SensitivityRow*> by_elasticity(const std::vector<SensitivityRow>& rows);
// Estimated or of stated uncertainty: by stake where it is known, then by |elasticity|.
[[nodiscard]] std::vector<const SensitivityRow*> uncertain_inputs(const std::vector<SensitivityRow>& rows);

struct WhatIf {
    std::vector<SpecChange> changes;
    LaunchTime time;       // as predicted
    LaunchTime equal_sms;  // as the study has it
    std::string reason;    // why there is no time
};
// Each change alone, and (several) all together, which comes last.
[[nodiscard]] std::vector<WhatIf> what_if(const StudiedLaunch& launch, const VariableSpec& spec,
                                          const std::vector<SpecChange>& changes,
                                          const StudyOptions& options);

}  // namespace gpumodel
