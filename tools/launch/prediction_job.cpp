#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <mutex>

#include "base/note.h"
#include "base/parse.h"
#include "base/process.h"
#include "model/analytic/predict.h"
#include "model/explain/bottleneck.h"
#include "model/launch/matrix_products.h"
#include "model/sim/predict_below.h"
#include "model/sim/sustained_clock.h"
#include "tools/cli/command.h"
#include "tools/launch/prediction_below.h"
#include "tools/views/prediction/disagreement.h"
#include "validate/accuracy/error_bands.h"

namespace gpumodel::cli {
namespace {

ProblemShape shape_of(const PredictionJob& job, const Family& family) {
    ProblemShape shape = family.default_shape;
    shape.m = job.m.value_or(shape.m);
    shape.n = job.n.value_or(shape.n);
    shape.k = job.k.value_or(shape.k);
    std::vector<Diagnostic> faults;
    for (const auto& [name, value] : {std::pair{"M", shape.m}, {"N", shape.n}, {"K", shape.k}}) {
        if (value < 1 || value > largest_dimension) {
            faults.push_back({"", 0, 0, name,
                              fmt::format("{} is out of range, allowed 1 to {}", value, largest_dimension)});
        }
    }
    if (!faults.empty()) {
        throw InputError(InputErrorKind::usage, std::move(faults));
    }
    return shape;
}

// Read once for each search path that this process has had.
const ErrorBands& error_bands_here() {
    static std::mutex mutex;
    static std::map<std::string, ErrorBands> known;
    const char* folders = environment_variable("GPUMODEL_ARCH_PATH");
    const std::string path = folders != nullptr ? folders : "";
    const std::lock_guard lock(mutex);
    auto found = known.find(path);
    if (found == known.end()) {
        found = known.emplace(path, load_error_bands()).first;
    }
    return found->second;
}

// What a model says of a program it cannot take.
Prediction refused(const KernelProgram& program, const ArchSpec& arch, const std::string& reason) {
    Prediction p;
    p.status = Status::error;
    p.reason = reason;
    p.arch = arch.name;
    p.kernel = program.kernel;
    p.params = program.params;
    p.m = program.m;
    p.n = program.n;
    p.k = program.k;
    p.grid = program.launch_grid();
    p.block = program.block;
    p.resources = program.resources;
    p.program_source = program.source;
    p.program_detail = program.source_detail;
    return p;
}

std::optional<Prediction> simulated(const DescribedLaunch& launch, const SimOptions& options,
                                    double most_seconds) {
    try {
        return predict_below(launch, options, most_seconds);
    } catch (const InputError& error) {
        auto p = refused(launch.program, launch.arch, joined_diagnostics(error));
        p.model = "simulate";
        return p;
    }
}

// Waits of blocks for one another may be most of the time, and nobody knows what lies beyond an allocation.
bool is_unsure(const Prediction& p) {
    const auto notes = read_notes(p.gaps);
    return std::any_of(notes.begin(), notes.end(), [](const Note& note) {
        return note.id == NoteId::waits_for_blocks || note.id == NoteId::waits_left_out ||
               note.id == NoteId::out_of_bounds;
    });
}

}  // namespace

const Family& require_family(const std::string& name, const std::string& option) {
    if (const auto* family = find_family(name)) {
        return *family;
    }
    throw InputError(InputErrorKind::usage,
                     {{option, 0, 0, name,
                       fmt::format("unknown kernel family; see 'gpumodel kernels list'{}",
                                   nearest_hint(name, family_names()))}});
}

std::vector<std::string> family_names() {
    std::vector<std::string> names;
    for (const auto& family : families()) {
        names.push_back(family.name);
    }
    return names;
}

ParamValues parse_params(const std::vector<std::string>& pairs, const std::string& where) {
    ParamValues values;
    std::vector<Diagnostic> faults;
    for (const auto& [key, text] : split_pairs(pairs, where)) {
        const auto value = param_value(key, text);
        if (!value) {
            const auto words = param_words(key);
            faults.push_back({where, 0, 0, key,
                              words.empty()
                                  ? fmt::format("'{}' is not a whole number", text)
                                  : fmt::format("'{}' is none of {}{}", text, fmt::join(words, ", "),
                                                nearest_hint(text, words))});
        } else if (!values.emplace(key, *value).second) {
            faults.push_back({where, 0, 0, key, "given twice"});
        }
    }
    if (!faults.empty()) {
        throw InputError(InputErrorKind::usage, std::move(faults));
    }
    return values;
}

void check_job(const PredictionJob& job) {
    (void)resolve_params(require_family(job.kernel, "--kernel"), job.params);
}

void apply_resources(const LaunchResources& asked, const ArchSpec& arch, KernelProgram& program) {
    auto& resources = program.resources;
    if (asked.registers) {
        resources.registers_per_thread = *asked.registers;
        resources.registers_estimated = false;
        resources.registers_source = "--registers";
        return;
    }
    if (asked.log.empty()) {
        return;
    }
    const auto& entry = select_entry(asked.log, asked.file, program.kernel, arch.generation);
    resources.registers_per_thread = entry.registers;
    resources.static_shared_bytes = entry.shared_bytes;
    resources.registers_estimated = false;
    resources.registers_source = fmt::format("{}:{}", asked.file, entry.line);
}

LaunchProgram infeasible_launch(const std::string& arch, const Family& family, const ParamValues& params,
                                const ProblemShape& shape, const std::string& reason) {
    LaunchProgram launch;
    auto& p = launch.infeasible;
    p.status = Status::infeasible;
    p.reason = reason;
    p.arch = arch;
    p.kernel = family.name;
    p.params = canonical_params(family, params);
    p.m = shape.m;
    p.n = shape.n;
    p.k = shape.k;
    return launch;
}

LaunchProgram lower_resolved(const Family& family, const ParamValues& params, const ProblemShape& shape,
                             const ArchSpec& arch, const LaunchResources& resources) {
    auto made = make_program(resources.provider.get(), family, params, shape, target_of(arch),
                             [&](KernelProgram& program) { apply_resources(resources, arch, program); });
    if (!made.program) {
        return infeasible_launch(arch.name, family, params, shape, made.infeasible_reason);
    }
    return {std::move(made.program), {}};
}

LaunchProgram lower_job(const PredictionJob& job, const ArchSpec& arch, const LaunchResources& resources) {
    const Family& family = require_family(job.kernel, "--kernel");
    const auto params = resolve_params(family, job.params);
    return lower_resolved(family, params, shape_of(job, family), arch, resources);
}

std::vector<Prediction> predict_launch(const LaunchProgram& launch, const ArchSpec& arch,
                                       const PredictSettings& settings) {
    return *predict_launch_below(launch, arch, settings, std::numeric_limits<double>::infinity());
}

std::optional<std::vector<Prediction>> predict_launch_below(const LaunchProgram& launch, const ArchSpec& arch,
                                                            const PredictSettings& settings,
                                                            double most_seconds) {
    if (!launch.program) {
        return for_each_model(launch.infeasible, settings.models);
    }
    auto described = describe_launch(*launch.program, arch, settings.simulate.l2, settings.detail);
    std::vector<Prediction> predictions;
    if (settings.models != ModelChoice::analytic) {
        auto p = simulated(described, settings.simulate, most_seconds);
        if (!p) {
            return std::nullopt;
        }
        p = hold_power(*launch.program, arch, settings.simulate, settings.detail, *std::move(p));
        if (settings.names_bottleneck && p->status == Status::ok) {
            name_bottleneck(*launch.program, at_clock_of(*p, arch), settings.simulate, *p);
        }
        predictions.push_back(*std::move(p));
    }
    if (settings.models != ModelChoice::simulate) {
        predictions.push_back(predict_analytic(std::move(described)));
    }
    if (predictions.size() == 2) {
        note_disagreement(predictions[0], predictions[1]);
    }
    const auto& bands = error_bands_here();
    const bool tensor = executes_matrix_products(*launch.program);
    for (auto& p : predictions) {
        // the bands of listings rest on kernels without tensor cores; time that swaps take again is an
        // estimate
        constexpr double most_retried = 0.1;
        const bool measured = (!tensor || launch.program->m > 0) &&
                              p.retried_cycles <= most_retried * p.cycles && !is_unsure(p);
        if (p.status != Status::partial && p.unknown_data.empty() && measured) {
            p.error_band_pct = error_band(bands, arch, p);
        }
        if (tensor && !p.error_band_pct) {
            p.gaps.push_back(noted(
                NoteId::no_band,
                "no error band: on such tensor-core kernels this model is not measured, or measured to be "
                "far off"));
        }
    }
    return predictions;
}

Glance glance_at_launch(const LaunchProgram& launch, const ArchSpec& arch, const PredictSettings& settings) {
    const auto described = describe_launch(*launch.program, arch, settings.simulate.l2);
    try {
        return glance_at(described, settings.simulate);
    } catch (const InputError&) {
        return {std::numeric_limits<double>::infinity(), 0};
    }
}

std::vector<Prediction> for_each_model(Prediction fault, ModelChoice models) {
    std::vector<Prediction> predictions;
    for (const auto& [choice, name] :
         {std::pair{ModelChoice::analytic, "simulate"}, {ModelChoice::simulate, "analytic"}}) {
        if (models != choice) {
            fault.model = name;
            predictions.push_back(fault);
        }
    }
    return predictions;
}

std::string joined_diagnostics(const InputError& error) {
    std::vector<std::string> lines;
    for (auto diagnostic : error.diagnostics()) {
        diagnostic.file.clear();
        lines.push_back(to_string(diagnostic));
    }
    return fmt::format("{}", fmt::join(lines, "; "));
}

}  // namespace gpumodel::cli
