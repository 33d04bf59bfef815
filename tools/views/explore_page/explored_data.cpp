#include "tools/views/explore_page/explored_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "tools/views/explore_page/number_column.h"
#include "tools/views/occupancy/launch_request.h"
#include "tools/views/prediction/shared_rows.h"
#include "tools/views/result_json.h"

namespace gpumodel::cli::page {
namespace {

using Json = nlohmann::ordered_json;

// Names of an occupancy's figures, in the order in which explored_occupancy writes them.
const std::vector<std::string> occupancy_names{
    "blocks",       "warps",           "limiters",       "limit_warps",         "limit_registers",
    "limit_shared", "limit_blocks",    "limit_barriers", "registers_allocated", "shared_allocated",
    "carveout",     "registers_fewer", "shared_fewer",   "threads_fewer",       "over_registers",
    "over_threads", "over_shared"};

Json gpu_json(const ExploreGpu& gpu) {
    const auto& spec = gpu.spec();
    Json clocks = Json::array();
    for (const auto& clock : gpu.clocks) {
        clocks.push_back({{"set", clock.set}, {"hz", clock.sm_hz}});
    }
    return {{"arch", gpu.arch},
            {"name", spec.name},
            {"title", spec.marketing_name},
            {"generation", spec.generation},
            {"max_warps", spec.sm.max_warps},
            {"max_blocks", spec.sm.max_blocks},
            {"sms", spec.sm_count},
            {"banks", spec.sm.shared_memory.banks},
            {"clocks", clocks}};
}

Json axis_json(const Family& family, const ParamAxis& axis) {
    const auto spec = std::find_if(family.params.begin(), family.params.end(),
                                   [&axis](const ParamSpec& s) { return s.name == axis.key; });
    Json values = Json::array();
    std::size_t start = 0;
    for (std::size_t i = 0; i < axis.values.size(); ++i) {
        values.push_back(param_text(*spec, axis.values[i]));
        start = axis.values[i] == spec->default_value ? i : start;
    }
    return {{"key", axis.key}, {"meaning", spec->meaning}, {"values", values}, {"start", start}};
}

// Parameters that are no axis and not always what predict takes by itself, with their values.
Json following_json(const ExploreKernel& kernel, const std::vector<std::vector<double>>& followed) {
    Json list = Json::array();
    for (std::size_t i = 0; i < followed.size(); ++i) {
        const auto& name = kernel.following[i];
        const auto usual = static_cast<double>(kernel.family.defaults.at(name));
        if (std::any_of(followed[i].begin(), followed[i].end(),
                        [usual](double value) { return value != usual; })) {
            list.push_back({{"key", name}, {"values", number_column(followed[i], 1)}});
        }
    }
    return list;
}

}  // namespace

std::size_t SharedValues::place(Json value) {
    const auto [found, is_new] = known_.try_emplace(value.dump(), list_.size());
    if (is_new) {
        list_.push_back(std::move(value));
    }
    return found->second;
}

ExploredData::ExploredData(const ExplorePlan& plan) : plan_(plan), kernels_(plan.kernels.size()) {}

std::size_t ExploredData::cliff(const ArchSpec& arch, const OccupancyRequest& request, OccupancyAxis axis) {
    Json steps = Json::array();
    for (const auto& step : occupancy_cliffs(arch, request, axis)) {
        steps.push_back(step.up_to);
        steps.push_back(step.active_warps);
    }
    return cliffs_.place(std::move(steps));
}

std::size_t ExploredData::occupancy(const ArchSpec& arch, const ExploredLaunch& launch) {
    const auto& r = launch.resources;
    const auto key = fmt::format("{} {} {} {} {} {}", arch.name, r.threads, r.registers_per_thread,
                                 r.static_shared_bytes, r.dynamic_shared_bytes, r.barriers);
    if (const auto known = known_occupancies_.find(key); known != known_occupancies_.end()) {
        return known->second;
    }
    const auto& o = launch.occupancy;
    const auto request = request_of(r);
    Json figures{o.blocks_per_sm,
                 o.active_warps,
                 limiters_.place(limiter_names(o, " and ")),
                 o.limit_warps,
                 json_optional(o.limit_registers),
                 json_optional(o.limit_shared_memory),
                 o.limit_blocks,
                 json_optional(o.limit_barriers),
                 o.registers_allocated_per_block,
                 o.shared_allocated_bytes,
                 o.carveout_bytes,
                 json_optional(o.registers_fewer_for_next_block),
                 json_optional(o.shared_bytes_fewer_for_next_block),
                 json_optional(o.threads_fewer_for_next_block),
                 cliff(arch, request, OccupancyAxis::registers),
                 cliff(arch, request, OccupancyAxis::threads),
                 cliff(arch, request, OccupancyAxis::shared_memory)};
    return known_occupancies_[key] = occupancies_.place(std::move(figures));
}

std::size_t ExploredData::pictures(const ExploredLaunch& launch) {
    Json set = Json::array();
    for (const auto& access : launch.shared) {
        Json words = Json::array();
        for (const auto& word : access.words) {
            words.push_back(word.phase);
            words.push_back(word.bank);
            words.push_back(word.lanes);
        }
        set.push_back({{"sites", access.sites},
                       {"picture", pictures_.place({{"bits", access.bits},
                                                    {"phases", access.conflicts.phases},
                                                    {"wavefronts", access.conflicts.wavefronts},
                                                    {"words", words}})}});
    }
    return picture_sets_.place(std::move(set));
}

void ExploredData::add_times(const ExploredLaunch& launch, Columns& columns) {
    const auto row = columns.times["seconds"].size();
    for (const auto& time : launch.times) {
        const auto put = [&columns](const char* name, double value) { columns.times[name].push_back(value); };
        put("seconds", time.seconds);
        put("cycles", time.cycles);
        put("launch_seconds", time.launch_seconds);
        put("hz", time.sm_hz);
        put("peak_flops", time.peak_flops);
        put("achieved", time.achieved_occupancy);
        put("band", time.error_band_pct.value_or(std::numeric_limits<double>::quiet_NaN()));
        double mask = 0;  // of bound kinds; exact up to 53 of them
        for (const auto& bound : time.bounds) {
            const auto kind = bound_kinds_.place({{"name", bound.name}, {"formula", bound.formula}});
            columns.bounds.resize(std::max(columns.bounds.size(), kind + 1));
            columns.bounds[kind].resize(columns.times["seconds"].size());
            columns.bounds[kind].back() = bound.cycles;
            const bool limits = std::find(time.bottlenecks.begin(), time.bottlenecks.end(), bound.name) !=
                                time.bottlenecks.end();
            mask += limits ? static_cast<double>(std::uint64_t{1} << kind) : 0;
        }
        put("bottlenecks", mask);
    }
    for (auto& bound : columns.bounds) {
        bound.resize(row + launch.times.size());
    }
}

void ExploredData::add(const ExplorePlace& place, const ExploredLaunch& launch) {
    auto& columns = kernels_[place.kernel];
    columns.followed.resize(launch.followed.size());
    for (std::size_t i = 0; i < launch.followed.size(); ++i) {
        columns.followed[i].push_back(static_cast<double>(launch.followed[i]));
    }
    if (!launch.refused.empty()) {
        columns.refused.push_back(1 + static_cast<double>(reasons_.place(launch.refused)));
        return;
    }
    columns.refused.push_back(0);
    ++predicted_;
    const auto put = [&columns](const std::string& name, double value) {
        columns.once[name].push_back(value);
    };
    const auto& r = launch.resources;
    put("threads", r.threads);
    put("registers", r.registers_per_thread);
    put("shared_bytes", static_cast<double>(r.static_shared_bytes + r.dynamic_shared_bytes));
    put("registers_source", static_cast<double>(register_sources_.place(r.registers_source)));
    put("program", static_cast<double>(programs_.place(launch.program)));
    put("peak_unit", static_cast<double>(peak_units_.place(launch.peak_unit)));
    put("occupancy", static_cast<double>(occupancy(plan_.gpus[place.gpu].spec(), launch)));
    put("pictures", static_cast<double>(pictures(launch)));
    put("waves", launch.waves.waves);
    put("grid_x", static_cast<double>(launch.grid.x));
    put("grid_y", static_cast<double>(launch.grid.y));
    put("flops", launch.flops);
    put("bytes", launch.effective_bytes);
    add_times(launch, columns);
}

Json ExploredData::kernel_json(std::size_t index) const {
    const auto& kernel = plan_.kernels[index];
    const auto& columns = kernels_[index];
    const auto& family = *kernel.family.family;
    Json axes = Json::array();
    for (const auto& axis : kernel.family.grid.params) {
        axes.push_back(axis_json(family, axis));
    }
    Json once = Json::object();
    for (const auto& [name, values] : columns.once) {
        once[name] = number_column(values, 1);
    }
    const auto clocks = plan_.clock_names.size();
    Json times = Json::object();
    for (const auto& [name, values] : columns.times) {
        times[name] = number_column(values, clocks);
    }
    Json bounds = Json::array();
    for (const auto& values : columns.bounds) {
        bounds.push_back(values.empty() ? number_column({0}, 1) : number_column(values, clocks));
    }
    return {{"name", family.name},
            {"summary", family.summary},
            {"code", kernel.code_option},
            {"m", kernel.m},
            {"n", kernel.n},
            {"k", kernel.k},
            {"axes", axes},
            {"following", following_json(kernel, columns.followed)},
            {"refused", number_column(columns.refused, 1)},
            {"once", once},
            {"times", times},
            {"bounds", bounds}};
}

Json ExploredData::json() const {
    Json gpus = Json::array();
    for (const auto& gpu : plan_.gpus) {
        gpus.push_back(gpu_json(gpu));
    }
    Json kernels = Json::array();
    for (std::size_t i = 0; i < kernels_.size(); ++i) {
        kernels.push_back(kernel_json(i));
    }
    return {{"version", 1},
            {"gpus", gpus},
            {"clocks", plan_.clock_names},
            {"sets", plan_.sets},
            {"kernels", kernels},
            {"reasons", reasons_.list()},
            {"programs", programs_.list()},
            {"peak_units", peak_units_.list()},
            {"register_sources", register_sources_.list()},
            {"bound_kinds", bound_kinds_.list()},
            {"limiters", limiters_.list()},
            {"occupancy_names", occupancy_names},
            {"occupancies", occupancies_.list()},
            {"cliffs", cliffs_.list()},
            {"pictures", pictures_.list()},
            {"picture_sets", picture_sets_.list()}};
}

}  // namespace gpumodel::cli::page
