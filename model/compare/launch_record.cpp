#include "model/compare/launch_record.h"

#include <fmt/format.h>

#include <algorithm>

namespace gpumodel {
namespace {

void add_optional(std::optional<double>& total, const std::optional<double>& more) {
    if (more) {
        total = total.value_or(0) + *more;
    }
}

SiteRecord site_of(const SiteReport& s) {
    SiteRecord site{
        s.name, std::string(to_string(s.space)), std::string(to_string(s.kind)), s.instructions, {}, {}, {},
        {}};
    if (s.space == MemorySpace::shared) {
        site.wavefronts = s.wavefronts;
        site.conflict_degree = s.degree;
    } else {
        site.sectors = s.sectors;
        site.l2_bytes = s.l2_bytes;
    }
    return site;
}

std::vector<Quantity> resources_of(const Prediction& p) {
    std::vector<Quantity> list;
    if (p.resources.threads > 0) {
        list = {{"threads_per_block", static_cast<double>(p.resources.threads)},
                {"registers_per_thread", static_cast<double>(p.resources.registers_per_thread)},
                {"shared_bytes_per_block",
                 static_cast<double>(p.resources.static_shared_bytes + p.resources.dynamic_shared_bytes)}};
    }
    if (is_predicted(p.status)) {
        list.push_back({"blocks_per_sm", static_cast<double>(p.occupancy.blocks_per_sm)});
        list.push_back({"theoretical_occupancy", p.occupancy.occupancy});
        list.push_back({"achieved_occupancy", p.achieved_occupancy});
        list.push_back({"waves", p.waves.waves});
    }
    return list;
}

void add_time(const Prediction& p, LaunchRecord& record) {
    record.time_us = p.time_seconds * 1e6;
    record.cycles = p.cycles;
    record.launch_us = p.terms.launch_seconds * 1e6;
    if (p.flops > 0) {
        record.gflops = p.flops_per_second() / 1e9;
    }
    record.error_band_pct = p.error_band_pct;
    if (!p.simulation) {
        record.rounds = RoundCycles{p.terms.steady_cycles, p.terms.tail_cycles};
        return;
    }
    for (std::size_t r = 0; r < stall_reason_count; ++r) {
        if (p.simulation->stall_cycles[r] > 0) {
            record.stall_warp_cycles.push_back(
                {std::string(stall_reason_names[r]), p.simulation->stall_cycles[r]});
        }
    }
}

}  // namespace

void add_site(std::vector<SiteRecord>& sites, const SiteRecord& site) {
    const auto same = std::find_if(sites.begin(), sites.end(), [&site](const SiteRecord& s) {
        return s.name == site.name && s.space == site.space && s.kind == site.kind;
    });
    if (same == sites.end()) {
        sites.push_back(site);
        return;
    }
    same->instructions += site.instructions;
    add_optional(same->sectors, site.sectors);
    add_optional(same->l2_bytes, site.l2_bytes);
    add_optional(same->wavefronts, site.wavefronts);
    if (site.conflict_degree) {
        same->conflict_degree = std::max(same->conflict_degree.value_or(0), *site.conflict_degree);
    }
}

LaunchRecord record_of(const Prediction& p) {
    LaunchRecord record;
    record.arch = p.arch;
    record.kernel = p.kernel;
    record.params = p.params;
    record.m = p.m;
    record.n = p.n;
    record.k = p.k;
    record.model = p.model;
    record.status = p.status;
    record.reason = p.reason;
    record.resources = resources_of(p);
    std::vector<std::string_view> limiters;
    for (const auto limiter : p.occupancy.limiters) {
        limiters.push_back(to_string(limiter));
    }
    record.occupancy_limiter = fmt::format("{}", fmt::join(limiters, "+"));
    if (!is_predicted(p.status)) {
        return record;
    }
    add_time(p, record);
    for (const auto& bound : p.bounds) {
        record.bounds.push_back({bound.name, bound.cycles});
    }
    for (const auto& counter : p.counters) {
        record.counters.push_back({std::string(counter.name), counter.value});
    }
    for (const auto& site : p.sites) {
        add_site(record.sites, site_of(site));
    }
    record.bottleneck = p.bottlenecks.empty() ? "unknown" : fmt::format("{}", fmt::join(p.bottlenecks, "+"));
    return record;
}

}  // namespace gpumodel
