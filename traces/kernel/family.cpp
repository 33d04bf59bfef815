#include "traces/kernel/family.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/diagnostics.h"
#include "base/parse.h"
#include "traces/kernel/compiler/registers.h"
#include "traces/kernel/families/family_list.h"

namespace gpumodel {

namespace {

const std::vector<Family>& all_families() {
#define GPUMODEL_LIST_FAMILY(name) name##_family(),
    static const std::vector<Family> list{GPUMODEL_FAMILIES(GPUMODEL_LIST_FAMILY)};
#undef GPUMODEL_LIST_FAMILY
    return list;
}

// Static shared memory of one block: 16 KiB on cc 1.x, 48 KiB since (CUDA programming guide, technical
// specifications per compute capability; more needs dynamic shared memory and an opt-in).
std::int64_t static_shared_limit(const Target& target) {
    return target.cc.major < 2 ? 16384 : 49152;
}

// Largest grid (same table): x 65535 before cc 3.0, 2^31 - 1 since; y 65535.
std::int64_t grid_x_limit(const Target& target) {
    return target.cc.major < 3 ? 65535 : 2147483647;
}
constexpr std::int64_t grid_y_limit = 65535;

void check_launch(RuleCheck& rules, const KernelProgram& program, const Target& target) {
    rules
        .at_most({"threads per block", program.resources.threads},
                 {"the maximum of the architecture", target.max_threads_per_block})
        .at_most({"static shared memory per block", program.resources.static_shared_bytes},
                 {"the limit in bytes", static_shared_limit(target)})
        .at_most({"grid x", program.grid.x}, {"the limit of the architecture", grid_x_limit(target)})
        .at_most({"grid y", program.grid.y}, {"the limit of the architecture", grid_y_limit});
}

std::string allowed_values(const ParamSpec& spec) {
    if (!spec.words.empty()) {
        return fmt::format("allowed: {}", fmt::join(spec.words, ", "));
    }
    return spec.fixed ? fmt::format("only {} is valid", spec.default_value)
                      : fmt::format("allowed: {} to {}", spec.min, spec.max);
}

const ParamSpec* find_param(const Family& family, const std::string& name) {
    for (const ParamSpec& spec : family.params) {
        if (spec.name == name) {
            return &spec;
        }
    }
    return nullptr;
}

Diagnostic unknown_param(const Family& family, const std::string& name) {
    std::vector<std::string> known;
    for (const ParamSpec& spec : family.params) {
        known.push_back(spec.name);
    }
    for (const DerivedParam& derived : family.derived) {
        known.push_back(derived.name);
    }
    return {"-p", 0, 0, name,
            fmt::format("{} has no such parameter{}", family.name, nearest_hint(name, known))};
}

bool is_allowed(const ParamSpec& spec, std::int64_t value) {
    return spec.fixed ? value == spec.default_value : value >= spec.min && value <= spec.max;
}

// Where a rule of the family is broken nothing is implied; lowering names the rule.
void check_derived(const Family& family, const ParamValues& given, const ParamValues& resolved,
                   std::vector<Diagnostic>& faults) {
    for (const DerivedParam& derived : family.derived) {
        const auto asked = given.find(derived.name);
        const auto implied = asked == given.end() ? std::nullopt : derived.value(resolved);
        if (implied && *implied != asked->second) {
            const std::string value = std::to_string(*implied);
            faults.push_back({"-p", 0, 0, derived.name,
                              fmt::format("is {}; only {} is valid{}", asked->second, value,
                                          derived.formula == value ? "" : ", which is " + derived.formula)});
        }
    }
}

}  // namespace

Target target_of(const ArchSpec& arch) {
    return {.cc = arch.cc,
            .warp_size = arch.sm.warp_size,
            .max_threads_per_block = arch.sm.max_threads_per_block,
            .max_registers_per_thread = arch.sm.register_file.max_per_thread,
            .registers_per_block = arch.sm.register_file.max_per_block,
            .max_shared_per_block = arch.sm.shared_memory.max_per_block_optin_bytes.value_or(
                arch.sm.shared_memory.max_per_block_bytes),
            .sm_count = arch.sm_count};
}

std::span<const Family> families() {
    return all_families();
}

std::span<const Family> generated_families() {
    const auto& all = all_families();
    const auto first = std::find_if(all.begin(), all.end(), [](const Family& f) { return !f.generated; });
    return families().first(static_cast<std::size_t>(std::distance(all.begin(), first)));
}

const Family* find_family(std::string_view name) {
    for (const Family& family : all_families()) {
        if (family.name == name) {
            return &family;
        }
    }
    return nullptr;
}

const DerivedParam* find_derived(const Family& family, std::string_view name) {
    const auto found = std::find_if(family.derived.begin(), family.derived.end(),
                                    [name](const DerivedParam& derived) { return derived.name == name; });
    return found == family.derived.end() ? nullptr : &*found;
}

ParamValues resolve_params(const Family& family, const ParamValues& given) {
    std::vector<Diagnostic> faults;
    ParamValues resolved;
    for (const ParamSpec& spec : family.params) {
        resolved[spec.name] = spec.default_value;
    }
    for (const auto& [name, value] : given) {
        const ParamSpec* spec = find_param(family, name);
        if (find_derived(family, name) != nullptr) {
            continue;
        }
        if (spec == nullptr) {
            faults.push_back(unknown_param(family, name));
        } else if (!is_allowed(*spec, value)) {
            faults.push_back({"-p", 0, 0, name, fmt::format("is {}; {}", value, allowed_values(*spec))});
        } else {
            resolved[name] = value;
        }
    }
    if (faults.empty() && family.imply != nullptr) {
        family.imply(given, resolved);
    }
    if (faults.empty()) {
        check_derived(family, given, resolved, faults);
    }
    if (!faults.empty()) {
        throw InputError(InputErrorKind::usage, std::move(faults));
    }
    return resolved;
}

namespace {

void set_registers(const KernelCode& code, const Target& target, BlockResources& resources) {
    resources.registers_estimated = true;
    resources.registers_per_thread = estimate_registers(code, target);
    resources.registers_source = fmt::format("estimate, sm_{}", target.cc.number());
}

}  // namespace

FamilyResult lower_tiles(const Family& family, const ParamValues& resolved, const ProblemShape& shape,
                         const Target& target) {
    if (!family.only_target.empty() && target.cc.number() != family.min_compute_capability) {
        return infeasible(fmt::format(
            "{} needs {}: its instructions are those of compute capability {}.{} alone; the target has {}.{}",
            family.name, family.only_target, family.min_compute_capability / 10,
            family.min_compute_capability % 10, target.cc.major, target.cc.minor));
    }
    if (target.cc.number() < family.min_compute_capability) {
        return infeasible(fmt::format("{} needs compute capability {}.{} or later; the target has {}.{}",
                                      family.name, family.min_compute_capability / 10,
                                      family.min_compute_capability % 10, target.cc.major, target.cc.minor));
    }
    if (shape.m < 1 || shape.n < 1 || shape.k < 1) {
        return infeasible(fmt::format("M = {}, N = {}, K = {} must be positive", shape.m, shape.n, shape.k));
    }
    FamilyResult result = family.lower(resolved, shape, target);
    if (!result.program) {
        return result;
    }
    KernelProgram& program = *result.program;
    RuleCheck rules;
    check_launch(rules, program, target);
    if (!rules.ok()) {
        return infeasible(rules.reason());
    }
    program.kernel = family.name;
    program.params = canonical_params(family, resolved);
    program.m = shape.m;
    program.n = shape.n;
    program.k = shape.k;
    if (family.generated) {
        set_registers(result.code, target, program.resources);
    }
    return result;
}

std::string param_text(const ParamSpec& spec, std::int64_t value) {
    if (!spec.words.empty()) {
        return spec.words.at(static_cast<std::size_t>(value));
    }
    return spec.name == "UNROLL" && value == 0 ? "auto" : std::to_string(value);
}

std::vector<std::string> param_words(std::string_view name) {
    for (const Family& family : all_families()) {
        for (const ParamSpec& spec : family.params) {
            if (spec.name == name && !spec.words.empty()) {
                return spec.words;
            }
        }
    }
    return {};
}

std::optional<std::int64_t> param_value(std::string_view name, std::string_view text) {
    if (name == "UNROLL" && text == "auto") {
        return 0;
    }
    const auto words = param_words(name);
    const auto found = std::find(words.begin(), words.end(), text);
    return found != words.end() ? std::distance(words.begin(), found) : parse_number<std::int64_t>(text);
}

std::string canonical_params(const Family& family, const ParamValues& resolved) {
    std::string text;
    for (const ParamSpec& spec : family.params) {
        text += text.empty() ? "" : ";";
        text += spec.name;
        text += '=';
        text += param_text(spec, resolved.at(spec.name));
    }
    return text;
}

}  // namespace gpumodel
