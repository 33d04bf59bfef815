#include "tools/sweep/study.h"

#include <fmt/format.h>

#include <limits>

#include "base/hash.h"

namespace gpumodel::cli {
namespace {

std::int64_t saturated_sum(std::int64_t a, std::int64_t b) {
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    return b > most - a ? most : a + b;
}

Grid arch_grid(const std::vector<ArchAxis>& axes) {
    return {"", axes, {}, {}, {}};
}

}  // namespace

PointRange shard_range(const Shard& shard, std::int64_t points) {
    const auto base = points / shard.count;
    const auto longer = points % shard.count;  // the first ones take one more
    const auto before = shard.index - 1;
    const auto begin = before * base + std::min(before, longer);
    return {begin, begin + base + (before < longer ? 1 : 0)};
}

std::int64_t Study::arch_points() const {
    return arch_grid(arch_axes).arch_points();
}

std::int64_t Study::points_per_arch() const {
    std::int64_t count = 0;
    for (const auto& family : families) {
        count = saturated_sum(count, family.grid.points_per_arch());
    }
    return count;
}

std::int64_t Study::size() const {
    const auto each = points_per_arch();
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    return each != 0 && arch_points() > most / each ? most : arch_points() * each;
}

ArchPoint::ArchPoint(const Study& study, std::int64_t index)
    : study_(&study), index_(index), overrides_(arch_grid(study.arch_axes).overrides(index)) {}

const ArchSpec* ArchPoint::spec() const {
    std::call_once(once_, [this] { load(); });
    return spec_ ? &*spec_ : nullptr;
}

void ArchPoint::load() const {
    auto options = study_->arch;
    for (const auto& item : overrides_) {
        options.sets.push_back(fmt::format("{}={}", item.key, item.value));
    }
    try {
        spec_ = cli::load(options);
    } catch (const InputError& error) {
        if (error.kind() != InputErrorKind::usage) {
            throw;
        }
        fault_ = joined_diagnostics(error);
    }
}

ParamValues params_of(const FamilyGrid& family, const PredictionJob& job) {
    auto params = family.defaults;
    for (const auto& [key, value] : job.params) {
        params[key] = value;
    }
    if (family.family->imply != nullptr) {
        family.family->imply(job.params, params);
    }
    return params;
}

StudyPoint study_point(const Study& study, std::int64_t offset) {
    auto family = study.families.begin();
    for (; offset >= family->grid.points_per_arch(); ++family) {
        offset -= family->grid.points_per_arch();
    }
    const auto job = family->grid.job(offset);
    return {&*family,
            offset / family->grid.points_per_shape(),
            {*job.m, *job.n, *job.k},
            params_of(*family, job)};
}

LaunchProgram lower_point(const Study& study, const StudyPoint& point, const ArchPoint& arch) {
    const auto* spec = arch.spec();
    const auto refusal = point.family->grid.refusal(point.params);
    if (spec != nullptr && !refusal.empty()) {
        return infeasible_launch(study.arch_name, *point.family->family, point.params, point.shape, refusal);
    }
    if (spec != nullptr) {
        return lower_resolved(*point.family->family, point.params, point.shape, *spec,
                              study.settings.resources);
    }
    return infeasible_launch(study.arch_name, *point.family->family, point.params, point.shape, arch.fault());
}

std::string study_identity(const Study& study, const ArchSpec& base, bool keep_invalid) {
    auto text = fmt::format("{} {} {}", GPUMODEL_VERSION, base.name, base.content_hash);
    text += fmt::format(" {} {}", base.clock.most_hz.value_or(0), base.clock.sustained);
    for (const auto& axis : study.arch_axes) {
        text += fmt::format(" {}={}", axis.key, fmt::join(axis.values, ","));
    }
    for (const auto& family : study.families) {
        text += fmt::format(" {}", canonical_params(*family.family, family.defaults));
        text += fmt::format(" {}", family.family->name);
        for (const auto* axes : {&family.grid.params, &family.grid.implied}) {
            for (const auto& axis : *axes) {
                text += fmt::format(" {}={}", axis.key, fmt::join(axis.values, ","));
            }
        }
        for (const auto& shape : family.grid.shapes) {
            text += fmt::format(" {}x{}x{}", shape.m, shape.n, shape.k);
        }
    }
    const auto& settings = study.settings;
    text += fmt::format(" {} {} {} {} {} {}", static_cast<int>(settings.models),
                        static_cast<int>(settings.simulate.l2), settings.simulate.exact,
                        settings.simulate.max_cycles, settings.resources.registers.value_or(0), keep_invalid);
    if (settings.resources.provider) {
        text += " compiled";
    }
    return fmt::format("{:016x}", fnv1a<std::uint64_t>(text));
}

}  // namespace gpumodel::cli
