#include "validate/accuracy/launch_prediction.h"

#include <fmt/format.h>

#include "base/enum_table.h"
#include "model/sim/predict_simulated.h"
#include "traces/emulate/prepare/program_from_sass.h"
#include "traces/provide/program_provider.h"

namespace gpumodel {
namespace {

struct ProgramOrReason {
    std::optional<KernelProgram> program;
    std::string reason;
};

ProgramOrReason entry_program(const Measurement& m, const LaunchSettings& settings) {
    const auto* function = settings.listing != nullptr ? settings.listing->find(m) : nullptr;
    if (function == nullptr) {
        return {{}, fmt::format("{}: not in a listing", m.label)};
    }
    SassLaunch launch;
    launch.grid = m.entry->grid;
    launch.block = m.entry->block;
    launch.dynamic_shared_bytes = m.entry->dynamic_shared_bytes;
    launch.arguments = parse_arguments(m.entry->arguments);
    return {program_from_sass(*function, launch), {}};
}

// A measurement may carry parameters that the family fixes.
ParamValues known_params(const Measurement& m) {
    const auto& family = *find_family(m.family);
    ParamValues known;
    for (const auto& spec : family.params) {
        if (const auto found = m.params.find(spec.name); found != m.params.end()) {
            known.insert(*found);
        }
    }
    return resolve_params(family, known);
}

// `of_listing`: the code will be a listing's.
ProgramOrReason family_program(const Measurement& m, const ArchSpec& arch, bool of_listing) {
    const auto* family = find_family(m.family);
    if (family == nullptr) {
        return {{}, fmt::format("{}: no such family", m.family)};
    }
    const auto params = known_params(m);
    const ProblemShape shape{m.m, m.n, m.k};
    auto made = family->generated || !of_listing ? make_program(*family, params, shape, target_of(arch))
                                                 : lower_tiles(*family, params, shape, target_of(arch));
    if (!made.program) {
        return {{}, fmt::format("{}: {}", m.family, made.infeasible_reason)};
    }
    return {std::move(made.program), {}};
}

// The family's launch with the code that the compiler made of it.
ProgramOrReason with_listed_code(const KernelProgram& generated, const Measurement& m,
                                 const ListedKernels* listing) {
    const auto* function = listing != nullptr ? listing->find(m) : nullptr;
    if (function == nullptr) {
        return {{}, fmt::format("{}: instances without an entry in the listing", m.family)};
    }
    auto program = program_with_code(generated, *find_family(m.family), known_params(m),
                                     {*function, generated.resources.registers_per_thread,
                                      generated.resources.static_shared_bytes, 0, "listing"});
    return {std::move(program), {}};
}

ProgramOrReason program_of(const Measurement& m, const ArchSpec& arch, const LaunchSettings& settings) {
    if (m.entry) {
        return entry_program(m, settings);
    }
    const bool of_listing = on_compiled_code(settings.model);
    auto made = family_program(m, arch, of_listing);
    return made.program && of_listing ? with_listed_code(*made.program, m, settings.listing) : made;
}

}  // namespace

std::string_view to_string(ModelKind model) {
    constexpr auto names = enum_words<ModelKind>("simulate-sass", "simulate", "analytic", "analytic-sass");
    return names[static_cast<std::size_t>(model)];
}

LaunchPrediction predict_launch(const Measurement& m, const ArchSpec& arch, const LaunchSettings& settings) {
    if (m.entry && settings.model == ModelKind::simulate) {
        return {{}, fmt::format("{}: entries of a listing have no generated code", m.family)};
    }
    auto made = program_of(m, arch, settings);
    if (!made.program) {
        return {{}, std::move(made.reason)};
    }
    auto& resources = made.program->resources;
    if (m.registers && (settings.registers == RegisterSource::measured || on_compiled_code(settings.model))) {
        resources.registers_per_thread = *m.registers;
        resources.registers_estimated = false;
        resources.registers_source = "measured";
    }
    SimOptions simulation;
    simulation.l2 = settings.l2;
    auto prediction = is_analytic(settings.model) ? predict_analytic(*made.program, arch, {.l2 = settings.l2})
                                                  : predict_simulated(*made.program, arch, simulation);
    if (!is_predicted(prediction.status)) {
        return {{}, fmt::format("{}: {}", m.family, prediction.reason)};
    }
    return {std::move(prediction), {}};
}

std::string main_stall(const Prediction& prediction) {
    if (!prediction.simulation || prediction.simulation->warp_cycles <= 0) {
        return "";
    }
    const auto& cycles = prediction.simulation->stall_cycles;
    std::size_t most = stall_reason_count;
    for (std::size_t r = 0; r < stall_reason_count; ++r) {
        const auto reason = static_cast<StallReason>(r);
        if (reason != StallReason::selected && reason != StallReason::not_selected &&
            (most == stall_reason_count || cycles[r] > cycles[most])) {
            most = r;
        }
    }
    return fmt::format("{} {:.0f} %", stall_reason_names[most],
                       100 * cycles[most] / prediction.simulation->warp_cycles);
}

}  // namespace gpumodel
