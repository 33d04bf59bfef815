#include "tools/prediction_job.h"

#include <fmt/format.h>

#include <charconv>

#include "tools/command.h"

namespace gpumodel::cli {
namespace {

std::vector<std::string> family_names() {
    std::vector<std::string> names;
    for (const auto& family : families()) {
        names.push_back(family.name);
    }
    return names;
}

const Family& require_family(const std::string& name) {
    if (const auto* family = find_family(name)) {
        return *family;
    }
    throw InputError(InputErrorKind::usage,
                     {{"--kernel", 0, 0, name,
                       fmt::format("unknown kernel family; see 'gpumodel kernels list'{}",
                                   nearest_hint(name, family_names()))}});
}

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

void apply_resources(const JobSettings& settings, const ArchSpec& arch, KernelProgram& program) {
    auto& resources = program.resources;
    if (settings.registers) {
        resources.registers_per_thread = *settings.registers;
        resources.registers_estimated = false;
        resources.registers_source = "--registers";
        return;
    }
    if (settings.resource_log.empty()) {
        return;
    }
    const auto& entry =
        select_entry(settings.resource_log, settings.resource_file, program.kernel, arch.generation);
    resources.registers_per_thread = entry.registers;
    resources.static_shared_bytes = entry.shared_bytes;
    resources.registers_estimated = false;
    resources.registers_source = fmt::format("{}:{}", settings.resource_file, entry.line);
}

}  // namespace

ParamValues parse_params(const std::vector<std::string>& pairs, const std::string& where) {
    ParamValues values;
    std::vector<Diagnostic> faults;
    for (const auto& [key, text] : split_pairs(pairs, where)) {
        std::int64_t value = 0;
        if (key == "UNROLL" && text == "auto") {
            values.emplace(key, 0);
            continue;
        }
        const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
        if (result.ec != std::errc() || result.ptr != text.data() + text.size()) {
            faults.push_back({where, 0, 0, key, fmt::format("'{}' is not a whole number", text)});
        } else if (!values.emplace(key, value).second) {
            faults.push_back({where, 0, 0, key, "given twice"});
        }
    }
    if (!faults.empty()) {
        throw InputError(InputErrorKind::usage, std::move(faults));
    }
    return values;
}

void check_job(const PredictionJob& job) {
    (void)resolve_params(require_family(job.kernel), job.params);
}

Prediction run_job(const PredictionJob& job, const ArchSpec& arch, const JobSettings& settings) {
    const Family& family = require_family(job.kernel);
    const auto params = resolve_params(family, job.params);
    const auto shape = shape_of(job, family);
    auto lowered = make_program(family, params, shape, target_of(arch));
    if (!lowered.program) {
        Prediction p;
        p.status = Status::infeasible;
        p.reason = lowered.infeasible_reason;
        p.arch = arch.name;
        p.kernel = family.name;
        p.params = canonical_params(family, params);
        p.m = shape.m;
        p.n = shape.n;
        p.k = shape.k;
        return p;
    }
    return run_program(std::move(*lowered.program), arch, settings);
}

Prediction run_program(KernelProgram program, const ArchSpec& arch, const JobSettings& settings) {
    apply_resources(settings, arch, program);
    return predict_analytic(program, arch, settings.predict);
}

}  // namespace gpumodel::cli
