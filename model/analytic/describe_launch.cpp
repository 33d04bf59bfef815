#include "model/analytic/describe_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

#include "base/note.h"
#include "base/units.h"
#include "model/analytic/bounds.h"
#include "model/analytic/describe_at.h"
#include "model/launch/cluster_room.h"
#include "model/launch/compute_peak.h"
#include "model/launch/matrix_products.h"
#include "model/memory/atomic_bound.h"
#include "model/memory/swap_contention.h"
#include "model/power/launch_power.h"

namespace gpumodel {
namespace {

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
    // an access of one word by all lanes takes a sector all the same
    r.ideal_sectors = times * std::max(s.statistics.bytes_requested / 32, s.statistics.accesses);
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

// The executions of one instruction or access, in several segments and variants, are one row.
std::vector<SiteReport> report_sites(const std::vector<AnalysedSite>& sites) {
    std::vector<SiteReport> list;
    std::map<std::tuple<std::string, MemorySpace>, std::size_t> rows;
    for (const auto& s : sites) {
        auto r = report_site(s);
        const auto [row, first] = rows.try_emplace({r.name, r.space}, list.size());
        if (first) {
            list.push_back(std::move(r));
        } else {
            add(list[row->second], r);
        }
    }
    std::stable_sort(list.begin(), list.end(), [](const SiteReport& a, const SiteReport& b) {
        return code_address(a) < code_address(b);
    });
    return list;
}

// Matrix products are a matter of their own: what a spec estimates of them is no estimate in other kernels.
bool is_unused_tensor_key(const std::string& key, const TensorClasses& used) {
    if (key.starts_with("sm.pipes.tensor.")) {
        return std::find(used.begin(), used.end(), true) == used.end();
    }
    constexpr std::string_view ops = "sm.ops.";
    if (!key.starts_with(ops)) {
        return false;
    }
    const auto op = std::string_view(key).substr(ops.size());
    for (std::size_t i = 0; i < op_class_count; ++i) {
        if (op_classes[i].group == OpGroup::tensor && !used[i] && op.starts_with(op_class_names[i]) &&
            op.substr(op_class_names[i].size()).starts_with('.')) {
            return true;
        }
    }
    return false;
}

void note_estimates(const KernelProgram& program, const std::vector<AnalysedSite>& sites,
                    const ArchSpec& arch, Prediction& p) {
    const auto tensor = tensor_classes(program);
    if (program.resources.registers_estimated) {
        p.estimates.push_back(
            fmt::format("registers per thread ({})", program.resources.registers_per_thread));
    }
    p.estimates.insert(p.estimates.end(), program.estimates.begin(), program.estimates.end());
    if (std::any_of(sites.begin(), sites.end(),
                    [](const AnalysedSite& s) { return s.site->kind == AccessKind::atomic; })) {
        p.estimates.emplace_back("cost of atomics");
    }
    for (const auto& [key, value] : arch.provenance) {
        if (value.estimated && !is_unused_tensor_key(key, tensor)) {
            p.estimates.push_back(key);
        }
    }
}

// "HMMA.1688.F32 2 times (4096 executed, first at 0x0100), ...".
std::string skipped_words(const KernelProgram& program) {
    std::string list;
    for (const auto& s : program.skipped) {
        list += fmt::format("{}{} {} time{} ({:.0f} executed, first at {:#06x})", list.empty() ? "" : ", ",
                            s.mnemonic, s.places, s.places == 1 ? "" : "s", s.executed, s.address);
    }
    return "stepped over, priced as a move: " + list;
}

Prediction identity_of(const KernelProgram& program, const ArchSpec& arch) {
    Prediction p;
    p.arch = arch.name;
    p.sm_hz = launch_clock(arch, program);
    p.kernel = program.kernel;
    p.params = program.params;
    p.m = program.m;
    p.n = program.n;
    p.k = program.k;
    p.flops = program.flops;
    p.effective_bytes = program.effective_bytes;
    auto peak = busiest_peak(program, arch);
    p.peak_flops = peak.flops_per_second;
    p.peak_unit = std::move(peak.unit);
    p.grid = program.launch_grid();
    p.block = program.block;
    p.resources = program.resources;
    p.unknown_data = program.unknown_data;
    p.program_source = program.source;
    p.program_detail = program.source_detail;
    p.occupancy = launch_occupancy(program, arch);
    return p;
}

void set_block_terms(const BlockTime& block, const ArchSpec& arch, TimeTerms& terms) {
    terms.launch_seconds = arch.launch.overhead_seconds;
    terms.block_alone_cycles = block.alone_cycles;
    terms.block_latency_cycles = block.latency_cycles;
    terms.block_barrier_cycles = block.barrier_cycles;
    terms.block_demand_cycles = largest(block.demand);
}

void note_promised_clock(const ArchSpec& arch, Prediction& p) {
    if (const auto base = promised_clock(arch, p.sm_hz)) {
        const auto words = print_quantity(*base, Dimension::frequency);
        p.gaps.push_back(noted(
            NoteId::clock_under_load,
            fmt::format("{} is the clock of a short load; under one that lasts the board is promised {} "
                        "(clock.base), and what it draws is not known: --clock '{}' shows that end",
                        print_quantity(p.sm_hz, Dimension::frequency), words, words)));
    }
}

}  // namespace

std::string_view to_string(Status status) {
    switch (status) {
        case Status::ok:
            return "ok";
        case Status::partial:
            return "partial";
        case Status::infeasible:
            return "infeasible";
        case Status::error:
            break;
    }
    return "error";
}

Occupancy launch_occupancy(const KernelProgram& program, const ArchSpec& arch) {
    OccupancyRequest request;
    request.threads_per_block = program.resources.threads;
    request.registers_per_thread = program.resources.registers_per_thread;
    request.shared_bytes_per_block =
        program.resources.static_shared_bytes + program.resources.dynamic_shared_bytes;
    request.barriers_per_block = program.resources.barriers;
    // static arrays cannot use the opt-in range
    request.allow_optin_shared =
        program.resources.static_shared_bytes <= arch.sm.shared_memory.max_per_block_bytes;
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

// The time that swaps take which lose to those of others.
void try_again(const SwapContention& swaps, Prediction& p) {
    constexpr double worth_telling = 1.05;
    p.retried_cycles = swaps.cycles();
    if (swaps.tries >= worth_telling) {
        p.gaps.push_back(noted(
            NoteId::swaps_retried,
            fmt::format("compare-and-swaps lose to those of other threads and come again, each {:.3g} times "
                        "on average: "
                        "that is estimated as {:.0f} cycles of the time; stalls and counters are without",
                        swaps.tries, p.retried_cycles)));
    }
}

// The L2 slice that has most to do with the launch's atomics; most launches have none.
void add_slice_bound(const DescribedLaunch& launch, Prediction& p) {
    if (const auto& time = launch.program.side_by_side; launch.arch.l2.access_bytes && time.cycles > 0) {
        add_atomics(time.cycles, p.bounds);
        p.terms.side_by_side = true;
        p.terms.queued_cycles = time.queued;
        p.terms.contended = time.contended;
        p.terms.polled_cycles = time.polled;
        return;
    }
    const bool data_decides = launch.program.data_decides;
    const auto& arrays = launch.program.arrays;
    const double alone = atomic_bound_cycles(launch.sites, data_decides, 0, arrays);
    double all = alone;
    if (alone > 0) {
        const double sms = p.waves.shares();
        const auto behind = behind_l1(launch.arch, p.sm_hz, p.waves, p.traffic);
        const double others = cycles_beside_atomics(launch.sites, behind, sms, p.traffic.stale_copies);
        all = atomic_bound_cycles(launch.sites, data_decides, others, arrays);
    }
    p.terms.beside_atomics_cycles = all - alone;
    add_atomics(all, p.bounds);
}

// Why the blocks do not run although one fits an SM; "" = they do.
std::string no_room(const KernelProgram& program, const ArchSpec& arch, const Waves& waves) {
    const auto resident = std::int64_t{waves.sm_count} * waves.blocks_per_sm;
    if (program.grid_barrier && waves.blocks > resident) {
        return fmt::format(
            "a cooperative launch waits for all its blocks: {} of them, and {} are resident ({} SMs of {})",
            waves.blocks, resident, waves.sm_count, waves.blocks_per_sm);
    }
    return no_room_for_clusters(program, arch, waves.blocks_per_sm);
}

DescribedLaunch describe_at(const KernelProgram& program, const ArchSpec& arch, L2State l2, Detail detail) {
    DescribedLaunch launch{program, arch, identity_of(program, arch), {}, {}, {}, {}, {}};
    Prediction& p = launch.common;
    if (p.occupancy.blocks_per_sm == 0) {
        p.status = Status::infeasible;
        p.reason = p.occupancy.infeasible_reason;
        return launch;
    }
    p.waves = deal_launch(program, arch, p.occupancy.blocks_per_sm);
    p.reason = no_room(program, arch, p.waves);
    if (!p.reason.empty()) {
        p.status = Status::infeasible;
        return launch;
    }
    launch.flat = flatten(program);
    launch.sites = analyse_sites(launch.flat, arch);
    p.traffic = analyse_traffic(program, launch.sites, p.waves, arch, l1_capacity(arch, p.occupancy), l2);
    launch.counts = count_launch(launch.flat, launch.sites, arch);
    launch.block = block_time(program, launch.sites, arch, memory_rules(arch, p.sm_hz, p.traffic, p.waves),
                              p.waves.busiest_sm_blocks <= p.waves.blocks_per_sm);
    set_block_terms(launch.block, arch, p.terms);
    p.energy = launch_energy(program, arch, launch.counts, p.traffic);
    p.bounds = list_bounds(launch.block, p.waves, arch, p.sm_hz);
    name_data_pipe(launch.counts, p.bounds);
    add_slice_bound(launch, p);
    try_again(swap_contention(launch.sites, arch, p.waves), p);
    if (detail == Detail::report) {
        p.sites = report_sites(launch.sites);
        note_estimates(program, launch.sites, arch, p);
        note_promised_clock(arch, p);
        if (auto words = cluster_limit_words(program, p.waves); !words.empty()) {
            p.gaps.push_back(noted(NoteId::clusters_at_once, words));
        }
    }
    if (!program.skipped.empty()) {
        p.status = Status::partial;
        p.reason = skipped_words(program);
        p.gaps.push_back(noted(NoteId::partial, p.reason));
    }
    return launch;
}

}  // namespace gpumodel
