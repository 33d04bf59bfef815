#include "model/analytic/predict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "model/analytic/bounds.h"
#include "model/analytic/counters.h"

namespace gpumodel {
namespace {

// What the launch takes beyond a perfectly even deal of fractional blocks to all SMs.
double quantisation_cycles(const Waves& waves, const BlockTime& block, double total) {
    const double even = static_cast<double>(waves.blocks) / waves.sm_count;
    const double per_block = round_cycles(block, waves.blocks_per_sm) / waves.blocks_per_sm;
    return std::max(0.0, total - std::max(even * per_block, std::min(total, block.alone_cycles)));
}

SiteReport report_site(const AnalysedSite& s) {
    const double times = s.blocks * s.statistics.trips;
    SiteReport r;
    r.name = s.site->name;
    r.segment = s.segment->name;
    r.space = is_private(*s.site) ? MemorySpace::local : s.site->space;
    r.kind = s.site->kind;
    r.bits = 8 * s.site->bytes_per_lane();
    r.instructions = times * s.statistics.accesses;
    r.sectors = times * s.statistics.sectors;
    r.ideal_sectors = times * s.statistics.bytes_requested / 32;
    r.wavefronts = times * s.statistics.wavefronts;
    r.ideal_wavefronts = times * s.statistics.phases;
    r.degree = s.statistics.degree;
    r.l2_bytes = s.blocks * s.l2_bytes_per_block;
    return r;
}

void add(SiteReport& sum, const SiteReport& r) {
    sum.instructions += r.instructions;
    sum.sectors += r.sectors;
    sum.ideal_sectors += r.ideal_sectors;
    sum.wavefronts += r.wavefronts;
    sum.ideal_wavefronts += r.ideal_wavefronts;
    sum.degree = std::max(sum.degree, r.degree);
    sum.l2_bytes += r.l2_bytes;
}

// Code addresses in names ("LDG.E @0x01c0") order as numbers do.
std::pair<std::size_t, std::string> code_address(const SiteReport& r) {
    const auto at = r.name.find('@');
    const auto digits = at == std::string::npos ? std::string() : r.name.substr(at);
    return {digits.size(), digits};
}

// At instruction level the executions of one instruction, in several segments and variants, are one row.
std::vector<SiteReport> report_sites(const KernelProgram& program, const std::vector<AnalysedSite>& sites) {
    std::vector<SiteReport> list;
    const bool by_instruction = has_code(program);
    std::map<std::tuple<std::string, MemorySpace>, std::size_t> rows;
    for (const auto& s : sites) {
        auto r = report_site(s);
        const auto [row, first] = rows.try_emplace({r.name, r.space}, list.size());
        if (first || !by_instruction) {
            list.push_back(std::move(r));
        } else {
            add(list[row->second], r);
        }
    }
    if (by_instruction) {
        std::stable_sort(list.begin(), list.end(), [](const SiteReport& a, const SiteReport& b) {
            return code_address(a) < code_address(b);
        });
    }
    return list;
}

void note_estimates(const KernelProgram& program, const std::vector<AnalysedSite>& sites,
                    const ArchSpec& arch, Prediction& p) {
    if (program.resources.registers_estimated) {
        p.estimates.push_back(
            fmt::format("registers per thread ({})", program.resources.registers_per_thread));
    }
    if (!has_code(program)) {
        p.estimates.emplace_back("integer and control instruction mix, loop unrolling");
    }
    if (std::any_of(sites.begin(), sites.end(),
                    [](const AnalysedSite& s) { return s.site->kind == AccessKind::atomic; })) {
        p.estimates.emplace_back("cost of atomics");
    }
    for (const auto& [key, value] : arch.provenance) {
        if (value.estimated) {
            p.estimates.push_back(key);
        }
    }
}

void note_gaps(const KernelProgram& program, const ArchSpec& arch, Prediction& p) {
    if (arch.sm.register_file.banks * arch.sm.register_file.reads_per_bank_per_cycle <= 0) {
        p.gaps.emplace_back("register ports: unpublished for this generation, not limited");
    }
    if (arch.sm.shared_memory.latency_32_cycles <= 0) {
        p.gaps.emplace_back("shared-memory latency: unknown, not counted");
    }
    if (arch.launch.blocks_per_cycle <= 0) {
        p.gaps.emplace_back("block dispatch rate: unknown, not limited");
    }
    for (const auto& note : program.notes) {
        p.gaps.push_back(note);
    }
    p.gaps.emplace_back(has_code(program)
                            ? "instruction order: waits and register ports only, control words not modelled"
                            : "instruction order and control words: not modelled (tile-level counts)");
}

void fill_time(const BlockTime& block, const ArchSpec& arch, Prediction& p) {
    const auto& w = p.waves;
    p.terms.steady_cycles = static_cast<double>(w.full_rounds) * round_cycles(block, w.blocks_per_sm);
    p.terms.tail_cycles = round_cycles(block, w.tail_blocks);
    const double dispatch =
        arch.launch.blocks_per_cycle > 0 ? static_cast<double>(w.blocks) / arch.launch.blocks_per_cycle : 0;
    p.cycles = std::max(p.terms.steady_cycles + p.terms.tail_cycles, dispatch);
    p.terms.quantisation_cycles = quantisation_cycles(w, block, p.terms.steady_cycles + p.terms.tail_cycles);
    p.terms.launch_seconds = arch.launch.overhead_seconds;
    p.terms.block_alone_cycles = block.alone_cycles;
    p.terms.block_latency_cycles = block.latency_cycles;
    p.terms.block_barrier_cycles = block.barrier_cycles;
    p.terms.block_demand_cycles = largest(block.demand);
    p.time_seconds = p.cycles / arch.clock.sm_hz + arch.launch.overhead_seconds;
}

// Mean active warps over the SMs and the launch, of the maximum.
double achieved_occupancy(const BlockTime& block, const Prediction& p, const ArchSpec& arch) {
    const auto& w = p.waves;
    const auto resident = std::min<std::int64_t>(w.busiest_sm_blocks, w.blocks_per_sm);
    const double lifetime = round_cycles(block, static_cast<int>(resident));
    const double warp_cycles = static_cast<double>(w.blocks) * p.occupancy.warps_per_block * lifetime;
    const double average = warp_cycles / (static_cast<double>(w.sm_count) * p.cycles);
    return std::min(average / arch.sm.max_warps, p.occupancy.occupancy);
}

Prediction describe_launch(const KernelProgram& program, const ArchSpec& arch) {
    Prediction p;
    p.arch = arch.name;
    p.kernel = program.kernel;
    p.params = program.params;
    p.m = program.m;
    p.n = program.n;
    p.k = program.k;
    p.flops = program.flops;
    p.effective_bytes = program.effective_bytes;
    p.peak_flops = arch.peak_fp32_flops;
    p.grid = program.grid;
    p.block = program.block;
    p.resources = program.resources;
    p.occupancy = launch_occupancy(program, arch);
    return p;
}

}  // namespace

std::string_view to_string(Status status) {
    switch (status) {
        case Status::ok:
            return "ok";
        case Status::infeasible:
            return "infeasible";
        default:
            return "error";
    }
}

Occupancy launch_occupancy(const KernelProgram& program, const ArchSpec& arch) {
    OccupancyRequest request;
    request.threads_per_block = program.resources.threads;
    request.registers_per_thread = program.resources.registers_per_thread;
    request.shared_bytes_per_block =
        program.resources.static_shared_bytes + program.resources.dynamic_shared_bytes;
    request.barriers_per_block = program.resources.barriers;
    // static arrays cannot use the opt-in range
    request.allow_optin_shared = program.resources.static_shared_bytes == 0;
    return compute_occupancy(arch, request);
}

std::int64_t l1_capacity(const ArchSpec& arch, const Occupancy& occupancy) {
    if (!arch.l1.unified_with_shared) {
        return arch.l1.unified_bytes;
    }
    const std::int64_t used = occupancy.shared_allocated_bytes * occupancy.blocks_per_sm;
    for (const auto carveout : arch.sm.shared_memory.carveouts_bytes) {
        if (carveout >= used) {
            return arch.l1.unified_bytes - carveout;
        }
    }
    return arch.l1.unified_bytes - arch.sm.shared_memory.carveouts_bytes.back();
}

Prediction predict_analytic(const KernelProgram& program, const ArchSpec& arch,
                            const PredictOptions& options) {
    Prediction p = describe_launch(program, arch);
    if (p.occupancy.blocks_per_sm == 0) {
        p.status = Status::infeasible;
        p.reason = p.occupancy.infeasible_reason;
        return p;
    }
    p.waves = deal_blocks(program.grid.count(), arch.sm_count, p.occupancy.blocks_per_sm);
    const auto flat = flatten(program);
    auto sites = analyse_sites(program, flat, arch);
    p.traffic = analyse_traffic(program, sites, p.waves, arch, l1_capacity(arch, p.occupancy), options.l2);
    const auto block = block_time(program, sites, arch, memory_rules(arch, p.traffic, p.waves));
    fill_time(block, arch, p);
    p.achieved_occupancy = achieved_occupancy(block, p, arch);
    p.bounds = list_bounds(block, p.waves, arch);
    p.bottlenecks = find_bottlenecks(p.bounds, p.cycles);
    p.bottleneck_words = describe_bottleneck(p);
    p.sites = report_sites(program, sites);
    p.counters = predicted_counters(program, flat, sites, arch, p);
    note_estimates(program, sites, arch, p);
    note_gaps(program, arch, p);
    return p;
}

}  // namespace gpumodel
